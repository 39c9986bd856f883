"""Published scales of certainty, which a department may choose as its vocabulary."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.phrases import Lexicon, normalise
from radcal.words.records import ABSENT, PRESENT, Phrase, Scale, ScaleWord

if TYPE_CHECKING:
    from radcal.system.settings import Settings

Place = Literal["within", "established", "avoided", "outside"]
"""Where a wording stands: among a scale's words, those for an established diagnosis, those to avoid, or nowhere."""
_FORMS_OF_BE = frozenset(("is", "are", "was", "were", "be"))


@cache
def scales() -> tuple[Scale, ...]:
    """The scales in ``resources/lexicon/scales``, by name; read once."""
    paths = resource("lexicon", "scales").glob("*.toml")
    return tuple(sorted(map(_read, paths), key=lambda scale: scale.name.casefold()))


def scale_called(key: str) -> Scale | None:
    """The scale chosen by the setting ``vocabulary``, None for ''.

    Raises:
        InputError: there is none of that name.
    """
    if not key:
        return None
    found = next((scale for scale in scales() if scale.key == key), None)
    if found is None:
        known = ", ".join(scale.key for scale in scales())
        raise InputError("Setting vocabulary: there is no such scale. Known: {known}.", known=known)
    return found


def _read(path: Path) -> Scale:
    """A scale from a TOML file: name, title, source, a list of words with their percents, established and avoid."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    content |= {part: tuple(content.get(part, ())) for part in ("established", "avoid")}
    words = [ScaleWord(w["words"], *(percent / 100 for percent in w["percent"])) for w in content.pop("words")]
    return Scale(path.stem, words=tuple(sorted(words, key=lambda w: (w.low + w.high, w.low))), **content)


def stated(scale: Scale, phrase: str) -> ScaleWord | None:
    """The scale's own word of that name with its range, None if it is none of its words."""
    return next((word for word in scale.words if normalise(word.words) == normalise(phrase)), None)


def belongs(scale: Scale | None, phrase: str) -> bool:
    """Whether advice may propose the phrase under the scale: its own words, and plain statements; all without one."""
    return scale is None or phrase in (ABSENT, PRESENT) or stated(scale, phrase) is not None


def proposed(scale: Scale | None, phrase: Phrase) -> bool:
    """Whether advice may propose a phrase where none are ticked: of a scale its own words, else those for advice."""
    return phrase.advised if scale is None else belongs(scale, phrase.name)


def allowed(settings: Settings, phrases: Iterable[Phrase]) -> tuple[str, ...]:
    """The phrases that advice may propose: those ticked, and of a chosen scale its own words alone.

    Without either, those that are for advice.  Words for an established diagnosis are never proposed.  Plain statements
    belong to every scale.

    Args:
        settings: ``vocabulary`` and ``allowed_phrases``.
        phrases: of the lexicon.

    Raises:
        InputError: an unknown scale, or one that shares no hedge with the lexicon and the ticked phrases.
    """
    scale, ticked = scale_called(settings.vocabulary), settings.allowed_phrases
    if scale is None and ticked:
        return ticked
    own = tuple(p.name for p in phrases if proposed(scale, p) and (not ticked or p.name in ticked))
    if scale is not None and {ABSENT, PRESENT}.issuperset(own):
        raise InputError(
            "Advice may propose none of the words of the scale {name}: none of them is a phrase of the list and "
            "ticked there. Choose another scale, or tick some of its words.",
            name=scale.name,
        )
    return own


def place(scale: Scale, verbatim: str, phrase: str, lexicon: Lexicon) -> tuple[Place, str]:
    """Where a wording stands in a scale, judged by what was written, and the words that were judged.

    A wording is the scale's word that it is or, the longest first, begins with: "likely represents" is "likely", while
    "very likely" and "favored" are not.  Forms of "to be" in front do not matter.  What begins with a word and yet
    stands for another phrase, as "likely not" does, is not that word.

    Args:
        scale: the scale.
        verbatim: the finding's words of certainty; where it has none, its phrase counts.
        phrase: of the finding.
        lexicon: says for which phrase a word of the scale stands.
    """
    written = (normalise(verbatim) or phrase).split()
    while len(written) > 1 and written[0] in _FORMS_OF_BE:
        del written[0]
    places: dict[Place, Iterable[str]] = {
        "within": (word.words for word in scale.words),
        "established": scale.established,
        "avoided": scale.avoid,
    }
    parts = {tuple(normalise(words).split()): where for where, listed in places.items() for words in listed}
    for length in range(len(written), 0, -1):
        if where := parts.get(head := tuple(written[:length])):
            known = lexicon.find(" ".join(head))
            if length == len(written) or known is None or known.name == phrase:
                return where, " ".join(head)
    return "outside", " ".join(written)
