"""A served model in a department: a run of its own, resumed, recorded with every finding and in the audit log."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from radcal.checking import check_settings
from radcal.department import Department
from radcal.findings.engines import fit_engine, make_engine, model_name
from radcal.findings.served import agreed
from radcal.findings.served import keys as server_keys
from radcal.findings.served.keys import (
    forget_server_key,
    key_in_file,
    remember_server_key,
    server_key,
    server_key_remembered,
    use_server_key,
)
from radcal.findings.served.server import check_server, sending_note, served_host
from radcal.system import key_store, policy
from radcal.system.errors import InputError
from radcal.system.key_store import KeyStoreUnavailable
from radcal.system.policy import Policy, SetByPolicy
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.workspace.audit_log import kind_of

URL = "https://llm.example:8443/v1"
SET_UP = Settings(engine="served", served_url=URL, served_model="big")


@pytest.fixture(autouse=True)
def _own_keys(kept_keys: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are of this test alone."""
    monkeypatch.setattr(server_keys, "_given", {})


@pytest.fixture
def server(loopback: ModuleType, serve: Callable[..., Any]) -> Any:
    """A server that finds effusions denied, whatever is said of them."""
    return serve(loopback.usual(lambda _: {"pleural effusion": "absent"}))


def choose(department: Department, server: Any) -> str:
    """Have the server read; the host."""
    department.runs.choose(
        {"engine": "served", "served_url": server.url, "served_model": "tiny", "served_seconds": 60.0}
    )
    return f"localhost:{server.port}"


def logged(department: Department) -> list[tuple[str, dict[str, int]]]:
    return [(e.what, json.loads(e.counts)) for e in department.audit_log.entries()]


def test_a_reading_is_resumed_and_says_in_the_log_what_was_sent_where(
    filled: Department, server: Any, loopback: ModuleType, tmp_path: Path
) -> None:
    host = choose(filled, server)
    filled.runs.choose({"served_parallel": 1})  # or chance would say which are answered before it fails
    n = len(set(filled.runs.paired_ids()))
    good, left = server.answer, [15]

    def fails_later(asked: Any) -> Any:
        left[0] -= not asked.is_trial and asked.method == "POST"
        return good(asked) if left[0] >= 0 else loopback.Told(401, {"error": asked.report})

    server.answer = fails_later
    with pytest.raises(InputError, match="Give RadCal the key"):
        filled.runs.read()
    status = filled.runs.status()
    assert (status.engine, status.model, status.problem) == ("served", f"tiny at {host}", "")
    assert 0 < status.n_read <= 15
    assert (status.n_failed, status.n_pending) == (0, status.n_reports - status.n_read)
    server.answer = good
    before = len({asked.report for asked in server.reports})
    filled.runs.read()
    assert filled.runs.status().n_pending == 0
    assert len(server.reports) <= before + n
    entries = logged(filled)
    begun = [counts["texts"] for what, counts in entries if what == f"sending reports to {host} begun"]
    sent = [counts["texts"] for what, counts in entries if what == f"sent reports to {host}"]
    assert begun[0] == n
    assert begun[1] == n - status.n_read
    assert len(server.reports) <= sum(sent) <= len(server.reports) + 8, "one that was about to be sent counts"
    assert {kind_of(what) for what, _ in entries if f"reports to {host}" in what} == {"out"}
    text = json.dumps(entries)
    assert "effusion" not in text


def test_nothing_is_sent_for_somebody_who_has_not_agreed(
    filled: Department, server: Any, new_user: Callable[[], None]
) -> None:
    host = choose(filled, server)
    assert agreed.is_agreed(host)
    new_user()
    with pytest.raises(InputError, match=f"read at {host}, and you have not agreed"):
        filled.runs.read()
    assert not server.reports
    assert filled.runs.status().n_failed == 0
    agreed.agree(host)
    filled.runs.read()
    assert filled.runs.status().n_pending == 0
    assert len(server.reports) > 0
    new_user()
    (agreed.state_folder() / agreed._FILE).unlink()
    filled.runs.read()  # nothing is left to be sent


