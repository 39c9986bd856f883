"""The served engine: an Extractor that reads reports with a language model on a server of the hospital."""

from __future__ import annotations

import hashlib
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

from radcal.findings.by_model.engine import pace
from radcal.findings.by_model.prompt import turns
from radcal.findings.by_model.reports import Findings, Reports, StandIns
from radcal.findings.records import Extraction
from radcal.findings.rules.vocabulary import read_vocabularies, settings_hash
from radcal.findings.served.address import Address, parse
from radcal.findings.served.certificates import trusting
from radcal.findings.served.client import Client
from radcal.findings.served.dispatch import Dispatch, Loop
from radcal.findings.served.reading import LEAST_ROOM, Checker, Room, ServedReader, room_in
from radcal.findings.served.requests import Asker, Offer, schema
from radcal.findings.served.trial import Trial, models_of, try_out
from radcal.reports.records import Document
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.resources import resource
from radcal.system.text import EMPTY, Text, joined
from radcal.words.confirmations import pathology_names
from radcal.words.extraction_words import respelling
from radcal.words.languages import ENGLISH
from radcal.words.phrases import load_lexicon
from radcal.words.word_files import layers

if TYPE_CHECKING:
    from radcal.words.phrases import Lexicon


@dataclass(frozen=True, slots=True)
class ServedOptions:
    """Where the model is served, and how it is asked; values are within the bounds of the settings of these names.

    url, model:    of the server, and the model's name there
    ca:            PEM file of the hospital's own certificate authority, None for those that the system trusts
    parallel:      reports read at the same time
    seconds:       longest time for one report, all tries together
    prompts:       folder with a department's own prompt files, None for those shipped with RadCal
    context:       tokens for prompt, report and answer, where the server does not say how many it has
    max_findings:  most findings per part of a report; an answer with more is rejected
    temperature, seed: 0 for the most probable answer, above 0 for one drawn with the seed
    """

    url: str
    model: str
    ca: Path | None = None
    parallel: int = 8
    seconds: float = 30.0
    prompts: Path | None = None
    context: int = 4096
    max_findings: int = 64
    temperature: float = 0.0
    seed: int = 0


VERSION = "1.0"
FORMAT = "radcal-json-1"
"""The form of answers; in the hash of the settings."""


def served_engine(
    options: ServedOptions,
    lexicon: Lexicon | None = None,
    own: Path | None = None,
    key: Callable[[], str] = str,
) -> ServedEngine:
    """The engine with a model on a server; nothing is sent before the first report.

    Args:
        lexicon: of a department, whose own words are read with their meaning there.
        own: a department's folder of term and cue files, laid over the shipped ones.
        key: gives the server's key when it is needed, '' for none.

    Raises:
        InputError: the address is not allowed, no model is named, the file of its authority cannot be used, or a prompt
            or word file is malformed.
    """
    return ServedEngine(options, lexicon or load_lexicon(), own, key)


