"""The key of a workspace, the authentication code of its pages, and why a file does not open.

The key is derived from the passphrase once, when the file is opened; further connections to the file and its copies use
the key, so that the passphrase need not be kept.  A copy has the salt of its original, and so the same key.

SQLCipher itself only reports of a file that it "is not a database": an encrypted workspace has no readable signature,
as it begins with a random salt.  But every page has a message authentication code, so that a passphrase that fits any
page is right even if the first page is damaged.

Source: SQLCipher 4 file format (PBKDF2-HMAC-SHA512 over the passphrase and the file's first 16 bytes; page of 4096
bytes ending in a 16-byte IV and an HMAC-SHA512 over content, IV and page number; HMAC key by two rounds of PBKDF2 over
the key with the salt XOR 0x3a).
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

from radcal.system.text import Text
from radcal.workspace.errors import DamagedWorkspace, NotAWorkspace, WorkspaceError, WrongPassphrase

PAGE = 4096
SALT = 16
_KEY, _HMAC = 32, 64
_PAGES_TRIED = 8
_KNOWN = {
    b"SQLite format 3\0": Text("an SQLite database without encryption"),
    b"PK\x03\x04": Text("a ZIP archive or an Office file"),
    b"%PDF": Text("a PDF"),
    b"\xd0\xcf\x11\xe0": Text("an old Office file"),
}
RESTORE = Text("Open a backup of it, or read the report files into a new workspace")


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


def explain(path: Path, key: Key) -> WorkspaceError:
    """The error for a file that could not be decrypted with ``key``."""
    size = path.stat().st_size
    with path.open("rb") as file:
        pages = [file.read(PAGE) for _ in range(_PAGES_TRIED + 1)]
    for magic, what in _KNOWN.items():
        if pages[0].startswith(magic):
            return NotAWorkspace(
                "{name} is {what}, not a RadCal workspace. Choose a file that RadCal made.", name=path.name, what=what
            )
    if _is_text(pages[0]):
        return NotAWorkspace(
            "{name} is a text file, not a RadCal workspace. To read reports, import it.", name=path.name
        )
    if size < PAGE:
        return NotAWorkspace(
            "{name} is too short for a RadCal workspace; perhaps it was not copied to its end.", name=path.name
        )
    if any(key.fits(page, number) for number, page in enumerate(pages, 1)):
        return DamagedWorkspace(
            "The passphrase fits, but the beginning of {name} is damaged. {remedy}.", name=path.name, remedy=RESTORE
        )
    if size % PAGE:
        return NotAWorkspace(
            "{name} is not a RadCal workspace, or was not copied to its end and the passphrase does not fit.",
            name=path.name,
        )
    return wrong_passphrase(path)


def wrong_passphrase(path: Path) -> WrongPassphrase:
    """The error for a file that may be a workspace under another passphrase."""
    return WrongPassphrase(
        "The passphrase does not fit {name}. Check capital letters and the keyboard layout. If it is surely right, the "
        "file is not a RadCal workspace or its first bytes are damaged: open a backup of it.",
        name=path.name,
    )


def _is_text(head: bytes) -> bool:
    # Of 4096 random bytes, some 400 are control characters and 16 are zero.
    controls = sum(byte < 9 or 13 < byte < 32 for byte in head)
    utf16 = head.startswith((b"\xff\xfe", b"\xfe\xff")) and head.count(0) * 4 > len(head)
    return controls == 0 or utf16
