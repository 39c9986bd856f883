"""The trial of a foreign language model before it reads: sentences of RadCal's own, of which the answers are known.

A model that answers no more of them rightly than the words for certainty do without any model, or gives nearly always
the same answer, is refused: nobody would notice among thousands of reports.
"""

from __future__ import annotations

import csv
import json
import time
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING

from radcal.findings.readers.pairs import (
    HEDGED,
    NOT_STATED,
    Certainty,
    Named,
    PairReader,
    by_words,
    decide,
    question_of,
    spotter,
)
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress, Unseen
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.languages import ENGLISH
from radcal.words.phrases import load_lexicon
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    from radcal.findings.records import Extractor
    from radcal.workspace.store import Workspace

FILE = "trial.tsv"
_SAME = 0.9
"""Share of one answer from which on a model is said to answer always alike; half of the right ones are "present"."""
_KEPT = "trials of models"


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence of the trial, with the right answers by pathology: PRESENT, ABSENT, HEDGED or NOT_STATED."""

    sentence: str
    answers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Trial:
    """What a model made of the sentences of the trial.

    key:      settings hash of the reader, which holds that of the model file
    model:    name of the model
    n, right: answers asked for, and right ones
    listed:   right ones of the words for certainty without a model, as of
              :func:`radcal.findings.readers.pairs.by_words`
    commonest: share of its commonest answer, in 0-1
    seconds:  that it took, loading included
    """

    key: str
    model: str
    sentences: int
    n: int
    right: int
    listed: int
    commonest: float
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the model may read."""
        return self.right > self.listed and self.commonest < _SAME

    @property
    def said(self) -> Text:
        """The result in a sentence or two."""
        found = Text(
            "{model} read {sentences} sentences of RadCal's own in {seconds:.0f} s and got {right} of {n} answers "
            "right. RadCal's word lists alone get {listed}; a model must do better.",
            **{name: getattr(self, name) for name in ("model", "sentences", "seconds", "right", "n", "listed")},
        )
        if self.commonest >= _SAME:
            return Text("{found} It gives nearly always the same answer.", found=found)
        return found


@cache
def sentences() -> tuple[Asked, ...]:
    """The sentences of the trial."""
    lines = resource("prompts", FILE).read_text("utf-8").splitlines()
    answers: dict[str, dict[str, str]] = {}
    for row in csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"):
        answers.setdefault(row["sentence"], {})[row["pathology"]] = row["answer"]
    return tuple(Asked(sentence, right) for sentence, right in answers.items())


def try_reader(reader: PairReader, model: str, progress: Progress = SILENT) -> Trial:
    """The trial of a reader.

    Args:
        model: its name, for people.

    Raises:
        InputError, EngineError: the model cannot be used, or does not answer.
    """
    asked, began = sentences(), time.monotonic()
    spots = spotter(load_lexicon())
    questions, places, listed = [], list[tuple[Certainty, list[Named]]](), 0
    for one in asked:
        found = {named.pathology: named for named in spots.named(one.sentence, ENGLISH)}
        here = [found[pathology] for pathology in one.answers]
        certainty = spots.certainty(one.sentence, ENGLISH)
        places.append((certainty, here))
        questions.append(question_of(one.sentence, ENGLISH, here))
        for pathology, answer in one.answers.items():
            listed += answer == by_words(certainty, found[pathology])
    progress.start(len(asked), Text("Trying {model} with sentences of RadCal's own", model=model))
    given, right = Counter[str](), 0
    answered = reader.answer(([question] for question in questions), Unseen(progress))
    for one, (certainty, here), answers in zip(asked, places, answered, strict=True):
        if answers.failure:
            raise EngineError("{model} cannot answer: {reason}", model=model, reason=answers.failure)
        for named, chances in zip(here, answers.chances[0], strict=True):
            phrase = decide(reader.phrases, chances, certainty, named)
            answer = phrase if phrase in (PRESENT, ABSENT, NOT_STATED) else HEDGED
            given[answer] += 1
            right += answer == one.answers[named.pathology]
        progress.advance()
    n = given.total()
    commonest = max(given.values()) / n
    seconds = time.monotonic() - began
    return Trial(reader.settings_hash, model, len(asked), n, right, listed, commonest, seconds)


def foreign_reader(extractor: Extractor) -> PairReader | None:
    """The language model that an engine reads with or is checked by, None for none but the one that ships."""
    reader = getattr(extractor, "reader", None)
    return None if reader is None or getattr(reader, "is_bundled", False) else reader


def known_trial(workspace: Workspace, reader: PairReader) -> Trial | None:
    """The trial of a reader that a workspace remembers; None if it was never tried as it is now."""
    found = json.loads(workspace.get_meta(_KEPT) or "{}").get(reader.settings_hash)
    return Trial(**found) if found else None


def keep_trial(workspace: Workspace, trial: Trial) -> None:
    """Remember a trial in a workspace, and log it."""
    kept = json.loads(workspace.get_meta(_KEPT) or "{}")
    with workspace.transaction():
        workspace.set_meta(_KEPT, json.dumps(kept | {trial.key: asdict(trial)}))
        workspace.log("language model tried", right=trial.right, of=trial.n, needed=trial.listed)


def require_passed(trial: Trial) -> None:
    """Refuse a model that failed its trial.

    Raises:
        InputError: it failed; the message has the figures and the only way past.
    """
    if not trial.passed:
        raise InputError(
            "{said} So it may not read reports. Choose another model. The only way past is the setting “untested” "
            "(--untested, or “Use it untested” on the page Reports).",
            said=trial.said,
        )


def tried(extractor: Extractor, model: str, progress: Progress, *, untested: bool) -> None:
    """Try a foreign language model of an engine, and refuse it if it fails; for reading without a workspace.

    Raises:
        InputError, EngineError, Cancelled: as of :func:`try_reader` and :func:`require_passed`.
    """
    if (reader := foreign_reader(extractor)) is not None and not untested:
        require_passed(try_reader(reader, model, progress))
