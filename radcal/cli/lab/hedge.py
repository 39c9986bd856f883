"""``radcal lab hedge``: how sure the sentences of a file sound."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, fields_of, written
from radcal.lab.hedges.asked import PROMPTS, read_by_model
from radcal.lab.hedges.estimator import SentenceEstimate, shipped
from radcal.system import exports
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.lab.hedges.fitting import Agreement, Row

_WHY = {
    "plain": Text("plain statement: no word speaks of certainty"),
    "abstention": Text("abstention: no answer is given"),
    "hedged": Text(""),
}


_BATCH = 500
_CORRELATION = {f"rank_correlation{end}": f"correlation{end}" for end in ("", "_low", "_high")}


def hedge(args: argparse.Namespace, bar: Progress) -> Summary:
    """Estimate the confidence that readers take from every sentence of a file, and write it as CSV.

    Raises:
        InputError: a file cannot be used or written.
        DataError: the sentences of --fit are too few.
        EngineError: the model of --model failed.
        Cancelled: by the user.
    """
    from radcal.lab.hedges.fitting import agreement, fitted, read_scored, read_sentences, without_estimate

    path, fit, out = args.sentences, args.fit, args.out
    if (args.model and fit) or (args.prompt and not args.model):
        raise InputError("--prompt is about asking a model: it goes with --model, and neither with --fit.")
    found = read_sentences(path, bar)
    estimator, failures, learned = shipped(), found.rejected.to_dict("records"), 0
    if fit is not None:
        known = read_scored(fit, estimator, bar)
        learned = len(known.rows)
        failures += known.rejected.to_dict("records")
        estimator = fitted(estimator, known.rows["text"].tolist(), known.rows["score"].tolist())
    rows, estimates = found.rows, list[SentenceEstimate | Text]()
    if args.model:
        texts = [row.text for row in rows]
        estimates += read_by_model(args.model, texts, args.prompt or PROMPTS[0], settings_of(args), bar)
    else:
        bar.start(len(rows), Text("Reading sentences"))
        for start in range(0, len(rows), _BATCH):
            texts = [row.text for row in rows[start : start + _BATCH]]
            estimates += estimator.estimate(texts)
            bar.advance(len(texts))
    failures += without_estimate(path.name, rows, estimates)
    failures.sort(key=lambda fault: (fault["file"] != path.name, fault["row"]))
    read = [(e, row.score) for e, row in zip(estimates, rows, strict=True) if isinstance(e, SentenceEstimate)]
    scored = [(e, score) for e, score in read if score is not None]
    judged = agreement([e for e, _ in scored], [score for _, score in scored])
    writer(args).write(out, exports.table(_rows(rows, estimates, found.has_scores), what="hedges"))
    n = len(read)
    figures = {
        "rows": len(rows),
        "estimated": n,
        "abstentions": sum(e.kind == "abstention" for e, _ in read),
        "plain": sum(e.kind == "plain" for e, _ in read),
        "fitted_on": learned,
        **fields_of(judged, "mse", "mse_low", "mse_high", "coverage", scored="n", **_CORRELATION),
    }
    return written(out, _lines(n, len(rows), learned, judged, found.has_scores, out), figures, failures)


def _rows(
    rows: Sequence[Row], estimates: Sequence[SentenceEstimate | Text], has_scores: bool
) -> Iterator[Sequence[Any]]:
    scores = ["score"] if has_scores else []
    yield ["text", *scores, "estimate", "low", "high", "words", "why"]
    for row, found in zip(rows, estimates, strict=True):
        cells = [row.text, row.given if row.score is None else row.score] if has_scores else [row.text]
        if isinstance(found, Text):
            yield [*cells, None, None, None, "", row.fault or str(found)]
        else:
            numbers = (round(number, 4) for number in (found.value, found.low, found.high))
            yield [*cells, *numbers, "; ".join(found.words), str(_WHY[found.kind])]


def _lines(n: int, total: int, learned: int, judged: Agreement, has_scores: bool, out: Path) -> Iterator[str]:
    how = f", learned from {counted(learned, 'sentence', 'sentences')} besides RadCal's own" if learned else ""
    yield f"{counted(n, 'estimate', 'estimates')} for {counted(total, 'row', 'rows')}{how}."
    if judged.mse is not None and judged.mse_low is not None:
        yield f"Mean squared error {judged.mse:.4f} ({judged.mse_low:.4f}-{judged.mse_high:.4f}), n = {judged.n:,}."
        if judged.correlation is None:
            yield "Rank correlation: not enough data."
        else:
            low, high = judged.correlation_low, judged.correlation_high
            yield f"Rank correlation {judged.correlation:.3f} ({low:.3f}-{high:.3f})."
        yield f"{judged.coverage:.0%} of the scores lie within low and high."
    elif has_scores:
        yield "Error and rank correlation: not enough data."
    yield f"All is in {out}."
