"""User options of the engine that reads with a served model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServedOptions:
    """Where the model is served, and how it is asked; values are within the bounds of the settings of these names.

    url, model:    of the server, and the model's name there
    ca:            PEM file of the hospital's own certificate authority, None for those that the system trusts
    parallel:      reports read at the same time
    seconds:       longest time for one report, all tries together
    prompts:       folder with a department's own prompt files, None for those shipped with RadCal
    context:       tokens for prompt, report and answer, where the server does not say how many it has
    max_findings:  most findings per part of a report; an answer with more is rejected
    temperature, seed: 0 for the most probable answer, above 0 for one drawn with the seed
    """

    url: str
    model: str
    ca: Path | None = None
    parallel: int = 8
    seconds: float = 30.0
    prompts: Path | None = None
    context: int = 4096
    max_findings: int = 64
    temperature: float = 0.0
    seed: int = 0
