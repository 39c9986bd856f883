"""From files to pairs: imports report files into the workspace, and pairs X-ray with CT reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from radcal.reports.deidentify.stored import Deidentification, Deidentifying, notes_of
from radcal.reports.fingerprints import Fingerprint, fingerprint
from radcal.reports.grouping import in_groups, together
from radcal.reports.naming import under_pseudonyms
from radcal.reports.records import NO_PRESET, Attribution, Import, Modality, PairingSummary, Preset, Unread
from radcal.reports.replacement import Reading, overlaps, removal_notes, require_consent
from radcal.reports.storage import save_import
from radcal.reports.stored_pairs import BLANK, PAIRED_BY, attribution, pair_reports
from radcal.reports.table import rejected_frame
from radcal.system.errors import DataError, InputError, RadcalError
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.text import EMPTY, Text, joined, made_of
from radcal.words.languages import language_note
from radcal.words.studies import study_of
from radcal.workspace.columns import REPORT_COLUMNS, VERSION_COLUMNS
from radcal.workspace.context import ANALYSED_FILES, CLEAN_FILES, FILE_CONTENTS, IMPORTED_FILES, Context
from radcal.workspace.schedule import Copies

if TYPE_CHECKING:
    from radcal.reports.rows import Part

_BATCH = 10_000
"""Reports that are read between two looks at whether to stop."""
_ATTRITION, _IMPORTED = "attrition of reading", "import"


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report file and how to read it.

    modality: of all its reports; None if the file states that of each
    mapping: fields to columns that are not recognised
    day_first: True if 03/04/2024 is 3 April; None to infer it from the file's dates
    replaces: remove reports of an earlier reading of the file that this one does not give
    preset: of the system that it comes from
    """

    path: Path
    modality: Modality | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    day_first: bool | None = None
    replaces: bool = False
    preset: Preset = NO_PRESET

    @property
    def way(self) -> tuple[Modality | None, tuple[tuple[str, str], ...], bool | None, Preset]:
        """The options of reading; files with the same are read together."""
        return self.modality, tuple(sorted(self.mapping.items())), self.day_first, self.preset

    def fingerprint(self, progress: Progress = SILENT) -> Fingerprint:
        """The file's fingerprint in the workspace.

        Raises:
            InputError: the file is missing or cannot be read.
        """
        order = {None: "", True: " day first", False: " month first"}[self.day_first]
        preset = f" {self.preset}" if self.preset != NO_PRESET else ""
        return fingerprint(self.path, f"{self.modality or ''}{order}{preset}", self.mapping, progress)


