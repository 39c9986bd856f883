"""The model files in RadCal's folder of models."""

from __future__ import annotations

import pytest

from radcal.findings import engines
from radcal.findings.model.local_pairs import DEFAULT_MODEL
from radcal.findings.engines import models_at_hand


@pytest.mark.parametrize("with_own", [True, False])
def test_the_models_in_the_folder_are_at_hand_with_or_without_radcals_own(monkeypatch, tmp_path, with_own):
    names = ["zeta.gguf", "alpha.gguf", *([DEFAULT_MODEL] if with_own else [])]
    for name in (*names, "README.md"):
        (tmp_path / name).touch()
    monkeypatch.setattr(engines, "models_folder", lambda: tmp_path)
    others = ["alpha.gguf", "zeta.gguf"]
    assert [path.name for path in models_at_hand()] == [*([DEFAULT_MODEL] if with_own else []), *others]
    assert [path.name for path in models_at_hand(shipped=False)] == others


def test_without_the_folder_no_model_is_at_hand(monkeypatch):
    monkeypatch.setattr(engines, "models_folder", lambda: None)
    assert models_at_hand() == models_at_hand(shipped=False) == ()
