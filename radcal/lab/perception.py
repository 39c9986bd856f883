"""How people and language models read certainty words: their answers, 0-100, against a reference.

The figures are those of "Perceptions of Linguistic Uncertainty by Language Models and Humans" (EMNLP 2024).  For an
expression u, the reference is the histogram P(k|u) of its answers over the bins 0, 5, ..., 100:

    mode_pa   P(k*|u), k* the bin that is answered most (the mean over several such bins)
    pa        mean of P(bin of the answer|u)
    mae       |mean of a participant's answers - mean of the reference|
    w1        Wasserstein-1 distance of a participant's answers from the reference
    iqr       interquartile range of all answers together: from the first bin below which, itself included, more than a
              quarter of them lie, to that of three quarters

pa, mae and w1 are those of each participant on each expression, averaged over participants, then over expressions.  An
answer between two bins belongs to the nearer one, in the middle to the upper; mae and w1 take it as it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.system.errors import DataError
from radcal.system.intervals import drawn_anew, tails, wilson
from radcal.system.text import EMPTY, Text
from radcal.words.records import Meant

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator
    from numpy.typing import NDArray

RESPONSE_COLUMNS = ("participant", "expression", "response", "statement_true")
"""Of answers: response in percent, 0-100; statement_true is True or False, None where it is not known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval; None where they are not known, as ``reason`` may say."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class Agreement:
    """How answers agree with a reference: on one expression, or averaged over all (expression '').

    n:              answers, or the statements that a model was asked about;  participants: who gave them
    reference_n:    answers behind the reference
    mean:           of the answers, in percent;  reference_mean: of the reference
    mode_pa:        share of the reference, 0-1, in the bin that is answered most
    pa:             proportional agreement, 0-1;  mae, w1, iqr: in points of percent
    histogram, reference_histogram: (21,) shares of the bins 0, 5, ..., 100; () where averaged
    reference_iqr:  of the reference
    """

    expression: str
    n: int
    participants: int
    reference_n: int
    mean: Estimate
    reference_mean: float
    mode_pa: Estimate
    pa: Estimate
    mae: Estimate
    w1: Estimate
    histogram: tuple[float, ...] = ()
    reference_histogram: tuple[float, ...] = ()
    iqr: Estimate = Estimate(None)
    reference_iqr: float | None = None


@dataclass(frozen=True, slots=True)
class KnowledgeBias:
    """How much higher the answers are on true statements than on false ones.

    difference: mean of the paired differences, true minus false, in points; None without pairs
    p_value:    one-sided Wilcoxon signed-rank test;  n: pairs: participants, or a model's pairs of statements
    statistic:  of the test: the sum of the ranks of the positive differences
    """

    difference: float | None = None
    p_value: float | None = None
    n: int = 0
    statistic: float | None = None


