"""The view of how differently radiologists word the same kinds of finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from radcal.lab.variability import ControlVariability, SourceVariability
from radcal.lab.wording import WordingMember, Wordings
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from ui.kit.column import EXPORT, SORT
from ui.pages.department.group_sentences import wording_headline as headline
from ui.pages.department.groups_tab import WORDING
from ui.pages.department.page import DepartmentPage
from ui.shell import Shell

USUAL, OWN = (0.6, 0.4, 0.0), (0.05, 0.15, 0.8)
WORDED = {
    "likely": "Likely edema.",
    "may represent": "Findings may represent edema.",
    "possibly": "Possible edema.",
}
HABITS = {"Birch, Ada": USUAL, "Elm, Bo": USUAL, "Fir, Cy": USUAL, "Yew, Ed": OWN}
NOBODY = ControlVariability(0, 0, 20)


def _pairs() -> Iterator[tuple[str, str, str, datetime]]:
    """Four radiologists: one has words of his own for edema, and all have the same for pneumonia.  A fifth sees few."""
    rng = np.random.default_rng(1)
    for author, habit in HABITS.items():
        words = (rng.choice(list(WORDED), 120, p=p) for p in (habit, USUAL))
        for i, (edema, pneumonia) in enumerate(zip(*words, strict=True)):
            xray = f"{WORDED[edema]} {WORDED[pneumonia].replace('edema', 'pneumonia')}"
            ct = "There is edema. There is pneumonia." if i % 2 else "No edema. No pneumonia."
            yield author, xray, ct, datetime(2026, 1, 1, 8, 30) + timedelta(days=i)
    for i in range(9):
        yield "Oak, Di", WORDED["likely"], "There is edema.", datetime(2026, 1, 1, 9) + timedelta(days=i)


@pytest.fixture(scope="module")
def original(prepare: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = Settings(bootstrap=20, min_group_n=30, min_phrase_n=8)
    return prepare(tmp_path_factory.mktemp("worded") / "worded.radcal", settings, pairs=_pairs())


@pytest.fixture
def page(qtbot: QtBot, shell: Shell) -> DepartmentPage:
    """The page with the view on show."""
    made = DepartmentPage(shell)
    qtbot.addWidget(made)
    made.begin()
    made.groups.how.setCurrentIndex(made.groups.how.findData(WORDING))
    made.resize(1100, 700)
    made.show()
    shell.set_selection(Selection("Yew, Ed", "edema"))
    made.arrive(tab="groups")
    qtbot.waitUntil(lambda: shell.tasks.is_idle and made.groups.record is not None)
    return made


def cells(page: DepartmentPage, column: int, role: int = 0) -> dict[str, str]:
    model = page.groups.wording_table.model
    return {
        model.row(r).member.name: model.index(r, column).data(role) if role else model.index(r, column).data()
        for r in range(model.rowCount())
    }


def test_who_has_words_of_his_own_stands_apart(page: DepartmentPage) -> None:
    follows = cells(page, 4)
    assert follows["Yew, Ed"] == "yes"
    assert follows["Oak, Di"] == "not enough data"
    # Yew is a third of all others of each, so that they differ from these as well.
    assert "4 of 4 differ by more than chance alone gives." in page.groups.note.text()
    found = page.groups.record
    assert found is not None
    distance = {m.name: m.found.expected_tvd for m in found.shown if m.found is not None}
    assert distance["Yew, Ed"] == pytest.approx(0.8, abs=0.1)
    assert max(v for name, v in distance.items() if name != "Yew, Ed") < 0.4


def test_who_words_them_alike_is_not_shown_to_differ(page: DepartmentPage, qtbot: QtBot, shell: Shell) -> None:
    shell.set_selection(Selection("Yew, Ed", "infection"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and "Nobody clearly differs" in page.groups.note.text())
    assert set(cells(page, 4).values()) == {"not shown"}


def test_everybody_has_a_pseudonym_until_names_are_asked_for(page: DepartmentPage) -> None:
    model = page.groups.wording_table.model
    assert not {model.row(r).name for r in range(model.rowCount())} & {*HABITS, "Oak, Di"}
    page.names.setChecked(True)
    names = [model.row(r).name for r in range(model.rowCount())]
    assert names == sorted({*HABITS, "Oak, Di"})
    page.hide()
    assert not {model.row(r).name for r in range(model.rowCount())} & {*HABITS, "Oak, Di"}


def test_the_table_has_no_order_of_values(page: DepartmentPage) -> None:
    for column in range(page.groups.wording_table.model.columnCount()):
        if column != 1:
            assert cells(page, column, SORT) == {name: text.casefold() for name, text in cells(page, 0).items()}
    ends = cells(page, 2, EXPORT)
    assert len(ends["Yew, Ed"]) == 3
    assert ends["Oak, Di"] == ("", "", "")


def test_a_row_leads_to_the_radiologist(page: DepartmentPage, qtbot: QtBot) -> None:
    chosen: list[Selection] = []
    page.shell.choose_wanted.connect(chosen.append)
    row = [page.groups.wording_table.model.row(r).member.name for r in range(5)].index("Yew, Ed")
    page.groups.wording_table.activated.emit(row)
    assert [s.author for s in chosen] == ["Yew, Ed"]


def test_days_of_few_findings_are_not_enough(page: DepartmentPage, qtbot: QtBot, shell: Shell) -> None:
    shell.set_selection(Selection("Yew, Ed", "edema", Days(date(2026, 1, 1), date(2026, 1, 20))))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.groups.record is not None)
    assert "Not enough data" in page.groups.note.text()
    assert not page.groups.content.isVisible()


def _member(alias: str) -> WordingMember:
    found = SourceVariability(alias, 4, 100, 0.1, 0.05, 0.15, same_size_tvd=0.1, control_tvd=0.1, control_high=0.2)
    return WordingMember(alias, alias, 100, found)


def test_nobody_apart_and_nobody_to_compare_with() -> None:
    alike = tuple(map(_member, ("Kim", "Jo")))
    assert "Nobody clearly differs" in headline(Wordings("edema", alike, NOBODY, 8, 30))
    assert "A comparison needs two" in headline(Wordings("edema", alike[:1], NOBODY, 8, 30))
