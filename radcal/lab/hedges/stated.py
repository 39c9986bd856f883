"""A probability that a sentence states itself: "a 60 percent chance", "two to one", "nine times out of ten"."""

from __future__ import annotations

import re
from typing import NamedTuple

from radcal.system.number_words import english

_NUMBERS = {english(n): n for n in range(100)} | {"hundred": 100, "thousand": 1000, "million": 1_000_000, "a": 1}
_PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "tenth": 0.1}
_ALL = 100
_BEFORE = 80
"""Characters before a number in which its denial is looked for."""
_BEYOND = 0.25
"""How far towards the bound "more than 80 %" and "less than 20 %" lie."""

_SPELT = "|".join(sorted((word.replace("-", "[- ]") for word in _NUMBERS if word != "a"), key=len, reverse=True))
_N = rf"(?:\d+(?:[.,]\d+)?|(?:(?:a|one)\s)?(?:{_SPELT})\b)"
_PERCENT = r"\s?(?:%|per\s?cent\b|pct\b)"
_MORE = r"(?:more|better|greater|higher)\sthan|over|above|at\sleast|upwards\sof|(?:not|no)\sless\sthan"
_LESS = r"(?:less|lower|fewer)\sthan|under|below|at\smost|(?:not|no)\smore\sthan|up\sto"
_ROUND = (
    r"about|around|roughly|approximately|some|maybe|perhaps|probably|close\sto|nearly|almost|like|say|only|just|an?|the"
)
_VAGUE = rf"(?:\b(?:(?P<more>{_MORE})|(?P<less>{_LESS})|{_ROUND})\s)*"
_HUNDREDTHS = rf"(?P<low>{_N})(?:(?:{_PERCENT})?\s?(?:-|\bto\b|\bor\b|\band\b)\s?(?P<high>{_N}))?-?{_PERCENT}"
_HUNDREDTHS_TOO = rf"{_N}{_PERCENT}"
_OUT_OF = (
    rf"(?P<some>{_N})[\s-](?:times\s|chances?\s)?(?:in|out\sof)[\s-](?P<all>a\s(?:hundred|thousand|million)\b|{_N})"
)
_PART = rf"(?:(?P<times>an?|one|two|three)[\s-])?(?P<part>{'|'.join(_PARTS)})s?"
_SHARES = rf"(?P<for>{_N})(?:\s?(?:(?P<per>/)|[:-])\s?|\sto\s)(?P<against>{_N})"
_DECIMAL = r"(?P<decimal>(?:0?[.,]\d+|1[.,]0+)(?!\d|%|\s%))"

