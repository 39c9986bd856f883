"""Street addresses, postcodes with their towns, and whether a text is German."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.words import NAME, Is, what, word_set

_UP = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĶĹĻĽĿŁŃŅŇŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽ"
_W = rf"[{_UP}][\w'’.-]{{0,25}}"
_KINDS = (
    r"Street|Str\.?|St\.?|Avenue|Ave\.?|Road|Rd\.?|Lane|Ln\.?|Drive|Dr\.?|Boulevard|Blvd\.?|Court|Ct\.?|Place|Pl\.?"
    r"|Way|Terrace|Ter\.?|Circle|Cir\.?"
    r"|Highway|Hwy\.?|Parkway|Pkwy\.?|Square|Sq\.?|Close|Crescent|Cres\.?|Grove|Gardens|Mews|Row|Hill|Walk|Rise|Quay"
    r"|Alley|Trail|Trl\.?|Loop|Pike|Path"
    r"|Plaza|Run|Ridge|View|Park|Heights|Station|Green|Turnpike|Expressway|Crossing|Point|Creek|Valley|Meadows?"
    r"|Estates?|Island|Mount|Mountain|Canyon"
    r"|Falls|Forges?|Fords?|Fields?|Glens?|Harbors?|Haven|Islands?|Junctions?|Keys?|Knolls?|Lakes?|Landing|Lodge"
    r"|Manors?|Mills?|Mission|Motorway|Orchard"
    r"|Oval|Overpass|Passage|Pines?|Plains?|Prairie|Ranch|Rapids?|Rests?|River|Roads|Route|Shoals?|Shores?|Springs?"
    r"|Spurs?|Squares|Stravenue|Stream"
    r"|Streets|Summit|Throughway|Trace|Track|Trafficway|Tunnel|Underpass|Unions?|Via|Viaduct|Ville|Villages?|Vista"
    r"|Wells?|Centers?|Common|Corners?|Course"
    r"|Cove|Divide|Extensions?|Ferry|Flats?|Forest|Fork|Freeway|Gateway|Bayou|Beach|Bend|Bluffs?|Bottom|Branch"
    r"|Bridge|Brooks?|Burgs?|Bypass|Camp|Cape"
    r"|Causeway|Cliffs?|Club|Hollow|Inlet|Isle|Neck|Parkways|Radial|Ports?|Shoal|Skyway|Hills|Groves|Greens|Lights?"
    r"|Loaf|Locks?|Mall"
)
_US_STATE = (
    r"A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]"
    r"|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]|AA|AE|AP|GU|VI|AS|MP|FM|MH|PW"
)
_STATES = (
    r"La|Ala|Ariz|Ark|Calif|Cal|Colo|Conn|Del|Fla|Ga|Ill|Ind|Kan|Ky|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb|Nev|Okla|Ore|Pa|Penn|Tenn|Tex"
    r"|Vt|Va|Wash|Wis|Wyo|N\.Y|N\.J|N\.C|S\.C"
)
_CITY = rf"(?:(?:St|Ft|Mt)\.[ ])?[{_UP}][\w'’-]{{1,25}}(?:[ -][{_UP}][\w'’-]{{0,25}}){{0,3}}"
_ZIP_US = r"\d{5}(?:-\d{4})?"
_ZIP_UK = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
_ZIP_CA = r"[A-Z]\d[A-Z][ -]?\d[A-Z]\d"
_STREET = re.compile(
    rf"(?<![\w./:-])\d{{1,5}}(?:-\d{{1,5}})?[A-Za-z]?,?[ ](?:(?:[NSEW]|[NS][EW]|North|South|East"
    rf"|West)\.?[ ])?(?P<n>(?:{_W}|\d{{1,3}}(?:st|nd|rd|th))(?:[ ]{_W}){{0,3}}?)"
    rf"[ ](?P<k>{_KINDS})(?![\w])"
)
_ZIP_TOWN = re.compile(rf"(?<=, )(?!(?:19|20)\d\d )\d{{4,5}} (?P<n>[{_UP}][a-zäöüß]{{2,25}})(?=[.,;\n]|$)")
"""A code and a town without a street."""
_UNNUMBERED = re.compile(
    rf"(?<![\w./:-])(?:[{_UP}][\w'’.-]{{2,25}}[ ]){{1,3}}(?:Road|Rd|Street|Lane|Avenue|Crescent|Terrace|Drive)"
    rf"(?=, [{_UP}])"
)
"""Without the number of a house, before a town."""
_STREET_CAPS = re.compile(
    r"(?<![\w./:-])\d{1,5}[A-Z]? (?P<n>[A-Z0-9'.-]{2,20}(?: [A-Z0-9'.-]{1,20}){0,3}?) (?P<k>STREET|AVENUE|AVE|ROAD"
    r"|RD|LANE|LN|DRIVE|BOULEVARD|BLVD|COURT|TERRACE|CIRCLE|HIGHWAY|HWY|PARKWAY|PKWY|SQUARE|CRESCENT|WAY)(?!\w)"
)
_STRASSE = re.compile(
    rf"(?<![\w])(?:(?:An?|Am|Auf|Im|In|Zum|Zur|Unter|Hinter|Vor)[ ](?:(?:de[rmn]"
    rf"|das)[ ])?)?(?:[{_UP}][\w.-]{{1,25}}[ -]){{0,2}}"
    rf"(?:[{_UP}][a-zäöüß-]{{0,25}}|(?<=[a-z][ -])|(?=[{_UP}]))(?P<k>straße|strasse|str\.|Straße|Strasse|Str\.|weg"
    rf"|Weg|allee|Allee|platz|Platz|gasse|Gasse|ring|Ring|damm|Damm|ufer|Ufer|steig|Steig|graben|chaussee|Chaussee"
    rf"|markt|Markt|hof|winkel|stieg|berg|pfad|promenade)[ ]\d{{1,4}}[ ]?[a-z]?(?:[-/]\d{{1,4}})?(?![\w.,]*\w)"
)
_STREET_AT = re.compile(
    rf"(?:An der|Am|Auf der|Auf dem|Im|In der|In den|Zum|Zur|Unter den|Unter der|Hinter der|An den"
    rf"|Vor dem)[ ]{_W}(?:[ ]{_W})?[ ]\d{{1,4}}[a-z]?(?=,?\s+\d{{4,5}}\s)"
)
_CITY_STATE = re.compile(rf"(?<![\w-]){_CITY},[ ](?:{_US_STATE})(?:[ ]{_ZIP_US})?(?![\w-])")
_STATE_ZIP = re.compile(
    rf"(?<![\w-])(?:(?:{_US_STATE}|(?:{_STATES})\.)[ ]+{_ZIP_US}|(?:ZIP|Zip|zip|postal|Postal|PLZ|postcode"
    rf"|Postcode|Eircode)(?:[ ](?:code"
    rf"|Code))?[ :]+(?P<v>[A-Z0-9][A-Z0-9 -]{{2,8}}[A-Z0-9]))(?![\w-])"
)
_POSTCODE = re.compile(
    rf"(?<![\w-])(?:(?:NSW|VIC|QLD|TAS|ACT|SA|WA|NT),? \d{{4}}"
    rf"|[A-Z]\d{{2}} ?[A-Z0-9]{{4}}(?<=[A-Z0-9]{{2}}[A-Z][A-Z0-9])(?=[,.\n ]|$)|{_ZIP_UK.replace(' ?', ' ')}"
    rf"|{_ZIP_CA.replace('[ -]?', ' ')})(?![\w-])"
)
_TOWN = re.compile(
    rf"(?<![\w-])(?:(?:An?|Am|Auf|Im|In|Zum|Zur|Unter|Hinter|Vor|Bei)[ ](?:de[rmn][ ])?)?"
    rf"(?:[{_UP}][\w'’.-]{{1,30}}[ ]){{1,2}}\d{{1,4}}[ ]?[a-zA-Z]?(?:[-/]\d{{1,4}})?,?[ \t]*\n?[ ]?"
    rf"(?:[A-Z]{{1,2}}-)?\d{{4,5}}[ ][{_UP}][\w'’-]{{2,25}}(?!\w)"
)
_BOX = re.compile(
    r"(?<!\w)(?i:P\.? ?O\.? Box|Postfach)[ :#]*[\d ]{1,10}\d"
    rf"(?:, {_CITY},? (?:{_US_STATE}|(?:{_STATES})\.)[ ]+{_ZIP_US})?"
)
_LABEL = re.compile(
    r"(?<![^\W_])(?:(?:home|mailing|street|patient|postal|residential|email)?[ ]?address(?:es)?(?: is| of)?|adresse"
    r"|anschrift|wohnhaft(?: in)?|wohnort|resides(?: at| in| on)|residing(?: at| in| on)|lives(?: at| in| on)"
    r"|living(?: at| in| on)|resident of|hometown|city|stadt|town|residence|domicile|born in|geboren in|(?:is|comes"
    r"|originally|native) from)[ ]?[:=]?[ ]{0,3}(?P<v>[^\n.;(\ufffc]{3,80})",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"(?<![^\W_])(?:der|die|das|und|kein|keine|keinen|keiner|mit|ohne|vom|ist|im|zum|zur|beurteilung|befund|nachweis"
    r"|bei|nicht|des|wurde|bds|beidseits|rechts|links|untersuchung|oberarzt|klinische|herrn|frau|geehrte|radiologie"
    r"|für|auf)(?![^\W_])",
    re.IGNORECASE,
)

_ENGLISH = re.compile(
    r"(?<![^\W_])(?:the|of|and|is|are|no|with|to|there|was|for|or|by|at|from|has)(?![^\W_])", re.IGNORECASE
)


_GERMAN_FORMS = re.compile(
    r"(?<![^\W\d_])(?:[^\W\d_]*[äöüß][^\W\d_]*|[^\W\d_]{4,}(?:ungen|ung|heit|keit|schaft|ische[rnms]?|ige[rnms]?|liche[rnms]?|erguss"
    r"|lappen|lunge|atelektasen?|zeichen|aufnahme|befunde?|schwiele|frakturen|kontrolle)|bds|li|re|frei|wegen|ohne|ehesten|vereinbar|metastasen|infiltrate?n?|granulome|rundherde?|verkalkte[rnms]?|geringe[rnms]?|kleine[rnms]?|kein\w*|regelrecht\w*|unauffällig)"
    r"(?![^\W\d_])",
    re.IGNORECASE,
)
"""Words of a German text that says little in whole sentences."""


def is_german(text: str) -> bool:
    """Whether a text is German, whose nouns have capitals."""
    words = [m.group().lower() for m in _GERMAN.finditer(text, 0, 4_000)]
    english = len(_ENGLISH.findall(text, 0, 4_000))
    if len(set(words)) > _SURE and len(words) > english:
        return True
    forms = {m.group().lower() for m in _GERMAN_FORMS.finditer(text, 0, 4_000)} - {"li", "re"}
    n = len(words) + len(forms)
    if not english:
        return n > 1 or bool(words) or any(form.isascii() for form in forms)
    return n > _SURE and n > _TELLING * english


_SURE = 2
_TELLING = 2
"""How many English words each German one outweighs in telegraphic texts: names in English texts may have umlauts."""


def find_addresses(claims: Claims) -> None:
    """Claim streets, postcodes with their towns, and what stands behind a label of addresses."""
    text = claims.text
    for pattern in (_BOX, _UNNUMBERED, _STREET, _STREET_CAPS, _STRASSE, _STREET_AT, _TOWN, _STATE_ZIP, _POSTCODE):
        for m in pattern.finditer(text):
            if pattern in (_STREET, _STREET_CAPS) and _any_clinical(m["n"]):
                continue
            end = _right(text, m.end())
            if (
                pattern is _STREET
                and m["k"].startswith("Dr")
                and (
                    "." in m["n"]
                    or re.match(r"\.? [^\W\d_a-zß-ÿ][a-z]+(?! ?,)", text[m.end() - 1 : m.end() + 30].lstrip("r"))
                )
            ):
                continue
            if (
                pattern is _STRASSE
                and m["k"] in ("ring", "berg", "hof", "graben", "winkel", "stieg", "markt")
                and not re.search(r"\d{4,5}", text[m.end() : end])
                and not _is_street(text, m)
            ):
                continue
            if pattern is _STRASSE and what(m.group().split()[0].lower()) & Is.LABEL:
                claims.add(m.start() + len(m.group().split()[0]) + 1, end, "address")
                continue
            if pattern is _STATE_ZIP and m["v"]:
                claims.add(m.start("v"), m.end("v"), "address")
                continue
            start = m.start() if pattern is _TOWN else _left(text, m.start())
            if pattern is _STRASSE and end == m.end() and not _is_street(text, m):
                continue
            claims.add(start, end, "address")
    for m in _ZIP_TOWN.finditer(text):
        if not what(m["n"].lower()) & (Is.CLINICAL | Is.FUNCTION | Is.WORD):
            claims.add(m.start(), m.end(), "address")
    for m in _CITY_STATE.finditer(text):
        city, state = m.group().rsplit(",", 1)
        words = list(re.finditer(r"[^\W\d_]+", city))
        while (
            len(words) > 1
            and what(words[0].group().lower()) & (Is.FUNCTION | Is.CLINICAL | Is.ACT | Is.LABEL)
            and words[0].group().lower() not in _TOWNS
        ):
            words = words[1:]
        start = m.start() + words[0].start()
        if any(
            what(w.group().lower()) & (Is.CLINICAL | Is.FUNCTION) and w.group().lower() not in _TOWNS for w in words
        ):
            continue
        certain = len(state.split()) > 1 or state.strip() not in _ALSO_CREDENTIALS
        if certain or re.search(r"\b(?:in|from|at)\s$", text[max(0, start - 6) : start]):
            claims.add(_left(text, start), m.end(), "address")
    for m in _LABEL.finditer(text):
        start = m.start("v")
        if text[start].isupper() or (text[start].isdigit() and m.group()[: start - m.start()].rstrip()[-1:] in ":="):
            first = re.match(r"[\w'’#.-]+", text[start:])
            if first and (
                first.group()[0].isdigit()
                or (
                    not _any_clinical(first.group()) and not what(first.group().lower()) & (Is.ROLE | Is.ACT | Is.LABEL)
                )
            ):
                claims.add(start, _right(text, start + len(first.group().rstrip("."))), "address")


_PREPOSITION = re.compile(r"(?:(?:of|in|at|and|und|bei|from|near)[ ]+)*")
"""What stands before an address and is none of it."""
_FACILITIES = word_set(
    "Practice Surgery Hospital Clinic Center Centre Infirmary Imaging Radiology Hospice Klinik Klinikum Spital"
)
"""What stands before a street and belongs to the place, not to the address."""
_TOWNS = word_set(
    "new north south east west upper lower port lake san santa st saint los las el la fort ft mount great old grand"
    " de le mt"
)
_ALSO_CREDENTIALS = word_set("MD PA MA DC CT MS LA CA VA ME IN OR AP MT AL AS ID HI DE CO NC ND SC SD VI RI PR MI")
_WORD_LEFT = re.compile(
    r"(?:(?<=[\s,(])|^)(?:#?\d{1,5}(?:[-/]\d{1,4})?[A-Za-z]?|[A-ZÄÖÜÀ-Þ][\w'’.-]{0,40}|of|am|an der|der|de|la)(?:,?[ ]"
    r"|,?[ \t]*\n[ \t]*)$"
)
_WORD_RIGHT = re.compile(
    r"(?:,[ ]?|[ ]|,?[ \t]*\n[ \t]*|[ ]-[ ])(?P<w>(?=[A-Z0-9]{0,6}\d)[A-Z0-9]{2,7}(?!\w|\.\w|-\w)"
    r"|(?:#[ ]?)?\d{1,5}(?:-\d{4}|[-/]\d{1,4})?[A-Za-z]?(?!\w|[.,/:]\d)|[A-Z]{1,2}-\d{4,5}(?!\w)"
    r"|[A-ZÄÖÜÀ-Þ][\w'’-]{0,25}(?:\.(?=[ ][A-Z]?\w*,))?|(?:am|an der|im|ob der|vorm|bei|in der|upon|on|by|le|de|la"
    r"|of)(?=[ -][A-ZÄÖÜ]))"
)


def _left(text: str, start: int) -> int:
    """Where an address begins, without a preposition before it."""
    begin = _farthest_left(text, start)
    before = _PREPOSITION.match(text, begin, start)
    return before.end() if before else begin


def _farthest_left(text: str, start: int) -> int:
    """Where an address begins that has more before a street, a town or a code: "Flat 3, Rose House, 12 High Street"."""
    for _ in range(9):
        m = _WORD_LEFT.search(text, max(0, start - 48, text.rfind("\n\n", 0, start) + 2), start)
        if m is None or ("\n" in m.group() and not (re.search(r",[ \t]*\n", m.group()))):
            return start
        word = m.group().strip(" ,\n#")
        if word == "of" and text[start : start + 1].isdigit():
            return start  # "a retired shipwright of 7 Rope Walk"
        kind = what(word.lower().rstrip("."))
        if (
            kind & (Is.ACT | Is.LABEL | Is.ROLE | Is.FUNCTION | Is.CLINICAL)
            and word.lower() not in _TOWNS
            and word.lower()
            not in (
                "of",
                "am",
                "an",
                "der",
                "de",
                "la",
                "unit",
                "room",
                "floor",
                "suite",
                "station",
                "box",
                "house",
                "level",
                "apt",
                "flat",
                "studio",
            )
        ):
            numbered = re.search(
                r"(?<!\w)\d{1,5}[A-Za-z]? (?:[A-ZÄÖÜ][\w'’.-]{0,25} ){0,2}$", text[max(0, m.start() - 60) : m.start()]
            )
            if not numbered or "," not in m.group():
                return start
            return m.start() - len(numbered.group())
        if (word.endswith(".") and len(word) > 4) or word in ("At", "From", "In") or word in _FACILITIES:
            return start
        start = m.start()
    return start


def _right(text: str, end: int) -> int:
    """Where an address ends that goes on behind a street or a town."""
    for _ in range(12):
        m = _WORD_RIGHT.match(text, end)
        if m is None:
            return end
        word = m["w"]
        lower = word.lower().rstrip(".")
        kind = what(lower)
        if "-" in lower and any(what(part) & (Is.CLINICAL | Is.SERVICE) for part in lower.split("-")):
            return end
        if (re.match(r"[^\n:]{0,25}:", text[m.end() : m.end() + 27]) and "\n" in m.group()) or re.match(
            r" ?:", text[m.end() : m.end() + 2]
        ):
            return end
        if (
            word[0].isupper()
            and len(word) > 1
            and lower not in _TOWNS
            and lower not in ("unit", "suite", "floor", "room", "station", "apt", "box", "flat", "house", "building")
        ):
            if (
                kind & (Is.CLINICAL | Is.FUNCTION | Is.ROLE | Is.LABEL | Is.ACT)
                and not (kind & NAME and not kind & Is.FUNCTION)
                and not word.isupper()
            ):
                return end
            if kind & (Is.CLINICAL | Is.FUNCTION | Is.ACT | Is.ROLE | Is.LABEL) and word.isupper() and len(word) > 3:
                return end
        if "\n" in m.group() and not (
            word[0].isdigit()
            or "," in m.group()
            or re.match(
                r"[\w '’-]{0,40},? [A-Z]{2,3},? \d|[A-ZÄÖÜ][\w '-]{0,30},", text[m.start("w") : m.start("w") + 50]
            )
        ):
            return end
        end = m.end()
    return end


def _any_clinical(words: str) -> bool:
    kinds = (what(word.lower()) for word in re.findall(r"[^\W\d_]+", words) if word.lower() not in _TOWNS)
    return any(kind & (Is.CLINICAL | Is.FUNCTION) and not kind & NAME for kind in kinds)


def _is_street(text: str, m: re.Match[str]) -> bool:
    """Whether "...weg 5" without a town behind it is a street."""
    kind = m["k"].lower()
    if kind in ("straße", "strasse", "str.", "allee", "gasse", "chaussee", "promenade"):
        return True
    if re.search(
        r"(?:wohnhaft|adresse|anschrift|wohnt)\W+(?:in )?$", text[max(0, m.start() - 20) : m.start()], re.IGNORECASE
    ):
        return True
    return kind not in ("ring", "berg", "hof", "graben", "winkel") and not what(m.group().split()[0].lower()) & (
        Is.WORD | Is.CLINICAL
    )
