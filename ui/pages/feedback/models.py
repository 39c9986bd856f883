"""The radiologists with the files written for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from radcal.system.exports import WORKSPACE_SUFFIX
from radcal.system.selection import ALL_DAYS
from ui.kit.column import Column, RecordModel, measured
from ui.words import listed, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.batch import Written
    from radcal.system.selection import Days

_TIP = Qt.ItemDataRole.ToolTipRole


class BatchColumn(IntEnum):
    """The columns, left to right."""

    AUTHOR = 0
    STATEMENTS = 1
    SUGGESTIONS = 2
    OUTCOME = 3
    PASSPHRASE = 4


@dataclass(frozen=True, slots=True)
class Radiologist:
    """A radiologist with results, and the last files written; None if none.

    n: statements, NaN if not yet counted;  suggestions: None if not computed for the chosen dates
    """

    author: str
    n: float
    suggestions: int | None
    written: Written | None = None


class BatchModel(RecordModel):
    """One row per radiologist, by name."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.names: Mapping[str, str] = {}
        """What radiologists are called in the list: their names, or their pseudonyms."""
        self.named = False
        """Whether these are names, beside which no number stands that their pseudonyms have elsewhere."""
        super().__init__(
            (
                Column(say("radiologist"), self._called, roles={_TIP: _no_tip}, coarse=self._called, width=200),
                measured(
                    say("statements"),
                    lambda r: None if self.named else r.n,
                    whole,
                    roles={_TIP: _no_tip},
                    width=90,
                ),
                measured(
                    say("suggestions"),
                    lambda r: None if self.named else r.suggestions,
                    whole,
                    roles={_TIP: _suggestions_tip},
                    width=96,
                ),
                Column(
                    say("files written"), lambda r: outcome(r.written), coarse=lambda r: outcome(r.written), width=400
                ),
                Column(say("passphrase of the personal file"), _passphrase, roles={_TIP: _no_tip}, coarse=_passphrase),
            ),
            parent,
        )
        self._all: tuple[Radiologist, ...] = ()
        self._days = ALL_DAYS
        self._said: Mapping[str, float] = {}

    def _called(self, r: Radiologist) -> str:
        return self.names.get(r.author, r.author)

    def set_names(self, names: Mapping[str, str], *, named: bool) -> None:
        """Call radiologists otherwise: by ``named``, by their names and without numbers."""
        self.names, self.named = names, named
        self.show_people(named=named)
        self._update()

    def set_days(self, days: Days, said: Mapping[str, float] | None = None) -> None:
        """Show statement counts for the date range as far as known; for all dates they are known.

        The number of suggestions within a date range is known once the pages are written.
        """
        self._days, self._said = days, said or {}
        self._update()

    def set_rows(self, rows: Sequence[Radiologist]) -> None:
        """Show other radiologists."""
        self._all = tuple(rows)
        super().set_rows([self._within(row) for row in rows])

    def set_written(self, written: Sequence[Written]) -> None:
        """Show the outcome of writing; a passphrase stays until replaced."""
        of = {w.author: w for w in written}
        self._put([_together(row.written, of.get(row.author)) for row in self._all])

    def set_handed_out(self, handed_out: Sequence[Written]) -> None:
        """Show earlier personal files unless there is a newer one."""
        of = {w.author: w for w in handed_out}
        self._put([_together(of.get(row.author), row.written) for row in self._all])

    def _put(self, written: Sequence[Written | None]) -> None:
        self._all = tuple(replace(row, written=w) for row, w in zip(self._all, written, strict=True))
        self._update()

    def _update(self) -> None:
        self.update_rows([self._within(row) for row in self._all])

    def _within(self, row: Radiologist) -> Radiologist:
        if not self._days.are_limited:
            return row
        written = row.written
        suggestions = written.suggestions if written is not None and written.days == self._days else None
        return replace(row, n=self._said.get(row.author, math.nan), suggestions=suggestions)


def _passphrase(r: Radiologist) -> str:
    return r.written.passphrase if r.written else ""


def _no_tip(_row: Any) -> None:
    return None


def _suggestions_tip(row: Any) -> str | None:
    return say("Known when the pages of these dates are written") if row.suggestions is None else None


def _together(before: Written | None, now: Written | None) -> Written | None:
    """The new files, with the earlier personal file if there is no newer one."""
    if before is None or now is None or now.passphrase or not before.passphrase:
        return now if now is not None else before
    personal_files = tuple(path for path in before.files if path.suffix == WORKSPACE_SUFFIX)
    return replace(now, files=(*now.files, *personal_files), passphrase=before.passphrase)


def outcome(written: Written | None) -> str:
    """The file names, or why there are none; both if only some were written."""
    if written is None:
        return ""
    names = listed([path.name for path in written.files])
    if not written.failure:
        return names
    why = typographic(written.failure)
    return say("{files} written. {why}", files=names, why=why) if names else why
