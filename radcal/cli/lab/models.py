"""``radcal lab models``: language models as speakers, from files of answers to a file of results."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from statistics import fmean
from typing import Any

from radcal.advice.records import Method
from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, written
from radcal.lab.answers import UnknownWords
from radcal.lab.recalibrating import METHODS, TOGETHER, Scores, Together
from radcal.lab.speakers import Speakers, read_all, shipped_lists, speakers, speakers_to_json
from radcal.system import exports
from radcal.system.components import versions
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.quoting import is_wording, wordings
from radcal.words.phrases import Lexicon, mean_of, read_lexicon_csv

_MOST_NAMED = 3
"""Models without figures that are named."""


_NAMES: Mapping[Method | Together, str] = {
    "none": "as the models speak",
    "advice": "as a person would be advised",
    "ordered": "ordered plan",
    "transport": "the paper's transport",
    "platt": "Platt scaling",
    "histogram": "histogram binning",
    "department": "ordered plan, all together",
    "department_rates": "numbers, all together",
}


def models(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure and recalibrate the certainty of language models, and write it as JSON (``radcal.lab.speakers``).

    Raises:
        InputError: a file cannot be used or written.
    """
    from radcal.advice.judge import HALVINGS
    from radcal.calibration.report import to_json

    settings, files = settings_of(args), args.answers
    if len({file.resolve() for file in files}) < len(files):
        raise InputError("A file is named twice, and its answers would count twice. Name it once.")
    words, *others = shipped_lists() if args.lexicon is None else (read_lexicon_csv(args.lexicon),)
    answers = read_all(files, words, bar, others)
    made = speakers(answers, words, settings, bar, together=True, with_grid=args.grid)
    meta = {
        "halvings": HALVINGS,
        "percent": list(made.percent),
        "settings": settings.to_dict(),
        "lexicon": {"name": words.name, "version": words.version},
        "further_lists": [{"name": other.name, "version": other.version} for other in others],
        "meanings": _meanings(made, (words, *others)),
        "versions": versions(),
        "abstained": made.abstained,
        "unknown_phrases": dict(made.unknown),
        "rejected": list(made.rejected),
    }
    measured = to_json([s.reliability for s in made.speakers])["groups"]
    writer(args).write(args.out, exports.values(speakers_to_json(made.speakers, measured, meta), "models"))
    return _summary(made, [*map(_failure, answers.unknown), *map(dict, made.rejected)], args.out)


def _meanings(made: Speakers, lists: Sequence[Lexicon]) -> list[dict[str, Any]]:
    """The words that were said, with their mean and what says so: the file of the list, and its source."""
    said = {told.phrase for speaker in made.speakers for told in speaker.reliability.phrases if told.n}
    owners = {p.name: words.name for words in reversed(lists) for p in words.phrases}
    return [
        {"phrase": p.name, "mean": mean_of(p), "list": owners[p.name], "source": p.source}
        for p in made.phrases
        if p.name in said and p.name in owners
    ]


def _failure(unknown: UnknownWords) -> dict[str, Any]:
    """Words in no list as a failure; quoted unless they may be a name: rows with a verdict are not of a report."""
    words = unknown.words if is_wording(unknown.words) else ""
    said = f"{words!r} is" if words else "The words of the confidence are"
    return {
        "file": unknown.file,
        "row": unknown.row,
        "phrase": words or None,
        "answers": unknown.n,
        "reason": f"{said} in no list ({counted(unknown.n, 'answer', 'answers')}, this is the first).",
        "remedy": "Add them to a copy of phrases_public.csv, as phrases or synonyms, and name it with --lexicon.",
    }


def _summary(made: Speakers, failures: list[dict[str, Any]], out: Path) -> dict[str, Any]:
    enough = [s.recalibrated for s in made.speakers if s.recalibrated is not None]
    lines = [
        f"{len(enough)} of {counted(len(made.speakers), 'model', 'models')} by question set had enough answers to be "
        f"recalibrated. All are in {out}."
    ]
    means = {}
    for method in (*METHODS, *TOGETHER):
        if scores := [m.methods[method] for m in enough if method in m.methods]:
            values = {f.name: fmean(getattr(s, f.name).value for s in scores) for f in fields(Scores)}
            means[method] = values
            told = "{ece:.3f}  {brier:.3f}  {accuracy:.3f}     {ece_of_means:.3f}  {brier_of_means:.3f}".format(
                **values
            )
            lines.append(f"  {_NAMES[method]:30} {told}")
    if enough:
        lines[1:1] = [
            "On average, on halves that were not fitted to; the last two with each word taken for its mean:",
            f"  {'':30} ECE    Brier  right  ECE    Brier",
        ]
    if short := [
        f"{s.author} on {s.topic} ({str(s.reason).rstrip('.')})" for s in made.speakers if s.recalibrated is None
    ]:
        more = f", and {len(short) - _MOST_NAMED} more" if len(short) > _MOST_NAMED else ""
        lines.append(f"Not recalibrated: {', '.join(short[:_MOST_NAMED])}{more}.")
    lines += [f"The numbers of {a} are read as percentages, because most of them are above 1." for a in made.percent]
    if made.abstained:
        lines.append(f"Left out as abstentions: {counted(made.abstained, 'row', 'rows')}.")
    if n := sum(made.unknown.values()):
        words, remedy = len(made.unknown), failures[0]["remedy"]
        lines.append(
            f"NOT READ: {counted(n, 'answer', 'answers')} in {counted(words, 'wording', 'wordings')} that no list has. "
            f"{remedy}"
        )
    figures = {
        "models": len(made.speakers),
        "mended": len(enough),
        "answers": made.n - n,
        "means": means,
        "unknown_phrases": wordings(made.unknown),
        "unknown_answers": n,
        "abstained": made.abstained,
    }
    return written(out, lines, figures, failures)
