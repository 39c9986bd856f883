"""Settings that name words, pathologies and models, checked against those that there are before they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radcal.records import Phrase
    from radcal.settings import Settings


def check_settings(settings: Settings, phrases: Iterable[Phrase]) -> None:
    """Refuse settings under which nothing could be read or analysed.

    Args:
        settings: within their bounds.
        phrases: the words that may be allowed.

    Raises:
        InputError: an allowed word that is in no list, a pathology or confirmation that is not offered, or a model
            that is no file, no model, or none that the engine uses.
    """
    from radcal.advise.advice import allowed_words
    from radcal.lexicon.confirmations import load_confirmations
    from radcal.workflow.engines import ENGINES, close_engine, make_engine

    allowed_words([phrase.name for phrase in phrases], settings.allowed_phrases)
    load_confirmations(settings=settings)
    if settings.engine != ENGINES[0] or settings.model:
        close_engine(make_engine(settings.engine, settings.model, settings))  # loads nothing yet
