"""Advice on paper: one author's pages, and the department's, as PDF and PNG."""

from radcal.feedback.pdf import (
    department_pdf,
    feedback_pdf,
    feedback_png,
    file_name,
    write_department,
    write_feedback,
)
from radcal.feedback.pseudonyms import pseudonyms

__all__ = [
    "department_pdf",
    "feedback_pdf",
    "feedback_png",
    "file_name",
    "pseudonyms",
    "write_department",
    "write_feedback",
]
