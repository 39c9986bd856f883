"""What a model is asked of texts: a number, one of some options or free words that follow, and embeddings.

Texts that begin alike, as messages made of one form do, are decoded from where they differ.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radcal.findings.model.native import NO_NUMBERS, FullError, Model, StoppedError, alike, run_of
from radcal.findings.model.process import Message, answered
from radcal.findings.model.writing import Wanted, without_thoughts
from radcal.system.text import Text

FIRST = 102
"""First sequence of texts; what continues them is in sequences 1 to 101."""
NUMBERS = range(101)
_TOGETHER = FIRST - 1
"""Continuations at a time, in sequences of their own."""
_WRITTEN_TOGETHER = 32
"""Texts that are written at a time."""
_LONGEST_NUMBER, _LONGEST_OPTION = 16, 128
"""Most tokens of a number, and of another continuation."""
_LEAST_ALIKE = 8
"""Fewest tokens for which a beginning is worth being shared."""
_NO_ROOM = Text("The context has no room for the text.")


class UnanswerableError(Exception):
    """The model cannot answer; the message is a Text with the reason."""


@dataclass(eq=False)
class _Draft:
    """A text while it is written."""

    sequence: int
    random: np.random.Generator
    tokens: list[int] = field(default_factory=list)
    text: str = ""
    done: bool = False


class Texts:
    """Answers requests, one after the other; results are those of separate evaluations, up to rounding.

    As many texts are kept in the context as there are sequences and room for; those used longest ago go first.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.notes: list[Text] = []
        self.decoded = 0
        """Tokens of texts evaluated so far."""
        self._waiting: deque[tuple[int, dict[str, Any]]] = deque()
        self._kept: OrderedDict[int, list[int]] = OrderedDict()
        """The tokens of each sequence, those used longest ago first."""

    # --- requests ------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Whether requests wait."""
        return bool(self._waiting)

    def add(self, number: int, asked: dict[str, Any]) -> None:
        """Queue a request: the name of a method under ``what``, and its arguments."""
        self._waiting.append((number, asked))

    def drop(self) -> None:
        """Discard all requests."""
        self._waiting.clear()

    def step(self, now: float) -> list[Message]:
        """Answer a request; none is answered, and the next step repeats it, if the stop flag was set."""
        number, asked = self._waiting[0]
        arguments = {name: value for name, value in asked.items() if name != "what"}
        try:
            message = answered(number, getattr(self, asked["what"])(**arguments))
        except StoppedError:
            return []
        except FullError:
            message = answered(number, failure=_NO_ROOM)
        except UnanswerableError as error:
            message = answered(number, failure=error.args[0])
        self._waiting.popleft()
        return [message]

    def numbers(self, text: str) -> list[float]:
        """(101,) exact P(number k follows the text | a number from 0 to 100 follows).

        A number ends where the next token is not a digit.

        Raises:
            UnanswerableError: the text does not fit into the context.
            StoppedError, FullError: as of :meth:`Model.evaluate`, here and below.
        """
        start = text if text[-1:].isspace() else f"{text} "
        return self._chances(text, [f"{start}{k}" for k in NUMBERS], _LONGEST_NUMBER, self._digits)

    def options(self, text: str, options: Sequence[str]) -> list[float]:
        """(k,) exact P(option follows the text | one of the options follows).

        Args:
            options: of which none begins with another; close them with a quotation mark or a line break.

        Raises:
            UnanswerableError: text and options do not fit into the context.
        """
        return self._chances(text, [text + option for option in options], _LONGEST_OPTION)

    def likelihood(self, text: str, answer: str) -> list[float]:
        """ln P of each token with which an answer continues the text, given all before it.

        Raises:
            UnanswerableError: text and answer do not fit into the context, or the answer is empty.
        """
        model = self.model
        begun, whole = model.tokens(text, begin=True), model.tokens(text + answer, begin=True)
        first = alike((begun, whole))
        if len(whole) > model.cells or not 0 < first < len(whole):
            raise _too_long(len(whole))
        sequence, scores = self.decode(whole[:first], len(whole) - first)
        logs = [float(_log_softmax(scores)[whole[first]])]
        try:
            model.share(sequence, 1)
            steps = [(token, at, (1,), True) for at, token in enumerate(whole[first:-1], first)]
            for scores, token in zip(model.evaluate(steps), whole[first + 1 :], strict=True):
                logs.append(float(_log_softmax(scores)[token]))
        finally:
            self._forget(1)
        return logs

    def embedding(self, text: str) -> list[float]:
        """(width,) mean of the last hidden states over the text's tokens, normalised to length 1.

        Raises:
            UnanswerableError: the text does not fit into the context, or has no tokens.
        """
        for sequence in list(self._kept):
            self._drop(sequence)
        tokens, model = self.model.tokens(text, begin=True), self.model
        if not 0 < len(tokens) <= model.cells:
            raise UnanswerableError(
                Text("The text has {n} tokens; there must be some, and no more than the context has.", n=len(tokens))
            )
        size, total = min(model.outputs, model.batch), np.zeros(model.width)
        steps = [(token, i, (1,), True) for i, token in enumerate(tokens)]
        try:
            for first in range(0, len(steps), size):
                total += model.embedded(steps[first : first + size]).sum(axis=0)
        finally:
            model.forget(1)
        return list((total / max(float(np.linalg.norm(total)), 1e-300)).tolist())

    def write(self, text: str, wanted: dict[str, Any]) -> list[str]:
        """The texts that the model writes after a text, without its thoughts and the spaces around them.

        A text is '' where the model ended at once, or was cut off in thought.

        Args:
            wanted: a :class:`Wanted`, as plain values.

        Raises:
            UnanswerableError: the text leaves no room, or the model's weights are damaged.
        """
        ordered = Wanted(**{**wanted, "stops": tuple(wanted["stops"])})
        prompt, model = self.model.tokens(text, begin=True), self.model
        room = model.cells - len(prompt)
        most = min(ordered.most, room)
        if most < 1:
            raise _too_long(len(prompt))
        together = max(min(_WRITTEN_TOGETHER, model.outputs, room // most), 1)
        seed = list(hashlib.sha256(np.array([ordered.seed, *prompt], np.int64).tobytes()).digest())
        drafts = [_Draft(1 + i % together, np.random.default_rng([*seed, i])) for i in range(ordered.samples)]
        begun_with, scores = self.decode(prompt, most * min(together, ordered.samples))
        first = scores.copy()
        for begun in range(0, len(drafts), together):
            wave = drafts[begun : begun + together]
            try:
                for draft in wave:
                    model.share(begun_with, draft.sequence)
                    self._extend(draft, first, ordered, most)
                while alive := [draft for draft in wave if not draft.done]:
                    steps = [(d.tokens[-1], len(prompt) + len(d.tokens) - 1, (d.sequence,), True) for d in alive]
                    for draft, scores in zip(alive, model.evaluate(steps), strict=True):
                        self._extend(draft, scores, ordered, most)
            finally:
                self._forget(len(wave))
        return [draft.text for draft in drafts]

    # --- evaluation ----------------------------------------------------------------------------------

    def decode(self, tokens: Sequence[int], more: int = 0) -> tuple[int, NDArray[np.float32]]:
        """Evaluate a text; the sequence that holds it until the next one is decoded, and (words,) scores of the token
        after it, valid until the next evaluation.

        Args:
            more: tokens behind the text for which there must be room.

        Raises:
            StoppedError, FullError: as of :meth:`Model.evaluate`.
        """
        sequence, known = self._sequence(tokens, more)
        try:
            [scores] = self.model.evaluate(run_of(tokens[known:], known, sequence))
        except BaseException:
            self.model.forget(sequence)
            raise
        self.decoded += len(tokens) - known
        self._kept[sequence] = list(tokens)
        return sequence, scores

    def _sequence(self, tokens: Sequence[int], more: int) -> tuple[int, int]:
        """A sequence that holds the beginning of a text as far as it is known, and the number of its tokens."""
        shared = {sequence: alike((kept, tokens)) for sequence, kept in self._kept.items()}
        source = max(shared, key=lambda sequence: shared[sequence], default=0)
        known = min(shared.get(source, 0), len(tokens) - 1)  # the scores after the last are wanted
        if known >= _LEAST_ALIKE:
            self._kept.move_to_end(source)
        else:
            known = 0
        target = 0
        while not target:
            free = next((s for s in range(FIRST, self.model.sequences) if s not in self._kept), 0)
            held = sum(map(len, self._kept.values()))
            if free and (held + len(tokens) + more <= self.model.cells or not held):
                target = free
                if known:
                    self.model.share(source, target)
            elif next(iter(self._kept)) == source and known:
                target = source  # all others are gone: the text takes its place
                del self._kept[source]
            else:
                self._drop(next(iter(self._kept)))
        if known and self.model.forget(target, known):
            return target, known
        self.model.forget(target)  # also where the memory of a model cannot be cut
        return target, 0

    def _drop(self, sequence: int) -> None:
        del self._kept[sequence]
        self.model.forget(sequence)

    def _forget(self, last: int) -> None:
        for sequence in range(1, last + 1):
            self.model.forget(sequence)

    def _chances(
        self, text: str, ways: Sequence[str], longest: int, unending: NDArray[np.intp] | None = None
    ) -> list[float]:
        """(k,) probability of each way in which a text continues, given that it is one of them.

        The continuations form a token tree that is decoded in one go: a token belongs to the sequences of all that
        start with it.

        Args:
            ways: the text with each continuation.
            longest: most tokens of a continuation.
            unending: tokens that may not come after a continuation.
        """
        model = self.model
        begun, branches = model.tokens(text, begin=True), [model.tokens(way, begin=True) for way in ways]
        # A continuation may change how the end of the text is tokenised: what is common to all stands for the text.
        common = min(alike((begun, *branches)), *(len(branch) - 1 for branch in branches))
        head, tails = begun[:common], [tuple(branch[common:]) for branch in branches]
        if not head:
            raise UnanswerableError(Text("The text has no tokens before the number."))
        sharing: dict[tuple[int, ...], list[int]] = {}
        for i, tail in enumerate(tails):
            for depth in range(len(tail) + 1):
                sharing.setdefault(tail[:depth], []).append(i)
        if len(head) + len(sharing) > model.cells or max(map(len, tails)) > longest:
            raise _too_long(len(head))
        total = np.zeros(len(tails))

        def note(node: tuple[int, ...], scores: NDArray[np.float32]) -> None:
            logs = _log_softmax(scores)
            for i in sharing[node]:
                if len(node) < len(tails[i]):
                    total[i] += logs[tails[i][len(node)]]
                elif unending is not None:
                    total[i] += np.log(max(1.0 - float(np.exp(logs[unending]).sum()), 1e-300))

        sequence, scores = self.decode(head, len(sharing))
        note((), scores)
        below = sorted((node for node in sharing if node), key=len)  # parents precede their children
        for first in range(0, len(tails), _TOGETHER):
            here = range(first, min(first + _TOGETHER, len(tails)))
            tree = {node: mine for node in below if (mine := [i for i in sharing[node] if i in here])}
            try:
                for k in range(len(here)):
                    model.share(sequence, 1 + k)
                steps = [
                    (node[-1], len(head) + len(node) - 1, tuple(1 + i - first for i in mine), True)
                    for node, mine in tree.items()
                ]
                for node, scores in zip(tree, model.evaluate(steps), strict=True):
                    if sharing[node][0] >= first:  # the first of all that share it
                        note(node, scores)
            finally:
                self._forget(len(here))
        chances = np.exp(total - total.max())
        return list((chances / chances.sum()).tolist())

    def _extend(self, draft: _Draft, scores: NDArray[np.float32], wanted: Wanted, most: int) -> None:
        """Choose the next token of a text, and see whether it is the last."""
        logits = scores.astype(np.float64)
        if not np.isfinite(logits.max()):
            raise UnanswerableError(NO_NUMBERS)
        token = int(logits.argmax())
        if wanted.temperature:
            weight = np.exp((logits - logits.max()) / wanted.temperature).cumsum()
            token = int(weight.searchsorted(draft.random.random() * weight[-1], side="right"))
        if self.model.is_end(token):
            draft.done = True
            return
        draft.tokens.append(token)
        text = without_thoughts(self.model.written(draft.tokens)).lstrip()
        ends = [place for word in wanted.stops if (place := text.find(word)) >= 0]
        draft.text = text[: min(ends, default=None)].strip()
        draft.done = bool(ends) or len(draft.tokens) >= most

    @cached_property
    def _digits(self) -> NDArray[np.intp]:
        """The tokens that start with a digit, and so continue a number."""
        return np.array([t for t in range(self.model.words) if self.model.written([t])[:1].isdigit()], np.intp)


def _too_long(tokens: int) -> UnanswerableError:
    return UnanswerableError(Text("The text has {n} tokens, which is more than the context has room for.", n=tokens))


def _log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    logs = scores.astype(np.float64)
    logs -= logs.max()
    return np.asarray(logs - np.log(np.exp(logs).sum()))
