"""Text that a model writes freely: what is wanted, and what of it is no thought."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
