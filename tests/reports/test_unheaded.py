"""Sentences of findings without a heading."""

from __future__ import annotations

import pytest

from radcal.reports.records import Section
from radcal.reports.sections import document
from radcal.reports.unheaded import findings_below, findings_in_line


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


@pytest.mark.parametrize(
    "lines",
    [
        "Clips overlie the chest. Tube in place. Haze over the left side suggests fluid.",
        "Clips overlie the chest.\nTube in place. Haze over the left\nside suggests fluid.",
        "Portable view. History of cough. Haze over the left side.",
        "- Haze over the left side\n- Clips\n- Tube in place",
        "1. haze over the left side\n2. clips\n3. tube",
    ],
)
def test_a_paragraph_or_list_below_a_line_that_ends_on_purpose(lines: str) -> None:
    assert below(f"HISTORY: fall\n{lines}") == lines


@pytest.mark.parametrize(
    "lines",
    [
        "Tube in place. Haze over the left side.",  # too little to tell
        "Patient on oxygen. Treated last week. Haze over the left side.",  # mostly about the patient
        "- smoker for 40 years\n- known tumor\n- haze",
    ],
)
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Comparison: 3 days ago\nIncreasing effusions. Edema possible.", "Increasing effusions. | Edema possible."),
        ("Technique: HRCT\nDiffuse ground-glass with cysts.", "Diffuse ground-glass with cysts."),
        ("Indication: wheeze\nTechnique: HRCT\nBullae throughout.", "Bullae throughout."),
        ("History: nodule\n8 mm nodule is unchanged. Scarring.", "8 mm nodule is unchanged. | Scarring."),
        ("Exam: CT thorax. Indication: staging. Large hilar mass. Nodes enlarged.",
         "Large hilar mass. | Nodes enlarged."),
        ("Indication: biopsy\nMass as known. No ptx on either film. Tiny effusion.",
         "Mass as known. | No ptx on either film. | Tiny effusion."),
        ("Clinical question: ?PE\nNo PE. Consolidation at the left base.", "No PE. | Consolidation at the left base."),
        ("Indication:\nFall, rib fracture?\nPossible subsegmental atelectasis.\nTracheal tube in place.\nNo effusion.",
         "Possible subsegmental atelectasis. | Tracheal tube in place. | No effusion."),
        ("Indication:\nCheck, pneumothorax?\nHydrostatic edema, mild.\nDegenerative spondylosis.\n"
         "The line on the radiograph was a skin fold.\nNo nodules.\nImpression:\nNo change.",
         "Hydrostatic edema, mild. | Degenerative spondylosis. | The line on the radiograph was a skin fold. | "
         "No nodules. | No change."),
        ("Indication:\nFever.\nPneumonia.\nNo effusion is seen.\nThe heart is normal.\nImpression:\nNormal.",
         "No effusion is seen. | The heart is normal. | Normal."),
        ("Comparison: radiograph of last week and the CT of\nthe thorax of last year, which had shown effusions.", ""),
        ("Comparison: chest radiograph of last week and the film with the\nEffusion of last year.", ""),
        ("Indication: effusion. Pneumonia. Known mass.", ""),
        ("Indication: cough, ?pneumonia. AP sitting. Rounded opacity at the left apex. The heart is enlarged. "
         "No effusion.\nImpression: Likely pneumonia.",
         "AP sitting. | Rounded opacity at the left apex. | The heart is enlarged. | No effusion. | Likely pneumonia."),
        ("HISTORY: FALL. SUPINE FILM. NO RIB FRACTURE.\nIMPRESSION: NORMAL.",
         "SUPINE FILM. | NO RIB FRACTURE. | NORMAL."),
        ("Indication: Lung cancer. He has effusions. No pneumothorax. Small nodule in the lingula. Impression: Mass.",
         "No pneumothorax. | Small nodule in the lingula. | Mass."),
        ("Indication: fall. No effusion.\nImpression: Normal.", "Normal."),
        ("Indication: fall. No effusion. No mass.\nFindings: Small effusion.", "Small effusion."),
        ("Indication: effusion. Cough and fever.", ""),
        ("Indication: effusion.", ""),
    ],
)  # fmt: skip
def test_findings_below_or_behind_a_short_aside(text: str, expected: str) -> None:
    assert findings_of(text) == expected
