"""What is in each table, as a digest, by which an older page of the same file that was put back is found.

Every page of the file is sealed with the same key, so that an older one in the place of a newer is whole in itself.
The digest of a table is the sum of the hashes of its rows, modulo 2^128: it does not depend on their order, and a
change of a row changes it by the difference of two hashes, whatever the size of the table.  Triggers of the connection,
which are not in the file, take these differences; they are saved in the transaction that makes the change.  So a digest
never takes over what is wrong in a table: only what RadCal itself changes changes it.

The hashes are keyed with a random number of the file, because the log, which has the digests too, is handed to others.

Source: Clarke et al., Incremental multiset hash functions and their application to memory integrity checking,
ASIACRYPT 2003 (MSet-Add-Hash).
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import orjson

KEY = "_contents"
"""Of the record in the table of short texts, which is not part of what it tells."""
_BYTES = 16
_MODULUS = 1 << 8 * _BYTES
_LOGGED = 1 << 63
"""What the log has of a digest: counts of that size."""
_UNWATCHED = ("audit",)
"""The log is a chain of its own."""

Amount = tuple[int, int]
"""The number of rows, and the sum of their hashes."""


@dataclass(slots=True)
class Contents:
    """The digests of a file.

    columns: of each table that is watched
    amounts: of each table
    logged: what the last entries of the audit log on backups have of each table's digest
    entry: the number of the last of these entries since digests are kept, 0 if there is none
    """

    key: bytes
    columns: Mapping[str, Sequence[str]]
    amounts: dict[str, Amount] = field(default_factory=dict)
    logged: dict[str, int] = field(default_factory=dict)
    entry: int = 0

    @classmethod
    def new(cls, columns: Mapping[str, Sequence[str]]) -> Self:
        """Those of a file without rows."""
        return cls(secrets.token_bytes(_BYTES), columns, dict.fromkeys(columns, (0, 0)))

    @classmethod
    def read(cls, record: str, columns: Mapping[str, Sequence[str]]) -> Self | None:
        """Those that a file has; None where none were taken yet.

        Raises:
            ValueError: the record is not of RadCal's making.
        """
        if not record:
            return None
        try:
            told = json.loads(record)
            amounts = dict.fromkeys(columns, (0, 0))
            amounts |= {table: (int(n), int(total, 16)) for table, (n, total) in told["tables"].items()}
            logged = {table: int(digest) for table, digest in told["logged"].items()}
            found = cls(bytes.fromhex(told["key"]), columns, amounts, logged, int(told["entry"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(record) from error
        return found

    def written(self) -> str:
        """The record, for :meth:`read`."""
        tables = {table: [n, f"{total:x}"] for table, (n, total) in self.amounts.items() if n or total}
        told = {"key": self.key.hex(), "tables": tables, "logged": self.logged, "entry": self.entry}
        return json.dumps(told, separators=(",", ":"))

    def amount(self, rows: Iterable[Sequence[Any]]) -> Amount:
        """That of some rows, in any order."""
        n = total = 0
        for row in rows:
            n, total = n + 1, total + self._hash(row)
        return n, total % _MODULUS

    def take(self, table: str, sign: int, *row: Any) -> None:
        """Add a row to a table (sign 1), or take it away (-1)."""
        n, total = self.amounts[table]
        self.amounts[table] = n + sign, (total + sign * self._hash(row)) % _MODULUS

    def unlogged(self) -> dict[str, int]:
        """What the log is to have of tables whose digest it does not have yet."""
        now = {table: total % _LOGGED for table, (_, total) in self.amounts.items()}
        return {table: digest for table, digest in now.items() if self.logged.get(table, 0) != digest}

    def _hash(self, row: Sequence[Any]) -> int:
        # As JSON, in which different rows are different, but for infinity, which is no value of any column. Files have
        # what this gives: another form needs another schema.
        return int.from_bytes(hashlib.sha256(self.key + orjson.dumps(row, default=_as_plain)).digest()[:_BYTES], "big")


def _as_plain(value: bytes) -> dict[str, str]:
    return {"": value.hex()}


def watched(tables: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Those of a file's tables, with their columns, whose contents are digested."""
    return {name: columns for name, columns in tables.items() if name not in _UNWATCHED}


def rows_of(table: str, columns: Sequence[str]) -> str:
    """The query of what is digested of a table."""
    where = f" WHERE key <> '{KEY}'" if table == "meta" else ""
    return f"SELECT {_listed(columns)} FROM main.{_quoted(table)}{where}"  # noqa: S608 - names of the schema


def triggers(table: str, columns: Sequence[str], function: str) -> tuple[str, ...]:
    """The triggers of a connection that tell a function of every row that comes, goes or changes."""
    told = {
        which: f"{function}('{table}', {sign}, {_listed(columns, which)})" for which, sign in (("OLD", -1), ("NEW", 1))
    }
    of_others = {which: f" WHEN {which}.key <> '{KEY}'" if table == "meta" else "" for which in told}
    return tuple(
        f"CREATE TEMP TRIGGER contents_{event}_{which}_{table} AFTER {event} ON main.{_quoted(table)}"
        f"{of_others[which]} BEGIN SELECT {told[which]}; END"
        for event, which in (("INSERT", "NEW"), ("DELETE", "OLD"), ("UPDATE", "OLD"), ("UPDATE", "NEW"))
    )


def _listed(columns: Sequence[str], of: str = "") -> str:
    return ", ".join(f"{of}.{_quoted(name)}" if of else _quoted(name) for name in columns)


def _quoted(name: str) -> str:
    return f'"{name}"'
