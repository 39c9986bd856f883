"""``radcal reliability``, ``advise``, ``tables`` and ``merge``: statistics of observations, here and elsewhere."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import catch_warnings

from radcal.calibration.tables import Observed, read_observations
from radcal.cli.options import writer
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, counted, frequent_words, written
from radcal.library import reliability as library
from radcal.system import exports
from radcal.system.coarse import FEWEST
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.quoting import is_wording, wordings
from radcal.system.resources import resource
from radcal.words.phrases import Lexicon, load_lexicon, read_lexicon_csv, read_target_use
from radcal.words.studies import study_of
from radcal.words.word_files import named_in_terms

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.settings import Settings


def reliability(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the reliability of every group of an OBS.csv, and write it as JSON or as a bundle of tables.

    Raises:
        InputError: a file cannot be used or written.
    """
    settings, words = settings_of(args), _words_of(args)
    with catch_warnings(action="ignore", category=UserWarning):  # what is left out is in the summary
        made = library.reliability(args.observations, words, pool=args.pool, progress=bar, **settings.to_dict())
    _write(args, made, "reliability")
    return _summary(_curves(made), made.observed, made.unknown, args.out, _curves_in_words(made, args.out))


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
        _refuse_names(frame, settings)
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
    topics = sorted({row[1] for row in made["counts"]})
    lines = [f"{counted(n, 'finding is', 'findings are')} counted in {args.out}.", f"On {', '.join(topics)}.", *told]
    lines += _left_out(made["left_out"], made["unknown"])
    figures = {"findings": n, "topics": topics, "left_out": made["left_out"], "unknown_statements": made["unknown"]}
    return written(args.out, lines, figures, [] if failures is None else failures.to_dict("records"))


def merge(args: argparse.Namespace, bar: Progress) -> Summary:
    """Measure the reliability of every group of several departments' tables, and write it as JSON or as tables for R.

    Raises:
        InputError: a file cannot be used or written, or the tables do not go together.
    """
    made = library.merge(args.tables, pool=args.pool, progress=bar, **settings_of(args).to_dict())
    _write(args, made, "reliability of several departments")
    names = ", ".join(f"{name} ({n:,})" for name, n in made.merged.departments.items())
    figures = {**_curves(made), "departments": dict(made.merged.departments)}
    lines = _left_out(made.merged.left_out, made.merged.unknown)
    return written(args.out, [f"Findings of {names}.", *lines, _curves_in_words(made, args.out)], figures, [])


def _write(args: argparse.Namespace, made: library.Measured, what: str) -> None:
    """Write the result as JSON, or as a bundle of tables."""
    bundle = args.out.suffix.lower() == ".zip"
    writer(args).write(args.out, made.exported() if bundle else exports.values(made.to_json(), what))


def _refuse_names(frame: pd.DataFrame, settings: Settings) -> None:
    """Refuse topics that may be names, dates or numbers: those that RadCal or the study knows are none.

    Raises:
        InputError: there is one; it is not quoted.
    """
    known = {*map(str.lower, (*named_in_terms(resource("lexicon")), *study_of(settings).pathologies))}
    plain = [
        t for t in frame["topic"].unique() if t.lower() in known or (t.islower() and is_wording(t.replace(",", ".")))
    ]
    if len(rows := frame.index[~frame["topic"].isin(plain)]):
        raise InputError(
            "Row {row}: the topic may be a name, a date or a number, and would be in the file. Write the pathology in "
            "small letters, without digits and commas.",
            row=rows[0],
        )


def _left_out(few: int, unknown: int) -> list[str]:
    """What is not counted in tables, and why."""
    why = {
        f"of readers with fewer than {FEWEST} findings or patients on a topic": few,
        "with words in no list": unknown,
    }
    return [f"Left out, {reason}: {n:,}." for reason, n in why.items() if n]


def _curves(made: library.Measured) -> Summary:
    """How many groups there are, and how many of them were measured."""
    return {"groups": len(made.reliabilities), "measured": sum(not r.reason for r in made.reliabilities)}


def _curves_in_words(made: library.Measured, out: Path) -> str:
    n = _curves(made)
    return (
        f"{n['measured']} of {counted(n['groups'], 'group', 'groups')} had enough data for a curve. All are in {out}."
    )


def advise(args: argparse.Namespace, bar: Progress) -> Summary:
    """Derive advice for every group of an OBS.csv, and write it as JSON.

    Raises:
        InputError: a file cannot be used or written.
    """
    settings, words = settings_of(args), _words_of(args)
    use = None if args.target_use is None else read_target_use(args.target_use, words)
    more = {"target_use": use, "baselines": args.baselines, "pool": args.pool, **settings.to_dict()}
    with catch_warnings(action="ignore", category=UserWarning):
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
    made["text"] += "".join(f"\n{note}" for note in (observed.percent_note, observed.date_note) if note)
    return made
