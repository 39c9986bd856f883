"""What the command line writes of a workspace is entered in its audit log, or said not to be."""

import json
from pathlib import Path

from radcal.opening import open_department
from radcal.workspace import log_chain
from radcal.workspace.store import Workspace


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

    page = ("report", "--workspace", workspace, "--author", author, "--out", tmp_path / "a page.pdf")
    assert radcal(*page).status == 0
    assert radcal("review", "--workspace", workspace, "--out", tmp_path / "look.csv").status == 0
    kept = tmp_path / "elsewhere" / "secret.csv"
    kept.parent.mkdir()
    alls = ("personal", "--workspace", workspace, "--out", tmp_path / "files", "--passphrases", kept)
    assert radcal(*alls).status == 0
    files = {path.name for path in (tmp_path / "files").iterdir()}
    personal = {name for name in files if name.startswith("personal-")}
    assert {f"personal-{who}.radcal" for who in handed_out(workspace, key, "personal file")} == personal
    assert entered(workspace, key) == here - pages | {"look.csv", "secret.csv"}
    checked = radcal("audit", "verify", "--workspace", workspace)
    assert checked.status == 0
    assert "One file outside of it fits it, too." in checked.out  # the backup of the run

    # Somebody else has it open: the page is made, and the log, which cannot have it, is said not to.
    with open_department(workspace, key):
        done = json.loads(radcal(*page[:-1], tmp_path / "other.pdf", "--json").out)
    assert (tmp_path / "other.pdf").exists()
    assert "The audit log does not have this" in done["notes"][0]
    assert "other.pdf" not in entered(workspace, key)


def test_a_log_that_was_changed_is_told_by_the_check_and_beside_a_backup(radcal, done, tmp_path, key):
    assert radcal("backup", "--workspace", done, "--out", tmp_path / "safe.radcal").status == 0
    verify = ("audit", "verify", "--workspace", done, "--against", tmp_path / "safe.radcal")
    assert radcal(*verify).status == 0
    with Workspace.open(done, key) as opened, opened.transaction() as db:
        for name in log_chain.guards():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE audit SET user = 'nobody' WHERE entry = 3")
    told = radcal(*verify)
    assert told.status == 1
    assert "Entry 3 does not fit what is before it" in told.out
    assert "The rules by which the file refuses changes" in told.out
    compared = json.loads(radcal(*verify, "--json").out)["compared"]
    assert {(one["outcome"], one["first"]) for one in compared} == {("changed", 3)}  # by the run's own backup, too
    assert radcal("check", "--workspace", done).status == 1
