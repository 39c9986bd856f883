"""Changes to a lexicon: exact moments, refusals with their reason, nothing else touched."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution

from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words import editing
from radcal.words.editing import named
from radcal.words.extraction_words import shipped
from radcal.words.phrases import Lexicon, mean_of, read_lexicon_csv, spread_of, table_text
from radcal.words.records import Phrase
from tests.means import moved, with_mean

SHIPPED = shipped()
PUBLIC = read_lexicon_csv(resource("lexicon", "phrases_public.csv"))
HEDGES = [p.name for p in SHIPPED.phrases if not editing.is_plain(p.name)]


@given(st.sampled_from(HEDGES), st.floats(-0.5, 1.5), st.floats(0, 0.8))
@settings(deadline=None, max_examples=60)
def test_any_wish_becomes_a_distribution_with_exactly_the_moments_that_are_possible(
    name: str, mean: float, spread: float
) -> None:
    phrase = editing.with_moments(named(SHIPPED, name), mean, spread)
    wanted_mean = min(max(mean, editing.LEAST_MEAN), editing.MOST_MEAN)
    wanted_spread = min(max(spread, editing.LEAST_SPREAD), editing.widest_spread(wanted_mean))
    m, v = beta_distribution.stats(phrase.alpha, phrase.beta)
    assert float(m) == pytest.approx(wanted_mean, rel=1e-9)
    assert float(v) ** 0.5 == pytest.approx(wanted_spread, rel=1e-6)
    assert spread_of(phrase) == pytest.approx(wanted_spread, rel=1e-9)
    # The range is the central half, extended to hold the mean, and nobody's answers stand behind it.
    quartiles = beta_distribution.ppf([0.25, 0.75], phrase.alpha, phrase.beta)
    assert phrase.low == pytest.approx(min(quartiles[0], wanted_mean), abs=1e-6)
    assert phrase.high == pytest.approx(max(quartiles[1], wanted_mean), abs=1e-6)
    assert (phrase.asked, phrase.answers, phrase.within) == (0, 0, 0)
    assert phrase.source.startswith(editing.EDITED)
    assert phrase.synonyms == named(SHIPPED, name).synonyms


def test_the_mean_moves_without_the_spread_and_the_other_way_round() -> None:
    moved = named(with_mean(SHIPPED, "likely", 0.6), "likely")
    assert (mean_of(moved), spread_of(moved)) == pytest.approx((0.6, spread_of(named(SHIPPED, "likely"))))
    wider = editing.with_moments(named(SHIPPED, "likely"), mean_of(named(SHIPPED, "likely")), 0.2)
    assert (mean_of(wider), spread_of(wider)) == pytest.approx((mean_of(named(SHIPPED, "likely")), 0.2))
    others = [p for p in with_mean(SHIPPED, "likely", 0.6).phrases if p.name != "likely"]
    assert others == [p for p in SHIPPED.phrases if p.name != "likely"]


def test_a_reset_undoes_every_edit_of_a_meaning_and_keeps_the_synonyms() -> None:
    edited = editing.add_synonym(with_mean(SHIPPED, "likely", 0.3), "likely", "odds are")
    back = editing.reset_meaning(edited, "likely", SHIPPED)
    assert named(back, "likely").source == named(SHIPPED, "likely").source
    assert editing.remove_synonym(back, "likely", "odds are").version == SHIPPED.version
    with pytest.raises(InputError, match="in no survey"):
        editing.reset_meaning(editing.add_phrase(SHIPPED, "toss-up", 0.5), "toss-up", SHIPPED)


@pytest.mark.parametrize("name", ["absent", "present"])
def test_plain_statements_stay_as_they_are(name: str) -> None:
    with pytest.raises(InputError, match="plain statement"):
        with_mean(SHIPPED, name, 0.5)
    with pytest.raises(InputError, match="plain statement"):
        editing.remove_phrase(SHIPPED, name)


def test_words_are_added_removed_and_moved_back() -> None:
    there = moved(SHIPPED, "Presumed", "likely")
    assert there.find("presumed") == named(there, "likely")
    back = moved(there, "presumed", "probably")
    assert back.version == SHIPPED.version
    assert editing.add_synonym(SHIPPED, "possibly", "hint of").find("hint  of").name == "possibly"  # type: ignore[union-attr]
    own = editing.add_phrase(SHIPPED, "Toss-up", 0.4)
    assert mean_of(named(own, "toss-up")) == pytest.approx(0.4)
    assert editing.remove_phrase(own, "toss-up").version == SHIPPED.version


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lx: editing.add_synonym(lx, "likely", "presumed"), "'presumed' stands for 'probably'. Move it"),
        (lambda lx: editing.add_synonym(lx, "likely", " Favored "), "stands for 'likely' already"),
        (lambda lx: editing.add_synonym(lx, "likely", "  "), "no words"),
        (lambda lx: editing.add_synonym(lx, "likely", "a|b"), "cannot be looked for"),
        (lambda lx: editing.add_synonym(lx, "likely", "m\u00f6glich"), "cannot be looked for"),
        (lambda lx: editing.add_synonym(lx, "no such", "x"), "no phrase 'no such'"),
        (lambda lx: editing.remove_synonym(lx, "likely", "presumed"), "does not stand for"),
        (lambda lx: editing.remove_synonym(lx, "likely", "likely"), "the phrase itself"),
        (lambda lx: editing.remove_synonym(lx, "absent", "no"), "by grammar"),
        (lambda lx: editing.remove_synonym(lx, "present", "there is"), "by grammar"),
        (lambda lx: editing.add_phrase(lx, "other", 0.5), "cannot be a phrase"),
        (lambda lx: editing.add_phrase(lx, "Likely", 0.5), "a phrase already"),
        (lambda lx: editing.add_phrase(lx, "presumed", 0.5), "Remove it there first"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(change: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        change(SHIPPED)  # type: ignore[operator]


def test_a_survey_taken_over_keeps_or_drops_the_others() -> None:
    both = editing.taken_over(SHIPPED, PUBLIC)
    assert {p.name for p in both.phrases} == {p.name for p in (*SHIPPED.phrases, *PUBLIC.phrases)}
    assert mean_of(named(both, "likely")) == mean_of(named(PUBLIC, "likely"))
    assert named(both, "worrisome for") == named(SHIPPED, "worrisome for")
    # What the survey asked about by itself is a synonym of nothing any more; all other synonyms stay.
    assert "highly likely" not in named(both, "most likely").synonyms
    assert set(named(both, "most likely").synonyms) == set(named(SHIPPED, "most likely").synonyms) - {"highly likely"}
    only = editing.taken_over(SHIPPED, PUBLIC, keep_others=False)
    assert {p.name for p in only.phrases} == {p.name for p in PUBLIC.phrases}
    assert named(only, "absent").synonyms == named(SHIPPED, "absent").synonyms
    assert editing.taken_over(SHIPPED, SHIPPED).version == SHIPPED.version


def test_two_lists_are_compared_by_name_strongest_first() -> None:
    differences = editing.compare(SHIPPED, PUBLIC)
    assert {d.name for d in differences} == {p.name for p in (*SHIPPED.phrases, *PUBLIC.phrases)}
    assert (differences[0].name, differences[-1].name) == ("present", "absent")
    means = [mean_of(d.first or d.second) for d in differences]  # type: ignore[arg-type]
    assert means == sorted(means, reverse=True)
    of = {d.name: d for d in differences}
    assert of["likely"].of_means == pytest.approx(mean_of(named(PUBLIC, "likely")) - mean_of(named(SHIPPED, "likely")))
    assert of["maybe"].of_means is None
    assert all(d.of_means == 0 for d in editing.compare(SHIPPED, SHIPPED))


def test_a_saved_list_is_read_as_it_was(tmp_path: object) -> None:
    edited = editing.add_phrase(with_mean(SHIPPED, "likely", 0.61), "toss-up", 0.5)
    path = tmp_path / "phrases.csv"  # type: ignore[operator]
    path.write_text(table_text(edited), encoding="utf-8")
    read = read_lexicon_csv(path)
    assert [p.name for p in read.phrases] == [p.name for p in edited.phrases]
    assert [p.alpha for p in read.phrases] == pytest.approx([p.alpha for p in edited.phrases])
    assert [p.synonyms for p in read.phrases] == [p.synonyms for p in edited.phrases]


def test_the_spread_of_known_distributions() -> None:
    assert spread_of(Phrase("uniform", 1, 1, 0, 1)) == pytest.approx((1 / 12) ** 0.5)
    assert spread_of(Phrase("point", 1, 0, 1, 1)) == 0
    assert isinstance(with_mean(SHIPPED, "diagnostic of", 0.9), Lexicon)  # a point mass may be given a spread
