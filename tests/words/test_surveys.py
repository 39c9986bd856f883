"""Beta distributions from surveys, against independent computations."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.surveys import from_answers, from_ranges, match_moments, read_survey
from tests.cases import cases_of

cases = cases_of(__file__)

RANGES = [(0.0, 0.0), (0.0, 0.05), (0.05, 0.25), (0.25, 0.75), (0.75, 0.9), (0.9, 1.0), (1.0, 1.0)]


def survey(folder: Path, text: str) -> Path:
    path = folder / "survey.csv"
    path.write_text(text, encoding="utf-8")
    return path


@given(a=st.floats(0.1, 50), b=st.floats(0.1, 50))
def test_matching_the_moments_of_a_beta_distribution_returns_it(a: float, b: float) -> None:
    mean, variance = beta_distribution.stats(a, b)
    assert match_moments("x", float(mean), float(variance)) == pytest.approx((a, b), rel=1e-6)


@given(st.lists(st.integers(0, 100), min_size=7, max_size=7))
@settings(deadline=None)
def test_ranges_have_the_moments_of_the_mixture(counts: list[int]) -> None:
    assume(sum(counts[1:6]) > 0)
    phrase = from_ranges("x", counts, RANGES)
    # The mixture, sampled at the midpoints of a fine grid on each range.
    parts = [np.linspace(lo, hi, 2001)[:-1] + (hi - lo) / 4000 for lo, hi in RANGES]
    weight = np.array(counts) / sum(counts)
    mean = sum(w * p.mean() for w, p in zip(weight, parts, strict=True))
    variance = sum(w * ((p - mean) ** 2).mean() for w, p in zip(weight, parts, strict=True))
    fitted = beta_distribution.stats(phrase.alpha, phrase.beta)
    assert float(fitted[0]) == pytest.approx(mean, rel=1e-9)
    assert float(fitted[1]) == pytest.approx(variance, rel=1e-5)


@cases("a_word_means_the_ranges_around_its_mean_with_half_of_the_answers")
def test_a_word_means_the_ranges_around_its_mean_with_half_of_the_answers(
    counts: list[int], low: float, high: float, within: int
) -> None:
    phrase = from_ranges("x", np.array(counts) / 142, RANGES, asked=142)
    assert (phrase.low, phrase.high) == (low, high)
    assert (phrase.asked, phrase.answers, phrase.within) == (142, sum(counts), within)


@given(st.lists(st.integers(0, 100), min_size=7, max_size=7))
@settings(deadline=None)
def test_the_range_holds_the_mean_and_half_of_the_answers(counts: list[int]) -> None:
    assume(sum(counts[1:6]) > 0)
    phrase = from_ranges("x", np.array(counts) / 1000, RANGES, asked=1000)
    assert phrase.low <= phrase.alpha / (phrase.alpha + phrase.beta) <= phrase.high
    assert 2 * phrase.within >= phrase.answers == sum(counts)
    inside = sum(n for n, (lo, hi) in zip(counts, RANGES, strict=True) if phrase.low <= lo and hi <= phrase.high)
    assert phrase.within <= inside


def test_one_uniform_range_has_known_moments() -> None:
    phrase = from_ranges("x", [1], [(0.0, 1.0)])
    assert (phrase.alpha, phrase.beta) == pytest.approx((1, 1))


def test_everybody_at_an_end_is_a_point_mass() -> None:
    certain = from_ranges("x", [0, 0, 0, 0, 0, 0, 0.38], RANGES)
    assert (certain.alpha, certain.beta, certain.low, certain.high) == (1, 0, 1, 1)
    never = from_answers("x", [0, 0])
    assert (never.alpha, never.beta, never.low, never.high) == (0, 1, 0, 0)


@pytest.mark.parametrize("shares", [[0] * 7, [-1, 2, 0, 0, 0, 0, 0], [float("nan")] * 7])
def test_shares_that_are_none_are_refused_by_name(shares: list[float]) -> None:
    with pytest.raises(InputError, match="'hmm'"):
        from_ranges("hmm", shares, RANGES)


def test_moments_of_no_beta_distribution_are_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"'split'.*variance 0\.25"):
        from_ranges("split", [1, 0, 0, 0, 0, 0, 1], RANGES)
    with pytest.raises(InputError, match="'split'"):
        from_answers("split", [0, 100, 100])
    with pytest.raises(InputError, match=r"'same'.*all 50%"):
        from_answers("same", [50, 50])


def test_answers_have_their_exact_moments_and_central_half() -> None:
    answers = [10.0, 20.0, 20.0, 45.0]
    phrase = from_answers("x", answers)
    mean, variance = beta_distribution.stats(phrase.alpha, phrase.beta)
    assert float(mean) == pytest.approx(0.2375)
    assert float(variance) == pytest.approx(sum((a / 100 - 0.2375) ** 2 for a in answers) / 4)
    assert (phrase.low, phrase.high) == pytest.approx(np.quantile(answers, [0.25, 0.75]) / 100)
    assert (phrase.asked, phrase.answers, phrase.within) == (4, 4, 2)
    skewed = from_answers("x", [5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 90.0], asked=9)
    assert (skewed.low, skewed.high) == pytest.approx((0.05, 120 / 700))
    assert (skewed.asked, skewed.answers, skewed.within) == (9, 7, 6)


def test_the_radiology_survey_agrees_with_its_published_shares() -> None:
    lexicon = read_survey(resource("lexicon", "surveys", "radiology_diagnostic_certainty_scale.csv"))
    assert len(lexicon.phrases) == 18
    likely = lexicon.find("likely")
    assert likely is not None
    # 0.077 of 25-75 %, 0.218 of 75-90 %, 0.056 of 90-100 %, of 0.351 in all
    assert likely.alpha / (likely.alpha + likely.beta) == pytest.approx(
        (0.077 * 0.5 + 0.218 * 0.825 + 0.056 * 0.95) / 0.351
    )
    assert (likely.low, likely.high) == (0.75, 0.9)
    diagnostic = lexicon.find("diagnostic of")
    assert diagnostic is not None
    assert (diagnostic.alpha, diagnostic.beta) == (1, 0)


def test_the_public_survey_is_read() -> None:
    path = resource("lexicon", "surveys", "perception_of_probability_words_123_respondents.csv")
    lexicon = read_survey(path)
    assert [p.name for p in lexicon.phrases][9] == "about even"
    assert len(lexicon.phrases) == 19


def test_answers_may_be_missing(tmp_path: Path) -> None:
    lexicon = read_survey(survey(tmp_path, '"""Rarely""",age,note\n10,18-25,\n,26-35,\n30,18-25,\n'))
    rarely = lexicon.find("rarely")
    assert rarely is not None
    assert rarely.alpha / (rarely.alpha + rarely.beta) == pytest.approx(0.2)
    assert len(lexicon.phrases) == 3


@cases("a_broken_survey_is_refused")
def test_a_broken_survey_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_survey(survey(tmp_path, text))


def test_surveys_may_have_decimal_commas_where_commas_separate_no_cells(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("likely;respondent\n70,5;a\n80,5;b\n65,5;c\n", encoding="utf-8")
    (tmp_path / "points.csv").write_text("likely,respondent\n70.5,a\n80.5,b\n65.5,c\n", encoding="utf-8")
    commas, points = (read_survey(tmp_path / f"{name}.csv").phrases for name in ("answers", "points"))
    assert [(p.name, p.alpha, p.beta) for p in commas] == [(p.name, p.alpha, p.beta) for p in points]
    assert "likely" in {p.name for p in commas}
