"""The chain of steps goes on where it stopped, and says why there is no analysis."""

from __future__ import annotations

import pytest

from radcal.chain import finished_analysis, run_chain
from radcal.opening import open_department, open_workspace
from radcal.reports.importing import as_files
from radcal.system.errors import Cancelled, DataError


@pytest.mark.slow
def test_a_chain_imports_pairs_extracts_and_analyses(department, small):
    result = run_chain(department, as_files(xray=[small.xray], ct=[small.ct]))
    assert result.imported is not None
    assert (result.pairing.n_pairs, result.extraction.n_done, result.reason) == (80, 160, "")
    assert result.analysis is department.analysis()
    assert department.up_to_date


@pytest.mark.slow
def test_a_chain_that_was_stopped_goes_on_where_it_was(department, small, spy, onlooker):
    files = as_files(xray=[small.xray], ct=[small.ct])
    department.importing.import_reports(files)
    department.importing.pair()
    with pytest.raises(Cancelled):
        department.runs.extract(onlooker(looks=60))
    assert 0 < len(spy.asked) < 160
    assert not department.up_to_date
    assert finished_analysis(department).provenance.n_pairs == 80
    assert len(spy.asked) == len(set(spy.asked)) == 160
    assert department.up_to_date
    finished_analysis(department)
    assert run_chain(department, files).imported.rows_read == 0
    assert len(spy.asked) == 160  # nothing is done twice


def test_without_an_analysis_the_reason_and_the_other_results_are_there(department, small, spy):
    spy.failing = lambda report_id: True
    result = run_chain(department, as_files(xray=[small.xray], ct=[small.ct]))
    assert result.analysis is None
    assert result.reason.startswith("No pair of an X-ray report and its CT report was read")
    assert result.extraction.n_failed == 160
    with pytest.raises(DataError, match="No pair of an X-ray report"):
        finished_analysis(department)


def test_nothing_is_made_in_a_workspace_that_is_open_for_reading_only(filled, make):
    path = filled.path
    filled.close()
    with (
        open_department(path, make.passphrase, read_only=True) as reader,
        pytest.raises(DataError, match="none can be made while it is open to read only"),
    ):
        finished_analysis(reader)


def test_a_personal_file_has_its_analysis(analysed, tmp_path):
    author = analysed.authors()[0]
    packet = analysed.personal_files.write(author, tmp_path / "own.radcal", "own words of hers")
    with open_workspace(packet, "own words of hers") as personal:
        assert {r.author for r in finished_analysis(personal).reliabilities} == {author}
