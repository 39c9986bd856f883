"""Inter-reader agreement beyond chance: Cohen's kappa, plain or weighted, with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from radcal.findings.records import Finding
from radcal.review.evaluation import CONFIDENCE, assertion
from radcal.review.records import NOT_MENTIONED, STATED, Agreement, Answers, Kappa
from radcal.system.intervals import normal_quantile, wilson
from radcal.words.phrases import mean_of
from radcal.words.records import PRESENT, UNREAD, Phrase

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def contingency(pairs: Iterable[tuple[str, str]], categories: Sequence[str]) -> NDArray[np.float64]:
    """Contingency table of the first reader's category i and the second's j, shape (C, C)."""
    place = {name: i for i, name in enumerate(categories)}
    table = np.zeros((len(place), len(place)))
    for first, second in pairs:
        table[place[first], place[second]] += 1
    return table


def cohen_kappa(table: ArrayLike, weights: ArrayLike | None = None) -> Kappa:
    """Cohen's kappa of a table of counts.

    kappa = (p_o - p_e) / (1 - p_e), p_o = sum w_ij p_ij, p_e = sum w_ij p_i. p_.j
    n (1 - p_e)^2 var = sum p_ij (w_ij - (w_i. + w_.j)(1 - kappa))^2 - (kappa - p_e (1 - kappa))^2
    with w_i. = sum_j w_ij p_.j and w_.j = sum_i w_ij p_i.

    Where all units agree, or none does, the standard error is 0; the interval then follows from Wilson's of p_o with
    p_e held fixed.  The units are taken for independent; where several come from one report, the interval is a
    little too narrow.

    Args:
        table: (C, C) counts, first reader by second.
        weights: (C, C) agreement in 0-1, 1 on the diagonal; None for 1 there and 0 elsewhere.

    Source: Cohen, Educ Psychol Meas 1960;20:37-46 and Psychol Bull 1968;70:213-220; the variance by Fleiss, Cohen
    and Everitt, Psychol Bull 1969;72:323-327.
    """
    counts = np.asarray(table, dtype=np.float64)
    w = np.eye(len(counts)) if weights is None else np.asarray(weights, dtype=np.float64)
    n = float(counts.sum())
    nan = float("nan")
    if n == 0:
        return Kappa(0, nan, nan, nan, nan, nan, nan)
    p = counts / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float((w * p).sum()), float(rows @ w @ columns)
    if 1 - expected < 1e-12:  # both used one and the same category throughout
        return Kappa(round(n), observed, expected, nan, nan, nan, nan)
    value = (observed - expected) / (1 - expected)
    of_row, of_column = w @ columns, rows @ w
    spread = (p * (w - (of_row[:, None] + of_column[None, :]) * (1 - value)) ** 2).sum()
    variance = (float(spread) - (value - expected * (1 - value)) ** 2) / (n * (1 - expected) ** 2)
    se = sqrt(max(variance, 0.0))  # rounding may leave less than nothing where all agree
    if se < 1e-12:  # all agree or none: an interval of no width would promise too much
        ends = [(share - expected) / (1 - expected) for share in wilson(observed, n, CONFIDENCE)]
    else:
        z = normal_quantile(CONFIDENCE)
        ends = [value - z * se, value + z * se]
    return Kappa(round(n), observed, expected, value, se, max(ends[0], -1.0), min(ends[1], 1.0))


def closeness(places: Sequence[float]) -> NDArray[np.float64]:
    """Linear agreement weights by the distance of two categories, shape (C, C).

    Args:
        places: of the categories on the scale.
    """
    at = np.asarray(places, dtype=np.float64)
    apart = np.abs(at[:, None] - at[None, :])
    longest = apart.max(initial=0.0)
    return np.ones_like(apart) if longest == 0 else 1 - apart / longest


def agreement_of(
    first: str,
    second: str,
    both: Mapping[str, tuple[Answers, Answers]],
    phrases: Sequence[Phrase],
    decide: Callable[[Iterable[Finding]], Sequence[Finding]],
) -> Agreement:
    """The agreement of two readers.

    A unit is a report and a pathology that either reader mentions anywhere in the set.

    Args:
        first, second: the readers.
        both: their answers on each report that both have finished.
        phrases: the lexicon.
        decide: picks the statement that stands for a report where it says several things of a pathology.
    """
    said = [{(f.report_id, f.pathology): f for a in both.values() for f in decide(a[i].statements)} for i in (0, 1)]
    left_out = {(i, p) for i, a in both.items() for p in a[0].unsure | a[1].unsure}
    names = sorted({pathology for view in said for _, pathology in view})
    units = [(i, p) for i in both for p in names if (i, p) not in left_out]
    pairs = [(_category(said[0].get(u)), _category(said[1].get(u))) for u in units]
    table = contingency(pairs, STATED)
    mentioned = [(said[0][u], said[1][u]) for u in units if u in said[0] and u in said[1]]
    places = {p.name: mean_of(p) for p in phrases}
    worded = [(a.phrase, b.phrase) for a, b in mentioned if a.phrase in places and b.phrase in places]
    used = sorted({phrase for pair in worded for phrase in pair}, key=lambda p: (places[p], p)) or [PRESENT]
    weights = closeness([places.get(p, 0.0) for p in used])
    of_pathology = {
        name: contingency([p for u, p in zip(units, pairs, strict=True) if u[1] == name], STATED) for name in names
    }
    return Agreement(
        first,
        second,
        len(both),
        (
            replace(cohen_kappa(table), what="assertion"),
            replace(cohen_kappa(table[1:, 1:]), what="assertion where both mention it"),
            replace(cohen_kappa(contingency(worded, used), weights), what="phrase"),
        ),
        STATED,
        tuple(tuple(int(n) for n in row) for row in table),
        tuple(replace(cohen_kappa(counts), what=name) for name, counts in of_pathology.items()),
    )


def engines_agreement(first: Iterable[Finding], second: Iterable[Finding]) -> tuple[int, int]:
    """Of the (report, pathology) that either of two engines mentions, how many there are, and on how many they agree.

    Agreement is on present, absent, hedged or not mentioned.  Where they do not agree, at least one of the two is
    wrong: half of the disagreement is a lower bound of the mean of their errors.  What either left unread is left out:
    to abstain is not to be wrong.

    Args:
        first, second: the findings that enter the statistics, one for each report and pathology.
    """
    said = [{(f.report_id, f.pathology): f.phrase for f in findings} for findings in (first, second)]
    units = [u for u in said[0].keys() | said[1].keys() if UNREAD not in (said[0].get(u), said[1].get(u))]
    said = [{unit: assertion(phrase) for unit, phrase in view.items()} for view in said]
    return len(units), sum(said[0].get(unit) == said[1].get(unit) for unit in units)


def _category(finding: Finding | None) -> str:
    return NOT_MENTIONED if finding is None else assertion(finding.phrase)
