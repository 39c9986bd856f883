"""What IT has set, for the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from radcal import policy
from radcal.policy import DEFAULTS, LOCKED
from radcal.workflow.commands.summaries import counted


def policy_here(check: Path | None = None) -> dict[str, Any]:
    """What the policy of this computer says, or that of a file.

    Returns:
        The summary: ``file`` (where the policy is, or would be), ``there``, ``settings`` (name, value, table, line,
        meaning), and ``text``.

    Raises:
        PolicyFault: it cannot be used; the message names file, line and remedy.
    """
    found = policy.in_use() if check is None else policy.read_policy(check)
    file = found.file or policy.policy_file()
    meanings = policy.meanings()
    settings = [
        {
            "name": name,
            "value": list(value) if isinstance(value, tuple) else value,
            "table": table,
            "line": found.lines.get((table, name)),
            "meaning": meanings[name],
        }
        for table, values in ((LOCKED, found.locked), (DEFAULTS, found.defaults))
        for name, value in values.items()
    ]
    if found.file is None:
        text = f"Nothing is set for this computer: there is no {file}."
    else:
        state = "It is right." if check is not None else "It is in force."
        n = f"{counted(len(found.locked), 'lock', 'locks')} and {counted(len(found.defaults), 'default', 'defaults')}"
        text = "\n".join([f"{file} sets {n}. {state}", *_lines(settings)])
    return {"file": str(file), "there": found.file is not None, "settings": settings, "text": text}


def _lines(settings: list[dict[str, Any]]) -> list[str]:
    names = [str(setting["name"]) for setting in settings]
    wide = max(map(len, names), default=0)
    called = {LOCKED: "locked", DEFAULTS: "default"}
    return [f"  {called[s['table']]:<7}  {s['name']:<{wide}}  {_value(s['value'])}" for s in settings]


def _value(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else repr(value) if value == "" else str(value)
