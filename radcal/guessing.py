"""How long a passphrase withstands guessing by somebody who has the file.

Guesses are counted by zxcvbn, which knows the commonest passphrases, names and words of English, keys beside each
other, dates and repetitions; to these come words that hospitals and German speakers take.  What it does not know counts
ten guesses a character: German sentences are rated better than they are.

Source: D. L. Wheeler, zxcvbn: low-budget password strength estimation. USENIX Security 2016.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from radcal.resources import resource
from radcal.text import Text

SHORTEST = 12
"""Characters of a new passphrase at least; those of files that are there already open as ever."""
DAY, YEAR = 86_400.0, 365.25 * 86_400.0
GUESSES_A_SECOND = 1e5
"""Of the file's key (PBKDF2, 256,000 rounds of SHA-512): a graphics card of 2023 manages 4,000 to 5,000; so this is
somebody with more than twenty of them."""
_LOOKED_AT = 40
"""Characters: counting takes longer the more there are, and further ones only make a passphrase better."""


@dataclass(frozen=True, slots=True)
class Strength:
    """The time to guess a passphrase, in seconds, and why it is too weak, in a sentence; '' if it is not."""

    seconds: float
    weakness: str = ""

    @property
    def sentence(self) -> str:
        """A sentence for whoever chooses the passphrase."""
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
    """The strength of a new passphrase.

    Args:
        passphrase: as typed; taken in Unicode form NFC.
        about: what somebody who guesses would try first, such as the names of the file and of its owner.
    """
    text = unicodedata.normalize("NFC", passphrase)
    seconds = _guesses(text[:_LOOKED_AT], about) / GUESSES_A_SECOND
    if len(text) < SHORTEST:
        return Strength(
            seconds,
            Text(
                "The passphrase is too short. Choose {shortest} characters or more, such as four unrelated words.",
                shortest=SHORTEST,
            ),
        )
    if seconds < 2 * DAY:
        return Strength(
            seconds,
            Text("The passphrase could be guessed within two days. Choose a longer one, such as four unrelated words."),
        )
    return Strength(seconds)


def _guesses(text: str, about: Sequence[str]) -> float:
    if not text:
        return 0.0
    from zxcvbn import zxcvbn

    near = {part.lower() for name in about for part in (name, *re.split(r"[\W_]+", name)) if part}
    return float(zxcvbn(text, user_inputs=[*sorted(near), *_words()])["guesses"])


@cache
def _words() -> tuple[str, ...]:
    return tuple(resource("guessed_words.txt").read_text(encoding="utf-8").split())
