"""An import that is stopped at any point shows what is stored, and goes on to the same end."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.department import Department
from radcal.opening import open_department
from radcal.reports.importing import ReportFile
from radcal.sample.department import generate
from radcal.system.errors import Cancelled
from radcal.system.progress import SILENT, Silent
from ui import operations
from ui.records import Opened
from ui.window.notices import halted_text

PASSPHRASE = "correct horse battery"


class StopsAt(Silent):
    """Is stopped at the n-th look; ``looks`` counts them."""

    def __init__(self, n: int = -1) -> None:
        self._n, self.looks = n, 0

    def raise_if_cancelled(self) -> None:
        self.looks += 1
        if self.looks == self._n:
            raise Cancelled


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[ReportFile, ...]:
    made = generate(tmp_path_factory.mktemp("stopped"), 12, 4, radiologists=2)
    return ReportFile(made.xray), ReportFile(made.ct)


def new(path: Path) -> tuple[Department, Opened]:
    department = open_department(path, PASSPHRASE, create=True)
    return department, operations.opened_results(department, None)


def told(opened: Opened) -> tuple[object, ...]:
    """What pages show of imports: rows, pairs, rows left out, and results."""
    n_of = {group: view.reliability.n for group, view in opened.groups.items()}
    return opened.attrition, opened.rejected, opened.n_pairs, n_of, opened.n_imports


@pytest.mark.slow
def test_an_import_stopped_at_any_point_shows_what_is_stored_and_goes_on(
    files: tuple[ReportFile, ...], tmp_path: Path
) -> None:
    department, _ = new(tmp_path / "whole.radcal")
    whole = StopsAt()
    try:
        ended = told(operations.import_files(department, files, whole))
    finally:
        department.close()
    assert whole.looks > 20
    said = set()
    for at in sorted({1, *range(2, whole.looks, max(1, whole.looks // 7))}):
        path = tmp_path / f"{at}.radcal"
        department, opened = new(path)
        try:
            operations.import_files(department, files, StopsAt(at))
        except Cancelled:
            shown = operations.as_stored(opened, len(files), SILENT)
        else:  # while a child reads, RadCal looks more or less often
            department.close()
            continue
        department.close()
        # Read by somebody who knows nothing of what happened.
        department = open_department(path, PASSPHRASE)
        try:
            stored = operations.opened_results(department, department.analysis())
            assert told(shown) == told(stored)
            assert shown.halted is not None
            assert shown.halted.imported == len(department.importing.known())
            assert shown.halted.unfinished == (department.importing.n_imports > 0 and not department.up_to_date)
            said.add(halted_text(shown.halted))
            assert told(operations.import_files(department, files, SILENT)) == ended
        finally:
            department.close()
    assert {text.split(",")[0].split(":")[0] for text in said} >= {
        "The import was stopped before anything was imported. The files are still on the list.",
        "The files are imported",
    }
