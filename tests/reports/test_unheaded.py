"""Sentences of findings without a heading."""

from __future__ import annotations

import pytest

from radcal.reports.records import Section
from radcal.reports.sections import document
from radcal.reports.unheaded import findings_below, findings_in_line
from tests.cases import cases_of

cases = cases_of(__file__)


def below(text: str) -> str | None:
    at = findings_below(text, 0, len(text))
    return None if at is None else text[at:]


def in_line(text: str) -> str | None:
    at = findings_in_line(text, 0, len(text))
    return None if at is None else text[at:]


@pytest.mark.parametrize(
    "line",
    [
        "The lungs are clear.",
        "LUNGS ARE CLEAR",
        "Small right effusion is seen. Heart normal.",
        "No acute process.",
        "No\tevidence of disease.",
        "Portable view. No change. Two leads. The heart is enlarged.",
        "One. Two. Three. The lungs are clear.",
        f"{199 * 'a'}. The lungs are clear.".capitalize(),
        f"{200 * 'a'}. The lungs are clear.".capitalize(),
    ],
)
def test_a_line_that_tells_what_is_seen(line: str) -> None:
    assert below(f" cough\n  {line}") == line


@pytest.mark.parametrize(
    "line",
    [
        "the lungs are clear.",  # continues the line above
        "Evaluate for effusion, which is suspected.",
        "Patient has known pneumonia.",
        "Is there a mass?",
        "Opacity seen on outside CT.",
        "Pneumonia.",  # a question or a finding: ambiguous
        "Line placed today.",
        "Portable view\n  the lungs are clear.",
        "Portable view? The lungs are clear.",
        "Seen today.The lungs are clear.",
        "History of cough. The lungs are clear.",  # about the patient to the end of the line
        f"{201 * 'a'}. The lungs are clear.".capitalize(),
    ],
)
def test_a_line_that_does_not(line: str) -> None:
    assert below(f" cough\n{line}") is None


@cases("a_paragraph_or_list_below_a_line_that_ends_on_purpose")
def test_a_paragraph_or_list_below_a_line_that_ends_on_purpose(lines: str) -> None:
    assert below(f"HISTORY: fall\n{lines}") == lines


@cases("a_paragraph_or_list_about_the_patient")
def test_a_paragraph_or_list_about_the_patient(lines: str) -> None:
    assert below(f"HISTORY: fall\n{lines}") is None


def test_a_wrapped_line_goes_on_below() -> None:
    history = "HISTORY: fell from a ladder at work two days before this\n"
    assert below(f"{history}Admission to the ward. Tube placed. Line placed.") is None
    placed = "Tube placed. Line placed. Haze all over the left side of the chest."
    assert below(history.replace("before this", "ago") + placed) == placed


def test_how_much_comes_before_does_not_matter() -> None:
    lines = "\n".join(["Portable view.", *["of the chest"] * 50])
    assert below(f"{lines}\nOne. Two. The lungs are clear.") == "One. Two. The lungs are clear."


def test_only_the_beginning_of_a_sentence_is_looked_at() -> None:
    assert below(f"x\nSeen {'very ' * 58}lungs") == f"Seen {'very ' * 58}lungs"
    assert below(f"x\nSeen {'very ' * 60}lungs") is None


def test_the_line_of_an_aside_may_hold_findings_too() -> None:
    assert in_line("AP view. The lungs are clear.") == "The lungs are clear."
    assert in_line("AP view.\n\n No acute disease. Heart normal.") == "No acute disease. Heart normal."
    assert in_line("Cough? Heart size is normal.") == "Heart size is normal."
    assert in_line("Axial. Images of the lungs are seen. Lungs are clear.") == "Lungs are clear.", (
        "technique comes first"
    )
    assert in_line("AP view. the lungs are clear.") is None


def test_nothing_beyond_the_part_counts() -> None:
    text = "cough\nThe lungs are clear."
    assert findings_below(text, 0, text.index("lungs")) is None
    assert findings_below(text, text.index("\n") + 1, len(text)) is None
    assert findings_below(text, 0, len(text)) == text.index("The")


def findings_of(text: str) -> str:
    found = [s.text for s in document("r", text).sentences if s.section in (Section.FINDINGS, Section.IMPRESSION)]
    return " | ".join(found)


@cases("findings_below_or_behind_a_short_aside")
def test_findings_below_or_behind_a_short_aside(text: str, expected: str) -> None:
    assert findings_of(text) == expected
