"""What leaves RadCal: whole or not at all, as it was, never computed, and entered in the audit log."""

from __future__ import annotations

import csv
import json
import math
import re
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from python_calamine import CalamineWorkbook

from radcal.calibration.tables import read_observations
from radcal.review.files import read_findings
from radcal.system import exports
from radcal.system.cells import freed, printable
from radcal.system.errors import InputError
from radcal.system.exports import Exports
from radcal.words.phrases import load_lexicon, read_lexicon_csv, read_target_use, table_text

HOSTILE = ("=1+1", "- pneumonia", "-", "+1", "@SUM(1)", "\ttab", "\rreturn", "'- quoted", "a\nb", "x;=1+1", '"', "a,b")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(HOSTILE)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For the examples of Hypothesis, which share it."""
    return tmp_path_factory.mktemp("exports")


def written(path: Path, export: exports.Export) -> Path:
    return Exports().write(path, export)


def csv_rows(path: Path, encoding: str = "utf-8") -> list[list[str]]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.reader(file, strict=True))


# --- CSV


@settings(max_examples=40)
@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=3))
@example([[text, text] for text in HOSTILE])
def test_csv_has_the_texts_and_nothing_is_computed(folder: Path, rows: list[list[str]]) -> None:
    path = written(folder / "t.csv", exports.table(rows))
    cells = csv_rows(path)
    assert [[freed(cell) for cell in row] for row in cells] == [[printable(text) for text in row] for row in rows]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for row in cells for cell in row)


@settings(max_examples=40)
@given(st.lists(NUMBERS, min_size=1, max_size=4))
def test_numbers_of_a_csv_are_numbers(folder: Path, numbers: list[float]) -> None:
    [cells] = csv_rows(written(folder / "n.csv", exports.table([numbers])))
    assert [float(cell) for cell in cells] == numbers
    assert not any(cell.startswith("'") for cell in cells)


def test_what_is_missing_is_an_empty_cell(tmp_path: Path) -> None:
    row = ["x", None, math.nan, pd.NaT, True, datetime(2026, 3, 4, 8, 30), date(2026, 3, 4)]
    [cells] = csv_rows(written(tmp_path / "t.csv", exports.table([row])))
    assert cells == ["x", "", "", "", "True", "2026-03-04 08:30:00", "2026-03-04"]
    frame = pd.DataFrame({"a": ["- x", None], "b": [1.5, np.nan], "c": pd.array([1, None], "Int64")})
    assert csv_rows(written(tmp_path / "f.csv", exports.frame(frame, "test"))) == [
        ["a", "b", "c"],
        ["'- x", "1.5", "1"],
        ["", "", ""],
    ]


def test_spreadsheets_are_told_the_encoding(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", exports.table([["\u00fc"]], marked=True))
    assert path.read_bytes() == b"\xef\xbb\xbf\xc3\xbc\r\n"
    assert written(tmp_path / "u.csv", exports.table([["\u00fc"]])).read_bytes() == b"\xc3\xbc\r\n"


# --- Excel


def excel_texts(path: Path) -> list[str]:
    """The texts of a workbook by its format's definition: ISO/IEC 29500-1, 22.9.2.19 says how others are escaped."""
    name = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(path) as parts:
        if "xl/sharedStrings.xml" not in parts.namelist():
            return []
        root = ElementTree.fromstring(parts.read("xl/sharedStrings.xml"))  # noqa: S314 - our own
    return [
        re.sub(r"_x([0-9A-Fa-f]{4})_", lambda code: chr(int(code[1], 16)), item.findtext(f"{name}t") or "")
        for item in root.iter(f"{name}si")
    ]


@settings(max_examples=40)
@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=3, unique=True))
@example(list(HOSTILE))
@example(["\0", "\x07", "_x0041_", "\ufffe", "  blanks  ", "http://a.b", "{=1}", "\U0001f600"])
def test_excel_has_the_texts_and_no_formula(folder: Path, texts: list[str]) -> None:
    path = written(folder / "t.xlsx", exports.table([[text] for text in texts], ".xlsx"))
    assert excel_texts(path) == list(dict.fromkeys(map(printable, texts)))
    with zipfile.ZipFile(path) as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")


