"""The extraction engines by name, and their measured accuracy."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from radcal.findings.cascade import Cascade
from radcal.findings.records import Extraction, Extractor, Identified
from radcal.reports.records import Document
from radcal.system import policy
from radcal.system.errors import EngineError, InputError, RadcalError
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import model_file, models_folder, resource
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.system.workers import number_of
from radcal.words.phrases import Lexicon
from radcal.words.word_files import own_folder

if TYPE_CHECKING:
    from radcal.findings.alone import ReadingAlone
    from radcal.findings.cascade import SecondReader
    from radcal.findings.model.local_pairs import LocalPairReader
    from radcal.findings.model.options import LlamaOptions
    from radcal.findings.served.engine import ServedOptions

ENGINES = ("rules", "llama", "cascade", "served")
"""Names accepted by :func:`make_engine`, the default first."""
_MOST_READING = 4
"""Processes that read by rules, chosen by the machine: more wait for the one that stores what they read."""


@runtime_checkable
class Pausable(Protocol):
    """An engine that computes elsewhere, in another process or on a server, and can be paused."""

    def pause(self) -> None: ...
    def resume(self) -> None: ...


@runtime_checkable
class Sending(Protocol):
    """An engine that may send report texts to a host: "llm.example:8443"; :func:`sends_to` tells whether it does.

    sent: reports whose text was sent since the engine was made
    """

    @property
    def sent(self) -> int: ...
    @property
    def host(self) -> str: ...


@dataclass(frozen=True, slots=True)
class EngineFit:
    """How an engine would run on this machine; bytes.

    problem: why it would not, in words; '' if it would
    weights, keys_and_values, computing: memory required; 0 for an engine that needs little
    main, gpu: required main and GPU memory;  main_free, gpu_free: None if unknown
    layers, gpu_layers: layers of the model, and those on the GPU
    reasons: the choices made and why, in sentences
    unverified: a warning that the model's checksum is unknown; '' if it is known
    tried: it has read a sentence here
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
    reasons: tuple[str, ...] = ()
    unverified: str = ""
    tried: bool = False


def engine_options(settings: Settings) -> LlamaOptions:
    """The Llama engine's options in the settings; where these are 0 or -1, None: chosen to fit the machine."""
    from radcal.findings.model.options import LlamaOptions

    return LlamaOptions(
        context=settings.llama_context,
        threads=settings.llama_threads or None,
        gpu_layers=None if settings.llama_gpu_layers < 0 else settings.llama_gpu_layers,
        prompts=Path(settings.llama_prompts) if settings.llama_prompts else None,
        report_seconds=settings.llama_report_seconds,
    )


def served_options(settings: Settings) -> ServedOptions:
    """The served engine's options in the settings."""
    from radcal.findings.served.engine import ServedOptions

    return ServedOptions(
        url=settings.served_url,
        model=settings.served_model,
        ca=Path(settings.served_ca) if settings.served_ca else None,
        parallel=settings.served_parallel,
        seconds=settings.served_seconds,
        prompts=Path(settings.llama_prompts) if settings.llama_prompts else None,
        context=settings.llama_context,
        temperature=settings.llama_temperature,
        seed=settings.llama_seed,
    )


def fit_engine(settings: Settings, progress: Progress = SILENT) -> EngineFit:
    """How the engine in the settings would run on this machine; loads nothing, and asks no server."""
    name = settings.engine
    if settings.reads_at_server:
        return _fit_served(settings)
    try:
        extractor = make_engine(name, settings.model if name != "rules" else "", settings)
    except InputError as error:
        return EngineFit(name, Path(settings.model).name if name != "rules" else "", problem=str(error))
    if name == "rules":
        return EngineFit(name, accuracy=extraction_accuracy(extractor))
    alone = cast("ReadingAlone", extractor.second if isinstance(extractor, Cascade) else extractor)
    reader = cast("LocalPairReader", alone.reader)
    try:
        fit = reader.fit(progress)
        # The shipped figures are of the shipped model: reading a large file for its checksum would tell nothing.
        accuracy = extraction_accuracy(extractor) if not settings.model else ""
    except (InputError, EngineError) as error:
        return EngineFit(name, reader.model.name, problem=str(error))
    finally:
        reader.close()
    load = fit.load
    return EngineFit(
        engine=name,
        model=reader.model.name,
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
        threads=fit.plan.threads,
        context=fit.plan.context,
        reasons=fit.reasons,
        unverified=unverified_model(settings),
    )


def _fit_served(settings: Settings) -> EngineFit:
    """Whether the server is set up: it needs nothing of this machine."""
    name = settings.engine
    try:
        engine = make_engine(name, settings.model, settings)
    except InputError as error:
        return EngineFit(name, settings.served_model, problem=str(error))
    close_engine(engine)
    return EngineFit(name, model_name(engine), parallel=settings.served_parallel, context=settings.llama_context)


def unverified_model(settings: Settings) -> str:
    """A warning that the checksum of the engine's model file is unknown; '' if it is known or there is no file.

    Raises:
        InputError: a list of checksums cannot be read.
    """
    from radcal.findings.model.gguf_file import unverified

    # The shipped one is known.
    return unverified(Path(settings.model)) if settings.uses_model_file and settings.model else ""


