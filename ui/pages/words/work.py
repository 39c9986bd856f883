"""Background work for the Words page, and the records it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from radcal.lexicon import editing
from radcal.lexicon.phrases import mean_of, spread_of
from ui.plots.records import Ridge

if TYPE_CHECKING:
    from radcal.lexicon.phrases import Lexicon
    from radcal.lexicon.responses import Response, Surveyed
    from radcal.progress import Progress
    from radcal.records import Phrase
    from radcal.workflow import Department
    from radcal.workflow.words.words import LexiconVersion, Uses, WordsState

SHIPPED, SHIPPED_PUBLIC, SURVEY = "shipped", "shipped, public", "survey"
"""As in radcal.workflow.words.words, which is not imported before a department is open."""


@dataclass(frozen=True, eq=False)
class WordList:
    """The list being edited, and the one that reset restores.

    allowed: phrases that advice may propose, empty for all;  origin: supplies the meanings for a reset
    """

    lexicon: Lexicon
    allowed: tuple[str, ...]
    origin: Lexicon

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for lists with equal phrases, meanings and permissions."""
        return (self.lexicon.version, self.origin.version, *sorted(self.allowed))

    def allows(self, name: str) -> bool:
        """Whether advice may propose the phrase."""
        return not self.allowed or name in self.allowed

    def with_lexicon(self, lexicon: Lexicon, origin: Lexicon) -> WordList:
        """The list with another lexicon; phrases that it lacks lose their permission."""
        names = {p.name for p in lexicon.phrases}
        return replace(self, lexicon=lexicon, origin=origin, allowed=tuple(n for n in self.allowed if n in names))


@dataclass(frozen=True, eq=False)
class SurveyState:
    """The colleagues' answers and the results."""

    responses: tuple[Response, ...]
    surveyed: Surveyed


@dataclass(frozen=True, eq=False)
class WordsView:
    """Everything the page shows."""

    words: WordList
    uses: Uses
    state: WordsState
    history: tuple[LexiconVersion, ...]
    survey: SurveyState


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A phrase as a table row; ``uses`` is None if no report was read yet."""

    phrase: Phrase
    allowed: bool
    uses: int | None


@dataclass(frozen=True, eq=False)
class ReadList:
    """A lexicon read from a file or selected for comparison, with its display name."""

    lexicon: Lexicon
    name: str
    key: str = ""


def load(department: Department, _progress: Progress) -> WordsView:
    """The department's words, their use in its reports, and its own survey."""
    words = department.words
    return WordsView(
        words=WordList(words.lexicon, words.allowed, words.origin),
        uses=words.uses(),
        state=words.state(),
        history=words.history(),
        survey=survey(department),
    )


def save(words: WordList, what: str, department: Department, _progress: Progress) -> tuple[LexiconVersion, ...]:
    """Make the words the department's; returns all versions."""
    department.words.save(words.lexicon, words.allowed, what=what, origin=words.origin)
    return department.words.history()


def survey(department: Department) -> SurveyState:
    """The department's own survey."""
    return SurveyState(department.words.responses(), department.words.surveyed())


def store_response(key: str, response: Response | None, department: Department, _progress: Progress) -> SurveyState:
    """Store a colleague's answers so far, or remove those under ``key``."""
    if response is None:
        department.words.remove_response(key)
    elif response.answers:
        department.words.save_response(response)
    return survey(department)


# --- quick enough for the GUI thread: a few phrases, no reports ---------------------------------------


def ridges(phrases: Sequence[Phrase]) -> tuple[Ridge, ...]:
    """The phrases in plot order."""
    from radcal.lexicon.shapes import shapes

    drawn = shapes(phrases)
    return tuple(
        Ridge(p.name, mean_of(p), spread_of(p), p.low, p.high, shape, editing.is_plain(p.name))
        for p, shape in zip(phrases, drawn, strict=True)
    )


def rows(words: WordList, uses: Mapping[str, int] | None) -> tuple[PhraseRow, ...]:
    """The table rows, strongest first."""
    return tuple(
        PhraseRow(p, words.allows(p.name), None if uses is None else uses.get(p.name, 0))
        for p in reversed(words.lexicon.phrases)
    )
