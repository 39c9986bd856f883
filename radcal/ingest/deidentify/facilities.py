"""Names of hospitals, practices and services: a head-word among words that tell one from another.

    form                         example
    telling words, head          Cedar Hollow Imaging; Lake Ennis Medical Pavilion; Marsh Gate X-ray
    saint                        St Elwyn's; ST ELWYN'S
    head, telling words          Seniorenstift Lindenauer Höhe; VAMC Grand Junction; Spital Uri-Reusstal
    both in one word             Ostwestfalen-Klinik
    the value of a label         Site: Lillooet
    telling words, a meeting     the Wyre Estuary lung MDM

Which words are heads, tell nothing or name landscapes says ``resources/deidentify/words.tsv``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.spans import Claims
from radcal.ingest.deidentify.words import NAME, Is, is_medical, is_noun, table, what, word_set

_JOIN = re.compile(r" (?:& )?|-|[.] (?=\S)")
_HEAD = re.compile(
    r".{3,}(?:krankenhaus|klinik|klinikum|kliniken|spital|zentrum|stift|heim|anstalt|amt|hospiz|ambulatorium"
    r"|ambulanz|abteilung"
    r"|sanatorium|residenz)"
)
"""Longer German heads."""
_PERSONAL = re.compile(r".*praxis")
"""What is named after its doctors, whose names others take, and stays."""
_WEAK = word_set(
    "imaging radiology radiologists x-ray xray x-rays scanning mri unit ward wing station department office practice"
    " partners associates surgery centre center centres centers lodge grange manor court house hub network trust"
    " school college academy foundation memorial physicians practitioners institut ambulanz reha residenz institute"
)
"""Heads that stand in headings, too."""
_DEPARTMENT = word_set("imaging radiology radiologists x-ray xray department office ward station institut")
_GOES_ON = word_set("partners partnership associates group trust foundation network services system")
_PLAIN = word_set(
    "upper lower left right north south east west northern southern eastern western new old great high long little"
    " grand sun star white black clear field fields port spring springs view cross green blue red grey gray mitte"
)
"""Landscapes that are words of reports, too."""
_LOWER = word_set(
    "hub network centre center clinic hospital infirmary surgery practice hospice trust laboratory campus"
)
"""Heads that stand in lower case, too."""
_COUNT = word_set("one two three four five six seven eight nine ten twelve the")
_BEFORE = word_set("st saint sankt st. mount mt fort port")
_INSIDE = word_set("of the and de la le les du des del di da am an der im in für zum zur bei beim ob vor")
_FIRST = word_set(
    "vamc mediclinic hmp va mater hospital ysbyty ospedale hôpital clinique lkh bkh ukh mvz ukh kh campus"
)
_MEETING = re.compile(
    r"(?:(?: [a-z-]+){0,2}) (?:MDM|MDT|(?:morning |board )?meeting|round|tumou?r board|conference)(?!\w)"
)
_SAINT = re.compile(r"(?<![\w.])(?:ST|St|Saint|SAINT|Sankt)\.? (?P<n>[^\W\d_a-zß-ÿ][\w]{2,20})(?P<s>['’][sS])?(?![\w])")
_PLACED = re.compile(r"(?<![^\W_])(?:at|from|to|in|via|the|of|aus|vom|von|im|am|zum|ins?|nach) $", re.IGNORECASE)
_SHORT = word_set("royal general district regional provincial memorial county infirmary maternity")
"""Behind a telling word, these are hospitals: "Umtata Provincial"."""
_PLACED_RUN = re.compile(
    r"(?<=[^\W\d_] )(?:at|in|from|to|via) (?:the )?(?P<n>[^\W\d_a-z][\w'’-]{2,}"
    r"(?: [^\W\d_a-z][\w'’-]{2,}){1,3})(?=[.,;:)\n]| [a-z(])"
)
_LABEL = re.compile(
    r"(?<![^\W_])(?i:(?:imaging |referring |performing |exam |scan )?(?:site|facility|location|campus|institution"
    r"|hospital|standort|einrichtung|einsender))[ ]?[:=][ ]{0,3}(?P<v>[^\n|;:,()\d\ufffc]{3,60})"
)
_ORGANISED = re.compile(
    r"(?<![^\W_])(?P<n>(?:(?:[^\W\d_a-z][\w'’-]+|of|and|&|the) ){1,5})(?P<h>(?:[^\W\d_a-z]\w*ology|Radiology"
    r"|Imaging|Surgical"
    r"|Medical|Physician|Urology|Orthop[a]?edic|Pulmonary|Chest|Heart|Family|Cancer|Lung|Women's|Children's"
    r"|Internal Medicine"
    r"|Primary Care|Health|Eye|Kidney|Vascular|Breast|Veterans)(?: (?:and|&) [^\W\d_a-z]\w+)?"
    r" (?:Associates|Partners|Physicians|Specialists|Consultants|Group|Practice|Center|Centre|Institute|Clinic"
    r"|Services)"
    r"|Urgent Care(?: Center| Centre| Clinic)?|Walk-?[Ii]n(?: Clinic)?|Family (?:Medicine|Practice)|Medical Group"
    r"|(?:Community |Family )?Health(?:care)? (?:Center|Centre|Clinic|System|Network|Partners)|Associates)(?![^\W_])"
)
"""A practice or a centre that says what it does: "Granite Cove Cardiology Associates", "Tall Elm Urgent Care"."""
_SPECIALTY = re.compile(
    r"(?<=[^\W\d_] )(?:at|from|by|to|via|with) (?P<n>(?:[^\W\d_a-z][\w'’-]+ ){1,3})(?P<h>Orthopa?edics|Pa?ediatrics"
    r"|Dermatology|Rheumatology|Oncology|Pulmonology|Cardiology|Neurology|Urology|OB/GYN|Obstetrics|Podiatry|Pulmonary"
    r"|Rehab(?:ilitation)?|Hospice|Dialysis|Diagnostics)(?![^\W_]| (?:[^\W\d_a-z]))"
)
"""A practice named after its specialty: "Walnut Hollow Pediatrics"."""
_TELLS_NONE = word_set(
    "rapid local outside our new comprehensive outpatient inpatient main regional national international"
    " multidisciplinary specialist interstitial acute chronic adult rare high low early the of and & advanced general"
    " occupational academic university tertiary primary own same this that her his their referring nearest"
    " interventional diagnostic"
)
_GERMAN_NAMED = re.compile(
    r"(?<![^\W_])(?P<a>[^\W\d_a-zß-ÿ][^\W\d_]+(?:isch|lich|al"
    r"|är)e[nrsm]? )?(?P<h>(?:[^\W\d_a-zß-ÿ][^\W\d_]*)?(?:[Kk]rankenhaus(?:es)?"
    r"|[Kk]linikums?|[Ss]pitals?|[Zz]entrums?|[Pp]raxis(?:klinik|gemeinschaft)?|[Kk]linik|[Aa]mbulatoriums?"
    r"|[Ii]nstituts?)|MVZ|BAG|Permanence|Permanenz)"
    r" (?P<p>(?:am|an der|an den|im|in der|zum|zur|bei der|auf der|auf dem|Am|An der|Im|Zum|Zur) )?"
    r"(?P<n>[^\W\d_a-zß-ÿ][^\W\d_]{2,}(?:-[^\W\d_]{2,})*)(?!\w|\.[ ]?[a-zäöü])"
)
"""Where a German practice or hospital is: "Gemeinschaftspraxis am Rosenbrunnen", "Städtischen Spitals Gurtwil"."""
_OF_DOCTORS = re.compile(
    r"(?<![^\W_])(?:(?:[^\W\d_a-zß-ÿ][^\W\d_]*)?[Pp]raxis (?:Dr(?:es)?\.|Drs\.|Prof\.)"
    r"|[^\W\d_a-zß-ÿ][^\W\d_]{4,} (?:Dres\.|Drs\.))"
    r"(?: (?:med|Dr)\.)* [^\W\d_a-zß-ÿ][\w-]+(?:(?:,|/| ?&| und| u\.| \+)? (?:Partner|Kollegen"
    r"|[^\W\d_a-zß-ÿ][\w-]+(?= (?:&|und|u\.)))"
    r"|(?: ?[&/+] ?| und | u\. )(?:Dr\. )?[^\W\d_a-zß-ÿ][\w-]+)*"
)
"""A practice that has its doctors' names: "Hautpraxis Dr. Ebnet & Partner", "Labor Dres. Ebnet"."""
_STAYS = re.compile(
    r"\w*(?:tag|tags|woche|jahr|abend|morgen|stunde|alter|zeit|anfang|ende|beginn|verlauf|rahmen|hause?|dienst)",
    re.IGNORECASE,
)
_UNDER_LAW = re.compile(r"(?<![^\W_])[AaÖö]\.? ?[öÖ]\. $")
_LONGEST = 7
_HOLY = re.compile(r"(?<![^\W_])(?:St|Sankt|ST)\.?[- ]$")
_STREET = re.compile(
    r" (?:Road|Rd|Street|St|Lane|Ave|Avenue|Drive|Close|Way|Terrace|Crescent|Hill|Square)(?![^\W_])", re.IGNORECASE
)
_SERVICES = Is.CLINICAL | Is.GENERAL | Is.HEAD | Is.SERVICE | Is.ADMIN | Is.FUNCTION


