"""The byte-pair encoder: lossless and deterministic."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.mini.tokenizer import BASE, Tokenizer, train

TEXTS = [
    " no pleural effusion or pneumothorax.",
    " pleural thickening, pleural effusion",
    " the effusion isn't large (#:#)",
] * 3
PIECES, MERGES = train(TEXTS, 330)
CUTTER = Tokenizer(PIECES, MERGES)


def written(tokens: list[int], cutter: Tokenizer = CUTTER) -> bytes:
    back = {c: b for b, c in enumerate(BASE)}
    return bytes(back[c] for t in tokens for c in cutter.pieces[t])


@given(st.text())
@settings(deadline=None)
def test_every_text_comes_back_from_its_tokens(text: str) -> None:
    assert written(CUTTER.encode(text)) == text.encode()


@given(st.text(), st.integers(0, 1000))
@settings(deadline=None)
def test_words_cut_finer_are_the_same_text(text: str, seed: int) -> None:
    assert written(CUTTER.encode_dropping(text, Random(seed), 1.0, 0.5)) == text.encode()


def test_the_most_frequent_pair_is_merged_first() -> None:
    _, merges = train([" aab aab ab"], 258)
    # " a" and "ab" stand three times each and the tie goes to the later of the alphabet
    assert merges[0] == max((("a", "b"), ("\u0120", "a")))


def test_training_stops_where_no_pair_occurs_twice() -> None:
    pieces, merges = train(["xyz"], 300)
    assert (len(pieces), merges) == (256, [])


def test_no_piece_is_longer_than_allowed() -> None:
    pieces, _ = train(["a" * 200] * 5, 400)
    assert max(map(len, pieces)) <= 24


def test_frequent_words_become_one_token() -> None:
    assert len(CUTTER.encode(" pleural")) == 1
    assert len(CUTTER.encode(" pneumonia")) > 1
