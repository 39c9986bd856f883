"""The chance that the rules have read a finding right: what it goes by, its files, and how they are fitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radcal.findings.readers import chance
from radcal.findings.readers.chance import (
    FEATURES,
    KINDS,
    Kind,
    Reading,
    ReadSentence,
    Weights,
    fitted,
    kind_of,
    ordinary_words,
)
from radcal.findings.readers.pairs import HEDGED, NOT_STATED, Spotter, phrases_of
from radcal.findings.rules.patterns import flatten
from radcal.findings.rules.vocabulary import read_vocabularies
from radcal.system.errors import InputError
from radcal.system.resources import resource
from radcal.words.extraction_words import shipped
from radcal.words.records import ABSENT, PRESENT, UNREAD

PHRASES = phrases_of(shipped())
Row = np.ndarray[Any, np.dtype[np.float64]]


@pytest.fixture(scope="module")
def spotter() -> Spotter:
    return Spotter(read_vocabularies(resource("lexicon")), shipped())


def row(**said: float) -> Row:
    """Probabilities of present, absent, one hedge and not stated; none of any other phrase."""
    given = {PRESENT: said.get("present", 0.0), ABSENT: said.get("absent", 0.0), "possibly": said.get("hedged", 0.0)}
    given[NOT_STATED] = said.get("none", 0.0)
    return np.array([given.get(phrase, 0.0) for phrase in PHRASES])


def read(
    spotter: Spotter, text: str, pathology: str, phrase: str, term: str, cue: str = "", others: Sequence[Reading] = ()
) -> tuple[ReadSentence, Reading]:
    def span(words: str) -> tuple[int, int]:
        return text.index(words), text.index(words) + len(words)

    reading = Reading(pathology, phrase, span(term), span(cue) if cue else None)
    tokens = spotter.tokens(text, "en")
    known, certainty = {"there": 100, "seen": 9}, spotter.certainty(text, "en")
    return ReadSentence(flatten(text), tokens, [reading, *others], known, certainty), reading


def features(sentence: ReadSentence, reading: Reading, chances: Row, second: str) -> dict[str, float]:
    return dict(zip(FEATURES, sentence.features(reading, PHRASES, chances, second), strict=True))


# --- what it goes by ------------------------------------------------------------------------------------


def test_words_alone_have_no_regard_to_scope(spotter: Spotter) -> None:
    for text, phrase, same in (
        ("No nodule.", ABSENT, 1),
        ("No effusion, nodule.", PRESENT, 0),
        ("Possible nodule.", "possibly", 1),
        ("A nodule.", PRESENT, 1),
    ):
        sentence, reading = read(spotter, text, "nodule", phrase, "nodule")
        assert features(sentence, reading, row(present=1.0), PRESENT)["words alone"] == same, text


def test_the_second_reader_s_probabilities(spotter: Spotter) -> None:
    sentence, reading = read(spotter, "There is a nodule.", "nodule", PRESENT, "nodule")
    found = features(sentence, reading, row(present=0.7, absent=0.1, hedged=0.15, none=0.05), PRESENT)
    assert found["certainty"] == pytest.approx(math.log(0.7 / 0.3))
    assert (found["hedged"], found["not stated"], found["same phrase"]) == pytest.approx((0.15, 0.05, 1))
    entropy = -sum(p * math.log(p, 4) for p in (0.7, 0.1, 0.15, 0.05))
    assert found["entropy"] == pytest.approx(entropy)
    even = features(sentence, reading, row(present=0.25, absent=0.25, hedged=0.25, none=0.25), ABSENT)
    assert (even["entropy"], even["same phrase"]) == pytest.approx((1, 0))
    sure = features(sentence, reading, row(absent=1.0), ABSENT)
    assert sure["certainty"] == pytest.approx(math.log(0.002 / 0.998))


def test_how_the_rules_came_to_their_reading(spotter: Spotter) -> None:
    chances = row(present=1.0)
    kinds = {
        ("There is a nodule.", "nodule", PRESENT, "nodule", ""): "plain",
        ("The heart is enlarged.", "cardiomegaly", PRESENT, "heart is enlarged", ""): "organ",
        ("The heart is normal.", "cardiomegaly", ABSENT, "heart is normal", "normal"): "organ",
        ("Possible nodule.", "nodule", "possibly", "nodule", "Possible"): "doubted",
        ("No nodule.", "nodule", ABSENT, "nodule", "No"): "",
    }
    for arguments, kind in kinds.items():
        sentence, reading = read(spotter, *arguments)
        found = features(sentence, reading, chances, PRESENT)
        assert [name for name in ("plain", "organ", "doubted") if found[name]] == ([kind] if kind else []), arguments
    sentence, reading = read(spotter, "No sizeable xyz nodule is there.", "nodule", ABSENT, "nodule", "No")
    assert features(sentence, reading, chances, PRESENT)["words between"] == 2


def test_words_that_nobody_knows_and_cues_that_govern_nothing(spotter: Spotter) -> None:
    chances = row(present=1.0)
    for text, unusual in (("There nodule.", 1 / 101), ("There seen nodule.", 0.1), ("There xyzzy nodule.", 1.0)):
        sentence, reading = read(spotter, text, "nodule", PRESENT, "nodule")
        assert features(sentence, reading, chances, PRESENT)["unusual word"] == pytest.approx(unusual), text
    sentence, reading = read(spotter, "Nodule.", "nodule", PRESENT, "Nodule")
    assert features(sentence, reading, chances, PRESENT)["unusual word"] == 0
    text = "No edema; there is a nodule."
    sentence, reading = read(spotter, text, "nodule", PRESENT, "nodule")
    assert features(sentence, reading, chances, PRESENT)["cues unused"] == 1
    sentence, reading = read(
        spotter, text, "nodule", PRESENT, "nodule", others=[Reading("edema", ABSENT, (3, 8), (0, 2))]
    )
    assert features(sentence, reading, chances, PRESENT)["cues unused"] == 0


def test_two_assertions_of_one_pathology_are_both_what_the_rules_assert(spotter: Spotter) -> None:
    text, chances = "No new nodule, the known nodule is there.", row(present=0.5, absent=0.3, hedged=0.2)
    for phrase, certainty, both in ((ABSENT, 0.8, 1), (PRESENT, 0.5, 0), (UNREAD, 0.5, 0)):
        other = Reading("nodule", phrase, (7, 13), (0, 2))
        sentence, reading = read(spotter, text, "nodule", PRESENT, "known nodule", others=[other])
        found = features(sentence, reading, chances, PRESENT)
        assert (found["certainty"], found["both"]) == pytest.approx((math.log(certainty / (1 - certainty)), both))


# --- the files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phrase", [PRESENT, ABSENT, "possibly"])
def test_the_surer_the_second_reader_the_higher_the_chance(spotter: Spotter, kind: Kind, phrase: str) -> None:
    name = phrase if phrase in (PRESENT, ABSENT) else HEDGED
    cue = {PRESENT: "", ABSENT: "No", HEDGED: "Possible"}[name]
    sentence, reading = read(spotter, f"{cue} nodule.".strip(), "nodule", phrase, "nodule", cue)
    for other in {"present", "absent", "hedged", "none"} - {name}:
        chances = []
        for p in np.linspace(0.02, 0.98, 25):
            answer = row(**{name: p, other: 1 - p})
            second = phrase if p > 0.5 else PRESENT if phrase != PRESENT else ABSENT
            chances.append(fitted()[kind].chance(sentence.features(reading, PHRASES, answer, second)))
        assert np.all(np.diff(chances) > -0.01), other
        assert 1 - chances[0] > 3 * (1 - chances[-1]), other


def test_what_ships_is_whole() -> None:
    weights = fitted()
    assert set(weights) == set(KINDS)
    assert all(0 < w.unread_below < 1 and len(w.weights) == len(FEATURES) for w in weights.values())
    words = ordinary_words()
    assert len(words) > 1000
    assert all(word.isascii() and word.islower() and n > 0 for word, n in words.items())
    assert words["side"] > words.get("tentatively", 0)


def test_a_mere_choice_has_weights_of_its_own() -> None:
    assert kind_of("model", row(present=1.0)) == "choice"
    assert kind_of("model", row(present=0.999, absent=0.001)) == "model"


@pytest.mark.parametrize("content", ["", "{}", '{"readers": {"bundled": {"intercept": "x"}}}', "[1]"])
def test_malformed_weights_are_refused_by_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "chance.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"chance\.json .*Restore"):
        chance.read_weights(path)


@pytest.mark.parametrize("content", [None, "word\n", "word x\n"])
def test_missing_or_malformed_files_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    monkeypatch.setattr(chance, "resource", lambda _, name: tmp_path / name)
    if content is not None:
        (tmp_path / "ordinary_words.txt").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"ordinary_words\.txt"):
        ordinary_words.__wrapped__()
    with pytest.raises(InputError, match=r"chance\.json"):
        fitted.__wrapped__()
    with pytest.raises(InputError, match=r"chance\.json"):
        chance.chance_hash.__wrapped__()


def test_the_logistic_function() -> None:
    weights = Weights(0.5, tuple(float(n == 0) * 2 for n in range(len(FEATURES))), 0.5)
    values = np.zeros(len(FEATURES))
    values[0] = 0.25
    assert weights.chance(values) == pytest.approx(math.e / (1 + math.e))
