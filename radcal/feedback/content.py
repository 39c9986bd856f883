"""The content of one author's pages, independent of format.

The result is a JSON-able object of sentences, numbers in words and series for diagrams; the templates in
resources/typst lay it out.  Everything comes from the author's own :class:`FeedbackInput`, so that no peer
can appear on the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord
from radcal.advice.judging import (
    author_sentences,
    closer_known,
    instead,
    judge,
    sentences,
    together_sentence,
)
from radcal.feedback import diagrams
from radcal.feedback.explaining import limits, provenance_rows, read_by, reading
from radcal.feedback.records import Example, FeedbackInput, PageChoice
from radcal.feedback.shared_sentences import not_alike, of_phrase, pooled_sentences, shares
from radcal.reliability.groups import hedged_uses
from radcal.reliability.records import SURE, OthersRate, PhraseRate, Reliability, Wording
from radcal.reliability.verified import share_told
from radcal.reliability.vocabulary_use import about_vocabulary
from radcal.system.coarse import FEWEST
from radcal.system.files import Json
from radcal.system.language.catalogue import Language, language
from radcal.system.selection import Days
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import begun
from radcal.words.confirmations import silent_ct
from radcal.words.phrases import PLAIN_TOLERANCE, has_few_answers

# --- figures of errors in sentences: of reading, and how far words lie from their meaning


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
    if r.luck_word_mean is None or r.luck_word_p95 is None:
        return w.say("Hedged words lie {distance} from what readers take them to mean, on average.", distance=distance)
    return w.say(
        "Hedged words lie {distance} from what readers take them to mean, on average; those of a perfectly calibrated "
        "reader would lie {mean} away, up to {high}.",
        distance=distance,
        mean=w.error(r.luck_word_mean),
        high=w.error(r.luck_word_p95),
    )


MOST_RECOMMENDATIONS = 3
MOST_GOOD_WORDS = 8
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
NO_WORDS: Json = {"rows": [], "more": "", "none": ""}
EVERYTHING = PageChoice()
_PARAGRAPHS = re.compile(r"\s*\n\s*\n\s*")


def judge_input(data: FeedbackInput, min_n: float, choice: PageChoice = EVERYTHING) -> Judged:
    """What the pages of an author say of the words, as far as it was chosen; the rest is as of :func:`judge`."""
    # An advice without its suggestions has nothing to tell but why there are none, which would then be untrue.
    advices, of_all = (data.advices, data.pooled_advice) if choice.recommendations else ((), None)
    return judge(data.reliabilities, advices, data.phrases, min_n, data.pooled, of_all, choice.without)


def personal_content(
    data: FeedbackInput, settings: Settings, choice: PageChoice = EVERYTHING, w: Language | None = None
) -> Json:
    """The content of one author's pages, as far as it was chosen, in the words of a language (English).

    What is left out leaves no trace in sums, summaries or explanations, and the page says that it was left out.
    """
    w = w or language()
    topics = {r.topic for r in data.reliabilities if r.n > 0}
    left_out = sorted(map(w.pathology, topics.intersection(choice.without)))
    nothing_left = bool(topics) and len(left_out) == len(topics)
    none = _nothing(w, left=nothing_left, in_days=data.days.are_limited and not topics)
    judged = judge_input(data, settings.min_phrase_n, choice)
    data = _chosen(data, choice)
    used = [r for group in judged.groups for r in data.reliabilities if r.topic == group.topic]
    when = w.days_chosen(data.days) or w.date_range(data.provenance.first_exam, data.provenance.last_exam)
    in_full = choice.diagrams
    pathologies = []
    for r, group in zip(used, judged.groups, strict=True):
        if in_full and r.curve is not None:
            pathologies.append(_pathology(r, group, data, settings, w))
    recommendations, note = _recommendations(judged, data, settings, w)
    pooled = data.pooled if judged.pooled is not None else None
    together = _together(pooled, judged, data, settings, w) if in_full and pooled is not None else None
    others = _others(data.others, used, settings.min_phrase_n, w) if choice.comparison else []
    no_others = w.say(
        "Not enough data yet: a word is shown here that you used {n} times for a pathology, and that at least {k} "
        "other readers used for it {k} times each.",
        n=str(settings.min_phrase_n),
        k=str(FEWEST),
    )
    differing = _differing(judged, w)
    good = NO_WORDS if nothing_left else _good(judged, settings, w, in_full=in_full)
    return {
        "title": w.say("Your certainty words, checked against CT"),
        "name": data.known_as,
        "meta": _meta(used, when, settings, w, limited=data.days.are_limited),
        "left_out": _left_out([w.say("all pathologies")] if nothing_left else left_out, choice, w),
        "letter": [part for part in _PARAGRAPHS.split(choice.note.strip()) if part],
        "footer": " · ".join(filter(None, (data.known_as, when, read_by(data.provenance, w)))),
        "summary": none or w.write(author_sentences(judged, settings.min_phrase_n)),
        "summary_note": _summary_note(judged, pooled, data.days, settings, w) if used else "",
        "suggestions": choice.recommendations,
        "recommendations": recommendations if choice.recommendations else [],
        "recommendations_note": note if choice.recommendations else "",
        "differing": differing,
        "good": good,
        "together": together,
        # It counts all pathologies, and what was left out is to leave no trace.
        "vocabulary": "" if left_out else about_vocabulary(data.vocabulary, w),
        "pathologies": pathologies,
        "few": [_few(r, w) for r in used if r.curve is None] if in_full else [],
        "few_note": w.say("A curve needs {n} statements on one pathology.", n=str(settings.min_group_n)),
        "others": others,
        "others_note": no_others if choice.comparison and not others else "",
        "examples": [_example(e, w) for e in data.examples] if choice.examples else [],
        "examples_note": w.say(
            "The latest sentences with each of these words, first those for which another word would have been "
            "closer: they are no fair sample."
        ),
        "reading": reading(
            settings,
            w,
            data.days,
            table=bool(together or pathologies or good["rows"]),
            in_parts=any(_is_in_part(p) for r in used for p in r.phrases),
            diagram=any(p["diagram"] for p in ([together] if together else []) + pathologies),
            advice=choice.recommendations and bool(recommendations),
            others=bool(others),
        ),
        "limits": limits(data.provenance, settings, w, data.unread),
        "counts": [[begun(w.write(what)), w.count(n)] for what, n in data.counts.items()],
        "provenance": provenance_rows(data.provenance, settings, w, data.days),
    }


def _chosen(data: FeedbackInput, choice: PageChoice) -> FeedbackInput:
    """The input without deselected pathologies."""
    without = frozenset(choice.without)
    return replace(
        data,
        reliabilities=tuple(r for r in data.reliabilities if r.topic not in without),
        examples=tuple(e for e in data.examples if e.topic not in without),
        others=tuple(o for o in data.others if o.topic not in without),
        wordings=tuple(o for o in data.wordings if o.topic not in without),
    )


def _topic(topic: str, w: Language) -> str:
    """A pathology as a heading: in the language of the pages; all of them with a capital letter."""
    return begun(w.say("all pathologies")) if topic == ALL_TOPICS else w.pathology(topic)


def _is_in_part(p: PhraseRate) -> bool:
    """Whether statements count partially because CT hedged too."""
    return abs(p.positives - round(p.positives)) > 1e-9


def _nothing(w: Language, *, left: bool, in_days: bool) -> str:
    """Why the pages have no results on words, other than lack of reports."""
    if left:
        return w.say("Every pathology was left out of these pages, so that they say nothing about words.")
    return w.say("Not enough data: no statement of these days could be compared with a CT.") if in_days else ""


def _left_out(topics: Sequence[str], choice: PageChoice, w: Language) -> str:
    """What was deselected, so that the pages are not taken as complete; '' if nothing."""
    parts = [
        *topics,
        *([w.say("the suggestions")] if not choice.recommendations else []),
        *([w.say("diagrams and tables of each pathology")] if not choice.diagrams else []),
        *([w.say("example sentences")] if not choice.examples else []),
    ]
    return w.say("Left out of these pages by choice: {parts}.", parts=w.listed(parts)) if parts else ""


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


def _meta(used: Sequence[Reliability], when: str, settings: Settings, w: Language, *, limited: bool) -> str:
    total = sum(r.n for r in used)
    parts = [
        w.counted(total, "{n} statement", "{n} statements"),
        w.counted(len(used), "{n} pathology", "{n} pathologies"),
        w.say("chest X-ray reports followed by a CT within {hours} h", hours=w.hours(settings.window_hours)),
        w.say("days chosen: {days}", days=when) if limited else when,
    ]
    return " · ".join(filter(None, parts))


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


def _summary_note(judged: Judged, pooled: Reliability | None, days: Days, settings: Settings, w: Language) -> str:
    """How far all hedged words lie from their meaning, and what the summary's terms mean."""
    if not any(j.decided for j in judged.words):
        return w.write(together_sentence(judged))  # the summary says the rest
    parts = [w.write(together_sentence(judged)), word_error(pooled, w)] if pooled is not None else []
    parts.append(_share(pooled, days, settings, w))
    parts.append(w.say("Words are counted for each pathology."))
    parts.append(
        w.say(
            "A word matched CT if its true rate lies in the range that readers take it to mean, and differs if it lies "
            "outside, each said if it is {sure} sure; a plain statement may be {tolerance} percentage points from "
            "always or never. Otherwise it is undecided: more uses would tell.",
            sure=w.sure(SURE),
            tolerance=f"{100 * PLAIN_TOLERANCE:g}",
        )
    )
    few = sum(not j.decided for j in judged.words)
    if few:
        parts.append(
            w.say(
                "{n} word used fewer than {enough} times for a pathology is not judged.",
                many="{n} words used fewer than {enough} times for a pathology are not judged.",
                n=few,
                enough=str(settings.min_phrase_n),
            )
        )
    return " ".join(filter(None, parts))


