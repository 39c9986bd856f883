"""The hint below the findings: the current statement, and the keys that apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.pages.review.items import engine_reading, verdict
from ui.sentences import both_readings, topic_name
from ui.words import quoted, say

if TYPE_CHECKING:
    from ui.pages.review.session import Item, ReviewSession


def why_not(session: ReviewSession, *, read_only: bool) -> str:
    """Why the report cannot be changed, '' if it can."""
    if read_only:
        return say("The workspace is open to read only: nothing can be changed.")
    if session.report.changed:
        return say("This report came with another text after it was drawn. It is left out; go on to the next.")
    if session.blind and session.answers(session.report.report_id).done:
        if session.apart:
            return say("Done. Ctrl+Enter goes on; Ctrl+Shift+Enter takes the report up again.")
        return say(
            "Done. {compared} Ctrl+Enter: next report. Ctrl+Shift+Enter takes this one up again, and what is changed"
            " then counts as changed with the engine in view.",
            compared=_compared(session),
        )
    return ""


def _compared(session: ReviewSession) -> str:
    """What the engine missed in the current report, and what it found that the reader did not."""
    if session.report.findings is None:
        return say("The engine has not read this report.")
    items = session.items(session.report)
    missed, more = sum(i.missed for i in items), sum(i.compared for i in items)
    if not missed and not more:
        return say("The engine says the same.")
    parts = [
        missed
        and say(
            "{n} finding is yours alone (\u2205): the engine missed it or read it otherwise.",
            many="{n} findings are yours alone (\u2205): the engine missed them or read them otherwise.",
            n=missed,
        ),
        more
        and say("{n} is the engine\u2019s alone (\u2260).", many="{n} are the engine\u2019s alone (\u2260).", n=more),
    ]
    return " ".join(part for part in parts if part)


def unfinished(waiting: int, *, apart: bool = False) -> str:
    """Why a report cannot be finished yet; ``waiting``: its findings without verdict, 0 if only the engine has some.

    apart: in a review file, where nobody knows whether the engine has some
    """
    if not waiting and apart:
        return say("Nothing is marked in this report. Does it really state nothing?")
    if not waiting:
        return say("Nothing is marked, but the engine finds something in this report. Does it really state nothing?")
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
        if session.apart and session.blind:
            return say("N adds a finding; Ctrl+Enter: the report is done.")
        if session.hides_engine(session.report):
            return say("Blind: the engine\u2019s findings are hidden until you are done. N adds a finding.")
        if session.report.findings is None:
            return say("The engine has not read this report. N adds a finding; Ctrl+Enter: it is done.")
        return say("No finding in this report. N adds one; Ctrl+Enter: the report is done.")
    if item.finding.unread and (readings := both_readings(item.finding)):
        return say(
            "{pathology}: {readings} Choose the phrase, or remove the finding.",
            pathology=topic_name(item.finding.pathology),
            readings=readings,
        )
    if item.finding.unread:
        return say(
            "{pathology}: the engine did not understand {words}. Choose the phrase, or remove the finding.",
            pathology=topic_name(item.finding.pathology),
            words=quoted(item.finding.verbatim),
        )
    said = say(
        "{pathology}: {phrase}. {verdict}",
        pathology=topic_name(item.finding.pathology),
        phrase=quoted(item.finding.phrase),
        verdict=verdict(item),
    )
    parts = [said[:1].upper() + said[1:], engine_reading(item)]
    done = session.answers(session.report.report_id).done
    if not session.blind and not done and not session.open_items(session.report):
        parts.append(say("All are judged. Ctrl+Enter: the report is done."))
    return " ".join(part for part in parts if part)
