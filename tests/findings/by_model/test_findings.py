"""Readings to findings: canonical phrases, and where the words stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from radcal.findings.by_model.reports import Findings
from radcal.findings.joined_sentences import WholeSentence
from radcal.findings.records import Finding
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Document
from radcal.system.resources import resource
from radcal.words.phrases import load_lexicon
from tests.cases import cases_of

cases = cases_of(__file__)


@pytest.fixture(scope="module")
def make(report: Callable[..., Document]) -> Callable[..., Finding]:
    maker = Findings(read_vocabulary(resource("lexicon")), load_lexicon(), "llama")

    def of(sentence: str, pathology: str, said: str, **more: Any) -> Finding:
        document = report("1", "First sentence.", sentence)
        reading = {"pathology": pathology, "said": said, "term": None, "cue": None, "probability": 0.5, **more}
        return maker.make(document.report_id, WholeSentence(document.sentences[1:]), reading)

    return of


def test_a_sentence_in_pieces_keeps_its_places(report: Callable[..., Document]) -> None:
    maker = Findings(read_vocabulary(resource("lexicon")), load_lexicon(), "llama")
    document = report("1", "Before.", "There may be a", "small left effusion", "of fluid.")
    reading = {"pathology": "pleural effusion", "said": "may be", "term": None, "cue": [6, 12], "probability": 0.9}
    whole = WholeSentence(document.sentences[1:])
    found = maker.make("1", whole, reading)
    assert found.sentence == "small left effusion"
    assert document.text[found.start : found.end] == found.sentence
    assert document.text[found.term_start : found.term_end] == "effusion"
    assert document.text[found.cue_start : found.cue_end] == found.verbatim == "may be"
    maker.forget()
    assert maker.make("1", whole, reading) == found


def words(finding: Finding, start: int, end: int) -> str:
    offset = finding.start
    return finding.sentence[start - offset : end - offset]


@cases("a_row_of_words_becomes_a_finding")
def test_a_row_of_words_becomes_a_finding(
    make: Callable[..., Finding], sentence: str, pathology: str, said: str, phrase: str, cue: str, term: str
) -> None:
    place = sentence.find(said)
    finding = make(sentence, pathology, said, cue=[place, place + len(said)] if place >= 0 else None)
    assert (finding.phrase, finding.verbatim) == (phrase, cue)
    assert words(finding, finding.term_start, finding.term_end) == term
    assert (words(finding, finding.cue_start, finding.cue_end) if cue else "") == cue
    assert (finding.cue_start == -1) == (not cue)
    assert finding.start == len("First sentence. ")
    assert finding.engine == "llama"
    assert finding.probability == 0.5


def test_the_term_nearest_to_the_cue_is_meant(make: Callable[..., Finding]) -> None:
    finding = make("A mass or a likely mass.", "mass", "likely", cue=[12, 18])
    assert finding.term_start == finding.start + 19


def test_spans_of_the_bundled_model_are_kept(make: Callable[..., Finding]) -> None:
    finding = make("Query mass?", "mass", "hedged", term=[6, 10], cue=[0, 5])
    assert (finding.phrase, finding.verbatim) == ("question of", "Query")
    assert (finding.term_start, finding.term_end) == (finding.start + 6, finding.start + 10)
    plain = make("A mass.", "mass", "present", term=[2, 6])
    assert (plain.phrase, plain.verbatim, plain.cue_start) == ("present", "", -1)


@cases("the_lexicon_decides_what_the_words_that_it_knows_can_mean")
def test_the_lexicon_decides_what_the_words_that_it_knows_can_mean(
    make: Callable[..., Finding | None], sentence: str, pathology: str, term: str, probability: float, stands: bool
) -> None:
    place = sentence.find(term)
    found = make(sentence, pathology, "present", term=[place, place + len(term)], probability=probability)
    assert (found is not None) is stands