def find_facilities(claims: Claims, german: bool) -> None:
    """Claim names of hospitals, practices and services."""
    t = Reading(claims.text, german)
    merged: list[tuple[int, int]] = []
    for start, end in sorted((*_found(t), *_organised(t))):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    for start, end in merged:
        claims.add(start, end, "place")
    claims.settle()


def _found(t: Reading) -> Iterator[tuple[int, int]]:
    for n in range(t.count):
        if _is_head(t, n):
            first, (last, tells) = _left(t, n), _right(t, n)
            if first == n and not tells and not _tells_in_one(t, n):
                continue
            if (
                t.german
                and (act := _UNDER_LAW.search(t.text, max(0, t.starts[first] - 8), t.starts[first]))
                and last > n
            ):
                yield act.start(), _end(t, last)
            elif first < n or last > n or (_tells_in_one(t, n) and t.capital(n)):
                town = last + 1
                behind = t.gap(town) if town < t.count and t.gap(last) == ", " and t.unknown(town) else "no"
                if re.match(r"\.(?![ ]*[\d\ufffc])|[,;\n]|$", behind) and _tells(t, town, strict=True):
                    last = town
                saint = _HOLY.search(t.text, max(0, t.starts[first] - 8), t.starts[first])
                if not _STREET.match(t.text, t.ends[last]):
                    yield saint.start() if saint else t.starts[first], _end(t, last)
    for n in range(t.count) if not t.german else ():
        low = t.lower[n]
        if low in _SHORT and t.capital(n) and not (n and t.kinds[n - 1] & Is.STRONG):
            if n and t.gap(n - 1) == " " and _tells(t, n - 1, strict=True) and t.lower[n - 1] not in _PLAIN:
                first = _run_left(t, n)
                while not _tells(t, first, strict=True):
                    first += 1
                last = n
                while last + 1 < t.count and t.gap(last) == " " and t.lower[last + 1] in _SHORT and t.capital(last + 1):
                    last += 1
                if not (first and t.kinds[first - 1] & Is.STRONG):
                    yield t.starts[first], t.ends[last]
            elif low == "royal" and n + 1 < t.count and t.gap(n) == " " and _tells(t, n + 1, strict=True):
                yield t.starts[n], _end(t, n + 1)
    for m in _PLACED_RUN.finditer(t.text) if not t.german else ():
        words = range(t.at(m.start("n")), t.at(m.end("n")))
        if t.in_capitals(words[0]) or any(map(t.shouted, words)) or t.sign_follows(words[-1]):
            continue
        if all(_tells(t, k, strict=False) for k in words) and any(
            t.lower[k] not in _PLAIN and _tells(t, k, strict=True) for k in words
        ):
            yield t.starts[words[0]], _end(t, words[-1])
    for m in _SAINT.finditer(t.text):
        n = t.at(m.start("n"))
        follows = t.kinds[n + 1] if n + 1 < t.count and t.gap(n) == " " and t.words[n + 1].islower() else 0
        placed = m["s"] or _PLACED.search(t.text, max(0, m.start() - 12), m.start())
        if n < t.count and placed and _tells(t, n, strict=True) and not follows & (Is.CLINICAL | Is.SIGN):
            last = n
            while last + 1 < t.count and t.before(last + 1).strip("sS'’") == " " and t.capital(last + 1):
                if not t.kinds[last + 1] & (Is.HEAD | Is.GENERAL):
                    break
                last += 1
            yield m.start(), max(m.end(), t.ends[last])
    for m in _LABEL.finditer(t.text):
        told = [n for n in range(t.at(m.start("v")), t.at(m.end("v"))) if t.capital(n)]
        if any(_tells(t, n, strict=True) for n in told):
            yield t.starts[told[0]], _end(t, told[-1])
    for m in _MEETING.finditer(t.text):
        last = t.at(m.start() + 1) - 1
        if last > 0 and t.capital(last) and not t.german and t.ends[last] == m.start():
            first = _run_left(t, last + 1)
            if (
                first <= last
                and t.before(first) == " "
                and any(_tells(t, n, strict=True) for n in range(first, last + 1))
            ):
                yield t.starts[first], t.ends[last]


