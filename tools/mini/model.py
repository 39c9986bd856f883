"""The Llama in torch, with weights laid out as in a GGUF file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import nn


_UNSEEN = -1e4
"""Added to the scores of tokens that are not seen."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Dimensions of the network; ``width`` is a multiple of 32 (the block size of Q8_0) and of ``heads``."""

    vocabulary: int
    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 768
    context: int = 384
    epsilon: float = 1e-5
    theta: float = 10_000.0


def build(shape: Shape) -> nn.Module:
    """A Llama with tied embeddings and random weights from torch's generator.

    ``forward`` maps tokens, their positions (both B, N) and which earlier tokens each of them sees (B, N, N) to
    normalised hidden states (B, N, width); the logits are their product with ``token_embd.weight``.  Parameters are
    named like the tensors of a GGUF file.
    """
    import math

    import torch
    from torch import nn
    from torch.nn import functional as f

    size = shape.width // shape.heads
    # Rotary embedding of adjacent pairs, as in llama.cpp for this architecture: no permutation on export.
    angle = torch.outer(torch.arange(shape.context).float(), shape.theta ** -(torch.arange(0, size, 2).float() / size))
    cos, sin = angle.cos(), angle.sin()

    def turned(x: torch.Tensor, c: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack((even * c - odd * s, even * s + odd * c), -1).flatten(-2)

    class Norm(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(shape.width))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return f.rms_norm(x, (shape.width,), self.weight.to(x.dtype), shape.epsilon)

    def linear(inputs: int, outputs: int, gain: float = 1.0) -> nn.Linear:
        layer = nn.Linear(inputs, outputs, bias=False)
        nn.init.normal_(layer.weight, 0, gain * 0.5 / math.sqrt(inputs))
        return layer

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            small = 1 / math.sqrt(2 * shape.layers)
            self.attn_norm, self.ffn_norm = Norm(), Norm()
            self.attn_q, self.attn_k, self.attn_v = (linear(shape.width, shape.width) for _ in range(3))
            self.attn_output = linear(shape.width, shape.width, small)
            self.ffn_gate, self.ffn_up = linear(shape.width, shape.inner), linear(shape.width, shape.inner)
            self.ffn_down = linear(shape.inner, shape.width, small)

        def forward(self, x: torch.Tensor, c: torch.Tensor, s: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
            b, n, d = x.shape
            h = self.attn_norm(x)
            q, k, v = (
                projected(h).view(b, n, shape.heads, size).transpose(1, 2)
                for projected in (self.attn_q, self.attn_k, self.attn_v)
            )
            # For sequences this short, on a processor, quicker than the library's own attention.
            y = (turned(q, c, s) @ turned(k, c, s).mT / math.sqrt(size) + bias).softmax(-1) @ v
            x = x + self.attn_output(y.transpose(1, 2).reshape(b, n, d))
            h = self.ffn_norm(x)
            return x + self.ffn_down(f.silu(self.ffn_gate(h)) * self.ffn_up(h))

    class Llama(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.token_embd = nn.Embedding(shape.vocabulary, shape.width)
            nn.init.normal_(self.token_embd.weight, 0, 0.02)
            self.blk = nn.ModuleList(Block() for _ in range(shape.layers))
            self.output_norm = Norm()

        def forward(self, tokens: torch.Tensor, positions: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
            x = self.token_embd(tokens)
            c, s = (table[positions][:, None].to(x.dtype) for table in (cos, sin))
            bias = torch.zeros(seen.shape, dtype=x.dtype).masked_fill(~seen, _UNSEEN)[:, None]
            for block in self.blk:
                x = block(x, c, s, bias)
            return self.output_norm(x)

    return Llama()
