"""The cascade: the rules read every report, and a language model is asked where a second reading is worth its time."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Literal, Protocol

from radcal.findings.records import Extraction, Extractor, Finding
from radcal.reports.records import Document
from radcal.system.progress import Progress, Unseen
from radcal.system.text import Text
from radcal.words.records import ABSENT, PRESENT, UNREAD

VERSION = "1.0"
_CHUNK = 1000
"""Reports that the rules read at a time."""
_AHEAD = 5_000
"""Reports that the rules read ahead of the second reader, give or take a chunk."""
_LIKELY = 0.5
"""Least probability of an answer."""

Asks = Literal["unread", "hedged", "all"]
"""The reports asked about: where the rules left a finding unread, or hedged one as well, or all."""


class SecondReader(Extractor, Protocol):
    """What a cascade asks: an engine that reads by a language model, on this computer or on a server.

    It may have a ``model``, its file, or a ``model_name``; and a ``host`` that reports are sent to, as ``sent`` counts.
    """

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


class Cascade:
    """Extraction by rules, with a second reader for what they leave unread; a report's result depends on it alone.

    An unread finding gives way to what the second reader says of its pathology in its sentence, if that goes by the
    words of doubt that the rules did not understand: to overlook them, too, explains nothing.  Everything else is as
    the rules read it.  The second reader's whole reading of a report stands in ``Extraction.second``; of reports that
    it is not asked about it sees nothing.
    """

    name = Text("cascade")

    def __init__(self, rules: Extractor, second: SecondReader, asks: Asks = "unread") -> None:
        self.rules = rules
        self.second = second
        self._asks = asks

    @property
    def version(self) -> str:
        """Of the cascade and of both its engines."""
        return f"{VERSION}+rules.{self.rules.version}+{self.second.name}.{self.second.version}"

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of the hashes of both engines and of what the second is asked about.

        Raises:
            InputError: as of the second reader.
        """
        content = [self.rules.settings_hash, self.second.settings_hash, self._asks]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    @property
    def model(self) -> Path | None:
        """The second reader's model file, None for one without."""
        return getattr(self.second, "model", None)

    @property
    def model_name(self) -> str:
        """The second reader's model and where it is, if it is on a server; else ''."""
        return getattr(self.second, "model_name", "")

    @property
    def host(self) -> str:
        """Where the reports that are asked about are sent; '' if they stay on this computer."""
        return getattr(self.second, "host", "")

    @property
    def sent(self) -> int:
        """Reports whose text the second reader has sent."""
        return getattr(self.second, "sent", 0)

    def pause(self) -> None:
        """Pause the second reader; the rules go on up to the next report that it is asked about."""
        self.second.pause()

    def resume(self) -> None:
        """Continue after :meth:`pause`."""
        self.second.resume()

    def close(self) -> None:
        """Close the second reader and clear all cached report text."""
        self.second.close()
        if (forget := getattr(self.rules, "forget", None)) is not None:
            forget()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order.

        A report on which the second reader fails stays as the rules read it; ``second`` has the reason.

        Raises:
            InputError, EngineError: as of the second reader, which starts with the first report that it is asked about.
        """
        done = asked = 0
        reader = Text("the server") if self.host else Text("the Llama")
        for extraction in self._read(iter(documents), Unseen(progress)):
            yield extraction
            done, asked = done + 1, asked + (extraction.second is not None)
            note = Text("{reader} was asked about {asked:,} of {n:,} reports", reader=reader, asked=asked, n=done)
            progress.advance(1, note)

    def _read(self, given: Iterator[Document], hidden: Progress) -> Iterator[Extraction]:
        waiting: deque[Extraction] = deque()
        """Read by the rules, and behind a report that is asked about."""

        def asked() -> Iterator[list[Document]]:
            """Of each chunk those to be asked about, until enough are waiting."""
            while len(waiting) < _AHEAD and (chunk := list(islice(given, _CHUNK))):
                read = list(zip(chunk, self.rules.extract(chunk, hidden), strict=True))
                waiting.extend(extraction for _, extraction in read)
                yield [document for document, extraction in read if self._is_asked(extraction)]

        while (first := next(asked(), None)) is not None:
            yield from self._settled(waiting)
            if not first:
                continue
            # In one go over many chunks, so that it always has enough to read, and tells a bad report from an outage.
            # To its end: the second reader is held by whoever has not taken all of its answers.
            for second in self.second.extract(chain(first, chain.from_iterable(asked())), hidden):
                yield from self._settled(waiting)
                yield _joined(waiting.popleft(), second)
            yield from self._settled(waiting)

    def _settled(self, waiting: deque[Extraction]) -> Iterator[Extraction]:
        """Take those that wait for no answer, up to one that does."""
        while waiting and not self._is_asked(waiting[0]):
            yield waiting.popleft()

    def _is_asked(self, read: Extraction) -> bool:
        """Whether the second reader is asked about a report, given the rules' reading of it."""
        if read.failure:
            return False
        said = {f.phrase for f in read.findings}
        return self._asks == "all" or UNREAD in said or (self._asks == "hedged" and not said <= {PRESENT, ABSENT})


def _joined(read: Extraction, second: Extraction) -> Extraction:
    """The rules' reading of a report, with what the second reader says in place of what they left unread."""
    findings: list[Finding] = []
    for finding in read.findings:
        findings += _instead(finding, read.findings, second.findings) if finding.phrase == UNREAD else (finding,)
    return replace(read, findings=tuple(findings), second=second)


def _instead(unread: Finding, rules: Iterable[Finding], second: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in place of an unread one: itself, if the second reader has no answer.

    What that says of words that the rules have read is none; and no statement is made twice.
    """
    here = [f for f in rules if _place(f) == _place(unread) and f.phrase != UNREAD]
    answers = {
        f.phrase: f
        for f in second
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

    What is taken for less likely than not is no answer.
    """
    if answer.probability is not None and answer.probability < _LIKELY:
        return False
    if answer.cue_start < 0:
        return answer.phrase != PRESENT
    return answer.cue_start < unread.cue_end and unread.cue_start < answer.cue_end
