"""A model that says what it is told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radcal.lab.asking.asker import Question
from radcal.system.errors import EngineError

Say = Callable[[str, str], Any]


@dataclass
class Scripted:
    """Answers by functions of message and lead; keeps what it was asked.

    said: the text, or for several samples a list of them
    option: the option that it prefers;  number: that it gives, or (101,) probabilities
    """

    said: Say = lambda message, lead: "Paris"
    option: Say = lambda message, lead: "likely"
    number: Say = lambda message, lead: 70
    asked: list[tuple[str, str]] = field(default_factory=list)

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        self.asked.append((message, lead))
        said = self.said(message, lead)
        if isinstance(said, Exception):
            raise said
        return [said] * samples if isinstance(said, str) else list(said)

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> np.ndarray:
        self.asked.append((message, lead))
        wanted = self.option(message, lead)
        chances = np.array([1.0 if option.rstrip('"') == wanted else 0.1 for option in options])
        return chances / chances.sum()

    def log_chances(self, message: str, lead: str, answer: str) -> np.ndarray:
        self.asked.append((message, lead))
        return np.log([0.9, 0.4])

    def numbers(self, message: str, lead: str) -> np.ndarray:
        self.asked.append((message, lead))
        number = self.number(message, lead)
        return np.eye(101)[number] if isinstance(number, int) else np.asarray(number)


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted


@pytest.fixture
def question() -> Callable[..., Question]:
    def make(text: str = "What is the capital of France?", *accepted: str, topic: str = "trivia") -> Question:
        return Question(text, accepted or ("Paris",), topic)

    return make


@pytest.fixture
def opening() -> Callable[..., Any]:
    """Opens scripted models by the name of their file."""
    from radcal.lab.asking.run import Opened

    def make(**speakers: Scripted) -> Any:
        @contextmanager
        def opened(path: Path, how: Any, settings: Any, progress: Any) -> Any:
            if path.stem not in speakers:
                raise EngineError("no such model")
            yield Opened(speakers[path.stem], f"hash of {path.stem}", lambda: ("It runs.",))

        return opened

    return make
