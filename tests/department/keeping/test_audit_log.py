"""What a department's audit log has, and what it is compared with."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from radcal.department import Department
from radcal.opening import open_department, open_workspace
from radcal.review.records import Action, new_name
from radcal.workspace.audit_log import head_as_plain, kind_of, sentences
from radcal.workspace.log_records import Fit
from tests.cases import cases_of

cases = cases_of(__file__)


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
    analysed.words.save(analysed.lexicon)
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


@cases("entries_are_of_one_kind")
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


def test_what_is_handed_out_is_entered_by_pseudonym(analysed: Department, tmp_path: Path, anyone: str) -> None:
    pseudonym = analysed.pseudonyms()[anyone]
    analysed.pages.write(anyone, tmp_path / "one" / f"{anyone}.pdf")
    analysed.handing_out.write_all(tmp_path / "all", personal_files=True)
    analysed.pages.enter_printed(anyone, 2)
    analysed.pages.enter_printed("", 1)
    said = [what for what, _ in entries(analysed)]
    assert said.count(f"handed out pages as PDF to {pseudonym}") == 2
    assert f"handed out personal file to {pseudonym}" in said
    assert f"handed out printed pages to {pseudonym}" in said
    assert "exported pages to a printer" in said
    assert not any(part in " ".join(said) for author in analysed.authors() for part in author.split(", "))


def test_backups_are_asked_and_others_where_a_passphrase_opens_them(analysed: Department, tmp_path: Path) -> None:
    analysed.backups.back_up()
    analysed.backup(tmp_path / "safe.radcal")
    found = analysed.audit_log.verify([tmp_path / "safe.radcal"])
    assert [w.fit for w in found.witnesses] == [Fit.FITS] * 2
    with open_department(tmp_path / "other.radcal", "own words of theirs", create=True):
        pass
    found = analysed.audit_log.verify([tmp_path / "other.radcal"])
    assert found.holds
    assert "could not be asked" in sentences(found)[-1]
    found = analysed.audit_log.verify([tmp_path / "other.radcal"], ["own words of theirs"])
    assert [w.fit for w in found.witnesses] == [Fit.FITS, Fit.RENAMED]
    assert sentences(found)[0].startswith("The log is not the one that is known of it elsewhere")


def test_a_head_is_read_aloud_in_groups_of_four(analysed: Department) -> None:
    head = analysed.audit_log.head
    groups = head_as_plain(head)["head"].split()
    assert {len(group) for group in groups} == {4}
    assert bytes.fromhex("".join(groups)) == head.hash


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
