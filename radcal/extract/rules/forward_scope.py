"""When a cue governs the findings behind it: the conditions of the first parts of the table of rules.

Every condition takes the sentence as read so far and the index of the token in question.
"""

from __future__ import annotations

import re

from radcal.extract.rules.backward_scope import ends_part
from radcal.extract.rules.modifiers import is_landmark, leaves_open, says_no_change, weighed
from radcal.extract.rules.scope import NO_CUE, UNLIKELY, CueInForce, Scope
from radcal.extract.rules.tokens import FAR
from radcal.extract.rules.vocabulary import MEANS, NOTHING, Cue
from radcal.records import OTHER

AND_GAP = 4
COMMA_GAP = 3
OR_GAP = 3
_INSTEAD_GAP = 2
_OVER_GAP = 2
_UNLESS_BEFORE, _UNLESS_BEHIND = 40, 60
"""Characters around a term in which words that rule it out count."""
_DISEASE_LONG = 20
_PARTS = frozenset(("comma", "stop", "colon", "bracket", "and", "or"))
_SEEN = frozenset(("opacity", "consolidation", "nodule", "mass", "pleural effusion", "pneumothorax", "cardiomegaly"))
"""A blanked word before one of these is not taken for a lost hedge."""
LIKELIER = Cue("hedge", "likely", "before", "near")
QUESTION = Cue("hedge", "question of", "before", "group")
LOST = Cue("hedge", OTHER, "before", "group", 999)

_BESIDES = re.compile(
    r"(?:\s*(?:associated|adjacent|overlying|underlying|adjoining|compressive|superimposed|post\s*obstructive|secondary"
    r"|accompanying|surrounding|asymmetric|dependent|interstitial|alveolar|(?:a\s+)?component\s+of|relaxation|passive"
    r"|basilar|basal|bibasilar|lower\s+lobe|left|right|or\s+without))*\s*"
)
"""Between "with" and a finding that is as certain as the one it goes with: "likely effusion with adjacent collapse"."""
_AFFIRMS = re.compile(r"\s+(?:also |again |now )?(?:present|noted|evident|there)\b")
"""Behind "is": what says that a finding is there. ("Seen" ends lists of what is not, too.)"""
_DISEASE = re.compile(r"\b(?:disease|process|findings?|abnormalit(?:y|ies))\s+$")
_CLAUSE = re.compile(r"(?:there|this|these|it)\b")
_THAT = re.compile(r"\s*that\b")
_LEADS_ON = re.compile(r"\s*(?:this|these|the)\b")
_NOT_EXCLUDED = re.compile(r"(?:can|could|do|does)(?:not|n?\s+(?:not|t))\b")
_NEW_THING = re.compile(r"\s*(?:an?|the|this|these)\s+(?:\w+\s+){0,2}")
_GONE = re.compile(r"(?:(?:complete|interval)\s+)*(?:resolution|clearing|clearance|absence)\s+of\b")
_ARTICLE = re.compile(r"\s*(?:an?|the|this|there|these)\b")
_ONE = re.compile(r"\(\s*(?:an?|the|one|this|there)\b")
_SUBORDINATE = ("while ", "although ", "though ", "even though ", "whereas ")


# --- is a finding stated at all ---


def is_ruled_out(s: Scope, i: int) -> bool:
    """Whether words of the same part of the sentence say that the term is something else."""
    term, token = s.tokens[i].term, s.tokens[i]
    if term is None or term.unless is None:
        return False
    start, end = max(0, token.start - _UNLESS_BEFORE), min(len(s.flat), token.end + _UNLESS_BEHIND)
    for before in reversed(s.tokens[max(0, i - FAR) : i]):
        if before.end <= start or before.kind in _PARTS:
            start = max(start, before.end)
            break
    for behind in s.tokens[i + 1 : i + 1 + FAR]:
        another = behind.kind == "with" and s.words(behind) == "with"  # "of the left hemithorax with a shift"
        if behind.start >= end or behind.kind in _PARTS or behind.kind == "negation" or another:
            end = min(end, behind.start)
            break
    return term.unless.search(s.flat, start, end) is not None


