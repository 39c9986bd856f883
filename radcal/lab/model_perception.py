"""How local language models read certainty words: asked, compared with a reference, and kept with the workspace."""

from __future__ import annotations

import csv
import hashlib
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from radcal.lab.perception import (
    PERCENTS,
    ModelAnswers,
    ModelMeaning,
    Perceived,
    Statement,
    checks,
    knowledge_bias,
    meant_by,
    perceived,
    perceived_by_model,
)
from radcal.lab.responses import (
    RADIOLOGISTS,
    SURVEYS,
    meanings,
    read_responses,
    without_reference,
)
from radcal.system import inputs
from radcal.system.errors import DataError, InputError
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import resource
from radcal.system.settings import Settings
from radcal.system.text import Text, joined
from radcal.words.editing import with_moments
from radcal.words.phrases import Lexicon
from radcal.words.records import ABSENT, PRESENT, Meant, Phrase
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LEAD = "Probability in percent:"
"""Begins the answer, which is a number."""
SHOTS = (0, 2)
"""How many worked answers the question may show."""
TRUTHS = ("FF", "FT", "TF", "TT")
"""Of two worked answers about something known: whether each statement is true."""
SETS = GENERAL, SCIENCE = ("statements", "science")
"""Statements that are true or false: of general knowledge, and of science as schools teach it."""
_QUESTION = "perception.toml"


@cache
def statements(name: str = GENERAL) -> tuple[Statement, ...]:
    """Shipped statements: of GENERAL private ones first; then pairs of a true one and its false twin."""
    with resource("perception", f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Statement(row["speaker"], row["statement"], {"true": True, "false": False}.get(row["true"]), row["pair"])
            for row in csv.DictReader(file)
        )


def messages(expression: str, asked: Sequence[Statement], shots: int, truths: str = "") -> list[str]:
    """The question how sure a speaker is who answered with the expression, for each statement.

    Args:
        shots: of SHOTS.
        truths: of TRUTHS, for worked answers about something known instead.
    """
    content = tomllib.loads(resource("prompts", _QUESTION).read_text(encoding="utf-8"))
    task, form = content["task"].strip(), content["form"].strip()
    known = [example | {"statement": example[t]} for example, t in zip(content["known"], truths, strict=False)]
    examples = known or content["examples"][:shots]
    worked = [f"{form.format(**example)}\n{LEAD} {example['answer']}" for example in examples]
    return [
        "\n\n".join([task, *worked, form.format(speaker=a.speaker, statement=a.statement, expression=expression)])
        for a in asked
    ]


@cache
def questions_hash() -> str:
    """Short SHA-256 of the statements and the questions."""
    files = (*(("perception", f"{name}.csv") for name in SETS), ("prompts", _QUESTION))
    return hashlib.sha256(b"\0".join(resource(*parts).read_bytes() for parts in files)).hexdigest()[:16]


PERCEIVED = "perception of words"
"""The kind of stored results that audits are."""
OWN_ANSWERS = "own answers"
ALL_STATEMENTS = 60
"""Statements of either kind that are asked about; of SCIENCE there are twice as many."""
_VERDICTS = ('true"', 'false"', 'unknown"')


