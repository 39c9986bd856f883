"""Other pairing windows: as a workspace with that window has it, and nothing is changed."""

from __future__ import annotations

import shutil

import pytest

from radcal.calibration.records import ALL_AUTHORS
from radcal.opening import open_department
from radcal.system.errors import Cancelled, DataError, InputError
from radcal.system.selection import Selection
from radcal.system.settings import ALL_TOPICS

HOURS = (3.0, 6.0, 24.0)


@pytest.fixture(scope="module")
def widest(tmp_path_factory, files, make):
    """The department read within 24 hours and analysed within 12, so that every report is read."""
    path = shutil.copy(files.filled, tmp_path_factory.mktemp("windows") / "w.radcal")
    with open_department(path, make.passphrase) as department:
        for hours in (24.0, 12.0):
            department.save_settings(department.settings.changed(window_hours=hours))
            department.importing.pair()
            department.runs.extract()
        department.analyse()
        yield department


@pytest.fixture(scope="module")
def found(widest):
    return widest.windows.compare(HOURS)


def test_the_present_window_gives_the_stored_results(widest, found, plain):
    assert [w.hours for w in found.windows] == [3, 6, 12, 24]
    assert found.present == 12
    now = next(w for w in found.windows if w.hours == 12)
    assert [*map(plain, now.groups)] == [*map(plain, widest.analysis().pooled)]
    assert now.n_pairs == len(widest._workspace.pairs())
    assert not any(change.hours == 12 for change in found.changes)


@pytest.mark.slow
@pytest.mark.parametrize("hours", [3.0, 24.0])
def test_another_window_gives_what_a_whole_run_with_it_gives(tmp_path, widest, found, make, plain, hours):
    path = tmp_path / "copy.radcal"
    widest.backup(path)
    with open_department(path, make.passphrase) as department:
        department.save_settings(department.settings.changed(window_hours=hours))
        department.importing.pair()
        department.runs.extract()
        again = department.analyse()
        window = next(w for w in found.windows if w.hours == hours)
        assert [*map(plain, window.groups)] == [*map(plain, again.pooled)]
        assert window.n_pairs == len(department._workspace.pairs())
        assert window.n_unread == 0
        for r in again.reliabilities[:3]:
            selection = Selection(r.author, r.topic)
            (group,) = next(w.groups for w in widest.windows.compare([hours], selection).windows if w.hours == hours)
            for name in ("n", "word_error", "word_error_low", "word_error_high", "p_value_word", "ece", "p_value"):
                value = getattr(r, name)
                assert getattr(group, name) == (value if value is None else pytest.approx(value, rel=1e-9)), name
            assert plain(group)["phrases"] == plain(r)["phrases"]


def test_nothing_is_changed(analysed):
    workspace = analysed._workspace
    before = workspace.pairs(), analysed.settings, analysed.analysis(), len(workspace.audit())
    runs = workspace.runs()
    analysed.windows.compare(HOURS)
    assert workspace.pairs().equals(before[0])
    assert analysed.settings == before[1]
    assert analysed.analysis() is before[2]
    assert len(workspace.audit()) == before[3]
    assert workspace.runs().equals(runs)


@pytest.mark.slow
def test_reports_that_were_never_read_are_counted_and_stay_unread(spy, department, small):
    from radcal.reports.importing import as_files

    department.save_settings(department.settings.changed(window_hours=3.0))
    department.importing.import_reports(as_files(xray=[small.xray], ct=[small.ct]))
    department.importing.pair()
    department.runs.extract()
    department.analyse()
    asked = len(spy.asked)
    found = department.windows.compare([24])
    assert len(spy.asked) == asked
    narrow, wide = found.windows
    assert (narrow.hours, narrow.n_unread) == (3, 0)
    assert 0 < wide.n_unread < wide.n_pairs


@pytest.mark.parametrize("whose", ["topic", "author", "days"])
def test_groups_seen_together_and_a_group_within_days(shown, everything, ask, whose):
    author, topic = str(everything["author"].min()), "pleural effusion"
    days = sorted(everything.loc[everything["author"] == author, "xray_time"].dt.date)
    selection = {
        "topic": Selection(ALL_AUTHORS, topic),
        "author": Selection(author, ALL_TOPICS),
        "days": ask(author, first=days[len(days) // 2]),
    }[whose]
    now = next(w for w in shown.windows.compare([3], selection).windows if w.hours == 12)
    (group,) = now.groups
    own = shown.groups.reliability(selection)
    found, expected = ((r.n, r.word_error, r.p_value_word) for r in (group, own))
    assert found == pytest.approx(expected)


def test_a_group_that_nobody_spoke_of_has_no_figures(shown):
    assert {w.groups for w in shown.windows.compare([3], Selection("nobody", "edema")).windows} == {()}


def test_verdicts_that_change_are_named(found):
    assert found.changes
    now = next(w for w in found.windows if w.hours == found.present)
    known = {(r.author, r.topic, w.phrase): w.verdict for r in now.groups for w in r.phrases}
    for change in found.changes:
        assert change.before != change.after
        assert change.before == known.get((change.author, change.topic, change.phrase), "")


def test_a_window_out_of_bounds_is_refused(shown):
    for hours in (-1, 0):
        with pytest.raises(InputError, match="longer than 0 hours"):
            shown.windows.compare([3, hours])
    with pytest.raises(InputError, match="window_hours"):
        shown.windows.compare([1e6])


def test_without_reports_there_is_nothing_to_pair(department):
    with pytest.raises(DataError, match="no reports yet"):
        department.windows.compare()


def test_it_can_be_stopped(shown, onlooker):
    with pytest.raises(Cancelled):
        shown.windows.compare(progress=onlooker(looks=2))
