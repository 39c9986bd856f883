"""What is typed behind an option, as the value that it means; what cannot be meant is refused with an example."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from radcal.errors import InputError
from radcal.language import base


def hours(text: str) -> float:
    """A duration in hours from '12h', '90min', '2d' or a plain number of hours."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(min|m|h|d)?\s*", text, re.IGNORECASE)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no duration; write for example 12h, 90min or 2d")
    unit = {"min": 1 / 60, "m": 1 / 60, "h": 1.0, "d": 24.0}[(match[2] or "h").lower()]
    return float(match[1]) * unit


def day(text: str) -> date:
    """A day as 2026-03-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write for example 2026-03-31") from None


def page_language(text: str) -> str:
    """A language that the pages can be written in."""
    try:
        base(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def full_path(text: str) -> str:
    """A path that holds from every folder: it is stored with the settings."""
    return str(Path(text).resolve())


def column_mapping(entries: Sequence[str]) -> dict[str, str]:
    """Our column names to those of the files, from ``exam_time=Studienzeit``.

    Raises:
        InputError: an entry that names only one of the two.
    """
    mapping = {}
    for entry in entries:
        ours, equals, theirs = entry.partition("=")
        if not equals or not ours.strip() or not theirs.strip():
            raise InputError(f"--map {entry!r}: write OUR_NAME=COLUMN, for example exam_time=Studienzeit.")
        mapping[ours.strip()] = theirs.strip()
    return mapping


def read_text(path: Path, what: str) -> str:
    """The text of a file that an option names; ``what`` says in messages which file it is.

    Raises:
        InputError: it cannot be read, or is no text in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"The {what} {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"The {what} {path} is no text in UTF-8. Save it as such.") from error
