"""Pictures of results, as Axes of matplotlib (the extra ``plot``): computed elsewhere, only drawn here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from radcal.library.given import insist
from radcal.library.reliability import Measured
from radcal.system.errors import InputError
from radcal.system.text import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plan", "reliability"]


def reliability(
    result: Measured | pd.DataFrame, ax: Axes | None = None, *, author: str | None = None, topic: str | None = None
) -> Axes:
    """The reliability diagram: the confirmed rate against what was said, with its band and that of luck.

    Args:
        result: as of :func:`radcal.library.reliability.reliability`, or one of its curves.
        ax: to draw into; None for a new figure.
        author, topic: of the group, where the result has several.

    Left out are bins with less than a tenth of an even share of what was said, where tails of words alone lie.

    Raises:
        InputError: there is no such group, or several, it is no result or curve, or matplotlib is not installed.
        DataError: the group has too few statements for a curve.
    """
    curve = result.curve(author, topic) if isinstance(result, Measured) else result
    insist("result", curve, pd.DataFrame, Text("a result of radcal.reliability, or one of its curves"))
    if "rate" not in curve or "density" not in curve:
        raise InputError("This is no curve. Give a result of radcal.reliability, or one of its curves.")
    known = curve[curve["rate"].notna() & (curve["density"] > 0.1 / len(curve))]
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, linestyle="--", label="calibrated")
    for name, color, label in (("luck", "0.85", "luck"), ("rate", "C0", "95 % band")):
        band = known[["stated", f"{name}_low", f"{name}_high"]].to_numpy().T
        ax.fill_between(*band, color=color, alpha=0.4, linewidth=0, label=label)
    ax.plot(known["stated"], known["rate"], color="C0", marker=".", markersize=3, label="confirmed")
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="stated certainty", ylabel="confirmed rate", aspect="equal")
    ax.legend(loc="best", frameon=False)
    ax.set_title(curve.attrs.get("title", ""))
    return ax


def plan(plan: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A transport plan: of each phrase (row), the share that is better said as another one (column).

    Args:
        plan: as of :func:`radcal.library.measures.transport_plan`.
        ax: to draw into; None for a new figure.

    Raises:
        InputError: it is no plan, or matplotlib is not installed.
    """
    insist("plan", plan, pd.DataFrame, Text("what radcal.transport_plan returns"))
    if plan.empty or plan.select_dtypes("number").shape != plan.shape:
        raise InputError("This is no plan. Give what radcal.transport_plan returns.")
    ax = _axes(ax)
    share = plan.div(plan.sum(axis=1), axis=0)
    image = ax.imshow(share.to_numpy(), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(share.columns)), [str(name) for name in share.columns], rotation=90)
    ax.set_yticks(range(len(share)), [str(name) for name in share.index])
    ax.set(xlabel="advised", ylabel="said", title="transport plan")
    ax.figure.colorbar(image, ax=ax, label="share of the phrase")
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise InputError("Pictures need matplotlib. Install it: pip install 'radcal[plot]'.") from error
    return pyplot.subplots(layout="constrained")[1]
