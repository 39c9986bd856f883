"""Reads a draft as a report and looks up the author's results for each certainty word; stores nothing.

The draft and its findings stay in memory: a separate rules engine reads it and clears its cache at once, nothing is
written, and no error quotes the draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from radcal.advice.author_results import AuthorResults
from radcal.advice.judged_records import Judged, JudgedWord
from radcal.advice.judging import judge_author, word_of
from radcal.advice.stored_analysis import StoredAdvice
from radcal.advice.wording import proposed
from radcal.calibration.records import Wording
from radcal.findings.records import Finding
from radcal.reports.records import Modality, Section
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.text import Text
from radcal.words.extraction_words import for_reading
from radcal.words.phrases import mean_of, normalise
from radcal.words.word_files import own_version
from radcal.workspace.context import Context

if TYPE_CHECKING:
    from radcal.findings.rules.engine import RulesEngine


@dataclass(frozen=True, slots=True)
class CheckedWord:
    """A certainty word in a draft, for one pathology, with what is said of it.

    start, end: span in the draft of the certainty words, or of the pathology's where it is stated plainly
    verbatim: as written, '' for a plain statement
    judged: the verdict and the advice, as in the results and on the author's pages
    written: the author's own uses, wording by wording, the most frequent first
    replace_start, replace_end, replacement: the edit that follows the advice; '' where the sentence must be reworded by
        hand
    """

    start: int
    end: int
    verbatim: str
    judged: JudgedWord
    written: tuple[Wording, ...] = ()
    replace_start: int = -1
    replace_end: int = -1
    replacement: str = ""

    @property
    def topic(self) -> str:
        """The pathology."""
        return self.judged.topic

    @property
    def phrase(self) -> str:
        """The canonical phrase."""
        return self.judged.name


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft and its certainty words in order, compared with the results of the date range."""

    text: str
    author: str
    days: Days
    words: tuple[CheckedWord, ...]


LONGEST = 20_000
"""Maximum length of a draft in characters; a longer one could not be read while typing."""


class DraftCheck:
    """Reads drafts and looks up the author's results for each certainty word."""

    def __init__(self, context: Context, stored: StoredAdvice, authors: AuthorResults) -> None:
        self._context = context
        self._stored = stored
        self._authors = authors
        self._engine: tuple[str, RulesEngine] | None = None

    def read(self, text: str, author: str, days: Days = ALL_DAYS, progress: Progress = SILENT) -> CheckedDraft:
        """The certainty words of a draft with the author's results in the date range.

        Raises:
            InputError: an author without statements, an empty date range, or a draft longer than LONGEST.
            DataError: there is no analysis yet.
        """
        analysis = self._authors.analysis(author, days, progress)
        if len(text) > LONGEST:
            raise InputError(
                "The draft has {n:,} characters; up to {longest:,} are read as one types. Try a part of it.",
                n=len(text),
                longest=LONGEST,
            )
        wordings, basis = self._authors.wordings(author, days), self._stored.basis(author)
        judged = judge_author(analysis, basis.phrases, basis.settings.min_phrase_n)
        try:
            found = self._findings(text)
            words = (self._with_edit(_checked(f, judged, wordings), f, text, found) for f in found)
            return CheckedDraft(text, author, days, tuple(sorted(words, key=lambda w: (w.start, w.end, w.topic))))
        finally:
            if self._engine is not None:
                self._engine[1].forget()

    def _findings(self, text: str) -> list[Finding]:
        from radcal.reports.sections import document

        draft = document("draft", text, Modality.XRAY)
        # In a draft, everything outside indication, comparison and technique is read as findings.
        said = tuple(replace(s, section=Section.FINDINGS) if s.section is Section.OTHER else s for s in draft.sentences)
        read = self._reader().extract([replace(draft, sentences=said)], SILENT)
        return [f for extraction in read for f in extraction.findings]

    def _reader(self) -> RulesEngine:
        """A rules engine with the lexicon behind the results."""
        from radcal.findings.rules.engine import rules_engine
        from radcal.words.studies import laid_over

        words, settings = for_reading(self._stored.lexicon), self._context.settings
        own = own_version(settings)  # '' also for a personal file elsewhere, where the department's folder is not
        version = words.version + own
        if self._engine is None or self._engine[0] != version:
            laid = laid_over(settings if own else settings.changed(lexicon_dir=""))
            self._engine = version, rules_engine(None, words, laid)
        return self._engine[1]

    def _with_edit(self, word: CheckedWord, f: Finding, text: str, found: Sequence[Finding]) -> CheckedWord:
        """The word with the edit that follows its advice, provided that nothing else in the draft changes."""
        if not (target := word.judged.closer):
            return word
        wanted = [(o.pathology, target if o is f else o.phrase) for o in found]
        for edit in rewordings(text, f, target):
            edited = text[: edit.start] + edit.text + text[edit.end :]
            if [(o.pathology, o.phrase) for o in self._findings(edited)] == wanted:
                return replace(word, replace_start=edit.start, replace_end=edit.end, replacement=edit.text)
        return word


