"""Conditions on cues before findings: the first parts of the table of rules.

Every condition takes the sentence as read so far and the index of the current token; the table says what it decides.
"""

from __future__ import annotations

from itertools import chain, takewhile

from radcal.findings.rules.backward_scope import closes_clause, ends_part
from radcal.findings.rules.modifiers import leaves_open, says_no_change, weighed
from radcal.findings.rules.scope import NO_CUE, UNLIKELY, CueInForce, Scope
from radcal.findings.rules.tokens import FAR, FULL_STOP, PARTS
from radcal.findings.rules.vocabulary import AFFIRMED, MEANS, SEEN, Cue
from radcal.words.records import ABSENT, OTHER
from radcal.words.word_files import NOTHING

AND_GAP = 4
COMMA_GAP = 3
OR_GAP = 3
_INSTEAD_GAP = 2
_OVER_GAP = 2
_UNLESS_BEFORE, _UNLESS_BEHIND, _PLACE_BEFORE = 40, 60, 200
"""Characters around a term, and before it where a place leads on to it, that are searched for what rules it out."""
_PARTS = frozenset(("comma", "stop", "colon", "bracket", "and", "or"))
_SEEN = frozenset(("opacity", "consolidation", "nodule", "mass", "pleural effusion", "pneumothorax", "cardiomegaly"))
"""Observations: a blanked word before one of them is no lost hedge."""
LIKELIER = Cue("hedge", "likely", "before", "near")
QUESTION = Cue("hedge", "question of", "before", "group")
LOST = Cue("hedge", OTHER, "before", "group", 999)


# --- is a finding stated at all ---


def is_ruled_out(s: Scope, i: int) -> bool:
    term, token = s.tokens[i].term, s.tokens[i]
    if term is None or term.unless is None:
        return False
    before, behind = (s.tokens[j] for j in s.before(i)), (s.tokens[j] for j in s.behind(i))
    begin = next((t.end for t in before if t.kind in _PARTS), 0)
    # "with" parts, too: "of the left hemithorax with a shift"
    ends = (
        t.start
        for t in behind
        if t.kind in _PARTS or t.kind == "negation" or s.words["with parts"].whole(s.flat, t.start, t.end)
    )
    start = max(begin, token.start - _UNLESS_BEFORE)
    if (place := _place_before(s, i, begin)) >= 0:
        start = max(place, token.start - _PLACE_BEFORE)
    end = min(len(s.flat), token.end + _UNLESS_BEHIND, next(ends, len(s.flat)))
    return term.unless.search(s.flat, start, end) is not None


def _place_before(s: Scope, i: int, begin: int) -> int:
    """Where the place begins behind whose comma the part at ``begin`` stands: "in the liver, a nodule"; -1 for none."""
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
    ends = (t.start for t in outlook if t.kind in ("stop", "negation") and not s.words["which"].at(s.flat, t.start))
    return term.sign_of.search(s.flat, s.tokens[i].end, next(ends, outlook[-1].end)) is not None


def reaches_organ(s: Scope) -> bool:
    organ, cue = s.organ, s.cue
    if organ.joined:
        return cue.index == organ.state - 1 and not cue.taken
    if cue.index > organ.since or (cue.index == organ.since - 1 and s.fills(*cue.span, "adverbial")):
        return True  # "perhaps the heart is enlarged"
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
    return s.precedes(s.organ.state, "or merely")


# --- does a finding take the cue in force ---


def follows_history(s: Scope, i: int) -> bool:
    if s.cue.kind != "silence" or not s.cue.taken or not s.holds[i - 1]:
        return False
    between, following = (s.tokens[i - 1].end, s.tokens[i].start), s.tokens[i + 1]
    if s.fills(*between, "new thing"):
        return True
    # In German the article may be a genitive: "bekannte Metastasierung eines Karzinoms".
    has_predicate = following.kind == "hedge" and following.cue.direction == "after" and not following.gap
    return has_predicate and s.fills(*between, "another in german")


def is_bare_beyond(s: Scope, i: int) -> bool:
    token, following = s.tokens[i], s.tokens[i + 1]
    if not s.is_bare(i) or s.cue.kind not in ("hedge", "negation"):
        return False
    if s.cue.kind == "hedge":
        return token.gap > 0 or s.flat[token.end - 1] != "s"  # a nodule may be an intrapulmonary lymph node
    return s.cue.taken > 0 and not (following.kind in PARTS and not following.gap)


def has_no_cue(s: Scope, _: int) -> bool:
    return s.cue is NO_CUE or s.cue.resting


# --- does a new statement begin without a sign ---


