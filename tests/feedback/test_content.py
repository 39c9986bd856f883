"""What stands on one author's pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.advice.records import Advice, Withheld
from radcal.calibration.records import OthersRate, Part, PhraseRate, Reliability, Verification, Wording
from radcal.calibration.verified import verified_rates
from radcal.feedback.content import LONG_PART, MOST_GOOD_WORDS, MOST_WORDS, personal_content
from radcal.feedback.further import LONG_EXAMPLE, LONG_PHRASE, MOST_ROWS
from radcal.feedback.pages import _examples
from radcal.feedback.pdf import feedback_pdf
from radcal.feedback.records import Example, FeedbackInput, PageChoice
from radcal.system.selection import Days
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import Text

SETTINGS = Settings()
Make = Callable[..., FeedbackInput]


def content(data: FeedbackInput, **changes: Any) -> dict[str, Any]:
    """All that goes into the pages, flat."""
    return flat(data, PageChoice(), SETTINGS.changed(**changes))


def flat(data: FeedbackInput, choice: PageChoice, settings: Settings = SETTINGS) -> dict[str, Any]:
    made = personal_content(data, settings, choice, full=True)
    more, ending = made.pop("further"), made.pop("ending")
    return {**made, **more, **ending, "two": made["examples"]}


def words(value: Any) -> str:
    """All that is said, with plain quotes, dashes and spaces."""
    return json.dumps(value, ensure_ascii=False).translate({0x2018: "'", 0x2019: "'", 0x2013: "-", 0xA0: " "})


def test_who_what_and_when(avery: FeedbackInput) -> None:
    c = content(avery)
    assert c["name"] == "Dr. Jane Halloway"
    assert words(c["meta"]) == '"925 findings · 4 pathologies · Jan-Sep 2026"'
    assert words(c["footer"]) == '"Dr. Jane Halloway · Jan-Sep 2026"'
    assert "within 6 h" in content(avery, window_hours=6.0)["basis"]


@pytest.mark.parametrize(
    ("author", "name", "known_as"),
    [
        ("Dr. Jane Halloway", None, "Dr. Jane Halloway"),
        ("Avery", "Dr. Jane Halloway", "Dr. Jane Halloway"),
        ("Avery", "", "Avery"),
    ],
)
def test_no_page_has_a_name_and_its_pseudonym(
    avery: FeedbackInput, author: str, name: str | None, known_as: str
) -> None:
    c = content(replace(avery, author=author, name=name))
    assert c["name"] == known_as
    assert c["footer"].startswith(known_as)
    other = "Avery" if known_as != "Avery" else "Halloway"
    assert other not in words(c)


def test_at_most_three_recommendations_and_those_that_matter_most(make: Make, advice_of: Callable[..., Advice]) -> None:
    big, small = {"likely": (87.0, 41.0)}, {"likely": (12.0, 8.0)}
    data = make({topic: big if topic in ("a", "c", "e") else small for topic in "abcde"})
    change = [("likely", "may represent")]
    advices = [advice_of(r.topic, change, big if r.n > 20 else small) for r in data.reliabilities]
    c = content(replace(data, advices=tuple(advices)))
    assert [r["topic"] for r in c["recommendations"]] == ["A", "C", "E"]
    assert words(c["recommendations"][0]["head"]) == "\"A: 'may represent' rather than 'likely'\""
    other = "'may represent' rather than 'likely'"
    assert words(c["more"])[1:-1] == f"Further suggestions: B: {other} and D: {other}."
    assert "'May represent' would have been closer (97 % sure)." in words(c["pathologies"][0]["notes"])


def test_a_word_far_from_its_meaning_matters_more_than_one_that_is_said_more_often(
    make: Make, advice_of: Callable[..., Advice]
) -> None:
    """200 statements 4 % off against 60 statements 51 % off."""
    often, far = {"likely": (200.0, 135.0)}, {"likely": (60.0, 12.0)}
    data = make({"a": often, "b": far})
    change = [("likely", "may represent")]
    c = content(replace(data, advices=(advice_of("a", change, often), advice_of("b", change, far))))
    assert [r["topic"] for r in c["recommendations"]] == ["B", "A"]


def test_words_that_differ_without_a_closer_one_are_to_be_looked_at(
    make: Make, advice_of: Callable[..., Advice]
) -> None:
    uses = {"likely": (87.0, 41.0), "unlikely": (50.0, 25.0)}
    data = make({"edema": uses})
    held = (Withheld("unlikely", "Nothing is nearer."),)
    one = replace(advice_of("edema", [("likely", "may represent")], uses), withheld=held)
    c = content(replace(data, advices=(one,)))
    assert "No closer word is known for 'unlikely' for edema (25 of 50): look at the cases." in words(c["next"])
    assert "try the closer word" in words(c["next"])
    without = personal_content(replace(data, advices=(one,)), SETTINGS, PageChoice(recommendations=False))
    assert "closer word" not in words(without["next"])


def wording(own: str, n: float = 4, y: float = 3, *, differs: bool = False) -> Wording:
    return Wording("edema", "likely", own, n, y, y / n, 0.0, 1.0, differs)


def test_a_suggestion_cites_the_author_s_own_words_with_their_counts(avery: FeedbackInput) -> None:
    def cited(*own: str) -> str:
        said = replace(avery, wordings=tuple(map(wording, own)))
        notes = content(said)["recommendations"][0]["notes"]
        return words(notes)

    assert cited("favor", "likely") == "[\"In your words: 'favor' 3 of 4 and 'likely' 3 of 4.\"]"
    assert cited(*"abcdef") == "[\"In your words: 'a' 3 of 4, 'b' 3 of 4, 'c' 3 of 4, 'd' 3 of 4 and 2 more.\"]"
    assert cited("likely") == cited() == "[]"


def test_the_table_names_the_words_and_says_if_they_were_not_confirmed_alike(avery: FeedbackInput) -> None:
    own = (wording("versus", differs=True), wording("cannot exclude", 3, 0, differs=True))
    (edema,) = (p for p in content(replace(avery, wordings=own))["pathologies"] if p["topic"] == "Edema")
    shares = "'versus' 3 of 4 and 'cannot exclude' 0 of 3"
    assert {r["phrase"]: words(r["written"])[1:-1] for r in edema["rows"] if r["written"]} == {
        "likely": f"'May represent' would have been closer (97 % sure). In your words: {shares}."
    }
    assert f"The wordings of 'likely' were not confirmed equally often: {shares}." in words(edema["notes"])
    alike = replace(avery, wordings=(wording("versus"), wording("favor")))
    (edema,) = (p for p in content(alike)["pathologies"] if p["topic"] == "Edema")
    assert "alike" not in words(edema["notes"])
    left_out = flat(replace(avery, wordings=own), PageChoice(without=("edema",)))
    assert "In your words" not in words(left_out)


def test_examples_carry_the_day_of_the_x_ray(avery: FeedbackInput) -> None:
    dated = replace(avery.examples[0], day=date(2026, 3, 12))
    first, second = content(replace(avery, examples=(dated, avery.examples[1])))["examples"]
    assert words(first["day"]) == '"12 Mar 2026"'
    assert second["day"] == ""


def test_no_advice_is_an_answer(make: Make) -> None:
    c = content(make({"edema": {"likely": (60, 48), "absent": (60, 1)}}))
    assert c["recommendations"] == []
    assert c["next"][0] == "Keep your words. More findings will tell of those without a mark."
    few = content(make({"edema": {"likely": (5, 3)}}))
    assert few["next"] == ["Nothing yet. A suggestion needs 10 uses of a word among 30 findings."]
    assert few["good"] == "Too early to say: a word is judged from 10 uses."
    assert content(make({"edema": {"likely": (87, 41)}}))["good"] == "No word is shown to match yet."


def test_good_words_come_hedges_first_and_the_most_used_of_each_kind_first(
    make: Make, avery: FeedbackInput, advice_of: Callable[..., Advice]
) -> None:
    uses: dict[str, Any] = {
        "edema": {"present": (300, 299), "absent": (200, 1), "likely": (400, 330), "unlikely": (600, 80)},
        "pneumonia": {"likely": (390, 321), "absent": (190, 1)},
    }
    good = words(content(make(uses))["good"])
    assert good[1:-1] == (
        "These meant what readers take them to mean: 'unlikely' for edema (80 of 600), 'likely' for edema (330 of "
        "400), 'likely' for pneumonia (321 of 390), 'present' for edema (299 of 300), 'absent' for edema (1 of 200) "
        "and 'absent' for pneumonia (1 of 190)."
    )
    # Neither a word that a suggestion changes, nor one on what merely describes the film.
    change = advice_of("edema", [("likely", "may represent")], uses["edema"])
    closed = replace(advice_of("pneumonia", [], uses["pneumonia"]), closed=True)
    good = words(content(replace(make(uses), advices=(change, closed)))["good"])
    assert "'likely' for edema" not in good
    assert "pneumonia" not in good
    many = content(make({f"t{k}": {"likely": (400, 330)} for k in range(MOST_GOOD_WORDS + 2)}))["good"]
    assert many.endswith(" and 2 more.")


def test_a_word_is_said_to_match_by_sentence_list_mark_and_picture_alike_or_by_none(
    make: Make, in_all: Make, advice_of: Callable[..., Advice]
) -> None:
    uses: dict[str, Any] = {
        "edema": {"may represent": (200, 100), "likely": (400, 330)},
        "mass": {"may represent": (180, 90), "suspicious for": (9, 4), "unlikely": (30, 20)},
        "opacity": {"likely": (400, 330), "suspicious for": (150, 75)},
        "nodule": {"question of": (9, 1)},
        "fracture": {"question of": (200, 30)},
    }
    advised = advice_of("edema", [("may represent", "unlikely")], uses["edema"])
    closed = replace(advice_of("opacity", [], uses["opacity"]), closed=True)
    c = content(replace(in_all(make(uses)), advices=(advised, closed)))
    names, whole = [word["name"] for word in c["table"]["words"]], c["table"]["whole"]
    marked = {
        (row["topic"].lower(), name)
        for row in (*c["table"]["rows"], *whole)
        for name, cell in zip(names, row["cells"], strict=True)
        if cell is not None and cell["mark"] == "\u25cf"
    }
    everywhere = [("all pathologies", word) for word in ("likely", "suspicious for", "question of")]
    # Neither the word that is advised on, be it over all pathologies, nor those on what merely describes the film.
    assert marked == {("edema", "likely"), ("mass", "may represent"), ("fracture", "question of"), *everywhere}
    good = words(c["good"])
    assert all(f"'{word}' for {topic} (" in good for topic, word in marked)
    assert good.count(" (") == len(marked)
    assert "Six words matched" in c["rest"]
    shapes = {
        (part["topic"].lower(), row["phrase"])
        for part in (c["together"], *c["pathologies"])
        for row in part["rows"]
        if row["plot"]["shape"] == "dot"
    }
    assert shapes == marked
    assert "Three words matched; " in words(c["together"]["notes"])


def without_uses(r: Reliability, *phrases: str) -> Reliability:
    """The group with phrases that were never said, as the statistics list them."""
    nan = float("nan")
    never = tuple(PhraseRate(p, 0, 0, nan, nan, nan, {"absent": 0.0, "present": 1.0}.get(p, 0.5)) for p in phrases)
    return replace(r, phrases=(*r.phrases, *never))


def test_what_was_said_once_is_told_and_what_was_never_said_is_not(make: Make) -> None:
    data = make({"edema": {"likely": (60, 48), "present": (1, 1)}, "mass": {"present": (1, 1)}, "pneumonia": {}})
    groups = tuple(without_uses(r, "absent", "may represent") for r in data.reliabilities)
    c = content(replace(data, reliabilities=groups))
    assert words(c["pathologies"][0]["caption"]).endswith("Plain statements: 'present' 2 % of all.\"")
    assert [r["phrase"] for r in c["pathologies"][0]["rows"]] == ["present", "likely"]
    assert [row["cells"][0]["text"] for row in c["table"]["rows"]] == ["1/1", "1/1"]
    assert "2 pathologies" in c["meta"]


def test_pathologies_without_statements_are_nothing_that_could_be_left_out(make: Make) -> None:
    data = make({"edema": {"likely": (60, 48)}, "pneumonia": {}})
    c = flat(data, PageChoice(without=("pneumonia",)))
    assert c["left_out"] == ""
    c = flat(data, PageChoice(without=("edema",)))
    assert c["left_out"] == "Left out of these pages by choice: all pathologies."
    assert c["good"] == ""


def test_pathologies_follow_by_the_number_of_statements(make: Make) -> None:
    sizes = {"c": 50, "a": 40, "d": 90, "b": 40}
    c = content(make({topic: {"likely": (n, round(0.8 * n))} for topic, n in sizes.items()}))
    assert [p["topic"] for p in c["pathologies"]] == ["D", "C", "A", "B"]


def test_what_holds_of_all_pathologies_is_told_where_no_single_one_says_as_much(
    make: Make, reliability_of: Callable[..., Reliability], advice_of: Callable[..., Advice]
) -> None:
    single = {"likely": (8.0, 2.0), "may represent": (12.0, 6.0)}
    uses = {"likely": (87.0, 41.0), "may represent": (400.0, 200.0), "unlikely": (50.0, 25.0)}
    parts = (Part("a", 48, 0.5, differs=False), Part("b", 48, 0.5, differs=False))
    together = replace(reliability_of(ALL_TOPICS, uses), parts=parts)
    change = [("likely", "may represent")]
    data = replace(make({"a": single, "b": single}), pooled=together, pooled_advice=advice_of(ALL_TOPICS, change, uses))
    c = content(data)
    assert [(r["topic"], r["source"]) for r in c["recommendations"]] == [("All pathologies", "likely")]
    for pathology in c["pathologies"]:
        [row] = [r for r in pathology["rows"] if r["phrase"] == "likely"]
        assert row["plot"]["shape"] == "hollow"
        assert words(row["written"])[1:-1] == (
            "Across all pathologies, 'may represent' would have been closer (97 % sure)."
        )
    assert "would have been closer (" not in words(flat(data, PageChoice(recommendations=False)))
    # Where a pathology says otherwise of the word, nothing is said of it over all of them.
    own = content(replace(data, advices=(advice_of("a", [("likely", "unlikely")], single),)))
    assert [(r["topic"], r["source"]) for r in own["recommendations"]] == [("A", "likely")]
    # Where it says the same, it is not said again.
    same = content(replace(data, advices=(advice_of("a", change, single),)))
    assert [(r["topic"], r["source"]) for r in same["recommendations"]] == [("A", "likely")]
    assert same["more"] == ""
    # Of pathologies that were left out, nothing is told in sums either.
    assert "All pathologies" not in words(flat(data, PageChoice(without=("a",))))


def test_the_picture_of_a_suggestion_shows_why_the_word_differs(make: Make, advice_of: Callable[..., Advice]) -> None:
    uses = {"absent": (116.0, 11.0)}
    data = make({"pleural effusion": uses})
    change = advice_of("pleural effusion", [("absent", "very unlikely")], uses)
    diagram = content(replace(data, advices=(change,)))["recommendations"][0]["diagram"]
    assert words(diagram["rows"][1]["value"])[1:-1] == "9 % (5.1-16)"


def test_long_tables_and_examples_ask_for_more_room(make: Make, avery: FeedbackInput) -> None:
    def long_table(rows: int, letters: int) -> bool:
        names = [f"{k:02}".ljust(letters if k == 0 else 3, "x") for k in range(rows)]
        known = tuple(replace(make({}).phrases[6], name=name) for name in names)
        rates = tuple(PhraseRate(name, 10, 8, 0.8, 0.5, 0.95, 0.7) for name in names)
        group = replace(avery.reliabilities[0], phrases=rates, n=10.0 * rows)
        (texts,) = content(replace(avery, phrases=known, reliabilities=(group,)))["pathologies"]
        return bool(texts["long"])

    assert not long_table(MOST_ROWS, LONG_PHRASE - 1)
    assert long_table(MOST_ROWS + 1, LONG_PHRASE - 1)
    assert long_table(2, LONG_PHRASE)

    def long_example(xray: int, ct: int) -> bool:
        e = replace(avery.examples[0], xray_sentence="x" * xray, ct_sentence="y" * ct)
        return bool(content(replace(avery, examples=(e,)))["examples"][0]["long"])

    assert not long_example(LONG_EXAMPLE - 100, 99)
    assert long_example(LONG_EXAMPLE - 100, 100)


def test_each_phrase_has_n_confirmed_rate_interval_and_meaning(avery: FeedbackInput) -> None:
    edema = next(p for p in content(avery)["pathologies"] if p["topic"] == "Edema")
    rows = {r["phrase"]: r for r in edema["rows"]}
    assert list(rows) == ["present", "likely", "may represent", "unlikely", "absent"]
    likely = rows["likely"]
    shown = [words(likely[k])[1:-1] for k in ("n", "confirmed", "rate", "spread", "meaning")]
    assert shown == ["87", "41", "47 %", "(37-58)", "75-90 %"]
    assert likely["differs"]
    assert likely["plot"]["shape"] == "down"
    assert rows["absent"]["plot"]["shape"] == "hollow"
    assert words(edema["notes"][0])[1:].startswith(
        "Your 'likely' overstated edema: CT confirmed 41 of 87 (47 %). Readers"
    )
    assert edema["head"] == "Edema, 342 findings"


def test_the_word_error_stands_with_its_interval_and_luck(avery: FeedbackInput) -> None:
    r = next(r for r in avery.reliabilities if r.topic == "edema")
    known: dict[str, Any] = {"word_error": 0.14, "word_error_low": 0.1, "word_error_high": 0.19, "luck_word_mean": 0.06}
    known["luck_word_p95"] = 0.09

    def caption(**changes: Any) -> str:
        group = replace(r, **(known | changes))
        return words(content(replace(avery, reliabilities=(group,)))["pathologies"][0]["caption"])[1:-1]

    missed = "On average your hedged words missed their meaning by 14"
    plain = "Plain statements: 'present' 12 % and 'absent' 38 % of all."
    assert caption() == f"{missed} (10-19) points. Chance alone gives about 6, up to 9. {plain}"
    assert caption(luck_word_p95=None, word_error_low=None) == f"{missed} points. {plain}"
    assert caption(luck_word_p95=0.14).endswith(f"up to 14. That is not enough to call it a difference. {plain}")
    read = caption(read_word_error=0.2, read_word_error_low=0.0, read_word_error_high=0.4)
    assert "(with reading errors 20 (0-40))" in read


def test_a_rate_stands_with_and_without_reading_errors(avery: FeedbackInput) -> None:
    r = avery.reliabilities[0]
    rates = [p._replace(read_rate=0.45, read_low=0.3, read_high=0.61) if p.phrase == "likely" else p for p in r.phrases]
    (edema,) = content(replace(avery, reliabilities=(replace(r, phrases=tuple(rates)),)))["pathologies"]
    written = {row["phrase"]: words(row["written"])[1:-1] for row in edema["rows"]}
    assert written["likely"].endswith("With reading errors 45 % (30-61).")
    assert "reading errors" not in written["present"]


def test_a_handful_of_hedges_makes_no_curve(make: Make) -> None:
    few, enough = (content(make({"edema": {"absent": (60, 2), "likely": (n, 3)}})) for n in (9, 10))
    assert few["pathologies"][0]["diagram"] is None
    assert few["pathologies"][0]["caption"].startswith("9 hedged findings; a curve of them needs 10.")
    assert "The diagram" not in [part["head"] for part in few["reading"]]
    none, one = (content(make({"edema": {"absent": (60, 2), **hedged}})) for hedged in ({}, {"likely": (1, 1)}))
    assert none["pathologies"][0]["caption"].startswith("No hedged words.")
    assert one["pathologies"][0]["caption"].startswith("1 hedged finding; a curve of them needs 10.")
    both = content(make({"edema": {"absent": (60, 2)}, "pneumonia": {"likely": (60, 48)}}))
    assert "The diagram" in [part["head"] for part in both["reading"]]
    assert enough["pathologies"][0]["diagram"]["curve"]
    assert enough["pathologies"][0]["caption"].startswith("On average your hedged words missed their meaning by ")


def test_nobody_is_judged_before_a_word_can_be(make: Make) -> None:
    c = content(make({"edema": {"likely": (5, 3), "absent": (3, 0)}}))
    assert c["summary"] == "8 findings; a word needs 10 uses, and the most is 5."
    assert c["rest"] == ""


@pytest.mark.parametrize(("uses", "judged"), [(4, False), (5, True)])
def test_a_word_is_judged_from_so_many_uses_be_they_of_several_pathologies(
    make: Make, in_all: Make, uses: int, judged: bool
) -> None:
    c = content(in_all(make({"edema": {"likely": (uses, 2)}, "mass": {"likely": (uses, 2)}})))
    assert ("a word needs 10 uses, and the most is 8" in c["summary"]) is not judged
    assert ("from 10 uses" in c["good"]) is not judged
    assert ("10 uses" in words(c["next"])) is not judged


# --- the second sheet


def test_the_table_has_each_word_over_each_pathology(avery: FeedbackInput) -> None:
    table = content(avery)["table"]
    names = [word["name"] for word in table["words"]]
    hedged = ["consistent with", "likely", "suspicious for", "may represent", "question of", "unlikely"]
    assert names == ["present", *hedged, "absent"]
    assert words(table["words"][2]["meaning"]) == '"75-90 %"'
    rows = {row["topic"]: dict(zip(names, row["cells"], strict=True)) for row in table["rows"]}
    assert list(rows) == ["Pleural effusion", "Edema", "Pneumonia", "Pneumothorax"]
    assert rows["Edema"]["likely"] == {"text": "41/87", "mark": "\u25bc", "few": False}
    assert rows["Pleural effusion"]["unlikely"]["mark"] == "\u25b2"
    assert rows["Pneumothorax"]["likely"] == {"text": "3/5", "mark": "", "few": True}
    assert rows["Edema"]["question of"] is None
    assert table["less_said"] == ""
    assert table["whole"] == []


def test_where_there_is_no_room_for_all_pathologies_those_that_the_first_sheet_names_stay(make: Make) -> None:
    off, fine = {"likely": (60.0, 20.0)}, {"likely": (70.0, 58.0)}
    c = content(make({**{f"t{k}": fine for k in range(4)}, "a": {"suspicious for": (80.0, 60.0)}, "z": off}))
    assert [row["topic"] for row in c["table"]["rows"]] == ["A", "T0", "T1", "T2", "T3", "Z"]  # most findings first
    assert min(c["table"]["rows"], key=lambda row: row["place"])["topic"] == "Z"
    assert "'likely' for z (20 of 60)" in words(c["next"])
    assert c["table"]["spoken_of"] == 1


def test_the_table_keeps_the_words_that_can_be_judged(avery: FeedbackInput) -> None:
    known = tuple(replace(avery.phrases[6], name=f"word {k:02}") for k in range(MOST_WORDS + 2))
    rates = tuple(PhraseRate(p.name, 9.0 if k < 2 else 50.0, 4.0, 0.1, 0.0, 0.3, 0.8) for k, p in enumerate(known))
    r = replace(avery.reliabilities[0], phrases=rates)
    table = content(replace(avery, reliabilities=(r,), phrases=known))["table"]
    assert [word["name"] for word in table["words"]] == [p.name for p in known[2:]]
    assert table["less_said"] == "Words used less are left out for want of room."


def test_two_examples_stand_for_each_suggestion_one_for_it_and_one_against_it(avery: FeedbackInput) -> None:
    yes, no = (replace(avery.examples[0], outcome=y, xray_sentence=f"likely {y}") for y in (1.0, 0.0))
    two = content(replace(avery, examples=(yes, yes, no, no)))["two"]
    assert [e["before"] + e["cue"] + e["after"] for e in two] == ["likely 0.0", "likely 1.0"]
    later = replace(yes, xray_sentence="likely later")
    assert len(content(replace(avery, examples=(yes, later)))["two"]) == 2
    assert personal_content(avery, SETTINGS, PageChoice(examples=False))["examples"] == []


def test_sentences_to_be_read_stand_there_for_a_suggestion_over_all_pathologies_or_are_not_spoken_of(
    make: Make, in_all: Make, advice_of: Callable[..., Advice]
) -> None:
    uses: dict[str, Any] = {"edema": {"likely": (9, 3)}, "mass": {"likely": (9, 4)}, "opacity": {"likely": (9, 1)}}
    whole = advice_of(ALL_TOPICS, [("likely", "may represent")], {"likely": (27, 8)})
    advices = (replace(advice_of("opacity", [], uses["opacity"]), closed=True),)
    text = {"phrase": "likely", "xray_sentence": "x", "xray_cue_start": -1, "xray_cue_end": -1, "ct_sentence": "y"}
    rows = [
        text | {"topic": topic, "outcome": y, "xray_time": pd.Timestamp(2026, 1, day)}
        for day, (topic, y) in enumerate([("edema", 1.0), ("mass", 0.0), ("opacity", 0.0), ("opacity", 1.0)], start=1)
    ]
    analysis: Any = SimpleNamespace(reliabilities=(), advices=advices, pooled_advices=(whole,))
    found = _examples(pd.DataFrame(rows), analysis, make().phrases, {})
    assert [(e.topic, e.outcome) for e in found] == [("mass", 0.0), ("edema", 1.0)]  # none that merely describes
    off = make({"opacity": {"likely": (60, 20)}})
    analysis = SimpleNamespace(reliabilities=off.reliabilities, advices=(), pooled_advices=())
    held = _examples(pd.DataFrame(rows), analysis, off.phrases, {})
    assert [(e.topic, e.outcome) for e in held] == [("opacity", 0.0), ("opacity", 1.0)]  # the word differs
    assert [e["ct_says"][:1] for e in content(replace(off, examples=held))["two"]] == ["\u25cb", "\u25cf"]
    data = replace(in_all(make(uses)), advices=advices, pooled_advice=whole, examples=found)
    told = content(data)
    assert [e["topic"] for e in told["two"]] == ["Mass", "Edema"]
    assert [line.partition(" ")[0] for line in told["next"]] == ["Read", "If", "If"]
    assert content(replace(data, examples=()))["next"][0].startswith("Try the closer word.")


def test_examples_on_the_second_sheet_are_cut_around_the_word(avery: FeedbackInput) -> None:
    filler = "with some other words that do not matter " * 20
    long = f"{filler} likely edema {filler}"
    at = long.find("likely")
    e = replace(avery.examples[0], xray_sentence=long, cue_start=at, cue_end=at + 6, ct_sentence=filler)
    shown = content(replace(avery, examples=(e,)))["two"][0]
    assert shown["cue"] == "likely"
    assert shown["before"].startswith("\u2026 ")
    assert shown["after"].startswith(" edema")
    assert shown["after"].endswith(" \u2026")
    assert len(shown["before"] + shown["cue"] + shown["after"]) <= LONG_PART + 10
    assert shown["ct"].endswith(" \u2026")


def test_it_is_read_in_five_lines_and_made_with_one(avery: FeedbackInput, make: Make) -> None:
    c = content(avery)
    assert len(c["brief"]) == 5
    assert len(content(make({"edema": {"likely": (60, 48)}}))["brief"]) == 4
    assert words(c["made"])[1:-1] == (
        "Read by rules 1.0; lexicon 2026.1, settings 0123456789abcdef, seed 0, RadCal 0.1.0; made on 2 Oct 2026."
    )
    two = personal_content(avery, SETTINGS)
    assert two["ending"] is None
    assert not any(two["further"][key] for key in ("together", "pathologies", "others", "examples"))


# --- what follows where it is asked for


def test_counts_in_part_agree_with_their_rates_and_are_explained(make: Make) -> None:
    uses = {"edema": {"likely": (39, 27.7), "may represent": (30, 0.02), "present": (22, 21.98), "absent": (34, 0)}}
    c = content(make(uses))
    rows = {row["phrase"]: row for row in c["pathologies"][0]["rows"]}
    assert {phrase: (row["confirmed"], words(row["rate"])[1:-1]) for phrase, row in rows.items()} == {
        "present": (">21.9", ">99 %"),
        "likely": ("27.7", "71 %"),
        "may represent": ("<0.1", "<1 %"),
        "absent": ("0", "0 %"),
    }
    assert "counts in part" in words(c["reading"])
    assert "counts in part" not in words(content(make({"edema": {"likely": (39, 27)}}))["reading"])


def test_an_example_is_cut_around_its_certainty_words(avery: FeedbackInput) -> None:
    examples = content(avery)["examples"]
    for given, shown in zip(avery.examples, examples, strict=True):
        assert shown["before"] + shown["cue"] + shown["after"] == given.xray_sentence
        assert shown["ct_says"].endswith("CT shows it" if given.outcome else "CT does not show it")
    assert examples[0]["cue"] == "likely"
    assert examples[3]["cue"] == ""
    assert examples[3]["ct"] == "CT mentions no pleural effusion; counted as absent."


@pytest.mark.parametrize(
    ("outcome", "texts"),
    [
        (1.0, "\u25cf CT shows it"),
        (0.97, "\u25cf CT shows it"),
        (0.95, "\u25cf CT shows it"),
        (0.94, "\u25ca CT hedges too: counts as 94 %"),
        (0.06, "\u25ca CT hedges too: counts as 6 %"),
        (0.05, "\u25cb CT does not show it"),
        (0.69, "\u25ca CT hedges too: counts as 69 %"),
        (0.2, "\u25ca CT hedges too: counts as 20 %"),
        (0.001, "\u25cb CT does not show it"),
    ],
)
def test_a_ct_that_hedges_is_not_said_to_show_or_not_to_show(avery: FeedbackInput, outcome: float, texts: str) -> None:
    shown = content(replace(avery, examples=(replace(avery.examples[0], outcome=outcome),)))["examples"][0]
    assert words(shown["ct_says"])[1:-1] == texts


@pytest.mark.parametrize("span", [(0, 6), (7, 13), (0, 13), (12, 13), (-1, -1), (5, 5), (7, 3), (0, 99), (50, 60)])
def test_a_span_is_marked_from_its_first_letter_to_its_last(avery: FeedbackInput, span: tuple[int, int]) -> None:
    e = Example("edema", "likely", "Likely edema.", *span, "Edema.", outcome=1.0)
    shown = content(replace(avery, examples=(e,)))["examples"][0]
    first, last = span if 0 <= span[0] < span[1] <= 13 else (13, 13)
    text = "Likely edema."
    assert [shown["before"], shown["cue"], shown["after"]] == [text[:first], text[first:last], text[last:]]
    assert shown["silent"] is False


def test_an_example_on_which_ct_is_silent_says_why_that_counts(avery: FeedbackInput) -> None:
    e = Example("edema", "likely", "Likely edema.", 0, 6, "", outcome=0.0, silence=Text("it is so"))
    for example, text in (
        (e, "CT mentions no edema; counted as absent, because it is so."),
        (replace(e, silence=Text("")), "CT mentions no edema; counted as absent."),
    ):
        shown = content(replace(avery, examples=(example,)))["examples"][0]
        assert (shown["silent"], shown["ct"]) == (True, text)


def test_limits_state_the_selection_and_the_extraction_s_accuracy(avery: FeedbackInput) -> None:
    texts = words(content(avery)["limits"])
    assert "Only patients with a chest CT within 12 h" in texts
    assert "CT is not perfect" in texts
    assert "94 % (90-97 %) of 312 findings" in texts
    unmeasured = replace(avery, provenance=replace(avery.provenance, extraction_accuracy=""))
    assert "How often it errs was not measured here." in words(content(unmeasured)["limits"])


def test_provenance_names_everything_needed_to_make_the_page_again(avery: FeedbackInput) -> None:
    rows = dict(content(avery)["provenance"])
    assert {k: words(v)[1:-1] for k, v in rows.items()} == {
        "Examinations": "3 Jan 2026 - 28 Sep 2026",
        "X-ray and CT pairs": "412; each counts once for every pathology that its X-ray report speaks of",
        "Engine": "rules 1.0",
        "Lexicon": "2026.1",
        "Settings": "0123456789abcdef",
        "Seed": "0",
        "Intervals": "95 %, 1,000 resamples",
        "Versions": "numpy 2.4.0, radcal 0.1.0, typst 0.15.0",
        "Made on": "2 Oct 2026",
    }
    undated = replace(avery, provenance=replace(avery.provenance, first_exam=None))
    assert ["Examinations", "dates not known"] in content(undated)["provenance"]
    assert ["Not mentioned on X-ray, found on CT", "12"] in content(avery)["counts"]


def test_the_reading_explains_only_what_is_shown(make: Make, avery: FeedbackInput) -> None:
    def heads(data: FeedbackInput) -> list[str]:
        return [part["head"] for part in content(data)["reading"]]

    assert heads(avery) == ["The question", "The diagram", "The table", "Plain statements", "The suggestions"]
    plain = heads(make({"edema": {"absent": (200, 1)}}))
    assert plain == ["The question", "The table", "Plain statements"]
    assert heads(make({"edema": {"likely": (5, 3)}})) == ["The question"]
    assert heads(make({"edema": {"likely": (5, 3.3)}})) == ["The question", "Counts with decimals"]
    assert heads(make({})) == ["The question"]


def test_the_interval_s_coverage_is_that_of_the_settings(avery: FeedbackInput) -> None:
    assert "90 % interval" in words(content(avery, confidence=0.9))
    assert "95 % interval" not in words(content(avery, confidence=0.9))


def test_nothing_judges_the_reader(avery: FeedbackInput) -> None:
    texts = words(content(avery)).lower()
    for word in ("overconfident", "underconfident", "wrong", "error rate", "rank", "worse", "mistake", "poor"):
        assert word not in texts


def test_a_phrase_that_is_in_no_list_is_shown_without_a_meaning(avery: FeedbackInput) -> None:
    known = tuple(p for p in avery.phrases if p.name != "likely")
    edema = next(p for p in content(replace(avery, phrases=known))["pathologies"] if p["topic"] == "Edema")
    likely = next(r for r in edema["rows"] if r["phrase"] == "likely")
    assert likely["meaning"] == "not in the list"
    assert likely["plot"]["shape"] == "hollow"
    assert not likely["differs"]


class TestChoice:
    """What is left out leaves no trace but a line that says so."""

    def test_a_pathology_left_out_is_in_no_sum_and_no_sentence(self, avery: FeedbackInput) -> None:
        whole = flat(avery, PageChoice())
        content = flat(avery, PageChoice(without=("edema", "gout")))
        assert content["left_out"] == "Left out of these pages by choice: edema."
        rest = {k: v for k, v in content.items() if k != "left_out"}
        assert "edema" in json.dumps(whole)
        assert "edema" not in json.dumps(rest)
        total = sum(r.n for r in avery.reliabilities if r.topic != "edema")
        assert content["meta"].startswith(f"{total:,.0f} findings")
        assert len(content["pathologies"]) == len(whole["pathologies"]) - 1

    def test_without_suggestions_nothing_speaks_of_them(self, avery: FeedbackInput) -> None:
        content = flat(avery, PageChoice(recommendations=False))
        assert content["left_out"] == "Left out of these pages by choice: the suggestions."
        assert content["recommendations"] == []
        rest = json.dumps({k: v for k, v in content.items() if k not in ("left_out", "suggestions")})
        assert "uggest" not in rest.replace("suggestive of", "")
        assert "advi" not in rest

    def test_without_diagrams_nothing_points_to_them(self, avery: FeedbackInput) -> None:
        content = flat(avery, PageChoice(diagrams=False))
        assert content["pathologies"] == []
        assert content["table"] is None
        assert "that follow" not in json.dumps(content)
        assert [part["head"] for part in content["reading"]].count("The diagram") == 0
        assert content["recommendations"] == personal_content(avery, SETTINGS)["recommendations"]

    def test_without_examples_no_sentence_of_a_report_is_printed(self, avery: FeedbackInput) -> None:
        said = json.dumps(flat(avery, PageChoice(examples=False)))
        assert all(e.xray_sentence not in said and e.ct_sentence not in said for e in avery.examples if e.ct_sentence)

    def test_a_note_is_printed_in_its_paragraphs(self, avery: FeedbackInput) -> None:
        note = "  Dear reader,\nthank you.\n \n\nSee page 2.\n"
        letter = personal_content(avery, SETTINGS, PageChoice(note=note))["letter"]
        assert letter == ["Dear reader,\nthank you.", "See page 2."]

    def test_everything_left_out_is_still_a_page(self, avery: FeedbackInput) -> None:
        none = PageChoice(
            without=tuple(r.topic for r in avery.reliabilities), recommendations=False, diagrams=False, examples=False
        )
        content = flat(avery, none)
        assert content["summary"].startswith("Every pathology was left out")
        assert content["left_out"].startswith("Left out of these pages by choice: all pathologies, the suggestions")
        assert "Not enough data" not in json.dumps(content)
        assert feedback_pdf(avery, choice=none).startswith(b"%PDF")

    def test_other_readers_stand_beside_words_used_often_enough(self, avery: FeedbackInput) -> None:
        r = avery.reliabilities[0]
        others = tuple(OthersRate(r.topic, p._replace(n=10 * p.n), 5) for p in r.phrases)
        data = replace(avery, others=others)
        assert personal_content(data, SETTINGS)["further"]["others"] == []

        def content_of(data: FeedbackInput) -> Any:
            return flat(data, PageChoice(comparison=True))

        content = content_of(data)
        often = [p for p in r.phrases if p.n >= SETTINGS.min_phrase_n]
        assert len(often) > 0
        assert {row["phrase"] for row in content["others"]} == {p.phrase for p in often}
        assert {row["readers"] for row in content["others"]} == {"5"}
        assert content["others_note"] == ""
        row = next(row for row in content["others"] if row["phrase"] == "likely")
        own = next(p for p in r.phrases if p.phrase == "likely")
        shown = (row["n"], row["others_n"], words(row["spread"]), words(row["others_spread"]))
        assert shown == (f"{own.n:.0f}", "500\N{EN DASH}999", '"(37-58)"', '"(37-58)"')
        means = {p.phrase: p.mean for p in r.phrases}
        order = [means[row["phrase"]] for row in content["others"]]
        assert order == sorted(order, reverse=True)
        ten = content_of(replace(data, reliabilities=(replace(r, phrases=(own._replace(n=10),)),)))
        assert [row["n"] for row in ten["others"]] == ["10"]
        nine = content_of(replace(data, reliabilities=(replace(r, phrases=(own._replace(n=9),)),)))
        assert nine["others"] == []
        assert flat(data, PageChoice())["others_note"] == ""
        alone = flat(avery, PageChoice(comparison=True))
        assert alone["others"] == []
        assert "at least 5 other readers" in alone["others_note"]


@pytest.mark.parametrize(
    ("days", "texts"),
    [
        (Days(date(2026, 1, 1), date(2026, 3, 31)), "1 Jan 2026 - 31 Mar 2026"),
        (Days(date(2026, 1, 1)), "from 1 Jan 2026"),
        (Days(None, date(2026, 3, 31)), "until 31 Mar 2026"),
        (Days(date(2026, 1, 1), date(2026, 1, 1)), "1 Jan 2026"),
    ],
)
def test_chosen_days_are_told_wherever_the_dates_stand(avery: FeedbackInput, days: Days, texts: str) -> None:
    every, some = (json.loads(words(content(replace(avery, days=d)))) for d in (Days(), days))
    assert some["meta"].endswith(f" · days chosen: {texts}")
    assert some["footer"] == f"Dr. Jane Halloway · {texts}"
    assert some["provenance"][0] == ["Days chosen", texts]
    assert [texts in part["text"] for part in some["reading"] if part["head"] == "The days"] == [True]
    changed = {key for key in every if every[key] != some[key]}
    assert changed == {"meta", "footer", "provenance", "reading"}
    assert "hosen" not in every["meta"] + str(every["provenance"])


def test_days_without_a_statement_are_told_as_such(make: Make) -> None:
    c = content(make({}, days=Days(date(2026, 1, 1))))
    assert c["summary"] == "Not enough data: no statement of these days could be compared with a CT."
    assert c["next"][0].startswith("Nothing yet.")
    assert "these days" not in content(make({}))["summary"]


# --- all pathologies together


def test_where_no_pathology_has_enough_all_of_them_together_have(make: Make, in_all: Make) -> None:
    data = make({"edema": {"likely": (25, 10)}, "mass": {"likely": (15, 7), "present": (4, 4)}})
    c = content(in_all(data))
    assert c["pathologies"] == []
    together = c["together"]
    assert together["head"] == "44 findings in 2 pathologies"
    assert together["diagram"]
    assert [(row["phrase"], row["n"], row["confirmed"]) for row in together["rows"]] == [
        ("present", "4", "4"),
        ("likely", "40", "17"),
    ]
    assert words(together["notes"][:2]) == (
        "[\"Across all pathologies, CT confirmed your 'likely' in 17 of 40 (42 %, 28-58 %).\", "
        '"No pathology clearly differs from the others."]'
    )
    assert "How to read" not in words(together)
    assert feedback_pdf(in_all(data)).startswith(b"%PDF")


def test_the_pathologies_that_differ_are_named(avery: FeedbackInput, in_all: Make) -> None:
    topics = [r.topic for r in avery.reliabilities]
    one, two = (words(content(in_all(avery, tuple(odd)))["together"]["notes"]) for odd in (topics[:1], topics[:2]))
    named = [f"{topic} ('likely' 3 of 20, for the others 41 of 60; 98 % sure)" for topic in topics]
    assert f"CT confirmed the same words at other rates for {named[0]}." in one
    assert f"CT confirmed the same words at other rates for {named[0]} and {named[1]}." in two
    assert "other rates" not in words(content(in_all(avery, usual=0.0))["together"]["notes"])


def test_all_pathologies_are_left_out_where_one_is_or_where_there_is_but_one(
    avery: FeedbackInput, make: Make, in_all: Make
) -> None:
    topic = avery.reliabilities[0].topic
    data = in_all(avery)
    assert flat(data, PageChoice())["together"] is not None
    assert flat(data, PageChoice(without=(topic,)))["together"] is None
    assert flat(data, PageChoice(diagrams=False))["together"] is None
    assert content(avery)["together"] is None
    assert content(in_all(make({"edema": {"likely": (60, 20)}})))["together"] is None


def test_what_was_said_without_a_ct_is_told_where_it_is_known(make: Make) -> None:
    data = make({"edema": {"likely": (60, 48), "unlikely": (30, 3)}})
    (r,) = data.reliabilities
    # By site: of 'likely', those at the second one were scanned half as often, and are there less often.
    n, y = np.array([[40.0, 20], [20, 10]]), np.array([[40.0, 8], [2, 1]])
    known = [p for name in ("likely", "unlikely") for p in data.phrases if p.name == name]
    rates = verified_rates(known, n, y, np.array([[0.0, 20], [0, 0]]), 0.95)
    told = replace(data, reliabilities=(replace(r, verification=Verification("Dr. Jane Halloway", "edema", rates)),))
    page, before = content(told), content(data)
    share = "Of 110 statements, a CT within 12 hours decided on 90 (82 %)."
    assert words(page["pathologies"][0]["caption"])[1:-1].endswith(share)
    below = {row["phrase"]: words(row["written"]) for row in page["pathologies"][0]["rows"]}
    assert "Weighted to all uses, with and without a CT, 70 % (" in below["likely"]
    assert "Weighted" not in below["unlikely"]
    for silent in (before, content(replace(told, days=Days(date(2026, 2, 1), None)))):
        assert "decided on" not in words(silent)
        assert "Weighted" not in words(silent)
