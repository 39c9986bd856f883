"""``radcal reliability`` and ``radcal advise``: the statistics of a table of observations."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.advice.bundle import SUFFIX, bundle
from radcal.calibration.pooled import measure_pooled, pooled
from radcal.calibration.records import ALL_AUTHORS
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.report import to_json
from radcal.calibration.tables import build_tables, read_observations
from radcal.calibration.verified import of_rows, with_verification
from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, frequent_words, written
from radcal.system import exports
from radcal.system.components import versions
from radcal.system.progress import Progress
from radcal.system.quoting import wordings
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import Lexicon, load_lexicon, read_lexicon_csv, read_target_use

if TYPE_CHECKING:
    import pandas as pd

    from radcal.advice.records import Advice
    from radcal.calibration.records import Spread


def reliability(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the reliability of every group of an OBS.csv, and write it as JSON or as a bundle of tables.

    Raises:
        InputError: a file cannot be used or written.
    """
    settings, words = settings_of(args), _words_of(args)
    frame, rejected = read_observations(args.observations)
    tables = build_tables(frame, words.phrases, settings.reference)
    spread = spread_of(tables, words.phrases, settings, bar)
    verified = of_rows(frame, words.phrases, settings)
    results = with_verification(measure(tables, words.phrases, settings, bar, spread=spread), verified, settings)
    if args.pool is not None:
        together = measure_pooled(tables, words.phrases, settings, args.pool, bar, spread)
        results += with_verification(together, verified, settings)
    made = to_json(results, _made_with(words, settings, tables.unknown, rejected) | {"department": _department(spread)})
    days = _days(frame)
    for group in made["groups"] if days else ():
        group |= days.get((group["author"], group["topic"]), dict.fromkeys(("first", "last")))
    export = exports.values(made, "reliability")
    if args.out.suffix.lower() == SUFFIX:
        export = bundle(made, frame, words, settings)
    writer(args).write(args.out, export)
    measured, groups = sum(not r.reason for r in results), counted(len(results), "group", "groups")
    text = f"{measured} of {groups} had enough data for a curve. All are in {args.out}."
    return _summary({"groups": len(results), "measured": measured}, rejected, tables.unknown, args.out, text)


def advise(args: argparse.Namespace, bar: Progress) -> Summary:
    """Derive advice for every group of an OBS.csv, and write it as JSON.

    Raises:
        InputError: a file cannot be used or written.
    """
    from radcal.advice.advice import advise as advised_on
    from radcal.advice.judging import judge_all
    from radcal.advice.report import to_json

    settings, words = settings_of(args), _words_of(args)
    use = None if args.target_use is None else read_target_use(args.target_use, words)
    frame, rejected = read_observations(args.observations)
    tables = build_tables(frame, words.phrases, settings.reference)
    # Advice quotes rates and their intervals, which need no resampling.
    plain = settings.changed(bootstrap=0)
    spread = spread_of(tables, words.phrases, plain, bar)
    measured = [(tables, measure(tables, words.phrases, plain, bar, spread=spread))]
    if args.pool is not None:
        together = measure_pooled(tables, words.phrases, plain, args.pool, bar, spread)
        measured.append((pooled(tables, args.pool), together))
    verified = of_rows(frame, words.phrases, settings)
    measured = [(table, with_verification(rates, verified, settings)) for table, rates in measured]
    advices: tuple[Advice, ...] = ()
    for table, rates in measured:
        # What was made first is of the single groups, which those put together must not contradict.
        parts = tuple(zip(measured[0][1], advices, strict=True)) if advices else ()
        beside: dict[str, Any] = {"baselines": args.baselines, "parts": parts}
        advices += advised_on(table, rates, words.phrases, settings, bar, use, spread, **beside)
    every = [r for _, rates in measured for r in rates]
    judged = judge_all(every, advices, {}, words.phrases, settings.min_phrase_n)
    about = _made_with(words, settings, tables.unknown, rejected) | {"department": _department(spread)}
    made = to_json(advices, about, judged)
    writer(args).write(args.out, exports.values(made, "advice"))
    advised, groups = sum(bool(a.recommendations) for a in advices), counted(len(advices), "group", "groups")
    text = f"There is advice for {advised} of {groups}, and a reason where there is none, in {args.out}."
    return _summary({"groups": len(advices), "advised": advised}, rejected, tables.unknown, args.out, text)


def _days(frame: pd.DataFrame) -> dict[tuple[str, str], dict[str, str]]:
    """The first and the last day of each group's observations, of those put together too; nothing without times."""
    import pandas as pd

    if "time" not in frame:
        return {}
    every = frame[["author", "topic", "time"]].astype({"author": str, "topic": str})
    known = pd.concat([every, every.assign(topic=ALL_TOPICS), every.assign(author=ALL_AUTHORS)]).dropna()
    ends = known.groupby(["author", "topic"])["time"].agg(["min", "max"])
    return {
        (str(author), str(topic)): {"first": f"{first:%Y-%m-%d}", "last": f"{last:%Y-%m-%d}"}
        for (author, topic), first, last in zip(ends.index, ends["min"], ends["max"], strict=True)
    }


def _department(spread: Spread) -> Summary:
    """What was learned of the department, in a result file."""
    return {f.name: getattr(spread, f.name) for f in fields(spread) if f.name != "levels"}


def _words_of(args: argparse.Namespace) -> Lexicon:
    """The words of --lexicon, or those that ship with RadCal."""
    return load_lexicon() if args.lexicon is None else read_lexicon_csv(args.lexicon)


def _made_with(words: Lexicon, settings: Settings, unknown: Mapping[str, int], rejected: pd.DataFrame) -> Summary:
    """The provenance in a result file."""
    return {
        "settings": settings.to_dict(),
        "lexicon": {"name": words.name, "version": words.version},
        "versions": versions(),
        "unknown_phrases": dict(unknown),
        "rejected": rejected.to_dict("records"),
    }


def _summary(
    counts: Mapping[str, int], rejected: pd.DataFrame, unknown: Mapping[str, int], out: Path, text: str
) -> Summary:
    """The summary of a table's groups, with the rows and phrases left out."""
    failures, n = rejected.to_dict("records"), sum(unknown.values())
    missing = {"unknown_phrases": wordings(unknown), "unknown_statements": n}
    made = written(out, [text], {**counts, **missing}, failures)
    if unknown:
        frequent = frequent_words(unknown)
        made["text"] += (
            f"\nLeft out and counted, because their words are in no list: {counted(n, 'statement', 'statements')}"
            f"{f'; among them {frequent}' if frequent else ''}."
        )
    return made
