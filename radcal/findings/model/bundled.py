"""The protocol of the bundled model: a sentence and the words of a term in it, then a phrase as a single token.

The prompt is ``<s>``, the sentence in a small alphabet (:func:`plain`), and for each question ``<ask>``, the words of
the term in that alphabet, ``<is>``.  The next token is the answer: ``<present>``, ``<absent>``, another phrase of the
shipped lexicon such as ``<may represent>``, or ``<not stated>``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from radcal.findings.model.process import MARK, Forms
from radcal.findings.readers.pairs import NOT_STATED
from radcal.system.text import Text

FORMAT = "radcal-pairs-1"
"""Stored in the model file as ``radcal.format``; models of another format do not follow this protocol."""
BEGIN, END, ASK, IS = "<s>", "</s>", "<ask>", "<is>"
_SIGNS: tuple[str, ...] = (BEGIN, END, ASK, IS)
_LONGEST = 160
"""Most tokens of a sentence; of a longer one, the part around the term is shown."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ASCII = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u00b4`", "'"),
    "\u00d7": "x",
}


def special_tokens(phrases: Sequence[str]) -> tuple[str, ...]:
    """The last tokens of a vocabulary, in this order.

    Args:
        phrases: the closed list, as of :func:`radcal.findings.readers.pairs.phrases_of`.
    """
    return (*_SIGNS, *map(answer_token, phrases))


def answer_token(phrase: str) -> str:
    """The token that answers with a phrase."""
    return f"<{phrase}>"


def trained_on(pieces: Sequence[str]) -> tuple[str, ...]:
    """The closed list in a vocabulary of this protocol, NOT_STATED last.

    Raises:
        ValueError: the vocabulary lacks the special tokens of this protocol.
    """
    first = max((i for i, piece in enumerate(pieces) if piece == BEGIN), default=0)
    phrases = tuple(piece[1:-1] for piece in pieces[first + len(_SIGNS) :])
    if phrases[-1:] != (NOT_STATED,) or tuple(pieces[first:]) != special_tokens(phrases):
        raise ValueError(Text("not a vocabulary of the format {format}", format=FORMAT))
    return phrases


def forms(phrases: Sequence[str]) -> Forms:
    """How the model is asked.

    Args:
        phrases: its closed list.
    """
    answers = tuple(map(answer_token, phrases))
    return Forms("", MARK, f"{ASK}{MARK}{IS}", answers, markers=True, longest=_LONGEST)


def plain(text: str) -> str:
    """The text in the model's alphabet.

    Lower case, ``#`` for a number, single spaces, a leading space, no accents, ``~`` for any other character.
    """
    out = [" "]
    at = 0
    while at < len(text):
        number = _NUMBER.match(text, at)
        c = "#" if number else text[at]
        if not number and not ("!" <= c <= "~"):
            c = _ascii(c)
        if c != " " or out[-1] != " ":
            out.append(c.lower())
        at = number.end() if number else at + 1
    while len(out) > 1 and out[-1] == " ":
        del out[-1]
    return "".join(out)


@lru_cache(4096)
def _ascii(c: str) -> str:
    if c.isspace() or unicodedata.category(c).startswith(("C", "Z")):
        return " "
    base = _ASCII.get(c) or unicodedata.normalize("NFKD", c)[0]
    return base if "!" <= base <= "~" and not base.isdigit() else "~"
