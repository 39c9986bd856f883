"""What a server is asked about the sentences of a report: OpenAI's chat completions, as servers take them.

The message shows the sentences, and the questions as a JSON object whose values are to be filled in:

    [1] There is no pneumothorax or pleural effusion.
    {"1 pneumothorax": "", "1 pleural effusion": ""}

Servers differ in how they are told the form of an answer, and a form that is unknown is refused or passed over:

    json_schema   the schema as OpenAI has it: vLLM, llama-server, Ollama, SGLang, TGI (there under "value")
    json_object   the schema beside the type: llama-cpp-python's server, older llama-server and TGI
    text          nothing: the prompt alone asks for the form

Whatever the server says of it, every answer is checked by :mod:`radcal.findings.served.answers`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from radcal.findings.model.pair_prompt import PairPrompt, shown
from radcal.findings.model.writing import without_thoughts
from radcal.findings.readers.pairs import Question
from radcal.findings.served.address import Address
from radcal.findings.served.client import Reply, Unanswered
from radcal.system.errors import InputError
from radcal.system.text import Text

Form = Literal["json_schema", "json_object", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")

CHAT, MODELS = "/chat/completions", "/models"
_MOST_MODELS, _LONGEST_NAME = 1000, 200


class Useless(Unanswered):
    """A whole answer that is of no use; the reason quotes nothing of it."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a server is asked: the form of answers, and whether its model is asked not to think aloud first.

    top: alternatives to each token whose probability is asked for; 0 for none
    """

    form: Form = "json_schema"
    quiet: bool = True
    top: int = 0


def schema(keys: Sequence[str], phrases: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of an answer: one of the phrases for each key, in the words that all servers know."""
    return {
        "type": "object",
        "properties": {key: {"type": "string", "enum": list(phrases)} for key in keys},
        "required": list(keys),
        "additionalProperties": False,
    }


def keys_of(questions: Sequence[Question]) -> list[str]:
    """What each question is called in a message and its answer: "2 edema" for the edema of the second sentence."""
    return [f"{n} {pathology}" for n, question in enumerate(questions, 1) for pathology in question.pathologies]


def put(questions: Sequence[Question]) -> str:
    """Sentences, numbered, and the object to be filled in."""
    lines = (f"[{n}] {shown(question.sentence)}\n" for n, question in enumerate(questions, 1))
    return "".join(lines) + filled(dict.fromkeys(keys_of(questions), ""))


def filled(phrases: Mapping[str, str]) -> str:
    """An answer as it is asked for."""
    return json.dumps(phrases, ensure_ascii=False)


class Asker:
    """Writes requests for one model.

    Args:
        phrases: the closed list.
    """

    def __init__(self, model: str, prompt: PairPrompt, phrases: Sequence[str]) -> None:
        self.model, self.phrases = model, phrases
        task = prompt.task.replace("{phrases}", ", ".join(phrases))
        worked = [Question(e.sentence, "", tuple(p for p, _ in e.rows), ()) for e in prompt.examples]
        said = filled(
            dict(zip(keys_of(worked), (phrase for e in prompt.examples for _, phrase in e.rows), strict=True))
        )
        self.turns = (f"{task.strip()}\n\n{put(worked)}", said)
        """The prompt: what is said to the model, and what it answers, before it is asked."""

    def about(self, questions: Sequence[Question], way: Way, answer: int) -> bytes:
        """A request about questions of a report.

        Args:
            answer: most tokens of the answer.
        """
        messages = [{"role": ("user", "assistant")[n], "content": turn} for n, turn in enumerate(self.turns)]
        return self._body([*messages, {"role": "user", "content": put(questions)}], keys_of(questions), way, answer)

    def asked(self, message: str, key: str, way: Way, answer: int) -> bytes:
        """A request with a message of its own, whose answer must have one key."""
        return self._body([{"role": "user", "content": message}], [key], way, answer)

    def _body(self, messages: list[dict[str, str]], keys: Sequence[str], way: Way, answer: int) -> bytes:
        of = schema(keys, self.phrases)
        body: dict[str, Any] = {"model": self.model, "stream": False, "temperature": 0.0, "messages": messages}
        body["max_tokens"] = answer
        if way.form == "json_schema":
            named = {"name": "phrases", "schema": of}
            body["response_format"] = {"type": way.form, "json_schema": {**named, "strict": True}, "value": named}
        elif way.form == "json_object":
            body["response_format"] = {"type": way.form, "schema": of, "value": of}
        if way.quiet:
            body["chat_template_kwargs"] = {"enable_thinking": False, "thinking": False}
        if way.top:
            body |= {"logprobs": True, "top_logprobs": way.top}
        # Characters that UTF-8 cannot say, halves of one, are escaped by JSON.
        return json.dumps(body).encode("ascii")


def models_in(reply: Reply) -> tuple[str, ...]:
    """The models that a server lists, sorted; () if it does not say."""
    listed = reply.json() if reply.status == 200 else None
    entries = listed.get("data") if isinstance(listed, dict) else None
    names = (
        (entry.get("id") for entry in entries[:_MOST_MODELS] if isinstance(entry, dict))
        if isinstance(entries, list)
        else ()
    )
    return tuple(sorted({n for n in names if isinstance(n, str) and n.isprintable() and 0 < len(n) <= _LONGEST_NAME}))


def refuse(status: int, address: Address, model: str) -> None:
    """Raise InputError for an answer after which no other can be expected.

    Args:
        model: that was asked; '' if none was.
    """
    host = address.host
    if status in (401, 403):
        raise InputError(
            "{host} does not let RadCal in (status {status}). Give RadCal the key of the server, or the right one: on "
            "the page Reports, or with `radcal server --set served_url=URL --remember-key` or --server-key-file.",
            host=host,
            status=status,
        )
    if 300 <= status < 400:
        raise InputError(
            "{host} sends requests elsewhere (status {status}), where RadCal does not follow. Name the address that it "
            "leads to, if that is the server meant.",
            host=host,
            status=status,
        )
    if status == 404 and model:
        raise InputError(
            "{host} does not know the model {model!r}, or serves no chat completions under {path}. Check both.",
            host=host,
            model=model,
            path=address.path,
        )


@dataclass(frozen=True, slots=True)
class Said:
    """What the model says in an answer, without its thoughts.

    tokens:  those of the answer with their probabilities, as the server states them; [] if it does not
    cut:     the answer was cut off before its end
    thought: it thought before
    """

    text: str
    tokens: list[Any]
    cut: bool
    thought: bool


def said_in(reply: Reply) -> Said:
    """What the model says in an answer.

    Raises:
        Unanswered: it is no answer of chat completions, as of a gateway that reports errors with status 200.
    """
    whole = reply.json()
    try:
        choice = dict(whole["choices"][0])
        message = dict(choice["message"])
    except (TypeError, LookupError, ValueError):
        choice, message = {}, {"content": ()}
    content = "" if message.get("content") is None else message["content"]
    if not isinstance(content, str):
        raise Unanswered(Text("the server's answer is not one of chat completions"))
    stated = choice.get("logprobs")
    tokens = stated.get("content") if isinstance(stated, dict) else None
    thought = bool(content) or any(message.get(name) for name in ("reasoning_content", "reasoning"))
    cut = choice.get("finish_reason") == "length"
    return Said(without_thoughts(content).strip(), tokens if isinstance(tokens, list) else [], cut, thought)
