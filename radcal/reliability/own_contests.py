"""What a radiologist contests in a personal file: kept in a sealed file beside it, which goes back to the department.

The personal file itself is never changed.  The file of contests is sealed with a random key that lies in the personal
file and in the department's workspace, and nowhere else, so that it is bound to this hand-out and its radiologist.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from radcal.reliability.contests import Contests
from radcal.reliability.records import Contest
from radcal.system import inputs
from radcal.system.clock import after
from radcal.system.errors import DataError, InputError
from radcal.system.exports import CONTESTS_SUFFIX
from radcal.system.files import file_stem, free_name
from radcal.system.sealed import Unsealable, seal, unseal
from radcal.system.text import EMPTY, Text
from radcal.workspace.context import CONTEST_KEY, HAND_OUT, PSEUDONYM, Context

SEALED_CONTESTS = "contests"
"""What a sealed file of contests is for."""
LONGEST_NOTE = 2000
"""Characters of a note."""
_VERSION = 1
_NAMESAKES = 9
"""Files of this many personal files of one name are looked at."""

Finding = tuple[str, str]
"""X-ray report and topic."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the radiologist says of a finding now.

    note: why it was read wrongly, None once the contest is withdrawn
    at: when they said so, UTC in ISO 8601 to the microsecond; of two the later counts
    """

    xray_id: str
    topic: str
    phrase: str
    note: str | None
    at: str

    @property
    def second(self) -> str:
        """``at`` to the second, as times are shown and stored."""
        return datetime.fromisoformat(self.at).isoformat(timespec="seconds")


class OwnContests(Contests):
    """The contests of a personal file: those that the department knew of, and those made in it."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._number = context.workspace.get_meta(HAND_OUT) or ""
        self._key = bytes.fromhex(context.workspace.get_meta(CONTEST_KEY) or "")
        self._said: dict[Finding, Said] = {}
        self._file: Path | None = None
        self.unkept: Text = EMPTY
        """Why what was said last is not on the disk, '' if it is."""
        self._look()

    @property
    def why_not(self) -> Text:
        """Why nothing can be contested here, '' if it can."""
        if self._key:
            return EMPTY
        return Text(
            "This personal file has no key for contests: it was written from a workspace that was open for reading "
            "only. Ask your department\u2019s QA staff for a new one."
        )

    @property
    def file(self) -> Path:
        """Where the contests are kept: beside the personal file, under its name."""
        if self._file is None:
            self._file = free_name(self._context.path.with_suffix(CONTESTS_SUFFIX))
        return self._file

    @property
    def said(self) -> Mapping[Finding, Said]:
        """What was said in this file, withdrawn contests included."""
        return dict(self._said)

    def all(self) -> tuple[Contest, ...]:
        """All contested findings, the latest first."""
        out, author = self.left_out(), self._context.personal
        known = {(c.xray_id, c.topic): c for c in super().all()}
        for finding, said in self._said.items():
            known.pop(finding, None)
            if said.note is not None:
                known[finding] = Contest(*finding, author, said.phrase, said.note, said.second, finding in out)
        return tuple(sorted(known.values(), key=lambda c: (c.at, c.xray_id, c.topic), reverse=True))

    def add(
        self, xray_id: str, topic: str, author: str, phrase: str, note: str = "", *, by: str = "", said: str = ""
    ) -> None:
        """Contest a finding of this file; contesting it again replaces the note.

        Raises:
            InputError: the file can take no contests.
            DataError: it has no such finding.
        """
        own = self._context.workspace.observations_of(self._context.personal)
        if author != self._context.personal or own is None or not (
            (own["xray_id"] == xray_id) & (own["topic"] == topic) & (own["phrase"] == phrase)
        ).any():  # fmt: skip
            raise DataError("This personal file has no such finding.")
        self._say(xray_id, topic, phrase, note.strip()[:LONGEST_NOTE])

    def withdraw(self, xray_id: str, topic: str) -> None:
        """Withdraw a contest; no error if there is none.

        Raises:
            InputError: the file can take no contests.
        """
        contest = next((c for c in self.all() if (c.xray_id, c.topic) == (xray_id, topic)), None)
        if contest is not None:
            self._say(xray_id, topic, contest.phrase, None)

    def name(self) -> str:
        """The usual name of the file that goes back: "contests-avery.radcal-contests"."""
        pseudonym = self._context.workspace.get_meta(PSEUDONYM) or ""
        return f"contests-{file_stem(pseudonym or 'reader').lower()}{CONTESTS_SUFFIX}"

    def hand_over(self, path: Path) -> Path:
        """Write the contests to another file, to be sent to the department.

        Raises:
            InputError: the file can take no contests, or ``path`` cannot be written.
            DataError: nothing was contested.
        """
        if not self._said:
            raise DataError("Nothing was contested in this file, so there is nothing to send.")
        self._write(path)
        self.unkept = EMPTY
        return path

    def _say(self, xray_id: str, topic: str, phrase: str, note: str | None) -> None:
        if self.why_not:
            raise InputError(self.why_not)
        self._look()  # another window may have added some
        before = self._said.get((xray_id, topic))
        at = after(before.at if before is not None else "")
        self._said[xray_id, topic] = Said(xray_id, topic, phrase, note, at)
        try:
            self._write(self.file)
            self.unkept = EMPTY
        except InputError as error:  # of a folder that may not be written; they can still be saved elsewhere
            self.unkept = error.text

    def _write(self, path: Path) -> None:
        if self.why_not:
            raise InputError(self.why_not)
        said = [asdict(s) for s in self._said.values()]
        whole = {"version": _VERSION, "hand_out": self._number, "contests": said}
        seal(path, SEALED_CONTESTS, self._key, json.dumps(whole).encode())

    def _look(self) -> None:
        """Take what the file beside has; of the same finding, the later counts."""
        if not self._key:
            return
        usual = self._context.path.with_suffix(CONTESTS_SUFFIX)
        numbered = (usual.with_stem(f"{usual.stem}-{n}") for n in range(2, _NAMESAKES + 1))
        for path in [self._file] if self._file is not None else itertools.chain([usual], numbered):
            try:
                if not inputs.is_there(path):
                    continue
                said = read_contests(unseal(path, SEALED_CONTESTS, self._key), path.name)
            except Unsealable:  # of another personal file; it stays as it is
                continue
            except InputError as error:
                self.unkept = error.text
                continue
            self._file = path
            for finding, one in said.contests.items():
                before = self._said.get(finding)
                if before is None or before.at < one.at:
                    self._said[finding] = one
            return


