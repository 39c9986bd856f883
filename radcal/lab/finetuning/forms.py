"""Sentences in which an answer is given with a certainty, sorted by how sure they sound."""

from __future__ import annotations

import itertools
import string
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from radcal.lab.asking.matching import names
from radcal.lab.hedges.estimator import SentenceEstimate, shipped
from radcal.system.resources import resource

_ANSWER = "answer"
_ANSWERS = "Lisbon", "Ada Lovelace", "42"
"""Answers of several kinds: a form that sounds differently with one of them is left out."""
_ALIKE, _MEAN_WITHIN = 0.02, 0.01


@dataclass(frozen=True, slots=True)
class Form:
    """A sentence with "{answer}" in it, and how sure it sounds, in 0-1."""

    sentence: str
    reading: float


@cache
def forms() -> tuple[Form, ...]:
    """The sentences of the shipped grammar, least sure first.

    Left out is what does not give the answer, such as denials and abstentions.
    """
    grammar = tomllib.loads(resource("finetune", "forms.toml").read_text(encoding="utf-8"))
    sentences = list(dict.fromkeys(_sentences(grammar)))
    read = [shipped().estimate([form.format(answer=answer) for form in sentences]) for answer in _ANSWERS]
    found = []
    for form, *readings in zip(sentences, *read, strict=True):
        told = [r.value for r in readings if isinstance(r, SentenceEstimate) and r.kind != "abstention"]
        gives = all(names(form.format(answer=answer), [answer]) for answer in _ANSWERS)
        if gives and len(told) == len(_ANSWERS) and max(told) - min(told) < _ALIKE:
            found.append(Form(form, sum(told) / len(told)))
    return tuple(sorted(found, key=lambda form: form.reading))


def near(certainty: float, within: float) -> tuple[Form, ...]:
    """The forms that read as a certainty, each up to ``within``, their mean up to 0.01 as far as they reach."""
    found = [form for form in forms() if abs(form.reading - certainty) <= within]
    while len(found) > 1:
        off = sum(form.reading for form in found) / len(found) - certainty
        if abs(off) <= _MEAN_WITHIN:
            break
        found.pop(-1 if off > 0 else 0)
    return tuple(found)


def _sentences(grammar: Mapping[str, Any]) -> Iterator[str]:
    for sentence in grammar["sentences"]:
        named = [name for _, name, _, _ in string.Formatter().parse(sentence) if name and name != _ANSWER]
        choices: Sequence[Sequence[str]] = [grammar[name] for name in named]
        for chosen in itertools.product(*choices):
            yield sentence.format(answer=f"{{{_ANSWER}}}", **dict(zip(named, chosen, strict=True)))
