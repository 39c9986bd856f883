"""Review files: a gold set for one reader who has no access to the workspace, handed out and merged when it comes back.

A review file holds the texts of a gold set in order, under the numbers 1, 2, ..., and what is needed to read them.  It
is built part by part (:mod:`radcal.workflow.handing_out.parts`), without accession numbers, patients, times, sites,
authors, results, answers of other readers or, where it is read blind, findings of an engine.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.drawn_passphrases import new_passphrase
from radcal.errors import DataError, InputError
from radcal.files import plain_to_record, record_to_plain
from radcal.kinds import FileKind
from radcal.progress import SILENT, Progress
from radcal.records import ABSENT, OTHER, PRESENT, REPORT_COLUMNS, UNREAD, Extraction, Finding, Import
from radcal.records.gold import Action, Draw, GoldReport, Mark, Verdict
from radcal.settings import Settings
from radcal.text import Text
from radcal.workflow.context import (
    BLIND,
    CURRENT,
    HAND_OUT,
    REVIEW_HANDED_OUT,
    REVIEW_KEY,
    REVIEW_MERGED,
    REVIEW_WORDS,
    REVIEWER,
    Context,
)
from radcal.workflow.gold_sets.annotating import READ
from radcal.workflow.gold_sets.gold_sets import GoldSets
from radcal.workflow.handing_out.masking import Cover
from radcal.workflow.handing_out.parts import copy_words, known_here, write_part
from radcal.workflow.keeping.receipts import Handed, leave_receipt

if TYPE_CHECKING:
    import pandas as pd

    from radcal.records import Json
    from radcal.workspace import StoredAction, Turn, Workspace

_MARK = re.compile(r"reader [0-9a-f]{32}")
_ENGINES_MARK = re.compile(r"engine [0-9]{1,6}|reader [0-9a-f]{32}")
_NAME = re.compile(r"[0-9a-f]{32}")
_CHANGED = Text("The text of the report is another by now.")
_TAMPERED = Text("The text of the report in the file is not the one that was handed out.")
_BROKEN = Text("The answer is not as RadCal writes it.")
_UNKNOWN_PHRASE = Text("The phrase is not in the list of words.")


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


@dataclass(frozen=True, slots=True)
class NotMerged:
    """Answers on a report that were not merged: its number in the file, how many, and why."""

    report: str
    answers: int
    reason: Text


@dataclass(frozen=True, slots=True)
class Merged:
    """What a review file brought.

    file: its name;  gold_set: its number, and whether that is the present one
    finished: reports that the reader has finished in the file, of ``reports``
    new: answers that were not here before;  turned: earlier ones that are undone or valid again since
    both: reports that the reader answered in the workspace, too: of what both say, the later holds
    """

    file: str
    reader: str
    gold_set: int
    is_current: bool
    reports: int
    finished: int
    new: int
    turned: int
    both: tuple[str, ...] = ()
    not_merged: tuple[NotMerged, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything is other than before."""
        return bool(self.new or self.turned)


