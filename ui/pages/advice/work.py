"""Background work for the Advice page, and the records it draws.

Words are in display order: the strongest first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from radcal.words.phrases import mean_of
from ui.plots.records import CostTable, Flow, FlowPlan, FlowWord

if TYPE_CHECKING:
    from radcal.advice.alternatives import AdviceView
    from radcal.advice.judged_records import JudgedWord
    from radcal.department import Department
    from radcal.reliability.records import PhraseRate
    from radcal.system.language.catalogue import Language
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from radcal.system.settings import Settings
    from radcal.words.records import Phrase

Changes = Mapping[str, Mapping[str, float]]
"""Phrase, then the words to say instead with their shares of the cases, 0-1."""


@dataclass(frozen=True, slots=True)
class AdvisedWord:
    """A word that was used, what is said of it, and the advice on it.

    phrase: its meaning to readers
    instead: words to say instead with their shares of the cases, largest first; () to keep it
    """

    judged: JudgedWord
    phrase: Phrase
    instead: tuple[tuple[str, float], ...] = ()

    @property
    def rate(self) -> PhraseRate:
        """How often CT confirmed it."""
        return self.judged.rate

    @property
    def sure(self) -> float | None:
        """Probability that the first of the words to say instead is nearer to the true rate, None without one."""
        return None if self.judged.advice is None else self.judged.advice.sure


@dataclass(frozen=True, slots=True, eq=False)
class Explored:
    """The advice under some settings, ready to draw; ``department`` holds the department's settings."""

    view: AdviceView
    department: Settings
    plan: FlowPlan
    costs: CostTable
    words: tuple[AdvisedWord, ...]


def explore(selection: Selection, overrides: Mapping[str, Any], department: Department, progress: Progress) -> Explored:
    """Advice for a selection under other settings."""
    view = department.alternatives.advice(selection, overrides, progress)
    return Explored(
        view=view,
        department=department.settings,
        plan=_flow(view),
        costs=_costs(view),
        words=_words(view),
    )


def vocabulary(selection: Selection, language: Language, department: Department, _progress: Progress) -> str:
    """How far the radiologist keeps to the department's vocabulary, in sentences; '' if none was chosen."""
    return department.vocabulary.about(selection.author, selection.days, language)


def _flow(view: AdviceView) -> FlowPlan:
    """The plan of the view, over its phrases."""
    shares, uses, phrases = view.plan.tolist(), _uses(view), view.phrases
    tomorrow = [sum(n * row[w] for n, row in zip(uses, shares, strict=True)) for w in range(len(phrases))]
    shown = [k for k in _strongest_first(view) if uses[k] > 0 or tomorrow[k] > 1e-9]
    rates = {r.phrase: r for r in view.before.phrases if r.n > 0}
    return FlowPlan(
        tuple(
            FlowWord(phrases[k].name, mean_of(phrases[k]), uses[k], tomorrow[k], rates.get(phrases[k].name))
            for k in shown
        ),
        tuple(
            Flow(phrases[k].name, phrases[w].name, shares[k][w], uses[k])
            for k in shown
            for w in shown
            if uses[k] > 0 and shares[k][w] > 1e-9
        ),
    )


def _uses(view: AdviceView) -> list[float]:
    uses = {r.phrase: r.n for r in view.before.phrases}
    return [uses.get(p.name, 0.0) for p in view.phrases]


def _strongest_first(view: AdviceView) -> list[int]:
    """The places of the phrases, by descending mean."""
    return sorted(range(len(view.phrases)), key=lambda k: (-mean_of(view.phrases[k]), view.phrases[k].name))


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
    order, uses, cost = _strongest_first(view), _uses(view), view.advice.cost
    return CostTable(
        tuple(view.phrases[k].name for k in order),
        tuple(mean_of(view.phrases[k]) for k in order),
        tuple(uses[k] for k in order),
        tuple(tuple(math.nan if cost is None else float(cost[k, w]) for w in order) for k in order),
        tuple(tuple(float(view.plan[k, w]) for w in order) for k in order),
    )


def _words(view: AdviceView) -> tuple[AdvisedWord, ...]:
    place = {p.name: k for k, p in enumerate(view.phrases)}
    own = {r.source for r in view.advice.recommendations}
    rows = []
    for j in view.judged.words:
        k = place.get(j.name)
        if k is None:
            continue
        instead: list[tuple[str, float]] = []
        if j.advice is not None and j.name in own:
            shares = enumerate(view.plan[k].tolist())
            instead = [(view.phrases[w].name, share) for w, share in shares if w != k and share > 0]
            instead.sort(key=lambda i: -i[1])
        elif j.advice is not None:
            instead = [(j.advice.target, 1.0)]
        rows.append(AdvisedWord(j, view.phrases[k], tuple(instead)))
    return tuple(rows)
