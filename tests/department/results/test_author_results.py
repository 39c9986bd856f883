"""Results within days: what they would be if there had been no other examinations, on every page alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radcal.advice.judged_records import Standing
from radcal.advice.report import to_json
from radcal.advice.stored_analysis import Analysis
from radcal.calibration.matched_pairs import READ, UNREAD
from radcal.calibration.model import SHIPPED
from radcal.calibration.records import Reliability
from radcal.department import Department
from radcal.feedback.batch import NOTHING_SAID
from radcal.feedback.records import PageChoice, Sheet
from radcal.opening import open_department, open_workspace
from radcal.reports.importing import as_files
from radcal.sample.department import SampleTruth
from radcal.system import coarse
from radcal.system.errors import Cancelled, InputError
from radcal.system.files import record_to_plain
from radcal.system.progress import Silent
from radcal.system.selection import ALL_DAYS, Days, Selection
from radcal.workspace.context import COUNTS_BY_DAY as COUNTS

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""In English, whatever the locale that Qt has taken over from the environment."""
EVER = Days(date(1900, 1, 1), date(2200, 1, 1))
NEVER = Days(date(1900, 1, 1), date(1900, 12, 31))


def everything_said(department: Department, author: str) -> pd.DataFrame:
    """The author's statements of all days, as they are stored."""
    stored = department._workspace.observations_of(author)
    assert stored is not None
    return stored


@pytest.fixture
def halves(analysed: Department, author: str) -> tuple[Days, Days]:
    """The author's statements cut into two, so that the first ends on a day on which something was said."""
    middle = everything_said(analysed, author)["xray_time"].median().date()
    return Days(None, middle), Days(middle + timedelta(days=1), None)


def plain(analysis: Analysis) -> list[object]:
    """All but the q-values, which depend on what else was tested."""
    rows = [replace(r, q_value_star=None, q_value_word=None) for r in analysis.reliabilities]
    return [record_to_plain(rows), to_json(analysis.advices), sorted(c for c in analysis.counts if c[3])]


def assert_alike(a: object, b: object) -> None:
    """The same up to the order in which numbers were added, in single precision."""
    if isinstance(a, dict):
        assert isinstance(b, dict)
        assert a.keys() == b.keys()
        for key in a:
            assert_alike(a[key], b[key])
    elif isinstance(a, list | tuple):
        assert isinstance(b, list | tuple)
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_alike(one, other)
    else:
        assert a == (pytest.approx(b, rel=1e-5, abs=1e-5, nan_ok=True) if isinstance(b, float) else b)


def test_a_range_that_holds_every_day_gives_the_analysis_itself(analysed: Department) -> None:
    for author in analysed.authors():
        every, ranged = analysed.author_results.analysis(author), analysed.author_results.analysis(author, EVER)
        assert_alike(plain(every), plain(ranged))
        whole = analysed.analysis()
        assert whole is not None
        assert every.reliabilities == tuple(r for r in whole.reliabilities if r.author == author)
        [a], [b] = every.pairs, ranged.pairs
        assert (a.n_pairs, a.unread) == (b.n_pairs, b.unread)
        assert a.first_exam is not None
        assert a.last_exam is not None
        assert [a.first_exam.date(), a.last_exam.date()] == [d and d.date() for d in (b.first_exam, b.last_exam)]
        assert ranged.provenance.n_pairs == a.n_pairs


def test_each_day_counts_once_and_both_ends_count(analysed: Department, author: str, halves: tuple[Days, Days]) -> None:
    parts = [analysed.author_results.analysis(author, days) for days in halves]
    said = everything_said(analysed, author)
    for days, part in zip(halves, parts, strict=True):
        day = said["xray_time"].dt.date
        own = said[[(days.first or d) <= d <= (days.last or d) for d in day]]
        assert 0 < len(own) < len(said)
        counted = Counter(zip(own["topic"], own["phrase"], strict=True))
        assert {(r.topic, p.phrase): p.n for r in part.reliabilities for p in r.phrases if p.n} == counted
        for r in part.reliabilities:
            for p in r.phrases:
                chosen = own[(own["topic"] == r.topic) & (own["phrase"] == p.phrase)]
                assert p.positives == pytest.approx(chosen["outcome"].sum())
        exams = analysed._workspace.pairs().query("author == @author")["xray_time"].dt.date
        assert part.pairs[0].n_pairs == sum((days.first or d) <= d <= (days.last or d) for d in exams)
    whole = analysed.author_results.analysis(author)
    total: Counter[tuple[str, str]] = Counter()
    for part in parts:
        for _, topic, what, n in part.counts:
            total[topic, what] += n
    assert +total == Counter({(topic, what): n for _, topic, what, n in whole.counts if n})


