"""Annotated reports as the benchmarks read them: made-up ones beside this file, and those of whoever has some.

A file of made-up reports is plain text.  A report begins with "## id | modality | style"; its text is followed by
its statements, ">> pathology | phrase | cue | begin of its sentence", "-" for no cue, the last where there are several.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.reports.sections import document
from radcal.review.files import read_gold

MADE_UP = Path(__file__).parent / "reports"
SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "gold"
PATHOLOGIES = frozenset((
    "aspiration", "atelectasis", "cardiomegaly", "consolidation", "edema", "emphysema", "fibrosis", "fracture",
    "granuloma", "hernia", "infection", "lymphadenopathy", "malignancy", "mass", "nodule", "opacity",
    "pericardial effusion", "pleural effusion", "pleural thickening", "pneumothorax", "pulmonary embolism",
))  # fmt: skip
"""The pathologies that the annotators were asked for; what an engine finds besides is neither right nor wrong."""
CODES = {"Effusion": "pleural effusion", "Infiltration": "opacity", "Pneumonia": "infection"}
"""The pathologies of codes of another name."""
LABELS = {
    "Cardiomegaly": "cardiomegaly",
    "Pericardial effusion": "pericardial effusion",
    "Hiatal hernia": "hernia",
    "Lymphadenopathy": "lymphadenopathy",
    "Emphysema": "emphysema",
    "Atelectasis": "atelectasis",
    "Lung nodule": "nodule",
    "Lung opacity": "opacity",
    "Pulmonary fibrotic sequela": "fibrosis",
    "Pleural effusion": "pleural effusion",
    "Consolidation": "consolidation",
    "Bronchiectasis": "bronchiectasis",
}
"""Labels of the published CT reports, and the pathologies that they stand for."""
_CELLS = 3, 4


@dataclass(frozen=True, slots=True)
class Statement:
    """What an annotator wrote down."""

    report_id: str
    pathology: str
    phrase: str


@dataclass(frozen=True, slots=True)
class AnnotatedSet:
    """Reports with what they state; ``reports`` are named "set:id"."""

    name: str
    documents: tuple[Document, ...]
    statements: tuple[Statement, ...]


def sets_at_hand() -> Iterator[AnnotatedSet]:
    """The made-up sets, then the real reports and the public texts if they are at hand."""
    for path in sorted(MADE_UP.glob("*.txt")):
        yield read_made_up(path)
    if (SHARED / "dev_reports.jsonl").is_file():
        yield _real()
    if (SHARED / "public" / "texts.csv").is_file():
        yield _public()


def read_made_up(path: Path) -> AnnotatedSet:
    """The reports of a file.

    Raises:
        ValueError: a statement is malformed, or its cue or sentence does not stand in its report.
    """
    documents, statements = [], []
    for block in f"\n{path.read_text(encoding='utf-8')}".split("\n## ")[1:]:
        heading, _, rest = block.partition("\n")
        report_id, modality, _style = (part.strip() for part in heading.split("|", 2))
        text, *rows = rest.split("\n>> ")
        for row in rows:
            cells = [cell.strip() for cell in row.split(" | ")]
            if len(cells) not in _CELLS or cells[0] not in PATHOLOGIES:
                raise ValueError(f"{path.name}, {report_id}: {row.strip()!r} is no statement")
            for words in cells[2:]:
                if words != "-" and " ".join(words.split()) not in " ".join(text.split()):
                    raise ValueError(f"{path.name}, {report_id}: {words!r} does not stand in the report")
            statements.append(Statement(report_id, cells[0], cells[1]))
        documents.append(document(report_id, f"{text.strip()}\n", Modality(modality)))
    return AnnotatedSet(path.stem, tuple(documents), tuple(statements))


def _real() -> AnnotatedSet:
    documents = []
    for line in (SHARED / "dev_reports.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text, sentences = "", []
        for words, section in zip(row["sentences"], row["sections"], strict=True):
            where = Section.IMPRESSION if section == "I" else Section.FINDINGS
            sentences.append(Sentence(where, len(text), len(text) + len(words), words))
            text += f"{words}\n"
        modality = Modality.CT if row["modality"] == "CT" else Modality.XRAY
        documents.append(Document(row["id"], text, tuple(sentences), modality))
    rows = read_gold(SHARED / "dev_gold.tsv")
    return AnnotatedSet("real", tuple(documents), tuple(Statement(r.report_id, r.pathology, r.phrase) for r in rows))


def _public() -> AnnotatedSet:
    folder = SHARED / "public"
    rows = read_gold(folder / "gold.tsv")
    statements = tuple(Statement(r.report_id, r.pathology, r.phrase) for r in rows if r.pathology)
    documents = tuple(_of_sections(row) for row in _rows(folder / "texts.csv"))
    return AnnotatedSet("public", documents, statements)


def labelled() -> tuple[list[Document], dict[str, set[str]]]:
    """Published CT reports, and by pathology those labelled with it; empty if not at hand.

    Source: CT-RATE of CT-CLIP; the labels were set by hand.
    """
    path = SHARED / "ctrate_dev.csv"
    if not path.is_file():
        return [], {}
    rows = _rows(path)
    documents = [document(row["AccessionNo"], row["report_text"], Modality.CT) for row in rows]
    return documents, {
        name: {row["AccessionNo"] for row in rows if float(row[label] or 0) > 0.5} for label, name in LABELS.items()
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _of_sections(row: dict[str, str]) -> Document:
    text = "\n\n".join(f"{name.upper()}: {row[name]}" for name in ("findings", "impression") if row[name].strip())
    return document(row["report_id"], text, Modality.XRAY)


def coded() -> tuple[list[Document], set[tuple[str, str]]]:
    """Real X-ray reports and what indexers coded as present in them: (report, pathology); empty if not at hand."""
    if not (SHARED / "xray_dev_reports.csv").is_file():
        return [], set()
    present = {
        (r["report_id"], CODES.get(code, code.replace("_", " ").lower()))
        for r in _rows(SHARED / "xray_dev_findings14.csv")
        for code, value in r.items()
        if value == "1" and code != "normal"
    }
    return [_of_sections(row) for row in _rows(SHARED / "xray_dev_reports.csv")], present
