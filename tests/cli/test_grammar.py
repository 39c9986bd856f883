"""The words of the command line: what is understood, explained and refused."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal import __version__
from radcal.cli.grammar import parser
from radcal.cli.values import hours


def test_version(radcal):
    done = radcal("--version")
    assert (done.status, done.out, done.err) == (0, f"RadCal {__version__}\n", "")


@pytest.mark.parametrize("step", ["", *parser()._subparsers._group_actions[0].choices])
def test_every_step_explains_itself_and_every_option(radcal, step):
    done = radcal(*([step] if step else []), "--help")
    assert (done.status, done.err) == (0, "")
    options = parser()._subparsers._group_actions[0].choices[step]._actions if step else []
    assert all(action.help for action in options)


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["dance"],
        ["run"],
        ["run", "--workspace", "w", "--out", "o", "--window", "soon"],
        ["run", "--workspace", "w", "--out", "o", "--standard", "a-9z"],
        ["advise", "o.csv", "--out", "a.json", "--solver", "guess"],
        ["report", "--workspace", "w", "--author", "a", "--out", "o", "--from", "March"],
        ["personal", "--workspace", "w", "--out", "o"],
        ["personal", "--workspace", "w", "--out", "o", "--author", "a", "--all"],
        ["extract", "r.csv", "--out", "f.csv", "--engine", "tarot"],
    ],
)
def test_what_is_not_understood_is_unusable_input(refused, command):
    assert "usage: radcal" in refused(*command)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("12h", 12), ("90min", 1.5), ("90m", 1.5), ("2d", 48), ("1.5", 1.5), (" 6 H ", 6), ("30MIN", 0.5)],
)
def test_durations(text, expected):
    assert hours(text) == expected


@given(st.text(max_size=8))
@settings(deadline=None)
def test_whatever_is_typed_is_a_duration_or_refused_with_an_example(text):
    refused = ""
    try:
        value = hours(text)
    except argparse.ArgumentTypeError as error:
        value, refused = 0.0, str(error)
    assert value >= 0
    assert not refused or "12h, 90min or 2d" in refused
