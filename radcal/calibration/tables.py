"""From files of observations, one line for each statement, to contingency tables of all authors and topics at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.records import ALL_AUTHORS, OBSERVATION_COLUMNS, VERIFIED_COLUMNS, Tables
from radcal.calibration.repeats import sums_by_patient
from radcal.reports.times import AMBIGUOUS, UNREADABLE, Order, read_times
from radcal.system.columns import Checked, Columns
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.quoting import is_id, is_person, wordings
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text, joined
from radcal.words.bins import reference_positive
from radcal.words.certainty import TRUTH, Fault, Said, certainty, share, unit_of
from radcal.words.phrases import Lexicon, normalise, strength

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    import pandas as pd
    from numpy.typing import NDArray

    from radcal.calibration.records import Mix
    from radcal.review.records import ReadingErrors
    from radcal.words.bins import Reading
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Codes = NDArray[np.intp]


MOST_OUTCOMES = 64
"""Up to so many distinct outcomes, each is a reference of its own."""
GRID = 100
"""Steps of the grid that more outcomes than that are shared out on."""


def build_tables(
    observations: pd.DataFrame,
    phrases: Sequence[Phrase],
    reading: Reading = "expected",
    mixes: Mapping[str, Mix] | None = None,
    errors: ReadingErrors | None = None,
    n: NDArray[np.int64] | None = None,
) -> Tables:
    """Contingency tables t[q, k, l]: how often phrase k met reference l in group q.

    With a column ``outcome`` the references are the distinct outcomes, each positive with just that
    probability.  Outcomes of more than 64 different values are shared out on a grid of steps of 1/100: an
    outcome between two steps counts partly as the one and partly as the other, in the shares that keep
    both the number of statements n_k and the sum of outcomes y_k exact.  The cells are then fractional; a
    bootstrap redraws them by their shares, which overstates the variance of an outcome by at most 0.000025.

    Without it, ``reference_phrase`` names what the reference said; the references are the lexicon's phrases,
    reference l positive with probability p_l (``radcal.words.bins.reference_positive``).  More than 64 of them are
    taken as outcomes p_l.

    Args:
        observations: columns author, topic, phrase, and outcome (0-1) or reference_phrase; and, if known, patient,
            where an empty cell is a patient of its own.  Others are ignored, but rows whose column ``verified`` is
            False, which have no outcome.  Categorical columns are read fastest.
        phrases: K phrases.  Their names and synonyms are recognised whatever the case and spacing.
        reading: of reference phrases.
        mixes: by topic, the reference's use of outcomes, where the observations are a part of those it is known from.
        errors: of reading, to be carried on.
        n: how many observations each row stands for, one without.

    Returns:
        Tables with the groups in alphabetical order and phrases in the order given.  ``unknown`` counts the
        observations left out because a phrase or reference phrase is in no list.

    Raises:
        InputError: a column is missing, a cell is empty, an outcome is no number in 0-1 (the message names row
            and column), there are no observations, or none has a known phrase.
    """
    for column in ("author", "topic", "phrase"):
        if column not in observations:
            raise InputError(
                "The observations have no column {column!r}. Add it or rename the one that is meant.", column=column
            )
    if "outcome" not in observations and "reference_phrase" not in observations:
        raise InputError("The observations have neither a column 'outcome' nor 'reference_phrase'. Add one of them.")
    if "verified" in observations:
        observations = observations[observations["verified"]]
    if observations.empty:
        raise InputError("There are no observations. Choose a file that has some.")

    words = {normalise(word): k for k, p in enumerate(phrases) for word in (p.name, *p.synonyms)}
    authors, author = _categories(observations, "author")
    topics, topic = _categories(observations, "topic")
    phrase, unknown = _phrase_codes(observations, "phrase", words, n)
    if "outcome" in observations:
        references, positive, reference, upper = _outcomes(observations["outcome"])
        known = phrase >= 0
    else:
        references, positive = tuple(p.name for p in phrases), reference_positive(phrases, reading)
        reference, unknown_references = _phrase_codes(observations, "reference_phrase", words, n)
        upper = None
        known = (phrase >= 0) & (reference >= 0)
        for word, met in unknown_references.items():
            unknown[word] = unknown.get(word, 0) + met
    if not known.any():
        shown = joined([Text("{word!r}", word=word) for word in list(wordings(unknown))[:5]], ", ")
        size = len(observations) if n is None else int(n.sum())
        if (phrase >= 0).any():
            none = Text("None of the {n} observations has a reference that is a phrase of the lexicon.", n=size)
            remedy = Text("Write references in its phrases, or as outcomes from 0 to 1 in a column 'outcome'.")
        else:
            none = Text("None of the {n} observations has a phrase of the lexicon.", n=size)
            remedy = Text("Add their phrases to the lexicon or choose the lexicon they come from.")
        raise InputError(joined([none, Text("They say {shown}.", shown=shown) if shown else "", remedy]))

    if "outcome" not in observations and len(references) > MOST_OUTCOMES:
        reference = np.rint(positive[reference] * GRID).astype(np.intp)
        positive = np.arange(GRID + 1) / GRID
        references = tuple(f"{p:.12g}" for p in positive)
    group, groups = _groups(author, topic, len(topics), known)
    shape = (len(groups), len(phrases), len(references))
    if not known.all():
        phrase, reference = phrase[known], reference[known]
        upper = None if upper is None else upper[known]
        n = None if n is None else n[known]
    names = [(authors[g // len(topics)], topics[g % len(topics)]) for g in groups.tolist()]
    by_patient: dict[tuple[str, str], Array] = {}
    if "patient" in observations:
        patient, whole = _patients(observations)[known], np.ones(len(phrase)) if n is None else n.astype(np.float64)
        outcome = positive[reference] + (0.0 if upper is None else upper / GRID)
        pools = [(author, ALL_TOPICS) for author, _ in names], [(ALL_AUTHORS, topic) for _, topic in names]
        for made in (names, *pools):
            distinct = sorted(set(made))
            place = np.array([*map({name: i for i, name in enumerate(distinct)}.__getitem__, made)])
            cell = place[group] * len(phrases) + phrase
            sums = sums_by_patient(cell, patient, outcome, whole, len(distinct) * len(phrases))
            by_patient |= zip(distinct, sums.reshape(len(distinct), len(phrases), 3), strict=True)
    cell = (group * shape[1] + phrase) * shape[2] + reference
    size = shape[0] * shape[1] * shape[2]
    counts = np.zeros(size)
    if upper is None:
        counts += np.bincount(cell, n, minlength=size)
    else:
        times = 1.0 if n is None else n
        counts += np.bincount(cell, (1.0 - upper) * times, minlength=size)
        # Nothing is shared with the step above the last one, which only outcomes of exactly 1 reach.
        counts[1:] += np.bincount(cell, upper * times, minlength=size)[:-1]
    return Tables(
        groups=tuple(names),
        phrases=tuple(p.name for p in phrases),
        references=references,
        counts=counts.reshape(shape),
        positive=positive,
        unknown=dict(sorted(unknown.items(), key=lambda item: (-item[1], item[0]))),
        mixes=mixes or {},
        errors=errors,
        by_patient=by_patient,
    )


def with_outcomes(tables: Tables, outcomes: Array) -> Tables:
    """The tables with a reference for each of the outcomes, as in tables of everybody: redraws are then the same."""
    place = np.searchsorted(outcomes, tables.positive)
    if len(outcomes) > MOST_OUTCOMES or not np.isin(tables.positive, outcomes).all():
        return tables
    counts = np.zeros((*tables.counts.shape[:2], len(outcomes)))
    counts[:, :, place] = tables.counts
    return replace(tables, references=tuple(f"{p:.12g}" for p in outcomes), counts=counts, positive=outcomes)


def _refuse(observations: pd.DataFrame | pd.Series[float], bad: NDArray[np.bool_], column: str, what: str) -> None:
    """Name the first bad row and how many there are."""
    if bad.any():
        first = observations.index[int(bad.argmax())]
        if bad.sum() > 1:
            what = Text("{what} ({n} rows in all)", what=what, n=bad.sum())
        raise InputError(
            "Row {first}, column {column!r}: {what}. Mend or remove it.", first=first, column=column, what=what
        )


def _codes(observations: pd.DataFrame, column: str) -> tuple[list[str], Codes]:
    """The distinct values of a column as text, and each row's index among them."""
    import pandas as pd

    series = observations[column]
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, values = series.cat.codes.to_numpy(), list(series.cat.categories)
    else:
        codes, distinct = pd.factorize(series.to_numpy(object))
        values = list(distinct)
    _refuse(observations, codes < 0, column, Text("the cell is empty"))
    return [str(value) for value in values], codes.astype(np.intp)


