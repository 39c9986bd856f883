"""Known people and numbers are found however texts write them, and are covered in texts that are handed out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.known import Mask
from radcal.reports.identifiers import Known
from tests.cases import cases_of

cases = cases_of(__file__)

Plain = Callable[..., str]
PEOPLE = ["Quillfeather, Avery", "Jane Q. May, MD", "Gray", "van der Berg, Klaas", "", "Li"]


def test_known_names_are_found_alone_on_a_line_and_where_somebody_is_asked() -> None:
    deidentify = Deidentifier(b"x")
    for name in ("Bauer, Hans", "Baker, John", "Anderson, Mary", "Black, Sue", "Day, Ann"):
        last = name.partition(",")[0]
        for text in (
            f"No effusion.\n\n{last}",
            f"No effusion.\n- {last}.\nSupine.",
            f"Comparison: none. {last}, please follow up.",
            f"Please call {last} today.",
        ):
            assert last not in deidentify(text, Known(staff=(name,)), "p").text, text


def test_a_known_name_that_is_left_as_a_word_is_a_suspect() -> None:
    made = Deidentifier(b"x")("FINDINGS: Small effusion. Young adult male.", Known(("Young, Ann",)), "p")
    assert made.text.endswith("Young adult male.")
    assert [made.text[s.start : s.end] for s in made.suspects] == ["Young"]


def test_known_names_are_found_however_they_are_written() -> None:
    deidentify = Deidentifier(b"x", staff=["Okonkwo, Chidi", "Dr. Jürgen Weiß"])
    known = Known(
        ("O'Brien-Smith, Mary Anne", "May Brown"), ("Long, John", "Wedge A"), ("MRN 12 345 678", "555-123-4567")
    )
    for text in (
        "OBRIEN SMITH.", "o'brien-smith", "Mary\nAnne", "Obrien-Smith's", "M. O'Brien", "Jurgen Weiss", "Juergen Weiss",
        "12345678", "555 123 4567", "12-345-678",
    ):  # fmt: skip
        assert not set(re.findall(r"\w+", deidentify(text, known, "p").text)) - {"name", "number", "phone", "s"}, text
    assert "[name] denies" in deidentify("Mrs Brown denies pain.", known, "p").text
    for text in (
        "The nodule may represent brown fat.",
        "There is a long wedge of opacity.",
        "THE OPACITY MAY REPRESENT A LONG WEDGE.",
    ):
        assert deidentify(text, known, "p").text == text


@cases("a_known_surname_is_found_where_a_person_is_meant")
def test_a_known_surname_is_found_where_a_person_is_meant(plain: Plain, name: str, text: str, kept: str) -> None:
    assert plain(text, Known(patient=(name,))).replace("[name]", "") == kept


@pytest.mark.parametrize("written", ["7719-204", "7719 204", "7719204", "77.19.204"])
def test_a_known_number_is_found_however_its_figures_are_grouped(plain: Plain, written: str) -> None:
    assert plain(f"Record {written}.", Known(numbers=("7719204",))) == "Record [number]."


@cases("a_known_phone_is_a_phone_with_its_brackets")
def test_a_known_phone_is_a_phone_with_its_brackets(plain: Plain, known: str, text: str, expected: str) -> None:
    assert plain(text, Known(numbers=(known,))) == expected


@cases("names_are_covered_and_words_are_not")
def test_names_are_covered_and_words_are_not(text: str, covered: str | None) -> None:
    assert Mask(PEOPLE)(text, ["A-1001", "77"]) == (covered or text)


def test_without_names_nothing_changes() -> None:
    assert Mask([])("Signed by Dr. Avery.") == "Signed by Dr. Avery."


@given(st.lists(st.text(max_size=20), max_size=5), st.text(max_size=200), st.text(max_size=8))
def test_whatever_the_names_are_nothing_moves(names: list[str], text: str, number: str) -> None:
    covered = Mask(names)(text, [number])
    assert len(covered) == len(text)
    assert all(b in (a, "_") for a, b in zip(text, covered, strict=True))
    assert Mask(names)(text, [number]) == covered
