"""Words further on that turn what a cue says: "none of the nodules has grown", "neither can be excluded"."""

from __future__ import annotations

import re

from radcal.extract.rules.tokens import Token

_PLACE = 60
"""Characters before a finding in which words can say that it only places another."""
_SIX_WORDS = 200
"""Characters that six words are not longer than: nobody is to look through a whole report behind every "no"."""
_ARTICLES = r"(?:(?:the|a|an|this|these|known|chronic|diffuse|background|large|small|left|right|bilateral|rib)\s+)*$"
_BESIDE = re.compile(
    r"\b(?:(?:distal|proximal|adjacent|next|secondary|due|related)\s+to|beyond|behind|near|around|surrounding|overlying"
    r"|underlying|obscured\s+by|superimposed\s+(?:up)?on|associated\s+with|in\s+the\s+setting\s+of|within|from"
    r"|on\s+top\s+of)\s+" + _ARTICLES
)
_BESIDE_THE = re.compile(
    r"\b(?:(?:distal|proximal|adjacent|peripheral|medial|lateral|inferior|superior|anterior|posterior|next)\s+to|beyond"
    r"|behind|around|surrounding|abutting|in|within)\s+(?:the|this|these)\s+"
    r"(?:(?:known|chronic|large|small|left|right|bilateral|dominant|obstructing|central|hilar|\w+\s+lobe)\s+)*$"
)
_UNDECIDED = re.compile(
    r"[^.;:]{0,200}?\b(?:is|are|remains?|seems?|be)\s+(?:\w+ly\s+|still\s+|not\s+)?"
    r"(?:uncertain|unclear|clear|certain|unknown|known|undetermined|debatable|questionable|in\s+question)\b"
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
"""Behind "suspicion for X" and "likelihood of X": how great it is, the first verb telling."""
_OF_WEIGHT = {"least": "very unlikely", "low": "unlikely"}
_OF_LIKELIHOOD = _OF_WEIGHT | {"middle": "possibly", "high": "most likely"}
_CHANGED = re.compile(
    r"(?:\s+\w+){1,6}?\s+(?:has|have)\s+(?:\w+ly\s+)?(?:grown|enlarged|increased|decreased|changed|progressed"
    r"|worsened|become\s+larger|gotten\s+(?:larger|bigger))\b"
)
_NO_CHANGE = re.compile(
    r"(?:no|not|without|little)\b.{0,200}?(?:chang|increas|decreas|improve|wors|progress|enlarge|resol)"
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
_OR = re.compile(r"\s(or)\s")
_CAUSES = re.compile(r"infectious\s*(and/or|or|/)\s*inflam|inflammatory\s*(and/or|or|/)\s*infec")


def only_places(flat: str, token: Token) -> bool:
    """Whether a finding may only say where another is: "pneumonia distal to a mass is suspected"."""
    return _BESIDE.search(flat, max(0, token.start - _PLACE), token.start) is not None


def is_landmark(flat: str, token: Token) -> bool:
    """Whether a finding is taken for known and says where another is: "atelectasis or pneumonia distal to the mass"."""
    begin = max(0, token.start - _PLACE)
    # What no match is without is looked for first: most sentences lack it.
    return flat.find(" th", begin, token.start) >= 0 and _BESIDE_THE.search(flat, begin, token.start) is not None


def leaves_open(flat: str, token: Token) -> bool:
    """Whether a silence is a doubt: "whether this represents pneumonia is unclear"."""
    return flat.startswith("whether", token.start) and _UNDECIDED.match(flat, token.end) is not None


def weighed(flat: str, token: Token) -> tuple[str, int, int] | None:
    """The phrase that a hedge comes to by what stands behind its finding: "suspicion for pneumonia is low".

    Returns:
        the phrase and the span of the words that give it; None where nothing more is said of the hedge.
    """
    noun = _WEIGHED.match(flat, token.start)
    weight = _WEIGHT.match(flat, token.end) if noun is not None else None
    if noun is None or weight is None:
        return None
    phrases = _OF_WEIGHT if noun[1] in ("suspicion", "concern") else _OF_LIKELIHOOD
    said = next(name for name, words in weight.groupdict().items() if words)
    return (phrases[said], *weight.span(1)) if said in phrases else None


def denies_change(flat: str, token: Token) -> bool:
    """Whether a negation denies a change alone: "none of the nodules has grown", "no nodule has enlarged"."""
    return (
        flat[token.start : token.end] in ("no", "none of the")
        and flat.find(" ha", token.end, token.end + _SIX_WORDS) >= 0
        and _CHANGED.match(flat, token.end) is not None
    )


def says_no_change(flat: str, token: Token) -> bool:
    """Whether words that are read over deny a change: "no change in the effusion"."""
    return _NO_CHANGE.match(flat, token.start) is not None


def keeps_open(flat: str, negation: int, behind: Token) -> bool:
    """Whether two negations leave a doubt: "neither pneumonia nor aspiration can be excluded".

    Args:
        negation: where the one before the finding begins.
        behind: the one behind it.
    """
    return _NEITHER.match(flat, negation) is not None and _EXCLUDED.match(flat, behind.start) is not None


def out_of_sight(flat: str, token: Token) -> bool:
    """Whether a known finding is merely not seen on a radiograph: "the known nodule is not visible on radiograph"."""
    if _OUT_OF_SIGHT.match(flat, token.start) is None:
        return False
    return _KNOWN.search(flat, max(0, token.start - 2 * _PLACE), token.start) is not None


def names_either(flat: str, start: int, end: int, pathologies: int) -> tuple[int, int] | None:
    """Where the words of one term say "or": "pericardial or pleural effusion", "infectious or inflammatory".

    Args:
        start, end: of the term.
        pathologies: how many it names; of two causes only one is among ours.
    """
    if pathologies == 1 and flat.find("infl", start, end) < 0:
        return None
    match = (_OR if pathologies > 1 else _CAUSES).search(flat, start, end)
    return match.span(match.lastindex or 0) if match else None