class Numbers(Protocol):
    """A language model that tells its chances for each number; its file, and what is to be said of it."""

    model: Path

    @property
    def notes(self) -> tuple[str, ...]: ...

    def model_hash(self) -> str: ...

    def number_distribution(
        self, texts: Sequence[str], progress: Progress = SILENT, lead: str | None = None
    ) -> NDArray[np.float64]:
        """(n, 101) P(number k is the answer to a message); rows sum to 1."""

    def option_distribution(
        self, messages: Sequence[str], options: Sequence[str], lead: str = "", progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """(n, k) P(option follows the lead); rows sum to 1."""


def ask(
    model: Numbers,
    expressions: Sequence[str],
    shots: int = 0,
    most: int = ALL_STATEMENTS,
    progress: Progress = SILENT,
    *,
    known: str = GENERAL,
    examples: bool = False,
    verdicts: bool = True,
) -> ModelAnswers:
    """Ask a model what each expression means in each statement, and whether it takes each statement to be true.

    Args:
        shots: worked answers that it is shown, 0 or 2.
        most: of the private statements, and of the verifiable ones, which go in pairs.
        known: of SETS, the verifiable statements.
        examples: ask about the verifiable ones four times more, after two worked answers whose statements are true or
            false.
        verdicts: ask whether statements are true.

    Raises:
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    private = [s for s in statements() if s.true is None][:most]
    pairs = list(dict.fromkeys(s.pair for s in statements(known) if s.pair))[: most // 2]
    true, false = ([s for s in statements(known) if s.pair in pairs and s.true is which] for which in (True, False))
    verifiable, asked = [*true, *false], [*private, *true, *false]
    again = TRUTHS if examples else ()
    judged = asked if verdicts else []
    questions = len(expressions) * (len(asked) + len(again) * len(verifiable)) + len(judged)
    progress.start(questions, Text("Asking the model what words mean"))
    content = tomllib.loads(resource("prompts", _QUESTION).read_text(encoding="utf-8"))["belief"]
    about = [content["message"].format(statement=s.statement).strip() for s in judged]
    ends = np.cumsum([len(private), len(true)])
    none = np.zeros((0, len(_VERDICTS)))
    beliefs = np.split(model.option_distribution(about, _VERDICTS, content["lead"], progress) if about else none, ends)
    answers = {
        e: np.split(model.number_distribution(messages(e, asked, shots), progress, LEAD), ends) for e in expressions
    }
    shown = {
        truths: {e: model.number_distribution(messages(e, verifiable, 2, truths), progress, LEAD) for e in expressions}
        for truths in again
    }
    kinds = [{e: parts[kind] for e, parts in answers.items()} for kind in range(3)]
    return ModelAnswers(kinds[0], kinds[1], kinds[2], (beliefs[0], beliefs[1], beliefs[2]), shown)


def read_by_model(
    path: Path,
    reference: Mapping[str, Meant],
    reference_name: str,
    *,
    also: Sequence[str] = (),
    shots: int = 0,
    most: int = ALL_STATEMENTS,
    known: str = GENERAL,
    examples: bool = False,
    settings: Settings | None = None,
    progress: Progress = SILENT,
    adapter: Path | None = None,
) -> Perceived:
    """Audit a local model.

    Args:
        path: the GGUF file;  adapter: a LoRA adapter that changes the model, None for the model as it is.
        reference: what is meant by each expression that it is asked about.
        also: further expressions that it is asked about, without a reference.
        shots, most, known, examples: as of :func:`ask`.
        settings: the options of the Llama; seed, redraws and coverage of the intervals.

    Raises:
        InputError: the file is no usable model, or there is nothing to ask about.
        EngineError: the model failed.
        Cancelled: by ``progress``.
    """
    from radcal.findings.engines import engine_options
    from radcal.findings.model.local_model import LocalModel

    settings = settings or Settings()
    if not reference:
        raise InputError("There is no expression to ask the model about. Choose another reference.")
    with LocalModel(path, replace(engine_options(settings), adapter=adapter)) as model:
        model.start(progress)
        expressions = list(dict.fromkeys([*reference, *also]))
        answers = ask(model, expressions, shots, most, progress, known=known, examples=examples)
        return reading_of(answers, reference, reference_name, model, shots, settings)


def _now() -> str:
    return datetime.now().astimezone().isoformat()


def reading_of(
    answers: ModelAnswers,
    reference: Mapping[str, Meant],
    reference_name: str,
    model: Numbers,
    shots: int,
    settings: Settings,
) -> Perceived:
    """A model's answers compared with a reference, to be kept."""
    true, false = (np.mean([rows @ PERCENTS for rows in k.values()], axis=0) for k in (answers.true, answers.false))
    perception = perceived_by_model(
        answers.private,
        reference,
        knowledge_bias(true, false),
        np.random.default_rng(settings.seed),
        draws=settings.bootstrap,
        confidence=settings.confidence,
    )
    return Perceived(
        who=model.model.name,
        model_hash=model.model_hash(),
        questions=questions_hash(),
        shots=shots,
        statements=len(next(iter(answers.private.values()))),
        pairs=len(true),
        reference=reference_name,
        meanings=tuple(ModelMeaning(e, tuple(q.mean(axis=0).tolist())) for e, q in answers.private.items()),
        perception=perception,
        when=_now(),
        notes=tuple(map(Text, model.notes)),
        checks=checks(answers, reference),
    )


def read_by_people(
    responses: Path, reference: str, settings: Settings, progress: Progress = SILENT
) -> tuple[Perceived, list[Any]]:
    """People's answers compared with a reference, and what was left out: file, row, reason and remedy.

    Args:
        responses: as of :func:`radcal.lab.responses.read_responses`.
        reference: such a file, or one of the shipped SURVEYS; '' for the answers themselves.
        settings: seed, redraws and coverage of the intervals.

    Raises:
        InputError: a file cannot be used.
        DataError: no answer is on an expression of the reference.
    """
    answers, rejected = read_responses(responses, progress)
    failures: list[Any] = rejected.to_dict("records")
    meant, name, faults = reference_of(reference, progress) if reference else (meant_by(answers), OWN_ANSWERS, [])
    failures += [*faults, *without_reference(answers, meant, responses.name)]
    if not answers["expression"].isin(list(meant)).any():
        raise DataError(
            "No answer of {name} is on an expression of the reference. {reason} {remedy}",
            name=responses.name,
            reason=failures[-1]["reason"],
            remedy=failures[-1]["remedy"],
        )
    rng = np.random.default_rng(settings.seed)
    found = perceived(answers, meant, rng, draws=settings.bootstrap, confidence=settings.confidence)
    return Perceived(responses.name, "", name, found, _now()), failures


def reference_of(reference: str, progress: Progress = SILENT) -> tuple[dict[str, Meant], str, list[Any]]:
    """What a shipped survey or a file of answers means, the name of the source, and the faults of the file.

    Raises:
        InputError: the file cannot be used.
    """
    path = Path(reference)
    if reference in SURVEYS and not inputs.is_there(path):
        return meanings(reference), reference, []
    answers, rejected = read_responses(path, progress)
    return meant_by(answers), path.name, rejected.to_dict("records")


class Perceptions:
    """The audits kept with a workspace: one for each model file or file of answers, number of shots and reference."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> tuple[Perceived, ...]:
        """The latest first."""
        stored = self._context.workspace.results(PERCEIVED)
        found = [plain_to_record(r.payload, Perceived) for r in stored.values()]
        return tuple(sorted(found, key=lambda kept: kept.when, reverse=True))

    def ask_model(
        self,
        path: Path,
        reference: str = RADIOLOGISTS,
        shots: int = 0,
        most: int = ALL_STATEMENTS,
        progress: Progress = SILENT,
    ) -> Perceived:
        """Ask a model what the words of the reference and of the department's list mean, and keep the answer.

        Args:
            reference: as of :func:`reference_of`.
            shots, most: as of :func:`ask`.

        Raises:
            InputError: the model or the reference cannot be used.
            EngineError: the model failed.
            Cancelled: by ``progress``.
        """
        context = self._context
        meant, name, faults = reference_of(reference, progress)
        own = [p.name for p in context.lexicon.phrases if p.name not in (ABSENT, PRESENT)]
        made = read_by_model(
            path, meant, name, also=own, shots=shots, most=most, settings=context.settings, progress=progress
        )
        return self._keep(made, faults)

    def read_people(self, path: Path, reference: str = RADIOLOGISTS, progress: Progress = SILENT) -> Perceived:
        """Compare people's answers with a reference, and keep the comparison.

        Args:
            reference: as of :func:`read_by_people`.

        Raises:
            InputError, DataError: as of :func:`read_by_people`.
        """
        return self._keep(*read_by_people(path, reference, self._context.settings, progress))

    def _keep(self, made: Perceived, faults: Sequence[Mapping[str, Any]]) -> Perceived:
        """Store an audit in place of an earlier one of the same kind, with the faults of its file."""
        told = (joined([Text("{file}, row {row}:", file=f["file"], row=f["row"]), f["reason"]]) for f in faults)
        made = replace(made, notes=(*made.notes, *told))
        key = " ".join((made.model_hash[:16] or made.who, str(made.shots), made.reference))
        if not self._context.workspace.read_only:
            self._context.workspace.save_result(PERCEIVED, key, record_to_plain(made), {})
        return made


def lexicon_of(read: Perceived) -> Lexicon:
    """A model's reading of words as a list of phrases, each with mean and standard deviation of its chances."""
    source = Text("as the language model {model} reads it, no answer of people", model=read.who)
    made = (with_moments(Phrase(m.expression, 1.0, 1.0, 0.0, 1.0), *moments(m.chances)) for m in read.meanings)
    return Lexicon(tuple(replace(phrase, source=str(source)) for phrase in made), read.who)


def moments(chances: ArrayLike) -> tuple[float, float]:
    """Mean and standard deviation, in 0-1, of (101,) chances of 0 to 100 percent."""
    p = np.asarray(chances, np.float64)
    mean = float(p @ (PERCENTS / 100))
    return mean, math.sqrt(float(p @ ((PERCENTS / 100) - mean) ** 2))
