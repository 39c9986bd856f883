"""Files to pairs: report files are read into the workspace, and X-ray reports joined to CT reports."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.errors import DataError, InputError
from radcal.language.stored import text_of
from radcal.progress import SILENT, Progress
from radcal.records import REPORT_COLUMNS, Import, Modality, Pairing, Unread
from radcal.text import Text, joined
from radcal.workflow.context import ANALYSED_FILES, FILE_CONTENTS, IMPORTED_FILES, REPORT_VERSIONS
from radcal.workflow.imports.fingerprints import Fingerprint, fingerprint
from radcal.workflow.imports.replacement import STORED, Reading, overlaps, removal_notes, require_consent

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workflow.context import Context
    from radcal.workflow.keeping.schedule import Copies
    from radcal.workflow.results.contests import Contests

_BATCH = 10_000
"""Reports that are read between two looks at whether to stop."""
_ATTRITION, _IMPORTED = "attrition of reading", "import"


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report file and how it is to be read.

    modality: what it holds where it does not say so; None for a file that names each report's
    mapping: fields to columns, where these are not recognised
    day_first: whether 03/04/2024 is 3 April; None to let the file's own dates decide
    replaces: what an earlier reading of the file gave and this one does not is removed from the workspace
    """

    path: Path
    modality: Modality | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    day_first: bool | None = None
    replaces: bool = False

    @property
    def way(self) -> tuple[Modality | None, tuple[tuple[str, str], ...], bool | None]:
        """How it is read; files read in the same way are read together."""
        return self.modality, tuple(sorted(self.mapping.items())), self.day_first

    def fingerprint(self, progress: Progress = SILENT) -> Fingerprint:
        """The file's fingerprint in the workspace.

        Raises:
            InputError: the file is missing or cannot be read.
        """
        order = {None: "", True: " day first", False: " month first"}[self.day_first]
        return fingerprint(self.path, f"{self.modality or ''}{order}", self.mapping, progress)


@dataclass(frozen=True, slots=True)
class PastImport:
    """An import of the workspace's history.

    at: when, UTC;  files: their names, none where an earlier RadCal imported them
    new, changed, unchanged: reports;  rejected: rows that could not be used
    notes: what was assumed while reading, in sentences
    readings: fingerprints of the files as they were read; none where an earlier RadCal imported them
    """

    at: datetime
    files: tuple[str, ...]
    rows_read: int
    new: int
    changed: int
    unchanged: int
    rejected: int
    notes: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


def as_files(
    reports: Sequence[Path] = (),
    xray: Sequence[Path] = (),
    ct: Sequence[Path] = (),
    mapping: Mapping[str, str] | None = None,
    day_first: bool | None = None,
    *,
    replaces: bool = False,
) -> list[ReportFile]:
    """Files of either modality, of X-ray and of CT reports, all read in the same way."""
    kinds = ((reports, None), (xray, Modality.XRAY), (ct, Modality.CT))
    return [
        ReportFile(path, modality, dict(mapping or {}), day_first, replaces)
        for paths, modality in kinds
        for path in paths
    ]


