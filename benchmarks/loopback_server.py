"""A server of chat completions on the loopback address that answers as it is told: for tests and benchmarks."""

from __future__ import annotations

import json
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

MODEL = "tiny"
_NO_DELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@dataclass(frozen=True)
class Asked:
    """A request: method, path, headers by their name in lower case, and the body as JSON."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def report(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"]) if self.body else ""

    @property
    def keys(self) -> list[str]:
        """What is asked: "1 edema" for the edema of the first sentence."""
        return list(json.loads(self.report.splitlines()[-1]))

    @property
    def is_trial(self) -> bool:
        """Whether it is the question that a trial asks, with no report."""
        return "[1]" not in self.report


@dataclass(frozen=True)
class Told:
    """What is answered: JSON, or bytes as they are; ``pieces``, if given, are sent as they come, without a head."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    pieces: Callable[[], Iterator[bytes]] | None = None


def completion(content: str | None, finish: str = "stop", tokens: Any = None, **message: Any) -> Told:
    """An answer of the model; tokens: with their probabilities, as chat completions state them."""
    said = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return Told(body={"choices": [{**choice, "logprobs": {"content": tokens}} if tokens else choice]})


def models(*names: str, **more: Any) -> Told:
    """The list of models."""
    return Told(
        body={"object": "list", "data": [{"id": name, "object": "model", **more} for name in names or (MODEL,)]}
    )


def filled(asked: Asked, phrases: Mapping[str, str]) -> str:
    """The answer in its form: to each question the phrase of its pathology, "not stated" where there is none."""
    return json.dumps({key: phrases.get(key.partition(" ")[2], "not stated") for key in asked.keys})


Answer = Told | str | Mapping[str, str]
"""A whole answer, what the model says, or the phrases of pathologies."""


def usual(answer: Callable[[Asked], Answer]) -> Callable[[Asked], Told]:
    """A server that keeps to the form: lists its model, passes the trial, and answers reports by ``answer``.

    It does not say how probable its answers are.
    """

    def told(asked: Asked) -> Told:
        if asked.method == "GET":
            return models()
        if asked.is_trial:
            return completion('{"1 edema": "absent"}')
        said = answer(asked)
        if isinstance(said, Told):
            return said
        return completion(said if isinstance(said, str) else filled(asked, said))

    return told


class LoopbackServer:
    """Answers each request by a function, each connection in a thread of its own.

    Args:
        answer: gives what is answered; ``asked`` has all requests so far.
        tls: makes it a server of https.
    """

    def __init__(self, answer: Callable[[Asked], Told], tls: ssl.SSLContext | None = None) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.connections = 0
        self._tls = tls
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._open: set[socket.socket] = set()
        self._closing = False
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return int(self._socket.getsockname()[1])

    @property
    def url(self) -> str:
        """Its address."""
        return f"{'https' if self._tls else 'http'}://localhost:{self.port}/v1"

    @property
    def reports(self) -> list[Asked]:
        """The requests about reports."""
        return [asked for asked in self.asked if asked.method == "POST" and not asked.is_trial]

    def close(self) -> None:
        """Stop listening, and end all connections."""
        self._closing = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._listener.join()

    def _listen(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            connection.setsockopt(*_NO_DELAY)
            self.connections += 1
            self._open.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        connection = plain
        with suppress(OSError, ValueError):  # the other side has gone, or does not like the certificate
            if self._tls:
                connection = self._tls.wrap_socket(plain, server_side=True)
            with connection.makefile("rb") as file:
                while self._one(connection, file):
                    pass
        with suppress(OSError):
            connection.close()
        self._open.discard(plain)

    def _one(self, connection: socket.socket, file: Any) -> bool:
        """Answer one request; False if it was the last of its connection."""
        first = file.readline().decode("ascii").split()
        if len(first) != 3:
            return False
        headers = {}
        while line := file.readline().decode("ascii").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = file.read(int(headers.get("content-length", 0)))
        asked = Asked(first[0], first[1], headers, json.loads(body) if body else None)
        self.asked.append(asked)
        told = self.answer(asked)
        if told.pieces is not None:
            for piece in told.pieces():
                connection.sendall(piece)
            return False
        content = told.body if isinstance(told.body, bytes) else json.dumps(told.body).encode()
        lines = {"Content-Type": "application/json", "Content-Length": str(len(content)), **told.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        connection.sendall(f"HTTP/1.1 {told.status} Told\r\n{head}\r\n".encode() + content)
        return True


def after(seconds: float, phrase: str) -> Callable[[Asked], Told]:
    """A server that takes so long for each report, however many there are at once, and answers all with a phrase."""

    def told(asked: Asked) -> str:
        time.sleep(seconds)
        return json.dumps(dict.fromkeys(asked.keys, phrase))

    return usual(told)


def main() -> None:
    """``loopback_server.py SECONDS PHRASE``: serve until the standard input ends; prints the address first."""
    with LoopbackServer(after(float(sys.argv[1]), sys.argv[2])) as server:
        server.asked = Forgetful()
        print(server.url, flush=True)
        sys.stdin.read()


class Forgetful(list[Asked]):
    """Keeps nothing of millions of requests."""

    def append(self, item: Asked) -> None:
        """Forget it."""


if __name__ == "__main__":
    main()
