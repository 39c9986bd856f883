"""Is what is said of a goal true?  Goals set in departments whose truth is known, and followed up.

    OMP_NUM_THREADS=1 python benchmarks/bench_goals.py [--departments N] [--kinds K ...] [--write FILE]

In a department of `simulated.py` with BEFORE findings of each reader on each pathology, goals are chosen in two ways:
"advised", each word that RadCal advises to replace; "worst", in every group the hedged word with 20 uses or more that
looks farthest off, which is as bad as choosing by chance can get, with the word whose meaning is nearest to what CT
confirmed in its place.  Then AFTER findings more are read:

    nothing changes    everybody goes on as before
    CT changes         of all readers, an outcome on the goal's far side turns in 1 of 10 cases: words come closer that
                       nobody writes otherwise
    the reader does    writes the other word in 7 of 10 cases

By look (30, 60 and 120 uses of both words): how often "closer" is said, of the goals that have got so far; "ever", at
one look or another, which is the false rate where nothing changes; "farther" likewise.  "Before, less true": by how
much the distance that is expected before lies above the true one, in points, and, "raw", by how much that seen in the
findings by which the goal was chosen does, which is the regression to the mean.

A false rate above 0.05 by more than the simulation's own error (one-sided 95 %, by departments) has a !, and the exit
status is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
from bench_months import drawn
from bench_truth import Figure, Sums, Table, told, write
from numpy.typing import NDArray
from simulated import KINDS, MEAN, PLACE, WORDS, Department, department

from radcal.calibration.goal_changes import LEVEL, LOOKS, goal_change
from radcal.calibration.reliability import spread_of
from radcal.calibration.tables import build_tables
from radcal.system.settings import Settings

READERS, TOPICS, BEFORE, AFTER = 16, 4, 200, 600
SET = date(2026, 7, 1)
FOLLOWED, TURNED = 0.7, 0.1
TRUTHS = ("nothing changes", "CT changes", "the reader does")
SETTINGS = Settings(bootstrap=0)

Goal = tuple[str, str, str, str]
"""Author, topic, the word to be left, and the one in its place."""


def advised(before: pd.DataFrame) -> Iterator[Goal]:
    """Every word that RadCal advises to replace by another hedge."""
    for r, advice in told(before, SETTINGS):
        assert advice is not None
        for a in advice.recommendations:
            if 0 < MEAN[PLACE[a.source]] < 1:
                yield r.author, r.topic, a.source, a.target


def worst(before: pd.DataFrame) -> Iterator[Goal]:
    """In every group the hedge that looks farthest off, and the word nearest to what was seen of it."""
    seen = before.groupby(["author", "topic", "phrase"], observed=True)["outcome"].agg(["size", "mean"]).reset_index()
    seen["meaning"] = MEAN[[PLACE[str(word)] for word in seen["phrase"]]]
    seen = seen[(seen["size"] >= SETTINGS.min_phrase_n) & seen["meaning"].between(0.01, 0.99)]
    seen["off"] = (seen["mean"] - seen["meaning"]).abs()
    for row in seen.sort_values("off").groupby(["author", "topic"], observed=True).tail(1).itertuples():
        others = np.where(np.abs(MEAN - row.meaning) < 0.05, np.inf, np.abs(MEAN - row.mean))
        others[[PLACE["absent"], PLACE["present"]]] = np.inf
        yield str(row.author), str(row.topic), str(row.phrase), WORDS[int(others.argmin())].name


def since_then(
    after: pd.DataFrame, goal: Goal, truth: str, own: NDArray[np.bool_], rng: np.random.Generator
) -> pd.DataFrame:
    """What is said after the goal was set; ``own``: rows of its reader on its topic."""
    if truth == "CT changes":
        far = float(MEAN[PLACE[goal[2]]] < MEAN[PLACE[goal[3]]])
        turned = (after["outcome"] == far).to_numpy() & (rng.random(len(after)) < TURNED)
        return after.assign(outcome=np.where(turned, 1 - far, after["outcome"]))
    if truth == "the reader does":
        replaced = own & (after["phrase"] == goal[2]).to_numpy() & (rng.random(len(after)) < FOLLOWED)
        codes = np.where(replaced, PLACE[goal[3]], after["phrase"].cat.codes)
        return after.assign(phrase=pd.Categorical.from_codes(codes, after["phrase"].cat.categories))
    return after


def distance(made: Department, goal: Goal, before: pd.DataFrame) -> tuple[float, float]:
    """How far off the goal's words truly are in the use of before, and how far they were seen to be."""
    author, topic, *words = goal
    own = before[(before["author"] == author) & (before["topic"] == topic) & before["phrase"].isin(words)]
    k = np.array([PLACE[word] for word in own["phrase"].astype(str)])
    side = np.sign(MEAN[PLACE[words[0]]] - MEAN[PLACE[words[1]]])
    rates = made.rates[int(author.split()[1]), int(topic.split()[1])]
    use = made.use[int(author.split()[1]), int(topic.split()[1])]
    place = [PLACE[word] for word in words]
    true = (use[place] * (MEAN[place] - rates[place])).sum() / use[place].sum()
    return side * float(true), side * float((MEAN[k] - own["outcome"]).mean())


