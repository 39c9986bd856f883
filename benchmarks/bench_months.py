"""Does what is said every month stay true?  Departments whose truth is known, looked at month after month.

    OMP_NUM_THREADS=1 python benchmarks/bench_months.py [--departments N] [--kinds K ...] [--months M] [--write FILE]

Every month brings A_MONTH findings more of each reader on each pathology, and feedback is made from all findings so far
(`bench_truth.py` does so for calibrated readers alone).  "The model" are departments drawn from the model that RadCal
uses: whatever it claims must hold there.  The others are the kinds of `simulated.py`.

A statement is a reader, a pathology, a word and what is said of it: that it matches, overstates or understates, that
another word would have been closer, or that the hedged words do together.  By month: how many are said, which share of
them is false, and which of those that were not said the month before.  "At some month": of all statements that were
said at one month or another, each counted once, the share that is false; "standing", of those that are still said at
the end; "taken back", of the false ones the share that is not said any more then.  "Said twice": the share of false
ones of what was said in two months at least, the second with new findings.

A figure above its target by more than the simulation's own error (one-sided 95 %, by departments) has a !, and the exit
status is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from bench_truth import Figure, Sums, Table, group_of, is_true, told, write
from scipy.special import expit
from simulated import KINDS, MEAN, PLACE, Array, Kind, X, department

from radcal.advice.records import Advice
from radcal.calibration.model import ODD, PLAIN, SHIPPED, WIDE
from radcal.calibration.records import OFF, Reliability
from radcal.system.settings import Settings

READERS, TOPICS, A_MONTH, MONTHS = 6, 10, 10, 12
SHARE = 0.25
"""Of shift and slope, what is common to a reader's pathologies, and to a pathology's readers."""
_TIE = 1e-9


def drawn(seed: int, readers: int = READERS, topics: int = TOPICS) -> Kind:
    """A department drawn from the model: its spreads are those that RadCal ships with."""
    rng = np.random.default_rng([7, seed])
    groups = (readers, topics, 1)

    def crossed(deviation: float) -> Array:
        parts = rng.normal(size=(readers, 1, 1)), rng.normal(size=(1, topics, 1)), rng.normal(size=groups)
        shares = SHARE, SHARE, 1 - 2 * SHARE
        return np.asarray(deviation * sum(np.sqrt(s) * part for s, part in zip(shares, parts, strict=True)))

    def off(near: float, size: int) -> Array:
        private = rng.random((readers, topics, size)) < SHIPPED.private
        return rng.normal(size=private.shape) * np.where(private, SHIPPED.far, near)

    odd = rng.random(groups) < ODD
    shift, slope = (
        np.where(odd, wide * rng.normal(size=groups), crossed(usual))
        for usual, wide in zip((SHIPPED.shift, SHIPPED.slope), WIDE, strict=True)
    )
    hedges = shift + (1 + slope) * X + off(SHIPPED.near, len(X))
    edge = np.log((1 - PLAIN) / PLAIN)
    plain = expit(np.array([-edge, edge]) + off(SHIPPED.plain, 2))
    return Kind(lambda *_: hedges, readers, topics, plain=plain)  # type: ignore[arg-type]  # one pair for each group


def said_of(r: Reliability, advice: Advice, truth: Array) -> Iterator[tuple[str, str, bool]]:
    """Word and claim of each statement on a group, and whether it is true."""
    for p in r.phrases:
        if p.verdict in ("matches", "stronger", "weaker"):
            yield p.phrase, p.verdict, is_true(p.verdict, float(truth[PLACE[p.phrase]]), PLACE[p.phrase])
    if r.together is not None and r.together.verdict != "undecided":
        n = {PLACE[p.phrase]: p.n for p in r.phrases if 0 < p.mean < 1 and p.verdict != "too few"}
        off = sum(n[k] * (truth[k] - MEAN[k]) for k in n) / sum(n.values())
        yield "", r.together.verdict, bool(off <= -OFF if r.together.verdict == "stronger" else off >= OFF)
    for a in advice.recommendations:
        k, t = PLACE[a.source], PLACE[a.target]
        yield a.source, f"{a.target} instead", bool(abs(truth[k] - MEAN[t]) < abs(truth[k] - MEAN[k]) + _TIE)


def year(kind: Kind, months: int, seed: int, sums: Sums) -> None:
    """Add what is said in one department in so many months."""
    made, settings = department(kind, months * A_MONTH, seed), Settings(bootstrap=0)
    rows = made.observations
    month = rows.groupby(["author", "topic"], observed=True).cumcount() // A_MONTH
    known: dict[tuple[str, ...], bool] = {}
    times: defaultdict[tuple[str, ...], int] = defaultdict(int)
    before: set[tuple[str, ...]] = set()
    for last in range(months):
        now: set[tuple[str, ...]] = set()
        for r, advice in told(rows[month <= last], settings):
            assert advice is not None
            for word, claim, true in said_of(r, advice, group_of(made.rates, r)):
                now.add(statement := (r.author, r.topic, word, claim))
                known[statement] = true
                times[statement] += 1
        _add(f"month {last + 1}", now, known, sums)
        _add(f"new {last + 1}", now - before, known, sums)
        sums.add(f"said {last + 1}", len(now))
        before = now
    _add("at some month", set(known), known, sums)
    _add("said twice", {s for s in known if times[s] > 1}, known, sums)
    _add("standing", before, known, sums)
    false = {s for s, true in known.items() if not true}
    sums.add("taken back", len(false - before), len(false))


def _add(name: str, said: set[tuple[str, ...]], known: dict[tuple[str, ...], bool], sums: Sums) -> None:
    sums.add(name, sum(not known[s] for s in said), len(said))


MOST = 0.05
"""What each statement claims: to be at least 95 % sure."""


def by_month(names: Sequence[str], months: int, departments: int) -> Table:
    """The share of false ones among what is said, by month and over all of them."""
    shown = [m for m in (1, 2, 3, 6, 9, 12, 18, 24) if m <= months]
    more = ["at some month", "said twice", "standing", "taken back"]
    titles = [f"month {m}: said / false / of the new" for m in shown]
    table = Table("What is said every month, and which share of it is false:", ["department", *titles, *more])
    table.row("target", *(f"<= {MOST}" for _ in shown), f"<= {MOST}", f"<= {MOST}", f"<= {MOST}", "")
    for name in names:
        sums = Sums()
        for seed in range(departments):
            year(drawn(seed) if name == "the model" else KINDS[name], months, seed, sums)
        cells, missed = [], 0
        for m in shown:
            said, _ = sums.figure(f"said {m}")
            false, is_missed = Figure(f"month {m}", "", high=MOST).shown(sums)
            new, _ = Figure(f"new {m}", "").shown(sums)
            cells.append(f"{said:.0f} / {false} / {new}")
            missed += is_missed
        for figure in more:
            text, is_missed = Figure(figure, "", **({} if figure == "taken back" else {"high": MOST})).shown(sums)
            cells.append(text)
            missed += is_missed
        table.row(name, *cells, missed=missed)
    return table


SHOWN = ("the model", "calibrated", "near", "private word", "mixed", "reader's shift")


def main() -> int:
    """Print the table; returns 0 if every target holds."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--departments", type=int, default=12)
    asked.add_argument("--months", type=int, default=MONTHS)
    asked.add_argument("--kinds", nargs="+", choices=SHOWN, default=SHOWN)
    asked.add_argument("--write", type=Path, metavar="FILE", help="put the table between the marks of this file")
    args = asked.parse_args()
    table = by_month(args.kinds, args.months, args.departments)
    if args.write:
        write(args.write, [table], "every month")
    return int(table.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
