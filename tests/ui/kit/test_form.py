"""Boxes to choose from: what stays chosen when other items are offered."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.kit.form import choice, offer
from ui.widgets.time_controls import ALL, TimeControls

FRUIT = (("Apple", "a"), ("Pear", "p"), ("Plum", "l"))


def test_what_was_chosen_stays_chosen_without_a_signal(qtbot: QtBot) -> None:
    box = choice("Fruit", *FRUIT)
    qtbot.addWidget(box)
    told: list[int] = []
    box.setCurrentIndex(2)
    box.currentIndexChanged.connect(told.append)
    assert offer(box, reversed(FRUIT))
    assert (box.currentText(), box.currentIndex()) == ("Plum", 0)
    assert not offer(box, FRUIT[:2])
    assert box.currentData() == "a"
    assert offer(box, FRUIT, "p")
    assert box.currentData() == "p"
    assert not offer(box, FRUIT, "none of them")
    assert box.currentData() == "a"
    assert (told, box.accessibleName()) == ([], "Fruit")


def test_whose_trend_is_asked_for_anew_once_the_chosen_one_is_gone(qtbot: QtBot) -> None:
    over = TimeControls()
    for part in over.parts:
        qtbot.addWidget(part)
    asked: list[str] = []
    over.asked.connect(lambda: asked.append(over.author))
    over.offer([("Kim", "Elm, Bo"), ("Robin", "Oak, Di")])
    assert (over.author, asked) == (ALL, [])
    over.who.setCurrentIndex(2)
    over.offer([("Elm, Bo", "Elm, Bo"), ("Oak, Di", "Oak, Di")])
    assert (over.author, over.who.currentText(), asked) == ("Oak, Di", "Oak, Di", ["Oak, Di"])
    over.offer([("Kim", "Elm, Bo")])
    assert (over.author, asked) == (ALL, ["Oak, Di", ALL])
    over.unit.setCurrentIndex(1)
    assert (over.unit.currentData(), asked[2:]) == ("month", [ALL])
