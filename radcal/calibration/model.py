"""One model of a department: the true rates of all its readers, pathologies and words, learned together.

For group g (a reader on a pathology) and word k with the meaning m_k = E[S|k], x_k = logit m_k:

    y_gk ~ Binomial(n_gk, expit(h_gk)), every finding with the weight c_gk of :class:`Evidence`
    h_gk = a_g + (1 + b_g) x_k + u_k + d_gk         hedged words
    h_gk = x_k + u_k + d_gk                         plain words, with PLAIN for their m_k = 0 and 1 - PLAIN for 1
    a_g ~ N(0, sa^2),  b_g ~ N(0, sb^2)             a part of each common to a reader, and to a pathology;
                                                    of the share ODD of groups, with deviations WIDE instead,
                                                    and with that of d_gk that RadCal ships with
    d_gk ~ (1 - w) N(0, s^2) + w N(0, f^2)          most words near their meaning, some private
    u_k ~ N(0, COMMON^2)                            what all readers of the department mean by the word

(sa, sb, s, f, w) and u are those of the highest marginal likelihood of all groups under weak log-normal priors, so that
a small department leans on what RadCal ships with; u stays 0 for words of few groups.  Which share of a and b is common
to a reader's pathologies, and to a pathology's readers, comes from the groups' estimates of a and b, taken for normal.
a and b are integrated over a grid of nodes, h over another one: the same figures every time.

Sources: Cox, Biometrika 1958;45:562 (shift and slope); Morris, JASA 1983;78:47-55 (empirical Bayes); Searle, Casella
and McCulloch, "Variance Components" (1992), 6 and 7 (crossed effects).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from radcal.calibration.evidence import Evidence
from radcal.calibration.records import Level, Spread
from radcal.system.intervals import tails
from radcal.system.progress import SILENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.system.progress import Progress

    Array = NDArray[np.float64]
    Single = NDArray[np.float32]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

PLAIN = 0.03
"""Plain statements are expected to be wrong this often."""
SHIPPED = Spread(shift=0.5, slope=0.3, near=0.3, plain=0.8, far=1.2, private=0.1)
"""What readers are expected to be like where nothing is known of their department."""
_CENTRES = {name: float(getattr(SHIPPED, name)) for name in ("shift", "slope", "near", "plain", "far", "private")}
_WEAK = np.array([1.0, 1.0, 0.3, 1.0, 1.0, 1.0])
"""Standard deviation, in logarithms, of the prior of each spread."""
_LEAST, _MOST = {"near": 0.1, "shift": 0.03, "slope": 0.03, "plain": 0.2, "far": 0.8, "private": 0.02}, {"private": 0.5}
COMMON = {False: 0.3, True: 1.0}
"""Prior standard deviation of u_k, of hedged and of plain words."""
FEWEST_GROUPS = 10
"""Groups that used a word, from which on u_k is learned."""
ODD = 0.1
"""Share of groups whose words as a whole lie apart from what is usual in the department."""
WIDE = (1.2, 1.0)
"""Standard deviations of their shift and slope."""
SHARES = (0.0, 0.25, 0.5, 0.75)
"""What a and b may have in common with the reader's other pathologies, and with the pathology's other readers."""
_LEAST_OWN = 0.25
EDGE = 9.0
"""The grid of h reaches from -EDGE to EDGE: rates from 0.0001 to 0.9999."""
_STEP = 0.1
_ENOUGH = 100.0
"""Information on h.  The spreads are learned as if no word told more (an h to 0.1): more would tell nothing of them."""
_INFORMATION = 25.0
"""Words that tell more than this have a grid of their own, as fine as they need."""
_REACH, _POINTS = 10.0, 81
"""Of such a grid: standard deviations to either side, and points."""
MOST_GROUPS = 150
"""Groups from which the spreads are learned; of more, as many spread over all of them."""
MOST_WORDS = 200
"""Words from which the spreads are learned, those that are used most, and words whose prior is kept."""
_AT_ONCE = 1 << 22
"""Most numbers of such grids at a time."""
_LEAST_LIKELY = 1e-35
"""Single precision can hold it, and is enough for what sums over a grid."""


class Nodes(NamedTuple):
    """(J,) values of a and b at which they are integrated."""

    shift: Array
    slope: Array


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """K words: (K,) x_k, and whether they are plain."""

    x: Array
    plain: Mask

    @classmethod
    def of(cls, mean: Array) -> Words:
        """Words of these meanings, in 0-1."""
        plain = (mean <= 0) | (mean >= 1)
        m = np.where(plain, np.clip(mean, PLAIN, 1 - PLAIN), np.clip(mean, 1e-4, 1 - 1e-4))
        return cls(np.log(m) - np.log1p(-m), plain)

    def centres(self, nodes: Nodes, common: Array) -> Array:
        """(J, K) what h_gk is without d."""
        line = nodes.shift[:, None] + (1 + nodes.slope[:, None]) * self.x
        return np.where(self.plain, self.x, line) + common


@lru_cache(maxsize=4)
def _grid(step: float) -> Array:
    return np.arange(-EDGE, EDGE + step / 2, step)


def _normal(t: Array, deviation: float | Array) -> Array:
    return np.asarray(np.exp(-0.5 * (t / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi)))


def _hermite(size: int) -> tuple[Array, Array, Array]:
    """Nodes of two standard normal numbers, and their weights, (size^2,) each."""
    z, w = np.polynomial.hermite_e.hermegauss(size)
    a, b = np.meshgrid(z, z)
    return a.ravel(), b.ravel(), np.outer(w, w).ravel() / w.sum() ** 2


# --- learning the spreads


def learned(
    evidence: Evidence,
    mean: Array,
    names: Sequence[str],
    groups: Sequence[tuple[str, str]],
    progress: Progress = SILENT,
) -> Spread:
    """The spreads of a department.

    Args:
        evidence: of Q groups and K words.
        mean: (K,) E[S|k];  names: of the words.
        groups: Q pairs (author, topic).
        progress: asked whether to stop.
    """
    from scipy.optimize import minimize

    if len(groups) < 2:  # one group tells nothing of how others stray
        return replace(SHIPPED, groups=len(groups))
    some = np.unique(np.linspace(0, len(groups) - 1, min(len(groups), MOST_GROUPS)).astype(np.intp))
    fit = _Fit(evidence.of(some), Words.of(mean), progress)
    bounds = [(np.log(_LEAST[name]), np.log(_MOST.get(name, 3.0))) for name in _CENTRES]
    bounds += [(-3.0, 3.0)] * fit.shared.size
    start = np.concatenate([np.log(list(_CENTRES.values())), np.zeros(fit.shared.size)])
    options: Any = {"maxiter": 60, "ftol": 1e-5}
    best = minimize(fit.loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    sa, sb, near, plain, far, private = np.exp(best[: len(_CENTRES)]).tolist()
    shared = [names[k] for k in fit.shared.tolist()]
    common = dict(zip(shared, best[len(_CENTRES) :].tolist(), strict=True))
    made = Spread(sa, sb, near, plain, far, private, groups=len(groups), common=common)
    doubt = dict(zip(shared, _doubt(evidence, Words.of(mean), made)[fit.shared].tolist(), strict=True))
    made = replace(made, doubt=doubt)
    return _with_levels(made, evidence, mean, names, groups)


def _doubt(evidence: Evidence, words: Words, spread: Spread) -> Array:
    """(K,) standard deviation of u_k, from the variance of each group's log odds around it."""
    near = np.where(words.plain, spread.plain, spread.near) ** 2 + spread.private * spread.far**2
    line = np.where(words.plain, 0.0, spread.shift**2 + (spread.slope * words.x) ** 2)
    with np.errstate(divide="ignore"):
        each = np.where(evidence.n > 0, 1 / (near + line + 1 / evidence.information), 0.0)
    own = np.where(words.plain, COMMON[True], COMMON[False])
    return np.asarray(1 / np.sqrt(1 / own**2 + each.sum(axis=0)))