def is_sign_of_named(s: Scope, i: int) -> bool:
    """Whether what a sign is of is named further on in the same statement."""
    term = s.tokens[i].term
    if term is None or term.sign_of is None:
        return False
    ahead = s.tokens[i + 1 : i + FAR]
    ends = (t.start for t in ahead if t.kind in ("stop", "negation") and not s.flat.startswith("which", t.start))
    stop = next(ends, ahead[-1].end if ahead else s.tokens[i].end)
    return term.sign_of.search(s.flat, s.tokens[i].end, stop) is not None


def _reaches_organ(s: Scope, _: int) -> bool:
    organ, cue = s.organ, s.cue
    if cue is NO_CUE:
        return False
    if organ.joined:
        return cue.index == organ.state - 1 and not cue.taken
    if cue.index > organ.since or cue.kind != "negation" or cue.taken:
        return cue.index > organ.since
    return all(t.kind not in ("comma", "and") for t in s.tokens[cue.index : organ.since])


def denies_health(s: Scope, i: int) -> bool:
    return s.organ.absent and s.cue.kind in ("negation", "silence") and _reaches_organ(s, i)


def is_organ_out_of_reach(s: Scope, i: int) -> bool:
    return not s.organ.joined and not _reaches_organ(s, i)


# --- does a finding take the cue in force ---


def follows_history(s: Scope, i: int) -> bool:
    if s.cue.kind != "silence" or not s.cue.taken or not s.holds[i - 1]:
        return False
    return _NEW_THING.fullmatch(s.flat, s.tokens[i - 1].end, s.tokens[i].start) is not None


def has_no_cue(s: Scope, _: int) -> bool:
    return s.cue is NO_CUE or s.cue.resting


def is_known_place(s: Scope, i: int) -> bool:
    return s.cue.kind != "silence" and s.cue.taken > 0 and is_landmark(s.flat, s.tokens[i])


# --- does a new statement begin without a sign ---


def size_begins_statement(s: Scope, i: int) -> bool:
    if not s.cue.taken:
        return False
    return s.holds[i - 1] and (not s.tokens[i].gap or s.cue.kind == "hedge")


def size_follows_nothing(s: Scope, i: int) -> bool:
    if s.cue.taken or s.cue.kind != "negation":
        return False
    start = s.tokens[i].start
    return _DISEASE.search(s.flat, max(s.cue.end, start - _DISEASE_LONG), start) is not None


def is_stated_anew(s: Scope, i: int) -> bool:
    if s.cue.kind != "negation" or not s.cue.taken or not s.holds[i - 1]:
        return False
    return s.tokens[i].gap <= AND_GAP and affirms_next(s, i - 1)


def affirms_next(s: Scope, i: int) -> bool:
    """Whether what follows is a finding said to be there."""
    for j in range(i + 1, min(len(s.tokens), i + FAR)):
        if s.holds[j]:
            return _is_affirmed(s, j)
        if s.tokens[j].kind not in ("", "small"):
            return False
    return False


def _is_affirmed(s: Scope, j: int) -> bool:
    later = s.tokens[j + 1 : j + 3]
    if not later:
        return False
    cue = later[0].cue
    if cue.kind == "hedge" and (cue.predicate or cue.direction == "after"):
        return True
    if later[0].kind == "verb" and not later[0].gap:
        if _AFFIRMS.match(s.flat, later[0].end):
            return True
        later = later[1:]
    return bool(later) and not later[0].gap and (later[0].kind == "small" or later[0].state == {})


# --- words that are read over, and a cue that comes while another is in force ---


def hedges_next(s: Scope, i: int) -> bool:
    """Whether words that are otherwise read over hedge the finding right behind them: "likely old fracture"."""
    cue = s.tokens[i].cue
    if not cue.rank:
        return False
    words = 0
    for j in range(i + 1, min(len(s.tokens), i + FAR)):
        words += s.tokens[j].gap
        if s.tokens[j].kind in ("or", "versus"):
            words = 0  # "likely reactive airways disease or viral infection"
        elif words > _OVER_GAP or not (s.holds[j] or s.tokens[j].kind == "small" or s.tokens[j].subject == NOTHING):
            return False
        if s.holds[j]:
            return True
    return False


def denies_change_only(s: Scope, i: int) -> bool:
    return s.cue.kind == "negation" and says_no_change(s.flat, s.tokens[i]) and not hedges_next(s, i)


