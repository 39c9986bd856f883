"""Annotated sets of reports in a workspace, and what the window needs of the gold room while a person reads."""

from radcal.gold.answers import answers_of
from radcal.gold.statements import new_statement, with_pathology, with_phrase

__all__ = ["answers_of", "new_statement", "with_pathology", "with_phrase"]
