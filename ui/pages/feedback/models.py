"""The radiologists with what each was handed out, what came back, and the files just written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from radcal.feedback.given import Given
from ui.kit.column import Column, RecordModel, measured
from ui.words import counted, day, listed, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.batch import Written

_QUIET: Mapping[int, Callable[[Any], None]] = {int(Qt.ItemDataRole.ToolTipRole): lambda _row: None}
NOTHING = Given()


class BatchColumn(IntEnum):
    """The columns, left to right."""

    AUTHOR = 0
    FINDINGS = 1
    SUGGESTIONS = 2
    HANDED_OUT = 3
    CAME_BACK = 4
    FILES = 5
    PASSPHRASE = 6


@dataclass(frozen=True, slots=True)
class Radiologist:
    """A radiologist with results.

    n: findings;  suggestions: words with advice;  enough: something can be said of a word
    given: what was handed out so far;  kept: the latest personal file;  written: files just written
    """

    author: str
    n: float = 0.0
    suggestions: int = 0
    enough: bool = True
    given: Given = NOTHING
    kept: Written | None = None
    written: Written | None = None

    @property
    def passphrase(self) -> str:
        """Of the latest personal file, '' without one."""
        known = (w.passphrase for w in (self.written, self.kept) if w is not None)
        return next(filter(None, known), "")


class BatchModel(RecordModel):
    """One row per radiologist."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.names: Mapping[str, str] = {}
        """What radiologists are called in the list: their names, or their pseudonyms."""
        self.without_numbers = False
        """With names, beside which no number stands that their pseudonyms have elsewhere, and for some dates alone."""

        def number(value: str) -> Any:
            return lambda r: None if self.without_numbers else getattr(r, value)

        def column(header: str, text: Any, **more: Any) -> Column:
            return Column(header, text, coarse=text, roles=_QUIET, **more)

        super().__init__(
            (
                column(say("radiologist"), self.called, width=200),
                measured(say("findings"), number("n"), whole, roles=_QUIET, width=90),
                measured(say("suggestions"), number("suggestions"), whole, roles=_QUIET, width=96),
                column(say("last made"), _handed_out, sort=_time, width=120),
                column(say("came back"), _came_back, width=170),
                Column(say("files"), _files, coarse=_files, width=300),
                column(say("passphrase"), lambda r: r.passphrase),
            ),
            parent,
        )

    def called(self, r: Radiologist) -> str:
        """The radiologist as called in the list."""
        return self.names.get(r.author, r.author)

    def change(self, changed: Mapping[str, Mapping[str, Any]]) -> None:
        """Change fields of the radiologists, by author."""
        self.update_rows([replace(row, **changed.get(row.author, {})) for row in self.rows])


def _handed_out(r: Radiologist) -> str:
    if r.given.at is not None:
        return day(r.given.at.astimezone().date())
    return say("not yet") if r.enough else say("too few findings")


def _time(r: Radiologist) -> str:
    return r.given.at.isoformat() if r.given.at is not None else ""


def _came_back(r: Radiologist) -> str:
    if r.given.answered is None:
        return ""
    at = day(r.given.answered.astimezone().date())
    contests = counted(r.given.contests, "{n} contest", "{n} contests")
    if not r.given.agreed:
        return f"{contests}, {at}"
    return f"{contests}, {counted(r.given.agreed, '{n} agreed', '{n} agreed')}, {at}"


def _files(r: Radiologist) -> str:
    """The names of the files, or why there are none; both if only some were written."""
    written = [w for w in (r.written, r.kept) if w is not None]
    names = listed(list(dict.fromkeys(path.name for w in written for path in w.files)))
    why = typographic(written[0].failure) if written else ""
    return f"{names}. {why}" if names and why else names or why
