"""``radcal settings``, and the settings that options choose for the other commands."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from radcal.cli.options import hours, read_text
from radcal.cli.summaries import Summary
from radcal.system import inputs, policy
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.settings import SECOND, Settings, types_of
from radcal.words.studies import chosen_study

if TYPE_CHECKING:
    from radcal.department import Department

_DECLARED = {f.name: f for f in fields(Settings) if f.name != "version"}


def settings(args: argparse.Namespace, _bar: Progress) -> Summary:
    """List all settings, with the values that options choose."""
    values = settings_of(args).to_dict()
    listed = [
        {"name": name, "value": values[name], "allowed": _allowed(name), "meaning": f.metadata["meaning"]}
        for name, f in _DECLARED.items()
    ]
    lines = [
        f"# {s['meaning']}{'; ' if s['allowed'] else ''}{s['allowed']}\n{s['name']} = {json.dumps(s['value'])}"
        for s in listed
    ]
    return {"settings": listed, "text": "\n".join(lines)}


def _allowed(name: str) -> str:
    """The bounds or the choices of a setting, in words; '' for any text."""
    about, kind = _DECLARED[name].metadata, types_of(Settings)[name]
    if "low" in about:
        return f"{about['low']:,} to {about['high']:,}"
    return "several, between commas" if kind == tuple[str, ...] else ", ".join(map(repr, get_args(kind)))


def settings_of(args: argparse.Namespace, **more: Any) -> Settings:
    """Settings that options choose, --study first; for the others what IT has set, or the defaults.

    Args:
        more: what other options choose.
    """
    study = getattr(args, "study", None)
    of = {} if study is None else chosen_study(study, policy.in_use().locked)
    return policy.in_use().started({**of, **chosen_settings(args, **more)})


def chosen_settings(args: argparse.Namespace, **more: Any) -> dict[str, Any]:
    """The settings given by --settings FILE, by --set, and by --engine, --second and --untested, the later first.

    Raises:
        InputError: the file cannot be read, or a setting is unknown, out of bounds, or locked otherwise by IT.
    """
    named = [f"{name}={value}" for name in ("engine", "second") if (value := getattr(args, name)) is not None]
    values = {} if args.settings is None else _in_file(args.settings)
    values |= dict(map(_given, [*args.set, *named])) | more
    if args.untested:
        values["untested"] = "allowed"
    _take_key(args, values)
    try:
        policy.in_use().started(values)
    except InputError as error:
        if args.settings is None:
            raise
        raise InputError(f"{error} (settings file {args.settings})") from error
    return values


def _in_file(file: Path) -> dict[str, Any]:
    text, form = read_text(file, "settings file"), "TOML" if file.suffix.lower() == ".toml" else "JSON"
    try:
        values = inputs.toml_of(text) if form == "TOML" else inputs.json_of(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The settings file {file} is no valid {form}: {error}.") from error
    if not isinstance(values, dict):
        raise InputError(f"The settings file {file} must hold one JSON object.")
    return values


def _given(entry: str) -> tuple[str, Any]:
    """Name and value of an entry such as ``seed=3``; a value of another type is left for the settings to refuse.

    Raises:
        InputError: it is none, there is no such setting, or its value is no duration or no path.
    """
    name, equals, text = entry.partition("=")
    name = name.strip().replace("-", "_")
    if not equals:
        raise InputError(f"--set {entry!r}: write NAME=VALUE, for example seed=3.")
    if name not in _DECLARED:
        near = get_close_matches(name, _DECLARED, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise InputError(f"--set {name!r}: there is no such setting.{meant} `radcal settings` lists all of them.")
    kind: Any = types_of(Settings)[name]
    if name == "window_hours":
        try:
            return name, hours(text)
        except argparse.ArgumentTypeError as error:
            raise InputError(f"--set {name}: {error}.") from None
    if _DECLARED[name].metadata.get("path") and text not in SECOND:  # stored as an absolute path
        if text:
            inputs.refuse_unusable(Path(text))
        return name, str(inputs.full_path(Path(text))) if text else ""
    if kind == tuple[str, ...]:
        return name, [word.strip() for word in text.split(",") if word.strip()]
    try:
        return name, kind(text) if kind in (int, float) else text
    except ValueError:
        return name, text


def _take_key(args: argparse.Namespace, values: Mapping[str, Any]) -> None:
    """Use the key of --server-key-file in this process, for the server that is named beside it.

    Raises:
        InputError: no server is named, or the file holds no key.
    """
    file = args.server_key_file
    if file is None:
        return
    if not values.get("served_url"):
        raise InputError(
            "Name the server that the key is for beside --server-key-file: --set served_url=https://host/v1."
        )
    from radcal.findings.served.keys import key_in_file, use_server_key

    use_server_key(values["served_url"], key_in_file(file))


def choose(department: Department, chosen: dict[str, Any]) -> None:
    """Update the department's settings with those chosen on the command line.

    The rules and a server use no model file: choosing them without a model clears it.  Whoever names a server agrees to
    have reports read there.

    Raises:
        InputError: a setting names an unknown word or pathology, or a missing model, or reports would be sent to a
            server that nobody has named or agreed to; nothing is stored.
    """
    from radcal.checking import check_settings
    from radcal.findings.served.agreed import agree, require_agreement
    from radcal.findings.served.server import served_host

    settings = Settings.from_dict(department.settings.to_dict() | chosen)
    if "engine" in chosen and not settings.uses_model_file and "model" not in chosen:
        settings = settings.changed(model="")
    host = served_host(settings)
    if "served_url" not in chosen and host != served_host(department.settings):
        require_agreement(host)  # which the workspace names, and whoever gives this command may never have seen
    if settings != department.settings:
        check_settings(settings, department.lexicon.phrases)
        department.save_settings(settings)
    if "served_url" in chosen:
        agree(host)
