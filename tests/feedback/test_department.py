"""The department's pages: everyone under a pseudonym, nobody ranked."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from radcal.errors import DataError
from radcal.feedback import Print, department_pdf, pseudonyms
from radcal.feedback.department import department_content
from radcal.records import FeedbackInput
from radcal.settings import Settings

Make = Callable[..., FeedbackInput]
AUTHORS = ("Dr. Zoltan Quirk", "Dr. Ymir Pell", "Dr. Xenia Oakes")


@pytest.fixture(scope="module")
def department(make: Make) -> list[FeedbackInput]:
    names = pseudonyms(AUTHORS, 0)
    uses = {"edema": {"likely": (60, 30), "may represent": (40, 20)}, "pneumothorax": {"absent": (9, 0)}}
    return [make(uses, author=author, pseudonym=names[author]) for author in AUTHORS]


def content(inputs: list[FeedbackInput], **changes: Any) -> dict[str, Any]:
    return department_content(inputs, Settings().changed(**changes))


def test_rows_stand_in_the_order_of_the_pseudonyms_whatever_the_input(department: list[FeedbackInput]) -> None:
    c = content(department)
    assert c == content(department[::-1])
    for p in c["pathologies"]:
        names = [r["name"] for r in p["rows"]]
        assert names == sorted(names)
        assert set(names) == {i.pseudonym for i in department}


def test_no_author_s_name_reaches_the_page(department: list[FeedbackInput]) -> None:
    told = text(department_pdf(department))
    for author in AUTHORS:
        assert not any(part in told for part in author.removeprefix("Dr. ").split())
    for i in department:
        assert i.pseudonym in told


def text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def test_each_row_has_n_distance_interval_and_luck(department: list[FeedbackInput]) -> None:
    r = department[0].reliabilities[0]
    r = replace(r, ece_star=0.138, ece_star_low=0.1, ece_star_high=0.19, luck_star_p95=0.09, q_value_star=0.2)
    c = content([replace(department[0], reliabilities=(r,))])
    row = c["pathologies"][0]["rows"][0]
    assert (row["n"], row["value"], row["spread"], row["luck"]) == (
        "100",
        "0.14",
        "(0.10\N{EN DASH}0.19)",
        "up to 0.09",
    )
    assert row["plot"] == {"value": 0.138, "low": 0.1, "high": 0.19, "luck": 0.09, "beyond": False}
    assert c["axis"] == 0.2


@pytest.mark.parametrize(
    ("q", "luck", "beyond"), [(0.2, 0.0, False), (0.01, 0.9, True), (None, 0.1, True), (None, 0.2, False)]
)
def test_beyond_luck_allows_for_the_number_of_comparisons(
    department: list[FeedbackInput], q: float | None, luck: float, beyond: bool
) -> None:
    r = replace(department[0].reliabilities[0], ece_star=0.14, q_value_star=q, luck_star_p95=luck)
    c = content([replace(department[0], reliabilities=(r,))])
    assert c["pathologies"][0]["rows"][0]["plot"]["beyond"] is beyond
    assert c["summary"] == (
        "In the only combination of reader and pathology with enough data, hedged words lay "
        f"{'farther' if beyond else 'no farther'} from what CT showed than luck explains."
    )
    both = content([replace(i, reliabilities=(r,)) for i in department[:2]])["summary"]
    assert both.startswith("In 2 of 2 combinations" if beyond else "In none of 2 combinations")


def test_pathologies_that_nobody_can_be_measured_for_stand_together(department: list[FeedbackInput]) -> None:
    c = content(department)
    assert [p["topic"] for p in c["pathologies"]] == ["edema"]
    names = sorted(i.pseudonym for i in department)
    said = ", ".join(f"{name}\N{NO-BREAK SPACE}(9)" for name in names)
    assert c["few"] == [{"topic": "pneumothorax", "n": "27", "readers": said}]
    assert c["few_note"] == "A measure needs 30 statements of a reader on a pathology, 10 of them hedged."
    few = [replace(i, reliabilities=i.reliabilities[1:]) for i in department]
    assert content(few)["summary"] == "Not enough data yet to measure the words of any reader."
    told = text(department_pdf(few))
    assert "Not enough data yet for a measure" in told
    assert "diamond" not in told
    assert "diamond" in text(department_pdf(department))
    assert all(name in told for name in names)


def test_who_cannot_be_measured_is_told_why(make: Make, department: list[FeedbackInput]) -> None:
    def reason(uses: Any) -> str:
        other = make({"edema": uses}, author="Dr. Walda Nye", pseudonym="Zion")
        rows = content([department[0], other])["pathologies"][0]["rows"]
        return str(next(row["reason"] for row in rows if row["name"] == "Zion"))

    assert reason({"likely": (9, 3)}) == "a measure needs 30 statements"
    assert reason({"absent": (60, 2)}) == "no hedged words"
    assert reason({"absent": (60, 2), "likely": (1, 0)}) == "1 hedged statement; a measure of them needs 10"
    assert reason({"absent": (60, 2), "likely": (9, 3)}) == "9 hedged statements; a measure of them needs 10"
    assert reason({"absent": (60, 2), "likely": (10, 3)}) == ""


def test_missing_intervals_and_luck_are_left_out(department: list[FeedbackInput]) -> None:
    r = replace(department[0].reliabilities[0], ece_star=0.3, ece_star_low=None, ece_star_high=None, luck_star_p95=None)
    row = content([replace(department[0], reliabilities=(r,))])["pathologies"][0]["rows"][0]
    assert (row["spread"], row["luck"], row["plot"]["luck"]) == ("", "", None)
    assert row["plot"]["low"] == row["plot"]["high"] == 0.3
    assert b"%PDF" in department_pdf([replace(department[0], reliabilities=(r,))])[:8]


def test_dates_span_all_readers(department: list[FeedbackInput]) -> None:
    early = replace(department[0].provenance, first_exam=department[0].provenance.first_exam.replace(year=2025))  # type: ignore[union-attr]
    c = content([replace(department[0], provenance=early), *department[1:]])
    assert c["footer"].endswith("Jan\N{NO-BREAK SPACE}2025\N{EN DASH}Sep\N{NO-BREAK SPACE}2026")


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
