"""X-ray statements matched with the CT report's statements on the same pathology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from radcal.calibration.records import (
    CONTESTED_LEFT_OUT,
    DECIDED,
    ENTERED,
    EVIDENCE_COLUMNS,
    OBSERVATION_COLUMNS,
    SILENT_ABSENT,
    SILENT_LEFT_OUT,
    UNKNOWN_PHRASE,
    UNMENTIONED,
    UNREAD_LEFT_OUT,
    Matching,
)
from radcal.reports.attrition import Ledger
from radcal.system.errors import DataError
from radcal.words.phrases import mean_of, speaks_against
from radcal.words.records import ABSENT, UNREAD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from radcal.words.records import Confirmation, Phrase


_ORDER = (ENTERED, SILENT_ABSENT, DECIDED, SILENT_LEFT_OUT, UNMENTIONED, UNKNOWN_PHRASE, UNREAD_LEFT_OUT)
"""What is counted, in the order in which it is explained."""


def match(
    pairs: pd.DataFrame, findings: pd.DataFrame, confirmations: Sequence[Confirmation], phrases: Sequence[Phrase]
) -> Matching:
    """One observation for each X-ray statement of a pair on which the CT report decides.

    The reference of an X-ray statement is the CT report's statement on the same pathology or on one that
    confirms it (``Confirmation.ct``); of a statement that raises the pathology, also on one that explains it
    (``Confirmation.explained_by``), unless the CT denies the pathology itself and this is no descriptor.  What the CT
    denies, plainly or with a hedge, speaks against the same pathology alone, and against those that are not there
    without it (``Confirmation.refuted_by``): that there is no mass says nothing of an opacity, that there is no
    consolidation says that there is no pneumonia.

    Of several, the strongest decides: the one whose phrase has the highest mean, which puts "present" first and
    "absent" last; of equally strong ones that on the pathology itself, then in the order of ``Confirmation.ct`` and
    ``explained_by``.  Where the CT report has none of them, it is silent: the reference is "absent"
    if ``Confirmation.silence_is_absent``, else the statement is left out.  A pathology without a
    Confirmation is confirmed by itself alone and left out where the CT is silent.

    A statement whose phrase is in no list never becomes an observation; nor does one on which the CT report
    speaks in such phrases only, since a CT that hedges in unknown words is not silent.  The same holds for
    findings that are UNREAD.

    Silence of the X-ray report is no statement.  What the CT report finds (phrase mean of one half or more)
    and no statement of the X-ray report is confirmed by, is counted as "not mentioned on X-ray, found on CT".

    Args:
        pairs: PAIR_COLUMNS.  Both reports of each pair must have been read without failure, because a report
            without findings counts as silent.
        findings: the columns of ``records.Finding``, one row for each report and pathology.
        confirmations: what confirms what; at most one for each X-ray pathology.
        phrases: the lexicon; the mean of each orders CT statements.

    Returns:
        Observations with OBSERVATION_COLUMNS (``reference_phrase``) and EVIDENCE_COLUMNS but patient, in the order of
        ``pairs``, then topic.  Counts (author, topic, what, n): "entered" are all observations, those "ct silent,
        taken as absent" and "decided by a person" (in either report) among them; the other counts are of statements
        outside the table.  The author is always that of the X-ray report.

    Raises:
        DataError: a report has two rows for one pathology, or a pathology has two confirmations.
    """
    if findings.duplicated(["report_id", "pathology"]).any():
        raise DataError("A report has two statements on one pathology. Reduce them to one before matching.")
    names = [c.xray for c in confirmations]
    if len(set(names)) < len(names):
        raise DataError("A pathology has two confirmations. Keep one of them.")

    mean = {p.name: mean_of(p) for p in phrases}
    against = {p.name for p in phrases if speaks_against(p)}
    findings = findings.assign(
        certainty=findings["phrase"].map(mean).astype(float), denied=findings["phrase"].isin(against)
    )
    pairs = pairs.assign(pair=np.arange(len(pairs)))

    xray = pairs[["pair", "xray_id", "ct_id", "author", "xray_time"]].merge(
        findings, left_on="xray_id", right_on="report_id"
    )
    ct = pairs[["pair", "ct_id", "author"]].merge(findings, left_on="ct_id", right_on="report_id")
    ct = ct[["pair", "author", "pathology", "phrase", "sentence", "certainty", "denied", "decided"]].rename(
        columns={
            "pathology": "ct_pathology",
            "phrase": "reference_phrase",
            "sentence": "ct_sentence",
            "denied": "ct_denied",
            "decided": "ct_decided",
        }
    )
    confirms = _confirms(confirmations, sorted(set(xray["pathology"])))
    asked = xray[["pair", "pathology", "denied"]].merge(confirms, on="pathology")
    asked = asked[~(asked["explains"] & asked["denied"])]
    candidates = (
        _that_speak(asked.merge(ct.drop(columns="author"), on=["pair", "ct_pathology"]))
        # Unknown words (NaN) come last: they decide only where nothing else speaks.
        .sort_values(["pair", "pathology", "certainty", "rank"], ascending=[True, True, False, True])
        .drop_duplicates(["pair", "pathology"])
        .drop(columns=["rank", "denied", "ct_denied", "explains", "unless_denied", "supports", "refutes"])
        .rename(columns={"certainty": "ct_certainty"})
    )
    joined = xray.merge(candidates, on=["pair", "pathology"], how="left")
    joined["silence_is_absent"] = joined["pathology"].map({c.xray: c.silence_is_absent for c in confirmations})

    unknown = joined["certainty"].isna() | (joined["ct_pathology"].notna() & joined["ct_certainty"].isna())
    unread = unknown & (joined["phrase"].eq(UNREAD) | joined["reference_phrase"].eq(UNREAD))
    silent = joined["ct_pathology"].isna() & ~unknown
    as_absent = silent & joined["silence_is_absent"].eq(True)  # NaN where there is no Confirmation
    entered = ~unknown & (~silent | as_absent)

    counts = {
        ENTERED: joined[entered],
        SILENT_ABSENT: joined[as_absent],
        DECIDED: joined[entered & (joined["decided"].ne("") | joined["ct_decided"].fillna("").ne(""))],
        SILENT_LEFT_OUT: joined[silent & ~as_absent],
        UNMENTIONED: _unmentioned(ct, asked[asked["supports"]]),
        UNKNOWN_PHRASE: joined[unknown & ~unread],
        UNREAD_LEFT_OUT: joined[unread],
    }
    observed = joined[entered].sort_values(["pair", "pathology"], ignore_index=True)
    return Matching(_observations(observed), _count(counts))


def added_up(counts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The counts of several parts of the pairs, as of :func:`match`, in one."""
    import pandas as pd

    parts = pd.concat(counts, ignore_index=True).groupby(["author", "topic", "what"])
    whole = parts["n"].sum().reset_index()
    order = whole.assign(place=whole["what"].map(_ORDER.index))
    order = order.sort_values(["author", "topic", "place"], kind="stable", ignore_index=True)
    return pd.DataFrame(order[["author", "topic", "what", "n"]])


