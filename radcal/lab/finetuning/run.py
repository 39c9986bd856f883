"""Teaches a model to hedge as sure as it is, and measures what that was worth on questions it has not seen.

Each stage leaves a file in one folder, and is not done again where its file is there and was made with the same.

Source: "Can Large Language Models Express Uncertainty Like Human?" (LUH), section 6.  Other than there, sentences come
from a grammar and are sorted by how they read, and levels are of what shares are worth.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from radcal.findings.model.gguf_file import GgufFile, read_gguf, sha256_of
from radcal.lab.asking.asker import Answered, Question, Way, WayFigures, read_messages
from radcal.lab.asking.run import FEWEST, SAMPLES, HowToAsk, OpenModel, ask_into, figures_of, open_model
from radcal.lab.finetuning.adapter import as_gguf
from radcal.lab.finetuning.forms import near
from radcal.lab.finetuning.lessons import Split, certainties, lessons_of, split
from radcal.lab.finetuning.training import HowToTrain, Lesson, Trained, check_extra, train
from radcal.system import exports, inputs
from radcal.system.components import versions
from radcal.system.errors import InputError
from radcal.system.exports import Exports
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings

_LONGEST = 12
"""Most tokens of a random answer."""
By = Literal["share", "right"]
_BEFORE: tuple[Way, ...] = ("lc", "lc+", "probability")
_MADE_WITH, _LOSSES = "radcal.made_with", "radcal.losses"
_LLAMA = "llama"
"""The architecture whose files have the rows of queries in an order of their own."""


@dataclass(frozen=True, slots=True)
class HowToTune:
    """A model, and how it is taught.

    levels:  of certainty, of equal width;  samples: random answers to a question
    by:      what a level is of: the "share" of the largest meaning, as in LUH, or how often answers of such a share are
        "right" among the questions that are learnt
    judge:   another model, which says whether answers mean the same and are right; None to go by their words
    judged:  share of the questions to judge by;  held_back: of the others, to choose the epoch by
    training: of the adapter;  seed: of all that is random
    """

    model: Path
    levels: int = 5
    samples: int = SAMPLES
    by: By = "right"
    judge: Path | None = None
    judged: float = 0.35
    held_back: float = 0.15
    training: HowToTrain = field(default_factory=HowToTrain)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """The figures of a way of being sure on some questions.

    way: "lc", "lc+", "probability" and "semantic" of the model as it was, "lc tuned" of the tuned one
    topics: "all" the questions to judge by, those of "new" topics, or of topics that were "taught"
    mean: mean certainty without abstentions, None without any
    """

    way: str
    topics: str
    figures: WayFigures
    mean: float | None


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tuned model.

    learnt, held_back, judged: questions;  unusable: of the learnt ones, those whose random answers were no short ones
    levels: certainty, questions of that level, sentences to choose from and their mean reading, for each
    losses: of each epoch, in training and on what is held back
    """

    model: str
    learnt: int
    held_back: int
    judged: int
    new_topics: tuple[str, ...]
    unusable: int
    levels: tuple[dict[str, float], ...]
    losses: tuple[tuple[float, float], ...]
    figures: tuple[Judged, ...]
    unanswered: int