def _organised(t: Reading) -> Iterator[tuple[int, int]]:
    """Practices, centres and hospitals that say what they are, with words before or behind that tell one."""
    for m in _ORGANISED.finditer(t.text) if not t.german else ():
        n, head = t.at(m.start("n")), t.at(m.start("h"))
        if t.in_capitals(n):
            continue
        none = Is.GENERAL | Is.CLINICAL | Is.FUNCTION | Is.SERVICE | Is.ROLE | Is.LABEL | Is.ACT | Is.STRONG | Is.TITLE
        while n < head and (
            (t.kinds[n] & none and not t.kinds[n] & (Is.LANDSCAPE | NAME))
            or t.lower[n] in _TELLS_NONE
            or t.credential(n)
        ):
            n += 1
        if n < head and n and t.lower[n - 1] in _COUNT | {"twin"} and t.capital(n - 1) and n > t.at(m.start("n")):
            n -= t.lower[n - 1] != "the"
        if n < head and (head - n > 1 or _tells(t, n, strict=t.is_first(n))):
            yield t.starts[n], m.end()
    for m in _SPECIALTY.finditer(t.text) if not t.german else ():
        n, head = t.at(m.start("n")), t.at(m.start("h"))
        if not t.in_capitals(n) and all(_tells(t, k, strict=True) for k in range(n, head)):
            yield t.starts[n], m.end()
    for m in _GERMAN_NAMED.finditer(t.text) if t.german else ():
        n = t.at(m.start("n"))
        low, kind = t.lower[n], t.kinds[n]
        if (
            _STAYS.fullmatch(low)
            or is_medical(low)
            or kind & (Is.STRONG | Is.MONTH | Is.CLINICAL | Is.ROLE | Is.FUNCTION)
        ):
            continue
        if _PERSONAL.fullmatch(m["h"].lower()) and not m["p"]:
            continue
        placed = kind & (Is.LANDSCAPE | Is.PLACE | NAME) or t.unknown(n) or (kind & Is.RARE and not kind & Is.WORD)
        if placed and (m["p"] or m["h"].startswith("Perman") or not is_noun(low) or len(low) > 8 or kind & Is.PLACE):
            first = t.at(m.start("h"))
            if m["a"] and not t.kinds[first - 1] & (Is.FUNCTION | Is.ACT | Is.PAST | Is.ROLE | Is.STRONG):
                first -= 1
            yield t.starts[first], t.ends[n]
    for m in re.finditer(r"(?<![^\W_])Permanen(?:ce|z)(?= \ufffc)", t.text) if t.german else ():
        yield m.span()  # the street is claimed
    for m in _OF_DOCTORS.finditer(t.text) if t.german else ():
        yield m.span()


