"""Defaults and locks of IT: read strictly, trusted only from administrators, held everywhere, never lost by a slip."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.system import key_store, policy
from radcal.system.errors import InputError
from radcal.system.policy import Policy, PolicyFault, SetByPolicy, Workstation, read_policy
from radcal.system.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")


def refused(file: Path) -> str:
    with pytest.raises(PolicyFault) as caught:
        read_policy(file)
    said = str(caught.value)
    assert str(file) in said
    return said


# --- reading ---------------------------------------------------------------------------------------


def test_without_a_file_nothing_is_set(set_policy: Callable[[str], Path]) -> None:
    assert policy.in_use() == Policy()
    assert policy.in_use().started() == Settings()
    assert policy.in_use().in_force(Settings(engine="llama")) == Settings(engine="llama")
    for f in fields(Workstation):
        assert policy.in_use().workstation(f.name) == f.default


def test_the_two_tables_are_told_apart(set_policy: Callable[[str], Path]) -> None:
    file = set_policy(
        '[defaults]\nwindow_hours = 24\nlanguage = "de"\n\n[locked]\ndeidentify = "on"\nlock_minutes = 5\n'
    )
    found = policy.in_use()
    assert (found.file, found.defaults, found.locked) == (
        file,
        {"window_hours": 24.0, "language": "de"},
        {"deidentify": "on", "lock_minutes": 5},
    )
    assert str(found.place("lock_minutes")) == f"{file}, line 7"
    assert found.started() == Settings(window_hours=24)
    assert found.started({"window_hours": 6}).window_hours == 6
    assert found.in_force(Settings(window_hours=6, deidentify="off")) == Settings(window_hours=6)
    assert (found.workstation("language"), found.workstation("language", "en")) == ("de", "en")
    assert (found.workstation("lock_minutes"), found.workstation("lock_minutes", 60)) == (5, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[locked]\nlock_minuts = 5\n",
            "line 2: lock_minuts in [locked]: this RadCal does not know that name. `docs/policy.md` lists",
        ),
        (
            "[locked]\nlock_minutes = 5000\n",
            "line 2: lock_minutes in [locked]: Setting lock_minutes: 5000 is outside 0 to",
        ),
        ("[locked]\nlock_minutes = true\n", "the value is not a whole number from 0 to 1440"),
        ('[locked]\nlock_minutes = "5"\n', "the value is not a whole number from 0 to 1440"),
        ('[defaults]\nengine = "gpt"\n', "line 2: engine in [defaults]: Setting engine: the value is not one of rules"),
        ('[locked]\nengines = ["gpt"]\n', "line 2: engines in [locked]: Setting engine: the value is not one of rules"),
        ('[locked]\nengines = "rules"\n', "Setting engines: the value is not a list of words"),
        ("[locked]\nengines = []\n", "line 2: engines in [locked]: name one at least"),
        ('[locked]\nmodels_folder = "models"\n', "write the whole path, from the root or the drive on"),
        (
            '[locked]\nengine = "llama"\nengines = ["rules"]\n',
            "contradicts itself. Your IT department allows other engines",
        ),
        ('[defaults]\nengine = "llama"\n[locked]\nengines = ["rules"]\n', "contradicts itself"),
        ('[locked]\nmodel = "/m/a.gguf"\nmodels_folder = "/other"\n', "contradicts itself"),
        ("[defaults]\nscale = 150\n[locked]\nscale = 200\n", "contradicts itself. scale is set by your IT department"),
        ("lock_minutes = 5\n", "outside of its tables"),
        ("[lock]\nlock_minutes = 5\n", "There are two: [defaults] and [locked]"),
        ("[locked\n", "is no valid TOML in UTF-8: .*line 1"),
        ("[locked]\nscale = 100\nscale = 200\n", "is no valid TOML in UTF-8"),
        ("[locked]\nversion = 2\n", "does not know that name"),
    ],
)
def test_whatever_is_not_right_names_file_line_and_remedy_and_nothing_starts(
    set_policy: Callable[[str], Path], text: str, said: str
) -> None:
    file = set_policy(text)
    assert re.search(said if ".*" in said else re.escape(said), refused(file))
    assert "Until then RadCal does not start" in refused(file)
    with pytest.raises(PolicyFault):
        policy.in_use()
    with pytest.raises(PolicyFault):  # not only the first time
        policy.in_use()


def test_a_file_that_is_no_text_is_refused(set_policy: Callable[[str], Path]) -> None:
    file = set_policy("")
    file.write_bytes("[locked]\nlanguage = 'ü'\n".encode("latin-1"))
    assert "is no valid TOML in UTF-8" in refused(file)


@given(st.text(max_size=200))
def test_no_text_is_taken_for_a_policy_without_its_locks(text: str) -> None:
    """A file that reads as TOML and is accepted sets just what TOML says; everything else is refused."""
    import tempfile
    import tomllib

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.toml"
        file.write_text(f"[locked]\nscale = 200\n{text}", encoding="utf-8", newline="")
        try:
            found = read_policy(file)
        except PolicyFault:
            return
        assert set(found.locked) == set(tomllib.loads(file.read_text("utf-8")).get("locked", {}))
        assert found.locked["scale"] == 200


@pytest.mark.parametrize("name", ["models_folder", "served_ca", "backups_folder"])
@pytest.mark.parametrize("sign", ["u0000", "n", "u0007"])
def test_a_path_has_no_control_characters(set_policy: Callable[[str], Path], name: str, sign: str) -> None:
    root = "C:/" if os.name == "nt" else "/"
    file = set_policy(f'[locked]\nscale = 200\n{name} = "{root}x\\{sign}y"\n')
    said = refused(file)
    assert f"{file}, line 3: {name} in [locked]: write the whole path, from the root or the drive on, without" in said


@pytest.mark.parametrize(
    "number", ["9" * 5000, "-" + "9" * 5000, "0x" + "f" * 5000, "9" * 20, "[1, 0b" + "1" * 400 + "]", "9" * 400]
)
@pytest.mark.parametrize("name", ["lock_minutes", "window_hours", "seed", "language", "engines", "nobody"])
def test_a_number_beyond_all_bounds_is_refused_by_its_line(
    set_policy: Callable[[str], Path], name: str, number: str
) -> None:
    file = set_policy(f"[locked]\nscale = 200 # {'1' * 5000}\n{name} = {number}\n")
    said = refused(file)
    assert f"{file} is no valid TOML in UTF-8: a number of " in said
    assert "(at line 3). Mend that line" in said
    assert len(said) < 400


_NUMBERS = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.integers(15, 6000).map(lambda n: "7" * n),
    st.sampled_from(
        ["0x" + "f" * 5000, "inf", "nan", "-inf", "1e999", "0.0", "true", "1979-05-27", "'x'", "[]", "{}", '""']
    ),
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["[locked]", "[defaults]", ""]),
            st.sampled_from([f.name for f in (*fields(Settings), *fields(Workstation))]),
            st.one_of(_NUMBERS, _NUMBERS.map("[{}]".format), _NUMBERS.map("{{a = {}}}".format)),
        ),
        max_size=4,
    )
)
def test_whatever_stands_under_a_name_is_taken_or_refused_in_words(entries: list[tuple[str, str, str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.toml"
        file.write_text("".join(f"{table}\n{name} = {value}\n" for table, name, value in entries), encoding="utf-8")
        said = str(file)
        try:
            read_policy(file).started()
        except PolicyFault as fault:
            said = str(fault)
        assert str(file) in said


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a=", "}")])
def test_brackets_nested_too_deeply_are_refused(set_policy: Callable[[str], Path], opening: str, closing: str) -> None:
    file = set_policy(f"[locked]\nscale = 200\nengines = {opening * 5000}1{closing * 5000}\nlanguage = 'de'\n")
    assert f"{file} is no valid TOML in UTF-8: brackets nested too deeply" in refused(file)


# --- trust -----------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("change", ["group", "others", "folder", "owner"])
def test_a_file_that_somebody_else_could_write_is_refused(
    set_policy: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    file = set_policy("[locked]\nscale = 200\n")
    assert policy.in_use().locked
    if change == "folder":
        file.parent.chmod(0o775)
    elif change == "owner":
        monkeypatch.setattr(policy, "_ADMINISTRATORS", {os.getuid() + 1})
    else:
        file.chmod(0o644 | (stat.S_IWGRP if change == "group" else stat.S_IWOTH))
    policy.in_use.cache_clear()
    with pytest.raises(PolicyFault, match="belongs to somebody else than root, or others may write it"):
        policy.in_use()


@posix
def test_a_link_is_followed_to_what_must_be_trusted_itself(set_policy: Callable[[str], Path], tmp_path: Path) -> None:
    file = set_policy("")
    real = tmp_path / "elsewhere" / "p.toml"
    real.parent.mkdir(mode=0o755)
    real.write_text("[locked]\nscale = 200\n", encoding="utf-8")
    real.chmod(0o644)
    file.unlink()
    file.symlink_to(real)
    policy.in_use.cache_clear()
    assert policy.in_use().locked == {"scale": 200}
    real.parent.chmod(0o777)
    policy.in_use.cache_clear()
    with pytest.raises(PolicyFault, match="may write it"):
        policy.in_use()
    file.unlink()
    file.symlink_to(tmp_path / "gone")
    policy.in_use.cache_clear()
    with pytest.raises(PolicyFault, match="cannot be read"):  # a lock that hangs in the air is not no lock
        policy.in_use()
    file.unlink()
    file.mkdir()
    policy.in_use.cache_clear()
    with pytest.raises(PolicyFault, match="is a folder"):
        policy.in_use()


@pytest.fixture
def led(set_policy: Callable[[str], Path], tmp_path: Path) -> list[Path]:
    """A policy that is found by two links, through three folders; what is on the way, root's until a test says else."""
    file = set_policy("")
    file.unlink()
    top, middle, last = (tmp_path / name for name in ("top", "middle", "last"))
    for folder in (top, top / "in", middle, last):
        folder.mkdir(mode=0o755)
    real = last / "p.toml"
    real.write_text("[locked]\nscale = 200\n", encoding="utf-8")
    real.chmod(0o644)
    (middle / "on.toml").symlink_to(Path("..") / "last" / "p.toml")
    (top / "in" / "middle").symlink_to(middle)
    file.symlink_to(top / "in" / "middle" / "on.toml")
    policy.in_use.cache_clear()
    assert policy.in_use().locked == {"scale": 200}
    policy.in_use.cache_clear()
    return [file.parent, top, top / "in", middle, last, real]


