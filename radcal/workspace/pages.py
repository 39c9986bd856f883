"""The key of a workspace, and the authentication code of its pages.

The key is derived from the passphrase once, when the file is opened; further connections to the file and its copies use
the key, so that the passphrase need not be kept.  A copy has the salt of its original, and so the same key.

Source: SQLCipher 4 file format (PBKDF2-HMAC-SHA512 over the passphrase and the file's first 16 bytes; page of 4096
bytes ending in a 16-byte IV and an HMAC-SHA512 over content, IV and page number; HMAC key by two rounds of PBKDF2 over
the key with the salt XOR 0x3a).
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

PAGE = 4096
SALT = 16
_KEY, _HMAC = 32, 64


@dataclass(frozen=True)
class Key:
    """The key of a workspace; ``salt`` is the beginning of its file."""

    raw: bytes = field(repr=False)
    salt: bytes

    @classmethod
    def derived(cls, passphrase: str, salt: bytes, rounds: int) -> Self:
        """The key of a file with this salt under a normalised passphrase."""
        return cls(hashlib.pbkdf2_hmac("sha512", passphrase.encode(), salt, rounds, _KEY), salt)

    @property
    def words(self) -> str:
        """The key as SQLCipher accepts it in place of a passphrase."""
        return f"x'{self.raw.hex()}{self.salt.hex()}'"

    @cached_property
    def _of_pages(self) -> bytes:
        return hashlib.pbkdf2_hmac("sha512", self.raw, bytes(b ^ 0x3A for b in self.salt), 2, _KEY)

    def fits(self, page: bytes, number: int) -> bool:
        """Whether a page, numbered from 1, is unchanged since it was written under this key."""
        covered = page[SALT if number == 1 else 0 : PAGE - _HMAC] + number.to_bytes(4, "little")
        expected = hmac.digest(self._of_pages, covered, "sha512")
        return len(page) == PAGE and hmac.compare_digest(expected, page[PAGE - _HMAC :])
