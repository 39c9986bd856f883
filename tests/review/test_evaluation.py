"""The evaluation against annotated reports: known results, invariants, broken files."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.review.evaluation import evaluate, render, to_json
from radcal.review.files import read_findings, read_gold
from radcal.review.records import GRAINS, Disagreement, FoundRow, GoldRow
from radcal.system.errors import DataError, InputError
from tests.cases import cases_of

cases = cases_of(__file__)

GOLD = [
    FoundRow("a", "edema", "likely"),
    FoundRow("a", "mass", "absent"),
    FoundRow("a", "nodule", "present"),
    FoundRow("b", "edema", "absent"),
    FoundRow("b", "infection", "may"),
]
FOUND = [
    FoundRow("a", "edema", "probably"),
    FoundRow("a", "mass", "absent"),
    FoundRow("b", "edema", "present"),
    FoundRow("b", "pneumonia", "may represent"),
    FoundRow("b", "hernia", "present"),
    FoundRow("c", "hernia", "present"),
]


def test_counts_by_hand() -> None:
    score = evaluate(GOLD, FOUND)
    assert score.reports == 2
    assert [(g.name, g.gold, g.found, g.hits) for g in score.grains] == [
        ("mention", 5, 5, 4),
        ("assertion", 5, 5, 3),
        ("graded phrase", 5, 5, 2),
        ("hedged mention", 2, 2, 2),
        ("hedged graded", 2, 2, 1),
    ]
    graded = score.grain("graded phrase")
    assert (graded.precision, graded.recall, graded.f1) == (0.4, 0.4, pytest.approx(0.4))
    # edema 0 of 2, mass 1, nodule 0, infection 1
    assert graded.macro_f1 == pytest.approx((0 + 1 + 0 + 1) / 4)
    assert score.disagreements == (
        Disagreement("a", "edema", "likely", "probably"),
        Disagreement("a", "nodule", "present", ""),
        Disagreement("b", "edema", "absent", "present"),
        Disagreement("b", "hernia", "", "present"),
    )
    assert {(c.gold, c.found): c.n for c in score.confusion} == {
        ("likely", "probably"): 1,
        ("absent", "present"): 1,
        ("absent", "absent"): 1,
        ("may represent", "may represent"): 1,
    }
    assert [(p.pathology, p.gold, p.found) for p in score.pathologies] == [
        ("edema", 2, 2), ("hernia", 0, 1), ("infection", 1, 1), ("mass", 1, 1), ("nodule", 1, 0),
    ]  # fmt: skip
    assert score.pathologies[0].assertion_f1 == 0.5
    assert isnan(score.pathologies[1].graded_f1)


def test_what_readers_are_unsure_of_counts_neither_for_nor_against() -> None:
    unsure = evaluate([*GOLD, FoundRow("a", "edema", "Unsure")], FOUND)
    gold, found = ([r for r in rows if (r.report_id, r.pathology) != ("a", "edema")] for rows in (GOLD, FOUND))
    assert to_json(unsure) == to_json(evaluate(gold, found))
    assert evaluate([FoundRow("a", "edema", "unsure")], FOUND, bootstrap=0).grains[0].gold == 0


def test_what_is_found_in_an_annotated_report_that_states_nothing_counts() -> None:
    """As if the reports had been named; a row that names one changes nothing for a report with statements."""
    named = evaluate([*GOLD, *(GoldRow(r) for r in "bcd")], FOUND)
    assert to_json(named) == to_json(evaluate(GOLD, FOUND, "abcd"))
    assert (named.reports, named.grain("mention").found, named.grain("mention").gold) == (4, 6, 5)
    assert Disagreement("c", "hernia", "", "present") in named.disagreements
    nothing = evaluate([GoldRow("c")], FOUND)
    assert (nothing.grain("assertion").precision, nothing.grain("assertion").gold) == (0.0, 0)


def test_reports_without_any_statement_count_when_they_are_named() -> None:
    score = evaluate(GOLD, FOUND, ["a", "b", "c", "d"])
    assert score.reports == 4
    assert score.grain("mention").found == 6
    assert evaluate(GOLD, FOUND, ["b"]).grain("mention").gold == 2


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    # Newcombe, Stat Med 1998;17:857-872, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals(hits: int, n: int, low: float, high: float) -> None:
    gold = [FoundRow(f"{i}", "edema", "present") for i in range(n)]
    score = evaluate(gold, gold[:hits], bootstrap=0).grain("mention")
    assert (score.recall_low, score.recall_high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    assert isnan(score.f1_low)


def test_the_bootstrap_over_reports_covers_a_known_spread() -> None:
    # Each of 400 reports is wholly right (0.7) or wholly wrong: F1 of a resample is a mean of 0/1 values.
    gold = [FoundRow(f"{i:03d}", "edema", "present") for i in range(400)]
    found = [FoundRow(g.report_id, "edema", "present" if i % 10 < 7 else "absent") for i, g in enumerate(gold)]
    f1 = evaluate(gold, found, bootstrap=4000, seed=3).grain("assertion")
    spread = 1.96 * (0.7 * 0.3 / 400) ** 0.5
    assert f1.f1 == pytest.approx(0.7)
    assert (f1.f1_low, f1.f1_high) == (pytest.approx(0.7 - spread, abs=0.005), pytest.approx(0.7 + spread, abs=0.005))


def test_the_same_seed_gives_the_same_intervals() -> None:
    assert to_json(evaluate(GOLD, FOUND, seed=5)) == to_json(evaluate(GOLD, FOUND, seed=5))


ROWS = st.lists(
    st.builds(
        FoundRow,
        st.sampled_from("abc"),
        st.sampled_from(["edema", "mass", "hernia"]),
        st.sampled_from(["present", "absent", "likely", "possibly"]),
    ),
    min_size=1,
    max_size=15,
)


@settings(deadline=None, max_examples=60)
@given(ROWS, ROWS)
def test_invariants(gold: list[FoundRow], found: list[FoundRow]) -> None:
    ids = ["a", "b", "c"]
    one, other = evaluate(gold, found, ids, bootstrap=20), evaluate(found, gold, ids, bootstrap=20)
    for name in GRAINS:
        x, y = one.grain(name), other.grain(name)
        assert (x.gold, x.found, x.hits) == (y.found, y.gold, y.hits)
        assert x.f1 == pytest.approx(y.f1, nan_ok=True)
        if x.found:
            assert x.precision_low <= x.precision <= x.precision_high
    perfect = evaluate(gold, gold[::-1], ids, bootstrap=5)
    assert perfect.disagreements == ()
    assert {g.f1 for g in perfect.grains if g.gold} == {1.0}


def test_nothing_to_compare() -> None:
    with pytest.raises(DataError, match="no annotated report"):
        evaluate([], FOUND)
    with pytest.raises(KeyError, match="words"):
        evaluate(GOLD, FOUND).grain("words")
    silent = evaluate(GOLD, [])
    assert isnan(silent.grain("mention").precision)
    assert silent.grain("mention").f1 == 0


def test_json_and_text_show_everything() -> None:
    score = evaluate(GOLD, FOUND)
    data = json.loads(to_json(score))
    assert data["grains"][2]["f1"] == pytest.approx(0.4)
    assert data["pathologies"][1]["graded_f1"] is None
    text = render(score, most=1)
    assert "2 annotated reports; intervals 95 %" in text
    assert "hedged graded" in text
    graded = data["grains"][2]
    for name in ("precision", "recall", "f1"):
        assert f"{graded[name]:.3f} ({graded[f'{name}_low']:.3f}" in text
    assert "... and 3 more" in text
    rows = [line.split() for line in render(score).split("\n\n")[-1].splitlines()]
    for d in score.disagreements:
        assert [d.report_id, d.pathology, d.gold or "(nothing)", d.found or "(nothing)"] in rows
    many = evaluate([FoundRow(f"{i:02}", "edema", "present") for i in range(25)], [])
    assert [f"\n{i:02} " in render(many) for i in (19, 20)] == [True, False]
    assert render(many).endswith("\n... and 5 more")
    perfect = render(evaluate(GOLD, GOLD))
    assert "engine phrase" not in perfect
    assert "report " not in perfect.split("\n\n")[-1]


def test_the_confusion_table_counts_how_often_phrases_met_the_most_frequent_first() -> None:
    """Against a count of the pairs, one phrase a side in each report."""
    words = ("present", "absent", "likely", "possibly")
    met = {("present", "present"): 7, ("absent", "absent"): 7, ("likely", "present"): 5, ("likely", "possibly"): 3,
           ("possibly", "likely"): 3, ("absent", "present"): 1}  # fmt: skip
    pairs = [pair for pair, n in met.items() for _ in range(n)]
    gold = [FoundRow(f"r{i}", "edema", g) for i, (g, _) in enumerate(pairs)]
    found = [FoundRow(f"r{i}", "edema", f) for i, (_, f) in enumerate(pairs)]
    # What one side alone mentions meets nothing.
    gold.append(FoundRow("r0", "mass", "present"))
    found.append(FoundRow("r1", "mass", "present"))
    score = evaluate(gold, found)
    assert [((c.gold, c.found), c.n) for c in score.confusion] == [
        (("absent", "absent"), 7), (("present", "present"), 7), (("likely", "present"), 5), (("likely", "possibly"), 3),
        (("possibly", "likely"), 3), (("absent", "present"), 1),
    ]  # fmt: skip
    assert {c.gold for c in score.confusion} | {c.found for c in score.confusion} <= set(words)
    table = next(part for part in render(score).split("\n\n") if part.startswith("gold phrase"))
    assert [line.split() for line in table.splitlines()[1:]] == [
        ["likely", "present", "5"],
        ["likely", "possibly", "3"],
        ["possibly", "likely", "3"],
        ["absent", "present", "1"],
    ]


@pytest.mark.parametrize(("found", "f1"), [("present", 1.0), ("absent", 0.0), (None, 0.0)])
def test_resamples_of_one_statement_are_as_right_or_wrong_as_it_is(found: str | None, f1: float) -> None:
    """Resamples that hold no statement have no F1, and no part in the interval."""
    gold = [FoundRow("a", "edema", "present")]
    said = [FoundRow("a", "edema", found)] if found else []
    for reports in (["a"], ["a", "b", "c"]):
        score = evaluate(gold, said, reports, bootstrap=200).grain("assertion")
        assert (score.f1, score.f1_low, score.f1_high) == (f1, f1, f1)
    hedged = evaluate(gold, said, bootstrap=200).grain("hedged mention")
    assert isnan(hedged.f1_low)
    assert isnan(hedged.f1_high)


def test_more_phrases_than_the_other_side_has() -> None:
    gold = [FoundRow("a", "edema", "likely"), FoundRow("a", "edema", "present")]
    score = evaluate(gold, [FoundRow("a", "edema", "present")])
    assert {(c.gold, c.found): c.n for c in score.confusion} == {("present", "present"): 1, ("likely", ""): 1}
    assert "(no more)" in render(score)


# --- files ---


def test_gold_files_with_and_without_header(tmp_path: Path) -> None:
    file = tmp_path / "gold.tsv"
    file.write_text('a\t0\tedema\tpresent\t-\n\na\t2\tmass\tmay\tmay "be"\n', encoding="utf-8")
    bare = read_gold(file)
    assert [(g.sentence_number, g.cue, g.line) for g in bare] == [(0, "", 1), (2, 'may "be"', 3)]
    file.write_text("report_id\tsentence_number\tpathology\tphrase\tcue\n" + file.read_text(encoding="utf-8"), "utf-8")
    assert read_gold(file) == bare


@pytest.mark.parametrize("nothing", ["b", "b\t", "b\t\t\t\t", " b \t \t \t "])
def test_a_report_that_states_nothing_has_a_row_of_its_own(tmp_path: Path, nothing: str) -> None:
    """Also where a spreadsheet has filled the row with empty cells."""
    file = tmp_path / "gold.tsv"
    file.write_text(f"a\t1\tedema\tpresent\t-\n{nothing}\n", encoding="utf-8")
    assert read_gold(file) == (GoldRow("a", 1, "edema", "present"), GoldRow("b"))
    assert [row.line for row in read_gold(file)] == [1, 2]
    assert (GoldRow("b").sentence_number, GoldRow("b").line) == (0, 0), "of no sentence and no file"
    file.write_text(f"report_id\tsentence_number\tpathology\tphrase\tcue\n{nothing}\n", encoding="utf-8")
    assert read_gold(file) == (GoldRow("b"),)


@cases("broken_gold_is_refused")
def test_broken_gold_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "gold.tsv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_gold(file)


def test_findings_files(tmp_path: Path) -> None:
    file = tmp_path / "found.csv"
    file.write_text('Pathology,report_id,sentence,phrase\nedema,a,"one, two",present\n', encoding="utf-8-sig")
    assert read_findings(file) == (FoundRow("a", "edema", "present"),)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"report_id,phrase\na,b\n", "line 1: the header lacks pathology"),
        (b"report_id,pathology,phrase\na,b\n", "line 2: 2 cells, but the header has 3"),
        (b"report_id,pathology,phrase\n,b,c\n", "line 2: the report, the pathology or the phrase is empty"),
        (b"report_id,pathology,phrase\na,,c\n", "line 2: the report, the pathology or the phrase is empty"),
        (b"report_id,pathology,phrase\na,b, \n", "line 2: the report, the pathology or the phrase is empty"),
        (b'report_id,pathology,phrase\n"a,b,c\nd,e,f\n', "line 2: A quotation mark opens here and is never closed"),
        (b"", "is empty"),
        (b"report_id,pathology,phrase\n\xff,b,c\n", "not UTF-8"),
    ],
)
def test_broken_findings_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "found.csv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=reason):
        read_findings(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_findings(tmp_path / "none.csv")
