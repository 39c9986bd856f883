"""Conditions on cues behind findings: "effusion not seen", "pneumonia or edema is possible".

Every condition takes the sentence as read so far and the index of the current token; the table says what it decides.
"""

from __future__ import annotations

import re

from radcal.findings.rules.modifiers import is_condition
from radcal.findings.rules.scope import Scope
from radcal.findings.rules.tokens import FAR, Token
from radcal.findings.rules.vocabulary import CAUSE
from radcal.words.records import ABSENT

_WORD = re.compile(r"[a-z0-9]+")
_NEXT_WORD = re.compile(r"\s*[a-z]{3}")
"""A word that is long enough to complete a hedge."""
_NAME_LONG = 4
"""Words that a name of something other than a finding is shorter than."""
_KNOWN_BEFORE = 120
"""Characters before a denial that are searched for what makes its finding a known one."""
_SIDE_GAP = 2
"""Most plain words between the second of two cues for two sides and their finding."""
_BACK_GAP, _DENIED_GAP = 12, 20
"""Plain words between a finding and the cue behind it, and a verb that denies it."""


def ends_part(s: Scope, i: int) -> bool:
    """True if nothing but adverbs follows in this part of the sentence."""
    end, following = s.tokens[i].end, s.tokens[i + 1]
    asked = s.tokens[i].start
    place = next((j for j in s.behind(i) if s.tokens[j].kind != "over"), len(s.tokens) - 1)
    if place > i + 1 and s.fills(end, s.tokens[place].start, "adverbs"):
        end, following = s.tokens[place - 1].end, s.tokens[place]  # "fraglich im UL li."
    if (
        s.flat.startswith("?", asked)
        and s.flat[asked - 1 : asked].isalnum()
        and not s.flat[asked + 1 : asked + 2].strip()
    ):
        return True  # "pneumonia? hemorrhage?"
    if following.kind == "over" and not following.gap and s.at(i + 1, "here"):
        return True
    if following.kind == "with" and following.cue.phrase == CAUSE:
        return False  # "opacity is likely due to atelectasis"
    if following.subject is not None and s.at(i, "none"):
        return True  # "lungs clear effusions none heart normal"
    if following.kind not in ("comma", "stop", "colon", "bracket", "with", "and", "instead", "end"):
        return False
    name = "adverbs or a place" if s.tokens[i].kind == "hedge" else "adverbs"
    adverbs = s.words[name].at(s.flat, end, following.start)
    return not following.gap or (adverbs is not None and not _WORD.search(s.flat, adverbs.end(), following.start))


def closes_clause(s: Scope, i: int) -> bool:
    """True if a German adjective ends its part and is about a finding in that part: "Erguss links fraglich"."""
    token = s.tokens[i]
    if not (s.at(i, "copula") or s.fills(token.start, token.end, "predicative")) or not ends_part(s, i):
        return False
    for j in s.before(_before_circumstance(s, i)):
        if s.holds[j]:
            return True
        if s.tokens[j].kind in ("comma", "stop", "colon", "bracket", "and", "or", "hedge", "negation", "silence"):
            return j > 0 and not s.fills(s.tokens[j].end, token.start, "its adverbs")  # "Mamille wahrscheinlich"
    return False


# --- findings that the cue names again in other words ---


def excepts(s: Scope, i: int) -> bool:
    return s.at(i, "except") and s.select(m for m in s.named_before(i) if m.phrase == ABSENT and not m.fixed)


def is_of_one_of_two(s: Scope, i: int) -> bool:
    token = s.tokens[i]
    if token.kind == "silence":
        return False
    if _is_of_complement(s, i):
        return True
    if token.kind == "hedge" and s.precedes(i, "all of them are"):
        last = s.named_before(i)
        cue = last[0].cue if last else None
        return cue is not None and s.select(m for j in s.before(i) for m in s.mentions.get(j, ()) if m.cue == cue)
    latter = s.follows(i, "the latter") or s.precedes(i, "latter before")
    if not (latter or s.follows(i, "the former") or s.precedes(i, "former before")):
        return False
    two = [j for j in range(max(0, i - FAR), i) if s.mentions.get(j)][-2:]
    return len(two) > 1 and s.select(s.mentions[two[latter]])


