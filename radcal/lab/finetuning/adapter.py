"""Adapters as GGUF files, for llama.cpp.

Source: llama.cpp, src/llama-adapter.cpp and docs of the GGUF format, version 3.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ALIGNMENT = 32
_FLOAT, _STRING, _F32 = 6, 8, 0


def as_gguf(
    tensors: Mapping[str, NDArray[np.float32]], architecture: str, alpha: float, more: Mapping[str, str]
) -> bytes:
    """An adapter as the content of a GGUF file.

    A weight W of (outputs, inputs) becomes W + alpha / rank B A.

    Args:
        tensors: A as "NAME.lora_a", (rank, inputs), and B as "NAME.lora_b", (outputs, rank), with NAME that of W.
        architecture: of the model that it belongs to.
        more: further texts of the metadata.
    """
    values = {"general.type": "adapter", "general.architecture": architecture, "adapter.type": "lora", **more}
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(values) + 1)
    head += b"".join(_text(key) + struct.pack("<I", _STRING) + _text(value) for key, value in values.items())
    head += _text("adapter.lora.alpha") + struct.pack("<If", _FLOAT, alpha)
    offset, body = 0, b""
    for name, tensor in tensors.items():
        data = np.ascontiguousarray(tensor, "<f4").tobytes()
        rows, columns = tensor.shape
        head += _text(name) + struct.pack("<IQQIQ", 2, columns, rows, _F32, offset)
        body += data + bytes(-len(data) % _ALIGNMENT)
        offset = len(body)
    return head + bytes(-len(head) % _ALIGNMENT) + body


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data
