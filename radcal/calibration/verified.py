"""Statements that no CT decided on: rates weighted to all that was said, and bounds on what stays unknown.

Only patients with a CT in the window enter the statistics, and who gets a CT depends on what the X-ray report says and
on where and how the X-ray was taken.  Of said_ks statements worded with phrase k in stratum s, CT decided on n_ks and
confirmed y_ks.  If those without a CT are like those with one of the same word and stratum ("missing at random"),

    rate_k = sum_s (said_ks / said_k) y_ks / n_ks

is the rate of all that was said (Begg and Greenes).  How far that may be wrong: with odds of those without a CT that
are c times those with one, their rate is c p / (1 - p + c p) instead of p = y_ks / n_ks; c from 0 to infinity are the
bounds

    y_k / said_k    and    (y_k + said_k - n_k) / said_k,    "none of them" and "all of them".

Source: Begg and Greenes, "Assessment of diagnostic tests when disease verification is subject to selection bias",
Biometrics 1983;39:207-215.  Of the bounds: Manski, "Partial Identification of Probability Distributions", 2003, chapter
1.  Of the odds: Rotnitzky, Robins and Scharfstein, J. Am. Stat. Assoc. 1998;93:1321-1339 (exponential tilting).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.records import ALL_AUTHORS, Said, Verification, VerifiedRate
from radcal.calibration.reliability import together
from radcal.system.errors import DataError
from radcal.system.estimates import Estimate
from radcal.system.intervals import jeffreys
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from radcal.words.bins import reference_positive
from radcal.words.phrases import agreeing_rates, normalise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibration.records import PhraseRate, Reliability, Together
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]


FEWEST = 5
"""Findings with a CT that a stratum of a word needs for a rate of its own; the smaller ones are taken together."""
ODDS = 2.0
"""Verdicts and advice have to hold if the odds of the statements without a CT are so many times higher, or lower."""

MOST_UNREAD = 0.05
"""Share of an author's X-ray reports that may be unread where the share of statements with a CT is known."""
REPORTS = ["all", "paired", "unread"]
"""What is counted of X-ray reports: how many, with a CT, and not read."""
CELL = ["author", "topic", "phrase", "stratum"]


def weighted_rates(said: Array, judged: Array, positives: Array, confidence: float) -> tuple[Array, Array, Array]:
    """The rate of all that was said, weighted by stratum, with its interval, each (...); NaN where nothing was judged.

    rate = sum_s w_s p_s with w_s = said_s / said over the strata with findings, p_s = y_s / n_s; where the share with a
    CT is the same in all of them, that is sum y / sum n.  By the delta method, with q_s = (y_s + 1) / (n_s + 2) and
    q = sum_s w_s q_s,

        Var = sum_s w_s^2 q_s (1 - q_s) / n_s + sum_s w_s (q_s - q)^2 / said,

    and the interval is that of Jeffreys for q (1 - q) / Var findings: n itself with one stratum or a CT of everybody.

    Args:
        said, judged, positives: (..., S), said_s >= n_s >= y_s >= 0.
        confidence: coverage of the interval.

    Source: Begg and Greenes, Biometrics 1983;39:207-215 (rate and variance); Korn and Graubard, Survey Methodology
    1998;24:193-201 (interval of an effective number).
    """
    weight, p, kept = _strata(said, judged, positives)
    rate = np.where(kept.any(axis=-1), (weight * p).sum(axis=-1), np.nan)
    q = (positives + 1) / (judged + 2)
    middle = (weight * q).sum(axis=-1)
    apart = (weight * (q - middle[..., None]) ** 2).sum(axis=-1)
    of_strata = np.divide(weight**2 * q * (1 - q), judged, out=np.zeros_like(p), where=kept).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = middle * (1 - middle) / (of_strata + apart / np.where(kept, said, 0.0).sum(axis=-1))
    low, high = jeffreys(np.nan_to_num(rate * effective), np.nan_to_num(effective), confidence)
    return rate, np.minimum(low, rate), np.maximum(high, rate)


def tilted_rates(said: Array, judged: Array, positives: Array, odds: float) -> Array:
    """(...) the rate of all that was said if the odds of those without a CT are ``odds`` times those with one.

    Arguments (..., S) as of :func:`weighted_rates`, which this is for odds of 1.
    """
    weight, p, _ = _strata(said, judged, positives)
    verified = np.divide(judged, said, out=np.zeros_like(p), where=said > 0)
    rate: Array = (weight * (verified * p + (1 - verified) * odds * p / (1 - p + odds * p))).sum(axis=-1)
    return rate


