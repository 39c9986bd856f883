"""All results of a department, reliability and advice, and the stored ones read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from radcal.advice.records import Advice
from radcal.calibration.analysis_records import Measurements, ModelMeasurements
from radcal.calibration.records import Reliability
from radcal.calibration.stored_analysis import StoredAnalysis


@dataclass(frozen=True, eq=False)
class ModelResults(ModelMeasurements):
    """Reliability and advice of language models; ``pooled_advices`` of all question sets of each model."""

    advices: tuple[Advice, ...]
    pooled_advices: tuple[Advice, ...]


@dataclass(frozen=True, eq=False)
class Analysis(Measurements):
    """Reliability and advice of every author on every topic; ``pooled_advices`` of the groups of ``pooled``."""

    advices: tuple[Advice, ...] = ()
    pooled_advices: tuple[Advice, ...] = ()
    models: ModelResults | None = None


class StoredAdvice(StoredAnalysis):
    """The workspace's analysis with its advice."""

    record: ClassVar = Analysis

    def last(self) -> Analysis | None:
        """The latest analysis, None if there is none."""
        return cast("Analysis | None", super().last())

    def required(self) -> Analysis:
        """The latest analysis.

        Raises:
            DataError: there is none yet.
        """
        return cast("Analysis", super().required())


def results_of(analysis: Analysis) -> tuple[tuple[Reliability, ...], tuple[Advice, ...]]:
    """Reliability and advice of all groups of radiologists and of models, those put together included."""
    rates, advices = (*analysis.reliabilities, *analysis.pooled), (*analysis.advices, *analysis.pooled_advices)
    if (m := analysis.models) is None:
        return rates, advices
    return (*rates, *m.reliabilities, *m.pooled), (*advices, *m.advices, *m.pooled_advices)