_CHANCE = (
    r"(?:chances?|probabilit(?:y|ies)|likelihood|odds|confidence(?:\s(?:level|score))?|certainty|possibility|shot)"
)
_SURE = r"(?:sure|certain|confident|positive|convinced|likely|probable)"
_UNSURE = r"(?:unsure|uncertain|doubtful|doubt|unlikely|improbable)"
_HOW_SURE = rf"[\s-]+(?:of\s)?(?:\w+ly\s)?(?:{_CHANCE}|{_SURE}|(?P<un>{_UNSURE}))\b"
_CLAUSE = r"(?:that\s)?(?:it|he|she|they|this|that|there|i|we)(?:'\w+)?\b"
_BEGIN = r"(?:^|[.?!:;,(]\s*|\b(?:say|bet|it's|it\sis|is|think|and|but|so)\s)"
_OWNED = r"(?:^|[.?!:;,(]\s*|\b(?:the|my|our|your|its)\s(?:\w+\s)?)"
_RATED = r"(?:put|give|rate|estimate|place|call|set)\s(?:it|this|that|them|him|her|the\s\w+|my\s\w+)(?:\s(?:at|as))?"
_NOT_OF = r"(?!\s+of\s+(?:the|all|its|his|her|their|our)\b)"
_NAME = r"(?-i:(?:[A-Z][\w'.]*|\d{3,4})(?:\s(?:[A-Z][\w'.]*|of|the|de|van|von|and))*)"
_FORMS = (
    # Said of certainty: "60 percent chance", "95 % sure", "a one-in-ten shot", ""a two-thirds probability".
    rf"{_VAGUE}(?:{_HUNDREDTHS}|{_OUT_OF}|\b{_PART}|\b{_SHARES}){_HOW_SURE}",
    # Certainty is said to be so much: "the chances are 30 %", "confidence: 80 %", "odds of two to one".
    rf"{_OWNED}{_CHANCE}\b(?:(?!\b(?:high|low|good|great|small|slim|poor|strong)\b)[^.?!;:]){{0,150}}?"
    rf"(?:\b(?:is|are|of|at|be)\s|\s?[:=]\s?){_VAGUE}(?:{_HUNDREDTHS}|{_OUT_OF}|{_PART}\b|{_SHARES}|{_DECIMAL}){_NOT_OF}",
    rf"\b(?:probability|likelihood|confidence|certainty)\s(?:of\s|=\s?|:\s?)?{_DECIMAL}",
    # Put at so much: "I'd put it at 70 %", "I'd give it one in three".
    rf"\b(?:i|we)(?:'\w+|d|\swould|\sshould)?\s{_RATED}\s{_VAGUE}(?:{_HUNDREDTHS}|{_OUT_OF}|{_SHARES}){_NOT_OF}",
    # Before the statement: "90 percent it was", "two to one it's", "nine times out of ten, it's".
    rf"{_BEGIN}(?!\d+:\d\d\b){_VAGUE}(?:{_HUNDREDTHS}|{_OUT_OF}|{_SHARES})(?:\son|\s(?P<con>against))?(?=,?\s{_CLAUSE})",
    # Beside a bare name: "90 percent Rome.", "Rome, 80-90 %.", "Pneumonia (70 %)."
    rf"^{_VAGUE}{_HUNDREDTHS}(?=,?\s{_NAME}(?:[.!]?$|,\s{_HUNDREDTHS_TOO}))",
    rf"(?<=[,(-]\s)?(?:^{_NAME}\s?[,:(-]\s?){_VAGUE}{_HUNDREDTHS}(?=\)?[.!]?$)",
    rf"(?:^|[,(]\s?){_VAGUE}(?P<often>{_N})\stimes\sout\sof\s(?P<ever>{_N})(?=\s?[.,;:!?)]|$)",
    # After the statement: "It was Rome. I'd say 80 %."; alone it is the answer.
    rf"(?<=[.,;:])\s(?:i'd|i\swould)\ssay,?\s{_VAGUE}{_HUNDREDTHS}(?=[.!)]?$)",
    # Two equal chances: "fifty-fifty", "it's 50/50".
    r"(?:^|[,.;:(]\s|'s\s|\b(?:is|are|say|about|call\sit|pretty\smuch)\s)(?:a\s)?(?P<even>50[/:-]50|fifty[- ]fifty)\b"
    r"(?!\s(?:split|ownership|venture|partner|share|deal|mix|draw))",
)
_NUMBER = re.compile(rf"\d|\b(?:{_SPELT}|{'|'.join(_PARTS)})", re.IGNORECASE)
_COUNTED = "low", "high", "some", "all", "often", "ever", "decimal", "for", "against"
_PATTERNS = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
_DENIED = re.compile(r"(?:\bnot|n't|\w{2,}nt|\bnever|\bwithout|\bhardly|\bcannot)\s(?:\w+\s){0,4}$", re.IGNORECASE)
_BOUNDED = re.compile(r"(?:not|no) (?:more|less) than", re.IGNORECASE)
_DENIES = re.compile(r"(?:\b(?:not|never)\b|n't\b|\b(?:is|was|did|does|are|were)nt\b)(?![^.,;]*\bbut\b)", re.IGNORECASE)
_OF_ERROR = re.compile(
    r"\s*(?:that\s|of\s|the\s)?(?:i'?m|i\sam|being|this\sis|it'?s)?\s?(?:wrong|mistaken|incorrect)\b", re.IGNORECASE
)
_NEXT = re.compile(r"[.?!;](?!\d)|,\s*but\b", re.IGNORECASE)
_MARKS = str.maketrans(
    dict.fromkeys("\u2019\u2018\u02bc", "'") | dict.fromkeys("\u00a0\u202f", " ") | dict.fromkeys("\u2011\u2013", "-")
)

