"""Sentences with the confidence that readers took from them: files of them, the estimator fitted to them, agreement."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from radcal.lab.abstaining import abstains
from radcal.lab.hedges.estimator import (
    NO_TEXT,
    PLAIN,
    HedgeEstimator,
    Likeness,
    Readings,
    SentenceEstimate,
    masked,
    why_not,
)
from radcal.system.columns import Checked, Columns
from radcal.system.errors import DataError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    import pandas as pd

_KNOWN = ("text", "score")
_IN_ENGLISH = Text("Write it in English, or remove the row.")
_ENTER_TEXT = Text("Enter the text, or remove the row.")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file.

    line, text: where it begins, and its text as far as it can be read
    score: None if there is none or it is faulty;  given: a faulty score as it was written
    fault: what is wrong with the row
    """

    line: int
    text: str
    score: float | None
    given: str = ""
    fault: str = ""


class Sentences(NamedTuple):
    """All rows in the order of the file, and those with a fault with file, row, reason and remedy."""

    rows: tuple[Row, ...]
    rejected: pd.DataFrame
    has_scores: bool


def read_sentences(path: Path, progress: Progress = SILENT) -> Sentences:
    """The rows of a table with a column text and, if there is one, score (0-1), as of
    :class:`~radcal.system.columns.Columns`.

    A row with a faulty score keeps its text, and the score as it was written; one with too many or too few cells has
    no text.

    Raises:
        InputError: the file cannot be read, is empty, has no column text, or none of its rows has one.
        Cancelled: by ``progress``.
    """
    table = Columns(path, _KNOWN, (), ("score",), progress, keep_empty=True)
    table.require("text")
    has_scores = "score" in table
    table.frame["given"] = table.frame["score"] if has_scores else ""
    if has_scores:
        table.check_number("score", 0, 1, optional=True)
    else:
        table.frame["score"] = np.nan
    # A text can be read whatever its score: only without any row is there nothing to do.
    rejected = table.finish().rejected if table.frame.empty else table.rejected()
    faults = dict(zip(rejected["row"], rejected["reason"], strict=True))
    every = table.frame.reindex(table.frame.index.union(list(faults))).fillna({"text": "", "given": ""})
    rows = tuple(
        Row(int(line), text, None, given, faults[line])
        if line in faults
        else Row(int(line), text, None if score != score else float(score))
        for line, text, score, given in zip(every.index, every["text"], every["score"], every["given"], strict=True)
    )
    return Sentences(rows, rejected, has_scores)


def read_scored(path: Path, estimator: HedgeEstimator, progress: Progress = SILENT) -> Checked:
    """The rows of a table with the columns text and score that an estimator can learn from.

    Raises:
        InputError: as of :func:`read_sentences`; there is no column score.
        Cancelled: by ``progress``.
    """
    table = Columns(path, _KNOWN, (), ("score",), progress)
    table.require("text", "score")
    table.check_text("text")
    table.check_number("score", 0, 1)
    reasons = table.frame["text"].map(lambda text: str(why_not(text, estimator)))
    for reason in reasons[reasons != ""].unique():
        table.reject(reasons == reason, reason, _remedy(reason))
    return table.finish()


def _remedy(reason: str) -> Text:
    return _ENTER_TEXT if reason == NO_TEXT else _IN_ENGLISH


def without_estimate(
    name: str, rows: Sequence[Row], estimates: Sequence[SentenceEstimate | Text]
) -> list[dict[Hashable, Any]]:
    """Rows that have no estimate as rejected ones, faulty ones apart."""
    return [
        {"file": name, "row": row.line, "reason": found, "remedy": _remedy(found)}
        for row, found in zip(rows, estimates, strict=True)
        if isinstance(found, Text) and not row.fault
    ]


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
    weights, left = solved(gram, np.column_stack([y - base.centre, z]), np.where(is_new, NOISE, OWN_NOISE) / n)
    weights *= (1 + share * is_new)[:, None]
    at = {text: place for place, text in enumerate(new.sentences)}
    kept = [(at[text], score) for text, score in zip(alike, scores, strict=True) if text in at]
    places, y = np.array([place for place, _ in kept]), np.array([score for _, score in kept])
    band = band_of(y, base.centre + left[is_new, 0][places])
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


def solved(
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


def band_of(scores: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
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


_Z = 1.959963984540054
_LEAST = 4
"""Pairs from which an error and a rank correlation have an interval."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near estimates come to what readers said, with 95 % intervals; None where there are too few or all alike.

    n: sentences with a score and an estimate;  mse: mean squared error, 0-1
    correlation: Spearman's rank correlation, -1 to 1
    coverage: share of scores within low and high
    """

    n: int
    mse: float | None
    mse_low: float | None
    mse_high: float | None
    correlation: float | None
    correlation_low: float | None
    correlation_high: float | None
    coverage: float | None


def agreement(estimates: Sequence[SentenceEstimate], scores: Sequence[float]) -> Agreement:
    """Mean squared error with Student's interval, within 0-1, and Spearman's rank correlation.

    The interval of the correlation is that of Bonett and Wright, tanh(artanh(r) +- 1.96 sqrt((1 + r^2 / 2) / (n - 3)))
    (Psychometrika 2000;65:23).

    Args:
        estimates, scores: in the same order; scores in 0-1.
    """
    from scipy.stats import spearmanr, t

    n = len(scores)
    if not n:
        return Agreement(0, None, None, None, None, None, None, None)
    y = np.asarray(scores, float)
    value, low, high = (np.array([getattr(e, part) for e in estimates]) for part in ("value", "low", "high"))
    squares = (value - y) ** 2
    mse = float(squares.mean())
    off = float(t.ppf(0.975, n - 1) * squares.std(ddof=1) / math.sqrt(n)) if n >= _LEAST else None
    r = r_low = r_high = None
    if n >= _LEAST and np.ptp(y) > 0 and np.ptp(value) > 0:
        r = float(spearmanr(value, y).statistic)
        bounded = min(max(r, -1 + 1e-9), 1 - 1e-9)
        width = _Z * math.sqrt((1 + bounded**2 / 2) / (n - 3))
        r_low, r_high = (math.tanh(math.atanh(bounded) + sign * width) for sign in (-1, 1))
    return Agreement(
        n,
        mse,
        None if off is None else max(mse - off, 0.0),
        None if off is None else min(mse + off, 1.0),
        r,
        r_low,
        r_high,
        float(((low <= y) & (y <= high)).mean()),
    )
