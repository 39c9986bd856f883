"""Reliability as plain values, fit for strict JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from radcal.calibration.records import Reliability, pool_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from radcal.calibration.records import Curve, PhraseRate
    from radcal.calibration.subgroup_records import CaseMix, Subgroups
    from radcal.system.estimates import Estimate

_SCORES = tuple(f.name for f in fields(Reliability) if f.type == "float | None")


def to_json(reliabilities: Sequence[Reliability], meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Plain values for ``json.dump(..., allow_nan=False)``; what is undefined (None, NaN) is null.

    Args:
        reliabilities: as ``measure`` returns them.
        meta: further entries beside "groups", such as settings, versions and unknown phrases.

    Returns:
        {"groups": [{"author", "topic", "pooled", "n", "reason", scores, "curve": {arrays of M} or null, "phrases",
        "together", "parts"}], **meta} with scores, rates and bin edges in 0-1.  "pooled" is as of ``pool_of``.
        "excess" is ECE above the mean of luck, "excess_star" of ECE*; a phrase has the range of its meaning, meant_low
        to meant_high, its verdict with the probability of it, and the true rate that the department's model expects,
        within low to high.  "together" is of all hedged words (``Together``), null where they are not several.
        "read_..." are figures with reading errors, null where none are carried on.
        "verification" is of all that was said, null where that is not known: {"said", "judged", "share", "share_low",
        "share_high", "rate", "low", "high"} of a group, its rate weighted by word and stratum; of a phrase also
        "lowest" and "highest", the rate if none or all of those without a CT were confirmed, and "closed", whether that
        leaves its verdict undecided.
    """
    return {"groups": [_group(r) for r in reliabilities], **(meta or {})}


def subgroups_to_json(made: Subgroups) -> dict[str, Any]:
    """As :func:`to_json`, for the groups of a department.

    Returns:
        {"grouping", "author", "topic", "unknown", "folded", "hidden", "fewest", "phrase", "groups": [{"value",
        "patients", "probability", "differs", both again with "_like_cases", and all of a group of :func:`to_json` but
        author}]}
    """
    groups = [
        {
            **{name: getattr(g, name) for name in _OF_SUBGROUP},
            **{name: value for name, value in _group(g.reliability).items() if name not in _OF_POOLS},
        }
        for g in made.groups
    ]
    return {name: getattr(made, name) for name in _OF_SUBGROUPS} | {"groups": groups}


_OF_POOLS = ("author", "pooled", "parts")
_OF_SUBGROUP = ("value", "patients", "probability", "differs", "probability_like_cases", "differs_like_cases")
_OF_SUBGROUPS = ("grouping", "author", "topic", "unknown", "folded", "hidden", "fewest", "phrase")


def case_mix_to_json(made: CaseMix) -> dict[str, Any]:
    """The fields of the record and of all in it, by their names."""
    return asdict(made)


def _group(r: Reliability) -> dict[str, Any]:
    scores = {name: _number(getattr(r, name)) for name in _SCORES}
    return {
        "author": r.author,
        "topic": r.topic,
        "pooled": pool_of(r.author, r.topic),
        "n": r.n,
        "reason": r.reason,
        **scores,
        "excess": _above(scores["ece"], scores["luck_mean"]),
        "excess_star": _above(scores["ece_star"], scores["luck_star_mean"]),
        "curve": None if r.curve is None else _curve(r.curve),
        "phrases": [_phrase(p) | {"verification": _of_word(r, p)} for p in r.phrases],
        "verification": _verification(r),
        "together": None if r.together is None else r.together._asdict(),
        "parts": [asdict(part) for part in r.parts],
    }


def _curve(curve: Curve) -> dict[str, list[float | None]]:
    return {name: _numbers(values) for name, values in vars(curve).items()}


def _numbers(values: NDArray[np.float64]) -> list[float | None]:
    numbers = values.tolist()
    return [_number(v) for v in numbers] if np.isnan(values).any() else numbers


def _phrase(rate: PhraseRate) -> dict[str, Any]:
    return {name: None if v != v else v for name, v in zip(rate._fields, rate, strict=True)}  # NaN is not itself


def _verification(r: Reliability) -> dict[str, float | None] | None:
    if r.verification is None or r.verification.share is None:
        return None
    rates, share = r.verification.rates, r.verification.share
    said, judged = sum(v.said for v in rates), sum(v.judged for v in rates)
    return _shared(said, judged, share.low, share.high, r.verification.rate)


def _of_word(r: Reliability, rate: PhraseRate) -> dict[str, Any] | None:
    found = next((v for v in (r.verification.rates if r.verification else ()) if v.phrase == rate.phrase), None)
    if found is None:
        return None
    shared = _shared(found.said, found.judged, found.share_low, found.share_high, found.weighted)
    return shared | {"lowest": found.lowest, "highest": found.highest, "closed": found.closed}


def _shared(said: float, judged: float, low: float, high: float, rate: Estimate | None) -> dict[str, Any]:
    of_all = (
        dict.fromkeys(("rate", "low", "high"))
        if rate is None
        else dict(zip(("rate", "low", "high"), rate, strict=True))
    )
    return {"said": said, "judged": judged, "share": judged / said, "share_low": low, "share_high": high, **of_all}


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _above(score: float | None, luck: float | None) -> float | None:
    return None if score is None or luck is None else score - luck
