"""Addenda within a report, and whether a text speaks of a CT that was made."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.ingest.later_texts import names_ct, packed, text_parts, unpacked

EXAM = dt.datetime(2024, 3, 5, 8)


@pytest.mark.parametrize(
    "text",
    [
        "ADDENDUM: Subsequent CT shows a nodule.",
        "CT chest performed later the same day confirms pneumonia.",
        "In der nachfolgenden CT zeigt sich ein Infiltrat.",
        "Addendum: On computed tomography of the same day, no nodule.",
        "The opacity is confirmed on CT.",
        "Im Thorax-CT kein Nachweis.",
        "Correlation is made with CTA from today.",
        "CT angiogram obtained for further evaluation shows emboli.",
        "Prior CT reviewed. Today's CT shows a mass.",
        "Die Computertomographie bestätigt das Infiltrat.",
        "CT suggests pneumonia.",
        "This was confirmed on CT, follow-up is recommended.",
    ],
)
def test_a_ct_that_was_made_is_named(text: str) -> None:
    assert names_ct(text)


@pytest.mark.parametrize(
    "text",
    [
        "Recommend CT.",
        "CT is advised.",
        "CT could be obtained for further evaluation.",
        "Chest CT for further evaluation.",
        "Would suggest further evaluation with CT.",
        "A follow-up chest CT is recommended.",
        "If symptoms persist, CT should be performed.",
        "CT empfohlen.",
        "Ggf. CT zur weiteren Abklärung.",
        "Eine CT-Untersuchung sollte erwogen werden.",
        "COMPARISON: CT 3/1/2019.",
        "Unchanged compared with prior CT.",
        "No CT available.",
        "Vor-CT nicht vorhanden.",
        "The cardiothoracic (CT ratio) is normal.",
        "Findings discussed with Dr. X in direct contact.",
        "",
    ],
)
def test_a_ct_that_is_wanted_missing_or_earlier_is_not(text: str) -> None:
    assert not names_ct(text)


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


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("06.03.2024 um 9:30", "2024-03-06 09:30"),
        ("03/06/2024 at 2:05 PM", "2024-03-06 14:05"),
        ("2024-03-06", "2024-03-06 23:59"),
        ("04/03/2024 10:00", "2024-04-03 10:00"),
        ("01/02/2023 10:00", ""),
    ],
)
def test_the_date_of_an_addendum_is_not_before_the_exam(date: str, expected: str) -> None:
    """Without a time of day it stands for the whole day; what cannot be right is none."""
    assert parts(f"Clear.\nNachtrag vom {date}: Rundherd.")[1][2] == expected


@pytest.mark.parametrize("text", ["Clear.", "An addendum will follow. Addendum to follow.", "See addendum.", ""])
def test_a_report_that_only_speaks_of_an_addendum_is_whole(text: str) -> None:
    assert text_parts(text, EXAM) == ()


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
