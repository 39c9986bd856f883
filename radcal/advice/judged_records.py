"""What is said of an author's words: the one record that window, paper, card, macros and files read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

# At run time too: they are part of the records' annotations.
from radcal.advice.records import Advice, Recommendation
from radcal.calibration.records import PhraseRate, Together
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text, joined
from radcal.words.records import Phrase


class Standing(StrEnum):
    """Where a word stands: the verdict on it (:data:`radcal.calibration.records.Verdict`), or why there is none."""

    MATCHES = "matches"
    BELOW = "stronger"
    """CT confirmed less than the word says."""
    ABOVE = "weaker"
    UNDECIDED = "undecided"
    FEW = "too few"
    """Too few uses to judge."""
    NEVER = "never"
    """The author has not used it here."""
    UNKNOWN = "unknown"
    """The phrase is in no list, so that its meaning is not known."""


@dataclass(frozen=True, slots=True)
class JudgedWord:
    """One word for one topic, which may be all pathologies together.

    rate: how often CT confirmed it, n = 0 where it was never used;  phrase: its meaning, None where that is unknown
    advice: the word to say instead, and how sure that is closer; None without advice
    over: the topic on whose statements the advice rests, which may be all pathologies; '' without advice
    why: the reason for giving none; '' where there is one, or where the verdict says it
    transported: the advice is part of a transport plan, which need not bring words closer
    opposed: that it matches is not said: of all pathologies, where one of them says otherwise of the word, and of what
        merely describes the film
    """

    topic: str
    rate: PhraseRate
    phrase: Phrase | None
    standing: Standing
    advice: Recommendation | None = None
    over: str = ""
    why: Text = EMPTY
    transported: bool = False
    opposed: bool = False

    @property
    def name(self) -> str:
        """The phrase as it is called."""
        return self.rate.phrase

    @property
    def differs(self) -> bool:
        """Whether the word was stronger or weaker than CT supported."""
        return self.standing in (Standing.BELOW, Standing.ABOVE)

    @property
    def matches(self) -> bool:
        """Whether the true rate lies in the range of meaning, and nothing else says that the word should be another."""
        return self.standing is Standing.MATCHES and self.advice is None and not self.opposed

    @property
    def decided(self) -> bool:
        """Whether the word was used often enough to be judged."""
        return self.differs or self.standing in (Standing.MATCHES, Standing.UNDECIDED)

    @property
    def closer(self) -> str:
        """The word that would have been closer; '' where none is advised."""
        return "" if self.advice is None else self.advice.target

    @property
    def pooled(self) -> bool:
        """Whether the advice rests on all pathologies, and the word is one of a single pathology."""
        return self.over == ALL_TOPICS != self.topic

    @property
    def verdict(self) -> str:
        """As files have it: 'matches', 'stronger', 'weaker', 'undecided', 'too few', 'never', 'unknown'."""
        return self.standing.value

    @property
    def meaning(self) -> tuple[float, float] | None:
        """The range in which readers take the word, 0-1; what the verdict compares with may be wider."""
        return None if self.phrase is None else (self.phrase.low, self.phrase.high)

    @property
    def decimals(self) -> tuple[int, int]:
        """Decimals of percent that the ends of an interval outside of the range need to be seen there; two at most."""
        low, high = 100 * self.rate.meant_low, 100 * self.rate.meant_high
        if 100 * self.rate.high < low:
            return 0, next((d for d in range(2) if round(100 * self.rate.high, d) < low), 2)
        if 100 * self.rate.low > high:
            return next((d for d in range(2) if round(100 * self.rate.low, d) > high), 2), 0
        return 0, 0

    @property
    def against(self) -> bool:
        """Whether the word speaks against the finding, its range being in the lower half of the scale.

        Of such a word, "stronger" and "weaker" would be read the wrong way round.
        """
        return self.phrase is not None and self.rate.meant_high <= 0.5


@dataclass(frozen=True, slots=True, eq=False)
class JudgedGroup:
    """The words of an author on a topic, strongest first, and what the hedged ones come to together.

    advice: the group's own, None where none was made;  min_n: uses from which a word is judged
    of_model: the author is a language model, and the topic a set of questions with an answer key
    """

    author: str
    topic: str
    n: float
    words: tuple[JudgedWord, ...]
    advice: Advice | None = None
    together: Together | None = None
    min_n: float = 0
    of_model: bool = False

    @property
    def describes(self) -> bool:
        """Whether the topic says what is seen and not what it is, so that no advice is given whatever the numbers."""
        return self.advice is not None and self.advice.closed

    def word(self, phrase: str) -> JudgedWord | None:
        """The word, None if it was not used."""
        return next((j for j in self.words if j.name == phrase), None)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """All that is said of an author's words.

    groups: the pathologies with statements, most statements first
    pooled: all pathologies together, None where there are not several
    phrases: the meanings by name;  min_n: uses from which a word is judged
    """

    groups: tuple[JudgedGroup, ...]
    pooled: JudgedGroup | None
    phrases: Mapping[str, Phrase]
    min_n: float = 0

    @property
    def words(self) -> tuple[JudgedWord, ...]:
        """The words of every pathology."""
        return tuple(j for group in self.groups for j in group.words)

    @property
    def in_all(self) -> tuple[JudgedWord, ...]:
        """The words of all pathologies together; () where there are not several."""
        return () if self.pooled is None else self.pooled.words

    def group(self, topic: str) -> JudgedGroup | None:
        """The words of a topic, which may be all pathologies; None if nothing was said on it."""
        every = self.groups if self.pooled is None else (*self.groups, self.pooled)
        return next((group for group in every if group.topic == topic), None)

    @property
    def matching(self) -> tuple[JudgedWord, ...]:
        """The words that match, in a pathology or over all of them."""
        return tuple(j for j in (*self.words, *self.in_all) if j.matches)

    @property
    def suggestions(self) -> tuple[JudgedWord, ...]:
        """The words to say otherwise, each where its advice comes from; what the change puts right decides the order.

        A word that is advised over all pathologies stands once, and besides only where a pathology says so by itself.
        """
        advised = [j for j in (*self.words, *self.in_all) if j.advice is not None and not j.pooled]

        def weight(j: JudgedWord) -> float:
            share = 1.0 if j.advice is None else j.advice.share
            return share * j.rate.n * abs(j.rate.rate - j.rate.mean)

        return tuple(sorted(advised, key=lambda j: (-weight(j), j.topic, j.name)))


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a group's or an author's words, the one sentence first.

    word: what that is about; None where it is about no single word
    closer: the word that would have been closer, and how sure that is; '' without advice
    rest: why there is no advice on the word, the other words that differ, and how many do not; '' for nothing
    """

    word: JudgedWord | None
    sentence: Text
    closer: Text = EMPTY
    rest: Text = EMPTY

    @property
    def whole(self) -> Text:
        """All of it."""
        return joined([self.sentence, self.closer, self.rest])
