"""Names, initials and labels in what is no sentence, and in lines without capitals."""

from __future__ import annotations

import pytest

from radcal.ingest.deidentify import Deidentifier
from radcal.ingest.deidentify.spans import SHIFTED
from radcal.records.identifiers import Known

NOBODY = Known()


@pytest.fixture(scope="module")
def deidentify() -> Deidentifier:
    return Deidentifier(b"secret")


def plain(deidentify: Deidentifier, text: str) -> str:
    return deidentify(text, NOBODY, "p").text.replace(SHIFTED, "")


BODY = "The lungs are clear and the heart is of normal size."


@pytest.mark.parametrize(
    ("tail", "kept"),
    [
        ("\nKBR", "\n[name]"),
        ("\ntgl/voice recognition", "\n[name]/voice recognition"),
        ("\npqr for TWN", "\n[name] for [name]"),
        ("\nkwz:rp", "\n[name]"),
        (" Reviewer K.L.-M.", " Reviewer [name]."),
        (" Second reader: agree, J.v.d.B.", " Second reader: agree, [name]."),
        ("\nDr Oyelaran-Fisk\nMF/tb", "\nDr [name]\n[name]"),
        ("\nJvK", "\n[name]"),
        (" Typed at 10:11 by LMS; seen.", " Typed at 10:11 by [name]; seen."),
    ],
)
def test_initials_at_the_end_are_replaced(deidentify: Deidentifier, tail: str, kept: str) -> None:
    assert plain(deidentify, BODY + tail) == BODY + kept


@pytest.mark.parametrize(
    "text",
    [
        BODY + " No PTX.",
        BODY + "\nCT",
        "Effusions decreased. No effusion/ptx.",
        "Bei langjährigem Nikotinabusus V. a. COPD.",
        "Verdichtung im Mittellappen bei Z. n. LAE.",
        "Sinterung des 8. BWK.",
    ],
)
def test_abbreviations_at_the_end_stay(deidentify: Deidentifier, text: str) -> None:
    assert plain(deidentify, text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("CHEST. D FENWORTHY-ADDO.\n" + BODY, "CHEST. [name].\n" + BODY),
        ("Bed 7 - Featherby C. " + BODY, "Bed 7 - [name] C. " + BODY),
        ("Tochter: Gattin Yewande wartet. Kein Erguss.", "Tochter: Gattin [name] wartet. Kein Erguss."),
        ("Dear Dr Quill. Ref: Sr Nomvula, the clinic nurse.", "Dear Dr [name]. Ref: Sr [name], the clinic nurse."),
        ("Guten Tag Annegret\nKein Erguss, keine Stauung.", "Guten Tag [name]\nKein Erguss, keine Stauung."),
    ],
)  # fmt: skip
def test_names_in_items_are_replaced(deidentify: Deidentifier, text: str, kept: str) -> None:
    made = plain(deidentify, text)
    assert made in (kept, kept.replace("[name] C. The", "[name]. The"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("chest film of today. patient is ottilie haverbrook-nwosu and the lungs are clear",
         "chest film of today. patient is [name] and the lungs are clear"),
        ("the lungs are clear. i told nurse haverbrook about the line",
         "the lungs are clear. i told nurse [name] about the line"),
        ("productive cough and fever, haverbrook 52m with a cavity in the lung",
         "productive cough and fever, [name] 52m with a cavity in the lung"),
    ],
)  # fmt: skip
def test_names_in_lines_without_capitals_are_replaced(deidentify: Deidentifier, text: str, kept: str) -> None:
    assert plain(deidentify, text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "the lungs are clear. there is no stridor and no pneumothorax. compared with the film of last week",
        "ED Radiograph Discrepancy Form\nThe lungs are clear.",
        "Code: ABNORMALITY, ATTN NEEDED. The lungs are clear.",
        "GP Direct Access. The lungs are clear. Happy Christmas to all.",
        "Sputum auf Koch'sche Bakterien. Kein Erguss, keine Stauung.",
        "Clinicians informed. Airborne precautions. Scleroderma. Perilesional haemorrhage.",
    ],
)
def test_ordinary_words_in_items_stay(deidentify: Deidentifier, text: str) -> None:
    assert plain(deidentify, text) == text


def test_labels_beside_names_stay(deidentify: Deidentifier) -> None:
    text = "Patient: Ottilie Haverbrook   Acct V00081972264. Mr Quentin Sallow, MRN 55120877."
    assert plain(deidentify, text) == "Patient: [name]   Acct [number]. Mr [name], MRN [number]."


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Film of 11.3.22 is clear. Previous: 9.3, 10.3.", ("9.3", "10.3")),
        ("Film of 12/25/2021. Overread 12/26: agree.", ("12/26",)),
        ("01.03.: Kein Erguss.\n04.03.2013: Drainage liegt.", ("01.03.:", "04.03.2013")),
        ("Seen 24 September 2021 (Heritage Day) with pain.", ("Heritage", "24 September")),
        ("Clear. Review of 18 Mei 2015 was clear.", ("18 Mei 2015",)),
        ("Your letter of the 3rd inst. was read.", ("3rd inst",)),
        ("Film vom 3. d. M. zeigt keine Stauung.", ("3. d. M",)),
        ("Film vom 14-VIII-1989 ohne Stauung.", ("14-VIII-1989",)),
        ("Copy sent 2011/NOV/11 to the ward.", ("2011/NOV/11",)),
        ("Seit Mitte Januar Husten. Kein Erguss.", ("Januar",)),
        ("Consolidation reported in September has cleared.", ("September",)),
        ("Im Jänner bitte Kontrolle. Kein Erguss.", ("Jänner",)),
        ("Bauchlage 9.–11.4. Kein Erguss.", ("9.", "11.4")),
        ("Entlassung Fr., 14.02. ins Seniorenheim.", ("14.02",)),
        ("OP-Bericht vom 22.XI. liegt vor.", ("22.XI",)),
    ],
)
def test_dates_of_these_forms_are_replaced(deidentify: Deidentifier, text: str, gone: tuple[str, ...]) -> None:
    made = plain(deidentify, text)
    assert not [part for part in gone if part in made]


@pytest.mark.parametrize(
    "text",
    [
        "Trauma call at 22.10, read at 12:51. SUV 9.3, 3/12 ago. ILO 1/0. Kerley B lines.",
        "Compared 6.3 x 5.1 cm on 11.3 mm slices.",
    ],
)
def test_times_and_measures_stay(deidentify: Deidentifier, text: str) -> None:
    assert plain(deidentify, text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hosp no kr228819 seen.", "Hosp no [number] seen."),
        ("The patient (50 117 3) fell.", "The patient ([number]) fell."),
        ("Token No. 417/B.", "Token No. [number]."),
        ("Arrived as TRAUMA-3381.", "Arrived as [number]."),
        ("Reference SE/CT/0091827.", "Reference [number]."),
        ("SSN xxx-xx-8832 seen.", "SSN [number] seen."),
    ],
)
def test_numbers_of_these_forms_are_replaced(deidentify: Deidentifier, text: str, kept: str) -> None:
    assert plain(deidentify, text) == kept
