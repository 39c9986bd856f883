"""How far a cue reaches to the right: through the commas and the "and" of lists, not into the next statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from radcal.extract.rules.alternatives import FAR, OR_GAP
from radcal.extract.rules.tokens import Token
from radcal.extract.rules.vocabulary import Cue

_AND_GAP = 4
_AFFIRMS = re.compile(r"\s+(?:also |again |now )?(?:present|noted|evident|there)\b")
"""Behind "is": what says that a finding is there. ("Seen" ends lists of what is not, too.)"""


@dataclass(slots=True)
class Governor:
    """The cue that holds at the moment of reading.

    ``clause`` says that a whole clause hangs on it: "it is likely that ..."
    """

    index: int
    cue: Cue
    start: int
    end: int
    taken: int = 0
    closing: bool = False
    suspended: bool = False
    alternative: bool = False
    listed: bool = False
    clause: bool = False


_DISEASE = re.compile(r"\b(?:disease|process|findings?|abnormalit(?:y|ies))\s+$")
_DISEASE_LONG = 20
_ARTICLE = re.compile(r"\s*(?:an?|the|this|there|these)\b")
_ONE = re.compile(r"\(\s*(?:an?|the|one|this|there)\b")


class Reach:
    """Where the lists of a sentence go on.

    Args:
        tokens: of the sentence.
        flat: the flattened sentence.
        holds: whether there is a finding at each token.
    """

    def __init__(self, tokens: list[Token], flat: str, holds: list[bool]) -> None:
        self.tokens = tokens
        self.flat = flat
        self.holds = holds
        self.opens_while = flat.startswith(("while ", "although ", "though ", "even though ", "whereas "))

    def passes_comma(self, i: int, governor: Governor) -> bool:
        """Whether the cue holds behind the comma or bracket at ``i``."""
        cue = governor.cue
        following = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
        if following is None or following.kind in ("or", "versus"):
            return True
        if governor.closing or cue.reach == "near":
            return False
        if cue.kind == "hedge" and self.opens_while and _ARTICLE.match(self.flat, self.tokens[i].end):
            return False  # "while this may be infectious, a neoplasm must be considered"
        if self.tokens[i].kind == "bracket" and _ONE.match(self.flat, self.tokens[i].start):
            return False  # "no suspicious nodules (a calcified granuloma is unchanged)"
        positive = following.kind == "small" and following.gap == 0
        if cue.kind == "negation":
            return not (positive or self.affirmed(i)) or self._list_goes_on(i, ("or",))
        if not governor.taken:
            # "infarct is likely, with a small effusion"
            if cue.kind != "hedge" or (following.kind == "with" and governor.index == i - 1):
                return False
            return not (governor.index < i - 1 or self.tokens[i].gap) or not self.affirmed(i)
        if self.holds[i + 1] and not following.gap and (cue.reach == "list" or governor.alternative):
            return True
        return not positive and (cue.reach == "list" or self._hedged_list(i, governor))

    def _list_goes_on(self, i: int, joints: tuple[str, ...]) -> bool:
        """Whether the comma at ``i`` belongs to a list "A, B, or C"."""
        joined, joint = False, ""
        for j in range(i + 1, min(len(self.tokens), i + FAR)):
            kind = self.tokens[j].kind
            if kind == "stop" and joint in ("or", "versus"):
                return True  # "atelectasis, pneumonia or both."
            if kind in ("stop", "colon", "negation", "silence", "hedge", "verb", "with"):
                return False
            if kind in joints:
                joined, joint = True, kind
            elif joined and (self.holds[j] or self.tokens[j].subject is not None):
                return True
        return joined

    def affirmed(self, i: int) -> bool:
        """Whether what follows is a finding said to be there: "no pneumothorax, left effusion is unchanged"."""
        for j in range(i + 1, min(len(self.tokens), i + FAR)):
            if self.holds[j]:
                later = self.tokens[j + 1 : j + 3]
                cue = later[0].cue if later else None
                if cue is not None and cue.kind == "hedge" and (cue.predicate or cue.direction == "after"):
                    return True  # "no effusion, edema is unlikely"
                if later and later[0].kind == "verb" and not later[0].gap:
                    if _AFFIRMS.match(self.flat, later[0].end):
                        return True
                    later = later[1:]
                return bool(later) and not later[0].gap and (later[0].kind == "small" or later[0].state == {})
            if self.tokens[j].kind not in ("", "small"):
                return False
        return False

    def _hedged_list(self, i: int, governor: Governor) -> bool:
        """Whether the comma at ``i`` is one of a list "A, B, or C", so that the hedge before A reaches C."""
        following = self.tokens[i + 1]
        if following.kind == "and":
            return governor.listed and not following.gap
        if not self.holds[i + 1] or following.gap > OR_GAP or not self._list_goes_on(i, ("or", "versus", "and")):
            return False
        governor.listed = True
        return True

    def runs_on(self, i: int, governor: Governor) -> bool:
        """Whether a new statement begins at ``i`` though nothing parts the two: "no acute disease stable granuloma"."""
        token = self.tokens[i]
        if token.kind == "small" and not self.holds[i]:
            if governor.taken:
                return self.holds[i - 1] and (not token.gap or governor.cue.kind == "hedge")
            begin = max(governor.end, token.start - _DISEASE_LONG)
            return governor.cue.kind == "negation" and _DISEASE.search(self.flat, begin, token.start) is not None
        if governor.cue.kind != "negation" or not governor.taken or not self.holds[i - 1]:
            return False
        return token.gap <= _AND_GAP and self.affirmed(i - 1)

    def passes_and(self, i: int, governor: Governor) -> bool:
        """Whether the cue holds behind the "and" at ``i``."""
        if governor.closing or governor.cue.reach == "near":
            return False
        if i + 1 == len(self.tokens):
            return True
        following = self.tokens[i + 1]
        if following.kind == "small" and following.gap == 0:
            return governor.listed or (governor.cue.kind == "negation" and self._list_goes_on(i, ("or",)))
        if governor.cue.kind == "negation" and self.affirmed(i):
            return False
        return not self.holds[i + 1] or following.gap <= _AND_GAP
