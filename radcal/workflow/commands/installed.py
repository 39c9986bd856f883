"""What IT has set, and the log of faults, for the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from radcal import exports, faults, policy
from radcal.errors import InputError, reason_of
from radcal.policy import DEFAULTS, LOCKED
from radcal.workflow.checking import check_policy
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
    check_policy(found)
    file = found.file or policy.policy_file()
    meanings = policy.meanings()
    settings = [
        {
            "name": name,
            "value": list(value) if isinstance(value, tuple) else value,
            "table": table,
            "line": found.lines.get(name),
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


def faults_here(out: Path | None = None) -> dict[str, Any]:
    """The log of faults of this user, or a file with it.

    Returns:
        The summary: ``folder`` (null where IT has turned the log off), ``entries``, ``file`` with ``out``, ``text``.

    Raises:
        InputError: the log cannot be read, or the file cannot be written.
    """
    folder = faults.folder()
    try:
        found = faults.entries()
    except OSError as error:
        raise InputError(
            "The log of faults in {folder} cannot be read ({reason}).", folder=folder, reason=reason_of(error)
        ) from error
    if folder is None:
        text = f"Your IT department has turned the log of faults off ({policy.in_use().place('fault_log')})."
    elif not found:
        text = f"The log of faults in {folder} has no entry."
    elif out is not None:
        told = "\n".join(found) + "\n"
        exports.Exports().write(out, exports.text(told, "log of faults", entries=len(found)))
        text = f"{counted(len(found), 'entry', 'entries')} of the log of faults are in {out}."
    else:
        text = "\n".join(found)
    summary: dict[str, Any] = {"folder": None if folder is None else str(folder), "entries": found, "text": text}
    return summary | ({"file": str(out)} if out is not None and found else {})


def _lines(settings: list[dict[str, Any]]) -> list[str]:
    names = [str(setting["name"]) for setting in settings]
    wide = max(map(len, names), default=0)
    called = {LOCKED: "locked", DEFAULTS: "default"}
    return [f"  {called[s['table']]:<7}  {s['name']:<{wide}}  {_value(s['value'])}" for s in settings]


def _value(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else repr(value) if value == "" else str(value)
