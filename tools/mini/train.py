"""Train the bundled model: ``python -m tools.mini.train --out models/radcal-mini-q8_0.gguf --seed 0``.

Needs the extra ``train`` (torch, gguf).  The result depends on the seed, the numbers of steps and workers, the
machine's arithmetic and the version of torch; nothing is downloaded and no report is read.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from radcal.findings.by_model.protocol import MAX_TOKENS, Codec, plain, special_tokens

from radcal.words.records import PRESENT
from tools.mini import tokenizer
from tools.mini.generator import Example, Generator
from tools.mini.grammar import TAUGHT
from tools.mini.model import Shape, build
from tools.mini.tokenizer import Tokenizer

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

    import torch
    from torch import nn

_SHUFFLED = 16
"""Number of batches shuffled together."""
_ROUNDED = 8
"""Lengths are rounded up to a multiple of this."""
_PATIENCE = 900.0
"""Longest time workers wait for each other, in seconds."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyperparameters, which determine the weights together with the generator."""

    seed: int = 0
    steps: int = 12_000
    workers: int = 2
    pieces: int = 3072
    tokenizer_sentences: int = 30_000
    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 768
    batch_tokens: int = 2048
    matrix_rate: float = 0.02
    other_rate: float = 0.003
    flat: float = 0.65
    sentences_learned: float = 0.25
    sentence_weight: float = 0.4
    words_dropped: float = 0.1
    merges_dropped: float = 0.4
    precision: str = "float32"
    """The network's, "float32" or "bfloat16"; the weights and their updates stay in float32."""


def quicker_precision() -> str:
    """The precision this processor computes faster: without instructions for bfloat16, torch takes 18 times as long."""
    import torch

    able = torch.cpu.get_capabilities()
    return "bfloat16" if able.get("avx512_bf16") or able.get("amx_bf16") else "float32"


def train_tokenizer(recipe: Recipe) -> Tokenizer:
    """Train the tokenizer on generated sentences; its last pieces are the special tokens."""
    generator, random = Generator(), Random(recipe.seed)
    texts = (plain(generator.example(random).text)[0] for _ in range(recipe.tokenizer_sentences))
    pieces, merges = tokenizer.train(texts, recipe.pieces)
    return Tokenizer((*pieces, *special_tokens(TAUGHT)), merges)


class Encoder:
    """Maps examples to tokens of prompt and answer."""

    def __init__(self, cutter: Tokenizer, recipe: Recipe, rank: int = 0) -> None:
        self._cutter = cutter
        self._recipe = recipe
        self._random = Random(recipe.seed + 1000 * rank + 1)

    def encode(self, example: Example) -> tuple[list[int], list[int]] | None:
        """Tokens of prompt and answer; None for a sentence too long for one prompt, or whose words the protocol cannot
        copy: a sign within others, as the "-" of "(-)."
        """
        recipe, random = self._recipe, self._random

        def cut(text: str) -> list[int]:
            return self._cutter.encode_dropping(text, random, recipe.words_dropped, recipe.merges_dropped)

        codec = Codec(self._cutter.pieces, cut)
        prompts = list(codec.prompts(example.text))
        if len(prompts) != 1 or len(prompts[0].tokens) > MAX_TOKENS:
            return None
        prompt, answer = prompts[0], list[int]()
        opens = (*prompt.opens, True)

        def copied(span: tuple[int, int]) -> list[int]:
            at = [i for i, (a, b) in enumerate(prompt.spans) if a < span[1] and b > span[0]]
            return [prompt.tokens[i] for i in at] if opens[at[0]] and opens[at[-1] + 1] else []

        for statement in example.statements:
            if answer:
                answer.append(codec.row)
            term = copied(statement.term)
            cue = copied(statement.cue) if statement.state != PRESENT and statement.cue is not None else None
            if not term or cue == []:
                return None
            answer += [
                *term,
                codec.special[f"<{statement.pathology}>"],
                codec.special[f"<{statement.state}>"],
                *(cue or ()),
            ]
        return list(prompt.ids), [*answer, codec.end]


