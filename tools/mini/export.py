"""Export of the trained model to GGUF, matrices in Q8_0."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.findings.model.bundled import BEGIN, END, FORMAT
from tools.mini.model import Shape
from tools.mini.tokenizer import Tokenizer

if TYPE_CHECKING:
    from torch import nn

NAME = "radcal-mini"


def write_model(path: Path, model: nn.Module, shape: Shape, cutter: Tokenizer, recipe: Mapping[str, object]) -> None:
    """Write weights, vocabulary and recipe; the same input gives the same bytes."""
    import gguf
    import numpy as np

    path.parent.mkdir(parents=True, exist_ok=True)
    w = gguf.GGUFWriter(str(path), "llama")
    w.add_name(NAME)
    w.add_description("Reads a sentence of a chest report and says how certain it is of what is named in it")
    w.add_license("apache-2.0")
    w.add_string("radcal.format", FORMAT)
    w.add_string("radcal.recipe", json.dumps(dict(recipe), sort_keys=True))
    w.add_context_length(shape.context)
    w.add_embedding_length(shape.width)
    w.add_block_count(shape.layers)
    w.add_feed_forward_length(shape.inner)
    w.add_head_count(shape.heads)
    w.add_head_count_kv(shape.heads)
    w.add_layer_norm_rms_eps(shape.epsilon)
    w.add_rope_dimension_count(shape.width // shape.heads)
    w.add_rope_freq_base(shape.theta)
    w.add_vocab_size(shape.vocabulary)
    w.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    w.add_quantization_version(gguf.GGML_QUANT_VERSION)
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    w.add_token_list(list(cutter.pieces))
    first = cutter.pieces.index(BEGIN)
    normal, special = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL
    w.add_token_types([normal if i < first else special for i in range(len(cutter.pieces))])
    w.add_token_merges([" ".join(pair) for pair in cutter.merges])
    w.add_bos_token_id(first)
    w.add_eos_token_id(cutter.pieces.index(END))
    w.add_add_bos_token(True)
    w.add_add_eos_token(False)
    w.add_add_space_prefix(False)
    q8 = gguf.GGMLQuantizationType.Q8_0
    for name, tensor in model.state_dict().items():
        array = np.ascontiguousarray(tensor.float().numpy())
        if array.ndim == 2:
            w.add_tensor(name, gguf.quants.quantize(array, q8), raw_dtype=q8)
        else:
            w.add_tensor(name, array)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
