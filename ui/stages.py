"""The stages in rail order, and how to create their pages."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.system.kinds import FileKind
from ui.words import say

if TYPE_CHECKING:
    from types import ModuleType

    from PySide6.QtWidgets import QWidget

    from ui.pages.stage import StagePage
    from ui.shell import Shell

START, IMPORT, EXTRACTION, REVIEW, WORDS = "start", "import", "extraction", "review", "words"
RELIABILITY, EVIDENCE, ADVICE, COMPARE, HABITS = "reliability", "evidence", "advice", "compare", "habits"
FEEDBACK, TRY, MODELS, SETTINGS, HELP = "feedback", "try", "models", "settings", "help"
AUDIT = "audit"
FIRST: Mapping[FileKind, str] = {
    FileKind.DEPARTMENT: RELIABILITY,
    FileKind.PERSONAL: RELIABILITY,
    FileKind.REVIEW: REVIEW,
}
"""The page shown when a file of a kind was opened."""
_DEPARTMENT = frozenset({FileKind.DEPARTMENT})
_OWN = _DEPARTMENT | {FileKind.PERSONAL}
_READING = _DEPARTMENT | {FileKind.REVIEW}
_ALL = frozenset(FileKind)


@dataclass(frozen=True, slots=True)
class Stage:
    """A page and its place.

    name: in the rail, '' for pages opened from another
    parent: the stage highlighted in the rail instead
    kinds: of the files that it is offered with; see ``FileKind``
    """

    key: str
    name: str
    folder: str
    page: str
    parent: str = ""
    at_foot: bool = False
    kinds: frozenset[FileKind] = _DEPARTMENT

    def load(self) -> ModuleType:
        """Import the page's module, which takes as long as creating the page."""
        return importlib.import_module(f"ui.pages.{self.folder}.page")

    def make(self, shell: Shell, parent: QWidget | None = None) -> StagePage:
        """Create the page in ``parent``: styled in its place, and not once more when it is put there."""
        page: StagePage = getattr(self.load(), self.page)(shell, parent)
        return page


def stages() -> Iterator[Stage]:
    """All stages but the start page, in the current language."""
    yield Stage(IMPORT, say("Import"), "imports", "ImportStage")
    yield Stage(EXTRACTION, say("Extraction"), "extraction", "ExtractionPage")
    yield Stage(REVIEW, say("Review"), "review", "ReviewPage", kinds=_READING)
    yield Stage(WORDS, say("Words"), "words", "WordsPage")
    yield Stage(RELIABILITY, say("Reliability"), "reliability", "ReliabilityPage", kinds=_OWN)
    yield Stage(EVIDENCE, "", "evidence", "EvidencePage", RELIABILITY, kinds=_OWN)
    yield Stage(ADVICE, say("Advice"), "advice", "AdvicePage", kinds=_OWN)
    yield Stage(COMPARE, say("Compare"), "compare", "ComparePage")
    yield Stage(HABITS, say("Habits"), "habits", "HabitsPage", kinds=_OWN)
    yield Stage(FEEDBACK, say("Feedback"), "feedback", "FeedbackPage", kinds=_OWN)
    yield Stage(TRY, say("Try a sentence"), "draft_check", "TryPage", kinds=_OWN)
    yield Stage(MODELS, say("Models"), "models", "ModelsPage")
    yield Stage(SETTINGS, say("Settings"), "settings", "SettingsPage", at_foot=True, kinds=_ALL)
    yield Stage(AUDIT, "", "audit_log", "AuditLogPage", SETTINGS)
    yield Stage(HELP, say("Help"), "help", "HelpPage", at_foot=True, kinds=_ALL)
