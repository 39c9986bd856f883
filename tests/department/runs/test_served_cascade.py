"""A cascade in a department that asks a server: what is sent, recorded, agreed to, refused and switched off."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from radcal.checking import check_settings
from radcal.cli.run import write_results
from radcal.department import Department
from radcal.findings.cascade import Cascade
from radcal.findings.engines import fit_engine, make_engine, model_name, sends_to
from radcal.findings.records import Finding
from radcal.findings.run_records import second_of
from radcal.findings.served import agreed, trial
from radcal.findings.served import keys as server_keys
from radcal.findings.served.keys import use_server_key
from radcal.findings.served.server import sending_note, served_host
from radcal.findings.served.settings import server_entry
from radcal.system import policy
from radcal.system.errors import EngineError, InputError
from radcal.system.policy import Policy, SetByPolicy
from radcal.system.progress import SILENT
from radcal.system.sending import sending_to
from radcal.system.settings import Settings
from radcal.words.records import UNREAD

SET_UP = Settings(
    engine="cascade", cascade_second="served", served_url="https://llm.example:8443/v1", served_model="big"
)
HEART = re.compile(r"\[(\d+)\] .*(?:heart|cardi)", re.IGNORECASE)
LOCKED = ("rules", "cascade")
"""The engines of an IT that has no server read."""


@pytest.fixture(autouse=True)
def _own_keys(kept_keys: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are of this test alone."""
    monkeypatch.setattr(server_keys, "_given", {})


def doubting(findings: tuple[Finding, ...]) -> list[Finding]:
    """What the rules say, but for what they say of the heart, which they do not understand."""
    kept = [
        replace(f, phrase=UNREAD, cue_start=f.start, cue_end=f.end) if f.pathology == "cardiomegaly" else f
        for f in findings
    ]
    return list({(f.pathology, f.phrase, f.start): f for f in kept}.values())


def answer(asked: Any) -> str:
    """Every sentence on the heart denies that it is enlarged."""
    found = [{"sentence": int(n), "pathology": "cardiomegaly", "phrase": "absent"} for n in HEART.findall(asked.report)]
    return json.dumps({"findings": found})


@pytest.fixture
def server(loopback: ModuleType, serve: Callable[..., Any]) -> Any:
    """A server that notes where this process says that it sends reports."""

    def told(asked: Any) -> str:
        running.seen.add(sending_to())
        return answer(asked)

    running = serve(loopback.usual(told))
    running.seen = set()
    return running


