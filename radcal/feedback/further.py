"""What follows the two sheets of an author's pages, where that is asked for: every pathology, and all examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord
from radcal.advice.said import closer, of_group
from radcal.calibration.groups import hedged_uses
from radcal.calibration.records import OthersRate, PhraseRate, Reliability, Wording
from radcal.calibration.verified import share_told
from radcal.feedback import diagrams
from radcal.feedback.explaining import explained
from radcal.feedback.records import Example, FeedbackInput, PageChoice
from radcal.feedback.shared_sentences import not_alike, of_phrase, pooled_sentences, shares
from radcal.system.coarse import FEWEST
from radcal.system.files import Json
from radcal.system.language.catalogue import Language
from radcal.system.selection import Days
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import Text, begun
from radcal.words.confirmations import silent_ct

LEAST_APART = 0.02
"""A rate weighted to all statements that lies nearer to the other one is not worth a word."""
CERTAIN = 0.05
"""An outcome this near to 0 or 1 leaves no doubt worth a word."""
MOST_ROWS = 30
"""Rows of a table that fit on a page beside a diagram."""
LONG_PHRASE = 24
"""Characters of a phrase from which it wants more room than there is beside a diagram."""
LONG_EXAMPLE = 1500
"""Characters from which an example may be split over two pages."""


def further(
    data: FeedbackInput,
    used: Sequence[Reliability],
    judged: Judged,
    settings: Settings,
    choice: PageChoice,
    w: Language,
    *,
    full: bool,
) -> Json:
    """All pathologies together and one by one, the other readers, and all examples.

    Args:
        data: as far as it was chosen;  used: its pathologies, in the order of ``judged``
        full: without it, there are but the other readers, which are chosen by themselves
    """
    in_full = full and choice.diagrams
    drawn = [
        _pathology(r, group, data, settings, w)
        for r, group in zip(used, judged.groups, strict=True)
        if in_full and r.curve is not None
    ]
    pooled = data.pooled if judged.pooled is not None else None
    others = _others(data.others, used, settings.min_phrase_n, w) if choice.comparison else []
    least = str(settings.min_phrase_n)
    no_others = w.say(
        "Not enough data yet: a word is shown here that you used {n} times for a pathology, and that at least {k} "
        "other readers used for it {k} times each.",
        n=least,
        k=str(FEWEST),
    )
    return {
        "together": _together(pooled, judged, data, settings, w) if in_full and pooled is not None else None,
        "pathologies": drawn,
        "others": others,
        "others_note": no_others if choice.comparison and not others else "",
        "others_told": [told["text"] for told in explained("others", w, {}, n=least, k=str(FEWEST))] if others else [],
        "examples": [example_of(e, w) for e in data.examples] if full and choice.examples else [],
        "examples_note": w.say(
            "The latest sentences with each of these words, first those for which another word would have been "
            "closer: they are no fair sample."
        ),
    }


def topic_name(topic: str, w: Language) -> str:
    """A pathology as a heading: in the language of the pages, with a capital letter."""
    return begun(w.say("all pathologies") if topic == ALL_TOPICS else w.pathology(topic))


def short_name(topic: str, w: Language) -> str:
    """As :func:`topic_name`, without the English name beside that of another language."""
    return begun(w.say("all pathologies") if topic == ALL_TOPICS else w.write(Text(topic)))


def is_in_part(p: PhraseRate) -> bool:
    """Whether statements count partially because CT hedged too."""
    return abs(p.positives - round(p.positives)) > 1e-9


def with_errors(rate: PhraseRate, w: Language) -> str:
    """A word's rate with the errors of reading; '' where none are carried on."""
    if rate.read_rate is None or rate.read_low is None or rate.read_high is None:
        return ""
    return w.say("With reading errors {rate}.", rate=w.rate(rate.read_rate, rate.read_low, rate.read_high))


