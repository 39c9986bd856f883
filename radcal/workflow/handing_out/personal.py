"""A personal file opened: one radiologist's results to look at, and nothing to be changed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from radcal.errors import InputError
from radcal.records import Analysis
from radcal.workflow.department import Department
from radcal.workflow.handing_out.packets import PERSONAL, PSEUDONYM

if TYPE_CHECKING:
    from radcal.workspace import Workspace


def owner(workspace: Workspace) -> str:
    """The radiologist whose personal file it is, '' for the workspace of a department."""
    return workspace.get_meta(PERSONAL) or ""


class PersonalDepartment(Department):
    """A department of one radiologist: what concerns the department is refused, each time in the same words.

    The file is open for reading only, so that nothing is written even where a refusal is missing.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._author = owner(workspace)
        super().__init__(workspace, self._author)

    @property
    def personal(self) -> str:
        return self._author

    @property
    def up_to_date(self) -> bool:
        return True

    def _pseudonyms(self, analysis: Analysis) -> dict[str, str]:
        return {self._author: self._workspace.get_meta(PSEUDONYM) or ""}

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise InputError(
            "This is a personal file: it holds the results of {author} and nothing else, and "
            "cannot be changed. Open the department's workspace for that.",
            author=self._author,
        )

    import_files = import_reports = pair = extract = failures = review = analyse = _refuse
    save_settings = write_packet = copied = _refuse

    @cached_property
    def importing(self) -> NoReturn:
        self._refuse()

    @cached_property
    def runs(self) -> NoReturn:
        self._refuse()

    @cached_property
    def gold(self) -> NoReturn:
        self._refuse()

    @cached_property
    def backups(self) -> NoReturn:
        self._refuse()

    @property
    def compare(self) -> NoReturn:
        self._refuse()