_AROUND = " \t\n\"'\u201c\u201d\u2018\u2019"


class Stated(NamedTuple):
    """A stated probability (0-1) and where it stands."""

    value: float
    start: int
    end: int

    def moved(self, by: int) -> Stated:
        """The same in a text that has so many characters before."""
        return Stated(self.value, self.start + by, self.end + by)


def stated(text: str) -> Stated | None:
    """The probability that a sentence states of what it says, the first of several; None if it states none.

    Numbers count where they are said of certainty ("60 percent chance", "95 % sure"), before the statement ("two to one
    it was Rome") or beside a bare name ("90 percent Rome."); elsewhere they are content ("90 percent of the water").  A
    denied number ("not 100 % sure") states none.  Said of a denial ("80 % sure it is not Rome") or of an error ("a 30 %
    chance that I'm wrong"), it is counted for what is named.
    """
    plain = text.translate(_MARKS).strip(_AROUND)
    if not _NUMBER.search(plain):
        return None
    found = [f for pattern in _PATTERNS for match in pattern.finditer(plain) if (f := _read(match, plain)) is not None]
    first = min(found, key=lambda one: (one.start, -one.end), default=None)
    lead = len(text) - len(text.lstrip(_AROUND))
    return first and first.moved(lead)


def _read(match: re.Match[str], text: str) -> Stated | None:
    value = _value({name: words for name, words in match.groupdict().items() if words})
    lead = len(match[0]) - len(match[0].lstrip(" .?!:;,(-"))
    start, end = match.start() + lead, match.end()
    # "no more than 20 %" is a bound, "not 100 % sure" a denial.
    is_denied = _DENIED.search(text, max(start - _BEFORE, 0), start) is not None and not _BOUNDED.match(match[0], lead)
    if value is None or is_denied:
        return None
    rest = _NEXT.split(text[end:], maxsplit=1)[0]
    if _DENIES.search(rest) or _OF_ERROR.match(rest):
        value = 1 - value
    return Stated(value, start, end)


def _value(groups: dict[str, str]) -> float | None:
    """The probability that the words of a match stand for; None if they stand for none."""
    n = {name: _number(groups[name]) for name in _COUNTED if name in groups}
    if "even" in groups:
        value = 0.5
    elif "low" in groups:
        value = (n["low"] + n.get("high", n["low"])) / 2 / _ALL
    elif "some" in groups or "often" in groups:
        part, whole = (n["some"], n["all"]) if "some" in groups else (n["often"], n["ever"])
        value = part / whole if whole else 2
    elif "part" in groups:
        value = _PARTS[groups["part"].lower()] * {"two": 2, "three": 3}.get(groups.get("times", "").lower(), 1)
    elif "decimal" in groups:
        value = n["decimal"]
    else:
        total = n["for"] + n["against"]
        whole = n["against"] if "per" in groups and total != _ALL else total  # 8/10, but 60/40
        value = n["for"] / whole if whole else 2
    if not 0 <= value <= 1:
        return None
    if "more" in groups:
        value += _BEYOND * (1 - value)
    if "less" in groups:
        value -= _BEYOND * value
    return 1 - value if "un" in groups or "con" in groups else value


def _number(words: str) -> float:
    """A number in figures or words."""
    words = words.lower().replace(",", ".")
    if words[0].isdigit() or words[0] == ".":
        return float(words)
    parts = words.split()
    words = " ".join(parts[1:] if len(parts) > 1 and parts[0] in ("a", "one") else parts).replace(" ", "-")
    return float(_NUMBERS[words])