@dataclass(frozen=True, slots=True)
class Perception:
    """Answers against a reference.

    overall:     the mean over the expressions;  expressions: each, from the weakest to the strongest of the reference
    unanswered:  expressions of the reference that nobody answered
    """

    overall: Agreement
    expressions: tuple[Agreement, ...]
    knowledge_bias: KnowledgeBias
    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody was asked about: whether ``statement`` (a clause) is true.

    true: None where nobody but the speaker can know;  pair: number shared by a true statement and its false twin, or ''
    """

    speaker: str
    statement: str
    true: bool | None = None
    pair: str = ""


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """A language model's chances for each percentage, on each statement.

    private:     (S, 101) by expression, on statements that cannot be verified
    true, false: (P, 101) by expression, on the two statements of each pair
    beliefs:     (S, 3), (P, 3), (P, 3) its chances of calling the statements true, false or unknown
    examples:    (2 P, 101) by truth of the worked examples (FF, FT, TF, TT) and expression, on the true statements,
        then the false ones; {} where that was not asked
    """

    private: Mapping[str, NDArray[np.float64]]
    true: Mapping[str, NDArray[np.float64]]
    false: Mapping[str, NDArray[np.float64]]
    beliefs: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
    examples: Mapping[str, Mapping[str, NDArray[np.float64]]]


@dataclass(frozen=True, slots=True)
class ModelMeaning:
    """What a language model takes an expression to mean: its chances of 0, 1, ..., 100 percent, which sum to 1."""

    expression: str
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Decoded:
    """A model's answers, taken in one way from its chances.

    private, verifiable: agreement with the reference on either kind of statements, averaged over the expressions
    bias:      the pairs of statements, each averaged over the expressions
    bias_each: each pair on each expression by itself, as published; they depend on each other: p is too small
    """

    private: Agreement
    verifiable: Agreement | None
    bias: KnowledgeBias
    bias_each: KnowledgeBias


@dataclass(frozen=True, slots=True)
class Checks:
    """What a model's answers show besides their agreement.

    chances, greedy: the whole of its chances; the likeliest number alone on each statement
    apart_private, apart_verifiable: Wasserstein-1 distance of the two, in points, averaged over the expressions
    truths:   of each expression the mean answers to true and to false statements, in percent
    beliefs:  share of the private, true and false statements that it calls unknown, true and false, and the share of
        all of them
    examples: by the truth of two worked examples, how far answers lie from those under the other truths,
        in points: by all chances, and by the likeliest number
    """

    chances: Decoded
    greedy: Decoded
    apart_private: float
    apart_verifiable: float | None
    truths: tuple[tuple[str, float, float], ...]
    beliefs: tuple[Estimate, Estimate, Estimate, Estimate]
    examples: tuple[tuple[str, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Perceived:
    """How a language model, or the people behind a file, read certainty words.

    who:        name of the model's file, or of the file of people's answers
    model_hash: SHA-256 of the model file; '' for people
    reference:  'radiologists', 'public' or the name of a file
    perception: against the reference;  when: local time, ISO 8601
    meanings:   of a model: of every expression it was asked about
    questions:  hash of what a model was asked, and how;  shots: worked answers that it was shown: 0 or 2
    statements, pairs: how many it was asked about: private ones, and pairs of a true and a false one
    notes:      on the model, or what of the file was left out, in sentences
    checks:     of a model: what else its answers show
    """

    who: str
    model_hash: str
    reference: str
    perception: Perception
    when: str
    meanings: tuple[ModelMeaning, ...] = ()
    questions: str = ""
    shots: int = 0
    statements: int = 0
    pairs: int = 0
    notes: tuple[Text, ...] = ()
    checks: Checks | None = None


STEP = 5
_ROUNDING = 1e-9
_CHUNK = 2_000_000
"""Most numbers that a comparison of participants holds at a time."""
GRID = np.arange(0, 101, STEP)
"""The bins, in percent."""
PERCENTS = np.arange(101.0)
"""What a language model may answer."""
_MEAN, _PA, _MAE, _W1, _MODE_PA, _IQR = range(6)


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """The six figures on E expressions, as answered and as drawn anew.

    meant: of the reference, each expression
    point: (E, 6);  drawn: (B, E, 6), NaN where a draw tells nothing
    histograms: (E, 21) shares of the answers
    n, participants: (E,) answers, and who gave them;  people: who gave any
    """

    meant: Sequence[Meant]
    point: NDArray[np.float64]
    drawn: NDArray[np.float64]
    histograms: NDArray[np.float64]
    n: Sequence[int]
    participants: Sequence[int]
    people: int


def bins_of(answers: NDArray[np.float64]) -> NDArray[np.intp]:
    """The number of the bin, 0-20, of answers in percent."""
    return np.floor((answers + STEP / 2) / STEP).astype(np.intp)


def histogram(meant: Meant) -> NDArray[np.float64]:
    """(21,) P(k|u) over the bins."""
    return np.asarray(np.bincount(bins_of(meant.places), meant.weights, len(GRID)), np.float64)


def mean_of(meant: Meant) -> float:
    """In percent."""
    return float(meant.places @ meant.weights)


def meant_by(answers: pd.DataFrame) -> dict[str, Meant]:
    """What answers mean by each of their expressions, every answer counted alike.

    Args:
        answers: with the columns RESPONSE_COLUMNS.
    """
    meant = {}
    for name, part in answers.groupby("expression", observed=True):
        meant[str(name)] = meaning_of(str(name), part["response"].to_numpy(np.float64), part["participant"].nunique())
    return meant


def meaning_of(expression: str, answers: NDArray[np.float64], asked: int) -> Meant:
    """What answers in percent (n,) mean by an expression, every answer counted alike."""
    values, counts = np.unique(answers, return_counts=True)
    return Meant(expression, values, counts / len(answers), len(answers), asked)


def perceived(
    answers: pd.DataFrame,
    reference: Mapping[str, Meant],
    rng: Generator,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
) -> Perception:
    """The figures of people's answers, with percentile intervals from participants drawn anew.

    The reference stays as it is.  Where a single participant answered, there is no interval.

    Args:
        answers: with the columns RESPONSE_COLUMNS.  For the knowledge bias, those on expressions that the reference
            lacks count, too.

    Raises:
        DataError: there are no answers on expressions of the reference.
    """
    bias = knowledge_bias(*_paired_means(answers))
    answers = answers[answers["expression"].isin(list(reference))]
    if answers.empty:
        raise DataError("There is no answer on an expression of the reference.")
    codes, _ = answers["participant"].factorize(sort=True)  # the same draws in whatever order rows come
    people = int(codes.max()) + 1
    asked = [meant for meant in _ordered(reference) if (answers["expression"] == meant.expression).any()]
    cells = np.full((people, len(asked), 4), np.nan)
    counts = np.zeros((people, len(asked), len(GRID)))
    for e, meant in enumerate(asked):
        rows = (answers["expression"] == meant.expression).to_numpy()
        values, place = np.unique(answers["response"].to_numpy(np.float64)[rows], return_inverse=True)
        size = max(_CHUNK // (len(values) + len(meant.places)), 1)  # participants compared at a time
        for first in range(0, people, size):
            these = (codes[rows] >= first) & (codes[rows] < first + size)
            given = np.zeros((min(size, people - first), len(values)))
            np.add.at(given, (codes[rows][these] - first, place[these]), 1)
            has = np.flatnonzero(given.any(axis=1))
            shares = given[has] / given[has].sum(axis=1, keepdims=True)
            cells[first + has, e] = _compared(shares, values, meant)
        np.add.at(counts[:, e], (codes[rows], bins_of(values)[place]), 1)
    answered = np.isfinite(cells[..., 0])
    histograms = np.array([histogram(meant) for meant in asked])
    cells = np.nan_to_num(cells)

    def averages(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """(B, E, 6) of (B, participants) weights."""
        n = weights @ answered
        found = np.full((len(weights), len(asked), 6), np.nan)
        np.divide(np.tensordot(weights, cells, 1), n[..., None], out=found[..., :4], where=n[..., None] > 0)
        drawn = np.tensordot(weights, counts, 1)
        found[..., _MODE_PA], found[..., _IQR] = _mode_agreement(drawn, histograms), spread(drawn)
        return found

    drawn = _of_drawn_units(people, averages, rng, draws)
    drawn[:, answered.sum(axis=0) < 2] = np.nan
    pooled = counts.sum(axis=0)
    found = _Measured(
        asked,
        averages(np.ones((1, people)))[0],
        drawn,
        pooled / pooled.sum(axis=1, keepdims=True),
        n=pooled.sum(axis=1).astype(int).tolist(),
        participants=answered.sum(axis=0).tolist(),
        people=people,
    )
    return _perception(found, bias, reference, confidence)


def perceived_by_model(
    readings: Mapping[str, NDArray[np.float64]],
    reference: Mapping[str, Meant],
    bias: KnowledgeBias,
    rng: Generator,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
) -> Perception:
    """The figures of a language model: a participant who answers with known chances.

    Its answer to an expression is its mean distribution over the statements; pa, mae and w1 are exact.  The intervals
    are from statements drawn anew.

    Args:
        readings: (S, 101) for each expression of the reference that was asked: P(0), ..., P(100) on each of the same
            S statements.
        bias: on other statements, those that are true or false.

    Raises:
        DataError: there are no readings.
    """
    asked = [meant for meant in _ordered(reference) if meant.expression in readings]
    if not asked:
        raise DataError("There is no answer on an expression of the reference.")
    statements = len(readings[asked[0].expression])
    histograms = np.array([histogram(meant) for meant in asked])
    into_bins = np.zeros((len(PERCENTS), len(GRID)))
    into_bins[np.arange(len(PERCENTS)), bins_of(PERCENTS)] = 1.0

    def averages(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.empty((len(weights), len(asked), 6))
        for e, meant in enumerate(asked):
            rows = weights @ readings[meant.expression] / statements
            found[:, e, :4] = _compared(rows, PERCENTS, meant)
            found[:, e, _MODE_PA] = _mode_agreement(rows @ into_bins, histograms[e])
            found[:, e, _IQR] = spread(rows @ into_bins)
        return found

    drawn = _of_drawn_units(statements, averages, rng, draws)
    if statements < 2:
        drawn[:] = np.nan
    mixed = np.array([readings[meant.expression].mean(axis=0) @ into_bins for meant in asked])
    point = averages(np.ones((1, statements)))[0]
    n, ones = [statements] * len(asked), [1] * len(asked)
    found = _Measured(asked, point, drawn, mixed, n=n, participants=ones, people=1)
    return _perception(found, bias, reference, confidence)


def knowledge_bias(true: NDArray[np.float64], false: NDArray[np.float64]) -> KnowledgeBias:
    """Paired means on true and on false statements: is the first greater?

    Args:
        true, false: (n,) in percent.

    Returns:
        The mean difference, and the p-value of the one-sided Wilcoxon signed-rank test of scipy, 1 where no pair
        differs.
    """
    from scipy.stats import wilcoxon

    difference = np.asarray(true, np.float64) - np.asarray(false, np.float64)
    if not len(difference):
        return KnowledgeBias()
    if not difference.any():
        return KnowledgeBias(0.0, 1.0, len(difference), 0.0)
    test = wilcoxon(difference, alternative="greater")
    return KnowledgeBias(float(difference.mean()), float(test.pvalue), len(difference), float(test.statistic))


def spread(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(...) interquartile range in points of (..., 21) answers by bin; NaN without answers."""
    total = counts.sum(axis=-1, keepdims=True)
    below = np.cumsum(counts, axis=-1) / np.where(total > 0, total, np.nan)
    first, last = ((below > share + _ROUNDING).argmax(axis=-1) for share in (0.25, 0.75))
    return np.where(total[..., 0] > 0, (last - first) * float(STEP), np.nan)


