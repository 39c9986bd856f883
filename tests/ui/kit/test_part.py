"""What every part of a page keeps: it waits, drops what nobody asks for any more, and says why nothing came."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

import ui.pages
from radcal.system.selection import Days, Selection
from ui.kit.part import Part
from ui.shell import Shell
from ui.tasks import Failure

for _page in pkgutil.walk_packages(ui.pages.__path__, "ui.pages."):
    importlib.import_module(_page.name)

KINDS = [kind for kind in Part.__subclasses__() if not kind.__subclasses__()]
"""Without the base of the tabs of Department, which are asked otherwise; each of these has tests of its own."""
SOME_DAYS = Days(date(2026, 1, 1), date(2026, 2, 1))
SELECTIONS = (Selection("Avery", "edema", SOME_DAYS), Selection("Brooks", "edema", SOME_DAYS))
OPTIONS: dict[str, tuple[Any, ...]] = {"WellView": (frozenset,)}
QUESTIONS: dict[str, tuple[Any, Any]] = {"WellView": ((None, ("FK", "")), (None, ("FK", "MO")))}
"""What a part is asked that is not asked for a selection."""


class Case:
    """A part with a shell that notes what is asked for and lets the test answer."""

    def __init__(self, qtbot: QtBot, shell: Shell, monkeypatch: pytest.MonkeyPatch, kind: type[Part[Any, Any]]) -> None:
        self.asked: list[tuple[str, Callable[[Any], None], Callable[[Failure], None]]] = []
        self.shown: list[object] = []
        self.why_withheld = ""
        monkeypatch.setattr(shell, "run", self._run)
        monkeypatch.setattr(kind, "show_record", lambda _, record: self.shown.append(record))
        monkeypatch.setattr(kind, "summary", lambda _, record: f"summary of {record}")
        monkeypatch.setattr(kind, "withheld", lambda _, record: self.why_withheld)
        self.part: Part[Any, Any] = kind(shell, *OPTIONS.get(kind.__name__, ()))
        self.questions = QUESTIONS.get(kind.__name__, SELECTIONS)
        qtbot.addWidget(self.part)
        self.part.show()

    def _run(self, operation: str, _work: object, done: Any, *, failed: Any) -> None:
        self.asked.append((operation, done, failed))

    def ask(self, place: int) -> None:
        """Ask the first or the second of two questions."""
        self.part.show_for(self.questions[place])
        if self.part.on_request:
            self.part.ask_now()


@pytest.fixture(params=KINDS, ids=lambda kind: str(kind.__name__))
def case(
    request: pytest.FixtureRequest, qtbot: QtBot, make_shell: Callable[..., Shell], monkeypatch: pytest.MonkeyPatch
) -> Case:
    return Case(qtbot, make_shell(), monkeypatch, request.param)


def test_a_part_waits_and_shows_what_comes(case: Case) -> None:
    part = case.part
    assert not part.note.isVisible()
    assert not part.content.isVisible()
    case.ask(0)
    [(operation, done, _)] = case.asked
    assert operation
    assert part.note.text() == part._waiting != ""
    assert not part.content.isVisible()
    done("the record")
    assert (case.shown, part.record) == (["the record"], "the record")
    assert part.note.text() == "summary of the record"
    assert part.content.isVisible()
    part.renew()
    assert case.shown == ["the record"] * 2


def test_the_same_question_is_asked_once_and_another_anew(case: Case) -> None:
    part = case.part
    case.ask(0)
    case.asked[0][1]("first")
    part.show_for(case.questions[0])
    assert len(case.asked) == 1
    case.ask(1)
    assert len(case.asked) == 2
    assert part.record is None
    assert not part.content.isVisible()
    part.forget()
    case.ask(1)
    assert len(case.asked) == 3


def test_a_record_is_withheld_with_the_reason(case: Case) -> None:
    case.why_withheld = "Not enough data."
    case.ask(0)
    case.asked[0][1]("few")
    assert case.part.note.text() == "Not enough data."
    assert not case.part.content.isVisible()
    assert case.shown == []


def test_a_failure_is_said_and_can_be_mended(case: Case) -> None:
    part = case.part
    case.ask(0)
    case.asked[0][2](Failure("There are no reports yet.", True, "InputError\n  here"))
    assert part.note.text() == "There are no reports yet."
    assert not part.content.isVisible()
    part.again.click()
    assert len(case.asked) == 2
    assert not part.again.isVisible()
    case.asked[1][2](Failure("", False, "KeyError\n  there"))
    assert part.note.text() == "KeyError"
    part.show_for(case.questions[0])
    assert part.on_request or len(case.asked) == 3
