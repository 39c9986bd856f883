"""A trial of the server that reads reports, alone or beside the rules, without any report; and its key."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

from radcal.findings.engines import served_options
from radcal.findings.served.keys import server_key
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.word_files import own_folder

_KEPT = {
    "schema": Text("The server keeps its answers to the JSON schema; RadCal checks each of them as well."),
    "checked": Text("The server does not keep its answers to the JSON schema; RadCal checks each of them."),
}

_WEIGHED = {
    True: Text("It states how probable its answers are."),
    False: Text("It does not state how probable its answers are: each is taken as it is."),
}

Kept: TypeAlias = Literal["", "schema", "checked"]
"""How answers are kept to their form: the server writes by the JSON schema, or RadCal alone checks; '' if unknown."""


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """What a trial of the server in the settings found; no report was sent.

    host: "llm.example:8443", '' if the address cannot be used
    reachable: it answers as such a server does;  encrypted: by https
    problem: why it cannot read reports, and what to do, in words; '' if it can
    models: that it offers, sorted; () if it does not say;  offered: the model in the settings is among them
    kept: how its answers are kept to their form
    weighed: it states how probable its answers are
    context: tokens for prompt, questions and answer that it says it has; 0 if it does not say
    seconds: for the trial's answer
    key: whether one was sent along
    """

    host: str = ""
    reachable: bool = False
    encrypted: bool = False
    problem: str = ""
    models: tuple[str, ...] = ()
    model: str = ""
    offered: bool = False
    kept: Kept = ""
    weighed: bool = False
    context: int = 0
    seconds: float = 0.0
    key: bool = False

    @property
    def sentences(self) -> tuple[Text, ...]:
        """All of it for people, a line each."""
        lines = []
        if self.reachable:
            way = Text("encrypted") if self.encrypted else Text("on this computer, not encrypted")
            lines.append(Text("{host} answers ({way}).", host=self.host, way=way))
        if self.models:
            lines.append(Text("It offers: {names}.", names=", ".join(self.models)))
        if self.problem:
            return (*lines, Text(self.problem))
        values: dict[str, Any] = {"model": self.model, "seconds": self.seconds}
        lines.append(Text("{model} has answered a question of RadCal's own after {seconds:.1f} s.", **values))
        if self.context:
            lines.append(Text("It has {n:,} tokens for prompt, questions and answer.", n=self.context))
        return (*lines, _KEPT[self.kept], _WEIGHED[self.weighed])


def check_server(settings: Settings, progress: Progress = SILENT) -> ServerCheck:
    """Try the server in the settings, with a made-up question; whatever is wrong is told in ``problem``, not raised.

    Raises:
        Cancelled: by ``progress``.
    """
    from radcal.findings.served.address import parse
    from radcal.findings.served.pair_reader import models_offered, served_pair_reader

    try:
        address, key = parse(settings.served_url), bool(server_key(settings.served_url))
        known = ServerCheck(address.host, encrypted=address.encrypted, model=settings.served_model, key=key)
    except InputError as error:
        return ServerCheck(model=settings.served_model, problem=error.text)
    try:
        options, own = served_options(settings), own_folder(settings)
        offer = models_offered(options, server_key(settings.served_url), progress)
        known = replace(known, reachable=True, models=offer.models)
        trial = served_pair_reader(options, None, own, partial(server_key, settings.served_url)).try_server(progress)
    except (InputError, EngineError) as error:
        return replace(known, problem=error.text)
    return replace(
        known,
        offered=settings.served_model in offer.models,
        kept="schema" if trial.way.kept else "checked",
        weighed=trial.way.top > 0,
        context=offer.context_of(settings.served_model),
        seconds=trial.seconds,
    )


def served_host(settings: Settings) -> str:
    """The host that reports are sent to under these settings: "llm.example:8443"; '' if they go nowhere."""
    return host_at(settings.served_url) if settings.reads_at_server else ""


def host_at(url: str) -> str:
    """The host of an address of a server: "llm.example:8443"; '' if it cannot be used."""
    from radcal.findings.served.address import parse

    try:
        return parse(url).host
    except InputError:
        return ""


def sending_note(settings: Settings) -> str:
    """What a command says of its reports where they leave this computer; '' where they do not."""
    host, too = served_host(settings), " as well" if settings.engine == "rules" else ""
    return f"The reports are read at {host}{too}: their texts are sent there." if host else ""
