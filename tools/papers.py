"""Every experiment, table and figure of the five papers behind RadCal: what reproduces it, or why it cannot be had.

    python -m tools.papers [NAME ...]      runs those whose data is at hand, all or by name, into out/papers
    python -m tools.papers --page          writes docs/papers.md

The lists are tools/papers_list/*.toml, one a paper:

    title, read             the paper, and how it was read for the list
    item.where, item.shows  the number of its table or figure, or the section of its claim, and what it is about
    item.paper              the paper's figure, or what it says
    item.ours               ours on the data at hand, as last run
    item.how                the command, or the true reason why it cannot be had
    item.trial              a run of a command: name (of the file in out/papers), ending (of it), data (a file in the
                            folder shared/data; without, observations made up; "words", answers made up), command
                            (arguments of radcal, with {data}, {out} and {models}), figure (a function of this module
                            that reads ours from what was made)

Data that is not RadCal's to ship is looked for in a folder "shared" beside the
checkout, models in the folder that RADCAL_MODELS names; what lacks either is said
to be not run.  Returns 1 if a command failed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
LISTS, PAGE, OUT = ROOT / "tools" / "papers_list", ROOT / "docs" / "papers.md", ROOT / "out" / "papers"


@dataclass(frozen=True, slots=True)
class Trial:
    """A run of a command on data at hand.

    name: of the files in out/papers;  data: file in the folder shared/data, or of MADE
    command: arguments of ``radcal``, with {data}, {out} and {models};  ending: of the file written
    ours: the same figure from the file written, or, where that is no JSON, from what the command prints
    """

    name: str
    data: str
    command: tuple[str, ...]
    ending: str
    ours: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Item:
    """One experiment, table or figure.

    where: its place in the paper;  shows: what it is about
    paper: the paper's figure, or what it says;  ours: the same on the data at hand, '' where there is none
    how: the commands that reproduce it or its method, or why it cannot be had;  trial: of it, if there is one
    """

    where: str
    shows: str
    how: str
    paper: str = ""
    ours: str = ""
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """read: how much of it could be read for this list."""

    title: str
    read: str
    items: tuple[Item, ...]


_MADE = ("none", "platt", "histogram", "transport", "ordered", "department", "department_rates")


def _models(found: Any) -> str:
    """Means over models and question sets, as stated and recalibrated, with words as distributions."""
    groups = [m["methods"] for m in found["models"] if m["methods"]]
    told = "; ".join(f"{n} {_mean(groups, n, 'ece')}, {_mean(groups, n, 'brier')}" for n in _MADE)
    return f"ECE and Brier score, mean of {len(groups)} models and question sets: {told}"


def _table_1(found: Any) -> str:
    """ECE and Brier score of means for each question set, means over models."""
    told = []
    for topic in sorted({m["topic"] for m in found["models"] if m["methods"]}):
        own = [m for m in found["models"] if m["topic"] == topic and m["methods"]]
        right = statistics.mean(m["right"] for m in own)
        groups = [m["methods"] for m in own]
        values = "; ".join(
            f"{n} {_mean(groups, n, 'ece_of_means')}, {_mean(groups, n, 'brier_of_means')}" for n in _MADE
        )
        told.append(f"{topic} ({len(own)} models, right {right:.2f}): {values}")
    return "ECE and Brier score of means. " + ". ".join(told)


def _mean(groups: Sequence[Any], method: str, score: str) -> str:
    known = [g[method][score] for g in groups if g.get(method) and g[method][score] is not None]
    return f"{statistics.mean(known):.3f}" if known else "-"


def _bins(found: Any) -> str:
    """ECE by the number of bins, of words as distributions and of their means."""
    told = []
    for name in ("ece", "ece_of_means"):
        columns = zip(*([d[name] for d in m["diagrams"]] for m in found["models"]), strict=True)
        told.append("-".join(f"{statistics.mean(column):.3f}" for column in columns))
    sizes = ", ".join(str(d["bins"]) for d in found["models"][0]["diagrams"])
    return f"ECE with {sizes} bins: of distributions {told[0]}, of means {told[1]}"


def _grid(found: Any) -> str:
    """ECE of means on held-out halves for each epsilon, over tau2."""
    points = [p for m in found["models"] for p in m["grid"]]
    told = []
    for epsilon in sorted({p["epsilon"] for p in points}):
        own = [p["ece"] for p in points if p["epsilon"] == epsilon]
        told.append(f"epsilon {epsilon:g}: " + ", ".join("no plan" if e is None else f"{e:.3f}" for e in own))
    prices = ", ".join(f"{p:g}" for p in sorted({p["tau2"] for p in points}))
    return f"ECE of means on held-out halves with tau2 = {prices}. {'; '.join(told)}"


def _sizes(found: Any) -> str:
    """ECE by the number of words, well chosen."""
    sizes: dict[int, list[float]] = {}
    for m in found["models"]:
        for size in m["sizes"]:
            if size["choice"] == "best":
                sizes.setdefault(size["phrases"], []).append(size["ece_of_means"])
    return "ECE of means with so many words: " + ", ".join(f"{k}: {statistics.mean(v):.3f}" for k, v in sizes.items())


_GROUPED = ("none", "platt", "umd", "scaling_binning", "qab", "s_qab", "hs_qab_paper", "hs_qab")


def _groups(found: Any) -> str:
    """CE in groups and AUAC as published, means over models, for each question set where they are apart."""
    sets: dict[str, list[Any]] = {}
    for a in found["authors"]:
        if a["methods"]:
            sets.setdefault(a["author"].partition(" / ")[2], []).append(a["methods"])
    told = []
    for name, groups in sets.items():
        values = "; ".join(f"{n} {_mean(groups, n, 'ce_beta')}, {_mean(groups, n, 'auac_grid')}" for n in _GROUPED)
        told.append(f"{name + ', ' if name else ''}{len(groups)} models: {values}")
    return "CE in groups and AUAC. " + ". ".join(told)


def _definition(found: Any) -> str:
    groups = [a["methods"] for a in found["authors"] if a["methods"]]
    told = (f"{n} {_mean(groups, n, 'ce_beta_exact')}, {_mean(groups, n, 'ce_beta')}" for n in _GROUPED)
    return f"CE in groups by its definition, and in ten bins: {'; '.join(told)}"


def _nu(found: Any) -> str:
    groups = [a["methods"] for a in found["authors"] if a["methods"]]
    return "; ".join(
        f"{n}: nu {_mean(groups, n, 'nu')}, bound {_mean(groups, n, 'bound')}" for n in ("qab", "s_qab", "hs_qab_paper")
    )


def _selective(found: Any) -> str:
    """Share answered, and right among these, where the certainty is 0.9 or more."""
    groups = [a["methods"] for a in found["authors"] if a["methods"]]
    told = []
    for n in _GROUPED:
        own = [p for g in groups for p in g[n]["selective"] if p["threshold"] == 0.9]
        right = [p["right"] for p in own if p["right"] is not None]
        told.append(f"{n} {statistics.mean(p['answered'] for p in own):.2f}, {statistics.mean(right):.3f}")
    return f"answered at a certainty of 0.9 or more, and right: {'; '.join(told)}"


def _perception(found: Any) -> str:
    return f"mode {found['mode_pa']:.3f}, PA {found['pa']:.3f}, MAE {found['mae']:.2f}"


def _hedges(found: Any) -> str:
    return (
        f"MSE {found['mse']:.4f} ({found['mse_low']:.4f}-{found['mse_high']:.4f}) on {found['scored']} of "
        f"{found['rows']} sentences, as it ships; they were not held out: words were chosen with their misses in view"
    )


def _hedges_by_model(found: Any) -> str:
    low, high = (10_000 * found[f"mse_{end}"] for end in ("low", "high"))
    return f"{10_000 * found['mse']:.0f} ({low:.0f}-{high:.0f}) on {found['scored']} sentences"


def _read(found: Any) -> str:
    """A model's reading of words: all its chances and the likeliest number, knowledge bias and its own verdicts."""
    told = []
    for name in ("all_chances", "greedy"):
        way, bias, each = found[name], found[name]["knowledge_bias"], found[name]["knowledge_bias_each"]
        kinds = "; ".join(
            f"{kind} PA {a['pa']:.3f}, MAE {a['mae']:.1f}, W1 {a['w1']:.1f}, spread {a['iqr']:.1f}"
            for kind, a in (("private", way["private"]), ("true or false", way["verifiable"]))
        )
        bias = (
            f"{bias['difference']:+.1f} points (p = {bias['p_value']:.2g}, n = {bias['n']}; W {each['statistic']:g}, "
        )
        told.append(
            f"{name.replace('_', ' ')}: {kinds}, knowledge bias {bias}p = {each['p_value']:.2g}, n = {each['n']})"
        )
    beliefs = ", ".join(f"{name} {share['value']:.2f}" for name, share in found["beliefs"].items())
    apart = found["decoding_w1"]
    told.append(
        f"apart by decoding {apart['private']:.1f} and {apart['verifiable']:.1f}; own verdicts right: {beliefs}"
    )
    if shown := found["worked_answers"]:
        pairs = (f"{s['truth']} {s['greedy']:.1f}, {s['all_chances']:.1f}" for s in shown)
        told.append(f"by truth of worked answers, greedy and all chances: {'; '.join(pairs)}")
    return f"{found['statements']} private statements, {found['pairs']} pairs. {'. '.join(told)}"


