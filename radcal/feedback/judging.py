"""Whether a word matched CT, and a one-sentence summary of an author's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from radcal.language import Language
from radcal.lexicon.phrases import expected_rates
from radcal.records import Phrase, PhraseRate, Reliability

MOST_NAMED = 3
"""Words that a summary names; more are counted."""


class Verdict(Enum):
    """Position of the confirmed rate's interval relative to the phrase's range."""

    MATCH = "matches"
    BELOW = "below"
    """The whole interval lies below the range: the word was stronger than CT supported."""
    ABOVE = "above"
    FEW = "few"
    """Too few uses to judge."""
    UNKNOWN = "unknown"
    """The phrase is in no list, so that its meaning is not known."""


def verdict(rate: PhraseRate, phrase: Phrase | None, min_n: int) -> Verdict:
    """A phrase deviates only if its whole interval lies outside its range."""
    if phrase is None:
        return Verdict.UNKNOWN
    if rate.n < min_n:
        return Verdict.FEW
    low, high = expected_rates(phrase)
    if rate.high < low:
        return Verdict.BELOW
    if rate.low > high:
        return Verdict.ABOVE
    return Verdict.MATCH


@dataclass(frozen=True, slots=True)
class Judged:
    """One phrase for one pathology, judged."""

    topic: str
    rate: PhraseRate
    phrase: Phrase | None
    verdict: Verdict

    @property
    def deviates(self) -> bool:
        """Whether the interval lies outside the phrase's range."""
        return self.verdict in (Verdict.BELOW, Verdict.ABOVE)

    @property
    def decimals(self) -> tuple[int, int]:
        """Decimals of percent that the ends of the interval need to be seen outside of the range; two at most."""
        if self.phrase is None or not self.deviates:
            return 0, 0
        low, high = (100 * v for v in expected_rates(self.phrase))
        if self.verdict is Verdict.BELOW:
            return 0, next((d for d in range(2) if round(100 * self.rate.high, d) < low), 2)
        return next((d for d in range(2) if round(100 * self.rate.low, d) > high), 2), 0

    @property
    def against(self) -> bool:
        """Whether the word speaks against the finding, its range being in the lower half of the scale.

        Of such a word, "stronger" and "weaker" would be read the wrong way round.
        """
        return self.phrase is not None and expected_rates(self.phrase)[1] <= 0.5


def judge(reliabilities: Sequence[Reliability], phrases: Mapping[str, Phrase], min_n: int) -> list[Judged]:
    """Every phrase used, for every pathology, in the given order."""
    return [
        Judged(r.topic, p, phrases.get(p.phrase), verdict(p, phrases.get(p.phrase), min_n))
        for r in reliabilities
        for p in r.phrases
        if p.n > 0
    ]


def sentences(judged: Sequence[Judged], w: Language) -> list[str]:
    """How CT saw the words of one pathology that deviate, one sentence for each way."""
    ways: dict[tuple[Verdict, bool], list[str]] = {}
    for j in judged:
        if j.deviates:
            ways.setdefault((j.verdict, j.against), []).append(w.quoted(j.rate.phrase))
    return [_sentence(words, way, w, against=against) for (way, against), words in ways.items()]


def _sentence(words: Sequence[str], way: Verdict, w: Language, *, against: bool) -> str:
    shown = w.listed(words)
    if against:
        if way is Verdict.BELOW:
            return w.say("{words}: CT found it less often than the word says.", words=shown)
        return w.say("{words}: CT found it more often than the word says.", words=shown)
    if len(words) == 1:
        if way is Verdict.BELOW:
            return w.say("{word} was stronger than CT supported.", word=shown)
        return w.say("{word} was weaker than CT supported.", word=shown)
    if way is Verdict.BELOW:
        return w.say("{words} were stronger than CT supported.", words=shown)
    return w.say("{words} were weaker than CT supported.", words=shown)


def deviations(judged: Sequence[Judged], w: Language) -> str:
    """The phrases that deviate, as in "'likely' for edema, which was stronger than CT supported"; '' if none."""
    ways: dict[tuple[Verdict, bool], dict[str, list[str]]] = {}
    for j in judged:
        if j.deviates:
            ways.setdefault((j.verdict, j.against), {}).setdefault(j.rate.phrase, []).append(j.topic)
    return _joined([_deviation(topics, way, w, against=against) for (way, against), topics in ways.items()], w)


