"""The state of a sentence while it is read: its tokens, the cue in force, and the findings so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from radcal.findings.rules.organs import OrganState
from radcal.findings.rules.patterns import Words
from radcal.findings.rules.tokens import FAR, Token
from radcal.findings.rules.vocabulary import Cue

UNLIKELY = Cue("hedge", "unlikely", "before", "group")
VERSUS = Cue("hedge", "possibly", "before", "group", 999)
NAMED = frozenset(("opacity", "nodule", "mass"))
"""Names of a shadow: "nodule or opacity" is doubt about the name only."""
DESCRIBED = NAMED | {"consolidation"}
Span = tuple[int, int]
_BEFORE = 100
"""Characters before a token that are searched for words right before it."""


@dataclass(slots=True)
class Mention:
    """A finding at a place in the sentence.

    phrase: '' until a cue or a default assigns one
    cue:    span of the words that determine the phrase
    fixed:  True for the healthy state of an organ, which no other cue changes
    organ:  whose state expresses it; None for a term
    """

    index: int
    start: int
    end: int
    pathologies: tuple[str, ...]
    phrase: str = ""
    cue: Span | None = None
    fixed: bool = False
    organ: OrganState | None = None


@dataclass(slots=True, eq=False)
class CueInForce:
    """A cue that governs the findings behind it until it ends.

    index:       of its token; kind, phrase, reach and rank are those of its :class:`Cue`
    span:        of the words that determine its phrase
    taken:       number of findings governed so far
    closing:     its statement has had its verb and ends at the next comma
    resting:     it governs nothing until it is resumed
    alternative: an "or" has followed
    listed:      it precedes a list "A, B, or C"
    clause:      it governs a whole clause: "it is likely that ..."
    until:       the verb of seeing up to which everything is denied: "no A, B, and C was detected"
    """

    index: int
    kind: str
    phrase: str
    reach: str
    rank: float
    span: Span
    taken: int = 0
    closing: bool = False
    resting: bool = False
    alternative: bool = False
    listed: bool = False
    clause: bool = False
    until: int = -1


@dataclass(frozen=True, slots=True)
class Step:
    """A rule that applied at a token, and the findings to which it gave, or from which it took, their phrase."""

    token: int
    rule: Rule
    findings: tuple[Mention, ...]


NO_CUE = CueInForce(-1, "", "", "", 0, (-1, -1))


@dataclass(slots=True)
class Scope:
    """What conditions examine and effects change.

    tokens, flat: of the sentence; the last token is the END
    organs:       states of organs by token index
    holds:        whether there is a finding at each token
    cue:          the cue in force, NO_CUE for none
    coming:       the cue at the current token, as it would come into force
    mentions:     findings by token index
    silenced:     indices of findings that are not asserted
    doubtable:    those of them that a later cue makes assertions again
    used:         indices of cues that govern a finding behind them
    finding, organ: the current ones
    found:        the findings that a condition has selected for its effect
    favoured:     findings whose phrase the cue at an index determines in the end
    named:        pathologies named so far, from the end of the sentence
    unexplained:  parts with words of doubt that no rule has used: begin, end, words; None until asked for
    unused:       such words beside the current finding
    searched:     what ``within`` has found: findings of one part of the sentence ask the same
    words:        the expressions of the vocabulary, by name
    doubts:       expression of the words of doubt that are no cue
    denied:       the denials in force at organs
    trace:        records the deciding rules, if not None
    """

    tokens: list[Token]
    flat: str
    organs: dict[int, list[OrganState]]
    holds: list[bool]
    words: Mapping[str, Words]
    doubts: re.Pattern[str]
    trace: list[Step] | None = None
    cue: CueInForce = NO_CUE
    coming: CueInForce = NO_CUE
    mentions: dict[int, list[Mention]] = field(default_factory=dict)
    silenced: set[int] = field(default_factory=set)
    doubtable: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    denied: dict[int, CueInForce] = field(default_factory=dict)
    finding: Mention = field(init=False)
    organ: OrganState = field(init=False)
    found: list[Mention] = field(default_factory=list)
    favoured: list[tuple[Mention, int]] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    unexplained: list[tuple[int, int, Span]] | None = None
    unused: Span = (-1, -1)
    searched: dict[tuple[int, int, str], bool] = field(default_factory=dict)

    def add(self, mention: Mention) -> None:
        """Add a finding and make it the current one."""
        self.mentions.setdefault(mention.index, []).append(mention)
        self.finding = mention

    def at(self, i: int, name: str) -> bool:
        """True if the named words stand from the token at ``i`` on."""
        return self.words[name].at(self.flat, self.tokens[i].start) is not None

    def follows(self, i: int, name: str) -> bool:
        """True if the named words stand right behind the token at ``i``."""
        return self.words[name].at(self.flat, self.tokens[i].end) is not None

    def precedes(self, i: int, name: str) -> bool:
        """True if the named words stand right before the token at ``i``."""
        start = self.tokens[i].start
        return self.words[name].ends(self.flat, max(0, start - _BEFORE), start) is not None

    def fills(self, begin: int, end: int, name: str) -> bool:
        """True if nothing but the named words stands between two places."""
        return self.words[name].whole(self.flat, begin, end) is not None

    def within(self, begin: int, end: int, name: str) -> bool:
        """True if the named words stand between two places."""
        asked = begin, end, name
        if asked not in self.searched:
            self.searched[asked] = self.words[name].within(self.flat, begin, end) is not None
        return self.searched[asked]

    def closes_part(self, end: int) -> bool:
        """True if a part of the sentence ends at a place."""
        return not self.flat[end : end + 1].strip(".,;)")

    def before(self, i: int) -> range:
        """Indices of the tokens before ``i``, the nearest first."""
        return range(i - 1, max(-1, i - FAR), -1)

    def behind(self, i: int) -> range:
        """Indices of the tokens behind ``i``, without the END."""
        return range(i + 1, min(len(self.tokens) - 1, i + FAR))

    def past(self, i: int, *kinds: str) -> int:
        """Index of the first token behind ``i`` that has a finding or is of none of these kinds."""
        return next((j for j in self.behind(i) if self.holds[j] or self.tokens[j].kind not in kinds), -1)

    def named_before(self, i: int) -> list[Mention]:
        """The first finding at the nearest token before ``i`` that has any."""
        return next((self.mentions[j][:1] for j in self.before(i) if self.mentions.get(j)), [])

    def select(self, mentions: Iterable[Mention]) -> bool:
        """Select findings for the effect of a rule; True if there are any."""
        self.found = list(mentions)
        return bool(self.found)

    def names(self, i: int) -> set[str]:
        """The pathologies at ``i``."""
        return {p for m in self.mentions.get(i, ()) for p in m.pathologies}

    def is_bare(self, i: int) -> bool:
        """True if an organ is named at ``i`` without any state."""
        return any(organ.since == organ.state for organ in self.organs.get(i, ()))

    def describes(self, i: int) -> bool:
        """True if the finding at ``i`` is a shadow, for which a report goes on to give a cause."""
        return bool(self.names(i) & DESCRIBED)

    def give(self, mention: Mention, i: int, phrase: str = "") -> None:
        """Assign a finding the phrase of the cue at ``i``, or another phrase for its words."""
        token = self.tokens[i]
        mention.phrase, mention.cue = phrase or token.cue.phrase, (token.start, token.end)


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table.

    says: what it decides, in one sentence
    when: condition on the sentence as read so far and the index of the current token
    then: effect
    """

    name: str
    says: str
    when: Callable[[Scope, int], bool]
    then: Callable[[Scope, int], None]
