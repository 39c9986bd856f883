"""Bootstrap intervals and luck bands of all groups, on all cores.

For resampled counts n, y of one group, the bins of all B resamples are matrix products with B columns,

    y W, n W, n G: (M, K) @ (K, B),      r = y W / n W,      ECE = sum_m |y W - n G|_m / N,

and the interval of each bin is read from its sorted row.  Bins are scaled by the largest mass of any phrase of the
group in them, which cancels in r, so that single precision reaches into the far tails.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibrate.resample import Bootstrap, luck_draws
from radcal.intervals import sorted_quantiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.progress import Progress
    from radcal.records import PhraseBins

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
"""OpenBLAS spreads larger matrix products over all cores, which are already busy with other groups."""
_LINE = 16
"""Numbers in a cache line; products are fastest in whole lines."""
_TIE = 2e-6
"""Single-precision scores this close to each other are equal."""
_NEGLIGIBLE = 1e-30
"""Smaller scaled masses are denormal: slow and without effect."""


@dataclass(frozen=True, eq=False)
class Bands:
    """Percentile intervals (2, Q) or (2, Q, M) and luck bands (Q,) of Q groups; NaN where undefined."""

    rate: Array
    ece: Array
    ece_star: Array
    brier: Array
    accuracy: Array
    luck_rate: Array
    luck_mean: Array
    luck_p95: Array
    p_value: Array
    luck_star_mean: Array
    luck_star_p95: Array
    p_value_star: Array


def available_cores() -> int:
    """The cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compute_bands(
    counts: Array,
    positive: Array,
    bins: PhraseBins,
    observed: tuple[Array, Array],
    *,
    draws: int,
    confidence: float,
    seed: int,
    threads: int,
    progress: Progress,
) -> Bands:
    """Bootstrap intervals and luck bands of Q groups, independent of the number of threads.

    Args:
        counts: (Q, K, L), t[q, k, l]; no group may be empty.
        positive: (L,), p_l.
        bins: the K phrases.
        observed: ECE and ECE* of the groups, each (Q,), to be compared with luck.
        draws: B >= 1, for the bootstrap and for the luck band.
        confidence: coverage of the intervals and of the luck band of each bin.
        seed: any whole number.
        threads: at least 1.
        progress: advances by groups.

    Raises:
        Cancelled: by ``progress``.
    """
    Q, K, _ = counts.shape
    bands = Bands(**{f.name: _empty(f.name, Q, bins.weight.shape[1]) for f in fields(Bands)})
    said = counts.sum(axis=2)
    # All groups of a span share their luck draws.
    span = max(1, _LUCK_SIZE // (draws * K))
    batch = min(_BATCH, max(1, _RESAMPLED_SIZE // (2 * draws * K)))
    totals = np.rint(said.sum(axis=1))
    bootstrap = Bootstrap(seed, draws, totals)
    order = np.argsort(totals, kind="stable")  # groups of one total are redrawn together
    for start in range(0, Q, span):
        groups = order[start : start + span]
        luck = _Luck(seed, np.rint(said[groups]).astype(np.int64), bins.mean, draws)
        work = _Work(counts, positive, bins, observed, bootstrap, luck, draws, confidence, bands)
        parts = [slice(a, a + batch) for a in range(0, len(groups), batch)]
        with ThreadPoolExecutor(threads) as pool:
            running = [pool.submit(work.run, groups[part], luck.place[part]) for part in parts]
            try:
                for future, part in zip(running, parts, strict=True):
                    future.result()
                    progress.advance(len(groups[part]))
                    progress.raise_if_cancelled()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return bands


def _empty(name: str, Q: int, M: int) -> Array:
    shape: tuple[int, ...] = (Q,) if name.startswith(("luck_", "p_")) else (2, Q)
    if name in ("rate", "luck_rate"):
        shape = (2, Q, M)
    return np.full(shape, np.nan)


class _Luck:
    """One row of draws for each distinct (phrase, count), drawn on first use.

    Threads need not wait for each other: they draw the same numbers for the same row.

    place: (Q, K), the row of each group's phrases
    """

    def __init__(self, seed: int, said: NDArray[np.int64], mean: Array, draws: int) -> None:
        K = said.shape[1]
        self._pairs, place = np.unique(said * K + np.arange(K), return_inverse=True)
        self.place: NDArray[np.intp] = place.reshape(said.shape)
        self._rows = np.empty((len(self._pairs), draws), dtype=np.float32)
        self._drawn = np.zeros(len(self._pairs), dtype=bool)
        self._seed, self._mean = seed, mean

    def draw(self, place: NDArray[np.intp]) -> None:
        """Draw these rows."""
        wanted = np.unique(place[~self._drawn[place]])
        # In random order, because the first batches want the same rows at the same time.
        for i in np.random.default_rng().permutation(wanted).tolist():
            if not self._drawn[i]:
                n, k = divmod(int(self._pairs[i]), len(self._mean))
                self._rows[i] = luck_draws(self._seed, k, n, float(self._mean[k]), self._rows.shape[1])
                self._drawn[i] = True

    def of(self, place: NDArray[np.intp]) -> Single:
        """(..., B) of the drawn rows."""
        return self._rows[place]


def _product(a: Single, b: Single, out: Single) -> None:
    """out = a @ b, (g, M, B) = (g, M, K) @ (g, K, B), in column blocks small enough for one core."""
    M, K = a.shape[-2:]
    B = b.shape[-1]
    width = max(1, _PRODUCT_SIZE // (M * K))
    if width > _LINE:
        width -= width % _LINE
    width = min(width, B)
    end = B // width * width

    def pieces(x: Single) -> Single:
        return x[..., :end].reshape(*x.shape[:-1], -1, width).swapaxes(-3, -2)

    np.matmul(a[:, None], pieces(b), out=pieces(out))
    if end < B:
        np.matmul(a, b[..., end:], out=out[..., end:])


class _RowQuantiles:
    """Quantiles of the sorted rows of g arrays (M, B), which come in slices and are not stored."""

    def __init__(self, g: int, M: int, B: int, probabilities: tuple[float, ...]) -> None:
        self._probabilities = probabilities
        position = np.array(probabilities) * (B - 1)
        below = position.astype(np.intp)
        self._share = (position - below)[:, None, None]
        self._columns = np.concatenate([below, np.minimum(below + 1, B - 1), [B - 1]])
        self._edges = np.empty((g, M, len(self._columns)), dtype=np.float32)
        self._partial: list[tuple[slice, Array]] = []

    def keep(self, i: slice, ordered: Single) -> None:
        np.take(ordered, self._columns, axis=-1, out=self._edges[i], mode="clip")
        if np.isnan(self._edges[i, :, -1]).any():
            self._partial.append((i, sorted_quantiles(ordered, self._probabilities)))

    def values(self) -> Array:
        """(P, g, M)."""
        P = len(self._probabilities)
        edges = np.moveaxis(self._edges, -1, 0).astype(np.float64)
        values: Array = edges[:P] + self._share * (edges[P : 2 * P] - edges[:P])
        for i, partial in self._partial:
            values[:, i] = partial
        return values


class _Scan:
    """The bins of all resamples of g groups; only quantiles and gaps are stored.

    gaps: (2, g, 2, B), N ECE and N ECE* of the bootstrap and of luck
    rates, lucky_rates: r_m of the bootstrap and of luck
    """

    def __init__(self, g: int, M: int, B: int, size: int, tails: tuple[float, float]) -> None:
        self.rates, self.lucky_rates = _RowQuantiles(g, M, B, tails), _RowQuantiles(g, M, B, tails)
        self.gaps = np.empty((2, g, 2, B), dtype=np.float32)
        self._buffer = np.empty((3, size, M, B), dtype=np.float32)

    def bootstrap(self, i: slice, y: Single, n: Single, by_mass: Single, by_moment: Single, weights: Single) -> None:
        """Groups i, from their redraws (h, K, B), bins (h, M, K) and weights of the gaps (h, 2, M)."""
        rate, mass, gap = self._buffer[:, : len(y)]
        _product(by_mass, y, rate)
        _product(by_moment, n, gap)
        np.subtract(gap, rate, out=gap)
        np.abs(gap, out=gap)
        _product(weights, gap, self.gaps[0, i])
        _product(by_mass, n, mass)
        np.divide(rate, mass, out=rate)
        rate.sort(axis=-1)
        self.rates.keep(i, rate)

    def luck(self, i: slice, y: Single, by_mass: Single, stated: Single, weights: Single) -> None:
        """Groups i, with fixed numbers of statements: bins over their mass, and g_m (h, M, 1)."""
        rate, gap, _ = self._buffer[:, : len(y)]
        _product(by_mass, y, rate)
        np.subtract(rate, stated, out=gap)
        np.abs(gap, out=gap)
        _product(weights, gap, self.gaps[1, i])
        rate.sort(axis=-1)
        self.lucky_rates.keep(i, rate)


@dataclass(frozen=True, eq=False)
class _Work:
    """The shared state of all batches of groups."""

    counts: Array
    positive: Array
    bins: PhraseBins
    observed: tuple[Array, Array]
    bootstrap: Bootstrap
    luck: _Luck
    draws: int
    confidence: float
    bands: Bands

    def run(self, groups: NDArray[np.intp], luck: NDArray[np.intp]) -> None:
        """Fill in the bands of these groups (g,), whose rows of luck are (g, K)."""
        bands = self.bands
        counts = self.counts[groups]
        said = counts.sum(axis=2)
        used = np.flatnonzero(said.any(axis=0))
        said = said[:, used]
        W, G = self.bins.weight[used], self.bins.moment[used]
        g, K = said.shape
        tails = ((1 - self.confidence) / 2, (1 + self.confidence) / 2)
        own = said > 0
        scale = (W * own[:, :, None]).max(axis=1)
        mass = said @ W
        empty = mass == 0
        scale_or_1, mass_or_1 = np.where(empty, 1.0, scale)[:, None], np.where(empty, 1.0, mass)[:, None]
        by_mass, by_moment = _per_bin(W, scale_or_1, own), _per_bin(G, scale_or_1, own)
        by_luck = _per_bin(W, mass_or_1, own)
        weights, luck_weights = _ece_weights(scale), _ece_weights(mass)
        stated = ((said @ G)[:, :, None] / mass_or_1.swapaxes(1, 2)).astype(np.float32)

        lucky = luck[:, used]
        self.luck.draw(lucky)
        resampled = self._resample(counts[:, used])
        totals = self._totals(used)
        sums = np.empty((g, len(totals), self.draws), dtype=np.float32)
        _product(np.broadcast_to(totals, (g, *totals.shape)), resampled, sums)
        size = min(g, max(1, _SCAN_SIZE // (W.shape[1] * self.draws)))
        scan = _Scan(g, W.shape[1], self.draws, size, tails)
        with np.errstate(invalid="ignore", divide="ignore"):
            for a in range(0, g, size):
                i = slice(a, min(a + size, g))
                scan.bootstrap(i, resampled[i, :K], resampled[i, K:], by_mass[i], by_moment[i], weights[i])
                scan.luck(i, self.luck.of(lucky[i]), by_luck[i], stated[i], luck_weights[i])
            rate, luck_rate, gaps = scan.rates.values(), scan.lucky_rates.values(), scan.gaps
        luck_rate[:, empty] = np.nan
        bands.rate[:, groups], bands.luck_rate[:, groups] = rate, luck_rate

        n = said.sum(axis=1, keepdims=True).astype(np.float32)
        with np.errstate(invalid="ignore", divide="ignore"):
            boot = np.stack([gaps[0, :, 0] / n, gaps[0, :, 1] / sums[:, 2], sums[:, 0] / n, sums[:, 1] / n])
        boot.sort(axis=-1)
        for target, ordered in zip((bands.ece, bands.ece_star, bands.brier, bands.accuracy), boot, strict=True):
            target[:, groups] = sorted_quantiles(ordered, tails)
        for star, total, mean, p95, p_value in (
            (0, said.sum(axis=1), bands.luck_mean, bands.luck_p95, bands.p_value),
            (1, mass[:, 1:-1].sum(axis=1), bands.luck_star_mean, bands.luck_star_p95, bands.p_value_star),
        ):
            divisor = np.where(total > 0, total, np.nan).astype(np.float32)[:, None]
            mean[groups], p95[groups], p_value[groups] = _judge(gaps[1, :, star] / divisor, self.observed[star][groups])

    def _resample(self, counts: Array) -> Single:
        """(g, 2K, B): y above n, of B multinomial redraws of each group's cells (g, K, L)."""
        g, K, L = counts.shape
        cells = counts.reshape(g, K * L)
        # The used cells of each group in order, padded with unused ones to the number of the fullest group.
        used = np.argsort(cells == 0, axis=1, kind="stable")[:, : np.count_nonzero(cells, axis=1).max()]
        group, cell = np.arange(g)[:, None], np.arange(used.shape[1])
        to_sums = np.zeros((g, 2 * K, used.shape[1]), dtype=np.float32)
        to_sums[group, used // L, cell] = self.positive[used % L]
        to_sums[group, K + used // L, cell] = 1
        resampled = np.empty((g, 2 * K, self.draws), dtype=np.float32)
        size = max(1, _REDRAW_SIZE // (used.shape[1] * self.draws))
        for a in range(0, g, size):
            i = slice(a, a + size)
            _product(to_sums[i], self.bootstrap.redraw(np.take_along_axis(cells[i], used[i], axis=1)), resampled[i])
        return resampled

    def _totals(self, used: NDArray[np.intp]) -> Single:
        """(3, 2K): coefficients of y and n in N times Brier, N times accuracy, and the mass of the inner bins."""
        b = self.bins
        of_y = [1 - 2 * b.mean[used], 2 * b.above_half[used] - 1, np.zeros(len(used))]
        of_n = [b.second[used], 1 - b.above_half[used], b.weight[used, 1:-1].sum(axis=1)]
        return np.concatenate([np.stack(of_y), np.stack(of_n)], axis=1).astype(np.float32)


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


def _judge(ece: NDArray[Any], observed: Array) -> tuple[Array, Array, Array]:
    """Mean and 95th percentile of (g, B) luck draws, and the one-sided p-value of the observed score.

    p = (1 + draws above + half the ties) / (B + 1).  Few statements have few possible scores, so draws tie with the
    observed one; counting half of the ties (mid-p) keeps p uniform on average for calibrated authors, and the added one
    keeps it above 0.

    Source: Lancaster, J. Am. Statist. Assoc. 1961;56:223-234; Phipson and Smyth, Stat. Appl. Genet. Mol. Biol.
    2010;9:39.
    """
    above = (ece > observed[:, None] + _TIE).sum(axis=1)
    tied = (np.abs(ece - observed[:, None]) <= _TIE).sum(axis=1)
    undefined = np.isnan(ece[:, 0])
    p_value = np.where(undefined, np.nan, (1 + above + tied / 2) / (ece.shape[1] + 1))
    p95 = sorted_quantiles(np.sort(ece, axis=1), (0.95,))[0]
    return ece.mean(axis=1, dtype=np.float64), p95, p_value
