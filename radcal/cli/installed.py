"""``radcal policy`` and ``radcal faults``: for whoever installs RadCal for others."""

from __future__ import annotations

import argparse
from typing import Any

from radcal.checking import check_policy
from radcal.cli.summaries import Summary, counted
from radcal.system import exports
from radcal.system import faults as log
from radcal.system import policy as rules
from radcal.system.errors import InputError, reason_of
from radcal.system.policy import DEFAULTS, LOCKED
from radcal.system.progress import Progress


def policy(args: argparse.Namespace, _bar: Progress) -> Summary:
    """Tell what IT has set on this computer, or check a file before it is distributed.

    Returns:
        The summary: ``file`` (where the policy is, or would be), ``there``, ``settings`` (name, value, table, line),
        and ``text``.

    Raises:
        PolicyFault: it cannot be used; the message names file, line and remedy.
    """
    found = rules.in_use() if args.check is None else rules.read_policy(args.check)
    check_policy(found)
    file = found.file or rules.policy_file()
    settings = [
        {"name": name, "value": value, "table": table, "line": found.lines.get(name)}
        for table, values in ((LOCKED, found.locked), (DEFAULTS, found.defaults))
        for name, value in values.items()
    ]
    if found.file is None:
        text = f"Nothing is set for this computer: there is no {file}."
    else:
        state = "It is right." if args.check is not None else "It is in force."
        n = f"{counted(len(found.locked), 'lock', 'locks')} and {counted(len(found.defaults), 'default', 'defaults')}"
        wide = max((len(s["name"]) for s in settings), default=0)
        lines = [f"  {s['table'].rstrip('s'):<7}  {s['name']:<{wide}}  {_value(s['value'])}" for s in settings]
        text = "\n".join([f"{file} sets {n}. {state}", *lines])
    return {"file": str(file), "there": found.file is not None, "settings": settings, "text": text}


def _value(value: Any) -> str:
    return ", ".join(value) if isinstance(value, tuple) else repr(value) if value == "" else str(value)


def faults(args: argparse.Namespace, _bar: Progress) -> Summary:
    """Show the log of faults of this user, or save it to be sent on.

    Returns:
        The summary: ``folder`` (null where IT has turned the log off), ``entries``, ``file`` with --out, ``text``.

    Raises:
        InputError: the log cannot be read, or the file cannot be written.
    """
    folder = log.folder()
    try:
        found = log.entries()
    except OSError as error:
        raise InputError(
            "The log of faults in {folder} cannot be read ({reason}).", folder=folder, reason=reason_of(error)
        ) from error
    if folder is None:
        text = f"Your IT department has turned the log of faults off ({rules.in_use().place('fault_log')})."
    elif not found:
        text = f"The log of faults in {folder} has no entry."
    elif args.out is not None:
        content = exports.text("\n".join(found) + "\n", "log of faults", entries=len(found))
        exports.Exports().write(args.out, content)
        text = f"{counted(len(found), 'entry', 'entries')} of the log of faults are in {args.out}."
    else:
        text = "\n".join(found)
    summary: Summary = {"folder": None if folder is None else str(folder), "entries": found, "text": text}
    return summary | ({"file": str(args.out)} if args.out is not None and found else {})
