"""A gold set in words: its origin, its progress, and pending decisions."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from radcal.review.records import Draw, Verdict
from ui.sentences import engine_called, reports_text
from ui.words import day, rate, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.hand_outs import Returned
    from radcal.review.records import Action, EngineAccuracy, GoldSet


def rail_text(gold: GoldSet, finished: int, measured: EngineAccuracy | None) -> str:
    """The rail's text: '94 ±4 %' once valid for the engine, '12 of 150' until then; '94 ±4 %*' if not read blind."""
    if measured is not None and measured.quotable:
        s = measured.overall
        said = say("{f1} \u00b1{half}\u00a0%", f1=f"{100 * s.f1:.0f}", half=f"{50 * (s.f1_high - s.f1_low):.0f}")
        return f"{said}*" if measured.in_sight else said
    return say("{n} of {total}", n=whole(finished), total=whole(len(gold.report_ids)))


def rail_meaning(gold: GoldSet, finished: int, measured: EngineAccuracy | None) -> str:
    """What the rail's text says, in words."""
    if measured is not None and measured.quotable:
        s = measured.overall
        return say("the engine reads with an F1 of {f1}", f1=rate(s.f1, s.f1_low, s.f1_high))
    total = len(gold.report_ids)
    return say("{n} of {total} reports reviewed", n=whole(finished), total=whole(total))


def attention(measured: EngineAccuracy | None) -> str:
    """Why the gold set needs attention, '' if it does not."""
    if measured is None:
        return ""
    if measured.waiting:
        return say(
            "{n:,} difference between readers waits for a decision; until then it is left out.",
            many="{n:,} differences between readers wait for a decision; until then they are left out.",
            n=measured.waiting,
        )
    return f"* {in_sight(measured)}" if measured.in_sight and measured.quotable else ""


def in_sight(measured: EngineAccuracy) -> str:
    """How many reports and answers were given with the engine's in sight."""
    return say(
        "{n} of {reports} read with the engine\u2019s answers in sight: of {answers} answers, {accepted} were accepted"
        " unchanged.",
        n=whole(measured.in_sight),
        reports=reports_text(measured.reports),
        answers=whole(measured.answers),
        accepted=whole(measured.accepted),
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


def about_file(gold: GoldSet, finished: int, file: str) -> str:
    """What to do with a review file."""
    if finished < len(gold.report_ids):
        return say(
            "{reports} for you to read. Every answer is stored at once in this file; when all are done, close RadCal"
            " and send the file back.",
            reports=reports_text(len(gold.report_ids)),
        )
    return say("Everything has been read. Close RadCal, and send {file} back to whoever gave it to you.", file=file)


def merged_text(merged: Returned) -> str:
    """What a review file brought."""
    if not merged.changed:
        said = [say("{file} has nothing new of {reader}.", file=merged.file, reader=merged.hand_out.person)]
    else:
        said = [
            say(
                "{reader} has done {finished} of {reports} reports in {file}. New answers: {new}; earlier ones undone"
                " or valid again: {turned}.",
                file=merged.file,
                finished=whole(merged.finished),
                reports=whole(len(merged.hand_out.reports)),
                reader=merged.hand_out.person,
                new=whole(merged.new),
                turned=whole(merged.turned),
            )
        ]
    if merged.both:
        said.append(
            say(
                "One report was answered in the workspace, too: both answers are kept, and where they speak of the"
                " same, the later holds.",
                many="{n:,} reports were answered in the workspace, too: both answers are kept, and where they speak"
                " of the same, the later holds.",
                n=len(merged.both),
            )
        )
    if not merged.is_current:
        said.append(say("They belong to an earlier gold set, number {n}.", n=whole(merged.hand_out.gold_set)))
    return " ".join(said)


def not_merged_text(merged: Returned) -> str:
    """Which answers of a review file were left out, and why."""
    said = [
        say(
            "Report {report}, one answer: {reason}",
            many="Report {report}, {n:,} answers: {reason}",
            report=one.report or "?",
            n=one.n,
            reason=typographic(one.reason),
        )
        for one in merged.refused
    ]
    return " ".join(said)


def about(gold: GoldSet) -> str:
    """The gold set's origin in one sentence."""
    values = {
        "reports": reports_text(len(gold.report_ids)),
        "date": day(date.fromisoformat(gold.made[:10])),
        "engine": engine_called(gold.engine, gold.version),
    }
    return {
        Draw.RANDOM: say(
            "{reports}, drawn at random (seed {seed}) on {date}, read to check {engine}.",
            seed=whole(gold.seed),
            **values,
        ),
        Draw.WORST_FIRST: say("{reports}, the most doubtful first, drawn on {date}, read to check {engine}.", **values),
        Draw.IMPORTED: say("{reports}, imported on {date}, to check {engine}.", **values),
    }[gold.drawn]
