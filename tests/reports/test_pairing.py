"""Pairing compared with a plain independent search, and an attrition that adds up."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.reports.attrition import ADDENDUM, LATEST, REPORTS, Ledger
from radcal.reports.pairing import PairingInParts, pair
from radcal.reports.records import Pairing
from radcal.reports.versions import JOINED, SUPERSEDED
from radcal.system.errors import DataError
from radcal.system.settings import Settings
from radcal.workspace.columns import ATTRITION_COLUMNS, PAIR_COLUMNS, REPORT_COLUMNS

START = pd.Timestamp("2024-03-31")
Entry = tuple[str, str, float, str]
"""Modality, patient, hours after the start, author."""


def reports(entries: list[Entry]) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "report_id": [f"{m}:{i:03d}" for i, (m, *_) in enumerate(entries)],
            "modality": [m for m, *_ in entries],
            "patient_id": [p for _, p, *_ in entries],
            "exam_time": pd.to_datetime([START + pd.Timedelta(hours=h) for _, _, h, _ in entries]).astype(
                "datetime64[ns]"
            ),
            "author": [a for *_, a in entries],
            "author_rule": ["only radiologist named" if a else "left out: not signed" for *_, a in entries],
            "row": range(len(entries)),
        }
    )
    return frame.assign(**{c: "" for c in REPORT_COLUMNS if c not in frame})[list(REPORT_COLUMNS)]


def x(hours: float, patient: str = "P", author: str = "Doe") -> Entry:
    return ("xray", patient, hours, author)


def c(hours: float, patient: str = "P") -> Entry:
    return ("ct", patient, hours, "")


def checked(entries: list[Entry], window: float = 12.0) -> Pairing:
    result = pair(reports(entries), Settings(window_hours=window))
    assert list(result.pairs.columns) == list(PAIR_COLUMNS)
    assert list(result.attrition.columns) == list(ATTRITION_COLUMNS)
    for modality in ("xray", "ct"):
        steps = result.attrition[result.attrition["modality"] == modality]
        kept, dropped = steps["kept"].tolist(), steps["dropped"].tolist()
        assert kept[0] == sum(m == modality for m, *_ in entries)
        assert all(a - d == b for a, b, d in zip(kept, kept[1:], dropped[1:], strict=False))
        assert kept[-1] == len(result.pairs)
    return result


def ids(result: Pairing) -> list[tuple[int, int]]:
    return [
        (int(a.split(":")[1]), int(b.split(":")[1]))
        for a, b in zip(result.pairs["xray_id"], result.pairs["ct_id"], strict=True)
    ]


def reasons(result: Pairing) -> dict[str, int]:
    table = result.attrition[result.attrition["dropped"] > 0]
    return dict(zip(table["modality"] + ": " + table["reason"], table["dropped"], strict=True))


def plain(entries: list[Entry], window: float) -> list[tuple[int, int]]:
    """All candidates by gap, then X-ray time and place; each taken if both are free."""
    candidates = sorted(
        (ch - xh, xh, i, ch, j)
        for i, (xm, xp, xh, author) in enumerate(entries)
        for j, (cm, cp, ch, _) in enumerate(entries)
        if xm == "xray" and cm == "ct" and xp == cp and author and 0 <= ch - xh <= window
    )
    pairs: list[tuple[int, int]] = []
    for _, _, i, _, j in candidates:
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return sorted(pairs, key=lambda p: (entries[p[0]][2], p[0]))


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["xray", "ct"]), st.sampled_from(["P", "Q", "R"]),
        st.integers(0, 60).map(lambda n: n / 2), st.sampled_from(["Doe", "Doe", "Roe", ""]),
    ), max_size=25,
)  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(ENTRIES, st.sampled_from([0.0, 2.0, 12.0, 100.0]))
def test_the_same_as_a_plain_search(entries: list[Entry], window: float) -> None:
    assert ids(checked(entries, window)) == plain(entries, window)


@settings(deadline=None, max_examples=30)
@given(ENTRIES, st.sampled_from([0.0, 2.0, 12.0]), st.sampled_from(["before", "either"]))
def test_a_study_may_have_its_reference_before_or_on_either_side(
    entries: list[Entry], window: float, direction: str
) -> None:
    text = _STUDY.replace("WAY", direction)
    result = pair(reports(entries), Settings(window_hours=window, study=text))
    candidates = sorted(
        (abs(ch - xh), xh, i, ch, j)
        for i, (xm, xp, xh, author) in enumerate(entries)
        for j, (cm, cp, ch, _) in enumerate(entries)
        if xm == "xray" and cm == "ct" and xp == cp and author and abs(ch - xh) <= window
        if direction == "either" or ch <= xh
    )
    taken: dict[int, int] = {}
    for _, _, i, _, j in candidates:
        if i not in taken and j not in taken.values():
            taken[i] = j
    assert dict(ids(result)) == taken
    reached = {side: {step[k] for step in candidates} for side, k in (("xray", 2), ("ct", 4))}
    for side, there in reached.items():
        kept = result.attrition[result.attrition["modality"] == side]["kept"].tolist()
        assert kept[-2:] == [len(there), len(taken)]


_STUDY = """
name = "Either"
index = { modalities = ["xray"] }
reference = { modalities = ["ct"] }
pairs = { hours = 12, direction = "WAY" }
[[pathologies]]
name = "mass"
"""


@settings(deadline=None, max_examples=10)
@given(ENTRIES, st.randoms(use_true_random=False))
def test_the_order_of_the_reports_plays_no_role(entries: list[Entry], random: object) -> None:
    frame = reports(entries)
    shuffled = frame.sample(frac=1, random_state=random.randrange(1000))  # type: ignore[attr-defined]
    first, second = pair(frame, Settings()), pair(shuffled, Settings())
    pd.testing.assert_frame_equal(first.pairs, second.pairs)
    pd.testing.assert_frame_equal(first.attrition, second.attrition)


def written(entries: list[Entry], seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The reports with what their rows say, drawn at random, and the versions of some of them."""
    rng = np.random.default_rng(seed)
    frame = reports(entries)

    def rows_of(some: pd.DataFrame) -> pd.DataFrame:
        n = len(some)
        later = pd.to_timedelta(rng.choice([-1, 1, 5, 30], n), unit="h")
        times = pd.Series(some["exam_time"].to_numpy() + later.to_numpy(), index=some.index, dtype="datetime64[ns]")
        return some.assign(
            dictator=rng.choice(["Doe, A", "Roe, B", ""], n),
            signer=pd.Series(rng.choice(["Doe, A", "Roe, B", ""], n), index=some.index, dtype="str"),
            status=rng.choice(["final", "preliminary", "addendum", ""], n),
            addendum=rng.integers(0, 2, n),
            report_time=times.where(rng.random(n) < 0.8),
            corrected=rng.random(n) < 0.2,
            source="c0ffee",
            names_ct=rng.integers(-1, 3, n),
            parts="",
        )

    xray = frame[frame["modality"] == "xray"]
    several = xray[rng.random(len(xray)) < 0.5]
    versions = pd.concat([rows_of(several) for _ in range(2)] or [rows_of(several)]).sort_values(
        "report_id", kind="stable", ignore_index=True
    )
    roles = rng.choice(["base", "superseded", "addendum", "repeated"], len(versions))
    text = rng.choice(["a", "b"], len(versions))
    return rows_of(frame), versions.assign(role=roles, text=text).astype({"text": "str", "role": "str"})


