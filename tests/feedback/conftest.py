"""Authors of known habits, from whom the pages under test are made; every sentence is invented."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from radcal.advice.records import Advice, Recommendation
from radcal.calibration.analysis_records import Provenance
from radcal.calibration.model import SHIPPED
from radcal.calibration.records import Part, Reliability, Tables
from radcal.calibration.reliability import measure
from radcal.feedback.records import Example, FeedbackInput
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.records import Phrase
from tests.means import seen

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


def make_reliability(
    topic: str, uses: Uses, author: str = "", words: Sequence[Phrase] = WORDS, min_n: int = 30, seed: int = 1
) -> Reliability:
    """A group with the given counts, measured as in an analysis, but for what its intervals alone say of the words."""
    if not uses:
        return Reliability(author, topic, 0.0, (), reason="no statements")
    named = {w.name: w for w in words}
    rates = tuple(seen(named[p], y, n) for p, (n, y) in uses.items())
    n, y = np.array([uses.get(w.name, (0, 0)) for w in words], float).T
    counts, group = np.stack([n - y, y], axis=1)[None], (author, topic)
    tables = Tables((group,), tuple(named), ("no", "yes"), counts, np.array([0.0, 1.0]))
    settings = Settings(bootstrap=100, min_group_n=min_n, seed=seed)
    (measured,) = measure(tables, words, settings, threads=1, spread=SHIPPED)
    return replace(measured, phrases=rates)


def make_advice(
    topic: str, changes: Sequence[tuple[str, str]], uses: Uses, words: Sequence[Phrase] = WORDS, reason: str = ""
) -> Advice:
    named = {w.name: w for w in words}
    shown = []
    for source, target in changes:
        p = seen(named[source], *uses[source][::-1])
        s, t = named[source], named[target]
        shown.append(
            Recommendation(
                source,
                target,
                1.0,
                0.97,
                p,
                f"Your '{source}' overstated {topic}: CT confirmed {p.positives:.0f} of {p.n:.0f} "
                f"({100 * p.rate:.0f} %, {100 * p.low:.0f}-{100 * p.high:.0f}). "
                f"Readers take it as {100 * s.low:.0f}-{100 * s.high:.0f} %. "
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
    words: Any = fields.get("phrases", WORDS)
    data = FeedbackInput(
        author="Dr. Jane Halloway",
        pseudonym="Avery",
        reliabilities=tuple(
            make_reliability(topic, u, words=words, seed=i) for i, (topic, u) in enumerate(uses.items())
        ),
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
def in_all() -> Callable[..., FeedbackInput]:
    """Adds all pathologies of an input together; some are odd."""

    def made(data: FeedbackInput, odd: Sequence[str] = (), usual: float = 0.4) -> FeedbackInput:
        uses: dict[str, tuple[float, float]] = {}
        for rate in (rate for r in data.reliabilities for rate in r.phrases):
            n, y = uses.get(rate.phrase, (0.0, 0.0))
            uses[rate.phrase] = n + rate.n, y + rate.positives
        parts = tuple(
            Part(r.topic, r.n, 0.98, True, "likely", 20, 3, 60, 41)
            if r.topic in odd
            else Part(r.topic, r.n, usual, False)
            for r in data.reliabilities
        )
        return replace(data, pooled=replace(make_reliability(ALL_TOPICS, uses, words=data.phrases), parts=parts))

    return made


@pytest.fixture(scope="session")
def avery() -> FeedbackInput:
    return make_input()