def _recommendations(judged: Judged, data: FeedbackInput, settings: Settings, w: Language) -> tuple[list[Json], str]:
    """Those on single pathologies first, and of these and the others those that affect most statements most.

    And a sentence that names the rest or says that there are none.

    A word that has advice for a pathology has no picture of that for all of them.
    """
    every = judged.suggestions
    if not every:
        return [], _no_suggestion(judged, settings, w)
    own = {j.name for j in every if j.topic != ALL_TOPICS}
    kept = [j for j in every if j.topic != ALL_TOPICS or j.name not in own]
    first = sorted(kept, key=lambda j: j.topic == ALL_TOPICS)[:MOST_RECOMMENDATIONS]
    shown = [
        {
            "topic": _topic(j.topic, w),
            "source": j.name,
            "target": j.closer,
            "head": w.say("{topic}: {change}", topic=_topic(j.topic, w), change=w.write(instead(j.advice))),
            "text": w.write(j.advice.text),
            "notes": [*filter(None, (with_errors(j.rate, w), _written(data.wordings, j.topic, j.name, w)))],
            "diagram": diagrams.recommendation(j.advice, judged.phrases, w, j.decimals),
        }
        for j in first
        if j.advice is not None
    ]
    further = [
        w.say(
            "{topic}: {change} ({sure} sure)",
            topic=_topic(j.topic, w),
            change=w.write(instead(j.advice)),
            sure=w.sure(j.advice.sure),
        )
        for j in every
        if j.advice is not None and j not in first
    ]
    if not further:
        return shown, ""
    return shown, w.say("Further suggestions: {suggestions}.", suggestions="; ".join(further))


