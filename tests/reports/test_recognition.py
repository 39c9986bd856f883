"""Exports in the manner of hospital systems are recognised: made-up headers, and values of each kind.

exports.txt has a system a line, with its columns as NAME:field:kind of values.  Before names of these systems were in
the table of names, words that mean the same found 265 of 309 fields of the second part; two columns were taken for what
they are not.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from radcal.reports.columns import guess
from radcal.reports.fields import REPORT_FIELDS, reports_need

_EXAMS = (
    ("CR", "XR CHEST 2 VIEWS"),
    ("DX", "XR CHEST PORTABLE"),
    ("CT", "CT CHEST W CONTRAST"),
    ("CT", "CTA CHEST PE"),
)
_GERMAN = (("CR", "Röntgen Thorax in 2 Ebenen"), ("CT", "CT Thorax mit KM"), ("DX", "Rö Thorax im Liegen"))
_LAST = ("Ashworth", "Birch", "Castellan", "Dunmore", "Eskildsen", "Fairweather", "Gilchrist", "Holloway")
_FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal")
_SENTENCES = (
    "Mild bibasilar atelectasis. No pleural effusion or pneumothorax. Heart size is at the upper limit of normal.",
    "There is a small left pleural effusion, possibly with adjacent atelectasis; pneumonia cannot be excluded.",
    "No acute cardiopulmonary abnormality. The lungs are clear and the cardiomediastinal contours are unremarkable.",
)


@dataclass(frozen=True, slots=True)
class Export:
    """name: of the system;  header: names of columns;  fields: field -> column;  rows: values"""

    name: str
    header: list[str]
    fields: dict[str, str]
    rows: list[list[str]]


def _moment(r: random.Random, pattern: str) -> str:
    parts = {
        "y": 2024, "m": r.randint(1, 12), "d": r.randint(1, 28), "H": r.randint(0, 23), "M": r.randint(0, 59),
        "S": r.randint(0, 59),
    }  # fmt: skip
    return pattern.format(**parts)


_ISO, _US = "{y}-{m:02}-{d:02} {H:02}:{M:02}:{S:02}", "{m}/{d}/{y} {H}:{M:02}"
_KINDS: dict[str, Callable[[random.Random, int], str]] = {
    "acc": lambda r, i: f"{48210000 + 37 * i}",
    "lacc": lambda r, i: f"RAD{24000000 + 11 * i}",
    "uid": lambda r, i: f"1.2.840.113619.2.{i}.{r.randint(1000, 9999)}",
    "mrn": lambda r, i: f"{70010 + i // 2 * 7:08}",
    "int": lambda r, i: str(910000 + 3 * i),
    "few": lambda r, i: str(r.randint(1, 4)),
    "iso": lambda r, i: _moment(r, _ISO),
    "us": lambda r, i: _moment(r, _US),
    "ger": lambda r, i: _moment(r, "{d:02}.{m:02}.{y} {H:02}:{M:02}"),
    "hl7": lambda r, i: _moment(r, "{y}{m:02}{d:02}{H:02}{M:02}{S:02}"),
    "day": lambda r, i: _moment(r, "{y}-{m:02}-{d:02}"),
    "gday": lambda r, i: _moment(r, "{d:02}.{m:02}.{y}"),
    "hl7day": lambda r, i: _moment(r, "{y}{m:02}{d:02}"),
    "clock": lambda r, i: _moment(r, "{H:02}:{M:02}"),
    "hl7clock": lambda r, i: _moment(r, "{H:02}{M:02}{S:02}.123"),
    "birth": lambda r, i: f"{r.randint(1935, 2004)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
    "doc": lambda r, i: f"{_LAST[r.randrange(4)]}, {_FIRST[r.randrange(4)]}, MD",
    "res": lambda r, i: f"{_FIRST[4 + r.randrange(4)]} {_LAST[4 + r.randrange(4)]}",
    "login": lambda r, i: f"{_LAST[r.randrange(5)][:6].lower()}{r.randint(1, 2)}",
    "provid": lambda r, i: str(r.choice((100231, 100877, 101345, 100912))),
    "name": lambda r, i: f"{r.choice(_LAST)}^{r.choice(_FIRST)}{i}".replace(str(i), "") + chr(65 + i % 26),
    "mod": lambda r, i: _EXAMS[i % 4][0],
    "exam": lambda r, i: _EXAMS[i % 4][1],
    "gexam": lambda r, i: _GERMAN[i % 3][1],
    "gmod": lambda r, i: _GERMAN[i % 3][0],
    "code": lambda r, i: ("IMG36", "IMG1085", "IMG202", "IMG204")[i % 4],
    "part": lambda r, i: "CHEST",
    "text": lambda r, i: (
        f"EXAM: {_EXAMS[i % 4][1]}\nFINDINGS: {r.choice(_SENTENCES)}\nIMPRESSION: {r.choice(_SENTENCES)}"
    ),
    "find": lambda r, i: r.choice(_SENTENCES),
    "imp": lambda r, i: r.choice(("No acute findings.", "Likely edema.", "Possible pneumonia in the left lower lobe.")),
    "why": lambda r, i: r.choice(("cough", "r/o PE", "shortness of breath", "fever")),
    "final": lambda r, i: r.choice(("Final", "Final", "Addendum", "Preliminary")),
    "f": lambda r, i: r.choice("FFFPC"),
    "gfinal": lambda r, i: r.choice(("freigegeben", "vidiert")),
    "sfinal": lambda r, i: r.choice(("Signerad", "Preliminär")),
    "done": lambda r, i: r.choice(("Completed", "Exam ended")),
    "yn": lambda r, i: r.choice("NNY"),
    "sex": lambda r, i: r.choice("MF"),
    "age": lambda r, i: str(r.randint(18, 96)),
    "unit": lambda r, i: r.choice(("Emergency", "ICU", "Ward 4B")),
    "prio": lambda r, i: r.choice(("STAT", "Routine")),
    "file": lambda r, i: f"p{i // 2}/s{i}.txt",
}


def _read(text: str) -> list[Export]:
    exports = []
    for line in text.strip().splitlines():
        name, _, columns = line.partition(" | ")
        cells = [column.split(":") for column in columns.split()]
        header = [
            cell[0].replace("_", " ") if any(c.islower() for c in cell[0]) and not cell[0].islower() else cell[0]
            for cell in cells
        ]
        random_ = random.Random(name)  # noqa: S311 - made-up values
        rows = [[_KINDS[kind](random_, i) for _, _, kind in cells] for i in range(24)]
        exports.append(Export(name, header, {f: h for h, (_, f, _) in zip(header, cells, strict=True) if f}, rows))
    return exports


TUNED, UNSEEN = map(_read, Path(__file__).with_name("exports.txt").read_text(encoding="utf-8").split("== unseen"))


def right_and_wrong(exports: list[Export]) -> tuple[float, int]:
    """Share of the fields whose column was found, and the number of columns taken for a field that they do not hold."""
    found = [(e.fields, dict(guess(e.header, {}, REPORT_FIELDS, e.rows).names)) for e in exports]
    right = sum(names.get(of) == column for fields, names in found for of, column in fields.items())
    wrong = sum(fields.get(of) != column for fields, names in found for of, column in names.items())
    return right / sum(len(fields) for fields, _ in found), wrong


def test_exports_of_many_systems_are_recognised_by_names_and_values() -> None:
    assert len(TUNED) + len(UNSEEN) >= 45
    assert right_and_wrong([*TUNED, *UNSEEN]) == (1.0, 0)


@pytest.mark.parametrize("export", [*TUNED, *UNSEEN], ids=lambda export: export.name)
def test_an_export_has_all_that_an_import_needs(export: Export) -> None:
    layout = guess(export.header, {}, REPORT_FIELDS, export.rows)
    assert all(any(of in layout for of in group) for group in reports_need(None, has_files=False))
    assert "signer" in layout or "dictator" in layout
