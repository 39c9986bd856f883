"""The steps on people and language models as users of certainty words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_out, add_statistics
from radcal.cli.settings import settings_of
from radcal.cli.values import ways_of_asking
from radcal.workflow.audits.asking import WAYS, HowToAsk
from radcal.workflow.commands.asking import ask_file
from radcal.workflow.commands.models import models_file

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def models(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Measure and mend how certain language models say they are."""
    return models_file(args.answers, args.out, args.lexicon, settings_of(args), progress=bar)


def ask(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Ask a language model questions, and measure what its certainty is worth."""
    return ask_file(
        args.questions,
        args.gguf,
        args.out,
        [args.way] if args.way else args.compare,
        samples=args.samples,
        temperature=args.heat,
        match=args.match,
        judge=args.judge,
        lexicon=args.lexicon,
        settings=settings_of(args),
        progress=bar,
    )


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
    _add_models(add)
    _add_ask(add)


def _add_models(add: Add) -> None:
    step = add(
        models,
        "how certain language models say they are, measured and mended",
        "Every model on every question set, as a radiologist on a pathology: ECE, Brier and accuracy as it speaks, "
        "and after the ordered plan, the paper's transport, Platt scaling and histogram binning, each fitted on one half "
        "of the answers and judged on the other; and what fewer phrases would cost.",
    )
    answers = "JSON lines: confidence (phrase, number or Beta(a, b)), correct, and if known author and topic; or a CSV"
    add_file(step, "answers", "FILE.jsonl", answers, nargs="+")
    add_file(step, "--lexicon", "LEX.csv", "columns phrase, alpha, beta; else the words of RadCal")
    add_out(step, "M.json", "the result, as JSON")
    add_statistics(step)


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
        "as the judge says",
    )
    add_file(step, "--judge", "FILE.gguf", "another model, which says what answers mean the same")
    add_file(step, "--lexicon", "LEX.csv", "the phrases to choose from; else those that ship with RadCal")
    step.add_argument("--samples", type=int, default=10, metavar="N", help="random answers a question (default 10)")
    step.add_argument(
        "--temperature", dest="heat", type=float, default=1.0, metavar="T", help="of random answers (default 1)"
    )
    step.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")
    add_file(step, "--settings", "FILE", "settings as a JSON object, such as llama_threads and llama_gpu_layers")