def _no_suggestion(judged: Judged, settings: Settings, w: Language) -> str:
    """That no change is suggested, and why; where words differ, each has its reason below."""
    if any(j.decided for j in (*judged.words, *judged.in_all)):
        return w.say("No change of words is suggested.")
    return w.say(
        "Not enough data yet: a suggestion needs {uses} uses of a word and {statements} statements on one pathology.",
        uses=str(settings.min_phrase_n),
        statements=str(settings.min_group_n),
    )


def _differing(judged: Judged, w: Language) -> list[Json]:
    """Every word that differs and has no suggestion, with the reason."""
    alike: dict[tuple[str, str], list[str]] = {}
    for j in sorted((*judged.words, *judged.in_all), key=lambda j: (_topic(j.topic, w), -j.rate.n)):
        if j.differs and j.advice is None:
            alike.setdefault((_topic(j.topic, w), w.write(j.why)), []).append(_tally(j, w))
    return [
        {"head": topic, "text": " ".join(filter(None, (w.say("{words}.", words=w.listed(words)), reason)))}
        for (topic, reason), words in alike.items()
    ]


def _tally(j: JudgedWord, w: Language) -> str:
    """A word, how often CT confirmed it, and its meaning: "'likely' 41 of 87 (47 %, 37-57; means 75-90 %)"."""
    p = j.rate
    return w.say(
        "{word} {count} ({share}; means {meaning})",
        word=w.quoted(p.phrase),
        count=w.out_of(p.positives, p.n),
        share=f"{w.percent(p.rate)}, {w.spread(p.low, p.high, j.decimals)[1:-1]}",
        meaning=_meaning(j, w),
    )


