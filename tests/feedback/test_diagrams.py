"""What the pictures show, and that their labels meet nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.advice.records import Advice
from radcal.calibration.records import Curve, PhraseRate, Reliability
from radcal.feedback import diagrams
from radcal.feedback.records import FeedbackInput
from radcal.system.language.catalogue import language
from radcal.system.resources import resource

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


def test_the_words_come_first_with_their_intervals_and_their_use(reliability_of: Make) -> None:
    r = reliability_of("edema", {"absent": (40, 2), "likely": (160, 30), "present": (20, 15)})
    d = diagrams.reliability(r, ENGLISH)
    assert [p["phrase"] for p in d["words"]] == ["absent", "likely", "present"]
    assert [p["x"] for p in d["words"]] == [0.0, pytest.approx(10 / 14, abs=1e-4), 1.0]
    for p, rate in zip(d["words"], r.phrases, strict=True):
        assert (p["rate"], p["low"], p["high"]) == pytest.approx((rate.rate, rate.low, rate.high), abs=1e-4)
        assert ENGLISH.quoted(rate.phrase) in d["alt"]
    weak, most, strong = (p["r"] for p in d["words"])
    assert strong < weak < most
    assert {"absent", "likely", "present"} <= {line for label in d["labels"] for line in label["lines"]}


def test_the_curve_is_the_record_s_where_hedged_words_lie(reliability_of: Make) -> None:
    r = reliability_of("edema", {"absent": (40, 2), "likely": (60, 30), "unlikely": (30, 10), "present": (20, 19)})
    assert r.curve is not None
    d = diagrams.reliability(r, ENGLISH)
    spans = [(run[0][0], run[-1][0]) for run in d["curve"]]
    assert spans == [pytest.approx((0.055, 0.245)), pytest.approx((0.755, 0.895))]  # 'unlikely' 5-25, 'likely' 75-90 %
    for x, y in (point for run in d["curve"] for point in run):
        assert y == pytest.approx(r.curve.rate[int(x * 100)], abs=1e-4)
    assert max(y for run in d["density"] for _, y in run) == 1.0


def test_there_is_one_band_that_of_luck_where_it_is_known(reliability_of: Make) -> None:
    r = reliability_of("edema", {"may represent": (60, 30), "absent": (9, 0)})
    assert r.curve is not None
    d = diagrams.reliability(r, ENGLISH)
    assert d["by_luck"]
    assert d["band"][0][5][1:] == pytest.approx([r.curve.luck_low[30], r.curve.luck_high[30]], abs=1e-4)
    nothing = np.full_like(r.curve.rate, np.nan)
    d = diagrams.reliability(replace(r, curve=replace(r.curve, luck_low=nothing, luck_high=nothing)), ENGLISH)
    assert not d["by_luck"]
    assert d["band"][0][5][1:] == pytest.approx([r.curve.rate_low[30], r.curve.rate_high[30]], abs=1e-4)


def test_hedges_may_reach_into_the_end_where_nothing_was_said_plainly(reliability_of: Make) -> None:
    d = diagrams.reliability(reliability_of("edema", {"consistent with": (60, 55), "likely": (30, 20)}), ENGLISH)
    assert d["curve"][-1][-1][0] == pytest.approx(0.995)
    d = diagrams.reliability(reliability_of("edema", {"consistent with": (60, 55), "present": (30, 20)}), ENGLISH)
    assert d["curve"][-1][-1][0] == pytest.approx(0.985)


def test_of_plain_statements_alone_there_is_no_curve(reliability_of: Make) -> None:
    d = diagrams.reliability(reliability_of("edema", {"absent": (60, 2), "present": (30, 29)}), ENGLISH)
    assert d["curve"] == d["band"] == d["density"] == []
    assert len(d["words"]) == 2
    assert "hedged words" not in {line for label in d["labels"] for line in label["lines"]}


def curve_of(rate: list[float], density: list[float]) -> Curve:
    m = len(rate)
    edges = np.linspace(0, 1, m + 1)
    r, p = np.array(rate), np.array(density)
    return Curve(edges[:-1], edges[1:], r, r - 0.05, r + 0.05, p, (edges[:-1] + edges[1:]) / 2, r - 0.1, r + 0.1)


def group(curve: Curve) -> Reliability:
    everywhere = PhraseRate("maybe", 50, 25, 0.5, 0.4, 0.6, 0.5, 0.0, 1.0)
    return Reliability("", "edema", 50, (everywhere,), curve=curve)


def test_an_empty_bin_breaks_the_line_and_a_lone_bin_is_drawn() -> None:
    d = diagrams.reliability(group(curve_of([0.5, 0.5, np.nan, 0.4, np.nan], [0.3, 0.3, 0.0, 0.4, 0.0])), ENGLISH)
    assert [len(run) for run in d["curve"]] == [2, 2]
    (x0, y0), (x1, y1) = d["curve"][1]
    assert (x0, x1) == (pytest.approx(0.6), pytest.approx(0.8))
    assert y0 == y1 == 0.4


def test_a_curve_without_any_band_is_drawn_alone() -> None:
    c = curve_of([0.5] * 10, [0.1] * 10)
    nothing = np.full(10, np.nan)
    d = diagrams.reliability(
        group(replace(c, rate_low=nothing, rate_high=nothing, luck_low=nothing, luck_high=nothing)), ENGLISH
    )
    assert d["band"] == []
    assert len(d["curve"]) == 1
    assert "nan" not in d["alt"]
    assert "CT confirmed in 50" in d["alt"]


def test_certainty_has_the_colours_of_the_window() -> None:
    from ui.theme import LIGHT

    style = resource("typst", "style.typ").read_text(encoding="utf-8")
    stops = style.split("#let certainty")[1].split(".sample")[0]
    assert tuple(re.findall(r"#[0-9a-f]{6}", stops)) == LIGHT.certainty


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
    boxes: list[tuple[str, diagrams.Rect]] = []
    for label in d["labels"]:
        size = diagrams.box_of(label["lines"], 0, 0)
        boxes.append((label["kind"], diagrams.box_of(label["lines"], label["x"], label["y"] - size.top)))
    for k, (kind, box) in enumerate(boxes):
        assert min(box.left, box.bottom) >= 0
        assert max(box.right, box.top) <= 1
        if kind != "word":  # which may have to cross it
            for run in d["curve"]:
                assert not any(box.left < x < box.right and box.bottom < y < box.top for x, y in run)
        for p in d["words"]:
            assert not (box.left < p["x"] < box.right and box.bottom < p["rate"] < box.top)
        for _, other in boxes[k + 1 :]:
            beside = box.right <= other.left or other.right <= box.left
            assert beside or box.top <= other.bottom or other.top <= box.bottom
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