class Importing:
    """Reads report files into a workspace and pairs what is in it."""

    def __init__(self, context: Context, contests: Contests, copies: Copies) -> None:
        self._context, self._workspace = context, context.workspace
        self._contests = contests
        self._copies = copies
        self._asked: frozenset[str] = frozenset()

    # --- reading -----------------------------------------------------------------------------------

    def import_reports(
        self, files: Sequence[ReportFile], progress: Progress = SILENT, *, leave_out: bool = False
    ) -> Import:
        """Read report files into the workspace, all of them or none; unusable rows are listed in the result and stored.

        Files may come in any order: versions of one report are settled with those read before.  A file that was
        imported before and has not changed is left out, so that an import can be repeated.  Before reports are
        replaced, a backup is made.

        Args:
            files: what is read.
            progress: one part for each file, then one for each report.
            leave_out: files that cannot be read are listed in ``unread`` of the result, and the others are read.

        Raises:
            InputError: a file that cannot be read at all (with ``leave_out``, all files), a needed column that is
                missing, or a file that was imported before and would have to replace its earlier reading, and may not.
            Cancelled: nothing was imported.
        """
        notes = []
        if any(file.replaces for file in files):
            try:
                self._copies.back_up_before(progress)
            except InputError as error:
                notes.append(joined([Text("No backup was made before reports were replaced."), error.text]))
        read = self._import(files, progress, leave_out=leave_out)
        return replace(read, notes=(*read.notes, *notes))

    def _import(self, files: Sequence[ReportFile], progress: Progress, *, leave_out: bool) -> Import:
        from radcal.ingest.readers import combine, read_reports
        from radcal.ingest.rows import empty_reports
        from radcal.ingest.table import rejected_frame

        if not files:
            raise InputError("No report files were given.")
        rule = self._context.settings.trainee_rule
        known = self.known()
        prints, unread = _fingerprints(files, progress, leave_out=leave_out)
        self._asked = frozenset(its.reading for _, its in prints)
        again = [file.path.name for file, its in prints if its.reading in known]
        fresh = _named([(file, its) for file, its in prints if its.reading not in known])
        read: list[tuple[ReportFile, Import]] = []
        for alike in _alike(fresh):
            first = alike[0].file
            imported = read_reports(
                [f.file.path for f in alike],
                names=[f.name for f in alike],
                sources=[f.its.content for f in alike],
                modality=first.modality,
                mapping=first.mapping,
                day_first=first.day_first,
                trainee_rule=rule,
                all_mapped=False,
                leave_out=leave_out,
                progress=progress,
            )
            read.append((first, imported))
            unread += imported.unread
        if len(unread) == len(files):
            raise InputError(joined([file.reason for file in unread]))
        notes = (Text("Imported before, and not read again: {files}.", files=", ".join(again)),) if again else ()
        left_out = {file.file for file in unread}
        if left_out.issuperset(f.name for f in fresh):
            return Import(empty_reports(), rejected_frame([]), 0, {}, notes=notes, unread=tuple(unread))
        if not (again or unread):  # files that are not read may be those that have the column
            _require_mapped(read)
        progress.raise_if_cancelled()
        parts = [imported for _, imported in read]
        readings = _readings(fresh, parts)
        fresh = [f for f in fresh if f.name not in left_out]
        found = overlaps(self.compared(), readings)
        require_consent(readings, found)
        stale = frozenset[str]().union(*(overlap.stale for overlap in found))
        held, others = self._touched(parts, stale)
        new = combine(parts, held=held, withdrawn=stale, trainee_rule=rule, progress=progress)
        new = replace(new, notes=(*new.notes, *removal_notes(readings, found)), unread=tuple(unread))
        progress.raise_if_cancelled()
        with self._workspace.transaction():
            counts = self._workspace.save_import(new, progress=progress)
            self._workspace.remove_reports(stale)  # now that their texts may belong to reports of other names
            progress.raise_if_cancelled()
            self._workspace.save_frame(REPORT_VERSIONS, _stacked([*others, new.reports[_version_columns()]]))
            progress.raise_if_cancelled()
            if new.attrition is not None:
                self._workspace.save_frame(_ATTRITION, new.attrition)
            self._workspace.save_result(
                _IMPORTED,
                str(counts.import_id),
                {
                    "files": [f.name for f in fresh],
                    "notes": [Text(note).record() for note in new.notes],
                    "readings": [f.its.reading for f in fresh],
                },
                {},
            )
            self._remember(known, fresh)
        return replace(new, notes=(*notes, *new.notes))

    def _touched(self, read: Sequence[Import], stale: Collection[str]) -> tuple[Import | None, list[pd.DataFrame]]:
        """What earlier imports left: reports of which further rows were read, as an import; versions of the others.

        ``stale`` names reports that are about to be removed.
        """
        from radcal.ingest.table import rejected_frame

        own = self._versions()
        if own is None:
            return None, []
        again = own["report_id"].isin({i for imported in read for i in imported.reports["report_id"]})
        reports = self._workspace.reports(ids=own.loc[again, "report_id"]).merge(
            own[again], on="report_id", validate="one_to_one"
        )
        others = own[~again & ~own["report_id"].isin(stale)]
        return Import(reports, rejected_frame([]), 0, {}, attrition=self.attrition_of_reading()), [others]

    def _versions(self) -> pd.DataFrame | None:
        """report_id and VERSION_COLUMNS of all reports; older workspaces do not know what content files had."""
        own = self._workspace.load_frame(REPORT_VERSIONS)
        return own if own is None or "source" in own.columns else own.assign(source="").astype({"source": "str"})

    def _remember(self, known: frozenset[str], fresh: Sequence[_Fresh]) -> None:
        """Store which files were imported; a reading that was replaced can be imported again."""
        contents: dict[str, list[str]] = json.loads(self._workspace.get_meta(FILE_CONTENTS) or "{}")
        marks = set(known)
        for f in fresh:
            modality = str(f.file.modality or "")
            for mark, (content, of) in list(contents.items()):
                if content == f.its.content and (of == modality or not (of and modality)):
                    marks.discard(mark)
                    del contents[mark]
        for f in fresh:
            marks.add(f.its.reading)
            contents[f.its.reading] = [f.its.content, str(f.file.modality or "")]
        if known - marks:  # readings that come back must not be taken for those that were analysed
            self._workspace.set_meta(ANALYSED_FILES, "")
        self._workspace.set_meta(IMPORTED_FILES, json.dumps(sorted(marks)))
        self._workspace.set_meta(FILE_CONTENTS, json.dumps(contents, sort_keys=True))

    # --- what is there -----------------------------------------------------------------------------

    def known(self) -> frozenset[str]:
        """The fingerprints of the files that were imported."""
        return frozenset(json.loads(self._workspace.get_meta(IMPORTED_FILES) or "[]"))

    def reports(self, progress: Progress = SILENT) -> pd.DataFrame | None:
        """The reports as they are paired: REPORT_COLUMNS and VERSION_COLUMNS, texts left empty; None if none came.

        Texts are most of a workspace, and play no part in pairing.

        Raises:
            Cancelled: by ``progress``.
        """
        own = self._versions()
        if own is None:
            return None
        columns = [name for name in REPORT_COLUMNS if name != "text"]
        parts = []
        for start in range(0, max(len(own), 1), _BATCH):
            progress.raise_if_cancelled()
            some = own.iloc[start : start + _BATCH]
            reports = self._workspace.reports(columns, ids=some["report_id"])
            parts.append(reports.merge(some, on="report_id", validate="one_to_one"))
        return _stacked(parts).assign(text="")

    def compared(self) -> pd.DataFrame | None:
        """All reports by what tells rows again: rereading.STORED and ``source``; None without any."""
        own = self._versions()
        if own is None:
            return None
        return self._workspace.reports(STORED).merge(
            own[["report_id", "source"]], on="report_id", validate="one_to_one"
        )

    def judged(self, ids: Collection[str]) -> int:
        """On how many of these reports people worked: read for a gold set, or contested a finding."""
        if not ids:
            return 0
        contested = {c.xray_id for c in self._contests.all()}
        return len((contested | self._workspace.gold_marked()).intersection(ids))

    def texts(self, ids: Sequence[str]) -> pd.DataFrame:
        """report_id and text of some reports."""
        return self._workspace.reports(("report_id", "text"), ids)

    def n_pairs(self) -> int:
        """How many pairs the workspace has."""
        return len(self._workspace.pairs())

    def attrition_of_reading(self) -> pd.DataFrame | None:
        """Where rows of all imports dropped out while they were read, in ATTRITION_COLUMNS."""
        return self._workspace.load_frame(_ATTRITION)

    def history(self) -> tuple[PastImport, ...]:
        """The imports of the workspace, the latest first."""
        table = self._workspace.imports()
        about = {key: stored.payload for key, stored in self._workspace.results(_IMPORTED).items()}
        rows = table.drop(columns="mapping").itertuples(index=False, name=None)

        def noted(number: int, what: str) -> tuple[str, ...]:
            return tuple(map(text_of, about.get(str(number), {}).get(what, ())))

        return tuple(
            PastImport(
                at.to_pydatetime(),
                noted(number, "files"),
                rows_read,
                new,
                changed,
                same,
                rejected,
                noted(number, "notes"),
                noted(number, "readings"),
            )
            for number, at, rows_read, new, changed, same, rejected in reversed(list(rows))
        )

    def asked_for(self) -> tuple[PastImport, ...]:
        """The imports of the files that were given last, in their order; all imports where no files were given.

        A run that was stopped and goes on does not read its files again: what they gave is listed here all the same.
        """
        found, open_ = [], set(self._asked)
        for past in self.history():
            if not self._asked or open_.intersection(past.readings):
                open_.difference_update(past.readings)
                found.append(past)
        return tuple(reversed(found))

    # --- pairing -----------------------------------------------------------------------------------

    def pair(self, progress: Progress = SILENT) -> Pairing:
        """Pair the X-ray and CT reports of the workspace and store the pairs and the attrition.

        Raises:
            DataError: nothing was imported.
            Cancelled: by ``progress``; nothing was stored.
        """
        from radcal.ingest.pairing import pair

        reports = self.reports(progress)
        if reports is None:
            raise DataError("There are no reports yet. Import report files first.")
        progress.raise_if_cancelled()
        pairing = pair(reports, self._context.settings, reading=self.attrition_of_reading(), progress=progress)
        progress.raise_if_cancelled()
        self._workspace.save_pairing(pairing)
        return pairing


