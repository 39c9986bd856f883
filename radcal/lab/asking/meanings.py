"""Random answers to one question, sorted by their meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def clusters(answers: Sequence[str], alike: Callable[[str, str], bool]) -> list[list[int]]:
    """The places of answers that mean the same, the largest cluster first, of equal ones that which began first.

    An answer joins the first cluster whose first answer it is like, as in Kuhn, Gal and Farquhar, "Semantic
    uncertainty" (ICLR 2023).  ``alike`` is asked once for each pair of texts and never for equal ones.
    """
    found: list[list[int]] = []
    known: dict[str, int] = {}
    for i, answer in enumerate(answers):
        at = known.get(answer)
        if at is None:
            at = next((c for c, members in enumerate(found) if alike(answers[members[0]], answer)), len(found))
            known[answer] = at
        if at == len(found):
            found.append([])
        found[at].append(i)
    return sorted(found, key=lambda members: (-len(members), members[0]))
