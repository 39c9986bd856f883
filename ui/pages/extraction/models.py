"""Tables of the Extraction page: failed reports, runs, and differences between two runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ui.sentences import engine_called
from ui.widgets.lists import ListColumn, ListTableModel
from ui.words import moment, report_name, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records.runs import Difference, ReportFailure, RunSummary


_SPAN = re.compile(r"(\d)-(\d)")
"""The hyphen of an interval such as 0.97-0.99."""


def failure_model() -> ListTableModel:
    """Rows are ReportFailure."""

    def report(row: ReportFailure) -> str:
        return report_name(row.report_id)

    def reason(row: ReportFailure) -> str:
        return typographic(row.reason)

    return ListTableModel(
        (
            ListColumn(say("report"), report, export=lambda f: f.report_id),
            ListColumn(say("why it was not read"), reason),
        )
    )


def run_model() -> ListTableModel:
    """Rows are RunSummary."""
    return ListTableModel(
        (
            ListColumn(say("engine"), engine_words),
            ListColumn(say("last read"), lambda r: moment(r.last), value=lambda r: r.last.isoformat()),
            ListColumn(say("reports read"), lambda r: whole(r.n_read), True, lambda r: r.n_read),
            ListColumn(say("failed"), lambda r: whole(r.n_failed), True, lambda r: r.n_failed),
            ListColumn(say("findings"), lambda r: whole(r.n_findings), True, lambda r: r.n_findings),
            ListColumn(say("results on show"), shown_words),
            ListColumn(say("measured accuracy"), lambda r: accuracy_words(r.accuracy)),
        )
    )


def difference_model() -> ListTableModel:
    """Rows are Difference."""

    def change(row: Difference) -> str:
        match str(row.change):
            case "added":
                return say("added")
            case "removed":
                return say("removed")
            case _:
                return say("other phrase")

    return ListTableModel(
        (
            ListColumn(say("change"), change),
            ListColumn(say("report"), lambda d: report_name(d.report_id), export=lambda d: d.report_id),
            ListColumn(say("pathology"), lambda d: d.pathology),
            ListColumn(say("before"), lambda d: d.before or "\u2013", value=lambda d: d.before),
            ListColumn(say("after"), lambda d: d.after or "\u2013", value=lambda d: d.after),
            ListColumn(say("sentence"), lambda d: d.sentence),
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


def shown_words(run: RunSummary) -> str:
    """Whether the current results come from the run."""
    return say("yes") if run.shown else ""


def accuracy_words(accuracy: str) -> str:
    """The measured accuracy, or that none was measured."""
    if not accuracy:
        return say("not measured")
    return _SPAN.sub("\\1\u2013\\2", typographic(accuracy))
