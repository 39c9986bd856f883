"""What the page says of who can be given feedback, and who has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.words import counted, months, say, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from radcal.feedback.given import Given
    from ui.records import Opened


def enough(opened: Opened) -> frozenset[str]:
    """The radiologists of whose words something can be said, for a pathology or for all of them."""
    views, people = {**opened.groups, **opened.pooled}, {group.author for group in opened.of_radiologists}
    decided = {group.author for group, view in views.items() if any(word.decided for word in view.judged.words)}
    return frozenset(people & decided)


def who(able: Collection[str], given: Mapping[str, Given] | None, min_n: int) -> str:
    """Who has enough findings for a page, and for how many any was made; None for ``given`` while that is not known."""
    if not able:
        return say("Nobody has enough findings for a page yet. A page needs {n} uses of one word.", n=whole(min_n))
    text = counted(len(able), "{n} radiologist has enough for a page", "{n} radiologists have enough for a page")
    if given is None:
        return f"{text}."
    made = sorted(had.at for had in given.values() if had.at is not None)
    if not made:
        return say("{first}; none was made yet.", first=text)
    return say(
        "{first}; pages or files were made for {n}, the last in {month}.",
        first=text,
        n=whole(len(made)),
        month=months(made[-1], made[-1]),
    )
