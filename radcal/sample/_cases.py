"""Cases of the sample: the X-ray statements, the truth, and the CT statements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from radcal.sample._words import TOPICS, WRITTEN, Radiologist
from radcal.words.confirmations import load_confirmations
from radcal.words.phrases import load_lexicon, mean_of
from radcal.words.records import ABSENT, PRESENT

_FOCUS = 0.62
"""Probability that an author raises a pathology of the own focus."""
_PLAIN_RATE = {ABSENT: 0.04, PRESENT: 0.95, "diagnostic of": 0.97}
_CT_SILENT = 0.08
"""Proportion of CT reports that do not mention a pathology some readers omit, present or not."""
_CT_POSITIVE = ("likely", "most likely", "consistent with", "suspicious for")
_CT_NEGATIVE = ("unlikely", "very unlikely")


@dataclass(frozen=True, slots=True)
class Case:
    """A patient: phrases by pathology in the X-ray and CT report, and the truth."""

    said: Mapping[str, str]
    state: Mapping[str, bool]
    ct: Mapping[str, str]


class Drawer:
    """Samples cases from the meanings of phrases and the confirming CT statements."""

    def __init__(self) -> None:
        self._mean = {p.name: mean_of(p) for p in load_lexicon().phrases}
        confirmations = load_confirmations()
        self._implied_by = {c.xray: WRITTEN.implied_by.get(c.xray, ()) for c in confirmations}
        self._silence_is_absent = {c.xray: c.silence_is_absent for c in confirmations}
        self._order = _causes_first(self._implied_by)

    def rate(self, author: Radiologist, topic: str, phrase: str) -> float:
        """Probability that CT confirms the author's phrase on this pathology, in 0-1."""
        p = _PLAIN_RATE.get(phrase, self._mean[phrase])
        shift = author.shifts.get(topic, 0.0) * {ABSENT: 0.0, PRESENT: 0.5}.get(phrase, 1.0)
        return 1 / (1 + math.exp(-math.log(p / (1 - p)) - shift))

    def say(self, author: Radiologist, rng: Random) -> dict[str, str]:
        """The statements of an X-ray report: pathology to phrase."""
        raised = {t for t, p in WRITTEN.raised.items() if rng.random() < (_FOCUS if t in author.focus else p)}
        if "mass" in raised:
            raised.discard("nodule")
        if not raised & {"mass", "nodule"}:
            raised.discard("malignancy")
        said = {}
        for topic in TOPICS:
            if topic in raised:
                weights = author.soft if TOPICS[topic].soft else author.hard
                said[topic] = rng.choices(list(weights), list(weights.values()))[0]
            elif rng.random() < WRITTEN.denied.get(topic, 0.0) and not self._contradicted(topic, raised):
                said[topic] = ABSENT
        # The basis of a diagnosis is stated plainly: nobody hedges the consolidation and calls it pneumonia.
        for topic in ("consolidation", "mass", "nodule"):
            if topic in raised and raised & {"malignancy", *self._implied_by[topic]}:
                said[topic] = PRESENT
        if "opacity" in raised and rng.random() < 0.9:
            said["opacity"] = PRESENT
        return said

    def _contradicted(self, topic: str, raised: set[str]) -> bool:
        """True if denying the pathology would contradict a finding of the same report."""
        also = {"opacity": {"nodule", "granuloma", "fibrosis"}, "mass": {"nodule"}}.get(topic, set())
        return bool(raised & (also | set(self._implied_by[topic])))

    def draw(self, author: Radiologist, rng: Random) -> Case:
        """A case with an X-ray report by the author."""
        said = self.say(author, rng)
        state = self._states(author, said, rng)
        for topic, p in WRITTEN.found.items():
            unsettles = any(topic in self._implied_by[t] and not there for t, there in state.items())
            if topic not in state and not unsettles and rng.random() < p:
                state[topic] = True
        return Case(said, state, self._read_ct(said, state, rng))

    def _states(self, author: Radiologist, said: Mapping[str, str], rng: Random) -> dict[str, bool]:
        """The truth, drawn so that each phrase is confirmed at its rate although some pathologies imply others."""
        state: dict[str, bool] = {}
        rates = {t: self.rate(author, t, phrase) for t, phrase in said.items()}
        for topic in (t for t in self._order if t in said):
            implying = [t for t in self._implied_by[topic] if t in state]
            implied_rate = 1 - math.prod(1 - rates[t] for t in implying)
            own_rate = max(0.0, (rates[topic] - implied_rate) / (1 - implied_rate))
            drawn = rng.random() < own_rate
            state[topic] = drawn or any(state[t] for t in implying)
        return state

    def _read_ct(self, said: Mapping[str, str], state: Mapping[str, bool], rng: Random) -> dict[str, str]:
        """The statements of the CT report: pathology to phrase."""
        ct: dict[str, str] = {}
        for topic in (t for t in self._order if t in state):
            chance, hedge = rng.random(), rng.random()
            soft = TOPICS[topic].soft
            if not self._silence_is_absent[topic] and topic in said and chance < _CT_SILENT:
                continue
            if state[topic]:
                named_otherwise = any(ct.get(t) == PRESENT for t in self._implied_by[topic])
                if named_otherwise and chance < 0.5:
                    continue
                ct[topic] = rng.choice(_CT_POSITIVE) if soft and hedge < 0.1 else PRESENT
            elif not self._silence_is_absent[topic] or chance < 0.85:
                ct[topic] = rng.choice(_CT_NEGATIVE) if soft and hedge < 0.05 else ABSENT
        for topic, p in WRITTEN.routine.items():
            there = any(state.get(t) for t in (topic, *self._implied_by[topic]))
            if topic not in state and not there and rng.random() < p:
                ct[topic] = ABSENT
        return ct


def _causes_first(implied_by: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The pathologies in topological order: each after those that imply it."""
    ordered: list[str] = []

    def visit(topic: str) -> None:
        for cause in implied_by[topic]:
            visit(cause)
        if topic not in ordered:
            ordered.append(topic)

    for topic in TOPICS:
        visit(topic)
    return tuple(ordered)
