"""``radcal casemix``: radiologists compared for the same mix of cases, and a department's groups."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from radcal.calibration.report import case_mix_to_json, subgroups_to_json
from radcal.calibration.subgroup_records import GROUPINGS, STRATIFIERS, Stratifier
from radcal.cli.passphrases import department_for_exports
from radcal.cli.summaries import TOO_FEW, Summary, counted, entered, shown_names
from radcal.system import coarse, exports
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.settings import ALL_TOPICS

COLUMNS = ", ".join(STRATIFIERS)


def casemix(args: argparse.Namespace, bar: Progress) -> Summary:
    """Compare all radiologists of the latest analysis in like cases, and write it as JSON.

    The file has the fields of :class:`radcal.calibration.subgroup_records.CaseMix`, and as "groups" the reliability of
    each group of the columns that are no pathologies; radiologists by the pseudonyms of `radcal run` and `radcal
    sensitivity`, and then as coarse as :mod:`radcal.system.coarse` has it: bands of n, no probabilities, nothing of the
    department's.

    Returns:
        The summary: authors, compared (those with enough findings like others'), strata, unknown, out, and ``text``.

    Raises:
        InputError: an unknown column or one given twice, or a file cannot be used or written.
        DataError: there is no analysis, or nothing was said of the pathology.
    """
    by = [name.strip() for name in args.by.split(",") if name.strip()]
    chosen: list[Stratifier] = [name for name in STRATIFIERS if name in by]
    if not by or len(chosen) < len(by):
        raise InputError(
            "{by!r} is not a list of columns to compare by. There are: {columns}. Name each once, with commas "
            "between them.",
            by=",".join(by),
            columns=COLUMNS,
        )
    with department_for_exports(args) as department:
        of = department.department_groups
        topic = args.topic or ALL_TOPICS
        made = of.case_mix(chosen, topic, progress=bar)
        groups = [of.of(name, topic=topic, progress=bar) for name in GROUPINGS if name in chosen]
        names = shown_names(department, named=args.names)
        authors = tuple(replace(a, author=names.get(a.author, a.author)) for a in made.authors)
        plain = case_mix_to_json(replace(made, authors=authors)) | {"groups": [subgroups_to_json(g) for g in groups]}
        if not args.names:
            plain = _coarse(plain)
        department.exports.write(args.out, exports.values(plain, "case mix"))
        strata = counted(len(made.strata), "stratum", "strata")
        compared = sum(a.like_cases is not None for a in made.authors)
        text = (
            f"{compared} of {counted(len(made.authors), 'radiologist', 'radiologists')} used a word in cases like "
            f"others' often enough ({made.fewest}), over {strata}. All are in {args.out}."
        )
        if not args.names and not plain["authors"]:
            text += f" {TOO_FEW}"
        if made.unknown:
            text += f" {counted(made.unknown, 'hedged finding', 'hedged findings')} of no known stratum left out."
        summary = {
            "authors": len(made.authors),
            "compared": compared,
            "strata": len(made.strata),
            "unknown": made.unknown,
            "out": str(args.out),
            "text": text,
        }
        return entered(summary, department)


def _coarse(made: dict[str, Any]) -> dict[str, Any]:
    """What may be known of radiologists under pseudonyms; none of them where they are too few.

    What the department has in all is left out, and so is what its rates and its mix are worked into: whoever knows
    their own figures would subtract them.
    """
    each = [_coarse_author(a, made["fewest"]) for a in made["authors"] if a["n"] >= coarse.FEWEST]
    kept = {"by", "topic", "fewest"}
    shown = {
        name: made[name] if name in kept else [] if isinstance(made[name], (list, tuple)) else None for name in made
    }
    return shown | {"authors": each if len(each) >= coarse.FEWEST else []}


def _coarse_author(author: dict[str, Any], fewest: int) -> dict[str, Any]:
    """Whether a word lies apart, unless it would tell on which side of a threshold n is."""
    settled = coarse.band(author["n"]).low >= fewest
    told = {
        name: {"differs": author[name]["differs"]} if settled and author[name] else None
        for name in ("in_all", "like_cases")
    }
    return {"author": author["author"], "n": coarse.range_of(author["n"]), "covered": None, "lacking": [], **told}
