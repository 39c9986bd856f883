"""Questions in batches, on tiny models: against the chance of each answer written out, whatever else is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radcal.findings.model import bundled, native, pair_batches
from radcal.findings.model.fit import Plan
from radcal.findings.model.native import NO_NUMBERS, FullError
from radcal.findings.model.pair_batches import PairBatches
from radcal.findings.model.process import MARK, Forms, Message
from radcal.findings.readers.pairs import NOT_STATED
from radcal.system.errors import InputError

PLAN = Plan(1024, 1536, 256, 256, 112, 1, 0, repack=True, abortable=True, exact=True)
ANSWERS = ("absent", "likely", "likely not", "may represent", "may be", "present", NOT_STATED)
FORMS = Forms(
    told="Findings:\nReport: no effusion\neffusion: absent\n",
    sentence=f"\nReport: {MARK}\n",
    question=f"{MARK}:",
    answers=tuple(f" {a}\n" for a in ANSWERS),
    markers=False,
    longest=400,
)
EFFUSION, HEART = ("pleural effusion", "effusion"), ("cardiomegaly", "heart")
REPORTS: list[list[tuple[str, list[tuple[str, str]]]]] = [
    [("There is no pleural effusion of the heart.", [EFFUSION, HEART]), ("Heart size is normal.", [HEART])],
    [("There is opacity at the left base.", [("opacity", "opacity")])],
    [],
    [("Heart size is normal.", [HEART, EFFUSION])],
    [(f"Pleural effusion number {i} is likely.", [EFFUSION]) for i in range(30)],
]


@pytest.fixture(scope="module")
def loaded(model: Path) -> Iterator[native.Model]:
    made = native.Model(model, PLAN, lambda: False)
    yield made
    made.close()


@pytest.fixture
def batches(loaded: native.Model, monkeypatch: pytest.MonkeyPatch) -> Callable[..., PairBatches]:
    """Makes batches over a model with nothing in its memory but the prompt."""

    def make(
        forms: Forms = FORMS, stop: Callable[[], bool] = lambda: False, model: native.Model = loaded, **more: Any
    ) -> PairBatches:
        for sequence in range(PLAN.sequences):
            model.forget(sequence)
        monkeypatch.setattr(model, "_stop", stop)
        if "sequences" in more:
            monkeypatch.setattr(model, "sequences", more.pop("sequences"))
        return PairBatches(model, forms, more.get("context", 1024), 600.0)

    return make


def answered(batches: PairBatches, reports: Sequence[Any] = REPORTS, steps: int = 1000) -> list[Message]:
    """The reports with their answers, in order."""
    for number, sentences in enumerate(reports):
        batches.add(number, sentences)
    found: list[Message] = []
    for now in range(steps):
        if not batches.is_busy:
            break
        found += batches.step(now / steps)
    assert not batches.is_busy
    return sorted(found, key=lambda r: r["number"])


def assert_same(ones: Sequence[Message], others: Sequence[Message]) -> None:
    for one, other in zip(ones, others, strict=True):
        for mine, theirs in zip(one["rows"], other["rows"], strict=True):
            assert np.allclose(np.array(mine), np.array(theirs), atol=1e-4)


def written_out(model: native.Model, forms: Forms, sentence: str, what: str) -> np.ndarray:
    """The chance of each answer by the product of its tokens' chances among those that some answer goes on with."""
    begun = model.tokens(forms.told, begin=True) + model.inner_tokens(forms.sentence.replace(MARK, sentence))
    begun += model.inner_tokens(forms.question.replace(MARK, what))
    answers = [model.inner_tokens(answer) for answer in forms.answers]
    chances = []
    for answer in answers:
        chance = 1.0
        for depth, token in enumerate(answer):
            after = sorted({a[depth] for a in answers if a[:depth] == answer[:depth]})
            model.forget(111)
            tokens = [*begun, *answer[:depth]]
            [scores] = (scores[after].astype(np.float64) for scores in model.evaluate(native.run_of(tokens, 0, 111)))
            weights = np.exp(scores - scores.max())
            chance *= weights[after.index(token)] / weights.sum()
        chances.append(chance)
    model.forget(111)
    return np.array(chances)