def word_error(r: Reliability, w: Language) -> str:
    """How far hedged words lie from their meaning, against what luck alone gives; '' where that is not known."""
    if r.word_error is None:
        return ""
    distance = _points(r.word_error, r.word_error_low, r.word_error_high, w)
    if r.read_word_error is not None:
        read = _points(r.read_word_error, r.read_word_error_low, r.read_word_error_high, w)
        distance = w.say("{distance} (with reading errors {read})", distance=distance, read=read)
    said = [w.say("On average your hedged words missed their meaning by {distance} points.", distance=distance)]
    if r.luck_word_mean is not None and r.luck_word_p95 is not None:
        luck = {"mean": w.number(100 * r.luck_word_mean), "high": w.number(100 * r.luck_word_p95)}
        said.append(w.say("Chance alone gives about {mean}, up to {high}.", **luck))
        if r.word_error <= r.luck_word_p95:
            said.append(w.say("That is not enough to call it a difference."))
    return " ".join(said)


def _points(value: float, low: float | None, high: float | None, w: Language) -> str:
    """Such as "12 (1-18)"."""
    middle = w.number(100 * value)
    return middle if low is None or high is None else f"{middle} {w.spread(low, high)}"


def _others(others: Sequence[OthersRate], used: Sequence[Reliability], fewest: int, w: Language) -> list[Json]:
    """The words the author used ``fewest`` times or more, beside all other readers' combined."""
    theirs = {(o.topic, o.rate.phrase): o for o in others}
    return [
        {
            "topic": w.pathology(r.topic),
            "phrase": p.phrase,
            "n": w.count(p.n),
            "rate": w.percent(p.rate),
            "spread": w.spread(p.low, p.high),
            "readers": w.count(o.readers),
            "others_n": w.banded(o.rate.n),
            "others_rate": w.percent(o.rate.rate),
            "others_spread": w.spread(o.rate.low, o.rate.high),
        }
        for r in used
        for p in sorted(r.phrases, key=lambda p: -p.mean)
        if p.n >= fewest and (o := theirs.get((r.topic, p.phrase)))
    ]


def _share(r: Reliability | None, days: Days, settings: Settings, w: Language) -> str:
    """On how many of all statements a CT decided; '' where that is not known, as of some days alone."""
    if r is None or r.verification is None or days.are_limited:
        return ""
    return w.write(share_told(r.verification, settings.window_hours))


def _of_all(r: Reliability, phrase: str, days: Days, w: Language) -> str:
    """The rate of a word weighted to all uses, with and without a CT, where it differs by two percentage points."""
    verified = () if r.verification is None or days.are_limited else r.verification.rates
    found = next((v for v in verified if v.phrase == phrase), None)
    if (
        found is None
        or found.weighted is None
        or abs(found.weighted.value - found.positives / found.judged) < LEAST_APART
    ):
        return ""
    return w.say("Weighted to all uses, with and without a CT, {rate}.", rate=w.rate(*found.weighted))


def in_words(wordings: Sequence[Wording], topic: str, phrase: str, w: Language) -> str:
    """The author's own words with their counts, if they differ from the phrase's name."""
    own = of_phrase(wordings, topic, phrase)
    return w.say("In your words: {words}.", words=shares(own, w)) if own else ""


def _below(r: Reliability, data: FeedbackInput, j: JudgedWord, w: Language) -> str:
    """The line below a word: a closer one, its rate with errors and without a CT, and the author's own words."""
    nearer, of_all = w.write(closer(j)), _of_all(r, j.name, data.days, w)
    written = in_words(data.wordings, j.topic, j.name, w)
    return " ".join(filter(None, (nearer, with_errors(j.rate, w), of_all, written)))


def _row(j: JudgedWord, w: Language) -> Json:
    p = j.rate
    return {
        "phrase": p.phrase,
        "n": w.count(p.n),
        "confirmed": w.part(p.positives, p.n),
        "rate": w.percent(p.rate),
        "spread": w.spread(p.low, p.high, j.decimals),
        "meaning": w.percent_range(*j.meaning) if j.meaning else w.say("not in the list"),
        "plot": diagrams.interval(p, j.phrase) | {"shape": diagrams.shape(j)},
        "differs": j.differs,
    }