class _Fit:
    """The marginal likelihood of all groups, with its gradient."""

    def __init__(self, evidence: Evidence, words: Words, progress: Progress) -> None:
        self._words, self._progress = words, progress
        less = evidence.at_most(_ENOUGH)
        self._h = _grid(_STEP)
        self._rows = []
        most = np.argsort(-evidence.n.sum(axis=0), kind="stable")[:MOST_WORDS]
        for k in np.sort(most).tolist():
            at = np.flatnonzero(evidence.n[:, k] > 0)
            if at.size:
                like = np.exp(less.log_likelihood((at, np.full(at.size, k)), self._h)).astype(np.float32)
                self._rows.append((k, at, like))
        self._groups = len(evidence.n)
        self.shared: Index = np.array([k for k, at, _ in self._rows if at.size >= FEWEST_GROUPS], dtype=np.intp)
        (a, b, w), (wide_a, wide_b, wide_w) = _hermite(7), _hermite(5)
        nothing = np.zeros(len(wide_a))
        self._shift, self._slope = np.concatenate([a, nothing]), np.concatenate([b, nothing])
        self._wide = [np.concatenate([0 * a, sd * z]) for sd, z in zip(WIDE, (wide_a, wide_b), strict=True)]
        self._apart = np.arange(len(self._shift)) >= len(a)
        self._log_w = np.log(np.concatenate([(1 - ODD) * w, ODD * wide_w]))

    def loss(self, at: Array) -> tuple[float, Array]:
        """-log posterior of (log spreads, u), and its gradient."""
        self._progress.raise_if_cancelled()
        sa, sb, near, plain, far, w = np.exp(at[: len(_CENTRES)])
        common = np.zeros(len(self._words.x))
        common[self.shared] = at[len(_CENTRES) :]
        nodes = Nodes(sa * self._shift + self._wide[0], sb * self._slope + self._wide[1])
        centres = self._words.centres(nodes, common)
        total = np.tile(self._log_w, (self._groups, 1))
        kept = []
        for k, rows, like in self._rows:
            s = plain if self._words.plain[k] else np.where(self._apart, SHIPPED.near, near)[:, None]
            t = self._h - centres[:, k, None]
            inner, outer = _normal(t, s) * _STEP, _normal(t, far) * _STEP
            p = ((1 - w) * inner + w * outer).astype(np.float32)
            e = np.maximum(like @ p.T, _LEAST_LIKELY)
            total[rows] += np.log(e)
            kept.append((t, inner, outer, e))
        top = total.max(axis=1, keepdims=True)
        weight = np.exp(total - top)
        value = float((top[:, 0] + np.log(weight.sum(axis=1))).sum())
        weight /= weight.sum(axis=1, keepdims=True)
        slope = np.zeros(len(_CENTRES))
        of_common = np.zeros(len(common))
        for (k, rows, like), (t, inner, outer, e) in zip(self._rows, kept, strict=True):
            s, place = (plain, 3) if self._words.plain[k] else (np.where(self._apart, SHIPPED.near, near)[:, None], 2)
            m = ((weight[rows] / e).astype(np.float32).T @ like).astype(np.float64)
            inner, outer = m * inner, m * outer
            moved = ((1 - w) * inner / s**2 + w * outer / far**2) * t
            by_node = moved.sum(axis=1)
            if not self._words.plain[k]:
                slope[0] += by_node @ self._shift * sa
                slope[1] += by_node @ self._slope * self._words.x[k] * sb
            free = slice(None) if self._words.plain[k] else ~self._apart
            slope[place] += (1 - w) * (inner * ((t / s) ** 2 - 1))[free].sum()
            slope[4] += w * (outer * ((t / far) ** 2 - 1)).sum()
            slope[5] += w * (outer - inner).sum()
            of_common[k] = by_node.sum()
        off = (at[: len(_CENTRES)] - np.log(list(_CENTRES.values()))) / _WEAK
        own = np.array([COMMON[bool(p)] for p in self._words.plain[self.shared]])
        u = common[self.shared]
        loss = -value + (off**2).sum() / 2 + ((u / own) ** 2).sum() / 2
        return loss, np.concatenate([off / _WEAK - slope, u / own**2 - of_common[self.shared]])


