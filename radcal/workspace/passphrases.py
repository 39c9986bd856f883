"""Passphrases: how well one resists offline guessing, and those that are drawn at random.

Of a person's own, zxcvbn estimates the number of guesses from common passphrases, English names and words, keyboard
patterns, dates and repetitions, extended here by words popular in hospitals and in German.  Anything unknown counts as
ten guesses per character, so German sentences are overrated.  A drawn one is read out, written down and typed, and is
the same however it is typed.

Source: D. L. Wheeler, zxcvbn: low-budget password strength estimation. USENIX Security 2016.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from radcal.system.resources import words_of
from radcal.system.text import EMPTY, Text
from radcal.workspace.errors import UnfitPassphrase

SHORTEST = 12
"""Minimum length of new passphrases; existing files are not affected."""
DAY, YEAR = 86_400.0, 365.25 * 86_400.0
GUESSES_A_SECOND = 1e5
"""For the file's key (PBKDF2, 256,000 rounds of SHA-512): more than twenty graphics cards of 2023, at 4,000 to 5,000
each."""
_LOOKED_AT = 40
"""Number of characters analysed, to bound the running time; further ones only add strength."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Time to guess a passphrase, in seconds, and a sentence on why it is too weak, '' if it is not."""

    seconds: float
    weakness: str = ""

    @property
    def sentence(self) -> str:
        """The verdict for the user."""
        if self.weakness:
            return self.weakness
        if self.seconds >= 100 * YEAR:
            return Text("Strong: guessing it would take more than a hundred years.")
        if self.seconds >= 2 * YEAR:
            return Text("Fair: guessing it would take about {seconds:.0f} years.", seconds=self.seconds / YEAR)
        if self.seconds >= YEAR / 6:
            return Text("Weak: guessing it would take about {seconds:.0f} months.", seconds=self.seconds / YEAR * 12)
        return Text("Weak: guessing it would take about {n:.0f} days.", n=max(self.seconds / DAY, 2))


def strength(passphrase: str, about: Sequence[str] = ()) -> Strength:
    """Rate a new passphrase.

    Args:
        passphrase: as typed; normalised to Unicode NFC.
        about: an attacker's first guesses, such as the names of the file and its owner.
    """
    text = unicodedata.normalize("NFC", passphrase)
    seconds = _guesses(text[:_LOOKED_AT], about) / GUESSES_A_SECOND
    if len(text) < SHORTEST:
        weakness = Text(
            "The passphrase is too short. Choose {shortest} characters or more, such as four unrelated words.",
            shortest=SHORTEST,
        )
    elif seconds < 2 * DAY:
        weakness = Text(
            "The passphrase could be guessed within two days. Choose a longer one, such as four unrelated words."
        )
    else:
        weakness = EMPTY
    return Strength(seconds, weakness)


def _guesses(text: str, about: Sequence[str]) -> float:
    if not text:
        return 0.0
    from zxcvbn import zxcvbn

    near = {part.lower() for name in about for part in (name, *re.split(r"[\W_]+", name)) if part}
    return float(zxcvbn(text, user_inputs=[*sorted(near), *words_of("guessed_words.txt")])["guesses"])


def check_passphrase(passphrase: str, *about: str) -> None:
    """Refuse a new passphrase that is easy to guess; the workspace itself refuses an empty one.

    Args:
        about: names an attacker would try first, of the file and its owner.

    Raises:
        UnfitPassphrase: it is too short, or could be guessed within two days.
    """
    weakness = strength(passphrase, about).weakness if passphrase else ""
    if weakness:
        raise UnfitPassphrase(weakness)


_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not easily confused."""
_GROUPS, _GROUP = 4, 5


def new_passphrase() -> str:
    """Twenty random letters and digits in groups of five, easy to read out: 99 bits."""
    return _grouped("".join(secrets.choice(_ALPHABET) for _ in range(_GROUPS * _GROUP)))


def drawn_form(typed: str) -> str:
    """A drawn passphrase as it was drawn, however it is typed; '' for what cannot be one.

    Capitals, spaces, other hyphens or none, full-width letters and whatever is no letter or digit make no difference.
    A passphrase of a person's own choice is never changed by this: it is tried as it was typed first.
    """
    plain = unicodedata.normalize("NFKC", typed).casefold()
    kept = "".join(c for c in plain if c.isalnum())
    if len(kept) != _GROUPS * _GROUP or not set(kept) <= set(_ALPHABET):
        return ""
    return _grouped(kept)


def _grouped(plain: str) -> str:
    return "-".join(plain[k : k + _GROUP] for k in range(0, len(plain), _GROUP))
