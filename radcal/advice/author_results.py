"""One author's part of the analysis, for all dates or recomputed for a date range."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

import pandas as pd

from radcal.advice.stored_analysis import Analysis, StoredAdvice
from radcal.calibration.analysis_records import AuthorPairs, Provenance
from radcal.calibration.days import check_days, within
from radcal.calibration.group_results import GroupResults
from radcal.calibration.groups import pool_readers
from radcal.calibration.matched_pairs import READ, UNREAD
from radcal.calibration.model import own_part
from radcal.calibration.records import OthersRate, Wording
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_person
from radcal.system.selection import ALL_DAYS, Days, Selection
from radcal.workspace.context import Context

_REMEMBERED = 16


@dataclass(eq=False, repr=False)
class AuthorResults:
    """Each author's results, from the observations of the latest analysis; the most recent ones are cached.

    For a date range, everything is computed as in the analysis but from the statements of these dates alone:
    reliability, and advice fitted to them, judged on halves of them and withheld if they are too few.
    ``q_value_star`` is then adjusted for the author's own pathologies in the range, not for those of all authors.
    """

    _context: Context
    _stored: StoredAdvice
    _groups: GroupResults
    counts: Callable[[str], pd.DataFrame]
    _remembered: OrderedDict[str, Analysis] = field(default_factory=OrderedDict, init=False)
    _counted: tuple[str, pd.DataFrame] | None = field(default=None, init=False)

    def analysis(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Analysis:
        """The author's part of the analysis; its provenance describes the author's pairs in the date range.

        Raises:
            InputError: an author without statements in this workspace, or an empty date range.
            DataError: there is no analysis yet.
        """
        check_days(days)
        every = self._stored.required()
        if self._stored.is_model(author):
            return _of(author, every)
        if author not in (known := self._stored.authors()):
            apart = self._context.names.kept_apart  # whose pseudonyms nobody wrote into a file
            if why := self._context.names.why_unknown():
                raise InputError(
                    "{author!r} is no pseudonym of this workspace, and names are not known here. {why}",
                    author=author,
                    why=why,
                )
            names = "; ".join(name for name in known if apart or is_person(name))
            raise InputError(
                "There is no radiologist {author!r} in this workspace. There are: {names}.", author=author, names=names
            )
        if not days.are_limited:
            return _of(author, every)
        # The accuracy on own reports is part of the provenance and may change without a new analysis.
        key = repr((self._context.analysis_key, every.provenance, self._context.settings, author, days))
        found = self._remembered.pop(key, None) or self._measured(author, days, every, progress)
        self._remembered[key] = found
        while len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return found

    def _measured(self, author: str, days: Days, every: Analysis, progress: Progress) -> Analysis:
        counts = self._counts_of(author)
        counts = counts[within(counts["day"], days)]
        progress.raise_if_cancelled()
        pairs = _pairs(author, counts)
        sums = counts[counts["topic"] != ""].groupby(["topic", "what"], sort=True)["n"].sum().reset_index()
        return replace(
            self._results(author, days, every, progress),
            counts=tuple((author, str(t), str(what), int(n)) for t, what, n in sums.itertuples(index=False, name=None)),
            provenance=_made_from(every, pairs),
            pairs=(pairs,),
        )

    def _counts_of(self, author: str) -> pd.DataFrame:
        """The author's counts by day, which are the same whatever the days: those asked for last are kept."""
        key = repr((self._context.analysis_key, self._context.settings, author))
        if self._counted is None or self._counted[0] != key:
            self._counted = key, self.counts(author)
        return self._counted[1]

    def _results(self, author: str, days: Days, every: Analysis, progress: Progress) -> Analysis:
        """The analysis with the reliability and advice of the author and the days alone."""
        from radcal.advice.advice import advise
        from radcal.calibration.pooled import measure_pooled, pooled
        from radcal.calibration.reliability import measure
        from radcal.calibration.tables import build_tables, with_outcomes

        settings, phrases = self._context.settings, self._stored.phrases
        topics = [r.topic for r in every.reliabilities if r.author == author]
        parts = [self._groups.statements(Selection(author, topic, days)) for topic in topics]
        if not any(map(len, parts)):
            return replace(every, reliabilities=(), advices=(), pooled=(), pooled_advices=(), unread=())
        statements = pd.concat([p for p in parts if len(p)], ignore_index=True)
        tables = build_tables(statements, phrases, mixes=every.mixes, errors=every.errors)
        reliabilities = self._stored.held(measure(tables, phrases, settings, progress, spread=every.spread))
        together = measure_pooled(tables, phrases, settings, "author", progress, every.spread)
        together = self._stored.held(together)
        tables = with_outcomes(tables, self._groups.outcomes())
        advices = advise(tables, reliabilities, phrases, settings, progress, spread=every.spread)
        own = tuple(zip(reliabilities, advices, strict=True))
        return replace(
            every,
            models=None,
            unread=(),
            reliabilities=reliabilities,
            advices=advices,
            pooled=together,
            pooled_advices=advise(
                pooled(tables, "author"), together, phrases, settings, progress, spread=every.spread, parts=own
            ),
        )

    def wordings(self, author: str, days: Days = ALL_DAYS) -> tuple[Wording, ...]:
        """As :meth:`GroupResults.wordings_of`."""
        return self._groups.wordings_of(author, days)

    def others(self, author: str, days: Days = ALL_DAYS) -> tuple[OthersRate, ...]:
        """Confirmed rates of each phrase for all other readers together, if enough wrote it to stay anonymous.

        Raises:
            InputError: an empty date range.
        """
        check_days(days)
        analysis = self._stored.last()
        if analysis is None or self._stored.is_model(author):
            return ()
        counts: dict[tuple[str, str], list[tuple[float, float]]] = {}
        statements = self._groups.all_statements()
        theirs = statements[within(statements["xray_time"], days) & (statements["author"] != author).to_numpy()]
        sums = theirs.groupby(["topic", "phrase", "author"], observed=True)["outcome"].agg(["size", "sum"])
        for (topic, phrase, _), n, y in zip(sums.index, sums["size"], sums["sum"], strict=True):
            counts.setdefault((str(topic), str(phrase)), []).append((float(n), float(y)))
        means = {p.phrase: p.mean for r in analysis.reliabilities for p in r.phrases}
        return pool_readers(counts, means, self._context.settings.confidence)


