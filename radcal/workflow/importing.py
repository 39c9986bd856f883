"""Files to pairs: report files are read into the workspace, and X-ray reports joined to CT reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.errors import DataError, InputError
from radcal.progress import SILENT, Progress
from radcal.records import REPORT_COLUMNS, Import, Modality, Pairing
from radcal.workflow.fingerprints import fingerprint

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

FILES = "imported files"
"""Name under which the workspace keeps the fingerprints of the files that were imported, as a JSON list."""
VERSIONS = "versions of reports"
"""Name of the frame that the workspace keeps what tells versions of its reports apart in."""
_BATCH = 10_000
"""Reports that are read between two looks at whether to stop."""
_ATTRITION, _IMPORTED = "attrition of reading", "import"


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report file and how it is to be read.

    modality: what it holds where it does not say so; None for a file that names each report's
    mapping: fields to columns, where these are not recognised
    day_first: whether 03/04/2024 is 3 April; None to let the file's own dates decide
    """

    path: Path
    modality: Modality | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    day_first: bool | None = None

    @property
    def way(self) -> tuple[Modality | None, tuple[tuple[str, str], ...], bool | None]:
        """How it is read, to be compared: files that are read in the same way are read together."""
        return self.modality, tuple(sorted(self.mapping.items())), self.day_first

    def mark(self, progress: Progress = SILENT) -> str:
        """The fingerprint by which the workspace knows the file again.

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
    """

    at: datetime
    files: tuple[str, ...]
    rows_read: int
    new: int
    changed: int
    unchanged: int
    rejected: int
    notes: tuple[str, ...] = ()


def as_files(
    reports: Sequence[Path] = (),
    xray: Sequence[Path] = (),
    ct: Sequence[Path] = (),
    mapping: Mapping[str, str] | None = None,
    day_first: bool | None = None,
) -> list[ReportFile]:
    """Files of either modality, of X-ray and of CT reports, all read in the same way."""
    kinds = ((reports, None), (xray, Modality.XRAY), (ct, Modality.CT))
    return [ReportFile(path, modality, dict(mapping or {}), day_first) for paths, modality in kinds for path in paths]


class Importing:
    """Reads report files into a workspace and pairs what is in it."""

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department, self._workspace = department, workspace

    # --- reading -----------------------------------------------------------------------------------

    def import_reports(self, files: Sequence[ReportFile], progress: Progress = SILENT) -> Import:
        """Read report files into the workspace, all of them or none; see :meth:`Department.import_files`.

        Raises:
            InputError: a file that cannot be read at all, or a needed column that is missing.
            Cancelled: nothing was imported.
        """
        from radcal.ingest.readers import combine, read_reports
        from radcal.ingest.rows import empty_reports
        from radcal.ingest.table import rejected_frame

        if not files:
            raise InputError("No report files were given.")
        rule = self._department.settings.trainee_rule
        known = self.known()
        mark_of = [file.mark(progress) for file in files]
        again = [file.path.name for file, mark in zip(files, mark_of, strict=True) if mark in known]
        fresh = [file for file, mark in zip(files, mark_of, strict=True) if mark not in known]
        read: list[tuple[ReportFile, Import]] = []
        for alike in _alike(fresh):
            first = alike[0][0]
            imported = read_reports(
                [file.path for file, _ in alike],
                names=[name for _, name in alike],
                modality=first.modality,
                mapping=first.mapping,
                day_first=first.day_first,
                trainee_rule=rule,
                all_mapped=False,
                progress=progress,
            )
            read.append((first, imported))
        notes = (f"Imported before, and not read again: {', '.join(again)}.",) if again else ()
        if not read:
            return Import(empty_reports(), rejected_frame([]), 0, {}, notes=notes)
        if not again:  # the files that are not read again may be those that have the column
            _require_mapped(read)
        progress.raise_if_cancelled()
        parts = [imported for _, imported in read]
        before, others = self._touched(parts)
        new = combine([*before, *parts], trainee_rule=rule, progress=progress)
        progress.raise_if_cancelled()
        with self._workspace.transaction():
            counts = self._workspace.save_import(new, progress=progress)
            progress.raise_if_cancelled()
            self._workspace.save_frame(VERSIONS, _stacked([*others, new.reports[_version_columns()]]))
            progress.raise_if_cancelled()
            if new.attrition is not None:
                self._workspace.save_frame(_ATTRITION, new.attrition)
            self._workspace.save_result(
                _IMPORTED, str(counts.import_id), {"files": names_of(fresh), "notes": list(new.notes)}, {}
            )
            self._workspace.set_meta(FILES, json.dumps(sorted(known.union(mark_of))))
        return replace(new, notes=(*notes, *new.notes))

    def _touched(self, read: Sequence[Import]) -> tuple[list[Import], list[pd.DataFrame]]:
        """What earlier imports left: reports of which further rows were read, as an import; versions of the others."""
        from radcal.ingest.table import rejected_frame

        own = self._workspace.load_frame(VERSIONS)
        if own is None:
            return [], []
        again = own["report_id"].isin({i for imported in read for i in imported.reports["report_id"]})
        reports = self._workspace.reports(ids=own.loc[again, "report_id"]).merge(
            own[again], on="report_id", validate="one_to_one"
        )
        return [Import(reports, rejected_frame([]), 0, {}, attrition=self.attrition_of_reading())], [own[~again]]

    # --- what is there -----------------------------------------------------------------------------

    def known(self) -> frozenset[str]:
        """The fingerprints of the files that were imported."""
        return frozenset(json.loads(self._workspace.get_meta(FILES) or "[]"))

    def reports(self, progress: Progress = SILENT) -> pd.DataFrame | None:
        """The reports as they are paired: REPORT_COLUMNS and VERSION_COLUMNS, texts left empty; None if none came.

        Texts are most of a workspace, and play no part in pairing.

        Raises:
            Cancelled: by ``progress``.
        """
        own = self._workspace.load_frame(VERSIONS)
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

        def told(number: int, what: str) -> tuple[str, ...]:
            return tuple(map(str, about.get(str(number), {}).get(what, ())))

        return tuple(
            PastImport(
                at.to_pydatetime(),
                told(number, "files"),
                rows_read,
                new,
                changed,
                same,
                rejected,
                told(number, "notes"),
            )
            for number, at, rows_read, new, changed, same, rejected in reversed(list(rows))
        )

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
        pairing = pair(reports, self._department.settings, reading=self.attrition_of_reading(), progress=progress)
        progress.raise_if_cancelled()
        self._workspace.save_pairing(pairing)
        return pairing


def names_of(files: Sequence[ReportFile]) -> list[str]:
    """How the files are called in lists of rows: as they are named, with the folder where two are called alike."""
    from radcal.ingest.files import labels

    return labels([file.path for file in files])


def _alike(files: Sequence[ReportFile]) -> list[list[tuple[ReportFile, str]]]:
    """The files with their names, in groups that are read in the same way."""
    groups: dict[object, list[tuple[ReportFile, str]]] = {}
    for file, name in zip(files, names_of(files), strict=True):
        groups.setdefault(file.way, []).append((file, name))
    return list(groups.values())


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
                    f"No column {column!r}, to which {name} was mapped, is in any of the files. "
                    "Check how the column is written."
                )


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(frames, ignore_index=True)
