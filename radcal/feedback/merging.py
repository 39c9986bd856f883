"""Answers of review files that came back: checked one by one, and entered in the log of their gold set."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from radcal.review.annotating import READ
from radcal.review.records import Action, Mark, Verdict
from radcal.system.clock import now
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.text import Text
from radcal.words.records import ABSENT, OTHER, PRESENT, UNREAD
from radcal.workspace.context import REVIEW_MERGED, Context

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


@dataclass(frozen=True, slots=True)
class Came:
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


class Merging:
    """Enters the answers of one review file, under its reader.

    Args:
        number: of the hand-out;  handed: what is kept of it.
    """

    def __init__(self, context: Context, number: str, handed: Json) -> None:
        self._context, self._workspace = context, context.workspace
        self._number, self._handed = number, handed
        self._set, self._reader = int(handed["gold_set"]), str(handed["reader"])

    def merge(self, file: str, came: Came) -> Merged:
        """Enter the answers that came with a file of this name, all or nothing.

        Raises:
            NoAccess: the workspace is open read-only.
        """
        workspace, number, handed = self._workspace, self._number, self._handed
        chosen, reader = self._set, self._reader
        texts = workspace.reports(("report_id", "text"), handed["reports"])
        here = dict(texts.itertuples(index=False, name=None))
        check = _Check(number, handed, here, came.texts, self._phrases())
        taken, refused = check.all(came.actions)
        with workspace.transaction():
            workspace.add_gold_reader(reader)
            before = {a.action for a in workspace.gold_actions(chosen, READ, reader)}
            workspace.add_gold_actions(chosen, [a for a in taken if a.action not in before])
            known = {a.action: a for a in workspace.gold_actions(chosen, READ, reader)}
            # An action of another reader or set may have the same name only if the file was tampered with.
            own = {a.action: a for a in taken if a.action in known and _apart(known[a.action]) == number}
            turned = self._turned(own, came.turns)
            workspace.set_gold_turns(turned)
            new = [a for a in own.values() if a.action not in before]
            changed = [name for name in turned if name in before and turned[name].undone != known[name].undone]
            both = _answered_twice(known.values(), number, {a.report_id for a in new})
            done = _finished(own.values())
            merged = Merged(
                file,
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
                entry = {"at": now(), "file": file, "new": merged.new, "turned": merged.turned}
                workspace.save_result(REVIEW_MERGED, f"{number} {place:06}", entry, {})
            left_out = sum(n.answers for n in refused)
            workspace.log("review file merged", new=merged.new, turned=merged.turned, not_merged=left_out)
        return merged

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


class _Check:
    """Looks at every action of a file before it is taken: whoever has its passphrase could have written anything."""

    def __init__(
        self,
        number: str,
        handed: Json,
        here: Mapping[str, str],
        there: Mapping[str, str],
        phrases: frozenset[str],
    ) -> None:
        self._number, self._blind, self._phrases, self._at = number, bool(handed["blind"]), phrases, now()
        self._here, self._reader = here, str(handed["reader"])
        self._report = {str(n): i for n, i in enumerate(handed["reports"], 1)}
        self._why: dict[str, Text] = {}
        """Why no answer on a report is taken, by its number."""
        hashes = zip(handed["texts"], handed["uncovered"], strict=True)
        for (n, report_id), (digest, uncovered) in zip(self._report.items(), hashes, strict=True):
            if hash_of(there.get(n, "")) != digest:
                self._why[n] = _TAMPERED
            elif hash_of(here.get(report_id, "")) != uncovered:
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


def hash_of(text: str) -> str:
    """By which a text is known again."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
