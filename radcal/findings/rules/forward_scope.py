"""Conditions on cues before findings: the first parts of the table of rules.

Every condition takes the sentence as read so far and the index of the current token; the table says what it decides.
"""

from __future__ import annotations

import re

from radcal.findings.rules.backward_scope import closes_clause, ends_part
from radcal.findings.rules.modifiers import leaves_open, says_no_change, weighed
from radcal.findings.rules.scope import NO_CUE, UNLIKELY, CueInForce, Scope
from radcal.findings.rules.tokens import FAR
from radcal.findings.rules.vocabulary import AFFIRMED, MEANS, SEEN, Cue
from radcal.words.records import OTHER
from radcal.words.word_files import NOTHING

AND_GAP = 4
COMMA_GAP = 3
OR_GAP = 3
_INSTEAD_GAP = 2
_OVER_GAP = 2
_UNLESS_BEFORE, _UNLESS_BEHIND = 40, 60
"""Characters around a term that are searched for words that rule it out."""
_DISEASE_LONG = 20
_PARTS = frozenset(("comma", "stop", "colon", "bracket", "and", "or"))
_SEEN = frozenset(("opacity", "consolidation", "nodule", "mass", "pleural effusion", "pneumothorax", "cardiomegaly"))
"""Observations: a blanked word before one of them is no lost hedge."""
LIKELIER = Cue("hedge", "likely", "before", "near")
QUESTION = Cue("hedge", "question of", "before", "group")
LOST = Cue("hedge", OTHER, "before", "group", 999)

