"""The generator: every span is true, the same seed gives the same text, the mix is that of reports."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from radcal.findings.by_model.protocol import STATES

from radcal.findings.rules.patterns import compile_pattern, flatten
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.system.resources import resource
from tests.cases import cases_of
from tools.mini.generator import Example, Generator, assemble
from tools.mini.grammar import CODES, TAUGHT, Grammar, GrammarError, Mark
from tools.mini.words import Spelled, any_word, medical_word, mistyped, spell

cases = cases_of(__file__)


@pytest.fixture(scope="module")
def generator() -> Generator:
    return Generator()


@pytest.fixture(scope="module")
def examples(generator: Generator) -> list[Example]:
    random = Random(11)
    return [generator.example(random) for _ in range(4000)]


def read(text: str, seed: int = 0) -> Example:
    return assemble(Grammar(text, {}).expand("example", Random(seed)), Random(3))


def test_the_same_seed_gives_the_same_text(generator: Generator, examples: list[Example]) -> None:
    random = Random(11)
    assert [Generator().example(random) for _ in range(3)] == examples[:3]
    random = Random(12)
    assert [generator.example(random) for _ in range(20)] != examples[:20]


def test_every_span_is_whole_words_of_the_text(examples: list[Example]) -> None:
    for example in examples:
        for statement in example.statements:
            for span in (statement.term, statement.cue):
                if span is None:
                    continue
                a, b = span
                words = example.text[a:b]
                assert words == words.strip() != "", example
                assert not (example.text[a - 1 : a].isalpha() and words[0].isalpha()), example
                assert not (example.text[b : b + 1].isalpha() and words[-1].isalpha()), example


def test_statements_are_of_the_closed_lists_and_in_order(examples: list[Example]) -> None:
    for example in examples:
        for statement in example.statements:
            assert statement.pathology in TAUGHT
            assert statement.state in STATES
            assert (statement.cue is None) == (statement.state == "present")
        starts = [s.term[0] for s in example.statements]
        assert starts == sorted(starts)


def test_texts_are_tidy_enough(examples: list[Example]) -> None:
    for example in examples:
        assert "  " not in example.text
        assert example.text == example.text.strip()
        assert not set("{}[]|\\") & set(example.text), example.text


def test_the_mix_holds_what_reports_hold(examples: list[Example]) -> None:
    states = Counter(s.state for e in examples for s in e.statements)
    total = sum(states.values())
    assert 0.3 < states["absent"] / total < 0.6
    assert 0.15 < states["hedged"] / total < 0.4
    assert 0.15 < sum(not e.statements for e in examples) / len(examples) < 0.4
    assert {s.pathology for e in examples for s in e.statements} == set(TAUGHT)
    assert len({e.text for e in examples}) > 0.85 * len(examples)


def test_codes_name_the_closed_list() -> None:
    assert tuple(CODES.values()) == TAUGHT
    assert {len(code) for code in CODES} == {3}


@pytest.mark.parametrize(
    ("grammar", "text", "statements"),
    [
        ("@example\n<eff|effusion>", "Effusion", [("pleural effusion", "present", "Effusion", None)]),
        ("@example\n[-no] <eff^1|effusion>", "No effusion", [("pleural effusion", "absent", "effusion", "No")]),
        (
            "@example\n<opa|opacity>, [?may be] {d^1}\n@d\n<atl|collapse> or <inf|pneumonia>",
            "Opacity, may be collapse or pneumonia",
            [
                ("opacity", "present", "Opacity", None),
                ("atelectasis", "hedged", "collapse", "may be"),
                ("infection", "hedged", "pneumonia", "may be"),
            ],
        ),
        (
            "@example\n{s^8}, {s^9}\n@s\n[-no] <nod^1|nodule>",
            "No nodule, no nodule",
            [("nodule", "absent", "nodule", "No"), ("nodule", "absent", "nodule", "no")],
        ),
        (
            "@example\n<fib+thk|scar> \\(a\\)",
            "Scar (a)",
            [("fibrosis", "present", "Scar", None), ("pleural thickening", "present", "Scar", None)],
        ),
        (
            "@example\n[2?likely] <atl^2|collapse>, [-no] <eff^1|fluid>",
            "Likely collapse, no fluid",
            [("atelectasis", "hedged", "collapse", "Likely"), ("pleural effusion", "absent", "fluid", "no")],
        ),
    ],
)
def test_notation(grammar: str, text: str, statements: list[tuple[str, str, str, str | None]]) -> None:
    example = read(grammar)
    assert example.text == text
    assert [
        (s.pathology, s.state, text[slice(*s.term)], text[slice(*s.cue)] if s.cue else None) for s in example.statements
    ] == statements


def test_weights_choices_and_lists_of_alternatives() -> None:
    grammar = Grammar("@example\n*9 a(b|c|) ; d\n{e}\n@e\nf", {})
    random = Random(0)
    count = Counter("".join(t for t, _ in grammar.expand("example", random)) for _ in range(4400))
    assert set(count) == {"ab", "ac", "a", "d", "f"}
    assert 300 < count["d"] < 500
    assert 1000 < count["ab"] < 1400


@cases("a_broken_grammar_says_what_is_wrong")
def test_a_broken_grammar_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(GrammarError, match=reason):
        Grammar(text, {})


def test_sources_are_read_in_the_notation() -> None:
    grammar = Grammar("@example\n[-no] {w^1}", {"w": lambda random: "<ptx|ptx>"})
    pieces = grammar.expand("example", Random(0))
    assert pieces[-1] == ("ptx", Mark((1,), ("pneumothorax",)))


@given(st.integers(0, 100_000))
@settings(deadline=None, max_examples=60)
def test_spelled_words_match_the_notation_they_come_from(seed: int) -> None:
    notation = "(lung|pulmonary) nodule[s] [of (the|a) kind]"
    pattern, _ = compile_pattern(notation)
    assert pattern.fullmatch(flatten(spell(notation, Random(seed))))


def test_spelled_terms_are_read_by_the_rules_as_the_same_pathology() -> None:
    from radcal.findings.rules.tokens import tokenise

    vocabulary, spelled, random = read_vocabulary(resource("lexicon")), Spelled(), Random(4)
    same = 0
    for _ in range(400):
        node = spelled.term(random)
        codes, words = node[1:-1].split("|", 1)
        tokens = tokenise(flatten(words.replace("\\", "")), vocabulary)
        names = {n for t in tokens if t.term for n in t.term.pathologies}
        same += {CODES[c] for c in codes.split("+")} <= names
    # Words that several rows hold can be read as the other row's.
    assert same / 400 > 0.95


def test_invented_words_are_words() -> None:
    random = Random(1)
    for make, _ in product((any_word, medical_word), range(200)):
        word = make(random)
        assert word.isalpha()
        assert word.islower()
        assert len(word) >= 2


@given(st.text("abcdefgh", min_size=1, max_size=12), st.integers(0, 1000))
def test_mistyped_words_keep_their_first_letter_and_nearly_their_length(word: str, seed: int) -> None:
    wrong = mistyped(word, Random(seed))
    assert wrong[0] == word[0]
    assert abs(len(wrong) - len(word)) <= 1
