"""Our figures beside those of netcal, calzone, relplot, scikit-learn and CORP; where they differ, why.

``peers.toml`` holds what the peers made of the cases of ``benchmarks/bench_peers.py``, which recorded it.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import radcal
from radcal.calibration import scoring
from radcal.calibration.cox import calibration_line
from radcal.calibration.reliability import monotone
from radcal.calibration.tables import build_tables
from radcal.system.settings import Settings
from radcal.words.phrases import point
from radcal.words.records import Phrase, PhraseBins

Array = NDArray[np.float64]
PEERS = tomllib.loads((Path(__file__).parent / "peers.toml").read_text(encoding="utf-8"))
BINS = 10
CLOSE = {"rel": 0, "abs": 1e-9}
OFF_THE_EDGES = ("numbers", "few", "words")
"""Cases in which no forecast lies on an edge where it would matter to which bin it goes."""


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """The benchmark that has the cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
        yield importlib.import_module("bench_peers")


@pytest.fixture(scope="module")
def cases(bench: ModuleType) -> dict[str, tuple[Array, Array]]:
    made: dict[str, tuple[Array, Array]] = bench.cases()
    return made


def rows(f: Any, y: Array) -> pd.DataFrame:
    return pd.DataFrame({"author": "model", "topic": "questions", "phrase": f, "outcome": y})


def in_bins(f: Array, y: Array, place: NDArray[np.int_], bins: int) -> float:
    """Our ECE with each forecast in a bin that somebody else chose for it."""
    weight = np.zeros((len(f), bins))
    weight[np.arange(len(f)), place] = 1.0
    names = tuple(map(str, range(len(f))))
    made = PhraseBins(names, np.linspace(0, 1, bins + 1), weight, weight * f[:, None], f, f**2, (f > 0.5) + 0.0)
    return float(scoring.ece(np.ones(len(f)), y, made))


def test_the_recorded_figures_are_of_these_cases(cases: dict[str, tuple[Array, Array]]) -> None:
    assert cases.keys() == PEERS.keys() - {"versions"}
    for name, (f, y) in cases.items():
        assert PEERS[name]["n"] == len(f)
        assert PEERS[name]["sklearn_brier"] == pytest.approx(np.mean((f - y) ** 2), **CLOSE)


@pytest.mark.parametrize("case", OFF_THE_EDGES)
def test_errors_in_bins_are_those_of_netcal_calzone_and_relplot(
    cases: dict[str, tuple[Array, Array]], case: str
) -> None:
    observations, theirs = rows(*cases[case]), PEERS[case]
    ours = radcal.ece(observations, n_bins=BINS)
    assert [theirs[f"{peer}_ece"] for peer in ("netcal", "calzone", "relplot_binned")] == pytest.approx(
        [ours] * 3, **CLOSE
    )
    group = radcal.reliability(observations, n_bins=BINS, bootstrap=0).groups().iloc[0]
    assert group["ece"] == pytest.approx(ours, **CLOSE)
    assert (theirs["netcal_mce"], theirs["calzone_mce"]) == pytest.approx((group["mce"],) * 2, **CLOSE)


@pytest.mark.parametrize("case", sorted(PEERS.keys() - {"versions"}))
def test_scores_and_their_parts_are_those_of_scikit_learn_and_corp(
    cases: dict[str, tuple[Array, Array]], case: str
) -> None:
    """reliabilitydiag's parts of the Brier score, by the isotonic regression of scikit-learn."""
    observations, theirs = rows(*cases[case]), PEERS[case]
    assert radcal.brier(observations) == pytest.approx(theirs["sklearn_brier"], **CLOSE)
    auroc = radcal.reliability(observations, bootstrap=0).groups()["auroc"].iloc[0]
    assert auroc == pytest.approx(theirs["sklearn_auroc"], **CLOSE)
    words = [point(f"{f:.12g}", f) for f in np.unique(cases[case][0])]
    named = observations.assign(phrase=[f"{f:.12g}" for f in observations["phrase"]])
    parts = monotone(build_tables(named, words), words, Settings(bootstrap=0))
    for part in ("miscalibration", "discrimination", "uncertainty"):
        assert getattr(parts, part) == pytest.approx(theirs[f"corp_{part}"], **CLOSE)


