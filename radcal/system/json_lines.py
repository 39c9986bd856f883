"""Files of JSON lines: one value a line, read as strictly as JSON is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from radcal.system.progress import SILENT, Progress

_LOOK = 1000
"""Lines between two looks at whether somebody wants to stop."""


def values_of(text: str, progress: Progress = SILENT) -> Iterator[tuple[int, Any]]:
    """The number of every line that is not blank, 1 for the first, and its value; None where it is no JSON.

    Raises:
        Cancelled: by ``progress``.
    """
    # Not splitlines, which splits at characters that may stand in a text.
    for row, line in enumerate(text.split("\n"), start=1):
        if row % _LOOK == 0:
            progress.raise_if_cancelled()
        if line.strip():
            try:
                yield row, value_of(line)
            except ValueError:
                yield row, None


def value_of(text: str) -> Any:
    """The value of a text in JSON, which knows neither NaN nor infinity.

    Raises:
        ValueError: it is none, or nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refused)
    except RecursionError as error:
        raise ValueError(str(error)) from error


def _refused(constant: str) -> float:
    raise ValueError(constant)
