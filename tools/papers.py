"""Every experiment, table and figure of the five papers behind RadCal: what reproduces it, or why it cannot be had.

    python -m tools.papers [NAME ...]      runs those whose data is at hand, all or by name, into out/papers
    python -m tools.papers --page          writes docs/papers.md from the list below

Data that is not RadCal's to ship is looked for in a folder "shared" beside the checkout; what lacks its data, or its
command, is said to be not run and why.  Returns 1 if a command failed.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
PAGE, OUT = ROOT / "docs" / "papers.md", ROOT / "out" / "papers"
COORDINATES = ",".join(f"x{i}" for i in range(1, 17))


@dataclass(frozen=True, slots=True)
class Trial:
    """A run of a command on data at hand.

    name: of the files in out/papers;  data: file in the folder shared/data, '' for statements made up here
    command: arguments of ``radcal``, with {data} and {out};  ending: of the file written
    published: the paper's figure, or what it says;  ours: the same figure from the file written
    """

    name: str
    data: str
    command: tuple[str, ...]
    ending: str
    published: str
    ours: Callable[[Path], str]


@dataclass(frozen=True, slots=True)
class Item:
    """One experiment, table or figure.

    where: its place in the paper;  shows: what it is about
    how: the commands that reproduce it or its method, or why it cannot be had;  trial: of it, if there is one
    """

    where: str
    shows: str
    how: str
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """read: how much of it could be read for this list."""

    title: str
    read: str
    items: tuple[Item, ...]


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _models(path: Path) -> str:
    """Mean over models and question sets of the ECE, as stated and recalibrated."""
    groups = [m["methods"] for m in _json(path)["models"] if m["methods"]]
    names = ("none", "ordered", "transport", "platt", "histogram")
    ece = {n: [g[n]["ece"] for g in groups if g.get(n) and g[n]["ece"] is not None] for n in names}
    told = ", ".join(f"{n} {statistics.mean(values):.3f}" for n, values in ece.items() if values)
    return f"ECE, mean of {len(groups)} models and question sets: {told}"


def _groups(path: Path) -> str:
    authors = [a["methods"] for a in _json(path)["authors"] if a["methods"]]
    named = ("none", "platt", "umd", "scaling_binning", "isotonic", "beta", "qab", "s_qab", "hs_qab")
    mean = {n: statistics.mean(a[n]["ce_beta"] for a in authors) for n in named}
    best = min(named[:6], key=lambda n: mean[n])
    shown = ("none", best, "qab", "s_qab", "hs_qab")
    told = ", ".join(f"{n} {mean[n]:.3f}" for n in dict.fromkeys(shown))
    return f"CE in groups, mean of {len(authors)} models: {told}"


def _perception(path: Path) -> str:
    found = _json(path)
    return f"mode {found['mode_pa']:.3f}, PA {found['pa']:.3f}, MAE {found['mae']:.2f}"


def _hedges(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        estimates = [row["estimate"] for row in csv.DictReader(file)]
    with (SHARED / "hedges" / "hedges_dev.csv").open(encoding="utf-8", newline="") as file:
        scores = [float(row["score"]) for row in csv.DictReader(file)]
    off = [(float(e) - s) ** 2 for e, s in zip(estimates, scores, strict=True) if e]
    return f"MSE {statistics.mean(off):.4f} on {len(off)} of {len(scores)} sentences, as it ships"


def _transported(path: Path) -> str:
    (group,) = _json(path)["groups"]
    test = group["test"]
    return (
        f"on held-out halves: ECE {test['ece_before']:.3f}, then {test['ece_after']:.3f}; "
        f"Brier {test['brier_before']:.3f}, then {test['brier_after']:.3f}"
    )


def _measured(path: Path) -> str:
    (group,) = _json(path)["groups"]
    return f"ECE {group['ece']:.3f} ({group['ece_low']:.3f}-{group['ece_high']:.3f})"


MADE_UP = "no figure to compare with: the paper's reports are private; here a made-up author whose words are too strong"
CEC = Paper(
    "Calibrating Expressions of Certainty (ICLR 2025)",
    "Abstract, the paper's code with its prompts, the captions of some figures, and the equations that RadCal "
    "follows. "
    "Its 17 figures and 7 tables could not be read one by one; those of the appendix are named by their subject.",
    (
        Item(
            "3.2",
            "words as distributions, from a survey of ranges (radiology) and one of numbers (123 respondents)",
            "Both surveys ship with RadCal and make its lexicon: the page Words shows each word's distribution "
            "beside the "
            "answers, and `radcal reliability OBS.csv --lexicon LEX.csv` takes any other.",
        ),
        Item(
            "eq. 4-7, 11, 19",
            "ECE, MCE, ECE* and reliability diagrams over distributions",
            "`radcal reliability OBS.csv --method midpoint --out R.json` has the paper's approximation of the "
            "bins, without "
            "`--method` they are exact.",
            Trial(
                "cec-reliability",
                "",
                ("reliability", "{data}", "--method", "midpoint", "--out", "{out}"),
                ".json",
                MADE_UP,
                _measured,
            ),
        ),
        Item(
            "figures of radiologists",
            "reliability of radiologists by pathology and person, X-ray against CT",
            "The reports are private. The same on a department's own reports: `radcal run --xray X.csv --ct "
            "CT.csv --out "
            "DIR --workspace W`; on a made-up department with known truth: `radcal demo --out DIR`.",
        ),
        Item(
            "figure 3, eq. 12-13",
            "cost matrix, transport plan, reliability before and after, for atelectasis and edema",
            "The reports are private. `radcal advise OBS.csv --solver paper --tau2 0.001 --out A.json`; the "
            "page Advice "
            "shows costs, plan, before and after. RadCal's own default is the ordered plan.",
            Trial(
                "cec-transport",
                "",
                ("advise", "{data}", "--solver", "paper", "--tau2", "0.001", "--out", "{out}"),
                ".json",
                MADE_UP,
                _transported,
            ),
        ),
        Item(
            "4.3, table 1",
            "language models on SciQ and TruthfulQA: transport beside Platt scaling and histogram binning",
            "Closed models (GPT-4o and others) answered, so that the answers cannot be made again here. The "
            "same table for "
            "any model's answers: `radcal models FILE.jsonl --out M.json`; answers of a local model: `radcal ask "
            "QUESTIONS --model FILE.gguf --as phrase --out A.jsonl`.",
            Trial(
                "cec-models",
                "models/confidence_dev.csv",
                ("models", "{data}", "--out", "{out}"),
                ".json",
                "transport does about as well as Platt scaling and histogram binning (other models and questions)",
                _models,
            ),
        ),
        Item(
            "4.3, figure over sizes of phrase set",
            "how many phrases are enough",
            "In the same M.json under `sizes`, and on the page Models.",
        ),
        Item(
            "appendix: prompts",
            "extraction of findings by language models, confidences as phrase, number or Beta",
            "RadCal has rules and prompts of its own: `radcal extract REPORTS.csv --engine llama --out F.csv`, "
            "`radcal "
            "ask`. Accuracy on annotated reports: `radcal gold GOLD.tsv F.csv`.",
        ),
        Item(
            "discussion",
            "words against numbers: how much of what recalibration can gain do words reach",
            "`radcal advise OBS.csv --out A.json` puts histogram binning, Platt scaling and isotonic regression "
            "beside the "
            "plan, under `baselines`; the page Advice shows it under Words or numbers.",
        ),
    ),
)
QAC = Paper(
    "QA-Calibration of Language Model Confidence Scores (ICLR 2025)",
    "Abstract, first pages, the captions of some tables, and summaries of the experiments. Numbers of its "
    "tables could not "
    "be read.",
    (
        Item(
            "figure 1, example 2.1",
            "calibrated on average, and for no group of users",
            "`radcal groups SCORES.csv --by COLUMN --out G.json` shows it on any table, method `none`, CE "
            "beside CE in "
            "groups.",
        ),
        Item(
            "algorithms 1-4",
            "QA binning, scaling QA binning, uniform-mass binning with the delta tie-break",
            "Methods qab, s_qab, umd of `radcal groups`; hs_qab is the hierarchical one.",
        ),
        Item(
            "guarantee",
            "how far a bin may lie from the truth, for a number of points a bin",
            "`bound` in G.json, and its inverse: how many findings for +-eps.",
        ),
        Item(
            "table 2; tables 6 and 7",
            "CE in groups and AUAC of all methods; MMLU and BigBench, then TriviaQA, SciQ, OpenBookQA; Mistral "
            "and Gemma, two prompts",
            "No published answers of these models were found. The same table on published answers of other models to "
            "other questions: `radcal groups SCORES.csv --kdtree x1,...,x16 --depth 4 --seeds 8 --out G.json`, and "
            "`benchmarks/bench_groups.py`.",
            Trial(
                "qac-groups",
                "models/confidence_dev.csv",
                ("groups", "{data}", "--kdtree", COORDINATES, "--depth", "4", "--seeds", "8", "--out", "{out}"),
                ".json",
                "QA binning and scaling QA binning have the lowest CE in groups (other models and questions)",
                _groups,
            ),
        ),
        Item(
            "tables 4 and 5",
            "question sets and prompts",
            "`radcal ask QUESTIONS --model FILE.gguf --as probability --out A.jsonl` asks a local model any "
            "questions, in prompts of "
            "RadCal's own.",
        ),
        Item(
            "appendix: embeddings",
            "which embedding makes the tree",
            "RadCal makes no embeddings of questions: coordinates are columns of the table.",
        ),
    ),
)
PLU = Paper(
    "Perceptions of Linguistic Uncertainty by Language Models and Humans (EMNLP 2024)",
    "Abstract, the description of its code and data, and the figures that the data gives. Its tables and heat "
    "maps could "
    "not be read one by one.",
    (
        Item(
            "table of humans and models: people",
            "proportional agreement and mean absolute error, and the same for the mode",
            "`radcal perception RESPONSES.csv --out P.json`",
            Trial(
                "plu-people",
                "perception/people_nonverifiable.csv",
                ("perception", "{data}", "--out", "{out}"),
                ".json",
                "mode 0.276, PA 0.176, MAE 8.91",
                _perception,
            ),
        ),
        Item(
            "table of humans and models: ten models",
            "the same for ten language models, open and closed",
            "Closed models cannot be run here; the figures of a local one: `radcal perception --model FILE.gguf "
            "--out "
            "P.json`.",
        ),
        Item(
            "heat maps",
            "distribution of numbers for each expression",
            "The page Models, and the histograms in P.json.",
        ),
        Item(
            "true and false statements",
            "knowledge bias: answers depend on whether a statement is true",
            "`knowledge_bias` in P.json, with a column statement_true; for a local model on 60 statements of "
            "RadCal's own: "
            "`radcal perception --model FILE.gguf --out P.json`. The paper's 60 trivia and 400 AI2-ARC "
            "statements are "
            "not shipped.",
        ),
        Item(
            "appendix: zero- and two-shot",
            "whether worked answers help",
            "`radcal perception --model FILE.gguf --shots 2 --out P.json`",
        ),
        Item(
            "appendix: names, genders, prompts",
            "whether the speaker's name matters",
            "Not reproduced: the paper's sets of names are not shipped.",
        ),
    ),
)
PNW = Paper(
    "Predict the Next Word: Humans Exhibit Uncertainty in this Task and Language Models _____ (EACL 2024)",
    "Abstract, first page and summaries of the experiments. (It is listed elsewhere under EMNLP 2023; the "
    "proceedings are "
    "those of EACL 2024.) Numbers of its tables could not be read.",
    (
        Item(
            "figure 1",
            "people's and models' distributions of the next word in two contexts",
            "`radcal variability FILE.csv --reference SOURCE --out V.json` on any such table. The Provo corpus "
            "is not "
            "shipped.",
        ),
        Item(
            "distances",
            "total variation distance of GPT2, BLOOM and ChatGPT from people, and people's from themselves",
            "Models and corpus are not shipped; the figures are `expected_tvd` and `control` of `radcal variability`.",
        ),
        Item(
            "ECE",
            "why the ECE misleads where people disagree",
            "`ece` beside `expected_tvd`, by how far people agree: `agreement` of `radcal variability`.",
        ),
        Item(
            "parts of speech, meanings",
            "distances of word classes and of clusters of meaning",
            "Not reproduced: it needs a tagger and embeddings of words.",
        ),
        Item(
            "in a department",
            "(RadCal's own) how differently radiologists word the same kind of finding",
            "The page Compare, Wording.",
        ),
    ),
)
LUH = Paper(
    "Can Large Language Models Express Uncertainty Like Human? (2025)",
    "Abstract, first page, and the figures that its public sentences give. Tables could not be read one by one.",
    (
        Item(
            "data set",
            "sentences with the confidence that people read from them",
            "No licence is stated: the sentences are measured and fitted on at hand, never shipped.",
        ),
        Item(
            "table of mappers",
            "mean squared error of models asked directly, and of a small encoder",
            "`radcal hedge FILE.csv --out OUT.csv`; fitted on one's own sentences: `radcal hedge FILE.csv --fit "
            "TRAIN.csv "
            "--out OUT.csv`",
            Trial(
                "luh-hedges",
                "hedges/hedges_dev.csv",
                ("hedge", "{data}", "--out", "{out}"),
                ".csv",
                "MSE 0.0185 (GPT-5 asked directly), 0.0087 (the paper's encoder), on other sentences of the set",
                _hedges,
            ),
        ),
        Item(
            "table 2",
            "ECE and AUROC of LC, LC+, stated numbers and semantic uncertainty, by model and question set",
            "Closed models cannot be run here. For a local one: `radcal ask QUESTIONS --model FILE.gguf "
            "--compare --out A.jsonl`.",
        ),
        Item(
            "abstentions",
            "answers that decline count as 0 for AUROC and are left out of ECE",
            "As in `radcal ask`.",
        ),
        Item(
            "fine-tuning",
            "models that hedge better",
            "Not reproduced: RadCal trains no language models.",
        ),
    ),
)
PAPERS = (CEC, QAC, PLU, PNW, LUH)


def page() -> str:
    """docs/papers.md."""
    parts = [
        "# The five papers, and what reproduces them",
        "What each experiment, table and figure is about, the command that makes the same of data at hand, and "
        "where that "
        "cannot be had, why: private reports, closed models, data that is not RadCal's to ship. How much of "
        "each paper "
        "could be read for this list is said at its head; where a number of a table was not known, none is given.",
        "`make papers` runs what is named in the last column (into `out/papers`), with the paper's figure "
        "beside ours. "
        "Data that does not ship is looked for in a folder `shared` beside the checkout. This page is written "
        "by `python "
        "-m tools.papers --page`, from the list that is run.",
    ]
    for paper in PAPERS:
        rows = ["| where | what it shows | how | make papers |", "|---|---|---|---|"]
        rows += [f"| {i.where} | {i.shows} | {i.how} | {f'{i.trial.name}' if i.trial else ''} |" for i in paper.items]
        parts += [f"## {paper.title}", f"*Read: {paper.read}*", "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def made_up(path: Path) -> None:
    """Observations of an author whose words are too strong by half, of the shipped words."""
    import numpy as np

    from radcal.exports import Exports, table
    from radcal.lexicon.phrases import load_lexicon, mean_of

    rng = np.random.default_rng(0)
    words = [p for p in load_lexicon().phrases if 0 < mean_of(p) < 1]
    said = rng.integers(len(words), size=2000).tolist()
    rows = [("author", "topic", "phrase", "outcome")]
    rows += [("A", "edema", words[k].name, str(int(rng.random() < 0.25 + mean_of(words[k]) / 2))) for k in said]
    Exports().write(path, table(rows, what="observations"))


def run(trial: Trial, out: Path) -> str:
    """Run a trial and tell; '' for its figure where the command failed.

    Raises:
        FileNotFoundError: the data is not at hand.
    """
    data = SHARED / trial.data if trial.data else out / "OBS.csv"
    if trial.data and not data.exists():
        raise FileNotFoundError(f"its data, {trial.data}, is not in {SHARED}")
    if not trial.data:
        made_up(data)
    made = out / f"{trial.name}{trial.ending}"
    values = {"data": str(data), "out": str(made)}
    command = [sys.executable, "-m", "radcal", *(part.format(**values) for part in trial.command)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - RadCal itself
    if done.returncode not in (0, 1):
        print(done.stderr.strip()[-500:], file=sys.stderr)
        return ""
    return trial.ours(made)


def trials() -> tuple[Trial, ...]:
    """All that can be run."""
    return tuple(item.trial for paper in PAPERS for item in paper.items if item.trial)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or run the trials and print a line for each."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="*", choices=["", *(t.name for t in trials())], default="")
    asked.add_argument("--page", action="store_true", help="write docs/papers.md")
    asked.add_argument("--out", type=Path, default=OUT)
    args = asked.parse_args(arguments)
    if args.page:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    args.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for trial in trials():
        if args.names and trial.name not in args.names:
            continue
        try:
            ours = run(trial, args.out)
        except FileNotFoundError as why:
            print(f"{trial.name}: not run: {why}", flush=True)
            continue
        failed += not ours
        print(f"{trial.name}\n  paper: {trial.published}\n  ours:  {ours or 'failed'}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
