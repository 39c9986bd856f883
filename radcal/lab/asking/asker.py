"""Puts questions to a model, reads how sure it is, and decides whether it is right."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from radcal.lab.abstaining import abstains
from radcal.lab.asking.matching import names, same
from radcal.lab.hedges.estimator import SentenceEstimate
from radcal.lab.perception import Estimate
from radcal.system.errors import DataError
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.phrases import Lexicon, mean_of
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Way = Literal["phrase", "probability", "beta", "lc", "lc+", "semantic", "p(true)", "perplexity"]
"""How a model is brought to say how sure it is: it chooses a phrase, a number, or a Beta distribution for its answer;
it hedges a sentence freely, told little (lc) or much (lc+); its random answers are counted by their meaning; it says
whether its answer is true; or its answer is taken to be as sure as its words were probable (perplexity)."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the answers that are accepted, and the topic of its question set."""

    text: str
    accepted: tuple[str, ...]
    topic: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A model's answer to a question, and how sure it was.

    answer:     as compared with the accepted ones
    said:       what the model wrote, word for word
    confidence: the likeliest phrase, a number in 0-1 or "Beta(a,b)"; None for an abstention, and where nothing tells it
    stated:     the confidence as one number in 0-1, the mean over all phrases or numbers; None without one
    correct:    False for an abstention
    decided:    how that was decided: "normalised" (up to spelling), by the "judge", "by hand", or "abstained"
    samples:    the random answers that were counted
    """

    question: Question
    way: Way
    answer: str
    said: str
    confidence: str | float | None
    stated: float | None
    correct: bool
    decided: str
    abstained: bool = False
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without a usable answer, and the reason, in a sentence for the user."""

    question: Question
    way: Way
    reason: Text


@dataclass(frozen=True, slots=True)
class WayFigures:
    """How far a model's certainty can be relied on under one way of asking.

    n:         answers, abstentions included
    abstained: of them abstentions;  unstated: of them answers whose certainty nothing tells, in no ECE or AUROC
    accuracy:  share of correct answers, in 0-1, abstentions counted as not correct
    ece:       expected calibration error, in 0-1, without abstentions;  luck: what it would be on average if each
        answer were correct as often as stated
    auroc:     probability that a correct answer was stated with more certainty than one that was not, in 0-1;
        abstentions count as certainty 0
    """

    way: Way
    n: int
    abstained: int
    unstated: int
    accuracy: Estimate
    ece: Estimate
    luck: float | None
    auroc: Estimate


@dataclass(frozen=True, slots=True)
class Asking:
    """A model asked a set of questions: its answers, the questions without one, and the figures of each way."""

    model: str
    answers: tuple[Answered, ...]
    unanswered: tuple[Unanswered, ...]
    figures: tuple[WayFigures, ...]
    notes: tuple[Text, ...] = ()


class Askable(Protocol):
    """A language model that can be asked; every method may raise EngineError for a single question."""

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        """Its answers to a message, continuing ``lead``: the most probable one, or several ``samples`` at random."""

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> NDArray[np.float64]:
        """(k,) probabilities of the options as continuation of ``lead``, adding up to 1."""

    def log_chances(self, message: str, lead: str, answer: str) -> NDArray[np.float64]:
        """(tokens,) ln P of the tokens of an answer as continuation of ``lead``, each given those before it."""

    def numbers(self, message: str, lead: str) -> NDArray[np.float64]:
        """(101,) probabilities of the numbers 0 to 100 as continuation of ``lead``, adding up to 1."""


# --- random answers to one question, sorted by their meaning


def clusters(answers: Sequence[str], alike: Callable[[str, str], bool]) -> list[list[int]]:
    """The places of answers that mean the same, the largest cluster first, of equal ones that which began first.

    An answer joins the first cluster whose first answer it is like, as in Kuhn, Gal and Farquhar, "Semantic
    uncertainty" (ICLR 2023).  ``alike`` is asked once for each pair of texts and never for equal ones.
    """
    found: list[list[int]] = []
    known: dict[str, int] = {}
    for i, answer in enumerate(answers):
        at = known.get(answer)
        if at is None:
            at = next((c for c, members in enumerate(found) if alike(answers[members[0]], answer)), len(found))
            known[answer] = at
        if at == len(found):
            found.append([])
        found[at].append(i)
    return sorted(found, key=lambda members: (-len(members), members[0]))


