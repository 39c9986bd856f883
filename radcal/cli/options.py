"""The parser of a command, the options that several commands share, and the values of options."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from radcal.cli.bar import leaving_at_once
from radcal.system import inputs
from radcal.system.errors import Cancelled, InputError

if TYPE_CHECKING:
    from radcal.feedback.records import Sheet
    from radcal.reports.records import Preset
    from radcal.system.exports import Exports
    from radcal.system.selection import Days

    Arguments: TypeAlias = argparse.ArgumentParser | argparse._ArgumentGroup | argparse._MutuallyExclusiveGroup

MOST_BYTES = 1 << 20
"""Maximum size of a settings or passphrase file."""


class Step(argparse.ArgumentParser):
    """The parser of one command, whose module is imported when the command is chosen.

    Takes files and options in any order: argparse gives files behind an option to no argument that may be empty.
    """

    module = ""
    """The module in radcal.cli with the command's function and its options, until it is imported."""
    _mixing = False
    _used: frozenset[str] = frozenset()
    _needs_workspace = False

    def load(self) -> None:
        """Import the command: a function that takes the arguments and the bar, and one that declares its options."""
        if not self.module:
            return
        home, self.module = import_module(f"radcal.cli.{self.module}"), ""
        name = self.prog.rpartition(" ")[2].replace("-", "_")
        self.set_defaults(action=getattr(home, name))
        getattr(home, f"{name}_options")(self)
        add_common(self, self._used | {"--json"})

    def explain(self, more: str) -> None:
        """Say more in the command's help than the list of commands does."""
        self.description = f"{self.description} {more}"

    def take(self, *shared: argparse.ArgumentParser) -> None:
        """Take options that several commands share."""
        for options in shared:
            self._add_container_actions(options)

    def use(self, *options: str, needs_workspace: bool = True) -> None:
        """Name the options of all commands that have an effect on this one.

        Args:
            needs_workspace: --workspace must be given if it is among them.
        """
        self._used = frozenset(options)
        self._needs_workspace = needs_workspace and "--workspace" in options

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


def _shared() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(add_help=False)


def add_file(step: Arguments, name: str, sign: str, text: str, **more: Any) -> None:
    """An argument or option that names a file or folder, shown as ``sign`` in the help."""
    step.add_argument(name, type=Path, metavar=sign, help=text, **more)


def add_out(step: Arguments, sign: str, text: str) -> None:
    """The required file or folder to be written."""
    add_file(step, "--out", sign, text, required=True)


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


