"""Results with their provenance, data frames such as the observations, and people renamed in all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from radcal.system.clock import now
from radcal.system.errors import DataError
from radcal.workspace import frames
from radcal.workspace.tables import Store

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.files import Json

_WHOLE, _PART = "observations", "observations of "
_PLACE = "place among all"
_MADE = "observations being made of "
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


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result and its provenance; ``saved`` is UTC in ISO 8601."""

    payload: Json
    provenance: Json
    saved: str


class ResultStore(Store):
    """Results by kind and key, frames by name, and other names for people in all that the workspace holds."""

    def save_result(self, kind: str, key: str, payload: Json, provenance: Json) -> None:
        """Store a result, replacing that of the same kind and key; NaN and infinity are preserved.

        Raises:
            DataError: a value that is not plain JSON.
        """
        try:
            row = (kind, key, json.dumps(payload), json.dumps(provenance), now())
        except (TypeError, ValueError) as error:
            raise DataError("A result of kind {kind!r} cannot be stored: {error}.", kind=kind, error=error) from error
        self._db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", row)

    def load_result(self, kind: str, key: str) -> Json | None:
        """The payload of a result, None if there is none."""
        rows = self._db.execute("SELECT payload FROM results WHERE kind = ? AND key = ?", (kind, key))
        return dict(_parsed(rows[0][0])) if rows else None

    def results(self, kind: str) -> dict[str, StoredResult]:
        """All results of a kind by key, in order."""
        rows = self._db.execute(
            "SELECT key, payload, provenance, saved FROM results WHERE kind = ? ORDER BY key", (kind,)
        )
        return {key: StoredResult(_parsed(p), _parsed(made), saved) for key, p, made, saved in rows}

    def delete_result(self, kind: str, key: str) -> None:
        """Delete a result if it exists."""
        self._db.execute("DELETE FROM results WHERE kind = ? AND key = ?", (kind, key))

    def save_frame(self, name: str, frame: pd.DataFrame) -> None:
        """Store a frame, replacing that of the same name; dtypes are preserved, the index is not.

        Raises:
            DataError: a column that cannot be stored.
        """
        names = list(frame.columns)
        if len(set(names)) < len(names) or not all(isinstance(n, str) for n in names):
            raise DataError("The columns of a frame need distinct names.")
        packed = [(name, i, column, *frames.pack(frame[column])) for i, column in enumerate(names)]
        with self._db.transaction() as db:
            db.execute("DELETE FROM frames WHERE name = ?", (name,))
            db.execute("INSERT INTO frames VALUES (?, ?, ?)", (name, len(frame), now()))
            db.execute_many("INSERT INTO frame_columns VALUES (?, ?, ?, ?, ?)", packed)

    def load_frame(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame | None:
        """The frame stored under ``name``, or some of its columns, with a default index; None if there is none."""
        import pandas as pd

        some = "" if columns is None else f"AND name IN ({', '.join('?' * len(columns))})"
        with self._db.transaction(write=False) as db:
            rows = db.execute("SELECT rows FROM frames WHERE name = ?", (name,))
            stored = db.execute(
                f"SELECT name, kind, data FROM frame_columns WHERE frame = ? {some} ORDER BY position",  # noqa: S608 - question marks
                (name, *(columns or ())),
            )
        if not rows:
            return None
        data = {column: frames.unpack(kind, packed) for column, kind, packed in stored}
        return pd.DataFrame(data, index=pd.RangeIndex(rows[0][0]))

    def save_observations(self, frame: pd.DataFrame) -> None:
        """Store Matching.observations by author, replacing the previous ones."""
        with self._db.transaction():
            self.forget_made_observations()
            for author, part in frame.reset_index(drop=True).groupby("author", sort=True, observed=True):
                self.make_observations(str(author), part)
            self.take_observations(frame.iloc[:0])

    def make_observations(self, author: str, part: pd.DataFrame) -> None:
        """Keep one author's observations beside those that were saved before, until :meth:`take_observations`.

        The index of ``part`` is the place of each among all.
        """
        self.save_frame(f"{_MADE}{author}", part.assign(**{_PLACE: part.index.to_numpy("int64")}))

    def forget_made_observations(self) -> None:
        """Delete what :meth:`make_observations` kept."""
        self._db.execute("DELETE FROM frames WHERE substr(name, 1, ?) = ?", (len(_MADE), _MADE))

    def take_observations(self, none: pd.DataFrame) -> None:
        """Let what :meth:`make_observations` kept take the place of the observations that were saved before.

        none: the columns, where there are no observations
        """
        with self._db.transaction() as db:
            db.execute("DELETE FROM frames WHERE name = ? OR substr(name, 1, ?) = ?", (_WHOLE, len(_PART), _PART))
            made = db.execute("SELECT name FROM frames WHERE substr(name, 1, ?) = ?", (len(_MADE), _MADE))
            if not made:
                self.save_frame(_WHOLE, none)
            for (name,) in made:
                final = f"{_PART}{str(name).removeprefix(_MADE)}"
                db.execute("INSERT INTO frames SELECT ?, rows, saved FROM frames WHERE name = ?", (final, name))
                db.execute("UPDATE frame_columns SET frame = ? WHERE frame = ?", (final, name))
            self.forget_made_observations()

    def observations(self, columns: Sequence[str] | None = None) -> pd.DataFrame | None:
        """Matching.observations as last saved, None if never; a few ``columns`` are read much faster.

        Raises:
            KeyError: there is no such column.
        """
        import pandas as pd

        wanted = None if columns is None else [*columns, _PLACE]
        parts = [part for _, part in self.observations_by_author(wanted)]
        found = self.load_frame(_WHOLE)
        if parts:
            found = pd.concat(parts, ignore_index=True)
            found = found.sort_values(_PLACE, kind="stable", ignore_index=True).drop(columns=_PLACE)
        return found if found is None or columns is None else found[[*columns]]

    def observations_of(self, author: str) -> pd.DataFrame | None:
        """The observations of one author in order; empty for an unknown author, None if none were ever saved."""
        own = self.load_frame(f"{_PART}{author}")
        if own is not None:
            return own.drop(columns=_PLACE)
        other = next(self.observations_by_author(), None)
        return self.load_frame(_WHOLE) if other is None else other[1].iloc[:0].drop(columns=_PLACE)

    def observations_by_author(self, columns: Sequence[str] | None = None) -> Iterator[tuple[str, pd.DataFrame]]:
        """The observations by author, ordered by name."""
        names = self._db.execute(
            "SELECT name FROM frames WHERE substr(name, 1, ?) = ? ORDER BY name", (len(_PART), _PART)
        )
        for (name,) in names:
            part = self.load_frame(name, columns)
            if part is not None:
                yield str(name).removeprefix(_PART), part

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


def _parsed(text: str) -> Json:
    """The object of a JSON text; the interpreter is held meanwhile, which in large ones only orjson keeps short."""
    try:
        parsed: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        parsed = json.loads(text)  # it takes NaN and infinity
    return parsed


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
