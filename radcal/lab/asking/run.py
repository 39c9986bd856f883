"""Asking language models on this computer questions, and what their certainty is worth.

Accuracy, calibration and discrimination are those of "Can Large Language Models Express Uncertainty Like Human?" (LUH),
Table 2: abstentions count as certainty 0 in the AUROC and are left out of the ECE.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from radcal.lab.asking.asker import (
    SHORT,
    Answered,
    Askable,
    Asker,
    Asking,
    Question,
    Unanswered,
    Way,
    WayFigures,
    read_messages,
)
from radcal.lab.asking.files import Kept, answer_lines, read_answered, read_questions
from radcal.lab.perception import Estimate
from radcal.lab.variability import ece_of_numbers
from radcal.system import inputs
from radcal.system.errors import DataError, EngineError, InputError
from radcal.system.exports import Export, Exports, text
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.intervals import wilson
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import PUBLIC, Lexicon, load_lexicon
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.findings.model.gguf_file import GgufFile
    from radcal.findings.model.local_model import LocalModel, Task

    Array = NDArray[np.float64]

WAYS: tuple[Way, ...] = get_args(Way)
_KEEP_SECONDS = 20.0
"""Time after which new answers are kept: no more than that is lost if the machine stops."""
_IN_A_ROW = 10
"""Failures of the engine without an answer between, after which no question is to blame."""
FEWEST_SAMPLES, MOST_SAMPLES, SAMPLES = 2, 100, 10
"""Random answers to a question: at least, at most, and unless another number is asked for."""


@dataclass(frozen=True, slots=True)
class HowToAsk:
    """A model and how it is asked.

    ways:        in the order of the figures
    samples:     random answers to a question, for "semantic";  seed: of all that is random
    judge:       another model, which decides what answers mean and whether they are right; None to go by their words
    lexicon:     the phrases to choose from; None for those of the department, or those of the shipped public survey
    adapter:     a LoRA adapter that changes the model;  longest: most tokens of a short answer

    Raises:
        InputError: a value is out of bounds.
    """

    model: Path
    ways: tuple[Way, ...]
    samples: int = SAMPLES
    judge: Path | None = None
    lexicon: Lexicon | None = None
    seed: int = 0
    adapter: Path | None = None
    longest: int = SHORT

    def __post_init__(self) -> None:
        if not FEWEST_SAMPLES <= self.samples <= MOST_SAMPLES:
            raise InputError(
                "{samples} random answers a question: choose {low} to {high}.",
                samples=self.samples,
                low=FEWEST_SAMPLES,
                high=MOST_SAMPLES,
            )

    @property
    def name(self) -> str:
        """What the model is called among authors."""
        return self.model.stem if self.adapter is None else f"{self.model.stem} + {self.adapter.stem}"


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that answers; identity: stands for its file;  notes: what is said of how it runs."""

    speaker: Askable
    identity: str
    notes: Callable[[], tuple[str, ...]]


OpenModel = Callable[[Path, HowToAsk, Settings, Progress], AbstractContextManager[Opened]]


class LocalSpeaker:
    """A model file as an Askable; ``progress`` is asked whether to go on, and counts nothing."""

    def __init__(self, model: LocalModel, seed: int, progress: Progress) -> None:
        self._model, self._seed, self._progress = model, seed, Unseen(progress)

    def write(self, message: str, lead: str, *, most: int, stops: Sequence[str], samples: int = 1) -> list[str]:
        """As of Askable."""
        from radcal.findings.model.writing import Wanted

        wanted = Wanted(most, tuple(stops), samples, 1.0 if samples > 1 else 0.0, self._seed)
        return self._model.write(message, wanted, lead, self._progress)

    def weigh(self, message: str, lead: str, options: Sequence[str]) -> NDArray[np.float64]:
        """As of Askable."""
        [chances] = self._model.option_distribution([message], options, lead, self._progress)
        return np.asarray(chances)

    def log_chances(self, message: str, lead: str, answer: str) -> NDArray[np.float64]:
        """As of Askable."""
        return self._model.log_chances(message, answer, lead, self._progress)

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
    from radcal.findings.model.gguf_file import sha256_of
    from radcal.findings.model.local_model import LocalModel, Task

    def task(file: GgufFile) -> Task:
        if file.text("radcal.format"):
            raise InputError(
                "{name} was trained to read reports and cannot answer questions. Choose a chat or base model, "
                "such as Llama 3.",
                name=path.name,
            )
        return Task()

    adapter = how.adapter if path == how.model else None  # a judge has none
    with LocalModel(path, replace(engine_options(settings), adapter=adapter), task) as model:
        model.start(progress)
        speaker = LocalSpeaker(model, how.seed, progress)
        identity = model.model_hash() + (f" {sha256_of(adapter)}" if adapter is not None else "")
        yield Opened(speaker, identity, lambda: model.notes)


