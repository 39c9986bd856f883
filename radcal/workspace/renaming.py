"""Renaming people in all that a workspace holds about them, but the texts of reports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from radcal.workspace.results import ResultStore

if TYPE_CHECKING:
    import pandas as pd

_CELLS = (
    ("reports", "author"),
    ("reports", "dictator"),
    ("reports", "signer"),
    ("pairs", "author"),
    ("versions", "dictator"),
    ("versions", "signer"),
    ("suspects", "words"),
)
"""Columns of tables that hold people, or words that may be their names."""
_TEXTS = ("text", "xray_sentence", "ct_sentence")
"""Columns of frames that hold what reports say."""


class RenamingStore(ResultStore):
    """Tables, frames, results and short texts, with other names."""

    def rename_people(self, names: Mapping[str, str], cells: Mapping[str, str]) -> None:
        """Replace people's names wherever they stand as such, and in sentences of stored results.

        Args:
            names: new names by present ones.
            cells: new contents of cells by present ones, where a cell of the source names people in its own way.
        """
        written = {**names, **cells}
        said = _in_sentences(names)
        with self.transaction() as db:
            for table, column in _CELLS:
                db.execute_many(
                    f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {column} = ?",  # noqa: S608 - constants
                    _at_once(written, {cell for (cell,) in db.execute(f"SELECT DISTINCT {column} FROM {table}")}),  # noqa: S608 - constants
                )
            for (name,) in db.execute("SELECT name FROM frames"):
                self._rename_in_frame(str(name), written, names)
            before, after = [], []
            for kind, key, *contents, saved in db.execute(
                "SELECT kind, key, payload, provenance, saved FROM results ORDER BY kind, key"
            ):
                parsed = [json.loads(content) for content in contents]
                now = [_renamed(content, said) for content in parsed]
                new_key = names.get(key, key)
                if (new_key, now) != (key, parsed):
                    before.append((kind, key))
                    after.append((kind, new_key, *map(json.dumps, now), saved))
            # Renaming is no decision on a result: it was saved when it was saved.
            db.execute_many("DELETE FROM results WHERE kind = ? AND key = ?", before)
            db.execute_many("INSERT INTO results VALUES (?, ?, ?, ?, ?)", after)
            for key, value in db.execute("SELECT key, value FROM meta WHERE substr(key, 1, 1) != '_'"):
                try:
                    parsed = json.loads(value)
                except ValueError:
                    parsed = value
                if (now := _renamed(parsed, said)) != parsed:
                    self.set_meta(key, now if isinstance(parsed, str) and parsed == value else json.dumps(now))

    def _rename_in_frame(self, name: str, written: Mapping[str, str], names: Mapping[str, str]) -> None:
        frame = self.load_frame(name)
        if frame is None:
            return
        renamed = frame.assign(
            **{
                str(column): _replaced(frame[column], written)
                for column in frame.columns
                if str(column) not in _TEXTS and _is_text(frame[column])
            }
        )
        head, of, author = name.rpartition(" of ")
        new = f"{head}{of}{names[author]}" if author in names else name
        if new != name or not renamed.equals(frame):
            ((saved,),) = self._db.execute("SELECT saved FROM frames WHERE name = ?", (name,))
            self._db.execute("DELETE FROM frames WHERE name = ?", (name,))
            self.save_frame(new, renamed)
            self._db.execute("UPDATE frames SET saved = ? WHERE name = ?", (saved, new))


def _at_once(written: Mapping[str, str], there: set[Any]) -> list[tuple[str, str]]:
    """What has to be replaced by what."""
    return [(written[cell], cell) for cell in there if cell in written and written[cell] != cell]


def _is_text(column: pd.Series[Any]) -> bool:
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    return isinstance(dtype, pd.StringDtype) or dtype.kind == "O"


def _replaced(column: pd.Series[Any], written: Mapping[str, str]) -> pd.Series[Any]:
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.rename_categories(lambda cell: written.get(cell, cell))
    return column.map(lambda cell: written.get(cell, cell), na_action="ignore").astype(column.dtype)


def _in_sentences(names: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces names in a text: a text that is a name, and names of several words within a sentence."""
    several = sorted((name for name in names if " " in name), key=len, reverse=True)
    found = re.compile("|".join(map(re.escape, several))) if several else None

    def said(text: str) -> str:
        if text in names:
            return names[text]
        return found.sub(lambda m: names[m.group()], text) if found is not None else text

    return said


def _renamed(value: Any, said: Callable[[str], str]) -> Any:
    """A JSON value with other names, in keys, too."""
    if isinstance(value, str):
        return said(value)
    if isinstance(value, list):
        return [_renamed(part, said) for part in value]
    if isinstance(value, dict):
        return {said(key): _renamed(part, said) for key, part in value.items()}
    return value
