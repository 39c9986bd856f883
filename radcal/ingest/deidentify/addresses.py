"""Addresses by their structure: behind a label to the end of the line, or a street and a postcode in a list."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.words import NAME, Is, what, word_set

_LABELLED = re.compile(
    r"(?<![^\W_])(?:(?:(?:home|mailing|street|patient|postal|residential|current|permanent|contact|work)(?:'s)?[ ])*"
    r"(?:address|addr\.?|residence|domicile)(?P<c>[ ]?(?:[:=]|is\b|-(?=[ ])))?"
    r"|(?:adresse|anschrift|wohnanschrift|privatadresse)(?P<d>[ ]?:)?"
    r"|(?P<v>wohnhaft|wohnt|wohnend|lives|living|resides|residing|domiciled|moved|(?-i:resident)(?=[ ](?:at|in)[ ])"
    r"|staying|addressed|posted|sent)(?:[ ](?:at|in|to)(?![^\W_]))?)"
    r"[ ]?:?[ \t]{0,4}(?:\n[ \t]{0,4})?(?=[^\W_])(?P<t>[^\n;\ufffc]{3,160})",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"(?<=\d[A-Z]{2})(?= [a-z])|(?<=[^\W_]{4})(?<![Ss]tr)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|(?<=\d[A-Z]{2})\.(?=\s|$)"
    r"|\s{3,}|\t"
    r"| [-–] (?![\w ]{0,20}\d)"
    r"|, (?:die|der|das|welcher?|which|zur|zum|wegen|kommt|kam|stellt|for|presents|attended)[ ]"
    r"|,? (?:with|who|and|since|where|alone|but|has|is|was|mit|und|seit|bei|last"
    r"|tel|phone|ph|mobile|dob|mrn|nhs|email)"
    r"\b|\("
    r"|,? (?i:tel|phone|ph|mob|mobile|fax|dob|mrn|email|geb)[.:]",
)
_LEAD = re.compile(
    r"(?:(?:home|mailing|street|patient|postal|residential|work|case|contact)[ ])?(?:address|adresse|anschrift)[ :]+"
    r"|(?:lives|living|resides|residing)[ ]at[ ]",
    re.IGNORECASE,
)
_NEXT_LINE = re.compile(r"[ \t]*\n[ \t]*(?=[^\n]{0,40}\d{4}|[A-Z]{1,2}\d)(?P<t>[^\n;:.\ufffc]{4,60})(?=\n|$|\.)")
_UNIT = (
    r"(?:H\.? ?No\.?|House(?: No\.?)?|D\.? ?No\.?|Door(?: No\.?)?|Plot(?: No\.?)?|Flat(?: No\.?)?|Apt\.?"
    r"|Apartment|Unit"
    r"|Studio|Suite|Level|Floor|Shop|Villa|Lot|Block|Tower|Room|Rm|Box|Top|Stiege|Haus|#|No\.?)"
)
_ROAD = (
    r"(?:rue|Rue|avenue|av\.|Av\.|boulevard|bd|place|allée|impasse|chemin|quai|route|cours|Calle|calle|C/|Carrer"
    r"|carrer"
    r"|Avenida|avenida|Avda\.?|Plaza|Paseo|Camino|Carretera|Via|Viale|viale|Piazza|piazza|Corso|Largo|Vicolo|Rua"
    r"|rua|Travessa|Praça|ul\.|Ul\.|ulica|al\.|os\.|pl\.|Strada|Str\.|Bulevardul|Ulice|náměstí|nám\.|Am|An der"
    r"|Am|Auf dem|Auf der|Im|Zum|Zur|In der|Unter den|Hinter der|Vor dem|Jalan|Jl\.|Jln)"
)
_STREETS = re.compile(
    r"(?<![^\W_])(?:Marg|Nagar|Colony|Layout|Enclave|Vihar|Chowk|Cross|Main|Sector|Phase|Bagh|Gali|Salai|Peth"
    r"|Puram|Road"
    r"|Rd|Street|St|Avenue|Ave|Lane|Ln|Drive|Dr|Way|Plaza|Place|Pl|Court|Ct|Crescent|Cres|Close|Square|Sq|Terrace|Tce"
    r"|Parade|Pde|Highway|Hwy|Boulevard|Blvd|Parkway|Grove|Gardens|Mews|Row|Hill|Walk|Rise|Quay|Circle|Trail"
    r"|Esplanade"
    r"|House|Court|Estate|Park|Mall|Circuit|Cct|Loop|Chase|Villas|Apartments|Towers|Heights|Sokak|Sk|Cadde|Cad"
    r"|Caddesi"
    r"|Mahallesi|Mah|utca|út|tér)(?![^\W_])"
    r"|(?<![^\W_])(?:Gürtel|Zeile|Platz|Weg|Allee|Ring|Gasse|Straße|Strasse|Ufer|Damm|Steig|Promenade)(?![^\W_])"
    rf"|(?<![^\W_]){_ROAD}[ ]|[a-zäöüß](?:stra(?:ß|ss)e|str\.|gasse|weg|allee|platz|ring|damm|ufer|steig|graben"
    rf"|gürtel|zeile"
    rf"|gade|vej"
    r"|gatan|vägen|veien|gata|straat|laan|plein|gracht|kade|dreef|katu|tie|puram|nagar|pur|abad)(?![^\W_])"
)
_STREETS_CAPS = re.compile(
    r"(?<![^\W_])(?:STREET|ROAD|RD|AVENUE|AVE|LANE|DRIVE|BOULEVARD|BLVD|PARKWAY|PKWY|CRESCENT|TERRACE|SQUARE"
    r"|HIGHWAY|HWY"
    r"|NAGAR|MARG|COLONY|RUE|CALLE|VIA|ST(?=,|[ ][NSEW],))(?![^\W_])|STRASSE(?![^\W_])"
)
_A_UNIT = re.compile(_UNIT)
_OF_STREETS = word_set("north south east west upper lower central general medical old new high no pin zip")
_LONE = re.compile(r"[^\W\d_]{2,}")
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
    r"|ring|damm|gürtel|zeile|rain|steg"
    r"|ufer|straat|laan|gatan|vägen|gade|vej|katu)[ ]\d{1,4})"
    rf"(?:,?[ ]?{_PART})?(?:,[ ]?\n?{_PART}){{0,5}}"
)
_CODE = re.compile(
    r"(?:[A-Z]{1,2}-)?\d{4,6} [^\W\d_]|[^\W\d_][ -–]{1,3}\d{4,6}(?!\d|\w)|(?<![\d-])\d{2}-\d{3}(?![\d-])"
    r"|(?<=[^\W\d_] )\d{3} \d{3}(?!\d)"
    r"|(?<!\w)[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\w)|(?<!\w)[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)"
    r"|(?<!\w)[A-Z]{2,3} \d{4,5}(?:-\d{4})?(?!\w)|(?:^|, ?|\n)\d{4,6}(?!\d)"
)


def find_structured(claims: Claims) -> None:
    """Claim what stands behind labels of addresses, and lists of parts with a street and a postcode."""
    text = claims.text
    for m in _LABELLED.finditer(text):
        start, value = m.start("t"), m["t"]
        stop = _STOP.search(value)
        end = start + len(value[: stop.start()] if stop else value)
        written = text[start:end].rstrip(" ,.-")
        colon = bool(m["c"] or m["d"]) or text[m.start() : start].rstrip()[-1:] in ":="
        if not _fits(written, colon, m["v"]):
            continue
        end = start + len(written)
        if (not stop or text[end : end + 1] == ",") and (
            more := _NEXT_LINE.match(text, end + (text[end : end + 1] == ","))
        ):
            end = more.end()
        _claim(claims, start, end)
    claims.settle()
    text = claims.text
    for m in _LIST.finditer(text):
        written = m.group()
        street = (_STREETS_CAPS if written.isupper() else _STREETS).search(written)
        if street is None:
            continue
        codes = list(_CODE.finditer(written, max(len(written.split(maxsplit=1)[0]), street.end() - 12)))
        code = next((c for c in reversed(codes) if c.end() - codes[0].end() < 40), None)
        if code is None or ("," not in written and len(written) > 70):
            continue
        end = code.end()
        if town := re.match(r"[\w'’-]*(?:[ ](?=[^\W\d_a-zß-ÿ])[\w'’-]+){0,2}", written[end:]):
            end += town.end()
        if _DATE.search(written, 0, end) or any(_of_reports(w.group()) for w in _LONE.finditer(written, 0, end)):
            continue
        lead = _LEAD.match(written)
        claims.add(m.start() + (lead.end() if lead else 0), m.start() + end, "address")
    claims.settle()


def _fits(written: str, colon: bool, verb: str | None) -> bool:
    """Whether the value of a label is an address: it begins with a figure or a capital, and has a figure if it must."""
    if len(written) < 3 or not (
        written[0].isdigit() or written[0].isupper() or written[:3].lower() in ("ul.", "c/ ", "rue", "via")
    ):
        return False
    figures = any(map(str.isdigit, written))
    first = re.match(r"[^\W\d_]+", written)
    if first and _clinical(first.group()) and not figures:
        return False
    if verb:
        return (
            (
                figures
                and (
                    _STREETS.search(written)
                    or _CODE.search(written)
                    or verb.lower() not in ("moved", "posted", "sent", "addressed", "staying")
                )
            )
            is not False
            and figures
            and bool("," in written or _STREETS.search(written))
        )
    return colon or figures


def _claim(claims: Claims, start: int, end: int) -> None:
    """Claim a span, or the parts of it that nobody has."""
    if claims.add(start, end, "address"):
        return
    for m in re.finditer(r"[^\s,]+", claims.text[start:end]):
        claims.add(start + m.start(), start + m.end(), "address")


def _of_reports(word: str) -> bool:
    """Whether a word of a list is one of reports, not of an address."""
    kind = what(word.lower())
    return bool(kind & (Is.CLINICAL | Is.ACT)) and not (
        kind & (NAME | Is.PARTICLE) or _STREETS.search(word) or _A_UNIT.match(word) or word.lower() in _OF_STREETS
    )


def _clinical(word: str) -> bool:
    kind = what(word.lower().strip(".,'"))
    return bool(kind & (Is.CLINICAL | Is.FUNCTION | Is.ACT)) and not kind & NAME and word[:1].islower()