def test_on_the_edges_of_bins_each_has_its_own_rule(cases: dict[str, tuple[Array, Array]]) -> None:
    """A number is where its digits put it; peers leave that to binary fractions, and calzone leaves out 0."""
    f, y = cases["edges"]
    theirs, edges = PEERS["edges"], np.linspace(0, 1, BINS + 1)
    by_digits = np.minimum(np.rint(f * 10).astype(int), BINS - 1)
    assert radcal.ece(rows(f, y), n_bins=BINS) == pytest.approx(in_bins(f, y, by_digits, BINS), **CLOSE)
    by_edges = np.clip(np.searchsorted(edges, f, side="right") - 1, 0, BINS - 1)
    assert theirs["netcal_ece"] == pytest.approx(in_bins(f, y, by_edges, BINS), **CLOSE)
    by_division = (f / (1 / BINS)).astype(int)
    assert theirs["relplot_binned_ece"] == pytest.approx(in_bins(f, y, by_division, BINS + 1), **CLOSE)
    some = f > 0
    below = np.searchsorted(edges, f[some], side="left") - 1
    assert theirs["calzone_ece"] == pytest.approx(in_bins(f[some], y[some], below, BINS), **CLOSE)
    assert (by_digits != by_edges).any()
    assert abs(theirs["calzone_ece"] - theirs["netcal_ece"]) > 0.04


@pytest.mark.parametrize("case", ["numbers", "few"])
def test_relplot_smooths_as_numbers_of_some_width_do(
    bench: ModuleType, cases: dict[str, tuple[Array, Array]], case: str
) -> None:
    """Its error with bandwidth s is ours of Betas with standard deviation s around the numbers, but for their width."""
    f, y = cases[case]
    strength = np.maximum(f * (1 - f) / bench.BANDWIDTH**2 - 1, 2)
    wide = [f"Beta({a:.9g}, {b:.9g})" for a, b in zip(f * strength, (1 - f) * strength, strict=True)]
    group = radcal.reliability(rows(wide, y), n_bins=200, bootstrap=0).groups().iloc[0]
    assert group["ece_width"] < 0.01
    assert abs(group["ece"] - PEERS[case]["relplot_smooth_ece"]) <= group["ece_width"] + 1e-3


def test_calzone_has_the_line_without_a_prior(cases: dict[str, tuple[Array, Array]]) -> None:
    """Ours is drawn to slope 1 by a weak prior, of which a thousand times the data leave nothing."""
    certain = np.array([[0.0, 1.0]])
    for case in OFF_THE_EDGES:
        f, y = cases[case]
        theirs = PEERS[case]["calzone_slope"], PEERS[case]["calzone_intercept"]
        ours = radcal.reliability(rows(f, y), bootstrap=0).groups()[["slope", "intercept"]].iloc[0].tolist()
        assert ours == pytest.approx(theirs, abs=0.06)
        assert np.hypot(ours[0] - 1, ours[1]) < np.hypot(theirs[0] - 1, theirs[1])
        many = calibration_line(1e3 * np.ones((1, len(f))), 1e3 * y[None], f, certain, 0.95)
        assert (many["slope"][0], many["intercept"][0]) == pytest.approx(theirs, abs=1e-4)


def test_calzone_counts_plain_statements_as_nearly_plain(cases: dict[str, tuple[Array, Array]]) -> None:
    """It takes 0 for 1e-7, which bends the line; ours is of what lies between."""
    f, y = cases["edges"]
    certain, nearly = np.array([[0.0, 1.0]]), np.clip(f, 1e-7, 1 - 1e-7)
    bent = calibration_line(1e6 * np.ones((1, len(f))), 1e6 * y[None], nearly, certain, 0.95)
    assert bent["slope"][0] == pytest.approx(PEERS["edges"]["calzone_slope"], abs=1e-3)
    between = (f > 0) & (f < 1)
    ours = radcal.reliability(rows(f, y), bootstrap=0).groups()["slope"].iloc[0]
    assert ours == pytest.approx(
        radcal.reliability(rows(f[between], y[between]), bootstrap=0).groups()["slope"].iloc[0], abs=1e-6
    )
    assert ours > 3 * PEERS["edges"]["calzone_slope"]


def test_words_are_wider_than_their_means(bench: ModuleType, cases: dict[str, tuple[Array, Array]]) -> None:
    """Peers know a word by its mean alone; the narrower our words, the nearer are both."""
    f, y = cases["words"]
    name = {a / (a + b): word for word, (a, b) in bench.WORDS.items()}
    off = []
    for times in (1, 10, 100, 1e6):
        lexicon = radcal.Lexicon(
            tuple(Phrase(word, a * times, b * times, 0.0, 1.0) for word, (a, b) in bench.WORDS.items())
        )
        ours = radcal.ece(rows([name[mean] for mean in f], y), lexicon, n_bins=BINS)
        off.append(abs(ours - PEERS["words"]["netcal_ece"]))
    assert off[0] > 0.003
    assert off[-1] < 1e-4
    assert off == sorted(off, reverse=True)
