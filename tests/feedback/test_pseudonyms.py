"""Pseudonyms: distinct, stable, and nobody's real name."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.workspace.pseudonyms import given_names, pseudonyms

NAMES = given_names()
AUTHORS = [f"Dr. Reader {k}" for k in range(40)]


def test_the_names_are_distinct_single_words() -> None:
    assert len(set(map(str.casefold, NAMES))) == len(NAMES) >= 120
    assert all(re.fullmatch(r"[A-Z][a-z]+", name) for name in NAMES)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=20), max_size=30), st.integers(0, 2**32 - 1))
def test_every_author_gets_a_name_of_their_own(authors: list[str], seed: int) -> None:
    found = pseudonyms(authors, seed)
    assert set(found) == set(authors)
    assert len(set(found.values())) == len(set(authors))
    assert found == pseudonyms(reversed(authors), seed)


def test_the_same_names_on_every_machine() -> None:
    assert pseudonyms(["Dr. A. Roe", "Dr. B. Doe"], 0) == {"Dr. A. Roe": "Payton", "Dr. B. Doe": "Dakota"}


def test_the_seed_draws_other_names() -> None:
    assert pseudonyms(AUTHORS, 0) != pseudonyms(AUTHORS, 1)


def test_most_keep_their_name_when_someone_leaves() -> None:
    before, after = pseudonyms(AUTHORS, 0), pseudonyms(AUTHORS[:-1], 0)
    assert sum(before[a] == after[a] for a in after) >= len(after) - 2


def test_who_keeps_a_name_that_two_would_get_is_not_a_matter_of_the_alphabet() -> None:
    """Or the pages would tell who stands before whom."""
    kept = []
    for seed in range(4):
        together = pseudonyms(AUTHORS, seed)
        alone = {a: pseudonyms([a], seed)[a] for a in AUTHORS}
        for name in set(alone.values()):
            wishing = sorted(a for a in AUTHORS if alone[a] == name)
            if len(wishing) > 1:
                (keeper,) = [a for a in wishing if together[a] == name]
                kept.append(wishing.index(keeper))
    assert 0 in kept
    assert any(kept)


def test_no_pseudonym_is_part_of_a_real_name() -> None:
    authors = [f"{name}, Jane" for name in NAMES[::2]]
    assert not set(pseudonyms(authors, 3).values()) & set(NAMES[::2])


def test_more_authors_than_names_are_numbered() -> None:
    many = pseudonyms([f"r{k}" for k in range(2 * len(NAMES) + 5)], 0)
    assert len(set(many.values())) == 2 * len(NAMES) + 5
    plain = set(NAMES)
    numbers = Counter(name.rpartition(" ")[2] if name not in plain else "" for name in many.values())
    assert numbers == {"": len(NAMES), "2": len(NAMES), "3": 5}
    assert {name.rpartition(" ")[0] or name for name in many.values()} == plain


def test_a_department_named_like_the_list_still_gets_names() -> None:
    found = pseudonyms(NAMES, 0)
    assert not set(found.values()) & set(NAMES)
    assert len(set(found.values())) == len(NAMES)
