"""Free text and weighed options: against separate evaluations, and over models that write what they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radcal.findings.model import native
from radcal.findings.model.fit import Plan
from radcal.findings.model.probabilities import StoppedError, TooLongError, UnanswerableError, option_distribution
from radcal.findings.model.writing import Wanted, without_thoughts, write
from tests.cases import cases_of

cases = cases_of(__file__)

PLAN = Plan(1024, 1024, 256, 256, 112, 1, 0, repack=True, abortable=True, exact=True)


@pytest.fixture(scope="module")
def loaded(model: Path) -> Iterator[native.Model]:
    made = native.Model(model, PLAN, lambda: False)
    yield made
    made.close()


def written(model: native.Model, text: str, wanted: Wanted) -> list[str]:
    return write(model, model.tokens(text, begin=True), wanted, 0, lambda: False, lambda: None)


def after(model: native.Model, tokens: Sequence[int]) -> np.ndarray:
    """(words,) scores of the next token, evaluated alone."""
    model.forget(1)
    steps = [(t, i, (1,), i == len(tokens) - 1) for i, t in enumerate(tokens)]
    assert model.decode(steps) == "done"
    scores = model.scores(len(tokens) - 1).astype(float)
    model.forget(1)
    return np.asarray(scores)


def test_the_most_probable_text_is_that_of_one_evaluation_after_the_other(loaded: native.Model) -> None:
    tokens = loaded.tokens("There is no", begin=True)
    prompt = list(tokens)
    for _ in range(12):
        best = int(after(loaded, tokens).argmax())
        if loaded.is_end(best):
            break
        tokens = [*tokens, best]
    [text] = written(loaded, "There is no", Wanted(12))
    assert text == loaded.written(tokens[len(prompt) :]).strip()
    assert written(loaded, "There is no", Wanted(12, samples=3)) == [text] * 3


def test_random_texts_depend_on_seed_and_prompt_alone(loaded: native.Model) -> None:
    first = written(loaded, "There is no", Wanted(8, samples=6, temperature=1.0, seed=5))
    assert len(set(first)) > 1
    assert written(loaded, "There is no", Wanted(8, samples=6, temperature=1.0, seed=5)) == first
    assert written(loaded, "There is no", Wanted(8, samples=3, temperature=1.0, seed=5)) == first[:3]
    assert written(loaded, "There is no", Wanted(8, samples=6, temperature=1.0, seed=6)) != first
    assert written(loaded, "Heart size", Wanted(8, samples=6, temperature=1.0, seed=5)) != first


def test_texts_that_do_not_fit_together_are_written_one_after_the_other(loaded: native.Model) -> None:
    wanted = Wanted(8, samples=5, temperature=1.0, seed=5)
    prompt = loaded.tokens("There is no", begin=True)
    all_at_once = written(loaded, "There is no", wanted)
    filled = loaded.cells - len(prompt) - 10  # room for one text at a time
    assert write(loaded, prompt, wanted, filled, lambda: False, lambda: None) == all_at_once


def test_random_tokens_come_as_often_as_the_model_gives_them(loaded: native.Model) -> None:
    prompt = loaded.tokens("The", begin=True)
    scores = after(loaded, prompt) / 0.7
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    n = 3000
    texts = written(loaded, "The", Wanted(1, samples=n, temperature=0.7))
    often = np.argsort(chances)[-3:]
    for token in often:
        same = [t for t in range(loaded.words) if loaded.written([t]).strip() == loaded.written([int(token)]).strip()]
        expected = chances[same].sum()
        found = sum(text == loaded.written([int(token)]).strip() for text in texts) / n
        assert abs(found - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


def test_what_is_written_leaves_nothing_behind(loaded: native.Model) -> None:
    alone = after(loaded, loaded.tokens("Heart size", begin=True))
    written(loaded, "There is no", Wanted(8, samples=4, temperature=1.0))
    assert np.allclose(after(loaded, loaded.tokens("Heart size", begin=True)), alone, atol=1e-3)


def test_a_prompt_without_room_is_said_and_a_stop_obeyed(loaded: native.Model) -> None:
    with pytest.raises(TooLongError, match="more than the context"):
        written(loaded, "word " * 2000, Wanted(8))
    prompt = loaded.tokens("There is no", begin=True)
    ticks: list[int] = []
    with pytest.raises(StoppedError):
        write(loaded, prompt, Wanted(8), 0, lambda: len(ticks) == 2, lambda: ticks.append(1))
    assert len(ticks) == 2
    assert len(written(loaded, "There is no", Wanted(8))) == 1


class Told:
    """A model that writes given tokens, one for each step of a text; 0 ends it."""

    cells, outputs, batch = 1000, 100, 64
    pieces = ("", "Paris", " is", "\n", "<think>", "</think>", "Lyon", " ")

    def __init__(self, *texts: Sequence[int], scores: Callable[[np.ndarray], np.ndarray] = lambda s: s) -> None:
        self._texts, self._scores = texts, scores
        self._lengths: dict[int, int] = {}
        self._rows: list[tuple[int, int]] = []

    def decode(self, steps: Sequence[Any]) -> str:
        self._rows = [(of[0], position) for _, position, of, _ in steps]
        return "done"

    def scores(self, row: int) -> np.ndarray:
        sequence, position = self._rows[row]
        text = self._texts[0 if sequence > len(self._texts) else sequence - 1]
        scores = np.zeros(len(self.pieces), np.float32)
        scores[text[position]] = 30.0
        return self._scores(scores)

    def written(self, tokens: Sequence[int]) -> str:
        return "".join(self.pieces[t] for t in tokens)

    def is_end(self, token: int) -> bool:
        return token == 0

    def share(self, source: int, target: int) -> None: ...
    def forget(self, sequence: int, since: int = 0) -> None: ...


@cases("a_text_ends_where_it_should")
def test_a_text_ends_where_it_should(tokens: list[int], most: int, stops: tuple[str, ...], text: str) -> None:
    model: Any = Told(tokens)
    assert write(model, [1], Wanted(most, stops), 0, lambda: False, lambda: None) == [text]


def test_scores_that_are_no_numbers_are_said() -> None:
    model: Any = Told([1, 0], scores=lambda scores: scores * np.nan)
    with pytest.raises(UnanswerableError, match="no numbers"):
        write(model, [1], Wanted(4), 0, lambda: False, lambda: None)


# --- options ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 150])
def test_options_are_weighed_as_by_separate_evaluations(loaded: native.Model, n: int) -> None:
    words = ["likely", "unlikely", "present", "absent", "may represent", *(f"w{i}" for i in range(150))]
    options = [f'{word}"' for word in words[:n]]

    def encode(text: str) -> list[int]:
        return loaded.tokens(f'The phrase is "{text}', begin=True)

    found = option_distribution(loaded, options, 0, encode)
    assert found.sum() == pytest.approx(1)
    if n == 150:
        some = slice(90, 110)  # of either half
        options, found = options[some], found[some] / found[some].sum()
    begun = len(encode(""))
    logs = []
    for option in options:
        tokens, log = encode(option), 0.0
        assert tokens[: begun - 1] == encode("")[:-1]
        loaded.forget(1)
        assert loaded.decode([(t, i, (1,), True) for i, t in enumerate(tokens)]) == "done"
        for i in range(begun - 2, len(tokens) - 1):
            row = loaded.scores(i).astype(float)
            log += row[tokens[i + 1]] - row.max() - np.log(np.exp(row - row.max()).sum())
        logs.append(log)
    loaded.forget(1)
    expected = np.exp(np.array(logs) - max(logs))
    assert np.allclose(found, expected / expected.sum(), atol=2e-3)


def test_options_that_do_not_fit_are_said(loaded: native.Model) -> None:
    with pytest.raises(TooLongError):
        option_distribution(loaded, ["a", "b"], 0, lambda text: loaded.tokens("word " * 2000 + text))


@cases("thoughts_are_no_part_of_what_was_said")
def test_thoughts_are_no_part_of_what_was_said(written: str, said: str) -> None:
    assert without_thoughts(written) == said
