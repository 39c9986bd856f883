"""Advice in plain sentences: always with n, rate and interval, and without judging the reader."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.advice.judging import CT, certain, few_of, named, not_shared, percent, percent_range
from radcal.reliability.records import pool_of
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text, joined, listed
from radcal.words.phrases import agreeing_rates
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    from radcal.advice.ordered import Guards
    from radcal.advice.records import Advice
    from radcal.reliability.records import PhraseRate, Pool, VerifiedRate
    from radcal.words.records import Phrase


def recommendation(
    rate: PhraseRate,
    source: Phrase,
    target: Phrase,
    topic: str,
    sure: float,
    hedged: float = 0,
    transported: float | None = None,
    author: str = "",
) -> Text:
    """What the author wrote and what CT said, what readers take the word to mean, and what would have been closer.

    Args:
        rate: the confirmed rate of the phrase.
        source, target: the phrase, and the one to say instead.
        topic, author: of the group, which may be pooled.
        sure: probability that the target is nearer to the true rate.
        hedged: in how many of the findings CT hedged itself.
        transported: share of the cases that a transport plan rewords so; None for the ordered plan, which rewords all.
    """
    values = {"word": named(source.name), "range": percent_range(source.low, source.high)}
    observed = _observed(rate, topic, hedged, pool_of(author, topic))
    better, still = _better(target, topic, sure, transported), _still_off(rate, target)
    if rate.differs:
        readers = Text("Readers take {word} as {range}.", **values)
        return joined([observed, readers, Text("{better!c}.", better=better), still])
    if source.low <= rate.rate <= source.high:
        within = Text("That is within the range that readers take {word} to mean ({range}), but {better}.")
    else:
        within = Text("Its interval still touches what readers take {word} to mean ({range}), yet {better}.")
    return joined([observed, within.with_values(**values, better=better), still])


_OF_A_MODEL = {
    "When you ruled out {topic}, {reference} {tally}.": Text("When it ruled out {topic}, {reference} {tally}."),
    "When you stated {topic} without a hedge, {reference} {tally}.": Text(
        "When it was certain on {topic}, {reference} {tally}."
    ),
    "When you wrote {word} for {topic}, {reference} {tally}.": Text(
        "When it said {word} on {topic}, {reference} {tally}."
    ),
    "When you ruled out a pathology, {reference} {tally}.": Text("When it ruled something out, {reference} {tally}."),
    "When you stated a pathology without a hedge, {reference} {tally}.": Text(
        "When it was certain, {reference} {tally}."
    ),
    "When you wrote {word} for any pathology, {reference} {tally}.": Text(
        "When it said {word} on any question, {reference} {tally}."
    ),
}
"""Sentences to a radiologist, and the same of a language model."""
_KEY = Text("the answer key")


def of_model(text: Text) -> Text:
    """A sentence of advice to a radiologist as one of a language model: the answer key stands for CT."""
    text = Text(text)
    if text == CT:
        return _KEY
    values = {name: of_model(v) if isinstance(v, Text) else v for name, v in text.values.items()}
    template = _OF_A_MODEL.get(text.template, text)
    return Text(template).with_values(**values) if values else text


def advice_on_model(advice: Advice) -> Advice:
    """Advice to a radiologist as advice on a language model."""
    return replace(
        advice,
        summary=of_model(advice.summary),
        reason=of_model(advice.reason),
        withheld=tuple(replace(w, reason=of_model(w.reason)) for w in advice.withheld),
        recommendations=tuple(replace(r, text=of_model(r.text)) for r in advice.recommendations),
    )


def without(topics: Sequence[str], rate: float, n: float) -> Text:
    """The rate of a word of all pathologies without some of these, in n statements."""
    return Text(
        "Without {topics} it is {rate} of {n:,}.",
        topics=listed([Text(t) for t in topics]),
        rate=percent(rate),
        n=round(n),
    )


def _still_off(rate: PhraseRate, target: Phrase) -> Text:
    """That CT's rate lies outside the range of the better word, too; '' if it does not."""
    least, most = agreeing_rates(target)
    if rate.rate < least:
        return Text("{reference!c} found it less often than that word says.", reference=CT)
    if rate.rate > most:
        return Text("{reference!c} found it more often than that word says.", reference=CT)
    return EMPTY


def _better(target: Phrase, topic: str, sure: float, transported: float | None) -> Text:
    """That the word would have been closer; of a transport plan, what it does, and how sure that is closer."""
    values = {"choice": _proposed(target.name, topic), "sure": certain(sure)}
    if transported is None:
        return Text("{choice} would have been closer in these findings ({sure} sure)", **values)
    if transported >= 0.95:
        return Text("the transport plan puts {choice} in its place ({sure} sure to be closer)", **values)
    tenths = max(1, round(10 * transported))
    return Text(
        "the transport plan puts {choice} in {n} of 10 of its places ({sure} sure to be closer)", n=tenths, **values
    )


