"""Made-up authors whose patients are seen again, with known confirmed rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from radcal.words.phrases import mean_of
from radcal.words.records import Phrase


def serial_films(
    phrases: Sequence[Phrase],
    authors: int,
    n: int,
    films: int,
    *,
    alike: float = 0.6,
    repeat: float = 0.8,
    slope: float = 1.0,
    seed: int = 0,
) -> pd.DataFrame:
    """Observations of authors on one topic, n each, with so many findings of each patient.

    Args:
        phrases: all of them hedges, said equally often at a patient's first film.
        alike: correlation of the normal variables under a patient's outcomes.
        repeat: how often a word is that of the film before.
        slope: logit P(confirmed) = slope logit E[S | k];  1 for calibrated authors.
    """
    rng = np.random.default_rng(seed)
    shape = (authors * -(-n // films), films)
    word = rng.integers(len(phrases), size=shape)
    for film in range(1, films):
        word[:, film] = np.where(rng.random(len(word)) < repeat, word[:, film - 1], word[:, film])
    mean = np.array([mean_of(p) for p in phrases])
    latent = np.sqrt(alike) * rng.standard_normal((len(word), 1)) + np.sqrt(1 - alike) * rng.standard_normal(shape)
    # A uniform rank by ranking is exact in the margin: the rates are those of the words.
    rank = latent.ravel().argsort().argsort().reshape(shape) / latent.size
    confirmed = rank < mean[word] ** slope / (mean[word] ** slope + (1 - mean[word]) ** slope)
    patient = np.broadcast_to(np.arange(len(word))[:, None], shape)
    own = np.arange(shape[0] // authors * films) < n
    rows = np.tile(own, authors)
    return pd.DataFrame(
        {
            "author": pd.Categorical.from_codes(
                np.repeat(np.arange(authors), n), pd.Index([f"{a:05d}" for a in range(authors)])
            ),
            "topic": "edema",
            "phrase": pd.Categorical.from_codes(word.ravel()[rows], pd.Index([p.name for p in phrases])),
            "outcome": confirmed.ravel()[rows].astype(float),
            "patient": patient.ravel()[rows],
        }
    )
