"""What the command line writes of a workspace is entered in its audit log, or said not to be."""

import json
from pathlib import Path

from radcal import workflow
from radcal.workspace import Workspace


def entered(workspace: Path, key: str) -> set[str]:
    """The files that the audit log has."""
    with Workspace.open(workspace, key, read_only=True) as opened:
        return {what.rpartition(": ")[2] for what in opened.audit()["what"] if what.startswith("exported ")}


def test_every_file_that_leaves_a_workspace_is_in_its_audit_log(radcal, author, tmp_path, key):
    workspace = tmp_path / "w.radcal"
    here = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"summary.json", "department.pdf", "pseudonyms.csv"} < here
    assert entered(workspace, key) == here

    page = ("report", "--workspace", workspace, "--author", author, "--out", tmp_path / "a page.pdf")
    assert radcal(*page).status == 0
    assert radcal("review", "--workspace", workspace, "--out", tmp_path / "look.csv").status == 0
    kept = tmp_path / "elsewhere" / "secret.csv"
    kept.parent.mkdir()
    alls = ("personal", "--workspace", workspace, "--all", "--out", tmp_path / "files", "--passphrases", kept)
    assert radcal(*alls).status == 0
    personal = {path.name for path in (tmp_path / "files").iterdir()}
    assert personal
    assert entered(workspace, key) == here | personal | {"a page.pdf", "look.csv", "secret.csv"}

    # Somebody else has it open: the page is made, and the log, which cannot have it, is said not to.
    with workflow.open_department(workspace, key):
        done = json.loads(radcal(*page[:-1], tmp_path / "other.pdf", "--json").out)
    assert (tmp_path / "other.pdf").exists()
    assert "The audit log does not have this" in done["notes"][0]
    assert "other.pdf" not in entered(workspace, key)
