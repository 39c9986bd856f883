"""Background work for the Advice page, and the records it draws.

Words are in display order: the strongest first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from radcal.words.phrases import mean_of
from ui.plots.records import Flow, FlowPlan, FlowWord

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


@dataclass(frozen=True, slots=True)
class Substitution:
    """Saying ``target`` for one of the ``n`` uses of ``source``.

    cost: the change of ECE per use;  share: how many of the uses the plan changes so, 0-1
    """

    source: str
    target: str
    n: float
    cost: float
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Explored:
    """The advice under some settings, ready to draw; ``department`` holds the department's settings.

    vocabulary: all words that may be said, with their use today
    """

    view: AdviceView
    department: Settings
    plan: FlowPlan
    vocabulary: tuple[FlowWord, ...]
    costs: tuple[Substitution, ...]
    words: tuple[AdvisedWord, ...]


def explore(selection: Selection, overrides: Mapping[str, Any], department: Department, progress: Progress) -> Explored:
    """Advice for a selection under other settings."""
    view = department.alternatives.advice(selection, overrides, progress)
    words = _vocabulary(view)
    return Explored(
        view=view,
        department=department.settings,
        plan=by_hand(words, _shares(view)),
        vocabulary=words,
        costs=_costs(view),
        words=_words(view),
    )


def vocabulary(selection: Selection, language: Language, department: Department, _progress: Progress) -> str:
    """How far the radiologist keeps to the department's vocabulary, in sentences; '' if none was chosen."""
    return department.vocabulary.about(selection.author, selection.days, language)


def _uses(view: AdviceView) -> list[float]:
    uses = {r.phrase: r.n for r in view.before.phrases}
    return [uses.get(p.name, 0.0) for p in view.phrases]


def _strongest_first(view: AdviceView) -> list[int]:
    """The places of the phrases, by descending mean."""
    return sorted(range(len(view.phrases)), key=lambda k: (-mean_of(view.phrases[k]), view.phrases[k].name))


def _vocabulary(view: AdviceView) -> tuple[FlowWord, ...]:
    """The words of the view with their use today and CT's rate."""
    uses, rates = _uses(view), {r.phrase: r for r in view.before.phrases if r.n > 0}
    words = ((view.phrases[k], uses[k]) for k in _strongest_first(view))
    return tuple(FlowWord(p.name, mean_of(p), n, n, rates.get(p.name)) for p, n in words)


def _shares(view: AdviceView) -> Changes:
    """The plan of the view."""
    names = [p.name for p in view.phrases]
    return {name: dict(zip(names, row, strict=True)) for name, row in zip(names, view.plan.tolist(), strict=True)}


def by_hand(words: Sequence[FlowWord], changes: Changes) -> FlowPlan:
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


def _costs(view: AdviceView) -> tuple[Substitution, ...]:
    """What every substitution of a word that was said would cost, those of the strongest word first."""
    order, uses, cost = _strongest_first(view), _uses(view), view.advice.cost
    return tuple(
        Substitution(view.phrases[k].name, view.phrases[w].name, uses[k], float(cost[k, w]), float(view.plan[k, w]))
        for k in order
        for w in order
        if cost is not None and k != w and uses[k] > 0 and not math.isnan(cost[k, w])
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