def test_what_was_agreed_is_known_to_the_next_process_and_to_no_other_user(
    new_user: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    new_user()
    for host in ("llm.example", "llm.example:8443", "llm.example", ""):
        agreed.agree(host)
    monkeypatch.setattr(agreed, "_in_this_process", set())
    assert agreed.is_agreed("llm.example")
    assert agreed.is_agreed("llm.example:8443")
    assert not agreed.is_agreed("llm.example:8444")
    monkeypatch.setenv("XDG_STATE_HOME", "/nowhere")
    assert not agreed.is_agreed("llm.example")


@pytest.mark.parametrize("kept", [b"", b"{", b"\xff", b'"llm.example"', b'{"llm.example": 1}', b"[[]]", b"[" * 10**5])
def test_a_list_that_cannot_be_read_agrees_to_nothing_and_is_made_anew(
    new_user: Callable[[], None], monkeypatch: pytest.MonkeyPatch, kept: bytes
) -> None:
    new_user()
    agreed.agree("other.example")
    (agreed.state_folder() / agreed._FILE).write_bytes(kept)
    monkeypatch.setattr(agreed, "_in_this_process", set())
    assert not agreed.is_agreed("llm.example")
    agreed.agree("llm.example")
    monkeypatch.setattr(agreed, "_in_this_process", set())
    assert agreed.is_agreed("llm.example")


def test_where_the_list_cannot_be_kept_it_holds_for_this_process(
    new_user: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_user()
    (tmp_path / "theirs").write_bytes(b"")  # no folder
    agreed.agree("llm.example")
    assert agreed.is_agreed("llm.example")
    monkeypatch.setattr(agreed, "_in_this_process", set())
    assert not agreed.is_agreed("llm.example")


def test_a_server_set_by_policy_is_agreed_to_for_everybody(
    new_user: Callable[[], None], set_policy: Callable[[str], Path]
) -> None:
    new_user()
    set_policy(f'[defaults]\nserved_url = "{URL}"\n')
    assert agreed.is_agreed("llm.example:8443")
    assert not agreed.is_agreed("llm.example")


def test_every_finding_that_is_handed_on_names_model_and_host(filled: Department, server: Any, tmp_path: Path) -> None:
    host = choose(filled, server)
    filled.runs.read()
    filled.runs.use(filled.runs.own())
    [run] = [run for run in filled.runs.all() if run.engine == "served"]
    assert run.model == f"tiny at {host}"
    assert filled.findings_export.write(tmp_path / "f.csv", run.run_id) > 0
    assert set(pd.read_csv(tmp_path / "f.csv")["engine"]) == {f"served: tiny at {host}"}


def test_the_same_model_on_another_host_is_another_run(
    filled: Department, server: Any, serve: Callable[..., Any]
) -> None:
    choose(filled, server)
    filled.runs.read()
    first = filled.runs.own()
    choose(filled, serve(server.answer))
    assert filled.runs.own() is None
    filled.runs.read()
    assert filled.runs.own() != first
    assert len([run for run in filled.runs.all() if run.engine == "served"]) == 2


def test_nothing_is_opened_unless_a_report_is_read(filled: Department, server: Any, files: SimpleNamespace) -> None:
    choose(filled, server)
    filled.runs.status()
    filled.runs.all()
    filled.runs.accuracies()
    fit_engine(filled.settings)
    check_settings(filled.settings, filled.lexicon.phrases)
    filled.runs.choose({"engine": "rules"})
    filled.runs.read()
    assert server.connections == 0


def test_beside_the_rules_it_is_sent_reports_and_says_what_it_read(
    filled: Department, server: Any, new_user: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = f"localhost:{server.port}"
    beside = {"engine": "rules", "second": "served", "served_url": server.url, "served_model": "tiny"}
    filled.runs.choose({**beside, "served_seconds": 60.0})
    use_server_key(server.url, "plum-tree")
    assert served_host(filled.settings) == host
    new_user()
    with pytest.raises(InputError, match="you have not agreed"):
        filled.runs.read()
    agreed.agree(host)
    summary = filled.runs.read()
    assert summary.n_unread > 0, "all but denied effusions"
    assert {a.headers["authorization"] for a in server.asked} == {"Bearer plum-tree"}
    [run] = filled.runs.all()
    assert (run.engine, run.model, filled.runs.described(run.run_id)) == (
        *("rules", f"tiny at {host}", f"rules and tiny at {host}"),
    )
    found = filled._workspace.findings(run.run_id, filled.runs.paired_ids())
    assert set(found.loc[found["pathology"] == "pleural effusion", "second"]) == {"absent"}
    sent = [counts["texts"] for what, counts in logged(filled) if what == f"sent reports to {host}"]
    assert sent == [len(server.reports)]
    before, rules = len(server.asked), filled.runs.engine()
    for allowed in (("rules",), ("rules", "llama")):
        monkeypatch.setattr(policy, "in_use", lambda a=allowed: Policy(tmp_path / "policy.toml", locked={"engines": a}))
        assert filled.settings.second == "bundled"
        with pytest.raises(SetByPolicy, match="other engines than 'served'"):
            filled.runs._read_all(rules, SILENT)
    assert len(server.asked) == before


def test_a_server_that_is_not_set_up_is_said_to_be_so() -> None:
    with pytest.raises(InputError, match="No server is named"):
        make_engine("served")
    with pytest.raises(InputError, match="uses no model file"):
        make_engine("served", "x.gguf", SET_UP)
    with pytest.raises(InputError, match="in the clear"):
        check_settings(replace(SET_UP, served_url="http://llm.example/v1"), ())
    assert model_name(make_engine("served", "", SET_UP)) == "big at llm.example:8443"
    beside = replace(SET_UP, engine="rules", second="served")
    for settings in (SET_UP, beside):
        assert (fit_engine(settings).problem, fit_engine(settings).model) == ("", "big at llm.example:8443")
    with pytest.raises(InputError, match="No server is named"):
        check_settings(replace(beside, served_url=""), ())
    assert "No model is named" in fit_engine(replace(SET_UP, served_model="")).problem


def test_the_host_is_known_only_where_reports_go_there() -> None:
    assert served_host(SET_UP) == "llm.example:8443"
    assert served_host(replace(SET_UP, engine="rules", second="served")) == "llm.example:8443"
    assert served_host(replace(SET_UP, engine="rules")) == ""
    assert sending_note(replace(SET_UP, engine="rules", second="served")).startswith(
        "The reports are read at llm.example:8443 as well"
    )
    assert served_host(replace(SET_UP, served_url="http://llm.example")) == ""


def test_a_trial_tells_what_the_server_is(server: Any, loopback: ModuleType) -> None:
    settings = Settings(engine="served", served_url=server.url, served_model="tiny")
    found = check_server(settings)
    assert (found.reachable, found.encrypted, found.problem, found.models) == (True, False, "", ("tiny",))
    assert found.trial is not None
    assert (found.trial.kept, found.key) == (True, False)
    assert len(found.sentences) == 5
    assert found.trial.way.top == 0
    use_server_key(server.url, "plum")
    found = check_server(replace(settings, served_model="other"))
    assert (found.reachable, found.models, found.key) == (True, ("tiny",), True)
    assert "offers no model 'other'" in found.problem
    found = check_server(replace(settings, served_model=""))
    assert "It offers: tiny." in found.sentences
    assert "No model is named" in found.problem
    found = check_server(replace(settings, served_url="ftp://x"))
    assert (found.host, found.reachable) == ("", False)
    assert found.problem
    assert not server.reports
    assert {asked.headers.get("authorization") for asked in server.asked} == {None, "Bearer plum"}


# --- the key ---------------------------------------------------------------------------------------------------------


def test_a_key_is_kept_for_its_host_alone(kept_keys: dict[str, str]) -> None:
    assert not server_key_remembered(URL)
    assert remember_server_key(URL, " plum-tree\n") == "Secret Service"
    assert kept_keys == {"server https://llm.example:8443": "plum-tree"}
    assert server_key_remembered("https://LLM.example:8443/other/path")
    assert server_key(URL) == "plum-tree"
    for other in ("https://llm.example/v1", "https://llm.example.org:8443/v1", "http://localhost:8443/v1"):
        assert server_key(other) == ""
        assert not server_key_remembered(other)
    use_server_key(URL, "given")
    assert server_key(URL) == "given"
    server_keys._given.clear()
    forget_server_key(URL)
    assert (kept_keys, server_key(URL)) == ({}, "")


@pytest.mark.parametrize("key", ["", " ", "two words", "a\nb", "\u00fc", "x" * 5000, "a\r\nX-Evil: 1"])
def test_what_is_no_key(key: str) -> None:
    for take in (remember_server_key, use_server_key):
        with pytest.raises(InputError, match="no key") as raised:
            take(URL, key)
        assert not key.strip() or key not in str(raised.value)


def test_without_a_key_store(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise KeyStoreUnavailable("none")

    for name in ("remembered", "remember", "forget"):
        monkeypatch.setattr(key_store, name, none)
    assert not server_key_remembered(URL)
    assert server_key(URL) == ""
    for act in (lambda: remember_server_key(URL, "k"), lambda: forget_server_key(URL)):
        with pytest.raises(InputError, match="--server-key-file"):
            act()


def test_a_key_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("plum-tree\n")
    for mode in (0o640, 0o604, 0o660, 0o444):
        file.chmod(mode)
        with pytest.raises(InputError, match="chmod 600") as raised:
            key_in_file(file)
        assert "plum" not in str(raised.value)
    file.chmod(0o600)
    assert key_in_file(file) == "plum-tree"
    for content in (b"", b"two words", b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(InputError, match="holds no key"):
            key_in_file(file)
    with pytest.raises(InputError):
        key_in_file(tmp_path / "none")


def test_settings_and_runs_know_nothing_of_a_key(filled: Department, server: Any) -> None:
    choose(filled, server)
    use_server_key(server.url, "plum-tree")
    filled.runs.read()
    assert {asked.headers["authorization"] for asked in server.asked} == {"Bearer plum-tree"}
    known = [filled.settings.to_dict(), filled.runs.status(), filled.runs.all(), logged(filled)]
    assert "plum-tree" not in repr(known)


def test_what_it_does_not_allow_reads_by_no_way(
    filled: Department, server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither as the engine in the settings, nor behind the results, nor as a second opinion."""
    choose(filled, server)
    filled.runs.read_reports(filled.runs.paired_ids()[:5])
    served = filled.runs.own()
    asked = len(server.reports)
    monkeypatch.setattr(policy, "in_use", lambda: Policy(tmp_path / "policy.toml", locked={"engines": ("llama",)}))
    assert served is not None
    assert filled.settings.engine == "llama"
    with pytest.raises(SetByPolicy, match="other engines than 'served'"):
        filled.runs._read_all(filled.runs.engine("served"), SILENT)
    assert filled.runs.second_opinion(served, filled.runs.paired_ids()) is None, "by the rules"
    monkeypatch.setattr(policy, "in_use", lambda: Policy(tmp_path / "policy.toml", locked={"engines": ("rules",)}))
    llama = filled.runs.engine("llama")
    behind = filled.runs._begin(llama)
    monkeypatch.setattr(filled.runs, "used", lambda: behind)
    assert filled.runs._behind_results().name == "rules"
    assert len(server.reports) == asked


@pytest.mark.parametrize("engine", ["rules", "served"])
def test_an_address_that_must_not_be_stored_is_refused_whatever_reads(filled: Department, engine: Any) -> None:
    settings = Settings(engine=engine, served_url="https://me:secret@llm.example/v1", served_model="big")
    with pytest.raises(InputError, match="holds a name or a password") as raised:
        check_settings(settings, filled.lexicon.phrases)
    assert "secret" not in str(raised.value)