def _asked(found: Any) -> str:
    """ECE and AUROC of each way of asking."""
    ways = [
        f"{w['asked_as']} " + ", ".join("-" if (e := w[k]["value"]) is None else f"{e:.2f}" for k in ("ece", "auroc"))
        for w in found["ways"]
    ]
    right = found["ways"][0]["accuracy"]["value"]
    return f"{found['questions']} questions, right {right:.2f}; ECE, AUROC: {'; '.join(ways)}"


def _worded(found: Any) -> str:
    """ECE against all, and against halves, and the distance of sources; and the traits that count."""
    c = found["control"]
    told = [
        f"people: ECE {c['own_ece']:.2f}, against halves {c['whole_ece']:.2f}; "
        f"halves {c['ece']:.2f}, TVD {c['expected_tvd']:.2f}"
    ]
    told += [
        f"{s['source']}: ECE {s['ece']:.2f}, against halves {s['half_ece']:.2f}, TVD {s['expected_tvd']:.2f}"
        for s in found["sources"]
    ]
    its = found["traits"][0]
    traits = ", ".join(f"{t['name']} {t['coefficient']:.3f}" for t in its["traits"])
    return f"{len(found['contexts'])} contexts made up. {'; '.join(told)}; traits of {its['source']}: {traits}"


