"""What pages may ask of the window: short work beside long work, one selection told once, the group to begin with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.system.progress import Progress
from radcal.system.selection import Selection
from ui.shell import Shell
from ui.widgets.messages import Message


def test_short_work_runs_between_the_parts_of_long_work_and_long_work_after_it(qtbot: QtBot, shell: Shell) -> None:
    end, order = threading.Event(), list[str]()

    def first(_department: Any, progress: Progress) -> str:
        while not end.wait(0.001):
            progress.raise_if_cancelled()
        return "first"

    shell.run("first", first, order.append, shares=True)
    shell.run("second", lambda _department, _progress: "second", order.append, shares=True)
    shell.run("short", lambda _department, _progress: "short", order.append)
    qtbot.waitUntil(lambda: order == ["short"])
    end.set()
    qtbot.waitUntil(lambda: order == ["short", "first", "second"])


def test_the_same_selection_is_told_once(make_shell: Callable[..., Shell]) -> None:
    shell, shown = make_shell(), list[Selection | None]()
    shell.selection_changed.connect(shown.append)
    for selection in (Selection("Avery", "edema"), Selection("Avery", "edema"), None, None):
        shell.set_selection(selection)
    assert shown == [Selection("Avery", "edema"), None]


def _endless(_department: Any, progress: Progress) -> None:
    while True:
        progress.raise_if_cancelled()


def test_work_that_is_cancelled_says_what_that_means(qtbot: QtBot, shell: Shell) -> None:
    shell.run("write", _endless, lambda _: pytest.fail("it was stopped"), title="Writing the cards")
    shell.tasks.cancel("write")
    qtbot.waitUntil(lambda: Message.WORK_STOPPED in shell.messages.shown())
    assert "Stopped: Writing the cards." in shell.messages.text(Message.WORK_STOPPED)
    shell.messages.clear()
    told: list[bool] = []
    shell.run("write", _endless, lambda _: None, title="Writing", stopped=lambda: told.append(True))
    shell.tasks.cancel("write")
    qtbot.waitUntil(lambda: bool(told))
    shell.run("look", _endless, lambda _: None)  # too short to be shown, or to be cancelled by anybody
    shell.tasks.cancel("look")
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert shell.messages.shown() == ()


def test_an_analysis_that_is_cancelled_says_that_the_results_are_the_earlier_ones(
    qtbot: QtBot, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shell.opened
    with monkeypatch.context() as patch:
        patch.setattr("ui.operations.reload", _endless)
        shell.reload("Analysing with the new words")
        shell.tasks.cancel("open")
        qtbot.waitUntil(lambda: shell.messages.shown() == (Message.NOT_RENEWED,))
    kept = shell.opened
    assert kept is not None
    assert before is not None
    assert (kept.groups.keys(), kept.n_pairs) == (before.groups.keys(), before.n_pairs)
    assert "still those from before the change" in shell.messages.text(Message.NOT_RENEWED)
    shell.messages.press(Message.NOT_RENEWED)
    qtbot.waitUntil(lambda: shell.opened is not kept)
    assert shell.messages.shown() == ()
