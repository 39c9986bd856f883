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

from radcal.reliability.records import ALL_AUTHORS, Part, Reliability
from radcal.reliability.subgroup_records import SMALL, AuthorCases, CaseMix, Subgroup, Subgroups
from radcal.system import policy
from radcal.system.selection import Selection
from radcal.system.settings import ALL_TOPICS, Settings
from ui.kit.column import EXPORT
from ui.pages.compare import group_sentences as sentences
from ui.pages.compare.group_models import CaseMixModel, GroupColumn, MixColumn
from ui.pages.compare.page import ComparePage
from ui.shell import Shell

AUTHORS = ("Birch, Ada", "Elm, Bo")
RATES = {9: 0.95, 17: 0.8, 2: 0.5}
"""How often 'likely' is confirmed, by the hour."""
Show = Callable[..., ComparePage]


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
    def make() -> ComparePage:
        page = ComparePage(shell)
        qtbot.addWidget(page)
        page.begin()
        page.resize(1100, 700)
        page.show()
        shell.set_selection(Selection("Birch, Ada", "edema"))
        page.arrive()
        page.tabs.setCurrentWidget(page.groups)
        settle(page, qtbot)
        return page

    return make


def settle(page: ComparePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)


def choose(page: ComparePage, qtbot: QtBot, grouping: str) -> None:
    page.groups.grouping.setCurrentIndex(page.groups.grouping.findData(grouping))
    settle(page, qtbot)


def cells(page: ComparePage, column: GroupColumn) -> list[str]:
    model = page.groups.model
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_the_night_that_overstates_is_named_with_its_numbers(show: Show) -> None:
    page = show()
    tab = page.groups
    assert "“night, 23\u20137 h”" in tab.note.text().split(" by 5 points or more on a word.")[0]
    assert "They lie furthest apart on “likely”: confirmed in " in tab.note.text()
    assert "of 90 in the group “night, 23\u20137 h”, and in " in tab.note.text()
    assert "The difference stays among findings of the same radiologist" in tab.note.text()
    assert tab.about.text().startswith("A good average can hide a group")
    assert not tab.left_out.isVisible()
    assert cells(page, GroupColumn.NAME) == ["day, 7\u201315 h", "evening, 15\u201323 h", "night, 23\u20137 h"]
    assert cells(page, GroupColumn.PATIENTS) == ["90", "90", "90"]
    assert cells(page, GroupColumn.VERDICT)[2] == "yes (>99\u00a0%)"
    assert all("(" in text for text in cells(page, GroupColumn.ERROR))
    # What belongs to the comparison of radiologists does not stand above it.
    assert not page.words.isVisible()
    assert not page.sentence.isVisible()
    page.tabs.setCurrentIndex(0)
    assert page.words.isVisible()
    assert page.sentence.isVisible()


def test_whose_findings_under_pseudonyms_or_names(show: Show, qtbot: QtBot) -> None:
    page = show()
    tab = page.groups
    offered = [tab.who.itemText(i) for i in range(tab.who.count())]
    assert offered[0] == "all radiologists"
    assert not set(AUTHORS) & set(offered)
    tab.who.setCurrentIndex(1)
    settle(page, qtbot)
    assert cells(page, GroupColumn.N) == ["45", "45", "45"]
    page.names.setChecked(True)
    assert {tab.who.itemText(i) for i in (1, 2)} == set(AUTHORS)
    assert tab.who.currentIndex() > 0
    page.leave()
    assert not {tab.who.itemText(i) for i in (1, 2)} & set(AUTHORS)


def test_what_the_files_do_not_say_is_asked_for(show: Show, qtbot: QtBot) -> None:
    page = show()
    choose(page, qtbot, "site")
    assert "do not say where the X-rays were made" in page.groups.note.text()
    assert not page.groups.content.isVisible()
    choose(page, qtbot, "age")
    assert "of which the age alone is kept" in page.groups.note.text()
    choose(page, qtbot, "portable")
    assert "do not say whether a portable unit" in page.groups.note.text()
    choose(page, qtbot, "weekday")
    assert cells(page, GroupColumn.NAME) == ["Monday to Friday", "Saturday and Sunday"]
    assert page.groups.content.isVisible()


def test_radiologists_for_the_same_mix(show: Show, qtbot: QtBot) -> None:
    page = show()
    tab = page.groups
    tab.show_what.setCurrentIndex(1)
    settle(page, qtbot)
    assert "No hedged finding has all of these columns" in tab.note.text()
    for name, box in tab.strata.items():
        box.setChecked(name in ("shift", "topic"))
    settle(page, qtbot)
    assert tab.note.text().startswith("No radiologist is shown to differ from all others")
    assert tab.mix.rowCount() == 2
    names = [tab.mix.index(row, MixColumn.NAME).data() for row in range(2)]
    assert not set(AUTHORS) & set(names)
    assert all("not shown (" in tab.mix.index(row, MixColumn.VERDICT).data() for row in range(2))
    assert tab.mix.index(0, MixColumn.LACKING).data() == "none"
    for box in tab.strata.values():
        box.setChecked(False)
    settle(page, qtbot)
    assert tab.note.text() == "Choose what the mix of cases is made of."
    tab.show_what.setCurrentIndex(0)
    settle(page, qtbot)
    assert tab.model.rowCount() == 3


