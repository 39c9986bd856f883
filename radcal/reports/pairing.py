"""Chest X-ray reports paired with the chest CT that followed.

Candidates are all pairs of one patient with 0 <= CT time - X-ray time <= window; in a study whose reference comes
before, with -window <= CT time - X-ray time <= 0, or with either.  They are accepted in the order of their gaps,
unless the X-ray or the CT is already paired.  So each X-ray is paired with its nearest CT, or the next in the window if
a nearer X-ray has that; each report is in at most one pair.  Ties are broken by X-ray time and report ids,
independently of the order of the input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.reports.attrition import (
    ADDENDUM,
    APART,
    BEFORE_CT,
    CT,
    LATEST,
    NOTHING_BEFORE,
    REPORTS,
    SIGNED_AFTER,
    XRAY,
    Ledger,
)
from radcal.reports.authors import attributed, n_named
from radcal.reports.before_ct import NEVER, Outcome, Row, standing
from radcal.reports.named_ct import NamedCt
from radcal.reports.records import Attribution, Pairing, Standing, Use
from radcal.reports.times import DAY
from radcal.reports.versions import JOINED, SUPERSEDED
from radcal.system.errors import DataError
from radcal.system.progress import SILENT, Progress, in_steps
from radcal.system.text import EMPTY, Text
from radcal.words.studies import study_of
from radcal.workspace.columns import REPORT_COLUMNS, ROLE, VERSION_COLUMNS

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from radcal.system.settings import Settings


def pair(
    reports: pd.DataFrame,
    settings: Settings,
    *,
    versions: pd.DataFrame | None = None,
    reading: pd.DataFrame | None = None,
    progress: Progress = SILENT,
) -> Pairing:
    """Pair X-ray and CT reports and account for every unpaired report.

    Args:
        reports: REPORT_COLUMNS, one row per report_id.  If they also have VERSION_COLUMNS, an X-ray report counts as it
            stood before the CT (:mod:`radcal.reports.before_ct`); if they have the columns dictator and signer, authors
            are set by ``settings.trainee_rule``.
        settings: window_hours, trainee_rule and signed_after_ct
        versions: Import.versions of the reports; texts need only be equal where the texts are
        reading: Import.attrition of the same reports, continued by the attrition returned

    Returns:
        pairs in order of X-ray time and id, and the attrition, without ``texts``.  X-ray reports without an author, or
        without a text from before the CT, are left out; of CTs only those that are preliminary and signed by nobody.

    Raises:
        DataError: a column is missing, or a report_id comes twice.
    """
    _check(reports)
    whole = PairingInParts(settings, reading)
    made = whole.pair(reports, versions, progress)
    return replace(made, attrition=whole.attrition(), attribution=whole.attribution())


class PairingInParts:
    """Reports paired part by part, each of them all reports of some patients, and accounted for in all.

    What becomes of a patient's reports does not depend on those of others.
    """

    def __init__(self, settings: Settings, reading: pd.DataFrame | None = None) -> None:
        """The arguments are those of :func:`pair`."""
        self._settings, self._reading = settings, reading
        self._study = study_of(settings)
        self._steps = _STEPS[self._study.direction]
        self._n = dict.fromkeys((XRAY, CT), 0)
        self._apart: Counter[tuple[str, str, str]] = Counter()
        self._unattributed: Counter[str] = Counter()
        self._drafts: Counter[str] = Counter()
        self._asked_before = False
        self._nothing_before = self._signed_after = 0
        self._unpaired = {XRAY: np.zeros(4, dtype=np.int64), CT: np.zeros(4, dtype=np.int64)}
        self._rules: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()

    def pair(self, reports: pd.DataFrame, versions: pd.DataFrame | None, progress: Progress = SILENT) -> Pairing:
        """The pairs and standings of one part; the other fields of the result are empty.

        The arguments are those of :func:`pair`; raises as it does, where the columns were looked at.
        """
        settings = self._settings
        reports = reports.reset_index(drop=True)
        is_xray = (reports["modality"] == "xray").to_numpy()
        n = len(reports)
        nothing_before, signed_after = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        outcomes: dict[str, Outcome] = {}
        if set(VERSION_COLUMNS) <= set(reports.columns):
            after = self._study.direction == "after"
            moment = _first_ct(reports, is_xray) if after else np.full(n, _NO_CT, dtype=np.int64)
            nothing_before, signed_after = _of_one_row(reports, moment)
            progress.raise_if_cancelled()
            outcomes = _of_several(reports, moment, versions, progress)
            place = {i: k for k, i in enumerate(reports["report_id"].tolist())} if outcomes else {}
            for report_id, outcome in outcomes.items():
                nothing_before[place[report_id]] = outcome.nothing_before
                signed_after[place[report_id]] = outcome.signed_after
            reports = _with_people(reports, [place[i] for i in outcomes], list(outcomes.values()))
        if {"dictator", "signer"} <= set(reports.columns):
            reports = attributed(reports, settings.trainee_rule, progress)
        progress.raise_if_cancelled()
        self._n[XRAY] += int(is_xray.sum())
        self._n[CT] += int((~is_xray).sum())
        self._apart += _kept_apart(outcomes, versions)
        has_author = (reports["author"] != "").to_numpy()
        self._unattributed.update(map(str, reports.loc[is_xray & ~has_author, "author_rule"].tolist()))
        usable = is_xray & has_author
        if outcomes or nothing_before.any() or signed_after.any():
            self._asked_before = True
            self._nothing_before += int((usable & nothing_before).sum())
            usable &= ~nothing_before
            if settings.signed_after_ct == "left out":
                self._signed_after += int((usable & signed_after).sum())
                usable &= ~signed_after
        xray = _Side(reports[usable])
        progress.raise_if_cancelled()
        drafts = ~is_xray & ~has_author & (reports["status"] == "preliminary").to_numpy()
        self._drafts.update(map(str, reports.loc[drafts, "author_rule"].tolist()))
        ct = _Side(reports[~is_xray & ~drafts])
        progress.raise_if_cancelled()
        low, high = self._window()
        of_xray, of_ct, gap = _candidates(xray, ct, low, high)
        progress.raise_if_cancelled()
        chosen = _nearest(of_xray, of_ct)
        progress.raise_if_cancelled()
        failed = {XRAY: _step_failed(_reach(xray, ct, low, high), of_xray[chosen], low, high)}
        progress.raise_if_cancelled()
        failed[CT] = _step_failed(_reach(ct, xray, -high, -low), of_ct[chosen], -high, -low)
        progress.raise_if_cancelled()
        for modality, steps in failed.items():
            self._unpaired[modality] += np.bincount(steps, minlength=5)[:4]
        pairs = _pairs(xray, ct, of_xray[chosen], of_ct[chosen], gap[chosen])
        whose = reports.loc[is_xray].assign(after=signed_after[is_xray], nothing=nothing_before[is_xray])
        self._rules.update(str(rule) for rule in whose["author_rule"].tolist())
        self._counts += _attributed(whose, pairs, outcomes)
        left_out = self._left_out(reports, nothing_before, xray, ct, failed)
        return Pairing(pairs, Ledger().frame(), standings=_standings(reports, outcomes), left_out=left_out)

    def _window(self) -> tuple[np.timedelta64, np.timedelta64]:
        """How far the CT may be from the X-ray: at the least, and at the most."""
        longest, zero = np.timedelta64(round(self._settings.window_hours * 3600 * 10**9), "ns"), np.timedelta64(0, "ns")
        direction = self._study.direction
        return (zero if direction == "after" else -longest), (zero if direction == "before" else longest)

    def _left_out(
        self,
        reports: pd.DataFrame,
        nothing_before: NDArray[np.bool_],
        xray: _Side,
        ct: _Side,
        failed: Mapping[str, NDArray[np.int64]],
    ) -> dict[str, str]:
        """Why each report is in no pair, by report_id, in the words of the attrition."""
        found: dict[str, str] = {}
        sided = {*xray.frame.index, *ct.frame.index}
        columns = (reports["report_id"], reports["modality"], reports["author"], reports["author_rule"], nothing_before)
        for place, (report_id, modality, author, rule, nothing) in enumerate(zip(*columns, strict=True)):
            if place in sided:
                continue
            if author == "":
                found[report_id] = rule or (_NOBODY if modality == XRAY else _DRAFT)
            else:
                found[report_id] = NOTHING_BEFORE if nothing else SIGNED_AFTER
        hours = _hours(self._settings)
        for modality, side in ((XRAY, xray), (CT, ct)):
            reasons = [_within(reason, hours) for _, reason in self._steps[modality]]
            ids = side.frame["report_id"].tolist()
            found |= {ids[place]: reasons[step] for place, step in enumerate(failed[modality].tolist()) if step < 4}
        return found

    def attrition(self) -> pd.DataFrame:
        """That of all parts so far, in ATTRITION_COLUMNS."""
        ledger = Ledger.of([] if self._reading is None else [self._reading])
        if self._reading is None:
            ledger.begin(XRAY, REPORTS, self._n[XRAY])
            ledger.begin(CT, REPORTS, self._n[CT])
        else:
            for (step, reason, instead), n in self._apart.items():
                ledger.drop(XRAY, step, reason, -n)
                ledger.drop(XRAY, step, instead, n)
        step = Text("has a radiologist to attribute it to")
        ledger.drop(XRAY, step)
        for reason, n in sorted(self._unattributed.items()):
            ledger.drop(XRAY, step, reason or _NOBODY, n)
        for reason, n in sorted(self._drafts.items()):
            ledger.drop(CT, Text("is signed"), reason or _DRAFT, n)
        if self._asked_before:
            ledger.drop(XRAY, BEFORE_CT)
            ledger.drop(XRAY, BEFORE_CT, NOTHING_BEFORE, self._nothing_before)
            if self._settings.signed_after_ct == "left out":
                ledger.drop(XRAY, BEFORE_CT, SIGNED_AFTER, self._signed_after)
        hours = _hours(self._settings)
        for modality, unpaired in self._unpaired.items():
            for (step, reason), n in zip(self._steps[modality], unpaired.tolist(), strict=True):
                ledger.drop(modality, _within(step, hours), _within(reason, hours), n)
        return ledger.frame()

    def attribution(self) -> Attribution:
        """That of all parts so far."""
        return Attribution(
            rules=tuple(sorted(self._rules.items(), key=lambda rule: (-rule[1], rule[0]))), **self._counts
        )


def _hours(settings: Settings) -> float:
    """The longest time from X-ray to CT, as it is said."""
    return float(f"{settings.window_hours:g}")


def _within(said: Text, hours: float) -> Text:
    """Return a step or a reason, with the longest time from X-ray to CT where it names that."""
    return said.with_values(hours=int(hours) if hours.is_integer() else hours) if "{hours}" in said else said


def _first_ct(reports: pd.DataFrame, is_xray: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The time of the patient's first CT at or after each X-ray, ns since 1970, (n,); _NO_CT without one."""
    found = np.full(len(reports), _NO_CT, dtype=np.int64)
    xray, ct = _Side(reports[is_xray]), _Side(reports[~is_xray])
    if not len(xray.frame) or not len(ct.frame):
        return found
    zero = np.timedelta64(0, "ns")
    reach = _reach(xray, ct, zero, zero)
    there = np.flatnonzero(reach.first < reach.patient_last)
    time = ct.time.astype("int64")[reach.order[reach.first[there]]]
    found[xray.frame.index.to_numpy()[there]] = time
    return found


