r"""Cases of tests in tables of text: ``cases/NAME.tsv`` beside ``test_NAME.py``, which says ``@cases("table")``.

A table begins with a line ``## table`` and the names of its columns; a line that begins with ``# `` is a remark on the
case below it. Cells are texts with the escapes of Python, or JSON where the name of the column ends with ``:json``.
A line of a single empty cell is ``\e``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": ""}


def _unescaped(cell: str) -> str:
    def sign(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9a-f]{4}|.)", sign, cell)


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
        names = [name.removesuffix(":json") for name in header]
        assert all(len(row) == len(header) for row in rows), table
        made = [
            tuple(
                json.loads(text) if name.endswith(":json") else text
                for name, text in zip(header, map(_unescaped, row), strict=True)
            )
            for row in rows
        ]
        return pytest.mark.parametrize(names, made)

    return cases
