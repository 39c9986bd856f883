"""User options of the Llama engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from radcal.findings.model.options import ModelOptions


@dataclass(frozen=True, slots=True)
class LlamaOptions(ModelOptions):
    """Options for loading a model and reading reports with it.

    prompt:         'base' for the plain prompt, 'chat' for the model's chat template, 'auto' for the
                    template if the model has one
    prompts:        folder with a department's own prompt files, None for those shipped with RadCal
    reference:      how the model refers to a sentence: by number or by verbatim quotation
    max_findings:   most findings per part of a report; an answer with more is rejected
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
