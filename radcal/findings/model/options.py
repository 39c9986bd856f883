"""User options of local models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from radcal.system.errors import InputError


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is loaded and used; None leaves the choice to RadCal.

    context:        most tokens of the prompt, one report (or a part of a long one) and its answer
    parallel:       reports read at the same time
    threads:        CPU threads
    gpu_layers:     layers on the GPU
    report_seconds: time limit for one report; after exceeding it twice the report is set aside
    silence_seconds: time without progress after which the model is restarted
    state_folder:   cache of the decoded prompt; None for the user's cache folder
    keep_state:     whether the decoded prompt is cached
    temperature:    0 for the most probable answer, above 0 for a random one
    seed:           of random answers
    sha256:         known checksum of the model file; '' to look it up in the list beside the file

    Raises:
        InputError: a value is out of bounds.
    """

    BOUNDS: ClassVar[Mapping[str, tuple[float, float]]] = {
        "context": (256, 1 << 20),
        "parallel": (1, 128),
        "threads": (1, 1024),
        "gpu_layers": (0, 10_000),
        "report_seconds": (0.1, 86_400.0),
        "silence_seconds": (0.1, 86_400.0),
        "temperature": (0.0, 5.0),
        "seed": (0, 2**32 - 1),
    }
    """Lowest and highest value of each numerical option."""
    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Allowed values of each option that is a word."""
    context: int = 4096
    parallel: int | None = None
    threads: int | None = None
    gpu_layers: int | None = None
    report_seconds: float = 600.0
    silence_seconds: float = 300.0
    state_folder: Path | None = None
    keep_state: bool = True
    temperature: float = 0.0
    seed: int = 0
    sha256: str = ""

    def __post_init__(self) -> None:
        for name, (low, high) in self.BOUNDS.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise InputError(
                    "Llama option {name}: {value} is out of bounds. Choose {low:g} to {high:g}.",
                    name=name,
                    value=value,
                    low=low,
                    high=high,
                )
        for name, allowed in self.CHOICES.items():
            if getattr(self, name) not in allowed:
                raise InputError("Llama option {name}: choose one of {allowed}.", name=name, allowed=", ".join(allowed))

    @property
    def silence(self) -> float:
        """Seconds without progress after which the model counts as hung, at most the time limit of a report."""
        return min(self.silence_seconds, self.report_seconds)


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
