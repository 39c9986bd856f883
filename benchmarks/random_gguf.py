"""Llamas with random weights as GGUF files: of real size for benchmarks, tiny for tests."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.mini.tokenizer import BASE

F32, Q4_K = 0, 12
_ALIGNMENT = 32
_NORMAL, _CONTROL = 1, 3
_UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9


@dataclass(frozen=True)
class Shape:
    """Dimensions of a Llama; ``quantised`` weights are Q4_K, others 32 bit."""

    width: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    words: int
    tied: bool = True
    quantised: bool = True
    context: int = 8192


SHAPES = {"1b": Shape(2048, 16, 32, 8, 8192, 128_256), "8b": Shape(4096, 32, 32, 8, 14_336, 128_256, tied=False)}
"""Llama 3.2 1B and Llama 3.1 8B."""


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    """A value with its type."""
    if isinstance(value, bool):
        return struct.pack("<I?", _BOOL, value)
    if isinstance(value, int):
        return struct.pack("<II", _UINT32, value)
    if isinstance(value, float):
        return struct.pack("<If", _FLOAT32, value)
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _text(value)
    if isinstance(value, bytes):  # written unchanged: type and content
        return value
    if all(isinstance(v, str) for v in value):
        return struct.pack("<IIQ", _ARRAY, _STRING, len(value)) + b"".join(map(_text, value))
    return struct.pack("<IIQ", _ARRAY, _INT32, len(value)) + np.asarray(value, np.int32).tobytes()


def write(
    path: Path, values: Mapping[str, Any], tensors: Iterable[tuple[str, Sequence[int], int, NDArray[Any]]]
) -> None:
    """Write a GGUF file of version 3.

    Args:
        tensors: name, shape (rows, columns), type (F32 or Q4_K) and data of each.
    """
    listed = list(tensors)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(listed), len(values))
    head += b"".join(_text(key) + _value(value) for key, value in values.items())
    offset = 0
    for name, shape, kind, data in listed:
        head += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *reversed(shape))
        head += struct.pack("<IQ", kind, offset)
        offset += -(-data.nbytes // _ALIGNMENT) * _ALIGNMENT
    with path.open("wb") as file:
        file.write(head + b"\0" * (-len(head) % _ALIGNMENT))
        for _, _, _, data in listed:
            file.write(data.tobytes())
            file.write(b"\0" * (-data.nbytes % _ALIGNMENT))


def vocabulary(words: Iterable[str], size: int, random: np.random.Generator) -> tuple[list[str], list[str]]:
    """Pieces and merges: bytes, then each word assembled from the left, then random words up to ``size``."""
    pieces, merges = list(BASE), []
    known = set(pieces)

    def grow(word: str) -> None:
        signs = [pieces[b] for b in word.encode()]
        left = signs[0]
        for right in signs[1:]:
            if left + right not in known:
                known.add(left + right)
                grown.append(left + right)
                merges.append(f"{left} {right}")
            left += right

    grown: list[str] = []
    for word in dict.fromkeys(words):
        grow(word)
        grow(f" {word}")
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    while len(pieces) + len(grown) < size:
        grow(" " + "".join(random.choice(letters, int(random.integers(3, 9)))))
    del grown[max(size - len(pieces), 0) :]
    kept = set(pieces) | set(grown)
    return [*pieces, *grown], [m for m in merges if m.replace(" ", "") in kept]


def metadata(shape: Shape, words: Iterable[str] = (), seed: int = 0, **more: Any) -> dict[str, Any]:
    """The metadata; ``more`` holds further values, with '__' for the dots of their keys."""
    size = shape.words - 2
    pieces, merges = vocabulary(words, size, np.random.default_rng(seed))
    values: dict[str, Any] = {
        "general.architecture": "llama",
        "general.name": "random weights",
        "llama.context_length": shape.context,
        "llama.embedding_length": shape.width,
        "llama.block_count": shape.layers,
        "llama.feed_forward_length": shape.inner,
        "llama.attention.head_count": shape.heads,
        "llama.attention.head_count_kv": shape.kv_heads,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": shape.width // shape.heads,
        "llama.rope.freq_base": 500_000.0,
        "llama.vocab_size": shape.words,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": [*pieces, "<s>", "</s>"],
        "tokenizer.ggml.token_type": [_NORMAL] * size + [_CONTROL] * 2,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.bos_token_id": size,
        "tokenizer.ggml.eos_token_id": size + 1,
        "tokenizer.ggml.add_bos_token": True,
    }
    return values | {key.replace("__", "."): value for key, value in more.items()}


def weights(shape: Shape, seed: int = 0, std: float = 0.02) -> Iterable[tuple[str, Sequence[int], int, NDArray[Any]]]:
    """Tensors of a Llama, from a normal (32 bit) or uniform (Q4_K) distribution."""
    random = np.random.default_rng(seed)

    def matrix(name: str, rows: int, columns: int) -> tuple[str, Sequence[int], int, NDArray[Any]]:
        if not shape.quantised:
            data = random.normal(0, std, (rows, columns)).astype(np.float32)
            return name, (rows, columns), F32, data
        blocks = np.empty((rows * columns // 256, 144), np.uint8)
        scale = std / 147.0
        blocks[:, 0:2] = np.frombuffer(np.float16(scale).tobytes(), np.uint8)
        blocks[:, 2:4] = np.frombuffer(np.float16(7.5 * scale).tobytes(), np.uint8)
        blocks[:, 4:12] = 160
        blocks[:, 12:16] = 0
        blocks[:, 16:] = random.integers(0, 256, (len(blocks), 128), dtype=np.uint8)
        return name, (rows, columns), Q4_K, blocks

    def ones(name: str) -> tuple[str, Sequence[int], int, NDArray[Any]]:
        return name, (shape.width,), F32, np.ones(shape.width, np.float32)

    of_kv = shape.width // shape.heads * shape.kv_heads
    yield matrix("token_embd.weight", shape.words, shape.width)
    if not shape.tied:
        yield matrix("output.weight", shape.words, shape.width)
    yield ones("output_norm.weight")
    for i in range(shape.layers):
        block = f"blk.{i}."
        yield ones(block + "attn_norm.weight")
        yield ones(block + "ffn_norm.weight")
        yield matrix(block + "attn_q.weight", shape.width, shape.width)
        yield matrix(block + "attn_k.weight", of_kv, shape.width)
        yield matrix(block + "attn_v.weight", of_kv, shape.width)
        yield matrix(block + "attn_output.weight", shape.width, shape.width)
        yield matrix(block + "ffn_gate.weight", shape.inner, shape.width)
        yield matrix(block + "ffn_up.weight", shape.inner, shape.width)
        yield matrix(block + "ffn_down.weight", shape.width, shape.inner)


def write_llama(path: Path, shape: Shape, words: Iterable[str] = (), seed: int = 0, **more: Any) -> Path:
    """Write a complete model with random weights."""
    write(path, metadata(shape, words, seed, **more), weights(shape, seed, 0.02 if shape.quantised else 0.3))
    return path
