"""Sentences for window and paper.

What holds of all pathologies of a radiologist, or of all radiologists on a pathology; and what an author really wrote
for a phrase: "'versus' 3 of 4 and 'cannot exclude' 0 of 3".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radcal.system.text import begun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.reliability.records import Part, PhraseRate, Reliability, WordApart, Wording
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
    from radcal.reliability.records import pool_of  # brings numpy, for which the first paint does not wait

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
    """Which parts of a pooled group differ from the rest, word by word; '' where that was not tested."""
    from radcal.reliability.records import pool_of  # brings numpy, for which the first paint does not wait

    if r.p_value_parts is None:
        return ""
    of_author, p = pool_of(r.author, r.topic) == "author", w.p_value(r.p_value_parts)
    differ = [part for part in r.parts if part.differs]
    if not differ and r.apart is not None:
        return _open(r.apart, p, w, of_author=of_author)
    if not differ and of_author:
        return w.say("The pathologies were not shown to differ from each other ({p}).", p=p)
    if not differ:
        return w.say("The radiologists were not shown to differ from each other ({p}).", p=p)
    if len(r.parts) == 2:
        names = w.listed([w.pathology(part.name) for part in r.parts])
        return w.say("The same words were confirmed at different rates for {names} ({p}).", names=names, p=p)
    values = {"names": _named(differ, w), "n": len(differ)}
    if of_author:
        said = w.say(
            "{names} differs from the other pathologies in how often CT confirmed the same words.",
            many="{names} differ from the other pathologies in how often CT confirmed the same words.",
            **values,
        )
    else:
        said = w.say(
            "{names} differs from the other radiologists in how often CT confirmed the same words.",
            many="{names} differ from the other radiologists in how often CT confirmed the same words.",
            **values,
        )
    return begun(said)


def _open(apart: WordApart, p: str, w: Language, *, of_author: bool) -> str:
    """That the parts may differ, with the word that says so and what is left of that among all that was compared."""
    values = {
        "word": w.quoted(apart.phrase),
        "count": w.out_of(apart.positives, apart.n),
        "others": w.out_of(apart.others_positives, apart.others_n),
        "name": w.pathology(apart.name),
        "own": w.p_value(apart.p_value),
        "p": p,
    }
    if of_author:
        return w.say(
            "Whether the pathologies differ is open: CT confirmed {word} in {count} for {name} and in {others} for the "
            "others ({own} for this word alone; {p} with all words and pathologies compared).",
            **values,
        )
    return w.say(
        "Whether the radiologists differ is open: CT confirmed {word} in {count} of {name} and in {others} of the "
        "others ({own} for this word alone; {p} with all words and radiologists compared).",
        **values,
    )


def _named(parts: Sequence[Part], w: Language) -> str:
    """The parts with their p-values, the least first."""
    least = sorted(parts, key=lambda part: part.p_value)
    return w.listed([f"{w.pathology(part.name)} ({w.p_value(part.p_value)})" for part in least], _MOST_NAMED)


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