def too_few_uses(n: float, needed: int) -> Text:
    """Why a phrase gets no advice."""
    return Text("{n:,} use; advice needs {min}.", many="{n:,} uses; advice needs {min}.", n=round(n), min=needed)


def too_few_findings(n: float, needed: int) -> Text:
    """Why a group gets no advice."""
    return Text(
        "{n:,} finding; advice needs {min}.", many="{n:,} findings; advice needs {min}.", n=round(n), min=needed
    )


def rarely_used(needed: int) -> Text:
    """Why a group with enough findings gets no advice."""
    if needed == 1:
        return Text("No word was used even once, as advice needs.")
    return Text("No word was used the {n} times that advice needs.", n=needed)


def no_change(enough: Sequence[PhraseRate], reasons: Collection[Text]) -> Text:
    """No advice on a group: the verdicts on its words with enough uses, those that differ by name.

    reasons: why those that differ keep their words
    """
    differing = [named(r.phrase) for r in enough if r.differs]
    if differing:
        one, many = (
            Text("No advice: {words} differs from what {reference} showed."),
            Text("No advice: {words} differ from what {reference} showed."),
        )
        said = (one if len(differing) == 1 else many).with_values(words=listed(differing), reference=CT)
        return joined([said, *reasons]) if len(reasons) == 1 else said
    if all(r.verdict == "matches" for r in enough):
        return Text("Every word with enough uses matched what {reference} showed; no change is advised.", reference=CT)
    return Text(
        "No word with enough uses clearly differs from what {reference} showed; no change is advised.", reference=CT
    )


def closed(guard: str, word: Phrase, sure: float, guards: Guards) -> Text:
    """Why a phrase keeps its word: the guard that let none of the words through that came to it.

    word, sure: of those, the one nearest to what the reference showed, and how sure it is that it is nearer.
    """
    values = {"word": named(word.name), "reference": CT}
    match guard:
        case "right":
            return Text(
                "{reference!c} agreed in at least {n} % of these findings: a plain word that is right stays.",
                n=95,
                **values,
            )
        case "nearer":
            return Text("No other word is nearer to what {reference} showed.", **values)
        case "allowed":
            return Text("No allowed word is nearer to what {reference} showed.", **values)
        case "steps":
            return Text(
                "The nearer words are more than {n} step away.",
                many="The nearer words are more than {n} steps away.",
                n=guards.max_steps,
            )
        case "contradicted":
            return Text("{reference!c} contradicts most of these plain statements: look at the cases.", reference=CT)
        case "opposite":
            return Text("{reference!c} says nearly the opposite: look at the cases.", reference=CT)
        case "turned":
            return Text("Only words that say rather the opposite are nearer to what {reference} showed.", **values)
        case "range":
            return Text(
                "{word!c} is nearer, but readers take both words as the same range ({range}): the change is not worth "
                "making.",
                range=percent_range(word.low, word.high),
                **values,
            )
        case "gain":
            return Text("No other word is so much nearer that the change is worth making.", **values)
        case "sure":
            needed = certain(guards.sure)
            return Text(
                "{word!c} may be nearer, but that is not sure enough ({sure}; advice needs {needed}).",
                sure=certain(sure),
                needed=needed,
                **values,
            )
        case "verified":
            return Text(
                "{word!c} is nearer in findings with a CT, but may not be in those without one ({sure} sure; advice "
                "needs {needed}).",
                sure=certain(sure),
                needed=certain(guards.sure),
                **values,
            )
        case "parts":
            return not_shared()
        case "far":
            return Text(
                "The nearest word that may take its place is far from what {reference} showed, too: look at the cases.",
                **values,
            )
        case _:
            return Text("{word!c} is nearer, but its meaning is so wide that little would be gained.", **values)


def parts_differ(pool: Pool, parts: Sequence[str]) -> Text:
    """Why a pooled group gets no advice: it would be wrong for the parts that differ from the others."""
    if pool == "topic":
        return Text("No advice to all radiologists together, because they differ.")
    return Text(
        "No advice across all pathologies, because {names} differs from the others; see each one.",
        many="No advice across all pathologies, because {names} differ from the others; see each one.",
        names=listed(few_of([Text(name) for name in parts])),
        n=len(parts),
    )


def describes(topic: str) -> Text:
    """Why a descriptor gets no advice."""
    return Text(
        "{topic!c} describes what the film shows; CT names its cause, so no other word is advised.", topic=Text(topic)
    )


