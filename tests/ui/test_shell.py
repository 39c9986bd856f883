"""What pages may ask of the window: short work beside long work, one selection told once, the group to begin with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

from radcal.progress import Progress
from radcal.records import Selection
from radcal.text import Text
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


def test_what_is_to_be_said_of_written_files_stands_above_the_page(qtbot: QtBot, shell: Shell) -> None:
    done = list[str]()

    def write(department: Any, _progress: Progress) -> str:
        department.exports.remark(Text("No receipt of {what}.", what="it"))
        return "written"

    shell.run("write", write, done.append)
    qtbot.waitUntil(lambda: Message.REMARKS in shell.messages.shown())
    assert shell.messages.text(Message.REMARKS) == "Please note: No receipt of it."
    qtbot.waitUntil(lambda: done == ["written"])
    shell.messages.clear()
    shell.run("look", lambda _department, _progress: "seen", done.append)
    qtbot.waitUntil(lambda: done == ["written", "seen"])
    assert shell.messages.shown() == ()


def test_the_same_selection_is_told_once(make_shell: Callable[..., Shell]) -> None:
    shell, shown = make_shell(), list[Selection | None]()
    shell.selection_changed.connect(shown.append)
    for selection in (Selection("Avery", "edema"), Selection("Avery", "edema"), None, None):
        shell.set_selection(selection)
    assert shown == [Selection("Avery", "edema"), None]
