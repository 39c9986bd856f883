"""What exports show in place of the numbers of reports and patients, and of the times of examinations.

Where reports are de-identified, times and accession numbers stay in the encrypted workspace, as pairing, dates and the
case viewer need them.  Nothing that leaves it has them: numbers are replaced by others, always the same for the same,
and times are shifted by as much as the dates within the texts of their patient.  ``docs/deidentification.md`` lists
what this makes of each export.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from radcal.system import policy
from radcal.workspace.stand_ins import SECRET_BYTES, StandIns

if TYPE_CHECKING:
    from radcal.workspace.store import Workspace

SECRET = "secret of de-identification"  # noqa: S105 - the name of a key
"""Key of the secret in the department's workspace; personal files do not have it, and cover nothing."""
DAYS_LEFT_OUT = "days of cases left out"
"""Key in a personal file of a department whose exports are covered: its pages are those of the department."""
_KINDS = frozenset({"xray", "ct"})
"""What stands before the colon of a report_id."""


class Masking:
    """Keeps the secret of de-identification, and covers numbers and times in what is exported."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def secret(self) -> bytes:
        """The workspace's secret; where it has none yet a random one, to be stored by :meth:`keep`."""
        stored = self._workspace.get_meta(SECRET)
        return secrets.token_bytes(SECRET_BYTES) if stored is None else bytes.fromhex(stored)

    def keep(self, secret: bytes) -> None:
        """Store the secret under which something was de-identified, with what was."""
        if self._workspace.get_meta(SECRET) is None:
            self._workspace.set_meta(SECRET, secret.hex())

    @property
    def on(self) -> bool:
        """Whether anything is covered: reports are de-identified, and some were."""
        return self._workspace.get_meta(SECRET) is not None and self._deidentifies

    @property
    def _deidentifies(self) -> bool:
        return policy.in_use().in_force(self._workspace.settings).deidentify == "on"

    @property
    def leaves_days_out(self) -> bool:
        """Whether printed pages leave out the day of a case."""
        return self.on or self._workspace.get_meta(DAYS_LEFT_OUT) is not None

    def now(self) -> Covers | None:
        """What covers numbers and times, by the secret and the switch of this moment; None if nothing does."""
        return Covers(StandIns(self.secret()), self._patients) if self.on else None

    def _patients(self) -> dict[str, str]:
        frame = self._workspace.reports(("report_id", "patient_id"))
        return dict(zip(frame["report_id"].tolist(), frame["patient_id"].tolist(), strict=True))

    def uncovered(self, shown: Collection[str]) -> dict[str, str]:
        """The report_ids of this workspace that exports show so, by what they show; nothing if nothing is covered."""
        covers = self.now()
        if covers is None:
            return {}
        wanted = set(shown)
        ids = self._workspace.reports(("report_id",))["report_id"].tolist()
        return {name: report_id for report_id in ids if (name := covers.number(report_id)) in wanted}


class Covers:
    """Covers the numbers and times of one export."""

    def __init__(self, stand_ins: StandIns, patients: Callable[[], Mapping[str, str]]) -> None:
        """``patients``: the patients of all reports, asked for once, when the first time is covered."""
        self._stand_ins, self._ask = stand_ins, patients

    @cached_property
    def _patients(self) -> Mapping[str, str]:
        return self._ask()

    def number(self, number: str) -> str:
        """A number of a report or patient as exports show it; a report_id keeps its modality."""
        kind, colon, own = number.partition(":")
        if not (colon and kind in _KINDS):
            kind, colon, own = "", "", number
        return f"{kind}{colon}{self._stand_ins.number(own)}" if own else number

    def time(self, report_id: str, time: datetime) -> datetime:
        """The time of a report's examination as exports show it."""
        return time + self._stand_ins.shift(self._patients.get(report_id, report_id))
