"""The form of columns in the whole window: every dropdown can be reached, every choice made, every preset used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from ui.pages.reports.page import ReportsPage
from ui.window.main_window import MainWindow

HEADER = (
    "ACC\tMRN\tPAT_NAME\tRef Prov\tSSN\tDOB\tExam Description\tModality\tBegin exam\tReport Text\tSigned By"
    "\tLifecycle\tPrüfungsergebnisübermittlungszeitpunktbezeichnung"
)


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """A table with columns of names, and one of statuses under a name that says nothing."""
    path = tmp_path / "messy.tsv"
    rows = [
        f"A{i}\tP{i // 2}\tAshworth, Ada\tBirch, Ben\t123-45-6789\t1950-02-03\tXR CHEST\tCR\t2024-01-{i + 1:02} 10:00\t"
        f"No effusion is seen. The lungs are clear on both sides.\t{('Ash, Jo', 'Elm, Al')[i % 2]}\t"
        f"{('Final', 'Addendum', 'Preliminary')[i % 3]}\tq"
        for i in range(12)
    ]
    path.write_text("\n".join((HEADER, *rows)), encoding="utf-8")
    return path


def listed(qtbot: QtBot, window: MainWindow, *files: Path) -> ReportsPage:
    """The Import page with these files on the list, looked into and counted."""
    window.show_page("reports", {"files": files})
    page = window.page("reports")
    assert isinstance(page, ReportsPage)
    settled(qtbot, page)
    return page


def settled(qtbot: QtBot, page: ReportsPage) -> None:
    draft, recount, strip = page.importing.draft, page.importing._recount, page.importing.files.strip
    qtbot.waitUntil(
        lambda: all(f.path in draft.looks for f in draft.files) and not recount.isActive() and not strip.counting
    )


def is_shown_whole(part: QWidget, within: QWidget) -> bool:
    return within.rect().contains(part.rect().translated(part.mapTo(within, QPoint(0, 0))))


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_dropdown_is_reached_by_scrolling_up_and_down_alone(
    qtbot: QtBot,
    open_window: Callable[..., MainWindow],
    messy: Path,
    code: str,
    request: pytest.FixtureRequest,
) -> None:
    if code == "de":
        request.getfixturevalue("german")
    window = open_window()
    page = listed(qtbot, window, messy)
    form = page.importing.files.form
    assert len(form.boxes) > 20
    for height in (800, 720):
        window.resize(1280, height)
        for field, box in form.boxes.items():
            form.ensureWidgetVisible(box, 0, 4)
            QApplication.processEvents()
            assert is_shown_whole(box, form.viewport()), field
            assert box.width() >= 96, field
    inner = form.widget()
    assert inner is not None
    for name in inner.findChildren(QLabel):
        assert name.height() >= name.heightForWidth(name.width()) > 0, name.text()
        assert max(map(name.fontMetrics().horizontalAdvance, name.text().split())) <= name.width(), name.text()
    assert form.horizontalScrollBar().maximum() == 0
    # The form itself is wholly within the window, at the side and, once the page is scrolled, below.
    assert form.mapTo(window, QPoint(form.width(), 0)).x() <= window.width()


def test_a_file_is_called_ready_only_when_no_column_is_left_that_looks_like_a_field(
    qtbot: QtBot, open_window: Callable[..., MainWindow], messy: Path
) -> None:
    page = listed(qtbot, open_window(), messy)
    box = page.importing.files.form.boxes["status"]
    assert [line.state for line in page.importing.draft.lines()] == ["Look below"]
    assert "Lifecycle may be the report status." in page.importing.files.said.text()
    assert box.currentText() == "choose a column\u2026"
    assert box.y() < page.importing.files.form.boxes["body_part"].y()
    box.setCurrentIndex(box.findData("Lifecycle"))
    settled(qtbot, page)
    assert page.importing.draft.questions(messy) == {}
    assert [line.state for line in page.importing.draft.lines()] == ["Ready"]
    assert "Lifecycle" not in page.importing.files.said.text()
