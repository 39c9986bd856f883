"""Advice in plain sentences, in the reader's terms: n, rate and interval are always there, and nothing judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from radcal.records import ABSENT, PRESENT

if TYPE_CHECKING:
    from radcal.records import Phrase, PhraseRate


def recommendation(
    rate: PhraseRate,
    source: Phrase,
    targets: Sequence[tuple[Phrase, float]],
    topic: str,
    fits: bool,
    reference: str = "CT",
) -> str:
    """What the author wrote and what the reference said, what readers take the word to mean, and what to say instead.

    Args:
        rate: how often the phrase was confirmed.
        source: the phrase.
        targets: the words to say instead with their shares of the cases, largest first; two are told.
        topic: the pathology.
        fits: the (first) target's meaning agrees with the confirmed rate.
        reference: who confirmed it, as it is to be read in the sentence.
    """
    return (
        f"{_observed(rate, topic, reference)} Readers take {_named(source.name, reference)} as {_meaning(source)}. "
        f"{_instead(targets, topic, fits, reference)}"
    )


def matched(rate: PhraseRate, topic: str, reference: str = "CT") -> str:
    """That a word means what readers take it to mean."""
    said = _capital(_named(rate.phrase, reference))
    verb = "showed it" if _is_denial(rate.phrase, reference) else "confirmed it"
    return f"{said} for {topic} matched: {reference} {_tally(rate, verb)}."


def summary(
    topic: str, recommended: Sequence[PhraseRate], matching: Sequence[str], reason: str, reference: str = "CT"
) -> str:
    """One sentence for the top of the page; the reason where there is no advice."""
    if not recommended:
        return reason
    parts = []
    for strength in ("stronger", "weaker"):
        words = [_named(rate.phrase, reference) for rate in recommended if _strength(rate, reference) == strength]
        if words:
            told = words if len(words) <= 4 else [*words[:3], f"{len(words) - 3} other words"]
            verb = "was" if len(words) == 1 else "were"
            parts.append(f"{_joined(told)} {verb} {strength} than {reference} supported")
    if len(matching) == 1:
        parts.append(f"{_named(matching[0], reference)} matched")
    elif matching:
        parts.append(f"{len(matching)} other words matched")
    return f"For {topic}, {'; '.join(parts)}."


def _strength(rate: PhraseRate, reference: str) -> str:
    """Stronger or weaker as a claim that the finding is there; a plain "no" claims that it is not."""
    claims_more = rate.mean > rate.rate or _is_denial(rate.phrase, reference)
    return "stronger" if claims_more else "weaker"


def too_few_uses(n: float, needed: int) -> str:
    """Why a phrase gets no advice."""
    return f"{_count(n)} {'use' if n == 1 else 'uses'}; advice needs {needed}."


def too_few_findings(n: float, needed: int) -> str:
    """Why a group gets no advice."""
    return f"{_count(n)} {'finding' if n == 1 else 'findings'}; advice needs {needed}."


def rarely_used(needed: int) -> str:
    """Why a group with enough findings gets no advice."""
    return f"No word was used {'once' if needed == 1 else f'{needed} times'} or more, as advice needs."


def all_matched(words: int, reference: str = "CT") -> str:
    """No advice, because the interval of every word with enough uses agrees with its meaning."""
    which = "The only word" if words == 1 else "Every word"
    return f"{which} with enough uses matched what {reference} showed; no change is advised."


def no_gain(before: float, after: float) -> str:
    """No advice because it did not hold on unseen findings."""
    return (
        "No advice: on findings kept aside, following it did not bring words and findings closer "
        f"(calibration error {before:.3f} without it, {after:.3f} with it)."
    )


def no_better_word(reference: str = "CT") -> str:
    """No advice on a phrase, or none at all, though something did not match."""
    return f"No word was found that reliably agrees better with what {reference} showed."


def _observed(rate: PhraseRate, topic: str, reference: str) -> str:
    if _is_denial(rate.phrase, reference):
        return f"When you ruled out {topic}, CT {_tally(rate, 'showed it')}."
    if _is_plain(rate.phrase, reference):
        return f"When you stated {topic} without a hedge, CT {_tally(rate, 'confirmed it')}."
    return f"When you wrote '{rate.phrase}' for {topic}, {reference} {_tally(rate, 'confirmed it')}."


def _tally(rate: PhraseRate, verb: str) -> str:
    """Such as "confirmed it in 41 of 87 (47 %, 37-57 %)"."""
    if rate.n == 1 and rate.positives <= 0:
        verb = {"showed it": "did not show it", "confirmed it": "did not confirm it"}[verb]
    return f"{verb} in {_positives(rate.positives, rate.n)} ({_percent(rate.rate)}, {_range(rate.low, rate.high)})"


def _positives(positives: float, n: float) -> str:
    whole, of = round(positives), _count(n)
    if n == 1:
        return "the only one" if positives in (0, 1) else "part in the only one"
    if positives <= 0:
        return f"none of {of}"
    if positives >= n:
        return "both of 2" if n == 2 else f"all of {of}"
    if abs(positives - whole) < 1e-9:
        return f"{whole:,} of {of}"
    # References that are uncertain themselves count in part.
    if whole == 0:
        return f"fewer than 1 of {of}"
    if whole >= n:
        return f"nearly all of {of}" if positives >= 0.9 * n else f"about {positives:.1f} of {of}"
    return f"about {whole:,} of {of}"


def _instead(targets: Sequence[tuple[Phrase, float]], topic: str, fits: bool, reference: str) -> str:
    verdict = "would have matched" if fits else "would have been closer"
    if len(targets) == 1 and targets[0][1] >= 0.95:
        return f"{_capital(_proposed(targets[0][0].name, topic, reference))} {verdict}."
    parts = [
        f"{_proposed(target.name, topic, reference)} in {_in_ten(share)}{' such cases' if i == 0 else ''}"
        for i, (target, share) in enumerate(targets[:2])
    ]
    return f"{_capital(_joined(parts))} {verdict}."


def _in_ten(share: float) -> str:
    """A share in words, for shares of at least one in twenty."""
    tenths = max(1, round(10 * share))
    return "nearly all" if tenths == 10 else f"about {tenths} of 10"


def _is_denial(phrase: str, reference: str) -> bool:
    """Only reports state a finding or its absence plainly; elsewhere "absent" and "present" are words like others."""
    return reference == "CT" and phrase == ABSENT


def _is_plain(phrase: str, reference: str) -> bool:
    return reference == "CT" and phrase in (ABSENT, PRESENT)


def _named(phrase: str, reference: str) -> str:
    if _is_denial(phrase, reference):
        return "a plain 'no'"
    return "a plain statement" if _is_plain(phrase, reference) else f"'{phrase}'"


def _proposed(phrase: str, topic: str, reference: str) -> str:
    return f"a plain 'no {topic}'" if _is_denial(phrase, reference) else _named(phrase, reference)


def _meaning(phrase: Phrase) -> str:
    return _range(phrase.low, phrase.high)


def _range(low: float, high: float) -> str:
    first, last = round(100 * low), round(100 * high)
    return f"{first}-{last} %" if first < last else _percent((low + high) / 2)


def _percent(share: float) -> str:
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 < share < 1:
        return "over 99 %"
    return f"{round(100 * share)} %"


def _count(n: float) -> str:
    return f"{round(n):,}"


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _capital(text: str) -> str:
    """The sentence with its first letter, also one within quotes, in upper case."""
    first = next((i for i, letter in enumerate(text) if letter.isalpha()), 0)
    return text[:first] + text[first].upper() + text[first + 1 :]