def test_an_excel_text_stays_text_where_it_is_edited(tmp_path: Path) -> None:
    path = written(tmp_path / "t.xlsx", exports.table([["text", *HOSTILE], ["number", *range(len(HOSTILE))]], ".xlsx"))
    texts, numbers = load_workbook(path).active.rows
    assert all(cell.data_type == "s" and cell.quotePrefix for cell in texts)
    assert [cell.data_type for cell in numbers] == ["s"] + ["n"] * len(HOSTILE)
    sheet = CalamineWorkbook.from_path(path).get_sheet_by_index(0)
    assert sheet.to_python()[0] == ["text", *HOSTILE]


def test_excel_numbers_and_times_are_those_of_the_table(tmp_path: Path) -> None:
    row = [-1.5, 7, True, datetime(2026, 3, 4, 8, 30), date(2026, 3, 4), None, math.nan, np.int64(3), 0.471]
    path = written(tmp_path / "t.xlsx", exports.table([row], ".xlsx"))
    [values] = load_workbook(path).active.iter_rows(values_only=True)
    assert values == (-1.5, 7, True, datetime(2026, 3, 4, 8, 30), datetime(2026, 3, 4), None, None, 3, 0.471)


def test_what_a_spreadsheet_would_change_is_text(tmp_path: Path) -> None:
    zoned = datetime(2026, 3, 4, 8, 30, tzinfo=UTC)
    row = [12345678901234567890, math.inf, zoned, datetime(1899, 5, 1, 7, 0), date(1899, 5, 1)]
    path = written(tmp_path / "t.xlsx", exports.table([row], ".xlsx"))
    [values] = load_workbook(path).active.iter_rows(values_only=True)
    assert values == (
        "12345678901234567890", "inf", "2026-03-04 08:30:00+00:00", "1899-05-01 07:00:00", "1899-05-01",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([["h"], ["x" * 32_768]], "Row 2 has a cell of 32,768 characters, and a cell of Excel holds 32,767"),
        ([["h"], ["\U0001f600" * 16_384]], "Row 2 has a cell of 32,768 characters"),
        ([["x"] * 16_385], "Excel holds 16,384 columns, and there are 16,385"),
        ([["h"], ["a \ud800"]], "Row 2 has a character that is damaged"),
    ],
)
def test_nothing_is_cut_to_fit_a_sheet(tmp_path: Path, rows: list[list[str]], says: str) -> None:
    (tmp_path / "t.xlsx").write_text("as it was")
    with pytest.raises(InputError, match=says):
        written(tmp_path / "t.xlsx", exports.table(rows, ".xlsx"))
    assert (tmp_path / "t.xlsx").read_text() == "as it was"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_longest_cell_is_whole(tmp_path: Path) -> None:
    text = "- " + "x" * 32_765
    path = written(tmp_path / "t.xlsx", exports.table([[text]], ".xlsx"))
    assert load_workbook(path).active["A1"].value == text


def test_more_rows_than_a_sheet_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "EXCEL_ROWS", 3)
    rows = [["h"], ["a"], ["b"]]
    assert load_workbook(written(tmp_path / "t.xlsx", exports.table(rows, ".xlsx"))).active.max_row == 3
    with pytest.raises(InputError, match="Excel holds 2 rows below the header, and there are more"):
        written(tmp_path / "u.xlsx", exports.table([*rows, ["c"]], ".xlsx"))
    assert not (tmp_path / "u.xlsx").exists()


def test_half_a_character_is_refused_in_a_csv_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Row 2 has a character that is damaged") as caught:
        written(tmp_path / "t.csv", exports.table([["h"], ["secret \ud800"]]))
    assert "secret" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_no_temporary_folder_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    written(tmp_path / name, exports.table([["a"]] * 5000, name[1:]))
    assert [p.name for p in tmp_path.iterdir()] == [name]


# --- the other kinds


def test_json_is_strict(tmp_path: Path) -> None:
    assert json.loads(written(tmp_path / "x.json", exports.values({"a": "- \u00fc"}, "test")).read_text("utf-8")) == {
        "a": "- \u00fc"
    }
    unknown = written(tmp_path / "y.json", exports.values({"a": math.nan, "b": [1.5, -math.inf]}, "test"))
    assert json.loads(unknown.read_text("utf-8")) == {"a": None, "b": [1.5, None]}


def test_bytes_and_texts_are_as_they_are(tmp_path: Path) -> None:
    assert written(tmp_path / "a", exports.data(b"\r\n\0", "test")).read_bytes() == b"\r\n\0"
    assert written(tmp_path / "b", exports.text("a\r\n\u00fc\n", "test")).read_bytes() == b"a\r\n\xc3\xbc\n"


# --- the audit log


