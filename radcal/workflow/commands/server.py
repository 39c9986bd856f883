"""The server that reads reports, for the command line: what it is and can, and its key."""

from __future__ import annotations

from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.settings import Settings
from radcal.workflow.commands.summaries import Summary
from radcal.workflow.runs.server import check_server, forget_server_key, remember_server_key


def server_here(settings: Settings, done: str = "", progress: Progress = SILENT) -> Summary:
    """Try the server in the settings.

    Args:
        done: what was done with its key, in words.

    Returns:
        The summary: ``host``, ``reachable``, ``encrypted``, ``models``, ``model``, ``offered``, ``kept`` ("schema",
        "checked" or ""), ``context``, ``seconds``, ``key`` (whether one was sent along), ``failures`` (why it cannot
        read reports) and ``text``.

    Raises:
        InputError: the address cannot be used.
        Cancelled: by ``progress``.
    """
    found = check_server(settings, progress)
    if not found.host:
        raise InputError(found.problem)
    return {
        "host": found.host,
        "reachable": found.reachable,
        "encrypted": found.encrypted,
        "models": list(found.models),
        "model": found.model,
        "offered": found.offered,
        "kept": found.kept,
        "context": found.context,
        "seconds": found.seconds,
        "key": found.key,
        "failures": [found.problem] if found.problem else [],
        "text": "\n".join(filter(None, (done, *found.sentences))),
    }


def remember_key(settings: Settings, key: str) -> str:
    """Keep a server's key in the key store; says so.

    Raises:
        InputError: as of :func:`~radcal.workflow.runs.server_keys.remember_server_key`.
    """
    return f"The key is kept in {remember_server_key(settings.served_url, key)}, for this server alone."


def forget_key(settings: Settings) -> str:
    """Remove a server's key from the key store; says so.

    Raises:
        InputError: as of :func:`~radcal.workflow.runs.server_keys.forget_server_key`.
    """
    forget_server_key(settings.served_url)
    return "The key store has no key of this server any more."
