"""The personal file of a radiologist, and all that a file holds that is handed out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from radcal.department import Department, Results
from radcal.opening import open_workspace
from radcal.workspace.database import Database
from radcal.workspace.frames import unpack

OWN = "own words of hers"
"""The passphrase of these files."""


@pytest.fixture
def packet(analysed: Department, author: str, tmp_path: Path) -> Path:
    """The personal file of `author`."""
    return analysed.personal_files.write(author, tmp_path / "personal-avery.radcal", OWN)


@pytest.fixture
def personal(packet: Path) -> Iterator[Results]:
    """`packet`, open."""
    with open_workspace(packet, OWN) as opened:
        yield opened


def _everything(path: Path, passphrase: str = OWN) -> tuple[dict[str, int], str]:
    rows: dict[str, int] = {}
    said: list[str] = []
    with contextlib.closing(Database(path, passphrase, read_only=True)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            found = database.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of the schema
            rows[table] = len(found)
            for row in found:
                # Not hashes and packed columns as they are: chance spells a short name in them once in a while.
                said += (str(cell) for cell in row if not isinstance(cell, bytes))
                if table == "frame_columns":
                    column = unpack(row[3], row[4])
                    said += map(str, column.tolist())
                    if hasattr(column, "cat"):
                        said += map(str, column.cat.categories)
    return rows, "\n".join(said)


@pytest.fixture(scope="session")
def everything() -> Callable[..., tuple[dict[str, int], str]]:
    """Rows of each table of a file, and every value as text, frames unpacked: ``everything(path, passphrase=OWN)``."""
    return _everything
