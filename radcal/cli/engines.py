"""``radcal engines``, ``server`` and ``words``: what reads reports here, and by which words."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from radcal.cli.options import SETTINGS, Step, add_file
from radcal.cli.passphrases import key_of_server
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary, fields_of
from radcal.findings.machine import look_at_machine
from radcal.findings.own_words import own_words_of, remark_text, what_it_adds
from radcal.findings.served.keys import forget_server_key, remember_server_key
from radcal.findings.served.server import check_server
from radcal.system.errors import InputError
from radcal.system.inputs import full_path
from radcal.system.progress import Progress
from radcal.system.settings import Settings


def engines_options(step: Step) -> None:
    """Options of `radcal engines`."""
    step.explain(
        "The build of llama.cpp, its GPUs, whether the models in models/ and those named can be used here, and what is "
        "missing, with the command to get it. No weights are loaded. Exit status: 1 if a model cannot be used."
    )
    add_file(step, "models", "FILE.gguf", "further models to look at", nargs="*")


def engines(args: argparse.Namespace, bar: Progress) -> Summary:
    """Look at the build of llama.cpp, its devices and the models at hand.

    Returns:
        The summary: ``build`` (None if llama.cpp cannot be started), ``models``, ``missing``, ``failures`` (the models
        that cannot be used, and why) and ``text``.
    """
    machine = look_at_machine(args.models, bar)
    failures = [f"{fit.model}: {fit.problem}" for fit in machine.models if fit.problem]
    shown = ("model", "problem", "layers", "gpu_layers", "unverified", "tried")
    return {
        "build": asdict(machine.build) if machine.build else None,
        "models": [{"usable": not fit.problem} | fields_of(fit, *shown) for fit in machine.models],
        "missing": list(machine.missing),
        "failures": [machine.problem] if machine.build is None else failures,
        "text": "\n".join(machine.sentences),
    }


def server_options(step: Step) -> None:
    """Options of `radcal server`."""
    step.explain(
        "For the engine served, by the settings served_url and so on: the models that the server offers, whether the "
        "one named answers, and whether the server keeps answers to their form. It is asked a question of RadCal's "
        "own; no report is sent. With --remember-key, the key is asked for, or taken from --server-key-file, and kept "
        "in the key store of this computer for this host alone. Exit status: 1 if the server cannot read reports."
    )
    key = step.add_mutually_exclusive_group()
    key.add_argument("--remember-key", action="store_true", help="store the server's key in the key store")
    key.add_argument("--forget-key", action="store_true", help="remove the server's key from the key store")
    step.use(*SETTINGS)


def server(args: argparse.Namespace, bar: Progress) -> Summary:
    """Try the server that the settings name, and store or forget its key.

    Returns:
        The summary: ``host``, ``reachable``, ``encrypted``, ``models``, ``model``, ``key`` (whether one was sent
        along), ``kept`` (whether answers are kept to the schema), ``seconds``, ``failures`` (why it cannot read
        reports) and ``text``.

    Raises:
        InputError: no server is named, or its address cannot be used.
        Cancelled: by the user.
    """
    settings = settings_of(args)
    if not settings.served_url:
        raise InputError("Name the server: --set served_url=https://host/v1.")
    done = ""
    if args.forget_key:
        forget_server_key(settings.served_url)
        done = "The key store has no key of this server any more."
    elif args.remember_key:
        store = remember_server_key(settings.served_url, key_of_server(args))
        done = f"The key is kept in {store}, for this server alone."
    found = check_server(settings, bar)
    if not found.host:
        raise InputError(found.problem)
    return fields_of(found, "host", "reachable", "encrypted", "models", "model", "key") | {
        "kept": found.trial.kept if found.trial else None,
        "seconds": found.trial.seconds if found.trial else None,
        "failures": [found.problem] if found.problem else [],
        "text": "\n".join(filter(None, (done, *found.sentences))),
    }


def words_options(step: Step) -> None:
    """Options of `radcal words`."""
    step.explain("Exit status: 0 no warnings, 1 warnings with file and line, 2 a file that cannot be used.")
    files = "folder with any of pathologies_terms.tsv, pathologies_subjects.tsv, cues.tsv and confirmations.csv"
    add_file(step, "folder", "DIR", files)


def words(args: argparse.Namespace, _bar: Progress) -> Summary:
    """List what a department's own folder of words adds; ``failures`` are the warnings about its lines.

    Raises:
        InputError: the folder is not there, or one of its files is malformed.
    """
    own = own_words_of(Settings(lexicon_dir=str(full_path(args.folder))))
    assert own is not None  # noqa: S101 - the settings name a folder, for the type checker
    lines = [what_it_adds(own), *(f"New pathology: {name}" for name in own.pathologies), *map(remark_text, own.remarks)]
    return fields_of(own, "terms", "organs", "cues", "confirmations") | {
        "pathologies": list(own.pathologies),
        "failures": [{"file": r.file, "row": r.line, "reason": r.text} for r in own.remarks],
        "text": "\n".join(lines),
    }