@posix
@pytest.mark.parametrize("which", range(6))
def test_each_step_on_the_way_to_the_file_is_looked_at(led: list[Path], which: int) -> None:
    place = led[which]
    place.chmod(place.stat().st_mode | stat.S_IWOTH)
    with pytest.raises(PolicyFault) as caught:
        policy.in_use()
    assert f"As root: chown -h root {place}; chmod go-w {place}." in str(caught.value)


@posix
@pytest.mark.parametrize(("which", "trusted"), [(1, True), (2, False), (3, False), (4, False)])
def test_a_sticky_folder_keeps_folders_of_the_administrators_but_is_no_place_for_links_and_files(
    led: list[Path], which: int, trusted: bool
) -> None:
    led[which].chmod(0o1777)
    if trusted:
        assert policy.in_use().locked == {"scale": 200}
        return
    with pytest.raises(PolicyFault, match=re.escape(str(led[which]))):
        policy.in_use()


@posix
def test_a_way_back_out_of_a_link_is_walked_as_the_system_walks_it(led: list[Path], tmp_path: Path) -> None:
    (tmp_path / "it" / "policy.toml").unlink()
    (tmp_path / "it" / "policy.toml").symlink_to(tmp_path / "top" / "in" / "middle" / ".." / "last" / "p.toml")
    assert policy.in_use().locked == {"scale": 200}
    policy.in_use.cache_clear()
    (tmp_path / "middle").chmod(0o777)
    with pytest.raises(PolicyFault, match=re.escape(str(tmp_path / "middle"))):
        policy.in_use()


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="root alone gives files away")
@pytest.mark.parametrize("name", ["top/in/middle", "middle/on.toml", "it/policy.toml", "top", "last/p.toml"])
def test_what_is_on_the_way_belongs_to_an_administrator(led: list[Path], tmp_path: Path, name: str) -> None:
    os.chown(tmp_path / name, 12345, -1, follow_symlinks=False)
    with pytest.raises(PolicyFault) as caught:
        policy.in_use()
    assert str(tmp_path / name) in str(caught.value)
    assert "belongs to somebody else than root" in str(caught.value)


