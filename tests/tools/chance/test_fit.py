"""The fit of the chance that the rules have read a finding right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.annotated import AnnotatedSet, Statement
from radcal.findings.readers.chance import FEATURES, read_weights
from radcal.findings.readers.pairs import Answers, Question, phrases_of
from radcal.reports.records import Modality
from radcal.reports.sections import document
from radcal.system.progress import Progress
from radcal.words.extraction_words import shipped
from radcal.words.records import ABSENT, PRESENT
from tools.chance import fit
from tools.chance.fit import Examples, Remembering, Texts, crossed, threshold

PHRASES = phrases_of(shipped())


@pytest.fixture(scope="module")
def planted() -> tuple[Examples, np.ndarray, np.ndarray]:
    """Findings that are right by a known chance of their features, that chance, and its weights."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(20_000, len(FEATURES))) * rng.uniform(0.2, 3, len(FEATURES))
    weights = rng.normal(size=len(FEATURES)) / features.std(axis=0)
    chances = 1 / (1 + np.exp(-(1.5 + features @ weights)))
    right = rng.random(len(chances)) < chances
    sets = np.array(["real", "a", "b", "c"])[rng.integers(0, 4, len(chances))]
    withheld = rng.random(len(chances)) < 0.5
    return Examples(features, right, right, sets, withheld), chances, weights


def test_a_planted_calibration_is_found_again(planted: tuple[Examples, np.ndarray, np.ndarray]) -> None:
    some, chances, weights = planted
    intercept, found = fit.fit(some, np.ones(len(chances), dtype=bool))
    spread = some.features.std(axis=0)
    assert intercept == pytest.approx(1.5, abs=0.15)
    assert np.abs((found - weights) * spread).max() < 0.15
    held_out = crossed(some)
    assert np.abs(held_out - chances).mean() < 0.02
    for low in np.arange(0, 1, 0.1):
        here = (held_out >= low) & (held_out < low + 0.1)
        assert some.assertion[here].mean() == pytest.approx(held_out[here].mean(), abs=0.05)


def test_each_set_is_measured_by_a_fit_to_the_others() -> None:
    """A set in which everything is the other way round changes its own figures by nothing."""
    rng = np.random.default_rng(1)
    features = rng.normal(size=(3000, len(FEATURES)))
    right = features[:, 0] > 0
    sets = np.repeat(["a", "b", "c"], 1000)
    turned = right ^ (sets == "c")
    none = np.zeros(3000, dtype=bool)
    one = crossed(Examples(features, right, right, sets, none))
    other = crossed(Examples(features, turned, turned, sets, none))
    assert np.array_equal(one[sets == "c"], other[sets == "c"])
    assert not np.allclose(one[sets == "a"], other[sets == "a"])


def test_the_threshold_keeps_both_limits(planted: tuple[Examples, np.ndarray, np.ndarray]) -> None:
    some, chances, _ = planted
    some = replace(some, first_sight=frozenset("ab"))
    first = np.isin(some.sets, ["a", "b"]) & ~some.withheld
    real = (some.sets == "real") & ~some.withheld
    sure = np.where(real, 1.0, chances)
    least = threshold(some, sure)
    assert some.assertion[first & (sure >= least)].mean() >= 0.97
    assert some.assertion[first & (sure >= least - 0.02)].mean() < 0.97
    # Where too many real ones would be unread, that decides.
    lower = threshold(some, chances)
    assert lower < least
    assert lower == 0.2 or (chances[real] < lower).mean() <= 0.03


class Certain:
    """A pair reader that is sure of presence, and counts what it is asked."""

    phrases = PHRASES
    name = version = settings_hash = "certain"

    def __init__(self, failure: str = "") -> None:
        self.asked: list[tuple[str, str]] = []
        self.failure = failure

    def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
        for report in reports:
            self.asked += [(q.sentence, p) for q in report for p in q.pathologies]
            rows = tuple(np.tile(np.eye(len(PHRASES))[PHRASES.index(PRESENT)], (len(q.words), 1)) for q in report)
            yield Answers(() if self.failure else rows, self.failure)

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...


def test_answers_are_asked_for_once_and_kept_without_any_text(tmp_path: Path) -> None:
    path, reader = tmp_path / "answers.jsonl", Certain()
    one = Question("A zygotic nodule.", "en", ("nodule",), ("nodule",))
    both = replace(one, pathologies=("nodule", "mass"), words=("nodule", "nodule"))
    found = Remembering(reader, path).answers([one, both, one])
    assert found["A zygotic nodule.", "mass"].argmax() == PHRASES.index(PRESENT)
    again = Remembering(reader, path).answers([both])
    assert reader.asked == [("A zygotic nodule.", "nodule"), ("A zygotic nodule.", "mass")]
    assert {k: v.tolist() for k, v in again.items()} == {k: v.tolist() for k, v in found.items()}
    assert "zygotic" not in path.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="it broke"):
        Remembering(Certain("it broke"), None).answers([one])


