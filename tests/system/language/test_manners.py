"""Numbers, dates and lists as words."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from radcal.system.language.catalogue import language
from radcal.system.selection import Days

NBSP = "\N{NO-BREAK SPACE}"
ENGLISH, GERMAN = language("en"), language("de")


@pytest.mark.parametrize(
    ("n", "words"), [(0, "0"), (1, "1"), (2662, "2,662"), (2.6, "2.6"), (3.01, "3"), (1234.5, "1,234.5")]
)
def test_counts_are_whole_or_have_one_decimal(n: float, words: str) -> None:
    assert ENGLISH.count(n) == words


def test_a_part_of_a_total_is_never_printed_as_none_or_all_of_it() -> None:
    """Statements count in part where CT hedges: only 0 is "0", and only all are all."""
    for total in range(1, 130):
        for part in (0.001, 0.02, 0.0499, 0.05, 0.0501, 0.07, 0.5):
            few, most = (ENGLISH.part(n, total) for n in (part, total - part))
            assert few not in ("0", str(total)), (part, total)
            assert most not in ("0", str(total)), (total - part, total)
            assert float(few.strip("<>")) == pytest.approx(part, abs=0.1)
            assert float(most.strip("<>")) == pytest.approx(total - part, abs=0.1)
        assert ENGLISH.part(0, total) == "0"
        assert ENGLISH.part(total, total) == str(total)
    assert [ENGLISH.part(n, 22) for n in (0.04, 0.06, 21.94, 21.96)] == ["<0.1", "0.1", "21.9", ">21.9"]


def test_a_sentence_has_whole_counts() -> None:
    told = [ENGLISH.out_of(n, 2) for n in (0, 0.04, 0.7, 1, 1.96, 2)]
    assert told == ["0 of 2", "about 0 of 2", "about 1 of 2", "1 of 2", "about 2 of 2", "2 of 2"]


@pytest.mark.parametrize(
    ("n", "words"), [(0, "0 pathologies"), (1, "1 pathology"), (2, "2 pathologies"), (1.5, "1.5 pathologies")]
)
def test_nouns_follow_their_count(n: float, words: str) -> None:
    assert ENGLISH.counted(n, "{n} pathology", "{n} pathologies") == words


@pytest.mark.parametrize(
    ("share", "words"),
    [(0, "0"), (1, "100"), (0.471, "47"), (0.004, "<1"), (0.996, ">99"), (0.005, "<1"), (0.5, "50")],
)
def test_a_share_is_never_rounded_to_a_certainty(share: float, words: str) -> None:
    assert ENGLISH.percent(share) == f"{words}{NBSP}%"


def test_rates_and_errors_carry_their_interval() -> None:
    assert ENGLISH.rate(0.471, 0.37, 0.574) == f"47{NBSP}% (37\N{EN DASH}57)"
    assert ENGLISH.error(0.138) == "0.14"
    assert ENGLISH.error_spread(0.1, 0.19) == "(0.10\N{EN DASH}0.19)"
    assert ENGLISH.error_spread(None, 0.19) == ""


def test_a_point_mass_means_one_number() -> None:
    assert ENGLISH.percent_range(1.0, 1.0) == f"100{NBSP}%"
    assert ENGLISH.percent_range(0.75, 0.9) == f"75\N{EN DASH}90{NBSP}%"


@pytest.mark.parametrize(
    ("parts", "most", "words"),
    [
        ([], 0, ""),
        (["a"], 0, "a"),
        (["a", "b"], 0, "a and b"),
        (["a", "b", "c"], 0, "a, b and c"),
        (["a", "b", "c"], 3, "a, b and c"),
        (["a", "b", "c", "d"], 3, "a, b, c and d"),
        (["a", "b", "c", "d", "e"], 3, "a, b, c and 2 more"),
    ],
)
def test_enumerations(parts: list[str], most: int, words: str) -> None:
    assert ENGLISH.listed(parts, most) == words


def test_dates_span_months_and_years() -> None:
    def at(year: int, month: int) -> datetime:
        return datetime(year, month, 5, tzinfo=UTC)

    assert ENGLISH.date_range(at(2026, 1), at(2026, 9)) == f"Jan\N{EN DASH}Sep{NBSP}2026"
    assert ENGLISH.date_range(at(2025, 11), at(2026, 2)) == f"Nov{NBSP}2025\N{EN DASH}Feb{NBSP}2026"
    assert ENGLISH.date_range(at(2026, 3), at(2026, 3)) == f"Mar{NBSP}2026"
    assert ENGLISH.date_range(None, at(2026, 3)) == ""
    assert ENGLISH.day(at(2026, 12)) == f"5{NBSP}Dec{NBSP}2026"


def test_chosen_days_are_told_as_they_were_asked_for() -> None:
    first, last = date(2026, 1, 3), date(2026, 3, 5)
    assert ENGLISH.days_chosen(Days()) == ""
    assert ENGLISH.days_chosen(Days(first, last)) == f"3{NBSP}Jan{NBSP}2026 \N{EN DASH} 5{NBSP}Mar{NBSP}2026"
    assert ENGLISH.days_chosen(Days(None, last)) == f"until 5{NBSP}Mar{NBSP}2026"
    assert GERMAN.days_chosen(Days(first, first)) == f"3.{NBSP}Jan.{NBSP}2026"


def test_numbers_and_dates_are_written_as_in_german() -> None:
    assert GERMAN.count(2662) == "2.662"
    assert GERMAN.count(1234.5) == "1.234,5"
    assert GERMAN.error_spread(0.1, 0.19) == "(0,10\N{EN DASH}0,19)"
    assert GERMAN.hours(1.5) == "1,5"
    assert GERMAN.quoted("likely") == "\u201elikely\u201c"
    assert GERMAN.date_range(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 9, 1, tzinfo=UTC)) == (
        f"M\u00e4rz\N{EN DASH}Sept.{NBSP}2026"
    )


def test_own_sentences_get_printed_quotes_and_ranges() -> None:
    shown = ENGLISH.typographic("When you wrote 'likely', the reader's range is 75-90 % (n-1).")
    assert shown == (
        "When you wrote \N{LEFT SINGLE QUOTATION MARK}likely\N{RIGHT SINGLE QUOTATION MARK}, "
        f"the reader\N{RIGHT SINGLE QUOTATION MARK}s range is 75\N{EN DASH}90{NBSP}% (n-1)."
    )


def test_a_share_stays_in_one_line_and_the_words_before_it_may_be_parted() -> None:
    assert ENGLISH.tied("very likely 3 of 4") == f"very likely 3{NBSP}of{NBSP}4"
