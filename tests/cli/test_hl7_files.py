"""HL7 files and folders go through extract and run like tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from radcal import cli

PASSPHRASE = "plum tree orchard"


def message(
    n: int, patient: str, exam: str, modality: str, at: str, text: str, status: str = "F", number: str = ""
) -> str:
    """A message of an interface that writes findings and impression apart."""
    return "\r".join(
        (
            f"MSH|^~\\&|RIS|HOSP|PACS|HOSP|{at}||ORU^R01^ORU_R01|M{n}|P|2.5.1",
            f"PID|1||{patient}^^^HOSP^MR||Quackenbush^Zebulon||19600101|F",
            f"OBR|1|PL{n}|{number or f'A{n}'}|{exam}|||{at}|||||||||||||||{at}||{modality}|{status}|||||||R{n % 2}&Roe",
            f"OBX|1|TX|&GDT||{text}||||||{status}",
            f"OBX|2|TX|&IMP||{text}||||||{status}",
            "",
        )
    )


def test_extract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "results.hl7", tmp_path / "findings.csv"
    path.write_text(
        message(1, "P1", "MG1^MAMMOGRAM", "MG", "20240305", "Possible mass.")
        + "MSH|^~\\&|RIS|HOSP|||20240305||ADT^A08|M2|P|2.5\rPID|1||P1||Quackenbush^Zebulon\r"
        + message(3, "P2", "MR1^MRI BRAIN", "MR", "20240306", "No mass.")
        + message(4, "P2", "MR1^MRI BRAIN", "MR", "20240306", "")
        + message(5, "P2", "MR1^MRI BRAIN", "MR", "20240307", "Probable mass.", "C", "A3"),
        encoding="utf-8",
    )
    assert cli.main(["extract", str(path), "--out", str(out), "--json"]) == 1  # something was left out
    said = json.loads(capsys.readouterr().out)
    assert (said["reports"], said["findings"] > 0) == (3, True)
    assert [(f["file"], f["position"], f["reason"]) for f in said["failures"]] == [
        ("results.hl7", 2, "The message is no report: it is of another type."),
        ("results.hl7", 4, "The message has no text."),
    ]
    with out.open(encoding="utf-8", newline="") as file:
        assert {row["report_id"]: row["phrase"] for row in csv.DictReader(file)} == {
            "A1": "possibly",
            "A3": "absent",
            "A3/M5": "probably",
        }


def test_what_may_be_cut_short_is_a_failure_until_somebody_has_looked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    path = tmp_path / "results.hl7"
    whole = "".join(
        message(10 * n, f"P{n}", "71046^XR CHEST", "CR", "202403010900", "Possible pneumonia.")
        + message(10 * n + 1, f"P{n}", "71250^CT CHEST", "CT", "202403011100", "Pneumonia is unlikely.")
        for n in (1, 2)
    )
    path.write_text(whole[: -len(" unlikely.||||||F\r")], encoding="utf-8", newline="")
    command = ["run", "--reports", str(path), "--workspace", str(tmp_path / "d.radcal"), "--out", str(tmp_path / "o")]
    assert cli.main([*command, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    [failure] = said["failures"]
    assert said["pairs"] == 1
    assert (failure["file"], failure["row"], bool(failure["accession"])) == ("results.hl7", 4, True)
    assert "does not end" in failure["reason"] or "has no status" in failure["reason"]
    assert "--as-whole" in failure["remedy"]
    cli.main([*command, "--as-whole", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert said["failures"] == []
    assert said["pairs"] == 2


def test_run_and_again_with_more_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    folder = tmp_path / "messages"
    (folder / "ct").mkdir(parents=True)

    def put(n: int) -> None:
        xray = message(n, f"P{n}", "71046^XR CHEST", "CR", f"202403{n:02}0900", "Possible pneumonia.")
        ct = message(100 + n, f"P{n}", "71250^CT CHEST", "CT", f"202403{n:02}1100", "Pneumonia.")
        (folder / f"{n}.hl7").write_text(xray, encoding="utf-8")
        (folder / "ct" / str(n)).write_text(ct, encoding="utf-8")

    def run() -> dict[str, object]:
        words = ["--reports", folder, "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "out", "--json"]
        assert cli.main(["run", *map(str, words)]) == 1  # the acknowledgement was left out
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        return found

    put(1)
    put(2)
    (folder / "ack").write_text("MSH|^~\\&|RIS|HOSP|||20240305||ACK|M9|P|2.5\rMSA|AA|1\r", encoding="utf-8")
    assert run()["pairs"] == 2
    put(3)
    (folder / "2b.hl7").write_text(
        message(2, "P2", "71046^XR CHEST", "CR", "202403020900", "No pneumonia.", "C"), encoding="utf-8"
    )
    said = run()
    assert said["pairs"] == 3
    rejected = (tmp_path / "out" / "rejected.csv").read_text(encoding="utf-8")
    assert "messages/ack" in rejected
    assert "Quackenbush" not in rejected
