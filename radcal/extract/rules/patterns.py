"""The small notation of the term and cue files, compiled to regular expressions.

pleural effusion[s]          words; hyphens, line breaks and capitals make no difference
opacit(y|ies)                one of several endings, glued to the word
(lung|pulmonary) nodule      one of several words
[small] effusion             words that may be missing
"""

from __future__ import annotations

import re

_FLAT = {c: chr(c).lower() for c in range(ord("A"), ord("Z") + 1)}
_FLAT |= dict.fromkeys(map(ord, "\n\r\t\f\v\u00a0\u2009\u202f-\u2010\u2011'\u2019`"), " ")
_END = r"(?![a-z0-9])\s*"


def flatten(text: str) -> str:
    """Lower case, with spaces for hyphens, apostrophes and line breaks; as long as ``text``, so that spans hold.

    A dash between spaces separates as a colon does, and so do several in a row.
    """
    if " -" in text or "--" in text or "\u2013" in text or "\u2014" in text:
        text = _DASH.sub(lambda m: ":" * len(m.group()), text)
    return text.translate(_FLAT)


_DASH = re.compile(r"(?<=\s)-(?=\s)|--+|[\u2013\u2014](?!\d)")


Openings = frozenset[tuple[str, ...]]
_OPENING = 2
"""Words of an opening."""


class PatternError(ValueError):
    """The notation is broken; the message says how."""


def compile_pattern(source: str) -> tuple[re.Pattern[str], Openings]:
    """The regular expression of one notation, and the words (or signs) that a match can begin with.

    The expression matches in flattened text, from the start of a word to its end and any space behind.

    Returns:
        the expression, and the first two words of all that it matches: one alone where it may be the last.

    Raises:
        PatternError: unbalanced or empty brackets, a pattern that may be empty.
    """
    text = tidy(source)
    parser = _Parser(text)
    expression, openings = parser.sequence("")
    if parser.at < len(text):
        raise PatternError(f"an unexpected {text[parser.at]!r}")
    if () in openings:
        raise PatternError("no word that must be there")
    return re.compile(expression), openings


def tidy(source: str) -> str:
    """The notation in lower case, with single spaces between words and signs and none within brackets."""
    text = " ".join(re.sub(r"\s*([,;/&+])\s*", r" \1 ", flatten(source)).split())
    return re.sub(r"([(\[|]) ", r"\1", re.sub(r" ([)\]|])", r"\1", text))


class _Parser:
    """Recursive descent over the notation.

    Each part gives its expression and the first two words of all that it matches, () if it may be missing.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def sequence(self, closing: str) -> tuple[str, Openings]:
        parts: list[str] = []
        openings: Openings = frozenset([()])
        while (c := self._peek()) and c not in ("|", closing or ""):
            if c == " ":
                self.at += 1
                continue
            if c in ")]":
                break
            expression, following = self._group() if c in "([" else self._word()
            parts.append(expression)
            short = [o for o in openings if len(o) < _OPENING]
            if short:
                openings = openings.difference(short) | {(o + f)[:_OPENING] for o in short for f in following}
        return "".join(parts), openings

    def _group(self) -> tuple[str, Openings]:
        opening = self._peek()
        closing = ")" if opening == "(" else "]"
        self.at += 1
        branches = [self.sequence(closing)]
        while self._peek() == "|":
            self.at += 1
            branches.append(self.sequence(closing))
        if self._peek() != closing:
            raise PatternError(f"a {opening!r} without its {closing!r}")
        self.at += 1
        openings: Openings = frozenset().union(*(begins for _, begins in branches))
        if () in openings:
            raise PatternError(f"an empty choice in {opening}...{closing}")
        if opening == "[":
            openings |= {()}
        # The first branch that fits wins, so what continues another comes before it.
        branches.sort(key=lambda branch: -len(branch[0]))
        return f"(?:{'|'.join(e for e, _ in branches)}){'?' if opening == '[' else ''}", openings

    def _word(self) -> tuple[str, Openings]:
        expression = ""
        words = {""}
        while (c := self._peek()) and c not in " |)]":
            if c in "([":
                closing = ")" if c == "(" else "]"
                end = self.text.find(closing, self.at)
                if end < 0:
                    raise PatternError(f"a {c!r} without its {closing!r}")
                endings = self.text[self.at + 1 : end].split("|")
                if not all(e.isalnum() for e in endings):
                    raise PatternError("an ending that is not a plain piece of a word")
                expression += f"(?:{'|'.join(endings)}){'?' if c == '[' else ''}"
                words = {w + e for w in words for e in (*endings, *([""] if c == "[" else []))}
                self.at = end + 1
            else:
                expression += re.escape(c)
                words = {w + c for w in words}
                self.at += 1
        if c := next((w for w in words if not (w.isalpha() or w.isdigit() or len(w) == 1)), ""):
            raise PatternError(f"the word {c!r}; write letters, or digits, or one sign")
        glued = expression[-1].isalnum() or expression[-1] in ")?"
        return expression + (_END if glued and words != {"?"} else r"\s*"), frozenset((w,) for w in words)


def misspellings(word: str) -> frozenset[str]:
    """The word with one letter dropped, doubled, swapped with its neighbour, or one vowel taken for another."""
    forms = set()
    for i, c in enumerate(word):
        forms.add(word[:i] + word[i + 1 :])
        forms.add(word[:i] + c + word[i:])
        if i + 1 < len(word):
            forms.add(word[:i] + word[i + 1] + c + word[i + 2 :])
        if c in "aeiouy":
            forms |= {word[:i] + v + word[i + 1 :] for v in "aeiouy"}
    return frozenset(f for f in forms if f != word and f[:1] == word[:1])