@dataclass(frozen=True, slots=True)
class PastImport:
    """An import of the workspace's history.

    at: when, UTC;  files: their names
    new, changed, unchanged: reports;  rejected: rows that could not be used
    notes: what was assumed while reading, in sentences
    readings: fingerprints of the files as they were read
    removed: what was taken out of the reports
    left_out: rows that dropped out while reading, rejected ones among them, by the reason
    empty: why no report of a file could be used, by its fingerprint
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
    removed: Deidentification = field(default_factory=Deidentification)
    left_out: Mapping[Text, int] = field(default_factory=dict)
    empty: Mapping[str, Text] = field(default_factory=dict)


def as_files(
    reports: Sequence[Path] = (),
    xray: Sequence[Path] = (),
    ct: Sequence[Path] = (),
    mapping: Mapping[str, str] | None = None,
    day_first: bool | None = None,
    *,
    replaces: bool = False,
    preset: Preset = NO_PRESET,
) -> list[ReportFile]:
    """Files of both modalities, of X-ray and of CT reports, with the same options."""
    kinds = ((reports, None), (xray, Modality.XRAY), (ct, Modality.CT))
    return [
        ReportFile(path, modality, dict(mapping or {}), day_first, replaces, preset)
        for paths, modality in kinds
        for path in paths
    ]


class Importing:
    """Imports report files into a workspace and pairs its reports."""

    def __init__(
        self,
        context: Context,
        copies: Copies,
        contested: Callable[[], Collection[str]] = tuple,
        rewritten: Callable[[], None] = lambda: None,
    ) -> None:
        """Open the imports of a workspace.

        Args:
            contested: returns the X-ray reports of which somebody contests a finding.
            rewritten: is called when stored texts were replaced.
        """
        self.context, self._workspace = context, context.workspace
        self._contested = contested
        self._copies = copies
        self._asked: frozenset[str] = frozenset()
        self.deidentifying = Deidentifying(context, rewritten)

    def import_reports(
        self, files: Sequence[ReportFile], progress: Progress = SILENT, *, leave_out: bool = False
    ) -> Import:
        """Import report files; unusable rows are listed in the result and stored.

        Files of up to GROUP_BYTES are imported all or none.  More are imported in groups of that size, each all or
        none: what all of them must have is looked at before, and groups that were imported before a stop or a failure
        stay, as its message says.  Files may come in any order: versions of a report are reconciled with earlier ones.
        Unchanged files imported before are skipped, so that an import can be repeated.  Before replacing reports or
        their texts, a backup is made where backups are scheduled.

        Args:
            progress: advances by files, then by reports.
            leave_out: list unreadable files in ``unread`` of the result and import the others.

        Returns:
            What was imported; its reports only where all files were one group, the attrition of all imports.

        Raises:
            InputError: an unreadable file (with ``leave_out``, all files), a missing column, or a file imported
                before that would replace its earlier reading without ``replaces``.
            Cancelled: by ``progress``; of the group that it stopped nothing was imported.
        """
        from radcal.reports.rows import empty_reports

        if not files:
            raise InputError("No report files were given.")
        self._asked = frozenset()
        known = self.known()
        prints, unread = _fingerprints(files, progress, leave_out=leave_out)
        self._asked = frozenset(its.reading for _, its in prints)
        again = [file.path.name for file, its in prints if its.reading in known]
        fresh = _named([(file, its) for file, its in prints if its.reading not in known])
        if fresh and self.context.names.kept_apart:
            self.context.names.required()  # before the files are read
        before = {content for content, _ in self._contents().values()}
        # Files that are read in another way now may ask for consent: before anything is stored.
        groups = in_groups(fresh, lambda f: f.file.path, first=lambda f: f.its.content in before)
        seen = [_Seen() for _ in groups]
        all_mapped = not (again or unread)  # a mapped column may be in a file that was skipped
        if len(groups) > 1:
            seen, left = self._looked_through(groups, progress, all_mapped=all_mapped, leave_out=leave_out)
            unread += left
            gone = {file.file for file in left}
            groups = [[f for f in group if f.name not in gone] for group in groups]
            all_mapped = False
        told: list[Import] = []
        done, back_up = 0, cache(partial(self._backed_up, progress))
        notes = [Text("Imported before, and not read again: {files}.", files=", ".join(again))] if again else []
        try:
            for i, group in enumerate(groups):
                if not group:
                    continue
                others = seen[:i] + seen[i + 1 :]
                imported, missed = self._import_group(
                    group, others, progress, all_mapped=all_mapped, leave_out=leave_out, back_up=back_up
                )
                unread += missed
                if imported is not None:
                    if len(groups) > 1:  # they are in the workspace
                        imported = replace(imported, reports=empty_reports(), versions=None)
                    told.append(imported)
                done += len(group) - len(missed)
                del imported  # or its texts would be in memory beside those of the next group
        except RadcalError as error:
            if told:
                error.also(
                    Text(
                        "{done:,} of {files:,} files were imported before that and stay. Import all of them again: "
                        "these are skipped.",
                        done=done,
                        files=len(fresh),
                    )
                )
            raise
        if len(unread) == len(files):
            raise InputError(joined([file.reason for file in unread]))
        whole = together(told) if told else Import(empty_reports(), rejected_frame([]), 0, {})
        why: dict[str, Text] = {}
        for past in reversed(self.history()):  # the latest reading of a file tells
            why |= {reading: past.empty.get(reading, EMPTY) for reading in past.readings}
        empty = [Unread(file.path.name, str(said)) for file, its in prints if (said := why.get(its.reading))]
        return replace(whole, notes=(*notes, *whole.notes), unread=tuple(unread), empty=tuple(empty))

    def _looked_through(
        self, groups: Sequence[Sequence[_Fresh]], progress: Progress, *, all_mapped: bool, leave_out: bool
    ) -> tuple[list[_Seen], list[Unread]]:
        """A first look into the files of several groups, one after the other, before anything is stored.

        Returns:
            What is in each group, and the files that cannot be read.

        Raises:
            InputError: as :meth:`import_reports`.
        """
        from radcal.reports.deidentify.rows import known_of, patients_in, staff_in

        unread, columns = list[Unread](), list[tuple[ReportFile, Mapping[str, str]]]()
        progress.start(sum(map(len, groups)), Text("Looking into the report files"))
        seen = [_Seen() for _ in groups]
        for its, f in ((its, f) for its, group in zip(seen, groups, strict=True) for f in group):
            parts, left = self._read([f], Unseen(progress), leave_out=leave_out)
            its.staff.update(staff_in(known_of(parts)))
            for patient, names in patients_in(parts).items():
                its.patients.setdefault(patient, {}).update(names)
            its.reports.update(i for part in parts for i in part.reports["report_id"].tolist())
            columns += [(f.file, part.layout.names) for part in parts]
            unread += left
            progress.advance(1, Text(f.name))
        if all_mapped and not unread:
            _require_mapped(columns)
        return seen, unread

    def _read(
        self, files: Sequence[_Fresh], progress: Progress, *, leave_out: bool
    ) -> tuple[list[Part], Sequence[Unread]]:
        """The rows of files with the same options of reading, and those files that cannot be read."""
        from radcal.reports.readers import read_parts

        first = files[0].file
        return read_parts(
            [f.file.path for f in files],
            names=[f.name for f in files],
            sources=[f.its.content for f in files],
            modality=first.modality,
            mapping=first.mapping,
            day_first=first.day_first,
            all_mapped=False,
            leave_out=leave_out,
            preset=first.preset,
            study=study_of(self.context.settings),
            progress=progress,
        )

    def _import_group(
        self,
        group: Sequence[_Fresh],
        others: Sequence[_Seen],
        progress: Progress,
        *,
        all_mapped: bool,
        leave_out: bool,
        back_up: Callable[[], Sequence[Text]],
    ) -> tuple[Import | None, Sequence[Unread]]:
        """Import some files, all or none; None if none of them can be read.

        Args:
            others: what is in the other groups.
            all_mapped: every mapped column must be in one of these files.
            back_up: makes a backup before anything is replaced, once for all groups; says why none could be made.

        Returns:
            What was imported, and the files that cannot be read.
        """
        from radcal.reports.readers import assembled, combine, rows_lost, why_empty

        rule = self.context.settings.trainee_rule
        rows: list[tuple[ReportFile, list[Part]]] = []
        unread: list[Unread] = []
        for alike in _alike(group):
            some, left = self._read(alike, progress, leave_out=leave_out)
            rows.append((alike[0].file, some))
            unread += left
        left_out = {file.file for file in unread}
        if left_out.issuperset(f.name for f in group):
            return None, unread
        progress.raise_if_cancelled()
        # Before anything else sees the texts; radiologists' names are known to it only here.
        staff, patients = _people_in(others, {i for _, its in rows for p in its for i in p.reports["patient_id"]})
        stored = self.deidentifying.read([part for _, its in rows for part in its], progress, staff, patients)
        read_of = [f.its.reading for alike in _alike(group) for f in alike if f.name not in left_out]
        fresh = [replace(f, name=stored.names.get(f.name, f.name)) for f in group]
        left_out = {stored.names.get(name, name) for name in left_out}
        called = {f.its.reading: f.name for f in fresh}
        empty = {r: why_empty(part, called[r]) for r, part in zip(read_of, stored.parts, strict=True)}
        made = iter(stored.parts)
        read = [(first, assembled([next(made) for _ in its], rule, progress)) for first, its in rows]
        if all_mapped and not unread:
            _require_mapped([(file, imported.mapping) for file, imported in read])
        progress.raise_if_cancelled()
        parts = under_pseudonyms(self.context.names, [imported for _, imported in read])
        readings = _readings(fresh, parts)
        fresh = [f for f in fresh if f.name not in left_out]
        found = overlaps(self._workspace, readings, [its.reports for its in others])
        require_consent(readings, found)
        stale = frozenset[str]().union(*(overlap.stale for overlap in found))
        not_copied: Sequence[Text] = ()
        if stored.rewrites_texts or any(f.file.replaces for f in fresh):
            not_copied = back_up()
        progress.raise_if_cancelled()
        with self._workspace.transaction():
            self.deidentifying.rewrite(stored)
            held = self.touched(parts)
            new = combine(parts, held=held, withdrawn=stale, trainee_rule=rule, progress=progress)
            written = new.reports
            if study_of(self.context.settings).outcomes:  # "yes" and "ja" are no reports
                written = written[written["modality"] != Modality.CT]
            spoken = language_note(written["text"])
            new = replace(new, notes=(*new.notes, *([spoken] if spoken else ()), *removal_notes(readings, found)))
            progress.raise_if_cancelled()
            before = {content for content, _ in self._contents().values()}
            self._workspace.forget_rejected(f.name for f in fresh if f.its.content in before)
            counts = save_import(self._workspace, new, progress=progress)
            self._workspace.remove_reports(stale)  # only now, as other reports may share their texts
            if held is not None:
                self._workspace.drop_rows(set(held.reports["report_id"]) - set(new.reports["report_id"]))
            progress.raise_if_cancelled()
            if new.attrition is not None:
                self._workspace.save_frame(_ATTRITION, new.attrition)
            removed = self.deidentifying.keep(stored)
            new = replace(new, notes=tuple(filter(None, (*new.notes, notes_of(removed)))))
            self._workspace.save_result(
                _IMPORTED,
                str(counts.import_id),
                {
                    "files": [f.name for f in fresh],
                    "notes": [Text(note).record() for note in new.notes],
                    "readings": [f.its.reading for f in fresh],
                    "removed": {"reports": removed.reports, "changed": removed.changed, "kinds": dict(removed.kinds)},
                    "left_out": [[Text(why).record(), n] for why, n in rows_lost(stored.parts).items()],
                    "empty": {reading: why.record() for reading, why in empty.items() if why},
                },
                {},
            )
            self._remember(fresh)
        return replace(new, notes=(*new.notes, *not_copied)), unread

    def _backed_up(self, progress: Progress) -> list[Text]:
        """Make a backup where backups are scheduled; says why none could be made."""
        try:
            self._copies.back_up_before(progress)
        except InputError as error:
            return [joined([Text("No backup was made before reports were replaced."), error.text])]
        return []

    def touched(self, read: Sequence[Import]) -> Import | None:
        """The stored reports with new rows, as an import; None if there are no reports at all."""
        if not self._workspace.has_reports(by_rows=True):
            return None
        ids = dict.fromkeys(i for imported in read for i in imported.reports["report_id"])
        reports = self._workspace.reports((*REPORT_COLUMNS, *VERSION_COLUMNS), ids)
        versions = self._workspace.versions(reports["report_id"])
        attrition = self.attrition_of_reading()
        return Import(reports, rejected_frame([]), 0, {}, attrition=attrition, versions=versions)

    def _remember(self, fresh: Sequence[_Fresh]) -> None:
        """Store which files were imported; forget readings that were replaced, which may be imported again."""
        contents = self._contents()
        known = self._marks(IMPORTED_FILES)
        marks, clean = set(known), set(self._marks(CLEAN_FILES))
        for f in fresh:
            modality = str(f.file.modality or "")
            for mark, (content, of) in list(contents.items()):
                if content == f.its.content and (of == modality or not (of and modality)):
                    marks.discard(mark)
                    del contents[mark]
        for f in fresh:
            marks.add(f.its.reading)
            contents[f.its.reading] = [f.its.content, str(f.file.modality or "")]
        if known - marks:  # a reading imported again must not pass for the analysed one
            self._workspace.set_meta(ANALYSED_FILES, "")
        read = {f.its.reading for f in fresh}
        clean = (clean | read if self.deidentifying.on else clean - read) & marks
        self._workspace.set_meta(IMPORTED_FILES, json.dumps(sorted(marks)))
        self._workspace.set_meta(CLEAN_FILES, json.dumps(sorted(clean)))
        self._workspace.set_meta(FILE_CONTENTS, json.dumps(contents, sort_keys=True))

    def _contents(self) -> dict[str, list[str]]:
        """The content of each imported file and the modality it was read for, by its fingerprint."""
        return dict(json.loads(self._workspace.get_meta(FILE_CONTENTS) or "{}"))

    def known(self) -> frozenset[str]:
        """The fingerprints of the imported files that need not be read again.

        Where reports are to be de-identified, files that were imported without that are read again.
        """
        return self._marks(CLEAN_FILES if self.deidentifying.on else IMPORTED_FILES)

    def _marks(self, key: str) -> frozenset[str]:
        return frozenset(json.loads(self._workspace.get_meta(key) or "[]"))

    def reports(self, progress: Progress = SILENT) -> pd.DataFrame | None:
        """The reports for pairing: REPORT_COLUMNS and VERSION_COLUMNS; None without any.

        Columns that say nothing to pairing, such as the texts, which are the bulk of a workspace, are blank.
        """
        if not self.is_to_be_paired():
            return None
        parts = []
        for part in self._workspace.reports_in_parts(PAIRED_BY, _BATCH):
            progress.raise_if_cancelled()
            parts.append(part)
        return pd.concat(parts, ignore_index=True).assign(**BLANK)

    def is_to_be_paired(self) -> bool:
        """Whether there are reports for pairing, or files were read of which no report could be used."""
        workspace = self._workspace
        nothing_usable = not workspace.has_reports() and self.attrition_of_reading() is not None
        return workspace.has_reports(by_rows=True) or nothing_usable

    def judged(self, ids: Collection[str]) -> int:
        """The number of these reports on which people worked: in a gold set, or by contesting a finding."""
        if not ids:
            return 0
        return len(self._workspace.gold_marked().union(self._contested()).intersection(ids))

    def attrition_of_reading(self) -> pd.DataFrame | None:
        """Where rows of all imports dropped out during reading, in ATTRITION_COLUMNS."""
        return self._workspace.load_frame(_ATTRITION)

    def history(self) -> tuple[PastImport, ...]:
        """All imports, the latest first."""
        table = self._workspace.imports()
        about = {key: stored.payload for key, stored in self._workspace.results(_IMPORTED).items()}
        rows = table.drop(columns="mapping").itertuples(index=False, name=None)

        def noted(number: int, what: str) -> tuple[str, ...]:
            return tuple(about[str(number)][what])

        return tuple(
            PastImport(
                at.to_pydatetime(),
                noted(number, "files"),
                rows_read,
                new,
                changed,
                same,
                rejected,
                tuple(map(made_of, about[str(number)]["notes"])),
                noted(number, "readings"),
                Deidentification(**about[str(number)]["removed"]),
                {made_of(why): n for why, n in about[str(number)].get("left_out", ())},
                {reading: made_of(why) for reading, why in about[str(number)].get("empty", {}).items()},
            )
            for number, at, rows_read, new, changed, same, rejected in reversed(list(rows))
        )

    @property
    def n_imports(self) -> int:
        """The number of imports."""
        return len(self._workspace.imports())

    def asked_for(self) -> tuple[PastImport, ...]:
        """The imports of the files given last, in order; all imports if no files were given.

        Includes files that a resumed run skipped because they had been read before.
        """
        found, open_ = [], set(self._asked)
        for past in self.history():
            if not self._asked or open_.intersection(past.readings):
                open_.difference_update(past.readings)
                found.append(past)
        return tuple(reversed(found))

    @property
    def n_imported(self) -> int:
        """How many of the files given last are imported, in the way in which they were to be read."""
        return len(self._asked & self.known())

    def pair(self, progress: Progress = SILENT) -> PairingSummary:
        """Pair the X-ray with the CT reports, and store pairs and attrition.

        Raises:
            DataError: nothing was imported.
            Cancelled: by ``progress``; nothing was stored.
        """
        if not self.is_to_be_paired():
            raise DataError("There are no reports yet. Import report files first.")
        return pair_reports(self._workspace, self.context.settings, self.attrition_of_reading(), progress)

    def attribution(self) -> Attribution | None:
        """Whose the X-ray reports are and what of them counts, of the last pairing; None if that did not ask."""
        return attribution(self._workspace)


def names_of(files: Sequence[ReportFile]) -> list[str]:
    """The files' names in lists of rows, with the folder if two are the same."""
    from radcal.reports.files import labels

    return labels([file.path for file in files])


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A file to be read: its display name and its fingerprint."""

    file: ReportFile
    name: str
    its: Fingerprint


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a first look finds in the files of a group: names of staff and, by patient_id, of patients; report_ids."""

    staff: set[str] = field(default_factory=set)
    patients: dict[str, dict[str, None]] = field(default_factory=dict)
    reports: set[str] = field(default_factory=set)


