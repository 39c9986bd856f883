"""The settings page: every setting is there, within its bounds; tried, applied, undone; and the workspace's file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QLabel,
    QLineEdit,
)
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.opening import open_department
from radcal.system.errors import InputError
from radcal.system.kinds import FileKind
from radcal.system.settings import Settings
from ui.pages.settings.editors import Row, shortest
from ui.pages.settings.fields import COUNTS, DEPARTMENT, READING, fields_of
from ui.pages.settings.file_card import AskPassphraseDialog, NewPassphraseDialog
from ui.pages.settings.page import SettingsPage
from ui.preferences import lab_is_on
from ui.shell import Shell
from ui.words import moment

PASSPHRASE = "correct horse battery"
Page = tuple[SettingsPage, Shell, Department]
SECTIONS = (DEPARTMENT, COUNTS, READING)
QUICK = Settings(bootstrap=50, second="none")
"""Those of the prepared department."""


@pytest.fixture
def shown(qtbot: QtBot, shell: Shell, department: Department, show_page: Callable[..., SettingsPage]) -> Page:
    page = show_page(SettingsPage, shell)
    page.resize(1060, 1000)
    page.arrive()
    settle(qtbot, shell)
    return page, shell, department


def settle(qtbot: QtBot, shell: Shell) -> None:
    qtbot.waitUntil(lambda: shell.tasks.is_idle)


def control(page: SettingsPage, name: str, kind: type[Any]) -> Any:
    found = page.rows[name].control
    assert isinstance(found, kind)
    return found


# --- every setting ---------------------------------------------------------------------------------


def test_settings_are_there_once_with_words_of_their_own(shown: Page) -> None:
    page = shown[0]
    named = [f.name for section in SECTIONS for f in fields_of(section)]
    assert len(set(named)) == len(named)
    assert set(named) < {f.name for f in fields(Settings)}
    for row in page.rows.values():
        assert row.field.label != row.field.name
        assert row.field.about
        assert row.control.accessibleName() == row.field.label
        assert row.control.accessibleDescription() == row.field.about
        assert row.label.buddy() is row.control
    for box in (page.appearance, page.scale, page.language, page.lock, page.search):
        assert box.accessibleName()


def test_ten_settings_are_at_sight_and_all_can_be_searched(shown: Page, qtbot: QtBot) -> None:
    page = shown[0]
    kinds = (QComboBox, QAbstractSpinBox, QCheckBox, QLineEdit, QAbstractButton)
    seen = {c for kind in kinds for c in page.findChildren(kind) if c.isVisible() and page.isAncestorOf(c)}
    controls = {c for c in seen if not isinstance(c.parent(), kinds) and c.objectName() != "qt_spinbox_lineedit"}
    assert len(controls) == 15, "the search, ten settings, four headings"
    qtbot.keyClicks(page.search, "after CT")
    assert page.rows["signed_after_ct"].isVisible()
    assert not page.rows["contested"].isVisible()
    assert not page.rows["window_hours"].isVisible()
    assert not page.appearance.isVisible()
    assert [key for key, opening in page.openings.items() if opening.isVisible()] == [COUNTS]
    page.search.setText("verify")
    assert page.audit.verify.isVisible()
    page.search.setText("no such thing")
    assert page.none_found.isVisible()
    page.search.clear()
    assert not any(opening.is_open for opening in page.openings.values())
    assert page.rows["window_hours"].isVisible()
    page.arrive(section="contested")
    assert page.rows["contested"].isVisible()
    qtbot.waitUntil(page.rows["contested"].control.hasFocus)
    page.arrive(section="names")
    assert page.file.isVisible()


def test_bounds_and_defaults_are_those_of_the_settings(shown: Page) -> None:
    page = shown[0]
    for declared in fields(Settings):
        row = page.rows.get(declared.name)
        if row is None or "low" not in declared.metadata:
            continue
        number = control(page, declared.name, QDoubleSpinBox)
        assert number.minimum() == pytest.approx(declared.metadata["low"] * row.field.factor)
        assert number.maximum() == pytest.approx(declared.metadata["high"] * row.field.factor)
        for extreme in (number.minimum(), number.maximum()):
            number.setValue(extreme)
            Settings().changed(**{declared.name: row.value()})


@pytest.mark.parametrize("section", SECTIONS)
def test_values_survive_the_way_through_their_control(section: str, qapp: QApplication) -> None:
    for f in fields_of(section):
        row = Row(f)
        values: tuple[Any, ...] = ("", "/words/of ours")
        if f.kind == "number":
            values = (f.default, type(f.default)(round((f.low + f.high) / 2, 2)), f.low, f.high)
        elif f.kind == "choice":
            values = tuple(f.words)
        for value in values:
            row.set_value(value)
            assert row.value() == (pytest.approx(value) if f.kind == "number" else value), f.name
        row.deleteLater()


# --- trying, applying, undoing ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_setting_is_tried_applied_and_undone(shown: Page, qtbot: QtBot) -> None:
    page, shell, department = shown
    assert not page.apply.isVisible()
    number = control(page, "min_group_n", QDoubleSpinBox)
    number.setFocus()
    number.selectAll()
    qtbot.keyClicks(number, "45")
    assert page.apply.isVisible(), "it can be applied by its key without leaving the field"
    assert page.changed() == ("min_group_n",)
    assert page.sentence.text().startswith("One setting is changed.")
    assert page.rows["min_group_n"].label.text() == "Fewest findings for a curve (changed)"
    assert department.settings.min_group_n == 30, "nothing holds before it is applied"
    told: list[object] = []
    shell.opened_changed.connect(told.append)
    qtbot.mouseClick(page.apply, Qt.MouseButton.LeftButton)
    settle(qtbot, shell)
    assert department.settings == QUICK.changed(min_group_n=45)
    assert department.up_to_date
    assert len(told) == 1
    assert not page.apply.isVisible()
    page.undo_stack.undo()
    settle(qtbot, shell)
    assert department.settings == QUICK
    assert page.changed() == ("min_group_n",), "the draft stays, to be applied again or undone further"
    page.undo_stack.undo()
    assert page.changed() == ()
    page.undo_stack.redo()
    page.undo_stack.redo()
    settle(qtbot, shell)
    assert department.settings.min_group_n == 45


def test_steps_of_one_number_are_undone_at_once(shown: Page) -> None:
    page = shown[0]
    number = control(page, "min_phrase_n", QDoubleSpinBox)
    for _ in range(5):
        number.stepUp()
    assert page.undo_stack.count() == 1
    page.undo_stack.undo()
    assert number.value() == QUICK.min_phrase_n
    row = page.rows["min_phrase_n"]
    assert row.reset.isHidden()
    number.stepUp()
    assert not row.reset.isHidden()
    row.reset.click()  # the default is one click away
    assert page.changed() == ()


def test_a_field_that_has_the_keyboard_leaves_undo_to_the_page(shown: Page) -> None:
    page = shown[0]
    number = control(page, "min_group_n", QDoubleSpinBox)
    number.setFocus()
    for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo):
        (first, *_) = QKeySequence.keyBindings(key)
        pressed = QKeyEvent(QEvent.Type.ShortcutOverride, first[0].key(), first[0].keyboardModifiers())
        pressed.ignore()
        QApplication.sendEvent(number, pressed)
        assert not pressed.isAccepted()  # or the shortcut of the window would not be asked


def test_all_changes_are_discarded_and_brought_back(shown: Page, qtbot: QtBot) -> None:
    page = shown[0]
    control(page, "contested", QComboBox).setCurrentIndex(1)
    qtbot.keyClicks(control(page, "lexicon_dir", QLineEdit), "/words")
    assert set(page.changed()) == {"contested", "lexicon_dir"}
    assert page.undo_stack.count() == 2, "letters of one text are one step"
    page.discard.click()
    assert page.changed() == ()
    assert control(page, "contested", QComboBox).currentIndex() == 0
    page.undo_stack.undo()
    assert set(page.changed()) == {"contested", "lexicon_dir"}


def test_what_another_page_has_changed_is_seen_and_stays(shown: Page, qtbot: QtBot) -> None:
    page, shell, department = shown
    control(page, "sure", QDoubleSpinBox).setValue(90)
    department.save_settings(QUICK.changed(engine="llama"))
    page.set_draft("min_phrase_n", 12)
    page.apply_changes()  # before the page has heard of it
    settle(qtbot, shell)
    assert department.settings == QUICK.changed(engine="llama", sure=0.9, min_phrase_n=12)
    department.save_settings(QUICK.changed(contested="left out"))
    page.arrive()
    settle(qtbot, shell)
    assert control(page, "contested", QComboBox).currentData() == "left out"
    assert page.changed() == (), "a draft over other settings would undo them"
    assert page.undo_stack.count() == 0


def test_what_is_open_to_read_only_can_be_looked_at(
    make_shell: Callable[..., Shell], qtbot: QtBot, chest: Path, show_page: Callable[..., SettingsPage]
) -> None:
    shell = make_shell(chest, read_only=True)
    page = show_page(SettingsPage, shell)
    settle(qtbot, shell)
    assert not any(row.control.isEnabled() for row in page.rows.values())
    assert "read only" in page.rows["min_group_n"].control.toolTip()
    assert "read only" in page.locked.text()
    assert not page.file.passphrase.isEnabled()
    assert page.file.backup.isEnabled()


def test_a_draft_does_not_follow_to_another_department(
    shown: Page, qtbot: QtBot, prepared: SimpleNamespace, tmp_path: Path
) -> None:
    page, shell, _ = shown
    control(page, "min_group_n", QDoubleSpinBox).setValue(7)
    other = Path(shutil.copy(prepared.analysed, tmp_path / "other.radcal"))
    shell.session.open_workspace(other, PASSPHRASE, pytest.fail)
    qtbot.waitUntil(lambda: shell.opened is not None and shell.opened.path == other)
    settle(qtbot, shell)
    assert page.changed() == ()
    assert control(page, "min_group_n", QDoubleSpinBox).value() == QUICK.min_group_n
    assert page.undo_stack.count() == 0


def test_ones_own_file_has_no_analysis_to_set(shown: Page, qtbot: QtBot) -> None:
    page, shell, _ = shown
    assert page.rows["min_group_n"].isVisible()
    assert shell.opened is not None
    shell.session.current = replace(shell.opened, personal="Avery", kind=FileKind.PERSONAL)
    shell.opened_changed.emit(shell.opened)
    settle(qtbot, shell)
    assert not page.rows["min_group_n"].isVisible()
    page.openings["file"].unfold()
    assert page.file.isVisible()
    assert not page.openings["audit"].isVisible()


def test_without_a_department_the_looks_remain(
    make_shell: Callable[..., Shell], show_page: Callable[..., SettingsPage]
) -> None:
    page = show_page(SettingsPage, make_shell())
    assert page.appearance.isVisible()
    assert not page.rows["min_group_n"].isVisible()
    assert "Open a workspace" in page.nothing_open.text()


def test_looks_are_chosen_and_told(shown: Page, qtbot: QtBot) -> None:
    page = shown[0]
    for box, signal, value in (
        (page.appearance, page.appearance_changed, "contrast"),
        (page.scale, page.scale_changed, 200),
        (page.language, page.language_changed, "de"),
    ):
        with qtbot.waitSignal(signal) as told:
            box.setCurrentIndex(box.findData(value))
        assert told.args == [value]


def test_the_lab_is_switched_on(shown: Page) -> None:
    page = shown[0]
    assert not lab_is_on()
    page.lab.click()
    assert lab_is_on()
    page.lab.click()
    assert not lab_is_on()


@pytest.mark.parametrize(("value", "text"), [(12.0, "12"), (0.5, "0.5"), (0.10, "0.1"), (0.001, "0.001")])
def test_numbers_have_no_more_decimals_than_they_need(value: float, text: str) -> None:
    assert shortest(value, 3) == text


# --- the file --------------------------------------------------------------------------------------


def test_the_passphrase_is_changed_and_what_was_typed_is_forgotten(shown: Page, qtbot: QtBot) -> None:
    page, shell, department = shown
    department.backups.choose(on=False, folder=None)
    page.file.passphrase.click()
    (dialog,) = page.file.findChildren(NewPassphraseDialog)
    for field in dialog.fields:
        field.setText("chestchestchest")  # nearly the name of the file
    assert "within two days" in dialog.strength.text()
    assert not dialog.go.isEnabled()
    for field in dialog.fields:
        field.clear()
    for field, typed in (
        (dialog.current, PASSPHRASE),
        (dialog.new, "pear tree in blossom"),
        (dialog.again, "pear tree in blosson"),
    ):
        assert dialog.focusWidget() is field
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert not dialog.go.isEnabled()
    assert "not the same" in dialog.hint.text()
    qtbot.keyClick(dialog.again, Qt.Key.Key_Backspace)
    qtbot.keyClicks(dialog.again, "m")
    fields_of_it = dialog.fields
    dialog.go.click()
    assert [field.text() for field in fields_of_it] == ["", "", ""]
    settle(qtbot, shell)
    assert page.file.outcome.text() == "The passphrase was changed. Earlier copies keep the old one."
    assert department.backups.made == []
    department.close()
    open_department(department.path, "pear tree in blossom").close()


def test_after_a_change_of_passphrase_there_is_a_backup_under_the_new_one(
    shown: Page, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, shell, department = shown
    for day in (20, 21, 22):
        department.backups.back_up(now=datetime(2025, 11, day, 12, tzinfo=UTC))
    pear = "pear tree in blossom"
    page.file.change_passphrase("a", pear)
    settle(qtbot, shell)
    assert "does not fit" in page.file.outcome.text()
    assert page.file.outcome.property("role") == "error"
    page.file.change_passphrase(PASSPHRASE, pear)
    settle(qtbot, shell)
    newest = max(department.backups.made, key=lambda backup: backup.made)
    open_department(newest.path, pear, read_only=True).close()
    said = page.file.outcome.text()
    assert "3 backups in " in said
    assert ", and other earlier copies, still open with the old one." in said
    monkeypatch.setattr(type(department.backups), "back_up", Mock(side_effect=InputError("There is no space left.")))
    page.file.change_passphrase(pear, PASSPHRASE)
    settle(qtbot, shell)
    assert "4 backups in " in page.file.outcome.text()
    assert page.file.outcome.text().endswith("There is no backup under the new one yet. There is no space left.")
    assert page.file.outcome.property("role") == "error"


def test_backups_are_switched_off_and_sent_elsewhere(
    shown: Page, qtbot: QtBot, department: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, shell, _ = shown
    department.backups.back_up()
    page.arrive()
    settle(qtbot, shell)
    assert f"1 backup in {department.path.with_name('chest.backups')}" in page.file.kept.text()
    assert page.file.automatic.isChecked()
    assert not page.file.beside.isVisible()
    page.file.automatic.click()
    settle(qtbot, shell)
    assert not department.backups.known().on
    assert "No backups are made automatically." in page.file.kept.text()
    assert not page.file.folder.isEnabled()
    page.file.automatic.click()
    settle(qtbot, shell)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    page.file.folder.click()
    (asked,) = page.file.findChildren(QFileDialog)
    with qtbot.waitSignal(page.file.folder_chosen) as told:
        asked.fileSelected.emit(str(elsewhere))
    asked.reject()
    settle(qtbot, shell)
    assert told.args == [elsewhere]
    assert str(elsewhere) in page.file.kept.text()
    monkeypatch.setattr(type(department.backups), "choose", Mock(side_effect=InputError("This folder will not do.")))
    page.file.beside.click()
    settle(qtbot, shell)
    assert page.file.outcome.text() == "This folder will not do."
    assert department.backups.known().chosen == elsewhere  # as it was
    assert str(elsewhere) in page.file.kept.text()


def test_a_copy_is_made(shown: Page, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, shell, department = shown
    copy = tmp_path / "copy.radcal"
    page.file.back_up(str(copy))
    settle(qtbot, shell)
    open_department(copy, PASSPHRASE).close()
    assert "copy.radcal" in page.file.outcome.text()
    last = department.backups.known().last
    assert last is not None
    assert page.file.copied.text() == f"The last copy was made on {moment(last)}."
    later = (last + timedelta(seconds=2)).isoformat(timespec="seconds")
    monkeypatch.setattr("radcal.workspace.tables.now", lambda: later)
    department.save_settings(QUICK.changed(seed=7))
    page.arrive()
    settle(qtbot, shell)
    assert page.file.copied.text().endswith("Since then people have made 1 decision, which nothing could make again.")


@pytest.mark.parametrize(("damaged", "text"), [(False, "nothing is damaged"), (True, "damaged")])
def test_the_file_is_checked(shown: Page, qtbot: QtBot, damaged: bool, text: str) -> None:
    page, shell, department = shown
    if damaged:
        with department.path.open("r+b") as file:
            file.seek(-2000, os.SEEK_END)
            file.write(b"damaged")
    page.file.check.click()
    (dialog,) = page.file.findChildren(AskPassphraseDialog)
    qtbot.keyClicks(dialog.current, PASSPHRASE)
    qtbot.keyClick(dialog.current, Qt.Key.Key_Return)
    settle(qtbot, shell)
    assert text in page.file.outcome.text()
    assert ("nothing is damaged" in page.file.outcome.text()) is not damaged


# --- the department's own words --------------------------------------------------------------------


def test_a_folder_of_words_says_what_it_adds_and_what_is_odd(shown: Page, qtbot: QtBot, tmp_path: Path) -> None:
    page, shell, department = shown
    terms = tmp_path / "pathologies_terms.tsv"
    head = "pathology\twords\tunless\tnote\tunder"
    terms.write_text(f"{head}\nazygos fissure\tazygos lobe\nedema\tedema\n", encoding="utf-8")
    row = page.rows["lexicon_dir"]
    assert row.note.text() == ""
    page.set_draft("lexicon_dir", str(tmp_path))
    settle(qtbot, shell)
    adds, warning = row.note.text().splitlines()
    assert adds == "Adds one new pathology, 2 lines of terms; one warning."
    assert warning.startswith("pathologies_terms.tsv, line 3: ")
    terms.write_text(f"{head}\nazygos fissure\tazygos lobe\n", encoding="utf-8")
    page.arrive()
    settle(qtbot, shell)
    assert row.note.text() == "Adds one new pathology, one line of terms; no warnings."
    page.apply_changes()
    settle(qtbot, shell)
    assert department.settings.lexicon_dir == str(tmp_path)
    terms.unlink()
    (tmp_path / "cues.tsv").write_text("kind\tphrase\tdirection\treach\twords\nhunch\t-\t-\t-\tmethinks\n", "utf-8")
    other = Path(shutil.copytree(tmp_path, tmp_path.with_name("other words")))
    page.set_draft("lexicon_dir", str(other))
    settle(qtbot, shell)
    assert "cues.tsv, line 2: the kind" in row.note.text()
    page.apply_changes()
    settle(qtbot, shell)
    assert department.settings.lexicon_dir == str(tmp_path), "a folder that cannot be used is not stored"
    page.set_draft("lexicon_dir", "")
    settle(qtbot, shell)
    assert row.note.text() == ""
    assert row.note.isHidden()


# --- de-identification -----------------------------------------------------------------------------


def _switch_off(page: SettingsPage, qtbot: QtBot) -> Any:
    choice = control(page, "deidentify", QComboBox)
    choice.setCurrentIndex(choice.findData("off"))
    choice.activated.emit(choice.currentIndex())
    assert page.changed() == ("deidentify",)
    qtbot.mouseClick(page.apply, Qt.MouseButton.LeftButton)
    return next(d for d in page.findChildren(QDialog) if d.isVisible())


def test_de_identification_goes_off_after_a_warning_alone(shown: Page, qtbot: QtBot) -> None:
    page, shell, department = shown
    assert department.settings.deidentify == "on"
    asked = _switch_off(page, qtbot)
    assert "names" in " ".join(label.text() for label in asked.findChildren(QLabel))
    asked.reject()
    settle(qtbot, shell)
    assert department.settings.deidentify == "on"
    assert page.changed() == ("deidentify",)
    _switch_off(page, qtbot).accept()
    settle(qtbot, shell)
    assert department.settings.deidentify == "off"
    assert "de-identification of imports switched off" in department._workspace.audit()["what"].tolist()


def test_reports_stored_as_read_are_offered_to_be_de_identified(shown: Page, qtbot: QtBot) -> None:
    page, shell, department = shown
    its = department.importing.deidentifying
    department._workspace._db.execute("UPDATE reports SET deidentified = 0")  # as with the setting off
    page.arrive()
    settle(qtbot, shell)
    assert page.stored.isVisible()
    assert "stored as they were read" in page.as_read.text()
    page.stored.click()
    settle(qtbot, shell)
    assert its.as_read() == 0
    page.arrive()
    settle(qtbot, shell)
    assert not page.stored.isVisible()
    assert department.backups.made
