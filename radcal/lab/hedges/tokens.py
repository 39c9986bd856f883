"""A sentence as what it says of certainty: its content is masked, what is left are the words that a reader weighs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

MASK = "_"
"""Stands for any content: names, numbers, titles, and all words that tell nothing of certainty."""
SIGNS = frozenset("?!;:,.")
"""Signs that are kept unless content stands on both sides."""
_WITHIN = frozenset(",;:")
"""Signs that are content between content."""
_DENIES = "hardly"
ASKS = "?"
"""The one sign that speaks of certainty: whoever asks is not sure."""
_JOINING_WORDS = "a about an be been for from in is it of on that the there to was would"
_JOINING = frozenset(_JOINING_WORDS.split())
"""Words between words of certainty that make them no two."""
_SAME_LENGTH = str.maketrans("\u2019\u2018\u02bc\u201c\u201d\u00ab\u00bb\u00a0", '\'\'\'"""" ')
_WORD = re.compile(
    r"""
      (?P<title>"[^"]*"|\*[^*\s][^*]*\*)                                   # a title or a quotation is content
    | (?P<percent>\d+(?:[.,]\d+)?(?:\s?%?\s?(?:-|\u2013|to|and)\s?\d+(?:[.,]\d+)?)?\s?(?:%|per\s?cent\b))
    | (?P<number>\d+(?:[.,:/\u2013-]\d+)*\w*)
    | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)
    | (?P<sign>[?!;:,.])
    """,
    re.VERBOSE,
)
_ENDINGS = {"'m": "am", "'ve": "have", "'d": "would", "'ll": "will", "'re": "are", "'s": "is"}
_BASES = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_SLOPPY = {
    short: tuple(full.split())
    for short, full in {
        "im": "i am",
        "ive": "i have",
        "id": "i would",
        "its": "it is",
        "thats": "that is",
        "theres": "there is",
        "youre": "you are",
        "dunno": "do not know",
        "idk": "i do not know",
        "iirc": "if i recall correctly",
        "afaik": "as far as i know",
        "imo": "in my opinion",
        "imho": "in my opinion",
        "prob": "probably",
        "probs": "probably",
        "def": "definitely",
        "defo": "definitely",
        "gonna": "going to",
        "gotta": "got to",
        "wanna": "want to",
        "kinda": "kind of",
        "sorta": "sort of",
        "lemme": "let me",
    }.items()
} | {
    f"{verb}nt": (_BASES.get(verb, verb), "not")
    for verb in ("do", "does", "did", "is", "was", "are", "were", "ca", "wo", "could", "would", "should", "have", "has")
}
"""Short forms without their apostrophe, and those of chats."""
_POSSESSED = ("it", "that", "there", "he", "she", "what", "here", "who", "this")
_TENS = {
    word: n
    for n, word in enumerate(
        ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
    )
}
_SPELT = re.compile(rf"\b(?:(?:a|one)\s)?({'|'.join(_TENS)})(?:[- ]\w+)?\s(?=per\s?cent\b)", re.IGNORECASE)
_I = re.compile(r"I(?:'|m\b|ve\b|\b)")
_PARTICLE_WORDS = (
    "al d da das de del den der des di die do du el ibn l la las le les los o os san ten van von y zu zum zur"
)
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
"""Words of other languages that belong to names."""
_NEGATOR = re.compile(
    r"(?:(?:a long way|far) from|anything but|(?:by no|not by any) means|in no way|nowhere near|scarcely"
    r"|not (?:at all|remotely|even (?:remotely|close to)|in the (?:least|slightest)|the (?:least|slightest) bit))"
    r"(?=\s(?:\w+ly\s)?(?:certain|sure|clear|confident|convinced|positive|settled|established|proven|proved|definite"
    r"|definitive|conclusive|confirmed|obvious|evident|persuaded)\b)",
    re.IGNORECASE,
)
"""Words that deny certainty; they are read as "hardly"."""
_STEP = 5
_JOINED = 3
"""Fewest words of an idiom with a single weak one."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case, a sign, a percentage to the nearest 5 ("70%"), or :data:`MASK`; and where it stands."""

    word: str
    start: int
    end: int


