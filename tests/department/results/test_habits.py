"""Shares of reports from report files to results, to a personal file, and under a workspace open to read only."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from radcal.calibration.closed import Outcome
from radcal.calibration.habits import CLOSED, HABITS, others_as_plain
from radcal.findings.marking import Marking
from radcal.opening import open_department, open_workspace
from radcal.reports.importing import as_files
from radcal.reports.records import Modality
from radcal.system.errors import DataError, NothingSaid
from radcal.system.selection import Days
from radcal.system.settings import Settings

PASSPHRASE = "plum tree in blossom"
N = 40
PEOPLE = [
    f"Reader, {name}" for name in ("Ann", "Bea", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")
]
ADVICE = "Recommend follow-up CT in 3 months."


def rows() -> Iterator[dict[str, str]]:
    """The k-th radiologist recommends CT in 3k of 40 X-ray reports, and hedges, always with "likely", in all but 2k."""
    for k, author in enumerate(PEOPLE):
        for i in range(N):
            said = "Likely edema." if i >= 2 * k else "Edema."
            text = f"IMPRESSION: {said} Case {k} {i}. {ADVICE if i < 3 * k else ''}"
            at = datetime(2026, 1, 1, 8) + timedelta(days=2 * i, minutes=k)
            patient = f"P{k}-{i}"
            shared = {"patient_id": patient, "author": author, "status": "final"}
            yield shared | {"accession": f"X{k}-{i}", "modality": "XR", "exam": "chest", "time": str(at), "text": text}
            ct = f"IMPRESSION: {'Edema' if i % 2 else 'No edema'}. Clinical correlation is recommended. {k} {i}"
            yield shared | {
                "accession": f"C{k}-{i}", "modality": "CT", "exam": "CT chest", "time": str(at + timedelta(hours=2)),
                "text": ct,
            }  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("habits")
    table = folder / "reports.csv"
    pd.DataFrame(rows()).to_csv(table, index=False)
    path = folder / "w.radcal"
    settings = Settings(bootstrap=20, min_group_n=30, min_phrase_n=5)
    with open_department(path, PASSPHRASE, create=True, settings=settings) as department:
        department.importing.import_reports(as_files(reports=[table]))
        department.importing.pair()
        department.runs.extract()
        department.analyse()
    return path


def test_every_radiologist_has_the_share_that_was_written(made: Path) -> None:
    with open_department(made, PASSPHRASE) as department:
        found = {h: department.habits.compare(h, Modality.XRAY) for h in HABITS if h != CLOSED}
        waiting = department.habits.compare(CLOSED, Modality.XRAY)
        correlated = department.habits.compare("correlation", Modality.CT)
        log = department._workspace.audit()["what"].tolist()
    y = {h: {m.name: (m.n, m.positives) for m in f.compared.members} for h, f in found.items()}
    for k, author in enumerate(PEOPLE):
        assert y["follow-up"][author] == (N, 3 * k)
        assert y["hedge"][author] == y["standard"][author] == (N, N - 2 * k)
        assert y["correlation"][author] == (N, 0)
    total = found["follow-up"].together
    assert (total.n, total.y) == (N * len(PEOPLE), sum(3 * k for k in range(len(PEOPLE))))
    assert found["follow-up"].searched.reports == found["follow-up"].searched.read == N * len(PEOPLE)
    assert (found["standard"].scale, found["standard"].chosen) == ("Brigham", False)
    quarters = found["follow-up"].quarters
    assert [quarters[a] for a in PEOPLE] == sorted(quarters.values())
    assert (quarters[PEOPLE[0]], quarters[PEOPLE[-1]]) == (1, 4)
    assert {m.positives for m in correlated.compared.members} == {N}
    assert log.count("reports searched for recommendations") == 1
    assert waiting.outcomes[Outcome.WAITING] == total.y, "the data end before three months are over"
    assert (waiting.together.n, waiting.compared.members, waiting.call_backs) == (0, (), ())


def test_over_time_and_within_days(made: Path) -> None:
    with open_department(made, PASSPHRASE) as department:
        author = PEOPLE[4]
        trend = department.habits.over_time("follow-up", Modality.XRAY, author, "month")
        everybody = department.habits.over_time("follow-up", Modality.XRAY)
        january = department.habits.compare("follow-up", Modality.XRAY, Days(date(2026, 1, 1), date(2026, 1, 31)))
        with pytest.raises(NothingSaid, match="Choose other days"):
            department.habits.compare("follow-up", Modality.XRAY, Days(date(2020, 1, 1), date(2020, 1, 2)))
    # 12 of the first 12 reports, which are of days 0, 2, ..., 22
    assert [(p.n, p.value) for p in trend.periods] == [(16, None), (14, None), (10, None)]
    assert [p.n for p in everybody.periods] == [N * len(PEOPLE)]
    assert {m.n for m in january.compared.members} == {16}


def test_a_personal_file_has_the_own_shares_and_coarse_ones_of_the_others(made: Path, tmp_path: Path) -> None:
    me = PEOPLE[5]
    with open_department(made, PASSPHRASE) as department:
        path = department.personal_files.write(me, tmp_path / "own.radcal", "own words of mine")
        known = department.habits.known()
        told = others_as_plain(known, me, 30, 0.95)
        beside = department.habits.own(me)
    with open_workspace(path, "own words of mine") as personal:
        own = personal.habits.own(me)
        frame = personal.habits.known().frame
        over = personal.habits.over_time("follow-up", Modality.XRAY, me)
    assert set(frame["author"]) == {me}
    assert own == beside
    (mine,) = (r for r in own.rows if (r.habit, r.modality) == ("follow-up", Modality.XRAY))
    assert (mine.own.n, mine.own.y) == (N, 15)
    assert mine.quarter == told["xray follow-up"]["quarter"] == 2
    assert mine.others is not None
    assert mine.others.value == pytest.approx(0.41, abs=0.05)
    assert [p.n for p in over.periods] == [N]


def test_a_workspace_open_to_read_only_shows_what_is_counted_and_says_what_to_do_otherwise(
    made: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(made, tmp_path / "w.radcal"))
    with open_department(path, PASSPHRASE) as department:
        department._workspace._db.execute("DELETE FROM text_marks")
    with (
        open_department(path, PASSPHRASE, read_only=True) as department,
        pytest.raises(DataError, match=r"open to read only\. Close it where it is open for writing"),
    ):
        department.habits.known()
    with open_department(path, PASSPHRASE) as department:
        department.habits.known()
    with open_department(path, PASSPHRASE, read_only=True) as department:
        assert department.habits.compare("follow-up", Modality.XRAY).together.y == 198


def test_words_of_a_chosen_scale_are_counted_anew_and_texts_are_not_read_again(made: Path, tmp_path: Path, monkeypatch):
    with open_department(Path(shutil.copy(made, tmp_path / "w.radcal")), PASSPHRASE) as department:
        before = department.habits.compare("standard", Modality.XRAY)
        monkeypatch.setattr(Marking, "_mark_texts", lambda self, marker, progress: None)
        department.words.choose_vocabulary("ipcc")
        after = department.habits.compare("standard", Modality.XRAY)
    assert (before.scale, after.chosen) == ("Brigham", True)
    assert before.together.y > 0
    assert after.scale == "IPCC"


# --- recommended imaging and what followed

CLOCKS = (
    # what the X-ray report says; days until the patient's next chest CT, None for none; what is to be said of it
    ("Recommend follow-up CT in 3 months.", 80, Outcome.IN_TIME),
    ("Recommend follow-up CT in 3 months.", 150, Outcome.LATE),
    ("Recommend follow-up CT in 3 months.", 20, Outcome.OPEN),
    ("Further evaluation with CT is advised.", 30, Outcome.IN_TIME),
    ("Further evaluation with CT is advised.", None, Outcome.OPEN),
    ("Recommend follow-up CT in 12 months.", None, Outcome.WAITING),
    ("MRI of the chest is recommended.", 10, Outcome.ELSEWHERE),
    ("Abdominal CT is recommended.", 10, Outcome.ELSEWHERE),
    ("Nothing else.", 10, None),
)
AT = datetime(2026, 1, 5, 8)


def followed_rows(n: int) -> Iterator[dict[str, str]]:
    """X-ray reports of all clocks by three radiologists, n of each, the k-th of each patient's; CTs up to September."""

    def report(number: str, kind: str, patient: str, author: str, at: datetime, text: str) -> dict[str, str]:
        exam = {"XR": "chest", "CT": "CT chest"}[kind]
        return {
            "accession": number, "modality": kind, "exam": exam, "patient_id": patient, "author": author,
            "status": "final", "time": str(at), "text": f"IMPRESSION: {text} {number}",
        }  # fmt: skip

    for k, author in enumerate(PEOPLE[:3]):
        for c, (said, days, _) in enumerate(CLOCKS):
            for i in range(n):
                own = f"{k}-{c}-{i}"
                at = AT + timedelta(days=i)
                yield report(f"X{own}", "XR", f"P{own}", author, at, f"Nodule. {said}")
                if days is not None:
                    yield report(f"C{own}", "CT", f"P{own}", PEOPLE[5], at + timedelta(days=days, hours=3), "Nodule.")
    for kind, number in (("XR", "last X"), ("CT", "last C")):
        yield report(number, kind, "P", PEOPLE[5], datetime(2026, 9, 1), "Normal.")


