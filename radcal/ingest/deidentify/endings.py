"""Names behind the last sentence of a text, and before or behind what only patients have: a room, a number.

form                            example
the last line or item           Larkspur; Vesna Holub, Reporting Radiographer; Larkspur/dd 4 May; 4 May Larkspur
the same in lower case          larkspur / uw; kl/vh
behind "patient", "baby"        pt larkspur, vesna; Pat. Larkspur, Aufnahmenr.; Frühgeborenes Larkspur
between an examination, a room  Chest, Bo, room 3; Thorax: Larkspur, Zimmer 3
"""

from __future__ import annotations

import re

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, is_medical, is_noun, word_set

_NO_SIGNATURE = word_set(
    "regards thanks cheers gruß grüße end ende ends danke sincerely continued fortsetzung final signed"
)
_MOST = 5
"""Words of an ending."""
_LONGEST = 70
_STANDS_BEHIND = re.compile(r"(?:\n[ \t]*(?:[dDtTc&/ ]{1,5}[:.]?)?[\s\ufffc\d:./,-]*)+\Z")
"""Lines of dates and numbers below an ending."""
_SENTENCE_ENDS = re.compile(
    r"\n|(?:(?<=[^\W\d_]{2})|(?<=[)%\d\ufffc\ufffb\]]))[.!?][ \t]+|\ufffc[.,]?[ \t]+(?:\d{4}[ ]+)?(?=[^\W\d_]+\Z)"
)
_REST = re.compile(r"[\s\ufffc\ufffb\d:.,()/–-]*")
_PAIR = re.compile(r"[a-z]{2,3}/[a-z]{2,3}")
_NO_PAIR = word_set("ap pa lat lt rt im se cc ml mg kg mm cm vs rl lr re li and or na hr hrs min bid")
_MARKED = re.compile(r"[ ]?(?:\([a-z]{2,3}\)|[-–—] ?[a-z]{2,3})")
"""Initials in lower case with a mark: "(jrm)", "-jrm"."""
_GREETING = word_set("mfg vg lg gez gezeichnet grüße gruß")
_TYPIST = re.compile(r" ?/ ?(?P<i>[a-z]{2,3}|[A-Z]{2,3}|[A-Z][a-z])(?![^\W_])")
_NEVER = (
    Is.CLINICAL | Is.FUNCTION | Is.LABEL | Is.ROLE | Is.ACT | Is.SIGN | Is.PRODUCT | Is.TITLE | Is.STRONG | Is.ADMIN
    | Is.HEAD | Is.SERVICE | Is.PAST | Is.NOVALUE | Is.MONTH | Is.PLACE | Is.CREDENTIAL
)  # fmt: skip
_NAME = r"[^\W\d_a-zß-ÿ][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_WORD = r"[^\W\d_]{2,}(?:[-'’][^\W\d_]+)*"
_HAS_NUMBER = (
    r"(?:[Rr]oom|[Rr]m|[Zz]immer|[Zz]i\.?"
    r"|[Bb]ed|[Bb]ett|[Bb]ay|MRN|mrn|ID|PID|[^\W\d_]*[Nn]r|[Ff]allzahl|[Aa]cc(?:oun)?t|HN|#)"
)
_PLACED = (
    re.compile(rf"(?:(?<=[,:] )|(?<=\n)|\A)(?P<n>{_NAME}(?: {_NAME})?),? (?={_HAS_NUMBER}\b[. :#]{{0,3}}[\d\ufffc])"),
    re.compile(
        rf"(?<![^\W_])(?:[Pp]at|[Pp]t|[Pp]atient(?:in)?)[.:]? (?P<n>{_NAME})(?=, (?:{_HAS_NUMBER}|\ufffc|\d|geb"
        rf"|dob|DOB|born))"
    ),
    re.compile(
        rf"(?<![^\W_])(?:[Ff]rühgeborene[srn]?|[Nn]eugeborene[srn]?|[Ss]äugling|[Bb]aby|NG|FG|[Nn]eonate|[Nn]ewborn"
        rf"|[Pp]reemie) (?P<n>{_NAME})"
        r"(?=[,.;(\n]| \(|\Z)"
    ),
    re.compile(rf"(?:[:.;,]|\A|\n)[ ]?(?P<n>{_NAME}) presents (?:with|w/|for|after|to|from|today)"),
    re.compile(rf"(?:[Tt]el|[Ff]ax|[Pp]hone|[Pp]ager|DECT|[Mm]obil)[.:]? ?\ufffc+ ?\((?P<n>{_NAME})\)"),
    re.compile(
        re.compile(
            r"(?<![^\W_])(?:(?:Röntgen |Rö )?[Tt]horax|Röntgen|Rö|CXR|CT)(?: \ufffc+)?[ ]"
            rf"(?P<n>{_NAME}(?:,? {_NAME})?)(?=:)"
        ),
    ),
    re.compile(
        rf"(?:(?<=\n)|\A)(?P<n>{_NAME}(?:,? {_NAME})?)(?= [-–] (?:[Cc]hest|[Tt]horax|CXR|CT)\b| [MFWmfw] ?[\d\ufffc])"
    ),
    re.compile(rf"(?:(?<=[.:;,] )|(?<=\n))(?P<n>{_NAME}) is the (?:name|patient)\b"),
)
_SURNAME_FIRST = re.compile(
    rf"(?<![^\W_])(?i:pt|pat|patient(?:in)?|name|bei)(?:\.|:| is| ist)? (?P<n>{_WORD}, {_WORD})(?=[,.;(\d\ufffc]"
    rf"| [a-z(\d\ufffc]|\n|\Z)"
)
_ITEM = re.compile(
    rf"(?:[.:]|\A|\n)[ ]?(?P<n>{_NAME}, {_NAME}(?: {_NAME})?)(?=, ?(?:\ufffc|\*|geb|born|DOB"
    rf"|\d{{1,3}} ?(?:[MFmfyYjJ]\b|yo)))"
)
_RELATED = re.compile(
    rf"(?<![^\W_])(?:Oma|Opa|Großmutter|Großvater|Mutter|Vater|Tante|Onkel|Gattin|Gatte|grandmother|grandfather"
    rf"|mother|father|aunt"
    rf"|uncle|carer)[,:] (?P<n>{_NAME} (?:(?:v\.|d\.|von|van|de|der|zu|af|di) ?)*{_NAME})(?=[.,;()\n]|\Z)"
)


def take_endings(t: Reading, taken: Taken) -> None:
    """Take the names that a text ends with, and those of patients beside rooms and numbers."""
    _take_last(t, taken)
    for pattern in _PLACED:
        for m in pattern.finditer(t.text):
            n, end = t.at(m.start("n")), t.at(m.end("n"))
            known = Is.WORD | _NEVER | Is.EPONYM
            shown = pattern is _PLACED[1] and not t.kinds[n] & known and not is_medical(t.lower[n])
            if (shown or all(_may_be(t, k) for k in range(n, end))) and not t.sign_follows(end - 1):
                _take(t, taken, n, end)
    for m in (*_SURNAME_FIRST.finditer(t.text), *_ITEM.finditer(t.text)):
        n, end = t.at(m.start("n")), t.at(m.end("n"))
        kinds = t.kinds[n:end]
        given = t.kinds[n + 1] & Is.GIVEN and not t.kinds[n + 1] & (Is.CLINICAL | Is.EITHER | Is.FUNCTION)
        both = all(_may_be(t, k) for k in range(n, end))
        if (given and not kinds[0] & (_NEVER & ~Is.PLACE)) or both:
            _take(t, taken, n, end)
    for m in _RELATED.finditer(t.text):
        n, end = t.at(m.start("n")), t.at(m.end("n"))
        if _may_be(t, n) and _may_be(t, end - 1):
            _take(t, taken, n, end)


def _take(t: Reading, taken: Taken, n: int, end: int) -> None:
    taken.take(n, end)
    taken.trust(n)


def _may_be(t: Reading, k: int) -> bool:
    """Whether a word is a name of the lists, or in none of them, and no noun."""
    kind = t.kinds[k]
    if kind & _NEVER and not (kind & NAME and not kind & (_NEVER & ~(Is.PLACE | Is.HEAD | Is.SIGN))):
        return False
    if t.eponym(k) and not kind & NAME:
        return False
    if t.german and not kind & NAME and is_noun(t.lower[k]):
        return len(t.lower[k]) < 4
    if is_medical(t.lower[k]) or t.month(k):
        return False
    return bool(kind & NAME) or t.unknown(k) or (bool(kind & Is.RARE) and not kind & Is.WORD)


def _take_last(t: Reading, taken: Taken) -> None:
    text = _STANDS_BEHIND.sub("", t.text.rstrip())
    full = text.endswith(".")
    text = text.rstrip(" .")
    begin = 0
    for m in _SENTENCE_ENDS.finditer(text, max(0, len(text) - _LONGEST)):
        begin = m.end()
    if begin < 12:
        return
    if _PAIR.fullmatch(text[begin:].strip()):
        words = text[begin:].strip().split("/")
        if not any(word in _NO_PAIR for word in words):
            _take(t, taken, t.at(begin), t.at(len(text)))
        return
    alone = _MARKED.fullmatch(text, begin)
    if alone and not t.kinds[t.at(begin)] & KNOWN:
        _take(t, taken, t.at(begin), t.at(begin) + 1)
        return
    n, stop = t.at(begin), t.at(len(text))
    while n < stop and t.lower[n] in _GREETING:
        n, begin = n + 1, t.ends[n]
    if not 0 < stop - n <= _MOST or any(taken[k] for k in range(n, stop)):
        return
    end = n
    while (
        end < stop and (t.capital(end) or t.words[end].islower()) and (end == n or t.gap(end - 1) in (" ", ". ", "."))
    ):
        end += 1
    behind = text[t.ends[end - 1] :]
    typist = _TYPIST.match(behind)
    rest = behind[typist.end() :] if typist else behind
    role = any(t.kinds[k] & (Is.ROLE | Is.CREDENTIAL | Is.GRADE) for k in range(end, stop)) and behind[:1] == ","
    if not (_REST.fullmatch(rest) or (role and not typist)) or not _REST.fullmatch(text[begin : t.starts[n]]):
        return
    if not _is_signature(t, n, end, typist is not None, full, role):
        return
    _take(t, taken, n, end)
    if typist:
        k = t.at(t.ends[end - 1])
        _take(t, taken, k, k + 1)


def _is_signature(t: Reading, n: int, end: int, typist: bool, full: bool, role: bool) -> bool:
    """Whether words at the end are a name; typist, full, role: initials, a full stop, a profession stand behind."""
    words = [k for k in range(n, end) if not t.initial(k) and not (t.kinds[k] & Is.INNER and t.words[k].islower())]
    lower = [k for k in words if t.words[k].islower()]
    if role and len(words) == 2 and all(t.capital(k) and not t.kinds[k] & _NEVER for k in words):
        return any(t.possible(k) or t.kinds[k] & Is.RARE for k in words)
    if len(words) == 2 and t.sure(words[0]) and t.kinds[words[0]] & Is.GIVEN and t.capital(words[1]) and not full:
        second = t.kinds[words[1]]
        return (
            not t.in_capitals(n) and not second & (_NEVER | Is.EPONYM | Is.WORD) and not is_medical(t.lower[words[1]])
        )
    if any(t.lower[k] in _NO_SIGNATURE for k in words):
        return False
    if not words or not all(_may_be(t, k) for k in words) or len(words) > 3 or (lower and not typist):
        return False
    if any(t.kinds[k] & Is.EPONYM and not t.kinds[k] & NAME for k in words):
        return False
    told = [
        k for k in words if t.unknown(k) or t.sure(k) or (t.kinds[k] & Is.RARE and not t.kinds[k] & KNOWN & ~Is.RARE)
    ]
    if told and len(words) == end - n == 1 and t.shouted(n) and len(t.words[n]) > _MOST and not full:
        line = t.text.rfind("\n", 0, t.starts[n])
        return line >= 0 and not t.text[line + 1 : t.starts[n]].strip() and not t.in_capitals(n - 1)
    if not told or t.in_capitals(n) or (len(words) == 1 and (len(t.words[n]) < 3 or t.shouted(n))):
        return typist and bool(told)
    if len(words) == 1 and full and end - n == 1:
        return typist or t.sure(n)
    if len(words) == 1 and not t.sure(n) and not typist:
        before = t.text[: t.starts[n]].rstrip(" \t")
        return not before.endswith("\n") or before.rstrip()[-1:] in ".!?:)\ufffc\ufffb" or before.endswith("\n\n")
    return True
