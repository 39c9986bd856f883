"""One model in one child process: opened with a plan that fits the machine, opened again after a crash."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radcal import inputs
from radcal.errors import EngineError, InputError
from radcal.extract.llama import state
from radcal.extract.llama.fit import Device, Fit, choose, free_memory, shape_of
from radcal.extract.llama.gguf_file import listed_sha256, read_gguf, sha256_of, unverified
from radcal.extract.llama.options import LlamaOptions
from radcal.extract.llama.process import Child, ChildDiedError, Message
from radcal.extract.llama.prompt import Prompt
from radcal.extract.mini.protocol import FORMAT
from radcal.progress import SILENT, Progress
from radcal.text import Text

_POLL_SECONDS = 0.1
_STOP_SECONDS = 0.3
"""A child that has not stopped by then is ended: the user was promised half a second."""
_FORMAT_KEY = "radcal.format"
_MOST_PARALLEL = 32
_LARGE = 64 << 20
"""Bytes of a model file from which on its checksum is remembered."""
_AHEAD = 8
"""Single sentences are short work: more reports are handed out than sentences are read at a time."""


@dataclass(frozen=True, slots=True)
class FitReport:
    """How a model would be loaded; ``free`` bytes of main memory, None if unknown; ``layers`` with the output's."""

    fit: Fit
    free: int | None
    layers: int
    sentences: bool


