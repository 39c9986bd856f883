"""Tables of the Extraction page: failed reports, runs, and differences between two runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ui.language import spoken
from ui.sentences import engine_called
from ui.widgets.lists import ListColumn, ListTableModel, count, report_column
from ui.words import moment, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records.runs import RunSummary


_SPAN = re.compile(r"(\d)-(\d)")
"""The hyphen of an interval such as 0.97-0.99."""


def failure_model() -> ListTableModel:
    """Rows are ReportFailure."""
    return ListTableModel((report_column(), ListColumn(say("why it was not read"), lambda f: typographic(f.reason))))


def run_model() -> ListTableModel:
    """Rows are RunSummary."""
    return ListTableModel(
        (
            ListColumn(say("engine"), engine_words),
            ListColumn(say("last read"), lambda r: moment(r.last), value=lambda r: r.last.isoformat()),
            count(say("reports read"), lambda r: r.n_read),
            count(say("failed"), lambda r: r.n_failed),
            count(say("findings"), lambda r: r.n_findings),
            ListColumn(say("results on show"), lambda r: say("yes") if r.shown else ""),
            ListColumn(say("measured accuracy"), lambda r: accuracy_words(r.accuracy)),
        )
    )


def difference_model() -> ListTableModel:
    """Rows are Difference."""
    changes = {"added": say("added"), "removed": say("removed"), "changed": say("other phrase")}
    return ListTableModel(
        (
            ListColumn(say("change"), lambda d: changes[d.change]),
            report_column(),
            ListColumn(say("pathology"), lambda d: d.pathology),
            ListColumn(say("before"), lambda d: d.before or "\u2013", value=lambda d: d.before),
            ListColumn(say("after"), lambda d: d.after or "\u2013", value=lambda d: d.after),
            ListColumn(
                say("effect"),
                lambda d: spoken().number(100 * d.effect, 1) if d.effect else "\u2013",
                number=True,
                value=lambda d: 100 * d.effect,
                meaning=say(
                    "How far this alone would move the results of the run before: the mean certainty stated or the"
                    " confirmed rate of a radiologist on a pathology, in percentage points."
                ),
            ),
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


def accuracy_words(accuracy: str) -> str:
    """The measured accuracy, or that none was measured."""
    if not accuracy:
        return say("not measured")
    return _SPAN.sub("\\1\u2013\\2", typographic(accuracy))
