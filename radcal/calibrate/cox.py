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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_PRIOR = (0.0, 1.0)
_PRIOR_SD = 3.0
_STEPS, _INNER, _OUTER = 50, 4, 30
_CLOSE = 1e-7
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
    from scipy.stats import chi2

    hedged = (mean > 0) & (mean < 1)
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
        fitted[:, :, can] = model.fitted(float(chi2.ppf(confidence, 1)))
    names = ("intercept", "slope")
    return {f"{name}{end}": fitted[i, j] for i, name in enumerate(names) for j, end in enumerate(("", "_low", "_high"))}


@dataclass(frozen=True, eq=False)
class _Model:
    n: Array
    y: Array
    x: Array
    none: Array
    there: Array

    def fitted(self, drop: float) -> Array:
        """(2, 3, Q): both parameters and where their profiles are ``drop`` / 2 below the top, on either side."""
        at = self._climbed(np.stack([np.full(len(self.n), value) for value in _PRIOR]), (0, 1), _STEPS)
        top, _, information = self._derivatives(at)
        det = information[0] * information[2] - information[1] ** 2
        errors = np.sqrt(np.stack([information[2], information[0]]) / det)
        ends = np.empty((2, 3, len(self.n)))
        for i in (0, 1):
            ends[i, 0] = at[i]
            for j, side in ((1, -1.0), (2, 1.0)):
                ends[i, j] = self._end(at, i, side * errors[i], top, drop)
        return ends

    def _end(self, best: Array, i: int, error: Array, top: Array, drop: float) -> Array:
        """Where the profile of parameter i has fallen by ``drop`` / 2 on one side, by Newton's method on its root."""
        at = best.copy()
        at[i] += error * np.sqrt(drop)
        for _ in range(_OUTER):
            at = self._climbed(at, (1 - i,), _INNER)
            value, gradient, _ = self._derivatives(at)
            fallen = np.sqrt(np.maximum(2 * (top - value), 1e-12))
            slope = -gradient[i] / fallen
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.where(slope == 0, 0.0, (np.sqrt(drop) - fallen) / slope)
            at[i] += np.clip(step, -_LONGEST, _LONGEST)
            if np.abs(step).max() < _CLOSE:
                break
        end: Array = at[i]
        return end

    def _climbed(self, at: Array, free: tuple[int, ...], steps: int) -> Array:
        """Some of the parameters (2, Q) after so many steps of Fisher scoring, shorter where one led downwards."""
        value, gradient, information = self._derivatives(at)
        share = np.ones(at.shape[1])
        for _ in range(steps):
            step = np.zeros_like(at)
            if len(free) == 2:
                det = information[0] * information[2] - information[1] ** 2
                step[0] = (information[2] * gradient[0] - information[1] * gradient[1]) / det
                step[1] = (information[0] * gradient[1] - information[1] * gradient[0]) / det
            else:
                step[free[0]] = gradient[free[0]] / information[2 * free[0]]
            there = at + share * np.clip(step, -_LONGEST, _LONGEST)
            risen = self._derivatives(there)
            up = risen[0] >= value - _CLOSE**2
            at, value = np.where(up, there, at), np.where(up, risen[0], value)
            gradient, information = np.where(up, risen[1], gradient), np.where(up, risen[2], information)
            share = np.where(up, np.minimum(2 * share, 1), share / 2)
            if np.abs(step).max() < _CLOSE:
                break
        return at

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
        gradient = np.stack([score.sum(axis=1), score @ self.x]) - off * precision
        information = np.stack(
            [weight.sum(axis=1) + precision, weight @ self.x, weight @ self.x**2 + precision]
        )  # fmt: skip
        return value - (off**2).sum(axis=0) * precision / 2, gradient, information
