"""The table of rules: every example is read as stated, by its rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.findings.rules import engine
from radcal.findings.rules.engine import RulesEngine
from radcal.findings.rules.precedence import PARTS, RULES
from radcal.findings.rules.scope import Rule

Read = Callable[[str], set[tuple[str, str]]]
TABLES = ("_WITHOUT_CUE", "_IN_FORCE", "_BEHIND", "_AFTER", "_HEADINGS", "_REST")
LINES = Path(__file__).with_name("rules.tsv").read_text(encoding="utf-8").splitlines()
SENTENCES = {name: pair for name, *pair in (line.split("\t") for line in LINES if not line.startswith("#"))}
"""An example of each rule, by its name, and a similar sentence that another rule decides."""
EXAMPLES = [(rule, sentence, n == 0) for rule in RULES for n, sentence in enumerate(SENTENCES[rule.name])]


def split(example: str) -> tuple[str, set[tuple[str, ...]]]:
    sentence, arrow, stated = example.partition(" ->")
    assert arrow
    return sentence, {tuple(pair.split("=")) for pair in stated.strip().split("; ") if pair}


def explained(rules: RulesEngine, sentence: str) -> list[tuple[str, str]]:
    """The decisions on a sentence in order: the words, and the name of the rule that applied."""
    read = rules.trace(sentence)
    spans = ((read.tokens[step.token], step.rule.name) for step in read.steps)
    return [(sentence[slice(*read.normal.original(t.start, t.end))], name) for t, name in spans]


def test_each_rule_has_an_example_and_nothing_else_has() -> None:
    assert list(SENTENCES) == [rule.name for rule in RULES]


@pytest.mark.parametrize(
    ("rule", "example", "decides"), EXAMPLES, ids=[f"{rule.name}: {text}" for rule, text, _ in EXAMPLES]
)
def test_an_example_is_decided_by_its_rule_and_what_looks_alike_by_another(
    rules: RulesEngine, stated: Read, rule: Rule, example: str, decides: bool
) -> None:
    sentence, expected = split(example)
    assert stated(sentence) == expected
    deciding = {name for _, name in explained(rules, sentence)}
    assert (rule.name in deciding) == decides


SAME_OTHERWISE = ("an unopposed cue",)
"""Rules that the last rule of their part could replace."""
CHANGING = [rule for rule in RULES if rule.name not in SAME_OTHERWISE]


@pytest.mark.parametrize("rule", CHANGING, ids=[rule.name for rule in CHANGING])
def test_without_the_rule_its_example_is_read_otherwise(
    rules: RulesEngine, stated: Read, rule: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in TABLES:
        table = {kind: tuple(r for r in row if r is not rule) for kind, row in getattr(engine, name).items()}
        monkeypatch.setattr(engine, name, table)
    monkeypatch.setattr(engine.NO_CUE, "taken", 0)
    rules.forget()
    try:
        sentence, expected = split(SENTENCES[rule.name][0])
        assert stated(sentence) != expected
    finally:
        rules.forget()


def test_a_rule_has_a_name_of_its_own_and_a_statement() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.says.endswith(".") for rule in RULES)
    assert all("?" in part.asks for part in PARTS)


def test_an_explanation_names_the_words_and_the_rules_in_order(rules: RulesEngine) -> None:
    assert explained(rules, "No Effusion; possible edema.")[:4] == [
        ("No", "an unopposed cue"),
        ("Effusion", "a finding behind its cue"),
        (";", "the end of a part"),
        ("possible", "an unopposed cue"),
    ]
    assert explained(rules, "The bones are intact.") == []
