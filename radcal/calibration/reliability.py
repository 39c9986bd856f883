"""Reliability of every author on every topic, from contingency tables."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration import scoring
from radcal.calibration.bands import Bands, Observed, available_cores, compute_bands, widened
from radcal.calibration.carried import Carried, Carrying
from radcal.calibration.cox import calibration_line
from radcal.calibration.evidence import evidence_of
from radcal.calibration.model import learned, posterior
from radcal.calibration.records import OFF, SURE, Curve, Monotone, PhraseRate, Reliability, Together
from radcal.calibration.reference import corrected_counts, expected_outcomes, reduced, references
from radcal.calibration.repeats import design_effects
from radcal.calibration.resample import luck_draws
from radcal.system.errors import DataError
from radcal.system.intervals import false_discovery, tails
from radcal.system.progress import SILENT
from radcal.system.text import Text
from radcal.words.bins import bin_phrases
from radcal.words.phrases import agreeing_rates, expected_rates, mean_of
from radcal.words.phrases import spread_of as spread_of_meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from radcal.calibration.records import Spread, Tables, Verdict
    from radcal.system.progress import Progress
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase, PhraseBins

    Array = NDArray[np.float64]

_VERDICTS = np.array(["matches", "stronger", "weaker"])
_AT_ONCE = 200
"""Groups whose posteriors are in memory at a time."""


def measure(
    tables: Tables,
    phrases: Sequence[Phrase],
    settings: Settings,
    progress: Progress = SILENT,
    *,
    threads: int | None = None,
    spread: Spread | None = None,
) -> tuple[Reliability, ...]:
    """Rates, verdicts, curves, scores and luck bands of all groups, in the order of ``tables.groups``.

    With n_k = sum_l t[k, l] and y_k = sum_l t[k, l] p_l, bins W and G (``radcal.words.bins``) and scores as in
    ``radcal.calibration.scoring``.  Luck is a perfectly calibrated author with the same words: each finding of phrase k
    is there with probability E[S | k], and the reference says of it what it says of such findings
    (``radcal.calibration.reference``). Bands of curves hold the whole curve.  Intervals of ECE and word error are
    corrected for their bias (``radcal.calibration.bands``); those of Brier score and accuracy are percentiles of
    multinomial redraws of the table's cells; those of intercept and slope are profile intervals
    (``radcal.calibration.cox``).  Where the settings state errors of the CT, rates are corrected for them before all
    else.  Where patients were seen again, rates, luck and the interval of the word error allow for it
    (``radcal.calibration.repeats``).  Where the tables have errors of reading, rates and word error are given with them
    as well (``radcal.calibration.carried``), and ``p_value_word`` is the one that holds either way.  ``q_value_star``
    and ``q_value_word`` are Benjamini-Hochberg over all groups of the call.

    Intervals of phrases' rates and verdicts come from the department's model (:func:`rated`).

    A group of fewer than ``settings.min_group_n`` statements has its phrases' rates alone, and ``reason`` says what
    would be enough.  A measure that is not defined (ECE* where all statements are plain, AUROC where everything
    was confirmed, intervals where ``settings.bootstrap`` is 0) is None.

    Args:
        tables: t[q, k, l]; no group may be empty.
        phrases: the lexicon; holds every phrase of the tables.
        settings: method, n_bins, bootstrap, confidence, min_group_n, seed.
        progress: advances by groups.
        threads: how many to use; None for one on each available core.  Results do not depend on it.
        spread: what is known of the department; None to learn it from these tables.

    Returns:
        One Reliability for each group.  A group's result depends on its own table, the reference's use of outcomes on
        its topic (``Tables.mixes``), the spread and the seed, not on which other groups are measured with it, q-values
        excepted.

    Raises:
        DataError: there is nothing to measure, a group is empty, a count is negative or no number, or a phrase
            is not in the lexicon.
        Cancelled: the user asked to stop.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 4, 6, 7, 11, 19.
    """
    by_name = {p.name: p for p in phrases}
    _check(tables, by_name)
    words = [by_name[name] for name in tables.phrases]
    bins = bin_phrases(words, settings.n_bins, settings.method, progress)

    n, total = tables.counts.sum(axis=2), tables.counts.sum(axis=(1, 2))
    made, own = references(tables, settings)
    confirmed = tables.counts @ tables.positive
    y = corrected_counts(tables, made, own)
    effects = np.stack([design_effects(tables), design_effects(tables, expected_outcomes(made, own, bins.mean))])
    progress.start(len(total), Text("Measuring reliability"))
    enough = np.flatnonzero(total >= settings.min_group_n)
    progress.advance(len(total) - len(enough))

    scores = _scores(n[enough], y[enough], bins)
    expected = np.array([r.expected for r in made])[own[enough]]
    scores |= calibration_line(n[enough], confirmed[enough], bins.mean, expected, settings.confidence)
    bands = None
    if settings.bootstrap:
        bands = compute_bands(
            Observed(tables.counts[enough], tables.positive, made, own[enough], scores, effects[:, enough]),
            bins,
            draws=settings.bootstrap,
            confidence=settings.confidence,
            seed=settings.seed,
            threads=threads or available_cores(),
            progress=progress,
        )
        scores |= bands.scores
        scores |= {f"q_value_{name}": false_discovery(scores[f"p_value_{name}"]) for name in ("star", "word")}
    carried = None
    if tables.errors is not None and settings.bootstrap:
        carrying = Carrying(tables.errors, bins.mean, tables.positive, settings.bootstrap, settings.seed)
        cores = threads or available_cores()
        carried = carrying.measured(
            tables, effects, made, own, settings.confidence, settings.min_group_n, cores, progress
        )
        scores |= _carried_scores(carried, enough, scores["p_value_word"])
    read = None if carried is None else carried.rate
    rates, in_all = rated(tables, words, settings, bins.mean, read, spread, progress)
    curves = _curves(n[enough], y[enough], bins, bands)
    columns: dict[str, list[Any]] = {
        name: [None if v != v else v for v in values.tolist()] for name, values in scores.items()
    }

    place = {int(q): i for i, q in enumerate(enough)}
    return tuple(
        Reliability(
            author=author,
            topic=topic,
            n=float(total[q]),
            phrases=rates[q],
            together=in_all[q],
            curve=curves[place[q]],
            **{name: values[place[q]] for name, values in columns.items()},
        )
        if q in place
        else Reliability(author, topic, float(total[q]), rates[q], _too_few(float(total[q]), settings.min_group_n))
        for q, (author, topic) in enumerate(tables.groups)
    )


def _check(tables: Tables, known: dict[str, Phrase]) -> None:
    """Refuse tables from which nothing can be computed."""
    if not tables.groups:
        raise DataError("There are no statements to measure.")
    missing = [name for name in tables.phrases if name not in known]
    if missing:
        raise DataError(
            "The phrase {missing!r} of the tables is not in the lexicon. Build the tables again.", missing=missing[0]
        )
    valid = np.isfinite(tables.counts) & (tables.counts >= 0)
    if not valid.all() or not ((tables.positive >= 0) & (tables.positive <= 1)).all():
        raise DataError("A count of the tables is negative or no number, or a reference is not in 0 to 1.")
    empty = np.flatnonzero(tables.counts.sum(axis=(1, 2)) == 0)
    if len(empty):
        author, topic = tables.groups[empty[0]]
        raise DataError(
            "{author} has no statement about {topic}, so that there is nothing to measure.", author=author, topic=topic
        )


def _too_few(n: float, enough: int) -> Text:
    return Text("{n:g} finding; a curve needs {min}.", many="{n:g} findings; a curve needs {min}.", n=n, min=enough)


def _scores(n: Array, y: Array, bins: PhraseBins) -> dict[str, Array]:
    """Point estimates by the names of Reliability's fields, each (Q,)."""
    return {
        "ece": scoring.ece(n, y, bins),
        "ece_star": scoring.ece_star(n, y, bins),
        "word_error": scoring.word_error(n, y, bins),
        "ece_width": scoring.ece(n, n * bins.mean, bins),
        "ece_star_width": scoring.ece_star(n, n * bins.mean, bins),
        "mce": scoring.mce(n, y, bins),
        "brier": scoring.brier(n, y, bins),
        "accuracy": scoring.accuracy(n, y, bins),
        "auroc": scoring.auroc(n, y, bins),
        "resolution": scoring.resolution(n, y),
        "sharpness": scoring.sharpness(n, bins),
    }


