"""A person's drafts beside the signed wording: their own alone, also where no report is attributed to them."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest
from pypdf import PdfReader

from radcal import cli
from radcal.calibration.cases import ChangedPhrase, Drafts
from radcal.chain import run_chain
from radcal.department import Department
from radcal.reports.importing import as_files
from radcal.system.errors import InputError
from radcal.system.selection import Days

HEADER = (
    "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Dictated By,Signing Radiologist,Status,Report Time"
)


def both(number: int, draft: str, signed: str, dictator: str, signer: str = "Roe, Ann") -> list[str]:
    """The rows of an X-ray report, and its CT."""
    of = f'X{number},P{number},XR CHEST,CR,2024-03-{number:02} 08:00,"IMPRESSION: %s","{dictator}",%s'
    return [
        of % (draft, f",Preliminary,2024-03-{number:02} 08:20"),
        of % (signed, f'"{signer}",Final,2024-03-{number:02} 08:40'),
        f"C{number},P{number},CT CHEST,CT,2024-03-{number:02} 10:00,IMPRESSION: Pulmonary edema.,,"
        f'"Poe, Kim",Final,2024-03-{number:02} 12:00',
    ]


ROWS = (
    *both(1, "Likely edema.", "Edema.", "DOE, JANE MD"),
    *both(2, "Likely edema.", "Edema. No effusion.", "Doe, Jane"),
    *both(3, "Possible pneumonia.", "Possible pneumonia.", "Doe, Jane"),
    *both(4, "Unicorn seen. Possible edema.", "Edema.", "Moe, Max"),
    *both(5, "Possible edema.", "Edema.", "Roe, Ann"),  # signed by herself
    *both(6, "Possible edema.", "Edema.", "Doe, Jane", ""),  # signed by nobody
)


@pytest.fixture
def read(department: Department, tmp_path: Path) -> Department:
    path = tmp_path / "reports.csv"
    path.write_text("\n".join((HEADER, *ROWS)), encoding="utf-8")
    assert run_chain(department, as_files([path])).analysis is not None
    return department


def text_of(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def test_who_dictated_has_the_own_drafts_alone(read: Department) -> None:
    assert "Doe, Jane" not in read.authors()
    assert read.pages.drafting() == ("Doe, Jane", "Moe, Max")
    own = Drafts(read).of("Doe, Jane")
    assert [(day, c.draft.text) for day, c in own.compared] == [
        (date(2024, 3, 3), "IMPRESSION: Possible pneumonia."),
        (date(2024, 3, 2), "IMPRESSION: Likely edema."),
        (date(2024, 3, 1), "IMPRESSION: Likely edema."),
    ]
    assert [tuple(p for p in c.phrases if p.changed) for _, c in own.compared] == [
        (),
        (ChangedPhrase("edema", "likely", "present"), ChangedPhrase("pleural effusion", "", "absent")),
        (ChangedPhrase("edema", "likely", "present"),),
    ]
    days = Days(date(2024, 3, 2), date(2024, 3, 2))
    assert [day for day, _ in Drafts(read).of("Doe, Jane", days).compared] == [date(2024, 3, 2)]


def test_the_pages_count_the_changes_and_name_nobody_else(read: Department) -> None:
    said = text_of(read.pages.drafts_pdf("Doe, Jane"))
    for part in ("Doe, Jane", "3 drafts", "1 of 3", "2 of 3", "edema (2)", "pleural effusion (1)", "Likely edema"):
        assert part in said
    for part in ("Roe", "Moe", "Unicorn", "Poe", "X1"):
        assert part not in said
    assert read.pages.drafts_pdf("Doe, Jane") == read.pages.drafts_pdf("Doe, Jane")
    empty = text_of(read.pages.drafts_pdf("Doe, Jane", days=Days(date(2025, 1, 1), None)))
    assert "0 drafts" in empty


def test_somebody_without_drafts_is_told_who_has_some(read: Department) -> None:
    with pytest.raises(InputError, match=r"no drafts by 'Roe, Ann'.*There are drafts by: Doe, Jane; Moe, Max"):
        read.pages.drafts_pdf("Roe, Ann")


def test_the_command_line_writes_them(
    read: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = read.path, tmp_path / "drafts.pdf"
    read.close()
    monkeypatch.setenv("RADCAL_PASSPHRASE", make.passphrase)
    asked = ["report", "--drafts", "--workspace", str(path), "--author", "doe, jane", "--out", str(out)]
    assert cli.main(asked) == 0, capsys.readouterr().err
    assert "Doe, Jane" in text_of(out.read_bytes())
