"""Files that were cut short: whatever the byte, no report that was cut is read as whole, or what is lost is listed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from radcal.reports import messages
from radcal.reports.documents import read_documents_csv
from radcal.reports.formats import Failure, hl7
from radcal.reports.formats.hl7.framing import pieces_of
from radcal.reports.readers import read_reports
from radcal.reports.reasons import HELD, OF_DOUBT, OF_FLAW, UNENDED_ROW, Doubt, Flaw
from radcal.reports.records import Preset
from radcal.reports.table import Fault, Table

AS_WHOLE = Preset(as_whole=True)
TEXTS = ("Pneumonia is unlikely. Kein Erguß.", "No edema.")


def of_hl7(n: int, *texts: str) -> bytes:
    """A message that a RIS sends, of several lines of text."""
    time = "20240305143000"
    lines = [
        f"MSH|^~\\&|RIS|H|X|Y|20240305150000||ORU^R01|M{n}|P|2.5",
        f"PID|1||P{n}^^^H^MR||Doe^Jane||19600101|F",
        f"OBR|1|PL{n}|A{n}|71046^XR CHEST 2 VIEWS|||{time}{'|' * 15}{time}||CR|F{'|' * 7}R1&Smith&Ann",
        *(f"OBX|{k}|TX|71046^XR CHEST||{text}||||||F" for k, text in enumerate(texts or TEXTS, 1)),
    ]
    return "\r".join((*lines, "")).encode()


def table_of(data: bytes, file: str = "a.hl7") -> Table:
    """The table of a file of HL7, parsed in this process."""
    table = Table(file, [], [], trimmed=True, headed=True)
    for _, at, found in hl7.rows(data):
        if isinstance(found, Doubt):
            table.doubts.append(Fault(file, at, OF_DOUBT[found]))
        elif isinstance(found, list):
            table.rows.append(found)
            table.lines.append(at)
        else:
            failure = found if isinstance(found, Failure) else Failure(found)
            table.faults.append(Fault(file, at, OF_FLAW[failure.flaw], failure.accession))
    return table


def read_of(data: bytes) -> tuple[dict[str, str], list[Fault]]:
    """What enters the statistics of a file of HL7, texts by accession number, and what is listed."""
    table = table_of(data)
    body, faults = table.body(0)
    number, text = (table.rows[0].index(name) for name in ("accession", "text"))
    return {str(row[number]): str(row[text]) for row in body.rows}, faults


def framed(*parts: bytes) -> bytes:
    return b"".join(b"\x0b" + part + b"\x1c\r" for part in parts)


def batch(*parts: bytes) -> bytes:
    return b"FHS|^~\\&|RIS\rBHS|^~\\&|RIS\r" + b"".join(parts) + b"BTS|%d\rFTS|1\r" % len(parts)


def in_utf_16(*parts: bytes) -> bytes:
    return b"".join(parts).decode().encode("utf-16")


SHAPES: dict[str, Callable[..., bytes]] = {
    "frames": framed,
    "bare": lambda *parts: b"".join(parts),
    "line feeds": lambda *parts: b"".join(parts).replace(b"\r", b"\r\n"),
    "batch": batch,
    "UTF-16": in_utf_16,
}


def without_loss(shape: str, data: bytes, whole: list[bytes]) -> Iterator[int]:
    """The cuts that cannot be seen, as nothing that is there was begun and not ended: without a frame behind any line
    of the message, and behind a whole message."""
    if shape in ("bare", "line feeds", "batch"):
        yield from (n for n in range(len(data)) if data[:n].endswith((b"\r", b"\n")))
    if shape == "batch":
        yield from range(data.index(b"BTS"), len(data))
    if shape == "UTF-16":
        yield from (n for n in range(2, len(data), 2) if data[n - 2 : n] == "\r".encode("utf-16-le"))
    elif shape == "frames":
        yield from (len(framed(*whole[:k])) - back for k in range(len(whole) + 1) for back in (-1, 0, 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_no_cut_is_silent(shape: str) -> None:
    whole = [of_hl7(n) for n in (1, 2)]
    data = SHAPES[shape](*whole)
    texts, faults = read_of(data)
    assert (texts, faults) == (dict.fromkeys(("A1", "A2"), "\n".join(TEXTS)), [])
    unseen = set(without_loss(shape, data, whole))
    for n in range(len(data)):
        read, faults = read_of(data[:n])
        if n not in unseen:
            assert all(text == texts[number] for number, text in read.items()), n
            assert faults, n


def test_what_is_cut_in_a_frame_is_never_read_as_whole() -> None:
    data = framed(of_hl7(1), of_hl7(2))
    for n in range(len(data)):
        assert set(read_of(data[:n])[0].values()) <= {"\n".join(TEXTS)}, n


# --- what else is not whole -------------------------------------------------------------------------------


def reasons_of(data: bytes) -> list[str]:
    return [fault.reason.sentence for fault in read_of(data)[1]]


def test_a_frame_that_begins_and_does_not_end() -> None:
    alone = b"\x0b" + of_hl7(1)
    assert reasons_of(alone) == [OF_DOUBT[Doubt.UNENDED].sentence]
    assert read_of(alone)[0] == {}
    assert reasons_of(framed(of_hl7(1)) + b"\x0b" + of_hl7(2)) == [OF_FLAW[Flaw.DAMAGED].sentence]


def test_the_byte_that_ends_a_frame_within_a_text() -> None:
    for stray in (b"\x1c", b"\x1c\r", b"\x1c\n", b" \x1c ", b"\x1c\x0b"):
        cut = of_hl7(1).replace(b"is unlikely", b"is " + stray + b"unlikely")
        for data in (cut, framed(cut), framed(of_hl7(2)) + framed(cut), framed(cut, of_hl7(2))):
            texts, faults = read_of(data)
            assert "A1" not in texts, stray
            assert faults, stray
            assert texts == ({"A2": "\n".join(TEXTS)} if data.count(b"MSH") == 2 else {})
    between = framed(of_hl7(1)[:-1].rpartition(b"\r")[0] + b"\r\x1c\r" + of_hl7(1)[:-1].rpartition(b"\r")[2] + b"\r")
    assert read_of(between)[0] == {}  # the second line of text stands behind the end of the frame


def test_a_message_with_something_behind_its_frame_is_left_out_until_somebody_has_looked() -> None:
    for junk in (b"garbage\r\n", b"ACK", b"\xff\xfe\x01", b"\r\n-- 12:03 --\r\n"):
        texts, faults = read_of(framed(of_hl7(1)) + junk + framed(of_hl7(2)))
        assert texts == {"A2": "\n".join(TEXTS)}, junk
        assert [(f.row, f.reason) for f in faults] == [(1, OF_DOUBT[Doubt.STRAY])]


@pytest.mark.parametrize("status", ["", "?", '""', "F\nsomething else"])
def test_a_line_of_text_without_its_status(status: str) -> None:
    whole = of_hl7(1)
    at = whole.rindex(b"F\r")
    data = whole[:at] + status.encode() + whole[at + 1 :]
    for made in (data, framed(data), batch(data)):
        texts, faults = read_of(made)
        assert texts == {}
        assert [f.accession for f in faults] == ["A1"]
    assert read_of(framed(whole.replace(b"unlikely.", b"unlikely | certain.")))[0] == {}  # a separator in the text


@pytest.mark.parametrize(
    ("enclosed", "doubts"),
    [
        (r"RTF^A^{\E\rtf1\E\ansi Pneumonia is {\E\b unlikely}.}", []),
        (r"RTF^A^{\E\rtf1\E\ansi Braces \E\{ and \E\\E\ stay.}", []),
        (r"RTF^A^{\E\rtf1\E\ansi Pneumonia is {\E\b unlikely}.", [Doubt.UNENDED]),
        (r"RTF^A^{\E\rtf1\E\ansi Pneumonia is {\E\b un", [Doubt.UNENDED]),
        ("HTML^A^<html><body><p>Pneumonia is unlikely.</html>", []),
        ("HTML^A^<p>Pneumonia is unlikely, 3 <b>mm</b>.", []),
        ("HTML^A^<html><body><p>Pneumonia is", [Doubt.UNENDED]),
        ("HTML^A^<p>Pneumonia is <b", [Doubt.UNENDED]),
    ],
)
def test_documents_within_messages_that_break_off(enclosed: str, doubts: list[Doubt]) -> None:
    lines = of_hl7(1).decode().split("\r")[:3]
    data = "\r".join((*lines, f"OBX|1|ED|R||X^TEXT^{enclosed}||||||F", "")).encode()
    found = [cells for _, at, cells in hl7.rows(data) if at]
    assert found[1:] == doubts


def test_batches_are_read_over_pieces_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "BATCH_BYTES", 600)
    monkeypatch.setattr(pieces_of, "__defaults__", (600,))
    path = tmp_path / "a.hl7"
    path.write_bytes(batch(*map(of_hl7, range(7))))
    imported = read_reports([path])
    assert len(imported.reports) == imported.rows_read == 7
    assert imported.rejected.empty


def test_somebody_who_has_looked_reads_it_as_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.hl7"
    path.write_bytes(of_hl7(1) + of_hl7(2)[:-1])
    imported = read_reports([path])
    assert imported.reports["accession"].tolist() == ["A1"]
    assert imported.rejected[["row", "reason", "accession"]].to_numpy().tolist() == [
        [2, OF_DOUBT[Doubt.UNENDED].sentence, "A2"]
    ]
    assert imported.notes == ()
    looked = read_reports([path], preset=AS_WHOLE)
    assert looked.reports["accession"].tolist() == ["A1", "A2"]
    assert looked.rejected.empty
    assert [str(note) for note in looked.notes] == [
        f"a.hl7, message 2: {OF_DOUBT[Doubt.UNENDED].sentence} It was read as whole."
    ]


def test_every_doubt_that_keeps_a_report_out_is_listed_with_a_remedy() -> None:
    assert all(reason.sentence and reason.remedy and reason.rows for reason in HELD)


# --- tables -----------------------------------------------------------------------------------------------


ROWS = [("accession", "signer", "text"), *((f"A{n}", "Smith", f"No edema {n}, pneumonia is unlikely.") for n in (1, 2))]


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
@pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
@pytest.mark.parametrize("broken", [False, True])
def test_no_cut_of_a_table_is_silent(
    separator: str, order: tuple[int, ...], quoting: int, broken: bool, tmp_path: Path
) -> None:
    rows = [[row[k].replace(", ", ",\n") if broken else row[k] for k in order] for row in ROWS]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator="\n").writerows(rows)
    data, path = out.getvalue(), tmp_path / "a.csv"
    ends = {len(data), *(data.index(f"A{n}") - 1 for n in (1, 2))}
    texts = {row[0]: row[2].replace(", ", ",\n") if broken else row[2] for row in ROWS}
    for n in range(data.index("\n") + 1, len(data), 3 if broken else 2):
        path.write_text(data[:n], encoding="utf-8", newline="")
        documents, rejected, notes = read_documents_csv(path)
        wrong = [d for d in documents if d.text != texts[d.report_id]]
        assert not wrong, n
        last_line = data[:n].rpartition("\n")[2]
        if last_line.strip() and n not in ends:
            assert len(rejected) or notes, n


def test_a_last_row_whose_text_breaks_off_is_left_out_until_somebody_has_looked(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("report_id,text\nA1,No edema.\nA2,Pneumonia is", encoding="utf-8")
    documents, rejected, notes = read_documents_csv(path)
    assert ([d.report_id for d in documents], rejected["reason"].tolist(), notes) == (
        ["A1"],
        [UNENDED_ROW.sentence],
        [],
    )
    documents, rejected, notes = read_documents_csv(path, preset=AS_WHOLE)
    assert ([d.report_id for d in documents], len(rejected)) == (["A1", "A2"], 0)
    assert str(notes[0]).endswith("It was read as whole.")
    path.write_text("report_id,text\nA1,No edema.\nA2", encoding="utf-8")
    documents, rejected, notes = read_documents_csv(path)
    assert ([d.report_id for d in documents], len(rejected), notes) == (["A1"], 1, [])
    path.write_text("report_id,text\nA1,No edema.\nA2,Pneumonia is likely.", encoding="utf-8")
    documents, rejected, notes = read_documents_csv(path)
    assert ([d.report_id for d in documents], len(rejected)) == (["A1", "A2"], 0)
    assert str(notes[0]) == f"a.csv, row 3: {UNENDED_ROW.sentence} The row was read."