@pytest.fixture(scope="module")
def clocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clocks")
    table = folder / "reports.csv"
    pd.DataFrame(followed_rows(4)).to_csv(table, index=False)
    settings = Settings(bootstrap=20, min_group_n=10)
    with open_department(folder / "w.radcal", PASSPHRASE, create=True, settings=settings) as department:
        department.importing.import_reports(as_files(reports=[table]))
        department.importing.pair()
    return folder / "w.radcal"


def test_what_followed_on_recommendations_is_what_was_planted(clocks: Path) -> None:
    with open_department(clocks, PASSPHRASE) as department:
        found = department.habits.compare(CLOSED, Modality.XRAY)
        own = department.habits.own(PEOPLE[0])
        trend = department.habits.over_time(CLOSED, Modality.XRAY, unit="month")
        with pytest.raises(NothingSaid, match="recommended imaging in these days"):
            department.habits.compare(CLOSED, Modality.XRAY, Days(date(2026, 2, 1), date(2026, 2, 2)))
        with pytest.raises(NothingSaid, match="recommended imaging"):
            department.habits.compare(CLOSED, Modality.CT)
    planted = [outcome for _, _, outcome in CLOCKS for _ in range(12)]
    assert dict(found.outcomes) == {outcome: planted.count(outcome) for outcome in Outcome}
    assert (found.together.n, found.together.y, found.together.value) == (60, 24, pytest.approx(0.4))
    assert {m.name: (m.n, m.positives, m.value) for m in found.compared.members} == {
        a: (20, 8, pytest.approx(0.4)) for a in PEOPLE[:3]
    }
    assert [(p.n, p.value) for p in trend.periods] == [(60, pytest.approx(0.4))]
    (mine,) = (r for r in own.rows if r.habit == CLOSED)
    assert (mine.own.n, mine.own.y, mine.others) == (20, 8, None)


def test_open_and_late_ones_are_listed_for_whoever_calls_patients_back(clocks: Path) -> None:
    with open_department(clocks, PASSPHRASE) as department:
        listed = department.habits.compare(CLOSED, Modality.XRAY).call_backs
    assert [r.outcome for r in listed] == [Outcome.OPEN] * 24 + [Outcome.LATE] * 12
    of = {r.accession: r for r in listed}
    early, never, late = of["X0-2-1"], of["X0-4-1"], of["X0-1-1"]
    at = AT + timedelta(days=1)
    assert (early.time, early.first, early.last, early.wanted) == (at, 90, 90, "ct")
    assert early.until.date() == (at + timedelta(days=120)).date()
    assert (early.seen, early.seen_time) == ("ct:C0-2-1", at + timedelta(days=20, hours=3))
    assert early.sentence == "Recommend follow-up CT in 3 months."
    assert (never.last, never.seen, never.seen_time) == (-1, "", None)
    assert never.until.date() == (at + timedelta(days=90)).date()
    assert (late.seen, late.seen_time) == ("ct:C0-1-1", at + timedelta(days=150, hours=3))
    overdue = [r.until for r in listed if r.outcome == Outcome.OPEN]
    assert overdue == sorted(overdue), "longest past their time first"
