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
from ui.pages.compare.page import ComparePage
from ui.pages.compare.wording_tab import headline
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
def page(qtbot: QtBot, shell: Shell) -> ComparePage:
    """The page with the view on show."""
    made = ComparePage(shell)
    qtbot.addWidget(made)
    made.begin()
    made.tabs.setCurrentWidget(made.wording)
    made.resize(1100, 700)
    made.show()
    shell.set_selection(Selection("Yew, Ed", "edema"))
    made.arrive()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and made.wording.record is not None)
    return made


def cells(page: ComparePage, column: int, role: int = 0) -> dict[str, str]:
    model = page.wording.table.model
    return {
        model.row(r).member.name: model.index(r, column).data(role) if role else model.index(r, column).data()
        for r in range(model.rowCount())
    }


def test_who_has_words_of_his_own_stands_apart(page: ComparePage) -> None:
    follows = cells(page, 5)
    assert follows["Yew, Ed"] == "more than chance gives"
    assert follows["Oak, Di"] == "needs 30 findings of shared kinds"
    # Yew is a third of all others of each, so that they differ from these as well.
    assert "4 of 4 differ from all others by more than chance gives." in page.sentence.text()
    found = page.wording.record
    assert found is not None
    distance = {m.name: m.found.expected_tvd for m in found.shown if m.found is not None}
    assert distance["Yew, Ed"] == pytest.approx(0.8, abs=0.1)
    assert max(v for name, v in distance.items() if name != "Yew, Ed") < 0.4


def test_who_words_them_alike_is_not_shown_to_differ(page: ComparePage, qtbot: QtBot, shell: Shell) -> None:
    shell.set_selection(Selection("Yew, Ed", "infection"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and "None of 4 is shown" in page.sentence.text())
    assert set(cells(page, 5).values()) == {"not shown to differ"}


def test_everybody_has_a_pseudonym_until_names_are_asked_for(page: ComparePage) -> None:
    model = page.wording.table.model
    assert not {model.row(r).name for r in range(model.rowCount())} & {*HABITS, "Oak, Di"}
    page.names.setChecked(True)
    names = [model.row(r).name for r in range(model.rowCount())]
    assert names == sorted({*HABITS, "Oak, Di"})
    page.order.setCurrentIndex(page.order.findData("n"))
    assert [model.row(r).name for r in range(model.rowCount())][-1] == "Oak, Di"
    page.leave()
    assert not {model.row(r).name for r in range(model.rowCount())} & {*HABITS, "Oak, Di"}


def test_the_table_has_no_order_of_values(page: ComparePage) -> None:
    for column in range(page.wording.table.model.columnCount()):
        if column != 1:
            assert cells(page, column, SORT) == {name: text.casefold() for name, text in cells(page, 0).items()}
    ends = cells(page, 3, EXPORT)
    assert len(ends["Yew, Ed"]) == 3
    assert ends["Oak, Di"] == ("", "", "")


def test_a_row_leads_to_the_radiologist(page: ComparePage, qtbot: QtBot) -> None:
    chosen: list[Selection] = []
    page.shell.choose_wanted.connect(chosen.append)
    row = [page.wording.table.model.row(r).member.name for r in range(5)].index("Yew, Ed")
    page.wording.table.activated.emit(row)
    assert [s.author for s in chosen] == ["Yew, Ed"]


def test_other_tabs_say_their_own(page: ComparePage, qtbot: QtBot) -> None:
    about = page.sentence.text()
    page.tabs.setCurrentIndex(0)
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert page.sentence.text() != about
    page.tabs.setCurrentWidget(page.wording)
    qtbot.waitUntil(lambda: page.sentence.text() == about)


def test_days_of_few_findings_are_not_enough(page: ComparePage, qtbot: QtBot, shell: Shell) -> None:
    shell.set_selection(Selection("Yew, Ed", "edema", Days(date(2026, 1, 1), date(2026, 1, 20))))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.wording.record is not None)
    assert "Not enough data" in page.sentence.text()
    assert not page.wording.content.isVisible()


def test_days_without_findings_say_so(page: ComparePage, qtbot: QtBot, shell: Shell) -> None:
    shell.set_selection(Selection("Yew, Ed", "edema", Days(date(2020, 1, 1), date(2020, 1, 2))))
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert page.wording.record is None


def _member(alias: str) -> WordingMember:
    found = SourceVariability(alias, 4, 100, 0.1, 0.05, 0.15, same_size_tvd=0.1, control_tvd=0.1, control_high=0.2)
    return WordingMember(alias, alias, 100, found)


def test_nobody_apart_and_nobody_to_compare_with() -> None:
    alike = tuple(map(_member, ("Kim", "Jo")))
    assert "None of 2 is shown to differ" in headline(Wordings("edema", alike, NOBODY, 8, 30))
    assert "a comparison needs two" in headline(Wordings("edema", alike[:1], NOBODY, 8, 30))
