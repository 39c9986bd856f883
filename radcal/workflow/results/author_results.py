"""One author's part of the analysis, of all days or worked out anew from the examinations of some days alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from radcal.errors import DataError, InputError
from radcal.progress import SILENT, Progress
from radcal.quoting import is_person
from radcal.records import ALL_DAYS, Analysis, AuthorPairs, Days, FeedbackInput, OthersRate, PhraseRate
from radcal.workflow.handing_out.feedback_input import author_names
from radcal.workflow.results.analysis import no_analysis
from radcal.workflow.results.days import check_days, within
from radcal.workflow.results.matched_pairs import READ, UNREAD, counts_by_day

if TYPE_CHECKING:
    import pandas as pd

    from radcal.records import Advice, Provenance, Reliability
    from radcal.workflow.department import Department
    from radcal.workspace import Workspace

FEWEST_READERS = 3
"""Other readers of whom at least so many wrote a word are shown together: fewer could be told apart."""
COUNTS = "counts by day"
"""Under which a personal file keeps the counts of its radiologist, which a department makes when they are asked for."""
_REMEMBERED = 16


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A group within days."""

    author: str
    topic: str
    days: Days


class WithinDays:
    """Answers from the observations of the last analysis; those asked for lately are remembered.

    Within days everything is worked out as the analysis does it, from the statements of these days as if there were
    no others: reliability, and advice that is fitted to them, judged on their halves and withheld where they are too
    few.  ``q_value_star`` allows for the author's own pathologies in these days, where the analysis allows for those
    of everybody.
    """

    def __init__(self, department: Department, workspace: Workspace) -> None:
        self._department = department
        self._workspace = workspace
        self._remembered: OrderedDict[str, Analysis] = OrderedDict()

    def analysis(self, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> Analysis:
        """The author's part of the analysis; the provenance tells of the author's pairs in these days alone.

        Raises:
            InputError: nobody of that name has statements in this workspace, or the range is empty.
            DataError: there is no analysis yet, or a personal file of an earlier RadCal does not tell its days.
            Cancelled: by ``progress``.
        """
        check_days(days)
        every = self._department.analysis()
        if every is None:
            raise no_analysis()
        if author not in author_names(every):
            names = "; ".join(filter(is_person, author_names(every)))
            raise InputError(
                "There is no radiologist {author!r} in this workspace. There are: {names}.", author=author, names=names
            )
        if not days.are_limited:
            return _of(author, every)
        # The accuracy on own reports is part of the provenance and may grow without a new analysis.
        key = repr((self._department.analysis_key, every.provenance, self._department.settings, author, days))
        found = self._remembered.pop(key, None) or self._measured(author, days, every, progress)
        self._remembered[key] = found
        while len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return found

    def _measured(self, author: str, days: Days, every: Analysis, progress: Progress) -> Analysis:
        counts = self.counts(author)
        counts = counts[within(counts["day"], days)]
        progress.raise_if_cancelled()
        reliabilities, advices = self._results(author, days, every, progress)
        pairs = _pairs(author, counts)
        told = counts[counts["topic"] != ""].groupby(["topic", "what"], sort=True)["n"].sum().reset_index()
        return replace(
            every,
            reliabilities=reliabilities,
            advices=advices,
            counts=tuple((author, str(t), str(what), int(n)) for t, what, n in told.itertuples(index=False, name=None)),
            provenance=_made_from(every, pairs),
            pairs=(pairs,),
        )

    def _results(
        self, author: str, days: Days, every: Analysis, progress: Progress
    ) -> tuple[tuple[Reliability, ...], tuple[Advice, ...]]:
        import pandas as pd

        from radcal.advise import advise
        from radcal.calibrate import build_tables, measure
        from radcal.workflow.advice.advising import with_outcomes

        explore, settings, phrases = self._department.explore, self._department.settings, self._department.phrases()
        topics = [r.topic for r in every.reliabilities if r.author == author]
        parts = [explore.statements(_Chosen(author, topic, days)) for topic in topics]
        if not any(map(len, parts)):
            return (), ()
        tables = build_tables(pd.concat([p for p in parts if len(p)], ignore_index=True), phrases)
        reliabilities = measure(tables, phrases, settings, progress)
        tables = with_outcomes(tables, explore.outcomes())
        return reliabilities, advise(tables, reliabilities, phrases, settings, progress)

    def counts(self, author: str) -> pd.DataFrame:
        """As :func:`counts_by_day`, from where the file has them."""
        department = self._department
        if not department.personal:
            run = department.runs.shown()
            run = department.runs.current().run_id if run is None else run
            return counts_by_day(self._workspace, run, author, department.settings, department.phrases())
        kept = self._workspace.load_frame(COUNTS)
        if kept is None:
            raise DataError(
                "This personal file was written by an earlier RadCal and does not tell on which days its examinations "
                "were made. Choose all dates, or ask for a new file."
            )
        return kept

    def others(self, author: str, days: Days = ALL_DAYS) -> tuple[OthersRate, ...]:
        """How all other readers together fared with each word, where at least FEWEST_READERS of them wrote it.

        Raises:
            InputError: the range is empty.
        """
        check_days(days)
        analysis = self._department.analysis()
        if analysis is None:
            return ()
        told: dict[tuple[str, str], list[tuple[float, float]]] = {}
        if days.are_limited:
            statements = self._department.explore.all_statements()
            theirs = statements[within(statements["xray_time"], days) & (statements["author"] != author).to_numpy()]
            sums = theirs.groupby(["topic", "phrase", "author"], observed=True)["outcome"].agg(["size", "sum"])
            for (topic, phrase, _), n, y in zip(sums.index, sums["size"], sums["sum"], strict=True):
                told.setdefault((str(topic), str(phrase)), []).append((float(n), float(y)))
        else:
            for r in analysis.reliabilities:
                for p in r.phrases if r.author != author else ():
                    told.setdefault((r.topic, p.phrase), []).append((p.n, p.positives))
        means = {p.phrase: p.mean for r in analysis.reliabilities for p in r.phrases}
        return together(told, means, self._department.settings.confidence)


def together(
    told: Mapping[tuple[str, str], Sequence[tuple[float, float]]], means: Mapping[str, float], confidence: float
) -> tuple[OthersRate, ...]:
    """Readers as one, word by word, where at least FEWEST_READERS of them wrote it.

    Args:
        told: (topic, phrase) to (said, confirmed) of each reader.
        means: what each phrase means.
        confidence: coverage of the interval, 0-1.
    """
    import numpy as np

    from radcal.calibrate.intervals import jeffreys

    rates = []
    for (topic, phrase), readers in told.items():
        theirs = [(n, y) for n, y in readers if n > 0]
        if len(theirs) < FEWEST_READERS:
            continue
        n, y = sum(n for n, _ in theirs), sum(y for _, y in theirs)
        low, high = jeffreys(np.array(y), np.array(n), confidence)
        rate = PhraseRate(phrase, n, y, y / n, float(low), float(high), means[phrase])
        rates.append(OthersRate(topic, rate, len(theirs)))
    return tuple(rates)


def judged_together(inputs: Iterable[FeedbackInput]) -> list[FeedbackInput]:
    """The inputs with ``q_value_star`` over all groups of all of them, as a page about all of them needs it."""
    import numpy as np

    from radcal.calibrate.intervals import false_discovery

    made = list(inputs)
    p = [r.p_value_star for data in made for r in data.reliabilities]
    q = iter(false_discovery(np.array([np.nan if v is None else v for v in p], dtype=np.float64)).tolist())

    def tested(r: Reliability) -> Reliability:
        value = next(q)
        return replace(r, q_value_star=None if value != value else value)

    return [replace(data, reliabilities=tuple(map(tested, data.reliabilities))) for data in made]


def _of(author: str, every: Analysis) -> Analysis:
    pairs = next(p for p in every.pairs if p.author == author)
    return replace(
        every,
        reliabilities=tuple(r for r in every.reliabilities if r.author == author),
        advices=tuple(a for a in every.advices if a.author == author),
        counts=tuple(row for row in every.counts if row[0] == author),
        provenance=_made_from(every, pairs),
        pairs=(pairs,),
    )


def _pairs(author: str, counts: pd.DataFrame) -> AuthorPairs:
    read, unread = (counts[counts["what"] == what] for what in (READ, UNREAD))
    first, last = (None, None) if read.empty else (_midnight(read["day"].min()), _midnight(read["day"].max()))
    return AuthorPairs(author, int(read["n"].sum()), int(unread["n"].sum()), first, last)


def _midnight(day: pd.Timestamp) -> datetime:
    return datetime(day.year, day.month, day.day)  # local, as all times of examinations


def _made_from(every: Analysis, pairs: AuthorPairs) -> Provenance:
    return replace(every.provenance, first_exam=pairs.first_exam, last_exam=pairs.last_exam, n_pairs=pairs.n_pairs)