def _carried_scores(carried: Carried, enough: NDArray[np.intp], plain: Array) -> dict[str, Array]:
    """What errors of reading leave of the scores, by the names of Reliability's fields, each (Q,).

    Words are said to differ only where they do with and without: the larger p-value decides.
    """
    word, p = carried.word[:, enough], np.fmax(plain, carried.p_value[enough])
    return {
        "p_value_word": p,
        "q_value_word": false_discovery(p),
        "plain_p_value_word": plain,
        "read_word_error": word[0],
        "read_word_error_low": word[1],
        "read_word_error_high": word[2],
        "read_p_value_word": carried.p_value[enough],
    }


def spread_of(tables: Tables, phrases: Sequence[Phrase], settings: Settings, progress: Progress = SILENT) -> Spread:
    """How far the words of these groups stray, learned from all of them (:func:`radcal.calibration.model.learned`).

    Raises:
        DataError: a phrase of the tables is not in the lexicon.
    """
    known = {p.name: p for p in phrases}
    _check(tables, known)
    mean = np.array([mean_of(known[name]) for name in tables.phrases])
    return learned(evidence_of(tables, settings), mean, tables.phrases, tables.groups, progress)


def rated(
    tables: Tables,
    words: Sequence[Phrase],
    settings: Settings,
    mean: Array,
    read: Array | None = None,
    spread: Spread | None = None,
    progress: Progress = SILENT,
) -> tuple[list[tuple[PhraseRate, ...]], list[Together | None]]:
    """The confirmed rates of the phrases that each group used, where the true ones lie, and the verdicts.

    Beside them what each group's hedged words with enough uses come to together (:func:`together`).

    The interval and the verdict are those of the posterior of the department's model; the interval never leaves out the
    rate that CT confirmed.  With [l, h] the range that agrees with a word and [l', h'] the wider one that it may mean
    (:func:`radcal.words.phrases.agreeing_rates`, :func:`~radcal.words.phrases.expected_rates`), a word 'matches' if
    P(l <= rate <= h) is SURE or more, is 'stronger' than CT supported if P(rate < l') is, and 'weaker' if P(rate > h')
    is, each only where the word's own rate lies there, too.  Words of fewer than ``settings.min_phrase_n`` uses are
    'too few'.

    Args:
        tables: of Q groups;  words: their K phrases;  mean: (K,) E[S|k].
        read: (3, Q, K) rates with errors of reading, as of :class:`radcal.calibration.carried.Carried`.
        spread: of the department; None to learn it from these tables.
    """
    evidence = evidence_of(tables, settings, read)
    if spread is None:
        spread = learned(evidence, mean, tables.phrases, tables.groups, progress)
    made, own = references(tables, settings)
    agreeing, meant = (np.array([f(p) for p in words]) for f in (agreeing_rates, expected_rates))
    found: list[tuple[PhraseRate, ...]] = []
    in_all: list[Together | None] = []
    hedged = (mean > 0) & (mean < 1)
    doubt = np.array([spread_of_meaning(p) ** 2 / p.answers if p.answers else 0.0 for p in words])
    for start in range(0, len(evidence.n), _AT_ONCE):
        progress.raise_if_cancelled()
        its = slice(start, start + _AT_ONCE)
        part = evidence.of(its)
        counted = np.where(hedged & (part.n >= settings.min_phrase_n), part.n, 0.0)
        share = counted / np.maximum(counted.sum(axis=1, keepdims=True), 1)
        truth = posterior(part, mean, tables.phrases, spread, tables.groups[its], used=True, share=share)
        group, phrase = at = np.nonzero(part.n)
        said, positives = part.n[at], (tables.counts[its] @ tables.positive)[at]
        rate = positives / said
        for r, reference in enumerate(made):
            if not reference.is_right:
                its_own = own[its][group] == r
                rate[its_own] = reference.corrected(rate[its_own], np.ones(int(its_own.sum())))
        low, high = truth.interval(settings.confidence, *at)
        low, high = np.minimum(low, rate), np.maximum(high, rate)
        chances = np.stack(
            [
                truth.inside(*agreeing[phrase].T, *at),
                1 - truth.above(meant[phrase, 0], *at),
                truth.above(meant[phrase, 1], *at),
            ]
        )
        best = chances.argmax(axis=0)
        known = part.y[at] / said
        agree = np.stack(
            [
                (agreeing[phrase, 0] <= known) & (known <= agreeing[phrase, 1]),
                known < meant[phrase, 0],
                known > meant[phrase, 1],
            ]
        )
        holds = np.take_along_axis(agree, best[None], axis=0)[0]
        sure, few = chances.max(axis=0), said < settings.min_phrase_n
        verdicts = np.where(few, "too few", np.where((sure < SURE) | ~holds, "undecided", _VERDICTS[best])).tolist()
        columns = [c.tolist() for c in (said, positives, rate, low, high, mean[phrase], *meant[phrase].T)]
        more = [c.tolist() for c in (sure, truth.mean[at])]
        with_errors = [] if read is None else [c.tolist() for c in read[:, its][:, group, phrase]]
        names = [tables.phrases[k] for k in phrase.tolist()]
        rates = [*starmap(PhraseRate, zip(names, *columns, verdicts, *more, *with_errors, strict=True))]
        ends = np.searchsorted(group, np.arange(len(part.n) + 1)).tolist()
        found += [tuple(rates[a:b]) for a, b in pairwise(ends)]
        observed = np.bincount(group, share[at] * rate, len(part.n))
        assert truth.summed is not None  # noqa: S101  # it was asked for
        expected, variance = truth.summed
        deviation = np.sqrt(variance + share**2 @ doubt)
        matched = np.bincount(group, share[at] * (np.array(verdicts) == "matches"), len(part.n))
        fields = np.column_stack([counted.sum(axis=1), share @ mean, observed, expected, deviation, matched]).tolist()
        several = ((counted > 0).sum(axis=1) > 1).tolist()
        in_all += [together(*of) if are else None for of, are in zip(fields, several, strict=True)]
    return found, in_all


