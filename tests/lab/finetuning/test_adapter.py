"""Adapters as llama.cpp takes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from benchmarks.random_gguf import Shape, metadata, weights, write, write_llama
from radcal.findings.model import native
from radcal.findings.model.fit import Plan
from radcal.findings.model.local_model import LocalModel
from radcal.findings.model.options import ModelOptions
from radcal.lab.finetuning.adapter import as_gguf
from radcal.system.errors import InputError

SHAPE = Shape(64, 2, 4, 2, 96, 600)
PLAN = Plan(256, 256, 64, 64, 8, 1, 0, repack=True, abortable=True, exact=True)
RANK, ALPHA = 4, 6.0
TEXT = "Which river flows through Vienna?"
Tensors = Mapping[str, np.ndarray]


def adapter(seed: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    outputs = {"attn_q": SHAPE.width, "attn_v": SHAPE.width // SHAPE.heads * SHAPE.kv_heads}
    found = {}
    for layer in range(SHAPE.layers):
        for name, rows in outputs.items():
            found[f"blk.{layer}.{name}.weight.lora_a"] = random.normal(0, 0.3, (RANK, SHAPE.width)).astype(np.float32)
            found[f"blk.{layer}.{name}.weight.lora_b"] = random.normal(0, 0.3, (rows, RANK)).astype(np.float32)
    return found


def merged(path: Path, family: str, tensors: Tensors) -> Path:
    """The model with W + alpha / rank B A in place of each W."""
    changed = []
    for name, size, kind, data in weights(SHAPE, 0, 0.3, family):
        if f"{name}.lora_a" in tensors:
            data = data + ALPHA / RANK * tensors[f"{name}.lora_b"] @ tensors[f"{name}.lora_a"]
        changed.append((name, size, kind, data.astype(np.float32)))
    write(path, metadata(SHAPE, (), 0, family=family), changed)
    return path


def scores(path: Path, adapted: Path | None = None) -> np.ndarray:
    model = native.Model(path, PLAN, lambda: False, adapter=adapted)
    try:
        [last] = model.evaluate(native.run_of(model.tokens(TEXT, begin=True), 0, 1))
        return last.copy()
    finally:
        model.close()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_llama(tmp_path / "model.gguf", SHAPE)


@pytest.fixture
def adapted(tmp_path: Path) -> Path:
    (tmp_path / "adapter.gguf").write_bytes(as_gguf(adapter(), "llama", ALPHA, {"radcal.made_with": "x"}))
    return tmp_path / "adapter.gguf"


@pytest.mark.parametrize("family", ["llama", "qwen2", "gemma3"])
def test_an_adapter_changes_a_model_as_its_weights_would(family: str, tmp_path: Path) -> None:
    path = write_llama(tmp_path / "model.gguf", SHAPE, family=family)
    tensors = adapter()
    (tmp_path / "adapter.gguf").write_bytes(as_gguf(tensors, family, ALPHA, {}))
    wanted = scores(merged(tmp_path / "merged.gguf", family, tensors))
    found = scores(path, tmp_path / "adapter.gguf")
    assert np.abs(found - scores(path)).max() > 0.1
    np.testing.assert_allclose(found, wanted, atol=2e-3 * np.abs(wanted).max())


def test_an_adapter_of_zeros_changes_nothing(model: Path, tmp_path: Path) -> None:
    zeros = {name: tensor * ("lora_a" in name) for name, tensor in adapter().items()}
    (tmp_path / "adapter.gguf").write_bytes(as_gguf(zeros, "llama", ALPHA, {}))
    np.testing.assert_allclose(scores(model, tmp_path / "adapter.gguf"), scores(model), atol=1e-4)


def test_a_model_in_a_child_process_is_adapted(model: Path, adapted: Path, tmp_path: Path) -> None:
    options = {"context": 256, "threads": 1, "keep_state": False}
    whole = merged(tmp_path / "merged.gguf", "llama", adapter())
    chances = {}
    for name, path, own in (("plain", model, None), ("adapted", model, adapted), ("merged", whole, None)):
        with LocalModel(path, ModelOptions(**options, adapter=own)) as made:
            chances[name] = made.number_distribution(["A number:"])[0]
    np.testing.assert_allclose(chances["adapted"], chances["merged"], atol=1e-3)
    assert np.abs(chances["adapted"] - chances["plain"]).max() > 1e-2


def test_the_file_is_what_the_format_says(adapted: Path) -> None:
    gguf = pytest.importorskip("gguf")
    read = gguf.GGUFReader(adapted)
    told = {field.name: field.contents() for field in read.fields.values() if not field.name.startswith("GGUF.")}
    assert told == {
        "general.type": "adapter",
        "general.architecture": "llama",
        "adapter.type": "lora",
        "adapter.lora.alpha": ALPHA,
        "radcal.made_with": "x",
    }
    tensors = adapter()
    assert {t.name: t.data.tolist() for t in read.tensors} == {name: t.tolist() for name, t in tensors.items()}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (as_gguf(adapter(), "qwen2", ALPHA, {}), "is for models of the kind 'qwen2'"),
        (as_gguf({}, "llama", ALPHA, {"adapter.type": "other"}), "is no adapter"),
        (b"something else", "is not a GGUF file"),
    ],
)
def test_an_unfitting_adapter_is_refused(content: bytes, reason: str, model: Path, adapted: Path) -> None:
    adapted.write_bytes(content)
    with pytest.raises(InputError, match=reason):
        LocalModel(model, ModelOptions(adapter=adapted))


def test_an_adapter_of_another_size_is_refused(model: Path, adapted: Path) -> None:
    tensors = {name: tensor[:, :-1] if "lora_a" in name else tensor for name, tensor in adapter().items()}
    adapted.write_bytes(as_gguf(tensors, "llama", ALPHA, {}))
    with pytest.raises(native.NativeError):
        native.Model(model, PLAN, lambda: False, adapter=adapted)


def test_a_model_is_no_adapter(model: Path) -> None:
    with pytest.raises(InputError, match="is no adapter"):
        LocalModel(model, ModelOptions(adapter=model))
