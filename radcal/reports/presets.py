"""Presets: how the exports of a system are read, as small TOML files that a site can save and share."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from radcal.reports.column_names import simplified
from radcal.reports.fields import FIELDS
from radcal.reports.records import Preset
from radcal.reports.statuses import STATUSES
from radcal.system import exports, inputs
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.system.exports import Export

SUFFIX = ".toml"
LARGEST = 1 << 16
"""Bytes of the largest preset that is read."""
_DATES = {"day first": True, "month first": False}
_TEXTS = ("name", "about", "dates", "encoding")
_LONGEST = 200
"""Characters of the longest name of a column or status."""


def with_preset(preset: Preset, wanted: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Fields to columns: those chosen, and for other wanted fields those of the preset."""
    taken = {simplified(column) for column in chosen.values()}
    own = {f: c for f, c in preset.columns if f in wanted and f not in chosen and simplified(c) not in taken}
    return {**own, **chosen}


def applied(
    preset: Preset, columns: Sequence[str], fields: Iterable[str], recognised: Mapping[str, str]
) -> dict[str, str]:
    """Fields to columns of a file: those of the preset that it has, and what was recognised of the others.

    columns, fields: the names of its columns, and the fields that they may hold
    """
    there = {simplified(column): column for column in reversed(columns)}
    possible = set(fields)
    own = {f: there[simplified(c)] for f, c in preset.columns if f in possible and simplified(c) in there}
    taken = set(own.values())
    return {**{f: c for f, c in recognised.items() if f not in own and c not in taken}, **own}


def made_of(base: Preset, day_first: bool | None, mapping: Mapping[str, str], name: str) -> Preset:
    """The way a file is read, as a preset; what it does not say is that of ``base``."""
    order = base.day_first if day_first is None else day_first
    return replace(base, name=name, about="", columns=tuple(mapping.items()), day_first=order)


def preset_file(preset: Preset) -> Export:
    """The file of a preset."""
    return exports.text(toml_of(preset), "preset of columns", columns=len(preset.columns))


def toml_of(preset: Preset) -> str:
    """A preset as the content of a file, which :func:`read_preset` reads."""
    said = (("name", preset.name), ("about", preset.about), ("encoding", preset.encoding))
    lines = [f"{key} = {_quoted(value)}" for key, value in said if value]
    if preset.as_whole:
        lines.append("as_whole = true")
    lines += [f'dates = "{text}"' for text, day_first in _DATES.items() if day_first is preset.day_first]
    if preset.breaks:
        lines.append(f"breaks = [{', '.join(map(_quoted, preset.breaks))}]")
    for table, entries in (("columns", preset.columns), ("statuses", preset.statuses)):
        if entries:
            lines += ["", f"[{table}]", *(f"{_quoted(key)} = {_quoted(value)}" for key, value in entries)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    # A JSON string is a string of TOML, except for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def shipped_presets() -> dict[str, Preset]:
    """The shipped presets by the names that the command line takes: 'epic', 'cerner', ..."""
    return {path.stem: read_preset(path) for path in sorted(resource("presets").glob(f"*{SUFFIX}"))}


def preset_called(name: str) -> Preset:
    """A shipped preset by its name, or the one in a file.

    Raises:
        InputError: there is no such name or file, or the file is no preset.
    """
    shipped = shipped_presets()
    if name.casefold() in shipped:
        return shipped[name.casefold()]
    path = Path(name)
    if not inputs.is_there(path):
        raise InputError(
            "There is no preset {name!r}: name a file, or one of {shipped}.", name=name, shipped=", ".join(shipped)
        )
    return read_preset(path)


def read_preset(path: Path) -> Preset:
    """A preset from a TOML file: name, about, dates, encoding, breaks, as_whole, [columns] and [statuses].

    Raises:
        InputError: the file cannot be read, is too large, or has an unknown or impossible entry; the message names the
            line.
    """
    with inputs.reading(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputError("{name} is larger than any preset. Choose a preset file.", name=path.name)
    try:
        text = data.decode("utf-8-sig")
        content = inputs.toml_of(text)
    except UnicodeDecodeError as error:
        raise InputError("{name} is no preset: it is no text in UTF-8.", name=path.name) from error
    except tomllib.TOMLDecodeError as error:
        # The message of the parser may repeat the file, except for the place.
        place = re.search(r"line (\d+)", str(error))
        raise InputError(
            "{name} is no preset: line {line} is no TOML.", name=path.name, line=int(place[1]) if place else 1
        ) from error
    return _Reader(path.name, text).preset(content)


class _Reader:
    """Checks the entries of a preset file."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._lines = file, text.splitlines()

    def preset(self, content: Mapping[str, Any]) -> Preset:
        for key in content:
            if key not in (*_TEXTS, "breaks", "as_whole", "columns", "statuses"):
                self._refuse(key, Text("there is no such entry"))
        said = {key: self._text(key, content[key]) for key in _TEXTS if key in content}
        if (dates := said.get("dates", "")) and dates not in _DATES:
            self._refuse("dates", Text("it is 'day first' or 'month first'"))
        breaks = content.get("breaks", [])
        if not isinstance(breaks, list) or not all(isinstance(mark, str) and mark.strip() for mark in breaks):
            self._refuse("breaks", Text("it is a list of texts"))
        as_whole = content.get("as_whole", False)
        if not isinstance(as_whole, bool):
            self._refuse("as_whole", Text("it is true or false"))
        columns = self._table(content, "columns")
        for field in columns:
            if field not in FIELDS:
                self._refuse(field, Text("there is no such field; there are {fields}", fields=", ".join(FIELDS)))
        statuses = self._table(content, "statuses")
        for word, means in statuses.items():
            if means not in STATUSES:
                self._refuse(word, Text("a status is {statuses}", statuses=", ".join(STATUSES)))
        return Preset(
            name=said.get("name", "") or Path(self._file).stem,
            about=said.get("about", ""),
            columns=tuple(columns.items()),
            day_first=_DATES.get(dates),
            encoding=self._encoding(said.get("encoding", "")),
            statuses=tuple((simplified(word), means) for word, means in statuses.items()),
            breaks=tuple(breaks),
            as_whole=as_whole,
        )

    def _table(self, content: Mapping[str, Any], key: str) -> dict[str, str]:
        table = content.get(key, {})
        if not isinstance(table, dict):
            self._refuse(key, Text("it is a table"))
        return {name: self._text(name, value) for name, value in table.items()}

    def _text(self, key: str, value: object) -> str:
        if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
            self._refuse(key, Text("it is a text of 1 to {most} characters", most=_LONGEST))
        return value.strip()

    def _encoding(self, name: str) -> str:
        try:
            return "" if not name else bytes(1).decode(name) and name
        except (LookupError, ValueError):
            self._refuse("encoding", Text("no such encoding is known"))

    def _refuse(self, key: str, why: Text) -> NoReturn:
        wanted = re.compile(rf"""\s*(?:\[\s*)?["']?{re.escape(key)}["']?\s*[=\].]""")
        line = next((n for n, text in enumerate(self._lines, 1) if wanted.match(text)), 1)
        raise InputError("{name} is no preset: look at line {line}: {why}.", name=self._file, line=line, why=why)
