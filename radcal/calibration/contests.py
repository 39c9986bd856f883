"""What people say of findings: those contested as misread, which may leave the statistics, and those agreed with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from radcal.calibration.observation_codes import entered
from radcal.calibration.records import CONTESTED_LEFT_OUT, Contest
from radcal.system.text import EMPTY, Text
from radcal.workspace.context import AGREED, CONTESTED, CURRENT, LEFT_OUT, Context

if TYPE_CHECKING:
    import pandas as pd


class Contests:
    """The contested findings of a workspace."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> tuple[Contest, ...]:
        """All contested findings, the latest first."""
        out = self.left_out()
        stored = self._context.workspace.results(CONTESTED).values()
        made = [
            Contest(**r.payload, at=r.saved, left_out=(r.payload["xray_id"], r.payload["topic"]) in out) for r in stored
        ]
        return tuple(sorted(made, key=lambda c: (c.at, c.xray_id, c.topic), reverse=True))

    def agreed(self) -> tuple[Contest, ...]:
        """The findings that somebody looked at and agreed with, the latest first; they change nothing."""
        made = [Contest(**r.payload, at=r.saved) for r in self._context.workspace.results(AGREED).values()]
        return tuple(sorted(made, key=lambda c: (c.at, c.xray_id, c.topic), reverse=True))

    def reports(self) -> frozenset[str]:
        """The X-ray reports of which a finding is contested."""
        return frozenset(contest.xray_id for contest in self.all())

    def left_out(self) -> frozenset[tuple[str, str]]:
        """The findings, as (X-ray report, topic), left out of the stored analysis."""
        stored = self._context.workspace.load_result(LEFT_OUT, CURRENT) or {"findings": []}
        return frozenset((xray_id, topic) for xray_id, topic in stored["findings"])

    @property
    def why_not(self) -> Text:
        """Why nothing can be contested here, '' if it can."""
        return Text("The workspace is open to read only.") if self._context.workspace.read_only else EMPTY

    def add(
        self,
        xray_id: str,
        topic: str,
        author: str,
        phrase: str,
        note: str = "",
        *,
        by: str = "",
        said: str = "",
        agreed: bool = False,
    ) -> None:
        """Mark a finding as misread, or with ``agreed`` as right; saying something of it again replaces the note.

        The setting ``contested`` decides whether the next analysis includes a finding that was misread.

        Args:
            by, said: as in :class:`Contest`.

        Raises:
            NoAccess: the workspace is open read-only.
        """
        payload = {"xray_id": xray_id, "topic": topic, "author": author, "phrase": phrase, "note": note.strip()}
        if by:
            payload |= {"by": by, "said": said}
        workspace, key = self._context.workspace, json.dumps([xray_id, topic])
        with workspace.transaction():
            workspace.delete_result(CONTESTED if agreed else AGREED, key)
            workspace.save_result(AGREED if agreed else CONTESTED, key, payload, {})
            workspace.log("finding agreed with" if agreed else "finding contested")

    def withdraw(self, xray_id: str, topic: str) -> None:
        """Take back what was said of a finding; no error if that is nothing."""
        workspace, key = self._context.workspace, json.dumps([xray_id, topic])
        with workspace.transaction():
            workspace.delete_result(AGREED, key)
            workspace.delete_result(CONTESTED, key)
            workspace.log("contest of a finding withdrawn")

    def entering(self, observations: pd.DataFrame) -> tuple[pd.DataFrame, tuple[tuple[str, str, str, int], ...]]:
        """The observations included in the statistics, and counts (author, topic, what, n) of the others.

        Contested ones are excluded if the setting ``contested`` is "left out".
        """
        out = self._to_leave_out()
        if not out:
            return observations, ()
        keep = entered(observations, out)
        gone = observations[~keep].groupby(["author", "topic"]).size().rename("n").reset_index()
        rows = gone.itertuples(index=False, name=None)
        return observations[keep], tuple((str(a), str(t), CONTESTED_LEFT_OUT, int(n)) for a, t, n in rows)

    def note_left_out(self) -> None:
        """Store which findings are left out of the analysis being stored."""
        out = self._to_leave_out()
        self._context.workspace.save_result(LEFT_OUT, CURRENT, {"findings": sorted(map(list, out))}, {})

    def _to_leave_out(self) -> frozenset[tuple[str, str]]:
        if self._context.settings.contested == "counted":
            return frozenset()
        contests = self._context.workspace.results(CONTESTED).values()
        return frozenset((c.payload["xray_id"], c.payload["topic"]) for c in contests)