_SHOWS = ("show", "demonstrat", "reveal")
_OPINION = re.compile(r"(?:in|to)\s+(?:my|our)\b|(?:i|we)\s+(?:believe|think|feel|suppose)\b")
"""Words of mere opinion, which the hedge behind them replaces: "in my view highly likely"."""
_OR_RATHER = re.compile(r"\b(?:or|versus|vs\.?)\s+(?:(?:an?|the|merely|just|simply)\s+)*(?:\w+\s+)?$")
_OR_LONG = 40
"""Characters before the state of an organ that are searched for the "or" of a hedge."""
_BESIDES = re.compile(
    r"(?:\s*(?:associated|adjacent|overlying|underlying|adjoining|compressive|superimposed|super\s?added|concomitant|concurrent|co\s?exist(?:ent|ing)|added|post\s*obstructive|secondary"
    r"|accompanying|surrounding|asymmetric|dependent|interstitial|alveolar|(?:a\s+)?component\s+of|relaxation|passive"
    r"|basilar|basal|bibasilar|lower\s+lobe|left|right|or\s+without))*\s*"
)
"""Words between "with" and a finding that shares the hedge: "likely effusion with adjacent collapse"."""
_REASON = re.compile(r"given\b|consider|judging\b|based\b|in\s+(?:view|light|consideration|(?:the\s+)?setting)\b")
"""Words before a finding that is a reason for the hedge, and itself there: "likely edema given effusions"."""
_STAYS = re.compile(r"persists?\b|remains?\s*(?:[,.;]|$)")
_DISEASE = re.compile(r"\b(?:disease|process|findings?|abnormalit(?:y|ies))\s+$")
_PREPOSITION = re.compile(r"\b(?:from|of|after|by|due\s+to|secondary\s+to)\s+(?:an?\s+|the\s+)?$")
_CLAUSE = re.compile(r"(?:there|this|these|it)\b")
_THAT = re.compile(r"\s*that\b")
_LEADS_ON = re.compile(r"\s*(?:this|these|the)\b")
_NOT_EXCLUDED = re.compile(r"(?:can|could|do|does)(?:not|n?\s+(?:not|t))\b")
_SAID = re.compile(r"\b(?:is|are)\s+(?:more|most|also|very|highly)\s+$")
_SAID_LONG = 16
"""Characters before a hedge that are searched for its verb: "is more concerning for"."""
_NEW_THING = re.compile(r"\s*(?:an?|the|this|these)\s+(?:\w+\s+){0,3}")
_GONE = re.compile(r"(?:(?:complete|interval)\s+)*(?:resolution|clearing|clearance|absence)\s+of\b")
_ARTICLE = re.compile(r"\s*(?:an?|the|this|there|these)\b")
_IN_PLACE = re.compile(
    r"\s*(?:in|at|on|of|within)\s+(?:(?:the|left|right|both|upper|lower|middle|mid|lobes?|zones?|lungs?|bas(?:e|es)|apex|apices"
    r"|lingula|sides?|rul|rml|rll|lul|lll)\s+)+"
)
"""A place between a finding and the hedge behind it."""
_APPOSITION = re.compile(r"\s*(?:that\s+is|namely|viz|in\s+other\s+words|or\s+rather)\b")
_APPOSITION_BEFORE = re.compile(r"\b(?:that\s+is|namely|viz|in\s+other\s+words)\s*$")
_ONE = re.compile(r"\(\s*(?:an?|the|one|this|there)\b")
_OWN_ARTICLE = re.compile(
    r"\s*(?:eine?|die|das|der|den|dem)\s+"
    r"(?:(?!(?:d(?:er|ie|as|en|em|es)|ein\w*|auf|fur|fuer|mit|bei|in|im|an|am|von|zu\w?|einer?|sich|nicht)\b)\w+\s+){0,3}"
)
"""A German article behind a comma, with which a statement of its own begins."""
_ELSEWHERE = re.compile(
    r"\s*(?:(?:links|rechts|beidseits|retrokardial|dorsal|ventral|basal|apikal|im|am|in\s+(?:der|den|beiden)"
    r"|an\s+der)\b\s*)(?:\w+\s+){0,3}"
)
_OF_CASE = re.compile(r"\b(?:auf|fur|fuer|von|d(?:er|es|en)|eine[rsn]?)$")
"""The end of a German denial that has an article to share: "kein Anhalt für eine Pneumonie, eine Stauung"."""
_NOUN = re.compile(r"\s*(?:\w+\s+)?(?!\w+e[nrsm]?\Z)\w+")
"""Words that end in no ending of an adjective."""
_AGAIN = re.compile(r"kein\w*\b")
_ARTICLE_OF_ANOTHER = re.compile(r"\s*(?:eine?[nm]?|einer|die|das|dem|den)\s+(?:\w+\s+){0,2}")
_PAST = re.compile(r"(?:stattgehabt|durchgemacht|fruher|frueher)\w*")
_RATHER = re.compile(r"\beher\b[^,.;:]*$")
_HEDGING_ADVERB = re.compile(
    r"(?:am\s+ehesten|in\s+erster\s+linie|(?:hochst)?wahrscheinlich|vermutlich|moglicherweise|moeglicherweise|eventuell"
    r"|evtl\s*\.?|wohl|eher|vielleicht)$"
)
_NO_NAME = re.compile(
    r"\b(?:links\w*|rechts\w*|beid\w*|bds|basal\w*|apikal\w*|hilar|perihilar|i[mn]|am|an|auf|\w+(?:ig|isch|lich|al|ar|iv|os|ell"
    r"|bedingt|end|iert)(?:e[nrsm]?)?)\b"
)
"""Words behind a German hedge that name nothing of their own: places and qualities."""
_SUBORDINATE = ("while ", "although ", "though ", "even though ", "whereas ")


# --- is a finding stated at all ---


def is_ruled_out(s: Scope, i: int) -> bool:
    term, token = s.tokens[i].term, s.tokens[i]
    if term is None or term.unless is None:
        return False
    before, behind = (s.tokens[j] for j in s.before(i)), (s.tokens[j] for j in s.behind(i))
    begin = next((t.end for t in before if t.kind in _PARTS), 0)
    # "with" parts, too: "of the left hemithorax with a shift"
    ends = (t.start for t in behind if t.kind in _PARTS or t.kind == "negation" or s.flat[t.start : t.end] == "with")
    start = max(begin, token.start - _UNLESS_BEFORE)
    if (place := _place_before(s, i, begin)) >= 0:
        start = place
    end = min(len(s.flat), token.end + _UNLESS_BEHIND, next(ends, len(s.flat)))
    return term.unless.search(s.flat, start, end) is not None