def _strata(said: Array, judged: Array, positives: Array) -> tuple[Array, Array, Mask]:
    """(..., S) weights that add to 1 over the strata with findings, their rates, and which ones these are."""
    kept = judged > 0
    of = np.where(kept, said, 0.0)
    whole = of.sum(axis=-1, keepdims=True)
    weight = np.divide(of, whole, out=np.zeros_like(of), where=whole > 0)
    return weight, np.divide(positives, judged, out=np.zeros_like(of), where=kept), kept


def verified_rates(
    phrases: Sequence[Phrase], judged: Array, positives: Array, unverified: Array, confidence: float
) -> tuple[VerifiedRate, ...]:
    """Weighted rates and bounds of the K phrases that were said at all, in the order given.

    Args:
        phrases: K phrases; the ranges are those of ``agreeing_rates``.
        judged, positives, unverified: (K,) or by stratum (K, S), n, y (0 <= y <= n, fractional where CT was unsure) and
            u = said - n.  Strata of fewer than FEWEST findings are taken together for the weighted rate.
        confidence: coverage of the intervals.

    Raises:
        DataError: a count is negative, no number, or more was confirmed than judged.
    """
    strata = [np.asarray(a, dtype=np.float64) for a in (judged, positives, unverified)]
    if len({a.shape for a in strata}) > 1 or len(strata[0]) != len(phrases):
        raise DataError("Each phrase needs its counts of judged, confirmed and unverified statements.")
    n_s, y_s, u_s = (a.reshape(len(phrases), a[:1].size or 1) for a in strata)
    if not (np.isfinite(n_s + y_s + u_s).all() and (np.minimum(y_s, u_s) >= 0).all() and (y_s <= n_s).all()):
        raise DataError("A count of statements is negative or no number, or more were confirmed than judged.")
    n, y, u = (a.sum(axis=1) for a in (n_s, y_s, u_s))
    said = n + u
    share_low, share_high = jeffreys(n, said, confidence)
    rate_low, rate_high = jeffreys(y, n, confidence)
    low, _ = jeffreys(y, said, confidence)
    _, high = jeffreys(y + u, said, confidence)
    cells = _joined(n_s + u_s, n_s, y_s)
    weighted = np.stack(weighted_rates(*cells, confidence))
    tilted = np.stack([tilted_rates(*cells, odds) for odds in (1 / ODDS, ODDS)])
    made, ranges = [], {p: agreeing_rates(p) for p in {*phrases}}
    for k in np.flatnonzero(said > 0).tolist():
        phrase = phrases[k]
        meant = ranges[phrase]
        made.append(
            VerifiedRate(
                phrase=phrase.name,
                said=float(said[k]),
                judged=float(n[k]),
                positives=float(y[k]),
                unverified=float(u[k]),
                share_low=float(share_low[k]),
                share_high=float(share_high[k]),
                rate_low=float(rate_low[k]),
                rate_high=float(rate_high[k]),
                lowest=float(y[k] / said[k]),
                highest=float((y[k] + u[k]) / said[k]),
                low=float(low[k]),
                high=float(high[k]),
                meaning_low=meant[0],
                meaning_high=meant[1],
                weighted=Estimate(*weighted[:, k].tolist()) if n[k] else None,
                tilted=(float(tilted[0, k]), float(tilted[1, k])) if n[k] else None,
            )
        )
    return tuple(made)


def _joined(said: Array, judged: Array, positives: Array) -> tuple[Array, Array, Array]:
    """(K, S + 1) counts in which the strata with fewer than FEWEST findings have become the last one."""
    few = judged < FEWEST
    said, judged, positives = (
        np.column_stack([np.where(few, 0.0, a), np.where(few, a, 0.0).sum(axis=1)]) for a in (said, judged, positives)
    )
    return said, judged, positives


def shifts(rate: VerifiedRate, settings: Settings, topic: str) -> tuple[float, float]:
    """By how much the rate of all that was said may lie below and above that of the findings with a CT, at most.

    As the setting ``verification`` says: with odds of those without a CT ODDS times lower and higher in each stratum,
    or with none and all of them confirmed.  (0, 0) with a CT of everybody, or of nobody.
    """
    if rate.tilted is None or rate.unverified == 0:
        return 0.0, 0.0
    low, high = (rate.lowest, rate.highest) if settings.verification == "bounds" else rate.tilted
    raw, errs = rate.positives / rate.judged, sum(settings.ct_accuracy_on(topic)) - 1
    return (low - raw) / errs, (high - raw) / errs


