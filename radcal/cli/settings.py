"""The settings and dates chosen by the options of a command."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from radcal import policy
from radcal.cli.values import read_text
from radcal.errors import InputError
from radcal.json_lines import value_of
from radcal.records import Days, Sheet
from radcal.settings import Settings
from radcal.workflow import Department, check_settings
from radcal.workflow.runs.agreed import agree, require_agreement
from radcal.workflow.runs.server import served_host
from radcal.workflow.runs.server_keys import key_in_file, use_server_key


def chosen_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The settings given by --settings FILE and by options; options take precedence.

    Raises:
        InputError: the file cannot be read, or a setting is unknown, out of bounds, or locked otherwise by IT.
    """
    _take_key(args)
    values: dict[str, Any] = {}
    if args.settings is not None:
        try:
            values = value_of(read_text(args.settings, "settings file"))
        except ValueError as error:
            raise InputError(f"The settings file {args.settings} is no valid JSON: {error}.") from error
        if not isinstance(values, dict):
            raise InputError(f"The settings file {args.settings} must hold one JSON object.")
    given = vars(args)  # options are named as the settings that they set
    values |= (options := {name: given[name] for name in Settings().to_dict() if given.get(name) is not None})
    values |= _second_named(options)
    try:
        policy.in_use().started(values)
    except InputError as error:
        if args.settings is None:
            raise
        raise InputError(f"{error} (settings file {args.settings})") from error
    return values


def _second_named(options: Mapping[str, Any]) -> dict[str, str]:
    """What a cascade chosen by options asks, if they name either a server or a model file and do not say it.

    Raises:
        InputError: they name both.
    """
    if options.get("engine") != "cascade" or "cascade_second" in options:
        return {}
    server, model = bool(options.get("served_url")), bool(options.get("model"))
    if server and model:
        raise InputError(
            "A cascade asks either a Llama or a server: name the file with --model, or the server with --server, not "
            "both."
        )
    return {"cascade_second": "served" if server else "llama"} if server or model else {}


def _take_key(args: argparse.Namespace) -> None:
    """Use the key of --server-key-file in this process, for the server that is named beside it.

    Raises:
        InputError: no server is named, or the file holds no key.
    """
    file = getattr(args, "server_key_file", None)
    if file is None:
        return
    if not args.served_url:
        raise InputError("Name the server that the key is for beside --server-key-file: --server URL.")
    use_server_key(args.served_url, key_in_file(file))


def settings_of(args: argparse.Namespace) -> Settings:
    """Settings from --settings FILE and the options; for the others what IT has set, or the defaults."""
    return policy.in_use().started(chosen_settings(args))


def choose(department: Department, chosen: dict[str, Any]) -> None:
    """Update the department's settings with those chosen on the command line.

    The rules and a server use no model file: choosing them without a model clears it.  Whoever names a server agrees to
    have reports read there.

    Raises:
        InputError: a setting names an unknown word or pathology, or a missing model, or reports would be sent to a
            server that nobody has named or agreed to; nothing is stored.
    """
    settings = Settings.from_dict(department.settings.to_dict() | chosen)
    if {"engine", "cascade_second"} & chosen.keys() and not settings.uses_model_file and "model" not in chosen:
        settings = settings.changed(model="")
    host = served_host(settings)
    if "served_url" not in chosen and host != served_host(department.settings):
        require_agreement(host)  # which the workspace names, and whoever gives this command may never have seen
    if settings != department.settings:
        check_settings(settings, department.lexicon.phrases)
        department.save_settings(settings)
    if "served_url" in chosen:
        agree(host)


def days_of(args: argparse.Namespace) -> Days:
    """The date range given by --from and --to."""
    return Days(args.first_day, args.last_day)


def sheet_of(args: argparse.Namespace) -> Sheet:
    """The page settings given by --paper, --standard and --language."""
    return Sheet(args.paper, args.standard, args.language)
