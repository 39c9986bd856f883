"""Templates of foreign files are rendered under limits: what asks for hours or gigabytes is refused."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from radcal.findings.by_model.prompt import fill_in
from radcal.findings.model import rendering
from radcal.findings.model.chat import MARK, as_chat
from radcal.findings.model.local_model import LocalModel
from radcal.findings.model.options import ModelOptions
from radcal.findings.model.rendering import chat_of, filled_in
from radcal.system import processes
from radcal.system.errors import InputError
from radcal.system.resources import resource as shipped

FAMILY = "{# <|im_start|> #}"
"""Of a known family, whose plain template must not take the place of a harmful one."""
LOOPS = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
LJUST = "{{ 'a'.ljust(3000000000) }}"
ENDLESS = [
    LOOPS,
    "{% set n = namespace(x=1) %}{% for i in range(99999) %}{% set n.x = n.x * n.x + 1 %}{% endfor %}",
    "{{ 7 ** 99999999 % 5 }}",  # computed by the compiler of templates
    "{% macro f(n) %}{% for i in range(50) %}{{ f(n - 1) if n }}{% endfor %}{% endmacro %}{{ f(40) }}",
    "{% for a in range(99999) | batch(1) %}{% for b in range(99999) | batch(1) %}{% endfor %}{% endfor %}",
]
GREEDY = [
    LJUST,
    "{{ 'a' | center(3000000000) }}",
    "{{ '%3000000000d' % 1 }}",
    "{{ '%3000000000d' | format(1) }}",
    "{{ '{:3000000000}'.format(1) }}",
    "{{ 'a\nb' | indent(3000000000) }}",
    "{% set n = namespace(x='aaaaaaaa') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "{% set n = namespace(x=[1, 2]) %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
    "{{ ('a' * 1000000).replace('a', 'a' * 1000) }}",
    "{{ 'a'.zfill(3000000000) }}",
]


def refused(template: str, seconds: float = rendering.SECONDS) -> str:
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError) as caught:
        chat_of(MARK, template, "", "", model="gift.gguf", seconds=seconds)
    assert time.monotonic() - began < seconds + 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KiB of this process
    return str(caught.value)


@pytest.mark.parametrize("template", ENDLESS)
def test_a_template_that_does_not_come_to_its_end_is_given_up(template: str) -> None:
    said = refused(FAMILY + template + "{{ messages[0].content }}", seconds=1)
    assert "The chat template of gift.gguf was given up after 1 seconds" in said
    assert "Choose another model, or the prompt 'base'." in said


@pytest.mark.parametrize("template", GREEDY)
def test_a_template_that_asks_for_gigabytes_is_refused(template: str) -> None:
    said = refused(FAMILY + template + "{{ messages[0].content }}")
    assert "The chat template of gift.gguf asks for more than 512 MB of memory" in said


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'a'.ljust(10 ** 30) }}",
        "{{ '%99999999999d' % 1 }}",
        "{{ 'a' * 10 ** 10 }}",
        "{{ range(10 ** 9) | list }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% include 'radcal' %}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{{ " + "-" * 100_000 + "1 }}",
    ],
)
def test_what_python_or_the_sandbox_refuses_is_no_breakdown_of_the_parent(template: str) -> None:
    said = refused(template)
    assert "chat template" in said


def test_a_text_that_no_prompt_has_is_refused() -> None:
    said = refused("{{ messages[0].content }}{% for i in range(90) %}{{ 'a' * 100000 }}{% endfor %}")
    assert "makes a text of more than 1,048,576 characters" in said


def test_an_end_of_blanks_without_end_is_given_up_or_read() -> None:
    """The search for channels behind the template's text goes back and forth over blanks."""
    blanks = "{{ ' ' * 500000 }}"
    template = "{# <|channel|> #}{{ messages[0].content }}<|start|>assistant" + blanks + "x"
    assert "was given up after 1 seconds" in refused(template, seconds=1)


