"""The published measures, of all rows together: choose those of an author or a topic, or ``groupby`` and ``apply``.

Arguments and errors of all of them are those of :func:`ece`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from radcal.advice import cost, transport
from radcal.calibration import scoring
from radcal.library.given import Given, settings_of, taken, words_of
from radcal.words.bins import bin_phrases
from radcal.words.phrases import Lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from radcal.words.records import PhraseBins

    Array = NDArray[np.float64]

Method = Literal["exact", "midpoint"]


def ece(observations: Given, lexicon: Lexicon | None = None, method: Method = "exact", **settings: Any) -> float:
    """Expected calibration error, in 0-1: sum_m p_m |r_m - g_m| over ``n_bins`` equal bins (100).

    p_m is the share of what was said that falls into bin m, r_m the confirmed rate there, and g_m the mean certainty.

    Args:
        observations: phrase, and outcome or reference_phrase, as of :func:`radcal.library.reliability.reliability`;
            author tells whose numbers are percentages.
        lexicon: what words mean; None for the shipped one.
        method: how Betas are shared out to bins: exactly, or by their density at the middle, as in the paper.
        settings: n_bins, reference; unit, as of :func:`radcal.library.reliability.reliability`.

    Raises:
        InputError: a column is missing, none of the rows can be used, the unit cannot be told, or a setting is none.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 6 and 7.

    >>> ece({"phrase": [0.25, 0.25, 0.75, 0.75], "outcome": [0, 0, 1, 0]})
    0.25
    """
    return float(scoring.ece(*_counted(observations, lexicon, method=method, **settings)))


def ece_star(observations: Given, lexicon: Lexicon | None = None, method: Method = "exact", **settings: Any) -> float:
    """As :func:`ece`, without the first and last bin, where plain statements stand; NaN if nothing lies between.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 19.

    >>> ece_star({"phrase": ["absent", 0.75, 0.75], "outcome": [1, 1, 0]})
    0.25
    """
    return float(scoring.ece_star(*_counted(observations, lexicon, method=method, **settings)))


def brier(observations: Given, lexicon: Lexicon | None = None, **settings: Any) -> float:
    """Brier score, in 0-1: the mean of E[(S - outcome)^2] with S what was said, which has a distribution.

    Of numbers it is scikit-learn's ``brier_score_loss``; a phrase adds the variance of what it means.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 11.

    >>> brier({"phrase": [0.5, 1.0], "outcome": [0, 1]})
    0.125
    """
    return float(scoring.brier(*_counted(observations, lexicon, **settings)))


def cost_matrix(observations: Given, lexicon: Lexicon | None = None, **settings: Any) -> pd.DataFrame:
    """Change of :func:`ece` per use when a phrase (row) is said as another one (column), -2 to 2.

        C[k, l] = (ECE(u_k -> u_l) - ECE) / a_k,    a_k = n_k / N

    Rows are the phrases in use, columns all phrases; C[k, k] = 0.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 12.

    >>> costs = cost_matrix({"phrase": [0.25, 0.75, 0.75], "outcome": [0, 1, 1]})
    >>> costs.loc["0.75", ["0.25", "0.75", "present"]].round(2).tolist()
    [0.25, 0.0, -0.25]
    """
    n, y, bins = _counted(observations, lexicon, **settings)
    return _by_phrases(cost.cost_matrix(n, y, bins), bins).loc[n > 0]


def transport_plan(
    observations: Given, lexicon: Lexicon | None = None, *, tau2: float = 1e-3, **settings: Any
) -> pd.DataFrame:
    """The published plan: the share of all that was said that is said as one phrase (row), better as another (column).

        min_T <T, C> + 1e-3 KL(T | a a') + tau2 KL(T' 1 | a)    subject to  T 1 = a

    with C of :func:`cost_matrix`, a the present use of phrases and tau2, 0.001 to 10, the price of departing from it.
    All rows are taken for those of one author.  It adds to 1, its rows to a; phrases in use alone are in it.

    Raises:
        EngineError: the transport did not converge.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 13.

    >>> said = {"phrase": [0.2] * 40 + [0.8] * 60, "outcome": [1] * 8 + [0] * 32 + [1] * 48 + [0] * 12}
    >>> transport_plan(said).round(2).values.tolist()
    [[0.4, 0.0], [0.0, 0.6]]
    """
    price = settings_of({"tau2": tau2}).tau2
    n, y, bins = _counted(observations, lexicon, **settings)
    (plan,) = transport.semi_relaxed_plans(cost.cost_matrix(n, y, bins)[None], n[None], n[None], price)
    return _by_phrases(plan, bins).loc[n > 0, n > 0]


def _counted(given: Given, lexicon: Lexicon | None, **settings: Any) -> tuple[Array, Array, PhraseBins]:
    """(K,) uses and confirmed uses of each phrase, and the phrases binned."""
    chosen = settings_of(settings)
    seen, tables = taken(given, words_of(lexicon), chosen, need=())
    counts = tables.counts.sum(axis=0)
    bins = bin_phrases(seen.words.phrases, chosen.n_bins, chosen.method)
    return counts.sum(axis=1), counts @ tables.positive, bins


def _by_phrases(matrix: Array, bins: PhraseBins) -> pd.DataFrame:
    names = pd.Index(bins.phrases)
    return pd.DataFrame(matrix, index=names.rename("said"), columns=names.rename("advised"))