class Log:
    """An audit log that notes what was there when it was written to."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.entries: list[tuple[str, dict[str, int], bool]] = []
        self.fail = False

    def __call__(self, what: str, **counts: int) -> None:
        if self.fail:
            raise InputError("The disk is full.")
        self.entries.append((what, counts, self.out.exists()))


def test_a_file_is_entered_before_it_is_there(tmp_path: Path) -> None:
    log = Log(tmp_path / "t.csv")
    Exports(log).write(log.out, exports.table([["h"], ["a"], ["b"]]))
    assert log.entries == [("exported table as CSV: t.csv", {"rows": 2}, False)]
    log.fail = True
    with pytest.raises(InputError, match="The disk is full"):
        Exports(log).write(tmp_path / "u.csv", exports.table([["h"]]))
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


def test_what_could_not_be_made_is_not_entered(tmp_path: Path) -> None:
    def rows() -> Iterator[list[Any]]:
        yield ["h"]
        raise InputError("The engine stopped.")

    log = Log(tmp_path / "t.csv")
    with pytest.raises(InputError, match="The engine stopped"):
        Exports(log).write(log.out, exports.table(rows()))
    assert log.entries == []
    assert not list(tmp_path.iterdir())


def test_an_entry_has_the_name_of_the_file_and_not_its_folder(tmp_path: Path) -> None:
    log = Log(tmp_path)
    Exports(log).write(tmp_path / "secret folder" / f"{'n' * 150}\u2028.csv", exports.data(b"", "test", pages=3))
    Exports(log).enter("personal file", tmp_path / "secret folder" / "p.radcal")
    (first, counts, _), (second, _, _) = log.entries
    assert first == f"exported test: {'n' * 100}"
    assert counts == {"pages": 3}
    assert second == "exported personal file: p.radcal"
    assert all(entry.isprintable() and len(entry) <= 200 for entry in (first, second))


# --- read back by RadCal's own readers


@pytest.mark.parametrize("text", ["- pneumonia", "=1+1", "'- x", "+x", "@x", "x; -y"])
def test_readers_take_the_guard_off(tmp_path: Path, text: str) -> None:
    rows = [["report_id", "pathology", "phrase"], [text, text, text]]
    [found] = read_findings(written(tmp_path / "f.csv", exports.table(rows)))
    assert (found.report_id, found.pathology, found.phrase) == (text, text, text)

    rows = [["author", "topic", "phrase", "outcome"], [text, text, text, 1]]
    observed, _ = read_observations(written(tmp_path / "o.csv", exports.table(rows)))
    assert observed[["author", "topic", "phrase"]].astype(str).to_numpy().tolist() == [[text] * 3]


def test_a_list_of_phrases_comes_back_with_hostile_words(tmp_path: Path) -> None:
    shipped = load_lexicon()
    words = [*shipped.phrases]
    place = next(i for i, p in enumerate(words) if p.name == "likely")
    words[place] = type(words[place])(
        **{field: getattr(words[place], field) for field in words[place].__dataclass_fields__}
        | {"synonyms": ("- likely", "=likely", "'+ likely"), "source": "@home"}
    )
    lexicon = type(shipped)(tuple(words), shipped.name)
    path = written(tmp_path / "phrases.csv", exports.text(table_text(lexicon), "list of phrases"))
    assert not re.search(r"(^|[,;\"])\s*[=+@-](?!\d)", path.read_text("utf-8"), re.MULTILINE)
    again = next(p for p in read_lexicon_csv(path).phrases if p.name == "likely")
    assert again.synonyms == ("- likely", "=likely", "'+ likely")
    assert again.source == "@home"
    path = written(tmp_path / "use.csv", exports.table([["phrase", "use"], ["'+ likely", 1]]))
    assert read_target_use(path, lexicon) == {"likely": 1.0}


def test_no_export_takes_the_place_of_a_workspace_or_of_what_is_read(tmp_path: Path) -> None:
    backup, opened, report = (tmp_path / name for name in ("a.radcal", "b", "reports.csv"))
    for file in (backup, opened, report):
        file.write_text("as it was")
    link = tmp_path / "link.csv"
    link.symlink_to(opened)
    writer = exports.Exports(kept=[opened, report])
    for path in (backup, opened, link, report):
        with pytest.raises(InputError, match="Choose another name"):
            writer.write(path, exports.text("new", "list"))
    assert {file.read_text() for file in (backup, opened, report)} == {"as it was"}
    writer.write(tmp_path / "other.csv", exports.text("new", "list"))
