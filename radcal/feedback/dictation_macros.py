"""Macros for dictation systems: the words that advice puts in the place of others, and those of the vocabulary."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.advice.author_results import AuthorResults
from radcal.advice.judged_records import Judged
from radcal.advice.judging import judge_author
from radcal.advice.stored_analysis import StoredAdvice
from radcal.feedback.pages import FeedbackPages
from radcal.feedback.records import Macro, Macros, PageChoice
from radcal.system import exports
from radcal.system.cells import guarded
from radcal.system.errors import DataError
from radcal.system.language.catalogue import language
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import resource
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.text import Text
from radcal.words.languages import ENGLISH, recognise
from radcal.words.records import ABSENT, PRESENT
from radcal.words.scales import allowed
from radcal.words.word_files import rows_of
from radcal.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd

    from radcal.system.exports import Export

SLOT = "{}"
"""Stands for the pathology."""
_FILE = "dictation.tsv"
_COLUMNS = ("phrase", "words")


@cache
def spoken_languages() -> tuple[str, ...]:
    """The codes of the languages that certainty words can be dictated in, English first."""
    others = sorted(path.parent.name for path in resource("lexicon").glob(f"*/{_FILE}"))
    return (ENGLISH, *others)


@cache
def _words(code: str) -> dict[str, str]:
    """By phrase, how it is dictated.

    Raises:
        InputError: the file is missing or malformed, or a row does not have the pathology once.
    """
    path = resource("lexicon", *([] if code == ENGLISH else [code]), _FILE)
    found = {}
    for row in rows_of(path, _COLUMNS):
        if row["words"].count(SLOT) != 1:
            raise row.broken(Text("the words need {slot} once, for the pathology", slot=SLOT))
        found[row["phrase"]] = row["words"]
    return found


def template(phrase: str, code: str) -> str:
    """How a phrase is dictated, with SLOT for the pathology; one that is in no list stands before it.

    Args:
        code: of :func:`spoken_languages`.
    """
    return _words(code).get(phrase, f"{phrase} {SLOT}")


def pathology(name: str, code: str) -> str:
    """The pathology's name in a language, its own where the language has none for it."""
    return language(code).catalogue.gettext(name) if name else ""


def dictated(phrase: str, name: str, code: str) -> str:
    """A phrase with a pathology: "likely pneumonia"."""
    return template(phrase, code).replace(SLOT, pathology(name, code))


# --- macros of advised words for dictation systems: which there are, and the lines of their file

_ALL_USES = 1 - 1e-9
_UNSPOKEN = re.compile(r"[^\w\s-]|_")
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def advised_macros(judged: Judged, sure: float, language: str) -> Macros:
    """A macro for each word that advice puts in the place of another one, pathology by pathology.

    Advice over all pathologies makes one for each in which the word was used and has no advice of its own.  Advice on a
    part of a word's uses, or less sure than asked for, makes none; all other words that were used are kept.

    Args:
        judged: what is said of the author's words.
        sure: least probability that the advised word is nearer.
        language: code of the language of the macros.
    """
    changes: dict[tuple[str, str], str] = {}
    kept: dict[str, tuple[str, ...]] = {}
    for group in judged.groups:
        for j in group.words:
            made = j.advice
            if made is not None and made.share >= _ALL_USES and made.sure >= sure and made.target != j.name:
                changes[group.topic, j.name] = made.target
        said = sorted((j for j in group.words if (group.topic, j.name) not in changes), key=lambda j: j.rate.mean)
        kept[group.topic] = tuple(j.name for j in said)
    wanted: dict[tuple[str, str], list[str]] = {}
    for (topic, source), target in sorted(changes.items()):
        wanted.setdefault((topic, target), []).append(source)
    return _made(wanted, tuple(sorted((topic, words) for topic, words in kept.items() if words)), language)


def vocabulary_macros(phrases: Iterable[str], topics: Iterable[str], language: str) -> Macros:
    """A macro for each hedge of a department's vocabulary with each pathology."""
    hedges = [phrase for phrase in phrases if phrase not in (ABSENT, PRESENT)]
    return _made({(topic, phrase): () for topic in topics for phrase in hedges}, (), language)


def _made(
    wanted: Mapping[tuple[str, str], Sequence[str]], kept: tuple[tuple[str, tuple[str, ...]], ...], language: str
) -> Macros:
    macros: dict[str, Macro] = {}
    unfit = []
    for (topic, phrase), sources in sorted(wanted.items()):
        name = _name(pathology(topic, language), template(phrase, language))
        text = _plain(dictated(phrase, topic, language))
        if not name or not text or guarded(name) != name or guarded(text) != text or name.casefold() in macros:
            unfit.append((topic, phrase))
        else:
            macros[name.casefold()] = Macro(topic, phrase, name, text, tuple(sources))
    ordered = sorted(macros.values(), key=lambda macro: (macro.name.casefold(), macro.name))
    return Macros(language, tuple(ordered), kept, tuple(unfit))


def _name(topic: str, words: str) -> str:
    """The pathology and then the words, in letters, digits, hyphens and spaces: it is spoken."""
    return _plain(_UNSPOKEN.sub(" ", _plain(f"{topic} {words.replace(SLOT, ' ')}")))


def _plain(text: str) -> str:
    """Text in one line, without control and formatting characters."""
    shown = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", shown).split())


