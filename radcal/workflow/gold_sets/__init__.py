"""Annotated sets of reports in a workspace, and the functions of the gold room that the window needs."""

from radcal.gold.answers import answers_of
from radcal.gold.statements import new_statement, with_pathology, with_phrase

__all__ = ["answers_of", "new_statement", "with_pathology", "with_phrase"]
