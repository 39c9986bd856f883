"""Every opening of the table finds the names of its examples, and leaves what only looks alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from radcal.ingest.deidentify import Deidentifier
from radcal.ingest.deidentify.openings import OPENINGS
from radcal.ingest.deidentify.spans import SHIFTED
from radcal.records.identifiers import Known

NOBODY = Known()
NAMES = ("Quillmark", "Tamsin Quillmark", "Oduya-Brandt", "T. Quillmark")
ENGLISH = ("No effusion is seen.\n", "\nThe heart is of normal size.")
GERMAN = ("Kein Erguss ist zu sehen.\n", "\nDas Herz ist normal groß, und die Lage der Sonde ist regelrecht.")
_GERMAN = re.compile(
    r"[äöüß]|\b(?:kein|mit|bei|von|an|ohne|bekannt|lehnt|um|Zuweiser|Laut|Info|Rücksprache|Pat\.|Bei)\b"
)
EXAMPLES = [example for rule in OPENINGS for example in rule.examples]
STAYS = [text for rule in OPENINGS for text in rule.stays]


@pytest.fixture(scope="module")
def deidentify() -> Deidentifier:
    return Deidentifier(b"a secret")


def within(text: str) -> str:
    """A text between sentences of its language."""
    before, after = GERMAN if _GERMAN.search(text) else ENGLISH
    return before + text + after


@pytest.mark.parametrize("example", EXAMPLES)
def test_names_of_examples_are_found(deidentify: Deidentifier, example: str) -> None:
    for name in NAMES:
        done = deidentify(within(example.format(name)), NOBODY, "p")
        assert not re.search("Quillmark|Tamsin|Oduya|Brandt", done.text), done.text
        before, after = within(example).split("{}")
        assert done.text.replace(SHIFTED, "").startswith(before)
        assert done.text.replace(SHIFTED, "").endswith(after)


@pytest.mark.parametrize("text", STAYS)
def test_what_only_looks_alike_stays(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(within(text), NOBODY, "p").text == within(text)


@pytest.mark.parametrize("rule", OPENINGS, ids=lambda rule: rule.name)
def test_every_rule_has_examples_that_are_its_own(rule) -> None:  # type: ignore[no-untyped-def]
    pattern = re.compile(rf"(?<![\w/.-])(?:{rule.before})")
    for example in rule.examples:
        at = example.index("{}")
        assert any(m.end() == at for m in pattern.finditer(example.format("Quillmark"))), example


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Mail thaddeus quillmark at larkhurst dot org.", "quillmark|larkhurst"),
        ("Write to t.quillmark (at) larkhurst (punkt) de, please.", "quillmark|larkhurst"),
        ("Fax six one two five five five oh one four seven.", "five"),
        ("Claim IIX/7730/19-B, file AB 4419-027-03, Az. 120 Js 4471/24, last four 7731.", "7730|4419|4471|7731"),
        ("Seen at Larkhurst Diagnostic Hub and at The Old Bakery Surgery.", "Larkhurst|Bakery"),
        ("Reviewed by J.Q. and K.L. at noon.", r"J\.Q|K\.L"),
        ("No effusion. Dictated 4 May 2026 KQX/tm", "KQX|tm"),
        ("Quillmark lives alone. (quillmark, tamsin; f; 5.5.55)", "(?i)quillmark|tamsin"),
        ("The film of QUILLMARK, TAMSIN is rotated.", "QUILLMARK|TAMSIN"),
    ],
)
def test_other_forms_without_a_label_are_found(deidentify: Deidentifier, text: str, left: str) -> None:
    done = deidentify(text, NOBODY, "p")
    assert not re.search(left, done.text), done.text
    assert deidentify(done.text, NOBODY, "p").text == done.text


@pytest.mark.parametrize(
    "text",
    [
        "Hodgkin lymphoma, Swan-Ganz catheter, Kerley B lines, Hounsfield units, Pott's disease, Virchow node.",
        "May represent scar. Will follow. Mark the skin. Grace period. Hope this helps. Rose-Bengal stain.",
        "Bence Jones negative. Breslow 4.1 mm, Clark IV. Round atelectasis (Blesovsky). Mallampati 3. Cobb 19 degrees.",
        "Macklin effect, Palla sign, Haller index, Boerhaave syndrome, Mounier-Kuhn, Heerfordt, Castleman disease.",
        "Seen at point of care. Nodule at base dot. Given I.V. contrast by R.N. in the E.D., P.O. intake.",
        "Right Lung Nodule in Upper Lobe. Acute Heart Failure. Patient in ICU. Intensive Care Unit. Status post"
        " Surgery.",
        "On Dupixent, Ofev and Esbriet. Blood culture Fusobacterium. AP/lat chest, NG/OG tube, CT/US.",
    ],
)
def test_terms_stay_in_english(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(text, NOBODY, "p").text == text


@pytest.mark.parametrize(
    "text",
    [
        "Die Pat. ist stabil und kann die Luft nicht anhalten. Pat. mit Husten. Pat. bekannt mit Stauung und Fieber.",
        "Leichtgradige Kardiomegalie, Streifenatelektasen und Zwerchfellhochstand. Mäßige Kyphose. Frische Frakturen.",
        "Diaphragmale Plaques. Zentrilobuläre Milchglasnoduli. Fieber seit 4 Tagen, Tachypnoe. Das Bild ist der"
        " Norm gleich.",
        "Im Vergleich mit der Voraufnahme und den Bildern der Klinik ist das Infiltrat im Mittellappen nicht"
        " mehr zu sehen.",
        "Staubexposition im Bergbau, Z. n. Lobektomie und Schrittmacher mit Sondenbruch. Der Befund ist der Norm"
        " gleich.",
        "Expositionsanamnese (Vögel, Schimmel) und BAL empfohlen. Erythema nodosum? Die Lage der Sonde ist regelrecht.",
    ],
)
def test_terms_stay_in_german(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(text, NOBODY, "p").text == text


def test_sentences_of_reports_lose_no_word(deidentify: Deidentifier) -> None:
    """The sentences of the extraction's tests, each alone: fewer than 1 word in 1,000 is altered in either language."""
    folder = Path(__file__).resolve().parents[2] / "extract"
    for name in ("sentences.tsv", "sentences_de.tsv"):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        texts = [line.split("\t")[0] for line in lines if "\t" in line and not line.startswith("#")][::3]
        words = sum(len(text.split()) for text in texts)
        edits = [e for text in texts for e in deidentify(text, NOBODY, "p").edits if e.kind not in ("date", "age")]
        assert words > 1_000
        assert len(edits) * 1_000 < words
