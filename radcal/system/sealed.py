"""Small encrypted files that are no workspaces: sealed and unsealed with a random key that is kept elsewhere.

A sealed file is

    magic "RadCal sealed\\n" | version, 1 byte | length of the kind, 1 byte | kind, ASCII | name of the key, 8 bytes
    | nonce, 12 bytes | ciphertext and tag of AES-256-GCM (NIST SP 800-38D)

Everything before the nonce is the associated data, so that a file of one kind cannot pass for one of another.  The
name of the key, the beginning of HMAC-SHA256(key, "RadCal sealed"), tells another key from damage; of a random key it
betrays nothing but that two files have the same.
"""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.system.errors import InputError
from radcal.system.files import writing
from radcal.system.inputs import reading

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
"""Bytes of a key: 256 bits, drawn at random and never a passphrase, which could be guessed without limit."""
LARGEST = 1 << 28
"""Largest sealed file, in bytes: it is decrypted in memory."""
_MAGIC = b"RadCal sealed\n"
_VERSION = 1
_NAME_BYTES = 8
_NONCE_BYTES = 12
_TAG_BYTES = 16


class Unsealable(InputError):
    """The file is no sealed file of this RadCal, or one for another purpose, or cut off, or was changed."""


class OtherKey(Unsealable):
    """The file was sealed with another key."""


def new_key() -> bytes:
    """A random key."""
    return secrets.token_bytes(KEY_BYTES)


def seal(path: Path, kind: str, key: bytes, payload: bytes) -> None:
    """Write a sealed file, whole or not at all, readable by its owner alone.

    Args:
        path: the file, which is replaced if it exists.
        kind: what the file is for, in ASCII, 1 to 255 characters.
        key: of :func:`new_key`; the same key may seal a file any number of times, up to 2**32.
        payload: the content.

    Raises:
        InputError: the file cannot be written.
        ValueError: the key does not have 32 bytes, or the file would be larger than :data:`LARGEST`.
    """
    header, nonce = _header(kind, key), os.urandom(_NONCE_BYTES)
    size = len(header) + _NONCE_BYTES + len(payload) + _TAG_BYTES
    if size > LARGEST:
        raise ValueError(f"a sealed file has at most {LARGEST:,} bytes; this one would have {size:,}")
    sealed = _cipher(key).encrypt(nonce, payload, header)
    with writing(path, "wb") as file:
        file.write(header + nonce + sealed)


def unseal(path: Path, kind: str, key: bytes) -> bytes:
    """The content of a sealed file.

    Args:
        path: the file.
        kind: what the file has to be for.
        key: that it was sealed with.

    Raises:
        OtherKey, Unsealable: the file is not what was asked for.
        InputError: the file cannot be read.
        ValueError: the key does not have 32 bytes.
    """
    from cryptography.exceptions import InvalidTag

    header, name = _header(kind, key), path.name
    with reading(path) as file:
        whole = file.read(LARGEST + 1)
    if not whole.startswith(_MAGIC) or len(whole) > LARGEST:
        raise Unsealable("{name} is no sealed file of RadCal. Choose the file that is meant.", name=name)
    place = len(_MAGIC)
    if whole[place : place + 1] > bytes([_VERSION]):
        raise Unsealable("{name} was made by a newer version of RadCal. Open it with that version.", name=name)
    place += 1
    there = whole[place : place + 1 + whole[place]] if len(whole) > place else b""
    place += len(there)
    if not there or len(there) <= there[0] or len(whole) < place + _NAME_BYTES + _NONCE_BYTES + _TAG_BYTES:
        raise damaged(name)
    if there != header[len(_MAGIC) + 1 : -_NAME_BYTES]:
        raise Unsealable(
            "{name} is a sealed file of RadCal, but for another purpose. Choose the file that is meant.", name=name
        )
    if not hmac.compare_digest(whole[place : place + _NAME_BYTES], header[-_NAME_BYTES:]):
        raise OtherKey("{name} belongs to another file: it was sealed with another key.", name=name)
    place += _NAME_BYTES
    try:
        return _cipher(key).decrypt(whole[place : place + _NONCE_BYTES], whole[place + _NONCE_BYTES :], whole[:place])
    except InvalidTag:
        raise damaged(name) from None


def _header(kind: str, key: bytes) -> bytes:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    letters = kind.encode("ascii")
    if not 0 < len(letters) < 256:
        raise ValueError("a kind has 1 to 255 characters")
    name = hmac.digest(key, b"RadCal sealed", "sha256")[:_NAME_BYTES]
    return _MAGIC + bytes([_VERSION, len(letters)]) + letters + name


def _cipher(key: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)


def damaged(name: str) -> Unsealable:
    """The error for a file that is cut off or was changed."""
    return Unsealable("{name} is damaged: it is cut off, or was changed. Use a copy of it.", name=name)


def ciphers() -> str:
    """The library whose ciphers seal, such as "OpenSSL 4.0.3 29 Sep 2026"."""
    from cryptography.hazmat.backends.openssl import backend

    return backend.openssl_version_text()