def _is_of_complement(s: Scope, i: int) -> bool:
    """True if German puts what is suspected before the word: "auf eine Pneumonie verdächtig"."""
    token, denied = s.tokens[i], s.words["denies"].at
    if not s.holds[i - 1] or token.gap or not s.fills(token.start, token.end, "suspect"):
        return False
    if not s.precedes(i - 1, "for which"):
        return False
    return s.select(m for m in s.mentions.get(i - 1, ()) if not (m.cue and denied(s.flat, m.cue[0])) and not m.fixed)


def shares_name(s: Scope, i: int) -> bool:
    side = s.words["one side"].at(s.flat, s.tokens[i].end)
    if s.tokens[i].kind not in ("hedge", "negation") or s.tokens[i].cue.direction == "after" or side is None:
        return False
    joint = next((j for j in s.behind(i) if s.tokens[j].start >= side.end()), len(s.tokens) - 1)
    if s.tokens[joint].start != side.end() or s.tokens[joint].kind not in ("hedge", "negation", "small"):
        return False
    named = s.past(joint, "small", "")
    return s.select(m for m in s.mentions.get(named, ())[:1] if s.tokens[named].gap <= _SIDE_GAP)


def names_another(s: Scope, i: int) -> bool:
    none = s.at(i, "none") and s.follows(i, "on the other side")
    place = s.words["next place"].at(s.flat, s.tokens[i].end) if s.tokens[i - 1].kind == "and" else None
    more = s.follows(i, "one more") or (place is not None and s.closes_part(place.end()))
    if s.tokens[i].kind == "silence" or not (none or more):
        return False
    if s.tokens[i].cue.direction == "both" and _answers_heading(s, i):
        return False
    return s.select(s.named_before(i))


def is_of_another(s: Scope, i: int) -> bool:
    token = s.tokens[i]
    if token.kind == "silence":
        return False
    if token.kind == "hedge" and not token.gap and s.at(i - 1, "turns"):
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
    if not s.fills(s.tokens[begin].end, token.start, "another"):
        return False
    return s.select(s.named_before(begin))


def _is_on_other_side(s: Scope, comma: int, i: int) -> bool:
    """True if only the one side stands between the comma and the cue, and only the other with the finding before."""
    alone = s.words["the other side"].at(s.flat, s.tokens[comma].end)
    if comma != i - 1 or alone is None or alone.end() < s.tokens[i].start:
        return False
    begin = next((s.tokens[j].end for j in s.before(comma) if s.tokens[j].kind in ("comma", "stop")), 0)
    here = {side for side in ("left", "right") if s.within(s.tokens[comma].end, s.tokens[i].end, side)}
    there = {side for side in ("left", "right") if s.within(begin, s.tokens[comma].start, side)}
    return len(here) == 1 and bool(there) and not here & there


# --- whether the cue refers to what precedes it ---


def answers(s: Scope, i: int) -> bool:
    question, following = s.tokens[i - 1], s.tokens[i + 1]
    alone = not s.tokens[i].gap and following.kind in ("comma", "stop", "end")
    return alone and s.flat.startswith("?", question.start) and s.select(s.named_before(i))


def looks_ahead(s: Scope, i: int) -> bool:
    cue = s.tokens[i].cue
    if cue.direction == "before":
        return True
    if _answers_heading(s, i) or s.words["neither at its end"].ends(s.flat, s.tokens[i].start, s.tokens[i].end):
        return False
    both = cue.direction == "both" and not cue.predicate
    partial = both or cue.direction == "beside" or (cue.kind == "hedge" and cue.reach == "near")
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
    adverbial = cue.predicate and s.words["adverbial"].ends(s.flat, s.tokens[i].start, s.tokens[i].end)
    if not s.follows(i, "is about") and not (adverbial and _has_complement(s, i)):
        return False
    return not (_answers_heading(s, i) and s.follows(i, "one more"))  # "effusion: perhaps a tiny one"


