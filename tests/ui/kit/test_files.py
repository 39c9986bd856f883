"""Where dialogs for files begin, what they hand on, and that nothing waits for them."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

import ui
from ui.kit.files import ask_folder, ask_open, ask_open_many, ask_save, last_folder
from ui.preferences import preferences
from ui.window.dialogs.new_workspace import PlaceForm

KINDS = ("CSV (*.csv)", "Excel (*.xlsx)")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture(autouse=True)
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a folder for documents."""
    folder = tmp_path / "Documents"
    folder.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(folder))
    return folder


def answer(dialog: QFileDialog, path: Path) -> None:
    dialog.selectFile(str(path))
    dialog.accept()


def begins_in(dialog: QFileDialog) -> Path:
    return Path(dialog.directory().absolutePath())


@pytest.mark.parametrize(
    "ask",
    [
        lambda parent, chosen: ask_open(parent, "Open", KINDS, chosen),
        lambda parent, chosen: ask_open_many(parent, "Open", KINDS, chosen),
        lambda parent, chosen: ask_folder(parent, "Folder", chosen),
        lambda parent, chosen: ask_save(parent, "Save", "a.csv", KINDS, chosen),
    ],
)
def test_first_in_the_documents_then_where_the_last_file_was(
    ask: Callable[[QWidget, Callable[[Any], object]], QFileDialog], parent: QWidget, documents: Path, tmp_path: Path
) -> None:
    got: list[object] = []
    dialog = ask(parent, got.append)
    assert begins_in(dialog) == documents
    dialog.reject()
    assert not got
    assert last_folder() == documents
    elsewhere = tmp_path / "reports"
    elsewhere.mkdir()
    (elsewhere / "a.csv").touch()
    answer(ask_open(parent, "Open", KINDS, got.append), elsewhere / "a.csv")
    assert got == [str(elsewhere / "a.csv")]
    dialog = ask(parent, got.append)
    assert begins_in(dialog) == elsewhere
    dialog.reject()
    answer(ask_folder(parent, "Folder", got.append), documents)
    assert (got[-1], last_folder()) == (str(documents), documents)


def test_a_folder_that_has_gone_is_not_begun_in(documents: Path, tmp_path: Path) -> None:
    preferences().setValue("folder", str(tmp_path / "a stick that was pulled out"))
    assert last_folder() == documents
    documents.rmdir()
    assert last_folder() == Path.home()


def test_saved_under_the_ending_of_the_kind(parent: QWidget, documents: Path) -> None:
    got: list[str] = []
    dialog = ask_save(parent, "Save", "table.csv", KINDS, got.append)
    assert dialog.selectedFiles() == [str(documents / "table.csv")]
    answer(dialog, documents / "other")
    dialog = ask_save(parent, "Save", "table.csv", KINDS, got.append)
    dialog.selectNameFilter(KINDS[1])
    dialog.filterSelected.emit(KINDS[1])
    answer(dialog, documents / "other")
    dialog = ask_save(parent, "Save", str(documents / "without an ending"), KINDS, got.append)
    answer(dialog, documents / "third")
    assert [Path(name).name for name in got] == ["other.csv", "other.xlsx", "third.csv"]


def test_dialogs_are_freed(parent: QWidget) -> None:
    for _ in range(3):
        ask_open(parent, "Open", KINDS, print).reject()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert parent.findChildren(QFileDialog) == []


def test_every_dialog_for_files_is_made_here() -> None:
    """The static functions of Qt's dialog block the window; none but this module makes such dialogs."""
    folder = Path(ui.__file__).parent
    for path in folder.rglob("*.py"):
        if path.name != "files.py":
            names = {node.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)}
            assert "QFileDialog" not in names, path


@pytest.mark.skipif(os.name == "nt", reason="Windows has no links that everybody can make")
def test_places_that_no_file_can_have_are_said_and_break_nothing(qtbot: QtBot, tmp_path: Path, documents: Path) -> None:
    loop, other = tmp_path / "loop.radcal", tmp_path / "other.radcal"
    loop.symlink_to(other)
    other.symlink_to(loop)
    form = PlaceForm()
    qtbot.addWidget(form)
    for place, shown in ((loop, "leads back to itself"), (tmp_path / ("x" * 300 + ".radcal"), "too long for the name")):
        form.path.setText(str(place))
        assert shown in form.missing()
        preferences().setValue("folder", str(place))
        assert last_folder() == documents
    form.path.setText(str(tmp_path / "new.radcal"))
    assert "passphrase" in form.missing()