def names_of(files: Sequence[ReportFile]) -> list[str]:
    """How the files are called in lists of rows: as they are named, with the folder where two are called alike."""
    from radcal.ingest.files import labels

    return labels([file.path for file in files])


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A file to be read: its display name and its fingerprint."""

    file: ReportFile
    name: str
    its: Fingerprint


def _fingerprints(
    files: Sequence[ReportFile], progress: Progress, *, leave_out: bool
) -> tuple[list[tuple[ReportFile, Fingerprint]], list[Unread]]:
    """What each file is known by, and the files that cannot be opened.

    Raises:
        InputError: a file cannot be opened, and none is to be left out.
    """
    prints, unread = [], []
    for file, name in zip(files, names_of(files), strict=True):
        try:
            prints.append((file, file.fingerprint(progress)))
        except InputError as error:
            if not leave_out:
                raise
            unread.append(Unread(name, str(error)))
    return prints, unread


def _named(files: Sequence[tuple[ReportFile, Fingerprint]]) -> list[_Fresh]:
    names = names_of([file for file, _ in files])
    return [_Fresh(file, name, its) for (file, its), name in zip(files, names, strict=True)]


def _alike(files: Sequence[_Fresh]) -> list[list[_Fresh]]:
    """The files in groups that are read in the same way."""
    groups: dict[object, list[_Fresh]] = {}
    for fresh in files:
        groups.setdefault(fresh.file.way, []).append(fresh)
    return list(groups.values())


def _readings(files: Sequence[_Fresh], parts: Sequence[Import]) -> list[Reading]:
    """What each file gave, out of what files that are read alike gave together."""
    readings = []
    for alike, part in zip(_alike(files), parts, strict=True):
        for f in alike:
            its = part.reports[part.reports["source"] == f.its.content]
            readings.append(Reading(f.name, f.file.modality, f.its.content, its, f.file.replaces))
    return readings


def _version_columns() -> list[str]:
    from radcal.ingest.versions import VERSION_COLUMNS

    return ["report_id", *VERSION_COLUMNS]


def _require_mapped(read: Sequence[tuple[ReportFile, Import]]) -> None:
    """X-ray and CT files may have columns of different names: each that was named must be in one of them."""
    from radcal.ingest.columns import simplified

    for mapping in {tuple(sorted(file.mapping.items())): file.mapping for file, _ in read}.values():
        alike = [imported for file, imported in read if file.mapping == mapping]
        for name, column in mapping.items():
            there = [i.mapping.get(name, "") for i in alike]
            names = {n for text in there for n in (text, *text.split(" / "))}
            if simplified(column) not in {simplified(n) for n in names}:
                raise InputError(
                    "No column {column!r}, to which {name} was mapped, is in any of the files. "
                    "Check how the column is written.",
                    column=column,
                    name=name,
                )


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(frames, ignore_index=True)
