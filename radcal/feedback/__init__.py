"""Printed feedback: one author's pages, and the department's, as PDF and PNG."""

from radcal.feedback.pdf import (
    Print,
    card_pdf,
    department_card_pdf,
    department_pdf,
    drafts_pdf,
    feedback_pdf,
    feedback_png,
    file_name,
)
from radcal.feedback.pseudonyms import drawn, pseudonyms

__all__ = [
    "Print",
    "card_pdf",
    "department_card_pdf",
    "department_pdf",
    "drafts_pdf",
    "drawn",
    "feedback_pdf",
    "feedback_png",
    "file_name",
    "pseudonyms",
]
