"""Edits of a lexicon as pure functions: lexicon in, lexicon or an error with its reason out."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from radcal.system.errors import InputError
from radcal.words.extraction_words import shipped
from radcal.words.phrases import Lexicon, central_half, mean_of, normalise, strength
from radcal.words.records import ABSENT, OTHER, PRESENT, Phrase
from radcal.words.surveys import match_moments

LEAST_MEAN, MOST_MEAN = 0.005, 0.995
"""Bounds of an edited mean: the ends belong to plain absent and present."""
LEAST_SPREAD = 0.005
"""Smallest standard deviation of an edited meaning: half a percentage point."""
_LEAST_SHAPE = 0.05
"""Smallest alpha and beta of an edited meaning: below, readers would all but split between absent and present."""
NEW_SPREAD = 0.15
"""Standard deviation of a new phrase until somebody says more."""
EDITED = "edited in the department"
_READABLE = re.compile(r"[a-z0-9?][a-z0-9 '/.+&?-]*")


@dataclass(frozen=True, slots=True)
class Difference:
    """One phrase in two lexicons; ``first`` or ``second`` is None if absent there."""

    name: str
    first: Phrase | None
    second: Phrase | None

    @property
    def of_means(self) -> float | None:
        """Mean in the second minus mean in the first, in -1 to 1; None if one is missing."""
        if self.first is None or self.second is None:
            return None
        return mean_of(self.second) - mean_of(self.first)


def widest_spread(mean: float) -> float:
    """The largest standard deviation that an edited meaning of this mean in (0, 1) may have.

    sqrt(m (1 - m) / (1 + c)) with c = alpha + beta such that the smaller of alpha and beta is _LEAST_SHAPE.
    """
    return math.sqrt(mean * (1 - mean) / (1 + _LEAST_SHAPE / min(mean, 1 - mean)))


def is_plain(name: str) -> bool:
    """Whether a phrase is plain "absent" or "present", whose meaning is fixed."""
    return name in (ABSENT, PRESENT)


def with_moments(phrase: Phrase, mean: float, spread: float) -> Phrase:
    """The phrase with the Beta distribution of this mean and standard deviation, clipped to the possible.

    ``low`` and ``high`` become the central half of the new distribution, extended to hold its mean, as in every lexicon
    without a survey, and nobody's answers stand behind it; the source says that the meaning was edited, and from what.

    Raises:
        InputError: the phrase is plain "absent" or "present".
    """
    if is_plain(phrase.name):
        raise InputError("{name!r} is a plain statement: it means what it says, and cannot be moved.", name=phrase.name)
    mean = min(max(mean, LEAST_MEAN), MOST_MEAN)
    spread = min(max(spread, LEAST_SPREAD), widest_spread(mean))
    alpha, beta = match_moments(phrase.name, mean, spread**2)
    source = phrase.source if phrase.source.startswith(EDITED) else f"{EDITED}; before: {phrase.source or 'no source'}"
    low, high = central_half(alpha, beta)
    return replace(phrase, alpha=alpha, beta=beta, low=low, high=high, source=source, asked=0, answers=0, within=0)


def reset_meaning(lexicon: Lexicon, name: str, origin: Lexicon) -> Lexicon:
    """The lexicon with the meaning that ``origin`` gives a phrase; its synonyms stay.

    Raises:
        InputError: ``origin`` does not have the phrase.
    """
    phrase, first = named(lexicon, name), by_name(origin, name)
    if first is None:
        raise InputError("{name!r} is in no survey that this list was made from. Undo the changes instead.", name=name)
    return replaced(lexicon, replace(first, synonyms=phrase.synonyms))


def add_synonym(lexicon: Lexicon, name: str, words: str) -> Lexicon:
    """The lexicon with ``words`` as a further synonym of the phrase ``name``.

    Raises:
        InputError: no words, words that cannot be read, or words that stand for something already.
    """
    phrase, words = named(lexicon, name), _readable(words)
    owner = lexicon.find(words)
    if owner is not None and owner.name == name:
        raise InputError("{words!r} stands for {name!r} already.", words=words, name=name)
    if owner is not None:
        raise InputError(
            "{words!r} stands for {name!r}. Move it from there if it means {name2!r}.",
            words=words,
            name=owner.name,
            name2=name,
        )
    return replaced(lexicon, replace(phrase, synonyms=(*phrase.synonyms, words)))


def remove_synonym(lexicon: Lexicon, name: str, words: str) -> Lexicon:
    """The lexicon without the synonym ``words``; reports containing them then list them as unknown.

    Raises:
        InputError: they do not stand for it, they are the phrase itself, or the reading of denials rests on them.
    """
    phrase = named(lexicon, name)
    kept = tuple(s for s in phrase.synonyms if normalise(s) != normalise(words))
    if normalise(words) == normalise(name):
        raise InputError("{words!r} is the phrase itself. Remove the phrase instead.", words=words)
    if len(kept) == len(phrase.synonyms):
        raise InputError("{words!r} does not stand for {name!r}.", words=words, name=name)
    _require_movable(words)
    return replaced(lexicon, replace(phrase, synonyms=kept))


def add_phrase(lexicon: Lexicon, name: str, mean: float, spread: float = NEW_SPREAD) -> Lexicon:
    """The lexicon with a new phrase and the department's meaning for it.

    Raises:
        InputError: as :func:`add_synonym`; "other" is no name, because it stands for words of no list.
    """
    name = _readable(name)
    if name == OTHER:
        raise InputError("{other!r} cannot be a phrase: it stands for all words that are in no list.", other=OTHER)
    if (owner := lexicon.find(name)) is not None:
        if normalise(owner.name) == name:
            raise InputError("{name!r} is a phrase already.", name=name)
        raise InputError("{name!r} stands for {name2!r}. Remove it there first.", name=name, name2=owner.name)
    added = with_moments(Phrase(name, 1.0, 1.0, 0.0, 1.0), mean, spread)
    return replace(lexicon, phrases=(*lexicon.phrases, replace(added, source="added by the department")))


def remove_phrase(lexicon: Lexicon, name: str) -> Lexicon:
    """The lexicon without a phrase and its synonyms; reports then list these words as unknown.

    Raises:
        InputError: plain "absent" or "present".
    """
    phrase = named(lexicon, name)
    if is_plain(name):
        raise InputError("{name!r} is a plain statement, without which no report can be read.", name=name)
    return replace(lexicon, phrases=tuple(p for p in lexicon.phrases if p is not phrase))


def taken_over(lexicon: Lexicon, survey: Lexicon, *, keep_others: bool = True) -> Lexicon:
    """The department's lexicon after adopting a survey or another list.

    The survey's phrases get its meanings.  Synonyms stay with their phrases; words that the survey asked about
    as a phrase of their own are a synonym of nothing any more.

    Args:
        keep_others: phrases that the survey did not ask about stay as they are; otherwise they go.
    """
    asked = {normalise(p.name): p for p in survey.phrases}
    kept = [p for p in lexicon.phrases if normalise(p.name) in asked or keep_others or is_plain(p.name)]
    taken = set(asked)
    phrases = []
    for p in kept:
        words = tuple(s for s in p.synonyms if normalise(s) not in taken)
        taken.update(normalise(s) for s in words)
        new = asked.get(normalise(p.name))
        known = {normalise(s) for s in words}
        if new is not None and not is_plain(p.name):
            more = [s for s in new.synonyms if normalise(s) not in known and lexicon.find(s) is None]
            phrases.append(replace(new, synonyms=(*words, *more), advised=p.advised))
        else:
            phrases.append(replace(p, synonyms=words))
    there = {normalise(p.name) for p in kept}
    used = {normalise(s) for p in phrases for s in (p.name, *p.synonyms)}
    for key, p in asked.items():
        if key not in there:
            words = tuple(s for s in p.synonyms if normalise(s) not in used | taken)
            used.update(normalise(s) for s in words)
            phrases.append(replace(p, synonyms=words))
    return Lexicon(tuple(phrases), survey.name)


def compare(first: Lexicon, second: Lexicon) -> tuple[Difference, ...]:
    """The phrases of two lexicons side by side, strongest first by the mean in the first that has them.

    Phrases are matched by name alone: synonyms are what a department made of the words, not what was asked.
    """
    a = {normalise(p.name): p for p in first.phrases}
    b = {normalise(p.name): p for p in second.phrases}
    shown = {**b, **a}
    pairs = [Difference(shown[n].name, a.get(n), b.get(n)) for n in dict.fromkeys((*a, *b))]
    return tuple(sorted(pairs, key=lambda pair: strength(shown[normalise(pair.name)])[:2], reverse=True))


def by_name(lexicon: Lexicon, name: str) -> Phrase | None:
    """The phrase of exactly that name, None if absent; synonyms do not count."""
    return next((p for p in lexicon.phrases if p.name == name), None)


def named(lexicon: Lexicon, name: str) -> Phrase:
    """The phrase of exactly that name.

    Raises:
        InputError: there is none.
    """
    phrase = by_name(lexicon, name)
    if phrase is None:
        raise InputError("There is no phrase {name!r} in the list.", name=name)
    return phrase


def replaced(lexicon: Lexicon, phrase: Phrase) -> Lexicon:
    """The lexicon with the phrase of the same name replaced."""
    return replace(lexicon, phrases=tuple(phrase if p.name == phrase.name else p for p in lexicon.phrases))


def _readable(words: str) -> str:
    """The words as stored, if the rules can find them in a report."""
    words = normalise(words)
    if not words:
        raise InputError("There are no words. Write them as they stand in reports.")
    if not _READABLE.fullmatch(words):
        raise InputError(
            "{words!r} cannot be looked for in reports: letters a-z, digits, spaces, hyphens and apostrophes can.",
            words=words,
        )
    return words


def _require_movable(words: str) -> None:
    owner = shipped().find(words)
    if owner is not None and is_plain(owner.name):
        raise InputError(
            "{words!r} is read as plain {name!r} by grammar, not from this list. It cannot be removed or moved.",
            words=words,
            name=owner.name,
        )