def _categories(observations: pd.DataFrame, column: str) -> tuple[list[str], Codes]:
    """As _codes, in alphabetical order; an empty text is refused too."""
    values, codes = _codes(observations, column)
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = np.empty(len(values), dtype=np.intp)
    rank[order] = np.arange(len(values))
    empty = np.array([not value.strip() for value in values], dtype=bool)
    if empty.any():
        _refuse(observations, empty[codes], column, Text("the cell is empty"))
    return [values[i] for i in order], rank[codes]


def _phrase_codes(
    observations: pd.DataFrame, column: str, words: dict[str, int], times: NDArray[np.int64] | None
) -> tuple[Codes, dict[str, int]]:
    """Each row's phrase, -1 where it is in no list, and how often each unknown one occurs."""
    values, codes = _codes(observations, column)
    code_of = np.array([words.get(normalise(value), -1) for value in values], dtype=np.intp)
    n = np.bincount(codes, times, minlength=len(values))
    unknown = {value: int(n[i]) for i, value in enumerate(values) if code_of[i] < 0 and n[i]}
    return code_of[codes], unknown


def _patients(observations: pd.DataFrame) -> Codes:
    """(N,) a code for each row's patient, -1 where the cell is empty."""
    import pandas as pd

    codes, values = pd.factorize(observations["patient"])
    blank = np.array([not str(value).strip() for value in values] + [True])
    return np.where(blank[codes], -1, codes)


