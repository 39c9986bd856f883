"""Numbers of patients, examinations, insurances and devices: by a label, or by their length."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Action, Found, Part, Rule, figures
from radcal.reports.deidentify.words import Is, what

_LABEL = (
    r"(?<![^\W_])(?:m\.?r\.?n\.?|mr ?#|med(?:ical)?\.? rec(?:ord)?s?\.?|az\.?|aktenzeichen|auftrag|record"
    r"|hospital (?:number|no\.?|#)|(?:patient|pat"
    r"|study|exam|case|device|subscriber|member|policy"
    r"|insurance|group|employee|provider|staff|badge|national|health(?: ?card)?|visit|encounter|account|acct|order"
    r"|requisition|request|referral|medicare"
    r"|medicaid|claim|authori[sz]ation|auth|registration|record|chart|file|film|report|specimen|pathology|document"
    r"|job|dictation|confirmation|voice|license"
    r"|licence|certificate|passport|driver'?s? licen[sc]e|vehicle|plate|serial|model|lot|ref|reference|batch|implant"
    r"|generator|unit|workstation|station|uid|instance)"
    r"[ .-]?(?:id\.?|ids|identifier|number|numbers|no\.?|nr\.?|num\.?|#|code|ref(?:erence)?)"
    r"|acc(?:ession)?(?: ?(?:number|no\.?|nr\.?|num\.?|#|id))?|acct|account|csn|fin|har|ssn"
    r"|social security(?: number| no\.?| #)?|nhs(?: number| no\.?)?|chi(?: number)?"
    r"|npi|dea|hicn|mbi|udi|s/n|sn|serial|id|id ?#|policy|uid|nino|ni number|ppsn?|hkid|nric|aadhaar|cpf|dni|nie|cf"
    r"|bsn|iin|ahv|svnr|tin|oib|pesel|ik"
    r"|(?:patienten|pat|fall|auftrags?|vorgang|akte|aufnahme|vorgangs|versicherten|versicherungs"
    r"|kranken(?:versicherungs|kassen)|studien|untersuchungs|akten|geräte|serien|befund|rechnungs"
    r"|sozialversicherungs|lebenslange arzt|betriebsstätten)[-. ]{0,2}(?:nummer|nr\.?|id|-id)|kvnr|lanr|bsnr|az|vnr)"
)
_VALUE = r"(?P<v>[A-Z0-9](?:[A-Z0-9./_\\-]|(?<=\d) (?=\d{2,}(?!\w))){1,40})"
_LABELLED = re.compile(
    _LABEL
    + r"(?![^\W\d_])[ ]?(?:(?:(?:number|no|nr|num|id|is|of|was|code)(?![^\W\d_])|(?:#|:|=|-|\.|\)|\())[ ]{0,2}){0,4}"
    + _VALUE,
    re.IGNORECASE,
)
_SHAPES = re.compile(
    r"(?<![\w.,+-])(?:"
    r"\d{3}-\d{2}-\d{4}"
    r"|\d{2} ?\d{6} ?[A-Z] ?\d{2,3}"
    r"|\d{6,30}"
    r"|[A-Z]{1,6}[-_ ]?\d{2,4}[-_/.]\d{3,}(?:[-_/.][A-Z0-9]+)*"
    r"|[A-Z]{1,6}[-_#]?\d{5,}[A-Z]{0,3}(?:[-_/.][A-Z0-9]+)*"
    r"|[a-z]{1,4}-?\d{5,12}|[A-Z]{3,8}-(?!(?:19|20)\d\d(?!\d))\d{4}|(?:[A-Z]{1,6}/){1,3}\d{5,12}|(?i:x{2,3}"
    r"|\*{2,3})-(?i:xx|\*\*)-\d{4}"
    r"|[A-Z]{1,3}\d{3,}[A-Z]{1,3}\d{2,}[A-Z0-9]*"
    r"|\d{2,4}[A-Z]{1,4}[-_]?\d{4,}[A-Z0-9]*"
    r"|\d{5,12}-[A-Z]{1,3}|\d{2,8}(?:[-_/]\d{2,12}){1,4}|\d(?:-\d{2,12}){2,4}"
    r"|\d(?:\.\d{1,40}){5,}"
    r"|(?=[A-Z]{0,8}\d)(?=[A-Z0-9-]{0,12}[A-Z])(?:[A-Z0-9]{2,12}-){1,4}[A-Z0-9]{2,12}"
    r")(?![\w]|[.,]\d|-\w)"
)
UNIT = re.compile(
    r"[ ]?(?:mm|cm|ml|mg|mcg|mgy|gy|hu|kv|kvp|ma|mas|%|hz|hours?|hrs?|units?|iu|cc|kg|msv|frames?|images?|platelets"
    r"|cells|counts|copies|becquerel|mbq|bq|ci|µg|mmhg|bpm|l/min|l|/min)(?![^\W_])",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?<![^\W_])(?:(?!(?i:back|call|phone|contact|tel|fax|mobile?|cell|pager|house|flat|plot|door|series|image"
    r"|box|room"
    r"|bed|ward)(?![^\W_]))(?:[^\W\d_]{2,20}[ .-]{0,2})(?:(?i:no|nr|nos|number|nummer)(?![^\W_])|#)\.?|(?i:uhid"
    r"|nhi|ihi|urn|mrd|edipi"
    r"|imc|gmc|hcpc|nmc|hcn|ohip|ramq|phn|dod|svnr|vsnr|ahv|ccc|eircode|badge|plate|chart|ref|last 4|visit"
    r"|license|licence"
    r"|lic|reg|lot|medical card|ur|crn|ipno|opno|strahlenpass|abha|pan)(?![^\W_]))[ .:#]{0,3}"
    r"(?P<v>(?:[A-Z]{1,4}[ ])?(?=[A-Z./-]{0,8}\d)[A-Z0-9](?:[A-Z0-9./-]|(?<=\d) (?=\d{2,4}(?!\w))){2,24})(?![\w]| \d)"
)
_WORD_OF_NUMBER = (
    r"(?:[A-Z]{1,5}[-/]?[A-Z]{0,3}(?=[ ]\d)|[A-Z][a-z](?=[ ]\d)"
    r"|Js|Ls|Ds|Cs|UJs|[A-Z]{1,3}-\d[A-Z0-9/.-]*|[A-Z0-9]*\d[A-Z0-9/.-]*)"
)
_SPACED = re.compile(
    r"(?<![^\W_])(?i:az\.?|aktenzeichen|aktenz\.|claim|insurance|policy|booking(?: number| no\.?| ref\w*)?"
    r"|versicherung|police|reference"
    r"|our ref|your ref|ref|case|file|logged as|zeichen|passport|reisepass|personalausweis|ausweis"
    r"|mitglied(?:snr\.?|snummer)?|member)"
    r"(?i:[ ]?(?:no\.?|nr\.?|number|nummer|id|is|:|#|=)){0,3}[ ]{1,2}"
    rf"(?P<v>{_WORD_OF_NUMBER}(?:[ ]{_WORD_OF_NUMBER}){{0,4}})(?![\w])"
)
_SLASHED = re.compile(
    r"(?<![\w/.-])(?P<v>(?:[A-Z]{1,6}[/-]){1,2}\d{2,8}(?:[/-][A-Z0-9]{1,8}){1,3}"
    r"|(?:[A-Z]{2,6}-)\d{8}(?:-\d{1,6})+)(?![\w]|[/-]\w)"
)
_ABBREVIATED = re.compile(
    r"(?<![^\W_])(?i:last (?:four|4)(?: digits)?|(?:ssn|number|mrn|id) ending(?: in| with)?|no\.?|nr\.?|opd"
    r"|ipd|ip no\.?|op no\.?|uid|lnr|knr|vn|kv|fin"
    r"|fid|pid|pnr|fnr|ref|reg)"
    r"(?i:[ ]?(?:no\.?|nr\.?|number|is|:|#)){0,2}[ ]{1,2}(?P<v>\d{3,8}/\d{2,4}|\d{3,10}-[A-Z]{1,2}|\d{4,20}(?:"
    r" \d{2,8})*)(?![\w]|[/-]\w)"
)
_GROUP = r"[A-Z]{0,4}\d{2,}"
_IN_GROUPS = re.compile(
    r"(?<![^\W_])(?:(?i:(?:ins\.?|insurance|patient|pat\.?|member|hospital|health)? ?id|nr|no|account|acct|claim|kto|az"
    r"|aktenzeichen|policy|case|mrn|[^\W\d_]{2,20}(?:nr|nummer|zahl)|vers\.-nr)\b|(?P<c>(?!(?:MD|DO|RN|PA|AT|ON"
    r"|AM|DD|DT|TD|TT|CPT|ICD|HCPCS|DLP|HU|OPS|EBM|GOÄ|ISO"
    r"|DIN|WBC|RBC|PLT|BP|RR|HR|LDH|CRP|BNP|CEA|PSA|AFP|CK|CPK|AST|ALT|GFR|TSH|ACE|SUV|CTDI|KV|MAS)(?![^\W_]))[A-Z]{2,5}(?!\.)))"
    rf"[.:#]{{0,2}}[ ](?P<v>(?:[A-Z]{{1,4}}[ -])?{_GROUP}(?:[ /-](?:[A-Z][A-Za-z]{{0,2}}[ ])?{_GROUP}"
    rf"|/\d)*)(?![\w]|[.,/-]\d)"
)
"""A number in groups behind a label or capitals: "ID QRS 118-20-3345", "DVA NX 118 203", "Nr. B22 118"."""
_IN_NUMBERS = 5
"""Figures of such a number, in all."""
_NO_LABEL = (
    Is.CLINICAL | Is.FUNCTION | Is.TITLE | Is.STRONG | Is.CREDENTIAL | Is.ROLE | Is.SIGN | Is.ACT | Is.WORD | Is.MONTH
)
_BARE_GROUPS = re.compile(
    r"(?<![\w.,/:+×x-])(?<![×x] )\d{2,4} \d{2,4} \d{1,4}(?: [A-Z])?(?![\w%]|[.,:/]\d| ?[×x] ?\d| \d| [a-z])"
)
"""Three groups of figures without a label: "50 117 3", "40 91 88 F"."""
_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?:19|20)\d\d")
"""A date or a year, which is none of these numbers."""
_YEARS = re.compile(r"\d{1,2}[ /-]\d{1,2}[ /-](?:(?:19|20)\d\d)$|(?:19|20)\d\d[/-]\d\d[/-]\d\d(?!\d)")
_CLINICAL = re.compile(
    r"(?:\d{1,4}[-/]\d{1,4}|[CTLS]\d{1,2}[-/][CTLS]?\d{1,2}|COVID-?19|SARS.*|CA-?\d+-\d|[A-Z]\d\d(?:\.\d{1,4})?"
    r"|(?:19|20)\d\d[-/](?:19|20)?\d\d)",
    re.IGNORECASE,
)


def _is_clinical(value: str) -> bool:
    return _CLINICAL.fullmatch(value) is not None


def _value(fewest: int, trimmed: str, exempt: tuple[re.Pattern[str], ...]) -> Action:
    """Take the value of a label, which has at least so many figures and no unit behind it.

    trimmed: what may end the match and is none of the value;  exempt: what is no such number
    """

    def action(m: re.Match[str], _: timedelta) -> Found | None:
        start, value = m.start("v"), m["v"].rstrip(trimmed)
        end = start + len(value)
        if figures(value) < fewest or UNIT.match(m.string, end) or any(one.fullmatch(value) for one in exempt):
            return None
        return Found(start, end)

    return action


def _in_groups(m: re.Match[str], _: timedelta) -> Found | None:
    value, label = m["v"], what((m["c"] or "").lower())
    if figures(value) < _IN_NUMBERS or UNIT.match(m.string, m.end()) or _DAY.fullmatch(value) or _YEARS.search(value):
        return None
    if m["c"] and (_is_clinical(value) or (label & _NO_LABEL and not label & Is.ADMIN)):
        return None
    return Found(*m.span("v"))


def _bare_groups(m: re.Match[str], _: timedelta) -> Found | None:
    return None if UNIT.match(m.string, m.end()) or _YEARS.search(m[0]) else Found(*m.span())


def _long(m: re.Match[str], _: timedelta) -> Found | None:
    written, digits = m[0], figures(m[0])
    if digits < (4 if written[0].isalpha() and "-" in written else 5):
        return None
    if digits == 5 and written[0].isdigit() and not any(map(str.isalpha, written)):
        return None
    return None if UNIT.match(m.string, m.end()) or _is_clinical(written) else Found(*m.span())


# fmt: off
NUMBERS = (
    Part((
        Rule("number behind its label", "number", _LABELLED, _value(3, "./-\\_", (_CLINICAL,)),
             "MRN: 1234567, Acc# A-2024-0012 -> MRN: [number], Acc# [number]",
             unlike="Case 12 mm, lot of 20 cm, ID 1/2."),
        Rule("number behind a word of numbers", "number", _GENERIC, _value(4, "./-", (_CLINICAL,)),
             "Token No. 4417/B. -> Token No. [number].",
             unlike="Series no. 1234. Image number 4410."),
        Rule("number in parts behind its label", "number", _SPACED, _value(4, "./-", (_CLINICAL, _DAY)),
             "Az. KG 14/91 Ab 552. -> Az. [number].",
             unlike="File of 3/4/2021."),
        Rule("number with slashes", "number", _SLASHED, _value(4, "./-", (_CLINICAL, _DAY)),
             "Film SE/CT/0091827/2. -> Film [number].",
             unlike="T4-5, L1/2."),
        Rule("number behind an abbreviation", "number", _ABBREVIATED, _value(4, "./-", (_DAY,)),
             "OPD 4411/23 -> OPD [number]",
             unlike="No. 3/4/2021, no 20 mm"),
        Rule("number in groups", "number", _IN_GROUPS, _in_groups,
             "Ins. ID QRS 118-20-3345, DVA NX 118 203. -> Ins. ID [number], DVA [number].",
             unlike="WBC 12000. BP 120/80."),
    )),
)
LONG_NUMBERS = (
    Part((
        Rule("three groups of figures", "number", _BARE_GROUPS, _bare_groups,
             "The patient (50 117 3) fell. -> The patient ([number]) fell.",
             unlike="Of 40 x 30 x 20 mm, 12 120 100 mm."),
        Rule("figures too long for a measure", "number", _SHAPES, _long,
             "Arrived as TRAUMA-3381, 0055817-QX. -> Arrived as [number], [number].",
             unlike="COVID-19, L1-2, 12000 counts."),
    )),
)
# fmt: on
