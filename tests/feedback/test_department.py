"""The department's pages: everyone under a pseudonym, nobody ranked."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader

from radcal.calibration.records import Verdict
from radcal.feedback.department import department_content
from radcal.feedback.pdf import Print, department_pdf
from radcal.feedback.records import FeedbackInput
from radcal.system.errors import DataError
from radcal.system.selection import Days
from radcal.system.settings import Settings
from radcal.workspace.pseudonyms import pseudonyms

Make = Callable[..., FeedbackInput]
AUTHORS = (
    "Dr. Zoltan Quirk", "Dr. Ymir Pell", "Dr. Xenia Oakes", "Dr. Wendel Nashe", "Dr. Vesta Muir", "Dr. Ulf Lumley",
)  # fmt: skip


@pytest.fixture(scope="module")
def department(make: Make) -> list[FeedbackInput]:
    names = pseudonyms(AUTHORS, 0)
    uses = {"edema": {"likely": (60, 30), "may represent": (40, 20)}, "pneumothorax": {"absent": (9, 0)}}
    return [make(uses, author=author, pseudonym=names[author]) for author in AUTHORS]


def content(inputs: list[FeedbackInput], **changes: Any) -> dict[str, Any]:
    return department_content(inputs, Settings().changed(**changes))


def crowded(inputs: list[FeedbackInput]) -> list[FeedbackInput]:
    """The readers among five more who said a little of each of their pathologies, and cannot be measured."""
    few = {r.topic: replace(r, n=9.0, phrases=(), curve=None, word_error=None) for i in inputs for r in i.reliabilities}
    more = [replace(inputs[0], pseudonym=f"~{k}", reliabilities=tuple(few.values()), pooled=None) for k in range(5)]
    return [*inputs, *more]


def test_readers_stand_in_the_order_of_the_pseudonyms_whatever_the_input(department: list[FeedbackInput]) -> None:
    c = content(department)
    assert c == content(department[::-1])
    names = [r["name"] for r in c["readers"]]
    assert names == sorted(names)
    assert set(names) == {i.pseudonym for i in department}


def test_no_author_s_name_reaches_the_page(department: list[FeedbackInput]) -> None:
    shown = text(department_pdf(department))
    for author in AUTHORS:
        assert not any(part in shown for part in author.removeprefix("Dr. ").split())
    for i in department:
        assert i.pseudonym in shown


def text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def test_each_reader_has_n_distance_interval_and_luck_over_all_pathologies(
    department: list[FeedbackInput], in_all: Make
) -> None:
    r = department[0].reliabilities[0]
    figures: dict[str, Any] = {"word_error": 0.138, "word_error_low": 0.1, "word_error_high": 0.19}
    figures["luck_word_p95"] = 0.09
    shown = "(10\N{EN DASH}20)"
    c = content(crowded([replace(department[0], reliabilities=(replace(r, **figures),))]))
    row = c["readers"][0]
    assert (row["n"], row["value"], row["spread"], row["luck"]) == ("100\N{EN DASH}199", "15", shown, "up to 10")
    assert row["plot"] == {"value": 0.15, "low": 0.1, "high": 0.2, "luck": 0.1, "beyond": True}
    assert c["axis"] == 0.2
    # Of several pathologies it is what holds for all of them together.
    several = in_all(department[0])
    assert several.pooled is not None
    whole = replace(several, pooled=replace(several.pooled, **(figures | {"word_error": 0.26})))
    assert content(crowded([whole]))["readers"][0]["value"] == "25"


@pytest.mark.parametrize(("verdict", "beyond"), [("stronger", True), ("weaker", True), ("undecided", False)])
def test_readers_whose_hedged_words_differ_are_marked_and_counted(
    department: list[FeedbackInput], in_all: Make, verdict: Verdict, beyond: bool
) -> None:
    """Whatever the p-value of the word error, and be it for one pathology; plain words are not counted."""
    given = department[0].reliabilities[0]
    rates = [p._replace(verdict=verdict if 0 < p.mean < 1 else "stronger") for p in given.phrases]
    r = replace(given, phrases=tuple(rates), p_value_word=0.2 if beyond else 0.001)
    one = replace(department[0], reliabilities=(r,))
    whole = in_all(replace(department[0], reliabilities=(r, department[0].reliabilities[1])))
    assert whole.pooled is not None
    quiet = tuple(p._replace(verdict="undecided") for p in whole.pooled.phrases)
    for data in (one, replace(whole, pooled=replace(whole.pooled, phrases=quiet, together=None))):
        c = content(crowded([data]))
        assert c["readers"][0]["plot"]["beyond"] is beyond
        assert ("hedged words clearly differ" in c["summary"]) is not beyond
        assert c["summary"].startswith("For 1 of 1 reader, hedged words overstated or understated") is beyond


def test_where_nobody_can_be_measured_it_says_so(department: list[FeedbackInput]) -> None:
    few = [replace(i, reliabilities=i.reliabilities[1:]) for i in department]
    assert content(few)["summary"] == "Not enough data yet to measure the words of any reader."
    shown = text(department_pdf(few))
    assert "diamond" not in shown
    assert "diamond" in text(department_pdf(department))
    assert all(i.pseudonym in shown for i in department)


def test_who_cannot_be_measured_is_told_why(make: Make, department: list[FeedbackInput]) -> None:
    def reason(uses: Any, **changes: Any) -> str:
        other = make({"edema": uses}, author="Dr. Walda Nye", pseudonym="Zion")
        rows = content([*department, other], **changes)["readers"]
        return str(next(row["reason"] for row in rows if row["name"] == "Zion"))

    few = "too few hedged statements; a measure needs 10"
    assert reason({"likely": (29, 9)}) == reason({"likely": (9, 3)}) == "a measure needs 30 statements"
    assert reason({"absent": (60, 2)}) == reason({"absent": (60, 2), "likely": (1, 0)}) == few
    assert reason({"absent": (60, 2), "likely": (9, 3)}) == few
    assert reason({"absent": (60, 2), "likely": (10, 3)}) == ""


def test_a_threshold_within_a_band_does_not_narrow_it(make: Make, department: list[FeedbackInput]) -> None:
    """31 are needed: of 30-49 statements, no measure would mean 30."""
    for n in (30, 31, 49):
        other = make({"edema": {"likely": (n, 9)}}, author="Dr. Walda Nye", pseudonym="Zion")
        rows = content([*department, other], min_group_n=31)["readers"]
        assert next(row for row in rows if row["name"] == "Zion") == {
            "name": "Zion",
            "n": "30\N{EN DASH}49",
            "reason": "a measure needs 31 statements",
        }


def test_what_fewer_than_five_said_is_left_out_and_so_is_who_said_less_than_five(
    make: Make, department: list[FeedbackInput]
) -> None:
    c = content([*department[:4], make({"edema": {"likely": (4, 2)}}, author="Dr. Walda Nye", pseudonym="Zion")])
    assert not c["pathologies"]
    assert not c["readers"]
    assert c["summary"].startswith("Nothing is shown: it takes 5 readers with 5 statements on a pathology")
    assert c["left_out"].endswith("5 statements or more on each: edema and pneumothorax.")
    assert b"%PDF" in department_pdf(department[:1])[:8]
    five = [*department[:5], make({"edema": {"likely": (4, 2)}}, author="Dr. Walda Nye", pseudonym="Zion")]
    shown = content(five)
    assert len(shown["readers"]) == 5
    assert shown["left_out"] == ""
    unsaid = replace(five[0].reliabilities[0], topic="mass", n=0.0, phrases=())
    assert content([replace(five[0], reliabilities=(*five[0].reliabilities, unsaid)), *five[1:]]) == shown
    assert "Zion" not in str(shown)


@pytest.mark.parametrize(
    ("star", "high", "luck", "axis"),
    [(0.01, 0.02, 0.03, 0.2), (0.2, None, None, 0.2), (0.226, 0.1, 0.1, 0.3), (0.1, 0.3, 0.1, 0.3),
     (0.1, 0.2, 0.58, 0.6), (0.1, 0.7, 0.58, 0.7)],
)  # fmt: skip
def test_the_axis_ends_at_a_tenth_that_holds_every_mark(
    department: list[FeedbackInput], star: float, high: float | None, luck: float | None, axis: float
) -> None:
    r = replace(department[0].reliabilities[0], word_error=star, word_error_high=high, luck_word_p95=luck)
    low = replace(r, word_error=0.01, word_error_high=0.01, luck_word_p95=0.01)
    groups = [replace(i, reliabilities=(g,)) for i, g in zip(department[:3], (low, r, low), strict=True)]
    assert content(crowded(groups))["axis"] == pytest.approx(axis)


def test_pathologies_follow_by_findings_and_readers_by_pseudonym_never_by_n(make: Make) -> None:
    uses = {"mass": {"likely": (40, 30)}, "edema": {"likely": (90, 30)}, "fracture": {"likely": (300, 50)}}
    names = ["Zoe", "abe", "Kim", "Bo", "Cy", "Dee"]
    inputs = [make(uses, author=f"Dr. {k}", pseudonym=p) for k, p in enumerate(names)]
    c = content(inputs)
    assert [(p["topic"], p["readers"]) for p in c["pathologies"]] == [(t, "6") for t in ("fracture", "edema", "mass")]
    assert [row["name"] for row in c["readers"]] == sorted(names, key=str.casefold)
    # The middles of the bands: 6 times 74.5, 349.5 and 39.5.
    assert c["meta"].startswith("6 readers · 2,000\N{EN DASH}4,999 findings · ")
    assert "90\N{NO-BREAK SPACE}%" in content(inputs, confidence=0.9)["reading"][0]


def test_missing_intervals_and_luck_are_left_out(department: list[FeedbackInput]) -> None:
    r = replace(
        department[0].reliabilities[0], word_error=0.3, word_error_low=None, word_error_high=None, luck_word_p95=None
    )
    row = content(crowded([replace(department[0], reliabilities=(r,))]))["readers"][0]
    assert (row["spread"], row["luck"], row["plot"]["luck"]) == ("", "", None)
    assert row["plot"]["low"] == row["plot"]["high"] == 0.3
    assert b"%PDF" in department_pdf([replace(department[0], reliabilities=(r,))])[:8]


def test_dates_span_all_readers(department: list[FeedbackInput]) -> None:
    early = replace(department[0].provenance, first_exam=department[0].provenance.first_exam.replace(year=2025))  # type: ignore[union-attr]
    c = content([replace(department[0], provenance=early), *department[1:]])
    assert c["footer"] == ("Department · Jan\N{NO-BREAK SPACE}2025\N{EN DASH}Sep\N{NO-BREAK SPACE}2026")
    assert c["meta"].endswith("Jan\N{NO-BREAK SPACE}2025\N{EN DASH}Sep\N{NO-BREAK SPACE}2026")
    undated = [replace(i, provenance=replace(i.provenance, first_exam=None, last_exam=None)) for i in department]
    assert content([undated[0], *department[1:]])["footer"] == content(department)["footer"]
    assert content(undated)["footer"] == "Department"
    chosen = content([replace(i, days=Days(date(2026, 3, 1))) for i in department])
    assert chosen["footer"] == ("Department · from 1\N{NO-BREAK SPACE}Mar\N{NO-BREAK SPACE}2026")
    assert chosen["meta"].endswith("days chosen: from 1\N{NO-BREAK SPACE}Mar\N{NO-BREAK SPACE}2026")


@pytest.mark.parametrize("aliases", [[], ["Avery", ""], ["Avery", "Avery"], ["Avery", "Dr. Ymir Pell"]])
def test_pseudonyms_are_required_and_distinct(department: list[FeedbackInput], aliases: list[str]) -> None:
    inputs = [replace(i, pseudonym=alias) for i, alias in zip(department, aliases, strict=False)]
    with pytest.raises(DataError):
        department_pdf(inputs)


@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_a_department_has_one_sheet_and_a_large_one_repeats_the_head_of_its_table(
    department: list[FeedbackInput], paper: Any
) -> None:
    def pages(readers: int) -> list[str]:
        many = [replace(department[0], pseudonym=f"Reader {k:03}") for k in range(readers)]
        return [page.extract_text() for page in PdfReader(io.BytesIO(department_pdf(many, Print(paper, "ua-1")))).pages]

    assert len(pages(25)) == 1
    many = pages(120)
    with_rows = [p for p in many if "Reader" in p]
    assert len(with_rows) >= 3
    assert all("chance" in p for p in with_rows)
    assert all(f"Reader {k:03}" in "".join(many) for k in range(120))


def test_each_pathology_names_the_words_said_most(make: Make, department: list[FeedbackInput]) -> None:
    (edema,) = content(department)["pathologies"]
    assert edema["words"] == (
        # 6 times the middles of 50-99 and of 30-49
        "\N{LEFT SINGLE QUOTATION MARK}likely\N{RIGHT SINGLE QUOTATION MARK} 200\N{EN DASH}499 times, "
        "50\N{NO-BREAK SPACE}% (40\N{EN DASH}60); "
        "\N{LEFT SINGLE QUOTATION MARK}may represent\N{RIGHT SINGLE QUOTATION MARK} 200\N{EN DASH}499 times, "
        "50\N{NO-BREAK SPACE}% (40\N{EN DASH}60)"
    )
    plain = make({"edema": {"likely": (60, 30), "may represent": (40, 20), "absent": (90, 1), "present": (90, 89)}})
    also = [replace(i, reliabilities=plain.reliabilities) for i in department]
    assert content(also)["pathologies"][0]["words"] == edema["words"], "plain words are no part of the measure"


def test_words_of_all_need_five_readers_beside_each(department: list[FeedbackInput]) -> None:
    assert content(department[:5])["pathologies"] == []
