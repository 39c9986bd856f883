"""Reliability, advice and the department's model: as the commands write them, and as DataFrames."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import radcal
from radcal import cli
from radcal.calibration.records import PhraseRate
from tests.library.conftest import WORDS

QUICK = {"bootstrap": 30, "min_group_n": 20, "min_phrase_n": 5}
_SET = [word for name, value in QUICK.items() for word in ("--set", f"{name}={value}")]


def _written(command: str, file: Path, *more: str) -> Any:
    out = file.with_suffix(".json")
    cli.main([command, str(file), "--out", str(out), *_SET, *more])
    return json.loads(out.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("pool", [None, "author", "topic"])
def test_json_is_what_the_command_writes(said: pd.DataFrame, file: Path, pool: Any) -> None:
    more = () if pool is None else ("--pool", pool)
    for source in (said, file, str(file), said.to_dict("list")):
        made = radcal.reliability(source, pool=pool, **QUICK)
        assert json.loads(json.dumps(made.to_json())) == _written("reliability", file, *more)
    told = radcal.advise(said, pool=pool, **QUICK).to_json()
    assert json.loads(json.dumps(told)) == _written("advise", file, *more)


def test_numbers_and_the_rows_left_out_are_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(3)
    rows = pd.DataFrame(
        {
            "reader": "Finch", "topic": "edema", "certainty": rng.integers(0, 11, 300) * 10,
            "outcome": rng.choice(["right", "wrong"], 300),
        }
    )  # fmt: skip
    rows.loc[7, "outcome"] = "perhaps"
    rows.to_csv(tmp_path / "OBS.csv", index=False)
    written = _written("reliability", tmp_path / "OBS.csv")
    assert "Numbers of 1 author (Finch) were read as percentages." in capsys.readouterr().out
    assert written["percentages"] == ["Finch"]
    assert [(row["row"], row["reason"]) for row in written["rejected"]] == [(9, "The outcome is no number.")]
    with (
        pytest.warns(radcal.LeftOut, match=r"1 row cannot be used\. .* row 7"),
        pytest.warns(radcal.Assumed, match=r"\(Finch\) were read as perc"),
    ):
        made = radcal.reliability(rows, **QUICK).to_json()
    assert [row.pop("row") for row in made["rejected"]] == [7]
    assert json.loads(json.dumps(made["groups"])) == written["groups"]


def test_tables_hold_the_figures_of_the_json(said: pd.DataFrame) -> None:
    made = radcal.reliability(said, **QUICK)
    groups, phrases, plain = made.groups(), made.phrases(), made.to_json()["groups"]
    assert list(groups["author"]) == ["Quill", "Quill", "Wren", "Wren"]
    for column in ("n", "ece", "ece_low", "word_error", "slope", "brier", "auroc", "q_value_word", "excess"):
        assert groups[column].tolist() == [group[column] for group in plain]
    assert [*phrases] == ["author", "topic", *PhraseRate._fields]
    counted = said.groupby(["author", "topic", "phrase"])["outcome"].agg(["size", "sum"])
    ours = phrases.set_index(["author", "topic", "phrase"])
    assert ours["n"].to_dict() == counted["size"].to_dict()
    assert ours["positives"].to_dict() == counted["sum"].to_dict()
    curve = made.curve("Quill", "mass")
    assert len(curve) == 100
    assert curve["density"].sum() == pytest.approx(1)
    with pytest.raises(radcal.InputError, match=r"4 groups are meant.*'Quill' on 'edema'"):
        made.curve()
    with pytest.raises(radcal.InputError, match=r"There is no such group\. Name one .* of: 'Quill'"):
        made.curve("Nobody")


def test_columns_do_not_depend_on_the_data(said: pd.DataFrame) -> None:
    """With curves and without, and words together or not, a table has the same columns of the same kinds."""
    few = said[:20].assign(author="A", topic="T")
    for table in (lambda d: radcal.reliability(d, **QUICK).groups(), lambda d: radcal.advise(d, **QUICK).table()):
        made, of_few, both = (table(frame).dtypes for frame in (said, few, pd.concat([said, few])))
        assert [*made.index] == [*of_few.index] == [*both.index]
        numbers = [name for name in made.index if made[name].kind in "fi"]
        assert made["n"] == of_few["n"] == "int64"
        assert made[numbers].equals(both[numbers])
        assert of_few[numbers].map(lambda kind: kind.kind in "fi").all()
    assert not {"curve", "phrases", "together", "parts", "verification"} & {*radcal.reliability(few).groups()}


def test_notebooks_show_tables_and_consoles_a_line(said: pd.DataFrame) -> None:
    lexicon = radcal.Lexicon.shipped()
    for made in (radcal.reliability(said, **QUICK), radcal.advise(said, **QUICK), lexicon):
        assert len(repr(made)) < 80
        assert "<table" in made._repr_html_()


def test_times_give_first_and_last_day(said: pd.DataFrame) -> None:
    days = pd.date_range("2024-01-01", periods=len(said), freq="D")
    groups = radcal.reliability(said.assign(time=days), bootstrap=0).groups()
    for written in ("%d/%m/%Y", "%m/%d/%y %H:%M"):
        again = radcal.reliability(said.assign(time=days.strftime(written)), bootstrap=0).groups()
        pd.testing.assert_frame_equal(again, groups)
    with pytest.warns(radcal.Assumed, match="They were read month first. Write them as 2024-12-31 if that is wrong"):
        assumed = radcal.reliability(said.assign(time="03/04/2025"), bootstrap=0)
    assert {*assumed.groups()["first"]} == {"2025-03-04"}
    for _, group in groups.iterrows():
        own = days[(said["author"] == group["author"]) & (said["topic"] == group["topic"])]
        assert (group["first"], group["last"]) == (f"{own.min():%Y-%m-%d}", f"{own.max():%Y-%m-%d}")


def test_advice_is_a_row_for_each_phrase(said: pd.DataFrame) -> None:
    strong = said.assign(outcome=np.where(said["phrase"] == "likely", np.arange(len(said)) % 5 == 0, said["outcome"]))
    made = radcal.advise(strong, **QUICK)
    table = made.table()
    assert {"author", "topic", "phrase", "n", "verdict", "advised", "sure", "over", "why"} <= {*table}
    likely = table[table["phrase"] == "likely"]
    assert len(likely) == 4
    assert (likely["verdict"] == "stronger").all()
    assert (likely["sure"] >= 0.95).all()
    known = radcal.Lexicon.shipped()
    for word in likely["advised"]:
        phrase = known.find(word)
        assert phrase is not None
        assert abs(phrase.alpha / (phrase.alpha + phrase.beta) - 0.2) < 0.2
    assert (table["advised"].isna() == (table["sure"].isna())).all()
    assert {word for word in table["advised"] if pd.isna(word)} == {None}


def test_who_speaks_in_numbers_is_told_numbers_and_who_speaks_in_words_words(said: pd.DataFrame) -> None:
    words = said[said["author"] == "Quill"]
    number = np.random.default_rng(1).choice([10, 30, 50, 70, 90], 400)
    spoken = pd.DataFrame({"author": "Finch", "topic": "mass", "phrase": number, "outcome": 0})
    spoken["outcome"] = (np.random.default_rng(2).random(400) < 0.5).astype(int)
    with pytest.warns(radcal.Assumed, match="were read as percentages"):
        table = radcal.advise(pd.concat([words, spoken]), **QUICK).table()
    finch = table[table["author"] == "Finch"].set_index("phrase")
    assert set(finch["advised"].dropna()) <= {"0.3", "0.5", "0.7"}
    assert {finch.loc["0.9", "advised"], finch.loc["0.1", "advised"]} <= {"0.3", "0.5", "0.7"}
    alone = radcal.advise(words, **QUICK).table()
    quill = table[table["author"] == "Quill"].reset_index(drop=True)
    assert set(quill["advised"].dropna()) <= {p.name for p in radcal.Lexicon.shipped().phrases}
    assert quill["phrase"].tolist() == alone["phrase"].tolist()


@pytest.mark.parametrize("number", [0.2, "20 %", "~20 %", (2, 8)])
def test_who_speaks_in_words_and_numbers_is_told_words(number: object) -> None:
    """What is said as likely and as 0.9 comes true as often as the number says, and nearest to it is the number."""
    right = [1] * 40 + [0] * 160
    said = {"author": "A", "topic": "T", "phrase": ["likely"] * 200 + [number] * 200 + [0.9] * 200}
    for pool in (None, "author"):
        table = radcal.advise(said | {"outcome": right * 3}, pool=pool, **QUICK).table()
        told = table[table["phrase"].isin(["likely", "0.9"])]["advised"]
        assert set() < {*told} <= {p.name for p in radcal.Lexicon.shipped().phrases}


def test_advice_to_a_use_of_words(said: pd.DataFrame) -> None:
    own = said[(said["author"] == "Quill") & (said["topic"] == "mass")]
    use = {"absent": 0.4, "possibly": 0.4, "present": 0.2}
    (advice,) = radcal.advise(own, target_use=use, **QUICK).advices
    assert {s.target for s in advice.plan if s.share} <= {*use, *(r.phrase for r in ())} | {
        s.source for s in advice.plan
    }
    with pytest.raises(radcal.InputError, match="'nowhere' of the target use is not in the lexicon"):
        radcal.advise(own, target_use={"nowhere": 1}, **QUICK)
    same = radcal.advise(own, target_use={"absent": 0.4, "possible": 0.3, "possibly": 0.1, "present": 0.2}, **QUICK)
    assert same.advices[0].plan == advice.plan
    assert set(same.table()["solver"]) == {"target use"}
    for wrong, why in (({"likely": 1.3, "absent": -0.3}, "at least 0"), ({"likely": 30, "absent": 70}, "add to 100")):
        with pytest.raises(radcal.InputError, match=why):
            radcal.advise(own, target_use=wrong, **QUICK)


def test_the_model_learns_how_far_readers_stray() -> None:
    """Twelve readers, half of them with log odds 1 too high: the model says so of each, also of a new one."""
    rng = np.random.default_rng(7)
    frames = []
    for reader in range(13):
        word = rng.choice([0.2, 0.4, 0.6, 0.8], 250)
        odds = np.log(word / (1 - word)) - (1.0 if reader % 2 else 0.0)
        outcome = rng.random(250) < 1 / (1 + np.exp(-odds))
        frames.append(pd.DataFrame({"author": f"R{reader:02}", "topic": "T", "phrase": word, "outcome": outcome}))
    model = radcal.DepartmentModel()
    with pytest.raises(radcal.DataError, match=r"Call fit\(observations\) first"):
        model.rates()
    assert model.fit(pd.concat(frames[:12])) is model
    assert 0.3 < model.spread_.shift < 0.9
    verdicts = model.together().set_index("author")["verdict"]
    assert [verdicts[f"R{k:02}"] for k in range(12)] == ["undecided", "stronger"] * 6
    rates = model.rates()
    assert ((rates["low"] <= rates["expected"]) & (rates["expected"] <= rates["high"])).all()
    measured = radcal.reliability(pd.concat(frames[:12]), bootstrap=0).phrases()
    pd.testing.assert_frame_equal(rates, measured)
    few = model.rates(frames[12][:40])
    raw = frames[12][:40].groupby("phrase")["outcome"].mean().to_numpy()
    truth = np.array([0.2, 0.4, 0.6, 0.8])
    assert np.abs(few["expected"].to_numpy() - truth).sum() < np.abs(raw - truth).sum()


def test_the_model_is_an_estimator_of_scikit_learn(said: pd.DataFrame) -> None:
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    lexicon = radcal.Lexicon.shipped("public")
    for model in (radcal.DepartmentModel(), radcal.DepartmentModel(lexicon, confidence=0.9)):
        assert clone(model).get_params().keys() == model.get_params().keys()
    assert repr(radcal.DepartmentModel(confidence=0.9)) == "DepartmentModel(confidence=0.9)"
    alone = radcal.DepartmentModel()
    with pytest.raises(NotFittedError):
        check_is_fitted(alone)
    steps = Pipeline([("model", alone)])
    check_is_fitted(steps.fit(said, said["outcome"]))
    assert "DepartmentModel" in steps._repr_html_()
    pd.testing.assert_frame_equal(alone.rates(), radcal.DepartmentModel().fit(said).rates())

    def narrow(model: radcal.DepartmentModel, unseen: pd.DataFrame) -> float:
        rates = model.rates(unseen)
        return float((rates["low"] - rates["high"]).mean())

    search = GridSearchCV(alone, {"confidence": [0.9, 0.5, 0.7]}, scoring=narrow, cv=3).fit(said)
    assert search.best_params_ == {"confidence": 0.5}
    assert search.best_estimator_.rates().equals(radcal.DepartmentModel(confidence=0.5).fit(said).rates())


def test_a_fitted_model_stays_as_fitted(said: pd.DataFrame) -> None:
    model, half = radcal.DepartmentModel().fit(said), said[:300]
    before = model.rates(), model.rates(half), model.together()
    lexicon = radcal.Lexicon.scale(dict.fromkeys(WORDS[1:-1], (0.4, 0.6)))
    changed = {"lexicon": lexicon, "confidence": 0.5, "min_phrase_n": 60}
    assert model.set_params(**changed).get_params() == changed
    for was, made in zip(before, (model.rates(), model.rates(half), model.together()), strict=True):
        pd.testing.assert_frame_equal(made, was)
    again = model.fit(said).rates()
    pd.testing.assert_frame_equal(again, radcal.DepartmentModel(**changed).fit(said).rates())
    assert "too few" in set(again["verdict"]) - set(before[0]["verdict"])


def test_settings_go_by_their_names(said: pd.DataFrame) -> None:
    with pytest.raises(radcal.InputError, match=r"no setting 'bootsrap'\. Did you mean bootstrap\?"):
        radcal.reliability(said, bootsrap=10)
    with pytest.raises(radcal.InputError, match="n_bins: 1 is outside 2 to 1000"):
        radcal.ece(said, n_bins=1)
    with pytest.raises(radcal.InputError, match="There is no file"):
        radcal.reliability("nowhere.csv")


def test_lexicons_come_from_files_answers_and_scales(said: pd.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "LEX.csv").write_text("phrase,alpha,beta\nlikely,8,2\n", encoding="utf-8")
    (tmp_path / "SURVEY.csv").write_text("phrase,low_0_40,high_60_100\nlikely,0.25,0.75\n", encoding="utf-8")
    answers = pd.DataFrame({"likely": [60, 70, np.nan, 95], "possibly": [20, 40, 35, 30]})
    made = {
        "csv": radcal.Lexicon.from_csv(tmp_path / "LEX.csv"),
        "survey": radcal.Lexicon.from_survey(tmp_path / "SURVEY.csv", asked=40),
        "answers": radcal.Lexicon.from_answers(answers),
        "scale": radcal.Lexicon.scale({"likely": (0.6, 0.9), "possibly": (0.25, 0.5)}),
        "brigham": radcal.Lexicon.scale("brigham"),
    }
    mean = {name: lexicon.table().set_index("phrase")["mean"]["likely"] for name, lexicon in made.items()}
    assert mean["csv"] == pytest.approx(0.8)
    assert mean["survey"] == pytest.approx((0.2 + 3 * 0.8) / 4)
    assert mean["answers"] == pytest.approx(0.75)
    assert mean["scale"] == pytest.approx(0.75)
    likely = made["scale"].find("likely")
    assert likely is not None
    a, b = likely.alpha, likely.beta
    assert a * b / ((a + b) ** 2 * (a + b + 1)) == pytest.approx(0.3**2 / 12)
    own = said[said["phrase"].isin(["likely", "possibly", "absent", "present"])]
    for lexicon in (made["answers"], made["scale"]):
        assert 0 < radcal.ece(own, lexicon) < 1
        assert radcal.reliability(own, lexicon, bootstrap=0).to_json()["lexicon"]["version"] == lexicon.version
    for wrong in ({"likely": [60, 101]}, {"likely": [60, "many"]}):
        with pytest.raises(radcal.InputError, match="Row 1, column 'likely': the answer is no number in 0 to 100"):
            radcal.Lexicon.from_answers(wrong)
    with pytest.raises(radcal.InputError, match=r"no such scale\. Known: brigham"):
        radcal.Lexicon.scale("nowhere")
    with pytest.raises(radcal.InputError, match="likely low 60 and high 90 are no range within 0 to 1"):
        radcal.Lexicon.scale({"likely": (60, 90)})
    assert [p.name for p in made["scale"].phrases] == ["absent", "possibly", "likely", "present"]
    assert len(WORDS) == 7


def test_a_lexicon_written_as_a_table_is_read_again(tmp_path: Path) -> None:
    made = radcal.Lexicon.from_answers({"likely": [60, 70.5, 80], "possible": [30, 40, 55]})
    scale = radcal.Lexicon.scale({"so": (0.3, 0.3), "likely": (0.6, 0.9)})
    for lexicon in (made, scale, radcal.Lexicon.shipped(), radcal.Lexicon.shipped("public")):
        for index in (True, False):
            lexicon.table().to_csv(tmp_path / "LEX.csv", index=index)
            assert radcal.Lexicon.from_csv(tmp_path / "LEX.csv").version == lexicon.version


def test_answers_of_unequal_number_signs_and_gaps() -> None:
    made = radcal.Lexicon.from_answers({"likely": ["60 %", "70%", "n/a", ""], "possible": [30, 40]}).table()
    assert made.set_index("phrase").loc[
        ["possible", "likely"], ["mean", "answers", "asked"]
    ].to_numpy() == pytest.approx(np.array([[0.35, 2, 2], [0.65, 2, 4]]))
    with pytest.raises(radcal.InputError, match="Nobody answered on 'so'"):
        radcal.Lexicon.from_answers({"likely": [60, 70], "so": [np.nan, np.nan]})
    with pytest.raises(radcal.InputError, match="Give them in percent"):
        radcal.Lexicon.from_answers({"likely": [0.6, 0.7], "so": [0.1, 1]})


def test_phrases_keep_their_names(said: pd.DataFrame) -> None:
    """So that what advice says of them can be put in their place in the data."""
    lexicon = radcal.Lexicon.from_answers({"I doubt it": [10, 20, 30], "Sure": [80, 90, 95], "Absent": [0, 0]})
    assert [p.name for p in lexicon.phrases] == ["absent", "I doubt it", "Sure", "present"]
    assert [p.name for p in radcal.Lexicon.scale({"Maybe": (0.2, 0.6), "PRESENT": (1, 1)}).phrases] == [
        "absent",
        "Maybe",
        "present",
    ]
    own = said.assign(phrase="Sure", outcome=np.arange(600) % 5 == 0)
    advice = radcal.advise(own, lexicon, **QUICK).table().set_index("phrase")["advised"].dropna()
    assert set(own["phrase"].replace(advice.to_dict())) == {"I doubt it"}


def test_columns_of_a_survey_that_are_no_phrases(tmp_path: Path) -> None:
    path = tmp_path / "SURVEY.csv"
    path.write_text("Timestamp,age,likely\nMay,45,70%\nJune,50,80 %\nJuly,39,n/a\n", encoding="utf-8")
    with pytest.warns(radcal.Assumed, match=r"Look at: Timestamp, age\. phrases="):
        assert radcal.Lexicon.from_survey(path).find("age") is not None
    chosen = radcal.Lexicon.from_survey(path, phrases=["likely"])
    assert chosen.table()["mean"].tolist() == pytest.approx([0, 0.75, 1])
    with pytest.raises(radcal.InputError, match="no column 'maybe'"):
        radcal.Lexicon.from_survey(path, phrases=["maybe"])
    path.write_text("likely,possible\n0.7,0.3\n0.8,0.4\n", encoding="utf-8")
    with pytest.raises(radcal.InputError, match="Give them in percent"):
        radcal.Lexicon.from_survey(path)
