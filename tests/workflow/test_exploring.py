"""One group within dates, the findings behind it, and what no CT decided on: each against a computation of its own."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy.stats import beta

from radcal.calibrate import build_tables, measure
from radcal.errors import Cancelled, DataError
from radcal.extract.report_level import decide
from radcal.progress import Silent
from radcal.records import CONTESTED_LEFT_OUT, EVIDENCE_COLUMNS, OBSERVATION_COLUMNS, Days, Reliability
from radcal.workflow import Department, open_department
from radcal.workflow.reviewing import to_findings

TOPIC = "pleural effusion"


@dataclass(frozen=True)
class Asked:
    author: str
    topic: str = TOPIC
    first: date | None = None
    last: date | None = None

    @property
    def days(self) -> Days:
        return Days(self.first, self.last)


class Stop(Silent):
    """A Progress that the user stops after ``parts`` questions whether to stop."""

    def __init__(self, parts: int) -> None:
        self.left = parts

    def raise_if_cancelled(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Cancelled


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, files: Any, make: Any) -> Iterator[Department]:
    """The small department, analysed, for tests that change nothing."""
    path = shutil.copy(files.analysed, tmp_path_factory.mktemp("explored") / "w.radcal")
    with open_department(path, make.passphrase, read_only=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def everything(shown: Department) -> pd.DataFrame:
    """All observations, as they are stored."""
    found = shown._workspace.observations()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def anyone(everything: pd.DataFrame) -> str:
    return str(everything["author"].min())


def plain(value: Reliability) -> dict[str, Any]:
    """Equal only where every figure is the same to the last digit; NaN is NaN."""
    return {name: repr(part) if name != "curve" else _digits(part) for name, part in vars(value).items()}


def _digits(curve: Any) -> Any:
    if curve is None:
        return None
    return {name: getattr(curve, name).tobytes() for name in vars(curve)}


def by_hand(everything: pd.DataFrame, asked: Asked) -> pd.DataFrame:
    """A group's observations within dates."""
    days = everything["xray_time"].dt.date
    chosen = (everything["author"] == asked.author) & (everything["topic"] == asked.topic)
    if asked.first is not None:
        chosen &= days >= asked.first
    if asked.last is not None:
        chosen &= days <= asked.last
    return everything[chosen]