class Session:
    """The connection to an open model.

    Raises:
        InputError: there is no such file, it is no model, or its metadata make no sense.
    """

    def __init__(
        self,
        path: Path,
        options: LlamaOptions,
        prompt: Prompt,
        pathologies: Sequence[str],
        phrases: Sequence[str],
    ) -> None:
        self.path = path
        self.notes: list[str] = []
        self.progress: Progress = SILENT
        self.paused = False
        self._options = options
        self._prompt = prompt
        self._pathologies = list(pathologies)
        self._phrases = list(phrases)
        self._child: Child | None = None
        self._pausing = threading.Lock()
        self._hash = ""
        self._is_read = False
        self._read = self._signature()
        file = read_gguf(path)
        if not file.has_tokenizer:
            raise InputError(
                "{name} has no tokenizer, so it cannot read text. Choose a complete model.", name=path.name
            )
        self._shape = shape_of(file)
        spoken = file.text(_FORMAT_KEY)
        if spoken not in ("", FORMAT):
            raise InputError(
                "{name} was made for another version of RadCal ({spoken}, not {format}).",
                name=path.name,
                spoken=spoken,
                format=FORMAT,
            )
        self._sentences = spoken == FORMAT

    def _signature(self) -> tuple[int, int, int]:
        try:
            found = self.path.stat()
        except FileNotFoundError as error:
            raise InputError(
                "There is no model file {path}. Check the name, or leave it out.", path=self.path
            ) from error
        except (OSError, ValueError) as error:
            raise inputs.refusal(error, self.path, Text("The model file {path}", path=self.path)) from error
        return found.st_size, found.st_mtime_ns, found.st_ino

    def model_hash(self, *, whole: bool = False) -> str:
        """SHA-256 of the model file, compared with the one that is known of it.

        Of a large file that has not changed since, it is remembered: reading it takes seconds, and who only wants to
        know which runs it has made should not wait.  Before it is loaded, the ``whole`` file is read.

        Raises:
            InputError: it is another; the file cannot be read.
        """
        if not self._hash or (whole and not self._is_read):
            folder = self._options.state_folder or state.default_folder()
            large = self._read[0] > _LARGE and self._options.keep_state
            found = "" if whole or not large else state.known_checksum(folder, inputs.full_path(self.path), self._read)
            self._is_read = not found
            if not found:
                found = sha256_of(self.path, self.progress.raise_if_cancelled)
                if large:
                    state.keep_checksum(folder, inputs.full_path(self.path), self._read, found)
            known = self._options.sha256.lower() or listed_sha256(self.path)
            if known and known != found:
                raise InputError(
                    "{name} is damaged or not the file that was meant: its SHA-256 is {found}, "
                    "{known} is expected. Download it again.",
                    name=self.path.name,
                    found=found,
                    known=known,
                )
            if self._hash not in ("", found):
                raise EngineError(
                    "{name} is not what it was when it was read last, though its date is the "
                    "same: it may be damaged. Start again to read with the file as it is now.",
                    name=self.path.name,
                )
            if not known:
                self.note(unverified(self.path))
            self._hash = found
        return self._hash

    @property
    def process(self) -> int | None:
        """The number of the child process, None while there is none."""
        return self._child.pid if self._child else None

    def window(self) -> int:
        """How many reports are handed out at a time, so that the model never waits."""
        parallel = self._options.parallel or _MOST_PARALLEL
        return parallel * (_AHEAD if self._sentences else 2)

    def note(self, text: str) -> None:
        """Keep a sentence for the user, once."""
        if text not in self.notes:
            self.notes.append(text)

    def check(self) -> None:
        """Raise if the user cancelled, or if the model file is no longer the one that was read.

        Raises:
            Cancelled: by the user.
            EngineError: the file was replaced.
        """
        self.progress.raise_if_cancelled()
        try:
            same = self._signature() == self._read
        except InputError:
            same = False
        if not same:
            self.disconnect()
            raise EngineError(
                "The model file {path} was replaced or removed while it was in use. Findings so "
                "far come from the old file. Start again to read with the new one.",
                path=self.path,
            )

    def fit(self) -> FitReport:
        """How the model would be loaded, without loading it.

        Raises:
            InputError: memory is short.
            EngineError: llama.cpp cannot be started.
        """
        child = Child()
        try:
            ready = self._wait(child, "start")
        finally:
            child.kill()
        free = free_memory()
        return FitReport(self._choose(ready, free), free, self._shape.layers + 1, self._sentences)

    def _choose(self, ready: Message, free: int | None) -> Fit:
        return choose(
            self._shape,
            self._options,
            [Device(**d) for d in ready["devices"]],
            free,
            gpu_build=ready["gpu_build"],
            sentences=self._sentences,
        )

    # --- the child ------------------------------------------------------------------------------------

    def connect(self) -> Child:
        """The child process with the model open; started if need be.

        Raises:
            InputError: the checksum is wrong, memory is short, or the prompt does not fit.
            EngineError: llama.cpp refused the file.
        """
        if self._child is None:
            self.check()
            digest = self.model_hash(whole=True)
            child = self._child = Child()
            try:
                ready = self._wait(child, "start")
                fit = self._choose(ready, free_memory())
                for reason in fit.reasons:
                    self.note(reason)
                child.send(self._opening(fit, digest, ready["version"]))
                self._wait(child, Text("load {name}", name=self.path.name))
                with self._pausing:
                    if self.paused:
                        child.send({"do": "pause"})
            except BaseException:
                self.disconnect()
                raise
        return self._child

    def _opening(self, fit: Fit, digest: str, version: str) -> Message:
        o = self._options
        folder = (o.state_folder or state.default_folder()) if o.keep_state else None
        return {
            "do": "open",
            "path": str(self.path.absolute()),  # the child runs in another folder
            "plan": fit.plan.to_dict(),
            "sentences": self._sentences,
            "base": self._prompt.base,
            "chat": self._prompt.chat,
            "prompt": o.prompt,
            "reference": o.reference,
            "most": o.max_findings,
            "seconds": o.report_seconds,
            "pathologies": self._pathologies,
            "phrases": self._phrases,
            "temperature": o.temperature,
            "seed": o.seed,
            "state_folder": str(folder.absolute()) if folder else "",
            "state_key": f"{digest} {version} {fit.plan.gpu_layers}",
        }

    def _wait(self, child: Child, doing: str) -> Message:
        """The child's next message, while the user can still cancel."""
        while True:
            self.progress.raise_if_cancelled()
            try:
                message = child.receive(_POLL_SECONDS)
            except ChildDiedError as error:
                raise EngineError(
                    "The Llama process could not {doing}: {error}. {remedy}", doing=doing, error=error, remedy=_REMEDY
                ) from error
            if message is None or message["said"] in ("tick", "note"):
                continue
            if message["said"] == "failed":
                if message["mendable"]:
                    raise InputError(message["reason"])
                raise EngineError(
                    "llama.cpp could not {doing}: {message}. {remedy}",
                    doing=doing,
                    message=message["reason"],
                    remedy=_REMEDY,
                )
            return message

    def ask(self, what: str, text: str) -> Any:
        """The child's answer to a question about a text; asked once more after a crash.

        Raises:
            EngineError: the child crashed twice, or refused.
        """
        for last in (False, True):
            self.check()
            child = self.connect()
            child.send({"do": what, "texts": [text]})
            heard = time.monotonic()
            while True:
                self.check()
                try:
                    message = child.receive(_POLL_SECONDS)
                except ChildDiedError as error:
                    self.disconnect()
                    if last:
                        raise EngineError(
                            "The Llama process stopped twice at the same text: {error}.", error=error
                        ) from error
                    break
                if message is None:
                    if self.paused:
                        heard = time.monotonic()
                    elif time.monotonic() - heard > self._options.silence:
                        child.kill()
                    continue
                heard = time.monotonic()
                if message["said"] == "answer":
                    return message["rows"][0]
                if message["said"] == "failed":
                    raise EngineError("The Llama engine cannot answer: {message}", message=message["reason"])
        raise AssertionError  # pragma: no cover - the second round returns or raises

    def stop(self) -> None:
        """Let the child drop its work; one that does not within 0.3 seconds is ended."""
        child = self._child
        if child is None:
            return
        child.send({"do": "stop"})
        end = time.monotonic() + _STOP_SECONDS
        try:
            while (left := end - time.monotonic()) > 0:
                message = child.receive(left)
                if message is not None and message["said"] == "stopped":
                    return
        except ChildDiedError:
            pass
        self.disconnect()

    def disconnect(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def pause(self) -> None:
        """Let the child stop computing at once; from any thread."""
        with self._pausing:
            self.paused = True
            if self._child is not None:
                self._child.send({"do": "pause"})

    def resume(self) -> None:
        """Let the child go on; from any thread."""
        with self._pausing:
            self.paused = False
            if self._child is not None:
                self._child.send({"do": "resume"})


_REMEDY = Text("Check the file with its SHA-256, or choose another model.")
