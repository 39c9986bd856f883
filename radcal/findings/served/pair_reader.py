"""A pair reader on a server of the hospital: what its model says of the sentences and pathologies of reports."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from radcal.findings.model.pair_prompt import read_pair_prompt
from radcal.findings.pairs import Answers, Question, phrases_of
from radcal.findings.served.address import Address, parse
from radcal.findings.served.certificates import trusting
from radcal.findings.served.client import Client, connected
from radcal.findings.served.reading import ServedReading
from radcal.findings.served.requests import Asker
from radcal.findings.served.trial import Trial, models_of, try_out
from radcal.system.errors import EngineError, InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.settings import Settings
from radcal.words.confirmations import pathology_names
from radcal.words.phrases import Lexicon, load_lexicon

VERSION = "2.0"
FORMAT = "radcal-json-2"
"""The form of messages and answers; in the hash of the settings."""


class ServedPairReader:
    """The pair reader with the served model in the settings; nothing is sent before the first question.

    An answer depends on the questions of its report alone.  The probabilities are the model's where the server states
    those of tokens; where it does not, the phrase that the model chose has probability 1.

    Args:
        settings: address, model, authority, and how many reports are read at a time, for how long; folder of prompts.
        lexicon: of a department, whose phrases are the closed list.
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: the address is not allowed, no model is named, the file of its authority cannot be used, or the
            prompt file is malformed.
    """

    name, version = "served", VERSION

    def __init__(self, settings: Settings, lexicon: Lexicon | None = None, own: Path | None = None) -> None:
        self.address: Address = parse(settings.served_url)
        self.host: str = self.address.host
        """Where sentences are sent: "llm.example:8443"."""
        self._settings, self._model = settings, settings.served_model
        if not self._model.strip() or not self._model.isprintable():
            raise InputError(
                "No model is named. Name one of those that {host} offers, as it calls it (--set "
                "served_model=NAME, or Model on the page Extraction).",
                host=self.host,
            )
        if settings.served_ca:
            trusting(settings.served_ca)
        self.model_name = f"{self._model} at {self.host}"
        """The model and where it is: "llama-3.3-70b at llm.example:8443"."""
        self.described = f"{self.name}: {self.model_name}"
        """What each finding says that it was read by."""
        lexicon = lexicon or load_lexicon()
        self.phrases: tuple[str, ...] = phrases_of(lexicon)
        folder = Path(settings.llama_prompts) if settings.llama_prompts else None
        prompt = read_pair_prompt(folder, pathology_names(own), lexicon)
        self._asker = Asker(self._model, prompt, self.phrases)
        content = [self.host, self._model, FORMAT, *self._asker.turns, *self.phrases]
        self.settings_hash = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
        """Short SHA-256 of host, model, prompt, closed list and form of answers."""
        self._busy = threading.Lock()
        self._going = threading.Event()
        self._going.set()
        self.sent = 0
        """Reports of which sentences were sent since the reader was made."""

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
            with connected(self._settings, progress) as connection:
                way = connection.result(self._tried, progress=progress).way
                reading = ServedReading(
                    connection,
                    self._asker,
                    way,
                    parallel=self._settings.served_parallel,
                    seconds=self._settings.served_seconds,
                    going=self._going,
                    begun=self._count,
                )
                yield from reading.run(chain([first], rest), progress)
        finally:
            self._busy.release()

    def try_server(self, progress: Progress = SILENT) -> Trial:
        """What a trial of the server finds; no report is sent.

        Raises:
            InputError, EngineError: as of :meth:`answer`.
            Cancelled: by ``progress``.
        """
        with connected(self._settings, progress) as connection:
            return connection.result(self._tried, progress=progress)

    async def _tried(self, client: Client) -> Trial:
        return await try_out(client, self._asker, await models_of(client))

    def _count(self) -> None:
        self.sent += 1
