"""The columns of the tables that hold reports, rejected rows and pairs: their kinds, and what stands in them."""

from __future__ import annotations

from collections.abc import Mapping

REPORT_COLUMNS: Mapping[str, str] = {
    "report_id": "str: unique over the workspace, modality and accession joined, e.g. 'xray:A1001'",
    "modality": "str: 'xray' or 'ct'",
    "accession": "str",
    "patient_id": "str",
    "exam": "str: exam code or description as in the source, '' if none",
    "exam_time": "datetime64[ns]: local time of the examination",
    "author": "str: the radiologist that the report is attributed to, '' if nobody",
    "author_rule": "str: which rule attributed it, in words",
    "status": "str: 'final', 'addendum', 'preliminary' or '' if the source has none",
    "text": "str: the whole report",
    "file": "str: name of the source file",
    "row": "int: line of the source file, 1 for the first, header included",
    "site": "str: where the examination was made, as in the source, '' if unknown",
    "age": "int: the patient's age at the examination in whole years, -1 if unknown",
    "study_uid": "str: the UID of the examination's study, '' if unknown",
}
VERSION_COLUMNS: Mapping[str, str] = {
    "dictator": "str",
    "signer": "str: missing if the source has no column of signers",
    "addendum": "int",
    "report_time": "datetime64[ns]: when it was written or signed, missing if the source does not say",
    "corrected": "bool",
    "source": "str: the content of the file that the row is in, '' if unknown",
    "names_ct": "int: 2 if the text speaks of a CT made after the X-ray, 1 if of one made, 0 if of none, -1 not asked",
    "parts": "str: report and addenda within the text, as JSON; '' if it has no addendum",
}
"""Columns beside REPORT_COLUMNS that tell versions apart and name the radiologists."""
ROLE = "role"
"""Column of Import.versions: 'base', or why the row is no report of its own: 'repeated', 'superseded', 'addendum'."""
PAIR_COLUMNS: Mapping[str, str] = {
    "xray_id": "str: report_id",
    "ct_id": "str: report_id",
    "patient_id": "str",
    "author": "str: of the X-ray report",
    "xray_time": "datetime64[ns]",
    "ct_time": "datetime64[ns]",
    "gap_hours": "float: CT time - X-ray time",
}
REJECTED_COLUMNS: Mapping[str, str] = {
    "file": "str",
    "row": "int: line of the source file, 1 for the first, header included",
    "reason": "str: one of a small set of sentences, so that rows can be counted by reason",
    "remedy": "str: what the user can do",
    "accession": "str: '' if it is missing or cannot be read",
    "unit": "str: what row counts: 'row', 'message', 'resource'; 'file' where it is the file as a whole; '' if unknown",
}
ATTRITION_COLUMNS: Mapping[str, str] = {
    "step": "str: what was asked at this step, e.g. 'has a CT within 12 h'",
    "modality": "str: 'xray', 'ct' or 'both'",
    "kept": "int: reports left after the step",
    "dropped": "int: reports that dropped out here",
    "reason": "str: why, in words",
}
