"""Background work for what-if questions, and the records drawn.

Words are in display order: the strongest first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from radcal.words.phrases import mean_of
from ui.plots.records import Flow, FlowPlan, FlowWord

if TYPE_CHECKING:
    from radcal.advice.alternatives import AdviceView
    from radcal.department import Department
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from radcal.system.settings import Settings

Shares = Mapping[str, Mapping[str, float]]
"""Word, then the words to say instead with their shares of the cases, 0-1."""


@dataclass(frozen=True, slots=True, eq=False)
class Explored:
    """The advice under some settings, ready to draw; ``department`` holds the department's settings.

    vocabulary: all words that may be said, with their use today
    advised: what the words are advised to become
    """

    view: AdviceView
    department: Settings
    vocabulary: tuple[FlowWord, ...]
    advised: Shares


def explore(selection: Selection, overrides: Mapping[str, Any], department: Department, progress: Progress) -> Explored:
    """Advice for a selection under other settings."""
    view = department.alternatives.advice(selection, overrides, progress)
    return Explored(view, department.settings, _vocabulary(view), advised(view))


def _vocabulary(view: AdviceView) -> tuple[FlowWord, ...]:
    """The words of the view with their use today and CT's rate, by descending mean."""
    rates = {r.phrase: r for r in view.before.phrases if r.n > 0}
    words = sorted(view.phrases, key=lambda p: (-mean_of(p), p.name))
    uses = {name: r.n for name, r in rates.items()}
    return tuple(
        FlowWord(p.name, mean_of(p), uses.get(p.name, 0.0), uses.get(p.name, 0.0), rates.get(p.name)) for p in words
    )


def advised(view: AdviceView) -> Shares:
    """What the words are advised to become, as it is said of each: by the group's plan, or over all pathologies."""
    place = {p.name: k for k, p in enumerate(view.phrases)}
    names = list(place)
    made: dict[str, dict[str, float]] = {}
    for j in view.judged.words:
        if j.advice is None or j.name not in place:
            continue
        if j.pooled:
            made[j.name] = {j.closer: 1.0}
        else:
            made[j.name] = dict(zip(names, view.plan[place[j.name]].tolist(), strict=True))
    return made


def by_hand(words: Sequence[FlowWord], changes: Shares) -> FlowPlan:
    """The plan in which some uses of these words become others; what is left of a word stays as it is."""
    flows, tomorrow = [], dict.fromkeys((w.name for w in words), 0.0)
    for w in words:
        shares = {t: s for t, s in changes.get(w.name, {}).items() if t != w.name}
        shares[w.name] = 1.0 - sum(shares.values())
        for target in tomorrow:
            if w.today > 0 and (share := shares.get(target, 0.0)) > 1e-9:
                flows.append(Flow(w.name, target, share, w.today))
                tomorrow[target] += w.today * share
    return FlowPlan(tuple(replace(w, tomorrow=tomorrow[w.name]) for w in words), tuple(flows))
