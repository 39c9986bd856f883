"""Passphrases in the key store: remembered on request alone, used at the next opening, renewed and forgotten."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from radcal import cli
from radcal.opening import file_identity
from radcal.system import key_store
from radcal.system.key_store import KeyStoreUnavailable
from ui.preferences import note_remembered, remembered_files
from ui.widgets.messages import Message
from ui.window.dialogs.passphrase import PassphraseDialog
from ui.window.main_window import MainWindow

Open = Callable[..., MainWindow]
PASSPHRASE = "correct horse battery"
NEW = "four unrelated words here"


@pytest.fixture
def held(kept_keys: dict[str, str]) -> dict[str, str]:
    """What a key store keeps, and nothing noted of an earlier test."""
    for identity in remembered_files():
        note_remembered(identity, remembered=False)
    return kept_keys


@pytest.fixture
def identity(chest: Path, held: dict[str, str]) -> str:
    """The identity of the workspace, whose passphrase is remembered."""
    known = file_identity(chest)
    note_remembered(known, remembered=True)
    held[known] = PASSPHRASE
    return known


def asked(window: MainWindow) -> PassphraseDialog:
    [dialog] = [d for d in window.findChildren(PassphraseDialog) if d.isVisible()]
    return dialog


def given(qtbot: QtBot, window: MainWindow, path: Path, passphrase: str, *, remember: bool) -> None:
    window.entrance.ask_passphrase(path)
    dialog = asked(window)
    assert not dialog.remember.isChecked(), "off unless it is asked for"
    dialog.remember.setChecked(remember)
    dialog.field.setText(passphrase)
    dialog.accept()


def test_it_is_kept_on_request_and_opens_the_file_next_time_under_any_name(
    qtbot: QtBot, open_window: Open, chest: Path, held: dict[str, str], close: Callable[..., None]
) -> None:
    window = open_window()
    given(qtbot, window, chest, PASSPHRASE, remember=True)
    qtbot.waitUntil(lambda: bool(remembered_files()))
    assert held == {file_identity(chest.resolve()): PASSPHRASE}
    assert Message.REMEMBERED in window.messages.shown()
    close(window)
    moved = Path(shutil.move(chest, chest.with_name("moved.radcal")))
    window = open_window()
    window.entrance.ask_passphrase(moved)
    qtbot.waitUntil(lambda: window.session.current is not None)
    assert not window.findChildren(QDialog)
    window.locking.lock()
    assert window.locking.is_locked, "the key store does not unlock"
    window.locking.unlock(PASSPHRASE)
    qtbot.waitUntil(lambda: not window.locking.is_locked)


def test_nothing_is_kept_unless_it_is_asked_for_and_fits(
    qtbot: QtBot, open_window: Open, chest: Path, held: dict[str, str]
) -> None:
    window = open_window()
    given(qtbot, window, chest, "wrong", remember=True)
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(PassphraseDialog)))
    dialog = asked(window)
    dialog.field.setText(PASSPHRASE)
    dialog.accept()
    qtbot.waitUntil(lambda: window.session.current is not None and window.tasks.is_idle)
    assert held == {}
    assert not remembered_files()


def test_without_a_usable_store_it_opens_and_says_why_it_is_not_kept(
    qtbot: QtBot, open_window: Open, chest: Path, held: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: str) -> str:
        raise KeyStoreUnavailable("The key store of this computer does not answer.")

    monkeypatch.setattr(key_store, "remember", refuse)
    window = open_window()
    given(qtbot, window, chest, PASSPHRASE, remember=True)
    qtbot.waitUntil(lambda: Message.NOT_REMEMBERED in window.messages.shown())
    assert window.session.current is not None
    assert not remembered_files()


def test_a_store_that_is_locked_or_out_of_date_leads_to_the_question(
    qtbot: QtBot, open_window: Open, chest: Path, held: dict[str, str], identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held[identity] = "an earlier one"
    window = open_window()
    window.entrance.ask_passphrase(chest)
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(PassphraseDialog)))
    assert "does not fit any more" in asked(window).about.text()
    asked(window).reject()
    qtbot.waitUntil(lambda: not window.findChildren(PassphraseDialog))

    def locked(*_: str) -> str:
        raise KeyStoreUnavailable("The key store of this computer is locked.")

    monkeypatch.setattr(key_store, "remembered", locked)
    window.entrance.ask_passphrase(chest)
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(PassphraseDialog)))
    assert "is locked" in asked(window).about.text()


def test_a_new_passphrase_takes_its_place_and_settings_can_have_it_forgotten(
    qtbot: QtBot, open_window: Open, chest: Path, held: dict[str, str], identity: str
) -> None:
    window = open_window(chest)
    card = window.page("settings").file
    window.show_page("settings", {"section": "file"})
    assert card.forget.isVisible()
    card.change_passphrase(PASSPHRASE, NEW)
    qtbot.waitUntil(lambda: held[identity] == NEW and window.tasks.is_idle)
    card.forget_passphrase()
    qtbot.waitUntil(lambda: not remembered_files())
    assert held == {}
    assert not card.forget.isVisible()


@pytest.mark.usefixtures("identity")
def test_a_new_one_that_cannot_be_kept_has_the_old_one_forgotten(
    qtbot: QtBot, open_window: Open, chest: Path, held: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: str) -> str:
        raise KeyStoreUnavailable("The key store of this computer is locked.")

    monkeypatch.setattr(key_store, "remember", refuse)
    window = open_window(chest)
    window.show_page("settings", {"section": "file"})
    card = window.page("settings").file
    card.change_passphrase(PASSPHRASE, NEW)
    qtbot.waitUntil(lambda: not remembered_files())
    assert held == {}
    assert "does not remember the new one" in card.outcome.text()


def test_the_command_line_reads_it(
    chest: Path, held: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RADCAL_PASSPHRASE", raising=False)
    command = ["check", "--workspace", str(chest), "--key-store"]
    assert cli.main(command) == 2
    assert "Secret Service has no passphrase of" in capsys.readouterr().err
    held[file_identity(chest)] = PASSPHRASE
    assert cli.main(command) == 0
