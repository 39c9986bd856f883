"""The content of one author's pages, independent of format.

The result is a JSON-able object of sentences, numbers in words and series for diagrams; the templates in
resources/typst lay it out.  Everything comes from the author's own :class:`FeedbackInput`, so that no peer
can appear on the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from radcal.coarse import FEWEST
from radcal.feedback import diagrams
from radcal.feedback.explaining import limits, provenance_rows, read_by, reading
from radcal.feedback.judging import (
    Judged,
    Standing,
    capital,
    error_in_parts,
    judge,
    sentences,
    summary,
    with_errors,
    word_error,
)
from radcal.feedback.vocabulary import about_vocabulary
from radcal.language import Language, language
from radcal.language.together import sentences as sentences_together
from radcal.language.wordings import not_alike, of_phrase, shares
from radcal.lexicon.confirmations import silent_ct
from radcal.lexicon.phrases import PLAIN_TOLERANCE, has_few_answers, hedged_uses
from radcal.records import (
    ALL_TOPICS,
    Advice,
    Example,
    FeedbackInput,
    Json,
    OthersRate,
    PageChoice,
    Phrase,
    PhraseRate,
    Recommendation,
    Reliability,
    Wording,
)
from radcal.settings import Settings

MOST_RECOMMENDATIONS = 3
MOST_GOOD_WORDS = 8
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
    data = _named(_chosen(data, choice), w)
    phrases = {p.name: p for p in data.phrases}
    used = sorted((r for r in data.reliabilities if r.n > 0), key=lambda r: (-r.n, r.topic))
    judged = judge(used, phrases, settings.min_phrase_n)
    when = w.days_chosen(data.days) or w.date_range(data.provenance.first_exam, data.provenance.last_exam)
    in_full = choice.diagrams
    pathologies = (
        [_pathology(r, data, judged, phrases, settings, w) for r in used if r.curve is not None] if in_full else []
    )
    pooled = _pooled(data, choice, w)
    in_all = judge([pooled[0]], phrases, settings.min_phrase_n) if pooled else []
    advices = data.advices + (pooled[1] if pooled else ())
    recommendations, note = _recommendations(advices, data, judged + in_all, phrases, settings, w)
    together = _together(pooled, data, in_all, phrases, settings, w) if in_full and pooled else None
    others = _others(data.others, used, settings.min_phrase_n, w) if choice.comparison else []
    differing = _differing(judged + in_all, advices, w)
    good = NO_WORDS if nothing_left else _good(judged, data.advices, settings, w, in_full=in_full)
    return {
        "title": w.say("Your certainty words, checked against CT"),
        "name": data.known_as,
        "meta": _meta(used, when, settings, w, limited=data.days.are_limited),
        "left_out": _left_out([w.say("all pathologies")] if nothing_left else left_out, choice, w),
        "letter": [part for part in _PARAGRAPHS.split(choice.note.strip()) if part],
        "footer": " · ".join(filter(None, (data.known_as, when, read_by(data.provenance, w)))),
        "summary": none or summary(used, judged, _advised(data.advices), settings.min_phrase_n, w),
        "summary_note": _summary_note(judged, pooled[0] if pooled else None, settings, w) if used else "",
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
        "others_note": _no_others(settings, w) if choice.comparison and not others else "",
        "examples": [_example(e, w) for e in data.examples] if choice.examples else [],
        "examples_note": w.say(
            "The latest sentences with each of these words, first those for which another word would have been "
            "closer: they are no fair sample."
        ),
        "reading": reading(
            settings,
            w,
            with_table=bool(together or pathologies or good["rows"]),
            in_parts=any(_is_in_part(p) for r in used for p in r.phrases),
            with_diagram=any(p["diagram"] for p in ([together] if together else []) + pathologies),
            with_advice=choice.recommendations and bool(recommendations),
            with_others=bool(others),
            days=data.days,
        ),
        "limits": limits(data.provenance, settings, w),
        "counts": [[capital(w.write(what)), w.count(n)] for what, n in data.counts.items()],
        "provenance": provenance_rows(data.provenance, settings, w, data.days),
    }


def _chosen(data: FeedbackInput, choice: PageChoice) -> FeedbackInput:
    """The input without deselected pathologies, and without suggestions if not wanted."""
    without = frozenset(choice.without)
    # Without its suggestions an advice has nothing to tell but why there are none, which would then be untrue.
    advices = data.advices if choice.recommendations else ()
    return replace(
        data,
        reliabilities=tuple(r for r in data.reliabilities if r.topic not in without),
        advices=tuple(a for a in advices if a.topic not in without),
        examples=tuple(e for e in data.examples if e.topic not in without),
        others=tuple(o for o in data.others if o.topic not in without),
        wordings=tuple(o for o in data.wordings if o.topic not in without),
    )


def _named(data: FeedbackInput, w: Language) -> FeedbackInput:
    """The input with the pathologies named in the language of the pages."""
    return replace(
        data,
        reliabilities=tuple(replace(r, topic=w.pathology(r.topic)) for r in data.reliabilities),
        advices=tuple(replace(a, topic=w.pathology(a.topic)) for a in data.advices),
        examples=tuple(replace(e, topic=w.pathology(e.topic)) for e in data.examples),
        others=tuple(replace(o, topic=w.pathology(o.topic)) for o in data.others),
        wordings=tuple(replace(word, topic=w.pathology(word.topic)) for word in data.wordings),
    )


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
            "topic": r.topic,
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


def _no_others(settings: Settings, w: Language) -> str:
    return w.say(
        "Not enough data yet: a word is shown here that you used {n} times for a pathology, and that at least {k} "
        "other readers used for it {k} times each.",
        n=str(settings.min_phrase_n),
        k=str(FEWEST),
    )


def _meta(used: Sequence[Reliability], when: str, settings: Settings, w: Language, *, limited: bool) -> str:
    total = sum(r.n for r in used)
    parts = [
        w.counted(total, "{n} statement", "{n} statements"),
        w.counted(len(used), "{n} pathology", "{n} pathologies"),
        w.say("chest X-ray reports followed by a CT within {hours} h", hours=w.hours(settings.window_hours)),
        w.say("days chosen: {days}", days=when) if limited else when,
    ]
    return " · ".join(filter(None, parts))


def _summary_note(judged: Sequence[Judged], pooled: Reliability | None, settings: Settings, w: Language) -> str:
    """How far all hedged words lie from their meaning, and what the summary's terms mean."""
    if not any(j.decided for j in judged):
        return ""  # the summary says so
    parts = [word_error(pooled, w)] if pooled is not None else []
    parts.append(w.say("Words are counted for each pathology."))
    parts.append(
        w.say(
            "A word agrees if the whole {confidence} interval of its confirmed rate lies in the range that readers "
            "take it to mean, and differs if it lies wholly outside; a plain statement differs if it stays more than "
            "{tolerance} percentage points from always or never. Otherwise it is undecided: more uses would tell.",
            confidence=w.percent(settings.confidence),
            tolerance=f"{100 * PLAIN_TOLERANCE:g}",
        )
    )
    few = sum(not j.decided for j in judged)
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


