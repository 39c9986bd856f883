"""Tables are read many rows at a time with what a reader of one row after the other would say of each."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.calibration.tables import read_observations
from radcal.system import columns, separated
from radcal.system.columns import Columns
from radcal.system.errors import InputError

CELLS = st.sampled_from(
    [*("", " ", "A", "b c", "0,5", "0.5", "1", "2", "TRUE", " false", "no", "é", "'=A", " edema ", "\t", "nan"),
     *("1e-3", "inf", '"q"', '"x,y"', '"two\nlines"', '"a ""b"""', 'st"ray', '"open', '"shut"x', "\x0c")]
)  # fmt: skip
EVEN = st.sampled_from(
    ["", " ", "A", "b c", "0.5", "nan", "NA", "#", "\\", " edema ", "\x0c", "\x1c", "\u2028", "\0", "'=A"]
)
ROWS = st.one_of(st.lists(CELLS, min_size=4, max_size=4), st.lists(CELLS, max_size=6))
HEADERS = st.sampled_from(
    ["author,topic,phrase,outcome", "Phrase,author,OUTCOME,topic", "author,topic,phrase,outcome,", "author,ward,,topic",
     "author,topic,outcome,outcome", "phrase,author,topic,reference_phrase"]
)  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> str:
    """The text of a table: mostly whole rows, among rows of every other kind."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    separator = draw(st.sampled_from([",", ";", "\t"]))
    # The even ones, of which every line is a record of as many cells, are read another way.
    rows = draw(st.sampled_from([ROWS, st.lists(EVEN, min_size=4, max_size=4)]))
    lines = [separator.join(row) for row in draw(st.lists(rows, max_size=25))]
    header = draw(HEADERS).replace(",", separator)
    return end.join(
        [*draw(st.sampled_from([(), ("",), ("sep=;", " ")])), header, *lines, *draw(st.sampled_from([(), ("",)]))]
    )


def records(lines: list[str], separator: str, at: int) -> Iterator[tuple[int, list[str] | str]]:
    """The records one by one, of an unreadable one why; reading goes on in the line below its first."""
    open_ends, quoting = 0, csv.QUOTE_MINIMAL
    while at < len(lines):
        reader = csv.reader(lines[at:], delimiter=separator, quoting=quoting, strict=True)
        used = 0
        try:
            for cells in reader:
                yield at + used + 1, cells
                used = reader.line_num
            at = len(lines)
        except csv.Error as error:
            opens = "end of data" in str(error)
            yield at + used + 1, "is never closed" if opens else "stands in the wrong place"
            open_ends += at + reader.line_num == len(lines)
            at += used + 1
        if open_ends > 20:
            quoting = csv.QUOTE_NONE


def one_by_one(path: Path, *, keep_empty: bool) -> tuple[dict[int, list[str]], dict[int, str]]:
    """The cells of the usable rows under the names of the header, by line, and what is said of the other ones."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(file)
    lead = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("sep=")), len(lines))
    separator = max(",;\t", key=lambda sign: lines[lead].count(sign))
    (_, header), *below = records(lines, separator, lead)
    assert isinstance(header, list)
    named = [
        n for n, name in enumerate(header) if name.strip() and name.casefold() not in map(str.casefold, header[:n])
    ]
    width = max(n for n, name in enumerate(header, 1) if name.strip())
    rows: dict[int, list[str]] = {}
    faults: dict[int, str] = {}
    for line, cells in below:
        if not lines[line - 1].strip() and separator not in lines[line - 1]:
            continue
        if isinstance(cells, str):
            faults[line] = cells
            continue
        silent = not any(cell.strip() for cell in cells)
        if silent and keep_empty:
            cells = [""] * len(header)
        if len(cells) == len(header) and not any(cells[width:]):
            if keep_empty or any(cells[n].strip() for n in named):
                rows[line] = [cells[n] for n in named]
        elif not silent:
            faults[line] = "fewer cells" if len(cells) < len(header) else "more cells"
    return rows, faults


@pytest.mark.parametrize("keep_empty", [False, True])
@pytest.mark.parametrize("batch", [3, 500])
def test_rows_read_at_once_are_those_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, keep_empty: bool
) -> None:
    monkeypatch.setattr(separated, "BATCH", batch)
    monkeypatch.setattr(columns, "_AT_ONCE", batch)
    path = tmp_path / "x.csv"

    @given(tables())
    def check(text: str) -> None:
        path.write_bytes(text.encode())
        known = ("author", "topic", "phrase", "outcome", "reference_phrase")
        table = Columns(path, known, fractions=("outcome",), keep_empty=keep_empty)
        rows, faults = one_by_one(path, keep_empty=keep_empty)
        assert dict(zip(table.frame.index, table.frame.to_numpy().tolist(), strict=True)) == rows
        told = table.rejected()
        assert told.row.tolist() == sorted(faults)
        for row, reason in zip(told.row, told.reason, strict=True):
            # A decimal comma makes more cells, too, and is told as such.
            assert faults[row] in reason.replace("has a decimal comma, and commas separate", "makes more cells in")

    check()


def number(cell: str) -> float:
    """The outcome in a cell of a file separated by semicolons; NaN if there is none."""
    text = cell.strip().casefold()
    if text in ("true", "false", "no"):
        return float(text == "true")
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan


def test_outcomes_are_those_of_each_cell_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "obs.csv"

    @given(st.lists(st.lists(CELLS.filter(lambda cell: '"' not in cell), min_size=4, max_size=4), max_size=30))
    def check(rows: list[list[str]]) -> None:
        path.write_bytes("\n".join(["author;topic;phrase;outcome", *(";".join(row) for row in rows)]).encode())
        usable = {
            line: number(row[3])
            for line, row in enumerate(rows, 2)
            if all(map(str.strip, row)) and 0 <= number(row[3]) <= 1
        }
        try:
            read, rejected = read_observations(path)
        except InputError:
            assert not usable
            return
        assert dict(zip(read.index, read.outcome, strict=True)) == usable
        silent = {line for line, row in enumerate(rows, 2) if not any(map(str.strip, row))}
        assert {*read.index, *rejected.row, *silent} == {*range(2, len(rows) + 2)}

    check()
