"""The engine's progress in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from radcal.findings.run_records import second_of
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
        text = _not_read(status, again=any(run.engine == status.engine and not run.chosen for run in runs))
    else:
        numbers = {
            "done": whole(status.n_read),
            "n": whole(status.n_reports),
            "findings": whole(status.n_findings),
        }
        text = (
            say("The rules have read {done} of {n} paired reports: {findings} findings.", **numbers)
            if status.engine == "rules"
            else _read_by_both(status, numbers)
            if status.engine == "cascade"
            else say(
                "{model} has read {done} of {n} paired reports: {findings} findings.",
                model=served_name(status.model),
                **numbers,
            )
            if status.engine == "served"
            else say("The Llama has read {done} of {n} paired reports: {findings} findings.", **numbers)
        )
    if shown is not None:
        text += " " + say("Results on show are those of {run}.", run=engine_words(shown))
    return text


def _read_by_both(status: EngineStatus, numbers: dict[str, str]) -> str:
    asked = whole(status.n_second)
    if second_of(status.version) == "served":
        text = say(
            "The rules have read {done} of {n} paired reports, {model} {asked} of them as well: {findings} findings.",
            model=served_name(status.model),
            asked=asked,
            **numbers,
        )
        if status.n_second_failed:
            text += " " + say(
                "One more could not be read at the server and stays as the rules read it.",
                many="{n} more could not be read at the server and stay as the rules read them.",
                n=status.n_second_failed,
            )
        return text
    text = say(
        "The rules have read {done} of {n} paired reports, the Llama {asked} of them as well: {findings} findings.",
        asked=asked,
        **numbers,
    )
    if status.n_second_failed:
        text += " " + say(
            "One more was too much for the Llama and stays as the rules read it.",
            many="{n} more were too much for the Llama and stay as the rules read them.",
            n=status.n_second_failed,
        )
    return text


def _not_read(status: EngineStatus, *, again: bool) -> str:
    rules, n = status.engine in ("rules", "cascade"), whole(status.n_reports)
    if status.engine == "served" and again:
        return say(
            "The server, its model, its options or the words have changed since reports were read there: all {n} paired"
            " reports wait to be read again.",
            n=n,
        )
    if status.engine == "served":
        return say("{model} has not read any of the {n} paired reports yet.", model=served_name(status.model), n=n)
    if status.engine == "cascade" and again and second_of(status.version) == "served":
        return say(
            "The rules, the server, its model, its options or the words have changed since they read: all {n} paired"
            " reports wait to be read again.",
            n=n,
        )
    if status.engine == "cascade" and again:
        return say(
            "The rules, the Llama, their options or the words have changed since they read: all {n} paired reports wait"
            " to be read again.",
            n=n,
        )
    if rules and again:
        return say(
            "The rules or the words have changed since they read: all {n} paired reports wait to be read again.", n=n
        )
    if rules:
        return say("The rules have not read any of the {n} paired reports yet.", n=n)
    if again:
        return say(
            "The Llama, its options or the words have changed since it read: all {n} paired reports wait to be read"
            " again.",
            n=n,
        )
    return say("The Llama has not read any of the {n} paired reports yet.", n=n)
