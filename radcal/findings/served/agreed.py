"""The servers that this user has agreed, on this computer, to have reports read at.

The settings of a workspace name a server and travel with its file.  Whoever opens it elsewhere, or is somebody else,
sends no report there before agreeing to it, too.
"""

from __future__ import annotations

import json
from contextlib import suppress

from radcal.findings.served.server import host_at
from radcal.system import files, inputs, policy
from radcal.system.errors import InputError
from radcal.system.places import state_folder

_FILE = "servers.json"
_in_this_process: set[str] = set()
"""In case the list cannot be kept."""


def agree(host: str) -> None:
    """Agree to have reports read at a host: "llm.example:8443"; '' for none."""
    if not host or is_agreed(host):
        return
    _in_this_process.add(host)
    path = state_folder() / _FILE
    with suppress(OSError, InputError):  # what cannot be kept is asked for again
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.writing(path) as file:
            file.write(json.dumps(sorted({*_kept(), host})))


def is_agreed(host: str) -> bool:
    """Whether this user, or IT for everybody, has agreed to have reports read at a host."""
    set_by_it = host_at(policy.in_use().start("served_url", ""))
    return host in {set_by_it, *_in_this_process, *_kept()}


def require_agreement(host: str) -> None:
    """Refuse to send reports to a host that this user has not agreed to; '' is none.

    Raises:
        InputError: what to do.
    """
    if host and not is_agreed(host):
        raise InputError(
            "The settings of this workspace have its reports read at {host}, and you have not agreed to that on this "
            "computer. To send them there, name the server (--set served_url=URL), or press Read on the Extraction "
            "page. To send none, choose the rules.",
            host=host,
        )


def _kept() -> set[str]:
    """The hosts in the list; none of one that cannot be read."""
    try:
        kept = json.loads(inputs.read_text(state_folder() / _FILE))
    except (InputError, ValueError, RecursionError):
        return set()
    return {host for host in kept if isinstance(host, str)} if isinstance(kept, list) else set()
