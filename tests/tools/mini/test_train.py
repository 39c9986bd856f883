"""Training: what is given to the model is what the protocol reads back; a few steps learn, and always the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from radcal.findings.by_model.protocol import Codec, SentenceGuide

from tools.mini.generator import Generator
from tools.mini.tokenizer import Tokenizer
from tools.mini.train import Encoder, Recipe, train, train_tokenizer

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


def test_answers_of_examples_are_read_back_as_their_statements(cutter: Tokenizer) -> None:
    generator, random = Generator(), Random(5)
    encoder = Encoder(cutter, Recipe(words_dropped=0.0))
    codec = Codec(cutter.pieces, cutter.encode)
    same = total = 0
    for _ in range(1500):
        example = generator.example(random)
        pair = encoder.encode(example)
        if pair is None:
            continue
        (prompt,) = codec.prompts(example.text)
        assert tuple(pair[0]) == prompt.ids
        guide = SentenceGuide(codec, prompt)
        for token in pair[1]:
            guide.advance(token)

        text, spans = example.text.lower(), prompt.spans
        said = [
            (
                r.pathology,
                r.state,
                *(text[spans[p[0]][0] : spans[p[1] - 1][1]].rstrip(".") if p else "" for p in places),
            )
            for r in guide.rows
            for places in [(r.term, r.cue)]
        ]
        meant = [
            (s.pathology, s.state, *(text[slice(*p)].rstrip(".") if p else "" for p in (s.term, s.cue)))
            for s in example.statements
        ]
        total += 1
        same += said == meant
    assert total > 1400
    # Where the same words stand in a sentence twice, another place of theirs may be meant.
    assert same / total > 0.995


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
