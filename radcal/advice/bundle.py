"""Results for R and other programs: CSV files in one ZIP archive, with a dictionary of their columns."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.cost import cost_matrix
from radcal.advice.transport import semi_relaxed_plans
from radcal.calibration.tables import build_tables
from radcal.system import exports
from radcal.system.exports import Export
from radcal.system.resources import resource
from radcal.words.bins import bin_phrases, reference_positive
from radcal.words.phrases import mean_of

if TYPE_CHECKING:
    import pandas as pd

    from radcal.calibration.records import Tables
    from radcal.system.files import Json
    from radcal.system.settings import Settings
    from radcal.words.phrases import Lexicon


def bundle(made: Json, observations: pd.DataFrame, words: Lexicon, settings: Settings) -> Export:
    """Reliability as tables: observations, groups, phrases, curves and the plan of the calibration paper.

    resources/bundle/dictionary.csv says what each column holds.  Of patients there is a running number, where the
    observations tell them apart, and nothing else.

    Args:
        made: as of :func:`radcal.calibration.report.to_json`; stays in the bundle as it is, result.json.
        observations: that it was made from.
        words: all of the observations.

    Raises:
        EngineError: a plan did not converge.
    """
    import pandas as pd

    written = {name: resource(f"bundle/{name}").read_bytes() for name in ("README.txt", "dictionary.csv")}
    dictionary = pd.read_csv(io.BytesIO(written["dictionary.csv"]))
    groups = made["groups"]
    named = [{"author": g["author"], "topic": g["topic"]} for g in groups]
    of_phrases = [who | word for who, g in zip(named, groups, strict=True) for word in g["phrases"]]
    of_curves = [pd.DataFrame(who | g["curve"]) for who, g in zip(named, groups, strict=True) if g["curve"]]
    frames = {
        "observations.csv": _observations(observations, words, settings),
        "groups.csv": pd.DataFrame(groups),
        "phrases.csv": pd.DataFrame(of_phrases),
        "curves.csv": pd.concat(of_curves) if of_curves else pd.DataFrame(),
        "plan.csv": _plan(build_tables(observations, words.phrases, settings.reference), words, settings),
    }
    members = {name: exports.data(content, "text") for name, content in written.items()}
    for name, made_of in frames.items():
        columns = dictionary["column"][dictionary["file"] == name]
        members[name] = exports.frame(made_of.reindex(columns=columns), name)
    return exports.archive(members | {"result.json": exports.values(made, "reliability")}, "results bundle")


def _observations(rows: pd.DataFrame, words: Lexicon, settings: Settings) -> pd.DataFrame:
    """Forecast and outcome of each statement that a phrase of the lexicon was used for, and that has a reference."""
    import pandas as pd

    kept = rows[rows["verified"]] if "verified" in rows else rows
    positive = dict(zip(words.phrases, reference_positive(words.phrases, settings.reference), strict=True))
    phrase = kept["phrase"].astype(str).map(words.find)
    made = pd.DataFrame(
        {
            "author": kept["author"].astype(str),
            "topic": kept["topic"].astype(str),
            "phrase": phrase.map(lambda p: p and p.name),
            "forecast": phrase.map(lambda p: p and mean_of(p)),
            "outcome": kept["outcome"]
            if "outcome" in kept
            else kept["reference_phrase"].astype(str).map(words.find).map(positive.get),
        }
    )
    if "patient" in kept:
        known = kept["patient"].astype(str).str.strip().fillna("")
        made["patient"] = pd.Series(pd.factorize(known)[0] + 1, kept.index, dtype="Int64").where(known != "")
    return made.dropna(subset=["phrase", "outcome"])


def _plan(tables: Tables, words: Lexicon, settings: Settings) -> pd.DataFrame:
    """The published plan of every group that has enough statements for a curve; see ``semi_relaxed_plans``."""
    import pandas as pd

    bins, used = bin_phrases(words.phrases, settings.n_bins, settings.method), tables.counts.sum(axis=2)
    enough = np.flatnonzero(used.sum(axis=1) >= settings.min_group_n)
    n, y = used[enough], tables.counts[enough] @ tables.positive
    costs = np.array([cost_matrix(*one, bins) for one in zip(n, y, strict=True)])
    plans = np.array(semi_relaxed_plans(costs, n, n, settings.tau2)).reshape(costs.shape)
    q, k, to = np.nonzero(plans)
    names = np.array(tables.phrases)
    authors, topics = np.array(tables.groups)[enough[q]].T
    found = {"mass": plans[q, k, to], "cost": costs[q, k, to]}
    return pd.DataFrame({"author": authors, "topic": topics, "from": names[k], "to": names[to], **found})