def looks_back(s: Scope, i: int) -> bool:
    """Whether a cue follows its finding: "effusion possible, atelectasis ..."."""
    cue = s.tokens[i].cue
    return cue.direction == "after" or (cue.direction == "both" and follows_its_finding(s, i))


def follows_its_finding(s: Scope, i: int) -> bool:
    token, cue = s.tokens[i], s.tokens[i].cue
    if not ends_part(s.tokens, s.flat, i):
        return False
    if cue.predicate:
        return True
    before = s.tokens[i - 1] if i else None
    if before is None:
        return False
    if before.kind == "bracket" and i + 1 < len(s.tokens):
        return not token.gap and s.tokens[i + 1].kind == "bracket"  # "atelectasis (favored)"
    return (before.kind == "verb" and token.gap <= 1) or (s.holds[i - 1] and token.gap == 0)


def coming(s: Scope, i: int) -> CueInForce:
    """The cue at ``i`` as it would come into force."""
    if s.coming.index != i:
        s.coming = _cue_at(s, i)
    return s.coming


def _cue_at(s: Scope, i: int) -> CueInForce:
    token = s.tokens[i]
    cue, start, end = token.cue, token.start, token.end
    if cue.kind == "silence" and leaves_open(s.flat, token):
        cue = QUESTION
    phrase, kind, reach = cue.phrase, cue.kind, cue.reach
    if kind == "over":
        kind, reach = "hedge", "group"
    if kind == "hedge" and (weight := weighed(s.flat, token)):
        phrase, start, end = weight
    new = CueInForce(i, kind, phrase, reach, cue.rank, start, end, clause=_leads_clause(s, i))
    new.resting = kind == "hedge" and reach == "list" and _lists_later(s, i)
    return new


def _lists_later(s: Scope, i: int) -> bool:
    """Whether what a differential is of stands between it and its list."""
    if not s.flat.endswith((" for", " of"), 0, s.tokens[i].end):
        return False
    return any(t.kind == "lists" for t in s.tokens[i + 1 : i + FAR])


def _leads_clause(s: Scope, i: int) -> bool:
    """Whether a clause hangs on the cue: "it is likely that the opacity ...", "likely this nodule ..."."""
    end = s.tokens[i].end
    if s.flat.endswith("that", 0, end) or _THAT.match(s.flat, end):
        return True
    return i == 0 and not s.tokens[i].gap and _LEADS_ON.match(s.flat, end) is not None


def _adjoins(s: Scope, i: int) -> bool:
    """Whether hardly a word stands between the cue in force and the token at ``i``."""
    if i - s.cue.index > FAR:
        return False
    between = s.tokens[s.cue.index + 1 : i + 1]
    return sum(t.gap for t in between) <= COMMA_GAP and not any(t.kind == "comma" for t in between[:-1])


def _behind_comma(s: Scope, i: int) -> bool:
    return s.tokens[i].gap <= COMMA_GAP and s.tokens[i - 1].kind == "comma"


def has_clear_way(s: Scope, _: int) -> bool:
    return s.cue is NO_CUE or (s.cue.clause and not s.cue.taken and s.cue.kind != "negation")


def asks_whether_gone(s: Scope, i: int) -> bool:
    if coming(s, i).kind != "negation" or s.cue.kind != "silence" or s.cue.taken:
        return False
    return _GONE.match(s.flat, s.tokens[i].start) is not None and _adjoins(s, i)


def hedges_within_clause(s: Scope, i: int) -> bool:
    if not s.cue.clause or s.cue.kind != "hedge" or coming(s, i).kind != "hedge":
        return False
    return any(s.holds[i + 1 : i + FAR])


def absence_excludes_not(s: Scope, i: int) -> bool:
    return hedge_is_denied(s, i) and s.cue.taken > 0 and _NOT_EXCLUDED.match(s.flat, s.tokens[i].start) is not None


def hedge_is_denied(s: Scope, i: int) -> bool:
    return s.cue.kind == "negation" and coming(s, i).kind == "hedge" and not _behind_comma(s, i)


