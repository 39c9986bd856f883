"""The stops of the tour: pages, what is pointed at there, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ui.stages import ADVICE, EVIDENCE, EXTRACTION, IMPORT, RELIABILITY, WORDS
from ui.words import quoted, say, whole

if TYPE_CHECKING:
    from radcal.system.selection import Group
    from ui.window.tour.facts import Example, Facts


@dataclass(frozen=True, slots=True)
class Stop:
    """A view of a page.  Views of one ``number`` are one stop, such as a sentence and then its evidence.

    page: the key of a stage;  where: what its ``arrive`` is given
    landmarks: what is pointed at, by the page's names for them;  phrase: the one that they are about
    group: whose results are to be on show, None for whoever is
    onward: what the button to the next view is called, '' for the usual name
    """

    number: int
    page: str
    landmarks: tuple[str, ...]
    title: str
    text: str
    where: Mapping[str, Any] = field(default_factory=dict)
    phrase: str = ""
    group: Group | None = None
    onward: str = ""


def stops(facts: Facts) -> tuple[Stop, ...]:
    """The stops in order, in the language of the window; without an example, those that need none."""
    return tuple(_stops(facts))


def _stops(facts: Facts) -> Iterator[Stop]:
    example = facts.example
    yield Stop(
        1,
        IMPORT,
        ("flow",),
        say("What came in"),
        say(
            "An invented department: of {rows} rows of reports, {pairs} pairs of an X-ray and its CT remained. Each"
            " branch is what was left out, and why.",
            rows=whole(facts.rows),
            pairs=whole(facts.pairs),
        ),
        {"show": "flow"},
    )
    yield Stop(
        2,
        EXTRACTION,
        ("engine",),
        say("How reports are read"),
        _reading(facts),
        {"tab": "engine"},
    )
    yield Stop(
        3,
        WORDS,
        ("meanings",),
        say("What a word means to readers"),
        say(
            "Readers were asked how sure a word sounds: each curve, a Beta distribution, holds their answers for one"
            " word, from absent to present."
        )
        if example is None
        else say(
            "Readers were asked how sure a word sounds: each curve, a Beta distribution, holds their answers for one"
            " word. They take {word} to mean {meaning}.",
            word=quoted(example.word),
            meaning=example.meaning,
        ),
        {"part": "meanings"} if example is None else {"part": "meanings", "phrase": example.word},
    )
    if example is not None:
        yield from _of_one(example)


def _reading(facts: Facts) -> str:
    example = facts.example
    read = (
        say("In every report RadCal noted each pathology and the certainty word that goes with it.")
        if example is None
        else say(
            "In every report RadCal noted each pathology and the certainty word that goes with it, such as {word} for"
            " {topic}.",
            word=quoted(example.word),
            topic=example.topic,
        )
    )
    measured = (
        say("How well it reads was measured: {accuracy}.", accuracy=facts.accuracy)
        if facts.accuracy
        else say("How well it reads can be measured under Review.")
    )
    return f"{read} {measured}"


def _of_one(example: Example) -> Iterator[Stop]:
    yield Stop(
        4,
        RELIABILITY,
        ("diagram",),
        say("What CT found"),
        say(
            "{author} wrote {word} for {topic}, and CT confirmed {outcome}. A word on the dashed line agrees with CT;"
            " the further below the line, the more it said than CT supported.",
            author=example.author,
            word=quoted(example.word),
            topic=example.topic,
            outcome=example.outcome,
        ),
        {"tab": 0},
        example.word,
        example.group,
    )
    yield Stop(
        5,
        ADVICE,
        ("advice",),
        say("One sentence"),
        say(
            "This is what a radiologist is told: the word, what CT confirmed, and the word that would have been closer."
            " Every number leads to the findings behind it."
        ),
        {"tab": 0},
        example.word,
        example.group,
        onward=say("Show the evidence"),
    )
    yield Stop(
        5,
        EVIDENCE,
        ("title", "sentence", "findings"),
        say("The sentence and its evidence"),
        say(
            "{sentence} These are the {n} findings, each with what the X-ray and the CT report said.",
            sentence=example.sentence,
            n=whole(example.n),
        ),
        {"phrase": example.word},
        example.word,
        example.group,
    )
