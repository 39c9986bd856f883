"""Names, initials, numbers and addresses that are found where they stand, and words that stay."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.identifiers import Known

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
WITHIN = (
    "{} is a 62 y/o female with cough.", "{}, 45M, presents with cough.", "Pt {} denies pain.",
    "Patient {} tolerated the procedure well.", "Baby of {}, born at term.", "Her husband, {}, was informed.",
    "Mother ({}) consented.", "RN {} was present.", "Nurse {} was informed.", "I, {}, have reviewed the images.",
    "Prof. Dr. {} agrees.", "Compared with Dr. {}'s prior report.", "{}, MD", "{}, MBBS FRCR", "{}, PGY-3",
    "{}, Consultant Radiologist", "Dictated by {} and checked.", "Discussed with {} by telephone.",
    "Communicated to {}, NP at 14:00.", "Thank you for referring {}.", "Sincerely,\n{}",
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
def test_a_surname_behind_a_title_is_found_again(plain: Plain, text: str, again: str) -> None:
    assert again not in plain(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The lungs are clear. No effusion. Larkwell", "The lungs are clear. No effusion. [name]"),
        ("The lungs are clear.\nTamsin Quillby, Reporting Radiographer",
         "The lungs are clear.\n[name], Reporting Radiographer"),
        ("the lungs are clear. no effusion. quillby / dk", "the lungs are clear. no effusion. [name] / [name]"),
        ("The lungs are clear. No effusion. ro/kz", "The lungs are clear. No effusion. [name]"),
        ("The lungs are clear. No effusion. MT", "The lungs are clear. No effusion. [name]"),
        ("Cardiomegaly.\n\nM. Quillby-Aske, M.D.\nMQ/jrw", "Cardiomegaly.\n\n[name], M.D.\n[name]"),
        ("Kein Erguss. Befund mitgeteilt. Strohmüßer", "Kein Erguss. Befund mitgeteilt. [name]"),
        ("Kein Erguss. Stabiler Befund. Hedda Steinbrand", "Kein Erguss. Stabiler Befund. [name]"),
        ("Kein Erguss. Schreibkraft Bo, Tel. 4412", "Kein Erguss. Schreibkraft [name], Tel. [phone]"),
        ("No effusion. Transcriptionist: cb.", "No effusion. Transcriptionist: [name]."),
        ("pt marlowe, ingeborg prior none. lungs clear.", "pt [name] prior none. lungs clear."),
        ("Pat. Steinstück, Aufnahmenr. 2014-44812. Kein Erguss.", "Pat. [name], Aufnahmenr. [number]. Kein Erguss."),
        ("Chest, Vu, room 47. Clear.", "Chest, [name], room 47. Clear."),
        ("Thorax: Achterkamp, Zimmer 31. Kein Erguss.", "Thorax: [name], Zimmer 31. Kein Erguss."),
        ("PA chest: Quy presents with fever.", "PA chest: [name] presents with fever."),
        ("Frühgeborenes Achterkamp, 2. Lebenstag. Kein Erguss.", "Frühgeborenes [name], 2. Lebenstag. Kein Erguss."),
        ("chest film of today. patient is ottilie haverbrook-nwosu and the lungs are clear",
         "chest film of today. patient is [name] and the lungs are clear"),
        ("the lungs are clear. i told nurse haverbrook about the line",
         "the lungs are clear. i told nurse [name] about the line"),
        ("productive cough and fever, haverbrook 52m with a cavity in the lung",
         "productive cough and fever, [name] 52m with a cavity in the lung"),
        ("Mr. Grass keeps budgerigars.", "Mr. [name] keeps budgerigars."),
        ("dr bramble to repeat in 4 weeks", "dr [name] to repeat in 4 weeks"),
        ("z. Hd. Frau Sommer. Im Sommer Kontrolle.", "z. Hd. Frau [name]. Im Sommer Kontrolle."),
        ("Herr Prof. Dr. med. Rauch wurde informiert.", "Herr Prof. Dr. med. [name] wurde informiert."),
        ("Sehr geehrter Herr Kollege, kein Erguss.", "Sehr geehrter Herr Kollege, kein Erguss."),
        ("CHEST. D FENWORTHY-ADDO. Clear.", "CHEST. [name]. Clear."),
        ("Tochter: Gattin Yewande wartet. Kein Erguss.", "Tochter: Gattin [name] wartet. Kein Erguss."),
        ("Dear Dr Quill. Ref: Sr Nomvula, the clinic nurse.", "Dear Dr [name]. Ref: Sr [name], the clinic nurse."),
        ("Guten Tag Annegret\nKein Erguss, keine Stauung.", "Guten Tag [name]\nKein Erguss, keine Stauung."),
        ("Patient: Ottilie Haverbrook   Acct V00081972264. Mr Quentin Sallow, MRN 55120877.",
         "Patient: [name]   Acct [number]. Mr [name], MRN [number]."),
    ],
)  # fmt: skip
def test_names_are_replaced(plain: Plain, text: str, kept: str) -> None:
    assert plain(text) == kept


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
def test_initials_at_the_end_are_replaced(plain: Plain, tail: str, kept: str) -> None:
    assert plain(BEFORE.strip() + tail) == BEFORE.strip() + kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hosp no kr228819 seen.", "Hosp no [number] seen."),
        ("SSN xxx-xx-8832 seen.", "SSN [number] seen."),
        ("VA claim C-31 552 904. Lungs clear.", "VA claim [number]. Lungs clear."),
        ("Nr. B22 118 904. Kein Erguss.", "Nr. [number]. Kein Erguss."),
        ("Az. KG 14/91 Ab 552. Kein Erguss.", "Az. [number]. Kein Erguss."),
        ("Tel 555-0172 x4410. Clear.", "Tel [phone]. Clear."),
    ],
)
def test_numbers_are_replaced_whole(plain: Plain, text: str, kept: str) -> None:
    assert plain(text) == kept


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
        "The lungs are clear. Stable. Gynecomastia",
        "Lungs clear\nScoliosis\nBronchiectasis",
        "Comparison: none. Impression: Stable. Sarcoidosis",
        "Kein Erguss. Keine Stauung. Pneumothorax",
        "Kein Erguss. Weichteile o. B. Regelrecht",
        "No effusion. Kindly refer to pulmonology.\n\nRegards",
        "Quinton line in the RIJ, tip in the RA. Known LAM. CPT 71046. AP PORTABLE CHEST.",
        "Simple cyst in segment IVa of the liver. Asymmetric opacity. PUNCTATE NODULE ABOVE THE CARINA.",
        "36 J. Myasthenia gravis. Z. n. Thymektomie. V. a. Rezidiv bei Nikotinabusus.",
        "Patient presents with cough. Child presents with fever. Chest, lateral, room air.",
        "COPD, GERD, ESRD on HD. WBC 12000. BP 120/80. Stable.",
        "Mediastinum, lungs, bed 12. Bild Nr. 3 von 12. Serie 4.",
        "the lungs are clear. there is no stridor and no pneumothorax. compared with the film of last week",
        "ED Radiograph Discrepancy Form\nThe lungs are clear.",
        "Code: ABNORMALITY, ATTN NEEDED. The lungs are clear.",
        "GP Direct Access. The lungs are clear. Happy Christmas to all.",
        "Sputum auf Koch'sche Bakterien. Kein Erguss, keine Stauung.",
        "Clinicians informed. Airborne precautions. Scleroderma. Perilesional haemorrhage.",
        "84-jährige Frau. Pneumonie im rechten Unterlappen. Kein Erguss.",
        "Vorstellung als Notfall, junge Frau. Rippenfraktur links.",
        "Findings were called to the Dr. No effusion is seen.",
        "This was discussed with Dr. Effusion is small.",
        "Der Mann lebt mit seiner Frau. Herz normal groß. Lunge frei.",
        "MR ANGIOGRAPHY OF THE CHEST WITHOUT CONTRAST",
        "BASAL OPACITY, QUESTION OF CONSOLIDATION\nCARDIOMEGALY",
        "Beurteilung:\nEs besteht Unterlappenpneumonie rechts. Plattenatelektase ist nicht abgrenzbar.",
        "Low volume study. Clear lungs, no chest wall mass. Young adult.",
        "The lungs are clear. Heart of normal size. No PTX.",
        "The lungs are clear. Heart of normal size.\nCT",
        "Effusions decreased. No effusion/ptx.",
        "Bei langjährigem Nikotinabusus V. a. COPD.",
        "Verdichtung im Mittellappen bei Z. n. LAE.",
        "Sinterung des 8. BWK.",
        "Trauma call at 22.10, read at 12:51. SUV 9.3, 3/12 ago. ILO 1/0. Kerley B lines.",
        "Compared 6.3 x 5.1 cm on 11.3 mm slices.",
        "T4-5, L1/2, 1/2, 5/10 of measures, series 3/45, 3.5 cm, C5-6, Grade 3/6, T2N1M0, Lung-RADS 4A, BI-RADS 0.",
        "Hampton hump and Kerley B lines. Swan-Ganz catheter. Port-A-Cath. Chilaiditi sign. Grey Turner sign.",
        "May represent atelectasis. Gray-white differentiation. White matter. Mild edema. Hodgkin lymphoma.",
        "Discussed with Emergency Department. Reviewed with Thoracic Surgery. Read by the resident.",
        "DISCUSSED WITH ICU TEAM. NOTIFIED BY PHONE. NODULE MAY REPRESENT HODGKIN LYMPHOMA.",
        "On Eliquis, Keytruda and Zosyn. E. coli, S. aureus, C. difficile. Siemens Somatom Force. DLP 345.6 mGy-cm.",
        "Verdacht auf Morbus Hodgkin. Kerley-B-Linien. Swan-Ganz-Katheter. Thorax in zwei Ebenen. Kein Pleuraerguss.",
        "XXXX was seen by ___ at [**Hospital**] with <PHI> on XXXX.",
        "Unchanged since 2019. At 14:32. Follow-up in 6-12 months. 40 x 30 mm, previously measuring 27 x 20 mm.",
        "Fracture of the twelfth rib. The second of three nodules. On the fourth image. First of all, no effusion.",
        "May first be followed. Christmas tree appearance. Christmas disease.",
        "In one third of cases. The first and second ribs march in line. Nineteen and twenty nodules.",
        "Am zweiten Brustwirbel. Der dritte und vierte Finger. Erste Rippe, zweite Rippe. Im ersten Segment.",
    ],
)
def test_words_of_reports_stay(plain: Plain, text: str) -> None:
    assert plain(text) == text


def test_an_address_ends_before_what_somebody_came_for(plain: Plain) -> None:
    text = "Wohnhaft Deichreihe 7, 25999 Osterhever-Koog, zur CT des Thorax am 5. September 2023."
    made = plain(text)
    assert made.startswith("Wohnhaft [address], zur CT des Thorax am ")
    assert not made.endswith("September 2023.")
