"""Which words would have been closer: costs of substitutions, plans, their evaluation, and advice in sentences."""

from radcal.advise.advice import advise
from radcal.advise.cost import cost_matrix
from radcal.advise.explore import Explorer
from radcal.advise.report import to_json
from radcal.advise.wording import of_model

__all__ = ["Explorer", "advise", "cost_matrix", "of_model", "to_json"]
