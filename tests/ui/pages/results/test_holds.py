"""Does this hold?  Findings without a CT, other time limits, errors of CT and of reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.advice.judging import judged_group
from radcal.advice.sensitivity import Windows
from radcal.department import Department
from radcal.system.errors import DataError
from radcal.system.selection import Selection
from ui.pages.results.holds import since_read
from ui.pages.results.page import ResultsPage
from ui.shell import Shell

Show, Texts = Callable[..., Any], Callable[..., str]


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Show) -> ResultsPage:
    made: ResultsPage = show_page(ResultsPage, shell)
    made.arrive(tab="holds")
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    return made


def test_what_no_ct_decided_on_is_bounded_and_read(qtbot: QtBot, page: Any, texts: Texts) -> None:
    def cells() -> list[str]:
        row = next(r for r in range(view.table.model.rowCount()) if view.table.model.row(r).phrase == "likely")
        return [view.table.model.index(row, c).data() for c in range(view.table.model.columnCount())]

    view = page.holds.without_ct
    qtbot.waitUntil(lambda: view.table.model.rowCount() == 4)
    assert "269 of 282 X-ray reports had a CT" in view.note.text()
    assert cells()[1:] == ["104", "87", "39\u201356\u00a0% (30\u201365\u00a0%)", "overstated"]
    with qtbot.waitSignal(page.shell.go_wanted) as asked:
        view.table.activated.emit(next(i for i, r in enumerate(view.table.model.rows) if r.phrase == "likely"))
    assert asked.args == ["results", {"phrase": "likely"}]
    assert "1 report without CT has not been read yet" in view.note.text()
    view.read.click()
    qtbot.waitUntil(lambda: view.note.text().endswith("No verdict changes."))


def test_verdicts_that_reading_has_changed_are_listed_whether_decided_now_or_not() -> None:
    before = {("A", "edema", word): verdict for word, verdict in (("likely", "stronger"), ("may", "undecided"))}
    assert since_read(before, dict(before)) == "No verdict changes."
    now = {("A", "edema", "likely"): "undecided", ("A", "edema", "may"): "too few", ("A", "edema", "new"): "matches"}
    assert since_read(before, now) == (
        "The verdict changes on edema, \u201clikely\u201d (overstated, then undecided) and "
        "edema, \u201cmay\u201d (undecided, then too few)."
    )


def test_verdicts_that_change_if_ct_erred_are_told_on_request(qtbot: QtBot, page: Any) -> None:
    view = page.holds.ct_error
    assert not view.note.isVisible()
    view.suppose.click()
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and view.record is not None)
    supposed = judged_group(view.record, None, page.shell.opened.phrases, page.shell.opened.min_phrase_n)
    was = {j.name: j.verdict for j in page.view.judged.words}
    changed = [j.name for j in supposed.words if was[j.name] != j.verdict]
    assert changed
    for word in changed:
        assert f"\u201c{word}\u201d" in view.note.text()
    assert "\u201cpresent\u201d (overstated, then undecided)" in view.note.text()


def test_reading_errors_are_said_to_be_included_or_not(page: Any) -> None:
    holds, words = page.holds, page.view.judged.words
    assert holds.review.isVisible()
    assert holds.reading.text()
    read = tuple(
        replace(j, rate=j.rate._replace(read_rate=0.5, read_low=0.25, read_high=0.75)) if j.name == "likely" else j
        for j in words
    )
    holds.show_for(page.shell.selection, read)
    assert "CT confirmed \u201clikely\u201d 50\u00a0% (25\u201375)." in holds.reading.text()
    assert not holds.review.isVisible()


def ask(page: Any, qtbot: QtBot) -> None:
    page.holds.windows.pair.click()
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle and page.holds.windows.note.isVisible())


def column(page: Any, number: int) -> list[str]:
    model = page.holds.windows.table.model
    return [str(model.index(r, number).data()) for r in range(model.rowCount())]


def test_nothing_is_paired_before_it_is_asked_for(page: Any) -> None:
    assert not page.holds.windows.table.isVisible()


def test_every_window_has_its_figures(page: Any, qtbot: QtBot, department: Department) -> None:
    before = department._workspace.pairs()
    ask(page, qtbot)
    assert column(page, 0) == ["3 h", "6 h", "12 h (now)", "24 h"]
    # All CTs were made two hours later.
    assert len({*column(page, 1)}) == 1
    own = department.groups.reliability(Selection("Avery", "edema"))
    assert {*column(page, 2)} == {f"{own.n:.0f}"}
    assert column(page, 3) == ["", "", "", ""]
    assert page.holds.windows.note.text() == ("No verdict changes. Up to 1 pair was never read and is left out.")
    assert department._workspace.pairs().equals(before)


@pytest.mark.slow
def test_another_selection_is_another_question(page: Any, qtbot: QtBot, shell: Shell) -> None:
    ask(page, qtbot)
    shell.set_selection(Selection("Brooks", "edema"))
    qtbot.waitUntil(lambda: not page.holds.windows.table.isVisible())
    ask(page, qtbot)
    assert {*column(page, 2)} == {"155"}


def test_what_changes_and_what_was_not_read_is_told(page: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Windows.compare

    def changed(self: Windows, *rest: Any) -> Any:
        found = whole(self, *rest)
        narrow, *others = found.windows
        wide = replace(others[-1], n_unread=7)
        words = [
            VerdictChange("Avery", "edema", word, 3.0, "matches", after)
            for word, after in (("likely", "undecided"), ("may represent", ""))
        ]
        return replace(found, windows=(narrow, *others[:-1], wide), changes=tuple(words))

    from radcal.calibration.sensitivity_records import VerdictChange

    monkeypatch.setattr(Windows, "compare", changed)
    ask(page, qtbot)
    said = page.holds.windows.note.text()
    assert said.startswith("Verdicts change within 3 h.")
    assert "Up to 7 pairs were never read" in said
    assert column(page, 3)[0] == (
        "\u201clikely\u201d (matches, then undecided) and \u201cmay represent\u201d (matches, then not said)"
    )


def test_a_failure_is_told_in_its_place(page: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise DataError("There are no reports yet. Import report files first.")

    monkeypatch.setattr(Windows, "compare", fail)
    ask(page, qtbot)
    assert page.holds.windows.note.text() == "There are no reports yet. Import report files first."
    assert not page.holds.windows.table.isVisible()
