"""The words of a study in place of RadCal's own: "mammogram" where the texts say "X-ray"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from radcal.system.text import Text

_ENDS = "*"
"""At the end of a word to be replaced: words that begin with it, as in "R\u00f6ntgen*" for "R\u00f6ntgenbericht"."""
_WHOLE = r"(?![\w{])"
"""What ends a word that is replaced whole."""
_BEGINS = re.compile(r"(?:^|[.:?!]\s+|\n)['\"\u201c\u201e]?$")
"""What a sentence begins behind."""
_LIKE_VOWELS = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel, as in "an MRI"."""


@dataclass(frozen=True, eq=False)
class Wording:
    """What templates say in place of RadCal's own words; values are never changed.

    words: RadCal's words, whole ones, and those of the study;  names: of pathologies in this language
    """

    words: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def of(self, template: str) -> str:
        """A template in the words of the study: the longest first, with capital letters and "a" and "an" kept right."""
        return self._found.sub(self._instead, template) if self.words else template

    def told(self, text: str) -> str:
        """An English text in the words of the study, with its values as they are but for texts among them."""
        if not (self.words and isinstance(text, Text)):
            return text
        values: dict[str, object] = {}
        for name, value in with_days(template := self.of(text.template), text.values).items():
            word = self.words.get(value) if isinstance(value, Text) else None  # which stands in a sentence
            values[name] = word or (self.told(value) if isinstance(value, Text) else value)
        return Text(template, many=self.of(text.many), **values)

    @cached_property
    def _found(self) -> re.Pattern[str]:
        longest = sorted(self.words, key=len, reverse=True)
        each = (
            f"[{re.escape(w[0].lower() + w[0].upper())}]{re.escape(w[1:].removesuffix(_ENDS))}"
            f"{'' if w.endswith(_ENDS) else _WHOLE}".replace(r"\ ", "[ \u00a0]")
            for w in longest
        )
        return re.compile(rf"(?<![\w{{}}])(?P<article>[Aa]n? )?(?P<words>{'|'.join(each)})")

    @cached_property
    def _by_word(self) -> dict[str, str]:
        return {_lowered(word.removesuffix(_ENDS)): said.removesuffix(_ENDS) for word, said in self.words.items()}

    def _instead(self, found: re.Match[str]) -> str:
        article, words = found["article"] or "", found["words"]
        said = self._by_word[_lowered(words.replace("\u00a0", " "))]
        if article:
            first = said.split()[0]
            vowel = first[0] in _LIKE_VOWELS if first.isupper() else first[0].lower() in "aeiou"
            return f"{article[0]}{'n' if vowel else ''} {said}"
        begins = words[0].isupper() and _BEGINS.search(found.string[: found.start()]) is not None
        return said[0].upper() + said[1:] if begins else said


def with_days(template: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """The values of a template, with ``hours`` in days where a study tells them so: "{hours} h" = "{days} days"."""
    if "{days}" not in template or "hours" not in values:
        return values
    return {**values, "days": f"{float(str(values['hours']).replace(',', '.')) / 24:g}"}


def _lowered(word: str) -> str:
    return word[0].lower() + word[1:]


NO_WORDING = Wording()
"""RadCal's own words alone."""
