"""What an answer of a server says of the questions: a phrase of each, and how probable each of the list is.

An answer counts as a whole or not at all: what is in no list is no reading, and no guess.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radcal.findings.served.requests import Said, Useless
from radcal.system.text import Text
from radcal.words.phrases import normalise

_FENCE = "```"
_NO_FORM = Text("the answer is not in the form asked for")
_LEAST = 1e-4
"""Probability of a phrase that is none of the alternatives stated, before all are made to sum to 1."""


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of an answer: where it stands, its probability, and those of the tokens that might stand there instead.

    start, end: in the bytes of the answer;  log: natural logarithm of the probability
    """

    text: bytes
    start: int
    log: float
    others: tuple[tuple[bytes, float], ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def chances_in(said: Said, keys: Sequence[str], phrases: Sequence[str]) -> NDArray[np.float64]:
    """(keys, phrases) P(phrase) of each question; rows sum to 1.

    Where the server states the probabilities of tokens, they divide the phrases at each token of the one that was
    chosen: those that begin with an alternative share its part.  Elsewhere the phrase that was chosen has 1.

    Args:
        said: the answer, a JSON object with one of the phrases for each key.

    Raises:
        Useless: anything of the answer is not as it must be.
    """
    if said.cut:
        raise Useless(Text("the answer was cut off before its end"))
    if not said.text:
        thought = Text("the model thought and gave no answer")
        raise Useless(thought if said.thought else Text("the model gave no answer"))
    chosen = _phrases(said.text, keys, phrases)
    answer = said.text.encode("utf-8", "replace")
    stated = _stated(answer, said.tokens)
    known = {normalise(phrase): n for n, phrase in enumerate(phrases)}
    chances = np.zeros((len(keys), len(phrases)))
    for row, key, phrase in zip(chances, keys, chosen, strict=True):
        row[n := known[normalise(phrase)]] = 1.0
        place = re.search(rb'"%s"\s*:\s*"' % re.escape(key.encode()), answer) if stated else None
        if place is not None:
            row[:] = _weighed(answer, place.end(), stated, phrases, n)
    return chances


def _weighed(
    answer: bytes, start: int, tokens: Sequence[_Token], phrases: Sequence[str], chosen: int
) -> NDArray[np.float64]:
    """P(phrase) for each, by the tokens of the one that was chosen, which stands in the answer from ``start`` on.

    A token divides the phrases that begin as the answer does by the tokens that might stand there.
    """
    texts = [f'{phrase}"'.encode().lower() for phrase in phrases]
    left = list(range(len(texts)))
    weights, mass = np.zeros(len(texts)), 1.0
    for token in tokens:
        if token.end <= start:
            continue
        alike = partial(_alike, answer, start, token, {n: texts[n] for n in left})
        others = [(some, math.exp(log)) for text, log in token.others if text != token.text and (some := alike(text))]
        stays = math.exp(token.log)
        if (total := stays + sum(p for _, p in others)) <= 0:
            break
        for some, p in others:
            weights[some] += mass * p / total / len(some)
        mass *= stays / total
        left = alike(token.text)
        if len(left) < 2:  # what follows is all that can
            break
    weights[chosen] += mass
    weights = np.maximum(weights, _LEAST)
    return np.asarray(weights / weights.sum())


def _alike(answer: bytes, start: int, token: _Token, phrases: Mapping[int, bytes], text: bytes) -> list[int]:
    """The phrases that begin as the answer does from ``start`` on, with a text in place of a token."""
    lead = answer[token.start : start]
    if not text.startswith(lead):
        return []
    begun = (answer[start : token.start] + text[len(lead) :]).lower()
    return [n for n, phrase in phrases.items() if phrase.startswith(begun) or begun.startswith(phrase)]


def _stated(answer: bytes, tokens: Sequence[Any]) -> list[_Token]:
    """The tokens that make up the answer; [] if they do not: thoughts and control tokens may stand around it."""
    found: list[_Token] = []
    at = 0
    for stated in tokens:
        if (read := _read(stated)) is None:
            return []
        others = stated.get("top_logprobs")
        listed = map(_read, others) if isinstance(others, list) else ()
        found.append(_Token(read[0], at, read[1], tuple(filter(None, listed))))
        at = found[-1].end
    first = b"".join(token.text for token in found).rfind(answer)
    if first < 0:
        return []
    return [_Token(t.text, t.start - first, t.log, t.others) for t in found if first <= t.start < first + len(answer)]


def _read(token: Any) -> tuple[bytes, float] | None:
    """The bytes and the logarithm of a token as a server states it."""
    try:
        spelled, log = token.get("bytes"), float(token["logprob"])
        text = bytes(spelled) if spelled else token["token"].encode("utf-8", "replace")
        return None if math.isnan(log) else (text, min(log, 0.0))
    except (TypeError, LookupError, ValueError, AttributeError, OverflowError):
        return None


def _phrases(said: str, keys: Sequence[str], phrases: Sequence[str]) -> list[str]:
    """The phrase of each key, as it was written.

    Raises:
        Useless: it is no JSON object with a phrase of the list for each key, and nothing else.
    """
    text = said
    if text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) > 2 * len(_FENCE):
        text = text[len(_FENCE) : -len(_FENCE)].removeprefix("json").strip()
    try:
        pairs = json.loads(text, object_pairs_hook=tuple)  # a name may be given twice
    except (ValueError, RecursionError):
        raise Useless(_NO_FORM) from None
    if not isinstance(pairs, tuple) or sorted(key for key, _ in pairs) != sorted(keys):
        raise Useless(_NO_FORM)
    answer = dict(pairs)
    known = set(map(normalise, phrases))
    found = [answer[key] for key in keys]
    if not all(isinstance(phrase, str) and normalise(phrase) in known for phrase in found):
        raise Useless(Text("the answer names a phrase that is not in the list"))
    return found