# --- what readers and pathologies have in common


def _with_levels(
    spread: Spread, evidence: Evidence, mean: Array, names: Sequence[str], groups: Sequence[tuple[str, str]]
) -> Spread:
    """The spread with shares of readers and pathologies, and each group's prior given all other groups.

    The likelihood of theta_g = (a_g, b_g) is taken for normal with precision P_g and information q_g.  With D the part
    of the prior's covariance that is the group's own, theta_g - own has the precision M_g = (1 + P_g D)^-1 P_g and the
    information (1 + P_g D)^-1 q_g, and the effects of readers and pathologies are normal in closed form.  To leave a
    group out, its M_g is taken off what is known of the sum of its reader's and its pathology's effect.
    """
    readers, reader = np.unique([author for author, _ in groups], return_inverse=True)
    topics, topic = np.unique([t for _, t in groups], return_inverse=True)
    if len(groups) < max(FEWEST_GROUPS, len(readers) + 1, len(topics) + 1):
        return spread  # no reader, or no pathology, is met twice, and the two cannot be told from a group's own part
    compiled = _Prior.of(spread, names, mean)
    nodes, log = compiled.nodes, _log_evidence(evidence, compiled)
    prior = np.diag([spread.shift**2, spread.slope**2])
    whole = log + _log_weights(nodes, np.zeros((1, 2)), prior[None])
    posterior = np.exp(whole - whole.max(axis=1, keepdims=True))
    usual = posterior[:, :_USUAL].sum(axis=1) / posterior.sum(axis=1)
    posterior = posterior[:, :_USUAL] / posterior[:, :_USUAL].sum(axis=1, keepdims=True)
    at = np.stack(nodes, axis=1)[:_USUAL]
    centre = posterior @ at
    off = at - centre[:, None]
    spread_of = np.einsum("gj,gja,gjb->gab", posterior, off, off) + 1e-9 * prior
    precision = _positive(np.linalg.inv(spread_of) - np.linalg.inv(prior))
    pull = np.einsum("gab,gb->ga", np.linalg.inv(spread_of), centre)
    # What lies apart tells little of what is usual.
    precision, pull = precision * usual[:, None, None] + 1e-6 * np.eye(2), pull * usual[:, None]
    best: tuple[float, tuple[float, float], tuple[Array, ...]] | None = None
    for of_reader in SHARES:
        for of_topic in SHARES:
            own = 1 - of_reader - of_topic
            if own < _LEAST_OWN - 1e-9:
                continue
            value, *found = _crossed(precision, pull, prior, (of_reader, of_topic), own, reader, topic)
            if best is None or value > best[0] + 1e-9:
                best = value, (of_reader, of_topic), tuple(found)
    assert best is not None  # noqa: S101  # shares of 0 are always tried
    (of_reader, of_topic), (means, covariances) = best[1], best[2]
    if not of_reader and not of_topic:
        return spread
    levels = tuple(
        Level(author, t, shift, slope, a**0.5, b**0.5, both / (a * b) ** 0.5)
        for (author, t), (shift, slope), ((a, both), (_, b)) in zip(
            groups, means.tolist(), covariances.tolist(), strict=True
        )
    )
    return replace(spread, of_reader=of_reader, of_pathology=of_topic, levels=levels)