@dataclass(frozen=True)
class Words:
    """The words that a reader weighs.

    strong: speak of certainty wherever they stand
    weak: do so only in a run of words with a strong one, as percentages do: "good" in "a good chance"; elsewhere they
        are content
    idioms: runs of weak words that speak of certainty together, words separated by a space: "all signs point"; a single
        one with what joins it: "it is said that"
    """

    strong: frozenset[str]
    weak: frozenset[str]
    idioms: frozenset[str] = frozenset()

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text; all but words of certainty is masked, runs of content become one mask.

        A capital inside a sentence makes a name, and "May 26" a date.  Short forms are written out: "I'm" gives "i",
        "am".
        """
        found: list[Token] = []
        for run in self._runs(_raw(text)):
            tells = self._tells(run)
            for token in run:
                is_kept = token.word in SIGNS or (tells and (token.word in self.strong or self._is_weak(token.word)))
                word = token.word if is_kept else MASK
                if word == MASK and len(found) > 1 and found[-1].word in _WITHIN and found[-2].word == MASK:
                    found.pop()  # a list, or a place and its country
                if word == MASK and found and found[-1].word == MASK:
                    found[-1] = replace(found[-1], end=token.end)
                else:
                    found.append(replace(token, word=word))
        return found

    def speak(self, text: str) -> bool:
        """Whether a word of a text speaks of certainty; otherwise it is a plain statement."""
        return any(map(self._tells, self._runs(_raw(text))))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where words of certainty stand; those with only "it", "be" and the like between them are one span."""
        runs = filter(self._tells, self._runs(_raw(text)))
        words = ([t for t in run if t.word in self.strong or self._is_weak(t.word)] for run in runs)
        return [(run[0].start, run[-1].end) for run in words]

    def weak_runs(self, text: str) -> list[str]:
        """The runs of weak words of a text, as :attr:`idioms` are written."""
        found: list[str] = []
        for run in self._runs(_raw(text)):
            weak = [t.word for t in run if t.word in self.weak]
            if len(weak) > 1:
                found.append(" ".join(weak))
            elif weak and len(run) >= _JOINED:
                found.append(" ".join(t.word for t in run))
        return found

    def _tells(self, run: Sequence[Token]) -> bool:
        if any(token.word in self.strong for token in run):
            return True
        weak, whole = (
            f" {' '.join(t.word for t in run if is_all or t.word in self.weak)} " for is_all in (False, True)
        )
        return any(f" {idiom} " in weak or f" {idiom} " in whole for idiom in self.idioms)

    def _runs(self, raw: Iterable[Token]) -> Iterator[list[Token]]:
        """Words of certainty and what joins them; content and signs each on their own."""
        run: list[Token] = []
        for token in raw:
            if token.word in self.strong or token.word in _JOINING or self._is_weak(token.word):
                run.append(token)
            else:
                yield from ([run] if run else [])
                yield [token]
                run = []
        yield from ([run] if run else [])

    def _is_weak(self, word: str) -> bool:
        return word in self.weak or word[-1] == "%"


def plain_words(text: str) -> set[str]:
    """The words of a text in lower case, short forms written out, without names and numbers."""
    return {token.word for token in _raw(text) if token.word[0].isalpha()}


def without_names(text: str) -> str:
    """The words of a text as written, without names, also those of several words ("van der Rohe"), titles and numbers.

    Of a text that is nothing but a name, "Le Monde", nothing is left.
    """
    found = [token for token in _raw(text) if token.word not in SIGNS]
    kept: list[Token] = []
    n = 0
    while n < len(found):
        end = n
        while end < len(found) and found[end].word in _PARTICLES:
            end += 1
        begins = n == 0 or found[n - 1].word == MASK
        if end > n and begins and end < len(found) and found[end].word == MASK and (n or _is_name(found[end:])):
            n = end
        elif found[n].word != MASK and (not kept or kept[-1].start < found[n].start):  # "I'm" is two tokens
            kept.append(found[n])
        n += 1
    return " ".join(text[token.start : token.end] for token in kept)


def _is_name(found: Sequence[Token]) -> bool:
    return all(token.word == MASK for token in found)


def _raw(text: str) -> Iterator[Token]:
    """Words and signs as they stand; names, numbers and titles masked."""
    plain = _unquoted(text.translate(_SAME_LENGTH))
    plain = _SPELT.sub(lambda m: f"{10 * _TENS[m[1].lower()]} ".rjust(len(m[0]), "0"), plain)
    begins, behind = True, 0
    matches = list(_WORD.finditer(plain))
    for place, match in enumerate(matches):
        start, end = match.span()
        if start < behind:
            continue
        if (negator := _NEGATOR.match(plain, start)) is not None:
            behind = negator.end()
            yield Token(_DENIES, start, behind)
        elif match["percent"]:
            yield Token(f"{_nearest(match[0])}%", start, end)
        elif match["word"] is None:
            yield Token(match["sign"] or MASK, start, end)
        else:
            word = match["word"]
            numbered = place + 1 < len(matches) and matches[place + 1]["number"] is not None
            is_name = word[0].isupper() and not begins and not _I.match(word) and not text.isupper()
            if is_name or (word.lower() == "may" and numbered):
                yield Token(MASK, start, end)
            else:
                yield from (Token(part, start, end) for part in _written_out(word.lower()))
        begins = match["sign"] is not None and match["sign"] != ","


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
    if word in _SLOPPY:
        return _SLOPPY[word]
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
