"""Review files: a gold set for one reader who has no access to the workspace, and the answers that come back.

A review file (:mod:`radcal.feedback.hand_outs`) holds the texts of a gold set in order, under the numbers 1, 2, ...,
and what is needed to read them: no accession numbers, patients, times, sites, authors, results, answers of other
readers or, where it is read blind, findings of an engine.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import pandas as pd

from radcal.feedback.file_passphrases import FilePassphrase, PassphraseStore
from radcal.feedback.hand_outs import HandOut, HandOuts, Refused, Returned, copy_words
from radcal.findings.records import Extraction, Finding
from radcal.findings.storage import save_extractions
from radcal.reports.records import Import
from radcal.reports.storage import save_import
from radcal.reports.table import rejected_frame
from radcal.review.annotating import READ
from radcal.review.gold_sets import GoldSets
from radcal.review.records import Action, Draw, GoldReport, Mark, Verdict
from radcal.system.clock import now
from radcal.system.errors import DataError, InputError
from radcal.system.exports import WORKSPACE_SUFFIX
from radcal.system.files import file_stem, plain_to_record, record_to_plain
from radcal.system.kinds import FileKind
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.records import ABSENT, OTHER, PRESENT, UNREAD
from radcal.workspace.columns import REPORT_COLUMNS
from radcal.workspace.context import BLIND, CURRENT, REVIEW_HANDED_OUT, REVIEW_MERGED, REVIEW_WORDS, REVIEWER, Context
from radcal.workspace.errors import WrongPassphrase
from radcal.workspace.passphrases import new_passphrase

if TYPE_CHECKING:
    from radcal.system.files import Json
    from radcal.workspace.reviews import StoredAction, Turn
    from radcal.workspace.store import Workspace


_MARK = re.compile(r"reader [0-9a-f]{32}")
_ENGINES_MARK = re.compile(r"engine [0-9]{1,6}|reader [0-9a-f]{32}")
_NAME = re.compile(r"[0-9a-f]{32}")
_CHANGED = Text("The text of the report has changed since.")
_TAMPERED = Text("The text of the report in the file is not the one that was handed out.")
_BROKEN = Text("The answer is not as RadCal writes it.")
_UNKNOWN_PHRASE = Text("The phrase is not in the list of words.")


@dataclass(frozen=True, slots=True)
class _Answers:
    """What a file holds: its reader's actions, the texts by number, and since when actions stand undone."""

    actions: Sequence[StoredAction]
    texts: Mapping[str, str]
    turns: Mapping[str, Turn]

    @classmethod
    def of(cls, part: Workspace) -> Self:
        """What an opened review file holds."""
        sets = part.gold_sets()
        actions = part.gold_actions(sets[0].set_id, READ) if sets else []
        texts = dict(part.reports(("report_id", "text")).itertuples(index=False, name=None))
        return cls(actions, texts, part.gold_turns([a.action for a in actions]))


def file_name(reader: str) -> str:
    """The usual name of a reader's review file: "review-ab.radcal"."""
    return f"review-{file_stem(reader or 'reader').lower()}{WORKSPACE_SUFFIX}"


