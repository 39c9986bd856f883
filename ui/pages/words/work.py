"""Background work for the Words page, and the records it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from radcal.words import editing
from radcal.words.phrases import mean_of, spread_of
from radcal.words.scales import Place, belongs, place, scales, stated
from ui.plots.records import Ridge
from ui.widgets.perception_sentences import model_name
from ui.words import say

if TYPE_CHECKING:
    from radcal.calibration.department_words import LexiconVersion, Uses, WordsState
    from radcal.department import Department
    from radcal.lab.perception import Perceived
    from radcal.system.progress import Progress
    from radcal.words.phrases import Lexicon
    from radcal.words.records import Phrase, Scale, ScaleWord
    from radcal.words.responses import Response, Surveyed

SHIPPED, SHIPPED_PUBLIC, SURVEY = "shipped", "shipped, public", "survey"
"""As in radcal.calibration.department_words, which is not imported before a department is open."""
MODEL = "model "
"""Begins the keys of language models' readings."""
SURVEYS: tuple[tuple[str, Callable[[], str]], ...] = (
    (SHIPPED, lambda: say("Survey of 142 radiologists (shipped)")),
    (SHIPPED_PUBLIC, lambda: say("Survey of 123 people of the public (shipped)")),
)


@dataclass(frozen=True, eq=False)
class WordList:
    """The list being edited, and the one that reset restores.

    allowed: phrases ticked for advice, empty for those that are for advice, or the scale's
    origin: supplies the meanings for a reset
    scale: the vocabulary, whose words alone advice may propose
    """

    lexicon: Lexicon
    allowed: tuple[str, ...]
    origin: Lexicon
    scale: Scale | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for lists with equal phrases, meanings, permissions and vocabulary."""
        vocabulary = self.scale.key if self.scale is not None else ""
        return (self.lexicon.version, self.origin.version, vocabulary, *sorted(self.allowed))

    def ticks(self, name: str) -> bool:
        """Whether the phrase is ticked for advice."""
        return name in (self.allowed or self.usual)

    @property
    def usual(self) -> tuple[str, ...]:
        """The phrases that count as ticked where none were chosen."""
        return tuple(p.name for p in self.lexicon.phrases if self.scale is not None or p.advised)

    def allows(self, name: str) -> bool:
        """Whether advice may propose the phrase."""
        return self.ticks(name) and belongs(self.scale, name)

    @property
    def is_usable(self) -> bool:
        """Whether advice may propose anything: of a scale at least one of its words."""
        return any(self.allows(p.name) for p in self.lexicon.phrases if not (self.scale and editing.is_plain(p.name)))

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
    scales: tuple[Scale, ...]
    sources: tuple[ReadList, ...] = ()


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A phrase as a table row; ``uses`` is None if no report was read yet.

    stated: what the vocabulary says of it;  place: where it stands there
    """

    phrase: Phrase
    allowed: bool
    uses: int | None
    stated: ScaleWord | None = None
    place: Place = "outside"


@dataclass(frozen=True, eq=False)
class ReadList:
    """A lexicon read from a file or selected for comparison, with its display name."""

    lexicon: Lexicon
    name: str
    key: str = ""


def load(department: Department, _progress: Progress) -> WordsView:
    """The department's words, their use in its reports, and its own survey."""
    words, allowed = department.words, department.settings.allowed_phrases
    return WordsView(
        words=WordList(department.lexicon, allowed, words.origin, department.vocabulary.scale),
        uses=words.uses(),
        state=words.state(),
        history=words.history(),
        survey=survey(department),
        scales=scales(),
        sources=sources(department),
    )


def sources(department: Department) -> tuple[ReadList, ...]:
    """Where a phrase's meaning can be taken from: the shipped surveys, and the language models that were asked."""
    from radcal.lab.model_perception import Perceptions, lexicon_of

    found = [ReadList(department.words.of(key), name(), key) for key, name in SURVEYS]
    for kept in Perceptions(department).all():
        key = f"{MODEL}{kept.model_hash} {kept.shots}"
        if kept.meanings and all(source.key != key for source in found):
            found.append(ReadList(lexicon_of(kept), language_model(kept), key))
    return tuple(found)


def language_model(kept: Perceived) -> str:
    """A model as a source of meanings, marked as such."""
    model = model_name(kept.who)
    if kept.shots:
        return say("{model}, a language model, with examples", model=model)
    return say("{model}, a language model", model=model)


def save(words: WordList, what: str, department: Department, _progress: Progress) -> tuple[LexiconVersion, ...]:
    """Make the words the department's; returns all versions."""
    vocabulary = words.scale.key if words.scale is not None else ""
    own, allowed = department.words, department.settings.allowed_phrases
    if words.key[:2] != (department.lexicon.version, own.origin.version) or words.allowed != allowed:
        own.save(words.lexicon, words.allowed, what=what, origin=words.origin)
    if vocabulary != department.settings.vocabulary:
        department.words.choose_vocabulary(vocabulary)
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
    from radcal.words.bins import shapes

    drawn = shapes(phrases)
    return tuple(
        Ridge(p.name, mean_of(p), spread_of(p), p.low, p.high, shape, editing.is_plain(p.name))
        for p, shape in zip(phrases, drawn, strict=True)
    )


def rows(words: WordList, uses: Mapping[str, int] | None) -> tuple[PhraseRow, ...]:
    """The table rows, strongest first."""
    scale, lexicon = words.scale, words.lexicon
    return tuple(
        PhraseRow(
            p,
            words.allows(p.name),
            None if uses is None else uses.get(p.name, 0),
            None if scale is None else stated(scale, p.name),
            "outside" if scale is None else place(scale, p.name, p.name, lexicon)[0],
        )
        for p in reversed(lexicon.phrases)
    )