HedgeReader = Callable[[Sequence[str]], Sequence[SentenceEstimate | Text]]
"""How sure sentences sound, or why that cannot be told."""
SHORT, _SENTENCE = 48, 96
"""Most tokens of a short answer, and of a reply in a sentence."""
_LINE, _PARAGRAPH = ("\n",), ("\n\n", "\nQuestion:")
_CLOSE = '"'
_YES_NO = (f"yes{_CLOSE}", f"no{_CLOSE}")
_TRUE_FALSE = ("A)", "B)")


@dataclass(frozen=True, slots=True)
class Messages:
    """The templates of what a model is asked."""

    entries: Mapping[str, Mapping[str, str]]
    version: str

    def filled(self, name: str, **values: Any) -> tuple[str, str]:
        """The message and the beginning of its answer."""
        entry = self.entries[name]
        return entry["message"].format(**values).strip(), entry["lead"]


def read_messages() -> Messages:
    """The templates that ship with RadCal."""
    content = resource("prompts", "asking.toml").read_text(encoding="utf-8")
    return Messages(tomllib.loads(content), hashlib.sha256(content.encode()).hexdigest()[:16])


class Asker:
    """Asks one model.

    Args:
        speaker: the model.
        lexicon: the phrases that it may choose from, with their meaning; "present" and "absent" hedge nothing.
        judge: another model, which decides whether answers mean the same and are right; None to go by their words.
        samples: random answers to a question, for "semantic".
        longest: most tokens of a short answer.
        read_hedges: how sure a sentence sounds, for "lc" and "lc+".
        messages: what the model is asked.
    """

    def __init__(
        self,
        speaker: Askable,
        lexicon: Lexicon,
        *,
        judge: Askable | None = None,
        samples: int = 10,
        longest: int = SHORT,
        read_hedges: HedgeReader,
        messages: Messages | None = None,
    ) -> None:
        self._speaker, self._judge = speaker, judge
        self._phrases = [phrase for phrase in lexicon.phrases if phrase.name not in (ABSENT, PRESENT)]
        by_mean = sorted(self._phrases, key=mean_of)
        self._worked = {"surest": by_mean[-1].name, "least": by_mean[0].name}
        self._samples, self._longest, self._read_hedges = samples, longest, read_hedges
        self._messages = messages or read_messages()
        self._last: tuple[Question, str] | None = None

    def ask(self, question: Question, way: Way) -> Answered:
        """The model's answer to a question, and how sure it is.

        Raises:
            EngineError: the model failed at this question.
            DataError: it wrote nothing, or nothing that tells how sure it is.
        """
        if way == "semantic":
            return self._by_meaning(question, way)
        if way in ("lc", "lc+"):
            return self._in_a_sentence(question, way)
        answer = self._short(question)
        if abstains(answer):
            return _abstention(question, way, answer)
        ways: dict[Way, Callable[[str, str], tuple[str | float, float]]] = {
            "phrase": self._in_phrases,
            "probability": self._in_percent,
            "beta": self._as_beta,
            "p(true)": self._as_true,
        }
        if way == "perplexity":
            sure = self._by_perplexity(question, answer)
            return self._answered(question, way, answer, sure, sure)
        asked = self._messages.filled(way, question=question.text, answer=answer, **self._worked)
        confidence, stated = ways[way](*asked)
        return self._answered(question, way, answer, confidence, stated)

    # --- a short answer first, then how sure it is ----------------------------------------------------------

    def _short(self, question: Question) -> str:
        """The most probable short answer; the same whatever is asked about it."""
        if self._last is None or self._last[0] != question:
            message, lead = self._messages.filled("answer", question=question.text)
            [said] = self._speaker.write(message, lead, most=self._longest, stops=_LINE)
            self._last = question, _written(said)
        return self._last[1]

    def _in_phrases(self, message: str, lead: str) -> tuple[str | float, float]:
        """The mean of what the phrases mean over the model's chances of each: not just what the likeliest means."""
        chances = self._speaker.weigh(message, lead, [phrase.name + _CLOSE for phrase in self._phrases])
        stated = round(float(chances @ np.array([mean_of(phrase) for phrase in self._phrases])), 4)
        return self._phrases[int(chances.argmax())].name, stated

    def _in_percent(self, message: str, lead: str) -> tuple[str | float, float]:
        """The mean of the model's distribution over 0 to 100: all that it believes, not just the likeliest number."""
        stated = round(float(self._speaker.numbers(message, lead) @ np.arange(101)) / 100, 4)
        return stated, stated

    def _as_beta(self, message: str, lead: str) -> tuple[str | float, float]:
        """The likeliest whole numbers from 1 to 100: a first, then b behind it."""
        a = 1 + int(self._speaker.numbers(message, lead)[1:].argmax())
        then = self._messages.entries["beta"]["then"].format(lead=lead, a=a)
        b = 1 + int(self._speaker.numbers(message, then)[1:].argmax())
        return f"Beta({a},{b})", a / (a + b)

    def _as_true(self, message: str, lead: str) -> tuple[str | float, float]:
        """P(True) of Kadavath et al., "Language Models (Mostly) Know What They Know" (2022)."""
        stated = round(float(self._speaker.weigh(message, lead, _TRUE_FALSE)[0]), 4)
        return stated, stated

    def _by_perplexity(self, question: Question, answer: str) -> float:
        """1 / perplexity = exp(1/n sum ln P(token)): the geometric mean of the probabilities of the answer's tokens."""
        message, lead = self._messages.filled("answer", question=question.text)
        return round(float(np.exp(self._speaker.log_chances(message, lead, f" {answer}").mean())), 4)

    # --- a sentence whose words tell it ---------------------------------------------------------------------

    def _in_a_sentence(self, question: Question, way: Way) -> Answered:
        message, lead = self._messages.filled(way, question=question.text)
        [said] = self._speaker.write(message, lead, most=_SENTENCE, stops=_PARAGRAPH)
        reply = _written(said)
        [sounds] = self._read_hedges([reply])
        if abstains(reply) or (isinstance(sounds, SentenceEstimate) and sounds.kind == "abstention"):
            return _abstention(question, way, reply)
        rounded = round(sounds.value, 4) if isinstance(sounds, SentenceEstimate) else None
        return self._answered(question, way, reply, rounded, rounded, sentence=True)

    # --- random answers, by their meaning -------------------------------------------------------------------

    def _by_meaning(self, question: Question, way: Way) -> Answered:
        """The answer of the largest cluster of random ones; its share of them is how sure the model is."""
        message, lead = self._messages.filled("answer", question=question.text)
        said = self._speaker.write(message, lead, most=self._longest, stops=_LINE, samples=self._samples)
        samples = [text.strip() for text in said if text.strip()]
        if not samples:
            raise DataError("The model wrote no answer.")
        largest = clusters(samples, lambda one, other: self._alike(question, one, other))[0]
        answer = samples[largest[0]]
        if abstains(answer):
            return _abstention(question, way, answer, tuple(said))
        share = round(len(largest) / len(samples), 4)
        return self._answered(question, way, answer, share, share, samples=tuple(said))

    def _alike(self, question: Question, one: str, other: str) -> bool:
        """True if two answers mean the same: by their words, or because the judge says that each implies the other."""
        if abstains(one) or abstains(other):
            return abstains(one) and abstains(other)
        if same(one, [other]):
            return True
        judge = self._judge
        return judge is not None and all(
            self._says_yes(judge, "implies", question=question.text, first=first, second=second)
            for first, second in ((one, other), (other, one))
        )

    # --- whether it is right --------------------------------------------------------------------------------

    def _answered(
        self,
        question: Question,
        way: Way,
        answer: str,
        confidence: str | float | None,
        stated: float | None,
        *,
        sentence: bool = False,
        samples: tuple[str, ...] = (),
    ) -> Answered:
        if (judge := self._judge) is not None:
            accepted = " | ".join(question.accepted)
            correct = self._says_yes(judge, "judge", question=question.text, accepted=accepted, answer=answer)
        else:
            correct = (names if sentence else same)(answer, question.accepted)
        decided = "normalised" if judge is None else "judge"
        return Answered(question, way, answer, answer, confidence, stated, correct, decided, samples=samples)

    def _says_yes(self, judge: Askable, name: str, **values: Any) -> bool:
        yes, no = judge.weigh(*self._messages.filled(name, **values), _YES_NO)
        return bool(yes > no)


def _written(said: str) -> str:
    """What a model wrote; an empty answer is a failure, not an abstention."""
    if not said.strip():
        raise DataError("The model wrote no answer.")
    return said.strip()


def _abstention(question: Question, way: Way, said: str, samples: tuple[str, ...] = ()) -> Answered:
    return Answered(question, way, said, said, None, None, False, "abstained", True, samples)
