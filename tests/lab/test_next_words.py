"""A model's words after contexts, of a model whose words and chances are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from radcal.findings.model.writing import Wanted
from radcal.lab.next_words import continued
from radcal.system.progress import SILENT, Progress

DRAWN = ["small dogs", "Small cat", "tiny mice.", "unfinis", "", "grey, as"]


class Told:
    """Goes on as told, and takes longer words to be likelier."""

    def __init__(self) -> None:
        self.weighed: list[tuple[str, ...]] = []

    def write(self, message: str, wanted: Wanted, lead: str = "", progress: Progress = SILENT) -> list[str]:
        assert message == ""
        assert lead.startswith("the")
        return ["large dogs"] if wanted.temperature == 0 else DRAWN[: wanted.samples]

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        self.weighed.append(tuple(options))
        weights = np.array([[float(len(option)) for option in options] for _ in messages])
        return weights / weights.sum(axis=1, keepdims=True)


def test_whole_words_are_counted_and_given_ones_weighed() -> None:
    model = Told()
    rows = continued(model, "m", {"the": {"big"}, "the very": ["tiny", "dog"]}, 6, 0, SILENT)
    sampled = [row for row in rows if row[1] == "m (sampled)" and row[0] == "the"]
    assert sampled == [("the", "m (sampled)", w, n) for w, n in (("grey", 1.0), ("small", 2.0), ("tiny", 1.0))]
    assert model.weighed[0] == (" big", " grey", " large", " small", " tiny")
    assert model.weighed[1] == (" dog", " grey", " large", " small", " tiny")
    given = {row[2]: row[3] for row in rows if row[:2] == ("the", "m (given words)")}
    assert given == pytest.approx({"big": 4 / 26, "grey": 5 / 26, "large": 6 / 26, "small": 6 / 26, "tiny": 5 / 26})
