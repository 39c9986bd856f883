"""Addenda within a report, and whether a text speaks of a CT that was made."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.reports.later_texts import is_revised, packed, text_parts, unpacked
from radcal.reports.named_ct import NamedCt, names_ct
from tests.cases import cases_of

cases = cases_of(__file__)

EXAM = dt.datetime(2024, 3, 5, 8)


@cases("a_ct_that_was_made_is_named")
def test_a_ct_that_was_made_is_named(text: str) -> None:
    assert names_ct(text)


@cases("a_ct_that_is_wanted_missing_or_earlier_is_not")
def test_a_ct_that_is_wanted_missing_or_earlier_is_not(text: str) -> None:
    assert not names_ct(text)


@cases("a_ct_made_after_the_x_ray_is_named")
def test_a_ct_made_after_the_x_ray_is_named(text: str) -> None:
    assert names_ct(text, EXAM) is NamedCt.LATER


@cases("a_ct_that_may_be_earlier_or_is_not_yet_made_is_not_a_later_one")
def test_a_ct_that_may_be_earlier_or_is_not_yet_made_is_not_a_later_one(text: str) -> None:
    assert names_ct(text, EXAM) is not NamedCt.LATER


def parts(text: str) -> list[tuple[str, bool, str]]:
    def time_of(time: int | None) -> str:
        return str(dt.datetime.fromtimestamp(time // 10**9, dt.UTC))[:16] if time else ""

    return [(text[p.start : p.end].strip(), p.addendum, time_of(p.time)) for p in text_parts(text, EXAM)]


def test_a_report_is_told_from_its_addenda() -> None:
    text = "FINDINGS: Clear.\n\nADDENDUM 03/05/2024 14:05: Nodule.\n*** Addendum #2: Mass."
    assert parts(text) == [
        ("FINDINGS: Clear.", False, ""),
        ("ADDENDUM 03/05/2024 14:05: Nodule.", True, "2024-03-05 14:05"),
        ("*** Addendum #2: Mass.", True, ""),
    ]


def test_an_addendum_may_stand_before_its_report() -> None:
    for head in ("EXAM: Chest.", "Original report", "Klinische Angaben: Husten."):
        assert parts(f"ADDENDUM: Nodule.\n\n{head}\nClear.") == [
            ("ADDENDUM: Nodule.", True, ""), (f"{head}\nClear.", False, "")
        ]  # fmt: skip


@cases("the_date_of_an_addendum_is_not_before_the_exam")
def test_the_date_of_an_addendum_is_not_before_the_exam(date: str, expected: str) -> None:
    """Without a time of day it stands for the whole day; what cannot be right is none."""
    assert parts(f"Clear.\nNachtrag vom {date}: Rundherd.")[1][2] == expected


@pytest.mark.parametrize("text", ["Clear.", "An addendum will follow. Addendum to follow.", "See addendum.", ""])
def test_a_report_that_only_speaks_of_an_addendum_is_whole(text: str) -> None:
    assert text_parts(text, EXAM) == ()


BODY = "FINDINGS: Clear.\nIMPRESSION: Clear."


@cases("an_addendum_never_swallows_the_report_below_it")
def test_an_addendum_never_swallows_the_report_below_it(opening: str) -> None:
    added = "ADDENDUM: 03/05/2024 15:00 CT performed later shows a nodule."
    for text in (f"{added}\n\n{opening}{BODY}", f"{added}\n{opening}{BODY}"):
        assert parts(text) == [(added, True, "2024-03-05 15:00"), (f"{opening}{BODY}", False, "")]
    assert parts(f"{added}\n\n{opening}{BODY}\nAddendum: Mass.")[1:] == [
        (f"{opening}{BODY}", False, ""), ("Addendum: Mass.", True, "")
    ]  # fmt: skip
    title = f"XR CHEST\n{added}"
    assert parts(f"{title}\n\n{opening}{BODY}")[0] == (title, True, "2024-03-05 15:00")


def test_a_report_without_headings_below_an_addendum() -> None:
    for body in ("------\nLungs are clear.", "Heart is normal. Lungs are clear. No effusion."):
        assert parts(f"ADDENDUM: Nodule.\n\n{body}") == [("ADDENDUM: Nodule.", True, ""), (body, False, "")]
    text = f"ADDENDUM: Nodule. {BODY}".replace("\n", " ")
    assert [p.addendum for p in text_parts(text)] == [True, False], "its line breaks were lost"


def test_an_addendum_may_have_headings_of_its_own() -> None:
    added = "ADDENDUM 03/05/2024 15:00\n\nFINDINGS: Nodule.\nIMPRESSION: Nodule."
    assert parts(added) == [(added, True, "2024-03-05 15:00")]
    assert parts(f"{added}\n\nEXAM: Chest.\n{BODY}")[1] == (f"EXAM: Chest.\n{BODY}", False, "")
    assert [later for _, later, _ in parts(f"{BODY}\n{added}")] == [False, True]


@cases("a_dated_heading_is_told_with_its_line_breaks_and_without")
def test_a_dated_heading_is_told_with_its_line_breaks_and_without(heading: str) -> None:
    for text in (f"{BODY}\n{heading} Nodule.", f"{BODY}\n\n{heading}\nNodule.", f"{BODY} {heading} Nodule."):
        assert [(later, time) for _, later, time in parts(text)] == [(False, ""), (True, "2024-03-05 15:00")]


@cases("the_time_of_an_addendum_is_in_its_heading_or_beside_its_signature")
def test_the_time_of_an_addendum_is_in_its_heading_or_beside_its_signature(addendum: str, time: str) -> None:
    assert parts(f"{BODY}\n{addendum}")[1:] == [(addendum, True, time)]


@cases("words_that_only_look_like_a_heading")
def test_words_that_only_look_like_a_heading(text: str) -> None:
    assert text_parts(text, EXAM) == ()


def test_a_report_that_calls_itself_revised_is_a_corrected_version() -> None:
    text = f"REVISED REPORT: 03/05/2024 15:00\n{BODY}"
    assert is_revised(text)
    assert parts(text) == [(text, False, "2024-03-05 15:00")]
    assert not is_revised(f"{BODY}\n{text}")
    assert not is_revised(f"{text}\nORIGINAL REPORT:\n{BODY}")


@given(
    st.lists(st.sampled_from(["Clear.\n", "ADDENDUM: CT shows x.\n", "EXAM: y\n", "\n", "addendum\n", " "]), max_size=8)
)
def test_parts_are_in_order_and_leave_out_nothing_but_space(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = text_parts(text)
    assert unpacked(packed(found)) == found
    if found:
        assert "".join("".join(text[p.start : p.end].split()) for p in found) == "".join(text.split())
        assert all(a.end <= b.start for a, b in pairwise(found))
