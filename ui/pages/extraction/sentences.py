"""The engine's progress in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.pages.extraction.models import engine_words
from ui.sentences import served_name
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.findings.run_records import EngineStatus, RunSummary


def reading() -> str:
    """The sentence while an engine is running."""
    return say("The reports are being read. What is on show stays as it is meanwhile.")


def progress_so_far(status: EngineStatus, runs: Sequence[RunSummary], shown: RunSummary | None) -> str:
    """Progress of the selected engine; ``shown``: the run that the results come from, if a different one."""
    if status.problem:
        text = say("The engine cannot be used as it is set. {why}", why=typographic(status.problem))
    elif status.run_id is None or not status.n_read + status.n_failed:
        # After an update of RadCal or its word lists, no report counts as read.
        again = any(run.engine == status.engine and not run.chosen for run in runs)
        text = _read_again(status) if again else _not_read(status)
    else:
        text = _read(status)
    if shown is not None:
        text += " " + say("Results on show are those of {run}.", run=engine_words(shown))
    return text


def _read(status: EngineStatus) -> str:
    values = {
        "model": served_name(status.model),
        "done": whole(status.n_read),
        "n": whole(status.n_reports),
        "findings": whole(status.n_findings),
    }
    if status.engine != "rules":
        return say("{model} has read {done} of {n} paired reports: {findings} findings.", **values)
    if status.model:
        return say("The rules and {model} have read {done} of {n} paired reports: {findings} findings.", **values)
    return say("The rules have read {done} of {n} paired reports: {findings} findings.", **values)


def _not_read(status: EngineStatus) -> str:
    values = {"model": served_name(status.model), "n": whole(status.n_reports)}
    if status.engine != "rules":
        return say("{model} has not read any of the {n} paired reports yet.", **values)
    if status.model:
        return say("The rules and {model} have not read any of the {n} paired reports yet.", **values)
    return say("The rules have not read any of the {n} paired reports yet.", **values)


def _read_again(status: EngineStatus) -> str:
    changed = {
        "rules": say("The rules or the words have changed since they read.")
        if not status.model
        else say("The rules, their second reader or the words have changed since they read."),
        "llama": say("The model, its options or the words have changed since it read."),
        "served": say("The server, its model, its options or the words have changed since reports were read there."),
    }[status.engine]
    return say("{changed} All {n} paired reports wait to be read again.", changed=changed, n=whole(status.n_reports))
