"""Questions of sentences and pathologies in one context: the probabilities of a closed list as the next words.

Task and worked examples are decoded once, into sequence 0.  A sentence is decoded once for all its pathologies, by
tokens that belong to several sequences at a time, and many sentences of many reports share an evaluation.  Nothing is
written: of the scores after a question, those of the answers' first tokens count.  Answers that begin alike are told
apart by a further evaluation, where that beginning has any weight.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model import state
from radcal.findings.model.native import NO_NUMBERS, FullError, Model, Step, StoppedError, alike, run_of
from radcal.findings.model.process import MARK, Forms, Message, Sentences, answered
from radcal.system.errors import InputError
from radcal.system.text import Text

_TOO_LONG = Text("a question is longer than the model's context has room for")
_CUT = Text("Of a sentence too long for the model, the words around each term were shown to it.")
_WEIGHTY = 0.02
"""Least probability of a beginning that several answers share at which they are told apart."""
_ASIDE = 16
"""Sequences for telling answers apart, out of reach of the questions."""
_REMEMBERED = 20_000
"""Most answers that are remembered."""
_LEAST_SENTENCE = 32
"""Fewest tokens of a sentence for which there must be room."""
_LEAST_KEPT = 8
"""Tokens of a prompt from which on it is kept for the next run; fewer, as of the bundled model, are decoded at once."""
_DIGITS = 6
"""Decimal places of a probability in an answer."""

_Question: TypeAlias = tuple[str, str, str]
"""A sentence, what is asked of it, and the words of the term."""


@dataclass(eq=False, slots=True)
class Report:
    """A report in progress.

    rows:  the answers by sentence and question, empty while they are open
    open:  number of questions that wait
    begun: working time, in seconds, at which its first sentence was evaluated; None before
    """

    number: int
    rows: list[list[list[float]]]
    open: int
    begun: float | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """Questions of one sentence, with the tokens that they share and those of each."""

    head: list[int]
    questions: list[_Question]
    ends: list[list[int]]

    @property
    def size(self) -> int:
        return len(self.head) + sum(map(len, self.ends))


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """A question under evaluation: its sequence and the tokens there, and the probabilities of its answers."""

    question: _Question
    sequence: int
    length: int
    chances: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Beginning:
    """What some answers to a question have in common: so many tokens, and the probability of these."""

    pair: _Pair
    answers: list[int]
    tokens: int
    chance: float


class PairBatches:
    """Answers the questions of reports; an answer does not depend on the others, up to rounding.

    Args:
        context: most tokens of the prompt and a sentence.
        seconds: working time after which a report is given up.
        folder: in which the decoded prompt is kept for the next run under ``key``; None for nowhere.

    Raises:
        InputError: the prompt leaves no room for a question, or the model's vocabulary cannot tell the answers apart.
    """

    def __init__(
        self, model: Model, forms: Forms, context: int, seconds: float, folder: Path | None = None, key: str = ""
    ) -> None:
        self._model, self._forms, self._seconds = model, forms, seconds
        self.notes: list[Text] = []
        """What is to be said to the user."""
        self.prefix = model.tokens(forms.told, begin=True)
        self._folder = folder if len(self.prefix) >= _LEAST_KEPT else None
        self._key = hashlib.sha256(f"{key} {self.prefix}".encode()).hexdigest()[:32]
        self._is_begun = False
        self._answers = [self._encode(answer, "") for answer in forms.answers]
        self._require_different()
        self._alike = alike(self._answers)
        """Tokens with which every answer begins."""
        self._pairs = max(model.sequences - 1 - _ASIDE, 1)
        self._spare = range(self._pairs + 1, model.sequences)
        self._room = model.cells - len(self.prefix) - len(self._spare) * max(map(len, self._answers))
        self._longest = min(forms.longest, context - len(self.prefix) - _LEAST_SENTENCE, self._room - _LEAST_SENTENCE)
        if self._longest < _LEAST_SENTENCE:
            raise InputError(
                "The prompt takes {n} tokens of a context of {context}, which leaves too little for a sentence. Choose "
                "a larger context, or a shorter prompt.",
                n=len(self.prefix),
                context=context,
            )
        self.reports: dict[int, Report] = {}
        self._asking: dict[_Question, list[tuple[Report, int, int]]] = {}
        """Where the answers to open questions are put: reports with the places of sentence and question."""
        self._waiting: dict[str, list[_Question]] = {}
        """The open questions by their sentence, in the order in which they came."""
        self._known: OrderedDict[_Question, list[float]] = OrderedDict()
        self._done: list[Message] = []

    def _require_different(self) -> None:
        order = sorted(range(len(self._answers)), key=lambda i: self._answers[i])
        for one, other in pairwise(order):
            if self._answers[other][: len(self._answers[one])] == self._answers[one]:
                raise InputError(
                    "The model's vocabulary cannot tell {one!r} from {other!r}. Choose another model.",
                    one=self._forms.answers[one].strip(),
                    other=self._forms.answers[other].strip(),
                )

    # --- reports -------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether reports wait for answers, or answers to be fetched."""
        return bool(self.reports or self._done)

    def add(self, number: int, sentences: Sentences) -> None:
        """Queue a report."""
        rows: list[list[list[float]]] = [[[]] * len(questions) for _, questions in sentences]
        report = self.reports[number] = Report(number, rows, sum(map(len, rows)))
        for at, (text, questions) in enumerate(sentences):
            for place, (what, words) in enumerate(questions):
                question = text, what, words
                if question in self._known:
                    self._known.move_to_end(question)
                    self._fill(report, at, place, self._known[question])
                    continue
                if question not in self._asking:
                    self._waiting.setdefault(text, []).append(question)
                self._asking.setdefault(question, []).append((report, at, place))
        if not any(rows):
            self._finish(report)

    def drop(self) -> None:
        """Discard all reports."""
        for kept in (self.reports, self._asking, self._waiting, self._done):
            kept.clear()

    def step(self, now: float) -> list[Message]:
        """Evaluate as many questions as fit together; returns the answers to finished reports.

        An interrupted evaluation changes nothing: the next step repeats it.

        Args:
            now: working time in seconds.
        """
        self._give_up_slow(now)
        try:
            if not self._is_begun:
                self._decode_prompt()
            if group := self._group():
                for report in (r for part in group for q in part.questions for r, _, _ in self._asking[q]):
                    report.begun = now if report.begun is None else report.begun
                self._evaluate(group)
        except StoppedError:
            pass
        done, self._done = self._done, []
        return done

    def _give_up_slow(self, now: float) -> None:
        slow = next((r for r in self.reports.values() if r.begun is not None and now - r.begun > self._seconds), None)
        if slow is not None:
            reason = Text(
                "The model was not done with this report within {seconds:g} seconds, twice. Allow more time for a "
                "report, or choose a smaller model.",
                seconds=self._seconds,
            )
            self._finish(slow, reason, again=True)

    def _finish(self, report: Report, failure: Text | None = None, *, again: bool = False) -> None:
        """Answer for a report; of one that failed, the questions that no other asks are given up."""
        del self.reports[report.number]
        if failure is None:
            self._done.append(answered(report.number, report.rows))
            return
        self._done.append(answered(report.number, (), failure, again=again))
        for question, places in list(self._asking.items()):
            self._asking[question] = [place for place in places if place[0] is not report]
            if not self._asking[question]:
                self._settle(question)

    def _settle(self, question: _Question) -> list[tuple[Report, int, int]]:
        """Take a question from those that are open; where its answer was wanted."""
        waiting = self._waiting[question[0]]
        waiting.remove(question)
        if not waiting:
            del self._waiting[question[0]]
        return self._asking.pop(question)

    def _fill(self, report: Report, at: int, place: int, chances: list[float]) -> None:
        report.rows[at][place] = chances
        report.open -= 1
        if not report.open:
            self._finish(report)

    def _fail(self, question: _Question, reason: Text) -> None:
        for report in dict.fromkeys(report for report, _, _ in self._asking[question]):
            self._finish(report, reason)

    # --- the prompt ----------------------------------------------------------------------------------

    def _decode_prompt(self) -> None:
        """Restore the prompt from the last run, or decode it and keep it for the next."""
        model, folder, key = self._model, self._folder, self._key
        kept = state.take(folder, key) if folder else None
        if folder and kept is not None and model.restore(kept, 0, len(self.prefix)):
            state.put_back(folder, key)
        else:
            model.forget(0)
            for _ in model.evaluate(run_of(self.prefix, 0, 0, scored=False)):
                pass
            if folder and (note := state.save(folder, key, model.state(0))):
                self.notes.append(note)
        self._is_begun = True

    # --- tokens --------------------------------------------------------------------------------------

    def _group(self) -> list[_Part]:
        """The next questions that are evaluated together, one at least unless none waits."""
        group: list[_Part] = []
        tokens = pairs = 0
        most = min(self._model.batch, self._room)
        for text, questions in self._waiting.items():
            part = self._part(text, questions)
            if group and (tokens + part.size > most or pairs + len(part.questions) > self._pairs):
                break
            group.append(part)
            tokens += part.size
            pairs += len(part.questions)
        return group

    def _part(self, text: str, questions: Sequence[_Question]) -> _Part:
        """The questions of a sentence that fit together; of a sentence too long, the first one, of the part around its
        term."""
        head = self._encode(self._forms.sentence, text)
        longest = max(min(self._longest, self._room), _LEAST_SENTENCE)
        if len(head) > longest:
            self.notes.append(_CUT)
            questions = questions[:1]
            head = self._around(text, questions[0][2], longest)
        part = _Part(head, [], [])
        for question in questions[: self._pairs]:
            end = [*self._encode(self._forms.question, question[1]), *self._answers[0][: self._alike]]
            if part.questions and part.size + len(end) > self._room:
                break
            part.questions.append(question)
            part.ends.append(end)
        return part

    def _encode(self, form: str, text: str) -> list[int]:
        """The tokens of a text in its form."""
        if not self._forms.markers:
            return self._model.inner_tokens(form.replace(MARK, text))
        before, _, after = form.partition(MARK)
        inside = self._model.tokens(text) if text else []
        return [*self._model.tokens(before, special=True), *inside, *self._model.tokens(after, special=True)]

    def _around(self, text: str, words: str, longest: int) -> list[int]:
        """The tokens of the part of a long sentence around the words of a term."""
        centre = text.lower().find(words.lower()) + len(words) // 2
        size = len(text)
        while True:
            size = size * 3 // 4
            first = min(max(centre - size // 2, 0), max(len(text) - size, 0))
            tokens = self._encode(self._forms.sentence, text[first : first + size])
            if len(tokens) <= longest or size < len(words) + 8:
                return tokens[:longest]

    # --- evaluation ----------------------------------------------------------------------------------

    def _evaluate(self, group: list[_Part]) -> None:
        """Answer the questions of a group; where the context has no room for them, ask less at a time from now on.

        Raises:
            StoppedError: nothing has changed.
        """
        try:
            pairs = self._weighed(group)
        except FullError:
            part = group[0]
            if len(group) == len(part.questions) == 1 and len(part.head) <= _LEAST_SENTENCE:
                self._fail(part.questions[0], _TOO_LONG)
            else:
                self._room = sum(part.size for part in group) // 2
            return
        finally:
            for sequence in range(1, self._spare.stop):
                self._model.forget(sequence)
        for pair in pairs:
            if pair.question not in self._asking:  # its report has failed at another
                continue
            if not np.isfinite(pair.chances).all():
                self._fail(pair.question, NO_NUMBERS)
                continue
            chances = self._known[pair.question] = np.round(pair.chances, _DIGITS).tolist()
            for report, at, place in self._settle(pair.question):
                self._fill(report, at, place, chances)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _weighed(self, group: list[_Part]) -> list[_Pair]:
        """The questions of a group with their chances."""
        model, start = self._model, len(self.prefix)
        steps: list[Step] = []
        pairs: list[_Pair] = []
        for part in group:
            first = len(pairs) + 1
            mine = range(first, first + len(part.questions))
            steps += run_of(part.head, start, *mine, scored=False)
            at = start + len(part.head)
            for sequence, question, end in zip(mine, part.questions, part.ends, strict=True):
                model.share(0, sequence)
                steps += run_of(end, at, sequence)
                pairs.append(_Pair(question, sequence, at + len(end), np.zeros(len(self._answers))))
        every = list(range(len(self._answers)))
        shared = [
            beginning
            for pair, scores in zip(pairs, model.evaluate(steps), strict=True)
            for beginning in self._spread(_Beginning(pair, every, self._alike, 1.0), scores)
        ]
        while shared:
            wave, shared = shared[: len(self._spare)], shared[len(self._spare) :]
            steps = []
            for sequence, beginning in zip(self._spare, wave, strict=False):
                model.share(beginning.pair.sequence, sequence)
                path = self._answers[beginning.answers[0]][self._alike : beginning.tokens]
                steps += run_of(path, beginning.pair.length, sequence)
            for beginning, scores in zip(wave, model.evaluate(steps), strict=True):
                shared += self._spread(beginning, scores)
            for sequence in self._spare:
                model.forget(sequence)
        return pairs

    def _spread(self, beginning: _Beginning, scores: NDArray[np.float32]) -> Iterator[_Beginning]:
        """Spread the probability of a beginning over what follows; yields the beginnings still to be told apart.

        Args:
            scores: (words,) behind the beginning.
        """
        branches: dict[int, list[int]] = {}
        for i in beginning.answers:
            branches.setdefault(self._answers[i][beginning.tokens], []).append(i)
        logits = scores[list(branches)].astype(np.float64)
        weights = np.exp(logits - logits.max())
        weights *= beginning.chance / weights.sum()
        for below, weight in zip(branches.values(), weights, strict=True):
            if len(below) > 1 and weight >= _WEIGHTY:
                tokens = alike([self._answers[i] for i in below])
                yield _Beginning(beginning.pair, below, tokens, float(weight))
            else:
                beginning.pair.chances[below] = weight / len(below)
