"""Train the bundled model: ``python -m radcal.extract.mini.train --out models/radcal-mini-q8_0.gguf --seed 0``.

Needs the extra ``train`` (torch, gguf).  The result depends on the seed, the number of steps and threads, the machine's
arithmetic and the versions of torch; nothing is downloaded and no report is read.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from radcal.extract.mini import tokenizer
from radcal.extract.mini.generator import Example, Generator
from radcal.extract.mini.model import Shape, build
from radcal.extract.mini.protocol import MAX_TOKENS, PRESENT, SPECIALS, Codec, plain
from radcal.extract.mini.tokenizer import Tokenizer

if TYPE_CHECKING:
    import torch
    from torch import nn

_SHUFFLED = 16
"""Batches that are shuffled among each other."""
_ROUNDED = 8
"""Lengths are rounded up to a multiple of it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the model is trained; everything that its weights depend on, the generator apart."""

    seed: int = 0
    steps: int = 3000
    threads: int = 2
    pieces: int = 3072
    tokenizer_sentences: int = 60_000
    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 768
    batch_tokens: int = 8192
    matrix_rate: float = 0.02
    other_rate: float = 0.003
    flat: float = 0.4
    sentence_weight: float = 0.1
    words_dropped: float = 0.1
    merges_dropped: float = 0.4


def train_tokenizer(recipe: Recipe) -> Tokenizer:
    """The tokenizer, learned from sentences of the generator; special tokens are its last pieces."""
    generator, random = Generator(), Random(recipe.seed)
    texts = (plain(generator.example(random).text)[0] for _ in range(recipe.tokenizer_sentences))
    pieces, merges = tokenizer.train(texts, recipe.pieces)
    return Tokenizer((*pieces, *SPECIALS), merges)


class Encoder:
    """Examples to tokens: what the model is given and what it should answer."""

    def __init__(self, cutter: Tokenizer, recipe: Recipe) -> None:
        self._cutter = cutter
        self._recipe = recipe
        self._random = Random(recipe.seed + 1)

    def encode(self, example: Example) -> tuple[list[int], list[int]] | None:
        """The prompt's tokens and the answer's; None for a sentence that is too long for one prompt."""
        recipe, random = self._recipe, self._random

        def cut(text: str) -> list[int]:
            return self._cutter.encode_dropping(text, random, recipe.words_dropped, recipe.merges_dropped)

        codec = Codec(self._cutter.pieces, cut)
        prompts = list(codec.prompts(example.text))
        if len(prompts) != 1 or len(prompts[0].tokens) > MAX_TOKENS:
            return None
        prompt, answer = prompts[0], list[int]()

        def copied(span: tuple[int, int]) -> list[int]:
            return [t for t, (a, b) in zip(prompt.tokens, prompt.spans, strict=True) if a < span[1] and b > span[0]]

        for statement in example.statements:
            if answer:
                answer.append(codec.row)
            answer += copied(statement.term)
            answer += [codec.special[f"<{statement.pathology}>"], codec.special[f"<{statement.state}>"]]
            if statement.state != PRESENT and statement.cue is not None:
                answer += copied(statement.cue)
        return list(prompt.ids), [*answer, codec.end]


def batches(recipe: Recipe, cutter: Tokenizer) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Tokens (B, N) and the weight of each in the loss (B, N), for ever; sentences of like length stand together."""
    import torch

    generator, random = Generator(), Random(recipe.seed + 2)
    encoder = Encoder(cutter, recipe)
    # Few different shapes: the library prepares its kernels anew for each one.
    waiting: dict[int, list[tuple[list[int], list[int]]]] = {}
    while True:
        full: list[int] = []
        while len(full) < _SHUFFLED:
            pair = encoder.encode(generator.example(random))
            if pair is None:
                continue
            length = -(-(len(pair[0]) + len(pair[1])) // _ROUNDED) * _ROUNDED
            group = waiting.setdefault(length, [])
            group.append(pair)
            if len(group) % (recipe.batch_tokens // length) == 0:
                full.append(length)
        random.shuffle(full)
        for length in full:
            n = recipe.batch_tokens // length
            group, waiting[length] = waiting[length][:n], waiting[length][n:]
            tokens = torch.zeros(n, length, dtype=torch.long)
            weight = torch.zeros(n, length)
            for k, (prompt, answer) in enumerate(group):
                end = len(prompt) + len(answer)
                tokens[k, :end] = torch.tensor(prompt + answer)
                weight[k, 1 : len(prompt)] = recipe.sentence_weight
                weight[k, len(prompt) : end] = 1
            yield tokens, weight


def _optimisers(model: nn.Module, recipe: Recipe) -> list[torch.optim.Optimizer]:
    """Muon (Jordan et al., 2024) for the layers' matrices, AdamW for the rest."""
    import torch

    def orthogonal(g: torch.Tensor) -> torch.Tensor:
        """Five steps of the Newton-Schulz iteration towards the nearest orthogonal matrix."""
        x = g / (g.norm() + 1e-7)
        tall = x.shape[0] > x.shape[1]
        x = x.T if tall else x
        for _ in range(5):
            a = x @ x.T
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return x.T if tall else x

    class Muon(torch.optim.Optimizer):
        def __init__(self, parameters: list[torch.Tensor]) -> None:
            super().__init__(parameters, {"lr": recipe.matrix_rate})

        @torch.no_grad()
        def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
            for group in self.param_groups:
                for p in group["params"]:
                    momentum = self.state[p].setdefault("momentum", torch.zeros_like(p))
                    momentum.lerp_(p.grad, 0.05)
                    update = orthogonal(p.grad.lerp(momentum, 0.95))
                    p.add_(update, alpha=-group["lr"] * max(1.0, p.shape[0] / p.shape[1]) ** 0.5)
            return None

    matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and name.startswith("blk.")]
    rest = [p for name, p in model.named_parameters() if p.ndim < 2 or not name.startswith("blk.")]
    return [Muon(matrices), torch.optim.AdamW(rest, lr=recipe.other_rate, betas=(0.9, 0.95), weight_decay=0)]


def train(
    recipe: Recipe, cutter: Tokenizer, minutes: float | None = None, say: Callable[[str], None] = print
) -> tuple[nn.Module, Shape, int]:
    """The trained model, its shape and the number of steps taken.

    With ``minutes`` the rates fall with the clock instead of the steps, and two runs differ.
    """
    import torch
    from torch.nn import functional as f

    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    shape = Shape(len(cutter.pieces), recipe.width, recipe.layers, recipe.heads, recipe.inner)
    model = build(shape)
    optimisers = _optimisers(model, recipe)
    rates = [[g["lr"] for g in o.param_groups] for o in optimisers]
    say(f"{sum(p.numel() for p in model.parameters()) / 1e6:.2f} M parameters, {shape.vocabulary} tokens")
    began, seen, step = time.monotonic(), 0, 0
    for tokens, weight in batches(recipe, cutter):
        done = (time.monotonic() - began) / (60 * minutes) if minutes else step / recipe.steps
        if done >= 1:
            break
        factor = min(1.0, (step + 1) / 50) * (1.0 if done < recipe.flat else max(0.02, (1 - done) / (1 - recipe.flat)))
        for optimiser, lrs in zip(optimisers, rates, strict=True):
            for group, lr in zip(optimiser.param_groups, lrs, strict=True):
                group["lr"] = lr * factor
        chosen = weight[:, 1:] > 0
        logits = f.linear(model(tokens[:, :-1])[chosen], model.get_parameter("token_embd.weight"))
        loss = f.cross_entropy(logits, tokens[:, 1:][chosen], reduction="none")
        share = weight[:, 1:][chosen]
        ((loss * share).sum() / share.sum()).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimiser in optimisers:
            optimiser.step()
        for p in model.parameters():
            p.grad = None
        step += 1
        seen += int((weight > 0).sum())
        if step % 50 == 0:
            answer = float(loss.detach()[share == 1].mean())
            passed = time.monotonic() - began
            say(f"step {step}  {seen / 1e6:.2f} M tokens  {passed:.0f} s  {seen / passed:.0f}/s  loss {answer:.4f}")
    return model, shape, step


def main(arguments: list[str] | None = None) -> int:
    """Train, export and write the model's file."""
    from radcal.extract.mini.export import write_model

    recipe = Recipe()
    parser = argparse.ArgumentParser(prog="python -m radcal.extract.mini.train", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("models/radcal-mini-q8_0.gguf"))
    parser.add_argument("--seed", type=int, default=recipe.seed)
    parser.add_argument("--steps", type=int, default=recipe.steps)
    parser.add_argument("--threads", type=int, default=recipe.threads)
    parser.add_argument("--minutes", type=float, help="stop by the clock instead of --steps; then no two runs are equal")
    given = parser.parse_args(arguments)
    recipe = Recipe(seed=given.seed, steps=given.steps, threads=given.threads)
    cutter = train_tokenizer(recipe)
    model, shape, steps = train(recipe, cutter, given.minutes, lambda line: print(line, flush=True))
    write_model(given.out, model, shape, cutter, {**asdict(recipe), "steps": steps})
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