def own_part(spread: Spread, author: str) -> Spread:
    """What an author's own file may hold of it: nothing of any other author's groups."""
    return replace(spread, levels=tuple(level for level in spread.levels if level.author == author))


def _positive(matrices: Array) -> Array:
    """Symmetric matrices (G, 2, 2) with their negative eigenvalues taken for hardly above 0."""
    values, vectors = np.linalg.eigh(matrices)
    return np.asarray(np.einsum("gab,gb,gcb->gac", vectors, np.maximum(values, 1e-6), vectors))


def _crossed(
    precision: Array,
    pull: Array,
    prior: Array,
    shares: tuple[float, float],
    own: float,
    reader: Index,
    topic: Index,
) -> tuple[float, Array, Array]:
    """log P(data) for shares of readers and topics, and mean (G, 2) and covariance (G, 2, 2) of theta_g without g."""
    levels = [(share, of) for share, of in zip(shares, (reader, topic), strict=True) if share]
    D = own * prior
    back = np.linalg.inv(np.eye(2) + precision @ D)
    M, b = back @ precision, np.einsum("gab,gb->ga", back, pull)
    M = (M + M.swapaxes(1, 2)) / 2
    value = -0.5 * np.linalg.slogdet(np.eye(2) + D @ precision)[1].sum()
    value += 0.5 * np.einsum("ga,gab,gb->", pull, np.linalg.inv(precision + np.linalg.inv(D)), pull)
    G = len(M)
    if not levels:
        return float(value), np.zeros((G, 2)), np.tile(prior, (G, 1, 1))
    sizes = [int(of.max()) + 1 for _, of in levels]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    place = [of + start for (_, of), start in zip(levels, starts, strict=False)]
    size = int(starts[-1])
    joint, information = np.zeros((size, size, 2, 2)), np.zeros((size, 2))
    log_prior = 0.0
    for (share, _), start, n in zip(levels, starts, sizes, strict=False):
        joint[np.arange(start, start + n), np.arange(start, start + n)] += np.linalg.inv(share * prior)
        log_prior += n * np.linalg.slogdet(share * prior)[1]
    for p in place:
        np.add.at(information, p, b)
        for q in place:
            np.add.at(joint, (p, q), M)
    flat = joint.transpose(0, 2, 1, 3).reshape(2 * size, 2 * size)
    covariance = np.linalg.inv(flat)
    centre = covariance @ information.ravel()
    value += 0.5 * information.ravel() @ centre - 0.5 * np.linalg.slogdet(flat)[1] - 0.5 * log_prior
    blocks = covariance.reshape(size, 2, size, 2).transpose(0, 2, 1, 3)
    known = sum(blocks[p, q] for p in place for q in place)
    middle = sum(centre.reshape(size, 2)[p] for p in place)
    inverse = np.linalg.inv(known)
    without = np.linalg.inv(_positive(inverse - M))
    means = np.einsum("gab,gb->ga", without, np.einsum("gab,gb->ga", inverse, middle) - b)
    return float(value), means, without + D


