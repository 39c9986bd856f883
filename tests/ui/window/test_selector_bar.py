"""All pathologies and all radiologists in the bar that selects a group for all pages."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from radcal.records import ALL_AUTHORS, ALL_TOPICS, Group, Selection
from ui.window.selector_bar import SelectorBar

GROUPS = (
    (Group("Avery", "edema"), 40.0),
    (Group("Avery", "mass"), 12.0),
    (Group("Brooks", "edema"), 2.0),
    (Group("Avery", ALL_TOPICS), 52.0),
    (Group(ALL_AUTHORS, "edema"), 42.0),
)
BOTH = ("author", "topic", "dates", "run")


@pytest.fixture
def bar(qtbot: QtBot) -> SelectorBar:
    made = SelectorBar()
    qtbot.addWidget(made)
    made.set_groups(GROUPS)
    made.offer(BOTH)
    return made


def names(box: QComboBox) -> list[str]:
    """What is offered, '' for a line."""
    return [box.itemText(i) for i in range(box.count())]


def test_they_stand_first_set_apart_and_are_not_chosen_by_themselves(bar: SelectorBar) -> None:
    assert names(bar.author) == ["All radiologists", "", "Avery", "Brooks"]
    assert names(bar.topic) == ["All pathologies (52)", "", "edema (40)", "mass (12)"]
    assert bar.current() == Selection("Avery", "edema")
    bar.topic.setCurrentIndex(0)
    assert bar.current() == Selection("Avery", ALL_TOPICS)
    bar.author.setCurrentText("Brooks")  # who has but one
    assert names(bar.topic) == ["edema (2)"]
    bar.author.setCurrentText("All radiologists")
    assert names(bar.topic) == ["edema (42)"]
    assert bar.current() == Selection(ALL_AUTHORS, "edema")


def test_pages_of_one_radiologist_offer_no_group_of_all(qtbot: QtBot, bar: SelectorBar) -> None:
    bar.choose(Selection("Avery", ALL_TOPICS))
    bar.offer(("topic", "dates", "run"))
    assert names(bar.topic) == ["All pathologies (52)", "", "edema (42)", "mass (12)"]
    assert bar.current() == Selection("Avery", ALL_TOPICS)
    bar.offer(BOTH)
    bar.choose(Selection(ALL_AUTHORS, "edema"))
    bar.offer(("topic", "dates", "run"))
    assert bar.current() == Selection(ALL_AUTHORS, "edema")  # for the pages that show it
    with qtbot.waitSignal(bar.changed):
        bar.offer(("author", "dates"))
    assert names(bar.author) == ["Avery", "Brooks"]
    assert bar.current() == Selection("Avery", "edema")
    with qtbot.assertNotEmitted(bar.changed):
        bar.offer(())
        bar.offer(BOTH)


def test_the_choice_is_kept_with_new_results(bar: SelectorBar) -> None:
    for chosen in (Selection("Avery", ALL_TOPICS), Selection(ALL_AUTHORS, "edema"), Selection("Avery", "mass")):
        bar.choose(chosen)
        bar.set_groups(GROUPS[::-1])
        assert bar.current() == chosen
    bar.choose(Selection("Avery", ALL_TOPICS))
    bar.set_groups(GROUPS[:3])  # results of an earlier version have none
    assert bar.current() == Selection("Avery", "edema")
    bar.set_groups(())
    assert bar.current() is None