def _outcomes(column: pd.Series[float]) -> tuple[tuple[str, ...], Array, Codes, Array | None]:
    """References, p_l, each row's reference l, and the share of each row that belongs to l + 1 instead."""
    import pandas as pd

    outcome = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    _refuse(column, np.isnan(outcome), "outcome", Text("the outcome is missing or no number"))
    _refuse(column, (outcome < 0) | (outcome > 1), "outcome", Text("the outcome is outside 0 to 1"))
    distinct = np.unique(outcome)
    if len(distinct) <= MOST_OUTCOMES:
        return tuple(f"{p:.12g}" for p in distinct), distinct, np.searchsorted(distinct, outcome), None
    scaled = outcome * GRID
    lower = np.minimum(scaled.astype(np.intp), GRID)
    grid = np.arange(GRID + 1) / GRID
    return tuple(f"{p:.12g}" for p in grid), grid, lower, scaled - lower


def _groups(author: Codes, topic: Codes, n_topics: int, known: NDArray[np.bool_]) -> tuple[Codes, Codes]:
    """The group of each known row, and the groups as author * n_topics + topic, in that order."""
    import pandas as pd

    key = author * n_topics + topic
    group, groups = pd.factorize(key if known.all() else key[known], sort=True)
    return group, groups


_ALIASES: Mapping[str, tuple[str, ...]] = {
    "author": ("reader", "radiologist", "model"),
    "topic": ("pathology", "question_set", "dataset"),
    "phrase": ("certainty", "confidence", "probability"),
    "outcome": ("correct", "is_correct"),
    "reference_phrase": ("reference",),
}
"""What columns are called elsewhere."""
_WORDS = ("author", "topic", "phrase", "reference_phrase", "site", *(a for of in _ALIASES.values() for a in of))
_FURTHER = ("patient", "time")
_OUTCOMES = {word: float(is_true) for word, is_true in TRUTH.items()} | {
    "positive": 1.0, "present": 1.0, "negative": 0.0, "absent": 0.0
}  # fmt: skip
_VERIFIED = Text("Write true where a CT decided and the outcome is known, else false.")
NEEDED = ("author", "topic")
ALL = "all"
"""The author and the topic of observations that need none."""


