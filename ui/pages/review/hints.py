"""The hint below the findings: the current statement, and the keys that apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.pages.review.items import engine_reading, verdict
from ui.pages.review.sentences import read_only_text
from ui.sentences import both_readings, topic_name
from ui.words import quoted, say

if TYPE_CHECKING:
    from radcal.review.session import Item, ReviewSession


def why_not(session: ReviewSession, *, read_only: bool) -> str:
    """Why the report cannot be changed, '' if it can."""
    if read_only:
        return read_only_text()
    if session.report.changed:
        return say("This report came with another text after it was drawn. It is left out; go on to the next.")
    if session.blind and session.answers(session.report.report_id).done:
        if session.apart:
            return say("Done. Ctrl+Enter: next. Ctrl+Shift+Enter: reopen.")
        return " ".join(
            (
                say(
                    "Done. # = found only by the software. Ctrl+Enter: next. Ctrl+Shift+Enter: reopen (changes no"
                    " longer count as blind)."
                ),
                _compared(session),
            )
        )
    return ""


def _compared(session: ReviewSession) -> str:
    """What the software missed in the current report, and what it found that the reader did not."""
    if session.report.findings is None:
        return say("The software has not read this report.")
    items = session.items(session.report)
    missed, more = sum(i.missed for i in items), sum(i.compared for i in items)
    if not missed and not more:
        return say("It found the same as you.")
    return say(
        "It missed {missed} of your findings or read them otherwise (\u2205), and found {more} that you did not (#).",
        missed=missed,
        more=more,
    )


def unfinished(waiting: int) -> str:
    """Why a report cannot be finished yet; ``waiting``: its findings without verdict, 0 if nothing is marked."""
    if not waiting:
        return say("Nothing is marked in this report. Does it really state nothing?")
    return say(
        "{n} finding is not judged yet. The report is done, and counts, once it is.",
        many="{n} findings are not judged yet. The report is done, and counts, once they are.",
        n=waiting,
    )


def how_to_add(new_pathology: str) -> str:
    """The next step of adding a statement; ``new_pathology`` is '' while its sentence is being chosen."""
    if new_pathology:
        return say("How sure is the sentence of {pathology}? One key, or Enter.", pathology=topic_name(new_pathology))
    return say("Choose the sentence with \u2193 and \u2191, then type its pathology. Escape goes back.")


def what_is(session: ReviewSession, item: Item | None) -> str:
    """The current statement with its verdict, or what can be done if there is none."""
    if item is None:
        if session.hides_engine(session.report) and not session.apart:
            return say("Blind: what the software found is hidden until you are done. N: add a finding.")
        return say("Nothing is marked. N: add a finding. Ctrl+Enter: done.")
    f = item.finding
    if f.unread:
        readings = both_readings(f) or say("the software did not understand {words}.", words=quoted(f.verbatim))
        told = f"{topic_name(f.pathology)}: {readings} {say('Choose the phrase, or remove it.')}"
        return told[:1].upper() + told[1:]
    said = f"{topic_name(f.pathology)}: {quoted(f.phrase)}. {verdict(item)}"
    return " ".join(filter(None, (said[:1].upper() + said[1:], engine_reading(item))))