def together(n: float, stated: float, rate: float, expected: float, deviation: float, matched: float = 0.0) -> Together:
    """What hedged words come to together, from the fields of the record: the true rate is taken for normal.

    Words of wide meaning can each be undecided and clearly be off together.  Where ``matched``, the share of uses of
    words that match, is a half or more, nothing is said: they lie within what readers take them to mean.
    """
    stronger, weaker = (
        (1 + math.erf(z / (deviation * 2**0.5))) / 2 for z in (stated - OFF - expected, expected - stated - OFF)
    )
    sure = max(stronger, weaker)
    silent = sure < SURE or matched >= 0.5
    verdict: Verdict = "undecided" if silent else "stronger" if stronger > weaker else "weaker"
    return Together(n, stated, rate, expected, deviation, verdict, sure)


def _curves(n: Array, y: Array, bins: PhraseBins, bands: Bands | None) -> list[Curve]:
    """The reliability diagrams; NaN where a bin is empty or no resample was drawn."""
    mass = n @ bins.weight
    with np.errstate(invalid="ignore", divide="ignore"):
        rate, stated = y @ bins.weight / mass, n @ bins.moment / mass
        density = mass / n.sum(axis=1, keepdims=True)
    nothing = np.full((2, *mass.shape), np.nan)
    around, luck = (nothing, nothing) if bands is None else (bands.rate, bands.luck_rate)
    low, high = bins.edges[:-1], bins.edges[1:]
    return [
        Curve(low, high, *arrays)
        for arrays in zip(rate, around[0], around[1], density, stated, luck[0], luck[1], strict=True)
    ]


