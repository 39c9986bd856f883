"""The content of the pages on one person's drafts and the wording that was signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from radcal.reliability.evidence import Change, OwnDrafts
from radcal.system.files import Json
from radcal.system.language.catalogue import Language, language
from radcal.system.selection import Days

_EXAMPLES = 12
"""Reports that are printed, the latest of those in which a phrase changed."""
_AROUND = 80
"""Unchanged characters before and after a change."""


def drafts_content(own: OwnDrafts, w: Language | None = None) -> Json:
    """The content of a person's pages, in the words of a language (English).

    Nobody else is named: who signed is no part of it.
    """
    w = w or language()
    compared = [c for _, c in own.compared]
    reworded = [(day, c) for day, c in own.compared if any(p.changed for p in c.phrases)]
    days = sorted(day for day, _ in own.compared)
    when = w.days_chosen(own.days if own.days.are_limited or not days else Days(days[0], days[-1]))
    title = w.say("Your drafts and the signed wording")
    return {
        "title": title,
        "meta": " · ".join(filter(None, [own.person, w.counted(len(compared), "{n} draft", "{n} drafts"), when])),
        "footer": " · ".join(filter(None, [title, own.person, when])),
        "summary": w.say(
            "Signed without a change: {same}. Reworded so that something else is said of a pathology: {changed}.",
            same=w.out_of(sum(not any(x.kind for x in c.changes) for c in compared), len(compared)),
            changed=w.out_of(len(reworded), len(compared)),
        ),
        "words": _words(own, w),
        "examples": [
            {
                "head": w.day(day) if own.dated else "",
                "said": "; ".join(
                    w.say("{pathology}: {draft}, signed as {signed}", pathology=w.pathology(p.pathology),
                          draft=_said(p.draft, w), signed=_said(p.signed, w))
                    for p in c.phrases if p.changed
                ),
                "pieces": [[kind, text] for kind, text in _excerpt(c.changes)],
            }
            for day, c in reworded[:_EXAMPLES]
        ],
        "limits": [
            w.say("The signed wording is another reader\u2019s, not the truth; the CT is not considered here."),
            w.say("The rules read both texts; where they misread one, the meaning may not have changed."),
            w.say("Drafts are listed where the source has the draft, the signed report, and the names behind both."),
        ],
    }  # fmt: skip


def _words(own: OwnDrafts, w: Language) -> list[list[str]]:
    """Each change of words: draft, signed, how often, and on which pathologies; the most frequent first."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for p in (p for _, c in own.compared for p in c.phrases if p.changed):
        found.setdefault((p.draft, p.signed), Counter())[p.pathology] += 1
    ordered = sorted(found.items(), key=lambda change: (-change[1].total(), change[0]))
    return [
        [
            _said(draft, w),
            _said(signed, w),
            w.count(of.total()),
            ", ".join(f"{w.pathology(name)} ({w.count(n)})" for name, n in of.most_common()),
        ]
        for (draft, signed), of in ordered
    ]


def _said(phrase: str, w: Language) -> str:
    return w.quoted(phrase) if phrase else w.say("(nothing)")


def _excerpt(changes: Sequence[Change]) -> list[tuple[str, str]]:
    """The changes with the words around them."""
    made: list[tuple[str, str]] = []
    for i, change in enumerate(changes):
        text = " ".join(change.text.split())
        text = f"{' ' * change.text[:1].isspace()}{text}{' ' * change.text[-1:].isspace()}"
        if not change.kind:
            text = _shortened(text, first=i == 0, last=i == len(changes) - 1)
        made.append((change.kind, text))
    return made


def _shortened(text: str, *, first: bool, last: bool) -> str:
    """The whole words next to the changes on both sides, with an ellipsis where much stands between them."""
    after = "" if first else text[:_AROUND].rpartition(" ")[0] + " "
    before = "" if last else " " + text[-_AROUND:].partition(" ")[2]
    return f"{after}\u2026{before}" if len(after) + len(before) + _AROUND // 2 < len(text) else text
