"""Wording elsewhere in the sentence that changes what a cue means: "none of the nodules has grown"."""

from __future__ import annotations

import re

from radcal.findings.rules.scope import Scope, Span

_PLACE = 60
"""Characters before a finding that are searched for words of place."""
_SIX_WORDS = 200
"""Most characters of six words: the search behind every "no" must not run through the whole report."""
_ARTICLES = r"(?:(?:the|a|an|this|these|known|chronic|diffuse|background|large|small|left|right|bilateral|rib)\s+)*$"
_BESIDE = re.compile(
    r"\b(?:(?:distal|proximal|adjacent|next|secondary|due|related)\s+to|beyond|behind|near|around|surrounding|overlying"
    r"|underlying|obscured\s+by|superimposed\s+(?:up)?on|associated\s+with|in\s+the\s+setting\s+of|within|from"
    r"|on\s+top\s+of|as\s+(?:the|an?)\s+(?:\w+\s+)?(?:cause|explanation|a?etiology|source|reason)\s+(?:of|for))\s+"
    + _ARTICLES
)
_BESIDE_THE = re.compile(
    r"\b(?:(?:distal|proximal|adjacent|peripheral|medial|lateral|inferior|superior|anterior|posterior|next)\s+to|beyond"
    r"|behind|around|surrounding|abutting|in|within)\s+(?:the|this|these)\s+"
    r"(?:(?:known|chronic|large|small|left|right|bilateral|dominant|obstructing|central|hilar|\w+\s+lobe)\s+)*$"
)
_DOUBTABLE = re.compile(r"whether\b|diagnosis\s+of\b")
_UNDECIDED = re.compile(
    r"[^.;:]{0,200}?\b(?:is|are|remains?|seems?|be)\s+(?:\w+ly\s+|still\s+|not\s+)?"
    r"(?:uncertain|unclear|clear|certain|unknown|known|undetermined|debatable|questionable|in\s+(?:question|doubt))\b"
    r"|[^.;:]{0,200}?\b(?:can(?:not|\s+not|\s+t)|could\s+not|(?:difficult|hard|impossible|not\s+possible)\s+to)\s+(?:be\s+)?"
    r"(?:\w+ly\s+)?(?:decid|determin|establish|tell|told|sa[iy]|judg|know|ascertain|confirm|resolv|settl)\w*"
)
_WEIGHED = re.compile(r"(?:index\s+of\s+)?(suspicion|concern|likelihood|probability|chances?)\b")
_WEIGHT = re.compile(
    r"(?:(?!\b(?:is|are|was|were|has|have|but|though|although|as|since|because|given|while|where|which)\b)[^.;:]){0,200}?"
    r"\b((?:is|are|remains?|seems|appears|was|would\s+be)\s+(?:(?:still|also|now|currently|therefore)\s+)*"
    r"(?:(?:felt|thought|considered|judged|deemed)\s+(?:to\s+be\s+)?)?(?:(?:relatively|rather|fairly|quite)\s+)?"
    r"(?:(?P<least>(?:very|extremely|exceedingly)\s+(?:low|small|slim|remote)|negligible)"
    r"|(?P<low>low|lower|small|slim|remote|minimal|slight)"
    r"|(?P<middle>moderate|intermediate|indeterminate|fair)"
    r"|(?P<high>(?:very\s+)?high)))\b"
)
"""The degree stated behind "suspicion for X" and "likelihood of X"."""
_OF_WEIGHT = {"least": "very unlikely", "low": "unlikely"}
_OF_LIKELIHOOD = _OF_WEIGHT | {"middle": "possibly", "high": "most likely"}
_CHANGED = re.compile(
    r"(?:\s+\w+){1,6}?\s+(?:has|have)\s+(?:\w+ly\s+)?(?:grown|enlarged|increased|decreased|changed|progressed"
    r"|worsened|become\s+larger|gotten\s+(?:larger|bigger))\b"
)
_WEIGHTY = re.compile(
    r"\s+the\s+(?:\w+\s+){1,4}?(?:(?:has|have)\s+(?:\w+ly\s+)?(?:grown|enlarged|increased|decreased|changed|progressed"
    r"|worsened|improved)|(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:significant|new|acute|recent|larger|bigger|smaller"
    r"|different|worse|changed|increased|enlarging|growing|relevant)|(?:requires?|needs?|warrants?|merits?))\b"
)
_NO_CHANGE = re.compile(
    r"(?:no|not|without|little|kein\w*|ohne|nicht)\b.{0,200}?(?:chang|increas|decreas|improve|wors|progress|enlarge|resol"
    r"|ander|dynami|wandel|nahm|nommen|progred|regred|grosser|gewachs|wachstum|rucklauf|ruckbild|vergross)"
)
_ATTRIBUTE = re.compile(
    r"\b(?:causes?|a?etiolog(?:y|ies)|reasons?|explanations?|sources?|origins?|nature|significance|ages?|acuity|chronicity"
    r"|extent|sizes?|location|position|morphology|margins?|duration|stability|details|severity|evolution)\s+"
    r"(?:of|for|behind|underlying)\s+(?:the|this|these|his|her|patient\s+s)\s+"
    r"(?:(?!(?:makes?|renders?|is|are|argues?|suggests?)\b)\w+\s+){0,4}$"
)
_ATTRIBUTE_BEFORE = 100
"""Characters before a finding that are searched for its cause or nature."""
_UNRESOLVED = re.compile(
    r"(?:if|should|in\s+case|in\s+the\s+event|unless)\b[^.;:,]{0,120}?\b"
    r"(?:persist\w*|(?:not|n\s?t|fail(?:s|ed|ure)?|no|without|lack|absence)\s+(?:\w+\s+){0,4}?"
    r"(?:resol|respon|clear|improv|settl|disappear|regress|subsid|better|drain|heal|abat|shrink)\w*|unresolv\w+|non\s?resol\w+|unrespons\w+"
    r"|refractory|remain\w*|recur\w*|worsen\w*|progress\w*|grow(?:s|n|th)?|grew|enlarg(?:es|ed|ement|ing))"
    r"|(?:unless\b[^.;:,]{0,120}?|in\s+the\s+absence\s+of\s+(?:\w+\s+){0,3}?)\b(?:resol|respon|clear|improv|settl|disappear|regress)\w*"
)
_NEITHER = re.compile(r"neither\b|nor\b")
_EXCLUDED = re.compile(r"(?:can|could|may)\s+(?:\w+\s+){0,8}?(?:excluded|ruled\s+out|discounted)")
_VIEW = r"(?:radiograph\w*|x\s?rays?|plain\s+films?|chest\s+films?|cxr)"
_OUT_OF_SIGHT = re.compile(
    r"(?:(?:is|are|was|were)\s+)?not\s+(?:\w+ly\s+|well\s+)?"
    r"(?:visible|seen|visualized|visualised|identified|appreciated|apparent|evident|demonstrated|discernible)"
    r"\s+(?:radiographically|on\s+(?:\w+\s+){0,3}?" + _VIEW + r"|by\s+" + _VIEW + r")\b"
)
_KNOWN = re.compile(r"\bknown\b|\b(?:on|by)\s+(?:\w+\s+){0,3}?(?:ct|mri|pet|tomography)\b")