@dataclass(eq=False, repr=False)
class ReviewFiles(HandOuts[_Answers]):
    """Hands out review files, and merges them; the key of a hand-out is its passphrase."""

    KIND: ClassVar = FileKind.REVIEW
    STORED: ClassVar = REVIEW_HANDED_OUT
    PERSON: ClassVar = "reader"
    KEY: ClassVar = "passphrase"
    FOREIGN: ClassVar = Text(
        "{name} is no review file that this workspace handed out: no passphrase kept here fits it. If the file "
        "was written after the backup that this workspace was restored from, its answers cannot be merged."
    )

    _gold: Callable[[], GoldSets]

    def handed_out(self) -> tuple[HandOut, ...]:
        """All review files that were handed out, the latest first, with when they were last merged."""
        merged: dict[str, str] = {}
        for key, stored in self._workspace.results(REVIEW_MERGED).items():
            number = key.partition(" ")[0]
            merged[number] = max(merged.get(number, ""), str(stored.payload["at"]))
        return tuple(replace(h, returned=merged.get(h.number, "")) for h in super().handed_out())

    def make(
        self,
        reader: str,
        out: Path,
        *,
        gold_set: int | None = None,
        blind: bool = True,
        keeper: PassphraseStore | None = None,
        progress: Progress = SILENT,
    ) -> HandOut:
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
        passphrase = new_passphrase()
        about: Json = {
            "file": str(out),
            "gold_set": chosen,
            "blind": blind,
            "reports": [r.report_id for r in reports],
            "texts": [_hash_of(text) for text in covered],
            "uncovered": [_hash_of(r.text) for r in reports],
        }
        words = {"pathologies": list(gold.pathologies()), "synonyms": {k: list(v) for k, v in gold.synonyms().items()}}
        read = [replace(r, text=text) for r, text in zip(reports, covered, strict=True)]

        def fill(part: Workspace, _number: str) -> None:
            _fill_reports(part, read, blind=blind)
            part.add_gold_reader(name)
            part.save_result(REVIEW_WORDS, CURRENT, words, {})
            copy_words(Context(part), self._context.lexicon)
            part.set_meta(REVIEWER, name)
            part.set_meta(BLIND, "yes" if blind else "no")

        to = f"reader {self._workspace.gold_readers().index(name) + 1}"  # names stand in no log
        kept = nullcontext() if keeper is None else keeper.keeping(FilePassphrase(name, out, passphrase))
        with kept:
            return self._write(
                name, out, passphrase, passphrase, fill, settings=Settings(), names=(name,), to=to, about=about
            )

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
        frame = self._workspace.reports(("report_id", "accession", "patient_id", "study_uid"), ids)
        numbers = {i: numbers for i, *numbers in frame.itertuples(index=False, name=None)}
        return [mask(r.text, numbers.get(r.report_id, ())) for r in reports]

    def _open(self, path: Path, handed: HandOut) -> _Answers | None:
        from radcal.workspace.store import Workspace

        try:
            part = Workspace.open(path, handed.key, read_only=True)
        except WrongPassphrase:
            return None
        with part:
            return _Answers.of(part) if Context(part).kind is self.KIND else None

    def _merge(self, name: str, handed: HandOut, content: _Answers) -> Returned:
        """Enter the answers in the log of their gold set, under their reader.

        Nothing that was answered here is replaced: answers of both places stand in order of time.
        """
        workspace, reader, chosen = self._workspace, handed.person, handed.gold_set
        texts = workspace.reports(("report_id", "text"), handed.reports)
        here = dict(texts.itertuples(index=False, name=None))
        taken, refused = _Check(handed, here, content.texts, self._phrases()).all(content.actions)
        workspace.add_gold_reader(reader)
        before = {a.action for a in workspace.gold_actions(chosen, READ, reader)}
        workspace.add_gold_actions(chosen, [a for a in taken if a.action not in before])
        known = {a.action: a for a in workspace.gold_actions(chosen, READ, reader)}
        # An action of another reader or set may have the same name only if the file was tampered with.
        own = {a.action: a for a in taken if a.action in known and _apart(known[a.action]) == handed.number}
        turned = self._turned(own, content.turns)
        workspace.set_gold_turns(turned)
        new = [a for a in own.values() if a.action not in before]
        changed = [action for action in turned if action in before and turned[action].undone != known[action].undone]
        both = _answered_twice(known.values(), handed.number, {a.report_id for a in new})
        returned = Returned(
            name,
            handed,
            new=len(new),
            turned=len(changed),
            refused=refused,
            finished=len(_finished(own.values())),
            both=tuple(str(1 + handed.reports.index(i)) for i in both),
            is_current=chosen == workspace.gold_sets()[-1].set_id,
        )
        if returned.changed:
            workspace.save_result(REVIEW_MERGED, handed.number, {"at": now(), "file": name}, {})
        workspace.log("review file merged", new=len(new), turned=len(changed), not_merged=sum(r.n for r in refused))
        return returned

    def _phrases(self) -> frozenset[str]:
        return frozenset({p.name for p in self._context.lexicon.phrases} | {ABSENT, PRESENT, OTHER, UNREAD})

    def _turned(self, own: Mapping[str, StoredAction], theirs: Mapping[str, Turn]) -> dict[str, Turn]:
        """The states that are later in the file than here."""
        ours = self._workspace.gold_turns(own)
        return {
            name: theirs[name]
            for name in own
            if name in theirs and theirs[name].at > (ours[name].at if name in ours else "")
        }


def _fill_reports(part: Workspace, reports: Sequence[GoldReport], *, blind: bool) -> None:
    """Store the reports as a gold set under their numbers; what is not needed to read them is blank."""
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
    save_import(part, Import(frame, rejected_frame(()), len(reports), {}))
    run = part.begin_run("", "", "")
    if not blind:
        seen = [
            Extraction(n, tuple(_as_seen(f, n, r.text) for f in r.findings))
            for n, r in zip(numbers, reports, strict=True)
            if r.findings is not None
        ]
        save_extractions(part, run, seen)
    part.add_gold_set(numbers, drawn=Draw.RANDOM.value, seed=0, blind=blind, run_id=run)


def _as_seen(finding: Finding, number: str, text: str) -> Finding:
    """An engine's finding in a report with covered names."""
    sentence = text[finding.start : finding.end]
    return replace(finding, report_id=number, sentence=sentence, engine="", probability=None)


class _Check:
    """Looks at every action of a file before it is taken: whoever has its passphrase could have written anything."""

    def __init__(
        self,
        handed: HandOut,
        here: Mapping[str, str],
        there: Mapping[str, str],
        phrases: frozenset[str],
    ) -> None:
        self._number, self._blind, self._reader = handed.number, handed.blind, handed.person
        self._here, self._phrases, self._at = here, phrases, now()
        self._report = {str(n): i for n, i in enumerate(handed.reports, 1)}
        self._why: dict[str, Text] = {}
        """Why no answer on a report is taken, by its number."""
        hashes = zip(handed.texts, handed.uncovered, strict=True)
        for (n, report_id), (digest, uncovered) in zip(self._report.items(), hashes, strict=True):
            if _hash_of(there.get(n, "")) != digest:
                self._why[n] = _TAMPERED
            elif _hash_of(here.get(report_id, "")) != uncovered:
                self._why[n] = _CHANGED

    def all(self, actions: Sequence[StoredAction]) -> tuple[list[StoredAction], tuple[Refused, ...]]:
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
        return taken, tuple(Refused(report, why, n=n) for (report, why), n in order)

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


def _hash_of(text: str) -> str:
    """By which a text is known again."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
