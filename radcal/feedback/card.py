"""The content of pocket cards: how often CT showed what a radiologist's words, or a department's, speak of.

A card folds to the size of a bank card: all pathologies on one half, those that differ on the other.  As much of it
is printed as fits, the words said most before others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from radcal.advice.judged_records import Judged, JudgedGroup, JudgedWord
from radcal.feedback.content import judge_input
from radcal.feedback.department import check_pseudonyms, shown_words
from radcal.feedback.explaining import explained, limits, provenance_rows
from radcal.feedback.records import FeedbackInput, PageChoice
from radcal.system import coarse
from radcal.system.files import Json
from radcal.system.intervals import of_cells
from radcal.system.language.catalogue import Language, language
from radcal.system.settings import Settings
from radcal.system.text import begun
from radcal.words.phrases import PLAIN_TOLERANCE, mean_of, normalise
from radcal.words.records import Phrase, Scale
from radcal.words.scales import stated

MOST_APART = 3
"""Pathologies that differ from the others, on the other half."""
MOST_NAMED = 6
"""Words without enough data that are named."""


def personal_card(
    data: FeedbackInput,
    settings: Settings,
    scale: Scale | None = None,
    without: Iterable[str] = (),
    w: Language | None = None,
) -> Json:
    """The content of one author's card, in the words of a language (English).

    Args:
        data: as of the author's pages; rates and intervals are printed as there.
        settings: fewest uses, confidence, window.
        scale: the department's vocabulary, None if none was chosen.
        without: pathologies that were left out of the pages; then no word is counted over all pathologies.
    """
    w = w or language()
    judged = judge_input(data, settings.min_phrase_n, PageChoice(without=tuple(without)))
    front, back, in_all = _groups(judged, data)
    first = None if front is None else _section(front, settings, scale, w)
    if first is not None and in_all:
        first["head"] = begun(w.say("all pathologies"))
    shown = first is not None and bool(first["rows"])
    usual = {j.name: j.rate.rate for j in front.words} if front is not None and in_all else None
    others = [s for s in (_section(group, settings, scale, w, usual) for group in back) if s["rows"]] if shown else []
    none = w.say("No pathology is shown to differ from the others.") if in_all and shown and not others else ""
    none_yet = w.say("Not enough data: a word is shown from {n} uses on.", n=str(settings.min_phrase_n))
    return _card(
        {
            "title": w.say("Your certainty words on a pocket card"),
            "private": w.say("For {name} only.", name=data.known_as),
            "when": w.days_chosen(data.days) or w.date_range(data.provenance.first_exam, data.provenance.last_exam),
            "front": first,
            "nothing": none_yet if first is None or not (shown or first["few"]) else "",
            "back_head": w.say("Pathologies that differ") if in_all else w.say("Other pathologies"),
            "back": others[:MOST_APART],
            "back_none": none,
            "method": [_method(settings, scale, w)],
            "reading": _reading(settings, scale, w, own=True),
        },
        data,
        data.known_as,
        settings,
        scale,
        w,
        own=True,
    )


def department_card(
    inputs: Sequence[FeedbackInput], settings: Settings, scale: Scale | None = None, w: Language | None = None
) -> Json:
    """The content of the department's card: all readers together, and nobody's exact figures.

    A word is shown that more than ``coarse.FEWEST`` readers said so often: each of them sees all others, less the own
    figures.  Its rate is worked out from their cells (:mod:`radcal.system.coarse`).

    Raises:
        DataError: no author, a missing pseudonym, one that is the author's name, or one given twice.
    """
    w = w or language()
    check_pseudonyms(inputs)
    first = inputs[0]
    firsts = [i.provenance.first_exam for i in inputs if i.provenance.first_exam]
    lasts = [i.provenance.last_exam for i in inputs if i.provenance.last_exam]
    rows = _together(inputs, {p.name: p for i in inputs for p in i.phrases}, settings, scale, w)
    return _card(
        {
            "title": w.say("The department\u2019s certainty words on a pocket card"),
            "private": w.say("For the department only."),
            "when": w.days_chosen(first.days) or w.date_range(min(firsts, default=None), max(lasts, default=None)),
            "front": {"head": begun(w.say("all pathologies")), "rows": rows, "few": ""},
            "nothing": "" if rows else w.say("Not enough data."),
            "back_head": "",
            "back": [],
            "back_none": "",
            "method": [
                _method(settings, scale, w),
                w.say(
                    "A word is shown that at least {n} readers said {k} times each. Counts are ranges, rates and "
                    "intervals are given to 5 points, so that nobody\u2019s own can be worked out.",
                    n=str(coarse.FEWEST + 1),
                    k=str(coarse.FEWEST),
                ),
            ],
            "reading": _reading(settings, scale, w, own=False),
        },
        first,
        w.say("Department"),
        settings,
        scale,
        w,
        own=False,
    )


def _groups(judged: Judged, data: FeedbackInput) -> tuple[JudgedGroup | None, list[JudgedGroup], bool]:
    """The group on the first half, those for the other one, and whether the first is all pathologies together.

    Then the others are those that differ from the rest, the most surely first; else all, the most said first.
    """
    single = list(judged.groups)
    if judged.pooled is None or data.pooled is None:
        return (single[0], single[1:], False) if single else (None, [], False)
    apart = {part.name: (-part.probability, -part.n, part.name) for part in data.pooled.parts if part.differs}
    return judged.pooled, sorted((g for g in single if g.topic in apart), key=lambda g: apart[g.topic]), True


def _card(
    content: Json,
    data: FeedbackInput,
    whose: str,
    settings: Settings,
    scale: Scale | None,
    w: Language,
    *,
    own: bool,
) -> Json:
    """The content with the parts that all cards have; provenance and days are those of ``data``."""
    return content | {
        "name": whose,
        "own": own,
        "scale": "" if scale is None else scale.name,
        "footer": " · ".join(filter(None, (whose, content["when"]))),
        "limits": limits(data.provenance, settings, w),
        "provenance": provenance_rows(data.provenance, settings, w, data.days, of_pairs=own),
    }


def _section(
    group: JudgedGroup,
    settings: Settings,
    scale: Scale | None,
    w: Language,
    usual: Mapping[str, float] | None = None,
) -> Json:
    """The words of one group, the strongest first.

    ``rank``, from 0, says which come first where there is little room: the words said most; with ``usual``, the rates
    of all pathologies together, those for which most statements turned out otherwise.
    """
    enough = [j for j in group.words if j.rate.n >= settings.min_phrase_n]

    def weight(j: JudgedWord) -> float:
        return j.rate.n if usual is None else j.rate.n * abs(j.rate.rate - usual.get(j.name, j.rate.rate))

    ranked = sorted(enough, key=lambda j: (-weight(j), -j.rate.n, j.name))
    rank = {j.name: place for place, j in enumerate(ranked)}
    few = sorted((j for j in group.words if j.name not in rank), key=lambda j: (-j.rate.n, j.name))
    return {
        "head": begun(w.pathology(group.topic)),
        "rows": [_row(j, rank[j.name], scale, w) for j in enough],
        "few": w.say(
            "Not enough data (fewer than {n} uses): {words}.",
            n=str(settings.min_phrase_n),
            words=w.listed([w.quoted(j.name) for j in few], MOST_NAMED),
        )
        if few
        else "",
    }


def _row(j: JudgedWord, rank: int, scale: Scale | None, w: Language) -> Json:
    p = j.rate
    return {
        "rank": rank,
        "phrase": w.quoted(p.phrase),
        "rate": w.percent(p.rate),
        "spread": w.spread(p.low, p.high, j.decimals),
        "n": w.count(p.n),
        "mean": _mean(j.phrase, w),
        "band": _band(p.phrase, scale, w),
        "differs": j.differs,
    }


def _mean(phrase: Phrase | None, w: Language) -> str:
    return w.percent(mean_of(phrase)) if phrase is not None else w.say("not in the list")


def _band(phrase: str, scale: Scale | None, w: Language) -> str:
    """What the scale says of a word: its range, that it is to be avoided, or nothing."""
    if scale is None:
        return ""
    if (word := stated(scale, phrase)) is not None:
        return w.percent_range(word.low, word.high)
    return w.say("avoid") if normalise(phrase) in map(normalise, scale.avoid) else "\u2013"


def _together(
    inputs: Sequence[FeedbackInput], phrases: Mapping[str, Phrase], settings: Settings, scale: Scale | None, w: Language
) -> list[Json]:
    cells: dict[str, list[coarse.Cell]] = {}
    for data in inputs:
        said: dict[str, tuple[float, float]] = {}
        for p in (p for r in data.reliabilities for p in r.phrases):
            n, y = said.get(p.phrase, (0.0, 0.0))
            said[p.phrase] = n + p.n, y + p.positives
        for phrase, figures in said.items():
            cells.setdefault(phrase, []).extend(coarse.cells([figures]))
    known = shown_words({phrase: parts for phrase, parts in cells.items() if phrase in phrases})
    by_use = sorted(known, key=lambda phrase: (-known[phrase][0], phrase))
    rank = {phrase: place for place, phrase in enumerate(by_use)}
    rows = []
    for phrase in sorted(known, key=lambda phrase: (-mean_of(phrases[phrase]), phrase)):
        n, y = known[phrase]
        rows.append(
            {
                "rank": rank[phrase],
                "phrase": w.quoted(phrase),
                "rate": w.percent(coarse.rounded(y / n)),
                "spread": w.spread(*of_cells(cells[phrase], settings.confidence)),
                "n": w.banded(n),
                "mean": _mean(phrases[phrase], w),
                "band": _band(phrase, scale, w),
                "differs": False,
            }
        )
    return rows


def _method(settings: Settings, scale: Scale | None, w: Language) -> str:
    """The method in one line or two, for the card itself."""
    told = w.say(
        "CT within {hours}\u00a0h, {confidence} interval. Taken as: what readers take the word to mean, on average.",
        hours=w.hours(settings.window_hours),
        confidence=w.percent(settings.confidence),
    )
    of_scale = "" if scale is None else w.say("{scale}: the department\u2019s scale.", scale=scale.name)
    return f"{told} {of_scale}".strip()


def _reading(settings: Settings, scale: Scale | None, w: Language, *, own: bool) -> list[str]:
    """How to use and read the card, for the rest of the sheet."""
    told = explained(
        "card",
        w,
        {"own": own, "scale": scale is not None},
        hours=w.hours(settings.window_hours),
        confidence=w.percent(settings.confidence),
        absent=w.quoted("absent"),
        tolerance=f"{100 * PLAIN_TOLERANCE:g}",
        scale=scale.name if scale else "",
    )
    return [paragraph["text"] for paragraph in told]
