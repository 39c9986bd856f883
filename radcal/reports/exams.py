"""The modality of an examination, and whether it shows the chest."""

from __future__ import annotations

import re
import unicodedata

from radcal.reports.records import Modality
from radcal.system.resources import meanings, patterns

OTHER_MODALITY = "other"
"""A known modality other than X-ray and CT."""

_OF_CODE = meanings("reading", "exams.toml", table="modalities")
_P = patterns("reading", "exams.toml")


def classify(modality: str, exam: str, body_part: str) -> tuple[str, bool]:
    """The modality ('xray', 'ct', OTHER_MODALITY or '' if unknown) and whether the chest is examined.

    The modality column decides; if it is empty or unknown, the exam's name or code does.  A CT of chest, abdomen and
    pelvis is a chest CT; an X-ray of the thoracic spine or of ribs is not a chest X-ray.
    """
    name = _plain(f"{exam} ")
    region = _plain(body_part)
    kind = _of_column(modality) or _of_exam(name)
    rest = _P["of_the_thorax"].sub(" ", _P["bones"].sub(" ", name)) if _P["bones"].search(name) else name
    bones_only = rest != name and _P["chest"].search(rest) is None
    chest = (_P["chest"].search(name) is not None or _P["chest"].search(region) is not None) and not bones_only
    return kind, chest


PORTABLE, FIXED = "portable", "fixed"
"""How a chest X-ray was taken: with a portable unit or lying, or at a fixed unit, in two views or upright."""


def projection(exam: str) -> str:
    """PORTABLE, FIXED, or '' where the name of a chest X-ray does not tell.

    A single AP view that is not said to be upright is taken at the bedside as a rule, and counts as portable.
    """
    name = _plain(exam)
    if _P["portable"].search(name):
        return PORTABLE
    if _P["fixed"].search(name):
        return FIXED
    return PORTABLE if _P["anterior"].search(name) else ""


def is_modality(cell: str) -> bool:
    """Whether a cell is the code or name of a modality, such as 'CR', 'CT\\SR' or 'MRI', and nothing more."""
    parts = [re.sub(r"[^a-z]", "", part) for part in re.split(r"[\\,;|/]", _plain(cell))]
    return any(parts) and all(part in _OF_CODE for part in parts if part)


def _of_column(cell: str) -> str:
    # DICOM separates the modalities of a study by backslashes: CT\SR
    parts = [re.sub(r"[^a-z]", "", part) for part in re.split(r"[\\,;|]", _plain(cell))]
    found = [_OF_CODE[p] for p in parts if p in _OF_CODE]
    if "pt" in parts or "pet" in parts:
        return OTHER_MODALITY
    wanted = [f for f in found if f != OTHER_MODALITY]
    return (wanted or found or [_of_exam(_plain(cell))])[0]


def _of_exam(name: str) -> str:
    if _P["other_exam"].search(name):
        return OTHER_MODALITY
    if _P["ct_exam"].search(name):
        return Modality.CT
    if _P["xray_exam"].search(name):
        return Modality.XRAY
    return ""


def _plain(text: str) -> str:
    if text.isascii():
        return text.casefold().replace("_", " ")
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c)).replace("_", " ")
