"""The generator: an answer follows the words that govern a name, the same seed gives the same text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.findings.readers.pairs import HEDGED, NOT_STATED, phrases_of
from radcal.findings.rules.patterns import compile_pattern, flatten
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.system.resources import resource
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import load_lexicon
from tests.cases import cases_of
from tools.mini.generator import Example, Generator
from tools.mini.grammar import ANY, CODES, Grammar, GrammarError, Mark
from tools.mini.words import Frames, Spelled, any_word, medical_word, mistyped, spell

cases = cases_of(__file__)
CUES = {
    "no": "absent", "there is no evidence of": "absent", "without": "absent", "there is": "present",
    "unchanged": "present", "possible": "possibly", "likely": "likely", "suspicious for": "suspicious for",
    "history of": NOT_STATED, "evaluate for": NOT_STATED,
}  # fmt: skip
SIGNS = {"absent": "-", "present": "+", NOT_STATED: "0"}


@pytest.fixture(scope="module")
def generator() -> Generator:
    return Generator()


@pytest.fixture(scope="module")
def examples(generator: Generator) -> list[Example]:
    random = Random(11)
    return [generator.example(random) for _ in range(3000)]


def read(generator: Generator, sentence: str, code: str = "en") -> tuple[str, dict[str, str]]:
    """A sentence in the grammar's notation as the generator reads it, and its questions with their answers."""
    random = Random(0)
    text, names = generator.read(Grammar(f"@whole\n{sentence}", {}).expand("whole", random), random, code)
    return text, {a.words.lower(): a.answer for a in generator.questions(text, names, random, code)}


def test_the_same_seed_gives_the_same_text(generator: Generator, examples: list[Example]) -> None:
    random = Random(11)
    assert [generator.example(random) for _ in range(3)] == examples[:3]
    random = Random(12)
    assert [generator.example(random) for _ in range(20)] != examples[:20]


def test_questions_are_of_words_that_stand_in_the_text_with_an_answer_of_the_closed_list(
    examples: list[Example],
) -> None:
    answers = {*phrases_of(load_lexicon()), HEDGED}
    for example in examples:
        for asked in example.asked:
            assert asked.words.strip()
            assert asked.words in example.text
            assert asked.answer in answers
        assert len({a.words for a in example.asked}) == len(example.asked)


def test_texts_are_tidy_enough(examples: list[Example]) -> None:
    for example in examples:
        assert "  " not in example.text
        assert example.text == example.text.strip()
        assert not re.search(r"[{}|\\<]", example.text), example.text


def test_the_mix_holds_what_reports_hold(generator: Generator, examples: list[Example]) -> None:
    said = Counter(a.answer for e in examples for a in e.asked)
    total = sum(said.values())
    assert 0.25 < said["absent"] / total < 0.5
    assert 0.25 < said["present"] / total < 0.5
    assert 0.03 < said[NOT_STATED] / total < 0.2
    assert 0.15 < 1 - (said["absent"] + said["present"] + said[NOT_STATED]) / total < 0.4
    assert set(said) >= {"unlikely", "possibly", "likely", "suspicious for", "consistent with"}
    assert len({e.text for e in examples}) > 0.9 * len(examples)
    named = {n.pathology for e in examples for n in generator.spotter.named(e.text, "en")}
    assert named >= set(pathology_names())


@pytest.mark.parametrize("name", ["<eff^1|pleural effusion>", "<any^1|blorbitis>", "<opa^1|opacities>"])
@pytest.mark.parametrize(("cue", "answer"), CUES.items())
def test_the_same_sentence_with_another_cue_has_another_answer(
    generator: Generator, name: str, cue: str, answer: str
) -> None:
    sign = SIGNS.get(answer, "?")
    words = name[:-1].partition("|")[2]
    assert read(generator, f"[{sign}{cue}] {name} at the base") == (
        f"{cue[:1].upper()}{cue[1:]} {words} at the base",
        {words: answer},
    )


@pytest.mark.parametrize(
    ("sentence", "answers"),
    [
        ("<eff|effusion>", {"effusion": "present"}),
        ("[-no] {d^1} and <car|cardiomegaly>\n@d\n<atl|collapse> or <ptx|pneumothorax>",
         {"collapse": "absent", "pneumothorax": "absent", "cardiomegaly": "present"}),
        ("<opa|opacity>, [?may be] {d^1}\n@d\n<atl|collapse> or <inf|pneumonia>",
         {"opacity": "present", "collapse": "may represent", "pneumonia": "may represent"}),
        ("{s^8}, {t^9}\n@s\n[-no] <nod^1|nodule>\n@t\n[+small] <eff^1|effusion>",
         {"nodule": "absent", "effusion": "present"}),
        ("[2?likely] <atl^2|collapse>, [-no] <eff^1|fluid>", {"collapse": "likely"}),
        ("[=compatible with]<inf^1|pneumonia>", {"pneumonia": "compatible with"}),
        ("[?mayhap] <inf^1|pneumonia>", {"pneumonia": HEDGED}),
        ("<car^1|heart> is [-normal]", {"heart is normal": "absent"}),
        ("mild pneumonia and [-no] <eff^1|effusion>", {"pneumonia": NOT_STATED, "effusion": "absent"}),
        ("[-no] <nod^1|nodule>, [2+a] <nod^2|nodule>", {}),
    ],
)  # fmt: skip
def test_the_answer_is_of_the_words_that_govern_a_name(
    generator: Generator, sentence: str, answers: dict[str, str]
) -> None:
    _, said = read(generator, sentence)
    assert {words: said.get(words) for words in answers} == answers
    assert "nodule" not in said or "nodule" in answers


def test_german_hedges_are_read_by_the_german_words(generator: Generator) -> None:
    _, said = read(generator, "Verdichtung, [?am ehesten] <inf^1|Pneumonie>, [2-kein] <eff^2|Erguss>", "de")
    assert (said["pneumonie"], said["erguss"]) == ("most likely", "absent")


def test_sentences_read_by_hand_keep_their_answers_when_terms_are_exchanged(
    tmp_path: Path, generator: Generator
) -> None:
    path = tmp_path / "sentences.tsv"
    path.write_text(
        "No effusion; likely atelectasis.\tpleural effusion=absent; atelectasis=likely\n"
        "Evaluate for pneumonia.\t\n"
        "Left effusion, no right effusion.\tpleural effusion=present; pleural effusion=absent\n"
        "The trachea is midline.\t\n",
        encoding="utf-8",
    )
    frames = Frames((path,), generator.spotter, "en", {"t_eff", "t_atl", "t_any"})
    drawn = {frames.frame(Random(seed)) for seed in range(60)}
    assert {re.sub(r"(<[^>]*>|\{[a-z_]+\^\d\})", "_", d) for d in drawn} == {
        "No [1=absent]_; likely [2=likely]_",
        "Evaluate for [1=not stated]_",
    }
    assert len(drawn) > 6


def test_codes_name_the_closed_list() -> None:
    assert tuple(CODES.values()) == ("", *pathology_names())
    assert {len(code) for code in CODES} == {3}
    assert CODES[ANY] == ""


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

    vocabulary, spelled, random = read_vocabulary(resource("lexicon")), Spelled(resource("lexicon")), Random(4)
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
