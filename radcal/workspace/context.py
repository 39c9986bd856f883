"""What all that works on an open workspace shares: file, settings, lexicon, names, and keys of stored results."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.system import policy
from radcal.system.errors import DataError, InputError, RadcalError
from radcal.system.exports import Exports
from radcal.system.files import plain_to_record
from radcal.system.kinds import FileKind
from radcal.system.settings import Settings
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import Phrase
from radcal.workspace.masking import Masking
from radcal.workspace.names import Names

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace

# --- keys of single values (meta)

IMPORTED_FILES = "imported files"
"""Fingerprints of the files that were imported, as a JSON list."""
CLEAN_FILES = "de-identified files"
"""Those of IMPORTED_FILES whose reports were de-identified, as a JSON list."""
FILE_CONTENTS = "contents of imported files"
"""By fingerprint, the hash of the file's content and the modality it was read for, as JSON."""
ANALYSIS_KEY = "analysis key"
"""Hash over everything the stored analysis depends on."""
ANSWERS_KEY = "answers of models"
"""Hash over the answers of language models; missing or '' without any."""
ANALYSED_ANSWERS = "answers analysed"
"""The value of ANSWERS_KEY covered by the stored analysis."""
ANALYSED_FILES = "files analysed"
"""The value of IMPORTED_FILES covered by the stored analysis."""
UNPAIRED = "reports without a CT"
"""Whether they are to be read as well."""
LEXICON_KEY = "lexicon version"
"""The key of the department's lexicon; missing while it is the shipped one."""
FILE_KIND = "kind of file"
"""The :class:`FileKind`; missing in a department's workspace."""
PERSONAL = "personal file of"
"""The radiologist whose personal file this is; missing in a department's workspace."""
PSEUDONYM = "pseudonym"
"""The pseudonym of a personal file's radiologist."""
HAND_OUT = "number of the hand-out"
"""In a personal file: the random number under which its department knows it."""
CONTEST_KEY = "key of its contests"
"""In a personal file: the random key that seals what its radiologist contests, in hexadecimal digits."""
REVIEWER = "review file of"
"""In a review file: its reader."""
BLIND = "read blind"
"""In a review file: "no" if it has the findings of an engine."""

# --- kinds of stored results

ANALYSIS, CURRENT = "analysis", "current"
"""Kind and key of the analysis."""
LEXICON = "lexicon"
"""Versions of the department's lexicon, by number."""
SURVEY_RESPONSE = "survey response"
CONTESTED = "contested"
"""Contested findings, by X-ray report and topic."""
LEFT_OUT = "contested, left out"
"""The contested findings left out of the stored analysis."""
PERSONAL_HANDED_OUT = "personal file handed out"
"""By number of the hand-out: the radiologist, and the key of the contests that may come back."""
REVIEW_HANDED_OUT = "review file handed out"
"""By number of the hand-out: the reader, the gold set, the reports in order, their texts, how the file is opened."""
REVIEW_MERGED = "review file merged"
"""By number of the hand-out: when answers last came from it; in older workspaces also its place follows."""
REVIEW_WORDS = "words to read by"
"""In a review file: the pathologies with their synonyms."""
CONTESTS_TAKEN = "contests taken in"
"""By hand-out, X-ray report and topic: when the radiologist said what was last taken in."""
AGREED = "agreed with"
"""What radiologists agreed with, by X-ray report and topic."""
CASES_SHOWN = "cases shown"
"""By radiologist: the X-ray reports whose cases were handed out, those of the last time apart."""
STUDY_UIDS = "UIDs of studies"
"""In a personal file, the UID of the study of each report of its cases that has one, by report_id."""
NEW_CASES = "new cases"
"""In a personal file: the cases worth a look since the last feedback."""
GOALS = "goals"
"""Goals of radiologists, by a random number."""
GOAL_SAID = "goal, and what became of it"
"""In a personal file: its radiologist's goal."""
SAID = "said by models"
"""The numbers and Betas of the models' answers."""
PAGE_CHOICE = "page choice"
"""The contents chosen for a radiologist's pages, by radiologist."""

MEETING = "teaching cases"
"""The teaching cases of the next meeting, in order, under CURRENT."""

# --- stored frames

