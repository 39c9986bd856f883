"""Non-blocking file and folder dialogs that start in the last used folder.

On first use, and if that folder no longer exists, they start in the user's documents.  Dialogs are deleted on close.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from radcal.system.errors import InputError
from radcal.system.files import file_name
from radcal.system.inputs import is_folder
from ui.preferences import preferences

if TYPE_CHECKING:
    from radcal.system.exports import Export

_FOLDER = "folder"


class FileSaver(Protocol):
    """Asks for a path and writes a file, and enters what was copied: the shell, for tables and plots."""

    def save_file(self, title: str, file_name: str, kinds: Sequence[str], make: Callable[[str], Export]) -> None: ...

    def copied(self, what: str, **counts: int) -> None: ...


def last_folder() -> Path:
    """The last used folder, the user's documents, or their home folder; it exists."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    for name in (str(preferences().value(_FOLDER, "")), documents):
        if name and _is_folder(Path(name)):
            return Path(name)
    return Path.home()


def ask_open(parent: QWidget, title: str, kinds: Sequence[str], chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for one existing file; ``chosen`` is called with its path.

    kinds: name filters such as 'CSV (*.csv)'
    """
    dialog = _dialog(parent, title, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog


def ask_open_many(
    parent: QWidget, title: str, kinds: Sequence[str], chosen: Callable[[list[str]], object]
) -> QFileDialog:
    """Ask for existing files; ``chosen`` is called with their paths."""
    dialog = _dialog(parent, title, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(chosen)
    dialog.open()
    return dialog


def ask_folder(parent: QWidget, title: str, chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for a folder; ``chosen`` is called with its path."""
    dialog = _dialog(parent, title, ())
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog


def ask_save(
    parent: QWidget | None,
    title: str,
    suggested: str,
    kinds: Sequence[str],
    chosen: Callable[[str], object],
    *,
    may_replace: bool = True,
) -> QFileDialog:
    """Ask where to save a file; ``chosen`` is called with its path, suffix included.

    suggested: a file name with suffix, or a path
    may_replace: offer to replace an existing file
    """
    dialog = _dialog(parent, title, kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    if not may_replace:
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
    _take_suffix(dialog, kinds[0])
    if suffix := Path(suggested).suffix.lstrip("."):
        dialog.setDefaultSuffix(suffix)
    dialog.filterSelected.connect(partial(_take_suffix, dialog))
    # A path is the user's own choice; a name that RadCal proposes is one that every system takes.
    dialog.selectFile(suggested if Path(suggested).name != suggested else file_name(suggested))
    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog


def _dialog(parent: QWidget | None, title: str, kinds: Sequence[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(last_folder()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if kinds:
        dialog.setNameFilters(list(kinds))
    dialog.filesSelected.connect(_remember)
    return dialog


def _remember(names: list[str]) -> None:
    """Remember a folder, or a file's folder, as the next dialog's start."""
    path = Path(names[0])
    preferences().setValue(_FOLDER, str(path if _is_folder(path) else path.parent))


def _is_folder(path: Path) -> bool:
    """Whether this is a readable folder."""
    with suppress(InputError):
        return is_folder(path)
    return False


def _take_suffix(dialog: QFileDialog, kind: str) -> None:
    """The suffix of the selected filter: 'csv' of 'CSV (*.csv)'."""
    if "(*." in kind:
        dialog.setDefaultSuffix(kind.split("(*.")[1].rstrip(")").split()[0])
