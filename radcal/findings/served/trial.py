"""What a server is and can: its models, and the way in which it is asked; found out without a report."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product

from radcal.findings.served.client import AGAIN, Client, Reply, Unanswered
from radcal.findings.served.requests import (
    CHAT,
    FORMS,
    MODELS,
    Asker,
    Form,
    Way,
    models_in,
    refuse,
    said_in,
)
from radcal.system.errors import EngineError, InputError

TRIAL_SECONDS = 120.0
"""Longest time for a request of a trial: a server may have to load its model first."""
UNREACHABLE_SECONDS = 4.0
"""How long a server that does not answer at all is tried."""
_AGAIN = AGAIN - {500}
"""A server may fail at a form that it does not know."""
_QUESTION = "Answer with the word no, and with nothing else."
"""A request to which only a server that keeps to the form answers in it."""
_ANSWER = 12
"""Tokens of the trial's answer: enough for the beginning of the form."""
_KEY = "1 edema"
_TOPS = (20, 5, 0)
"""Alternatives to a token that servers give: as OpenAI and vLLM, as TGI, and none."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a trial found.

    models:  that the server offers, sorted; () if it does not say
    kept:    it keeps its answers to the form
    seconds: for the answer in the way chosen
    """

    models: tuple[str, ...]
    way: Way
    kept: bool
    seconds: float


async def models_of(client: Client) -> tuple[str, ...]:
    """The models that a server offers, sorted; () if it does not say.

    Raises:
        InputError: the key or the certificate is wrong, or the server leads elsewhere.
        EngineError: the server cannot be reached.
    """
    reply = await _asked(client, MODELS, None)
    refuse(reply.status, client.address, "")
    return models_in(reply)


async def try_out(client: Client, asker: Asker, models: Sequence[str]) -> Trial:
    """The way in which a server is asked: the first form that it keeps to, else the first that it takes.

    Raises:
        InputError: the server does not know the model, does not take the key, or refuses every request.
        EngineError: it does not answer.
    """
    model, address = asker.model, client.address
    if models and model not in models and f"{model}:latest" not in models:
        names = ", ".join(models[:20])
        raise InputError(
            "{host} offers no model {model!r}. It offers: {names}.", host=address.host, model=model, names=names
        )
    taken: list[Trial] = []
    for form in FORMS:
        if (found := await _taken(client, asker, form)) is not None:
            taken.append(replace(found, models=tuple(models)))
            if found.kept:
                return taken[-1]
    if not taken:
        raise InputError(
            "{host} answers no question to {model!r} as a server of chat completions does. Check the path {path} in "
            "its address, and see in the server's log why.",
            host=address.host,
            model=model,
            path=address.path,
        )
    return taken[0]


async def _taken(client: Client, asker: Asker, form: Form) -> Trial | None:
    """The trial of a form with as much beside it as the server takes; None if it takes it in no way."""
    for quiet, top in product((True, False), _TOPS):
        way, began = Way(form, quiet, top), time.monotonic()
        reply = await _asked(client, CHAT, asker.asked(_QUESTION, _KEY, way, _ANSWER))
        if reply.status == 200:
            with suppress(Unanswered):  # no answer of chat completions
                said = said_in(reply)
                seconds = time.monotonic() - began
                # Only an answer to the form begins like this; it may be cut off.
                kept = "".join(said.text.split()).startswith("".join(f'{{"{_KEY}"'.split()))
                return Trial((), replace(way, top=top if said.tokens else 0), kept, seconds)
        elif reply.status not in (400, 422, 500, 501):
            refuse(reply.status, client.address, asker.model)
    return None


async def _asked(client: Client, path: str, body: bytes | None) -> Reply:
    """An answer; a server that is still loading is waited for."""
    try:
        return await client.ask(path, body, TRIAL_SECONDS, again=_AGAIN, unanswered=UNREACHABLE_SECONDS)
    except Unanswered as error:
        raise EngineError(
            "{host} does not answer as a server that reads reports should: {reason}. Check the address and whether the "
            "server runs, and start again: a workspace keeps what was read.",
            host=client.address.host,
            reason=error.reason,
        ) from None
