"""Prompts from templates, and a prompt as a message in a model's chat template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radcal.errors import InputError

if TYPE_CHECKING:
    from jinja2.environment import Environment

MARK = "\x02report\x03"
"""Stands for the report while a template is filled in; no text contains it."""


def fill_in_template(source: str, name: str, **values: Any) -> str:
    """The text of a Jinja template.

    Args:
        name: what an error message calls it.

    Raises:
        InputError: it cannot be filled in.
    """
    return _render(_environment(), source, name, **values)


def as_chat(prompt: str, template: str, bos: str, eos: str) -> str:
    """A prompt as the user's message in a model's chat template, up to where the answer begins.

    Raises:
        InputError: the model's template cannot be filled in.
    """
    environment = _environment()
    environment.globals["raise_exception"] = _refuse
    text = _render(
        environment,
        template,
        "the model's chat template",
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


def _environment() -> Environment:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Templates come with model files from anywhere; the prompt is plain text, not HTML.
    return ImmutableSandboxedEnvironment(
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _render(environment: Environment, source: str, name: str, **values: Any) -> str:
    from jinja2 import TemplateError

    try:
        return environment.from_string(source).render(**values)
    except (TemplateError, TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise InputError(
            "{name} cannot be filled in: {error}.",
            name=name,
            error=error,
        ) from error
