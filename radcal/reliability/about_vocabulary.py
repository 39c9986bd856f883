"""How often a radiologist kept to the department's vocabulary, in a sentence or two."""

from __future__ import annotations

from radcal.system.language.catalogue import Language
from radcal.words.records import VocabularyUse

MOST_NAMED = 3
"""Words outside the vocabulary that are named."""


def about_vocabulary(use: VocabularyUse | None, w: Language) -> str:
    """The share of hedged findings worded outside the vocabulary, with its interval and words; '' without a scale."""
    if use is None:
        return ""
    if not use.n:
        return w.say(
            "None of your findings was hedged, so there is nothing to compare with the {scale} scale.", scale=use.scale
        )
    basis = w.say("Counted in all your X-ray reports with a CT, as they were written, also where CT did not decide.")
    hedged = w.counted(use.n, "{n} hedged finding", "{n} hedged findings")
    if not use.outside:
        return " ".join(
            (
                w.say("Of your {hedged}, none used a word outside the {scale} scale.", hedged=hedged, scale=use.scale),
                basis,
            )
        )
    named = [w.say("{word} ({n})", word=w.quoted(words), n=w.count(n)) for words, n in use.words[:MOST_NAMED]]
    numbers = {
        "hedged": hedged,
        "n": w.count(use.outside),
        "scale": use.scale,
        "rate": w.rate(use.outside / use.n, use.outside_low, use.outside_high),
        "words": w.listed(named),
    }
    if len(use.words) > MOST_NAMED:
        said = w.say(
            "Of your {hedged}, {n} used a word outside the {scale} scale: {rate}, most often {words}.", **numbers
        )
    else:
        said = w.say("Of your {hedged}, {n} used a word outside the {scale} scale: {rate}, namely {words}.", **numbers)
    parts = [said]
    if use.avoided:
        parts.append(
            w.say(
                "A word that the scale says to avoid stood in {n} of the {total}: {rate}.",
                n=w.count(use.avoided),
                total=w.count(use.n),
                rate=w.rate(use.avoided / use.n, use.avoided_low, use.avoided_high),
            )
        )
    if use.established:
        parts.append(
            w.counted(
                use.established,
                "{n} further finding used a word that the scale keeps for an established diagnosis.",
                "{n} further findings used a word that the scale keeps for an established diagnosis.",
            )
        )
    return " ".join((*parts, basis))
