"""A report as a language model is shown it, and its findings from what the model read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from radcal.findings.by_model.findings import Findings
from radcal.findings.by_model.unfamiliar_terms import Shown, StandIns
from radcal.findings.joined_sentences import WholeSentence, whole_sentences
from radcal.findings.records import Extraction, Finding
from radcal.reports.records import Document
from radcal.words.languages import recognise, sentence_language, unreadable
from radcal.words.records import UNREAD


@dataclass(frozen=True, slots=True)
class Report:
    """A report to be read.

    code: of its language;  sentences: those that assert something, none in a language that is not read
    shown: the same as the model is shown them
    """

    report_id: str
    code: str
    sentences: tuple[WholeSentence, ...]
    shown: tuple[Shown, ...]

    @property
    def texts(self) -> list[str]:
        """The sentences as the model is shown them."""
        return [sentence.text for sentence in self.shown]


class Reports:
    """Makes reports of documents, and extractions of readings.

    Args:
        findings: of each language that is read, by its code.
        stand_ins: for terms that the model cannot know.
    """

    def __init__(self, findings: Mapping[str, Findings], stand_ins: StandIns) -> None:
        self._findings = findings
        self._stand_ins = stand_ins

    def report(self, document: Document) -> Report:
        """The report of a document."""
        code = recognise(document.text).code
        sentences = tuple(whole_sentences(document.sentences)) if code in self._findings else ()
        shown = tuple(self._stand_ins.shown(sentence.text) for sentence in sentences)
        return Report(document.report_id, code, sentences, shown)

    def extraction(self, report: Report, readings: Iterable[Mapping[str, Any]], failure: str = "") -> Extraction:
        """The findings of a report's readings, each the values of
        :class:`~radcal.findings.by_model.readers.Reading`."""
        if report.code not in self._findings:
            return Extraction(report.report_id, (), unreadable(report.code, self._findings))
        made = (
            self._made(report, report.sentences[told["sentence"]], told)
            for reading in readings
            for told in report.shown[reading["sentence"]].readings(reading)
        )
        return Extraction(report.report_id, tuple(f for f in made if f is not None), failure)

    def of_sentence(self, report: Report, sentence: int) -> Findings:
        """What makes the findings of a sentence: that of its own language, if it is read."""
        own = sentence_language(report.sentences[sentence].text, report.code)
        return self._findings.get(own, self._findings[report.code])

    def forget(self) -> None:
        """Clear the cached words of reports."""
        for findings in self._findings.values():
            findings.forget()

    def _made(self, report: Report, sentence: WholeSentence, reading: Mapping[str, Any]) -> Finding | None:
        """The finding of a reading; unread if its sentence is in another language than those that are read."""
        own = sentence_language(sentence.text, report.code)
        finding = self._findings.get(own, self._findings[report.code]).make(report.report_id, sentence, reading)
        if finding is None or own in self._findings:
            return finding
        return replace(finding, phrase=UNREAD, verbatim="", cue_start=-1, cue_end=-1)
