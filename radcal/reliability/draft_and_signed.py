"""A trainee's draft against the wording that was signed: word by word, and pathology by pathology."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from radcal.findings.records import Finding
from radcal.reliability.evidence import Change, ChangedPhrase

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def changes(draft: str, signed: str) -> tuple[Change, ...]:
    """The texts as pieces that both have, that were removed, and that were added, in order.

    All but the added pieces make up the draft, all but the removed ones the signed text, except that of differing white
    space the signed one stands.
    """
    before, after = _WORDS.findall(draft), _WORDS.findall(signed)
    made: list[Change] = []
    # White space compares equal, so that other line breaks are no changes.
    said = [[" " if w.isspace() else w for w in words] for words in (before, after)]
    matcher = SequenceMatcher(None, said[0], said[1], autojunk=False)
    for what, i, j, k, m in matcher.get_opcodes():
        if what == "equal":
            made.append(Change("", "".join(after[k:m])))
            continue
        if removed := "".join(before[i:j]):
            made.append(Change("removed", removed))
        if added := "".join(after[k:m]):
            made.append(Change("added", added))
    return tuple(made)


def changed_phrases(draft: Iterable[Finding], signed: Iterable[Finding]) -> tuple[ChangedPhrase, ...]:
    """The phrase of each pathology in both texts, in the order of the signed text, changed or not.

    Args:
        draft, signed: one finding per pathology, as decided for the report
    """
    before, after = ({f.pathology: f for f in findings} for findings in (draft, signed))
    return tuple(
        ChangedPhrase(
            pathology,
            *(found[pathology].phrase if pathology in found else "" for found in (before, after)),
        )
        for pathology in dict.fromkeys([*after, *before])
    )
