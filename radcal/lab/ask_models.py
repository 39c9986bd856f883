"""Asking language models on this computer questions, and what their certainty is worth."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np

from radcal.lab.asking.asker import Asker, HedgeReader, read_messages
from radcal.lab.asking.files import Kept
from radcal.lab.asking_records import Answered, Askable, Asking, Match, Question, Unanswered, Way, WayFigures
from radcal.system.errors import DataError, EngineError, InputError
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import PUBLIC, Lexicon, load_lexicon

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.findings.model.gguf_file import GgufFile
    from radcal.findings.model.local_model import LocalModel, Task

WAYS: tuple[Way, ...] = get_args(Way)
_KEEP_SECONDS = 20.0
"""Time after which new answers are kept: no more than that is lost if the machine stops."""
_IN_A_ROW = 10
"""Failures of the engine without an answer between, after which no question is to blame."""
FEWEST_SAMPLES, MOST_SAMPLES, SAMPLES = 2, 100, 10
"""Random answers to a question: at least, at most, and unless another number is asked for."""
_HOTTEST = 5.0


@dataclass(frozen=True, slots=True)
class HowToAsk:
    """A model and how it is asked.

    ways:        in the order of the figures
    samples, temperature: of random answers, for "semantic";  seed: of all that is random
    judge:       another model, which decides what answers mean: for ``match`` "judge" and for "semantic"
    lexicon:     the phrases to choose from; None for those of the department, or those of the shipped public survey

    Raises:
        InputError: a value is out of bounds, or a judge is needed and missing.
    """

    MATCHES: ClassVar[tuple[Match, ...]] = get_args(Match)
    model: Path
    ways: tuple[Way, ...]
    samples: int = SAMPLES
    temperature: float = 1.0
    match: Match = "normalised"
    judge: Path | None = None
    lexicon: Lexicon | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not FEWEST_SAMPLES <= self.samples <= MOST_SAMPLES:
            raise InputError(
                "{samples} random answers a question: choose {low} to {high}.",
                samples=self.samples,
                low=FEWEST_SAMPLES,
                high=MOST_SAMPLES,
            )
        if not 0 < self.temperature <= _HOTTEST:
            raise InputError(
                "A temperature of {temperature:g}: choose a number above 0, up to {high:g}.",
                temperature=self.temperature,
                high=_HOTTEST,
            )
        if not 0 <= self.seed < 2**32:
            raise InputError("A seed of {seed}: choose a whole number from 0 on.", seed=self.seed)
        if self.match == "judge" and self.judge is None:
            raise InputError("To have a model judge the answers, name its file.")


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that answers; identity: stands for its file;  notes: what is said of how it runs."""

    speaker: Askable
    identity: str
    notes: Callable[[], tuple[str, ...]]


OpenModel = Callable[[Path, HowToAsk, Settings, Progress], AbstractContextManager[Opened]]


class LocalSpeaker:
    """A model file as an Askable; ``progress`` is asked whether to go on, and counts nothing."""

    def __init__(self, model: LocalModel, temperature: float, seed: int, progress: Progress) -> None:
        self._model, self._temperature, self._seed = model, temperature, seed
        self._progress = Unseen(progress)

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        """As of Askable: greedy for one answer, at the temperature for several."""
        from radcal.findings.model.writing import Wanted

        temperature = self._temperature if samples > 1 else 0.0
        wanted = Wanted(most, tuple(stops), samples, temperature, self._seed)
        return self._model.write(message, wanted, lead, self._progress)

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> NDArray[np.float64]:
        """As of Askable."""
        [chances] = self._model.option_distribution([message], options, lead, self._progress)
        return np.asarray(chances)

    def numbers(self, message: str, lead: str) -> NDArray[np.float64]:
        """As of Askable."""
        [chances] = self._model.number_distribution([message], self._progress, lead)
        return np.asarray(chances)


@contextmanager
def open_model(path: Path, how: HowToAsk, settings: Settings, progress: Progress) -> Iterator[Opened]:
    """A model file in a child process.

    Raises:
        InputError: the file is no model, reads reports alone, or does not fit into memory.
        EngineError: llama.cpp refuses it.
    """
    from radcal.findings.engines import engine_options
    from radcal.findings.model.local_model import LocalModel

    with LocalModel(path, engine_options(settings), _task_of(path)) as model:
        model.start(progress)
        speaker = LocalSpeaker(model, how.temperature, how.seed, progress)
        yield Opened(speaker, model.model_hash(), lambda: model.notes)


def _task_of(path: Path) -> Callable[[GgufFile], Task]:
    def task(file: GgufFile) -> Task:
        from radcal.findings.model.local_model import Task

        if file.text("radcal.format"):
            raise InputError(
                "{name} was trained to read reports and cannot answer questions. Choose a chat or base model, "
                "such as Llama 3.",
                name=path.name,
            )
        return Task()

    return task