def size_begins_statement(s: Scope, i: int) -> bool:
    if not s.cue.taken or not s.holds[i - 1]:
        return False
    if not s.tokens[i].gap or s.fills(s.tokens[i - 1].end, s.tokens[i].start, "known thing"):
        return True
    return s.cue.kind == "hedge" and not s.precedes(i, "of")  # "scar from old infarction"


def is_stated_anew(s: Scope, i: int) -> bool:
    token, following = s.tokens[i], s.tokens[i + 1]
    if s.cue.kind == "negation" and not s.cue.taken:
        return s.precedes(i, "unspecific")
    if s.cue.kind not in ("negation", "hedge") or not s.cue.taken or not s.holds[i - 1]:
        return False
    if s.fills(s.tokens[i - 1].end, token.start, "known thing"):
        return True
    if s.cue.kind == "negation" and s.fills(s.tokens[i - 1].end, token.start, "anew"):
        return True
    if s.cue.kind == "hedge" or token.gap > AND_GAP:
        return False
    place = None if token.gap else s.words["a place"].at(s.flat, token.end)
    if place is not None and s.closes_part(place.end()):
        return True
    predicate = following.kind == "verb" and following.cue.phrase != SEEN
    return (predicate and not token.gap + following.gap) or affirms_next(s, i - 1)


def _stays(s: Scope, i: int) -> bool:
    return s.at(i, "stays") and s.tokens[i + 1].gap == 0 and s.tokens[i + 1].kind in ("comma", "stop", "end", "with")


def affirms_next(s: Scope, i: int) -> bool:
    """True if a finding follows that is affirmed: "effusion is unchanged"."""
    found = s.past(i, "", "small")
    if not s.holds[found]:
        return False
    following = s.tokens[found + 1]
    cue = following.cue
    if cue.kind == "hedge" and (cue.predicate or cue.direction == "after"):
        return True
    if cue.kind == "hedge" and cue.direction == "both" and following.gap <= COMMA_GAP and ends_part(s, found + 1):
        return True
    if following.kind == "verb" and not following.gap:
        if following.cue.phrase == AFFIRMED or _stays(s, found + 1):
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
    if cue.direction == "beside":
        return not s.holds[i + 1] or s.tokens[i + 1].gap > 0  # "Erguss, nicht Schwarte"
    if cue.direction == "after":
        return not _is_inverted(s, i)
    return cue.direction == "both" and _follows_its_finding(s, i)


def _is_inverted(s: Scope, i: int) -> bool:
    """True if a predicate stands before what it is about: "it is not excluded a fracture", "seen is no mass"."""
    begin = next((j for j in s.before(i) if s.tokens[j].kind in ("comma", "stop", "colon")), -1)
    opens = s.fills(s.tokens[begin].end if begin >= 0 else 0, s.tokens[i].start, "before an inversion")
    if not opens or any(s.holds[j] or s.tokens[j].subject is not None for j in range(begin + 1, i)):
        return False
    found = s.past(i, "", "small", "verb")
    # "should be considered malignant until proven otherwise"
    governed = s.tokens[found + 1].kind in ("hedge", "negation")
    return s.holds[found] and not governed and sum(t.gap for t in s.tokens[i + 1 : found + 1]) <= AND_GAP


def _follows_its_finding(s: Scope, i: int) -> bool:
    token, before = s.tokens[i], s.tokens[i - 1]
    if not ends_part(s, i):
        return False
    if token.cue.predicate or closes_clause(s, i):
        return True
    if before.kind == "bracket":
        return not token.gap and s.tokens[i + 1].kind == "bracket"  # "atelectasis (favored)"
    if s.holds[i - 1] and s.tokens[i + 1].kind == "comma" and s.fills(before.end, token.start, "in a place"):
        return True  # "pneumonia in the right lower lobe suspected, abscess possible"
    if s.holds[i - 1]:
        return s.fills(before.end, token.start, "adverbs")
    return before.kind == "verb" and token.gap <= 1


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
    if s.at(i, "in place of") and not _is_hedged(s, i):
        phrase = ABSENT
    new = CueInForce(i, kind, phrase, reach, cue.rank, span, clause=_leads_clause(s, i))
    new.resting = kind == "hedge" and reach == "list" and _lists_later(s, i)
    if kind == "negation" and s.at(i, "no"):
        new.until = _verb_of_seeing(s, i)
    return new


