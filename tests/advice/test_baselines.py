"""Words beside numbers: maps of scikit-learn, and the halves of the trial."""

from __future__ import annotations

import numpy as np
import pytest

from radcal.advice.advice import advise
from radcal.advice.explore import Explorer
from radcal.advice.judge import baselines, halved, tried
from radcal.advice.ordered import Guards
from radcal.advice.records import NUMBERS
from radcal.advice.report import to_json
from radcal.advice.solve import make_solver
from radcal.calibration.model import SHIPPED
from radcal.system.errors import EngineError
from radcal.system.settings import Settings
from radcal.words.bins import bin_phrases

FAST = Settings(bootstrap=0)
POSITIVE = np.array([0.0, 1.0])


def _solvers(lexicon, bins):
    guards = Guards(10, np.ones(len(lexicon), dtype=bool), 12, 0.95)
    return make_solver(bins, guards, FAST), make_solver(bins, guards, FAST.changed(solver="paper"))


def _halves(lexicon, draw, rate, size=400, seed=0):
    n, y = draw(lexicon, size, rate, seed)
    return halved(np.stack([n - y, y], axis=1), POSITIVE, np.random.default_rng(seed), (1.0, 1.0))


def test_isotonic_and_platt_are_those_of_scikit_learn(lexicon, draw):
    """Every finding of the training half a row of its own."""
    from sklearn.isotonic import IsotonicRegression
    from sklearn.linear_model import LogisticRegression

    bins = bin_phrases(lexicon)
    n, y = _halves(lexicon, draw, lambda m: 0.5 + (m - 0.5) / 2)
    scores = {"isotonic": [], "platt": []}
    for j in range(len(n)):
        s = np.repeat(bins.mean, n[j, 0].astype(int))
        o = np.concatenate([np.repeat([1, 0], [int(b), int(a - b)]) for a, b in zip(n[j, 0], y[j, 0], strict=True)])
        free = LogisticRegression(C=np.inf, max_iter=1000).fit(s[:, None], o)
        maps = {
            "isotonic": IsotonicRegression(out_of_bounds="clip").fit(s, o).predict(bins.mean),
            "platt": free.predict_proba(bins.mean[:, None])[:, 1],
        }
        for name, q in maps.items():
            off = y[j, 1] * (1 - q) ** 2 + (n[j, 1] - y[j, 1]) * q**2
            scores[name].append(off.sum() / n[j, 1].sum())
    found = {m.method: m for m in baselines(n, y, bins, *_solvers(lexicon, bins), 0.95).methods}
    assert found["isotonic"].brier.value == pytest.approx(np.mean(scores["isotonic"]), abs=1e-6)
    # Platt draws outcomes in by one success and one failure.
    assert found["platt"].brier.value == pytest.approx(np.mean(scores["platt"]), abs=5e-4)


def test_words_are_judged_on_the_halves_of_the_trial(lexicon, make_tables, draw):
    n, y = draw(lexicon, 400, lambda m: 0.5 + (m - 0.5) / 2)
    tables, found = make_tables(lexicon, edema=(n, y))
    (advice,) = advise(tables, found, lexicon, FAST, spread=SHIPPED, baselines=True)
    by_method = {m.method: m for m in advice.baselines.methods}
    test = advice.test
    for name, before, after in (
        ("brier", test.brier_before, test.brier_after),
        ("ece", test.ece_before, test.ece_after),
        ("word_error", test.word_error_before, test.word_error_after),
    ):
        assert getattr(by_method["none"], name).value == pytest.approx(before)
        assert getattr(by_method["advice"], name).value == pytest.approx(after)
    (_, published) = tried(
        np.stack([n - y, y], axis=1),
        POSITIVE,
        bin_phrases(lexicon),
        _solvers(lexicon, bin_phrases(lexicon))[1],
        np.random.default_rng(0),
    )
    assert by_method["transport"].brier.value == pytest.approx(published.brier_after, abs=0.01)
    gain = by_method["platt"].gain.value
    assert gain == pytest.approx(test.brier_before - by_method["platt"].brier.value)
    assert by_method["platt"].beyond_plan.value == pytest.approx(test.brier_after - by_method["platt"].brier.value)
    assert advice.baselines.n == pytest.approx(test.n)
    explored = Explorer(tables, found[0], lexicon).case(FAST).baselines()
    assert explored == advice.baselines


def test_what_words_cost_is_their_width_where_they_mean_what_ct_confirms(lexicon, draw):
    """A calibrated author: numbers gain the variance of the words, and taken for their means the words lose nothing."""
    bins = bin_phrases(lexicon)
    n, y = _halves(lexicon, draw, lambda m: m, 100_000)
    found = {m.method: m for m in baselines(n, y, bins, *_solvers(lexicon, bins), 0.95).methods}
    n, _ = draw(lexicon, 100_000, lambda m: m, 0)
    width = float(n @ (bins.second - bins.mean**2) / n.sum())
    assert found["isotonic"].gain.value == pytest.approx(width, abs=1e-3)
    assert found["isotonic"].beyond_means.value == pytest.approx(0, abs=1e-3)
    assert found["platt"].beyond_means.value < 0.001  # a line cannot do better than the truth


def test_a_transport_that_is_not_found_is_left_out_and_named(lexicon, draw):
    bins = bin_phrases(lexicon)

    def failing(*_):
        raise EngineError("There is no plan.")

    n, y = _halves(lexicon, draw, lambda m: m)
    found = baselines(n, y, bins, _solvers(lexicon, bins)[0], failing, 0.95)
    assert [m.method for m in found.methods] == ["none", "advice", *NUMBERS]
    assert str(found.reason) == "There is no plan."
    assert found.best_numbers.method in NUMBERS


def test_without_hedges_there_is_no_word_error_and_with_few_findings_nothing(lexicon, make_tables):
    tables, found = make_tables(lexicon, edema={"absent": (40, 1), "present": (40, 37)}, mass={"likely": (8, 3)})
    edema, mass = advise(tables, found, lexicon, FAST, baselines=True)
    assert mass.baselines is None
    assert {m.word_error for m in edema.baselines.methods} == {None}
    (first, second) = to_json([edema, mass])["groups"]
    assert second["baselines"] is None
    assert first["baselines"]["methods"]["as_worded"]["word_error"] is None
    assert set(first["baselines"]["methods"]["histogram_binning"]["brier"]) == {"value", "low", "high"}


@pytest.mark.parametrize("solver", ["ordered", "paper"])
def test_a_single_finding_cannot_be_halved_whatever_the_settings_ask_for(lexicon, make_tables, solver):
    tables, found = make_tables(lexicon, edema={"likely": (1, 1)}, mass={"likely": (1, 1), "absent": (1, 0)})
    settings = FAST.changed(min_group_n=1, solver=solver)
    edema, mass = advise(tables, found, lexicon, settings, baselines=True)
    assert edema.baselines is None
    assert str(edema.reason) == "1 finding; advice needs 2."
    assert mass.baselines.n == 1
