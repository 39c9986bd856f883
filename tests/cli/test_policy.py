"""Defaults and locks of IT on the command line: refused with the file's name, in force in workspaces, told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from radcal.opening import open_department
from radcal.system import policy

Radcal = Callable[..., SimpleNamespace]


def test_the_step_tells_what_holds_and_from_where(radcal: Radcal, set_policy: Callable[[str], Path]) -> None:
    done = radcal("policy")
    assert (done.status, done.err) == (0, "")
    assert "Nothing is set for this computer: there is no" in done.out
    file = set_policy('[defaults]\nseed = 3\n[locked]\nengines = ["rules"]\nlock_minutes = 5\n')
    done = radcal("policy")
    assert done.out.splitlines() == [
        f"{file} sets 2 locks and 1 default. It is in force.",
        "  locked   engines       rules",
        "  locked   lock_minutes  5",
        "  default  seed          3",
    ]
    said = json.loads(radcal("policy", "--json").out)
    assert [(s["name"], s["value"], s["table"], s["line"]) for s in said["settings"]] == [
        ("engines", ["rules"], "locked", 4),
        ("lock_minutes", 5, "locked", 5),
        ("seed", 3, "defaults", 2),
    ]


def test_a_file_is_checked_before_it_is_distributed(
    radcal: Radcal, refused: Callable[..., str], tmp_path: Path, set_policy: Callable[[str], Path]
) -> None:
    set_policy("[locked]\nbroken")  # of this computer, which is another matter
    draft = tmp_path / "draft.toml"
    draft.write_text('[locked]\nlanguage = "de"\n', encoding="utf-8")
    draft.chmod(0o666)
    done = radcal("policy", "--check", draft)
    assert done.status == 0
    assert "sets 1 lock and 0 defaults. It is right." in done.out
    draft.write_text('[locked]\nlanguage = "fr"\n', encoding="utf-8")
    assert f"{draft}, line 2: language in [locked]:" in refused("policy", "--check", draft)
    assert f"There is no file {tmp_path / 'none.toml'}" in refused("policy", "--check", tmp_path / "none.toml")


@pytest.mark.parametrize("table", ["locked", "defaults"])
def test_the_address_of_a_server_is_checked_too(
    radcal: Radcal, refused: Callable[..., str], tmp_path: Path, set_policy: Callable[[str], Path], table: str
) -> None:
    text = f'[{table}]\nseed = 3\nserved_url = "http://llm.example/v1"\n'
    draft = tmp_path / "draft.toml"
    draft.write_text(text, encoding="utf-8")
    why = f"line 3: served_url in [{table}]: Reports are not sent to llm.example in the clear"
    assert f"{draft}, {why}" in refused("policy", "--check", draft)
    file = set_policy(text)
    assert f"{file}, {why}" in refused("policy")
    assert f"{file}, {why}" in refused("names", "--workspace", tmp_path / "w.radcal")
    draft.write_text(text.replace("http://llm.example", "https://user:hidden@llm.example"), encoding="utf-8")
    assert "hidden" not in refused("policy", "--check", draft)
    for allowed in ("https://llm.example/v1", "http://localhost:8080/v1", ""):
        draft.write_text(text.replace("http://llm.example/v1", allowed), encoding="utf-8")
        assert radcal("policy", "--check", draft).status == 0


def test_with_a_broken_policy_no_step_runs(
    refused: Callable[..., str], radcal: Radcal, set_policy: Callable[[str], Path], tmp_path: Path
) -> None:
    file = set_policy("[locked]\nlock_minuts = 5\n")
    for words in (("engines",), ("policy",), ("words", tmp_path), ("demo", "--out", tmp_path / "demo")):
        said = refused(*words)
        assert f"{file}, line 2: lock_minuts in [locked]" in said
        assert "Until then RadCal does not start" in said
    assert not (tmp_path / "demo").exists()
    assert radcal("--version").status == 0


def test_an_option_and_a_settings_file_against_a_lock_are_refused(
    refused: Callable[..., str], radcal: Radcal, set_policy: Callable[[str], Path], tmp_path: Path
) -> None:
    reports = tmp_path / "r.csv"
    reports.write_text("report_id,text\n1,IMPRESSION: Likely edema.\n", encoding="utf-8")
    out = tmp_path / "f.csv"
    file = set_policy('[locked]\nengines = ["rules"]\ndeidentify = "on"\n')
    said = refused("extract", reports, "--out", out, "--set", "engine=llama")
    assert f"Your IT department allows other engines than 'llama': rules ({file}, line 2)" in said
    chosen = tmp_path / "s.json"
    chosen.write_text('{"deidentify": "off"}', encoding="utf-8")
    workspace = ("--workspace", tmp_path / "w.radcal", "--out", tmp_path / "out")
    said = refused("run", "--reports", reports, *workspace, "--settings", chosen)
    assert f"deidentify is set by your IT department, to on: {file}, line 3" in said
    assert not (tmp_path / "w.radcal").exists()
    assert not out.exists()
    assert radcal("extract", reports, "--out", out, "--set", "engine=rules").status == 0
    set_policy('[defaults]\nengine = "llama"\n[locked]\nengines = ["llama", "rules"]\n')
    assert radcal("extract", reports, "--out", out, "--set", "engine=rules").status == 0


@pytest.mark.parametrize("second", ["served", "/m/a.gguf"])
def test_what_is_forbidden_alone_is_forbidden_beside_the_rules(
    refused: Callable[..., str], tmp_path: Path, set_policy: Callable[[str], Path], second: str, done: Path
) -> None:
    reports = tmp_path / "r.csv"
    reports.write_text("report_id,text\n1,IMPRESSION: Likely edema.\n", encoding="utf-8")
    url = ("--set", "served_url=https://llm.example/v1", "--set", "served_model=m")
    file = set_policy('[locked]\nengines = ["rules"]\n')
    for words in (
        ("extract", reports, "--out", tmp_path / "f.csv"),
        ("explain", "Likely edema."),
        ("run", "--workspace", done, "--out", tmp_path / "out"),
        ("review", "--workspace", done, "--out", tmp_path / "r2.csv"),
    ):
        said = refused(*words, "--second", second, *url)
        assert f"Your IT department allows other engines than '{'served' if second == 'served' else 'llama'}'" in said
        assert str(file) in said
    set_policy('[locked]\nmodels_folder = "/elsewhere"\n')
    if second != "served":
        said = refused("extract", reports, "--out", tmp_path / "f.csv", "--second", second)
        assert "allows models in /elsewhere alone" in said
    assert not (tmp_path / "f.csv").exists()


def test_a_workspace_that_stores_something_else_is_overridden_and_says_so(
    radcal: Radcal, refused: Callable[..., str], done: Path, set_policy: Callable[[str], Path], key: str
) -> None:
    with open_department(done, key) as department:
        assert department.settings.confidence == 0.95
        before = department.analysis()
        assert before is not None
    set_policy("[locked]\nconfidence = 0.8\n")
    with open_department(done, key) as department:
        assert department.settings.confidence == 0.8
        assert department.overridden == ("confidence",)
        assert department._workspace.settings.confidence == 0.95
    ran = radcal("run", "--workspace", done, "--out", done.parent / "again", "--json")
    assert ran.status in (0, 1), ran.err
    notes = json.loads(ran.out)["notes"]
    assert any("has set confidence in place of what the workspace stores" in note for note in notes)
    with open_department(done, key) as department:
        now = department.analysis()
        assert now is not None
        assert now.provenance.settings_hash != before.provenance.settings_hash
        assert now.provenance.settings_hash == department.settings.hash()
        log = [entry.what for entry in department.audit_log.entries()]
        assert "settings overridden by the policy of IT" in log
    policy.in_use.cache_clear()
    shutil.rmtree(done.parent / "it")
    with open_department(done, key) as department:
        assert department.settings.confidence == 0.95


@pytest.mark.slow
def test_names_leave_in_no_file_where_it_refuses_that(
    radcal: Radcal, refused: Callable[..., str], done: Path, set_policy: Callable[[str], Path], tmp_path: Path
) -> None:
    file = set_policy('[locked]\nexports_with_names = "refused"\n')
    for words in (
        ("sensitivity", "--workspace", done, "--out", tmp_path / "s.json", "--names"),
        ("casemix", "--workspace", done, "--out", tmp_path / "c.json", "--by", "age", "--names"),
        ("names", "--workspace", done, "--who"),
    ):
        assert f"no files and lists with the names of radiologists ({file}, line 2)" in refused(*words)
    out = tmp_path / "without"
    assert radcal("run", "--workspace", done, "--out", out).status in (0, 1)
    assert not (out / "pseudonyms.csv").exists()


def test_the_defaults_begin_a_new_workspace(
    radcal: Radcal,
    words: list[object],
    opens_only: None,
    set_policy: Callable[[str], Path],
    stored: Callable[[], dict[str, object]],
) -> None:
    set_policy("[defaults]\nwindow_hours = 30\nseed = 4\n[locked]\nn_bins = 50\n")
    assert radcal(*words, "--set", "seed=5").status == 1
    now = stored()
    assert (now["window_hours"], now["seed"], now["n_bins"]) == (30, 5, 50)
