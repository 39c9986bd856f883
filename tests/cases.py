r"""Cases of tests in tables of text: ``cases/NAME.tsv`` beside ``test_NAME.py``, which says ``@cases("table")``.

A table begins with a line ``## table`` and the names of its columns; a line that begins with ``# `` is a remark on the
case below it. Cells are texts with the escapes of Python, or JSON where the name of the column ends with ``:json``;
with ``:tuple`` and ``:set``, its lists are tuples, and the outermost is a set. A line of a single empty cell is ``\e``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": ""}


def _unescaped(cell: str) -> str:
    def sign(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9a-f]{4}|.)", sign, cell)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_KINDS: dict[str, Callable[[str], Any]] = {
    "": str,
    "json": json.loads,
    "tuple": lambda text: _frozen(json.loads(text)),
    "set": lambda text: set(_frozen(json.loads(text))),
}


@cache
def _tables(path: Path) -> dict[str, list[list[str]]]:
    tables: dict[str, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            tables[line[3:]] = []
        elif line and not line.startswith("# "):
            tables[next(reversed(tables))].append(line.split("\t"))
    return tables


def cases_of(test: str) -> Callable[[str], pytest.MarkDecorator]:
    """Return what parametrises a test of the module ``test`` by a table of its file of cases."""
    path = Path(test)
    file = path.parent / "cases" / f"{path.stem.removeprefix('test_')}.tsv"

    def cases(table: str) -> pytest.MarkDecorator:
        header, *rows = _tables(file)[table]
        names, kinds = [cell.partition(":")[0] for cell in header], [_KINDS[cell.partition(":")[2]] for cell in header]
        assert all(len(row) == len(header) for row in rows), table
        made = [tuple(kind(_unescaped(cell)) for kind, cell in zip(kinds, row, strict=True)) for row in rows]
        return pytest.mark.parametrize(names, made)

    return cases
