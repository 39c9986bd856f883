"""The engine's progress in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.pages.extraction.models import engine_words
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.records.runs import EngineStatus, RunSummary


def reading() -> str:
    """While an engine is running."""
    return say("The reports are being read. What is on show stays until all of them are.")


def progress_so_far(status: EngineStatus, runs: Sequence[RunSummary], shown: RunSummary | None) -> str:
    """Progress of the selected engine; ``shown``: the run on show, if a different one."""
    rules = status.engine == "rules"
    n, done, findings = whole(status.n_reports), whole(status.n_read), whole(status.n_findings)
    if status.problem:
        text = say("The engine cannot be used as it is set. {why}", why=typographic(status.problem))
    elif status.run_id is None or not status.n_read + status.n_failed:
        read_before = any(run.engine == status.engine and not run.chosen for run in runs)
        text = (_to_read_again(rules) if read_before else _not_read(rules)).format(n=n)
    else:
        text = (
            say("The rules have read {done} of {n} paired reports: {findings} findings.")
            if rules
            else say("The Llama has read {done} of {n} paired reports: {findings} findings.")
        ).format(done=done, n=n, findings=findings)
    if shown is not None:
        text += " " + say("Results on show are those of {run}.", run=engine_words(shown))
    return text


def _not_read(rules: bool) -> str:
    if rules:
        return say("The rules have not read any of the {n} paired reports yet.")
    return say("The Llama has not read any of the {n} paired reports yet.")


def _to_read_again(rules: bool) -> str:
    """After an update of RadCal or its data, no report counts as read."""
    if rules:
        return say("The rules or the words have changed since they read: all {n} paired reports wait to be read again.")
    return say(
        "The Llama, its options or the words have changed since it read: all {n} paired reports wait to be read again."
    )
