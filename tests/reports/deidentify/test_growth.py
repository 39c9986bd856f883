"""De-identification takes as much longer as a text is longer: lines of Python are counted, searches are limited."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from radcal.reports import deidentify as package
from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Known

SHORT, LONG = 600, 2_400
REPEATED = (
    *("Dr. ", "Dr. Smith ", "by Smith, ", "A. ", "Smith, John ", "van der "),
    *("Dear ", "Signed: ", "MD ", ", MD", "John\n", "Smith and "),
    *("Patient: ", "discussed with ", "1/2 ", "3/4/24 ", "May 5 "),
    *("12 ", "12 Main St ", "St. ", "Room 5 ", "Berlin, ", "12345 "),
    *("A-1-",),
    *("a@", "www.", "1.", "(1", "+49 ", "North ", "Hospital "),
    *("University of ", "[", "XXX ", "March ", "wohnhaft ", "von der ", "'s "),
)  # fmt: skip
HUNG = (
    *("1" * 20_000, "1 " * 10_000, "1-" * 10_000, "1.2" * 6_000),
    *("a." * 10_000, "A" * 20_000, "A-" * 10_000, "A'" * 10_000),
    *("(" * 20_000, " " * 20_000, "\n" * 20_000, "12 " + "Aa " * 6_000),
    *("12 " + "A " * 10_000, "@" * 10_000, "a@" + "a." * 10_000),
    *("MRN " + "- " * 10_000, "Address: " + "Aa " * 6_000),
    *("Hospital of " + "Aa " * 6_000, "[**" * 6_000, "Dr. " * 6_000 + "x"),
)  # fmt: skip


@pytest.mark.parametrize("pattern", REPEATED)
def test_steps_grow_with_the_length(steps: Callable[..., int], pattern: str) -> None:
    def counted(length: int) -> int:
        deidentify, text = Deidentifier(b"x", ["Ann Smith"]), pattern * (length // len(pattern))
        deidentify(text[:20], Known(), "p")
        return steps(lambda: deidentify(text, Known(("John Smith",)), "p"), package)

    short, long = counted(SHORT), counted(LONG)
    assert long < 1.6 * LONG / SHORT * short


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits processor time by a signal")
@pytest.mark.parametrize("number", range(len(HUNG)))
def test_no_search_runs_for_ever(limited: Callable[[], AbstractContextManager[None]], number: int) -> None:
    with limited():
        Deidentifier(b"x")(HUNG[number], Known(), "p")
