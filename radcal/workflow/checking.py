"""Settings that name words and pathologies, checked against those that there are before they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radcal.records import Phrase
    from radcal.settings import Settings


def check_settings(settings: Settings, phrases: Iterable[Phrase]) -> None:
    """Refuse settings under which nothing could be analysed.

    Args:
        settings: within their bounds.
        phrases: the words that may be allowed.

    Raises:
        InputError: an allowed word that is in no list, or a pathology or confirmation that is not offered.
    """
    from radcal.advise.advice import allowed_words
    from radcal.lexicon.confirmations import load_confirmations

    allowed_words([phrase.name for phrase in phrases], settings.allowed_phrases)
    load_confirmations(settings=settings)
