"""What the library's functions take: settings by their names, a lexicon, and observations."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from radcal.calibration.records import Tables
from radcal.calibration.tables import NEEDED, Observed, build_tables, observed
from radcal.system import policy
from radcal.system.errors import InputError, RadcalError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import wordings
from radcal.system.settings import Settings
from radcal.system.text import Text, either, joined
from radcal.words.phrases import Lexicon, load_lexicon

Given = pd.DataFrame | Mapping[str, Sequence[Any]] | str | Path
"""Observations: a DataFrame, its columns by name, or the path of a file of them."""
shipped = cache(load_lexicon)
FILE = Text("the path of a file")
_HERE = str(Path(__file__).parents[1])
_OPTION = re.compile(r"--(map|set) (\w+)=(\w+)")


class LeftOut(UserWarning):
    """Some rows, reports or words could not be used; the result has the others."""


class Assumed(UserWarning):
    """Something was interpreted, such as numbers as percentages or 03/04/2024 as 4 March; it says how to state it."""


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Settings by their names, as ``radcal settings`` lists them.

    Raises:
        InputError: there is no such setting, or its value is out of bounds.
    """
    known = [f.name for f in fields(Settings)]
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = Text("Did you mean {near}?", near=near[0]) if near else Text("`radcal settings` lists all of them.")
            raise InputError("There is no setting {name!r}. {meant}", name=name, meant=meant)
    # Numbers of numpy are Python's, with their own digits alone.
    plain = {name: type(v.item())(str(v)) if isinstance(v, np.number) else v for name, v in given.items()}
    return policy.in_use().started(plain)


def insist(name: str, value: object, kind: Any, wanted: str) -> None:
    """Insist on the type of an argument."""
    if not isinstance(value, kind):
        its = type(value).__name__
        raise InputError("{name} is of type {its}. Give {wanted}.", name=name, its=its, wanted=wanted)


def paths_of(name: str, given: Any) -> list[Path]:
    """The paths of an argument that is one or several."""
    several = isinstance(given, Iterable) and not isinstance(given, str | Path | pd.DataFrame | Mapping)
    paths, wanted = [*given] if several else [given], Text("the path of a file, or a list of paths")
    for path in paths:
        insist(name, path, str | Path, wanted)
    if not paths:
        raise InputError("{name} is empty. Give {wanted}.", name=name, wanted=wanted)
    return [*map(Path, paths)]


@contextmanager
def naming_arguments() -> Iterator[None]:
    """Errors within name arguments where they name options of the command line."""
    try:
        yield
    except RadcalError as error:
        error.text = Text(_OPTION.sub(_argument, str(error)).replace("to which signer was", "to which author was"))
        error.args = (error.text,)
        raise


def _argument(option: re.Match[str]) -> str:
    kind, name, value = option.groups()
    if kind == "set":
        return f"{name}={value}"
    either_way = "modality='xray' or 'ct', or " if name == "modality" else ""
    return f"{either_way}columns={{{name.replace('signer', 'author')!r}: {value!r}}}"


def one_of(name: str, value: object, known: Sequence[str | None]) -> None:
    """Insist on a known value of an argument."""
    shown = either([*map(repr, known)])
    insist(name, value, str | None, shown)
    if value not in known:
        raise InputError("{name} is {value!r}. Choose {shown}.", name=name, value=str(value), shown=shown)


def words_of(lexicon: Lexicon | None) -> Lexicon:
    """The lexicon given, which nothing else may stand for; the shipped one for None."""
    insist("lexicon", lexicon, Lexicon | None, Text("a radcal.Lexicon, such as Lexicon.scale makes"))
    return lexicon or shipped()


def taken(
    given: Given, lexicon: Lexicon, settings: Settings, progress: Progress = SILENT, need: Sequence[str] = NEEDED
) -> tuple[Observed, Tables]:
    """The observations, as of :func:`radcal.calibration.tables.observed`, and their tables; tells what is left out."""
    wanted = Text("a DataFrame, a mapping of columns, or the path of a file")
    insist("observations", given, pd.DataFrame | Mapping | str | Path, wanted)
    try:
        source = Path(given) if isinstance(given, str | Path) else pd.DataFrame(given)
    except (TypeError, ValueError) as error:
        raise InputError("The observations are no table. Give columns of the same length, by name.") from error
    seen = observed(source, lexicon, progress, need, settings.unit)
    tables = build_tables(seen.rows, seen.words.phrases, settings.reference)
    told = unusable(seen.rejected)
    if n := sum(tables.unknown.values()):
        shown = ", ".join(f"{word!r} ({times})" for word, times in list(wordings(tables.unknown).items())[:5])
        told += [
            Text(
                "{n:,} statement is left out, because its words are in no list.",
                many="{n:,} statements are left out, because their words are in no list.",
                n=n,
            ),
            Text("Among them: {shown}.", shown=shown) if shown else "",
            Text("Add them to the lexicon, or rename them to its phrases."),
        ]
    warn(told)
    if settings.unit == "told" and seen.percent:
        warn([seen.percent_note, Text("Set unit='percent' if they are, or else unit='fraction'.")], Assumed)
    if note := seen.date_note:
        warn([note, Text("Write them as 2024-12-31 if that is wrong.")], Assumed)
    return seen, tables


def warn(texts: Sequence[str], category: type[UserWarning] = LeftOut) -> None:
    """Tell whoever called the library of what was left out or assumed, if anything."""
    if any(texts):
        outside = (n for n, frame in enumerate(inspect.stack(0), 1) if not frame.filename.startswith(_HERE))
        warnings.warn(joined(texts), category, stacklevel=next(outside, 1))


def unusable(rejected: pd.DataFrame) -> list[str]:
    """How many rows cannot be used, and the first of them."""
    if rejected.empty:
        return []
    first, n = rejected.iloc[0], len(rejected)
    told = Text("{n:,} row cannot be used.", many="{n:,} rows cannot be used.", n=n)
    where = Text("The first is row {row} of {file}.", row=first["row"], file=first["file"])
    return [told, where, first["reason"], first["remedy"]]
