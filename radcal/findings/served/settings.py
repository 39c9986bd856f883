"""The settings of the server that reads reports: what is wrong with them, and when it is switched on and off."""

from __future__ import annotations

from pathlib import Path

from radcal.findings.served.server import served_host
from radcal.system.errors import InputError
from radcal.system.settings import Settings
from radcal.system.text import Text


def server_faults(settings: Settings) -> dict[str, Text]:
    """What is wrong with the settings of the server, each with its remedy, by the name of the setting.

    Whatever the engine is; no server is asked.  A setting without an entry can be used.
    """
    from radcal.findings.served.address import parse
    from radcal.findings.served.certificates import trusting

    found: dict[str, Text] = {}
    encrypted = True
    try:
        encrypted = parse(settings.served_url).encrypted
    except InputError as error:
        found["served_url"] = error.text
    if not settings.served_model.strip():
        found["served_model"] = Text("Name the model that reads, as the server calls it.")
    if settings.served_ca or (encrypted and not found.get("served_url")):
        try:
            trusting(Path(settings.served_ca) if settings.served_ca else None)
        except InputError as error:
            found["served_ca"] = error.text
    return found


def server_entry(before: Settings, after: Settings) -> str:
    """The entry of the audit log where reports go to another server from now on, or to none any more; '' where not."""
    was, now = served_host(before), served_host(after)
    if was == now:
        return ""
    return f"reports are sent to a server from now on: {now}" if now else f"reports are not sent to {was} any more"