def with_verification(
    reliabilities: Iterable[Reliability], found: Mapping[tuple[str, str], Verification], settings: Settings
) -> tuple[Reliability, ...]:
    """The reliabilities with the verification of their groups, where known, and the verdicts that hold with it.

    A word that matches stays so if its rate, moved by its :func:`shifts`, lies in the range; one that is stronger or
    weaker, if its interval so moved stays outside of what it may mean.  Else it is undecided.
    """

    def closed(rate: PhraseRate, own: VerifiedRate | None, topic: str) -> bool:
        down, up = (0.0, 0.0) if own is None else shifts(own, settings, topic)
        if own is None or rate.verdict in ("undecided", "too few") or down == up == 0:
            return False
        if rate.verdict == "matches":
            return rate.rate + down < own.meaning_low or rate.rate + up > own.meaning_high
        return rate.high + max(up, 0) >= rate.meant_low and rate.low + min(down, 0) <= rate.meant_high

    made = []
    for r in reliabilities:
        if (verification := found.get((r.author, r.topic))) is None:
            made.append(r)
            continue
        of = {v.phrase: v for v in verification.rates}
        shut = {rate.phrase for rate in r.phrases if closed(rate, of.get(rate.phrase), r.topic)}
        phrases = tuple(p._replace(verdict="undecided") if p.phrase in shut else p for p in r.phrases)
        told = told_of(verification, phrases, shut)
        made.append(replace(r, phrases=phrases, together=_moved(r, of, settings), verification=told))
    return tuple(made)


def told_of(verification: Verification, rates: Iterable[PhraseRate], shut: Collection[str]) -> Verification:
    """The verification with the verdicts of its group's words, and which of them it leaves open."""
    verdicts = {rate.phrase: rate.verdict for rate in rates}
    told = (replace(v, verdict=verdicts.get(v.phrase, "too few"), closed=v.phrase in shut) for v in verification.rates)
    return replace(verification, rates=tuple(told))


def _moved(r: Reliability, of: Mapping[str, VerifiedRate], settings: Settings) -> Together | None:
    """What the group's hedged words come to together, undecided unless that holds with the words' :func:`shifts`."""
    whole = r.together
    if whole is None or whole.verdict == "undecided":
        return whole
    moved = 0.0
    for rate in r.phrases:
        if (own := of.get(rate.phrase)) is not None and 0 < rate.mean < 1 and rate.verdict != "too few":
            down, up = shifts(own, settings, r.topic)
            moved += (max(up, 0) if whole.verdict == "stronger" else min(down, 0)) * rate.n / whole.n
    still = together(*whole._replace(expected=whole.expected + moved)[:5])
    return whole if still.verdict == whole.verdict else whole._replace(verdict="undecided")


def ends_of_counts(
    r: Reliability, names: Sequence[str], n: Array, y: Array, settings: Settings
) -> tuple[Array, Array] | None:
    """(K,) the least and the most confirmed of n findings that the :func:`shifts` allow; None where nothing is moved.

    Args:
        r: with its verification.
        names: of K words.
        n, y: (K,) findings and confirmed ones, with the CT's own errors.
    """
    if r.verification is None:
        return None
    of = {v.phrase: shifts(v, settings, r.topic) for v in r.verification.rates}
    moved = np.array([of.get(name, (0.0, 0.0)) for name in names])
    low, high = (np.clip(y + n * moved[:, i], 0, n) for i in (0, 1))
    return (low, high) if moved.any() else None


# --- from what was said, with and without a CT


