"""A gold set in words: its origin, its progress, and what is pending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, Qt

from radcal.records.gold import ENOUGH, Draw, Verdict
from ui.sentences import engine_called
from ui.words import counted, say, whole

if TYPE_CHECKING:
    from radcal.records.gold import Action, EngineAccuracy, GoldSet


def rail_text(gold: GoldSet, finished: int, measured: EngineAccuracy | None) -> str:
    """The rail's text: '94 ±4 %' once valid for the engine, '12 of 150' until then."""
    if measured is not None and measured.reports >= ENOUGH and measured.representative:
        s = measured.overall
        if s.f1 == s.f1:
            return say("{f1} \u00b1{half}\u00a0%", f1=f"{100 * s.f1:.0f}", half=f"{50 * (s.f1_high - s.f1_low):.0f}")
    return say("{n} of {total}", n=whole(finished), total=whole(len(gold.report_ids)))


def undecided(measured: EngineAccuracy | None) -> str:
    """Why the gold set needs attention, '' if it does not."""
    if measured is None or not measured.waiting:
        return ""
    if measured.waiting == 1:
        return say("1 difference between readers waits for a decision; until then it is left out.")
    return say(
        "{n} differences between readers wait for a decision; until then they are left out.", n=whole(measured.waiting)
    )


def called(action: Action) -> str:
    """The undo text of a stored answer."""
    if action.done is not None:
        return say("report done") if action.done else say("take up again")
    return {
        Verdict.ACCEPTED: say("accept"),
        Verdict.CORRECTED: say("correct"),
        Verdict.ADDED: say("add"),
        Verdict.UNSURE: say("unsure"),
        Verdict.REMOVED: say("remove"),
    }[action.marks[-1].verdict]


def about(gold: GoldSet) -> str:
    """The gold set's origin in one sentence."""
    how = {
        Draw.RANDOM: say("{reports}, drawn at random (seed {seed}) on {date}, read to check {engine}."),
        Draw.WORST_FIRST: say("{reports}, the most doubtful first, drawn on {date}, read to check {engine}."),
        Draw.IMPORTED: say("{reports}, imported on {date}, to check {engine}."),
    }[gold.drawn]
    n = len(gold.report_ids)
    said = how.format(
        reports=counted(n, "{n} report", "{n} reports"),
        seed=whole(gold.seed), date=_date(gold.made), engine=engine_called(gold.engine, gold.version),
    )  # fmt: skip
    blind = say("Blind: the engine\u2019s findings show once a report is done.")
    return f"{said} {blind}" if gold.blind else said


def _date(made: str) -> str:
    """The day of an ISO time in the user's locale."""
    return QLocale().toString(QDate.fromString(made[:10], Qt.DateFormat.ISODate), QLocale.FormatType.ShortFormat)
