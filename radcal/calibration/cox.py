"""Intercept and slope of calibration, over the hedged words of all groups at once.

    P(there | word k) = pi_k = 1 / (1 + exp(-(a + b x_k))),      x_k = logit m_k,

a + b x = x for a calibrated author; b < 1 says that the words are too strong for how far apart they are, b > 1 that
they are too weak, a > 0 that they are all too low.  The reference confirms q_k = e0 + (e1 - e0) pi_k of the findings,
e1 and e0 its mean outcome where the finding is there and where it is not, and (a, b) maximise

    sum_k y_k log q_k + (n_k - y_k) log(1 - q_k) - a^2 / (2 sd^2) - (b - 1)^2 / (2 sd^2),      sd = 3,

a weakly informative prior, without which words that were always or never confirmed have no finite slope.  The interval
of one parameter holds the values whose profile, the other one maximised, is within half a chi-square quantile of the
top.

Source: Cox, "Two further applications of a model for binary regression", Biometrika 1958;45:562-565; Van Calster et
al., "Calibration: the Achilles heel of predictive analytics", BMC Medicine 2019;17:230; Venzon and Moolgavkar, "A
method for computing profile-likelihood-based confidence intervals", Appl. Statist. 1988;37:87-94.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.system.intervals import normal_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_PRIOR = (0.0, 1.0)
_PRIOR_SD = 3.0
_STEPS, _INNER, _OUTER = 50, 4, 30
_CLOSE = 1e-7
_ROUNDING = 1e-13
_LONGEST = 2.0
"""Longest step of a parameter at a time."""


def calibration_line(n: Array, y: Array, mean: Array, expected: Array, confidence: float) -> dict[str, Array]:
    """intercept, slope and their ends, ``intercept_low`` and so on, each (Q,); NaN with fewer than two hedged means.

    Args:
        n, y: (Q, K), uses and confirmed, fractional where the reference was unsure.
        mean: (K,), what the words mean; plain words (0 and 1) do not count.
        expected: (Q, 2), e0 and e1.
        confidence: coverage of the profile intervals.
    """
    from scipy.special import logit

    hedged = (mean > 0) & (mean < 1) & n.any(axis=0)
    x = logit(mean[hedged])
    n, y = n[:, hedged], y[:, hedged]
    fitted = np.full((2, 3, len(n)), np.nan)
    highest, lowest = (
        np.where(n > 0, x, -np.inf).max(axis=1, initial=-np.inf),
        np.where(n > 0, x, np.inf).min(axis=1, initial=np.inf),
    )
    can = highest > lowest
    if can.any():
        model = _Model(n[can], y[can], x, expected[can, :1], expected[can, 1:])
        fitted[:, :, can] = model.fitted(normal_quantile(confidence))
    names = ("intercept", "slope")
    return {f"{name}{end}": fitted[i, j] for i, name in enumerate(names) for j, end in enumerate(("", "_low", "_high"))}


@dataclass(frozen=True, eq=False)
class _Model:
    n: Array
    y: Array
    x: Array
    none: Array
    there: Array

    def fitted(self, reach: float) -> Array:
        """(2, 3, Q): both parameters and where their profiles are ``reach``^2 / 2 below the top, on either side."""
        Q = len(self.n)
        start = np.repeat(np.array(_PRIOR)[:, None], Q, axis=1)
        best, top, _, (aa, ab, bb) = self._climbed(start, np.ones_like(start, dtype=bool), _STEPS)
        outlook = reach * np.sqrt(np.array([bb, aa]) / (aa * bb - ab**2))
        # Both ends of both parameters are sought at once.
        rows, sought = np.tile(np.arange(Q), 4), np.repeat(np.eye(2, dtype=bool), 2 * Q, axis=1)
        four = _Model(self.n[rows], self.y[rows], self.x, self.none[rows], self.there[rows])
        first = np.array([-outlook[0], outlook[0], -outlook[1], outlook[1]]).ravel()
        ends = four._ends(best[:, rows] + np.where(sought, first, 0), sought, top[rows], reach)
        return np.concatenate([best[:, None], ends.reshape(2, 2, Q)], axis=1)

    def _ends(self, at: Array, sought: NDArray[np.bool_], top: Array, reach: float) -> Array:
        """(Q,), where the profile of the parameter sought (2, Q) has fallen so far: Newton's method on its root."""
        moving = np.ones(len(top), dtype=bool)
        for _ in range(_OUTER):
            at, value, gradient, _ = self._climbed(at, ~sought & moving, _INNER)
            fallen = np.sqrt(np.maximum(2 * (top - value), 1e-12))
            slope = -np.where(sought, gradient, 0).sum(axis=0)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.where(slope == 0, 0.0, (reach - fallen) * fallen / slope)
            step = np.where(moving, np.clip(step, -_LONGEST, _LONGEST), 0)
            at = at + np.where(sought, step, 0)
            moving &= np.abs(step) >= _CLOSE
            if not moving.any():
                break
        ends: Array = at[sought]
        return ends

    def _climbed(self, at: Array, free: NDArray[np.bool_], steps: int) -> tuple[Array, Array, Array, Array]:
        """Parameters (2, Q) after so many steps of those that are free, with the derivatives there.

        By Fisher scoring, in shorter steps where one led downwards; a group's steps depend on its own table alone.
        """
        value, gradient, information = self._derivatives(at)
        share = np.ones(at.shape[1])
        for _ in range(steps):
            aa, ab, bb = information
            cross = np.where(free.all(axis=0), ab, 0)
            step = np.array([bb * gradient[0] - cross * gradient[1], aa * gradient[1] - cross * gradient[0]])
            step = np.where(free, np.clip(step / (aa * bb - cross**2), -_LONGEST, _LONGEST), 0)
            free = free & (np.abs(step).max(axis=0) >= _CLOSE)
            if not free.any():
                break
            there = at + np.where(free, share * step, 0)
            risen = self._derivatives(there)
            up = risen[0] >= value - _ROUNDING * np.abs(value)
            at, value = np.where(up, there, at), np.where(up, risen[0], value)
            gradient, information = np.where(up, risen[1], gradient), np.where(up, risen[2], information)
            share = np.where(up, np.minimum(2 * share, 1), share / 2)
        return at, value, gradient, information

    def _derivatives(self, at: Array) -> tuple[Array, Array, Array]:
        """Log posterior (Q,), its gradient (2, Q), and the expected information aa, ab, bb (3, Q)."""
        from scipy.special import expit, xlog1py, xlogy

        pi = expit(at[0][:, None] + at[1][:, None] * self.x)
        q = self.none + (self.there - self.none) * pi
        value = (xlogy(self.y, q) + xlog1py(self.n - self.y, -q)).sum(axis=1)
        slope = (self.there - self.none) * pi * (1 - pi)
        variance = np.maximum(q * (1 - q), 1e-300)
        score = (self.y - self.n * q) * slope / variance
        weight = self.n * slope**2 / variance
        off = at - np.array(_PRIOR)[:, None]
        precision = 1 / _PRIOR_SD**2
        gradient = np.array([score.sum(axis=1), score @ self.x]) - off * precision
        information = np.array([weight.sum(axis=1), weight @ self.x, weight @ self.x**2])
        information[::2] += precision
        return value - (off**2).sum(axis=0) * precision / 2, gradient, information