@dataclass(frozen=True, eq=False)
class Observed:
    """Observations in which certainty may be said in words, numbers and Betas.

    rows: those that can be used, as of :func:`read_observations`; numbers and Betas by the names of their phrases
    rejected: file, row, reason and remedy of the others
    words: the lexicon with all that was said in numbers and Betas;  percent: authors whose numbers, without a sign,
    were read as percentages;  order: of day and month in ``time``, None without that column
    """

    rows: pd.DataFrame
    rejected: pd.DataFrame
    words: Lexicon
    percent: tuple[str, ...] = ()
    order: Order | None = None

    @property
    def percent_note(self) -> Text:
        """Whose numbers were read as percentages, in words; '' for nobody's."""
        if not self.percent:
            return Text()
        return Text(
            "Numbers of {n:,} author{named} were read as percentages.",
            many="Numbers of {n:,} authors{named} were read as percentages.",
            n=len(self.percent),
            named=_named(self.percent),
        )

    @property
    def date_note(self) -> Text:
        """In which order of day and month dates were read that do not tell it, in words; '' without such."""
        return self.order.note if self.order else Text()


def _named(authors: Sequence[str]) -> Text:
    """Those authors in brackets who may be named."""
    shown = ", ".join(author for author in authors if is_person(author) or is_id(author))
    return Text(" ({shown})", shown=shown) if shown else Text()


def read_observations(source: Path | pd.DataFrame, progress: Progress = SILENT) -> Checked:
    """Observations from a table as of :class:`~radcal.system.columns.Columns`, or from one at hand.

    It has the columns author, topic, phrase, and outcome (0-1) or reference_phrase; where it has both of the last two,
    the outcomes count unless the column is empty.  Outcomes may be said in words, such as "true" or "wrong".  It may
    have a column patient, under any numbers or names, and a column time: dates with or without a time of day, as of
    :func:`~radcal.reports.times.parse_times`.  Cells of these two may be empty.

    Rows whose ``verified`` is false or 0 were said without a reference: they need no outcome, and what stands there
    counts for nothing.

    Returns:
        Observations, the words as categories, outcomes as numbers, times as datetime64[ns], patients as text and
        ``verified`` as bool; and the rejected rows.

    Raises:
        InputError: the file cannot be read, is empty, lacks a column, or none of its rows can be used.
        Cancelled: by ``progress``.
    """
    return _finished(_table_of(source, NEEDED, progress)[0])


def observed(
    source: Path | pd.DataFrame,
    lexicon: Lexicon,
    progress: Progress = SILENT,
    need: Sequence[str] = NEEDED,
    unit: Literal["told", "percent", "fraction"] = "told",
) -> Observed:
    """As :func:`read_observations`, the phrases read as of :func:`radcal.words.certainty.certainty`.

    Args:
        lexicon: whose phrases are known.
        unit: of numbers without a sign; "told" by each author's numbers (:func:`radcal.words.certainty.unit_of`).
        need: of author and topic, those without which there is nothing to measure; the other is ALL where it is
            missing.

    Raises:
        InputError: as of :func:`read_observations`, or it cannot be told what an author's numbers are.
    """
    table, order = _table_of(source, need, progress)
    meanings, percent = _settled_phrases(table, lexicon, unit)
    rows, rejected = _finished(table)
    if not meanings:
        return Observed(rows, rejected, lexicon, order=order)
    used = set(rows["phrase"].cat.categories[np.unique(rows["phrase"].cat.codes)])
    said = sorted((meanings[name] for name in used & meanings.keys()), key=strength)
    return Observed(rows, rejected, Lexicon((*lexicon.phrases, *said), lexicon.name), percent, order)


def _table_of(source: Path | pd.DataFrame, need: Sequence[str], progress: Progress) -> tuple[Columns, Order | None]:
    """The table with its columns checked, and the order of day and month in its times."""
    known = (*OBSERVATION_COLUMNS, *VERIFIED_COLUMNS, *_FURTHER, *(a for of in _ALIASES.values() for a in of))
    if isinstance(source, Path):
        table = Columns(source, known, _WORDS, ("outcome",), progress)
    else:
        if source.empty:
            raise InputError("There are no observations. Give a table that has some.")
        table = Columns.of(source, known, _WORDS)
    for column, others in _ALIASES.items():
        table.rename_one(column, others, sole=column not in NEEDED)
    for column in ("author", "topic"):
        if column not in table and column not in need:
            table.frame[column] = ALL
            table.frame[column] = table.frame[column].astype("category")
    table.require("author", "topic", "phrase")
    if {"outcome", "reference_phrase"} <= {*table.frame} and not any(map(str.strip, table.frame["outcome"])):
        table.frame = table.frame.drop(columns="outcome")
    if "outcome" not in table and "reference_phrase" not in table:
        raise InputError(
            "{name} has neither a column 'outcome' nor 'reference_phrase'. Add one of them.", name=table.name
        )
    for column in ("author", "topic", "phrase"):
        table.check_text(column)
    if "patient" in table:
        table.frame["patient"] = table.frame["patient"].str.strip()
    order = _check_times(table, progress) if "time" in table else None
    reference = "outcome" if "outcome" in table else "reference_phrase"
    if "verified" not in table:
        if reference == "outcome":
            table.check_number("outcome", 0, 1, _OUTCOMES)
        else:
            table.check_text("reference_phrase")
        return table, order
    table.check_number("verified", 0, 1, _OUTCOMES)
    verified = table.frame["verified"]
    table.reject(~verified.isin([0, 1]), Text("The cell of 'verified' is neither true nor false."), _VERIFIED)
    missing = table.frame[reference].isin([word for word in table.frame[reference].unique() if not word.strip()])
    table.reject(
        (verified == 1) & missing, Text("The row is verified, but has no {column}.", column=reference), _VERIFIED
    )
    if reference == "outcome":
        table.frame["outcome"] = table.frame["outcome"].where(verified == 1, "")
        table.check_number("outcome", 0, 1, _OUTCOMES, optional=True)
    return table, order


