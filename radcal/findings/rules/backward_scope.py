"""Conditions on cues behind findings: "effusion not seen", "pneumonia or edema is possible".

Every condition takes the sentence as read so far and the index of the current token; the table says what it decides.
"""

from __future__ import annotations

import re

from radcal.findings.rules.modifiers import is_condition, is_only_attribute, keeps_open, only_places, out_of_sight
from radcal.findings.rules.scope import Scope
from radcal.findings.rules.tokens import FAR, Token
from radcal.findings.rules.vocabulary import CAUSE
from radcal.words.records import ABSENT

_NAME_LONG = 4
"""Words that a name of something other than a finding is shorter than."""
_SIDE_GAP = 2
"""Most plain words between the second of two cues for two sides and their finding."""
_BACK_GAP, _DENIED_GAP = 12, 20
"""Plain words between a finding and the cue behind it, and a verb that denies it."""

_ADVERBS = re.compile(r"(?:\s*\b(?:\w+ly\b|with\s+(?:any\s+)?certainty|today|here|though|however|either))*[^a-z0-9]*")
"""Words allowed between a cue and the end of its part: "not excluded radiographically"."""
_ASKED = re.compile(r"\?(?:\s|$)")
_ATTRIBUTE = re.compile(r"(?:ive|ious|ed|tic)$")
"""The end of a finding that is an attribute of the one behind it."""
_ADVERBIAL_PHRASE = re.compile(r"(?:bei|nach|unter|angesichts|in\s+anbetracht|aufgrund|wegen|infolge|trotz)\b")
"""Prepositions of a German phrase of circumstance, behind which the predicate stands."""
_FINITE = re.compile(
    r"\b(?:ist|sind|war|waren|wird|werden|wurden?|bleib(?:t|en)|erschein(?:t|en)|la(?:e?s|ss)+t\s+sich|lassen\s+sich|kann"
    r"|ko(?:e)?nn(?:en|te|ten)|halten?|komm(?:t|en)|lieg(?:t|en)|besteh(?:t|en)|find(?:et|en)|ergib(?:t|en))\b"
)
_PREDICATIVE = re.compile(
    r"(?:\w+\s+){0,3}?(?:(?:un|hochst|hoch)?wahrscheinlich|moglich|moeglich|denkbar|vorstellbar|fraglich|zweifelhaft"
    r"|unsicher|verdachtig|verdaechtig|suspekt|anzunehmen|zu\s+vermuten)$"
)
"""A German adjective without an ending, behind what it is about: "Erguss links fraglich"."""
_TO_BE = re.compile(r"(?:ist|sind|war|waren|erscheint|erscheinen|bleibt|bleiben)\b")
_FOR_WHICH = re.compile(r"\b(?:auf|fur|fuer)\s+(?:ein\w*\s+)?(?:\w+\s+)?$")
_SUSPECT = re.compile(r"(?:\w+\s+)?(?:verd(?:a|ae)chtig|suspekt)$")
_DENIES = ("kein", "ohne", "nicht", "weder")
_NEITHER_NOR = re.compile(r"\b(?:sich|besteht|bestehen|liegt|liegen)\s+(?:\w+\s+)?weder$")
"""German "finds itself neither", which is about the finding before it if no other is behind."""
_SIDE = re.compile(r"\b(?:(links\w*|li|linke[rnms]?)|(rechts\w*|re|rechte[rnms]?))\b")
_OTHER_SIDE = re.compile(
    r"\s*(?:(?:links|rechts|li\s*\.|re\s*\.|linksseitig|rechtsseitig|auf\s+der\s+(?:linken|rechten)\s+seite)\s*)"
    r"(?:(?:jedoch|aber|hingegen|dagegen|basal|apikal|allenfalls|ist|auch)\s+)*"
)
"""A German side alone before a cue: "Erguss rechts, links keiner"."""
_HERE = re.compile(r"(?:on|in|at|by)\s+th(?:is|ese)\b")
_SEVERAL = re.compile(r"\b(?:(?:are|sind)\s+(?:\w+\s+)?|all\s+|both\s+|each\s+|equally\s+|alle\s+|beide\s+)$")
_SEVERAL_BEFORE = 24
"""Characters before a cue that are searched for signs of several findings: "are all possible"."""
_YIELDS = re.compile(
    r"(?:should|must|ought\s+to|(?:need|ha)\w*\s+to|(?:is|are)?\s*to)\s+be\s+(?:excluded|ruled\s+out)"
    r"|in\s+(?:the|an?)\s+(?:right|correct|proper|appropriate|suitable|relevant)\b|(?:until|till)\b"
)
"""Cues that leave a hedge already expressed as it is: "less likely but should be excluded"."""
_IS_ABOUT = re.compile(
    r"\s*(?:an?|the|due|related|secondary|from|to\s+(?:be|represent|reflect))\s"
    r"|\s*(?:(?!(?:in|on|at|and|or|but|given|with|within|due|because|than|over|versus|vs|for|by|of|to|as|since)\b)\w+\s+){0,2}?(?:infarct\w*|ha?emorrhag\w*|contusion\w*|art[ei]fact\w*|vessels?"
    r"|shadows?|cysts?|cystic|hamartomas?|calcifications?|vascular|nipples?|skin\s+folds?|folds?|nodes?|islands?|plaques?|secretions|mucus|lipomas?"
    r"|fat|fatty|goit\w+|sarcoid\w*|thymus|callus|variants?|toxicity|vasculitis)\b"
)
"""Words behind a hedge that make it refer to what follows, a listed finding or not."""
_ADVERBIAL = re.compile(r"(?:likely|probably|possibly|perhaps|presumably|presumed|maybe|probability|likelihood)$")
"""The end of a hedge that may have a complement behind it: "is likely loculated", not "is possible"."""
_COMPLEMENT = re.compile(
    r"(?:(?<=hood)\s*,|(?<=bility)\s*,)?\s*(?!(?:present|there|here|real|true|genuine|in|on|at|and|or|but|given|with|within|without|due|because|than"
    r"|over|versus|vs|for|by|of|to|as|since|from|if|when|while|though|although|also|too|again|now|today|not|bilateral"
    r"|based|considering|left|right|under|overlying|coexist\w*|superimposed|developing|contribut\w*|accompan\w*|\w+ly)\b"
    r")[a-z]{3,}"
)
"""A word behind such a hedge that says what the finding is, not that it is there."""
_PLACED = re.compile(
    r"\b(?:left|right|bilateral\w*|both|sides?|sided|bas(?:e|es|al|ilar)|bibasal|bibasilar|ap(?:ex|ices|ical)|upper|lower|middle|mid|lobes?|zones?"
    r"|lingul\w+|lungs?|hil\w+|[rl][ulm][lz]|anterior\w*|posterior\w*|lateral\w*|medial\w*|early|late|acute|subacute|at|in|on|of|to|by"
    r"|welche\w*|d(?:er|ie|as|em|en)|dies\w*|was|wo|links\w*|rechts\w*|bds|beid\w*|apikal\w*|ober\w+|unter\w+|i[mn]|am"
    r"|an?|the|this|these|which|more|less|very|quite|also|most|and|or|as|than|\w+ly|\d+)\b"
)
"""Words between a comma and a hedge that name nothing else: not so in "opacity, ARDS likely"."""
_NEW_SUBJECT = re.compile(r"\s*an?\s+(?:(?!(?:one|component|element|amount|second|third)\b)\w+\s+){1,3}")
"""Words behind ", and" that name something else: "opacity has grown, and an acute exacerbation is suspected"."""
_ANOTHER = re.compile(
    r"[\s,]*(?:(?:a|an|the|that\s+on\s+the|very|small|tiny|subtle|early|minimal|left|right|other|smaller|sided|residual|trace|apical|basal)\s+)+"
    r"(?:(?:one|ones|side|component)\s+)?"
)
"""Stand-in for a finding before the cue: "no pneumothorax, but a small one cannot be excluded"."""