def _transported(found: Any) -> str:
    (group,) = found["groups"]
    test = group["test"]
    return (
        f"on held-out halves: ECE {test['ece_before']:.3f}, then {test['ece_after']:.3f}; "
        f"Brier {test['brier_before']:.3f}, then {test['brier_after']:.3f}"
    )


def _measured(found: Any) -> str:
    (group,) = found["groups"]
    return f"ECE {group['ece']:.3f} ({group['ece_low']:.3f}-{group['ece_high']:.3f})"


_FIGURES: dict[str, Callable[[Any], str]] = {
    "measured": _measured,
    "transported": _transported,
    "models": _models,
    "table_1": _table_1,
    "bins": _bins,
    "grid": _grid,
    "sizes": _sizes,
    "groups": _groups,
    "definition": _definition,
    "nu": _nu,
    "selective": _selective,
    "perception": _perception,
    "hedges": _hedges,
    "hedges_by_model": _hedges_by_model,
    "read": _read,
    "asked": _asked,
    "worded": _worded,
}


def _listed() -> tuple[Paper, ...]:
    papers = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(LISTS.glob("*.toml"))]
    return tuple(Paper(p["title"], p["read"], tuple(map(_item, p["item"]))) for p in papers)


def _item(entry: dict[str, Any]) -> Item:
    trial = entry.pop("trial", None)
    return Item(**entry, trial=trial and _trial(**trial))


def _trial(*, command: str, figure: str, data: str = "", **others: str) -> Trial:
    return Trial(command=tuple(command.split()), ours=_FIGURES[figure], data=data, **others)


PAPERS = _listed()