# --- posteriors


_USUAL, _APART = 89, 144
"""Nodes of what is usual in a department, and of groups that lie apart."""


def nodes_of(shift: float, slope: float) -> Nodes:
    """The nodes of a and b: of these standard deviations, and of groups that lie apart.

    Each are a Fibonacci lattice, whose points have different places along any line a + b x: those of a square grid fall
    together there and leave gaps that are wider than a word strays.
    """
    (a, b), (wide_a, wide_b) = _lattice(_USUAL, 55), _lattice(_APART, 89)
    return Nodes(
        np.concatenate([3.25 * shift * a, 2.75 * WIDE[0] * wide_a]),
        np.concatenate([3.25 * slope * b, 2.75 * WIDE[1] * wide_b]),
    )


def _lattice(size: int, step: int) -> tuple[Array, Array]:
    """So many points within -1 to 1; both are Fibonacci numbers, one after the other."""
    i = np.arange(size)
    return 2 * (i + 0.5) / size - 1, 2 * ((step * i + 0.5) / size % 1) - 1


def _log_weights(nodes: Nodes, mean: Array, covariance: Array) -> Array:
    """(G, J) of priors of (a, b): normal, mean (G, 2) and covariance (G, 2, 2), and for ODD of groups the wide one."""
    off = np.stack(nodes, axis=1) - mean[:, None]
    usual = -0.5 * np.einsum("gja,gab,gjb->gj", off[:, :_USUAL], np.linalg.inv(covariance), off[:, :_USUAL])
    at = np.stack(nodes, axis=1)[_USUAL:] / WIDE
    wide = np.tile(-0.5 * (at**2).sum(axis=1), (len(mean), 1))
    parts = [
        log - np.log(np.exp(log).sum(axis=1, keepdims=True)) + np.log(share)
        for log, share in ((usual, 1 - ODD), (wide, ODD))
    ]
    return np.concatenate(parts, axis=1)


