"""Names and numbers are covered in a text, and every other letter stays where it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.ingest.deidentify.known import Mask

PEOPLE = ["Quillfeather, Avery", "Jane Q. May, MD", "Gray", "van der Berg, Klaas", "", "Li"]


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("Read by Avery Quillfeather.", "Read by _____ ____________."),
        ("QUILLFEATHER, AVERY signed this.", "____________, _____ signed this."),
        ("Discussed with Dr. Quillfeather at 3.", "Discussed with Dr. ____________ at 3."),
        ("Signed by: Gray", "Signed by: ____"),
        ("Gray-white differentiation. Findings may represent edema.", None),
        ("Dr. May was called. May represent edema.", "Dr. ___ was called. May represent edema."),
        ("Jane Q. May, MD", "____ _. ___, MD"),
        ("Read by: May. Radiologist Gray", "Read by: ___. Radiologist ____"),
        ("Klaas van der Berg", "_____ ___ ___ ____"),
        ("Klaas van der  Berg", "_____ van der  ____"),
        ("Case A-1001 and A-10012, MRN 77.", "Case _-____ and A-10012, MRN 77."),
        ("Quillfeathers are birds.", None),
    ],
)
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
