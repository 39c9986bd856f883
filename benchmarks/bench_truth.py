"""Is what RadCal says true?  Simulated departments whose truth is known, through the public functions alone.

    OMP_NUM_THREADS=1 python benchmarks/bench_truth.py [--quick] [--kinds K ...] [--scanned] [--write FILE]

Every department of `simulated.py` goes the way that a user's observations go: tables, reliability with its verdicts,
advice.

One row of the first table is one kind and n.  Of advice: words advised in a department, how sure that was said to be
and how often the new word's mean is truly nearer to the rate, by how much squared distance falls in a hedged statement
(x 10,000; minus what it costs where the new word is farther), and the share of calibrated groups that are advised.  Of
verdicts: how many of the words that truly match, said often enough for advice, are said to, and how many that are said
to do not; the same of words that are said to be stronger or weaker than CT supported: found, expected share of false
ones on a reader's page and in a department, and share of all.  A word matches where its true rate lies within the range
that readers take it to mean.  Last, how many of the hedges' 95 % intervals hold the true rate.

With --scanned another table: what is said, and what of it is true of all patients, where not everybody gets a CT, by
the odds of one for the ill; "unknown" is without the statements that had none.

The second table is of the test of the word error at 0.05, of looks repeated every month for two years, and of intervals
of a reader who lies apart from 19 others.  Figures that miss their target by more than the simulation's own error (one-
sided 95 %, by pages) are marked with !, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from math import inf, nan, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
from simulated import (
    CALIBRATED,
    HEDGED,
    HIGH,
    KINDS,
    LOW,
    MEAN,
    PLACE,
    WORDS,
    Array,
    Department,
    Kind,
    department,
    opposite,
    sloped,
)

from radcal.advice.advice import advise
from radcal.advice.records import Advice
from radcal.calibration import verified
from radcal.calibration.pooled import APART, measure_pooled
from radcal.calibration.records import LEVEL, OFF, Reliability
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.tables import build_tables
from radcal.system.settings import Settings

TIE = 1e-9
"""A rate half-way between two words is as near to either."""
MONTHS, A_MONTH = 24, 10
LOOKS = ("a false verdict", "advice", "p < 0.05", "q < 0.05")


Result = tuple[Reliability, Advice | None]


def told(
    observations: pd.DataFrame, settings: Settings, *, advice: bool = True, all_known: bool = True
) -> list[Result]:
    """What RadCal says of the groups, those of a reader one after the other; with what had no CT if that is known."""
    tables = build_tables(observations, WORDS)
    results = measure(tables, WORDS, settings, threads=1)
    if all_known:
        results = verified.with_verification(results, verified.of_rows(observations, WORDS, settings), settings)
    return [*zip(results, advise(tables, results, WORDS, settings) if advice else [None] * len(results), strict=True)]


def is_true(said: str, rate: float, k: int) -> bool:
    """Whether a verdict on word k holds at its true rate."""
    return {"matches": LOW[k] <= rate <= HIGH[k], "stronger": rate < LOW[k], "weaker": rate > HIGH[k]}[said]


class Sums:
    """Of each figure its parts and wholes by pages: it is the sum of the ones over that of the others."""

    def __init__(self) -> None:
        self._pairs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)

    def add(self, name: str, part: float, whole: float = 1.0) -> None:
        """A page's part of a figure."""
        self._pairs[name].append((part, whole))

    def parts(self, name: str) -> list[tuple[float, float]]:
        """The parts of a figure."""
        return self._pairs[name]

    def figure(self, name: str) -> tuple[float, float]:
        """The figure and its standard error; NaN of nothing.

        The error is 0 of one part, and of several at least one of the whole: a single case tells little.
        """
        part, whole = np.array(self._pairs[name] or [(0.0, 0.0)]).T
        if not whole.any():
            return nan, nan
        value = part.sum() / whole.sum()
        n = len(part)
        off = sqrt(((part - value * whole) ** 2).sum() * n / max(n - 1, 1)) / whole.sum()
        return float(value), max(off, 1 / whole.sum()) if n > 1 else off


def below(p: float | None) -> bool:
    """Whether a p-value or q-value is small enough to say so."""
    return p is not None and p < LEVEL


def pages(results: Iterable[Result]) -> Iterator[list[Result]]:
    """The results of each reader."""
    for _, page in groupby(results, key=lambda result: result[0].author):
        yield list(page)


