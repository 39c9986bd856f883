"""Work on extraction runs in the worker: progress, reading, retrying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.text import Text

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records.perception import Perceived
    from radcal.records.runs import EngineStatus, ReportFailure, RunSummary
    from radcal.settings import Settings
    from radcal.workflow import Department


@dataclass(frozen=True, slots=True, eq=False)
class Extractions:
    """The state of extraction.

    settings: as stored;  runs: latest first;  failures: of the selected engine's run, and of
        the Llama of a cascade
    accuracies: the measured accuracy of each shipped engine by its name, '' if none was measured
    """

    settings: Settings
    status: EngineStatus
    runs: tuple[RunSummary, ...]
    failures: tuple[ReportFailure, ...]
    accuracies: Mapping[str, str]


def look(department: Department, _progress: Progress) -> Extractions:
    """Progress of the engines."""
    runs = department.runs
    status = runs.status()
    return Extractions(
        settings=department.settings,
        status=status,
        runs=runs.all(),
        failures=() if status.problem else (*runs.failures(), *map(_stays, runs.second_reading().failures)),
        accuracies=runs.accuracies(),
    )


def _stays(failure: ReportFailure) -> ReportFailure:
    """A failure of the Llama of a cascade."""
    why = Text("The Llama could not read it, and it stays as the rules read it: {reason}", reason=failure.reason)
    return replace(failure, reason=why)


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """A finished reading.  ``shown``: the run that the results come from, if it is another one."""

    read: RunSummary
    shown: RunSummary | None


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Whether a model was asked what certainty words mean.

    shipped: it is the small one of RadCal;  kept: the latest audit against radiologists
    may_read: somebody lets it read without one
    """

    shipped: bool
    kept: Perceived | None
    may_read: bool


def asked(model: str, department: Department, _progress: Progress) -> Asked:
    """What is kept of a model; '' for the shipped one."""
    from radcal.workflow.runs.engines import shipped_model

    path = Path(model) if model else shipped_model()
    perceptions = department.perceptions
    return Asked(not model, perceptions.latest_of(path), perceptions.may_read(path))


def let_read(model: str, allowed: bool, department: Department, progress: Progress) -> Asked:
    """Let a model read reports without having been asked, or not; then as :func:`asked`."""
    department.perceptions.let_read(Path(model), allowed)
    return asked(model, department, progress)


def read(department: Department, progress: Progress, *, values: Mapping[str, Any]) -> Ended | None:
    """Store the engine choice and let it read the remaining reports; None if there are none."""
    department.runs.choose(values)
    return _read(department, progress)


def retry(department: Department, progress: Progress, *, report_ids: tuple[str, ...] | None) -> Ended | None:
    """Let the selected engine retry failed reports; None for all of them."""
    department.runs.retry(report_ids)
    return _read(department, progress)


def _read(department: Department, progress: Progress) -> Ended | None:
    department.runs.read(progress)
    used, runs = department.runs.used(), department.runs.all()
    own = next((run for run in runs if run.chosen), None)
    return None if own is None else Ended(own, next((run for run in runs if run.run_id == used), None))
