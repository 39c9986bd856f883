"""The tab of a department's groups: what it shows, says and leaves out, and the same mix of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from radcal.calibration.records import ALL_AUTHORS, Part, Reliability
from radcal.calibration.subgroup_records import SMALL, AuthorCases, Subgroup, Subgroups
from radcal.system import policy
from radcal.system.selection import Selection
from radcal.system.settings import ALL_TOPICS, Settings
from ui.kit.column import EXPORT, RecordModel
from ui.pages.department import group_sentences as sentences
from ui.pages.department.group_models import MixRow, mix_columns
from ui.pages.department.groups_tab import CASE_MIX
from ui.pages.department.page import DepartmentPage
from ui.shell import Shell

AUTHORS = ("Birch, Ada", "Elm, Bo")
RATES = {9: 0.95, 17: 0.8, 2: 0.5}
"""How often 'likely' is confirmed, by the hour."""
Show = Callable[..., DepartmentPage]


def _pairs() -> Iterator[tuple[str, str, str, datetime]]:
    """Two radiologists who write alike; at night CT confirms them less often."""
    rng = np.random.default_rng(3)
    for hour, rate in RATES.items():
        for i in range(90):
            there = rng.random() < rate
            when = datetime(2026, 1, 5, hour, 30) + timedelta(days=int(rng.integers(0, 100)))
            yield AUTHORS[i % 2], "Likely edema.", "There is edema." if there else "No edema.", when


@pytest.fixture(scope="module")
def original(prepare: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = Settings(bootstrap=60, min_group_n=20, min_phrase_n=8)
    return prepare(tmp_path_factory.mktemp("shifts") / "shifts.radcal", settings, pairs=_pairs(), seed=6)


@pytest.fixture
def show(qtbot: QtBot, shell: Shell) -> Show:
    def make() -> DepartmentPage:
        page = DepartmentPage(shell)
        qtbot.addWidget(page)
        page.begin()
        page.resize(1100, 700)
        page.show()
        shell.set_selection(Selection("Birch, Ada", "edema"))
        page.arrive(tab="groups")
        settle(page, qtbot)
        return page

    return make


def settle(page: DepartmentPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)


def choose(page: DepartmentPage, qtbot: QtBot, grouping: str) -> None:
    page.groups.how.setCurrentIndex(page.groups.how.findData(grouping))
    settle(page, qtbot)


def cells(page: DepartmentPage, column: int) -> list[str]:
    model = page.groups.table.model
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_the_night_that_overstates_is_named_with_its_numbers(show: Show) -> None:
    page = show()
    tab = page.groups
    assert "“night, 23\u20137 h”" in tab.note.text().split(" by 5 points or more on a word.")[0]
    assert "They are furthest apart on “likely”: CT confirmed " in tab.note.text()
    assert "of 90 in “night, 23\u20137 h” and " in tab.note.text()
    assert not tab.left_out.isVisible()
    assert cells(page, 0) == ["day, 7\u201315 h", "evening, 15\u201323 h", "night, 23\u20137 h"]
    assert cells(page, 1) == ["90", "90", "90"]
    assert cells(page, 6)[2] == "yes (>99\u00a0%)"
    assert all(" points (" in text for text in cells(page, 3))
    header = tab.table.model.headerData(5, Qt.Orientation.Horizontal)
    assert header == "“likely” confirmed"


def test_what_the_files_do_not_say_is_asked_for(show: Show, qtbot: QtBot) -> None:
    page = show()
    choose(page, qtbot, "site")
    assert "Import them again with a column such as “Site”." in page.groups.note.text()
    assert not page.groups.content.isVisible()
    choose(page, qtbot, "weekday")
    assert cells(page, 0) == ["Monday to Friday", "Saturday and Sunday"]
    assert page.groups.content.isVisible()


def test_radiologists_for_the_same_mix(show: Show, qtbot: QtBot) -> None:
    page = show()
    tab = page.groups
    choose(page, qtbot, CASE_MIX)
    assert "no hedged finding has all of these" in tab.note.text()
    for name, box in tab.strata.items():
        box.setChecked(name in ("shift", "topic"))
    settle(page, qtbot)
    assert tab.note.text().startswith("Nobody clearly differs from the others")
    rows = tab.mix_table.model.rows
    assert len(rows) == 2
    assert not {row.name for row in rows} & set(AUTHORS)
    assert all("not shown (" in tab.mix_table.model.index(row, 3).data() for row in range(2))
    assert "may be the work of a few radiologists" in tab.table.why_kept
    assert tab.mix_table.why_kept, "two radiologists"
    page.names.setChecked(True)
    assert (tab.table.why_kept, tab.mix_table.why_kept) == ("", "")
    assert {row.name for row in tab.mix_table.model.rows} == set(AUTHORS)


def test_names_leave_in_no_table_or_picture_where_it_refuses_them(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = policy.Policy(Path("/etc/radcal/policy.toml"), locked={"exports_with_names": "refused"})
    monkeypatch.setattr(policy, "in_use", lambda: rules)
    page = show()
    page.names.setChecked(True)
    for table in (page.radiologists.table, page.habits.table, page.groups.wording_table, page.groups.mix_table):
        assert table.why_kept.startswith("Your IT department allows no files and lists"), table
    card = page.radiologists.forest.card
    assert card is None or not card.more.isEnabled()
    assert page.groups.table.why_kept == "", "nobody's name is in it"


def test_a_case_mix_leaves_without_what_everybody_s_rates_are_in() -> None:
    part = Part("", 61.0, 0.98, True, "likely", 40.0, 30.0, 80.0, 40.0)
    numbers = (*(61.0 + k for k in range(5)), 12.0, 4.0)
    authors = tuple(AuthorCases(f"Dr. {k}", n, 0.876, (), part, part) for k, n in enumerate(numbers))
    model = RecordModel(mix_columns())
    model.coarse, model.said = True, lambda row: row.author.n
    model.set_rows([MixRow(f"Reader {k}", a, 15) for k, a in enumerate(authors)])
    assert model.why_kept() == ""
    assert [model.may_leave(row) for row in range(7)] == [True] * 6 + [False]
    assert model.columns_that_leave() == [0, 1, 2, 3]
    shown = [[model.index(row, c).data(EXPORT) for c in model.columns_that_leave()] for row in (0, 5)]
    assert shown[0] == ["Reader 0", "50-99", "yes", "yes"]
    assert shown[1] == ["Reader 5", "10-19", "", ""], "10-19 does not say whether 15 are there"
    assert model.index(0, 4).data() == "“likely” confirmed 75\u00a0% of 40, the others\u2019 50\u00a0% of 80"


# --- sentences -------------------------------------------------------------------------------------


def _found(**changes: object) -> Subgroups:
    values: dict[str, object] = {
        "grouping": "site", "author": ALL_AUTHORS, "topic": ALL_TOPICS, "groups": (_group("North"), _group("South")),
        "fewest": 5,
    }  # fmt: skip
    return Subgroups(**{**values, **changes})  # type: ignore[arg-type]


def _group(value: str, **told: Any) -> Subgroup:
    return Subgroup(value, 9, Reliability(value, ALL_TOPICS, 40, ()), **{"probability": 0.4, **told})


def test_sentences_say_no_more_than_was_shown() -> None:
    assert sentences.headline(_found()) == "No group clearly differs from the others."
    few = (_group("North", probability=None), _group("South", probability=None))
    assert sentences.headline(_found(groups=few)) == "A comparison needs two groups with enough findings."
    said = "“South” differs from the other groups by 5 points or more on a word."
    for like_cases in (False, True):
        odd = _group("South", probability=0.98, differs=True, differs_like_cases=like_cases)
        told = sentences.headline(_found(groups=(_group("North"), odd)))
        assert told.startswith(said)
        assert ("may only have other cases" in told) != like_cases


def test_small_groups_and_unknown_ones_are_told() -> None:
    said = sentences.left_out(_found(folded=("Ward 1", "Ward 2"), unknown=1))
    assert said == (
        "The group of 1 finding is not known. Too small to stand alone (fewer than 5 patients, or few findings): "
        "Ward 1 and Ward 2."
    )
    assert sentences.left_out(_found()) == ""
    assert sentences.value_name("age", "40-59") == "40\u201359 years"
    assert sentences.value_name("site", SMALL) == "small groups together"