def test_answers_equal_those_written_out_one_by_one(
    batches: Callable[..., PairBatches], loaded: native.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_batches, "_WEIGHTY", 0.0)
    found = answered(batches())
    for report, sentences in zip(found, REPORTS, strict=True):
        assert report["failure"] == ""
        for rows, (text, questions) in zip(report["rows"], sentences[:2], strict=False):
            for row, (what, _) in zip(rows, questions, strict=True):
                assert sum(row) == pytest.approx(1, abs=1e-4)
                assert np.allclose(row, written_out(loaded, FORMS, text, what), atol=1e-3)


def test_a_beginning_without_weight_is_not_told_apart(
    batches: Callable[..., PairBatches], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = answered(batches())
    monkeypatch.setattr(pair_batches, "_WEIGHTY", 1.1)
    rough = answered(batches())
    may, be = ANSWERS.index("may represent"), ANSWERS.index("may be")
    for one, other in zip(exact, rough, strict=True):
        for mine, theirs in zip(one["rows"], other["rows"], strict=True):
            a, b = np.array(mine), np.array(theirs)
            assert np.allclose(b[:, may], b[:, be])
            assert np.allclose(a[:, [may, be]].sum(axis=1), b[:, [may, be]].sum(axis=1), atol=1e-4)


@pytest.mark.parametrize(("batch", "sequences"), [(64, 112), (16, 112), (256, 19), (256, 24)])
def test_an_answer_does_not_depend_on_what_shares_its_evaluation(
    batches: Callable[..., PairBatches], loaded: native.Model, batch: int, sequences: int
) -> None:
    expected = answered(batches())
    loaded.batch, before = batch, loaded.batch
    try:
        assert_same(answered(batches(sequences=sequences)), expected)
        alone = [answered(batches(), [report])[0] for report in REPORTS]
    finally:
        loaded.batch = before
    assert_same(alone, expected)


def test_a_sentence_is_evaluated_once_and_remembered(
    batches: Callable[..., PairBatches], loaded: native.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = batches()
    tokens: list[int] = []
    decode = loaded.decode

    def count(steps: Sequence[native.Step]) -> None:
        tokens.append(len(steps))
        decode(steps)

    monkeypatch.setattr(loaded, "decode", count)
    first = answered(made)
    assert len(tokens) < 20
    tokens.clear()
    assert_same(answered(made), first)
    assert tokens == []


def test_the_memory_is_bounded(batches: Callable[..., PairBatches], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_batches, "_REMEMBERED", 3)
    made = batches()
    answered(made)
    assert len(made._known) == 3


def test_what_is_interrupted_is_repeated(batches: Callable[..., PairBatches]) -> None:
    expected = answered(batches())
    looks = [0]

    def now_and_then() -> bool:
        looks[0] += 1
        return looks[0] in (1, 3, 4, 9)

    assert_same(answered(batches(stop=now_and_then)), expected)
    assert looks[0] > 9


def test_a_report_that_takes_too_long_is_given_up_while_the_others_are_answered(
    batches: Callable[..., PairBatches],
) -> None:
    expected = answered(batches())
    made = batches()
    for number, sentences in enumerate(REPORTS):
        made.add(number, sentences)
    made.reports[4].begun = -601.0
    found = [report for _ in range(9) for report in made.step(0.0)]
    assert [(r["number"], r["again"]) for r in found if r["failure"]] == [(4, True)]
    assert "not done with this report within 600 seconds, twice" in found[0]["failure"] + found[1]["failure"]
    assert_same(sorted((r for r in found if not r["failure"]), key=lambda r: r["number"]), expected[:4])
    made.add(4, REPORTS[4])
    made.drop()
    assert not made.is_busy
    assert made.step(0.0) == []
    assert_same([answered(made)[4]], [expected[4]])


def test_a_context_without_room_is_filled_less(
    batches: Callable[..., PairBatches], loaded: native.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answered(batches())
    decode, most = loaded.decode, 60

    def small(steps: Sequence[native.Step]) -> None:
        if len(steps) > most:
            raise FullError
        decode(steps)

    made = batches()
    monkeypatch.setattr(loaded, "decode", small)
    assert_same(answered(made), expected)
    most = 20
    made = batches()
    found = answered(made, [REPORTS[0]])
    assert found[0]["failure"] == ""
    made = batches()
    made.step(0.0)  # the prompt
    most = 0
    [report] = answered(made, [REPORTS[1]])
    assert "than the model's context has room for" in report["failure"]


def test_of_a_long_sentence_the_part_around_the_term_is_shown(batches: Callable[..., PairBatches]) -> None:
    far = "Heart size is normal. " * 200
    long = f"{far}There is opacity. {far}"
    made = batches(replace(FORMS, longest=120))
    [report] = answered(made, [[(long, [("opacity", "opacity"), HEART]), ("There is opacity.", [HEART])]])
    assert any("too long for the model" in note for note in made.notes)
    assert report["failure"] == ""
    assert all(row for rows in report["rows"] for row in rows)
    tokens = made._around(long, "opacity", 120)
    assert len(tokens) <= 120
    shown = made._model.written(tokens)
    assert "There is opacity." in shown
    assert shown.startswith("\nReport: ")
    assert shown.endswith("\n")
    made.notes.clear()
    answered(made, [[("There is opacity and edema.", [HEART])]])
    assert not made.notes


def test_a_prompt_without_room_for_a_sentence_is_refused(batches: Callable[..., PairBatches]) -> None:
    with pytest.raises(InputError, match=r"takes \d+ tokens of a context of 300, which leaves too little"):
        batches(replace(FORMS, told="There is no effusion. " * 60), context=300)


@pytest.mark.parametrize("answers", [(" likely\n", " likely\n", " no\n"), (" likely", " likely not", " no")])
def test_answers_that_cannot_be_told_apart_are_refused(
    batches: Callable[..., PairBatches], answers: tuple[str, ...]
) -> None:
    with pytest.raises(InputError, match="cannot tell 'likely' from 'likely"):
        batches(replace(FORMS, answers=answers))


def test_weights_that_are_no_numbers_fail_the_report(
    batches: Callable[..., PairBatches], loaded: native.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = batches()
    monkeypatch.setattr(loaded, "scores", lambda row: np.full(loaded.words, np.nan, np.float32))
    assert [r["failure"] for r in answered(made)] == [NO_NUMBERS, NO_NUMBERS, "", NO_NUMBERS, NO_NUMBERS]


def test_the_bundled_protocol_is_asked_by_control_tokens(
    tmp_path: Path, write_model: Callable[..., Path], batches: Callable[..., PairBatches]
) -> None:
    phrases = ("absent", "may represent", "present", NOT_STATED)
    path = write_model(tmp_path / "own.gguf", control=bundled.special_tokens(phrases)[2:])
    model = native.Model(path, PLAN, lambda: False)
    forms = bundled.forms(phrases)
    sentence, words = bundled.plain("No <present> effusion of 14 mm."), bundled.plain("effusion")
    made = batches(forms, model=model)
    ask, is_ = (model.tokens(name, special=True) for name in (bundled.ASK, bundled.IS))
    assert len(ask) == len(is_) == 1
    assert made.prefix == model.tokens("", begin=True)
    [report] = answered(made, [[(sentence, [(words, words)])]])
    tokens = [*made.prefix, *model.tokens(sentence), *ask, *model.tokens(words), *is_]
    assert len([t for t in tokens if t in ask]) == 1  # what looks like a control token in a sentence is text
    [scores] = model.evaluate(native.run_of(tokens, 0, 111))
    scores = scores[[model.tokens(f"<{p}>", special=True)[0] for p in phrases]]
    weights = np.exp(scores.astype(np.float64) - scores.max())
    assert np.allclose(report["rows"][0][0], weights / weights.sum(), atol=1e-4)
    model.close()