def page() -> str:
    """docs/papers.md."""
    parts = [
        "# The five papers, and what reproduces them",
        "Every numbered table and figure and the claims of the text: the paper's figure, ours on the data at hand and "
        "the command that makes it, or why it cannot be had.",
        "`make papers` runs what is named in the last column (into `out/papers`), with the paper's figure beside ours. "
        "Data that does not ship is looked for in a folder `shared` beside the checkout. This page is written by "
        "`python -m tools.papers --page`, from the list that is run.",
    ]
    for paper in PAPERS:
        rows = ["| where | what it shows | the paper | ours | how | make papers |", "|---|---|---|---|---|---|"]
        rows += [
            f"| {i.where} | {i.shows} | {i.paper} | {i.ours} | {i.how} | {i.trial.name if i.trial else ''} |"
            for i in paper.items
        ]
        parts += [f"## {paper.title}", f"*Read: {paper.read}*", "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def made_up(path: Path) -> None:
    """Observations of an author whose words are too strong by half, of the shipped words."""
    import numpy as np

    from radcal.system.exports import Exports, table
    from radcal.words.phrases import load_lexicon, mean_of

    rng = np.random.default_rng(0)
    words = [p for p in load_lexicon().phrases if 0 < mean_of(p) < 1]
    said = rng.integers(len(words), size=2000).tolist()
    rows = [("author", "topic", "phrase", "outcome")]
    rows += [("A", "edema", words[k].name, str(int(rng.random() < 0.25 + mean_of(words[k]) / 2))) for k in said]
    Exports().write(path, table(rows, what="observations"))


def made_up_words(path: Path) -> None:
    """Next words of 40 people in 300 contexts, and of three sources: alike draws as they do, bold says their most
    frequent word, blind has the words of another context in half of its answers."""
    import numpy as np

    from radcal.system.exports import Exports, table

    rng = np.random.default_rng(0)
    habits = rng.dirichlet(np.full(30, 0.15), 300) ** rng.uniform(0.5, 2, (300, 1))
    habits /= habits.sum(axis=1, keepdims=True)
    rows: list[tuple[str, ...]] = [("context", "source", "word", "count")]
    for c, habit in enumerate(habits):
        people = rng.multinomial(40, habit)
        said = {
            "people": people,
            "alike": rng.multinomial(40, habit),
            "bold": 40 * (np.arange(30) == people.argmax()),
            "blind": rng.multinomial(40, (habit + habits[c - 1]) / 2),
        }
        context = f"{'and ' * int(rng.integers(1, 50))}{c}"
        rows += [(context, who, f"w{w}", str(n)) for who, counts in said.items() for w, n in enumerate(counts) if n]
    Exports().write(path, table(rows, what="answers"))


MADE = {"": ("OBS.csv", made_up), "words": ("WORDS.csv", made_up_words)}
"""Data that is made up: the name of its file, and what makes it."""


def run(trial: Trial, out: Path, made_by: dict[tuple[str, ...], Path] | None = None) -> str:
    """Run a trial and tell; '' for its figure where the command failed.

    Args:
        trial: of the list.
        out: the folder to write to.
        made_by: what was made before, by data and command, and is not made again; this trial's is added.

    Raises:
        FileNotFoundError: the data or the model is not at hand.
    """
    models = os.environ.get("RADCAL_MODELS", "")
    if any("{models}" in part and not Path(part.format(models=models)).is_file() for part in trial.command):
        raise FileNotFoundError("its model is not in the folder that RADCAL_MODELS names")
    if trial.data in MADE:
        name, make = MADE[trial.data]
        make(data := out / name)
    elif not (data := SHARED / trial.data).exists():
        raise FileNotFoundError(f"its data, {trial.data}, is not in {SHARED}")
    made_by = {} if made_by is None else made_by
    asked = (trial.data, *trial.command)
    if trial.ending == ".json" and asked in made_by:
        return trial.ours(json.loads(made_by[asked].read_text(encoding="utf-8")))
    made = out / f"{trial.name}{trial.ending}"
    values = {"data": str(data), "out": str(made), "models": models}
    command = [sys.executable, "-m", "radcal", *(part.format(**values) for part in trial.command), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - RadCal itself
    if done.returncode not in (0, 1):
        print(done.stderr.strip()[-500:], file=sys.stderr)
        return ""
    made_by[asked] = made
    return trial.ours(json.loads(made.read_text(encoding="utf-8") if trial.ending == ".json" else done.stdout))


def trials() -> tuple[tuple[str, Trial], ...]:
    """All that can be run, each beside the paper's figure."""
    return tuple((item.paper, item.trial) for paper in PAPERS for item in paper.items if item.trial)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or run the trials and print a line for each."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="*", metavar="NAME")
    asked.add_argument("--page", action="store_true", help="write docs/papers.md")
    asked.add_argument("--out", type=Path, default=OUT)
    args = asked.parse_args(arguments)
    names = [trial.name for _, trial in trials()]
    if unknown := [name for name in args.names if name not in names]:
        asked.error(f"there is no trial {unknown[0]!r}; known: {', '.join(names)}")
    if args.page:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    args.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    made_by: dict[tuple[str, ...], Path] = {}
    for published, trial in trials():
        if args.names and trial.name not in args.names:
            continue
        try:
            ours = run(trial, args.out, made_by)
        except FileNotFoundError as why:
            print(f"{trial.name}: not run: {why}", flush=True)
            continue
        failed += not ours
        print(f"{trial.name}\n  paper: {published}\n  ours:  {ours or 'failed'}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
