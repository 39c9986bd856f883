"""Results on language models as plain values, fit for strict JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from radcal.advice.speaker_records import Mapped, Scores, SetSize, Speaker
    from radcal.system.files import Json


def speakers_to_json(speakers: Sequence[Speaker], reliabilities: Sequence[Json], meta: Mapping[str, Any]) -> Json:
    """Plain values of all models on all question sets.

    Args:
        speakers: as measured and recalibrated.
        reliabilities: the reliability of each, as in R.json.
        meta: further entries beside "models", such as settings and versions.

    Returns:
        {"models": [{"author", "topic", "n", "right", "stated", "speech", "different", "reason", "methods": {method:
        scores}, "failed": {method: why}, "sizes": [{"phrases", "choice", "words", scores}], "told": [{"from", "mean",
        "n", "rate", "advice", "ordered", "transport": [{"to", "share"}], "platt", "histogram"}], "reliability"}],
        **meta}, scores being "ece", "brier" and "accuracy", each with "..._low" and "..._high".
    """
    pairs = zip(speakers, reliabilities, strict=True)
    return {"models": [_model(s) | {"reliability": r} for s, r in pairs], **meta}


def scores_of(scores: Scores) -> dict[str, float]:
    """The scores with their intervals, by name."""
    return {
        f"{name}{end}": getattr(getattr(scores, name), place)
        for name in ("ece", "brier", "accuracy")
        for end, place in (("", "value"), ("_low", "low"), ("_high", "high"))
    }


def _model(s: Speaker) -> Json:
    made = s.recalibrated
    return {
        "author": s.author,
        "topic": s.topic,
        "n": s.n,
        "right": s.right,
        "stated": s.stated,
        "speech": dict(s.speech),
        "different": s.different,
        "reason": s.reason,
        "methods": {method: scores_of(scores) for method, scores in made.methods.items()} if made else {},
        "failed": dict(made.failed) if made else {},
        "sizes": [_size(size) for size in made.sizes] if made else [],
        "told": [_mapped(mapped) for mapped in made.mappings] if made else [],
    }


def _size(size: SetSize) -> Json:
    about = {"phrases": len(size.words), "choice": size.choice, "words": list(size.words)}
    return about | scores_of(size.scores)


def _mapped(mapped: Mapped) -> Json:
    return {
        "from": mapped.source,
        "mean": mapped.mean,
        "n": mapped.n,
        "rate": mapped.rate,
        "advice": mapped.advice or None,
        "ordered": mapped.ordered or None,
        "transport": [{"to": word, "share": share} for word, share in mapped.transport],
        "platt": mapped.platt,
        "histogram": mapped.histogram,
    }
