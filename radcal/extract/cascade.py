"""The cascade: the rules read every report, and a Llama is asked where a second reading is worth its time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from radcal.progress import Progress, Unseen
from radcal.records import ABSENT, PRESENT, UNREAD, Document, Extraction, Extractor, Finding
from radcal.text import Text

if TYPE_CHECKING:
    from radcal.extract.by_llama.engine import LlamaEngine

VERSION = "1.0"
_CHUNK = 1000
"""Most reports that the rules read ahead of the Llama."""
_LIKELY = 0.5
"""Least probability of an answer."""

Asks = Literal["unread", "hedged", "all"]
"""The reports that the Llama is asked about: where the rules left a finding unread, or hedged one as well, or all."""


class Cascade:
    """Extraction by rules, with a Llama for what they leave unread; the result for a report depends on it alone.

    An unread finding gives way to what the Llama reads of its pathology in its sentence, if that goes by the words of
    doubt that the rules did not understand: to overlook them, too, explains nothing.  Everything else is as the rules
    read it.  The Llama's whole reading of a report stands in ``Extraction.second``.
    """

    name = Text("cascade")

    def __init__(self, rules: Extractor, llama: LlamaEngine, asks: Asks = "unread") -> None:
        self.rules = rules
        self.llama = llama
        self._asks = asks

    @property
    def version(self) -> str:
        """Of the cascade and of both its engines."""
        return f"{VERSION}+rules.{self.rules.version}+llama.{self.llama.version}"

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of the hashes of both engines and of what the Llama is asked about.

        Raises:
            InputError: as of the Llama.
        """
        content = [self.rules.settings_hash, self.llama.settings_hash, self._asks]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    @property
    def model(self) -> Path:
        """The Llama's model file."""
        return self.llama.model

    def pause(self) -> None:
        """Pause the Llama; the rules go on up to the next report that it is asked about."""
        self.llama.pause()

    def resume(self) -> None:
        """Continue after :meth:`pause`."""
        self.llama.resume()

    def close(self) -> None:
        """End the Llama's process and clear all cached report text."""
        self.llama.close()
        if (forget := getattr(self.rules, "forget", None)) is not None:
            forget()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order.

        A report on which the Llama fails stays as the rules read it; ``second`` has the reason.

        Raises:
            InputError, EngineError: as of the Llama, which starts with the first report that it is asked about.
        """
        given, done, asked = iter(documents), 0, 0
        while chunk := list(islice(given, _CHUNK)):
            for extraction in self._read(chunk, progress):
                yield extraction
                done, asked = done + 1, asked + (extraction.second is not None)
                progress.advance(1, f"the Llama was asked about {asked:,} of {done:,} reports")

    def _read(self, chunk: list[Document], progress: Progress) -> Iterator[Extraction]:
        hidden = Unseen(progress)
        read = list(zip(chunk, self.rules.extract(chunk, hidden), strict=True))
        asked = [document for document, extraction in read if self._is_asked(extraction)]
        waiting = (extraction for _, extraction in read)
        # To its end: the Llama is held by whoever has not taken all of its answers.
        for second in self.llama.extract(asked, hidden) if asked else ():
            for extraction in waiting:
                if self._is_asked(extraction):
                    yield _joined(extraction, second)
                    break
                yield extraction
        yield from waiting

    def _is_asked(self, read: Extraction) -> bool:
        """Whether the Llama is asked about a report, given the rules' reading of it."""
        if read.failure:
            return False
        said = {f.phrase for f in read.findings}
        return self._asks == "all" or UNREAD in said or (self._asks == "hedged" and not said <= {PRESENT, ABSENT})


def _joined(read: Extraction, second: Extraction) -> Extraction:
    """The rules' reading of a report, with what the Llama reads in place of what they left unread."""
    findings: list[Finding] = []
    for finding in read.findings:
        findings += _instead(finding, read.findings, second.findings) if finding.phrase == UNREAD else (finding,)
    return replace(read, findings=tuple(findings), second=second)


def _instead(unread: Finding, rules: Iterable[Finding], llama: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in place of an unread one: itself, if the Llama has no answer.

    What the Llama says of words that the rules have read is none; and no statement is made twice.
    """
    here = [f for f in rules if _place(f) == _place(unread) and f.phrase != UNREAD]
    answers = {
        f.phrase: f
        for f in llama
        if _place(f) == _place(unread)
        and _explains(f, unread)
        and (_same_term(f, unread) or not any(_same_term(f, r) for r in here))
    }
    if not answers:
        return (unread,)
    return tuple(f for phrase, f in answers.items() if phrase not in {r.phrase for r in here})


def _place(finding: Finding) -> tuple[str, int]:
    return finding.pathology, finding.start


def _same_term(one: Finding, other: Finding) -> bool:
    return one.term_start < other.term_end and other.term_start < one.term_end


def _explains(answer: Finding, unread: Finding) -> bool:
    """Whether an answer goes by the words not understood; where it names no words, if it is not plain presence.

    What the Llama takes for less likely than not is no answer.
    """
    if answer.probability is not None and answer.probability < _LIKELY:
        return False
    if answer.cue_start < 0:
        return answer.phrase != PRESENT
    return answer.cue_start < unread.cue_end and unread.cue_start < answer.cue_end
