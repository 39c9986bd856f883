from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

WORDS = ("absent", "unlikely", "possibly", "may represent", "likely", "most likely", "present")
TRUE = (0.02, 0.3, 0.3, 0.4, 0.5, 0.8, 0.97)


@pytest.fixture
def said() -> pd.DataFrame:
    """Two authors on two topics, whose words are too strong."""
    rng = np.random.default_rng(5)
    word = rng.integers(len(WORDS), size=600)
    return pd.DataFrame(
        {
            "author": rng.choice(["Quill", "Wren"], 600),
            "topic": rng.choice(["edema", "mass"], 600),
            "phrase": np.array(WORDS)[word],
            "outcome": (rng.random(600) < np.array(TRUE)[word]).astype(int),
        }
    )


@pytest.fixture
def numbers() -> pd.DataFrame:
    """An author who speaks in numbers from 0 to 1."""
    rng = np.random.default_rng(6)
    number = rng.choice([0.1, 0.25, 0.5, 0.75, 0.9], 400)
    return pd.DataFrame({"author": "Finch", "topic": "edema", "phrase": number, "outcome": rng.random(400) < number})


@pytest.fixture
def file(said: pd.DataFrame, tmp_path: Path) -> Path:
    said.to_csv(tmp_path / "OBS.csv", index=False)
    return tmp_path / "OBS.csv"
