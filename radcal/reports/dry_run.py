"""A dry run of an import: its effect on the workspace, without writing anything."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

import pandas as pd

from radcal.reports.fingerprints import Fingerprint
from radcal.reports.importing import Importing, ReportFile, names_of
from radcal.reports.no_pairs import why_no_pairs
from radcal.reports.reasons import HELD_SENTENCES
from radcal.reports.records import Import, Modality
from radcal.reports.replacement import Overlap, Reading, overlaps
from radcal.reports.stored_pairs import of_patients
from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress, in_steps
from radcal.system.settings import Settings
from radcal.system.text import EMPTY, Text
from radcal.words.studies import study_of


class Target(Protocol):
    """The department to import into."""

    @property
    def importing(self) -> Importing: ...


Dates = Literal["", "day first", "month first", "mixed"]

_64_BITS = (1 << 64) - 1
_KEPT = 24
"""Number of files in the cache, so that a change to one of them does not read the others again."""


@dataclass(frozen=True, slots=True)
class FilePreview:
    """The expected outcome for one file.

    failure: why it cannot be imported, '' if it can;  again: it was imported before and will be skipped
    rows, rejected: number of rows, and of unusable ones;  xray, ct: number of reports
    dates: 'day first' or 'month first' if assumed without evidence in the file, 'mixed' if it has both and ambiguous
        dates cannot be read; '' if its dates are unambiguous
    reasons: reasons for rejected rows with their counts, the most frequent first
    notes: assumptions made while reading, without the questions about columns, which a Preview has
    there: its reports that are already in the workspace
    doubled: reports in the workspace that would be counted twice: their rows now give other accession numbers
    unread: reports of an earlier reading of the file whose rows now give none
    judged: doubled and unread reports on which people worked, in a gold set or by contesting a finding
    held: rows and messages that may be cut short, and are left out until somebody has looked
    """

    path: Path
    name: str
    failure: str = ""
    again: bool = False
    rows: int = 0
    xray: int = 0
    ct: int = 0
    rejected: int = 0
    dates: Dates = ""
    reasons: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    there: int = 0
    doubled: int = 0
    unread: int = 0
    judged: int = 0
    held: int = 0

    @property
    def stale(self) -> int:
        """Reports of an earlier reading that the import would have to remove."""
        return self.doubled + self.unread


@dataclass(frozen=True, eq=False)
class ImportPreview:
    """The result of a dry run; the totals exclude files that cannot be imported.

    Reports of an earlier reading that contradict the present one count as removed.

    rows, rejected: of these files;  reasons: reasons for rejected rows with their counts, the most frequent first
    reports: usable reports in the workspace afterwards
    pairs_before, pairs: pairs in the workspace, now and afterwards
    attrition: of the workspace afterwards, in records.ATTRITION_COLUMNS
    no_pairs: why there are no pairs, '' if there are some or no reports
    """

    files: tuple[FilePreview, ...]
    rows: int
    rejected: int
    reasons: tuple[tuple[str, int], ...]
    reports: int
    pairs_before: int
    pairs: int
    attrition: pd.DataFrame
    no_pairs: str = ""


@dataclass(frozen=True, eq=False)
class _Seen:
    imported: Import
    dates: Dates


class Rehearsal:
    """Performs dry runs of imports, and caches what it has read, with digests in place of the texts."""

    def __init__(self) -> None:
        self._seen: OrderedDict[object, _Seen] = OrderedDict()
        self._prints: dict[object, Fingerprint] = {}

    def run(
        self, files: Sequence[ReportFile], department: Target | None = None, progress: Progress = SILENT
    ) -> ImportPreview:
        """The effect of importing the files into the department, or into a new one."""
        importing = None if department is None else department.importing
        settings = Settings() if importing is None else importing.context.settings
        known: frozenset[str] = frozenset() if importing is None else importing.known()
        previews: list[FilePreview] = []
        readings: list[Reading] = []
        read: list[Import] = []
        progress.start(len(files), Text("Looking into the report files"))
        for file, name in zip(files, names_of(files), strict=True):
            try:
                its = self._fingerprint(file, progress) if known else Fingerprint("", "")
                if its.reading in known:
                    previews.append(FilePreview(file.path, name, again=True))
                    continue
                seen = self._read(file, name, its.content, settings, importing, progress)
            except InputError as error:
                previews.append(FilePreview(file.path, name, failure=str(error)))
                continue
            finally:
                progress.advance()
            previews.append(_of_file(file.path, name, seen))
            read.append(seen.imported)
            readings.append(Reading(name, file.modality, its.content, seen.imported.reports))
        found: list[Overlap] = []
        if importing is not None:
            found = overlaps(importing.context.workspace, readings)
            previews = _overlapping(previews, readings, found, importing)
        stale = frozenset[str]().union(*(overlap.stale for overlap in found))
        return self._combined(previews, read, importing, stale, settings, progress)

    def _fingerprint(self, file: ReportFile, progress: Progress) -> Fingerprint:
        key = (file.path, _state(file.path), file.way)
        if key not in self._prints:
            self._prints[key] = file.fingerprint(progress)
        return self._prints[key]

    def _read(
        self,
        file: ReportFile,
        name: str,
        source: str,
        settings: Settings,
        importing: Importing | None,
        progress: Progress,
    ) -> _Seen:
        from radcal.reports.deidentify.rows import names_patients, unnamed_note
        from radcal.reports.readers import assembled, read_file

        held = None if importing is None else (importing.context.path, importing.known(), importing.deidentifying.on)
        key = (file.path, _state(file.path), file.way, name, source, settings.study, held)
        seen = self._seen.get(key)
        if seen is None:
            way = (file.modality, file.mapping, file.day_first, progress, source, file.preset)
            part = read_file(file.path, name, *way, study_of(settings))
            progress.raise_if_cancelled()
            named = part.given or not len(part.reports) or names_patients(part)
            if not named and (importing is None or importing.deidentifying.on):
                part.notes.append(unnamed_note([name]))
            if importing is not None:
                part = importing.deidentifying.rehearsed(part, progress)
            imported = assembled([part], settings.trainee_rule, progress)
            dates: Dates = ""
            if part.dates is not None and part.dates.mixed:
                dates = "mixed"
            elif part.dates is not None and part.dates.undecided and not part.dates.decided:
                dates = "day first" if part.dates.day_first else "month first"
            seen = self._seen[key] = _Seen(_without_texts(imported, progress), dates)
        self._seen.move_to_end(key)
        while len(self._seen) > _KEPT:
            self._seen.popitem(last=False)
        return seen

    def _combined(
        self,
        previews: Sequence[FilePreview],
        read: Sequence[Import],
        importing: Importing | None,
        stale: frozenset[str],
        settings: Settings,
        progress: Progress,
    ) -> ImportPreview:
        from radcal.reports.pairing import PairingInParts
        from radcal.reports.readers import combine

        progress.raise_if_cancelled()
        held: Import | None = None
        gone = set(stale)
        stored = importing if importing is not None and importing.is_to_be_paired() else None
        if stored is not None and (held := stored.touched(read)) is not None:
            gone.update(held.reports["report_id"])
            held = _without_texts(held, progress)
        together = combine(read, held=held, withdrawn=stale, trainee_rule=settings.trainee_rule, progress=progress)
        progress.raise_if_cancelled()
        pairing = PairingInParts(settings, together.attrition)
        reports = pairs = 0
        for own, versions in _by_patients(stored, gone, together):
            progress.raise_if_cancelled()
            reports += len(own)
            pairs += len(pairing.pair(own, versions, progress).pairs)
        why = EMPTY
        if not pairs:
            why = why_no_pairs(_all(stored, gone, together, progress), settings, together.attrition)
        return ImportPreview(
            files=tuple(previews),
            rows=together.rows_read,
            rejected=len(together.rejected),
            reasons=_counted(together),
            reports=reports,
            pairs_before=0 if stored is None else stored.context.workspace.count_pairs(),
            pairs=pairs,
            attrition=pairing.attrition(),
            no_pairs=why,
        )


def _by_patients(
    stored: Importing | None, gone: Collection[str], new: Import
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame | None]]:
    """All reports for pairing, new ones in place of those ``gone``, and their versions, some patients at a time."""
    left, rows = new.reports, new.versions
    for reports, versions in () if stored is None else of_patients(stored.context.workspace):
        of_part = left["patient_id"].isin(reports["patient_id"])
        its, left = left[of_part], left[~of_part]
        old, known = (table[~table["report_id"].isin(gone)] for table in (reports, versions))
        yield pd.concat([old, its], ignore_index=True), _with(known, rows, its)
    yield left.reset_index(drop=True), _with(None, rows, left)


def _with(known: pd.DataFrame | None, rows: pd.DataFrame | None, of: pd.DataFrame) -> pd.DataFrame | None:
    """The versions that are known and those of further reports."""
    if rows is None:
        return known
    its = rows[rows["report_id"].isin(of["report_id"])]
    return its if known is None else pd.concat([known, its], ignore_index=True)


def _all(stored: Importing | None, gone: Collection[str], new: Import, progress: Progress) -> pd.DataFrame:
    """All reports for pairing, new ones in place of those that are ``gone``."""
    reports = None if stored is None else stored.reports(progress)
    if reports is None:
        return new.reports
    return pd.concat([reports[~reports["report_id"].isin(gone)], new.reports], ignore_index=True)


def _overlapping(
    previews: Sequence[FilePreview], readings: Sequence[Reading], found: Sequence[Overlap], importing: Importing
) -> list[FilePreview]:
    """The previews with the files' overlap with the workspace."""
    of_name = {reading.name: overlap for reading, overlap in zip(readings, found, strict=True)}

    def compared(preview: FilePreview) -> FilePreview:
        overlap = of_name.get(preview.name, Overlap())
        there, doubled, unread = len(overlap.there), len(overlap.doubled), len(overlap.unread)
        judged = importing.judged(overlap.stale)
        return replace(preview, there=there, doubled=doubled, unread=unread, judged=judged)

    return [compared(preview) for preview in previews]


