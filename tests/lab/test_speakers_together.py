"""All speakers as one department: planted rates are found better than by each speaker alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from radcal.advice.ordered import alone
from radcal.calibration.evidence import Evidence
from radcal.calibration.model import learned, posterior
from radcal.lab.recalibrating import Halves
from radcal.lab.speakers_together import rates_together
from radcal.system.errors import Cancelled
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon, mean_of, point

SETTINGS, LEXICON = Settings(), load_lexicon().phrases
WORDS = tuple(point(f"{k / 10:.12g}", k / 10) for k in range(1, 10))
MEAN = np.array([mean_of(p) for p in WORDS])


def truth_of(rng: np.random.Generator) -> np.ndarray:
    """A speaker whose words lie about 1 too high in log odds, as everybody's do."""
    shift = -1.0 + 0.2 * rng.normal()
    return np.asarray(1 / (1 + np.exp(-(shift + np.log(MEAN / (1 - MEAN))))))


def department(groups: int, each: int) -> tuple[dict[tuple[str, str], Halves], list[np.ndarray]]:
    rng = np.random.default_rng(0)
    halves, truths = {}, []
    for g in range(groups):
        truth = truth_of(rng)
        right = rng.binomial(each, truth)
        counts = np.stack([each - right, right], axis=1).astype(np.float64)
        group = (f"model {g // 2}", f"set {g % 2}")
        halves[group] = Halves.of(WORDS, counts, LEXICON, SETTINGS, np.random.default_rng(0))
        truths.append(truth)
    return halves, truths


@pytest.mark.slow
def test_what_all_share_is_learned_from_all_and_helps_where_each_says_little() -> None:
    halves, truths = department(12, 8)
    found = rates_together(halves)
    off = {"together": 0.0, "alone": 0.0}
    for rates, own, truth in zip(found, halves.values(), truths, strict=True):
        by_itself = alone(own.words.bins)(*own.known).mean[:, own.words.rows]
        assert rates.shape == (len(own.known[0]) + 1, len(WORDS))
        off["together"] += float(((rates[:-1] - truth) ** 2).mean())
        off["alone"] += float(((by_itself - truth) ** 2).mean())
    assert off["together"] < 0.9 * off["alone"]


@pytest.mark.slow
def test_the_last_row_is_the_department_model_of_all_answers() -> None:
    halves, _ = department(4, 30)
    n, y = (np.array([h.counts.sum(axis=1) if k == 0 else h.counts[:, 1] for h in halves.values()]) for k in (0, 1))
    evidence, groups, names = Evidence(n, y, np.ones_like(n)), list(halves), [p.name for p in WORDS]
    direct = posterior(evidence, MEAN, names, learned(evidence, MEAN, names, groups), groups).mean
    for rates, expected in zip(rates_together(halves), direct, strict=True):
        assert rates[-1] == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_no_half_knows_of_the_answers_that_it_is_judged_on() -> None:
    halves, _ = department(3, 20)
    found = rates_together(halves)
    for own in halves.values():
        for array in own.judged:
            array[:] = 0
    again = rates_together(halves)
    assert all((one == other).all() for one, other in zip(found, again, strict=True))


def test_somebody_may_stop_it(onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        rates_together(department(2, 5)[0], onlooker(looks=0))