def _is_hedged(s: Scope, i: int) -> bool:
    """True if the statement around the token at ``i`` has another hedge."""
    tokens = (takewhile(lambda j: s.tokens[j].cue is not FULL_STOP, side) for side in (s.before(i), s.behind(i)))
    return any(s.tokens[j].kind in ("hedge", "versus") or s.tokens[j].cue.rank for j in chain(*tokens))


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
        if kind == "negation" and s.holds[j - 1] and s.at(j, "nor"):
            return j  # "no A, small B nor C was detected"
        if kind in ("stop", "colon", "verb", "silence") or (kind == "negation" and token.cue.direction != "after"):
            return -1
        if kind in ("hedge", "over") and s.tokens[j - 1].kind == "comma":
            return -1
        if kind in ("comma", "and") and s.follows(j, "its article"):
            return -1  # "no contrast, and a nodule was seen"
        if kind == "small" and s.tokens[j - 1].kind == "and" and s.tokens[j - 2].kind == "comma" and not named:
            return -1  # "no contrast, and small effusions are seen"
    return -1


def _lists_later(s: Scope, i: int) -> bool:
    """True if the subject of a differential stands between it and its list, or the subject of a cause."""
    if s.words["for"].ends(s.flat, s.tokens[i].start, s.tokens[i].end) is None:
        return False
    listed = any(s.tokens[j].kind in ("lists", "colon") for j in s.behind(i))
    return listed or (s.at(i, "cause") and s.follows(i, "the"))


def _leads_clause(s: Scope, i: int) -> bool:
    """True if the cue governs a clause: "it is likely that the opacity ...", "likely this nodule ..."."""
    if s.words["that"].ends(s.flat, s.tokens[i].start, s.tokens[i].end) or s.follows(i, "that"):
        return True
    return i == 0 and not s.tokens[i].gap and s.follows(i, "the")


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


def asks_whether_gone(s: Scope, i: int) -> bool:
    waits = s.cue.kind == "silence" and not s.cue.taken
    return waits and s.coming.kind == "negation" and s.at(i, "gone") and _adjoins(s, i)


def hedges_within_clause(s: Scope, i: int) -> bool:
    return s.cue.clause and s.cue.kind == "hedge" == s.coming.kind and any(s.holds[i + 1 : i + FAR])


def absence_excludes_not(s: Scope, i: int) -> bool:
    if not hedge_is_denied(s, i):
        return False
    return s.at(i, "not excluded") if s.cue.taken else s.at(s.cue.index, "absence") and s.at(i, "argues")


def hedge_is_denied(s: Scope, i: int) -> bool:
    return s.cue.kind == "negation" and s.coming.kind == "hedge" and not (_behind_comma(s, i) or _believes(s, i))


def _believes(s: Scope, i: int) -> bool:
    """True if a speaker's own statement begins at the hedge: "I see no mass and I doubt ..."."""
    return s.at(i, "speaker") or (s.tokens[i - 1].kind == "and" and s.at(i, "believes"))


def hedge_is_asked_about(s: Scope, i: int) -> bool:
    waits = s.cue.kind == "silence" and s.cue.reach != "near" and (not s.cue.taken or s.at(s.cue.index, "asks"))
    return waits and s.coming.kind == "hedge" and not (_behind_comma(s, i) or _is_predicate(s, i))


def _is_predicate(s: Scope, i: int) -> bool:
    """True if the hedge is what a verb says: "the pattern in a patient with HIV is suggestive of pneumonia"."""
    return s.at(i, "to be") or s.precedes(i, "said") or (s.tokens[i - 1].kind == "verb" and not s.tokens[i].gap)


def hedges_hedge(s: Scope, i: int) -> bool:
    return s.cue.kind == "hedge" == s.coming.kind and not (s.cue.taken or s.cue.resting) and _adjoins(s, i)


def hedges_history(s: Scope, i: int) -> bool:
    denies_past = s.cue.kind == "negation" and s.at(i, "past")  # "kein Hinweis auf stattgehabte Aspiration"
    waits = (s.cue.kind == "hedge" or denies_past) and s.cue.reach != "near" and not s.cue.taken
    return waits and s.coming.kind == "silence" and s.coming.reach != "near" and _adjoins(s, i)


# --- words that bring a cue of their own ---


def _leads_to_finding(s: Scope, i: int) -> bool:
    """True if a finding stands right behind, whatever its size: "than mild edema"."""
    found = s.past(i, "small")
    return s.holds[found] and sum(t.gap for t in s.tokens[i + 1 : found + 1]) <= _INSTEAD_GAP


def is_likelier(s: Scope, i: int) -> bool:
    if not s.at(i, "than") or not _leads_to_finding(s, i):
        return False
    before = next((s.tokens[j].cue for j in s.before(i) if s.tokens[j].kind not in ("", "small")), Cue(""))
    return (before.kind, before.phrase) == (UNLIKELY.kind, UNLIKELY.phrase)


