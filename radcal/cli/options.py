"""The parsers of commands, made from resources/commands.toml, and the values of options."""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from importlib import import_module
from ipaddress import ip_address
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from radcal.cli.bar import leaving_at_once
from radcal.system import inputs
from radcal.system.errors import Cancelled, InputError
from radcal.system.resources import resource

if TYPE_CHECKING:
    from radcal.feedback.records import Sheet
    from radcal.reports.records import Preset
    from radcal.system.exports import Exports
    from radcal.system.selection import Days

    Arguments: TypeAlias = argparse.ArgumentParser | argparse._ArgumentGroup | argparse._MutuallyExclusiveGroup

_TABLES = tomllib.loads(resource("commands.toml").read_text(encoding="utf-8"))
COMMON: Mapping[str, Mapping[str, Any]] = _TABLES["common"]
"""The options of all commands, understood before and behind the command's name."""
COMMANDS: Mapping[str, Mapping[str, Any]] = _TABLES["commands"]
"""What is told of each command, its options included."""
LAB: Mapping[str, Mapping[str, Any]] = _TABLES["lab"]
"""As COMMANDS, those of ``radcal lab``, which are understood without "lab", too."""
MOST_BYTES = 1 << 20
"""Maximum size of a settings or passphrase file."""


class Step(argparse.ArgumentParser):
    """The parser of one command, whose module is imported when the command is chosen.

    Takes files and options in any order: argparse gives files behind an option to no argument that may be empty.
    """

    told: Mapping[str, Any] = MappingProxyType({})
    """What resources/commands.toml tells of the command, until it is loaded."""
    _mixing = False
    _used: frozenset[str] = frozenset()
    _needs_workspace = False

    def load(self) -> None:
        """Import the command, a function that takes the arguments and the bar, and declare its options."""
        if not self.told:
            return
        told, self.told = self.told, {}
        home = import_module(f"radcal.cli.{told['module']}")
        self.set_defaults(action=getattr(home, self.prog.rpartition(" ")[2].replace("-", "_")))
        if "more" in told:
            self.description = f"{self.description} {told['more']}"
        self._used = frozenset(_each(told.get("uses", ())))
        self.set_defaults(far="--cluster" in self._used)
        self._needs_workspace = "--workspace" in self._used and told.get("needs_workspace", True)
        exclusive = self.add_mutually_exclusive_group() if "exclusive" in told else self
        options = {name: how for name, how in told.items() if isinstance(how, dict)}
        for name, how in chain(options.items(), *(_TABLES["shared"][taken].items() for taken in told.get("takes", ()))):
            _declare(exclusive if name in told.get("exclusive", ()) else self, name, how, vars(home))
        add_common(self, self._used | {"--json"})

    def print_help(self, file: Any = None) -> None:
        """As argparse, with the command's own options."""
        self.load()
        super().print_help(file)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse, in any order."""
        self.load()
        if self._mixing or self._subparsers is not None:  # which argparse cannot mix with options
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            parsed, unknown = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False
        if self._needs_workspace and parsed.workspace is None:
            self.error("the following arguments are required: --workspace")
        for option in sorted(COMMON.keys() - self._used - {"--json"}):
            name = option[2:].replace("-", "_")
            if getattr(parsed, name) != self.get_default(name):
                print(f"{self.prog}: {option} has no effect here.", file=sys.stderr)
        return parsed, unknown


def _each(names: Iterable[str]) -> Iterator[str]:
    """The options of all commands that are named, alone or as a set."""
    for name in names:
        yield from [name] if name.startswith("--") else _each(_TABLES["sets"][name])


def _declare(parser: Arguments, name: str, told: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Declare an argument or option as resources/commands.toml tells of it."""
    how: dict[str, Any] = {"action": "store_true"} if told.keys() == {"help"} else dict(told)
    how["help"] = told["help"].format_map(values)
    if "file" in how:
        how |= {"type": Path, "metavar": how.pop("file")}
    if "sign" in how:
        how["metavar"] = how.pop("sign")
    if "whole" in how:
        how["type"] = whole(*how.pop("whole"))
    elif isinstance(how.get("type"), str):
        how["type"] = _TYPES[how["type"]]
    parser.add_argument(name, **how)


# --- values -----------------------------------------------------------------------------------------------------


def hours(text: str) -> float:
    """A duration in hours from '12h', '90min', '2d' or a plain number of hours."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(min|m|h|d)?\s*", text, re.IGNORECASE)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration; write for example 12h, 90min or 2d")
    unit = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0}[(match[2] or "h").lower()]
    return float(match[1]) * unit


def day(text: str) -> date:
    """A date such as 2026-03-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write for example 2026-03-31") from None