def _confirms(confirmations: Sequence[Confirmation], topics: Sequence[str]) -> pd.DataFrame:
    """Rows of which CT statements bear on which X-ray statement, itself first.

    Columns: pathology, ct_pathology, rank; explains, whether it bears on statements that raise the pathology alone;
    unless_denied, whether it does not where the CT denies the pathology itself; supports, whether that it is there
    tells; refutes, whether that it is not does.
    """
    import pandas as pd

    listed = {c.xray: c for c in confirmations}
    rows = []
    for topic in topics:
        known = listed.get(topic)
        confirming = dict.fromkeys((topic, *(known.ct if known else ())))
        explaining = [name for name in (known.explained_by if known else ()) if name not in confirming]
        refuting = known.refuted_by if known else ()
        closed = known is not None and known.kind != "descriptor"
        supporting = (*confirming, *explaining)
        for rank, name in enumerate(dict.fromkeys((*supporting, *refuting))):
            explains = name in explaining
            rows.append(
                (topic, name, rank, explains, explains and closed, name in supporting, rank == 0 or name in refuting)
            )
    columns = ["pathology", "ct_pathology", "rank", "explains", "unless_denied", "supports", "refutes"]
    kinds = {"pathology": object, "ct_pathology": object, **dict.fromkeys(columns[3:], bool)}
    return pd.DataFrame(rows, columns=columns).astype(kinds)