_ONE_MORE = re.compile(
    r"\s*(?:(?:a|an|the|very|definite|small|tiny|trace|subtle|early|minimal|larger|smaller|similar|left|right|sided"
    r"|second|bilateral|contralateral)\s+)*(?:(?:ones?|component)\b(?!\s+of\b)"
    r"|(?:touch|trace|little|bit|hint|also)\s+(?:on|in|at)\s+the\s+(?:left|right|other|opposite)\b(?!\s+(?:a|an|of)\b))"
)
"""Stand-in behind the cue: "small right effusion, and there may be a tiny left one"."""
_ORDINAL = (
    r"(?:(?:fir|1)st|(?:seco|2)nd|(?:thi|3)rd|(?:[4-9]|1[0-2]|four|fif|six|seven|eigh|nin|ten|eleven|twelf)th"
    r"|[tlc]\d\d?)"
)
_NEXT_PLACE = re.compile(
    rf"\s*(?:(?:on|in|at|of)\s+)?(?:the\s+)?"
    rf"(?:{_ORDINAL}(?:\s+(?:and|or|to|through)\s+{_ORDINAL})?(?:\s+ribs?)?"
    r"|(?:left|right)(?:\s+(?:side|one))?)\s*(?:[.,;)]|$)"
)
"""Another place behind "and" and a cue: "right ninth rib fracture, and possibly tenth"."""
_ON_ONE_SIDE = re.compile(
    r"\s*(?:(?:small|tiny|trace|mild|moderate|large)\s+)*(?:left|right)(?:\s+sided)?\s+(?:and|but)\s+(?:an?\s+)?"
)
"""A side whose finding is named only with the other one: "probable right and questionable left effusion"."""
_ON_THE_OTHER = re.compile(
    r"\s+(?:is\s+|are\s+|seen\s+)*(?:on|in|at)\s+(?:the\s+)?(?:left|right|other|opposite|contralateral)\b"
)
"""Behind "none": "small left effusion, none on the right"."""
_EXCEPT = re.compile(
    r"(?:except|other\s+than|aside\s+from|apart\s+from|with\s+the\s+exception\s+of)\s+(?:(?:for|an?|the)\s+)*"
    r"(?:(?:\w+\s+){0,3}?(?:ones?|those)\b|(?:trace|small|tiny|minimal|mild)(?:\s+amount)?\s+(?:on|at|in)\b)"
)
"""Exception from a denial that does not name the finding again: "no effusion except a trace on the left"."""
_SUBORDINATE = re.compile(r"(?:which|while|whilst|although|though|even\s+though|whereas|but)\b")
_TURNS = re.compile(r"(?:but|though|although|however|yet)\b")
_WHICH = re.compile(r"\s*(?:the|that\s+the)?\s*(former|latter|(?:erste|letzte)re[rmns]?)\b")
_WHICH_BEFORE = re.compile(
    r"\b(former|latter)\s+(?:(?:more|much|strongly|clearly|slightly|somewhat|is|being|was|seems|appears|would\s+be|felt"
    r"|thought)\s+)*$"
)
_ALL_BEFORE = re.compile(
    r"\b(?:but|though|although|however|yet),?\s+(?:both|all|each|either|these)(?:\s+of\s+(?:these|them))?\s+$"
)
"""Words before a hedge that take up all findings of the hedge before it: "could be edema, though both are unlikely"."""
_WHICH_FAR = 40
"""Characters before a cue that are searched for the former or the latter."""


