"""The extraction engines by name, and what is known of their accuracy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from radcal import __version__
from radcal.errors import InputError
from radcal.resources import resource

if TYPE_CHECKING:
    from radcal.records import Extractor

ENGINES = ("rules",)
"""Names that :func:`make_engine` knows, the default first."""


def make_engine(name: str = ENGINES[0]) -> Extractor:
    """The extraction engine of that name.

    Raises:
        InputError: there is no such engine, or its data files are broken.
    """
    if name == "rules":
        from radcal.extract.rules import rules_engine

        return rules_engine()
    raise InputError(f"There is no extraction engine {name!r}. Known: {', '.join(ENGINES)}.")


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