_NO_CT = np.iinfo(np.int64).max
_NOBODY, _DRAFT = Text("no radiologist"), Text("left out: preliminary, not signed")


def _of_one_row(reports: pd.DataFrame, moment: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Reports of one row of which nothing is from before the CT, and those signed after it (n,)."""
    names = reports["names_ct"].to_numpy()
    asked = (names != NamedCt.NOT_ASKED) & (reports["modality"] == "xray").to_numpy() & (moment != _NO_CT)
    has_time = reports["report_time"].notna().to_numpy()
    time = reports["report_time"].to_numpy().astype("datetime64[ns]").astype("int64")
    time = np.where(has_time & (time % DAY == 0), time + DAY - 1, time)
    late = asked & has_time & (time >= moment)
    added = ((reports["status"] == "addendum") | reports["corrected"].astype(bool)).to_numpy()
    named = asked & ((names == NamedCt.LATER) | ((names == NamedCt.MADE) & ~has_time & added))
    return (late & added) | named, late & ~added & ~named


def _of_several(
    reports: pd.DataFrame, moment: NDArray[np.int64], versions: pd.DataFrame | None, progress: Progress
) -> dict[str, Outcome]:
    """How the X-ray reports of several rows, or with addenda in their text, stood before the CT."""
    if versions is None or versions.empty:
        return {}
    known = dict(zip(reports["report_id"].tolist(), moment.tolist(), strict=True))
    signer = versions["signer"].astype(object).where(versions["signer"].notna(), None)
    reported = versions["report_time"].astype("int64").where(versions["report_time"].notna(), NEVER)
    columns = (
        versions["status"], versions["corrected"], versions["addendum"], reported, versions["names_ct"],
        versions["parts"], versions["dictator"], signer, versions["text"],
    )  # fmt: skip
    rows: dict[str, list[Row]] = {}
    for report_id, *values in zip(versions["report_id"].tolist(), *(c.tolist() for c in columns), strict=True):
        rows.setdefault(report_id, []).append(Row(*values))
    outcomes = {}
    for report_id, its in in_steps(rows.items(), progress):
        if report_id in known:
            ct = known[report_id]
            outcomes[report_id] = standing(its, None if ct == _NO_CT else ct)
    return outcomes


def _with_people(reports: pd.DataFrame, places: list[int], outcomes: list[Outcome]) -> pd.DataFrame:
    """The reports with radiologists and status of what counts, for the attribution."""
    if not places:
        return reports
    made = {name: reports[name].tolist() for name in ("dictator", "signer", "status")}
    for place, outcome in zip(places, outcomes, strict=True):
        made["dictator"][place] = outcome.dictator
        made["signer"][place] = outcome.signer
        # Of a draft that somebody signed after the CT, the radiologists are known.
        draft = outcome.status == "preliminary"
        made["status"][place] = "final" if draft and outcome.approved else outcome.status
    return reports.assign(**{name: _strings(values, reports.index) for name, values in made.items()})


def _strings(values: list[str | None], index: pd.Index) -> pd.Series[str]:
    import pandas as pd

    return pd.Series(values, index=index, dtype="str")


def _kept_apart(outcomes: Mapping[str, Outcome], versions: pd.DataFrame | None) -> Counter[tuple[str, str, str]]:
    """Of the rows that were no reports of their own, those kept apart because they are from after the CT.

    Returns:
        how many, by step and reason with which they were accounted for, and the reason that takes its place
    """
    found: Counter[tuple[str, str, str]] = Counter()
    if versions is None or not outcomes:
        return found
    roles: dict[str, list[str]] = {}
    for report_id, role in zip(versions["report_id"].tolist(), versions[ROLE].tolist(), strict=True):
        roles.setdefault(report_id, []).append(role)
    steps = {"superseded": (LATEST, SUPERSEDED, APART), "addendum": (ADDENDUM, JOINED, APART)}
    for report_id, outcome in outcomes.items():
        its = roles[report_id]
        apart = {p.position for p in outcome.standing.pieces if p.use is Use.AFTER_CT}
        apart -= {p.position for p in outcome.standing.pieces if p.use is not Use.AFTER_CT}
        late = [its[k] for k in apart]
        # Where the last version is apart, one that it superseded counts.
        if "base" in late and (base := outcome.standing.base) is not None:
            late[late.index("base")] = its[base.position]
        found.update(steps[role] for role in late if role in steps)
    return found


def _standings(reports: pd.DataFrame, outcomes: Mapping[str, Outcome]) -> dict[str, Standing]:
    if not outcomes:
        return {}
    whose = reports.set_index("report_id").loc[list(outcomes), ["author", "author_rule"]]
    return {
        report_id: replace(outcome.standing, author=author, author_rule=str(rule), status=outcome.status)
        for (report_id, outcome), author, rule in zip(
            outcomes.items(), whose["author"].tolist(), whose["author_rule"].tolist(), strict=True
        )
    }


def _attributed(whose: pd.DataFrame, pairs: pd.DataFrame, outcomes: Mapping[str, Outcome]) -> Counter[str]:
    """The counts of Attribution, by the names of its fields."""
    several = 0
    if {"dictator", "signer"} <= set(whose.columns):
        named = zip(whose["dictator"].tolist(), whose["signer"].fillna("").tolist(), strict=True)
        several = sum(n_named(*names) > 1 for names in named)
    paired = set(pairs["xray_id"].tolist())
    standing = [outcome for outcome in outcomes.values() if not outcome.nothing_before]
    apart = [sum(p.use is Use.AFTER_CT for p in outcome.standing.pieces) for outcome in standing]
    return Counter(
        several=several,
        texts_apart=sum(apart),
        reports_apart=sum(n > 0 for n in apart),
        addenda_apart=sum(outcome.addenda_apart for outcome in standing),
        paired=len(pairs),
        signed_after=len(paired.intersection(whose.loc[whose["after"], "report_id"])),
        left_out_after=int(whose["nothing"].sum()),
    )


def _check(reports: pd.DataFrame) -> None:
    missing = [name for name in REPORT_COLUMNS if name not in reports.columns]
    if missing:
        raise DataError("The reports have no column {missing!r}.", missing=missing[0])
    if reports["report_id"].duplicated().any():
        raise DataError("The reports have a report_id twice; it must be unique.")


class _Side:
    """The reports of one modality, ordered by time and id, and their times (n,)."""

    def __init__(self, reports: pd.DataFrame) -> None:
        self.frame = reports.iloc[_by_time_and_id(reports)]
        self.time: NDArray[np.datetime64] = self.frame["exam_time"].to_numpy().astype("datetime64[ns]")


def _by_time_and_id(reports: pd.DataFrame) -> NDArray[np.intp]:
    """The order of the reports by exam_time and report_id.

    Ids are compared only among reports of one time, because NumPy blocks other threads while it compares strings.
    """
    time = reports["exam_time"].to_numpy().astype("datetime64[ns]")
    order = np.argsort(time, kind="stable")
    ids = reports["report_id"].tolist()
    starts = np.flatnonzero(np.append(True, np.diff(time[order]) != np.timedelta64(0, "ns")))
    ends = np.append(starts[1:], len(order))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - start > 1:
            order[start:end] = sorted(order[start:end].tolist(), key=ids.__getitem__)
    return order


def _numbered(*columns: pd.Series[str]) -> list[NDArray[np.int64]]:
    """The index of each string among the distinct strings of all columns."""
    known: dict[str, int] = {}
    # pandas' factorize would block other threads.
    return [
        np.fromiter((known.setdefault(text, len(known)) for text in column), dtype=np.int64, count=len(column))
        for column in columns
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """The candidates of the same patient for each report (n,), as positions in ``order``.

    Those of the patient are order[patient_first:patient_last], those in the window order[first:last].
    """

    order: NDArray[np.intp]
    patient_first: NDArray[np.intp]
    patient_last: NDArray[np.intp]
    first: NDArray[np.intp]
    last: NDArray[np.intp]


def _reach(of: _Side, others: _Side, low: np.timedelta64, high: np.timedelta64) -> _Reach:
    """The ``others`` of the same patient between time + low and time + high of each report, inclusive."""
    own, theirs = _numbered(of.frame["patient_id"], others.frame["patient_id"])
    begin, end = of.time + low, of.time + high
    moments = np.unique(np.concatenate([begin, end, others.time]))
    # Patient and time are combined into one number, so that one sorted search serves all patients.
    stride = len(moments) + 1
    base = own * stride
    key = theirs * stride + np.searchsorted(moments, others.time)
    order = np.argsort(key)
    key = key[order]
    return _Reach(
        order,
        patient_first=np.searchsorted(key, base),
        patient_last=np.searchsorted(key, base + stride),
        first=np.searchsorted(key, base + np.searchsorted(moments, begin), side="left"),
        last=np.searchsorted(key, base + np.searchsorted(moments, end), side="right"),
    )


def _candidates(
    xray: _Side, ct: _Side, low: np.timedelta64, high: np.timedelta64
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.timedelta64]]:
    """All pairs within the window, shortest gap first: positions of X-ray and CT, and the gap."""
    reach = _reach(xray, ct, low, high)
    n = reach.last - reach.first
    of_xray = np.repeat(np.arange(len(n)), n)
    place = np.arange(len(of_xray)) - np.repeat(np.cumsum(n) - n, n) + np.repeat(reach.first, n)
    of_ct = reach.order[place]
    gap = ct.time[of_ct] - xray.time[of_xray]
    # Positions are in order of time and id, which so break ties.
    order = np.lexsort((of_ct, of_xray, np.abs(gap)))
    return of_xray[order], of_ct[order], gap[order]


def _nearest(of_xray: NDArray[np.intp], of_ct: NDArray[np.intp]) -> NDArray[np.intp]:
    """The indices of the accepted candidates: each X-ray and each CT once, shortest gap first."""
    taken_xray: set[int] = set()
    taken_ct: set[int] = set()
    chosen: list[int] = []
    for i, (x, c) in enumerate(zip(of_xray.tolist(), of_ct.tolist(), strict=True)):
        if x not in taken_xray and c not in taken_ct:
            taken_xray.add(x)
            taken_ct.add(c)
            chosen.append(i)
    return np.array(chosen, dtype=np.intp)


_OF_PATIENT = {
    XRAY: (Text("the patient has a chest CT"), Text("no chest CT of this patient")),
    CT: (Text("the patient has a chest X-ray"), Text("no attributed chest X-ray of this patient")),
}
_FREE = {
    XRAY: (Text("its CT is free"), Text("the CT belongs to an X-ray nearer in time")),
    CT: (Text("its X-ray is free"), Text("the X-ray belongs to a CT nearer in time")),
}
_AFTER = {
    XRAY: (
        (Text("the CT is not before the X-ray"), Text("the patient's CTs were before the X-ray")),
        (Text("has a CT within {hours} h"), Text("the next CT was later than {hours} h after the X-ray")),
    ),
    CT: (
        (Text("the X-ray is not after the CT"), Text("the patient's X-rays were after the CT")),
        (Text("has an X-ray within {hours} h before"), Text("the last X-ray was more than {hours} h before the CT")),
    ),
}
_NEAR = {
    XRAY: (Text("has a CT within {hours} h"), Text("no CT of the patient was within {hours} h of the X-ray")),
    CT: (Text("has an X-ray within {hours} h"), Text("no X-ray of the patient was within {hours} h of the CT")),
}
_BEFORE = {
    XRAY: ((Text("the CT is not after the X-ray"), Text("the patient's CTs were after the X-ray")), _NEAR[XRAY]),
    CT: ((Text("the X-ray is not before the CT"), Text("the patient's X-rays were before the CT")), _NEAR[CT]),
}
_EITHER = {side: ((Text("the CT may be before or after the X-ray"), EMPTY), near) for side, near in _NEAR.items()}
_STEPS = {
    way: {side: (_OF_PATIENT[side], *in_time, _FREE[side]) for side, in_time in sides.items()}
    for way, sides in {"after": _AFTER, "before": _BEFORE, "either": _EITHER}.items()
}
"""By direction: what is asked of a report for a pair, and why it has none."""


def _step_failed(
    reach: _Reach, paired: NDArray[np.intp], low: np.timedelta64, high: np.timedelta64
) -> NDArray[np.int64]:
    """The first of the four steps that each report fails (n,), 4 for those in pairs.

    low, high: how far from the report the others may be
    """
    of_patient = reach.patient_last > reach.patient_first
    # An end of the window that is 0 says on which side the other examination must be.
    right_order = of_patient.copy()
    if not low:
        right_order &= reach.patient_last > reach.first
    if not high:
        right_order &= reach.last > reach.patient_first
    in_window = reach.last > reach.first
    is_paired = np.zeros(len(in_window), dtype=bool)
    is_paired[paired] = True
    passed = np.stack([of_patient, right_order, in_window, is_paired, np.ones(len(in_window), dtype=bool)])
    failed: NDArray[np.int64] = np.argmin(np.logical_and.accumulate(passed) & (np.arange(5) < 4)[:, None], axis=0)
    return failed


def _pairs(
    xray: _Side, ct: _Side, of_xray: NDArray[np.intp], of_ct: NDArray[np.intp], gap: NDArray[np.timedelta64]
) -> pd.DataFrame:
    import pandas as pd

    order = np.argsort(of_xray)
    x, c = (side.frame.iloc[chosen[order]].reset_index(drop=True) for side, chosen in ((xray, of_xray), (ct, of_ct)))
    return pd.DataFrame(
        {
            "xray_id": x["report_id"],
            "ct_id": c["report_id"],
            "patient_id": x["patient_id"],
            "author": x["author"],
            "xray_time": x["exam_time"],
            "ct_time": c["exam_time"],
            "gap_hours": gap[order] / np.timedelta64(1, "h"),
        }
    )
