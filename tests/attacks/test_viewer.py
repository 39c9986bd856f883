"""Studies are opened in the hospital's viewer alone, and nothing in a report makes more of that."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.system import policy, processes
from radcal.system.errors import DataError, InputError
from radcal.system.policy import PolicyFault, read_policy
from radcal.system.processes import start_program
from radcal.system.viewer import Viewer

posix = pytest.mark.skipif(os.name != "posix", reason="a program by its first line")
LINK = Viewer("https://pacs.example.org/open?patient=any&accession={accession}#v")
HOSTILE = (
    *("-rf", "--help", "-", "/s", '" & calc.exe', "1 & calc", "1|calc", "1;id", "$(id)", "`id`", "${HOME}", "%26calc"),
    *("A1\ncalc", "A1\r\n", "A1\0B", "\0", "\u202eA1", "A\u20661", "A" * 10_000, "A" * 65, "%COMSPEC%", "A1=1", "*"),
    *("../../etc/passwd", "A/../../x", "..", "a..b", "/etc/passwd", "\\\\host\\share", "C:\\x", "file:///etc/passwd"),
    *("javascript:alert(1)", "A1#x", "A1?x=1", "A1&user=root", "A'1", 'A"1', "<A1>", "{accession}", "{study_uid}"),
    *("A{0}", "~root", "A1^B", "\u0661\u0662", "\uff21\uff11", "\ud800", "", " "),
)
UIDS = ("1.2.840.113619.2.55.3", "2.25.329800735698586629295641978511506172918")


# --- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", HOSTILE, ids=ascii)
def test_what_is_no_number_is_refused_with_a_plain_reason(number: str) -> None:
    for viewer in (LINK, Viewer(command=("/opt/pacs", "{accession}"))):
        with pytest.raises(DataError, match="Open the study by hand") as refused:
            viewer.opens(number)
        assert len(str(refused.value)) < 200
        assert not number.strip() or number not in str(refused.value)


@pytest.mark.parametrize(
    "uid", ["1", "1.2;id", "1.2 3", "1..2", "1.02", "3.1", "1." + "2" * 70, "-1.2", "1.2\n", "A.1"]
)
def test_what_is_no_uid_is_refused(uid: str) -> None:
    with pytest.raises(DataError, match="Open the study by hand"):
        Viewer("https://pacs.example.org/{study_uid}").opens("A1", uid)


def test_both_numbers_and_one_of_them() -> None:
    both = Viewer("https://pacs.example.org/?a={accession}&u={study_uid}")
    assert both.opens("A 1/2+3", UIDS[0]) == f"https://pacs.example.org/?a=A%201%2F2%2B3&u={UIDS[0]}"
    assert both.opens("A1") == "https://pacs.example.org/?a=A1&u="
    program = Viewer(command=("/opt/pacs", "--study", "{study_uid}", "{accession}"))
    assert program.opens("A1", UIDS[1]) == ("/opt/pacs", "--study", UIDS[1], "A1")
    assert program.opens("A1") == ("/opt/pacs", "--study", "A1")
    with pytest.raises(DataError, match="asks for the UID"):
        Viewer("weasis://x?u={study_uid}", (), ("weasis",)).opens("A1")


NUMBERS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._+/ -]{0,70}", fullmatch=True) | st.sampled_from(UIDS)
ANYTHING = st.text() | NUMBERS | st.sampled_from(HOSTILE)


@given(ANYTHING)
@settings(max_examples=400)
def test_a_link_stays_the_link_that_it_set_whatever_the_number_is(number: str) -> None:
    """Read back by another parser: one more value, and nothing else."""
    try:
        link = LINK.opens(number)
    except DataError:
        return
    assert isinstance(link, str)
    assert link.isascii()
    assert link.isprintable()
    read = urlsplit(link)
    assert (read.scheme, read.netloc, read.path, read.fragment) == ("https", "pacs.example.org", "/open", "v")
    values = parse_qsl(read.query, keep_blank_values=True, strict_parsing=True)
    assert values == [("patient", "any"), ("accession", number.strip(" "))]


@given(ANYTHING, ANYTHING)
@settings(max_examples=400)
def test_a_program_gets_numbers_alone_each_as_one_argument_that_is_no_option(accession: str, uid: str) -> None:
    try:
        command = Viewer(command=("/opt/pacs", "-a", "{accession}", "{study_uid}")).opens(accession, uid)
    except DataError:
        return
    given_ones = [accession.strip(" "), *filter(None, [uid.strip(" \0")])]
    assert command == ("/opt/pacs", "-a", *given_ones)
    for number in given_ones:
        assert number[0].isalnum()
        assert number.isascii()
        assert number.isprintable()
        assert len(number) <= 64
        assert not set(number) & set("\"'`$&|;<>*?()[]{}!%^~#=\\:,@")
        assert ".." not in number


def test_what_a_file_calls_a_uid_is_handed_on_if_it_is_one_and_is_missing_else(tmp_path: Path) -> None:
    """Read from a table, stored, and read again for a case: of the rest, the accession number alone is handed on."""
    hostile = ("1.2;id", "$(id)", "--help", "1.02", "3.1", "1." + "2" * 70, "1.2/../3", "1.2&user=root", "1.2\n-rf")
    uids = [*UIDS, *hostile, *(number for number in HOSTILE if number.isprintable())]
    file = tmp_path / "march.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["Accession", "MRN", "Exam", "Exam time", "Signed by", "Report", "StudyInstanceUID"])
        for n, uid in enumerate(uids):
            rows.writerow([f"A{n}", f"P{n}", "XR CHEST", f"2026-03-01 10:{n:02}", "Doe, A", "No edema.", uid])
    both = Viewer("https://pacs.example.org/?a={accession}&u={study_uid}")
    program = Viewer(command=("/opt/pacs", "{study_uid}", "{accession}"))
    with open_department(tmp_path / "w.radcal", "plum tree over the wall", create=True) as department:
        department.importing.import_reports(as_files([file]))
        assert department.workspace.count_reports() == len(uids)
        reports = department.cases.reports([f"xray:A{n}" for n in range(len(uids))])
    for n, report in enumerate(reports):
        own = uids[n] if n < len(UIDS) else ""
        assert both.opens(report.accession, report.study_uid) == f"https://pacs.example.org/?a=A{n}&u={own}"
        assert program.opens(report.accession, report.study_uid) == ("/opt/pacs", *filter(None, [own]), f"A{n}")


# --- a program -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pacs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that writes what it was given beside itself."""
    file = tmp_path_factory.mktemp("opt") / "pacs viewer"
    file.write_text(
        f"#!{sys.executable} -I\nimport json, os, sys\nfrom pathlib import Path\n"
        "told = {'argv': sys.argv[1:], 'env': dict(os.environ), 'cwd': os.getcwd()}\n"
        "part = Path(sys.argv[0]).with_name('part')\npart.write_text(json.dumps(told))\n"
        "part.rename(Path(sys.argv[0]).with_name('told.json'))\n"
        "sys.exit(int(os.environ.get('PACS_STATUS', 0)))\n"
    )
    file.chmod(0o755)
    return file


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, dict[str, Any]]]:
    """What processes were started, and how."""
    made: list[tuple[Any, dict[str, Any]]] = []
    real = subprocess.Popen

    def popen(command: Any, **how: Any) -> subprocess.Popen[bytes]:
        made.append((command, how))
        return real(command, **how)

    monkeypatch.setattr(subprocess, "Popen", popen)
    return made


