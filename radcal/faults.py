"""The log of faults: what went wrong on this computer and where in the program, without a word of what was worked on.

Messages of exceptions may quote reports, keys of dictionaries are often accession numbers, and names of files may be
those of patients.  So an entry has of an exception, and of those that it came from, the class, the places in the
program (module, function, line), and the number of a system's error.  Of a message it has at most the template,
without its values, and that only if it is one of RadCal's own texts: those in its translations.  Nothing else is taken
from anything: what is not known to be a name in the program becomes "?".

The log is small and rotates, is its owner's alone, may be written by several programs at once, and never stops one:
what cannot be written is let go of.
"""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import errorcode
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from radcal import __version__, clock, policy
from radcal.errors import Cancelled, RadcalError
from radcal.places import state_folder
from radcal.text import Text

Entry = dict[str, Any]
"""An entry of the log: plain values."""
FAULT, FAILURE, CHILD, LISTED = "fault", "failure", "child", "listed"
"""Kinds: unforeseen; foreseen, and told to the user; a child process ended; reports or rows that were listed."""
NAME, OLDER = "faults.jsonl", 3
"""The file, and how many older ones there are: faults.1.jsonl is the latest of them."""
MOST_BYTES = 256 << 10
"""Size of one file."""
_MOST_LINE = 16 << 10
_FIRST_FRAMES, _LAST_FRAMES, _MOST_CHAIN, _MOST_GROUP = 4, 16, 8, 4
_SAME = 10
"""So often the same fault is entered by one program; then its 16th, 32nd, 64th time and so on."""
_LONGEST_NAME = 120
_PATIENCE_S, _WAIT_S = 0.3, 0.01
_IDENTIFIERS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_FUNCTION = re.compile(r"[\w.<>]{1,120}", re.ASCII)
_WORDS = re.compile(r"[a-z][a-z_-]{0,39}( [a-z][a-z_-]{0,39}){0,3}", re.ASCII)
_UNKNOWN = "?"
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Follow no link, and wait for no other end of a pipe."""
_page: list[str] = []
"""The page that the window shows, if there is one."""
_times: Counter[str] = Counter()
_counting = threading.Lock()


# --- what goes in ----------------------------------------------------------------------------------


def record(error: BaseException, where: str) -> None:
    """Enter what went wrong; that somebody stopped the work is no fault.

    Args:
        where: command, page or operation, in the program's own words: at most four, in small letters.
    """
    if isinstance(error, (Cancelled, KeyboardInterrupt, SystemExit, GeneratorExit)):
        return
    kind = FAILURE if isinstance(error, RadcalError) else FAULT
    with _never_mind():
        _enter({"kind": kind, "where": _words(where), "chain": _chain(error)})


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
    with _never_mind():
        end = "no end" if status is None else f"exit status {int(status)}"
        if status is not None and -status in list(signal.Signals):
            end = signal.Signals(-status).name
        _enter(
            {"kind": CHILD, "where": _name(module, module in sys.modules or module.startswith("radcal.")), "end": end}
        )


def listed(where: str, reasons: Iterable[str]) -> None:
    """Enter how many reports, rows or files were listed as failed, by reason.

    Args:
        where: as in :func:`record`.
        reasons: one for each, as they were listed; those that are no texts of RadCal's count as "?".
    """
    with _never_mind():
        counts = Counter(" ".join(_templates(reason)) or _UNKNOWN for reason in reasons)
        if counts:
            _enter({"kind": LISTED, "where": _words(where), "counts": dict(counts.most_common())})


def watch() -> None:
    """Enter what nobody handles, in any thread, of a program that begins; it is told on standard error as here."""

    def unhandled(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        record(error, "program")
        _tell(error)

    def in_thread(what: threading.ExceptHookArgs) -> None:
        if what.exc_value is not None:
            record(what.exc_value, "thread")
            _tell(what.exc_value)

    def unraisable(what: sys.UnraisableHookArgs) -> None:
        if what.exc_value is not None:
            record(what.exc_value, "clearing up")
            _tell(what.exc_value)

    sys.excepthook, threading.excepthook, sys.unraisablehook = unhandled, in_thread, unraisable


def _tell(error: BaseException) -> None:
    """Name the class and the places on standard error, if there is one."""
    with suppress(Exception):
        if sys.stderr is not None:
            link = _link(error)
            print(f"{link['class']} at {', '.join(link['at'])}", file=sys.stderr)  # noqa: T201 - as Python itself would


def _chain(error: BaseException) -> list[Entry]:
    """The exception and those that it came from, the last first."""
    links: list[Entry] = []
    seen: set[int] = set()
    now: BaseException | None = error
    while now is not None and id(now) not in seen and len(links) < _MOST_CHAIN:
        seen.add(id(now))
        link = _link(now)
        if isinstance(now, BaseExceptionGroup):
            link["group"] = [_link(part) for part in now.exceptions[:_MOST_GROUP]]
        links.append(link)
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)
    return links


def _link(error: BaseException) -> Entry:
    link: Entry = {"class": _class_name(type(error)), "at": _places(error.__traceback__)}
    if isinstance(error, OSError) and isinstance(error.errno, int):
        link["errno"] = errorcode.get(error.errno, _UNKNOWN)
    if isinstance(error, RadcalError) and (texts := _templates(getattr(error, "text", ""))):
        link["texts"] = texts
    return link


def _class_name(kind: type[BaseException]) -> str:
    """The name of a class, if it stands in the program under that name."""
    module, name = kind.__module__, kind.__qualname__
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None) if isinstance(found, (ModuleType, type)) else None
    if found is not kind:
        return next((_class_name(base) for base in kind.__mro__[1:] if issubclass(base, BaseException)), _UNKNOWN)
    return _name(name if module == "builtins" else f"{module}.{name}", known=True)


def _places(trace: TracebackType | None) -> list[str]:
    """Where an exception went through, outermost first: module, function and line; of many, the first and the last."""
    places: list[str] = []
    while trace is not None:
        places.append(_place(trace))
        trace = trace.tb_next
    if len(places) > _FIRST_FRAMES + _LAST_FRAMES:
        places = [*places[:_FIRST_FRAMES], "...", *places[-_LAST_FRAMES:]]
    return places


def _place(trace: TracebackType) -> str:
    code, module = trace.tb_frame.f_code, trace.tb_frame.f_globals.get("__name__")
    found = sys.modules.get(module) if isinstance(module, str) else None
    # What was made at run time, by exec say, has names of its own.
    known = isinstance(found, ModuleType) and _is_of(code.co_filename, getattr(found, "__file__", None) or "")
    if not known or not _FUNCTION.fullmatch(code.co_qualname):
        return f"{_UNKNOWN}:{trace.tb_lineno}"
    return f"{_name(str(module), known=True)}:{trace.tb_lineno} {code.co_qualname}"


def _is_of(file: str, module: str) -> bool:
    """Whether code of this file is that of a module; a packaged program knows the end of its path alone."""
    file, module = (path.replace("\\", "/").rpartition(".")[0] for path in (file, module))
    return bool(file) and (module == file or module.endswith(f"/{file}"))


def _templates(text: object) -> list[str]:
    """The templates of a text and of the texts in it, as far as RadCal's translations have them."""
    if not isinstance(text, Text):
        return []
    found = [text.template] if _is_own(text) else []
    for value in text.values.values():
        found += [template for template in _templates(value) if template not in found]
    return found


