"""Cues behind their findings: "effusion not seen", "pneumonia or edema is possible", "fracture is suspected"."""

from __future__ import annotations

from radcal.extract.rules.alternatives import FAR, Mention
from radcal.extract.rules.tokens import Token
from radcal.extract.rules.vocabulary import CAUSE, Cue
from radcal.records import ABSENT

_BACK_GAP = 12
"""Plain words between a finding and the cue behind it."""


def ends_part(tokens: list[Token], flat: str, i: int) -> bool:
    """Whether nothing but the end of its part of the sentence follows the token at ``i``."""
    if i + 1 == len(tokens):
        return not any(c.isalnum() for c in flat[tokens[i].end :])
    following = tokens[i + 1]
    if following.kind == "with" and following.cue is not None and following.cue.phrase == CAUSE:
        return False  # "opacity is likely due to atelectasis"
    return following.gap == 0 and following.kind in ("comma", "stop", "colon", "bracket", "with", "and", "instead")


class Behind:
    """The findings of a sentence as cues reach back to them.

    Args:
        tokens: of the sentence.
        flat: the flattened sentence.
        mentions: token index to the findings there, changed in place.
        silenced: indices of findings that assert nothing, changed in place.
        doubtable: silenced ones that a cue behind them makes assert something after all.
        holds: whether there is a finding at each token.
    """

    def __init__(
        self,
        tokens: list[Token],
        flat: str,
        mentions: dict[int, list[Mention]],
        silenced: set[int],
        doubtable: set[int],
        holds: list[bool],
    ) -> None:
        self.tokens = tokens
        self.flat = flat
        self.mentions = mentions
        self.silenced = silenced
        self.doubtable = doubtable
        self.holds = holds

    def reach_back(self, i: int, cue: Cue) -> None:
        """Let the cue at ``i`` govern the finding before it, and those joined to that one."""
        if cue.kind == "stop" or (
            cue.direction == "both" and not cue.predicate and not ends_part(self.tokens, self.flat, i)
        ):
            return
        head = self._head(i, cue)
        if head < 0 or (cue.reach == "near" and (head != i - 1 or self.tokens[i].gap)):
            return
        for j in (head, *self._named_twice(head), *self._joined_before(head, i, cue)):
            for mention in self.mentions.get(j, ()):
                if mention.phrase == ABSENT or (mention.phrase and j != head):
                    continue
                if cue.kind == "silence":
                    self.silenced.add(j)
                    continue
                if j in self.doubtable:
                    self.silenced.discard(j)  # "CT recommended as malignancy cannot be excluded"
                mention.phrase = cue.phrase
                mention.cue_start, mention.cue_end = self.tokens[i].start, self.tokens[i].end

    def _named_twice(self, head: int) -> list[int]:
        """The other half of "COVID pneumonia", which names one finding in two words."""
        before = self.mentions.get(head - 1, ())
        named = {p for m in self.mentions[head] for p in m.pathologies}
        return [head - 1] if not self.tokens[head].gap and any(named & set(m.pathologies) for m in before) else []

    def _joined_before(self, head: int, i: int, cue: Cue) -> list[int]:
        """The findings that share the cue behind ``head``, as in "effusion or edema is possible"."""
        several = cue.kind == "negation" or self.flat.startswith("are ", self.tokens[i].start)
        group = []
        # "pneumonia, aspiration, and hemorrhage are possible": a list goes on behind the last finding
        joined = listed = several and any(t.kind in ("and", "or") for t in self.tokens[head + 1 : i])
        for j in range(head - 1, max(-1, head - FAR), -1):
            kind = self.tokens[j].kind
            if self.mentions.get(j):
                if not joined:
                    break
                group.append(j)
            elif kind in ("or", "versus") or (kind == "and" and several):
                joined, listed = True, kind != "versus"
            elif kind == "comma" and listed:
                joined = True
            elif not (self.holds[j] or kind in ("", "small", "blank", "bracket", "over")):
                break
        return group

    def _head(self, i: int, cue: Cue) -> int:
        """The nearest finding to the left that the cue can be about, -1 for none."""
        words = self.tokens[i].gap
        for j in range(i - 1, max(-1, i - FAR), -1):
            token = self.tokens[j]
            if self.mentions.get(j):
                return j
            if token.kind == "stop" and j == i - 1 and not self.tokens[i].gap and token.end - token.start > 1:
                continue  # "less conspicuous but not excluded"
            if token.kind == "stop" or (token.kind in ("negation", "silence") and token.cue is not cue):
                return -1
            if token.kind == "with" and cue.kind == "negation":
                return -1
            if token.kind == "colon" and (cue.kind != "negation" or j != i - 1):
                return -1
            words += token.gap
            if words > _BACK_GAP:
                return -1
        return -1
