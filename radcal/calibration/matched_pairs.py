"""From paired reports to observations, and counts of the unmatched statements, in total and by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from radcal.findings.report_level import decide_table
from radcal.system.settings import Settings
from radcal.words.records import Phrase

if TYPE_CHECKING:
    import pandas as pd

    from radcal.workspace.store import Workspace

MATCHED = (
    *("report_id", "pathology", "phrase", "verbatim", "sentence", "section"),
    *("start", "end", "cue_start", "cue_end", "decided"),
)
"""Fields of Finding that decide what is included in the statistics, or are shown as evidence."""
_PAIRS = 5000
"""Pairs whose findings are in memory at a time."""
READ, UNREAD = "pairs", "pairs of which a report was not read"
"""Counted by :func:`counts_by_day` besides the counts of Matching; their topic is ''."""


def match_decisive(
    pairs: pd.DataFrame, decisive: pd.DataFrame, settings: Settings, phrases: Sequence[Phrase]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Observations with their outcome, and counts of the others; see :func:`radcal.calibration.matching.match`.

    Args:
        pairs: PAIR_COLUMNS, with both reports read.
        decisive: MATCHED, one row for each report and pathology.
        settings: which CT statement confirms which X-ray statement, and the meaning of a silent CT.
    """
    from radcal.calibration.matching import match
    from radcal.words.bins import reference_positive
    from radcal.words.confirmations import load_confirmations

    matching = match(pairs, decisive, load_confirmations(settings=settings), phrases)
    positive = dict(zip((p.name for p in phrases), reference_positive(phrases, settings.reference), strict=True))
    outcome = matching.observations["reference_phrase"].map(positive).astype("float64")
    return matching.observations.assign(outcome=outcome), matching.counts


def match_pairs(
    workspace: Workspace,
    run: int,
    pairs: pd.DataFrame,
    settings: Settings,
    phrases: Sequence[Phrase],
    read_as: Mapping[str, str] = MappingProxyType({}),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Observations of a run with their outcome, and counts of the other statements, as of ``match_decisive``.

    What a pair gives does not depend on the others, so that the findings of a few thousand are in memory at a time.

    Args:
        read_as: phrases that are taken for others.
    """
    import pandas as pd

    from radcal.calibration.matching import added_up

    made = []
    for start in range(0, max(len(pairs), 1), _PAIRS):
        some = pairs.iloc[start : start + _PAIRS]
        findings = workspace.findings(run, [*some["xray_id"], *some["ct_id"]], MATCHED)
        if read_as:
            findings["phrase"] = findings["phrase"].replace(read_as)
        made.append(match_decisive(some, decide_table(findings), settings, phrases))
    if len(made) == 1:
        return made[0]
    observations, counts = zip(*made, strict=True)
    return pd.concat(observations, ignore_index=True), added_up(counts)


def counts_by_day(
    workspace: Workspace, run: int, author: str, settings: Settings, phrases: Sequence[Phrase]
) -> pd.DataFrame:
    """The counts of the analysis for one author, by day of the X-ray.

    Returns:
        day (datetime64), topic, what (as in Matching.counts, READ and UNREAD) and n, ascending by day.
    """
    import pandas as pd

    pairs = workspace.pairs([author]).reset_index(drop=True)
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
