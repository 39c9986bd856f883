"""Diagrams against loops over bins, and the grid of the transport against single runs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from radcal.lab.diagrams import BINS, ENTROPIES, PRICES, diagrams, grid
from radcal.lab.recalibrating import Halves, recalibrated
from radcal.system.errors import EngineError
from radcal.system.settings import Settings
from radcal.words.phrases import central_half, load_lexicon, mean_of
from radcal.words.records import Phrase

LEXICON = load_lexicon().phrases
SAID = tuple(Phrase(f"Beta({a}, {b})", a, b, *central_half(a, b)) for a, b in ((2.0, 6.0), (5.0, 5.0), (9.0, 2.0)))
COUNTS = np.array([[20.0, 10.0], [25.0, 25.0], [10.0, 30.0]])


def test_a_diagram_is_equations_3_to_7() -> None:
    n, y = COUNTS.sum(axis=1), COUNTS[:, 1]
    made = diagrams(SAID, COUNTS, "exact")
    assert [d.bins for d in made] == list(BINS)
    for d in made[:2]:
        edges, gap, scalar = np.linspace(0, 1, d.bins + 1), 0.0, 0.0
        for m, (low, high) in enumerate(pairwise(edges)):
            own = [beta(p.alpha, p.beta) for p in SAID]
            w = np.array([float(b.cdf(high) - b.cdf(low)) for b in own])
            g = np.array([quad(lambda s, b=b: s * b.pdf(s), low, high)[0] for b in own])
            gap += abs(float(y @ w - n @ g))
            assert d.curve[m] == pytest.approx(float(y @ w / (n @ w)))
            inside = np.array([low <= mean_of(p) < high for p in SAID])
            scalar += abs(float((y - n * [mean_of(p) for p in SAID])[inside].sum()))
            expected = float(y[inside].sum() / n[inside].sum()) if inside.any() else None
            assert d.curve_of_means[m] == (None if expected is None else pytest.approx(expected))
        assert d.ece == pytest.approx(gap / n.sum(), abs=1e-9)
        assert d.ece_of_means == pytest.approx(scalar / n.sum())


def test_distributions_hardly_depend_on_the_bins_and_numbers_do() -> None:
    """Of a speaker of many words, whose words of about one mean come true at different rates."""
    rng = np.random.default_rng(0)
    said = tuple(Phrase(f"{k}", a := 1 + k / 4, 12 - a, *central_half(a, 12 - a)) for k in range(40))
    right = rng.binomial(20, rng.uniform(0.2, 0.8, 40)).astype(np.float64)
    made = diagrams(said, np.stack([20 - right, right], axis=1), "exact")[1:]
    spread = max(d.ece for d in made) - min(d.ece for d in made)
    assert spread < 0.2 * (max(d.ece_of_means for d in made) - min(d.ece_of_means for d in made))


@pytest.mark.slow
def test_the_grid_holds_the_transport_of_the_paper_and_tells_what_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(tau2=1e-2)
    halves = Halves.of(LEXICON[3:8], np.full((5, 2), 20.0), LEXICON, settings, np.random.default_rng(0))
    made = {(p.epsilon, p.tau2): p for p in grid(halves)}
    assert set(made) == {(e, t) for e in ENTROPIES for t in PRICES}
    assert made[1e-3, 1e-2].ece == pytest.approx(recalibrated(halves, settings).methods["transport"].ece_of_means.value)
    # The dearer it is to leave today's use of words, the less is gained in the half fitted to.
    fitted = [made[1e-3, t].ece_fitted or 0.0 for t in PRICES]
    assert fitted[0] <= fitted[-1]

    def none(*_: object) -> None:
        raise EngineError("There is no plan.")

    monkeypatch.setattr(type(halves.words), "transported", none)
    assert {(p.ece, str(p.failed)) for p in grid(halves)} == {(None, "There is no plan.")}
