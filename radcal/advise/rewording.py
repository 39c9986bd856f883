"""One certainty word put in the place of another in a sentence, where that is likely to leave a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.records import Finding

_BESIDE = 40
"""Characters that may stand between the certainty words and the pathology, such as 'a new right lower lobe'."""
_AS_ADJECTIVE = {"possibly": "possible", "probably": "probable", "question of": "questionable"}
"""Phrases that are said otherwise as a predicate: 'edema is possible'."""
_PREDICATES = frozenset({"very unlikely", "unlikely", "question of", "possibly", "probably", "likely", "most likely"})
"""Phrases that can stand behind the pathology; others need another sentence."""
_VERBS = frozenset({"may represent", "maybe"})
"""Phrases that do not follow 'is' or 'are'."""
_LINKING = re.compile(r"(?:is|are|was|were)\b", re.IGNORECASE)
_LINKED = re.compile(r"\b(?:is|are|was|were|be)\s+$", re.IGNORECASE)
_END = re.compile(r"[.;:!?\n]")


@dataclass(frozen=True, slots=True)
class Edit:
    """Put ``text`` in the place of ``draft[start:end]``."""

    start: int
    end: int
    text: str


def rewordings(draft: str, finding: Finding, target: str) -> Iterator[Edit]:
    """Edits that may say a finding with the phrase ``target`` instead, the best first; read the result to be sure.

    Two shapes are tried: the certainty words before the pathology ("likely edema"), and behind it as a predicate
    ("edema is likely").  Elsewhere a swap of words would seldom leave a sentence.  The first letter keeps its case.
    """
    start, end = finding.cue_start, finding.cue_end
    if not 0 <= start < end <= len(draft):
        return
    words = draft[start:end]
    before = end <= finding.term_start
    gap = draft[end : finding.term_start] if before else draft[finding.term_end : start]
    if len(gap) > _BESIDE or _END.search(gap):
        return
    linking = _LINKING.match(words)
    if before:
        # "is likely edema" and "findings are likely edema" may not become "is may represent edema".
        if target in _VERBS and (linking or _LINKED.search(draft, max(0, start - 8), start)):
            return
        verb = f"{linking.group()} " if linking else ""
        for said in dict.fromkeys((_AS_ADJECTIVE.get(target, target), target)):
            yield Edit(start, end, _cased(words, verb + said))
    elif target in _PREDICATES:
        verb = f"{linking.group()} " if linking else ""
        yield Edit(start, end, _cased(words, verb + _AS_ADJECTIVE.get(target, target)))


def _cased(words: str, said: str) -> str:
    """``said`` with a capital where ``words`` has one."""
    return said[:1].upper() + said[1:] if words[:1].isupper() else said
