"""All pathologies of a radiologist, and all radiologists on a pathology, on the pages that show a group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from radcal.calibration.pooled import OPEN
from radcal.calibration.records import ALL_AUTHORS, SURE, Part, Reliability
from radcal.system.language.manners import NBSP
from radcal.system.selection import Days, Group, Selection
from radcal.system.settings import ALL_TOPICS
from tests.cases import cases_of
from ui.language import spoken
from ui.pages.results.cases.models import FindingColumn
from ui.pages.results.page import ResultsPage
from ui.pages.results.together import Together
from ui.shell import Shell

cases = cases_of(__file__)

Texts = Callable[[QWidget], str]
Show = Callable[..., Any]
AVERY, EVERYBODY = Selection("Avery", ALL_TOPICS), Selection(ALL_AUTHORS, "edema")


def _pooled(shell: Shell, chosen: Selection) -> Reliability:
    assert shell.opened is not None
    return shell.opened.pooled[chosen.group].reliability


def test_they_stand_beside_the_single_groups_where_there_are_several(shell: Shell) -> None:
    opened = shell.opened
    assert opened is not None
    # Brooks has but one pathology, and all others are Avery's alone.
    assert set(opened.pooled) == {AVERY.group, EVERYBODY.group}
    assert not set(opened.groups) & set(opened.pooled)
    assert sum(v.reliability.n for g, v in opened.groups.items() if g.author == "Avery") == _pooled(shell, AVERY).n
    assert opened.view(AVERY.group) is opened.pooled[AVERY.group]
    assert opened.view(Group("nobody", ALL_TOPICS)) is None


def test_all_pathologies_are_told_in_one_sentence(qtbot: QtBot, shell: Shell, show_page: Show, texts: Texts) -> None:
    page: ResultsPage = show_page(ResultsPage, shell, AVERY)
    assert page.title.text() == "Avery, all pathologies"
    (together,) = page.one.findChildren(Together)
    said = texts(together)
    # 87 with 41 confirmed of edema, and 30 with 22 of infection; four of which CT said nothing count as absent
    likely = next(p for p in _pooled(shell, AVERY).phrases if p.phrase == "likely")
    assert likely.n >= 117
    assert f"\u201clikely\u201d in {likely.positives:.0f} of {likely.n:.0f} (" in said
    assert said.count("Across all pathologies, CT confirmed \u201c") == 1
    shell.set_selection(Selection("Avery", "edema"))
    qtbot.waitUntil(lambda: not [t for t in page.one.findChildren(Together) if t.isVisible()])
    assert page.title.text() == "Avery, edema"


def test_a_pathology_that_differs_is_named_and_leads_to_it(shell: Shell, show_page: Show, find: Any) -> None:
    opened = shell.opened
    assert opened is not None
    edema = Part("edema", 212, 0.98, True, "likely", 87, 41, 30, 22)
    differing = replace(_pooled(shell, AVERY), parts=(Part("infection", 200, 0.6, False), edema))
    view = replace(opened.pooled[AVERY.group], reliability=differing)
    shell.session.current = replace(opened, pooled={AVERY.group: view})
    page: ResultsPage = show_page(ResultsPage, shell, AVERY)
    (together,) = page.one.findChildren(Together)
    wanted: list[Selection] = []
    shell.choose_wanted.connect(wanted.append)
    find(together, QPushButton, "Show edema").click()
    assert wanted == [Selection("Avery", "edema")]


@cases("what_is_said_of_parts")
def test_what_is_said_of_parts(shell: Shell, chances: dict[str, float], said: str) -> None:
    from radcal.feedback.shared_sentences import homogeneity

    parts = tuple(
        Part(name, 50, chance, chance >= SURE, "likely" if chance >= OPEN else "", 20, 3, 60, 41)
        for name, chance in chances.items()
    )
    assert homogeneity(replace(_pooled(shell, AVERY), parts=parts), spoken()).replace(NBSP, " ") == said


def test_radiologists_are_told_apart_by_pseudonyms(qtbot: QtBot, shell: Shell, show_page: Show, texts: Texts) -> None:
    opened = shell.opened
    assert opened is not None
    names = opened.pseudonyms
    assert set(names) == {"Avery", "Brooks"}
    page: ResultsPage = show_page(ResultsPage, shell, EVERYBODY)
    assert page.title.text() == "All radiologists, edema"
    parts = (Part("Avery", 200, 0.9, False), Part("Brooks", 150, 0.97, True, "likely", 50, 41, 87, 41))
    together = Together(replace(_pooled(shell, EVERYBODY), parts=parts), opened)
    qtbot.addWidget(together)
    said = texts(together)
    assert f"at other rates for {names['Brooks']} (\u201clikely\u201d 41 of 50, for the others 41 of 87;" in said
    assert "Brooks" not in said.replace(names["Brooks"], "")
    (show,) = together.findChildren(QPushButton)
    assert show.text() == f"Show {names['Brooks']}"


@pytest.mark.parametrize(
    ("chosen", "shown", "hidden"),
    [(AVERY, FindingColumn.TOPIC, FindingColumn.AUTHOR), (EVERYBODY, FindingColumn.AUTHOR, FindingColumn.TOPIC)],
)
def test_the_findings_behind_them_name_what_differs(
    qtbot: QtBot, shell: Shell, show_page: Show, chosen: Selection, shown: int, hidden: int
) -> None:
    page: ResultsPage = show_page(ResultsPage, shell, chosen)
    page.arrive(phrase="likely")
    likely = next(p for p in _pooled(shell, chosen).phrases if p.phrase == "likely")
    qtbot.waitUntil(lambda: page.cases.model.rowCount() == likely.n)
    assert not page.cases.table.isColumnHidden(shown)
    assert page.cases.table.isColumnHidden(hidden)
    assert f"of {likely.n:.0f}" in page.cases.heading.text()


def test_within_days_and_by_pathology(qtbot: QtBot, shell: Shell, show_page: Show) -> None:
    page: ResultsPage = show_page(ResultsPage, shell, replace(AVERY, days=Days(date(2026, 1, 1))))
    qtbot.waitUntil(lambda: page.title.text() == "Avery, all pathologies")
    qtbot.waitUntil(lambda: bool(page.one.findChildren(Together)))
    page.tabs.setCurrentIndex(1)
    shell.set_selection(EVERYBODY)
    assert [row.record.author for row in page.pathologies.table.model.rows] == [ALL_AUTHORS]


@pytest.mark.parametrize("chosen", [AVERY, EVERYBODY])
def test_advice_is_given_on_them(qtbot: QtBot, shell: Shell, show_page: Show, chosen: Selection) -> None:
    page: ResultsPage = show_page(ResultsPage, shell, chosen)
    page.arrive(tab="what if")
    qtbot.waitUntil(lambda: page.what_if.found is not None)
    assert page.what_if.found is not None
    assert page.what_if.found.view.advice.n == _pooled(shell, chosen).n
