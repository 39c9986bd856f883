"""The whole pipeline without a window, combining all other packages; used by window, command line and tests.

Layers from the top; no stage imports those above or beside it (checked by import-linter):

opening       opening and creating workspaces, and the shipped sample
chain         import, pair, extract, analyse, and resuming an interrupted chain
department    Results, which reads an open workspace (a personal file offers no more), and Department, which also
              changes it; both only assemble the parts below
sensitivity   the results under other pairing windows
analysis      performs and stores the analysis
replacing_names  names that are in a workspace, replaced by pseudonyms
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
names         the names behind the pseudonyms of a workspace, in a sealed file of their own

A part is constructed with the context and the few parts it uses, never with the department.
"""

from radcal.ingest.reasons import left_out, unit_of
from radcal.workflow.advice.ahead import FURTHER
from radcal.workflow.chain import ChainResult, finished_analysis, run_chain
from radcal.workflow.checking import check_settings
from radcal.workflow.department import Department, Results
from radcal.workflow.imports.importing import as_files
from radcal.workflow.imports.preview import Preview, preview_file
from radcal.workflow.keeping.schedule import backups_of, look_into, restore
from radcal.workflow.names import author_called
from radcal.workflow.opening import (
    department_of,
    file_identity,
    open_department,
    open_for_exports,
    open_workspace,
    sample_department,
    telling_updates,
)
from radcal.workflow.runs.engines import ENGINES, make_engine, unverified_model
from radcal.workflow.sensitivity import WINDOWS
from radcal.workflow.words.own_words import notes_on_own_words

__all__ = [
    "ENGINES",
    "FURTHER",
    "WINDOWS",
    "ChainResult",
    "Department",
    "Preview",
    "Results",
    "as_files",
    "author_called",
    "backups_of",
    "check_settings",
    "department_of",
    "file_identity",
    "finished_analysis",
    "left_out",
    "look_into",
    "make_engine",
    "notes_on_own_words",
    "open_department",
    "open_for_exports",
    "open_workspace",
    "preview_file",
    "restore",
    "run_chain",
    "sample_department",
    "telling_updates",
    "unit_of",
    "unverified_model",
]
