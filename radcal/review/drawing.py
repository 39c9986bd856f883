"""Selection of reports to annotate: at random, or worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def at_random(strata: Sequence[Sequence[T]], size: int, seed: int) -> list[T]:
    """A random sample in random order from strata, proportional to their sizes; reproducible by seed."""
    import numpy as np

    random = np.random.default_rng(seed)
    drawn: list[T] = []
    for ids, n in zip(strata, allotted([len(ids) for ids in strata], size), strict=True):
        drawn += [ids[i] for i in random.choice(len(ids), n, replace=False)]
    return [drawn[i] for i in random.permutation(len(drawn))]


def allotted(sizes: Sequence[int], total: int) -> list[int]:
    """Sample sizes for strata of these sizes: proportional, by largest remainders, none above its size.

    Every stratum that has any gets at least one where ``total`` allows it.
    """
    population = sum(sizes)
    total = min(total, population)
    if total == 0:
        return [0] * len(sizes)
    shares = [size * total / population for size in sizes]
    given = [int(share) for share in shares]
    if total >= sum(size > 0 for size in sizes):
        given = [max(n, min(1, size)) for n, size in zip(given, sizes, strict=True)]
    by_remainder = sorted(range(len(sizes)), key=lambda i: (given[i] - shares[i], i))
    while sum(given) < total:
        i = next(i for i in by_remainder if given[i] < sizes[i])
        given[i] += 1
        by_remainder.remove(i)
        by_remainder.append(i)
    while sum(given) > total:
        given[max((i for i in range(len(given)) if given[i] > 1), key=lambda i: given[i] - shares[i])] -= 1
    return given


def worst_first(candidates: Sequence[str], doubtful: Iterable[str]) -> list[str]:
    """All candidates: the doubtful ones first, each in the given order."""
    wanted = set(candidates)
    return list(dict.fromkeys([*(i for i in doubtful if i in wanted), *candidates]))
