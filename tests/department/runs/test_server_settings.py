"""The server in the settings: what is wrong with it, what the audit log has of it, and that switched off means off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from radcal.department import Department
from radcal.findings.served.server import served_host, server_entry, server_faults
from radcal.system.sending import note_sending, sending_to
from radcal.system.settings import Settings

ON = Settings(engine="served", served_url="https://llm.example/v1", served_model="tiny")


def test_each_fault_is_told_of_its_setting(tmp_path: Path) -> None:
    no_pem = tmp_path / "authority.pem"
    no_pem.write_text("nothing")
    assert set(server_faults(Settings())) == {"served_url", "served_model"}
    assert server_faults(Settings(served_url="http://localhost:8080/v1", served_model="tiny")) == {}
    faults = server_faults(ON.changed(served_url="http://llm.example/v1", served_model=" ", served_ca=str(no_pem)))
    assert set(faults) == {"served_url", "served_model", "served_ca"}
    assert "in the clear" in faults["served_url"]
    assert "no certificate" in faults["served_ca"]
    gone = server_faults(ON.changed(served_ca=str(tmp_path / "gone.pem")))
    assert set(gone) == {"served_ca"}
    # A password in an address is not repeated.
    assert "secret" not in server_faults(ON.changed(served_url="https://me:secret@llm.example"))["served_url"]


@pytest.mark.parametrize(
    ("before", "after", "entry"),
    [
        (Settings(), Settings(), ""),
        (Settings(), Settings(served_url="https://llm.example/v1"), ""),
        (Settings(), ON, "reports are sent to a server from now on: llm.example"),
        (ON, ON.changed(served_model="other"), ""),
        (ON, ON.changed(served_url="https://b.example"), "reports are sent to a server from now on: b.example"),
        (ON, ON.changed(engine="llama"), "reports are not sent to llm.example any more"),
    ],
)
def test_the_audit_log_has_when_it_is_switched_on_and_off(before: Settings, after: Settings, entry: str) -> None:
    assert server_entry(before, after) == entry


def test_both_ways_of_choosing_enter_it(department: Department) -> None:
    def entries() -> list[str]:
        return [e.what for e in department.audit_log.entries() if e.what.startswith("reports are")]

    values = {name: getattr(ON, name) for name in ("engine", "served_url", "served_model")}
    department.runs.choose(values)
    department.runs.choose(values)
    assert entries() == ["reports are sent to a server from now on: llm.example"]
    department.save_settings(department.settings.changed(engine="rules"))
    assert entries()[1:] == ["reports are not sent to llm.example any more"]
    assert served_host(department.settings) == ""


@pytest.fixture
def server(loopback: ModuleType, serve: Callable[..., Any]) -> Any:
    """A server that finds nothing, and notes where this process says that it sends reports."""

    def answer(_asked: object) -> dict[str, str]:
        running.seen.add(sending_to())
        return {}

    running = serve(loopback.usual(answer))
    running.seen = set()
    return running


def test_nothing_is_sent_once_it_is_switched_off_whatever_results_are_on_show(filled: Department, server: Any) -> None:
    host = f"localhost:{server.port}"
    filled.runs.choose({"engine": "served", "served_url": server.url, "served_model": "tiny"})
    filled.runs.extract()
    run = filled.runs.own()
    assert run is not None
    assert filled.runs.described(run) == f"served: tiny at {host}"
    assert server.seen == {host}
    assert sending_to() == ""
    filled.runs.use(run)
    filled.runs.choose({"engine": "rules"})
    sent = len(server.reports)
    with filled._workspace.transaction():
        filled._workspace.forget(run, filled.runs.paired_ids()[:2])
    filled.runs.extract()
    assert len(server.reports) == sent
    filled.runs.choose({"engine": "served"})
    filled.runs.extract()
    assert len(server.reports) > sent


def test_several_that_send_are_told_one_after_the_other() -> None:
    one, other = object(), object()
    note_sending(one, "a.example")
    note_sending(other, "b.example")
    note_sending(one, "")
    assert sending_to() == "b.example"
    note_sending(other, "")
    note_sending(other, "")
    assert sending_to() == ""
