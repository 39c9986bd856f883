"""What exports show in place of the numbers of reports and patients, and of the times of examinations.

Where reports are de-identified, times and accession numbers stay in the encrypted workspace, as pairing, dates and the
case viewer need them.  Nothing that leaves it has them: numbers are replaced by others, always the same for the same,
and times are shifted by as much as the dates within the texts of their patient.  ``docs/deidentification.md`` lists
what this makes of each export.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from radcal.records import Modality

if TYPE_CHECKING:
    from radcal.settings import Settings
    from radcal.workspace import Workspace

SECRET = "secret of de-identification"  # noqa: S105 - the name of a key
"""Key of the secret in the department's workspace; personal files do not have it, and cover nothing."""
_LENGTH = 10


class Covering:
    """Covers numbers and times of a workspace in what is exported from it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._patients: Mapping[str, str] | None = None

    @property
    def _settings(self) -> Settings:
        return self._workspace.settings

    @property
    def on(self) -> bool:
        """Whether anything is covered: reports are de-identified, and some were."""
        return self._workspace.get_meta(SECRET) is not None and self._settings.deidentify == "on"

    @property
    def _secret(self) -> bytes:
        return bytes.fromhex(self._workspace.get_meta(SECRET) or "")

    def number(self, number: str) -> str:
        """A number of a report or patient as exports show it; a report_id keeps its modality."""
        kind, colon, own = number.partition(":")
        if not (colon and kind in tuple(Modality)):
            kind, colon, own = "", "", number
        if not own or not self.on:
            return number
        digest = hmac.digest(self._secret, f"number {own}".encode("utf-8", "surrogatepass"), "sha256")
        return f"{kind}{colon}R{base64.b32encode(digest).decode()[:_LENGTH]}"

    def time(self, report_id: str, time: datetime) -> datetime:
        """The time of a report's examination as exports show it."""
        if not self.on:
            return time
        from radcal.ingest.deidentify import Deidentifier

        if self._patients is None or report_id not in self._patients:
            frame = self._workspace.reports(("report_id", "patient_id"))
            self._patients = dict(zip(frame["report_id"].tolist(), frame["patient_id"].tolist(), strict=True))
        return time + Deidentifier(self._secret).shift(self._patients.get(report_id, report_id))

    def uncovered(self, shown: Collection[str]) -> dict[str, str]:
        """The report_ids of this workspace that exports show so, by what they show; nothing if nothing is covered."""
        if not self.on:
            return {}
        wanted = set(shown)
        ids = self._workspace.reports(("report_id",))["report_id"].tolist()
        return {name: report_id for report_id in ids if (name := self.number(report_id)) in wanted}
