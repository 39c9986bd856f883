"""Sentences read by hand as frames for the generator."""

from __future__ import annotations

from random import Random

import pytest

from tools.mini.frames import frames
from tools.mini.generator import Generator, assemble
from tools.mini.grammar import Grammar
from tools.mini.words import FRAMES, Frames


@pytest.mark.parametrize(
    ("sentence", "stated", "frame"),
    [
        (
            "No effusion or pneumothorax.",
            "pleural effusion=absent; pneumothorax=absent",
            "[1-No] <eff^1|effusion> or <ptx^1|pneumothorax>",
        ),
        ("Heart size is normal.", "cardiomegaly=absent", "<car^1|Heart size> is [1-normal]"),
        ("Normal heart size.", "cardiomegaly=absent", "[1-Normal] <car^1|heart size>"),
        (
            "Opacity (new), likely atelectasis.",
            "opacity=present; atelectasis=likely",
            r"<opa|Opacity> \(new\), [1?likely] <atl^1|atelectasis>",
        ),
        (
            "Possible aspiration pneumonia.",
            "aspiration=possibly; infection=possibly",
            "[1?Possible] <asp+inf^1|aspiration pneumonia>",
        ),
        (
            "Atelectasis is favored over pneumonia.",
            "atelectasis=likely; infection=unlikely",
            "<atl^1|Atelectasis> [1?is favored] [2?over] <inf^2|pneumonia>",
        ),
        ("The trachea is midline.", "", "The trachea is midline"),
    ],
)
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
