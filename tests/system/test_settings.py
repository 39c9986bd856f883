from __future__ import annotations

import dataclasses
import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.system.errors import InputError
from radcal.system.settings import SETTINGS_VERSION, Settings

BOUNDED = [f for f in dataclasses.fields(Settings) if "low" in f.metadata]


def test_defaults_lie_in_their_bounds_and_have_a_meaning():
    for f in dataclasses.fields(Settings):
        if f.name != "version":
            assert f.metadata["meaning"]
    for f in BOUNDED:
        assert f.metadata["low"] <= f.default <= f.metadata["high"]


NUMBERS = {
    # name: default, least, most
    "window_hours": (12, 0, 3653 * 24),
    "unread_below": (-1, -1, 1),
    "workers": (0, 0, 128),
    "llama_context": (4096, 256, 1_048_576),
    "llama_gpu_layers": (-1, -1, 10_000),
    "llama_threads": (0, 0, 1024),
    "llama_report_seconds": (600, 1, 86_400),
    "served_parallel": (8, 1, 256),
    "served_seconds": (30, 1, 3600),
    "n_bins": (100, 2, 1000),
    "bootstrap": (1000, 0, 100_000),
    "seed": (0, 0, 4_294_967_295),
    "min_phrase_n": (10, 1, 10_000),
    "min_group_n": (30, 1, 100_000),
    "confidence": (0.95, 0.5, 0.999),
    "tau2": (0.001, 0.001, 10),
    "max_steps": (12, 1, 20),
    "sure": (0.95, 0.5, 0.999),
    "least_accuracy": (0.85, 0, 1),
}


def test_defaults_and_bounds_are_those_that_departments_have_results_of():
    """Another default makes other results without anybody's choice: that is to be decided, not to slip in."""
    assert {f.name: (f.default, f.metadata["low"], f.metadata["high"]) for f in BOUNDED} == NUMBERS
    words = {f.name: f.default for f in dataclasses.fields(Settings) if f not in BOUNDED}
    assert words == {
        "trainee_rule": "signer",
        "deidentify": "on",
        "signed_after_ct": "counted",
        "engine": "rules",
        "second": "bundled",
        "untested": "refused",
        "model": "",
        "llama_prompts": "",
        "served_url": "",
        "served_model": "",
        "served_ca": "",
        "lexicon_dir": "",
        "method": "exact",
        "solver": "ordered",
        "allowed_phrases": (),
        "descriptor_advice": "withheld",
        "vocabulary": "",
        "include_other_confirmations": (),
        "silence_left_out": (),
        "silence_absent": (),
        "reference": "expected",
        "unit": "told",
        "ct_accuracy": (),
        "contested": "counted",
        "reading_errors": "carried on",
        "verification": "weighted",
        "version": 4,
        "study": "",
    }


@pytest.mark.parametrize(("name", "low", "high"), [(name, low, high) for name, (_, low, high) in NUMBERS.items()])
def test_values_out_of_bounds_are_refused_by_name_and_the_bounds_themselves_taken(name, low, high):
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
        ("solver", ["ordered"], "not one of"),
        ("allowed_phrases", "likely", "not a list of words"),
        ("allowed_phrases", [1], "not a list of words"),
        ("silence_absent", None, "not a list of words"),
        ("model", None, "not a text"),
        ("model", 1, "not a text"),
        ("second", "", "write bundled, none, served, or the path"),
        ("version", 0, "not a version"),
        ("version", True, "not a version"),
        ("version", "1", "not a version"),
        ("version", SETTINGS_VERSION + 1, "newer RadCal"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(name, value, message):
    for make in (lambda: Settings(**{name: value}), lambda: Settings.from_dict({name: value})):
        with pytest.raises(InputError, match=message):
            make()


def test_unknown_names_are_refused_and_the_known_ones_listed():
    with pytest.raises(InputError, match=r"Name 2 of the settings is unknown\. Known: window_hours, "):
        Settings.from_dict({"seed": 1, "tau": 1.0})
    with pytest.raises(InputError, match="not a list of names"):
        Settings.from_dict([1])


@pytest.mark.parametrize(
    "name", [f.name for f in dataclasses.fields(Settings)] + ["Small pneumothorax in Mr. Halloway."]
)
@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text, 1], lambda text: {text: text}])
def test_no_message_repeats_what_may_be_a_sentence_of_a_report(name, wrap):
    shown = ""
    try:
        Settings.from_dict({name: wrap("Small pneumothorax in Mr. Halloway.")})
    except InputError as error:
        shown = str(error)
    assert "Halloway" not in shown


def test_settings_of_a_newer_version_are_called_newer_rather_than_unknown():
    with pytest.raises(InputError, match="newer RadCal"):
        Settings.from_dict({"version": SETTINGS_VERSION + 1, "a_new_setting": 1})


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ({"engine": "rules"}, {}),
        ({"engine": "llama", "model": "/m.gguf"}, {"engine": "llama", "model": "/m.gguf"}),
        ({"engine": "cascade"}, {"second": "bundled"}),
        ({"engine": "cascade", "model": "/m.gguf"}, {"second": "/m.gguf"}),
        (
            {"engine": "cascade", "cascade_second": "served", "served_model": "q"},
            {"second": "served", "served_model": "q"},
        ),
        ({"engine": "served", "cascade_second": "served"}, {"engine": "served"}),
    ],
)
def test_settings_of_the_version_before_are_carried_over(before, now):
    gone = {
        "pooling": "both",
        "cascade_asks": "hedged",
        "llama_prompt": "chat",
        "llama_temperature": 1.0,
        "llama_seed": 3,
    }
    stored = {"cascade_second": "llama", "review_below": 0.3, **gone, **before, "seed": 7, "version": 2}
    assert Settings.from_dict(stored) == Settings(**now, seed=7)


def test_which_settings_send_reports_and_which_read_with_a_chosen_file():
    named = {"served": Settings(engine="served"), "beside": Settings(second="served"), "rules": Settings()}
    assert [name for name, chosen in named.items() if chosen.reads_at_server] == ["served", "beside"]
    assert not Settings(engine="llama", second="served").reads_at_server
    assert Settings(engine="llama", model="/a.gguf", second="/b.gguf").model_file == "/a.gguf"
    assert Settings(model="/a.gguf", second="/b.gguf").model_file == "/b.gguf"
    assert Settings(model="/a.gguf").model_file == Settings(engine="llama", second="/b.gguf").model_file == ""


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


def test_what_is_stored_changes_no_result_of_it():
    assert Settings(deidentify="off").hash() == Settings().hash()
    assert Settings(workers=5).hash() == Settings().hash()  # results are the same
    assert Settings(untested="allowed").hash() == Settings(unit="percent").hash() == Settings().hash()


def test_the_hash_is_the_beginning_of_the_sha256_of_the_values_in_the_order_of_their_names():
    left_out = (
        "deidentify",
        "workers",
        "untested",
        "unit",
        *(f.name for f in dataclasses.fields(Settings) if f.name.startswith("served_")),
    )
    made_with = {k: v for k, v in Settings(seed=3).to_dict().items() if k not in left_out}
    assert made_with.pop("study") == ""  # of chest X-ray and CT, results are as they were before there were others
    assert Settings(study="name = 'x'").hash() != Settings().hash()
    values = ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(made_with.items()))
    assert Settings(seed=3).hash() == hashlib.sha256(f"{{{values}}}".encode()).hexdigest()[:16]


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
