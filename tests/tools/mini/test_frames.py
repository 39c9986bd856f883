"""Sentences read by hand as frames for the generator."""

from __future__ import annotations

from random import Random

from tests.cases import cases_of
from tools.mini.frames import frames
from tools.mini.generator import Generator, assemble
from tools.mini.grammar import Grammar
from tools.mini.words import FRAMES, Frames

cases = cases_of(__file__)


@cases("a_sentence_becomes_a_frame_that_states_the_same")
def test_a_sentence_becomes_a_frame_that_states_the_same(sentence: str, stated: str, frame: str) -> None:
    assert list(frames([(sentence, stated)])) == [frame]
    text = "@example\n{whole}"
    example = assemble(Grammar(text, {"whole": lambda _: frame}).expand("example", Random(0)), Random(0))
    assert {s.pathology for s in example.statements} == {pair.split("=")[0] for pair in stated.split("; ") if pair}


def test_what_the_rules_read_otherwise_than_the_hand_is_left_out() -> None:
    assert list(frames([("No effusion.", "pleural effusion=present"), ("No edema.", "edema=absent")])) == [
        "[1-No] <ede^1|edema>"
    ]


def test_the_frames_at_hand_keep_as_many_cues_when_terms_are_exchanged() -> None:
    lines = FRAMES.read_text("utf-8").splitlines()
    assert len(lines) > 2000
    assert len(set(lines)) == len(lines)
    source, random, grammar = Frames(), Random(1), Generator().grammar
    drawn = [source.frame(random) for _ in range(1000)]
    assert len(set(drawn) - set(lines)) > 300
    for _ in range(300):
        assert grammar.expand("framed", random)
