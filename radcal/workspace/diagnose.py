"""Why a file does not open: SQLCipher itself only says that it "is not a database".

An encrypted workspace has no marks that could be read without its passphrase: it begins with a random salt.
But every page of it carries a message authentication code, so that a passphrase which fits any page is the
right one even where the first page is damaged.

Source: SQLCipher 4 file format (page of 4096 bytes ending in a 16-byte IV and an HMAC-SHA512 over content, IV
and page number; HMAC key by two rounds of PBKDF2 with the salt XOR 0x3a).
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from radcal.workspace.errors import DamagedWorkspace, NotAWorkspace, WorkspaceError, WrongPassphrase

if TYPE_CHECKING:
    from pathlib import Path

PAGE = 4096
_SALT, _KEY, _HMAC = 16, 32, 64
_PAGES_TRIED = 8
_KNOWN = {
    b"SQLite format 3\0": "an SQLite database without encryption",
    b"PK\x03\x04": "a ZIP archive or an Office file",
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old Office file",
}
RESTORE = "Open a backup of it, or read the report files into a new workspace"


def explain(path: Path, passphrase: str, kdf_iterations: int) -> WorkspaceError:
    """The error that says why ``path`` could not be decrypted with ``passphrase``."""
    size = path.stat().st_size
    with path.open("rb") as file:
        pages = [file.read(PAGE) for _ in range(_PAGES_TRIED + 1)]
    for magic, what in _KNOWN.items():
        if pages[0].startswith(magic):
            return NotAWorkspace(f"{path.name} is {what}, not a RadCal workspace. Choose a file that RadCal made.")
    if _is_text(pages[0]):
        return NotAWorkspace(f"{path.name} is a text file, not a RadCal workspace. To read reports, import it.")
    if size < PAGE:
        return NotAWorkspace(f"{path.name} is too short for a RadCal workspace; perhaps it was not copied to its end.")
    if _fits_any(pages, passphrase, kdf_iterations):
        return DamagedWorkspace(f"The passphrase fits, but the beginning of {path.name} is damaged. {RESTORE}.")
    if size % PAGE:
        return NotAWorkspace(
            f"{path.name} is not a RadCal workspace, or was not copied to its end and the passphrase does not fit."
        )
    return wrong_passphrase(path)


def wrong_passphrase(path: Path) -> WrongPassphrase:
    """The error for a file that may well be a workspace."""
    return WrongPassphrase(
        f"The passphrase does not fit {path.name}. Check capital letters and the keyboard layout. If it is surely"
        " right, the file is not a RadCal workspace or its first bytes are damaged: open a backup of it."
    )


def _is_text(head: bytes) -> bool:
    # Among 4096 random bytes some 400 are control characters and 16 are zero.
    controls = sum(byte < 9 or 13 < byte < 32 for byte in head)
    utf16 = head.startswith((b"\xff\xfe", b"\xfe\xff")) and head.count(0) * 4 > len(head)
    return controls == 0 or utf16


def _fits_any(pages: list[bytes], passphrase: str, kdf_iterations: int) -> bool:
    salt = pages[0][:_SALT]
    key = hashlib.pbkdf2_hmac("sha512", passphrase.encode(), salt, kdf_iterations, _KEY)
    mac_key = hashlib.pbkdf2_hmac("sha512", key, bytes(b ^ 0x3A for b in salt), 2, _KEY)
    for number, page in enumerate(pages, 1):
        covered = page[_SALT if number == 1 else 0 : PAGE - _HMAC] + number.to_bytes(4, "little")
        expected = hmac.new(mac_key, covered, hashlib.sha512).digest()
        if len(page) == PAGE and hmac.compare_digest(expected, page[PAGE - _HMAC :]):
            return True
    return False
