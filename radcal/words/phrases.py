"""The known certainty words and their meaning to readers."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property
from pathlib import Path

from radcal.system.cells import guarded
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.records import ABSENT, PRESENT, Phrase
from radcal.words.tables import Row, read_table

PUBLIC = "phrases_public.csv"
"""The shipped table of what the public takes words to mean; the other one is the radiologists'."""
ANSWERS = "answers.csv"
"""Beside phrase tables: how many people answered what their words mean."""
_COUNTS = ("asked", "answers", "within")
_ADVISED = {"": True, "yes": True, "no": False, "true": True, "false": False}
_OPTIONAL = ("low", "high", "synonyms", "source", "advised")
_PLAIN = {ABSENT: (0.0, 1.0), PRESENT: (1.0, 0.0)}
PLAIN_TOLERANCE = 0.05
"""How far a rate may stay from a word's range where that is one point, as with plain statements, or hardly more:
without it, a single exception would set a reader apart from everybody's understanding of the word."""
_PLAIN_SOURCE = Text("plain statement, a point mass by definition")


_DENYING = re.compile(
    r"\b(?:not?|non|never|without|nor|less|hardly|scarcely|little|cannot|can't|doubt\w*|un\w+|im\w+|in\w+)\b"
)
_LEFT_OPEN = re.compile(r"\b(?:exclu\w+|rul(?:e|ed|ing) (?:\w+ )?out)\b")
"""What, denied, leaves a finding open: "cannot be excluded" """


def normalise(words: str) -> str:
    """Words for comparison: lower case, single spaces, plain apostrophes, no surrounding punctuation."""
    return " ".join(words.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold().split()).strip(" .,;:!()[]\"'")


def denies(words: str) -> bool:
    """Whether words deny something, as "improbable" does: their meaning is the opposite of what they look like."""
    return _DENYING.search(words) is not None


