"""The table of rules: each takes its example as stated, and leaves the text that looks alike."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from radcal.reports.deidentify.deidentifier import PARTS
from radcal.reports.deidentify.rules import claim
from radcal.reports.deidentify.spans import SHIFTED, Claims
from radcal.reports.identifiers import PLACEHOLDERS
from tests.cases import cases_of

RULES = {rule.name: part._replace(rules=(rule,)) for part in PARTS for rule in part.rules}
cases = cases_of(__file__)


@cases("a_rule_takes_its_example_and_leaves_what_looks_alike")
def test_a_rule_takes_its_example_and_leaves_what_looks_alike(name: str, text: str, expected: str, unlike: str) -> None:
    """What the rule does by itself when dates are shifted by 100 days."""
    for before, after in ((text, expected), (unlike, unlike)):
        claims = Claims(before)
        claim(claims, [RULES[name]], timedelta(100))
        assert claims.apply().text.replace(SHIFTED, "") == after


def test_rules_have_names_and_examples_of_their_own_and_kinds_that_are_known() -> None:
    rules = [rule for part in PARTS for rule in part.rules]
    lines = (Path(__file__).parent / "cases" / "rules.tsv").read_text(encoding="utf-8").splitlines()
    assert sorted(line.partition("\t")[0] for line in lines[2:]) == sorted(rule.name for rule in rules)
    assert {rule.kind for rule in rules} <= {*PLACEHOLDERS, "age"}
