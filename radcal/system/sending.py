"""Where this process is sending the texts of reports right now, for the sign that says so."""

from __future__ import annotations

import threading

_hosts: dict[int, str] = {}
_changing = threading.Lock()


def sending_to() -> str:
    """The host of the server that is being sent report texts, '' while there is none; from any thread."""
    with _changing:
        return next(iter(_hosts.values()), "")


def note_sending(who: object, host: str) -> None:
    """Texts are being sent to this host on behalf of ``who`` from now on; '' for not any more."""
    with _changing:
        if host:
            _hosts[id(who)] = host
        else:
            _hosts.pop(id(who), None)
