"""A department's words reach the engines; meanings do not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from radcal.findings.readers.pairs import HedgePhrases
from radcal.findings.rules.engine import RulesEngine, rules_engine
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Modality
from radcal.reports.sections import document
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words import editing
from radcal.words.extraction_words import for_reading, respelling, shipped
from radcal.words.phrases import Lexicon, read_lexicon_csv
from tests.means import moved, with_mean

Edit = Callable[[Lexicon], Lexicon]


def found(engine: RulesEngine, text: str) -> list[tuple[str, str]]:
    [extraction] = engine.extract([document("xray:1", text, Modality.XRAY)], SILENT)
    assert extraction.failure == ""
    return [(f.phrase, f.verbatim.lower()) for f in extraction.findings]


@cache
def plain() -> RulesEngine:
    return rules_engine()


def test_shipped_words_are_read_exactly_as_before() -> None:
    assert not respelling(shipped())
    assert for_reading(shipped()) is shipped()
    assert rules_engine(lexicon=shipped()).settings_hash == plain().settings_hash


def test_meanings_play_no_part_in_reading() -> None:
    moved = with_mean(with_mean(shipped(), "likely", 0.1), "may represent", 0.3)
    assert for_reading(moved) is shipped()
    with_word = editing.add_phrase(shipped(), "toss-up", 0.5)
    slightly = with_mean(with_word, "toss-up", 0.51)
    assert for_reading(slightly).version == for_reading(with_word).version != shipped().version


@pytest.mark.parametrize(
    ("edit", "text", "phrase"),
    [
        (lambda lx: editing.add_synonym(lx, "possibly", "hint at"), "Findings hint at pneumonia.", "possibly"),
        (lambda lx: editing.add_synonym(lx, "possibly", "a toss-up"), "Pneumonia is a toss-up.", "possibly"),
        (lambda lx: moved(lx, "presumed", "likely"), "Presumed pneumonia.", "likely"),
        (lambda lx: moved(lx, "presumed", "likely"), "Pneumonia is presumed.", "likely"),
        (lambda lx: editing.remove_synonym(lx, "maybe", "perhaps"), "Perhaps pneumonia.", "other"),
        (lambda lx: editing.remove_phrase(lx, "suspicious for"), "Suspicious for pneumonia.", "other"),
        (lambda lx: editing.remove_phrase(lx, "possibly"), "Edema versus pneumonia.", "other"),
        (lambda lx: editing.add_phrase(lx, "odds favour", 0.7), "Odds favour pneumonia.", "odds favour"),
        (lambda lx: editing.add_synonym(lx, "absent", "nothing like"), "Nothing like pneumonia.", "absent"),
        (lambda lx: editing.add_synonym(lx, "likely", "c/f"), "Opacity c/f pneumonia.", "likely"),
    ],
)
def test_a_departments_words_are_read_as_it_says(edit: Edit, text: str, phrase: str) -> None:
    lexicon = for_reading(edit(shipped()))
    engine = rules_engine(lexicon=lexicon)
    assert {p for p, _ in found(engine, text)} >= {phrase}
    assert engine.settings_hash != plain().settings_hash
    # And nothing else is read in another way.
    for other in ("No pneumothorax.", "There may be a small effusion.", "Edema is unlikely."):
        assert found(engine, other) == found(plain(), other)


def test_a_hedge_that_is_no_hedge_here_states_the_finding() -> None:
    lexicon = moved(shipped(), "presumed", "present")
    assert found(rules_engine(lexicon=for_reading(lexicon)), "Presumed pneumonia.") == [("present", "")]


def test_of_two_hedges_the_weaker_counts_also_where_one_is_the_departments() -> None:
    lexicon = for_reading(editing.add_phrase(shipped(), "chances are", 0.35))
    engine = rules_engine(lexicon=lexicon)
    assert found(engine, "Chances are this is likely pneumonia.")[0][0] in ("chances are", "likely")
    weak = rules_engine(lexicon=for_reading(editing.add_phrase(shipped(), "wild guess", 0.02)))
    assert ("wild guess", "wild guess") in [(p, v) for p, v in found(weak, "Wild guess pneumonia.")]


def test_plain_words_are_never_given_to_a_hedge() -> None:
    public = read_lexicon_csv(resource("lexicon", "phrases_public.csv"))
    own = respelling(public)
    assert "no" not in own.words
    assert own.name("suspicious for") == "other"
    assert own.name("very unlikely") == "highly unlikely"
    engine = rules_engine(lexicon=for_reading(public))
    assert found(engine, "No pneumonia.") == [("absent", "no")]
    assert found(engine, "Very unlikely pneumonia.") == [("highly unlikely", "very unlikely")]


def test_the_llamas_cues_are_named_the_same_way() -> None:
    lexicon = for_reading(editing.remove_phrase(moved(shipped(), "presumed", "likely"), "possibly"))
    phrases = HedgePhrases(read_vocabulary(resource("lexicon"), respelling=respelling(lexicon)), lexicon)
    assert phrases.of("presumed") == "likely"
    assert phrases.of("could represent") == "other"
    assert phrases.of("most likely") == "most likely"
