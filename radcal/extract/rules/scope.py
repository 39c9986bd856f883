"""Which cue governs which finding: by scope, not by distance alone.

Cues before a finding are carried from left to right and end at what stops them; then
:mod:`radcal.extract.rules.backward_scope` lets cues behind a finding reach back to it, and
:mod:`radcal.extract.rules.alternatives` doubts what is left of "X or Y".
"""

from __future__ import annotations

import re
from dataclasses import replace

from radcal.extract.rules.alternatives import DESCRIBED, FAR, NO_CHANGE, UNLIKELY, Mention, doubt_alternatives
from radcal.extract.rules.backward_scope import Behind, ends_part
from radcal.extract.rules.list_scope import Governor, Reach
from radcal.extract.rules.modifiers import denies_change, is_landmark, leaves_open, names_either, weighed
from radcal.extract.rules.organs import OrganState, organ_states
from radcal.extract.rules.tokens import Token
from radcal.extract.rules.vocabulary import MEANS, NOTHING, Cue, Term
from radcal.records import ABSENT, OTHER, PRESENT

_COMMA_GAP = 3
_PARTS = frozenset(("comma", "stop", "colon", "bracket", "and", "or"))
_CLAUSE = re.compile(r"(?:there|this|these|it)\b")
_UNLESS_BEFORE, _UNLESS_BEHIND = 40, 60
"""Characters around a term in which words that rule it out count."""
_BESIDES = re.compile(
    r"(?:\s*(?:associated|adjacent|overlying|underlying|adjoining|compressive|superimposed|post\s*obstructive|secondary"
    r"|accompanying|surrounding|asymmetric|dependent|interstitial|alveolar|(?:a\s+)?component\s+of|relaxation|passive|basilar|basal|bibasilar|lower\s+lobe|left|right|or\s+without))*\s*"
)
"""Between "with" and a finding that is as certain as the one it goes with: "likely effusion with adjacent collapse"."""
_THAT = re.compile(r"\s*that\b")
_LEADS_ON = re.compile(r"\s*(?:this|these|the)\b")
_NOT_EXCLUDED = re.compile(r"(?:can|could|do|does)(?:not|n?\s+(?:not|t))\b")
_ARTICLE = re.compile(r"\s*(?:an?|the|this|these)\s+(?:\w+\s+){0,2}")
_GONE = re.compile(r"(?:(?:complete|interval)\s+)*(?:resolution|clearing|clearance|absence)\s+of\b")
_INSTEAD_GAP = 2
_OVER_GAP = 2
LIKELIER = Cue("hedge", "likely", "before", "near")
"""What "less likely than" does to the finding behind it."""
QUESTION = Cue("hedge", "question of", "before", "group")
VERSUS = Cue("hedge", "possibly", "before", "group", 999)
"""What "versus" does to the findings behind it where nothing else governs them."""
_SEEN = frozenset(("opacity", "consolidation", "nodule", "mass", "pleural effusion", "pneumothorax", "cardiomegaly"))
"""A blanked word before one of these is not taken for a lost hedge."""


def read_mentions(tokens: list[Token], flat: str) -> list[Mention]:
    """Every finding that the sentence asserts, in order, with its phrase and the span of its cue."""
    organs = organ_states(tokens, flat) if any(t.state is not None for t in tokens) else {}
    if not organs and not any(t.term is not None and t.term.pathologies for t in tokens):
        return []
    return _Reader(tokens, flat, organs).read()


