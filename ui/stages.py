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

HOME, REPORTS, REVIEW, RESULTS, DEPARTMENT = "home", "reports", "review", "results", "department"
FEEDBACK, WORDS, LAB, SETTINGS, HELP = "feedback", "words", "lab", "settings", "help"
FIRST: Mapping[FileKind, str] = {
    FileKind.DEPARTMENT: HOME,
    FileKind.PERSONAL: RESULTS,
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

    name: in the rail
    kinds: of the files that it is offered with; see ``FileKind``
    """

    key: str
    name: str
    folder: str
    page: str
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
    """All stages, in the current language."""
    yield Stage(HOME, say("Home"), "home", "HomePage")
    yield Stage(REPORTS, say("Reports"), "reports", "ReportsPage")
    yield Stage(REVIEW, say("Review"), "review", "ReviewPage", kinds=_READING)
    yield Stage(RESULTS, say("Results"), "results", "ResultsPage", kinds=_OWN)
    yield Stage(DEPARTMENT, say("Department"), "department", "DepartmentPage")
    yield Stage(FEEDBACK, say("Feedback"), "feedback", "FeedbackPage", kinds=_OWN)
    yield Stage(WORDS, say("Words"), "words", "WordsPage")
    yield Stage(LAB, say("Lab"), "lab", "LabPage", at_foot=True)
    yield Stage(SETTINGS, say("Settings"), "settings", "SettingsPage", at_foot=True, kinds=_ALL)
    yield Stage(HELP, say("Help"), "help", "HelpPage", at_foot=True, kinds=_ALL)