def make_engine(
    name: str = ENGINES[0], model: str = "", settings: Settings | None = None, lexicon: Lexicon | None = None
) -> Extractor:
    """Create an extraction engine.

    Args:
        name: one of ENGINES.
        model: the Llama's model file; '' for the small model that ships with RadCal.
        settings: the options of the Llama, of the served engine and of the cascade, which of both that asks, how many
            processes read by rules, and the department's own vocabulary; if None, the defaults, and a single process.
        lexicon: a department's lexicon from :func:`radcal.words.extraction_words.for_reading`; None for the shipped
            one.

    Raises:
        InputError: unknown engine, damaged data files, an unusable model file or server, or the department's own
            vocabulary is gone or broken.
    """
    settings = settings or Settings(workers=1)
    if model and name in ("rules", "served"):
        raise InputError(
            "The engine {name!r} uses no model file. Leave the model out, or choose the engine 'llama'.", name=name
        )
    if model and name == "cascade" and settings.cascade_second == "served":
        raise InputError(
            "A cascade that asks the server uses no model file. Leave the model out, or have it ask a Llama "
            "(--set cascade_second=llama)."
        )
    if name == "rules":
        from radcal.findings.rules.engine import rules_engine
        from radcal.findings.rules.side_by_side import rules_side_by_side

        n = number_of(settings.workers, _MOST_READING)
        if n > 1:
            return rules_side_by_side(n, lexicon, own_folder(settings))
        return rules_engine(None, lexicon, own_folder(settings))
    if name == "served":
        from radcal.findings.served.engine import served_engine
        from radcal.findings.served.keys import server_key

        return served_engine(
            served_options(settings), lexicon, own_folder(settings), partial(server_key, settings.served_url)
        )
    if name == "llama":
        from radcal.findings.alone import reading_alone
        from radcal.findings.model.local_pairs import local_pair_reader

        own = own_folder(settings)
        reader = local_pair_reader(Path(model) if model else None, engine_options(settings), lexicon, own)
        return reading_alone(reader, lexicon, own)
    if name == "cascade":
        second = cast("SecondReader", make_engine(settings.cascade_second, model, settings, lexicon))
        # It waits for the second reader anyway.
        rules = make_engine(settings=settings.changed(workers=1), lexicon=lexicon)
        return Cascade(rules, second, settings.cascade_asks)
    raise InputError("There is no extraction engine {name!r}. Known: {engines}.", name=name, engines=", ".join(ENGINES))


def shipped_model() -> Path:
    """The file of the small Llama that ships with RadCal.

    Raises:
        InputError: it is missing.
    """
    from radcal.findings.model.local_pairs import DEFAULT_MODEL

    return model_file(DEFAULT_MODEL)


def models_at_hand(*, shipped: bool = True) -> tuple[Path, ...]:
    """The model files in RadCal's folder of models and in the one that IT has named, each sorted.

    Args:
        shipped: RadCal's own, which reads reports alone, comes first if it is there; else it is left out.
    """
    from radcal.findings.model.local_pairs import DEFAULT_MODEL

    folder = models_folder()
    found = sorted(folder.glob("*.gguf"), key=lambda path: (path.name != DEFAULT_MODEL, path)) if folder else []
    if further := policy.in_use().workstation("models_folder"):
        found += sorted(Path(further).glob("*.gguf"))
    return tuple(path for path in found if shipped or path.name != DEFAULT_MODEL)


def close_engine(engine: Extractor) -> None:
    """Clear the engine's cache of report text and end its process, if it has any."""
    for name in ("forget", "close"):
        end = getattr(engine, name, None)
        if end is not None:
            end()


def sends_to(engine: object) -> str:
    """The host that an engine sends report texts to: "llm.example:8443"; '' if they stay on this computer."""
    return engine.host if isinstance(engine, Sending) else ""


def sent_by(engine: object) -> int:
    """Reports whose text an engine has sent since it was made."""
    return engine.sent if isinstance(engine, Sending) else 0


def model_name(engine: Extractor) -> str:
    """The name of the engine's model file, or of its served model with the host; '' for an engine without one."""
    reader = getattr(engine, "reader", engine)
    model = getattr(reader, "model", None)
    return model.name if isinstance(model, Path) else getattr(reader, "model_name", "")


def extracted(engine: Extractor, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
    """The engine's extraction of each document.

    Raises:
        EngineError: the engine itself failed.  The message tells where in the code, and nothing of the original
            message, which may quote a report.
    """
    n = 0
    try:
        for extraction in engine.extract(documents, progress):
            yield extraction
            n += 1
    except RadcalError:
        raise
    except Exception as error:  # noqa: BLE001 - any message of an engine may quote a report
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
    """The accuracy measured on annotated reports for this version and settings, in words; '' if not measured."""
    identity = (engine.name, engine.version, engine.settings_hash)
    for entry in json.loads(resource("extraction_accuracy.json").read_text(encoding="utf-8")):
        if (entry["engine"], entry["version"], entry["settings_hash"]) == identity:
            figures = {key: entry[key] for key in ("f1", "low", "high", "reports")}
            said = Text("F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} unseen reports", **figures)
            return Text("an earlier version: {figures}", figures=said) if entry["earlier"] else said
    return Text()
