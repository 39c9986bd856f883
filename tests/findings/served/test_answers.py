"""What an answer names is in the list, or the report has failed; and its tokens tell how probable each phrase is."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from radcal.findings.readers.pairs import phrases_of
from radcal.findings.served.answers import chances_in
from radcal.findings.served.requests import Said, Useless
from radcal.words.phrases import load_lexicon

PHRASES = phrases_of(load_lexicon())
KEYS = ("1 pleural effusion", "2 edema", "2 infection")
WHOLE = json.dumps(dict(zip(KEYS, ("absent", "may represent", "not stated"), strict=True)))


def answer(*phrases: object) -> str:
    return json.dumps(dict(zip(KEYS, phrases, strict=True)))


def chances(said: str, tokens: Any, keys: Sequence[str] = KEYS, phrases: Sequence[str] = PHRASES) -> Any:
    return chances_in(Said(said.strip(), list(tokens), cut=False, thought=False), keys, phrases)


def chosen(said: str, tokens: Any = ()) -> list[str]:
    found = chances(said, tokens)
    assert found.shape == (3, len(PHRASES))
    assert found.sum(axis=1) == pytest.approx(1)
    return [PHRASES[row.argmax()] for row in found]


def test_the_phrase_that_was_chosen_is_all_that_is_known() -> None:
    found = chances(WHOLE, [])
    assert chosen(WHOLE) == ["absent", "may represent", "not stated"]
    assert sorted(np.unique(found)) == [0, 1]
    assert chosen(answer("Absent", "MAY represent", "not  stated")) == ["absent", "may represent", "not stated"]


@pytest.mark.parametrize("around", ["{}", " {}\n", "```json\n{}\n```", "```\n{}```"])
def test_a_fence_around_the_answer_is_no_fault(around: str) -> None:
    assert chosen(around.replace("{}", WHOLE)) == ["absent", "may represent", "not stated"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer("absent", "gout", "present"), "a phrase that is not in the list"),
        (answer("absent", "", "present"), "a phrase that is not in the list"),
        (answer("absent", None, "present"), "a phrase that is not in the list"),
        (answer("absent", ["present"], "present"), "a phrase that is not in the list"),
        ("", "gave no answer"),
        ("no", "form"),
        ("[]", "form"),
        ("{}", "form"),
        (WHOLE.replace("2 infection", "3 infection"), "form"),
        (WHOLE[:-1] + ', "3 gout": "present"}', "form"),
        (WHOLE[:-1] + ', "2 edema": "present"}', "form"),
        (answer("absent", math.nan, "present"), "a phrase that is not in the list"),
        ('{"1 pleural effusion": ' + "[" * 100_000, "form"),
        (f"Here it is: {WHOLE}", "form"),
        (f"{WHOLE} I hope that this helps.", "form"),
    ],
)
def test_what_is_not_in_the_list_is_a_failure_that_quotes_nothing(said: str, why: str) -> None:
    with pytest.raises(Useless, match=why) as raised:
        chosen(said)
    for quoted in ("gout", "helps", "effusion"):
        assert quoted not in str(raised.value)


def stated(pieces: list[str], others: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Tokens as chat completions state them: each with its own alternatives, by their text, and their probabilities."""
    told = []
    for piece in pieces:
        near = others.get(piece, {piece: 1.0})
        listed = [{"token": text, "logprob": math.log(p), "bytes": list(text.encode())} for text, p in near.items()]
        told.append({"token": piece, "logprob": math.log(near[piece]), "bytes": None, "top_logprobs": listed})
    return told


