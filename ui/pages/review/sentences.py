"""A gold set in words: its origin, its progress, and what review files brought."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from radcal.review.records import ENOUGH, Draw
from ui.sentences import engine_called, reports_text
from ui.words import day, duration, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.hand_outs import Returned
    from radcal.review.records import EngineAccuracy, GoldSet
    from ui.pages.review.work import Standing

_SECONDS = 40
"""For a report, until a reader's own pace is known."""


def read_only_text() -> str:
    """Why nothing can be changed."""
    return say("The workspace is open to read only: nothing can be changed.")


def invitation() -> str:
    """What reviewing is for, while nothing is drawn."""
    return say(
        "Review {n} reports to know how well RadCal reads yours: about {time}.",
        n=ENOUGH,
        time=duration(ENOUGH * _SECONDS),
    )


def rail_text(standing: Standing, finished: int) -> str:
    """What waits, with its unit: findings left unread, else reports of the gold set; '' for nothing."""
    if standing.n_unread:
        return say("{n} unread", n=whole(standing.n_unread))
    gold = standing.gold
    left = len(gold.report_ids) - finished if gold is not None else 0
    return say("{n} left", n=whole(left)) if left > 0 else ""


def attention(measured: EngineAccuracy | None) -> str:
    """Why the gold set needs attention, '' if it does not."""
    if measured is None or not measured.waiting:
        return ""
    return say(
        "{n:,} difference between readers waits for a decision; until then it is left out.",
        many="{n:,} differences between readers wait for a decision; until then they are left out.",
        n=measured.waiting,
    )


def in_sight(measured: EngineAccuracy) -> str:
    """How many reports and answers were given with the software's in sight."""
    return say(
        "{n} of {reports} read with the software\u2019s answers in sight: of {answers} answers, {accepted} were"
        " accepted unchanged.",
        n=whole(measured.in_sight),
        reports=reports_text(measured.reports),
        answers=whole(measured.answers),
        accepted=whole(measured.accepted),
    )


def about_file(gold: GoldSet, finished: int, file: str) -> str:
    """What to do with a review file."""
    if finished < len(gold.report_ids):
        return say(
            "{reports} for you to read. Every answer is saved at once in this file; when all are done, close RadCal"
            " and send the file back.",
            reports=reports_text(len(gold.report_ids)),
        )
    return say("All done. Close RadCal, and send {file} back to whoever gave it to you.", file=file)


def merged_text(merged: Returned) -> str:
    """What a review file brought."""
    values = {"file": merged.file, "reader": merged.hand_out.person}
    if not merged.changed:
        said = [say("{file} has nothing new of {reader}.", **values)]
    else:
        said = [
            say(
                "{reader} has done {finished} of {reports} reports in {file}. Answers taken in: {n}.",
                finished=whole(merged.finished),
                reports=whole(len(merged.hand_out.reports)),
                n=whole(merged.new + merged.turned),
                **values,
            )
        ]
    if not merged.is_current:
        said.append(say("They belong to reports drawn earlier."))
    return " ".join(said)


def not_merged_text(merged: Returned) -> str:
    """Which answers of a review file were left out, and why."""
    return " ".join(
        say(
            "Report {report}, answers left out: {n}. {reason}",
            report=one.report or "?",
            n=whole(one.n),
            reason=typographic(one.reason),
        )
        for one in merged.refused
    )


def about(gold: GoldSet) -> str:
    """The gold set's origin in one sentence."""
    values = {
        "reports": reports_text(len(gold.report_ids)),
        "date": day(date.fromisoformat(gold.made[:10])),
        "engine": engine_called(gold.engine, gold.version),
    }
    return {
        Draw.RANDOM: say("{reports}, drawn at random on {date}, to check {engine}.", **values),
        Draw.WORST_FIRST: say("{reports}, the most doubtful first, drawn on {date}, to check {engine}.", **values),
        Draw.IMPORTED: say("{reports}, imported on {date}, to check {engine}.", **values),
    }[gold.drawn]
