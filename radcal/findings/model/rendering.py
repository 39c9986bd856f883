"""Templates of foreign files, rendered in a child process that cannot harm this one.

A template is a program: it can loop for hours or ask for all the memory of the machine, by operators, methods, filters
and the compiler of templates alike.  The child is limited in memory, time and output, as those that parse files are,
has an almost empty environment, writes no file, starts no process, and ends with this process.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

from radcal.findings.model.chat import Chat
from radcal.system.errors import EngineError, InputError, reason_of
from radcal.system.processes import NO_MEMORY, NO_TIME_LEFT, Child
from radcal.system.text import Text, made_of

CHILD = "radcal.findings.model.template_child"
SECONDS = 5.0
"""Longest time for a template; usual ones take some milliseconds."""
_MEMORY = 512 << 20
"""Bytes of address space of the child, the interpreter's own included."""
_LONGEST = 1 << 20
"""Most characters of what a template makes, as no prompt has them."""
_MOST_SAID = 8 * _LONGEST
"""Bytes of the child's answer, in which a character takes up to six."""
_START_SECONDS = 60.0
_HARMFUL = Text(
    "{name} {why}: it is damaged, or was made to do harm. Do not use the file if you do not know where it is from. "
    "{remedy}"
)
_NO_TIME = Text("was given up after {seconds:g} seconds")
_NO_ROOM = Text("asks for more than {megabytes:,} MB of memory")
_TOO_LONG = Text("makes a text of more than {most:,} characters")
_CRASHED = Text("made the process that rendered it break down")
_OTHER_MODEL = Text("Choose another model, or the prompt 'base'.")
_OTHER_PROMPTS = Text("Choose another folder of prompts, or leave it out.")


def chat_of(prompt: str, template: str, bos: str, eos: str, *, model: str, seconds: float = SECONDS) -> Chat:
    """What :func:`radcal.findings.model.chat.as_chat` makes of a model's chat template, under limits.

    Args:
        model: the name of the model's file, for messages.
        seconds: longest time, at most SECONDS.

    Raises:
        InputError: as of as_chat, or the template exceeded a limit; the message names the file.
        EngineError: the child cannot be started.
    """
    values = {"prompt": prompt, "template": template, "bos": bos, "eos": eos}
    return _rendered("chat", values, Text("The chat template of {file}", file=model), _OTHER_MODEL, seconds)


def filled_in(source: str, name: str, values: Mapping[str, Any]) -> str:
    """What :func:`radcal.findings.model.chat.fill_in_template` makes of a template of the user's, under limits; errors
    alike."""
    given = {"source": source, "name": name, "values": dict(values)}
    return _rendered("fill", given, Text("The template {file}", file=name), _OTHER_PROMPTS, SECONDS).text


def _rendered(do: str, values: Mapping[str, Any], name: Text, remedy: Text, seconds: float) -> Chat:
    seconds = min(seconds, SECONDS)
    order = {
        "do": do,
        "values": values,
        "parent": os.getpid(),
        "memory": _MEMORY,
        "cpu": math.ceil(seconds),
    }
    try:
        child = Child(CHILD, max_bytes=_MOST_SAID)
    except OSError as error:
        raise EngineError(
            "The process that renders templates cannot be started: {strerror}.", strerror=reason_of(error)
        ) from error
    try:
        child.send(json.dumps(order).encode("ascii") + b"\n")
        answer = _answer(child, seconds)
    finally:
        child.kill()
    if isinstance(answer, Chat):
        return answer
    why = answer.with_values(seconds=seconds, megabytes=_MEMORY >> 20, most=_LONGEST)
    raise InputError(_HARMFUL, name=name, why=why, remedy=remedy)


def _answer(child: Child, seconds: float) -> Chat | Text:
    """The child's answer, or why there is none.

    Raises:
        InputError: the template cannot be rendered.
    """
    try:
        begun = child.receive(_START_SECONDS)
        line = child.receive(seconds) if begun == b"\n" else None
    except TimeoutError:
        return _NO_TIME
    if line is None:
        ends: dict[int | None, Text] = {NO_TIME_LEFT: _NO_TIME, NO_MEMORY: _NO_ROOM}
        return ends.get(child.end(), _CRASHED)
    if not line:
        return _TOO_LONG
    try:
        answer = json.loads(line)
        if "refused" in answer:
            refused = made_of(answer["refused"])
        else:
            text, notes = str(answer["text"]), tuple(map(made_of, answer["notes"]))
            return Chat(text, notes) if len(text) <= _LONGEST else _TOO_LONG
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return _CRASHED
    raise InputError(refused)
