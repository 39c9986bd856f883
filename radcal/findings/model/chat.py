"""Prompt templates, and the chat templates of models.

A model's own template is rendered as its makers' library would: with the same values, functions, filters and
extensions.  What a template calls beyond that gives nothing, and one that cannot be used at all is replaced by a short
one of its family, which its control tokens betray.  RadCal sends one message of the user and none of the system,
because not every family has that role.  Thinking is switched off by the template, or closed at once behind it: answers
are rows of a closed list, so that a model could only spell its thoughts in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sized
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from radcal.system.errors import InputError
from radcal.system.text import Text

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import ImmutableSandboxedEnvironment

MARK = "\x02report\x03"
"""Placeholder of the report while a template is rendered; occurs in no text."""

_TODAY = datetime(2025, 1, 1, tzinfo=UTC)
"""What templates print as today's date: the same report is to be read tomorrow as it was today."""
_VALUES: dict[str, Any] = {
    "add_generation_prompt": True,
    "continue_final_message": False,
    "tools": None,
    "documents": None,
    # The names under which families of models can be kept from thinking.
    "enable_thinking": False,
    "thinking": False,
    "thinking_budget": 0,
    "reasoning": False,
    "reasoning_effort": "low",
}
_FAMILIES = (
    ("<|start_header_id|>", "<|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|>"
     "<|start_header_id|>assistant<|end_header_id|>\n\n"),
    ("<|im_start|>", "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"),
    ("<start_of_turn>", "<start_of_turn>user\n{}<end_of_turn>\n<start_of_turn>model\n"),
    ("<|channel|>", "<|start|>user<|message|>{}<|end|><|start|>assistant"),
    ("<|user|>", "<|user|>\n{}<|end|>\n<|assistant|>\n"),
    ("[INST]", "[INST] {} [/INST]"),
)  # fmt: skip
"""A control token of each family of templates, and the family's turns around a message."""
_THINK = r"(?:\w+:)?(?:think|thinking|thought|reason|reasoning)"
_OPENED = re.compile(rf"([<\[◁])({_THINK})([>\]▷])\s*\Z", re.IGNORECASE)
_OPENS = re.compile(rf"[<\[◁]{_THINK}[>\]▷]", re.IGNORECASE)
_CLOSED = re.compile(rf"[<\[◁]/{_THINK}[>\]▷]\s*\Z", re.IGNORECASE)
_CLOSES = re.compile(rf"([<\[◁])/({_THINK})([>\]▷])", re.IGNORECASE)
_CHANNELS = re.compile(
    r"(<\|start\|>assistant)\s*(?:<\|channel\|>(?!final<\|message\|>)\w*\s*(?:<\|message\|>)?)?\s*\Z"
)
_FINAL = "<|channel|>final<|message|>"
"""Opens the channel of answers, after which a model with channels has no other to think in."""
_CHANNEL = "<|channel|>"
_THINKS, _THOUGHT, _ANSWERS = "<|START_THINKING|>", "<|END_THINKING|>", "<|START_RESPONSE|>"
_ANSWERED, _TURN = "<|END_RESPONSE|>", "<|end|>"
_MOST_NAMES, _LONGEST_NAME = 10, 60
"""Unknown names that are told, and characters of each."""
_LONGEST = 1 << 20
"""Most items or characters that a template may multiply a list or text to."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A prompt in a chat template, up to the start of the answer; notes: what was not as usual, for the user."""

    text: str
    notes: tuple[Text, ...] = ()


def fill_in_template(source: str, name: str, **values: Any) -> str:
    """Render a Jinja template, one of RadCal's own: :func:`radcal.findings.model.rendering.filled_in` is for others.

    Args:
        name: of the template, for error messages.

    Raises:
        InputError: the template cannot be rendered.
        MemoryError: it asks for too much.
    """
    return _rendered(_compiled, source, name, values)


def as_chat(prompt: str, template: str, bos: str, eos: str) -> Chat:
    """The prompt as the user's message in a model's chat template, up to the start of the answer.

    A template can take any time and memory: :func:`radcal.findings.model.rendering.chat_of` sets limits.

    Raises:
        InputError: the template cannot be rendered, or leaves the message out, and is of no known family.
        MemoryError: it asks for too much.
    """
    name = Text("the model's chat template")
    values = {**_VALUES, "bos_token": bos, "eos_token": eos}
    unknown: list[str] = []
    failure = InputError("The model's chat template does not repeat the message. Choose the prompt 'base'.")
    environments: tuple[Callable[[], ImmutableSandboxedEnvironment], ...] = (
        _environment,
        lambda: _lenient(unknown),
    )
    for make in environments:
        # Templates of models that see pictures expect a message in parts.
        for content in (prompt, [{"type": "text", "text": prompt}]):
            unknown.clear()
            messages = [{"role": "user", "content": content}]
            try:
                text = _rendered(make().from_string, template, name, {**values, "messages": messages})
            except InputError as error:
                failure = error
                continue
            if text.count(MARK) == 1:
                return Chat(_without_thoughts(text, template), _missing(unknown))
    for sign, turns in _FAMILIES:
        if sign in template:
            begin = bos if "bos_token" in template else ""
            text = begin + turns.replace("{}", prompt.strip())
            note = Text(
                "The model's chat template cannot be used as it is; a plain one of the family with {sign} takes its "
                "place.",
                sign=sign,
            )
            return Chat(_without_thoughts(text, template), (note,))
    raise failure


