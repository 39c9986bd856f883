"""What an author really wrote for a phrase, in words: "'versus' 3 of 4 and 'cannot exclude' 0 of 3"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.reliability.records import Wording
    from radcal.system.language.catalogue import Language

MOST = 4
"""Wordings named, the most frequent ones."""


def of_phrase(wordings: Sequence[Wording], topic: str, phrase: str) -> tuple[Wording, ...]:
    """The wordings of a phrase, the most frequent first; () if the author wrote nothing but the phrase itself."""
    own = tuple(w for w in wordings if (w.topic, w.phrase) == (topic, phrase))
    return own if any(w.words not in ("", phrase) for w in own) else ()


def shares(wordings: Sequence[Wording], w: Language, most: int = MOST) -> str:
    """How often each wording was confirmed; '' for none."""
    return w.listed([_share(wording, w) for wording in wordings], most)


def not_alike(wordings: Sequence[Wording], w: Language) -> str:
    """That the wordings of a phrase were not confirmed equally often; '' if that was not shown."""
    if not any(wording.differs for wording in wordings):
        return ""
    return w.say(
        "The wordings of {phrase} were not confirmed equally often: {shares}.",
        phrase=w.quoted(wordings[0].phrase),
        shares=shares(wordings, w),
    )


def _share(wording: Wording, w: Language) -> str:
    words = w.quoted(wording.words) if wording.words else w.say("without such words")
    return w.tied(f"{words} {w.out_of(wording.positives, wording.n)}")
