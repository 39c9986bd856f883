"""Files handed out to one person each, and what comes back from them.

A file is written for a person under a random number.  Number, person and the key of what comes back are on the disk
before the file is complete.  What comes back is recognised by the key that opens it, checked part by part, since
whoever has the file could have written anything, and taken in once.

Such a file is built and never copied and reduced, so that a forgotten part is missing rather than disclosed.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from radcal.calibration.department_words import Words
from radcal.calibration.effects import effects_in_run
from radcal.calibration.stored_analysis import StoredAnalysis
from radcal.feedback.file_passphrases import stored_before
from radcal.findings.runs import Runs
from radcal.system.clock import now
from radcal.system.errors import InputError, RadcalError
from radcal.system.files import plain_to_record
from radcal.system.kinds import FileKind
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.workspace.context import FILE_KIND, Context
from radcal.workspace.passphrases import check_passphrase

if TYPE_CHECKING:
    from radcal.system.files import Json
    from radcal.workspace.store import Workspace

Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class HandOut:
    """A file that was handed out.

    number: random;  person: who got it;  key: what opens that which comes back;  made: when, UTC in ISO 8601
    file: where it was written
    gold_set, blind: of a review file, the number of its set and whether it is without an engine's findings
    reports: of a review file, in order, with the hashes of their ``texts`` in the file and of those ``uncovered`` here
    returned: when it last came back, as ``made``, '' never
    """

    number: str
    person: str
    key: str
    made: str
    file: Path = Path()
    gold_set: int = 0
    blind: bool = True
    reports: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()
    returned: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was not taken in, and why.

    report: the X-ray report, or its number in a review file;  topic: the pathology contested;  n: how many answers
    """

    report: str
    reason: Text
    topic: str = ""
    n: int = 1


@dataclass(frozen=True, slots=True)
class Returned:
    """What a file brought.

    file: its name
    new: answers or contests that were not here before
    turned: contests withdrawn, or earlier answers that are undone or valid again since
    known: contests that had been taken in before
    agreed: findings newly agreed with;  goal: a goal was set
    finished: reports that the reader has finished in a review file
    both: numbers of reports that the reader answered in the workspace, too: of what both say, the later holds
    is_current: whether the gold set is the present one
    """

    file: str
    hand_out: HandOut
    new: int = 0
    turned: int = 0
    known: int = 0
    agreed: int = 0
    goal: bool = False
    refused: tuple[Refused, ...] = ()
    finished: int = 0
    both: tuple[str, ...] = ()
    is_current: bool = True

    @property
    def changed(self) -> bool:
        """Whether anything is other than before."""
        return bool(self.new or self.turned or self.agreed or self.goal)


@dataclass(eq=False, repr=False)
class HandOuts(ABC, Generic[Content]):
    """The files of one kind that a department hands out."""

    KIND: ClassVar[FileKind]
    STORED: ClassVar[str]
    """Kind of the stored results that remember them, by number."""
    PERSON: ClassVar[str]
    KEY: ClassVar[str]
    """Names of person and key in these results."""
    FOREIGN: ClassVar[Text]
    """What is said of a file ``name`` that no key opens."""

    _context: Context

    def __post_init__(self) -> None:
        self._workspace = self._context.workspace

    @abstractmethod
    def _open(self, path: Path, handed: HandOut) -> Content | None:
        """What a file holds, None if the key of the hand-out does not open it.

        Raises:
            InputError: the file is damaged, or has another content than RadCal writes.
        """

    @abstractmethod
    def _merge(self, name: str, handed: HandOut, content: Content) -> Returned:
        """Check what the file of this name holds, and enter what is new; within one transaction."""

    def handed_out(self) -> tuple[HandOut, ...]:
        """All files that were handed out, the latest first."""
        found = [
            self._record(number, stored.payload) for number, stored in self._workspace.results(self.STORED).items()
        ]
        return tuple(sorted(found, key=lambda h: (h.made, h.number), reverse=True))

    def take_back(self, path: Path, progress: Progress = SILENT) -> Returned:
        """Take in what came back in a file, all or nothing; the same file twice, or an older copy, changes nothing.

        Raises:
            InputError: the file is damaged, or does not belong to a file that this workspace handed out.
            DataError: there is no analysis to check contests against.
            NoAccess: the workspace is open read-only.
        """
        handed, content = self._opened(path, progress)
        with self._workspace.transaction():
            return self._merge(path.name, handed, content)

    def _opened(self, path: Path, progress: Progress) -> tuple[HandOut, Content]:
        """The hand-out whose key fits, which nobody else knows but its person; the file may have been renamed."""

        def distance(handed: HandOut) -> tuple[bool, bool]:
            return handed.file.name != path.name, not path.stem.startswith(handed.file.stem)

        for handed in sorted(self.handed_out(), key=distance):
            progress.raise_if_cancelled()
            content = self._open(path, handed)
            if content is not None:
                return handed, content
        raise InputError(self.FOREIGN, name=path.name)

    def _write(
        self,
        person: str,
        out: Path,
        passphrase: str,
        key: str,
        fill: Callable[[Workspace, str], None],
        *,
        settings: Settings,
        names: tuple[str, ...],
        to: str,
        about: Json | None = None,
    ) -> HandOut:
        """Write a file for a person, whole or not at all, and enter it in the department's audit log.

        A workspace open for reading only remembers nothing of it.

        Args:
            fill: writes the contents, given the number of the hand-out, in one transaction.
            settings: that the file has.
            names: that the passphrase must not be made of, besides the file's.
            to: the pseudonym of whoever gets it, or the reader's number.
            about: further fields of the hand-out.

        Raises:
            InputError: the file exists already or cannot be written, or the passphrase is weak.
        """
        from radcal.workspace.store import Workspace

        number = secrets.token_hex(16)
        payload: Json = {self.PERSON: person, self.KEY: key, "made": now()} | (about or {})
        check_passphrase(passphrase, out.stem, *names)

        def remember() -> Callable[[], None]:
            if self._workspace.read_only:
                return lambda: None
            self._workspace.save_result(self.STORED, number, payload, {})
            return forget

        def forget() -> None:
            with suppress(RadcalError):  # a superfluous entry speaks of a file that does not exist
                self._workspace.delete_result(self.STORED, number)

        def build(part: Workspace) -> None:
            with part.transaction():
                part.set_meta(FILE_KIND, self.KIND)
                fill(part, number)
            # Logged once its contents are complete, but before the file is in place: if that fails, there is no file.
            self._context.exports.enter(self.KIND, out, to=to)

        with stored_before(out, remember):
            # Not the department's seed, which would reveal the names behind its pseudonyms, and no user, since whoever
            # gets the file need not know who wrote it.
            Workspace.create(out, passphrase, settings, pseudonym_seed=0, user="", fill=build).close()
        return self._record(number, payload)

    def _record(self, number: str, payload: Json) -> HandOut:
        named = {"number": number, "person": payload[self.PERSON], "key": payload[self.KEY]}
        return plain_to_record(payload | named, HandOut)


def copy_words(part: Context, words: Lexicon) -> None:
    """Store the department's lexicon in a file, unless it is the shipped one."""
    if words.version != load_lexicon().version:
        own = Words(part, StoredAnalysis(part), Runs(part, partial(effects_in_run, part)))
        own.save(words, part.settings.allowed_phrases, what="as in the department", who="")
