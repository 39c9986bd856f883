"""Effects of the rules: on the cue in force, and on findings.

Every effect takes the sentence as read so far and the index of the current token.
"""

from __future__ import annotations

from collections.abc import Callable

from radcal.findings.rules.scope import NO_CUE, VERSUS, CueInForce, Mention, Scope
from radcal.findings.rules.vocabulary import Cue
from radcal.words.records import ABSENT, PRESENT, UNREAD

Effect = Callable[[Scope, int], None]


def always(_: Scope, __: int) -> bool:
    """The condition of a default rule."""
    return True


# --- effects on the cue in force ---


def _changes_cue(**changes: object) -> Effect:
    """The effect of setting attributes of the cue in force."""

    def change(s: Scope, _: int) -> None:
        for name, value in changes.items():
            setattr(s.cue, name, value)

    return change


goes_on = _changes_cue()
rests = _changes_cue(resting=True)
resumes = _changes_cue(resting=False)
reaches_list = _changes_cue(reach="list")
is_listed = _changes_cue(listed=True)
closes = _changes_cue(closing=True)


def ends(s: Scope, _: int) -> None:
    s.cue = NO_CUE


def has_alternative(s: Scope, i: int) -> None:
    s.cue.closing, s.cue.alternative = False, True
    if s.tokens[i].kind == "versus":
        s.cue.resting = False


def begins(s: Scope, _: int) -> None:
    s.cue = s.coming


def begins_as(cue: Cue) -> Effect:
    """The effect of putting another cue in force at the current words."""

    def begin(s: Scope, i: int) -> None:
        span = s.tokens[i].start, s.tokens[i].end
        s.cue = CueInForce(i, cue.kind, cue.phrase, cue.reach, cue.rank, span)

    return begin


def weaker_begins(s: Scope, i: int) -> None:
    old, new = s.cue, s.coming
    s.used.update((old.index, i))
    weaker = old if old.rank <= new.rank else new
    s.cue = CueInForce(i, "hedge", weaker.phrase, weaker.reach, weaker.rank, (old.span[0], s.tokens[i].end))


def is_about_what_follows(s: Scope, i: int) -> None:
    """Take the cue off all findings that it governs so far."""
    for j in range(s.cue.index, i):
        for m in s.mentions.get(j, ()):
            if m.cue and m.cue[0] == s.cue.span[0]:
                m.phrase, m.cue = "", None
    s.cue.taken, s.cue.closing = 0, False


def begins_within(s: Scope, i: int) -> None:
    is_about_what_follows(s, i)
    begins(s, i)


# --- effects on the current finding ---


def states_nothing(s: Scope, i: int) -> None:
    s.mentions[i].pop()


def organ_states_nothing(s: Scope, i: int) -> None:
    states_nothing(s, i)
    ends(s, i)


def is_healthy(s: Scope, i: int) -> None:
    s.give(s.finding, s.organ.state, ABSENT)
    s.finding.fixed = True
    ends(s, i)


def is_denied_with_organ(s: Scope, _: int) -> None:
    cue = s.denied[s.organ.since]
    s.used.add(cue.index)
    s.finding.phrase, s.finding.cue = cue.phrase, cue.span


def is_not_asserted(s: Scope, i: int) -> None:
    s.cue.taken += 1
    s.used.add(s.cue.index)
    s.silenced.add(i)
    if s.cue.reach == "near":
        s.doubtable.add(i)


def takes_cue(s: Scope, _: int) -> None:
    s.cue.taken += 1
    s.used.add(s.cue.index)
    s.finding.phrase, s.finding.cue = s.cue.phrase, s.cue.span


def drops_heading(s: Scope, i: int) -> None:
    del s.mentions[i]


def is_present(s: Scope, _: int) -> None:
    s.finding.phrase = PRESENT


def is_unread(s: Scope, _: int) -> None:
    s.finding.phrase, s.finding.cue = UNREAD, s.unused


# --- effects on the findings that the condition has selected ---


def states_exception(s: Scope, _: int) -> None:
    for m in s.found:
        s.mentions[m.index].append(Mention(m.index, m.start, m.end, m.pathologies, PRESENT))


def states_another(s: Scope, i: int) -> None:
    for m in s.found:
        another = Mention(m.index, m.start, m.end, m.pathologies)
        s.give(another, i)
        s.mentions[m.index].append(another)


def is_about_else(s: Scope, i: int) -> None:
    """The cue at the token is understood, and about no finding before it."""
    s.used.add(i)


def has_last_word(s: Scope, i: int) -> None:
    s.favoured.extend((mention, i) for mention in s.found)


def leaves_possible(s: Scope, i: int) -> None:
    for m in s.found:
        s.give(m, i, VERSUS.phrase)


def takes_assertion(s: Scope, _: int) -> None:
    s.silenced.update(m.index for m in s.found)


def governs_found(s: Scope, i: int) -> None:
    answers = s.at(i, "none")
    for m in s.found:
        if m.index in s.doubtable or answers:
            # "CT recommended as malignancy cannot be excluded"; "evaluation is limited, but none is seen"
            s.silenced.discard(m.index)
        s.give(m, i)
