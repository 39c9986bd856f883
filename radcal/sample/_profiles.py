"""The fictitious radiologists of the sample and their habits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Layout = Literal["headed", "numbered", "template", "conclusion", "opinion", "lines", "impression", "paragraph"]


@dataclass(frozen=True, slots=True)
class Radiologist:
    """An author of X-ray reports.

    soft, hard:  weight of each phrase, for interpretations and for visible findings
    shifts:      by pathology: difference between the log odds of confirmation of a hedge and those that the phrase
                 means; positive for words too weak, negative for words too strong
    focus:       frequent pathologies of the author's patients
    interpret:   section of the hedges
    """

    name: str
    layout: Layout
    soft: Mapping[str, float]
    hard: Mapping[str, float]
    shifts: Mapping[str, float] = field(default_factory=dict)
    focus: tuple[str, ...] = ()
    interpret: Literal["findings", "impression", "both"] = "both"
    terse: bool = False
    capitals: bool = False
    typos: float = 0.0
    long: bool = False


RADIOLOGISTS: tuple[Radiologist, ...] = (
    Radiologist(
        "Quillfeather, Avery",
        "headed",
        soft={"likely": 5, "may represent": 4, "present": 1.5, "unlikely": 1, "consistent with": 1},
        hard={"present": 6, "likely": 1.5, "possibly": 1.5},
        shifts={"edema": -1.35},
        focus=("edema", "pleural effusion"),
        interpret="impression",
    ),
    Radiologist(
        "Thistledown, Bellamy",
        "numbered",
        soft={"may represent": 5, "possibly": 4, "probably": 1, "unlikely": 1, "present": 1},
        hard={"present": 5, "possibly": 3, "probably": 1},
        shifts={"atelectasis": 1.7, "infection": 0.3},
        focus=("atelectasis", "infection"),
    ),
    Radiologist(
        "Larkspurling, Cosmo",
        "template",
        soft={"consistent with": 4, "most likely": 4, "likely": 1.5, "present": 2, "unlikely": 0.5},
        hard={"present": 7, "probably": 1.5, "possibly": 1},
        shifts={"infection": -2.4, "consolidation": -0.8},
        focus=("infection", "cardiomegaly"),
        interpret="findings",
    ),
    Radiologist(
        "Marblewick, Delphine",
        "lines",
        soft={"suggestive of": 4, "probably": 3, "likely": 2, "question of": 1.5, "present": 1.5},
        hard={"present": 6, "probably": 2, "question of": 2},
        focus=("edema", "consolidation"),
        terse=True,
        capitals=True,
    ),
    Radiologist(
        "Nettlebrook, Ezra",
        "impression",
        soft={"possibly": 6, "may represent": 3, "unlikely": 1, "present": 1},
        hard={"possibly": 4, "present": 5, "may represent": 1},
        shifts={"pleural effusion": 1.6, "edema": 0.8},
        focus=("pleural effusion", "edema"),
        terse=True,
    ),
    Radiologist(
        "Owlsworth, Fenella",
        "conclusion",
        soft={"compatible with": 4, "consistent with": 3, "likely": 2, "present": 1},
        hard={"present": 6, "likely": 2, "compatible with": 1},
        shifts={"atelectasis": -2.2},
        focus=("atelectasis", "pleural effusion"),
        interpret="impression",
    ),
    Radiologist(
        "Pennyfern, Gideon",
        "paragraph",
        soft={"suspicious for": 5, "worrisome for": 2, "may represent": 2, "present": 1, "unlikely": 1},
        hard={"present": 6, "suspicious for": 2, "possibly": 1.5},
        shifts={"infection": -1.3},
        focus=("infection", "nodule"),
    ),
    Radiologist(
        "Quincetree, Harriet",
        "headed",
        soft={"question of": 4, "possibly": 3, "maybe": 2, "present": 1.5},
        hard={"present": 5, "question of": 3, "maybe": 1},
        shifts={"edema": 1.4},
        focus=("edema", "cardiomegaly"),
        typos=0.12,
    ),
    Radiologist(
        "Rookhollow, Ivo",
        "numbered",
        soft={"likely": 3, "most likely": 2.5, "highly suggestive of": 2.5, "may represent": 2, "present": 1},
        hard={"present": 7, "likely": 2},
        focus=("infection", "atelectasis"),
        interpret="impression",
        long=True,
    ),
    Radiologist(
        "Snowberrow, Juniper",
        "opinion",
        soft={"unlikely": 4, "very unlikely": 1.5, "probably": 3, "likely": 2, "present": 1},
        hard={"present": 5, "unlikely": 1.5, "probably": 2},
        shifts={"infection": 1.5},
        focus=("infection", "edema"),
        typos=0.04,
    ),
    Radiologist(
        "Tanglewood, Kester",
        "template",
        soft={"diagnostic of": 2, "compatible with": 3, "present": 3, "suggestive of": 2},
        hard={"present": 8, "suggestive of": 1},
        shifts={"consolidation": -1.4, "edema": -1.0},
        focus=("consolidation", "pleural effusion"),
        capitals=True,
        interpret="findings",
    ),
    Radiologist(
        "Umberleaf, Lavinia",
        "opinion",
        soft={"likely": 3, "may represent": 3, "possibly": 2, "consistent with": 2, "unlikely": 1, "present": 1.5},
        hard={"present": 6, "likely": 2, "possibly": 2},
        focus=("atelectasis", "edema"),
        long=True,
    ),
)

TRAINEES = ("Acornby, Pip (resident)", "Bramblecot, Sam (resident)", "Cloverdell, Kit (fellow)")


@dataclass(frozen=True, slots=True)
class Reader:
    """An author of CT reports."""

    name: str
    structured: bool
    impression: bool


READERS: tuple[Reader, ...] = (
    Reader("Dewfall, Morgan", structured=True, impression=True),
    Reader("Elderwick, Robin", structured=True, impression=False),
    Reader("Foxmantle, Jules", structured=False, impression=True),
    Reader("Gorsehill, Noor", structured=True, impression=True),
    Reader("Hazelbeck, Toni", structured=False, impression=False),
)
