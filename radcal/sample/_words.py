"""How the made-up department words its reports, and who writes them: ``resources/sample_department.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from radcal.system.files import plain_to_record
from radcal.system.resources import resource

Layout = Literal["headed", "numbered", "template", "conclusion", "opinion", "lines", "impression", "paragraph"]


@dataclass(frozen=True, slots=True)
class Words:
    """Wordings of a pathology.

    things:  noun phrases without article for positive statements; the first has no location
    countable: True if a thing takes an article ("a nodule", but "edema")
    negated: noun phrases after "No"
    organ:   section of a structured report
    anchors: (noun phrase, plural), descriptions of suspicious findings
    present: specific sentences (terse, full) that affirm it
    absent:  specific sentences (terse, full) that deny it, instead of "No ..."
    soft:    True for interpretations rather than visible findings, which are hedged more often
    """

    things: tuple[str, ...]
    negated: tuple[str, ...]
    organ: str
    anchors: tuple[tuple[str, bool], ...] = ()
    countable: bool = False
    present: tuple[tuple[str, str], ...] = ()
    absent: tuple[tuple[str, str], ...] = ()
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Frames:
    """Sentences with a phrase."""

    terse: tuple[str, ...]
    full: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Reader:
    """An author of CT reports."""

    name: str
    structured: bool
    impression: bool


@dataclass(frozen=True, slots=True)
class _Written:
    """The whole file.

    differentials: sentences with two pathologies under one phrase;  ct_topics: what CT reports word otherwise
    headings: of findings and impression, by layout;  ct_headings: by organ
    implied_by: by pathology, what is not there without it
    raised, denied, found, routine: probabilities by pathology: that an X-ray report raises or else denies it, that CT
        finds it unmentioned, and that a CT report denies it as a matter of routine
    """

    radiologists: tuple[Radiologist, ...]
    trainees: tuple[str, ...]
    readers: tuple[Reader, ...]
    topics: Mapping[str, Words]
    ct_topics: Mapping[str, Words]
    frames: Mapping[str, Frames]
    differentials: Mapping[str, tuple[str, ...]]
    no: tuple[str, ...]
    devices: tuple[str, ...]
    indications: tuple[str, ...]
    nothing: tuple[str, ...]
    ct_other: tuple[str, ...]
    xray_exams: tuple[str, ...]
    ct_exams: tuple[str, ...]
    xray_elsewhere: str
    cts_elsewhere: tuple[str, ...]
    abdominal_xray: str
    head_ct: str
    sites: Mapping[str, tuple[str, ...]]
    headings: Mapping[str, tuple[str, str]]
    ct_headings: Mapping[str, str]
    implied_by: Mapping[str, tuple[str, ...]]
    raised: Mapping[str, float]
    denied: Mapping[str, float]
    found: Mapping[str, float]
    routine: Mapping[str, float]


WRITTEN = plain_to_record(tomllib.loads(resource("sample_department.toml").read_text(encoding="utf-8")), _Written)
RADIOLOGISTS, READERS = WRITTEN.radiologists, WRITTEN.readers
TOPICS, FRAMES, DIFFERENTIALS = WRITTEN.topics, WRITTEN.frames, WRITTEN.differentials
CT_TOPICS = {**{name: replace(words, anchors=()) for name, words in TOPICS.items()}, **WRITTEN.ct_topics}
"""Wordings of CT reports, which have no anchors."""