def _end(t: Reading, n: int) -> int:
    possessive = re.match(r"['’][sS](?!\w)", t.text[t.ends[n] : t.ends[n] + 3])
    return t.ends[n] + (possessive.end() if possessive else 0)


def _is_head(t: Reading, n: int) -> bool:
    """Whether a word, or its last part, says that a name is one of a place where people are treated."""
    low = t.lower[n]
    if _PERSONAL.fullmatch(low):
        return False
    if t.words[n].islower():
        return low in _LOWER
    return bool(
        t.kinds[n] & Is.HEAD or what(low.rsplit("-", 1)[-1]) & Is.HEAD or (_HEAD.fullmatch(low) and t.capital(n))
    )


def _tells(t: Reading, n: int, strict: bool) -> bool:
    """Whether a word tells one place from another; strict: an ordinary word does not."""
    kind, low = t.kinds[n], t.lower[n]
    if not t.capital(n) or len(low) < 3 or n in t.credentials or t.month(n):
        return False
    if kind & Is.LANDSCAPE and not kind & (Is.ROLE | Is.ACT):
        return True
    other = (
        Is.GENERAL | Is.HEAD | Is.CLINICAL | Is.FUNCTION | Is.LABEL | Is.ROLE | Is.SIGN | Is.ACT | Is.TITLE | Is.ADMIN
    )
    placed = kind & NAME and n + 1 < t.count and t.kinds[n + 1] & (Is.HEAD | Is.GENERAL) and not t.sign_follows(n)
    if kind & Is.EPONYM and not placed:
        return False
    if kind & (other | Is.PRODUCT | Is.PAST | Is.STRONG | Is.MONTH | Is.CREDENTIAL):
        return False
    if "-" in low and all(what(part) & (Is.CLINICAL | Is.GENERAL | Is.HEAD) for part in low.split("-")):
        return False
    if "-" in low and any(not what(part) or what(part) & (NAME | Is.PLACE) for part in low.split("-")):
        return True
    if kind & (NAME | Is.PLACE):
        return True
    if t.german and (is_noun(low) or is_medical(low)):
        return False
    if t.unknown(n) or (kind & Is.RARE and not kind & Is.WORD and not is_medical(low)):
        return True
    return not strict and bool(kind & Is.WORD) and not t.german


