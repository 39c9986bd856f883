"""Street addresses, postcodes with their towns, and lists of parts with a street and a postcode."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Action, Found, Part, Rule
from radcal.reports.deidentify.words import NAME, Is, what, word_set

# Patterns

_UP = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĶĹĻĽĿŁŃŅŇŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽ"
_W = rf"[{_UP}][\w'’.-]{{0,25}}"
_KINDS = (
    r"Road|Rd|Street|St|Avenue|Ave|Lane|Ln|Drive|Dr|Way|Plaza|Place|Pl|Court|Ct|Crescent|Cres|Close|Square|Sq|Terrace"
    r"|Tce|Parade|Pde|Highway|Hwy|Boulevard|Blvd|Parkway|Pkwy|Grove|Gardens|Mews|Row|Hill|Walk|Rise|Quay|Circle|Cir"
    r"|Trail|Esplanade|House|Estate|Park|Mall|Circuit|Cct|Loop|Chase|Villas|Apartments|Towers|Heights"
)
"""Words that streets end with in English."""
_US_STATE = (
    r"A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]"
    r"|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]|AA|AE|AP|GU|VI|AS|MP|FM|MH|PW"
)
_STATES = (
    r"La|Ala|Ariz|Ark|Calif|Cal|Colo|Conn|Del|Fla|Ga|Ill|Ind|Kan|Ky|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb|Nev|Okla|Ore|Pa|Penn|Tenn|Tex"
    r"|Vt|Va|Wash|Wis|Wyo|N\.Y|N\.J|N\.C|S\.C"
)
_CITY = rf"(?:(?:St|Ft|Mt)\.[ ])?[{_UP}][\w'’-]{{1,25}}(?:[ -][{_UP}][\w'’-]{{0,25}}){{0,3}}"
_ZIP = r"\d{5}(?:-\d{4})?"
_STREET = re.compile(
    rf"(?<![\w./:-])\d{{1,5}}(?:-\d{{1,5}})?[A-Za-z]?,?[ ](?:(?:[NSEW]|[NS][EW]|North|South|East"
    rf"|West)\.?[ ])?(?P<n>(?:{_W}|\d{{1,3}}(?:st|nd|rd|th))(?:[ ]{_W}){{0,3}}?)"
    rf"[ ](?P<k>{_KINDS}|Station|Green|Ridge|View|Valley|Creek|Route)"
    r"(?:(?<=\b(?:St|Rd|Ln|Dr|Ct|Pl|Sq))\.|(?<=\b(?:Ave|Hwy|Cir))\.)?(?![\w])"
)
_STRASSE = re.compile(
    rf"(?<![\w])(?:(?:An?|Am|Auf|Im|In|Zum|Zur|Unter|Hinter|Vor)[ ](?:(?:de[rmn]"
    rf"|das)[ ])?)?(?:[{_UP}][\w.-]{{1,25}}[ -]){{0,2}}"
    rf"(?:[{_UP}][a-zäöüß-]{{0,25}}|(?<=[a-z][ -])|(?=[{_UP}]))(?P<k>straße|strasse|str\.|Straße|Strasse|Str\.|weg"
    rf"|Weg|allee|Allee|platz|Platz|gasse|Gasse|ring|Ring|damm|Damm|ufer|Ufer|steig|Steig|graben|chaussee|Chaussee"
    rf"|markt|Markt|hof|winkel|stieg|berg|pfad|promenade)[ ]\d{{1,4}}[ ]?[a-z]?(?:[-/]\d{{1,4}})?(?![\w.,]*\w)"
)
_CITY_STATE = re.compile(rf"(?<![\w-])(?P<c>{_CITY}),[ ](?P<s>(?:{_US_STATE})(?:[ ]{_ZIP})?)(?![\w-])")
_POSTCODE = re.compile(
    r"(?<![\w-])(?:(?:NSW|VIC|QLD|TAS|ACT|SA|WA|NT),? \d{4}"
    r"|[A-Z]\d{2} ?[A-Z0-9]{4}(?<=[A-Z0-9]{2}[A-Z][A-Z0-9])(?=[,.\n ]|$)|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
    rf"|[A-Z]\d[A-Z] \d[A-Z]\d|(?:{_US_STATE}|(?:{_STATES})\.)[ ]+{_ZIP})(?![\w-])"
)
_TOWN = re.compile(
    rf"(?<![\w-])(?:(?:An?|Am|Auf|Im|In|Zum|Zur|Unter|Hinter|Vor|Bei)[ ](?:de[rmn][ ])?)?"
    rf"(?:[{_UP}][\w'’.-]{{1,30}}[ ]){{1,2}}\d{{1,4}}[ ]?[a-zA-Z]?(?:[-/]\d{{1,4}})?,?[ \t]*\n?[ ]?"
    rf"(?:[A-Z]{{1,2}}-)?\d{{4,5}}[ ][{_UP}][\w'’-]{{2,25}}(?!\w)"
)
_BOX = re.compile(
    r"(?<!\w)(?i:P\.? ?O\.? Box|Postfach)[ :#]*[\d ]{1,10}\d"
    rf"(?:, {_CITY},? (?:{_US_STATE}|(?:{_STATES})\.)[ ]+{_ZIP})?"
)
_UNIT = (
    r"(?:H\.? ?No\.?|House(?: No\.?)?|D\.? ?No\.?|Door(?: No\.?)?|Plot(?: No\.?)?|Flat(?: No\.?)?|Apt\.?"
    r"|Apartment|Unit|Studio|Suite|Level|Floor|Shop|Villa|Lot|Block|Tower|Room|Rm|Box|Top|Stiege|Haus|#|No\.?)"
)
_ROAD = (
    r"(?:rue|Rue|avenue|av\.|Av\.|boulevard|bd|place|allée|impasse|chemin|quai|route|cours|Calle|calle|C/|Carrer"
    r"|carrer|Avenida|avenida|Avda\.?|Plaza|Paseo|Camino|Carretera|Via|Viale|viale|Piazza|piazza|Corso|Largo|Vicolo"
    r"|Rua|rua|Travessa|Praça|ul\.|Ul\.|ulica|al\.|os\.|pl\.|Strada|Str\.|Bulevardul|Ulice|náměstí|nám\.|Am|An der"
    r"|Auf dem|Auf der|Im|Zum|Zur|In der|Unter den|Hinter der|Vor dem|Jalan|Jl\.|Jln)"
)
_STREETS = re.compile(
    rf"(?<![^\W_])(?:{_KINDS}|Marg|Nagar|Colony|Layout|Enclave|Vihar|Chowk|Cross|Main|Sector|Phase|Bagh|Gali|Salai|Peth"
    r"|Puram|Sokak|Sk|Cadde|Cad|Caddesi|Mahallesi|Mah|utca|út|tér"
    r"|Gürtel|Zeile|Platz|Weg|Allee|Ring|Gasse|Straße|Strasse|Ufer|Damm|Steig|Promenade)(?![^\W_])"
    rf"|(?<![^\W_]){_ROAD}[ ]|[a-zäöüß](?:stra(?:ß|ss)e|str\.|gasse|weg|allee|platz|ring|damm|ufer|steig|graben"
    r"|gürtel|zeile|gade|vej|gatan|vägen|veien|gata|straat|laan|plein|gracht|kade|dreef|katu|tie|puram|nagar|pur"
    r"|abad)(?![^\W_])"
)
_A_UNIT = re.compile(_UNIT)
_OF_STREETS = word_set("north south east west upper lower central general medical old new high no pin zip")
_DATE = re.compile(
    r"(?<!\d)(?:\d{1,2}([-/.])\d{1,2}\1(?:\d{2}|\d{4})|\d{4}([-/])\d{1,2}\2\d{1,2}"
    r"|\d{1,2}\.(?i:[ivx]{1,4})\.\d{2,4})(?!\d)"
)
_WORD = r"[\w'’/#&-]{1,30}(?:\.[\w-]{1,10}){0,2}(?:(?<![^\W\d_]{5})(?<!\d)\.)?"
_PART = rf"{_WORD}(?:[ ](?!(?:via|at|on|dated|for|with|the|copy|tel)[ ]){_WORD}){{0,5}}"
_LIST = re.compile(
    rf"(?<![\w,./:-])(?:{_UNIT}[ .:]{{0,2}}\d[\w/-]{{0,8}}|\d{{1,5}}[A-Za-z]?(?:[/-]\d{{1,5}}[A-Za-z]?){{0,3}}"
    rf"|{_ROAD}[ ](?=[^\W\d_a-z]|l[ae]s? |d[eu] |des |dell?a? |d[oa]s? |\d)"
    r"|(?=[^\W\d_a-zß-ÿ])(?:[^\W\d_]{2,25}[ -]){0,2}?[^\W\d_]{0,25}(?i:stra(?:ß|ss)e|str\.|gasse|weg|allee|platz"
    r"|ring|damm|gürtel|zeile|rain|steg|ufer|straat|laan|gatan|vägen|gade|vej|katu)[ ]\d{1,4})"
    rf"(?:,?[ ]?{_PART})?(?:,[ ]?\n?{_PART}){{0,5}}"
)
_CODE = re.compile(
    r"(?:[A-Z]{1,2}-)?\d{4,6} [^\W\d_]|[^\W\d_][ -–]{1,3}\d{4,6}(?!\d|\w)|(?<![\d-])\d{2}-\d{3}(?![\d-])"
    r"|(?<=[^\W\d_] )\d{3} \d{3}(?!\d)"
    r"|(?<!\w)[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\w)|(?<!\w)[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)"
    r"|(?<!\w)[A-Z]{2,3} \d{4,5}(?:-\d{4})?(?!\w)|(?:^|, ?|\n)\d{4,6}(?!\d)"
)
_TOWN_BEHIND = re.compile(r"[\w'’-]*(?:[ ](?=[^\W\d_a-zß-ÿ])[\w'’-]+){0,2}")

# Where an address begins and ends

_LEAD = re.compile(
    r"(?:(?:home|mailing|street|patient|postal|residential|work)[ ])?(?:address|adresse|anschrift|wohnhaft)[ :]+"
    r"|(?-i:(?:of|in|at|and|und|bei|from|near)[ ]+)+",
    re.IGNORECASE,
)
"""What stands before an address and is none of it."""
_FACILITIES = word_set(
    "Practice Surgery Hospital Clinic Center Centre Infirmary Imaging Radiology Hospice Klinik Klinikum Spital"
)
"""What stands before a street and belongs to the place, not to the address."""
_TOWNS = word_set(
    "new north south east west upper lower port lake san santa st saint los las el la fort ft mount great old grand"
    " de le mt"
)
_PARTS = word_set("unit suite floor room station apt box flat house building studio level")
"""Parts of addresses that are words of reports, too."""
_LINKS = word_set("of am an der de la")
_OTHER = Is.ACT | Is.LABEL | Is.ROLE | Is.FUNCTION | Is.CLINICAL
"""What a word is that is none of an address."""
_ALSO_CREDENTIALS = word_set("MD PA MA DC CT MS LA CA VA ME IN OR AP MT AL AS ID HI DE CO NC ND SC SD VI RI PR MI")
_WORD_LEFT = re.compile(
    r"(?:(?<=[\s,(])|^)(?:#?\d{1,5}(?:[-/]\d{1,4})?[A-Za-z]?|[A-ZÄÖÜÀ-Þ][\w'’.-]{0,40}|of|am|an der|der|de|la)(?:,?[ ]"
    r"|,?[ \t]*\n[ \t]*)$"
)
_NUMBERED_LEFT = re.compile(r"(?<!\w)\d{1,5}[A-Za-z]? (?:[A-ZÄÖÜ][\w'’.-]{0,25} ){0,2}$")
_WORD_RIGHT = re.compile(
    r"(?:,[ ]?|[ ]|,?[ \t]*\n[ \t]*|[ ]-[ ])(?P<w>(?=[A-Z0-9]{0,6}\d)[A-Z0-9]{2,7}(?!\w|\.\w|-\w)"
    r"|(?:#[ ]?)?\d{1,5}(?:-\d{4}|[-/]\d{1,4})?[A-Za-z]?(?!\w|[.,/:]\d)|[A-Z]{1,2}-\d{4,5}(?!\w)"
    r"|[A-ZÄÖÜÀ-Þ][\w'’-]{0,25}(?:\.(?=[ ][A-Z]?\w*,))?|(?:am|an der|im|ob der|vorm|bei|in der|upon|on|by|le|de|la"
    r"|of)(?=[ -][A-ZÄÖÜ]))"
)
_NEXT_LINE = re.compile(r"[\w '’-]{0,40},? [A-Z]{2,3},? \d|[A-ZÄÖÜ][\w '-]{0,30},")
"""A line that goes on with an address."""
_LABEL_LEFT = re.compile(r"[^\n:]{0,25}:")
_LIVES = re.compile(
    r"(?:wohnhaft|adresse|anschrift|wohnt|address|(?:liv|resid)(?:es|ing) (?:at|in))\W+(?:in )?", re.IGNORECASE
)


def _left(text: str, start: int) -> int:
    """Where an address begins that has more before a street, a town or a code: "Flat 3, Rose House, 12 High Street"."""
    for _ in range(9):
        m = _WORD_LEFT.search(text, max(0, start - 48, text.rfind("\n\n", 0, start) + 2), start)
        if m is None or ("\n" in m[0] and not re.search(r",[ \t]*\n", m[0])):
            return start
        word = m[0].strip(" ,\n#")
        lower = word.lower()
        if lower == "of" and text[start : start + 1].isdigit():
            return start  # "a retired shipwright of 7 Rope Walk"
        if what(lower.rstrip(".")) & _OTHER and lower not in _TOWNS | _LINKS | _PARTS:
            numbered = _NUMBERED_LEFT.search(text, max(0, m.start() - 60), m.start())
            return numbered.start() if numbered and "," in m[0] else start
        if (word.endswith(".") and len(word) > 4) or word in ("At", "From", "In") or word in _FACILITIES:
            return start
        start = m.start()
    return start


def _right(text: str, end: int) -> int:
    """Where an address ends that goes on behind a street or a town."""
    for _ in range(12):
        m = _WORD_RIGHT.match(text, end)
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
    if text.startswith((":", " :"), m.end()) or (begins_line and _LABEL_LEFT.match(text, m.end(), m.end() + 27)):
        return True
    kind = what(lower)
    if kind & _OTHER and word[0].isupper() and len(word) > 1 and lower not in _TOWNS | _PARTS:
        is_name = kind & NAME and not kind & Is.FUNCTION
        if len(word) > 3 if word.isupper() else not is_name:
            return True
    goes_on = word[0].isdigit() or "," in m[0] or _NEXT_LINE.match(text, m.start("w"), m.start("w") + 50)
    return begins_line and not goes_on


def _found(text: str, start: int, end: int) -> Found:
    """Return an address without what leads to it."""
    lead = _LEAD.match(text, start, end)
    return Found(lead.end() if lead else start, end)


def _is_clinical(words: str) -> bool:
    kinds = (what(word.lower()) for word in re.findall(r"[^\W\d_]+", words) if word.lower() not in _TOWNS)
    return any(kind & (Is.CLINICAL | Is.FUNCTION) and not kind & NAME for kind in kinds)


def _is_street(m: re.Match[str]) -> bool:
    """Whether "...weg 5" without a town behind it is a street."""
    kind = m["k"].lower()
    if kind in ("straße", "strasse", "str.", "allee", "gasse", "chaussee", "promenade"):
        return True
    if any(lead.end() == m.start() for lead in _LIVES.finditer(m.string, max(0, m.start() - 20), m.start())):
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
    while len(words) > 1 and what(words[0][1]) & _OTHER & ~Is.ROLE and words[0][1] not in _TOWNS:
        words = words[1:]
    if any(what(word) & (Is.CLINICAL | Is.FUNCTION) and word not in _TOWNS for _, word in words):
        return None
    start = words[0][0]
    certain = " " in m["s"] or m["s"] not in _ALSO_CREDENTIALS
    if not certain and not re.search(r"\b(?:in|from|at)\s$", m.string[max(0, start - 6) : start]):
        return None
    return _found(m.string, _left(m.string, start), m.end())


def _list(m: re.Match[str], _: timedelta) -> Found | None:
    """Take a list of parts with a street, up to its postcode and town."""
    written = m[0]
    street = _STREETS.search(written)
    if street is None or ("," not in written and len(written) > 70):
        return None
    codes = list(_CODE.finditer(written, max(len(written.split(maxsplit=1)[0]), street.end() - 12)))
    code = next((c for c in reversed(codes) if c.end() - codes[0].end() < 40), None)
    if code is None:
        return None
    start = max((lead.end() for lead in _LIVES.finditer(written, 0, street.start())), default=0)
    town = _TOWN_BEHIND.match(written, code.end())
    end = town.end() if town else code.end()
    if _DATE.search(written, start, end) or any(map(_is_of_reports, re.findall(r"[^\W\d_]{2,}", written[start:end]))):
        return None
    return _found(m.string, m.start() + start, m.start() + end)


def _is_of_reports(word: str) -> bool:
    """Whether a word of a list is one of reports, not of an address."""
    kind = what(word.lower())
    return bool(kind & (Is.CLINICAL | Is.ACT)) and not (
        kind & (NAME | Is.PARTICLE) or _STREETS.search(word) or _A_UNIT.match(word) or word.lower() in _OF_STREETS
    )


# fmt: off
LISTED_ADDRESSES = (
    Part((
        Rule("list with a street and a postcode", "address", _LIST, _list,
             "Lives at H.No. 71, Marigold Nagar, Thornpur-560001. -> Lives at [address].",
             unlike="12 Main findings, series 2, 12000 counts"),
    )),
)
ADDRESSES = (
    Part((
        Rule("post office box", "address", _BOX, _extended(left=True),
             "To PO Box 71, Quill Bay, WA 98199. -> To [address].",
             unlike="Box 3 of 12"),
        Rule("house number and street", "address", _STREET, _street,
             "Lives at 12 High Street, Apt 4, Quillton. -> Lives at [address].",
             unlike="4 Dr. Smith, 3 Clear Lung View"),
        Rule("street and house number", "address", _STRASSE, _strasse,
             "Wohnhaft Lange Straße 5, 12345 Quillau. -> Wohnhaft [address].",
             unlike="Der Leberberg 5 cm, Verlaufsring 3"),
        Rule("house number, code and town", "address", _TOWN, _extended(left=False),
             "Deichreihe 7, 25999 Osterhever -> [address]",
             unlike="Serie 7, 2599 mm"),
        Rule("postcode", "address", _POSTCODE, _extended(left=True),
             "Seen in Quillmuir CM9 1LX. -> Seen in [address].",
             unlike="T1N M0, C5 6"),
    )),
    Part((
        Rule("city and state", "address", _CITY_STATE, _city_and_state,
             "From Quillton, WV, seen in Quillton, MA -> From [address], seen in [address]",
             unlike="Ann Quill, MD"),
    )),
)
# fmt: on
