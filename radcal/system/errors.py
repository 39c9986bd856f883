"""Errors, by who can resolve them.

Messages address users: what happened, what it means, what to do.  They name files, rows and columns, and never quote
report text.
"""

from __future__ import annotations

from typing import Self

from radcal.system.text import Text, joined


class RadcalError(Exception):
    """Base of all deliberate errors; takes the arguments of a :class:`~radcal.system.text.Text` and carries it as
    ``text``."""

    def __init__(self, template: str = "", /, *, many: str = "", **values: object) -> None:
        self.text = Text(template, many=many, **values)
        super().__init__(self.text)

    def also(self, text: str) -> Self:
        """This error, saying something more."""
        self.text = joined([part for part in (self.text, text) if part])
        self.args = (self.text,)
        return self


class InputError(RadcalError):
    """The user can resolve it: a file, a column, an option, a passphrase."""


class DataError(RadcalError):
    """The data do not support the request (nothing to compute, values out of range)."""


class NothingSaid(DataError):
    """The selected period contains no statement."""


class EngineError(RadcalError):
    """An extraction engine, a solver or the document compiler failed."""


class Cancelled(RadcalError):
    """The user stopped the work; everything committed is kept."""


def reason_of(error: OSError) -> Text:
    """The operating system's message, such as "Permission denied"."""
    return Text(error.strerror or type(error).__name__)
