"""``radcal reliability``, ``advise``, ``tables`` and ``merge``: statistics of observations, here and elsewhere."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
from radcal.system.coarse import FEWEST
from radcal.system.components import versions
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.quoting import wordings
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import Lexicon, load_lexicon, read_lexicon_csv, read_target_use

if TYPE_CHECKING:
    import pandas as pd

    from radcal.advice.records import Advice
    from radcal.calibration.records import Spread, Tables, Verification


def reliability(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the reliability of every group of an OBS.csv, and write it as JSON.

    Raises:
        InputError: a file cannot be used or written.
    """
    settings, words = settings_of(args), _words_of(args)
    frame, rejected = read_observations(args.observations)
    tables = build_tables(frame, words.phrases, settings.reference)
    verified = of_rows(frame, words.phrases, settings)
    made = _measured(tables, words, settings, args, bar, verified, rejected)
    days = _days(frame)
    for group in made["groups"] if days else ():
        group |= days.get((group["author"], group["topic"]), dict.fromkeys(("first", "last")))
    writer(args).write(args.out, exports.values(made, "reliability"))
    return _summary(_curves(made), rejected, tables.unknown, args.out, _curves_in_words(made, args.out))


def tables(args: argparse.Namespace, bar: Progress) -> Summary:
    """Write the counts of an OBS.csv or of a workspace, for other departments.

    Raises:
        InputError: neither or both are named, or a file cannot be used or written.
        DataError: there is nothing to give.
    """
    from radcal.calibration.merged import counted as file_of
    from radcal.cli.passphrases import department_for_exports
    from radcal.workspace.pseudonyms import pseudonyms

    if (args.observations is None) == (args.workspace is None):
        raise InputError("Name either OBS.csv, or the workspace whose results are to be counted (--workspace W).")
    to = args.department
    if args.observations is not None:
        settings, words = settings_of(args), _words_of(args)
        frame, rejected = read_observations(args.observations)
        who = pseudonyms(frame["author"].astype(str).unique(), secrets.randbits(32))
        made = file_of(frame, words, settings, to, who)
        writer(args).write(args.out, exports.values(made, "tables of counts"))
        told, failures = [f"{name} is {pseudonym}." for name, pseudonym in sorted(who.items())], rejected
    else:
        with department_for_exports(args) as department:
            entered, who = department.entered(bar), department.pseudonyms()
            made = file_of(entered, department.lexicon, department.settings, to, who)
            department.exports.write(args.out, exports.values(made, "tables of counts"))
        told, failures = [], None
    n = sum(row[-1] for row in made["counts"])
    lines = [f"{counted(n, 'finding is', 'findings are')} counted in {args.out}.", *told]
    if made["left_out"]:
        lines.append(f"Left out, of readers with fewer than {FEWEST} on a topic: {made['left_out']:,}.")
    figures = {"findings": n, "left_out": made["left_out"], "unknown_statements": made["unknown"]}
    return written(args.out, lines, figures, [] if failures is None else failures.to_dict("records"))


def merge(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the reliability of every group of several departments' tables, and write it as JSON.

    Raises:
        InputError: a file cannot be used or written, or the tables do not go together.
    """
    from radcal.calibration.merged import merged

    found = merged(args.tables)
    settings = settings_of(args).changed(**found.settings)
    made = _measured(found.tables, found.lexicon, settings, args, bar)
    made |= {"departments": dict(found.departments), "unknown_phrases": {}, "unknown_statements": found.unknown}
    made["left_out"] = found.left_out
    writer(args).write(args.out, exports.values(made, "reliability of several departments"))
    names = ", ".join(f"{name} ({n:,})" for name, n in found.departments.items())
    lines = [f"Findings of {names}.", _curves_in_words(made, args.out)]
    return written(args.out, lines, {**_curves(made), "departments": dict(found.departments)}, [])


def _measured(
    tables: Tables,
    words: Lexicon,
    settings: Settings,
    args: argparse.Namespace,
    bar: Progress,
    verified: Mapping[tuple[str, str], Verification] = MappingProxyType({}),
    rejected: pd.DataFrame | None = None,
) -> Summary:
    """The reliability of all groups, and of those that --pool puts together, as plain values."""
    spread = spread_of(tables, words.phrases, settings, bar)
    results = with_verification(measure(tables, words.phrases, settings, bar, spread=spread), verified, settings)
    if args.pool is not None:
        together = measure_pooled(tables, words.phrases, settings, args.pool, bar, spread)
        results += with_verification(together, verified, settings)
    return to_json(results, _made_with(words, settings, tables.unknown, rejected) | {"department": _department(spread)})


def _curves(made: Summary) -> Summary:
    """How many groups there are, and how many of them were measured."""
    return {"groups": len(made["groups"]), "measured": sum(not group["reason"] for group in made["groups"])}


def _curves_in_words(made: Summary, out: Path) -> str:
    n = _curves(made)
    return (
        f"{n['measured']} of {counted(n['groups'], 'group', 'groups')} had enough data for a curve. All are in {out}."
    )


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


def _made_with(
    words: Lexicon, settings: Settings, unknown: Mapping[str, int], rejected: pd.DataFrame | None
) -> Summary:
    """The provenance in a result file."""
    return {
        "settings": settings.to_dict(),
        "lexicon": {"name": words.name, "version": words.version},
        "versions": versions(),
        "unknown_phrases": dict(unknown),
        "rejected": [] if rejected is None else rejected.to_dict("records"),
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
