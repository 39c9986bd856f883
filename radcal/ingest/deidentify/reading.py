"""The words of a text with what their letters and their neighbours say of them."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.tokens import Tokens
from radcal.ingest.deidentify.words import KNOWN, NAME, OTHER, Is, loose_credentials, only_german, what

_TO_SIGN = re.compile(r"(?:['’]s)?[ \t]*[-/]?\n?[ \t]*")
_ITEM = re.compile(r"[ ]?[,/+][ ]?|[ ](?=\Z)")
_GRADED = re.compile(
    r"[ ](?:[IVX]{1,4}[a-c]?|[A-D]?\d{1,2}[a-c]?|[A-D](?=[,.;)])|Typ|[Tt]ype|[Gg]rade|Grad|Stadium"
    r"|[Cc]lass)(?![\w:/.,]\w|\w"
    r"| (?:at|on|by)\b)"
    r"|-[^\W\d_]+[ ](?:[IVX]{1,4}|Typ|[Tt]ype|[Gg]rade|Grad)(?!\w)"
)
_CREDENTIAL_FORMS = {"PhD", "MBChB", "PharmD", "Rn", "Md", "Phd"}


_SHORTENED = re.compile(r"\. ?[a-zäöü]\.")
"""What goes on in abbreviations of several words: "Z. n.", "V. a."."""


class Reading(Tokens):
    """Answers questions on word n of a text; ``german``: whether nouns have capitals there."""

    def __init__(self, text: str, german: bool) -> None:
        super().__init__(text)
        self.german = german
        for n in () if german else range(self.count):
            if self.kinds[n] == Is.WORD and only_german(self.lower[n]):
                self.kinds[n] = 0  # "Olawale"

    def initial(self, n: int) -> bool:
        """Whether a word is one capital letter."""
        return (
            len(self.words[n]) == 1
            and self.words[n].isupper()
            and not _SHORTENED.match(self.text, self.ends[n])
            and not (self.german and self.words[n] == "J" and self.text[: self.starts[n]].rstrip()[-1:].isdigit())
            and not self.text[max(0, self.starts[n] - 1) : self.starts[n]].isdigit()
            and not self.text[self.ends[n] : self.ends[n] + 1].isdigit()
        )

    def capital(self, n: int) -> bool:
        """Whether a word begins with a capital, or with a prefix before one: "McD", "dSouza"."""
        word = self.words[n]
        if len(word) == 1:
            return self.initial(n)
        return word[0].isupper() or (len(word) > 4 and word[1].isupper() and word[2:].islower())

    def shouted(self, n: int) -> bool:
        """Whether a word is in capitals alone."""
        word = self.words[n]
        return len(word) > 1 and word.isupper()

    def mixed(self, n: int) -> bool:
        """Whether a word has a capital that says something, as its line is not in capitals."""
        return self.capital(n) and not self.in_capitals(n)

    def sure(self, n: int) -> bool:
        """Whether a word is a name and no other word."""
        kind = self.kinds[n]
        return bool(kind & NAME) and not kind & (Is.EITHER | Is.CLINICAL | Is.PRODUCT | Is.EPONYM)

    def possible(self, n: int) -> bool:
        """Whether a word is a name of the lists, or in none of them."""
        kind = self.kinds[n]
        return bool(kind & NAME) or not kind & (KNOWN | Is.EPONYM)

    def unknown(self, n: int) -> bool:
        """Whether no list holds a word."""
        return not self.kinds[n] & (KNOWN | NAME | Is.EPONYM | Is.LABEL | Is.TITLE | Is.CREDENTIAL)

    def other(self, n: int) -> bool:
        """Whether a word is one of reports, services or people's roles and no name."""
        return bool(self.kinds[n] & OTHER) and not self.kinds[n] & NAME

    def credential(self, n: int) -> bool:
        """Whether a word is written as what stands behind names: "MD", "PhD"."""
        if n in self.credentials:
            return True
        kind, word = self.kinds[n], self.words[n]
        if not kind & Is.CREDENTIAL:
            return False
        return word.isupper() or (not kind & NAME and (word.islower() or word in _CREDENTIAL_FORMS))

    def strict_credential(self, n: int) -> bool:
        """Whether a word is a credential and means nothing else."""
        return n in self.credentials or (self.credential(n) and self.lower[n] not in loose_credentials())

    def modality(self, n: int) -> bool:
        """Whether "MR" is magnetic resonance: a word that is no name, or one of reports, stands behind it."""
        if self.words[n] != "MR" or n + 1 >= self.count or self.gap(n) != " ":
            return False
        kind = self.kinds[n + 1]
        if kind & NAME:
            return bool(kind & Is.CLINICAL) and not self.shouted(n + 1)
        return bool(kind & (KNOWN & ~Is.RARE | Is.EPONYM))

    def title(self, n: int) -> bool:
        """Whether a word is a title that is nothing else."""
        return (
            bool(self.kinds[n] & Is.STRONG)
            and (self.words[n] != "MS" or self.gap(n)[:1] == ".")
            and not self.modality(n)
        )

    def month(self, n: int) -> bool:
        """Whether a word is a month with a day or a year behind it."""
        return bool(self.kinds[n] & Is.MONTH) and re.match(r"[ .]{0,2}[\d\ufffc]", self.gap(n)) is not None

    def sign_follows(self, n: int) -> bool:
        """Whether an eponym stands before what it names."""
        for k in range(n + 1, min(n + 4, self.count)):
            if not _TO_SIGN.fullmatch(self.gap(k - 1)) or ("\n" in self.gap(k - 1) and not self.words[k].islower()):
                return False
            kind = self.kinds[k]
            if kind & Is.SIGN:
                return True
            if kind & Is.FUNCTION or not (self.capital(k) or len(self.words[k]) == 1 or kind & (Is.WORD | Is.EPONYM)):
                return False
        return False

    def eponym(self, n: int) -> bool:
        """Whether a word, or each part of it, is an eponym."""
        if "-" not in self.lower[n]:
            return self.kinds[n] & Is.EPONYM > 0 and len(self.lower[n]) > 1
        kinds = [what(part) for part in self.lower[n].split("-") if len(part) > 1]
        return bool(kinds) and all(kind & Is.EPONYM for kind in kinds)

    def of_method(self, n: int) -> bool:
        """Whether a word has a grade behind it, or stands among eponyms or before one that no given name goes with."""
        if _GRADED.match(self.text, self.ends[n]):
            return True
        seen = 0
        for step in (-1, 1):
            k = n
            for _ in range(5):
                if not 0 <= k + step < self.count or not _ITEM.fullmatch(self.gap(k) if step > 0 else self.before(k)):
                    break
                k += step
                seen += self.eponym(k)
        if seen > 1 or (seen and self.eponym(n)):
            return True
        if n + 1 < self.count and self.gap(n) in (" ", ". ") and self.eponym(n + 1):
            return (self.shouted(n) and len(self.words[n]) < 3) or (
                self.initial(n) and ((n > 0 and self.eponym(n - 1)) or (self.german and self.words[n] == "M"))
            )
        return n > 1 and self.lower[n - 1] in ("and", "und") and self.before(n) == " " and self.eponym(n - 2)

    def acted(self, n: int, reach: int, what: int = Is.ACT) -> bool:
        """Whether a word of a kind stands up to ``reach`` words before word n of the same sentence."""
        for k in range(n - 1, max(-1, n - 1 - reach), -1):
            if self.kinds[k] & what:
                return True
            before = self.before(k)
            if (self.is_first(k) and any(c in before for c in ".!?;")) or before.count("\n") > 1:
                return False
        return False
