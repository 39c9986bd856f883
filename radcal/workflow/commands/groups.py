"""The methods of recalibration compared in groups of findings, from file to file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from radcal import exports
from radcal.errors import InputError
from radcal.exports import Exports
from radcal.inputs import full_path
from radcal.progress import SILENT, Progress
from radcal.text import Text
from radcal.workflow.commands.summaries import Summary, counted, left_out

if TYPE_CHECKING:
    from radcal.records.qa import MethodComparison

_DEEPEST = 10
_MORE_ROWS = Text("Add rows of this author, or put several authors under one name.")


@dataclass(frozen=True, slots=True)
class Grouping:
    """How findings are grouped: by columns, or by a k-d tree of a depth over number columns.

    seeds, seed: how many random splits, and the first one's seed;  points: fewest findings of a bin, None to tune it
    """

    by: tuple[str, ...] = ()
    kdtree: tuple[str, ...] = ()
    depth: int | None = None
    seeds: int = 8
    seed: int = 0
    points: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be done.

        Raises:
            InputError: a value out of bounds, or one that is missing.
        """
        if bool(self.by) == bool(self.kdtree):
            raise InputError("Give either --by COLUMN, or --kdtree with columns of numbers.")
        if self.kdtree and self.depth is None:
            raise InputError("--kdtree needs --depth: a depth of 3 makes 8 groups.")
        if self.by and self.depth is not None:
            raise InputError("--depth belongs to --kdtree. Leave it out.")
        for option, value, least, most in (
            ("--depth", self.depth, 0, _DEEPEST),
            ("--seeds", self.seeds, 1, 100),
            ("--seed", self.seed, 0, 2**32 - 1),
            ("--points", self.points, 2, 10**9),
        ):
            if value is not None and not least <= value <= most:
                raise InputError("{option} goes from {least} to {most}.", option=option, least=least, most=most)


def groups_file(
    scores: Path,
    out: Path,
    grouping: Grouping,
    *,
    lexicon: Path | None = None,
    scores_out: Path | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Compare the methods of recalibration in groups of findings, and write the figures as JSON.

    Args:
        scores: SCORES.csv with author, confidence, outcome and the columns of ``grouping``.
        out: the figures.
        grouping: the groups, splits and bins.
        lexicon: a LEX.csv whose phrases may stand in the place of confidences.
        scores_out: a CSV for what every method says of every row.

    Raises:
        InputError: a file cannot be used or written, or both outputs are one file.
    """
    from radcal.calibrate.qa import Columns, KdTree, compare, read_scores, score_rows, to_json
    from radcal.lexicon.phrases import mean_of, read_lexicon_csv

    if scores_out is not None and full_path(scores_out) == full_path(out):
        raise InputError("--out and --scores both name {path}. Choose another name for one of them.", path=out)
    words = None if lexicon is None else read_lexicon_csv(lexicon)

    def meaning(phrase: str) -> float | None:
        found = None if words is None else words.find(phrase)
        return None if found is None else mean_of(found)

    rows, lines, rejected = read_scores(
        scores, grouping.by, grouping.kdtree, None if words is None else meaning, progress
    )
    partitions: Columns | KdTree
    if grouping.by:
        partitions, notes = (columns := Columns.over(rows, grouping.by)), list(columns.notes)
    else:
        partitions, notes = KdTree(grouping.kdtree, grouping.depth or 0), []
    compared = compare(
        rows, partitions, seeds=grouping.seeds, seed=grouping.seed, points=grouping.points, progress=progress
    )
    failures: list[Any] = [*rejected.to_dict("records")]
    failures += [
        {
            "file": scores.name,
            "row": int(lines[rows["author"] == a.author].iloc[0]),
            "author": a.author,
            "reason": a.reason,
            "remedy": _MORE_ROWS,
        }
        for a in compared.authors
        if a.reason
    ]
    made = to_json(
        compared,
        {
            "by": list(grouping.by) or None,
            "kdtree": {"columns": list(grouping.kdtree), "depth": grouping.depth} if grouping.kdtree else None,
            "seeds": grouping.seeds,
            "seed": grouping.seed,
            "points": grouping.points,
            "lexicon": None if words is None else {"name": words.name, "version": words.version},
            "rows": len(rows),
            "notes": notes,
            "rejected": rejected.to_dict("records"),
        },
    )
    files = Exports(kept=[p for p in (scores, lexicon) if p])
    files.write(out, exports.values(made, "groups"))
    if scores_out is not None:
        files.write(scores_out, exports.table(score_rows(compared), what="recalibrated scores"))
    measured = sum(not a.reason for a in compared.authors)
    text = "\n".join([*_told(compared), f"All figures are in {out}.", *notes]) + left_out(failures)
    return {
        "rows": len(rows),
        "authors": len(compared.authors),
        "measured": measured,
        "failures": failures,
        "notes": notes,
        "out": str(out),
        "text": text,
    }


def _told(compared: MethodComparison) -> list[str]:
    """The figures in the middle of the authors, method by method."""
    from radcal.calibrate.qa.report import best_baseline
    from radcal.records.qa import METHODS

    measured = [{m.method: m for m in author.methods} for author in compared.authors if author.methods]
    if not measured:
        return ["No author has enough rows to compare methods."]
    lines = [
        f"Calibration error in groups, what luck alone would give, calibration error on average, and area under the "
        f"accuracy-confidence curve; median over {counted(len(measured), 'author', 'authors')}:",
        f"  {'':<16} groups   luck  average  area",
    ]
    for method in METHODS:
        groups, luck, average, area = (
            median(getattr(author[method], name).value for author in measured)
            for name in ("ce_beta", "luck", "ce", "auac")
        )
        lines.append(f"  {method:<16}  {groups:.3f}  {luck:.3f}    {average:.3f} {area:.3f}")
    best = [best_baseline(author).ce_beta.value for author in compared.authors if author.methods]
    errors = [author["hs_qab"].ce_beta.value for author in measured]
    if all(best):
        share = mean(error / least for error, least in zip(errors, best, strict=True))
        lines.append(f"In groups, hs_qab has {share:.2f} of the error of the best that knows no groups, on average.")
    return lines
