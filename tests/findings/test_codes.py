"""Codes of findings: each word has the one of its row, other words that of the range of their mean."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from datetime import datetime

import pydicom
import pytest
from fhir.resources import bundle as r5_bundle
from fhir.resources import observation as r5
from fhir.resources.R4B import observation as r4
from hypothesis import given
from hypothesis import strategies as st

from radcal import cli
from radcal.findings.codes import bundle, coded, observations, structured_report
from radcal.findings.records import Finding
from radcal.reports.records import Section
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import OTHER, UNREAD, Phrase
from tests.cases import cases_of

cases = cases_of(__file__)

WEAKEST_FIRST = ["410516002", "410593006", "410590009", "415684004", "410592001", "410515003"]
"""Known absent, probably not present, known possible, suspected, probably present, known present."""


def finding(
    phrase: str, pathology: str = "edema", verbatim: str = "", sentence: str = "Wahrscheinlich Ödem."
) -> Finding:
    return Finding("A1", pathology, phrase, verbatim, sentence, Section.IMPRESSION, 0, 9, 0, 4, engine="rules")


def code_of(phrase: str, lexicon: Lexicon | None = None) -> str | None:
    [found] = coded([finding(phrase)], lexicon or load_lexicon())
    return found.context and found.context.value


@cases("words_of_the_list")
def test_words_of_the_list(phrase, code):
    assert code_of(phrase) == code


def test_every_shipped_word_has_a_row_and_stronger_words_never_a_weaker_code():
    codes = [code_of(phrase.name) for phrase in load_lexicon().phrases]
    assert None not in codes
    ranks = [WEAKEST_FIRST.index(code) for code in codes]
    assert ranks == sorted(ranks)
    listed = {line.split("\t")[0] for line in resource("codes", "certainty.tsv").read_text().splitlines()}
    assert {phrase.name for phrase in load_lexicon().phrases} <= listed


@given(st.floats(0.01, 50), st.floats(0.01, 50))
def test_a_departments_own_word_goes_by_its_mean(alpha, beta):
    mean = alpha / (alpha + beta)
    own = Lexicon((*load_lexicon().phrases, Phrase("own word", alpha, beta, min(mean, 0.4), max(mean, 0.6))))
    [found] = coded([finding("own word")], own)
    expected = WEAKEST_FIRST[1 + (mean >= 0.2) + (mean >= 0.4) + (mean >= 0.6)]
    assert found.context.value == expected
    assert found.percent == pytest.approx(100 * mean)


@pytest.mark.parametrize("phrase", [OTHER, UNREAD, "a word of no list"])
def test_what_is_in_no_list_has_no_certainty(phrase):
    [found] = coded([finding(phrase, verbatim="presumbly")], load_lexicon())
    assert (found.context, found.percent) == (None, None)


def test_a_pathology_without_a_code_of_the_same_meaning_has_none():
    [opacity, edema] = coded([finding("likely", "opacity"), finding("likely")], load_lexicon())
    assert (opacity.pathology, edema.pathology.value) == (None, "19242006")
    rows = resource("codes", "pathologies.tsv").read_text().splitlines()
    assert {row.split("\t")[0] for row in rows if not row.startswith(("#", "pathology\t"))} <= set(pathology_names())


def test_order_and_findings_are_kept():
    findings = [finding("likely"), dataclasses.replace(finding("absent"), pathology="pneumothorax")]
    assert [c.finding for c in coded(findings, load_lexicon())] == findings


FINDINGS = [
    finding("likely", "edema", "Likely"),
    finding("absent", "pneumothorax", "No"),
    finding(OTHER, "opacity", "odds are"),
    finding(UNREAD, "atelectasis", "presumbly"),
]


def coding(concept):
    return [(c["system"].rpartition("/")[2], c["code"]) for c in concept.get("coding", ())]


def test_observations_are_valid_in_r4_and_r5_and_say_how_certain():
    made = list(observations("A1", coded(FINDINGS, load_lexicon())))
    for observation in made:
        r4.Observation.model_validate(observation)
        r5.Observation.model_validate(observation)
    likely, absent, other, unread = made
    assert coding(likely["code"]) == [("sct", "19242006")]
    assert coding(likely["valueCodeableConcept"]) == [("sct", "410592001")]
    assert likely["component"][0]["valueQuantity"]["value"] == 77.4
    assert coding(likely["component"][0]["code"]) == [("DCM", "111012")]
    assert coding(absent["valueCodeableConcept"]) == [("sct", "410516002")]
    assert absent["component"][0]["valueQuantity"]["value"] == 0
    assert other["valueCodeableConcept"] == {"text": "odds are"}
    assert "component" not in other
    assert "valueCodeableConcept" not in unread
    assert coding(unread["dataAbsentReason"]) == [("data-absent-reason", "unknown")]
    r5_bundle.Bundle.model_validate(bundle(made))


@pytest.mark.parametrize("stray", ["\0", "\x07", "\x0b", "\x1b", "\x1c", "\x7f", "\x85", "\x9f"])
def test_no_control_character_leaves(stray: str):
    found = finding(OTHER, f"opa{stray}city", f"odds{stray}are", f"The odds{stray}are\tgood.\nEdema.")
    [observation] = observations(f"A{stray}1", coded([found], load_lexicon()))
    r4.Observation.model_validate(observation)
    assert stray not in json.dumps(observation, ensure_ascii=False)
    assert observation["note"][0]["text"] == "The odds are\tgood.\nEdema."
    content = structured_report(f"A{stray}1\\2", coded([found], load_lexicon()), datetime(2026, 1, 2, 3, 4, 5))
    read = pydicom.dcmread(io.BytesIO(content))
    assert read.AccessionNumber == "A 1 2"
    [one] = read.ContentSequence
    assert one.TextValue == "opa city"
    assert item(one.ContentSequence, "121106").TextValue == "The odds are\tgood.\nEdema."


def test_ids_are_the_same_each_time_and_different_for_each_finding():
    one, again = ([o["id"] for o in observations(report, coded(FINDINGS, load_lexicon()))] for report in ("A1", "A1"))
    assert one == again
    other = [o["id"] for o in observations("A2", coded(FINDINGS, load_lexicon()))]
    assert len({*one, *other}) == 2 * len(FINDINGS)


def item(items, code):
    return next(i for i in items if i.ConceptNameCodeSequence[0].CodeValue == code)


def test_a_structured_report_holds_the_certainty_of_each_finding():
    content = structured_report("A1", coded(FINDINGS, load_lexicon()), datetime(2026, 1, 2, 3, 4, 5))
    read = pydicom.dcmread(io.BytesIO(content))
    assert (read.SOPClassUID.name, read.AccessionNumber) == ("Enhanced SR Storage", "A1")
    likely, absent, other, unread = read.ContentSequence
    assert likely.ConceptCodeSequence[0].CodeValue == "19242006"
    context, certainty = (item(likely.ContentSequence, code) for code in ("408729009", "111012"))
    assert context.ConceptCodeSequence[0].CodeValue == "410592001"
    assert float(certainty.MeasuredValueSequence[0].NumericValue) == 77.4
    assert certainty.MeasuredValueSequence[0].MeasurementUnitsCodeSequence[0].CodeValue == "%"
    assert float(item(absent.ContentSequence, "111012").MeasuredValueSequence[0].NumericValue) == 0
    assert other.TextValue == "opacity"
    for uncertain in (other, unread):
        assert [i.ConceptNameCodeSequence[0].CodeValue for i in uncertain.ContentSequence] == ["121106"]
        assert uncertain.ContentSequence[0].TextValue == "Wahrscheinlich Ödem."


def test_a_structured_report_has_the_same_identifiers_each_time():
    one, other = (
        pydicom.dcmread(io.BytesIO(structured_report(report, coded(FINDINGS, load_lexicon()), datetime(2026, 1, day))))
        for report, day in (("A1", 1), ("A1", 2))
    )
    assert (one.SOPInstanceUID, one.StudyInstanceUID) == (other.SOPInstanceUID, other.StudyInstanceUID)
    assert one.StudyInstanceUID != one.SeriesInstanceUID


@pytest.fixture
def reports(tmp_path):
    path = tmp_path / "R.csv"
    path.write_text("report_id,text\nr1,Likely edema. No pneumothorax.\nr2,Heart.\nr3,Possible rib fracture.\n")
    return path


def test_extraction_writes_every_form_with_the_same_findings(reports, tmp_path):
    for out in ("f.csv", "f.json", "f.ndjson", "sr"):
        assert cli.main(["extract", str(reports), "--out", str(tmp_path / out)]) == 0
    with (tmp_path / "f.csv").open(newline="") as file:
        table = [(row["report_id"], row["pathology"], row["verbatim"]) for row in csv.DictReader(file)]
    entries = json.loads((tmp_path / "f.json").read_bytes())["entry"]
    lines = [json.loads(row) for row in (tmp_path / "f.ndjson").read_bytes().splitlines()]
    assert [e["resource"] for e in entries] == lines
    assert [
        (o["derivedFrom"][0]["identifier"]["value"], o["code"]["text"], o["valueCodeableConcept"]["text"])
        for o in lines
    ] == table
    documents = [pydicom.dcmread(path) for path in sorted((tmp_path / "sr").iterdir())]
    assert [d.AccessionNumber for d in documents] == ["r1", "r3"]
    assert sum(len(d.ContentSequence) for d in documents) == len(table) == 3


def test_a_file_that_cannot_be_written_leaves_nothing_behind(command, reports, tmp_path):
    (tmp_path / "f.ndjson").mkdir()
    with pytest.raises(Exception, match=r"f\.ndjson"):
        command("extract", reports, "--out", tmp_path / "f.ndjson")
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