def judge(made: Department, results: Sequence[Result], settings: Settings, sums: Sums) -> None:
    """Add what was said, and whether it is true."""
    readers = len(made.rates)
    wrong = total = 0
    for page in pages(results):
        c: defaultdict[str, float] = defaultdict(float)
        for r, advice in page:
            truth, use = group_of(made.rates, r), group_of(made.use, r)
            judge_words(r, truth, settings.min_phrase_n, c)
            assert advice is not None
            judge_advice(advice, truth, use, c)
        sums.add("advised", c["advised"], 1 / readers)
        for name in ("sure", "closer"):
            sums.add(name, c[name], c["advised"])
        sums.add("unfounded", c["sure"] - c["closer"], c["advised"])
        sums.add("fall", c["fall"], len(page))
        sums.add("calibrated advised", c["calibrated advised"], c["calibrated"])
        sums.add("matches found", c["matching found"], c["matching"])
        sums.add("matches false", c["matches false"], c["matches"])
        sums.add("differs found", c["outside found"], c["outside"])
        sums.add("differs false", c["differs false"], c["differs"])
        sums.add("false on a page", c["differs false"] / max(c["differs"], 1))
        sums.add("covered", c["covered"], c["intervals"])
        wrong, total = wrong + c["differs false"], total + c["differs"]
    sums.add("false in a department", wrong / max(total, 1))


def group_of(values: Array, r: Reliability | Advice) -> Array:
    """(K,) of the group that a result is of."""
    own: Array = values[int(r.author.split()[1]), int(r.topic.split()[1])]
    return own


def judge_words(r: Reliability, truth: Array, least: float, c: defaultdict[str, float]) -> None:
    """Count a group's verdicts and intervals, and those that are true; what words come to together is one more."""
    for p in r.phrases:
        k, said = PLACE[p.phrase], p.verdict
        rate = float(truth[k])
        hedged, enough = 0 < MEAN[k] < 1, p.n >= least
        inside = is_true("matches", rate, k)
        if said in ("stronger", "weaker", "matches"):
            name = "matches" if said == "matches" else "differs"
            c[name] += 1
            c[f"{name} false"] += not is_true(said, rate, k)
        if enough and hedged and inside:
            c["matching"] += 1
            c["matching found"] += said == "matches"
        if enough and not inside:
            c["outside"] += 1
            c["outside found"] += said in ("stronger", "weaker") and is_true(said, rate, k)
        if enough and hedged:
            c["intervals"] += 1
            c["covered"] += p.low - TIE <= rate <= p.high + TIE
    if r.together is not None and r.together.verdict != "undecided":
        n = {PLACE[p.phrase]: p.n for p in r.phrases if 0 < p.mean < 1 and p.verdict != "too few"}
        off = sum(n[k] * (truth[k] - MEAN[k]) for k in n) / sum(n.values())
        c["differs"] += 1
        c["differs false"] += not (off <= -OFF if r.together.verdict == "stronger" else off >= OFF)


def judge_advice(advice: Advice, truth: Array, use: Array, c: defaultdict[str, float]) -> None:
    """Count a group's advice, how sure it is, and what it truly does."""
    calibrated = np.allclose(truth[HEDGED], MEAN[HEDGED])
    made = [(PLACE[a.source], PLACE[a.target], a) for a in advice.recommendations]
    c["calibrated"] += calibrated
    c["calibrated advised"] += calibrated and any(0 < MEAN[k] < 1 for k, _, _ in made)
    for k, t, a in made:
        before, after = abs(truth[k] - MEAN[k]), abs(truth[k] - MEAN[t])
        c["advised"] += 1
        c["sure"] += a.sure
        c["closer"] += after < before + TIE
        if 0 < MEAN[k] < 1:
            c["fall"] += 1e4 * a.share * use[k] / use[HEDGED].sum() * (before**2 - after**2)


@dataclass(frozen=True)
class Figure:
    """A figure as it is shown, and where it should lie."""

    name: str
    title: str
    low: float = -inf
    high: float = inf
    form: str = ".3f"

    def shown(self, sums: Sums) -> tuple[str, bool]:
        """The figure, and whether its target is missed."""
        value, off = sums.figure(self.name)
        missed = value + 1.645 * off < self.low or value - 1.645 * off > self.high
        return ("-" if value != value else f"{value:{self.form}}{' !' if missed else ''}"), missed

    @property
    def target(self) -> str:
        """The target in words, '' for none."""
        low, high = (f"{end:{self.form}}" if abs(end) < inf else "" for end in (self.low, self.high))
        return f"{low}-{high}" if low and high else f">= {low}" if low else f"<= {high}" if high else ""


