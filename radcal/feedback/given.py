"""What each radiologist was handed out so far, and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from radcal.calibration.contests import Contests
from radcal.workspace.context import Context

_BEGINS, _TO = "handed out ", " to "
"""Of the entries that :meth:`radcal.system.exports.Exports.enter` makes of what is for one person."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a radiologist was handed out.

    at: when it was last something: pages, printed or as a file, a card, macros, a personal file; None never
    contests, agreed: findings that the radiologist contests in a personal file, and agrees with
    answered: when the latest of these was taken in
    """

    at: datetime | None = None
    contests: int = 0
    agreed: int = 0
    answered: datetime | None = None


def given(context: Context, pseudonyms: Mapping[str, str]) -> dict[str, Given]:
    """What radiologists were handed out, by the audit log, which has their ``pseudonyms``; all with anything."""
    authors = {pseudonym: author for author, pseudonym in pseudonyms.items()}
    found: dict[str, Given] = {}
    for entry in context.workspace.entries():
        author = authors.get(entry.what.rpartition(_TO)[2]) if entry.what.startswith(_BEGINS) else None
        if author is not None:
            found[author] = Given(datetime.fromisoformat(entry.at))
    answers = Contests(context)
    for name, said in (("contests", answers.all()), ("agreed", answers.agreed())):
        for one in said:
            if one.by in pseudonyms:
                before, at = found.get(one.by, Given()), datetime.fromisoformat(one.at)
                latest = at if before.answered is None else max(at, before.answered)
                found[one.by] = replace(before, **{name: getattr(before, name) + 1}, answered=latest)
    return found
