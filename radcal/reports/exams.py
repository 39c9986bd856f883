"""The modality of an examination, and whether it shows the chest."""

from __future__ import annotations

import re

from radcal.reports.records import Modality
from radcal.system.resources import meanings, patterns
from radcal.words.studies import Role, Study, chest, plain

OTHER_MODALITY = "other"
"""A known modality that is none of the study's."""

_OF_CODE = meanings("reading", "exams.toml", table="modalities")
_P = patterns("reading", "exams.toml")
_ASKED_FIRST = ("mammography", "ultrasound", "mr")
"""Modalities that are among the others, unless a study is of them."""


def classify(modality: str, exam: str, body_part: str, study: Study | None = None) -> tuple[str, bool]:
    """The role of an examination ('xray', 'ct', OTHER_MODALITY or '' if unknown), and whether it shows what it should.

    The modality column decides; if it is empty or unknown, the exam's name or code does.  A CT of chest, abdomen and
    pelvis is a chest CT; an X-ray of the thoracic spine or of ribs is not a chest X-ray.

    Args:
        study: whose examinations these are; None for chest X-ray and chest CT.
    """
    study = study or chest()
    name, region = plain(f"{exam} "), plain(body_part)
    kind = _of_column(modality, study) or _of_exam(name, study)
    roles = {Modality.XRAY: study.index, Modality.CT: study.reference}
    fitting = [role for role, its in roles.items() if kind in its.modalities]
    if not fitting:
        return OTHER_MODALITY if kind else "", _shows(study.index, name, region)
    shown = [role for role in fitting if _shows(roles[role], name, region)]
    return (shown or fitting)[0], bool(shown)


def _shows(role: Role, name: str, region: str) -> bool:
    if role.shows is None:
        return True
    rest = name
    if role.without is not None and role.without.search(name):
        rest = role.without.sub(" ", name)
        rest = rest if role.besides is None else role.besides.sub(" ", rest)
    only_without = rest != name and role.shows.search(rest) is None
    return (role.shows.search(name) is not None or role.shows.search(region) is not None) and not only_without


PORTABLE, FIXED = "portable", "fixed"
"""How a chest X-ray was taken: with a portable unit or lying, or at a fixed unit, in two views or upright."""


def projection(exam: str) -> str:
    """PORTABLE, FIXED, or '' where the name of a chest X-ray does not tell.

    A single AP view that is not said to be upright is taken at the bedside as a rule, and counts as portable.
    """
    name = plain(exam)
    if _P["portable"].search(name):
        return PORTABLE
    if _P["fixed"].search(name):
        return FIXED
    return PORTABLE if _P["anterior"].search(name) else ""


def is_modality(cell: str) -> bool:
    """Whether a cell is the code or name of a modality, such as 'CR', 'CT\\SR' or 'MRI', and nothing more."""
    parts = [re.sub(r"[^a-z]", "", part) for part in re.split(r"[\\,;|/]", plain(cell))]
    return any(parts) and all(part in _OF_CODE for part in parts if part)


def _of_column(cell: str, study: Study) -> str:
    # DICOM separates the modalities of a study by backslashes: CT\\SR
    parts = [re.sub(r"[^a-z]", "", part) for part in re.split(r"[\\,;|]", plain(cell))]
    found = [
        part if part in study.modalities else _OF_CODE[part] for part in parts if part in {*study.modalities, *_OF_CODE}
    ]
    if ("pt" in parts or "pet" in parts) and not study.modalities & {"pt", "pet"}:
        return OTHER_MODALITY
    wanted = [f for f in found if f in study.modalities]
    return (wanted or found or [_of_exam(plain(cell), study)])[0]


def _of_exam(name: str, study: Study) -> str:
    first = (kind for kind in _ASKED_FIRST if kind in study.modalities)
    for kind in (*first, OTHER_MODALITY, "ct", "xray"):
        if _P[f"{kind}_exam"].search(name):
            return kind
    return ""
