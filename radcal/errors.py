"""What can go wrong, told apart by who can mend it.

Messages are written for users: what happened, what it means, what to do.  They name files, rows and
columns, never the text of a report.
"""

from __future__ import annotations


class RadcalError(Exception):
    """Base of every error that RadCal raises on purpose."""


class InputError(RadcalError):
    """The user can mend it: a file, a column, an option, a passphrase."""


class DataError(RadcalError):
    """The data cannot carry what was asked of it (nothing to compute, values out of range)."""


class NothingSaid(DataError):
    """There is no statement in the days that were chosen; other days may hold some."""


class EngineError(RadcalError):
    """An extraction engine, a solver or the document compiler failed."""


class Cancelled(RadcalError):
    """The user asked the running work to stop; nothing that was committed is lost."""