def _people_in(groups: Sequence[_Seen], patients: Collection[str]) -> tuple[set[str], dict[str, dict[str, None]]]:
    """The names of staff in groups, and of some patients."""
    names: dict[str, dict[str, None]] = {}
    for group in groups:
        for patient in group.patients.keys() & patients:
            names.setdefault(patient, {}).update(group.patients[patient])
    return set[str]().union(*(group.staff for group in groups)), names


def _fingerprints(
    files: Sequence[ReportFile], progress: Progress, *, leave_out: bool
) -> tuple[list[tuple[ReportFile, Fingerprint]], list[Unread]]:
    """The fingerprint of each file, and the files that cannot be opened.

    Raises:
        InputError: a file cannot be opened, unless ``leave_out``.
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
    """The files grouped by their options of reading."""
    groups: dict[object, list[_Fresh]] = {}
    for fresh in files:
        groups.setdefault(fresh.file.way, []).append(fresh)
    return list(groups.values())


def _readings(files: Sequence[_Fresh], parts: Sequence[Import]) -> list[Reading]:
    """The reports of each file, from the imports of files read together."""
    readings = []
    for alike, part in zip(_alike(files), parts, strict=True):
        for f in alike:
            its = part.reports[part.reports["source"] == f.its.content]
            readings.append(Reading(f.name, f.file.modality, f.its.content, its, f.file.replaces))
    return readings


def _require_mapped(read: Sequence[tuple[ReportFile, Mapping[str, str]]]) -> None:
    """Refuse a mapped column that is in none of the files; X-ray and CT files may differ in columns.

    read: files, and the columns that their fields were read from
    """
    from radcal.reports.column_names import simplified

    for mapping in {tuple(sorted(file.mapping.items())): file.mapping for file, _ in read}.values():
        alike = [columns for file, columns in read if file.mapping == mapping]
        for name, column in mapping.items():
            there = [columns.get(name, "") for columns in alike]
            names = {n for text in there for n in (text, *text.split(" / "))}
            if simplified(column) not in {simplified(n) for n in names}:
                raise InputError(
                    "No column {column!r}, to which {name} was mapped, is in any of the files. "
                    "Check how the column is written.",
                    column=column,
                    name=name,
                )