def ask(
    questions: Sequence[Question],
    how: HowToAsk,
    keep: Callable[[Sequence[Answered], Mapping[Way, str]], object],
    *,
    earlier: Sequence[Kept] = (),
    read_hedges: HedgeReader,
    settings: Settings | None = None,
    progress: Progress = SILENT,
    opened: OpenModel = open_model,
) -> Asking:
    """Put every question to a model in every way, and measure what its certainty is worth.

    A question that fails is listed and the others go on.

    Args:
        questions: to ask.
        how: the model and the ways.
        keep: takes the answers so far, in order, and for each way what they were made with: before the first question,
            every 20 seconds, at the end, and when the work is stopped or fails.
        earlier: answers that are kept rather than asked for again where they were made with the same.
        read_hedges: how sure a sentence sounds, for "lc" and "lc+".
        settings: how models run here.
        progress: counts questions times ways.
        opened: opens a model file.

    Raises:
        InputError: a model cannot be used.
        EngineError: a model cannot be started, or fails at every question.
        Cancelled: by ``progress``; what was answered is kept.
    """
    settings = settings or Settings()
    lexicon, messages = how.lexicon or load_lexicon(table=PUBLIC), read_messages()
    progress.start(None, Text("Opening the model"))
    with ExitStack() as models:
        model = models.enter_context(opened(how.model, how, settings, progress))
        judge = None if how.judge is None else models.enter_context(opened(how.judge, how, settings, progress))
        asker = Asker(
            model.speaker,
            lexicon,
            match=how.match,
            judge=judge.speaker if judge else None,
            samples=how.samples,
            read_hedges=read_hedges,
            messages=messages,
        )
        made_with = {
            way: _made_with(way, how, model.identity, judge.identity if judge else "", lexicon, messages.version)
            for way in how.ways
        }
        same = (kept.answered for kept in earlier if kept.made_with == made_with.get(kept.answered.way))
        known = {(answered.way, answered.question): answered for answered in same}
        run = _Run(questions, how.ways, known, lambda answers: keep(answers, made_with))
        run.go(asker, progress)
        notes = tuple(map(Text, dict.fromkeys((*model.notes(), *(judge.notes() if judge else ())))))
    answers = run.answers
    return Asking(how.model.stem, answers, tuple(run.unanswered), figures(answers, how.ways, how.seed), notes)


class _Run:
    """The questions in all ways, one after the other."""

    def __init__(
        self,
        questions: Sequence[Question],
        ways: Sequence[Way],
        known: Mapping[tuple[Way, Question], Answered],
        keep: Callable[[Sequence[Answered]], object],
    ) -> None:
        self._wanted = [(way, question) for question in questions for way in ways]
        self._found = {key: known[key] for key in self._wanted if key in known}
        self._keep = keep
        self.unanswered: list[Unanswered] = []

    @property
    def answers(self) -> tuple[Answered, ...]:
        """Those found so far, in the order of the questions, each in the order of the ways."""
        return tuple(self._found[key] for key in self._wanted if key in self._found)

    def go(self, asker: Asker, progress: Progress) -> None:
        """Ask what was not answered before."""
        progress.start(len(self._wanted), Text("Asking the model"))
        self._keep(self.answers)  # before hours of work: it may be refused
        kept, in_a_row = time.monotonic(), 0
        try:
            for way, question in self._wanted:
                progress.raise_if_cancelled()
                if (way, question) not in self._found:
                    try:
                        self._found[way, question] = asker.ask(question, way)
                        in_a_row = 0
                    except (EngineError, DataError) as error:
                        self.unanswered.append(Unanswered(question, way, error.text))
                        in_a_row = in_a_row + 1 if isinstance(error, EngineError) else 0
                        if in_a_row == _IN_A_ROW:
                            raise EngineError(
                                "The model failed at {n} questions in a row; the last time: {reason} What was answered "
                                "before is kept.",
                                n=_IN_A_ROW,
                                reason=error.text,
                            ) from error
                    if time.monotonic() - kept > _KEEP_SECONDS:
                        self._keep(self.answers)
                        kept = time.monotonic()
                progress.advance()
        finally:
            self._keep(self.answers)


def _made_with(way: Way, how: HowToAsk, model: str, judge: str, lexicon: Lexicon, messages: str) -> str:
    """Short SHA-256 over all that an answer depends on besides its question."""
    content: list[Any] = [way, model, how.match, judge if how.match == "judge" or way == "semantic" else "", messages]
    if way == "phrase":
        content.append(lexicon.version)
    if way in ("lc", "lc+"):
        from radcal.lab.hedges.estimator import shipped_hash

        content.append(shipped_hash())
    if way == "semantic":
        content += [how.samples, how.temperature, how.seed]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def figures(answers: Sequence[Answered], ways: Sequence[Way], seed: int = 0) -> tuple[WayFigures, ...]:
    """The figures of each way.

    Args:
        answers: in any of the ways.
        ways: in the order wanted.
        seed: of the resamples behind intervals.
    """
    from radcal.lab.asking.figures import figures_of

    return tuple(
        figures_of(way, [a for a in answers if a.way == way], np.random.default_rng([seed, WAYS.index(way)]))
        for way in ways
    )


def decided_by_hand(answered: Answered, *, correct: bool) -> Answered:
    """An answer that a person has found right or wrong; an abstention stays one."""
    return answered if answered.abstained else replace(answered, correct=correct, decided="by hand")


def hedge_reader() -> HedgeReader:
    """How sure a sentence sounds, by the estimator that ships with RadCal.

    Raises:
        InputError: its file is missing or damaged.
    """
    from radcal.lab.hedges.estimator import shipped

    return shipped().estimate
