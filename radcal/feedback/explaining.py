"""The last page: how to read the others, their limits, and the sources of the numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from radcal.calibration.analysis_records import Provenance, Unread
from radcal.calibration.records import SURE
from radcal.calibration.unread import unread_note
from radcal.system.files import Json
from radcal.system.language.catalogue import Language
from radcal.system.language.manners import DASH, NBSP
from radcal.system.resources import resource
from radcal.system.selection import ALL_DAYS, Days
from radcal.system.settings import Settings
from radcal.words.phrases import PLAIN_TOLERANCE


def explanations() -> Mapping[str, list[Mapping[str, str]]]:
    """The paragraphs of resources/explanations.toml, by page."""
    return tomllib.loads(resource("explanations.toml").read_text("utf-8"))


def explained(page: str, w: Language, shown: Mapping[str, bool], **values: str) -> list[Json]:
    """The paragraphs of :func:`explanations` for a page with their headings, only about what the page shows.

    Args:
        shown: by its name there, whether the page shows it.
        values: what is filled in.
    """
    values = {"sure": w.sure(SURE), **values}
    return [
        {"head": w.say(told["head"]) if "head" in told else "", "text": w.say(told["text"], **values)}
        for told in explanations()[page]
        if "when" not in told or shown[told["when"]]
    ]


def reading(settings: Settings, w: Language, days: Days = ALL_DAYS, **shown: bool) -> list[Json]:
    """How to read an author's pages; ``shown``: what they show, as of :func:`explained`."""
    return explained(
        "personal",
        w,
        {**shown, "days": days.are_limited},
        days=w.days_chosen(days),
        confidence=w.percent(settings.confidence),
        present=w.quoted("present"),
        absent=w.quoted("absent"),
        tolerance=f"{100 * PLAIN_TOLERANCE:g}",
    )


def limits(provenance: Provenance, settings: Settings, w: Language, unread: Unread | None = None) -> list[str]:
    """The limits of the numbers; ``unread``: what was left out of them as unread, None for nothing."""
    errors = _extraction(provenance, w), provenance.reading_errors, unread_note(unread) if unread else ""
    told = [paragraph["text"] for paragraph in explained("limits", w, {}, hours=w.hours(settings.window_hours))]
    return [*told[:2], " ".join(w.write(sentence) for sentence in errors if sentence), *told[2:]]


def _extraction(provenance: Provenance, w: Language) -> str:
    """That the findings were extracted by software, and its error rate."""
    if not provenance.extraction_accuracy:
        return w.say(
            "Software read the findings from the report texts ({engine}). How often it errs was not measured here.",
            engine=w.write(provenance.engine),
        )
    measure = w.say(
        "Software read the findings from the report texts ({engine}). Its accuracy was measured on reports checked by "
        "hand ({accuracy}).",
        engine=w.write(provenance.engine),
        accuracy=w.write(provenance.extraction_accuracy).rstrip(".").replace("F1 ", f"F1{NBSP}"),
    )
    if "F1" not in provenance.extraction_accuracy:
        return measure
    return f"{measure} {w.say('F1 is 1 where software misses no statement and invents none.')}"


def made_with(p: Provenance, w: Language) -> str:
    """Where the numbers come from, in a line."""
    return w.say(
        "Read by {engine}; lexicon {lexicon}, settings {settings}, seed {seed}, RadCal {version}; made on {day}.",
        engine=f"{w.write(p.engine)} {p.engine_version.partition('+')[0]}".strip(),  # without those of its libraries
        lexicon=p.lexicon,
        settings=p.settings_hash,
        seed=str(p.seed),
        version=p.versions.get("radcal", ""),
        day=w.day(p.created),
    )


def provenance_rows(
    provenance: Provenance, settings: Settings, w: Language, days: Days = ALL_DAYS, *, of_pairs: bool = True
) -> list[list[str]]:
    """Everything needed to reproduce the page, as name-value pairs.

    ``of_pairs``: with the examinations and pairs that one author's pages are made from
    """
    p = provenance
    of_each = w.say("{n}; each counts once for every pathology that its X-ray report speaks of", n=w.count(p.n_pairs))
    examined = [[w.say("Examinations"), _examined(p, w, days)], [w.say("X-ray and CT pairs"), of_each]]
    rows = [
        [w.say("Days chosen"), w.days_chosen(days)],
        *(examined if of_pairs else []),
        [w.say("Engine"), f"{w.write(p.engine)} {p.engine_version}".strip()],
        [w.say("Lexicon"), p.lexicon],
        [w.say("Settings"), p.settings_hash],
        [w.say("Seed"), str(p.seed)],
        [
            w.say("Intervals"),
            w.say(
                "{confidence}, {n} resamples", confidence=w.percent(settings.confidence), n=w.count(settings.bootstrap)
            ),
        ],
        [w.say("Versions"), ", ".join(f"{name} {version}" for name, version in sorted(p.versions.items()))],
        [w.say("Made on"), w.day(p.created)],
    ]
    return [row for row in rows if row[1]]


def _examined(p: Provenance, w: Language, days: Days) -> str:
    if p.first_exam and p.last_exam:
        return f"{w.day(p.first_exam)} {DASH} {w.day(p.last_exam)}"
    return w.say("none in these days") if days.are_limited else w.say("dates not known")
