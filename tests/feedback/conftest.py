"""Authors of known habits, from whom the pages under test are made; every sentence is invented."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

from radcal.advice.records import Advice, Recommendation
from radcal.feedback.records import Example, FeedbackInput
from radcal.reliability import scoring
from radcal.reliability.analysis_records import Provenance
from radcal.reliability.records import Curve, PhraseRate, Reliability, Verdict
from radcal.words.bins import bin_phrases
from radcal.words.records import Phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.words.records import PhraseBins

WORDS: tuple[Phrase, ...] = (
    Phrase("absent", 0, 1, 0.0, 0.0),
    Phrase("very unlikely", 1.2, 38, 0.0, 0.05),
    Phrase("unlikely", 2, 14, 0.05, 0.25),
    Phrase("question of", 2.5, 9, 0.05, 0.25),
    Phrase("may represent", 3, 4, 0.25, 0.75),
    Phrase("suspicious for", 5, 3, 0.25, 0.75),
    Phrase("likely", 10, 4, 0.75, 0.90),
    Phrase("highly suggestive of", 16, 3, 0.75, 0.90),
    Phrase("consistent with", 22, 1.2, 0.90, 1.0),
    Phrase("present", 1, 0, 1.0, 1.0),
)

Uses = Mapping[str, tuple[float, float]]
"""Phrase to (n, confirmed)."""


def jeffreys(n: float, y: float) -> tuple[float, float]:
    from scipy.stats import beta

    low = 0.0 if y == 0 else float(beta.ppf(0.025, y + 0.5, n - y + 0.5))
    high = 1.0 if y == n else float(beta.ppf(0.975, y + 0.5, n - y + 0.5))
    return low, high


def phrase_rate(phrase: Phrase, n: float, y: float) -> PhraseRate:
    return judged_rate(phrase, n, y, *jeffreys(n, y))


def judged_rate(phrase: Phrase, n: float, y: float, low: float, high: float) -> PhraseRate:
    """A rate with its verdict; the range of a plain statement reaches 5 percentage points from its end."""
    plain = 0.05 if phrase.low == phrase.high else 0.0
    meant_low, meant_high = max(phrase.low - plain, 0.0), min(phrase.high + plain, 1.0)
    verdict: Verdict = "undecided"
    if high < meant_low or low > meant_high:
        verdict = "stronger" if high < meant_low else "weaker"
    elif meant_low <= low and high <= meant_high:
        verdict = "matches"
    mean = phrase.alpha / (phrase.alpha + phrase.beta)
    return PhraseRate(phrase.name, n, y, y / n, low, high, mean, meant_low, meant_high, verdict)


def make_reliability(
    topic: str, uses: Uses, author: str = "", words: Sequence[Phrase] = WORDS, min_n: int = 30, seed: int = 1
) -> Reliability:
    """A group with the given counts, its curve resampled as in docs/method.md."""
    named = {w.name: w for w in words}
    rates = tuple(phrase_rate(named[p], n, y) for p, (n, y) in uses.items())
    total = float(sum(n for n, _ in uses.values()))
    if total < min_n:
        return Reliability(
            author, topic, total, rates, reason=f"{total:.0f} statement{'s' * (total != 1)}; a curve needs {min_n}."
        )
    bins = bin_phrases(words)
    n = np.array([uses.get(w.name, (0, 0))[0] for w in words], float)
    y = np.array([uses.get(w.name, (0, 0))[1] for w in words], float)
    rng = np.random.default_rng(seed)
    cells = np.concatenate([y, n - y])
    draws = rng.multinomial(round(total), cells / cells.sum(), 400).astype(float)
    drawn_y, drawn_n = draws[:, : len(words)], draws[:, : len(words)] + draws[:, len(words) :]
    lucky_y = rng.binomial(n.astype(int), bins.mean, (400, len(words))).astype(float)

    def curve_of(n: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore", divide="ignore"):
            out: NDArray[np.float64] = (y @ bins.weight) / (n @ bins.weight)
        return out

    def star(n: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        gap = np.abs(y @ bins.weight - n @ bins.moment)[..., 1:-1].sum(-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            out: NDArray[np.float64] = gap / (n @ bins.weight)[..., 1:-1].sum(-1)
        return out

    with np.errstate(invalid="ignore", divide="ignore"):
        stated = (n @ bins.moment) / (n @ bins.weight)
    redrawn, lucky = curve_of(drawn_n, drawn_y), curve_of(np.broadcast_to(n, lucky_y.shape), lucky_y)
    empty = ~np.isfinite(curve_of(n, y))

    def quantile(a: NDArray[np.float64], q: float) -> NDArray[np.float64]:
        out = np.quantile(np.nan_to_num(a), q, axis=0)
        out[empty] = np.nan
        return out

    curve = Curve(
        bins.edges[:-1],
        bins.edges[1:],
        curve_of(n, y),
        quantile(redrawn, 0.025),
        quantile(redrawn, 0.975),
        (n @ bins.weight) / total,
        stated,
        quantile(lucky, 0.025),
        quantile(lucky, 0.975),
    )
    ece_star, spread, luck = (
        float(star(n, y)),
        np.nan_to_num(star(drawn_n, drawn_y)),
        np.nan_to_num(star(n[None] + 0 * lucky_y, lucky_y)),
    )
    if not np.isfinite(ece_star):
        return Reliability(author, topic, total, rates, curve=curve, ece=0.0)
    return Reliability(
        author,
        topic,
        total,
        rates,
        curve=curve,
        ece=ece_star,
        ece_star=ece_star,
        ece_star_width=float(star(n, n * bins.mean)),
        ece_star_low=float(np.quantile(spread, 0.025)),
        ece_star_high=float(np.quantile(spread, 0.975)),
        luck_star_mean=float(luck.mean()),
        luck_star_p95=float(np.quantile(luck, 0.95)),
        **_word_error(n, y, lucky_y, bins),
    )


def _word_error(
    n: NDArray[np.float64], y: NDArray[np.float64], lucky_y: NDArray[np.float64], bins: PhraseBins
) -> dict[str, float]:
    error = float(scoring.word_error(n, y, bins))
    luck = np.nan_to_num(scoring.word_error(n[None] + 0 * lucky_y, lucky_y, bins))
    return {
        "word_error": error,
        "word_error_low": max(0.0, error - 0.05),
        "word_error_high": error + 0.05,
        "luck_word_mean": float(luck.mean()),
        "luck_word_p95": float(np.quantile(luck, 0.95)),
        "p_value_word": float((luck >= error).mean()),
    }


def make_advice(
    topic: str, changes: Sequence[tuple[str, str]], uses: Uses, words: Sequence[Phrase] = WORDS, reason: str = ""
) -> Advice:
    named = {w.name: w for w in words}
    shown = []
    for source, target in changes:
        p = phrase_rate(named[source], *uses[source])
        s, t = named[source], named[target]
        shown.append(
            Recommendation(
                source,
                target,
                1.0,
                0.97,
                p,
                f"When you wrote '{source}' for {topic}, CT confirmed it in {p.positives:.0f} of {p.n:.0f} "
                f"({100 * p.rate:.0f} %, {100 * p.low:.0f}-{100 * p.high:.0f} %). "
                f"Readers take '{source}' as {100 * s.low:.0f}-{100 * s.high:.0f} %. "
                f"'{t.name.capitalize()}' would have been closer in these findings (97 % sure).",
            )
        )
    return Advice("", topic, 100.0, "ordered", tuple(named), (), (), tuple(shown), reason=reason)


EDEMA: Uses = {
    "present": (40, 37),
    "likely": (87, 41),
    "may represent": (60, 19),
    "unlikely": (25, 2),
    "absent": (130, 4),
}
EFFUSION: Uses = {
    "present": (96, 90),
    "consistent with": (22, 21),
    "likely": (31, 26),
    "may represent": (24, 9),
    "question of": (14, 5),
    "unlikely": (48, 21),
    "absent": (160, 5),
}
PNEUMONIA: Uses = {"likely": (28, 12), "suspicious for": (33, 17), "may represent": (52, 22), "absent": (61, 2)}
FEW: Uses = {"likely": (5, 3), "may represent": (4, 1), "absent": (5, 0)}

PROVENANCE = Provenance(
    engine="rules",
    engine_version="1.0",
    settings_hash="0123456789abcdef",
    lexicon="2026.1",
    seed=0,
    versions={"radcal": "0.1.0", "typst": "0.15.0", "numpy": "2.4.0"},
    first_exam=datetime(2026, 1, 3, tzinfo=UTC),
    last_exam=datetime(2026, 9, 28, tzinfo=UTC),
    n_pairs=412,
    created=datetime(2026, 10, 2, 9, 30, tzinfo=UTC),
    extraction_accuracy="94 % (90-97 %) of 312 findings",
)


def example(topic: str, phrase: str, xray: str, ct: str, outcome: float) -> Example:
    """An example whose certainty words are the phrase itself, where the sentence has it."""
    start = xray.find(phrase)
    return Example(topic, phrase, xray, start, start + len(phrase) if start >= 0 else -1, ct, outcome)


EXAMPLES: tuple[Example, ...] = (
    example(
        "edema",
        "likely",
        "Perihilar haze with cephalized vessels, likely mild pulmonary edema.",
        "No interlobular septal thickening; the lungs are clear of edema.",
        0.0,
    ),
    example(
        "edema",
        "likely",
        "Interstitial prominence is likely edema given the heart size.",
        "Smooth septal thickening and small effusions in keeping with edema.",
        1.0,
    ),
    example(
        "pleural effusion",
        "unlikely",
        "A small left effusion is thought unlikely.",
        "Small layering left pleural effusion.",
        1.0,
    ),
    example("pleural effusion", "absent", "No effusion is seen.", "", 0.0),
    example(
        "pneumonia",
        "may represent",
        "Patchy opacity at the right base may represent early pneumonia versus atelectasis.",
        "Subsegmental atelectasis in the right lower lobe without consolidation.",
        0.0,
    ),
)


def make_input(
    uses: Mapping[str, Uses] | None = None,
    changes: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    **fields: object,
) -> FeedbackInput:
    """A typical author, or one with the given counts and changes of words per pathology."""
    if uses is None:
        uses = {"edema": EDEMA, "pleural effusion": EFFUSION, "pneumonia": PNEUMONIA, "pneumothorax": FEW}
        changes = {
            "edema": [("likely", "may represent")],
            "pleural effusion": [("unlikely", "may represent")],
            "pneumonia": [("likely", "may represent")],
        }
    data = FeedbackInput(
        author="Dr. Jane Halloway",
        pseudonym="Avery",
        reliabilities=tuple(make_reliability(topic, u, seed=i) for i, (topic, u) in enumerate(uses.items())),
        advices=tuple(make_advice(topic, c, uses[topic]) for topic, c in (changes or {}).items()),
        examples=EXAMPLES,
        phrases=WORDS,
        provenance=PROVENANCE,
        counts={"not mentioned on X-ray, found on CT": 12, "CT silent, taken as absent": 231},
    )
    return replace(data, **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def make() -> Callable[..., FeedbackInput]:
    return make_input


@pytest.fixture(scope="session")
def reliability_of() -> Callable[..., Reliability]:
    return make_reliability


@pytest.fixture(scope="session")
def advice_of() -> Callable[..., Advice]:
    return make_advice


@pytest.fixture(scope="session")
def avery() -> FeedbackInput:
    return make_input()
