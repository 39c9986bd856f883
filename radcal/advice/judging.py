"""Where each word of an author stands against CT, made once for all that say so.

A suggestion over all pathologies stands where no pathology says otherwise of the same word, and holds for every one of
them: it is what the author is told of a word in a pathology whose own statements give no advice, unless what CT showed
there, seldom as it was said, lies nearer to the word itself.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord, Standing
from radcal.advice.wording import not_shared
from radcal.calibration.records import ALL_AUTHORS, PhraseRate
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY, Text
from radcal.words.phrases import PLAIN_TOLERANCE, mean_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advice.records import Advice
    from radcal.advice.stored_analysis import Analysis
    from radcal.calibration.records import Reliability
    from radcal.words.records import Phrase

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]


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
        return Judged(tuple(groups), None, known, min_n)
    whole = _group(pooled, pooled_advice, known, min_n)
    own = [j for group in groups for j in group.words]
    whole = replace(whole, words=tuple(_unopposed(j, own, known) for j in whole.words))
    shared = {j.name: j for j in whole.words if j.advice is not None}
    return Judged(tuple(_with_shared(group, shared, known) for group in groups), whole, known, min_n)


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
        words, of_model = phrases.get(r.author, usual), r.author in phrases
        advice = made.get((r.author, r.topic))
        found[r.author, r.topic] = judged_group(r, advice, words, min_n, of_model=of_model)
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
    if shared is None or (group is not None and group.describes):
        return JudgedWord(topic, rate, known, Standing.NEVER)
    return JudgedWord(topic, rate, known, Standing.NEVER, shared.advice, ALL_TOPICS)


def judged_group(
    r: Reliability, advice: Advice | None, phrases: Iterable[Phrase], min_n: float, *, of_model: bool = False
) -> JudgedGroup:
    """What is said of one group by itself, such as all radiologists on a pathology."""
    return replace(_group(r, advice, {p.name: p for p in phrases}, min_n), of_model=of_model)


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
    transported = advice is not None and advice.solver != "ordered"
    rest = EMPTY if advice is None or advice.recommendations else Text(advice.reason or r.reason)

    def word(p: PhraseRate) -> JudgedWord:
        phrase = known.get(p.phrase)
        stands = standing(p, phrase, min_n)
        if (found := made.get(p.phrase)) is not None and phrase is not None:
            return JudgedWord(r.topic, p, phrase, stands, found, r.topic, transported=transported)
        why = held.get(p.phrase) or (EMPTY if stands is Standing.MATCHES else rest)
        return JudgedWord(r.topic, p, phrase, stands, why=Text(why), opposed=advice is not None and advice.closed)

    words = sorted((p for p in r.phrases if p.n > 0), key=lambda p: (-p.mean, p.phrase))
    return JudgedGroup(r.author, r.topic, r.n, tuple(map(word, words)), advice, r.together, min_n)


def _unopposed(j: JudgedWord, own: Sequence[JudgedWord], known: Mapping[str, Phrase]) -> JudgedWord:
    """The word of all pathologies, without advice that one of them contradicts; opposed if one says otherwise."""
    if j.advice is None or j.closer not in known:
        return replace(j, opposed=any(o.name == j.name and (o.differs or o.advice is not None) for o in own))
    mean = np.array([mean_of(known[j.closer])])
    found = [o for o in own if o.name == j.name and (o.decided or o.advice is not None)]
    if all(may_be_shared(o.rate, o.closer or None, [j.closer], mean).all() for o in found):
        return j
    return JudgedWord(j.topic, j.rate, j.phrase, j.standing, why=not_shared())


def _with_shared(group: JudgedGroup, shared: Mapping[str, JudgedWord], known: Mapping[str, Phrase]) -> JudgedGroup:
    """The group with the advice that rests on all pathologies, where its own statements give none and do not oppose."""
    if group.describes:
        return group

    def told(j: JudgedWord) -> JudgedWord:
        advice = shared[j.name].advice if j.advice is None and j.name in shared else None
        if advice is None or abs(j.rate.rate - mean_of(known[advice.target])) > abs(j.rate.rate - j.rate.mean):
            return j
        return JudgedWord(j.topic, j.rate, j.phrase, j.standing, advice, ALL_TOPICS)

    return replace(group, words=tuple(map(told, group.words)))