class _Prior:
    """The prior of h for K words: what is the same however many findings there are."""

    def __init__(
        self, spread: tuple[float, ...], common: tuple[float, ...], doubt: tuple[float, ...], mean: tuple[float, ...]
    ) -> None:
        self._shift, self._slope, self._near, self._plain, self._far, self._private = spread
        self.words = Words.of(np.array(mean))
        self.nodes = nodes_of(self._shift, self._slope)
        self.centres = self.words.centres(self.nodes, np.array(common))
        apart = np.arange(len(self.nodes.shift))[:, None] >= _USUAL
        near = np.where(self.words.plain, self._plain, np.where(apart, SHIPPED.near, self._near))
        self.near = np.hypot(near, doubt)
        self._kept: dict[tuple[int, float], Single] = {}

    @classmethod
    def of(cls, spread: Spread, names: Sequence[str], mean: Array) -> _Prior:
        common, doubt = (tuple(of.get(name, 0.0) for name in names) for of in (spread.common, spread.doubt))
        return _prior(tuple(getattr(spread, name) for name in _CENTRES), common, doubt, tuple(mean.tolist()))

    def density(self, t: Array, near: Array) -> Array:
        """Of h at the distances t from its centre."""
        return (1 - self._private) * _normal(t, near) + self._private * _normal(t, self._far)

    def mass(self, k: int, step: float) -> Single:
        """(J, H) of word k on the grid of this step, in single precision."""
        if (k, step) in self._kept:
            return self._kept[k, step]
        mass = (self.density(_grid(step) - self.centres[:, k, None], self.near[:, k, None]) * step).astype(np.float32)
        if len(self._kept) < MOST_WORDS:
            self._kept[k, step] = mass
        return mass


@lru_cache(maxsize=8)  # that of one department is asked for again with every group, and every half of it
def _prior(*about: tuple[float, ...]) -> _Prior:
    return _Prior(*about)


def _log_evidence(evidence: Evidence, prior: _Prior) -> Array:
    """(G, J) log P(findings of the group | a, b), up to a constant of the group."""
    h, total = _grid(_STEP), np.zeros((len(evidence.n), len(prior.nodes.shift)))
    less = evidence.at_most(_ENOUGH)
    for k in np.flatnonzero(~prior.words.plain).tolist():
        rows = np.flatnonzero(evidence.n[:, k] > 0)
        if rows.size:
            like = np.exp(less.log_likelihood((rows, np.full(rows.size, k)), h)).astype(np.float32)
            total[rows] += np.log(np.maximum(like @ prior.mass(k, _STEP).T, _LEAST_LIKELY))
    return total