def batches(recipe: Recipe, cutter: Tokenizer, rank: int = 0) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Endless batches of tokens (B, N) and their loss weights (B, N), of sentences of similar length."""
    import torch

    generator, random = Generator(), Random(recipe.seed + 1000 * rank + 2)
    encoder = Encoder(cutter, recipe, rank)
    # Few different shapes, because the library prepares its kernels for each one.
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
                if random.random() < recipe.sentences_learned:
                    weight[k, 1 : len(prompt)] = recipe.sentence_weight
                weight[k, len(prompt) : end] = 1
            yield tokens, weight


def _wide(matrix: torch.Tensor) -> torch.Tensor:
    return matrix.T if matrix.shape[0] > matrix.shape[1] else matrix


def _optimisers(parameters: list[nn.Parameter], embedding: nn.Parameter, recipe: Recipe) -> list[torch.optim.Optimizer]:
    """Muon (Jordan et al., 2024) for the matrices of the layers, AdamW for the other parameters."""
    import torch

    def orthogonal(g: torch.Tensor) -> torch.Tensor:
        """Five Newton-Schulz steps from wide matrices (n, rows, columns) towards orthogonal ones."""
        x = (g / (g.norm(dim=(1, 2), keepdim=True) + 1e-7)).to(getattr(torch, recipe.precision))
        for _ in range(5):
            a = x @ x.mT
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return x.float()

    class Muon(torch.optim.Optimizer):
        def __init__(self, parameters: list[nn.Parameter]) -> None:
            super().__init__(parameters, {"lr": recipe.matrix_rate})
            shapes = sorted({_wide(p).shape for p in parameters})
            self._alike = [[p for p in parameters if _wide(p).shape == s] for s in shapes]

        @torch.no_grad()
        def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
            rate = self.param_groups[0]["lr"]
            for alike in self._alike:
                for p in alike:
                    self.state[p].setdefault("momentum", torch.zeros_like(p)).lerp_(p.grad, 0.05)
                updates = orthogonal(torch.stack([_wide(p.grad.lerp(self.state[p]["momentum"], 0.95)) for p in alike]))
                for p, update in zip(alike, updates, strict=True):
                    tall = p.shape[0] > p.shape[1]
                    p.add_(update.T if tall else update, alpha=-rate * max(1.0, p.shape[0] / p.shape[1]) ** 0.5)
            return None

    matrices = [p for p in parameters if p.ndim == 2 and p is not embedding]
    rest = [p for p in parameters if p.ndim < 2 or p is embedding]
    optimisers: list[torch.optim.Optimizer] = []
    if matrices:
        optimisers.append(Muon(matrices))
    if rest:
        optimisers.append(torch.optim.AdamW(rest, lr=recipe.other_rate, betas=(0.9, 0.95), weight_decay=0))
    return optimisers


def train(
    recipe: Recipe, cutter: Tokenizer, minutes: float | None = None, say: Callable[[str], None] = print
) -> tuple[nn.Module, Shape, int]:
    """Train; returns the model, its shape and the number of steps.

    Learning rates are constant for the share ``recipe.flat`` of the steps, then decay.  With ``minutes`` the number of
    steps is set once that share of the time has passed; a run with that number of steps gives the same model.
    """
    import torch
    from torch import multiprocessing

    shape = Shape(len(cutter.pieces), recipe.width, recipe.layers, recipe.heads, recipe.inner)
    size = sum(p.numel() for p in build(shape).parameters())
    say(f"{size / 1e6:.2f} M parameters, {shape.vocabulary} tokens")
    context = multiprocessing.get_context("spawn")
    torch.manual_seed(recipe.seed)
    team = _Team(
        torch.cat([p.detach().flatten() for p in build(shape).parameters()]).share_memory_(),
        torch.zeros(recipe.workers, size).share_memory_(),
        torch.zeros(1, dtype=torch.long).share_memory_(),
        context.Barrier(recipe.workers, timeout=_PATIENCE),
    )
    others = [
        context.Process(target=_work, args=(rank, team, recipe, shape, cutter), daemon=True)
        for rank in range(1, recipe.workers)
    ]
    for process in others:
        process.start()
    model, steps = _work(0, team, recipe, shape, cutter, minutes, say)
    for process in others:
        process.join()
    return model, shape, steps


@dataclass(frozen=True, slots=True)
class _Team:
    """Shared state of the workers.

    weights: (P,);  gradients: (workers, P);  steps: (1,), total number, 0 while unknown
    """

    weights: torch.Tensor
    gradients: torch.Tensor
    steps: torch.Tensor
    barrier: Barrier


def _work(
    rank: int,
    team: _Team,
    recipe: Recipe,
    shape: Shape,
    cutter: Tokenizer,
    minutes: float | None = None,
    say: Callable[[str], None] | None = None,
) -> tuple[nn.Module, int]:
    """Train on one thread: compute the gradient of one batch, then update one part of the shared weights.

    Processes instead of threads: with matrices this small, threads would mostly wait for each other.
    """
    import torch
    from torch import nn
    from torch.nn import functional as f
    from torch.nn.utils import clip_grad_norm_

    torch.set_num_threads(1)
    model = build(shape).to(getattr(torch, recipe.precision))
    copies = list(model.parameters())
    sizes = [p.numel() for p in copies]
    weights = [w.view_as(p) for p, w in zip(copies, team.weights.split(sizes), strict=True)]
    parameters = [nn.Parameter(w) for w in weights]
    embedding = model.get_parameter("token_embd.weight")
    learned = next(p for p, copy in zip(parameters, copies, strict=True) if copy is embedding)
    optimisers = _optimisers(parameters[rank :: recipe.workers], learned, recipe)
    rates = [[g["lr"] for g in o.param_groups] for o in optimisers]
    began, seen, step = time.monotonic(), 0, 0
    steps = 0 if minutes or rank else recipe.steps
    for tokens, weight in batches(recipe, cutter, rank):
        if rank == 0 and not int(team.steps):
            late = minutes and time.monotonic() - began > 60 * minutes * recipe.flat
            team.steps[0] = max(1, round(step / recipe.flat)) if late else steps
        for copy, w in zip(copies, weights, strict=True):
            copy.data.copy_(w)
            copy.grad = None
        chosen = weight[:, 1:] > 0
        share = weight[:, 1:][chosen]
        logits = f.linear(model(tokens[:, :-1])[chosen], embedding)
        loss = f.cross_entropy(logits.float(), tokens[:, 1:][chosen], reduction="none")
        ((loss * share).sum() / share.sum()).backward()  # type: ignore[no-untyped-call]
        team.gradients[rank] = torch.cat([p.grad.flatten() for p in copies if p.grad is not None])
        team.barrier.wait()
        mean = team.gradients.mean(0)
        steps = int(team.steps)
        for p, g in zip(parameters, mean.split(sizes), strict=True):
            p.grad = g.view_as(p)
        clip_grad_norm_(parameters, 1.0)
        done = step / steps if steps else 0.0
        factor = min(1.0, (step + 1) / 50) * (1.0 if done < recipe.flat else max(0.02, (1 - done) / (1 - recipe.flat)))
        for optimiser, lrs in zip(optimisers, rates, strict=True):
            for group, lr in zip(optimiser.param_groups, lrs, strict=True):
                group["lr"] = lr * factor
            optimiser.step()
        team.barrier.wait()
        step += 1
        seen += int((weight > 0).sum())
        if say and (step % 50 == 0 or step == steps):
            answer, passed = float(loss.detach()[share == 1].mean()), time.monotonic() - began
            say(f"step {step} of {steps or '?'}  {passed:.0f} s  loss {answer:.4f}")
        if step == steps:
            break
    trained = build(shape)
    for p, w in zip(trained.parameters(), weights, strict=True):
        p.data.copy_(w)
    return trained, step


def main(arguments: list[str] | None = None) -> int:
    """Train and export the model."""
    import gguf  # noqa: F401 - missed only after the training otherwise

    from tools.mini.export import write_model

    recipe = Recipe()
    parser = argparse.ArgumentParser(prog="python -m tools.mini.train", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("models/radcal-mini-q8_0.gguf"))
    parser.add_argument("--seed", type=int, default=recipe.seed)
    parser.add_argument("--steps", type=int, default=recipe.steps)
    parser.add_argument("--workers", type=int, default=recipe.workers)
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default=quicker_precision())
    parser.add_argument("--minutes", type=float, help="choose the number of steps so that training takes about as long")
    given = parser.parse_args(arguments)
    recipe = Recipe(seed=given.seed, steps=given.steps, workers=given.workers, precision=given.precision)
    cutter = train_tokenizer(recipe)
    model, shape, steps = train(recipe, cutter, given.minutes, lambda line: print(line, flush=True))
    write_model(given.out, model, shape, cutter, {**asdict(recipe), "steps": steps, "torch": version("torch")})
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