def file_name(reader: str) -> str:
    """The usual name of a reader's review file: "review-ab.radcal"."""
    slug = re.sub(r"[^a-z0-9]+", "-", reader.casefold()).strip("-")
    return f"review-{slug or 'reader'}.radcal"


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
        self, reader: str, out: Path, *, gold_set: int | None = None, blind: bool = True, progress: Progress = SILENT
    ) -> HandedOut:
        """Write a review file under a drawn passphrase, which the workspace keeps.

        Reports whose text has changed since the set was drawn are left out: they can no longer be read for it.

        Args:
            reader: who reads, by name or initials; registered as a reader of the department.
            out: a new file.
            gold_set: its number; None for the latest.
            blind: without the engine's findings, so that the reader cannot see them even afterwards.

        Raises:
            InputError: the file exists or cannot be written, there is no set of that number, or the workspace is open
                for reading only and could keep neither passphrase nor key.
            DataError: there is no gold set, no report of it can be read, or no reader is named.
        """
        if self._workspace.read_only:
            raise InputError(
                "{name} is open for reading only. It can keep neither the passphrase of a review file nor the key by "
                "which the file is known when it comes back. Open the workspace for writing.",
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
            "key": secrets.token_hex(32),
            "gold_set": chosen,
            "blind": blind,
            "made": _now(),
            "reports": [r.report_id for r in reports],
            "texts": [_hash(text) for text in covered],
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
            part.set_meta(HAND_OUT, number)
            part.set_meta(REVIEW_KEY, handed["key"])

        with known_here(self._workspace, out, REVIEW_HANDED_OUT, number, handed):
            write_part(self._context, FileKind.REVIEW, out, passphrase, fill, settings=Settings(), names=(name,))
        with suppress(InputError):  # the file itself has the head of the log, too
            leave_receipt(self._context, out.parent, [Handed(FileKind.REVIEW)])
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
        """The texts without the names of radiologists and the reports' own numbers."""
        cover = Cover(self._workspace.people())
        ids = [r.report_id for r in reports]
        frame = self._workspace.reports(("report_id", "accession", "patient_id"), ids)
        numbers = {i: (accession, patient) for i, accession, patient in frame.itertuples(index=False, name=None)}
        return [cover.text(r.text, *numbers.get(r.report_id, ())) for r in reports]

    # --- merging -----------------------------------------------------------------------------------

    def merge(self, path: Path, progress: Progress = SILENT) -> Merged:
        """Enter the answers of a review file in the log of its gold set, under its reader.

        The same file twice, or an older copy, changes nothing.  Nothing that was answered here is replaced: answers of
        both places stand in order of time.

        Raises:
            InputError: the file is damaged, is no review file, or was not handed out by this workspace.
            NoAccess: the workspace is open read-only.
        """
        with self._opened(path, progress) as part:
            number = part.get_meta(HAND_OUT) or ""
            handed = self._handed().get(number)
            key = part.get_meta(REVIEW_KEY) or ""
            if handed is None or not hmac.compare_digest(key.encode(), str(handed["key"]).encode()):
                raise _foreign(path)
            sets = part.gold_sets()
            actions = part.gold_actions(sets[0].set_id, READ) if sets else []
            frame = part.reports(("report_id", "text"))
            texts = dict(frame.itertuples(index=False, name=None))
            turns = part.gold_turns([a.action for a in actions])
        return self._merge(path, number, handed, _Came(actions, texts, turns))

    def _opened(self, path: Path, progress: Progress) -> Workspace:
        """The file, opened with the passphrase that was kept for it; it may have been renamed meanwhile."""
        from radcal.workspace import Workspace, WrongPassphrase

        handed = self.handed_out()
        likely = sorted(handed, key=lambda h: (h.file.name != path.name, not path.stem.startswith(h.file.stem)))
        for one in likely:
            progress.raise_if_cancelled()
            try:
                part = Workspace.open(path, one.passphrase, read_only=True)
            except WrongPassphrase:
                continue
            if Context(part).kind is FileKind.REVIEW:
                return part
            part.close()
        raise _foreign(path)

    def _merge(self, path: Path, number: str, handed: Json, came: _Came) -> Merged:
        workspace, chosen, reader = self._workspace, int(handed["gold_set"]), str(handed["reader"])
        same = dict(workspace.gold_reports(chosen))
        texts_here = workspace.reports(("report_id", "text"), list(same))
        check = _Check(
            number, handed, same, dict(texts_here.itertuples(index=False, name=None)), came.texts, self._phrases()
        )
        taken, refused = check.all(came.actions)
        with workspace.transaction():
            workspace.add_gold_reader(reader)
            before = {a.action for a in workspace.gold_actions(chosen, READ, reader)}
            workspace.add_gold_actions(chosen, [a for a in taken if a.action not in before])
            here = {a.action: a for a in workspace.gold_actions(chosen, READ, reader)}
            # An action of another reader or set may have the same name only if the file was tampered with.
            own = {a.action: a for a in taken if a.action in here and _apart(here[a.action]) == number}
            turned = self._turned(own, here, came.turns)
            workspace.set_gold_turns(turned)
            new = [a for a in own.values() if a.action not in before]
            changed = [name for name in turned if name in before and turned[name].undone != here[name].undone]
            both = _answered_twice(here.values(), number, {a.report_id for a in new})
            done = _finished(own.values())
            merged = Merged(
                path.name,
                reader,
                chosen,
                chosen == workspace.gold_sets()[-1].set_id,
                len(handed["reports"]),
                len(done),
                len(new),
                len(changed),
                tuple(str(1 + handed["reports"].index(i)) for i in both),
                refused,
            )
            if merged.changed:
                place = len([key for key in workspace.results(REVIEW_MERGED) if key.startswith(f"{number} ")])
                entry = {"at": _now(), "file": path.name, "new": merged.new, "turned": merged.turned}
                workspace.save_result(REVIEW_MERGED, f"{number} {place:06}", entry, {})
            left_out = sum(n.answers for n in refused)
            workspace.log("review file merged", new=merged.new, turned=merged.turned, not_merged=left_out)
        return merged

    def _phrases(self) -> frozenset[str]:
        return frozenset({p.name for p in self._context.lexicon.phrases} | {ABSENT, PRESENT, OTHER, UNREAD})

    def _turned(
        self, own: Mapping[str, StoredAction], here: Mapping[str, StoredAction], theirs: Mapping[str, Turn]
    ) -> dict[str, Turn]:
        """The states that are later in the file than here."""
        ours = self._workspace.gold_turns(own)
        return {
            name: theirs[name]
            for name in own
            if name in theirs and theirs[name].at > (ours[name].at if name in ours else "")
        }


@dataclass(frozen=True, slots=True)
class _Came:
    """What a file holds: its reader's actions, the texts by number, and since when actions stand undone."""

    actions: Sequence[StoredAction]
    texts: Mapping[str, str]
    turns: Mapping[str, Turn]


class _Check:
    """Looks at every action of a file before it is taken: whoever has its passphrase could have written anything."""

    def __init__(
        self,
        number: str,
        handed: Json,
        same: Mapping[str, bool],
        here: Mapping[str, str],
        there: Mapping[str, str],
        phrases: frozenset[str],
    ) -> None:
        self._number, self._blind, self._phrases, self._at = number, bool(handed["blind"]), phrases, _now()
        self._here, self._reader = here, str(handed["reader"])
        self._report = {str(n): i for n, i in enumerate(handed["reports"], 1)}
        self._why: dict[str, Text] = {}
        """Why no answer on a report is taken, by its number."""
        for (n, report_id), digest in zip(self._report.items(), handed["texts"], strict=True):
            if _hash(there.get(n, "")) != digest:
                self._why[n] = _TAMPERED
            elif not same.get(report_id):
                self._why[n] = _CHANGED

    def all(self, actions: Sequence[StoredAction]) -> tuple[list[StoredAction], tuple[NotMerged, ...]]:
        """The actions as they are stored here, and what is not taken."""
        taken: list[StoredAction] = []
        refused: Counter[tuple[str, Text]] = Counter()
        for stored in actions:
            made = self._one(stored)
            if isinstance(made, Text):
                refused[stored.report_id if stored.report_id in self._report else "", made] += 1
            else:
                taken.append(made)
        order = sorted(refused.items(), key=lambda item: (int(item[0][0] or 0), item[0][1]))
        return taken, tuple(NotMerged(report, n, why) for (report, why), n in order)

    def _one(self, stored: StoredAction) -> StoredAction | Text:
        if stored.report_id not in self._report or not _NAME.fullmatch(stored.action):
            return _BROKEN
        if why := self._why.get(stored.report_id):
            return why
        report_id = self._report[stored.report_id]
        try:
            action = plain_to_record(json.loads(stored.detail), Action)
            at = datetime.fromisoformat(stored.at).astimezone(UTC).isoformat(timespec="seconds")
            marks = tuple(self._mark(mark, report_id) for mark in action.marks)
        except Exception:  # noqa: BLE001 - whatever is wrong in what somebody may have written
            return _BROKEN
        if action.name != stored.action or action.report_id != stored.report_id:
            return _BROKEN
        if any(mark.finding.phrase not in self._phrases for mark in marks):
            return _UNKNOWN_PHRASE
        whole = Action(action.name, report_id, marks, action.done, self._blind, apart=self._number, taken_in=self._at)
        detail = json.dumps(record_to_plain(whole))
        return replace(
            stored, reader=self._reader, report_id=report_id, detail=detail, at=min(at, self._at)
        )  # a clock that is ahead does not make it later than the merge

    def _mark(self, mark: Mark, report_id: str) -> Mark:
        """The mark on this department's report.

        Raises:
            ValueError: it cannot stem from reading the report.
        """
        f, text = mark.finding, self._here[report_id]
        if not (_MARK if self._blind else _ENGINES_MARK).fullmatch(mark.key):
            raise ValueError
        if self._blind and mark.verdict is Verdict.ACCEPTED:
            raise ValueError
        if not 0 <= f.start <= f.end <= len(text):
            raise ValueError
        for start, end in ((f.term_start, f.term_end), (f.cue_start, f.cue_end)):
            if not ((start, end) == (-1, -1) or 0 <= start <= end <= len(text)):
                raise ValueError
        if not (f.pathology.strip() and f.pathology.isprintable() and len(f.pathology) <= 200):
            raise ValueError
        own = replace(f, report_id=report_id, sentence=text[f.start : f.end], verbatim=f.verbatim[: len(text)])
        return replace(mark, finding=own)


def _fill_reports(part: Workspace, reports: Sequence[GoldReport], *, blind: bool) -> None:
    """Store the reports as a gold set under their numbers; what is not needed to read them is blank."""
    import pandas as pd

    from radcal.ingest.table import rejected_frame

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


def _answered_twice(actions: Iterable[StoredAction], number: str, came: set[str]) -> list[str]:
    """The reports, in order, on which the reader has answers that are not of this file."""
    return sorted({a.report_id for a in actions if a.report_id in came and not a.undone and _apart(a) != number})


def _finished(actions: Iterable[StoredAction]) -> set[str]:
    """The reports that are finished."""
    done: dict[str, bool] = {}
    for stored in actions:
        said = json.loads(stored.detail)["done"]
        if said is not None and not stored.undone:
            done[stored.report_id] = said
    return {report_id for report_id, said in done.items() if said}


def _apart(stored: StoredAction) -> str:
    return str(json.loads(stored.detail).get("apart", ""))


def _foreign(path: Path) -> InputError:
    return InputError(
        "{name} is no review file that this workspace handed out: no passphrase and key kept here fit it. If the file "
        "was written after the backup that this workspace was restored from, its answers cannot be merged.",
        name=path.name,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
