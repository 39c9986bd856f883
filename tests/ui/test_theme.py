"""The scale of certainty: in order, in even steps, and for colour-blind eyes as well."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from ui.theme import CONTRAST, DARK, LIGHT, Colours, certainty_colour

Array = NDArray[np.float64]
SIGHT: dict[str, Array] = {
    "trichromatic": np.eye(3),
    # Machado, Oliveira and Fernandes, IEEE TVCG 2009;15:1291, severity 1.
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)


def lab(colour: QColor, sight: Array) -> Array:
    """CIE L*a*b* (D65) of a colour as it is seen."""
    c = np.array(colour.getRgbF()[:3])
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(sight @ linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("colours", [LIGHT, DARK, CONTRAST])
def test_certainties_keep_their_order_and_distance_for_all_eyes(colours: Colours, sight: str) -> None:
    seen = np.array([lab(certainty_colour(colours, k / 4), SIGHT[sight]) for k in range(5)])
    assert (np.diff(seen[:, 2]) > 8).all()  # from blue to yellow, which all of these eyes tell apart
    steps = np.linalg.norm(np.diff(seen, axis=0), axis=1)
    assert steps.min() > 15
    assert steps.max() < 2 * steps.min()
    # The middle is the palest or the darkest: both sides are read by their lightness, too.
    away = np.abs(seen[:, 0] - seen[2, 0])
    assert away[0] > 8
    assert away[4] > 8
