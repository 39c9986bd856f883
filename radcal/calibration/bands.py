"""Bootstrap intervals and luck bands of all groups, on all cores.

For resampled counts n, y of one group, the bins of all B resamples are matrix products with B columns,

    y W, n W, n G: (M, K) @ (K, B),      r = y W / n W,      ECE = sum_m |y W - n G|_m / N.

Bins are scaled by the largest mass of any phrase of the group in them, which cancels in r, so that single precision
reaches into the far tails.

Bands of the curve hold the whole curve at once: with s_m the root mean square of r*_m - r_m over the redraws, they are
r_m -+ c s_m, c the quantile of max_m |r*_m - r_m| / s_m.  For luck, the mean of its redraws stands for r_m.

Redraws of a word that was always or never confirmed do not vary, and those of few findings vary too little.  So the
bands of rates are around those with two confirmed and two other findings of each word more, p' = (y + 2) / (n + 4), and
their redraws are y* + n* (p' - p + z sqrt(d p' (1 - p') / (n + 4) - p (1 - p) / n)), d the design effect and z normal.

Where patients were seen again, what luck confirms of a word lies sqrt(deff) times as far from its mean, and so do, in
the word error, redraws of a word from its rate (``radcal.calibration.repeats``).  ECE, whose bins need rates, has luck
within 0 and n.

Source: Montiel Olea and Plagborg-Moller, "Simultaneous confidence bands", J. Appl. Econometrics 2019;34:1-17; Agresti
and Coull, The American Statistician 1998;52:119-126.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import chain
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from radcal.calibration.reference import reduced
from radcal.calibration.resample import Bootstrap, luck_draws
from radcal.system.errors import Cancelled
from radcal.system.intervals import normal_quantile, sorted_quantiles, tails

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from radcal.calibration.reference import Reference
    from radcal.system.progress import Progress
    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]
    Single = NDArray[np.float32]

_BATCH = 40
"""Groups in a batch: enough for long calls, few enough to keep all cores busy and progress smooth."""
_RESAMPLED_SIZE = 1 << 21
"""Most resampled counts in a batch (8 MiB); very many redraws make batches smaller."""
_REDRAW_SIZE = 1 << 21
"""Most cells redrawn at a time (8 MiB of counts, and several times that in between)."""
_LUCK_SIZE = 1 << 26
"""Most luck draws in memory (256 MiB)."""
_SCAN_SIZE = 1 << 20
"""Size of an array of resampled bins (4 MiB).  One core prefers less, but threads wait at every call."""
_PRODUCT_SIZE = 1 << 18
"""OpenBLAS spreads larger matrix products over all cores, which are already busy with other groups; those of very many
words are larger all the same, because products of a few columns take longer."""
_LINE = 16
"""Numbers in a cache line; products are fastest in whole lines."""
_TIE = 2e-6
"""Single-precision scores this close to each other are equal."""
_NEGLIGIBLE = 1e-30
"""Smaller scaled masses are denormal: slow and without effect."""
_ADDED = 2.0
"""Findings of each kind that the bands of rates take every word to have besides."""
_NOISE = 23
"""Tells its random numbers from all others of a seed."""
_LEAST_SPREAD = 1e-6
"""Rates that differ less than this differ by rounding."""
_COUNTED = 10
"""A p-value is counted where so many luck draws are as high as what was observed, and fitted where fewer are."""
_FITTED = 100
"""Fewer luck draws than this tell too little of their distribution's tail."""
_LEAST_SKEWNESS = 0.002
"""Sums of absolute values lean to the right, if by little; with less than this a curve is as good as normal."""
FEWEST_HEDGES = 60
"""From so many hedged findings on, the interval of the word error keeps what it promises."""
_WATCH = 0.1
"""Seconds between two looks at whether somebody wants to stop."""


_OF_LUCK: Mapping[str, tuple[str, str, str]] = {
    "ece": ("luck_mean", "luck_p95", "p_value"),
    "ece_star": ("luck_star_mean", "luck_star_p95", "p_value_star"),
    "word_error": ("luck_word_mean", "luck_word_p95", "p_value_word"),
}
"""What luck makes of a score, by the names of Reliability's fields."""
_SCORES = (*_OF_LUCK, "brier", "accuracy")


