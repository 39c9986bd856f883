"""The whole pipeline without a window: the one place where the rooms of RadCal meet.

Used by the window, the command line and the tests alike.

department   an open workspace, with the steps of the pipeline as methods;  opening  departments and the sample opened
checking     settings that name words, pathologies and models, before they are kept
chain        all steps in a row: a department's own reports, or the made-up department of the demo
files        one step alone, from files to files;  telling  counts in what steps say of themselves

importing    files to pairs;  preview, rehearsal  a look before it;  fingerprints  files that were imported before
rereading    what becomes of the reports of a file that is read again in another way
engines      the extraction engines by name, and what is known of their accuracy
extracting   their runs: go on, try again, choose, compare;  run_records, differences  what there is to say of runs
reviewing    what a person should look at after an engine has read the reports
gold_sets    reports that people read;  gold_drawing, gold_records, gold_figures, gold_files  the parts of it
finding_names  pathologies and phrases, looked for by any word for them
lexicons     the department's words

matched      paired reports to observations
analysing    the analysis: made, stored, and read back
exploring    one group within days, and what stands behind it;  coded  all observations as numbers, for that
advising     advice under other settings, or with another use of words
comparing    radiologists beside each other, and over time;  compared  its records
within       one author's results, of all days or of some;  days  their ranges
authors      what an author's pages are made of
trying       a draft, with what the author's results say of it;  rewording  one word put in another's place

pages        the radiologists' pages, as PDF and as pictures
copies       backups by the clock, restoring;  keeping  both from the command line, with checks and the audit log
packets      personal files written;  personal  opened;  passphrases  of them;  handing_out  from the command line
"""

from radcal.ingest.reasons import left_out
from radcal.workflow.chain import demo, run
from radcal.workflow.checking import check_settings
from radcal.workflow.department import Department
from radcal.workflow.files import advise_file, extract_file, gold_file, reliability_file, review_file
from radcal.workflow.handing_out.commands import hand_out_all, hand_out_one
from radcal.workflow.handing_out.feedback_input import author_named
from radcal.workflow.imports.importing import as_files
from radcal.workflow.imports.preview import Preview, preview_file
from radcal.workflow.keeping.commands import (
    audit_log,
    back_up_after_run,
    back_up_workspace,
    check_workspace,
    restore_workspace,
    told_of,
)
from radcal.workflow.keeping.copies import backups_of, look_into, restore
from radcal.workflow.opening import open_department, open_for_exports, sample_department
from radcal.workflow.runs.engines import ENGINES, make_engine, unverified_model, versions

__all__ = [
    "ENGINES",
    "Department",
    "Preview",
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
    "extract_file",
    "gold_file",
    "hand_out_all",
    "hand_out_one",
    "left_out",
    "look_into",
    "make_engine",
    "open_department",
    "open_for_exports",
    "preview_file",
    "reliability_file",
    "restore",
    "restore_workspace",
    "review_file",
    "run",
    "sample_department",
    "told_of",
    "unverified_model",
    "versions",
]
