"""From paired reports to observations, and counts of the unmatched statements, in total and by day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from radcal.records import Phrase
from radcal.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workspace import Workspace

READ, UNREAD = "pairs", "pairs of which a report was not read"
"""Counted by :func:`counts_by_day` besides the counts of Matching; their topic is ''."""
_MATCHED = (
    *("report_id", "pathology", "phrase", "verbatim", "sentence", "section"),
    *("start", "end", "cue_start", "cue_end"),
)
"""Fields of Finding that decide what is included in the statistics, or are shown as evidence."""


def match_pairs(
    workspace: Workspace, run: int, pairs: pd.DataFrame, settings: Settings, phrases: Sequence[Phrase]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Observations with their outcome, and counts of the other statements; see ``calibrate.match``.

    Args:
        pairs: PAIR_COLUMNS, with both reports read.
        settings: which CT statement confirms which X-ray statement, and the meaning of a silent CT.
    """
    from radcal.calibrate import match
    from radcal.extract.report_level import decide_table
    from radcal.lexicon.bins import reference_positive
    from radcal.lexicon.confirmations import load_confirmations

    ids = [*pairs["xray_id"], *pairs["ct_id"]]
    findings = decide_table(workspace.findings(run, ids, _MATCHED))
    matching = match(pairs, findings, load_confirmations(settings=settings), phrases)
    positive = dict(zip((p.name for p in phrases), reference_positive(phrases, settings.reference), strict=True))
    outcome = matching.observations["reference_phrase"].map(positive).astype("float64")
    return matching.observations.assign(outcome=outcome), matching.counts


def counts_by_day(
    workspace: Workspace, run: int, author: str, settings: Settings, phrases: Sequence[Phrase]
) -> pd.DataFrame:
    """The counts of the analysis for one author, by day of the X-ray.

    Returns:
        day (datetime64), topic, what (as in Matching.counts, READ and UNREAD) and n, ascending by day.
    """
    import pandas as pd

    pairs = workspace.pairs()
    pairs = pairs[pairs["author"] == author].reset_index(drop=True)
    read_ids = workspace.read_by(run, [*pairs["xray_id"], *pairs["ct_id"]])
    read = pairs["xray_id"].isin(read_ids) & pairs["ct_id"].isin(read_ids)
    # match_pairs counts by author: here each day takes the author's place.
    days = pairs.assign(author=pairs["xray_time"].dt.strftime("%Y-%m-%d"))
    _, counts = match_pairs(workspace, run, days[read], settings, phrases)
    whole = [
        part.groupby("author").size().rename("n").reset_index().assign(topic="", what=what)
        for what, part in ((READ, days[read]), (UNREAD, days[~read]))
    ]
    counts = pd.concat([counts, *whole], ignore_index=True).rename(columns={"author": "day"})
    counts["day"] = pd.to_datetime(counts["day"], format="%Y-%m-%d").astype("datetime64[ns]")
    counts["n"] = counts["n"].astype("int64")
    counts = counts.sort_values(["day", "topic", "what"], kind="stable", ignore_index=True)
    return pd.DataFrame(counts[["day", "topic", "what", "n"]])
