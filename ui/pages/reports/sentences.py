"""What the Reports page says of the open workspace: what came in, what is read, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.sentences import engine_called, pairs_text, rows_text, served_name
from ui.words import counted, say, typographic

if TYPE_CHECKING:
    from radcal.findings.run_records import EngineStatus, RunSummary
    from ui.records import Opened


def pairs_of(opened: Opened) -> int:
    """Number of pairs in the workspace, analysed or not: the last step of the X-ray reports."""
    ends = [s.kept for s in opened.attrition if s.modality == "xray"]
    return ends[-1] if ends else opened.n_pairs


def unfinished_text() -> str:
    """An import was stopped on its way."""
    return say("Not all that was imported is paired, read and analysed.")


def unread_text(n: int) -> str:
    """'120 unread reports'."""
    return counted(n, "{n} unread report", "{n} unread reports")


def failed_text(n: int) -> str:
    """'2 failed reports'."""
    return counted(n, "{n} failed report", "{n} failed reports")


def _rows_of(opened: Opened) -> int:
    """Number of rows that all imports have read, as far as it is known."""
    first = {s.modality: s.kept for s in reversed(opened.attrition)}
    return first.get("both", first.get("xray", 0) + first.get("ct", 0))


def came_in(opened: Opened, status: EngineStatus | None, suspects: int) -> str:
    """'260 pairs from 734 rows; all read. 26 words may be names.'"""
    if opened.halted is not None and opened.halted.unfinished:
        return unfinished_text()
    said = say("{pairs} from {rows}", pairs=pairs_text(pairs_of(opened)), rows=rows_text(_rows_of(opened)))
    if status is not None and status.n_reports:
        if status.n_pending:
            read = unread_text(status.n_pending)
        elif status.n_failed:
            read = failed_text(status.n_failed)
        else:
            read = say("all read")
        said = f"{said}; {read}"
    said += "."
    if status is not None and status.alone:
        said += " " + typographic(status.alone)
    if suspects:
        said += " " + counted(suspects, "{n} word may be a name.", "{n} words may be names.")
    return said


def changed_since(status: EngineStatus, runs: tuple[RunSummary, ...]) -> str:
    """Why reports wait that were read before, and of which reading the results are; '' if neither is so."""
    said = []
    if status.problem:
        said.append(say("The engine cannot be used as it is set. {why}", why=typographic(status.problem)))
    elif status.n_pending == status.n_reports and any(r.engine == status.engine and not r.chosen for r in runs):
        said.append(say("The engine or its words have changed since they were read."))
    shown = next((run for run in runs if run.shown and not run.chosen), None)
    if shown is not None:
        said.append(
            say("Results on show are those of {run}.", run=engine_called(shown.engine, shown.version, shown.model))
        )
    return " ".join(said)


def read_by(status: EngineStatus) -> str:
    """What reads the reports, beside the title."""
    if status.engine != "rules":
        return say("Read by {model}", model=served_name(status.model))
    if status.model:
        return say("Read by the rules, checked by {model}", model=served_name(status.model))
    return say("Read by the rules alone")