def annotated(name: str, texts: Sequence[str], *said: tuple[int, str, str]) -> AnnotatedSet:
    documents = tuple(document(str(n), f"FINDINGS: {text}\n", Modality.XRAY) for n, text in enumerate(texts))
    return AnnotatedSet(name, documents, tuple(Statement(str(n), pathology, phrase) for n, pathology, phrase in said))


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> Texts:
    """Two sets; every word of certainty is withheld by every seed."""
    monkeypatch.setattr(fit, "WITHHELD", 1e9)
    first = annotated(
        "made_up_x",
        ["There is plainly a nodule. Pneumonia is unlikely.", "No effusion. Probable edema."],
        (0, "nodule", PRESENT),
        (0, "infection", "unlikely"),
        (1, "pleural effusion", ABSENT),
        (1, "edema", "probably"),
    )
    second = annotated("real", ["A mass is possibly there."], (0, "mass", "possibly"))
    return Texts([first], [second], [])


def test_words_of_certainty_are_withheld_from_the_rules_alone(texts: Texts) -> None:
    whole, without = texts.places(None), texts.places(0)
    for places in (*whole.values(), *without.values()):
        for place in places:
            assert "zzz" not in place.question.sentence
            assert place.flat == place.question.sentence.lower()

    def said(places: dict[str, list[fit.Place]]) -> dict[str, tuple[str, bool]]:
        return {
            r.pathology: (r.phrase, marks is not None and marks[0])
            for those in places.values()
            for place in those
            for r, marks in zip(place.readings, place.right, strict=True)
        }

    assert set(said(whole).values()) == {
        (PRESENT, True), ("unlikely", True), (ABSENT, True), ("probably", True), ("possibly", True)
    }  # fmt: skip
    after = said(without)
    assert after["nodule"] == (PRESENT, True)
    assert after["mass"] == (PRESENT, False)
    assert after["edema"] == (PRESENT, False)
    assert after["infection"] == (PRESENT, False)
    assert after["pleural effusion"] == (ABSENT, True)  # "no" is too short to be withheld


def test_words_are_ordinary_where_the_rules_read_right(texts: Texts) -> None:
    assert fit.ordinary(texts.places(None)["made_up_x"]) == {"plainly": 1}
    assert "unlikely" not in fit.ordinary(texts.places(0)["made_up_x"])


def test_a_fit_is_written_and_read(texts: Texts, tmp_path: Path) -> None:
    reader = Remembering(Certain(), None)
    some = fit.examples(texts, reader, choice=False)
    assert len(some.assertion) == 5 * len(fit.SEEDS)
    assert some.assertion[~some.withheld].all()
    (tmp_path / "chance.json").write_text("{}", encoding="utf-8")
    said: list[str] = []
    for kind in ("bundled", "model", "choice"):
        said += fit.fitted_to(texts, some, kind, "", tmp_path)  # type: ignore[arg-type]
    weights = read_weights(tmp_path / "chance.json")
    assert weights["bundled"] == weights["choice"]
    assert any("5 findings" in line or "20 findings" in line for line in said)
    assert "plainly 1\n" in (tmp_path / "ordinary_words.txt").read_text(encoding="utf-8")


def test_a_choice_is_the_likeliest_answer(texts: Texts) -> None:
    class Unsure(Certain):
        def answer(self, reports: Iterable[Sequence[Question]], progress: Progress) -> Iterator[Answers]:
            for answers in super().answer(reports, progress):
                yield Answers(tuple(0.6 * rows + 0.4 / len(PHRASES) for rows in answers.chances))

    plain, choice = (fit.examples(texts, Remembering(Unsure(), None), choice=c) for c in (False, True))
    entropy = list(FEATURES).index("entropy")
    assert (plain.features[:, entropy] > 0.1).all()
    assert (choice.features[:, entropy] == 0).all()


def test_the_sentences_of_the_tests_are_texts_of_our_own() -> None:
    english, german = fit.sentences()
    assert (english.name, german.name) == ("sentences", "sentences_de")
    assert len(english.documents) > 4000
    first = english.documents[0]
    assert Statement(first.report_id, "opacity", ABSENT) in english.statements
    assert fit.is_own(english.name)
    assert not fit.is_own("real")
    assert not fit.is_own("public")
