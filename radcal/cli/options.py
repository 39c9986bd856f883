"""Options shared by several commands, grouped by subject."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from radcal import workflow
from radcal.cli.values import day, folder_path, full_path, page_language
from radcal.workflow.runs.handing_on import FORMS

if TYPE_CHECKING:
    Arguments: TypeAlias = argparse.ArgumentParser | argparse._ArgumentGroup


def add_file(
    step: Arguments, name: str, sign: str, text: str, kind: Callable[[str], object] = Path, **more: Any
) -> None:
    """An argument or option that names a file or folder, shown as ``sign`` in the help."""
    step.add_argument(name, type=kind, metavar=sign, help=text, **more)


def add_out(step: argparse.ArgumentParser, sign: str, text: str) -> None:
    """The required file or folder to be written."""
    add_file(step, "--out", sign, text, required=True)


def add_form(step: argparse.ArgumentParser) -> None:
    """The form of findings."""
    step.add_argument(
        "--format",
        choices=FORMS,
        help="how findings are written, if the suffix does not say it: a table (CSV, Excel); FHIR Observations with "
        "SNOMED CT qualifiers, as a Bundle or one a line; a folder of DICOM structured reports",
    )


def add_statistics(step: argparse.ArgumentParser) -> None:
    """Settings of the statistics."""
    add_file(step, "--settings", "FILE", "settings as a JSON object")
    step.add_argument("--seed", type=int, metavar="N", help="seed of every random draw (default 0)")
    step.add_argument("--min-group-n", type=int, metavar="N", help="fewest statements for a curve (default 30)")
    step.add_argument(
        "--min-phrase-n", type=int, metavar="N", help="fewest uses of a phrase for advice on it (default 10)"
    )


def add_vocabulary(step: argparse.ArgumentParser) -> None:
    """The scale of certainty whose words advice may propose."""
    step.add_argument(
        "--vocabulary",
        metavar="NAME",
        help="scale of certainty whose words alone advice may propose: brigham, icd-203 or ipcc; '' for all words",
    )


def add_workspace(step: argparse.ArgumentParser, text: str, *, required: bool = True) -> None:
    """The workspace, described by ``text``, and its passphrase."""
    add_file(step, "--workspace", "W", text, required=required)
    add_passphrase(step)


def add_passphrase(step: argparse.ArgumentParser) -> None:
    """Where the passphrase of workspaces comes from."""
    held = "file that holds the passphrase; else RADCAL_PASSPHRASE in the environment; else it is asked for"
    add_file(step, "--passphrase-file", "FILE", held)
    step.add_argument(
        "--key-store",
        action="store_true",
        help="take the passphrase that the window was asked to remember from the key store of this computer (Windows "
        "Credential Locker, macOS Keychain, Secret Service or KWallet)",
    )


def add_names_key(step: argparse.ArgumentParser) -> None:
    """Where the names of radiologists are."""
    where = "the file with the names of radiologists, where it is not beside the workspace as W.names"
    add_file(step, "--names-key", "FILE.names", where)


def add_mapping(step: argparse.ArgumentParser, example: str) -> None:
    """Names of columns that are not recognised in report files."""
    step.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="OURS=COLUMN",
        help=f"a column that was not recognised, for example {example}; may be given several times",
    )
    step.add_argument(
        "--preset",
        default="",
        metavar="FILE|NAME",
        help="how the files are read: a preset saved on the Import page, or epic, cerner, powerscribe, centricity, "
        "sectra for their typical exports; --map comes before it",
    )
    step.add_argument(
        "--as-whole",
        action="store_true",
        help="read what may be cut short, too: messages, frames and last lines that do not end, and lines of text "
        "without a status. Look at what is listed before you say so",
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
    """The date range of the examinations on the pages."""
    for option, dest, text in (
        ("--from", "first_day", "pages of examinations from this day on alone, such as 2026-01-01 (default all)"),
        ("--to", "last_day", "pages of examinations up to this day alone, the day included (default all)"),
    ):
        step.add_argument(option, dest=dest, type=day, metavar="DATE", help=text)


def add_language(step: argparse.ArgumentParser) -> None:
    """The language of the pages."""
    step.add_argument(
        "--language",
        type=page_language,
        default="en",
        metavar="en|de",
        help="what the pages are written in, with a region if it matters, such as en-GB (default en)",
    )


def add_engine(step: argparse.ArgumentParser) -> None:
    """The extraction engine with its settings; those of the workspace, or the defaults, apply where none is named."""
    step.add_argument("--engine", choices=workflow.ENGINES, help="what reads the reports")
    side_by_side = (
        "processes that read by rules, and take out names and dates, side by side; 0 to go by the machine (default), "
        "1 for none; results are the same"
    )
    step.add_argument("--workers", type=int, metavar="N", help=side_by_side)
    own = (
        "a department's own terms, cues and confirmations, laid over those of RadCal (see `radcal words`); '' for none"
    )
    add_file(step, "--lexicon-dir", "DIR", own, folder_path)
    step.add_argument(
        "--cascade-asks",
        choices=("unread", "hedged", "all"),
        help="what a cascade asks about: reports in which the rules left a finding unread (default), or hedged one as "
        "well, or all",
    )
    step.add_argument(
        "--cascade-second",
        choices=("llama", "served"),
        help="what a cascade asks: a Llama on this computer (default), or the server, which --engine cascade with "
        "--server means as well",
    )
    model = "the model of the engines llama and cascade; else the small one that ships with RadCal"
    add_file(step, "--model", "FILE.gguf", model, full_path)
    llama = step.add_argument_group("the engines llama and cascade")
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
    prompts = "folder with prompt files of your own; else those of RadCal"
    add_file(llama, "--prompts", "DIR", prompts, full_path, dest="llama_prompts")
    llama.add_argument(
        "--prompt-style",
        dest="llama_prompt",
        choices=("auto", "base", "chat"),
        help="plain prompt, the model's chat template, or the template where it has one (default auto)",
    )
    add_server(
        step.add_argument_group(
            "the engine served, to which the reports are sent; a cascade sends those that it asks about"
        )
    )


def add_server(served: Arguments) -> None:
    """The server that reads reports, and its key, which is no setting."""
    served.add_argument(
        "--server",
        dest="served_url",
        metavar="URL",
        help="its address, such as https://llm.example:8443/v1; http:// is for a server on this computer alone",
    )
    served.add_argument("--served-model", metavar="NAME", help="the model, as the server calls it")
    authority = "certificate of the hospital's own authority, in PEM; else those that the system trusts; '' for these"
    add_file(served, "--server-ca", "FILE", authority, folder_path, dest="served_ca")
    served.add_argument(
        "--server-parallel", dest="served_parallel", type=int, metavar="N", help="reports at a time (default 8)"
    )
    served.add_argument(
        "--server-seconds",
        dest="served_seconds",
        type=float,
        metavar="S",
        help="longest time for one report, all tries together (default 30)",
    )
    key = "file with the server's key, which nobody else may read; else the one that `radcal server` has stored, if any"
    add_file(served, "--server-key-file", "FILE", key)
