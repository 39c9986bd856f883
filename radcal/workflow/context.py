"""Shared by all parts of the workflow: the workspace, its settings and words, and keys of stored results."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.errors import DataError
from radcal.exports import Exports
from radcal.files import plain_to_record
from radcal.lexicon.phrases import Lexicon, load_lexicon
from radcal.records import Phrase

if TYPE_CHECKING:
    from radcal.settings import Settings
    from radcal.workspace import Workspace

# --- keys of single values (meta)

IMPORTED_FILES = "imported files"
"""Fingerprints of the files that were imported, as a JSON list."""
FILE_CONTENTS = "contents of imported files"
"""By fingerprint, the name of the file's content and the modality that it was read for, as JSON."""
ANALYSIS_KEY = "analysis key"
"""Hash over all that the stored analysis depends on."""
ANALYSED_FILES = "files analysed"
"""The value of IMPORTED_FILES that the stored analysis covers."""
LEXICON_KEY = "lexicon version"
"""Which of the stored lexicons is the department's; missing while it is the one that ships."""
PERSONAL = "personal file of"
"""The radiologist whose personal file this is; missing in a department's workspace."""
PSEUDONYM = "pseudonym"
"""The pseudonym of a personal file's radiologist."""

# --- kinds of stored results

ANALYSIS, CURRENT = "analysis", "current"
"""Kind and key of the analysis."""
LEXICON = "lexicon"
"""States of the department's lexicon, by number."""
SURVEY_RESPONSE = "survey response"
CONTESTED = "contested"
"""Contested findings, by X-ray report and topic."""
LEFT_OUT = "contested, left out"
"""The contested findings that the stored analysis was made without."""
PAGE_CHOICE = "page choice"
"""What goes into a radiologist's pages, by radiologist."""

# --- stored frames

REPORT_VERSIONS = "versions of reports"
"""What tells the versions of each report apart."""
COUNTS_BY_DAY = "counts by day"
"""In a personal file: what the analysis counts of its radiologist on each day."""


class Context:
    """An open workspace as the parts of the workflow see it, their only shared state."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._lexicon: tuple[str, Lexicon] | None = None

    @property
    def path(self) -> Path:
        """The workspace's file."""
        return self.workspace.path

    @property
    def settings(self) -> Settings:
        """The settings stored in the workspace."""
        return self.workspace.settings

    @property
    def personal(self) -> str:
        """The radiologist whose personal file this is, '' in a department's workspace."""
        return self.workspace.get_meta(PERSONAL) or ""

    @property
    def analysis_key(self) -> str | None:
        """Identifies the stored analysis: changes with everything it depends on; None if there is none."""
        return self.workspace.get_meta(ANALYSIS_KEY)

    @cached_property
    def exports(self) -> Exports:
        """Writes files; each is entered in the workspace's audit log unless the workspace is open for reading only."""
        return Exports(None if self.workspace.read_only else self.workspace.log, [self.path])

    @property
    def lexicon(self) -> Lexicon:
        """The department's phrases and what they mean."""
        key = self.workspace.get_meta(LEXICON_KEY) or ""
        if self._lexicon is None or self._lexicon[0] != key:
            self._lexicon = key, lexicon_from(self.lexicon_version(key)) if key else load_lexicon()
        return self._lexicon[1]

    def lexicon_version(self, key: str) -> dict[str, Any]:
        """A stored state of the department's lexicon.

        Raises:
            DataError: there is none of that key.
        """
        stored = self.workspace.load_result(LEXICON, key)
        if stored is None:
            raise DataError(
                "There is no version {key!r} of the department's words.",
                key=key,
            )
        return stored

    def save_lexicon(self, key: str, payload: dict[str, Any]) -> None:
        """Store a state of the lexicon, as :func:`lexicon_from` reads it, and make it the department's."""
        versions = {"version": payload["version"], "when": payload["when"]}
        self.workspace.save_result(LEXICON, key, payload, versions)
        self.workspace.set_meta(LEXICON_KEY, key)
        self._lexicon = None


def lexicon_from(stored: dict[str, Any]) -> Lexicon:
    """The lexicon of a stored state: its ``name`` and ``phrases``."""
    return Lexicon(tuple(plain_to_record(p, Phrase) for p in stored["phrases"]), str(stored["name"]))


def no_analysis() -> DataError:
    """The error raised when an analysis is required but missing."""
    return DataError("There is no analysis yet. Import reports and let RadCal read them first.")
