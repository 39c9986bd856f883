"""RadCal: do radiologists' certainty words mean what readers take them to mean?

Its names are those of :mod:`radcal.library`, which is imported when one of them is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from radcal.system.version import __version__

if TYPE_CHECKING:
    from radcal import plot
    from radcal.library.given import Assumed, LeftOut
    from radcal.library.lexicon import Lexicon
    from radcal.library.measures import brier, cost_matrix, ece, ece_star, transport_plan
    from radcal.library.reliability import Advised, DepartmentModel, Measured, advise, merge, reliability
    from radcal.library.reports import observe, pair, read_findings, read_reports
    from radcal.system.errors import DataError, EngineError, InputError, RadcalError

_HOMES = {
    "library.given": "Assumed LeftOut",
    "library.lexicon": "Lexicon",
    "library.measures": "brier cost_matrix ece ece_star transport_plan",
    "library.reliability": "Advised DepartmentModel Measured advise merge reliability",
    "library.reports": "observe pair read_findings read_reports",
    "system.errors": "DataError EngineError InputError RadcalError",
}
__all__ = [
    "Advised", "Assumed", "DataError", "DepartmentModel", "EngineError", "InputError", "LeftOut", "Lexicon", "Measured",
    "RadcalError", "__version__", "advise", "brier", "cost_matrix", "ece", "ece_star", "merge", "observe", "pair",
    "plot", "read_findings", "read_reports", "reliability", "transport_plan",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "plot":
        return import_module("radcal.plot")
    for home, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(f"radcal.{home}"), name)
    raise AttributeError(f"module 'radcal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
