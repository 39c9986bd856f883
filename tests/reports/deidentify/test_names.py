"""Names, initials, numbers and addresses that are found where they stand, and words that stay."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Known
from tests.cases import cases_of

cases = cases_of(__file__)

NOBODY = Known()
Plain = Callable[..., str]
BEFORE, AFTER = (
    "No pleural effusion is seen. The heart is mildly enlarged.\n",
    "\nThere may be pneumonia at the left base.",
)
FULL = (
    "Grace Stone", "Temperance Winterbottom", "Xóchitl Quetzalli", "Hope F. Rivers", "J. Snow", "Dawn Black-Marsh",
    "Priya de la Fuente", "Björn van der Moor", "Kofi Freiherr von Stein", "Amal al-Qadir", "Yusuf bin Rahim",
    "Siobhán O'Dell", "Niamh Ní Bhroin", "Joost ter Horst", "Rui do Vale", "Ana Ruiz y Prado", "Ji-ho Noh",
    "Nguyễn Thị Vy", "Ludvík Ďurica", "Ása Þorláksdóttir", "Çağla Öğüt", "WINTER FROST", "Wren al Hadid",
)  # fmt: skip
FORMS = ("Frost, Winter", "FROST, WINTER J", "Frost, Winter J.", "Winter J. Frost", "Frost W", "Frost", "FROST Winter")
CUES = (
    "Re: {}", "Pt: {}", "Patient name: {}", "Attending: {}", "Resident: {}", "Referring physician: {}",
    "Technologist: {}", "Interpreted by: {}", "Verified by {}", "Finalised by {}", "Authorised by {}",
    "Electronically signed by {}", "Surgeon: {}", "cc: {}", "Gez. {}", "Befunder: {}",
)  # fmt: skip


def left(deidentify: Deidentifier, text: str, name: str, known: Known = NOBODY) -> list[str]:
    """The words of a name that stayed in a text."""
    done = deidentify(text, known, "p")
    assert deidentify(done.text, NOBODY, "p").text == done.text
    start = text.index(name)
    kept = "".join(c for n, c in enumerate(text) if start <= n < start + len(name) and not _edited(done.edits, n))
    return re.findall(r"[^\W_]+", kept)


def _edited(edits: object, position: int) -> bool:
    return any(edit.start <= position < edit.end for edit in edits)  # type: ignore[attr-defined]


@pytest.mark.parametrize("cue", CUES)
def test_every_form_of_a_name_is_found_behind_a_sure_cue(deidentify: Deidentifier, cue: str) -> None:
    for name in FULL + FORMS:
        assert left(deidentify, BEFORE + cue.format(name) + AFTER, name) == [], name


@cases("names_of_any_words_are_found_within_sentences")
def test_names_of_any_words_are_found_within_sentences(deidentify: Deidentifier, sentence: str) -> None:
    missed = [name for name in FULL if left(deidentify, BEFORE + sentence.format(name) + AFTER, name)]
    assert missed == []


@cases("initials_of_those_who_typed_are_found")
def test_initials_of_those_who_typed_are_found(deidentify: Deidentifier, cue: str, initials: str) -> None:
    assert left(deidentify, BEFORE + cue.format(initials), initials) == []


@cases("names_are_found_at_the_edges_of_reports")
def test_names_are_found_at_the_edges_of_reports(deidentify: Deidentifier, text: str, name: str) -> None:
    assert left(deidentify, text.replace("{before}", BEFORE.strip()), name) == []


@cases("addresses_are_found_by_structure")
@pytest.mark.parametrize("cue", ["Address: {}", "Lives at {}.", "Resides at {} with his wife.", "Wohnhaft {}.", "{}"])
def test_addresses_are_found_by_structure(deidentify: Deidentifier, cue: str, address: str) -> None:
    assert left(deidentify, BEFORE + cue.format(address) + AFTER, address) == []


@cases("a_surname_behind_a_title_is_found_again")
def test_a_surname_behind_a_title_is_found_again(plain: Plain, text: str, again: str) -> None:
    assert again not in plain(text)


@cases("names_are_replaced")
def test_names_are_replaced(plain: Plain, text: str, kept: str) -> None:
    assert plain(text) == kept


@cases("initials_at_the_end_are_replaced")
def test_initials_at_the_end_are_replaced(plain: Plain, tail: str, kept: str) -> None:
    assert plain(BEFORE.strip() + tail) == BEFORE.strip() + kept


@cases("numbers_are_replaced_whole")
def test_numbers_are_replaced_whole(plain: Plain, text: str, kept: str) -> None:
    assert plain(text) == kept


@cases("words_of_reports_stay")
def test_words_of_reports_stay(plain: Plain, text: str) -> None:
    assert plain(text) == text


def test_an_address_ends_before_what_somebody_came_for(plain: Plain) -> None:
    text = "Wohnhaft Deichreihe 7, 25999 Osterhever-Koog, zur CT des Thorax am 5. September 2023."
    made = plain(text)
    assert made.startswith("Wohnhaft [address], zur CT des Thorax am ")
    assert not made.endswith("September 2023.")