def ends_part(s: Scope, i: int) -> bool:
    """True if nothing but adverbs follows in this part of the sentence."""
    end, following = s.tokens[i].end, s.tokens[i + 1]
    if s.at(i, _ASKED) and s.flat[s.tokens[i].start - 1 : s.tokens[i].start].isalnum():
        return True  # "pneumonia? hemorrhage?"
    if following.kind == "over" and not following.gap and s.at(i + 1, _HERE):
        return True
    if following.kind == "with" and following.cue.phrase == CAUSE:
        return False  # "opacity is likely due to atelectasis"
    if following.subject is not None and s.starts(i, "none", "nil"):
        return True  # "lungs clear effusions none heart normal"
    if following.kind not in ("comma", "stop", "colon", "bracket", "with", "and", "instead", "end"):
        return False
    return not following.gap or _ADVERBS.fullmatch(s.flat, end, following.start) is not None


def closes_clause(s: Scope, i: int) -> bool:
    """True if a German adjective ends its part and is about a finding in that part: "Erguss links fraglich"."""
    if not (s.at(i, _TO_BE) or _PREDICATIVE.match(s.flat[s.tokens[i].start : s.tokens[i].end])) or not ends_part(s, i):
        return False
    for j in s.before(_before_circumstance(s, i)):
        if s.holds[j]:
            return True
        if s.tokens[j].kind in ("comma", "stop", "colon", "bracket", "and", "or", "hedge", "negation", "silence"):
            return False
    return False


# --- findings that the cue names again in other words ---


def excepts(s: Scope, i: int) -> bool:
    return s.at(i, _EXCEPT) and s.select(m for m in s.named_before(i) if m.phrase == ABSENT and not m.fixed)


