"""Questions for the model from a report's sentences, and readings of the sentences from its answers.

:class:`ReportReader` asks any model about whole reports, behind a prompt with worked examples;
:class:`SentenceReader` asks the bundled model, which was trained to read single sentences.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp
from typing import TYPE_CHECKING, Any

from radcal.findings.by_model.prompt import numbered
from radcal.findings.by_model.protocol import Codec, SentenceGuide
from radcal.findings.by_model.protocol import Prompt as SentencePrompt
from radcal.findings.by_model.rows import END, RowGuide, Rows, parts_of, shown, spans
from radcal.findings.model import worker
from radcal.findings.model.chat import MARK, Chat
from radcal.findings.model.questions import Question, Reader
from radcal.findings.model.rendering import chat_of
from radcal.system.errors import InputError
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model

_LEAST_ROOM = 128
"""Fewest tokens that a prompt must leave for a part of a report."""
_MOST_ANSWER = 1024
_REMEMBERED = 50_000
"""Most sentences whose readings are cached."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement about a sentence; ``term`` and ``cue`` are spans of its text, None if not given.

    said: the certainty phrase as the model wrote it, or 'hedged' if the words of the cue determine it
    """

    sentence: int
    pathology: str
    said: str
    term: tuple[int, int] | None
    cue: tuple[int, int] | None
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)


def make_reader(model: Model, values: Mapping[str, Any], context: int) -> Reader:
    """The reader for a model: of sentences for the bundled one, else of reports behind the chat or base prompt.

    Args:
        values: as :class:`~radcal.findings.by_model.engine.LlamaEngine` sends them, and the ``seconds`` for a report.
        context: tokens for prompt, report and answer.

    Raises:
        InputError: no room for a report, or no chat template.
        ValueError: the model's vocabulary is not of the format named in its metadata.
    """
    if values["sentences"]:
        return SentenceReader(model, values["pathologies"])
    template = model.chat_template()
    chat = bool(template) if values["prompt"] == "auto" else values["prompt"] == "chat"
    if chat and not template:
        raise InputError("The model has no chat template. Choose the prompt 'base'.")
    prompt = Chat(values["base"])
    if chat:
        bos, eos = model.marker("bos"), model.marker("eos")
        prompt = chat_of(values["chat"], template, bos, eos, model=model.name, seconds=values["seconds"])
    for name in (*values["pathologies"], *values["phrases"]):
        row = f'- 1, "{name}", "{name}"\n{END}'
        if model.written(model.inner_tokens(row)) != row:
            raise InputError(
                "The model's vocabulary cannot write {name!r}, which answers need. Choose another model.", name=name
            )
    return ReportReader(
        model,
        prompt,
        Rows(model.inner_tokens, values["pathologies"], values["phrases"], values["reference"], values["most"]),
        begin=not chat or not prompt.text.startswith(model.marker("bos") or "\0"),
        context=context,
    )


class ReportReader:
    """Reads whole reports behind a static prompt, cut between sentences if they are too long.

    Args:
        prompt: the filled-in prompt with MARK in place of the report.
        begin: True to prepend the model's opening token, which chat templates contain already.
        context: tokens for prompt, report and answer.

    Raises:
        InputError: no room for a report.
    """

    whole_reports = True

    def __init__(self, words: Model, prompt: Chat, rows: Rows, *, begin: bool, context: int) -> None:
        head, tail = prompt.text.split(MARK)
        self.notes = prompt.notes
        self._words = words
        self._rows = rows
        self.prefix = words.tokens(head, special=True, begin=begin)
        self._tail = words.tokens("\n" + tail, special=True)[len(words.tokens("\n")) :]
        room = context - len(self.prefix) - len(self._tail)
        self._budget = room - min(room // 3, _MOST_ANSWER)
        if self._budget < _LEAST_ROOM:
            raise InputError(
                "The prompt takes {n} tokens of a context of {context}, which leaves too little "
                "for a report. Choose a larger context, or a shorter prompt.",
                n=len(self.prefix) + len(self._tail),
                context=context,
            )

    def questions(self, sentences: Sequence[str]) -> tuple[list[Question], list[Reading]]:
        """One prompt, or several if the report is longer than the context."""
        questions = []
        for context, part in parts_of(sentences, self._budget, self._tokens):
            texts = [shown(p.text) for p in part]
            lines = self._words.inner_tokens("".join(numbered(texts, self._rows.reference)))
            guide = RowGuide(self._rows, texts, context)
            questions.append(Question([*lines, *self._tail], guide, (part, guide)))
        return questions, []

    def _tokens(self, sentence: str) -> int:
        return len(self._words.inner_tokens(shown(sentence))) + 8

    def readings(self, question: Question, answer: Sequence[int], chances: Sequence[float]) -> list[Reading]:
        """The rows of an answer; a row's probability is the product over its tokens."""
        part, guide = question.source
        if guide.cut:
            raise ValueError(
                Text("the model listed more than {n} findings, which is no sensible answer", n=self._rows.most)
            )
        readings = []
        for s in guide.statements:
            piece = part[s.sentence]
            place = spans(shown(piece.text)).get(s.phrase)
            cue = (piece.start + place[0], piece.start + place[1]) if place else None
            readings.append(
                Reading(piece.sentence, s.pathology, s.phrase, None, cue, exp(sum(chances[s.first : s.last])))
            )
        return readings