def monotone(tables: Tables, phrases: Sequence[Phrase], settings: Settings) -> Monotone:
    """The monotone curve of confirmed rates of the one group of ``tables``, with its consistency region (CORP).

    The words stand in the order of their means; words of one mean are one forecast.  The curve is the isotonic
    regression of their rates r_k = y_k / n_k with weights n_k.  With the Brier score of forecasts x,

        S(x) = (1/N) sum_k n_k x_k^2 - 2 y_k x_k + y_k,

    miscalibration is S(means) - S(curve), discrimination S(overall rate) - S(curve) and uncertainty S(overall rate).

    Args:
        tables: one group with at least one statement.
        phrases: the lexicon; holds every phrase of the tables.
        settings: bootstrap, confidence, seed and the accuracy of the CT.

    Raises:
        DataError: there is not one group, or it has no statement.

    Source: Dimitriadis, Gneiting and Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS
    2021;118:e2016191118.
    """
    if len(tables.groups) != 1 or not tables.counts.any():
        raise DataError("There are no statements to measure.")
    made, own = references(tables, settings)
    (reference,) = made
    by_name = {p.name: p for p in phrases}
    means = np.array([mean_of(by_name[name]) for name in tables.phrases])
    said = tables.counts[0].sum(axis=1)
    order = [k for k in np.argsort(means, kind="stable").tolist() if said[k] > 0]
    n, mean = said[order], means[order]
    y = reference.corrected((tables.counts[0] @ tables.positive)[order], n)
    fitted, blocks = _isotonic(n, y, mean)
    redrawn = np.empty((settings.bootstrap, len(order)))
    wide = np.sqrt(design_effects(tables, expected_outcomes(made, own, means))[0, order])
    for i, k in enumerate(order):
        chances = reduced(reference.outcomes, reference.chances(float(means[k])))
        drawn = luck_draws(settings.seed, k, round(n[i]), *chances, settings.bootstrap)
        drawn = np.clip(widened(drawn, n[i] * chances[0] @ chances[1], wide[i]), 0, n[i])
        redrawn[:, i] = reference.corrected(drawn, np.full_like(drawn, n[i]))
    curves = np.array([_isotonic(n, row, mean)[0] for row in redrawn])
    low = high = np.full(len(order), np.nan)
    if len(curves):
        low, high = np.quantile(curves, tails(settings.confidence), axis=0)
    rate, uncertainty = y / n, _brier(n, y, np.full(len(n), y.sum() / n.sum()))
    names = tuple(tables.phrases[k] for k in order)
    return Monotone(
        phrases=names,
        mean=mean,
        n=n,
        rate=rate,
        fitted=fitted,
        low=low,
        high=high,
        miscalibration=_brier(n, y, mean) - _brier(n, y, fitted),
        discrimination=uncertainty - _brier(n, y, fitted),
        uncertainty=uncertainty,
        disordered=tuple(
            (names[i], names[j])
            for i, j in combinations(range(len(names)), 2)
            if blocks[i] == blocks[j] and mean[i] < mean[j] and rate[i] > rate[j]
        ),
    )


def _isotonic(n: Array, y: Array, mean: Array) -> tuple[Array, NDArray[np.intp]]:
    """The curve at each word, and the block of words with one value that it belongs to, each (K,)."""
    from scipy.optimize import isotonic_regression

    _, place = np.unique(mean, return_inverse=True)
    weight = np.bincount(place, n)
    made = isotonic_regression(np.bincount(place, y) / weight, weights=weight)
    block = np.searchsorted(made.blocks, np.arange(len(weight)), side="right")
    return np.asarray(made.x)[place], block[place]


def _brier(n: Array, y: Array, certainty: Array) -> float:
    return float((n * certainty**2 - 2 * y * certainty + y).sum() / n.sum())