def page_language(text: str) -> str:
    """A supported language of the pages."""
    from radcal.system.language.catalogue import base

    try:
        base(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


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


# --- options of all commands ------------------------------------------------------------------------------------

COMMON: Mapping[str, Mapping[str, Any]] = {
    "--workspace": {"type": Path, "metavar": "W", "help": "the encrypted workspace file"},
    "--passphrase-file": {
        "type": Path,
        "metavar": "FILE",
        "help": "file that holds the passphrase; else RADCAL_PASSPHRASE in the environment; else it is asked for",
    },
    "--key-store": {
        "action": "store_true",
        "help": "take the passphrase that the window was asked to remember from the key store of this computer "
        "(Windows Credential Locker, macOS Keychain, Secret Service or KWallet)",
    },
    "--names-key": {
        "type": Path,
        "metavar": "FILE.names",
        "help": "the file with the names of radiologists, where it is not beside the workspace as W.names",
    },
    "--engine": {
        "choices": ("rules", "llama", "served"),
        "help": "what reads the reports, as the setting engine: rules with a second reader, or a model alone on this "
        "computer (llama) or on a server (served)",
    },
    "--second": {
        "metavar": "bundled|none|served|FILE.gguf",
        "help": "what reads beside the rules, as the setting second",
    },
    "--untested": {
        "action": "store_true",
        "help": "let a language model read that has failed its trial with sentences of RadCal's own",
    },
    "--set": {
        "action": "append",
        "default": [],
        "metavar": "NAME=VALUE",
        "help": "a setting, such as seed=3; may be given several times; `radcal settings` lists all",
    },
    "--settings": {
        "type": Path,
        "metavar": "FILE",
        "help": "settings as TOML, or as a JSON object; --set comes before them",
    },
    "--server-key-file": {
        "type": Path,
        "metavar": "FILE",
        "help": "file with the key of the server in served_url, which nobody else may read; else the one that "
        "`radcal server` has stored, if any",
    },
    "--language": {
        "metavar": "en|de",
        "default": "en",
        "help": "what pages are written in, with a region if it matters, such as en-GB (default en)",
    },
    "--json": {"action": "store_true", "help": "print the summary as JSON"},
}
"""The options of all commands, understood before and behind the command's name."""
WORKSPACE = ("--workspace", "--passphrase-file", "--key-store")
PEOPLE = (*WORKSPACE, "--names-key")
SETTINGS = ("--set", "--settings", "--server-key-file")
READING = ("--engine", "--second", "--untested", *SETTINGS)


def add_common(parser: argparse.ArgumentParser, shown: Container[str] = COMMON) -> None:
    """Declare the options of all commands; those not in ``shown`` are not in the help."""
    group = parser.add_argument_group("options of all steps")
    for option, how in COMMON.items():
        more: dict[str, Any] = {} if option in shown else {"help": argparse.SUPPRESS}
        if option == "--language":
            more["type"] = page_language
        group.add_argument(option, **{**how, **more})


def behind_name(words: Sequence[str]) -> list[str]:
    """The words of a command line with the options of all commands behind the command's name, where they are read."""
    moved, names, at = list[str](), list[str](), 0
    while at < len(words) and names in ([], ["lab"]):
        option, equals, _ = words[at].partition("=")
        n = 1 if equals or COMMON.get(option, {}).get("action") == "store_true" else 2
        if option in COMMON:
            moved += words[at : at + n]
            at += n
        elif option.startswith("-"):
            break
        else:
            names.append(words[at])
            at += 1
    return [*names, *moved, *words[at:]]


# --- options of several commands --------------------------------------------------------------------------------

NAMED = _shared()
NAMED.add_argument(
    "--names",
    action="store_true",
    help="radiologists by their names; else by the pseudonyms of the pages, which the names key explains, or "
    "pseudonyms.csv of `run` where names are in the workspace",
)

COLUMNS = _shared()
"""For :func:`column_mapping` and :func:`preset_of`."""
COLUMNS.add_argument(
    "--map",
    action="append",
    default=[],
    metavar="OURS=COLUMN",
    help="a column that was not recognised, for example exam_time=Studienzeit; may be given several times",
)
COLUMNS.add_argument(
    "--preset",
    default="",
    metavar="FILE|NAME",
    help="how the files are read: a preset saved on the Import page, or epic, cerner, powerscribe, centricity, "
    "sectra for their typical exports; --map comes before it",
)
COLUMNS.add_argument(
    "--as-whole",
    action="store_true",
    help="read what may be cut short, too: messages, frames and last lines that do not end, and lines of text "
    "without a status. Look at what is listed before you say so",
)

PAGES = _shared()
"""For :func:`days_of` and :func:`sheet_of`, with --language."""
PAGES.add_argument("--paper", choices=("a4", "us-letter"), default="a4", help="default a4")
PAGES.add_argument(
    "--standard",
    choices=("a-2b", "a-2a", "ua-1"),
    default="",
    help="PDF/A-2b or PDF/A-2a for archives, PDF/UA-1 for screen readers",
)
PAGES.add_argument(
    "--from",
    dest="first_day",
    type=day,
    metavar="DATE",
    help="pages of examinations from this day on alone, such as 2026-01-01 (default all)",
)
PAGES.add_argument(
    "--to",
    dest="last_day",
    type=day,
    metavar="DATE",
    help="pages of examinations up to this day alone, the day included (default all)",
)


def days_of(args: argparse.Namespace) -> Days:
    """The date range given by --from and --to."""
    from radcal.system.selection import Days

    return Days(args.first_day, args.last_day)


def sheet_of(args: argparse.Namespace) -> Sheet:
    """The page settings given by --paper, --standard and --language."""
    from radcal.feedback.records import Sheet

    return Sheet(args.paper, args.standard, args.language)


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
