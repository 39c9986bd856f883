"""The statements and the question around them."""

from __future__ import annotations

from collections import Counter

import pytest

from radcal.lab.model_perception import LEAD, SETS, messages, statements


def test_there_are_sixty_private_statements_and_thirty_pairs_of_verifiable_ones() -> None:
    told = statements()
    assert Counter(s.true for s in told) == {None: 60, True: 30, False: 30}
    assert len({s.statement for s in told}) == 120
    assert all(bool(s.pair) == (s.true is not None) for s in told)
    for pair in {s.pair for s in told if s.pair}:
        twins = [s for s in told if s.pair == pair]
        assert sorted(s.true for s in twins if s.true is not None) == [False, True]
        assert len({s.speaker for s in twins}) == 1


def test_there_are_sixty_pairs_about_science() -> None:
    told = statements("science")
    assert Counter(s.true for s in told) == {True: 60, False: 60}
    assert len({s.statement for s in (*told, *statements())}) == 240
    assert set(Counter((s.pair, s.speaker) for s in told).values()) == {2}


@pytest.mark.parametrize("name", SETS)
def test_a_statement_is_a_clause_that_tells_nothing_of_certainty(name: str) -> None:
    hedges = {"likely", "probably", "maybe", "perhaps", "might", "may", "could", "sure", "certainly"}
    for s in statements(name):
        assert not s.statement.endswith(".")
        assert not hedges & set(s.statement.casefold().split())


@pytest.mark.parametrize("shots", [0, 2])
def test_the_question_quotes_the_expression_and_ends_before_the_answer(shots: int) -> None:
    asked = statements()[:3]
    for about, message in zip(asked, messages("suspicious for", asked, shots), strict=True):
        assert message.endswith(f'{about.speaker} answered: "suspicious for".')
        assert about.statement in message
        assert message.count(LEAD) == shots
        assert "{" not in message
        assert "\n\n\n" not in message
