"""Whether two answers are the same, by their letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_ARTICLES = frozenset({"a", "an", "the", "der", "die", "das", "ein", "eine"})
_THOUSANDS = re.compile(r"(?<=\d)[,'\u2019\u202f\u00a0](?=\d{3}(?!\d))")
_WORDS = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")


def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a text without case, accents, punctuation and articles: what is compared.

    "The Élysée Palace." and "elysee palace" are the same, and so are "1,250" and "1250".  A text of articles alone
    keeps them.
    """
    plain = unicodedata.normalize("NFKD", _THOUSANDS.sub("", unicodedata.normalize("NFKC", text)).casefold())
    words = tuple(_WORDS.findall("".join(c for c in plain if not unicodedata.combining(c))))
    return tuple(word for word in words if word not in _ARTICLES) or words


def same(answer: str, accepted: Iterable[str]) -> bool:
    """True if an answer has the words of an accepted one, in their order, and no others."""
    words = words_of(answer)
    return bool(words) and any(words == words_of(other) for other in accepted)


def names(sentence: str, accepted: Iterable[str]) -> bool:
    """True if an accepted answer stands in a sentence, as whole words in order; articles alone, letter by letter."""
    words = words_of(sentence)
    return any(
        names_exactly(sentence, [other]) if _ARTICLES.issuperset(part) else _within(part, words)
        for other in accepted
        if (part := words_of(other))
    )


def exact(answer: str, accepted: Iterable[str]) -> bool:
    """True if an answer is an accepted one letter by letter, but for spaces around it."""
    return any(answer.strip() == other.strip() for other in accepted)


def names_exactly(sentence: str, accepted: Iterable[str]) -> bool:
    """True if an accepted answer stands in a sentence letter by letter, not inside a longer word."""
    return any(re.search(rf"(?<!\w){re.escape(other.strip())}(?!\w)", sentence) for other in accepted if other.strip())


def _within(part: Sequence[str], words: Sequence[str]) -> bool:
    n = len(part)
    return n > 0 and any(tuple(words[i : i + n]) == tuple(part) for i in range(len(words) - n + 1))
