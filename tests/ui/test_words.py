"""How numbers, dates and sentences read."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import date, datetime
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from radcal.advice.judged_records import JudgedWord
from radcal.advice.judging import judged_group, standing
from radcal.advice.records import Advice, Judgement, Recommendation, Substitution, Withheld
from radcal.calibration.model import FEWEST_GROUPS, SHIPPED
from radcal.calibration.records import Monotone, PhraseRate, Reliability
from radcal.reports.records import RejectedRow
from radcal.system.text import Text
from radcal.words.phrases import expected_rates
from radcal.words.records import Phrase
from ui import words
from ui.pages.reports.importing.sentences import left_out
from ui.pages.results import why
from ui.pages.results.sentences import changed_verdicts, not_enough
from ui.sentences import judged_text, meaning, on_unseen_findings, phrase_sentence, words_without_advice
from ui.words import day, moment, percent_range

SPACE = "\u00a0"


DURATIONS = {2: "a few seconds", 38: "40 s", 58: "1 min", 300: "5 min", 7800: "2 h 10 min"}


@pytest.mark.parametrize(("seconds", "text"), DURATIONS.items())
def test_durations(seconds: float, text: str) -> None:
    assert words.duration(seconds).replace(SPACE, " ") == text


def test_speed_in_the_unit_that_reads_best() -> None:
    assert words.speed(310 / 60) == "310 per minute"
    assert words.speed(412.3) == "412 per second"


PLAIN = PhraseRate("present", 40, 33, 0.825, 0.69, 0.92, 1.0, 0.95, 1.0, "stronger", 0.9789, 0.86)
LIKELY = PhraseRate("likely", 87, 41, 0.47, 0.37, 0.57, 0.82, 0.75, 0.9, "stronger", 0.9999, 0.484)
MAYBE = PhraseRate("maybe", 20, 9, 0.45, 0.26, 0.66, 0.5, 0.25, 0.75, "matches", 0.961, 0.46)
POSSIBLY = PhraseRate("possibly", 12, 3, 0.25, 0.08, 0.53, 0.3, 0.05, 0.25, "undecided", 0.71, 0.27)
UNLIKELY = PhraseRate("unlikely", 90, 40, 0.44, 0.34, 0.55, 0.15, 0.1, 0.25, "weaker", 0.95, 0.43)


def judged(p: PhraseRate, fewest: int = 10) -> JudgedWord:
    phrase = Phrase(p.phrase, 3, 1, p.meant_low, p.meant_high)
    return JudgedWord("edema", p, phrase, standing(p, phrase, fewest))


def reliability(**fields: object) -> Reliability:
    base = Reliability(
        "Avery", "edema", 127, (PLAIN, LIKELY), word_error=0.14, word_error_low=0.1, word_error_high=0.19
    )
    return replace(base, luck_word_mean=0.06, luck_word_p95=0.09, p_value_word=0.003, **fields)  # type: ignore[arg-type]


def test_the_word_error_stands_with_what_chance_gives_and_what_the_test_says() -> None:
    assert " ".join(why._distance(reliability())) == (
        "On average the hedged words missed their meaning by 14 points (10\u201319). Chance alone gives about 6, up "
        "to 9. That is more than chance gives (p = 0.003). Most of it comes from \u201clikely\u201d."
    )


def test_what_the_test_says_goes_by_the_q_value_as_on_paper() -> None:
    one_of_many = replace(reliability(), p_value_word=0.03, q_value_word=0.12)
    allowing = "That is not enough to call it a difference (p = 0.12, allowing for the number of tests)."
    assert why.p_value_of(one_of_many) == allowing
    assert why.p_value_of(replace(one_of_many, q_value_word=0.03)) == "That is more than chance gives (p = 0.03)."
    assert why.p_value_of(replace(one_of_many, q_value_word=None)) == "That is more than chance gives (p = 0.03)."


def test_a_count_in_parts_that_is_nearly_all_or_none_is_said_to_be_rounded() -> None:
    nearly = PhraseRate("likely", 9, 8.991, 0.999, 0.75, 1.0, 0.82, 0.75, 0.9)
    assert "CT confirmed about 9 of 9," in phrase_sentence(judged(nearly), 10)
    assert "CT confirmed about 0 of 9," in phrase_sentence(judged(nearly._replace(positives=0.009, rate=0.001)), 10)


def test_slope_and_intercept_have_their_intervals() -> None:
    r = reliability(slope=0.7, slope_low=0.5, slope_high=0.95, intercept=0.1, intercept_low=-0.2, intercept_high=0.4)
    (said,) = why._spread(r)
    assert said.startswith("Slope 0.70 (0.50\u20130.95): ")
    assert "Intercept +0.10 (\u22120.20 to +0.40): " in said


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 0.5))
def test_the_parts_of_the_ece_add_up_as_shown(ece: float, width: float, luck: float) -> None:
    (text,) = why._in_parts(reliability(ece=ece, ece_width=width, luck_mean=luck))
    total, _, parts = text.removeprefix("ECE ").partition(" = ")
    shown = list(re.findall(r"[+\u2212]? ?\d\.\d\d", parts))
    added = sum(float(p.replace("\u2212", "-").replace(" ", "")) for p in shown)
    assert len(shown) == 3
    assert added == pytest.approx(float(total))


def test_ece_without_its_parts_is_given_alone() -> None:
    assert tuple(why._in_parts(reliability(ece_star=0.14, ece_star_low=0.1, ece_star_high=0.19))) == (
        "ECE* 0.14 (0.10\u20130.19)",
    )


VERDICTS = {
    PLAIN: "overstated, 97 % sure",
    MAYBE: "matches, 96 % sure",
    UNLIKELY: "found more often, 95 % sure",
    UNLIKELY._replace(verdict="stronger"): "found less often, 95 % sure",
    LIKELY._replace(verdict="weaker"): "understated, >99 % sure",
    POSSIBLY: "undecided",
    POSSIBLY._replace(n=9): "too few",
}


@pytest.mark.parametrize(("rate", "text"), VERDICTS.items())
def test_a_verdict_says_how_sure_it_is_and_undecided_is_said_as_such(rate: PhraseRate, text: str) -> None:
    assert judged_text(judged(rate)).replace(SPACE, " ") == text


def test_where_nothing_is_shown_a_closer_word_is() -> None:
    change = Recommendation("possibly", "unlikely", 1.0, 0.97, POSSIBLY, Text("Say unlikely."))
    closer = replace(judged(POSSIBLY), advice=change, over="edema")
    assert judged_text(closer) == f"another is closer, 97{SPACE}% sure"
    assert "\u201cUnlikely\u201d would have been closer (97\u00a0% sure)." in phrase_sentence(closer, 10)
    differing = replace(judged(PLAIN), advice=change, over="edema")
    assert judged_text(differing) == judged_text(judged(PLAIN))


@pytest.mark.parametrize(("groups", "own"), [(1204, True), (FEWEST_GROUPS, True), (FEWEST_GROUPS - 1, False)])
def test_it_is_said_from_what_verdicts_were_learned(groups: int, own: bool) -> None:
    spread = replace(SHIPPED, groups=groups)
    assert (f"learned from {groups:,} groups" in why._learned(spread, is_model=False)) == own
    assert "comes with RadCal" in why._learned(spread, is_model=True)
    assert "comes with RadCal" in why._learned(None, is_model=False)


def test_every_changed_verdict_is_told_with_both() -> None:
    words = (judged(LIKELY._replace(verdict="undecided")), judged(PLAIN), judged(POSSIBLY, 13))
    before = {"likely": "stronger", "present": "stronger", "possibly": "matches"}
    assert changed_verdicts(before, words) == (
        "The verdict changes on \u201clikely\u201d (overstated, then undecided) and "
        "\u201cpossibly\u201d (matches, then too few)."
    )
    assert changed_verdicts(before, words[1:2]) == "No verdict changes."


def test_the_order_of_words_is_told_with_parts_that_add_up() -> None:
    k = np.array([0.2, 0.4])
    m = Monotone(
        ("possibly", "maybe"), k, np.array([30.0, 40]), k, k, k, k, 0.012, 0.071, 0.218, (("possibly", "maybe"),)
    )
    text = why.order(m)
    assert "Brier score 0.16 = 0.22 open" in text
    assert "0.07 that the words resolve + 0.01 lost" in text
    assert "n = 70." in text
    assert "weaker word more often: \u201cpossibly\u201d and \u201cmaybe\u201d" in text
    assert "weaker" not in why.order(replace(m, disordered=()))


def test_error_of_a_hedge_or_two_is_no_figure() -> None:
    r = reliability(ece=0.1, slope=0.4)
    settled = why.without_few_hedges(replace(r, phrases=(PLAIN, POSSIBLY._replace(n=1))), 10)
    assert settled.word_error is None
    assert [*why._in_parts(settled), *why._spread(settled)] == []
    assert why.without_few_hedges(r, 10) is r


def test_a_phrase_says_who_was_asked_and_where_answers_are_few() -> None:
    phrase = Phrase("possibly", 3.0, 7.0, 0.05, 0.75, asked=142, answers=57, within=49)
    text = phrase_sentence(replace(judged(POSSIBLY), phrase=phrase), 10)
    assert "Readers take it as 5\u201375\u00a0%. Undecided." in text
    assert "The true rate is expected to be 27\u00a0%." in text
    assert "Of 57 choices of \u201cpossibly\u201d by 142 people asked, 49 were for 5\u201375\u00a0%." in text
    few = replace(phrase, answers=11, within=9)
    widened = percent_range(*expected_rates(few))
    assert meaning(POSSIBLY, few) == "5\u201375\u00a0%, few answers"
    assert f"The verdict compares with {widened}, as there are few answers." in phrase_sentence(
        replace(judged(POSSIBLY), phrase=few), 10
    )
    nobody = replace(phrase, asked=0, answers=0, within=0)
    assert widened != "5\u201375\u00a0%"
    assert "compares" not in text
    assert "choices" not in phrase_sentence(replace(judged(POSSIBLY), phrase=nobody), 10)


def test_nothing_is_said_where_nothing_was_computed() -> None:
    r = Reliability("Avery", "edema", 14, (), reason="too few")
    assert [*why._further(r), *why._in_parts(r), *why._spread(r)] == []
    assert why.p_value_of(r) == on_unseen_findings(None) == words_without_advice(None) == ""
    assert not_enough(r, 30) == "14 findings; a curve needs 30."
    assert not_enough(replace(r, n=1), 30) == "1 finding; a curve needs 30."
    assert not_enough(replace(r, n=50), 30) == "too few"


def test_further_figures_have_their_interval() -> None:
    r = reliability(accuracy=0.78, accuracy_low=0.73, accuracy_high=0.83, brier=0.16, brier_low=0.14, brier_high=0.19)
    assert [*why._further(r)] == [
        "On the right side of one half: 78\u00a0% (73\u201383)",
        "Brier score 0.16 (0.14\u20130.19)",
    ]


def test_withheld_phrases_are_grouped_by_reason() -> None:
    few = "fewer than 10 uses."
    withheld = (Withheld("may", few), Withheld("unlikely", few), Withheld("likely", "fits."))
    advice = Advice("A", "edema", 50, "ordered", (), (), withheld, reason="No change would help.")
    rates = tuple(
        LIKELY._replace(phrase=name, mean=mean) for name, mean in (("may", 0.5), ("unlikely", 0.1), ("likely", 0))
    )
    group = judged_group(reliability(phrases=rates), advice, (), 10)
    assert words_without_advice(group).splitlines() == [
        f"No advice on \u201cmay\u201d and \u201cunlikely\u201d: {few}",
        "No advice on \u201clikely\u201d: fits.",
    ]


def test_a_trial_without_hedged_words_tells_of_no_word_error() -> None:
    rate = PhraseRate("present", 40, 30, 0.75, 0.6, 0.86, 1.0, 0.95, 1.0, "stronger")
    made = Recommendation("present", "likely", 1.0, 0.97, rate, Text("Say likely."))
    trial = Judgement(20, 0.2, 0.1, 0.25, 0.2, math.nan, math.nan)
    advice = Advice("A", "edema", 40, "ordered", (), (), (), recommendations=(made,), test=trial)
    text = on_unseen_findings(advice)
    assert text.endswith("moved the error from 0.25 to 0.20.")
    assert "from 0.30 to 0.10." in on_unseen_findings(
        replace(advice, test=replace(trial, word_error_before=0.3, word_error_after=0.1))
    )


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


NAMES = {"xray:XR2500248": "X-ray XR2500248", "ct:7": "CT 7", "xray:A:1": "X-ray A:1"}


@pytest.mark.parametrize(
    ("report_id", "text"), [*NAMES.items(), *((name,) * 2 for name in ("XR1", "mr:1", "xray", ""))]
)
def test_reports_are_named_as_people_name_them(report_id: str, text: str) -> None:
    assert words.report_name(report_id) == text


def test_dates_are_written_as_people_do_where_the_system_has_no_locale() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale.c())
    try:
        assert day(date(2026, 11, 26)) == "11/26/26"
        assert moment(datetime(2026, 11, 26, 5, 36)).startswith("11/26/26 5:36")
    finally:
        QLocale.setDefault(before)
