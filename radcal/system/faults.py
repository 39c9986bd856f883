"""The log of faults: what went wrong on this computer and where in the program, without a word of what was worked on.

Messages of exceptions may quote reports, keys of dictionaries are often accession numbers, and names of files may be
those of patients.  So an entry has of an exception, and of those that it came from, the class, the places in RadCal's
own code (module and line), and the number of a system's error.  Of a message it has at most the template, without its
values, and that only if it is one of RadCal's own texts: those in its translations.

The log is small and rotates, is its owner's alone, and never stops a program: what cannot be written is let go of.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from errno import errorcode
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from radcal.system import clock, policy
from radcal.system.errors import Cancelled, RadcalError
from radcal.system.places import state_folder
from radcal.system.text import Text
from radcal.system.version import __version__

if TYPE_CHECKING:
    from logging import LogRecord
    from logging.handlers import RotatingFileHandler

NAME, OLDER = "faults.log", 3
"""The file, and how many older ones there are: faults.log.1 is the latest of them."""
MOST_BYTES = 256 << 10
"""Size of one file."""
_FIRST_FRAMES, _LAST_FRAMES, _MOST_CHAIN, _MOST_GROUP = 4, 16, 8, 4
_OURS = ("radcal", "ui")
"""Packages whose places are named."""
_WORDS = re.compile(r"[a-z][a-z_-]{0,39}( [a-z][a-z_-]{0,39}){0,3}", re.ASCII)
_UNKNOWN = "?"
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Follow no link, and wait for no other end of a pipe."""
_page: list[str] = []
"""The page that the window shows, if there is one."""
_times: Counter[str] = Counter()


# --- what goes in ----------------------------------------------------------------------------------


def record(error: BaseException, where: str) -> None:
    """Enter what went wrong; that somebody stopped the work is no fault.

    Args:
        where: command, page or operation, in the program's own words: at most four, in small letters.
    """
    if not isinstance(error, (Cancelled, KeyboardInterrupt, SystemExit, GeneratorExit)):
        _enter("failure" if isinstance(error, RadcalError) else "fault", where, _about(error))


def on_page(key: str) -> None:
    """The window shows this page from now on."""
    _page[:] = [key]


def in_window(operation: str = "") -> str:
    """Where something happens in the window: the page on show, and the first word of an operation."""
    return " ".join(filter(None, ("window", *_page, operation.partition(" ")[0])))


def child_ended(module: str, status: int | None) -> None:
    """Enter that a child process ended by itself.

    Args:
        module: that it ran.
        status: its exit status, negative for a signal; None if it closed its channel and did not end.
    """
    end = "no end" if status is None else f"exit status {status}"
    if status is not None and -status in list(signal.Signals):
        end = signal.Signals(-status).name
    _enter("child", "child process", [f"  {module}  {end}"])


def listed(where: str, reasons: Iterable[str]) -> None:
    """Enter how many reports, rows or files were listed as failed, by reason.

    Args:
        where: as in :func:`record`.
        reasons: one for each, as they were listed; those that are no texts of RadCal's count as "?".
    """
    with suppress(Exception):
        counts = Counter(" ".join(_templates(reason)) or _UNKNOWN for reason in reasons)
        if not counts:
            return
        _enter("listed", where, (f"  {n:>7,}  {reason}" for reason, n in counts.most_common()))


def watch() -> None:
    """Enter what nobody handles, in any thread, of a program that begins; it is told on standard error as here."""
    sys.excepthook = lambda _kind, error, _trace: _tell(error, "program")
    threading.excepthook = lambda what: _tell(what.exc_value, "thread")
    sys.unraisablehook = lambda what: _tell(what.exc_value, "clearing up")


def _tell(error: BaseException | None, where: str) -> None:
    """Enter an exception that nobody handles, and name its class and places on standard error, if there is one."""
    if error is None:
        return
    record(error, where)
    with suppress(Exception):
        if sys.stderr is not None:
            print(f"{_class_name(type(error))} at {', '.join(_places(error))}", file=sys.stderr)  # noqa: T201 - as Python


