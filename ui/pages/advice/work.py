"""Background work for the Advice page, and the records it draws.

Nothing here knows Qt.  Words are in the order in which tables and pictures show them: the strongest first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from radcal.progress import Progress
from ui.plots.records import CostTable, Flow, FlowPlan, FlowWord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.records import PhraseRate, Selection
    from radcal.settings import Settings
    from radcal.workflow import Department
    from radcal.workflow.advice.alternatives import AdviceView

    Array = NDArray[np.float64]

Changes = Mapping[str, Mapping[str, float]]
"""Phrase, then the words to say instead with their shares of the cases, 0-1."""


@dataclass(frozen=True, slots=True)
class AdvisedWord:
    """A word that was used, and the advice on it.

    low, high: its meaning to readers, 0-1
    instead: words to say instead with their shares of the cases, largest first; () to keep it
    stability: share of the bootstrap fits that go the same way, None where none were made
    why: why there is no advice, '' where there is or where the word matched
    """

    rate: PhraseRate
    low: float
    high: float
    matched: bool
    instead: tuple[tuple[str, float], ...] = ()
    stability: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Explored:
    """The advice under some settings, ready to draw; ``department`` holds the department's settings.

    advised, fitted: the plan that the sentences tell, and the whole one that the solver found (None where it made none)
    """

    view: AdviceView
    department: Settings
    advised: FlowPlan
    fitted: FlowPlan | None
    costs: CostTable
    words: tuple[AdvisedWord, ...]


def explore(
    department: Department, selection: Selection, overrides: Mapping[str, Any], check: bool, progress: Progress
) -> Explored:
    """Advice for a selection under other settings; ``check`` tests it on held-out halves and bootstrap fits."""
    view = department.alternatives.advice(selection, overrides, progress, check=check)
    return Explored(
        view=view,
        department=department.settings,
        advised=_flow(view, view.advised),
        fitted=None if view.fitted is None else _flow(view, view.fitted),
        costs=_costs(view),
        words=_words(view),
    )


def keep_settings(department: Department, values: Mapping[str, Any], progress: Progress) -> Settings:
    """Make these the department's settings; returns the previous ones."""
    progress.raise_if_cancelled()
    before = department.settings
    department.save_settings(before.changed(**values))
    return before


def _flow(view: AdviceView, plan: Array) -> FlowPlan:
    uses = {r.phrase: r.n for r in view.before.phrases}
    return _plan([(p.name, p.alpha / (p.alpha + p.beta), uses.get(p.name, 0.0)) for p in view.phrases], plan)


def _plan(words: list[tuple[str, float, float]], plan: Array) -> FlowPlan:
    """From (name, mean, uses) of the K words and the (K, K) plan."""
    shares = plan.tolist()
    tomorrow = [sum(words[k][2] * shares[k][w] for k in range(len(words))) for w in range(len(words))]
    order = sorted(range(len(words)), key=lambda k: (-words[k][1], words[k][0]))
    shown = [k for k in order if words[k][2] > 0 or tomorrow[k] > 1e-9]
    return FlowPlan(
        tuple(FlowWord(words[k][0], words[k][1], words[k][2], tomorrow[k]) for k in shown),
        tuple(
            Flow(words[k][0], words[w][0], shares[k][w], words[k][2])
            for k in shown
            for w in shown
            if words[k][2] > 0 and shares[k][w] > 1e-9
        ),
    )


def by_hand(costs: CostTable, changes: Changes) -> FlowPlan:
    """The plan of manual changes over all available words, so that unused ones can be chosen."""
    flows = []
    tomorrow = dict.fromkeys(costs.words, 0.0)
    for source, n in zip(costs.words, costs.uses, strict=True):
        if n <= 0:
            continue
        shares = {t: s for t, s in changes.get(source, {}).items() if t != source}
        shares[source] = 1.0 - sum(shares.values())
        for target in costs.words:
            if (share := shares.get(target, 0.0)) > 1e-9:
                flows.append(Flow(source, target, share, n))
                tomorrow[target] += n * share
    words = zip(costs.words, costs.means, costs.uses, strict=True)
    return FlowPlan(tuple(FlowWord(name, mean, n, tomorrow[name]) for name, mean, n in words), tuple(flows))


def _costs(view: AdviceView) -> CostTable:
    uses = {r.phrase: r.n for r in view.before.phrases}
    order = sorted(
        range(len(view.phrases)),
        key=lambda k: (-view.phrases[k].alpha / (view.phrases[k].alpha + view.phrases[k].beta), view.phrases[k].name),
    )
    words = [view.phrases[k] for k in order]
    cost = view.advice.cost
    return CostTable(
        tuple(p.name for p in words),
        tuple(p.alpha / (p.alpha + p.beta) for p in words),
        tuple(uses.get(p.name, 0.0) for p in words),
        tuple(tuple(math.nan if cost is None else float(cost[k, w]) for w in order) for k in order),
        tuple(tuple(float(view.advised[k, w]) for w in order) for k in order),
    )


def _words(view: AdviceView) -> tuple[AdvisedWord, ...]:
    advice = view.advice
    place = {p.name: k for k, p in enumerate(view.phrases)}
    recommended = {r.source: r for r in advice.recommendations}
    reasons = {w.phrase: w.reason for w in advice.withheld}
    rows = []
    for rate in sorted(view.before.phrases, key=lambda r: (-r.mean, r.phrase)):
        k = place.get(rate.phrase)
        if rate.n <= 0 or k is None:
            continue
        phrase, found = view.phrases[k], recommended.get(rate.phrase)
        instead: list[tuple[str, float]] = []
        if found is not None:
            row = view.advised[k].tolist()
            instead = [(view.phrases[w].name, share) for w, share in enumerate(row) if w != k and share > 0]
        stability = None if found is None or math.isnan(found.stability) else found.stability
        rows.append(
            AdvisedWord(
                rate,
                phrase.low,
                phrase.high,
                rate.phrase in advice.matching,
                tuple(sorted(instead, key=lambda i: -i[1])),
                stability,
                ""
                if found is not None
                else reasons.get(rate.phrase, advice.reason if rate.phrase not in advice.matching else ""),
            )
        )
    return tuple(rows)
