"""How far a model's certainty can be relied on: accuracy, calibration and discrimination, as in LUH, Table 2.

Source: "Can Large Language Models Express Uncertainty Like Human?" (LUH): abstentions count as certainty 0 in the AUROC
and are left out of the ECE.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from radcal.lab.asking_records import Answered, Estimate, Way, WayFigures
from radcal.reliability.scoring import ece_of_numbers
from radcal.system.intervals import wilson
from radcal.system.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

BINS = 10
"""Bins of equal width in which certainty and accuracy are compared, as in LUH."""
FEWEST = 30
"""Answers below which ECE and AUROC tell nothing."""
FEWEST_OF_A_KIND = 5
"""Correct answers, and others, below which an AUROC tells nothing."""
_DRAWS = 2000
_SURE, _TINY = 1.96, 1e-9


def figures_of(way: Way, answers: Sequence[Answered], random: np.random.Generator) -> WayFigures:
    """The figures of one way of asking.

    Args:
        answers: to different questions, all asked in this way.
        random: for the resamples of the intervals.
    """
    told = [a for a in answers if a.stated is not None and not a.abstained]
    ranked = [a for a in answers if a.stated is not None or a.abstained]
    right = sum(a.correct for a in answers)
    low, high = wilson(right / len(answers), len(answers)) if answers else (None, None)
    stated = np.array([a.stated for a in told], np.float64)
    correct = np.array([a.correct for a in told], np.float64)
    error, luck = _calibration(stated, correct, random)
    return WayFigures(
        way,
        n=len(answers),
        abstained=sum(a.abstained for a in answers),
        unstated=len(answers) - len(ranked),
        accuracy=Estimate(right / len(answers) if answers else None, low, high),
        ece=error,
        luck=luck,
        auroc=_discrimination(
            np.array([0.0 if a.abstained else a.stated for a in ranked], np.float64),
            np.array([a.correct for a in ranked], bool),
        ),
    )


def _calibration(stated: Array, correct: Array, random: np.random.Generator) -> tuple[Estimate, float | None]:
    """The ECE, and its mean if each answer were correct as often as stated.

    The ECE is a sum of absolute values, biased upwards by as much as luck gives: the lower end of its interval is
    lowered by that, [max(0, e - luck - 1.96 s), e + 1.96 s] with s the standard deviation over resampled questions.
    """
    n = len(stated)
    if n < FEWEST:
        return Estimate(None, reason=_too_few(n)), None
    value = ece_of_numbers(stated, correct, BINS)
    redrawn = (random.integers(0, n, n) for _ in range(_DRAWS))
    deviation = _SURE * float(np.std([ece_of_numbers(stated[i], correct[i], BINS) for i in redrawn]))
    by_luck = ((random.random(n) < stated).astype(float) for _ in range(_DRAWS))
    luck = float(np.mean([ece_of_numbers(stated, right, BINS) for right in by_luck]))
    return Estimate(value, max(value - luck - deviation, 0.0), min(value + deviation, 1.0)), luck


def _discrimination(stated: Array, correct: NDArray[np.bool_]) -> Estimate:
    """The AUROC with its score interval: all t with |t - AUROC| <= 1.96 sqrt(V(t)).

    V(t) = t (1 - t) (1 + m (1 - t)/(2 - t) + m t/(1 + t)) / (n1 n0) with m = (n1 + n0)/2 - 1.  Unlike redraws of the
    questions, it has a width at 0 and 1, too.

    Source: Newcombe, "Confidence intervals for an effect size measure based on the Mann-Whitney statistic", method 5,
    Stat. Med. 2006;25:559-573.
    """
    from scipy.optimize import brentq
    from sklearn.metrics import roc_auc_score

    if len(stated) < FEWEST:
        return Estimate(None, reason=_too_few(len(stated)))
    right = int(correct.sum())
    if min(right, len(correct) - right) < FEWEST_OF_A_KIND:
        return Estimate(
            None,
            reason=Text(
                "{right} correct answers and {wrong} others; {fewest} of each are needed.",
                right=right,
                wrong=len(correct) - right,
                fewest=FEWEST_OF_A_KIND,
            ),
        )
    value, wrong = float(roc_auc_score(correct, stated)), len(correct) - right
    m = (right + wrong) / 2 - 1

    def beyond(t: float) -> float:
        """Above 0 outside of the interval."""
        variance = t * (1 - t) * (1 + m * (1 - t) / (2 - t) + m * t / (1 + t)) / (right * wrong)
        return (t - value) ** 2 - _SURE**2 * variance

    # At 0 and 1 the AUROC itself is a root.
    low = brentq(beyond, 0.0, value - _TINY) if value > 0 else 0.0
    high = brentq(beyond, value + _TINY, 1.0) if value < 1 else 1.0
    return Estimate(value, float(low), float(high))


def _too_few(n: int) -> Text:
    return Text(
        "{n} answer says how sure it is; {fewest} are needed.",
        many="{n} answers say how sure they are; {fewest} are needed.",
        n=n,
        fewest=FEWEST,
    )
