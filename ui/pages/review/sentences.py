"""A gold set in words: its origin, its progress, and pending decisions."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from radcal.records.gold import ENOUGH, Draw, Verdict
from ui.sentences import engine_called, reports_text
from ui.words import day, say, whole

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
    return say(
        "{n:,} difference between readers waits for a decision; until then it is left out.",
        many="{n:,} differences between readers wait for a decision; until then they are left out.",
        n=measured.waiting,
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
    values = {
        "reports": reports_text(len(gold.report_ids)),
        "date": day(date.fromisoformat(gold.made[:10])),
        "engine": engine_called(gold.engine, gold.version),
    }
    said = {
        Draw.RANDOM: say(
            "{reports}, drawn at random (seed {seed}) on {date}, read to check {engine}.",
            seed=whole(gold.seed),
            **values,
        ),
        Draw.WORST_FIRST: say("{reports}, the most doubtful first, drawn on {date}, read to check {engine}.", **values),
        Draw.IMPORTED: say("{reports}, imported on {date}, to check {engine}.", **values),
    }[gold.drawn]
    blind = say("Blind: the engine\u2019s findings show once a report is done.")
    return f"{said} {blind}" if gold.blind else said