def _checked(f: Finding, judged: Judged, wordings: Sequence[Wording]) -> CheckedWord:
    """A finding's word with what is said of it, without an edit."""
    start, end = (f.cue_start, f.cue_end) if f.cue_start >= 0 else (f.term_start, f.term_end)
    written = tuple(w for w in wordings if (w.topic, w.phrase) == (f.pathology, f.phrase))
    word, very = word_of(judged, f.pathology, f.phrase), normalise(f.verbatim)
    own, target = next((w for w in written if w.words == very), None), judged.phrases.get(word.closer)
    if own and target and word.phrase and abs(own.rate - mean_of(target)) >= abs(own.rate - mean_of(word.phrase)):
        why = Text("For this wording, {word} would not have been closer.", word=proposed(target.name))
        word = replace(word, advice=None, over="", why=why)
    return CheckedWord(start, end, f.verbatim, word, written)


_BESIDE = 40
"""Most characters between the certainty words and the pathology, such as 'a new right lower lobe'."""
_AS_ADJECTIVE = {"possibly": "possible", "probably": "probable", "question of": "questionable"}
"""Phrases with another form as a predicate: 'edema is possible'."""
_PREDICATES = frozenset({"very unlikely", "unlikely", "question of", "possibly", "probably", "likely", "most likely"})
"""Phrases that can follow the pathology as a predicate."""
_VERBS = frozenset({"may represent", "maybe"})
"""Phrases that cannot follow 'is' or 'are'."""
_AFTER_NOUN = re.compile(r"(?<!question )(?:of|for|with)$", re.IGNORECASE)
"""Ends phrases that speak of something seen, which they do not name: 'suggestive of'."""
_LINKING = re.compile(r"(?:is|are|was|were)\b", re.IGNORECASE)
_LINKED = re.compile(r"\b(?:is|are|was|were|be)\s+$", re.IGNORECASE)
_END = re.compile(r"[.;:!?\n]")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replacement of ``draft[start:end]`` by ``text``."""

    start: int
    end: int
    text: str


def rewordings(draft: str, finding: Finding, target: str) -> Iterator[Edit]:
    """Edits that may reword a finding with the phrase ``target``, best first; the result has to be read to be sure.

    Two forms are handled: the certainty words before the pathology ("likely edema"), or after it as a predicate
    ("edema is likely").  The first letter keeps its case; a sentence that would begin with "suggestive of" begins with
    "findings suggestive of".
    """
    start, end = finding.cue_start, finding.cue_end
    if not 0 <= start < end <= len(draft):
        return
    words = draft[start:end]
    before = end <= finding.term_start
    gap = draft[end : finding.term_start] if before else draft[finding.term_end : start]
    if len(gap) > _BESIDE or _END.search(gap):
        return
    linking = _LINKING.match(words)
    if before:
        # "is likely edema" and "findings are likely edema" may not become "is may represent edema".
        if target in _VERBS and (linking or _LINKED.search(draft, max(0, start - 8), start)):
            return
        verb = f"{linking.group()} " if linking else ""
        led = draft[:start].rstrip(" ")
        if not verb and _AFTER_NOUN.search(target) and not _AFTER_NOUN.search(words) and _END.search(f".{led}"[-1]):
            verb = "findings "
        for said in dict.fromkeys((_AS_ADJECTIVE.get(target, target), target)):
            yield Edit(start, end, _cased(words, verb + said))
    elif target in _PREDICATES:
        verb = f"{linking.group()} " if linking else ""
        yield Edit(start, end, _cased(words, verb + _AS_ADJECTIVE.get(target, target)))


def _cased(words: str, said: str) -> str:
    """``said`` with a capital where ``words`` has one."""
    return said[:1].upper() + said[1:] if words[:1].isupper() else said
