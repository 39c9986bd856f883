"""The stored analysis, read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from radcal.calibration.analysis_records import Measurements
from radcal.calibration.model_answers import of_models
from radcal.calibration.records import ALL_AUTHORS, Mix, Reliability, Spread, Verification
from radcal.review.records import ReadingErrors
from radcal.system.files import plain_to_record
from radcal.system.settings import Settings
from radcal.system.text import Text
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import Phrase
from radcal.workspace.context import ANALYSIS, CURRENT, LEXICON, PSEUDONYM, Context, lexicon_from, no_analysis
from radcal.workspace.pseudonyms import pseudonyms

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """What an author's results are made with.

    phrases: weakest first;  mixes: by topic, the reference's use of outcomes;  errors: of reading, None without
    spread: of the department, None of a language model, for which only what RadCal ships with is known
    is_model: the author is a language model, whose answers have no day and no report
    verification: by group (author, topic), what was said without a CT, where that is known
    """

    phrases: tuple[Phrase, ...]
    settings: Settings
    mixes: Mapping[str, Mix] = field(default_factory=dict)
    errors: ReadingErrors | None = None
    spread: Spread | None = None
    is_model: bool = False
    verification: Mapping[tuple[str, str], Verification] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class StoredAnalysis:
    """What was measured in the workspace's analysis; what people have read since is told with it.

    record: what is read back
    quoted: the engine's accuracy to quote, in words, given the one stored with the analysis
    errors: why no errors of reading are carried on, given what the analysis says of that
    """

    record: ClassVar[type[Measurements]] = Measurements
    _context: Context
    _quoted: Callable[[Text], Text] = Text
    _errors: Callable[[Text], Text] = Text
    _last: tuple[str, Measurements] | None = field(default=None, init=False)

    def last(self) -> Measurements | None:
        """The latest analysis, None if there is none."""
        key = self._context.analysis_key
        if key is None:
            return None
        if self._last is None or self._last[0] != key:
            stored = self._context.workspace.load_result(ANALYSIS, CURRENT)
            if stored is not None and stored.get("spread") is None:  # not made with the department's model
                stored = _reopened(stored)
            self._last = None if stored is None else (key, plain_to_record(stored, self.record))
        if self._last is None:
            return None
        analysis = self._last[1]
        made = analysis.provenance
        quoted = self._quoted(made.extraction_accuracy)
        about = made.reading_errors if analysis.errors is not None else self._errors(made.reading_errors)
        if (quoted, about) == (made.extraction_accuracy, made.reading_errors):
            return analysis
        return replace(analysis, provenance=replace(made, extraction_accuracy=quoted, reading_errors=about))

    def required(self) -> Measurements:
        """The latest analysis.

        Raises:
            DataError: there is none yet.
        """
        analysis = self.last()
        if analysis is None:
            raise no_analysis()
        return analysis

    def remember(self, key: str, analysis: Measurements) -> None:
        """Cache the analysis just stored under ``key``."""
        self._last = key, analysis

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon behind the analysis; the department's current one without an analysis or if it is unknown."""
        context, analysis = self._context, self.last()
        made_with = analysis.provenance.lexicon.rpartition(" ")[2] if analysis else ""
        if made_with in ("", context.lexicon.version):
            return context.lexicon
        if load_lexicon().version == made_with:
            return load_lexicon()
        versions = sorted(context.workspace.results(LEXICON).items(), reverse=True)
        stored = next((v.payload for _, v in versions if v.payload["version"] == made_with), None)
        return lexicon_from(stored) if stored else context.lexicon

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases of :attr:`lexicon`, weakest first."""
        return self.lexicon.phrases

    def is_model(self, author: str) -> bool:
        """Whether the author is a language model whose answers were taken in."""
        analysis = self.last()
        return analysis is not None and analysis.models is not None and author in analysis.models.phrases

    def basis(self, author: str = ALL_AUTHORS) -> Basis:
        """What the results of an author, or of all radiologists, are made with.

        Raises:
            DataError: there is no analysis yet.
        """
        analysis, settings = self.required(), self._context.settings
        if analysis.models is not None and author in analysis.models.phrases:
            return Basis(analysis.models.phrases[author], of_models(settings), is_model=True)
        return Basis(
            self.phrases, settings, analysis.mixes, analysis.errors, analysis.spread, verification=self._verification()
        )

    def held(self, reliabilities: Iterable[Reliability]) -> tuple[Reliability, ...]:
        """Reliabilities of some days with the verdicts that hold with what is known of statements without a CT.

        That is known of all days together, and is taken to be alike in these.

        Raises:
            DataError: there is no analysis yet.
        """
        from radcal.calibration.verified import with_verification

        return with_verification(reliabilities, self._verification(), self._context.settings)

    def _verification(self) -> dict[tuple[str, str], Verification]:
        every = self.required()
        found = ((r.author, r.topic, r.verification) for r in (*every.reliabilities, *every.pooled))
        return {(author, topic): v for author, topic, v in found if v is not None}

    def authors(self) -> tuple[str, ...]:
        """The radiologists of the analysis, by name.

        Raises:
            DataError: there is no analysis yet.
        """
        return tuple(sorted({r.author for r in self.required().reliabilities}))

    def pseudonyms(self) -> dict[str, str]:
        """A pseudonym for every author: the author's own where names are kept apart; else one derived for them all.

        Raises:
            DataError: there is no analysis yet.
        """
        workspace, authors = self._context.workspace, self.authors()
        if personal := self._context.personal:
            return {personal: workspace.get_meta(PSEUDONYM) or ""}
        if self._context.names.kept_apart:
            return dict(zip(authors, authors, strict=True))
        return pseudonyms(authors, workspace.pseudonym_seed)

    def observations_of(self, author: str) -> pd.DataFrame:
        """The author's observations behind the analysis.

        Raises:
            DataError: there is no analysis yet.
        """
        observations = None if self._context.analysis_key is None else self._context.workspace.observations_of(author)
        if observations is None:
            raise no_analysis()
        return observations

    def radiologists_observations(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """These columns of the observations behind the analysis, radiologist by radiologist; rows in any order.

        Raises:
            DataError: there is no analysis yet.
        """
        radiologists = {author for author in self.authors() if not self.is_model(author)}
        for author, own in self._context.workspace.observations_by_author(columns):
            if author in radiologists:
                yield own


def _reopened(stored: Any) -> Any:
    """The plain values; verdicts of earlier versions, which did not come from the model, are open."""
    if isinstance(stored, dict):
        old = stored.get("verdict") in ("agrees", "differs")
        return {name: "undecided" if old and name == "verdict" else _reopened(v) for name, v in stored.items()}
    return [*map(_reopened, stored)] if isinstance(stored, list | tuple) else stored