def _meaning(j: JudgedWord, w: Language) -> str:
    return w.percent_range(*j.meaning) if j.meaning else w.say("not in the list")


def _held(rows: Sequence[JudgedWord], told: str, w: Language) -> list[str]:
    """Why words that differ have no suggestion, as far as that is not told already."""
    alike: dict[str, list[str]] = {}
    for j in rows:
        if j.differs and j.advice is None:
            alike.setdefault(w.write(j.why), []).append(w.quoted(j.name))
    return [
        w.say("{words}: {reason}", words=w.listed(words), reason=reason)
        for reason, words in alike.items()
        if reason and reason not in told
    ]


def _written(wordings: Sequence[Wording], topic: str, phrase: str, w: Language) -> str:
    """The author's own words with their counts, if they differ from the phrase's name."""
    own = of_phrase(wordings, topic, phrase)
    return w.say("In your words: {words}.", words=shares(own, w)) if own else ""


def _below(r: Reliability, data: FeedbackInput, j: JudgedWord, w: Language) -> str:
    """The line below a word: a closer one, its rate with errors and without a CT, and the author's own words."""
    closer, of_all = "" if j.differs else w.write(closer_known(j)), _of_all(r, j.name, data.days, w)
    written = _written(data.wordings, j.topic, j.name, w)
    return " ".join(filter(None, (closer, with_errors(j.rate, w), of_all, written)))


def _good(judged: Judged, settings: Settings, w: Language, *, in_full: bool) -> Json:
    """Words that matched and have no suggestion, also of all pathologies together.

    Hedges before plain statements, most used first, a pathology before all of them; vague ones last.
    """
    every = (*judged.words, *judged.in_all)
    matched = sorted(
        (j for j in every if j.matches and j.advice is None),
        key=lambda j: (
            _is_vague(j), j.rate.mean in (0.0, 1.0), j.topic == ALL_TOPICS, -j.rate.n, _topic(j.topic, w), j.name
        ),
    )  # fmt: skip
    # One more row takes no more room than the sentence about it.
    shown = matched if len(matched) == MOST_GOOD_WORDS + 1 else matched[:MOST_GOOD_WORDS]
    left = len(matched) - len(shown)
    more = ""
    if left:
        followed = w.say("and {n} more, in the tables that follow", n=str(left))
        more = followed if in_full else w.say("and {n} more", n=str(left))
    if matched:
        none = ""
    elif any(j.matches for j in every):
        none = w.say("Of every word that matched, a closer one is known: see the suggestions.")
    elif any(j.decided for j in every):
        none = w.say("No word is shown to match yet: intervals are wide, or words differ.")
    else:
        none = w.say(
            "Not enough data yet: a word is judged from {n} uses for one pathology.", n=str(settings.min_phrase_n)
        )
    rows = [_row(j, w) | {"topic": _topic(j.topic, w), "written": ""} for j in shown]
    return {"rows": rows, "more": more, "none": none}


def _is_vague(j: JudgedWord) -> bool:
    """Whether little is known of what the word means, so that matching it says little."""
    return j.phrase is not None and has_few_answers(j.phrase)


def _row(j: JudgedWord, w: Language) -> Json:
    p = j.rate
    return {
        "phrase": p.phrase,
        "n": w.count(p.n),
        "confirmed": w.part(p.positives, p.n),
        "rate": w.percent(p.rate),
        "spread": w.spread(p.low, p.high, j.decimals),
        "meaning": _meaning(j, w),
        "plot": diagrams.interval(p, j.phrase) | {"shape": diagrams.shape(j)},
        "differs": j.differs,
    }


