"""All methods over seeds: figures from the scores that are handed out, and authors with too few rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from radcal.lab.groups.comparison import MEASURES, METHODS, THRESHOLDS, compare, score_rows, to_json
from radcal.lab.groups.partitions import Columns, KdTree, KMeans
from radcal.system.errors import Cancelled

KEYS = set(MEASURES)
OUTCOMES = ("umd", "qab", "hs_qab")
BOUND = (*OUTCOMES, "s_qab", "hs_qab_paper")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    n = 700
    frame = pd.DataFrame(
        {
            "author": pd.Categorical(["A"] * 400 + ["B"] * 250 + ["few"] * 50),
            "confidence": rng.choice([0.6, 0.8, 0.9, 1.0], n),
            "outcome": 0.0,
            "site": rng.choice(["X", "Y", ""], n, p=[0.6, 0.3, 0.1]),
            "x": rng.normal(size=n),
            "row": "a column of the user's",
        },
        index=np.arange(n) * 2,
    )
    frame["outcome"] = (rng.random(n) < np.where(frame["site"] == "X", 0.9, 0.5)).astype(float)
    return frame


@pytest.fixture(scope="module")
def compared(rows):
    return compare(rows, Columns.over(rows, ("site",)), seeds=3, seed=5)


def test_figures_are_those_of_the_scores(rows, compared):
    header, *listed = score_rows(compared)
    assert header == ["author", "seed", "row", "split", "partition", *METHODS]
    scores = pd.DataFrame(listed, columns=pd.Index(header))
    outcome = rows["outcome"].to_dict()
    test = scores[scores["split"] == "test"].assign(outcome=lambda s: s["row"].map(outcome))
    made = {author["author"]: author for author in to_json(compared)["authors"]}
    for author, own in test.groupby("author"):
        for method in ("none", "umd", "hs_qab"):  # these have at most ten values in a partition
            errors = []
            for _, run in own.groupby("seed"):
                cells = run.groupby(["partition", method])
                errors.append(sum(abs(cell["outcome"].sum() - cell[method].sum()) for _, cell in cells) / len(run))
            figures = made[author]["methods"][method]
            assert figures["ce_beta"] == pytest.approx(np.mean(errors))
            assert [figures["ce_beta_low"], figures["ce_beta_high"]] == pytest.approx(
                np.quantile(errors, [0.025, 0.975])
            )


def test_every_row_of_an_author_is_there_once_for_each_seed(rows, compared):
    for run in compared.scores:
        assert sorted(run.row) == rows.index[rows["author"] == run.author].tolist()
    assert [(run.author, run.seed) for run in compared.scores] == [(a, s) for a in "AB" for s in (5, 6, 7)]


def test_an_author_with_too_few_rows_has_a_reason_and_no_figures(compared):
    few = to_json(compared)["authors"][2]
    assert few == {
        "author": "few",
        "n": 50,
        "reason": "50 rows are too few to compare methods, at least 100 are needed.",
        "methods": None,
        "best_baseline": None,
        "partitions": None,
        "points": None,
        "depths": None,
        "partition_rows": None,
    }


def test_plain_values(compared):
    made = to_json(compared, {"seeds": 3})
    assert made["seeds"] == 3
    one = made["authors"][0]
    assert list(one["methods"]) == list(METHODS)
    assert one["best_baseline"] in METHODS[:6]
    assert (set(one["partitions"]), sum(one["partitions"].values())) == ({"X", "Y", "(missing)"}, 400)
    assert len(one["points"]) == 3
    for method, figures in one["methods"].items():
        named = {f"{key}{end}" for key in KEYS for end in ("", "_low", "_high")}
        assert set(figures) == named | {"bound", "nu", "selective"}
        assert [p["threshold"] for p in figures["selective"]] == list(THRESHOLDS)
        assert figures["selective"][0]["answered"] == 1
        assert figures["ce_low"] <= figures["ce"] <= figures["ce_high"]
        assert (figures["bound"] is not None) == (figures["nu"] is not None) == (method in BOUND)
        assert (figures["nu"] == 0) == (method in OUTCOMES)
    assert one["methods"]["umd"]["bound"] < one["methods"]["qab"]["bound"] < one["methods"]["hs_qab"]["bound"]
    assert made["bound"]["needed"][1] == {"epsilon": 0.1, "bins": 1, "findings": 151}


def test_the_same_seed_gives_the_same_and_an_author_does_not_depend_on_others(rows, compared):
    alone = rows[rows["author"] == "B"]
    again = to_json(compare(alone, Columns.over(rows, ("site",)), seeds=3, seed=5))
    assert again["authors"][0] == to_json(compared)["authors"][1]
    other = to_json(compare(alone, Columns.over(rows, ("site",)), seeds=3, seed=6))
    assert other["authors"][0]["methods"] != again["authors"][0]["methods"]


def test_one_seed_has_no_interval_and_a_tree_no_names(rows):
    made = to_json(compare(rows, KdTree(("x",), 2), seeds=1, points=20))
    one = made["authors"][0]
    assert (one["partitions"], one["points"]) == (None, [20])
    assert one["methods"]["none"]["ce"] is not None
    assert one["methods"]["none"]["ce_low"] is one["methods"]["none"]["ce_high"] is None


@pytest.mark.parametrize("tree", [KdTree, KMeans])
def test_a_tuned_tree_is_deep_where_that_tells_something_and_uses_tuning_rows_alone(rows, tree):
    rng = np.random.default_rng(1)
    own = rows[rows["author"] == "A"].copy()
    own["outcome"] = (rng.random(len(own)) < np.where(own["x"] > 0, 0.95, 0.1)).astype(float)
    tuned = compare(own, tree(("x",), 3), seeds=4, tune=True).authors[0]
    assert len(tuned.depths) == 4
    assert min(tuned.depths) >= 1
    assert max(tuned.depths) <= 3
    plain = compare(own, tree(("x",), 0), seeds=4).authors[0]
    assert plain.depths == ()
    assert tuned.methods["qab"].figures["auac_grid"].value > plain.methods["qab"].figures["auac_grid"].value + 0.1
    run = compare(own, tree(("x",), 3), seeds=1, tune=True)
    test = run.scores[0].row[run.scores[0].split == 3]
    turned = own.copy()
    turned.loc[test, "outcome"] = 1 - turned.loc[test, "outcome"]
    again = compare(turned, tree(("x",), 3), seeds=1, tune=True).authors[0]
    assert (again.depths, again.points) == (run.authors[0].depths, run.authors[0].points)


def test_can_be_cancelled(rows, onlooker):
    with pytest.raises(Cancelled):
        compare(rows, KdTree(("x",), 2), progress=onlooker(looks=0))


def test_the_bound_holds_for_all_bins_of_all_groups_together(rows, compared):
    """Recomputed from the split: N is that of all groups, and a group of a single row takes nothing from the others."""
    for author, own in rows.groupby("author", observed=True):
        figures = {name: m.bound for a in compared.authors if a.author == author for name, m in a.methods.items()}
        if not figures:
            continue
        widest = []
        for run in (run for run in compared.scores if run.author == author):
            points = next(a.points for a in compared.authors if a.author == author)[run.seed - 5]
            groups = own["site"].loc[run.row[run.split == 1]].value_counts()
            bins = [min(points, n) for n in groups if n > 1]
            widest.append(max(np.sqrt(np.log(2 * groups.sum() / (b * 0.1)) / (2 * (b - 1))) for b in bins))
        assert figures["qab"] == pytest.approx(np.median(widest))
        assert figures["hs_qab"] >= figures["qab"]
        assert np.isnan(figures["platt"])


def test_a_tiny_group_leaves_the_bound_of_the_others(rows):
    named = rows["site"].where(np.arange(len(rows)) % 200 != 0, "tiny")
    made = compare(rows.assign(site=named), Columns.over(rows.assign(site=named), ("site",)), seeds=4)
    bounds = [author.methods[name].bound for author in made.authors for name in ("qab", "hs_qab") if author.methods]
    assert len(bounds) == 4
    assert np.isfinite(bounds).all()
