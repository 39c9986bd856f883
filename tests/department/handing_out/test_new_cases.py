"""What CT showed since last time: only new cases after a second import, great calls, answers that come back once."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest

from radcal.calibration.own_contests import SEALED_CONTESTS, OwnContests
from radcal.department import Department
from radcal.feedback.given import given
from radcal.feedback.new_cases import MOST, MOST_MISSED, chosen
from radcal.feedback.records import CaseKind, Example, NewCase
from radcal.opening import open_workspace
from radcal.reports.importing import ReportFile
from radcal.system.errors import InputError
from radcal.system.sealed import seal, unseal
from radcal.system.selection import Days
from radcal.workspace.context import CONTEST_KEY
from radcal.workspace.store import Workspace

OWN = "own words of hers"
TODAY = datetime.now().astimezone().date()
READER = "Avery Quill"
OTHERS = ("Blake Marsh", "Casey Thorn", "Devon Reed", "Ellis Brook", "Frankie Vale", "Gray Hollow")
COLUMNS = ("Accession", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text", "Signing Radiologist")
FIRST = (
    ("There is a pneumothorax on the right.", "Small pneumothorax on the right."),
    ("There is no pleural effusion.", "Layering pleural effusion on both sides."),
    ("There is no pneumothorax.", "No pneumothorax."),
    ("There is a pleural effusion.", "Pleural effusion on the left."),
    ("Likely pleural effusion.", "No pleural effusion."),
)
SECOND = (
    ("Likely pneumothorax.", "Small pneumothorax at the apex."),
    ("There is no pleural effusion.", "No pleural effusion."),
    ("Pleural effusion is unlikely.", "Large pleural effusion."),
)
"""X-ray and CT reports of the reader; the others see no pneumothorax, and neither does their CT."""


def bring(
    department: Department,
    path: Path,
    cases: Sequence[tuple[str, str]],
    month: int,
    theirs: tuple[str, str] = ("There is no pneumothorax.", "No pneumothorax."),
) -> None:
    """Import films of a month with their CT, of the reader and of others, and analyse them."""
    said = [(READER, case) for case in cases]
    said += [(other, theirs) for other in OTHERS for _ in range(2)]
    rows = [COLUMNS]
    for k, (author, texts) in enumerate(said):
        for kind, exam, hour, text in zip(("CR", "CT"), ("XR CHEST", "CT CHEST"), (8, 14), texts, strict=True):
            at = f"2026-{month:02}-{1 + k:02} {hour:02}:00"
            rows.append((f"{kind}{month}{k:03}", f"P{month}{k:03}", exam, kind, at, text, author))
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    department.importing.import_reports([ReportFile(path)])
    department.importing.pair()
    department.runs.extract()
    department.analyse()


@pytest.fixture
def seen(opened: Callable[[str], Department], tmp_path: Path) -> Department:
    """A department after its first import."""
    department = opened("w")
    bring(department, tmp_path / "first.csv", FIRST, 1)
    return department


def films(department: Department, *days: Days) -> list[str]:
    return sorted(case.xray_id for case in department.new_cases.of(READER, *days).cases)


# --- which


def case(k: int, kind: CaseKind, chance: float, topic: str = "", phrase: str = "") -> NewCase:
    example = Example(topic or f"topic {k}", phrase or f"word {k}", "x", -1, -1, "y", 1.0, date(2026, 1, 1 + k))
    return NewCase(f"xray:{k}", example, kind, chance)


def test_what_surprises_is_chosen_great_calls_first_and_failures_never_alone() -> None:
    missed = [case(k, "missed", 0.02) for k in range(8)]
    right = [case(8 + k, "right", 0.97) for k in range(3)]
    great = case(12, "great call", 0.4)
    picked = chosen([*missed, *right, great])
    assert picked[0] == great
    assert len(picked) == MOST
    assert sum(c.kind == "missed" for c in picked) == MOST_MISSED
    assert chosen(missed) == ()
    assert [c.kind for c in chosen([*missed, right[0]])].count("missed") == 1
    assert chosen(right) == ()  # nothing of it is worth a look
    assert chosen([]) == ()
    not_there = replace(great, chance=0.1, example=replace(great.example, outcome=0.0))
    assert chosen([not_there, great])[0] == great  # what CT shows comes first
    assert chosen([not_there])[0] == not_there


def test_other_words_and_pathologies_come_before_the_same_again_in_whatever_order_cases_come() -> None:
    same = [case(k, "between", 0.4, "edema", "may represent") for k in range(4)]
    others = [case(4, "between", 0.45, "edema", "unlikely"), case(5, "right", 0.45, "pneumonia", "likely")]
    orders = {chosen(order) for order in itertools.permutations([*same, *others])}
    assert len(orders) == 1
    (picked,) = orders
    assert {(c.example.topic, c.example.phrase) for c in picked[:3]} == {
        ("edema", "may represent"), ("edema", "unlikely"), ("pneumonia", "likely")
    }  # fmt: skip
    assert picked[0].xray_id == "xray:3"  # of equal ones the latest


# --- two imports


def test_after_a_second_import_only_new_cases_come_and_pages_made_again_are_the_same(
    seen: Department, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    first = seen.new_cases.of(READER)
    assert first.since is None
    assert first.n == len(FIRST)
    kinds = {c.example.xray_sentence: c.kind for c in first.cases}
    assert kinds["There is a pneumothorax on the right."] == "great call"
    assert kinds["There is no pleural effusion."] == "missed"
    assert [*kinds.values()].count("missed") < len(kinds) / 1.5
    pdf = seen.pages.pdf(READER)
    text = printed(pdf)
    assert f"Worth a look: {len(first.cases)} cases" in text
    assert "great call, " in text
    seen.pages.write(READER, tmp_path / "a.pdf")
    assert seen.new_cases.of(READER) == first  # until there is something newer
    assert seen.pages.pdf(READER) == pdf
    bring(seen, tmp_path / "second.csv", SECOND, 2)
    second = seen.new_cases.of(READER)
    assert second.since == TODAY
    assert second.n == len(SECOND)
    assert {c.xray_id for c in second.cases} <= {f"xray:CR2{k:03}" for k in range(len(SECOND))}
    assert {c.kind for c in second.cases} >= {"great call", "missed"}
    assert f"New since {TODAY.day}" in printed(seen.pages.pdf(READER))
    other = seen.new_cases.of(OTHERS[0])
    assert (other.since, other.n) == (None, 4)  # who got nothing yet


def test_neither_a_plain_denial_nor_what_ct_is_silent_on_is_a_great_call(
    opened: Callable[[str], Department], tmp_path: Path
) -> None:
    department = opened("denials")
    denied, hedged = "There is no pulmonary opacity.", "A pulmonary opacity is unlikely."
    clear, silent = "No pulmonary opacity.", "No pneumothorax."
    own = [(said, found) for said in (denied, hedged) for found in (clear, silent)]
    bring(department, tmp_path / "a.csv", own, 1, ("There is a pulmonary opacity.", "Opacity in the left lung."))
    new = department.new_cases.of(READER)
    assert new.n == len(own)
    great = [c.example for c in new.cases if c.kind == "great call"]
    assert [(e.xray_sentence, e.ct_sentence) for e in great] == [(hedged, clear)]


def test_pages_of_some_days_show_and_settle_the_cases_of_these_days_alone(seen: Department, tmp_path: Path) -> None:
    january = Days(date(2026, 1, 1), date(2026, 1, 31))
    bring(seen, tmp_path / "second.csv", SECOND, 2)
    assert len(films(seen, january)) < len(films(seen)) == MOST
    seen.pages.write(READER, tmp_path / "a.pdf", days=january)
    assert {film[:8] for film in films(seen)} == {"xray:CR2"}
    assert {film[:8] for film in films(seen, january)} == {"xray:CR1"}


def test_a_personal_file_has_the_cases_and_says_they_were_handed_out(seen: Department, tmp_path: Path) -> None:
    expected = seen.new_cases.of(READER)
    packet = seen.personal_files.write(READER, tmp_path / "p.radcal", OWN)
    with open_workspace(packet, OWN) as personal:
        assert personal.new_cases.of(READER) == expected
        assert personal.pages.input(READER).new == expected
    bring(seen, tmp_path / "second.csv", SECOND, 2)
    assert {film[:8] for film in films(seen)} == {"xray:CR2"}
    with closing(Workspace.open(packet, OWN, read_only=True)) as file:
        said = json.dumps([r.payload for r in file.results("new cases").values()])
    assert not [other for other in OTHERS if other in said]


def test_contested_cases_are_not_shown(seen: Department) -> None:
    before = seen.new_cases.of(READER).cases
    missed = next(c for c in before if c.kind == "missed")
    seen.contests.add(missed.xray_id, missed.example.topic, READER, missed.example.phrase, "Misread.")
    assert missed.xray_id not in films(seen)


# --- answers


def answered(packet: Path, cases: Sequence[NewCase]) -> Path:
    """The file that comes back: the first case agreed with, the second contested, the third not comparable."""
    with open_workspace(packet, OWN) as personal:
        contests = personal.contests
        assert isinstance(contests, OwnContests)
        a, b, c = cases[:3]
        contests.add(a.xray_id, a.example.topic, READER, a.example.phrase, "Subtle.", agreed=True)
        contests.add(b.xray_id, b.example.topic, READER, b.example.phrase, "Misread.")
        contests.add(c.xray_id, c.example.topic, READER, c.example.phrase, "Not comparable: drained before.")
        assert [x.note for x in contests.agreed()] == ["Subtle."]
        return contests.hand_over(packet.with_name("back.radcal-contests"))


def test_answers_come_back_once_and_only_contests_leave_the_statistics(seen: Department, tmp_path: Path) -> None:
    cases = seen.new_cases.of(READER).cases
    packet = seen.personal_files.write(READER, tmp_path / "p.radcal", OWN)
    file = answered(packet, cases)
    taken = seen.personal_files.take_back(file)
    assert (taken.new, taken.agreed, taken.refused) == (2, 1, ())
    assert not seen.personal_files.take_back(file).changed
    (agreed,) = seen.contests.agreed()
    assert (agreed.xray_id, agreed.note, agreed.by) == (cases[0].xray_id, "Subtle.", READER)
    assert {c.xray_id for c in seen.contests.all()} == {c.xray_id for c in cases[1:3]}
    told = given(seen, seen.pseudonyms())[READER]
    assert (told.contests, told.agreed) == (2, 1)
    seen.save_settings(seen.settings.changed(contested="left out"))
    seen.analyse()
    assert {x for x, _ in seen.contests.left_out()} == {c.xray_id for c in cases[1:3]}
    with open_workspace(packet, OWN) as personal:  # who thinks better of it
        personal.contests.add(agreed.xray_id, agreed.topic, READER, agreed.phrase, "It is not.")
        back = personal.contests
        assert isinstance(back, OwnContests)
        assert back.agreed() == ()
        back.hand_over(file)
    assert seen.personal_files.take_back(file).new == 1
    assert seen.contests.agreed() == ()


def test_files_of_the_first_version_are_read_and_those_tampered_with_are_not(seen: Department, tmp_path: Path) -> None:
    cases = seen.new_cases.of(READER).cases
    packet = seen.personal_files.write(READER, tmp_path / "p.radcal", OWN)
    file = answered(packet, cases)
    with closing(Workspace.open(packet, OWN, read_only=True)) as file_of_hers:
        key = bytes.fromhex(file_of_hers.get_meta(CONTEST_KEY) or "")
    whole = json.loads(unseal(file, SEALED_CONTESTS, key))

    def back(**changes: object) -> Path:
        seal(file, SEALED_CONTESTS, key, json.dumps(whole | changes).encode())
        return file

    wrong = [
        {"contests": [whole["contests"][0] | {"agreed": "yes"}]},
        {"goal": {"topic": "edema"}},
        {"goal": {"topic": "edema", "source": "likely", "target": "unlikely", "plan": 3, "at": "2026-01-01"}},
    ]
    for changes in wrong:
        with pytest.raises(InputError, match="does not hold"):
            seen.personal_files.take_back(back(**changes))
    raw = back().read_bytes()
    file.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    with pytest.raises(InputError):
        seen.personal_files.take_back(file)
    assert (seen.contests.all(), seen.contests.agreed()) == ((), ())
    old = [{k: v for k, v in said.items() if k != "agreed"} for said in whole["contests"][1:]]
    seal(
        file, SEALED_CONTESTS, key, json.dumps({"version": 1, "hand_out": whole["hand_out"], "contests": old}).encode()
    )
    taken = seen.personal_files.take_back(file)
    assert (taken.new, taken.agreed) == (2, 0)
