"""A prompt in a model's own chat template: the families' ways, thinking closed, unknown functions survived."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radcal.findings.model.chat import MARK, Chat, as_chat, fill_in_template, without_thoughts
from radcal.system.errors import InputError
from tests.cases import cases_of

cases = cases_of(__file__)

PROMPT = f"Read.\n{MARK}Findings:\n"
SAID = f"Read.\n{MARK}Findings:"

LLAMA_3, QWEN_3, GEMMA, PHI, MISTRAL, HARMONY, CHATML = (
    (Path(__file__).parent / "cases" / "templates" / f"{name}.jinja").read_text(encoding="utf-8")
    for name in ("llama_3", "qwen_3", "gemma", "phi", "mistral", "harmony", "chatml")
)
"""Short templates in the manner of each family, with its control tokens and with what it asks of Jinja."""


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (
            LLAMA_3,
            "<s><|start_header_id|>system<|end_header_id|>\n\nToday Date: 01 Jan 2025\n\n<|eot_id|>"
            f"<|start_header_id|>user<|end_header_id|>\n\n{SAID}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
        ),
        (QWEN_3, f"<|im_start|>user\n{PROMPT}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"),
        (GEMMA, f"<s><start_of_turn>user\n{SAID}<end_of_turn>\n<start_of_turn>model\n"),
        (PHI, f"<|user|>\n{PROMPT}<|end|>\n<|assistant|>\n"),
        (MISTRAL, f"<s>[INST] {PROMPT}[/INST]"),
        (
            HARMONY,
            "<|start|>system<|message|>You are a model.\nCurrent date: 2025-01-01\n\nReasoning: low\n# Valid channels: "
            f"analysis, commentary, final.<|end|><|start|>user<|message|>{PROMPT}<|end|><|start|>assistant"
            "<|channel|>final<|message|>",
        ),
        (CHATML, f"<|im_start|>user\n{PROMPT}<|im_end|>\n<|im_start|>assistant\n"),
    ],
    ids=["llama 3", "qwen 3", "gemma", "phi", "mistral", "gpt-oss", "qwen 2.5"],
)
def test_each_familys_template_gives_its_own_turns(template: str, expected: str) -> None:
    assert as_chat(PROMPT, template, "<s>", "</s>") == Chat(expected)


@cases("thinking_that_a_template_leaves_open_is_closed_at_once")
def test_thinking_that_a_template_leaves_open_is_closed_at_once(end: str, closed: str) -> None:
    text = as_chat(PROMPT, "{{ messages[0].content }}{{ '" + end + "' }}", "", "").text
    assert text == PROMPT + closed


def test_thoughts_before_a_response_are_closed_and_the_response_is_opened() -> None:
    template = (
        "<|USER|>{{ messages[0].content }}<|CHATBOT|>{% if reasoning is defined and not reasoning %}"
        "<|START_THINKING|><|END_THINKING|>{% endif %}{# <|START_RESPONSE|> #}"
    )
    expected = f"<|USER|>{PROMPT}<|CHATBOT|><|START_THINKING|><|END_THINKING|><|START_RESPONSE|>"
    assert as_chat(PROMPT, template, "", "").text == expected
    itself = template.replace("not reasoning", "false")
    assert as_chat(PROMPT, itself, "", "").text == expected


def test_channels_are_recognised_before_a_line_break() -> None:
    template = "{{ messages[0].content }}{# <|channel|> #}<|start|>assistant\n\n"
    assert as_chat(PROMPT, template, "", "").text == f"{PROMPT}<|start|>assistant<|channel|>final<|message|>"


def test_a_model_that_opens_its_thoughts_itself_finds_them_closed() -> None:
    # Such a template cuts the thoughts off earlier answers, and leaves it to the model to begin new ones.
    template = (
        "{% for m in messages %}{% if m.role == 'assistant' %}{{ m.content.split('</think>')[-1] }}{% else %}"
        "<|User|>{{ m.content }}{% endif %}{% endfor %}<|Assistant|>"
    )
    assert as_chat(PROMPT, template, "", "").text == f"<|User|>{PROMPT}<|Assistant|><think>\n\n</think>\n\n"


def test_a_message_in_parts_is_given_where_a_template_wants_one() -> None:
    template = (
        "{% for m in messages %}{% for part in m.content %}{% if part.type == 'text' %}<|user|>{{ part.text }}"
        "{% endif %}{% endfor %}{% endfor %}"
    )
    assert as_chat(PROMPT, template, "", "") == Chat(f"<|user|>{PROMPT}")


@cases("functions_that_nobody_knows_are_left_out_and_named")
def test_functions_that_nobody_knows_are_left_out_and_named(strange: str, named: str) -> None:
    [note] = as_chat(PROMPT, strange + CHATML, "", "").notes
    assert named in note
    assert "left out" in note


@pytest.mark.parametrize(
    ("sign", "expected"),
    [
        ("<|start_header_id|>", f"<|start_header_id|>user<|end_header_id|>\n\n{SAID}<|eot_id|>"),
        ("<|im_start|>", f"<|im_start|>user\n{SAID}<|im_end|>\n<|im_start|>assistant\n"),
        ("<start_of_turn>", f"<start_of_turn>user\n{SAID}<end_of_turn>\n<start_of_turn>model\n"),
        ("<|user|>", f"<|user|>\n{SAID}<|end|>\n<|assistant|>\n"),
        ("[INST]", f"[INST] {SAID} [/INST]"),
        ("<|channel|>", f"<|start|>user<|message|>{SAID}<|end|><|start|>assistant<|channel|>final<|message|>"),
    ],
)
@cases("a_template_beyond_repair_gives_way_to_one_of_its_family")
def test_a_template_beyond_repair_gives_way_to_one_of_its_family(broken: str, sign: str, expected: str) -> None:
    chat = as_chat(PROMPT, f"{{# {sign} #}}{broken}", "<s>", "</s>")
    assert chat.text.startswith(expected)
    assert sign in chat.notes[0]


@pytest.mark.parametrize(
    "template", ["hello", "{{ raise_exception('no user') }}", "{% for", "{{ messages[0].content.missing.deeper }}"]
)
def test_a_chat_template_that_cannot_be_used_is_named(template: str) -> None:
    with pytest.raises(InputError, match="chat template"):
        as_chat(MARK, template, "", "")


@given(st.text(alphabet="{}%#|'\"<>[]() abcmessagesfortokn._-0\n", max_size=60))
def test_whatever_a_file_has_for_a_template_is_rendered_or_refused(template: str) -> None:
    try:
        chat = as_chat(PROMPT, template, "<s>", "</s>")
    except InputError:
        return
    assert chat.text.count(MARK) == 1


def test_a_template_cannot_reach_the_program() -> None:
    for attempt in ("{{ ''.__class__.__mro__ }}", "{{ messages.append(1) }}", "{{ raise_exception.__globals__ }}"):
        with pytest.raises(InputError):
            as_chat(PROMPT, attempt, "", "")


def test_json_is_written_as_the_makers_of_templates_expect() -> None:
    assert fill_in_template("{{ x | tojson }}", "t", x={"b": "<é>", "a": [1]}) == '{"b": "<é>", "a": [1]}'
    assert fill_in_template("{{ x | tojson(indent=1) }}", "t", x=[1]) == "[\n 1\n]"


@cases("thoughts_are_no_part_of_what_was_said")
def test_thoughts_are_no_part_of_what_was_said(written: str, said: str) -> None:
    assert without_thoughts(written) == said