def _recommendations(
    advices: Sequence[Advice],
    data: FeedbackInput,
    judged: Sequence[Judged],
    phrases: Mapping[str, Phrase],
    settings: Settings,
    w: Language,
) -> tuple[list[Json], str]:
    """Those affecting most statements most, and a sentence that names the rest or says that there are none.

    A word that has advice for a pathology has no picture of that for all of them.
    """
    own = {r.source for a in data.advices for r in a.recommendations}
    topics = {a.topic for a in data.advices}
    decimals = {(j.topic, j.rate.phrase): j.decimals for j in judged}

    def weight(r: Recommendation) -> float:
        """Statements that the change puts right, roughly."""
        return r.share * r.source_rate.n * abs(r.source_rate.rate - r.source_rate.mean)

    every = sorted(
        ((a.topic, r) for a in advices for r in a.recommendations),
        key=lambda at: (-weight(at[1]), at[0], at[1].source),
    )
    if not every:
        return [], _no_suggestion(judged, settings, w)
    first = [(topic, r) for topic, r in every if topic in topics or r.source not in own][:MOST_RECOMMENDATIONS]
    shown = [
        {
            "topic": topic,
            "source": r.source,
            "target": r.target,
            "head": f"{topic}: {w.quoted(r.source)} → {w.quoted(r.target)}",
            "text": w.write(r.text),
            "notes": [
                *filter(None, (with_errors(r.source_rate, w), _written(data.wordings, topic, r.source, w))),
            ],
            "diagram": diagrams.recommendation(r, phrases, w, decimals.get((topic, r.source), (0, 0))),
        }
        for topic, r in first
    ]
    further = [_suggestion(topic, r, w) for topic, r in every if (topic, r) not in first]
    if not further:
        return shown, ""
    return shown, w.say("Further suggestions: {suggestions}.", suggestions="; ".join(further))


