"""The estimator that ships is what its files make of it."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from radcal.lab.hedges.estimator import as_plain, load, shipped
from tools.hedges import train


@pytest.fixture(scope="module")
def made():
    return train.make()


def test_the_shipped_file_is_made_of_the_sentences_beside_it(made):
    kept, new = shipped(), made
    assert kept.known == new.known
    assert kept.words == new.words
    assert kept.weights == pytest.approx(new.weights, abs=1e-4)
    assert kept.band == pytest.approx(new.band, abs=1e-3)
    texts = kept.known[::20]
    assert kept.read(texts)[0] == pytest.approx(new.read(texts)[0], abs=1e-3)


def test_what_is_written_can_be_read(made, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["train", "--out", str(tmp_path / "m.json")])
    monkeypatch.setattr(train, "make", lambda: made)
    train.main()
    assert load(tmp_path / "m.json").words == made.words
    assert as_plain(made)["sentences"] == list(made.known)


def test_the_sentences_are_well_made():
    with (train.FOLDER / "sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 2000
    assert len({row["sentence"] for row in rows}) == len(rows)
    for row in rows:
        assert row["kind"] in {"plain", "hedged", "abstention"}
        assert 0 <= float(row["score"]) <= 1


def test_own_sentences_are_read_as_they_are_scored(made):
    off = made.read(list(made.known))[0] - made.readings.scores
    assert np.sqrt(np.mean(off**2)) < 0.06