def _tells_in_one(t: Reading, n: int) -> bool:
    """Whether a word has a head and what tells in one: "Ostwestfalen-Klinik"."""
    *parts, head = t.lower[n].split("-")
    return bool(what(head) & Is.HEAD) and any(
        what(part) & (NAME | Is.PLACE) or not (table().get(part) or is_noun(part) or is_medical(part)) for part in parts
    )


def _run_left(t: Reading, n: int) -> int:
    """The first of the words with capitals that stand side by side before word n."""
    first = n
    while first > max(0, n - _LONGEST):
        k = first - 1
        gap = t.gap(k)
        saint = gap == ". " and t.lower[k] in _BEFORE
        if not (saint or gap in (" ", "-", " & ", "'s ", "’s ")) or (
            t.kinds[k] & (Is.ACT | Is.STRONG | Is.PAST) and not t.kinds[k] & Is.GENERAL
        ):
            break
        if t.words[k].islower() or len(t.words[k]) == 1:
            if not (t.lower[k] in _INSIDE and k and t.capital(k - 1) and t.gap(k - 1) == " "):
                break
            if not (_tells(t, k - 1, strict=True) or t.kinds[k - 1] & (Is.HEAD | Is.GENERAL)):
                break
        elif (
            t.lower[k] in ("of", "and", "the")
            and t.in_capitals(k)
            and k
            and t.kinds[k - 1] & (Is.HEAD | Is.GENERAL | Is.FUNCTION)
        ):
            pass  # "UNIVERSITY OF X HOSPITAL"
        elif t.kinds[k] & Is.FUNCTION and not t.kinds[k] & (NAME | Is.LANDSCAPE | Is.GENERAL):
            break
        first = k
    while first < n and not t.capital(first):
        first += 1
    return first


