"""The whole pipeline without a window: the one place where the rooms of RadCal meet.

Used by the window, the command line and the tests alike.

department  an open workspace, with the steps of the pipeline as methods
extracting  runs of extraction engines: go on, try again, choose, compare
differences what changed between two runs of engines
preview     a look at a report file before it is imported
opening     workspaces and the sample opened as departments
files       one step alone, from files to files
chain       all steps in a row: a department's own reports, or the made-up department of the demo
within      one author's results, of all days or of some
handing_out personal files for radiologists
reviewing   what a person should look at after an engine has read the reports
engines     the extraction engines by name, and what is known of their accuracy
"""

from radcal.workflow.chain import demo, run
from radcal.workflow.department import Department
from radcal.workflow.engines import ENGINES, make_engine, versions
from radcal.workflow.files import advise_file, extract_file, gold_file, reliability_file, review_file
from radcal.workflow.handing_out import hand_out_all, hand_out_one
from radcal.workflow.opening import open_department, sample_department
from radcal.workflow.preview import Preview, preview_file

__all__ = [
    "ENGINES",
    "Department",
    "Preview",
    "advise_file",
    "demo",
    "extract_file",
    "gold_file",
    "hand_out_all",
    "hand_out_one",
    "make_engine",
    "open_department",
    "preview_file",
    "reliability_file",
    "review_file",
    "run",
    "sample_department",
    "versions",
]
