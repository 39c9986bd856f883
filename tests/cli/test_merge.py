"""Tables of counts from files and workspaces, and what they come to together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.calibration.merged import OTHERS
from radcal.opening import open_department
from radcal.system.coarse import FEWEST
from tests.cli.conftest import KEY

QUICK = ("--set", "bootstrap=20", "--set", "min_group_n=20")


def written(path: Path, names: list[str], seed: int) -> pd.DataFrame:
    """An OBS.csv of some readers."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "author": rng.choice(names, 400),
            "topic": rng.choice(["edema", "mass"], 400),
            "phrase": rng.choice(["likely", "possibly", "present"], 400),
            "outcome": rng.integers(0, 2, 400),
            "patient": [f"{seed}-{p}" for p in rng.integers(0, 90, 400)],
            "time": "2024-05-06",
        }
    )
    frame.to_csv(path, index=False)
    return frame


def test_two_halves_are_the_whole(radcal: Callable[..., Any], tmp_path: Path) -> None:
    frames, tables, who = [], [], {}
    for seed, (name, readers) in enumerate({"A": ["Okonkwo", "Oyelaran"], "B": ["Ormond"]}.items()):
        frames.append(written(tmp_path / f"{name}.csv", readers, seed))
        tables.append(tmp_path / f"{name}.json")
        words = ("tables", tmp_path / f"{name}.csv", "--department", name, "--out", tables[-1])
        told = radcal(*words)
        assert told.status == 0, told.err
        said = dict(line.rstrip(".").split(" is ") for line in told.out.splitlines() if " is " in line)
        assert {*readers} <= said.keys()
        assert "On edema, mass." in told.out
        who |= {reader: f"{name}/{said[reader]}" for reader in readers}
        assert not any(reader in tables[-1].read_text() for reader in readers)
    whole = pd.concat(frames).replace({"author": who})
    whole.to_csv(tmp_path / "whole.csv", index=False)
    assert (
        radcal("reliability", tmp_path / "whole.csv", "--pool", "topic", "--out", tmp_path / "R.json", *QUICK).status
        == 0
    )
    done = radcal("merge", *tables, "--pool", "topic", "--out", tmp_path / "M.json", *QUICK)
    assert done.status == 0, done.err
    assert "A (400), B (400)" in done.out
    assert "Left out" not in done.out
    one, other = (json.loads((tmp_path / name).read_text()) for name in ("R.json", "M.json"))
    for group in one["groups"]:  # days are no part of tables
        assert group.pop("first") == group.pop("last") == "2024-05-06"
    assert one["groups"] == other["groups"]
    assert one["department"] == other["department"]
    assert other["departments"] == {"A": 400, "B": 400}
    assert one["settings"] == other["settings"]


def test_the_tables_of_a_workspace_are_those_of_its_results(
    radcal: Callable[..., Any], refused: Callable[..., str], done: Path, tmp_path: Path
) -> None:
    out = tmp_path / "T.json"
    words = ("tables", "--workspace", done, "--department", "Ward 3", "--out", out)
    assert radcal(*words).status == 0
    made = json.loads(out.read_text())
    with open_department(done, KEY) as department:
        analysis = department.analysis()
        assert analysis is not None
        aliases = department.pseudonyms()
        expected = {
            (f"Ward 3/{aliases[r.author]}", r.topic, p.phrase): (p.n, p.positives)
            for r in analysis.reliabilities
            for p in r.phrases
            if r.n >= FEWEST
        }
        total = sum(r.n for r in analysis.reliabilities)
        entries = [entry.what for entry in department.audit_log.entries()]
        names = department.authors()
    counts: dict[tuple[str, str, str], tuple[float, float]] = {}
    for author, topic, phrase, outcome, n in made["counts"]:
        said, positives = counts.get((author, topic, phrase), (0, 0))
        counts[author, topic, phrase] = said + n, positives + n * outcome
    assert sum(said for said, _ in counts.values()) + made["left_out"] == total
    counts = {cell: said for cell, said in counts.items() if cell[0] != f"Ward 3/{OTHERS}"}
    assert counts.keys() == expected.keys()
    np.testing.assert_allclose([counts[c] for c in counts], [expected[c] for c in counts])
    assert any("tables of counts" in entry for entry in entries)
    assert not any(name in out.read_text() for name in names)
    assert "Name either OBS.csv, or the workspace" in refused("tables", "--department", "A", "--out", out)


@pytest.mark.parametrize(
    "topic",
    [
        *("Wolkenstein, Gundelinde 03/12/1951", "wolkenstein, gundelinde", "Gundelinde Wolkenstein", "Wolkenstein"),
        *("1951-12-03", "4711", "Seen in the upper lobe, she says."),
    ],
)
def test_topics_that_may_be_names_dates_or_numbers_are_refused(
    refused: Callable[..., str], tmp_path: Path, topic: str
) -> None:
    frame = written(tmp_path / "A.csv", ["Okonkwo", "Oyelaran"], 1)
    frame.loc[7, "topic"] = topic
    frame.to_csv(tmp_path / "A.csv", index=False)
    said = refused("tables", tmp_path / "A.csv", "--department", "A", "--out", tmp_path / "A.json")
    assert "Row 9: the topic may be a name" in said
    assert not [word for word in topic.split() if len(word) > 3 and word in said]
    assert not (tmp_path / "A.json").exists()


def test_what_is_left_out_is_told(radcal: Callable[..., Any], tmp_path: Path) -> None:
    """Topics that RadCal knows may be written in any case, and others in small letters; few findings stay here."""
    frame = written(tmp_path / "A.csv", ["Okonkwo", "Oyelaran"], 1).replace({"topic": {"mass": "Pleural Effusion"}})
    frame.loc[:2, "topic"], frame.loc[3:4, "phrase"] = "rib notching", "perhapsish"
    frame.to_csv(tmp_path / "A.csv", index=False)
    made = radcal("tables", tmp_path / "A.csv", "--department", "A", "--out", tmp_path / "A.json")
    merged = radcal("merge", tmp_path / "A.json", "--out", tmp_path / "M.json", *QUICK)
    assert "On Pleural Effusion, edema." in made.out
    for done in (made, merged):
        assert done.status == 0, done.err
        assert "Left out, of readers with fewer than 5 findings or patients on a topic: 3." in done.out
        assert "Left out, with words in no list: 2." in done.out
