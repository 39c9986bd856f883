"""The department's pages: everyone under a pseudonym, nobody ranked."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader

from radcal.feedback.department import department_content
from radcal.feedback.pdf import Print, department_pdf
from radcal.feedback.records import FeedbackInput
from radcal.reliability.bands import FEWEST_HEDGES
from radcal.reliability.records import Verdict
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
    more = [replace(inputs[0], pseudonym=f"~{k}", reliabilities=tuple(few.values())) for k in range(5)]
    return [*inputs, *more]


def test_rows_stand_in_the_order_of_the_pseudonyms_whatever_the_input(department: list[FeedbackInput]) -> None:
    c = content(department)
    assert c == content(department[::-1])
    for p in c["pathologies"]:
        names = [r["name"] for r in p["rows"]]
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


def test_each_row_has_n_distance_interval_and_luck(department: list[FeedbackInput]) -> None:
    r = department[0].reliabilities[0]
    r = replace(r, word_error=0.138, word_error_low=0.1, word_error_high=0.19, luck_word_p95=0.09)
    c = content(crowded([replace(department[0], reliabilities=(r,))]))
    row = c["pathologies"][0]["rows"][0]
    assert (row["n"], row["value"], row["spread"], row["luck"]) == (
        "100\N{EN DASH}199",
        "0.15",
        "(0.10\N{EN DASH}0.20)",
        "up to 0.10",
    )
    assert row["plot"] == {"value": 0.15, "low": 0.1, "high": 0.2, "luck": 0.1, "beyond": True}
    assert c["axis"] == 0.2


@pytest.mark.parametrize(("verdict", "beyond"), [("stronger", True), ("weaker", True), ("undecided", False)])
def test_readers_whose_hedged_words_differ_are_marked_and_counted(
    department: list[FeedbackInput], verdict: Verdict, beyond: bool
) -> None:
    """Whatever the p-value of the word error; plain words are not counted."""
    given = department[0].reliabilities[0]
    rates = [p._replace(verdict=verdict if 0 < p.mean < 1 else "stronger") for p in given.phrases]
    r = replace(given, phrases=tuple(rates), p_value_word=0.2 if beyond else 0.001)
    c = content(crowded([replace(department[0], reliabilities=(r,))]))
    assert c["pathologies"][0]["rows"][0]["plot"]["beyond"] is beyond
    assert ("no hedged word clearly differs" in c["summary"]) is not beyond
    assert (
        "hedged words were stronger or weaker than CT supported (95\N{NO-BREAK SPACE}% sure)" in c["summary"]
    ) is beyond
    both = content(crowded([replace(i, reliabilities=(r,)) for i in department[:2]]))["summary"]
    which = "In 2 of 2 combinations" if beyond else "In none of 2 combinations"
    said = "hedged words were" if beyond else "a hedged word"
    assert both.startswith(f"{which} of reader and pathology with at least 30 statements (at least 10 hedged), {said}")


def test_it_is_told_from_how_many_statements_there_is_an_interval(department: list[FeedbackInput]) -> None:
    assert f"which needs {FEWEST_HEDGES} hedged statements" in content(department)["reading"]


def test_pathologies_that_nobody_can_be_measured_for_stand_together(department: list[FeedbackInput]) -> None:
    c = content(department)
    assert [p["topic"] for p in c["pathologies"]] == ["edema"]
    names = sorted(i.pseudonym for i in department)
    said = ", ".join(f"{name}\N{NO-BREAK SPACE}5\N{EN DASH}9" for name in names)
    assert c["few"] == [{"topic": "pneumothorax", "readers": said}]
    assert c["few_note"] == "A measure needs 30 statements of a reader on a pathology, 10 of them hedged."
    few = [replace(i, reliabilities=i.reliabilities[1:]) for i in department]
    assert content(few)["summary"] == "Not enough data yet to measure the words of any reader."
    shown = text(department_pdf(few))
    assert "Not enough data yet for a measure" in shown
    assert "diamond" not in shown
    assert "diamond" in text(department_pdf(department))
    assert all(name in shown for name in names)


def test_who_cannot_be_measured_is_told_why(make: Make, department: list[FeedbackInput]) -> None:
    def reason(uses: Any, **changes: Any) -> str:
        other = make({"edema": uses}, author="Dr. Walda Nye", pseudonym="Zion")
        rows = content([*department, other], **changes)["pathologies"][0]["rows"]
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
        rows = content([*department, other], min_group_n=31)["pathologies"][0]["rows"]
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
    assert not c["few"]
    assert c["summary"].startswith("Nothing is shown: it takes 5 readers with 5 statements on a pathology")
    assert c["coarse"][1].endswith("5 statements or more on each: edema and pneumothorax.")
    assert b"%PDF" in department_pdf(department[:1])[:8]
    five = [*department[:5], make({"edema": {"likely": (4, 2)}}, author="Dr. Walda Nye", pseudonym="Zion")]
    shown = content(five)
    assert [len(p["rows"]) for p in shown["pathologies"]] == [5]
    assert len(shown["coarse"]) == 1
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


def test_pathologies_follow_by_name_and_readers_by_pseudonym_never_by_n(make: Make) -> None:
    uses = {"mass": {"likely": (40, 30)}, "edema": {"likely": (90, 30)}, "fracture": {"likely": (300, 50)}}
    names = ["Zoe", "abe", "Kim", "Bo", "Cy", "Dee"]
    inputs = [make(uses, author=f"Dr. {k}", pseudonym=p) for k, p in enumerate(names)]
    c = content(inputs)
    assert [(p["topic"], p["head"]) for p in c["pathologies"]] == [(t, t) for t in ("edema", "fracture", "mass")]
    for p in c["pathologies"]:
        assert [row["name"] for row in p["rows"]] == sorted(names, key=str.casefold)
    # The middles of the bands: 6 times 74.5, 349.5 and 39.5.
    assert c["meta"].startswith("6 readers · 2,000\N{EN DASH}4,999 statements · ")
    assert "90\N{NO-BREAK SPACE}%" in content(inputs, confidence=0.9)["reading"]


def test_hedged_words_of_too_few_statements_are_no_combination(make: Make, department: list[FeedbackInput]) -> None:
    other = make({"edema": {"likely": (29, 9)}}, author="Dr. Walda Nye", pseudonym="Zion")
    said = content(crowded([department[0], other]))["summary"]
    assert said.startswith("In the only combination of reader and pathology")


def test_missing_intervals_and_luck_are_left_out(department: list[FeedbackInput]) -> None:
    r = replace(
        department[0].reliabilities[0], word_error=0.3, word_error_low=None, word_error_high=None, luck_word_p95=None
    )
    row = content(crowded([replace(department[0], reliabilities=(r,))]))["pathologies"][0]["rows"][0]
    assert (row["spread"], row["luck"], row["plot"]["luck"]) == ("", "", None)
    assert row["plot"]["low"] == row["plot"]["high"] == 0.3
    assert b"%PDF" in department_pdf([replace(department[0], reliabilities=(r,))])[:8]


def test_dates_span_all_readers(department: list[FeedbackInput]) -> None:
    early = replace(department[0].provenance, first_exam=department[0].provenance.first_exam.replace(year=2025))  # type: ignore[union-attr]
    c = content([replace(department[0], provenance=early), *department[1:]])
    assert c["footer"] == (
        "Department · Jan\N{NO-BREAK SPACE}2025\N{EN DASH}Sep\N{NO-BREAK SPACE}2026 · findings read by rules 1.0"
    )
    assert c["meta"].endswith("Jan\N{NO-BREAK SPACE}2025\N{EN DASH}Sep\N{NO-BREAK SPACE}2026")
    undated = [replace(i, provenance=replace(i.provenance, first_exam=None, last_exam=None)) for i in department]
    assert content([undated[0], *department[1:]])["footer"] == content(department)["footer"]
    assert content(undated)["footer"] == "Department · findings read by rules 1.0"
    chosen = content([replace(i, days=Days(date(2026, 3, 1))) for i in department])
    assert chosen["footer"] == (
        "Department · from 1\N{NO-BREAK SPACE}Mar\N{NO-BREAK SPACE}2026 · findings read by rules 1.0"
    )
    assert chosen["meta"].endswith("days chosen: from 1\N{NO-BREAK SPACE}Mar\N{NO-BREAK SPACE}2026")
    assert ["Days chosen", "from 1\N{NO-BREAK SPACE}Mar\N{NO-BREAK SPACE}2026"] in chosen["provenance"]


@pytest.mark.parametrize("aliases", [[], ["Avery", ""], ["Avery", "Avery"], ["Avery", "Dr. Ymir Pell"]])
def test_pseudonyms_are_required_and_distinct(department: list[FeedbackInput], aliases: list[str]) -> None:
    inputs = [replace(i, pseudonym=alias) for i, alias in zip(department, aliases, strict=False)]
    with pytest.raises(DataError):
        department_pdf(inputs)


def test_a_large_department_repeats_the_heads_of_its_tables(department: list[FeedbackInput]) -> None:
    many = [replace(department[0], pseudonym=f"Reader {k:03}") for k in range(120)]
    reader = PdfReader(io.BytesIO(department_pdf(many, Print("us-letter", "ua-1"))))
    pages = [page.extract_text() for page in reader.pages]
    with_rows = [p for p in pages if "Reader" in p]
    assert len(with_rows) >= 4
    assert all("statements" in p for p in with_rows)
    assert all(f"Reader {k:03}" in "".join(pages) for k in range(120))


def test_each_pathology_names_the_words_it_is_about(make: Make, department: list[FeedbackInput]) -> None:
    (edema,) = content(department)["pathologies"]
    assert edema["words"] == (
        "The hedged words said most, and how often CT confirmed them for all readers together: "
        # 6 times the middles of 50-99 and of 30-49
        "\N{LEFT SINGLE QUOTATION MARK}likely\N{RIGHT SINGLE QUOTATION MARK} 200\N{EN DASH}499 times, "
        "50\N{NO-BREAK SPACE}% (40\N{EN DASH}60); "
        "\N{LEFT SINGLE QUOTATION MARK}may represent\N{RIGHT SINGLE QUOTATION MARK} 200\N{EN DASH}499 times, "
        "50\N{NO-BREAK SPACE}% (40\N{EN DASH}60)."
    )
    plain = make({"edema": {"likely": (60, 30), "may represent": (40, 20), "absent": (90, 1), "present": (90, 89)}})
    also = [replace(i, reliabilities=plain.reliabilities) for i in department]
    assert content(also)["pathologies"][0]["words"] == edema["words"], "plain words are no part of the measure"
    assert "all readers together" in text(department_pdf(department)).replace("\n", " ")


def test_words_of_all_need_five_readers_beside_each(department: list[FeedbackInput]) -> None:
    (edema,) = content(department[:5])["pathologies"]
    assert edema["words"] == ""
