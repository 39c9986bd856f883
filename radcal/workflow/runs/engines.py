"""The extraction engines by name, and what is known of their accuracy."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from radcal import __version__
from radcal.errors import EngineError, InputError, RadcalError
from radcal.progress import SILENT, Progress
from radcal.resources import resource
from radcal.settings import Settings
from radcal.text import Text

if TYPE_CHECKING:
    from radcal.extract.by_llama.options import LlamaOptions
    from radcal.lexicon.phrases import Lexicon
    from radcal.records import Document, Extraction, Extractor

ENGINES = ("rules", "llama")
"""Names that :func:`make_engine` knows, the default first."""


class Identified(Protocol):
    """What says which engine a result is of: an engine itself, or a run of one."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def settings_hash(self) -> str: ...


@runtime_checkable
class Pausable(Protocol):
    """An engine that computes in a process of its own, which can wait."""

    def pause(self) -> None: ...
    def resume(self) -> None: ...


@dataclass(frozen=True, slots=True)
class EngineFit:
    """How an engine would run on this machine; bytes.

    problem: why it cannot, in words; '' if it can
    weights, keys_and_values, computing: the need of memory; 0 for an engine that needs none to speak of
    main, gpu: the part of it in main memory and on the GPU;  main_free, gpu_free: None where unknown
    layers, gpu_layers: layers of the model, and those on the GPU
    small: the model reads single sentences, as the one that ships does
    unverified: that no checksum of the model is known, in a sentence; '' where one is
    reasons: what was chosen and why, in sentences
    """

    engine: str
    model: str = ""
    accuracy: str = ""
    problem: str = ""
    weights: int = 0
    keys_and_values: int = 0
    computing: int = 0
    main: int = 0
    main_free: int | None = None
    gpu: int = 0
    gpu_free: int | None = None
    gpu_name: str = ""
    layers: int = 0
    gpu_layers: int = 0
    parallel: int = 1
    threads: int = 1
    context: int = 0
    small: bool = False
    reasons: tuple[str, ...] = ()
    unverified: str = ""


def engine_options(settings: Settings) -> LlamaOptions:
    """The Llama engine's options as the settings have them; 0 and -1 stand for 'by the machine'."""
    from radcal.extract.by_llama.options import LlamaOptions

    return LlamaOptions(
        context=settings.llama_context,
        parallel=settings.llama_parallel or None,
        threads=settings.llama_threads or None,
        gpu_layers=None if settings.llama_gpu_layers < 0 else settings.llama_gpu_layers,
        prompt=settings.llama_prompt,
        prompts=Path(settings.llama_prompts) if settings.llama_prompts else None,
        review_below=settings.review_below,
        report_seconds=settings.llama_report_seconds,
        temperature=settings.llama_temperature,
        seed=settings.llama_seed,
    )


def fit_engine(settings: Settings, progress: Progress = SILENT) -> EngineFit:
    """Whether the settings' engine fits this machine, and how it would be run; nothing is loaded."""
    if settings.engine != "llama":
        return EngineFit(settings.engine, accuracy=extraction_accuracy(make_engine(settings.engine)))
    from radcal.extract.by_llama.engine import llama_engine

    try:
        engine = llama_engine(Path(settings.model) if settings.model else None, engine_options(settings))
    except InputError as error:
        return EngineFit("llama", Path(settings.model).name, problem=str(error))
    try:
        fit = engine.fit(progress)
        # The shipped figures are of the shipped model: reading a large file for its checksum would tell nothing.
        accuracy = extraction_accuracy(engine) if not settings.model else ""
    except (InputError, EngineError) as error:
        return EngineFit("llama", engine.model.name, problem=str(error))
    finally:
        engine.close()
    load = fit.load
    return EngineFit(
        engine="llama",
        model=engine.model.name,
        accuracy=accuracy,
        weights=load.weights,
        keys_and_values=load.keys_and_values,
        computing=load.computing,
        main=load.main_bytes,
        main_free=fit.free,
        gpu=load.gpu_bytes,
        gpu_free=load.device.free if load.device else None,
        gpu_name=load.device.name if load.device else "",
        layers=load.shape.layers + 1,
        gpu_layers=fit.plan.gpu_layers,
        parallel=fit.plan.parallel,
        threads=fit.plan.threads,
        context=fit.plan.context,
        small=fit.sentences,
        reasons=fit.reasons,
        unverified=unverified_model(settings.engine, settings.model),
    )


