"""A served model on the command line: what is refused before anything is opened; the key, which is nowhere shown."""

from __future__ import annotations

import csv
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from radcal.cli import main
from radcal.findings.served import agreed
from radcal.findings.served import keys as server_keys
from radcal.opening import open_department

ANSWER = {"pleural effusion": "absent", "edema": "present"}
KEY = "plum-tree"
Output = pytest.CaptureFixture[str]


def chosen(*entries: str) -> list[str]:
    """Settings on the command line."""
    return [word for entry in entries for word in ("--set", entry)]


@pytest.fixture
def nothing_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """No name of a server is looked up."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("a name was looked up"))


@pytest.fixture(autouse=True)
def _own_keys(kept_keys: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are of this test alone."""
    monkeypatch.setattr(server_keys, "_given", {})


@pytest.fixture
def server(loopback: ModuleType, serve: Callable[..., Any]) -> Any:
    """A server that wants a key."""
    usual = loopback.usual(lambda _: ANSWER)

    def answer(asked: Any) -> Any:
        known = asked.headers.get("authorization") == f"Bearer {KEY}"
        return usual(asked) if known else loopback.Told(401, {"error": asked.report})

    return serve(answer)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file with the server's key."""
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    file.chmod(0o600)
    return file


@pytest.fixture
def extract(tmp_path: Path) -> list[str]:
    """The command that reads two reports."""
    (tmp_path / "r.csv").write_text("report_id,text\na,No effusion of Anna Plum.\nb,Edema.\n")
    return ["extract", str(tmp_path / "r.csv"), "--out", str(tmp_path / "f.csv"), "--set", "engine=served"]


def test_reports_are_read_and_findings_name_the_server(
    server: Any, key: Path, extract: list[str], tmp_path: Path, capsys: Output
) -> None:
    served = [
        *chosen(f"served_url={server.url}", "served_model=tiny"),
        "--server-key-file",
        str(key),
        "--set",
        "served_parallel=2",
    ]
    assert main([*extract, *served]) == 0
    with (tmp_path / "f.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["engine"] for row in rows} == {f"served: tiny at localhost:{server.port}"}
    said = capsys.readouterr()
    assert f"The reports are read at localhost:{server.port}: their texts are sent there." in said.out
    assert KEY not in said.out + said.err


@pytest.mark.usefixtures("nothing_looked_up")
@pytest.mark.parametrize("way", [["--set", "engine=served"], ["--second", "served"]], ids=["alone", "beside the rules"])
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "No server is named"),
        (chosen("served_url=http://10.0.0.1/v1", "served_model=m"), "in the clear"),
        (chosen("served_url=http://llm.example/v1", "served_model=m"), "in the clear"),
        (
            chosen("served_url=https://anna:plum-tree@llm.example/v1", "served_model=m"),
            "holds a name or a password",
        ),
        (chosen("served_url=https://llm.example/v1?key=plum-tree", "served_model=m"), "behind"),
        (chosen("served_url=https://llm.example/v1"), "No model is named"),
        (
            chosen("served_url=https://llm.example/v1", "served_model=m", "served_ca=none.pem"),
            "none.pem",
        ),
        (
            chosen("served_url=https://llm.example/v1", "served_model=m", "served_parallel=0"),
            "served_parallel",
        ),
        (
            chosen("served_url=https://llm.example/v1", "served_model=m", "model=x.gguf"),
            "uses no model file",
        ),
        (["--server-key-file", "key"], "Name the server that the key is for"),
    ],
)
def test_what_is_refused_before_anything_is_opened(
    options: list[str],
    why: str,
    way: list[str],
    extract: list[str],
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*extract[:-2], *way, *options]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert KEY not in said
    assert not (tmp_path / "f.csv").exists()


def test_a_server_that_lets_nobody_in_quotes_nothing(server: Any, extract: list[str], capsys: Output) -> None:
    assert main([*extract, *chosen(f"served_url={server.url}", "served_model=tiny")]) == 2
    said = capsys.readouterr()
    assert "Give RadCal the key of the server" in said.err
    assert "Plum" not in said.out + said.err


def test_a_server_is_tried_and_its_key_kept_and_forgotten(
    server: Any, key: Path, kept_keys: dict[str, str], capsys: Output
) -> None:
    name = ["server", *chosen(f"served_url={server.url}", "served_model=tiny")]
    assert main(name) == 1
    assert "Give RadCal the key" in capsys.readouterr().out
    assert main([*name, "--remember-key"]) == 2, "there is nobody to ask"
    assert main([*name, "--remember-key", "--server-key-file", str(key)]) == 0
    assert kept_keys == {f"server http://localhost:{server.port}": KEY}
    said = capsys.readouterr().out
    assert "The key is kept in Secret Service, for this server alone." in said
    assert "tiny has answered" in said
    server_keys._given.clear()
    assert main([*name, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kept"], found["models"], found["key"], found["failures"]) == (True, ["tiny"], True, [])
    assert main([*name, "--forget-key"]) == 1
    assert kept_keys == {}
    assert main(["server", "--set", "served_url=http://10.0.0.1/v1"]) == 2
    assert main(["server"]) == 2
    said_in_all = capsys.readouterr()
    assert KEY not in said_in_all.out + said_in_all.err
    assert not server.reports


def test_a_run_for_somebody_who_has_not_agreed_sends_nothing(
    loopback: ModuleType,
    serve: Callable[..., Any],
    done: Path,
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve(loopback.usual(lambda _: ANSWER))
    with open_department(done, os.environ["RADCAL_PASSPHRASE"]) as department:
        department.runs.choose({"engine": "served", "served_url": server.url, "served_model": "tiny"})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
    monkeypatch.setattr(agreed, "_in_this_process", set())
    words = ["run", "--workspace", str(done), "--out", str(tmp_path / "more")]
    assert main(words) == 2
    assert f"read at localhost:{server.port}, and you have not agreed" in capsys.readouterr().err
    assert not server.reports
    assert main([*words, "--set", f"served_url={server.url}"]) in (0, 1)
    assert server.reports


# --- beside the rules -------------------------------------------------------------------------------------------------


def test_a_workspace_that_names_a_server_beside_the_rules_sends_nothing_there_unasked(
    server: Any, done: Path, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether that is in its settings, or chosen by somebody who never saw the address."""
    server_of = {"served_url": server.url, "served_model": "tiny"}
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
    words = ["run", "--workspace", str(done), "--out", str(tmp_path / "more")]
    for second, more in (("served", []), ("none", ["--second", "served"]), ("none", ["--engine", "served"])):
        with open_department(done, os.environ["RADCAL_PASSPHRASE"]) as department:
            department._workspace.save_settings(department.settings.changed(second=second, **server_of))
        assert main([*words, *more]) == 2
        assert f"read at localhost:{server.port}, and you have not agreed" in capsys.readouterr().err
    assert not server.asked


def test_the_help_says_what_leaves_the_machine(capsys: Output) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "unless you have reports read by a server or a cluster of your hospital" in " ".join(
        capsys.readouterr().out.split()
    )