def _has_complement(s: Scope, i: int) -> bool:
    """True if the word behind a hedge says what the finding is, not that it is there."""
    end = s.tokens[i].end
    if s.flat.startswith(",", end) and s.words["in all likelihood"].ends(s.flat, s.tokens[i].start, end + 1):
        end += 1
    word = _NEXT_WORD.match(s.flat, end)
    return word is not None and s.words["no complement"].at(s.flat, end) is None


def denies_exclusion(s: Scope, i: int) -> bool:
    denied = (m for j in s.before(i) for m in s.mentions.get(j, ()) if m.phrase == ABSENT)
    if s.tokens[i].kind != "negation" or not s.at(i, "can be excluded"):
        return False
    return s.select(m for m in denied if m.cue and s.words["neither"].at(s.flat, m.cue[0]))


def is_of_unlisted(s: Scope, i: int) -> bool:
    token, comma = s.tokens[i], s.tokens[i - 1]
    if token.kind == "hedge" and s.is_bare(_head_of(s, i)):
        return True  # "nodule (lymph node?)"
    if token.kind == "negation":  # "frische Thromben fehlen"
        comma = s.tokens[next((j for j in s.before(i) if s.tokens[j].kind != "small"), i - 1)]
    if token.kind == "silence" and s.at(i, "requested"):
        return comma.kind == "comma" and token.gap > 0  # "Erguss, Kontrolle erbeten"
    if token.kind == "hedge" and comma.kind == "and" and s.tokens[i - 2].kind == "comma":
        return s.fills(comma.end, token.start, "new subject")
    if token.kind != "hedge" and not s.at(i, "denies a name"):
        return False
    if comma.kind != "comma" or not 0 < token.gap < _NAME_LONG or token.cue.predicate:
        return False
    if token.kind != "hedge" and s.fills(comma.end, token.start, "its adverbs"):
        return False  # "Erguss rechts, aktuell keiner"
    number = any(map(str.isdigit, s.flat[comma.end : token.start]))
    return not number and (token.kind != "hedge" or not s.within(comma.end, token.start, "placed"))


def is_setting(s: Scope, i: int) -> bool:
    if not s.at(i, "setting"):
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
    return s.tokens[i].kind == "stop" and (s.flat[s.tokens[i].start] in ".;" or s.at(i, "turns away"))


def is_of_attribute(s: Scope, i: int) -> bool:
    head = _head_of(s, i)
    if head < 0:
        return False
    # "whether the effusion is new is unclear"
    new = s.tokens[i].kind == "hedge" and s.fills(s.tokens[head].end, s.tokens[i].start, "is new")
    return new or s.precedes(head, "attribute of")  # "the cause of the effusion"


def is_of_something_there(s: Scope, i: int) -> bool:
    """True if the finding is only where something unlisted is that the cue is about: "gas in the effusion not seen"."""
    head = _head_of(s, i)
    if head < 0 or s.tokens[i].kind == "silence":
        return False
    start = s.tokens[head].start
    begin = next((s.tokens[j].end for j in s.before(head) if s.tokens[j].kind in ("comma", "stop", "colon", "and")), 0)
    place = s.words["inside the"].ends(s.flat, begin, start)
    if place is None:
        return False
    if not s.fills(begin, place.start(), "adverbs"):
        return True
    return not s.fills(s.tokens[head].end, s.tokens[i].start, "adverbs or a place")  # "in the mass, gas is not seen"


def depends(s: Scope, i: int) -> bool:
    if not is_condition(s, i):
        return False
    end = next((j for j in s.behind(i) if ends_statement(s, j)), len(s.tokens))
    return s.select(m for j in range(i + 1, min(end, i + FAR)) for m in s.mentions.get(j, ()) if not m.fixed)


def takes_back(s: Scope, i: int) -> bool:
    kind, start = s.tokens[i].kind, s.tokens[i].start
    out_of_sight = s.at(i, "not on radiographs") and s.within(max(0, start - _KNOWN_BEFORE), start, "known")
    nothing = kind == "silence" or (kind == "negation" and out_of_sight) or _is_purpose(s, i)
    return nothing and governs_before(s, i)


