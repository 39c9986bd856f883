"""The steps of the command line, as calls of the workflow.

A step takes the options and the progress bar, and returns its summary: plain values for ``--json``, a ``text`` for
people, and ``failures``, which make the exit status 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from radcal import inputs, policy, workflow
from radcal.cli.bar import Bar
from radcal.cli.passphrases import key_of_server, own_passphrase, passphrase
from radcal.cli.settings import choose, chosen_settings, days_of, settings_of, sheet_of
from radcal.cli.values import column_mapping
from radcal.errors import InputError
from radcal.kinds import names_key_of
from radcal.records import NO_PRESET, Preset
from radcal.settings import Settings
from radcal.text import Text
from radcal.workflow.commands.demo import demo as make_demo
from radcal.workflow.commands.engines import engines_here
from radcal.workflow.commands.handing_out import hand_out_all, hand_out_one, macros_file
from radcal.workflow.commands.keeping import back_up_after_run
from radcal.workflow.commands.names import names_key
from radcal.workflow.commands.run import run as run_pipeline
from radcal.workflow.commands.server import forget_key, remember_key, server_here
from radcal.workflow.commands.single_steps import (
    advise_file,
    extract_file,
    findings_file,
    gold_file,
    reliability_file,
    review_file,
    words_file,
)
from radcal.workflow.commands.summaries import entered


def demo(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Run the whole chain on a made-up department."""
    return make_demo(args.out, pairs=args.pairs, settings=settings_of(args), language=args.language, progress=bar)


