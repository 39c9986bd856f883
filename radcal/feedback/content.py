"""The content of one author's pages, independent of format.

The result is a JSON-able object of sentences, numbers in words and series for diagrams; the templates in
resources/typst lay it out.  Everything comes from the author's own :class:`FeedbackInput`, so that no peer
can appear on the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from radcal.feedback import diagrams
from radcal.feedback.explaining import limits, provenance_rows, reading
from radcal.feedback.judging import Judged, Verdict, judge, sentences, summary
from radcal.language import Language, language
from radcal.language.wordings import not_alike, of_phrase, shares
from radcal.lexicon.phrases import PLAIN_TOLERANCE, hedged_uses
from radcal.records import (
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
MOST_REASONS = 3
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

    Keys: title, name, alias, meta, left_out, letter, footer, summary, summary_note, suggestions, recommendations,
    recommendations_note, good, pathologies, few, others, others_note, examples, reading, limits, counts, provenance.
    """
    w = w or language()
    topics = {r.topic for r in data.reliabilities if r.n > 0}
    left_out = sorted(topics.intersection(choice.without))
    nothing_left = bool(topics) and len(left_out) == len(topics)
    none = _nothing(w, left=nothing_left, in_days=data.days.are_limited and not topics)
    data = _chosen(data, choice)
    phrases = {p.name: p for p in data.phrases}
    used = sorted((r for r in data.reliabilities if r.n > 0), key=lambda r: (-r.n, r.topic))
    judged = judge(used, phrases, settings.min_phrase_n)
    when = w.days_chosen(data.days) or w.date_range(data.provenance.first_exam, data.provenance.last_exam)
    known_as = data.pseudonym or data.author
    in_full = choice.diagrams
    pathologies = (
        [_pathology(r, data, judged, phrases, settings, w) for r in used if r.curve is not None] if in_full else []
    )
    recommendations, note = _recommendations(data, judged, phrases, settings, w, in_full=in_full)
    others = _others(data.others, used, settings.min_phrase_n, w) if choice.comparison else []
    good = NO_WORDS if nothing_left else _good(judged, data.advices, settings, w, in_full=in_full)
    return {
        "title": w.say("Your certainty words, checked against CT"),
        "name": data.author,
        "alias": data.pseudonym if data.pseudonym != data.author else "",
        "meta": _meta(used, when, settings, w, limited=data.days.are_limited),
        "left_out": _left_out([w.say("all pathologies")] if nothing_left else left_out, choice, w),
        "letter": [part for part in _PARAGRAPHS.split(choice.note.strip()) if part],
        "footer": " · ".join(filter(None, (known_as, when))),
        "summary": none or summary(used, judged, settings.min_phrase_n, w),
        "summary_note": _summary_note(judged, settings, w) if used else "",
        "suggestions": choice.recommendations,
        "recommendations": recommendations if choice.recommendations else [],
        "recommendations_note": note if choice.recommendations else "",
        "good": good,
        "pathologies": pathologies,
        "few": [_few(r, w) for r in used if r.curve is None] if in_full else [],
        "few_note": w.say("A curve needs {n} statements on one pathology.", n=str(settings.min_group_n)),
        "others": others,
        "others_note": _no_others(settings, w) if choice.comparison and not others else "",
        "confidence": w.percent(settings.confidence),
        "examples": [_example(e, w) for e in data.examples] if choice.examples else [],
        "examples_note": w.say(
            "The latest sentences with each of these words, first those where CT said otherwise: they are no fair "
            "sample."
        ),
        "reading": reading(
            settings,
            w,
            with_table=bool(pathologies or good["rows"]),
            in_parts=any(_is_in_part(p) for r in used for p in r.phrases),
            with_diagram=any(p["diagram"] for p in pathologies),
            with_advice=choice.recommendations and bool(recommendations),
            with_others=bool(others),
            days=data.days,
        ),
        "limits": limits(data.provenance, settings, w),
        "counts": [[_capital(w.write(what)), w.count(n)] for what, n in data.counts.items()],
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


def _is_in_part(p: PhraseRate) -> bool:
    """Whether statements count partially because CT hedged too."""
    return abs(p.positives - round(p.positives)) > 1e-9


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
            "others_n": w.count(o.rate.n),
            "others_rate": w.percent(o.rate.rate),
            "others_spread": w.spread(o.rate.low, o.rate.high),
        }
        for r in used
        for p in sorted(r.phrases, key=lambda p: -p.mean)
        if p.n >= fewest and (o := theirs.get((r.topic, p.phrase)))
    ]


