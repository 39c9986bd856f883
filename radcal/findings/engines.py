"""The extraction engines by name, and their measured accuracy."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from radcal.findings.model.library import library
from radcal.findings.records import Extraction, Extractor, Identified
from radcal.reports.records import Document
from radcal.system import policy
from radcal.system.errors import EngineError, InputError, RadcalError
from radcal.system.files import plain_to_record
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import model_file, models_folder, resource
from radcal.system.settings import Settings
from radcal.system.text import EMPTY, Text
from radcal.system.workers import Answer, Plain, elsewhere, number_of
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import Phrase
from radcal.words.studies import laid_over

if TYPE_CHECKING:
    from radcal.findings.model.options import LlamaOptions
    from radcal.findings.readers.chance import Kind
    from radcal.findings.readers.pairs import PairReader

ENGINES = ("rules", "llama", "served")
"""Names accepted by :func:`make_engine`, the default first."""
_MOST_READING = 4
"""Processes that read by rules, chosen by the machine: more wait for the one that stores what they read."""


@runtime_checkable
class Pausable(Protocol):
    """An engine that computes elsewhere, in another process or on a server, and can be paused."""

    def pause(self) -> None: ...
    def resume(self) -> None: ...


@dataclass(frozen=True, slots=True)
class EngineFit:
    """How an engine would run on this machine; bytes.

    model: of the engine, or of what reads beside the rules; '' for the rules alone
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


def fit_engine(settings: Settings, progress: Progress = SILENT) -> EngineFit:
    """How the engine in the settings would run on this machine; loads nothing, and asks no server."""
    from radcal.findings.model.local_model import LocalModel

    name, named = settings.engine, Path(settings.model_file).name
    try:
        extractor = make_engine(name, settings.model if settings.uses_model_file else "", settings)
    except InputError as error:
        return EngineFit(name, settings.served_model if settings.reads_at_server else named, problem=str(error))
    reader = getattr(extractor, "reader", None)
    if not isinstance(reader, LocalModel):
        close_engine(extractor)
        return EngineFit(name, model_name(extractor), extraction_accuracy(extractor))
    try:
        fit = reader.fit(progress)
        # The shipped figures are of the shipped model: reading a large file for its checksum would tell nothing.
        accuracy = extraction_accuracy(extractor) if not settings.model_file else ""
    except (InputError, EngineError) as error:
        return EngineFit(name, reader.model.name, problem=str(error))
    finally:
        close_engine(extractor)
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
        reasons=fit.reasons,
        unverified=unverified_model(settings),
    )


def unverified_model(settings: Settings) -> str:
    """A warning that the checksum of the model file in use is unknown; '' if it is known or there is no file.

    Raises:
        InputError: a list of checksums cannot be read.
    """
    from radcal.findings.model.gguf_file import unverified

    # The shipped one is known.
    return unverified(Path(settings.model_file)) if settings.model_file else ""


def make_engine(
    name: str = ENGINES[0], model: str = "", settings: Settings | None = None, lexicon: Lexicon | None = None
) -> Extractor:
    """Create an extraction engine.

    Args:
        name: one of ENGINES.
        model: the file of the model that reads alone, for "llama"; '' for the small one that ships with RadCal.
        settings: what reads beside the rules, the options of models and of the server, how many processes read by rules
            alone, and the department's own vocabulary; if None, the defaults, and a single process.
        lexicon: a department's lexicon from :func:`radcal.words.extraction_words.for_reading`; None for the shipped
            one.

    Raises:
        InputError: unknown engine, damaged data files, an unusable model file or server, or the department's own
            vocabulary is gone or broken.
    """
    settings = settings or Settings(workers=1)
    own = laid_over(settings)
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise InputError("There is no extraction engine {name!r}. Known: {engines}.", name=name, engines=known)
    if model and name != "llama":
        raise InputError(
            "The engine {name!r} uses no model file of its own. Leave the model out, or choose the engine 'llama'.",
            name=name,
        )
    if name != "rules":
        from radcal.findings.readers.alone import ReadingAlone

        reader = pair_reader("served" if name == "served" else model or "bundled", settings, lexicon)
        return _shared(ReadingAlone(reader, lexicon, own), 1, settings.changed(engine=name, model=model), lexicon)
    from radcal.findings.rules.engine import rules_engine

    # Beside a second reader they wait anyway: one process is enough for the rules.
    rules, n = rules_engine(None, lexicon, own), number_of(settings.workers, _MOST_READING)
    alone = settings.changed(engine=name, model="", second="none")
    if (second := second_reader(settings, lexicon)) is None:
        return _shared(rules, n, alone, lexicon)
    from radcal.findings.readers.second import TwoReaders

    kind: Kind = "bundled" if settings.second == "bundled" else "model"
    least = None if settings.unread_below < 0 else settings.unread_below
    both = TwoReaders(rules, second, kind, lexicon or load_lexicon(), own, least)
    return _shared(both, 1, alone.changed(second=settings.second), lexicon)


