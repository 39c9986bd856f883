"""The choices that a user has about the Llama engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from radcal.errors import InputError


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """Options of the Llama engine; None lets the engine choose by the machine.

    context:        tokens that the prompt, one report (or a part of a long one) and its answer may take
    parallel:       reports read at the same time
    threads:        CPU threads
    gpu_layers:     layers kept on the GPU
    prompt:         'base' for the plain prompt, 'chat' for the model's chat template, 'auto' for the
                    template where the model has one
    prompts:        folder with a department's own prompt files; None for those that ship with RadCal
    reference:      how the model names a sentence: by its number, or quoted word for word
    max_findings:   most findings of one report part; an answer that has more is set aside
    review_below:   findings of a lower probability are marked for review, in 0-1
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

    context: int = 4096
    parallel: int | None = None
    threads: int | None = None
    gpu_layers: int | None = None
    prompt: Literal["auto", "base", "chat"] = "auto"
    prompts: Path | None = None
    reference: Literal["number", "quote"] = "number"
    max_findings: int = 64
    review_below: float = 0.5
    report_seconds: float = 600.0
    silence_seconds: float = 300.0
    state_folder: Path | None = None
    keep_state: bool = True
    temperature: float = 0.0
    seed: int = 0
    sha256: str = ""

    def __post_init__(self) -> None:
        for name, low, high in (
            ("context", 256, 1 << 20),
            ("parallel", 1, 128),
            ("threads", 1, 1024),
            ("gpu_layers", 0, 10_000),
            ("max_findings", 1, 1000),
            ("review_below", 0.0, 1.0),
            ("report_seconds", 0.1, 86_400.0),
            ("silence_seconds", 0.1, 86_400.0),
            ("temperature", 0.0, 5.0),
            ("seed", 0, 2**32 - 1),
        ):
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise InputError(
                    "Llama option {name}: {value} is out of bounds. Choose {low:g} to {high:g}.",
                    name=name,
                    value=value,
                    low=low,
                    high=high,
                )
        for name, allowed in (("prompt", ("auto", "base", "chat")), ("reference", ("number", "quote"))):
            if getattr(self, name) not in allowed:
                raise InputError("Llama option {name}: choose one of {allowed}.", name=name, allowed=", ".join(allowed))

    @property
    def silence(self) -> float:
        """Seconds without any advance after which the model hangs: never longer than one report may take."""
        return min(self.silence_seconds, self.report_seconds)
