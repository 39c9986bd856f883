"""Passphrases drawn at random, to be read out, written down and typed: however they are typed, they are the same."""

from __future__ import annotations

import secrets
import unicodedata

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
