"""The settings of a department that the window shows: section, label, unit and description.

The others are for research: they keep their defaults unless a program or ``radcal --set`` changes them.  What reads the
reports is chosen on the page of reports, the words of advice on the page of words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_origin

from radcal.system import policy
from radcal.system.settings import Settings, types_of
from radcal.system.text import Text
from ui.words import say

Kind = Literal["number", "choice", "folder"]
DEPARTMENT, COUNTS, READING = "department", "counts", "engine"
"""The sections: at sight, and below headings."""


@dataclass(frozen=True, slots=True)
class Field:
    """One setting.

    about:  what it does, and when it takes effect
    factor: displayed value / stored value: 100 for percentages
    words:  the allowed values of a choice, with their labels
    """

    name: str
    label: str
    about: str
    kind: Kind
    default: Any
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    factor: float = 1.0
    decimals: int = 0
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Declared:
    """What the settings themselves do not state: texts in English, and the display of the value.

    words: of a choice, value -> label;  others: see :class:`Field`
    """

    label: str
    about: str
    unit: str = ""
    decimals: int = 0
    percent: bool = False
    words: Mapping[str, str] = field(default_factory=dict)


_SECTIONS: Mapping[str, Mapping[str, Declared]] = {
    DEPARTMENT: {
        "window_hours": Declared(
            "Longest time from X-ray to CT", "A CT within this time makes a pair with the X-ray.", "hours", decimals=2
        ),
        "min_group_n": Declared(
            "Fewest findings for a curve", "With fewer, the counts are shown without a curve.", "findings"
        ),
        "min_phrase_n": Declared(
            "Fewest uses of a word for advice", "With fewer, there is no advice on the word.", "uses"
        ),
        "sure": Declared(
            "How sure advice must be", "How sure it must be that another word would be closer.", percent=True
        ),
        "deidentify": Declared(
            "De-identification",
            "Names, numbers and addresses are removed on import; dates are shifted.",
            words={"on": Text("on"), "off": Text("off: reports are stored as they are")},
        ),
    },
    COUNTS: {
        "trainee_rule": Declared(
            "Dictated by one, signed by another",
            "Whose report it is. Applies to files imported from now on.",
            words={
                "signer": Text("who signed it"),
                "dictator": Text("who dictated it"),
                "leave out": Text("left out"),
            },
        ),
        "signed_after_ct": Declared(
            "X-ray reports signed after the CT",
            "With no earlier version. Many were dictated before; corrections after the CT never count.",
            words={"counted": Text("counted"), "left out": Text("left out")},
        ),
        "contested": Declared(
            "Contested findings",
            "Findings that somebody said were read wrongly.",
            words={"counted": Text("counted"), "left out": Text("left out")},
        ),
        "reading_errors": Declared(
            "Reading errors",
            "How often reports are read wrongly, as measured in Review.",
            words={"carried on": Text("included in the results"), "stated": Text("stated, not included")},
        ),
        "verification": Declared(
            "Findings without a CT",
            "A verdict or advice must hold for them, too.",
            words={
                "weighted": Text("up to twice as likely, or half, as those with a CT"),
                "bounds": Text("may all be there, or none"),
            },
        ),
        "least_accuracy": Declared(
            "Reading accuracy for feedback",
            "F1, as measured in Review. Below it, pages and files of single radiologists are withheld.",
            decimals=2,
        ),
    },
    READING: {
        "lexicon_dir": Declared(
            "Your own terms", "A folder with terms, cues and confirmations added to RadCal\u2019s."
        ),
        "descriptor_advice": Declared(
            "Advice on descriptors",
            "Such as opacity: the X-ray describes it, CT names its cause.",
            words={"withheld": Text("none"), "given": Text("as on diagnoses")},
        ),
        "confidence": Declared("Coverage of intervals", "How often an interval holds the true value.", percent=True),
    },
}


def fields_of(section: str) -> tuple[Field, ...]:
    """The settings of a section, in the window's language."""
    return tuple(_field(name, declared) for name, declared in _SECTIONS[section].items())


def _field(name: str, d: Declared) -> Field:
    setting = next(f for f in fields(Settings) if f.name == name)
    kind: Kind = "folder"
    bounds = setting.metadata
    if "low" in bounds:
        kind = "number"
    elif get_origin(types_of(Settings)[name]) is Literal:
        kind = "choice"
    return Field(
        name,
        say(d.label),
        say(d.about),
        kind,
        policy.in_use().start(name, setting.default),
        bounds.get("low", 0.0),
        bounds.get("high", 0.0),
        unit="%" if d.percent else d.unit and say(d.unit),
        factor=100.0 if d.percent else 1.0,
        decimals=1 if d.percent else d.decimals,
        words={value: say(word) for value, word in d.words.items()},
    )
