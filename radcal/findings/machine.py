"""What this machine can do: the build of llama.cpp, its devices, the models at hand, and what is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.findings.engines import EngineFit, close_engine, fit_engine, make_engine, models_at_hand, shipped_model
from radcal.reports.records import Modality
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import EMPTY, Text, joined

if TYPE_CHECKING:
    from radcal.findings.model.process import Abilities

_GIB = 1 << 30
_SENTENCE = "There is a small pleural effusion."
_GPU_FLAGS = {"linux": ("GGML_CUDA", "GGML_VULKAN"), "win32": ("GGML_CUDA", "GGML_VULKAN"), "darwin": ("GGML_METAL",)}


@dataclass(frozen=True, slots=True)
class Machine:
    """What this machine can do.

    build: None if llama.cpp cannot be started;  problem: why, else ''
    models: how each model file would run here
    missing: what would make it faster or work at all, with the command
    """

    build: Abilities | None
    problem: str
    models: tuple[EngineFit, ...]
    missing: tuple[Text, ...]

    @property
    def sentences(self) -> tuple[Text, ...]:
        """All of it for people, a line each."""
        lines = [
            Text("The rules run everywhere."),
            Text("A server of the hospital can read as well (the engine served)."),
        ]
        if self.build is None:
            lines.append(Text(self.problem))
        else:
            lines += _of_build(self.build)
        lines += [_of_model(model) for model in self.models]
        return (*lines, *self.missing)


def look_at_machine(models: Sequence[Path] = (), progress: Progress = SILENT) -> Machine:
    """Look at the build, its devices, the model files in models/, and ``models``; of the shipped
    one alone the weights are loaded, and it reads a sentence.

    Raises:
        InputError: the shipped model is missing.
    """
    from radcal.findings.model.process import abilities

    shipped_model()  # an incomplete installation is said before anything is tried
    try:
        build = abilities(progress)
    except EngineError as error:
        return Machine(None, str(error), (), (Text(_command(EMPTY)),))
    fits = [_tried(fit_engine(Settings(engine="llama"), progress), progress)]
    for path in (*models_at_hand(shipped=False), *models):
        progress.raise_if_cancelled()
        fits.append(fit_engine(Settings(engine="llama", model=str(path)), progress))
    return Machine(build, "", tuple(fits), tuple(_missing(build)))


def _tried(fit: EngineFit, progress: Progress) -> EngineFit:
    """The shipped model's fit, after it has read a sentence; with the reason if it could not."""
    from radcal.reports.sections import document

    if fit.problem:
        return fit
    try:
        engine = make_engine("llama")
        try:
            [read] = engine.extract([document("", _SENTENCE, Modality.XRAY)], progress)
        finally:
            close_engine(engine)
    except (InputError, EngineError) as error:
        return replace(fit, problem=str(error))
    return replace(fit, problem=read.failure, tried=not read.failure)


def _of_build(build: Abilities) -> list[Text]:
    lines = [
        Text(
            "llama-cpp-python {version}, built for {backends}.",
            version=build.version,
            backends=", ".join(build.backends),
        ),
        Text("Instruction sets of the processor in use: {names}.", names=", ".join(build.processor)),
    ]
    if build.free is not None:
        lines.append(Text("Main memory: {free:.1f} GiB free.", free=build.free / _GIB))
    lines += [
        Text(
            "GPU {name}: {free:.1f} of {total:.1f} GiB free.",
            name=device.name,
            free=device.free / _GIB,
            total=device.total / _GIB,
        )
        for device in build.devices
    ]
    return lines


def _of_model(fit: EngineFit) -> Text:
    if fit.problem:
        return Text("{model} cannot be used: {problem}", model=fit.model, problem=fit.problem)
    where = Text("on the processor")
    if fit.gpu_layers:
        where = Text("{n} of {total} layers on the GPU", n=fit.gpu_layers, total=fit.layers)
    if fit.tried:
        line = Text("{model} runs here, {where}: it has read a sentence.", model=fit.model, where=where)
    else:
        line = Text("{model} fits here, {where}; it was not tried.", model=fit.model, where=where)
    return joined([line, fit.unverified])


def _missing(build: Abilities) -> list[Text]:
    if build.gpu_build:
        if build.devices:
            return []
        return [
            Text(
                "The build supports GPUs ({backends}), but none is found. Install or update the driver of the graphics "
                "card, and see whether the driver's own tool (nvidia-smi, vulkaninfo) lists the card.",
                backends=", ".join(name for name in build.backends if name != "CPU"),
            )
        ]
    if getattr(sys, "frozen", False):
        return [
            Text(
                "This packaged program reads on the processor alone. For a GPU, run RadCal from its source, as "
                "docs/gpu.md says."
            )
        ]
    flags = _GPU_FLAGS.get(sys.platform, _GPU_FLAGS["linux"])
    return [
        Text(
            "The build reads on the processor alone. If this machine has a GPU, the page docs/gpu.md says what to "
            "install first; then: {command}",
            command=_command(flag),
        )
        if flag == flags[0]
        else Text("For a GPU of AMD or Intel: {command}", command=_command(flag))
        for flag in flags
    ]


def _pinned() -> str:
    """llama-cpp-python with the version that RadCal is made for."""
    try:
        named = requires("radcal") or []
    except PackageNotFoundError:  # run from its source without having been installed
        named = []
    return next((r for r in named if r.startswith("llama-cpp-python")), "llama-cpp-python")


def _command(flag: str) -> str:
    """The command that builds the pinned llama-cpp-python anew in this environment; ``flag``: for which GPU."""
    options = "--force-reinstall --no-deps --no-cache-dir --no-binary llama-cpp-python"
    command = f'"{sys.executable}" -m pip install {options} {_pinned()}'
    if not flag:
        return command
    if sys.platform == "win32":
        return f'$env:CMAKE_ARGS="-D{flag}=on"; & {command}'
    return f'CMAKE_ARGS="-D{flag}=on" {command}'
