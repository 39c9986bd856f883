"""Questions of sentences and pathologies in one context: the probabilities of a closed list as the next words.

Task and worked examples are decoded once, into sequence 0.  A sentence is decoded once for all its pathologies, by
tokens that belong to several sequences at a time, and many sentences of many reports share an evaluation.  Nothing is
written: of the scores after a question, those of the answers' first tokens count.  Answers that begin alike are told
apart by a further evaluation, where that beginning has any weight.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from radcal.system.errors import InputError
from radcal.system.text import EMPTY, Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model, Outcome, Step

MARK = "\x02"
"""Stands for what is put into a form; occurs in no sentence."""
NO_NUMBERS = Text("the model's scores are no numbers: its weights are damaged")
_TOO_LONG = Text("a question is longer than the model's context has room for")
_WEIGHTY = 0.02
"""Least probability of a beginning that several answers share at which they are told apart."""
_ASIDE = 16
"""Sequences for telling answers apart, out of reach of the questions."""
_REMEMBERED = 20_000
"""Most answers that are remembered."""
_LEAST_SENTENCE = 32
"""Fewest tokens of a sentence for which there must be room."""

Questions: TypeAlias = Sequence[tuple[str, str]]
"""Questions of a sentence: what is asked, and the words of the term."""
Sentences: TypeAlias = Sequence[tuple[str, Questions]]
"""The sentences of a report with their questions."""


@dataclass(frozen=True, slots=True)
class Forms:
    """How questions are put.

    told:     what stands before the first sentence
    sentence: around a sentence, and question: around what is asked of it, which stand in place of MARK
    answers:  the closed list as the model would write it, none the beginning of another
    markers:  the forms and answers are names of control tokens; what stands in them never is
    longest:  most tokens of a sentence
    """

    told: str
    sentence: str
    question: str
    answers: tuple[str, ...]
    markers: bool
    longest: int


@dataclass(frozen=True, slots=True)
class _Node:
    """A beginning that answers share: the tokens up to where they differ, and what may follow.

    branches: by the next token;  below: the answers that begin so
    """

    path: tuple[int, ...]
    branches: dict[int, _Node]
    below: list[int]


@dataclass(eq=False)
class Report:
    """A report in progress.

    chances: the answers by sentence and question, empty while they are open
    open:    questions that wait
    cut:     whether only a part of a sentence was shown
    begun:   working time, in seconds, at which its first sentence was evaluated; None before
    """

    number: int
    sentences: Sentences
    chances: list[list[NDArray[np.float64]]]
    open: int
    cut: bool = False
    failure: str = EMPTY
    begun: float | None = None


@dataclass(eq=False)
class _Part:
    """Questions of one sentence that share its tokens, by their places in the report."""

    report: Report
    at: int
    places: list[int]
    head: list[int] = field(default_factory=list)
    ends: list[list[int]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.report.sentences[self.at][0]

    def asked(self, place: int) -> tuple[str, str]:
        what, words = self.report.sentences[self.at][1][place]
        return what, words

    @property
    def size(self) -> int:
        return len(self.head) + sum(map(len, self.ends))


@dataclass(eq=False, slots=True)
class _Pair:
    """A question under evaluation: its sequence, its tokens so far, and the probabilities of its answers."""

    part: _Part
    place: int
    sequence: int
    length: int
    chances: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A beginning that answers to a question share: the tokens up to it, and its probability."""

    pair: _Pair
    path: tuple[int, ...]
    node: _Node
    chance: float


