"""The whole pipeline without a window, combining all other packages; used by window, command line and tests.

Layers from the top; no stage imports those above or beside it (checked by import-linter):

commands/     the commands of the command line, with the files and summaries they write
opening       opening and creating workspaces, and the shipped sample
chain         import, pair, extract, analyse, and resuming an interrupted chain
department    Results, which reads an open workspace (a personal file offers no more), and Department, which also
              changes it; both only assemble the parts below
analysis      performs and stores the analysis
handing_out/  feedback pages, personal files and their passphrases
imports/      preview, import, re-import and pairing of report files
words/        the department's lexicon: editing and surveys
gold_sets/    reports annotated by readers to measure the engines
advice/       advice under other settings, with other wording, or on a draft
results/      stored results: the analysis, one author, one group, comparisons, contested findings
checking      validation of settings and passphrases before they are stored
runs/         the extraction engines and their runs
keeping/      backups
context       shared by all parts: the workspace, its settings and lexicon, and the keys of stored values

A part is constructed with the context and the few parts it uses, never with the department.
"""

from radcal.ingest.reasons import left_out
from radcal.workflow.chain import ChainResult, finished_analysis, run_chain
from radcal.workflow.checking import check_settings
from radcal.workflow.commands.demo import demo
from radcal.workflow.commands.handing_out import hand_out_all, hand_out_one
from radcal.workflow.commands.keeping import (
    audit_log,
    back_up_after_run,
    back_up_workspace,
    check_workspace,
    restore_workspace,
)
from radcal.workflow.commands.run import run
from radcal.workflow.commands.single_steps import advise_file, extract_file, gold_file, reliability_file, review_file
from radcal.workflow.department import Department, Results
from radcal.workflow.handing_out.feedback_input import author_named
from radcal.workflow.imports.importing import as_files
from radcal.workflow.imports.preview import Preview, preview_file
from radcal.workflow.keeping.schedule import backups_of, look_into, restore
from radcal.workflow.opening import department_of, open_department, open_for_exports, open_workspace, sample_department
from radcal.workflow.runs.engines import ENGINES, make_engine, unverified_model, versions

__all__ = [
    "ENGINES",
    "ChainResult",
    "Department",
    "Preview",
    "Results",
    "advise_file",
    "as_files",
    "audit_log",
    "author_named",
    "back_up_after_run",
    "back_up_workspace",
    "backups_of",
    "check_settings",
    "check_workspace",
    "demo",
    "department_of",
    "extract_file",
    "finished_analysis",
    "gold_file",
    "hand_out_all",
    "hand_out_one",
    "left_out",
    "look_into",
    "make_engine",
    "open_department",
    "open_for_exports",
    "open_workspace",
    "preview_file",
    "reliability_file",
    "restore",
    "restore_workspace",
    "review_file",
    "run",
    "run_chain",
    "sample_department",
    "unverified_model",
    "versions",
]
