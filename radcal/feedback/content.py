"""The content of one author's pages, independent of format: two sheets, and more where that is asked for.

The result is a JSON-able object of sentences, numbers in words and series for diagrams; the templates in
resources/typst lay it out.  Everything comes from the author's own :class:`FeedbackInput`, so that no peer
can appear on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from radcal.advice.judged_records import Judged, JudgedWord
from radcal.advice.judging import judge
from radcal.advice.said import of_author
from radcal.advice.wording import named, proposed
from radcal.calibration.records import Reliability
from radcal.calibration.vocabulary_use import about_vocabulary
from radcal.feedback import diagrams, further
from radcal.feedback.explaining import explained, limits, made_with, provenance_rows, reading
from radcal.feedback.further import in_words, topic_name, with_errors
from radcal.feedback.records import Example, FeedbackInput, NewCase, PageChoice
from radcal.system.files import Json
from radcal.system.language.catalogue import Language, language
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import Text, begun
from radcal.words.phrases import has_few_answers, mean_of
from radcal.words.records import Phrase

MOST_RECOMMENDATIONS = 3
MOST_FURTHER = 3
"""Suggestions beyond these that are named; more are counted."""
MOST_GOOD_WORDS = 8
MOST_WORDS = 12
"""Columns of the table: those whose standing is known first, then those said most."""
_LETTER_MM, _HEAD_MM = 1.65, 28.0
"""Width of a letter of a word in the head of the table, and the height that words have there."""
LONG_PART, SHORT_PART = 130, 75
"""Characters of a report that an example on the second sheet has at most, and a new case."""
EVERYTHING = PageChoice()
_PARAGRAPHS = re.compile(r"\s*\n\s*\n\s*")
_MARKS = {"down": "\u25bc", "up": "\u25b2", "dot": "\u25cf"}


def judge_input(data: FeedbackInput, min_n: float, choice: PageChoice = EVERYTHING) -> Judged:
    """What the pages of an author say of the words, as far as it was chosen; the rest is as of :func:`judge`."""
    # An advice without its suggestions has nothing to tell but why there are none, which would then be untrue; but for
    # what describes, none is given in any case.
    advices, of_all = data.advices, data.pooled_advice
    if not choice.recommendations:
        advices, of_all = tuple(a for a in advices if a.closed), None
    return judge(data.reliabilities, advices, data.phrases, min_n, data.pooled, of_all, choice.without)


def personal_content(
    data: FeedbackInput,
    settings: Settings,
    choice: PageChoice = EVERYTHING,
    w: Language | None = None,
    *,
    full: bool = False,
) -> Json:
    """The content of one author's pages, as far as it was chosen, in the words of a language (English).

    What is left out leaves no trace in sums, summaries or explanations, and the page says that it was left out.

    full: with the pages that follow the two sheets: every pathology, all examples, limits and sources
    """
    w = w or language()
    topics = {r.topic for r in data.reliabilities if r.n > 0}
    left_out = sorted(map(w.pathology, topics.intersection(choice.without)))
    nothing_left = bool(topics) and len(left_out) == len(topics)
    judged = judge_input(data, settings.min_phrase_n, choice)
    data = _chosen(data, choice)
    used = [r for group in judged.groups for r in data.reliabilities if r.topic == group.topic]
    when = w.days_chosen(data.days) or w.date_range(data.provenance.first_exam, data.provenance.last_exam)
    said = of_author(judged, own=True)
    nothing = _nothing(w, left=nothing_left, in_days=data.days.are_limited and not topics)
    suggested = _suggested(judged)
    goal = _goal(data, w)
    shown = suggested[: MOST_RECOMMENDATIONS - (goal is not None)]
    told = [*shown, *(_held(judged) if choice.recommendations else ())][:MOST_RECOMMENDATIONS]
    examples = [e for j in told for e in _two(j, data, w)] if choice.examples else []
    table = _table(judged, w) if choice.diagrams else None
    more = further.further(data, used, judged, settings, choice, w, full=full)
    drawn = [*([more["together"]] if more["together"] else []), *more["pathologies"]]
    return {
        "title": w.say("Your certainty words, checked against CT"),
        "name": data.known_as,
        "meta": _meta(used, when, w, limited=data.days.are_limited),
        "basis": w.say("Chest X-ray reports followed by a CT within {hours} h.", hours=w.hours(settings.window_hours)),
        "left_out": _left_out([w.say("all pathologies")] if nothing_left else left_out, choice, w),
        "letter": [part for part in _PARAGRAPHS.split(choice.note.strip()) if part],
        "footer": " \u00b7 ".join(filter(None, (data.known_as, when))),
        "goal": goal,
        "summary": nothing or " ".join(filter(None, (w.write(said.sentence), w.write(said.closer)))),
        "rest": "" if nothing else w.write(said.rest),
        "recommendations": [_suggestion(j, judged, data, w) for j in shown],
        "more": _more(suggested[len(shown) :], w),
        "good": "" if nothing_left else _good(judged, settings, w),
        "next": [] if nothing_left else _next(judged, settings, w, choice, examples=bool(examples)),
        "table": table,
        # It counts all pathologies, and what was left out is to leave no trace.
        "vocabulary": "" if left_out else about_vocabulary(data.vocabulary, w),
        "examples": examples,
        "new": _new(data, w) if choice.examples and not nothing_left else None,
        "brief": [
            told["text"]
            for told in explained(
                "brief",
                w,
                {
                    "table": table is not None,
                    "pictures": bool(shown),
                },
                hours=w.hours(settings.window_hours),
                confidence=w.percent(settings.confidence),
            )
        ],
        "made": made_with(data.provenance, w),
        "further": more,
        "ending": {
            "reading": reading(
                settings,
                w,
                data.days,
                table=bool(drawn),
                in_parts=any(further.is_in_part(p) for r in used for p in r.phrases),
                diagram=any(p["diagram"] for p in drawn),
                advice=bool(shown),
            ),
            "limits": limits(data.provenance, settings, w, data.unread),
            "counts": [[begun(w.write(what)), w.count(n)] for what, n in data.counts.items()],
            "provenance": provenance_rows(data.provenance, settings, w, data.days),
        }
        if full
        else None,
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
        goal=None if data.goal is not None and data.goal.goal.topic in without else data.goal,
        new=replace(data.new, cases=tuple(c for c in data.new.cases if c.example.topic not in without)),
    )


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
        *([w.say("the table of words")] if not choice.diagrams else []),
        *([w.say("example sentences")] if not choice.examples else []),
    ]
    return w.say("Left out of these pages by choice: {parts}.", parts=w.listed(parts)) if parts else ""


def _meta(used: Sequence[Reliability], when: str, w: Language, *, limited: bool) -> str:
    total = sum(r.n for r in used)
    parts = [
        w.counted(total, "{n} finding", "{n} findings"),
        w.counted(len(used), "{n} pathology", "{n} pathologies"),
        w.say("days chosen: {days}", days=when) if limited else when,
    ]
    return " · ".join(filter(None, parts))


# --- the first sheet


def _goal(data: FeedbackInput, w: Language) -> Json | None:
    """The goal of last time and what became of it, which the page says first; None without one."""
    if (told := data.goal) is None:
        return None
    head = w.say("Your goal since {day}", day=w.day(told.goal.day))
    return {"head": head, "goal": w.write(told.head), "text": f"{w.write(told.became)} {w.write(told.uses)}"}


def _suggested(judged: Judged) -> list[JudgedWord]:
    """Those on single pathologies first; a word that has advice for one is not told again for all of them."""
    every = judged.suggestions
    own = {j.name for j in every if j.topic != ALL_TOPICS}
    kept = [j for j in every if j.topic != ALL_TOPICS or j.name not in own]
    return sorted(kept, key=lambda j: j.topic == ALL_TOPICS)


def _change(j: JudgedWord, w: Language) -> str:
    return w.say(
        "{topic}: {other} rather than {word}",
        topic=topic_name(j.topic, w),
        other=w.write(proposed(j.closer)),
        word=w.write(named(j.name)),
    )


def _suggestion(j: JudgedWord, judged: Judged, data: FeedbackInput, w: Language) -> Json:
    assert j.advice is not None, "asked for only where there is advice"  # noqa: S101 - a contract inside the package
    return {
        "topic": topic_name(j.topic, w),
        "source": j.name,
        "target": j.closer,
        "head": _change(j, w),
        "text": w.write(j.advice.text),
        "notes": [*filter(None, (with_errors(j.rate, w), in_words(data.wordings, j.topic, j.name, w)))],
        "diagram": diagrams.recommendation(j.advice, judged.phrases, w, j.decimals),
    }


def _more(words: Sequence[JudgedWord], w: Language) -> str:
    """The suggestions beyond those shown; '' for none."""
    if not words:
        return ""
    return w.say(
        "Further suggestions: {suggestions}.", suggestions=w.listed([_change(j, w) for j in words], MOST_FURTHER)
    )


def _good(judged: Judged, settings: Settings, w: Language) -> str:
    """The words that matched, hedges before plain statements, the most used first."""
    matched = sorted(
        judged.matching,
        key=lambda j: (_is_vague(j), j.rate.mean in (0.0, 1.0), -j.rate.n, topic_name(j.topic, w), j.name),
    )
    if matched:
        words = [_with_figures(j, w) for j in matched]
        return w.say("These meant what readers take them to mean: {words}.", words=w.listed(words, MOST_GOOD_WORDS))
    if any(j.decided for j in (*judged.words, *judged.in_all)):
        return w.say("No word is shown to match yet.")
    return w.say("Too early to say: a word is judged from {n} uses.", n=str(settings.min_phrase_n))


def _held(judged: Judged) -> list[JudgedWord]:
    """The words that differ without a closer one, in the order in which the page names them."""
    return [j for j in judged.words if j.differs and j.advice is None]


def _with_figures(j: JudgedWord, w: Language) -> str:
    return w.say(
        "{word} for {topic} ({count})",
        word=w.quoted(j.name),
        topic=w.say("all pathologies") if j.topic == ALL_TOPICS else w.pathology(j.topic),
        count=w.tied(w.out_of(j.rate.positives, j.rate.n)),
    )


def _is_vague(j: JudgedWord) -> bool:
    """Whether little is known of what the word means, so that matching it says little."""
    return j.phrase is not None and has_few_answers(j.phrase)


def _next(judged: Judged, settings: Settings, w: Language, choice: PageChoice, *, examples: bool) -> list[str]:
    """What the reader of these pages may do now."""
    if not any(j.decided for j in (*judged.words, *judged.in_all)):
        return [
            w.say(
                "Nothing yet. A suggestion needs {uses} uses of a word among {n} findings.",
                uses=str(settings.min_phrase_n),
                n=str(settings.min_group_n),
            )
        ]
    told = []
    if judged.suggestions and examples:
        told.append(w.say("Read the sentences on page 2, and decide whether you would word them so again."))
        told.append(w.say("If not, try the closer word. Your next pages will show how it did."))
    elif judged.suggestions:
        told.append(w.say("Try the closer word. Your next pages will show how it did."))
    if (held := _held(judged)) and choice.recommendations:
        some = w.listed([_with_figures(j, w) for j in held], MOST_FURTHER)
        told.append(w.say("No closer word is known for {words}: look at the cases.", words=some))
    if not told:
        told.append(w.say("Keep your words. More findings will tell of those without a mark."))
    if settings.contested == "counted":
        told.append(w.say("If a report was misread, say so: your department looks at it."))
    else:
        told.append(w.say("If a report was misread, say so: it is then left out."))
    return told


# --- the second sheet


def _table(judged: Judged, w: Language) -> Json | None:
    """Words over pathologies: how many were confirmed of how many, and where the word stands; None without any.

    The pathologies of most findings come first.  Where there is no room, those of the last places go: of which the
    first sheet says nothing, and of fewest findings.
    """
    if not judged.groups:
        return None
    whole = [judged.pooled] if judged.pooled is not None else []
    every = [j for group in (*judged.groups, *whole) for j in group.words]
    uses: dict[str, tuple[bool, float]] = {}
    for j in every:
        known, n = uses.get(j.name, (False, 0.0))
        uses[j.name] = known or j.decided, n + j.rate.n
    chosen = sorted(uses, key=lambda name: (not uses[name][0], -uses[name][1], name))[:MOST_WORDS]
    mean = {j.name: j.rate.mean for j in every}
    columns = sorted(chosen, key=lambda name: (-mean[name], name))
    spoken_of = [any(j.differs or j.advice is not None for j in group.words) for group in judged.groups]
    ranked = sorted(range(len(spoken_of)), key=lambda i: not spoken_of[i])
    rows = [
        {
            "topic": further.short_name(group.topic, w),
            "place": ranked.index(i) if i < len(ranked) else 0,
            "cells": [None if j is None else _cell(j, w) for j in map(group.word, columns)],
        }
        for i, group in enumerate((*judged.groups, *whole))
    ]
    return {
        "spoken_of": sum(spoken_of),
        "head": min(_HEAD_MM, 2 + _LETTER_MM * max(map(len, columns))),
        "words": [{"name": name, "meaning": _meaning(judged.phrases.get(name), w)} for name in columns],
        "rows": rows[: len(judged.groups)],
        "whole": rows[len(judged.groups) :],
        "less_said": w.say("Words used less are left out for want of room.") if len(uses) > len(columns) else "",
    }


def _cell(j: JudgedWord, w: Language) -> Json:
    return {
        "text": f"{w.count(round(j.rate.positives))}/{w.count(j.rate.n)}",
        "mark": _MARKS.get(diagrams.shape(j), ""),
        "few": not j.decided,
    }


def _meaning(phrase: Phrase | None, w: Language) -> str:
    return w.say("not in the list") if phrase is None else w.percent_range(phrase.low, phrase.high)


def _new(data: FeedbackInput, w: Language) -> Json | None:
    """What CT showed since last time, with a heading for each number of cases that fits; None for nothing."""
    cases = data.new.cases
    if not cases:
        return None
    n, since = len(cases), data.new.since

    def head(shown: int) -> Text:
        if since is None:
            if shown < n:
                return Text("Worth a look: {shown} of {n} cases", shown=shown, n=n)
            return Text("Worth a look: {n} case", many="Worth a look: {n} cases", n=n)
        day = w.day(since)
        if shown < n:
            return Text("New since {day}: {shown} of {n} cases", day=day, shown=shown, n=n)
        return Text("New since {day}: {n} case", many="New since {day}: {n} cases", n=n, day=day)

    return {"heads": [w.write(head(k + 1)) for k in range(n)], "cases": [_new_case(c, w) for c in cases]}


def _new_case(case: NewCase, w: Language) -> Json:
    made = further.example_of(_shortened(case.example, SHORT_PART), w)
    great = [w.say("great call")] if case.kind == "great call" else []
    return made | {"ct_says": ", ".join([*great, made["ct_says"]])}


def _two(j: JudgedWord, data: FeedbackInput, w: Language) -> Iterable[Json]:
    """Two examples of a word: one to which the word suggested is closer, or without one what CT showed, and another."""
    own = [e for e in data.examples if e.phrase == j.name and j.topic in (e.topic, ALL_TOPICS)]
    mean = {p.name: mean_of(p) for p in data.phrases}
    source, target = mean.get(j.name, 0.5), mean.get(j.closer, j.rate.rate)
    nearer = [e for e in own if abs(e.outcome - target) < abs(e.outcome - source)]
    other = [e for e in own if e not in nearer]
    chosen = [*nearer[:1], *other[:1]]
    chosen += [e for e in own if e not in chosen][: 2 - len(chosen)]
    return (further.example_of(_shortened(e), w) for e in chosen)


def _shortened(e: Example, most: int = LONG_PART) -> Example:
    """The example with so much of both sentences as the second sheet has room for: what stands around the word."""
    start = max(0, min(e.cue_start, e.cue_end, len(e.xray_sentence)))
    before = e.xray_sentence[:start]
    if len(before) > most // 2:
        kept = before[-most // 2 :].partition(" ")[2]
        before = f"\u2026 {kept}"
    moved = len(before) - start
    text = before + e.xray_sentence[start:]
    return replace(
        e,
        xray_sentence=_cut(text, max(most, e.cue_end + moved)),
        cue_start=e.cue_start + moved,
        cue_end=e.cue_end + moved,
        ct_sentence=_cut(e.ct_sentence, most),
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0] or text[:most]} \u2026"