@posix
def test_a_folder_that_is_a_link_to_nothing_is_not_no_policy(set_policy: Callable[[str], Path], tmp_path: Path) -> None:
    file = set_policy("[locked]\nscale = 200\n")
    file.parent.rename(tmp_path / "share")
    file.parent.symlink_to(tmp_path / "share")
    policy.in_use.cache_clear()
    assert policy.in_use().locked == {"scale": 200}
    (tmp_path / "share").rename(tmp_path / "away")
    policy.in_use.cache_clear()
    with pytest.raises(PolicyFault, match="cannot be read"):
        policy.in_use()


def test_where_the_file_is_no_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ProgramData", "PROGRAMDATA", "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, "/tmp/mine")  # noqa: S108 - that is the attack
    assert "mine" not in str(policy.policy_file())
    monkeypatch.setattr(sys, "platform", "win32")
    assert str(policy.policy_file()).replace("\\", "/") == "C:/ProgramData/RadCal/policy.toml"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert str(policy.policy_file()).endswith("Application Support/RadCal/policy.toml")


# --- locks -----------------------------------------------------------------------------------------


def test_a_lock_holds_against_what_a_person_chooses_and_names_the_file(set_policy: Callable[[str], Path]) -> None:
    file = set_policy('[locked]\nwindow_hours = 24\nallowed_phrases = ["likely", "possible"]\n')
    found = policy.in_use()
    found.refuse({"window_hours": 24, "allowed_phrases": ["likely", "possible"], "seed": 3})
    with pytest.raises(SetByPolicy) as caught:
        found.refuse({"window_hours": 12.0})
    assert str(caught.value) == (
        f"window_hours is set by your IT department, to 24.0: {file}, line 2. Leave it as it is, or ask them."
    )
    with pytest.raises(SetByPolicy, match="to likely, possible"):
        found.started({"allowed_phrases": []})


