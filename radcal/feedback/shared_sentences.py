"""Sentences for window and paper.

What holds of all pathologies of a radiologist, or of all radiologists on a pathology; and what an author really wrote
for a phrase: "'versus' 3 of 4 and 'cannot exclude' 0 of 3".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.calibration.records import Part, PhraseRate, Reliability, Wording
    from radcal.system.language.catalogue import Language

MOST_WORDS, _MOST_NAMED = 3, 4
MOST = 4
"""Wordings named, the most frequent ones."""


def pooled_sentences(r: Reliability, w: Language, *, own: bool) -> tuple[str, ...]:
    """How often the words of a pooled group were confirmed in all, those of most uses, and whether its parts are alike.

    Args:
        r: the group; () if it is not pooled.
        w: the language.
        own: it is the radiologist that reads this.
    """
    from radcal.calibration.records import pool_of  # brings numpy, for which the first paint does not wait

    by = pool_of(r.author, r.topic)
    if by is None:
        return ()
    hedged = sorted((p for p in r.phrases if 0 < p.mean < 1 and p.n > 0), key=lambda p: (-p.n, p.phrase))
    confirmed = w.listed([_confirmed(p, w) for p in hedged[:MOST_WORDS]])
    if not confirmed:
        said = ""
    elif by == "topic":
        said = w.say("Across all radiologists, CT confirmed {confirmed}.", confirmed=confirmed)
    elif own:
        said = w.say("Across all pathologies, CT confirmed your {confirmed}.", confirmed=confirmed)
    else:
        said = w.say("Across all pathologies, CT confirmed {confirmed}.", confirmed=confirmed)
    return tuple(filter(None, (said, homogeneity(r, w))))


def _confirmed(p: PhraseRate, w: Language) -> str:
    return w.say(
        "{word} in {count} ({rate}, {range})",
        word=w.quoted(p.phrase),
        count=w.out_of(p.positives, p.n),
        rate=w.percent(p.rate),
        range=w.percent_range(p.low, p.high),
    )


def homogeneity(r: Reliability, w: Language) -> str:
    """Which parts of a pooled group differ from the others, by which word and how surely; '' where too few used one."""
    from radcal.calibration.records import pool_of  # brings numpy, for which the first paint does not wait

    surest = sorted(r.parts, key=lambda part: -part.probability)
    if not surest or not surest[0].probability:
        return ""
    if differ := [part for part in surest if part.differs]:
        parts = w.listed([_apart(part, w) for part in differ], _MOST_NAMED)
        return w.say("CT confirmed the same words at other rates for {parts}.", parts=parts)
    if surest[0].phrase:
        return w.say("It is open whether all are alike: {part}.", part=_apart(surest[0], w))
    if pool_of(r.author, r.topic) == "author":
        return w.say("No pathology clearly differs from the others.")
    return w.say("No radiologist clearly differs from the others.")


def _apart(part: Part, w: Language) -> str:
    """As in "edema ('likely' 3 of 20, for the others 41 of 60; 97 % sure)"."""
    return w.say(
        "{name} ({word} {count}, for the others {others}; {sure} sure)",
        name=w.pathology(part.name),
        word=w.quoted(part.phrase),
        count=w.out_of(part.positives, part.said),
        others=w.out_of(part.others_positives, part.others_said),
        sure=w.sure(part.probability),
    )


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