def _suggestion(topic: str, r: Recommendation, w: Language) -> str:
    return w.say(
        "{topic}: {word} \u2192 {other} ({sure} sure)",
        topic=topic,
        word=w.quoted(r.source),
        other=w.quoted(r.target),
        sure=w.sure(r.sure),
    )


def _no_suggestion(judged: Sequence[Judged], settings: Settings, w: Language) -> str:
    """That no change is suggested, and why; where words differ, each has its reason below."""
    if any(j.decided for j in judged):
        return w.say("No change of words is suggested.")
    return w.say(
        "Not enough data yet: a suggestion needs {uses} uses of a word and {statements} statements on one pathology.",
        uses=str(settings.min_phrase_n),
        statements=str(settings.min_group_n),
    )


def _advised(advices: Sequence[Advice]) -> set[tuple[str, str]]:
    """The pathologies and words for which another word is suggested."""
    return {(a.topic, r.source) for a in advices for r in a.recommendations}


def _differing(judged: Sequence[Judged], advices: Sequence[Advice], w: Language) -> list[Json]:
    """Every word that differs and has no suggestion, with the reason."""
    by_topic = {a.topic: a for a in advices}
    advised = _advised(advices)
    alike: dict[tuple[str, str], list[str]] = {}
    for j in sorted(judged, key=lambda j: (j.topic, -j.rate.n)):
        if j.differs and (j.topic, j.rate.phrase) not in advised:
            reason = _reason(j.rate.phrase, by_topic.get(j.topic), w)
            alike.setdefault((j.topic, reason), []).append(_tally(j, w))
    return [
        {"head": topic, "text": " ".join(filter(None, (w.say("{words}.", words=w.listed(words)), reason)))}
        for (topic, reason), words in alike.items()
    ]


def _tally(j: Judged, w: Language) -> str:
    """A word, how often CT confirmed it, and its meaning: "'likely' 41 of 87 (47 %, 37-57; means 75-90 %)"."""
    p = j.rate
    return w.say(
        "{word} {count} ({share}; means {meaning})",
        word=w.quoted(p.phrase),
        count=w.out_of(p.positives, p.n),
        share=f"{w.percent(p.rate)}, {w.spread(p.low, p.high, j.decimals)[1:-1]}",
        meaning=_meaning(j, w),
    )


def _meaning(j: Judged, w: Language) -> str:
    return w.percent_range(*j.meaning) if j.meaning else w.say("not in the list")


def _reason(phrase: str, advice: Advice | None, w: Language) -> str:
    """Why there is no suggestion for a word; '' where suggestions are not wanted."""
    if advice is None:
        return ""
    return w.write(next((held.reason for held in advice.withheld if held.phrase == phrase), advice.reason))


def _held(rows: Sequence[Judged], advice: Advice, told: str, w: Language) -> list[str]:
    """Why words that differ have no suggestion, as far as that is not told already."""
    advised = {r.source for r in advice.recommendations}
    alike: dict[str, list[str]] = {}
    for j in rows:
        if j.differs and j.rate.phrase not in advised:
            alike.setdefault(_reason(j.rate.phrase, advice, w), []).append(w.quoted(j.rate.phrase))
    return [
        w.say("{words}: {reason}", words=w.listed(words), reason=reason)
        for reason, words in alike.items()
        if reason and reason not in told
    ]


def _written(wordings: Sequence[Wording], topic: str, phrase: str, w: Language) -> str:
    """The author's own words with their counts, if they differ from the phrase's name."""
    own = of_phrase(wordings, topic, phrase)
    return w.say("In your words: {words}.", words=shares(own, w)) if own else ""


def _below(wordings: Sequence[Wording], topic: str, j: Judged, w: Language) -> str:
    """The line below a word: its rate with reading errors, and the author's own words."""
    return " ".join(filter(None, (with_errors(j.rate, w), _written(wordings, topic, j.rate.phrase, w))))


