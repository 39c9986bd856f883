"""The one sentence on an author's words, and what follows it: for window, paper and files alike.

A word overstates a finding that CT confirmed less often than readers take the word to mean, and understates one that CT
confirmed more often: that holds of words for and against a finding alike.  Pathologies that describe what the film
shows are of no account where all are spoken of: CT names their causes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.advice.judged_records import Said, Standing
from radcal.advice.wording import CT, certain, named, observed, percent, percent_range, proposed, said_of_model
from radcal.calibration.records import pool_of
from radcal.system.intervals import normal_quantile
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text, joined, listed

if TYPE_CHECKING:
    from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord

MOST_NAMED = 3
"""Words that are named beside the one that the sentence is about; more are counted."""


def of_group(group: JudgedGroup, *, own: bool) -> Said:
    """What is said of one author on one topic, or of a pooled group.

    own: it is the radiologist that reads this
    """
    if group.of_model:
        return said_of_model(of_group(replace(group, of_model=False), own=False))
    own = own and pool_of(group.author, group.topic) != "topic"
    if group.describes and group.advice is not None:
        return Said(None, Text(group.advice.reason))
    decided = [j for j in group.words if j.decided]
    together = _together(group, own=own)
    if (word := _first(decided)) is not None:
        return _about(word, [j for j in decided if j is not word], together, own=own)
    if together:
        alone = Text("No single word shows it on its own.")
        return Said(None, together, rest=joined([alone, _counted(decided, about=False)]))
    if matching := [j for j in decided if j.matches]:
        open_ = [j for j in decided if not j.matches]
        return Said(None, _matched(group, matching, own=own), rest=_counted(open_))
    if group.advice is not None and group.advice.reason:
        return Said(None, Text(group.advice.reason))
    most = max((j.rate.n for j in group.words), default=0.0)
    return Said(None, _too_few(group.n, most, group.min_n) if not decided else _no_difference())


def of_author(judged: Judged, *, own: bool) -> Said:
    """What is said of one author over all pathologies.

    own: it is the radiologist that reads this
    """
    groups = [group for group in judged.groups if not group.describes]
    if not groups:
        return Said(None, Text("No finding could be compared with a CT yet."))
    words = [j for group in groups for j in group.words]
    decided, n = [j for j in words if j.decided], sum(group.n for group in groups)
    told = [*decided, *(j for j in judged.in_all if j.matches)]
    word, together = _first(decided), _together(judged.pooled, own=own)
    if (word is None or not word.differs) and (shared := _first(_shared(judged))) is not None:
        said = _about(shared, [j for j in _shared(judged) if j is not shared], together, own=own)
        return replace(said, rest=joined([said.rest, Text("No single pathology shows this yet.")]))
    if word is not None:
        return _about(word, [j for j in told if j is not word], together, own=own)
    every = [*words, *judged.in_all]
    if not together and not any(j.decided for j in every):
        return Said(None, _too_few(n, max((j.rate.n for j in every), default=0.0), judged.min_n))
    apart = any(j.differs for group in judged.groups if group.describes for j in group.words)
    return Said(None, together or _no_difference(described=apart), rest=_counted(told, about=False))


def _shared(judged: Judged) -> list[JudgedWord]:
    """The words that differ over all pathologies, but for those that may do so for what describes alone.

    Advice over all pathologies holds without those that describe; a verdict may rest on them.
    """
    described = {j.name for group in judged.groups if group.describes for j in group.words}
    return [j for j in judged.in_all if j.differs and (j.advice is not None or j.name not in described)]


def _too_few(n: float, most: float, enough: float) -> Text:
    return Text(
        "{n:,} finding; a word needs {enough:,} uses, and the most is {most:,}.",
        many="{n:,} findings; a word needs {enough:,} uses, and the most is {most:,}.",
        n=round(n),
        enough=round(enough),
        most=round(most),
    )


def _no_difference(*, described: bool = False) -> Text:
    """That no word was shown to differ; ``described``: but for some on what merely describes what the film shows."""
    if described:
        return Text(
            "But for words that describe the film, none clearly differs from what {reference} found.", reference=CT
        )
    return Text("No word clearly differs from what {reference} found.", reference=CT)


def closer(j: JudgedWord) -> Text:
    """The word that would have been closer, and how sure that is; '' without advice."""
    if j.advice is None:
        return EMPTY
    values = {"word": proposed(j.closer), "sure": certain(j.advice.sure)}
    if j.transported:
        return Text("The transport plan puts {word} in its place ({sure} sure to be closer).", **values)
    if j.pooled:
        return Text("Across all pathologies, {word} would have been closer ({sure} sure).", **values)
    return Text("{word!c} would have been closer ({sure} sure).", **values)


def _first(words: Iterable[JudgedWord]) -> JudgedWord | None:
    """The word to speak of: one that differs before one that is advised on; what is off in most findings first."""
    worth = [j for j in words if j.differs or (j.advice is not None and not j.pooled)]
    return min(
        worth,
        key=lambda j: (not j.differs, -j.rate.n * abs(j.rate.rate - j.rate.mean), j.topic, j.name),
        default=None,
    )


def _about(j: JudgedWord, others: Sequence[JudgedWord], together: Text, *, own: bool) -> Said:
    """The sentence on a word whose meaning is known, with what is said of the others."""
    assert j.phrase is not None, "a word that is judged has a meaning"  # noqa: S101 - a contract inside the package
    why = Text("No advice on it: {reason}", reason=j.why) if j.why else EMPTY
    rest = joined([why, _others(j, others), together, _counted(others)])
    return Said(j, observed(j.rate, j.phrase, j.topic, own=own), closer(j), rest)


def _together(group: JudgedGroup | None, *, own: bool) -> Text:
    """That the hedged words were off together, where no single one of them is; '' otherwise."""
    whole = None if group is None else group.together
    if group is None or whole is None or whole.verdict == "undecided":
        return EMPTY
    if any(j.differs and 0 < j.rate.mean < 1 for j in group.words):
        return EMPTY
    half = normal_quantile(0.95) * whole.deviation
    low, high = max(whole.expected - half, 0.0), min(whole.expected + half, 1.0)
    if whole.verdict == "stronger":
        said = Text("Together, {words} overstated {topic}: {figures}.")
    else:
        said = Text("Together, {words} understated {topic}: {figures}.")
    figures = Text(
        "they mean {stated} on average; {reference} confirmed {rate} of {n:,} ({range}; {sure} sure)",
        stated=percent(whole.stated),
        reference=CT,
        rate=percent(whole.rate),
        n=round(whole.n),
        range=percent_range(low, high),
        sure=certain(whole.probability),
    )
    words = Text("hedged words")
    return said.with_values(
        words=Text("your {words}", words=words) if own else words,
        topic=Text("findings of any kind") if group.topic == ALL_TOPICS else Text(group.topic),
        figures=figures,
    )


def _others(j: JudgedWord, others: Iterable[JudgedWord]) -> Text:
    """The other words that differ: "'May represent' overstated it, too."; only how many, if many."""
    off = [o for o in others if o.differs]
    if len(off) > MOST_NAMED:
        return Text("{count!c} other words missed, too.", count=_spelled(len(off)))
    ways: dict[tuple[bool, bool, str], list[Text]] = {}
    for o in off:
        ways.setdefault((o.topic != j.topic, o.standing != j.standing, o.topic), []).append(named(o.name))
    told = []
    for (elsewhere, against, topic), words in sorted(ways.items(), key=lambda way: way[0]):
        over = (j.standing is Standing.BELOW) != against
        values = {"words": listed(words), "topic": Text(topic)}
        if elsewhere:
            way = Text("{words!c} overstated {topic}.") if over else Text("{words!c} understated {topic}.")
        elif topic == ALL_TOPICS:
            way = Text("{words!c} overstated them.") if over else Text("{words!c} understated them.")
        elif not j.differs or against:
            way = Text("{words!c} overstated it.") if over else Text("{words!c} understated it.")
        else:
            way = Text("{words!c} overstated it, too.") if over else Text("{words!c} understated it, too.")
        told.append(way.with_values(**values))
    return joined(told)


def _counted(words: Iterable[JudgedWord], *, about: bool = True) -> Text:
    """How many of the words that neither differ nor have advice matched, and of how many there is too little to say.

    about: the sentence before it is about some words; else that no single one differs is said already
    """
    still = [j for j in words if not j.differs and j.advice is None]
    matched = sum(j.matches for j in still)
    unclear = len(still) - matched
    if not still:
        return EMPTY
    matching = Text("One word matched", many="{count!c} words matched", n=matched, count=_spelled(matched))
    if not unclear:
        return Text("{matching}.", matching=matching)
    if not matched:
        if not about:
            return EMPTY
        return Text(
            "One other word shows no clear difference.",
            many="{count!c} other words show no clear difference.",
            n=unclear,
            count=_spelled(unclear),
        )
    return Text(
        "{matching}; {count} shows no clear difference.",
        many="{matching}; {count} show no clear difference.",
        matching=matching,
        n=unclear,
        count=_spelled(unclear),
    )


def _matched(group: JudgedGroup, words: Sequence[JudgedWord], *, own: bool) -> Text:
    names = listed([named(j.name) for j in words])
    if own and pool_of(group.author, group.topic) != "topic":
        names = Text("your {words}", words=names)
    if group.topic == ALL_TOPICS:
        return Text("Across all pathologies, {words} matched what {reference} found.", words=names, reference=CT)
    return Text(
        "For {topic}, {words} matched what {reference} found.", topic=Text(group.topic), words=names, reference=CT
    )


_SPELLED = (
    *(Text("one"), Text("two"), Text("three"), Text("four"), Text("five"), Text("six"), Text("seven"), Text("eight")),
    Text("nine"),
)


def _spelled(n: int) -> Text:
    """A number in words while it is small."""
    return _SPELLED[n - 1] if 0 < n <= len(_SPELLED) else Text("{n:,}", n=n)