def unverified(rate: VerifiedRate) -> Text:
    """Why a word is undecided whose findings with a CT say more: of all that were written, they may be too few."""
    return Text(
        "Only {judged:,} of {said:,} such findings had a CT: what the others were may turn this round.",
        judged=round(rate.judged),
        said=round(rate.said),
    )


def out_of_order() -> Text:
    """Why a phrase keeps its word, though another one is open to it."""
    return Text("With a nearer word, it would swap places with another word that is to change.")


def kept_by_transport() -> Text:
    """Why a phrase keeps its word in a transport plan."""
    return Text("The transport plan puts no allowed word of another range in its place.")


def _observed(rate: PhraseRate, topic: str, hedged: float, pool: Pool | None) -> Text:
    values: dict[str, str] = {"reference": CT, "tally": _tally(rate, hedged)}
    if pool == "author":
        return _over_all_pathologies(rate.phrase, values)
    values["topic"] = Text(topic)
    if pool == "topic":
        return _of_all_radiologists(rate.phrase, values)
    if rate.phrase == ABSENT:
        return Text("When you ruled out {topic}, {reference} {tally}.", **values)
    if rate.phrase == PRESENT:
        return Text("When you stated {topic} without a hedge, {reference} {tally}.", **values)
    return Text("When you wrote {word} for {topic}, {reference} {tally}.", word=named(rate.phrase), **values)


def _tally(rate: PhraseRate, hedged: float) -> Text:
    """Such as "confirmed it in 41 of 87 (47 %, 37-57 %)"; for a denial, what CT showed."""
    share = percent(rate.rate)
    if abs(rate.positives - rate.n * rate.rate) > 1e-6 * rate.n:
        share = Text("{share} when {reference}'s own errors are allowed for", share=share, reference=CT)
    values = {
        "count": _positives(rate.positives, rate.n, hedged),
        "share": share,
        "range": percent_range(rate.low, rate.high),
    }
    if hedged and 0 < rate.positives < rate.n:
        # References that are uncertain themselves count in part.
        hedging = {"range": values["range"], "reference": CT}
        if round(hedged) >= rate.n > 1:
            values["range"] = Text("{range}; {reference} itself hedged in all {n:,}", n=round(rate.n), **hedging)
        else:
            values["range"] = Text(
                "{range}; {reference} itself hedged in one",
                many="{range}; {reference} itself hedged in {n:,}",
                n=max(1, round(hedged)),
                **hedging,
            )
    not_in_the_only_one = rate.n == 1 and rate.positives <= 0
    if rate.phrase == ABSENT:
        if not_in_the_only_one:
            return Text("did not show it in {count} ({share}, {range})", **values)
        return Text("showed it in {count} ({share}, {range})", **values)
    if not_in_the_only_one:
        return Text("did not confirm it in {count} ({share}, {range})", **values)
    return Text("confirmed it in {count} ({share}, {range})", **values)


def _positives(positives: float, n: float, hedged: float) -> Text:
    whole, of = round(positives), round(n)
    if n == 1 and positives in (0, 1):
        return Text("the only one")
    if positives <= 0:
        return Text("none of {n:,}", n=of)
    if positives >= n:
        return Text("both of {n}", n=2) if n == 2 else Text("all of {n:,}", n=of)
    if abs(positives - whole) < 1e-9 and not hedged:
        return Text("{m:,} of {n:,}", m=whole, n=of)
    if 0 < whole < n:
        return Text("about {m:,} of {n:,}", m=whole, n=of)
    if round(positives, 1) <= 0:
        return Text("hardly any of {n:,}", n=of)
    if round(positives, 1) >= of:
        return Text("nearly all of {n:,}", n=of)
    return Text("about {m:.1f} of {n:,}", m=positives, n=of)


def _over_all_pathologies(phrase: str, values: Mapping[str, str]) -> Text:
    if phrase == ABSENT:
        return Text("When you ruled out a pathology, {reference} {tally}.", **values)
    if phrase == PRESENT:
        return Text("When you stated a pathology without a hedge, {reference} {tally}.", **values)
    return Text("When you wrote {word} for any pathology, {reference} {tally}.", word=named(phrase), **values)


def _of_all_radiologists(phrase: str, values: Mapping[str, str]) -> Text:
    if phrase == ABSENT:
        return Text("When {topic} was ruled out, {reference} {tally}.", **values)
    if phrase == PRESENT:
        return Text("When {topic} was stated without a hedge, {reference} {tally}.", **values)
    return Text("When {word} was written for {topic}, {reference} {tally}.", word=named(phrase), **values)


def _proposed(phrase: str, topic: str) -> Text:
    if phrase != ABSENT:
        return named(phrase)
    return Text("a plain 'no'") if topic == ALL_TOPICS else Text("a plain 'no {topic}'", topic=topic)
