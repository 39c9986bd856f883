"""Street addresses, postcodes with their towns, and lists of parts with a street and a postcode."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Action, Found, Part, Rule
from radcal.reports.deidentify.words import NAME, Is, what
from radcal.system.resources import patterns, word_lists

_P = patterns("deidentify", "addresses.toml")
_WORDS = {name: frozenset(words) for name, words in word_lists("deidentify", "addresses.toml").items()}

# Where an address begins and ends

_OTHER = Is.ACT | Is.LABEL | Is.ROLE | Is.FUNCTION | Is.CLINICAL
"""What a word is that is none of an address."""


def _left(text: str, start: int) -> int:
    """Where an address begins that has more before a street, a town or a code: "Flat 3, Rose House, 12 High Street"."""
    for _ in range(9):
        m = _P["word_left"].search(text, max(0, start - 48, text.rfind("\n\n", 0, start) + 2), start)
        if m is None or ("\n" in m[0] and not re.search(r",[ \t]*\n", m[0])):
            return start
        word = m[0].strip(" ,\n#")
        lower = word.lower()
        if lower == "of" and text[start : start + 1].isdigit():
            return start  # "a retired shipwright of 7 Rope Walk"
        if what(lower.rstrip(".")) & _OTHER and lower not in _WORDS["towns"] | _WORDS["links"] | _WORDS["parts"]:
            numbered = _P["numbered_left"].search(text, max(0, m.start() - 60), m.start())
            return numbered.start() if numbered and "," in m[0] else start
        if (word.endswith(".") and len(word) > 4) or word in ("At", "From", "In") or word in _WORDS["facilities"]:
            return start
        start = m.start()
    return start


def _right(text: str, end: int) -> int:
    """Where an address ends that goes on behind a street or a town."""
    for _ in range(12):
        m = _P["word_right"].match(text, end)
        if m is None or _ends_before(m):
            return end
        end = m.end()
    return end


def _ends_before(m: re.Match[str]) -> bool:
    """Whether an address ends before a word that may be of it."""
    text, word, lower = m.string, m["w"], m["w"].lower().rstrip(".")
    if "-" in lower and any(what(part) & (Is.CLINICAL | Is.SERVICE) for part in lower.split("-")):
        return True
    begins_line = "\n" in m[0]
    if text.startswith((":", " :"), m.end()) or (begins_line and _P["label_left"].match(text, m.end(), m.end() + 27)):
        return True
    kind = what(lower)
    if kind & _OTHER and word[0].isupper() and len(word) > 1 and lower not in _WORDS["towns"] | _WORDS["parts"]:
        is_name = kind & NAME and not kind & Is.FUNCTION
        if len(word) > 3 if word.isupper() else not is_name:
            return True
    goes_on = word[0].isdigit() or "," in m[0] or _P["next_line"].match(text, m.start("w"), m.start("w") + 50)
    return begins_line and not goes_on


def _found(text: str, start: int, end: int) -> Found:
    """Return an address without what leads to it."""
    lead = _P["lead"].match(text, start, end)
    return Found(lead.end() if lead else start, end)


def _is_clinical(words: str) -> bool:
    kinds = (what(word.lower()) for word in re.findall(r"[^\W\d_]+", words) if word.lower() not in _WORDS["towns"])
    return any(kind & (Is.CLINICAL | Is.FUNCTION) and not kind & NAME for kind in kinds)


def _is_street(m: re.Match[str]) -> bool:
    """Whether "...weg 5" without a town behind it is a street."""
    kind = m["k"].lower()
    if kind in ("straße", "strasse", "str.", "allee", "gasse", "chaussee", "promenade"):
        return True
    if any(lead.end() == m.start() for lead in _P["lives"].finditer(m.string, max(0, m.start() - 20), m.start())):
        return True
    first = what(m[0].split()[0].lower())
    return kind not in ("ring", "berg", "hof", "graben", "winkel") and not first & (Is.WORD | Is.CLINICAL)


# Actions


def _extended(left: bool) -> Action:
    """Take the match with what goes on behind it, and with what stands before it."""

    def action(m: re.Match[str], _: timedelta) -> Found:
        return _found(m.string, _left(m.string, m.start()) if left else m.start(), _right(m.string, m.end()))

    return action


def _street(m: re.Match[str], by: timedelta) -> Found | None:
    doctor = m["k"].startswith("Dr") and (
        "." in m["n"] or re.match(r" [^\W\d_a-zß-ÿ][a-z]+(?! ?,)", m.string[m.end() : m.end() + 30])
    )
    return None if doctor or _is_clinical(m["n"]) else _extended(left=True)(m, by)


def _strasse(m: re.Match[str], _: timedelta) -> Found | None:
    text, end = m.string, _right(m.string, m.end())
    seldom = m["k"] in ("ring", "berg", "hof", "graben", "winkel", "stieg", "markt")
    town = re.search(r"\d{4,5}", text[m.end() : end]) if seldom else end > m.end()
    if not town and not _is_street(m):
        return None
    first = m[0].split()[0]
    if what(first.lower()) & Is.LABEL:
        return Found(m.start() + len(first) + 1, end)
    return _found(text, _left(text, m.start()), end)


def _city_and_state(m: re.Match[str], _: timedelta) -> Found | None:
    words = [(m.start() + w.start(), w[0].lower()) for w in re.finditer(r"[^\W\d_]+", m["c"])]
    while len(words) > 1 and what(words[0][1]) & _OTHER & ~Is.ROLE and words[0][1] not in _WORDS["towns"]:
        words = words[1:]
    if any(what(word) & (Is.CLINICAL | Is.FUNCTION) and word not in _WORDS["towns"] for _, word in words):
        return None
    start = words[0][0]
    certain = " " in m["s"] or m["s"] not in _WORDS["also_credentials"]
    if not certain and not re.search(r"\b(?:in|from|at)\s$", m.string[max(0, start - 6) : start]):
        return None
    return _found(m.string, _left(m.string, start), m.end())


def _list(m: re.Match[str], _: timedelta) -> Found | None:
    """Take a list of parts with a street, up to its postcode and town."""
    written = m[0]
    street = _P["streets"].search(written)
    if street is None or ("," not in written and len(written) > 70):
        return None
    codes = list(_P["code"].finditer(written, max(len(written.split(maxsplit=1)[0]), street.end() - 12)))
    code = next((c for c in reversed(codes) if c.end() - codes[0].end() < 40), None)
    if code is None:
        return None
    start = max((lead.end() for lead in _P["lives"].finditer(written, 0, street.start())), default=0)
    town = _P["town_behind"].match(written, code.end())
    end = town.end() if town else code.end()
    words = re.findall(r"[^\W\d_]{2,}", written[start:end])
    if _P["date"].search(written, start, end) or any(map(_is_of_reports, words)):
        return None
    return _found(m.string, m.start() + start, m.start() + end)


def _is_of_reports(word: str) -> bool:
    """Whether a word of a list is one of reports, not of an address."""
    kind = what(word.lower())
    return bool(kind & (Is.CLINICAL | Is.ACT)) and not (
        kind & (NAME | Is.PARTICLE)
        or _P["streets"].search(word)
        or _P["a_unit"].match(word)
        or word.lower() in _WORDS["of_streets"]
    )


LISTED_ADDRESSES = (Part((Rule("list with a street and a postcode", "address", _P["list"], _list),)),)
ADDRESSES = (
    Part(
        (
            Rule("post office box", "address", _P["box"], _extended(left=True)),
            Rule("house number and street", "address", _P["street"], _street),
            Rule("street and house number", "address", _P["strasse"], _strasse),
            Rule("house number, code and town", "address", _P["town"], _extended(left=False)),
            Rule("postcode", "address", _P["postcode"], _extended(left=True)),
        )
    ),
    Part((Rule("city and state", "address", _P["city_state"], _city_and_state),)),
)