def test_engines_that_are_not_allowed_are_replaced_and_refused(set_policy: Callable[[str], Path]) -> None:
    set_policy('[locked]\nengines = ["rules", "served"]\n')
    found = policy.in_use()
    stored = Settings(engine="llama", model="/models/x.gguf")
    assert found.in_force(stored) == Settings()
    assert found.overrides(stored) == ("engine", "model")
    with pytest.raises(SetByPolicy, match="other engines than 'llama': rules, served"):
        found.refuse({"engine": "llama"})


@pytest.mark.parametrize(("second", "engine"), [("served", "served"), ("/m/a.gguf", "llama")])
def test_a_second_reader_whose_engine_is_not_allowed_gives_way_to_the_bundled_one(
    set_policy: Callable[[str], Path], second: str, engine: str
) -> None:
    set_policy('[locked]\nengines = ["rules"]\n')
    found = policy.in_use()
    stored = Settings(second=second, served_url="https://llm.example/v1")
    now = found.in_force(stored)
    assert now == stored.changed(second="bundled")
    assert found.overrides(stored) == ("second",)
    assert found.to_store(now.changed(seed=3), stored) == stored.changed(seed=3)
    for chosen in ({"second": second}, stored.to_dict()):
        with pytest.raises(SetByPolicy, match=f"other engines than '{engine}': rules"):
            found.refuse(chosen)
    for own in ("bundled", "none"):
        assert found.in_force(Settings(second=own)).second == own
        found.refuse({"engine": "rules", "second": own})


def test_what_reads_beside_the_rules_can_be_its_to_choose(set_policy: Callable[[str], Path]) -> None:
    set_policy('[locked]\nsecond = "served"\nmodel = "/m/a.gguf"\n')
    found = policy.in_use()
    assert found.in_force(Settings()) == Settings(second="served")
    assert found.started({"engine": "rules", "model": "", "second": "served"}).model == ""
    with pytest.raises(SetByPolicy, match="second is set"):
        found.started({"second": "none"})


def test_a_policy_whose_second_reader_is_a_server_that_it_forbids_is_wrong(set_policy: Callable[[str], Path]) -> None:
    set_policy('[defaults]\nsecond = "served"\n[locked]\nengines = ["rules", "llama"]\n')
    with pytest.raises(PolicyFault, match="contradicts itself"):
        policy.in_use()


@pytest.mark.parametrize("table", ["defaults", "locked"])
def test_a_model_of_it_is_for_engines_that_have_one(set_policy: Callable[[str], Path], table: str) -> None:
    set_policy(f'[{table}]\nmodel = "/m/a.gguf"\n')
    found = policy.in_use()
    assert found.started() == Settings()
    llama = found.started({"engine": "llama"})
    assert llama == Settings(engine="llama", model="/m/a.gguf")
    assert found.to_store(Settings(engine="rules", model=""), llama) == Settings()
    assert found.started({"engine": "rules", "model": ""}) == Settings()
    locked = Policy(locked={"model": "/m/a.gguf"})
    assert locked.started({"engine": "llama", "model": ""}) == llama  # an empty one is no way around the lock
    with pytest.raises(SetByPolicy):
        locked.refuse({"engine": "llama", "model": "/m/b.gguf"})


