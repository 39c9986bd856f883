"""What single sentences state, against a table that was read by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from radcal.extract.rules import RulesEngine, rules_engine
from radcal.extract.rules.vocabulary import read_vocabulary
from radcal.progress import SILENT
from radcal.records import Document, Section, Sentence
from radcal.resources import resource

TABLE = Path(__file__).with_name("sentences.tsv")


def _table() -> list[tuple[str, frozenset[tuple[str, str]]]]:
    rows = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        sentence, _, expected = line.partition("\t")
        pairs = frozenset(tuple(p.split("=")) for p in expected.split("; ") if p)
        rows.append((sentence, pairs))
    return rows


@cache
def _engine() -> RulesEngine:
    return rules_engine()


def _stated(sentence: str) -> frozenset[tuple[str, str]]:
    document = Document("r", sentence, (Sentence(Section.FINDINGS, 0, len(sentence), sentence),))
    (extraction,) = _engine().extract([document], SILENT)
    return frozenset((f.pathology, f.phrase) for f in extraction.findings)


@pytest.mark.parametrize(("sentence", "expected"), _table())
def test_a_sentence_states_what_a_reader_takes_from_it(sentence: str, expected: frozenset[tuple[str, str]]) -> None:
    assert _stated(sentence) == expected


def test_the_table_is_large_and_has_every_pathology_and_phrase() -> None:
    rows = _table()
    stated = [pair for _, pairs in rows for pair in pairs]
    assert len(rows) >= 250
    assert len({p for p, _ in stated}) == 21
    assert {w for _, w in stated} >= {
        "absent", "present", "very unlikely", "unlikely", "possibly", "maybe", "may represent", "question of",
        "probably", "likely", "most likely", "suggestive of", "highly suggestive of", "suspicious for",
        "worrisome for", "compatible with", "consistent with", "diagnostic of", "other",
    }  # fmt: skip


def test_capitals_and_line_breaks_do_not_matter() -> None:
    rows = _table()
    assert [s for s, expected in rows if _stated(s.upper()) != expected] == []
    assert [s for s, expected in rows if _stated(s.replace(" ", "\n   ")) != expected] == []


def test_skipping_rows_by_the_second_word_changes_nothing() -> None:
    vocabulary = read_vocabulary(resource("lexicon"))
    for rows in vocabulary.starts.values():
        rows[:] = [row._replace(seconds=None) for row in rows]
    slow = RulesEngine(vocabulary)
    for text, _ in _table()[::3]:
        document = Document("r", text, (Sentence(Section.FINDINGS, 0, len(text), text),))
        assert list(slow.extract([document], SILENT)) == list(_engine().extract([document], SILENT))