class SentenceReader:
    """Reads single sentences with a model of the format of :mod:`radcal.findings.by_model.protocol`.

    Args:
        pathologies: those known to RadCal; the model may have been trained on fewer.

    Raises:
        ValueError: the vocabulary is not of that format, or has an unknown pathology.
    """

    whole_reports = False
    notes = ()

    def __init__(self, words: Model, pathologies: Sequence[str]) -> None:
        self.prefix: list[int] = []
        encode: Callable[[str], list[int]] = words.tokens
        self._known: OrderedDict[str, list[Reading]] = OrderedDict()
        self._codec = Codec([words.piece(i) for i in range(words.words)], encode)
        unknown = set(self._codec.pathologies.values()) - set(pathologies)
        if unknown:
            raise ValueError(Text("RadCal knows no pathology named {names}", names=", ".join(sorted(unknown))))

    def questions(self, sentences: Sequence[str]) -> tuple[list[Question], list[Reading]]:
        """A prompt for each sentence without a cached reading, and the cached readings: dictation repeats itself."""
        questions: list[Question] = []
        recalled: list[Reading] = []
        for i, text in enumerate(sentences):
            if text in self._known:
                self._known.move_to_end(text)
                recalled += [replace(r, sentence=i) for r in self._known[text]]
                continue
            prompts = list(self._codec.prompts(text))
            whole = text if len(prompts) == 1 else None
            for prompt in prompts:
                guide = SentenceGuide(self._codec, prompt)
                questions.append(Question(prompt.ids, guide, (i, prompt, whole, guide)))
        return questions, recalled

    def readings(self, question: Question, answer: Sequence[int], chances: Sequence[float]) -> list[Reading]:
        """The rows of an answer; a row's probability is the product over its tokens."""
        sentence: int
        prompt: SentencePrompt
        whole: str | None
        guide: SentenceGuide
        sentence, prompt, whole, guide = question.source
        out = []
        for row in guide.rows:
            term = (prompt.spans[row.term[0]][0], prompt.spans[row.term[1] - 1][1])
            cue = (prompt.spans[row.cue[0]][0], prompt.spans[row.cue[1] - 1][1]) if row.cue else None
            chance = exp(sum(chances[row.first : row.last]))
            out.append(Reading(sentence, row.pathology, row.state, term, cue, chance))
        if whole is not None:
            self._known[whole] = out
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return out


def main() -> None:
    """Serve the parent process over the standard streams until it ends."""
    worker.main(make_reader)
