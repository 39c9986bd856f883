"""``radcal lab ask``: a language model's answers to questions, and what its certainty is worth."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted
from radcal.lab.asking import run as asking
from radcal.lab.asking.asker import Answered, Asking, Question, WayFigures
from radcal.lab.asking.files import read_questions
from radcal.lab.asking.placing import score_rows
from radcal.lab.asking.run import SAMPLES, WAYS, HowToAsk
from radcal.lab.perception import Estimate
from radcal.system import exports
from radcal.system.errors import InputError
from radcal.system.inputs import full_path
from radcal.system.progress import Progress
from radcal.words.phrases import read_lexicon_csv


def ask(args: argparse.Namespace, bar: Progress) -> Summary:
    """Ask a model the questions of a file, and write its answers as JSON lines for `radcal lab models`.

    Resumes a file that the same command began.

    Raises:
        InputError: a file cannot be used, or --out holds something else.
        EngineError: the model cannot be started, or fails at every question.
        Cancelled: by the user; the answers so far are in the file.
    """
    settings, ways = settings_of(args), WAYS if args.ways == ("all",) else args.ways
    if unknown := [way for way in ways or ("",) if way not in WAYS]:
        raise InputError(f"{unknown[0]!r} is no way of asking; known: {', '.join(WAYS)}")
    if args.scores is not None and full_path(args.scores) == full_path(args.out):
        raise InputError("--out and --scores both name {path}. Choose another name for one of them.", path=args.out)
    how = HowToAsk(
        args.model,
        ways,
        samples=SAMPLES if args.samples is None else args.samples,
        judge=args.judge,
        lexicon=None if args.lexicon is None else read_lexicon_csv(args.lexicon),
        seed=settings.seed,
        adapter=args.adapter,
    )
    asked = read_questions(args.questions, bar)
    result = asking.ask_into(
        args.out, asked.questions, how, writer(args), settings=settings, progress=bar, opened=asking.open_model
    )
    if args.scores is not None:
        _write_scores(args, result.answers, how, bar)
    failures = [*asked.rejected, *_failures(result, asked.questions)]
    return {
        "model": result.model,
        "questions": len(asked.questions),
        "answers": len(result.answers),
        "ways": [{"asked_as": values.pop("way"), **values} for values in map(asdict, result.figures)],
        "failures": failures,
        "notes": list(result.notes),
        "out": str(args.out),
        "text": _text(result, args.out, failures),
    }


def _write_scores(args: argparse.Namespace, answers: Sequence[Answered], how: HowToAsk, bar: Progress) -> None:
    """The table of certainties, with the places that the model gives to question and answer."""
    from radcal.findings.engines import engine_options
    from radcal.findings.model.local_model import LocalModel

    with LocalModel(how.model, engine_options(settings_of(args))) as model:
        model.start(bar)
        rows = list(score_rows(answers, how.model.stem, len(how.ways), model, bar))
    writer(args, "scores").write(args.scores, exports.table(rows, what="certainties with places"))


def _failures(result: Asking, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """The questions without an answer, by their number in the file: their words may be anybody's."""
    number = {question: n for n, question in enumerate(questions, 1)}
    return [{"question": number[u.question], "asked_as": u.way, "reason": u.reason} for u in result.unanswered]


def _text(result: Asking, out: Path, failures: Sequence[Any]) -> str:
    head = ("asked as", "n", "abstained", "correct", "95 %", "ECE", "95 %", "by luck", "AUROC", "95 %")
    rows = [head, *map(_row, result.figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    lines.append(f"{counted(len(result.answers), 'answer is', 'answers are')} in {out}.")
    unstated = sum(figures.unstated for figures in result.figures)
    if unstated:
        lines.append(f"{counted(unstated, 'answer', 'answers')} in no English sentence: in no ECE or AUROC.")
    reasons = dict.fromkeys(
        estimate.reason for figures in result.figures for estimate in (figures.ece, figures.auroc) if estimate.reason
    )
    lines += [f"Not enough data: {reason}" for reason in reasons]
    if failures:
        lines.append(f"{counted(len(failures), 'question or row', 'questions or rows')} failed; --json lists them.")
    return "\n".join([*lines, *result.notes])


def _row(figures: WayFigures) -> tuple[str, ...]:
    return figures.way, str(figures.n), str(figures.abstained), *cells_of(figures)


def cells_of(figures: WayFigures) -> tuple[str, ...]:
    """Share correct, ECE, what it is by luck, and AUROC, with their intervals, as cells of a table."""

    def cells(estimate: Estimate) -> tuple[str, str]:
        if estimate.value is None:
            return "-", "-"
        return f"{estimate.value:.3f}", f"{estimate.low:.3f}-{estimate.high:.3f}"

    luck = "-" if figures.luck is None else f"{figures.luck:.3f}"
    return *cells(figures.accuracy), *cells(figures.ece), luck, *cells(figures.auroc)