def run(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Make the pages from report files, or from the reports in the workspace."""
    create = not inputs.is_there(args.workspace)
    if args.names_in_workspace and args.names_key is not None:
        raise InputError("Names are kept in the workspace or apart: use --names-in-workspace or --names-key, not both.")
    if create and not (args.reports or args.xray or args.ct):
        raise InputError(
            f"There is no workspace {args.workspace} yet, and no reports to make one from: "
            "use --reports FILE..., or --xray FILE... and --ct FILE..."
        )
    for path in (*args.reports, *args.xray, *args.ct):
        if not inputs.is_there(path):  # before making a workspace or asking for a passphrase
            raise InputError(f"There is no file {path}. Check the name.")
    files = workflow.as_files(
        args.reports,
        args.xray,
        args.ct,
        column_mapping(args.map),
        None if args.dates is None else args.dates == "day-first",
        replaces=args.replace,
        preset=preset_of(args),
    )
    chosen = chosen_settings(args)
    key = args.names_key
    if create:
        key = None if args.names_in_workspace else key or names_key_of(args.workspace)
    with workflow.open_department(
        args.workspace,
        passphrase(args, new=create),
        create=create,
        settings=policy.in_use().started(chosen),
        names_key=key,
    ) as department:
        if args.names_in_workspace and department.names.kept_apart:
            raise InputError(f"{args.workspace} keeps names apart: leave out --names-in-workspace.")
        choose(department, chosen)
        if {"engine", "model"} & chosen.keys():
            department.runs.use(None)  # results are those of the engine named
        summary = run_pipeline(
            department,
            args.out,
            files,
            sheet=sheet_of(args),
            days=days_of(args),
            hand_outs=args.hand_outs,
            progress=bar,
        )
        summary["backup"] = back_up_after_run(department, bar)
    summary["text"] = "\n".join(filter(None, (summary["text"], summary["backup"])))
    return summary


def extract(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Extract the findings of a table of reports."""
    mapping, settings = column_mapping(args.map), settings_of(args)
    summary = extract_file(
        args.reports_csv,
        args.out,
        form=args.format,
        mapping=mapping,
        preset=preset_of(args),
        settings=settings,
        deidentify=args.deidentify is not None,
        progress=bar,
    )
    return _warned(summary, settings)


def preset_of(args: argparse.Namespace) -> Preset:
    """The preset that an option names, and whether what may be cut short is read as whole.

    Raises:
        InputError: there is no such preset, or its file is none.
    """
    from radcal.workflow.imports.presets import preset_called

    preset = preset_called(args.preset) if args.preset else NO_PRESET
    return replace(preset, as_whole=True) if args.as_whole else preset


def _warned(summary: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The summary, with notes if the checksum of the model file is unknown, and on the department's own words."""
    notes = [workflow.unverified_model(settings), *workflow.notes_on_own_words(settings)]
    if notes := list(filter(None, notes)):
        summary |= {"notes": [*summary.get("notes", ()), *notes], "text": "\n".join([summary["text"], *notes])}
    return summary


def words(args: argparse.Namespace, _bar: Bar) -> dict[str, Any]:
    """List what a department's own folder of words adds, and the warnings about it."""
    return words_file(args.folder)


def reliability(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure the reliability of every author on every topic of an observation file."""
    return reliability_file(args.observations, args.out, args.lexicon, settings_of(args), pool=args.pool, progress=bar)


def advise(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Derive advice for every author and topic of an observation file."""
    return advise_file(
        args.observations,
        args.out,
        args.lexicon,
        settings_of(args),
        pool=args.pool,
        target_use=args.target_use,
        progress=bar,
    )


def gold(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Score findings, or an engine, against an annotated set."""
    mapping, settings = column_mapping(args.map), settings_of(args)
    summary = gold_file(
        args.gold,
        args.findings,
        reports=args.reports,
        mapping=mapping,
        preset=preset_of(args),
        settings=settings,
        progress=bar,
    )
    return _warned(summary, settings) if args.reports else summary


def review(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """List the statements of a workspace that a person should review."""
    with workflow.open_department(args.workspace, passphrase(args, new=False)) as department:
        choose(department, chosen_settings(args))
        summary = review_file(department, args.out, progress=bar)
        return _warned(summary, department.settings)


def findings(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Write the findings behind the results of a workspace."""
    with workflow.open_for_exports(args.workspace, passphrase(args, new=False)) as results:
        department = workflow.department_of(results)
        how = {"accession_numbers": args.accession_numbers, "progress": bar}
        return entered(findings_file(department, args.out, args.format, **how), results)


def engines(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Tell what the extraction engines can do on this machine."""
    return engines_here(args.models, bar)


def server(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Try a server that reads reports, and store or forget its key."""
    settings = settings_of(args)
    if not settings.served_url:
        raise InputError("Name the server: --server URL.")
    done = ""
    if args.forget_key:
        done = forget_key(settings)
    elif args.remember_key:
        done = remember_key(settings, key_of_server(args))
    return server_here(settings, done, bar)


def report(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Write one radiologist's pages, or the department's: the feedback, that on drafts, a pocket card or macros."""
    if args.department and args.drafts:
        raise InputError("Drafts are a person's own: --drafts goes with --author NAME.")
    if args.windows and not args.macros:
        raise InputError("Line ends are those of macros: --windows goes with --macros.")
    key = passphrase(args, new=False)
    with workflow.open_for_exports(args.workspace, key, names_key=args.names_key) as results:
        if args.drafts:
            author = _author(results, args.author, workflow.department_of(results).draft_pages.people())
        else:
            author = "" if args.department else _author(results, args.author, results.authors())
        if args.department:
            workflow.department_of(results)  # a personal file holds nothing of others
        if args.macros:
            found = macros_file(results, author, args.out, days=days_of(args), windows=args.windows, progress=bar)
            return entered(found, results)
        path = _write_report(args, results, author, bar)
        what = "pocket card" if args.card else "feedback"
        return entered({"pdf": str(path), "text": f"The {what} is in {path}."}, results)


def _write_report(args: argparse.Namespace, results: workflow.Results, author: str, bar: Bar) -> Path:
    """Write the PDF that was asked for; ``author`` is '' for the department's."""
    how: dict[str, Any] = {"days": days_of(args), "sheet": sheet_of(args), "progress": bar}
    if args.drafts:
        return workflow.department_of(results).draft_pages.write(author, args.out, **how)
    if args.card:
        cards = results.cards
        return cards.write(author, args.out, **how) if author else cards.write_department(args.out, **how)
    pages = results.pages
    return pages.write(author, args.out, **how) if author else pages.write_department(args.out, **how)


def personal(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Write the personal files of one radiologist or of all."""
    if args.all and args.passphrases is None:
        raise InputError("Name a file for the passphrases that are drawn: --passphrases FILE.csv.")
    if not args.all and args.passphrases is not None:
        raise InputError("One radiologist's passphrase is given, not drawn: --passphrases goes with --all.")
    key = passphrase(args, new=False)
    with workflow.open_for_exports(args.workspace, key, names_key=args.names_key) as results:
        department = workflow.department_of(results)
        if args.all:
            return entered(hand_out_all(department, args.out, args.passphrases, progress=bar), department)
        author = _author(department, args.author, department.authors())
        if author not in department.authors():
            department.author_results.analysis(author)  # lists the known names before asking for a passphrase
        own = own_passphrase(args, Text("personal file"), args.author or "")
        return entered(hand_out_one(department, author, args.out, own), department)


def _author(results: workflow.Results, text: str, authors: Collection[str]) -> str:
    """The author that a text means, by name or by pseudonym."""
    return workflow.author_called(text, results.names.called(authors))


def names(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Say where the names of radiologists are; list, copy or move them."""
    key = passphrase(args, new=False)
    with workflow.open_for_exports(args.workspace, key, names_key=args.names_key) as results:
        return names_key(
            workflow.department_of(results),
            who=args.who,
            copy=args.copy,
            move=args.move,
            replace=args.replace,
            progress=bar,
        )
