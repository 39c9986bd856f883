"""A department's words: kept, undone, counted in its reports, and told to the engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from radcal.calibration.department_words import SHIPPED, SHIPPED_PUBLIC, SURVEY
from radcal.department import Department
from radcal.opening import open_department
from radcal.system.errors import DataError, InputError
from radcal.words import editing
from radcal.words.extraction_words import shipped
from radcal.words.records import OTHER, UNREAD
from tests.means import with_mean

PASSPHRASE = "plum tree in blossom"


def counts(department: Department) -> dict[str, int]:
    return dict(department.words.uses().phrases)


def test_a_new_department_has_the_shipped_words(department: Department) -> None:
    assert department.lexicon.version == shipped().version
    assert department.words.origin.version == shipped().version == department.words.of(SHIPPED).version
    assert department.words.history() == ()
    assert department.words.uses().engine == ""
    assert department.words.state().stale is False


def test_changed_words_are_there_when_the_workspace_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.radcal"
    with open_department(path, PASSPHRASE, create=True) as department:
        changed = with_mean(department.lexicon, "likely", 0.7)
        department.words.save(changed, ("likely", "gone"), what="likely moved")
        version = department.lexicon.version
        assert version == changed.version != shipped().version
        assert department.settings.allowed_phrases == ("likely",)
    with open_department(path, PASSPHRASE) as department:
        assert department.lexicon.version == version
        [only] = department.words.history()
        assert (only.version, only.what, only.origin) == (version, "likely moved", "phrases.csv")


def test_changes_of_one_sitting_are_one_version_until_results_were_made(analysed: Department) -> None:
    words = analysed.words
    for mean in (0.6, 0.65, 0.7):
        words.save(with_mean(analysed.lexicon, "likely", mean))
    assert [v.key for v in words.history()] == ["0001"]
    analysed.analyse()
    first = analysed.lexicon.version
    words.save(with_mean(analysed.lexicon, "likely", 0.8))
    assert [v.key for v in words.history()] == ["0002", "0001"]
    assert analysed._stored.lexicon.version == first != analysed.lexicon.version
    assert words.of("0001").version == first


def test_another_person_s_change_is_a_version_of_its_own(department: Department) -> None:
    for who, mean in ((None, 0.6), (None, 0.65), ("somebody else", 0.7), (None, 0.75)):
        department.words.save(with_mean(department.lexicon, "likely", mean), who=who)
    history = department.words.history()
    assert [v.key for v in history] == ["0003", "0002", "0001"]
    assert [v.who == "somebody else" for v in history] == [False, True, False]


def test_a_list_taken_over_is_what_meanings_are_reset_to(department: Department) -> None:
    words = department.words
    public = words.of(SHIPPED_PUBLIC)
    words.save(with_mean(department.lexicon, "likely", 0.7))
    words.save(editing.taken_over(department.lexicon, public), origin=public, what="public survey")
    assert [v.origin for v in words.history()] == [public.name, "phrases.csv"]
    words.save(with_mean(department.lexicon, "likely", 0.5))
    assert words.origin.version == public.version
    back = editing.reset_meaning(department.lexicon, "likely", words.origin)
    assert editing.named(back, "likely").alpha == pytest.approx(editing.named(public, "likely").alpha)
    with pytest.raises(DataError, match="no version"):
        words.of("0099")


def test_meanings_need_an_analysis_and_no_reading(analysed: Department) -> None:
    words = analysed.words
    assert words.state() == type(words.state())(stale=False, unread=0)
    words.save(with_mean(analysed.lexicon, "likely", 0.6))
    assert (words.state().stale, words.state().unread) == (True, 0)
    analysed.runs.extract()
    assert analysed.analyse().provenance.lexicon.endswith(analysed.lexicon.version)
    assert words.state().stale is False


def test_words_that_advice_may_propose_are_told_apart_from_changed_words(analysed: Department) -> None:
    analysed.words.save(analysed.lexicon, ("likely", "possibly"))
    state = analysed.words.state()
    assert (state.stale, state.unread, state.settings_only) == (True, 0, True)
    analysed.words.save(with_mean(analysed.lexicon, "likely", 0.6), ("likely", "possibly"))
    assert analysed.words.state().settings_only is False


@pytest.mark.slow
def test_a_moved_word_reaches_the_engine_and_reports_are_read_again(analysed: Department) -> None:
    before = counts(analysed)
    words = analysed.words
    taken_out = editing.remove_phrase(analysed.lexicon, "likely")
    words.save(taken_out)
    state = words.state()
    assert state.stale
    assert state.unread > 0
    analysed.runs.extract()
    analysed.analyse()
    after = words.uses()
    assert words.state() == type(state)(stale=False, unread=0)
    assert "likely" not in after.phrases
    assert sum(u.n for u in after.unknown) >= before["likely"] > 0
    likely = next(u for u in after.unknown if u.words == "likely")
    assert likely.examples
    assert all("likely" in sentence.lower() for sentence in likely.examples)
    assert len(set(likely.examples)) == len(likely.examples) <= 3
    # Placed, it is no longer unknown, even before the reports are read again.
    words.save(editing.add_synonym(analysed.lexicon, "probably", "likely"))
    assert "likely" not in [u.words for u in words.uses().unknown]
    analysed.runs.extract()
    analysed.analyse()
    assert counts(analysed)["probably"] >= before.get("probably", 0) + likely.n


def test_uses_are_those_of_the_reports(analysed: Department) -> None:
    run = analysed.runs.current().run_id
    findings = analysed._workspace.findings(run, analysed.runs.paired_ids(), ("phrase", "verbatim"))
    known = findings[findings["phrase"] != OTHER]["phrase"].value_counts().to_dict()
    assert counts(analysed) == known


def test_what_was_not_read_is_no_certainty_word(analysed: Department, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = [(UNREAD, "", 161), (OTHER, "", 2), (UNREAD, "in all fairness", 3), ("a phrase of before", "", 4)]
    monkeypatch.setattr(analysed.words._workspace, "count_findings", lambda *_: counted)
    assert [(u.words, u.n) for u in analysed.words.uses().unknown] == [
        ("a phrase of before", 4),
        ("in all fairness", 3),
    ]


def test_feedback_keeps_the_words_that_its_results_were_made_with(analysed: Department) -> None:
    author = analysed.authors()[0]
    analysed.words.save(editing.remove_phrase(analysed.lexicon, "likely"))
    assert "likely" in [p.name for p in analysed.pages.input(author).phrases]


def test_a_survey_becomes_a_lexicon_when_three_have_answered(department: Department) -> None:
    words = department.words
    with pytest.raises(DataError, match="Too few"):
        words.of(SURVEY)
    with pytest.raises(InputError, match="Nothing was answered"):
        words.save_response(words.new_response())
    for i, answers in enumerate(((4, 2), (4, 2), (5, 1))):
        response = words.new_response(f"  reader   {i} ", seed=i)
        for phrase, answer in zip(("likely", "unlikely"), answers, strict=True):
            response = response.with_answer(phrase, answer)
            words.save_response(response)
        assert len(words.responses()) == i + 1
    surveyed = words.surveyed()
    assert surveyed.n == 3
    assert [p.name for p in words.of(SURVEY).phrases] == ["absent", "unlikely", "likely", "present"]
    # Mean of two in 75-90 % and one in 90-100 %.
    likely = editing.named(words.of(SURVEY), "likely")
    assert editing.mean_of(likely) == pytest.approx((2 * 0.825 + 0.95) / 3)
    assert (likely.low, likely.high) == (0.75, 0.9)
    kept = words.responses()[0]
    assert kept.name.startswith("reader ")
    words.remove_response(kept.key)
    assert kept.key not in [r.key for r in words.responses()]
    assert words.surveyed().lexicon is None


def test_lists_and_both_kinds_of_survey_are_read(department: Department, tmp_path: Path) -> None:
    ranges = tmp_path / "ranges.csv"
    ranges.write_text("phrase,low_5_25,high_75_90\nlikely,1,5\n", encoding="utf-8")
    answers = tmp_path / "answers.csv"
    answers.write_text("Likely,Age\n80,young\n70,old\n75,old\n", encoding="utf-8")
    table = tmp_path / "table.csv"
    table.write_text("phrase,alpha,beta\nlikely,4,1\n", encoding="utf-8")
    means = [editing.mean_of(editing.named(department.words.read_list(p), "likely")) for p in (ranges, answers, table)]
    assert means == pytest.approx([(0.15 + 5 * 0.825) / 6, 0.75, 0.8])
    with pytest.raises(InputError):
        department.words.read_list(tmp_path / "missing.csv")