def _place_before(s: Scope, i: int, begin: int) -> int:
    """Where a statement begins with a place, behind whose comma the part at ``begin`` follows: "in the liver, a nodule"."""
    comma = next((j for j in s.before(i) if s.tokens[j].end == begin), -1)
    if comma > 0 and s.tokens[comma].kind == "stop" and not s.tokens[comma].gap:
        comma -= 1  # "in the liver, there is a nodule"
    if comma >= 0 and s.tokens[comma].kind != "comma":
        return -1
    for j in s.before(comma) if comma >= 0 else ():
        if s.holds[j] or s.tokens[j].kind in ("verb", "comma", "negation"):
            return -1
        if s.tokens[j].kind == "stop":
            return s.tokens[j].end if s.words["place"].at(s.flat, s.tokens[j].end) else -1
    return 0 if comma >= 0 and s.words["place"].at(s.flat, 0) else -1


def is_sign_of_named(s: Scope, i: int) -> bool:
    term = s.tokens[i].term
    if term is None or term.sign_of is None:
        return False
    outlook = s.tokens[i + 1 : i + FAR]
    ends = (t.start for t in outlook if t.kind in ("stop", "negation") and not s.flat.startswith("which", t.start))
    return term.sign_of.search(s.flat, s.tokens[i].end, next(ends, outlook[-1].end)) is not None


def reaches_organ(s: Scope) -> bool:
    organ, cue = s.organ, s.cue
    if organ.joined:
        return cue.index == organ.state - 1 and not cue.taken
    if cue.index > organ.since:
        return True
    between = s.tokens[cue.index : organ.since]
    return cue.kind == "negation" and not cue.taken and all(t.kind not in ("comma", "and") for t in between)


def is_of_denied_organ(s: Scope, _: int) -> bool:
    organ = s.organ
    if organ.joined or organ.absent or organ.state <= organ.since:
        return False
    if organ.since in s.denied:
        return True
    for j in range(organ.since + 1, organ.state):
        token = s.tokens[j]
        if token.kind == "negation":
            if token.cue.direction == "before":
                return False
            s.denied[organ.since] = cue_at(s, j)
            return True
        if s.holds[j] or token.kind not in ("", "comma", "and", "or", "small"):
            return False
    return False


def is_healthy_alternative(s: Scope, _: int) -> bool:
    if not s.organ.absent or s.cue.kind != "hedge":
        return False
    start = s.tokens[s.organ.state].start
    return _OR_RATHER.search(s.flat, max(0, start - _OR_LONG), start) is not None


# --- does a finding take the cue in force ---


def follows_history(s: Scope, i: int) -> bool:
    if s.cue.kind != "silence" or not s.cue.taken or not s.holds[i - 1]:
        return False
    between, following = (s.tokens[i - 1].end, s.tokens[i].start), s.tokens[i + 1]
    if _NEW_THING.fullmatch(s.flat, *between):
        return True
    # In German the article may be a genitive: "bekannte Metastasierung eines Karzinoms".
    has_predicate = following.kind == "hedge" and following.cue.direction == "after" and not following.gap
    return has_predicate and _ARTICLE_OF_ANOTHER.fullmatch(s.flat, *between) is not None


def has_no_cue(s: Scope, _: int) -> bool:
    return s.cue is NO_CUE or s.cue.resting


# --- does a new statement begin without a sign ---


def size_begins_statement(s: Scope, i: int) -> bool:
    if not s.cue.taken or not s.holds[i - 1]:
        return False
    start = s.tokens[i].start
    of_another = _PREPOSITION.search(s.flat, max(0, start - _DISEASE_LONG), start)  # "scar from old infarction"
    return not s.tokens[i].gap or (s.cue.kind == "hedge" and of_another is None)


def size_follows_nothing(s: Scope, i: int) -> bool:
    if s.cue.taken or s.cue.kind != "negation":
        return False
    start = s.tokens[i].start
    return _DISEASE.search(s.flat, max(s.cue.span[1], start - _DISEASE_LONG), start) is not None


def is_stated_anew(s: Scope, i: int) -> bool:
    if s.cue.kind != "negation" or not s.cue.taken or not s.holds[i - 1]:
        return False
    return s.tokens[i].gap <= AND_GAP and affirms_next(s, i - 1)


def affirms_next(s: Scope, i: int) -> bool:
    """True if a finding follows that is affirmed: "effusion is unchanged"."""
    found = s.past(i, "", "small")
    if not s.holds[found]:
        return False
    following = s.tokens[found + 1]
    cue = following.cue
    if cue.kind == "hedge" and (cue.predicate or cue.direction == "after"):
        return True
    if following.kind == "verb" and not following.gap:
        if following.cue.phrase == AFFIRMED or s.at(found + 1, _STAYS):
            return True
        following = s.tokens[found + 2]
    return not following.gap and (following.kind == "small" or following.state == {})


