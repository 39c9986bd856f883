"""A sentence as what it says of certainty: its content is masked, what is left are the words that a reader weighs."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

MASK = "_"
"""Stands for any content: names, numbers, titles, and all words that tell nothing of certainty."""
DENIALS = frozenset({"no", "not", "never", "nor", "neither", "without"})
"""Words that turn a word of certainty round, and say nothing of it where they stand alone."""
_JOINED = frozenset("a about an around be been is it of say that the there to".split())
_SIGNS = {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"', "\u00a0": " "}
_SAME_LENGTH = str.maketrans(_SIGNS)
_WORD = re.compile(
    r"""
      (?P<title>"[^"]*"|\*[^*\s][^*]*\*)                                   # a title or a quotation is content
    | (?P<percent>\d+(?:[.,]\d+)?(?:\s?(?:-|\u2013|to|and|%\s?(?:-|\u2013|to|and))\s?\d+(?:[.,]\d+)?)?\s?(?:%|per\s?cent\b))
    | (?P<number>\d[\d.,:/\u2013-]*\w*)
    | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)
    | (?P<sign>[?!;:,.])
    """,
    re.VERBOSE,
)
_ENDINGS = {"'m": "am", "'ve": "have", "'d": "would", "'ll": "will", "'re": "are", "'s": "is"}
_BASES = {"ca": "can", "wo": "will", "sha": "shall"}
_POSSESSED = ("it", "that", "there", "he", "she", "what", "here", "who", "this")
_TENS = {
    word: n
    for n, word in enumerate(
        ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
    )
}
_SPELT = re.compile(rf"\b(?:(?:a|one)\s)?({'|'.join(_TENS)})(?:[- ]\w+)?\s(?=per\s?cent\b)", re.IGNORECASE)
_STEP = 5


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case, a sign, a percentage to the nearest 5 ("70%"), or :data:`MASK`; and where it stands."""

    word: str
    start: int
    end: int


def tokens(text: str, kept: Container[str]) -> list[Token]:
    """The tokens of a text; words that are not ``kept`` are masked, runs of content become one mask.

    A capital inside a sentence makes a name, and "May 26" a date.  Short forms are written out: "I'm" gives "i", "am".
    A denial counts next to a word of certainty; elsewhere it denies content.
    """
    raw = [t if t.word in kept or _is_kept_always(t.word) else replace(t, word=MASK) for t in _raw(text)]
    found: list[Token] = []
    for place, token in enumerate(raw):
        if token.word in DENIALS and not any(_speaks(t) for t in (*raw[max(place - 1, 0) : place], *raw[place + 1 : place + 2])):
            token = replace(token, word=MASK)
        if token.word == MASK and found and found[-1].word == MASK:
            found[-1] = replace(found[-1], end=token.end)
        else:
            found.append(token)
    return found


def spans(found: Sequence[Token], text: str) -> list[tuple[int, int]]:
    """Where words of certainty stand; those with only "it", "be" and the like between them are one span."""
    runs: list[list[Token]] = [[]]
    for token in found:
        if _speaks(token) or token.word in DENIALS:
            runs[-1].append(token)
        elif token.word != MASK or not _JOINED.issuperset(text[token.start : token.end].lower().split()):
            runs.append([])
    return [(run[0].start, run[-1].end) for run in runs if any(_speaks(t) for t in run)]


def says_nothing(found: Iterable[Token]) -> bool:
    """Whether no word speaks of certainty: a plain statement."""
    return not any(_speaks(token) for token in found)


def _speaks(token: Token) -> bool:
    return token.word != MASK and token.word not in DENIALS and (token.word[0].isalpha() or token.word[-1] == "%")


def _is_kept_always(word: str) -> bool:
    return word[-1:] == "%" or word in "?!;:,."


def _raw(text: str) -> Iterator[Token]:
    """Words and signs as they stand; names, numbers and titles masked."""
    plain = _unquoted(text.translate(_SAME_LENGTH))
    plain = _SPELT.sub(lambda m: f"{10 * _TENS[m[1].lower()]} ".rjust(len(m[0])), plain)
    begins = True
    matches = list(_WORD.finditer(plain))
    for place, match in enumerate(matches):
        start, end = match.span()
        if match["percent"]:
            yield Token(f"{_nearest(match[0])}%", start, end)
        elif match["word"] is None:
            yield Token(match["sign"] or MASK, start, end)
        else:
            word = match["word"]
            numbered = place + 1 < len(matches) and matches[place + 1]["number"] is not None
            is_name = word[0].isupper() and not begins and word.split("'")[0] != "I" and not text.isupper()
            if is_name or (word.lower() == "may" and numbered):
                yield Token(MASK, start, end)
            else:
                yield from (Token(part, start, end) for part in _written_out(word.lower()))
        begins = match["sign"] is not None and match["sign"] not in ","


def _unquoted(text: str) -> str:
    """Without the quotation marks around the whole of it, which make it no title."""
    inner = text.strip()
    if len(inner) > 1 and inner[0] == inner[-1] == '"' and '"' not in inner[1:-1]:
        return text.replace('"', " ")
    return text


def _nearest(percent: str) -> int:
    """The percentage, of a range the middle, to the nearest 5."""
    numbers = [float(n.replace(",", ".")) for n in re.findall(r"\d+(?:[.,]\d+)?", percent)]
    return min(_STEP * round(sum(numbers) / len(numbers) / _STEP), 100)


def _written_out(word: str) -> tuple[str, ...]:
    if word == "cannot":
        return "can", "not"
    if word.endswith("n't"):
        base = word[:-3]
        return _BASES.get(base, base), "not"
    base, mark, ending = word.partition("'")
    full = _ENDINGS.get(mark + ending)
    if full is None or (ending == "s" and base not in _POSSESSED):
        return (base,)
    return base, full


_END = re.compile(r"[.?!]+[\"'\u2019\u201d)]*\s+(?=[\"'\u2018\u201c(]?[A-Z0-9])|\n\s*\n")
_SHORT = re.compile(r"(?:\b(?:dr|mr|mrs|ms|st|prof|vs|no|approx|jr|sr|e\.g|i\.e)|\b[a-z])\.$", re.IGNORECASE)


def sentences_of(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a text's sentences; "Dr. Novak" and "J. Smith" end none."""
    start = 0
    for match in _END.finditer(text):
        if not _SHORT.search(text, start, match.start() + 1):
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)