@posix
def test_a_program_is_handed_the_number_as_one_argument_and_no_secret(
    pacs: Path, started: list[tuple[Any, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", "plum tree orchard")
    viewer = Viewer(command=(str(pacs), "--open", "{accession}", "$(id) ; &", "{study_uid}"))
    viewer.check()
    for number in ("A1", "2026/0815 7", "A.B-C_D+1"):
        command = viewer.opens(number, UIDS[0])
        assert isinstance(command, tuple)
        start_program(command)
        told = json.loads((pacs.parent / "told.json").read_text())
        assert told["argv"] == ["--open", number, "$(id) ; &", UIDS[0]]
        assert "plum tree" not in str(told["env"])
        assert told["cwd"] == str(pacs.parent)
    for command, how in started:
        assert isinstance(command, list)
        assert not how.get("shell")
        assert "executable" not in how


@posix
def test_a_program_that_does_not_start_says_so(pacs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="gone cannot be started"):
        start_program([str(tmp_path / "gone"), "A1"])
    plain = tmp_path / "plain"
    plain.write_text("no program")
    with pytest.raises(InputError, match="plain cannot be started"):
        start_program([str(plain), "A1"])
    monkeypatch.setenv("PACS_STATUS", "3")
    with pytest.raises(InputError, match="pacs viewer cannot be started: it ended at once, with exit status 3"):
        start_program([str(pacs), "A1"])


@posix
def test_a_program_that_stays_open_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_AT_ONCE_SECONDS", 0.05)
    stays = tmp_path / "stays"
    stays.write_text(f"#!{sys.executable} -I\nimport sys, time\ntime.sleep(float(sys.argv[1]))\n")
    stays.chmod(0o755)
    start_program([str(stays), "0.3"])


# --- what IT may set -------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", [
    "file", "javascript", "data", "vbscript", "shell", "ms-settings", "search-ms", "ssh", "smb", "FILE", "we asis", "",
])  # fmt: skip
def test_no_scheme_that_opens_anything_else(scheme: str, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(f'[locked]\nviewer_schemes = ["{scheme}"]\nviewer_url = "{scheme}:x?{{accession}}"\n')
    with pytest.raises(PolicyFault, match="is no scheme of a viewer"):
        read_policy(file)
    file.write_text(f'[defaults]\nviewer_url = "{scheme}:x?{{accession}}"\n')
    with pytest.raises(PolicyFault, match=r"line 2: viewer_url in \[defaults\]: Links begin with https"):
        read_policy(file)


@pytest.mark.parametrize(("lines", "why"), [
    ('viewer_url = "http://pacs/?a={accession}"', "Links begin with https"),
    ('viewer_url = "https://{accession}.example.org/"', "Write a whole link"),
    ('viewer_url = "https:///x?{accession}"', "Write a whole link"),
    ('viewer_url = "https://pacs/ x?{accession}"', "Write a whole link"),
    ('viewer_url = "https://pacs/?a={patient}"', "no other braces"),
    ('viewer_url = "https://pacs/?a="', "where the number belongs"),
    ('viewer_url = "https://pacs/?a={accession}{"', "no other braces"),
    ('viewer_url = 5', "not a text"),
    ('viewer_command = "/opt/pacs {accession}"', "not a list"),
    ('viewer_command = ["pacs", "{accession}"]', "whole path"),
    ('viewer_command = ["{accession}"]', "whole path"),
    ('viewer_command = ["/opt/pacs"]', "where the number belongs"),
    ('viewer_command = ["/opt/pacs", "--a={accession}"]', "argument by itself"),
    ('viewer_command = ["/bin/sh", "-c", "{accession}"]', "neither a shell"),
    ('viewer_command = ["/usr/bin/env", "pacs", "{accession}"]', "neither a shell"),
    ('viewer_command = ["/usr/bin/python3.11", "-c", "{accession}"]', "neither a shell"),
    ("viewer_command = ['/opt/open.bat', '{accession}']", "script of Windows"),
    ("viewer_command = ['/c/Windows/System32/CMD.EXE', '{accession}']", "neither a shell"),
    ('viewer_command = ["/opt/pacs", "{accession}"]\nviewer_url = "https://pacs/{accession}"', "Leave one of them out"),
])  # fmt: skip
def test_a_template_that_is_not_right_is_refused_at_the_start(lines: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(f"[locked]\n{lines}\n")
    with pytest.raises(PolicyFault, match=why) as refused:
        read_policy(file)
    assert str(file) in str(refused.value)


@posix
def test_a_shell_under_another_name_is_one(tmp_path: Path) -> None:
    (tmp_path / "pacs").symlink_to("/bin/sh")
    with pytest.raises(InputError, match="neither a shell"):
        Viewer(command=(str(tmp_path / "pacs"), "{accession}")).check()


def test_what_the_policy_sets_is_what_opens(set_policy: Callable[[str], Path]) -> None:
    assert not policy.in_use().viewer.is_set
    set_policy(
        '[locked]\nviewer_url = "radiant://?n=pstv&v=00080050&v={accession}"\nviewer_schemes = ["http", "radiant"]\n'
    )
    assert policy.in_use().viewer.opens("A1") == "radiant://?n=pstv&v=00080050&v=A1"