def finetune(
    questions: Sequence[Question],
    how: HowToTune,
    folder: Path,
    files: Exports,
    settings: Settings | None = None,
    progress: Progress = SILENT,
    opened: OpenModel = open_model,
    trained: Callable[..., Trained] = train,
) -> Tuned:
    """Tune a model and judge it; goes on where it was stopped.

    The folder gets samples.jsonl, before.jsonl and after.jsonl (as `radcal lab ask` writes them), adapter.gguf and
    finetune.json.

    Args:
        opened, trained: open a model to ask, and train an adapter as :func:`train` does.

    Raises:
        InputError: the questions are too few, the extra is missing, the model cannot be used, or the folder holds what
            was made otherwise.
        EngineError: the model cannot be started, or fails at every question.
        Cancelled: by ``progress``; what was done is kept.
    """
    if trained is train:
        check_extra()
    parts = split(questions, how.judged, how.held_back, how.seed)
    fewest = min(len(parts.learnt), len(parts.judged))
    if fewest < FEWEST:
        raise InputError(
            "{n} questions are too few: {fewest} to learn from and {fewest} to judge by are needed.",
            n=len(questions),
            fewest=FEWEST,
        )
    file = read_gguf(how.model)

    def asked(name: str, questions: Sequence[Question], ways: tuple[Way, ...], **more: Any) -> tuple[Answered, ...]:
        ask = HowToAsk(how.model, ways, samples=how.samples, judge=how.judge, seed=how.seed, **more)
        done = ask_into(folder / name, questions, ask, files, progress=progress, settings=settings, opened=opened)
        return done.answers

    everything = (*parts.learnt, *parts.held_back, *parts.judged)
    semantic = asked("samples.jsonl", everything, ("semantic",), longest=_LONGEST)
    before = asked("before.jsonl", parts.judged, _BEFORE)
    known = {answered.question: answered for answered in semantic}
    learnt = [known[question] for question in parts.learnt if question in known]
    held_back = [known[question] for question in parts.held_back if question in known]
    certainty = certainties(learnt) if how.by == "right" else float
    lessons, back = (lessons_of(part, certainty, how.levels, read_messages()) for part in (learnt, held_back))
    adapter = folder / "adapter.gguf"
    losses = _trained(file, adapter, lessons, back, how, files, progress, trained)
    after = asked("after.jsonl", parts.judged, ("lc",), adapter=adapter)
    judged = set(parts.judged)
    rows: dict[str, Sequence[Answered]] = {way: [a for a in before if a.way == way] for way in _BEFORE}
    rows |= {"semantic": [a for a in semantic if a.question in judged], "lc tuned": after}
    tuned = Tuned(
        how.model.stem,
        len(parts.learnt),
        len(parts.held_back),
        len(parts.judged),
        tuple(sorted({q.topic for q in parts.judged} - {q.topic for q in parts.learnt})),
        len(parts.learnt) - len(lessons),
        tuple(_levels(lessons, how.levels)),
        losses,
        tuple(_judged(rows, parts, how.seed)),
        sum(len(parts.judged) - len(found) for found in rows.values()),
    )
    made_with = asdict(how) | {"model": how.model.name, "judge": how.judge and how.judge.name, "versions": versions()}
    files.write(folder / "finetune.json", exports.values(asdict(tuned) | {"made_with": made_with}, "tuned model"))
    return tuned


def _trained(
    model: GgufFile,
    adapter: Path,
    lessons: Sequence[Lesson],
    held_back: Sequence[Lesson],
    how: HowToTune,
    files: Exports,
    progress: Progress,
    trained: Callable[..., Trained],
) -> tuple[tuple[float, float], ...]:
    """Train the adapter unless it is there; returns the losses."""
    taught = [[asdict(one) for one in part] for part in (lessons, held_back)]
    made_of = json.dumps([sha256_of(model.path, progress), asdict(how.training), taught])
    key = hashlib.sha256(made_of.encode()).hexdigest()[:16]
    if inputs.is_there(adapter):
        there = read_gguf(adapter)
        if there.text(_MADE_WITH) == key:
            return tuple((learnt, back) for learnt, back in json.loads(there.text(_LOSSES)))
    heads = model.number("llama.attention.head_count") if model.architecture == _LLAMA else None
    found = trained(model.path, lessons, held_back, how.training, heads, progress)
    losses = tuple((round(learnt, 4), round(back, 4)) for learnt, back in found.losses)
    more = {_MADE_WITH: key, _LOSSES: json.dumps(losses)}
    content = as_gguf(found.tensors, model.architecture, how.training.alpha, more)
    files.write(adapter, exports.data(content, "adapter of a language model"))
    return losses


def _levels(lessons: Sequence[Lesson], levels: int) -> Iterator[dict[str, float]]:
    for k in range(levels):
        certainty = (k + 0.5) / levels
        sentences = near(certainty, 0.5 / levels)
        reading = sum(form.reading for form in sentences) / max(len(sentences), 1)
        n = sum(math.isclose(lesson.level, certainty) for lesson in lessons)
        yield {"certainty": certainty, "questions": n, "sentences": len(sentences), "reading": reading}


def _judged(rows: Mapping[str, Sequence[Answered]], parts: Split, seed: int) -> Iterator[Judged]:
    taught = {question.topic for question in parts.learnt}
    for topics, wanted in (("all", None), ("new", False), ("taught", True)):
        for way, answers in rows.items():
            some = [a for a in answers if wanted is None or (a.question.topic in taught) == wanted]
            told = [a.stated for a in some if a.stated is not None and not a.abstained]
            mean = sum(told) / len(told) if told else None
            found = figures_of(some[0].way if some else "lc", some, np.random.default_rng(seed))
            yield Judged(way, topics, found, mean)
