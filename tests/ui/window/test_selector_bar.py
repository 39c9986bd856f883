"""All pathologies and all radiologists in the bar that selects a group for all pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from radcal.calibration.records import ALL_AUTHORS
from radcal.system.selection import Group, Selection
from radcal.system.settings import ALL_TOPICS
from ui.records import Opened
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
    bar.choose(Selection("Brooks", "edema"))
    bar.topic.setCurrentText("mass (12)")
    assert bar.current() == Selection("Avery", "mass")  # Brooks said nothing of masses
    bar.choose(Selection(ALL_AUTHORS, "edema"))
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
    bar.set_groups(GROUPS[:3])
    assert bar.current() == Selection("Avery", "edema")
    bar.set_groups(())
    assert bar.current() is None


# --- what is selected by itself


def opened(file: str, *telling: Group, comparable: tuple[str, ...] = (), fresh: bool = True) -> Any:
    """An open file with the groups above, those with the most to say first as named."""
    views = {group: SimpleNamespace(reliability=SimpleNamespace(n=n)) for group, n in GROUPS}
    return replace(
        Opened(cast("Any", None), file, Path(file), cast("Any", views), (), 10, 30),
        telling=(*telling, *(group for group, _ in GROUPS if group not in telling)),
        comparable=comparable,
        fresh=fresh,
    )


BROOKS, MASS = Group("Brooks", "edema"), Group("Avery", "mass")


def test_a_file_opens_on_the_group_with_the_most_to_say(bar: SelectorBar) -> None:
    for file, first in (("a", MASS), ("b", BROOKS), ("a", MASS)):
        bar.dates.set_span((date(2026, 1, 1), None))  # of the file before
        bar.show_department(opened(file, first))
        assert bar.current() == Selection(first.author, first.topic)


def test_what_the_user_has_chosen_stays_until_another_file_is_opened(bar: SelectorBar) -> None:
    bar.show_department(opened("a", MASS))
    bar.show_department(opened("a", BROOKS))  # more was imported
    assert bar.current() == Selection("Brooks", "edema")
    bar.show_department(opened("a", MASS, fresh=False))  # the same findings, judged anew
    assert bar.current() == Selection("Brooks", "edema")
    bar.author.setCurrentText("Avery")
    bar.author.activated.emit(bar.author.currentIndex())
    bar.topic.setCurrentText("edema (40)")
    bar.show_department(opened("a", MASS))
    assert bar.current() == Selection("Avery", "edema")
    bar.show_department(opened("b", BROOKS))
    assert bar.current() == Selection("Brooks", "edema")
    bar.choose(MASS)  # on a page
    bar.show_department(opened("b", BROOKS))
    assert bar.current() == Selection("Avery", "mass")


def test_another_radiologist_is_shown_on_what_there_is_most_to_say_of(bar: SelectorBar) -> None:
    bar.show_department(opened("a", Group(ALL_AUTHORS, "edema"), BROOKS, MASS))
    bar.show_department(opened("a", MASS))
    bar.author.setCurrentText("Brooks")
    bar.author.setCurrentText("Avery")
    assert bar.current() == Selection("Avery", "edema")  # the pathology stays where there is one
    bar.set_groups([(BROOKS, 2.0), (MASS, 12.0), (Group("Avery", "fracture"), 40.0)])
    bar.author.setCurrentText("Brooks")
    bar.author.setCurrentText("Avery")
    assert bar.current() == Selection("Avery", "mass")


def test_pages_of_one_radiologist_open_on_the_one_with_the_most_to_say(bar: SelectorBar) -> None:
    bar.show_department(opened("a", Group(ALL_AUTHORS, "edema"), BROOKS, MASS))
    assert bar.current() == Selection(ALL_AUTHORS, "edema")
    bar.offer(("author", "dates"))
    assert bar.current() == Selection("Brooks", "edema")
    bar.offer(BOTH)
    assert bar.current() == Selection(ALL_AUTHORS, "edema")


def test_pages_of_all_radiologists_open_on_a_pathology_that_can_be_compared(bar: SelectorBar) -> None:
    bar.show_department(opened("a", MASS, comparable=("edema",)))
    assert bar.current() == Selection("Avery", "mass")
    bar.offer(("topic", "dates"))
    assert bar.current() == Selection("Avery", "edema")
    bar.offer(BOTH)
    assert bar.current() == Selection("Avery", "mass")
    bar.topic.setCurrentText("mass (12)")
    bar.topic.activated.emit(bar.topic.currentIndex())
    bar.offer(("topic", "dates"))
    assert bar.current() == Selection("Avery", "mass")  # chosen
    bar.show_department(opened("b", MASS))  # nothing can be compared
    assert bar.current() == Selection("Avery", "mass")
