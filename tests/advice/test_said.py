"""The one sentence on an author's words, and what follows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from radcal.advice.judged_records import Said
from radcal.advice.judging import judge, judged_group
from radcal.advice.said import of_author, of_group
from radcal.calibration.records import ALL_AUTHORS, PhraseRate, Reliability, Together
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import Text
from tests.advice.test_judging import ABSENT, LIKELY, MAY, POSSIBLY, PRESENT, UNLIKELY, WORDS, advice, group
from tests.means import seen

STRONG, WEAK, OPEN = seen(LIKELY, 41, 87), seen(POSSIBLY, 30, 40), seen(UNLIKELY, 4, 40)
MATCHING, RARE = seen(MAY, 200, 400), seen(PRESENT, 1, 4)


def said_of(*rates: PhraseRate, own: bool = True, **changes: object) -> Said:
    return of_group(judged_group(replace(group("edema", *rates), **changes), None, WORDS, 10), own=own)  # type: ignore[arg-type]


def test_the_word_that_is_off_in_most_findings_comes_first_and_the_others_after_it() -> None:
    r = group("edema", STRONG, WEAK, MATCHING, RARE, OPEN)
    told = of_group(judged_group(r, advice("edema", (STRONG, "may represent")), WORDS, 10), own=True)
    assert told.word is not None
    assert told.word.name == "likely"
    assert told.sentence == "Your 'likely' overstated edema: CT confirmed 41 of 87 (47 %). Readers take it as 75-90 %."
    assert told.closer == "'May represent' would have been closer (97 % sure)."
    assert told.rest == "'Possibly' understated it. One word matched; one shows no clear difference."
    theirs = of_group(judged_group(r, None, WORDS, 10), own=False)
    assert theirs.sentence.startswith("'Likely' overstated edema: CT confirmed 41 of 87")
    assert theirs.closer == ""


def test_words_that_say_too_much_of_a_finding_do_so_for_and_against_it() -> None:
    """That a word against a finding is called strong or weak would be read the wrong way round."""
    rarer = seen(UNLIKELY, 1, 300)
    assert said_of(rarer).sentence.startswith("Your 'unlikely' overstated edema: CT confirmed 1 of 300 (under 1 %).")
    assert said_of(STRONG, rarer).rest == "'Likely' overstated it, too."
    assert said_of(seen(UNLIKELY, 40, 80)).sentence.startswith("Your 'unlikely' understated edema: CT confirmed 40")


@pytest.mark.parametrize(
    ("p", "own", "sentence"),
    [
        (
            seen(ABSENT, 20, 116),
            True,
            "You ruled out edema 116 times; CT showed it in 20 (17 %). Readers take 'no' as never.",
        ),
        (seen(ABSENT, 20, 116), False, "Edema was ruled out 116 times; CT showed it in 20 (17 %). Readers take"),
        (seen(PRESENT, 41, 87), True, "Your 'present' overstated edema: CT confirmed 41 of 87 (47 %). Readers take it"),
        (seen(LIKELY, 0, 40), True, "Your 'likely' overstated edema: CT confirmed none of 40 (0 %)."),
        (seen(POSSIBLY, 40, 40), True, "Your 'possibly' understated edema: CT confirmed all of 40 (100 %)."),
        (seen(POSSIBLY, 20.5, 40), True, "Your 'possibly' understated edema: CT confirmed about 20 of 40 (51 %)."),
    ],
)
def test_plain_words_and_round_figures_are_said_as_one_says_them(p: PhraseRate, own: bool, sentence: str) -> None:
    assert said_of(p, own=own).sentence.startswith(sentence)


def test_where_nothing_differs_it_says_so_and_where_little_is_there_what_would_be_enough() -> None:
    assert said_of(MATCHING).sentence == "For edema, your 'may represent' matched what CT found."
    assert said_of(MATCHING, OPEN).rest == "One other word shows no clear difference."
    assert said_of(OPEN).sentence == "No word clearly differs from what CT found."
    few = judged_group(group("edema", RARE), advice("edema", reason="4 findings; advice needs 30."), WORDS, 10)
    assert of_group(few, own=True) == Said(None, Text("4 findings; advice needs 30."))
    made = advice("edema", reason="21 findings; advice needs 30.")
    off = of_group(judged_group(group("edema", seen(LIKELY, 3, 21)), made, WORDS, 10), own=True)
    assert off.sentence.startswith("Your 'likely' overstated edema: CT confirmed 3 of 21 (14 %).")
    assert off.rest == "No advice on it: 21 findings; advice needs 30."
    assert said_of(RARE).sentence == "4 findings; a word needs 10 uses, and the most is 4."
    assert of_author(judge([], [], WORDS, 10), own=True).sentence == "No finding could be compared with a CT yet."


def test_a_word_that_is_not_shown_to_differ_is_not_said_to() -> None:
    told = of_group(judged_group(group("edema", OPEN), advice("edema", (OPEN, "absent")), WORDS, 10), own=True)
    assert told.sentence == (
        "For edema, CT confirmed your 'unlikely' in 4 of 40 (10 %). Readers take it as 5-25 %, 12 % on average."
    )
    assert told.closer == "A plain 'no' would have been closer (97 % sure)."
    planned = replace(advice("edema", (OPEN, "absent")), solver="paper")
    assert of_group(judged_group(group("edema", OPEN), planned, WORDS, 10), own=True).closer == (
        "The transport plan puts a plain 'no' in its place (97 % sure to be closer)."
    )


def test_what_words_come_to_together_is_said_where_no_single_one_is_off() -> None:
    whole = Together(80, 0.62, 0.41, 0.43, 0.04, "stronger", 0.9732)
    told = said_of(OPEN, seen(LIKELY, 28, 40), together=whole)
    assert told.sentence == (
        "Together, your hedged words overstated edema: they mean 62 % on average; CT confirmed 41 % of 80 (35-51 %; "
        "97 % sure)."
    )
    assert told.rest == "No single word shows it on its own."
    assert "understated edema" in said_of(OPEN, together=whole._replace(verdict="weaker")).sentence
    assert "Together" not in said_of(OPEN, together=whole._replace(verdict="undecided")).whole
    assert "Together" not in said_of(STRONG, OPEN, together=whole).whole


def author(*groups: Reliability, whole: Reliability | None = None, **reasons: str) -> Said:
    made = [advice(topic, closed=True, reason=reason) for topic, reason in reasons.items()]
    return of_author(judge(groups, made, WORDS, 10, whole), own=True)


def test_over_all_pathologies_the_worst_word_leads_and_the_others_are_named_with_theirs() -> None:
    told = author(group("mass", WEAK, MATCHING), group("edema", STRONG, seen(MAY, 2, 50), OPEN))
    assert told.sentence.startswith("Your 'likely' overstated edema: CT confirmed 41 of 87 (47 %).")
    assert told.rest == (
        "'May represent' overstated it, too. 'Possibly' understated mass. One word matched; one shows no clear "
        "difference."
    )
    many = [group(name, WEAK) for name in ("mass", "nodule", "pneumonia", "effusion")]
    assert author(group("edema", STRONG), *many).rest == "Four other words missed, too."
    whole = group(ALL_TOPICS, STRONG, seen(MAY, 2, 50), parts=("mass", "edema"))
    shared = author(group("mass", OPEN), group("edema", OPEN), whole=whole)
    assert "overstated findings of any kind" in shared.sentence
    assert shared.rest == "'May represent' overstated them. No single pathology shows this yet."


def test_pathologies_that_describe_what_is_seen_are_of_no_account() -> None:
    why = "Opacity describes what the film shows; CT names its cause, so no other word is advised."
    seen_there = group("opacity", STRONG, WEAK)
    assert author(seen_there, group("edema", OPEN), opacity=why).sentence == (
        "But for words that describe the film, none clearly differs from what CT found."
    )
    assert of_group(judged_group(seen_there, advice("opacity", closed=True, reason=why), WORDS, 10), own=True) == Said(
        None, Text(why)
    )
    whole = group(ALL_TOPICS, seen(LIKELY, 50, 100), parts=("opacity", "edema"))
    parts = (seen_there, group("edema", seen(LIKELY, 9, 13)))
    assert author(*parts, whole=whole, opacity=why).word is None  # the verdict may rest on the opacities
    told = author(*parts, whole=whole).word
    assert told is not None
    assert told.topic == "opacity"


def test_what_only_all_pathologies_show_is_said_to_be_shown_by_none_alone() -> None:
    some = seen(LIKELY, 28, 40)
    parts = (group("edema", some), group("mass", some))
    told = author(*parts, whole=group(ALL_TOPICS, seen(LIKELY, 56, 80), parts=("edema", "mass")))
    assert told.word is None
    told = author(*parts, whole=group(ALL_TOPICS, STRONG, parts=("edema", "mass")))
    assert told.sentence.startswith("Your 'likely' overstated findings of any kind: CT confirmed 41 of 87 (47 %).")
    assert told.rest == "No single pathology shows this yet."


def test_all_radiologists_are_not_spoken_to_and_a_model_has_an_answer_key() -> None:
    everybody = judged_group(replace(group("edema", STRONG), author=ALL_AUTHORS), None, WORDS, 10)
    assert of_group(everybody, own=True).sentence.startswith("'Likely' overstated edema")
    for own in (True, False):
        of_model = judged_group(group("quiz", STRONG), None, WORDS, 10, of_model=True)
        assert of_group(of_model, own=own).sentence.startswith(
            "'Likely' claimed too much on quiz: the answer key confirmed 41 of 87 (47 %)."
        )
    of_model = judged_group(group("quiz", seen(ABSENT, 20, 116)), None, WORDS, 10, of_model=True)
    assert of_group(of_model, own=False).sentence.startswith(
        "It said no on quiz 116 times; the answer key said yes in 20 (17 %)."
    )
