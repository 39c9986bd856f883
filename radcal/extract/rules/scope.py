"""A sentence while it is read: its words, the cue in force, and the findings so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from radcal.extract.rules.organs import OrganState
from radcal.extract.rules.tokens import FAR, Token
from radcal.extract.rules.vocabulary import Cue

UNLIKELY = Cue("hedge", "unlikely", "before", "group")
VERSUS = Cue("hedge", "possibly", "before", "group", 999)
NAMED = frozenset(("opacity", "nodule", "mass"))
"""Names of a shadow: "nodule or opacity" doubts the name only."""
DESCRIBED = NAMED | {"consolidation"}


@dataclass(slots=True)
class Mention:
    """A finding at a place of the sentence.

    phrase: '' as long as nothing governs it
    fixed:  an organ's healthy state, which no other cue changes
    """

    index: int
    start: int
    end: int
    pathologies: tuple[str, ...]
    phrase: str = ""
    cue_start: int = -1
    cue_end: int = -1
    fixed: bool = False


@dataclass(slots=True, eq=False)
class CueInForce:
    """A cue that governs the findings behind it until something ends it.

    index:       of its token; kind, phrase, reach and rank are those of its :class:`Cue`
    start, end:  of the words that give its phrase
    taken:       how many findings it governs so far
    closing:     its statement has had its verb, and ends at the next comma
    resting:     it governs nothing until a word resumes it
    alternative: an "or" has come
    listed:      it stands before a list "A, B, or C"
    clause:      a whole clause hangs on it: "it is likely that ..."
    """

    index: int
    kind: str
    phrase: str
    reach: str
    rank: float
    start: int
    end: int
    taken: int = 0
    closing: bool = False
    resting: bool = False
    alternative: bool = False
    listed: bool = False
    clause: bool = False


NO_CUE = CueInForce(-1, "", "", "", 0, -1, -1)


@dataclass(slots=True)
class Scope:
    """What the rules look at and change.

    tokens, flat: of the sentence
    organs:       token index to what an organ's state says there
    holds:        whether there is a finding at each token
    cue:          the one in force, :data:`NO_CUE` for none
    mentions:     token index to the findings there
    silenced:     indices of findings that assert nothing
    doubtable:    silenced ones that a cue behind them makes assert something after all
    used:         indices of cues that govern a finding behind them
    finding, organ: the one that is asked about
    found:        findings that a condition has come upon, for what follows from it
    favoured:     findings, each with the index of the cue that has the last word on it
    trace:        receives the rules that decide, where anybody wants them
    """

    tokens: list[Token]
    flat: str
    organs: dict[int, list[OrganState]]
    holds: list[bool]
    trace: list[tuple[int, Rule]] | None = None
    cue: CueInForce = NO_CUE
    mentions: dict[int, list[Mention]] = field(default_factory=dict)
    silenced: set[int] = field(default_factory=set)
    doubtable: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    finding: Mention = field(init=False)
    organ: OrganState = field(init=False)
    found: list[Mention] = field(default_factory=list)
    favoured: list[tuple[Mention, int]] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    coming: CueInForce = NO_CUE
    head: tuple[int, int] = (-1, -1)

    def add(self, mention: Mention) -> None:
        """Note a finding, which the rules are then asked about."""
        self.mentions.setdefault(mention.index, []).append(mention)
        self.finding = mention

    def words(self, token: Token) -> str:
        """What stands at a token."""
        return self.flat[token.start : token.end]

    def named_before(self, i: int) -> Mention | None:
        """The first finding at the nearest token before ``i`` that has one."""
        return next((self.mentions[j][0] for j in range(i - 1, max(-1, i - FAR), -1) if self.mentions.get(j)), None)

    def describes(self, i: int) -> bool:
        """Whether the finding at ``i`` is a shadow, which a report goes on to explain."""
        return any(set(m.pathologies) & DESCRIBED for m in self.mentions[i])

    def give(self, mention: Mention, i: int, phrase: str = "") -> None:
        """Give a finding the phrase of the words at token ``i``, its cue's if no other."""
        token = self.tokens[i]
        mention.phrase = phrase or token.cue.phrase
        mention.cue_start, mention.cue_end = token.start, token.end


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table.

    when:     whether it applies to the sentence as read so far, at the token of an index
    then:     what it does where it applies
    examples: sentences that it decides, each with what they state: "sentence -> pathology=phrase; ..."
    unlike:   the same of a sentence that looks alike and that another rule decides
    """

    name: str
    says: str
    when: Callable[[Scope, int], bool]
    then: Callable[[Scope, int], None]
    examples: tuple[str, ...]
    unlike: str
