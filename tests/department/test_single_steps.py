"""One step alone, from files to files, in the documented forms."""

from __future__ import annotations

import csv
import json
import math
import random
from pathlib import Path

import pytest

from radcal.system.errors import DataError, EngineError, InputError
from radcal.system.settings import Settings

QUICK = Settings(bootstrap=50)
GROUP = {
    *("author", "topic", "n", "ece", "ece_low", "ece_high", "ece_star", "mce", "brier", "accuracy", "auroc"),
    *("luck_mean", "luck_p95", "p_value", "luck_star_mean", "luck_star_p95", "p_value_star", "curve", "phrases"),
    *("word_error", "word_error_low", "word_error_high", "luck_word_mean", "luck_word_p95", "p_value_word"),
    *("intercept", "slope", "slope_low", "slope_high", "ece_width", "pooled"),
}
CURVE = {"low", "high", "rate", "rate_low", "rate_high", "density"}
PHRASE = {"phrase", "n", "positives", "rate", "low", "high", "mean", "meant_low", "meant_high", "verdict"}
PHRASE |= {"read_rate", "read_low", "read_high", "probability", "expected", "verification"}
ADVICE = {*("author", "topic", "n", "train", "test", "order_violations", "distinct_phrases", "plan")}
ADVICE |= {"advised", "withheld", "baselines"}


def _table(path: Path, head: str, rows: list[tuple[object, ...]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head.split(","))
        writer.writerows(rows)
    return path


def _strict(path: Path) -> dict[str, list[dict[str, object]]]:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)


