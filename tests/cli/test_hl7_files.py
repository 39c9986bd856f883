"""`radcal run` on HL7 files that may be cut short; other files of messages are read by the tests of strangers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radcal import cli

PASSPHRASE = "plum tree orchard"


def message(n: int, patient: str, exam: str, modality: str, at: str, text: str) -> str:
    """A message of an interface that writes findings and impression apart."""
    return "\r".join(
        (
            f"MSH|^~\\&|RIS|HOSP|PACS|HOSP|{at}||ORU^R01^ORU_R01|M{n}|P|2.5.1",
            f"PID|1||{patient}^^^HOSP^MR||Quackenbush^Zebulon||19600101|F",
            f"OBR|1|PL{n}|A{n}|{exam}|||{at}|||||||||||||||{at}||{modality}|F|||||||R{n % 2}&Roe",
            f"OBX|1|TX|&GDT||{text}||||||F",
            f"OBX|2|TX|&IMP||{text}||||||F",
            "",
        )
    )


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
