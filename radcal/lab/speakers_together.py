"""All speakers on all question sets as one department: what they tell together of the true rates of their words.

Each speaker on each question set is a group of :mod:`radcal.calibration.model`, its numbers and Betas are words by
their means, and "right" stands for "CT confirmed it".  What lies between groups is learned from the halves that methods
are fitted to alone, anew for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.evidence import Evidence
from radcal.calibration.model import learned, posterior
from radcal.lab.recalibrating import Halves
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def rates_together(of_groups: Mapping[tuple[str, str], Halves], progress: Progress = SILENT) -> list[Array]:
    """(J + 1, R) posterior means of the true rates of the R words of each of Q groups.

    Args:
        of_groups: by author and topic, each with J halves to fit to; the last row rests on all statements.
        progress: asked whether to stop.

    Raises:
        Cancelled: by ``progress``.
    """
    groups, halves = list(of_groups), list(of_groups.values())
    own = [
        [(name, float(mean)) for name, mean in zip(h.words.bins.phrases, h.words.bins.mean[h.words.rows], strict=False)]
        for h in halves
    ]
    # A cell of merged numbers has its name by its mean in two places, which may stand for two means.
    place = {word: k for k, word in enumerate(sorted({word for words in own for word in words}))}
    names, mean = [f"{name} {m}" for name, m in place], np.array([m for _, m in place])
    at = [np.array([place[word] for word in words], dtype=np.intp) for words in own]
    seen = [np.concatenate([known, every]) for h in halves for known, every in zip(h.known, h.every, strict=True)]
    n, y = (np.zeros((len(seen[0]), len(halves), len(place))) for _ in range(2))
    for g, words in enumerate(at):
        n[:, g, words], y[:, g, words] = (counts[:, : len(words)] for counts in seen[2 * g : 2 * g + 2])
    found = [np.zeros((len(n), len(words))) for words in at]
    progress.start(len(n), Text("Learning from all models together"))
    for j in range(len(n)):
        progress.raise_if_cancelled()
        evidence = Evidence(n[j], y[j], np.ones_like(n[j]))
        spread = learned(evidence, mean, names, groups, progress)
        rates = posterior(evidence, mean, names, spread, groups).mean
        for g, words in enumerate(at):
            found[g][j] = rates[g, words]
        progress.advance()
    return found
