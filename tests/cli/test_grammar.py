"""The words of the command line: what is understood, explained and refused."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as within
from hypothesis import strategies as st

from radcal.cli.options import COMMANDS, COMMON, LAB, hours
from radcal.cli.program import parser
from radcal.system.settings import Settings
from radcal.system.version import __version__


def test_version(radcal):
    done = radcal("--version")
    assert (done.status, done.out, done.err) == (0, f"RadCal {__version__}\n", "")


@pytest.mark.parametrize("step", ["", "lab", *COMMANDS, *LAB])
def test_every_step_explains_itself_and_every_option(radcal, step):
    done = radcal(*([step] if step else []), "--help")
    assert (done.status, done.err) == (0, "")
    step = parser()._subparsers._group_actions[0].choices[step] if step in COMMANDS | LAB else None
    if step is not None:
        step.load()
        assert all(action.help for action in step._actions)


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["dance"],
        ["run"],
        ["run", "--workspace", "w", "--out", "o", "--standard", "a-9z"],
        ["report", "--workspace", "w", "--author", "a", "--out", "o", "--from", "March"],
        ["report", "--workspace", "w", "--author", "a", "--out", "o", "--card", "--drafts"],
        ["check"],
        ["--json"],
    ],
)
def test_what_is_not_understood_is_unusable_input(refused, command):
    assert "usage: radcal" in refused(*command)


def test_there_are_not_too_many_options():
    """Each option of each command's parser counts, --help apart; those that all commands accept count once."""
    steps = parser()._subparsers._group_actions[0].choices
    own = 0
    for name in COMMANDS | LAB:
        steps[name].load()
        options = {a.option_strings[0] for a in steps[name]._actions if a.option_strings} - {"-h"}
        assert options >= COMMON.keys()
        own += len(options - COMMON.keys())
    assert own + len({*COMMON, "--version"}) <= 173


@pytest.mark.parametrize(
    "name", [["casemix", "--by", "site"], ["lab", "variability", "a.csv"], ["variability", "a.csv"]]
)
def test_options_of_all_commands_are_understood_on_either_side_of_the_name(name):
    common = ["--workspace", "w", "--set=seed=1", "--json"]
    before, behind = (parser().parse_args([*w, "--out", "o"]) for w in ([*common, *name], [*name, *common]))
    assert before == behind
    assert (before.workspace, before.json) == (Path("w"), True)
    both = parser().parse_args(["--set", "seed=1", "--workspace", "v", *name, "--set", "seed=2", *common, "--out", "o"])
    assert (both.set, both.workspace) == (["seed=1", "seed=2", "seed=1"], Path("w"))


def test_an_option_without_effect_is_told(radcal):
    done = radcal("--set", "seed=3", "faults", "--workspace", "w")
    assert done.status == 0
    assert done.err.splitlines() == [f"radcal faults: --{name} has no effect here." for name in ("set", "workspace")]


@pytest.mark.parametrize("step", sorted(LAB))
def test_the_commands_of_the_lab_are_understood_without_it(radcal, step):
    of_lab, alone = radcal("lab", step, "--help"), radcal(step, "--help")
    assert (of_lab.status, alone.status) == (0, 0)
    assert of_lab.out.replace("radcal lab ", "radcal ").split() == alone.out.replace("radcal lab ", "radcal ").split()


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("run --workspace w --reports r.csv --out o --set window_hours=soon", "12h, 90min or 2d"),
        ("advise o.csv --out a.json --set solver=guess", "not one of ordered, paper"),
        ("extract r.csv --out f.csv --set engine=tarot", "not one of rules, llama"),
        ("reliability o.csv --out r.json --set seed", "write NAME=VALUE"),
        ("reliability o.csv --out r.json --seed 3", "--seed 3. Settings are chosen by --set NAME=VALUE"),
        ("reliability o.csv --out r.json --set sede=3", "Did you mean seed? `radcal settings` lists all of them"),
        ("reliability o.csv --out r.json --set seed=many", "not a whole number from 0 to"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(refused, tmp_path, monkeypatch, words, shown):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("report_id,text\n", encoding="utf-8")
    assert shown in refused(*words.split())


def test_the_settings_are_listed_as_a_settings_file(radcal, tmp_path):
    listed = radcal("settings", "--set", "window_hours=6h", "--set", "silence_absent=mass,edema")
    assert (listed.status, listed.err) == (0, "")
    assert "# longest time from the chest X-ray to the chest CT, hours; 0.0 to 87,672.0" in listed.out
    file = tmp_path / "S.toml"
    file.write_text(listed.out, encoding="utf-8")
    settings = {
        s["name"]: s["value"] for s in json.loads(radcal("settings", "--settings", file, "--json").out)["settings"]
    }
    expected = Settings(window_hours=6, silence_absent=("mass", "edema")).to_dict()
    assert settings == {name: value for name, value in expected.items() if name != "version"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("12h", 12), ("90min", 1.5), ("90m", 1.5), ("2d", 48), ("1.5", 1.5), (" 6 H ", 6), ("30MIN", 0.5)],
)
def test_durations(text, expected):
    assert hours(text) == expected


@given(st.text(max_size=8))
@within(deadline=None)
def test_whatever_is_typed_is_a_duration_or_refused_with_an_example(text):
    refused = ""
    try:
        value = hours(text)
    except argparse.ArgumentTypeError as error:
        value, refused = 0.0, str(error)
    assert value >= 0
    assert not refused or "12h, 90min or 2d" in refused