def windows(everything: pd.DataFrame, author: str) -> list[Asked]:
    """From no date to a single day, ends on days with statements."""
    days = sorted(by_hand(everything, Asked(author))["xray_time"].dt.date)
    early, middle, late = days[len(days) // 4], days[len(days) // 2], days[-len(days) // 4]
    return [
        Asked(author, first=middle),
        Asked(author, last=middle),
        Asked(author, first=early, last=late),
        Asked(author, first=middle, last=middle),
        Asked(author, first=days[0], last=days[-1]),
        Asked(author, first=days[0] + timedelta(1), last=days[-1] - timedelta(1)),
    ]


# --- reliability ------------------------------------------------------------------------------------


def test_without_dates_it_is_the_analysis(shown):
    analysis = shown.analysis()
    assert any(r.curve is not None for r in analysis.reliabilities)
    assert any(r.q_value_star is not None for r in analysis.reliabilities)
    groups = [Asked(r.author, r.topic) for r in analysis.reliabilities]
    for asked, stored in zip(groups, analysis.reliabilities, strict=True):
        assert plain(shown.explore.reliability(asked)) == plain(stored)
    together = shown.explore.reliabilities(groups[::-1])
    assert list(map(plain, together)) == list(map(plain, analysis.reliabilities[::-1]))


def test_within_dates_it_is_that_of_the_statements_of_these_days(shown, everything, anyone):
    measured = 0
    for asked in windows(everything, anyone):
        part = by_hand(everything, asked)
        (expected,) = measure(build_tables(part, shown.phrases()), shown.phrases(), shown.settings)
        result = shown.explore.reliability(asked)
        assert plain(result) == plain(replace(expected, q_value_star=None))
        assert result.n == len(part)
        measured += result.curve is not None
    assert 2 <= measured < 6  # a curve, and too few for one


def test_dates_around_all_statements_leave_all_but_the_q_value(shown, anyone):
    first, last = shown.explore.days(anyone, TOPIC)
    whole, dated = (shown.explore.reliability(Asked(anyone, TOPIC, *days)) for days in ((), (first, last)))
    assert whole.q_value_star is not None
    assert dated.q_value_star is None
    assert dated.ece == pytest.approx(whole.ece)
    assert (dated.n, dated.phrases) == (whole.n, whole.phrases)
    np.testing.assert_allclose(dated.curve.rate, whole.curve.rate)


def test_many_at_once_are_as_one_by_one(shown, everything):
    middle = everything["xray_time"].dt.date.sort_values().iloc[len(everything) // 2]
    groups = everything[["author", "topic"]].drop_duplicates().itertuples(index=False, name=None)
    asked = [Asked(author, topic, last=middle if k % 3 else None) for k, (author, topic) in enumerate(sorted(groups))]
    together = shown.explore.reliabilities(asked)
    assert [(r.author, r.topic) for r in together] == [(a.author, a.topic) for a in asked]
    for one, result in zip(asked, together, strict=True):
        alone = shown.explore.reliability(one)
        for name, value in vars(alone).items():
            if name == "curve" and value is not None:
                for part in vars(value):
                    np.testing.assert_allclose(getattr(result.curve, part), getattr(value, part), rtol=1e-9, atol=1e-12)
            elif isinstance(value, float):
                assert getattr(result, name) == pytest.approx(value, rel=1e-9, abs=1e-12), name
            else:
                assert getattr(result, name) == value, name
    assert shown.explore.reliabilities([]) == ()


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(1990, 1, 1), date(1990, 12, 31)),
        (date(2100, 1, 1), None),
        (None, date(1969, 12, 31)),
        (date(2100, 1, 1), date(1990, 1, 1)),
    ],
)
def test_days_with_nothing_in_them_are_no_error(shown, anyone, first, last):
    asked = Asked(anyone, TOPIC, first, last)
    nothing = shown.explore.reliability(asked)
    assert (nothing.author, nothing.topic, nothing.n, nothing.phrases) == (anyone, TOPIC, 0, ())
    assert nothing.curve is None
    assert nothing.reason == f"0 findings; a curve needs {shown.settings.min_group_n}."
    assert shown.explore.statements(asked).empty
    assert shown.explore.evidence(asked).empty
    assert shown.explore.words_at(asked, 0.5) == ()
    found = shown.explore.verification(asked)
    assert (found.n_reports, found.n_with_ct, found.n_unread, found.rates) == (0, 0, 0, ())
    whole = shown.explore.reliabilities([asked, Asked(anyone, "edema")])
    assert [r.n > 0 for r in whole] == [False, True]


def test_a_group_that_said_nothing_is_an_error(shown, anyone):
    explore = shown.explore
    for author, topic in ((anyone, "gout"), ("Nobody", TOPIC)):
        asked = Asked(author, topic)
        for question in (
            explore.reliability,
            explore.statements,
            explore.evidence,
            explore.verification,
            lambda chosen: explore.words_at(chosen, 0.5),
            lambda chosen: explore.days(chosen.author, chosen.topic),
        ):
            with pytest.raises(DataError, match=f"{author} has no statement about {topic} that a CT decided on"):
                question(asked)


def test_days_are_those_of_the_first_and_the_last_statement(shown, everything, anyone):
    days = by_hand(everything, Asked(anyone))["xray_time"].dt.date
    assert shown.explore.days(anyone, TOPIC) == (days.min(), days.max())


def test_statements_and_outcomes_are_those_of_the_observations(shown, everything, anyone):
    def rows(frame: pd.DataFrame) -> Counter[tuple[object, ...]]:
        columns = frame[["author", "topic", "phrase", "outcome"]].astype(object)
        return Counter(columns.itertuples(index=False, name=None))

    for asked in (Asked(anyone), *windows(everything, anyone)):
        assert rows(shown.explore.statements(asked)) == rows(by_hand(everything, asked))
    assert shown.explore.outcomes().tolist() == sorted(set(everything["outcome"]))
    together = shown.observations()
    assert rows(together) == rows(everything)
    assert together is shown.observations()  # read once


