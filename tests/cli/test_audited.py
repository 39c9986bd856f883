"""What the command line writes of a workspace is entered in its audit log, or said not to be."""

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

from radcal import workflow
from radcal.workspace import Workspace, log_chain


def entered(workspace: Path, key: str) -> set[str]:
    """The files that the audit log has; what is for one person is in it by the pseudonym."""
    with Workspace.open(workspace, key, read_only=True) as opened:
        return {what.rpartition(": ")[2] for what in opened.audit()["what"] if what.startswith("exported ")}


def handed_out(workspace: Path, key: str, what: str) -> set[str]:
    """The pseudonyms of those to whom the audit log says that something was handed out, in lower case."""
    begin = f"handed out {what} to "
    with Workspace.open(workspace, key, read_only=True) as opened:
        entries = opened.audit()["what"].tolist()
    return {entry.removeprefix(begin).lower() for entry in entries if entry.startswith(begin)}


def test_every_file_that_leaves_a_workspace_is_in_its_audit_log(radcal, author, tmp_path, key):
    workspace = tmp_path / "w.radcal"
    here = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"summary.json", "department.pdf", "pseudonyms.csv"} < here
    pages = {name for name in here if name.startswith("feedback-")}
    pages -= {name for name in pages if not name.endswith(".pdf")}
    assert entered(workspace, key) == here - pages
    named = handed_out(workspace, key, "pages as PDF")
    assert {f"feedback-{who}.pdf" for who in named} == pages
    [receipt] = [name for name in here if name.startswith("receipt-")]
    held = json.loads((tmp_path / "out" / receipt).read_text(encoding="utf-8"))
    assert {handed["to"].lower() for handed in held["handed_out"]} == named

    page = ("report", "--workspace", workspace, "--author", author, "--out", tmp_path / "a page.pdf")
    assert radcal(*page).status == 0
    assert radcal("review", "--workspace", workspace, "--out", tmp_path / "look.csv").status == 0
    kept = tmp_path / "elsewhere" / "secret.csv"
    kept.parent.mkdir()
    alls = ("personal", "--workspace", workspace, "--all", "--out", tmp_path / "files", "--passphrases", kept)
    assert radcal(*alls).status == 0
    files = {path.name for path in (tmp_path / "files").iterdir()}
    personal = {name for name in files if name.startswith("personal-")}
    assert {f"personal-{who}.radcal" for who in handed_out(workspace, key, "personal file")} == personal
    receipts = {path.name for path in tmp_path.rglob("receipt-*.json")}
    assert len(receipts) == 3
    assert entered(workspace, key) == here - pages | receipts | {"look.csv", "secret.csv"}
    checked = radcal("audit", "verify", "--workspace", workspace, "--against", *tmp_path.rglob("receipt-*.json"))
    assert checked.status == 0
    assert "4 files outside of it fit it, too." in checked.out  # the backup of the run among them

    # Somebody else has it open: the page is made, and the log, which cannot have it, is said not to.
    with workflow.open_department(workspace, key):
        done = json.loads(radcal(*page[:-1], tmp_path / "other.pdf", "--json").out)
    assert (tmp_path / "other.pdf").exists()
    assert "The audit log does not have this" in done["notes"][0]
    assert "other.pdf" not in entered(workspace, key)


