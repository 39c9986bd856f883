"""What the Compare page asks of the worker."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.progress import Progress
    from radcal.records import Selection
    from radcal.records.comparison import Compared, Trend, Unit
    from radcal.workflow import Department


def compare(phrase: str, selection: Selection, department: Department, progress: Progress) -> Compared:
    """All radiologists on the selected pathology in the selected days; the selected radiologist plays no part."""
    return department.compare.compare(selection.topic, phrase, selection.days, progress)


def trend(
    phrase: str, author: str, unit: Unit, selection: Selection, department: Department, progress: Progress
) -> Trend:
    """One radiologist, or all (''), over time."""
    return department.compare.trend(selection.topic, phrase, author, unit, selection.days, progress)


def feedback_dates(department: Department, _progress: Progress) -> dict[str, date | None]:
    """When feedback was given, by author; '' for all whose own date is not known."""
    return department.compare.feedback_dates()


def save_feedback_dates(
    dates: Mapping[str, date | None], department: Department, _progress: Progress
) -> dict[str, date | None]:
    """Keep when feedback was given; what was kept."""
    department.compare.set_feedback_dates(dates)
    return dict(dates)
