"""Whether a word matched what CT showed, and the one sentence that sums up all words of an author."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from radcal.feedback.wording import counted, listed, quoted
from radcal.lexicon.phrases import expected_rates
from radcal.records import Phrase, PhraseRate, Reliability


class Verdict(Enum):
    """Where the interval of a phrase's confirmed rate lies, seen from the range that readers take it to mean."""

    MATCH = "matches"
    BELOW = "below"
    """The whole interval lies below the range: the word was stronger than CT supported."""
    ABOVE = "above"
    FEW = "few"
    """Too few uses to judge."""
    UNKNOWN = "unknown"
    """The phrase is in no list, so that its meaning is not known."""


def verdict(rate: PhraseRate, phrase: Phrase | None, min_n: int) -> Verdict:
    """A phrase deviates only if its whole interval lies outside the range that it is held to."""
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
    def against(self) -> bool:
        """Whether the word speaks against the finding, its range being in the lower half of the scale.

        Of such a word, "stronger" and "weaker" would be read the wrong way round.
        """
        return self.phrase is not None and expected_rates(self.phrase)[1] <= 0.5

    @property
    def clause(self) -> str:
        """How CT saw it, to follow "which": of the word, or of the finding where the word speaks against it."""
        if self.against:
            return f"CT found {'less' if self.verdict is Verdict.BELOW else 'more'} often than the word says"
        return f"was {'stronger' if self.verdict is Verdict.BELOW else 'weaker'} than CT supported"


def judge(reliabilities: Sequence[Reliability], phrases: Mapping[str, Phrase], min_n: int) -> list[Judged]:
    """Every phrase that was used, for every pathology, in the order given."""
    return [
        Judged(r.topic, p, phrases.get(p.phrase), verdict(p, phrases.get(p.phrase), min_n))
        for r in reliabilities
        for p in r.phrases
        if p.n > 0
    ]


def sentences(judged: Sequence[Judged]) -> list[str]:
    """How CT saw the words of one pathology that deviate, one sentence for each way."""
    ways: dict[tuple[str, bool], list[str]] = {}
    for j in judged:
        if j.deviates:
            ways.setdefault((j.clause, j.against), []).append(quoted(j.rate.phrase))
    told = []
    for (clause, against), words in ways.items():
        if against:
            told.append(f"{listed(words)}: {clause.replace('found', 'found it')}.")
        else:
            told.append(f"{listed(words)} {clause if len(words) == 1 else clause.replace('was', 'were')}.")
    return told


def deviations(judged: Sequence[Judged]) -> str:
    """The phrases that deviate, as in "'likely' for edema, which was stronger than CT supported"; '' if none."""
    topics: dict[tuple[str, str], list[str]] = {}
    for j in judged:
        if j.deviates:
            topics.setdefault((j.rate.phrase, j.clause), []).append(j.topic)
    parts = [f"{quoted(word)} for {listed(where, 3)}, which {clause}" for (word, clause), where in topics.items()]
    return ", and ".join(parts) if len(parts) < 3 else "; ".join([*parts[:-1], f"and {parts[-1]}"])


def summary(reliabilities: Sequence[Reliability], judged: Sequence[Judged], min_phrase_n: int) -> str:
    """One plain sentence across pathologies.

    Exceptions are named while they are few; otherwise they are counted, so that "your words matched" is
    never said of an author most of whose words did not.
    """
    used = [r for r in reliabilities if r.n > 0]
    total = sum(r.n for r in used)
    if not used:
        return "No statement could be compared with a CT yet."
    across = f"{counted(total, 'statement')} in {counted(len(used), 'pathology', 'pathologies')}"
    decided = [j for j in judged if j.verdict is Verdict.MATCH or j.deviates]
    off = [j for j in decided if j.deviates]
    matched = len(decided) - len(off)
    if not decided:
        return (
            f"Not enough data yet to judge a word: {across}, "
            f"and no word was used {min_phrase_n} times for one pathology."
        )
    if not off:
        return f"Across {across}, {_all_that_matched(decided)} matched what CT showed."
    if len(decided) == 1:
        return f"Across {across}, one word was used often enough to judge: {deviations(off)}."
    if len(off) <= 3 and matched > len(off):
        return f"Across {across}, your words matched what CT showed, except {deviations(off)}."
    began = f"{matched or 'none'} of {len(decided)}"
    return f"Across {across}, {began} words matched what CT showed; {_ways(off)}."


def _ways(off: Sequence[Judged]) -> str:
    """How many words deviate in which way: "5 were stronger than CT supported and 1 was weaker"."""

    def number(direction: Verdict, *, against: bool) -> int:
        return sum(j.verdict is direction and j.against == against for j in off)

    told: list[str] = []
    for direction, how in ((Verdict.BELOW, "stronger"), (Verdict.ABOVE, "weaker")):
        if n := number(direction, against=False):
            told.append(f"{n} {'was' if n == 1 else 'were'} {how}{'' if told else ' than CT supported'}")
    found: list[str] = []
    for direction, how in ((Verdict.ABOVE, "more"), (Verdict.BELOW, "less")):
        if n := number(direction, against=True):
            s = "" if n == 1 else "s"
            found.append(f"for {n}{'' if found else f' word{s}, CT found the pathology'} {how} often")
    if found:
        found[0] += " than the word says"
    return "; ".join(filter(None, (listed(told), listed(found))))


def _all_that_matched(decided: Sequence[Judged]) -> str:
    if len(decided) == 1:
        return f"the one word used often enough to judge, {quoted(decided[0].rate.phrase)} for {decided[0].topic},"
    return f"all {len(decided)} words used often enough to judge"


def hedged_uses(r: Reliability) -> float:
    """How many of the group's statements are worded with a hedge: what the curve and ECE* rest on."""
    return sum(p.n for p in r.phrases if 0.0 < p.mean < 1.0)
