"""Partitions by columns and by a k-d tree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from radcal.lab.groups.partitions import Columns, KdTree, KMeans
from radcal.system.errors import InputError


def named(frame, *columns):
    codes, names = Columns.over(frame, columns).of(frame, np.arange(0))
    return [names[code] for code in codes]


def test_columns_are_crossed_and_empty_cells_are_a_partition():
    frame = pd.DataFrame({"site": ["A", "A", " B", "", "nan"], "shift": ["day", "night", "day", "day", ""]})
    assert named(frame, "site") == ["A", "A", "B", "(missing)", "(missing)"]
    assert named(frame, "site", "shift") == [
        "A / day",
        "A / night",
        "B / day",
        "(missing) / day",
        "(missing) / (missing)",
    ]


def test_many_numbers_are_cut_into_quarters_and_few_are_not():
    age = [str(n) for n in range(20, 100)]
    columns = Columns.over(pd.DataFrame({"age": [*age, ""]}), ("age",))
    assert columns.named.value_counts().to_dict() == {
        "20 to 39": 20,
        "40 to 59": 20,
        "60 to 79": 20,
        "80 to 99": 20,
        "(missing)": 1,
    }
    assert columns.notes == ("age has many numbers and was cut into quarters: 20 to 39, 40 to 59, 60 to 79, 80 to 99.",)
    few = Columns.over(pd.DataFrame({"tesla": ["1.5", "3", "1.5"]}), ("tesla",))
    assert (set(few.named), few.notes) == ({"1.5", "3"}, ())


def test_a_column_that_names_every_row_and_too_many_partitions_are_refused():
    frame = pd.DataFrame({c: [f"{c}{n % m}" for n in range(600)] for c, m in (("id", 600), ("a", 20), ("b", 19))})
    with pytest.raises(InputError, match="'id' has 600 different values"):
        Columns.over(frame, ("id",))
    ages = frame.assign(age=[str(n % 90) if n % 100 else "unknown" for n in range(600)])
    with pytest.raises(InputError, match="where all cells are numbers or empty; others are: 'unknown'"):
        Columns.over(ages, ("age",))
    named = frame.assign(age=[str(n % 90) if n % 100 else "Karin Holt" for n in range(600)])
    with pytest.raises(InputError, match="others are: \u2026") as refused:
        Columns.over(named, ("age",))
    assert "Holt" not in str(refused.value)
    with pytest.raises(InputError, match="380 partitions"):
        Columns.over(frame, ("a", "b"))


def grown(points, depth, tree=None):
    frame = pd.DataFrame(points, columns=[f"x{k}" for k in range(np.shape(points)[1])])
    return KdTree(tuple(frame.columns), depth).of(frame, np.arange(len(frame)) if tree is None else tree)


def test_leaves_halve_their_rows_in_one_coordinate_after_the_other():
    points = np.random.default_rng(0).random((64, 3))
    codes, names = grown(points, 2)
    assert names == ("leaf 1", "leaf 2", "leaf 3", "leaf 4")
    assert np.bincount(codes).tolist() == [16, 16, 16, 16]
    left = points[:, 0] <= np.median(points[:, 0])
    for side in (left, ~left):
        below = side & (points[:, 1] <= np.median(points[side, 1]))
        assert len(set(codes[below])) == 1
        assert set(codes[below]).isdisjoint(codes[~below])


def test_only_tree_rows_decide_where_cuts_lie():
    points = np.random.default_rng(1).random((300, 2))
    tree = np.arange(60)
    moved = points.copy()
    moved[200:] += 5
    assert grown(points, 3, tree)[0][:200].tolist() == grown(moved, 3, tree)[0][:200].tolist()


def test_ties_constant_coordinates_and_missing_ones():
    points = np.column_stack([np.ones(40), np.repeat([0.0, 1.0], [30, 10]), np.arange(40.0)])
    codes, names = grown(points, 1)
    assert (names, np.bincount(codes).tolist()) == (("leaf 1", "leaf 2"), [30, 10])
    points[5, 2] = np.nan
    codes, names = grown(points, 2)
    assert names[codes[5]] == "(missing)"
    assert np.bincount(codes).tolist()[-1] == 1
    codes, names = grown(np.ones((10, 2)), 3)
    assert (names, set(codes)) == (("leaf 1",), {0})
    codes, names = grown(np.full((10, 2), np.nan), 3)
    assert [names[code] for code in codes] == ["(missing)"] * 10


def test_k_means_finds_what_lies_together_and_learns_from_tree_rows_alone():
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0], [10, 0], [0, 10], [10, 10]])
    truth = rng.integers(0, 4, 400)
    points = centres[truth] + rng.normal(size=(400, 2))
    frame, tree = pd.DataFrame(points, columns=["x", "y"]), np.arange(100)
    codes, names = KMeans(("x", "y"), 2).of(frame, tree)
    assert len(names) == len(set(codes)) == 4
    for k in range(4):
        assert len(set(codes[truth == k])) == 1
    moved = frame.copy()
    moved.loc[100:, "x"] = 1e6
    assert KMeans(("x", "y"), 2).of(moved, tree)[0][:100].tolist() == codes[:100].tolist()


def test_k_means_of_few_places_and_of_rows_without_one():
    frame = pd.DataFrame({"x": [1.0, 1.0, 2.0, np.nan], "y": [0.0, 0.0, 0.0, 1.0]})
    codes, names = KMeans(("x", "y"), 5).of(frame, np.arange(4))
    assert names == ("cluster 1", "cluster 2", "(missing)")
    assert codes[0] == codes[1] != codes[2]
    assert codes[3] == 2
    nowhere = KMeans(("x",), 1).of(frame.assign(x=np.nan), np.arange(4))
    assert (nowhere[0].tolist(), nowhere[1]) == ([1, 1, 1, 1], ("cluster 1", "(missing)"))
