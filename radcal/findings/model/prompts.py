"""Messages as prompts: in the chat template of a model that has one, and as plain text for a base model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from radcal.findings.model.chat import MARK, Chat
from radcal.findings.model.rendering import SECONDS, chat_of
from radcal.system.errors import InputError
from radcal.system.text import Text

if TYPE_CHECKING:
    from radcal.findings.model.native import Model


class Prompts:
    """Puts messages into the form that a model expects.

    Args:
        note: takes what of the model's template is not as usual, in sentences for the user.
        seconds: longest time for the template.
    """

    def __init__(self, model: Model, note: Callable[[Text], object], seconds: float = SECONDS) -> None:
        self._model = model
        self._turns: tuple[list[int], list[int]] | None = None
        if template := model.chat_template():
            try:
                bos, eos = model.marker("bos"), model.marker("eos")
                chat = chat_of(MARK, template, bos, eos, model=model.name, seconds=seconds)
            except InputError as error:
                note(Text("{error} Questions are put to it as plain text.", error=error))
                return
            for told in chat.notes:
                note(told)
            self._turns = self._around(chat)

    def _around(self, chat: Chat) -> tuple[list[int], list[int]]:
        """The template's tokens before and after the message."""
        model, (head, tail) = self._model, chat.text.split(MARK)
        begin = not chat.text.startswith(model.marker("bos") or "\0")
        after = model.tokens("\n" + tail, special=True)[len(model.tokens("\n")) :]
        return model.tokens(head, special=True, begin=begin), after

    def tokens(self, message: str, answer: str) -> list[int]:
        """The tokens of a message and of the beginning of its answer; control tokens are the template's alone."""
        if self._turns is None:
            return self._model.tokens(f"{message}\n{answer}" if message else answer, begin=True)
        head, after = self._turns
        return [*head, *self._model.inner_tokens(message), *after, *self._model.inner_tokens(answer)]