def is_of_one_of_two(s: Scope, i: int) -> bool:
    token = s.tokens[i]
    if token.kind == "silence":
        return False
    if _is_of_complement(s, i):
        return True
    before = max(0, token.start - _WHICH_FAR)
    if token.kind == "hedge" and _ALL_BEFORE.search(s.flat, before, token.start):
        last = s.named_before(i)
        cue = last[0].cue if last else None
        return cue is not None and s.select(m for j in s.before(i) for m in s.mentions.get(j, ()) if m.cue == cue)
    which = _WHICH.match(s.flat, token.end) or _WHICH_BEFORE.search(s.flat, before, token.start)
    if which is None:
        return False
    two = [j for j in range(max(0, i - FAR), i) if s.mentions.get(j)][-2:]
    return len(two) > 1 and s.select(s.mentions[two[which[1].startswith("l")]])


def _is_of_complement(s: Scope, i: int) -> bool:
    """True if German puts what is suspected before the word: "auf eine Pneumonie verdächtig"."""
    if not s.holds[i - 1] or s.tokens[i].gap or not _SUSPECT.match(s.flat[s.tokens[i].start : s.tokens[i].end]):
        return False
    start = s.tokens[i - 1].start
    if not _FOR_WHICH.search(s.flat, max(0, start - _WHICH_FAR), start):
        return False
    return s.select(
        m for m in s.mentions.get(i - 1, ()) if not (m.cue and s.flat.startswith(_DENIES, m.cue[0])) and not m.fixed
    )


def shares_name(s: Scope, i: int) -> bool:
    side = _ON_ONE_SIDE.match(s.flat, s.tokens[i].end)
    if s.tokens[i].kind not in ("hedge", "negation") or s.tokens[i].cue.direction == "after" or side is None:
        return False
    joint = next((j for j in s.behind(i) if s.tokens[j].start >= side.end()), len(s.tokens) - 1)
    if s.tokens[joint].start != side.end() or s.tokens[joint].kind not in ("hedge", "negation", "small"):
        return False
    named = s.past(joint, "small", "")
    return s.select(m for m in s.mentions.get(named, ())[:1] if s.tokens[named].gap <= _SIDE_GAP)


def names_another(s: Scope, i: int) -> bool:
    none = s.starts(i, "none", "nil") and s.follows(i, _ON_THE_OTHER)
    more = s.follows(i, _ONE_MORE) or (s.tokens[i - 1].kind == "and" and s.follows(i, _NEXT_PLACE))
    if s.tokens[i].kind == "silence" or not (none or more):
        return False
    if s.tokens[i].cue.direction == "both" and _answers_heading(s, i):
        return False
    return s.select(s.named_before(i))


def is_of_another(s: Scope, i: int) -> bool:
    token = s.tokens[i]
    if token.kind == "silence":
        return False
    if token.kind == "hedge" and not token.gap and s.at(i - 1, _TURNS):
        denied = [m for m in s.named_before(i) if m.phrase == ABSENT and not m.fixed]
        if denied:
            return s.select(denied)  # "no pneumothorax is seen, but cannot be excluded"
    begin = next((j for j in s.before(i) if s.mentions.get(j) or s.tokens[j].kind not in ("small", "")), -1)
    if s.tokens[begin].kind not in ("stop", "comma"):
        return False
    if _is_on_other_side(s, begin, i):
        return s.select(s.named_before(begin))
    if _head_of(s, i) >= 0:
        return False
    if not _ANOTHER.fullmatch(s.flat, s.tokens[begin].end, token.start):
        return False
    return s.select(s.named_before(begin))


def _is_on_other_side(s: Scope, comma: int, i: int) -> bool:
    """True if only the one side stands between the comma and the cue, and only the other with the finding before."""
    alone = _OTHER_SIDE.match(s.flat, s.tokens[comma].end)
    if comma != i - 1 or alone is None or alone.end() < s.tokens[i].start:
        return False
    here = _SIDE.search(s.flat, s.tokens[comma].end)
    begin = next((s.tokens[j].end for j in s.before(comma) if s.tokens[j].kind in ("comma", "stop")), 0)
    there = [side.lastindex for side in _SIDE.finditer(s.flat, begin, s.tokens[comma].start)]
    return here is not None and bool(there) and here.lastindex not in there