def written(macros: Macros, suffix: str, *, windows: bool = False) -> str:
    """The content of a file of macros, one a line.

    Args:
        suffix: of the file: ".tsv" for name, tab and text, ".csv" for name, comma and text, else the text alone.
        windows: lines end in CR LF in place of LF, and text beyond ASCII begins with the mark by which Windows
            tells UTF-8.
    """
    suffix = suffix.lower()
    file = io.StringIO(newline="")
    if suffix == ".csv":
        csv.writer(file, lineterminator="\n").writerows([m.name, m.text] for m in macros.macros)
    else:
        file.writelines(f"{m.name}\t{m.text}\n" if suffix == ".tsv" else f"{m.text}\n" for m in macros.macros)
    text = file.getvalue()
    if not windows:
        return text
    return ("" if text.isascii() else _MARK) + text.replace("\n", "\r\n")


MACROS = "dictation macros"
"""In the audit log."""
_SAID = ("xray_id", "xray_sentence")
_REPORTS = 100
"""Most reports of an author from which the language is told; of more, as many spread over all stand for them."""


class DictationMacros:
    """Makes the macros; methods may take a second and must not run in the GUI thread."""

    def __init__(self, context: Context, stored: StoredAdvice, authors: AuthorResults, pages: FeedbackPages) -> None:
        self._context, self._stored, self._authors, self._pages = context, stored, authors, pages

    def of(
        self,
        author: str,
        days: Days = ALL_DAYS,
        progress: Progress = SILENT,
        *,
        choice: PageChoice | None = None,
    ) -> Macros:
        """The macros of the words that are advised to an author, in the language of the reports.

        There are none of what was left out of the author's pages: pathologies, or suggestions altogether.

        Args:
            days: date range of the examinations.
            choice: contents of the pages; None for the stored choice.

        Raises:
            InputError: unknown author, or an empty date range.
            DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
        """
        self._pages.require_accuracy()
        found = self._authors.analysis(author, days, progress)
        chosen = self._pages.choice(author) if choice is None else choice
        basis = self._stored.basis(author)
        judged = judge_author(
            found, basis.phrases, basis.settings.min_phrase_n, chosen.without, advised=chosen.recommendations
        )
        language = self._language([self._stored.observations_of(author)])
        return advised_macros(judged, self._context.settings.sure, language)

    def of_department(self) -> Macros:
        """The macros of the words that advice may propose, with every pathology of the results.

        They are in the language of most of the radiologists' reports.

        Raises:
            DataError: there is no analysis yet, or advice may propose any word.
        """
        analysis, settings = self._stored.required(), self._context.settings
        if not settings.vocabulary and not settings.allowed_phrases:
            raise DataError(
                "The department has no vocabulary of its own, since advice may propose any word. Choose a scale or "
                "tick words on the Words page."
            )
        words = allowed(settings, self._stored.phrases)
        listed = [p.name for p in self._stored.phrases if p.name in words]
        topics = {r.topic for r in analysis.reliabilities if r.n > 0}
        return vocabulary_macros(listed, topics, self._language(self._stored.radiologists_observations(_SAID)))

    def write(
        self,
        author: str,
        out: Path,
        *,
        days: Days = ALL_DAYS,
        windows: bool = False,
        choice: PageChoice | None = None,
        progress: Progress = SILENT,
    ) -> Macros:
        """Write an author's macros, or with '' those of the department's words, one a line; returns them.

        Lines have the form of the file's suffix: ".tsv", ".csv", else the texts alone.

        Args:
            days: date range of the examinations of an author.
            windows: with the line ends of Windows, and a mark before text beyond ASCII.
            choice: as for :meth:`of`.

        Raises:
            InputError: as for :meth:`of`, or the file cannot be written.
            DataError: as for :meth:`of` and :meth:`of_department`, or no other word is advised.
        """
        macros = self.of(author, days, progress, choice=choice) if author else self.of_department()
        if author and not macros.macros:
            raise DataError("There are no macros to write: no other word is advised, or only what the pages leave out.")
        to = self._stored.pseudonyms()[author] if author else ""
        self._context.exports.write(out, self.export(macros, out.suffix, to=to, windows=windows))
        return macros

    def export(self, macros: Macros, suffix: str, *, to: str = "", windows: bool = False) -> Export:
        """The macros for a file of a suffix; ``windows`` as for :meth:`write`.

        to: as in :class:`radcal.system.exports.Export`
        """
        content = written(macros, suffix, windows=windows)
        return exports.text(content, MACROS, to=to, macros=len(macros.macros))

    def _language(self, by_author: Iterable[pd.DataFrame]) -> str:
        """The language of most reports behind the observations of authors.

        English where two languages have as many, or no words are known to be dictated in that of most.
        """
        reports: Counter[str] = Counter()
        for observations in by_author:
            reports.update(_languages(observations))
        most = max(reports.values(), default=0)
        codes = [code for code, n in reports.items() if n == most]
        return codes[0] if len(codes) == 1 and codes[0] in spoken_languages() else ENGLISH


def _languages(observations: pd.DataFrame) -> dict[str, Fraction]:
    """How many of an author's reports are in which language, by the sentences that were read in them.

    Reports of which nothing tells the language do not count.
    """
    ids = observations["xray_id"].unique()
    chosen = ids[:: -(-len(ids) // _REPORTS) or 1]
    said = observations.loc[observations["xray_id"].isin(chosen), list(_SAID)].astype("str").drop_duplicates()
    found = [recognise(" ".join(own)) for _, own in said.groupby("xray_id")["xray_sentence"]]
    counts = Counter(one.code for one in found if one.margin)
    return {code: Fraction(n * len(ids), len(chosen)) for code, n in counts.items()}
