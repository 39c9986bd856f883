"""Whether the two words of a goal came closer to what CT finds since it was set, beside the same words of others.

A goal is to say one word less and another one instead.  It is chosen because its word was seen to lie far off, in part
by chance, and what lay off by chance comes back by itself (regression to the mean).  So nothing is compared with what
was seen before: with w_k the share of word k among the uses of both words before, m_k its meaning, rho_k the rate that
the department's model expects of it (:mod:`radcal.calibration.model`), and s = 1 where the goal is a weaker word, else
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

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import pandas as pd

from radcal.calibration.before_after import outcomes_of, patients_of
from radcal.calibration.evidence import evidence_of
from radcal.calibration.model import SHIPPED, posterior
from radcal.calibration.tables import build_tables
from radcal.system.coarse import FEWEST
from radcal.system.estimates import Estimate
from radcal.system.intervals import normal_quantile
from radcal.system.settings import ALL_TOPICS
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from radcal.calibration.records import Mix, Spread
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
    """Of n uses since: how far off they were expected to be, how far they are, and the variance of both."""

    before: float
    doubt: float
    after: float
    variance: float
    n: int

    @property
    def change(self) -> tuple[float, float]:
        """The change and its variance."""
        return self.after - self.before, self.variance + self.doubt


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
    mean, side = np.array([*meaning.values()]), float(np.sign(meaning[words[0]] - meaning[words[1]]))
    day = statements["xray_time"].to_numpy().astype("datetime64[D]")
    early, late = day < np.datetime64(since, "D"), day > np.datetime64(since, "D")  # NaT is neither
    everywhere = np.ones(len(statements), bool)
    on_topic = everywhere if topic == ALL_TOPICS else (statements["topic"] == topic).to_numpy()
    is_word = [(statements["phrase"] == word).to_numpy() for word in words]
    either = is_word[0] | is_word[1]
    of_author = (statements["author"] == author).to_numpy()
    own = of_author & on_topic

    def use(word: NDArray[np.bool_]) -> tuple[Use, Use]:
        before, since = (Use(int((own & its & word).sum()), int((own & its).sum())) for its in (early, late))
        return before, since

    def moved(uses: pd.DataFrame, where: NDArray[np.bool_]) -> _Moved | None:
        """Of these uses, by what was said before; groups that wrote neither word then are left out."""
        authors = statements["author"].isin(uses["author"].unique()).to_numpy()
        known = statements[early & where & authors].astype({"author": str, "topic": str})
        if not known["phrase"].isin(words).any():
            return None
        tables = build_tables(known, phrases, mixes=mixes)
        place = [tables.phrases.index(word) for word in words]
        said = tables.counts.sum(axis=2)[:, place]
        total = np.maximum(said.sum(axis=1), 1)
        share = np.zeros((len(tables.groups), len(mean)))
        share[:, place] = said / total[:, None]
        evidence = evidence_of(tables, settings)
        truth = posterior(evidence, mean, tables.phrases, spread or SHIPPED, tables.groups, share=share)
        assert truth.summed is not None  # noqa: S101  # it was asked for
        rate, doubt = truth.summed
        rates = truth.mean[:, place]
        # One use is of the one word or the other, and there or not; of so many, the share is itself uncertain.
        of_word = share[:, place].prod(axis=1) * np.ptp(mean[place] - rates, axis=1) ** 2
        one = (share[:, place] * rates * (1 - rates)).sum(axis=1) + of_word
        each = np.column_stack([side * (share @ mean - rate), doubt + of_word / total, one])
        expected = {group: each[q] for q, group in enumerate(tables.groups) if said[q].any()}
        keys = [*zip(uses["author"].astype(str), uses["topic"].astype(str), strict=True)]
        uses = uses[[key in expected for key in keys]]
        n, times = len(uses), Counter(key for key in keys if key in expected)
        if not n:
            return None
        before, _, variance = sum(k * expected[key] for key, k in times.items()) / n
        doubtful = sum((k / n) ** 2 * expected[key][1] for key, k in times.items())
        stated = uses["phrase"].astype(object).map(meaning).to_numpy(float)
        seen = np.asarray(side * (stated - outcomes_of(uses, settings)), dtype=np.float64)
        # Of few uses that are all alike, what is seen of the variance is far too small.
        return _Moved(
            float(before), float(doubtful), float(seen.mean()), max(_variance(seen, patients_of(uses)), variance / n), n
        )

    source, target = map(use, is_word)
    uses = statements[own & late & either].sort_values("xray_time", kind="stable")
    reached = [look for look in LOOKS if look <= len(uses)]
    needed = next((look for look in LOOKS if look > len(uses)), 0)
    uses = uses.iloc[: reached[-1] if reached else 0]
    mine = moved(uses, on_topic) if reached else None
    if mine is None:
        return GoalChange("too few", source, target, int((own & late & either).sum()), needed)
    until = late & (statements["xray_time"] <= uses["xray_time"].iloc[-1]).to_numpy()
    rest = until & either & ~of_author & ~statements["author"].isin(with_goal).to_numpy()
    beside = None
    for where in (on_topic, everywhere):
        theirs = statements[rest & where]
        if beside is None and len(theirs) >= LOOKS[0] and theirs["author"].nunique() >= FEWEST:
            beside = moved(theirs, where)
    (value, variance), (others, doubt) = mine.change, (0.0, 0.0) if beside is None else beside.change
    change = _estimate(value - others, variance + doubt, 1 - 2 * LEVEL / len(LOOKS))
    became: Became = "farther" if change.low > 0 else "unchanged"
    if change.high < 0 and abs(mine.after) < mine.before:
        became = "closer"
    return GoalChange(
        became,
        source,
        target,
        mine.n,
        needed,
        mine.before,
        _estimate(mine.after, mine.variance, settings.confidence),
        None if beside is None else _estimate(others, doubt, settings.confidence),
        0 if beside is None else beside.n,
        change,
    )


def _estimate(value: float, variance: float, confidence: float) -> Estimate:
    half = normal_quantile(confidence) * float(np.sqrt(variance))
    return Estimate(value, value - half, value + half)


def _variance(values: Array, patient: NDArray[np.int64]) -> float:
    """Of the mean of values, of patients who are independent."""
    own = np.unique(patient, return_inverse=True)[1]
    sums = np.bincount(own, values - values.mean())
    return float((sums**2).sum() * len(sums) / max(len(sums) - 1, 1) / len(values) ** 2)
