"""Train the bundled model: ``python -m tools.mini.train --out models/radcal-mini-q8_0.gguf --seed 0``.

Needs the extra ``train`` (torch, gguf).  The result depends on the seed, the numbers of steps and workers, the
machine's arithmetic and the version of torch; nothing is downloaded and no report is read.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from radcal.findings.model.bundled import ASK, BEGIN, IS, answer_token, plain, special_tokens, trained_on
from radcal.findings.readers.pairs import HEDGED, NOT_STATED, phrases_of
from radcal.words.phrases import load_lexicon
from radcal.words.records import ABSENT, PRESENT
from tools.mini import tokenizer
from tools.mini.generator import Example, Generator
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
    pieces: int = 4096
    tokenizer_sentences: int = 30_000
    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 768
    batch_tokens: int = 2048
    longest: int = 160
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
    texts = (plain(generator.example(random).text) for _ in range(recipe.tokenizer_sentences))
    pieces, merges = tokenizer.train(texts, recipe.pieces)
    return Tokenizer((*pieces, *special_tokens(phrases_of(load_lexicon()))), merges)


@dataclass(frozen=True, slots=True)
class Row:
    """An example as tokens: the sentence, then its questions, each of which sees the sentence and itself alone.

    tokens, positions: positions of each question go on from the sentence's last
    parts:             0 for the sentence, 1 for its first question ...
    answers:           (index of the token ``<is>``, tokens of the phrases that are right)
    """

    tokens: list[int]
    positions: list[int]
    parts: list[int]
    answers: list[tuple[int, list[int]]]


class Encoder:
    """Maps examples to tokens as the protocol of the bundled model asks."""

    def __init__(self, cutter: Tokenizer, recipe: Recipe, rank: int = 0) -> None:
        self._cutter = cutter
        self._recipe = recipe
        self._random = Random(recipe.seed + 1000 * rank + 1)
        self._begin, self._ask, self._is = (cutter.pieces.index(sign) for sign in (BEGIN, ASK, IS))
        answers = {phrase: [cutter.pieces.index(answer_token(phrase))] for phrase in trained_on(cutter.pieces)}
        hedges = [token for phrase, [token] in answers.items() if phrase not in (PRESENT, ABSENT, NOT_STATED)]
        self._answers = answers | {HEDGED: hedges}

    def encode(self, example: Example) -> Row | None:
        """The tokens of an example; None for one without questions, or too long."""
        recipe, random = self._recipe, self._random

        def cut(text: str) -> list[int]:
            return self._cutter.encode_dropping(plain(text), random, recipe.words_dropped, recipe.merges_dropped)

        if not example.asked:
            return None
        tokens = [self._begin, *cut(example.text)]
        read = len(tokens)
        positions, parts, answers = list(range(read)), [0] * read, []
        for part, asked in enumerate(example.asked, 1):
            question = [self._ask, *cut(asked.words), self._is]
            if len(tokens) + len(question) > recipe.longest:
                break
            tokens += question
            positions += range(read, read + len(question))
            parts += [part] * len(question)
            answers.append((len(tokens) - 1, self._answers[asked.answer]))
        return Row(tokens, positions, parts, answers) if answers else None


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of similar length.

    tokens, positions: (B, N);  seen: (B, N, N), which tokens each one sees
    learned:           (B, N), weight of each token of a sentence, guessed from those before it
    row, place:        (A,) each, where the answers are due;  right: (A, V), whether a token is a right answer
    """

    tokens: torch.Tensor
    positions: torch.Tensor
    seen: torch.Tensor
    learned: torch.Tensor
    row: torch.Tensor
    place: torch.Tensor
    right: torch.Tensor


