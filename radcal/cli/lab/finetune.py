"""``radcal lab finetune``: a language model taught to say how sure it is."""

from __future__ import annotations

import argparse
from pathlib import Path

from radcal.cli.lab.ask import cells_of
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, written
from radcal.lab.asking.files import read_questions
from radcal.lab.finetuning import run as finetuning
from radcal.lab.finetuning.run import HowToTune, Judged, Tuned
from radcal.lab.finetuning.training import HowToTrain
from radcal.system.exports import Exports
from radcal.system.progress import Progress
from radcal.system.resources import resource

_HEAD = ("asked as", "topics", "n", "mean", "correct", "95 %", "ECE", "95 %", "by luck", "AUROC", "95 %")


def finetune(args: argparse.Namespace, bar: Progress) -> Summary:
    """Teach a model, and write its adapter and the figures before and after; resumes what the same command began.

    Raises:
        InputError: a file cannot be used, the extra is missing, or the folder holds something else.
        EngineError: the model cannot be started, or fails at every question.
        Cancelled: by the user; what was done is in the folder.
    """
    settings = settings_of(args)
    asked = read_questions(args.questions or resource("questions", "general.csv"), bar)
    how = HowToTune(
        args.model,
        levels=args.levels,
        by=args.by,
        judge=args.judge,
        training=HowToTrain(epochs=args.epochs, seed=settings.seed),
        seed=settings.seed,
    )
    kept = [path for path in (args.model, args.judge, args.questions) if path is not None]
    tuned = finetuning.finetune(asked.questions, how, args.out, Exports(kept=kept), settings, bar)
    return written(args.out, _lines(tuned, args.out), {"model": tuned.model, "judged": tuned.judged}, asked.rejected)


def _lines(tuned: Tuned, folder: Path) -> list[str]:
    rows = [_HEAD, *map(_row, tuned.figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    first = widths[0] + widths[1] + 2
    lines = [
        f"Learnt {counted(tuned.learnt - tuned.unusable, 'question', 'questions')}, judged on "
        f"{counted(tuned.judged, 'other', 'others')}; new topics among these: {', '.join(tuned.new_topics) or 'none'}.",
        *(
            f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}".ljust(first)
            + "".join(f"  {cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))
            for row in rows
        ),
        f"To use it: radcal lab ask QUESTIONS --model MODEL --adapter {folder / 'adapter.gguf'} --as lc --out FILE",
    ]
    if tuned.unanswered:
        lines.append(f"{counted(tuned.unanswered, 'question has', 'questions have')} no answer in a way of asking.")
    return lines


def _row(judged: Judged) -> tuple[str, ...]:
    mean = "-" if judged.mean is None else f"{judged.mean:.3f}"
    return judged.way, judged.topics, str(judged.figures.n), mean, *cells_of(judged.figures)
