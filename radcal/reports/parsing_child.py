"""The child process that parses foreign bytes: it limits itself, reads one file, returns its cells and exits.

The parent sends a line of JSON (format, sizes, parent, and the limits) and then the bytes of the files.  The child
answers in lines of JSON: lists of rows and flaws, and finally ``["end", n]`` with their number, or
``["refused", why, table]``.  Of several files of messages, each is a table, and one that cannot be read is a flaw.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, BinaryIO

from radcal.reports.formats import Failure, Parse, ParseAll, Parsed, Refused, Why, named
from radcal.reports.reasons import Flaw
from radcal.reports.table import Cell, cell_text
from radcal.system.processes import NO_MEMORY, confine, stay_beside

_BATCH = 200


def main() -> None:
    """Read one file, or several files of messages, for the parent."""
    order = json.loads(sys.stdin.buffer.readline())
    stay_beside(order["parent"])
    confine(order["memory"], order["cpu"])
    status = 0
    try:
        files = [sys.stdin.buffer.read(size) for size in order["sizes"]]
        parse = _parser(order["format"], len(files), raw=order.get("raw", False))
        _say(sys.stdout.buffer, _messages(parse, files, order["cells"], order.get("only", 0)))
    except MemoryError:
        status = NO_MEMORY
    except OSError:  # the parent has gone
        status = 1
    # There is nothing to clean up, and freeing a large workbook would take time.
    os._exit(status)


def _parser(name: str, n: int, *, raw: bool) -> ParseAll:
    """What reads ``n`` files of a format, together or one by one; ``raw``: messages as they are written."""
    form = named(name)
    if n > 1 and form.together:
        return form.together
    parse = form.raw if raw else form.rows
    assert parse is not None  # noqa: S101 - the parent asks for nothing else
    alone: Parse = parse
    return (lambda files: alone(files[0])) if n == 1 else partial(_of_each, alone)


def _say(channel: BinaryIO, messages: Iterable[Any]) -> None:
    said = json.JSONEncoder(default=_tagged, separators=(",", ":"), check_circular=False).encode
    channel.writelines(said(message).encode("ascii") + b"\n" for message in messages)
    channel.flush()


def _messages(parse: ParseAll, files: Sequence[bytes], most_cells: int, only: int = 0) -> Iterator[list[Any]]:
    """The messages about the files, or about the message in one position; any exception is reduced to a code."""
    batch: list[Parsed] = []
    n = 0
    try:
        rows = parse(files)
        if only:
            rows = (row for row in takewhile(lambda row: row[1] <= only, rows) if row[1] in (0, only))
        for row in _filled(rows, most_cells):
            batch.append(row)
            n += 1
            if n % _BATCH == 0:
                yield batch
                batch = []
    except Refused as refused:
        yield ["refused", refused.why, refused.table]
        return
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - a Rust panic is no Exception, and its message may contain text of the file
        yield ["refused", Why.DAMAGED, 0]
        return
    if batch:
        yield batch
    yield ["end", n]


def _of_each(parse: Parse, files: Sequence[bytes]) -> Iterator[Parsed]:
    """The rows of each file as a table of its number; what follows the point at which a file is damaged is a flaw."""
    for number, data in enumerate(files, start=1):
        at = 0
        try:
            for _, at, cells in parse(data):
                yield number, at, cells
        except Refused as refused:
            protected = refused.why is Why.PROTECTED
            yield number, at + 1, Flaw.PROTECTED if protected else Flaw.DAMAGED
        except (MemoryError, GeneratorExit):
            raise
        except BaseException:  # noqa: BLE001 - as below
            yield number, at + 1, Flaw.DAMAGED


def _filled(rows: Iterable[Parsed], most_cells: int) -> Iterator[Parsed]:
    """The rows that are not blank, without the empty cells at their ends, and the flaws."""
    n = 0
    for table, line, cells in rows:
        if not isinstance(cells, list):
            yield table, line, cells
            continue
        while cells and not cell_text(cells[-1]):
            cells.pop()
        n += len(cells)
        if n > most_cells:
            raise Refused(Why.CELLS, table)
        if cells:
            yield table, line, cells


def _tagged(value: Cell | Failure) -> dict[str, str | int]:
    """A date, time, duration or failure as JSON; the inverse of :func:`radcal.reports.parsing.untagged`."""
    if isinstance(value, Failure):
        return {"flaw": value.flaw, "accession": value.accession}
    # A datetime is also a date.
    for name, kind in (("datetime", dt.datetime), ("date", dt.date), ("time", dt.time)):
        if isinstance(value, kind):
            return {name: value.isoformat()}
    if isinstance(value, dt.timedelta):
        return {"microseconds": value // dt.timedelta(microseconds=1)}
    raise TypeError(f"a cell cannot be a {type(value).__name__}")
