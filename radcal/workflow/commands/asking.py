"""``radcal ask``: a language model's answers to questions, and what its certainty is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from radcal import exports, inputs
from radcal.audit.asking.asker import HedgeReader
from radcal.audit.asking.files import Kept, answer_lines, read_answered, read_questions
from radcal.errors import InputError
from radcal.exports import Exports
from radcal.lexicon.phrases import read_lexicon_csv
from radcal.progress import SILENT, Progress
from radcal.records.asking import Answered, Asking, Estimate, Question, Way, WayFigures
from radcal.settings import Settings
from radcal.workflow.audits.asking import HowToAsk, OpenModel, ask, hedge_reader, open_model
from radcal.workflow.commands.summaries import counted

Summary = dict[str, Any]


def ask_file(
    questions: Path,
    how: HowToAsk,
    out: Path,
    *,
    lexicon: Path | None = None,
    settings: Settings | None = None,
    progress: Progress = SILENT,
    read_hedges: HedgeReader | None = None,
    opened: OpenModel = open_model,
) -> Summary:
    """Ask a model the questions of a file, and write its answers as JSON lines for ``radcal models``.

    Resumes a file that the same command began.

    Args:
        questions: JSON lines or a table with question, answer and topic.
        how: the model and the ways.
        out: one line an answer; with several ways of asking, each way is an author of its own.
        lexicon: a file of the phrases to choose from; None for those of ``how``.
        settings: how models run here.
        progress: counts answers.
        read_hedges: how sure a sentence sounds; None for the reader that ships with RadCal.
        opened: opens a model file.

    Raises:
        InputError: a file cannot be used, or ``out`` holds something else.
        EngineError: the model cannot be started, or fails at every question.
        Cancelled: by ``progress``; the answers so far are in ``out``.
    """
    if lexicon is not None:
        how = replace(how, lexicon=read_lexicon_csv(lexicon))
    asked = read_questions(questions, progress)
    earlier = read_answered(out, progress) if inputs.is_there(out) else []
    writer = Exports(kept=[path for path in (questions, how.model, how.judge, lexicon) if path])

    def keep(answers: Sequence[Answered], made_with: Mapping[Way, str]) -> None:
        """Write the answers so far, unless that would lose others."""
        _refuse_others(out, earlier, asked.questions, made_with)
        lines = answer_lines(answers, how.model.stem, made_with)
        writer.write(out, exports.text(lines, "answers of a model", answers=len(answers)))

    result = ask(
        asked.questions,
        how,
        keep,
        earlier=earlier,
        read_hedges=read_hedges or hedge_reader(),
        settings=settings,
        progress=progress,
        opened=opened,
    )
    failures = [*asked.rejected, *_failures(result, asked.questions)]
    return {
        "model": result.model,
        "questions": len(asked.questions),
        "answers": len(result.answers),
        "ways": [way_values(figures) for figures in result.figures],
        "failures": failures,
        "notes": list(result.notes),
        "out": str(out),
        "text": _text(result, out, failures),
    }


def _refuse_others(
    out: Path, earlier: Sequence[Kept], questions: Sequence[Question], made_with: Mapping[Way, str]
) -> None:
    """Insist that all answers of an existing file belong to this run.

    Raises:
        InputError: some would be lost.
    """
    known = set(questions)
    others = sum(k.made_with != made_with.get(k.answered.way) or k.answered.question not in known for k in earlier)
    if others:
        raise InputError(
            "{out} holds {n} answers of another model, another way of asking, other settings or other questions, which "
            "would be lost. Choose another file, or remove that one.",
            out=out,
            n=others,
        )


def _failures(result: Asking, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """The questions without an answer, by their number in the file: their words may be anybody's."""
    number = {question: n for n, question in enumerate(questions, 1)}
    return [{"question": number[u.question], "asked_as": u.way, "reason": u.reason} for u in result.unanswered]


def way_values(figures: WayFigures) -> dict[str, Any]:
    """Figures as plain values."""
    return {"asked_as": figures.way, **{name: value for name, value in asdict(figures).items() if name != "way"}}


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
    def cells(estimate: Estimate) -> tuple[str, str]:
        if estimate.value is None:
            return "-", "-"
        return f"{estimate.value:.3f}", f"{estimate.low:.3f}-{estimate.high:.3f}"

    luck = "-" if figures.luck is None else f"{figures.luck:.3f}"
    return (
        figures.way, str(figures.n), str(figures.abstained),
        *cells(figures.accuracy), *cells(figures.ece), luck, *cells(figures.auroc),
    )  # fmt: skip
