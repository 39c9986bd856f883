"""What is asked of texts: against separate evaluations, and over models that write what they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.model import native
from radcal.findings.model.native import FullError, StoppedError
from radcal.findings.model.texts import FIRST, NUMBERS, Texts, UnanswerableError
from radcal.findings.model.writing import Wanted, without_thoughts
from tests.cases import cases_of
from tests.findings.model.conftest import PLAN, Flag

cases = cases_of(__file__)

FORMS = (
    "Say how certain it is that the answer is right. {} That the answer is right is:",
    "Say how probable it is that the answer is right, in percent. {} The probability is:",
    "Answer the question in as few words as you can. {} Answer:",
)


@pytest.fixture
def texts(loaded: native.Model, flag: Flag) -> Texts:
    flag.up = False
    for sequence in range(PLAN.sequences):
        loaded.forget(sequence)
    return Texts(loaded)


def alone(model: native.Model, tokens: Sequence[int]) -> np.ndarray:
    """(words,) scores of the next token, evaluated alone."""
    model.forget(1)
    [scores] = model.evaluate(native.run_of(tokens, 0, 1))
    model.forget(1)
    return scores.astype(float)


def log_chances(model: native.Model, tokens: Sequence[int], first: int) -> tuple[float, np.ndarray]:
    """ln P of the tokens from one on, given those before; and (words,) ln P of what follows them."""
    model.forget(1)
    rows = [row.astype(float) for row in model.evaluate([(t, i, (1,), True) for i, t in enumerate(tokens)])]
    model.forget(1)
    logs = [row - row.max() - np.log(np.exp(row - row.max()).sum()) for row in rows]
    return sum(logs[i - 1][tokens[i]] for i in range(first, len(tokens))), logs[-1]


# --- texts that begin alike -----------------------------------------------------------------------------


def test_what_was_decoded_before_changes_nothing_and_is_not_decoded_again(texts: Texts, loaded: native.Model) -> None:
    whole = 0
    for n in range(6):
        for form in FORMS:
            tokens = loaded.tokens(form.format(f"Opacity {n} of {n}?"), begin=True)
            _, scores = texts.decode(tokens)
            assert np.allclose(scores, alone(loaded, tokens), atol=1e-3)
            whole += len(tokens)
    behind = sum(len(loaded.tokens(form.partition("{}")[2])) for form in FORMS)
    before = sum(len(loaded.tokens(form)) for form in FORMS)
    assert texts.decoded < before + 6 * (behind + 3 * 16) < whole
    before = texts.decoded
    texts.decode(tokens)
    assert texts.decoded == before + 1, "the last token has the scores"


def test_every_request_profits(texts: Texts, loaded: native.Model) -> None:
    prompt, options = FORMS[0].format("Opacity?"), ['likely"', 'unlikely"']
    said = [texts.write(prompt, asdict(Wanted(4)))]
    first = texts.decoded
    weighed = texts.options(f'{prompt} "', options)
    texts.numbers(prompt)
    assert texts.decoded < first + 10
    assert said[0] == Texts(loaded).write(prompt, asdict(Wanted(4)))
    assert weighed == pytest.approx(Texts(loaded).options(f'{prompt} "', options), abs=1e-3)


def test_texts_give_way_to_those_that_are_decoded_and_to_what_follows(texts: Texts, loaded: native.Model) -> None:
    for n in range(60):  # more than there are sequences and room for
        tokens = loaded.tokens(f"{n} " * (20 + n), begin=True)
        sequence, scores = texts.decode(tokens, 300)
        assert sequence in range(FIRST, PLAN.sequences)
        assert np.allclose(scores, alone(loaded, tokens), atol=1e-3)
    long = loaded.tokens("word " * 100, begin=True)
    for more in (0, loaded.cells - len(long)):
        _, scores = texts.decode(long, more)
        assert len(scores) == loaded.words


def test_what_is_stopped_or_does_not_fit_is_not_kept(texts: Texts, loaded: native.Model, flag: Flag) -> None:
    tokens = loaded.tokens(FORMS[0].format("Opacity?"), begin=True)
    flag.up = True
    with pytest.raises(StoppedError):
        texts.decode(tokens)
    flag.up = False
    with pytest.raises(FullError):
        texts.decode(loaded.tokens("word " * 2000, begin=True))
    _, scores = texts.decode(tokens)
    assert np.allclose(scores, alone(loaded, tokens), atol=1e-3)


class Noting:
    """A model that notes which tokens each sequence holds; ``cuts``: whether its memory can be cut."""

    cells, batch, outputs = 60, 8, 8
    evaluate = native.Model.evaluate
    _stop, _tick = staticmethod(lambda: False), staticmethod(lambda: None)

    def __init__(self, *, cuts: bool, sequences: int) -> None:
        self.held: dict[int, list[int]] = {}
        self.sequences = FIRST + sequences
        self._cuts = cuts

    def decode(self, steps: Sequence[Any]) -> None:
        for token, position, [sequence], _ in steps:
            held = self.held.setdefault(sequence, [])
            assert position == len(held)
            held.append(token)

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
    texts = Texts(model)
    for form, rest in asked:
        tokens = [form] * 10 + rest
        sequence, _ = texts.decode(tokens, 12)
        assert model.held[sequence] == tokens
        assert sum(map(len, model.held.values())) <= model.cells - 12


# --- numbers and options --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["The chance is", "The chance is ", "left 5", "100"])
def test_the_distribution_over_numbers_is_that_of_separate_evaluations(
    texts: Texts, loaded: native.Model, text: str
) -> None:
    found = texts.numbers(text)
    digits = [t for t in range(loaded.words) if loaded.written([t])[:1].isdigit()]
    common, logs = len(loaded.tokens(text.rstrip(), begin=True)), []
    for k in NUMBERS:
        whole = loaded.tokens(f"{text}{k}" if text.endswith(" ") else f"{text} {k}", begin=True)
        log, after = log_chances(loaded, whole, common)
        logs.append(log + np.log(1 - np.exp(after[digits]).sum()))
    expected = np.exp(np.array(logs) - max(logs))
    assert sum(found) == pytest.approx(1)
    assert np.allclose(found, expected / expected.sum(), atol=2e-3)


@pytest.mark.parametrize("n", [2, 5, 150])
def test_options_are_weighed_as_by_separate_evaluations(texts: Texts, loaded: native.Model, n: int) -> None:
    words = ["likely", "unlikely", "present", "absent", "may represent", *(f"w{i}" for i in range(150))]
    options, text = [f'{word}"' for word in words[:n]], 'The phrase is "'
    found = np.array(texts.options(text, options))
    assert found.sum() == pytest.approx(1)
    if n == 150:
        some = slice(90, 110)  # of either half
        options, found = options[some], found[some] / found[some].sum()
    begun = len(loaded.tokens(text, begin=True))
    logs = [log_chances(loaded, loaded.tokens(text + option, begin=True), begun - 1)[0] for option in options]
    expected = np.exp(np.array(logs) - max(logs))
    assert np.allclose(found, expected / expected.sum(), atol=2e-3)


def test_an_answer_is_as_likely_as_its_tokens_one_after_the_other(texts: Texts, loaded: native.Model) -> None:
    for answer in (" nodule", " the heart is normal in size", "s"):
        text = FORMS[2].format("What is seen?")
        whole, begun = (loaded.tokens(t, begin=True) for t in (text + answer, text))
        first = native.alike((whole, begun))
        expected, _ = log_chances(loaded, whole, first)
        found = texts.likelihood(text, answer)
        assert len(found) == len(whole) - first
        assert sum(found) == pytest.approx(expected, abs=1e-3)
        assert texts.likelihood(text, answer) == pytest.approx(found, abs=1e-3)
    with pytest.raises(UnanswerableError):
        texts.likelihood(FORMS[0], "")
    with pytest.raises(UnanswerableError):
        texts.likelihood(FORMS[0], " word" * PLAN.cells)


def test_an_embedding_is_the_mean_of_all_tokens_whatever_the_chunks(texts: Texts, model: Path) -> None:
    text = "There is no pleural effusion. " * 12
    whole = texts.embedding(text)
    assert np.linalg.norm(whole) == pytest.approx(1)
    assert len(whole) == 64
    other = native.Model(model, replace(PLAN, batch=128, micro=64), lambda: False)
    assert np.allclose(Texts(other).embedding(text), whole, atol=1e-2)
    other.close()
    assert not np.allclose(texts.embedding("Edema."), whole, atol=1e-2)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"what": "numbers"}, "more than the context"),
        ({"what": "options", "options": ["a", "b"]}, "more than the context"),
        ({"what": "write", "wanted": asdict(Wanted(8))}, "more than the context"),
        ({"what": "embedding"}, "no more than"),
    ],
)
def test_requests_that_do_not_fit_are_refused_and_stopped_ones_repeated(
    texts: Texts, flag: Flag, asked: dict[str, Any], reason: str
) -> None:
    texts.add(1, asked | {"text": "word " * 2000})
    texts.add(2, asked | {"text": "The chance is"})
    [refused] = texts.step(0.0)
    assert (refused["number"], refused["rows"]) == (1, ())
    assert reason in refused["failure"]
    flag.up = True
    assert texts.step(0.0) == []
    flag.up = False
    [answer] = texts.step(0.0)
    assert (answer["number"], answer["failure"]) == (2, "")
    assert not texts.is_busy


# --- free words -----------------------------------------------------------------------------------------


def written(texts: Texts, text: str, wanted: Wanted) -> list[str]:
    return texts.write(text, asdict(wanted))


def test_the_most_probable_text_is_that_of_one_evaluation_after_the_other(texts: Texts, loaded: native.Model) -> None:
    tokens = loaded.tokens("There is no", begin=True)
    prompt = list(tokens)
    for _ in range(12):
        best = int(alone(loaded, tokens).argmax())
        if loaded.is_end(best):
            break
        tokens = [*tokens, best]
    [text] = written(texts, "There is no", Wanted(12))
    assert text == loaded.written(tokens[len(prompt) :]).strip()
    assert written(texts, "There is no", Wanted(12, samples=3)) == [text] * 3


def test_random_texts_depend_on_seed_and_prompt_alone(
    texts: Texts, loaded: native.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Wanted(8, samples=6, temperature=1.0, seed=5)
    first = written(texts, "There is no", wanted)
    assert len(set(first)) > 1
    assert written(texts, "There is no", wanted) == first
    assert written(texts, "There is no", replace(wanted, samples=3)) == first[:3]
    assert written(texts, "There is no", replace(wanted, seed=6)) != first
    assert written(texts, "Heart size", wanted) != first
    # Where they do not fit together, one is written after the other.
    monkeypatch.setattr(loaded, "cells", len(loaded.tokens("There is no", begin=True)) + 10)
    assert written(Texts(loaded), "There is no", wanted) == first


def test_random_tokens_come_as_often_as_the_model_gives_them(texts: Texts, loaded: native.Model) -> None:
    scores = alone(loaded, loaded.tokens("The", begin=True)) / 0.7
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    n = 3000
    found = written(texts, "The", Wanted(1, samples=n, temperature=0.7))
    often = np.argsort(chances)[-3:]
    for token in often:
        same = [t for t in range(loaded.words) if loaded.written([t]).strip() == loaded.written([int(token)]).strip()]
        expected = chances[same].sum()
        share = sum(text == loaded.written([int(token)]).strip() for text in found) / n
        assert abs(share - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


class Told:
    """A model that writes given tokens, one for each step of a text; 0 ends it."""

    cells, outputs, batch, sequences = 1000, 100, 64, 112
    evaluate = native.Model.evaluate
    _stop, _tick = staticmethod(lambda: False), staticmethod(lambda: None)
    pieces = ("", "Paris", " is", "\n", "<think>", "</think>", "Lyon", " ")

    def __init__(self, *texts: Sequence[int], scores: Callable[[np.ndarray], np.ndarray] = lambda s: s) -> None:
        self._texts, self._scores = texts, scores
        self._rows: list[tuple[int, int]] = []

    def decode(self, steps: Sequence[Any]) -> None:
        self._rows = [(of[0], position) for _, position, of, _ in steps]

    def scores(self, row: int) -> np.ndarray:
        sequence, position = self._rows[row]
        text = self._texts[0 if sequence > len(self._texts) else sequence - 1]
        scores = np.zeros(len(self.pieces), np.float32)
        scores[text[position]] = 30.0
        return self._scores(scores)

    def tokens(self, text: str, *, begin: bool) -> list[int]:
        return [1]

    def written(self, tokens: Sequence[int]) -> str:
        return "".join(self.pieces[t] for t in tokens)

    def is_end(self, token: int) -> bool:
        return token == 0

    def share(self, source: int, target: int) -> None: ...
    def forget(self, sequence: int, since: int = 0) -> bool:
        return True


@cases("a_text_ends_where_it_should")
def test_a_text_ends_where_it_should(tokens: list[int], most: int, stops: tuple[str, ...], text: str) -> None:
    model: Any = Told(tokens)
    assert written(Texts(model), "", Wanted(most, stops)) == [text]


def test_scores_that_are_no_numbers_are_said() -> None:
    model: Any = Told([1, 0], scores=lambda scores: scores * np.nan)
    with pytest.raises(UnanswerableError, match="no numbers"):
        written(Texts(model), "", Wanted(4))


@cases("thoughts_are_no_part_of_what_was_said")
def test_thoughts_are_no_part_of_what_was_said(written: str, said: str) -> None:
    assert without_thoughts(written) == said
