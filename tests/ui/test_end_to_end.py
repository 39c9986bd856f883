"""The window on the real pipeline: a new workspace made from files of the shipped sample."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.findings import runs as extracting
from radcal.findings.engines import extracted
from radcal.findings.records import Extraction
from radcal.opening import open_department
from radcal.reports.importing import ReportFile
from radcal.reports.records import Modality
from radcal.system.resources import resource
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

Open = Callable[..., MainWindow]
PASSPHRASE = "correct horse battery"
REPORTS = 40


@pytest.fixture
def files(tmp_path: Path) -> tuple[ReportFile, ...]:
    """The first reports of the sample."""
    parts = {}
    for name in ("xray", "ct"):
        parts[name] = tmp_path / f"{name}.csv"
        with (
            resource("sample", f"{name}.csv").open(encoding="utf-8", newline="") as whole,
            parts[name].open("w", encoding="utf-8", newline="") as part,
        ):
            csv.writer(part).writerows(itertools.islice(csv.reader(whole), REPORTS + 1))
    return ReportFile(parts["xray"], Modality.XRAY), ReportFile(parts["ct"], Modality.CT)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a new workspace is made."""
    return tmp_path / "chest.radcal"


def import_into_new(qtbot: QtBot, window: MainWindow, place: Path, files: tuple[ReportFile, ...]) -> None:
    """Make a workspace and begin to import into it."""
    window.entrance.make("", place, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.entrance.import_reports(files, pytest.fail)


def test_workspace_whose_run_was_stopped_goes_on_when_it_is_opened(
    qtbot: QtBot, open_window: Open, place: Path, files: tuple[ReportFile, ...]
) -> None:
    with open_department(place, PASSPHRASE, create=True) as department:
        department.importing.import_reports(files)
    window = open_window()
    with open_department(place, PASSPHRASE):
        window.entrance.open_workspace(place, PASSPHRASE)
        qtbot.waitUntil(lambda: Message.IN_USE in window.messages.shown())
        window.messages.press(Message.IN_USE)
        qtbot.waitUntil(lambda: Message.NOTHING_TO_SHOW in window.messages.shown())
        assert "read only" in window.windowTitle()
    again = open_window()
    again.entrance.open_workspace(place, PASSPHRASE)
    qtbot.waitUntil(lambda: again.pages.currentWidget() is again.page("reliability"))
    assert again.session.current is not None
    assert again.session.current.up_to_date


def test_reports_that_an_engine_cannot_read_are_tried_again_until_all_are_read(
    qtbot: QtBot, open_window: Open, place: Path, files: tuple[ReportFile, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: set[str] = set()
    given: list[str] = []
    first = True

    def failing(*args: Any) -> Iterator[Extraction]:
        """The engine, but some reports are too much for it."""
        for extraction in extracted(*args):
            if first and len(given) % 20 == 7:
                broken.add(extraction.report_id)
            given.append(extraction.report_id)
            failed = extraction.report_id in broken
            yield replace(extraction, findings=(), failure="The report took too long.") if failed else extraction

    monkeypatch.setattr(extracting, "extracted", failing)
    window = open_window()
    import_into_new(qtbot, window, place, files)
    qtbot.waitUntil(lambda: window.pages.currentWidget() is window.page("reliability"))
    first = False
    n_broken, n_reports = len(broken), len(set(given))
    assert 2 < n_broken < n_reports
    assert f"{n_broken} of {n_reports} reports could not be read" in window.messages.text(Message.REPORTS_FAILED)
    before = _findings(window)

    window.messages.press(Message.REPORTS_FAILED)
    assert window.current_key == "extraction"
    page = window.page("extraction")
    assert page.tabs.currentWidget() is page.failures
    qtbot.waitUntil(lambda: page.failures.model.rowCount() == n_broken)
    assert page.failures.name == f"Not read ({n_broken})"
    assert {page.failures.model.row(i).report_id for i in range(n_broken)} == broken
    assert page.failures.model.index(0, 1).data() == "The report took too long."
    # The same engine fails on the same reports again: they are tried, and nothing else is read.
    given.clear()
    page.failures.retry_all.click()
    qtbot.waitUntil(lambda: set(given) == broken and window.tasks.is_idle)
    assert page.failures.model.rowCount() == n_broken
    # What was wrong is mended, first for one, then for all.
    mended = page.failures.model.row(0).report_id
    broken.discard(mended)
    given.clear()
    page.failures.table.select_row(0)
    page.failures.retry_selected.click()
    qtbot.waitUntil(lambda: page.failures.model.rowCount() == n_broken - 1 and window.tasks.is_idle)
    assert set(given) == {mended}
    broken.clear()
    page.failures.retry_all.click()
    qtbot.waitUntil(lambda: page.failures.model.rowCount() == 0 and window.tasks.is_idle)
    assert page.failures.otherwise.isVisible()
    assert page.failures.name == "Not read"
    # The results on show have them, as if nothing had ever failed.
    assert _findings(window) > before
    assert Message.REPORTS_FAILED not in window.messages.shown()
    with open_department(place.with_name("without.radcal"), PASSPHRASE, create=True) as other:
        other.importing.import_reports(files)
        other.importing.pair()
        monkeypatch.setattr(extracting, "extracted", extracted)
        other.runs.extract()
        analysis = other.analyse()
    assert _findings(window) == sum(r.n for r in analysis.reliabilities)


def _findings(window: MainWindow) -> float:
    assert window.session.current is not None
    return sum(view.reliability.n for view in window.session.current.groups.values())
