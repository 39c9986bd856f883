"""Language models as speakers, from files of answers to a file of results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from radcal import exports
from radcal.errors import InputError
from radcal.exports import Exports
from radcal.progress import SILENT, Progress
from radcal.quoting import wordings
from radcal.records.models import METHODS, Method, Speakers
from radcal.settings import Settings
from radcal.workflow.audits.speakers import read_all, speakers
from radcal.workflow.commands.single_steps import lexicon_of
from radcal.workflow.commands.summaries import counted, frequent_words, left_out
from radcal.workflow.runs.engines import versions

_NAMES: dict[Method, str] = {
    "none": "as the models speak",
    "advice": "as a person would be advised",
    "ordered": "ordered plan",
    "transport": "the paper's transport",
    "platt": "Platt scaling",
    "histogram": "histogram binning",
}


def models_file(
    files: Sequence[Path], out: Path, lexicon: Path | None, settings: Settings, *, progress: Progress = SILENT
) -> dict[str, Any]:
    """Measure and mend how certain language models say they are, and write it as JSON (``audit.report``).

    Args:
        files: of answers, as ``audit.answers`` reads them.
        lexicon: a LEX.csv; None for the lexicon that ships with RadCal.
        settings: of the statistics, with their seed.

    Raises:
        InputError: a file cannot be used or written.
    """
    from radcal.advise.mending import HALVINGS
    from radcal.audit.report import speakers_to_json
    from radcal.calibrate import to_json

    if len(set(files)) < len(files):
        raise InputError("A file is named twice, and its answers would count twice. Name it once.")
    words = lexicon_of(lexicon)
    answers = read_all(files, words, progress)
    made = speakers(answers, words, settings, progress)
    meta = {
        "halvings": HALVINGS,
        "percent": list(made.percent),
        "settings": settings.to_dict(),
        "lexicon": {"name": words.name, "version": words.version},
        "versions": versions(),
        "unknown_phrases": dict(made.unknown),
        "rejected": list(made.rejected),
    }
    measured = to_json([s.reliability for s in made.speakers])["groups"]
    kept = [*files, *([lexicon] if lexicon else [])]
    Exports(kept=kept).write(out, exports.values(speakers_to_json(made.speakers, measured, meta), "models"))
    return _summary(made, out)


def _summary(made: Speakers, out: Path) -> dict[str, Any]:
    enough = [s.mended for s in made.speakers if s.mended is not None]
    lines = [
        f"{len(enough)} of {counted(len(made.speakers), 'model', 'models')} by question set had enough answers to be "
        f"mended. All are in {out}."
    ]
    means = {}
    for method in METHODS if enough else ():
        scores = [m.methods[method] for m in enough if method in m.methods]
        if scores:
            rows = [(s.ece.value, s.brier.value, s.accuracy.value) for s in scores]
            ece, brier, accuracy = (sum(column) / len(rows) for column in zip(*rows, strict=True))
            means[method] = {"ece": ece, "brier": brier, "accuracy": accuracy}
            lines.append(f"  {_NAMES[method]:30} ECE {ece:.3f}   Brier {brier:.3f}   accuracy {accuracy:.3f}")
    if enough:
        lines.insert(1, "On average, on halves that were not fitted to:")
    lines += [f"The numbers of {a} are read as percentages, because most of them are above 1." for a in made.percent]
    failures, n = list(made.rejected), sum(made.unknown.values())
    text = "\n".join(lines) + left_out(failures)
    if made.unknown:
        text += f"\nLeft out and counted, because their words are in no list: {counted(n, 'answer', 'answers')}"
        text += f"; among them {frequent}." if (frequent := frequent_words(made.unknown)) else "."
    return {
        "models": len(made.speakers),
        "mended": len(enough),
        "answers": made.n - n,
        "means": means,
        "failures": failures,
        "unknown_phrases": wordings(made.unknown),
        "unknown_answers": n,
        "out": str(out),
        "text": text,
    }
