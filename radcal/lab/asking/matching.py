"""Whether two answers are the same, by their letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from radcal.lab.abstaining import YES_NO

_ARTICLES = frozenset({"a", "an", "the", "der", "die", "das", "ein", "eine"})
_THOUSANDS = re.compile(r"(?<=\d)[,'\u2019\u202f\u00a0](?=\d{3}(?!\d))")
_RAISED = re.compile(r"(?<=\d)(?=[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])")
_MINUS = re.compile(r"[\u2212\u2010-\u2014](?=\d)|\bminus\s+(?=\d)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['\u2018\u2019\u02bc`](?=[^\W\d_])")
_INITIALS = re.compile(r"(?<!\w)(?:[^\W\d_]\.\s?){2,}")
_WORDS = re.compile(
    r"(?P<number>(?:(?<![\w.)])-)?(?:\d+(?:\.\d+)?|(?<![\w.])\.\d+))"
    r"|(?P<word>[^\W\d_]{1,2}[-+#]+(?!\w)|[^\W\d_]+[+#]+(?!\w)|[^\W\d_]+)"
    r"|(?P<break>[,.;:!?()\u2013\u2014]|\s-\s)"
)
_BREAK = ""
_NOT = frozenset(
    (
        *("not", "never", "no", "nor", "neither", "cannot", "isnt", "wasnt", "arent", "werent", "cant", "couldnt"),
        *("wouldnt", "dont", "doesnt", "didnt", "unlikely", "doubt", "than", "instead", "except"),
        *("nicht", "kein", "keine", "keinen", "keiner", "weder", "statt", "niemals"),
    )
)
_CERTAIN = frozenset({"no", "not", "without", "dont", "beyond", "ohne", "kein"})
"""Words that take a doubt away: "no doubt"."""
_LINKS = frozenset(
    (
        *("it", "its", "is", "was", "are", "were", "be", "been", "that", "this", "he", "she", "they", "to", "in", "at"),
        *("of", "by", "from", "on", "for", "as", "would", "have", "think", "believe", "say", "called", "named"),
        *("necessarily", "really", "actually", "likely", "probably", "es", "ist", "war", "dass", "in", "aus", "von"),
    )
)
"""Words that may stand between "not" and what it denies."""


def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a text without case, accents, punctuation and articles: what is compared.

    "The Élysée Palace." and "elysee palace" are the same, and so are "1,250" and "1250", "0.50" and "0.5", "U.S." and
    "US", "O'Neill" and "ONeill"; "-5" and "5" are not, nor are "C++" and "C".  A text of articles alone keeps them.
    """
    words = tuple(word for word in _spoken(text) if word != _BREAK)
    return tuple(word for word in words if word not in _ARTICLES) or words


def same(answer: str, accepted: Iterable[str]) -> bool:
    """True if an answer has the words of an accepted one, in their order, and no others."""
    words = words_of(answer)
    return bool(words) and any(words == words_of(other) for other in accepted)


def names(sentence: str, accepted: Iterable[str]) -> bool:
    """True if a sentence gives an accepted answer: as whole words in order; articles alone, letter by letter.

    It does not where it denies it just before, "it is not Paris" or "I doubt that it is"; yes and no must end a clause:
    "no" is not in "there is no doubt".
    """
    spoken = [word for word in _spoken(sentence) if word not in _ARTICLES]
    return any(
        _names_exactly(sentence, other)
        if _ARTICLES.issuperset(part)
        else any(_given(part, spoken[:i], spoken[j:]) for i, j in _places(part, spoken))
        for other in accepted
        if (part := words_of(other))
    )


def _names_exactly(sentence: str, other: str) -> bool:
    """True if a sentence gives an answer letter by letter, not inside a longer word, and does not deny it."""
    return any(
        _given(words_of(other), list(_spoken(sentence[: m.start()])), list(_spoken(sentence[m.end() :])))
        for m in re.finditer(rf"(?<!\w){re.escape(other.strip())}(?!\w)", sentence)
    )


def _spoken(text: str) -> Iterator[str]:
    """Words, numbers and, as "", the breaks between clauses."""
    plain = unicodedata.normalize("NFKC", _THOUSANDS.sub("", _RAISED.sub(" ", text))).casefold()
    plain = _THOUSANDS.sub("", plain.replace("&", " and "))
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    plain = _INITIALS.sub(lambda m: re.sub(r"[.\s]", "", m[0]) + " ", _APOSTROPHE.sub("", _MINUS.sub("-", plain)))
    for found in _WORDS.finditer(plain):
        if found["number"]:
            yield _number(found["number"])
        else:
            yield found["word"] or _BREAK


def _number(written: str) -> str:
    """A number as it is compared: without leading and trailing zeros."""
    sign, digits = ("-", written[1:]) if written.startswith("-") else ("", written)
    whole, _, part = digits.partition(".")
    part = part.rstrip("0")
    value = (whole.lstrip("0") or "0") + (f".{part}" if part else "")
    return value if value == "0" else sign + value


def _places(part: Sequence[str], spoken: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start and end of a part within what is said, across breaks between clauses."""
    at = [i for i, word in enumerate(spoken) if word != _BREAK]
    n = len(part)
    for k in range(len(at) - n + 1):
        if all(spoken[at[k + i]] == part[i] for i in range(n)):
            yield at[k], at[k + n - 1] + 1


def _given(part: Sequence[str], before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether words between others are an answer that is given, not denied."""
    if len(part) == 1 and part[0] in YES_NO:
        return not behind or behind[0] == _BREAK
    for i in range(len(before) - 1, -1, -1):
        word = before[i]
        if word in _NOT:
            return word == "doubt" and i > 0 and before[i - 1] in _CERTAIN
        if word not in _LINKS and word not in _ARTICLES:
            return True
    return True