class _InterruptedError(Exception):
    """An evaluation was stopped, or the context has no room."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


class PairBatches:
    """Answers the questions of reports; an answer does not depend on the others, up to rounding.

    Args:
        sequences: of the context.
        stop: polled between evaluations; True interrupts, and what was interrupted is repeated.
        tick: called between evaluations.

    Raises:
        InputError: the prompt leaves no room for a question, or the model's vocabulary cannot tell the answers apart.
    """

    def __init__(
        self,
        model: Model,
        forms: Forms,
        context: int,
        sequences: int,
        stop: Callable[[], bool],
        tick: Callable[[], object],
    ) -> None:
        self._model = model
        self._forms = forms
        self._stop = stop
        self._tick = tick
        self.prefix = model.tokens(forms.told, begin=True)
        answers = [self._encode(answer, "") for answer in forms.answers]
        self._root = _tree(answers, forms.answers)
        self._tokens = np.unique(np.concatenate(answers))
        """The tokens whose scores count, in ascending order."""
        self._columns = {int(token): i for i, token in enumerate(self._tokens)}
        self._pairs = max(sequences - 1 - _ASIDE, 1)
        self._spare = range(self._pairs + 1, sequences)
        self._room = model.cells - len(self.prefix) - len(self._spare) * max(map(len, answers))
        self._longest = min(forms.longest, context - len(self.prefix) - _LEAST_SENTENCE, self._room - _LEAST_SENTENCE)
        if self._longest < _LEAST_SENTENCE:
            raise InputError(
                "The prompt takes {n} tokens of a context of {context}, which leaves too little for a sentence. Choose "
                "a larger context, or a shorter prompt.",
                n=len(self.prefix),
                context=context,
            )
        self._waiting: deque[_Part] = deque()
        self._known: OrderedDict[tuple[str, str, str], NDArray[np.float64]] = OrderedDict()
        self._done: deque[Report] = deque()
        self.reports: dict[int, Report] = {}

    # --- reports -------------------------------------------------------------------------------------

    def add(self, number: int, sentences: Sentences) -> None:
        """Queue a report."""
        n = [len(questions) for _, questions in sentences]
        report = Report(number, sentences, [[np.empty(0)] * k for k in n], sum(n))
        self.reports[number] = report
        for at, k in enumerate(n):
            places = [list(range(first, min(first + self._pairs, k))) for first in range(0, k, self._pairs)]
            self._waiting += (_Part(report, at, some) for some in places)
        if not report.open:
            self._done.append(report)

    def drop(self) -> None:
        """Discard all reports."""
        self.reports.clear()
        self._waiting.clear()
        self._done.clear()

    def remove(self, number: int) -> None:
        """Discard a report."""
        report = self.reports.pop(number)
        self._waiting = deque(part for part in self._waiting if part.report is not report)

    def step(self, now: float) -> list[Report]:
        """Evaluate as many questions as fit together; returns the finished reports.

        An interrupted evaluation changes nothing: the next step repeats it.

        Args:
            now: working time in seconds.
        """
        group = self._group()
        for part in group:
            if part.report.begun is None:
                part.report.begun = now
        if group:
            try:
                self._evaluate(group)
            except _InterruptedError as interrupted:
                self._waiting.extendleft(reversed(group))
                if interrupted.outcome == "full":
                    self._make_room(group)
        finished = list(self._done)
        self._done.clear()
        for report in finished:
            del self.reports[report.number]
        return finished

    def _group(self) -> list[_Part]:
        """The next parts that are evaluated together, at least one; those already known are answered."""
        group: list[_Part] = []
        later: list[_Part] = []
        texts: set[str] = set()
        tokens = pairs = 0
        most = min(self._model.batch, self._room)
        while self._waiting:
            part = self._waiting.popleft()
            if part.report.failure or not self._recall(part):
                continue
            if part.text in texts:  # known once it is answered
                later.append(part)
                continue
            if not part.head:
                self._encode_part(part)
            if group and (tokens + part.size > most or pairs + len(part.places) > self._pairs):
                later.append(part)
                break
            group.append(part)
            texts.add(part.text)
            tokens += part.size
            pairs += len(part.places)
        self._waiting.extendleft(reversed(later))
        return group

    def _recall(self, part: _Part) -> bool:
        """Answer what is remembered; False if nothing is left to ask."""
        for place in list(part.places):
            key = (part.text, *part.asked(place))
            if (known := self._known.get(key)) is not None:
                self._known.move_to_end(key)
                self._answer(part, place, known)
                part.places.remove(place)
                part.head, part.ends = [], []
        return bool(part.places)

    def _answer(self, part: _Part, place: int, chances: NDArray[np.float64]) -> None:
        report = part.report
        report.chances[part.at][place] = chances
        report.open -= 1
        if report.open == 0 and not report.failure:
            self._done.append(report)

    def _fail(self, report: Report, reason: Text) -> None:
        if not report.failure:
            report.failure = reason
            self._done.append(report)

    def _make_room(self, group: list[_Part]) -> None:
        """Ask less at a time from now on."""
        size = sum(part.size for part in group)
        if len(group) > 1:
            self._room = size // 2
            return
        [part] = group
        if len(part.places) > 1:
            half = len(part.places) // 2
            self._waiting.popleft()
            for places in (part.places[half:], part.places[:half]):
                self._waiting.appendleft(_Part(part.report, part.at, places))
        elif len(part.head) > _LEAST_SENTENCE:
            self._longest = len(part.head) // 2
            part.head, part.ends = [], []
        else:
            self._fail(part.report, _TOO_LONG)

    # --- tokens --------------------------------------------------------------------------------------

    def _encode(self, form: str, text: str) -> list[int]:
        """The tokens of a text in its form."""
        if not self._forms.markers:
            return self._model.inner_tokens(form.replace(MARK, text))
        before, _, after = form.partition(MARK)
        inside = self._model.tokens(text) if text else []
        return [*self._model.tokens(before, special=True), *inside, *self._model.tokens(after, special=True)]

    def _encode_part(self, part: _Part) -> None:
        """The tokens of a part; of a sentence that is too long, those around the term, for each term alone."""
        part.head = self._encode(self._forms.sentence, part.text)
        if len(part.head) > self._longest:
            part.report.cut = True
            first, *others = part.places
            if others:
                self._waiting.appendleft(_Part(part.report, part.at, others))
                part.places = [first]
            part.head = self._around(part.text, part.asked(first)[1])
        question = self._forms.question
        part.ends = [[*self._encode(question, part.asked(p)[0]), *self._root.path] for p in part.places]

    def _around(self, text: str, words: str) -> list[int]:
        """The tokens of the part of a long sentence around the words of a term."""
        centre = text.lower().find(words.lower()) + len(words) // 2
        size = len(text)
        while True:
            size = size * 3 // 4
            first = min(max(centre - size // 2, 0), max(len(text) - size, 0))
            tokens = self._encode(self._forms.sentence, text[first : first + size])
            if len(tokens) <= self._longest or size < len(words) + 8:
                return tokens[: self._longest]

    # --- evaluation ----------------------------------------------------------------------------------

    def _evaluate(self, group: list[_Part]) -> None:
        """Answer the questions of a group.

        Raises:
            _InterruptedError: nothing has changed.
        """
        try:
            pairs = self._weighed(group)
        finally:
            for sequence in range(1, self._spare.stop):
                self._model.forget(sequence)
        for pair in pairs:
            if not np.isfinite(pair.chances).all():
                self._fail(pair.part.report, NO_NUMBERS)
                continue
            self._known[pair.part.text, *pair.part.asked(pair.place)] = pair.chances
            self._answer(pair.part, pair.place, pair.chances)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _weighed(self, group: list[_Part]) -> list[_Pair]:
        """The questions of a group with their chances."""
        start = len(self.prefix)
        steps: list[Step] = []
        pairs: list[_Pair] = []
        for part in group:
            first = len(pairs) + 1
            mine = tuple(range(first, first + len(part.places)))
            for sequence in mine:
                self._model.share(0, sequence)
            steps += ((t, start + i, mine, False) for i, t in enumerate(part.head))
            at = start + len(part.head)
            for sequence, place, end in zip(mine, part.places, part.ends, strict=True):
                steps += _run(end, at, sequence)
                pairs.append(_Pair(part, place, sequence, at + len(end), np.zeros(len(self._forms.answers))))
        alike = [
            beginning
            for pair, scores in zip(pairs, self._scores(steps), strict=True)
            for beginning in self._spread(_Beginning(pair, (), self._root, 1.0), scores)
        ]
        while alike:
            wave, alike = alike[: len(self._spare)], alike[len(self._spare) :]
            steps = []
            for sequence, beginning in zip(self._spare, wave, strict=False):
                self._model.share(beginning.pair.sequence, sequence)
                steps += _run(beginning.path, beginning.pair.length, sequence)
            for beginning, scores in zip(wave, self._scores(steps), strict=True):
                alike += self._spread(beginning, scores)
            for sequence in self._spare:
                self._model.forget(sequence)
        return pairs

    def _spread(self, beginning: _Beginning, scores: NDArray[np.float32]) -> Iterator[_Beginning]:
        """Spread the probability of a beginning over what follows; yields the beginnings still to be told apart.

        Args:
            scores: of the tokens that count, behind the beginning.
        """
        branches = beginning.node.branches
        logits = scores[[self._columns[token] for token in branches]].astype(np.float64)
        weights = np.exp(logits - logits.max())
        weights *= beginning.chance / weights.sum()
        for child, weight in zip(branches.values(), weights, strict=True):
            if child.branches and weight >= _WEIGHTY:
                yield _Beginning(beginning.pair, (*beginning.path, *child.path), child, float(weight))
            else:
                beginning.pair.chances[child.below] = weight / len(child.below)

    def _scores(self, steps: Sequence[Step]) -> list[NDArray[np.float32]]:
        """The scores of the tokens that count, after each step that asks for them.

        Raises:
            _InterruptedError: by the stop flag, or the context is full.
        """
        found: list[NDArray[np.float32]] = []
        first = 0
        while first < len(steps):
            if self._stop():
                raise _InterruptedError("stopped")
            chunk = steps[first : first + self._model.batch]
            asking = [i for i, step in enumerate(chunk) if step[3]]
            if len(asking) > self._model.outputs:
                chunk, asking = chunk[: asking[self._model.outputs]], asking[: self._model.outputs]
            if (outcome := self._model.decode(chunk)) != "done":
                raise _InterruptedError(outcome)
            found += (self._model.scores(i)[self._tokens] for i in asking)
            first += len(chunk)
            self._tick()
        return found


def _run(tokens: Sequence[int], at: int, sequence: int) -> Iterator[Step]:
    """The steps of tokens from a position on, with scores after the last."""
    return ((t, at + i, (sequence,), i == len(tokens) - 1) for i, t in enumerate(tokens))


def _tree(answers: Sequence[Sequence[int]], names: Sequence[str]) -> _Node:
    """The tree of the answers' beginnings.

    Raises:
        InputError: two answers are alike, or one is the beginning of the other.
    """

    def node(below: list[int], depth: int) -> _Node:
        first = depth
        while len(below) > 1:
            for i in below:
                if len(answers[i]) == depth:
                    other = next(j for j in below if j != i)
                    raise InputError(
                        "The model's vocabulary cannot tell {one!r} from {other!r}. Choose another model.",
                        one=names[i].strip(),
                        other=names[other].strip(),
                    )
            if len({answers[i][depth] for i in below}) > 1:
                break
            depth += 1
        branches: dict[int, list[int]] = {}
        if len(below) > 1:
            for i in below:
                branches.setdefault(answers[i][depth], []).append(i)
        path = tuple(answers[below[0]][first:depth])
        return _Node(path, {token: node(some, depth) for token, some in branches.items()}, below)

    return node(list(range(len(answers))), 0)
