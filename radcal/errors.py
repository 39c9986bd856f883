"""What can go wrong, told apart by who can mend it.

Messages are written for users: what happened, what it means, what to do.  They name files, rows and
columns, never the text of a report.
"""

from __future__ import annotations

from radcal.text import Text

_OF_THE_SYSTEM = (
    Text("No such file or directory"),
    Text("Permission denied"),
    Text("Operation not permitted"),
    Text("Is a directory"),
    Text("Not a directory"),
    Text("File exists"),
    Text("File name too long"),
    Text("No space left on device"),
    Text("Disk quota exceeded"),
    Text("Read-only file system"),
    Text("Input/output error"),
    Text("Device or resource busy"),
    Text("Too many open files"),
    Text("Invalid argument"),
    Text("Exec format error"),
    Text("Cannot allocate memory"),
)
"""What systems say of files, so that it is translated; anything else is shown as the system says it."""


class RadcalError(Exception):
    """Base of every error that RadCal raises on purpose; made as a :class:`~radcal.text.Text` is, which it carries."""

    def __init__(self, template: str = "", /, *, many: str = "", **values: object) -> None:
        self.text = Text(template, many=many, **values)
        super().__init__(self.text)


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


def reason_of(error: OSError) -> Text:
    """What the system says of an error, such as "Permission denied"."""
    return Text(error.strerror or type(error).__name__)
