"""Where each word stands against CT, and a one-sentence summary of an author's words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from radcal.language import Language
from radcal.records import LEVEL, Phrase, PhraseRate, Reliability

MOST_NAMED = 3
"""Words that a summary names; more are counted."""


class Standing(Enum):
    """Where a word stands: the verdict on it, with its direction, or why there is none."""

    AGREES = "agrees"
    BELOW = "below"
    """It differs, and CT confirmed less than it says: the word was stronger than CT supported."""
    ABOVE = "above"
    UNDECIDED = "undecided"
    FEW = "few"
    """Too few uses to judge."""
    UNKNOWN = "unknown"
    """The phrase is in no list, so that its meaning is not known."""


def standing(rate: PhraseRate, phrase: Phrase | None, min_n: int) -> Standing:
    """The standing of a word that was used as ``rate`` tells, and is judged from ``min_n`` uses on."""
    if phrase is None:
        return Standing.UNKNOWN
    if rate.n < min_n:
        return Standing.FEW
    if rate.verdict == "differs":
        return Standing.BELOW if rate.rate < rate.mean else Standing.ABOVE
    return Standing.AGREES if rate.verdict == "agrees" else Standing.UNDECIDED


@dataclass(frozen=True, slots=True)
class Judged:
    """One phrase for one pathology, judged."""

    topic: str
    rate: PhraseRate
    phrase: Phrase | None
    standing: Standing

    @property
    def differs(self) -> bool:
        """Whether the interval and the range of meaning do not meet."""
        return self.standing in (Standing.BELOW, Standing.ABOVE)

    @property
    def decided(self) -> bool:
        """Whether the word was used often enough to be judged."""
        return self.standing not in (Standing.FEW, Standing.UNKNOWN)

    @property
    def meaning(self) -> tuple[float, float] | None:
        """The range in which readers take the word, 0-1; what the verdict compares with may be wider."""
        return None if self.phrase is None else (self.phrase.low, self.phrase.high)

    @property
    def decimals(self) -> tuple[int, int]:
        """Decimals of percent that the ends of the interval need to be seen outside of the range; two at most."""
        if not self.differs:
            return 0, 0
        low, high = 100 * self.rate.meant_low, 100 * self.rate.meant_high
        if self.standing is Standing.BELOW:
            return 0, next((d for d in range(2) if round(100 * self.rate.high, d) < low), 2)
        return next((d for d in range(2) if round(100 * self.rate.low, d) > high), 2), 0

    @property
    def against(self) -> bool:
        """Whether the word speaks against the finding, its range being in the lower half of the scale.

        Of such a word, "stronger" and "weaker" would be read the wrong way round.
        """
        return self.phrase is not None and self.rate.meant_high <= 0.5


def judge(reliabilities: Sequence[Reliability], phrases: Mapping[str, Phrase], min_n: int) -> list[Judged]:
    """Every phrase used, for every pathology, in the given order."""
    return [
        Judged(r.topic, p, phrases.get(p.phrase), standing(p, phrases.get(p.phrase), min_n))
        for r in reliabilities
        for p in r.phrases
        if p.n > 0
    ]


def difference(words: Sequence[str], j: Judged, w: Language) -> str:
    """How CT saw words that all differ in the way of ``j``; of words against a finding, how often CT found it."""
    named: dict[str, object] = {"n": len(words), "words": w.listed(words)}
    if j.against and j.standing is Standing.BELOW:
        return w.say(
            "CT found it less often than {words} says", many="CT found it less often than {words} say", **named
        )
    if j.against:
        return w.say(
            "CT found it more often than {words} says", many="CT found it more often than {words} say", **named
        )
    if j.standing is Standing.BELOW:
        return w.say("{words} was stronger than CT supported", many="{words} were stronger than CT supported", **named)
    return w.say("{words} was weaker than CT supported", many="{words} were weaker than CT supported", **named)


def sentences(judged: Sequence[Judged], w: Language) -> list[str]:
    """How CT saw the words of one pathology that differ, one sentence for each way."""
    return [
        w.say("{difference}.", difference=capital(difference(words, j, w)))
        for j, words in _by_way(judged, lambda j: w.quoted(j.rate.phrase))
    ]


def differences(judged: Sequence[Judged], w: Language) -> str:
    """The words that differ, as in "'likely' for edema was stronger than CT supported"; '' if none."""
    off = [j for j in judged if j.differs]
    against = [_found(j, w) for j in off if j.against]
    ways = _by_way([j for j in off if not j.against], lambda j: _for_topic(j, w))
    return _joined([*(difference(words, j, w) for j, words in ways), *against], w)


def _found(j: Judged, w: Language) -> str:
    values = {"topic": j.topic, "word": w.quoted(j.rate.phrase)}
    if j.standing is Standing.BELOW:
        return w.say("CT found {topic} less often than {word} says", **values)
    return w.say("CT found {topic} more often than {word} says", **values)


def _for_topic(j: Judged, w: Language) -> str:
    return w.say("{word} for {topics}", word=w.quoted(j.rate.phrase), topics=j.topic)


def _by_way(judged: Sequence[Judged], name: Callable[[Judged], str]) -> list[tuple[Judged, list[str]]]:
    """The first word of each way to differ, and the names of all words of that way."""
    ways: dict[tuple[Standing, bool], tuple[Judged, list[str]]] = {}
    for j in judged:
        if j.differs:
            ways.setdefault((j.standing, j.against), (j, []))[1].append(name(j))
    return list(ways.values())


def capital(text: str) -> str:
    """The text with a capital letter where it begins with a letter; one that begins with a quotation stays."""
    return text[:1].upper() + text[1:]


def _joined(parts: Sequence[str], w: Language) -> str:
    """An enumeration of parts that may hold "and" themselves."""
    if len(parts) < 2:
        return "".join(parts)
    if len(parts) == 2:
        return w.say("{first}, and {last}", first=parts[0], last=parts[1])
    return w.say("{some}; and {last}", some="; ".join(parts[:-1]), last=parts[-1])


def summary(
    reliabilities: Sequence[Reliability],
    judged: Sequence[Judged],
    advised: Collection[tuple[str, str]],
    min_phrase_n: int,
    w: Language,
) -> str:
    """One plain sentence across pathologies: which words differ, and how many of the others agree.

    Words are counted for each pathology; those that differ are named while they are few.

    Args:
        reliabilities: the pathologies;  judged: the words of each.
        advised: pathologies and words for which another word is suggested.
        min_phrase_n: uses from which a word is judged.
        w: the language.
    """
    used = [r for r in reliabilities if r.n > 0]
    if not used:
        return w.say("No statement could be compared with a CT yet.")
    across = w.say(
        "{statements} in {pathologies}",
        statements=w.counted(sum(r.n for r in used), "{n} statement", "{n} statements"),
        pathologies=w.counted(len(used), "{n} pathology", "{n} pathologies"),
    )
    decided = [j for j in judged if j.decided]
    off = [j for j in decided if j.differs]
    agreeing = [(j.topic, j.rate.phrase) for j in decided if j.standing is Standing.AGREES]
    if not decided:
        return w.say(
            "Not enough data yet to judge a word: {across}, and no word was used {n} times for one pathology.",
            across=across,
            n=str(min_phrase_n),
        )
    closer = sum(word in advised for word in agreeing)
    rest = _rest(len(agreeing) - closer, closer, len(decided) - len(off) - len(agreeing), w)
    if not off:
        return w.say("Across {across}, no single word was shown to differ from CT; {rest}.", across=across, rest=rest)
    if len(off) <= MOST_NAMED:
        shown = differences(off, w)
    else:
        shown = w.say(
            "{n} of {total} words used often enough to judge differ from CT", n=str(len(off)), total=str(len(decided))
        )
    if not rest:
        return w.say("Across {across}, {differences}.", across=across, differences=shown)
    return w.say("Across {across}, {differences}; {rest}.", across=across, differences=shown, rest=rest)


def _rest(agreeing: int, closer: int, undecided: int, w: Language) -> str:
    """How many words agree, agree although another is suggested, and are undecided; '' if none.

    As in "5 words agree with CT, 3 agree though a closer one is suggested, and 2 are undecided".
    """
    parts = []
    if agreeing:
        parts.append(w.counted(agreeing, "{n} word agrees with CT", "{n} words agree with CT"))
    if closer and agreeing:
        parts.append(
            w.counted(
                closer, "{n} agrees though a closer one is suggested", "{n} agree though closer ones are suggested"
            )
        )
    elif closer:
        parts.append(
            w.counted(
                closer,
                "{n} word agrees with CT though a closer one is suggested",
                "{n} words agree with CT though closer ones are suggested",
            )
        )
    if undecided and parts:
        parts.append(w.counted(undecided, "{n} is undecided", "{n} are undecided"))
    elif undecided:
        parts.append(w.counted(undecided, "{n} word is undecided", "{n} words are undecided"))
    if len(parts) < 3:
        return w.listed(parts)
    return w.say("{first}, and {last}", first=", ".join(parts[:2]), last=parts[2])


def with_errors(rate: PhraseRate, w: Language) -> str:
    """A word's rate with the errors of reading; '' where none are carried on."""
    if rate.read_rate is None or rate.read_low is None or rate.read_high is None:
        return ""
    return w.say("With reading errors {rate}.", rate=w.rate(rate.read_rate, rate.read_low, rate.read_high))


