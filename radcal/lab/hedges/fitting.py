"""Fitting the estimator to sentences with known readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from radcal.lab.abstaining import abstains
from radcal.lab.hedges.estimator import PLAIN, HedgeEstimator, Readings, masked
from radcal.lab.hedges.kernel import Likeness
from radcal.lab.hedges.tokens import Words
from radcal.system.errors import DataError

OWN_NOISE, NOISE = 0.05, 0.2
"""Variance of one reading around the function, of RadCal's own sentences and of those that are fitted, as a share of
the function's own variance."""
AGREEMENT = 0.5
"""Correlation between what RadCal's own text and what the fitted sentences say of the same words: part of the function
is common, part belongs to the fitted ones (Daume, Frustratingly easy domain adaptation, ACL 2007)."""
_WIDTH = 0.08
_QUANTILES = 0.05, 0.95
_MOST = 6000
"""Most different masked sentences that are kept of a fit, those with the most rows first."""
_PLAINEST, _FAR = 0.75, 0.15
"""Plain statements are read as this quantile of their readings; one that lies farther below it teaches nothing."""
LEAST = 20
"""Fewest sentences to fit."""


def readings(alike: Sequence[str], scores: Sequence[float], abstentions: Sequence[float]) -> Readings:
    """Masked sentences, equal ones put together."""
    rows: dict[str, list[int]] = {}
    for place, text in enumerate(alike):
        rows.setdefault(text, []).append(place)
    y, z = np.asarray(scores, float), np.asarray(abstentions, float)
    return Readings(
        tuple(rows),
        np.array([y[own].mean() for own in rows.values()]),
        np.array([z[own].mean() for own in rows.values()]),
        np.array([float(len(own)) for own in rows.values()]),
    )


def made_from(
    sentences: Sequence[str],
    scores: Sequence[float],
    abstentions: Sequence[float],
    words: Words,
    trusted: Sequence[bool],
) -> HedgeEstimator:
    """The estimator of RadCal's own sentences.

    Args:
        sentences: as written.
        scores, abstentions: their readings, and 1 for those that give no answer.
        words: of certainty, which are not masked.
        trusted: whether a sentence's distance from the others tells how far an estimate may be off.
    """
    alike = [masked(words.tokens(sentence)) for sentence in sentences]
    own = readings(alike, scores, abstentions)
    centre = float(own.scores.mean())
    gram = Likeness([text.split() for text in own.sentences]).among()
    weights, left = _solved(gram, np.column_stack([own.scores - centre, own.abstentions]), OWN_NOISE / own.counts)
    sure = np.isin(own.sentences, [text for text, counts in zip(alike, trusted, strict=True) if counts])
    band = _band(own.scores[sure], centre + left[sure, 0])
    return HedgeEstimator(words, own, own.sentences, weights, centre, band)


def fitted(base: HedgeEstimator, sentences: Sequence[str], scores: Sequence[float]) -> HedgeEstimator:
    """The estimator that has learned from further sentences.

    A Gaussian process on RadCal's own sentences and the new ones together, in which the new ones have a part of their
    own; intervals come from the new ones, each estimated without those that look like it, and are nowhere narrower than
    without them: what is read next may be written by somebody else.

    Args:
        base: what is known without them.
        sentences, scores: in English, with their mean readings in 0-1.

    Raises:
        DataError: there are fewer than :data:`LEAST`.
    """
    if len(sentences) < LEAST:
        raise DataError(
            "There are {n} sentences with a score to fit to, and {least} are the least. Add sentences.",
            n=len(sentences),
            least=LEAST,
        )
    own = base.readings
    alike = [masked(base.words.tokens(sentence)) for sentence in sentences]
    silent = base.read(alike)[1] | np.array([abstains(sentence) for sentence in sentences])
    told = _telling(alike, np.asarray(scores, float))
    new = readings([alike[n] for n in told], [scores[n] for n in told], silent[told].astype(float).tolist())
    if len(new.sentences) > _MOST:
        most = np.sort(np.argsort(-new.counts, kind="stable")[:_MOST])
        new = Readings(tuple(new.sentences[n] for n in most), new.scores[most], new.abstentions[most], new.counts[most])
    known = (*own.sentences, *new.sentences)
    is_new = np.arange(len(known)) >= len(own.sentences)
    share = 1 / AGREEMENT - 1
    gram = Likeness([text.split() for text in known]).among() * (1 + share * np.outer(is_new, is_new))
    both = ((own.scores, new.scores), (own.abstentions, new.abstentions), (own.counts, new.counts))
    y, z, n = map(np.concatenate, both)
    weights, left = _solved(gram, np.column_stack([y - base.centre, z]), np.where(is_new, NOISE, OWN_NOISE) / n)
    weights *= (1 + share * is_new)[:, None]
    at = {text: place for place, text in enumerate(new.sentences)}
    kept = [(at[text], score) for text, score in zip(alike, scores, strict=True) if text in at]
    places, y = np.array([place for place, _ in kept]), np.array([score for _, score in kept])
    band = _band(y, base.centre + left[is_new, 0][places])
    band[:, 1], band[:, 2] = np.minimum(band[:, 1], base.band[:, 1]), np.maximum(band[:, 2], base.band[:, 2])
    return replace(base, known=known, weights=weights, band=band)


def _telling(alike: Sequence[str], scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The places of sentences to learn from: all but those that look plain and that readers took as far less sure.

    Some words of those speak of certainty and are not known; what they say does not hold of plain statements.
    """
    is_plain = np.array([text == PLAIN for text in alike])
    if not is_plain.any():
        return np.arange(len(alike))
    return np.flatnonzero(~is_plain | (scores > np.quantile(scores[is_plain], _PLAINEST) - _FAR))


def _solved(
    gram: NDArray[np.float64], y: NDArray[np.float64], noise: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights (K + N)^-1 y, and what the others say of each row: y_i - w_i / (K + N)^-1_ii.

    Through K + N = U'U, whose inverse has the sums of squares of the rows of U^-1 on its diagonal (Rasmussen and
    Williams, Gaussian Processes for Machine Learning, 2006, section 5.4.2).
    """
    from scipy.linalg import cho_solve, cholesky
    from scipy.linalg.lapack import dtrtri

    upper = cholesky(gram + np.diag(noise), overwrite_a=True, check_finite=False)
    weights = cho_solve((upper, False), y, check_finite=False)
    inverse, _ = dtrtri(upper, overwrite_c=True)
    return weights, y - weights / np.einsum("ij,ij->i", inverse, inverse)[:, None]


def _band(scores: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """(21, 3) estimates, and quantiles of reading minus estimate among estimates near each."""
    expected = np.clip(expected, 0, 1)
    left = scores - expected
    order = np.argsort(left)
    most = len(left) - 1
    rows = []
    for at in np.linspace(0, 1, 21):
        near = np.exp(-0.5 * ((expected[order] - at) / _WIDTH) ** 2) + 1e-9
        share = np.cumsum(near) / near.sum()
        places = np.minimum(np.searchsorted(share, _QUANTILES), most)
        rows.append([at, *left[order][places]])
    return np.array(rows)
