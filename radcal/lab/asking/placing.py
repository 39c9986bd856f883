"""Answers as a table of certainties with the place of each question and answer, for ``radcal lab groups``.

The place is what a model on this computer makes of the text: the mean of its last hidden states, brought down to the
principal components, unlike the first coordinates as they come, which tell whatever a network put there.

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025, section 2.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from radcal.lab.asking.asker import Answered
from radcal.system.progress import SILENT, Progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

COORDINATES = 16
"""Components that are kept."""


class Places(Protocol):
    """A model that places texts by their likeness."""

    def embeddings(self, texts: Sequence[str], progress: Progress = SILENT) -> Array:
        """(n, width) of rows of length 1."""


def components(places: Array) -> Array:
    """(n, C) principal components of places (n, width), of greatest variance first, C at most COORDINATES.

    The sign of each is such that its largest value is above 0.
    """
    u, size, _ = np.linalg.svd(places - places.mean(axis=0), full_matrices=False)
    made: Array = (u * size)[:, :COORDINATES]
    return made * np.where(made.max(axis=0) < -made.min(axis=0), -1.0, 1.0)


def score_rows(
    answers: Sequence[Answered], author: str, ways: int, model: Places, progress: Progress = SILENT
) -> Iterator[Sequence[Any]]:
    """The table, its header first: author, topic, confidence, outcome, x1, x2, ...; answers that state nothing are out.

    Args:
        answers: in order;  author: the model's name;  ways: in how many it was asked, each an author of its own if in
            several.
        model, progress: which places question and answer together.

    Raises:
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    used = [a for a in answers if a.stated is not None]
    texts = [f"{a.question.text} {a.answer}" for a in used]
    distinct = {text: k for k, text in enumerate(dict.fromkeys(texts))}
    at = components(model.embeddings(list(distinct), progress)) if used else np.zeros((0, 0))
    yield ["author", "topic", "confidence", "outcome", *(f"x{k + 1}" for k in range(at.shape[1]))]
    for answered, text in zip(used, texts, strict=True):
        whose = author if ways == 1 else f"{author} ({answered.way})"
        place = [round(float(x), 5) for x in at[distinct[text]]]
        yield [whose, answered.question.topic, answered.stated, int(answered.correct), *place]
