"""Advice as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from radcal.advice.said import of_group
from radcal.advice.wording import to_others
from radcal.calibration.records import pool_of

if TYPE_CHECKING:
    from radcal.advice.judged_records import JudgedGroup
    from radcal.advice.records import Advice, Baselines, Judgement, Method
    from radcal.system.estimates import Estimate
    from radcal.system.files import Json
    from radcal.system.text import Text

_KEYS: Mapping[Method, str] = {"none": "as_worded", "advice": "plan", "histogram": "histogram_binning"}
"""Methods that go by another name among the baselines of A.json."""


def to_json(
    advices: Sequence[Advice],
    meta: Mapping[str, Any] | None = None,
    judged: Mapping[tuple[str, str], JudgedGroup] | None = None,
) -> Json:
    """Plain values for ``json.dump(..., allow_nan=False)``; what is undefined (None, NaN) is null.

    Args:
        advices: as returned by ``advise``.
        meta: entries beside "groups", such as settings and versions.
        judged: what is said of the words of groups (author, topic), as in window and on paper.

    Returns:
        {"groups": [{"author", "topic", "pooled", "n", "train", "test", "order_violations", "distinct_phrases", "plan",
        "advised", "withheld", "baselines", and as text "solver", "summary", "reason", "recommendations", "agreeing"}],
        **meta};
        "advised" is what the recommendations say, and every phrase used is advised on, agreeing or withheld.  With
        ``judged`` a group has "words", too: [{"phrase", "n", "verdict", "probability", "closer", "sure", "over",
        "why"}], which names the word advised over all pathologies where the group's own statements advise none.
    """
    said = judged or {}
    groups = [_group(a) | _words(said.get((a.author, a.topic))) for a in advices]
    result: Json = orjson.loads(orjson.dumps({"groups": groups, **(meta or {})}))
    return result


def _words(group: JudgedGroup | None) -> Json:
    """What is said of each word, and the sentence on all of them."""
    if group is None:
        return {}
    words = [
        {
            "phrase": j.name,
            "n": j.rate.n,
            "verdict": j.verdict,
            "probability": j.rate.probability,
            "closer": j.closer or None,
            "sure": None if j.advice is None else j.advice.sure,
            "over": j.over or None,
            "why": j.why,
        }
        for j in group.words
    ]
    return {"summary": of_group(group, own=False).whole, "words": words}


def _group(a: Advice) -> Json:
    return {
        "author": a.author,
        "topic": a.topic,
        "pooled": pool_of(a.author, a.topic),
        "n": a.n,
        "train": _judgement(a.train),
        "test": _judgement(a.test),
        "order_violations": a.order_violations,
        "distinct_phrases": a.distinct_phrases,
        "plan": [{"from": s.source, "to": s.target, "share": s.share, "n": s.n, "sure": s.sure} for s in a.plan],
        "advised": [
            {
                "from": r.source,
                "to": r.target,
                "n": r.source_rate.n,
                "rate": r.source_rate.rate,
                "low": r.source_rate.low,
                "high": r.source_rate.high,
                "sure": r.sure,
                "expected": r.source_rate.expected,
            }
            for r in a.recommendations
        ],
        "withheld": [{"phrase": phrase, "reason": reason} for phrase, reason in _withheld(a).items()],
        "solver": a.solver,
        "summary": a.summary,
        "reason": a.reason,
        "recommendations": [to_others(r.text) for r in a.recommendations],
        "agreeing": list(a.agreeing),
        "baselines": None if a.baselines is None else _baselines(a.baselines),
    }


def _baselines(found: Baselines) -> Json:
    """By method its scores, each as value, low and high."""
    scores = ("brier", "brier_of_means", "ece", "word_error", "gain", "beyond_plan", "beyond_means")
    made: dict[str, Json] = {}
    for m in found.methods:
        own: dict[str, Estimate | None] = {name: getattr(m, name) for name in scores}
        made[_KEYS.get(m.method, m.method)] = {name: None if e is None else e._asdict() for name, e in own.items()}
    return {"n": found.n, "methods": made, "reason": found.reason}


def _withheld(a: Advice) -> dict[str, Text]:
    """The reason for each phrase used that is not shown to match and gets no advice: its own or the group's."""
    own = {w.phrase: w.reason for w in a.withheld}
    if a.reason and a.cost is not None:
        said = [p for p, cost in zip(a.phrases, a.cost, strict=True) if not np.isnan(cost).all()]
        own = {phrase: own.get(phrase, a.reason) for phrase in said if phrase not in a.agreeing}
    return own


def _judgement(judgement: Judgement | None) -> Json:
    keys = ("ece_before", "ece_after", "brier_before", "brier_after", "word_error_before", "word_error_after")
    return {key: None if judgement is None else getattr(judgement, key) for key in keys}
