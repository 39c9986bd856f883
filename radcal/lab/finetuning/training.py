"""Low-rank adaptation (LoRA) of a GGUF model, with torch, transformers and peft.

The replies to a question are trained together: its words are evaluated once, and each reply attends to them and to
itself.

Source: Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models" (2021).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEEDED = ("torch", "transformers", "peft", "gguf", "accelerate")
_TARGETS = {"q_proj": "attn_q", "v_proj": "attn_v"}
"""Matrices that are adapted: their names in transformers, and in GGUF files."""
_TOGETHER = 2
"""Questions to a step."""
_WARM = 0.05
"""Share of the steps in which the rate rises."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question as the model is asked it, up to the beginning of its reply, and replies, each as likely as others.

    level: of certainty that the replies have, in 0-1;  weight: how often it is drawn, in proportion
    """

    asked: str
    replies: tuple[str, ...]
    level: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class HowToTrain:
    """rank, alpha: of the adapter, whose product is scaled by alpha / rank
    rate: learning rate;  epochs: how often a question is seen on average;  replies: drawn for it each time
    seed: of the adapter's first values, of the order and of what is drawn
    """

    rank: int = 8
    alpha: float = 16.0
    rate: float = 1e-3
    epochs: int = 2
    replies: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """An adapter.

    tensors: by the names of GGUF files: "blk.0.attn_q.weight.lora_a" is (rank, inputs), ".lora_b" (outputs, rank)
    losses: of each epoch, mean negative logarithm of the probability of a token, in training and on what is held back
    """

    tensors: Mapping[str, NDArray[np.float32]]
    losses: tuple[tuple[float, float], ...]


def check_extra() -> None:
    """Whether the packages of the extra are there.

    Raises:
        InputError: one is missing.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            "Fine-tuning needs {missing}, which the extra brings: pip install 'radcal[finetune]'. All else works "
            "without.",
            missing=", ".join(missing),
        )


def train(
    model: Path,
    lessons: Sequence[Lesson],
    held_back: Sequence[Lesson],
    how: HowToTrain,
    heads: int | None = None,
    progress: Progress = SILENT,
) -> Trained:
    """Train an adapter; of its epochs the one of least loss on what is held back is taken.

    Args:
        heads: of queries, where the file has their rows in the order of Llama's first implementation; else None.
        progress: counts questions.

    Raises:
        InputError: the extra is missing, or transformers cannot read the model.
        Cancelled: by ``progress``.
    """
    check_extra()
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")
    import torch

    peft: Any = import_module("peft")

    progress.start(None, Text("Opening the model for training"))
    tokenizer, base = _opened(model)
    torch.manual_seed(how.seed)
    random = np.random.default_rng(how.seed)
    config = peft.LoraConfig(r=how.rank, lora_alpha=how.alpha, target_modules=list(_TARGETS), task_type="CAUSAL_LM")
    adapted = peft.get_peft_model(base, config)
    weights = [p for p in adapted.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=how.rate, weight_decay=0.0)
    steps = how.epochs * -(-len(lessons) // _TOGETHER)
    warm = max(int(_WARM * steps), 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda k: min((k + 1) / warm, max(steps - k, 0) / max(steps - warm, 1))
    )
    progress.start(how.epochs * (len(lessons) + len(held_back)), Text("Training"))
    best, losses = {}, list[tuple[float, float]]()
    drawn = np.array([lesson.weight for lesson in lessons])
    for _ in range(how.epochs):
        adapted.train()
        order, total = random.choice(len(lessons), len(lessons), p=drawn / drawn.sum()), 0.0
        for first in range(0, len(order), _TOGETHER):
            chosen = order[first : first + _TOGETHER]
            for i in chosen:
                progress.raise_if_cancelled()
                loss = _loss(adapted, tokenizer, lessons[i], how.replies, random)
                (loss / len(chosen)).backward()
                total += float(loss.detach())
                progress.advance()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad(set_to_none=True)
        adapted.eval()
        judged = 0.0
        same = np.random.default_rng(how.seed)
        with torch.no_grad():
            for lesson in held_back:
                progress.raise_if_cancelled()
                judged += float(_loss(adapted, tokenizer, lesson, how.replies, same))
                progress.advance()
        losses.append((total / len(lessons), judged / max(len(held_back), 1)))
        if losses[-1][1] == min(loss for _, loss in losses):
            state = peft.get_peft_model_state_dict(adapted, save_embedding_layers=False)
            best = {name: value.detach().float().numpy().copy() for name, value in state.items()}
    return Trained(_named(best, heads), tuple(losses))


def _opened(model: Path) -> tuple[Any, Any]:
    import torch

    transformers: Any = import_module("transformers")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model.parent, gguf_file=model.name)
        packed = getattr(transformers, "GgufConfig", None)
        how = {} if packed is None else {"quantization_config": packed(dequantize=True)}
        base = transformers.AutoModelForCausalLM.from_pretrained(
            model.parent, gguf_file=model.name, dtype=torch.bfloat16, **how
        )
    except (ValueError, KeyError, OSError, NotImplementedError) as error:
        raise InputError(
            "transformers cannot read {name} ({kind}). Choose a model of a family that it knows, such as Llama 3, "
            "Qwen 2.5 or Gemma 3.",
            name=model.name,
            kind=type(error).__name__,
        ) from error
    return tokenizer, base


def _loss(adapted: Any, tokenizer: Any, lesson: Lesson, most: int, random: np.random.Generator) -> Any:
    """Mean negative log probability of the tokens of some replies, each after the question alone."""
    import torch

    asked = tokenizer(lesson.asked).input_ids
    if tokenizer.eos_token_id is not None and asked[-1:] == [tokenizer.eos_token_id]:
        asked = asked[:-1]
    drawn = random.choice(len(lesson.replies), min(most, len(lesson.replies)), replace=False)
    tokens, owner, places = list(asked), [-1] * len(asked), list(range(len(asked)))
    asking, wanted = list[int](), list[int]()
    for k, i in enumerate(drawn):
        reply = [*tokenizer(f" {lesson.replies[i]}", add_special_tokens=False).input_ids, tokenizer.eos_token_id]
        asking += [len(asked) - 1, *range(len(tokens), len(tokens) + len(reply) - 1)]
        wanted += reply
        tokens += reply[:-1]  # nothing is asked after the end
        owner += [k] * (len(reply) - 1)
        places += range(len(asked), len(asked) + len(reply) - 1)
    whose = torch.tensor(owner)
    sees = torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril()
    sees &= (whose[None, :] == -1) | (whose[None, :] == whose[:, None])
    scores = adapted(
        input_ids=torch.tensor([tokens]),
        position_ids=torch.tensor([places]),
        attention_mask=sees[None, None],
        logits_to_keep=torch.tensor(asking),
        use_cache=False,
    ).logits
    return torch.nn.functional.cross_entropy(scores[0].float(), torch.tensor(wanted))


def _named(state: Mapping[str, Any], heads: int | None) -> dict[str, NDArray[np.float32]]:
    """Tensors by the names of GGUF files.

    Args:
        heads: as of :func:`train`; the rows of queries are put into the order of the file.
    """
    found = {}
    for name, value in state.items():
        parts = name.split(".")
        target, which = parts[-3], parts[-2][-1].lower()
        if heads is not None and target == "q_proj" and which == "b":
            value = value.reshape(heads, 2, -1, value.shape[1]).swapaxes(1, 2).reshape(value.shape)
        layer = parts[parts.index("layers") + 1]
        found[f"blk.{layer}.{_TARGETS[target]}.weight.lora_{which}"] = np.ascontiguousarray(value, np.float32)
    return found
