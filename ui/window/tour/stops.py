"""The stops of the tour: pages, what is pointed at there, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ui.stages import REPORTS, RESULTS, WORDS
from ui.words import quoted, say, whole

if TYPE_CHECKING:
    from radcal.system.selection import Group
    from ui.window.tour.facts import Facts


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
        REPORTS,
        ("flow",),
        say("What came in"),
        say(
            "An invented department: of {rows} rows of reports, {pairs} pairs of an X-ray and its CT remained. RadCal"
            " read in each which certainty word goes with which finding.",
            rows=whole(facts.rows),
            pairs=whole(facts.pairs),
        ),
        {"tab": "import", "show": "flow"},
    )
    told = say("Readers were asked how sure each word sounds. A curve holds their answers for one word.")
    if example is None:
        yield Stop(2, WORDS, ("meanings",), say("What a word means to readers"), told, {"tab": "meanings"})
        return
    taken = say("They take {word} to mean {meaning}.", word=quoted(example.word), meaning=example.meaning)
    yield Stop(
        2,
        WORDS,
        ("meanings",),
        say("What a word means to readers"),
        f"{told} {taken}",
        {"tab": "meanings", "phrase": example.word},
    )
    yield Stop(
        3,
        RESULTS,
        ("sentence",),
        say("One sentence"),
        say(
            "{author} wrote {word} for {topic}, and CT confirmed {outcome}. The sentence says so, with the word that"
            " would have been closer.",
            author=example.author,
            word=quoted(example.word),
            topic=example.topic,
            outcome=example.outcome,
        ),
        {"tab": "this"},
        example.word,
        example.group,
        onward=say("Show the evidence"),
    )
    yield Stop(
        3,
        RESULTS,
        ("case",),
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
