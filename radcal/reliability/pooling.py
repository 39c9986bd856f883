"""Partial pooling: each author's value, shrunken towards those of all others.

Author i's true rate is drawn from Beta(mu s, (1 - mu) s): mu is the mean over authors, and s how alike they are,
in statements (a large s is a narrow spread).  y_i of n_i statements confirmed have the marginal likelihood

    prod_i  B(y_i + mu s, n_i - y_i + (1 - mu) s) / B(mu s, (1 - mu) s),

whose maximum is mu, the mean that is reported, and s.  With a handful of authors that maximum is uncertain, and lies at
s = infinity or 0 often enough; to take it for the truth would give intervals of no width.  So each author's posterior
is averaged over all (mu, s), weighted by their likelihood, a uniform mu, and a shrinkage s / (s + n0) uniform in 0-1
with n0 the median number of statements.  With many authors this is the posterior at the maximum.

Sources: Deely and Lindley, "Bayes empirical Bayes", JASA 1981;76:833-841.  Christiansen and Morris, "Hierarchical
Poisson regression modeling", JASA 1997;92:618-632, for the uniform shrinkage prior.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reliability.records import IN_COMMON, PooledRate, pool_of
from radcal.reliability.reference import corrected_counts, references
from radcal.system.errors import DataError
from radcal.system.intervals import tails
from radcal.system.progress import SILENT
from radcal.system.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from radcal.reliability.records import Lender, Pooling, Reliability, Tables
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings

    Array = NDArray[np.float64]


FEWEST_AUTHORS = 2
_SHRINKAGES = 40
"""Nodes over the shrinkage in 0-1."""
_STEPS = np.arange(-10, 9) * 0.75
"""Nodes over the mean, in standard deviations from its mode; a steep tail on one side is a flat one on the other."""
_KEPT = 0.99995
"""Share of the weight of (mu, s) that quantiles are found from; the rest are thousands of nodes of no weight."""
_LEAST_S, _MOST_S = 1e-4, 1e7
_EQUAL = 1e-5
"""Log-likelihoods this close are equal: less than this is lost to rounding."""
_LARGEST_LOGIT = 40.0
_GRID, _ROUNDS = 41, 4
"""Points of the grid on which s is sought, and how often it is made finer: s is found to 1 in 10,000."""


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """Shrunken values of A authors.

    mean:    mu at the maximum of the marginal likelihood, within mean_low-mean_high
    spread:  95 % (the confidence asked for) of authors like these have true values in spread_low-spread_high
    value, low, high: (A,), each author's posterior mean and interval
    alike:   s (of rates) is infinite, or tau (of means) 0, at the maximum: chance is the likeliest explanation of
             all differences
    """

    mean: float
    mean_low: float
    mean_high: float
    spread_low: float
    spread_high: float
    value: Array
    low: Array
    high: Array
    alike: bool


def pool_rates(y: Array, n: Array, confidence: float = 0.95) -> Pooled:
    """Partial pooling of rates under the beta-binomial model.

    Args:
        y: (A,), confirmed, 0 <= y <= n; may be fractional, where the likelihood is the natural continuation.
        n: (A,), said; an author who said nothing has the value of an unknown one.
        confidence: coverage of every interval, in 0-1.

    Raises:
        DataError: fewer than two authors said anything.
    """
    y, n = np.asarray(y, dtype=np.float64), np.asarray(n, dtype=np.float64)
    _require_authors(n > 0)
    mu, s = maximum_likelihood(y, n)
    means, sizes, weights = _nodes(y, n)
    # One more author, who said nothing: what is known of somebody new.
    a = np.append(y, 0.0) + (means * sizes)[:, None]
    b = np.append(n - y, 0.0) + ((1 - means) * sizes)[:, None]
    value = weights @ (a / (a + b))
    low, high = _beta_quantiles(a, b, weights, confidence)
    mean_low, mean_high = _weighted_quantiles(means, weights, confidence)
    return Pooled(
        mean=mu,
        mean_low=min(mean_low, mu),
        mean_high=max(mean_high, mu),
        spread_low=float(low[-1]),
        spread_high=float(high[-1]),
        value=value[:-1],
        low=low[:-1],
        high=high[:-1],
        alike=math.isinf(s),
    )


def log_likelihood(mu: Array, s: Array, y: Array, n: Array) -> Array:
    """Marginal log-likelihood of (mu, s), binomial coefficients left out.

    Args:
        mu, s: (...), in 0-1 and > 0.
        y, n: (A,).
    """
    from scipy.special import betaln

    a, b = (mu * s)[..., None], ((1 - mu) * s)[..., None]
    total: Array = (betaln(a + y, b + n - y) - betaln(a, b)).sum(axis=-1)
    return total


def maximum_likelihood(y: Array, n: Array) -> tuple[float, float]:
    """(mu, s) of the highest marginal likelihood; s is ``inf`` where no finite s is better, 0 at the other end.

    Where nothing, or everything, was confirmed by all, or all said one thing, no spread can be seen and s is ``inf``.
    """
    total, said = float(y.sum()), float(n.sum())
    crude = total / said
    if total <= 0 or total >= said:
        return crude, math.inf
    alike = total * math.log(crude) + (said - total) * math.log1p(-crude)

    # All at once on a grid, ever finer around the best: with few authors the profile has flat stretches that a search
    # by slope would stop on.
    low, high = math.log(_LEAST_S), math.log(_MOST_S)
    for _ in range(_ROUNDS):
        log_s = np.linspace(low, high, _GRID)
        mode = _modes(np.exp(log_s), y, n, prior=0.0)
        height = log_likelihood(mode, np.exp(log_s), y, n)
        best = int(height.argmax())
        low, high = log_s[max(best - 1, 0)], log_s[min(best + 1, _GRID - 1)]
    if height[best] <= alike + _EQUAL:
        return crude, math.inf
    s = math.exp(log_s[best])
    return float(mode[best]), 0.0 if s < 2 * _LEAST_S else s


def pool_means(x: Array, error: Array, confidence: float = 0.95, least: float = -math.inf) -> Pooled:
    """Partial pooling of values with known standard errors: x_i ~ N(theta_i, error_i^2), theta_i ~ N(mu, tau^2).

    As for rates, averaged over tau with a uniform shrinkage v0 / (v0 + tau^2), v0 the median variance; mu is
    integrated out under a flat prior.  For scores such as ECE, whose errors come from a bootstrap, this is an
    approximation: it takes them for normal and leaves their bias in.

    Args:
        x, error: (A,); errors > 0.
        confidence: coverage of every interval, in 0-1.
        least: what no value can be below; ends below it are moved to it.

    Raises:
        DataError: fewer than two authors.

    Source: Morris, "Parametric empirical Bayes inference", JASA 1983;78:47-55.
    """
    from scipy.special import ndtr

    x, variance = np.asarray(x, dtype=np.float64), np.square(np.asarray(error, dtype=np.float64))
    _require_authors(np.isfinite(x))
    tau2, weights = _spreads(x, variance)
    precision = 1 / (variance + tau2[:, None])
    mean_variance = 1 / precision.sum(axis=1)
    mean = (precision @ x) * mean_variance
    kept = (tau2[:, None] / (variance + tau2[:, None])).clip(0, 1)
    centre = kept * x + (1 - kept) * mean[:, None]
    width = np.sqrt(kept * variance + np.square(1 - kept) * mean_variance[:, None])
    # The mean itself, and an author not seen yet, beside the A authors.
    centre = np.column_stack((centre, mean, mean))
    width = np.column_stack((width, np.sqrt(mean_variance), np.sqrt(mean_variance + tau2)))
    width = np.maximum(width, 1e-12)

    def below(at: Array) -> Array:
        share: Array = weights @ ndtr((at - centre) / width)
        return share

    reach = 10 * float(width.max())
    start, end = centre.min(axis=0) - reach, centre.max(axis=0) + reach
    low, high = (np.maximum(_bisected(below, start, end, q), least) for q in tails(confidence))
    value = np.maximum(weights @ centre, least)
    mu, tau = most_likely_means(x, variance)
    return Pooled(
        mean=max(mu, least),
        mean_low=min(float(low[-2]), max(mu, least)),
        mean_high=max(float(high[-2]), mu),
        spread_low=float(low[-1]),
        spread_high=float(high[-1]),
        value=value[:-2],
        low=low[:-2],
        high=high[:-2],
        alike=tau == 0,
    )


def _require_authors(known: NDArray[np.bool_]) -> None:
    if int(known.sum()) < FEWEST_AUTHORS:
        raise DataError(
            "Pooling needs {fewest_authors} radiologists or more; here is {n}.",
            fewest_authors=FEWEST_AUTHORS,
            n=int(known.sum()),
        )


def _nodes(y: Array, n: Array) -> tuple[Array, Array, Array]:
    """(mu, s) and their weights, (C,) each, which sum to 1; negligible ones are dropped."""
    place, width = np.polynomial.legendre.leggauss(_SHRINKAGES)
    shrinkage = (place + 1) / 2
    s = float(np.median(n[n > 0])) * shrinkage / (1 - shrinkage)
    mode = _modes(s, y, n, prior=1.0)
    x = np.log(mode) - np.log1p(-mode)
    step = 1e-3
    slope = _slope(_logistic(x + step), s, y, n) - _slope(_logistic(x - step), s, y, n)
    deviation = 1 / np.sqrt(np.maximum(-slope / (2 * step), 1e-12))
    means = _logistic(x[:, None] + deviation[:, None] * _STEPS)
    sizes = np.repeat(s[:, None], len(_STEPS), axis=1)
    # Uniform in mu is mu (1 - mu) on the scale of logits, on which the nodes are evenly spaced.
    log = log_likelihood(means, sizes, y, n) + np.log(means) + np.log1p(-means) + np.log(width * deviation)[:, None]
    weights = np.exp(log - log.max()).ravel()
    order = np.argsort(weights)[::-1]
    used = order[: int(np.searchsorted(np.cumsum(weights[order]), _KEPT * weights.sum())) + 1]
    return means.ravel()[used], sizes.ravel()[used], weights[used] / weights[used].sum()


def _slope(mu: Array, s: Array, y: Array, n: Array, prior: float = 1.0) -> Array:
    """Slope of log-likelihood + prior log mu (1 - mu) over the logit of mu, (...); it falls with mu throughout."""
    from scipy.special import psi

    a, b = (mu * s)[..., None], ((1 - mu) * s)[..., None]
    over_mu = s * (psi(a + y) - psi(a) - psi(b + n - y) + psi(b)).sum(axis=-1)
    slope: Array = over_mu * mu * (1 - mu) + prior * (1 - 2 * mu)
    return slope


def _modes(s: Array, y: Array, n: Array, prior: float) -> Array:
    """The best mu for each s, (S,): where the slope crosses 0, by bisection of its logit."""
    low, high = np.full(s.shape, -_LARGEST_LOGIT), np.full(s.shape, _LARGEST_LOGIT)
    for _ in range(50):
        middle = (low + high) / 2
        rising = _slope(_logistic(middle), s, y, n, prior) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return _logistic((low + high) / 2)


def _logistic(x: Array) -> Array:
    """The logistic function, kept strictly within 0-1 so that logarithms of either side exist."""
    return np.clip(1 / (1 + np.exp(-np.clip(x, -_LARGEST_LOGIT, _LARGEST_LOGIT))), 1e-15, 1 - 1e-15)


def _spreads(x: Array, variance: Array) -> tuple[Array, Array]:
    """tau^2 and their weights, (C,) each, with mu integrated out."""
    place, width = np.polynomial.legendre.leggauss(_SHRINKAGES)
    shrinkage = (place + 1) / 2
    tau2 = float(np.median(variance)) * (1 - shrinkage) / shrinkage
    precision = 1 / (variance + tau2[:, None])
    mean = (precision @ x) / precision.sum(axis=1)
    log = 0.5 * (np.log(precision).sum(axis=1) - np.log(precision.sum(axis=1)))
    log -= 0.5 * (precision * np.square(x - mean[:, None])).sum(axis=1)
    weights = width * np.exp(log - log.max())
    return tau2, weights / weights.sum()


def most_likely_means(x: Array, variance: Array) -> tuple[float, float]:
    """(mu, tau) of the highest likelihood of x (A,) with these variances (A,)."""
    from scipy.optimize import minimize_scalar

    def at(tau: float) -> tuple[float, float]:
        precision = 1 / (variance + tau**2)
        mu = float(precision @ x / precision.sum())
        return mu, 0.5 * float(np.log(precision).sum() - precision @ np.square(x - mu))

    most = float(np.ptp(x)) + math.sqrt(float(variance.max()))
    found = float(minimize_scalar(lambda tau: -at(tau)[1], bounds=(0.0, most), method="bounded").x)
    tau = found if at(found)[1] > at(0.0)[1] + _EQUAL else 0.0
    return at(tau)[0], tau


def _beta_quantiles(a: Array, b: Array, weights: Array, confidence: float) -> tuple[Array, Array]:
    """Ends of the interval of each mixture of Beta(a[:, i], b[:, i]), (A,) each."""
    from scipy.special import betainc

    def below(at: Array) -> Array:
        share: Array = weights @ betainc(a, b, at)
        return share

    start, end = np.zeros(a.shape[1]), np.ones(a.shape[1])
    low, high = (_bisected(below, start, end, q) for q in tails(confidence))
    return low, high


def _bisected(below: Callable[[Array], Array], low: Array, high: Array, q: float) -> Array:
    """The point where ``below`` reaches q, to a millionth of the range."""
    for _ in range(21):
        middle = (low + high) / 2
        short = below(middle) < q
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return (low + high) / 2


def _weighted_quantiles(values: Array, weights: Array, confidence: float) -> tuple[float, float]:
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) - weights[order] / 2
    low, high = np.interp(tails(confidence), reached, values[order])
    return float(low), float(high)


def partially_pooled(
    reliabilities: Sequence[Reliability],
    tables: Tables,
    settings: Settings,
    over: Pooling,
    progress: Progress = SILENT,
) -> tuple[Reliability, ...]:
    """The reliabilities with their phrases' rates pooled with those of other groups, in ``pooled_rates``.

    The groups that belong together (:func:`pool_phrases`) are the topics of an author ("topics"), or the authors on a
    topic ("authors"); "both" gives each of the two.  Rates are corrected for errors of the CT that the settings state;
    errors of reading are not carried on into them.

    Args:
        reliabilities: of some groups of the tables; those of pooled groups are returned as they are.
        tables: of all groups to be pooled, those of the reliabilities among them.
        settings: coverage of the intervals, errors of the CT.
        over: what is pooled; nothing for "none".
        progress: advances by phrases of groups that belong together.

    Raises:
        Cancelled: by ``progress``.
    """
    n = tables.counts.sum(axis=2)
    y = corrected_counts(tables, *references(tables, settings))
    wanted = {(r.author, r.topic): q for q, r in enumerate(reliabilities) if pool_of(r.author, r.topic) is None}
    found: dict[int, list[PooledRate]] = {q: [] for q in wanted.values()}
    sets = [*_together(tables, over, wanted)]
    progress.start(len(sets), Text("Pooling rates"))
    for lender, groups in sets:
        progress.raise_if_cancelled()
        asked = {i: wanted[group] for i, g in enumerate(groups) if (group := tables.groups[g]) in wanted}
        for i, rates in pool_phrases(tables.phrases, y[groups], n[groups], lender, settings.confidence, asked).items():
            found[asked[i]] += rates
        progress.advance(1)
    return tuple(replace(r, pooled_rates=tuple(found.get(q, ()))) for q, r in enumerate(reliabilities))


def pool_phrases(
    phrases: Sequence[str], y: Array, n: Array, over: Lender, confidence: float, asked: Collection[int]
) -> dict[int, list[PooledRate]]:
    """The rates of G groups, each pooled with those of the others that said the phrase.

    For a phrase, the groups' true rates are taken to come from one Beta distribution
    (:func:`radcal.reliability.pooling.pool_rates`).  A phrase that no other group said has no such rate.

    Args:
        phrases: K names.
        y, n: (G, K), confirmed, corrected for errors of the CT, and said.
        over: what the groups are to each other.
        confidence: coverage of the intervals, in 0-1.
        asked: the groups whose rates are wanted, 0 to G - 1.

    Returns:
        By the groups asked for, in the order of the phrases.
    """
    found: dict[int, list[PooledRate]] = {g: [] for g in asked}
    for k in np.flatnonzero((n > 0).sum(axis=0) >= FEWEST_AUTHORS).tolist():
        said = np.flatnonzero(n[:, k] > 0)
        wanted = [(i, g) for i, g in enumerate(said.tolist()) if g in found]
        if wanted:
            pooled = pool_rates(y[said, k], n[said, k], confidence)
            for i, g in wanted:
                ends = float(pooled.value[i]), float(pooled.low[i]), float(pooled.high[i])
                found[g].append(PooledRate(phrases[k], over, len(said), *ends))
    return found


def _together(tables: Tables, over: Pooling, wanted: dict[tuple[str, str], int]) -> Iterator[tuple[Lender, list[int]]]:
    """The places of the groups that are pooled, where one of them is wanted."""
    for lender, by in IN_COMMON.items():
        if over not in (lender, "both"):
            continue
        sets: dict[str, list[int]] = {}
        for g, group in enumerate(tables.groups):
            sets.setdefault(group[by], []).append(g)
        asked = {group[by] for group in wanted}
        for name, groups in sets.items():
            if name in asked and len(groups) > 1:
                yield lender, groups
