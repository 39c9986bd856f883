"""Cues behind their findings: "effusion not seen", "pneumonia or edema is possible", "fracture is suspected"."""

from __future__ import annotations

import re

from radcal.extract.rules.alternatives import DESCRIBED, FAR, Mention
from radcal.extract.rules.modifiers import keeps_open, only_places, out_of_sight
from radcal.extract.rules.tokens import Token
from radcal.extract.rules.vocabulary import CAUSE, Cue
from radcal.records import ABSENT, PRESENT

_BACK_GAP = 12
"""Plain words between a finding and the cue behind it."""

_NOT_EXCLUDED = "possibly"
_ADVERBS = re.compile(r"(?:\s*\b(?:\w+ly\b|with\s+(?:any\s+)?certainty|today|here|though|however|either))*[^a-z0-9]*")
"""What may stand between a cue behind its finding and the end: "not entirely excluded radiographically"."""
_HERE = re.compile(r"(?:on|in|at|by)\s+th(?:is|ese)\b")
_SEVERAL = re.compile(r"\b(?:are\s+(?:\w+\s+)?|all\s+|both\s+|each\s+|equally\s+)$")
_SEVERAL_BEFORE = 24
"""Characters before a cue in which words can say that it is about several findings: "are all possible"."""
_YIELDS = re.compile(
    r"(?:should|must|ought\s+to|(?:need|ha)\w*\s+to|(?:is|are)?\s*to)\s+be\s+(?:excluded|ruled\s+out)"
    r"|in\s+(?:the|an?)\s+(?:right|correct|proper|appropriate|suitable|relevant)\b"
)
"""What takes nothing from a doubt that is already told: "less likely but should be excluded"."""
_TELLS = re.compile(r"\s*(?:an?|the|due|related|secondary|from|to\s+(?:be|represent|reflect))\s")
"""Behind a hedge: it is about what follows, be that a finding of ours or not."""
_ANOTHER = re.compile(
    r"[\s,]*(?:(?:a|an|the|that\s+on\s+the|very|small|tiny|subtle|early|minimal|left|right|other|smaller|sided)\s+)+"
    r"(?:(?:one|ones|side|component)\s+)?"
)
"""What stands for a finding named before: "no pneumothorax, but a small one cannot be excluded"."""

_ONE_MORE = re.compile(
    r"\s*(?:(?:a|an|the|very|definite|small|tiny|trace|subtle|early|minimal|larger|smaller|similar|left|right|sided"
    r"|second|bilateral|contralateral)\s+)*(?:ones?|component)\b(?!\s+of\b)"
)
"""What stands for it behind the cue: "small right effusion, and there may be a tiny left one"."""
_ON_THE_OTHER = re.compile(
    r"\s+(?:is\s+|are\s+|seen\s+)*(?:on|in|at)\s+(?:the\s+)?(?:left|right|other|opposite|contralateral)\b"
)
"""Behind "none": "small left effusion, none on the right"."""
_EXCEPT = re.compile(
    r"(?:except|other\s+than|aside\s+from|apart\s+from|with\s+the\s+exception\s+of)\s+(?:(?:for|an?|the)\s+)*"
    r"(?:(?:\w+\s+){0,3}?(?:ones?|those)\b|(?:trace|small|tiny|minimal|mild)(?:\s+amount)?\s+(?:on|at|in)\b)"
)
"""What is excepted from a denial without being named again: "no effusion except a trace on the left"."""
_WHICH = re.compile(r"\s*(?:the|that\s+the)?\s*(former|latter)\b")
_WHICH_BEFORE = re.compile(r"\b(former|latter)\s+(?:(?:is|being|was|seems|appears|would\s+be|felt|thought)\s+)*$")
_WHICH_FAR = 40
"""Characters before a cue in which the former or the latter is looked for."""


