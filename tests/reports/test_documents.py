"""Reports for extraction alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.reports import reasons
from radcal.reports.documents import read_documents_csv
from radcal.reports.records import Modality, Section
from radcal.system.errors import InputError


def write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "reports.csv"
    path.write_text(content, encoding="utf-8", newline="")
    return path


def test_findings_and_impression(tmp_path: Path) -> None:
    documents, rejected, _ = read_documents_csv(
        write(tmp_path, "report_id,findings,impression\nR1,Clear.,Normal.\nR2,,Edema.\n")
    )
    assert [d.report_id for d in documents] == ["R1", "R2"]
    assert [(s.section, s.text) for s in documents[0].sentences] == [
        (Section.FINDINGS, "Clear."), (Section.IMPRESSION, "Normal."),
    ]  # fmt: skip
    assert documents[1].text == "IMPRESSION:\nEdema."
    assert rejected.empty


def test_whole_texts_stay_as_they_are(tmp_path: Path) -> None:
    content = 'Report ID;Modality;Report Text\nR1;CT;"FINDINGS: Clear.\nIMPRESSION: Normal."\nR2;?;Edema.\n'
    documents, _, _ = read_documents_csv(write(tmp_path, content))
    assert documents[0].text == "FINDINGS: Clear.\nIMPRESSION: Normal."
    assert [d.modality for d in documents] == [Modality.CT, None]


def test_faults_are_listed(tmp_path: Path) -> None:
    documents, rejected, _ = read_documents_csv(
        write(tmp_path, "accession,text\nR1,\nR2,Clear.\nR2,Other.\n,Edema.\nR3\n")
    )
    assert [(d.report_id, len(d.sentences)) for d in documents] == [("R1", 0), ("R2", 1)]
    assert rejected[["row", "reason"]].to_numpy().tolist() == [
        [2, reasons.NO_TEXT.sentence], [4, reasons.REPEATED_ID.sentence],
        [5, reasons.NO_ID.sentence], [6, reasons.TOO_FEW_CELLS.sentence],
    ]  # fmt: skip


def test_columns_can_be_mapped_and_are_needed(tmp_path: Path) -> None:
    path = write(tmp_path, "report_id,words\nR1,Clear.\n")
    assert read_documents_csv(path, mapping={"text": "words"})[0][0].text == "Clear."
    with pytest.raises(InputError, match="the report text or the findings or the impression"):
        read_documents_csv(path)
    with pytest.raises(InputError, match="no 'exam_time'"):
        read_documents_csv(path, mapping={"exam_time": "words"})


def test_a_report_of_more_than_a_megabyte_is_listed_and_not_read(tmp_path: Path) -> None:
    path = write(tmp_path, f"report_id,text\nR1,Clear.\nR2,{'No effusion. ' * 81_000}\n")
    documents, rejected, _ = read_documents_csv(path)
    assert [d.report_id for d in documents] == ["R1"]
    assert rejected[["row", "reason", "accession"]].to_numpy().tolist() == [[3, reasons.TOO_LONG.sentence, "R2"]]