def _of_file(path: Path, name: str, seen: _Seen) -> FilePreview:
    from radcal.reports.columns import is_question

    imported = seen.imported
    return FilePreview(
        path,
        name,
        rows=imported.rows_read,
        xray=int((imported.reports["modality"] == Modality.XRAY).sum()),
        ct=int((imported.reports["modality"] == Modality.CT).sum()),
        rejected=len(imported.rejected),
        dates=seen.dates,
        reasons=_counted(imported),
        notes=tuple(note for note in imported.notes if not is_question(note)),
        held=int(imported.rejected["reason"].isin(HELD_SENTENCES).sum()),
    )


def _counted(imported: Import) -> tuple[tuple[str, int], ...]:
    counts = imported.rejected["reason"].value_counts(sort=False)
    return tuple(sorted(((str(k), int(n)) for k, n in counts.items()), key=lambda pair: (-pair[1], pair[0])))


def _without_texts(imported: Import, progress: Progress) -> Import:
    versions = imported.versions
    return replace(
        imported,
        reports=_digested(imported.reports, progress),
        versions=None if versions is None else _digested(versions, progress),
    )


def _digested(reports: pd.DataFrame, progress: Progress) -> pd.DataFrame:
    texts = [_digest(text) for text in in_steps(reports["text"], progress)]
    return reports.assign(text=texts).astype({"text": "str"})


def _digest(text: str) -> str:
    """Equal for texts of the same words, which is all that the comparison of report versions needs."""
    return f"{hash(tuple(text.split())) & _64_BITS:016x}"


def _state(path: Path) -> object:
    """Size and modification time of the file, or of all files in the folder.

    Raises:
        InputError: it is missing.
    """
    files = inputs.files_of(path)
    try:
        return tuple((str(file), stat.st_mtime_ns, stat.st_size) for file in files for stat in (file.stat(),))
    except OSError as error:
        raise inputs.refusal(error, path) from error