FIGURES = (
    Figure("advised", "words advised", form=".1f"),
    Figure("sure", "sure"),
    Figure("closer", "truly closer"),
    Figure("unfounded", "sure less true", high=0.02),
    Figure("fall", "distance falls", form=".1f"),
    Figure("calibrated advised", "calibrated advised", high=0.01),
    Figure("matches found", "matching words found", low=0.45),
    Figure("matches false", "matches, false", high=0.01, form=".4f"),
    Figure("differs found", "words outside found"),
    Figure("false on a page", "stronger or weaker, false on a page", high=0.05),
    Figure("false in a department", "in a department", high=0.05),
    Figure("differs false", "of all that is said"),
    Figure("covered", "intervals hold", 0.93, 0.97),
)
SIZES = (60, 100, 300, 1000)
GAINS: dict[str, tuple[float, ...]] = {
    "private word": (48.7, 95.4, 188.9, 184.8),
    "tenth too strong": (0.0, 0.0, 2.6, 11.0),
    "near": (0.0, 0.0, 0.4, 3.7),
    "mixed": (8.2, 31.7, 110.8, 154.0),
    "reader's shift": (23.8, 18.8, 48.7, 38.6),
    "common word": (3.4, 6.6, 45.0, 55.6),
}
"""The least fall of squared distance for SIZES: what a rough model reached on the same departments, six of them, that
takes each group's deviations from distributions learned from all."""


def figures_of(name: str, n: int) -> Iterator[Figure]:
    """The figures with the targets of a kind."""
    for f in FIGURES:
        if f.name == "fall" and name in GAINS and n in SIZES:
            yield replace(f, low=GAINS[name][SIZES.index(n)])
        elif f.name == "calibrated advised" and name.startswith("seen again"):
            yield replace(f, high=0.03)
        else:
            yield f


@dataclass
class Table:
    """Rows of Markdown, printed as they come."""

    title: str
    header: list[str]
    lines: list[str] = field(default_factory=list)
    missed: int = 0

    def __post_init__(self) -> None:
        self._put(f"{self.title}\n")
        self._put("| " + " | ".join(self.header) + " |\n" + "|---" * len(self.header) + "|")

    def _put(self, line: str) -> None:
        self.lines.append(line)
        print(line, flush=True)

    def row(self, *cells: str, missed: int = 0) -> None:
        """One more row."""
        self.missed += missed
        self._put("| " + " | ".join(cells) + " |")