# --- words that are read over, and a cue that comes while another is in force ---


def hedges_next(s: Scope, i: int) -> bool:
    """True if words of kind "over" hedge the finding right behind them: "likely old fracture"."""
    if not s.tokens[i].cue.rank:
        return False
    words = 0
    for j in s.behind(i):
        token = s.tokens[j]
        words += token.gap
        if token.kind in ("or", "versus"):
            words = 0  # "likely reactive airways disease or viral infection"
        elif words > _OVER_GAP or not (s.holds[j] or token.kind == "small" or token.subject == NOTHING):
            return False
        if s.holds[j]:
            return True
    return False


def denies_change_only(s: Scope, i: int) -> bool:
    return s.cue.kind == "negation" and says_no_change(s, i) and not hedges_next(s, i)


def looks_back(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    return cue.direction == "after" or (cue.direction == "both" and _follows_its_finding(s, i))


def _follows_its_finding(s: Scope, i: int) -> bool:
    token, before = s.tokens[i], s.tokens[i - 1]
    if not ends_part(s, i):
        return False
    if token.cue.predicate or closes_clause(s, i):
        return True
    if before.kind == "bracket":
        return not token.gap and s.tokens[i + 1].kind == "bracket"  # "atelectasis (favored)"
    if s.holds[i - 1] and s.tokens[i + 1].kind == "comma" and _IN_PLACE.fullmatch(s.flat, before.end, token.start):
        return True  # "pneumonia in the right lower lobe suspected, abscess possible"
    return (before.kind == "verb" and token.gap <= 1) or (s.holds[i - 1] and not token.gap)


def cue_at(s: Scope, i: int) -> CueInForce:
    """The cue at ``i`` as it would come into force."""
    token = s.tokens[i]
    cue, span = token.cue, (token.start, token.end)
    if cue.kind == "silence" and leaves_open(s, i):
        cue = QUESTION
    phrase, kind, reach = cue.phrase, cue.kind, cue.reach
    if kind == "over":
        kind, reach = "hedge", "group"
    if kind == "hedge" and (weight := weighed(s, i)):
        phrase, span = weight
    new = CueInForce(i, kind, phrase, reach, cue.rank, span, clause=_leads_clause(s, i))
    new.resting = kind == "hedge" and reach == "list" and _lists_later(s, i)
    if kind == "negation":
        new.until = _verb_of_seeing(s, i)
    return new


def _verb_of_seeing(s: Scope, i: int) -> int:
    """The verb that completes a denial, up to which all is denied: "no A, B, and C was detected"; -1 for none."""
    named = joints = sizes = 0
    for j in s.behind(i):
        token, kind = s.tokens[j], s.tokens[j].kind
        named += s.holds[j]
        joints += kind in ("and", "or")
        sizes += kind == "small" and s.tokens[j - 1].kind == "comma"
        if kind == "verb" and token.cue.phrase in (SEEN, AFFIRMED):
            begins_anew = named > 1 and not joints and (sizes or token.cue.phrase == AFFIRMED)
            return -1 if begins_anew else j
        if kind == "negation" and s.holds[j - 1] and not token.gap:
            return j  # "no A, small B nor C was detected"
        if kind in ("stop", "colon", "verb", "silence") or (kind == "negation" and token.cue.direction != "after"):
            return -1
        if kind in ("hedge", "over") and s.tokens[j - 1].kind == "comma":
            return -1
    return -1


def is_not_seen(s: Scope, i: int) -> bool:
    return i < s.cue.until


def _lists_later(s: Scope, i: int) -> bool:
    """True if the subject of a differential stands between it and its list, or the subject of a cause."""
    if not s.flat.endswith((" for", " of"), 0, s.tokens[i].end):
        return False
    return any(s.tokens[j].kind == "lists" for j in s.behind(i)) or (
        s.starts(i, "cause", "etiolog", "aetiolog") and s.follows(i, _LEADS_ON)
    )


def _leads_clause(s: Scope, i: int) -> bool:
    """True if the cue governs a clause: "it is likely that the opacity ...", "likely this nodule ..."."""
    if s.flat.endswith("that", 0, s.tokens[i].end) or s.follows(i, _THAT):
        return True
    return i == 0 and not s.tokens[i].gap and s.follows(i, _LEADS_ON)


def _adjoins(s: Scope, i: int) -> bool:
    """True if hardly a word separates the cue in force from the token at ``i``."""
    if i - s.cue.index > FAR:
        return False
    between = s.tokens[s.cue.index + 1 : i + 1]
    return sum(t.gap for t in between) <= COMMA_GAP and all(t.kind != "comma" for t in between[:-1])


def _behind_comma(s: Scope, i: int) -> bool:
    if s.tokens[i - 1].kind == "over" and s.flat[s.tokens[i - 1].end - 1] == ".":
        i -= 1  # "kein Erguss, im p.a.-Bild fragliche Verdichtung"
    return s.tokens[i].gap <= COMMA_GAP and s.tokens[i - 1].kind == "comma"


def has_clear_way(s: Scope, _: int) -> bool:
    return s.cue is NO_CUE or (s.cue.clause and not s.cue.taken and s.cue.kind != "negation")


def asks_whether_gone(s: Scope, i: int) -> bool:
    waits = s.cue.kind == "silence" and not s.cue.taken
    return waits and s.coming.kind == "negation" and s.at(i, _GONE) and _adjoins(s, i)


def hedges_within_clause(s: Scope, i: int) -> bool:
    return s.cue.clause and s.cue.kind == "hedge" == s.coming.kind and any(s.holds[i + 1 : i + FAR])


def absence_excludes_not(s: Scope, i: int) -> bool:
    if not hedge_is_denied(s, i):
        return False
    argues = s.words["absence"].at(s.flat, s.cue.span[0]) and s.words["argues"].at(s.flat, s.tokens[i].start)
    return bool(argues) if not s.cue.taken else s.at(i, _NOT_EXCLUDED)


def hedge_is_denied(s: Scope, i: int) -> bool:
    return s.cue.kind == "negation" and s.coming.kind == "hedge" and not (_behind_comma(s, i) or _believes(s, i))


def _believes(s: Scope, i: int) -> bool:
    """True if a speaker's own statement begins at the hedge: "I see no mass and I doubt ..."."""
    return s.starts(i, "i ", "we ") or (s.tokens[i - 1].kind == "and" and s.starts(i, "doubt", "suspect"))


def hedge_is_asked_about(s: Scope, i: int) -> bool:
    waits = s.cue.kind == "silence" and s.cue.reach != "near" and not s.cue.taken
    return waits and s.coming.kind == "hedge" and not (_behind_comma(s, i) or _is_predicate(s, i))


def _is_predicate(s: Scope, i: int) -> bool:
    """True if the hedge is what a verb says: "the pattern in a patient with HIV is suggestive of pneumonia"."""
    start = s.tokens[i].start
    said = s.starts(i, "is ", "are ") or _SAID.search(s.flat, max(0, start - _SAID_LONG), start) is not None
    return said or (s.tokens[i - 1].kind == "verb" and not s.tokens[i].gap)


def replaces_opinion(s: Scope, i: int) -> bool:
    return hedges_hedge(s, i) and s.at(s.cue.index, _OPINION)


def hedges_hedge(s: Scope, i: int) -> bool:
    return s.cue.kind == "hedge" == s.coming.kind and not (s.cue.taken or s.cue.resting) and _adjoins(s, i)


def hedges_history(s: Scope, i: int) -> bool:
    denies_past = s.cue.kind == "negation" and s.at(i, _PAST)  # "kein Hinweis auf stattgehabte Aspiration"
    waits = (s.cue.kind == "hedge" or denies_past) and s.cue.reach != "near" and not s.cue.taken
    return waits and s.coming.kind == "silence" and s.coming.reach != "near" and _adjoins(s, i)


# --- words that bring a cue of their own ---


def _leads_to_finding(s: Scope, i: int) -> bool:
    """True if a finding stands right behind, whatever its size: "than mild edema"."""
    found = s.past(i, "small")
    return s.holds[found] and sum(t.gap for t in s.tokens[i + 1 : found + 1]) <= _INSTEAD_GAP


def is_likelier(s: Scope, i: int) -> bool:
    if not s.starts(i, "than", "als") or not _leads_to_finding(s, i):
        return False
    before = next((s.tokens[j].cue for j in s.before(i) if s.tokens[j].kind not in ("", "small")), Cue(""))
    return (before.kind, before.phrase) == (UNLIKELY.kind, UNLIKELY.phrase)


def is_less_favored(s: Scope, i: int) -> bool:
    if not _leads_to_finding(s, i):
        return False
    if s.tokens[i - 1].kind == "hedge" and _follows_its_finding(s, i - 1):
        return True
    next_to = s.cue.index == i - 1 and not s.tokens[i].gap  # "favored over tumor"
    if s.starts(i, "als") and _RATHER.search(s.flat, max(0, s.tokens[i].start - _UNLESS_BEHIND), s.tokens[i].start):
        return True  # "eher postentzündlich als tumorös"
    weighs = s.starts(i, "than") and s.flat.find("more ", *s.cue.span) >= 0  # "more likely a bone island than cancer"
    return s.cue.kind == "hedge" and (s.cue.taken > 0 or next_to or weighs)


def is_lost_hedge(s: Scope, i: int) -> bool:
    if s.tokens[i].kind != "blank" or not has_no_cue(s, i):
        return False
    behind_comma = s.tokens[i - 1].kind == "comma" and not s.tokens[i].gap
    return _precedes_cause(s, i, most=int(behind_comma)) and (behind_comma or _follows_shadow(s, i))


def _precedes_cause(s: Scope, i: int, most: int) -> bool:
    """True if a finding that explains others follows the blanked words, behind a size and ``most`` plain words."""
    after = next((j for j in s.behind(i) if s.tokens[j].kind != "blank" or s.tokens[j].gap), -1)
    if s.tokens[after].kind == "small" and not s.tokens[after].gap:
        after += 1
    term = s.tokens[after].term
    if term is None or s.tokens[after].gap > most:
        return False
    return bool(term.pathologies) and not set(term.pathologies) & _SEEN


def _follows_shadow(s: Scope, i: int) -> bool:
    """True if a shadow stands somewhere before the blanked words, which begin a part of their own."""
    if not s.tokens[i].gap and s.tokens[i - 1].kind in ("with", "and", "or", "small", "verb", "blank"):
        return False
    for j in s.before(i):
        if s.tokens[j].kind in ("stop", "colon", "with", "negation"):
            return False
        if s.describes(j):
            return True
    return False


# --- what ends a cue: a full stop, a colon, a verb, "with" ---


def shows_finding(s: Scope, i: int) -> bool:
    return s.cue.kind == "silence" and not s.cue.taken and s.starts(i, *_SHOWS)


def awaits_clause(s: Scope, i: int) -> bool:
    waits = s.cue.kind in ("hedge", "silence") and not s.cue.taken
    return waits and s.cue.index == i - 1 and s.tokens[i].gap <= 1 and s.at(i, _CLAUSE)


def leads_on(s: Scope, i: int) -> bool:
    if s.cue.kind not in ("hedge", "negation") or s.cue.index != i - 1 or s.tokens[i].gap:
        return False
    if s.cue.kind == "negation" and s.tokens[s.cue.index - 1].kind == "colon":
        return False  # "Effusion: none seen - likely pneumonia"
    # A short negation may be another word: "Accession no: 12".
    return (s.cue.kind == "hedge" and s.cue.reach == "list") or " " in s.flat[slice(*s.cue.span)]


def is_about_verb(s: Scope, i: int) -> bool:
    if not s.cue.taken or not s.cue.clause or s.cue.kind != "hedge":
        return False
    means = s.tokens[i].cue.phrase == MEANS or s.tokens[i + 1].gap <= 1
    return means and s.holds[s.past(i, "small", "either", "blank")]


def goes_with_hedged(s: Scope, i: int) -> bool:
    following = s.tokens[i + 1]
    if s.cue.kind != "hedge" or not s.cue.taken:
        return s.cue.kind == "hedge"
    if following.kind == "small" or not s.holds[i + 1] or s.at(i, _REASON):
        return False
    return _BESIDES.fullmatch(s.flat, s.tokens[i].end, following.start) is not None


# --- how far a cue reaches through a list ---


def ends_subordinate(s: Scope, i: int) -> bool:
    return s.cue.kind == "hedge" and s.flat.startswith(_SUBORDINATE) and s.follows(i, _ARTICLE)


def explains_itself(s: Scope, i: int) -> bool:
    start = s.tokens[i].start
    return (
        s.follows(i, _APPOSITION) or _APPOSITION_BEFORE.search(s.flat, max(0, start - _DISEASE_LONG), start) is not None
    )


def names_again(s: Scope, i: int) -> bool:
    if s.cue.kind != "hedge" or not s.cue.taken or not s.holds[i - 1] or not s.holds[i + 1]:
        return False
    inner, behind = s.tokens[i + 1], s.tokens[i + 2]
    return s.tokens[i].kind == "bracket" and not inner.gap and not behind.gap and behind.kind == "bracket"


def opens_aside(s: Scope, i: int) -> bool:
    return s.tokens[i].kind == "bracket" and s.at(i, _ONE)


def leads_to_size(s: Scope, i: int) -> bool:
    return s.tokens[i + 1].kind == "small" and not s.tokens[i + 1].gap


def denial_ends_at_comma(s: Scope, i: int) -> bool:
    if s.cue.kind != "negation":
        return False
    begins = leads_to_size(s, i) or affirms_next(s, i) or _begins_in_german(s, i)
    return begins and not _list_goes_on(s, i, ("or",))


def _begins_in_german(s: Scope, i: int) -> bool:
    """True if a German statement begins behind the comma: with an article, a place, or bare behind a second "kein"."""
    found = s.past(i, "small", "over", "")
    if not s.holds[found] or s.tokens[i].kind != "comma":
        return False
    if not s.cue.taken and not _NOUN.fullmatch(s.flat, s.cue.span[1], s.tokens[i].start):
        return False  # "kein flächiges, konfluierendes Infiltrat"
    begin, end = s.tokens[i].end, s.tokens[found].start
    if _OWN_ARTICLE.fullmatch(s.flat, begin, end):
        return not _OF_CASE.search(s.flat, *s.cue.span)
    if not s.at(s.cue.index, _AGAIN):
        return False
    return _ELSEWHERE.fullmatch(s.flat, begin, end) is not None or (end - begin <= 1 and _is_repeated(s))


def _is_repeated(s: Scope) -> bool:
    """True if the "kein" in force follows a comma and what another one denies: "kein Pneu, kein Erguss"."""
    comma = s.tokens[s.cue.index - 1]
    if comma.kind != "comma" or s.tokens[s.cue.index].gap:
        return False
    for j in s.before(s.cue.index - 1):
        if s.tokens[j].kind in ("negation", "stop", "verb"):
            return s.at(j, _AGAIN)
    return False


def names_unlisted(s: Scope, i: int) -> bool:
    """True if a German hedge has had its complement, which is no pathology: "am ehesten Kontusionen, Erguss"."""
    if s.cue.kind != "hedge" or s.cue.taken or s.cue.index != i - 1 or not 0 < s.tokens[i].gap < COMMA_GAP:
        return False
    if not _HEDGING_ADVERB.match(s.flat[slice(*s.cue.span)]):
        return False
    return _NO_NAME.search(s.flat, s.cue.span[1], s.tokens[i].start) is None


def hedge_ends_before_affirmed(s: Scope, i: int) -> bool:
    if names_unlisted(s, i):
        return True
    apart = s.cue.index < i - 1 or s.tokens[i].gap > 0
    return not s.cue.taken and apart and affirms_next(s, i)


def is_in_list(s: Scope, i: int) -> bool:
    following = s.tokens[i + 1]
    if following.kind == "and" or not s.holds[i + 1] or following.gap > OR_GAP:
        return False
    return _list_goes_on(s, i, ("or", "versus", "and"))


def _list_goes_on(s: Scope, i: int, joints: tuple[str, ...]) -> bool:
    """True if the comma belongs to a list "A, B, or C"."""
    joint = ""
    for j in s.behind(i):
        kind = s.tokens[j].kind
        if kind == "stop" and joint in ("or", "versus"):
            return True  # "atelectasis, pneumonia or both."
        if kind in ("stop", "colon", "negation", "silence", "hedge", "verb", "with"):
            return False
        if kind in joints:
            joint = kind
        elif joint and (s.holds[j] or s.tokens[j].subject is not None):
            return True
    return bool(joint)


def size_in_list(s: Scope, i: int) -> bool:
    return leads_to_size(s, i) and (s.cue.listed or (s.cue.kind == "negation" and _list_goes_on(s, i, ("or",))))