def reading_of(frame: pd.DataFrame) -> pd.DataFrame:
    ledger = Ledger()
    for modality in ("xray", "ct"):
        ledger.begin(modality, REPORTS, 100 + int((frame["modality"] == modality).sum()))
        ledger.drop(modality, LATEST, SUPERSEDED, 60)
        ledger.drop(modality, ADDENDUM, JOINED, 40)
    return ledger.frame()


@settings(deadline=None, max_examples=25)
@given(
    entries=ENTRIES,
    seed=st.integers(0, 2**32 - 1),
    cut=st.lists(st.sampled_from("PQR"), max_size=3, unique=True),
    left_out=st.booleans(),
    continued=st.booleans(),
)
def test_patients_paired_in_parts_give_what_they_give_at_once(
    entries: list[Entry], seed: int, cut: list[str], left_out: bool, continued: bool
) -> None:
    frame, versions = written(entries, seed)
    chosen = Settings(signed_after_ct="left out" if left_out else "counted")
    reading = reading_of(frame) if continued else None
    whole = pair(frame, chosen, versions=versions, reading=reading)
    parts = PairingInParts(chosen, reading)
    made = []
    for patients in [[], cut[:1], cut[1:], [p for p in "PQR" if p not in cut]]:
        own = frame[frame["patient_id"].isin(patients)]
        made.append(parts.pair(own, versions[versions["report_id"].isin(own["report_id"])]))
    pairs = pd.concat([part.pairs for part in made], ignore_index=True).sort_values(["xray_time", "xray_id"])
    assert pairs.to_dict("records") == whole.pairs.to_dict("records")
    assert {i: s for part in made for i, s in part.standings.items()} == dict(whole.standings)
    pd.testing.assert_frame_equal(parts.attrition(), whole.attrition)
    assert parts.attribution() == whole.attribution


@pytest.mark.parametrize("entries", [[x(0), x(0), c(1)], [x(0), c(1), c(1)], [x(0), x(0), x(0), c(1), c(1)]])
def test_of_reports_of_one_time_the_first_by_id_is_taken(entries: list[Entry]) -> None:
    backwards = pair(reports(entries).iloc[::-1], Settings())
    assert ids(backwards) == plain(entries, 12.0)


def test_the_nearest_ct_within_the_window() -> None:
    result = checked([x(0), c(11), c(3)])
    assert ids(result) == [(0, 2)]
    assert result.pairs["gap_hours"].tolist() == [3.0]
    assert reasons(result) == {"ct: the X-ray belongs to a CT nearer in time": 1}


