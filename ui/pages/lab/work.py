"""Measures models in the worker, from files or from what was taken into the workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.calibration.model_answers import of_models
from radcal.lab.speakers import read_all, shipped_lists, speakers, taken_in
from radcal.system.text import Text

if TYPE_CHECKING:
    from collections.abc import Collection

    from radcal.department import Department
    from radcal.lab.answers import Answers
    from radcal.lab.speakers import Speakers
    from radcal.system.progress import Progress


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Models measured, and where their answers are from.

    answers: that may be taken in, None if they are those of the workspace;  files: their names, () if they are
    """

    made: Speakers
    answers: Answers | None = None
    files: tuple[str, ...] = ()


def measure_files(files: Sequence[Path], department: Department, progress: Progress) -> Measured:
    """Read and measure the answers of files: by the department's lexicon, and for other words the shipped lists."""
    progress.start(None, Text("Reading the answers"))
    lexicon = department.lexicon
    answers = read_all(files, lexicon, progress, shipped_lists())
    made = speakers(answers, lexicon, of_models(department.settings), progress)
    return Measured(made, answers, tuple(file.name for file in files))


def measure_taken(department: Department, progress: Progress) -> Measured | None:
    """Measure what was taken into the workspace; None if that is nothing."""
    answers = taken_in(department.answers)
    if answers is None:
        return None
    return Measured(speakers(answers, department.lexicon, of_models(department.settings), progress))


def taken(department: Department, _progress: Progress) -> Mapping[str, int]:
    """The models in the workspace with their numbers of answers."""
    return department.answers.models()


def take_in(answers: Answers, department: Department, progress: Progress) -> Mapping[str, int]:
    """Take answers into the workspace; returns what is in it then."""
    department.answers.take_in(answers.answers, answers.said)
    return taken(department, progress)


def take_out(models: Collection[str], department: Department, progress: Progress) -> Mapping[str, int]:
    """Take models out of the workspace; returns what is left."""
    department.answers.take_out(models)
    return taken(department, progress)
