"""The radiologists' pages: their input and output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from radcal.advice.records import Advice
from radcal.calibration.analysis_records import Provenance, Unread
from radcal.calibration.goal_changes import GoalChange
from radcal.calibration.records import OthersRate, Reliability, Wording
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.text import Text
from radcal.words.records import Phrase, VocabularyUse


@dataclass(frozen=True, slots=True)
class Example:
    """A finding of the author with the CT's statement; spans mark the certainty words.

    ct_sentence: what the CT report says of it, '' if nothing;  silence: then, why that counts as absent
    outcome: how far the CT confirms it, 0-1; between them where the CT report hedges too
    """

    topic: str
    phrase: str
    xray_sentence: str
    cue_start: int
    cue_end: int
    ct_sentence: str
    outcome: float
    day: date | None = None
    """When the X-ray was made."""
    silence: str = ""


CaseKind = Literal["great call", "right", "missed", "between"]
"""Of a case: the word was on the side that CT showed, and against the odds of what others' films show; on that side; on
the other one; or it claims neither."""


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case worth a look.

    chance: how likely what CT said was by the department's model, given the reader's word, 0-1
    """

    xray_id: str
    example: Example
    kind: CaseKind
    chance: float


@dataclass(frozen=True, slots=True)
class NewCases:
    """Cases worth a look, of the films that their reader was not shown before.

    since: when feedback was last given before these; None for the first
    n: how many new findings there are in all
    """

    cases: tuple[NewCase, ...] = ()
    since: date | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Goal:
    """A radiologist's goal: to write ``target`` rather than ``source`` on a topic, which may be all of them.

    plan: when and how, in own words;  at: when it was set, UTC in ISO 8601;  by: the author, or '' for QA staff
    feedback: when feedback that tells of it was first handed out, as ``at``;  closed: when another took its place, or
        it was dropped;  '' not yet
    """

    author: str
    topic: str
    source: str
    target: str
    plan: str
    at: str
    by: str = ""
    feedback: str = ""
    closed: str = ""

    @property
    def day(self) -> date:
        """The day on which it was set."""
        return datetime.fromisoformat(self.at).astimezone().date()


@dataclass(frozen=True, slots=True)
class GoalSaid:
    """A goal and what became of it, in words and numbers.

    head: the goal;  became: whether its words came closer;  uses: how often they were written before and since
    """

    goal: Goal
    head: Text
    became: Text
    uses: Text
    change: GoalChange


@dataclass(frozen=True, slots=True)
class PageChoice:
    """What one author's pages include; by default everything the author's own data provide.

    without: pathologies left out, so that one that is new comes in by itself
    diagrams: the diagrams and tables, pathology by pathology;  comparison: the department's other readers together
    note: words of the quality assurance staff for the top of the first page; a blank line parts paragraphs
    """

    without: tuple[str, ...] = ()
    recommendations: bool = True
    diagrams: bool = True
    examples: bool = True
    comparison: bool = False
    note: str = ""


Paper = Literal["a4", "us-letter"]
Standard = Literal["", "a-2a", "a-2b", "a-2u", "a-3a", "a-3b", "a-3u", "a-4", "ua-1"]
"""Standards that pages can be made to conform to: PDF/A for archives, PDF/UA for assistive technology; "" for none."""
Pages = Literal["two", "full"]
"""How much an author's pages hold: two sheets, or every pathology, all examples, limits and sources besides."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Paper size, language, standard and number of the pages.

    paper: "a4" or "us-letter"
    standard: "" for PDF 1.7, or the standard to conform to
    language: "en" or "de", with a region if it matters ("en-GB"); recorded in the file
    pages: "two" sheets for an author and one for the department, or "full"
    """

    paper: Paper = "a4"
    standard: Standard = ""
    language: str = "en"
    pages: Pages = "two"


USUAL_SHEET = Sheet()


@dataclass(frozen=True, eq=False)
class FeedbackInput:
    """Everything one author's pages are made from."""

    author: str
    pseudonym: str
    reliabilities: tuple[Reliability, ...]
    advices: tuple[Advice, ...]
    examples: tuple[Example, ...]
    phrases: tuple[Phrase, ...]
    provenance: Provenance
    counts: Mapping[str, int] = field(default_factory=dict)
    """Further counts to state, in words, e.g. 'not mentioned on X-ray, found on CT': 12."""
    wordings: tuple[Wording, ...] = ()
    """The words that the author really wrote for each phrase, the most frequent first."""
    others: tuple[OthersRate, ...] = ()
    """How the department's other readers together fared with the same words; () where that is not to be shown."""
    days: Days = ALL_DAYS
    """The days that were asked for: all of the above is made from the examinations of these alone."""
    pooled: Reliability | None = None
    """All pathologies together, with their advice; None where that is not known."""
    pooled_advice: Advice | None = None
    unread: Unread | None = None
    """What was left out of all pathologies together as unread; None for nothing, or where that is not known."""
    vocabulary: VocabularyUse | None = None
    """How often the author kept to the department's vocabulary; None where none was chosen."""
    name: str | None = None
    """What the pages call the author: a name, '' where nothing but the pseudonym is known; None for ``author``."""
    goal: GoalSaid | None = None
    """The author's goal and what became of it; None without one."""
    new: NewCases = NewCases()
    """What CT showed since the last feedback."""

    @property
    def known_as(self) -> str:
        """The one thing that the pages call the author: no page has a name and its pseudonym."""
        return (self.author if self.name is None else self.name) or self.pseudonym


@dataclass(frozen=True, slots=True)
class TeachingCase:
    """A case for a meeting, without what identifies patient, radiologist or examination.

    finding: X-ray report and pathology, by which the department finds it again; nothing that leaves has it
    phrase: the certainty word, as it is counted;  words: as they were written, '' for a plain statement
    xray, ct: excerpts of the reports, the CT's '' where it says nothing of it;  ct_key: the sentence of it that answers
    outcome: how far the CT shows it, 0-1; between them where the CT report hedges too
    point, question: what quality assurance typed, '' for nothing
    """

    finding: tuple[str, str]
    topic: str
    phrase: str
    words: str
    xray: str
    ct: str
    ct_key: str
    outcome: float
    point: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often CT showed what the department's radiologists said with one word, as coarse as others may see it.

    n: uses, in the middle of their band;  share, low, high: in 0-1
    """

    n: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page of a document: its size in points (1/72 inch) and its words in order."""

    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class PageImage:
    """A page as a picture: ``stride`` bytes a row, four bytes a pixel (blue, green, red, unused).

    number: of the page, from 0;  width, height: in pixels
    """

    number: int
    width: int
    height: int
    stride: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Macro:
    """A phrase with a pathology, ready to be put into a report.

    name: by which it is called, such as "pneumonia likely";  text: what it puts in, such as "likely pneumonia"
    instead_of: phrases in whose place it is advised; empty for a vocabulary.  One of them may itself be the phrase of
        another macro, when words are advised to move along the scale: they are taken over together
    """

    topic: str
    phrase: str
    name: str
    text: str
    instead_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Macros:
    """Macros of a radiologist or of a department, by name.

    language: code of the language that they are in
    kept: pathologies with the words that stay as they are, and have no macro
    unfit: pathologies and phrases without a macro because a dictation system could not take their names or texts
    """

    language: str
    macros: tuple[Macro, ...]
    kept: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unfit: tuple[tuple[str, str], ...] = ()
