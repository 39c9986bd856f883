"""The choices that a user has about the Llama engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from radcal.llama.options import ModelOptions


@dataclass(frozen=True, slots=True)
class LlamaOptions(ModelOptions):
    """How a model is loaded and used, and how it reads reports.

    prompt:         'base' for the plain prompt, 'chat' for the model's chat template, 'auto' for the
                    template where the model has one
    prompts:        folder with a department's own prompt files; None for those that ship with RadCal
    reference:      how the model names a sentence: by its number, or quoted word for word
    max_findings:   most findings of one report part; an answer that has more is set aside
    review_below:   findings of a lower probability are marked for review, in 0-1

    Raises:
        InputError: a value out of bounds.
    """

    BOUNDS: ClassVar[Mapping[str, tuple[float, float]]] = {
        **ModelOptions.BOUNDS,
        "max_findings": (1, 1000),
        "review_below": (0.0, 1.0),
    }
    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "prompt": ("auto", "base", "chat"),
        "reference": ("number", "quote"),
    }
    prompt: Literal["auto", "base", "chat"] = "auto"
    prompts: Path | None = None
    reference: Literal["number", "quote"] = "number"
    max_findings: int = 64
    review_below: float = 0.5
