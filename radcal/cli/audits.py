"""The steps on people and language models as users of certainty words, and on what results depend on."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal import workflow
from radcal.audit.statements import SHOTS
from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_names_key, add_out, add_statistics, add_workspace
from radcal.cli.passphrases import passphrase
from radcal.cli.settings import settings_of
from radcal.cli.values import hours_listed, ways_of_asking
from radcal.errors import InputError
from radcal.records import ALL_TOPICS
from radcal.records.subgroups import STRATIFIERS
from radcal.workflow.audits.asking import SAMPLES, WAYS, HowToAsk
from radcal.workflow.audits.perception import ALL_STATEMENTS
from radcal.workflow.commands.asking import ask_file
from radcal.workflow.commands.casemix import case_mix_file
from radcal.workflow.commands.groups import Grouping, groups_file
from radcal.workflow.commands.habits import habits_file
from radcal.workflow.commands.hedges import hedge_file
from radcal.workflow.commands.models import models_file
from radcal.workflow.commands.perception import perception_file, perception_of_model
from radcal.workflow.commands.sensitivity import sensitivity_file
from radcal.workflow.commands.variability import variability_file

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_groups(add)
    _add_models(add)
    _add_ask(add)
    _add_perception(add)
    _add_hedge(add)
    _add_variability(add)
    _add_sensitivity(add)
    _add_casemix(add)
    _add_habits(add)


def groups(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare methods of recalibration in groups of findings."""
    grouping = Grouping(
        _names(args.by), _names(args.kdtree), args.depth, seeds=args.seeds, seed=args.seed, points=args.points
    )
    return groups_file(args.scores_csv, args.out, grouping, lexicon=args.lexicon, scores_out=args.scores, progress=bar)


def _add_groups(add: Add) -> None:
    step = add(
        groups,
        "whether stated certainties hold in every group of findings, and what would make them hold",
        "Nine methods are fitted on one part of each author's rows and judged on another, over several random splits: "
        "as stated, Platt scaling, histogram binning, scaling-binning, isotonic, beta, and three that know the groups.",
    )
    columns = "columns author, confidence (0-1, or a phrase with --lexicon), outcome (0-1), and those to group by"
    add_file(step, "scores_csv", "SCORES.csv", columns)
    how = step.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--by",
        default="",
        metavar="COLUMN[,...]",
        help="group by these columns; an empty cell is a group of its own, numbers such as ages are cut into quarters",
    )
    how.add_argument(
        "--kdtree",
        default="",
        metavar="COLUMN[,...]",
        help="group by the leaves of a k-d tree over these columns of numbers, cut in this order",
    )
    step.add_argument("--depth", type=int, metavar="D", help="levels of the tree; a depth of 3 makes 8 groups")
    step.add_argument("--seeds", type=int, default=8, metavar="N", help="random splits (default 8)")
    step.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first split (default 0)")
    step.add_argument(
        "--points", type=int, metavar="B", help="fewest findings of a bin; else tuned for each author and split"
    )
    add_file(step, "--lexicon", "LEX.csv", "columns phrase, alpha, beta: a phrase counts as its mean")
    add_out(step, "G.json", "the figures, as JSON")
    add_file(step, "--scores", "S.csv", "besides, what every method says of every row, with its split and group")


