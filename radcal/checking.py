"""Validation before storing: passphrases, and the words, pathologies and models named in settings."""

from __future__ import annotations

from collections.abc import Iterable

from radcal.system.errors import InputError
from radcal.system.policy import Policy
from radcal.system.settings import SECOND, Settings
from radcal.words.records import Phrase


def check_settings(settings: Settings, phrases: Iterable[Phrase]) -> None:
    """Refuse settings under which extraction or analysis would fail.

    Args:
        settings: within their bounds.
        phrases: the phrases of the lexicon.

    Raises:
        InputError: an unknown allowed phrase, scale, pathology or confirmation, an own vocabulary that is missing or
            broken, a model file that is missing, unusable, or not used by the engine, or an address to which no report
            may be sent, whether or not the engine sends any: it may hold a password, which must not be stored.
    """
    from radcal.advice.advice import allowed_words
    from radcal.findings.engines import ENGINES, close_engine, make_engine
    from radcal.findings.served.address import parse
    from radcal.words.confirmations import load_confirmations
    from radcal.words.scales import allowed

    names = [phrase.name for phrase in phrases]
    allowed_words(names, settings.allowed_phrases)
    allowed(settings, phrases)
    load_confirmations(settings=settings)
    if settings.served_url:
        parse(settings.served_url)
    usual = (ENGINES[0], SECOND[0], "", "", "")
    if (settings.engine, settings.second, settings.model, settings.lexicon_dir, settings.study) != usual:
        close_engine(make_engine(settings.engine, settings.model, settings))  # loads nothing yet


def check_policy(rules: Policy) -> None:
    """Refuse what a policy sets and no department may store, as far as that does not depend on this computer.

    Raises:
        PolicyFault: no report may be sent to the address of the server; names file, line and remedy.
    """
    from radcal.findings.served.address import parse

    if url := rules.start("served_url", ""):
        try:
            parse(url)
        except InputError as error:
            raise rules.wrong("served_url", error.text) from error
