"""A prompt in a model's own chat template."""

from __future__ import annotations

import pytest

from radcal.errors import InputError
from radcal.llama.chat import MARK, as_chat


def test_a_chat_template_wraps_the_prompt() -> None:
    template = (
        "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m.content | trim }}<|eot|>{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    text = as_chat(f"Read.\n{MARK}Findings:\n", template, "<s>", "</s>")
    assert text == f"<s><|user|>Read.\n{MARK}Findings:<|eot|><|assistant|>"


@pytest.mark.parametrize(
    "template", ["hello", "{{ raise_exception('no user') }}", "{% for", "{{ messages[0].content.missing.deeper }}"]
)
def test_a_chat_template_that_cannot_be_used_is_named(template: str) -> None:
    with pytest.raises(InputError, match="chat template"):
        as_chat(MARK, template, "", "")
