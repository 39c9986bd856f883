"""What keeps an open workspace safe, in the worker: a backup when one is due, and its pages read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.errors import InputError

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records import Checked
    from radcal.workflow import Department


@dataclass(frozen=True, slots=True)
class LookedAfter:
    """What came of it.

    failure: why no backup was made, '' where one was or none was due
    checked: what was found in the pages, None where they were read today
    """

    failure: str
    checked: Checked | None


def look_after(department: Department, progress: Progress) -> LookedAfter:
    """Make a backup and read the pages, each where it is due; between its parts others may use the workspace."""
    failure = ""
    try:
        department.backups.back_up_if_due(progress)
    except InputError as error:
        failure = str(error)
    return LookedAfter(failure, department.backups.check_if_due(progress))
