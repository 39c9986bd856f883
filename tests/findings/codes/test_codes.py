"""Codes of findings: each word has the one of its row, other words that of the range of their mean."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.codes import coded
from radcal.findings.records import Finding
from radcal.reports.records import Section
from radcal.system.resources import resource
from radcal.words.pathologies import names
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import OTHER, UNREAD, Phrase
from tests.cases import cases_of

cases = cases_of(__file__)

WEAKEST_FIRST = ["410516002", "410593006", "410590009", "415684004", "410592001", "410515003"]
"""Known absent, probably not present, known possible, suspected, probably present, known present."""


def finding(phrase: str, pathology: str = "edema", verbatim: str = "") -> Finding:
    return Finding("A1", pathology, phrase, verbatim, "Made up.", Section.FINDINGS, 0, 8, 0, 4, engine="rules")


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
    assert {row.split("\t")[0] for row in rows if not row.startswith(("#", "pathology\t"))} <= set(names())


def test_order_and_findings_are_kept():
    findings = [finding("likely"), dataclasses.replace(finding("absent"), pathology="pneumothorax")]
    assert [c.finding for c in coded(findings, load_lexicon())] == findings
