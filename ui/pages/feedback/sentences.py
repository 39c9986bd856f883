"""What the page says of who can be given feedback, and who has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.words import counted, months, say, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from radcal.feedback.given import Given
    from ui.records import Opened


def enough(opened: Opened) -> frozenset[str]:
    """The radiologists of whose words something can be said."""
    views = opened.of_radiologists.items()
    return frozenset(group.author for group, view in views if any(word.decided for word in view.judged.words))


def who(able: Collection[str], given: Mapping[str, Given] | None, min_n: int) -> str:
    """Who has enough findings for a page, and who got theirs; None for ``given`` while that is not known."""
    if not able:
        return say("Nobody has enough findings for a page yet. A page needs {n} uses of one word.", n=whole(min_n))
    text = counted(len(able), "{n} radiologist has enough for a page", "{n} radiologists have enough for a page")
    if given is None:
        return f"{text}."
    got = sorted(had.at for author in able if (had := given.get(author)) is not None and had.at is not None)
    if not got:
        return say("{first}; nobody got one yet.", first=text)
    return say(
        "{first}; {n} got theirs, the last in {month}.", first=text, n=whole(len(got)), month=months(got[-1], got[-1])
    )
