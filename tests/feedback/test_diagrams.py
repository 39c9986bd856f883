"""What the pictures show, and that their labels meet nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.feedback import diagrams, labels
from radcal.language import language
from radcal.records import Advice, Curve, FeedbackInput, PhraseRate, Reliability

ENGLISH = language()
Make = Callable[..., Reliability]
WORDS = (
    "absent",
    "very unlikely",
    "unlikely",
    "may represent",
    "suspicious for",
    "likely",
    "consistent with",
    "present",
)


def test_without_resamples_plain_statements_have_no_whiskers(reliability_of: Make) -> None:
    r = reliability_of("edema", {"absent": (40, 12), "likely": (60, 30), "present": (20, 15)})
    assert r.curve is not None
    nothing = np.full_like(r.curve.rate, np.nan)
    d = diagrams.reliability(replace(r, curve=replace(r.curve, rate_low=nothing, rate_high=nothing)), ENGLISH)
    assert d["interval"] == []
    assert [(p["rate"], p["low"], p["high"]) for p in d["points"]] == [(0.3, 0.3, 0.3), (0.75, 0.75, 0.75)]


def test_the_curve_is_the_record_s_between_the_end_bins(reliability_of: Make) -> None:
    r = reliability_of("edema", {"absent": (40, 2), "likely": (60, 30), "may represent": (30, 10), "present": (20, 19)})
    assert r.curve is not None
    d = diagrams.reliability(r, ENGLISH)
    for x, y in (point for run in d["curve"] for point in run):
        m = int(x * 100)
        assert 1 <= m <= 98
        assert x == pytest.approx((m + 0.5) / 100, abs=1e-4)
        assert y == pytest.approx(r.curve.rate[m], abs=1e-4)
    assert [p["x"] for p in d["points"]] == [0.0, 1.0]
    assert d["points"][1]["rate"] == pytest.approx(r.curve.rate[-1], abs=1e-4)
    assert max(y for run in d["density"] for _, y in run) == 1.0


def test_without_plain_statements_the_end_bins_belong_to_the_curve(reliability_of: Make) -> None:
    d = diagrams.reliability(reliability_of("edema", {"consistent with": (60, 55), "likely": (30, 20)}), ENGLISH)
    assert d["points"] == []
    assert d["curve"][-1][-1][0] == pytest.approx(0.995)


def test_only_plain_statements_leave_points_alone(reliability_of: Make) -> None:
    d = diagrams.reliability(reliability_of("edema", {"absent": (60, 2), "present": (30, 29)}), ENGLISH)
    assert d["curve"] == d["interval"] == d["density"] == []
    assert len(d["points"]) == 2
    assert "Of statements" not in d["alt"]


def curve_of(rate: list[float], density: list[float]) -> Curve:
    m = len(rate)
    edges = np.linspace(0, 1, m + 1)
    r, p = np.array(rate), np.array(density)
    return Curve(edges[:-1], edges[1:], r, r - 0.05, r + 0.05, p, (edges[:-1] + edges[1:]) / 2, r - 0.1, r + 0.1)


def group(curve: Curve) -> Reliability:
    return Reliability("", "edema", 50, (PhraseRate("likely", 50, 25, 0.5, 0.4, 0.6, 0.7),), curve=curve)


def test_an_empty_bin_breaks_the_line_and_a_lone_bin_is_drawn() -> None:
    d = diagrams.reliability(group(curve_of([0.5, 0.5, np.nan, 0.4, np.nan], [0.3, 0.3, 0.0, 0.4, 0.0])), ENGLISH)
    assert [len(run) for run in d["curve"]] == [2, 2]
    (x0, y0), (x1, y1) = d["curve"][1]
    assert (x0, x1) == (pytest.approx(0.6), pytest.approx(0.8))
    assert y0 == y1 == 0.4


def test_the_curve_is_not_drawn_where_hardly_anything_was_said() -> None:
    d = diagrams.reliability(group(curve_of([0.5] * 5, [0.001, 0.3, 0.4, 0.298, 0.001])), ENGLISH)
    assert [[x for x, _ in run] for run in d["curve"]] == [[0.3, 0.5, 0.7]]


def test_a_curve_without_intervals_is_described_without_them() -> None:
    c = curve_of([0.5] * 10, [0.1] * 10)
    nothing = np.full(10, np.nan)
    d = diagrams.reliability(
        group(replace(c, rate_low=nothing, rate_high=nothing, luck_low=nothing, luck_high=nothing)), ENGLISH
    )
    assert d["interval"] == d["luck"] == []
    assert len(d["curve"]) == 1
    assert "nan" not in d["alt"]
    assert "CT confirmed 50" in d["alt"]


@settings(deadline=None, max_examples=40)
@given(
    st.dictionaries(st.sampled_from(WORDS), st.tuples(st.integers(5, 80), st.floats(0, 1)), min_size=1),
    st.integers(0, 99),
)
def test_labels_meet_nothing_and_stay_on_their_side(
    reliability_of: Make, counts: dict[str, tuple[int, float]], seed: int
) -> None:
    r = reliability_of("edema", {w: (n, round(n * share)) for w, (n, share) in counts.items()}, min_n=1, seed=seed)
    d = diagrams.reliability(r, ENGLISH)
    boxes: list[tuple[str, labels.Rect]] = []
    for label in d["labels"]:
        size = labels.box_of(label["lines"], 0, 0)
        boxes.append((label["kind"], labels.box_of(label["lines"], label["x"], label["y"] - size.top)))
    for k, (kind, box) in enumerate(boxes):
        assert min(box.left, box.bottom) >= 0
        assert max(box.right, box.top) <= 1
        for run in d["curve"]:
            assert not any(box.left < x < box.right and box.bottom < y < box.top for x, y in run)
        for run in d["interval"]:
            assert not any(box.left < x < box.right and box.bottom < high and low < box.top for x, low, high in run)
        assert not any(box.meets(other) for _, other in boxes[k + 1 :])
        if kind == "below":
            assert box.top <= box.left + 1e-3
        if kind == "above":
            assert box.bottom >= box.right - 1e-3


def test_a_recommendation_shows_what_is_taken_what_was_found_and_what_would_match(
    make: Callable[..., FeedbackInput], advice_of: Callable[..., Advice]
) -> None:
    data = make()
    r = data.advices[0].recommendations[0]
    phrases = {p.name: p for p in data.phrases}
    d = diagrams.recommendation(r, phrases, ENGLISH)
    kinds: list[Any] = [(row["kind"], row["low"], row["high"]) for row in d["rows"]]
    assert kinds[0] == ("source", 0.75, 0.9)
    assert kinds[2] == ("target", 0.25, 0.75)
    assert d["rows"][1]["rate"] == pytest.approx(41 / 87, abs=1e-4)
    for row in d["rows"]:
        assert row["value"] in d["alt"]
    without = diagrams.recommendation(r, {}, ENGLISH)
    assert [row["kind"] for row in without["rows"]] == ["rate"]
    assert diagrams.interval(r.source_rate, None)["meaning"] is None