def test_it_can_be_cancelled(shown, anyone):
    first, last = shown.explore.days(anyone, TOPIC)
    for parts in range(3):
        with pytest.raises(Cancelled):
            shown.explore.verification(Asked(anyone), Stop(parts))
    with pytest.raises(Cancelled):
        shown.explore.reliability(Asked(anyone, TOPIC, first, last), Stop(0))


def test_without_an_analysis_there_is_nothing_to_ask(filled, anyone):
    filled.explore.warm_up()
    assert filled.explore._kept == {}
    for question in (
        lambda: filled.explore.reliability(Asked(anyone)),
        lambda: filled.explore.evidence(Asked(anyone)),
        filled.explore.all_statements,
        filled.explore.outcomes,
    ):
        with pytest.raises(DataError, match="There is no analysis yet"):
            question()
    assert filled.explore.contested() == ()


def test_without_reports_there_is_nothing_to_count(department):
    with pytest.raises(DataError, match="There are no reports yet"):
        department.explore.xray_reports()


def test_what_was_read_ahead_answers_the_questions(shown, anyone, monkeypatch):
    shown.explore.warm_up()
    monkeypatch.setattr(shown._workspace, "observations_by_author", None)  # not read again
    assert shown.explore.outcomes().size


def test_reading_ahead_stops_between_authors_and_goes_on_from_nothing(shown, monkeypatch):
    read: list[str] = []
    every = shown._workspace.observations_by_author

    def noting(columns):
        for author, part in every(columns):
            assert "xray_id" not in part  # most of what could be read, and nothing was left out
            read.append(author)
            yield author, part

    monkeypatch.setattr(shown._workspace, "observations_by_author", noting)
    shown.explore._kept.clear()
    with pytest.raises(Cancelled):
        shown.explore.warm_up(Stop(1))
    assert len(read) == 2
    shown.explore.warm_up()
    assert len(read) == 2 + len({author for author, _ in shown.explore._codes().place})


# --- the words of a bin -----------------------------------------------------------------------------