def _shared(engine: Extractor, n: int, settings: Settings, lexicon: Lexicon | None) -> Extractor:
    """The engine, whose reports several read where there are several: ``n`` processes here, or a cluster.

    A server is asked from here alone.
    """
    if settings.reads_at_server or (n == 1 and elsewhere() is None):
        return engine
    from radcal.findings.side_by_side import SideBySide

    return SideBySide(engine, n, settings, lexicon)


def prepare(order: Plain) -> Answer:
    """What reads reports by the settings and the words of an order.

    Raises:
        InputError: it would read otherwise than whoever gave the order: other words, another model, other processors.
    """
    from radcal.findings.side_by_side import identity_of, reading

    phrases, settings = order["phrases"], Settings.from_dict(order["settings"])
    lexicon = None if phrases is None else Lexicon(tuple(plain_to_record(p, Phrase) for p in phrases))
    engine = make_engine(settings.engine, settings.model, settings, lexicon)
    if identity_of(engine) != order["identity"]:
        raise InputError(
            "What reads reports is not the same everywhere. Give every computer the same words (lexicon_dir), the same "
            "model file and the same kind of processor."
        )
    return reading(engine)


def second_reader(settings: Settings, lexicon: Lexicon | None = None) -> PairReader | None:
    """What reads beside the rules, None for nothing, or while it cannot; as of :func:`pair_reader`."""
    off = settings.second == "none" or why_alone(settings)
    return None if off else pair_reader(settings.second, settings, lexicon)


def why_alone(settings: Settings) -> Text:
    """Why the rules read alone although a second reader is chosen; an empty text if they do not."""
    if settings.engine != "rules" or settings.second in ("none", "served"):
        return EMPTY
    state = library()
    return EMPTY if state.ready else Text("The second reader is off, the rules read alone. {why}", why=state.why_not)


def pair_reader(which: str, settings: Settings, lexicon: Lexicon | None = None) -> PairReader:
    """A model that says how certain sentences are.

    Args:
        which: "bundled", "served", or the path of a model file.
        settings, lexicon: as of :func:`make_engine`.

    Raises:
        InputError: an unusable model file or server, or the department's own vocabulary is gone or broken.
    """
    lexicon, own = lexicon or load_lexicon(), laid_over(settings)
    if which == "served":
        from radcal.findings.served.pair_reader import ServedPairReader

        return ServedPairReader(settings, lexicon, own)
    from radcal.findings.model.local_pairs import LocalPairReader

    return LocalPairReader(None if which == "bundled" else Path(which), engine_options(settings), lexicon, own)


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
    return str(getattr(getattr(engine, "reader", engine), "host", ""))


def sent_by(engine: object) -> int:
    """Reports whose text an engine has sent since it was made."""
    return int(getattr(getattr(engine, "reader", engine), "sent", 0))


def model_name(engine: object) -> str:
    """The name of the model file, or of the served model with its host, alone or beside the rules; '' for none."""
    reader = getattr(engine, "reader", engine)
    model = getattr(reader, "model", None)
    return model.name if isinstance(model, Path) else getattr(reader, "model_name", "")


def in_words(engine: str, model: str) -> str:
    """What reads: "rules", "rules and tiny.gguf", "llama", "served: qwen at llm.example".

    Args:
        model: as of :func:`model_name`.
    """
    named = {"rules": f"{engine} and {model}", "served": f"{engine}: {model}"}
    return named.get(engine, engine) if model else engine


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
            said = Text(
                "F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} made-up reports, unseen before", **figures
            )
            return Text("an earlier version: {figures}", figures=said) if entry["earlier"] else said
    return Text()
