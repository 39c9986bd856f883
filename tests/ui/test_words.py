"""How numbers, dates and sentences read."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.records import Advice, PhraseRate, RejectedRow, Reliability, Substitution, Withheld
from ui import words
from ui.pages.imports.sentences import left_out
from ui.pages.reliability import sentences as figures
from ui.records import GroupView
from ui.sentences import on_unseen_findings, words_without_advice

SPACE = "\u00a0"


PERCENTS = {0: "0", 1: "100", 0.47: "47", 0.004: "<1", 0.996: ">99", 0.005: "<1", 0.0051: "1", 0.995: ">99"}


@pytest.mark.parametrize(("share", "text"), [*PERCENTS.items(), (1 - 1e-16, ">99")])
def test_percent_never_rounds_a_chance_away(share: float, text: str) -> None:
    assert words.percent(share) == f"{text}{SPACE}%"


@settings(deadline=None)
@given(st.floats(0, 1))
def test_percent_says_0_and_100_only_of_themselves(share: float) -> None:
    text = words.percent(share)
    assert (text == f"0{SPACE}%") == (share == 0)
    assert (text == f"100{SPACE}%") == (share == 1)


def test_numbers_carry_their_interval() -> None:
    assert words.rate(0.47, 0.37, 0.57) == f"47{SPACE}% (37\u201357)"
    assert words.percent_range(0.75, 0.9) == f"75\u201390{SPACE}%"
    assert words.rate(0.96, 0.3, 0.998) == f"96{SPACE}% (30\u2013100)"
    assert words.percent_range(1, 1) == f"100{SPACE}%"
    assert words.decimal_interval(0.14, 0.1, 0.19) == "0.14 (0.10\u20130.19)"
    assert words.decimal_interval(0.14, None, None) == "0.14"


def test_counts() -> None:
    assert words.whole(1204) == "1,204"
    assert words.whole(41.5) == "41.5"
    assert words.counted(1, "{n} finding", "{n} findings") == "1 finding"
    assert words.counted(0, "{n} finding", "{n} findings") == "0 findings"
    assert words.listed([]) == ""
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ((2026, 1), (2026, 9), "Jan\u2013Sep 2026"),
        ((2026, 3), (2026, 3), "Mar 2026"),
        ((2025, 11), (2026, 2), "Nov 2025\u2013Feb 2026"),
    ],
)
def test_months(first: tuple[int, int], last: tuple[int, int], text: str) -> None:
    assert words.months(datetime(*first, 1), datetime(*last, 28)) == text
    assert words.months(None, datetime(2026, 1, 1)) == ""


DURATIONS = {2: "a few seconds", 38: "40 s", 58: "1 min", 300: "5 min", 7800: "2 h 10 min"}


@pytest.mark.parametrize(("seconds", "text"), DURATIONS.items())
def test_durations(seconds: float, text: str) -> None:
    assert words.duration(seconds).replace(SPACE, " ") == text


def test_speed_in_the_unit_that_reads_best() -> None:
    assert words.speed(310 / 60) == "310 per minute"
    assert words.speed(412.3) == "412 per second"


def reliability(**fields: object) -> Reliability:
    plain = PhraseRate("present", 40, 33, 0.825, 0.69, 0.92, 1.0)
    hedged = PhraseRate("likely", 87, 41, 0.47, 0.37, 0.57, 0.82)
    base = Reliability("Avery", "edema", 127, (plain, hedged), ece=0.1, ece_low=0.05, ece_high=0.16)
    return replace(base, luck_mean=0.02, luck_p95=0.04, p_value=0.001, **fields)  # type: ignore[arg-type]


def test_ece_star_is_the_headline_where_something_was_said_plainly() -> None:
    interval = {"ece_star": 0.14, "ece_star_low": 0.10, "ece_star_high": 0.19}
    r = reliability(**interval, luck_star_mean=0.06, luck_star_p95=0.09, p_value_star=0.03)
    text = figures.calibration(r)
    assert text.startswith(
        "ECE* 0.14 (0.10\u20130.19); a perfectly calibrated reader using these words would show 0.06 (up to 0.09)."
    )
    assert "3 of 100 such readers" in text
    assert "plain \u201cpresent\u201d" in text


def test_error_of_a_hedge_or_two_is_no_figure() -> None:
    r = reliability(ece_star=0.3, ece_star_low=0.3, ece_star_high=0.3, luck_star_mean=0.42, luck_star_p95=0.7)
    one = replace(r, phrases=(r.phrases[0], PhraseRate("possibly", 1, 0, 0.0, 0.0, 0.85, 0.3)))
    text = figures.calibration(figures.without_few_hedges(one, 10))
    assert "ECE" not in text
    assert "Hardly anything here was hedged" in text
    assert figures.without_few_hedges(r, 10) is r


def test_plain_statements_alone_have_no_calibration_error() -> None:
    text = figures.calibration(reliability(ece_star=None))
    assert "ECE" not in text
    assert "judged by their own rates" in text


def test_ece_is_the_headline_where_all_was_hedged() -> None:
    r = reliability(ece_star=0.3)
    text = figures.calibration(replace(r, phrases=r.phrases[1:]))
    assert text.startswith("ECE 0.10 (0.05\u20130.16); a perfectly calibrated reader")
    assert "fewer than 1 of 100" in text
    assert "plain" not in text


def test_nothing_is_said_where_nothing_was_computed() -> None:
    r = Reliability("Avery", "edema", 14, (), reason="too few")
    assert figures.calibration(r) == ""
    assert figures.further(r) == ""
    assert figures.not_enough(r, 30) == "14 findings; a curve needs 30."
    assert figures.not_enough(replace(r, n=1), 30) == "1 finding; a curve needs 30."
    assert figures.not_enough(replace(r, n=50), 30) == "too few"
    assert figures.headline(GroupView(r, None), 30) == "14 findings; a curve needs 30."
    assert len(figures.advice_sentences(None)) == 1
    assert on_unseen_findings(None) == figures.agreeing(None) == words_without_advice(None) == ""


def test_further_figures_have_their_interval_and_n() -> None:
    r = reliability(accuracy=0.78, accuracy_low=0.73, accuracy_high=0.83, brier=0.16, brier_low=0.14, brier_high=0.19)
    text = figures.further(r)
    assert "78\u00a0% (73\u201383)" in text
    assert "0.16 (0.14\u20130.19)" in text
    assert text.endswith("n = 127")


def test_withheld_phrases_are_grouped_by_reason() -> None:
    few = "fewer than 10 uses."
    withheld = (Withheld("may", few), Withheld("unlikely", few), Withheld("likely", "fits."))
    advice = Advice("A", "edema", 50, "ordered", (), (), withheld, reason="No change would help.", agreeing=("likely",))
    assert words_without_advice(advice).splitlines() == [
        f"No advice on \u201cmay\u201d and \u201cunlikely\u201d: {few}",
        "No advice on \u201clikely\u201d: fits.",
    ]
    assert figures.advice_sentences(advice) == ("No change would help.",)
    assert figures.agreeing(advice) == "\u201clikely\u201d agrees with what readers take it to mean."


def test_no_sentence_judges(request: pytest.FixtureRequest) -> None:
    # The sentences of every module of the window: none calls a reader overconfident, good, bad or wrong.
    import pkgutil
    from importlib import import_module
    from inspect import getsource

    import ui

    modules: list[ModuleType] = [import_module(m.name) for m in pkgutil.walk_packages(ui.__path__, "ui.")]
    assert len(modules) > 20
    for module in modules:
        source = getsource(module).lower()
        for word in ("overconfiden", "underconfiden", "bad reader", "poor calibration", "worse than"):
            assert word not in source, module.__name__


def test_a_plan_without_recommendations_promises_nothing() -> None:
    advice = Advice("A", "edema", 50, "ordered", (), (Substitution("may", "may", 1.0, 20, 1.0),), ())
    assert figures.advice_sentences(advice) == ("No change of words is recommended.",)
    assert on_unseen_findings(advice) == ""


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([("march.csv", "It has no time.")], "A row of march.csv was left out. It has no time."),
        (
            [("march.csv", "The row has no examination time.")] * 12,
            "12 rows of march.csv have no examination time and were left out.",
        ),
        (
            [("march.csv", "It has no time."), ("ct.csv", "It has no time.")],
            "2 rows of 2 files were left out. It has no time.",
        ),
        (
            [("march.csv", "It has no time."), ("march.csv", "It has no text.")],
            "2 rows of march.csv were left out, for 2 different reasons.",
        ),
    ],
)
def test_rows_left_out_in_words(rows: list[tuple[str, str]], text: str) -> None:
    rejected = tuple(RejectedRow(file, 7, reason, "Fill it in.") for file, reason in rows)
    assert left_out(rejected) == text


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        ("'likely' and 'may represent' held", "\u201clikely\u201d and \u201cmay represent\u201d held"),
        ("in 5 of 17 (29 %, 12-53 %).", f"in 5 of 17 (29{SPACE}%, 12\u201353{SPACE}%)."),
        ("The patient's X-ray of 2026-03-04", "The patient's X-ray of 2026-03-04"),
        ("'can't exclude' is", "\u201ccan't exclude\u201d is"),
    ],
)
def test_one_kind_of_quotation_mark_and_dash(plain: str, text: str) -> None:
    assert words.typographic(plain) == text


AS_IT_IS = ("XR1", "mr:1", "xray", "")
NAMES = {"xray:XR2500248": "X-ray XR2500248", "ct:7": "CT 7", "xray:A:1": "X-ray A:1"}


@pytest.mark.parametrize(
    ("report_id", "text"), [*NAMES.items(), *((name,) * 2 for name in ("XR1", "mr:1", "xray", ""))]
)
def test_reports_are_named_as_people_name_them(report_id: str, text: str) -> None:
    assert words.report_name(report_id) == text