def is_less_favored(s: Scope, i: int) -> bool:
    if not _leads_to_finding(s, i):
        return False
    if s.tokens[i - 1].kind == "hedge" and _follows_its_finding(s, i - 1):
        return True
    next_to = s.cue.index == i - 1 and not s.tokens[i].gap  # "favored over tumor"
    if not s.at(i, "than"):
        return s.cue.kind == "hedge" and (s.cue.taken > 0 or next_to)
    start = s.tokens[i].start
    begin = next((s.tokens[j].end for j in s.before(i) if s.tokens[j].kind in _PARTS), 0)
    if s.within(max(begin, start - _UNLESS_BEHIND), start, "rather"):
        return True  # "eher postentzündlich als tumorös"
    weighs = s.within(*s.cue.span, "more")  # "more likely a bone island than cancer"
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


def awaits_clause(s: Scope, i: int) -> bool:
    waits = s.cue.kind in ("hedge", "silence") and not s.cue.taken
    return waits and s.cue.index == i - 1 and s.tokens[i].gap <= 1 and s.at(i, "clause")


def lists_begin(s: Scope, i: int) -> bool:
    return s.cue.kind == "hedge" and s.cue.reach == "list" and (s.cue.resting or s.tokens[i].kind == "lists")


def leads_on(s: Scope, i: int) -> bool:
    if s.cue.kind not in ("hedge", "negation") or s.cue.index != i - 1 or s.tokens[i].gap:
        return False
    if s.cue.kind == "negation" and s.tokens[s.cue.index - 1].kind == "colon":
        return False  # "Effusion: none seen - likely pneumonia"
    if s.cue.kind == "hedge" and (s.cue.reach == "list" or s.tokens[s.cue.index - 1].kind in ("end", "stop")):
        return True
    return " " in s.flat[slice(*s.cue.span)]  # a short negation may be another word: "Accession no: 12"


def is_about_verb(s: Scope, i: int) -> bool:
    if not s.cue.taken or not s.cue.clause or s.cue.kind != "hedge":
        return False
    means = s.tokens[i].cue.phrase == MEANS or s.tokens[i + 1].gap <= 1
    return means and s.holds[s.past(i, "small", "either", "blank")]


def goes_with_hedged(s: Scope, i: int) -> bool:
    following = s.tokens[i + 1]
    if s.cue.kind != "hedge" or not s.cue.taken:
        return s.cue.kind == "hedge"
    if following.kind == "small" or not s.holds[i + 1] or s.at(i, "reason"):
        return False
    return s.fills(s.tokens[i].end, following.start, "beside a hedged finding")


# --- how far a cue reaches through a list ---


def ends_subordinate(s: Scope, i: int) -> bool:
    return s.cue.kind == "hedge" and s.words["subordinate"].at(s.flat, 0) is not None and s.follows(i, "its article")


def names_again(s: Scope, i: int) -> bool:
    if s.cue.kind != "hedge" or not s.cue.taken or not s.holds[i - 1] or not s.holds[i + 1]:
        return False
    inner, behind = s.tokens[i + 1], s.tokens[i + 2]
    return s.tokens[i].kind == "bracket" and not inner.gap and not behind.gap and behind.kind == "bracket"


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
    if not s.cue.taken and not s.fills(s.cue.span[1], s.tokens[i].start, "noun"):
        return False  # "kein flächiges, konfluierendes Infiltrat"
    begin, end = s.tokens[i].end, s.tokens[found].start
    if s.fills(begin, end, "own article"):
        return s.words["of case"].ends(s.flat, *s.cue.span) is None
    if not s.at(s.cue.index, "none again"):
        return False
    if s.fills(begin, end, "elsewhere"):
        return True
    return end - begin <= 1 and (_is_repeated(s) or s.follows(found, "side behind"))  # "kein Pneu, Erguss links"


def _is_repeated(s: Scope) -> bool:
    """True if the "kein" in force follows a comma and what another one denies: "kein Pneu, kein Erguss"."""
    comma = s.tokens[s.cue.index - 1]
    if comma.kind != "comma" or s.tokens[s.cue.index].gap:
        return False
    for j in s.before(s.cue.index - 1):
        if s.tokens[j].kind in ("negation", "stop", "verb"):
            return s.at(j, "none again")
    return False


def names_unlisted(s: Scope, i: int) -> bool:
    """True if a German hedge has had its complement, which is no pathology: "am ehesten Kontusionen, Erguss"."""
    if s.cue.kind != "hedge" or s.cue.taken or s.cue.index != i - 1 or not 0 < s.tokens[i].gap < COMMA_GAP:
        return False
    return s.fills(*s.cue.span, "hedging adverb") and not s.within(s.cue.span[1], s.tokens[i].start, "no name")


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
