"""Review files: a gold set for one reader who has no access to the workspace, handed out and merged when it comes back.

A review file holds the texts of a gold set in order, under the numbers 1, 2, ..., and what is needed to read them.  It
is built part by part (:mod:`radcal.feedback.parts`), without accession numbers, patients, times, sites,
authors, results, answers of other readers or, where it is read blind, findings of an engine.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.feedback.file_passphrases import FilePassphrase, PassphraseStore
from radcal.feedback.merging import Came, Merged, Merging, hash_of
from radcal.feedback.parts import copy_words, known_here, write_part
from radcal.findings.records import Extraction, Finding
from radcal.reports.records import REPORT_COLUMNS, Import
from radcal.review.gold_sets import GoldSets
from radcal.review.records import Draw, GoldReport
from radcal.system.clock import now
from radcal.system.errors import DataError, InputError
from radcal.system.exports import WORKSPACE_SUFFIX
from radcal.system.files import file_stem
from radcal.system.kinds import FileKind
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.workspace.context import BLIND, CURRENT, REVIEW_HANDED_OUT, REVIEW_MERGED, REVIEW_WORDS, REVIEWER, Context
from radcal.workspace.passphrases import new_passphrase

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.files import Json
    from radcal.workspace.store import Workspace


@dataclass(frozen=True, slots=True)
class HandedOut:
    """A review file that was handed out.

    file: where it was written;  made: when, merged: when last merged, UTC in ISO 8601, '' never
    gold_set: its number;  reports: how many the file has
    """

    number: str
    reader: str
    file: Path
    passphrase: str
    gold_set: int
    reports: int
    blind: bool
    made: str
    merged: str = ""


def file_name(reader: str) -> str:
    """The usual name of a reader's review file: "review-ab.radcal"."""
    return f"review-{file_stem(reader or 'reader').lower()}{WORKSPACE_SUFFIX}"


