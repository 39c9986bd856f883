from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.errors import InputError
from radcal.settings import SETTINGS_VERSION, Settings

BOUNDED = [f for f in dataclasses.fields(Settings) if "low" in f.metadata]


def test_defaults_lie_in_their_bounds_and_have_a_meaning():
    for f in dataclasses.fields(Settings):
        if f.name != "version":
            assert f.metadata["meaning"]
    for f in BOUNDED:
        assert f.metadata["low"] <= f.default <= f.metadata["high"]


@pytest.mark.parametrize("name", [f.name for f in BOUNDED])
def test_values_out_of_bounds_are_refused_by_name_and_the_bounds_themselves_taken(name):
    field = next(f for f in BOUNDED if f.name == name)
    low, high = field.metadata["low"], field.metadata["high"]
    for value in (low, high):
        assert getattr(Settings(**{name: value}), name) == value
    for value in (low - 1, high + 1):
        with pytest.raises(InputError, match=f"Setting {name}: .* is outside"):
            Settings(**{name: value})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("n_bins", 10.0, "not a whole number"),
        ("n_bins", True, "not a whole number"),
        ("n_bins", None, "not a whole number"),
        ("tau2", "0.1", "not a number"),
        ("confidence", float("nan"), "outside"),
        ("window_hours", float("inf"), "outside"),
        ("method", "guess", "not one of exact, midpoint"),
        ("trainee_rule", None, "not one of"),
        ("solver", ["joint"], "not one of"),
        ("allowed_phrases", "likely", "not a list of words"),
        ("allowed_phrases", [1], "not a list of words"),
        ("silence_absent", None, "not a list of words"),
        ("version", 0, "not a version"),
        ("version", "1", "not a version"),
        ("version", SETTINGS_VERSION + 1, "newer RadCal"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(name, value, message):
    for make in (lambda: Settings(**{name: value}), lambda: Settings.from_dict({name: value})):
        with pytest.raises(InputError, match=message):
            make()


def test_unknown_names_are_refused_and_the_known_ones_listed():
    with pytest.raises(InputError, match=r"Unknown setting 'tau'\. Known: window_hours, "):
        Settings.from_dict({"tau": 1.0})
    with pytest.raises(InputError, match="not a list of names"):
        Settings.from_dict([1])


def test_settings_of_a_newer_version_are_called_newer_rather_than_unknown():
    with pytest.raises(InputError, match="newer RadCal"):
        Settings.from_dict({"version": SETTINGS_VERSION + 1, "a_new_setting": 1})


@settings(deadline=None)
@given(
    st.builds(
        Settings,
        window_hours=st.one_of(st.integers(0, 8760), st.floats(0, 8760)),
        seed=st.integers(0, 2**32 - 1),
        method=st.sampled_from(["exact", "midpoint"]),
        allowed_phrases=st.lists(st.text(max_size=5), max_size=3),
    )
)
def test_settings_survive_json_with_their_hash(chosen):
    back = Settings.from_dict(json.loads(json.dumps(chosen.to_dict())))
    assert back == chosen
    assert back.hash() == chosen.hash()


def test_equal_settings_have_equal_hashes_and_a_change_another():
    assert Settings(window_hours=24) == Settings(window_hours=24.0)
    assert Settings(window_hours=24).hash() == Settings(window_hours=24.0).hash()
    assert Settings(allowed_phrases=["likely"]).hash() == Settings(allowed_phrases=("likely",)).hash()
    changes = {"seed": 1, "method": "midpoint", "allowed_phrases": ("likely",), "tau2": 0.2}
    hashes = {Settings().changed(**{name: value}).hash() for name, value in changes.items()}
    assert len(hashes | {Settings().hash()}) == len(changes) + 1


def test_changed_checks_bounds_and_leaves_the_original_alone():
    original = Settings()
    assert original.changed(seed=5).seed == 5
    assert original.seed == 0
    with pytest.raises(InputError, match="seed"):
        original.changed(seed=-1)


def test_a_mutable_list_given_to_settings_cannot_change_them():
    words = ["likely"]
    chosen = Settings(allowed_phrases=words)
    words.append("possible")
    assert chosen.allowed_phrases == ("likely",)
