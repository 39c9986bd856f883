"""Findings matched: the X-ray statements of pairs, each with the outcome that its CT report gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from radcal.system.settings import Settings
from radcal.words.records import Phrase

if TYPE_CHECKING:
    import pandas as pd

MATCHED = (
    *("report_id", "pathology", "phrase", "verbatim", "sentence", "section"),
    *("start", "end", "cue_start", "cue_end", "decided"),
)
"""Fields of Finding that decide what is included in the statistics, or are shown as evidence."""


def match_decisive(
    pairs: pd.DataFrame, decisive: pd.DataFrame, settings: Settings, phrases: Sequence[Phrase]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Observations with their outcome, and counts of the other statements; see ``calibrate.match``.

    Args:
        pairs: PAIR_COLUMNS, with both reports read.
        decisive: MATCHED, one row for each report and pathology.
        settings: which CT statement confirms which X-ray statement, and the meaning of a silent CT.
    """
    from radcal.reliability.matching import match
    from radcal.words.bins import reference_positive
    from radcal.words.confirmations import load_confirmations

    matching = match(pairs, decisive, load_confirmations(settings=settings), phrases)
    positive = dict(zip((p.name for p in phrases), reference_positive(phrases, settings.reference), strict=True))
    outcome = matching.observations["reference_phrase"].map(positive).astype("float64")
    return matching.observations.assign(outcome=outcome), matching.counts
