"""The table of rules: every example beside a rule is read as it says, by that rule."""

from __future__ import annotations

from functools import cache

import pytest

from radcal.extract.rules import RulesEngine, rules_engine, walk
from radcal.extract.rules.effects import always, goes_on
from radcal.extract.rules.precedence import PARTS, RULES
from radcal.extract.rules.scope import NO_CUE, Rule
from radcal.progress import SILENT
from radcal.records import Document, Section, Sentence

TABLES = ("_WITHOUT_CUE", "_IN_FORCE", "_BEHIND", "_AFTER", "_HEADINGS", "_REST")
EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]
UNLIKE = [(rule, rule.unlike) for rule in RULES]


@cache
def _engine() -> RulesEngine:
    return rules_engine()


def _split(example: str) -> tuple[str, set[tuple[str, ...]]]:
    sentence, arrow, stated = example.partition(" ->")
    assert arrow
    return sentence, {tuple(pair.split("=")) for pair in stated.strip().split("; ") if pair}


def _stated(sentence: str) -> set[tuple[str, ...]]:
    document = Document("r", sentence, (Sentence(Section.FINDINGS, 0, len(sentence), sentence),))
    (extraction,) = _engine().extract([document], SILENT)
    return {(f.pathology, f.phrase) for f in extraction.findings}


def _deciding(sentence: str) -> set[str]:
    return {rule.name for _, rule in _engine().explain(sentence)}


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=[e for _, e in EXAMPLES])
def test_an_example_is_read_as_stated_by_its_rule(rule: Rule, example: str) -> None:
    sentence, stated = _split(example)
    assert _stated(sentence) == stated
    assert rule.name in _deciding(sentence)


@pytest.mark.parametrize(("rule", "example"), UNLIKE, ids=[e for _, e in UNLIKE])
def test_a_sentence_that_looks_alike_is_decided_by_another_rule(rule: Rule, example: str) -> None:
    sentence, stated = _split(example)
    assert _stated(sentence) == stated
    assert rule.name not in _deciding(sentence)


SAME_OTHERWISE = ("a cue with a clear way",)
"""What the last rule of the part would do as well."""
CHANGING = [r for r in RULES if not (r.when is always and r.then is goes_on) and r.name not in SAME_OTHERWISE]


@pytest.mark.parametrize("rule", CHANGING, ids=[rule.name for rule in CHANGING])
def test_without_the_rule_its_examples_are_read_otherwise(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in TABLES:
        table = {kind: tuple(r for r in rules if r is not rule) for kind, rules in getattr(walk, name).items()}
        monkeypatch.setattr(walk, name, table)
    monkeypatch.setattr(NO_CUE, "taken", 0)
    _engine().forget()
    try:
        assert any(_stated(sentence) != stated for sentence, stated in map(_split, rule.examples))
    finally:
        _engine().forget()


def test_a_rule_has_a_name_of_its_own_and_examples() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.says.endswith(".") and rule.examples and rule.unlike for rule in RULES)
    assert all("?" in part.asks for part in PARTS)


def test_an_explanation_names_the_words_and_the_rules_in_order() -> None:
    steps = [(words, rule.name) for words, rule in _engine().explain("No Effusion; possible edema.")]
    assert steps[:4] == [
        ("No", "a cue with a clear way"),
        ("Effusion", "a finding behind its cue"),
        (";", "the end of a part"),
        ("possible", "a cue with a clear way"),
    ]
    assert _engine().explain("The bones are intact.") == []
