"""Text that a model writes freely: the most probable one, or several at random that share their prompt."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model.beginnings import Beginnings, StoppedError, TooLongError, UnanswerableError, require
from radcal.findings.model.pair_batches import NO_NUMBERS
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model

_TOGETHER = 32
"""Texts at a time, in sequences 1 to 32."""
_THINK = r"(?:\w+:)?(?:think|thinking|thought|reason|reasoning)"
_OPENS = re.compile(rf"[<\[◁]{_THINK}[>\]▷]", re.IGNORECASE)
_CLOSES = re.compile(rf"[<\[◁]/{_THINK}[>\]▷]", re.IGNORECASE)
_CHANNEL, _FINAL = "<|channel|>", "<|channel|>final<|message|>"
_THINKS, _THOUGHT, _ANSWERS = "<|START_THINKING|>", "<|END_THINKING|>", "<|START_RESPONSE|>"
_ANSWERED, _TURN = "<|END_RESPONSE|>", "<|end|>"
"""What models put around their thoughts and their answers."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written.

    most:        most tokens of a text
    stops:       words that end a text, and are no part of it
    samples:     number of texts
    temperature: 0 for the most probable text, above 0 for random ones
    seed:        of random texts, which depend on it, on the prompt and on their own number alone
    """

    most: int
    stops: tuple[str, ...] = ()
    samples: int = 1
    temperature: float = 0.0
    seed: int = 0


@dataclass(eq=False)
class _Draft:
    """A text while it is written."""

    sequence: int
    random: np.random.Generator
    tokens: list[int] = field(default_factory=list)
    text: str = ""
    done: bool = False


def write(
    texts: Beginnings,
    prompt: Sequence[int],
    wanted: Wanted,
    used: int,
    stop: Callable[[], bool],
    tick: Callable[[], object],
) -> list[str]:
    """The texts that a model writes after a prompt, without its thoughts and the spaces around them.

    A text is '' where the model ended at once, or was cut off in thought.

    Args:
        used: tokens of the context occupied by other sequences.
        stop: polled between evaluations; True gives up.
        tick: called between evaluations.

    Raises:
        StoppedError: the stop flag was set.
        TooLongError: the prompt leaves no room for a text.
        UnanswerableError: the model's weights are damaged.
    """
    model = texts.model
    room = model.cells - used - len(prompt)
    most = min(wanted.most, room)
    if most < 1:
        raise TooLongError(Text("The text has {n} tokens, which is more than the context has room for.", n=len(prompt)))
    together = max(min(_TOGETHER, model.outputs, room // most), 1)
    seed = list(hashlib.sha256(np.array([wanted.seed, *prompt], np.int64).tobytes()).digest())
    drafts = [_Draft(1 + i % together, np.random.default_rng([*seed, i])) for i in range(wanted.samples)]
    try:
        begun_with, scores = texts.decode(prompt, used, most * min(together, wanted.samples))
        first = scores.copy()
        for begun in range(0, len(drafts), together):
            wave = drafts[begun : begun + together]
            for draft in wave:
                model.share(begun_with, draft.sequence)
                _extend(model, draft, first, wanted, most)
            while alive := [draft for draft in wave if not draft.done]:
                if stop():
                    raise StoppedError
                steps = [(d.tokens[-1], len(prompt) + len(d.tokens) - 1, (d.sequence,), True) for d in alive]
                require(model.decode(steps))
                for row, draft in enumerate(alive):
                    _extend(model, draft, model.scores(row), wanted, most)
                tick()
            for draft in wave:
                model.forget(draft.sequence)
    finally:
        for sequence in range(1, together + 1):
            model.forget(sequence)
    return [draft.text for draft in drafts]


def _extend(model: Model, draft: _Draft, scores: NDArray[np.float32], wanted: Wanted, most: int) -> None:
    """Choose the next token of a text, and see whether it is the last."""
    logits = scores.astype(np.float64)
    if not np.isfinite(logits.max()):
        raise UnanswerableError(NO_NUMBERS)
    token = int(logits.argmax())
    if wanted.temperature:
        weight = np.exp((logits - logits.max()) / wanted.temperature).cumsum()
        token = int(weight.searchsorted(draft.random.random() * weight[-1], side="right"))
    if model.is_end(token):
        draft.done = True
        return
    draft.tokens.append(token)
    text = without_thoughts(model.written(draft.tokens)).lstrip()
    ends = [place for word in wanted.stops if (place := text.find(word)) >= 0]
    draft.text = text[: min(ends, default=None)].strip()
    draft.done = bool(ends) or len(draft.tokens) >= most


def without_thoughts(written: str) -> str:
    """What a model said aloud: the text behind its thoughts; '' while it is still thinking."""
    if (at := written.rfind(_FINAL)) >= 0:
        return written[at + len(_FINAL) :].split(_TURN)[0]
    if _ANSWERS in written:
        return written.split(_ANSWERS)[-1].removesuffix(_ANSWERED)
    if _THINKS in written:
        return written.split(_THOUGHT, 1)[1] if _THOUGHT in written else ""
    closed = list(_CLOSES.finditer(written))
    said = written[closed[-1].end() :] if closed else written
    opens = _OPENS.search(said)
    return (said[: opens.start()] if opens else said).split(_TURN)[0].split(_CHANNEL)[0]