class ReviewFiles:
    """Hands out review files, and merges them."""

    def __init__(self, context: Context, gold: Callable[[], GoldSets]) -> None:
        self._context = context
        self._workspace = context.workspace
        self._gold = gold

    # --- handing out -------------------------------------------------------------------------------

    def handed_out(self) -> tuple[HandedOut, ...]:
        """All review files that were handed out, the latest first."""
        merged: dict[str, str] = {}
        for key, stored in self._workspace.results(REVIEW_MERGED).items():
            number = key.partition(" ")[0]
            merged[number] = max(merged.get(number, ""), str(stored.payload["at"]))
        found = [
            HandedOut(
                number,
                of["reader"],
                Path(of["file"]),
                of["passphrase"],
                of["gold_set"],
                len(of["reports"]),
                of["blind"],
                of["made"],
                merged.get(number, ""),
            )
            for number, of in self._handed().items()
        ]
        return tuple(sorted(found, key=lambda h: (h.made, h.number), reverse=True))

    def _handed(self) -> dict[str, Json]:
        return {number: stored.payload for number, stored in self._workspace.results(REVIEW_HANDED_OUT).items()}

    def make(
        self,
        reader: str,
        out: Path,
        *,
        gold_set: int | None = None,
        blind: bool = True,
        keeper: PassphraseStore | None = None,
        progress: Progress = SILENT,
    ) -> HandedOut:
        """Write a review file under a drawn passphrase, which the workspace keeps.

        Reports whose text has changed since the set was drawn are left out: they can no longer be read for it.

        Args:
            reader: who reads, by name or initials; registered as a reader of the department.
            out: a new file.
            gold_set: its number; None for the latest.
            blind: without the engine's findings, so that the reader cannot see them even afterwards.
            keeper: stores the passphrase, too, before the file is complete.

        Raises:
            InputError: the file exists or cannot be written, there is no set of that number, or the workspace is open
                for reading only and could not keep the passphrase.
            DataError: there is no gold set, no report of it can be read, or no reader is named.
        """
        if self._workspace.read_only:
            raise InputError(
                "{name} is open for reading only. It cannot keep the passphrase by which a review file is known when "
                "it comes back. Open the workspace for writing.",
                name=self._workspace.path.name,
            )
        gold = self._gold()
        chosen = self._set(gold, gold_set)
        reports = [r for r in gold.reports_of(chosen, progress) if not r.changed]
        if not reports:
            raise DataError("No report of the gold set has the text that was drawn. Draw another set.")
        name = gold.begin(reader)
        covered = self._covered(reports)
        number, passphrase = secrets.token_hex(16), new_passphrase()
        handed: Json = {
            "reader": name,
            "file": str(out),
            "passphrase": passphrase,
            "gold_set": chosen,
            "blind": blind,
            "made": now(),
            "reports": [r.report_id for r in reports],
            "texts": [hash_of(text) for text in covered],
            "uncovered": [hash_of(r.text) for r in reports],
        }
        words = {"pathologies": list(gold.pathologies()), "synonyms": {k: list(v) for k, v in gold.synonyms().items()}}
        read = [replace(r, text=text) for r, text in zip(reports, covered, strict=True)]

        def fill(part: Workspace) -> None:
            _fill_reports(part, read, blind=blind)
            part.add_gold_reader(name)
            part.save_result(REVIEW_WORDS, CURRENT, words, {})
            copy_words(Context(part), self._context.lexicon)
            part.set_meta(REVIEWER, name)
            part.set_meta(BLIND, "yes" if blind else "no")

        to = f"reader {self._workspace.gold_readers().index(name) + 1}"  # names stand in no log
        kept = nullcontext() if keeper is None else keeper.keeping(FilePassphrase(name, out, passphrase))
        with kept, known_here(self._workspace, out, REVIEW_HANDED_OUT, number, handed):
            write_part(self._context, FileKind.REVIEW, out, passphrase, fill, settings=Settings(), names=(name,), to=to)
        return HandedOut(number, name, out, passphrase, chosen, len(read), blind, handed["made"])

    def _set(self, gold: GoldSets, number: int | None) -> int:
        sets = [stored.set_id for stored in self._workspace.gold_sets()]
        if not sets:
            raise DataError("There is no gold set yet. Draw one on the page Review of the window.")
        if number is not None and number not in sets:
            raise InputError(
                "There is no gold set {number}. There are: {sets}.", number=number, sets=", ".join(map(str, sets))
            )
        return sets[-1] if number is None else number

    def _covered(self, reports: Sequence[GoldReport]) -> list[str]:
        """The texts without the names of radiologists and the reports' own numbers.

        Where names are kept apart, the texts have them still, and the workspace pseudonyms alone: both are covered.
        """
        from radcal.reports.deidentify.known import Mask

        mask = Mask({*self._workspace.people(), *self._context.names.known().values()})
        ids = [r.report_id for r in reports]
        frame = self._workspace.reports(("report_id", "accession", "patient_id"), ids)
        numbers = {i: (accession, patient) for i, accession, patient in frame.itertuples(index=False, name=None)}
        return [mask(r.text, numbers.get(r.report_id, ())) for r in reports]

    # --- merging -----------------------------------------------------------------------------------

    def merge(self, path: Path, progress: Progress = SILENT) -> Merged:
        """Enter the answers of a review file in the log of its gold set, under its reader.

        The same file twice, or an older copy, changes nothing.  Nothing that was answered here is replaced: answers of
        both places stand in order of time.

        Raises:
            InputError: the file is damaged, is no review file, or was not handed out by this workspace.
            NoAccess: the workspace is open read-only.
        """
        number, part = self._opened(path, progress)
        with part:
            came = Came.of(part)
        return Merging(self._context, number, self._handed()[number]).merge(path.name, came)

    def _opened(self, path: Path, progress: Progress) -> tuple[str, Workspace]:
        """The hand-out whose passphrase fits, which nobody else knows but its reader, and the opened file.

        The file may have been renamed meanwhile.
        """
        from radcal.workspace.errors import WrongPassphrase
        from radcal.workspace.store import Workspace

        handed = self.handed_out()
        likely = sorted(handed, key=lambda h: (h.file.name != path.name, not path.stem.startswith(h.file.stem)))
        for one in likely:
            progress.raise_if_cancelled()
            try:
                part = Workspace.open(path, one.passphrase, read_only=True)
            except WrongPassphrase:
                continue
            if Context(part).kind is FileKind.REVIEW:
                return one.number, part
            part.close()
        raise _foreign(path)


def _fill_reports(part: Workspace, reports: Sequence[GoldReport], *, blind: bool) -> None:
    """Store the reports as a gold set under their numbers; what is not needed to read them is blank."""
    import pandas as pd

    from radcal.reports.table import rejected_frame

    numbers = [str(n) for n in range(1, len(reports) + 1)]
    columns: dict[str, Any] = {name: "" for name, what in REPORT_COLUMNS.items() if what.startswith("str")}
    columns |= {
        "report_id": numbers,
        "modality": [r.modality.value for r in reports],
        "text": [r.text for r in reports],
        "exam_time": pd.Series([pd.Timestamp(0)] * len(reports)).astype("datetime64[ns]"),
        "row": 0,
        "age": -1,
    }
    frame: pd.DataFrame = pd.DataFrame(columns, columns=list(REPORT_COLUMNS))
    part.save_import(Import(frame, rejected_frame(()), len(reports), {}))
    run = part.begin_run("", "", "")
    if not blind:
        seen = [
            Extraction(n, tuple(_as_seen(f, n, r.text) for f in r.findings))
            for n, r in zip(numbers, reports, strict=True)
            if r.findings is not None
        ]
        part.save_extractions(run, seen)
    part.add_gold_set(numbers, drawn=Draw.RANDOM.value, seed=0, blind=blind, run_id=run)


def _as_seen(finding: Finding, number: str, text: str) -> Finding:
    """An engine's finding in a report with covered names."""
    sentence = text[finding.start : finding.end]
    return replace(finding, report_id=number, sentence=sentence, engine="", probability=None)


def _foreign(path: Path) -> InputError:
    return InputError(
        "{name} is no review file that this workspace handed out: no passphrase kept here fits it. If the file "
        "was written after the backup that this workspace was restored from, its answers cannot be merged.",
        name=path.name,
    )
