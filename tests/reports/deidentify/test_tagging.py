"""What the tagger finds in texts that it was not trained on, and what is decided beside it."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.features import NOBODY as NO_NAMES
from radcal.reports.deidentify.features import called, features, pieces
from radcal.reports.deidentify.known import People
from radcal.reports.deidentify.spans import Claims
from radcal.reports.deidentify.tagging import LABELS, OTHER, enough, tagged, titled
from radcal.reports.deidentify.words import Is, is_finding, what
from radcal.reports.identifiers import Known
from tools.marked_texts import read

KEPT_ASIDE = Path(__file__).parents[3] / "benchmarks" / "kept_aside" / "n1.txt"
"""Texts that the tagger was not trained on."""
NOBODY = Known()


@pytest.mark.parametrize(("named", "most_missed"), [(False, 0.06), (True, 0.04)])
def test_identifiers_of_an_unseen_author_are_found_and_other_words_stay(
    deidentify: Deidentifier, named: bool, most_missed: float
) -> None:
    marks = missed = words = altered = 0
    for text in read(KEPT_ASIDE):
        done = deidentify(text.text, text.known if named else NOBODY, text.name)
        gone = {n for edit in done.edits for n in range(edit.start, edit.end)}
        own = {n for mark in text.marks for n in range(mark.start, mark.end)}
        for mark in text.marks:
            telling = [
                m
                for m in re.finditer(r"\w+", text.text[mark.start : mark.end])
                if len(m.group()) > 2 and not what(m.group().lower()) & (Is.FUNCTION | Is.STRONG)
            ]
            marks += 1
            missed += any(n + mark.start not in gone for m in telling for n in range(m.start(), m.end()))
        for m in re.finditer(r"[^\W\d_]{3,}", text.text):
            outside = not own & set(range(m.start(), m.end()))
            words += outside
            altered += outside and m.start() in gone
    assert marks > 600
    assert missed <= most_missed * marks
    assert altered <= 0.015 * words


def test_titles_are_passed_over_and_roles_stay() -> None:
    of = pieces("Frau Prof. Dr. Sommer, Herr Kollege, Dr. med. Ó Briain")
    assert [of.written[n] for n in sorted(titled(of, german=True))] == ["Sommer", "Ó"]


def test_a_name_behind_a_title_is_found_again_where_it_is_no_word(deidentify: Deidentifier) -> None:
    text = "Mr. Stone was told. I then met Stone again. No gallstone, no stone."
    assert deidentify(text, NOBODY, "p").text == "Mr. [name] was told. I then met [name] again. No gallstone, no stone."


@pytest.mark.parametrize("unit", ["mm", " cm", " mg", "%", " HU", " kV", " mGy"])
def test_a_figure_before_a_unit_stays(deidentify: Deidentifier, unit: str) -> None:
    for figure in (7, 14, 120, 345):
        text = f"Discussed with Tilda Brommer. Nodule, {figure}{unit}, in the left lower lobe."
        assert f"{figure}{unit}" in deidentify(text, NOBODY, "p").text


def test_the_less_a_word_may_be_anything_else_the_sooner_it_is_taken() -> None:
    likely = [enough(word, german=False) for word in ("Szczepański", "Stone", "Effusion", "effusion")]
    assert likely == sorted(likely)
    assert len(set(likely)) > 2
    assert enough("stone", german=False, known=True) == enough("stone", german=False) > enough("Stone", False, True)


def test_a_word_of_a_finding_that_is_a_name_may_be_one() -> None:
    assert is_finding("cardiomegaly")
    assert is_finding("unterlappenpneumonie")
    assert not is_finding("stone")
    assert not is_finding("szczepański")


def test_a_column_makes_a_name_of_what_would_stay(deidentify: Deidentifier) -> None:
    text = "Portable film. Tubes as before. KQP"
    without = deidentify(text, NOBODY, "p").text
    assert deidentify(text, Known(staff=("Kelda Quimby-Pask",)), "p").text != text
    assert "Tubes as before" in without
    of, names = pieces("Seen by KQP and Quimby"), ["Kelda Quimby-Pask"]
    rows = features("Seen by KQP and Quimby", of, False, called(names, People(names)))
    assert "kn=i" in rows[2]
    assert "kn=n" in rows[4]
    assert not [f for row in features("Seen by KQP", pieces("Seen by KQP"), False, NO_NAMES) for f in row if "kn" in f]


def test_what_stays_though_it_may_be_a_name_is_a_suspect_the_likeliest_first() -> None:
    claims = Claims("Bland looking root beside Assurity")
    done = claims.apply([(0, 5, 0.1), (26, 34, 0.3), (6, 13, 0.2)])
    assert [done.text[s.start : s.end] for s in done.suspects] == ["Assurity", "looking", "Bland"]


def test_no_suspect_is_listed_twice(deidentify: Deidentifier) -> None:
    found = 0
    for text in read(KEPT_ASIDE):
        suspects = deidentify(text.text, NOBODY, text.name).suspects
        assert len({(s.start, s.end) for s in suspects}) == len(suspects)
        found += len(suspects)
    assert found > 10


def test_every_kind_has_a_label_that_the_model_knows() -> None:
    text = "Dr. Szczepański, 94, Klinikum Umbrau, MRN 44-1, on the 3rd, ext 12"
    beliefs = tagged(features(text, pieces(text), german=False))
    assert len(beliefs) == len(pieces(text).written)
    assert {belief.label for belief in beliefs} <= set(LABELS.values())
    assert OTHER not in LABELS.values()
    assert all(-1e-9 <= belief.probability <= 1 + 1e-9 for belief in beliefs)


def test_texts_are_read_alike_by_several_threads(deidentify: Deidentifier) -> None:
    texts = [text.text for text in read(KEPT_ASIDE)][:20]
    alone = [deidentify(text, NOBODY, "p").text for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: deidentify(text, NOBODY, "p").text, texts)) == alone
