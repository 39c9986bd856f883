"""The table of rules: each takes its example as stated, and leaves the text that looks alike."""

from __future__ import annotations

from datetime import timedelta

import pytest

from radcal.reports.deidentify.deidentifier import PARTS
from radcal.reports.deidentify.rules import Rule, claim
from radcal.reports.deidentify.spans import SHIFTED, Claims
from radcal.reports.identifiers import PLACEHOLDERS

RULES = [(part._replace(rules=(rule,)), rule) for part in PARTS for rule in part.rules]


@pytest.mark.parametrize(("part", "rule"), RULES, ids=[rule.name for _, rule in RULES])
def test_a_rule_takes_its_example_and_leaves_what_looks_alike(part, rule: Rule) -> None:  # type: ignore[no-untyped-def]
    text, arrow, expected = rule.example.partition(" -> ")
    assert arrow
    for before, after in ((text, expected), (rule.unlike, rule.unlike)):
        claims = Claims(before)
        claim(claims, [part], timedelta(100))
        assert claims.apply().text.replace(SHIFTED, "") == after


def test_rules_have_names_of_their_own_and_kinds_that_are_known() -> None:
    rules = [rule for _, rule in RULES]
    assert len({rule.name for rule in rules}) == len(rules)
    assert {rule.kind for rule in rules} <= {*PLACEHOLDERS, "age"}
