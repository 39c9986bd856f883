"""Results with their provenance, and whole data frames such as the observations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from radcal.errors import DataError
from radcal.workspace import frames
from radcal.workspace.tables import Store, now

if TYPE_CHECKING:
    import pandas as pd

    from radcal.records import Json


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result and what it was made with; ``saved`` is UTC in ISO 8601."""

    payload: Json
    provenance: Json
    saved: str


class ResultStore(Store):
    """Results by kind and key, frames by name."""

    def save_result(self, kind: str, key: str, payload: Json, provenance: Json) -> None:
        """Keep one result, replacing that of the same kind and key; NaN and infinity are kept.

        Raises:
            DataError: something that is not plain JSON.
        """
        self._put(kind, {key: payload}, provenance)

    def save_results(self, kind: str, payloads: Mapping[str, Json], provenance: Json) -> None:
        """Replace all results of a kind at once: key to payload, of one provenance.

        Raises:
            DataError: something that is not plain JSON.
        """
        with self._db.transaction() as db:
            db.execute("DELETE FROM results WHERE kind = ?", (kind,))
            self._put(kind, payloads, provenance)
            self.log(f"results saved: {kind[:100]}", results=len(payloads))

    def _put(self, kind: str, payloads: Mapping[str, Json], provenance: Json) -> None:
        try:
            made = json.dumps(provenance)
            rows = [(kind, key, json.dumps(payload), made, now()) for key, payload in payloads.items()]
        except (TypeError, ValueError) as error:
            raise DataError(f"A result of kind {kind!r} cannot be stored: {error}.") from error
        with self._db.transaction() as db:
            db.execute_many("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", rows)

    def load_result(self, kind: str, key: str) -> Json | None:
        """The payload saved under kind and key, None if there is none."""
        rows = self._db.execute("SELECT payload FROM results WHERE kind = ? AND key = ?", (kind, key))
        return dict(json.loads(rows[0][0])) if rows else None

    def results(self, kind: str) -> dict[str, StoredResult]:
        """All results of a kind by key, in the order of keys."""
        rows = self._db.execute(
            "SELECT key, payload, provenance, saved FROM results WHERE kind = ? ORDER BY key", (kind,)
        )
        return {key: StoredResult(json.loads(p), json.loads(made), saved) for key, p, made, saved in rows}

    def clear_results(self, kind: str) -> None:
        """Delete all results of a kind."""
        self._db.execute("DELETE FROM results WHERE kind = ?", (kind,))

    def save_frame(self, name: str, frame: pd.DataFrame) -> None:
        """Keep a whole frame under a name, replacing the last; dtypes are kept, the index is not.

        Raises:
            DataError: a column that cannot be kept.
        """
        names = list(frame.columns)
        if len(set(names)) < len(names) or not all(isinstance(n, str) for n in names):
            raise DataError("The columns of a frame need distinct names.")
        packed = [(name, i, column, *frames.pack(frame[column])) for i, column in enumerate(names)]
        with self._db.transaction() as db:
            db.execute("DELETE FROM frames WHERE name = ?", (name,))
            db.execute("INSERT INTO frames VALUES (?, ?, ?)", (name, len(frame), now()))
            db.execute_many("INSERT INTO frame_columns VALUES (?, ?, ?, ?, ?)", packed)

    def load_frame(self, name: str) -> pd.DataFrame | None:
        """The frame kept under ``name`` with a plain index, None if there is none."""
        import pandas as pd

        with self._db.transaction(write=False) as db:
            rows = db.execute("SELECT rows FROM frames WHERE name = ?", (name,))
            columns = db.execute(
                "SELECT name, kind, data FROM frame_columns WHERE frame = ? ORDER BY position", (name,)
            )
        if not rows:
            return None
        return pd.DataFrame(
            {column: frames.unpack(kind, data) for column, kind, data in columns}, index=pd.RangeIndex(rows[0][0])
        )

    def save_observations(self, frame: pd.DataFrame) -> None:
        """Keep Matching.observations, replacing the last."""
        self.save_frame("observations", frame)

    def observations(self) -> pd.DataFrame | None:
        """Matching.observations as saved last, None if never."""
        return self.load_frame("observations")

    def save_match_counts(self, frame: pd.DataFrame) -> None:
        """Keep Matching.counts, replacing the last."""
        self.save_frame("match counts", frame)

    def match_counts(self) -> pd.DataFrame | None:
        """Matching.counts as saved last, None if never."""
        return self.load_frame("match counts")
