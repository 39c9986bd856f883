"""``radcal engines``, ``server`` and ``words``: what reads reports here, and by which words."""

from __future__ import annotations

import argparse
from dataclasses import asdict

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


def server(args: argparse.Namespace, bar: Progress) -> Summary:
    """Try the server that the settings name, and store or forget its key.

    Returns:
        The summary: ``host``, ``reachable``, ``encrypted``, ``models``, ``model``, ``key`` (whether one was sent
        along), ``kept`` (whether answers are kept to the schema), ``seconds``, ``failures`` (why it cannot read
        reports) and ``text``.

    Raises:
        InputError: no server is named, or its address cannot be used.
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
