"""User options of local models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radcal.system.errors import InputError


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is loaded and used; None leaves the choice to RadCal.

    context:        most tokens of the prompt and one sentence, or of a text that is asked about
    threads:        CPU threads
    gpu_layers:     layers on the GPU
    report_seconds: time limit for one report; after exceeding it twice the report is set aside
    silence_seconds: time without progress after which the model is restarted
    state_folder:   cache of the decoded prompt; None for the user's cache folder
    keep_state:     whether the decoded prompt is cached
    sha256:         known checksum of the model file; '' to look it up in the list beside the file
    adapter:        GGUF file of a LoRA adapter that changes the model; None for the model as it is

    Raises:
        InputError: a value is out of bounds.
    """

    BOUNDS: ClassVar[Mapping[str, tuple[float, float]]] = {
        "context": (256, 1 << 20),
        "threads": (1, 1024),
        "gpu_layers": (0, 10_000),
        "report_seconds": (0.1, 86_400.0),
        "silence_seconds": (0.1, 86_400.0),
    }
    """Lowest and highest value of each numerical option."""
    context: int = 4096
    threads: int | None = None
    gpu_layers: int | None = None
    report_seconds: float = 600.0
    silence_seconds: float = 300.0
    state_folder: Path | None = None
    keep_state: bool = True
    sha256: str = ""
    adapter: Path | None = None

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

    @property
    def silence(self) -> float:
        """Seconds without progress after which the model counts as hung, at most the time limit of a report."""
        return min(self.silence_seconds, self.report_seconds)


@dataclass(frozen=True, slots=True)
class LlamaOptions(ModelOptions):
    """Options for loading a model and reading reports with it.

    prompts: folder with a department's own prompt file, None for the one shipped with RadCal

    Raises:
        InputError: a value out of bounds.
    """

    prompts: Path | None = None