def models(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure and recalibrate how certain language models say they are."""
    return models_file(args.answers, args.out, args.lexicon, settings_of(args), progress=bar)


def _add_models(add: Add) -> None:
    step = add(
        models,
        "how certain language models say they are, measured and recalibrated",
        "Every model on every question set, as a radiologist on a pathology: ECE, Brier and accuracy as it speaks, "
        "and after the ordered plan, the paper's transport, Platt scaling and histogram binning, each fitted on half "
        "of the answers and judged on the other; and what fewer phrases would cost.",
    )
    answers = "JSON lines: confidence (phrase, number or Beta(a, b)), correct, and if known author and topic; or a CSV"
    add_file(step, "answers", "FILE.jsonl", answers, nargs="+")
    shipped = "else the two shipped surveys, the public's first"
    add_file(step, "--lexicon", "LEX.csv", f"columns phrase, alpha, beta; {shipped}")
    add_out(step, "M.json", "the result, as JSON")
    add_statistics(step)


def ask(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Ask a language model questions, and measure what its certainty is worth."""
    settings = settings_of(args)
    how = HowToAsk(
        args.gguf,
        (args.way,) if args.way else args.compare,
        samples=args.samples,
        temperature=args.heat,
        match=args.match,
        judge=args.judge,
        seed=settings.seed,
    )
    return ask_file(args.questions, how, args.out, lexicon=args.lexicon, settings=settings, progress=bar)


def _add_ask(add: Add) -> None:
    step = add(
        ask,
        "a language model's answers to questions, and what its certainty is worth",
        "Asks a model on this computer in one way, or compares several. The answers are what `radcal models` reads. "
        "The same command again goes on where it was stopped.",
    )
    add_file(step, "questions", "QUESTIONS", "JSON lines or CSV: question, answer (several separated by |), topic")
    add_file(step, "--model", "FILE.gguf", "the chat or base model to ask", dest="gguf", required=True)
    how = step.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--as",
        dest="way",
        choices=WAYS,
        help="how it says how sure it is: a phrase, a probability, a Beta distribution, a hedged sentence (lc, or lc+ "
        "with detailed instructions), or the meaning that most of several random answers share (semantic)",
    )
    how.add_argument(
        "--compare",
        type=ways_of_asking,
        nargs="?",
        const=WAYS,
        metavar="WAY,...",
        help="several ways in one go, one row each; all of them without a list",
    )
    add_out(step, "ANSWERS.jsonl", "one line an answer; with several ways, each is an author of its own")
    step.add_argument(
        "--match",
        choices=HowToAsk.MATCHES,
        default="normalised",
        help="when an answer is right: letter by letter, up to case, accents, punctuation and articles (default), or "
        "as the model of --judge says",
    )
    add_file(step, "--judge", "FILE.gguf", "another model, which says what answers mean the same")
    add_file(step, "--lexicon", "LEX.csv", "the phrases to choose from; else those of the shipped public survey")
    how_many = f"random answers a question (default {SAMPLES})"
    step.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help=how_many)
    step.add_argument(
        "--temperature", dest="heat", type=float, default=1.0, metavar="T", help="of random answers (default 1)"
    )
    step.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")
    add_file(step, "--settings", "FILE", "settings as a JSON object, such as llama_threads and llama_gpu_layers")


