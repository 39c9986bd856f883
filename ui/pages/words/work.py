"""What the Words page asks of the worker, and the records that come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.lexicon import editing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.lexicon.phrases import Lexicon
    from radcal.lexicon.responses import Response, Surveyed
    from radcal.progress import Progress
    from radcal.records import Phrase
    from radcal.workflow.words.words import LexiconVersion, Uses, WordsState
    from ui.facade import Department

SHIPPED, SHIPPED_PUBLIC, SURVEY = "shipped", "shipped, public", "survey"
"""As radcal.workflow.words.words names them, which is not imported before a department is open."""


@dataclass(frozen=True, eq=False)
class WordList:
    """What is edited, and what undo goes back to.

    allowed: words that advice may propose, empty for all;  origin: what meanings are reset to
    """

    lexicon: Lexicon
    allowed: tuple[str, ...]
    origin: Lexicon

    @property
    def key(self) -> tuple[str, ...]:
        """The same for the same words, meanings and choices."""
        return (self.lexicon.version, self.origin.version, *sorted(self.allowed))

    def allows(self, name: str) -> bool:
        """Whether advice may propose the phrase."""
        return not self.allowed or name in self.allowed


@dataclass(frozen=True, eq=False)
class WordsView:
    """All that the page shows."""

    words: WordList
    uses: Uses
    state: WordsState
    history: tuple[LexiconVersion, ...]
    responses: tuple[Response, ...]
    surveyed: Surveyed


@dataclass(frozen=True, eq=False)
class Ridge:
    """A phrase as the picture draws it.

    shape: (B,) height of its distribution on equal bins of [0, 1], the highest 1; all 0 for a point mass
    mean, spread, low, high: in 0-1;  fixed: it cannot be moved
    """

    name: str
    mean: float
    spread: float
    low: float
    high: float
    shape: NDArray[np.float64]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A phrase as the table shows it; ``uses`` is None where no report was read yet."""

    phrase: Phrase
    mean: float
    spread: float
    allowed: bool
    uses: int | None


@dataclass(frozen=True, eq=False)
class SurveyState:
    """What colleagues have answered, and what follows from it."""

    responses: tuple[Response, ...]
    surveyed: Surveyed


@dataclass(frozen=True, eq=False)
class ReadList:
    """A lexicon that was read from a file or chosen to be compared, and its name for the user."""

    lexicon: Lexicon
    name: str
    key: str = field(default="")


def load(department: Department, _progress: Progress) -> WordsView:
    """The department's words, how its reports use them, and its own survey."""
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
    """Make the words the department's; all versions."""
    department.words.save(words.lexicon, words.allowed, what=what, origin=words.origin)
    return department.words.history()


def state(department: Department, _progress: Progress) -> WordsState:
    """Whether the results on show were made with the words as they are now."""
    return department.words.state()


def read_file(path: Path, department: Department, _progress: Progress) -> ReadList:
    """A survey or a list of phrases from a file."""
    return ReadList(department.words.read_list(path), path.stem)


def lexicon_of(key: str, name: str, department: Department, _progress: Progress) -> ReadList:
    """A lexicon that ships, a version, or that of the department's own survey."""
    return ReadList(department.words.of(key), name, key)


def keep_response(response: Response, department: Department, _progress: Progress) -> SurveyState:
    """Keep what a colleague has answered so far."""
    if response.answers:
        department.words.save_response(response)
    return _surveyed(department)


def remove_response(key: str, department: Department, _progress: Progress) -> SurveyState:
    """Take a colleague's answers out."""
    department.words.remove_response(key)
    return _surveyed(department)


def new_response(name: str, department: Department, _progress: Progress) -> Response:
    """The questions for a colleague, in an order of their own."""
    return department.words.new_response(name)


def _surveyed(department: Department) -> SurveyState:
    return SurveyState(department.words.responses(), department.words.surveyed())


# --- quick enough for the GUI thread: a few phrases, no reports ---------------------------------------


def ridges(phrases: Sequence[Phrase]) -> tuple[Ridge, ...]:
    """The phrases as the picture draws them, in their order."""
    from radcal.lexicon.shapes import shapes

    drawn = shapes(phrases)
    return tuple(
        Ridge(p.name, editing.mean_of(p), editing.spread_of(p), p.low, p.high, shape, editing.is_plain(p.name))
        for p, shape in zip(phrases, drawn, strict=True)
    )


def rows(words: WordList, uses: Mapping[str, int] | None) -> tuple[PhraseRow, ...]:
    """The rows of the table, strongest first."""
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
