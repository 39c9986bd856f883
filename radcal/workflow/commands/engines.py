"""What the extraction engines can do on this machine, for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from radcal.progress import SILENT, Progress
from radcal.workflow.runs.machine import look_at_machine


def engines_here(models: Sequence[Path] = (), progress: Progress = SILENT) -> dict[str, Any]:
    """Look at the build of llama.cpp, its devices and the models at hand.

    Returns:
        The summary: ``build`` (None if llama.cpp cannot be started), ``models``, ``missing``, ``failures`` (the models
        that cannot be used, and why) and ``text``.
    """
    machine = look_at_machine(models, progress)
    failures = [f"{fit.model}: {fit.problem}" for fit in machine.models if fit.problem]
    return {
        "build": asdict(machine.build) if machine.build else None,
        "models": [
            {
                "model": fit.model,
                "usable": not fit.problem,
                "problem": fit.problem,
                "layers": fit.layers,
                "gpu_layers": fit.gpu_layers,
                "parallel": fit.parallel,
                "unverified": fit.unverified,
                "tried": fit.tried,
            }
            for fit in machine.models
        ],
        "missing": list(machine.missing),
        "failures": [machine.problem] if machine.build is None else failures,
        "text": "\n".join(machine.sentences),
    }
