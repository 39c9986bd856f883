"""Names and numbers of known people, however a report writes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from radcal.ingest.deidentify.spans import Claims

_PIECE = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"[ \t]*(?:['’ʼ`´‐-]|\.)?[ \t]*\n?[ \t]*|,[ \t]*\n?[ \t]*|'s ")
_JOINING = re.compile(r"(?:['’ʼ`´‐-][ \t]?\n?[ \t]*| |\n[ \t]*)?")
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
TITLES: Final = frozenset(
    "dr dres prof professor med univ doz pd priv dipl ing mag md do phd mr mrs ms miss mx herr frau hr fr rn np pa jr sr ii iii iv"
    " mba msc bsc frcr frcp frcs facr mbbs mbchb rt dnp aprn crna dpm dds dmd van von de der den la le di da dos du del della bin"
    " ibn al el abu ben ter ten zu zur af av y e st san und and the of".split()
)
"""Words within names that do not tell one person from another."""


def plain(word: str) -> str:
    """A word in lower case without accents, as known names are compared."""
    lower = word.casefold().translate(_LETTERS)
    if lower.isascii():
        return lower
    return "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))


def _spellings(word: str) -> set[str]:
    """A part of a name as :func:`plain` writes it, and with the German spelling of its umlauts."""
    return {plain(word), plain(unicodedata.normalize("NFC", word.casefold()).translate(_GERMAN))}


class People:
    """Names that are looked for in texts.

    Args:
        names: in any order of their parts, with titles or without.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.keys: set[str] = set()
        self._longest = 1
        for name in names:
            pieces = [p for p in _PIECE.findall(unicodedata.normalize("NFC", name))]
            for n in (1, 2, 3):
                for at in range(len(pieces) - n + 1):
                    run = pieces[at : at + n]
                    if n == 1 and (len(run[0]) < 2 or plain(run[0]) in TITLES):
                        continue
                    if all(len(p) < 2 or plain(p) in TITLES for p in run):
                        continue
                    if len("".join(run)) >= 3 or n == 1:
                        spelt = {""}
                        for piece in run:
                            spelt = {a + b for a in spelt for b in _spellings(piece)}
                        self.keys |= spelt
                        self._longest = max(self._longest, n)

    def find(self, claims: Claims) -> None:
        """Claim every one of the names."""
        if not self.keys:
            return
        text = claims.text
        pieces = list(_PIECE.finditer(text))
        words = [plain(m.group()) for m in pieces]
        at = 0
        while at < len(pieces):
            n = self._match(text, pieces, words, at)
            if n:
                claims.add(pieces[at].start(), pieces[at + n - 1].end(), "name")
            at += n or 1
        claims.settle()

    def _match(self, text: str, pieces: list[re.Match[str]], words: list[str], at: int) -> int:
        """How many pieces from ``at`` on are a known name written together; 0 for none."""
        joined, best = words[at], int(words[at] in self.keys and len(words[at]) > 1)
        for n in range(1, self._longest):
            if at + n >= len(pieces) or not _JOINING.fullmatch(text, pieces[at + n - 1].end(), pieces[at + n].start()):
                break
            joined += words[at + n]
            if joined in self.keys:
                best = n + 1
        return best


def find_known_numbers(claims: Claims, numbers: Collection[str]) -> None:
    """Claim known numbers and addresses, whatever spaces and marks part their figures and words."""
    for number in numbers:
        parts = re.findall(r"[^\W_]+", number)
        if sum(map(len, parts)) < 4 or (len("".join(parts)) < 5 and not any(map(str.isdigit, number))):
            continue
        pattern = r"(?<![^\W_])" + r"[\W_]{0,3}".join(map(re.escape, parts)) + r"(?![^\W_])"
        kind = "e-mail" if "@" in number else "address" if sum(map(str.isalpha, number)) > 6 else "number"
        for m in re.finditer(pattern, claims.text, re.IGNORECASE):
            claims.add(m.start(), m.end(), kind)
    claims.settle()