def test_what_is_locked_is_stored_as_it_was_and_a_change_of_it_refused(set_policy: Callable[[str], Path]) -> None:
    set_policy("[locked]\nwindow_hours = 24\n")
    found, stored = policy.in_use(), Settings(window_hours=6)
    assert found.in_force(stored).window_hours == 24
    assert found.to_store(found.in_force(stored).changed(seed=5), stored) == stored.changed(seed=5)
    assert found.to_store(stored.changed(seed=5), stored) == stored.changed(seed=5)
    with pytest.raises(SetByPolicy):
        found.to_store(stored.changed(window_hours=7), stored)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "window_hours": st.floats(0, 100),
            "engine": st.sampled_from(["rules", "llama"]),
            "second": st.sampled_from(["bundled", "none", "served", "/m/b.gguf"]),
            "model": st.just("/m/a.gguf"),
            "seed": st.integers(0, 9),
            "contested": st.sampled_from(["counted", "left out"]),
        },
    ),
    st.fixed_dictionaries({"seed": st.integers(0, 9), "window_hours": st.floats(0, 100)}),
    st.lists(st.sampled_from(["rules", "llama", "served"]), unique=True),
)
def test_what_is_in_force_has_every_lock_and_the_stored_values_else(
    locked: dict[str, object], stored: dict[str, object], engines: list[str]
) -> None:
    found = Policy(Path("/p"), {}, {**locked, **({"engines": tuple(engines)} if engines else {})})
    settings = Settings.from_dict(stored)
    now = found.in_force(settings)
    assert found.in_force(now) == now
    for name, value in locked.items():
        if name not in ("engine", "model", "second"):
            assert getattr(now, name) == value
    assert found.allows("served") or not now.reads_at_server
    if not now.uses_model_file:
        assert now.model in ("", settings.model)
    elif "model" in locked:
        assert now.model == locked["model"]
    assert not engines or now.engine in engines
    for name in ("seed", "window_hours"):
        assert getattr(now, name) == locked.get(name, stored[name])
    found.to_store(now, settings)
    assert found.to_store(now, settings) == settings


def test_models_from_elsewhere_are_refused(set_policy: Callable[[str], Path], tmp_path: Path, model: Path) -> None:
    from radcal.findings.model.local_model import LocalModel
    from radcal.findings.model.options import ModelOptions

    folder = tmp_path / "models"
    folder.mkdir()
    set_policy(f'[locked]\nmodels_folder = "{folder.as_posix()}"\n')
    with pytest.raises(SetByPolicy, match=r"allows models in .* alone"):
        LocalModel(model, ModelOptions())
    inside = folder / "ours.gguf"
    inside.symlink_to(model)  # a link out of the folder is no way in
    with pytest.raises(SetByPolicy):
        LocalModel(inside, ModelOptions())
    inside.unlink()
    inside.write_bytes(model.read_bytes())
    LocalModel(inside, ModelOptions())


def test_the_key_store_may_be_refused(set_policy: Callable[[str], Path]) -> None:
    assert key_store.allowed()
    set_policy('[locked]\nkey_store = "refused"\n')
    assert not key_store.allowed()
    for ask in (lambda: key_store.remembered("a"), lambda: key_store.remember("a", "b")):
        with pytest.raises(key_store.KeyStoreUnavailable, match="lets no key store keep passphrases"):
            ask()


def test_names_may_be_refused(set_policy: Callable[[str], Path]) -> None:
    policy.in_use().refuse_names()
    set_policy('[locked]\nexports_with_names = "refused"\n')
    with pytest.raises(SetByPolicy, match="no files and lists with the names"):
        policy.in_use().refuse_names()


# --- the page about it -----------------------------------------------------------------------------


def test_the_example_of_the_page_is_right_and_names_all_that_can_be_set(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    file = tmp_path / "policy.toml"
    file.write_text(example, encoding="utf-8")
    found = read_policy(file)
    assert found.defaults
    assert found.locked
    listed = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert listed == {f.name for f in fields(Workstation)}


def test_no_name_is_both_a_departments_and_a_computers() -> None:
    assert not {f.name for f in fields(Settings)} & {f.name for f in fields(Workstation)}
    with pytest.raises(InputError):
        Workstation(theme="pink")  # type: ignore[arg-type]
