"""How the exports of a system are read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """How the files of a system are read.

    name, about: for people;  columns: field and column;  day_first: order of dates, None to infer it from each file
    encoding: of text files, '' to infer it;  statuses: status words of the system, simplified, and their meanings
    breaks: marks that stand for line breaks in texts
    as_whole: what may be cut short is read as whole; somebody has looked, or the system always writes so
    """

    name: str = ""
    about: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    day_first: bool | None = None
    encoding: str = ""
    statuses: tuple[tuple[str, str], ...] = ()
    breaks: tuple[str, ...] = ()
    as_whole: bool = False


NO_PRESET = Preset()
"""Everything is recognised."""