ANSWERS = "answers of models"
"""Answers of language models: author, topic, phrase, outcome and row."""
COUNTS_BY_DAY = "counts by day"
"""In a personal file: the counts of its radiologist by day."""
HABITS_BY_DAY = "habits by day"
"""In a personal file: of how many of its radiologist's reports each share is, by day."""
HABITS = "habits"
"""In a personal file: the scale of its standard words, and what may be told of all others."""
WORDINGS_BY_DAY = "wordings by day"
"""In a personal file: how often its radiologist wrote each word of certainty, by day."""


class Context:
    """An open workspace as all that works on it sees it: file, settings, words and names; its only shared state."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._lexicon: tuple[str, Lexicon] | None = None
        self._noted: set[tuple[object, ...]] = set()

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self.workspace.path

    @property
    def settings(self) -> Settings:
        """The settings that hold: those stored in the workspace; of a department's, with what IT has locked.

        A file of another kind was made elsewhere, with the settings that it holds.
        """
        settings, rules = self.workspace.settings, policy.in_use()
        return rules.in_force(settings) if rules.locked and not self.kind else settings

    @property
    def overridden(self) -> tuple[str, ...]:
        """The stored settings of a department's workspace that do not hold, because IT has locked others."""
        rules = policy.in_use()
        return rules.overrides(self.workspace.settings) if rules.locked and not self.kind else ()

    @property
    def personal(self) -> str:
        """The radiologist of a personal file, '' for a department's workspace."""
        return self.workspace.get_meta(PERSONAL) or ""

    @cached_property
    def names(self) -> Names:
        """The names behind the pseudonyms of a workspace that keeps them apart."""
        return Names(self.workspace)

    @property
    def kind(self) -> FileKind:
        """For whose eyes the file is.

        Raises:
            InputError: it is of a kind that only a newer RadCal knows.
        """
        try:
            return FileKind(self.workspace.get_meta(FILE_KIND) or "")
        except ValueError:
            raise InputError(
                "{name} is a file of a kind that this RadCal does not know. Open it with a newer RadCal.",
                name=self.path.name,
            ) from None

    @property
    def analysis_key(self) -> str | None:
        """Hash over everything the stored analysis depends on; None if there is none."""
        return self.workspace.get_meta(ANALYSIS_KEY)

    @cached_property
    def exports(self) -> Exports:
        """Writes files and enters each in the workspace's audit log, unless it is open read-only."""
        return Exports(None if self.workspace.read_only else self.workspace.log, [self.path], self.masking.now)

    @cached_property
    def masking(self) -> Masking:
        """What exports show in place of numbers and times."""
        return Masking(self.workspace)

    def note(self, what: str, **counts: int) -> None:
        """Enter in the audit log what was looked at, which must not fail where it cannot be entered.

        That is so in a workspace that is open for reading only, in files of another kind, and in one that is gone.
        """
        with suppress(RadcalError):
            if not self.workspace.read_only and not self.kind:
                self.workspace.log(what, **counts)

    def note_once(self, what: str, **counts: int) -> None:
        """As :meth:`note`, but each entry only once while the workspace is open."""
        noted = (what, *counts.items())
        if noted not in self._noted:
            self._noted.add(noted)
            self.note(what, **counts)

    @property
    def lexicon(self) -> Lexicon:
        """The department's lexicon."""
        key = self.workspace.get_meta(LEXICON_KEY) or ""
        known = self._lexicon
        if known is None or known[0] != key:
            known = self._lexicon = key, lexicon_from(self.lexicon_version(key)) if key else load_lexicon()
        return known[1]

    def lexicon_version(self, key: str) -> dict[str, Any]:
        """A stored version of the department's lexicon.

        Raises:
            DataError: there is none under that key.
        """
        stored = self.workspace.load_result(LEXICON, key)
        if stored is None:
            raise DataError("There is no version {key!r} of the department's words.", key=key)
        return stored

    def save_lexicon(self, key: str, payload: dict[str, Any]) -> None:
        """Store a version of the lexicon, as read by :func:`lexicon_from`, and make it the current one."""
        versions = {"version": payload["version"], "when": payload["when"]}
        self.workspace.save_result(LEXICON, key, payload, versions)
        self.workspace.set_meta(LEXICON_KEY, key)
        self._lexicon = None


def lexicon_from(stored: dict[str, Any]) -> Lexicon:
    """The lexicon of a stored version, from its ``name`` and ``phrases``."""
    return Lexicon(tuple(plain_to_record(p, Phrase) for p in stored["phrases"]), str(stored["name"]))


def no_analysis() -> DataError:
    """The error for a missing analysis."""
    return DataError("There is no analysis yet. Import reports and let RadCal read them first.")