@pytest.fixture
def rules(stand_in: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Rules that do not understand everything, in every engine."""
    made = stand_in("rules", doubting)

    def make(name: str = "rules", model: str = "", settings: Any = None, *rest: Any) -> Any:
        if name == "rules":
            return made
        engine = make_engine(name, model, settings, *rest)
        if isinstance(engine, Cascade):
            engine.rules = made
        return engine

    monkeypatch.setattr("radcal.findings.runs.make_engine", make)
    return made


@pytest.fixture
def chosen(filled: Department, server: Any, rules: Any) -> Department:
    """The department, in which the server is asked, one report after the other."""
    filled.runs.choose(
        {
            "engine": "cascade",
            "cascade_second": "served",
            "served_url": server.url,
            "served_model": "tiny",
            "served_seconds": 60.0,
            "served_parallel": 1,
        }
    )
    return filled


def runs(department: Department) -> dict[str, int]:
    return {r.engine: r.run_id for r in department.runs.all()}


def hearts(department: Department, run_id: int) -> pd.DataFrame:
    """What a run says of the heart."""
    found = department._workspace.findings(run_id, department.runs.paired_ids())
    return found[found["pathology"] == "cardiomegaly"]


def to_ask(department: Department, rules: Any) -> list[str]:
    """The reports that the rules leave something unread in, one of each text."""
    workspace, ids = department._workspace, department.runs.paired_ids()
    run_id = department.runs._read_with(rules, ids, SILENT)
    found = workspace.findings(run_id, ids)
    asked = set(found.loc[found["phrase"] == UNREAD, "report_id"])
    return [i for i in workspace.distinct_texts(ids) if i in asked]


def test_the_server_is_sent_what_the_rules_leave_and_who_read_what_is_recorded(
    chosen: Department, server: Any, rules: Any, tmp_path: Path
) -> None:
    host, asked = f"localhost:{server.port}", to_ask(chosen, rules)
    use_server_key(server.url, "plum-tree")
    summary = chosen.runs.read()
    assert (summary.n_done, summary.n_unread, summary.n_failed) == (160, 0, 0)
    assert len(server.reports) == len({a.report for a in server.reports}) == len(asked) < 160
    assert all(HEART.search(a.report) for a in server.reports)
    assert server.seen == {host}
    assert sending_to() == ""
    assert {a.headers["authorization"] for a in server.asked} == {"Bearer plum-tree"}
    both = runs(chosen)
    said = hearts(chosen, both["cascade"])
    assert set(zip(said["phrase"], said["engine"], strict=True)) == {("absent", f"served: tiny at {host}")}
    assert chosen._workspace.read_by(both["served"], chosen.runs.paired_ids()) == set(said["report_id"])
    assert {chosen.runs.model_of(r) for e, r in both.items() if e != "rules"} == {f"tiny at {host}"}
    assert chosen.runs.described(both["cascade"]) == f"cascade: tiny at {host}"
    status = chosen.runs.status()
    assert (status.engine, status.model, status.n_second) == ("cascade", f"tiny at {host}", len(set(said["report_id"])))
    assert second_of(status.version) == "served"
    [counts] = [json.loads(e.counts) for e in chosen.audit_log.entries() if e.what == f"sent reports to {host}"]
    assert counts["texts"] == len(asked)
    assert chosen.runs.independent_of(both["served"]) == chosen.runs.independent_of(both["cascade"]) == ()
    chosen.findings_export.write(tmp_path / "f.csv", "table", both["cascade"])
    table = pd.read_csv(tmp_path / "f.csv")
    assert set(table["engine"]) == {"rules", f"served: tiny at {host}"}
    assert set(table.loc[table["pathology"] == "cardiomegaly", "engine"]) == {f"served: tiny at {host}"}
    sent = len(server.reports)
    told = write_results(chosen, tmp_path / "out")
    assert len(server.reports) == sent
    assert f"The server was asked about {told['second_asked']:,} reports." in told["text"]
    assert f"Reports that the cascade asks about are read at {host} as well" in told["text"]
    assert chosen.analyse().provenance.engine == f"cascade: tiny at {host}"


def test_it_goes_on_where_it_was_and_asks_nothing_twice(
    chosen: Department, server: Any, rules: Any, loopback: ModuleType
) -> None:
    asked, good = to_ask(chosen, rules), server.answer

    def fails_later(a: Any) -> Any:
        return loopback.Told(401) if len(server.reports) > 5 and not a.is_trial else good(a)

    server.answer = fails_later
    with pytest.raises(InputError, match="Give RadCal the key"):
        chosen.runs.read()
    kept = chosen.runs.status()
    assert 0 < kept.n_read < 160
    assert (kept.n_failed, kept.n_pending, kept.n_second_failed) == (0, 160 - kept.n_read, 0)
    before = {a.report for a in server.reports[:5]}
    server.answer = good
    again = len(server.reports)
    assert chosen.runs.read().n_unread == 0
    assert not before & {a.report for a in server.reports[again:]}
    assert len({a.report for a in server.reports}) == len(asked)


def test_a_server_that_is_down_leaves_reports_pending(chosen: Department, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_UNREACHABLE_SECONDS", 0.1)
    with socket.socket() as gone:  # nobody listens there, and nobody else can
        gone.bind(("127.0.0.1", 0))
        chosen.runs.choose({"served_url": f"http://localhost:{gone.getsockname()[1]}/v1"})
        with pytest.raises(EngineError, match="cannot be reached"):
            chosen.runs.read()
    status = chosen.runs.status()
    assert status.n_pending > 0
    assert (status.n_failed, status.n_second, status.n_second_failed) == (0, 0, 0)


def test_what_the_server_could_not_read_stays_and_is_asked_again(
    chosen: Department, server: Any, loopback: ModuleType
) -> None:
    good, first = server.answer, list[str]()

    def answers(asked: Any) -> Any:
        """Nonsense of the first two reports."""
        if asked.method == "GET" or asked.is_trial:
            return good(asked)
        if len(first) < 2:
            first.append(asked.report)
        return loopback.completion("I see nothing.") if asked.report in first else good(asked)

    server.answer = answers
    chosen.runs.read()
    failed = chosen.runs.second_reading().failures
    assert len(failed) >= 2
    assert all("not in the form" in f.reason for f in failed)
    assert chosen.runs.status().n_failed == 0
    server.answer = good
    assert chosen.runs.retry() == len(failed)
    assert chosen.runs.read().n_unread == 0
    assert chosen.runs.second_reading().failures == ()


def test_nothing_is_sent_for_somebody_who_has_not_agreed(
    chosen: Department, server: Any, new_user: Callable[[], None]
) -> None:
    new_user()
    with pytest.raises(InputError, match="you have not agreed"):
        chosen.runs.read()
    assert not server.asked
    assert chosen.runs.status().n_pending == 160
    agreed.agree(f"localhost:{server.port}")
    chosen.runs.read()
    assert server.reports


def test_switched_off_it_is_sent_nothing_whatever_results_are_on_show(chosen: Department, server: Any) -> None:
    chosen.runs.read()
    both, sent = runs(chosen), len(server.reports)
    ids = chosen.runs.paired_ids()
    # The cascade alone is chosen: to go on with what the server has read would send it every report.
    chosen.runs.use(both["served"])
    assert chosen.runs._behind_results().name == "cascade"
    chosen.runs.extract()
    assert len(server.reports) == sent
    chosen.runs.use(both["cascade"])
    chosen.runs.choose({"engine": "rules"})
    assert chosen.settings.cascade_second == "served"
    with chosen._workspace.transaction():
        chosen._workspace.forget(both["cascade"], ids)
        chosen._workspace.forget(both["served"], ids)
    assert chosen.runs._behind_results().name == "rules"
    chosen.runs.extract()
    assert len(server.reports) == sent
    entries = [e.what for e in chosen.audit_log.entries() if e.what.startswith("reports are")]
    assert [entry.partition("localhost")[0] for entry in entries] == [
        "reports are sent to a server from now on: ",
        "reports are not sent to ",
    ]


def test_no_way_leads_around_a_policy_that_has_no_server_read(
    chosen: Department, server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = chosen.runs.engine()
    chosen.runs.read_reports(chosen.runs.paired_ids()[:5])
    sent, behind = len(server.asked), runs(chosen)["cascade"]
    monkeypatch.setattr(policy, "in_use", lambda: Policy(tmp_path / "policy.toml", locked={"engines": LOCKED}))
    assert (chosen.settings.engine, chosen.settings.cascade_second) == ("cascade", "llama")
    assert served_host(chosen.settings) == ""
    assert sends_to(chosen.runs.engine()) == ""
    with pytest.raises(SetByPolicy, match="other engines than 'served'"):
        chosen.runs._read_all(served, SILENT)
    monkeypatch.setattr(chosen.runs, "used", lambda: behind)
    assert sends_to(chosen.runs._behind_results()) == ""
    with pytest.raises(SetByPolicy, match="other engines than 'served'"):
        policy.in_use().started({"engine": "cascade", "cascade_second": "served"})
    assert len(server.asked) == sent


def test_one_question_tells_where_reports_go() -> None:
    assert served_host(SET_UP) == "llm.example:8443"
    assert served_host(replace(SET_UP, cascade_second="llama")) == ""
    assert served_host(replace(SET_UP, engine="rules")) == served_host(replace(SET_UP, engine="llama")) == ""
    assert sending_note(SET_UP).startswith("Reports that the cascade asks about are read at llm.example:8443")
    assert sending_note(replace(SET_UP, cascade_second="llama")) == ""
    assert server_entry(SET_UP, replace(SET_UP, cascade_second="llama")) == (
        "reports are not sent to llm.example:8443 any more"
    )
    assert [replace(SET_UP, cascade_asks=asks).reads_all_at_server for asks in ("unread", "hedged", "all")] == [
        *(False, False, True)
    ]
    assert (fit_engine(SET_UP).problem, fit_engine(SET_UP).model) == ("", "big at llm.example:8443")
    assert "No model is named" in fit_engine(replace(SET_UP, served_model="")).problem
    engine = make_engine("cascade", "", SET_UP)
    assert (sends_to(engine), model_name(engine)) == ("llm.example:8443", "big at llm.example:8443")
    with pytest.raises(InputError, match="uses no model file"):
        make_engine("cascade", "x.gguf", SET_UP)
    with pytest.raises(InputError, match="No server is named"):
        check_settings(replace(SET_UP, served_url=""), ())
    local = make_engine("cascade")
    assert (sends_to(local), model_name(local)) == ("", "radcal-mini-q8_0.gguf")
    assert local.version == f"1.0+rules.{make_engine().version}+llama.{make_engine('llama').version}"