def _deviation(topics: Mapping[str, Sequence[str]], way: Verdict, w: Language, *, against: bool) -> str:
    """How CT saw the words of one kind, of those that speak against a finding how often CT found it."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for word, where in topics.items():
        alike.setdefault(tuple(where), []).append(w.quoted(word))
    named = [
        w.say("{word} for {topics}", word=w.listed(words), topics=w.listed(where, 3)) for where, words in alike.items()
    ]
    if len(topics) == 1:
        words = named[0]
        if against and way is Verdict.BELOW:
            return w.say("{words}, which CT found less often than the word says", words=words)
        if against:
            return w.say("{words}, which CT found more often than the word says", words=words)
        if way is Verdict.BELOW:
            return w.say("{words}, which was stronger than CT supported", words=words)
        return w.say("{words}, which was weaker than CT supported", words=words)
    simple = len(alike) == len(topics) and all(len(where) == 1 for where in alike)
    words = w.listed(named) if simple else _joined(named, w)
    if against and way is Verdict.BELOW:
        return w.say("{words}, which CT found less often than the words say", words=words)
    if against:
        return w.say("{words}, which CT found more often than the words say", words=words)
    if way is Verdict.BELOW:
        return w.say("{words}, which were stronger than CT supported", words=words)
    return w.say("{words}, which were weaker than CT supported", words=words)


def _joined(parts: Sequence[str], w: Language) -> str:
    """An enumeration of parts that hold "and" or a comma themselves."""
    if len(parts) < 2:
        return "".join(parts)
    if len(parts) == 2:
        return w.say("{first}, and {last}", first=parts[0], last=parts[1])
    return w.say("{some}; and {last}", some="; ".join(parts[:-1]), last=parts[-1])


def summary(reliabilities: Sequence[Reliability], judged: Sequence[Judged], min_phrase_n: int, w: Language) -> str:
    """One plain sentence across pathologies.

    Exceptions are named while they are few; otherwise they are counted, so that "the words matched" is
    never said of an author most of whose words did not.
    """
    used = [r for r in reliabilities if r.n > 0]
    if not used:
        return w.say("No statement could be compared with a CT yet.")
    across = w.say(
        "{statements} in {pathologies}",
        statements=w.counted(sum(r.n for r in used), "{n} statement", "{n} statements"),
        pathologies=w.counted(len(used), "{n} pathology", "{n} pathologies"),
    )
    decided = [j for j in judged if j.verdict is Verdict.MATCH or j.deviates]
    off = [j for j in decided if j.deviates]
    if not decided:
        return w.say(
            "Not enough data yet to judge a word: {across}, and no word was used {n} times for one pathology.",
            across=across,
            n=str(min_phrase_n),
        )
    if not off:
        return _all_matched(decided, across, w)
    if len(decided) == 1:
        return w.say(
            "Across {across}, one word was used often enough to judge: {deviations}.",
            across=across,
            deviations=deviations(off, w),
        )
    matched = len(decided) - len(off)
    if len(off) <= MOST_NAMED and matched > len(off):
        return w.say(
            "Across {across}, the words used often enough to judge matched what CT showed, except {deviations}.",
            across=across,
            deviations=deviations(off, w),
        )
    total = str(len(decided))
    if len(off) <= MOST_NAMED:
        shown = deviations(off, w)
        if matched == 0:
            return w.say(
                "Across {across}, none of {total} words matched what CT showed: {deviations}.",
                across=across,
                total=total,
                deviations=shown,
            )
        return w.say(
            "Across {across}, {n} of {total} words matched what CT showed, but not {deviations}.",
            across=across,
            n=str(matched),
            total=total,
            deviations=shown,
        )
    ways = _ways(off, w)
    if matched == 0:
        return w.say(
            "Across {across}, none of {total} words matched what CT showed; {ways}.",
            across=across,
            total=total,
            ways=ways,
        )
    return w.say(
        "Across {across}, {n} of {total} words matched what CT showed; {ways}.",
        across=across,
        n=str(matched),
        total=total,
        ways=ways,
    )


def _all_matched(decided: Sequence[Judged], across: str, w: Language) -> str:
    if len(decided) > 1:
        return w.say(
            "Across {across}, all {n} words used often enough to judge matched what CT showed.",
            across=across,
            n=str(len(decided)),
        )
    return w.say(
        "Across {across}, the one word used often enough to judge, {word} for {topic}, matched what CT showed.",
        across=across,
        word=w.quoted(decided[0].rate.phrase),
        topic=decided[0].topic,
    )


def _ways(off: Sequence[Judged], w: Language) -> str:
    """How many words deviate in which way: "5 were stronger than CT supported and 1 was weaker"."""

    def number(direction: Verdict, *, against: bool) -> int:
        return sum(j.verdict is direction and j.against == against for j in off)

    said = _strengths(number(Verdict.BELOW, against=False), number(Verdict.ABOVE, against=False), w)
    found = _frequencies(number(Verdict.ABOVE, against=True), number(Verdict.BELOW, against=True), w)
    return "; ".join(filter(None, (said, found)))


def _strengths(stronger: int, weaker: int, w: Language) -> str:
    """How many of the words for a finding were stronger, and how many weaker, than CT supported."""
    too_strong = w.counted(stronger, "{n} was stronger than CT supported", "{n} were stronger than CT supported")
    if stronger and weaker:
        also = w.counted(weaker, "{n} was weaker", "{n} were weaker")
        return w.say("{stronger} and {weaker}", stronger=too_strong, weaker=also)
    if stronger:
        return too_strong
    return w.counted(weaker, "{n} was weaker than CT supported", "{n} were weaker than CT supported") if weaker else ""


def _frequencies(more: int, less: int, w: Language) -> str:
    """For how many of the words against a finding CT found it more often, and for how many less."""
    too_often = w.counted(
        more,
        "for {n} word, CT found the pathology more often than the word says",
        "for {n} words, CT found the pathology more often than the word says",
    )
    if more and less:
        return w.say("{more} and {less}", more=too_often, less=w.say("for {n} less often", n=str(less)))
    if more:
        return too_often
    if not less:
        return ""
    return w.counted(
        less,
        "for {n} word, CT found the pathology less often than the word says",
        "for {n} words, CT found the pathology less often than the word says",
    )
