"""The child process that renders a template of a foreign file: it limits itself, renders once and exits.

The parent sends a line of JSON: what to ``do``, its values, the parent, and the limits.  The child answers an empty
line when it begins, and then a line of JSON: the ``text`` and its ``notes``, or ``refused`` with the reason.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from radcal.findings.model.chat import as_chat, fill_in_template, prepare
from radcal.system.errors import InputError
from radcal.system.processes import NO_MEMORY, confine, stay_beside


def main() -> None:
    """Render one template for the parent."""
    order = json.loads(sys.stdin.buffer.readline())
    stay_beside(order["parent"])
    prepare()
    status = 0
    try:
        _say("")
        confine(order["memory"], order["cpu"])
        _say(json.dumps(_rendered(order["do"], order["values"])))
    except MemoryError:
        status = NO_MEMORY
    except OSError:  # the parent has gone
        status = 1
    os._exit(status)


def _say(line: str) -> None:
    sys.stdout.buffer.write(line.encode("ascii") + b"\n")
    sys.stdout.buffer.flush()


def _rendered(do: str, values: dict[str, Any]) -> dict[str, Any]:
    try:
        if do == "fill":
            return {"text": fill_in_template(values.pop("source"), values.pop("name"), **values["values"]), "notes": []}
        chat = as_chat(**values)
    except InputError as error:
        return {"refused": error.text.record()}
    return {"text": chat.text, "notes": [note.record() for note in chat.notes]}