def _is_own(text: Text) -> bool:
    from radcal.language import language

    catalogue = language("de").catalogue
    if text.many:
        return catalogue.ngettext(text.template, text.many, 2) != text.many
    return bool(text.template) and catalogue.gettext(text.template) != text.template


def _name(name: str, known: bool) -> str:
    return name if known and _IDENTIFIERS.fullmatch(name) and len(name) <= _LONGEST_NAME else _UNKNOWN


def _words(where: str) -> str:
    return where if _WORDS.fullmatch(where) else _UNKNOWN


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


def entries() -> list[Entry]:
    """The log, the oldest entry first; lines that are none are left out.

    Raises:
        OSError: it is there and cannot be read.
    """
    place = folder()
    if place is None:
        return []
    found: list[Entry] = []
    for file in (*(place / _older(n) for n in range(OLDER, 0, -1)), place / NAME):
        with suppress(FileNotFoundError, NotADirectoryError):
            for line in file.read_bytes().splitlines():
                with suppress(ValueError):
                    entry = json.loads(line)
                    if _is_entry(entry):
                        found.append(entry)
    return found


def _is_entry(entry: object) -> bool:
    """Whether it can be told in words; a file that was cut or edited has others."""
    if not isinstance(entry, dict):
        return False
    try:
        as_text([entry])
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return True