def batch_of(rows: Sequence[Row], length: int, vocabulary: int, learned: Sequence[float]) -> Batch:
    """Rows padded to a length.

    Args:
        learned: weight of the tokens of each row's sentence.
    """
    import torch

    n = len(rows)
    tokens, positions = torch.zeros(n, length, dtype=torch.long), torch.zeros(n, length, dtype=torch.long)
    parts, weight = torch.full((n, length), -1), torch.zeros(n, length)
    places = [(k, place, right) for k, row in enumerate(rows) for place, right in row.answers]
    right = torch.zeros(len(places), vocabulary, dtype=torch.bool)
    for k, row in enumerate(rows):
        end, read = len(row.tokens), row.parts.count(0)
        tokens[k, :end] = torch.tensor(row.tokens)
        positions[k, :end] = torch.tensor(row.positions)
        parts[k, :end] = torch.tensor(row.parts)
        weight[k, 1:read] = learned[k]
    for i, (_, _, allowed) in enumerate(places):
        right[i, allowed] = True
    of, seen = parts[:, :, None], parts[:, None, :]
    earlier = torch.ones(length, length, dtype=torch.bool).tril()
    of_row, place = (torch.tensor([at[i] for at in places]) for i in (0, 1))
    return Batch(tokens, positions, earlier & ((seen == 0) | (seen == of)), weight, of_row, place, right)


def batches(recipe: Recipe, cutter: Tokenizer, rank: int = 0) -> Iterator[Batch]:
    """Endless batches, of examples of similar length."""
    generator, random = Generator(), Random(recipe.seed + 1000 * rank + 2)
    encoder = Encoder(cutter, recipe, rank)
    # Few different shapes, because the library prepares its kernels for each one.
    waiting: dict[int, list[Row]] = {}
    while True:
        full: list[int] = []
        while len(full) < _SHUFFLED:
            row = encoder.encode(generator.example(random))
            if row is None:
                continue
            length = -(-len(row.tokens) // _ROUNDED) * _ROUNDED
            group = waiting.setdefault(length, [])
            group.append(row)
            if len(group) % (recipe.batch_tokens // length) == 0:
                full.append(length)
        random.shuffle(full)
        for length in full:
            n = recipe.batch_tokens // length
            group, waiting[length] = waiting[length][:n], waiting[length][n:]
            weights = [recipe.sentence_weight * (random.random() < recipe.sentences_learned) for _ in group]
            yield batch_of(group, length, len(cutter.pieces), weights)


def losses(model: nn.Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """-log P(a right phrase) of each answer, (A,); and the weighted mean of that of the sentences' own tokens."""
    from torch.nn import functional as f

    hidden = model(batch.tokens, batch.positions, batch.seen)
    embedding = model.get_parameter("token_embd.weight")
    scores = f.linear(hidden[batch.row, batch.place], embedding).float()
    answers = scores.logsumexp(1) - scores.masked_fill(~batch.right, float("-inf")).logsumexp(1)
    chosen = batch.learned[:, 1:] > 0
    if not chosen.any():
        return answers, answers.new_zeros(())
    words = f.linear(hidden[:, :-1][chosen], embedding).float()
    loss = f.cross_entropy(words, batch.tokens[:, 1:][chosen], reduction="none")
    return answers, (loss * batch.learned[:, 1:][chosen]).sum()


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
    began, smooth, step = time.monotonic(), 1.0, 0
    steps = 0 if minutes or rank else recipe.steps
    for batch in batches(recipe, cutter, rank):
        if rank == 0 and not int(team.steps):
            late = minutes and time.monotonic() - began > 60 * minutes * recipe.flat
            team.steps[0] = max(1, round(step / recipe.flat)) if late else steps
        for copy, w in zip(copies, weights, strict=True):
            copy.data.copy_(w)
            copy.grad = None
        answers, sentences = losses(model, batch)
        share = len(answers) + batch.learned.sum()
        ((answers.sum() + sentences) / share).backward()  # type: ignore[no-untyped-call]
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
        smooth += 0.02 * (float(answers.detach().mean()) - smooth)
        if say and (step % 100 == 0 or step == steps):
            say(f"step {step} of {steps or '?'}  {time.monotonic() - began:.0f} s  loss {smooth:.4f}")
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
