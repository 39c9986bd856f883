"""Runs of extraction engines, and the differences between two."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from radcal.system.text import EMPTY, Text


@dataclass(frozen=True, slots=True)
class RunKey:
    """The identity of a run: an engine, its version, and a hash of everything else its results depend on."""

    run_id: int
    name: str
    version: str
    settings_hash: str


@dataclass(frozen=True, slots=True)
class RunChoice:
    """A run that the analysis can be based on; ``shown`` if the current results are.

    model: as in RunSummary
    """

    run_id: int
    engine: str
    model: str
    begun: datetime
    shown: bool
    version: str = ""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run of an engine, with counts over the paired reports.

    model: the model file's name, or the served model with its host, of the engine or of what reads beside the rules;
        '' for the rules alone or if not recorded
    accuracy: measured for this engine, version and settings, in words; '' if not measured
    shown: True if the analysis is based on this run;  chosen: True for the run of the engine in the settings
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
    """Progress of the engine in the settings over the paired reports.

    problem: why the engine cannot be used, in words; '' if it can
    run_id: its run, None if it has not read anything yet;  n_pending: reports not read yet
    n_unknown: findings with a hedge that is not in the lexicon;  n_unknown_phrases: how many different hedges
    n_unread: findings that are not sure enough to have been read right;  n_decided: those that people decided on
    shown_run: the run chosen for the analysis, None for the engine's own
    alone: why the rules read alone although a second reader is chosen; empty if they do not
    """

    engine: str
    model: str
    n_reports: int
    n_pending: int
    shown_run: int | None
    version: str = ""
    accuracy: str = ""
    problem: str = ""
    run_id: int | None = None
    n_read: int = 0
    n_failed: int = 0
    n_findings: int = 0
    n_unknown: int = 0
    n_unknown_phrases: int = 0
    n_unread: int = 0
    n_decided: int = 0
    alone: Text = EMPTY


@dataclass(frozen=True, slots=True)
class ReportFailure:
    """A report on which an engine failed, and why."""

    report_id: str
    reason: str


class Change(StrEnum):
    """How a finding differs between two runs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """A finding that two runs do not share; ``before`` or ``after`` is '' if that run lacks it.

    section, start: of the sentence
    effect: how far it alone would move a figure of the run before, in 0-1; see :mod:`radcal.calibration.effects`
    """

    change: Change
    report_id: str
    pathology: str
    before: str
    after: str
    sentence: str
    section: str
    start: int
    effect: float = 0.0


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The differences between two runs, by report.

    n_reports: paired reports read in both runs, the only ones compared;  n_same: findings in common
    """

    before: int
    after: int
    n_reports: int
    n_same: int
    n_added: int
    n_removed: int
    n_changed: int
    differences: tuple[Difference, ...]