def posterior(
    evidence: Evidence,
    mean: Array,
    names: Sequence[str],
    spread: Spread,
    groups: Sequence[tuple[str, str]] | None = None,
    *,
    used: bool = False,
    share: Array | None = None,
) -> Posterior:
    """The posterior of the true rates.

    Args:
        evidence: of B samples and K words.
        mean: (K,) E[S|k];  names: of the words.
        spread: of the department, or :data:`SHIPPED`.
        groups: (author, topic) of each sample, or of all of them, whose readers and pathologies the department knows.
        used: only of words that were used; the others stay at what they mean.
        share: (B, K) in 0-1, to know the sum of a sample's rates with these weights as well.
    """
    from scipy.special import expit

    prior = _Prior.of(spread, names, mean)
    nodes = prior.nodes
    B, K = evidence.n.shape
    log_w = _log_weights(nodes, *_priors(spread, groups, B))
    asked = evidence.n > 0 if used else np.ones((B, K), dtype=bool)
    fine = asked & (evidence.information > _INFORMATION)
    h = _grid(_STEP)
    rates = expit(h).astype(np.float32)
    coarse: list[tuple[tuple[Index, Index], Single, Single]] = []  # rows, L, e
    sums: list[tuple[tuple[Index, Index], Single]] = []  # rows, E[rate | node]
    total = np.zeros((B, len(nodes.shift)))
    for k in range(K):
        rows = np.flatnonzero(asked[:, k] & ~fine[:, k])
        if rows.size:
            at: tuple[Index, Index] = (rows, np.full(rows.size, k))
            own_like = np.exp(evidence.log_likelihood(at, h)).astype(np.float32)
            e = np.maximum(own_like @ prior.mass(k, _STEP).T, _LEAST_LIKELY)
            coarse.append((at, own_like, e))
            total[rows] += np.log(e)
            if share is not None and share[:, k].any():
                sums.append((at, (own_like * rates) @ prior.mass(k, _STEP).T / e))
    fine_at = np.nonzero(fine)
    grids: list[tuple[tuple[Index, Index], Array, Single, Single, Single]] = []
    size = max(1, _AT_ONCE // (_POINTS * len(nodes.shift)))
    for start in range(0, len(fine_at[0]), size):
        some = (fine_at[0][start : start + size], fine_at[1][start : start + size])
        deviation = 1 / np.sqrt(evidence.information[some])
        rate = (evidence.y[some] + 0.5) / (evidence.n[some] + 1)
        own = np.log(rate / (1 - rate))[:, None] + deviation[:, None] * np.linspace(-_REACH, _REACH, _POINTS)
        like = np.exp(evidence.log_likelihood(some, own)).astype(np.float32)
        step = deviation * 2 * _REACH / (_POINTS - 1)
        t = own[:, None] - prior.centres[:, some[1]].T[:, :, None]
        p = (prior.density(t, prior.near[:, some[1]].T[:, :, None]) * step[:, None, None]).astype(np.float32)
        e = np.maximum(np.einsum("rjh,rh->rj", p, like), _LEAST_LIKELY)
        np.add.at(total, some[0], np.log(e))
        grids.append((some, own, like, e, p))
        if share is not None:
            sums.append((some, np.einsum("rjh,rh->rj", p, like * expit(own).astype(np.float32)) / e))
    weight = np.exp(total + log_w - (total + log_w).max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    place = np.full((B, K), -1, dtype=np.intp)
    masses: list[Array] = []
    starts, steps = [], []
    for (rows, words_of), own_like, e in coarse:
        by_node = (weight[rows] / e).astype(np.float32)
        masses.append((by_node @ prior.mass(int(words_of[0]), _STEP)).astype(np.float64) * own_like)
        starts.append(np.full(rows.size, h[0]))
        steps.append(np.full(rows.size, _STEP))
    for (rows, _), own, like, e, p in grids:
        by_node = (weight[rows] / e).astype(np.float32)
        mass = np.einsum("rj,rjh->rh", by_node, p, optimize=True).astype(np.float64) * like
        masses.append(np.pad(mass, ((0, 0), (0, len(h) - _POINTS))))
        starts.append(own[:, 0])
        steps.append(own[:, 1] - own[:, 0])
    order = [part[0] for part in coarse] + [part[0] for part in grids]
    if not order:
        nothing = np.zeros(0)
        return Posterior(np.tile(mean, (B, 1)), np.zeros((B, K)), place, np.zeros((0, len(h))), nothing, nothing)
    every = np.concatenate([r for r, _ in order]), np.concatenate([k for _, k in order])
    place[every] = np.arange(len(every[0]))
    mass = np.concatenate(masses)
    made = Posterior.of(mean, place, mass, np.concatenate(starts), np.concatenate(steps))
    return made if share is None else replace(made, summed=_summed(made, share, weight, sums))


def _summed(
    made: Posterior, share: Array, weight: Array, sums: list[tuple[tuple[Index, Index], Single]]
) -> tuple[Array, Array]:
    """Mean and variance (B,) of sum_k share_k rate_k: given a and b, the rates are independent.

    The variance is that of the sum of E[rate_k | a, b], and of each rate what a and b leave of it.
    """
    of_node, left = np.zeros_like(weight), share**2 * made.variance
    for at, known in sums:
        np.add.at(of_node, at[0], share[at][:, None] * known)
        own = weight[at[0]]
        left[at] -= share[at] ** 2 * ((own * known**2).sum(axis=1) - (own * known).sum(axis=1) ** 2)
    centre = (weight * of_node).sum(axis=1)
    variance = (weight * of_node**2).sum(axis=1) - centre**2 + left.sum(axis=1)
    return (share * made.mean).sum(axis=1), np.maximum(variance, 0)


def _priors(spread: Spread, groups: Sequence[tuple[str, str]] | None, samples: int) -> tuple[Array, Array]:
    """Mean (G, 2) and covariance (G, 2, 2) of (a, b) for each group, or one for all; of unknown ones that of all."""
    base = np.diag([spread.shift**2, spread.slope**2])
    if groups is None or not spread.levels:
        return np.zeros((1, 2)), base[None]
    known = {(level.author, level.topic): level for level in spread.levels}
    means, covariances = np.zeros((len(groups), 2)), np.tile(base, (len(groups), 1, 1))
    for g, group in enumerate(groups):
        if (level := known.get(group)) is not None:
            means[g] = level.shift, level.slope
            both = level.correlation * level.shift_sd * level.slope_sd
            covariances[g] = [[level.shift_sd**2, both], [both, level.slope_sd**2]]
    return means, covariances


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Of the true rates of B samples of K words.

    mean, variance: (B, K) in 0-1;  place: (B, K) the row of each word in the others, -1 where it was not asked for
    below: (R, H) P(h < start + (i + 1/2) step) by its log odds h;  start, step: (R,)
    summed: mean and variance (B,) of the weighted sum of a sample's rates, where that was asked for
    """

    mean: Array
    variance: Array
    place: Index
    below: Array
    start: Array
    step: Array
    summed: tuple[Array, Array] | None = None

    @classmethod
    def of(cls, meant: Array, place: Index, mass: Array, start: Array, step: Array) -> Posterior:
        """From masses (R, H) on grids of h, not yet adding to 1; words not asked for are what they mean (K,)."""
        mass /= mass.sum(axis=1, keepdims=True)
        h = start[:, None] + step[:, None] * np.arange(mass.shape[1])
        rate = 1 / (1 + np.exp(-h))
        mean = (mass * rate).sum(axis=1)
        variance = (mass * (rate - mean[:, None]) ** 2).sum(axis=1)
        known = place >= 0
        means, variances = np.tile(meant, (len(place), 1)), np.zeros(place.shape)
        means[known], variances[known] = mean[place[known]], variance[place[known]]
        return cls(means, variances, place, np.cumsum(mass, axis=1), start, step)

    def above(self, limit: Array, *at: Index) -> Array:
        """P(true rate > limit), for limits in 0-1, of the words at the indices ``at`` into (B, K)."""
        limit, place = np.broadcast_arrays(limit, self.place[at])
        with np.errstate(divide="ignore"):
            h = np.log(limit) - np.log1p(-limit)
        position = (np.clip(h, -2 * EDGE, 2 * EDGE) - self.start[place]) / self.step[place] - 0.5
        low = np.clip(np.floor(position), -1, self.below.shape[1] - 2).astype(np.intp)
        under = np.where(low >= 0, self.below[place, np.maximum(low, 0)], 0.0)
        over = self.below[place, low + 1]
        share: Array = 1 - (under + (over - under) * np.clip(position - low, 0, 1))
        return np.where(limit <= 0, 1.0, np.where(limit >= 1, 0.0, np.clip(share, 0, 1)))

    def inside(self, low: Array, high: Array, *at: Index) -> Array:
        """P(low <= true rate <= high)."""
        return self.above(low, *at) - self.above(high, *at)

    def interval(self, confidence: float, *at: Index) -> tuple[Array, Array]:
        """Ends of the central interval of this coverage (0-1), of the words at the indices ``at`` into (B, K)."""
        place = self.place[at]
        ends = []
        for q in tails(confidence):
            i = (self.below[place] < q).sum(axis=-1)
            before = np.where(i > 0, self.below[place, np.maximum(i - 1, 0)], 0.0)
            after = self.below[place, np.minimum(i, self.below.shape[1] - 1)]
            part = (q - before) / np.maximum(after - before, 1e-300)
            h = self.start[place] + self.step[place] * (i - 0.5 + part)
            ends.append(1 / (1 + np.exp(-h)))
        return ends[0], ends[1]
