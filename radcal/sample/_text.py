"""Sentences of cases, with the statements they contain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from radcal.sample._words import DIFFERENTIALS, FRAMES, TOPICS, WRITTEN, Words
from radcal.words.records import ABSENT, PRESENT


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: a pathology with a phrase; ``cue`` holds the certainty words, '' if there are none."""

    topic: str
    phrase: str
    cue: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence with its statements; structured reports are ordered by organ."""

    text: str
    said: tuple[Statement, ...] = ()
    organ: str = ""

    def changed(self, text: str) -> Line:
        """The same statements in a new spelling, from which the certainty words are taken."""
        return Line(
            text, tuple(Statement(s.topic, s.phrase, _verbatim(text, s.cue.lower())) for s in self.said), self.organ
        )


def _verbatim(text: str, cue: str) -> str:
    """The cue as spelled in the text."""
    at = text.lower().index(cue)
    return text[at : at + len(cue)]


def _unmarked(sentence: str) -> tuple[str, str]:
    """The sentence without brackets, and the certainty words that they mark, '' if there are none."""
    marked = re.search(r"\[(.*)\]", sentence)
    return sentence.replace("[", "").replace("]", ""), marked[1] if marked else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with_article(thing: str) -> str:
    return f"an {thing}" if re.match(r"[aeio]|8|11|18", thing) else f"a {thing}"


class Writer:
    """Writes the sentences of one report."""

    def __init__(self, rng: Random, terse: bool = False, topics: Mapping[str, Words] = TOPICS) -> None:
        self._rng = rng
        self._terse = terse
        self._topics = topics
        self._names: dict[str, str] = {}

    def _name(self, topic: str, anchored: bool) -> str:
        """This report's name of the pathology, without a location if an anchor gives it."""
        things = self._topics[topic].things
        return things[0] if anchored else self._names.setdefault(topic, self._rng.choice(things))

    def positive(self, topic: str, phrase: str, seen: str = "") -> Line:
        """A sentence stating that the pathology is or may be present, if possible as the cause of one ``seen``."""
        words = self._topics[topic]
        if phrase == PRESENT and words.present and self._rng.random() < 0.5:
            text = self._rng.choice(words.present)[0 if self._terse else 1]
            return Line(text, (Statement(topic, phrase, ""),), words.organ)
        anchor, plural = self._anchor(topic, seen)
        frames = FRAMES[phrase]
        fitting = [f for f in frames.terse + (() if self._terse else frames.full) if anchor or "{A}" not in f]
        leaning = [f for f in fitting if "{A}" in f]
        template = self._rng.choice(leaning if seen and leaning else fitting)
        text, cue = _unmarked(self._fill(template, (topic,), anchor, plural))
        said = Statement(topic, phrase, cue)
        leans = bool(seen) and "{A}" in template
        return Line(text, (Statement(seen, PRESENT, ""), said) if leans else (said,), words.organ)

    def differential(self, first: str, second: str, phrase: str, seen: str) -> Line:
        """A sentence that explains a visible finding by either of two pathologies."""
        template = self._rng.choice(DIFFERENTIALS[phrase])
        text, cue = _unmarked(self._fill(template, (first, second), *self._anchor(first, seen)))
        said = (Statement(seen, PRESENT, ""), Statement(first, phrase, cue), Statement(second, phrase, cue))
        return Line(text, said, self._topics[first].organ)

    def _anchor(self, topic: str, seen: str) -> tuple[str, bool]:
        if seen:
            return self._name(seen, anchored=False), False
        anchors = self._topics[topic].anchors
        return self._rng.choice(anchors) if anchors else ("", False)

    def _fill(self, template: str, topics: Sequence[str], anchor: str, plural: bool) -> str:
        name, *other = [self._name(t, anchored="{A}" in template) for t in topics]
        with_article = _with_article(name) if self._topics[topics[0]].countable else name
        verbs = {"is": "are", "represents": "represent"} if plural else {"is": "is", "represents": "represents"}
        return template.format(
            A=_capital(anchor),
            t=name,
            T=_capital(name),
            at=with_article,
            At=_capital(with_article),
            u="".join(other),
            **verbs,
        )

    def absent(self, topics: Sequence[str]) -> Line:
        """A sentence that denies all of the pathologies: a specific one, or a list after "No"."""
        first = self._topics[topics[0]]
        if len(topics) == 1 and first.absent:
            marked = self._rng.choice(first.absent)[0 if self._terse else 1]
        else:
            template = WRITTEN.no[0] if self._terse else self._rng.choice(WRITTEN.no)
            names = [self._rng.choice(self._topics[t].negated) for t in topics]
            names = [n.removeprefix("evidence of ") if "evidence" in template else n for n in names]
            listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}{',' * (len(names) > 2)} or {names[-1]}"
            marked = template.format(t=listed)
        text, cue = _unmarked(marked)
        return Line(text, tuple(Statement(t, ABSENT, cue) for t in topics), first.organ)

    def absents(self, topics: Sequence[str], by_organ: bool) -> list[Line]:
        """Sentences that deny all of the pathologies, mostly as lists, grouped by organ on request."""
        if by_organ:
            organs = {t: self._topics[t].organ for t in topics}
            return [
                line
                for organ in dict.fromkeys(organs.values())
                for line in self.absents([t for t in topics if organs[t] == organ], by_organ=False)
            ]
        lines = [self.absent([t]) for t in topics if self._topics[t].absent]
        rest = [t for t in topics if not self._topics[t].absent]
        while rest:
            size = self._rng.choice((1, 2, 2, 3))
            lines.append(self.absent(rest[:size]))
            rest = rest[size:]
        return lines


_EXPLAIN_OPACITY = ("atelectasis", "infection", "aspiration", "consolidation")


def explanations(writer: Writer, said: Mapping[str, str], rng: Random) -> list[Line]:
    """Sentences for everything that is or may be present; hedges explain visible findings if possible."""
    raised = {t: p for t, p in said.items() if p != ABSENT}
    lines: list[Line] = []
    if raised.get("opacity") == PRESENT:
        causes = [t for t in _EXPLAIN_OPACITY if raised.get(t, PRESENT) != PRESENT]
        pairs = [(a, b) for a, b in combinations(causes, 2) if raised[a] == raised[b] in DIFFERENTIALS]
        chance = rng.random()
        if pairs and chance < 0.8:
            lines.append(writer.differential(*pairs[0], raised[pairs[0][0]], "opacity"))
        elif causes and chance < 0.6:
            lines.append(writer.positive(causes[0], raised[causes[0]], "opacity"))
    if raised.get("malignancy", PRESENT) != PRESENT:
        lines.append(writer.positive("malignancy", raised["malignancy"], "mass" if "mass" in raised else "nodule"))
    done = {s.topic for line in lines for s in line.said}
    return lines + [writer.positive(t, p) for t, p in raised.items() if t not in done]


_MISTYPED = re.compile(r"\b(there|right|left|lower|upper|small|lung|base|markings|costophrenic|behind)\b")


def mistype(line: Line, rng: Random) -> Line:
    """The sentence with two letters swapped in a word that is part of neither a cue nor a pathology."""
    match = _MISTYPED.search(line.text)
    if not match:
        return line
    word = match[0]
    at = rng.randrange(1, len(word) - 1)
    wrong = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return line.changed(line.text[: match.start()] + wrong + line.text[match.end() :])