def _good(
    judged: Sequence[Judged], advices: Sequence[Advice], settings: Settings, w: Language, *, in_full: bool
) -> Json:
    """Words that agree and have no suggestion: hedges before plain statements, most used first; vague ones last."""
    advised = _advised(advices)
    matched = sorted(
        (j for j in judged if j.standing is Standing.AGREES and (j.topic, j.rate.phrase) not in advised),
        key=lambda j: (_is_vague(j), j.rate.mean in (0.0, 1.0), -j.rate.n, j.topic, j.rate.phrase),
    )
    # One more row takes no more room than the sentence about it.
    shown = matched if len(matched) == MOST_GOOD_WORDS + 1 else matched[:MOST_GOOD_WORDS]
    left = len(matched) - len(shown)
    more = ""
    if left:
        followed = w.say("and {n} more, in the tables that follow", n=str(left))
        more = followed if in_full else w.say("and {n} more", n=str(left))
    if matched:
        none = ""
    elif any(j.decided for j in judged):
        none = w.say("No word was shown to agree yet: intervals are wide, or words differ.")
    else:
        none = w.say(
            "Not enough data yet: a word is judged from {n} uses for one pathology.", n=str(settings.min_phrase_n)
        )
    return {"rows": [_row(j, w) | {"topic": j.topic, "written": ""} for j in shown], "more": more, "none": none}


def _is_vague(j: Judged) -> bool:
    """Whether little is known of what the word means, so that agreeing with it says little."""
    return j.phrase is not None and has_few_answers(j.phrase)


def _row(j: Judged, w: Language) -> Json:
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


def _pooled(data: FeedbackInput, choice: PageChoice, w: Language) -> tuple[Reliability, tuple[Advice, ...]] | None:
    """All pathologies together, named like one, with their advice; None if there is but one, or one was left out."""
    r, advice = data.pooled, data.pooled_advice
    if r is None or len(r.parts) < 2 or not {part.name for part in r.parts}.isdisjoint(choice.without):
        return None
    named = replace(r, topic=capital(w.say("all pathologies")))
    return named, (replace(advice, topic=named.topic),) if advice is not None and choice.recommendations else ()


def _together(
    pooled: tuple[Reliability, tuple[Advice, ...]],
    data: FeedbackInput,
    judged: Sequence[Judged],
    phrases: Mapping[str, Phrase],
    settings: Settings,
    w: Language,
) -> Json:
    """All pathologies together, as one of them."""
    r, advices = pooled
    made = _pathology(r, replace(data, advices=advices), judged, phrases, settings, w)
    head = w.say(
        "{statements} in {pathologies}",
        statements=w.counted(r.n, "{n} statement", "{n} statements"),
        pathologies=w.counted(len(r.parts), "{n} pathology", "{n} pathologies"),
    )
    told = sentences_together(replace(r, topic=ALL_TOPICS), w, own=True)
    return made | {"head": head, "notes": [*told, *made["notes"]]}


def _pathology(
    r: Reliability,
    data: FeedbackInput,
    judged: Sequence[Judged],
    phrases: Mapping[str, Phrase],
    settings: Settings,
    w: Language,
) -> Json:
    rows = sorted((j for j in judged if j.topic == r.topic), key=lambda j: -j.rate.mean)
    notes = sentences(rows, w)
    notes += filter(None, (not_alike(of_phrase(data.wordings, r.topic, j.rate.phrase), w) for j in rows))
    for advice in (a for a in data.advices if a.topic == r.topic):
        changes = [f"{w.quoted(c.source)} → {w.quoted(c.target)}" for c in advice.recommendations]
        told = w.say("Suggested: {changes}.", changes=w.listed(changes)) if changes else w.write(advice.reason)
        notes += filter(None, (told, *_held(rows, advice, told, w)))
    return {
        "topic": r.topic,
        "head": f"{r.topic}, {w.counted(r.n, '{n} statement', '{n} statements')}",
        "long": len(rows) > MOST_ROWS or any(len(j.rate.phrase) >= LONG_PHRASE for j in rows),
        # Without a curve a diagram would show no more than the table.
        "diagram": diagrams.reliability(r, w)
        if r.curve is not None and hedged_uses(r.phrases) >= settings.min_phrase_n
        else None,
        "caption": _caption(r, settings, w),
        "rows": [_row(j, w) | {"written": _below(data.wordings, r.topic, j, w)} for j in rows],
        "notes": notes,
    }


def _caption(r: Reliability, settings: Settings, w: Language) -> str:
    """The word error with its luck band, the calibration error in its parts, and what lies outside the curve."""
    sentences = []
    hedged = hedged_uses(r.phrases)
    if 0 < hedged < settings.min_phrase_n:
        few = w.counted(hedged, "{n} hedged statement", "{n} hedged statements")
        sentences.append(
            w.say("{statements}; a curve of them needs {n}.", statements=few, n=str(settings.min_phrase_n))
        )
    elif hedged:
        sentences += [word_error(r, w), error_in_parts(r, w)]
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
    return {"topic": r.topic, "n": w.count(r.n), "words": ", ".join(words)}


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
        "topic": e.topic,
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
