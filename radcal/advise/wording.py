"""Advice in plain sentences: always with n, rate and interval, and without judging the reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from radcal.records import ABSENT, PRESENT
from radcal.text import Text, joined, listed

if TYPE_CHECKING:
    from radcal.records import Phrase, PhraseRate

CT = Text("CT")


def recommendation(
    rate: PhraseRate, source: Phrase, targets: Sequence[tuple[Phrase, float]], topic: str, fits: bool
) -> Text:
    """What the author wrote and what CT said, what readers take the word to mean, and what to write instead.

    Args:
        rate: the confirmed rate of the phrase.
        source: the phrase.
        targets: the words to write instead with their shares of the cases, largest first; two are named.
        topic: the pathology.
        fits: whether the (first) target's meaning agrees with the confirmed rate.
    """
    word, meaning = _named(source.name), _range(source.low, source.high)
    return joined(
        [
            _observed(rate, topic),
            Text("Readers take {word} as {range}.", word=word, range=meaning),
            _instead(targets, topic, fits),
        ]
    )


def summary(topic: str, recommended: Sequence[PhraseRate], matching: Sequence[str], reason: str) -> Text:
    """One sentence for the top of the page; the reason where there is no advice."""
    if not recommended:
        return Text(reason)
    parts = []
    for stronger in (True, False):
        words = [_named(rate.phrase) for rate in recommended if _is_stronger(rate) == stronger]
        if words:
            parts.append(_supported(words, stronger))
    if len(matching) == 1:
        parts.append(Text("{word} matched", word=_named(matching[0])))
    elif matching:
        parts.append(Text("{n} other words matched", n=len(matching)))
    return Text("For {topic}, {parts}.", topic=topic, parts=joined(parts, "; "))


def _supported(words: list[Text], stronger: bool) -> Text:
    """That words were stronger or weaker than CT supported."""
    if stronger:
        one = Text("{words} was stronger than {reference} supported")
        many = Text("{words} were stronger than {reference} supported")
    else:
        one = Text("{words} was weaker than {reference} supported")
        many = Text("{words} were weaker than {reference} supported")
    shown = words if len(words) <= 4 else [*words[:3], Text("{n} other words", n=len(words) - 3)]
    return (one if len(words) == 1 else many).with_values(words=listed(shown), reference=CT)


def _is_stronger(rate: PhraseRate) -> bool:
    """Whether the word overstates the finding; a plain "no" overstates its absence."""
    return rate.mean > rate.rate or rate.phrase == ABSENT


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
        return Text("No word was used once or more, as advice needs.")
    return Text("No word was used {n} times or more, as advice needs.", n=needed)


def all_matched(words: int) -> Text:
    """No advice, because the interval of every word with enough uses agrees with its meaning."""
    if words == 1:
        return Text(
            "The only word with enough uses matched what {reference} showed; no change is advised.", reference=CT
        )
    return Text("Every word with enough uses matched what {reference} showed; no change is advised.", reference=CT)


def no_gain(before: float, after: float) -> Text:
    """No advice, because it did not hold on unseen findings."""
    return Text(
        "No advice: on findings kept aside, following it did not bring words and findings closer "
        "(calibration error {before:.3f} without it, {after:.3f} with it).",
        before=before,
        after=after,
    )


def no_better_word() -> Text:
    """No advice on a phrase, or on a group, although something did not match."""
    return Text("No word was found that reliably agrees better with what {reference} showed.", reference=CT)


def _observed(rate: PhraseRate, topic: str) -> Text:
    values = {"topic": topic, "reference": CT, "tally": _tally(rate)}
    if rate.phrase == ABSENT:
        return Text("When you ruled out {topic}, {reference} {tally}.", **values)
    if rate.phrase == PRESENT:
        return Text("When you stated {topic} without a hedge, {reference} {tally}.", **values)
    return Text("When you wrote {word} for {topic}, {reference} {tally}.", word=_cited(rate.phrase), **values)


def _tally(rate: PhraseRate) -> Text:
    """Such as "confirmed it in 41 of 87 (47 %, 37-57 %)"; for a denial, what CT showed."""
    values = {
        "count": _positives(rate.positives, rate.n),
        "share": _percent(rate.rate),
        "range": _range(rate.low, rate.high),
    }
    not_in_the_only_one = rate.n == 1 and rate.positives <= 0
    if rate.phrase == ABSENT:
        if not_in_the_only_one:
            return Text("did not show it in {count} ({share}, {range})", **values)
        return Text("showed it in {count} ({share}, {range})", **values)
    if not_in_the_only_one:
        return Text("did not confirm it in {count} ({share}, {range})", **values)
    return Text("confirmed it in {count} ({share}, {range})", **values)


def _positives(positives: float, n: float) -> Text:
    whole, of = round(positives), round(n)
    if n == 1:
        return Text("the only one") if positives in (0, 1) else Text("part in the only one")
    if positives <= 0:
        return Text("none of {n:,}", n=of)
    if positives >= n:
        return Text("both of {n}", n=2) if n == 2 else Text("all of {n:,}", n=of)
    if abs(positives - whole) < 1e-9:
        return Text("{m:,} of {n:,}", m=whole, n=of)
    # References that are uncertain themselves count in part.
    if whole == 0:
        return Text("fewer than 1 of {n:,}", n=of)
    if whole < n:
        return Text("about {m:,} of {n:,}", m=whole, n=of)
    if positives >= 0.9 * n:
        return Text("nearly all of {n:,}", n=of)
    return Text("about {m:.1f} of {n:,}", m=positives, n=of)


def _instead(targets: Sequence[tuple[Phrase, float]], topic: str, fits: bool) -> Text:
    """The (at most two) words that would have matched or been closer, with their shares of the cases."""
    (first, share), *others = targets
    choice = _proposed(first.name, topic)
    if others or share < 0.95:
        choice = _in_ten(choice, share, first=True)
    if not others:
        text = Text("{choice!c} would have matched.") if fits else Text("{choice!c} would have been closer.")
        return text.with_values(choice=choice)
    second, share = others[0]
    both = Text("{choice!c} and {choice2} would have been closer.")
    if fits:
        both = Text("{choice!c} and {choice2} would have matched.")
    return both.with_values(choice=choice, choice2=_in_ten(_proposed(second.name, topic), share, first=False))


def _in_ten(word: Text, share: float, first: bool) -> Text:
    """A word with its share of the cases, of at least one in twenty."""
    tenths = max(1, round(10 * share))
    if tenths == 10:
        return Text("{word} in nearly all such cases", word=word) if first else Text("{word} in nearly all", word=word)
    if first:
        return Text("{word} in about {n} of 10 such cases", word=word, n=tenths)
    return Text("{word} in about {n} of 10", word=word, n=tenths)


def _named(phrase: str) -> Text:
    if phrase == ABSENT:
        return Text("a plain 'no'")
    return Text("a plain statement") if phrase == PRESENT else _cited(phrase)


def _cited(phrase: str) -> Text:
    return Text("'{phrase}'", phrase=phrase)


def _proposed(phrase: str, topic: str) -> Text:
    return Text("a plain 'no {topic}'", topic=topic) if phrase == ABSENT else _named(phrase)


def _range(low: float, high: float) -> Text:
    first, last = round(100 * low), round(100 * high)
    return Text("{first}-{last} %", first=first, last=last) if first < last else _percent((low + high) / 2)


def _percent(share: float) -> Text:
    if 0 < share < 0.005:
        return Text("under {n} %", n=1)
    if 0.995 < share < 1:
        return Text("over {n} %", n=99)
    return Text("{n} %", n=round(100 * share))
