"""`radcal watch` and `radcal listen`: what they say, what they refuse, and the services that they print."""

from __future__ import annotations

import json
import plistlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from radcal.cli import main
from radcal.cli.watch import _key
from radcal.department import Department
from radcal.feed.mllp import Listener
from radcal.feed.spool import Spool, key_in, make_key, waiting
from radcal.opening import open_department
from radcal.system.errors import InputError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.workspace.errors import NoAccess

Output = pytest.CaptureFixture[str]
PASSPHRASE = "plum tree over the wall"
REPORTS = """Accession,Patient ID,Exam,Exam Time,Signed By,Report Text
X1,P1,XR CHEST,2026-01-01 10:00,"Ravensworth, Odile",Likely pneumonia.
C1,P1,CT CHEST,2026-01-01 12:00,"Ravensworth, Odile",No pneumonia.
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    made = tmp_path / "w.radcal"
    settings = Settings(bootstrap=20, second="none", deidentify="off", workers=1)
    open_department(made, PASSPHRASE, create=True, settings=settings).close()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    made.mkdir()
    return made


def test_watch_once_tells_what_it_did(workspace: Path, folder: Path, capsys: Output) -> None:
    (folder / "a.csv").write_text(REPORTS)
    words = ["watch", str(folder), "--workspace", str(workspace), "--once", "--settle", "0", "--json"]
    assert main(words) == 0
    out = capsys.readouterr()
    summary = json.loads(out.out)
    assert summary | {"notes": []} == {
        "files": 1, "messages": 0, "reports_new": 2, "reports_changed": 0, "reports_total": 2,
        "rows_rejected": 0, "rows_left_out": 0,
        "notes": [], "failures": [], "workspace": str(workspace),
    }  # fmt: skip
    assert re.search(r"\d\d:\d\d:\d\d Taken in: 1 files, 0 messages; not readable: 0\.", out.err)
    (folder / "b.csv").write_text("Jane Doe")
    assert main(words) == 1
    out = capsys.readouterr()
    summary = json.loads(out.out)
    assert [failure["file"] for failure in summary["failures"]] == ["b.csv"]
    assert summary["reports_total"] == 2
    assert "Jane" not in out.out + out.err


def test_options_of_reading_hold_for_every_file(workspace: Path, folder: Path, capsys: Output) -> None:
    text = REPORTS.replace("Accession", "Vorgang").replace("Exam,", "")
    text = text.replace("XR CHEST,", "").replace("CT CHEST,", "")
    (folder / "a.csv").write_text(text)
    words = ["watch", str(folder), "--workspace", str(workspace), "--once", "--settle", "0", "--json"]
    assert main([*words, "--only", "xray", "--map", "accession=Vorgang"]) == 0
    assert json.loads(capsys.readouterr().out)["reports_total"] == 2
    with open_department(workspace, PASSPHRASE, read_only=True) as department:
        assert list(department.workspace.reports(["report_id"])["report_id"]) == ["xray:X1", "xray:C1"]


def test_what_cannot_be_used_is_refused_before_anything_is_made(
    workspace: Path, folder: Path, tmp_path: Path, capsys: Output
) -> None:
    for words, said in (
        (["watch", folder, "--workspace", tmp_path / "none.radcal"], "no workspace"),
        (["watch", tmp_path / "none", "--workspace", workspace], "no folder"),
        (["watch", workspace.parent, "--workspace", workspace], "Keep them apart"),
        (["watch", folder, "--workspace", workspace, "--settle", "-1"], "no whole number"),
        (["watch", folder, "--workspace", workspace, "--map", "foo=bar"], "no 'foo' to map"),
        (["listen", "--mllp", "70000", "--workspace", workspace], "no whole number"),
        (["listen", "--mllp", "0", "--workspace", workspace, "--address", "0.0.0.0"], "in the clear"),  # noqa: S104
        (["listen", "--mllp", "0", "--workspace", workspace, "--address", "10.1.2.3"], "in the clear"),
        (["listen", "--mllp", "0", "--workspace", workspace, "--address", "::"], "in the clear"),
        (["listen", "--mllp", "0", "--workspace", workspace, "--address", "hospital"], "invalid ip_address"),
        (["listen", "--mllp", "0", "--workspace", workspace, "--cert", folder / "c.pem"], "--cert and --key"),
        (["listen", "--mllp", "0", "--workspace", workspace, "--client-ca", folder / "c.pem"], "--cert and --key"),
    ):
        with suppress(SystemExit):  # as argparse refuses
            assert main(list(map(str, words))) == 2
        assert said in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_port_that_is_taken_is_told(workspace: Path, capsys: Output) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["listen", "--mllp", str(port), "--workspace", str(workspace)]) == 2
    assert f"Port {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows names it otherwise")
def test_an_address_of_another_computer_is_told() -> None:
    listener = Listener(lambda _: None, lambda _: None, "192.0.2.1", 0)  # of no computer: RFC 5737
    with pytest.raises(InputError, match=re.escape("192.0.2.1 is no address of this computer")):
        listener.run(SILENT, lambda: None)


def test_no_word_of_a_report_lies_outside_the_workspace(
    workspace: Path, folder: Path, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in what is said, nor in the spool, the reasons, the log of faults or a temporary folder."""
    for variable, name in (("TMPDIR", "tmp"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.setattr(tempfile, "tempdir", None)
    (folder / "a.csv").write_text(REPORTS.replace("Likely", "Quetzal likely").replace("P1", "P-quetzal"))
    (folder / "b.csv").write_text('Quetzal,"quetzal\n')
    (folder / "c.hl7").write_text(r"MSH|^~\&|quetzal||||2026||ORU^R01|1|P|2.5" + "\rOBR|quetzal\rOBX|1|TX|||quetzal\r")
    message = b"MSH|^~\\&|||||2026||ORU^R01|quetzal|P|2.5\rPID|1||quetzal\rOBX|1|TX|||quetzal\r"
    with open_department(workspace, PASSPHRASE) as department:
        spool = Spool(workspace, make_key(department.workspace))
    spool.store(message)
    [stored] = waiting(workspace)
    assert b"quetzal" not in stored.read_bytes().lower()
    assert main(["watch", str(folder), "--workspace", str(workspace), "--once", "--settle", "0", "--json"]) == 1
    told = capsys.readouterr()
    assert "quetzal" not in (told.out + told.err).lower()
    assert waiting(workspace) == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    holding = {path.name for path in files if b"quetzal" in path.read_bytes().lower()}
    assert holding == {"a.csv", "b.csv", "c.hl7"}
    assert any(path.name == "b.csv.reason.txt" for path in files)


def test_a_workspace_that_was_killed_within_a_change_is_put_in_order_before_it_listens(workspace: Path) -> None:
    def opened(*, read_only: bool = False) -> Department:
        if read_only:  # as the workspace refuses while a journal of a killed program lies beside it
            raise NoAccess("It must be put in order first: open it once for writing.")
        return open_department(workspace, PASSPHRASE)

    key = _key(opened)
    assert _key(partial(open_department, workspace, PASSPHRASE)) == key
    with open_department(workspace, PASSPHRASE) as department:  # while another program has it
        assert key_in(department.workspace) == _key(partial(open_department, workspace, PASSPHRASE))


# --- services ----------------------------------------------------------------------------------------------


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose name has what systemd, shells and XML read as their own."""
    made = tmp_path / "50% of \"R&D\" <$HOME> 'x'"
    made.mkdir()
    return made


def printed(capsys: Output, *words: object) -> str:
    assert main(list(map(str, words))) == 0
    return capsys.readouterr().out


def unquoted(line: str) -> list[str]:
    """The words of a line as systemd reads them (systemd.syntax: quoting, specifiers)."""
    words = [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r'"((?:[^"\\]|\\.)*)"', line)]
    return [word.replace("%%", "%") for word in words]


def test_systemd_gets_the_command_and_the_passphrase_as_a_credential(
    hostile: Path, tmp_path: Path, capsys: Output
) -> None:
    unit = printed(
        capsys, "watch", hostile, "--workspace", hostile / "w.radcal", "--settle", 30, "--map", "accession=No",
        "--passphrase-file", tmp_path / "secret", "--service", "systemd",
    )  # fmt: skip
    lines = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line and not line.startswith("#"))
    words = [word.replace("$$", "$") for word in unquoted(lines["ExecStart"])]  # systemd.service: variables
    assert words[-10:] == [
        "watch", str(hostile), "--workspace", str(hostile / "w.radcal"), "--settle", "30", "--map", "accession=No",
        "--passphrase-file", "${CREDENTIALS_DIRECTORY}/passphrase",
    ]  # fmt: skip
    assert lines["LoadCredential"] == f"passphrase:{tmp_path / 'secret'}"
    assert unquoted(lines["ReadWritePaths"]) == [str(hostile)]
    assert (lines["NoNewPrivileges"], lines["ProtectSystem"], lines["CapabilityBoundingSet"]) == ("yes", "strict", "")
    assert lines["RestrictAddressFamilies"] == "AF_UNIX"


def test_systemd_lets_it_write_the_names_key_and_asks_for_no_passphrase_that_the_key_store_has(
    tmp_path: Path, capsys: Output
) -> None:
    words = ["listen", "--mllp", 2575, "--workspace", tmp_path / "w.radcal", "--names-key", tmp_path / "n" / "k.names"]
    unit = printed(capsys, *words, "--key-store", "--service", "systemd")
    [paths] = [line for line in unit.splitlines() if line.startswith("ReadWritePaths=")]
    assert unquoted(paths) == [str(tmp_path), str(tmp_path / "n")]
    assert "Credential" not in unit


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here to ask")
@pytest.mark.parametrize("step", ["watch", "listen"])
def test_systemd_understands_it(step: str, tmp_path: Path, hostile: Path, capsys: Output) -> None:
    given = [hostile] if step == "watch" else ["--mllp", 2575]
    unit = printed(capsys, step, *given, "--workspace", hostile / "w.radcal", "--service", "systemd")
    file = tmp_path / "radcal.service"
    file.write_text(unit.replace("User=radcal", "User=root"))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False)  # noqa: S603, S607 - the system's own
    assert not [line for line in done.stderr.splitlines() if "radcal" in line], done.stderr


def test_launchd_and_windows_get_what_they_can_read(hostile: Path, tmp_path: Path, capsys: Output) -> None:
    words = ["listen", "--mllp", 2575, "--workspace", hostile / "w.radcal", "--key-store"]
    plist = plistlib.loads(printed(capsys, *words, "--service", "launchd").encode())
    own = [
        "listen",
        "--workspace",
        str(hostile / "w.radcal"),
        "--mllp",
        "2575",
        "--address",
        "127.0.0.1",
        "--key-store",
    ]
    assert plist["ProgramArguments"][-len(own) :] == own
    assert plist["KeepAlive"] == {"SuccessfulExit": False}
    task = ElementTree.fromstring(printed(capsys, *words, "--service", "windows"))  # noqa: S314 - our own
    [line] = [node.text for node in task.iter() if node.tag.endswith("}Arguments")]
    assert line is not None
    assert subprocess.list2cmdline(own) in line


def test_nothing_of_a_passphrase_is_in_a_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", PASSPHRASE)
    (tmp_path / "secret").write_text(PASSPHRASE)
    for kind in ("systemd", "launchd", "windows"):
        words = ("watch", tmp_path, "--workspace", tmp_path / "w.radcal", "--passphrase-file", tmp_path / "secret")
        assert PASSPHRASE not in printed(capsys, *words, "--service", kind)
