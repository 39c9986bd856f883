"""Calibration that holds in every group of findings, not on average alone: partitions, methods, bound and figures.

Source: Manggala et al., "QA-Calibration of Language Model Confidence Scores", ICLR 2025.
"""

from radcal.calibrate.qa.bounds import epsilon, findings_for, points_for
from radcal.calibrate.qa.comparison import compare
from radcal.calibrate.qa.files import ScoreFile, read_scores
from radcal.calibrate.qa.partitions import Columns, KdTree
from radcal.calibrate.qa.report import score_rows, to_json

__all__ = [
    "Columns",
    "KdTree",
    "ScoreFile",
    "compare",
    "epsilon",
    "findings_for",
    "points_for",
    "read_scores",
    "score_rows",
    "to_json",
]
