"""The server that reads reports in the settings: what is wrong with it, where reports go, and a trial without any."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from radcal.findings.served.address import parse
from radcal.findings.served.keys import server_key
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.studies import laid_over

if TYPE_CHECKING:
    from radcal.findings.served.trial import Trial

_KEPT = {
    True: Text("The server keeps its answers to the JSON schema; RadCal checks each of them as well."),
    False: Text("The server does not keep its answers to the JSON schema; RadCal checks each of them."),
}
_WEIGHED = {
    True: Text("It states how probable its answers are."),
    False: Text("It does not state how probable its answers are: each is taken as it is."),
}


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """What a trial of the server in the settings found; no report was sent.

    host: "llm.example:8443", '' if the address cannot be used
    reachable: it answers as such a server does;  encrypted: by https
    problem: why it cannot read reports, and what to do, in words; '' if it can
    models: that it offers, sorted; () if it does not say;  model: in the settings
    key: whether one was sent along
    trial: how it is asked; None if it cannot read
    """

    host: str = ""
    reachable: bool = False
    encrypted: bool = False
    problem: str = ""
    models: tuple[str, ...] = ()
    model: str = ""
    key: bool = False
    trial: Trial | None = None

    @property
    def sentences(self) -> tuple[Text, ...]:
        """All of it for people, a line each."""
        lines = []
        if self.reachable:
            way = Text("encrypted") if self.encrypted else Text("on this computer, not encrypted")
            lines.append(Text("{host} answers ({way}).", host=self.host, way=way))
        if self.models:
            lines.append(Text("It offers: {names}.", names=", ".join(self.models)))
        if self.trial is None:
            return (*lines, Text(self.problem))
        values: dict[str, Any] = {"model": self.model, "seconds": self.trial.seconds}
        lines.append(Text("{model} has answered a question of RadCal's own after {seconds:.1f} s.", **values))
        return (*lines, _KEPT[self.trial.kept], _WEIGHED[self.trial.way.top > 0])


def check_server(settings: Settings, progress: Progress = SILENT) -> ServerCheck:
    """Try the server in the settings, with a made-up question; whatever is wrong is told in ``problem``, not raised."""
    from radcal.findings.served.client import connected
    from radcal.findings.served.pair_reader import ServedPairReader
    from radcal.findings.served.trial import models_of

    found = ServerCheck(model=settings.served_model)
    try:
        address, key = parse(settings.served_url), bool(server_key(settings.served_url))
        found = replace(found, host=address.host, encrypted=address.encrypted, key=key)
        with connected(settings, progress) as client:
            models = client.result(models_of, progress=progress)
        found = replace(found, reachable=True, models=models)
        return replace(found, trial=ServedPairReader(settings, own=laid_over(settings)).try_server(progress))
    except (InputError, EngineError) as error:
        return replace(found, problem=error.text)


def served_host(settings: Settings) -> str:
    """The host that reports are sent to under these settings: "llm.example:8443"; '' if they go nowhere."""
    return host_at(settings.served_url) if settings.reads_at_server else ""


def host_at(url: str) -> str:
    """The host of an address of a server: "llm.example:8443"; '' if it cannot be used."""
    try:
        return parse(url).host
    except InputError:
        return ""


def sending_note(settings: Settings) -> str:
    """What a command says of its reports where they leave this computer; '' where they do not."""
    host, too = served_host(settings), " as well" if settings.engine == "rules" else ""
    return f"The reports are read at {host}{too}: their texts are sent there." if host else ""


def server_faults(settings: Settings) -> dict[str, Text]:
    """What is wrong with the settings of the server, each with its remedy, by the name of the setting.

    Whatever the engine is; no server is asked.  A setting without an entry can be used.
    """
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
            trusting(settings.served_ca)
        except InputError as error:
            found["served_ca"] = error.text
    return found


def server_entry(before: Settings, after: Settings) -> str:
    """The entry of the audit log where reports go to another server from now on, or to none any more; '' where not."""
    was, now = served_host(before), served_host(after)
    if was == now:
        return ""
    return f"reports are sent to a server from now on: {now}" if now else f"reports are not sent to {was} any more"