@pytest.mark.slow
def test_results_are_those_of_a_department_that_has_no_other_examinations(
    analysed: Department,
    small: SampleTruth,
    make: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """But for how the CT reports of all days use words, which luck knows."""
    pairs = analysed._workspace.pairs()
    days = Days(pairs["xray_time"].quantile(0.25).date(), pairs["xray_time"].quantile(0.8).date())
    inside = pairs[(pairs["xray_time"].dt.date >= days.first) & (pairs["xray_time"].dt.date <= days.last)]
    reports = analysed._workspace.reports(("report_id", "accession"))
    accession = dict(zip(reports["report_id"], reports["accession"], strict=True))
    wanted = {accession[i] for name in ("xray_id", "ct_id") for i in inside[name]}
    files = []
    for path in (small.xray, small.ct):
        rows = make.read(path)
        column = next(name for name in rows[0] if {row[name] for row in rows} & wanted)
        files.append(make.write(tmp_path / path.name, [row for row in rows if row[column] in wanted]))
    with open_department(tmp_path / "part.radcal", "plum tree in blossom", create=True, settings=make.settings) as part:
        part.importing.import_reports(as_files(xray=[files[0]], ct=[files[1]]))
        assert part.importing.pair().n_pairs == len(inside)
        part.runs.extract()
        part.analyse()
        advised = 0
        as_in_part = replace(analysed.analysis(), mixes=part.analysis().mixes, spread=part.analysis().spread)
        monkeypatch.setattr(analysed._stored, "required", lambda: as_in_part)
        for author in part.authors():
            alone, within = part.author_results.analysis(author), analysed.author_results.analysis(author, days)
            assert_alike(plain(alone), plain(within))
            advised += sum(bool(r.curve) for r in within.reliabilities)
            assert within.provenance.n_pairs == alone.provenance.n_pairs
        assert advised > 0


def test_the_pages_follow_the_days_and_tell_them(
    analysed: Department, author: str, halves: tuple[Days, Days], tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    full = Sheet(pages="full")
    every = printed(analysed.pages.pdf(author, sheet=full))
    assert "days chosen" not in every.casefold()
    first, second = (analysed.pages.pdf(author, days=days, sheet=full) for days in halves)
    assert first != second
    for days, pdf in zip(halves, (first, second), strict=True):
        data, text = analysed.pages.input(author, days), printed(pdf)
        n = sum(r.n for r in data.reliabilities)
        day = days.last or days.first
        assert day is not None
        texts = f"{'until' if days.last else 'from'} {day.day} {MONTHS[day.month - 1]} {day.year}"
        assert f"{n:.0f} findings" in text
        assert f"days chosen: {texts}" in text
        assert f"Days chosen {texts}" in text
        assert "X-ray and CT pairs " + str(data.provenance.n_pairs) in text
        assert f"days chosen: {texts}" in printed(analysed.pages.pdf(author, days=days))
    # The same input gives the same bytes: again, in a window opened anew, written to a file.
    assert analysed.pages.pdf(author, days=halves[0], sheet=full) == first
    path = analysed.path
    analysed.close()
    with open_department(path, "plum tree in blossom", read_only=True) as again:
        assert again.pages.pdf(author, days=halves[0], sheet=full) == first
        out = again.pages.write(author, tmp_path / "x.pdf", days=halves[0], sheet=full)
    assert out.read_bytes() == first


def test_examples_are_of_these_days(analysed: Department) -> None:
    analysed.save_settings(analysed.settings.changed(sure=0.5))  # so that something is advised, which brings examples
    printed = 0
    for author in analysed.authors():
        said = everything_said(analysed, author)
        ends = said["xray_time"].quantile([0.0, 0.75]).dt.date.tolist()
        days = Days(*ends)
        inside = said[(said["xray_time"].dt.date >= ends[0]) & (said["xray_time"].dt.date <= ends[1])]
        of = set(zip(inside["topic"], inside["xray_sentence"], strict=True))
        for example in analysed.pages.input(author, days).examples:
            assert (example.topic, example.xray_sentence) in of
            printed += 1
    assert printed > 0


def test_the_page_agrees_with_the_pages_of_reliability_and_advice(
    analysed: Department, author: str, halves: tuple[Days, Days]
) -> None:
    found = analysed.author_results.analysis(author, halves[1])
    for r, advice in zip(found.reliabilities, found.advices, strict=True):
        selection = Selection(author, r.topic, halves[1])
        assert_alike(
            *map(
                record_to_plain,
                (analysed.groups.reliability(selection), replace(r, q_value_star=None, q_value_word=None)),
            )
        )
        if r.reason:
            continue
        shown = analysed.alternatives.advice(selection)
        assert_alike(to_json([shown.advice]), to_json([advice]))


def test_days_without_a_statement_are_not_enough_data(
    analysed: Department, author: str, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    data = analysed.pages.input(author, NEVER)
    assert (data.reliabilities, data.advices, data.examples) == ((), (), ())
    assert (data.provenance.n_pairs, data.provenance.first_exam) == (0, None)
    assert "Not enough data: no statement of these days" in printed(analysed.pages.pdf(author, days=NEVER))
    [word] = analysed.draft_check.read("Likely edema.", author, NEVER).words
    assert word.judged.standing is Standing.NEVER
    written = analysed.handing_out.write_all(tmp_path / "none", days=NEVER)
    assert [w.failure for w in written] == [NOTHING_SAID] * 2
    assert not (tmp_path / "none").exists()


def test_a_range_that_ends_before_it_begins_is_refused(analysed: Department, author: str, tmp_path: Path) -> None:
    days = Days(date(2026, 3, 1), date(2026, 2, 1))
    for ask in (
        lambda: analysed.pages.pdf(author, days=days),
        lambda: analysed.draft_check.read("Edema.", author, days),
        lambda: analysed.author_results.others(author, days),
        lambda: analysed.handing_out.write_all(tmp_path, days=days),
    ):
        with pytest.raises(InputError, match=r"end on 2026-02-01, before they begin on 2026-03-01"):
            ask()


def test_drafts_are_compared_with_the_results_of_these_days(
    analysed: Department, author: str, halves: tuple[Days, Days]
) -> None:
    draft = "Likely edema. Possible pneumonia. No pneumothorax. Small pleural effusion."
    texts = [analysed.draft_check.read(draft, author, days) for days in (ALL_DAYS, *halves)]
    assert [t.days for t in texts] == [ALL_DAYS, *halves]
    compared = 0
    for whole, first, second in zip(*(t.words for t in texts), strict=True):
        n = [w.judged.rate.n for w in (whole, first, second)]
        assert n[0] == n[1] + n[2]
        compared += n[1] > 0 < n[2]
    assert compared > 0


def test_files_of_all_are_of_these_days_and_named_by_them(
    analysed: Department, author: str, halves: tuple[Days, Days], tmp_path: Path
) -> None:
    every = analysed.handing_out.write_all(tmp_path)
    some = analysed.handing_out.write_all(tmp_path, days=halves[0], personal_files=True)
    assert halves[0].last is not None
    for a, b in zip(every, some, strict=True):
        assert b.files[0].name == f"{a.files[0].stem}-until-{halves[0].last.isoformat()}.pdf"
        assert b.files[0].read_bytes() == analysed.pages.pdf(b.author, days=halves[0])
        assert b.files[1].name == a.files[0].name.replace("feedback", "personal").replace(".pdf", ".radcal")
        with open_workspace(b.files[1], b.passphrase) as personal:  # which holds all days
            assert personal.author_results.analysis(b.author).pairs == analysed.author_results.analysis(b.author).pairs
    both = Days(date(2026, 1, 1), date(2026, 3, 31))
    from radcal.feedback.pdf import file_name

    name = file_name(replace(analysed.pages.input(author), days=both))
    assert name.endswith("-2026-01-01-to-2026-03-31.pdf")


def figures(r: Reliability) -> tuple[object, ...]:
    return r.topic, r.n, r.phrases, r.word_error, r.word_error_low, r.word_error_high, r.ece, r.brier


def test_a_personal_file_follows_the_days_as_the_department_does(
    analysed: Department, author: str, halves: tuple[Days, Days], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = analysed.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    with open_workspace(path, "own words of hers") as personal:
        assert personal.pages.pdf(author) == analysed.pages.pdf(author)
        as_told = replace(analysed.analysis(), spread=SHIPPED, mixes=personal.analysis().mixes)
        monkeypatch.setattr(analysed._stored, "required", lambda: as_told)
        for days in (*halves, EVER):
            # As if nothing were known of the only other radiologist, nor of how the CT reads that one's patients.
            own, known = (shown.pages.input(author, days).reliabilities for shown in (personal, analysed))
            assert [figures(r) for r in own] == [figures(r) for r in known]
        draft = "Likely edema. Possible pneumonia."
        assert personal.draft_check.read(draft, author, halves[1]) == analysed.draft_check.read(
            draft, author, halves[1]
        )
    assert analysed._workspace.load_frame(COUNTS) is None


def test_other_readers_within_days_are_counted_one_by_one(
    analysed: Department, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    n = 600
    made = pd.DataFrame(
        {
            "author": pd.Categorical(rng.choice(["Me", "A", "B", "C", "D", "E", "F"], n)),
            "topic": pd.Categorical(rng.choice(["edema", "pneumonia"], n)),
            "phrase": pd.Categorical(rng.choice(["likely", "absent"], n, p=[0.95, 0.05])),
            "outcome": rng.choice([0.0, 0.5, 1.0], n),
            "xray_time": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 100 * 24, n), unit="h"),
        }
    )
    monkeypatch.setattr(analysed.groups, "all_statements", lambda: made)
    days = Days(date(2026, 2, 1), date(2026, 2, 28))
    others = {(o.topic, o.rate.phrase): o for o in analysed.author_results.others("Me", days)}
    texts: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in made.itertuples():
        if row.author != "Me" and "2026-02-01" <= str(row.xray_time)[:10] <= "2026-02-28":
            texts.setdefault((str(row.topic), str(row.phrase)), {}).setdefault(str(row.author), []).append(row.outcome)
    cells = {key: coarse.cells((len(y), sum(y)) for y in by.values()) for key, by in texts.items()}
    enough = {key: made for key, made in cells.items() if len(made) >= coarse.FEWEST}
    assert set(others) == set(enough)
    assert 0 < len(enough) < 4
    for key, made in enough.items():
        o = others[key]
        assert (o.readers, (o.rate.n, o.rate.positives)) == (len(made), pytest.approx(coarse.together(made)))


def test_asked_again_nothing_is_worked_out_again_until_something_changes(
    analysed: Department, author: str, halves: tuple[Days, Days], monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.advice import author_results as room

    asked: list[Days] = []
    real = room.AuthorResults._measured

    def counted(self: room.AuthorResults, author: str, days: Days, *rest: object) -> Analysis:
        asked.append(days)
        return real(self, author, days, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(room.AuthorResults, "_measured", counted)
    for days in (*halves, *halves):
        analysed.pages.pdf(author, PageChoice(), days=days)
    assert asked == list(halves)
    analysed.save_settings(analysed.settings.changed(min_phrase_n=7))
    analysed.pages.pdf(author, PageChoice(), days=halves[0])
    assert asked == [*halves, halves[0]]


def test_it_stops_when_asked(analysed: Department, author: str, halves: tuple[Days, Days], onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        analysed.pages.pdf(author, days=halves[0], progress=onlooker(looks=0))


def test_a_stop_while_pages_are_worked_out_keeps_what_is_written(
    analysed: Department, halves: tuple[Days, Days], tmp_path: Path
) -> None:
    class StopsLater(Silent):
        """Asked to stop at the first look after the first radiologist is done, the second's being under way."""

        done = looks = 0

        def advance(self, n: int = 1, note: str = "") -> None:
            self.done += n

        def raise_if_cancelled(self) -> None:
            self.looks += self.done
            if self.looks > 1:
                raise Cancelled

    written = analysed.handing_out.write_all(tmp_path / "x", days=halves[0], progress=StopsLater())
    assert [bool(w.files) for w in written] == [True, False]
    assert "stopped" in written[1].failure
    names = {p.name for p in (tmp_path / "x").iterdir()}
    assert names == {written[0].files[0].name}


@pytest.mark.slow
def test_pairs_with_an_unread_report_are_counted_on_their_day(filled: Department, spy: Any) -> None:
    """Whichever of the two was not read, and as the analysis of all days counts them."""
    spy.failing = lambda report_id: int(report_id[-5:]) % 10 == 3
    filled.runs.extract()
    analysis = filled.analyse()
    pairs = filled._workspace.pairs()
    xray, ct = (pairs[column].map(spy.failing) for column in ("xray_id", "ct_id"))
    assert (xray & ~ct).any()
    assert (ct & ~xray).any()
    unread = xray | ct
    for made in analysis.pairs:
        [ranged] = filled.author_results.analysis(made.author, EVER).pairs
        assert (ranged.n_pairs, ranged.unread) == (made.n_pairs, made.unread)
        counts = filled.author_results.counts(made.author)
        for what, chosen in ((READ, ~unread), (UNREAD, unread)):
            by_day = pairs.loc[chosen & (pairs["author"] == made.author), "xray_time"].dt.normalize().value_counts()
            texts = counts[counts["what"] == what].set_index("day")["n"]
            assert texts.to_dict() == by_day.to_dict()
