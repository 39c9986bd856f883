"""Tables of departments: what they come to together is what all their observations come to, and they tell no more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.merged import OTHERS, Merged, counted, merged
from radcal.calibration.pooled import measure_pooled
from radcal.calibration.records import POOLS
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.report import to_json
from radcal.calibration.tables import build_tables
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.words.phrases import Lexicon
from radcal.words.records import Phrase

WORDS = Lexicon(
    (
        Phrase("absent", 0, 1, 0, 0, synonyms=("wombat-free",)),
        Phrase("possible", 3, 9, 0.2, 0.5, answers=20, asked=22, within=12),
        Phrase("likely", 6, 2, 0.5, 0.9),
        Phrase("present", 1, 0, 1, 1),
    )
)
QUICK = Settings(bootstrap=60, n_bins=5, min_group_n=20, min_phrase_n=5, seed=3)
READERS = {"Quackenbush, Ann": "Avery", "Quokka, Bo": "Blake", "Quoll, Cy": "Casey", "Quagga, Di": "Drew"}


def observations(seed: int = 0, size: int = 900, **columns: Any) -> pd.DataFrame:
    """Findings of four readers in two departments; of patients, some seen often, some unknown, none in both."""
    rng = np.random.default_rng(seed)
    author = rng.choice(list(READERS), size)
    department = np.where(np.isin(author, list(READERS)[:2]), "A", "B")
    patient = rng.integers(0, 150, size)
    frame = {
        "author": author,
        "topic": rng.choice(["edema", "mass", "effusion"], size),
        "phrase": rng.choice([*(p.name for p in WORDS.phrases), " LIKELY ", "wombat-free", "perhapsish"], size),
        "outcome": rng.choice([0, 1, 0.25, 0.75], size),
        "patient": [f"{d}{p}" if p > 10 else "" for d, p in zip(department, patient, strict=True)],
        "time": "2024-05-06 07:08",
        "department": department,
    }
    return pd.DataFrame(frame | columns)


def given(folder: Path, frame: pd.DataFrame, words: Lexicon = WORDS, fewest: int = 1, **more: Any) -> list[Path]:
    """The file of each department."""
    made = []
    for name, own in frame.groupby("department"):
        settings = QUICK.changed(**more.get(str(name), {}))
        made.append(folder / f"{name}.json")
        made[-1].write_text(json.dumps(counted(own, words, settings, str(name), READERS, fewest)), encoding="utf-8")
    return made


def measured(tables: Any, words: Lexicon = WORDS) -> list[Any]:
    """All that ``radcal reliability`` says of tables, as plain values."""
    spread = spread_of(tables, words.phrases, QUICK)
    results = list(measure(tables, words.phrases, QUICK, spread=spread))
    for by in POOLS:
        results += measure_pooled(tables, words.phrases, QUICK, by, SILENT, spread)
    return [to_json(results), repr(spread)]


def whole_of(frame: pd.DataFrame, reading: Any = "expected") -> Any:
    """The tables of all observations at once, each reader named as in a file."""
    named = [f"{d}/{READERS[a]}" for d, a in zip(frame["department"], frame["author"], strict=True)]
    return build_tables(frame.assign(author=named), WORDS.phrases, reading)


@pytest.mark.parametrize("known", ["all", "none", "one"])
def test_departments_together_are_what_all_their_observations_are(tmp_path: Path, known: str) -> None:
    frame = observations()
    if known != "all":
        frame.loc[slice(None) if known == "none" else frame["department"] == "B", "patient"] = ""
    if known == "none":
        frame = frame.drop(columns="patient")
    files = given(tmp_path, frame)
    if known == "one":  # a department that knows no patients
        frame_b = frame[frame["department"] == "B"].drop(columns="patient")
        given(tmp_path, frame_b)
    found, whole = merged(files), whole_of(frame)
    assert measured(found.tables) == measured(whole)
    assert found.tables.groups == whole.groups
    assert (found.tables.counts == whole.counts).all()
    assert found.departments.keys() == {"A", "B"}
    assert sum(found.departments.values()) + found.unknown == len(frame)
    widened = {name: g["together"] for name, g in enumerate(measured(whole)[0]["groups"])}
    assert any(widened.values())


def test_patients_that_were_seen_again_still_tell_less(tmp_path: Path) -> None:
    frame = observations(patient="A1")
    with_patients = merged(given(tmp_path, frame[frame["department"] == "A"]))
    without = merged(given(tmp_path, frame[frame["department"] == "A"].drop(columns="patient")))
    assert (with_patients.tables.counts == without.tables.counts).all()
    assert measured(with_patients.tables) != measured(without.tables)


@pytest.mark.parametrize("reading", ["expected", "paper"])
def test_reference_phrases_and_many_outcomes_add_up_as_well(tmp_path: Path, reading: str) -> None:
    rng = np.random.default_rng(2)
    said = rng.choice(["absent", "likely", "Present", "possible"], 900)
    worded = observations(reference_phrase=said).drop(columns=["outcome", "patient"])
    both = {"reference": reading}
    found = merged(given(tmp_path, worded, A=both, B=both))
    assert measured(found.tables) == measured(whole_of(worded, reading))
    assert found.settings["reference"] == reading
    numbers = observations(outcome=rng.random(900).round(3), patient="")
    found = merged(given(tmp_path, numbers))
    np.testing.assert_allclose(found.tables.counts, whole_of(numbers).counts, atol=1e-12)
    assert len(found.tables.references) == 101


def test_a_file_holds_counts_and_nothing_else(tmp_path: Path) -> None:
    """Of a canary in every column that is not counted, nothing is found in the bytes."""
    frame = observations(report_id="Z-31337", xray_sentence="Likely edema, says the zebu.", site="Zanzibar")
    for path in given(tmp_path, frame):
        text = path.read_text(encoding="utf-8")
        for canary in ("Qu", "2024", "07:08", "31337", "zebu", "Zanzibar", "perhapsish", "wombat", "A11", "B11"):
            assert canary not in text, canary
        made = json.loads(text)
        assert made.keys() == {
            *("format", "schema", "department", "settings", "lexicon", "unknown", "left_out", "fewest"),
            *("reference", "counts", "patients"),
        }
        assert made["unknown"] > 50
        readers = {row[0] for row in made["counts"]}
        assert readers <= {f"{made['department']}/{name}" for name in READERS.values()}
        assert all(len(row) == 5 for row in made["counts"])


def test_readers_with_few_findings_are_counted_as_one(tmp_path: Path) -> None:
    frame = observations(size=300, phrase="likely", topic="edema", department="A")
    few = frame["author"].isin(list(READERS)[1:3])
    frame = pd.concat([frame[~few], frame[few].groupby("author").head(4), frame.head(3).assign(topic="mass")])
    (path,) = given(tmp_path, frame, fewest=5)
    made = json.loads(path.read_text(encoding="utf-8"))
    by_group: dict[tuple[str, str], int] = {}
    for author, topic, _, _, n in made["counts"]:
        by_group[author, topic] = by_group.get((author, topic), 0) + n
    assert by_group.keys() == {("A/Avery", "edema"), ("A/Drew", "edema"), (f"A/{OTHERS}", "edema")}
    assert by_group[f"A/{OTHERS}", "edema"] == 8
    assert made["left_out"] == 3 == merged([path]).left_out
    with pytest.raises(DataError, match="No reader has 1000 findings"):
        given(tmp_path, frame, fewest=1000)


def test_words_that_do_not_mean_the_same_are_named(tmp_path: Path) -> None:
    frame = observations()
    a, b = given(tmp_path, frame)
    other = Lexicon(tuple(replace(p, alpha=p.alpha + (p.name == "likely")) for p in WORDS.phrases[1:]))
    given(tmp_path, frame[frame["department"] == "B"], other)
    with pytest.raises(InputError, match=r"do not mean the same in A\.json and B\.json: absent, likely\."):
        merged([a, b])
    spoken = Lexicon(tuple(replace(p, synonyms=(*p.synonyms, f"our {p.name}")) for p in WORDS.phrases))
    given(tmp_path, frame[frame["department"] == "B"], spoken)  # other ways of writing them do not matter
    assert isinstance(merged([a, b]), Merged)


def test_other_settings_other_references_and_the_same_department_are_refused(tmp_path: Path) -> None:
    frame = observations()
    a, b = given(tmp_path, frame, B={"window_hours": 24.0, "reference": "paper", "seed": 9})
    with pytest.raises(InputError, match="window_hours, reference differ"):
        merged([a, b])
    given(tmp_path, frame.drop(columns="outcome").assign(reference_phrase="likely")[frame["department"] == "B"])
    with pytest.raises(InputError, match="outcome and reference_phrase differ"):
        merged([a, b])
    with pytest.raises(InputError, match="Two files are of the department A"):
        merged([a, a])
    for name in ("", "A/B", "-A", "x" * 41):
        with pytest.raises(InputError, match="Name the department"):
            counted(frame, WORDS, QUICK, name, READERS, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"counts": []},
        {"counts": [["A/Avery", "edema", "likely", 0.5, 1.5]]},
        {"counts": [["A/Avery", "edema", "likely", 0.5, -1]]},
        {"counts": [["A/Avery", "edema", "maybe", 0.5, 1]]},
        {"counts": [["A/Avery", 3, "likely", 0.5, 1]]},
        {"patients": [["A/Avery", "edema", "likely", 1, 1]]},
        {"patients": [["A/Avery", "edema", "likely", 1, 1, -1]]},
        {"department": "A/B"},
        {"unknown": "many"},
        {"lexicon": [{"name": "likely"}]},
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    a, _ = given(tmp_path, observations())
    made = json.loads(a.read_text(encoding="utf-8"))
    a.write_text(json.dumps(made | change), encoding="utf-8")
    with pytest.raises(InputError, match=r"A\.json is no file of tables"):
        merged([a])
    a.write_text(json.dumps(made | {"schema": 2}), encoding="utf-8")
    with pytest.raises(InputError, match="newer RadCal"):
        merged([a])
    a.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="no file of tables"):
        merged([a])