def _together(r: Reliability, judged: Judged, data: FeedbackInput, settings: Settings, w: Language) -> Json:
    """All pathologies together, as one of them."""
    assert judged.pooled is not None, "asked for only where there are several"  # noqa: S101 - a contract inside the package
    made = _pathology(r, judged.pooled, data, settings, w)
    head = w.say(
        "{statements} in {pathologies}",
        statements=w.counted(r.n, "{n} statement", "{n} statements"),
        pathologies=w.counted(len(r.parts), "{n} pathology", "{n} pathologies"),
    )
    return made | {"head": head, "notes": [*pooled_sentences(r, w, own=True), *made["notes"]]}


def _pathology(r: Reliability, group: JudgedGroup, data: FeedbackInput, settings: Settings, w: Language) -> Json:
    rows, topic = group.words, _topic(r.topic, w)
    notes = [w.write(sentence) for sentence in sentences(rows)]
    notes += filter(None, (not_alike(of_phrase(data.wordings, r.topic, j.name), w) for j in rows))
    if group.advice is not None:
        told = _changes(group, w) or w.write(group.advice.reason)
        notes += filter(None, (told, *_held(rows, told, w)))
    return {
        "topic": topic,
        "head": f"{topic}, {w.counted(r.n, '{n} statement', '{n} statements')}",
        "long": len(rows) > MOST_ROWS or any(len(j.name) >= LONG_PHRASE for j in rows),
        # Without a curve a diagram would show no more than the table.
        "diagram": diagrams.reliability(replace(r, topic=topic), w)
        if r.curve is not None and hedged_uses(r.phrases) >= settings.min_phrase_n
        else None,
        "caption": " ".join(filter(None, (_caption(r, settings, w), _share(r, data.days, settings, w)))),
        "rows": [_row(j, w) | {"written": _below(r, data, j, w)} for j in rows],
        "notes": notes,
    }


def _changes(group: JudgedGroup, w: Language) -> str:
    """The changes suggested in a group, those of all pathologies marked; '' if there are none."""
    own = [w.write(instead(j.advice)) for j in group.words if j.advice is not None and not j.pooled]
    shared = [w.write(instead(j.advice)) for j in group.words if j.advice is not None and j.pooled]
    parts = [w.say("Suggested: {changes}.", changes=w.listed(own))] if own else []
    if shared:
        parts.append(w.say("Suggested over all pathologies: {changes}.", changes=w.listed(shared)))
    return " ".join(parts)


def _caption(r: Reliability, settings: Settings, w: Language) -> str:
    """The word error with its luck band, and what lies outside the curve."""
    sentences = []
    hedged = hedged_uses(r.phrases)
    if 0 < hedged < settings.min_phrase_n:
        few = w.counted(hedged, "{n} hedged statement", "{n} hedged statements")
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


def _few(r: Reliability, w: Language) -> Json:
    """A pathology without a curve: raw counts."""
    words = [
        w.tied(f"{w.quoted(p.phrase)} {w.out_of(p.positives, p.n)}")
        for p in sorted(r.phrases, key=lambda p: -p.mean)
        if p.n > 0
    ]
    return {"topic": w.pathology(r.topic), "n": w.count(r.n), "words": ", ".join(words)}


def _ct_says(outcome: float, w: Language) -> str:
    """Whether CT shows the finding, with a mark; where CT hedges, for how much the statement counts."""
    if outcome >= 1 - CERTAIN:
        return f"\u25cf {w.say('CT shows it')}"
    if outcome <= CERTAIN:
        return f"\u25cb {w.say('CT does not show it')}"
    return f"\u25ca {w.say('CT hedges too: counts as {share}', share=w.percent(outcome))}"


def _example(e: Example, w: Language) -> Json:
    """The sentence in three parts, certainty words in the middle."""
    start, end = e.cue_start, e.cue_end
    if not 0 <= start < end <= len(e.xray_sentence):
        start = end = len(e.xray_sentence)
    return {
        "topic": w.pathology(e.topic),
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