def unverified_model(engine: str, model: str) -> str:
    """That no checksum of an engine's model file is known, in a sentence; '' where one is, or there is no file.

    Raises:
        InputError: a list of checksums cannot be read.
    """
    from radcal.llama.gguf_file import unverified

    return unverified(Path(model)) if engine == "llama" and model else ""  # that of RadCal is listed


def make_engine(
    name: str = ENGINES[0], model: str = "", settings: Settings | None = None, lexicon: Lexicon | None = None
) -> Extractor:
    """The extraction engine of that name.

    Args:
        name: one of ENGINES.
        model: the Llama engine's model file; '' for the small model that ships with RadCal.
        settings: where the Llama engine's options are taken from; the defaults if None.
        lexicon: a department's words, as :func:`radcal.lexicon.extraction_words.for_reading` gives them; None for the
            shipped ones.

    Raises:
        InputError: there is no such engine, its data files are broken, or the model file is none.
    """
    if model and name != "llama":
        raise InputError(
            "The engine {name!r} uses no model file. Leave the model out, or choose the engine 'llama'.", name=name
        )
    if name == "rules":
        from radcal.extract.rules import rules_engine

        return rules_engine(lexicon=lexicon)
    if name == "llama":
        from radcal.extract.by_llama.engine import llama_engine

        return llama_engine(Path(model) if model else None, engine_options(settings or Settings()), lexicon)
    raise InputError("There is no extraction engine {name!r}. Known: {engines}.", name=name, engines=", ".join(ENGINES))


def close_engine(engine: Extractor) -> None:
    """End what the engine keeps running and let it forget the text that it remembers, where it has any of these."""
    for name in ("forget", "close"):
        end = getattr(engine, name, None)
        if end is not None:
            end()


def model_name(engine: Extractor) -> str:
    """The name of the engine's model file, '' for an engine without one."""
    model = getattr(engine, "model", None)
    return model.name if isinstance(model, Path) else ""


def extracted(engine: Extractor, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
    """What the engine makes of each document.

    Raises:
        EngineError: the engine failed altogether.  The message says where, not at what: the engine's own
            words could be a report's.
    """
    n = 0
    try:
        for extraction in engine.extract(documents, progress):
            yield extraction
            n += 1
    except RadcalError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an engine raises may quote a report
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
        raise EngineError(
            "The extraction engine {name!r} failed ({where}) after {n:,} reports. This is a "
            "fault of RadCal: please report it.",
            name=engine.name,
            where=where,
            n=n,
        ) from None


def extraction_accuracy(engine: Identified) -> Text:
    """What was measured of an engine on annotated reports, in words; '' if this version with these settings was not."""
    measured = json.loads(resource("extraction_accuracy.json").read_text(encoding="utf-8"))
    for entry in measured:
        if (entry["engine"], entry["version"], entry["settings_hash"]) == (
            engine.name,
            engine.version,
            engine.settings_hash,
        ):
            figures = {key: entry[key] for key in ("f1", "low", "high", "reports")}
            said = Text("F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} unseen reports", **figures)
            return Text("an earlier version: {figures}", figures=said) if entry["earlier"] else said
    return Text()


def versions() -> dict[str, str]:
    """Versions of RadCal and of the packages that results depend on."""
    import platform
    from importlib.metadata import version

    packages = ("numpy", "scipy", "pandas", "pot", "typst")
    return {"radcal": __version__, "python": platform.python_version(), **{p: version(p) for p in packages}}
