"""What words mean, from surveys, answers, scales and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, Self

import pandas as pd

from radcal.library.given import FILE, Assumed, insist, one_of, warn
from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.words import phrases
from radcal.words.records import ABSENT, PRESENT, Phrase
from radcal.words.scales import scale_called
from radcal.words.surveys import answer_of, check_percent, from_answers, from_ranges, read_survey
from radcal.words.tables import column_told, read_cells


class Lexicon(phrases.Lexicon):
    """What certainty words mean: each a Beta distribution on [0, 1], or a point; ordered by mean, weakest first.

    "absent" and "present", the points 0 and 1, are added where they are missing.

    >>> Lexicon.scale({"unlikely": (0, 0.2), "likely": (0.6, 0.9)}).table()[["phrase", "mean"]].round(2).values.tolist()
    [['absent', 0.0], ['unlikely', 0.1], ['likely', 0.75], ['present', 1.0]]
    """

    @classmethod
    def shipped(cls, of: Literal["radiologists", "public"] = "radiologists") -> Self:
        """What radiologists, or the public, took words to mean in the published surveys.

        Raises:
            InputError: ``of`` is neither.

        >>> Lexicon.shipped().find("Probable").name
        'probably'
        """
        one_of("of", of, ("radiologists", "public"))
        return cls._of(phrases.load_lexicon(phrases.PUBLIC if of == "public" else "phrases.csv"))

    @classmethod
    def from_csv(cls, path: str | Path) -> Self:
        """From a file with the columns phrase, alpha and beta (:func:`radcal.words.phrases.read_lexicon_csv`).

        It reads what ``lexicon.table().to_csv(path)`` writes.

        Raises:
            InputError: the file is broken; the message names file, line and reason.
        """
        insist("path", path, str | Path, FILE)
        return cls._of(phrases.read_lexicon_csv(Path(path)))

    @classmethod
    def from_survey(cls, path: str | Path, asked: int = 0, phrases: Sequence[str] = ()) -> Self:
        """From a survey by ranges or by answers (:func:`radcal.words.surveys.read_survey`), by exact moments.

        Phrases have their names in small letters.

        Args:
            asked: how many people the shares of ranges are of.
            phrases: the columns of answers that are phrases.  Without them all with numbers are, and a warning names
                the others, and those that are in no shipped list.

        Raises:
            InputError: the file is broken, or a phrase has no Beta distribution; the message names line or phrase.
        """
        insist("path", path, str | Path, FILE)
        made = read_survey(Path(path), asked, phrases)
        header, _ = read_cells(Path(path))
        if header[0].lower() != "phrase" and not phrases:
            usual = cls.shipped(), cls.shipped("public")
            odd = [n for n in header if made.find(n) is None or not any(of.find(n) for of in usual)]
            told = Text(
                "Columns with numbers are taken for phrases, and others left out. Look at: {odd}.",
                odd=", ".join(column_told(n, header) for n in odd),
            )
            warn([told, Text("phrases=[...] states them.")] if odd else [], Assumed)
        return cls._of(made)

    @classmethod
    def from_answers(cls, answers: pd.DataFrame | Mapping[str, Sequence[float]]) -> Self:
        """From answers in percent, one a person: the Beta distribution of their mean and variance.

        Args:
            answers: a column for each phrase; a missing cell is no answer.

        Raises:
            InputError: an answer is no number in 0 to 100, all are in 0-1, or a phrase has no answer or no Beta
                distribution.

        >>> Lexicon.from_answers({"likely": [60, 70, 80, 90]}).table()["mean"].round(2).tolist()
        [0.0, 0.75, 1.0]
        """
        insist("answers", answers, pd.DataFrame | Mapping, Text("a DataFrame, or a mapping of phrases to answers"))
        made, every = [], []
        for name, column in answers.items():
            cells = pd.Series(column).map(lambda cell: answer_of(cell) or None if isinstance(cell, str) else cell)
            given = pd.to_numeric(cells, errors="coerce")
            wrong = cells.notna() & ~given.between(0, 100)
            if wrong.any():
                row = wrong.idxmax()
                raise InputError("Row {row}, column {name!r}: the answer is no number in 0 to 100.", row=row, name=name)
            if not given.notna().any():
                raise InputError("Nobody answered on {name!r}. Leave the column out.", name=name)
            every += given.dropna().tolist()
            made.append((_name(name), given.dropna().tolist(), len(given)))
        check_percent(every)
        return cls._with_plain([from_answers(name, its, asked=n) for name, its, n in made], "answers")

    @classmethod
    def scale(cls, scale: str | Mapping[str, tuple[float, float]]) -> Self:
        """From a scale of certainty: within its range a word means everything alike.

        Its Beta distribution has the mean and variance of a uniform one there; a range of no width is a point.

        Args:
            scale: the name of a published one, such as "brigham", or {word: (lowest, highest)} in 0-1.

        Raises:
            InputError: there is no such scale, or a range is none within 0 to 1.
        """
        insist("scale", scale, str | Mapping, Text("the name of a scale, or {word: (lowest, highest)}"))
        if isinstance(scale, str):
            known = scale_called(scale)
            scale = {w.words: (w.low, w.high) for w in (known.words if known else ())}
        made = []
        for word, limits in scale.items():
            name = _name(word)
            try:
                low, high = map(float, limits)
            except (TypeError, ValueError):
                raise InputError(
                    "The range of {name!r} is no pair of numbers. Write it as (lowest, highest), such as (0.25, 0.5).",
                    name=name,
                ) from None
            if not 0 <= low <= high <= 1:
                raise InputError(
                    "{where} low {low:g} and high {high:g} are no range within 0 to 1.", where=name, low=low, high=high
                )
            made.append(phrases.point(name, low) if low == high else from_ranges(name, [1], [(low, high)]))
        return cls._with_plain(made, "scale")

    def table(self) -> pd.DataFrame:
        """The phrases: phrase, alpha, beta, mean, low and high (0-1, the range of its meaning), synonyms, ..."""
        frame = pd.DataFrame([asdict(p) for p in self.phrases]).rename(columns={"name": "phrase"})
        frame["synonyms"] = frame["synonyms"].map("; ".join)
        frame.insert(3, "mean", [phrases.mean_of(p) for p in self.phrases])
        return frame

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}: {len(self.phrases)} phrases>"

    def _repr_html_(self) -> str:
        table: Any = self.table()
        return str(table._repr_html_())

    @classmethod
    def _of(cls, read: phrases.Lexicon) -> Self:
        return cls(read.phrases, read.name)

    @classmethod
    def _with_plain(cls, made: Sequence[Phrase], name: str) -> Self:
        named = {p.name for p in made}
        return cls((*made, *(phrases.plain(n) for n in (ABSENT, PRESENT) if n not in named)), name)


def _name(word: Any) -> str:
    """The name of a phrase, as it is written; "absent" and "present" are known in any case."""
    insist("phrase", word, str, Text("its words"))
    return phrases.normalise(word) if phrases.normalise(word) in (ABSENT, PRESENT) else word.strip()
