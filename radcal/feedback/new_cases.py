"""What CT showed since last time: a few new cases of a reader that are worth a look, great calls among them.

With r the rate that the department's model expects of the reader's word, what CT said was as likely as r where it
confirmed, 1 - r where it did not; -log of that is the surprise.  A great call is a word on the right side of one half
where, of what all others say of the pathology, CT shows the contrary more often than not; it counts with the surprise
of what it was right against.  A plain denial is none, which is what is written of nearly every film, and neither is
what CT confirmed by its silence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from radcal.calibration.days import within
from radcal.feedback.records import CaseKind, Example, NewCase, NewCases
from radcal.system.clock import now
from radcal.system.coarse import FEWEST, rounded
from radcal.system.files import plain_to_record
from radcal.system.selection import ALL_DAYS, Days
from radcal.words.confirmations import silence_reasons
from radcal.workspace.context import CASES_SHOWN, CURRENT, NEW_CASES, Context

if TYPE_CHECKING:
    from typing import Any

    import pandas as pd

    from radcal.calibration.contests import Contests
    from radcal.calibration.group_results import GroupResults
    from radcal.calibration.stored_analysis import StoredAnalysis

MOST, MOST_MISSED = 5, 3
PER_RIGHT = 1.5
"""Missed cases are at most so many for each other one: never failures alone."""
DULL = 0.9
"""What was as likely as this is worth a look only beside missed cases."""
_CERTAIN, _BETWEEN = 0.05, 0.1
"""CT decided where its outcome lies so near 0 or 1; a word claims neither where its meaning lies so near one half."""
_AGAIN = 0.7
"""A case counts by so much less for each chosen one of the same pathology, word or film: half as surprising."""


def chosen(found: Sequence[NewCase]) -> tuple[NewCase, ...]:
    """At most MOST of these cases, by what they teach; a great call is the first, of what CT shows before what not.

    Of their words and pathologies, films too, other ones come before the same again.
    """
    left, picked = list(found), list[NewCase]()

    def pick(among: Sequence[NewCase]) -> bool:
        seen = Counter(x for c in picked for x in _alike(c))

        def worth(c: NewCase) -> tuple[object, ...]:
            again = _AGAIN * sum(seen[x] for x in _alike(c))
            return -math.log(max(c.chance, 1e-6)) - again, c.example.day or date.min, c.xray_id, c.example.topic

        if among:
            best = max(among, key=worth)
            picked.append(best)
            left.remove(best)
        return bool(among)

    great = [c for c in found if c.kind == "great call"]
    pick([c for c in great if c.example.outcome > 0.5] or great)
    while len(picked) < MOST:
        missed = sum(c.kind == "missed" for c in picked)
        telling = [c for c in left if c.chance < DULL and (c.kind != "missed" or missed < MOST_MISSED)]
        if not pick(telling):
            break
    while (missed := sum(c.kind == "missed" for c in picked)) > PER_RIGHT * (len(picked) - missed):
        if len(picked) == MOST or not pick([c for c in left if c.kind != "missed"]):
            picked.remove(next(c for c in reversed(picked) if c.kind == "missed"))
    return tuple(picked)


def _alike(c: NewCase) -> tuple[str, str, str]:
    return c.xray_id, c.example.topic, c.example.phrase


class NewCasesOf:
    """The new cases of each reader, and which were handed out; a personal file has those that it was written with.

    What was handed out last stays new until there are cases that came later: pages made again are the same.
    """

    def __init__(self, context: Context, stored: StoredAnalysis, groups: GroupResults, contests: Contests) -> None:
        self._context = context
        self._stored = stored
        self._groups = groups
        self._contests = contests
        self._kept: tuple[str | None, pd.DataFrame] | None = None

    def of(self, author: str, days: Days = ALL_DAYS) -> NewCases:
        """The new cases of an author, from the examinations in the date range.

        Raises:
            DataError: there is no analysis yet.
        """
        if self._context.personal:
            stored = self._context.workspace.load_result(NEW_CASES, CURRENT)
            written = NewCases() if stored is None else plain_to_record(stored, NewCases)
            return replace(written, cases=tuple(c for c in written.cases if _is_in(c.example.day, days)))
        own = self._stored.observations_of(author)
        own = own[within(own["xray_time"], days)]
        told, before, last = self._told(author)
        new = own[~own["xray_id"].isin(before | last)]
        since = told.get("at" if len(new) else "since")
        new = new if len(new) else own[own["xray_id"].isin(last)]
        keys = zip(new["xray_id"], new["topic"], strict=True)
        apart = {(c.xray_id, c.topic) for c in self._contests.all()} | self._contests.left_out()
        new = new.loc[[key not in apart for key in keys]]
        day = datetime.fromisoformat(since).astimezone().date() if since else None
        return NewCases(chosen(self._candidates(author, new)), day, len(new))

    def note_shown(self, author: str, days: Days = ALL_DAYS) -> None:
        """Remember that the new cases in the date range were handed out to an author."""
        workspace = self._context.workspace
        if workspace.read_only or self._context.personal:
            return
        own = self._stored.observations_of(author)
        told, before, last = self._told(author)
        new = set(own.loc[within(own["xray_time"], days), "xray_id"].astype(str)) - before - last
        if new:
            made = {"at": now(), "since": told.get("at", ""), "before": sorted(before | last), "last": sorted(new)}
            workspace.save_result(CASES_SHOWN, author, made, {})

    def _told(self, author: str) -> tuple[Mapping[str, Any], set[str], set[str]]:
        told = self._context.workspace.load_result(CASES_SHOWN, author) or {}
        return told, set(told.get("before", ())), set(told.get("last", ()))

    def _candidates(self, author: str, new: pd.DataFrame) -> list[NewCase]:
        """The new findings that CT decided, each with how likely that was."""
        new = new[(new["outcome"] <= _CERTAIN) | (new["outcome"] >= 1 - _CERTAIN)]
        if new.empty:
            return []
        rates = {
            (r.topic, p.phrase): p
            for r in self._stored.required().reliabilities
            if r.author == author
            for p in r.phrases
        }
        others, silence = self._of_others(author), silence_reasons(self._context.settings)
        dated = not self._context.masking.leaves_days_out
        made = []
        for row in new.to_dict("records"):
            topic, phrase, there = str(row["topic"]), str(row["phrase"]), row["outcome"] > 0.5
            if (rate := rates.get((topic, phrase))) is None:
                continue
            expected = rate.mean if math.isnan(rate.expected) else rate.expected
            odds = others.get(topic) if rate.mean > 0 and row["ct_sentence"] else None
            kind, chance = _kind(rate.mean, odds, expected, there=there)
            made.append(NewCase(str(row["xray_id"]), example_of(row, silence, dated=dated), kind, chance))
        return made

    def _of_others(self, author: str) -> dict[str, float]:
        """By pathology, in how much of what all other readers say CT shows it; where enough of them speak of it.

        To 5 points: a great call tells its reader of it.
        """
        theirs = self._by_reader().drop(index=author, level="author", errors="ignore")
        sums = theirs.groupby(level="topic", observed=True).agg({"size": "sum", "sum": "sum"})
        readers = theirs.groupby(level="topic", observed=True)["size"].count()
        return {str(t): rounded(sums["sum"][t] / sums["size"][t]) for t in sums.index if readers[t] >= FEWEST}

    def _by_reader(self) -> pd.DataFrame:
        """By pathology and reader, how many findings there are, and how many of them CT shows; kept for an analysis."""
        if self._kept is None or self._kept[0] != self._context.analysis_key:
            by = self._groups.all_statements().groupby(["topic", "author"], observed=True)["outcome"]
            self._kept = self._context.analysis_key, by.agg(["size", "sum"])
        return self._kept[1]


def example_of(row: Mapping[Any, Any], silence: Mapping[str, str], *, dated: bool = True) -> Example:
    """An observation as an example; ``silence``: by pathology, why a CT report that says nothing counts as absent."""
    return Example(
        topic=str(row["topic"]),
        phrase=str(row["phrase"]),
        xray_sentence=str(row["xray_sentence"]),
        cue_start=int(row["xray_cue_start"]),
        cue_end=int(row["xray_cue_end"]),
        ct_sentence=str(row["ct_sentence"]),
        outcome=float(row["outcome"]),
        day=row["xray_time"].date() if dated else None,
        silence="" if row["ct_sentence"] else silence.get(str(row["topic"]), ""),
    )


def _kind(meant: float, others: float | None, expected: float, *, there: bool) -> tuple[CaseKind, float]:
    """What a case shows, and how likely that was."""
    chance = expected if there else 1 - expected
    if abs(meant - 0.5) < _BETWEEN:
        return "between", chance
    if (meant > 0.5) != there:
        return "missed", chance
    odds = None if others is None else others if there else 1 - others
    return ("great call", odds) if odds is not None and odds < 0.5 else ("right", chance)


def _is_in(day: date | None, days: Days) -> bool:
    """Whether a day is in the date range; where days are left out, that is not known but of all dates."""
    if day is None:
        return not days.are_limited
    return (days.first is None or days.first <= day) and (days.last is None or day <= days.last)
