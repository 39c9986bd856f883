"""Values of options parsed from text; impossible values are refused with an example."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from radcal import inputs
from radcal.cli.bar import leaving_at_once
from radcal.errors import Cancelled, InputError
from radcal.language import base
from radcal.workflow.audits.asking import WAYS

MOST_BYTES = 1 << 20
"""Maximum size of a settings or passphrase file."""


def hours(text: str) -> float:
    """A duration in hours from '12h', '90min', '2d' or a plain number of hours."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(min|m|h|d)?\s*", text, re.IGNORECASE)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration; write for example 12h, 90min or 2d")
    unit = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0}[(match[2] or "h").lower()]
    return float(match[1]) * unit


def hours_listed(text: str) -> tuple[float, ...]:
    """Durations in hours, separated by commas: '3,6,12h,2d'."""
    return tuple(map(hours, text.split(",")))


def day(text: str) -> date:
    """A date such as 2026-03-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write for example 2026-03-31") from None


def ways_of_asking(text: str) -> tuple[str, ...]:
    """Several ways of asking a model, separated by commas."""
    ways = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    unknown = [way for way in ways if way not in WAYS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is no way of asking; known: {', '.join(WAYS)}")
    return ways


def page_language(text: str) -> str:
    """A supported language of the pages."""
    try:
        base(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def full_path(text: str) -> str:
    """An absolute path, since it is stored with the settings."""
    try:
        inputs.refuse_unusable(Path(text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return str(inputs.full_path(Path(text)))


def folder_path(text: str) -> str:
    """As :func:`full_path`; '' for none."""
    return full_path(text) if text else ""


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