def only_places(s: Scope, i: int) -> bool:
    """True if the finding may only locate another: "pneumonia distal to a mass is suspected"."""
    start = s.tokens[i].start
    return _BESIDE.search(s.flat, max(0, start - _PLACE), start) is not None


def is_landmark(s: Scope, i: int) -> bool:
    """True if the finding is presupposed and locates another: "atelectasis or pneumonia distal to the mass"."""
    start = s.tokens[i].start
    begin = max(0, start - _PLACE)
    # The cheap test first: most sentences fail it.
    return s.flat.find(" th", begin, start) >= 0 and _BESIDE_THE.search(s.flat, begin, start) is not None


def asks_about_change(s: Scope, i: int) -> bool:
    """True if only the age or course of a finding that is there is in question: "whether the effusion is new"."""
    start, end = s.tokens[i].start, s.tokens[i].end
    change = s.words["whether it is new"].within(s.flat, start, end + _SIX_WORDS)
    if change is None or not change.start() <= end + 1 < change.end():
        return False
    return not any(s.tokens[j].start == change.end() and s.holds[j] for j in s.behind(i))  # "is new pneumonia"


def leaves_open(s: Scope, i: int) -> bool:
    """True if a silence expresses doubt: "whether this represents pneumonia is unclear"."""
    return s.at(i, _DOUBTABLE) and s.follows(i, _UNDECIDED)


def weighed(s: Scope, i: int) -> tuple[str, Span] | None:
    """The phrase of a hedge whose degree is stated behind its finding: "suspicion for pneumonia is low".

    Returns:
        the phrase and the span of the words that determine it; None if no degree is stated.
    """
    noun = _WEIGHED.match(s.flat, s.tokens[i].start)
    weight = _WEIGHT.match(s.flat, s.tokens[i].end) if noun is not None else None
    if noun is None or weight is None:
        return None
    phrases = _OF_WEIGHT if noun[1] in ("suspicion", "concern") else _OF_LIKELIHOOD
    degree = next(name for name, words in weight.groupdict().items() if words)
    return (phrases[degree], weight.span(1)) if degree in phrases else None


def denies_change(s: Scope, i: int) -> bool:
    """True if words deny only a change or its weight: "no nodule has grown", "I do not think the effusion is new"."""
    start, end = s.tokens[i].start, s.tokens[i].end
    if s.tokens[i].cue.phrase == "unlikely":
        return _WEIGHTY.match(s.flat, end) is not None
    return (
        s.flat[start:end] in ("no", "none of the")
        and s.flat.find(" ha", end, end + _SIX_WORDS) >= 0
        and _CHANGED.match(s.flat, end) is not None
    )


def says_no_change(s: Scope, i: int) -> bool:
    """True if words of kind "over" deny a change: "no change in the effusion"."""
    return s.at(i, _NO_CHANGE)


def is_only_attribute(s: Scope, i: int) -> bool:
    """True if the words before the finding at ``i`` speak of its cause or nature: "the cause of the effusion"."""
    start = s.tokens[i].start
    return _ATTRIBUTE.search(s.flat, max(0, start - _ATTRIBUTE_BEFORE), start) is not None


def is_condition(s: Scope, i: int) -> bool:
    """True if a silence makes what follows depend on the course to come: "if this does not resolve, ..."."""
    return s.at(i, _UNRESOLVED)


def keeps_open(s: Scope, negation: int, i: int) -> bool:
    """True if two negations leave doubt: "neither pneumonia nor aspiration can be excluded".

    Args:
        negation: character at which the one before the finding begins.
        i: token of the one behind it.
    """
    return _NEITHER.match(s.flat, negation) is not None and s.at(i, _EXCLUDED)


def out_of_sight(s: Scope, i: int) -> bool:
    """True if a known finding is merely not visible on a radiograph."""
    start = s.tokens[i].start
    if _OUT_OF_SIGHT.match(s.flat, start) is None:
        return False
    return _KNOWN.search(s.flat, max(0, start - 2 * _PLACE), start) is not None
