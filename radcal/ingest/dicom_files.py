"""DICOM files recognised by their first bytes, without a parser: structured reports, other documents, and images.

Source: DICOM PS3.5 (encoding), PS3.10 (files), PS3.6 (UIDs).
"""

from __future__ import annotations

import re

from radcal.ingest.parsers import HEAD

PREFIX_END = 132
_PREFIX = b"DICM"
_ROOT = b"1.2.840.10008.5.1.4.1.1."
_CLASS = re.compile(
    # Media storage SOP class (0002,0002) or SOP class (0008,0016): implicit, explicit, or big endian
    rb"(?:\x02\x00\x02\x00|\x08\x00\x16\x00|\x00\x08\x00\x16)(?:UI..|....)(1\.2\.840\.10008\.[0-9.]{1,50})",
    re.DOTALL,
)
_BARE = re.compile(
    # The first element of a data set without preamble: group 2 or 8, with a VR or a length of a few bytes
    rb"(?:\x02\x00[\x00-\x02]\x00UL|\x08\x00[\x00-\x18]\x00(?:[A-Z]{2}..|.[\x00-\x01]\x00\x00)"
    rb"|\x00\x08\x00[\x00-\x18](?:[A-Z]{2}..|\x00\x00[\x00-\x01].))",
    re.DOTALL,
)
_DIRECTORY = b"1.2.840.10008.1.3.10"
_DOCUMENTS = (b"88.", b"104.")
"""Structured reports of all kinds, and encapsulated documents."""


def is_dicom(head: bytes) -> bool:
    """Whether a file that begins with these bytes is DICOM, with or without its preamble."""
    if head[PREFIX_END - len(_PREFIX) : PREFIX_END] == _PREFIX:
        return True
    return _BARE.match(head) is not None and class_of(head) != ""


def class_of(head: bytes) -> str:
    """The SOP class of a DICOM file, '' if its first bytes do not name it."""
    found = _CLASS.search(head[:HEAD])
    return found.group(1).rstrip(b".").decode("ascii") if found else ""


def is_document(head: bytes) -> bool:
    """Whether a DICOM file is a structured report or an encapsulated document, or may be one; images are not."""
    name = class_of(head).encode()
    return not name or (name.startswith(_ROOT) and name[len(_ROOT) :].startswith(_DOCUMENTS))


def is_directory(head: bytes) -> bool:
    """Whether a file is a DICOMDIR, the list of the files of a medium."""
    return class_of(head).encode() == _DIRECTORY
