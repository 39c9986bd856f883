"""Street addresses, postcodes with their towns, names of hospitals, numbers of wards and rooms."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.words import NAME, Is, what

_UP = "A-ZÄÖÜÀ-ÖØ-Þ"
_W = rf"[{_UP}][\w'’.-]{{0,25}}"
_KINDS = (
    r"Street|Str\.?|St\.?|Avenue|Ave\.?|Road|Rd\.?|Lane|Ln\.?|Drive|Dr\.?|Boulevard|Blvd\.?|Court|Ct\.?|Place|Pl\.?|Way|Terrace|Ter\.?|Circle|Cir\.?"
    r"|Highway|Hwy\.?|Parkway|Pkwy\.?|Square|Sq\.?|Close|Crescent|Cres\.?|Grove|Gardens|Mews|Row|Hill|Walk|Rise|Quay|Alley|Trail|Trl\.?|Loop|Pike|Path"
    r"|Plaza|Run|Ridge|View|Park|Heights|Station|Green|Turnpike|Expressway|Crossing|Point|Creek|Valley|Meadows?|Estates?|Island|Mount|Mountain|Canyon"
    r"|Falls|Forges?|Fords?|Fields?|Glens?|Harbors?|Haven|Islands?|Junctions?|Keys?|Knolls?|Lakes?|Landing|Lodge|Manors?|Mills?|Mission|Motorway|Orchard"
    r"|Oval|Overpass|Passage|Pines?|Plains?|Prairie|Ranch|Rapids?|Rests?|River|Roads|Route|Shoals?|Shores?|Springs?|Spurs?|Squares|Stravenue|Stream"
    r"|Streets|Summit|Throughway|Trace|Track|Trafficway|Tunnel|Underpass|Unions?|Via|Viaduct|Ville|Villages?|Vista|Wells?|Centers?|Common|Corners?|Course"
    r"|Cove|Divide|Extensions?|Ferry|Flats?|Forest|Fork|Freeway|Gateway|Bayou|Beach|Bend|Bluffs?|Bottom|Branch|Bridge|Brooks?|Burgs?|Bypass|Camp|Cape"
    r"|Causeway|Cliffs?|Club|Hollow|Inlet|Isle|Neck|Parkways|Radial|Ports?|Shoal|Skyway|Hills|Groves|Greens|Lights?|Loaf|Locks?|Mall"
)
_US_STATE = (
    r"A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]|AA|AE|AP|GU|VI|AS|MP|FM|MH|PW"
)
_CITY = rf"[{_UP}][\w'’.-]{{1,25}}(?:[ -][{_UP}][\w'’.-]{{0,25}}){{0,3}}"
_ZIP_US = r"\d{5}(?:-\d{4})?"
_ZIP_UK = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
_ZIP_CA = r"[A-Z]\d[A-Z][ -]?\d[A-Z]\d"
_REST = (
    rf"(?:,?\s{{1,3}}(?:Apt\.?|Apartment|Suite|Ste\.?|Unit|Flat|Floor|Fl\.?|Bldg\.?|Building|Room|Rm\.?|#)\s?#?\s?[\w-]{{1,6}})?"
    rf"(?:,?[ \t]*\n?[ \t]*{_CITY})?(?:,?[ \t]*\n?[ \t]*(?:(?:{_US_STATE})|[{_UP}][a-z]+(?: [{_UP}][a-z]+)?)?,?[ \t]*\n?[ \t]*(?:{_ZIP_US}|{_ZIP_UK}|{_ZIP_CA}|\d{{4}})(?!\w))?"
)
_STREET = re.compile(
    rf"(?<![\w./:-])\d{{1,5}}(?:-\d{{1,5}})?[A-Za-z]?,?[ ](?:(?:[NSEW]|[NS][EW]|North|South|East|West)\.?[ ])?(?P<n>(?:{_W}|\d{{1,3}}(?:st|nd|rd|th))(?:[ ]{_W}){{0,3}}?)"
    rf"[ ](?P<k>{_KINDS})(?![\w])"
)
_STREET_CAPS = re.compile(
    r"(?<![\w./:-])\d{1,5}[A-Z]? (?P<n>[A-Z0-9'.-]{2,20}(?: [A-Z0-9'.-]{1,20}){0,3}?) (?P<k>STREET|AVENUE|AVE|ROAD|RD|LANE|LN|DRIVE|BOULEVARD|BLVD|COURT|TERRACE|CIRCLE|HIGHWAY|HWY|PARKWAY|PKWY|SQUARE|CRESCENT|WAY)(?!\w)"
)
_AFTER = re.compile(_REST)
_STRASSE = re.compile(
    rf"(?<![\w])(?:(?:An?|Am|Auf|Im|In|Zum|Zur|Unter|Hinter|Vor)[ ](?:(?:de[rmn]|das)[ ])?)?(?:[{_UP}][\w.-]{{1,25}}[ -]){{0,2}}"
    rf"[{_UP}]?[a-zäöüß-]{{0,25}}(?P<k>straße|strasse|str\.|Straße|Strasse|Str\.|weg|Weg|allee|Allee|platz|Platz|gasse|Gasse|ring|Ring|damm|Damm|ufer|Ufer|steig|Steig|graben|chaussee|Chaussee|markt|Markt|hof|winkel|stieg|berg|pfad|promenade)[ ]\d{{1,4}}[ ]?[a-z]?(?:[-/]\d{{1,4}})?(?![\w.,]*\w)"
)
_STADT = re.compile(rf"(?:,?[ \t]*\n?[ \t]*(?:(?:D|A|CH|DE|AT)-)?\d{{4,5}}[ ]{_CITY}(?:[ ](?:am|an der|im|in der|ob der|bei)[ ]{_CITY})?)")
_STREET_AT = re.compile(rf"(?:An der|Am|Auf der|Auf dem|Im|In der|In den|Zum|Zur|Unter den|Unter der|Hinter der|An den|Vor dem)[ ]{_W}(?:[ ]{_W})?[ ]\d{{1,4}}[a-z]?(?=,?\s+\d{{4,5}}\s)")
_CITY_STATE = re.compile(rf"(?<![\w-]){_CITY},[ ](?:{_US_STATE})(?:[ ]{_ZIP_US})?(?![\w-])")
_STATE_ZIP = re.compile(rf"(?<![\w-])(?:(?:{_US_STATE})[ ]+{_ZIP_US}|(?:ZIP|Zip|zip|postal|Postal|PLZ|postcode|Postcode)(?:[ ](?:code|Code))?[ :]+[A-Z0-9][A-Z0-9 -]{{2,8}}[A-Z0-9])(?![\w-])")
_POSTCODE = re.compile(rf"(?<![\w-])(?:{_ZIP_UK.replace(' ?', ' ')}|{_ZIP_CA.replace('[ -]?', ' ')})(?![\w-])")
_BOX = re.compile(r"(?<!\w)(?:P\.? ?O\.? Box|Postfach)[ :#]*[\d ]{1,10}\d", re.IGNORECASE)
_LABEL = re.compile(
    r"(?<![^\W_])(?:(?:home|mailing|street|patient|postal|residential|email)?[ ]?address(?:es)?(?: is| of)?|adresse|anschrift|wohnhaft(?: in)?|wohnort|resides(?: at| in)|residing(?: at| in)|lives(?: at| in)"
    r"|living(?: at| in)|resident of|hometown|city|stadt|town|residence|domicile|born in|geboren in|(?:is|comes|originally|native) from)[ ]?[:=]?[ ]{0,3}(?P<v>[^\n.;(\ufffc]{3,80})",
    re.IGNORECASE,
)
_HOSPITAL = (
    r"Hospitals?|Medical Cent(?:er|re)|Health Cent(?:er|re)|Cancer Cent(?:er|re)|Clinics?|Infirmary|Health ?[Cc]are(?: System| Center| Trust)?|Health System|Health|Health Network|Imaging(?: Cent(?:er|re)| Associates)?|Radiology(?: Associates| Group| Partners| Consultants)?"
    r"|Nursing Home|Care Home|Care Cent(?:er|re)|Surgery Center|Surgical Center|Medical Group|Hospice|Institute|NHS(?: Foundation)?(?: Trust)?|Foundation Trust|Rehabilitation(?: Center| Hospital)?|Urgent Care|Family Practice|Medical Associates|Physicians|Children's|Sanatorium|University"
    r"|Klinikum|Krankenhaus|Klinik|Kliniken|Universitätsklinik(?:um)?|Spital|Kantonsspital|Landeskrankenhaus|Kreiskrankenhaus|Hospiz|Seniorenheim|Pflegeheim|Altenheim|Praxis|MVZ"
)
_NAMED_HOSPITAL = re.compile(
    rf"(?<![\w'’-])(?P<n>(?:(?:St|Mt)\.? )?[{_UP}][\w'’-]{{1,25}}\.?(?:(?:[ ]|-)(?:of|the|and|&|de|la|[{_UP}][\w'’-]{{0,25}})){{0,5}}?)[ -](?P<k>{_HOSPITAL})(?![\w-])(?:[ ]of[ ]{_CITY}|,[ ]{_CITY}(?=[,.\n]))?"
)
_HOSPITAL_OF = re.compile(
    rf"(?<![\w])(?:(?:University|Hospital|College|Clinic|Institute)(?:[ ](?:Hospital|Medical Center|Clinics?|Health))?[ ](?:of|at)[ ](?:the[ ])?|(?:Klinikum|Universitätsklinik(?:um)?|Krankenhaus|Uniklinik|Kreisklinik|Stadtklinik|Klinik|Kliniken|Spital|Kantonsspital|Charité|Praxis|MVZ|Landeskrankenhaus|Kreiskrankenhaus|Seniorenheim|Pflegeheim|Seniorenresidenz|Altenheim|Hospiz)[ ](?:(?:am|an der|im|in|für|der|des|zum|zur|St\.?|Sankt)[ ])?)(?P<n>{_CITY})"
)
_SAINT = re.compile(rf"(?<![\w])(?:St\.?|Saint|Sankt|Mt\.?|Mount)[ ][{_UP}][\w-]{{2,20}}(?:['’]s)?(?![\w])")
_ROOM = re.compile(
    r"(?<![^\W_])(?P<l>ward|room|rm|zimmer|zi|bett|bed(?= ?(?:no\.?|number|#|[A-Z]?\d{1,4}[A-Z]?(?=\s*(?:[.,;)\n]|$|on |in |at |ward|icu))))|bay|cubicle|suite|pod|floor|unit|tower|wing|bldg|building|gebäude|haus|locker|box|icu bed|station|stat)"
    r"(?P<s>\.?[ ]?(?:no\.?|number|nr\.?|#|:)?[ :#]{0,3})(?P<v>(?=[A-Z-]{0,4}\d)[A-Z]{0,3}[-]?\d{1,5}(?:[-/.]?[A-Z0-9]{1,4})?(?:[ ](?:North|South|East|West|[NSEW])(?!\w))?)(?![\w]|[.,]\d)"
    r"(?!\s?(?:mm|cm|ml|hu|nodes?|lymph|%|x|units?|hours?|days?|kg|mg|of)\b)",
    re.IGNORECASE,
)
_WARD_NAME = re.compile(rf"(?<![^\W_])(?:[Ww]ard|Station)[ ](?P<v>[{_UP}][a-zäöüß]{{2,20}})(?!\w)")
_FLOOR = re.compile(r"(?<![\w./])(?P<v>\d{1,2} ?(?:North|South|East|West|[NSEW][EW]?\b(?=[,.;)\n]|$)))(?![\w])(?= (?:unit|ward|floor|tower|bed|room|nurse|nursing|rn)\b|[,.;)]|\s*$)")
_GERMAN = re.compile(
    r"(?<![^\W_])(?:der|die|das|und|kein|keine|keinen|keiner|mit|ohne|vom|ist|im|zum|zur|beurteilung|befund|nachweis|bei|nicht|des|wurde|bds|beidseits|rechts|links|untersuchung|oberarzt|klinische|herrn|frau|geehrte|radiologie|für|auf)(?![^\W_])",
    re.IGNORECASE,
)


def is_german(text: str) -> bool:
    """Whether a text is German, whose nouns have capitals."""
    seen: set[str] = set()
    for m in _GERMAN.finditer(text, 0, 4_000):
        seen.add(m.group().lower())
        if len(seen) > 2:
            return True
    return False


def find_places(claims: Claims) -> None:
    """Claim addresses, hospitals, rooms."""
    text = claims.text
    _addresses(claims, text)
    claims.settle()
    text = claims.text
    for m in _NAMED_HOSPITAL.finditer(text):
        _hospital(claims, text, m)
    for m in _HOSPITAL_OF.finditer(text):
        if _is_own(m["n"]):
            claims.add(m.start(), m.end(), "place")
    if "St" in text or "Sa" in text or "M" in text:
        for m in _SAINT.finditer(text):
            if m.group().endswith(("s", "S")) and not re.match(r"\s(?:St|Ave|Rd)", text[m.end() :][:5]) and ("'" in m.group() or "’" in m.group()):
                claims.add(m.start(), m.end(), "place")
    german = is_german(text)
    for m in _ROOM.finditer(text):
        label = m["l"].lower()
        if label in ("station", "stat", "box", "haus", "zi") and not (german or label == "box"):
            continue
        if label in ("unit", "floor", "tower", "wing", "suite", "pod", "bay", "building") and not any(map(str.isdigit, m["v"])):
            continue
        if label == "bed" and re.search(r"\b(?:tumou?r|surgical|operative|resection|nail|vascular|capillary|lung|fossa|gallbladder)\s$", text[max(0, m.start() - 14) : m.start()], re.IGNORECASE):
            continue
        claims.add(m.start("v"), m.end("v"), "place", "[number]")
    for m in _WARD_NAME.finditer(text):
        if not what(m["v"].lower()) & (Is.FUNCTION | Is.CLINICAL) and (m.group()[0] in "wW" or not what(m["v"].lower())):
            claims.add(m.start("v"), m.end("v"), "place")
    for m in _FLOOR.finditer(text):
        claims.add(m.start(), m.end(), "place", "[number]")
    claims.settle()


def _addresses(claims: Claims, text: str) -> None:
    for m in _BOX.finditer(text):
        claims.add(m.start(), _AFTER.match(text, m.end()).end(), "address")  # type: ignore[union-attr]
    for pattern in (_STREET, _STREET_CAPS):
        for m in pattern.finditer(text):
            words = re.findall(r"[^\W\d_]+", m["n"])
            kinds = [what(word.lower()) for word in words]
            if any(k & (Is.CLINICAL | Is.FUNCTION) and not k & NAME for k in kinds) or m["k"] in ("View", "Station", "Point", "Course", "Track", "Bypass", "Trace") and not claims:
                continue
            rest = _AFTER.match(text, m.end())
            claims.add(m.start(), rest.end() if rest and _is_town(text[m.end() : rest.end()]) else m.end(), "address")
    for pattern in (_STRASSE, _STREET_AT):
        for m in pattern.finditer(text):
            town = _STADT.match(text, m.end())
            kind = m.groupdict().get("k", "")
            if kind in ("ring", "hof", "berg", "markt", "weg", "winkel", "graben", "platz", "steig", "damm", "pfad", "stieg") and not town and not re.search(r"(?:wohnhaft|adresse|anschrift|wohnt)\W+$", text[max(0, m.start() - 20) : m.start()], re.IGNORECASE):
                first = m.group().split()[0].lower()
                if what(first) & (Is.WORD | Is.CLINICAL) or kind in ("ring", "berg", "hof", "graben"):
                    continue
            claims.add(m.start(), town.end() if town else m.end(), "address")
    for m in _CITY_STATE.finditer(text):
        words = re.findall(r"[^\W\d_]+", m.group().rsplit(",", 1)[0])
        start = m.start()
        while len(words) > 1 and what(words[0].lower()) & (Is.FUNCTION | Is.CLINICAL | Is.ACT | Is.LABEL):
            start = text.index(words[1], start + len(words[0]))
            words = words[1:]
        state = m.group().rsplit(",", 1)[1].split()
        ambiguous = len(state) == 1 and state[0] in ("MD", "PA", "MA", "DC", "CT", "MS", "LA", "CA", "VA", "ME", "IN", "OR", "AP", "MT", "AL", "AS", "ID", "HI", "DE", "CO", "NC", "ND", "SC", "SD", "VI", "RI", "PR", "MI")
        if not ambiguous and not any(what(w.lower()) & (Is.CLINICAL | Is.FUNCTION) for w in words):
            claims.add(start, m.end(), "address")
        elif ambiguous and len(state) == 1 and re.search(r"\b(?:in|from|at|to)\s$", text[max(0, start - 6) : start]) and state[0] not in ("MD", "DC") and not any(what(w.lower()) & (Is.CLINICAL | Is.FUNCTION) for w in words):
            claims.add(start, m.end(), "address")
    for pattern in (_STATE_ZIP, _POSTCODE):
        for m in pattern.finditer(text):
            claims.add(m.start(), m.end(), "address")
    for m in _LABEL.finditer(text):
        value = m["v"]
        words = re.findall(r"[^\W\d_]+", value)
        if words and words[0][0].isupper() or any(map(str.isdigit, value)) and ":" in m.group()[: m.start("v") - m.start()]:
            town = re.match(rf"(?:\d+[a-zA-Z]?,? )?(?:{_CITY})(?:,? ?(?:{_CITY}|\d[\w-]*))*", value)
            if town and not any(what(w.lower()) & (Is.CLINICAL | Is.FUNCTION) and not what(w.lower()) & NAME for w in re.findall(r"[^\W\d_]+", town.group())[:2]):
                claims.add(m.start("v"), m.start("v") + len(town.group().rstrip(" ,")), "address")


def _is_town(rest: str) -> bool:
    """Whether what stands behind a street goes on with the address."""
    words = re.findall(r"[^\W\d_]+", rest)
    return bool(rest.strip()) and not any(what(w.lower()) & (Is.CLINICAL | Is.FUNCTION | Is.ROLE | Is.LABEL) and not what(w.lower()) & NAME for w in words)


def _hospital(claims: Claims, text: str, m: re.Match[str]) -> None:
    start = m.start()
    while True:
        word = re.match(r"[\w'’-]+\.?", text[start : m.start("k")])
        if word is None:
            return
        kind = what(word.group().lower().rstrip("."))
        first = word.group().rstrip(".").lower()
        if first in ("st", "saint", "mount", "mt", "sankt", "mercy", "holy", "good", "sacred", "our", "providence") and m["k"] not in ("Health", "University"):
            break
        if not kind & (Is.FUNCTION | Is.ACT | Is.TITLE | Is.LABEL | Is.ROLE) and not (kind & Is.CLINICAL and not kind & NAME):
            break
        start += word.end()
        gap = re.match(r"[ -]+", text[start:m.start("k")])
        if gap is None:
            return
        start += gap.end()
    if _is_own(text[start : m.start("k")], m["k"]):
        claims.add(start, m.end(), "place")


def _is_own(name: str, of: str = "Hospital") -> bool:
    """Whether a name of a hospital has a word that tells it from others."""
    weak = of in ("Health", "Imaging", "Physicians", "Institute", "University", "Radiology", "Rehabilitation", "Praxis", "Clinics", "Clinic", "Klinik")
    for word in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", name):
        kind = what(word.lower())
        if word[0].isupper() and not kind & (Is.CLINICAL | Is.FUNCTION | Is.LABEL | Is.ROLE | Is.SIGN | Is.ACT) and (kind & NAME or not kind & Is.WORD or not weak):
            return True
    return False
