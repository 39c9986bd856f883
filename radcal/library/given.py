"""What the library's functions take: settings by their names, a lexicon, and observations."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from radcal.calibration.records import Tables
from radcal.calibration.tables import NEEDED, Observed, build_tables, observed
from radcal.system import policy
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import wordings
from radcal.system.settings import Settings
from radcal.system.text import Text, either, joined
from radcal.words.phrases import Lexicon, load_lexicon

Given = pd.DataFrame | Mapping[str, Sequence[Any]] | str | Path
"""Observations: a DataFrame, its columns by name, or the path of a file of them."""
shipped = cache(load_lexicon)
_HERE = str(Path(__file__).parents[1])


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
    return policy.in_use().started(given)


def one_of(name: str, value: object, known: Sequence[str | None]) -> None:
    """Insist on a known value of an argument."""
    if value not in known:
        shown = either([*map(repr, known)])
        raise InputError("{name} is {value!r}. Choose {shown}.", name=name, value=str(value), shown=shown)


def words_of(lexicon: Lexicon | None) -> Lexicon:
    """The lexicon given, which nothing else may stand for; the shipped one for None."""
    if not isinstance(lexicon, Lexicon | None):
        kind = type(lexicon).__name__
        raise InputError("The lexicon is a {kind}. Make a radcal.Lexicon of it, as with Lexicon.scale.", kind=kind)
    return lexicon or shipped()


def taken(
    given: Given, lexicon: Lexicon, settings: Settings, progress: Progress = SILENT, need: Sequence[str] = NEEDED
) -> tuple[Observed, Tables]:
    """The observations, as of :func:`radcal.calibration.tables.observed`, and their tables; tells what is left out."""
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
