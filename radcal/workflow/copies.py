"""Copies of the workspace, and what would be lost without one: reports can be imported again, people's work cannot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from radcal.workflow.lexicons import KIND as WORDS
from radcal.workflow.lexicons import RESPONSE

if TYPE_CHECKING:
    from radcal.workspace import Workspace

_WORTH_A_COPY = 20
"""So many decisions are an hour's work; fewer are soon made again."""
_OLD = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Copied:
    """When the workspace was copied last, and what people did in it since.

    last: None if it never was, timezone-aware
    decisions: steps of reviewing, findings contested, words and answers about words, settings saved
    """

    last: datetime | None
    decisions: int

    def is_due(self, now: datetime) -> bool:
        """Whether people's work is worth a copy; not more than once a week."""
        return self.decisions >= _WORTH_A_COPY and (self.last is None or now - self.last >= _OLD)


def copied(workspace: Workspace) -> Copied:
    """Of this workspace."""
    last = workspace.last_backup()
    return Copied(last, workspace.decisions_since(last, (WORDS, RESPONSE)))
