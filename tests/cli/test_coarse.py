"""What files on radiologists under pseudonyms tell, and what they leave out."""

from __future__ import annotations

from typing import Any

from radcal.cli import casemix, sensitivity
from radcal.system.settings import Settings


def test_a_case_mix_has_bands_and_no_totals() -> None:
    part = {"phrase": "likely", "probability": 0.98, "differs": True, "said": 37.0, "others_positives": 123.4}
    author: dict[str, Any] = {"author": "Avery", "n": 141.0, "covered": 0.789, "lacking": [{"n": 9.0}]}
    author |= {"in_all": None, "like_cases": part}
    made: dict[str, Any] = {"by": ("site",), "topic": "edema", "fewest": 10, "n": 705.0, "unknown": 3, "strata": [1]}
    made |= {"groups": [{"n": 3}], "authors": [author] * 5}
    shown = casemix._coarse(made)
    assert shown["authors"][0] == {
        "author": "Avery", "n": "100-199", "covered": None, "lacking": [], "in_all": None,
        "like_cases": {"differs": True},
    }  # fmt: skip
    assert (shown["n"], shown["unknown"], shown["strata"]) == (None, None, [])
    assert (shown["groups"], shown["fewest"], shown["by"]) == ([], 10, ("site",))
    assert casemix._coarse(made | {"authors": [author] * 4 + [author | {"n": 4.0}]})["authors"] == []
    # A least number within a band would cut it in two: whoever is not compared is known to be below.
    few = made | {"authors": [author | {"n": 17.0}] * 5}
    assert casemix._coarse(few)["authors"][0]["like_cases"] == {"differs": True}
    assert casemix._coarse(few | {"fewest": 15})["authors"][0]["like_cases"] is None


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
