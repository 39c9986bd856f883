"""Contests that come back from personal files: checked one by one against the present analysis, and added."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.reliability.contests import Contests
from radcal.reliability.own_contests import SEALED_CONTESTS, ContestsFile, read_contests
from radcal.reliability.stored_analysis import StoredAnalysis
from radcal.system.errors import InputError
from radcal.system.sealed import OtherKey, unseal
from radcal.system.text import Text
from radcal.workspace.context import CONTESTS_TAKEN, PERSONAL_HANDED_OUT, Context

if TYPE_CHECKING:
    from radcal.system.files import Json

_NO_FINDING = Text("The present analysis has no such finding of this radiologist.")
_READ_OTHERWISE = Text("The finding is now read with another phrase.")


@dataclass(frozen=True, slots=True)
class Refused:
    """A contest that was not taken in, and why."""

    xray_id: str
    topic: str
    reason: Text


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What a file of contests brought.

    file: its name;  author: the radiologist;  added, withdrawn: contests that are new here, or gone
    known: those that had been taken in before
    """

    file: str
    author: str
    added: int = 0
    withdrawn: int = 0
    known: int = 0
    refused: tuple[Refused, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything is other than before."""
        return bool(self.added or self.withdrawn)


class ReturnedContests:
    """Takes in contests that radiologists made in their personal files."""

    def __init__(self, context: Context, stored: StoredAnalysis, contests: Contests) -> None:
        self._context = context
        self._stored = stored
        self._contests = contests

    def take(self, path: Path) -> TakenIn:
        """Add the contests of a file, and withdraw what its radiologist withdrew; the same file twice changes nothing.

        A contest is refused if the present analysis has no such finding of this radiologist.  What was withdrawn here
        after it had been taken in stays withdrawn, until the radiologist says something new of it.

        Raises:
            InputError: the file is damaged, or was not sealed with the key of a personal file of this workspace.
            DataError: there is no analysis yet.
            NoAccess: the workspace is open read-only.
        """
        number, handed, file = self._unsealed(path)
        author, workspace = str(handed["author"]), self._context.workspace
        own = self._stored.observations_of(author) if author in self._stored.authors() else None
        rows = [] if own is None else own[["xray_id", "topic", "phrase"]].itertuples(index=False, name=None)
        phrases: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for xray_id, topic, phrase in rows:
            phrases[str(xray_id), str(topic)].add(str(phrase))
        added = withdrawn = known = 0
        refused: list[Refused] = []
        with workspace.transaction():
            there = {(c.xray_id, c.topic): c for c in self._contests.all()}
            for finding, said in file.contests.items():
                key = json.dumps([number, *finding])
                taken = workspace.load_result(CONTESTS_TAKEN, key)
                before = there.get(finding)
                if taken is not None and taken["at"] >= said.at:
                    known += 1
                    continue
                if said.phrase not in phrases.get(finding, ()):
                    reason = _READ_OTHERWISE if finding in phrases else _NO_FINDING
                    refused.append(Refused(*finding, reason))
                    continue
                if said.note is not None:
                    note = _together(before.note, said.note) if before is not None and not before.by else said.note
                    self._contests.add(*finding, author, said.phrase, note, by=author, said=said.second)
                    added += 1
                elif before is not None and (before.by or before.at <= handed["made"]):
                    # Not one that was made here since: the radiologist cannot have meant it.
                    self._contests.withdraw(*finding)
                    withdrawn += 1
                workspace.save_result(CONTESTS_TAKEN, key, {"at": said.at}, {})
            workspace.log("contests taken in", added=added, withdrawn=withdrawn, known=known, refused=len(refused))
        return TakenIn(path.name, author, added, withdrawn, known, tuple(refused))

    def _unsealed(self, path: Path) -> tuple[str, Json, ContestsFile]:
        """The hand-out whose key opens the file, with what is known of it, and the content."""
        for number, stored in self._context.workspace.results(PERSONAL_HANDED_OUT).items():
            try:
                payload = unseal(path, SEALED_CONTESTS, bytes.fromhex(stored.payload["key"]))
            except OtherKey:
                continue
            file = read_contests(payload, path.name)
            if file.hand_out != number:
                raise InputError(
                    "{name} speaks of another personal file than the one whose key sealed it. Nothing was taken in.",
                    name=path.name,
                )
            return number, stored.payload, file
        raise InputError(
            "{name} does not belong to a personal file of this workspace: no key kept here opens it. If the personal "
            "file was written after the backup that this workspace was restored from, its contests cannot be read.",
            name=path.name,
        )


def _together(ours: str, theirs: str) -> str:
    """The note made here with that of the radiologist, each once."""
    return "; ".join(dict.fromkeys(filter(None, (ours, theirs))))