def perception(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare how people or a local model read certainty words with a reference."""
    if (args.responses is None) == (args.model_file is None):
        raise InputError("Give either RESPONSES.csv, or --model FILE.gguf to ask a local model.")
    how: dict[str, Any] = {
        "reference": args.compared_with,
        "expressions": args.expressions,
        "settings": settings_of(args),
        "progress": bar,
    }
    asked = {"shots": args.shots, "most": args.statements}
    asked = {name: value for name, value in asked.items() if value is not None}
    if args.responses is None:
        return perception_of_model(args.model_file, args.out, **asked, **how)
    if asked:
        raise InputError("--shots and --statements are about asking a model: they go with --model, not with answers.")
    return perception_file(args.responses, args.out, **how)


def _add_perception(add: Add) -> None:
    step = add(
        perception,
        "how people or a local model read certainty words, against a reference",
        "Of answers from 0 to 100: agreement with the reference, error of the means, distance of the distributions, "
        "and whether true statements are read higher than false ones. docs/perception.md explains the figures.",
    )
    columns = "columns participant, expression, response (0-100), and statement_true if there is one"
    add_file(step, "responses", "RESPONSES.csv", columns, nargs="?")
    add_file(
        step,
        "--model",
        "FILE.gguf",
        "ask this local model instead, by its chances of every number from 0 to 100",
        dest="model_file",
    )
    step.add_argument(
        "--reference",
        dest="compared_with",  # the setting of that name is another one
        default="",
        metavar="REF.csv|NAME",
        help="a file with the same columns, or one of the surveys that ship with RadCal, radiologists or public; else "
        "the answers themselves, for a model the radiologists",
    )
    step.add_argument(
        "--expressions",
        metavar="LIST",
        help="these alone: expressions between commas, or a file with one a line (default all)",
    )
    step.add_argument("--shots", type=int, choices=SHOTS, help="worked answers that the model is shown (default 0)")
    step.add_argument(
        "--statements",
        type=_statements,
        metavar="N",
        help=f"how many of the {ALL_STATEMENTS} private and of the {ALL_STATEMENTS} verifiable statements the model is "
        "asked about (default all)",
    )
    add_out(step, "P.json", "the figures, overall and of each expression")
    add_file(step, "--settings", "FILE", "settings as a JSON object")
    step.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")


def hedge(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Estimate how sure sentences sound."""
    return hedge_file(args.sentences, args.out, args.fit, progress=bar)


def _add_hedge(add: Add) -> None:
    step = add(
        hedge,
        "how sure sentences sound to their readers, in numbers",
        "For every sentence the confidence from 0 to 1 that people read from it, an interval that holds nine in ten "
        "readings, and the words that it rests on. English alone is read; docs/hedges.md says what it is made from.",
    )
    columns = "columns text and, to measure the error, score: the confidence that people took from it, 0-1"
    add_file(step, "sentences", "FILE.csv", columns)
    add_file(step, "--fit", "TRAIN.csv", "learn from these sentences and scores first; at least 20")
    add_out(step, "OUT.csv", "one row for each row, in order: text, score, estimate, low, high, words, why")


def variability(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare how sources word the same contexts."""
    return variability_file(args.answers, args.out, reference=args.reference, seed=args.seed, progress=bar)


def _add_variability(add: Add) -> None:
    step = add(
        variability,
        "how differently people or models word the same contexts",
        "For each source the expected total variation distance between its words and the reference's, beside what the "
        "reference's own answers differ by among themselves.",
    )
    columns = "columns context, source, word and, if wanted, count (answers, or probabilities)"
    add_file(step, "answers", "FILE.csv", columns)
    step.add_argument(
        "--reference",
        default="",
        metavar="SOURCE",
        help="the source that the others are compared with; else each is compared with all others together",
    )
    step.add_argument("--seed", type=int, default=0, metavar="N", help="seed of every random draw (default 0)")
    add_out(step, "V.json", "the result, as JSON")


def sensitivity(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure a workspace under other pairing windows, and look ahead to more findings."""
    key = passphrase(args, new=False)
    with workflow.open_for_exports(args.workspace, key, names_key=args.names_key) as results:
        department = workflow.department_of(results)
        return sensitivity_file(
            department, args.out, windows=args.windows, more=args.more, named=args.names, progress=bar
        )


def _add_sensitivity(add: Add) -> None:
    step = add(
        sensitivity,
        "what another pairing window, or more findings, would make of the results",
        "Pairs the reports anew in memory and measures what was read of them; the workspace keeps its results. "
        "Besides, the smallest changes that more findings would show, and when there will be enough for advice.",
    )
    step.add_argument(
        "--windows",
        type=hours_listed,
        default=workflow.WINDOWS,
        metavar="3,6,12,24",
        help="longest times from X-ray to CT to try, in hours (default 3,6,12,24); the present one is always shown",
    )
    step.add_argument(
        "--more", type=int, default=workflow.FURTHER, metavar="N", help="further findings to look ahead to (default 40)"
    )
    _add_names(step)
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")
    add_out(step, "S.json", "the result, as JSON")


def casemix(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Compare radiologists for the same mix of cases."""
    columns = [name.strip() for name in args.by.split(",") if name.strip()]  # one that is given twice is refused
    key = passphrase(args, new=False)
    return case_mix_file(
        args.workspace,
        key,
        columns,
        args.out,
        topic=args.topic,
        named=args.names,
        names_key=args.names_key,
        progress=bar,
    )


def _add_casemix(add: Add) -> None:
    step = add(
        casemix,
        "radiologists compared as if all had seen the department's mix of cases",
        "From the analysis that `run` made last: each radiologist's confirmed rates and word error, raw and "
        "standardised to the department's mix, and the reliability of each group of the columns.",
    )
    columns = f"columns whose combinations are the strata, separated by commas: {', '.join(STRATIFIERS)}"
    step.add_argument("--by", required=True, metavar="COLUMN[,...]", help=columns)
    step.add_argument("--topic", default=ALL_TOPICS, metavar="NAME", help="one pathology alone (default all)")
    _add_names(step)
    add_out(step, "C.json", "the result, as JSON")
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")


def habits(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Count the reports with a hedge, a standard word, a recommendation."""
    key = passphrase(args, new=False)
    return habits_file(args.workspace, key, args.out, args.by, named=args.names, names_key=args.names_key, progress=bar)


def _add_habits(add: Add) -> None:
    step = add(
        habits,
        "the share of reports with a hedge, with a standard word, with a recommendation",
        "By radiologist, or by month or quarter as well, X-ray and CT reports apart, each with its n and interval. "
        "Recommendations are counted in all imported reports, hedges and standard words in those that were read. "
        "docs/habits.md says what is counted.",
    )
    step.add_argument(
        "--by",
        choices=("author", "month", "quarter"),
        default="author",
        help="rows for all dates (default), or for each",
    )
    _add_names(step)
    add_out(step, "H.csv", "the table, as CSV or Excel")
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")


def _add_names(step: argparse.ArgumentParser) -> None:
    """Whether radiologists are named."""
    step.add_argument(
        "--names",
        action="store_true",
        help="radiologists by their names; else by the pseudonyms of the pages, which the names key explains, or "
        "pseudonyms.csv of `run` where names are in the workspace",
    )
    add_names_key(step)


def _names(listed: str) -> tuple[str, ...]:
    """Column names that are separated by commas."""
    return tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))


def _statements(text: str) -> int:
    """From 2, a pair, to all."""
    if not text.isdecimal() or not 2 <= int(text) <= ALL_STATEMENTS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of statements; write one from 2 to {ALL_STATEMENTS}")
    return int(text)