def _is_purpose(s: Scope, i: int) -> bool:
    """True if a clause says what an examination is for: German "um einen Tumor auszuschließen"."""
    begin = next((s.tokens[j].end for j in s.before(i) if s.tokens[j].kind in ("comma", "stop", "colon", "bracket")), 0)
    return s.at(i, "to exclude") and s.words["in order"].at(s.flat, begin) is not None


# --- which findings the cue governs ---


def governs_before(s: Scope, i: int) -> bool:
    """Select the findings before the cue: never denied ones, and hedged ones only at the head."""
    head, yields = _head_of(s, i), s.at(i, "yields")
    if head < 0:
        return False
    next_to = s.fills(s.tokens[head].end, s.tokens[i].start, "adverbs")
    if s.tokens[i].cue.reach == "near" and not next_to and not _answers_heading(s, i):
        return False
    group = (head, *_named_twice(s, head, i), *_joined_before(s, head, i))
    if s.tokens[i].kind == "negation" and s.tokens[head - 1].kind == "hedge" and not s.tokens[head].gap:
        for m in s.mentions.get(head - 2, ()) if s.tokens[head - 1].start == s.tokens[head - 2].end else ():
            m.phrase, group = "", (*group, head - 2)  # "tumorverdächtige Herde sind nicht nachweisbar"
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
    attribute = (
        not aside and s.holds[other] and s.words["attribute"].ends(s.flat, s.tokens[other].start, s.tokens[other].end)
    )
    return [other] if attribute or s.names(head) & s.names(other) else []


def _joined_before(s: Scope, head: int, i: int) -> list[int]:
    """The findings that share the cue with the one at ``head``: "effusion or edema is possible"."""
    several = _is_of_several(s, head, i)
    group = []
    # "pneumonia, aspiration, and hemorrhage are possible": a list continues behind the last finding
    predicates = s.tokens[i - 1].kind == "and" and not s.tokens[i].gap  # "effusion drained and no longer seen"
    joints = {t.kind for t in s.tokens[head + 1 : i - predicates]}
    joined = listed = "or" in joints or (several and "and" in joints)
    shown = s.tokens[i].kind == "hedge" and not s.describes(head)
    for j in s.before(head - len(_named_twice(s, head, i))):
        kind = s.tokens[j].kind
        if s.mentions.get(j):
            if not joined or (shown and s.tokens[j + 1].kind == "comma" and s.describes(j)):
                break  # "opacity, atelectasis or pneumonia?"
            group.append(j)
        elif kind in ("or", "versus") or (kind == "and" and (several or s.flat[s.tokens[j].start] == "/")):
            joined, listed = True, kind != "versus"
        elif kind == "comma" and listed:
            joined = True
        elif not (s.holds[j] or kind in ("", "small", "blank", "bracket", "over")):
            break
    return group


def _is_of_several(s: Scope, head: int, i: int) -> bool:
    """True if the cue can refer to findings joined by "and"."""
    return s.tokens[i].kind == "negation" or s.at(i, "are") or s.precedes(i, "several") or _opens_as_pair(s, head)


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
        if s.tokens[j].kind == "comma" or (s.tokens[j].kind == "stop" and not s.at(j, "subordinate clause")):
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
        if token.kind in ("with", "stop") and s.at(j, "circumstance"):
            begin = next((s.tokens[k].end for k in s.before(j) if s.tokens[k].kind in ("comma", "stop", "colon")), 0)
            return i if found and not s.within(begin, token.start, "finite") else j
        if token.kind in ("comma", "stop", "colon", "and", "or", "verb", "bracket"):
            return i
        found = found or s.holds[j]
    return i


def _located_by(s: Scope, j: int) -> int:
    """The finding that the one at ``j`` only locates, else ``j``: "pneumonia superimposed on edema is possible"."""
    if not s.precedes(j, "beside"):
        return j
    for k in s.before(j):
        token = s.tokens[k]
        if s.mentions.get(k):
            return j if any(m.phrase for m in s.mentions[k]) else k
        if token.kind == "stop" and not s.at(k, "behind a place"):
            return j
        if token.kind not in ("", "small", "with", "blank", "stop"):
            return j
    return j
