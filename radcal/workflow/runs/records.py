"""Records about the runs of extraction engines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RunKey:
    """What a run is: one engine in one version with one hash of all that its results depend on."""

    run_id: int
    name: str
    version: str
    settings_hash: str


@dataclass(frozen=True, slots=True)
class RunChoice:
    """A run whose findings the analysis can be made from.  ``shown``: the results on show are."""

    run_id: int
    engine: str
    model: str
    begun: datetime
    shown: bool


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run of an engine, counted over the paired reports.

    model: the model file's name, '' for an engine without one or a run whose model was not noted
    accuracy: what was measured of this engine in this version with these settings, '' if nothing was
    shown: whether the analysis is made from this run
    chosen: whether it is the run of the engine that the settings choose
    """

    run_id: int
    engine: str
    version: str
    settings_hash: str
    model: str
    begun: datetime
    last: datetime
    n_reports: int
    n_read: int
    n_failed: int
    n_findings: int
    accuracy: str
    shown: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """How far the settings' engine has read the paired reports.

    problem: why the engine cannot be used as it is set, in words; '' if it can
    run_id: its run, None where it has read nothing yet;  n_pending: reports that it has still to read
    n_unknown: findings worded with a hedge that is in no list, of ``n_unknown_phrases`` different ones
    shown_run: the run that the analysis is made from, None for the engine's own
    """

    engine: str
    version: str
    model: str
    accuracy: str
    problem: str
    n_reports: int
    n_pending: int
    shown_run: int | None
    run_id: int | None = None
    n_read: int = 0
    n_failed: int = 0
    n_findings: int = 0
    n_unknown: int = 0
    n_unknown_phrases: int = 0


@dataclass(frozen=True, slots=True)
class ReportFailure:
    """A report without result, and why."""

    report_id: str
    reason: str
