"""RadCal: do radiologists' certainty words mean what readers take them to mean?

>>> import radcal
>>> said = {"author": "A", "topic": "T", "phrase": ["likely"] * 40, "outcome": [1] * 38 + [0] * 2}
>>> radcal.reliability(said, bootstrap=0).groups()["n"].tolist()
[40.0]

The names are those of :mod:`radcal.library`, imported when they are first used; :mod:`radcal.plot` draws results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radcal.system.version import __version__

if TYPE_CHECKING:
    from radcal import plot
    from radcal.library import (
        Advised,
        DepartmentModel,
        LeftOut,
        Lexicon,
        Measured,
        advise,
        brier,
        cost_matrix,
        ece,
        ece_star,
        observe,
        pair,
        read_findings,
        read_reports,
        reliability,
        transport_plan,
    )
    from radcal.system.errors import DataError, EngineError, InputError, RadcalError

__all__ = [
    "Advised", "DataError", "DepartmentModel", "EngineError", "InputError", "LeftOut", "Lexicon", "Measured",
    "RadcalError", "__version__", "advise", "brier", "cost_matrix", "ece", "ece_star", "observe", "pair", "plot",
    "read_findings", "read_reports", "reliability", "transport_plan",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "plot":
        return import_module("radcal.plot")
    if name not in __all__:
        raise AttributeError(f"module 'radcal' has no attribute {name!r}")
    return getattr(import_module("radcal.system.errors" if name.endswith("Error") else "radcal.library"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