def ask(
    questions: Sequence[Question],
    how: HowToAsk,
    keep: Callable[[Sequence[Answered], Mapping[Way, str]], object],
    *,
    earlier: Sequence[Kept] = (),
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
        settings: how models run here.
        progress: counts questions times ways.
        opened: opens a model file.

    Raises:
        InputError: a model cannot be used.
        EngineError: a model cannot be started, or fails at every question.
        Cancelled: by ``progress``; what was answered is kept.
    """
    from radcal.lab.hedges.estimator import shipped

    settings = settings or Settings()
    lexicon, messages = how.lexicon or load_lexicon(table=PUBLIC), read_messages()
    progress.start(None, Text("Opening the model"))
    with ExitStack() as models:
        model = models.enter_context(opened(how.model, how, settings, progress))
        judge = None if how.judge is None else models.enter_context(opened(how.judge, how, settings, progress))
        made_with = {
            way: _made_with(way, how, model.identity, judge.identity if judge else "", lexicon, messages.version)
            for way in how.ways
        }
        asker = Asker(
            model.speaker,
            lexicon,
            judge=judge.speaker if judge else None,
            samples=how.samples,
            longest=how.longest,
            read_hedges=shipped().estimate,
            messages=messages,
        )
        same = (kept.answered for kept in earlier if kept.made_with == made_with.get(kept.answered.way))
        known = {(answered.way, answered.question): answered for answered in same}
        wanted = [(way, question) for question in questions for way in how.ways]
        found = {key: known[key] for key in wanted if key in known}
        unanswered: list[Unanswered] = []

        def answers() -> tuple[Answered, ...]:
            """Those found so far, in the order of the questions, each in the order of the ways."""
            return tuple(found[key] for key in wanted if key in found)

        progress.start(len(wanted), Text("Asking the model"))
        keep(answers(), made_with)  # before hours of work: it may be refused
        kept, in_a_row = time.monotonic(), 0
        try:
            for way, question in wanted:
                progress.raise_if_cancelled()
                if (way, question) not in found:
                    try:
                        found[way, question] = asker.ask(question, way)
                        in_a_row = 0
                    except (EngineError, DataError) as error:
                        unanswered.append(Unanswered(question, way, error.text))
                        in_a_row = in_a_row + 1 if isinstance(error, EngineError) else 0
                        if in_a_row == _IN_A_ROW:
                            raise EngineError(
                                "The model failed at {n} questions in a row; the last time: {reason} What was answered "
                                "before is kept.",
                                n=_IN_A_ROW,
                                reason=error.text,
                            ) from error
                    if time.monotonic() - kept > _KEEP_SECONDS:
                        keep(answers(), made_with)
                        kept = time.monotonic()
                progress.advance()
        finally:
            keep(answers(), made_with)
        notes = tuple(map(Text, dict.fromkeys((*model.notes(), *(judge.notes() if judge else ())))))
    return Asking(how.name, answers(), tuple(unanswered), figures(answers(), how.ways, how.seed), notes)


def ask_into(
    out: Path, questions: Sequence[Question], how: HowToAsk, files: Exports, *, progress: Progress = SILENT, **more: Any
) -> Asking:
    """:func:`ask`, keeping the answers in a file of JSON lines and going on with those that it has.

    Raises:
        InputError: also if the file holds something else, which would be lost.
    """
    earlier = read_answered(out, progress) if inputs.is_there(out) else []
    known = set(questions)

    def keep(answers: Sequence[Answered], made_with: Mapping[Way, str]) -> None:
        others = sum(k.made_with != made_with.get(k.answered.way) or k.answered.question not in known for k in earlier)
        if others:
            raise InputError(
                "{out} holds {n} answers of another model, another way of asking, other settings or other questions, "
                "which would be lost. Choose another file, or remove that one.",
                out=out,
                n=others,
            )
        lines = answer_lines(answers, how.name, made_with)
        files.write(out, text(lines, "answers of a model", answers=len(answers)))

    return ask(questions, how, keep, earlier=earlier, progress=progress, **more)


def _made_with(way: Way, how: HowToAsk, model: str, judge: str, lexicon: Lexicon, messages: str) -> str:
    """Short SHA-256 over all that an answer depends on besides its question."""
    content: list[Any] = [way, model, judge, messages]
    if way == "phrase":
        content.append(lexicon.version)
    if way in ("lc", "lc+"):
        from radcal.lab.hedges.estimator import shipped_hash

        content.append(shipped_hash())
    if way == "semantic":
        content += [how.samples, how.seed]
    if how.longest != SHORT:
        content.append(how.longest)
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def figures(answers: Sequence[Answered], ways: Sequence[Way], seed: int = 0) -> tuple[WayFigures, ...]:
    """The figures of each way.

    Args:
        answers: in any of the ways.
        ways: in the order wanted.
        seed: of the resamples behind intervals.
    """
    return tuple(
        figures_of(way, [a for a in answers if a.way == way], np.random.default_rng([seed, WAYS.index(way)]))
        for way in ways
    )


BINS = 10
"""Bins of equal width in which certainty and accuracy are compared, as in LUH."""
FEWEST = 30
"""Answers below which ECE and AUROC tell nothing."""
FEWEST_OF_A_KIND = 5
"""Correct answers, and others, below which an AUROC tells nothing."""
_DRAWS = 2000
_SURE, _TINY = 1.96, 1e-9


def figures_of(way: Way, answers: Sequence[Answered], random: np.random.Generator) -> WayFigures:
    """The figures of one way of asking.

    Args:
        answers: to different questions, all asked in this way.
        random: for the resamples of the intervals.
    """
    told = [a for a in answers if a.stated is not None and not a.abstained]
    ranked = [a for a in answers if a.stated is not None or a.abstained]
    right = sum(a.correct for a in answers)
    low, high = wilson(right / len(answers), len(answers)) if answers else (None, None)
    stated = np.array([a.stated for a in told], np.float64)
    correct = np.array([a.correct for a in told], np.float64)
    error, luck = _calibration(stated, correct, random)
    return WayFigures(
        way,
        n=len(answers),
        abstained=sum(a.abstained for a in answers),
        unstated=len(answers) - len(ranked),
        accuracy=Estimate(right / len(answers) if answers else None, low, high),
        ece=error,
        luck=luck,
        auroc=_discrimination(
            np.array([0.0 if a.abstained else a.stated for a in ranked], np.float64),
            np.array([a.correct for a in ranked], bool),
        ),
    )


def _calibration(stated: Array, correct: Array, random: np.random.Generator) -> tuple[Estimate, float | None]:
    """The ECE, and its mean if each answer were correct as often as stated.

    The ECE is a sum of absolute values, biased upwards by as much as luck gives: the lower end of its interval is
    lowered by that, [max(0, e - luck - 1.96 s), e + 1.96 s] with s the standard deviation over resampled questions.
    """
    n = len(stated)
    if n < FEWEST:
        return Estimate(None, reason=_too_few(n)), None
    value = ece_of_numbers(stated, correct, BINS)
    redrawn = (random.integers(0, n, n) for _ in range(_DRAWS))
    deviation = _SURE * float(np.std([ece_of_numbers(stated[i], correct[i], BINS) for i in redrawn]))
    by_luck = ((random.random(n) < stated).astype(float) for _ in range(_DRAWS))
    luck = float(np.mean([ece_of_numbers(stated, right, BINS) for right in by_luck]))
    return Estimate(value, max(value - luck - deviation, 0.0), min(value + deviation, 1.0)), luck


def _discrimination(stated: Array, correct: NDArray[np.bool_]) -> Estimate:
    """The AUROC with its score interval: all t with |t - AUROC| <= 1.96 sqrt(V(t)).

    V(t) = t (1 - t) (1 + m (1 - t)/(2 - t) + m t/(1 + t)) / (n1 n0) with m = (n1 + n0)/2 - 1.  Unlike redraws of the
    questions, it has a width at 0 and 1, too.

    Source: Newcombe, "Confidence intervals for an effect size measure based on the Mann-Whitney statistic", method 5,
    Stat. Med. 2006;25:559-573.
    """
    from scipy.optimize import brentq
    from sklearn.metrics import roc_auc_score

    if len(stated) < FEWEST:
        return Estimate(None, reason=_too_few(len(stated)))
    right = int(correct.sum())
    if min(right, len(correct) - right) < FEWEST_OF_A_KIND:
        return Estimate(
            None,
            reason=Text(
                "{right} correct answers and {wrong} others; {fewest} of each are needed.",
                right=right,
                wrong=len(correct) - right,
                fewest=FEWEST_OF_A_KIND,
            ),
        )
    value, wrong = float(roc_auc_score(correct, stated)), len(correct) - right
    m = (right + wrong) / 2 - 1

    def beyond(t: float) -> float:
        """Above 0 outside of the interval."""
        variance = t * (1 - t) * (1 + m * (1 - t) / (2 - t) + m * t / (1 + t)) / (right * wrong)
        return (t - value) ** 2 - _SURE**2 * variance

    # At 0 and 1 the AUROC itself is a root.
    low = brentq(beyond, 0.0, value - _TINY) if value > 0 else 0.0
    high = brentq(beyond, value + _TINY, 1.0) if value < 1 else 1.0
    return Estimate(value, float(low), float(high))


def _too_few(n: int) -> Text:
    return Text(
        "{n} answer says how sure it is; {fewest} are needed.",
        many="{n} answers say how sure they are; {fewest} are needed.",
        n=n,
        fewest=FEWEST,
    )


_KIND, _CURRENT = "asked", "current"


@dataclass(frozen=True, slots=True)
class Asked:
    """A model asked the questions of a file.

    file:     its name;  questions: how many it has;  rejected: rows that are none
    made_with: for each way of asking, what the answers depend on
    seed:     of the intervals
    complete: False where the asking was stopped
    """

    file: str
    questions: int
    rejected: int
    made_with: dict[Way, str]
    seed: int
    complete: bool
    asking: Asking


class AskedModels:
    """Asks a model, and keeps its answers until another is asked."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def stored(self) -> Asked | None:
        """What was asked last, stopped or not; None before."""
        found = self._context.workspace.load_result(_KIND, _CURRENT)
        return None if found is None else plain_to_record(found, Asked)

    def ask(
        self, questions: Path, how: HowToAsk, progress: Progress = SILENT, opened: OpenModel | None = None
    ) -> Asked:
        """Ask a model; goes on where the same was stopped before, and keeps what was decided by hand.

        Raises:
            InputError: the questions or a model cannot be used; nothing was changed.
            EngineError: the model cannot be started, or fails at every question.
            Cancelled: by ``progress``; the answers so far are stored.
        """
        read = read_questions(questions, progress)
        before = self.stored()
        earlier = [] if before is None else [Kept(a, before.made_with.get(a.way, "")) for a in before.asking.answers]
        how = how if how.lexicon is not None else replace(how, lexicon=self._context.lexicon)
        made: dict[Way, str] = {}

        def asked(result: Asking, *, complete: bool) -> Asked:
            counts = len(read.questions), len(read.rejected)
            return Asked(questions.name, *counts, made, how.seed, complete, result)

        def keep(answers: Sequence[Answered], made_with: Mapping[Way, str]) -> None:
            made.update(made_with)
            if answers:  # none yet: what was asked before stays
                shown = figures(answers, how.ways, how.seed)
                self._store(asked(Asking(how.name, tuple(answers), (), shown), complete=False))

        result = ask(
            read.questions,
            how,
            keep,
            earlier=earlier,
            settings=self._context.settings,
            progress=progress,
            opened=opened or open_model,
        )
        return self._store(asked(result, complete=True))

    def decide(self, place: int, *, correct: bool) -> Asked | None:
        """Store that an answer is right or wrong, by its place among the answers; None if there are none."""
        stored = self.stored()
        if stored is None:
            return None
        answers = list(stored.asking.answers)
        if answers[place].abstained:  # which stays one
            return stored
        answers[place] = replace(answers[place], correct=correct, decided="by hand")
        ways = [f.way for f in stored.asking.figures]
        asking = replace(stored.asking, answers=tuple(answers), figures=figures(answers, ways, stored.seed))
        return self._store(replace(stored, asking=asking))

    def _store(self, asked: Asked) -> Asked:
        provenance = {"model": asked.asking.model, "made_with": list(asked.made_with.values())}
        self._context.workspace.save_result(_KIND, _CURRENT, record_to_plain(asked), provenance)
        return asked


def as_lines(asked: Asked) -> Export:
    """The answers as JSON lines, as ``radcal ask`` writes them and ``radcal models`` reads them."""
    answers = asked.asking.answers
    return text(answer_lines(answers, asked.asking.model, asked.made_with), "answers of a model", answers=len(answers))
