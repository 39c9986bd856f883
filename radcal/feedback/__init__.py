"""Printed feedback: one author's pages, and the department's, as PDF and PNG."""

from radcal.feedback.pdf import Print, department_pdf, drafts_pdf, feedback_pdf, feedback_png, file_name
from radcal.feedback.pseudonyms import drawn, pseudonyms

__all__ = [
    "Print",
    "department_pdf",
    "drafts_pdf",
    "drawn",
    "feedback_pdf",
    "feedback_png",
    "file_name",
    "pseudonyms",
]
