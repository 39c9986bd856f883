"""The words of a text with what decides whether they are names: how they are written and where they stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from radcal.ingest.deidentify.words import Is, what

WORD = re.compile(r"[^\W\d_]+(?:(?:['’ʼ`´]|[-‐])[^\W\d_]+)*")
_MARK = re.compile("[\u0300-\u036f]")
_LETTERS = r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*"
WORD_OF_MARKS = re.compile(rf"{_LETTERS}(?:(?:['’ʼ`´]|[-‐]){_LETTERS})*")
_PLAIN = str.maketrans("’ʼ´`‐", "''''-")
_SENTENCE_END = ".!?:;•*|[=>"
_CREDENTIAL_DOTS = re.compile(
    r"\b(?:M\.? ?D\.?|D\.? ?O\.|R\.N\.|P\.A\.(?:-C)?|N\.P\.|Ph\.? ?D\.?|M\.B\.B\.S\.|M\.B\.|Ch\.B\.|B\.S\.|M\.S\."
    r"|F\.R\.C\.R\.|M\.P\.H\.|R\.T\.(?: ?\(R\))?)(?![^\W\d_])"
)


class Tokens:
    """The words of a text.

    Attributes:
        text: as it is.
        starts, ends: of each word, in characters; a possessive "'s" is left out.
        words, lower: as written, and in lower case.
        kinds: what each may be.
        capitals: whether the line of each is in capitals alone.
        lines: whether a word is the first of a sentence, a line, a list item or a heading.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.words: list[str] = []
        self.lower: list[str] = []
        self.kinds: list[int] = []
        for m in (WORD_OF_MARKS if _MARK.search(text) else WORD).finditer(text):
            start, end = m.span()
            word = m.group()
            if len(word) > 2 and word[-1] in "sS" and word[-2] in "'’ʼ`´":
                word, end = word[:-2], end - 2
            self.starts.append(start)
            self.ends.append(end)
            self.words.append(word)
            lower, kind = _read(word)
            self.lower.append(lower)
            self.kinds.append(kind)
        self.count = len(self.words)
        self.uncapitalised = {word for word in self.words if word.islower()}
        self._capitals = self._lines_in_capitals()
        self.credentials = self._credentials()

    def gap(self, n: int) -> str:
        """What stands between word n and the next; the rest of the text behind the last."""
        return (
            self.text[self.ends[n] : self.starts[n + 1]]
            if n + 1 < self.count
            else self.text[self.ends[n] : self.ends[n] + 40]
        )

    def before(self, n: int) -> str:
        """What stands between the word before and word n."""
        return self.text[self.ends[n - 1] if n else 0 : self.starts[n]]

    def is_first(self, n: int) -> bool:
        """Whether a capital says nothing, as a sentence, a line or an item begins with the word."""
        before = self.before(n)
        if n == 0:
            return not before.strip(" \t([\"'") or "\n" in before
        if "\n" in before or any(c in before for c in _SENTENCE_END):
            return not (before.strip(" ") == "." and (len(self.words[n - 1]) == 1 or self.kinds[n - 1] & Is.TITLE))
        return any(map(str.isdigit, before)) and before.rstrip()[-1:] in ")."

    def in_capitals(self, n: int) -> bool:
        """Whether capitals of word n say nothing, as all of the line is in capitals."""
        at = bisect_left(self._breaks, self.starts[n])
        return self._capitals[at]

    def at(self, position: int) -> int:
        """The number of the first word that begins at a position or behind it."""
        return bisect_left(self.starts, position)

    def _lines_in_capitals(self) -> list[bool]:
        self._breaks: list[int] = []
        found: list[bool] = []
        at = 0
        while True:
            stop = self.text.find("\n", at)
            line = self.text[at : stop if stop >= 0 else len(self.text)]
            found.append(_mostly_capitals(line))
            if stop < 0:
                return found
            self._breaks.append(stop)
            at = stop + 1

    def _credentials(self) -> dict[int, int]:
        """The words of credentials with full stops, and where these end, in characters."""
        found = {}
        if "." in self.text or "D" in self.text:
            for m in _CREDENTIAL_DOTS.finditer(self.text):
                n = self.at(m.start())
                while n < self.count and m.start() <= self.starts[n] < m.end():
                    found[n] = m.end()
                    n += 1
        return found


@lru_cache(maxsize=1 << 14)
def _read(word: str) -> tuple[str, int]:
    """A word in lower case with plain apostrophes and hyphens, and what it may be."""
    lower = word.lower().translate(_PLAIN)
    return lower, what(lower)


def _mostly_capitals(line: str) -> bool:
    upper = sum(map(str.isupper, line[:400]))
    letters = upper + sum(map(str.islower, line[:400])) if upper > 3 else 0
    return letters > 3 and upper > 0.8 * letters
