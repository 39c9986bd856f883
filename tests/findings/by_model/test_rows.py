"""A model can only say what stands in the report or in the lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.by_model.rows import END, MOST_WORDS, Reference, RowGuide, Rows, shown, spans
from radcal.findings.model.questions import Trie

PATHOLOGIES = ("mass", "nodule", "pleural effusion")
PHRASES = ("absent", "present", "likely")
SENTENCES = ("No mass.", "A nodule, hard to dismiss entirely.", '"Quoted" effusion\nlikely.')


def letters(text: str) -> list[int]:
    """Every sign a token."""
    return [ord(c) for c in text]


def made(reference: Reference = "number", most: int = 9) -> Rows:
    return Rows(letters, PATHOLOGIES, PHRASES, reference, most)


def _random(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret


def walk(guide: RowGuide, random: Random) -> str:
    out = []
    while not guide.done:
        allowed = guide.allowed()
        assert list(allowed) == sorted(set(allowed))
        token = random.choice(allowed)
        guide.advance(token)
        out.append(chr(token))
    return "".join(out)


@settings(deadline=None, max_examples=200)
@given(seed=st.integers(), reference=st.sampled_from(["number", "quote"]), context=st.integers(0, 2))
def test_whatever_is_chosen_is_rows_about_these_sentences(seed: int, reference: Reference, context: int) -> None:
    texts = [shown(s) for s in SENTENCES]
    guide = RowGuide(made(reference), texts, context)
    answer = walk(guide, _random(seed))
    assert answer.endswith(END)
    lines = answer.removesuffix(END).splitlines()
    assert len(lines) == len(guide.statements)
    places = []
    for line, statement in zip(lines, guide.statements, strict=True):
        named = str(statement.sentence + 1) if reference == "number" else f'"{texts[statement.sentence]}"'
        assert line == f'- {named}, "{statement.pathology}", "{statement.phrase}"'
        assert line + "\n" == answer[statement.first : statement.last]
        assert statement.pathology in PATHOLOGIES
        assert statement.phrase in PHRASES or statement.phrase in texts[statement.sentence]
        assert statement.sentence >= context
        places.append((statement.sentence, statement.pathology))
    assert [p for p, _ in places] == sorted(p for p, _ in places)
    assert len(set(places)) == len(places)


def test_the_most_findings_end_the_answer_and_are_noticed() -> None:
    cut = [g for g in (RowGuide(made(most=2), list(SENTENCES)) for _ in range(200)) if walk(g, _random(id(g)))]
    assert any(g.cut for g in cut)
    assert all(len(g.statements) <= 2 for g in cut)
    assert all(g.cut == (len(g.statements) == 2) for g in cut)


def test_a_report_without_words_has_nothing_but_the_end() -> None:
    guide = RowGuide(made(), ["  ", ""])
    assert walk(guide, _random(0)) == END
    assert guide.statements == []


def test_a_sentence_of_which_all_is_said_is_not_offered_again() -> None:
    guide = RowGuide(made(), ["mass"])
    for p in PATHOLOGIES:
        for token in letters(f'- 1, "{p}", "likely"\n'):
            guide.advance(token)
    assert walk(guide, _random(0)) == END


@given(st.text())
def test_a_sentence_is_shown_at_its_own_length_without_what_could_break_a_line(text: str) -> None:
    out = shown(text)
    assert len(out) == len(text)
    assert not re.search(r'[\n\r\x00-\x1f"\u2028]', out)


@given(st.lists(st.sampled_from(["no", "may", "be,", "(seen)", "...", "left."]), max_size=9))
def test_spans_are_words_of_the_sentence(words: Sequence[str]) -> None:
    sentence = " ".join(words)
    for text, (start, end) in spans(sentence).items():
        assert sentence[start:end] == text
        assert text.strip(".,;:!?()[]") == text
        assert 1 <= len(text.split()) <= MOST_WORDS + words.count("...")


@pytest.mark.parametrize(("sentence", "words"), [("May be.", {"May", "May be", "be"}), ("", set()), ("?!", set())])
def test_spans_leave_out_punctuation_around_them(sentence: str, words: set[str]) -> None:
    assert set(spans(sentence)) == words


def test_the_meaning_of_equal_options_is_the_first() -> None:
    trie = Trie([((1, 2), "a"), ((1, 2), "b"), ((1, 3), "c")])
    assert trie.branches[1].branches[2].meaning == "a"
    assert sorted(trie.branches[1].branches) == [2, 3]
