"""Training: the model is asked as the reader asks it; a few steps learn, and always the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from radcal.findings.model.bundled import ASK, BEGIN, IS, plain
from radcal.findings.readers.pairs import HEDGED
from tools.mini.generator import Asked, Example
from tools.mini.tokenizer import Tokenizer
from tools.mini.train import Encoder, Recipe, batch_of, losses, train, train_tokenizer

RECIPE = Recipe(
    steps=20,
    workers=1,
    pieces=400,
    tokenizer_sentences=300,
    width=32,
    layers=1,
    heads=2,
    inner=64,
    batch_tokens=256,
    other_rate=0.05,
)


@pytest.fixture(scope="module")
def cutter() -> Tokenizer:
    return train_tokenizer(RECIPE)


def test_examples_are_asked_as_the_reader_asks(cutter: Tokenizer) -> None:
    encoder, pieces = Encoder(cutter, Recipe(words_dropped=0.0)), cutter.pieces
    row = encoder.encode(
        Example("No effusion, likely scar.", (Asked("effusion", "absent"), Asked("scar", "likely"), Asked("x", HEDGED)))
    )
    assert row is not None
    sentence, *questions = "".join(pieces[t] for t in row.tokens).replace("\u0120", " ").split(ASK)
    assert sentence == f"{BEGIN}{plain('No effusion, likely scar.')}"
    assert questions == [f" effusion{IS}", f" scar{IS}", f" x{IS}"]
    read = row.parts.count(0)
    for part in (1, 2, 3):
        places = [p for p, of in zip(row.positions, row.parts, strict=True) if of == part]
        assert places == list(range(read, read + len(places)))
    answers = [[pieces[t] for t in right] for _, right in row.answers]
    assert answers[:2] == [["<absent>"], ["<likely>"]]
    assert {"<possibly>", "<likely>"} <= set(answers[2])
    assert not {"<present>", "<absent>", "<not stated>"} & set(answers[2])
    assert [pieces[row.tokens[at]] for at, _ in row.answers] == [IS] * 3


def test_questions_of_a_sentence_do_not_see_each_other(cutter: Tokenizer) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; it is part of the extra 'train'")
    from tools.mini.model import Shape, build

    encoder = Encoder(cutter, Recipe(words_dropped=0.0))
    asked = (Asked("effusion", "absent"), Asked("scar", "likely"))
    rows = [encoder.encode(Example("No effusion, likely scar.", a)) for a in (asked, asked[1:], asked[::-1])]
    batch = batch_of([r for r in rows if r], 48, len(cutter.pieces), [0.0] * 3)
    torch.manual_seed(0)
    model = build(Shape(len(cutter.pieces), 32, 2, 2, 64))
    hidden = model(batch.tokens, batch.positions, batch.seen)[batch.row, batch.place]
    effusion, scar, alone, scar_first, effusion_last = hidden
    assert torch.allclose(scar, alone, atol=1e-5)
    assert torch.allclose(scar, scar_first, atol=1e-5)
    assert torch.allclose(effusion, effusion_last, atol=1e-5)
    assert not torch.allclose(effusion, scar, atol=1e-3)


def test_any_of_the_right_phrases_will_do(cutter: Tokenizer) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; it is part of the extra 'train'")
    from tools.mini.model import Shape, build

    encoder = Encoder(cutter, Recipe(words_dropped=0.0))
    either = encoder.encode(Example("Perchance scar.", (Asked("scar", HEDGED),)))
    assert either is not None
    model = build(Shape(len(cutter.pieces), 32, 1, 2, 64))
    each = [replace(either, answers=[(either.answers[0][0], [token])]) for token in either.answers[0][1]]
    batch = batch_of([either, *each], 32, len(cutter.pieces), [0.0] * (1 + len(each)))
    answers, sentences = losses(model, batch)
    assert float(sentences) == 0
    assert torch.allclose((-answers[1:]).exp().sum(), (-answers[0]).exp(), atol=1e-6)


@pytest.mark.slow
def test_the_tokenizer_depends_on_the_seed_alone(cutter: Tokenizer) -> None:
    again = train_tokenizer(RECIPE)
    assert (again.pieces, again.merges) == (cutter.pieces, cutter.merges)


def test_a_few_steps_learn_and_twice_the_same(cutter: Tokenizer, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; it is part of the extra 'train'")
    said: list[str] = []
    model, shape, steps = train(RECIPE, cutter, say=said.append)
    again, _, _ = train(RECIPE, cutter, say=said.append)
    assert steps == RECIPE.steps
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True))
    losses = [float(line.rsplit(" ", 1)[1]) for line in said if "loss" in line]
    assert losses[-1] < 5.0
    pytest.importorskip("gguf", reason="gguf is not installed; it is part of the extra 'train'")
    from radcal.findings.model.gguf_file import read_gguf
    from tools.mini.export import write_model

    first, second = tmp_path / "a.gguf", tmp_path / "b.gguf"
    write_model(first, model, shape, cutter, {"steps": steps})
    write_model(second, again, shape, cutter, {"steps": steps})
    assert first.read_bytes() == second.read_bytes()
    assert read_gguf(first).architecture == "llama"
