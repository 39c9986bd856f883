"""Words and simulated authors for the tests of advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta

from radcal.calibration.model import SHIPPED
from radcal.calibration.records import Reliability, Tables
from radcal.calibration.reliability import rated
from radcal.system.settings import Settings
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase

Array = NDArray[np.float64]
MakeTables = Callable[..., tuple[Tables, tuple[Reliability, ...]]]


def _phrase(name: str, mean: float, concentration: float) -> Phrase:
    a, b = mean * concentration, (1 - mean) * concentration
    if min(a, b) == 0:
        return Phrase(name, a, b, mean, mean)
    return Phrase(name, a, b, float(beta.ppf(0.25, a, b)), float(beta.ppf(0.75, a, b)))


@pytest.fixture(scope="session")
def lexicon() -> tuple[Phrase, ...]:
    """Twelve words in no particular order of strength."""
    meanings = {
        "likely": (0.77, 5.1),
        "absent": (0.0, 1.0),
        "may represent": (0.44, 4.6),
        "present": (1.0, 1.0),
        "unlikely": (0.09, 13.7),
        "very unlikely": (0.03, 49.0),
        "possibly": (0.29, 3.1),
        "probably": (0.68, 1.8),
        "most likely": (0.86, 8.6),
        "consistent with": (0.97, 4.4),
        "maybe": (0.21, 6.1),
        "suggestive of": (0.62, 2.9),
    }
    return tuple(_phrase(name, *m) for name, m in meanings.items())


def rates_of(tables: Tables, phrases: Sequence[Phrase]) -> tuple[Reliability, ...]:
    """Reliabilities with nothing but the phrase rates, as readers are expected to be where nothing is known of them."""
    mean = np.array([mean_of(p) for p in phrases])
    measured, _ = rated(tables, phrases, Settings(), mean, spread=SHIPPED)
    n = tables.counts.sum(axis=(1, 2)).tolist()
    return tuple(
        Reliability(*group, said, rates) for group, said, rates in zip(tables.groups, n, measured, strict=True)
    )


@pytest.fixture(scope="session")
def make_tables() -> MakeTables:
    """Tables and reliabilities of author "Avery"; by topic (n, y) of all phrases, or phrase to (said, confirmed)."""

    def make(
        phrases: Sequence[Phrase], **topics: tuple[Array, Array] | Mapping[str, tuple[float, float]]
    ) -> tuple[Tables, tuple[Reliability, ...]]:
        names = [topic.replace("_", " ") for topic in topics]
        given = [
            np.array([uses.get(p.name, (0, 0)) for p in phrases], dtype=np.float64).T
            if isinstance(uses, Mapping)
            else np.array(uses, dtype=np.float64)
            for uses in topics.values()
        ]
        counts = np.array([np.stack([n - y, y], axis=1) for n, y in given])
        tables = Tables(
            tuple(("Avery", name) for name in names),
            tuple(p.name for p in phrases),
            ("no", "yes"),
            counts,
            np.array([0.0, 1.0]),
        )
        return tables, rates_of(tables, phrases)

    return make


@pytest.fixture(scope="session")
def draw() -> Callable[..., tuple[Array, Array]]:
    """A simulated author: statements spread over the phrases, confirmed at a rate that depends on their meaning."""

    def author(
        phrases: Sequence[Phrase], size: int, rate: Callable[[Array], Array], seed: int = 0, spread: float = 3.0
    ) -> tuple[Array, Array]:
        rng = np.random.default_rng(seed)
        mean = np.array([p.alpha / (p.alpha + p.beta) for p in phrases])
        n = rng.multinomial(size, rng.dirichlet(np.full(len(phrases), spread)))
        y = rng.binomial(n, np.clip(rate(mean), 0, 1))
        return n.astype(np.float64), y.astype(np.float64)

    return author