def _that_speak(candidates: pd.DataFrame) -> pd.DataFrame:
    """Of CT statements that bear on X-ray statements, those that say something of them."""
    import pandas as pd

    itself = candidates["pathology"] == candidates["ct_pathology"]
    keys = pd.MultiIndex.from_frame(candidates[["pair", "pathology"]])
    refuted = keys.isin(keys[itself & candidates["ct_denied"]])
    tells = candidates["supports"].where(~candidates["ct_denied"], candidates["refutes"])
    return candidates[tells & ~(candidates["unless_denied"] & refuted)]


def _unmentioned(ct: pd.DataFrame, asked: pd.DataFrame) -> pd.DataFrame:
    """Author and pathology of the CT findings that confirm or explain no statement of their pair's X-ray report."""
    found = ct.loc[ct["certainty"] >= 0.5, ["pair", "author", "ct_pathology"]]
    spoken = asked[["pair", "ct_pathology"]].drop_duplicates()
    joined = found.merge(spoken, on=["pair", "ct_pathology"], how="left", indicator="both")
    return joined.loc[joined["both"] == "left_only", ["author", "ct_pathology"]].rename(
        columns={"ct_pathology": "pathology"}
    )


def _observations(joined: pd.DataFrame) -> pd.DataFrame:
    """OBSERVATION_COLUMNS and EVIDENCE_COLUMNS of the statements that entered."""
    spoken = joined["ct_pathology"].notna()
    # Findings carry spans in the report; readers see one sentence.
    has_cue = (joined["cue_start"] >= joined["start"]) & (joined["cue_end"] <= joined["end"])
    columns = {
        "author": joined["author"],
        "topic": joined["pathology"],
        "phrase": joined["phrase"],
        "reference_phrase": joined["reference_phrase"].where(spoken, ABSENT),
        "xray_id": joined["xray_id"],
        "ct_id": joined["ct_id"],
        "verbatim": joined["verbatim"],
        "xray_sentence": joined["sentence"],
        "xray_cue_start": (joined["cue_start"] - joined["start"]).where(has_cue, -1).astype("int64"),
        "xray_cue_end": (joined["cue_end"] - joined["start"]).where(has_cue, -1).astype("int64"),
        "ct_sentence": joined["ct_sentence"].where(spoken, ""),
        "ct_pathology": joined["ct_pathology"].where(spoken, ""),
        "xray_time": joined["xray_time"],
    }
    return joined.assign(**columns)[[c for c in (*OBSERVATION_COLUMNS, *EVIDENCE_COLUMNS) if c in columns]]


def _count(counted: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Rows (author, topic, what, n), by author, topic and the order in which the counts are explained."""
    import pandas as pd

    rows = pd.concat(
        {what: frame.groupby(["author", "pathology"]).size() for what, frame in counted.items()},
        names=["what"],
    )
    frame = rows.rename("n").reset_index().rename(columns={"pathology": "topic"})
    # The sort is stable: within author and topic, the order of ``counted`` remains.
    frame = frame.sort_values(["author", "topic"], kind="stable", ignore_index=True)
    return pd.DataFrame(frame[["author", "topic", "what", "n"]])


STATEMENTS = "xray statements"
"""In the place of a modality."""
_MADE = "statements of the paired X-ray reports"
_STEPS = {
    UNREAD_LEFT_OUT: "is understood",
    UNKNOWN_PHRASE: "is worded in a phrase of the lexicon",
    SILENT_LEFT_OUT: "the CT decides on it",
    CONTESTED_LEFT_OUT: "is not contested",
}
"""What must be true of a statement that enters the statistics, by what is counted where it is not."""


def attrition_of_statements(counts: Iterable[tuple[str, str, str, int]]) -> pd.DataFrame:
    """Where X-ray statements dropped out on their way to the statistics, in records.ATTRITION_COLUMNS.

    Args:
        counts: as of ``Analysis.counts``: (author, topic, what, n).
    """
    of = Counter[str]()
    for _, _, what, n in counts:
        of[what] += n
    ledger = Ledger()
    # Contested statements are counted among the entered ones as well.
    ledger.begin(STATEMENTS, _MADE, of[ENTERED] + sum(of[what] for what in _STEPS if what != CONTESTED_LEFT_OUT))
    for what, step in _STEPS.items():
        ledger.drop(STATEMENTS, step, what, of[what])
    return ledger.frame()
