"""What a server is and can: its models, and the way in which it is asked; found out without a report."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from radcal.findings.served.address import Address
from radcal.findings.served.client import AGAIN, Client, Reply, Unanswered, backing_off
from radcal.findings.served.requests import (
    CHAT,
    FORMS,
    MODELS,
    Asker,
    Offer,
    Way,
    choice_in,
    offer_in,
    tokens_in,
)
from radcal.system.errors import EngineError, InputError
from radcal.system.text import Text

TRIAL_SECONDS = 120.0
"""Longest time for a trial: a server may have to load its model first."""
_UNREACHABLE_SECONDS = 4.0
"""How long a server that does not answer at all is tried."""
_QUESTION = "Answer with the word no, and with nothing else."
"""A request to which only a server that keeps to the form answers in it."""
_ANSWER = 24
"""Tokens of the trial's answer: enough for the beginning of the form."""
_KEY = "1 pneumothorax"
_TOPS = (20, 5)
"""Alternatives to a token that servers give: as OpenAI and vLLM, and as TGI."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a trial found; ``seconds``: for the answer in the way chosen."""

    offer: Offer
    way: Way
    seconds: float


async def models_of(client: Client, address: Address) -> Offer:
    """The models that a server offers.

    Raises:
        InputError: the key or the certificate is wrong, or the server's name has no address or leads elsewhere.
        EngineError: the server cannot be reached.
    """
    await client.locate()
    reply = await _tried(client, address, None)
    refuse(reply, address, "")
    return offer_in(reply)


async def try_out(client: Client, address: Address, asker: Asker, offer: Offer) -> Trial:
    """The way in which a server is asked: the first in which it keeps to the form, else the first that it takes, with
    the probabilities of tokens if it gives any.

    Raises:
        InputError: the server does not know the model, does not take the key, or refuses every request.
        EngineError: it does not answer.
    """
    model = asker.model
    if not offer.has(model):
        names = ", ".join(offer.models[:20])
        raise InputError(
            "{host} offers no model {model!r}. It offers: {names}.", host=address.host, model=model, names=names
        )
    taken: Trial | None = None
    for way in (Way(form, quiet) for form in FORMS for quiet in (True, False)):
        if taken is not None and way.quiet != taken.way.quiet:
            continue
        began = time.monotonic()
        reply = await _tried(client, address, asker.asked(_QUESTION, _KEY, way, _ANSWER))
        if reply.status == 200 and _answers(reply):
            found = Trial(offer, replace(way, kept=_keeps(reply)), time.monotonic() - began)
            taken = found if found.way.kept else taken or found
            if taken.way.kept:
                break
        elif reply.status not in (200, 400, 422, 500, 501):
            refuse(reply, address, model)
    if taken is None:
        raise InputError(
            "{host} answers no question to {model!r} as a server of chat completions does. Check the path {path} in "
            "its address, and see in the server's log why.",
            host=address.host,
            model=model,
            path=address.path,
        )
    for top in _TOPS:
        way = replace(taken.way, top=top)
        reply = await _tried(client, address, asker.asked(_QUESTION, _KEY, way, 1))
        if reply.status == 200 and _answers(reply) and tokens_in(choice_in(reply)[0]):
            return replace(taken, way=way)
    return taken


def refuse(reply: Reply, address: Address, model: str) -> None:
    """Raise InputError for an answer after which no other can be expected.

    Args:
        model: that was asked; '' if none was.
    """
    status, host = reply.status, address.host
    if status in (401, 403):
        raise InputError(
            "{host} does not let RadCal in (status {status}). Give RadCal the key of the server, or the right one: on "
            "the page Extraction, or with `radcal server --set served_url=URL --remember-key` or --server-key-file.",
            host=host,
            status=status,
        )
    if 300 <= status < 400:
        raise InputError(
            "{host} sends requests elsewhere (status {status}), where RadCal does not follow. Name the address that it "
            "leads to, if that is the server meant.",
            host=host,
            status=status,
        )
    if status == 404 and model:
        raise InputError(
            "{host} does not know the model {model!r}, or serves no chat completions under {path}. Check both.",
            host=host,
            model=model,
            path=address.path,
        )


async def _tried(client: Client, address: Address, body: bytes | None) -> Reply:
    """An answer to the question, or to that for the models; a server that is still loading is waited for."""
    reason = Text("it is too slow")
    began, pauses = time.monotonic(), backing_off()
    try:
        async with asyncio.timeout(TRIAL_SECONDS):
            while True:
                wait = 0.0
                try:
                    reply = await (client.get(MODELS) if body is None else client.post(CHAT, body))
                except Unanswered as error:
                    reason = error.reason
                    if time.monotonic() - began > _UNREACHABLE_SECONDS:
                        raise _unreachable(address, reason) from None
                else:
                    if reply.status not in AGAIN or reply.status == 500:
                        return reply
                    reason, wait = Text("it answers with status {status}", status=reply.status), reply.wait or 0.0
                pause = max(wait, next(pauses))
                if time.monotonic() - began + pause > TRIAL_SECONDS:
                    raise _unreachable(address, reason)
                await asyncio.sleep(pause)
    except TimeoutError:
        raise _unreachable(address, reason) from None


def _unreachable(address: Address, reason: Text) -> EngineError:
    return EngineError(
        "{host} does not answer as a server that reads reports should: {reason}. Check the address and whether the "
        "server runs, and start again: a workspace keeps what was read.",
        host=address.host,
        reason=reason,
    )


def _answers(reply: Reply) -> bool:
    """Whether it is an answer of chat completions, whatever it says."""
    try:
        choice_in(reply)
    except Unanswered:
        return False
    return True


def _keeps(reply: Reply) -> bool:
    """Whether an answer to the question is in the form, as none would be that is free; it may be cut off."""
    content = choice_in(reply)[1].get("content") or ""
    return "".join(content.split()).startswith("".join(f'{{"{_KEY}"'.split()))
