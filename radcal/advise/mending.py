"""What may be read instead of what a speaker says, fitted on half of the statements and judged on the other.

Numbers are point masses, words and Betas distributions: all of them are words of one lexicon, to the ordered plan and to
the published transport alike.  Beside them stand methods that need no words, on the mean of what was said.

Words that a program replaces need no guards of a reader's habits: each gets the word of least expected Brier score that
keeps the order (:func:`in_order`), however often it was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from radcal import recalibration, scoring
from radcal.advise.cost import cost_matrix
from radcal.advise.ordered import cheapest_in_order, losses, order_of
from radcal.advise.transport import semi_relaxed_plans
from radcal.records.models import Choice, Method, Score, Scores

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from radcal.progress import Progress
    from radcal.records import PhraseBins

    Array = NDArray[np.float64]
    Index = NDArray[np.intp]
    Mask = NDArray[np.bool_]

HALVINGS = 10
"""Random halvings, each used both ways."""
MOST_SAID = 120
"""With more different certainties than this, plans take those of the same bin and width as one."""
MOST_BINS = 10
"""Bins of histogram binning, fewer where they would hold less than BIN_SIZE statements."""
BIN_SIZE = 10
"""Fewest statements of a bin, on average."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What a speaker said, and what may be read instead.

    bins: T words;  n, y: (T,) how often each was said, and was right
    open: (T,) words that plans may put in their place
    """

    bins: PhraseBins
    n: Array
    y: Array
    open: Mask
