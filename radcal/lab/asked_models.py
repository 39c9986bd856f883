"""The answers of a language model, kept in the workspace and corrected by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from radcal.lab.ask_models import HowToAsk, OpenModel, ask, decided_by_hand, figures, hedge_reader, open_model
from radcal.lab.asking.files import Kept, answer_lines, read_questions
from radcal.lab.asking_records import Answered, Asking, Way
from radcal.system.exports import Export, text
from radcal.system.files import plain_to_record, record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.workspace.context import Context

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
                self._store(asked(Asking(how.model.stem, tuple(answers), (), shown), complete=False))

        result = ask(
            read.questions,
            how,
            keep,
            earlier=earlier,
            read_hedges=hedge_reader(),
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
        answers[place] = decided_by_hand(answers[place], correct=correct)
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
