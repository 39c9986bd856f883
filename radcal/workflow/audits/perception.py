"""How local language models read certainty words: asked, compared with a reference, and kept with the workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from radcal.audit.perception import PERCENTS, knowledge_bias, perceived_by_model
from radcal.audit.statements import LEAD, messages, questions_hash, statements
from radcal.errors import InputError
from radcal.files import plain_to_record, record_to_plain
from radcal.progress import SILENT, Progress
from radcal.records.perception import Meant, ModelAnswers, ModelMeaning, ModelReading
from radcal.settings import Settings
from radcal.workflow.context import Context

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODEL_READING = "model's reading of words"
"""Kind of stored result: by model file, shots and reference."""
ALL_STATEMENTS = 60


class Numbers(Protocol):
    """A language model that tells its chances for each number."""

    def number_distribution(
        self, texts: Sequence[str], progress: Progress = SILENT, lead: str | None = None
    ) -> NDArray[np.float64]:
        """(n, 101) P(number k is the answer to a message); rows sum to 1."""


def ask(
    model: Numbers, expressions: Sequence[str], shots: int = 0, most: int = ALL_STATEMENTS, progress: Progress = SILENT
) -> ModelAnswers:
    """Ask a model what each expression means in each statement.

    Args:
        shots: worked answers that it is shown, 0 or 2.
        most: of the private statements, and of the verifiable ones, which go in pairs.

    Raises:
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    private = [s for s in statements() if s.true is None][:most]
    pairs = list(dict.fromkeys(s.pair for s in statements() if s.pair))[: most // 2]
    twins = [[s for s in statements() if s.pair in pairs and s.true is which] for which in (True, False)]
    asked = [*private, *twins[0], *twins[1]]
    progress.start(len(expressions) * len(asked), "Asking the model what words mean")
    answers, means = {}, []
    for expression in expressions:
        chances = model.number_distribution(messages(expression, asked, shots), progress, LEAD)
        answers[expression] = chances[: len(private)]
        means.append((chances[len(private) :] @ PERCENTS).reshape(2, len(pairs)))
    true, false = np.mean(means, axis=0)
    return ModelAnswers(answers, true, false)


def read_by_model(
    path: Path,
    reference: Mapping[str, Meant],
    reference_name: str,
    *,
    also: Sequence[str] = (),
    shots: int = 0,
    most: int = ALL_STATEMENTS,
    settings: Settings | None = None,
    progress: Progress = SILENT,
) -> ModelReading:
    """Audit a local model.

    Args:
        path: the GGUF file.
        reference: what is meant by each expression that it is asked about.
        also: further expressions that it is asked about, without a reference.
        shots, most: as of :func:`ask`.
        settings: the options of the Llama; seed, redraws and coverage of the intervals.

    Raises:
        InputError: the file is no usable model, or there is nothing to ask about.
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    from radcal.llama.local_model import LocalModel
    from radcal.workflow.runs.engines import engine_options

    settings = settings or Settings()
    if not reference:
        raise InputError("There is no expression to ask the model about. Choose another reference.")
    with LocalModel(path, engine_options(settings)) as model:
        model.start(progress)
        answers = ask(model, list(dict.fromkeys([*reference, *also])), shots, most, progress)
        return reading_of(answers, reference, reference_name, model, shots, settings)


class Identified(Protocol):
    """A model's file and what is to be said of it."""

    model: Path

    @property
    def notes(self) -> tuple[str, ...]: ...

    def model_hash(self) -> str: ...


def reading_of(
    answers: ModelAnswers,
    reference: Mapping[str, Meant],
    reference_name: str,
    model: Identified,
    shots: int,
    settings: Settings,
) -> ModelReading:
    """A model's answers compared with a reference, to be kept."""
    perception = perceived_by_model(
        answers.private,
        reference,
        knowledge_bias(answers.true, answers.false),
        np.random.default_rng(settings.seed),
        draws=settings.bootstrap,
        confidence=settings.confidence,
    )
    return ModelReading(
        model=model.model.name,
        model_hash=model.model_hash(),
        questions=questions_hash(),
        shots=shots,
        statements=len(next(iter(answers.private.values()))),
        pairs=len(answers.true),
        reference=reference_name,
        meanings=tuple(ModelMeaning(e, tuple(q.mean(axis=0).tolist())) for e, q in answers.private.items()),
        perception=perception,
        when=datetime.now().astimezone().isoformat(timespec="seconds"),
        notes=tuple(map(str, model.notes)),
    )


class ModelReadings:
    """The readings kept with a workspace, one for each model file, number of shots and reference."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> tuple[ModelReading, ...]:
        """The latest first."""
        stored = self._context.workspace.results(MODEL_READING)
        found = [plain_to_record(r.payload, ModelReading) for r in stored.values()]
        return tuple(sorted(found, key=lambda reading: reading.when, reverse=True))

    def of(self, model_hash: str) -> tuple[ModelReading, ...]:
        """Those of one model file, the latest first."""
        return tuple(reading for reading in self.all() if reading.model_hash == model_hash)

    def keep(self, reading: ModelReading) -> None:
        """Store a reading in place of an earlier one of the same kind.

        Raises:
            NoAccess: the workspace is open read-only.
        """
        key = f"{reading.model_hash[:16]} {reading.shots} {reading.reference}"
        self._context.workspace.save_result(MODEL_READING, key, record_to_plain(reading), {})
