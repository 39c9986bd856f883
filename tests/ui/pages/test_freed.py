"""A page that is deleted leaves nothing behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from radcal.system.selection import Selection
from ui.pages.stage import StagePage
from ui.shell import Shell
from ui.stages import ADVICE, COMPARE, EVIDENCE, TRY, WORDS, stages


@pytest.mark.parametrize("key", [ADVICE, COMPARE, EVIDENCE, TRY, WORDS])
def test_a_page_is_freed(key: str, shell: Shell, qtbot: QtBot, dropped: Callable[..., Any]) -> None:
    def made() -> StagePage:
        page = next(stage for stage in stages() if stage.key == key).make(shell)
        page.begin()
        page.show()
        shell.set_selection(Selection("Avery", "edema"))
        page.arrive()
        qtbot.waitUntil(lambda: shell.tasks.is_idle)
        return page

    gone = dropped(made)
    qtbot.waitUntil(lambda: gc.collect() >= 0 and gone() is None)
