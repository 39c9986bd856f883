"""Findings joined by "or" and "versus": uncertain where no cue says how sure the report is of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from radcal.extract.rules.modifiers import is_landmark
from radcal.extract.rules.tokens import Token
from radcal.extract.rules.vocabulary import Cue

UNLIKELY = Cue("hedge", "unlikely", "before", "group")
OR_GAP = 3
_VERSUS_GAP = 5
FAR = 60
"""Tokens that are looked at in any one direction; no sentence of a report has a list so long."""
_ALL_OF_THEM = re.compile(
    r"\s*(?:both|all|some|any|a)\s*(?:of\s+(?:these|them)|three|combination(?:\s+of\s+(?:these|both|the\s+two))?)?"
    r"(?:\s+thereof)?\s*(?:[.,;)]|$)"
)
"""Behind "or": names no further finding, as in "atelectasis, pneumonia or both"."""
NO_CHANGE = re.compile(
    r"(?:no|not|without|little)\b.{0,200}?(?:chang|increas|decreas|improve|wors|progress|enlarge|resol)"
)
_NAMED = frozenset(("opacity", "nodule", "mass"))
"""Names of a shadow: "nodule or opacity" doubts the name only."""
DESCRIBED = _NAMED | {"consolidation"}


@dataclass(slots=True)
class Mention:
    """A finding at a place of the sentence; ``phrase`` is '' as long as nothing governs it."""

    index: int
    start: int
    end: int
    pathologies: tuple[str, ...]
    phrase: str = ""
    cue_start: int = -1
    cue_end: int = -1
    fixed: bool = False


def doubt_alternatives(tokens: list[Token], flat: str, mentions: dict[int, list[Mention]], silenced: set[int]) -> None:
    """Make "possibly" of the ungoverned findings on both sides of "versus" and, where they differ, of "or".

    Args:
        tokens: of the sentence.
        flat: the flattened sentence.
        mentions: token index to the findings there, changed in place.
        silenced: indices of findings that assert nothing.
    """
    _Alternatives(tokens, flat, mentions, silenced).resolve()


class _Alternatives:
    def __init__(self, tokens: list[Token], flat: str, mentions: dict[int, list[Mention]], silenced: set[int]) -> None:
        self.tokens = tokens
        self.flat = flat
        self.mentions = mentions
        self.silenced = silenced

    def resolve(self) -> None:
        for i, token in enumerate(self.tokens):
            if token.kind == "versus":
                self._doubt(i, self._neighbour(i, -1, _VERSUS_GAP), self._neighbour(i, 1, _VERSUS_GAP))
            elif token.kind == "or" and not self._of_change(i):
                left, right = self._neighbour(i, -1, OR_GAP), self._neighbour(i, 1, OR_GAP)
                if left >= 0 and _ALL_OF_THEM.match(self.flat, token.end):
                    self._doubt(i, left, *self._listed(left))
                elif left >= 0 and right >= 0 and self._differ(left, right):
                    self._doubt(i, left, right, *self._listed_before(left, i))
                elif left >= 0 and self._is_unlikelier(i + 1) and not self._describes(left):
                    self._doubt(i, left)  # "scarring or less likely pneumonia"

    def _of_change(self, i: int) -> bool:
        """Whether the "or" at ``i`` joins what has not changed: "no change in the effusion or the edema"."""
        for j in range(i - 1, max(-1, i - FAR), -1):
            token = self.tokens[j]
            if token.kind == "over":
                return NO_CHANGE.match(self.flat, token.start) is not None
            if token.kind in ("comma", "stop", "colon", "bracket", "verb"):
                return False
        return False

    def _is_unlikelier(self, i: int) -> bool:
        cue = self.tokens[i].cue if i < len(self.tokens) else None
        return cue is not None and cue.phrase == UNLIKELY.phrase

    def _describes(self, i: int) -> bool:
        return any(set(m.pathologies) & DESCRIBED for m in self.mentions[i])

    def _listed_before(self, left: int, joint: int) -> list[int]:
        """The findings before ``left`` in a list "A, B, or C"."""
        return self._listed(left) if self.tokens[joint - 1].kind == "comma" else []

    def _listed(self, left: int) -> list[int]:
        """The findings that stand before ``left`` with nothing but commas between them."""
        listed = []
        j = left
        while j >= 2 and self.tokens[j - 1].kind == "comma" and self.tokens[j].gap + self.tokens[j - 1].gap <= 1:
            j -= 2
            if not self.mentions.get(j) or self._describes(j):
                break
            listed.append(j)
        return listed

    def _differ(self, left: int, right: int) -> bool:
        a = {p for m in self.mentions[left] for p in m.pathologies}
        b = {p for m in self.mentions[right] for p in m.pathologies}
        free = all(not m.phrase or m.phrase == "possibly" for k in (left, right) for m in self.mentions[k])
        return free and not a & b and not (a | b) <= _NAMED

    def _neighbour(self, i: int, step: int, most: int) -> int:
        words = 0
        j = i
        while 0 <= j + step < len(self.tokens):
            words += self.tokens[j + step if step > 0 else j].gap
            j += step
            if words > most:
                return -1
            if self.mentions.get(j):
                return j if j not in self.silenced and not is_landmark(self.flat, self.tokens[j]) else -1
            kind = self.tokens[j].kind
            if kind == "comma" and step < 0 and words and self.tokens[i].kind == "versus":
                return -1  # "adenopathy, sarcoidosis versus lymphoma"
            if kind not in ("", "small", "blank", "comma" if step < 0 else "", "over"):
                return -1
        return -1

    def _doubt(self, i: int, *indices: int) -> None:
        for j in indices:
            for mention in self.mentions.get(j, ()) if j >= 0 else ():
                if not mention.phrase:
                    mention.phrase = "possibly"
                    mention.cue_start, mention.cue_end = self.tokens[i].start, self.tokens[i].end