def as_text(found: Sequence[Mapping[str, Any]]) -> str:
    """Entries for people to read and to send on."""
    return "\n".join(_entry_lines(found))


def _entry_lines(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for entry in found:
        times = f", {entry['times']} times by then" if entry.get("times", 1) > 1 else ""
        head = f"{entry.get('at')}  RadCal {entry.get('radcal')} on {entry.get('system')}  {entry.get('kind')}"
        yield f"{head}  {entry.get('where')}{times}"
        if "end" in entry:
            yield f"  {entry['end']}"
        for reason, n in entry.get("counts", {}).items():
            yield f"  {n:>7,}  {reason}"
        for link in entry.get("chain", ()):
            for part in (link, *link.get("group", ())):
                errno = f" ({part['errno']})" if "errno" in part else ""
                yield f"  {part.get('class')}{errno}"
                yield from (f"    {text}" for text in part.get("texts", ()))
                yield from (f"    at {place}" for place in part.get("at", ()))


def _enter(what: Entry) -> None:
    place = folder()
    if place is None:
        return
    with _counting:
        key = json.dumps(what, sort_keys=True)
        _times[key] += 1
        times = _times[key]
    if times > _SAME and times & (times - 1):
        return
    entry = {"at": clock.now(), "radcal": __version__, "system": sys.platform, **what}
    if times > 1:
        entry["times"] = times
    line = json.dumps(entry).encode("ascii")
    if len(line) < _MOST_LINE:
        _append(place, line + b"\n")


def _append(place: Path, line: bytes) -> None:
    """Add a line to the log; several programs may do so at once."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = place / NAME
    with _alone(place) as alone:
        if alone and file.exists() and file.stat().st_size + len(line) > MOST_BYTES:
            _rotate(place)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _PLAIN | getattr(os, "O_BINARY", 0)
        handle = os.open(file, flags, 0o600)
        try:
            if not _is_own_file(handle):
                return
            before = os.fstat(handle).st_size
            if os.write(handle, line) < len(line) and alone:  # a full disk: half a line would spoil the next
                os.ftruncate(handle, before)
        finally:
            os.close(handle)


def _is_own_file(handle: int) -> bool:
    """Whether it is a file of this user's: in a folder for all, somebody else may have made one of that name."""
    found = os.fstat(handle)
    return stat.S_ISREG(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.geteuid())


def _rotate(place: Path) -> None:
    for n in range(OLDER, 0, -1):
        with suppress(FileNotFoundError):
            (place / (_older(n - 1) if n > 1 else NAME)).replace(place / _older(n))


def _older(n: int) -> str:
    return NAME.replace(".", f".{n}.")


@contextmanager
def _alone(place: Path) -> Iterator[bool]:
    """Whether no other program writes the log during the block; whoever waits too long goes on all the same."""
    flags = os.O_RDWR | os.O_CREAT | _PLAIN
    handle = os.open(place / f"{NAME}.lock", flags, 0o600)
    try:
        end = time.monotonic() + _PATIENCE_S
        while not (taken := _try_lock(handle)) and time.monotonic() < end:
            time.sleep(_WAIT_S)
        yield taken
    finally:
        os.close(handle)  # which lets go of the lock


@contextmanager
def _never_mind() -> Iterator[None]:
    """No fault of the log is one of the program."""
    with suppress(Exception):
        yield


if sys.platform == "win32":
    import msvcrt

    def _user() -> str:
        """The user's name as the system has it, whatever variables of the environment say."""
        return os.getlogin()

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl
    import pwd

    def _user() -> str:
        """The user's name as the system has it, whatever variables of the environment say."""
        try:
            return pwd.getpwuid(os.getuid()).pw_name
        except KeyError:  # a user without an entry, as containers have
            return str(os.getuid())

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