def greedy(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., 101) all of the chances on the likeliest number, the lowest of several."""
    return np.asarray(chances.argmax(axis=-1)[..., None] == np.arange(len(PERCENTS)), np.float64)


def checks(answers: ModelAnswers, reference: Mapping[str, Meant]) -> Checks:
    """What a model's answers show besides their agreement with the reference."""
    names = [name for name in answers.private if name in reference]
    pairs = len(next(iter(answers.true.values())))
    both = {name: np.concatenate((answers.true[name], answers.false[name])) for name in names}

    def decoded(take: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Decoded:
        rng, none = np.random.default_rng(0), KnowledgeBias()
        found = [
            perceived_by_model({n: take(asked[n]) for n in names}, reference, none, rng, draws=0).overall
            for asked in ((answers.private, both) if pairs else (answers.private,))
        ]
        true, false = (np.array([take(kind[n]) @ PERCENTS for n in names]) for kind in (answers.true, answers.false))
        each = knowledge_bias(true.ravel(), false.ravel())
        bias = knowledge_bias(true.mean(axis=0), false.mean(axis=0))
        return Decoded(found[0], found[1] if pairs else None, bias, each)

    def apart(some: Mapping[str, NDArray[np.float64]], others: Mapping[str, NDArray[np.float64]]) -> float:
        return float(np.mean([_distance(some[n].mean(axis=0), others[n].mean(axis=0)) for n in names]))

    def taken(some: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
        return {n: greedy(some[n]) for n in names}

    shown = {truth: (asked, taken(asked)) for truth, asked in answers.examples.items()}

    def from_others(truth: str, way: int) -> float:
        return float(np.mean([apart(shown[truth][way], rest[way]) for other, rest in shown.items() if other != truth]))

    def read(kind: Mapping[str, NDArray[np.float64]], name: str) -> float:
        return float((kind[name] @ PERCENTS).mean())

    return Checks(
        chances=decoded(lambda chances: chances),
        greedy=decoded(greedy),
        apart_private=apart(answers.private, taken(answers.private)),
        apart_verifiable=apart(both, taken(both)) if pairs else None,
        truths=tuple((n, read(answers.true, n), read(answers.false, n)) for n in names) if pairs else (),
        beliefs=_beliefs(answers.beliefs),
        examples=tuple((truth, from_others(truth, 0), from_others(truth, 1)) for truth in shown),
    )


def _beliefs(chances: Sequence[NDArray[np.float64]]) -> tuple[Estimate, Estimate, Estimate, Estimate]:
    """Shares of the private, true and false statements that are called unknown, true and false, and of all."""
    right = [rows.argmax(axis=1) == called for rows, called in zip(chances, (2, 0, 1), strict=True)]
    found = [_share(int(hits.sum()), len(hits)) for hits in (*right, np.concatenate(right))]
    return found[0], found[1], found[2], found[3]


def _share(hits: int, n: int) -> Estimate:
    return Estimate(hits / n, *wilson(hits / n, n)) if n else Estimate(None)


def _distance(p: NDArray[np.float64], q: NDArray[np.float64]) -> float:
    """Wasserstein-1 of two distributions over 0 to 100, in points."""
    return float(np.abs(np.cumsum(p - q)).sum())


def to_json(perception: Perception, meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Plain values: the figures with "_low" and "_high", "knowledge_bias", "expressions", and ``meta`` behind them."""
    return {
        **_plain(perception.overall),
        "knowledge_bias": asdict(perception.knowledge_bias),
        "expressions": [_plain(agreement) for agreement in perception.expressions],
        "bins": GRID.tolist(),
        "unanswered": list(perception.unanswered),
        **(meta or {}),
    }


def checks_to_json(found: Checks) -> dict[str, Any]:
    """Plain values: "all_chances" and "greedy" with the figures of both kinds of statements and the knowledge bias,
    "decoding_w1", "truths", "beliefs" and "worked_answers"."""

    def decoded(way: Decoded) -> dict[str, Any]:
        kinds = {"private": way.private, "verifiable": way.verifiable}
        bias = {"knowledge_bias": asdict(way.bias), "knowledge_bias_each": asdict(way.bias_each)}
        return {kind: agreement and _plain(agreement) for kind, agreement in kinds.items()} | bias

    return {
        "all_chances": decoded(found.chances),
        "greedy": decoded(found.greedy),
        "decoding_w1": {"private": found.apart_private, "verifiable": found.apart_verifiable},
        "truths": [dict(zip(("expression", "true", "false"), row, strict=True)) for row in found.truths],
        "beliefs": {
            name: {"value": share.value, "low": share.low, "high": share.high}
            for name, share in zip(("private", "true", "false", "all"), found.beliefs, strict=True)
        },
        "worked_answers": [dict(zip(("truth", "all_chances", "greedy"), row, strict=True)) for row in found.examples],
    }


def _plain(agreement: Agreement) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(agreement)):
        value = getattr(agreement, name)
        if isinstance(value, Estimate):
            found |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        else:
            found[name] = list(value) if isinstance(value, tuple) else value
    return found


def _ordered(reference: Mapping[str, Meant]) -> list[Meant]:
    return sorted(reference.values(), key=lambda meant: (mean_of(meant), meant.expression))


def _compared(rows: NDArray[np.float64], values: NDArray[np.float64], meant: Meant) -> NDArray[np.float64]:
    """(N, 4) mean, PA, MAE and W1 of N distributions over ascending values."""
    support = np.union1d(values, meant.places)
    mine, theirs = np.zeros((len(rows), len(support))), np.zeros(len(support))
    mine[:, np.searchsorted(support, values)] = rows
    theirs[np.searchsorted(support, meant.places)] = meant.weights
    mean = mine @ support
    # On a line, the distance is the area between the two distribution functions.
    apart = np.abs(np.cumsum(mine - theirs, axis=1))[:, :-1] @ np.diff(support)
    return np.stack((mean, mine @ histogram(meant)[bins_of(support)], np.abs(mean - mean_of(meant)), apart), axis=1)


def _mode_agreement(counts: NDArray[np.float64], histograms: NDArray[np.float64]) -> NDArray[np.float64]:
    """(...) share of the reference in the bin answered most, the mean over several; NaN without answers."""
    most = counts.max(axis=-1, keepdims=True)
    top = (counts >= most * (1 - 1e-9)) & (most > 0)
    n = top.sum(axis=-1)
    found = np.full(n.shape, np.nan)
    np.divide((top * histograms).sum(axis=-1), n, out=found, where=n > 0)
    return found


def _of_drawn_units(
    units: int, averages: Callable[[NDArray[np.float64]], NDArray[np.float64]], rng: Generator, draws: int
) -> NDArray[np.float64]:
    """(draws, E, 6) with units drawn with replacement."""
    return np.concatenate([averages(weights.astype(np.float64)) for weights in drawn_anew(units, draws, rng)])


def _perception(found: _Measured, bias: KnowledgeBias, reference: Mapping[str, Meant], confidence: float) -> Perception:
    each = []
    for e, meant in enumerate(found.meant):
        counts = found.n[e], found.participants[e], meant.n
        made = _agreement(meant.expression, counts, mean_of(meant), found.point[e], found.drawn[:, e], confidence)
        own, theirs = (tuple(shares.tolist()) for shares in (found.histograms[e], histogram(meant)))
        its = float(spread(histogram(meant)))
        each.append(replace(made, histogram=own, reference_histogram=theirs, reference_iqr=its))
    counts = sum(found.n), found.people, sum(meant.n for meant in found.meant)
    mean = float(np.mean([mean_of(meant) for meant in found.meant]))
    overall = _agreement("", counts, mean, found.point.mean(axis=0), _averaged(found.drawn), confidence)
    overall = replace(overall, reference_iqr=float(np.mean([a.reference_iqr for a in each])))
    names = {meant.expression for meant in found.meant}
    unanswered = tuple(meant.expression for meant in _ordered(reference) if meant.expression not in names)
    return Perception(overall, tuple(each), bias, unanswered)


def _averaged(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """(B, 6) the mean over the expressions of (B, E, 6) draws.

    A draw without anybody on an expression is averaged over the others.  All is NaN where nothing could be drawn on one
    of them: part of the average would be taken as certain.
    """
    there: NDArray[np.bool_] = np.isfinite(drawn[..., 0])
    over, known = np.full((len(drawn), 6), np.nan), there.sum(axis=1, keepdims=True)
    if drawn.size and there.any(axis=0).all():
        np.divide(np.nansum(drawn, axis=1), known, out=over, where=known > 0)
    return over


def _agreement(
    expression: str,
    counts: tuple[int, int, int],
    reference_mean: float,
    point: NDArray[np.float64],
    drawn: NDArray[np.float64],
    confidence: float,
) -> Agreement:
    """The figures (6,) with intervals from (B, 6) draws."""
    found = [_estimate(*each, confidence) for each in zip(point.tolist(), drawn.T, strict=True)]
    return Agreement(
        expression,
        *counts,
        mean=found[_MEAN],
        reference_mean=reference_mean,
        mode_pa=found[_MODE_PA],
        pa=found[_PA],
        mae=found[_MAE],
        w1=found[_W1],
        iqr=found[_IQR],
    )


def _estimate(value: float, drawn: NDArray[np.float64], confidence: float) -> Estimate:
    known = drawn[np.isfinite(drawn)]
    if not len(known):
        return Estimate(value)
    low, high = np.quantile(known, tails(confidence)).tolist()
    # The bin answered most agrees best with these very answers: every draw has less, or as much.
    return Estimate(value, min(low, value), max(high, value))


def _paired_means(answers: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each participant's mean on true and on false statements, of those who answered both."""
    judged = answers[answers["statement_true"].notna()]
    which = judged["statement_true"].astype(bool)
    true, false = (judged[rows].groupby("participant", observed=True)["response"].mean() for rows in (which, ~which))
    both = true.index.intersection(false.index)
    return true[both].to_numpy(np.float64), false[both].to_numpy(np.float64)
