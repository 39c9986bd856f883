"""The reports of a workspace paired, patient by patient."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from radcal.reports.records import Attribution, Pairing, PairingSummary
from radcal.reports.storage import save_pairing_in_parts
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text, made_of
from radcal.workspace.columns import REPORT_COLUMNS, VERSION_COLUMNS
from radcal.workspace.context import CURRENT

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.settings import Settings
    from radcal.workspace.store import Workspace

_AT_ONCE = 50_000
"""Reports in memory at a time, and those of the last patient among them."""
_ATTRIBUTION = "attribution"
PAIRED_BY = (
    *("report_id", "modality", "patient_id", "exam_time", "author", "status"),
    *("dictator", "signer", "report_time", "corrected", "names_ct"),
)
"""Columns of reports that decide which are paired, and whose they are."""
BLANK: Mapping[str, str | int] = {
    name: 0 if what.startswith("int") else ""
    for name, what in {**REPORT_COLUMNS, **VERSION_COLUMNS}.items()
    if name not in PAIRED_BY
}
"""The others, which say nothing to pairing."""


def pair_reports(
    workspace: Workspace, settings: Settings, reading: pd.DataFrame | None, progress: Progress = SILENT
) -> PairingSummary:
    """Pair the X-ray with the CT reports, and store pairs, attrition, attribution, and what of each report counts.

    Args:
        reading: as in :func:`radcal.reports.pairing.pair`.

    Raises:
        Cancelled: by ``progress``; nothing was stored.
    """
    from radcal.reports.pairing import PairingInParts

    pairing = PairingInParts(settings, reading)

    def parts() -> Iterator[Pairing]:
        for reports, versions in of_patients(workspace):
            progress.raise_if_cancelled()
            part = pairing.pair(reports, versions, progress)
            yield replace(part, texts=texts_that_count(part, workspace.versions))
        progress.raise_if_cancelled()

    with workspace.transaction():
        n = save_pairing_in_parts(workspace, parts(), pairing.attrition)
        found = pairing.attribution()
        rules = [[Text(rule).record(), times] for rule, times in found.rules]
        workspace.save_result(_ATTRIBUTION, CURRENT, {**asdict(found), "rules": rules}, {})
    return PairingSummary(n, pairing.attrition(), found)


def of_patients(workspace: Workspace) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """The reports for pairing and Import.versions of them without texts, all of some patients at a time."""
    for reports in workspace.reports_of_patients(PAIRED_BY, _AT_ONCE):
        yield reports.assign(**BLANK), workspace.versions(reports["report_id"], texts=False)


def why_left_out(workspace: Workspace, settings: Settings, progress: Progress = SILENT) -> dict[str, str]:
    """Why each report without a pair has none, by report_id, in the words of the attrition; nothing is stored."""
    from radcal.reports.pairing import PairingInParts

    found: dict[str, str] = {}
    if workspace.count_pairs() * 2 < workspace.count_reports():
        pairing = PairingInParts(settings)
        for reports, versions in of_patients(workspace):
            found |= pairing.pair(reports, versions, progress).left_out
    return found


def texts_that_count(pairing: Pairing, versions: Callable[[Collection[str]], pd.DataFrame]) -> dict[str, str]:
    """The texts that count of the reports of which only a part does; ``versions`` gives Import.versions of reports."""
    from radcal.reports.before_ct import text_of_standing

    parted = {i: s for i, s in pairing.standings.items() if s.base is not None and not s.whole}
    if not parted:
        return {}
    table = versions(parted)
    texts: dict[str, list[str]] = {}
    for report_id, text in zip(table["report_id"].tolist(), table["text"].tolist(), strict=True):
        texts.setdefault(report_id, []).append(text)
    return {i: text_of_standing(standing, texts[i]) for i, standing in parted.items()}


def attribution(workspace: Workspace) -> Attribution | None:
    """Whose the X-ray reports are and what of them counts, of the last pairing; None if that did not ask."""
    stored = workspace.load_result(_ATTRIBUTION, CURRENT)
    if stored is None:
        return None
    return Attribution(**{**stored, "rules": tuple((made_of(rule), int(n)) for rule, n in stored["rules"])})