def word_error(r: Reliability, w: Language) -> str:
    """How far hedged words lie from their meaning, against what luck alone gives; '' where that is not known."""
    if r.word_error is None:
        return ""
    distance = " ".join(filter(None, (w.error(r.word_error), w.error_spread(r.word_error_low, r.word_error_high))))
    if r.read_word_error is not None:
        carried = (w.error(r.read_word_error), w.error_spread(r.read_word_error_low, r.read_word_error_high))
        read = " ".join(filter(None, carried))
        distance = w.say("{distance} (with reading errors {read})", distance=distance, read=read)
    if r.luck_word_mean is None or r.luck_word_p95 is None or r.p_value_word is None:
        return w.say("Hedged words lie {distance} from what readers take them to mean, on average.", distance=distance)
    verdict = w.say("taken together, they differ from what CT showed")
    if not r.differs:
        verdict = w.say("not shown to differ, allowing for the number of tests")
        if r.plain_p_value_word is not None and r.plain_p_value_word < LEVEL <= r.p_value_word:
            verdict = w.say("not shown to differ, allowing for reading errors")
        elif r.word_error <= r.luck_word_p95 or r.q_value_word is None:
            verdict = w.say("not shown to differ")
    return w.say(
        "Hedged words lie {distance} from what readers take them to mean, on average; those of a perfectly calibrated "
        "reader would lie {mean} away, up to {high}: {verdict}.",
        distance=distance,
        mean=w.error(r.luck_word_mean),
        high=w.error(r.luck_word_p95),
        verdict=verdict,
    )


def error_in_parts(r: Reliability, w: Language) -> str:
    """The published calibration error of hedged words (ECE*) and what it is made of; '' where that is not known."""
    if r.ece_star is None or r.ece_star_width is None or r.luck_star_mean is None:
        return ""
    # Of the rounded figures, so that the parts add up as they are shown.
    error, luck, width = (round(v, 2) for v in (r.ece_star, r.luck_star_mean, r.ece_star_width))
    return w.say(
        "Published measure (ECE*): {error}; width of the words {width}, chance {chance}, the rest {rest}.",
        error=w.error(error),
        width=w.error(width),
        chance=w.error(luck - width),
        rest=w.error(round(error - luck, 2) + 0.0).replace("-", "\N{MINUS SIGN}"),
    )