def test_the_tokens_tell_how_probable_the_others_are() -> None:
    pieces = ['{"', "1", " edema", '":', ' "', "may", " rep", "resent", '"}']
    others = {
        "may": {"may": 0.5, "present": 0.25, "absent": 0.125, "su": 0.1, "Once": 0.025},  # worrisome, by no phrase
        " rep": {" rep": 0.8, "be": 0.2},
    }
    [row] = chances('{"1 edema": "may represent"}', stated(pieces, others), ["1 edema"])
    found = dict(zip(PHRASES, row, strict=True))
    total = 0.5 * (0.8 + 0.2) + 0.25 + 0.125 + 0.1
    expected = {"may represent": 0.4, "maybe": 0.1, "present": 0.25, "absent": 0.125}
    expected |= {"suggestive of": 0.05, "suspicious for": 0.05}  # begin alike
    assert {name: found[name] for name in expected} == pytest.approx(
        {name: p / total for name, p in expected.items()}, abs=2e-3
    )
    assert 0 < found["likely"] < 1e-3
    assert row.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "pieces",
    [
        ['{"1 edema":', ' "absent', '"}'],
        ['{"1 edema": "', "ab", "sent", '"}'],
        ['{"1 edema": "absent"}'],
        ["<think>", "Hm.", "</think>", '{"1 edema":', ' "', "absent", '"}', "<|im_end|>"],
    ],
)
def test_the_same_phrase_in_other_tokens_has_the_same_probability(pieces: list[str]) -> None:
    piece = next(p for p in pieces if "ab" in p)
    instead = piece.replace("absent", "present").replace("ab", "p")
    tokens = stated(pieces, {piece: {piece: 0.75, instead: 0.25}})
    [row] = chances('{"1 edema": "absent"}', tokens, ["1 edema"], ("present", "absent", "not stated"))
    assert row == pytest.approx([0.25, 0.75, 0], abs=1e-3)


@pytest.mark.parametrize(
    "tokens", [[None], [{}], [{"token": "x", "logprob": "y"}], [{"token": "x", "logprob": -1}], [{"token": 3}], [3]]
)
def test_tokens_that_are_not_those_of_the_answer_say_nothing(tokens: list[Any]) -> None:
    assert np.unique(chances(WHOLE, tokens)).tolist() == [0, 1]


@given(st.lists(st.floats(0.01, 0.99), min_size=3, max_size=3), st.permutations(PHRASES))
def test_a_list_in_which_each_has_a_token_of_its_own_is_given_back(weights: list[float], phrases: list[str]) -> None:
    some = phrases[:3]
    told = dict(zip((f'{p}"' for p in some), np.array(weights) / sum(weights), strict=True))
    best = max(told, key=lambda text: told[text])
    tokens = stated(['{"1 edema": "', best, "}"], {best: told})
    [row] = chances('{"1 edema": "' + best + "}", tokens, ["1 edema"], some)
    assert row == pytest.approx(list(told.values()), abs=1e-3)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 6) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
TOKEN = st.fixed_dictionaries(
    {"token": st.sampled_from(['{"', "absent", '"']) | ANY, "logprob": st.floats(-9, 1) | ANY},
    optional={"bytes": ANY, "top_logprobs": ANY},
)


@given(st.fixed_dictionaries({key: st.sampled_from(PHRASES) | ANY for key in KEYS}) | ANY, st.lists(TOKEN | ANY))
@example({**dict.fromkeys(KEYS, "present"), "2 edema": "\ud800"}, [])
def test_any_json_with_any_tokens_is_chances_or_a_failure(told: object, tokens: list[Any]) -> None:
    check(json.dumps(told), tokens)


@given(st.text(max_size=200))
def test_any_text_is_a_failure(told: str) -> None:
    check(told, [])


@given(st.lists(st.integers(0, len(WHOLE)), max_size=9), st.data())
def test_any_tokens_of_the_answer_are_chances(cuts: list[int], data: st.DataObject) -> None:
    pieces = [WHOLE[i:j] for i, j in pairwise(sorted({0, *cuts, len(WHOLE)}))]
    tops = st.lists(st.fixed_dictionaries({"token": st.text(max_size=5), "logprob": st.floats(-9, 0)}), max_size=3)
    tokens = [{"token": p, "logprob": -0.1, "bytes": None, "top_logprobs": data.draw(tops)} for p in pieces]
    check(WHOLE, tokens)


def check(said: str, tokens: list[Any]) -> None:
    try:
        found = chances(said, tokens)
    except Useless:
        return
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(1)