def _about(error: BaseException) -> Iterator[str]:
    """What is entered of an exception, line by line; it is never asked for its message."""
    for link in _chain(error):
        errno = f" ({errorcode.get(link.errno or 0, _UNKNOWN)})" if isinstance(link, OSError) else ""
        yield f"  {_class_name(type(link))}{errno}"
        yield from (f"    {text}" for text in (_templates(link.text) if isinstance(link, RadcalError) else ()))
        yield from (f"    at {place}" for place in _places(link))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and those that it came from, the last first, each with some of those that it groups."""
    seen: set[int] = set()
    now: BaseException | None = error
    while now is not None and id(now) not in seen and len(seen) < _MOST_CHAIN:
        seen.add(id(now))
        yield now
        if isinstance(now, BaseExceptionGroup):
            yield from now.exceptions[:_MOST_GROUP]
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)


def _class_name(kind: type[BaseException]) -> str:
    """The name of a class as its module has it, else of what it derives from: one made at run time has any name."""
    found = getattr(sys.modules.get(kind.__module__), kind.__name__, None)
    if found is not kind:
        return _class_name(next(base for base in kind.__mro__[1:] if issubclass(base, BaseException)))
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _places(error: BaseException) -> list[str]:
    """Where in RadCal an exception went through, outermost first; of many places, the first and the last."""
    frames = ((frame.f_globals.get("__name__"), line) for frame, line in walk_tb(error.__traceback__))
    places = [f"{name}:{line}" for name, line in frames if name in sys.modules and name.partition(".")[0] in _OURS]
    if len(places) > _FIRST_FRAMES + _LAST_FRAMES:
        places = [*places[:_FIRST_FRAMES], "...", *places[-_LAST_FRAMES:]]
    return places


def _templates(text: object) -> list[str]:
    """The templates of a text and of the texts in it, as far as RadCal's translations have them."""
    if not isinstance(text, Text):
        return []
    found = [text.template] if _is_own(text) else []
    for value in text.values.values():
        found += [template for template in _templates(value) if template not in found]
    return found


def _is_own(text: Text) -> bool:
    from radcal.system.language.catalogue import language

    catalogue = language("de").catalogue
    if text.many:
        return catalogue.ngettext(text.template, text.many, 2) != text.many
    return bool(text.template) and catalogue.gettext(text.template) != text.template


# --- the files -------------------------------------------------------------------------------------


def folder() -> Path | None:
    """Where the log is; None if IT has turned it off."""
    rules = policy.Policy()
    with suppress(policy.PolicyFault):  # which is a fault itself
        rules = policy.in_use()
    if rules.workstation("fault_log") == "off":
        return None
    chosen = rules.workstation("fault_log_folder")
    return Path(chosen) / _user() if chosen else state_folder()


def entries() -> list[str]:
    """The log for people to read and to send on, the oldest entry first.

    Raises:
        OSError: it is there and cannot be read.
    """
    place = folder()
    text = ""
    for file in () if place is None else (*(place / f"{NAME}.{n}" for n in range(OLDER, 0, -1)), place / NAME):
        with suppress(FileNotFoundError, NotADirectoryError):
            text += file.read_text("utf-8", errors="replace")
    return [entry.rstrip("\n") for entry in re.split(r"\n(?=\S)", text) if entry.strip()]


def _enter(kind: str, where: str, details: Iterable[str]) -> None:
    """Add an entry; the same one that comes again and again only its 1st, 2nd, 4th, 8th time and so on."""
    with suppress(Exception):  # no fault of the log is one of the program
        place = folder()
        if place is None:
            return
        head, *lines = f"{kind}  {where if _WORDS.fullmatch(where) else _UNKNOWN}", *details
        what = "\n".join((head, *lines))
        _times[what] += 1
        times = _times[what]
        if times & (times - 1):
            return
        from logging import makeLogRecord

        often = f", {times} times by then" if times > 1 else ""
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(_file_handler()(place / NAME, maxBytes=MOST_BYTES, backupCount=OLDER, delay=True)) as handler:
            first = f"{clock.now()}  RadCal {__version__} on {sys.platform}  {head}{often}"
            handler.emit(makeLogRecord({"msg": "\n".join((first, *lines))}))


@cache
def _file_handler() -> type[RotatingFileHandler]:
    """Files of this user's alone, whose faults are told nobody."""
    # Here, as logging.handlers imports what connects to servers, and takes its time.
    from logging.handlers import RotatingFileHandler

    class File(RotatingFileHandler):
        def _open(self) -> TextIOWrapper:
            return TextIOWrapper(open(self.baseFilename, "ab", opener=_own_file), encoding="utf-8")

        def handleError(self, record: LogRecord) -> None:  # noqa: N802 - logging's
            """Say nothing: logging would print the exception with its message."""

    return File


def _own_file(path: str, flags: int) -> int:
    """Open a file of this user's: in a folder for all, somebody else may have made one of that name."""
    handle = os.open(path, flags | _PLAIN, 0o600)
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or (sys.platform != "win32" and found.st_uid != os.geteuid()):
        os.close(handle)
        raise PermissionError(path)
    return handle


def _user() -> str:
    """The user's name as the system has it, whatever variables of the environment say."""
    if sys.platform == "win32":
        return os.getlogin()
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a user without an entry, as containers have
        return str(os.getuid())
