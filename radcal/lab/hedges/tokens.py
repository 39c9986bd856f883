"""A sentence as what it says of certainty: its content is masked, what is left are the words that a reader weighs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from radcal.system.number_words import english
from radcal.system.resources import patterns, resource

MASK = "_"
"""Stands for any content: names, numbers, titles, and all words that tell nothing of certainty."""
SIGNS = frozenset("?!;:,.")
"""Signs that are kept unless content stands on both sides."""
_WITHIN = frozenset(",;:")
"""Signs that are content between content."""
_DENIES = "hardly"
ASKS = "?"
"""The one sign that speaks of certainty: whoever asks is not sure."""
_SAME_LENGTH = str.maketrans("\u2019\u2018\u02bc\u201c\u201d\u00ab\u00bb\u00a0", '\'\'\'"""" ')

_TABLES = tomllib.loads(resource("hedges", "tokens.toml").read_text(encoding="utf-8"))
"""The file explains its words and expressions."""
_P = patterns("hedges", "tokens.toml")
_SHORT_FORMS = {short: tuple(full.split()) for short, full in _TABLES["short_forms"].items()}
_JOINING, _PARTICLES, _POSSESSED = (
    frozenset(_TABLES["words"][name].split()) for name in ("joining", "particles", "possessed")
)
_TENS = {english(10 * n): n for n in range(10)} | {"hundred": 10}
_STEP = 5


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
        for run in self.runs(text):
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
        return any(map(self._tells, self.runs(text)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where words of certainty stand; those with only "it", "be" and the like between them are one span."""
        runs = filter(self._tells, self.runs(text))
        words = ([t for t in run if t.word in self.strong or self._is_weak(t.word)] for run in runs)
        return [(run[0].start, run[-1].end) for run in words]

    def _tells(self, run: Sequence[Token]) -> bool:
        if any(token.word in self.strong for token in run):
            return True
        weak, whole = (
            f" {' '.join(t.word for t in run if is_all or t.word in self.weak)} " for is_all in (False, True)
        )
        return any(f" {idiom} " in weak or f" {idiom} " in whole for idiom in self.idioms)

    def runs(self, text: str) -> Iterator[list[Token]]:
        """Words of certainty and what joins them; content and signs each on their own."""
        run: list[Token] = []
        for token in _raw(text):
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
    plain = _P["spelt"].sub(lambda m: f"{10 * _TENS[m[1].lower()]} ".rjust(len(m[0]), "0"), plain)
    begins, behind = True, 0
    matches = list(_P["token"].finditer(plain))
    for place, match in enumerate(matches):
        start, end = match.span()
        if start < behind:
            continue
        if (negator := _P["negator"].match(plain, start)) is not None:
            behind = negator.end()
            yield Token(_DENIES, start, behind)
        elif match["percent"]:
            yield Token(f"{_nearest(match[0])}%", start, end)
        elif match["word"] is None:
            yield Token(match["sign"] or MASK, start, end)
        else:
            word = match["word"]
            numbered = place + 1 < len(matches) and matches[place + 1]["number"] is not None
            is_name = word[0].isupper() and not begins and not _P["i"].match(word) and not text.isupper()
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
    numbers = [float(n.replace(",", ".")) for n in _P["decimal"].findall(percent)]
    return min(_STEP * round(sum(numbers) / len(numbers) / _STEP), 100)


def _written_out(word: str) -> tuple[str, ...]:
    if word in _SHORT_FORMS:
        return _SHORT_FORMS[word]
    if word.endswith("n't"):
        return word[:-3], "not"
    base, mark, ending = word.partition("'")
    full = _SHORT_FORMS.get(mark + ending, ())
    return (base,) if ending == "s" and base not in _POSSESSED else (base, *full)


def sentences_of(text: str) -> Iterator[tuple[int, int]]:
    """The spans of a text's sentences; "Dr. Novak" and "J. Smith" end none."""
    start = 0
    for match in _P["end"].finditer(text):
        if not _P["abbreviation"].search(text, start, match.start() + 1):
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)
