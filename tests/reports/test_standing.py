"""How a report stood before the CT, version by version."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.reports.before_ct import NEVER, Outcome, Row, standing, text_of_standing
from radcal.reports.later_texts import packed, text_parts
from radcal.reports.records import Use

HOUR = 3600 * 10**9
DAY0 = 19_783 * 24 * HOUR
CT = DAY0 + 10 * HOUR


def row(text: str, status: str = "final", at: float | None = None, **more: Any) -> Row:
    """A row of a report written ``at`` an hour of the day."""
    given: dict[str, Any] = {
        "corrected": False, "addendum": 0, "names_ct": 0, "parts": packed(text_parts(text)), "dictator": "",
        "signer": "Roe",
    }  # fmt: skip
    return Row(status=status, reported=NEVER if at is None else DAY0 + int(at * HOUR), text=text, **(given | more))


def counted(*rows: Row, moment: int | None = CT) -> str:
    outcome = standing(rows, moment)
    return text_of_standing(outcome.standing, [str(r.text) for r in rows])


def apart(outcome: Outcome) -> set[int]:
    return {p.position for p in outcome.standing.pieces if p.use is Use.AFTER_CT}


DRAFT, FINAL, LATE = row("Draft.", "preliminary", 8), row("Final.", "final", 9), row("Final.", "final", 14)
CORRECTED = row("Corrected.", "final", 15, corrected=True)
ADDED, ADDED_LATE = row("Added.", "addendum", 9.5), row("Added late.", "addendum", 16)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((DRAFT, FINAL), "Final."),
        ((DRAFT, LATE), "Draft."),
        ((FINAL, CORRECTED), "Final."),
        ((DRAFT, LATE, CORRECTED), "Draft."),
        ((FINAL, ADDED), "Final.\n\nADDENDUM:\nAdded."),
        ((FINAL, ADDED_LATE), "Final."),
        ((FINAL, ADDED, ADDED_LATE), "Final.\n\nADDENDUM:\nAdded."),
        ((LATE,), "Final."),
        ((LATE, ADDED_LATE), "Final."),
        ((CORRECTED,), ""),
        ((ADDED_LATE,), ""),
        ((row("Final.", "final", 9, corrected=True),), "Final."),
        ((row("Final."), row("Added.", "addendum", names_ct=1)), "Final."),
        ((row("Final."), row("Added.", "addendum")), "Final.\n\nADDENDUM:\nAdded."),
        ((row("Final."), row("Corrected.", corrected=True, names_ct=1)), "Final."),
        ((row("Only.", names_ct=1),), "Only."),
        ((row("Draft.", "preliminary"), row("Final.", names_ct=1)), "Draft."),
        ((row("Draft.", "preliminary", names_ct=1), row("Final.")), "Final."),
        ((row("Only.", names_ct=2),), ""),
        ((row("Only.", at=14, names_ct=2),), ""),
        ((row("Only.", at=9, names_ct=2),), ""),
        ((row("Draft.", "preliminary", 8), row("Final.", "final", 9, names_ct=2)), "Draft."),
        ((row("Draft.", "preliminary", names_ct=2), row("Final.")), ""),
        ((row("Draft.", "preliminary", names_ct=2), row("Final.", at=9)), "Final."),
        ((FINAL, row("Added.", "addendum", 9.5, names_ct=2)), "Final."),
        ((row("Final.", ""), row("ADDENDUM: Seen.\n\nFINDINGS: Nodule.", "addendum")), "Final.\n\nADDENDUM: Seen."),
    ],
)
def test_the_report_as_it_stood_in_any_order_of_its_rows(rows: tuple[Row, ...], expected: str) -> None:
    for order in permutations(rows):
        assert counted(*order) == expected


def test_without_a_ct_the_latest_counts() -> None:
    assert counted(DRAFT, LATE, ADDED_LATE, moment=None) == "Final.\n\nADDENDUM:\nAdded late."
    assert standing((DRAFT, LATE), None).standing.whole


def test_addenda_within_a_text_are_told_by_their_own_date_or_that_of_the_row() -> None:
    text = "Clear.\n\nADDENDUM: Nodule."
    assert counted(row(text, at=9)) == text
    assert counted(row(text, at=14)) == counted(row(text, "addendum", at=14)) == "Clear."
    assert counted(row("Clear.\n\nADDENDUM: CT shows a nodule.", at=9)) == "Clear."
    assert counted(row("ADDENDUM: CT shows a nodule.\n\nEXAM: Chest. Clear.")) == "EXAM: Chest. Clear."
    assert not standing((row(text, at=14),), CT).signed_after, "the time may be that of the addendum"


def test_a_midnight_stands_for_the_whole_day() -> None:
    assert apart(standing((FINAL, row("Added.", "addendum", 0)), CT)) == {1}


def test_a_final_text_that_stood_as_the_draft_counts_as_signed() -> None:
    draft, final = row("Same.", "preliminary", 8, dictator="Doe", signer=None), row("Same.", "final", 14)
    outcome = standing((draft, final), CT)
    assert (outcome.dictator, outcome.signer, outcome.status, outcome.signed_after) == ("Doe", "Roe", "final", False)
    assert apart(outcome) == set()


def test_a_draft_is_of_whom_it_names_and_of_who_signed_it_later() -> None:
    draft = row("Draft.", "preliminary", 8, dictator="Doe", signer="")
    outcome = standing((draft, LATE), CT)
    assert (outcome.dictator, outcome.signer, outcome.status, outcome.approved) == ("Doe", "Roe", "preliminary", True)
    assert not standing((draft,), CT).approved
    corrected = row("New.", "final", 15, corrected=True, signer="Poe")
    assert standing((FINAL, corrected), CT).signer == "Roe", "whoever corrected it later has not signed this"


def test_whom_a_draft_names_alone_has_not_signed_what_another_signed_later() -> None:
    draft = row("Draft.", "preliminary", 8, dictator="", signer="Doe")
    outcome = standing((draft, row("Final.", "final", 14, dictator="Doe", signer="Roe")), CT)
    assert (outcome.dictator, outcome.signer, outcome.status) == ("Doe", "Roe", "preliminary")
    own = standing((draft, row("Final.", "final", 14, dictator="", signer="Doe")), CT)
    assert (own.dictator, own.signer) == ("", "Doe"), "nobody else signed it"
    alone = standing((draft,), CT)
    assert (alone.dictator, alone.signer) == ("", "Doe"), "it is still not known to be signed"


def test_an_addendum_that_follows_one_kept_apart_is_kept_apart() -> None:
    rows = FINAL, row("First.", "addendum", names_ct=1, addendum=1), row("Second.", "addendum", addendum=2)
    assert counted(*rows) == "Final."
    assert apart(standing(rows, CT)) == {1, 2}


ROWS = st.builds(
    row,
    st.sampled_from(["A.", "B.", "C.\n\nADDENDUM: D.", "ADDENDUM: CT shows E."]),
    st.sampled_from(["preliminary", "", "final", "addendum"]),
    st.one_of(st.none(), st.floats(1, 23)),
    corrected=st.booleans(),
    names_ct=st.sampled_from([0, 1]),
)


@given(st.lists(ROWS, min_size=1, max_size=5))
def test_nothing_that_counts_is_known_to_be_from_after_the_ct_but_a_first_version(rows: list[Row]) -> None:
    outcome = standing(rows, CT)
    found = outcome.standing
    for piece in found.addenda:
        of = rows[piece.position]
        assert of.reported == NEVER or min(r.reported for r in rows if r.text == of.text) < CT
    if found.base is not None and not outcome.signed_after and not rows[found.base.position].parts:
        same = [r for r in rows if r.text == rows[found.base.position].text]
        assert any(r.reported < CT for r in same)
    assert (found.base is None) == outcome.nothing_before
    assert {p.use for p in (found.base, *found.addenda) if p} <= {Use.COUNTED}
    assert sum(p.use is Use.COUNTED for p in found.pieces) == (found.base is not None) + len(found.addenda)