def test_that_no_receipt_could_be_left_is_said(radcal, author, tmp_path, monkeypatch):
    def full(_path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("radcal.workflow.keeping.receipts.free_name", full)
    monkeypatch.setenv("RADCAL_PERSONAL_PASSPHRASE", "own words of theirs")
    workspace = ("--workspace", tmp_path / "w.radcal")
    for words in (
        ("report", *workspace, "--author", author, "--out", tmp_path / "page.pdf"),
        ("audit", "export", *workspace, "--out", tmp_path / "log.radcal"),
        ("personal", *workspace, "--author", author, "--out", tmp_path / "own.radcal"),
    ):
        done = radcal(*words)
        assert done.status == 0
        assert "no receipt of it could be left" in done.out
        assert "No space left on device" in done.out
    done = json.loads(radcal("report", *workspace, "--author", author, "--out", tmp_path / "b.pdf", "--json").out)
    assert [note[:29] for note in done["notes"]] == ["What was handed out is whole,"]


def test_a_log_that_was_rewritten_is_found_by_receipts_backups_and_the_check(radcal, words, tmp_path, key):
    radcal(*words)  # it knows where it left receipts and backups
    workspace = tmp_path / "w.radcal"
    assert radcal("backup", "--workspace", workspace, "--out", tmp_path / "safe.radcal").status == 0
    (receipt,) = (tmp_path / "out").glob("receipt-*.json")
    against = ("--against", receipt, tmp_path / "safe.radcal")
    assert radcal("audit", "verify", "--workspace", workspace, *against).status == 0
    with Workspace.open(workspace, key) as opened, opened.transaction() as db:
        for name in log_chain.guards():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE audit SET user = 'nobody' WHERE entry = 3")
    done = radcal("audit", "verify", "--workspace", workspace)
    assert done.status == 1
    assert "Entry 3 does not fit what is before it" in done.out
    assert "The rules by which the file refuses changes" in done.out
    assert radcal("check", "--workspace", workspace).status == 1
    with Workspace.open(workspace, key) as opened, opened.transaction() as db:
        for entry, hashed in list(log_chain.linked(opened.entries(), opened.log_name)):
            db.execute("UPDATE audit SET hash = ? WHERE entry = ?", (hashed, entry))
        for sql in log_chain.guards().values():
            db.execute(sql)
    done = radcal("check", "--workspace", workspace)
    assert done.status == 1  # the run's own backup is at hand
    assert "The log was rewritten: its entries fit each other, but not what is known of it elsewhere." in done.out
    shutil.rmtree(tmp_path / "w.backups")
    kept = {path: path.read_bytes() for path in tmp_path.rglob("receipt-*.json")}
    assert radcal("check", "--workspace", workspace).status == 1  # receipts are asked where they were left
    for path in kept:
        path.unlink()
    assert radcal("check", "--workspace", workspace).status == 0
    done = radcal("audit", "verify", "--workspace", workspace)
    assert done.status == 0
    assert "could have rewritten all of it unnoticed" in done.out
    for path, content in kept.items():
        path.write_bytes(content)
    done = radcal("audit", "verify", "--workspace", workspace, *against, "--json")
    found = json.loads(done.out)
    assert done.status == 1
    assert [(one["outcome"], one["first"], one["exact"]) for one in found["compared"]] == [
        ("changed", 1, False),
        ("changed", 3, True),
    ]
    damaged = receipt.with_name("receipt-0.json")
    damaged.write_text(receipt.read_text(encoding="utf-8").replace('"entry"', '"entries"'), encoding="utf-8")
    done = radcal("audit", "verify", "--workspace", workspace, "--against", damaged)
    assert "receipt-0.json is no receipt of an audit log, or was changed." in done.out


def test_without_a_passphrase_for_the_audit_file_all_sources_are_named(radcal, refused, author, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    export = ("audit", "export", "--workspace", tmp_path / "w.radcal", "--out", tmp_path / "log.radcal")
    told = refused(*export)
    assert "No passphrase for the audit file: use --own-passphrase-file FILE or set RADCAL_PERSONAL_PASSPHRASE." in told
    monkeypatch.setenv("RADCAL_PERSONAL_PASSPHRASE", "own words of theirs")
    assert radcal(*export).status == 0


def test_an_audit_file_holds_the_log_alone_and_is_verified_like_a_workspace(radcal, author, tmp_path, key):
    workspace, out, own = tmp_path / "w.radcal", tmp_path / "log.radcal", tmp_path / "own.txt"
    own.write_text("own words of theirs", encoding="utf-8")
    export = ("audit", "export", "--workspace", workspace, "--out", out)
    assert radcal(*export, "--own-passphrase-file", own).status == 0
    listed = radcal("audit", "--workspace", out, "--passphrase-file", own)
    assert listed.status == 0
    assert author not in listed.out
    assert radcal("audit", "verify", "--workspace", out, "--passphrase-file", own).status == 0
    done = radcal("audit", "verify", "--workspace", workspace, "--against", out, "--own-passphrase-file", own, "--json")
    compared = {Path(one["file"]).name: one["outcome"] for one in json.loads(done.out)["compared"]}
    assert compared["log.radcal"] == "fits"
    with Workspace.open(out, "own words of theirs", read_only=True) as opened:
        tables = [name for (name,) in opened._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = {name for name in tables if opened._db.execute(f'SELECT 1 FROM "{name}" LIMIT 1')}  # noqa: S608
        assert filled == {"meta", "audit", "sqlite_sequence"}
        assert opened.pseudonym_seed == 0
    page = ("--author", author, "--out", tmp_path / "x.pdf", "--passphrase-file", own)
    assert radcal("report", "--workspace", out, *page).status == 2
    table = tmp_path / "log.csv"
    assert radcal("audit", "export", "--workspace", out, "--out", table, "--passphrase-file", own).status == 0
    assert radcal("audit", "export", "--workspace", workspace).status == 2