@dataclass(frozen=True, eq=False)
class Bands:
    """Bands (2, Q, M) of the curves of Q groups and of luck, and by the names of Reliability's fields the ends of the
    scores' intervals and what luck makes of them, (Q,) each; NaN where undefined.
    """

    rate: Array
    luck_rate: Array
    scores: dict[str, Array]


@dataclass(frozen=True, eq=False)
class Observed:
    """Q groups as observed.

    counts: (Q, K, L), t[q, k, l]; no group may be empty;  positive: (L,), p_l
    reference: (Q,), which of ``references`` is each group's
    scores: (Q,) by name: ece, ece_star, word_error and the widths ece_width, ece_star_width
    effects: (2, Q, K), design effects of rates and of luck
    """

    counts: Array
    positive: Array
    references: Sequence[Reference]
    reference: NDArray[np.intp]
    scores: Mapping[str, Array]
    effects: Array


def available_cores() -> int:
    """The cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compute_bands(
    observed: Observed,
    bins: PhraseBins,
    *,
    draws: int,
    confidence: float,
    seed: int,
    threads: int,
    progress: Progress,
) -> Bands:
    """Bootstrap intervals and luck bands of Q groups, independent of the number of threads.

    Args:
        observed: the groups.
        bins: the K phrases.
        draws: B >= 1, for the bootstrap and for the luck band.
        confidence: coverage of the intervals and of the bands.
        seed: any whole number.
        threads: at least 1.
        progress: advances by groups, and is asked several times a second whether to stop.
    """
    Q, K, _ = observed.counts.shape
    ends = [f"{name}_{end}" for name in _SCORES for end in ("low", "high")]
    names = [*ends, *chain.from_iterable(_OF_LUCK.values())]
    curves = np.full((2, 2, Q, bins.weight.shape[1]), np.nan)
    bands = Bands(curves[0], curves[1], {name: np.full(Q, np.nan) for name in names})
    said = observed.counts.sum(axis=2)
    stop = Event()

    def going() -> None:
        if stop.is_set():
            raise Cancelled

    # All groups of a span share their luck draws.
    span = max(1, _LUCK_SIZE // (draws * K))
    batch = min(_BATCH, max(1, _RESAMPLED_SIZE // (2 * draws * K)))
    totals = np.rint(said.sum(axis=1))
    bootstrap = Bootstrap(seed, draws, totals, np.count_nonzero(observed.counts, axis=(1, 2)), going)
    noise = np.random.default_rng((seed, _NOISE)).standard_normal((K, draws), np.float32)
    order = np.argsort(totals, kind="stable")  # groups of one total are redrawn together
    for start in range(0, Q, span):
        groups = order[start : start + span]
        whole = np.rint(said[groups]).astype(np.int64)
        luck = _Luck(seed, whole, observed.references, observed.reference[groups], bins.mean, draws, going)
        work = _Work(observed, bins, bootstrap, luck, draws, confidence, bands, going, noise)
        parts = [slice(a, a + batch) for a in range(0, len(groups), batch)]
        with ThreadPoolExecutor(threads) as pool:
            running = [pool.submit(work.run, groups[part], luck.place[part]) for part in parts]
            try:
                for future, part in zip(running, parts, strict=True):
                    while not wait([future], _WATCH).done:
                        progress.raise_if_cancelled()
                    future.result()
                    progress.advance(len(groups[part]))
                    progress.raise_if_cancelled()
            except BaseException:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return bands


class _Luck:
    """One row of draws for each distinct (reference, phrase, count), drawn on first use.

    Threads need not wait for each other: they draw the same numbers for the same row.

    place: (Q, K), the row of each group's phrases;  centre: (rows, 1), the mean of each row's distribution, once drawn
    """

    def __init__(
        self,
        seed: int,
        said: NDArray[np.int64],
        references: Sequence[Reference],
        reference: NDArray[np.intp],
        mean: Array,
        draws: int,
        going: Callable[[], None],
    ) -> None:
        K = said.shape[1]
        key = (said * len(references) + reference[:, None]) * K + np.arange(K)
        self._keys, place = np.unique(key, return_inverse=True)
        self.place: NDArray[np.intp] = place.reshape(said.shape)
        self._rows = np.empty((len(self._keys), draws), dtype=np.float32)
        self._drawn = np.zeros(len(self._keys), dtype=bool)
        self._seed, self._references, self._mean, self._going = seed, references, mean, going
        self.centre = np.zeros((len(self._keys), 1), dtype=np.float32)

    def draw(self, place: NDArray[np.intp]) -> None:
        """Draw these rows."""
        wanted = np.unique(place[~self._drawn[place]])
        # In random order, because the first batches want the same rows at the same time.
        for i in np.random.default_rng().permutation(wanted).tolist():
            if not self._drawn[i]:
                self._going()
                self._rows[i], self.centre[i] = self._draw(int(self._keys[i]))
                self._drawn[i] = True

    def _draw(self, key: int) -> tuple[Single, Single]:
        rest, k = divmod(key, len(self._mean))
        n, r = divmod(rest, len(self._references))
        reference = self._references[r]
        outcomes, chances = reduced(reference.outcomes, reference.chances(float(self._mean[k])))
        drawn = luck_draws(self._seed, k, n, outcomes, chances, self._rows.shape[1])
        centre = np.array([n * chances @ outcomes], dtype=np.float32)
        return reference.corrected(drawn, np.full_like(drawn, n)), reference.corrected(centre, np.full_like(centre, n))

    def of(self, place: NDArray[np.intp]) -> Single:
        """(..., B) of the drawn rows."""
        return self._rows[place]


def _product(a: Single, b: Single, out: Single) -> None:
    """out = a @ b, (g, M, B) = (g, M, K) @ (g, K, B), in column blocks small enough for one core."""
    M, K = a.shape[-2:]
    B = b.shape[-1]
    width = min(max(4, _PRODUCT_SIZE // (M * K * _LINE)) * _LINE, B)
    end = B // width * width

    def pieces(x: Single) -> Single:
        return x[..., :end].reshape(*x.shape[:-1], -1, width).swapaxes(-3, -2)

    np.matmul(a[:, None], pieces(b), out=pieces(out))
    if end < B:
        np.matmul(a, b[..., end:], out=out[..., end:])


def _around(rates: Single, centre: Single, confidence: float, buffer: Single) -> Array:
    """(h, M): half widths of the band around centre (h, M, 1) that holds whole curves of rates (h, M, B).

    A redraw says nothing of bins that it leaves empty (NaN).  Overwrites the rates and the buffer (h, M, B).
    """
    rates -= centre
    mean_square = np.multiply(rates, rates, out=buffer).mean(axis=2)
    if np.isnan(mean_square).any():
        valid = np.maximum((~np.isnan(rates)).sum(axis=2), 1)
        np.nan_to_num(rates, copy=False)
        mean_square = np.multiply(rates, rates, out=buffer).sum(axis=2) / valid
    spread = np.maximum(np.sqrt(mean_square), _LEAST_SPREAD).astype(np.float32)
    rates /= spread[:, :, None]
    np.abs(rates, out=rates)
    furthest = np.sort(rates.max(axis=1), axis=1)
    # Of B + 1 curves, the observed one among them, so many are to lie inside.
    B = furthest.shape[1]
    reach: Array = sorted_quantiles(furthest, (min(confidence * (B + 1) / B, 1.0),))[0]
    half: Array = reach[:, None] * spread
    return half


class _Scan:
    """The bins of all resamples of g groups; only bands and gaps are stored.

    gaps: (2, g, 2, B), N ECE and N ECE* of the bootstrap and of luck
    centre, half: (2, g, M), the bands of the bootstrap and of luck
    """

    def __init__(self, g: int, M: int, B: int, size: int, confidence: float) -> None:
        self.centre, self.half = np.empty((2, g, M)), np.empty((2, g, M))
        self.gaps = np.empty((2, g, 2, B), dtype=np.float32)
        self._buffer = np.empty((3, size, M, B), dtype=np.float32)
        self._confidence = confidence

    def bootstrap(
        self,
        i: slice,
        y: Single,
        n: Single,
        varied: Single,
        by_mass: Single,
        by_moment: Single,
        weights: Single,
        rates: Single,
    ) -> None:
        """Groups i, from their redraws (h, K, B), those of the band, bins (h, M, K), weights of the gaps (h, 2, M) and
        the r_m of the band (h, M).
        """
        rate, mass, gap = self._buffer[:, : len(y)]
        _product(by_mass, y, rate)
        _product(by_moment, n, gap)
        np.subtract(gap, rate, out=gap)
        np.abs(gap, out=gap)
        _product(weights, gap, self.gaps[0, i])
        _product(by_mass, varied, rate)
        _product(by_mass, n, mass)
        np.divide(rate, mass, out=rate)
        self.centre[0, i] = rates
        self.half[0, i] = _around(rate, rates[:, :, None], self._confidence, gap)

    def luck(self, i: slice, y: Single, by_mass: Single, stated: Single, weights: Single) -> None:
        """Groups i, with fixed numbers of statements: bins over their mass, and g_m (h, M, 1)."""
        rate, gap, _ = self._buffer[:, : len(y)]
        _product(by_mass, y, rate)
        np.subtract(rate, stated, out=gap)
        np.abs(gap, out=gap)
        _product(weights, gap, self.gaps[1, i])
        centre = rate.mean(axis=2, keepdims=True)
        self.centre[1, i] = centre[:, :, 0]
        self.half[1, i] = _around(rate, centre, self._confidence, gap)

    def bands(self) -> Array:
        """(2, 2, g, M): low and high of the bootstrap's band and of luck's."""
        return np.clip(np.stack([self.centre - self.half, self.centre + self.half], axis=1), 0, 1)


@dataclass(frozen=True, eq=False)
class _Work:
    """The shared state of all batches of groups; noise: (K, B), normal."""

    observed: Observed
    bins: PhraseBins
    bootstrap: Bootstrap
    luck: _Luck
    draws: int
    confidence: float
    bands: Bands
    going: Callable[[], None]
    noise: Single

    def run(self, groups: NDArray[np.intp], luck: NDArray[np.intp]) -> None:
        """Fill in the bands of these groups (g,), whose rows of luck are (g, K)."""
        bands, observed = self.bands, self.observed
        self.going()
        counts = observed.counts[groups]
        used = np.flatnonzero(counts.any(axis=(0, 2)))
        counts = counts[:, used]
        said = counts.sum(axis=2)
        references = [observed.references[r] for r in observed.reference[groups]]
        W, G = self.bins.weight[used], self.bins.moment[used]
        g, K = said.shape
        own = said > 0
        scale = np.stack([W[row].max(axis=0) for row in own])
        mass = said @ W
        empty = mass == 0
        scale_or_1, mass_or_1 = np.where(empty, 1.0, scale)[:, None], np.where(empty, 1.0, mass)[:, None]
        by_mass, by_moment = _per_bin(W, scale_or_1, own), _per_bin(G, scale_or_1, own)
        by_luck = _per_bin(W, mass_or_1, own)
        weights, luck_weights = _ece_weights(scale), _ece_weights(mass)
        stated = ((said @ G)[:, :, None] / mass_or_1.swapaxes(1, 2)).astype(np.float32)

        lucky = luck[:, used]
        self.luck.draw(lucky)
        resampled = self._resample(counts)
        confirmed, effects = counts @ observed.positive, observed.effects[:, groups][:, :, used]
        for q, reference in enumerate(references):
            if not reference.is_right:
                confirmed[q] = reference.corrected(confirmed[q], said[q])
                resampled[q, :K] = reference.corrected(resampled[q, :K], resampled[q, K:])
        shift, wider = (x.astype(np.float32)[:, :, None] for x in more_varied(confirmed, said, effects[0]))
        rates = np.where(empty, np.nan, ((confirmed + said * shift[:, :, 0]) @ W) / mass_or_1[:, 0]).astype(np.float32)
        totals = self._totals(used)
        sums = np.empty((g, len(totals), self.draws), dtype=np.float32)
        _product(np.broadcast_to(totals, (g, *totals.shape)), resampled, sums)
        words = np.empty((2, g, self.draws), dtype=np.float32)
        hedged = ((self.bins.mean[used] > 0) & (self.bins.mean[used] < 1)).astype(np.float32)
        mean = self.bins.mean[used].astype(np.float32)[:, None]
        wide = np.sqrt(effects)[..., None].astype(np.float32)
        repeated, rate = bool((wide > 1).any()), (confirmed / np.maximum(said, 1))[:, :, None].astype(np.float32)
        size = min(g, max(1, _SCAN_SIZE // (W.shape[1] * self.draws)))
        scan = _Scan(g, W.shape[1], self.draws, size, self.confidence)
        with np.errstate(invalid="ignore", divide="ignore"):
            for a in range(0, g, size):
                self.going()
                i = slice(a, min(a + size, g))
                y, n = resampled[i, :K], resampled[i, K:]
                lucky_y, own_n = self.luck.of(lucky[i]), said[i, :, None].astype(np.float32)
                spread, lucky_spread = y, lucky_y
                if repeated:
                    spread = widened(y, n * rate[i], wide[0, i])
                    lucky_spread = widened(lucky_y, self.luck.centre[lucky[i]], wide[1, i])
                    lucky_y = np.clip(lucky_spread, 0, own_n)
                varied = y + n * (shift[i] + wider[i] * self.noise[used])
                scan.bootstrap(i, y, n, varied, by_mass[i], by_moment[i], weights[i], rates[i])
                scan.luck(i, lucky_y, by_luck[i], stated[i], luck_weights[i])
                words[0, i] = hedged @ np.abs(spread - n * mean)
                words[1, i] = hedged @ np.abs(lucky_spread - own_n * mean)
        (curve, luck_curve), gaps = scan.bands(), scan.gaps
        luck_curve[:, empty] = np.nan
        bands.rate[:, groups], bands.luck_rate[:, groups] = curve, luck_curve

        n = said.sum(axis=1)
        star, hedges = mass[:, 1:-1].sum(axis=1), said @ hedged
        below = tails(self.confidence)
        interval = {
            name: sorted_quantiles(np.sort(sums[:, row] / n[:, None].astype(np.float32), axis=1), below)
            for row, name in enumerate(("brier", "accuracy"))
        }
        few = small_sample(n, own.sum(axis=1))
        few_hedges = small_sample(hedges, (own * hedged).sum(axis=1))
        score = {name: values[groups] for name, values in observed.scores.items()}
        with np.errstate(invalid="ignore", divide="ignore"):
            redrawn = gaps[0, :, 0] / sums[:, 3], gaps[0, :, 1] / sums[:, 2], words[0] / sums[:, 4]
            luck_scores = [
                (values / np.where(total > 0, total, np.nan)[:, None]).astype(np.float32)
                for values, total in ((gaps[1, :, 0], n), (gaps[1, :, 1], star), (words[1], hedges))
            ]
        word, of_words = word_interval(redrawn[2], luck_scores[2], score["word_error"], few_hedges, self.confidence)
        interval["word_error"] = np.where(hedges >= FEWEST_HEDGES, word, np.nan)
        judged = {"word_error": of_words}
        for which, name in enumerate(("ece", "ece_star")):
            width = score[f"{name}_width"]
            judged[name] = _judge(luck_scores[which], score[name])
            interval[name] = ece_interval(redrawn[which], score[name], width, judged[name].mean, few, self.confidence)
        for name, (low, high) in interval.items():
            bands.scores[f"{name}_low"][groups], bands.scores[f"{name}_high"][groups] = low, high
        for name, of_luck in judged.items():
            for field, values in zip(_OF_LUCK[name], of_luck, strict=True):
                bands.scores[field][groups] = values

    def _resample(self, counts: Array) -> Single:
        """(g, 2K, B): y above n, of B multinomial redraws of each group's cells (g, K, L)."""
        from scipy.sparse import csr_array

        g, K, L = counts.shape
        cells = counts.reshape(g, K * L)
        # The used cells of each group in order, padded with unused ones to the number of the fullest group.
        used = np.argsort(cells == 0, axis=1, kind="stable")[:, : np.count_nonzero(cells, axis=1).max()]
        J = used.shape[1]
        resampled = np.empty((g, 2 * K, self.draws), dtype=np.float32)
        size = max(1, _REDRAW_SIZE // (J * self.draws))
        for a in range(0, g, size):
            self.going()
            i = slice(a, min(a + size, g))
            redrawn = self.bootstrap.redraw(np.take_along_axis(cells[i], used[i], axis=1))
            for j, drawn in enumerate(redrawn, start=a):
                phrase, column = used[j] // L, np.arange(J)
                to_sums = csr_array(
                    (
                        np.concatenate([self.observed.positive[used[j] % L], np.ones(J)]).astype(np.float32),
                        (np.concatenate([phrase, K + phrase]), np.concatenate([column, column])),
                    ),
                    shape=(2 * K, J),
                )
                resampled[j] = to_sums @ drawn
        return resampled

    def _totals(self, used: NDArray[np.intp]) -> Single:
        """(5, 2K): coefficients of y and n in N times Brier, N times accuracy, the inner bins' mass, N, hedged N."""
        b = self.bins
        nothing, hedged = np.zeros(len(used)), (b.mean[used] > 0) & (b.mean[used] < 1)
        of_y = [1 - 2 * b.mean[used], 2 * b.above_half[used] - 1, nothing, nothing, nothing]
        inner = b.weight[used, 1:-1].sum(axis=1)
        of_n = [b.second[used], 1 - b.above_half[used], inner, nothing + 1, hedged]
        return np.concatenate([np.stack(of_y), np.stack(of_n)], axis=1).astype(np.float32)


def widened(y: NDArray[Any], centre: NDArray[Any], wide: NDArray[Any]) -> NDArray[Any]:
    """Counts ``wide`` times as far from their centre; arrays (...) of one kind."""
    further: NDArray[Any] = centre + (y - centre) * wide
    return further


def more_varied(y: Array, n: Array, effects: Array) -> tuple[Array, Array]:
    """What the bands of rates add to redraws of rates y / n: on average p' - p, and the factor of a normal number."""
    said = np.maximum(n, 1)
    rate, added = y / said, (y + _ADDED) / (n + 2 * _ADDED)
    wider = effects * added * (1 - added) / (n + 2 * _ADDED) - rate * (1 - rate) / said
    return added - rate, np.sqrt(np.maximum(wider, 0))


def small_sample(n: Array, words: Array) -> Array:
    """(g,) sqrt(n / (n - K)): by how much redraws of n findings with K words understate the spread of a score."""
    factor: Array = np.sqrt(n / np.maximum(n - words, 1))
    return factor


def _spread_of(redrawn: NDArray[Any]) -> tuple[Array, Array]:
    """Mean and standard deviation of (g, B) redraws, each (g,); NaN only where all are."""
    valid = ~np.isnan(redrawn)
    n = np.where(valid.any(axis=1), valid.sum(axis=1), np.nan)
    values = np.where(valid, redrawn, 0).astype(np.float64)
    mean = values.sum(axis=1) / n
    return mean, np.sqrt(np.where(valid, (values - mean[:, None]) ** 2, 0).sum(axis=1) / n)


def ece_interval(redrawn: NDArray[Any], ece: Array, width: Array, luck: Array, few: Array, confidence: float) -> Array:
    """(2, g): the interval of the ECE that infinitely many findings with the author's rates and words would have.

    ECE adds absolute values up and is biased upwards: by b, the mean of its redraws minus itself, or, where the author
    is calibrated, by b0, its mean under luck minus the width.  With x = ECE - width and
    b' = b + (b0 - b) min(1, b0 / |x|) the interval is [ECE - max(b, b') - z s, ECE - min(b, b') + z s], s the standard
    deviation of the redraws.

    Args:
        redrawn: (g, B), of a bootstrap.
        ece, width, luck: (g,), observed, at rates that are what the words mean, and mean under luck.
        few: (g,), factor of s.
        confidence: coverage, of which z is the normal quantile.
    """
    mean, spread = _spread_of(redrawn)
    bias, lucky = mean - ece, luck - width
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.minimum(1, np.where(lucky > 0, lucky / np.abs(ece - width), 0))
    other = bias + (lucky - bias) * share
    low, high = ece - np.maximum(bias, other), ece - np.minimum(bias, other)
    half = normal_quantile(confidence) * few * spread
    return np.clip(np.stack([low - half, high + half]), 0, 1)


def word_interval(
    redrawn: NDArray[Any], luck: NDArray[Any], error: Array, few: Array, confidence: float
) -> tuple[Array, Luck]:
    """(2, g), the interval of the word error at the author's true rates, and what luck gives.

    Where p < 1 - confidence the words were shown to differ, and the interval is
    [e - min(E0[e] + z s, Q0[e]), e - b / 2 + z s] with E0[e] and Q0[e] its mean and upper quantile under luck, and b
    and s the bias and the standard deviation of the redraws; else it starts at 0.  Percentiles would never hold the 0
    of a calibrated author, and less of b covers too little.  By the triangle inequality an error is above the true one
    by no more than what luck makes of it.

    Args:
        redrawn, luck: (g, B) and (g, B'), word errors of a bootstrap and of calibrated authors.
        error: (g,), as observed.
        few: (g,), factor of s.
        confidence: coverage, of which z is the normal quantile.
    """
    by_luck = _judge(luck, error)
    (most,) = sorted_quantiles(np.sort(luck, axis=1), tails(confidence)[1:])
    mean, spread = _spread_of(redrawn)
    half = normal_quantile(confidence) * few * spread
    chance = np.minimum(by_luck.mean + half, most)
    low = np.where(by_luck.p_value < 1 - confidence, error - chance, np.where(np.isnan(mean), np.nan, 0))
    interval: Array = np.clip(np.stack([low, error - (mean - error) / 2 + half]), 0, 1)
    return interval, by_luck


def _per_bin(values: Array, divisor: Array, own: NDArray[np.bool_]) -> Single:
    """(g, M, K): values (K, M) over divisor (g, 1, M), 0 for phrases that the group did not use (own, (g, K)).

    These may have any mass in bins that the group's own phrases hardly reach, where the ratio would overflow.
    """
    scaled = np.zeros((*own.shape, values.shape[1]))
    np.divide(values, divisor, out=scaled, where=own[:, :, None])
    scaled = scaled.swapaxes(1, 2)
    scaled[scaled < _NEGLIGIBLE] = 0
    return scaled.astype(np.float32)


def _ece_weights(mass: Array) -> Single:
    """(g, 2, M): weights of the bins' gaps in ECE and in ECE*, which omits the first and last bin."""
    weights: NDArray[Any] = np.repeat(mass[:, None], 2, axis=1).astype(np.float32)
    weights[:, 1, [0, -1]] = 0
    return weights


class Luck(NamedTuple):
    """Mean and 95th percentile of a score under luck, and the one-sided p-value of what was observed; (g,) each."""

    mean: Array
    p95: Array
    p_value: Array


def _judge(luck: NDArray[Any], observed: Array) -> Luck:
    """What (g, B) luck draws say of the observed scores.

    p = (1 + draws above + half the ties) / (B + 1) up to the tenth highest draw.  Few statements have few possible
    scores, so draws tie with the observed one; counting half of the ties (mid-p) keeps p uniform on average for
    calibrated authors.  Above that draw too few are left to count: p there falls on as a Pearson III curve does that
    has the mean, variance and skewness of all draws.  From 1,000 draws it gives 1.3 times the p-value that 100,000 give
    where that is 0.001 (90 % between 0.6 and 2.7), and 1.8 times where it is 0.0001 (0.4 to 5); a generalised Pareto
    tail often ends before the observed score.  Fewer than 100 draws, or draws of one score, show no tail and are all
    counted.

    Source: Lancaster, J. Am. Statist. Assoc. 1961;56:223-234; Phipson and Smyth, Stat. Appl. Genet. Mol. Biol.
    2010;9:39; Knijnenburg et al., Bioinformatics 2009;25:i161-i168 for fitted tails.
    """
    ordered = np.sort(luck, axis=1)
    turn = ordered[:, -min(_COUNTED, luck.shape[1])].astype(np.float64)
    mean = luck.mean(axis=1, dtype=np.float64)
    off = luck - mean.astype(np.float32)[:, None]
    squared = off * off
    spread = np.sqrt(squared.mean(axis=1, dtype=np.float64))
    varied = (spread > _LEAST_SPREAD) & (luck.shape[1] >= _FITTED)
    divisor = np.where(varied, spread, 1)
    skewness = np.multiply(squared, off, out=off).mean(axis=1, dtype=np.float64) / divisor**3
    counted = np.where(varied, np.minimum(observed, turn), observed)[:, None]
    above = (luck > counted + _TIE).sum(axis=1)
    tied = (np.abs(luck - counted) <= _TIE).sum(axis=1)
    beyond, there = (_pearson_above((score - mean) / divisor, skewness) for score in (np.maximum(observed, turn), turn))
    fall = np.where(varied, beyond / np.where(there > 0, there, 1), 1)
    p_value = np.where(np.isnan(mean), np.nan, (1 + above + tied / 2) / (luck.shape[1] + 1) * fall)
    return Luck(mean, sorted_quantiles(ordered, (0.95,))[0], p_value)


def _pearson_above(z: Array, skewness: Array) -> Array:
    """P(Z > z) of the Pearson III distribution with mean 0, variance 1 and this skewness, at least _LEAST_SKEWNESS.

    With skewness s, Z = (G - 4 / s^2) s / 2 of a gamma variable G of shape 4 / s^2.
    """
    from scipy.special import gammaincc

    half = np.maximum(skewness, _LEAST_SKEWNESS) / 2
    chance: Array = gammaincc(1 / half**2, np.maximum(z / half + 1 / half**2, 0))
    return chance