def ends_part(tokens: list[Token], flat: str, i: int) -> bool:
    """Whether nothing but the end of its part of the sentence follows the token at ``i``."""
    if i + 1 == len(tokens):
        return _ADVERBS.fullmatch(flat, tokens[i].end) is not None
    following = tokens[i + 1]
    if following.kind == "over" and not following.gap and _HERE.match(flat, following.start):
        return True
    if following.kind == "with" and following.cue is not None and following.cue.phrase == CAUSE:
        return False  # "opacity is likely due to atelectasis"
    if following.subject is not None and flat.startswith(("none", "nil"), tokens[i].start):
        return True  # "lungs clear effusions none heart normal"
    if following.kind not in ("comma", "stop", "colon", "bracket", "with", "and", "instead"):
        return False
    return not following.gap or _ADVERBS.fullmatch(flat, tokens[i].end, following.start) is not None


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
        self.says_one = " one" in flat or " component" in flat
        self.says_which = " former" in flat or " latter" in flat

    def reach_back(self, i: int, cue: Cue) -> None:
        """Let the cue at ``i`` govern the finding before it, and those joined to that one."""
        if cue.kind == "stop" or (
            cue.direction == "both" and not cue.predicate and not ends_part(self.tokens, self.flat, i)
        ):
            return
        if cue.kind == "hedge" and cue.reach == "near" and not ends_part(self.tokens, self.flat, i):
            return  # "the nodule in question is calcified"
        if cue.kind == "hedge" and cue.direction == "both" and _TELLS.match(self.flat, self.tokens[i].end):
            return  # "the nodule is likely an intrapulmonary lymph node"
        head = self._head(i, cue)
        if cue.kind == "negation" and self._keep_open(i):
            return
        if head < 0:
            self._say_again(i, cue)
        if head < 0 or (cue.reach == "near" and (head != i - 1 or self.tokens[i].gap)):
            return
        yields = _YIELDS.match(self.flat, self.tokens[i].start) is not None
        if yields and self.flat.startswith("in", self.tokens[i].start) and not ends_part(self.tokens, self.flat, i):
            return  # "effusions in the right clinical setting suggest failure"
        unseen = cue.kind == "negation" and out_of_sight(self.flat, self.tokens[i])
        for j in (head, *self._named_twice(head), *self._joined_before(head, i, cue)):
            for mention in self.mentions.get(j, ()):
                if mention.phrase == ABSENT or (mention.phrase and (j != head or yields)):
                    continue
                if cue.kind == "silence" or unseen:
                    self.silenced.add(j)
                    continue
                if j in self.doubtable or self.flat.startswith("none", self.tokens[i].start):
                    # "CT recommended as malignancy cannot be excluded"; "evaluation is limited, but none is seen"
                    self.silenced.discard(j)
                mention.phrase = cue.phrase
                mention.cue_start, mention.cue_end = self.tokens[i].start, self.tokens[i].end

    def reach_on(self, i: int) -> bool:
        """Let the cue at ``i`` govern the word that stands behind it for a finding named before; whether one does."""
        token = self.tokens[i]
        if token.cue is None or token.kind not in ("hedge", "negation"):
            return False
        none = self.flat.startswith("none", token.start) and _ON_THE_OTHER.match(self.flat, token.end)
        if not none and (not self.says_one or _ONE_MORE.match(self.flat, token.end) is None):
            return False
        named = next((self.mentions[j][0] for j in range(i - 1, max(-1, i - FAR), -1) if self.mentions.get(j)), None)
        if named is not None:
            self._add(named, token.cue.phrase, token)
        return named is not None

    def except_from(self, i: int) -> None:
        """Let what is excepted at ``i`` be there: "no nodule other than the one described"."""
        if _EXCEPT.match(self.flat, self.tokens[i].start) is None:
            return
        named = next((self.mentions[j][0] for j in range(i - 1, max(-1, i - FAR), -1) if self.mentions.get(j)), None)
        if named is not None and named.phrase == ABSENT and not named.fixed:
            self.mentions[named.index].append(Mention(named.index, named.start, named.end, named.pathologies, PRESENT))

    def one_of_two(self, i: int) -> list[Mention]:
        """The one of two findings that the cue at ``i`` is about: "atelectasis or pneumonia, the former favored"."""
        token = self.tokens[i]
        if not self.says_which or token.kind not in ("hedge", "negation"):
            return []
        which = _WHICH.match(self.flat, token.end) or _WHICH_BEFORE.search(
            self.flat, max(0, token.start - _WHICH_FAR), token.start
        )
        two = [j for j in range(max(0, i - FAR), i) if self.mentions.get(j)][-2:]
        return self.mentions[two[which[1] == "latter"]] if which is not None and len(two) > 1 else []

    def _add(self, named: Mention, phrase: str, by: Token) -> None:
        again = Mention(named.index, named.start, named.end, named.pathologies, phrase, by.start, by.end)
        self.mentions[named.index].append(again)

    def _keep_open(self, i: int) -> bool:
        """Doubt what "neither ... nor" denied where the negation at ``i`` denies that it is excluded."""
        open_ones = [
            m
            for j in range(i - 1, max(-1, i - FAR), -1)
            for m in self.mentions.get(j, ())
            if m.phrase == ABSENT and m.cue_start >= 0 and keeps_open(self.flat, m.cue_start, self.tokens[i])
        ]
        for m in open_ones:
            m.phrase, m.cue_start, m.cue_end = _NOT_EXCLUDED, self.tokens[i].start, self.tokens[i].end
        return bool(open_ones)

    def _say_again(self, i: int, cue: Cue) -> None:
        """Let the cue be about a finding of the part before: "the right effusion is smaller; the left has resolved"."""
        token, before = self.tokens[i], i - 1
        while before >= max(0, i - FAR) and self.tokens[before].kind in ("small", "") and not self.mentions.get(before):
            before -= 1
        if before < 0 or self.tokens[before].kind not in ("stop", "comma") or cue.kind == "silence":
            return
        if not _ANOTHER.fullmatch(self.flat, self.tokens[before].end, token.start):
            return
        for j in range(before - 1, max(-1, before - FAR), -1):
            if self.mentions.get(j):
                self._add(self.mentions[j][0], cue.phrase, token)
                return

    def _named_twice(self, head: int) -> list[int]:
        """The other half of "COVID pneumonia", which names one finding in two words."""
        before = self.mentions.get(head - 1, ())
        named = {p for m in self.mentions[head] for p in m.pathologies}
        return [head - 1] if not self.tokens[head].gap and any(named & set(m.pathologies) for m in before) else []

    def _joined_before(self, head: int, i: int, cue: Cue) -> list[int]:
        """The findings that share the cue behind ``head``, as in "effusion or edema is possible"."""
        begin = self.tokens[i].start
        several = (
            cue.kind == "negation"
            or self.flat.startswith("are ", begin)
            or _SEVERAL.search(self.flat, max(0, begin - _SEVERAL_BEFORE), begin) is not None
            or self._opens_as_pair(head)
        )
        group = []
        # "pneumonia, aspiration, and hemorrhage are possible": a list goes on behind the last finding
        joined = listed = several and any(t.kind in ("and", "or") for t in self.tokens[head + 1 : i])
        shown = cue.kind == "hedge" and not self._describes(head)
        for j in range(head - 1 - len(self._named_twice(head)), max(-1, head - FAR), -1):
            kind = self.tokens[j].kind
            if self.mentions.get(j):
                if not joined or (shown and self.tokens[j + 1].kind == "comma" and self._describes(j)):
                    break  # "opacity, atelectasis or pneumonia?"
                group.append(j)
            elif kind in ("or", "versus") or (kind == "and" and several):
                joined, listed = True, kind != "versus"
            elif kind == "comma" and listed:
                joined = True
            elif not (self.holds[j] or kind in ("", "small", "blank", "bracket", "over")):
                break
        return group

    def _describes(self, j: int) -> bool:
        return any(set(m.pathologies) & DESCRIBED for m in self.mentions[j])

    def _opens_as_pair(self, head: int) -> bool:
        """Whether a part opens with two bare findings: "pneumonia and edema cannot be excluded"."""
        tokens = self.tokens
        return (
            2 <= head < FAR
            and tokens[head - 1].kind == "and"
            and not tokens[head].gap
            and not tokens[head - 1].gap
            and bool(self.mentions.get(head - 2))
            and (tokens[head - 3].kind == "with" or all(t.kind == "small" for t in tokens[: head - 2]))
        )

    def _head(self, i: int, cue: Cue) -> int:
        """The nearest finding to the left that the cue can be about, -1 for none."""
        words = self.tokens[i].gap
        aside = self._aside(i)
        for j in range(i - 1, max(-1, i - FAR), -1):
            token = self.tokens[j]
            if aside <= j < i:
                continue
            if self.mentions.get(j):
                return self._beside(j)
            if token.kind == "stop" and j == i - 1 and not self.tokens[i].gap and token.end - token.start > 1:
                continue  # "less conspicuous but not excluded"
            if token.kind == "stop" or (token.kind in ("negation", "silence") and token.cue is not cue):
                return -1
            if token.kind == "with" and (cue.kind == "negation" or (not cue.predicate and words)):
                return -1  # "a neoplastic mass with invasion suspected"
            if token.kind == "colon" and (cue.kind != "negation" or j != i - 1):
                return -1
            words += token.gap
            if words > _BACK_GAP:
                return -1
        return -1

    def _aside(self, i: int) -> int:
        """Where the doubt set between commas before the cue at ``i`` begins: "pneumonia, while possible, is ...".

        ``i`` if there is none.
        """
        before = self.tokens[max(0, i - 4) : i]
        if self.tokens[i].gap or [t.kind for t in before] != ["comma", "stop", "hedge", "comma"]:
            return i
        return i - 4

    def _beside(self, j: int) -> int:
        """The finding that the one at ``j`` only places, else ``j``: "pneumonia superimposed on edema is possible"."""
        if not only_places(self.flat, self.tokens[j]):
            return j
        for k in range(j - 1, max(-1, j - FAR), -1):
            if self.mentions.get(k):
                return j if any(m.phrase for m in self.mentions[k]) else k
            if self.tokens[k].kind not in ("", "small", "with", "blank", "stop"):
                return j
            if self.tokens[k].kind == "stop" and not self.flat.startswith("superimposed", self.tokens[k].start):
                return j
        return j
