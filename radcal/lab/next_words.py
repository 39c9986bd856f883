"""The words with which a local model goes on after contexts, beside those of people.

"Predict the Next Word" estimates a model's distribution of the next word in two ways:

    sampled       texts are drawn, and their first whole words counted (its section 3)
    given words   q(w|c) is proportional to the probability of the tokens of w after c, over the words that people gave,
                  those sampled and the likeliest one (its appendix A; biased: words outside have no share)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from radcal.findings.model.writing import Wanted
from radcal.lab.word_counts import compared
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.settings import Settings
from radcal.system.text import Text

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

SAMPLES = 40
"""Texts drawn in each context, as of the larger models of the paper."""
_MOST = 8
"""Tokens of a text, among which its first word must end."""


class Speaker(Protocol):
    """A language model that goes on with texts and weighs ways to go on."""

    def write(self, message: str, wanted: Wanted, lead: str = "", progress: Progress = SILENT) -> list[str]:
        """The texts that follow the lead."""

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """(n, k) P(option follows the lead); rows sum to 1."""


def with_model(
    answers: pd.DataFrame, path: Path, samples: int, settings: Settings, progress: Progress = SILENT
) -> pd.DataFrame:
    """Answers with those of a local model as two more sources.

    Args:
        answers: context, source, word, count, as of :func:`radcal.lab.word_counts.read_word_counts`.
        path: the GGUF file.
        samples: texts drawn in each context.

    Raises:
        InputError: the file is no usable model.
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    import pandas as pd

    from radcal.findings.engines import engine_options
    from radcal.findings.model.local_model import LocalModel

    given = {str(context): set(part["word"]) for context, part in answers.groupby("context", sort=False)}
    with LocalModel(path, engine_options(settings)) as model:
        model.start(progress)
        rows = continued(model, path.stem, given, samples, settings.seed, progress)
    return pd.concat([answers, pd.DataFrame(rows, columns=answers.columns)], ignore_index=True)


def continued(
    model: Speaker, name: str, given: Mapping[str, Collection[str]], samples: int, seed: int, progress: Progress
) -> list[tuple[Any, ...]]:
    """Rows (context, source, word, count) of a model: numbers of sampled words, and probabilities of given ones.

    Args:
        given: the words of people by context.
    """
    progress.start(len(given), Text("Asking the model for the next word"))
    quiet, rows = Unseen(progress), list[tuple[Any, ...]]()
    for context, words in given.items():
        drawn = model.write("", Wanted(_MOST, (), samples, 1.0, seed), context, quiet)
        sampled = Counter(filter(None, map(_first_word, drawn)))
        [likeliest] = model.write("", Wanted(_MOST), context, quiet)
        support = sorted({*words, *sampled, _first_word(likeliest)} - {""})
        [chances] = model.option_distribution([""], [f" {word}" for word in support], context, quiet)
        rows += [(context, f"{name} (sampled)", word, float(n)) for word, n in sorted(sampled.items())]
        rows += [
            (context, f"{name} (given words)", w, float(p)) for w, p in zip(support, chances, strict=True) if p > 0
        ]
        progress.advance()
    return rows


def _first_word(text: str) -> str:
    """The first word of a text that has another behind it, as words are compared; '' where it may not be whole."""
    word, _, rest = text.strip().partition(" ")
    return compared(word) if rest else ""
