"""Tables of readings, and of the differences between two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.kit.column import Column, RecordModel, count, report_column
from ui.sentences import engine_called
from ui.words import moment, say, whole

if TYPE_CHECKING:
    from radcal.findings.run_records import RunSummary


def run_model() -> RecordModel:
    """Rows are RunSummary."""
    return RecordModel(
        (
            Column(say("engine"), engine_words, width=264),
            Column(say("last read"), lambda r: moment(r.last), value=lambda r: r.last.isoformat(), width=150),
            count(say("reports read"), lambda r: r.n_read, width=96),
            count(say("failed"), lambda r: r.n_failed, width=64),
            count(say("findings"), lambda r: r.n_findings, width=80),
            Column(say("results on show"), lambda r: say("yes") if r.shown else ""),
        )
    )


def difference_model() -> RecordModel:
    """Rows are Difference, those first that change results most."""
    changes = {"added": say("added"), "removed": say("removed"), "changed": say("other phrase")}
    return RecordModel(
        (
            Column(say("change"), lambda d: changes[d.change], width=104),
            report_column(width=150),
            Column(say("pathology"), lambda d: d.pathology, width=150),
            Column(say("before"), lambda d: d.before or "\u2013", value=lambda d: d.before, width=116),
            Column(say("after"), lambda d: d.after or "\u2013", value=lambda d: d.after, width=116),
            Column(say("sentence"), lambda d: d.sentence),
        )
    )


def engine_words(run: RunSummary) -> str:
    """'Rules 1.2', 'Llama 1.0, radcal-mini-q8_0.gguf'."""
    return engine_called(run.engine, run.version, run.model)


def run_words(run: RunSummary) -> str:
    """A run as a list item."""
    return say(
        "{engine} \u00b7 {when} \u00b7 {n} read", engine=engine_words(run), when=moment(run.last), n=whole(run.n_read)
    )
