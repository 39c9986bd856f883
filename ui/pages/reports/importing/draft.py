"""The list of files to import, with undo."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from radcal.reports.records import Modality, Preset
from ui.kit.undoing import Edit
from ui.pages.reports.importing.sentences import Groups, holds_text, names_of_fields
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.reports.dry_run import FilePreview, ImportPreview
    from radcal.reports.importing import ReportFile
    from radcal.reports.preview import Preview

_XRAY_NAME = re.compile(r"(?:^|[^a-z])(?:x-?ray|cxr|cr|dx|xr|radiograph|r(?:oe|ö)ntgen)s?(?:[^a-z]|$)", re.IGNORECASE)
_CT_NAME = re.compile(r"(?:^|[^a-z])(?:ct|cta|tomograph\w*)s?(?:[^a-z]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """The result of inspecting a file: its table, or the reason why it cannot be read."""

    path: Path
    preview: Preview | None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A file as listed.

    why: what prevents its import, '' if nothing;  counted: what would be read, None while unknown
    """

    name: str
    holds: str
    state: str
    why: str
    counted: FilePreview | None


class Draft(QObject):
    """The list of files.

    changed: the files or what is known about them;  files_changed: the files alone
    """

    changed = Signal()
    files_changed = Signal()

    def __init__(self, undo: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._undo = undo
        self.files: tuple[ReportFile, ...] = ()
        self.looks: dict[Path, Looked] = {}
        self.lacking: dict[Path, tuple[str, ...]] = {}
        """The columns of the preset used last that a file lacks."""
        self.count: ImportPreview | None = None

    def add(self, paths: Iterable[Path]) -> tuple[Path, ...]:
        """Add files to the list, each once; returns the new ones."""
        from radcal.reports.importing import ReportFile

        there = {f.path for f in self.files}
        new = tuple(dict.fromkeys(path for path in paths if path not in there))
        if new:
            self._push(say("Change the files"), (*self.files, *(ReportFile(path) for path in new)))
        return new

    def put(self, files: Sequence[ReportFile]) -> None:
        """List files again, with the settings that they had."""
        self._push(say("Change the files"), tuple(files))

    def remove(self, paths: Iterable[Path]) -> None:
        """Remove files from the list; they stay on disk."""
        gone = set(paths)
        if any(f.path in gone for f in self.files):
            self._push(say("Change the files"), tuple(f for f in self.files if f.path not in gone))

    def change(self, path: Path, **values: Any) -> None:
        """Change how a file is read (``modality``, ``mapping``, ``day_first``, ``preset``) or whether it ``replaces``.

        Consent to replace an earlier reading holds for one way of reading only, so any other change withdraws it.
        """
        values.setdefault("replaces", False)
        files = tuple(replace(f, **values) if f.path == path else f for f in self.files)
        if files != self.files:
            self._push(say("Change the files"), files)

    def use_preset(self, path: Path, preset: Preset) -> None:
        """Read a file as a preset says; columns of the preset that it lacks stay as they were recognised."""
        from radcal.reports.column_names import simplified
        from radcal.reports.presets import applied

        if (preview := self.preview(path)) is not None:
            fields = (name for name, _ in preview.fields)
            mapping = applied(preset, preview.columns, fields, preview.mapping)
            self.lacking[path] = tuple(c for f, c in preset.columns if simplified(mapping.get(f, "")) != simplified(c))
            # Its columns are chosen now, and may be chosen otherwise.
            chosen = {} if len(self.lacking[path]) == len(preset.columns) else mapping
            self.change(path, mapping=chosen, day_first=preset.day_first, preset=replace(preset, columns=()))

    def preset(self, path: Path, name: str) -> Preset | None:
        """The way a file is read now, as a preset; None if it is not known."""
        from radcal.reports.presets import made_of

        file = self.file(path)
        if file is None or self.preview(path) is None:
            return None
        return made_of(file.preset, file.day_first, self.read_as(path), name)

    def clear(self) -> None:
        """Start over; clears the undo stack."""
        self._undo.clear()
        self.looks.clear()
        self.count = None
        self.set_files(())

    def set_files(self, files: tuple[ReportFile, ...]) -> None:
        """Show these files; called on do, undo and redo."""
        before, self.files = self.files, files
        if _without_replaces(before) != _without_replaces(files) or not files:
            self.files_changed.emit()
        self.changed.emit()

    def _push(self, text: str, files: tuple[ReportFile, ...]) -> None:
        self._undo.push(Edit(text, self.files, files, self.set_files))

    def set_look(self, looked: Looked) -> None:
        """Record a file's inspection; guess the modality from the name if the table does not tell it."""
        if looked.preview is not None:
            fields = tuple((name, typographic(meaning)) for name, meaning in looked.preview.fields)
            looked = replace(looked, preview=replace(looked.preview, fields=fields))
        self.looks[looked.path] = looked
        file = self.file(looked.path)
        if file is not None and looked.preview is not None and file.modality is None:
            named = kind_of_name(looked.path.stem)
            if named and missing_groups(looked.preview.needed_of_both, self.read_as(looked.path)):
                self.files = tuple(replace(f, modality=named) if f.path == looked.path else f for f in self.files)
                self.files_changed.emit()
        self.changed.emit()

    def set_count(self, count: ImportPreview | None) -> None:
        """Record what would be read, None if unknown."""
        self.count = count
        self.changed.emit()

    def file(self, path: Path) -> ReportFile | None:
        """The listed file with that path, None if there is none."""
        return next((f for f in self.files if f.path == path), None)

    def preview(self, path: Path) -> Preview | None:
        """The file's table, None if unknown or unreadable."""
        looked = self.looks.get(path)
        return looked.preview if looked else None

    def counted(self, path: Path) -> FilePreview | None:
        """What would be read from the file, None if unknown."""
        return next((f for f in self.count.files if f.path == path), None) if self.count else None

    def read_as(self, path: Path) -> Mapping[str, str]:
        """The mapping of fields to columns, chosen or guessed."""
        file, preview = self.file(path), self.preview(path)
        return (file.mapping if file else {}) or (preview.mapping if preview else {})

    def needed(self, path: Path) -> list[tuple[str, ...]]:
        """Groups of fields of which at least one is required."""
        file, p = self.file(path), self.preview(path)
        if file is None or p is None:
            return []
        return [
            *p.needed,
            *(p.needed_of_both if file.modality is None else ()),
            *(p.needed_of_xray if file.modality is not Modality.CT else ()),
        ]

    def questions(self, path: Path) -> dict[str, tuple[str, ...]]:
        """Fields that the user has not decided about, with the columns that may hold them and are used for nothing."""
        preview, read_as = self.preview(path), self.read_as(path)
        if preview is None:
            return {}
        used, recognised = set(read_as.values()), preview.mapping
        return {
            of: free
            for of, columns in preview.asked.items()
            if read_as.get(of) == recognised.get(of) and (free := tuple(c for c in columns if c not in used))
        }

    def to_count(self) -> tuple[ReportFile, ...]:
        """The files that are specified well enough to be counted."""
        return tuple(f for f in self.files if self.preview(f.path) is not None and not self.missing(f.path))

    def missing(self, path: Path) -> str:
        """What must be specified before a file can be imported; '' if nothing."""
        looked, preview = self.looks.get(path), self.preview(path)
        if looked is None:
            return say("Looking\u2026")
        if preview is None:
            return looked.failure or say("Cannot be read")
        missing = missing_groups(self.needed(path), self.read_as(path))
        if missing:
            return say(
                "{name}: no column was recognised for {what}. Choose it on the left.",
                name=path.name,
                what=names_of_fields(preview, missing),
            )
        counted = self.counted(path)
        return typographic(counted.failure) if counted else ""

    def undecided(self, path: Path) -> bool:
        """True if the file would replace an earlier reading and the user has not consented."""
        file, counted = self.file(path), self.counted(path)
        return file is not None and not file.replaces and counted is not None and counted.stale > 0

    def why_not(self) -> str:
        """What prevents the import; '' if nothing."""
        return next((why for f in self.files if (why := self._why_not(f.path))), "")

    def _why_not(self, path: Path) -> str:
        if self.undecided(path):
            return say(
                "{name} was imported before, in another way. Say below whether this reading takes the place of that"
                " one.",
                name=path.name,
            )
        return self.missing(path)

    def lines(self) -> list[Line]:
        """The listed files as lines of the table."""
        return [self._line(f) for f in self.files]

    def _line(self, file: ReportFile) -> Line:
        counted = self.counted(file.path)
        if counted is not None and (counted.failure or counted.again):
            counted = None
        state, why = self._state(file), self._why_not(file.path)
        return Line(file.path.name, holds_text(file.modality), state, why, counted)

    def _state(self, file: ReportFile) -> str:
        looked, counted = self.looks.get(file.path), self.counted(file.path)
        if looked is None:
            return say("Looking\u2026")
        if looked.preview is None or (counted is not None and counted.failure):
            return say("Cannot be read")
        if missing_groups(self.needed(file.path), self.read_as(file.path)):
            return say("Choose columns below")
        if counted is not None and counted.again:
            return say("Imported before")
        if counted is not None and counted.stale:
            return say("Replaces") if file.replaces else say("Decide below")
        if (counted is not None and counted.dates) or self.questions(file.path):
            return say("Look below")
        return say("Ready")


def _without_replaces(files: Sequence[ReportFile]) -> list[ReportFile]:
    """The files without ``replaces``, which does not affect what would be read."""
    return [replace(file, replaces=False) for file in files]


def missing_groups(groups: Groups, mapping: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Groups without a column for any of their fields."""
    return [group for group in groups if not any(field in mapping for field in group)]


def kind_of_name(name: str) -> Modality | None:
    """The modality of a file's reports, guessed from its name."""
    xray, ct = _XRAY_NAME.search(name.replace("_", " ")), _CT_NAME.search(name.replace("_", " "))
    if bool(xray) == bool(ct):
        return None
    return Modality.XRAY if xray else Modality.CT
