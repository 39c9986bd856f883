"""Tiny language models of several families with random weights as GGUF files."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.mini.tokenizer import BASE

F32 = 0
_ALIGNMENT = 32
_NORMAL, _CONTROL, _USER_DEFINED = 1, 3, 4
_UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9


@dataclass(frozen=True)
class Shape:
    """Dimensions of a Llama."""

    width: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    words: int
    tied: bool = True
    context: int = 8192


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
        tensors: name, shape (rows, columns), type (F32) and data of each.
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


@dataclass(frozen=True)
class Family:
    """How the models of an architecture differ from a Llama.

    norms: further vectors of a layer, by name, with what each is as long as: "head" or "width"
    bias: queries, keys and values have one;  joined: they are one matrix, and so are gate and up
    experts: number of those among which each token chooses, with attention sinks; 0 for a dense model
    values: further metadata;  pre: how its tokenizer cuts text before it joins letters
    """

    norms: Mapping[str, str] = field(default_factory=dict)
    bias: bool = False
    joined: bool = False
    experts: int = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    pre: str = "llama-bpe"


_POST = {"post_attention_norm": "width", "post_ffw_norm": "width"}
_OF_HEADS = {"attn_q_norm": "head", "attn_k_norm": "head"}
FAMILIES = {
    "llama": Family(),
    "qwen2": Family(bias=True, pre="qwen2"),
    "qwen3": Family(norms=_OF_HEADS, pre="qwen2"),
    "gemma2": Family(norms=_POST, values={"attention.sliding_window": 64}),
    "gemma3": Family(norms={**_POST, **_OF_HEADS}, values={"attention.sliding_window": 64}),
    "gpt-oss": Family(
        norms={"post_attention_norm": "width"},
        bias=True,
        experts=4,
        values={"attention.sliding_window": 64, "expert_count": 4, "expert_used_count": 2},
    ),
    "phi3": Family(joined=True, values={"attention.sliding_window": 64}),
}
"""Architectures of which random models can be written; Mistral is a Llama in this respect."""


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


def metadata(
    shape: Shape,
    words: Iterable[str] = (),
    seed: int = 0,
    *,
    family: str = "llama",
    control: Sequence[str] = (),
    added: Sequence[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """The metadata; ``more`` holds further values, with '__' for the dots of their keys.

    Args:
        control, added: further tokens, control tokens and such that the maker of the model added.
    """
    own = [*control, *added]
    size = shape.words - 2 - len(own)
    pieces, merges = vocabulary(words, size, np.random.default_rng(seed))
    values: dict[str, Any] = {
        "general.architecture": family,
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
        "tokenizer.ggml.pre": FAMILIES[family].pre if family in FAMILIES else "llama-bpe",
        "tokenizer.ggml.tokens": [*pieces, "<s>", "</s>", *own],
        "tokenizer.ggml.token_type": (
            [_NORMAL] * size + [_CONTROL] * (2 + len(control)) + [_USER_DEFINED] * len(added)
        ),
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.bos_token_id": size,
        "tokenizer.ggml.eos_token_id": size + 1,
        "tokenizer.ggml.add_bos_token": True,
    }
    values = {
        f"{family}{key.removeprefix('llama')}" if key.startswith("llama.") else key: v for key, v in values.items()
    }
    if family in FAMILIES:
        values |= {f"{family}.{key}": value for key, value in FAMILIES[family].values.items()}
        if FAMILIES[family].experts:
            values[f"{family}.expert_feed_forward_length"] = shape.inner
        values[f"{family}.attention.key_length"] = values[f"{family}.attention.value_length"] = (
            shape.width // shape.heads
        )
    return values | {key.replace("__", "."): value for key, value in more.items()}


def weights(
    shape: Shape, seed: int = 0, std: float = 0.02, family: str = "llama"
) -> Iterable[tuple[str, Sequence[int], int, NDArray[Any]]]:
    """Tensors of a model, from a normal distribution."""
    random = np.random.default_rng(seed)
    kind = FAMILIES[family]

    def matrix(name: str, rows: int, columns: int, stacked: int = 0) -> tuple[str, Sequence[int], int, NDArray[Any]]:
        size = (stacked, rows, columns) if stacked else (rows, columns)
        data = random.normal(0, std, ((stacked or 1) * rows, columns)).astype(np.float32)
        return name, size, F32, data

    def ones(name: str, length: int = shape.width) -> tuple[str, Sequence[int], int, NDArray[Any]]:
        return name, (length,), F32, np.ones(length, np.float32)

    of_kv = shape.width // shape.heads * shape.kv_heads
    yield matrix("token_embd.weight", shape.words, shape.width)
    if not shape.tied or kind.experts:
        yield matrix("output.weight", shape.words, shape.width)
    yield ones("output_norm.weight")
    for i in range(shape.layers):
        block = f"blk.{i}."
        yield ones(block + "attn_norm.weight")
        if not kind.experts:
            yield ones(block + "ffn_norm.weight")
        for name, length in kind.norms.items():
            yield ones(f"{block}{name}.weight", shape.width if length == "width" else shape.width // shape.heads)
        heads = {"attn_q": shape.width, "attn_k": of_kv, "attn_v": of_kv}
        inner = {"ffn_gate": shape.inner, "ffn_up": shape.inner}
        if kind.joined:
            heads, inner = {"attn_qkv": sum(heads.values())}, {"ffn_up": 2 * shape.inner}
        for name, rows in heads.items():
            yield matrix(f"{block}{name}.weight", rows, shape.width)
            if kind.bias:
                yield ones(f"{block}{name}.bias", rows)
        yield matrix(block + "attn_output.weight", shape.width, shape.width)
        if kind.experts:
            yield ones(block + "attn_output.bias")
            yield ones(block + "attn_sinks.weight", shape.heads)
            yield matrix(block + "ffn_gate_inp.weight", kind.experts, shape.width)
            yield ones(block + "ffn_gate_inp.bias", kind.experts)
            sizes = {"gate": (shape.inner, shape.width), "up": (shape.inner, shape.width)}
            for name, (rows, columns) in {**sizes, "down": (shape.width, shape.inner)}.items():
                yield matrix(f"{block}ffn_{name}_exps.weight", rows, columns, kind.experts)
                bias = np.ones((kind.experts, rows), np.float32)
                yield f"{block}ffn_{name}_exps.bias", bias.shape, F32, bias
            continue
        for name, rows in inner.items():
            yield matrix(f"{block}{name}.weight", rows, shape.width)
        yield matrix(block + "ffn_down.weight", shape.width, shape.inner)


def write_llama(
    path: Path, shape: Shape, words: Iterable[str] = (), seed: int = 0, *, family: str = "llama", **more: Any
) -> Path:
    """Write a complete model with random weights; ``family`` as in FAMILIES, ``more`` as of :func:`metadata`."""
    write(path, metadata(shape, words, seed, family=family, **more), weights(shape, seed, 0.3, family))
    return path


def write_answering(
    path: Path,
    answer: str,
    rather: str = "I would rather not.",
    *,
    context: int = 16_384,
    template: str = "",
    words: Iterable[str] = (),
) -> Path:
    """Write a tiny model that answers everything with the same text, and would rather say another.

    Where a grammar forbids ``rather``, the first piece of ``answer`` is next, then the others and the end:
    it shows whether a server keeps to a form.

    Args:
        answer: up to 700 characters.
        template: of chats; '' for none.
        words: of the vocabulary, so that prompts have fewer tokens.
    """
    pieces = [answer[i : i + 24] for i in range(0, len(answer), 24)]
    shape = Shape(32, 1, 1, 1, 32, 1024, tied=False, context=context)
    more = {"tokenizer__chat_template": template} if template else {}
    values = metadata(shape, words, added=[rather, *pieces], **more)
    end = int(values["tokenizer.ggml.eos_token_id"])
    first = shape.words - len(pieces)
    # What was said last is a direction of its own, and what is said next lies in it.
    before = np.zeros((shape.words, shape.width), np.float32)
    after = np.zeros((shape.words, shape.width), np.float32)
    before[:, 0] = 1.0
    before[first - 1 :, 0] = 0.0
    before[first - 1, len(pieces)] = 1.0
    after[first - 1, 0] = 40.0
    for n in range(len(pieces)):
        before[first + n, n + 1] = 1.0
        after[first + n, n] = 20.0
    after[end, len(pieces)] = 20.0
    told = {"token_embd.weight": before, "output.weight": after}
    tensors = [
        (name, size, kind, np.zeros_like(data) if name.endswith(("attn_output.weight", "ffn_down.weight")) else data)
        for name, size, kind, data in weights(shape, family="llama")
    ]
    write(path, values, [(name, size, kind, told.get(name, data)) for name, size, kind, data in tensors])
    return path