def follow_up(made: Department, choose: str, seed: int, sums: Sums) -> None:
    """Add what is said of the goals of one department."""
    rng = np.random.default_rng([3, seed])
    rows = made.observations
    place = rows.groupby(["author", "topic"], observed=True).cumcount().to_numpy()
    rows["xray_time"] = pd.Timestamp(SET) + pd.to_timedelta(np.where(place < BEFORE, -1, 1 + place - BEFORE), unit="D")
    before, after = rows[place < BEFORE], rows[place >= BEFORE]
    spread = spread_of(build_tables(before, WORDS), WORDS, SETTINGS)
    for goal in advised(before) if choose == "advised" else worst(before):
        author, topic, *words = goal
        true, raw = distance(made, goal, before)
        own = ((after["topic"] == topic) & (after["author"] == author)).to_numpy()
        for truth in TRUTHS:
            since = since_then(after, goal, truth, own, rng)
            everything = pd.concat([before, since], ignore_index=True)
            uses = since[own & since["phrase"].isin(words)].sort_values("xray_time")
            ever: defaultdict[str, bool] = defaultdict(bool)
            for look in (k for k in LOOKS if k <= len(uses)):
                until = everything["xray_time"] <= uses["xray_time"].iloc[look - 1]
                found = goal_change(
                    everything[until], author, topic, (words[0], words[1]), SET, WORDS, SETTINGS, spread=spread
                )
                for name in ("closer", "farther"):
                    sums.add(f"{truth} {name} {look}", found.became == name)
                    ever[name] |= found.became == name
                if truth == TRUTHS[0] and look == LOOKS[0]:
                    assert found.before is not None
                    sums.add("expected", 100 * (found.before - true))
                    sums.add("raw", 100 * (raw - true))
            if len(uses) >= LOOKS[0]:
                for name in ("closer", "farther"):
                    sums.add(f"{truth} {name}", ever[name])


KINDS_SHOWN = ("the model", "calibrated", "near", "private word", "mixed", "reader's shift")


def goals(names: tuple[str, ...], departments: int) -> Table:
    """What is said of goals, by how they are chosen and what is true."""
    looks = [f"closer at {look}" for look in LOOKS]
    table = Table(
        "What is said of goals:",
        ["department", "goals", "n", "truth", *looks, "closer, ever", "farther, ever", "before, less true (raw)"],
    )
    for name in names:
        for choose in ("advised", "worst"):
            sums = Sums()
            for seed in range(departments):
                model = name == "the model"
                kind = drawn(seed, READERS, TOPICS) if model else replace(KINDS[name], readers=READERS, topics=TOPICS)
                follow_up(department(kind, BEFORE + AFTER, seed), choose, seed, sums)
            for truth in TRUTHS:
                limit = {"high": LEVEL} if truth != TRUTHS[2] else {}
                cells = [Figure(f"{truth} closer {look}", "").shown(sums)[0] for look in LOOKS]
                ever, missed = Figure(f"{truth} closer", "", **limit).shown(sums)
                worse, also = Figure(f"{truth} farther", "", high=LEVEL).shown(sums)
                off = [Figure(which, "", form=".1f").shown(sums)[0] for which in ("expected", "raw")]
                n = str(len(sums.parts(f"{truth} closer")))
                about = f"{off[0]} ({off[1]})" if truth == TRUTHS[0] else ""
                table.row(name, choose, n, truth, *cells, ever, worse, about, missed=missed + also)
    return table


def main() -> int:
    """Print the table; returns 0 if every target holds."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--departments", type=int, default=6)
    asked.add_argument("--kinds", nargs="+", choices=KINDS_SHOWN, default=KINDS_SHOWN)
    asked.add_argument("--write", type=Path, metavar="FILE", help="put the table between the marks of this file")
    args = asked.parse_args()
    table = goals(tuple(args.kinds), args.departments)
    if args.write:
        write(args.write, [table], "goals")
    return int(table.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