def _of(author: str, every: Analysis) -> Analysis:
    """An author's part; a model's is in the place of a radiologist's: its answers have no pairs and no days."""
    models = every.models if every.models is not None and author in every.models.phrases else None
    if models is not None:
        every = replace(every, mixes={}, errors=None, spread=None)
    own = every if models is None else models
    pairs = next((p for p in every.pairs if p.author == author), AuthorPairs(author, 0, 0, None, None))
    return replace(
        every,
        models=None,
        reliabilities=tuple(r for r in own.reliabilities if r.author == author),
        advices=tuple(a for a in own.advices if a.author == author),
        pooled=tuple(r for r in own.pooled if r.author == author),
        pooled_advices=tuple(a for a in own.pooled_advices if a.author == author),
        counts=tuple(row for row in every.counts if row[0] == author),
        unread=tuple(u for u in every.unread if u.author == author),
        spread=None if every.spread is None else own_part(every.spread, author),
        provenance=_made_from(every, pairs),
        pairs=(pairs,),
    )


def _pairs(author: str, counts: pd.DataFrame) -> AuthorPairs:
    read, unread = (counts[counts["what"] == what] for what in (READ, UNREAD))
    first, last = (None, None) if read.empty else (_midnight(read["day"].min()), _midnight(read["day"].max()))
    return AuthorPairs(author, int(read["n"].sum()), int(unread["n"].sum()), first, last)


def _midnight(day: pd.Timestamp) -> datetime:
    return datetime(day.year, day.month, day.day)  # local time, as for all examinations


def _made_from(every: Analysis, pairs: AuthorPairs) -> Provenance:
    return replace(every.provenance, first_exam=pairs.first_exam, last_exam=pairs.last_exam, n_pairs=pairs.n_pairs)
