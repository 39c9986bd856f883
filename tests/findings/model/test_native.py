"""llama.cpp itself, on tiny models: what it refuses and why, and that shared sequences equal separate ones."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from radcal.findings.model import native
from tests.findings.model.conftest import PLAN, Flag


@pytest.fixture(autouse=True)
def _clean(loaded: native.Model, flag: Flag) -> None:
    flag.up = False
    clear(loaded)


def clear(model: native.Model) -> None:
    for sequence in range(PLAN.sequences):
        model.forget(sequence)


def evaluate(model: native.Model, tokens: list[int], sequence: int = 1, at: int = 0) -> np.ndarray:
    [scores] = model.evaluate(native.run_of(tokens, at, sequence))
    return scores.copy()


def test_tokens_and_text_are_one(loaded: native.Model) -> None:
    text = "There is no pleural effusion, \u00e9 \u5fc3 \x00."
    assert loaded.written(loaded.tokens(text)) == text
    assert loaded.tokens("", begin=True) == [loaded.words - 2]
    assert loaded.tokens("<s>") != loaded.tokens("<s>", special=True) == [loaded.words - 2]
    assert loaded.written(loaded.inner_tokens('- 1, "')) == '- 1, "'
    assert loaded.tokens("\ud800") == loaded.tokens("?")


def test_a_shared_prompt_is_as_good_as_its_own(loaded: native.Model) -> None:
    head, tail = loaded.tokens("There is no", begin=True), loaded.tokens(" pleural effusion")
    alone = evaluate(loaded, head + tail)
    evaluate(loaded, head, 0)
    for sequence in (2, 3):
        loaded.share(0, sequence)
        assert np.allclose(evaluate(loaded, tail, sequence, len(head)), alone, atol=1e-3)


def test_a_state_restores_the_prompt_and_a_wrong_one_does_not(loaded: native.Model) -> None:
    head, tail = loaded.tokens("There is no", begin=True), loaded.tokens(" pleural effusion")
    alone = evaluate(loaded, head + tail)
    evaluate(loaded, head, 0)
    kept = loaded.state(0)
    clear(loaded)
    assert not loaded.restore(kept[: len(kept) // 2], 0, len(head))
    assert not loaded.restore(kept, 0, len(head) + 1)
    assert loaded.restore(kept, 0, len(head))
    assert np.allclose(evaluate(loaded, tail, 0, len(head)), alone, atol=1e-3)


def test_forgetting_the_end_goes_back(loaded: native.Model) -> None:
    tokens = loaded.tokens("heart size normal left right")
    alone = evaluate(loaded, tokens)
    loaded.forget(1, 2)
    assert np.allclose(evaluate(loaded, tokens[2:], 1, 2), alone, atol=1e-3)


def test_the_stop_flag_ends_an_evaluation(loaded: native.Model, flag: Flag) -> None:
    flag.up = True
    steps = [(1, i, (1,), True) for i in range(100)]
    for work in (loaded.decode, loaded.embedded, lambda steps: list(loaded.evaluate(steps))):
        with pytest.raises(native.StoppedError):
            work(steps)


def test_a_full_context_is_said(loaded: native.Model) -> None:
    for first in range(0, 1024, 256):
        loaded.decode([(1, first + i, (1,), False) for i in range(256)])
    with pytest.raises(native.FullError):
        loaded.decode([(1, i, (2,), False) for i in range(64)])


def test_scores_that_nobody_asked_for_are_missing(loaded: native.Model) -> None:
    loaded.decode([(1, 0, (1,), False), (2, 1, (1,), True)])
    with pytest.raises(native.NativeError, match="missing"):
        loaded.scores(0)
    with pytest.raises(native.NativeError, match="failed"):
        loaded.decode([(10**6, 2, (1,), True)])


def test_the_build_is_described() -> None:
    assert native.version().count(".") == 2
    assert native.devices() == [] or native.gpu_build()


@pytest.mark.parametrize("cannot", [{"gpu_layers": 1, "exact": False}, {"abortable": False}], ids=["gpu", "small"])
def test_batches_that_cannot_be_aborted_keep_to_the_users_patience(
    model: Path, monkeypatch: pytest.MonkeyPatch, cannot: dict[str, Any]
) -> None:
    made = native.Model(model, replace(PLAN, **cannot), lambda: False)
    assert made.batch == 64  # the pace is not known yet
    steps = [(1, i, (1,), False) for i in range(100)]
    monkeypatch.setattr(native, "_PATIENCE", 1e9)
    made.decode(steps[:63])
    assert made.batch == 64  # a few tokens tell nothing of the pace
    for patience, batch in ((1e9, 256), (1e-9, 64)):
        monkeypatch.setattr(native, "_PATIENCE", patience)
        clear(made)
        made.decode(steps)
        assert made.batch == batch
    made.close()


def test_a_sentencepiece_model_writes_rows_without_a_space_in_front(tmp_path: Path, random_gguf: ModuleType) -> None:
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{i:02X}>" for i in range(256))]
    words = ["\u2581", *'-12,ndemaso"', "\u2581mass", "\u2581end", "\u2581No", "mass"]
    values = random_gguf.metadata(random_gguf.Shape(64, 1, 4, 2, 128, 300))
    del values["tokenizer.ggml.merges"], values["tokenizer.ggml.pre"]
    size = 300
    tokens = [*pieces, *words, *(f"\u2581w{i}" for i in range(size - len(pieces) - len(words)))]
    scores = struct.pack("<IIQ", 9, 6, size) + np.arange(0, -size, -1, np.float32).tobytes()
    values |= {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores,
        "tokenizer.ggml.token_type": [2, 3, 3, *[6] * 256, *[1] * (size - 259)],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }
    path = tmp_path / "pieces.gguf"
    shape = random_gguf.Shape(64, 1, 4, 2, 128, size)
    random_gguf.write(path, values, random_gguf.weights(shape, 0, 0.3))
    made = native.Model(path, PLAN, lambda: False)
    assert made.written(made.tokens("No")) == " No"  # such models put a space in front of every text
    for text in ('- 1, "', 'mass", "', "- end\n"):
        assert made.written(made.inner_tokens(text)) == text
    made.close()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda content: content[: len(content) * 2 // 3], r"tensor '.*' data is not within the file bounds"),
        (lambda content: content.replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_no.weight"), "blk.1.ffn_up.weight"),
    ],
    ids=["cut", "renamed"],
)
def test_the_reason_of_a_failed_load_is_the_librarys_own(
    tmp_path: Path, model: Path, change: Callable[[bytes], bytes], reason: str
) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(change(model.read_bytes()))
    with pytest.raises(native.NativeError, match=reason):
        native.Model(path, PLAN, lambda: False)


def test_an_unknown_architecture_is_named(tmp_path: Path, random_gguf: ModuleType) -> None:
    shape = random_gguf.Shape(64, 1, 4, 2, 128, 300)
    values = random_gguf.metadata(shape) | {"general.architecture": "abacus"}
    random_gguf.write(tmp_path / "a.gguf", values, random_gguf.weights(shape))
    with pytest.raises(native.NativeError, match="'abacus' is not known to this build"):
        native.Model(tmp_path / "a.gguf", PLAN, lambda: False)


class _Ggml:
    """The library of backends, with so many linked in; notes from where others are asked for."""

    def __init__(self, linked: int) -> None:
        self.asked: list[bytes] = []
        self.ggml_backend_reg_count = lambda: linked

        def load(folder: bytes) -> None:
            self.asked.append(folder)

        self.ggml_backend_load_all_from_path = load


def test_backends_in_libraries_of_their_own_are_loaded_from_the_folder_of_the_build(tmp_path: Path) -> None:
    folder = tmp_path / "Röntgen lib"
    portable, for_one_machine, old = _Ggml(0), _Ggml(1), _Ggml(0)
    del old.ggml_backend_load_all_from_path
    for ggml in (portable, for_one_machine, old):
        native.load_backends(ggml, folder)
    assert portable.asked == [str(folder).encode()]
    assert for_one_machine.asked == old.asked == []


def test_the_backends_are_asked_of_the_library_that_evaluates() -> None:
    class Lacking:
        """Windows finds the functions of a library alone, not of those that it uses."""

    assert native.typed_ggml(Lacking(), native._ggml) is native._ggml
    libllama = native.bindings._lib
    count = libllama.ggml_backend_reg_count if hasattr(libllama, "ggml_backend_reg_count") else None
    assert count is None or count() == native._ggml.ggml_backend_reg_count() > 0