@dataclass(frozen=True)
class Lexicon:
    """Phrases ordered by mean, weakest first.

    Raises:
        InputError: no phrases, an invalid distribution or range, or one word standing for two phrases.
    """

    phrases: tuple[Phrase, ...]
    name: str = ""
    """Where it was read from; no part of the version."""

    def __post_init__(self) -> None:
        _check(self.phrases)
        object.__setattr__(self, "phrases", tuple(sorted(self.phrases, key=strength)))

    @cached_property
    def version(self) -> str:
        """Short SHA-256 over all that is known of the phrases but their sources."""
        content = [
            (
                p.name,
                p.alpha,
                p.beta,
                p.low,
                p.high,
                sorted(p.synonyms),
                *((p.asked, p.answers, p.within) if p.answers else ()),
                *(("point",) if p.is_point else ()),
                *(() if p.advised else ("not advised",)),
            )
            for p in self.phrases
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    @cached_property
    def _by_words(self) -> dict[str, Phrase]:
        return {normalise(words): p for p in self.phrases for words in (p.name, *p.synonyms)}

    def find(self, text: str) -> Phrase | None:
        """The phrase of that name or with that synonym, None if there is none.

        Case, spacing and punctuation around the words do not matter: "May" and "might  represent" are
        both "may represent".
        """
        return self._by_words.get(normalise(text))


def strength(phrase: Phrase) -> tuple[float, int, str]:
    """Where phrases stand in order, the weakest first: by mean, and by name among equals."""
    # Among phrases of equal mean the plain statement is the outermost.
    outermost = {ABSENT: -1, PRESENT: 1}.get(phrase.name, 0)
    return mean_of(phrase), outermost, phrase.name


def _check(phrases: Sequence[Phrase], rows: Sequence[Row] = ()) -> None:
    """Refuse an invalid lexicon; the message names the phrase, or the line of a file.

    Phrases of a file are not quoted: a file that was chosen by mistake may hold reports.
    """

    def where(i: int) -> str:
        return (
            Text("{file}, line {line}:", file=rows[i].file, line=rows[i].line)
            if rows
            else Text("Phrase {name!r}:", name=phrases[i].name)
        )

    if not phrases:
        raise InputError("The list of phrases is empty.")
    owners: dict[str, int] = {}
    for i, p in enumerate(phrases):
        if not normalise(p.name):
            raise InputError("{where} the phrase is empty. Write its words or remove the line.", where=where(i))
        if not (min(p.alpha, p.beta) >= 0 and 0 < p.alpha + p.beta < float("inf")):
            raise InputError(
                "{where} alpha {alpha:g} and beta {beta:g} make no distribution. Neither may be "
                "below 0, and not both may be 0.",
                where=where(i),
                alpha=p.alpha,
                beta=p.beta,
            )
        if not 0 <= p.low <= p.high <= 1:
            raise InputError(
                "{where} low {low:g} and high {high:g} are no range within 0 to 1.",
                where=where(i),
                low=p.low,
                high=p.high,
            )
        if not (0 <= p.within <= p.answers and (p.answers <= p.asked or p.asked == 0)):
            raise InputError(
                "{where} {within} answers in the range, {answers} answers and {asked} people asked do not go together.",
                where=where(i),
                within=p.within,
                answers=p.answers,
                asked=p.asked,
            )
        if (first := owners.get(normalise(p.name))) is not None:
            if rows:
                raise rows[i].error(
                    Text("the phrase is already listed in line {line}. Remove one of the two.", line=rows[first].line)
                )
            raise InputError("{where} {name!r} is already listed. Remove one of the two.", where=where(i), name=p.name)
        for words in dict.fromkeys(map(normalise, (p.name, *p.synonyms))):
            if (first := owners.setdefault(words, i)) != i:
                if rows:
                    raise rows[i].error(
                        Text(
                            "the phrase or a synonym stands in line {line}, too. Keep it in one of them.",
                            line=rows[first].line,
                        )
                    )
                other = phrases[first].name
                raise InputError(
                    "{where} {words!r} stands for {name!r} and for {other!r}. Keep it in one of them.",
                    where=where(i),
                    words=words,
                    name=p.name,
                    other=other,
                )


FEW_ANSWERS = 20
"""With fewer answers than this, what a word means is known so little that its range is widened on both sides."""
_SURE = 1.96


def mean_of(phrase: Phrase) -> float:
    """The mean of a phrase's meaning, in 0-1."""
    return phrase.alpha / (phrase.alpha + phrase.beta)


def speaks_against(phrase: Phrase) -> bool:
    """Whether a phrase denies a finding, plainly or with a hedge ("unlikely"), rather than raising it ("possibly").

    How probable it makes the finding does not tell: readers take "question of" for as little as "unlikely".  So the
    phrase's own words decide, where its mean is below one half.
    """
    words = normalise(phrase.name)
    return mean_of(phrase) < 0.5 and (phrase.alpha == 0 or (denies(words) and not _LEFT_OPEN.search(words)))


def range_told(phrase: Phrase) -> tuple[int, int]:
    """The range of a phrase's meaning as it is told, in whole percent."""
    return round(100 * phrase.low), round(100 * phrase.high)


def is_point_mass(phrase: Phrase) -> bool:
    """Whether a phrase means one number: a plain statement, or a probability."""
    return phrase.is_point or min(phrase.alpha, phrase.beta) == 0


def spread_of(phrase: Phrase) -> float:
    """The standard deviation of a phrase's meaning, in 0-0.5; 0 for a point mass.

    sqrt(a b / ((a + b)^2 (a + b + 1)))
    """
    if is_point_mass(phrase):
        return 0.0
    a, b = phrase.alpha, phrase.beta
    return math.sqrt(a * b / (a + b + 1)) / (a + b)


def has_few_answers(phrase: Phrase) -> bool:
    """Whether the phrase's meaning rests on fewer than FEW_ANSWERS answers; False where it is taken as exact."""
    return 0 < phrase.answers < FEW_ANSWERS


def agreeing_rates(phrase: Phrase) -> tuple[float, float]:
    """The confirmed rates that agree with a phrase, within 0-1: the range of its meaning.

    PLAIN_TOLERANCE is granted around a range narrower than that, as around the one point of plain statements.
    """
    low, high = phrase.low, phrase.high
    if high - low < PLAIN_TOLERANCE:
        low, high = low - PLAIN_TOLERANCE, high + PLAIN_TOLERANCE
    return max(low, 0.0), min(high, 1.0)


def expected_rates(phrase: Phrase) -> tuple[float, float]:
    """The confirmed rates that may be meant by a phrase, within 0-1: only outside of them it differs.

    The mean of the answers is itself only known to m +- 1.96 sd / sqrt(answers): the range of :func:`agreeing_rates`
    is widened to hold both ends, and with few answers by the whole margin on both sides.
    """
    low, high = agreeing_rates(phrase)
    if phrase.answers:
        margin, mean = _SURE * spread_of(phrase) / math.sqrt(phrase.answers), mean_of(phrase)
        if has_few_answers(phrase):
            low, high = low - margin, high + margin
        low, high = min(low, mean - margin), max(high, mean + margin)
    return max(low, 0.0), min(high, 1.0)


def central_half(alpha: float, beta: float) -> tuple[float, float]:
    """First and third quartile of Beta(alpha, beta), extended to hold its mean; of a point mass, its place twice."""
    from scipy.special import betaincinv

    if min(alpha, beta) == 0:
        return (1.0, 1.0) if alpha else (0.0, 0.0)
    low, high = betaincinv(alpha, beta, [0.25, 0.75])
    mean = alpha / (alpha + beta)
    return min(float(low), mean), max(float(high), mean)


def point(name: str, place: float) -> Phrase:
    """The point mass at ``place``, in 0-1: what a number means."""
    return Phrase(name, place, 1.0 - place, low=place, high=place, is_point=True)


def plain(name: str) -> Phrase:
    """The point mass of "absent" or "present".

    Raises:
        KeyError: another name.
    """
    alpha, beta = _PLAIN[name]
    return Phrase(name, alpha, beta, low=alpha, high=alpha, source=_PLAIN_SOURCE)


def _phrase(row: Row, counts_of: Mapping[str, Row]) -> Phrase:
    name = " ".join(row["phrase"].lower().split())
    synonyms, source = row.items("synonyms"), row["source"]
    if name in _PLAIN and not row["alpha"] and not row["beta"]:
        alpha, beta = _PLAIN[name]
        source = source or _PLAIN_SOURCE
    else:
        alpha, beta = row.number("alpha"), row.number("beta")
    if bool(row["low"]) != bool(row["high"]):
        raise row.error(Text("low and high belong together. Give both or neither."))
    if row["low"]:
        low, high = row.number("low"), row.number("high")
    elif min(alpha, beta) >= 0 and alpha + beta > 0:
        low, high = central_half(alpha, beta)
    else:
        low, high = 0.0, 1.0  # refused for its alpha and beta in any case
    counts = (row if any(row[c] for c in _COUNTS) else counts_of.get(name, row)).whole(_COUNTS)
    if row["advised"].lower() not in _ADVISED:
        raise row.error(Text("advised is {value!r}. Write 'yes' or 'no', or leave it empty.", value=row["advised"]))
    advised = _ADVISED[row["advised"].lower()] if "advised" in row.cells else name not in read_only()
    asked, answers, within = counts
    is_point = row["is_point"].lower() == "true"
    return Phrase(name, alpha, beta, low, high, synonyms, source, asked, answers, within, is_point, advised)


def read_lexicon_csv(path: Path, answers: Path | None = None) -> Lexicon:
    """A lexicon from a CSV file with the columns phrase, alpha, beta; the others are optional.

    low and high are in 0-1 and default to the central half of the distribution, extended to hold its mean; synonyms
    are separated by semicolons; advised is "no" for words that are read only, which without this column are those that
    are so in the shipped tables; asked, answers and within are the numbers of people asked, of their answers and of
    those in the range; is_point is "true" where all of it lies at the mean.  "absent" and "present" are the point
    masses at 0 and 1 where they are missing or have neither alpha nor beta.  A column mean is not read.

    Args:
        path: of the file.
        answers: a table of these numbers for several files: table, phrase, asked, answers, within.

    Raises:
        InputError: the file is broken; the message names file, line and reason.
    """
    rows = read_table(path, ("phrase", "alpha", "beta"), (*_OPTIONAL, *_COUNTS, "mean", "is_point"))
    counted = [] if answers is None else read_table(answers, ("table", "phrase", *_COUNTS))
    answered = {row["phrase"]: row for row in counted if row["table"] == path.name}
    phrases = [_phrase(row, answered) for row in rows]
    _check(phrases, rows)
    taken = {normalise(words) for p in phrases for words in (p.name, *p.synonyms)}
    return Lexicon((*phrases, *(plain(name) for name in _PLAIN if name not in taken)), path.name)


def load_lexicon(table: str = "phrases.csv") -> Lexicon:
    """A shipped phrase table, with the numbers of answers that stand beside it."""
    return read_lexicon_csv(resource("lexicon", table), resource("lexicon", ANSWERS))


def read_target_use(path: Path, lexicon: Lexicon) -> dict[str, float]:
    """A target use, {phrase: share}, from a CSV file with the columns phrase and use.

    ``use`` is any weight of 0 or more; the shares add to 1.

    Raises:
        InputError: the file is broken; the message names file, line and reason.
    """
    use: dict[str, float] = {}
    for row in read_table(path, ("phrase", "use")):
        phrase = lexicon.find(row["phrase"])
        if phrase is None:
            raise row.error(Text("the phrase is in no list. Check its spelling, or add it to the lexicon."))
        weight = row.number("use")
        if weight < 0:
            raise row.error(Text("use is {weight:g}; it must be 0 or more.", weight=weight))
        use[phrase.name] = use.get(phrase.name, 0.0) + weight
    total = sum(use.values())
    if total <= 0:
        raise InputError("{name} gives no word any use. Write how often each phrase is to be used.", name=path.name)
    return {name: weight / total for name, weight in use.items()}


@cache
def read_only() -> frozenset[str]:
    """The phrases of the shipped tables that advice does not propose by itself."""
    listed = (p for table in ("phrases.csv", PUBLIC) for p in load_lexicon(table=table).phrases)
    return frozenset(p.name for p in listed if not p.advised)


def count_unknown(verbatims: Iterable[str]) -> list[tuple[str, int]]:
    """Frequency of each certainty expression, most frequent first, then alphabetically.

    Args:
        verbatims: the words of hedges that are in no list, as the authors wrote them.

    Returns:
        (expression, count), with expressions that differ in case, spacing or punctuation counted together.
    """
    counts = Counter(words for v in verbatims if (words := normalise(v)))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


_ALIKE = 0.7
"""How like each other two spellings must be, 0-1."""


def suggest(lexicon: Lexicon, words: str) -> str:
    """The phrase whose name or synonyms are spelled most similarly; '' if none.

    Likeness is that of difflib's SequenceMatcher.  Words that deny are never taken to be like words that do not:
    "improbable" is no "probable".
    """
    best, name = _ALIKE, ""
    wanted = normalise(words)
    letters, negative = Counter(wanted), denies(wanted)
    for p in lexicon.phrases:
        for known in map(normalise, (p.name, *p.synonyms)):
            # No likeness exceeds the share of letters that both have.
            if 2 * (letters & Counter(known)).total() <= best * (len(wanted) + len(known)):
                continue
            likeness = SequenceMatcher(None, wanted, known).ratio()
            if likeness > best and negative == denies(known):
                best, name = likeness, p.name
    return name


def table_text(lexicon: Lexicon, *, counts: bool = True) -> str:
    """The lexicon as the text of a CSV file that :func:`read_lexicon_csv` reads.

    Args:
        lexicon: any.
        counts: with the numbers of answers, which the shipped tables have beside them.
    """
    more = ("asked", "answers", "within") if counts else ()
    rows = [
        [
            guarded(p.name),
            *(format(x, ".10g") for x in (p.alpha, p.beta, p.low, p.high)),
            guarded("; ".join(p.synonyms)),
            guarded(p.source),
            "" if p.advised else "no",
            *(getattr(p, name) or "" for name in more),
        ]
        for p in lexicon.phrases
    ]
    return csv_text([["phrase", "alpha", "beta", "low", "high", "synonyms", "source", "advised", *more], *rows])


def csv_text(rows: Sequence[Sequence[object]]) -> str:
    """Rows as the text of a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