def _missing(unknown: list[str]) -> tuple[Text, ...]:
    if not unknown:
        return ()
    names = ", ".join(name[:_LONGEST_NAME] for name in list(dict.fromkeys(unknown))[:_MOST_NAMES])
    return (
        Text("The model's chat template asks for what RadCal does not know, which is left out: {names}.", names=names),
    )


def _without_thoughts(text: str, template: str) -> str:
    """The rendered template with thinking closed, if the template left it open or to the model."""
    if _CHANNEL in template and (ends := _CHANNELS.search(text)):
        return text[: ends.end(1)] + _FINAL
    if _THINKS in template and not text.rstrip().endswith(_ANSWERS):
        text = text.rstrip()
        if not text.endswith(_THOUGHT):
            text = text.removesuffix(_THINKS) + _THINKS + _THOUGHT
        return text + (_ANSWERS if _ANSWERS in template else "")
    if opened := _OPENED.search(text):
        left, word, right = opened.groups()
        return f"{text.rstrip()}\n\n{left}/{word}{right}\n\n"
    closes = _CLOSES.search(template)
    if closes is None or _CLOSED.search(text):
        return text
    left, word, right = closes.groups()
    return f"{text}{left}{word}{right}\n\n{left}/{word}{right}\n\n"


def without_thoughts(written: str) -> str:
    """What a model said aloud: the text behind its thoughts; '' while it is still thinking."""
    if (at := written.rfind(_FINAL)) >= 0:
        return written[at + len(_FINAL) :].split(_TURN)[0]
    if _ANSWERS in written:
        return written.split(_ANSWERS)[-1].removesuffix(_ANSWERED)
    if _THINKS in written:
        return written.split(_THOUGHT, 1)[1] if _THOUGHT in written else ""
    closed = list(_CLOSES.finditer(written))
    said = written[closed[-1].end() :] if closed else written
    opens = _OPENS.search(said)
    return (said[: opens.start()] if opens else said).split(_TURN)[0].split(_CHANNEL)[0]


def prepare() -> None:
    """Load what rendering needs, before its time is taken."""
    _environment().from_string("{{ 1 }}").render()


@lru_cache(maxsize=16)
def _compiled(source: str) -> Template:
    """A prompt is compiled once for all the messages that are made of it."""
    return _environment().from_string(source)


def _rendered(compiled: Callable[[str], Template], source: str, name: str, values: dict[str, Any]) -> str:
    from jinja2 import TemplateError

    try:
        return compiled(source).render(**values)
    except (
        *(TemplateError, TypeError, ValueError, LookupError),
        *(AttributeError, ArithmeticError, RecursionError, AssertionError),
    ) as error:
        raise InputError(
            "{name} cannot be filled in: {error}.", name=name, error=str(error) or type(error).__name__
        ) from error


def _environment() -> ImmutableSandboxedEnvironment:
    """Jinja with what the makers of chat templates have: loop controls, the tag ``generation``, and a few functions."""
    from jinja2 import nodes
    from jinja2.ext import Extension, loopcontrols
    from jinja2.parser import Parser
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """``{% generation %}`` marks what a model said, for its training."""

        tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

        def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    class Bounded(ImmutableSandboxedEnvironment):
        """Makes no text or list of gigabytes."""

        intercepted_binops = frozenset({"*"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            for one, times in ((left, right), (right, left)):
                if isinstance(one, Sized) and isinstance(times, int) and len(one) * times > _LONGEST:
                    raise ValueError("it asks for too much memory")
            return super().call_binop(context, operator, left, right)

    # Models bring their own templates, from anywhere; the prompt is plain text, not HTML.
    environment = Bounded(
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=[Generation, loopcontrols],
    )
    environment.globals |= {"raise_exception": _refuse, "strftime_now": _TODAY.strftime}
    environment.filters["tojson"] = _as_json
    return environment


def _lenient(unknown: list[str]) -> ImmutableSandboxedEnvironment:
    """An environment in which unknown names give nothing, and unknown filters what they were given.

    Args:
        unknown: takes the names that were missing.
    """
    from jinja2 import ChainableUndefined

    class Nothing(ChainableUndefined):
        """Renders as nothing, called or not."""

        def __call__(self, *_: Any, **__: Any) -> Nothing:  # type: ignore[override]  # it does return
            unknown.append(str(self._undefined_name))
            return self

    class Known(dict[str, Any]):
        """Filters or tests, with one for all that are missing."""

        def __init__(self, known: dict[str, Any], otherwise: Callable[..., Any]) -> None:
            super().__init__(known)
            self._otherwise = otherwise

        def get(self, name: str, default: Any = None) -> Any:
            return self[name]

        def __contains__(self, name: object) -> bool:
            return True

        def __missing__(self, name: str) -> Any:
            unknown.append(name)
            return self._otherwise

    environment = _environment()
    environment.undefined = Nothing
    environment.filters = Known(environment.filters, lambda value="", *_, **__: value)
    environment.tests = Known(environment.tests, lambda *_, **__: False)
    return environment


def _as_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _refuse(message: str) -> None:
    raise ValueError(message)