def hedge_is_asked_about(s: Scope, i: int) -> bool:
    waits = s.cue.kind == "silence" and s.cue.reach != "near" and not s.cue.taken
    return waits and coming(s, i).kind == "hedge" and not _behind_comma(s, i)


def hedges_hedge(s: Scope, i: int) -> bool:
    return s.cue.kind == "hedge" == coming(s, i).kind and not s.cue.taken and _adjoins(s, i)


def hedges_history(s: Scope, i: int) -> bool:
    new = coming(s, i)
    if s.cue.kind != "hedge" or s.cue.reach == "near" or s.cue.taken or new.kind != "silence":
        return False
    return new.reach != "near" and _adjoins(s, i)


# --- words that bring a cue of their own ---


def _leads_to_finding(s: Scope, i: int) -> bool:
    """Whether a finding stands right behind the token at ``i``, whatever its size: "than mild edema"."""
    j = i + 1
    while j < min(len(s.tokens), i + FAR) and s.tokens[j].kind == "small" and not s.holds[j]:
        j += 1
    return j < len(s.tokens) and s.holds[j] and sum(t.gap for t in s.tokens[i + 1 : j + 1]) <= _INSTEAD_GAP


def is_likelier(s: Scope, i: int) -> bool:
    """Whether "than" compares with what is less likely."""
    if not s.flat.startswith("than", s.tokens[i].start) or not _leads_to_finding(s, i):
        return False
    for j in range(i - 1, max(-1, i - FAR), -1):
        cue = s.tokens[j].cue
        if cue.kind == "hedge":
            return cue.phrase == UNLIKELY.phrase
        if s.tokens[j].kind not in ("", "small"):
            return False
    return False


def is_less_favored(s: Scope, i: int) -> bool:
    if not _leads_to_finding(s, i):
        return False
    if i > 0 and s.tokens[i - 1].kind == "hedge" and follows_its_finding(s, i - 1):
        return True
    next_to = s.cue.index == i - 1 and not s.tokens[i].gap  # "favored over tumor"
    return s.cue.kind == "hedge" and (s.cue.taken > 0 or next_to)


def is_lost_hedge(s: Scope, i: int) -> bool:
    """Whether a word was blanked between what is seen and its cause."""
    return s.tokens[i].kind == "blank" and has_no_cue(s, i) and _blanks_before_cause(s, i) and _blank_joins(s, i)


def _blanks_before_cause(s: Scope, i: int) -> bool:
    """Whether blanked words, and a size at most, stand right before a finding that explains others."""
    after = i + 1
    while after < min(len(s.tokens), i + FAR) and s.tokens[after].kind == "blank" and s.tokens[after].gap == 0:
        after += 1
    if after < len(s.tokens) and s.tokens[after].kind == "small" and s.tokens[after].gap == 0:
        after += 1
    if after >= len(s.tokens) or s.tokens[after].gap > _blank_after_comma(s, i):
        return False
    term = s.tokens[after].term
    return term is not None and bool(term.pathologies) and not set(term.pathologies) & _SEEN


def _blank_after_comma(s: Scope, i: int) -> bool:
    return i > 0 and s.tokens[i - 1].kind == "comma" and not s.tokens[i].gap


def _blank_joins(s: Scope, i: int) -> bool:
    """Whether blanked words stand behind a comma, or somewhere behind a shadow that they explain."""
    if not i or (not s.tokens[i].gap and s.tokens[i - 1].kind in ("with", "and", "or", "small", "verb", "blank")):
        return False
    if _blank_after_comma(s, i):
        return True
    for j in range(i - 1, max(-1, i - FAR), -1):
        if s.tokens[j].kind in ("stop", "colon", "with", "negation"):
            return False
        if s.mentions.get(j) and s.describes(j):
            return True
    return False


# --- what ends a cue: a full stop, a colon, a verb, "with" ---


def awaits_clause(s: Scope, i: int) -> bool:
    """Whether the cue's finding can only be in the clause that begins here."""
    cue, token = s.cue, s.tokens[i]
    if cue.index != i - 1 or token.gap > 1 or cue.taken or cue.kind not in ("hedge", "silence"):
        return False
    return _CLAUSE.match(s.flat, token.start) is not None


def history_leads_on(s: Scope, i: int) -> bool:
    return s.cue.kind == "silence" and s.cue.index == i - 1 and not s.tokens[i].gap


