"""Words of a report that stand for other words: abbreviations, misheard terms, marks that were spoken.

What is ambiguous is decided by its context, which a row of the file states; where no row applies, it stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.words.word_files import NOTHING, FileRow, rows_of

if TYPE_CHECKING:
    from hashlib import _Hash

COLUMNS = ("words", "meaning", "with", "unless")
WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_REACH = 40
"""Characters before and behind the words in which their neighbours are looked for."""
_AROUND = 300
"""The same for words that may stand anywhere."""
_PLURAL = "[s]"


@dataclass(frozen=True, slots=True)
class _Context:
    """Words of which one stands beside others: right before them, right behind them, or around them."""

    before: re.Pattern[str] | None
    behind: re.Pattern[str] | None
    anywhere: re.Pattern[str] | None

    def holds(self, low: str, start: int, end: int) -> bool:
        return (
            (self.before is not None and self.before.search(low[max(0, start - _REACH) : start]) is not None)
            or (self.behind is not None and self.behind.match(low[end : end + _REACH]) is not None)
            or (
                self.anywhere is not None
                and self.anywhere.search(low, max(0, start - _AROUND), end + _AROUND) is not None
            )
        )


@dataclass(frozen=True, slots=True)
class _Replaced:
    """A row of a file; without a meaning, the words stay as they are.

    before: expression of what stands before the word by which the row is found, None for nothing
    words:  expression of that word and the rest
    """

    before: re.Pattern[str] | None
    words: re.Pattern[str]
    meaning: str | None
    only: _Context | None
    unless: _Context | None


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words at start:end of a text, and those that they stand for."""

    start: int
    end: int
    meaning: str


class Replacements:
    """The rows of files like ``abbreviations.tsv``, whose head explains the columns."""

    def __init__(self) -> None:
        self._rows: dict[str, list[_Replaced]] = {}
        self.kept: set[str] = set()
        """The words that stay as they are."""

    @cached_property
    def starts(self) -> frozenset[str]:
        """The words, in lower case, of which one stands in all that is replaced."""
        return frozenset(self._rows)

    def add(self, path: Path, digest: _Hash | None = None) -> None:
        """Add the rows of a file; of rows with the same words the first that applies counts.

        Raises:
            InputError: the file is missing or malformed; names file, line and reason.
        """
        for row in rows_of(path, COLUMNS, digest):
            if not row["meaning"]:
                raise row.broken(f"the meaning is missing; write {NOTHING!r} for words that stay as they are")
            only, unless = _context(row, "with"), _context(row, "unless")
            for words in row["words"].split("|"):
                for ending in ("s", "") if _PLURAL in words else ("",):
                    self._add(row, words.replace(_PLURAL, ending), ending, only, unless)
        for rows in self._rows.values():
            rows.sort(key=lambda r: -len(r.words.pattern) - (len(r.before.pattern) if r.before else 0))

    def _add(self, row: FileRow, words: str, ending: str, only: _Context | None, unless: _Context | None) -> None:
        parts = list(WORD.finditer(words := words.strip()))
        if not parts:
            raise row.broken("one of several words is empty")
        meaning = None if row["meaning"] == NOTHING else row["meaning"].replace(_PLURAL, ending)
        if meaning is None:
            self.kept.update(part.group() for part in parts)
        # Found by the longest word, as the first may be one of every sentence: "a dema".
        longest = max(parts, key=lambda part: len(part.group()))
        before, rest = words[: longest.start()], words[longest.start() :]
        space = r"\s+" if before.endswith(" ") else ""
        self._rows.setdefault(longest.group(), []).append(
            _Replaced(
                re.compile(rf"(?<![^\W_]){_literal(before)}{space}$") if before else None,
                re.compile(_literal(rest) + (r"(?![^\W_])" if rest[-1].isalnum() else "")),
                meaning,
                only,
                unless,
            )
        )

    def find(self, low: str) -> Iterator[Replacement]:
        """What is replaced in a text in lower case, from left to right; of overlapping words, the first and longest."""
        found = []
        for word in WORD.finditer(low):
            for row in self._rows.get(word.group(), ()):
                if (one := self._at(row, low, word.start())) is not None:
                    found.append((one.start, -one.end, row.meaning))
                    break
        reached = 0
        for start, end, meaning in sorted(found, key=lambda f: f[:2]):
            if start >= reached:
                reached = -end
                if meaning is not None:
                    yield Replacement(start, reached, meaning)

    def _at(self, row: _Replaced, low: str, at: int) -> Replacement | None:
        """The words of a row around its own one, unless the context forbids."""
        match = row.words.match(low, at)
        if match is None:
            return None
        start, end = at, match.end()
        if row.before is not None:
            since = max(0, at - _REACH)
            before = row.before.search(low[since:at])
            if before is None:
                return None
            start = since + before.start()
        elif start and low[start].isalnum() and low[start - 1].isalnum():
            return None
        if (row.only is None or row.only.holds(low, start, end)) and not (
            row.unless is not None and row.unless.holds(low, start, end)
        ):
            return Replacement(start, end, row.meaning or "")
        return None


@lru_cache(maxsize=16)
def read_replacements(*paths: Path) -> tuple[Replacements, str]:
    """The rows of files, and a short SHA-256 of these.

    Raises:
        InputError: as :meth:`Replacements.add`.
    """
    found, digest = Replacements(), sha256()
    for path in paths:
        found.add(path, digest)
    return found, digest.hexdigest()[:16]


def lowered(text: str) -> str:
    """The text in lower case, of the same length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _literal(words: str) -> str:
    """The expression of words: spaces of any width, '#' for a number, '##' for its sign, '*' for the rest of a word."""
    parts = (
        re.escape(part).replace(r"\*", r"[^\W_]*").replace(r"\#\#", "[#]").replace(r"\#", r"\d[\d.,]*")
        for part in words.split()
    )
    return r"\s+".join(parts)


def _context(row: FileRow, column: str) -> _Context | None:
    """The context of a cell: '<x' right before, '>x' right behind, '<^' and '>$' where the statement begins or ends."""
    before, behind, anywhere = [], [], []
    for item in filter(None, (item.strip() for item in row[column].split(","))):
        words = item.lstrip("<>")
        if not words:
            raise row.broken(f"the column {column!r} has {item!r} without words")
        if item[0] == "<":
            before.append(r"(?:^|[.;:,])" if words == "^" else r"(?<![^\W_])" + _literal(words))
        elif item[0] == ">":
            behind.append(r"(?:$|[\n.;:,])" if words == "$" else r"\.?[\s-]*" + _literal(words) + r"(?![^\W_])")
        else:
            anywhere.append(_literal(words))
    if not (before or behind or anywhere):
        return None
    return _Context(
        re.compile(rf"(?:{'|'.join(before)})\.?[\s-]*$") if before else None,
        re.compile(rf"[ \t]*(?:{'|'.join(behind)})") if behind else None,
        re.compile(rf"(?<![^\W_])(?:{'|'.join(anywhere)})(?![^\W_])") if anywhere else None,
    )
