"""The whole engine over tiny models of several architectures, each with a chat template in its family's manner."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from radcal.findings.by_model.engine import llama_engine
from radcal.findings.by_model.readers import ReportReader, make_reader
from radcal.findings.model import native
from radcal.findings.model.chat import MARK, as_chat
from radcal.findings.model.fit import Plan
from radcal.findings.model.options import LlamaOptions
from radcal.findings.records import Extraction
from radcal.reports.records import Document
from radcal.system.errors import InputError
from radcal.system.progress import SILENT

PLAN = Plan(1024, 1024, 256, 256, 4, 112, 1, 0, repack=True, abortable=True, exact=True)
CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is false %}"
    "{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}"
)
GEMMA = (
    "{{ bos_token }}{% for m in messages %}{{ '<start_of_turn>' + m.role + '\\n' + m.content | trim + "
    "'<end_of_turn>\\n' }}{% endfor %}{{ '<start_of_turn>model\\n' }}"
)
PHI = "{% for m in messages %}{{ '<|user|>\\n' + m.content + '<|end|>\\n' }}{% endfor %}{{ '<|assistant|>\\n' }}"
MISTRAL = "{{ bos_token }}{% for m in messages %}{{ '[INST] ' + m.content + '[/INST]' }}{% endfor %}"
HARMONY = (
    "{{ '<|start|>system<|message|>Reasoning: ' + reasoning_effort + '\\n# Valid channels: analysis, final.<|end|>' }}"
    "{% for m in messages %}{{ '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}{% endfor %}"
    "{{ '<|start|>assistant' }}{# <|channel|> #}"
)
FAMILIES = {
    "gpt-oss": (HARMONY, ["<|start|>", "<|message|>", "<|end|>", "<|channel|>"], []),
    "qwen2": (CHATML, ["<|im_start|>", "<|im_end|>"], ["<think>", "</think>"]),
    "qwen3": (CHATML, ["<|im_start|>", "<|im_end|>"], ["<think>", "</think>"]),
    "gemma2": (GEMMA, ["<start_of_turn>", "<end_of_turn>"], []),
    "gemma3": (GEMMA, ["<start_of_turn>", "<end_of_turn>"], ["<b>"]),
    "phi3": (PHI, ["<|end|>"], ["<|user|>", "<|assistant|>"]),
    "llama": (MISTRAL, ["[INST]", "[/INST]"], []),
}
"""Template, control tokens, and added tokens that are no control tokens, by architecture."""
WORDS = ("Report: Findings: end", "pleural", "effusion", "present", "absent", "likely", "heart", "normal")


@pytest.fixture(scope="module", params=list(FAMILIES))
def family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, random_gguf: ModuleType) -> Path:
    """A model of each family."""
    template, control, added = FAMILIES[request.param]
    path: Path = random_gguf.write_llama(
        tmp_path_factory.mktemp("families") / f"{request.param}.gguf",
        random_gguf.Shape(64, 2, 4, 2, 128, 700, quantised=False),
        WORDS,
        family=request.param,
        control=control,
        added=added,
        tokenizer__chat_template=template,
    )
    return path


@pytest.mark.slow
def test_every_family_reads_reports_alike_together_and_alone(
    family: Path, options: Callable[..., LlamaOptions], reports: list[Document]
) -> None:
    found: list[list[Extraction]] = []
    for parallel in (4, 1):
        with llama_engine(
            family, options(prompt="chat", parallel=parallel, max_findings=4, keep_state=False)
        ) as engine:
            assert engine.fit().plan.gpu_layers == 0
            found.append(list(engine.extract(reports[:5], SILENT)))
            assert not any("template" in note for note in engine.notes)
    assert [[(f.start, f.pathology, f.phrase) for f in e.findings] for e in found[0]] == [
        [(f.start, f.pathology, f.phrase) for f in e.findings] for e in found[1]
    ]
    assert [e.failure for e in found[0]] == [e.failure for e in found[1]]
    # Random weights may list too many findings; nothing else may fail.
    assert all("more than 4 findings" in e.failure for e in found[0] if e.failure)


def test_control_tokens_are_the_templates_and_never_the_reports(family: Path) -> None:
    _, control, added = FAMILIES[family.stem]
    model = native.Model(family, PLAN, lambda: False)
    ids = {model.tokens(name, special=True)[0]: name for name in (*control, *added)}
    assert sorted(ids.values()) == sorted([*control, *added])
    values = {
        "sentences": False,
        "seconds": 60.0,
        "base": "",
        "chat": f"Report:\n{MARK}Findings:\n",
        "prompt": "chat",
        "reference": "number",
        "most": 4,
        "pathologies": ["mass"],
        "phrases": ["present"],
    }
    reader = make_reader(model, values, 1024)
    assert isinstance(reader, ReportReader)
    told = " ".join(ids.values())
    sentence = f"Small {told} mass{told} <3 cm [L]."
    [question], _ = reader.questions([sentence])
    tail = list(reader._tail)
    report = list(question.tokens[: -len(tail)])
    assert model.written(report) == f"[1] {sentence}\n"
    assert not ids.keys() & set(report)
    in_prompt = {ids[i] for i in (*reader.prefix, *tail) if i in ids}
    assert in_prompt == {name for name in ids.values() if name in as_chat(MARK, FAMILIES[family.stem][0], "", "").text}
    model.close()


def test_an_unknown_function_of_a_template_is_told_and_survived(
    tmp_path: Path, write_model: Callable[..., Path], options: Callable[..., LlamaOptions], reports: list[Document]
) -> None:
    path = write_model(tmp_path / "strange.gguf", tokenizer__chat_template=CHATML + "{{ sparkle() }}")
    with llama_engine(path, options(prompt="chat", keep_state=False)) as engine:
        assert any("sparkle" in note for note in engine.start())
        assert len(list(engine.extract(reports[:2], SILENT))) == 2


def test_an_architecture_unknown_to_the_build_is_said_plainly_before_and_at_loading(
    tmp_path: Path, random_gguf: ModuleType, options: Callable[..., LlamaOptions]
) -> None:
    shape = random_gguf.Shape(64, 1, 4, 2, 128, 300, quantised=False)
    path = tmp_path / "a.gguf"
    random_gguf.write(path, random_gguf.metadata(shape, family="abacus"), random_gguf.weights(shape))
    with llama_engine(path, options()) as engine:
        for ask in (engine.fit, engine.start):
            with pytest.raises(InputError, match=r"a\.gguf: The architecture 'abacus' is not known .*Choose a model"):
                ask()
