"""Openings behind which a name stands without a title or a label: a table of rules with their examples.

Each rule is a pattern up to where the name begins.  What stands there must look like a person: a name of the lists that
is no word of reports, or a word that no list holds; in German, where nouns have capitals, no noun either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Opening(NamedTuple):
    """A rule.

    before: pattern of what stands before the name, from a word's beginning on
    examples: with ``{}`` where the name stands
    stays: texts that only look alike
    any_word: whether any word with a capital is a name there that is none of reports
    """

    name: str
    before: str
    examples: tuple[str, ...]
    stays: tuple[str, ...] = ()
    any_word: bool = False


_EXAM = (
    r"(?:[Cc][Xx][Rr]|C[Tt](?:PA|A)?|MRI?|PET(?:[-/ ]CT)?|US|USS|[Xx][- ]?[Rr]ay|[Rr]adiographs?|[Ff]ilms?"
    r"|[Ss]cans?|[Ss]tud(?:y|ies)"
    r"|[Ee]xam(?:ination)?s?|[Rr]eports?|[Ii]mages|[Pp]riors?|[Cc]hest|[Tt]horax|Rö(?:ntgen)?|Rö-?Tho(?:rax)?"
    r"|[Aa]ufnahmen?|\w{0,20}[Bb]efunde?|\w{0,12}[Bb]ild(?:er)?|\w{0,12}[Bb]ericht|\w{0,20}[Uu]ntersuchung"
    r"|\w{0,20}[Kk]ontrolle"
    r"|[Ii]maging|[Rr]equest|[Rr]esults?|[Ff]indings|[Aa]ddendum|[Cc]onsult|CTs|CXRs|Angiographie|Anforderung|Nachtrag)"
)
_TOLD = (
    r"(?:[Vv]erbal(?:ly|s)?|[Ii]nfo(?:rmation|rmiert|rmed|s)?|[Mm]sg|[Mm]essages?|[Hh]and(?:ed)?[- ]?over"
    r"|[Rr]ead ?out|[Rr]elay(?:ed)?|[Pp]honed"
    r"|[Rr]ung|[Rr]ang|[Pp]ushed|[Ff]orwarded|[Cc]op(?:y|ied)|[Cc]oncern raised|[Rr]eported|[Cc]ritical"
    r"|[Mm]ündl(?:ich|\.)?"
    r"|[Tt]el(?:\.|efonisch)?|[Kk]opie|[Aa]nruf|[Mm]eldung|[Mm]itteilung|[Ww]eitergabe|[Bb]itte|[Bb]efund|[Dd]emo"
    r"|[Vv]orgestellt|[Aa]lert(?:ed)?"
    r"|[Tt]ext(?:ed)?|[Ss]ecure chat|[Ee]scalated|[Cc]ommunicated|[Ss]poken|[Ss]poke|[Cc]all(?:ed)?|[Pp]aged"
    r"|[Nn]otified|[Gg]iven)"
)

OPENINGS: tuple[Opening, ...] = (
    Opening(
        "an examination of somebody",
        rf"{_EXAM}(?: (?:chest|thorax|abdomen|head|report|films?|scan|request|images|Thorax|Abdomen|Schädel)){{0,2}}"
        r" (?:for|of|on|für|von|bei|zu) ",
        ("CXR for {}: clear.", "Images of {} were sent.", "Röntgen Thorax für {}: kein Erguss.", "Prior film on {}."),
        ("CXR for Pneumonia: clear.", "CT of Chest.", "Röntgen Thorax für Herzschrittmacher: regelrecht."),
    ),
    Opening(
        "what was told somebody",
        rf"{_TOLD}(?: (?:report|read|result|results|findings|handover|copy|call|message|Befund|Bericht)){{0,2}}"
        r" (?:to|with|by|w/|an|mit|von|durch|bei) ",
        ("Verbal to {} (ED) 14:05.", "Mündlich an {} (ZNA) um 14:05.", "Tel. mit {} 14:10.", "Anruf von {}, Station."),
        ("Verbal to ED at 14:05.", "Tel. mit Station besprochen.", "Mitteilung an Zuweiser."),
    ),
    Opening(
        "who is named without a word between",
        r"(?:[Dd]/[Ww]|[Dd]isc(?:ussed)? w/|[Ww]/|[Ff]/[Uu]|c/[Oo]f|[Cc]/o Dr|[Kk]nown to|[Ff]ollow[- ]?up with"
        r"|[Rr]eview with|[Ss]een with|[Aa]ttg|[Rr]es"
        r"|[Rr]eg|[Cc]ons|[Rr]ef|[Rr]eq|[Tt]ech|[Ss]r|[Hh]ca|[Cc][Cc]|[Zz]uw|[Zz]uweis(?:er|ung)(?: durch)?"
        r"|[Üü]berw|[Bb]espr|[Bb]ef|[Bb]efundet|[Vv]is|HA"
        r"|OA|OÄ|FA|AA|[Ii]nfo|[Rr]ücksprache|[Rr]ückspr|[Zz]weitbefund|[Ee]rstbefund|[Ss]upervision|[Gg]eprüft"
        r"|(?:[Oo]rdering|[Rr]eferring|[Aa]ttending|[Rr]equesting|[Pp]rimary|ED|ICU|ER) (?:MD|DO|NP|PA"
        r"|[Pp]hysician|[Pp]rovider)"
        r"|[Kk]ontrolliert|[Vv]alidiert|[Vv]idiert|[Gg]egengelesen|[Dd]urch (?=\w+/)|[Dd]olmetscher(?:in)?"
        r"|[Ii]nterpreter"
        r"|[Ss]ignature|[Ee]scort|[Bb]eidseits? mit)[.:]? ",
        (
            "D/w {} at 14:05.",
            "Attg {}.",
            "Info {} 14:10.",
            "Überw. {}.",
            "F/u {} in two weeks.",
            "Rücksprache {} 14:10.",
        ),
        ("F/u CT in two weeks.", "Rücksprache Station 14:10.", "Ref. Cardiology."),
    ),
    Opening(
        "whose patient it is",
        r"(?:[Uu]nder|[Uu]/c|[Bb]ed|[Bb]ay|[Bb]ett|[Cc]ubicle|[Cc]ot|[Rr]oom|[Zz]i(?:mmer)?\.?)"
        r" (?:\d{1,4}[A-Za-z]?[:,]? )",
        ("Bed 12 {}, supine.", "Room 4: {}, sedated."),
        ("Bed 12 Supine.", "Room 4: Portable film."),
    ),
    Opening(
        "a patient known or come for something",
        r"(?:[Pp]t\.?|[Pp]at\.?|[Pp]atient(?:in)?|PATIENT|PT|[Bb]aby|[Tt]win (?:I|II|1|2|A|B)|B/O|[Kk]ind"
        r"|[Nn]eugeborenes|[Zz]willing"
        r" (?:I|II|1|2|A|B)) (?=[^\n]{1,40}? (?:known|k/c|is|was|has|had|seen|with|w/|in|on|from|for|post|s/p"
        r"|c/o|presents?|admitted|came|unable|refused"
        r"|kann|konnte|soll|möchte|liegt|steht|sitzt|wird|bekam|erhielt|verweigert|toleriert|kam|bekannt|kommt"
        r"|mit|aus|ist|war|wurde|hat|lehnt|nach|zur|zum|bei|klagt|berichtet)\b)",
        (
            "Pt {} known to oncology.",
            "Patient {} with cough.",
            "Pat. {} bekannt mit Stauung.",
            "Patientin {} lehnt ab.",
        ),
        (
            "Pt Supine in bed.",
            "Pat. Positionierung mit Kissen.",
            "Patient Position is supine.",
            "Pat. bekannt mit Stauung.",
        ),
    ),
    Opening(
        "somebody a text is about",
        r"(?:[Rr]e|[Rr]egarding|[Cc]oncerning|[Cc]ertify that|[Ss]ummary (?:for|of)|[Ff]ollow[- ]?up (?:of|for"
        r"|on)|[Pp]ortable for|[Ww]ristband (?:shows"
        r"|reads|says)|[Ll]abel(?:led|ed)?(?: as)?|[Mm]ain|[Nn]amed|[Nn]ame|[Bb]etrifft|[Bb]etreff|[Bb]etr"
        r"|[Bb]ezüglich|[Vv]orname|[Nn]achname|[Rr]ufname|(?:[^\W\d_]*-?[Pp]raxis)(?: von)?|[Aa]ngaben zu"
        r"|[Ss]tudy of|[Bb]ei"
        r"|[WwSsDdCcHh]/[Oo]\.?(?: (?:[Ll]ate|[Ss]hri|[Ss]mt|[Ss]ri|[Mm]r|[Mm]rs)\.?){0,3}|[Nn]ext of kin(?:"
        r" is)?(?: \w+)?"
        r"|(?:[Ss]ister|[Bb]rother|[Mm]other|[Ff]ather|[Ss]on|[Dd]aughter)s?[- ]in[- ]law)"
        r"[.:,]? ",
        (
            "This is to certify that {} is fit.",
            "Follow up of {}, nodules.",
            "Sister in law {} acts for her.",
            "Bei {} (7 J.).",
        ),
        ("Follow up of Nodules.", "Re CT of today.", "Bei Zustand nach Sturz.", "Study of Chest."),
    ),
    Opening(
        "somebody of an age",
        r"\d{1,3}[- ]?(?:year|yr|month|mo|week|wk|day)s?[- ]?old(?: (?:boy|girl|man|woman|male|female|gentleman"
        r"|lady|infant|baby|patient|child))?,? ",
        ("14 month old {} with stridor.", "Born to a 31-year-old, {}, in the night."),
        ("14 month old Female with stridor.", "72 year old Caucasian man."),
        any_word=True,
    ),
    Opening(
        "somebody whose something it is",
        r"(?:[Aa]s per|[Pp]er|[Aa]ccording to|[Aa]sked by|[Rr]equest(?:ed)? (?:of|by|from)|[Tt]hanks?,?"
        r"|[Aa]gree(?:d|s)? with|[Ll]aut|[Gg]emäß|[Aa]uf"
        r" Wunsch von|[Ii]m Auftrag von|[Ii]n Absprache mit|[Zz]us(?:ammen|\.)? mit|[Gg]emeinsam mit) ",
        ("As per {}, patient fell.", "Laut {} kein Sturz.", "In Absprache mit {} keine CT."),
        ("As per Protocol.", "Laut Anamnese kein Sturz.", "In Absprache mit Station keine CT."),
    ),
)


def _any(rules: Iterable[Opening]) -> re.Pattern[str]:
    patterns = "|".join(f"(?:{rule.before})" for rule in rules)
    return re.compile(rf"(?<![\w/.-])(?:{patterns})(?=[\"“'(]?[^\W\d_])")


_STRICT = _any(rule for rule in OPENINGS if not rule.any_word)
_ANY_WORD = _any(rule for rule in OPENINGS if rule.any_word)


def openings(text: str) -> Iterator[tuple[int, bool]]:
    """Where names may begin in a text: behind an opening; and whether any word is one there."""
    for pattern, every in ((_STRICT, False), (_ANY_WORD, True)):
        for m in pattern.finditer(text):
            yield m.end(), every