# --- whether the cue refers to what precedes it ---


def looks_ahead(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    if cue.direction not in ("after", "both"):
        return True
    if _answers_heading(s, i) or _NEITHER_NOR.search(s.flat, s.tokens[i].start, s.tokens[i].end):
        return False
    partial = (cue.direction == "both" and not cue.predicate) or (cue.kind == "hedge" and cue.reach == "near")
    return partial and not ends_part(s, i)


def _answers_heading(s: Scope, i: int) -> bool:
    """True if the cue follows a finding and its colon: "pneumothorax: possible at the apex"; no dash."""
    colon = s.tokens[i - 1]
    if colon.kind != "colon" or not s.holds[i - 2] or s.tokens[i].gap or colon.gap:
        return False
    return s.flat[colon.start - 1] != " "


def is_of_what_follows(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    if cue.kind != "hedge" or cue.direction != "both":
        return False
    adverbial = cue.predicate and _ADVERBIAL.search(s.flat, s.tokens[i].start, s.tokens[i].end)
    if not s.follows(i, _IS_ABOUT) and not (adverbial and s.follows(i, _COMPLEMENT)):
        return False
    return not (_answers_heading(s, i) and s.follows(i, _ONE_MORE))  # "effusion: perhaps a tiny one"


def denies_exclusion(s: Scope, i: int) -> bool:
    denied = (m for j in s.before(i) for m in s.mentions.get(j, ()) if m.phrase == ABSENT)
    return s.tokens[i].kind == "negation" and s.select(m for m in denied if m.cue and keeps_open(s, m.cue[0], i))


def is_of_unlisted(s: Scope, i: int) -> bool:
    token, comma = s.tokens[i], s.tokens[i - 1]
    if token.kind == "silence" and s.starts(i, "erbeten"):
        return comma.kind == "comma" and token.gap > 0  # "Erguss, Kontrolle erbeten"
    if token.kind == "hedge" and comma.kind == "and" and s.tokens[i - 2].kind == "comma":
        return _NEW_SUBJECT.fullmatch(s.flat, comma.end, token.start) is not None
    if token.kind != "hedge" or comma.kind != "comma" or not 0 < token.gap < _NAME_LONG or token.cue.predicate:
        return False
    return _PLACED.search(s.flat, comma.end, token.start) is None


def is_setting(s: Scope, i: int) -> bool:
    if not (s.starts(i, "in") and s.at(i, _YIELDS)):
        return False
    if not ends_part(s, i):
        return True
    if s.holds[i - 1] and not s.tokens[i].gap:
        return False  # "pneumonia in the right clinical setting, small effusion"
    return _statement_behind(s, i, "hedge")


def _statement_behind(s: Scope, i: int, kind: str) -> bool:
    """True if a cue of this kind follows in the same statement."""
    for j in s.behind(i):
        if ends_statement(s, j):
            return False
        if s.tokens[j].kind == kind:
            return True
    return False


def ends_statement(s: Scope, i: int) -> bool:
    """True at a full stop or semicolon, and where the report turns to something else."""
    return s.tokens[i].kind == "stop" and s.starts(i, ".", ";", "but", "however")


def is_of_attribute(s: Scope, i: int) -> bool:
    head = _head_of(s, i)
    if head < 0:
        return False
    # "whether the effusion is new is unclear"
    new = s.tokens[i].kind == "hedge" and s.words["is new"].whole(s.flat, s.tokens[head].end, s.tokens[i].start)
    return bool(new) or is_only_attribute(s, head)


def depends(s: Scope, i: int) -> bool:
    if not is_condition(s, i):
        return False
    end = next((j for j in s.behind(i) if ends_statement(s, j)), len(s.tokens))
    return s.select(m for j in range(i + 1, min(end, i + FAR)) for m in s.mentions.get(j, ()) if not m.fixed)


def takes_back(s: Scope, i: int) -> bool:
    kind = s.tokens[i].kind
    nothing = kind == "silence" or (kind == "negation" and out_of_sight(s, i)) or _is_purpose(s, i)
    return nothing and governs_before(s, i)


def _is_purpose(s: Scope, i: int) -> bool:
    """True if a clause says what an examination is for: German "um einen Tumor auszuschließen"."""
    begin = next((s.tokens[j].end for j in s.before(i) if s.tokens[j].kind in ("comma", "stop", "colon", "bracket")), 0)
    exclude = s.words["to exclude"].at(s.flat, s.tokens[i].start)
    return exclude is not None and s.words["in order"].at(s.flat, begin) is not None


# --- which findings the cue governs ---


def governs_before(s: Scope, i: int) -> bool:
    """Select the findings before the cue: never denied ones, and hedged ones only at the head."""
    head, yields = _head_of(s, i), s.at(i, _YIELDS)
    if head < 0:
        return False
    if s.tokens[i].cue.reach == "near" and (head != i - 1 or s.tokens[i].gap) and not _answers_heading(s, i):
        return False
    group = (head, *_named_twice(s, head, i), *_joined_before(s, head, i))
    governed = (m for j in group for m in s.mentions.get(j, ()) if m.phrase != ABSENT)
    yields = yields or _has_own_subject(s, head, i)
    s.select(m for m in governed if not m.phrase or (m.index == head and not yields))
    return True


def _has_own_subject(s: Scope, head: int, i: int) -> bool:
    """True if other words behind ", and" are what the cue is about: "tumor is possible, and hemorrhage is unlikely"."""
    return any(
        s.tokens[j].kind == "and" and s.tokens[j - 1].kind == "comma" and s.tokens[j + 1].gap > 0
        for j in range(head + 2, i)
    )


def _paired_with(s: Scope, head: int) -> list[int]:
    """The findings with nothing but hyphens or dashes before the one at ``head``: "effusion-thickening", "A - B"."""
    pair = []
    while head > 0 and not s.tokens[head].gap:
        dash = s.tokens[head - 1]
        if dash.kind == "colon" and s.flat[dash.start - 1] == " " and not dash.gap and s.holds[head - 2]:
            if s.tokens[head - 3].kind not in ("end", "stop", "comma"):
                break  # "small effusion - mass was not seen"
            head -= 2
        elif s.mentions.get(head - 1) and s.tokens[head].kind == "":
            head -= 1
        else:
            break
        pair.append(head)
    return pair


def _named_twice(s: Scope, head: int, i: int) -> list[int]:
    """The other half of "COVID pneumonia", which names one finding in two words, or of "infection, above all TB,", and
    the attribute in "an infective nodule".
    """
    aside = 2 <= head < len(s.tokens) - 2 and {s.tokens[head - 1].kind, s.tokens[head + 1].kind} == {"comma"}
    other = head - 2 if aside else head - 1
    if not aside and s.tokens[head].gap:
        return []
    if not aside and s.tokens[i].kind == "negation" and (pair := _paired_with(s, head)):
        return pair
    attribute = not aside and s.holds[other] and _ATTRIBUTE.search(s.flat, s.tokens[other].start, s.tokens[other].end)
    return [other] if attribute or s.names(head) & s.names(other) else []


def _joined_before(s: Scope, head: int, i: int) -> list[int]:
    """The findings that share the cue with the one at ``head``: "effusion or edema is possible"."""
    several = _is_of_several(s, head, i)
    group = []
    # "pneumonia, aspiration, and hemorrhage are possible": a list continues behind the last finding
    joints = {t.kind for t in s.tokens[head + 1 : i]}
    joined = listed = "or" in joints or (several and "and" in joints)
    shown = s.tokens[i].kind == "hedge" and not s.describes(head)
    for j in s.before(head - len(_named_twice(s, head, i))):
        kind = s.tokens[j].kind
        if s.mentions.get(j):
            if not joined or (shown and s.tokens[j + 1].kind == "comma" and s.describes(j)):
                break  # "opacity, atelectasis or pneumonia?"
            group.append(j)
        elif kind in ("or", "versus") or (kind == "and" and several):
            joined, listed = True, kind != "versus"
        elif kind == "comma" and listed:
            joined = True
        elif not (s.holds[j] or kind in ("", "small", "blank", "bracket", "over")):
            break
    return group


def _is_of_several(s: Scope, head: int, i: int) -> bool:
    """True if the cue can refer to findings joined by "and"."""
    begin = s.tokens[i].start
    return (
        s.tokens[i].kind == "negation"
        or s.flat.startswith(("are ", "sind "), begin)
        or _SEVERAL.search(s.flat, max(0, begin - _SEVERAL_BEFORE), begin) is not None
        or _opens_as_pair(s, head)
    )


def _opens_as_pair(s: Scope, head: int) -> bool:
    """True if a part opens with two bare findings: "pneumonia and edema cannot be excluded"."""
    tokens = s.tokens
    return (
        2 <= head < FAR
        and tokens[head - 1].kind == "and"
        and not tokens[head].gap
        and not tokens[head - 1].gap
        and bool(s.mentions.get(head - 2))
        and (tokens[head - 3].kind in ("with", "stop") or all(t.kind == "small" for t in tokens[: head - 2]))
    )


def _head_of(s: Scope, i: int) -> int:
    """The nearest finding before the cue at ``i`` to which it can refer, -1 for none."""
    aside = min(_aside(s, i), _before_circumstance(s, i))
    cue, words = s.tokens[i], s.tokens[i].gap if aside == i else 0
    for j in s.before(aside):
        token = s.tokens[j]
        if s.mentions.get(j):
            return _located_by(s, _explained_by(s, j, i))
        if token.kind == "stop" and j == i - 1 and not cue.gap and token.end - token.start > 1:
            continue  # "less conspicuous but not excluded"
        if _separates(token, cue, words, adjacent=j == i - 1):
            return -1
        words += token.gap
        if words > (_DENIED_GAP if cue.kind == "negation" and cue.cue.predicate else _BACK_GAP):
            return -1
    return -1


def _explained_by(s: Scope, j: int, i: int) -> int:
    """What the hedged finding at ``j`` between commas explains, else ``j``: "mass, likely cancer, is gone"."""
    if s.tokens[i].kind != "negation" or s.tokens[j + 1].kind != "comma" or j + 1 != i - 1:
        return j
    hedge = next((k for k in s.before(j) if s.tokens[k].kind != "small"), -1)
    before = s.tokens[hedge - 1 : hedge]
    if hedge < 2 or s.tokens[hedge].kind != "hedge" or before[0].kind != "comma" or s.tokens[hedge].gap:
        return j
    return hedge - 2 if s.mentions.get(hedge - 2) else j


def _separates(token: Token, behind: Token, words: int, *, adjacent: bool) -> bool:
    """True if a token keeps the cue behind it from looking further back."""
    if token.kind in ("negation", "silence"):
        return token.cue is not behind.cue
    if token.kind == "with":
        # "a neoplastic mass with invasion suspected"
        return behind.kind == "negation" or (not behind.cue.predicate and words > 0)
    if token.kind == "colon":
        return not adjacent or (behind.kind == "silence" and behind.cue.direction != "after")
    return token.kind == "stop"


def _aside(s: Scope, i: int) -> int:
    """Where the clause between commas before the cue begins, ``i`` if none: "pneumonia, while possible, is ..."."""
    if s.tokens[i].gap or s.tokens[i - 1].kind != "comma":
        return i
    for j in s.before(i - 1):
        if s.tokens[j].kind == "comma" or (s.tokens[j].kind == "stop" and not s.at(j, _SUBORDINATE)):
            return i
        if s.tokens[j].kind == "stop":
            return j - 1 if s.tokens[j - 1].kind == "comma" else i
    return i


def _before_circumstance(s: Scope, i: int) -> int:
    """Where the German phrase of circumstance before the predicate begins, ``i`` if none: "ist bei Erguss denkbar".

    A finding inside it belongs to it only behind a finite verb; else it is what the predicate is about.
    """
    if not ends_part(s, i):
        return i
    found = False
    for j in s.before(i):
        token = s.tokens[j]
        if token.kind in ("with", "stop") and s.at(j, _ADVERBIAL_PHRASE):
            begin = next((s.tokens[k].end for k in s.before(j) if s.tokens[k].kind in ("comma", "stop", "colon")), 0)
            return i if found and not _FINITE.search(s.flat, begin, token.start) else j
        if token.kind in ("comma", "stop", "colon", "and", "or", "verb", "bracket"):
            return i
        found = found or s.holds[j]
    return i


def _located_by(s: Scope, j: int) -> int:
    """The finding that the one at ``j`` only locates, else ``j``: "pneumonia superimposed on edema is possible"."""
    if not only_places(s, j):
        return j
    for k in s.before(j):
        token = s.tokens[k]
        if s.mentions.get(k):
            return j if any(m.phrase for m in s.mentions[k]) else k
        if token.kind == "stop" and not s.flat.startswith(("superimposed", "as "), token.start):
            return j
        if token.kind not in ("", "small", "with", "blank", "stop"):
            return j
    return j
