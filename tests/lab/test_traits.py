"""Traits of contexts behind distances: planted, and against least squares."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from radcal.lab.traits import TRAITS, traits
from radcal.lab.variability import ContextVariability, ControlVariability, SourceVariability, Variability
from radcal.lab.word_counts import Answers

SHARES = {"a": (8, 0, 0, 0), "b": (4, 4, 0, 0), "c": (2, 2, 2, 2), "d": (6, 2, 0, 0)}
BITS = {"a": 0.0, "b": 1.0, "c": 2.0, "d": 0.8112781244591328}


def planted(n: int, seed: int = 0) -> tuple[Answers, Variability, np.ndarray]:
    """Contexts whose distance is 0.1 a bit of people's entropy and half of their own distance, with little noise."""
    rng, rows, contexts, known = np.random.default_rng(seed), [], [], []
    for i in range(n):
        name, kind, other = " ".join(["word"] * (i % 7) + [f"c{i:03}"]), *rng.choice([*SHARES], 2)
        for source, shares in (("people", SHARES[kind]), ("model", SHARES[other])):
            rows += [(name, source, f"w{k}", w) for k, w in enumerate(shares) if w]
        control = rng.uniform(0, 0.6)
        distance = 0.1 * BITS[kind] + 0.5 * control + rng.normal(0, 0.01)
        contexts.append(ContextVariability(name, 8, "w0", 0.5, control, {"model": distance}))
        known.append((BITS[kind], BITS[other], control, len(name.split()), distance))
    answers = Answers.of(pd.DataFrame(rows, columns=["context", "source", "word", "count"]))
    found = Variability("people", (SourceVariability("model", n, None),), ControlVariability(n, 8, 20), tuple(contexts))
    return answers, found, np.array(known)


def test_the_traits_that_count_are_found_and_the_others_are_not() -> None:
    answers, found, known = planted(200)
    [model] = traits(answers, found)
    by_name = {trait.name: trait for trait in model.traits}
    assert (model.source, model.n, tuple(by_name)) == ("model", 200, TRAITS)
    assert by_name["reference_entropy"].coefficient == pytest.approx(0.1, abs=0.005)
    assert by_name["control_tvd"].coefficient == pytest.approx(0.5, abs=0.02)
    for name in ("source_entropy", "context_length"):
        assert abs(by_name[name].standardised) < 0.003
    x = np.column_stack((known[:, :-1], np.ones(len(known))))
    least, *_ = np.linalg.lstsq(x, known[:, -1], rcond=None)
    assert [t.coefficient for t in model.traits] == pytest.approx(least[:-1].tolist(), abs=0.004)
    for at, trait in enumerate(model.traits):
        assert trait.low <= trait.standardised <= trait.high
        assert trait.standardised == pytest.approx(trait.coefficient * known[:, at].std())


def test_few_contexts_have_no_traits() -> None:
    answers, found, _ = planted(29)
    [model] = traits(answers, found)
    assert model.traits == ()
    assert str(model.reason) == "29 contexts have a control; 30 are needed."


def test_a_trait_that_never_varies_is_of_no_relevance() -> None:
    answers, found, _ = planted(40)
    same = tuple(ContextVariability(c.context, 8, "w0", 0.5, 0.25, {"model": c.tvd["model"]}) for c in found.contexts)
    [model] = traits(answers, Variability("people", found.sources, found.control, same))
    assert next(t for t in model.traits if t.name == "control_tvd").standardised == 0
