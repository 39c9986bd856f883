"""The notation of the term and cue files, parsed and compiled to regular expressions.

pleural effusion[s]          words; hyphens, line breaks and capitals make no difference
opacit(y|ies)                alternative endings of a word
(lung|pulmonary) nodule      alternative words
[small] effusion             optional words
*atelektase[n]               the last part of a compound, or the word itself: "Unterlappenatelektase"
groß~                        the endings of a German adjective: "groß", "große", "großes"
ergüsse, erguß               letters with marks stand for all their spellings: "Ergusse", "Ergüsse", "Erguesse"

Expressions, the words that the rules themselves look for, have in addition:

infarct*                     any ending
[left|right]..               any number of times;  (left|right)..  at least once
<3>, <1:6>                   up to three words whatever they are; one to six
!(is|are)                    not these words;  !(is|are)<3>  up to three words, none of them one of these
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from radcal.words.sentence_words import without_inner_stops

_FLAT = {c: chr(c).lower() for c in range(ord("A"), ord("Z") + 1)}
_FLAT |= {
    c: base
    for c in range(0xC0, 0x250)
    if (base := unicodedata.normalize("NFD", chr(c))[0].lower()).isascii() and base.isalpha()
}
_FLAT |= dict(zip(map(ord, "\u00df\u1e9e\u00f8\u00d8\u0142\u0141"), "ssooll", strict=True))
# A mark of its own behind the letter, as in "a\u0308", makes the other spelling: "ae".
_FLAT[0x308] = "e"
_FLAT |= dict.fromkeys(map(ord, "\n\r\t\f\v\u00a0\u2009\u202f-\u2010\u2011'\u2019`"), " ")
_MARKED = {"\u00e4": ("a", "ae"), "\u00f6": ("o", "oe"), "\u00fc": ("u", "ue"), "\u00df": ("ss", "s")}
"""Letters of the notation that reports write in several ways, with what is left of each when flattened."""
_UNMARKED = {c: base for c, base in _FLAT.items() if chr(c).lower() not in _MARKED} | {
    ord(c.upper()): c for c in _MARKED if len(c.upper()) == 1
}
_ADJECTIVE = "[e|em|en|er|es]"
COMPOUND = "*"
"""Sign before a word that may be the last part of a compound."""
_DASH = re.compile(r"(?<=\s)-(?=\s)|--+|[\u2013\u2014](?!\d)")
_LEADERS = re.compile(r"(?<!\S)[._]{3,}(?=\s)|(?<=\w)[._]{4,}")
_SIGN = re.compile(r"\(\s?[-\u2212\u2013]\s?\)|[-\u2010\u2011\u2012\u2013\u2212]ve\b|(?<!\w)\+ve\b", re.IGNORECASE)
"""Negative and positive as signs: "effusion (-)", "pneumothorax -ve"."""
_PLAIN = re.compile(r"[a-z0-9]+")
_WORD_BEGIN = r"(?:(?<![a-z0-9])|(?=[^a-z0-9]))"
_WORD_END = r"(?![a-z0-9])\s*+"
_AGAIN = ".."
_ANY_WORDS = re.compile(r"<(?:(\d+):)?(\d+)>")

_NONE = "-"
_Match = Callable[..., re.Match[str] | None]
Openings = frozenset[tuple[str, ...]]
_OPENING = 2
"""Words in an opening."""


class PatternError(ValueError):
    """The notation is malformed; the message says how."""


class Expression:
    """A regular expression that is compiled when it is first tried: the words of most rows begin nothing in a report.

    pattern: as text
    match, fullmatch: as those of a compiled expression
    """

    __slots__ = ("fullmatch", "match", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.match: Callable[..., re.Match[str] | None] = self._match
        self.fullmatch: Callable[..., re.Match[str] | None] = self._fullmatch

    def _compile(self) -> re.Pattern[str]:
        compiled = re.compile(self.pattern)
        self.match, self.fullmatch = compiled.match, compiled.fullmatch
        return compiled

    def _match(self, *where: Any) -> re.Match[str] | None:
        return self._compile().match(*where)

    def _fullmatch(self, *where: Any) -> re.Match[str] | None:
        return self._compile().fullmatch(*where)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.pattern == other.pattern

    def __hash__(self) -> int:
        return hash(self.pattern)

    def __reduce__(self) -> tuple[type[Expression], tuple[str]]:
        return Expression, (self.pattern,)


class Words:
    """Words that the rules look for, in the notation of expressions; '-' for none.

    at, whole: match from a place on, spaces before it included, and from there to an end
    within:    match anywhere between two places
    ends:      match that ends at the second of two places
    """

    def __init__(self, source: str) -> None:
        self._expression = "(?!)" if source == _NONE else compile_expression(source)

    @cached_property
    def at(self) -> _Match:
        return re.compile(rf"\s*(?:{self._expression})").match

    @cached_property
    def whole(self) -> _Match:
        return re.compile(rf"\s*(?:{self._expression})").fullmatch

    @cached_property
    def within(self) -> _Match:
        return re.compile(rf"{_WORD_BEGIN}(?:{self._expression})").search

    @cached_property
    def ends(self) -> _Match:
        return re.compile(rf"{_WORD_BEGIN}(?:{self._expression})$").search


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its alternative endings: ``forms`` are all its spellings."""

    expression: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives in brackets, each a sequence of parts; ``optional`` in square brackets."""

    branches: list[list[Word | Group]]
    optional: bool


def flatten(text: str) -> str:
    """Lower case without marks on letters, with spaces for hyphens, apostrophes and line breaks.

    The length, and so every span, is unchanged.  A dash between spaces, or several in a row, becomes a colon, and so do
    dots that lead to an entry ("Effusion ..... none"); "(-)" and "-ve" become "no", "+ve" becomes "pos".
    The full stop of an abbreviation behind which the sentence goes on becomes a space.
    """
    if "(" in text or "ve" in text or "VE" in text:
        text = _SIGN.sub(lambda m: "pos" if m.group()[0] == "+" else " no".ljust(len(m.group())), text)
    if " -" in text or "--" in text or "\u2013" in text or "\u2014" in text:
        text = _DASH.sub(lambda m: ":" * len(m.group()), text)
    if "..." in text or "___" in text:
        text = _LEADERS.sub(lambda m: ":".ljust(len(m.group())), text)
    text = without_inner_stops(text)
    return text.translate(_FLAT)


@lru_cache(maxsize=4096)  # what ships is read again under every folder laid over it
def compile_pattern(source: str) -> tuple[Expression, Openings]:
    """The regular expression of a notation, and the words (or signs) that a match can begin with.

    The expression matches flattened text from the start of a word to its end, trailing space included.

    Returns:
        the expression, and the first two words of every possible match; only one where the match may end there.

    Raises:
        PatternError: unbalanced or empty brackets, or a pattern that can match nothing.
    """
    parts = parse(source)
    openings = _openings(parts)
    if () in openings:
        raise PatternError("no word that must be there")
    return Expression("".join(map(_expression, parts))), openings


@lru_cache(maxsize=4096)
def seconds_of(source: str) -> Mapping[str, frozenset[str] | None]:
    """The possible second words of a match by its first, None where it may be a single word.

    The last part of a compound stands on its own, too.

    Raises:
        PatternError: as :func:`compile_pattern`.
    """
    seconds: dict[str, set[str]] = {}
    for first, *second in compile_pattern(source)[1]:
        behind = {"" if other.startswith(COMPOUND) else other for other in second} or {""}
        for word in {first, first.removeprefix(COMPOUND)}:
            seconds.setdefault(word, set()).update(behind)
    return {word: None if "" in behind else frozenset(behind) for word, behind in seconds.items()}


@lru_cache(maxsize=4096)
def single_words(source: str) -> tuple[str, ...]:
    """The words of a notation, flattened, that are a match by themselves."""
    _, openings = compile_pattern(source)
    alone = {opening[0] for opening in openings if len(opening) == 1}
    tails = tuple(form.removeprefix(COMPOUND) for form in alone if form.startswith(COMPOUND))
    words = dict.fromkeys(re.findall(r"[a-z]+", flatten(source)))
    return tuple(word for word in words if word in alone or word.endswith(tails))


@lru_cache(maxsize=4096)
def words_of(source: str) -> frozenset[str]:
    """The words of a notation in all their spellings."""
    words: set[str] = set()
    parts = parse(source)
    while parts:
        part = parts.pop()
        if isinstance(part, Word):
            words.update(form.removeprefix(COMPOUND) for form in part.forms)
        else:
            parts += (part for branch in part.branches for part in branch)
    return frozenset(words)


@lru_cache(maxsize=4096)
def last_words(source: str) -> frozenset[str]:
    """The words that a match of a notation can end with."""
    words: set[str] = set()
    waiting = [parse(source)]
    while waiting:
        parts = waiting.pop()
        last = parts[-1]
        if isinstance(last, Word):
            words.update(form.removeprefix(COMPOUND) for form in last.forms)
        else:
            waiting += last.branches
            if last.optional and len(parts) > 1:
                waiting.append(parts[:-1])
    return frozenset(words)


@lru_cache(maxsize=1024)
def compile_expression(source: str) -> str:
    """The regular expression of words that the rules look for, which have the signs of expressions, too.

    Raises:
        PatternError: as :func:`parse`.
    """
    return "".join(map(_expression, parse(source, free=True)))


def parse(source: str, *, free: bool = False) -> list[Word | Group]:
    """The parts of a notation, in order.

    Args:
        free: it may have the signs of expressions.

    Raises:
        PatternError: the notation is malformed.
    """
    source = source.translate(_UNMARKED).replace("~", _ADJECTIVE)
    text = " ".join(re.sub(r"\s*([,;/&+])\s*", r" \1 ", source).split())
    text = re.sub(r"([(\[|]) ", r"\1", re.sub(r" ([)\]|])", r"\1", text))
    parser = _Parser(text, free=free)
    parts = parser.sequence()
    if parser.at < len(text):
        raise PatternError(f"an unexpected {text[parser.at]!r}")
    return parts


def _expression(part: Word | Group) -> str:
    if isinstance(part, Word):
        return part.expression
    # The first alternative that matches wins, so longer ones come first.
    branches = sorted(("".join(map(_expression, branch)) for branch in part.branches), key=len, reverse=True)
    return f"(?:{'|'.join(branches)}){'?' if part.optional else ''}"


def _openings(parts: list[Word | Group]) -> Openings:
    """The first two words of every match of a sequence; () if it can match nothing."""
    openings: Openings = frozenset([()])
    for part in parts:
        if short := [o for o in openings if len(o) < _OPENING]:
            following: set[tuple[str, ...]] = set()
            if isinstance(part, Word):
                following.update((form,) for form in part.forms)
            else:
                following.update([()] * part.optional, *map(_openings, part.branches))
            openings = openings.difference(short) | {(o + f)[:_OPENING] for o in short for f in following}
    return openings


class _Parser:
    """Recursive descent over the notation."""

    def __init__(self, text: str, *, free: bool) -> None:
        self.text = text
        self.at = 0
        self.free = free

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def sequence(self) -> list[Word | Group]:
        parts: list[Word | Group] = []
        while (c := self._peek()) and c not in "|)]":
            if c == " ":
                self.at += 1
            elif self.free and (c in "<!" or c in "(["):
                parts.append(self._free())
            else:
                parts.append(self._group() if c in "([" else self._word())
        return parts

    def _free(self) -> Word | Group:
        """A part with the signs of expressions: a group again and again, any words, none of some words."""
        but = ""
        if self._peek() == "!":
            self.at += 1
            if self._peek() != "(":
                raise PatternError("a '!' without its '('")
            but = f"(?!{_expression(self._group())})"
        if any_words := _ANY_WORDS.match(self.text, self.at):
            self.at = any_words.end()
            least, most = any_words[1] or "0", any_words[2]
            return Word(rf"(?:{but}[a-z0-9]++\s*+){{{least},{most}}}?", ())
        if but:
            return Word(but, ())
        group = self._group()
        if not self.text.startswith(_AGAIN, self.at):
            return group
        self.at += len(_AGAIN)
        return Word(f"(?:{_expression(Group(group.branches, optional=False))}){'*' if group.optional else '+'}", ())

    def _group(self) -> Group:
        opening = self._peek()
        closing = ")" if opening == "(" else "]"
        branches: list[list[Word | Group]] = []
        while not branches or self._peek() == "|":
            self.at += 1
            branches.append(self.sequence())
        if self._peek() != closing:
            raise PatternError(f"a {opening!r} without its {closing!r}")
        self.at += 1
        if any(() in _openings(branch) for branch in branches):
            raise PatternError(f"an empty choice in {opening}...{closing}")
        return Group(branches, opening == "[")

    def _word(self) -> Word:
        compound = COMPOUND if self._peek() == COMPOUND else ""
        self.at += len(compound)
        expression = "[a-z]*" if compound else ""
        forms: tuple[str, ...] = ("",)
        while (c := self._peek()) and c not in " |)]":
            if self.free and c == COMPOUND:
                self.at += 1
                expression += "[a-z]*"
            elif c in "([":
                closing = ")" if c == "(" else "]"
                end = self.text.find(closing, self.at)
                if end < 0:
                    raise PatternError(f"a {c!r} without its {closing!r}")
                endings = self.text[self.at + 1 : end].split("|")
                if not all(e.isalnum() for e in endings):
                    raise PatternError("an ending that is not a plain piece of a word")
                endings = [spelt for ending in endings for spelt in _spelt(ending)]
                expression += f"(?:{'|'.join(endings)}){'?' if c == '[' else ''}"
                forms = tuple(form + e for form in forms for e in (*endings, *([""] if c == "[" else [])))
                self.at = end + 1
            elif plain := _PLAIN.match(self.text, self.at):
                expression += plain.group()
                forms = tuple(form + plain.group() for form in forms)
                self.at = plain.end()
            else:
                spelt = _spelt(c)
                expression += re.escape(c) if len(spelt) == 1 else f"(?:{'|'.join(reversed(spelt))})"
                forms = tuple(form + s for form in forms for s in spelt)
                self.at += 1
        if c := next(
            (f for f in forms if not (f.isalpha() or f.isdigit() or len(f) == 1 or (self.free and f.isalnum()))), ""
        ):
            raise PatternError(f"the word {c!r}; write letters, or digits, or one sign")
        if compound and not forms[0]:
            raise PatternError(f"{COMPOUND!r} without the word behind it")
        glued = expression[-1].isalnum() or expression[-1] in ")?*"
        end_of_word = _WORD_END if glued and forms != ("?",) else r"\s*+"
        return Word(expression + end_of_word, tuple(compound + form for form in forms))


def _spelt(letters: str) -> tuple[str, ...]:
    """All spellings of letters of the notation, as flattened reports have them."""
    return tuple(map("".join, product(*(_MARKED.get(c, (c,)) for c in letters))))


@lru_cache(maxsize=1024)
def misspellings(word: str) -> frozenset[str]:
    """The word with one letter dropped, doubled or swapped with its neighbour, or one vowel replaced."""
    forms = set()
    for i, c in enumerate(word):
        forms.add(word[:i] + word[i + 1 :])
        forms.add(word[:i] + c + word[i:])
        if i + 1 < len(word):
            forms.add(word[:i] + word[i + 1] + c + word[i + 2 :])
        if c in "aeiouy":
            forms |= {word[:i] + v + word[i + 1 :] for v in "aeiouy"}
    return frozenset(f for f in forms if f != word and f[:1] == word[:1])
