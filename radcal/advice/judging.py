"""Where each word of an author stands against CT, made once for all that say so, and the sentences on it.

A suggestion over all pathologies stands where no pathology says otherwise of the same word, and holds for every one of
them: it is what the author is told of a word in a pathology whose own statements give no advice, unless what CT showed
there, seldom as it was said, lies nearer to the word itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord, Standing
from radcal.reliability.records import ALL_AUTHORS, PhraseRate
from radcal.system.intervals import normal_quantile
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text, joined, listed
from radcal.words.phrases import PLAIN_TOLERANCE, mean_of
from radcal.words.records import ABSENT, PRESENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advice.records import Advice, Recommendation
    from radcal.advice.stored_analysis import Analysis
    from radcal.reliability.records import Reliability
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

CT = Text("CT")
MOST_NAMED = 3
"""Words that a summary over pathologies names; more are counted."""


# --- the record -----------------------------------------------------------------------------------------


def judge(
    reliabilities: Sequence[Reliability],
    advices: Sequence[Advice],
    phrases: Iterable[Phrase],
    min_n: float,
    pooled: Reliability | None = None,
    pooled_advice: Advice | None = None,
    without: Collection[str] = (),
) -> Judged:
    """All that is said of one author's words.

    Args:
        reliabilities, advices: of the author's pathologies; without advice, nothing is said of better words.
        phrases: the meanings.
        min_n: uses from which a word is judged.
        pooled, pooled_advice: of all pathologies together; of no account where these are not several.
        without: pathologies of which nothing is said; then nothing is said of all of them together either.
    """
    known = {p.name: p for p in phrases}
    by_topic = {a.topic: a for a in advices}
    used = sorted((r for r in reliabilities if r.n > 0 and r.topic not in without), key=lambda r: (-r.n, r.topic))
    groups = [_group(r, by_topic.get(r.topic), known, min_n) for r in used]
    if pooled is None or len(pooled.parts) < 2 or any(part.name in without for part in pooled.parts):
        return Judged(tuple(groups), None, known)
    whole = _group(pooled, pooled_advice, known, min_n)
    own = [j for group in groups for j in group.words]
    whole = replace(whole, words=tuple(_unopposed(j, own, known) for j in whole.words))
    shared = {j.name: j for j in whole.words if j.advice is not None}
    return Judged(tuple(_with_shared(group, shared, known) for group in groups), whole, known)


def judge_author(
    analysis: Analysis, phrases: Iterable[Phrase], min_n: float, without: Collection[str] = (), *, advised: bool = True
) -> Judged:
    """All that is said of the words of an author whose part of the analysis this is; the rest is as of :func:`judge`.

    advised: with advice
    """
    pooled = next((r for r in analysis.pooled if r.topic == ALL_TOPICS), None)
    whole = next((a for a in analysis.pooled_advices if a.topic == ALL_TOPICS), None)
    advices = analysis.advices if advised else ()
    return judge(analysis.reliabilities, advices, phrases, min_n, pooled, whole if advised else None, without)


def judge_all(
    reliabilities: Iterable[Reliability],
    advices: Iterable[Advice],
    phrases: Mapping[str, Sequence[Phrase]],
    usual: Sequence[Phrase],
    min_n: float,
) -> dict[tuple[str, str], JudgedGroup]:
    """What is said of every group (author, topic), pooled ones among them.

    Args:
        reliabilities, advices: of all groups, pooled ones included.
        phrases, usual: the meanings of a language model's words, by model; and those of all others.
        min_n: as of :func:`judge`.
    """
    made = {(a.author, a.topic): a for a in advices}
    found: dict[tuple[str, str], JudgedGroup] = {}
    of_author: dict[str, dict[str, Reliability]] = {}
    for r in reliabilities:
        of_author.setdefault(r.author, {})[r.topic] = r
        found[r.author, r.topic] = judged_group(r, made.get((r.author, r.topic)), phrases.get(r.author, usual), min_n)
    # What holds for one set of questions of a model says nothing of another.
    for author in of_author.keys() - {ALL_AUTHORS, *phrases}:
        of_topic = of_author[author]
        pooled = of_topic.pop(ALL_TOPICS, None)
        advised = [made[author, topic] for topic in of_topic if (author, topic) in made]
        judged = judge([*of_topic.values()], advised, usual, min_n, pooled, made.get((author, ALL_TOPICS)))
        groups = judged.groups if judged.pooled is None else (*judged.groups, judged.pooled)
        found |= {(author, group.topic): group for group in groups}
    return found


def word_of(judged: Judged, topic: str, phrase: str) -> JudgedWord:
    """What is said of a word for a pathology, also where it was never used there."""
    group = judged.group(topic)
    found = None if group is None else group.word(phrase)
    if found is not None:
        return found
    known = judged.phrases.get(phrase)
    rate = PhraseRate(phrase, 0.0, 0.0, math.nan, math.nan, math.nan, math.nan if known is None else mean_of(known))
    if known is None:
        return JudgedWord(topic, rate, None, Standing.UNKNOWN)
    shared = next((j for j in judged.in_all if j.name == phrase and j.advice is not None), None)
    if shared is None or (group is not None and _is_closed(group)):
        return JudgedWord(topic, rate, known, Standing.NEVER)
    return JudgedWord(topic, rate, known, Standing.NEVER, shared.advice, ALL_TOPICS)


def judged_group(r: Reliability, advice: Advice | None, phrases: Iterable[Phrase], min_n: float) -> JudgedGroup:
    """What is said of one group by itself, such as all radiologists on a pathology."""
    return _group(r, advice, {p.name: p for p in phrases}, min_n)


def standing(rate: PhraseRate, phrase: Phrase | None, min_n: float) -> Standing:
    """The standing of a word that was used as ``rate`` tells, and is judged from ``min_n`` uses on."""
    if phrase is None:
        return Standing.UNKNOWN
    return Standing.FEW if rate.n < min_n else Standing(rate.verdict)


def may_be_shared(rate: PhraseRate, target: str | None, names: Sequence[str], mean: Array) -> Mask:
    """(K,) whether these words, suggested over all pathologies, do not contradict what was found in one of them.

    Args:
        rate: of the word in that pathology, used often enough to be judged.
        target: the word that the pathology's own statements advise, None if they advise none.
        names, mean: (K,) the words that may be suggested, and what they mean.
    """
    if target is not None:
        return np.array([name == target for name in names])
    if rate.verdict == "matches" or (rate.mean in (0.0, 1.0) and abs(rate.rate - rate.mean) <= PLAIN_TOLERANCE):
        return np.zeros(len(names), dtype=bool)
    nearer: Mask = np.abs(rate.rate - mean) < abs(rate.rate - rate.mean)
    return nearer


def _group(r: Reliability, advice: Advice | None, known: Mapping[str, Phrase], min_n: float) -> JudgedGroup:
    made = {m.source: m for m in advice.recommendations} if advice is not None else {}
    held = {h.phrase: h.reason for h in advice.withheld} if advice is not None else {}
    rest = EMPTY if advice is None or advice.recommendations else Text(advice.reason or r.reason)

    def word(p: PhraseRate) -> JudgedWord:
        phrase = known.get(p.phrase)
        stands = standing(p, phrase, min_n)
        if (found := made.get(p.phrase)) is not None and phrase is not None:
            return JudgedWord(r.topic, p, phrase, stands, found, r.topic)
        why = held.get(p.phrase) or (EMPTY if stands is Standing.MATCHES else rest)
        return JudgedWord(r.topic, p, phrase, stands, why=Text(why))

    words = sorted((p for p in r.phrases if p.n > 0), key=lambda p: (-p.mean, p.phrase))
    return JudgedGroup(r.author, r.topic, r.n, tuple(map(word, words)), advice, r.together)


def _unopposed(j: JudgedWord, own: Sequence[JudgedWord], known: Mapping[str, Phrase]) -> JudgedWord:
    """The word of all pathologies, without advice that one of them contradicts."""
    if j.advice is None or j.closer not in known:
        return j
    mean = np.array([mean_of(known[j.closer])])
    found = [o for o in own if o.name == j.name and (o.decided or o.advice is not None)]
    if all(may_be_shared(o.rate, o.closer or None, [j.closer], mean).all() for o in found):
        return j
    return JudgedWord(j.topic, j.rate, j.phrase, j.standing, why=not_shared())


def _with_shared(group: JudgedGroup, shared: Mapping[str, JudgedWord], known: Mapping[str, Phrase]) -> JudgedGroup:
    """The group with the advice that rests on all pathologies, where its own statements give none and do not oppose."""
    if _is_closed(group):
        return group

    def told(j: JudgedWord) -> JudgedWord:
        advice = shared[j.name].advice if j.advice is None and j.name in shared else None
        if advice is None or abs(j.rate.rate - mean_of(known[advice.target])) > abs(j.rate.rate - j.rate.mean):
            return j
        return JudgedWord(j.topic, j.rate, j.phrase, j.standing, advice, ALL_TOPICS)

    return replace(group, words=tuple(map(told, group.words)))


def _is_closed(group: JudgedGroup) -> bool:
    return group.advice is not None and group.advice.closed


# --- sentences ------------------------------------------------------------------------------------------


def named(phrase: str) -> Text:
    """A word within a sentence: "'likely'", "a plain 'no'"."""
    if phrase == ABSENT:
        return Text("a plain 'no'")
    return Text("a plain statement") if phrase == PRESENT else Text("'{phrase}'", phrase=phrase)


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


def not_shared() -> Text:
    """Why a word keeps its place over all pathologies, though another one is nearer there."""
    return Text("Another word is nearer over all pathologies, but not in each of them: see each one.")


def group_sentence(group: JudgedGroup) -> Text:
    """The sentence at the top of a group: every word that differs, and how many matched or show no clear difference.

    Without advice that rests on all pathologies it is what the group's own advice says of itself.
    """
    advice = group.advice
    if advice is not None and not any(j.pooled for j in group.words):
        said = Text(advice.summary)
    else:
        said = summary(group.topic, group.words, transported=advice is not None and advice.solver != "ordered")
    return joined([said, hedges_together(group)])


def hedges_together(group: JudgedGroup) -> Text:
    """That the hedged words were off together, where no single one of them is; '' otherwise."""
    whole = group.together
    if whole is None or whole.verdict == "undecided" or any(j.differs and 0 < j.rate.mean < 1 for j in group.words):
        return EMPTY
    half = normal_quantile(0.95) * whole.deviation
    figures = Text(
        "they mean {stated} on average, but {rate} of {n:,} were confirmed ({range}; {sure} sure)",
        stated=percent(whole.stated),
        rate=percent(whole.rate),
        n=round(whole.n),
        range=percent_range(max(whole.expected - half, 0.0), min(whole.expected + half, 1.0)),
        sure=certain(whole.probability),
    )
    if whole.verdict == "stronger":
        every = Text("Taken together, all hedged words claimed too much: {figures}.")
        some = Text("Taken together, the hedged words for {topic} claimed too much: {figures}.")
    else:
        every = Text("Taken together, all hedged words claimed too little: {figures}.")
        some = Text("Taken together, the hedged words for {topic} claimed too little: {figures}.")
    of = every if group.topic == ALL_TOPICS else some
    return of.with_values(topic=Text(group.topic), figures=figures)


def summary(topic: str, words: Sequence[JudgedWord], *, transported: bool = False) -> Text:
    """One sentence on the words of a topic that were used often enough.

    Args:
        topic: the pathology, or all of them.
        transported: words are advised by a transport plan, which need not bring them closer.
    """
    decided = [j for j in words if j.decided]
    parts = _differences([j for j in decided if j.differs], lambda j: named(j.name))
    closer = [named(j.name) for j in decided if j.advice is not None and not j.differs]
    if closer and transported:
        parts.append(Text("the transport plan replaces {words}", words=listed(few_of(closer))))
    elif closer:
        one, many = (
            Text("a word other than {words} would have been closer"),
            Text("words other than {words} would have been closer"),
        )
        parts.append((one if len(closer) == 1 else many).with_values(words=listed(few_of(closer))))
    matching = [j for j in decided if j.matches and j.advice is None]
    if len(matching) == 1:
        parts.append(Text("{word} matched what {reference} showed", word=named(matching[0].name), reference=CT))
    elif matching:
        parts.append(_matched(len(matching)))
    undecided = [j for j in decided if j.standing is Standing.UNDECIDED and j.advice is None]
    if undecided:
        parts.append(
            Text(
                "{n} other word shows no clear difference",
                many="{n} other words show no clear difference",
                n=len(undecided),
            )
            if parts
            else Text(
                "{n} word shows no clear difference from what {reference} showed",
                many="{n} words show no clear difference from what {reference} showed",
                n=len(undecided),
                reference=CT,
            )
        )
    if not parts:
        parts.append(Text("no word was used often enough to be judged"))
    if topic == ALL_TOPICS:
        return Text("Across all pathologies, {parts}.", parts=joined(parts, "; "))
    return Text("For {topic}, {parts}.", topic=Text(topic), parts=joined(parts, "; "))


def few_of(words: list[Text]) -> list[Text]:
    """The words, those beyond three as their number."""
    return words if len(words) <= 4 else [*words[:3], Text("{n} others", n=len(words) - 3)]


def _differences(words: Sequence[JudgedWord], name: Callable[[JudgedWord], Text]) -> list[Text]:
    """How CT saw words that differ, those that differ alike together; words against the finding first."""
    ways: dict[tuple[bool, bool], list[Text]] = {}
    for j in words:
        ways.setdefault((not j.against, j.standing is Standing.ABOVE), []).append(name(j))
    return [_difference(alike, against=not way[0], below=not way[1]) for way, alike in sorted(ways.items())]


def _difference(words: list[Text], *, against: bool, below: bool) -> Text:
    """How CT saw words that differ alike; of words against a finding, how often CT found it."""
    match against, below:
        case True, True:
            one = Text("{reference} found it less often than {words} says")
            many = Text("{reference} found it less often than {words} say")
        case True, False:
            one = Text("{reference} found it more often than {words} says")
            many = Text("{reference} found it more often than {words} say")
        case False, True:
            one = Text("{words} was stronger than {reference} supported")
            many = Text("{words} were stronger than {reference} supported")
        case _:
            one = Text("{words} was weaker than {reference} supported")
            many = Text("{words} were weaker than {reference} supported")
    return (one if len(words) == 1 else many).with_values(words=listed(words), reference=CT)


def sentences(words: Sequence[JudgedWord]) -> list[Text]:
    """How CT saw the words of one topic that differ, one sentence for each way."""
    off = _differences([j for j in words if j.differs], lambda j: named(j.name))
    return [Text("{difference!c}.", difference=difference) for difference in off]


def differences(words: Sequence[JudgedWord]) -> Text:
    """The words of several topics that differ, as in "'likely' for edema was stronger than CT supported"."""
    off = [j for j in words if j.differs]
    ways = _differences(
        [j for j in off if not j.against],
        lambda j: Text("{word} for {topic}", word=named(j.name), topic=Text(j.topic)),
    )
    return _enumerated([*ways, *map(_found, (j for j in off if j.against))])


def _found(j: JudgedWord) -> Text:
    values = {"topic": Text(j.topic), "word": named(j.name), "reference": CT}
    if j.standing is Standing.BELOW:
        return Text("{reference} found {topic} less often than {word} says", **values)
    return Text("{reference} found {topic} more often than {word} says", **values)


def _enumerated(parts: Sequence[Text]) -> Text:
    """An enumeration of parts that may hold "and" themselves."""
    if len(parts) < 2:
        return joined(parts)
    if len(parts) == 2:
        return Text("{first}, and {last}", first=parts[0], last=parts[1])
    return Text("{some}; and {last}", some=joined(parts[:-1], "; "), last=parts[-1])


def author_sentences(judged: Judged, min_n: int) -> Text:
    """Which words differ pathology by pathology, how many of the others matched, and what hedges come to together.

    Words are counted for each pathology; those that differ are named while they are few.
    """
    groups = judged.groups if judged.pooled is None or not hedges_together(judged.pooled) else (judged.pooled,)
    of_all = islice(filter(None, map(hedges_together, groups)), MOST_NAMED)
    return joined([_pathology_by_pathology(judged, min_n), *of_all])


def _pathology_by_pathology(judged: Judged, min_n: int) -> Text:
    if not judged.groups:
        return Text("No statement could be compared with a CT yet.")
    n, of = round(sum(group.n for group in judged.groups)), len(judged.groups)
    across = Text(
        "{statements} in {pathologies}",
        statements=Text("{n:,} statement", many="{n:,} statements", n=n),
        pathologies=Text("{n} pathology", many="{n} pathologies", n=of),
    )
    decided = [j for j in judged.words if j.decided]
    off = [j for j in decided if j.differs]
    if not off and (together := [j for j in judged.in_all if j.differs]):
        return Text(
            "Across {across} together, {differences}; for no single pathology is that shown yet.",
            across=across,
            differences=_enumerated(_differences(together, lambda j: named(j.name))),
        )
    if not decided:
        return Text(
            "Not enough data yet to judge a word for a single pathology: {across}, and none was used {n} times there.",
            across=across,
            n=str(min_n),
        )
    rest = _rest([j for j in decided if not j.differs])
    if not off:
        return Text("Across {across}, no single word clearly differed from CT; {rest}.", across=across, rest=rest)
    if len(off) <= MOST_NAMED:
        shown = differences(off)
    else:
        shown = Text(
            "{n} of {total} words used often enough to judge differ from CT", n=str(len(off)), total=str(len(decided))
        )
    if not rest:
        return Text("Across {across}, {differences}.", across=across, differences=shown)
    return Text("Across {across}, {differences}; {rest}.", across=across, differences=shown, rest=rest)


def together_sentence(judged: Judged) -> Text:
    """How the words stand over all pathologies together; '' where these are not several, or no word can be judged."""
    if not any(j.decided for j in judged.in_all):
        return EMPTY
    return summary(ALL_TOPICS, judged.in_all)


def _matched(n: int) -> Text:
    return Text(
        "{n} word matched what {reference} showed", many="{n} words matched what {reference} showed", n=n, reference=CT
    )


def _rest(words: Sequence[JudgedWord]) -> Text:
    """How many words matched, have a closer one, and are undecided; '' if none.

    As in "5 words matched what CT showed, for 3 a closer word is known, and 2 are undecided".
    """
    closer = sum(j.advice is not None for j in words)
    matching = sum(j.matches and j.advice is None for j in words)
    undecided = len(words) - closer - matching
    parts = []
    if matching:
        parts.append(_matched(matching))
    if closer and parts:
        parts.append(Text("for {n} a closer word is known", n=closer))
    elif closer:
        parts.append(Text("for {n} word a closer one is known", many="for {n} words a closer one is known", n=closer))
    if undecided and parts:
        parts.append(Text("{n} is undecided", many="{n} are undecided", n=undecided))
    elif undecided:
        parts.append(Text("{n} word is undecided", many="{n} words are undecided", n=undecided))
    if len(parts) < 3:
        return listed(parts)
    return Text("{some}, and {last}", some=joined(parts[:2], ", "), last=parts[2])


def closer_known(j: JudgedWord) -> Text:
    """That a closer word is known, beside a verdict that does not say so; '' without advice."""
    if j.advice is None:
        return EMPTY
    values = {"word": named(j.closer)}
    if j.pooled:
        return Text("A closer word is known, over all pathologies: {word}.", **values)
    return Text("A closer word is known: {word}.", **values)


def instead(advice: Recommendation) -> Text:
    """A change in short: "'likely' → 'may represent'"."""
    return Text("{word} → {other}", word=named(advice.source), other=named(advice.target))
