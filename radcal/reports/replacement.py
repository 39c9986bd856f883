"""Files imported before and now read in another way: the fate of their earlier reports.

A row with the same accession number gives the same report again, and the latest reading applies.  If another column is
now read as the accession number, the row gives a report of another name, which the workspace would have twice; if the
row is now unusable, the report of the earlier reading would remain without a source.  Neither happens without consent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from radcal.reports.records import Modality
from radcal.system.errors import InputError
from radcal.system.text import Text, joined

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace


@dataclass(frozen=True, eq=False)
class Reading:
    """The present reading of a file.

    name: in lists of rows;  modality: of its reports, None for both;  source: hash of its content
    reports: with the columns workspace.reports.ROW_KEYS and ``source``;  replaces: may replace earlier reports
    """

    name: str
    modality: Modality | None
    source: str
    reports: pd.DataFrame
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """The reports in the workspace affected by the present reading of a file, by report_id.

    there: reports that it gives again
    doubled: reports whose rows now give another accession number or modality
    unread: reports of an earlier reading whose rows now give none
    """

    there: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()

    @property
    def stale(self) -> frozenset[str]:
        """Reports of an earlier reading that contradict the present one: either may be kept, not both."""
        return self.doubled | self.unread


def overlap(stored: pd.DataFrame, reading: Reading, given: Collection[str]) -> Overlap:
    """The effect of importing a file on the reports in the workspace.

    Rows are the same in files of the same content, or, in an export that has grown or was saved again, if a file of
    that name has a report of the same modality, patient and time in that line.  Only in files of the same content is a
    missing report known to be unread.

    Args:
        stored: at least those reports in the workspace that :meth:`Workspace.reports_of_rows` gives for it.
        given: report_ids of all files of the import.
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


def overlaps(
    workspace: Workspace, readings: Sequence[Reading], elsewhere: Sequence[Collection[str]] = ()
) -> list[Overlap]:
    """:func:`overlap` of each file of an import with what the workspace holds.

    Args:
        elsewhere: report_ids of further files of the import, which are imported before or after these.
    """
    from radcal.workspace.reports import ROW_KEYS

    if not (readings and workspace.has_reports(by_rows=True)):
        return [Overlap() for _ in readings]
    rows = pd.concat([reading.reports[list(ROW_KEYS)] for reading in readings])
    stored = workspace.reports_of_rows(rows, dict.fromkeys(reading.source for reading in readings))
    given = set(rows["report_id"].tolist())
    given.update(i for i in stored["report_id"] if any(i in ids for ids in elsewhere))
    return [overlap(stored, reading, given) for reading in readings]


def require_consent(readings: Sequence[Reading], found: Sequence[Overlap]) -> None:
    """Refuse an import that would count reports twice or remove earlier ones without consent.

    Raises:
        InputError: a file would have to replace its earlier reading, but may not.
    """
    for reading, overlap in zip(readings, found, strict=True):
        if overlap.stale and not reading.replaces:
            before = Text("{name} was imported before and is read in another way now.", name=reading.name)
            doubled = Text(
                "One of its reports would be counted twice: its row gives another accession number now.",
                many="{n:,} of its reports would be counted twice: their rows give other accession numbers now.",
                n=len(overlap.doubled),
            )
            unread = Text(
                "One of its reports would stay although this reading does not give it.",
                many="{n:,} of its reports would stay although this reading does not give them.",
                n=len(overlap.unread),
            )
            some = [said for said, of in ((doubled, overlap.doubled), (unread, overlap.unread)) if of]
            raise InputError(
                "{warning} Let this reading take the place of the earlier one (--replace), or read the file as before.",
                warning=joined([before, *some]),
            )


def removal_notes(readings: Sequence[Reading], found: Sequence[Overlap]) -> tuple[str, ...]:
    """The number of removed reports of earlier readings, in a sentence per file."""
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
