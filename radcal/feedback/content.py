"""What stands on one author's pages, decided without regard to their format.

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
from radcal.feedback.judging import Judged, Verdict, hedged_uses, judge, sentences, summary
from radcal.feedback.wording import (
    count,
    counted,
    date_range,
    days_chosen,
    error,
    error_spread,
    listed,
    meaning,
    percent,
    quoted,
    spread,
    typographic,
)
from radcal.lexicon.phrases import PLAIN_TOLERANCE
from radcal.records import (
    Advice,
    Example,
    FeedbackInput,
    Json,
    OthersRate,
    PageChoice,
    Phrase,
    Recommendation,
    Reliability,
)
from radcal.settings import Settings

MOST_RECOMMENDATIONS = 3
MOST_GOOD_WORDS = 8
MOST_REASONS = 3
LONG_EXAMPLE = 1500
"""Characters from which an example may be split over two pages."""
CT_SILENT = "The CT report does not mention it."
NOTHING_LEFT = "Every pathology was left out of these pages, so that they say nothing about words."
NOTHING_IN_DAYS = "Not enough data: no statement of these days could be compared with a CT."
NO_WORDS: Json = {"rows": [], "more": "", "none": ""}
EVERYTHING = PageChoice()
_PARAGRAPHS = re.compile(r"\s*\n\s*\n\s*")


def personal_content(data: FeedbackInput, settings: Settings, choice: PageChoice = EVERYTHING) -> Json:
    """The content of one author's pages, as far as it was chosen.

    What is left out leaves no trace in sums, summaries or explanations, and the page says that it was left out.

    Keys: title, name, alias, meta, left_out, letter, footer, summary, summary_note, suggestions, recommendations,
    recommendations_note, good, pathologies, few, others, others_note, examples, reading, limits, counts, provenance.
    """
    topics = {r.topic for r in data.reliabilities if r.n > 0}
    left_out = sorted(topics.intersection(choice.without))
    nothing_left = bool(topics) and len(left_out) == len(topics)
    none = NOTHING_LEFT if nothing_left else NOTHING_IN_DAYS if data.days.are_limited and not topics else ""
    data = _chosen(data, choice)
    phrases = {p.name: p for p in data.phrases}
    used = sorted((r for r in data.reliabilities if r.n > 0), key=lambda r: (-r.n, r.topic))
    judged = judge(used, phrases, settings.min_phrase_n)
    when = days_chosen(data.days) or date_range(data.provenance.first_exam, data.provenance.last_exam)
    known_as = data.pseudonym or data.author
    told = choice.diagrams
    pathologies = [_pathology(r, data, judged, phrases, settings) for r in used if r.curve is not None] if told else []
    recommendations, note = _recommendations(data.advices, judged, phrases, settings, told=told)
    others = _others(data.others, used, settings.min_phrase_n) if choice.comparison else []
    return {
        "title": "Your certainty words, checked against CT",
        "name": data.author,
        "alias": data.pseudonym if data.pseudonym != data.author else "",
        "meta": _meta(used, when, settings, limited=data.days.are_limited),
        "left_out": _left_out(["all pathologies"] if nothing_left else left_out, choice),
        "letter": [part for part in _PARAGRAPHS.split(choice.note.strip()) if part],
        "footer": " · ".join(filter(None, (known_as, when))),
        "summary": none or summary(used, judged, settings.min_phrase_n),
        "summary_note": _summary_note(judged, settings) if used else "",
        "suggestions": choice.recommendations,
        "recommendations": recommendations if choice.recommendations else [],
        "recommendations_note": note if choice.recommendations else "",
        "good": NO_WORDS if nothing_left else _good(judged, data.advices, settings, told=told),
        "pathologies": pathologies,
        "few": [_few(r, settings) for r in used if r.curve is None] if told else [],
        "others": others,
        "others_note": _no_others(settings) if choice.comparison and not others else "",
        "confidence": percent(settings.confidence),
        "examples": [_example(e) for e in data.examples] if choice.examples else [],
        "reading": reading(
            settings,
            with_table=bool(used),
            with_diagram=bool(pathologies),
            with_advice=choice.recommendations and bool(recommendations),
            with_others=bool(others),
            days=data.days,
        ),
        "limits": limits(data.provenance, settings),
        "counts": [[what[:1].upper() + what[1:], count(n)] for what, n in data.counts.items()],
        "provenance": provenance_rows(data.provenance, settings, data.days),
    }


def _chosen(data: FeedbackInput, choice: PageChoice) -> FeedbackInput:
    """The input without what concerns pathologies left out, and without suggestions where they are not wanted."""
    without = frozenset(choice.without)
    # Without its suggestions an advice has nothing to tell but why there are none, which would then be untrue.
    advices = data.advices if choice.recommendations else ()
    return replace(
        data,
        reliabilities=tuple(r for r in data.reliabilities if r.topic not in without),
        advices=tuple(a for a in advices if a.topic not in without),
        examples=tuple(e for e in data.examples if e.topic not in without),
        others=tuple(o for o in data.others if o.topic not in without),
    )


def _left_out(topics: Sequence[str], choice: PageChoice) -> str:
    """What was left out by choice, so that nobody takes the pages for the whole; '' if nothing."""
    parts = [
        *topics,
        *(["the suggestions"] if not choice.recommendations else []),
        *(["diagrams and tables of each pathology"] if not choice.diagrams else []),
        *(["example sentences"] if not choice.examples else []),
    ]
    return f"Left out of these pages by choice: {listed(parts)}." if parts else ""


def _others(others: Sequence[OthersRate], used: Sequence[Reliability], fewest: int) -> list[Json]:
    """The words that the author used ``fewest`` times or more beside those of all other readers together."""
    theirs = {(o.topic, o.rate.phrase): o for o in others}
    return [
        {
            "topic": r.topic,
            "phrase": p.phrase,
            "n": count(p.n),
            "rate": percent(p.rate),
            "spread": spread(p.low, p.high),
            "readers": count(o.readers),
            "others_n": count(o.rate.n),
            "others_rate": percent(o.rate.rate),
            "others_spread": spread(o.rate.low, o.rate.high),
        }
        for r in used
        for p in sorted(r.phrases, key=lambda p: -p.mean)
        if p.n >= fewest and (o := theirs.get((r.topic, p.phrase)))
    ]


def _no_others(settings: Settings) -> str:
    return (
        f"Not enough data yet: a word is shown here that you used {settings.min_phrase_n} times for a pathology, and "
        "that at least three other readers used for it."
    )


def _meta(used: Sequence[Reliability], when: str, settings: Settings, *, limited: bool) -> str:
    total = sum(r.n for r in used)
    parts = [
        counted(total, "statement"),
        counted(len(used), "pathology", "pathologies"),
        f"chest X-ray reports followed by a CT within {settings.window_hours:g} h",
        f"days chosen: {when}" if limited else when,
    ]
    return " · ".join(filter(None, parts))


def _summary_note(judged: Sequence[Judged], settings: Settings) -> str:
    """What "matched" means and how much of what was said it covers."""
    decided = sum(j.verdict is Verdict.MATCH or j.deviates for j in judged)
    interval = f"its {percent(settings.confidence)} interval"
    rule = (
        f"A word matches if {interval} reaches the range that readers take the word to mean, "
        f"a plain statement if it comes within {percent(PLAIN_TOLERANCE)} of always or never."
    )
    if len(judged) == decided:
        return rule
    return (
        f"{decided} of {len(judged)} words, each counted for one pathology, "
        f"{'was' if decided == 1 else 'were'} used the {settings.min_phrase_n} times that a judgement needs. {rule}"
    )


def _recommendations(
    advices: Sequence[Advice],
    judged: Sequence[Judged],
    phrases: Mapping[str, Phrase],
    settings: Settings,
    *,
    told: bool,
) -> tuple[list[Json], str]:
    """Those that concern the most statements the most, and a sentence about the others or about there being none.

    ``told`` says that the pathologies follow one by one, with all suggestions.
    """

    def weight(r: Recommendation) -> float:
        """Statements that the change puts right, roughly."""
        return r.share * r.source_rate.n * abs(r.source_rate.rate - r.source_rate.mean)

    every = sorted(
        ((a.topic, r) for a in advices for r in a.recommendations),
        key=lambda at: (-weight(at[1]), at[0], at[1].source),
    )
    if not every:
        if not any(j.verdict is Verdict.MATCH or j.deviates for j in judged):
            return [], (
                f"Not enough data yet: a suggestion needs {settings.min_phrase_n} uses of a word and "
                f"{settings.min_group_n} statements on one pathology."
            )
        return [], f"No change of words is suggested. {_reasons(advices)}".strip()
    shown = [
        {
            "topic": topic,
            "source": r.source,
            "target": r.target,
            "text": typographic(r.text),
            "note": _stability(r, settings),
            "diagram": diagrams.recommendation(r, phrases),
        }
        for topic, r in every[:MOST_RECOMMENDATIONS]
    ]
    left = len(every) - len(shown)
    where = ": below the tables that follow" if told else ""
    note = f"{counted(left, 'further suggestion')} with smaller effect{where}." if left else ""
    return shown, note


def _reasons(advices: Sequence[Advice]) -> str:
    """Why there is no advice, each reason once with its pathologies, the most frequent first."""
    topics: dict[str, list[str]] = {}
    for a in advices:
        if a.reason:
            topics.setdefault(typographic(a.reason), []).append(a.topic)
    frequent = sorted(topics.items(), key=lambda item: -len(item[1]))[:MOST_REASONS]
    told = (f"{listed(where, 3)}: {reason}" for reason, where in frequent)
    return " ".join(sentence[:1].upper() + sentence[1:] for sentence in told)


def _stability(r: Recommendation, settings: Settings) -> str:
    if not settings.advice_fits:
        return ""
    fits = count(settings.advice_fits)
    return f"Stable: {percent(r.stability)} of {fits} redraws of the data gave the same direction."


def _good(judged: Sequence[Judged], advices: Sequence[Advice], settings: Settings, *, told: bool) -> Json:
    """The words that match and that no suggestion changes: hedges before plain statements, the most used first."""
    advised = {(a.topic, r.source) for a in advices for r in a.recommendations}
    matched = sorted(
        (j for j in judged if j.verdict is Verdict.MATCH and (j.topic, j.rate.phrase) not in advised),
        key=lambda j: (j.rate.mean in (0.0, 1.0), -j.rate.n, j.topic, j.rate.phrase),
    )
    left = len(matched) - MOST_GOOD_WORDS
    more = f"and {left} more{', in the tables that follow' if told else ''}" if left > 0 else ""
    if matched:
        none = ""
    elif any(j.deviates for j in judged):
        none = "None of the words used often enough to judge matched yet."
    else:
        none = f"Not enough data yet: a word is judged from {settings.min_phrase_n} uses for one pathology."
    return {"rows": [_row(j) | {"topic": j.topic} for j in matched[:MOST_GOOD_WORDS]], "more": more, "none": none}


def _row(j: Judged) -> Json:
    p = j.rate
    return {
        "phrase": p.phrase,
        "n": count(p.n),
        "confirmed": count(p.positives),
        "rate": percent(p.rate),
        "spread": spread(p.low, p.high),
        "meaning": meaning(j.phrase) if j.phrase else "not in the list",
        "plot": diagrams.interval(p, j.phrase) | {"shape": diagrams.shape(j)},
        "deviates": j.deviates,
    }


def _pathology(
    r: Reliability, data: FeedbackInput, judged: Sequence[Judged], phrases: Mapping[str, Phrase], settings: Settings
) -> Json:
    rows = sorted((j for j in judged if j.topic == r.topic), key=lambda j: -j.rate.mean)
    notes = sentences(rows)
    for advice in (a for a in data.advices if a.topic == r.topic):
        changes = [f"{quoted(c.source)} → {quoted(c.target)}" for c in advice.recommendations]
        if changes:
            notes.append(f"Suggested: {listed(changes)}.")
        elif advice.reason:
            notes.append(typographic(advice.reason))
    return {
        "topic": r.topic,
        "n": counted(r.n, "statement"),
        "diagram": diagrams.reliability(r, settings.min_phrase_n),
        "caption": _caption(r, settings),
        "rows": [_row(j) for j in rows],
        "notes": notes,
    }


def _caption(r: Reliability, settings: Settings) -> str:
    """The calibration error with its luck band, in words, and what lies outside the curve."""
    sentences = []
    hedged = hedged_uses(r)
    if 0 < hedged < settings.min_phrase_n:
        sentences.append(f"{counted(hedged, 'hedged statement')}; a curve of them needs {settings.min_phrase_n}.")
    elif r.ece_star is not None:
        distance = f"{error(r.ece_star)} {error_spread(r.ece_star_low, r.ece_star_high)}".strip()
        sentences.append(f"Hedged words lie {distance} from a perfect match on average.")
        if r.luck_star_mean is not None and r.luck_star_p95 is not None:
            sentences.append(
                f"Luck alone gives a perfectly calibrated reader {error(r.luck_star_mean)}, "
                f"up to {error(r.luck_star_p95)}: {_against_luck(r, r.luck_star_p95)}."
            )
    else:
        sentences.append("No hedged words.")
    plain = [f"{quoted(p.phrase)} {percent(p.n / r.n)}" for p in r.phrases if p.n > 0 and p.mean in (0.0, 1.0)]
    if plain:
        sentences.append(f"Plain statements: {listed(plain)} of all.")
    return " ".join(sentences)


def _against_luck(r: Reliability, luck: float) -> str:
    if r.ece_star is None or r.ece_star <= luck:
        return "no more than luck explains"
    if r.q_value_star is not None and r.q_value_star >= 0.05:
        return "more than luck often gives, but not clearly so among all that was tested"
    return "more than luck explains"


def _few(r: Reliability, settings: Settings) -> Json:
    """A pathology without a curve: the raw counts, and what would be enough."""
    words = [
        f"{quoted(p.phrase)} {count(p.positives)} of {count(p.n)}"
        for p in sorted(r.phrases, key=lambda p: -p.mean)
        if p.n > 0
    ]
    reason = r.reason or f"{counted(r.n, 'statement')}; a curve needs {settings.min_group_n}."
    return {"topic": r.topic, "n": count(r.n), "words": ", ".join(words), "reason": typographic(reason)}


def _example(e: Example) -> Json:
    """The sentence in three parts, the certainty words in the middle."""
    start, end = e.cue_start, e.cue_end
    if not 0 <= start < end <= len(e.xray_sentence):
        start = end = len(e.xray_sentence)
    return {
        "topic": e.topic,
        "phrase": e.phrase,
        "before": e.xray_sentence[:start],
        "cue": e.xray_sentence[start:end],
        "after": e.xray_sentence[end:],
        "ct": e.ct_sentence or CT_SILENT,
        "silent": not e.ct_sentence,
        "found": e.confirmed,
        "long": len(e.xray_sentence) + len(e.ct_sentence) > LONG_EXAMPLE,
    }