def test_each_step_is_shown_where_nothing_drops_out() -> None:
    table = checked([x(0), c(1)]).attrition
    assert table["kept"].tolist() == [1] * 11
    assert list(zip(table["modality"], table["step"], strict=True)) == [
        ("xray", "reports of this modality"),
        ("xray", "has a radiologist to attribute it to"),
        ("xray", "the patient has a chest CT"),
        ("xray", "the CT is not before the X-ray"),
        ("xray", "has a CT within 12 h"),
        ("xray", "its CT is free"),
        ("ct", "reports of this modality"),
        ("ct", "the patient has a chest X-ray"),
        ("ct", "the X-ray is not after the CT"),
        ("ct", "has an X-ray within 12 h before"),
        ("ct", "its X-ray is free"),
    ]


def test_both_ends_of_the_window_belong_to_it() -> None:
    assert ids(checked([x(0), c(12)])) == [(0, 1)]
    assert ids(checked([x(0), c(0)])) == [(0, 1)]
    assert ids(checked([x(0), c(12.01)])) == []
    assert ids(checked([x(0.01), c(0)])) == []


def test_two_x_rays_compete_and_the_other_gets_the_next_ct() -> None:
    assert ids(checked([x(0), x(2), c(3), c(8)])) == [(0, 3), (1, 2)]
    result = checked([x(0), x(2), c(3)])
    assert ids(result) == [(1, 2)]
    assert reasons(result) == {"xray: the CT belongs to an X-ray nearer in time": 1}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([x(0), c(0, "Q")],
         {"xray: no chest CT of this patient": 1, "ct: no attributed chest X-ray of this patient": 1}),
        ([x(5), c(0)],
         {"xray: the patient's CTs were before the X-ray": 1, "ct: the patient's X-rays were after the CT": 1}),
        ([x(0), c(20)], {"xray: the next CT was later than 12 h after the X-ray": 1,
                         "ct: the last X-ray was more than 12 h before the CT": 1}),
        ([x(0, author=""),
        c(1)], {"xray: left out: not signed": 1, "ct: no attributed chest X-ray of this patient": 1}),
    ],
)  # fmt: skip
def test_why_a_report_has_no_partner(entries: list[Entry], expected: dict[str, int]) -> None:
    assert reasons(checked(entries)) == expected


def test_authors_follow_the_rule_where_the_radiologists_are_known() -> None:
    frame = reports([x(0), c(1)]).assign(
        dictator=pd.Series(["Doe", ""], dtype="str"), signer=pd.Series(["Roe", "Poe"], dtype="str")
    )
    rules = ("signer", "dictator", "leave out")
    found = [pair(frame, Settings(trainee_rule=rule)).pairs["author"].tolist() for rule in rules]
    assert found == [["Roe"], ["Doe"], []]


def test_the_table_of_reading_is_continued() -> None:
    ledger = Ledger()
    ledger.begin("both", "rows read", 5)
    ledger.drop("both", "row is whole", "broken", 2)
    for modality, n in (("xray", 1), ("ct", 2)):
        ledger.begin(modality, "reports", n)
    table = pair(reports([x(0), c(1), c(2)]), Settings(), reading=ledger.frame()).attrition
    assert table["step"].tolist()[:2] == ["rows read", "row is whole"]
    assert table[table["modality"] == "ct"]["kept"].tolist()[-1] == 1
    assert table[table["modality"] == "xray"]["kept"].tolist()[-1] == 1


def test_frames_that_are_no_reports_are_refused() -> None:
    frame = reports([x(0), c(1)])
    with pytest.raises(DataError, match="no column 'text'"):
        pair(frame.drop(columns="text"), Settings())
    with pytest.raises(DataError, match="report_id twice"):
        pair(pd.concat([frame, frame]), Settings())


def test_a_preliminary_ct_that_nobody_signed_is_no_reference() -> None:
    frame = reports([x(0), c(1), c(2), x(0, "Q"), c(3, "Q"), x(0, "R"), c(4, "R")])
    frame.loc[[1, 4, 6], "status"] = ["preliminary", "preliminary", "final"]
    frame.loc[[1, 4], "author_rule"] = "left out: preliminary, not signed"
    frame.loc[4, ["author", "author_rule"]] = ["Roe", "the last to sign"]
    made = pair(frame, Settings())
    assert list(zip(made.pairs["xray_id"], made.pairs["ct_id"], strict=True)) == [
        ("xray:000", "ct:002"), ("xray:003", "ct:004"), ("xray:005", "ct:006"),
    ]  # fmt: skip
    lost = made.attrition[(made.attrition["modality"] == "ct") & (made.attrition["dropped"] > 0)]
    assert lost[["step", "dropped", "reason"]].to_numpy().tolist() == [
        ["is signed", 1, "left out: preliminary, not signed"]
    ]
