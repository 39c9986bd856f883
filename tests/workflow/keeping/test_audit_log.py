"""What a department's audit log has, and what leaves with its head."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from radcal.errors import InputError
from radcal.records.gold import Action, new_name
from radcal.records.log import Fit
from radcal.workflow import Department, open_department, open_workspace
from radcal.workflow.keeping.audit_log import kind_of, sentences
from radcal.workflow.keeping.receipts import in_groups, read_receipt


def entries(department: Department) -> list[tuple[str, dict[str, int]]]:
    return [(entry.what, json.loads(entry.counts)) for entry in department.audit_log.entries()]


def since(department: Department, last: int) -> list[str]:
    return [entry.what for entry in department.audit_log.entries() if entry.entry > last]


def test_settings_are_entered_with_what_they_were_and_are(analysed: Department) -> None:
    last, before = analysed.audit_log.head.entry, analysed.settings
    changed = before.changed(
        seed=before.seed + 1, model="/home/somebody/private/model.gguf", allowed_phrases=("likely", "possible")
    )
    analysed.save_settings(changed)
    assert since(analysed, last) == [
        "setting model: none before, model.gguf now",
        f"setting seed: {before.seed} before, {before.seed + 1} now",
        "setting allowed_phrases: 0 in the list before, 2 in the list now",
        "settings saved",
    ]
    assert entries(analysed)[-1][1] == {"changed": 3}
    analysed.save_settings(changed)
    assert since(analysed, last)[4:] == ["settings saved"]
    analysed.save_settings(before.changed(lexicon_dir="x" * 300 + "\n"))
    assert any("x" * 40 + "... now" in what for what in since(analysed, last))


def test_words_and_answers_of_a_survey_are_entered(analysed: Department) -> None:
    last = analysed.audit_log.head.entry
    analysed.words.save(analysed.words.lexicon)
    answered = replace(analysed.words.new_response(seed=1), answers=(("likely", 0.7),))
    analysed.words.save_response(answered)
    analysed.words.remove_response(answered.key)
    assert since(analysed, last) == ["words changed", "survey answer saved", "survey answer removed"]


def test_a_gold_report_is_entered_once_for_all_that_is_done_on_it(analysed: Department) -> None:
    analysed.gold.draw(4, seed=5)
    analysed.gold.begin("AB")
    reports = [report.report_id for report in analysed.gold.reports()]
    for report_id in (reports[0], reports[2], reports[0], reports[0]):
        analysed.gold.mark("AB", Action(new_name(), report_id, (), done=True, blind=True))
    read = [counts for what, counts in entries(analysed) if what == "gold report read"]
    assert read == [{"set": 1, "report": 1}, {"set": 1, "report": 3}]


def test_a_case_is_entered_once_while_the_workspace_is_open_and_by_numbers(
    analysed: Department, make: Any, anyone: str, ask: Any
) -> None:
    row = analysed.groups.evidence(ask(anyone)).iloc[0]
    for _ in range(2):
        analysed.cases.case(row["xray_id"], row["ct_id"])
    assert Counter(what for what, _ in entries(analysed))["opened a report"] == 2
    assert row["xray_id"] not in str(entries(analysed))
    path, opened = analysed.path, [what for what, _ in entries(analysed)].count("workspace opened")
    analysed.close()
    with open_department(path, make.passphrase) as again:
        again.cases.case(row["xray_id"], row["ct_id"])
        assert Counter(what for what, _ in entries(again))["opened a report"] == 4
        assert [what for what, _ in entries(again)].count("workspace opened") == opened + 1
    with open_workspace(path, make.passphrase, read_only=True) as looked:
        before = looked.audit_log.head
        looked.cases.case(row["xray_id"], row["ct_id"])
        assert looked.audit_log.head == before


def test_what_was_looked_at_is_entered_once_and_on_closing_at_the_latest(analysed: Department, make: Any) -> None:
    for what in ("viewed advice of A", "viewed advice of A", "viewed advice of B"):
        analysed.looked_at(what)
    assert not any(what.startswith("viewed") for what, _ in entries(analysed))
    analysed.enter_looks()
    analysed.looked_at("viewed advice of A")
    analysed.looked_at("viewed advice of C")
    path = analysed.path
    analysed.close()
    analysed.close()
    with open_workspace(path, make.passphrase, read_only=True) as again:
        said = [what for what, _ in entries(again)]
    assert said[-4:] == ["viewed advice of A", "viewed advice of B", "viewed advice of C", "workspace closed"]


def test_what_was_looked_at_before_names_were_replaced_is_entered_after_it(
    analysed: Department, tmp_path: Path
) -> None:
    analysed.looked_at("viewed advice of A")
    analysed.replace_names(tmp_path / "who.names")
    assert not any(what.startswith("viewed") for what, _ in entries(analysed))
    analysed.enter_looks()
    assert entries(analysed)[-1][0] == "viewed advice of A"


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("names key opened", "looked"),
        ("workspace opened", "looked"),
        ("viewed advice of Avery", "looked"),
        ("names key copied", "out"),
        ("copied picture", "out"),
        ("backup made", "kept"),
        ("workspace created", "kept"),
        ("names key moved", "changed"),
    ],
)
def test_entries_are_of_one_kind(what: str, kind: str) -> None:
    assert kind_of(what) == kind


def test_looking_makes_no_backup_worth_while(analysed: Department) -> None:
    analysed.backups.back_up()
    analysed.looked_at("viewed reliability of Reader-1")
    analysed.enter_looks()
    analysed.exports.copied("picture")
    assert analysed._workspace.is_backed_up
    analysed.contests.add("xray:1", "edema", "somebody", "likely")
    assert not analysed._workspace.is_backed_up


def test_what_is_handed_out_is_entered_by_pseudonym_and_leaves_a_receipt(
    analysed: Department, tmp_path: Path, anyone: str
) -> None:
    pseudonym = analysed.pseudonyms()[anyone]
    analysed.pages.write(anyone, tmp_path / "one" / f"{anyone}.pdf")
    written = analysed.handing_out.write_all(tmp_path / "all", packets=True)
    analysed.pages.enter_printed(anyone, 2)
    analysed.pages.enter_printed("", 1)
    said = [what for what, _ in entries(analysed)]
    assert said.count(f"handed out pages as PDF to {pseudonym}") == 2
    assert f"handed out personal file to {pseudonym}" in said
    assert f"handed out printed pages to {pseudonym}" in said
    assert "exported pages to a printer" in said
    assert not any(part in " ".join(said) for author in analysed.authors() for part in author.split(", "))
    assert len([*analysed.backups.folder.glob("receipt-*.json")]) == 1  # of the printed pages
    receipts = [*tmp_path.glob("*/receipt-*.json")]
    assert len(receipts) == 3
    assert {w.receipt for w in written} <= {*receipts}
    content = json.loads(written[0].receipt.read_text(encoding="utf-8"))
    handed = {"what": "personal file", "to": pseudonym}
    assert handed in content["handed_out"]
    assert not any(part in str(content) for author in analysed.authors() for part in author.split(", "))
    found = analysed.audit_log.verify(receipts)
    assert found.holds
    assert [w.fit for w in found.witnesses] == [Fit.FITS] * 3
    (own,) = [path for w in written if w.author == anyone for path in w.files if path.suffix == ".radcal"]
    (passphrase,) = [w.passphrase for w in written if w.author == anyone]
    found = analysed.audit_log.verify([own], [passphrase])
    assert [w.fit for w in found.witnesses if w.file == own] == [Fit.FITS]
    unopened = analysed.audit_log.verify([own])
    assert [w.fit for w in unopened.witnesses if w.file == own] == [Fit.UNREADABLE]
    assert "could not be asked" in sentences(unopened)[-1]


def test_receipts_are_asked_where_they_were_left(analysed: Department, tmp_path: Path, anyone: str) -> None:
    state = analysed._workspace.state()
    for folder in ("one", "two", "two"):
        analysed.pages.write(anyone, tmp_path / folder / "page.pdf")
    assert analysed._workspace.state() != state  # by the hand-outs
    left = sorted(tmp_path.glob("*/receipt-*.json"))
    found = analysed.audit_log.verify()
    assert sorted(x.file for x in found.witnesses if x.fit is Fit.FITS) == left
    assert len(left) == 3
    left[0].unlink()
    state = analysed._workspace.state()
    analysed._workspace.note_receipt(left[1])
    assert analysed._workspace.state() == state  # no backup for that
    content = json.loads(left[1].read_text(encoding="utf-8"))
    left[1].write_text(json.dumps(content | {"log": "cd" * 16}), encoding="utf-8")
    found = analysed.audit_log.verify()
    assert not found.holds
    assert {x.file: x.fit for x in found.witnesses} == {left[1]: Fit.RENAMED, left[2]: Fit.FITS}
    assert sentences(found)[0].startswith("The log is not the one that is known of it elsewhere")


def test_no_receipt_is_left_where_the_log_could_not_have_the_hand_out(
    analysed: Department, make: Any, tmp_path: Path, anyone: str
) -> None:
    with open_workspace(analysed.path, make.passphrase, read_only=True) as looked:
        looked.pages.write(anyone, tmp_path / "one" / "x.pdf")
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["x.pdf"]


def test_what_was_handed_out_stays_so_where_no_receipt_can_be_left(
    analysed: Department, tmp_path: Path, anyone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("radcal.workflow.keeping.receipts.free_name", full)
    last = analysed.audit_log.head.entry
    assert analysed.pages.write(anyone, tmp_path / "a.pdf").exists()
    assert analysed.audit_files.write(tmp_path / "log.radcal", "own words of theirs").exists()
    one = analysed.handing_out.write_packet(anyone, tmp_path / "own.radcal", "own words of hers")
    several = analysed.handing_out.write_all(tmp_path / "all", [anyone])
    analysed.pages.enter_printed(anyone, 1)
    for written in (one, *several):
        assert (written.receipt, written.failure) == (None, "")
    said = analysed.exports.remarks()
    assert len(said) == 3, "three single files lie in one folder"
    assert all("no receipt of it could be left" in text and "No space left" in text for text in said)
    assert analysed.exports.remarks() == ()
    assert since(analysed, last).count("no receipt could be left") == 5
    assert not [*tmp_path.rglob("receipt-*")]


def test_an_audit_file_and_a_single_personal_file_leave_a_receipt(
    analysed: Department, tmp_path: Path, anyone: str
) -> None:
    for folder in ("audit", "own"):
        (tmp_path / folder).mkdir()
    analysed.audit_files.write(tmp_path / "audit" / "log.radcal", "own words of theirs")
    written = analysed.handing_out.write_packet(anyone, tmp_path / "own" / "own.radcal", "own words of hers")
    (receipt,) = (tmp_path / "audit").glob("receipt-*.json")
    assert [*(tmp_path / "own").glob("receipt-*.json")] == [written.receipt]
    found = analysed.audit_log.verify([receipt, written.receipt])
    assert [w.fit for w in found.witnesses] == [Fit.FITS] * 2


def test_a_head_is_read_aloud_in_groups_of_four(analysed: Department, tmp_path: Path, anyone: str) -> None:
    analysed.pages.write(anyone, tmp_path / "x.pdf")
    (receipt,) = tmp_path.glob("receipt-*.json")
    content = json.loads(receipt.read_text(encoding="utf-8"))
    groups = content["head"].split()
    assert len(groups) == 16
    assert {len(group) for group in groups} == {4}
    known = read_receipt(receipt)
    assert (known.head.entry, in_groups(known.head.hash)) == (content["entry"], content["head"])


@pytest.mark.parametrize(
    "content",
    ["{}", "[]", "{", '{"form": "another"}', '{"form": 3, "log": "x"}', "{" * 10_000, '{"form": "RadCal receipt of an'],
)
def test_what_is_no_receipt_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "receipt-1.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="is no receipt of an audit log"):
        read_receipt(path)


def test_every_entry_has_a_kind(analysed: Department) -> None:
    kinds = {
        "workspace opened": "looked",
        "viewed advice of Reader-1": "looked",
        "opened a report": "looked",
        "names listed": "looked",
        "workspace created": "kept",
        "backup made": "kept",
        "passphrase changed": "kept",
        "exported table as CSV: x.csv": "out",
        "handed out pages as PDF to Reader-1": "out",
        "copied picture to the clipboard": "out",
        "setting seed: 1 before, 2 now": "changed",
        "reports imported": "changed",
    }
    assert {what: kind_of(what) for what in kinds} == kinds
