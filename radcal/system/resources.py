"""RadCal's data files, in a checkout and in an installed wheel."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from radcal.system.errors import InputError


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder, e.g. ``resource("lexicon", "phrases.csv")``.

    Raises:
        InputError: the installation is incomplete.
    """
    path = _shipped("resources", *parts)
    if path is None:
        raise InputError("The file {parts} of RadCal is missing. Install RadCal again.", parts="/".join(parts))
    return path


def patterns(*parts: str, **given: str) -> Mapping[str, re.Pattern[str]]:
    """The regular expressions of a shipped TOML file, by name.

    In its tables ``patterns`` and ``parts``, which are there for the others, ``{name}`` stands for a part, and several
    strings in brackets are one expression.  ``given`` are further parts, which code makes; they stay as they are.

    Raises:
        InputError: the installation is incomplete.
    """
    tables = tomllib.loads(resource(*parts).read_text(encoding="utf-8"))
    named = tables.get("parts", {})

    def whole(written: str | list[str]) -> str:
        return re.sub(r"\{([a-z_]+)\}", lambda m: given.get(m[1]) or whole(named[m[1]]), "".join(written))

    return {name: re.compile(whole(written)) for name, written in tables["patterns"].items()}


@cache
def words_of(*parts: str) -> tuple[str, ...]:
    """The words of a shipped text, between spaces.

    Raises:
        InputError: the installation is incomplete.
    """
    return tuple(resource(*parts).read_text(encoding="utf-8").split())


def word_lists(*parts: str, table: str = "words") -> dict[str, tuple[str, ...]]:
    """The entries of a table of a shipped TOML file: of each the words that it lists, between spaces.

    Raises:
        InputError: the installation is incomplete.
    """
    entries = tomllib.loads(resource(*parts).read_text(encoding="utf-8"))[table]
    return {name: tuple(words.split()) for name, words in entries.items()}


def meanings(*parts: str, table: str) -> dict[str, str]:
    """The same by word: the name of the entry that lists it."""
    return {word: name for name, words in word_lists(*parts, table=table).items() for word in words}


def table_rows(*parts: str) -> list[list[str]]:
    """The rows of a shipped table below its header, as cells with tabs between them; a line with a # is a remark.

    Raises:
        InputError: the installation is incomplete.
    """
    lines = resource(*parts).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")][1:]


def model_file(name: str) -> Path:
    """The path of a shipped model in ``models/``.

    Raises:
        InputError: the installation is incomplete.
    """
    path = _shipped("models", name)
    if path is None:
        raise InputError(
            "The model {name} of RadCal is missing. Install RadCal again, or choose a model file of your own.",
            name=name,
        )
    return path


def models_folder() -> Path | None:
    """The folder ``models/``, None where the installation lacks it."""
    return _shipped("models")


def _shipped(folder: str, *parts: str) -> Path | None:
    """The path below a shipped folder, which a wheel has inside the package and a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    paths = [root.joinpath(*parts) for root in (package / f"_{folder}", package.parent / folder)]
    return next((path for path in paths if path.exists()), None)
