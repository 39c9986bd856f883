"""A model that is asked how sure sentences sound, whose chances are told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from radcal.lab.hedges.asked import PROMPTS, estimates
from radcal.lab.hedges.estimator import SentenceEstimate
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text


class Told:
    """Takes what may be for 20 or 40, and all else for 90."""

    model, notes = Path("told.gguf"), ()

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    def model_hash(self) -> str:
        return "abc"

    def number_distribution(
        self, texts: Sequence[str], progress: Progress = SILENT, lead: str | None = None
    ) -> NDArray[np.float64]:
        self.asked += [(text, lead) for text in texts]
        rows = np.zeros((len(texts), 101))
        for row, text in zip(rows, texts, strict=True):
            if "may be Rome" in text:
                row[[20, 40]] = 0.96, 0.04
            else:
                row[90] = 1.0
        return rows

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        raise NotImplementedError


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_sentence_is_read_as_the_mean_of_the_chances(prompt: str) -> None:
    model = Told()
    first, empty, last = estimates(model, ["It may be Rome.", " ", "It is {Rome}."], prompt, SILENT)
    assert isinstance(first, SentenceEstimate)
    assert isinstance(last, SentenceEstimate)
    assert (first.value, first.low, first.high) == pytest.approx((0.208, 0.2, 0.208))
    assert (last.value, last.low, last.high) == pytest.approx((0.9, 0.9, 0.9))
    assert isinstance(empty, Text)
    assert len(model.asked) == 2
    text, lead = model.asked[1]
    assert text.endswith('"It is {Rome}."')
    assert lead is not None
    assert lead.endswith("percent:")
    assert text.count(lead) == (4 if prompt == "decisiveness" else 0)


def test_without_a_sentence_the_model_is_not_asked() -> None:
    model = Told()
    assert [type(found) for found in estimates(model, ["", ""], "direct", SILENT)] == [Text, Text]
    assert model.asked == []
