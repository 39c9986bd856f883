"""What a rule does: to the cue in force, and to the finding in question.

Every effect takes the sentence as read so far and the index of the token in question.
"""

from __future__ import annotations

from collections.abc import Callable

from radcal.extract.rules.forward_scope import coming
from radcal.extract.rules.scope import NO_CUE, CueInForce, Scope
from radcal.extract.rules.vocabulary import Cue
from radcal.records import ABSENT

Effect = Callable[[Scope, int], None]


# --- what happens to the cue in force ---


def always(_: Scope, __: int) -> bool:
    return True


def goes_on(_: Scope, __: int) -> None:
    """Leave all as it is."""


def ends(s: Scope, _: int) -> None:
    s.cue = NO_CUE


def rests(s: Scope, _: int) -> None:
    s.cue.resting = True


def resumes(s: Scope, _: int) -> None:
    s.cue.resting = False


def reaches_list(s: Scope, _: int) -> None:
    s.cue.reach = "list"


def is_listed(s: Scope, _: int) -> None:
    s.cue.listed = True


def closes(s: Scope, _: int) -> None:
    s.cue.closing = True


def has_alternative(s: Scope, i: int) -> None:
    s.cue.closing, s.cue.alternative = False, True
    if s.tokens[i].kind == "versus":
        s.cue.resting = False


def begins(s: Scope, i: int) -> None:
    s.cue = coming(s, i)


def begins_as(cue: Cue) -> Effect:
    """The effect that the words at a token come into force as another cue."""

    def begin(s: Scope, i: int) -> None:
        token = s.tokens[i]
        s.cue = CueInForce(i, cue.kind, cue.phrase, cue.reach, cue.rank, token.start, token.end)

    return begin


def weaker_begins(s: Scope, i: int) -> None:
    old, new = s.cue, coming(s, i)
    s.used.update((old.index, i))
    weaker = old if old.rank <= new.rank else new
    s.cue = CueInForce(i, weaker.kind, weaker.phrase, weaker.reach, weaker.rank, old.start, s.tokens[i].end)


def is_about_what_follows(s: Scope, i: int) -> None:
    """Take the cue off all that it governs before the token at ``i``."""
    for j in range(s.cue.index, i):
        for m in s.mentions.get(j, ()):
            if m.cue_start == s.cue.start:
                m.phrase, m.cue_start, m.cue_end = "", -1, -1
    s.cue.taken, s.cue.closing = 0, False


def begins_within(s: Scope, i: int) -> None:
    is_about_what_follows(s, i)
    begins(s, i)


# --- what happens to the finding ---


def states_nothing(s: Scope, i: int) -> None:
    s.mentions[i].pop()


def organ_states_nothing(s: Scope, i: int) -> None:
    s.mentions[i].pop()
    s.cue = NO_CUE


def is_healthy(s: Scope, i: int) -> None:
    s.give(s.finding, s.organ.state, ABSENT)
    s.finding.fixed = True
    s.cue = NO_CUE


def is_not_asserted(s: Scope, i: int) -> None:
    s.cue.taken += 1
    s.used.add(s.cue.index)
    s.silenced.add(i)
    if s.cue.reach == "near":
        s.doubtable.add(i)


def takes_cue(s: Scope, i: int) -> None:
    s.cue.taken += 1
    s.used.add(s.cue.index)
    s.finding.phrase, s.finding.cue_start, s.finding.cue_end = s.cue.phrase, s.cue.start, s.cue.end
