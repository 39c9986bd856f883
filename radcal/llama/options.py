"""The choices that a user has about a local model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from radcal.errors import InputError


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is loaded and used; None lets RadCal choose by the machine.

    context:        tokens that the prompt, one report (or a part of a long one) and its answer may take
    parallel:       reports read at the same time
    threads:        CPU threads
    gpu_layers:     layers kept on the GPU
    report_seconds: how long one report may take; longer twice, and it is set aside
    silence_seconds: how long the model may go without any advance before it is stopped and started again
    state_folder:   where the decoded prompt is kept between runs; None for the user's cache folder
    keep_state:     whether it is kept at all
    temperature:    0 for the most probable answer, above 0 for a drawn one
    seed:           seed of the draws
    sha256:         the model file's checksum, if known; '' to look for it in the list beside the file

    Raises:
        InputError: a value out of bounds.
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
    """The lowest and highest value of each option that is a number."""
    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The values of each option that is a word."""
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
        """Seconds without any advance after which the model hangs: never longer than one report may take."""
        return min(self.silence_seconds, self.report_seconds)
