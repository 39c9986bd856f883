"""The versions of a report, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from radcal.reports.records import Use
from ui.words import moment, say

if TYPE_CHECKING:
    from radcal.calibration.cases import Case
    from radcal.reports.records import ReportVersion


def version_facts(version: ReportVersion, name: str) -> str:
    """What a text is, when it was written and whom it names, such as "Draft · 01.03.24 08:40 · Doe"."""
    at = moment(version.time) if version.time is not None else say("time unknown")
    return " \u00b7 ".join(filter(None, (name, at, version.people)))


def of_nobody(case: Case) -> Case:
    """The case without those whom its versions name, as it stands among cases of several radiologists."""

    def bare(version: ReportVersion) -> ReportVersion:
        return replace(version, people="")

    xray, ct = (replace(r, versions=tuple(map(bare, r.versions))) for r in (case.xray, case.ct))
    draft = case.draft and replace(case.draft, draft=bare(case.draft.draft), signed=bare(case.draft.signed))
    return replace(case, xray=xray, ct=ct, draft=draft)


def kept_apart(versions: Sequence[ReportVersion]) -> str:
    """The texts written after the CT under a heading each, to stand below the report; '' if there are none."""
    return "\n\n".join(
        f"{version_facts(version, _AFTER[version.status]())}\n{version.text}"
        for version in versions
        if version.use is Use.AFTER_CT
    )


_AFTER = {
    "addendum": lambda: say("Addendum, written after the CT: not counted"),
    "corrected": lambda: say("Corrected version, written after the CT: not counted"),
    "final": lambda: say("Final version, written after the CT: not counted"),
    "preliminary": lambda: say("Preliminary version, written after the CT: not counted"),
    "": lambda: say("Another version, written after the CT: not counted"),
}


def apart_note(versions: Sequence[ReportVersion]) -> str:
    """That a report has texts from after the CT, and which version counts; '' if it has none."""
    if not any(version.use is Use.AFTER_CT for version in versions):
        return ""
    if any(version.use is Use.COUNTED and version.status == "preliminary" for version in versions):
        return say("The preliminary report counts: what was written after the CT stands below it and does not count.")
    return say(
        "The report counts as it stood before the CT; what was written after it stands below and does not count."
    )
