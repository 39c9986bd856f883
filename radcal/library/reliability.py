"""Reliability, advice, and the model of a department."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args

import numpy as np
import pandas as pd

from radcal.calibration.merged import Merged, merged
from radcal.calibration.pooled import measure_pooled, pooled
from radcal.calibration.records import ALL_AUTHORS, Pool
from radcal.calibration.reliability import measure, rated, spread_of
from radcal.calibration.report import to_json
from radcal.calibration.tables import Observed
from radcal.calibration.verified import of_rows, with_verification
from radcal.library.given import Given, one_of, paths_of, settings_of, taken, words_of
from radcal.system.components import versions
from radcal.system.errors import DataError, InputError
from radcal.system.exports import Export, Exports
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import Text, joined
from radcal.words.bins import bin_phrases
from radcal.words.phrases import Lexicon

if TYPE_CHECKING:
    from radcal.advice.judged_records import JudgedGroup
    from radcal.advice.records import Advice
    from radcal.calibration.records import Reliability, Spread, Tables
    from radcal.words.records import Phrase

_POOLS = (None, *get_args(Pool))
_NESTED = ("curve", "phrases", "verification", "together", "parts")
_TEXTS = ("advised", "verdict", "over", "why", "first", "last", "pooled")
_ROUNDED = 0.005
"""So much may the shares of a target use differ from 1."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a result was made from.

    spread: what was learned of the department;  observed: the rows used, in ``rejected`` those that cannot be
    unknown: words in no list, with the numbers of statements that are left out for them
    """

    spread: Spread
    observed: Observed
    unknown: Mapping[str, int]
    lexicon: Lexicon
    settings: Settings

    _main: ClassVar[str] = "groups"
    """The table that stands for the result in a notebook."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(getattr(self, self._main)()):,} rows of .{self._main}()>"

    def _repr_html_(self) -> str:
        return str(getattr(self, self._main)()._repr_html_())

    @property
    def rejected(self) -> pd.DataFrame:
        """Rows that cannot be used: file, row, reason and remedy.

        ``row`` is the line of a file, from 1; of a DataFrame its label in an index of whole numbers, each once, or else
        its place, from 0.
        """
        return self.observed.rejected

    def _about(self) -> dict[str, Any]:
        """The provenance in a result file."""
        return {
            "settings": self.settings.to_dict(),
            "lexicon": {"name": self.lexicon.name, "version": self.lexicon.version},
            "versions": versions(),
            "unknown_phrases": dict(self.unknown),
            "rejected": self.rejected.to_dict("records"),
            **({"percentages": list(self.observed.percent)} if self.observed.percent else {}),
            "department": {f.name: getattr(self.spread, f.name) for f in fields(self.spread) if f.name != "levels"},
        }


