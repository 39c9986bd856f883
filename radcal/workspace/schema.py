"""The schema of a workspace: ``schema.sql`` lays out a new file, numbered steps beside it have followed since.

``schema.sql`` is schema BASE; the step ``0011_name.sql`` takes a file from schema 10 to 11, the next one to 12 and so
on.  A new file is the base with all steps.  What was released is never changed; for every released schema,
``tests/old_files`` has files that must always open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

BASE = 10
FOLDER = Path(__file__).parent
STEPS = "[0-9][0-9][0-9][0-9]_*.sql"


def steps() -> list[str]:
    """Return the SQL scripts of the steps after the base, in order; their numbers have no gap."""
    return [file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob(STEPS))]


def newest() -> int:
    """Return the schema that this RadCal writes."""
    return BASE + len(steps())


def scripts_from(version: int) -> list[tuple[int, str]]:
    """Return what takes a file of schema ``version`` to the newest, as (schema, SQL) in order; all of it from 0."""
    base = [] if version else [(BASE, (FOLDER / "schema.sql").read_text(encoding="utf-8"))]
    later = enumerate(steps(), BASE + 1)
    return [*base, *((number, script) for number, script in later if number > version)]


def triggers() -> Mapping[str, str]:
    """Return the triggers of the newest schema: name -> SQL, as the database keeps it."""
    return {
        name: f"CREATE TRIGGER {name}{rest}"
        for _, script in scripts_from(0)
        for name, rest in re.findall(r"CREATE TRIGGER (\w+)(.*?END)", script, re.DOTALL)
    }
