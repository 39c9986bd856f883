"""Advice in plain sentences: always with n, rate and interval, and without judging the reader.

A word overstates a finding that CT confirmed less often than readers take the word to mean, and understates one that CT
confirmed more often: that holds of words for and against a finding alike.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.calibration.records import pool_of
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text, joined, listed
from radcal.words.phrases import agreeing_rates
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    from radcal.advice.judged_records import Said
    from radcal.advice.ordered import Guards
    from radcal.advice.records import Advice
    from radcal.calibration.records import PhraseRate, Pool, VerifiedRate
    from radcal.words.records import Phrase

CT = Text("CT")
_YOU_RULED_OUT = Text("You ruled out {topic} {n:,} times; {reference} showed it in {count} ({share}).")
_WAS_RULED_OUT = Text("{topic!c} was ruled out {n:,} times; {reference} showed it in {count} ({share}).")
_YOURS = Text("your {words}")


def named(phrase: str) -> Text:
    """A word within a sentence: "'likely'"."""
    return Text("'{phrase}'", phrase=phrase)


def proposed(phrase: str) -> Text:
    """A word to say instead."""
    if phrase == ABSENT:
        return Text("a plain 'no'")
    return Text("a plain statement") if phrase == PRESENT else named(phrase)


def certain(share: float) -> Text:
    """A probability, rounded down: what is 94.9 % sure is not 95 % sure."""
    if share >= 0.995:
        return Text("over {n} %", n=99)
    return Text("{n} %", n=math.floor(100 * share + 1e-9))


def percent(share: float) -> Text:
    """A share; of what is neither none nor all, never so."""
    if 0 < share < 0.005:
        return Text("under {n} %", n=1)
    if 0.995 < share < 1:
        return Text("over {n} %", n=99)
    return Text("{n} %", n=round(100 * share))


def percent_range(low: float, high: float) -> Text:
    """Both ends in whole percent, or one figure where they are the same."""
    first, last = round(100 * low), round(100 * high)
    return Text("{first}-{last} %", first=first, last=last) if first < last else percent((low + high) / 2)


def few_of(words: list[Text]) -> list[Text]:
    """The words, those beyond three as their number."""
    return words if len(words) <= 4 else [*words[:3], Text("{n} others", n=len(words) - 3)]


def instead(source: str, target: str) -> Text:
    """A change in short: "'likely' → 'may represent'"."""
    return Text("{word} → {other}", word=named(source), other=proposed(target))


def not_shared() -> Text:
    """Why a word keeps its place over all pathologies, though another one is nearer there."""
    return Text("Another word is nearer over all pathologies, but not in each of them: see each one.")


def observed(
    rate: PhraseRate, phrase: Phrase, topic: str, *, own: bool, hedged: float = 0, interval: bool = False
) -> Text:
    """How a word stood against CT, and what readers take it to mean.

    As in "Your 'likely' overstated edema: CT confirmed 41 of 87 (47 %). Readers take it as 75-90 %."

    Args:
        rate: the confirmed rate;  phrase: the word
        topic: the pathology, or all of them
        own: it is the radiologist that reads this
        hedged: in how many of the findings CT hedged itself
        interval: with the interval of the rate
    """
    over_all = topic == ALL_TOPICS
    values: dict[str, object] = {
        "words": _YOURS.with_values(words=named(rate.phrase)) if own else named(rate.phrase),
        "topic": Text(topic),
        "reference": CT,
        "count": _positives(rate, hedged),
        "share": _share(rate, hedged, interval=interval),
    }
    if rate.phrase == ABSENT and rate.n > 1:
        said = _YOU_RULED_OUT if own else _WAS_RULED_OUT
        values |= {"n": round(rate.n), "count": _counted(rate, hedged)}
        values["topic"] = Text("a finding") if over_all else values["topic"]
        readers = Text("Readers take 'no' as never.")
    else:
        if over_all and rate.differs:
            values["topic"] = Text("findings of any kind")
        if rate.verdict == "stronger":
            said = Text("{words!c} overstated {topic}: {reference} confirmed {count} ({share}).")
        elif rate.verdict == "weaker":
            said = Text("{words!c} understated {topic}: {reference} confirmed {count} ({share}).")
        elif over_all:
            said = Text("Across all pathologies, {reference} confirmed {words} in {count} ({share}).")
        else:
            said = Text("For {topic}, {reference} confirmed {words} in {count} ({share}).")
        meant = Text("certain") if rate.phrase == PRESENT else percent_range(phrase.low, phrase.high)
        readers = Text("Readers take it as {range}.", range=meant)
        if not rate.differs and phrase.low < phrase.high:  # a word that is closer may lie in the same range
            readers = Text("Readers take it as {range}, {mean} on average.", range=meant, mean=percent(rate.mean))
    return joined([said.with_values(**values), readers])


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
    """How a word stood against CT, what readers take it to mean, and what would have been closer.

    Args:
        rate: the confirmed rate of the phrase.
        source, target: the phrase, and the one to say instead.
        topic, author: of the group, which may be pooled.
        sure: probability that the target is nearer to the true rate.
        hedged: in how many of the findings CT hedged itself.
        transported: share of the cases that a transport plan rewords so; None for the ordered plan, which rewords all.
    """
    own = pool_of(author, topic) != "topic"
    seen = observed(rate, source, topic, own=own, hedged=hedged, interval=True)
    return joined([seen, _better(target, sure, transported), _still_off(rate, target)])


_OF_A_MODEL = {
    **dict.fromkeys(
        (_YOU_RULED_OUT.template, _WAS_RULED_OUT.template),
        Text("It said no on {topic} {n:,} times; {reference} said yes in {count} ({share})."),
    ),
    _YOURS.template: Text("its {words}"),
    "{words!c} overstated {topic}: {reference} confirmed {count} ({share}).": Text(
        "{words!c} claimed too much on {topic}: {reference} confirmed {count} ({share})."
    ),
    "{words!c} understated {topic}: {reference} confirmed {count} ({share}).": Text(
        "{words!c} claimed too little on {topic}: {reference} confirmed {count} ({share})."
    ),
    "a finding": Text("any question"),
    "findings of any kind": Text("any question"),
}
"""Sentences to a radiologist, and the same of a language model."""
_KEY = Text("the answer key")


def of_model(text: Text) -> Text:
    """A sentence of advice to a radiologist as one of a language model: the answer key stands for CT."""
    text = Text(text)
    if text == CT:
        return _KEY
    values = {name: of_model(v) if isinstance(v, Text) else v for name, v in text.values.items()}
    return _OF_A_MODEL.get(text.template, text).with_values(**values) if values else text


def to_others(text: Text) -> Text:
    """A sentence of advice to a radiologist as one about them, for others to read."""
    values = {name: to_others(v) if isinstance(v, Text) else v for name, v in text.values.items()}
    if text.template == _YOURS.template:
        return Text(str(values["words"]))
    return (_WAS_RULED_OUT if text.template == _YOU_RULED_OUT.template else text).with_values(**values)


def said_of_model(said: Said) -> Said:
    """What is said of a radiologist as what is said of a language model."""
    return replace(said, sentence=of_model(said.sentence), closer=of_model(said.closer), rest=of_model(said.rest))


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
        return Text("Even that says more than {reference} found.", reference=CT)
    if rate.rate > most:
        return Text("Even that says less than {reference} found.", reference=CT)
    return EMPTY


def _better(target: Phrase, sure: float, transported: float | None) -> Text:
    """That the word would have been closer; of a transport plan, what it does, and how sure that is closer."""
    values = {"word": proposed(target.name), "sure": certain(sure)}
    if transported is None:
        return Text("{word!c} would have been closer in these findings ({sure} sure).", **values)
    if transported >= 0.95:
        return Text("The transport plan puts {word} in its place ({sure} sure to be closer).", **values)
    tenths = max(1, round(10 * transported))
    return Text(
        "The transport plan puts {word} in {n} of 10 of its places ({sure} sure to be closer).", n=tenths, **values
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
        said = Text("No closer word is known for {words}.", words=listed(differing))
        return joined([said, *reasons]) if len(reasons) == 1 else said
    if all(r.verdict == "matches" for r in enough):
        return Text("Every word that was used enough matched what {reference} found.", reference=CT)
    return Text("No word clearly differs from what {reference} found.", reference=CT)


def closed(guard: str, word: Phrase, sure: float, guards: Guards) -> Text:
    """Why a phrase keeps its word: the guard that let none of the words through that came to it.

    word, sure: of those, the one nearest to what the reference showed, and how sure it is that it is nearer.
    """
    values = {"word": named(word.name), "reference": CT}
    match guard:
        case "right":
            return Text("{reference!c} agreed in at least {n} %: no reason to change it.", n=95, **values)
        case "nearer":
            return Text("No other word is nearer to what {reference} found.", **values)
        case "allowed":
            return Text("No allowed word is nearer to what {reference} found.", **values)
        case "steps":
            return Text(
                "The nearer words are more than {n} step away.",
                many="The nearer words are more than {n} steps away.",
                n=guards.max_steps,
            )
        case "contradicted":
            return Text("{reference!c} contradicts most of these: look at the cases.", reference=CT)
        case "opposite":
            return Text("{reference!c} says nearly the opposite: look at the cases.", reference=CT)
        case "turned":
            return Text("Only words that say rather the opposite are nearer to what {reference} found.", **values)
        case "range":
            return Text(
                "{word!c} is nearer, but readers take both words alike ({range}).",
                range=percent_range(word.low, word.high),
                **values,
            )
        case "gain":
            return Text("No other word is near enough to be worth a change.", **values)
        case "sure":
            needed = certain(guards.sure)
            return Text(
                "{word!c} may be nearer, but that is only {sure} sure; advice needs {needed}.",
                sure=certain(sure),
                needed=needed,
                **values,
            )
        case "verified":
            return Text(
                "{word!c} is nearer where CT looked, but perhaps not elsewhere ({sure} sure; advice needs {needed}).",
                sure=certain(sure),
                needed=certain(guards.sure),
                **values,
            )
        case "parts":
            return not_shared()
        case "far":
            return Text("Even the nearest word is far from what {reference} found: look at the cases.", **values)
        case _:
            return Text("{word!c} is nearer, but so vague that little would be gained.", **values)


def parts_differ(pool: Pool, parts: Sequence[str]) -> Text:
    """Why a pooled group gets no advice: it would be wrong for the parts that differ from the others."""
    if pool == "topic":
        return Text("Radiologists differ; see each one.")
    return Text(
        "{names!c} differs from the others; see each one.",
        many="{names!c} differ from the others; see each one.",
        names=listed(few_of([Text(name) for name in parts])),
        n=len(parts),
    )


def describes(topic: str) -> Text:
    """Why a descriptor gets no advice."""
    return Text(
        "{topic!c} describes what the film shows, and CT names its cause: no other word is advised.", topic=Text(topic)
    )


def unverified(rate: VerifiedRate) -> Text:
    """Why a word is undecided whose findings with a CT say more: of all that were written, they may be too few."""
    return Text(
        "Only {judged:,} of {said:,} such findings had a CT: the others may turn this round.",
        judged=round(rate.judged),
        said=round(rate.said),
    )


def out_of_order() -> Text:
    """Why a phrase keeps its word, though another one is open to it."""
    return Text("With a nearer word, it would swap places with another word that is to change.")


def kept_by_transport() -> Text:
    """Why a phrase keeps its word in a transport plan."""
    return Text("The transport plan puts no allowed word of another range in its place.")


def _share(rate: PhraseRate, hedged: float, *, interval: bool) -> Text:
    """Such as "47 %, 37-57"; references that are uncertain themselves count in part."""
    share = percent(rate.rate)
    if abs(rate.positives - rate.n * rate.rate) > 1e-6 * rate.n:
        share = Text("{share} when {reference}'s own errors are allowed for", share=share, reference=CT)
    if not interval:
        return share
    share = Text("{share}, {first}-{last}", share=share, first=round(100 * rate.low), last=round(100 * rate.high))
    if not hedged or not 0 < rate.positives < rate.n:
        return share
    return Text(
        "{share}; {reference} itself hedged in one",
        many="{share}; {reference} itself hedged in {n:,}",
        n=max(1, round(hedged)),
        share=share,
        reference=CT,
    )


def _positives(rate: PhraseRate, hedged: float = 0) -> Text:
    """How many were confirmed: "41 of 87", "none of 12"."""
    if rate.n == 1 and rate.positives in (0, 1):
        return Text("the only one") if rate.positives else Text("none of {n:,}", n=1)
    return Text("{count} of {n:,}", count=_counted(rate, hedged), n=round(rate.n))


def _counted(rate: PhraseRate, hedged: float = 0) -> Text:
    positives, n = rate.positives, rate.n
    whole = round(positives)
    if positives <= 0:
        return Text("none")
    if positives >= n:
        return Text("both") if n == 2 else Text("all")
    if abs(positives - whole) < 1e-9 and not hedged:
        return Text("{m:,}", m=whole)
    if 0 < whole < round(n):
        return Text("about {m:,}", m=whole)
    if round(positives, 1) <= 0:
        return Text("hardly any")
    if round(positives, 1) >= round(n):
        return Text("nearly all")
    return Text("about {m:.1f}", m=positives)
