"""The steps on people and language models as users of certainty words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_audits(add: Add) -> None:
    """The steps; ``add`` makes one from its function and its help."""
