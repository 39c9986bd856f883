"""Files imported before and read again differently: what happens to their earlier reports.

A row read again gives the same report where its accession number is the same, and the last reading holds.  Where
another column is taken for the accession number, the row gives a report of another name, and the workspace would have
it twice; where the row cannot be used any more, the report of the earlier reading would stay, though nothing says so
now.  Neither is done without being asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.errors import InputError
from radcal.records import Modality
from radcal.text import Text, joined

if TYPE_CHECKING:
    import pandas as pd

STORED = ("report_id", "modality", "patient_id", "exam_time", "file", "row")
"""Columns of the workspace's reports that identify a row that is read again, together with ``source``."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A file as it is read now.

    name: as lists of rows have it;  modality: what it is read for, None for both;  source: names its content
    reports: with the columns STORED and ``source``;  replaces: its reports may take the place of earlier ones
    """

    name: str
    modality: Modality | None
    source: str
    reports: pd.DataFrame
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a file that is read now has to do with the reports of the workspace, by their report_id.

    there: those that it gives again
    doubled: those whose rows give a report of another accession number or modality now
    unread: those of its earlier reading whose rows give no report of their own now
    """

    there: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()

    @property
    def stale(self) -> frozenset[str]:
        """Reports of an earlier reading that contradict this one: they give way to it, or it is not imported."""
        return self.doubled | self.unread


def overlap(stored: pd.DataFrame, reading: Reading, given: Collection[str]) -> Overlap:
    """The effect of importing a file on the reports of the workspace.

    A row is the same if the file has the same content, or else if a file of that name has a report of the same
    modality, patient and time in that line: an export that has grown, or was saved once more.  Only of the same
    content is it known that a row gives nothing any more.

    Args:
        stored: all reports of the workspace, with the columns STORED and ``source``.
        reading: the file.
        given: the report_ids that all files of the import give.
    """
    now = reading.reports
    there = frozenset(stored.loc[stored["report_id"].isin(now["report_id"]), "report_id"])
    lost = stored[~stored["report_id"].isin(given)]
    own = lost[(lost["source"] == reading.source) & (lost["source"] != "")]
    of_row = own["row"].isin(now["row"])
    keys = ["file", "row", "modality", "patient_id", "exam_time"]
    alike = lost[lost["file"].isin(now["file"].unique())].merge(now[keys].drop_duplicates(), on=keys)
    doubled = frozenset(own.loc[of_row, "report_id"]) | frozenset(alike["report_id"])
    asked = own["modality"].isin([reading.modality or kind for kind in Modality])
    return Overlap(there, doubled, frozenset(own.loc[asked & ~of_row, "report_id"]) - doubled)


def overlaps(stored: pd.DataFrame | None, readings: Sequence[Reading]) -> list[Overlap]:
    """:func:`overlap` of each file of an import; nothing where the workspace has no reports."""
    if stored is None or stored.empty:
        return [Overlap() for _ in readings]
    given = {report_id for reading in readings for report_id in reading.reports["report_id"]}
    return [overlap(stored, reading, given) for reading in readings]


def require_consent(readings: Sequence[Reading], found: Sequence[Overlap]) -> None:
    """Refuse an import that would count reports twice or remove earlier ones, unless the file may replace them.

    Raises:
        InputError: a file that was not allowed to replace its earlier reading would have to.
    """
    for reading, overlap in zip(readings, found, strict=True):
        if overlap.stale and not reading.replaces:
            before = Text("{name} was imported before and is read in another way now.", name=reading.name)
            raise InputError(
                "{warning} Let this reading take the place of the earlier one (--replace), or read the file as before.",
                warning=joined([before, _doubled(len(overlap.doubled)), _unread(len(overlap.unread))]),
            )


def _doubled(n: int) -> str:
    if not n:
        return ""
    return Text(
        "One of its reports would be counted twice: its row gives another accession number now.",
        many="{n:,} of its reports would be counted twice: their rows give other accession numbers now.",
        n=n,
    )


def _unread(n: int) -> str:
    if not n:
        return ""
    return Text(
        "One of its reports would stay although this reading does not give it.",
        many="{n:,} of its reports would stay although this reading does not give them.",
        n=n,
    )


def removal_notes(readings: Sequence[Reading], found: Sequence[Overlap]) -> tuple[str, ...]:
    """How many reports of earlier readings are removed, in a sentence for each file."""
    return tuple(
        Text("{name} was read again, in another way: one report of its earlier reading was removed.", name=reading.name)
        if len(overlap.stale) == 1
        else Text(
            "{name} was read again, in another way: {n:,} reports of its earlier reading were removed.",
            name=reading.name,
            n=len(overlap.stale),
        )
        for reading, overlap in zip(readings, found, strict=True)
        if overlap.stale
    )
