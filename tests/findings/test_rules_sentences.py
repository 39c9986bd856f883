"""Readings of single sentences, compared with tables of sentences that were read by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from radcal.findings.rules.engine import RulesEngine
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Document
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names

Read = Callable[[str], set[tuple[str, str]]]
FINDINGS = {
    "atelectasis": "atelectasis",
    "early pneumonia": "infection",
    "mild edema": "edema",
    "scarring": "fibrosis",
    "a granuloma": "granuloma",
}
SHADOWS = {"right basilar opacity": "opacity", "nodule": "nodule", "lingular consolidation": "consolidation"}


def rows(name: str) -> list[tuple[str, str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [(sentence, stated) for sentence, stated in (n.split("\t") for n in lines if not n.startswith("#"))]


def findings(stated: str) -> set[tuple[str, ...]]:
    return {tuple(pair.split("=")) for pair in stated.split("; ") if pair}


def spelled_out(construction: str, stated: str) -> Iterator[tuple[str, set[tuple[str, ...]]]]:
    """The sentences of a construction, with choices in braces and named kinds of findings, and what each states."""
    for finding, shadow in product(FINDINGS, SHADOWS):
        pathologies = stated.replace("<finding>", FINDINGS[finding]).replace("<shadow>", SHADOWS[shadow])
        sentence = construction.replace("<finding>", finding).replace("<shadow>", shadow)
        for words in product(*(part.split("|") for part in re.split("[{}]", sentence))):
            yield "".join(words), findings(pathologies)


SENTENCES = [(sentence, findings(stated)) for sentence, stated in rows("sentences.tsv")]
AT_ONCE = 100
"""Rows of the table in one test: each in its own took longer to begin and to end than to read."""


@pytest.mark.parametrize("row", range(0, len(SENTENCES), AT_ONCE))
def test_sentences_state_what_a_reader_takes_from_them(stated: Read, row: int) -> None:
    some = SENTENCES[row : row + AT_ONCE]
    wrong = [(sentence, expected, read) for sentence, expected in some if (read := stated(sentence)) != expected]
    assert wrong == []


@pytest.mark.parametrize(("construction", "expected"), rows("constructions.tsv"))
def test_a_construction_is_read_alike_whatever_its_words(stated: Read, construction: str, expected: str) -> None:
    for sentence, pairs in spelled_out(construction, expected):
        assert stated(sentence) == pairs, sentence


@pytest.mark.parametrize("finding", ["pneumonia", "pleural effusion", "left rib fracture"])
def test_words_of_certainty_alone(stated: Read, finding: str) -> None:
    pathology = {"pneumonia": "infection", "left rib fracture": "fracture"}.get(finding, finding)
    read = [(frame, phrase, stated(frame.format(finding))) for frame, phrase in rows("certainty_words.tsv")]
    assert [wrong for wrong in read if wrong[2] != {(pathology, wrong[1])}] == []


def test_the_table_is_large_and_has_every_pathology_and_phrase() -> None:
    pairs = [pair for _, expected in SENTENCES for pair in expected]
    assert len(SENTENCES) >= 250
    assert len({p for p, _ in pairs}) == len(pathology_names())
    assert {w for _, w in pairs} >= {
        "absent", "present", "very unlikely", "unlikely", "possibly", "maybe", "may represent", "question of",
        "probably", "likely", "most likely", "suggestive of", "highly suggestive of", "suspicious for",
        "worrisome for", "compatible with", "consistent with", "diagnostic of", "other",
    }  # fmt: skip


@pytest.mark.slow
def test_capitals_and_line_breaks_do_not_matter(stated: Read) -> None:
    assert [s for s, expected in SENTENCES if stated(s.upper()) != expected] == []
    assert [s for s, expected in SENTENCES if stated(s.replace(" ", "\n   ")) != expected] == []


def test_skipping_rows_by_the_second_word_changes_nothing(rules: RulesEngine, report: Callable[..., Document]) -> None:
    vocabulary = read_vocabulary(resource("lexicon"))
    vocabulary.seconds = {word: {"": wordings} for word, wordings in vocabulary.starts.items()}
    documents = [report("r", text) for text, _ in SENTENCES[::3]]
    assert list(RulesEngine({"en": vocabulary}).extract(documents, SILENT)) == list(rules.extract(documents, SILENT))
