"""What stands in for identifiers, derived from a secret: the same for the same, and nothing without the secret."""

from __future__ import annotations

import hmac
from datetime import timedelta
from typing import Final

SECRET_BYTES: Final = 32
"""Bytes of a secret, drawn at random."""
FARTHEST: Final = 365
"""Days by which dates are shifted at most, back or forth."""
_DIGITS = 15
"""Of a number: with the letter before them they fill the 16 characters of DICOM's accession number."""
_HEX = 8


class StandIns:
    """What stands in for identifiers under one secret.

    All are beginnings of HMAC-SHA256(secret, "KIND IDENTIFIER"), with another kind for each use, so that what is shown
    in one place tells nothing of what is shown, or hidden, in another.
    """

    def __init__(self, secret: bytes) -> None:
        """``secret``: whoever has it can undo shifts, and tell which number stands for which."""
        self._secret = secret

    def shift(self, patient: str) -> timedelta:
        """By how much a patient's dates are shifted: whole days, 1 to :data:`FARTHEST` back or forth."""
        n = int.from_bytes(self._digest("shift", patient)[:8], "big") % (2 * FARTHEST)
        return timedelta(days=n - FARTHEST if n < FARTHEST else n - FARTHEST + 1)

    def number(self, number: str) -> str:
        """Another number for that of a report or patient: "R" and 15 digits, which nobody takes for a name."""
        return f"R{int.from_bytes(self._digest('number', number)[:8], 'big') % 10**_DIGITS:0{_DIGITS}}"

    def file(self, label: str) -> str:
        """A number for a file that is named after a patient, of 32 bits in hexadecimal digits."""
        return self._digest("file", label).hex()[:_HEX]

    def _digest(self, kind: str, what: str) -> bytes:
        return hmac.digest(self._secret, f"{kind} {what}".encode("utf-8", "surrogatepass"), "sha256")