def said_and_true(names: Iterable[str], sizes: Iterable[int], departments: int) -> Table:
    """Verdicts, advice and intervals of all kinds."""
    settings = Settings(bootstrap=0)
    table = Table("Verdicts, advice and intervals:", ["department", "n", *(f.title for f in FIGURES)])
    table.row("target", "", *(f.target for f in FIGURES))
    for name in names:
        kind = KINDS[name]
        for n in sizes:
            sums = Sums()
            big = kind.readers * kind.topics > 100
            for seed in range(max(departments // 3, 1) if big else departments):
                made = department(kind, n, seed)
                judge(made, told(made.observations, settings), settings, sums)
            shown = [(*f.shown(sums), "" if f in FIGURES else f" ({f.target})") for f in figures_of(name, n)]
            cells = (text + own for text, _, own in shown)
            table.row(name, f"{n:,}", *cells, missed=sum(missed for _, missed, _ in shown))
    return table


POWERS = {0.7: (0.189, 0.232, 0.418, 0.800), 1.6: (0.035, 0.049, 0.300, 0.914)}
"""The power of the test in RadCal 0.2 by slope, for SIZES; nine tenths of it are to be left."""


def tests(sizes: Iterable[int], departments: int) -> Table:
    """The test of the word error, looks over time and who lies apart."""
    table = Table("Tests, looks and who lies apart:", ["of", "department", "n", "figure", "target"])

    def row(what: str, name: str, n: int, sums: Sums, figure: Figure) -> None:
        shown, missed = figure.shown(sums)
        table.row(what, name, f"{n:,}", shown, figure.target, missed=missed)

    settings = Settings()
    levels = {name: KINDS[name] for name in ("calibrated", "hedging CT", "seen again, 3", "seen again, 1-10")}
    cells = [("level", name, kind, Figure("p", "", 0.03, 0.07)) for name, kind in levels.items()]
    cells += [("power", f"slope {b}", sloped(b), Figure("p", "")) for b in POWERS]
    for (what, name, kind, figure), n in product(cells, sizes):
        sums = Sums()
        for seed in range(2 * departments):
            for page in pages(told(department(kind, n, seed).observations, settings, advice=False)):
                tested = [r.p_value_word for r, _ in page if r.p_value_word is not None]
                sums.add("p", sum(map(below, tested)), len(tested))
        if what == "power" and n in SIZES:
            figure = replace(figure, low=0.9 * POWERS[float(name.split()[1])][SIZES.index(n)])
        row(what, name, n, sums, figure)
    counts = []
    for seed in range(max(departments // 2, 1)):
        made, found = department(Kind(opposite, 40, 14), 100, seed), [0, 0]
        for r, _ in told(made.observations, settings, advice=False):
            is_opposite = np.allclose(group_of(made.rates, r)[HEDGED], 1 - MEAN[HEDGED])
            found[not is_opposite] += below(r.q_value_word)
        counts.append(found)
    sums = Sums()
    sums.add("found", min(opposite for opposite, _ in counts))
    sums.add("others", max(others for _, others in counts))
    row("found, q < 0.05, least", "five of 560 groups are opposite", 100, sums, Figure("found", "", 5, form=".0f"))
    row("others, most", "five of 560 groups are opposite", 100, sums, Figure("others", "", high=2, form=".0f"))
    sums = looks(departments)
    for name in LOOKS:
        # A p-value is of one look; nothing is said of people from it.
        most = inf if name == "p < 0.05" else 0.06
        row(f"{name} at some of {MONTHS} looks", "calibrated", MONTHS * A_MONTH, sums, Figure(name, "", high=most))
    sums = Sums()
    for seed in range(10 * departments):
        made = department(Kind(readers=20, topics=1), 300, seed, apart=1.5 * (-1) ** seed)
        (r, _), *_ = told(made.observations, Settings(bootstrap=0), advice=False)
        held = [p.low - TIE <= made.rates[0, 0, PLACE[p.phrase]] <= p.high + TIE for p in r.phrases]
        sums.add("held", sum(held), len(held))
    row("intervals", "one of 20 readers lies apart", 15, sums, Figure("held", "", 0.93, 0.97))
    for n in sizes:
        sums = Sums()
        for name, readers, seed in product(APART_IN, (5, 12, 20), range(departments)):
            judge_apart(department(replace(KINDS[name], readers=readers, topics=3), n, 50 + seed), sums)
        row("who lies apart, false", ", ".join(APART_IN), n, sums, Figure("false", "", high=0.05))
        row(f"found of those {100 * OFF_FAR:.0f} points or more off", "the same", n, sums, Figure("found", ""))
    return table


APART_IN = ("calibrated", "near", "private word", "mixed", "reader's shift")
OFF_FAR = 0.2


def judge_apart(made: Department, sums: Sums) -> None:
    """Add who is said to lie apart on a pathology, and whether the word's true rate does.

    The others are those who are not said to, where these say the word often enough, else all.
    """
    settings = Settings(bootstrap=0)
    tables = build_tables(made.observations, WORDS)
    spread = spread_of(tables, WORDS, settings)
    place = {group: q for q, group in enumerate(tables.groups)}
    said = tables.counts.sum(axis=2)
    rates = np.array([made.rates[int(author.split()[1]), int(topic.split()[1])] for author, topic in tables.groups])
    for whole in measure_pooled(tables, WORDS, settings, "topic", spread=spread):
        own = [place[part.name, whole.topic] for part in whole.parts]
        n, rate = said[own], rates[own]
        usual = n * np.array([[not part.differs] for part in whole.parts])
        all_others, others = (x.sum(axis=0) - x for x in (n, usual))
        among = np.where(others >= settings.min_phrase_n, usual, n)
        rest = np.where(others >= settings.min_phrase_n, others, all_others)
        off = rate - ((among * rate).sum(axis=0) - among * rate) / np.maximum(rest, 1)
        far = (np.abs(off) >= OFF_FAR) & (n >= settings.min_phrase_n) & (rest >= settings.min_phrase_n)
        for part, by, is_far in zip(whole.parts, off, far.any(axis=1), strict=True):
            if part.differs:
                above = part.positives / part.said > part.others_positives / part.others_said
                gap = by[PLACE[part.phrase]]
                sums.add("false", (gap if above else -gap) < APART)
            if is_far:
                sums.add("found", part.differs)


def looks(departments: int) -> Sums:
    """Which groups of calibrated readers something false was said of, at one monthly look or another."""
    sums = Sums()
    for seed in range(max(departments // 3, 1)):
        made = department(CALIBRATED, MONTHS * A_MONTH, seed)
        rows = made.observations
        month = rows.groupby(["author", "topic"], observed=True).cumcount() // A_MONTH
        rows["time"] = pd.Timestamp("2024-01-15") + pd.to_timedelta(30 * month, unit="D")
        ever: defaultdict[tuple[str, str], Array] = defaultdict(lambda: np.zeros(len(LOOKS)))
        for last in range(MONTHS):
            for r, advice in told(rows[month <= last], Settings()):
                c: defaultdict[str, float] = defaultdict(float)
                judge_words(r, group_of(made.rates, r), 0, c)
                untrue = c["matches false"] + c["differs false"] > 0
                advised = advice is not None and len(advice.recommendations) > 0
                seen = [untrue, advised, below(r.p_value_word), below(r.q_value_word)]
                ever[r.author, r.topic] = np.maximum(ever[r.author, r.topic], seen)
        for said in ever.values():
            for name, value in zip(LOOKS, said, strict=True):
                sums.add(name, value)
    return sums


def scanned(sizes: Iterable[int], departments: int) -> Table:
    """What is said, and what of it is true of all patients, where not everybody gets a CT."""
    said = {"matches": "matches", "stronger or weaker": "differs", "advice": "advised"}
    table = Table("Patients without a CT, said / true of all patients:", ["odds", "n", "without a CT", *said])
    for odds, n, known in product((1, 2, 4), sizes, ("unknown", "weighted", "bounds")):
        settings = Settings(bootstrap=0, verification="bounds" if known == "bounds" else "weighted")
        c: defaultdict[str, float] = defaultdict(float)
        for name, seed in product(("calibrated", "mixed", "private word"), range(departments)):
            made = department(replace(KINDS[name], odds=odds, plain=(0.011, 0.989)), n, seed)
            for r, advice in told(made.observations, settings, all_known=known != "unknown"):
                truth = group_of(made.rates, r)
                judge_words(r, truth, settings.min_phrase_n, c)
                assert advice is not None
                judge_advice(advice, truth, group_of(made.use, r), c)
        c["advised false"] = c["advised"] - c["closer"]
        table.row(f"{odds}", f"{n:,}", known, *(f"{c[k]:,.0f} / {c[k] - c[f'{k} false']:,.0f}" for k in said.values()))
    return table


def write(path: Path, tables: Iterable[Table], name: str = "said and true") -> None:
    """Put the tables between the marks of a file that have this name.

    Raises:
        ValueError: it has no such marks.
    """
    text = path.read_text(encoding="utf-8")
    marks = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = text.partition(marks[0])
    _, ends, after = rest.partition(marks[1])
    if not (found and ends):
        raise ValueError(f"{path} does not have {' and '.join(marks)}.")
    made = "\n\n".join("\n".join(t.lines) for t in tables)
    path.write_text(f"{before}{marks[0]}\n\n{made}\n\n{marks[1]}{after}", encoding="utf-8")


def main() -> int:
    """Print both tables; returns 0 if every target holds."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--quick", action="store_true", help="fewer departments and sizes")
    asked.add_argument("--kinds", nargs="*", choices=KINDS, help="of the first table; none for the second alone")
    asked.add_argument("--scanned", action="store_true", help="only the table of patients without a CT")
    asked.add_argument("--sizes", type=int, nargs="+")
    asked.add_argument("--departments", type=int)
    asked.add_argument("--write", type=Path, metavar="FILE", help="put the tables between the marks of this file")
    args = asked.parse_args()
    departments = args.departments or (2 if args.quick else 6)
    sizes = args.sizes or ((100, 300) if args.quick else SIZES)
    if args.scanned:
        scanned(sizes, departments)
        return 0
    kinds = [k for k in KINDS if not (args.quick and "40 x" in k)] if args.kinds is None else args.kinds
    tables = [said_and_true(kinds, sizes, departments)] if kinds else []
    print()
    if not args.kinds:
        tables.append(tests(sizes, departments))
    if args.write:
        write(args.write, tables)
    return int(any(t.missed for t in tables))


if __name__ == "__main__":
    sys.exit(main())
