"""``radcal lab groups``: the methods of recalibration compared in groups of findings, from file to file."""

from __future__ import annotations

import argparse
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, written
from radcal.system import exports
from radcal.system.errors import InputError
from radcal.system.inputs import full_path
from radcal.system.progress import Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.lab.groups.comparison import MethodComparison

_MORE_ROWS = Text("Add rows of this author, or put several authors under one name.")


def groups(args: argparse.Namespace, bar: Progress) -> Summary:
    """Compare the methods of recalibration in groups of findings, and write the figures as JSON.

    Raises:
        InputError: a value is missing, a file that cannot be used or written, or both outputs are one file.
    """
    from radcal.lab.groups.comparison import DEEPEST, compare, score_rows, to_json
    from radcal.lab.groups.partitions import Columns, KdTree, KMeans, read_scores
    from radcal.words.phrases import mean_of, read_lexicon_csv

    tree = args.kdtree or args.kmeans
    if not args.by and not tree:
        raise InputError("Give either --by COLUMN, or --kdtree or --kmeans with columns of numbers.")
    if args.by and args.depth is not None:
        raise InputError("--depth belongs to --kdtree and --kmeans. Leave it out.")
    seed = settings_of(args).seed
    if args.scores is not None and full_path(args.scores) == full_path(args.out):
        raise InputError("--out and --scores both name {path}. Choose another name for one of them.", path=args.out)
    words = None if args.lexicon is None else read_lexicon_csv(args.lexicon)

    def meaning(phrase: str) -> float | None:
        found = None if words is None else words.find(phrase)
        return None if found is None else mean_of(found)

    columns = (*args.by, *args.each)
    rows, lines, rejected = read_scores(args.scores_csv, columns, tree, None if words is None else meaning, bar)
    for column in args.each:
        rows = rows.assign(author=(rows["author"].astype(str) + " / " + rows[column].astype(str)).astype("category"))
    tune = args.depth is None and bool(tree)
    partitions: Columns | KdTree | KMeans
    if args.by:
        partitions, notes = (crossed := Columns.over(rows, args.by)), list(crossed.notes)
    else:
        partitions, notes = (KdTree if args.kdtree else KMeans)(tree, DEEPEST if tune else args.depth), []
    compared = compare(rows, partitions, seeds=args.seeds, seed=seed, points=args.points, tune=tune, progress=bar)
    failures: list[Any] = [*rejected.to_dict("records")]
    failures += [
        {
            "file": args.scores_csv.name,
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
            "by": list(args.by) or None,
            "each": list(args.each) or None,
            "kdtree": {"columns": list(args.kdtree), "depth": args.depth} if args.kdtree else None,
            "kmeans": {"columns": list(args.kmeans), "depth": args.depth} if args.kmeans else None,
            "seeds": args.seeds,
            "seed": seed,
            "points": args.points,
            "lexicon": None if words is None else {"name": words.name, "version": words.version},
            "rows": len(rows),
            "notes": notes,
            "rejected": rejected.to_dict("records"),
        },
    )
    files = writer(args, "scores")
    files.write(args.out, exports.values(made, "groups"))
    if args.scores is not None:
        files.write(args.scores, exports.table(score_rows(compared), what="recalibrated scores"))
    measured = sum(not a.reason for a in compared.authors)
    told = [*_told(compared), f"All figures are in {args.out}.", *notes]
    figures = {"rows": len(rows), "authors": len(compared.authors), "measured": measured, "notes": notes}
    return written(args.out, told, figures, failures)


def _told(compared: MethodComparison) -> list[str]:
    """The figures in the middle of the authors, method by method."""
    from radcal.lab.groups.comparison import METHODS, best_baseline

    authors = [author for author in compared.authors if author.methods]
    measured = [{method: made.figures for method, made in author.methods.items()} for author in authors]
    if not measured:
        return ["No author has enough rows to compare methods."]
    lines = [
        f"Calibration error in groups, what luck alone would give, calibration error on average, and area under the "
        f"accuracy-confidence curve; median over {counted(len(measured), 'author', 'authors')}:",
        f"  {'':<16} groups   luck  average  area",
    ]
    for method in METHODS:
        groups, luck, average, area = (
            median(author[method][name].value for author in measured) for name in ("ce_beta", "luck", "ce", "auac")
        )
        lines.append(f"  {method:<16}  {groups:.3f}  {luck:.3f}    {average:.3f} {area:.3f}")
    best = [its[best_baseline(author)]["ce_beta"].value for its, author in zip(measured, authors, strict=True)]
    errors = [its["hs_qab"]["ce_beta"].value for its in measured]
    if all(best):
        share = mean(error / least for error, least in zip(errors, best, strict=True))
        lines.append(f"In groups, hs_qab has {share:.2f} of the error of the best that knows no groups, on average.")
    return lines