def _together(r: Reliability, judged: Judged, data: FeedbackInput, settings: Settings, w: Language) -> Json:
    """All pathologies together, as one of them."""
    assert judged.pooled is not None, "asked for only where there are several"  # noqa: S101 - a contract inside the package
    made = _pathology(r, judged.pooled, data, settings, w)
    head = w.say(
        "{statements} in {pathologies}",
        statements=w.counted(r.n, "{n} finding", "{n} findings"),
        pathologies=w.counted(len(r.parts), "{n} pathology", "{n} pathologies"),
    )
    return made | {"head": head, "notes": [*pooled_sentences(r, w, own=True), *made["notes"]]}


def _pathology(r: Reliability, group: JudgedGroup, data: FeedbackInput, settings: Settings, w: Language) -> Json:
    rows, topic = group.words, topic_name(r.topic, w)
    notes = [w.write(of_group(group, own=True).whole)]
    notes += filter(None, (not_alike(of_phrase(data.wordings, r.topic, j.name), w) for j in rows))
    return {
        "topic": topic,
        "head": f"{topic}, {w.counted(r.n, '{n} finding', '{n} findings')}",
        "long": len(rows) > MOST_ROWS or any(len(j.name) >= LONG_PHRASE for j in rows),
        # Without a curve a diagram would show no more than the table.
        "diagram": diagrams.reliability(replace(r, topic=topic), w)
        if r.curve is not None and hedged_uses(r.phrases) >= settings.min_phrase_n
        else None,
        "caption": " ".join(filter(None, (_caption(r, settings, w), _share(r, data.days, settings, w)))),
        "rows": [_row(j, w) | {"written": _below(r, data, j, w)} for j in rows],
        "notes": notes,
    }


def _caption(r: Reliability, settings: Settings, w: Language) -> str:
    """The word error with its luck band, and what lies outside the curve."""
    sentences = []
    hedged = hedged_uses(r.phrases)
    if 0 < hedged < settings.min_phrase_n:
        few = w.counted(hedged, "{n} hedged finding", "{n} hedged findings")
        sentences.append(
            w.say("{statements}; a curve of them needs {n}.", statements=few, n=str(settings.min_phrase_n))
        )
    elif hedged:
        sentences.append(word_error(r, w))
    else:
        sentences.append(w.say("No hedged words."))
    plain = [f"{w.quoted(p.phrase)} {w.percent(p.n / r.n)}" for p in r.phrases if p.n > 0 and p.mean in (0.0, 1.0)]
    if plain:
        sentences.append(w.say("Plain statements: {shares} of all.", shares=w.listed(plain)))
    return " ".join(filter(None, sentences))


def _ct_says(outcome: float, w: Language) -> str:
    """Whether CT shows the finding, with a mark; where CT hedges, for how much the statement counts."""
    if outcome >= 1 - CERTAIN:
        return f"\u25cf {w.say('CT shows it')}"
    if outcome <= CERTAIN:
        return f"\u25cb {w.say('CT does not show it')}"
    return f"\u25ca {w.say('CT hedges too: counts as {share}', share=w.percent(outcome))}"


def example_of(e: Example, w: Language) -> Json:
    """The sentence in three parts, certainty words in the middle."""
    start, end = e.cue_start, e.cue_end
    if not 0 <= start < end <= len(e.xray_sentence):
        start = end = len(e.xray_sentence)
    return {
        "topic": short_name(e.topic, w),
        "phrase": w.quoted(e.phrase),
        "day": w.day(e.day) if e.day else "",
        "before": e.xray_sentence[:start],
        "cue": e.xray_sentence[start:end],
        "after": e.xray_sentence[end:],
        "ct": e.ct_sentence or w.write(silent_ct(e.topic, e.silence)),
        "silent": not e.ct_sentence,
        "ct_says": _ct_says(e.outcome, w),
        "long": len(e.xray_sentence) + len(e.ct_sentence) >= LONG_EXAMPLE,
    }
