"""A clock that jumps by years between any two steps changes no result, loses nothing and hides no missing copy."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest

from radcal.advice import analysis as making
from radcal.calibration import department_words as lexicons
from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.sample.department import SampleTruth
from radcal.system import clock
from radcal.system.settings import Settings
from radcal.workspace import lock
from radcal.workspace.store import Workspace

PASSPHRASE = "plum tree over the wall"
QUICK = Settings(bootstrap=20, min_group_n=5, min_phrase_n=3)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Jumping(datetime):
    """A clock of which no two readings in a row are of one decade."""

    _dice = random.Random(4)  # noqa: S311 - times, no secret

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        days = cls._dice.choice((-9_000, -4_000, 0, 4_000, 9_000)) + cls._dice.random()
        return cls.fromisoformat((NOW + timedelta(days=days)).isoformat()).astimezone(tz)


@pytest.fixture
def jumping(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for module in (making, lexicons, lock, clock):
        monkeypatch.setattr(module, "datetime", Jumping)
    return monkeypatch


def worked(path: Path, small: SampleTruth) -> tuple[object, ...]:
    """What comes out of all steps."""
    with open_department(path, PASSPHRASE, create=True, settings=QUICK, pseudonym_seed=1) as department:
        department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
        department.importing.pair()
        department.runs.extract()
        department.analyse()
        return results(department, path)


def results(department: Department, path: Path) -> tuple[object, ...]:
    with Workspace.open(path, PASSPHRASE, read_only=True) as workspace:
        findings = workspace.findings(1)[["report_id", "pathology", "phrase"]].to_json()
        audit = workspace.audit()["what"].tolist()
    groups = [(r.author, r.topic, r.n, r.ece) for d in department.pages.inputs() for r in d.reliabilities]
    return findings, groups, audit, department.up_to_date


@pytest.mark.slow
def test_results_do_not_depend_on_the_clock(tmp_path: Path, small: SampleTruth, jumping: pytest.MonkeyPatch) -> None:
    jumped = worked(tmp_path / "jumping.radcal", small)
    with open_department(tmp_path / "jumping.radcal", PASSPHRASE) as again:
        findings, groups, audit, up_to_date = results(again, tmp_path / "jumping.radcal")
        assert (findings, groups, audit[:-2], up_to_date) == jumped
        assert audit[-2:] == ["workspace closed", "workspace opened"]
        assert again.audit_log.verify().holds
        assert again.runs.extract().n_done == 48  # nothing is read anew
    jumping.undo()
    assert worked(tmp_path / "steady.radcal", small) == jumped


def test_a_copy_from_the_future_hides_no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stood years ahead when the copy was made, and was put right since."""
    at = NOW + timedelta(days=3650)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls.fromisoformat(at.isoformat()).astimezone(tz)

    monkeypatch.setattr("radcal.system.clock.datetime", Clock)
    monkeypatch.setattr("radcal.workspace.schedule.datetime", Clock)
    with open_department(tmp_path / "w.radcal", PASSPHRASE, create=True) as department:
        department.backups.choose(on=False, folder=None)  # or nobody would be asked to make a copy
        department.backup(tmp_path / "copy.radcal")
        at = NOW
        for _ in range(20):
            department.save_settings(Settings(window_hours=24))
        copied = department.backups.known()
    assert copied.decisions >= 20
    assert copied.is_due(NOW)