def _no_others(settings: Settings, w: Language) -> str:
    return w.say(
        "Not enough data yet: a word is shown here that you used {n} times for a pathology, and that at least three "
        "other readers used for it.",
        n=str(settings.min_phrase_n),
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


def _summary_note(judged: Sequence[Judged], settings: Settings, w: Language) -> str:
    """What "matched" means and how much of what was said it covers."""
    decided = sum(j.verdict is Verdict.MATCH or j.deviates for j in judged)
    if not decided:
        return ""  # the summary says so
    rule = w.say(
        "A word matches if its {confidence} interval reaches the range that readers take the word to mean, a plain "
        "statement if it comes within {tolerance} percentage points of always or never.",
        confidence=w.percent(settings.confidence),
        tolerance=f"{100 * PLAIN_TOLERANCE:g}",
    )
    if len(judged) == decided:
        return rule
    numbers = {"n": str(decided), "total": str(len(judged)), "enough": str(settings.min_phrase_n)}
    if decided == 1:
        covered = w.say(
            "{n} of {total} words, each counted for one pathology, was used the {enough} times that a judgement needs.",
            **numbers,
        )
    else:
        covered = w.say(
            "{n} of {total} words, each counted for one pathology, were used the {enough} times that a judgement "
            "needs.",
            **numbers,
        )
    return f"{covered} {rule}"


def _recommendations(
    data: FeedbackInput,
    judged: Sequence[Judged],
    phrases: Mapping[str, Phrase],
    settings: Settings,
    w: Language,
    *,
    in_full: bool,
) -> tuple[list[Json], str]:
    """Those affecting most statements most, and a sentence on the rest or on there being none.

    ``in_full`` says that the pathologies follow one by one, with all suggestions.
    """

    def weight(r: Recommendation) -> float:
        """Statements that the change puts right, roughly."""
        return r.share * r.source_rate.n * abs(r.source_rate.rate - r.source_rate.mean)

    every = sorted(
        ((a.topic, r) for a in data.advices for r in a.recommendations),
        key=lambda at: (-weight(at[1]), at[0], at[1].source),
    )
    if not every:
        return [], _no_suggestion(data.advices, judged, settings, w)
    shown = [
        {
            "topic": topic,
            "source": r.source,
            "target": r.target,
            "head": f"{topic}: {w.quoted(r.source)} → {w.quoted(r.target)}",
            "text": w.write(r.text),
            "notes": [
                note for note in (_written(data.wordings, topic, r.source, w), _stability(r, settings, w)) if note
            ],
            "diagram": diagrams.recommendation(r, phrases, w),
        }
        for topic, r in every[:MOST_RECOMMENDATIONS]
    ]
    return shown, _further(len(every) - len(shown), w, in_full=in_full)


def _no_suggestion(advices: Sequence[Advice], judged: Sequence[Judged], settings: Settings, w: Language) -> str:
    """That no change is suggested, and why."""
    if any(j.deviates for j in judged):
        return f"{w.say('No change of words is suggested.')} {_reasons(advices, judged, w)}".strip()
    if any(j.verdict is Verdict.MATCH for j in judged):
        return w.say("No change of words is suggested: every word used often enough to judge matched.")
    return w.say(
        "Not enough data yet: a suggestion needs {uses} uses of a word and {statements} statements on one pathology.",
        uses=str(settings.min_phrase_n),
        statements=str(settings.min_group_n),
    )


def _further(left: int, w: Language, *, in_full: bool) -> str:
    """Number of suggestions not on the first page; '' if none."""
    if not left:
        return ""
    if in_full:
        return w.counted(
            left,
            "{n} further suggestion with smaller effect: below the tables that follow.",
            "{n} further suggestions with smaller effect: below the tables that follow.",
        )
    return w.counted(
        left, "{n} further suggestion with smaller effect.", "{n} further suggestions with smaller effect."
    )


def _reasons(advices: Sequence[Advice], judged: Sequence[Judged], w: Language) -> str:
    """Why there is no advice where a word did not match, each reason once with its pathologies, most of them first."""
    off = {j.topic for j in judged if j.deviates}
    topics: dict[str, list[str]] = {}
    for a in advices:
        if a.reason and a.topic in off:
            topics.setdefault(w.write(a.reason), []).append(a.topic)
    frequent = sorted(topics.items(), key=lambda item: -len(item[1]))[:MOST_REASONS]
    return " ".join(_capital(f"{w.listed(where, 3)}: {reason}") for reason, where in frequent)


def _written(wordings: Sequence[Wording], topic: str, phrase: str, w: Language) -> str:
    """The author's own words with their counts, if they differ from the phrase's name."""
    own = of_phrase(wordings, topic, phrase)
    return w.say("In your words: {words}.", words=shares(own, w)) if own else ""


def _stability(r: Recommendation, settings: Settings, w: Language) -> str:
    if not settings.advice_fits:
        return ""
    return w.say(
        "Stable: {share} of {n} redraws of the data gave the same direction.",
        share=w.percent(r.sure),
        n=w.count(settings.advice_fits),
    )


def _good(
    judged: Sequence[Judged], advices: Sequence[Advice], settings: Settings, w: Language, *, in_full: bool
) -> Json:
    """Matching words without suggestion: hedges before plain statements, most used first."""
    advised = {(a.topic, r.source) for a in advices for r in a.recommendations}
    matched = sorted(
        (j for j in judged if j.verdict is Verdict.MATCH and (j.topic, j.rate.phrase) not in advised),
        key=lambda j: (j.rate.mean in (0.0, 1.0), -j.rate.n, j.topic, j.rate.phrase),
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
    elif any(j.deviates for j in judged):
        none = w.say("None of the words used often enough to judge matched yet.")
    else:
        none = w.say(
            "Not enough data yet: a word is judged from {n} uses for one pathology.", n=str(settings.min_phrase_n)
        )
    return {"rows": [_row(j, w) | {"topic": j.topic, "written": ""} for j in shown], "more": more, "none": none}


def _row(j: Judged, w: Language) -> Json:
    p = j.rate
    return {
        "phrase": p.phrase,
        "n": w.count(p.n),
        "confirmed": w.part(p.positives, p.n),
        "rate": w.percent(p.rate),
        "spread": w.spread(p.low, p.high, j.decimals),
        "meaning": w.percent_range(j.phrase.low, j.phrase.high) if j.phrase else w.say("not in the list"),
        "plot": diagrams.interval(p, j.phrase) | {"shape": diagrams.shape(j)},
        "deviates": j.deviates,
    }


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
        if changes:
            notes.append(w.say("Suggested: {changes}.", changes=w.listed(changes)))
        elif advice.reason:
            notes.append(w.write(advice.reason))
    return {
        "topic": r.topic,
        "head": f"{r.topic}, {w.counted(r.n, '{n} statement', '{n} statements')}",
        "long": len(rows) > MOST_ROWS or any(len(j.rate.phrase) >= LONG_PHRASE for j in rows),
        # Without a curve a diagram would show no more than the table.
        "diagram": diagrams.reliability(r, w) if hedged_uses(r.phrases) >= settings.min_phrase_n else None,
        "caption": _caption(r, settings, w),
        "rows": [_row(j, w) | {"written": _written(data.wordings, r.topic, j.rate.phrase, w)} for j in rows],
        "notes": notes,
    }


def _caption(r: Reliability, settings: Settings, w: Language) -> str:
    """The calibration error with its luck band, in words, and what lies outside the curve."""
    sentences = []
    hedged = hedged_uses(r.phrases)
    if 0 < hedged < settings.min_phrase_n:
        few = w.counted(hedged, "{n} hedged statement", "{n} hedged statements")
        sentences.append(
            w.say("{statements}; a curve of them needs {n}.", statements=few, n=str(settings.min_phrase_n))
        )
    elif r.ece_star is not None:
        sentences.append(_distance(r.ece_star, w.error_spread(r.ece_star_low, r.ece_star_high), w))
        if r.luck_star_mean is not None and r.luck_star_p95 is not None:
            sentences.append(
                w.say(
                    "Luck alone gives a perfectly calibrated reader {mean}, up to {high}: {verdict}.",
                    mean=w.error(r.luck_star_mean),
                    high=w.error(r.luck_star_p95),
                    verdict=_against_luck(r.ece_star, r.luck_star_p95, r.q_value_star, w),
                )
            )
    else:
        sentences.append(w.say("No hedged words."))
    plain = [f"{w.quoted(p.phrase)} {w.percent(p.n / r.n)}" for p in r.phrases if p.n > 0 and p.mean in (0.0, 1.0)]
    if plain:
        sentences.append(w.say("Plain statements: {shares} of all.", shares=w.listed(plain)))
    return " ".join(sentences)


def _distance(error: float, spread: str, w: Language) -> str:
    if not spread:
        return w.say(
            "Hedged words lie {distance} from a perfect match on average; without resamples there is no interval.",
            distance=w.error(error),
        )
    return w.say("Hedged words lie {distance} from a perfect match on average.", distance=f"{w.error(error)} {spread}")


def _against_luck(error: float, luck: float, q: float | None, w: Language) -> str:
    if error <= luck:
        return w.say("no more than luck explains")
    if q is not None and q >= 0.05:
        return w.say("more than luck often gives, but not clearly so among all that was tested")
    return w.say("more than luck explains")


def _few(r: Reliability, w: Language) -> Json:
    """A pathology without a curve: raw counts."""
    words = [
        w.tied(w.say("{word} {n} of {total}", word=w.quoted(p.phrase), n=w.part(p.positives, p.n), total=w.count(p.n)))
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
        "ct": e.ct_sentence or w.say("The CT report does not mention it."),
        "silent": not e.ct_sentence,
        "ct_says": _ct_says(e.outcome, w),
        "long": len(e.xray_sentence) + len(e.ct_sentence) >= LONG_EXAMPLE,
    }
