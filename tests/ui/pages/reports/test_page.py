"""The Reports page: all reports with what became of them, one beside the list, and the way from rows to pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.reports.records import Attribution, RejectedRow, State
from ui.kit.column import EXPORT
from ui.pages.reports.flow import attribution_sentences
from ui.pages.reports.importing.sentences import place_in_file
from ui.pages.reports.page import FLOW, IMPORT, LIST, ReportsPage
from ui.pages.reports.work import ALL
from ui.shell import Shell

PASSPHRASE = "correct horse battery"
Show = Callable[..., ReportsPage]


@pytest.fixture
def show(qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Callable[..., ReportsPage], chest: Path) -> Show:
    """Shows the page over the prepared department, once all reports are listed."""

    def make(*, read_only: bool = False) -> ReportsPage:
        page = show_page(ReportsPage, make_shell(chest, read_only=read_only))
        qtbot.waitUntil(lambda: page.shell.tasks.is_idle and page.listing.model.rowCount() > 0)
        return page

    return make


def columns(page: ReportsPage, row: int) -> list[str]:
    model = page.listing.model
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_it_opens_on_all_reports_with_what_became_of_each(show: Show) -> None:
    page = show()
    assert page.tabs.currentIndex() == LIST
    department = page.shell.opened.department
    rows = page.listing.model.rows
    assert len(rows) == department._workspace.count_reports() + len(page.shell.opened.rejected)
    states = Counter(row.state for row in rows)
    assert (states[State.FAILED], states[State.READ]) == (2, 846)
    assert page.listing.which.itemText(0) == f"All ({len(rows)})"
    assert page.listing.which.itemText(1) == "Read (846)"
    times = [row.time for row in rows if row.time]
    assert times == sorted(times, reverse=True)
    place = next(k for k, row in enumerate(rows) if row.state == State.READ and row.modality == "xray")
    name, _, _, radiologist, state, partner, findings, why, _ = columns(page, place)
    assert name.startswith("X-ray ")
    assert radiologist
    assert (state, why) == ("read", "")
    assert re.fullmatch(r"CT \w+, \d+\.\d h", partner)
    assert findings == str(rows[place].findings)
    left = next(k for k, row in enumerate(rows) if not row.report_id)
    assert columns(page, left)[4:8:3] == ["left out", str(rows[left].why)]
    assert page.listing.model.index(left, 7).data(Qt.ItemDataRole.ToolTipRole).endswith(str(rows[left].remedy))
    assert page.listing.model.index(place, 0).data(EXPORT).number == rows[place].report_id


def test_reports_are_searched_sorted_and_filtered(qtbot: QtBot, show: Show) -> None:
    page = show()
    table, model = page.listing.table, page.listing.model
    everything = model.rows
    page.listing.names.click()
    qtbot.keyClicks(table.search, "AVERY xr")
    qtbot.waitUntil(lambda: model.search.words == ("avery", "xr") and page.shell.tasks.is_idle)
    wanted = [row for row in everything if "Avery" in row.author and "XR" in f"{row.exam}{row.report_id}".upper()]
    assert [row.report_id for row in model.rows] == [row.report_id for row in wanted]
    assert table.count.text() == f"{len(wanted)} of {len(everything)} rows"
    table.search.clear()
    qtbot.waitUntil(lambda: not model.search.words and page.shell.tasks.is_idle)
    table.view.sortByColumn(6, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    found = [row.findings for row in model.rows if row.findings is not None]
    assert found == sorted(found, reverse=True)
    assert len(model.rows) == len(everything)
    page.arrive(show="rows")
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert {row.state for row in model.rows} == {State.LEFT_OUT}


def test_enter_opens_both_reports_of_a_pair_beside_the_list_and_escape_closes_them(qtbot: QtBot, show: Show) -> None:
    page = show()
    listing = page.listing
    place = next(k for k, row in enumerate(listing.model.rows) if row.state == State.READ and row.modality == "xray")
    listing.table.select_row(place)
    assert not listing.beside.isVisible()
    qtbot.keyClick(listing.table.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    row = listing.model.row(place)
    department = page.shell.opened.department
    for part, report_id in zip(listing.beside.parts, (row.report_id, row.partner), strict=True):
        (text,) = department._workspace.reports(["text"], [report_id])["text"]
        assert part.view.toPlainText() == text.replace("\r", "")
        assert part.view.extraSelections()
    listing.table.select_row(next(k for k, row in enumerate(listing.model.rows) if not row.report_id))
    assert not any(part.isVisible() for part in listing.beside.parts)
    assert str(listing.table.current_record().remedy) in listing.beside.said.text()
    qtbot.keyClick(listing.beside, Qt.Key.Key_Escape)
    assert not listing.beside.isVisible()
    assert listing.table.view.hasFocus() or listing.table.view.isAncestorOf(page.focusWidget() or page)


def test_a_report_that_another_page_names_is_opened(qtbot: QtBot, show: Show) -> None:
    page = show()
    listing = page.listing
    wanted = [row for row in listing.model.rows if row.report_id][-1].report_id
    page.arrive(report=wanted)
    qtbot.waitUntil(listing.beside.isVisible)
    assert listing.table.current_record().report_id == wanted
    assert listing.beside.parts[0].isVisible()
    qtbot.keyClick(listing.beside, Qt.Key.Key_Escape)
    listing.show_only(ALL)
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert not listing.beside.isVisible()


def test_what_was_left_out_at_a_step_is_listed(qtbot: QtBot, show: Show) -> None:
    page = show()
    page.arrive(tab="pairs")
    assert page.tabs.currentIndex() == FLOW
    steps = page.flow.model.rows
    assert all(step.dropped for step in steps)
    unpaired = [step for step in steps if step.reason in {row.why for row in page.listing.listed.rows}]
    assert unpaired
    for step in unpaired:
        page.arrive(tab="pairs")
        page.flow.table.select_row(steps.index(step))
        qtbot.keyClick(page.flow.table.view, Qt.Key.Key_Return)
        assert page.tabs.currentIndex() == LIST
        qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
        some = sum(other.dropped for other in steps if other.reason == step.reason)
        assert page.listing.model.rowCount() == some
    assert page.flow.whose.text().startswith("437: only radiologist named")


def test_without_reports_it_opens_on_the_import(
    qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Callable[..., ReportsPage], chest: Path, tmp_path: Path
) -> None:
    open_department(tmp_path / "new.radcal", PASSPHRASE, create=True).close()
    page = show_page(ReportsPage, make_shell(tmp_path / "new.radcal"))
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert page.tabs.currentIndex() == IMPORT
    assert not page.tabs.tabBar().isVisible()
    page.arrive(tab="reports")
    assert page.tabs.currentIndex() == IMPORT
    assert page.sentence.text() == "Nothing has been imported into this workspace yet."
    page.shell.session.open_workspace(chest, PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: page.listing.model.rowCount() > 0)
    assert page.tabs.currentIndex() == LIST
    page.show_department(None)
    qtbot.waitUntil(lambda: page.listing.model.rowCount() == 0)


def test_the_head_stays_as_it_is_from_tab_to_tab(qtbot: QtBot, show: Show) -> None:
    page = show()
    places = set()
    for tab in (LIST, FLOW, IMPORT):
        page.tabs.setCurrentIndex(tab)
        qtbot.wait(1)
        places.add((page.tabs.geometry().getRect(), page.more.geometry().getRect()))
    assert len(places) == 1


# --- words that may be names ----------------------------------------------------------------------------


@pytest.fixture
def suspected(chest: Path) -> list[str]:
    """Three words are suspected, each in a report of its own."""
    with open_department(chest, PASSPHRASE) as department:
        ids = department._workspace.reports(("report_id", "text"))
        found = [
            (i, "name", "edema", 0)
            for i, text in ids.itertuples(index=False, name=None)
            if re.search(r"\bedema\b", text)
        ][:3]
        suspects = department.importing.deidentifying.suspects
        suspects.leave(suspects.listed())
        department._workspace.put_suspects(found, [i for i, *_ in found])
    return [i for i, *_ in found]


def test_words_that_may_be_names_are_removed_or_left_one_after_the_other(
    qtbot: QtBot, suspected: list[str], show: Show
) -> None:
    looking = show(read_only=True)
    looking.arrive(show="names")
    qtbot.waitUntil(lambda: looking.shell.tasks.is_idle and looking.listing.model.rowCount() == 3)
    looking.listing.open_report(0)
    assert not looking.listing.beside.remove.isEnabled()
    page = show()
    assert page.sentence.text().endswith("3 words may be names.")
    page.arrive(show="names")
    listing = page.listing
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and listing.model.rowCount() == 3)
    assert {row.report_id for row in listing.model.rows} == set(suspected)
    listing.table.select_row(0)
    listing.open_report(0)
    beside = listing.beside
    assert beside.asked.text().startswith("\u201cedema\u201d may identify somebody. 3 reports have it.")
    first = listing.model.row(0).report_id
    beside.remove.click()
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and listing.model.rowCount() == 2)
    department = page.shell.opened.department
    (text,) = department._workspace.reports(("text",), [first])["text"]
    assert "edema" not in text
    assert "[name]" in text
    assert beside.isVisible(), "the next one is asked about"
    assert beside.leave.isEnabled()
    for left in (1, 0):
        beside.leave.click()
        qtbot.waitUntil(lambda left=left: page.shell.tasks.is_idle and listing.model.rowCount() == left)
    assert not beside.isVisible()
    assert department.importing.deidentifying.suspects.count() == 0
    assert "names" not in page.sentence.text()


# --- words ----------------------------------------------------------------------------------------------


def test_a_row_has_its_place_in_its_file() -> None:
    row = RejectedRow("a.csv", 1204, "The report has no text.", "Fill it in.", "A17", "row")
    places = [place_in_file(row.file, unit, row.row) for unit in ("row", "message", "resource", "file")]
    assert places == ["a.csv, line 1,204", "a.csv, message 1,204", "a.csv, resource 1,204", "a.csv"]


def test_what_was_written_after_the_ct_is_counted_in_sentences() -> None:
    found = Attribution((("only radiologist named", 9),), 2, 1, 1, paired=8, signed_after=2, left_out_after=3)
    assert attribution_sentences(found) == [
        "9: only radiologist named",
        "2 of 9 reports name two radiologists or more; Settings say whose these are.",
        "One text written after the CT does not count; the report as it stood before does.",
        "3 reports left out: all of it was written after the CT.",
        "Signed after the CT, with no earlier version: 2 reports in pairs (25\u00a0%). They count unless Settings leave"
        " them out.",
    ]
    assert attribution_sentences(replace(found, rules=())) == []
