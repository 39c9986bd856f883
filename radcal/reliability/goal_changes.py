"""Whether the two words of a goal came closer to what CT finds since it was set, beside the same words of others.

A goal is to say one word less and another one instead.  It is chosen because its word was seen to lie far off, in part
by chance, and what lay off by chance comes back by itself (regression to the mean).  So nothing is compared with what
was seen before: with w_k the share of word k among the uses of both words before, m_k its meaning, rho_k the rate that
the department's model expects of it (:mod:`radcal.reliability.model`), and s = 1 where the goal is a weaker word, else
-1,

    before = s sum_k w_k (m_k - rho_k)

is how far off both words are expected to be if nobody changes anything.  The model has moved rho_k back towards what is
usual as far as findings so few are off by chance; given all findings from before, whatever was chosen by looking at
them tells no more.  Since then, of n uses of both words with the meanings m_i and the outcomes o_i,

    after = s sum_i (m_i - o_i) / n,        change = (after - before) - (the same of all others)

The others are readers without that goal, on the same pathology, where they have enough; else on all pathologies.

A goal is looked at after each of LOOKS uses, the first of so many each time, and each look has its share of LEVEL: so
"closer" is said of a goal with which nothing changed in at most LEVEL, however often feedback is made.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import pandas as pd

from radcal.reliability.before_after import outcomes_of, patients_of
from radcal.reliability.evidence import evidence_of
from radcal.reliability.model import SHIPPED, posterior
from radcal.reliability.tables import build_tables
from radcal.system.coarse import FEWEST
from radcal.system.estimates import Estimate
from radcal.system.intervals import normal_quantile
from radcal.system.settings import ALL_TOPICS
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from radcal.reliability.records import Mix, Spread
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]

LOOKS = (30, 60, 120)
"""Uses of both words after which a goal is looked at."""
LEVEL = 0.05
"""How often "closer" may be said at one look or another where nothing changed."""
Became = Literal["too few", "closer", "unchanged", "farther"]


class Use(NamedTuple):
    """How often a word was written, of so many statements on the pathology."""

    said: int
    total: int


@dataclass(frozen=True, slots=True)
class GoalChange:
    """What became of a goal.

    source, target: use of the word to be left and of the one in its place, before and since
    n: uses of both words since that were looked at;  needed: with how many there is the next look, 0 after the last
    before: how far off both words were expected to be, on the side of the goal, 0-1;  after: how far they are, with its
        interval;  None where there are too few
    others: how far others' words moved meanwhile, below 0 for closer, of ``n_others`` uses; None where too few wrote
        them
    change: after - before, less what others moved, with the interval that decides
    """

    became: Became
    source: tuple[Use, Use]
    target: tuple[Use, Use]
    n: int = 0
    needed: int = LOOKS[0]
    before: float | None = None
    after: Estimate | None = None
    others: Estimate | None = None
    n_others: int = 0
    change: Estimate | None = None


class _Moved(NamedTuple):
    """A value and its variance, of n uses since."""

    value: float
    variance: float
    n: int


def goal_change(
    statements: pd.DataFrame,
    author: str,
    topic: str,
    words: tuple[str, str],
    since: date,
    phrases: Sequence[Phrase],
    settings: Settings,
    *,
    spread: Spread | None = None,
    mixes: Mapping[str, Mix] | None = None,
    with_goal: Collection[str] = (),
) -> GoalChange:
    """What became of the goal to write the second of two words in place of the first.

    Args:
        statements: of all authors; columns author, topic, phrase, outcome, xray_time, and patient if known.
        topic: the pathology, or ALL_TOPICS.
        since: when the goal was set; what was written that day belongs to neither side.
        spread, mixes: what is known of the department.
        with_goal: others with the same goal, who are no control.
    """
    meaning = {p.name: mean_of(p) for p in phrases}
    day = statements["xray_time"].to_numpy().astype("datetime64[D]")
    early, late = day < np.datetime64(since, "D"), day > np.datetime64(since, "D")  # NaT is neither
    of_author = (statements["author"] == author).to_numpy()
    on_topic = np.ones(len(statements), bool) if topic == ALL_TOPICS else (statements["topic"] == topic).to_numpy()
    either = statements["phrase"].isin(words).to_numpy()
    own = of_author & on_topic
    source, target = (
        tuple(Use(int((own & its & (statements["phrase"] == word).to_numpy()).sum()), int((own & its).sum()))
              for its in (early, late))
        for word in words
    )  # fmt: skip
    uses = statements[own & late & either].sort_values("xray_time", kind="stable")
    reached = [look for look in LOOKS if look <= len(uses)]
    needed = next((look for look in LOOKS if look > len(uses)), 0)
    few = GoalChange("too few", source, target, len(uses), needed)  # type: ignore[arg-type]  # two of each
    if not reached or not source[0].said + target[0].said:
        return few
    uses = uses.iloc[: reached[-1]]
    until = late & (statements["xray_time"] <= uses["xray_time"].iloc[-1]).to_numpy()
    side = np.sign(meaning[words[0]] - meaning[words[1]])
    seen = _Seen(statements, early, either, words, side, phrases, settings, spread or SHIPPED, mixes or {})
    mine = seen.moved(uses, on_topic)
    if mine is None:
        return few
    before, after, moved = mine
    rest = ~of_author & ~statements["author"].isin(with_goal).to_numpy() & until & either
    beside = None
    for where in (on_topic, np.ones(len(statements), bool)):
        theirs = statements[rest & where]
        if len(theirs) >= LOOKS[0] and theirs["author"].nunique() >= FEWEST:
            if (found := seen.moved(theirs, where)) is not None:
                beside = found[2]
            break
    z = normal_quantile(1 - 2 * LEVEL / len(LOOKS))
    value, variance = moved.value, moved.variance
    if beside is not None:
        value, variance = value - beside.value, variance + beside.variance
    change = _estimate(value, variance, z)
    became: Became = "unchanged"
    if change.high < 0 and abs(after.value) < before:
        became = "closer"
    elif change.low > 0:
        became = "farther"
    usual = normal_quantile(settings.confidence)
    return GoalChange(
        became,
        *(source, target),  # type: ignore[arg-type]  # two of each
        moved.n,
        needed,
        before,
        _estimate(after.value, after.variance, usual),
        None if beside is None else _estimate(beside.value, beside.variance, usual),
        0 if beside is None else beside.n,
        change,
    )


def _estimate(value: float, variance: float, z: float) -> Estimate:
    half = z * float(np.sqrt(variance))
    return Estimate(value, value - half, value + half)


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was said before a goal, and what the model expects of it."""

    statements: pd.DataFrame
    early: NDArray[np.bool_]
    either: NDArray[np.bool_]
    words: tuple[str, str]
    side: float
    phrases: Sequence[Phrase]
    settings: Settings
    spread: Spread
    mixes: Mapping[str, Mix]

    def moved(self, uses: pd.DataFrame, where: NDArray[np.bool_]) -> tuple[float, _Moved, _Moved] | None:
        """How far off the uses since were expected to be, how far they are, and the change; None without any before.

        Groups that used neither word before tell nothing, and are left out.
        """
        authors = self.statements["author"].isin(uses["author"].unique()).to_numpy()
        known = self.statements[self.early & where & authors].astype({"author": str, "topic": str})
        if not known["phrase"].isin(self.words).any():
            return None
        tables = build_tables(known, self.phrases, mixes=self.mixes)
        place = [tables.phrases.index(word) for word in self.words]
        said = tables.counts.sum(axis=2)[:, place]
        total = np.maximum(said.sum(axis=1), 1)
        share = np.zeros((len(tables.groups), len(tables.phrases)))
        share[:, place] = said / total[:, None]
        mean = np.array([mean_of(p) for p in self.phrases])
        truth = posterior(
            evidence_of(tables, self.settings), mean, tables.phrases, self.spread, tables.groups, share=share
        )
        assert truth.summed is not None  # noqa: S101  # it was asked for
        rate, variance = truth.summed
        off = mean[place] - truth.mean[:, place]
        # Of so many uses, the share of a word is itself uncertain.
        variance = variance + share[:, place].prod(axis=1) / total * (off[:, 0] - off[:, 1]) ** 2
        rates = truth.mean[:, place]
        each = (share[:, place] * rates * (1 - rates)).sum(axis=1)
        each += share[:, place].prod(axis=1) * (off[:, 0] - off[:, 1]) ** 2
        distance = self.side * (share @ mean - rate)
        expected = {
            group: (distance[q], variance[q], each[q]) for q, group in enumerate(tables.groups) if said[q].any()
        }
        keys = [*zip(uses["author"].astype(str), uses["topic"].astype(str), strict=True)]
        kept = np.array([key in expected for key in keys])
        if not kept.any():
            return None
        uses, keys = uses[kept], [key for key in keys if key in expected]
        meaning = {p.name: mean_of(p) for p in self.phrases}
        stated = uses["phrase"].astype(object).map(meaning).to_numpy(float)
        seen = np.asarray(self.side * (stated - outcomes_of(uses, self.settings)), dtype=np.float64)
        n = len(uses)
        after = _mean(seen, patients_of(uses), sum(expected[key][2] for key in keys) / n)
        groups, times = np.unique(np.array(keys, dtype=object).astype(str), axis=0, return_counts=True)
        weights = {(str(a), str(t)): k / n for (a, t), k in zip(groups, times, strict=True)}
        before = sum(w * expected[key][0] for key, w in weights.items())
        doubt = sum(w**2 * expected[key][1] for key, w in weights.items())
        return float(before), after, _Moved(after.value - float(before), after.variance + float(doubt), n)


def _mean(values: Array, patient: NDArray[np.int64], expected: float) -> _Moved:
    """The mean with its variance: of patients who are independent, and not below that expected of so many uses.

    Of few uses that are all alike, what is seen of the variance is far too small.
    """
    mean = float(values.mean())
    own = np.unique(patient, return_inverse=True)[1]
    sums = np.bincount(own, values - mean)
    seen = (sums**2).sum() * len(sums) / max(len(sums) - 1, 1) / len(values) ** 2
    return _Moved(mean, max(float(seen), expected / len(values)), len(values))