def _finished(table: Columns) -> Checked:
    found = table.finish()
    return (
        found._replace(rows=found.rows.assign(verified=found.rows["verified"] == 1)) if "verified" in table else found
    )


def _settled_phrases(table: Columns, lexicon: Lexicon, unit: str) -> tuple[dict[str, Phrase], tuple[str, ...]]:
    """Read the table's numbers and Betas: what they mean, by name, and the authors whose numbers are percentages."""
    import pandas as pd

    column, author = table.frame["phrase"].cat, table.frame["author"].cat
    texts, code = list(column.categories), column.codes.to_numpy(np.intp)
    read = [certainty(text, (lexicon,)) if text else Said("") for text in texts]
    if all(isinstance(said, Said) and said.meaning is None and said.number is None for said in read):
        return {}, ()
    number = np.array([np.nan if isinstance(s, Fault) or s.number is None else s.number for s in read])[code]
    whose = author.codes.to_numpy()
    ends = np.bincount(whose, minlength=len(author.categories)).cumsum()
    own = np.split(number[np.argsort(whose, kind="stable")], ends[:-1])
    units = [unit_of(its) if unit == "told" else unit for its in own]
    if untold := [str(name) for name, its in zip(author.categories, units, strict=True) if its is None and name]:
        raise InputError(
            "It cannot be told whether numbers{named} are percentages: some are above 1, and others are not, or none "
            "is above 10, as with ratings. Set unit='percent' or unit='fraction', or write percentages with their "
            "sign, and ratings as probabilities or words.",
            named=_named(untold),
        )
    percent = np.array([its == "percent" for its in units])
    percent &= np.bincount(whose[~np.isnan(number)], minlength=len(units)) > 0
    made = [
        share(said.number / scale) if isinstance(said, Said) and said.number is not None else said
        for scale in (1, 100)
        for said in read
    ]
    code = np.where(percent[whose] & ~np.isnan(number), code + len(texts), code)
    for fault in {said for said in made if isinstance(said, Fault)}:
        table.reject(np.array([said == fault for said in made])[code], *fault)
    names, meanings = [], {}
    for said, text in zip(made, (*texts, *texts), strict=True):
        meant = None if isinstance(said, Fault) else said.meaning
        names.append(text if meant is None else meant.name)
        if meant is not None and lexicon.find(meant.name) is None:
            meanings[meant.name] = meant
    place, distinct = pd.factorize(pd.Index(names))
    table.frame["phrase"] = pd.Categorical.from_codes(place[code], pd.Index(distinct, dtype="str"))
    return meanings, tuple(str(author.categories[a]) for a in np.flatnonzero(percent).tolist())


def _check_times(table: Columns, progress: Progress) -> Order:
    """Turn the column into times, NaT where the cell is empty; reject rows where it cannot be read."""
    table.frame["time"], state, order = read_times(table.frame["time"], progress=progress)
    remedy = Text("Write it as 2024-12-31 or 2024-12-31 15:30, or leave it empty.")
    table.reject(state == UNREADABLE, Text("The time cannot be read."), remedy)
    table.reject(state == AMBIGUOUS, Text("Day and month of the time cannot be told apart."), remedy)
    return order
