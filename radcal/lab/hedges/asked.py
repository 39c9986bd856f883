"""How sure sentences sound to a language model: it is asked for a number, directly or after worked examples.

"direct" and "decisiveness" are the two ways that "Can Large Language Models Express Uncertainty Like Human?" compares
its mapper with (appendices D.4 and D.6); the prompts are RadCal's own (resources/prompts/hedges.toml).  The number is
the mean of the model's exact chances of 0 to 100.  As there, an answer that declines is decisive (1).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from radcal.lab.hedges.estimator import SentenceEstimate
from radcal.system.progress import Progress
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.lab.model_perception import Numbers

PROMPTS = ("direct", "decisiveness")
_ENDS = (0.05, 0.95)


def read_by_model(
    path: Path, sentences: Sequence[str], prompt: str, settings: Settings, progress: Progress
) -> list[SentenceEstimate | Text]:
    """How sure sentences sound to a local model, in their order.

    Args:
        path: the GGUF file.
        prompt: of PROMPTS.

    Raises:
        InputError: the file is no usable model.
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    from radcal.findings.engines import engine_options
    from radcal.findings.model.local_model import LocalModel

    with LocalModel(path, engine_options(settings)) as model:
        model.start(progress)
        return estimates(model, sentences, prompt, progress)


def estimates(
    model: Numbers, sentences: Sequence[str], prompt: str, progress: Progress
) -> list[SentenceEstimate | Text]:
    """The mean of a model's chances for each sentence that has words, and the middle nine tenths of them."""
    asked = tomllib.loads(resource("prompts", "hedges.toml").read_text(encoding="utf-8"))[prompt]
    told = [text for text in sentences if text.strip()]
    messages = [asked["message"].format(sentence=text.strip()).strip() for text in told]
    progress.start(len(told), Text("Asking the model how sure sentences sound"))
    chances = iter(model.number_distribution(messages, progress, asked["lead"])) if told else iter(())
    return [_estimate(next(chances)) if text.strip() else Text("The sentence is empty.") for text in sentences]


def _estimate(chances: NDArray[np.float64]) -> SentenceEstimate:
    percents = np.arange(len(chances)) / 100
    mean = float(chances @ percents)
    low, high = (float(percents[min(int(np.searchsorted(chances.cumsum(), end)), 100)]) for end in _ENDS)
    return SentenceEstimate(mean, min(low, mean), max(high, mean), (), "hedged")
