"""CSV and similar formats are read as written, with their line numbers."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.reports import decode as decoding
from radcal.reports.columns import recognised
from radcal.reports.decode import decode
from radcal.reports.delimited import read_delimited
from radcal.reports.documents import read_documents_csv
from radcal.reports.reasons import OPEN_QUOTE, STRAY_QUOTE, TOO_FEW_CELLS, TOO_MANY_CELLS
from radcal.reports.table import Table
from radcal.system import separated
from radcal.system.errors import Cancelled, InputError
from radcal.system.progress import SILENT, Silent

FIELDS = ("accession", "patient_id", "text")
HEADER = ["accession", "mrn", "report text"]


def read(text: str) -> Table:
    return read_delimited(separated.lines_of(text), "x.csv", lambda cells: recognised(cells, {}, FIELDS), SILENT)


def written(rows: list[list[str]], delimiter: str, quoting: int, terminator: str) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=terminator).writerows(rows)
    return out.getvalue()


TEXTS = st.text(
    alphabet=st.one_of(st.sampled_from("\",;\t|\n\r '\\:.aB1é"), st.characters(exclude_categories=("Cs", "Cc"))),
    max_size=40,
).filter(lambda t: "\ue000" not in t)


@settings(deadline=None, max_examples=200)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=6),
    delimiter=st.sampled_from(",;\t|"),
    terminator=st.sampled_from(["\n", "\r\n"]),
)
def test_whatever_is_written_quoted_is_read_back(texts: list[str], delimiter: str, terminator: str) -> None:
    rows = [HEADER, *([f"A{i}", f"P{i}", text] for i, text in enumerate(texts))]
    content = written(rows, delimiter, csv.QUOTE_ALL, terminator)
    table = read(content)
    assert table.rows == rows
    assert not table.faults
    lines = list(io.StringIO(content, newline=""))
    for row, line in zip(table.rows, table.lines, strict=True):
        assert lines[line - 1].startswith(f'"{row[0]}"')


@settings(deadline=None, max_examples=100)
@given(
    texts=st.lists(TEXTS.filter(lambda t: t.strip() and "\r" not in t), min_size=3, max_size=6),
    encoding=st.sampled_from(["utf-8-sig", "utf-16"]),
)
def test_minimal_quoting_and_unicode_encodings(texts: list[str], encoding: str) -> None:
    rows = [HEADER, *([f"A{i}", f"P{i}", text] for i, text in enumerate(texts))]
    content = written(rows, ";", csv.QUOTE_MINIMAL, "\n")
    assert read(decode(content.encode(encoding), "x.csv")).rows == rows


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_separator_is_found_although_texts_hold_the_others(delimiter: str) -> None:
    rows = [HEADER, ["A1", "P1", "No edema, effusion; or | fracture\there"], ["A2", "P2", "a, b, c; d"]]
    assert read(written(rows, delimiter, csv.QUOTE_MINIMAL, "\n")).rows == rows


def test_sep_line_of_a_spreadsheet_names_the_separator_and_counts_as_a_line() -> None:
    table = read('sep=;\r\naccession;mrn;report text\r\nA1;P1;"Clear, both"\r\n')
    assert table.rows == [HEADER, ["A1", "P1", "Clear, both"]]
    assert table.lines == [2, 3]


@pytest.mark.parametrize(
    ("content", "first"),
    [
        ('accession, mrn, report text\nA1, P1, "Clear, both"\n', "Clear, both"),  # a blank before a quotation mark
        ('accession,mrn,report text\nA1,P1,"Called \\"normal\\", today"\nA2,P2,"x, y"\n', 'Called "normal", today'),
    ],
)
def test_other_ways_of_quoting(content: str, first: str) -> None:
    assert read(content).rows[1] == ["A1", "P1", first]


def test_tab_separated_text_without_any_quoting() -> None:
    content = 'accession\tmrn\treport text\nA1\tP1\t"Likely" edema\nA2\tP2\t"Possible effusion\nA3\tP3\tClear\n'
    table = read(content)
    assert [row[2] for row in table.rows[1:]] == ['"Likely" edema', '"Possible effusion', "Clear"]
    assert table.lines == [1, 2, 3, 4]


def test_row_is_the_line_where_the_record_begins() -> None:
    table = read('accession,mrn,report text\nA1,P1,"one\ntwo\r\nthree"\n\n,,\nA2,P2,x\n')
    assert table.lines == [1, 2, 7]


@pytest.mark.parametrize(
    ("rows", "lines", "faults"),
    [
        ('A1,P1,"fine"\nA2,P2,"never closed\nA3,P3,good\nA4,P4,good too\n', [1, 2, 4, 5], [(3, OPEN_QUOTE)]),
        # It never takes the next row into its text ...
        ('A2,P2,"stray\nA3,P3,"good"\nA4,P4,"called "no" here"\n', [1, 3], [(2, STRAY_QUOTE), (4, STRAY_QUOTE)]),
        # ... and gives back the rows it swallowed.
        ('A1,P1,"fine"\nA2,P2,"stray\nA3,P3,"good, really"\nA4,P4,"last"\n', [1, 2, 4, 5], [(3, STRAY_QUOTE)]),
    ],
)
def test_a_stray_quotation_mark_costs_its_line_only(
    rows: str, lines: list[int], faults: list[tuple[int, object]]
) -> None:
    content = f"accession,mrn,report text\n{rows}"
    table = read(content)
    assert table.lines == lines
    assert table.rows[1:] == [next(csv.reader([content.splitlines()[line - 1]])) for line in lines[1:]]
    assert [(f.row, f.reason) for f in table.faults] == faults


def test_quotation_marks_that_are_mere_characters() -> None:
    body = "".join(f'A{i},P{i},"open{i}\n' for i in range(61))
    table = read("accession,mrn,report text\n" + body)
    assert [row[2] for row in table.rows[1:]] == [f'"open{i}' for i in range(61)]
    assert not table.faults


def test_many_stray_quotation_marks_end_and_lose_no_row_unlisted() -> None:
    body = "".join(f'A{i},P{i},"open{i}\nB{i},P{i},"fine"\n' for i in range(45))
    table = read("accession,mrn,report text\n" + body)
    proper, faults = table.body(0)
    assert {line for line in range(2, 92) if line % 2} <= set(proper.lines)
    assert {f.row for f in faults} | set(proper.lines) == set(range(2, 92))


def test_ragged_rows_are_listed_and_the_rest_goes_on() -> None:
    table = read("accession,mrn,report text\nA1,P1\nA2,P2,x,y\nA3,P3,fine,,\nA4,P4,fine\n")
    body, faults = table.body(0)
    assert [row[0] for row in body.rows] == ["A3", "A4"]
    assert [(f.row, f.reason) for f in faults] == [(2, TOO_FEW_CELLS), (3, TOO_MANY_CELLS)]


def test_nul_bytes_are_dropped() -> None:
    content = decode(b"accession,mrn,report text\nA1,P1,No\x00 effusion\x00\n", "x.csv")
    assert read(content).rows[1][2] == "No effusion"


def test_empty_text_has_no_rows() -> None:
    assert read("").rows == []
    assert read("\n\n").rows == []


@given(text=st.text(alphabet="ab\r\n,", max_size=60), size=st.integers(1, 9))
def test_lines_are_the_same_however_the_text_is_sliced(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(separated, "_SLICE", size)
        assert separated.lines_of(text) == list(io.StringIO(text, newline=""))


@given(parts=st.lists(st.text(alphabet="ab\r\n,", max_size=9)))
def test_lines_are_the_same_wherever_the_parts_of_a_text_end(parts: list[str]) -> None:
    assert separated.lines_in(parts) == list(io.StringIO("".join(parts), newline=""))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("part", [1, 2, 3, 7])
def test_characters_survive_being_cut_between_two_parts(
    encoding: str, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Ödem möglich \u2013 50 % € \U0001f642 clear lungs and heart of normal size"
    monkeypatch.setattr(decoding, "_PART", part)
    assert decode(text.encode(encoding), "x.csv") == text
    assert decode(f"a\0b{text}".encode(encoding), "x.csv") == f"ab{text}"


def test_a_byte_that_is_cut_off_is_no_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    """An incomplete character at the end of the last part means another encoding."""
    monkeypatch.setattr(decoding, "_PART", 4)
    assert decode("lungs clear, heart normal, Ödem é".encode("cp1252"), "x.csv").endswith("Ödem é")


@pytest.mark.parametrize("part", [1, 3, 1000])
def test_bytes_of_another_encoding_are_read_as_windows_wherever_they_are_cut(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "_PART", part)
    much = "Ödem möglich, Größe unverändert, Erguß " * 4
    assert decode(much.encode() + b"\nrechts \x80 \x81 \xe9\xe8 links", "x.csv") == much + "\nrechts € \ufffd éè links"
    assert decode(much.encode("cp1252") + b"\x81 \x9d", "x.csv") == much + "\ufffd \ufffd"


def test_cancelling_stops_the_reading() -> None:
    stop = Mock(spec=Silent, raise_if_cancelled=Mock(side_effect=Cancelled))
    with pytest.raises(Cancelled):
        read_delimited(["a,b\n", "1,2\n"], "x", lambda _: 0, stop)


SAMPLE = (
    "accession;mrn;report text\nA1;P1;Größe unverändert, „kein“ Erguß \u2013 évident à gauche\nA2;P2;Señal mínima\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_encodings_are_told_apart(encoding: str) -> None:
    assert decode(SAMPLE.encode(encoding), "x") == SAMPLE


@pytest.mark.parametrize("encoding", ["latin-1", "mac_roman", "cp850"])
def test_single_byte_encodings_are_told_by_what_people_write(encoding: str) -> None:
    text = "Größe unverändert. Évident à gauche, très léger épanchement. Señal mínima, corazón. Übersicht schräg.\n"
    assert decode(text.encode(encoding), "x") == text


def test_latin_1_control_characters_do_not_stop_the_reading() -> None:
    assert decode("Gr\xf6\xdfe unver\xe4ndert \x81".encode("latin-1"), "x").startswith("Größe unverändert ")


def test_a_foreign_line_in_utf_8() -> None:
    data = "é".encode() * 50 + b"\n caf\xe9 \x93quoted\x94"
    assert decode(data, "x") == "é" * 50 + "\n café “quoted”"


_LINE = "Kein Erguß. Größe unverändert, Übersicht „schräg“ \u2013 l\u2019été à cœur, Âge."


@pytest.mark.parametrize(
    ("n", "m", "other"),
    [
        *((n, m, "cp1252") for n, m in ((1, 1), (1, 5), (5, 1), (2, 20), (20, 2))),
        # A few lines in another encoding than Windows-1252 cannot be told from damage.
        *((n, m, other) for n, m in ((1, 1), (1, 5), (2, 20)) for other in ("mac_roman", "cp850")),
    ],
)
def test_lines_of_two_encodings_are_read_each_in_its_own(n: int, m: int, other: str) -> None:
    line = _LINE if other != "cp850" else "Kein Erguß. Größe unverändert, Übersicht schräg, l'été."
    written = f"{line}\n".encode() * n + f"{line}\n".encode(other) * m
    assert decode(written, "x").split("\n") == [line] * (n + m) + [""]


def test_a_byte_that_is_lost_costs_its_own_character_and_shows() -> None:
    written = f"{_LINE}\n".encode()
    for n, byte in enumerate(written):
        if byte > 127:
            before, damaged, after, _ = decode(written + written[:n] + written[n + 1 :] + written, "x").split("\n")
            assert before == after == _LINE
            assert "\ufffd" in damaged
            kept = [part for part in damaged.split("\ufffd") if part]
            assert _LINE.startswith(kept[0])
            assert _LINE.endswith(kept[-1])
            assert abs(len(damaged) - len(_LINE)) <= 1


@pytest.mark.parametrize("cut", ["Kein Ergu\udcc3;x\n", "Kein \udcc3dem\n", "5 \udce2\udc80", "mm\udcc2 groß\n"])
def test_a_character_that_was_cut_in_two_is_no_letter_of_another_encoding(cut: str) -> None:
    text = decode(cut.encode(errors="surrogateescape"), "x")
    assert text == cut.replace("\udce2\udc80", "\udcc3").translate({0xDCC3: "\ufffd", 0xDCC2: "\ufffd"})


def test_rows_with_damaged_characters_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"report_id,text\nA1,Kein Ergu\xc3\x9f.\nA2,Kein Ergu\xc3.\nA3,No edema.\n")
    documents, rejected, notes = read_documents_csv(path)
    assert [d.text for d in documents] == ["Kein Erguß.", "Kein Ergu\ufffd.", "No edema."]
    assert rejected.empty
    [note] = map(str, notes)
    assert note.startswith("a.csv, row 3: Some characters are damaged")


def test_more_columns_than_any_table_has_are_refused_before_anything_is_recognised(tmp_path: Path) -> None:
    for separator in ",;\t|":
        lines = [separator.join(["x"] * 16_385) + "\n"] * 3
        with pytest.raises(InputError, match=r"x\.csv has more than 16,384 columns"):
            read_delimited(lines, "x.csv", lambda _: pytest.fail("nothing is looked at"), SILENT)
    assert len(read_delimited([",".join(["x"] * 16_384) + "\n"], "x.csv", lambda _: 0, SILENT).rows[0]) == 16_384


@pytest.mark.parametrize("others", [100, 600])
def test_names_that_only_say_what_known_ones_say_are_not_looked_at_in_a_table_of_very_many_columns(
    tmp_path: Path, others: int
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        ",".join(["report id", "RPT_CONTENTS", *(f"exam begin {n}" for n in range(others))]) + "\n"
        + ",".join(["A1", "No edema.", *["x"] * others]) + "\n",
        encoding="utf-8",
    )  # fmt: skip
    if others > 500:
        with pytest.raises(InputError, match="no column for the report text"):
            read_documents_csv(path)
        path.write_text(path.read_text(encoding="utf-8").replace("RPT_CONTENTS", "Report Text"), encoding="utf-8")
    [document], _, _ = read_documents_csv(path)
    assert (document.report_id, document.text) == ("A1", "No edema.")


def test_damaged_utf_16_costs_a_character() -> None:
    assert decode("abc".encode("utf-16") + b"\x00", "x").startswith("abc")


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7 ...", bytes(range(32)) * 8, b"\x89PNG\r\n\x1a\n" + b"\x01" * 40, b"\0" * 99]
)
def test_binary_junk_is_refused_with_a_way_out(data: bytes) -> None:
    with pytest.raises(InputError, match="neither text nor a workbook") as caught:
        decode(data, "scan.csv")
    assert "scan.csv" in str(caught.value)


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_an_input_error(data: bytes) -> None:
    try:
        text = decode(data, "x")
    except InputError:
        return
    read(text)
