"""The published measures on plain data: by hand, beside scikit-learn's, and what must not change them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import brier_score_loss, roc_auc_score

import radcal
from radcal.words.phrases import Lexicon, Phrase, plain, point
from tests.library.conftest import WORDS


def test_ece_of_numbers_is_that_of_their_bins(numbers: pd.DataFrame) -> None:
    """sum_k (n_k / N) |rate_k - number_k|, since each number has a bin of its own."""
    by = numbers.groupby("phrase")["outcome"].agg(["size", "mean"])
    expected = ((by["mean"] - by.index).abs() * by["size"]).sum() / len(numbers)
    assert radcal.ece(numbers) == pytest.approx(expected)
    assert radcal.ece_star(numbers) == pytest.approx(expected)
    assert radcal.ece(numbers, method="midpoint") == pytest.approx(expected)
    assert radcal.ece(numbers, n_bins=2) == pytest.approx(_in_two(numbers))


def _in_two(numbers: pd.DataFrame) -> float:
    """ECE in two bins, row by row."""
    gaps = [0.0, 0.0]
    for number, outcome in zip(numbers["phrase"], numbers["outcome"], strict=True):
        gaps[number >= 0.5] += outcome - number
    return sum(map(abs, gaps)) / len(numbers)


def test_ece_of_words_by_integration() -> None:
    """Beta(2, 3) said ten times, seven of them confirmed: integral of |0.7 - s| dBeta over bins, by quadrature."""
    lexicon = Lexicon((Phrase("maybe", 2, 3, 0.2, 0.6),))
    said = {"phrase": ["maybe"] * 10, "outcome": [1] * 7 + [0] * 3}
    edges, law = np.linspace(0, 1, 11), stats.beta(2, 3)
    masses = np.diff(law.cdf(edges))
    means = np.array([law.expect(lb=a, ub=b, conditional=True) for a, b in pairwise(edges)])
    assert radcal.ece(said, lexicon, n_bins=10) == pytest.approx(float((masses * abs(0.7 - means)).sum()))
    middle = (edges[:-1] + edges[1:]) / 2
    weight = law.pdf(middle) / 10
    assert radcal.ece(said, lexicon, "midpoint", n_bins=10) == pytest.approx(float((weight * abs(0.7 - middle)).sum()))
    star = masses[1:-1] @ abs(0.7 - means[1:-1]) / masses[1:-1].sum()
    assert radcal.ece_star(said, lexicon, n_bins=10) == pytest.approx(float(star))


def test_brier_and_auroc_of_numbers_are_those_of_scikit_learn(numbers: pd.DataFrame) -> None:
    assert radcal.brier(numbers) == pytest.approx(brier_score_loss(numbers["outcome"], numbers["phrase"]))
    (group,) = radcal.reliability(numbers, bootstrap=0).groups().to_dict("records")
    assert group["auroc"] == pytest.approx(roc_auc_score(numbers["outcome"], numbers["phrase"]))
    assert group["brier"] == pytest.approx(radcal.brier(numbers))
    assert group["ece"] == pytest.approx(radcal.ece(numbers))


def test_a_word_adds_the_variance_of_its_meaning() -> None:
    a, b = 6.0, 2.0
    said = {"phrase": [(a, b)] * 4, "outcome": [1, 1, 1, 0]}
    variance = stats.beta(a, b).var()
    assert radcal.brier(said) == pytest.approx(brier_score_loss(said["outcome"], [0.75] * 4) + variance)


def test_a_number_and_a_word_that_means_it_agree(numbers: pd.DataFrame) -> None:
    names = {0.1: "hardly", 0.25: "doubtful", 0.5: "even", 0.75: "probable", 0.9: "sure"}
    lexicon = Lexicon((plain("absent"), plain("present"), *(point(name, at) for at, name in names.items())))
    in_words = numbers.assign(phrase=numbers["phrase"].map(names))
    for measure in (radcal.ece, radcal.ece_star, radcal.brier):
        assert measure(in_words, lexicon) == pytest.approx(measure(numbers))
    theirs, ours = (radcal.reliability(f, lexicon, bootstrap=0).groups() for f in (in_words, numbers))
    pd.testing.assert_frame_equal(theirs, ours)


def test_the_order_of_rows_does_not_matter(said: pd.DataFrame) -> None:
    other = said.sample(frac=1, random_state=2)
    assert radcal.ece(other) == pytest.approx(radcal.ece(said))
    pd.testing.assert_frame_equal(radcal.transport_plan(other), radcal.transport_plan(said))
    frames = [radcal.reliability(f, bootstrap=30) for f in (said, other)]
    pd.testing.assert_frame_equal(frames[0].groups(), frames[1].groups())
    pd.testing.assert_frame_equal(frames[0].phrases(), frames[1].phrases())


def test_costs_are_those_of_saying_it_all_anew(said: pd.DataFrame) -> None:
    """C[k, l] = (ECE after every k is said as l - ECE) / share of k, from the frames themselves."""
    costs, before = radcal.cost_matrix(said), radcal.ece(said)
    assert list(costs.index) == list(WORDS)
    for source, target in (("likely", "possibly"), ("unlikely", "present"), ("absent", "likely")):
        changed = said.assign(phrase=said["phrase"].replace(source, target))
        share = (said["phrase"] == source).mean()
        assert costs.loc[source, target] == pytest.approx((radcal.ece(changed) - before) / share)
    assert np.diag(costs[list(costs.index)]) == pytest.approx(np.zeros(len(WORDS)))


@pytest.mark.parametrize("tau2", [0.001, 0.1, 10.0])
def test_a_plan_adds_to_one_and_keeps_what_is_said(said: pd.DataFrame, tau2: float) -> None:
    plan = radcal.transport_plan(said, tau2=tau2)
    assert plan.to_numpy().min() >= 0
    assert plan.to_numpy().sum() == pytest.approx(1)
    use = said["phrase"].value_counts(normalize=True)[list(WORDS)]
    assert plan.sum(axis=1).to_numpy() == pytest.approx(use.to_numpy(), abs=1e-7)
    if tau2 == 10:  # departing is dear: the use of words stays
        assert plan.sum(axis=0).to_numpy() == pytest.approx(use.to_numpy(), abs=0.02)
    cost = radcal.cost_matrix(said)[list(WORDS)]
    assert (plan * cost).to_numpy().sum() <= 1e-3 * math.log(1 / use.min())


def test_groups_are_taken_one_by_one(said: pd.DataFrame) -> None:
    own = radcal.reliability(said, bootstrap=0).groups().set_index(["author", "topic"])["ece"]
    for group, rows in said.groupby(["author", "topic"]):
        assert radcal.ece(rows) == pytest.approx(own[group])
