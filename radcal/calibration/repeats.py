"""Patients seen again: how much less the findings of one patient tell than as many findings of different patients.

Serial films make findings of one patient alike.  The design effect is the variance of a word's confirmed count over
that of as many findings of different patients,

    deff = 1 + icc sum_i m_i (m_i - 1) / n,        n = sum_i m_i,

with m_i the findings of patient i worded so, and icc the correlation of two of them.  All that it takes are sums over
the patients: of m_i^2, m_i y_i and y_i^2, y_i being how many were confirmed.

Of residuals e about a centre c, within patients and words, icc = sum_(a /= b) e_a e_b / (P v), P = sum_i m_i (m_i - 1),
v the mean of e^2.  About the observed rate both are too small, by what estimating the rate takes; with patients of one
size, A = sum e^2 and X = sum_(a /= b) e_a e_b,

    E[X (n - 1) + A P / n] = icc E[A (1 - P / n^2) + X / n] P.

Source: Kish, Survey Sampling (1965); Korn and Graubard, "Confidence intervals for proportions with small expected
number of positive counts estimated from survey data", Survey Methodology 1998;24:193-201.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from radcal.system.intervals import tails

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.calibration.records import Tables

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]

_PATIENTS = 20.0
"""So many patients seen again make a word's own correlation count as much as that of all the group's words."""
_USUAL, _LEAN = 0.4, 5.0
"""The correlation that rates lean on where few patients were seen again, and the sum P v that it counts for."""
_LEAST, _DIGITS = 1e-12, 9


def sums_by_patient(cell: Codes, patient: Codes, outcome: Array, times: Array, cells: int) -> Array:
    """(cells, 3): by cell, the sums over patients of m^2, m y and y^2, of m findings with y confirmed among them.

    Args:
        cell: (N,), what each row is counted under, such as a word of a group.
        patient: (N,) codes from 0 on;  below 0, every finding is of a patient of its own.
        outcome: (N,), 0-1.
        times: (N,), how many findings each row stands for.
    """
    from scipy.sparse import coo_array

    again = patient >= 0
    # Real part m, imaginary part y: one pass sums both.
    values = times[again] * (1 + 1j * outcome[again])
    shape = (cells, int(patient.max(initial=0)) + 1)
    each = coo_array((values, (cell[again], patient[again])), shape).tocsr()
    of, m, y = np.repeat(np.arange(cells), np.diff(each.indptr)), each.data.real, each.data.imag
    own, one, confirmed = cell[~again], times[~again], outcome[~again]
    sums = [
        np.bincount(of, together, cells) + np.bincount(own, one * alone, cells)
        for together, alone in ((m * m, np.ones_like(one)), (m * y, confirmed), (y * y, confirmed**2))
    ]
    # Rounded, so that the order of the rows does not show.
    return np.stack(sums, axis=1).round(_DIGITS)


def design_effects(tables: Tables, expected: Array | None = None) -> Array:
    """(Q, K), at least 1: of rates, or with ``expected`` of what luck confirms; 1 where no patient is known twice.

    A word's own correlation is drawn to that of all the group's words, the less the more patients were seen again; of
    rates, this leans a little on a usual one, as intervals of few patients would else cover too little.  About what
    luck expects, findings that depart from it look alike; about their own rate, those of few patients may look unlike.
    What luck is widened by is half way between: the sums of both, added up.

    Args:
        tables: of groups.  Their effects do not depend on each other.
        expected: (Q, K), the mean outcome of each word's findings by luck, 0-1.
    """
    n, y, squares = (tables.counts @ tables.positive**power for power in range(3))
    if not tables.by_patient:
        return np.ones_like(n)
    alone = np.stack([n, y, squares], axis=2)
    sums = np.stack([tables.by_patient.get(group, own) for group, own in zip(tables.groups, alone, strict=True)])
    m_m, m_y, y_y = np.moveaxis(sums, 2, 0)
    pairs, size = np.maximum(m_m - n, 0), np.maximum(n, 1)

    def about(centre: Array) -> tuple[Array, Array]:
        one = np.maximum(squares - 2 * centre * y + centre**2 * n, 0)
        return one, y_y - 2 * centre * m_y + centre**2 * m_m - one

    one, across = about(y / size)
    products = across + (one * pairs / size - across) / size
    variance = np.maximum(one * (1 - pairs / size**2) + across / size, 0) / size
    lean = _LEAN if expected is None else 0.0
    if expected is not None:
        one, across = about(expected)
        products, variance = (products + across) / 2, (variance + one / size) / 2
    weight = pairs * variance
    usual = (products.sum(axis=1) + lean * _USUAL) / np.maximum(weight.sum(axis=1) + lean, _LEAST)
    known = n**2 * pairs / np.maximum(m_m, 1) ** 2
    own = np.where(weight > _LEAST, products / np.maximum(weight, _LEAST), usual[:, None])
    alike = np.clip((known * own + _PATIENTS * usual[:, None]) / (known + _PATIENTS), 0, 1)
    effects: Array = 1 + alike * pairs / size
    return effects


def told_share(n: Array, effects: Array, confidence: float = 0.95) -> Array:
    """Which share of n findings tells as much as findings of different patients: t^2 / deff, in 0-1.

    t = t(n - 1) / t(n / deff - 1), the quantiles of Student, allows for a variance that is known from few patients.

    Args:
        n, effects: (...), findings and design effects, at least 1;  confidence: of the intervals to come.

    Source: Korn and Graubard (1998), with n / deff in place of the number of patients.
    """
    from scipy.special import stdtrit

    share, again, upper = 1 / effects, effects > 1, tails(confidence)[1]
    of = [stdtrit(np.maximum(size[again] - 1, 1), upper) for size in (n, n * share)]
    share[again] *= (of[0] / of[1]) ** 2
    return np.asarray(share)
