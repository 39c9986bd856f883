"""What a server is asked about a report, and what its answers say: OpenAI's chat completions, as servers take them.

Servers differ in how they are told the form of an answer, and a form that is unknown is refused or passed over:

    json_schema   the schema as OpenAI has it: vLLM, llama-server, Ollama, SGLang, TGI (there under "value")
    json_object   the schema beside the type: llama-cpp-python's server, older llama-server and TGI
    text          nothing: the prompt alone asks for the form

Whatever the server says of it, every answer is checked by :mod:`radcal.findings.served.reading`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from radcal.findings.model.chat import MARK, without_thoughts
from radcal.findings.served.client import Reply, Unanswered
from radcal.system.text import Text

Form = Literal["json_schema", "json_object", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")

CHAT, MODELS = "/chat/completions", "/models"
_MOST_MODELS, _LONGEST_NAME = 1000, 200
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_?context|context (?:length|size|window)|max_model_len|maximum model length"
    r"|tokens`? (?:\+|must)|input(?:s| is| prompt)? .{0,40}too long"
)
"""How servers say that a request is longer than the model's context."""


class Useless(Exception):
    """An answer that is of no use; the reason quotes nothing of it."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Way:
    """How a server is asked: the form of answers, and whether its model is asked not to think aloud first.

    kept: a trial has shown that the server keeps its answers to the form
    """

    form: Form = "json_schema"
    quiet: bool = True
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server offers: the names of its models, () if it does not say, and their context in tokens, 0 likewise."""

    models: tuple[str, ...] = ()
    contexts: tuple[int, ...] = ()

    def has(self, model: str) -> bool:
        """Whether a model is among them, or the server does not say."""
        return not self.models or model in self.models or f"{model}:latest" in self.models

    def context_of(self, model: str) -> int:
        """Tokens for prompt and answer, 0 if unknown."""
        return dict(zip(self.models, self.contexts, strict=True)).get(model, 0)


def schema(pathologies: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of an answer, in the words that all servers know; the rest is checked here."""
    finding = {
        "type": "object",
        "properties": {
            "sentence": {"type": "integer"},
            "pathology": {"type": "string", "enum": list(pathologies)},
            "phrase": {"type": "string"},
        },
        "required": ["sentence", "pathology", "phrase"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"findings": {"type": "array", "items": finding}},
        "required": ["findings"],
        "additionalProperties": False,
    }


class Asker:
    """Writes requests for one model.

    Args:
        turns: the prompt, as :func:`radcal.findings.by_model.prompt.turns` has it.
        schema: of the answers.
    """

    def __init__(
        self, model: str, turns: Sequence[str], schema: dict[str, Any], *, temperature: float = 0.0, seed: int = 0
    ) -> None:
        self._turns = turns
        self._schema = schema
        self._usual = {"model": model, "stream": False, "temperature": temperature, "seed": seed}

    @property
    def characters(self) -> int:
        """Length of the prompt without a report."""
        return sum(map(len, self._turns))

    def about(self, lines: str, way: Way, answer: int) -> bytes:
        """A request about a report.

        Args:
            lines: the report's sentences, numbered, a line each.
            answer: most tokens of the answer.
        """
        *before, last = self._turns
        messages = [{"role": ("user", "assistant")[n % 2], "content": turn} for n, turn in enumerate(before)]
        return self._body([*messages, {"role": "user", "content": last.replace(MARK, lines)}], way, answer)

    def asked(self, message: str, way: Way, answer: int) -> bytes:
        """A request with a message of its own, in the same form."""
        return self._body([{"role": "user", "content": message}], way, answer)

    def _body(self, messages: list[dict[str, str]], way: Way, answer: int) -> bytes:
        body: dict[str, Any] = {**self._usual, "messages": messages, "max_tokens": answer}
        if way.form == "json_schema":
            named = {"name": "findings", "schema": self._schema}
            body["response_format"] = {"type": way.form, "json_schema": {**named, "strict": True}, "value": named}
        elif way.form == "json_object":
            body["response_format"] = {"type": way.form, "schema": self._schema, "value": self._schema}
        if way.quiet:
            body["chat_template_kwargs"] = {"enable_thinking": False, "thinking": False}
        # Characters that UTF-8 cannot say, halves of one, are escaped by JSON.
        return json.dumps(body).encode("ascii")


def offer_in(reply: Reply) -> Offer:
    """The models that a server lists."""
    listed = reply.json() if reply.status == 200 else None
    entries = listed.get("data") if isinstance(listed, dict) else None
    found: dict[str, int] = {}
    for entry in entries[:_MOST_MODELS] if isinstance(entries, list) else ():
        name = entry.get("id") if isinstance(entry, dict) else None
        if isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_NAME:
            found[name] = _context_in(entry)
    names = sorted(found)
    return Offer(tuple(names), tuple(found[name] for name in names))


def _context_in(entry: dict[str, Any]) -> int:
    """The context of a model in a list: as vLLM and SGLang state it, or llama-server, there for one request."""
    meta = entry.get("meta")
    stated = (entry.get("max_model_len"), meta.get("n_ctx") if isinstance(meta, dict) else None)
    return next((tokens for tokens in stated if type(tokens) is int and tokens > 0), 0)


def is_too_long(reply: Reply) -> bool:
    """Whether a server refuses a request as longer than its model's context."""
    return reply.status in (400, 413, 422, 500) and (
        reply.status == 413 or _TOO_LONG.search(reply.body[:10_000].decode("utf-8", "replace").lower()) is not None
    )


def message_in(reply: Reply) -> tuple[dict[str, Any], object]:
    """The model's message in an answer, and why it ended.

    Raises:
        Unanswered: it is no answer of chat completions, as of a gateway that reports errors with status 200.
    """
    whole = reply.json()
    try:
        choice = whole["choices"][0]
        message, ended = choice["message"], choice.get("finish_reason")
        content = message.get("content")
    except (TypeError, LookupError, AttributeError):
        content = ()
    if content is not None and not isinstance(content, str):
        raise Unanswered(Text("the server's answer is not one of chat completions"))
    return message, ended


def said_in(reply: Reply) -> str:
    """What the model says in an answer, without its thoughts.

    Raises:
        Unanswered: as of :func:`message_in`.
        Useless: the answer is cut off or empty.
    """
    message, ended = message_in(reply)
    if ended == "length":
        raise Useless(Text("the answer was cut off before its end"))
    content = message.get("content") or ""
    said = without_thoughts(content).strip()
    if not said:
        thought = bool(content) or any(message.get(name) for name in ("reasoning_content", "reasoning"))
        raise Useless(Text("the model thought and gave no answer") if thought else Text("the model gave no answer"))
    return said