def hedge_leads_on(s: Scope, i: int) -> bool:
    if s.cue.kind != "hedge" or s.cue.index != i - 1 or s.tokens[i].gap:
        return False
    return s.cue.reach == "list" or " " in s.flat[s.cue.start : s.cue.end]


def is_about_verb(s: Scope, i: int) -> bool:
    """Whether a hedge over a clause is about what the clause's verb says: "it is likely that X represents Y"."""
    if not s.cue.taken or not s.cue.clause or s.cue.kind != "hedge":
        return False
    following = i + 1
    while following < min(len(s.tokens), i + FAR) and s.tokens[following].kind in ("small", "either", "blank"):
        following += 1
    if following == len(s.tokens) or not s.holds[following]:
        return False
    cue = s.tokens[i].cue
    return cue.phrase == MEANS or s.tokens[i + 1].gap <= 1


def goes_with_hedged(s: Scope, i: int) -> bool:
    if s.cue.kind != "hedge":
        return False
    following = s.tokens[i + 1] if i + 1 < len(s.tokens) else None
    if not s.cue.taken or following is None or following.kind == "small":
        return not s.cue.taken
    return s.holds[i + 1] and _BESIDES.fullmatch(s.flat, s.tokens[i].end, following.start) is not None


# --- how far a cue reaches through a list ---


def ends_subordinate(s: Scope, i: int) -> bool:
    opens = s.cue.kind == "hedge" and s.flat.startswith(_SUBORDINATE)
    return opens and _ARTICLE.match(s.flat, s.tokens[i].end) is not None


def opens_aside(s: Scope, i: int) -> bool:
    return s.tokens[i].kind == "bracket" and _ONE.match(s.flat, s.tokens[i].start) is not None


def leads_to_size(s: Scope, i: int) -> bool:
    return s.tokens[i + 1].kind == "small" and not s.tokens[i + 1].gap


def denial_ends_at_comma(s: Scope, i: int) -> bool:
    if s.cue.kind != "negation":
        return False
    return (leads_to_size(s, i) or affirms_next(s, i)) and not _list_goes_on(s, i, ("or",))


def goes_with_another(s: Scope, i: int) -> bool:
    return not s.cue.taken and s.cue.index == i - 1 and s.tokens[i + 1].kind == "with"


def hedge_ends_before_affirmed(s: Scope, i: int) -> bool:
    apart = s.cue.index < i - 1 or s.tokens[i].gap > 0
    return not s.cue.taken and apart and affirms_next(s, i)


def next_is_alternative(s: Scope, i: int) -> bool:
    leads = s.holds[i + 1] and not s.tokens[i + 1].gap
    return leads and (s.cue.reach == "list" or s.cue.alternative)


def list_reaches_end(s: Scope, i: int) -> bool:
    """Whether the comma is the one before the "and" of a list that the cue stands before."""
    return s.tokens[i + 1].kind == "and" and s.cue.listed and not s.tokens[i + 1].gap


def is_in_list(s: Scope, i: int) -> bool:
    """Whether the comma is one of a list "A, B, or C", so that the hedge before A reaches C."""
    following = s.tokens[i + 1]
    if following.kind == "and" or not s.holds[i + 1] or following.gap > OR_GAP:
        return False
    return _list_goes_on(s, i, ("or", "versus", "and"))


def _list_goes_on(s: Scope, i: int, joints: tuple[str, ...]) -> bool:
    """Whether the comma at ``i`` belongs to a list "A, B, or C"."""
    joined, joint = False, ""
    for j in range(i + 1, min(len(s.tokens), i + FAR)):
        kind = s.tokens[j].kind
        if kind == "stop" and joint in ("or", "versus"):
            return True  # "atelectasis, pneumonia or both."
        if kind in ("stop", "colon", "negation", "silence", "hedge", "verb", "with"):
            return False
        if kind in joints:
            joined, joint = True, kind
        elif joined and (s.holds[j] or s.tokens[j].subject is not None):
            return True
    return joined


def size_in_list(s: Scope, i: int) -> bool:
    if not leads_to_size(s, i):
        return False
    return s.cue.listed or (s.cue.kind == "negation" and _list_goes_on(s, i, ("or",)))
