"""Pictures: Axes in, the same Axes out, with the values of the result in them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

import radcal

pytest.importorskip("matplotlib")


@pytest.fixture
def ax() -> Iterator[object]:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    yield pyplot.figure().add_subplot()
    pyplot.close("all")


def test_the_curve_is_drawn_into_these_axes(said: pd.DataFrame, ax) -> None:
    result = radcal.reliability(said, bootstrap=30)
    curve = result.curve("Quill", "mass")
    assert radcal.plot.reliability(result, ax, author="Quill", topic="mass") is ax
    drawn = {line.get_label(): line.get_xydata() for line in ax.lines}
    known = curve[curve["rate"].notna() & (curve["density"] > 0.001)]
    assert ax.get_title() == "Quill: mass"
    assert drawn["confirmed"] == pytest.approx(known[["stated", "rate"]].to_numpy())
    assert drawn["calibrated"].tolist() == [[0, 0], [1, 1]]
    corners = ax.collections[1].get_paths()[0].vertices
    assert corners[:, 1].max() == pytest.approx(known["rate_high"].max())
    assert corners[:, 1].min() == pytest.approx(known["rate_low"].min())
    other = radcal.plot.reliability(curve)
    assert other is not ax
    assert other.get_xlabel() == ax.get_xlabel() == "stated certainty"
    with pytest.raises(radcal.InputError, match="Name one by author and topic"):
        radcal.plot.reliability(result, ax)
    for draw in (radcal.plot.reliability, radcal.plot.plan):
        with pytest.raises(radcal.InputError, match="This is no"):
            draw(said)


def test_nothing_is_drawn_where_nothing_was_said(ax) -> None:
    few = pd.DataFrame({"author": "A", "topic": "T", "phrase": ["likely"] * 60, "outcome": [1, 1, 0] * 20})
    result = radcal.reliability(few, bootstrap=30)
    radcal.plot.reliability(result, ax)
    drawn = {line.get_label(): line.get_xydata() for line in ax.lines}["confirmed"][:, 0]
    assert (drawn.min() > 0.2, drawn.max() < 1) == (True, True)
    assert result.curve()["rate"].notna().iloc[0]


def test_a_plan_is_drawn_as_shares_of_each_phrase(said: pd.DataFrame, ax) -> None:
    plan = radcal.transport_plan(said, tau2=0.1)
    assert radcal.plot.plan(plan, ax) is ax
    (image,) = ax.images
    assert np.asarray(image.get_array()) == pytest.approx(plan.div(plan.sum(axis=1), axis=0).to_numpy())
    assert [label.get_text() for label in ax.get_yticklabels()] == list(plan.index)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("advised", "said")
