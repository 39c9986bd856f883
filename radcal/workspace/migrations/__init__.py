"""The schema of the workspace as a chain of numbered steps: ``0001_initial.sql``, ``0002_...sql`` and so on.

Step n takes a file from schema n - 1 to schema n.  A released step is never changed; for every released schema,
``tests/old_files`` has a file that must always open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent


def steps(folder: Path | None = None) -> list[str]:
    """The SQL scripts of the chain, in order."""
    files = sorted((folder or FOLDER).glob("[0-9][0-9][0-9][0-9]_*.sql"))
    numbers = [int(file.name[:4]) for file in files]
    if numbers != list(range(1, len(files) + 1)):
        raise RuntimeError(f"The chain of migrations has a gap or a double: {numbers}")
    return [file.read_text(encoding="utf-8") for file in files]


def triggers() -> Mapping[str, str]:
    """The triggers of the newest schema: name -> SQL, as the database keeps it."""
    return {
        name: f"CREATE TRIGGER {name}{rest}"
        for script in steps()
        for name, rest in re.findall(r"CREATE TRIGGER (\w+)(.*?END)", script, re.DOTALL)
    }
