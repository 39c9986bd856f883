"""Prompt templates, and the chat templates of models."""

from __future__ import annotations

from typing import Any

from radcal.errors import InputError
from radcal.text import Text

MARK = "\x02report\x03"
"""Placeholder of the report while a template is rendered; occurs in no text."""


def fill_in_template(source: str, name: str, **values: Any) -> str:
    """Render a Jinja template.

    Args:
        name: of the template, for error messages.

    Raises:
        InputError: the template cannot be rendered.
    """
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Models bring their own templates, from anywhere; the prompt is plain text, not HTML.
    environment = ImmutableSandboxedEnvironment(
        autoescape=False, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.globals["raise_exception"] = _refuse  # chat templates call it
    try:
        return environment.from_string(source).render(**values)
    except (TemplateError, TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise InputError("{name} cannot be filled in: {error}.", name=name, error=error) from error


def as_chat(prompt: str, template: str, bos: str, eos: str) -> str:
    """The prompt as the user's message in a model's chat template, up to the start of the answer.

    Raises:
        InputError: the template cannot be rendered, or leaves the message out.
    """
    text = fill_in_template(
        template,
        Text("the model's chat template"),
        messages=[{"role": "user", "content": prompt}],
        add_generation_prompt=True,
        bos_token=bos,
        eos_token=eos,
    )
    if text.count(MARK) != 1:
        raise InputError("The model's chat template does not repeat the message. Choose the prompt 'base'.")
    return text


def _refuse(message: str) -> None:
    raise ValueError(message)
