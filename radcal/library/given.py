"""What the library's functions take: settings by their names, and observations."""

from __future__ import annotations

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
from radcal.system.text import Text, joined
from radcal.words.phrases import Lexicon, load_lexicon

Given = pd.DataFrame | Mapping[str, Sequence[Any]] | str | Path
"""Observations: a DataFrame, its columns by name, or the path of a file of them."""
shipped = cache(load_lexicon)


class LeftOut(UserWarning):
    """Some rows could not be used, or had to be interpreted; the result has the others."""


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


def taken(
    given: Given, lexicon: Lexicon, settings: Settings, progress: Progress = SILENT, need: Sequence[str] = NEEDED
) -> tuple[Observed, Tables]:
    """The observations, as of :func:`radcal.calibration.tables.observed`, and their tables; tells what is left out."""
    source = Path(given) if isinstance(given, str | Path) else pd.DataFrame(given)
    seen = observed(source, lexicon, progress, need)
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
    warn([*told, seen.percent_note], 4)
    return seen, tables


def warn(texts: Sequence[str], level: int = 3) -> None:
    """Tell whoever called the library of what was left out, if anything."""
    if any(texts):
        warnings.warn(joined(texts), LeftOut, stacklevel=level)


def unusable(rejected: pd.DataFrame) -> list[str]:
    """How many rows cannot be used, and the first of them."""
    if rejected.empty:
        return []
    first, n = rejected.iloc[0], len(rejected)
    told = Text("{n:,} row cannot be used.", many="{n:,} rows cannot be used.", n=n)
    where = Text("The first is row {row} of {file}.", row=first["row"], file=first["file"])
    return [told, where, first["reason"], first["remedy"]]
