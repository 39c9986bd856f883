"""Validation before storing: passphrases, and settings naming words, pathologies and models."""

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
    from radcal.workflow.runs.engines import ENGINES, close_engine, make_engine

    allowed_words([phrase.name for phrase in phrases], settings.allowed_phrases)
    load_confirmations(settings=settings)
    if settings.engine != ENGINES[0] or settings.model:
        close_engine(make_engine(settings.engine, settings.model, settings))  # loads nothing yet


def check_passphrase(passphrase: str, *about: str) -> None:
    """Refuse a new passphrase that is easy to guess; an empty one is refused where it is used.

    Args:
        about: names that would be tried first, of the file and of its owner.

    Raises:
        UnfitPassphrase: it is too short, or guessed within two days.
    """
    from radcal.guessing import strength
    from radcal.workspace.errors import UnfitPassphrase

    weakness = strength(passphrase, about).weakness if passphrase else ""
    if weakness:
        raise UnfitPassphrase(weakness)
