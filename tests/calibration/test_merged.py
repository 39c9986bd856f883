"""Tables of departments: what they come to together is what all their observations come to, and they tell no more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
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


def given(folder: Path, frame: pd.DataFrame, words: Lexicon = WORDS, **more: Any) -> list[Path]:
    """The file of each department."""
    made = []
    for name, own in frame.groupby("department"):
        settings = QUICK.changed(**more.get(str(name), {}))
        made.append(folder / f"{name}.json")
        made[-1].write_text(json.dumps(counted(own, words, settings, str(name), READERS)), encoding="utf-8")
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
    frame = observations(patient=["A1", "A2", "A3", "A4", "A5", "A6"] * 150)
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
            *("reference", "counts", "patients", "sha256"),
        }
        assert made["unknown"] > 50
        readers = {row[0] for row in made["counts"]}
        assert readers <= {f"{made['department']}/{name}" for name in READERS.values()}
        assert all(len(row) == 5 for row in made["counts"])


def test_readers_with_few_findings_are_counted_as_one(tmp_path: Path) -> None:
    frame = observations(size=300, phrase="likely", topic="edema", department="A")
    few = frame["author"].isin(list(READERS)[1:3])
    frame = pd.concat([frame[~few], frame[few].groupby("author").head(4), frame.head(3).assign(topic="mass")])
    (path,) = given(tmp_path, frame)
    made = json.loads(path.read_text(encoding="utf-8"))
    by_group: dict[tuple[str, str], int] = {}
    for author, topic, _, _, n in made["counts"]:
        by_group[author, topic] = by_group.get((author, topic), 0) + n
    assert by_group.keys() == {("A/Avery", "edema"), ("A/Drew", "edema"), (f"A/{OTHERS}", "edema")}
    assert by_group[f"A/{OTHERS}", "edema"] == 8
    assert made["left_out"] == 3 == merged([path]).left_out
    with pytest.raises(DataError, match="No reader has 5 findings or more on a topic, of as many patients"):
        given(tmp_path, frame.head(4))


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
            counted(frame, WORDS, QUICK, name, READERS)


def sealed(made: dict[str, Any]) -> str:
    """A file that was edited by somebody who worked out the digest anew."""
    rest = {name: value for name, value in made.items() if name != "sha256"}
    return json.dumps(rest | {"sha256": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()})


def first(name: str, place: int, value: Any) -> Callable[[dict[str, Any]], Any]:
    """A change of a cell in the first row."""
    return lambda made: {name: [[*made[name][0][:place], value, *made[name][0][place + 1 :]], *made[name][1:]]}


@pytest.mark.parametrize(
    "change",
    [
        lambda _: {"format": "other"},
        lambda _: {"counts": []},
        lambda _: {"department": "A/B"},
        lambda _: {"department": "B"},
        lambda _: {"unknown": "many"},
        lambda _: {"left_out": 10**300},
        lambda _: {"lexicon": [{"name": "likely"}]},
        lambda _: {"name": "Quackenbush, Ann"},
        lambda made: {"settings": made["settings"] | {"seed": 1}},
        lambda made: {"settings": made["settings"] | {"window_hours": -1}},
        lambda made: {"lexicon": [p | {"synonyms": ["zebu"]} for p in made["lexicon"]]},
        lambda _: {"fewest": 1},
        lambda _: {"fewest": 100},
        lambda made: {"counts": made["counts"] + made["counts"][:1]},
        lambda made: {"patients": made["patients"] + made["patients"][:1]},
        lambda made: {"patients": made["patients"][:-1]},
        lambda made: {"patients": [["B/Casey", *row[1:]] for row in made["patients"]]},
        *(first("counts", 0, reader) for reader in ("B/Casey", "A/Quackenbush, Ann", "A/", "Avery", 3)),
        *(first("counts", 1, topic) for topic in (3, None)),
        *(first("counts", 2, word) for word in ("maybe", [])),
        *(first("counts", 3, outcome) for outcome in (7, -0.1, "likely", None, 10**400)),
        *(first("counts", 4, n) for n in (1.5, -1, 10**300, 10**8, True)),
        *(first("patients", place, m) for place in (3, 4, 5) for m in (-1, 0, 1e9, 10**400, "many")),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    a, _ = given(tmp_path, observations())
    made = json.loads(a.read_text(encoding="utf-8"))
    a.write_text(sealed(made), encoding="utf-8")
    assert isinstance(merged([a]), Merged)
    changed = made | change(made)
    a.write_text(sealed(changed), encoding="utf-8")
    with pytest.raises(InputError, match=r"^A\.json is no file of tables, or a damaged one\."):
        merged([a])
    a.write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(InputError, match=r"A\.json (was changed since RadCal wrote it|is no file of tables)"):
        merged([a])


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "no file of tables"), ("[]", "no file of tables"), ('{"schema": 2, "format": 1}', "newer RadCal")],
)
def test_what_is_no_table_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "A.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        merged([path])


def test_edits_are_noticed_and_another_layout_is_none(tmp_path: Path) -> None:
    """The file without its patients, and with another count, is sound, but is not what RadCal wrote."""
    a, _ = given(tmp_path, observations())
    made = json.loads(a.read_text(encoding="utf-8"))
    a.write_text(json.dumps(dict(reversed(made.items())), indent=3), encoding="utf-8")
    assert merged([a]).departments == merged([a]).departments != {}
    for change in ({"patients": []}, first("counts", 4, made["counts"][0][4] + 1)(made)):
        a.write_text(sealed(made | change), encoding="utf-8")
        assert isinstance(merged([a]), Merged)
        a.write_text(json.dumps(made | change), encoding="utf-8")
        with pytest.raises(InputError, match=r"A\.json was changed since RadCal wrote it"):
            merged([a])


@pytest.mark.parametrize(("patients", "left"), [(4, {"others"}), (5, {"Avery", "others"})])
def test_findings_of_few_patients_are_few(tmp_path: Path, patients: int, left: set[str]) -> None:
    """Ann's 60 findings are of 4 or 5 patients; Bo's four, without patients, count for four."""
    ann = {"author": "Quackenbush, Ann", "patient": [f"A{i % patients}" for i in range(60)]}
    bo = {"author": "Quokka, Bo", "patient": ["", " ", None, ""]}
    cy = {"author": "Quoll, Cy", "patient": ["A1", "A2", "A3", "A4"]}
    frame = pd.concat([pd.DataFrame(each) for each in (ann, bo, cy)], ignore_index=True)
    frame = frame.assign(topic="edema", phrase="likely", outcome=1, department="A")
    (path,) = given(tmp_path, frame)
    made = json.loads(path.read_text(encoding="utf-8"))
    assert {row[0] for row in made["counts"]} == {f"A/{reader}" for reader in left}
    assert sum(row[-1] for row in made["counts"]) == 68
    merged([path])
    alone = frame[frame["author"] == ann["author"]]
    if patients < 5:
        with pytest.raises(DataError, match="No reader has 5 findings"):
            given(tmp_path, alone)