def test_words_of_a_bin_make_up_nearly_all_of_it(shown, everything, anyone):
    n_bins = shown.settings.n_bins
    edges = np.linspace(0, 1, n_bins + 1)
    phrases = {p.name: p for p in shown.phrases()}
    curve = shown.explore.reliability(Asked(anyone)).curve
    for asked in (Asked(anyone), windows(everything, anyone)[0]):
        said = Counter(by_hand(everything, asked)["phrase"])
        for m in range(0, n_bins, 7):
            mass = {}
            for name, n in said.items():
                a, b = phrases[name].alpha, phrases[name].beta
                if a == 0 or b == 0:
                    mass[name] = n * float(m == (0 if a == 0 else n_bins - 1))
                else:
                    mass[name] = n * float(np.diff(beta.cdf(edges[m : m + 2], a, b))[0])
            total = sum(mass.values())
            shares = shown.explore.words_at(asked, (edges[m] + edges[m + 1]) / 2)
            assert [s.share for s in shares] == sorted((s.share for s in shares), reverse=True)
            assert sum(s.share for s in shares) >= 0.95
            assert sum(s.share for s in shares[:-1]) < 0.95
            for s in shares:
                assert s.n == said[s.phrase]
                assert s.share == pytest.approx(mass[s.phrase] / total, rel=1e-5, abs=1e-9)
            if asked.first is None:
                assert curve.density[m] == pytest.approx(total / sum(said.values()), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(
    ("certainty", "phrase"), [(-0.5, "absent"), (0.0, "absent"), (1.0, "present"), (7.0, "present")]
)
def test_the_outer_bins_hold_what_lies_beyond(shown, anyone, certainty, phrase):
    assert shown.explore.words_at(Asked(anyone), certainty)[0].phrase == phrase


def test_other_bins_wait_for_the_next_analysis(analysed, anyone):
    before = analysed.explore.words_at(Asked(anyone), 0.6)
    analysed.save_settings(analysed.settings.changed(n_bins=10))
    assert analysed.explore.words_at(Asked(anyone), 0.6) == before
    analysed.analyse()
    assert analysed.explore.words_at(Asked(anyone), 0.6) != before
    assert analysed.explore.words_at(Asked(anyone), 0.65) == analysed.explore.words_at(Asked(anyone), 0.62)


# --- findings ---------------------------------------------------------------------------------------


def test_evidence_is_all_that_was_said_the_latest_first(shown, everything, anyone):
    for asked in (Asked(anyone), *windows(everything, anyone)):
        part = by_hand(everything, asked)
        found = shown.explore.evidence(asked)
        assert set(found.columns) >= {*OBSERVATION_COLUMNS, *EVIDENCE_COLUMNS, "outcome", "entered", "contest"}
        assert found["xray_time"].is_monotonic_decreasing
        expected = part.sort_values(["xray_time", "xray_id"], ascending=False).reset_index(drop=True)
        assert_frame_equal(found.drop(columns=["entered", "contest"]), expected, check_dtype=False)
        assert found["entered"].all()
        assert found["contest"].isna().all()


def test_evidence_of_phrases_is_that_of_these_phrases(shown, everything, anyone):
    part = by_hand(everything, Asked(anyone))
    common = [name for name, _ in Counter(part["phrase"]).most_common(2)]
    for phrases in ((common[0],), tuple(common), (common[1], "never said")):
        found = shown.explore.evidence(Asked(anyone), phrases)
        assert sorted(found["xray_id"]) == sorted(part.loc[part["phrase"].isin(phrases), "xray_id"])
    assert shown.explore.evidence(Asked(anyone), ["never said"]).empty


# --- contested findings -----------------------------------------------------------------------------


def _contest(department: Department, author: str, place: int = 0, note: str = "") -> str:
    row = department.explore.evidence(Asked(author)).iloc[place]
    department.explore.contest(row["xray_id"], TOPIC, author, row["phrase"], note)
    return str(row["xray_id"])


def test_a_contest_is_kept_and_taken_back(analysed, anyone, make):
    first = _contest(analysed, anyone, 3, "  not said \n")
    second = _contest(analysed, anyone, 0)
    assert analysed.explore.evidence(Asked(anyone))["contest"].tolist()[:5] == ["", None, None, "not said", None]
    assert analysed.explore.evidence(Asked(anyone, "edema"))["contest"].isna().all()  # of the topic alone
    path = analysed.path
    analysed.close()
    with open_department(path, make.passphrase) as again:
        made = again.explore.contested()
        assert {(c.xray_id, c.topic, c.author, c.note, c.left_out) for c in made} == {
            (first, TOPIC, anyone, "not said", False),
            (second, TOPIC, anyone, "", False),
        }
        assert [c.at for c in made] == sorted((c.at for c in made), reverse=True)
        assert all(pd.Timestamp(c.at).tzinfo is not None for c in made)
        again.explore.contest(first, TOPIC, anyone, "likely", "another note")
        assert Counter(c.note for c in again.explore.contested()) == Counter(["another note", ""])
        for xray_id in (first, first, second, "no such"):
            again.explore.withdraw(xray_id, TOPIC)
        assert again.explore.contested() == ()
        assert again.explore.evidence(Asked(anyone))["contest"].isna().all()
        assert Counter(again._workspace.audit()["what"])["finding contested"] == 3


def test_contested_findings_are_left_out_where_the_settings_say_so(analysed, anyone):
    counted = analysed.analysis()
    everything = analysed._workspace.observations()
    gone = {_contest(analysed, anyone, place) for place in (0, 2)}
    assert analysed.analyse() is not None
    assert analysed.explore.reliability(Asked(anyone)).n == len(by_hand(everything, Asked(anyone)))
    assert analysed.analysis().counts == counted.counts
    assert analysed.explore.evidence(Asked(anyone))["entered"].all()

    analysed.save_settings(analysed.settings.changed(contested="left out"))
    assert analysed.explore.evidence(Asked(anyone))["entered"].all()  # until the next analysis
    analysis = analysed.analyse()
    assert set(analysis.counts) == {*counted.counts, (anyone, TOPIC, CONTESTED_LEFT_OUT, 2)}
    assert all(c.left_out for c in analysed.explore.contested())
    found = analysed.explore.evidence(Asked(anyone))
    assert set(found.loc[~found["entered"], "xray_id"]) == gone
    assert len(found) == len(by_hand(everything, Asked(anyone)))

    left = everything[~(everything["xray_id"].isin(gone) & (everything["topic"] == TOPIC))]
    phrases = analysed.phrases()
    expected = {(r.author, r.topic): r for r in measure(build_tables(left, phrases), phrases, analysed.settings)}
    assert {(r.author, r.topic): r.n for r in analysis.reliabilities} == {g: r.n for g, r in expected.items()}
    for r in analysis.reliabilities:
        assert plain(r) == plain(expected[r.author, r.topic])
    assert len(analysed.explore.all_statements()) == len(left)
    first, last = analysed.explore.days(anyone, TOPIC)
    dated = analysed.explore.reliability(Asked(anyone, TOPIC, first, last))
    assert dated.phrases == expected[anyone, TOPIC].phrases
    judged = sum(rate.judged for rate in analysed.explore.verification(Asked(anyone)).rates)
    assert judged == expected[anyone, TOPIC].n

    analysed.save_settings(analysed.settings.changed(contested="counted"))
    again = analysed.analyse()
    assert [(r.author, r.topic, r.n, r.p_value) for r in again.reliabilities] == [
        (r.author, r.topic, r.n, r.p_value) for r in counted.reliabilities
    ]
    assert again.counts == counted.counts
    assert not any(c.left_out for c in analysed.explore.contested())
    assert analysed.explore.evidence(Asked(anyone))["entered"].all()


def test_a_contested_finding_is_no_example_to_print(analysed):
    author, example = next((a, e) for a in analysed.authors() for e in analysed.feedback(a).examples)
    rows = analysed.explore.evidence(Asked(author, example.topic), [example.phrase])
    ids = rows.loc[rows["xray_sentence"] == example.xray_sentence, "xray_id"]
    assert len(ids)
    for xray_id in ids:
        analysed.explore.contest(xray_id, example.topic, author, example.phrase)
    printed = {(e.topic, e.phrase, e.xray_sentence) for e in analysed.feedback(author).examples}
    assert (example.topic, example.phrase, example.xray_sentence) not in printed


def test_a_group_all_of_which_is_left_out_is_one_without_statements(analysed, anyone):
    everything = analysed._workspace.observations()
    own = everything[everything["author"] == anyone]
    topic = own["topic"].value_counts().index[-1]
    for row in own[own["topic"] == topic].itertuples():
        analysed.explore.contest(row.xray_id, topic, anyone, row.phrase)
    analysed.save_settings(analysed.settings.changed(contested="left out"))
    analysis = analysed.analyse()
    assert (anyone, topic) not in {(r.author, r.topic) for r in analysis.reliabilities}
    assert analysed.explore.reliability(Asked(anyone, topic)).n == 0
    assert not analysed.explore.evidence(Asked(anyone, topic))["entered"].any()


# --- what no CT decided on --------------------------------------------------------------------------


def _own_reports(department: Department, author: str) -> pd.DataFrame:
    """An author's X-ray reports, from the tables of the workspace."""
    reports = department._workspace.reports()
    return reports[(reports["modality"] == "xray") & (reports["author"] == author)]


def _check(department: Department, asked: Asked, unread: int) -> None:
    """Compare with a count of reports and findings one by one."""
    workspace = department._workspace
    own = _own_reports(department, asked.author)
    days = own["exam_time"].dt.date
    inside = (days >= (asked.first or date.min)) & (days <= (asked.last or date.max))
    ids = own.loc[inside, "report_id"].tolist()
    found = department.explore.verification(asked)
    pairs = workspace.pairs()
    assert found.n_reports == len(ids)
    assert found.n_with_ct == len(set(ids) & set(pairs["xray_id"]))
    assert found.n_unread == unread
    findings = to_findings(workspace.findings(department.runs.shown(), ids))
    said = Counter(f.phrase for f in decide(findings) if f.pathology == asked.topic)
    part = by_hand(workspace.observations(), asked)
    judged = Counter(part["phrase"])
    positives = part.groupby("phrase")["outcome"].sum()
    known = [p.name for p in department.phrases()]
    assert [r.phrase for r in found.rates] == [name for name in known if said[name] or judged[name]]
    for r in found.rates:
        assert r.said >= r.judged
        assert (r.said, r.judged) == (max(said[r.phrase], judged[r.phrase]), judged[r.phrase])
        assert r.unverified == r.said - r.judged
        assert r.positives == pytest.approx(positives.get(r.phrase, 0.0))


def test_verification_counts_what_a_count_of_every_report_gives(shown, everything, anyone):
    paired = set(shown._workspace.pairs()["xray_id"])
    for asked in (Asked(anyone), Asked(anyone, "edema"), *windows(everything, anyone)):
        own = _own_reports(shown, anyone)
        days = own["exam_time"].dt.date
        inside = own[(days >= (asked.first or date.min)) & (days <= (asked.last or date.max))]
        texts = set(inside.loc[inside["report_id"].isin(paired), "text"]) | set(
            shown._workspace.reports()[lambda r: r["report_id"].isin(paired)]["text"]
        )
        _check(shown, asked, unread=int((~inside["text"].isin(texts)).sum()))


def test_reports_of_all_authors_are_those_that_the_attrition_counts(shown):
    reports = shown.explore.xray_reports()
    steps = shown.attrition()
    attributed = steps[(steps["step"] == "has a radiologist to attribute it to") & (steps["modality"] == "xray")]
    assert len(reports) == attributed["kept"].iloc[-1]
    assert reports["paired"].sum() == len(shown._workspace.pairs())
    assert reports["report_id"].is_unique


def test_reading_the_reports_without_ct_leaves_none_unread(analysed, anyone):
    before = analysed.explore.verification(Asked(anyone))
    assert before.n_unread > 0
    analysis = analysed.analysis()
    with pytest.raises(Cancelled):
        analysed.explore.read_unpaired(Stop(12))
    halfway = analysed.explore.verification(Asked(anyone))
    assert sum(analysed.explore.verification(Asked(a)).n_unread for a in analysed.authors()) > 0
    assert halfway.n_unread <= before.n_unread
    reports = analysed.explore.xray_reports()
    assert analysed.explore.read_unpaired() == int((~reports["paired"]).sum())
    for author in analysed.authors():
        _check(analysed, Asked(author), unread=0)
    after = analysed.explore.verification(Asked(anyone))
    assert sum(r.unverified for r in after.rates) > sum(r.unverified for r in before.rates)
    assert [r.judged for r in after.rates if r.judged] == [r.judged for r in before.rates if r.judged]
    assert analysed.analyse() == analysis or analysed.analysis().provenance == analysis.provenance  # no part but here


def test_what_was_read_before_a_stop_is_not_read_again(analysed, spy):
    analysed.extract()
    analysed.analyse()
    spy.calls.clear()
    with pytest.raises(Cancelled):
        analysed.explore.read_unpaired(Stop(12))
    first = list(spy.calls)
    assert first
    analysed.explore.read_unpaired()
    assert len(spy.calls) - len(set(spy.calls)) <= 1  # the one that it was stopped in
    assert len(spy.calls) > len(first)
    analysed.explore.read_unpaired()
    assert analysed.explore.verification(Asked(analysed.authors()[0])).n_unread == 0


def test_another_engine_in_the_settings_leaves_the_count_with_the_results_on_show(analysed, spy, anyone):
    runs = analysed._workspace.run_keys()
    _check(analysed, Asked(anyone), unread=analysed.explore.verification(Asked(anyone)).n_unread)
    assert sum(r.judged for r in analysed.explore.verification(Asked(anyone)).rates) > 0
    assert analysed.explore.verification(Asked(anyone)).n_unread < 40
    assert analysed._workspace.run_keys() == runs  # none begun by looking
    with pytest.raises(DataError, match="read by another engine than the one in the settings"):
        analysed.explore.read_unpaired()
    assert spy.calls == []
    analysed.extract()
    analysed.analyse()
    analysed.explore.read_unpaired()
    _check(analysed, Asked(anyone), unread=0)
    analysed.runs.use(runs[0][0])
    analysed.analyse()
    assert analysed.runs.shown() == runs[0][0]
    assert analysed.explore.verification(Asked(anyone)).n_unread > 0
    with pytest.raises(DataError, match="Show the results of the engine in the settings"):
        analysed.explore.read_unpaired()


def test_reports_of_two_people_are_attributed_as_the_settings_say(analysed):
    from radcal.workflow.importing import VERSIONS

    workspace = analysed._workspace
    own = workspace.load_frame(VERSIONS).assign(dictator="Trainee, Toni", signer="Senior, Sam")
    reports = workspace.reports()
    final = reports.loc[(reports["modality"] == "xray") & (reports["status"] != "preliminary"), "report_id"].tolist()
    own.loc[own["report_id"] == final[0], "signer"] = ""  # not signed
    own.loc[own["report_id"] == final[1], "dictator"] = "Senior, Sam"
    workspace.save_frame(VERSIONS, own)
    for rule, expected in (
        ("signer", {"Senior, Sam": len(final) - 1}),
        ("dictator", {"Senior, Sam": 1, "Trainee, Toni": len(final) - 2}),
        ("leave out", {"Senior, Sam": 1}),
    ):
        analysed.save_settings(analysed.settings.changed(trainee_rule=rule))
        found = analysed.explore.xray_reports()
        counted = Counter(found.loc[found["report_id"].isin(final), "author"])
        assert counted == expected, rule
        assert "" not in set(found["author"])


# --- files of an earlier RadCal ---------------------------------------------------------------------


def test_observations_in_one_piece_give_the_same_answers(analysed, everything, anyone):
    def answers(department: Department) -> list[object]:
        explore = department.explore
        first, last = explore.days(anyone, TOPIC)
        middle = first + (last - first) / 2
        return [
            *(plain(r) for r in explore.reliabilities([Asked(anyone, last=middle), Asked(anyone, "edema")])),
            explore.evidence(Asked(anyone, first=middle)).to_dict("list"),
            explore.words_at(Asked(anyone), 0.4),
            explore.verification(Asked(anyone, last=middle)),
            explore.outcomes().tolist(),
            Counter(explore.all_statements().astype(object).itertuples(index=False, name=None)),
        ]

    by_author = answers(analysed)
    workspace = analysed._workspace
    with workspace.transaction():  # as RadCal kept them before it kept them by author
        workspace._db.execute("DELETE FROM frames WHERE name LIKE 'observations of %'")
        workspace.save_frame("observations", everything)
    assert list(workspace.observations_by_author()) == []
    analysed.explore._kept.clear()
    assert repr(answers(analysed)) == repr(by_author)
    assert_frame_equal(workspace.observations(), everything)
    assert_frame_equal(workspace.observations(["topic", "outcome"]), everything[["topic", "outcome"]])
    stranger = workspace.observations_of("Nobody")
    assert stranger is not None
    assert stranger.empty
    workspace.save_observations(everything)  # and the next analysis keeps them by author
    assert workspace.load_frame("observations") is None
    assert_frame_equal(workspace.observations(), everything)


def test_an_analysis_whose_observations_are_lost_is_said_to_be_none(analysed, anyone):
    analysed.explore.warm_up()
    analysed._workspace._db.execute("DELETE FROM frames WHERE name LIKE 'observations%'")
    for question in (lambda: analysed.explore.evidence(Asked(anyone)), analysed.explore.all_statements):
        with pytest.raises(DataError, match="There is no analysis yet"):
            question()
    analysed.explore._kept.clear()
    with pytest.raises(DataError, match="There is no analysis yet"):
        analysed.explore.outcomes()