class _Reader:
    def __init__(self, tokens: list[Token], flat: str, organs: dict[int, list[OrganState]]) -> None:
        self.tokens = tokens
        self.flat = flat
        self.organs = organs
        self.mentions: dict[int, list[Mention]] = {}
        self.silenced: set[int] = set()
        self.doubtable: set[int] = set()
        self.used: set[int] = set()
        self.holds = [i in organs or (t.term is not None and bool(t.term.pathologies)) for i, t in enumerate(tokens)]
        self.reach = Reach(tokens, flat, self.holds)

    def read(self) -> list[Mention]:
        self._forwards()
        behind = Behind(self.tokens, self.flat, self.mentions, self.silenced, self.doubtable, self.holds)
        chosen: list[tuple[Mention, Token, Cue]] = []
        for i, token in enumerate(self.tokens):
            if token.cue is None:
                continue
            if token.kind == "stop":
                behind.except_from(i)
            if one := behind.one_of_two(i):
                chosen.extend((mention, token, token.cue) for mention in one)
                continue
            if i in self.used or behind.reach_on(i):
                continue
            if token.cue.direction in ("after", "both"):
                behind.reach_back(i, token.cue)
        doubt_alternatives(self.tokens, self.flat, self.mentions, self.silenced)
        for mention, token, cue in chosen:
            mention.phrase, mention.cue_start, mention.cue_end = cue.phrase, token.start, token.end
        self._drop_headings()
        for m in (m for mentions in self.mentions.values() for m in mentions if not m.phrase):
            either = names_either(self.flat, m.start, m.end, len(m.pathologies))
            if either is not None:
                m.phrase, m.cue_start, m.cue_end = VERSUS.phrase, *either
        result = []
        for i in sorted(self.mentions):
            for m in self.mentions[i]:
                if i not in self.silenced or m.fixed:
                    m.phrase = m.phrase or PRESENT
                    result.append(m)
        return result

    # --- cues before their findings ---

    def _forwards(self) -> None:
        governor: Governor | None = None
        for i, token in enumerate(self.tokens):
            kind = token.kind
            if governor is not None and (kind == "small" or self.holds[i]) and self.reach.runs_on(i, governor):
                governor = None
            if self.holds[i]:
                governor = self._mention(i, governor)
                if kind not in ("negation", "hedge"):
                    continue
            if kind in ("", "small"):
                continue
            if kind == "over" and not self._turns_hedge(i):
                if governor is not None and governor.cue.kind == "negation" and NO_CHANGE.match(self.flat, token.start):
                    governor = None  # "no consolidation and no change in the effusion"
                continue
            if kind in ("hedge", "negation", "silence", "over"):
                governor = self._cue(i, token, governor)
            elif kind == "instead":
                looked_back = i > 0 and self.tokens[i - 1].kind == "hedge" and self._looks_back(i - 1)
                adjacent = self._leads_to_finding(i)
                if adjacent and self._is_less_likely(i):
                    governor = Governor(i, LIKELIER, token.start, token.end)
                    continue
                hedged = governor is not None and governor.cue.kind == "hedge"
                if governor is not None and not governor.taken:
                    hedged = hedged and governor.index == i - 1 and not token.gap  # "favored over tumor"
                if adjacent and (looked_back or hedged):
                    governor = Governor(i, UNLIKELY, token.start, token.end)
            elif kind == "blank":
                if (governor is None or governor.suspended) and self._lost_hedge(i):
                    governor = Governor(i, Cue("hedge", OTHER, "before", "group", 999), token.start, token.end)
            elif governor is None:
                if kind in ("versus", "either"):
                    governor = Governor(i, VERSUS, token.start, token.end)
            elif kind == "stop":
                if not (self._awaits_clause(i, governor) and _CLAUSE.match(self.flat, token.start)):
                    governor = None
            elif kind == "colon":
                if governor.index != i - 1 or token.gap or not self._leads_on(governor):
                    governor = None
                elif governor.cue.kind == "hedge":
                    governor.cue = replace(governor.cue, reach="list")
            elif kind == "verb":
                governor.closing = governor.taken > 0 and not self._tells(i, governor)
                if governor.cue.kind == "silence" and governor.cue.reach == "near":
                    governor = None
            elif kind == "with":
                if not token.gap and self.tokens[i - 1].kind in ("or", "versus"):
                    continue  # "infectious or related to aspiration"
                if governor.cue.kind == "hedge":
                    governor.suspended = self._ends_with(i, governor)
                elif governor.taken or governor.cue.kind == "silence":
                    governor = None
            elif kind in ("comma", "bracket"):
                if not self.reach.passes_comma(i, governor):
                    governor = None
            elif kind == "lists":
                if governor.cue.kind == "hedge" and governor.cue.reach == "list":
                    governor.suspended = False  # "the differential for this nodule includes ..."
            elif kind == "and":
                if not self.reach.passes_and(i, governor):
                    governor = None
            elif kind in ("or", "versus"):
                governor.closing = False
                governor.suspended = governor.suspended and kind == "or"
                governor.alternative = True

    def _cue(self, i: int, token: Token, governor: Governor | None) -> Governor | None:
        cue = token.cue
        assert cue is not None  # noqa: S101 - a token of these kinds has a cue
        if cue.kind == "over":
            cue = Cue("hedge", cue.phrase, "before", "group", cue.rank)
        elif cue.kind == "silence" and leaves_open(self.flat, token):
            cue = QUESTION
        elif cue.kind == "negation" and denies_change(self.flat, token):
            return None
        if cue.direction == "after" or (cue.direction == "both" and self._looks_back(i)):
            return governor
        start, end = token.start, token.end
        if cue.kind == "hedge" and (weight := weighed(self.flat, token)):
            phrase, start, end = weight
            cue = replace(cue, phrase=phrase)
        new = Governor(i, cue, start, end, suspended=self._lists_later(i, cue), clause=self._leads_clause(i))
        if governor is None or (governor.clause and not governor.taken and governor.cue.kind != "negation"):
            return new
        if cue.kind == "negation":
            gone = governor.cue.kind == "silence" and not governor.taken and _GONE.match(self.flat, token.start)
            return governor if gone and self._adjoins(governor, i) else new  # "assess for resolution of the effusion"
        if governor.clause and governor.cue.kind == cue.kind == "hedge" and any(self.holds[i + 1 : i + FAR]):
            self._release(governor, i)  # "it is felt that the opacity may represent edema"
            return new
        after_comma = token.gap <= _COMMA_GAP and self.tokens[i - 1].kind == "comma"
        old = governor.cue
        if old.kind == "negation" and cue.kind == "hedge" and not after_comma:
            # "the absence of effusion does not exclude embolism"
            return new if governor.taken and _NOT_EXCLUDED.match(self.flat, token.start) else governor
        if old.kind == "silence" and cue.kind == "hedge" and not governor.taken and not after_comma:
            return new if old.reach == "near" else governor
        if old.kind == "hedge" and cue.kind == "hedge" and not governor.taken and self._adjoins(governor, i):
            self.used.update((governor.index, i))
            weaker = old if old.rank <= cue.rank else cue
            return Governor(i, weaker, governor.start, token.end)
        if old.kind == "hedge" and old.reach != "near" and cue.kind == "silence" and not governor.taken:
            goes_on = cue.reach != "near" and self._adjoins(governor, i)
            return governor if goes_on else new  # "consistent with history of fibrosis"
        return new

    def _leads_on(self, governor: Governor) -> bool:
        """Whether a cue reaches past a colon: "Indication: pneumonia", "Leading consideration: edema"."""
        words = self.flat[governor.start : governor.end]
        return governor.cue.kind == "silence" or (
            governor.cue.kind == "hedge" and (governor.cue.reach == "list" or " " in words)
        )

    def _lists_later(self, i: int, cue: Cue) -> bool:
        """Whether what a differential is of stands between it and its list."""
        if cue.kind != "hedge" or cue.reach != "list" or not self.flat.endswith((" for", " of"), 0, self.tokens[i].end):
            return False
        return any(t.kind == "lists" for t in self.tokens[i + 1 : i + FAR])

    def _leads_to_finding(self, i: int) -> bool:
        """Whether a finding stands right behind the token at ``i``, whatever its size: "than mild edema"."""
        j = i + 1
        while j < min(len(self.tokens), i + FAR) and self.tokens[j].kind == "small" and not self.holds[j]:
            j += 1
        return j < len(self.tokens) and self.holds[j] and sum(t.gap for t in self.tokens[i + 1 : j + 1]) <= _INSTEAD_GAP

    def _is_less_likely(self, i: int) -> bool:
        """Whether "than" at ``i`` compares what is less likely: "pneumonia is less likely than edema"."""
        for j in range(i - 1, max(-1, i - FAR), -1):
            cue = self.tokens[j].cue
            if cue is not None and cue.kind == "hedge":
                return cue.phrase == UNLIKELY.phrase and self.flat.startswith("than", self.tokens[i].start)
            if self.tokens[j].kind not in ("", "small"):
                return False
        return False

    def _leads_clause(self, i: int) -> bool:
        """Whether a clause hangs on the cue: "it is likely that the opacity ...", "likely this nodule ..."."""
        end = self.tokens[i].end
        if self.flat.endswith("that", 0, end) or _THAT.match(self.flat, end):
            return True
        return i == 0 and not self.tokens[i].gap and _LEADS_ON.match(self.flat, end) is not None

    def _tells(self, i: int, governor: Governor) -> bool:
        """Let the hedge be about what the verb at ``i`` tells: "it is likely that the opacity represents edema".

        What stands between the two is there.
        """
        if not governor.clause or governor.cue.kind != "hedge":
            return False
        following = i + 1
        while following < min(len(self.tokens), i + FAR) and self.tokens[following].kind in (
            "small",
            "either",
            "blank",
        ):
            following += 1
        if following == len(self.tokens) or not self.holds[following]:
            return False
        cue = self.tokens[i].cue
        if (cue is None or cue.phrase != MEANS) and self.tokens[i + 1].gap > 1:
            return False
        self._release(governor, i)
        return True

    def _release(self, governor: Governor, i: int) -> None:
        """Take the cue off all that it governs before the token at ``i``."""
        for j in range(governor.index, i):
            for m in self.mentions.get(j, ()):
                if m.cue_start == governor.start:
                    m.phrase, m.cue_start, m.cue_end = "", -1, -1
        governor.taken = 0

    def _ends_with(self, i: int, governor: Governor) -> bool:
        """Whether a hedge ends at the "with" at ``i``: not before what only goes with the finding that it doubts."""
        following = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
        if not governor.taken or following is None or following.kind == "small":
            return governor.taken > 0
        return not (self.holds[i + 1] and _BESIDES.fullmatch(self.flat, self.tokens[i].end, following.start))

    def _turns_hedge(self, i: int) -> bool:
        """Whether words that are read over hedge the finding right behind: "likely old fracture"."""
        cue = self.tokens[i].cue
        if cue is None or not cue.rank:
            return False
        words = 0
        for j in range(i + 1, min(len(self.tokens), i + FAR)):
            words += self.tokens[j].gap
            if self.tokens[j].kind in ("or", "versus"):
                words = 0  # "likely reactive airways disease or viral infection"
            elif words > _OVER_GAP or not (
                self.holds[j] or self.tokens[j].kind == "small" or self.tokens[j].subject == NOTHING
            ):
                return False
            if self.holds[j]:
                return True
        return False

    def _awaits_clause(self, i: int, governor: Governor) -> bool:
        """Whether the cue's finding can only be in the clause that begins here: "I suspect there is edema"."""
        return (
            governor.index == i - 1
            and self.tokens[i].gap <= 1
            and not governor.taken
            and governor.cue.kind in ("hedge", "silence")
        )

    def _adjoins(self, governor: Governor, i: int) -> bool:
        if i - governor.index > FAR:
            return False
        between = self.tokens[governor.index + 1 : i + 1]
        return sum(t.gap for t in between) <= 3 and not any(t.kind == "comma" for t in between[:-1])

    def _looks_back(self, i: int) -> bool:
        """A cue of both directions that follows its finding: "effusion possible, atelectasis ..."."""
        if not ends_part(self.tokens, self.flat, i):
            return False
        cue = self.tokens[i].cue
        if cue is not None and cue.predicate:
            return True
        before = self.tokens[i - 1] if i else None
        if before is not None and before.kind == "bracket" and i + 1 < len(self.tokens):
            return not self.tokens[i].gap and self.tokens[i + 1].kind == "bracket"  # "atelectasis (favored)"
        return before is not None and (
            (before.kind == "verb" and self.tokens[i].gap <= 1) or (self.holds[i - 1] and self.tokens[i].gap == 0)
        )

    def _mention(self, i: int, governor: Governor | None) -> Governor | None:
        token = self.tokens[i]
        term = token.term
        if term is not None and term.pathologies and not self._is_no_finding(i, term):
            mention = Mention(i, token.start, token.end, term.pathologies)
            self.mentions.setdefault(i, []).append(mention)
            if governor is not None and governor.cue.kind == "silence" and self._is_told(i, governor):
                governor = None
            self._govern(mention, governor)
        for state in self.organs.get(i, ()):
            governor = self._organ(i, state, governor)
        return governor

    def _is_told(self, i: int, governor: Governor) -> bool:
        """Whether a history is over before the finding at ``i``: "given the history of melanoma a metastasis ..."."""
        if not governor.taken or not self.holds[i - 1]:
            return False
        return _ARTICLE.fullmatch(self.flat, self.tokens[i - 1].end, self.tokens[i].start) is not None

    def _organ(self, i: int, state: OrganState, governor: Governor | None) -> Governor | None:
        organ, said = self.tokens[state.since], self.tokens[state.state]
        first, last = (said, organ) if state.joined else (organ, said)
        mention = Mention(i, first.start, last.end, (state.pathology,))
        near = governor is not None and (
            governor.index > state.since
            if not state.joined
            else governor.index == state.state - 1 and not governor.taken
        )
        if governor is not None and not state.joined and not near and governor.cue.kind == "negation":
            # "no nodes are enlarged": the negation stands right before the organ
            near = not governor.taken and all(
                t.kind not in ("comma", "and") for t in self.tokens[governor.index : state.since]
            )
        if state.absent:
            negated = near and governor is not None and governor.cue.kind == "negation"
            silent = near and governor is not None and governor.cue.kind == "silence"
            if not negated and not silent:
                mention.phrase, mention.cue_start, mention.cue_end = ABSENT, said.start, said.end
                mention.fixed = True
                self.mentions.setdefault(i, []).append(mention)
            return None
        self.mentions.setdefault(i, []).append(mention)
        if state.joined or near:
            self._govern(mention, governor)
            return governor
        return None

    def _govern(self, mention: Mention, governor: Governor | None) -> None:
        if governor is None or governor.suspended:
            return
        if governor.cue.kind != "silence" and governor.taken and is_landmark(self.flat, self.tokens[mention.index]):
            return
        governor.taken += 1
        self.used.add(governor.index)
        if governor.cue.kind == "silence":
            self.silenced.add(mention.index)
            if governor.cue.reach == "near":
                self.doubtable.add(mention.index)
        else:
            mention.phrase = governor.cue.phrase
            mention.cue_start, mention.cue_end = governor.start, governor.end

    def _is_no_finding(self, i: int, term: Term) -> bool:
        """Whether other words of the sentence say that the term at ``i`` states nothing of its own."""
        if term.unless is not None and self._ruled_out(i, term.unless):
            return True
        return term.sign_of is not None and self._is_named_behind(i, term.sign_of)

    def _ruled_out(self, i: int, unless: re.Pattern[str]) -> bool:
        token = self.tokens[i]
        start, end = max(0, token.start - _UNLESS_BEFORE), min(len(self.flat), token.end + _UNLESS_BEHIND)
        for j in range(i - 1, -1, -1):
            if self.tokens[j].end <= start or self.tokens[j].kind in _PARTS:
                start = max(start, self.tokens[j].end)
                break
        for j in range(i + 1, len(self.tokens)):
            kind = self.tokens[j].kind
            if self.tokens[j].start >= end or kind in _PARTS or kind == "negation" or self._goes_with(j):
                end = min(end, self.tokens[j].start)
                break
        return unless.search(self.flat, start, end) is not None

    def _is_named_behind(self, i: int, named: re.Pattern[str]) -> bool:
        """Whether what a sign is of is named further on in the same statement."""
        ahead = self.tokens[i + 1 : i + FAR]
        ends = (t.start for t in ahead if t.kind in ("stop", "negation") and not self.flat.startswith("which", t.start))
        stop = next(ends, ahead[-1].end if ahead else self.tokens[i].end)
        return named.search(self.flat, self.tokens[i].end, stop) is not None

    def _goes_with(self, i: int) -> bool:
        """Whether another thing begins: "opacification of the left hemithorax with mediastinal shift"."""
        return self.tokens[i].kind == "with" and self.flat[self.tokens[i].start : self.tokens[i].end] == "with"

    def _lost_hedge(self, i: int) -> bool:
        """A blanked word between what is seen and its cause: "opacity in the base, XXXX atelectasis"."""
        token = self.tokens[i]
        after = i + 1
        while (
            after < min(len(self.tokens), i + FAR)
            and self.tokens[after].kind == "blank"
            and self.tokens[after].gap == 0
        ):
            after += 1
        before = self.tokens[i - 1] if i else None
        comma = before is not None and before.kind == "comma" and not token.gap
        if after < len(self.tokens) and self.tokens[after].kind == "small" and self.tokens[after].gap == 0:
            after += 1
        if after >= len(self.tokens) or self.tokens[after].gap > (1 if comma else 0):
            return False
        term = self.tokens[after].term
        if term is None or not term.pathologies or set(term.pathologies) & _SEEN:
            return False
        if before is None or (token.gap == 0 and before.kind in ("with", "and", "or", "small", "verb", "blank")):
            return False
        if comma:
            return True
        for j in range(i - 1, max(-1, i - FAR), -1):
            if self.tokens[j].kind in ("stop", "colon", "with", "negation"):
                return False
            if any(set(m.pathologies) & DESCRIBED for m in self.mentions.get(j, ())):
                return True
        return False

    # --- headings ---

    def _drop_headings(self) -> None:
        """ "Nodules: no new nodules" states one thing: the heading only names it."""
        named: set[str] = set()
        for i in sorted(self.mentions, reverse=True):
            following = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
            heading = following is not None and following.kind == "colon" and not following.gap
            if heading and all(set(m.pathologies) <= named for m in self.mentions[i]):
                del self.mentions[i]
            else:
                named.update(p for m in self.mentions[i] for p in m.pathologies)