@dataclass(frozen=True, eq=False, repr=False)
class Measured(Result):
    """Reliability of every author on every topic; ``reliabilities`` are the records behind the tables."""

    reliabilities: tuple[Reliability, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values, as ``radcal reliability`` writes them (:func:`radcal.calibration.report.to_json`)."""
        made = to_json(self.reliabilities, self._about())
        days = _days(self.observed.rows)
        for group in made["groups"] if days else ():
            group |= days.get((group["author"], group["topic"]), dict.fromkeys(("first", "last")))
        return made

    def groups(self) -> pd.DataFrame:
        """One row a group: author, topic, n, word_error, ece, brier, ... with intervals, as in :meth:`to_json`.

        NaN is what is not known, or needs more data: ``reason`` says which.
        """
        groups = self.to_json()["groups"]
        return _typed(pd.DataFrame({k: v for k, v in g.items() if k not in _NESTED} for g in groups))

    def phrases(self) -> pd.DataFrame:
        """One row a group and phrase: author, topic, phrase, n, positives, rate, low, high, mean, verdict, ..."""
        return _table([((r.author, r.topic), r.phrases) for r in self.reliabilities])

    def curve(self, author: str | None = None, topic: str | None = None) -> pd.DataFrame:
        """The reliability diagram of a group: low, high, rate, density, stated, ... by bin; NaN where a bin is empty.

        Args:
            author, topic: of the group; either may be left out where the other tells.

        Raises:
            InputError: there is no such group, or several.
            DataError: it has too few statements for a curve.
        """
        found = [r for r in self.reliabilities if author in (None, r.author) and topic in (None, r.topic)]
        if len(found) != 1:
            some = joined([f"{r.author!r} on {r.topic!r}" for r in (found or self.reliabilities)[:5]], ", ")
            meant = Text("{n:,} groups are meant.", n=len(found)) if found else Text("There is no such group.")
            raise InputError("{meant} Name one by author and topic, of: {some}.", meant=meant, some=some)
        if found[0].curve is None:
            raise DataError(found[0].reason)
        made = pd.DataFrame(vars(found[0].curve))
        made.attrs["title"] = f"{found[0].author}: {found[0].topic}"
        return made

    def bundle(self, path: str | Path) -> Path:
        """Write all of it as CSV files in a ZIP archive, with a dictionary of their columns, for R and other programs.

        The tables are observations (forecast and outcome, a row a statement), groups, phrases, curves and the published
        plan.  Of patients they have running numbers alone.

        Raises:
            InputError: the file cannot be written.
            EngineError: a plan did not converge.
        """
        return Exports().write(Path(path), self.exported())

    def exported(self) -> Export:
        """What :meth:`bundle` writes."""
        from radcal.advice.bundle import bundle

        return bundle(self.to_json(), self._rows(), self.observed.words, self.settings)

    def _rows(self) -> pd.DataFrame:
        return self.observed.rows


@dataclass(frozen=True, eq=False, repr=False)
class OfDepartments(Measured):
    """Reliability over the tables of counts of several departments; ``merged`` are these tables."""

    merged: Merged

    def _rows(self) -> pd.DataFrame:
        """A row for each statement that was counted."""
        tables = self.merged.tables
        group, word, outcome = np.nonzero(tables.counts)
        authors, topics = np.array(tables.groups)[group].T
        said = {"author": authors, "topic": topics, "phrase": np.array(tables.phrases)[word]}
        counted = pd.DataFrame(said | {"outcome": tables.positive[outcome]})
        return counted.loc[counted.index.repeat(np.rint(tables.counts[group, word, outcome]).astype(int))]

    def _about(self) -> dict[str, Any]:
        its = self.merged
        more = {"unknown_phrases": {}, "unknown_statements": its.unknown, "left_out": its.left_out}
        return super()._about() | {"departments": dict(its.departments), **more}


@dataclass(frozen=True, eq=False, repr=False)
class Advised(Result):
    """Which phrase would have been closer, for every author on every topic.

    advices: the records behind the table;  judged: what is said of each word
    """

    advices: tuple[Advice, ...]
    judged: Mapping[tuple[str, str], JudgedGroup]
    _main: ClassVar[str] = "table"

    def to_json(self) -> dict[str, Any]:
        """Plain values, as ``radcal advise`` writes them (:func:`radcal.advice.report.to_json`)."""
        from radcal.advice.report import to_json

        return to_json(self.advices, self._about(), self.judged)

    def table(self) -> pd.DataFrame:
        """One row a group and phrase: author, topic, solver, phrase, n, verdict, probability, advised, sure, over, why.

        advised: the closer phrase, None without one;  sure: the probability that it is closer, 0-1
        over: the topic whose statements tell so;  why: the reason for none
        solver: "target use" where that asked for the word, however sure it is to be closer

        Verdict and advice answer two questions: a word may match its range, and another one be closer yet.
        """
        groups = self.to_json()["groups"]
        rows = [{k: g[k] for k in ("author", "topic", "solver")} | w for g in groups for w in g["words"]]
        return _typed(pd.DataFrame(rows).rename(columns={"closer": "advised"}))


def reliability(
    observations: Given,
    lexicon: Lexicon | None = None,
    *,
    pool: Pool | None = None,
    progress: Progress = SILENT,
    **settings: Any,
) -> Measured:
    """How often what was said was confirmed, phrase by phrase and on the whole, of every author on every topic.

    Args:
        observations: author, topic, phrase, and outcome (0-1, true or false, right or wrong) or reference_phrase.
            ``phrase``, or certainty, confidence or probability, holds words, numbers in 0-1, percentages, and Betas:
            "Beta(8, 2)" or, not in a file, (8, 2).  For further columns see
            :func:`radcal.calibration.tables.read_observations`.
        lexicon: what words mean; None for the shipped one.
        pool: "author" or "topic", for all topics of an author, or all authors on a topic, together as well.
        progress: advances by groups.
        settings: bootstrap, n_bins, method, seed, min_group_n, ...; unit, of numbers without a sign: "percent", 0-100,
            or "fraction", 0-1, is else told author by author (:func:`radcal.words.certainty.unit_of`), with a warning.

    Raises:
        InputError: a column is missing, none of the rows can be used, the unit cannot be told, or a setting is none.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 4, 6, 7, 11 and 19; :mod:`radcal.calibration`.

    >>> said = {"author": "A", "topic": "T", "phrase": [0.7] * 100, "outcome": [1] * 60 + [0] * 40}
    >>> reliability(said, bootstrap=0).groups()[["author", "topic", "n", "word_error"]].round(3).values.tolist()
    [['A', 'T', 100, 0.1]]
    """
    known, chosen = words_of(lexicon), settings_of(settings)
    seen, tables = taken(observations, known, chosen, progress)
    spread, made = _measured(tables, seen.words.phrases, chosen, pool, progress)
    made = with_verification(made, of_rows(seen.rows, seen.words.phrases, chosen), chosen)
    return Measured(spread, seen, tables.unknown, known, chosen, made)


def merge(
    paths: str | Path | Iterable[str | Path], *, pool: Pool | None = None, progress: Progress = SILENT, **settings: Any
) -> OfDepartments:
    """Reliability over the tables of counts of departments that share no reports, as ``radcal tables`` writes them.

    Args:
        paths: of the tables, one file a department.
        pool, progress, settings: as of :func:`reliability`; what decides what counts is as in the tables.

    Raises:
        InputError: a file is no table or damaged, or tables do not go together: their words or settings differ.
    """
    found = merged(paths_of("paths", paths))
    chosen, tables = settings_of(settings).changed(**found.settings), found.tables
    seen = Observed(pd.DataFrame(), pd.DataFrame(), found.lexicon)
    spread, made = _measured(tables, found.lexicon.phrases, chosen, pool, progress)
    return OfDepartments(spread, seen, tables.unknown, found.lexicon, chosen, made, found)


def _measured(
    tables: Tables, phrases: Sequence[Phrase], settings: Settings, pool: Pool | None, progress: Progress
) -> tuple[Spread, tuple[Reliability, ...]]:
    """All groups, and those that ``pool`` puts together."""
    one_of("pool", pool, _POOLS)
    spread = spread_of(tables, phrases, settings, progress)
    made = measure(tables, phrases, settings, progress, spread=spread)
    if pool is not None:
        made += measure_pooled(tables, phrases, settings, pool, progress, spread)
    return spread, made


def advise(
    observations: Given,
    lexicon: Lexicon | None = None,
    *,
    target_use: Mapping[str, float] | None = None,
    pool: Pool | None = None,
    baselines: bool = False,
    progress: Progress = SILENT,
    **settings: Any,
) -> Advised:
    """Which phrase would have been closer to what was confirmed: words for words, and numbers for numbers.

    Who says both on a topic is told words for either.

    Args:
        observations, lexicon, pool, progress: as of :func:`reliability`.
        target_use: {phrase: share}, for the exact transport to that use of words in place of the ordered plan; the
            shares add to 1.  How sure a word is to be closer is then no condition of advising it.
        baselines: whether the result has numbers and the published transport beside the plan.
        settings: sure, solver, min_phrase_n, allowed_phrases, vocabulary, ...

    Raises:
        InputError: as of :func:`reliability`, or the target use is none.
        EngineError: a transport plan could not be found.

    Source: :mod:`radcal.advice.ordered`, after "Calibrating Expressions of Certainty" (ICLR 2025), section 4.

    >>> said = {"author": "A", "topic": "T", "phrase": ["possible"] * 90, "outcome": [1, 1, 0] * 30}
    >>> advise(said).table()[["phrase", "verdict", "advised"]].values.tolist()
    [['possibly', 'matches', 'suggestive of']]
    """
    from radcal.advice.advice import advise as advice_on
    from radcal.advice.judging import judge_all

    known, chosen = words_of(lexicon), settings_of(settings)
    one_of("pool", pool, _POOLS)
    seen, tables = taken(observations, known, chosen, progress)
    phrases = seen.words.phrases
    target = None if target_use is None else _use_of(target_use, seen.words)
    # Advice quotes rates and their intervals, which need no resampling.
    plain = chosen.changed(bootstrap=0)
    spread = spread_of(tables, phrases, plain, progress)
    rates = [(tables, measure(tables, phrases, plain, progress, spread=spread))]
    if pool is not None:
        rates.append((pooled(tables, pool), measure_pooled(tables, phrases, plain, pool, progress, spread)))
    verified = of_rows(seen.rows, phrases, chosen)
    rates = [(table, with_verification(its, verified, chosen)) for table, its in rates]
    made: tuple[Advice, ...] = ()
    for table, its in rates:
        # What was made first is of the single groups, which those put together must not contradict.
        beside: Any = {"baselines": baselines, "parts": tuple(zip(rates[0][1], made, strict=True)) if made else ()}
        made += advice_on(table, its, phrases, chosen, progress, target, spread, **beside)
    judged = judge_all([r for _, its in rates for r in its], made, {}, phrases, chosen.min_phrase_n)
    return Advised(spread, seen, tables.unknown, known, chosen, made, judged)


class DepartmentModel:
    """The true rates of all authors, topics and phrases, learned together; an estimator of scikit-learn.

        y_gk ~ Binomial(n_gk, expit(h_gk)),    h_gk = a_g + (1 + b_g) logit m_k + u_k + d_gk

    with m_k what phrase k means, a_g and b_g what the phrases of group g (an author on a topic) share, u_k what all
    authors mean by it, and d_gk its own; :mod:`radcal.calibration.model` has the priors, which are learned.

    Args:
        lexicon: what words mean; None for the shipped one.
        settings: confidence, min_phrase_n, ct_accuracy, ...

    Raises:
        InputError: a setting is none.

    It predicts nothing row by row and has no score: cross-validation needs ``scoring``, of whatever is to be judged.
    ``spread_`` is what was learned: standard deviations of a, b and d, and u by phrase (in log odds).

    Source: Cox, Biometrika 1958;45:562; Morris, JASA 1983;78:47-55.

    >>> said = {"author": "A", "topic": "T", "phrase": ["likely"] * 30, "outcome": [1] * 24 + [0] * 6}
    >>> DepartmentModel().fit(said).rates()[["phrase", "n", "rate"]].values.tolist()
    [['likely', 30, 0.8]]
    """

    spread_: Spread

    def __init__(self, lexicon: Lexicon | None = None, **settings: Any) -> None:
        words_of(lexicon), settings_of(settings)  # refused here, where they are given
        self.lexicon, self.settings = lexicon, settings

    def __repr__(self) -> str:
        said = (f"{name}={value!r}" for name, value in self.get_params().items() if value is not None)
        return f"DepartmentModel({', '.join(said)})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments that it was made with."""
        return {"lexicon": self.lexicon, **self.settings}

    def set_params(self, **params: Any) -> Self:
        """Change arguments; until :meth:`fit` it is as fitted before, by the settings and words of then."""
        self.__dict__ |= vars(type(self)(**(self.get_params() | params)))
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.base import BaseEstimator  # inheriting it would have every result wait for scikit-learn

        return BaseEstimator().__sklearn_tags__()

    def fit(self, observations: Given, y: object = None) -> Self:
        """Learn how far these authors' phrases stray from what they mean; errors as of :func:`reliability`.

        Args:
            observations: with their outcomes.
            y: not used; scikit-learn passes it.
        """
        chosen, lexicon = settings_of(self.settings), words_of(self.lexicon)
        seen, tables = taken(observations, lexicon, chosen)
        self._fitted, self.spread_ = (chosen, lexicon, (seen, tables)), spread_of(tables, seen.words.phrases, chosen)
        return self

    def rates(self, observations: Given | None = None) -> pd.DataFrame:
        """The true rate of each phrase of each group: phrase, n, rate (as confirmed), expected, low, high, verdict, ...

        Args:
            observations: of any authors, such as new ones; None for those that the model was fitted to.

        Raises:
            DataError: the model was not fitted.
        """
        return _table(self._rated(observations)[0])

    def together(self, observations: Given | None = None) -> pd.DataFrame:
        """What the hedged phrases of each group come to: n, stated, rate, expected, deviation, verdict, probability.

        Args and errors as of :meth:`rates`.
        """
        return _table([(group, [whole] if whole else []) for group, whole in self._rated(observations)[1]])

    def _rated(self, observations: Given | None) -> list[list[tuple[tuple[str, str], Any]]]:
        if not hasattr(self, "spread_"):
            raise DataError("The model was not fitted. Call fit(observations) first.")
        chosen, lexicon, own = self._fitted
        seen, tables = own if observations is None else taken(observations, lexicon, chosen)
        mean = bin_phrases(seen.words.phrases, 2).mean
        found = rated(tables, seen.words.phrases, chosen, mean, spread=self.spread_)
        return [list(zip(tables.groups, its, strict=True)) for its in found]


def _table(groups: Any) -> pd.DataFrame:
    """A row for each record of each group (author, topic)."""
    rows = [{"author": author, "topic": topic, **record._asdict()} for (author, topic), its in groups for record in its]
    return _typed(pd.DataFrame(rows))


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers as numbers where none is known, and counts as whole ones, which shares of outcomes add to."""
    if table.empty:
        return table
    unknown = [name for name in table if name not in _TEXTS and table[name].isna().all()]
    texts = {name: table[name].astype(object).where(table[name].notna(), None) for name in _TEXTS if name in table}
    return table.assign(**texts).astype(dict.fromkeys(unknown, float)).assign(n=table["n"].round().astype("int64"))


def _use_of(target: Mapping[str, float], words: Lexicon) -> dict[str, float]:
    """A target use by the names of phrases."""
    if abs(sum(target.values()) - 1) > _ROUNDED:
        raise InputError("The shares of the target use add to {total:g}, not to 1.", total=sum(target.values()))
    use: dict[str, float] = {}
    for word, share in target.items():
        name = found.name if (found := words.find(word)) else word
        use[name] = use.get(name, 0.0) + share
    return use


def _days(frame: pd.DataFrame) -> dict[tuple[str, str], dict[str, str]]:
    """The first and the last day of each group's observations, of those put together too; nothing without times."""
    if "time" not in frame:
        return {}
    every = frame[["author", "topic", "time"]].astype({"author": str, "topic": str})
    known = pd.concat([every, every.assign(topic=ALL_TOPICS), every.assign(author=ALL_AUTHORS)]).dropna()
    ends = known.groupby(["author", "topic"])["time"].agg(["min", "max"])
    return {
        (str(author), str(topic)): {"first": f"{first:%Y-%m-%d}", "last": f"{last:%Y-%m-%d}"}
        for (author, topic), first, last in zip(ends.index, ends["min"], ends["max"], strict=True)
    }
