"""What another reading would change, against the whole analysis made again with it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pandas as pd
import pytest

from radcal.calibration import effects as module
from radcal.calibration import matched_pairs
from radcal.calibration.effects import effects
from radcal.calibration.matched_pairs import MATCHED
from radcal.calibration.tables import build_tables
from radcal.department import Department
from radcal.findings.to_review import OtherReading
from radcal.system.errors import Cancelled
from radcal.system.progress import SILENT
from radcal.words.bins import bin_phrases
from radcal.words.records import ABSENT, PRESENT, UNREAD

Figures = dict[tuple[str, str], tuple[float, float, float]]
DRAWN = 18
"""Findings read otherwise, and as many that were not there: each is matched anew."""


@pytest.fixture(scope="module")
def read(shown: Department) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs of the small department, and what the rules read in them."""
    workspace = shown._workspace
    pairs = workspace.pairs()
    ids = [*pairs["xray_id"], *pairs["ct_id"]]
    return pairs, workspace.findings(shown.runs.current().run_id, ids, MATCHED)


def drawn(findings: pd.DataFrame, n: int) -> list[OtherReading]:
    """Findings read as another phrase, or as none, and findings that were not there."""
    random, made = Random(4), []  # noqa: S311 - no secret
    phrases = [PRESENT, ABSENT, "likely", "possibly", UNREAD, ""]
    for row in findings.sample(n, random_state=4).to_dict("records"):
        place = row["report_id"], row["pathology"], row["section"], row["start"]
        made.append(OtherReading(*place, row["phrase"], random.choice([p for p in phrases if p != row["phrase"]])))
        other = random.choice(["edema", "pneumonia", "pneumothorax", "nodule"])
        place = row["report_id"], other, random.choice(["findings", "impression"]), random.randrange(400)
        made.append(OtherReading(*place, "", random.choice(phrases[:-1])))
    return made


def figures(department: Department, pairs: pd.DataFrame, findings: pd.DataFrame) -> Figures:
    """n, mean certainty and confirmed rate of each group, by way of the tables of an analysis."""
    phrases, settings = department.lexicon.phrases, department.settings
    from_run = type("Stored", (), {"findings": lambda *_: findings})
    observed, _ = matched_pairs.match_pairs(from_run(), 0, pairs, settings, phrases)  # type: ignore[arg-type]
    tables = build_tables(observed, phrases)
    n, y, means = tables.counts.sum(axis=2), tables.counts @ tables.positive, bin_phrases(phrases).mean
    return {
        group: (float(n[g].sum()), float(n[g] @ means / n[g].sum()), float(y[g].sum() / n[g].sum()))
        for g, group in enumerate(tables.groups)
    }


def otherwise(findings: pd.DataFrame, r: OtherReading) -> pd.DataFrame:
    rows = findings.to_dict("records")
    if r.was:
        rows = [
            row | {"phrase": r.now}
            if (row["report_id"], row["pathology"], row["start"], row["phrase"])
            == (r.report_id, r.pathology, r.start, r.was)
            else row
            for row in rows
        ]
    else:
        new: dict[str, Any] = {"verbatim": "", "sentence": "", "end": r.start, "cue_start": -1, "cue_end": -1}
        place = {"report_id": r.report_id, "pathology": r.pathology, "section": r.section, "start": r.start}
        rows.append({**place, "phrase": r.now, **new})  # type: ignore[dict-item]
    return pd.DataFrame([row for row in rows if row["phrase"]], columns=list(MATCHED))


def moved(before: Figures, after: Figures, least: int) -> float:
    nothing, most = (0.0, 0.0, 0.0), 0.0
    for group in before.keys() | after.keys():
        (n, *was), (m, *now) = before.get(group, nothing), after.get(group, nothing)
        if max(n, m) >= least:
            most = max(most, *(abs(a - b) for a, b in zip(was, now, strict=True)))
    return most


@pytest.fixture(scope="module")
def analysed_otherwise(shown: Department, read: tuple[pd.DataFrame, pd.DataFrame]) -> list[Figures]:
    """The figures of the small department as it was read, then those with each of the other readings."""
    pairs, findings = read
    changed = [otherwise(findings, reading) for reading in drawn(findings, DRAWN)]
    return [figures(shown, pairs, rows) for rows in (findings, *changed)]


@pytest.mark.parametrize("chunk", [7, 2000])
@pytest.mark.parametrize("least", [1, 12])
def test_an_effect_is_what_the_analysis_with_that_reading_would_show(
    shown: Department,
    read: tuple[pd.DataFrame, pd.DataFrame],
    analysed_otherwise: list[Figures],
    monkeypatch: Any,
    chunk: int,
    least: int,
) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    pairs, findings = read
    settings, readings = shown.settings.changed(min_group_n=least), drawn(findings, DRAWN)
    got = effects(readings, pairs, findings, settings, shown.lexicon.phrases)
    before, *after = analysed_otherwise
    expected = [moved(before, figures, least) for figures in after]
    assert got == pytest.approx(expected, abs=1e-12)
    assert len({round(e, 6) for e in expected}) > 8  # some of every kind
    assert 0 in expected


def test_the_effect_of_another_phrase_is_its_distance_over_the_group(
    shown: Department, read: tuple[pd.DataFrame, pd.DataFrame]
) -> None:
    """The formula: |difference of the means| / n on the X-ray side."""
    pairs, findings = read
    phrases = shown.lexicon.phrases
    observed, _ = matched_pairs.match_pairs(
        shown._workspace, shown.runs.current().run_id, pairs, shown.settings, phrases
    )
    n = observed.groupby(["author", "topic"])["phrase"].transform("size")
    row = observed[(n >= shown.settings.min_group_n) & observed["phrase"].eq(ABSENT)].iloc[0]
    of_topic = (findings["report_id"] == row["xray_id"]) & (findings["pathology"] == row["topic"])
    said = findings[of_topic & findings["sentence"].eq(row["xray_sentence"])].iloc[0]
    reading = OtherReading(
        said["report_id"], said["pathology"], said["section"], int(said["start"]), said["phrase"], PRESENT
    )
    [effect] = effects([reading], pairs, findings, shown.settings, phrases)
    assert effect == pytest.approx(1 / n[row.name])


def test_without_pairs_or_readings_there_is_no_effect(
    shown: Department, read: tuple[pd.DataFrame, pd.DataFrame]
) -> None:
    pairs, findings = read
    some: Sequence[OtherReading] = drawn(findings, 2)
    assert effects([], pairs, findings, shown.settings, shown.lexicon.phrases) == []
    assert effects(some, pairs[:0], findings[:0], shown.settings, shown.lexicon.phrases) == [0.0] * 4


def test_it_can_be_stopped(shown: Department, read: tuple[pd.DataFrame, pd.DataFrame], onlooker: Any) -> None:
    pairs, findings = read
    with pytest.raises(Cancelled):
        effects(drawn(findings, 2), pairs, findings, shown.settings, shown.lexicon.phrases, onlooker(looks=0))
    assert len(effects(drawn(findings, 2), pairs, findings, shown.settings, shown.lexicon.phrases, SILENT)) == 4
