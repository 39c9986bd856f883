"""The bundle of tables for R: what it holds, what it does not hold, and what R makes of it."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.reliability import monotone
from radcal.calibration.tables import build_tables
from radcal.system.settings import Settings
from radcal.words.phrases import load_lexicon, mean_of

WORDS = [p for p in load_lexicon().phrases if p.name in ("absent", "unlikely", "possibly", "likely", "present")]
R = shutil.which("Rscript")
READ = """
read <- function(name) read.csv(unz("R.zip", name), encoding = "UTF-8")
obs <- read("observations.csv"); phrases <- read("phrases.csv"); groups <- read("groups.csv")
one <- obs[obs$author == "Ann", ]
fit <- isoreg(one$forecast, one$outcome)
corp <- numeric(nrow(one)); corp[fit$ord] <- fit$yf
brier <- function(x) mean((x - one$outcome)^2)
base <- brier(mean(one$outcome))
cat(brier(one$forecast), brier(one$forecast) - brier(corp), base - brier(corp), base, sum(phrases$n), nrow(obs),
    groups$ece[groups$author == "Ann" & groups$topic == "edema"], sum(read("plan.csv")$mass), sep = "\\n")
"""


def observations(seed: int, n: int = 240) -> pd.DataFrame:
    """Two authors on one topic, one of whom overstates; a third said too little, and a word that nobody knows."""
    rng = np.random.default_rng(seed)
    author, word = rng.integers(0, 2, n), rng.integers(0, len(WORDS), n)
    meant = np.array([mean_of(p) for p in WORDS])[word]
    rows = pd.DataFrame(
        {
            "author": np.where(author == 0, "Ann", "Bob"),
            "topic": "edema",
            "phrase": [WORDS[k].name for k in word],
            "outcome": (rng.random(n) < meant ** (1 + author)).astype(int),
            "patient": [f"Quillfeather-{i // 2}" for i in range(n)],
            "time": "2024-01-31 07:43",
        }
    )
    few = {"author": "=Cy", "topic": "mass", "phrase": ["likely", "who knows"], "outcome": 1, "patient": "", "time": ""}
    return pd.concat([rows, pd.DataFrame(few)], ignore_index=True)


@pytest.fixture
def made(radcal: Callable[..., SimpleNamespace], tmp_path: Path) -> Path:
    """A bundle, with the result as JSON beside it."""
    observations(0).to_csv(tmp_path / "OBS.csv", index=False)
    for name in ("R.json", "R.zip"):
        command = "reliability", tmp_path / "OBS.csv", "--out", tmp_path / name, "--set", "bootstrap=100"
        done = radcal(*command, "--set", "min_group_n=30", "--pool", "author")
        assert done.status == 0
    return tmp_path


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    with zipfile.ZipFile(folder / "R.zip") as whole:
        names = [name for name in whole.namelist() if name.endswith(".csv")]
        return {name: pd.read_csv(io.BytesIO(whole.read(name))) for name in names}


def test_every_column_is_in_the_dictionary_and_within_its_range(made: Path) -> None:
    found = tables(made)
    dictionary = found.pop("dictionary.csv")
    assert {n: [*t] for n, t in found.items()} == {n: [*d["column"]] for n, d in dictionary.groupby("file", sort=False)}
    assert dictionary[["meaning", "type"]].notna().all().all()
    for row in dictionary.fillna("").itertuples():
        column = found[row.file][row.column].dropna()
        if row.type in ("number", "count"):
            bounds = row.range.rpartition("-") if row.range else ("", "", "")
            low, high = (float(b) if b else edge for b, edge in zip(bounds[::2], (-np.inf, np.inf), strict=True))
            assert column.between(low, high).all(), row
        elif row.range and row.type == "text":
            assert set(column) <= set(row.range.split(", ")), row


def test_it_holds_what_the_json_holds(made: Path) -> None:
    """Every single value of a group and of a word, the curves, and the JSON itself."""
    found, result = tables(made), json.loads((made / "R.json").read_text())
    with zipfile.ZipFile(made / "R.zip") as whole:
        assert json.loads(whole.read("result.json")) == result
    groups = result["groups"]
    for name, rows in (("groups.csv", groups), ("phrases.csv", [p for g in groups for p in g["phrases"]])):
        for row, values in zip(found[name].to_dict("records"), rows, strict=True):
            for column, value in values.items():
                if isinstance(value, int | float):
                    assert row[column] == value
                elif column in row:
                    assert row[column] == f"{value or ''}".replace("=Cy", "'=Cy") or (
                        row[column] != row[column] and not value
                    )
    rates = [rate for g in groups if g["curve"] for rate in g["curve"]["rate"]]
    assert np.array_equal(found["curves.csv"]["rate"], np.array(rates, dtype=float), equal_nan=True)


def test_merged_counts_are_rows_again(radcal: Callable[..., SimpleNamespace], tmp_path: Path) -> None:
    parts = []
    for k, name in enumerate("AB"):
        parts.append(observations(k)[:-2].drop(columns=["patient", "time"]))
        parts[-1].to_csv(tmp_path / f"{name}.csv", index=False)
        table = "tables", tmp_path / f"{name}.csv", "--department", name, "--out", tmp_path / f"{name}.json"
        assert radcal(*table).status == 0
    merged = "merge", tmp_path / "A.json", tmp_path / "B.json", "--set", "bootstrap=0"
    assert radcal(*merged, "--out", tmp_path / "R.zip").status == 0
    rows, found = pd.concat(parts), tables(tmp_path)["observations.csv"]
    columns = ["topic", "phrase", "outcome"]
    assert found[columns].value_counts().to_dict() == rows[columns].value_counts().to_dict()
    assert found["author"].nunique() == 4


def test_the_plan_moves_what_was_said(made: Path) -> None:
    found = tables(made)
    plan, words = found["plan.csv"], found["phrases.csv"].set_index(["author", "topic", "phrase"]).sort_index()
    assert set(plan["author"]) == {"Ann", "Bob"}  # who said enough for a curve
    said = plan.groupby(["author", "topic", "from"])["mass"].sum()
    for (author, topic, word), share in said.items():
        whole = words.loc[(author, topic), "n"].sum()
        assert share == pytest.approx(words.loc[(author, topic, word), "n"] / whole, abs=1e-6)
    stays = plan["from"] == plan["to"]
    assert (plan["cost"][stays] == 0).all()
    assert plan["mass"][~stays].sum() > 0


def test_patients_are_running_numbers_and_words_in_no_list_are_left_out(made: Path) -> None:
    rows = tables(made)["observations.csv"]
    frame = observations(0)
    known = frame[frame["phrase"] != "who knows"]
    assert rows["phrase"].tolist() == known["phrase"].tolist()
    assert rows["outcome"].tolist() == known["outcome"].tolist()
    assert rows["forecast"].tolist() == [mean_of(p) for w in known["phrase"] for p in WORDS if p.name == w]
    assert rows["patient"].dropna().tolist() == [1 + i // 2 for i in range(240)]
    with zipfile.ZipFile(made / "R.zip") as whole:
        for name in whole.namelist():
            content = whole.read(name)
            assert b"Quillfeather" not in content
            assert b"07:43" not in content
            assert not any(line.startswith(b"=") for line in content.splitlines() if name.endswith("csv"))


@pytest.mark.skipif(R is None, reason="R is not installed: apt-get install r-base-core")
def test_r_reads_it_and_finds_the_same(made: Path) -> None:
    """Brier score and its parts by R's own isotonic regression, beside those of the monotone curve."""
    asked = [str(R), "-e", READ]
    done = subprocess.run(asked, cwd=made, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603  # R
    brier, miscalibration, discrimination, uncertainty, said, rows, ece, mass = map(float, done.stdout.split())
    frame = observations(0)
    ann = build_tables(frame[frame["author"] == "Ann"], WORDS)
    ours = monotone(ann, WORDS, Settings(bootstrap=0))
    parts = ours.miscalibration, ours.discrimination, ours.uncertainty
    assert (miscalibration, discrimination, uncertainty) == pytest.approx(parts, rel=1e-5)
    assert brier == pytest.approx(parts[0] - parts[1] + parts[2], rel=1e-5)
    table = tables(made)
    assert rows == len(table["observations.csv"])
    assert said == 2 * rows  # of each group, and of each author on all topics
    assert ece == pytest.approx(table["groups.csv"].query("author == 'Ann'")["ece"].iloc[0], rel=1e-5)
    assert mass == pytest.approx(2)
