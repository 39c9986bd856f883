"""Names, initials and addresses that are found for where they stand, whatever words they are."""

from __future__ import annotations

import re

import pytest

from radcal.ingest.deidentify import Deidentifier
from radcal.ingest.deidentify.spans import SHIFTED
from radcal.records.identifiers import Known

NOBODY = Known()
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
WITHIN = (
    "{} is a 62 y/o female with cough.", "{}, 45M, presents with cough.", "Pt {} denies pain.",
    "Patient {} tolerated the procedure well.", "Baby of {}, born at term.", "Her husband, {}, was informed.",
    "Mother ({}) consented.", "RN {} was present.", "Nurse {} was informed.", "I, {}, have reviewed the images.",
    "Prof. Dr. {} agrees.", "Compared with Dr. {}'s prior report.", "{}, MD", "{}, MBBS FRCR", "{}, PGY-3",
    "{}, Consultant Radiologist", "Dictated by {} and checked.", "Discussed with {} by telephone.",
    "Communicated to {}, NP at 14:00.", "Thank you for referring {}.", "Sincerely,\n{}",
)  # fmt: skip


@pytest.fixture(scope="module")
def deidentify() -> Deidentifier:
    return Deidentifier(b"a secret")


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


@pytest.mark.parametrize("sentence", WITHIN)
def test_names_of_any_words_are_found_within_sentences(deidentify: Deidentifier, sentence: str) -> None:
    missed = [name for name in FULL if left(deidentify, BEFORE + sentence.format(name) + AFTER, name)]
    assert missed == []


@pytest.mark.parametrize(
    ("cue", "initials"),
    [
        ("Transcribed by {}/cd", "KW"),
        ("DD: 03/04/2021 TR: {}/mt", "KW"),
        ("{}:mt", "KW"),
        ("/{}", "KWB"),
        ("({})", "KWB"),
        ("Visum: {}", "kwb"),
    ],
)
def test_initials_of_those_who_typed_are_found(deidentify: Deidentifier, cue: str, initials: str) -> None:
    assert left(deidentify, BEFORE + cue.format(initials), initials) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{before}\nQuillmark, 3/4/2021", "Quillmark"),
        ("{before}\n\nTamsin Quillmark (reg)", "Tamsin Quillmark"),
        ("{before}\nVerified 3/4/2021 14:05 Quillmark, Tamsin J", "Quillmark, Tamsin"),
        ("QUILLMARK, Tamsin  UR 88123\n{before}", "QUILLMARK, Tamsin"),
        ("Requester: QUILLMARK, Mrs. Tamsin\n{before}", "QUILLMARK"),
        ("Patient: tamsin quillmark\n{before}", "tamsin quillmark"),
        ("Called by nurse specialist Tamsin. {before}", "Tamsin"),
        ("{before} I would be glad to rescan. Best, Tamsin", "Tamsin"),
        ("{before} Dictated KW/tsm. Seen again.", "KW/tsm"),
        ("Referred by: Dr. (Mrs.) Tamsin Quillmark\n{before}", "Tamsin Quillmark"),
        ("Patientenname: QUILLMARK TAMSIN\n{before}", "QUILLMARK TAMSIN"),
        ("{before} Edited the resident's (Quillmark, T.) draft.", "Quillmark"),
        ("Health card of Patient: Quill, Tamsin (Tammy)\n{before}", "Tammy"),
    ],
)
def test_names_are_found_at_the_edges_of_reports(deidentify: Deidentifier, text: str, name: str) -> None:
    assert left(deidentify, text.replace("{before}", BEFORE.strip()), name) == []


@pytest.mark.parametrize(
    "address",
    [
        "H.No. 71, Marigold Nagar, Thornpur-560001",
        "12/34, Quartz Marg, Thornpur 560034",
        "Studio 5, Larkspur Plaza, Umberton, B1J 3FR",
        "Level 8, 7 Larkspur Way, Umberton 2311",
        "Larkspurgasse 12/4/7, 1090 Wien",
        "17 rue de la Brume, 75011 Quillac",
        "Calle Umbra 12, 28013 Quintarejo",
        "ul. Brzozowa 12, 00-123 Umbrowo",
        "Flat 4, Larkspur House, Umber Road, Umberton, LS4 4QJ",
    ],
)
@pytest.mark.parametrize("cue", ["Address: {}", "Lives at {}.", "Resides at {} with his wife.", "Wohnhaft {}.", "{}"])
def test_addresses_are_found_by_structure(deidentify: Deidentifier, cue: str, address: str) -> None:
    assert left(deidentify, BEFORE + cue.format(address) + AFTER, address) == []


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("Dr. Rich called. I then met Rich again.", "met Rich"),
        ("Mr. Lang has a cough. Lang's niece was told.", "Lang's"),
        ("Dr. Stone was told. Stone understood.", "Stone understood"),
    ],
)
def test_a_surname_behind_a_title_is_found_again(deidentify: Deidentifier, text: str, again: str) -> None:
    assert again not in deidentify(text, NOBODY, "p").text


@pytest.mark.parametrize(
    "text",
    [
        "Sister Mary Joseph nodule. Page kidney. Master knot of Henry. Young-Burgess APC II.",
        "Wells-Score 3. May-Thurner denkbar. CE-Winkel nach Wiberg 31 Grad. Fontaine IIb, Rutherford 3.",
        "MR ANKLE WITHOUT CONTRAST. MR PROSTATE. PRIOR CT FROM TODAY.",
        "RN at bedside. Attending present. Patient Position: Supine. Contact dermatitis. Pt NPO.",
        "Reviewed with Small Parts Imaging. Reported Small effusion. Spetzler-Martin III. Hunt and Hess 2.",
        "4 Phase CT, Series 2, 120 100. Left Main 50, LAD 70. Sector 5, 120 140.",
        "CALLED TO SAY SO. SPRINGS TO MIND. COMMUNICATED WITH HEART FAILURE, PNEUMONIA. REPORTED TO REPRESENT SCARS.",
        "Best evaluated by CT. Partial response by Lugano criteria. Denis B, Magerl A3.1. Dukes C.",
        "Frei von Infiltraten. Vergleich mit 3 Voraufnahmen, z. B. Metastasen. Die Patientin wünscht keinen Termin.",
        "She lives at home with 2 dogs. Residence: nursing facility. I, II and aVF leads.",
    ],
)
def test_terms_that_look_like_names_and_addresses_stay(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(text, NOBODY, "p").text.replace(SHIFTED, "") == text