@dataclass(frozen=True, slots=True)
class ContestsFile:
    """The content of a file of contests: the number of the personal file, and what its radiologist said."""

    hand_out: str
    contests: Mapping[Finding, Said]


def read_contests(payload: bytes, name: str) -> ContestsFile:
    """The content of an unsealed file of contests.

    Raises:
        InputError: it is from a newer RadCal, or has another content than RadCal writes.
    """
    try:
        whole = json.loads(payload)
        version = int(whole["version"])
        if version <= _VERSION:
            said = [_said(one) for one in whole["contests"]]
            return ContestsFile(_text(whole["hand_out"]), {(s.xray_id, s.topic): s for s in said})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("{name} does not hold contests as RadCal writes them. Ask for it again.", name=name) from None
    raise InputError("{name} was made by a newer RadCal. Install that version to take it in.", name=name)


def _said(plain: Mapping[str, object]) -> Said:
    said = Said(**plain)  # type: ignore[arg-type]  # checked below
    for part in (said.xray_id, said.topic, said.phrase, said.at):
        _text(part)
    at = datetime.fromisoformat(said.at)
    if at.tzinfo is None:
        raise ValueError
    said = replace(said, at=at.astimezone(UTC).isoformat(timespec="microseconds"))
    if said.note is None:
        return said
    note = "".join(c if c.isprintable() else " " for c in _text(said.note))
    return replace(said, note=note[:LONGEST_NOTE])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
