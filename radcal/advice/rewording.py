"""Replacement of one certainty word by another, where the result is likely to be a correct sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from radcal.findings.records import Finding

_BESIDE = 40
"""Most characters between the certainty words and the pathology, such as 'a new right lower lobe'."""
_AS_ADJECTIVE = {"possibly": "possible", "probably": "probable", "question of": "questionable"}
"""Phrases with another form as a predicate: 'edema is possible'."""
_PREDICATES = frozenset({"very unlikely", "unlikely", "question of", "possibly", "probably", "likely", "most likely"})
"""Phrases that can follow the pathology as a predicate."""
_VERBS = frozenset({"may represent", "maybe"})
"""Phrases that cannot follow 'is' or 'are'."""
_LINKING = re.compile(r"(?:is|are|was|were)\b", re.IGNORECASE)
_LINKED = re.compile(r"\b(?:is|are|was|were|be)\s+$", re.IGNORECASE)
_END = re.compile(r"[.;:!?\n]")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replacement of ``draft[start:end]`` by ``text``."""

    start: int
    end: int
    text: str


def rewordings(draft: str, finding: Finding, target: str) -> Iterator[Edit]:
    """Edits that may reword a finding with the phrase ``target``, best first; the result has to be read to be sure.

    Two forms are handled: the certainty words before the pathology ("likely edema"), or after it as a predicate
    ("edema is likely").  The first letter keeps its case.
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