def _left(t: Reading, n: int) -> int:
    """The first word of the name that ends with the head n; n if nothing before it tells."""
    if t.german and not t.kinds[n] & Is.HEAD:
        return n
    at = n
    if t.words[n].islower():  # "Dumfries regional reporting hub"
        while (
            at and t.words[at - 1].islower() and t.gap(at - 1) == " " and t.kinds[at - 1] & (Is.GENERAL | Is.CLINICAL)
        ):
            at -= 1
        if not at or t.gap(at - 1) != " " or t.german:
            return n
        named = Is.PLACE | Is.LANDSCAPE | (0 if t.is_first(at - 1) else Is.SURNAME)
        telling = t.unknown(at - 1) or at < n - 1 or t.kinds[at - 1] & named
        if not t.capital(at - 1) or t.in_capitals(at - 1) or not telling or not _tells(t, at - 1, strict=True):
            return n
        return _run_left(t, at)
    first = _run_left(t, n)
    while (
        first < n
        and t.kinds[first] & (Is.CLINICAL | Is.ADMIN | Is.ROLE | Is.LABEL)
        and not (t.kinds[first] & Is.LANDSCAPE or _tells(t, first, strict=True))
    ):
        first += 1
    if t.lower[n] in _DEPARTMENT and any(t.kinds[k] & Is.HEAD and t.lower[k] not in _WEAK for k in range(first, n)):
        return n  # "X Hospital Radiology"
    heading = t.is_first(first) or t.in_capitals(n)
    strict = t.german or heading or t.lower[n] in _WEAK or t.before(first).strip() not in ("", ",")
    told = [k for k in range(first, n) if _tells(t, k, strict=strict)]
    if not told and n - first > 1 and t.shouted(first) and not t.in_capitals(first) and not t.kinds[first] & _SERVICES:
        told = [first]  # "BC Interior Radiology Network"
    if not told:
        return n
    sure = [k for k in told if _tells(t, k, strict=True) and not t.kinds[k] & Is.LANDSCAPE]
    if heading and not sure and t.lower[n] in _WEAK and all(t.lower[k] in _PLAIN for k in told):
        return n
    first = min(first, told[0])
    if first and t.lower[first - 1] in _COUNT and t.capital(first - 1) and t.gap(first - 1) == " ":
        first -= 1 if t.lower[first - 1] != "the" or not t.is_first(first - 1) else 0
    return first


def _right(t: Reading, n: int) -> tuple[int, bool]:
    """The last word of the name that begins with, or goes on behind, the head n; and whether one there tells."""
    last, told = n, False
    if not t.capital(n):
        return n, False
    begins = t.german or t.lower[n] in _FIRST
    while last + 1 < t.count and last < n + 5:
        k, gap = last + 1, t.gap(last)
        if gap == " & " and k + 1 < t.count and t.kinds[k] & (Is.GENERAL | Is.HEAD) and t.kinds[k + 1] & Is.HEAD:
            last = k + 1
            continue
        if gap not in (" ", "-") and not (gap == ". " and t.lower[last] in _BEFORE):
            break
        if t.capital(k) and (t.lower[k] in _GOES_ON or (t.kinds[k] & Is.HEAD and t.lower[k] not in _DEPARTMENT)):
            last = k
            continue
        if (
            t.capital(k)
            and t.kinds[k] & Is.GENERAL
            and k + 1 < t.count
            and t.kinds[k + 1] & Is.HEAD
            and t.gap(k) == " "
            and t.capital(k + 1)
        ):
            last = k + 1
            continue
        if (
            not t.german
            and t.words[k] == "of"
            and k + 1 < t.count
            and t.gap(k) == " "
            and _tells(t, k + 1, strict=True)
        ):
            last, told = k + 1, True
            continue
        if begins and t.words[k].islower() and t.lower[k] in _INSIDE and k + 1 < t.count and t.gap(k) == " ":
            if _STAYS.fullmatch(t.lower[k + 1]):
                break  # "in der Klinik am Abend"
            if not (_tells(t, k + 1, strict=True) and (t.german or t.lower[k] in ("de", "la", "of", "di"))):
                break
            if (
                t.german
                and not t.sure(k + 1)
                and not t.unknown(k + 1)
                and not t.kinds[k + 1] & (Is.LANDSCAPE | Is.PLACE)
            ):
                break
            last, told = k + 1, True
            continue
        named = _tells(t, k, strict=t.german or t.lower[n] not in _FIRST or t.in_capitals(n))
        if not begins or not (named or (told and t.kinds[k] & Is.LANDSCAPE and t.capital(k))):
            break
        last, told = k, True
    return last, told