def test_a_usual_template_is_rendered_as_without_limits_also_after_a_harmful_one() -> None:
    usual = "{{ bos_token }}<|user|>{{ messages[0].content }}{{ sparkle() }}<|assistant|>"
    refused(LJUST)
    found = chat_of(f"Läs\n{MARK}", usual, "<s>", "</s>", model="gift.gguf")
    assert found == as_chat(f"Läs\n{MARK}", usual, "<s>", "</s>")
    assert "sparkle" in str(found.notes[0])


def test_a_template_that_cannot_be_used_is_named_as_without_limits() -> None:
    with pytest.raises(InputError) as within:
        chat_of(MARK, "{% for", "", "", model="gift.gguf")
    with pytest.raises(InputError) as without:
        as_chat(MARK, "{% for", "", "")
    assert str(within.value) == str(without.value)


@pytest.mark.parametrize(
    "said", [b"", b"\n", b"x\n{}\n", b"\n{}\n", b"\n[]\n", b'\n{"refused": 1}\n', b'\n{"text": "a", "notes": [1]}\n']
)
def test_what_the_child_says_is_read_strictly(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import os, sys; os.write(1, bytes.fromhex(sys.argv[1]))"
    monkeypatch.setattr(processes, "child_command", lambda _: [sys.executable, "-I", "-S", "-c", code, said.hex()])
    assert "made the process that rendered it break down" in refused("{{ messages[0].content }}")


def test_the_child_ends_when_its_parent_is_killed() -> None:
    if sys.platform != "linux":
        pytest.skip("by prctl of Linux")
    code = (
        "import subprocess\n"
        "from radcal.findings.model import rendering\n"
        "started = subprocess.Popen\n"
        "def start(*given, **more):\n"
        "    child = started(*given, **more)\n"
        "    print(child.pid, flush=True)\n"
        "    return child\n"
        "subprocess.Popen = start\n"
        f"rendering.chat_of('x', {LOOPS!r}, '', '', model='gift.gguf')\n"
    )
    with subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    end = time.monotonic() + 60
    while Path(f"/proc/{child}").exists() and time.monotonic() < end:
        if " Z " in Path(f"/proc/{child}/stat").read_text():
            break
        time.sleep(0.02)
    assert time.monotonic() < end


# --- where foreign templates come from -------------------------------------------------------------


def test_a_model_asked_questions_leaves_its_harmful_template_aside(
    write_model: Callable[..., Path], tmp_path: Path
) -> None:
    path = write_model(tmp_path / "gift.gguf", tokenizer__chat_template=FAMILY + LJUST + "{{ messages[0].content }}")
    options = ModelOptions(context=256, parallel=1, report_seconds=30, keep_state=False)
    with LocalModel(path, options) as model:
        rows = model.option_distribution(["Is it likely?"], ["yes", "no"])
        assert rows.shape == (1, 2)
        [note] = [note for note in model.notes if "gift.gguf" in note and "asks for more than" in note]
        assert "plain text" in note


def test_a_folder_of_prompts_is_filled_in_under_the_same_limits(tmp_path: Path) -> None:
    for file in shipped("prompts").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    names, phrases = ["edema"], ["likely"]
    examples = '[[examples]]\nsentences = ["Likely edema."]\nrows = [[1, "edema", "likely"]]\n'
    (tmp_path / "examples.toml").write_text(examples, encoding="utf-8")
    expected = fill_in(tmp_path, names, phrases, "number")
    assert expected.chat.count(MARK) == 1
    chat = tmp_path / "chat.jinja"
    chat.write_text(LJUST + chat.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(InputError, match=r"The template chat\.jinja asks for more than"):
        fill_in(tmp_path, names, phrases, "number")


def test_a_template_of_the_users_gets_all_values() -> None:
    values = {"examples": [{"report": "[1] x", "findings": "- 1"}], "n": 3, "mark": MARK}
    assert filled_in("{{ examples[0].report }}{{ n }}{{ mark }}", "t.jinja", values) == f"[1] x3{MARK}"