def _observed(n: int = 200, seed: int = 1) -> list[tuple[object, ...]]:
    """An author whose 'likely' is confirmed in a third and whose 'unlikely' in a half of the cases."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    rate = {"absent": 0.02, "unlikely": 0.5, "may represent": 0.5, "likely": 0.33, "present": 0.97}
    rows = []
    for i in range(n):
        phrase = rng.choice(list(rate))
        rows.append(("Quill", "edema", phrase, int(rng.random() < rate[phrase]), f"note {i}"))
    return rows


@pytest.fixture
def observations(tmp_path: Path) -> Path:
    rows = [*_observed(), *[("Wren", "mass", "likely", 1, "")] * 5, *[("Wren", "mass", "quite so", 1, "")] * 3]
    return _table(tmp_path / "OBS.csv", "author,topic,phrase,outcome,remark", rows)


@pytest.mark.parametrize("pool", ["author", "topic"])
def test_pooled_groups_follow_the_single_ones_and_leave_them_as_they_are(command, observations, tmp_path, pool):
    alone, both, advice = (tmp_path / name for name in ("alone.json", "both.json", "A.json"))
    command("reliability", observations, "--out", alone, settings=QUICK)
    summary = command("reliability", observations, "--out", both, "--pool", pool, settings=QUICK)
    single, pooled = (_strict(path)["groups"] for path in (alone, both))
    assert pooled[: len(single)] == single
    assert {g["pooled"] for g in single} == {None}
    assert summary["groups"] == len(pooled) == 2 * len(single)
    for group, of in zip(pooled[len(single) :], sorted(single, key=lambda g: g[pool]), strict=True):
        assert group["pooled"] == pool
        name = {"author": "all pathologies", "topic": "all radiologists"}[pool]
        assert name in (group["author"], group["topic"])
        assert (group[pool], group["n"], group["phrases"]) == (of[pool], of["n"], of["phrases"])
        other = of["topic" if pool == "author" else "author"]
        [part] = group["parts"]
        assert (part["name"], part["n"], part["probability"], part["differs"]) == (other, of["n"], 0, False)
    command("advise", observations, "--out", advice, "--pool", pool, settings=QUICK)
    assert [g["pooled"] for g in _strict(advice)["groups"]] == [None, None, pool, pool]


def test_reliability_has_the_documented_form(command, observations, tmp_path):
    summary = command("reliability", observations, "--out", tmp_path / "R.json", settings=QUICK)
    result = _strict(tmp_path / "R.json")
    quill, wren = result["groups"]
    assert set(quill) >= GROUP
    assert set(quill["curve"]) >= CURVE
    assert all(len(quill["curve"][name]) == 100 for name in CURVE)
    assert all(set(p) == PHRASE for p in quill["phrases"])
    assert sum(p["n"] for p in quill["phrases"]) == quill["n"] == 200
    assert quill["ece_low"] <= quill["ece"] <= quill["ece_high"]
    assert (wren["n"], wren["ece"], wren["curve"]) == (5, None, None)
    assert "a curve needs 30" in wren["reason"]
    assert [(p["n"], p["positives"]) for p in wren["phrases"] if p["n"]] == [(5, 5)]
    assert result["unknown_phrases"] == {"quite so": 3}
    assert result["settings"] == QUICK.to_dict()
    assert (summary["groups"], summary["measured"], summary["failures"]) == (2, 1, [])
    assert "3 statements; among them 'quite so' (3)." in summary["text"]


def test_outcomes_and_reference_phrases_say_the_same(command, tmp_path):
    rows = _observed()
    shown = [(a, t, p, "present" if o else "absent") for a, t, p, o, _ in rows]
    by_outcome = _table(tmp_path / "o.csv", "author,topic,phrase,outcome", [r[:4] for r in rows])
    by_phrase = _table(tmp_path / "r.csv", "author,topic,phrase,reference_phrase", shown)
    groups = []
    for number, path in enumerate((by_outcome, by_phrase)):
        command("reliability", path, "--out", tmp_path / f"{number}.json", settings=QUICK)
        groups.append(_strict(tmp_path / f"{number}.json")["groups"][0])
    for name in ("n", "ece", "ece_star", "brier", "accuracy", "auroc", "mce"):
        assert groups[0][name] == pytest.approx(groups[1][name], abs=1e-12), name


def test_a_lexicon_of_ones_own(command, tmp_path):
    lexicon = _table(tmp_path / "LEX.csv", "phrase,alpha,beta", [("rather no", 2, 8), ("half", 5, 5)])
    rows = [("M", "q", phrase, outcome) for phrase in ("rather no", "half", "likely") for outcome in [0, 1] * 20]
    path = _table(tmp_path / "o.csv", "author,topic,phrase,outcome", rows)
    command(
        "reliability",
        path,
        "--out",
        tmp_path / "R.json",
        "--lexicon",
        lexicon,
        settings=QUICK.changed(method="midpoint"),
    )
    result = _strict(tmp_path / "R.json")
    assert result["unknown_phrases"] == {"likely": 40}
    assert result["lexicon"]["name"] == "LEX.csv"
    assert {p["phrase"]: p["mean"] for p in result["groups"][0]["phrases"] if p["n"]} == pytest.approx(
        {"rather no": 0.2, "half": 0.5}
    )


def test_advice_has_the_documented_form(command, observations, tmp_path):
    summary = command("advise", observations, "--out", tmp_path / "A.json", settings=QUICK)
    quill, wren = _strict(tmp_path / "A.json")["groups"]
    assert set(quill) >= ADVICE
    assert {"ece_before", "ece_after"} <= set(quill["train"])
    assert {"ece_before", "ece_after", "brier_before", "brier_after"} <= set(quill["test"])
    assert all(set(p) == {"from", "to", "share", "n", "sure"} for p in quill["plan"])
    for source in {p["from"] for p in quill["plan"]}:
        assert math.fsum(p["share"] for p in quill["plan"] if p["from"] == source) == pytest.approx(1)
    assert quill["order_violations"] == 0
    assert "likely" in {p["from"] for p in quill["plan"] if p["to"] != p["from"]}
    assert wren["plan"] == []
    assert all(set(w) == {"phrase", "reason"} for w in wren["withheld"])
    assert "advice needs 30" in wren["reason"]
    assert (summary["groups"], summary["advised"]) == (2, 1)


@pytest.mark.parametrize("how", ["paper", "target"])
def test_other_ways_to_advise(command, observations, tmp_path, how):
    target = _table(tmp_path / "U.csv", "phrase,use", [("may represent", 3), ("absent", 1), ("present", 1)])
    settings = QUICK.changed(solver="paper", tau2=0.5) if how == "paper" else QUICK
    aim = ("--target-use", target) if how == "target" else ()
    command("advise", observations, "--out", tmp_path / "A.json", *aim, settings=settings)
    quill = _strict(tmp_path / "A.json")["groups"][0]
    assert quill["solver"] == ("paper" if how == "paper" else "target use")
    said = {p["to"] for p in quill["plan"] if p["share"] > 0 and p["from"] in ("unlikely", "likely")}
    assert said, quill["reason"]


@pytest.mark.parametrize("step", ["reliability", "advise"])
def test_rows_that_cannot_be_used_are_listed(command, tmp_path, step):
    rows = [*(r[:4] for r in _observed()), ("Quill", "edema", "likely", 2), ("", "edema", "likely", 1)]
    path = _table(tmp_path / "o.csv", "author,topic,phrase,outcome", rows)
    summary = command(step, path, "--out", tmp_path / "x.json", settings=QUICK)
    assert [(f["file"], f["row"]) for f in summary["failures"]] == [("o.csv", 202), ("o.csv", 203)]
    assert "o.csv, row 202: " in summary["text"]
    assert [(f["file"], f["row"]) for f in _strict(tmp_path / "x.json")["rejected"]] == [("o.csv", 202), ("o.csv", 203)]


def test_long_lists_are_cut_short_in_words_only(command, tmp_path):
    bad = [("Quill", "edema", "likely", 7)] * 25
    odd = [("Quill", "edema", f"odd {name}", 1) for name in "abcdefghijkl" for _ in range(3)]
    once = ("Quill", "edema", "Erika Mustermann", 1), ("Quill", "edema", "No change since yesterday.", 0)
    path = _table(tmp_path / "o.csv", "author,topic,phrase,outcome", [*(r[:4] for r in _observed()), *bad, *odd, *once])
    summary = command("reliability", path, "--out", tmp_path / "x.json", settings=QUICK)
    assert len(summary["failures"]) == 25
    assert "... and 15 more (--json lists them)" in summary["text"]
    assert summary["unknown_phrases"] == {f"odd {name}": 3 for name in "abcdefghijkl"}
    assert summary["unknown_statements"] == 38
    assert "38 statements" in summary["text"]
    assert summary["text"].count("'odd ") == 10


@pytest.mark.parametrize(
    ("head", "rows", "shown"),
    [
        ("author,topic,phrase", [("Q", "t", "likely")], "neither a column 'outcome' nor 'reference_phrase'"),
        ("author,phrase,outcome", [("Q", "likely", 1)], "no column 'topic'"),
        ("author,topic,phrase,outcome", [], "has a header and no rows"),
        ("author,topic,phrase,outcome", [("Q", "t", "quite so", 1)], "None of the 1 observations"),
    ],
)
def test_an_unusable_table_is_refused_and_nothing_written(command, tmp_path, head, rows, shown):
    path = _table(tmp_path / "o.csv", head, rows)
    for step in ("reliability", "advise"):
        with pytest.raises(InputError, match=shown):
            command(step, path, "--out", tmp_path / "x.json", settings=QUICK)
    assert [p.name for p in tmp_path.iterdir()] == ["o.csv"]


# --- extraction


REPORTS = [
    ("r1", "Small left pleural effusion. No pneumothorax.", "Likely edema."),
    ("r2", "", "Possible pneumonia."),
    ("r3", "", ""),
    ("r1", "Again the same id.", ""),
]


def test_findings_stand_where_they_say(command, tmp_path):
    reports = _table(tmp_path / "R.csv", "report_id,findings,impression", REPORTS)
    summary = command("extract", reports, "--out", tmp_path / "F.csv")
    with (tmp_path / "F.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "report_id",
        "pathology",
        "phrase",
        "verbatim",
        "sentence",
        "section",
        "start",
        "end",
        "engine",
        "unread",
        "rules",
        "second",
        "probability",
        "decided",
    ]
    found = {(r["report_id"], r["pathology"]): (r["phrase"], r["section"]) for r in rows}
    assert found["r1", "pleural effusion"] == ("present", "findings")
    assert found["r1", "pneumothorax"] == ("absent", "findings")
    assert found["r1", "edema"] == ("likely", "impression")
    assert ("r2", "infection") in found
    text = "FINDINGS:\n{}\n\nIMPRESSION:\n{}"
    full = {i: text.format(f, m) if f else m for i, f, m in REPORTS[:2]}
    for r in rows:
        if r["report_id"] == "r1":
            where = full["r1"].find(r["sentence"])
            assert where >= 0
        assert int(r["end"]) - int(r["start"]) == len(r["sentence"])
    assert summary["findings"] == len(rows)
    assert [(f["file"], f["row"]) for f in summary["failures"]] == [("R.csv", 4), ("R.csv", 5)]


def test_a_finding_beside_words_that_were_not_understood_is_marked_and_counted(command, tmp_path):
    said = "A nodule, believe it or not. Small left effusion."
    reports = _table(tmp_path / "R.csv", "report_id,findings,impression", [("r1", said, "")])
    summary = command("extract", reports, "--out", tmp_path / "F.csv")
    with (tmp_path / "F.csv").open(encoding="utf-8", newline="") as file:
        rows = {r["pathology"]: (r["phrase"], r["verbatim"], r["unread"]) for r in csv.DictReader(file)}
    assert rows == {"nodule": ("unread", "believe", "yes"), "pleural effusion": ("present", "", "")}
    assert summary["unread"] == 1
    assert "1 finding was left unread" in summary["text"]


def test_reports_are_read_in_their_language_or_listed(command, tmp_path):
    texts = ["No edema.", "Kein Pleuraerguss, V.a. Pneumonie.", "Geen pleuravocht. Het hart is niet vergroot."]
    reports = _table(tmp_path / "R.csv", "report_id,text", zip("abc", texts, strict=True))
    summary = command("extract", reports, "--out", tmp_path / "F.csv")
    with (tmp_path / "F.csv").open(encoding="utf-8", newline="") as file:
        rows = [(r["report_id"], r["pathology"], r["phrase"], r["verbatim"]) for r in csv.DictReader(file)]
    assert rows == [
        ("a", "edema", "absent", "No"),
        ("b", "pleural effusion", "absent", "Kein"),
        ("b", "infection", "suspicious for", "V.a."),
    ]
    ((failed, reason),) = ((f["report_id"], f["reason"]) for f in summary["failures"])
    assert failed == "c"
    assert "written in Dutch" in reason
    assert "1 in English, 1 in German and 1 in Dutch" in summary["notes"][0]
    assert summary["notes"][0] in summary["text"]


def test_reports_that_the_engine_fails_on_are_listed(command, tmp_path, spy):
    reports = _table(tmp_path / "R.csv", "report_id,text", [("a", "No edema."), ("b", "No mass.")])
    spy.failing = lambda report_id: report_id == "a"
    summary = command("extract", reports, "--out", tmp_path / "F.csv")
    assert summary["failures"] == [{"report_id": "a", "reason": "it took too long"}]
    assert "report a: it took too long" in summary["text"]


def test_an_engine_that_breaks_leaves_no_half_of_a_file(command, tmp_path, spy):
    reports = _table(tmp_path / "R.csv", "report_id,text", [("a", "No edema."), ("b", "Secret words.")])
    spy.raising = lambda report_id: report_id == "b"
    with pytest.raises(EngineError, match="after 1 reports") as error:
        command("extract", reports, "--out", tmp_path / "F.csv")
    assert "Secret" not in str(error.value)
    assert [p.name for p in tmp_path.iterdir()] == ["R.csv"]


# --- gold


def test_findings_and_an_engine_are_scored_alike(command, tmp_path):
    reports = _table(tmp_path / "R.csv", "report_id,text", [("a", "No edema. Likely mass."), ("b", "Nodule.")])
    command("extract", reports, "--out", tmp_path / "F.csv")
    gold = tmp_path / "G.tsv"
    gold.write_text("a\t1\tedema\tabsent\na\t2\tmass\tlikely\nb\t1\tnodule\tabsent\n", encoding="utf-8")
    of_file = command("gold", gold, tmp_path / "F.csv")
    of_engine = command("gold", gold, "--reports", reports)
    assert (of_file.pop("engine"), of_engine.pop("engine")) == ("", "rules")
    assert of_engine.pop("rules") == of_engine["grains"], "nothing reads beside the rules here"
    assert {**of_file, "text": ""} == {**of_engine, "text": ""}
    assert of_file["failures"] == []
    json.dumps(of_file, allow_nan=False)
    for given in ((tmp_path / "F.csv", "--reports", reports), ()):
        with pytest.raises(InputError, match=r"Give either FINDINGS\.csv"):
            command("gold", gold, *given)


def test_a_gold_set_of_a_workspace_fits_the_department_s_own_file(command, tmp_path):
    rows = [("A1", "No edema. Likely mass."), ("A2", "Mass.")]
    plain = _table(tmp_path / "R.csv", "accession,text", rows)
    kinds = _table(tmp_path / "K.csv", "report_id,text", [(f"xray:{name}", text) for name, text in rows])
    gold = tmp_path / "G.tsv"
    gold.write_text("xray:A1\t1\tedema\tabsent\nxray:A1\t2\tmass\tlikely\n", encoding="utf-8")
    by_accession = command("gold", gold, "--reports", plain)
    by_name = command("gold", gold, "--reports", kinds)
    assert by_accession["grains"] == by_name["grains"]
    assert by_accession["grains"][0]["hits"] == 2
    assert by_accession["failures"] == []
    gold.write_text(gold.read_text(encoding="utf-8") + "xray:A2\n", encoding="utf-8")
    charged = command("gold", gold, "--reports", plain)
    assert charged["grains"] == command("gold", gold, "--reports", kinds)["grains"]
    assert (charged["grains"][0]["found"], charged["grains"][0]["hits"]) == (3, 2)
    assert charged["failures"] == []


def test_annotated_reports_that_were_not_read_are_listed_and_count_nowhere(command, tmp_path):
    reports = _table(tmp_path / "R.csv", "report_id,text", [("a", "No edema.")])
    gold = tmp_path / "G.tsv"
    gold.write_text("a\t1\tedema\tabsent\nB-2\t1\tmass\tlikely\n", encoding="utf-8")
    done = command("gold", gold, "--reports", reports)
    assert done["failures"] == [{"report_id": "B-2", "reason": "It was annotated, but was not read."}]
    assert done["reports"] == 1
    assert [grain["recall"] for grain in done["grains"][:3]] == [1, 1, 1]
    assert "B-2" in done["text"]


@pytest.mark.parametrize("of_engine", [True, False])
def test_files_of_other_reports_are_no_score(command, tmp_path, of_engine):
    reports = _table(tmp_path / "R.csv", "report_id,text", [("a", "No edema.")])
    command("extract", reports, "--out", tmp_path / "F.csv")
    gold = tmp_path / "G.tsv"
    gold.write_text("b\t1\tedema\tabsent\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"None of the 1 annotated reports of G\.tsv is in "):
        command("gold", gold, *(("--reports", reports) if of_engine else (tmp_path / "F.csv",)))
