"""Background work for the Words page, and the records it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.lexicon import editing
from ui.plots.records import Ridge

if TYPE_CHECKING:
    from radcal.lexicon.phrases import Lexicon
    from radcal.lexicon.responses import Response, Surveyed
    from radcal.progress import Progress
    from radcal.records import Phrase
    from radcal.workflow import Department
    from radcal.workflow.words.words import LexiconVersion, Uses, WordsState

SHIPPED, SHIPPED_PUBLIC, SURVEY = "shipped", "shipped, public", "survey"
"""As radcal.workflow.words.words names them, which is not imported before a department is open."""


@dataclass(frozen=True, eq=False)
class WordList:
    """The list being edited, and the one that reset restores.

    allowed: words that advice may propose, empty for all;  origin: what meanings are reset to
    """

    lexicon: Lexicon
    allowed: tuple[str, ...]
    origin: Lexicon

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for equal words, meanings and permissions."""
        return (self.lexicon.version, self.origin.version, *sorted(self.allowed))

    def allows(self, name: str) -> bool:
        """Whether advice may propose the phrase."""
        return not self.allowed or name in self.allowed


@dataclass(frozen=True, eq=False)
class WordsView:
    """Everything the page shows."""

    words: WordList
    uses: Uses
    state: WordsState
    history: tuple[LexiconVersion, ...]
    responses: tuple[Response, ...]
    surveyed: Surveyed


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A phrase as a table row; ``uses`` is None if no report was read yet."""

    phrase: Phrase
    mean: float
    spread: float
    allowed: bool
    uses: int | None


@dataclass(frozen=True, eq=False)
class SurveyState:
    """The colleagues' answers and the results."""

    responses: tuple[Response, ...]
    surveyed: Surveyed


@dataclass(frozen=True, eq=False)
class ReadList:
    """A lexicon read from a file or selected for comparison, with its display name."""

    lexicon: Lexicon
    name: str
    key: str = field(default="")


def load(department: Department, _progress: Progress) -> WordsView:
    """The department's words, their use in its reports, and its own survey."""
    words = department.words
    return WordsView(
        words=WordList(words.lexicon, words.allowed, words.origin),
        uses=words.uses(),
        state=words.state(),
        history=words.history(),
        responses=words.responses(),
        surveyed=words.surveyed(),
    )


def save(words: WordList, what: str, department: Department, _progress: Progress) -> tuple[LexiconVersion, ...]:
    """Make the words the department's; returns all versions."""
    department.words.save(words.lexicon, words.allowed, what=what, origin=words.origin)
    return department.words.history()


def read_file(path: Path, department: Department, _progress: Progress) -> ReadList:
    """A survey or phrase list from a file."""
    return ReadList(department.words.read_list(path), path.stem)


def lexicon_of(key: str, name: str, department: Department, _progress: Progress) -> ReadList:
    """A built-in lexicon, a version, or the department's own survey."""
    return ReadList(department.words.of(key), name, key)


def keep_response(response: Response, department: Department, _progress: Progress) -> SurveyState:
    """Store a colleague's answers so far."""
    if response.answers:
        department.words.save_response(response)
    return _surveyed(department)


def remove_response(key: str, department: Department, _progress: Progress) -> SurveyState:
    """Remove a colleague's answers."""
    department.words.remove_response(key)
    return _surveyed(department)


def _surveyed(department: Department) -> SurveyState:
    return SurveyState(department.words.responses(), department.words.surveyed())


# --- quick enough for the GUI thread: a few phrases, no reports ---------------------------------------


def ridges(phrases: Sequence[Phrase]) -> tuple[Ridge, ...]:
    """The phrases in plot order."""
    from radcal.lexicon.shapes import shapes

    drawn = shapes(phrases)
    return tuple(
        Ridge(p.name, editing.mean_of(p), editing.spread_of(p), p.low, p.high, shape, editing.is_plain(p.name))
        for p, shape in zip(phrases, drawn, strict=True)
    )


def rows(words: WordList, uses: Mapping[str, int] | None) -> tuple[PhraseRow, ...]:
    """The table rows, strongest first."""
    return tuple(
        PhraseRow(
            p,
            editing.mean_of(p),
            editing.spread_of(p),
            words.allows(p.name),
            None if uses is None else uses.get(p.name, 0),
        )
        for p in reversed(words.lexicon.phrases)
    )
