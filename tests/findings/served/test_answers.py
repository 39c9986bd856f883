"""What an answer names stands in the report, or the report has failed; no answer is an error of the program."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from radcal.findings.by_model.reports import Findings, Report, Reports, StandIns
from radcal.findings.by_model.rows import Piece, parts_of
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.findings.served.reading import Checker, tokens_of
from radcal.findings.served.requests import Useless
from radcal.reports.records import Modality
from radcal.reports.sections import document
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon
from radcal.words.word_files import layers

TEXT = (
    "No pleural effusion. Patchy opacity at the left base may represent atelectasis or pneumonia. "
    "Edema is difficult to exclude. The heart is normal in size."
)
GERMAN = "Kein Erguss. Vereinbar mit einer Pneumonie. Das Herz ist nicht vergr\u00f6\u00dfert."
LEXICON = load_lexicon()
VOCABULARIES = read_vocabularies(*layers(None, resource("lexicon")))
REPORTS = Reports(
    {code: Findings(words, LEXICON, "served") for code, words in VOCABULARIES.items()}, StandIns(VOCABULARIES["en"])
)
CHECKER = Checker(pathology_names(None), 64)


def pieces_of(report: Report) -> list[Piece]:
    [(_, pieces)] = parts_of(report.texts, 10_000, tokens_of)
    return pieces


def readings(said: str, text: str = TEXT, context: int = 0) -> list[dict[str, Any]]:
    report = REPORTS.report(document("r", text, Modality.XRAY))
    return CHECKER.readings(said, pieces_of(report), context, lambda n: REPORTS.of_sentence(report, n))


def answer(*rows: tuple[object, object, object]) -> str:
    return json.dumps({"findings": [dict(zip(("sentence", "pathology", "phrase"), row, strict=True)) for row in rows]})


def test_readings_stand_in_the_order_of_the_sentences_each_once() -> None:
    said = readings(
        answer(
            (3, "edema", "difficult to exclude"),
            (2, "atelectasis", "May  represent"),
            (1, "pleural effusion", "absent"),
            (2, "atelectasis", "may represent"),
            (2, "opacity", "present"),
        )
    )
    assert [(r["sentence"], r["pathology"], r["said"]) for r in said] == [
        (0, "pleural effusion", "absent"),
        (1, "atelectasis", "may represent"),
        (1, "opacity", "present"),
        (2, "edema", "difficult to exclude"),
    ]
    assert TEXT[21:][slice(*said[1]["cue"])] == "may represent"
    assert all(r["probability"] is None and r["term"] is None for r in said)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer((9, "edema", "present")), "a sentence that the report does not have"),
        (answer((0, "edema", "present")), "a sentence that the report does not have"),
        (answer((-1, "edema", "present")), "a sentence that the report does not have"),
        (answer((1, "gout", "present")), "a pathology that is not in the list"),
        (answer((1, "Edema", "present")), "a pathology that is not in the list"),
        (answer((3, "edema", "likely")), "do not stand in the sentence"),
        (answer((1, "pleural effusion", "may represent")), "do not stand in the sentence"),
        (answer((1, "pleural effusion", "quite possibly")), "do not stand in the sentence"),
        (answer((1, "pleural effusion", "")), "do not stand in the sentence"),
        (answer((True, "edema", "present")), "form"),
        (answer((1.0, "edema", "present")), "form"),
        (answer(("1", "edema", "present")), "form"),
        (answer((1, None, "present")), "form"),
        (answer((1, "edema", ["present"])), "form"),
        (answer(*[(1, "edema", "present")] * 65), "more than 64"),
        ("", "form"),
        ("no", "form"),
        ("[]", "form"),
        ("{}", "form"),
        ('{"findings": {}}', "form"),
        ('{"findings": [1]}', "form"),
        ('{"findings": [], "more": 1}', "form"),
        ('{"findings": [], "findings": []}', "form"),
        ('{"findings": [{"sentence": 1, "pathology": "edema"}]}', "form"),
        ('{"findings": [{"sentence": 1, "pathology": "edema", "phrase": "present", "note": ""}]}', "form"),
        ('{"findings": [NaN]}', "form"),
        ('{"findings": [' + "[" * 100_000, "form"),
        ('{"findings": [{"sentence": ' + "9" * 10_000 + ', "pathology": "edema", "phrase": "present"}]}', "form"),
        ('Here it is: {"findings": []}', "form"),
        ('{"findings": []} I hope that this helps.', "form"),
    ],
)
def test_what_does_not_stand_in_the_report_is_a_failure_of_it_that_quotes_nothing(said: str, why: str) -> None:
    with pytest.raises(Useless, match=why) as raised:
        readings(said)
    for quoted in ("gout", "likely", "quite", "helps", "effusion"):
        assert quoted not in str(raised.value)


@pytest.mark.parametrize("around", ["{}", " {}\n", "```json\n{}\n```", "```\n{}```"])
def test_a_fence_around_the_answer_is_no_fault(around: str) -> None:
    assert readings(around.replace("{}", '{"findings": []}')) == []


@pytest.mark.parametrize("phrase", ["compatible with", "Vereinbar mit", "vereinbar  mit"])
def test_a_phrase_of_the_lexicon_stands_in_a_german_sentence_by_its_german_words(phrase: str) -> None:
    [reading] = readings(answer((2, "infection", phrase)), GERMAN)
    cue = GERMAN[13:][slice(*reading["cue"])]
    assert cue in ("Vereinbar mit", "Vereinbar mit einer")
    report = REPORTS.report(document("r", GERMAN, Modality.XRAY))
    [finding] = REPORTS.extraction(report, [reading]).findings
    assert (finding.phrase, finding.verbatim, finding.sentence) == (
        "compatible with",
        cue,
        "Vereinbar mit einer Pneumonie.",
    )


def test_or_is_a_wording_of_possibly_as_in_the_rules() -> None:
    [reading] = readings(answer((2, "atelectasis", "possibly")))
    assert TEXT[21:][slice(*reading["cue"])] == "or"


def test_what_is_said_of_sentences_shown_as_context_was_said_before() -> None:
    assert readings(answer((1, "pleural effusion", "absent"), (2, "opacity", "present")), context=1)[0]["sentence"] == 1


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 6) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
ROWS = st.fixed_dictionaries(
    {
        "sentence": st.integers(0, 5) | ANY,
        "pathology": st.sampled_from(["edema", "opacity", "atelectasis", "infection", "gout"]) | ANY,
        "phrase": st.sampled_from(
            ["present", "absent", "likely", "may represent", "or", "no", "Edema is", "difficult to exclude"]
        )
        | ANY,
    }
)


@given(st.fixed_dictionaries({"findings": st.lists(ROWS, max_size=6) | ANY}) | ANY)
@example({"findings": [{"sentence": 2, "pathology": "edema", "phrase": "\ud800"}]})
def test_any_json_is_findings_in_the_report_or_a_failure(told: object) -> None:
    check(json.dumps(told))


@given(st.text(max_size=200))
def test_any_text_is_findings_in_the_report_or_a_failure(told: str) -> None:
    check(told)


def check(said: str, make: Callable[[str], list[dict[str, Any]]] = readings) -> None:
    report = REPORTS.report(document("r", TEXT, Modality.XRAY))
    try:
        made = make(said)
    except Useless:
        return
    for finding in REPORTS.extraction(report, made).findings:
        assert finding.pathology in pathology_names(None)
        assert TEXT[finding.start : finding.end] == finding.sentence
        assert finding.start <= finding.term_start < finding.term_end <= finding.end
        if finding.verbatim:
            assert TEXT[finding.cue_start : finding.cue_end] == finding.verbatim
            assert finding.start <= finding.cue_start < finding.cue_end <= finding.end
