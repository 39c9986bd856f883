"""A pair reader on a server of the hospital: what its model says of the sentences and pathologies of reports."""

from __future__ import annotations

import hashlib
import json
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from radcal.findings.model.pair_prompt import read_pair_prompt
from radcal.findings.pairs import Answers, Question, phrases_of
from radcal.findings.served.address import Address, parse
from radcal.findings.served.certificates import trusting
from radcal.findings.served.client import Client
from radcal.findings.served.dispatch import Dispatch, Loop
from radcal.findings.served.reading import Outcome, ServedReader
from radcal.findings.served.requests import Asker, Offer
from radcal.findings.served.trial import Trial, models_of, try_out
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import Lexicon, load_lexicon


@dataclass(frozen=True, slots=True)
class ServedOptions:
    """Where the model is served, and how it is asked; values are within the bounds of the settings of these names.

    url, model:    of the server, and the model's name there
    ca:            PEM file of the hospital's own certificate authority, None for those that the system trusts
    parallel:      reports read at the same time
    seconds:       longest time for one report, all tries together
    prompts:       folder with a department's own prompt file, None for the one shipped with RadCal
    """

    url: str
    model: str
    ca: Path | None = None
    parallel: int = 8
    seconds: float = 30.0
    prompts: Path | None = None


VERSION = "2.0"
FORMAT = "radcal-json-2"
"""The form of messages and answers; in the hash of the settings."""


def served_pair_reader(
    options: ServedOptions,
    lexicon: Lexicon | None = None,
    own: Path | None = None,
    key: Callable[[], str] = str,
) -> ServedPairReader:
    """The pair reader with a model on a server; nothing is sent before the first question.

    Args:
        lexicon: of a department, whose phrases are the closed list.
        own: a department's folder of term and cue files, laid over the shipped ones.
        key: gives the server's key when it is needed, '' for none.

    Raises:
        InputError: the address is not allowed, no model is named, the file of its authority cannot be used, or the
            prompt file is malformed.
    """
    return ServedPairReader(options, lexicon or load_lexicon(), own, key)


class ServedPairReader:
    """Answers the questions of reports; an answer depends on the questions of its report alone.

    The probabilities are the model's where the server states those of tokens; where it does not, the phrase that the
    model chose has probability 1.
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
        self.phrases: tuple[str, ...] = phrases_of(lexicon)
        prompt = read_pair_prompt(options.prompts, pathology_names(own), lexicon)
        self._asker = Asker(options.model, prompt, self.phrases)
        self._busy = threading.Lock()
        self._going = threading.Event()
        self._going.set()
        self.sent = 0
        """Reports of which sentences were sent since the reader was made."""

    @property
    def version(self) -> str:
        """Of this reader."""
        return VERSION

    @property
    def settings_hash(self) -> str:
        """Short SHA-256 of host, model, prompt, closed list and form of answers."""
        content = [self.address.host, self._options.model, FORMAT, *self._asker.turns, *self.phrases]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    @property
    def host(self) -> str:
        """Where sentences are sent: "llm.example:8443"."""
        return self.address.host

    @property
    def model_name(self) -> str:
        """The model and where it is: "llama-3.3-70b at llm.example:8443"."""
        return f"{self._options.model} at {self.address.host}"

    @property
    def described(self) -> str:
        """What each finding says that it was read by."""
        return f"{self.name}: {self.model_name}"

    def pause(self) -> None:
        """Send no further report until :meth:`resume`; those that were sent are read.  From any thread."""
        self._going.clear()

    def resume(self) -> None:
        """Continue after :meth:`pause`."""
        self._going.set()

    def close(self) -> None:
        """Nothing: each reading ends its connections, and no words of reports are kept."""

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        """The answers to each report's questions, in order; with a failure for reports not read within their budget.

        The server is tried before the first question is sent, with one of RadCal's own.

        Raises:
            InputError: the server refuses the key, the model or every question, sends requests elsewhere, or its
                certificate is wrong.
            EngineError: it cannot be reached, has failed on many reports in a row, or the reader is busy.
        """
        rest = iter(reports)
        for first in rest:
            if first:
                break
            yield Answers(())
        else:
            return
        if not self._busy.acquire(blocking=False):
            raise EngineError("The served engine is busy with another run. Wait for it, or stop it.")
        try:
            with connected(self._options, self.address, self._key()) as (loop, client):
                way = loop.result(self._tried(client), progress).way
                reader = ServedReader(client, self.address, self._asker, way, self._options.seconds)

                async def read(questions: Sequence[Question]) -> Outcome:
                    self.sent += 1
                    return await reader.read(questions)

                dispatch = Dispatch(loop, read, self._options.parallel, self._going, self.address.host)
                yield from dispatch.run(chain([first], rest), progress)
        finally:
            self._busy.release()

    def try_server(self, progress: Progress = SILENT) -> Trial:
        """What a trial of the server finds; no report is sent.

        Raises:
            InputError, EngineError: as of :meth:`answer`.
            Cancelled: by ``progress``.
        """
        with connected(self._options, self.address, self._key()) as (loop, client):
            return loop.result(self._tried(client), progress)

    async def _tried(self, client: Client) -> Trial:
        offer = await models_of(client, self.address)
        return await try_out(client, self.address, self._asker, offer)


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
    context = trusting(options.ca) if address.encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    loop = Loop()
    client = Client(address, context, key)
    try:
        yield loop, client
    finally:
        loop.close(client.close)
