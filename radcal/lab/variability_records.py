"""How differently speakers word the same contexts."""

from __future__ import annotations

from dataclasses import dataclass

from radcal.system.text import EMPTY, Text


@dataclass(frozen=True, slots=True)
class ControlVariability:
    """What the reference's own answers differ by: disjoint halves of them, drawn again and again.

    n_contexts: with two answers or more;  n_answers: of them
    expected_tvd: mean distance of two halves over the draws and the contexts, in low-high over contexts drawn anew
    ece: of one half, measured against the other half's most frequent word;  resamples: draws
    reason: why there is no control, '' if there is one
    """

    n_contexts: int
    n_answers: float
    resamples: int
    expected_tvd: float | None = None
    low: float | None = None
    high: float | None = None
    ece: float | None = None
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class Agreement:
    """Contexts in which the reference's most frequent word has a share of ``low`` to ``high`` of its answers (0-1)."""

    low: float
    high: float
    n_contexts: int
    expected_tvd: float | None
    ece: float | None


@dataclass(frozen=True, slots=True)
class SourceVariability:
    """How far one source's use of words lies from the reference's, all in 0-1.

    n_contexts: compared;  n_answers: the source's in them, None where it gives probabilities
    expected_tvd: mean over the contexts of the total variation distance, in low-high
    ece: of the source's most probable word and its probability against the reference's most frequent word
    same_size_tvd, control_tvd: mean distance of as many answers of the source, and of the reference itself, from the
        rest of the reference's answers: what is left of small numbers is the same in both.
        control_low-control_high hold 95 % of the draws of the latter
    beyond: same_size_tvd - control_tvd, in beyond_low-beyond_high over contexts drawn anew
    n_with_control: contexts behind these and behind share_to_improve
    share_to_improve: share of them in which the source lies farther from the reference than 95 % of the draws of the
        control
    agreement: expected_tvd and ece by how far the reference agrees with itself
    missing, unmatched: contexts of the reference without an answer of the source, and the other way round
    reason: why there are no figures, '' if there are
    """

    source: str
    n_contexts: int
    n_answers: float | None
    expected_tvd: float | None = None
    low: float | None = None
    high: float | None = None
    ece: float | None = None
    ece_low: float | None = None
    ece_high: float | None = None
    share_to_improve: float | None = None
    n_with_control: int = 0
    same_size_tvd: float | None = None
    control_tvd: float | None = None
    control_low: float | None = None
    control_high: float | None = None
    beyond: float | None = None
    beyond_low: float | None = None
    beyond_high: float | None = None
    agreement: tuple[Agreement, ...] = ()
    missing: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    reason: Text = EMPTY


@dataclass(frozen=True, slots=True)
class ContextVariability:
    """One context: how many answers the reference has, how far it agrees with itself, and how far each source is.

    majority: its most frequent word, the first in the alphabet of several;  share: of its answers, 0-1
    control_tvd: mean distance of its halves, None with fewer than two answers;  tvd: by source, where there is one
    """

    context: str
    n_answers: float
    majority: str
    share: float
    control_tvd: float | None
    tvd: dict[str, float]


@dataclass(frozen=True, slots=True)
class Variability:
    """All sources beside one reference.

    reference: its name; '' if each source is compared with all others together
    """

    reference: str
    sources: tuple[SourceVariability, ...]
    control: ControlVariability
    contexts: tuple[ContextVariability, ...]
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class WordingMember:
    """One radiologist's words beside those of all others.

    n: statements in all;  found: None where too few of them are on kinds of finding of which others spoke as well
    """

    name: str
    alias: str
    n: int
    found: SourceVariability | None

    @property
    def is_apart(self) -> bool:
        """Whether the words differ by more than the others do among themselves in 97.5 of 100 draws."""
        f = self.found
        return f is not None and f.same_size_tvd is not None and f.same_size_tvd > (f.control_high or 0.0)


@dataclass(frozen=True, slots=True)
class Wordings:
    """All radiologists' words for the same kinds of finding of a topic.

    control: of everybody's statements together
    fewest: statements that a kind of finding needs, of the radiologist and of the others;  fewest_in_all: that a
        radiologist needs
    """

    topic: str
    members: tuple[WordingMember, ...]
    control: ControlVariability
    fewest: int
    fewest_in_all: int
    confidence: float = 0.95

    @property
    def shown(self) -> tuple[WordingMember, ...]:
        """Those with enough statements."""
        return tuple(m for m in self.members if m.found is not None)
