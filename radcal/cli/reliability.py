"""``radcal reliability`` and ``radcal advise``: the statistics of a table of observations."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from warnings import catch_warnings

from radcal.calibration.tables import Observed
from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, frequent_words, written
from radcal.library import reliability as library
from radcal.library.given import LeftOut
from radcal.system import exports
from radcal.system.progress import Progress
from radcal.system.quoting import wordings
from radcal.words.phrases import Lexicon, load_lexicon, read_lexicon_csv, read_target_use


def reliability(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the reliability of every group of an OBS.csv, and write it as JSON or as a bundle of tables.

    Raises:
        InputError: a file cannot be used or written.
    """
    settings, words = settings_of(args), _words_of(args)
    with catch_warnings(action="ignore", category=LeftOut):  # what is left out is in the summary
        made = library.reliability(args.observations, words, pool=args.pool, progress=bar, **settings.to_dict())
    export = exports.values(made.to_json(), "reliability")
    if args.out.suffix.lower() == ".zip":
        from radcal.advice.bundle import bundle

        export = bundle(made.to_json(), made.observed.rows, made.observed.words, made.settings)
    writer(args).write(args.out, export)
    n, known = len(made.reliabilities), sum(not r.reason for r in made.reliabilities)
    text = f"{known} of {counted(n, 'group', 'groups')} had enough data for a curve. All are in {args.out}."
    return _summary({"groups": n, "measured": known}, made.observed, made.unknown, args.out, text)


def advise(args: argparse.Namespace, bar: Progress) -> Summary:
    """Derive advice for every group of an OBS.csv, and write it as JSON.

    Raises:
        InputError: a file cannot be used or written.
    """
    settings, words = settings_of(args), _words_of(args)
    use = None if args.target_use is None else read_target_use(args.target_use, words)
    more = {"target_use": use, "baselines": args.baselines, "pool": args.pool, **settings.to_dict()}
    with catch_warnings(action="ignore", category=LeftOut):
        made = library.advise(args.observations, words, progress=bar, **more)
    writer(args).write(args.out, exports.values(made.to_json(), "advice"))
    n, told = len(made.advices), sum(bool(a.recommendations) for a in made.advices)
    text = (
        f"There is advice for {told} of {counted(n, 'group', 'groups')}, and a reason where there is none, in "
        f"{args.out}."
    )
    return _summary({"groups": n, "advised": told}, made.observed, made.unknown, args.out, text)


def _words_of(args: argparse.Namespace) -> Lexicon:
    """The words of --lexicon, or those that ship with RadCal."""
    return load_lexicon() if args.lexicon is None else read_lexicon_csv(args.lexicon)


def _summary(
    counts: Mapping[str, int], observed: Observed, unknown: Mapping[str, int], out: Path, text: str
) -> Summary:
    """The summary of a table's groups, with the rows and phrases left out."""
    failures, n = observed.rejected.to_dict("records"), sum(unknown.values())
    missing = {"unknown_phrases": wordings(unknown), "unknown_statements": n}
    made = written(out, [text], {**counts, **missing}, failures)
    if unknown:
        frequent = frequent_words(unknown)
        made["text"] += (
            f"\nLeft out and counted, because their words are in no list: {counted(n, 'statement', 'statements')}"
            f"{f'; among them {frequent}' if frequent else ''}."
        )
    if observed.percent:
        made["text"] += f"\n{observed.percent_note}"
    return made
