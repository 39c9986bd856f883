"""Answers of language models in a workspace: shown like any author, and never mixed with radiologists."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from radcal.calibration.records import ALL_AUTHORS
from radcal.chain import run_chain
from radcal.department import Department
from radcal.lab.answers import Answers
from radcal.lab.speakers import read_all, shipped_lists, speakers, taken_in
from radcal.opening import open_department
from radcal.system.errors import DataError, InputError
from radcal.system.selection import Days, Selection
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.words.phrases import Lexicon, load_lexicon
from radcal.words.records import Phrase

KEY = "plum tree in blossom"
QUICK = Settings(bootstrap=50)


@pytest.fixture
def alone(tmp_path: Path) -> Department:
    """A workspace without reports."""
    return open_department(tmp_path / "w.radcal", KEY, create=True, settings=QUICK)


@pytest.fixture
def answers(tmp_path: Path) -> Callable[..., Answers]:
    """Answers of models that are right in half of the cases; who, on what, and what each says in turn."""

    def make(*, n: int = 60, topic: str = "quiz", **said: tuple[object, ...]) -> Answers:
        path = tmp_path / "answers.jsonl"
        rows = [
            {"author": model, "topic": topic, "confidence": words[i % len(words)], "correct": i // len(words) % 2 == 0}
            for model, words in said.items()
            for i in range(n)
        ]
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return read_all([path], load_lexicon())

    return make


def take_in(department: Department, made: Answers) -> None:
    department.answers.take_in(made.answers, made.said)


SAID: dict[str, tuple[object, ...]] = {
    "numbers": (0.9, 0.99, 1.0),
    "words": ("likely", "unlikely", "present"),
    "betas": ("Beta(18, 2)", "Beta(2, 18)"),
}


def test_a_workspace_of_models_alone_is_measured_and_advised(
    alone: Department, answers: Callable[..., Answers]
) -> None:
    take_in(alone, answers(**SAID))
    assert alone.answers.models() == dict.fromkeys(sorted(SAID), 60)
    assert not alone.up_to_date
    analysis = run_chain(alone).analysis
    assert analysis is not None
    assert alone.up_to_date
    assert (analysis.reliabilities, analysis.advices, analysis.pooled) == ((), (), ())
    assert analysis.models is not None
    assert {r.author: r.n for r in analysis.models.reliabilities} == dict.fromkeys(SAID, 60.0)
    advised = {a.author: {r.source: r.target for r in a.recommendations} for a in analysis.models.advices}
    assert advised["numbers"]["0.99"] in {f"{k / 20:g}" for k in range(8, 14)}
    assert advised["words"]["unlikely"] in {p.name for p in load_lexicon().phrases}
    assert all(name.startswith("Beta(") for pair in advised["betas"].items() for name in pair)
    text = next(r.text for a in analysis.models.advices for r in a.recommendations if r.source == "0.99")
    assert "CT" not in text
    assert text.startswith("Its '0.99' claimed too much on quiz: the answer key confirmed 10 of 20 ")
    alone.close()


@pytest.mark.slow
def test_they_read_alike_in_the_workspace_and_from_the_file(alone: Department, answers: Callable[..., Answers]) -> None:
    made = answers(**SAID)
    take_in(alone, made)
    stored = taken_in(alone.answers)
    assert stored is not None
    first, second = (speakers(a, alone.lexicon, QUICK) for a in (made, stored))
    for one, other in zip(first.speakers, second.speakers, strict=True):
        assert one.recalibrated is not None
        assert other.recalibrated is not None
        assert asdict(one.recalibrated) == asdict(other.recalibrated)
    alone.close()


def test_models_are_taken_out_again_and_replaced_by_what_is_taken_in_anew(
    alone: Department, answers: Callable[..., Answers]
) -> None:
    take_in(alone, answers(numbers=(0.9,), words=("likely",)))
    take_in(alone, answers(n=40, numbers=(0.8, 0.7)))
    assert alone.answers.models() == {"numbers": 40, "words": 60}
    assert [p.name for p in alone.answers.said()] == ["0.7", "0.8"]
    run_chain(alone)
    alone.answers.take_out({"numbers"})
    assert (alone.answers.models(), alone.answers.said()) == ({"words": 60}, ())
    analysis = run_chain(alone).analysis
    assert analysis is not None
    assert analysis.models is not None
    assert set(analysis.models.phrases) == {"words"}
    alone.answers.take_out({"words", "nobody"})
    assert alone.answers.models() == {}
    assert not alone.up_to_date
    with pytest.raises(DataError, match="There are no reports yet"):
        run_chain(alone)
    assert [what for what in alone._workspace.audit()["what"] if "models" in what] == [
        *["answers of models taken in"] * 2,
        *["answers of models taken out"] * 2,
    ]
    alone.close()


@pytest.mark.slow
def test_radiologists_stay_as_they_are_beside_models(analysed: Department, answers: Callable[..., Answers]) -> None:
    """Even where a model answers on a question set called like a pathology."""
    before = analysed.analyse()
    topic = before.reliabilities[0].topic
    take_in(analysed, answers(topic=topic, **SAID))
    after = analysed.analyse()
    for name in ("reliabilities", "advices", "pooled", "pooled_advices", "pairs", "counts"):
        kept, now = getattr(before, name), getattr(after, name)
        assert len(kept) == len(now)
    for first, second in zip(before.pooled, after.pooled, strict=True):
        assert (first.author, first.topic, first.n, first.ece, first.parts) == (
            *(second.author, second.topic, second.n, second.ece, second.parts),
        )
    assert [r.q_value_word for r in before.reliabilities] == [r.q_value_word for r in after.reliabilities]
    assert set(analysed.authors()) == {r.author for r in before.reliabilities}
    assert not set(SAID) & set(analysed.pseudonyms())
    days = Days(date(1900, 1, 1), date(2100, 1, 1))
    together = analysed.groups.reliability(Selection(ALL_AUTHORS, topic, days))
    assert together.n == next(r.n for r in before.pooled if (r.author, r.topic) == (ALL_AUTHORS, topic))
    assert not set(SAID) & set(analysed.groups.all_statements()["author"].astype(str))
    compared = analysed.comparison.compare(topic)
    assert not set(SAID) & {m.name for m in compared.members}
    analysed.answers.take_out(set(SAID))
    assert analysed.analyse().models is None


def test_every_question_about_one_radiologist_can_be_asked_of_a_model(
    alone: Department, answers: Callable[..., Answers]
) -> None:
    take_in(alone, answers(**SAID))
    run_chain(alone)
    for model in SAID:
        chosen = Selection(model, "quiz", Days(date(2026, 1, 1), date(2026, 1, 2)))  # answers have no day
        reliability = alone.groups.reliability(chosen)
        assert reliability.n == 60
        assert alone.groups.tables(chosen).counts.sum() == 60
        assert alone.groups.monotone(chosen).n.sum() == 60
        assert alone.groups.reliability_if(chosen, 0.95, 0.95).ece == reliability.ece
        assert alone.groups.wordings(chosen) == ()
        assert len(alone.groups.evidence(chosen)) == 60
        assert sum(w.share for w in alone.groups.words_at(chosen, reliability.phrases[0].mean)) > 0.99
        view = alone.alternatives.advice(chosen, {"sure": 0.9})
        assert view.advice.n == 60
        source = reliability.phrases[0].phrase
        target = next(p.name for p in view.phrases if p.name != source)
        assert alone.alternatives.what_if(chosen, {source: {target: 1.0}}).result.n == 60
        assert alone.author_results.analysis(model).reliabilities[0].n == 60
        assert alone.author_results.others(model) == ()
        both = alone.groups.reliability(replace(chosen, topic=ALL_TOPICS))
        assert both.n == 60
    alone.close()


def test_settings_on_ct_and_on_radiologists_words_do_not_bear_on_models(
    alone: Department, answers: Callable[..., Answers]
) -> None:
    take_in(alone, answers(**SAID))
    first = run_chain(alone).analysis
    alone.save_settings(QUICK.changed(ct_accuracy=("all pathologies 0.8 0.8",), allowed_phrases=("likely",)))
    second = run_chain(alone).analysis
    assert first is not None
    assert second is not None
    assert first.models is not None
    assert second.models is not None
    assert [r.ece for r in first.models.reliabilities] == [r.ece for r in second.models.reliabilities]
    assert [a.plan for a in first.models.advices] == [a.plan for a in second.models.advices]
    alone.close()


def test_a_model_with_very_many_numbers_is_kept_to_hundredths(
    alone: Department, answers: Callable[..., Answers]
) -> None:
    rng = np.random.default_rng(1)
    take_in(alone, answers(n=400, many=tuple(rng.random(400).round(5).tolist()), few=(0.12345,)))
    stored = alone.answers.all()
    assert stored is not None
    assert set(stored["phrase"][stored["author"] == "few"]) == {"0.12345"}
    many = set(stored["phrase"][stored["author"] == "many"])
    assert len(many) <= 101
    assert all(len(name) <= 4 for name in many)
    alone.close()


def test_what_cannot_be_taken_in_is_refused(
    alone: Department, analysed: Department, answers: Callable[..., Answers]
) -> None:
    with pytest.raises(InputError, match="None of the answers"):
        take_in(alone, answers(odd=("as sure as eggs",)))
    someone = analysed.authors()[0]
    with pytest.raises(InputError, match="There is a radiologist called"):
        take_in(analysed, answers(**{someone: (0.5,)}))
    assert analysed.answers.models() == {}
    alone.close()


def test_words_that_the_department_lacks_are_lent_until_it_has_them(alone: Department, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    said = ("almost certain", "we doubt", "likely")
    rows = [{"author": "m", "topic": "quiz", "confidence": said[i % 3], "correct": i % 2 == 0} for i in range(90)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    take_in(alone, read_all([path], alone.lexicon, others=shipped_lists()))
    assert [p.name for p in alone.answers.said()] == ["we doubt", "almost certain"]
    models = run_chain(alone).analysis.models  # type: ignore[union-attr]
    assert models is not None
    assert {r.phrase for r in models.reliabilities[0].phrases if r.n} == set(said)
    means = {p.name: round(p.alpha / (p.alpha + p.beta), 2) for p in models.phrases["m"]}
    assert means["likely"] == 0.77  # as the department's list has it, not the public's 0.71

    likely = alone.lexicon.find("likely")
    assert likely is not None
    own = [p for p in alone.lexicon.phrases if p is not likely]
    more = replace(likely, synonyms=(*likely.synonyms, "almost certain"))
    alone.words.save(Lexicon((*own, more, Phrase("we doubt", 1.0, 9.0, 0.05, 0.15))))
    assert alone.answers.said() == ()
    kept = alone.answers.all()
    assert kept is not None
    assert kept["phrase"].astype("str").value_counts().to_dict() == {"likely": 60, "we doubt": 30}
    stored = taken_in(alone.answers)
    assert stored is not None
    (speaker,) = speakers(stored, alone.lexicon, QUICK).speakers
    assert {r.phrase: r.mean for r in speaker.reliability.phrases if r.n}["we doubt"] == pytest.approx(0.1)
    alone.close()