def whole(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number within bounds."""

    def parsed(text: str) -> int:
        number = int(text) if text.strip().lstrip("-").isdecimal() else None
        if number is None or not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least:,} to {most:,}")
        return number

    return parsed


def names_listed(text: str) -> tuple[str, ...]:
    """Names separated by commas, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def several_hours(text: str) -> tuple[float, ...]:
    """Durations separated by commas."""
    return tuple(map(hours, text.split(",")))


def page_language(text: str) -> str:
    """A supported language of the pages."""
    from radcal.system.language.catalogue import base

    try:
        base(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "day": day, "hours": several_hours, "int": int, "ip": ip_address, "language": page_language, "names": names_listed,
}  # fmt: skip


def read_text(path: Path, what: str) -> str:
    """The text of a small file named by an option; ``what`` names it in messages.

    Pipes are accepted, so that a secret need not be in a file: ``--passphrase-file <(pass show radcal)``.  Ctrl+C
    ends the wait for one at once.

    Raises:
        InputError: it cannot be read, is not UTF-8 text, or is longer than MOST_BYTES.
        Cancelled: the user left.
    """
    try:
        with leaving_at_once(), inputs.reading(path, f"The {what} {path}", pipes=True) as file:
            data = file.read(MOST_BYTES + 1)
    except KeyboardInterrupt:
        raise Cancelled("Stopped.") from None
    except inputs.MissingFile as error:
        raise InputError(f"There is no {what} {path}. Check the name and the folder.") from error
    if len(data) > MOST_BYTES:
        raise InputError(f"The {what} {path} is longer than {MOST_BYTES:,} bytes. Name the right file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The {what} {path} is no text in UTF-8. Save it as such.") from error


def writer(args: argparse.Namespace, *more: str) -> Exports:
    """Writes the files of a command, --out and those of ``more`` options, over none that it reads."""
    from radcal.system.exports import Exports

    read = (value for name, value in vars(args).items() if name not in ("out", *more))
    given = (value if isinstance(value, list) else [value] for value in read)
    return Exports(kept=[path for paths in given for path in paths if isinstance(path, Path)])


# --- options ----------------------------------------------------------------------------------------------------


def add_common(parser: argparse.ArgumentParser, shown: Container[str] = COMMON) -> None:
    """Declare the options of all commands; those not in ``shown`` are not in the help."""
    group = parser.add_argument_group("options of all steps")
    for option, told in COMMON.items():
        _declare(group, option, told, {})
        if option not in shown:
            group._group_actions[-1].help = argparse.SUPPRESS


def behind_name(words: Sequence[str]) -> list[str]:
    """The words of a command line with the options of all commands behind the command's name, where they are read."""
    moved, names, at = list[str](), list[str](), 0
    while at < len(words) and names in ([], ["lab"]):
        option, equals, _ = words[at].partition("=")
        n = 1 if equals or COMMON.get(option, {}).keys() == {"help"} else 2
        if option in COMMON:
            moved += words[at : at + n]
            at += n
        elif option.startswith("-"):
            break
        else:
            names.append(words[at])
            at += 1
    return [*names, *moved, *words[at:]]


def days_of(args: argparse.Namespace) -> Days:
    """The date range given by --from and --to."""
    from radcal.system.selection import Days

    return Days(args.first_day, args.last_day)


def sheet_of(args: argparse.Namespace) -> Sheet:
    """The page settings given by --paper, --standard, --pages and --language."""
    from radcal.feedback.records import Sheet

    return Sheet(args.paper, args.standard, args.language, args.pages)


def column_mapping(entries: Sequence[str]) -> dict[str, str]:
    """RadCal's column names to those of the files, from entries such as ``exam_time=Studienzeit``.

    Raises:
        InputError: an entry lacks one of the two.
    """
    mapping = {}
    for entry in entries:
        ours, equals, theirs = entry.partition("=")
        if not equals or not ours.strip() or not theirs.strip():
            raise InputError(f"--map {entry!r}: write OUR_NAME=COLUMN, for example exam_time=Studienzeit.")
        mapping[ours.strip()] = theirs.strip()
    return mapping


def preset_of(args: argparse.Namespace) -> Preset:
    """The preset that an option names, and whether what may be cut short is read as whole.

    Raises:
        InputError: there is no such preset, or its file is none.
    """
    from dataclasses import replace

    from radcal.reports.presets import preset_called
    from radcal.reports.records import NO_PRESET

    preset = preset_called(args.preset) if args.preset else NO_PRESET
    return replace(preset, as_whole=True) if args.as_whole else preset
