"""Options shared by several commands, grouped by subject."""

from __future__ import annotations

import argparse
from pathlib import Path

from radcal import workflow
from radcal.cli.values import day, full_path, page_language


def add_statistics(step: argparse.ArgumentParser) -> None:
    """Settings of the statistics."""
    step.add_argument("--settings", type=Path, metavar="FILE", help="settings as a JSON object")
    step.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")
    step.add_argument("--min-group-n", type=int, metavar="N", help="fewest statements for a curve (default 30)")
    step.add_argument(
        "--min-phrase-n", type=int, metavar="N", help="fewest uses of a phrase for advice on it (default 10)"
    )


def add_workspace(step: argparse.ArgumentParser, text: str) -> None:
    """The workspace, about which ``text`` says what the step needs, and its passphrase."""
    step.add_argument("--workspace", type=Path, required=True, metavar="W", help=text)
    step.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="file that holds the passphrase; else RADCAL_PASSPHRASE in the environment; else it is asked for",
    )


def add_mapping(step: argparse.ArgumentParser, example: str) -> None:
    """Columns of report files that go by other names."""
    step.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="OURS=COLUMN",
        help=f"a column that was not recognised, for example {example}; may be given several times",
    )


def add_paper(step: argparse.ArgumentParser) -> None:
    """Paper and PDF standard of the pages."""
    step.add_argument("--paper", choices=("a4", "us-letter"), default="a4", help="default a4")
    step.add_argument(
        "--standard",
        choices=("a-2b", "a-2a", "ua-1"),
        default="",
        help="PDF/A-2b or PDF/A-2a for archives, PDF/UA-1 for screen readers",
    )


def add_days(step: argparse.ArgumentParser) -> None:
    """The days whose examinations the pages are made of."""
    step.add_argument(
        "--from",
        dest="first_day",
        type=day,
        metavar="DATE",
        help="pages of examinations from this day on alone, such as 2026-01-01 (default all)",
    )
    step.add_argument(
        "--to",
        dest="last_day",
        type=day,
        metavar="DATE",
        help="pages of examinations up to this day alone, the day included (default all)",
    )


def add_language(step: argparse.ArgumentParser) -> None:
    """The language of the pages."""
    step.add_argument(
        "--language",
        type=page_language,
        default="en",
        metavar="en|de",
        help="what the pages are written in, with a region if it matters, such as en-GB (default en)",
    )


def add_engine(step: argparse.ArgumentParser, default: str | None = workflow.ENGINES[0]) -> None:
    """What reads the reports, and the settings of the Llama; without a ``default``, the workspace's settings hold."""
    step.add_argument("--engine", default=default, choices=workflow.ENGINES, help="what reads the reports")
    step.add_argument(
        "--model",
        type=full_path,
        metavar="FILE.gguf",
        help="the model of the engine llama; else the small one that ships with RadCal",
    )
    llama = step.add_argument_group("the engine llama")
    for option, kind, sign, text in (
        ("context", int, "N", "tokens for the prompt, a report and its answer together (default 4096)"),
        ("gpu-layers", int, "N", "layers on the GPU; -1 for all that fit (default), 0 for none"),
        ("parallel", int, "N", "reports at a time; 0 to go by the machine (default)"),
        ("threads", int, "N", "processor threads; 0 to go by the machine (default)"),
        ("report-seconds", float, "S", "longest time for one report (default 600)"),
        ("temperature", float, "T", "0 for the most probable answer (default), above 0 for a drawn one"),
        ("llama-seed", int, "N", "seed of drawn answers (default 0)"),
    ):
        dest = f"llama_{option.removeprefix('llama-').replace('-', '_')}"
        llama.add_argument(f"--{option}", dest=dest, type=kind, metavar=sign, help=text)
    llama.add_argument(
        "--prompts",
        dest="llama_prompts",
        type=full_path,
        metavar="DIR",
        help="folder with prompt files of your own; else those of RadCal",
    )
    llama.add_argument(
        "--prompt-style",
        dest="llama_prompt",
        choices=("auto", "base", "chat"),
        help="plain prompt, the model's chat template, or the template where it has one (default auto)",
    )
