"""Training itself, where the extra is installed: llama.cpp makes of an adapter what torch made it for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.random_gguf import Shape, write_llama
from radcal.findings.model import native
from radcal.findings.model.fit import Plan
from radcal.findings.model.gguf_file import read_gguf
from radcal.lab.finetuning.adapter import as_gguf
from radcal.lab.finetuning.training import HowToTrain, Lesson, train
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import Silent

for needed in ("torch", "peft", "transformers", "gguf"):
    pytest.importorskip(needed, reason="the extra finetune is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the libraries about each other
PLAN = Plan(256, 256, 64, 64, 8, 1, 0, repack=True, abortable=True, exact=True)
SHAPE = Shape(64, 2, 4, 2, 96, 600, context=256)
LESSONS = [
    Lesson(f"Question: Which number is {n}?\nReply:", (f"It is {n}, I think.", f"{n}, but I'm not sure."), 0.5)
    for n in range(12)
]
HELD_BACK = [Lesson("Question: Which number is 13?\nReply:", ("It is 13, I think.",), 0.5)]
HOW = HowToTrain(rank=4, epochs=4, rate=2e-2)


def loss_in_llama(model: Path, adapter: Path | None, lesson: Lesson) -> float:
    """Mean negative log probability of the tokens of a reply and its end, by llama.cpp."""
    opened = native.Model(model, PLAN, lambda: False, adapter=adapter)
    try:
        end = opened.words - 1
        asked = opened.tokens(lesson.asked, begin=True)
        wanted = [*opened.tokens(f" {lesson.replies[0]}"), end]
        tokens = [*asked, *wanted[:-1]]
        steps = [(token, i, (1,), i >= len(asked) - 1) for i, token in enumerate(tokens)]
        total = 0.0
        for scores, token in zip(opened.evaluate(steps), wanted, strict=True):
            logits = scores.astype(np.float64)
            total += np.log(np.exp(logits - logits.max()).sum()) + logits.max() - logits[token]
        return total / len(wanted)
    finally:
        opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("family", ["llama", "qwen2"])
def test_an_adapter_does_in_llama_cpp_what_it_was_trained_for(family: str, tmp_path: Path) -> None:
    model = write_llama(tmp_path / "tiny.gguf", SHAPE, family=family)
    heads = SHAPE.heads if family == "llama" else None
    trained = train(model, LESSONS, HELD_BACK, HOW, heads)
    assert set(trained.tensors) == {
        f"blk.{layer}.{name}.weight.lora_{part}"
        for layer in range(SHAPE.layers)
        for name in ("attn_q", "attn_v")
        for part in "ab"
    }
    learnt = [loss for loss, _ in trained.losses]
    assert learnt[-1] < learnt[0]
    adapter = tmp_path / "adapter.gguf"
    adapter.write_bytes(as_gguf(trained.tensors, read_gguf(model).architecture, HOW.alpha, {}))
    best = min(loss for _, loss in trained.losses)
    before, after = (loss_in_llama(model, one, HELD_BACK[0]) for one in (None, adapter))
    assert after == pytest.approx(best, rel=0.03)
    assert abs(before - after) > 0.1 * before


@pytest.mark.slow
def test_training_can_be_stopped(tmp_path: Path) -> None:
    class Stops(Silent):
        def raise_if_cancelled(self) -> None:
            raise Cancelled

    model = write_llama(tmp_path / "tiny.gguf", SHAPE, family="qwen2")
    with pytest.raises(Cancelled):
        train(model, LESSONS, HELD_BACK, HOW, progress=Stops())


def test_a_model_that_transformers_cannot_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"something else altogether" * 9)
    with pytest.raises(InputError, match=r"transformers cannot read tiny\.gguf"):
        train(tmp_path / "tiny.gguf", LESSONS, HELD_BACK, HOW)