class ServedEngine:
    """Extraction by a served model; the result for a report is independent of the others.

    Close it, or use it in a ``with`` block, to clear the cached words of reports.
    """

    name = "served"

    def __init__(
        self, options: ServedOptions, lexicon: Lexicon, own: Path | None = None, key: Callable[[], str] = str
    ) -> None:
        self.address: Address = parse(options.url)
        if not options.model.strip() or not options.model.isprintable():
            raise InputError(
                "No model is named. Name one of those that {host} offers, as it calls it (--set "
                "served_model=NAME, or Model on the page Extraction).",
                host=self.address.host,
            )
        if options.ca is not None:
            trusting(options.ca)
        self._options = options
        self._key = key
        vocabularies = read_vocabularies(*layers(own, resource("lexicon")), respelling=respelling(lexicon))
        pathologies = pathology_names(own)
        self._content = [
            *(self.address.host, options.model, FORMAT),
            *(pathologies, settings_hash(vocabularies)),
            # What the words mean decides nothing here.
            [(p.name, sorted(p.synonyms)) for p in lexicon.phrases],
            [options.context, options.max_findings, options.temperature, options.seed],
        ]
        prompt = turns(options.prompts or resource("prompts"), pathologies, [p.name for p in lexicon.phrases])
        self._content.append(list(prompt))
        self._asker = Asker(
            options.model, prompt, schema(pathologies), temperature=options.temperature, seed=options.seed
        )
        self._checker = Checker(pathologies, options.max_findings)
        findings = {code: Findings(words, lexicon, self.described) for code, words in vocabularies.items()}
        self._reports = Reports(findings, StandIns(vocabularies[ENGLISH]))
        self._busy = threading.Lock()
        self._going = threading.Event()
        self._going.set()
        self.sent = 0
        """Reports whose text was sent since the engine was made."""

    @property
    def version(self) -> str:
        """Of this engine."""
        return VERSION

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of host, model, prompt, form of answers, lexicon and options."""
        return hashlib.sha256(json.dumps(self._content).encode()).hexdigest()[:16]

    @property
    def host(self) -> str:
        """Where the reports are sent: "llm.example:8443"."""
        return self.address.host

    @property
    def model_name(self) -> str:
        """The model and where it is: "llama-3.3-70b at llm.example:8443"."""
        return f"{self._options.model} at {self.address.host}"

    @property
    def described(self) -> str:
        """What each finding says that it was read by."""
        return f"{self.name}: {self.model_name}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def pause(self) -> None:
        """Send no further report until :meth:`resume`; those that were sent are read.  From any thread."""
        self._going.clear()

    def resume(self) -> None:
        """Continue after :meth:`pause`."""
        self._going.set()

    def close(self) -> None:
        """Clear all cached words of reports."""
        self._reports.forget()

    def forget(self) -> None:
        """As :meth:`close`."""
        self.close()

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        """One Extraction per document, in order; with a failure for those that are not read within their budget.

        The server is tried before the first report is sent, with a question of RadCal's own.

        Raises:
            InputError: the server refuses the key, the model or every question, sends requests elsewhere, or its
                certificate is wrong.
            EngineError: it cannot be reached, has failed on many reports in a row, or the engine is busy.
        """
        total = len(documents) if isinstance(documents, Sized) else None
        reports = map(self._reports.report, documents)
        first = next(reports, None)
        if first is None:
            return
        with self._exclusive(), self._connected() as (loop, client):
            trial = loop.result(self._tried(client), progress)
            dispatch = Dispatch(
                loop, self._reader(client, trial).read, self._options.parallel, self._going, self.address.host
            )
            note = _note(trial)
            began, before = time.monotonic(), self.sent
            try:
                for done, (report, outcome) in enumerate(dispatch.run(chain([first], reports), progress), 1):
                    self.sent = before + dispatch.sent
                    yield self._reports.extraction(report, outcome.readings, outcome.failure)
                    progress.advance(1, joined((pace(done, total, time.monotonic() - began), note), "; "))
            finally:
                self.sent = before + dispatch.sent

    def try_server(self, progress: Progress = SILENT) -> Trial:
        """What a trial of the server finds; no report is sent.

        Raises:
            InputError, EngineError: as :meth:`extract`.
            Cancelled: by ``progress``.
        """
        with self._connected() as (loop, client):
            return loop.result(self._tried(client), progress)

    async def _tried(self, client: Client) -> Trial:
        offer = await models_of(client, self.address)
        trial = await try_out(client, self.address, self._asker, self._options.model, offer)
        self._room(trial)
        return trial

    def _room(self, trial: Trial) -> Room:
        """What the model's context leaves for a report.

        Raises:
            InputError: too little.
        """
        context = trial.offer.context_of(self._options.model) or self._options.context
        room = room_in(context, self._asker.characters)
        if room.report < LEAST_ROOM:
            raise InputError(
                "The prompt takes about {n:,} of the model's {context:,} tokens, which leaves too little for a report. "
                "Have the server give it a larger context, or use a shorter prompt.",
                n=context - room.report - room.answer,
                context=context,
            )
        return room

    def _reader(self, client: Client, trial: Trial) -> ServedReader:
        return ServedReader(
            *(client, self.address, self._asker, self._checker, self._reports),
            model=self._options.model,
            way=trial.way,
            room=self._room(trial),
            seconds=self._options.seconds,
        )

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise EngineError("The served engine is busy with another run. Wait for it, or stop it.")
        try:
            yield
        finally:
            self._busy.release()

    @contextmanager
    def _connected(self) -> Iterator[tuple[Loop, Client]]:
        """A loop with a client of the server in it; errors as of :func:`connected`."""
        with connected(self._options, self.address, self._key()) as both:
            yield both


def models_offered(options: ServedOptions, key: str, progress: Progress = SILENT) -> Offer:
    """The models that a server offers, whichever is named.

    Raises:
        InputError: the address is not allowed, or the key or the certificate is wrong.
        EngineError: the server cannot be reached.
        Cancelled: by ``progress``.
    """
    address = parse(options.url)
    with connected(options, address, key) as (loop, client):
        return loop.result(models_of(client, address), progress)


@contextmanager
def connected(options: ServedOptions, address: Address, key: str) -> Iterator[tuple[Loop, Client]]:
    """A loop with a client of a server in it, closed within half a second.

    Raises:
        InputError: the file of its authority cannot be used.
    """
    context = trusting(options.ca) if address.encrypted else _trusting_nobody()
    loop = Loop()
    client = Client(address, context, key)
    try:
        yield loop, client
    finally:
        loop.close(client.close)


def _trusting_nobody() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _note(trial: Trial) -> Text:
    """What is said beside the pace where the server does not keep answers to the form."""
    return EMPTY if trial.way.kept else Text("answers are checked here alone")