def test_groups_stay_on_the_screen_under_pseudonyms(show: Show) -> None:
    page = show()
    tab = page.groups
    assert "may be the work of a few radiologists" in tab.table.why_kept
    assert tab.mix_table.why_kept, "two radiologists"
    page.names.setChecked(True)
    assert (tab.table.why_kept, tab.mix_table.why_kept) == ("", "")


def test_names_leave_in_no_table_or_picture_where_it_refuses_them(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = policy.Policy(Path("/etc/radcal/policy.toml"), locked={"exports_with_names": "refused"})
    monkeypatch.setattr(policy, "in_use", lambda: rules)
    page = show()
    page.names.setChecked(True)
    for table in (page.table, page.wording.table, page.groups.mix_table):
        assert table.why_kept.startswith("Your IT department allows no files and lists"), table
    card = page.forest.card
    assert card is None or not card.more.isEnabled()
    assert page.groups.table.why_kept == "", "nobody's name is in it"


def test_a_case_mix_leaves_without_what_everybody_s_rates_are_in() -> None:
    part = Part("", 61.0, 0.98, True, "likely", 40.0, 30.0, 80.0, 40.0)
    numbers = (*(61.0 + k for k in range(5)), 12.0, 4.0)
    authors = tuple(AuthorCases(f"Dr. {k}", n, 0.876, (), part, part) for k, n in enumerate(numbers))
    names = {a.author: f"Reader {k}" for k, a in enumerate(authors)}
    model = CaseMixModel()
    model.coarse = True
    model.show_case_mix(CaseMix(("age",), "edema", 400.0, 0, (), authors, 15), names)
    assert model.why_kept() == ""
    assert [model.may_leave(row) for row in range(7)] == [True] * 6 + [False]
    assert model.columns_that_leave() == [MixColumn.NAME, MixColumn.N, MixColumn.IN_ALL, MixColumn.VERDICT]
    shown = [[model.index(row, c).data(EXPORT) for c in model.columns_that_leave()] for row in (0, 5)]
    assert shown[0] == ["Reader 0", "50-99", "yes", "yes"]
    assert shown[1] == ["Reader 5", "10-19", "", ""], "10-19 does not say whether 15 are there"
    told = "“likely” confirmed more often: 75\u00a0% of 40, the others 50\u00a0% of 80"
    assert model.index(0, MixColumn.WORD).data() == told


def test_the_column_of_a_word_names_it(show: Show) -> None:
    header = show().groups.model.headerData(GroupColumn.WORD, Qt.Orientation.Horizontal)
    assert header == "“likely” confirmed"


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
    assert sentences.headline(_found()) == "No group is shown to differ from the others by 5 points or more on a word."
    few = (_group("North", probability=None), _group("South", probability=None))
    assert sentences.headline(_found(groups=few)).startswith("There are too few findings")
    for like_cases, told in (
        (False, "Among findings of the same radiologist on the same pathology no difference is shown: the groups may"
         " only have other cases."),
        (True, "The difference stays among findings of the same radiologist on the same pathology."),
    ):  # fmt: skip
        odd = _group("South", probability=0.98, differs=True, differs_like_cases=like_cases)
        assert sentences.headline(_found(groups=(_group("North"), odd))) == (
            f"The group “South” differs from the others by 5 points or more on a word. {told}"
        )
    one = _found().groups[:1]
    assert "one group alone" in sentences.headline(_found(groups=one))
    assert "no time of day" in sentences.headline(_found(groups=(), grouping="shift"))


def test_small_groups_and_unknown_ones_are_told() -> None:
    small = (*_found().groups, Subgroup(SMALL, 9, Reliability(SMALL, ALL_TOPICS, 12, ())))
    said = sentences.left_out(_found(groups=small, folded=("Ward 1", "Ward 2"), unknown=1))
    assert said == (
        "Of 1 finding the group is not known. Put together, because they have fewer than 5 patients or too few"
        " findings: Ward 1 and Ward 2."
    )
    assert sentences.left_out(_found(folded=("Ward 1",), hidden=3)) == (
        "Not shown, because they have fewer than 5 patients even together: Ward 1."
    )
    assert sentences.left_out(_found()) == ""
    assert sentences.value_name("age", "80+") == "80 years and more"
    assert sentences.value_name("site", SMALL) == "small groups together"
