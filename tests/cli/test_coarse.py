"""What files on radiologists under pseudonyms tell, and what they leave out."""

from __future__ import annotations

from typing import Any

from radcal.cli import casemix, sensitivity
from radcal.system.settings import Settings


def test_a_case_mix_has_bands_and_rates_to_five_points_and_no_totals() -> None:
    phrase = {"phrase": "likely", "mean": 0.85, "n": 37.0, "positives": 17.0, "rate": 17 / 37, "low": 0.31, "high": 0.6}
    phrase |= {"standard": 0.4321, "department": 0.4567, "covered": 0.789}
    few = {**phrase, "n": 4.0}
    author: dict[str, Any] = {"author": "Avery", "n": 141.0, "phrases": [phrase, few], "lacking": [{"n": 9.0}]}
    author |= {"word_error": 0.138, "word_error_low": 0.11, "probability": 0.98, "differs": True, "department": 0.123}
    made: dict[str, Any] = {"by": ("site",), "topic": "edema", "fewest": 10, "n": 705.0, "unknown": 3, "strata": [1]}
    made |= {"groups": [{"n": 3}], "authors": [author] * 5}
    shown = casemix._coarse(made, 0.95)
    assert shown["authors"][0] == {
        "author": "Avery", "n": "100-199", "lacking": [], "word_error": 0.15, "word_error_low": 0.1,
        "probability": None, "differs": True, "department": None,
        "phrases": [
            {
                "phrase": "likely", "mean": 0.85, "n": "30-49", "positives": None, "rate": 0.45, "low": 0.25,
                "high": 0.65, "standard": None, "department": None, "covered": None,
            }
        ],
    }  # fmt: skip
    assert (shown["n"], shown["unknown"], shown["strata"]) == (None, None, [])
    assert (shown["groups"], shown["fewest"], shown["by"]) == ([], 10, ("site",))
    assert casemix._coarse(made | {"authors": [author] * 4 + [author | {"n": 4.0}]}, 0.95)["authors"] == []


def test_what_a_band_does_not_settle_is_not_told_by_a_missing_figure() -> None:
    """A least number within a band would cut it in two: whoever has no figure is below."""
    author: dict[str, Any] = {"author": "Avery", "n": 17.0, "phrases": [], "lacking": [], "word_error": 0.2}
    made: dict[str, Any] = {"fewest": 15, "authors": [author] * 5}
    assert casemix._coarse(made, 0.95)["authors"][0]["word_error"] is None
    assert casemix._coarse(made | {"fewest": 10}, 0.95)["authors"][0]["word_error"] == 0.2


def test_a_look_ahead_has_no_pace_and_no_days_from_which_n_would_follow() -> None:
    def group(name: str, n: float) -> dict[str, Any]:
        word = {"phrase": "likely", "n": n, "rate": 0.512, "weeks_until_then": 3.2, "uses_until_advice": 12}
        made: dict[str, Any] = {"radiologist": name, "pathology": "edema", "n": n, "words": [word]}
        return made | {"findings_per_week": 2.31, "first_day": "2026-01-05", "findings_needed": 8}

    people = [group(f"Reader {k}", 31.0 + k) for k in range(5)]
    change = {"radiologist": "Reader 0", "pathology": "edema", "before": "matches", "after": "undecided"}
    unseen, few = change | {"radiologist": "Reader 9"}, change | {"after": "too few"}
    window = {"hours": 12.0, "pairs": 300, "statements": 255, "radiologists": people, "pathologies": [{"n": 255}]}
    made = {"windows": [window], "verdict_changes": [change, unseen, few], "ahead": [*people, group("Reader 9", 4.0)]}
    shown = sensitivity._coarse(made, Settings())
    assert shown["windows"][0].keys() == {"hours", "radiologists"}
    first = shown["ahead"][0]
    assert (first["n"], first["findings_per_week"], first["first_day"]) == ("30-49", None, None)
    assert first["findings_needed"] is None
    assert first["words"][0] == {
        "phrase": "likely", "n": "30-49", "rate": 0.5, "low": 0.3, "high": 0.7, "weeks_until_then": None,
        "uses_until_advice": None,
    }  # fmt: skip
    assert {group["radiologist"] for group in shown["ahead"]} == {f"Reader {k}" for k in range(5)}
    assert shown["verdict_changes"] == [change]
    said = " ".join(sensitivity._coarse_window_lines(shown | {"verdict_changes": [change | {"hours": 12.0}]}))
    assert "12 h: the verdict on 1 word changes or is gone" in said
    assert "300" not in said
    assert "255" not in said
    assert sensitivity._coarse(made | {"ahead": people[:4]}, Settings())["ahead"] == []
