"""How sure sentences sound: their order, their bounds, and what makes no difference."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.lab.hedges import estimator
from radcal.lab.hedges.estimator import SentenceEstimate, load, shipped, why_not
from radcal.system.errors import InputError
from radcal.system.text import Text
from radcal.words.languages import recognise

LADDERS = [
    [
        "It's almost certainly not X.",
        "It's unlikely to be X.",
        "It might be X.",
        "It's probably X.",
        "It's very likely X.",
        "It is definitely X.",
    ],
    [
        "I doubt it was X.",
        "I think it might be X.",
        "I think it was X.",
        "I'm quite sure it was X.",
        "I am absolutely certain it was X.",
    ],
    [
        "I have no idea.",
        "I'm really not sure, but maybe X.",
        "I'm not entirely sure, but I think X.",
        "I'm fairly sure it's X.",
        "It's X.",
    ],
    ["I'm 5% sure it's X.", "I'm 30% sure it's X.", "I'm 70% sure it's X.", "I'm 95% sure it's X."],
    [
        "Very unlikely pneumonia.",
        "Possible pneumonia.",
        "Probable pneumonia.",
        "The findings are diagnostic of pneumonia.",
    ],
    ["Maybe it was X, but I'm just guessing.", "Maybe it was X.", "Most likely it was X.", "Without a doubt it was X."],
]
NAMES = [
    "Rome",
    "the old bridge",
    "Karin Holt",
    "12 October 1911",
    "pneumonia",
    "a blacksmith from Ghent",
    "42",
    "copper",
]
FRAMES = [
    "I think it's {}.",
    "It may be {}, but I'm not sure.",
    "Perhaps {}.",
    "I am certain it was {}.",
    "It was probably {}.",
    "{}.",
]


def values(*sentences):
    return [found.value for found in shipped().estimate(sentences)]


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder[0])
def test_stronger_words_sound_surer(ladder):
    assert all(a + 0.02 < b for a, b in itertools.pairwise(values(*ladder)))


@pytest.mark.parametrize(
    ("sentence", "low", "high"),
    [
        ("The capital is Rome.", 0.9, 1.0),
        ("No pneumothorax.", 0.9, 1.0),
        ("I believe the capital is Rome.", 0.6, 0.8),
        ("If I recall correctly, it was Rome.", 0.3, 0.6),
        ("There is no doubt that it was Rome.", 0.9, 1.0),
        ("I doubt that it was Rome.", 0.05, 0.3),
        ("It is not unlikely that it was Rome.", 0.3, 0.65),
        ("I don't know.", 0.0, 0.06),
        ("No way.", 0.0, 0.15),
        ("I'd put it at about 70 %.", 0.6, 0.75),
        ("Sales rose by 30% after the flood.", 0.9, 1.0),
        ("Lisbon was founded on May 26, 2011 by Will Smith.", 0.9, 1.0),
    ],
)
def test_sentences_are_read_as_people_read_them(sentence, low, high):
    [found] = shipped().estimate([sentence])
    assert low <= found.value <= high


@pytest.mark.parametrize(
    "sentence",
    [
        "I was born in Rome.",
        "I have a cat.",
        "I grew up in Cork and my brother sells boats.",
        "I have two sisters, and I live with my mother.",
        "If I am late, the train leaves without me.",
        "About 70 percent of the town burned down.",
        "It was 50 percent of GDP.",
        "One in three children walks to school.",
        "The score was two to one.",
        "The patient reports a cough.",
        "The paint is red or white.",
        "The ejection fraction is 55 %.",
    ],
)
def test_what_tells_nothing_of_certainty_is_plain(sentence):
    [found] = shipped().estimate([sentence])
    assert (found.kind, found.words) == ("plain", ())
    assert found.value > 0.9


@pytest.mark.parametrize(
    ("sentence", "low", "high"),
    [
        ("It can't have been the Vikings.", 0.0, 0.15),
        ("It couldn't have been Lyon.", 0.0, 0.15),
        ("It's definitely not a fracture.", 0.0, 0.1),
        ("I'm certain it wasn't Bach.", 0.0, 0.15),
        ("I don't think it was Lyon.", 0.1, 0.3),
        ("Not necessarily Ghent.", 0.2, 0.5),
        ("I'd be surprised if it was Lyon.", 0.05, 0.3),
        ("I'd be surprised if it wasn't Lyon.", 0.7, 0.95),
        ("I don't think anybody other than Holt wrote it.", 0.6, 0.85),
        ("It may or may not be Lyon.", 0.25, 0.5),
        ("Probably not Lyon.", 0.1, 0.3),
        ("No way it was Lyon.", 0.0, 0.15),
    ],
)
def test_a_denial_counts_for_what_is_named(sentence, low, high):
    assert low <= values(sentence)[0] <= high


@pytest.mark.parametrize(
    ("sentence", "low", "high"),
    [
        ("Chances are the ship sank.", 0.65, 0.85),
        ("The odds are he was a smith.", 0.65, 0.85),
        ("The odds are slim that the ship sank.", 0.05, 0.25),
        ("The odds are against Lyon.", 0.05, 0.3),
        ("Not 100% sure, but fairly certain it was Lyon.", 0.45, 0.75),
        ("I have a strong feeling it was Lyon.", 0.6, 0.8),
        ("Was it Lyon?", 0.2, 0.5),
    ],
)
def test_common_wordings_are_read_as_people_read_them(sentence, low, high):
    assert low <= values(sentence)[0] <= high


@pytest.mark.parametrize(
    ("sloppy", "careful"),
    [
        ("I dont know.", "I don't know."),
        ("Dunno, maybe Lyon.", "Don't know, maybe Lyon."),
        ("idk", "I don't know"),
        ("Im pretty sure its Lyon.", "I'm pretty sure it's Lyon."),
        ("It cant have been Lyon.", "It can't have been Lyon."),
        ("Its probably Lyon, but I wouldnt swear to it.", "It's probably Lyon, but I wouldn't swear to it."),
    ],
)
def test_a_missing_apostrophe_makes_no_difference(sloppy, careful):
    first, second = values(sloppy, careful)
    assert first == pytest.approx(second, abs=0.01)


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("There's about a 65 percent chance it was Lyon, but I could be wrong.", 0.65),
        ("It was Lyon. I'd say 80 %.", 0.8),
        ("I don't know, 30% likely.", 0.3),
        ("Ninety-nine percent sure it was Lyon.", 0.99),
    ],
)
def test_a_stated_number_is_the_estimate_within_a_narrow_interval(sentence, value):
    [found] = shipped().estimate([sentence])
    assert found.kind == "hedged"
    assert found.value == pytest.approx(value)
    assert found.high - found.low <= 0.2 + 1e-9
    assert found.words


@pytest.mark.parametrize("frame", FRAMES)
def test_content_makes_no_difference(frame):
    found = values(*(frame.format(name) for name in NAMES))
    assert max(found) - min(found) < 0.1


def test_the_words_of_a_sentence_are_named():
    plain, hedged, silent = shipped().estimate(
        ["It opened in 1853.", "I\u2019m not sure, but it may be Rome.", "I don't know."]
    )
    assert (plain.kind, plain.words) == ("plain", ())
    assert (hedged.kind, hedged.words) == ("hedged", ("I\u2019m not sure", "but it may be"))
    assert silent.kind == "abstention"


@pytest.mark.parametrize(
    "sentence",
    ["I have no idea who it was.", "I'm unable to say.", "I can't answer that question.", "It is impossible to say."],
)
def test_abstentions_are_told_from_weak_answers(sentence):
    assert shipped().estimate([sentence])[0].kind == "abstention"
    [answered] = shipped().estimate([f"{sentence} Maybe Rome."])
    assert answered.kind == "hedged"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no text"),
        ("  \n", "no text"),
        ("...", "no text"),
        ("\U0001f600", "no text"),
        ("Vielleicht ist es die Hauptstadt von Frankreich.", "German"),
        ("C'est peut-être dans le sud, mais il n'est pas sûr.", "French"),
        ("これはパリです", "Latin"),
        ("Ehkä se on täällä", "another language"),
    ],
)
def test_what_cannot_be_read_has_a_reason_and_no_estimate(text, reason):
    why, read = shipped().estimate([text, "Rome."])
    assert isinstance(why, Text)
    assert reason in why
    assert why == why_not(text, shipped())
    assert isinstance(read, SentenceEstimate)


def test_the_language_of_a_sentence_is_recognised_once(monkeypatch):
    asked = []
    monkeypatch.setattr(estimator, "recognise", lambda text: asked.append(text) or recognise(text))
    texts = ["Vielleicht ist es Rom.", "It may be Rome."]
    shipped().estimate(texts)
    assert len(asked) == len(texts)


@pytest.mark.parametrize(
    "text",
    [
        "Karin Holt founded *Die Brücke*.",
        'The song is "Je ne regrette rien".',
        "Le Monde",
        "He joined Die Grünen in 1980.",
        "Carlos wed his Anna de la Cruz in Rome.",
        "Ludwig van der Rohe designed the tower.",
    ],
)
def test_names_and_titles_of_other_languages_are_content(text):
    assert not why_not(text, shipped())


@pytest.mark.parametrize(
    "text",
    [
        "Der Turm wurde 1853 gebaut.",
        "Das Haus brannte 1853 ab.",
        "Vielleicht Rom.",
        "Karin Holt schrieb das Drehbuch.",
        "Kein Pneumothorax.",
        "C\u2019est Rome.",
        "Le pont a été construit en 1853.",
        "Il est né à Paris.",
        "Le Monde est un journal.",
    ],
)
def test_german_and_french_are_refused(text):
    assert why_not(text, shipped())


@pytest.mark.parametrize(
    ("sentence", "low", "high"),
    [
        # doubt denied
        ("I have no hesitation in stating that it was Rome.", 0.9, 1.0),
        ("There isn't a shred of doubt that it was Rome.", 0.9, 1.0),
        ("I have no reservations about Rome.", 0.9, 1.0),
        ("I hesitate to say that it was Rome.", 0.2, 0.5),
        # certainty denied
        ("I am far from certain that it was Rome.", 0.1, 0.35),
        ("Pneumonia is far from certain.", 0.1, 0.35),
        ("It is by no means clear that it was Rome.", 0.1, 0.4),
        ("I'm hardly sure it was Rome.", 0.1, 0.35),
        ("It is not established that it was Rome.", 0.1, 0.4),
        # strong nouns, and weak ones
        ("I have full confidence that it was Rome.", 0.9, 1.0),
        ("I have the utmost confidence that it was Rome.", 0.9, 1.0),
        ("I have little confidence that it was Rome.", 0.05, 0.3),
        # certain of being wrong
        ("I'm almost certain I'm wrong, but Rome.", 0.03, 0.25),
        ("I'm convinced that I'm mistaken, but Rome.", 0.03, 0.3),
        ("I'm certain I'm right: Rome.", 0.85, 1.0),
        # what is usually said
        ("It is said that the bridge fell.", 0.5, 0.8),
        ("The bridge was established in 1853.", 0.9, 1.0),
        # a comma in the content
        ("I think it was Rome, Italy, in 1853.", 0.55, 0.8),
        # refusals
        ("I cannot reliably answer this question.", 0.0, 0.06),
        ("I don't have access to that information.", 0.0, 0.06),
        ("I can't provide a reliable answer.", 0.0, 0.06),
    ],
)
def test_wordings_that_were_read_as_their_opposite(sentence, low, high):
    assert low <= values(sentence)[0] <= high


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.one_of(st.text(max_size=60), st.sampled_from([s for ladder in LADDERS for s in ladder])), max_size=5)
)
def test_estimates_keep_within_their_bounds(texts):
    found = shipped().estimate(texts)
    assert len(found) == len(texts)
    for text, estimate in zip(texts, found, strict=True):
        assert isinstance(estimate, Text) == bool(why_not(text, shipped()))
        if isinstance(estimate, SentenceEstimate):
            assert not math.isnan(estimate.value)
            assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
            assert all(words in text for words in estimate.words)


def test_a_sentence_is_read_alike_alone_and_among_others():
    texts = [s for ladder in LADDERS for s in ladder]
    together = values(*texts)
    assert together == pytest.approx([values(text)[0] for text in texts])


def test_of_several_sentences_the_mean_counts_and_remarks_belong_to_what_they_are_about():
    plain, may, both = values("It opened in 1853.", "It may be Rome.", "It opened in 1853. It may be Rome.")
    assert both == pytest.approx((plain + may) / 2)
    apart, joined = values("It was Rome.", "It was Rome. I'm not sure.")
    assert joined < apart - 0.3


def test_a_long_text_is_read():
    [found] = shipped().estimate(["It may be Rome. " * 3000])
    assert found.value == pytest.approx(values("It may be Rome. It may be Rome.")[0])


def test_no_words_no_estimates():
    assert shipped().estimate([]) == []


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "model.json"
    for content in ("", "{}", json.dumps({"strong": 1})):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=r"model\.json"):
            load(path)


def test_the_band_lies_around_the_estimate():
    band = shipped().band
    assert np.all(np.diff(band[:, 0]) > 0)
    assert np.all(band[:, 1] <= band[:, 2])
