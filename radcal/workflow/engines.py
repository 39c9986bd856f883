"""The extraction engines by name, and what is known of their accuracy."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from radcal import __version__
from radcal.errors import EngineError, InputError, RadcalError
from radcal.progress import Progress
from radcal.resources import resource

if TYPE_CHECKING:
    from radcal.records import Document, Extraction, Extractor

ENGINES = ("rules", "llama")
"""Names that :func:`make_engine` knows, the default first."""


def make_engine(name: str = ENGINES[0], model: str = "") -> Extractor:
    """The extraction engine of that name.

    Args:
        name: one of ENGINES.
        model: the Llama engine's model file; '' for the small model that ships with RadCal.

    Raises:
        InputError: there is no such engine, its data files are broken, or the model file is none.
    """
    if model and name != "llama":
        raise InputError(f"The engine {name!r} uses no model file. Leave the model out, or choose the engine 'llama'.")
    if name == "rules":
        from radcal.extract.rules import rules_engine

        return rules_engine()
    if name == "llama":
        from radcal.extract.llama.engine import llama_engine

        return llama_engine(Path(model) if model else None)
    raise InputError(f"There is no extraction engine {name!r}. Known: {', '.join(ENGINES)}.")


def close_engine(engine: Extractor) -> None:
    """End what the engine keeps running and let it forget the text that it remembers, where it has any of these."""
    for name in ("forget", "close"):
        end = getattr(engine, name, None)
        if end is not None:
            end()


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
            f"The extraction engine {engine.name!r} failed ({where}) after {n:,} reports. "
            "This is a fault of RadCal: please report it."
        ) from None


def extraction_accuracy(engine: Extractor) -> str:
    """What was measured of an engine on annotated reports, in words; '' if this version with these settings was not."""
    measured = json.loads(resource("extraction_accuracy.json").read_text(encoding="utf-8"))
    for entry in measured:
        if (entry["engine"], entry["version"], entry["settings_hash"]) == (
            engine.name,
            engine.version,
            engine.settings_hash,
        ):
            return str(entry["text"])
    return ""


def versions() -> dict[str, str]:
    """Versions of RadCal and of the packages that results depend on."""
    import platform
    from importlib.metadata import version

    packages = ("numpy", "scipy", "pandas", "pot", "typst")
    return {"radcal": __version__, "python": platform.python_version(), **{p: version(p) for p in packages}}
