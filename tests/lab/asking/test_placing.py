"""Places of questions: against scikit-learn, and what is in the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.decomposition import PCA

from radcal.lab.asking.asker import Answered, Question
from radcal.lab.asking.placing import COORDINATES, components, score_rows


def test_components_are_those_of_scikit_learn_but_for_the_sign() -> None:
    places = np.random.default_rng(0).normal(size=(60, 30)) * np.linspace(3, 1, 30)
    made, expected = components(places), PCA(COORDINATES, svd_solver="full").fit_transform(places)
    assert made.shape == (60, COORDINATES)
    assert np.abs(made) == pytest.approx(np.abs(expected))
    assert (made.max(axis=0) >= -made.min(axis=0)).all()
    assert components(places[:3]).shape == (3, 3)


class Model:
    """Places texts by their length and first letter."""

    def embeddings(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
        assert len(set(texts)) == len(texts)
        made = np.array([[len(text), ord(text[0]) % 7, 1.0] for text in texts])
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def test_the_table_has_certainties_and_places_and_no_text() -> None:
    asked = [Question(f"{letter} private question", ("yes",), "set") for letter in "abc"]
    answers = [Answered(q, way, "yes", "yes", 0.8, 0.8, True, "normalised") for q in asked for way in ("beta", "lc")]
    silent = Answered(asked[0], "lc", "?", "?", None, None, False, "abstained", abstained=True)
    header, *rows = score_rows([*answers, silent], "m", 2, Model())
    assert header == ["author", "topic", "confidence", "outcome", "x1", "x2", "x3"]
    assert [row[:4] for row in rows[:2]] == [["m (beta)", "set", 0.8, 1], ["m (lc)", "set", 0.8, 1]]
    assert len(rows) == 6
    assert rows[0][4:] == rows[1][4:] != rows[2][4:]
    assert "private" not in str(rows)
    assert next(iter(score_rows([silent], "m", 1, Model()))) == header[:4]
