"""From paired statements to reliability: contingency tables, curves, scores, intervals and luck bands."""

from radcal.calibrate.matching import added_up, match
from radcal.calibrate.monotone import monotone
from radcal.calibrate.observation_codes import gather
from radcal.calibrate.observation_files import read_observations
from radcal.calibrate.partial import partially_pooled
from radcal.calibrate.pooled import measure_pooled, pooled
from radcal.calibrate.reference import mixes_of
from radcal.calibrate.reliability import measure
from radcal.calibrate.report import to_json
from radcal.calibrate.tables import build_tables
from radcal.calibrate.verification import verified_rates

__all__ = [
    "added_up",
    "build_tables",
    "gather",
    "match",
    "measure",
    "measure_pooled",
    "mixes_of",
    "monotone",
    "partially_pooled",
    "pooled",
    "read_observations",
    "to_json",
    "verified_rates",
]