def verifications(
    said: Said, judged: pd.DataFrame, phrases: Sequence[Phrase], confidence: float
) -> dict[tuple[str, str], Verification]:
    """The verification of every group (author, topic) with judged findings, and of those put together.

    Statements of others are left out, as are phrases that are not in the lexicon.  Weighted rates are None where more
    than MOST_UNREAD of an author's reports are unread (what was read without a CT then mostly has the text of another
    report, such as the template of a normal one), or all have a CT: others were hardly exported.

    Args:
        said: by stratum, those with a CT among them.
        judged: columns author, topic, phrase, stratum, outcome and n, how often.
        phrases: the lexicon.
        confidence: coverage of the intervals.
    """
    import pandas as pd

    if judged.empty:
        return {}
    names = pd.Index([p.name for p in phrases])
    groups = pd.MultiIndex.from_frame(judged[["author", "topic"]].astype(str).drop_duplicates(ignore_index=True))
    strata = pd.Index(pd.concat([judged["stratum"], said.counts["stratum"]]).astype(str).unique())
    shape = (len(groups), len(names), len(strata))

    def counted(frame: pd.DataFrame, weight: Array) -> Array:
        """(Q, K, S)"""
        group = groups.get_indexer(pd.MultiIndex.from_frame(frame[["author", "topic"]].astype(str)))
        word, stratum = (
            of.get_indexer(pd.Index(frame[c].astype(str))) for of, c in ((names, "phrase"), (strata, "stratum"))
        )
        known = (group >= 0) & (word >= 0)
        cell = np.ravel_multi_index((group[known], word[known], stratum[known]), shape)
        return np.bincount(cell, weight[known], int(np.prod(shape))).astype(np.float64).reshape(shape)

    times = judged["n"].to_numpy(np.float64)
    n, y = counted(judged, times), counted(judged, times * judged["outcome"].to_numpy(np.float64))
    unverified = np.maximum(counted(said.counts, said.counts["n"].to_numpy(np.float64)) - n, 0)
    members: dict[tuple[str, str], list[int]] = {}
    for q, (author, topic) in enumerate(groups):
        for group in ((author, topic), (author, ALL_TOPICS), (ALL_AUTHORS, topic), (ALL_AUTHORS, ALL_TOPICS)):
            members.setdefault(group, []).append(q)
    made = {}
    sums = [np.stack([a[places].sum(axis=0) for places in members.values()]) for a in (n, np.minimum(y, n), unverified)]
    flat = [a.reshape(-1, len(strata)) for a in sums]
    every = verified_rates([*phrases] * len(members), flat[0], flat[1], flat[2], confidence)
    ends = np.cumsum(((sums[0] + sums[2]).sum(axis=2) > 0).sum(axis=1)).tolist()
    all_said, all_judged, all_confirmed = (
        a.reshape(len(members), -1) for a in _joined(flat[0] + flat[2], flat[0], flat[1])
    )
    overall = np.stack(weighted_rates(all_said, all_judged, all_confirmed, confidence), axis=1).tolist()
    judged_ones, total = sums[0].sum(axis=(1, 2)), (sums[0] + sums[2]).sum(axis=(1, 2))
    shares = np.stack([judged_ones / total, *jeffreys(judged_ones, total, confidence)], axis=1).tolist()
    reports_of = dict(zip(said.reports.index, said.reports[REPORTS].to_numpy(np.float64), strict=True))
    parts = zip(members.items(), [0, *ends[:-1]], ends, overall, shares, strict=True)
    for ((author, topic), places), start, end, of_all, share in parts:
        authors = {groups[q][0] for q in places}
        reports = sum((reports_of[a] for a in authors if a in reports_of), np.zeros(len(REPORTS)))
        rates, rate = every[start:end], None
        if authors <= {*reports_of} and is_known(*reports):
            rate = Estimate(*of_all)
        else:
            rates = tuple(replace(r, weighted=None, tilted=None) for r in rates)
        made[author, topic] = Verification(author, topic, rates, Estimate(*share), rate, *map(int, reports))
    return made


def is_known(reports: float, paired: float, unread: float) -> bool:
    """Whether so many X-ray reports, so many of them with a CT, tell what is said without one."""
    return unread <= MOST_UNREAD * reports and (paired < reports or not reports)


def of_rows(rows: pd.DataFrame, phrases: Sequence[Phrase], settings: Settings) -> dict[tuple[str, str], Verification]:
    """As :func:`verifications`, of observations as :func:`~radcal.calibration.tables.read_observations` gives them.

    {} without a column ``verified``: then nobody knows what was said without a CT.
    """
    import pandas as pd

    if "verified" not in rows:
        return {}
    words = {normalise(word): p.name for p in phrases for word in (p.name, *p.synonyms)}
    counted = rows.assign(
        phrase=rows["phrase"].map(lambda said: words.get(normalise(said), "")),
        stratum=rows.get("site", ""),
    )
    if "outcome" not in rows:
        of = {p.name: float(v) for p, v in zip(phrases, reference_positive(phrases, settings.reference), strict=True)}
        meant = rows["reference_phrase"].map(lambda said: of.get(words.get(normalise(said), ""), np.nan))
        counted["outcome"] = meant.astype(np.float64)
        counted = counted[counted["outcome"].notna() | ~rows["verified"]]
    nobody = pd.DataFrame(0, index=pd.Index(rows["author"].astype(str).unique()), columns=REPORTS)
    cells, judged = (
        some.groupby(by, observed=True).size().rename("n").reset_index()
        for some, by in ((counted, CELL), (counted[counted["verified"]], [*CELL, "outcome"]))
    )
    return verifications(Said(nobody, cells), judged, phrases, settings.confidence)


def share_told(v: Verification, hours: float) -> Text:
    """On how many statements of a group a CT decided."""
    said, judged = sum(r.said for r in v.rates), sum(r.judged for r in v.rates)
    return Text(
        "Of {said:,} statements, a CT within {hours:g} hours decided on {judged:,} ({percent} %).",
        said=round(said),
        judged=round(judged),
        hours=hours,
        percent=round(100 * judged / said),
    )
