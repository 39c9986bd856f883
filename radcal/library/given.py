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

from radcal.calibration.tables import Observed, observed
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
    given: Given, lexicon: Lexicon, progress: Progress = SILENT, need: Sequence[str] = ("author", "topic")
) -> Observed:
    """The observations, as of :func:`radcal.calibration.tables.observed`."""
    source = Path(given) if isinstance(given, str | Path) else pd.DataFrame(given)
    return observed(source, lexicon, progress, need)


def warn(texts: Sequence[str]) -> None:
    """Tell whoever called the library's function of what was left out; of nothing if there are no texts."""
    if any(texts):
        warnings.warn(joined(texts), LeftOut, stacklevel=4)


def unusable(rejected: pd.DataFrame) -> list[str]:
    """How many rows cannot be used, and the first of them."""
    if rejected.empty:
        return []
    first, n = rejected.iloc[0], len(rejected)
    told = Text("{n:,} row cannot be used.", many="{n:,} rows cannot be used.", n=n)
    where = Text("The first is row {row} of {file}.", row=first["row"], file=first["file"])
    return [told, where, first["reason"], first["remedy"]]


def warn_of(seen: Observed, unknown: Mapping[str, int]) -> None:
    """Tell of rows that cannot be used, of words in no list, and of numbers read as percentages."""
    told = unusable(seen.rejected)
    if unknown:
        shown = ", ".join(f"{word!r} ({n})" for word, n in list(wordings(unknown).items())[:5])
        told += [
            Text(
                "{n:,} statement is left out, because its words are in no list.",
                many="{n:,} statements are left out, because their words are in no list.",
                n=sum(unknown.values()),
            ),
            Text("Among them: {shown}.", shown=shown) if shown else "",
            Text("Add them to the lexicon, or rename them to its phrases."),
        ]
    if seen.percent:
        told.append(Text("Numbers of {authors} were read as percentages.", authors=", ".join(seen.percent)))
    warn(told)
