"""Whether words came closer to their meaning: before feedback and after it, where there was advice and where not.

Advice goes where words were seen to lie far off, some of them by chance, and those come closer by themselves
(regression to the mean).  So who would have been advised is decided on one random half of the findings from before,
and the other half, which had no say in it, is compared with the findings from after.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from radcal.calibration.comparison_records import Control, Side
from radcal.calibration.days import difference, given
from radcal.system.estimates import Estimate
from radcal.system.intervals import normal_quantile
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.system.selection import Group
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]

_CELL = ["author", "topic", "phrase"]
FEWEST = 30
"""Hedged statements that a distance needs, for a normal interval."""
_SHRUNK = 10
"""Statements that lie where their word means, added to each word's own: what few of them say counts little."""


def hedged(observations: pd.DataFrame, phrases: Sequence[Phrase]) -> pd.DataFrame:
    """The statements with a hedge, and what it means (``meaning``, 0-1)."""
    meanings = {p.name: mean_of(p) for p in phrases if p.alpha > 0 and p.beta > 0}
    meaning = observations["phrase"].astype(object).map(meanings).to_numpy(float)
    return observations.assign(meaning=meaning)[np.isfinite(meaning)]


def compared(first: pd.DataFrame, second: pd.DataFrame, after: pd.DataFrame, settings: Settings) -> Side:
    """How far words lay from their meaning in one half of the statements from before, and after, where enough.

    The first half says on which side of its meaning each author's word on a topic lies, and how far.  With z = outcome
    - meaning of a statement and a = sum z / (n + 10) over the n statements of the first half with the same author,
    topic and phrase,

        distance = mean of a z / r,    r^2 = mean of a^2 in the second half

    is the mean of z, weighted so that words count which lay far off, on the side where they lay; beyond the meaning it
    is negative.  Given the first half it is a mean of independent patients, so that nothing is taken off for chance,
    however few statements there are, and where rates and words stay the same it is the same on average in the second
    half and after.

    Args:
        first, second, after: hedged statements as :func:`hedged` gives them; columns author, topic, phrase, outcome,
            meaning; and patient, without which, and where it is missing or '', each statement is a patient's of its
            own.
        settings: least numbers, confidence, and the accuracy of the CT, for which outcomes are corrected (Rogan and
            Gladen).
    """
    topics = int(pd.concat([second["topic"], after["topic"]]).astype(object).nunique())
    n = len(second), len(after)
    if min(n) < max(settings.min_phrase_n, FEWEST):
        return Side(topics, *n)
    cells = _off(first, settings).groupby([first[c].astype(object) for c in _CELL]).agg(["sum", "size"])
    weight = cells["sum"] / (cells["size"] + _SHRUNK)
    told = [_off(part, settings) for part in (second, after)]
    weights = [
        weight.reindex(pd.MultiIndex.from_frame(part[_CELL].astype(object))).fillna(0.0) for part in (second, after)
    ]
    scale = float(np.sqrt(np.mean(weights[0] ** 2)))
    if not scale:
        return Side(topics, *n)
    start, end = (
        _mean(z.to_numpy() * a.to_numpy() / scale, patients_of(part), settings.confidence)
        for z, a, part in zip(told, weights, (second, after), strict=True)
    )
    return Side(topics, *n, start, end, difference(start, end))


def _off(statements: pd.DataFrame, settings: Settings) -> pd.Series[float]:
    """(n,) outcome - meaning of each statement."""
    return outcomes_of(statements, settings) - statements["meaning"]


def outcomes_of(statements: pd.DataFrame, settings: Settings) -> pd.Series[float]:
    """(n,) the outcomes, corrected for the errors of the CT."""
    topics = statements["topic"].astype(object)
    accuracy = {topic: settings.ct_accuracy_on(topic) for topic in topics.unique()}
    sensitivity, specificity = (topics.map({t: a[i] for t, a in accuracy.items()}).astype(float) for i in (0, 1))
    return (statements["outcome"].astype(float) - 1 + specificity) / (sensitivity + specificity - 1)


def _mean(values: Array, patient: NDArray[np.int64], confidence: float) -> Estimate:
    """The mean with its normal interval, of patients who are independent, whatever their own statements are."""
    mean = float(values.mean())
    own = np.unique(patient, return_inverse=True)[1]
    sums = np.bincount(own, values - mean)
    error = np.sqrt((sums**2).sum() * len(sums) / max(len(sums) - 1, 1)) / len(values)
    half = normal_quantile(confidence) * float(error)
    return Estimate(mean, mean - half, mean + half)


def first_half(statements: pd.DataFrame, seed: int) -> NDArray[np.bool_]:
    """(n,) whether a statement is in the first of two random halves: a coin for each patient, or each statement.

    Words are not shared out evenly: one that by chance was used often would then be so in both halves, and its use
    would fall back to its mean in the findings from after alone.
    """
    patients, codes = np.unique(patients_of(statements), return_inverse=True)
    half: NDArray[np.bool_] = (np.random.default_rng(seed).random(len(patients)) < 0.5)[codes]
    return half


def patients_of(statements: pd.DataFrame) -> NDArray[np.int64]:
    """(n,) codes of the patients; a statement without one has a code of its own."""
    own = np.arange(len(statements))
    if "patient" not in statements:
        return own
    names = statements["patient"].astype(object)
    codes, _ = pd.factorize(names.where(names != ""))
    return np.where(codes < 0, own, codes + len(own))


def control(
    observations: pd.DataFrame,
    advised: Callable[[pd.DataFrame], Collection[Group]],
    author: str,
    dates: Mapping[str, date | None],
    phrases: Sequence[Phrase],
    settings: Settings,
) -> Control | None:
    """How far words lay from their meaning before feedback and after, of groups with advice and without.

    Args:
        observations: of all topics; columns author, topic, phrase, outcome, xray_time, and patient if known.
        advised: the groups that would be advised by these statements, one half of those from before.
        author: '' for all.
        dates: when feedback was given, by author; under '' to all others, None to an author who was given none.
        phrases: the lexicon.
        settings: least numbers of statements, confidence, accuracy of the CT, and the seed of the halves.

    Returns:
        None without any statement of known date.
    """
    if author:
        observations = observations[observations["author"] == author]
    known, cuts = given(observations[observations["xray_time"].notna()], dates)
    if known.empty:
        return None
    early = (known["xray_time"] < cuts).to_numpy()
    before, after = known[early], known[~early]
    half = first_half(before, settings.seed)
    wanted = {(g.author, g.topic) for g in advised(before[half])} if half.any() else set()
    parts = [hedged(part, phrases) for part in (before[half], before[~half], after)]

    def side(own: bool) -> Side:
        first, second, last = (part[_in(part, wanted) == own] for part in parts)
        return compared(first, second, last, settings)

    fewest = max(settings.min_phrase_n, FEWEST)
    with_advice, without = side(own=True), side(own=False)
    if with_advice.change is None or without.change is None:
        return Control(with_advice, without, fewest)
    return Control(with_advice, without, fewest, difference(without.change, with_advice.change))


def _in(statements: pd.DataFrame, groups: Collection[tuple[str, str]]) -> NDArray[np.bool_]:
    pairs = zip(statements["author"].astype(object), statements["topic"].astype(object), strict=True)
    return np.fromiter((pair in groups for pair in pairs), dtype=bool, count=len(statements))
