"""Identifiers leave the text, clinical words stay, and positions are mapped."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.extract.rules import rules_engine
from radcal.ingest.deidentify import Deidentifier
from radcal.ingest.deidentify.spans import SHIFTED
from radcal.ingest.sections import document
from radcal.progress import SILENT
from radcal.records.identifiers import Deidentified, Edit, Known

NOBODY = Known()


@pytest.fixture(scope="module")
def deidentify() -> Deidentifier:
    return Deidentifier(b"a secret")


def plain(deidentify: Deidentifier, text: str, known: Known = NOBODY) -> str:
    return deidentify(text, known, "p").text.replace(SHIFTED, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dictated by: Ifeoma Nwachukwu, MD.", "Dictated by: [name], MD."),
        ("Findings discussed with Dr. O'Sullivan-Brown at 14:32.", "Findings discussed with Dr. [name] at 14:32."),
        ("FINDINGS COMMUNICATED TO DR. NGUYEN AT 1432.", "FINDINGS COMMUNICATED TO DR. [name] AT 1432."),
        ("Patient: smith, john", "Patient: [name]"),
        ("Referring physician: mary o'brien", "Referring physician: [name]"),
        ("I, Jane van der Berg, have personally reviewed", "I, [name], have personally reviewed"),
        ("Mr. May was seen.", "Mr. [name] was seen."),
        ("Dr. Hodgkin called.", "Dr. [name] called."),
        ("cc: Dr. A. Young; B. White, MD", "cc: Dr. [name]; [name], MD"),
        ("Read by K. Tanaka, resident, and Xhaka, attending.", "Read by [name], resident, and [name], attending."),
        (
            "ERNESTO PARSONS, M.D.\nDictated by: Ann Poe Interpreter, M.D.",
            "[name], M.D.\nDictated by: [name] Interpreter, M.D.",
        ),
        ("Signed,\nPriya Raman", "Signed,\n[name]"),
        ("Her daughter Maria was informed.", "Her daughter [name] was informed."),
        ("Gez. Prof. Dr. Jürgen Weiß", "Gez. Prof. Dr. [name]"),
        ("Rücksprache mit Frau Dr. med. Çelik um 14 Uhr.", "Rücksprache mit Frau Dr. med. [name] um 14 Uhr."),
        ("Call 555-123-4567 x12 or pager 4521.", "Call [phone] or pager [phone]."),
        ("Tel. +49 (0)30 123456", "Tel. [phone]"),
        ("Write to a.b@example.org or www.example.org/x.", "Write to [e-mail] or [url]."),
        ("MRN: 1234567, Acc# A-2024-0012", "MRN: [number], Acc# [number]"),
        ("SSN 123-45-6789", "SSN [number]"),
        ("Lives at 123 Main St, Apt 4, Boston, MA 02115.", "Lives at [address]."),
        ("Wohnhaft Lange Straße 5, 12345 Berlin.", "Wohnhaft [address]."),
        ("Seen at Springfield General Hospital, ward 7B.", "Seen at [place], ward 7B."),
        ("A 92-year-old woman, a 45-year-old man", "An over-89-year-old woman, a 45-year-old man"),
        ("Ninety-two year old man, aged 101", "over 89 year old man, aged over 89"),
        ("This is a 94F with cough.", "This is an over 89 F with cough."),
        ("A 101 year old man", "An over 89 year old man"),
        ("A 93-YEAR-OLD MAN", "AN over-89-YEAR-OLD MAN"),
        ("She is a nonagenarian.", "She is an over-89-year-old."),
        ("Transcribed by: MD", "Transcribed by: [name]"),
        ("Dictated and transcribed by AT.", "Dictated and transcribed by [name]."),
        ("TYPED BY DR. KOWALCZYK", "TYPED BY DR. [name]"),
        ("DOB 07/04/1931, 94 years.", "DOB [date of birth], over 89 years."),
        ("DOB:7/4/31 a 94F", "DOB:[date of birth] an over 89 F"),
        ("Age/Sex: 94/F", "Age/Sex: over 89/F"),
        ("D.O.B.: 1931-04-07", "D.O.B.: [date of birth]"),
        ("DATE OF BIRTH: APRIL 7, 1931", "DATE OF BIRTH: [date of birth]"),
        ("She was born on 7 April 1931 at home.", "She was born on [date of birth] at home."),
        ("born in 1931", "born in [date of birth]"),
        ("geb. 07.04.1931", "geb. [date of birth]"),
        ("Patientin, geboren am 7. April 1931", "Patientin, geboren am [date of birth]"),
        ("Geburtsdatum: 07.04.31", "Geburtsdatum: [date of birth]"),
        ("04/07/1931 (DOB)", "[date of birth] (DOB)"),
        ("Stable for 20 years. Level 92, 95 mm.", "Stable for 20 years. Level 92, 95 mm."),
        ("95-jähriger Patient", "über 89-jähriger Patient"),
    ],
)
def test_identifiers_are_replaced(deidentify: Deidentifier, text: str, expected: str) -> None:
    assert plain(deidentify, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "T4-5, L1/2, 1/2, 5/10 of measures, series 3/45, 3.5 cm, C5-6, Grade 3/6, T2N1M0, Lung-RADS 4A, BI-RADS 0.",
        "Hampton hump and Kerley B lines. Swan-Ganz catheter. Port-A-Cath. Chilaiditi sign. Grey Turner sign.",
        "May represent atelectasis. Gray-white differentiation. White matter. Mild edema. Hodgkin lymphoma.",
        "Discussed with Emergency Department. Reviewed with Thoracic Surgery. Read by the resident.",
        "DISCUSSED WITH ICU TEAM. NOTIFIED BY PHONE. NODULE MAY REPRESENT HODGKIN LYMPHOMA.",
        "On Eliquis, Keytruda and Zosyn. E. coli, S. aureus, C. difficile. Siemens Somatom Force. DLP 345.6 mGy-cm.",
        "Verdacht auf Morbus Hodgkin. Kerley-B-Linien. Swan-Ganz-Katheter. Thorax in zwei Ebenen. Kein Pleuraerguss.",
        "XXXX was seen by ___ at [**Hospital**] with <PHI> on XXXX.",
        "Unchanged since 2019. At 14:32. Follow-up in 6-12 months. 40 x 30 mm, previously measuring 27 x 20 mm.",
    ],
)
def test_clinical_words_stay(deidentify: Deidentifier, text: str) -> None:
    assert deidentify(text, NOBODY, "p").text == text


def test_known_names_are_found_alone_on_a_line_and_where_somebody_is_asked() -> None:
    deidentify = Deidentifier(b"x")
    for name in ("Bauer, Hans", "Baker, John", "Anderson, Mary", "Black, Sue", "Day, Ann"):
        last = name.partition(",")[0]
        for text in (
            f"No effusion.\n\n{last}",
            f"No effusion.\n- {last}.\nSupine.",
            f"Comparison: none. {last}, please follow up.",
            f"Please call {last} today.",
        ):
            assert last not in deidentify(text, Known(staff=(name,)), "p").text, text


def test_a_known_name_that_is_left_as_a_word_is_a_suspect() -> None:
    made = Deidentifier(b"x")("FINDINGS: Small effusion. Young adult male.", Known(("Young, Ann",)), "p")
    assert made.text.endswith("Young adult male.")
    assert [made.text[s.start : s.end] for s in made.suspects] == ["Young"]


def test_known_names_are_found_however_they_are_written() -> None:
    deidentify = Deidentifier(b"x", staff=["Okonkwo, Chidi", "Dr. Jürgen Weiß"])
    known = Known(
        ("O'Brien-Smith, Mary Anne", "May Brown"), ("Long, John", "Wedge A"), ("MRN 12 345 678", "555-123-4567")
    )
    for text in (
        "OBRIEN SMITH.", "o'brien-smith", "Mary\nAnne", "Obrien-Smith's", "M. O'Brien", "Jurgen Weiss", "Juergen Weiss",
        "12345678", "555 123 4567", "12-345-678",
    ):  # fmt: skip
        assert not set(re.findall(r"\w+", plain(deidentify, text, known))) - {"name", "number", "phone", "s"}, text
    assert "[name] denies" in plain(deidentify, "Mrs Brown denies pain.", known)
    for text in (
        "The nodule may represent brown fat.",
        "There is a long wedge of opacity.",
        "THE OPACITY MAY REPRESENT A LONG WEDGE.",
    ):
        assert plain(deidentify, text, known) == text


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("Young, Mark", "Young's wife is aware.", "'s wife is aware."),
        ("Price, Ann", "STABLE. PRICE WAS COOPERATIVE.", "STABLE.  WAS COOPERATIVE."),
        ("Thompson, Ann", "Thompson declined. No Thompson fracture.", " declined. No Thompson fracture."),
        ("Pichler, Eva", "Pichlers Voraufnahme.", " Voraufnahme."),
        ("St. Clair, Jo", "ST. CLAIR; J.P. St. Clair", "; "),
        ("Müller, Eva", "MUELLER; Muller", "; "),
        ("Graf, Eva", "Der Hüftwinkel entspricht einem Graf-Typ I.", "Der Hüftwinkel entspricht einem Graf-Typ I."),
    ],
)
def test_a_known_surname_is_found_where_a_person_is_meant(
    deidentify: Deidentifier, name: str, text: str, kept: str
) -> None:
    assert plain(deidentify, text, Known(patient=(name,))).replace("[name]", "") == kept


@pytest.mark.parametrize("written", ["7719-204", "7719 204", "7719204", "77.19.204"])
def test_a_known_number_is_found_however_its_figures_are_grouped(deidentify: Deidentifier, written: str) -> None:
    assert plain(deidentify, f"Record {written}.", Known(numbers=("7719204",))) == "Record [number]."


WRITTEN = {
    "2024-03-05": "%Y-%m-%d",
    "03/05/24": "%m/%d/%y",
    "05MAR2024": "%d%b%Y",
    "05.03.2024": "%d.%m.%Y",
    "Mar 05, 2024": "%b %d, %Y",
    "05-Mar-2024": "%d-%b-%Y",
    "20240305": "%Y%m%d",
}


@pytest.mark.parametrize(("written", "form"), WRITTEN.items())
def test_dates_keep_their_form(deidentify: Deidentifier, written: str, form: str) -> None:
    day = date(2024, 3, 5) + deidentify.shift("p")
    expected = day.strftime(form)
    assert plain(deidentify, f"Compared with {written}.").lower() == f"compared with {expected}.".lower()


def test_intervals_between_dates_stay(deidentify: Deidentifier) -> None:
    text = plain(deidentify, "CT of 2024-02-27, X-ray of 2024-03-05, next on 2025-01-01.")
    days = [date.fromisoformat(found) for found in re.findall(r"\d{4}-\d\d-\d\d", text)]
    assert [b - a for a, b in pairwise(days)] == [timedelta(7), timedelta(302)]


def test_the_shift_is_of_whole_days_and_never_none() -> None:
    deidentify = Deidentifier(b"x")
    shifts = {deidentify.shift(str(n)) for n in range(4_000)}
    assert timedelta(0) not in shifts
    assert all(shift.seconds == 0 and abs(shift.days) <= 365 for shift in shifts)
    assert len(shifts) > 650
    assert deidentify.shift("1") == Deidentifier(b"x").shift("1") != Deidentifier(b"y").shift("1")


REPORT = """PATIENT NAME: Nwosu, Adaeze K   MRN: 4412345   DOB: 03/05/1951
Referring physician: Dr. T. Yıldırım
COMPARISON: Chest radiograph of 5 March 2024.
FINDINGS: Small left pleural effusion. No pneumothorax. Findings discussed with Dr. Szczepański at 14:32.
There may be pneumonia at the right base.
Krzysztof Wiśniewski was informed. Heart is mildly enlarged.
IMPRESSION: 1. Small left effusion.
2. Possible pneumonia.
Signed by: Oyelaran Bamidele, MD
JS/mt"""


@pytest.mark.parametrize("cell", ["1931-04-07", "19310407", "04/07/1931", "7-Apr-1931", "1931-04-07T00:00:00"])
@pytest.mark.parametrize(
    "written", ["4/7/31", "04/07/1931", "1931-04-07", "19310407", "April 7, 1931", "7. April 1931", "07-APR-1931"]
)
def test_a_known_date_of_birth_is_taken_out_in_any_form(deidentify: Deidentifier, cell: str, written: str) -> None:
    known = Known(births=(cell,))
    assert plain(deidentify, f"Chest, {written}. Compared with 5/6/2020.", known).startswith("Chest, [date of birth].")
    again = plain(deidentify, "Chest, [date of birth].", known)
    assert again == "Chest, [date of birth]."


def test_the_year_of_a_birth_stays_nowhere(deidentify: Deidentifier) -> None:
    for patient in map(str, range(40)):
        done = deidentify("DOB: 04/07/1931. Comparison: 4/7/2021.", NOBODY, patient)
        assert done.text.startswith("DOB: [date of birth]. Comparison: ")
        assert [e.kind for e in done.edits] == ["birth", "date"]


@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        ("617-555-0199", "Callback (617) 555-0199.", "Callback [phone]."),
        ("(617) 555-0199", "Callback 617.555.0199.", "Callback [phone]."),
        ("6175550199", "Reached on (617) 555-0199 (cell).", "Reached on [phone] (cell)."),
        ("+49 30 1234567", "Rückruf +49 (30) 123-4567.", "Rückruf [phone]."),
        ("030 1234567", "Rückruf (030) 1234567.", "Rückruf [phone]."),
        ("617 555 0199", "Callback +1 (617) 555-0199.", "Callback [phone]."),
        ("44-12345", "Seen again as 4412345.", "Seen again as [number]."),
        ("012-34-5678", "SSN 012-34-5678.", "SSN [number]."),
        ("123-45-6789", "Seen again as 123-45-6789.", "Seen again as [number]."),
    ],
)
def test_a_known_phone_is_a_phone_with_its_brackets(
    deidentify: Deidentifier, known: str, text: str, expected: str
) -> None:
    assert plain(deidentify, text, Known(numbers=(known,))) == expected


def test_findings_are_the_same_at_the_mapped_places(deidentify: Deidentifier) -> None:
    done = deidentify(REPORT, NOBODY, "p")
    for name in ("Nwosu", "Adaeze", "Yıldırım", "Szczepański", "Wiśniewski", "Oyelaran", "JS"):
        assert name not in done.text
    before, after = (
        next(e.findings for e in rules_engine().extract([document("r", t)], SILENT)) for t in (REPORT, done.text)
    )
    assert len(before) > 4
    assert [(f.pathology, f.phrase, done.forward(f.term_start), done.forward(f.term_end)) for f in before] == [
        (f.pathology, f.phrase, f.term_start, f.term_end) for f in after
    ]


def test_a_second_pass_changes_nothing(deidentify: Deidentifier) -> None:
    done = deidentify(REPORT, NOBODY, "p")
    assert deidentify(done.text, NOBODY, "p").text == done.text


def test_a_long_figure_that_stays_is_a_suspect(deidentify: Deidentifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radcal.ingest.deidentify.tagging.enough", lambda *_: 1.1)  # nothing is taken
    done = deidentify("The exam was later seen beside 71234 in the archive.", NOBODY, "p")
    assert [(done.text[s.start : s.end], s.kind) for s in done.suspects if s.kind == "number"] == [("71234", "number")]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_positions_are_mapped_both_ways(data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, 40), max_size=8)))
    edits = tuple(
        Edit(a, b, "x" * data.draw(st.integers(0, 12)), "name") for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    )
    raw = "".join(chr(97 + n % 26) for n in range(41))
    text, at = "", 0
    for edit in edits:
        text, at = text + raw[at : edit.start] + edit.replacement, edit.end
    done = Deidentified(text + raw[at:], edits)
    forward = [done.forward(n) for n in range(len(raw) + 1)]
    back = [done.back(n) for n in range(len(done.text) + 1)]
    assert forward == sorted(forward)
    assert back == sorted(back)
    for n in range(len(raw)):
        if not any(e.start <= n < e.end for e in edits):
            assert done.text[forward[n]] == raw[n]
            assert back[forward[n]] == n


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_is_taken(text: str) -> None:
    done = Deidentifier(b"x")(text, NOBODY, "p")
    rebuilt, at = "", 0
    for edit in done.edits:
        assert edit.start >= at
        rebuilt, at = rebuilt + text[at : edit.start] + edit.replacement, edit.end
    assert rebuilt + text[at:] == done.text
    assert all(0 <= s.start < s.end <= len(done.text) for s in done.suspects)
