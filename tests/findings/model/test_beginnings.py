"""Texts that begin alike are decoded once, and say the same as if each had been decoded alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.model import native
from radcal.findings.model.beginnings import FIRST, Beginnings, StoppedError, TooLongError
from radcal.findings.model.fit import Plan
from radcal.findings.model.probabilities import digit_tokens, number_distribution, option_distribution
from radcal.findings.model.writing import Wanted, write

PLAN = Plan(1024, 1024, 256, 256, 112, 1, 0, repack=True, abortable=True, exact=True)
FORMS = (
    "Say how certain it is that the answer is right. {} That the answer is right is:",
    "Say how probable it is that the answer is right, in percent. {} The probability is:",
    "Answer the question in as few words as you can. {} Answer:",
)


@pytest.fixture
def loaded(model: Path) -> Iterator[native.Model]:
    made = native.Model(model, PLAN, lambda: False)
    yield made
    made.close()


def alone(model: native.Model, tokens: Sequence[int]) -> np.ndarray:
    """(words,) scores of the next token, evaluated alone."""
    steps = [(t, i, (1,), i == len(tokens) - 1) for i, t in enumerate(tokens)]
    assert model.decode(steps) == "done"
    scores = model.scores(len(tokens) - 1).copy()
    model.forget(1)
    return scores


def test_what_was_decoded_before_changes_nothing_and_is_not_decoded_again(loaded: native.Model) -> None:
    texts = Beginnings(loaded)
    whole = 0
    for n in range(6):
        for form in FORMS:
            tokens = loaded.tokens(form.format(f"Opacity {n} of {n}?"), begin=True)
            _, scores = texts.decode(tokens, 0)
            assert np.allclose(scores, alone(loaded, tokens), atol=1e-3)
            whole += len(tokens)
    behind = sum(len(loaded.tokens(form.partition("{}")[2])) for form in FORMS)
    before = sum(len(loaded.tokens(form)) for form in FORMS)
    assert texts.decoded < before + 6 * (behind + 3 * 16) < whole
    before = texts.decoded
    texts.decode(tokens, 0)
    assert texts.decoded == before + 1, "the last token has the scores"


def test_every_request_profits(loaded: native.Model) -> None:
    texts, digits = Beginnings(loaded), digit_tokens(loaded)
    prompt = loaded.tokens(FORMS[0].format("Opacity?"), begin=True)

    def encode(answer: str) -> list[int]:
        return loaded.tokens(FORMS[0].format("Opacity?") + f' "{answer}', begin=True)

    said = [write(texts, prompt, Wanted(4), 0, lambda: False, lambda: None)]
    first = texts.decoded
    options = ['likely"', 'unlikely"']
    said.append(option_distribution(texts, options, 0, encode).tolist())
    said.append(number_distribution(texts, FORMS[0].format("Opacity?"), 0, digits).tolist())
    assert texts.decoded < first + 10
    assert said[0] == write(Beginnings(loaded), prompt, Wanted(4), 0, lambda: False, lambda: None)
    assert said[1] == pytest.approx(option_distribution(Beginnings(loaded), options, 0, encode), abs=1e-3)


def test_texts_give_way_to_those_that_are_decoded_and_to_what_follows(loaded: native.Model) -> None:
    texts = Beginnings(loaded)
    for n in range(60):  # more than there are sequences and room for
        tokens = loaded.tokens(f"{n} " * (20 + n), begin=True)
        sequence, scores = texts.decode(tokens, used=100, more=200)
        assert sequence in range(FIRST, PLAN.sequences)
        assert np.allclose(scores, alone(loaded, tokens), atol=1e-3)
    long = loaded.tokens("word " * 100, begin=True)
    for more in (0, loaded.cells - len(long)):
        _, scores = texts.decode(long, 0, more)
        assert len(scores) == loaded.words
    texts.forget()
    assert loaded.decode([(1, i, (1,), False) for i in range(256)]) == "done"


def test_what_is_stopped_or_does_not_fit_is_not_kept(model: Path) -> None:
    stop = [False]
    loaded = native.Model(model, replace(PLAN, batch=128, micro=64), lambda: stop[0])
    texts = Beginnings(loaded)
    tokens = loaded.tokens(FORMS[0].format("Opacity?"), begin=True)
    stop[0] = True
    with pytest.raises(StoppedError):
        texts.decode(tokens, 0)
    stop[0] = False
    with pytest.raises(TooLongError, match="no room"):
        texts.decode(loaded.tokens("word " * 2000, begin=True), 0)
    _, scores = texts.decode(tokens, 0)
    assert np.allclose(scores, alone(loaded, tokens), atol=1e-3)
    loaded.close()


class Noting:
    """A model that notes which tokens each sequence holds; ``cuts``: whether its memory can be cut."""

    cells, batch = 60, 8

    def __init__(self, *, cuts: bool, sequences: int) -> None:
        self.held: dict[int, list[int]] = {}
        self.sequences = FIRST + sequences
        self._cuts = cuts

    def decode(self, steps: Sequence[Any]) -> str:
        for token, position, [sequence], _ in steps:
            held = self.held.setdefault(sequence, [])
            assert position == len(held)
            held.append(token)
        return "done"

    def scores(self, row: int) -> int:
        return row

    def share(self, source: int, target: int) -> None:
        assert not self.held.get(target)
        self.held[target] = list(self.held[source])

    def forget(self, sequence: int, since: int = 0) -> bool:
        if since and not self._cuts:
            return False
        self.held[sequence] = self.held.get(sequence, [])[:since]
        return True


@given(
    st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(0, 2), min_size=1, max_size=6)), max_size=30),
    st.booleans(),
    st.integers(1, 4),
)
def test_a_sequence_holds_its_text_and_all_have_room(
    asked: list[tuple[int, list[int]]], cuts: bool, sequences: int
) -> None:
    model: Any = Noting(cuts=cuts, sequences=sequences)
    texts = Beginnings(model)
    for form, rest in asked:
        tokens = [form] * 10 + rest
        sequence, _ = texts.decode(tokens, 7, 5)
        assert model.held[sequence] == tokens
        assert sum(map(len, model.held.values())) <= model.cells - 7 - 5
    texts.forget()
    assert not any(model.held.values())
