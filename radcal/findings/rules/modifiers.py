"""Wording elsewhere in the sentence that changes what a cue means: "none of the nodules has grown"."""

from __future__ import annotations

import re

from radcal.findings.rules.scope import UNLIKELY, Scope, Span

_STATEMENT, _PART = re.compile(r"[.;:]"), re.compile(r"[.,;:]")
_FAR = 200
"""Characters that are searched, so that no search runs through the whole report."""
_OF_DOUBT = {"least weight": "very unlikely", "low weight": "unlikely"}
_OF_WEIGHED = {
    "weighed doubt": _OF_DOUBT,
    "weighed chance": _OF_DOUBT | {"middle weight": "possibly", "high weight": "most likely"},
}
"""The phrases of degrees that are stated behind a noun, by the names of their words."""


def asks_about_change(s: Scope, i: int) -> bool:
    """True if only the age or course of a finding that is there is in question: "whether the effusion is new"."""
    start, end = s.tokens[i].start, s.tokens[i].end
    change = s.words["whether it is new"].within(s.flat, start, end + _FAR)
    if change is None or change.end() <= end or s.flat[end : change.start()].strip():
        return False
    return not any(s.tokens[j].start == change.end() and s.holds[j] for j in s.behind(i))  # "is new pneumonia"


def leaves_open(s: Scope, i: int) -> bool:
    """True if a silence expresses doubt: "whether this represents pneumonia is unclear"."""
    return s.at(i, "doubtable") and s.within(s.tokens[i].end, _end_of(_STATEMENT, s, i), "undecided")


def _end_of(signs: re.Pattern[str], s: Scope, i: int) -> int:
    """Where the first of some signs stands behind the token at ``i``, at most _FAR characters behind it."""
    end = s.tokens[i].end
    sign = signs.search(s.flat, end, end + _FAR)
    return sign.start() if sign else min(len(s.flat), end + _FAR)


def weighed(s: Scope, i: int) -> tuple[str, Span] | None:
    """The phrase of a hedge whose degree is stated behind its finding: "suspicion for pneumonia is low".

    Returns:
        the phrase and the span of the words that determine it; None if no degree is stated.
    """
    phrases = next((phrases for noun, phrases in _OF_WEIGHED.items() if s.at(i, noun)), None)
    if phrases is None:
        return None
    begin, end = s.tokens[i].end, _end_of(_STATEMENT, s, i)
    bar = s.words["another statement"].within(s.flat, begin, end)
    for degree, phrase in phrases.items():
        weight = s.words[degree].within(s.flat, begin, end)
        if weight is not None and (bar is None or weight.start() <= bar.start()):
            return phrase, (weight.start(), weight.start() + len(weight.group().rstrip()))
    return None


def denies_change(s: Scope, i: int) -> bool:
    """True if words deny only a change or its weight: "no nodule has grown", "I do not think the effusion is new"."""
    if s.tokens[i].cue.phrase == UNLIKELY.phrase:
        return s.follows(i, "is of weight")
    if s.at(i, "no sign of change"):
        return True  # "no sign that the effusion is clearing"
    changed = s.words["has changed"].at(s.flat, s.tokens[i].end)
    if changed is None or not s.fills(s.tokens[i].start, s.tokens[i].end, "none of"):
        return False
    return sum(s.holds[j] for j in s.behind(i) if s.tokens[j].start < changed.end()) == 1


def says_no_change(s: Scope, i: int) -> bool:
    """True if words of kind "over" deny a change: "no change in the effusion"."""
    return s.at(i, "denies") and s.within(s.tokens[i].start, s.tokens[i].end, "change")


def is_condition(s: Scope, i: int) -> bool:
    """True if a silence makes what follows depend on the course to come: "if this does not resolve, ..."."""
    start, end = s.tokens[i].start, _end_of(_PART, s, i)
    unresolved = s.at(i, "condition") and s.within(start, end, "unresolved")
    return unresolved or (s.at(i, "unless") and s.within(start, end, "resolves"))
