"""What another reading of a statement would change in the results."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from radcal.calibration.matched_pairs import MATCHED, match_decisive
from radcal.findings.report_level import decide_table
from radcal.findings.to_review import OtherReading
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase
from radcal.workspace.context import Context

_CHUNK = 2000
"""Readings that are followed at the same time."""
_GROUP = ["author", "topic"]


def effects_in_run(
    context: Context, run: int, readings: Sequence[OtherReading], progress: Progress = SILENT
) -> list[float]:
    """:func:`effects` of readings on the results of an extraction run, whose pairs are those that it has read."""
    workspace = context.workspace
    pairs = workspace.pairs()
    read_ids = workspace.read_by(run, [*pairs["xray_id"], *pairs["ct_id"]])
    pairs = pairs[pairs["xray_id"].isin(read_ids) & pairs["ct_id"].isin(read_ids)]
    # A report may belong to several pairs.
    ids = list(dict.fromkeys([*pairs["xray_id"], *pairs["ct_id"]]))
    findings = workspace.findings(run, ids, MATCHED)
    return effects(readings, pairs, findings, context.settings, context.lexicon.phrases, progress)


def effects(
    readings: Sequence[OtherReading],
    pairs: pd.DataFrame,
    findings: pd.DataFrame,
    settings: Settings,
    phrases: Sequence[Phrase],
    progress: Progress = SILENT,
) -> list[float]:
    """How far each reading, taken alone, would move a figure of a group, in 0-1; the largest over all groups.

    A group is an author on a topic, with n observations; its two figures are the mean certainty that was stated,
    sum_i E[S | phrase i] / n, and the confirmed rate, sum_i outcome i / n.  Another phrase in an X-ray report moves
    the first by |difference of the two means| / n, another one in a CT report the second by
    |difference of the outcomes| / n.  A statement that enters or leaves moves both.  It is 0 where the reading is not
    the decisive one of its report, or the group has fewer than ``settings.min_group_n`` observations either way, so
    that nothing is said of it.  A group without observations has figures of 0.

    Args:
        pairs: PAIR_COLUMNS, with both reports read.
        findings: MATCHED, of both reports of the pairs, as the results have them.
    """
    if not readings or pairs.empty:
        return [0.0] * len(readings)
    results = _Results(pairs.reset_index(drop=True), decide_table(findings), settings, phrases)
    found = []
    for start in range(0, len(readings), _CHUNK):
        progress.raise_if_cancelled()
        part = pd.DataFrame(list(readings[start : start + _CHUNK])).astype({"was": object, "now": object})
        decisive = decide_table(_read_otherwise(findings, part))
        moved = results.moved(part, decisive.rename(columns={"report_id": "number"}))
        found += moved.reindex(part.index, fill_value=0.0).tolist()
    return found


def _read_otherwise(findings: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    """Each reading's report on its pathology, read so: the columns of ``findings``, report_id its number."""
    numbered = readings.rename_axis("number").reset_index()
    place = numbered.rename(columns={"section": "section_read", "start": "start_read"})
    rows = findings.merge(place, on=["report_id", "pathology"])
    read = rows["start"].eq(rows["start_read"]) & rows["phrase"].eq(rows["was"])
    rows["phrase"] = rows["phrase"].mask(read, rows["now"])
    new = numbered[numbered["was"].eq("")].assign(
        phrase=lambda f: f["now"], verbatim="", sentence="", end=lambda f: f["start"], cue_start=-1, cue_end=-1
    )
    new["decided"] = ""
    columns = ["number", *MATCHED[1:]]
    every = pd.concat([rows[columns], new[columns]], ignore_index=True)
    return every[every["phrase"].ne("")].rename(columns={"number": "report_id"})


class _Results:
    """The observations and groups as they are, against which readings are held."""

    def __init__(
        self, pairs: pd.DataFrame, decisive: pd.DataFrame, settings: Settings, phrases: Sequence[Phrase]
    ) -> None:
        self._pairs, self._decisive, self._settings, self._phrases = pairs, decisive, settings, phrases
        self._means = {p.name: mean_of(p) for p in phrases}
        self._observed = self._observations(pairs, decisive)
        self._groups = self._observed.groupby(_GROUP)[["n", "certainty", "outcome"]].sum()

    def _observations(self, pairs: pd.DataFrame, decisive: pd.DataFrame) -> pd.DataFrame:
        observed, _ = match_decisive(pairs, decisive, self._settings, self._phrases)
        certainty = observed["phrase"].map(self._means).astype("float64")
        return observed[["xray_id", "ct_id", *_GROUP, "outcome"]].assign(certainty=certainty, n=1.0)

    def moved(self, readings: pd.DataFrame, decisive: pd.DataFrame) -> pd.Series[float]:
        """The effect of each reading that has any, by its number.

        Args:
            readings: the fields of OtherReading, indexed by number.
            decisive: MATCHED with number instead of report_id: the decisive finding where there is one.
        """
        before = readings.merge(self._decisive, on=["report_id", "pathology"], how="left")["phrase"].fillna("")
        after = decisive.set_index("number")["phrase"].reindex(readings.index).fillna("")
        changed = readings.loc[before.set_axis(readings.index).ne(after), ["report_id", "pathology"]]
        changed = changed.rename_axis("number").reset_index()
        # A copy of each pair that a reading touches, with reports of its own.
        sides = [self._pairs.merge(changed, left_on=side, right_on="report_id") for side in ("xray_id", "ct_id")]
        copies = pd.concat(sides, ignore_index=True)
        if copies.empty:
            return pd.Series(dtype="float64")
        named = copies.assign(copy=copies.index, xray_id=_named("x", copies), ct_id=_named("c", copies))
        rows = []
        for side in ("xray_id", "ct_id"):
            own = pd.DataFrame({"side": copies[side], "as": named[side], "number": copies["number"]})
            own[["read", "topic"]] = copies[["report_id", "pathology"]]
            kept = own.merge(self._decisive, left_on="side", right_on="report_id")
            rows.append(kept[kept["side"].ne(kept["read"]) | kept["pathology"].ne(kept["topic"])])
            rows.append(own[own["side"].eq(own["read"])].merge(decisive, on="number"))
        findings = pd.concat([part.assign(report_id=part["as"])[list(MATCHED)] for part in rows], ignore_index=True)
        pairs = named[list(self._pairs.columns)]
        then = self._observations(pairs, findings).merge(named[["xray_id", "number"]], on="xray_id")
        now = self._observed.merge(copies[["xray_id", "ct_id", "number"]], on=["xray_id", "ct_id"])
        sums = [f.groupby(["number", *_GROUP])[["n", "certainty", "outcome"]].sum() for f in (then, now)]
        change = sums[0].sub(sums[1], fill_value=0.0)
        places = pd.MultiIndex.from_frame(change.index.to_frame(index=False)[_GROUP])
        groups = self._groups.reindex(places).fillna(0.0).set_axis(change.index)
        otherwise = groups + change
        far = (_figures(otherwise) - _figures(groups)).abs().max(axis=1)
        said = groups["n"].combine(otherwise["n"], max) >= self._settings.min_group_n
        effect: pd.Series[float] = far[said].groupby("number").max()
        return effect


def _named(sign: str, copies: pd.DataFrame) -> pd.Series[str]:
    return sign + copies.index.to_series().astype(str)


def _figures(groups: pd.DataFrame) -> pd.DataFrame:
    """Mean certainty stated and confirmed rate."""
    return groups[["certainty", "outcome"]].div(groups["n"].clip(lower=1.0), axis=0)
