"""Names behind cues: titles, labels, roles, and what is done to people and by them.

Which words are cues of which kind says ``resources/deidentify/words.tsv``; :mod:`judging` decides whether the run of
words beside a cue is a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from radcal.ingest.deidentify.judging import Judge, Trust
from radcal.ingest.deidentify.openings import openings
from radcal.ingest.deidentify.runs import GAP, Runs
from radcal.ingest.deidentify.spans import FILLED, NAMED
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import NAME, Is

_COLON = re.compile(
    r"\.?[ \t]*(?:\([^()\n]{0,20}\)|#\d|\d|\)|[*_]+)?[ \t]*(?::[*_]*|=|\||\t|[-–—]{1,2}(?=[ \t]))[\s:*_]*"
)
_TO_RUN = re.compile(r"(?:['’]s)?[.:,/]?[ \t]*\n?[ \t]*[(\"'*]?")
_LIST = re.compile(r"[ \t]*(?:,|;|/|&|\+|\n)?[ \t\n]*(?:[-*•][ \t])?")
_MARKS = "(\"'*_. "
_PHRASES = re.compile(
    r"(?:(?<![^\W_])(?:on behalf of|(?:under )?the (?:supervision|care|direction|guidance|request) of"
    r"|under (?:the )?(?:supervision|care) of|(?:wife|husband|mother|father|office|service|team|discretion) of"
    r"|(?i:baby (?:of|girl|boy)(?: of)?|(?:new-?born |infant )?(?:girl|boy|twin|son|daughter|child|infant"
    r"|newborn) of)"
    r"|(?:known|dictating|signing|registered|identified) as|(?i:named|née|nee|geborene|namens|alias|aka)"
    r"|[Tt]hank(?:s| you)(?:,| for (?:referring|asking me to see|sending)| to)?"
    r"|[Cc]onsent(?:ed)?(?: was)?(?: obtained| given| taken)?(?: from| by)"
    r"|[Cc]ontact|[Aa]ttn\.?|ATTN\.?|(?:previously |last |report )?seen by|agrees? with|printed for"
    r"|called (?=[\"“])|identifiziert als"
    r"|(?:Name|name|radiologist|physician|contact|provider|attending) is"
    r"|I,|Ich,|Dear|DEAR|Hi|Hello|Hallo|Lieber?|Guten (?:Tag|Morgen|Abend)|Grüezi|Grüß Gott|Servus|Moin|Good "
    r"(?:morning|afternoon|evening|day),?|Kolleg(?:e|in|en)"
    r"|[Gg]ez\.?|[Mm]aster|MASTER|[Dd]/[Ww]|geb\.|verh\.|verw\.|i\. ?[AV]\.)|/[eE]?[sS]/"
    r"|(?m:^)(?:Re|RE|Regarding|REGARDING|Betreff|Betr\.)[:,]?)[ ]*(?<!\w)(?=[^\W\d_])"
)
_GREETING = re.compile(
    r"(?mi:^[ \t]*(?:(?:yours )?(?:sincerely|truly|faithfully)(?: yours)?|(?:(?:kind|best|warm|with kind"
    r"|many) )?regards"
    r"|best(?: wishes)?|respectfully(?: submitted)?|mit (?:freundlichen|kollegialen|besten) grü(?:ß|ss)e?n?"
    r"|hochachtungsvoll|signed|gezeichnet|gez\.)[,.:]?[ \t]*\n[ \t\n]{0,6}|^[ \t]*(?:best|regards|thanks|cheers"
    r"|sincerely),[ \t]+)(?=[^\W\d_])|(?:(?<=[.!?] )|(?m:^))(?:Best|Thx|Thanks|Cheers|Regards|"
    r"(?:[^\W\d_]+ ){0,3}[Gg]r(?:üße|uß|üsse|uss)(?: (?:aus|von|vom)(?: [^\W\d_]+){1,3}(?=,))?),?[ ](?:Dein "
    r"|Deine |Ihr |Ihre )?"
    r"(?=[^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*)?\s*\Z)"
)
_SIGNED_AT = re.compile(
    r"(?<![^\W_])(?:e-)?(?:signed|verified|approved|finali[sz]ed|authenticated|dictated|reported|addendum|validiert"
    r"|freigegeben|gezeichnet|unterschrieben|addendum|nachtrag)"
    r"(?:[ ]on)?[ :,#]{1,3}(?:(?:\ufffc+|\d[\d:./]*|at|um|uhr|[ap]\.?m\.?|h)[ ,:-]{0,3}){1,6}(?<=[ ,])(?=[^\W\d_])",
    re.IGNORECASE,
)
_NICKNAME = re.compile(r" ?[(\"“][^\W\d_a-z][^\W\d_A-Z]{1,15}[)\"”]")
_OWN_LINE = re.compile(r"[ \t]*(?:$|\n)")
_NAMED = Is.EITHER | Is.RARE
_NAMES_OF = ("patient", "pt", "full", "last", "first", "family", "given", "maiden")
_FORWARD = Is.TITLE | Is.STRONG | Is.ROLE | Is.LABEL | Is.ACT | Is.BY | Is.TO | Is.DIRECT | Is.SUBJECT | Is.SERVICE


class Cues:
    """Takes the names behind the cues of a text."""

    def __init__(self, runs: Runs, judge: Judge, taken: Taken) -> None:
        self.runs, self.judge, self.taken = runs, judge, taken
        self.t = runs.t

    def find(self) -> None:
        """Take the names behind all cues."""
        t = self.t
        for n in range(t.count - 1):
            if t.kinds[n] & _FORWARD or ":" in t.gap(n):
                self._forward(n)
        for m in _PHRASES.finditer(t.text):
            self._names(t.at(m.end()), Trust.LIKELY)
        for m in _SIGNED_AT.finditer(t.text):
            self._names(t.at(m.end()), Trust.LIKELY, self.judge.possible)
        for m in _GREETING.finditer(t.text):
            self._signature(t.at(m.end()))
        for at, every in openings(t.text):
            start, _ = self.runs.behind_titles(self.runs.behind_roles(t.at(at)))
            end = self.runs.whole(start) if start < t.count else start
            if end > start and self.judge.person(start, end) and not self.judge.vetoed(start, end):
                self.taken.take(start, end, certain=True)
            if every:
                self.taken.trust(start)
            self._names(t.at(at), Trust.LIKELY, None if every and not t.german else self.judge.person)

    def _forward(self, n: int) -> None:
        t, kind, gap = self.t, self.t.kinds[n], self.t.gap(n)
        if (colon := _COLON.match(gap)) and colon.end() >= len(gap.rstrip(_MARKS)):
            self._value(n)
            return
        if kind & (Is.TITLE | Is.STRONG):
            self._title(n)
        if kind & Is.SUBJECT:
            self._subject(n)
            return
        if not _TO_RUN.fullmatch(gap) or "." in gap or ("\n" in gap and gap.strip()):
            return
        if kind & Is.SERVICE and gap == " (":
            end = self.runs.whole(n + 1)
            if t.gap(end - 1).startswith(")") and self.judge.accepts(n + 1, end, Trust.LIKELY):
                self.taken.take(n + 1, end, certain=True)
        elif kind & Is.BY and (t.acted(n, 5) or (n and t.kinds[n - 1] & Is.MADE)):
            self._names(n + 1, Trust.LIKELY if t.in_capitals(n + 1) else Trust.LABEL)
        elif kind & Is.BY and not t.german and (t.words[n].islower() or t.in_capitals(n) or t.lower[n] == "per"):
            self._names(n + 1, Trust.SOME)
        elif kind & Is.TO and (
            t.acted(n, 12, Is.TELL) or t.lower[n] == "referring" or (n and t.kinds[n - 1] & Is.MADE)
        ):
            self._names(n + 1, Trust.LIKELY)
        elif kind & Is.DIRECT and gap == " ":
            self._names(n + 1, Trust.LIKELY, weak=self.judge.possible)
        elif kind & Is.ROLE or t.lower[n].endswith("-in-law"):
            self._role(n)
        elif t.lower[n] == "name" and (t.capital(n) or (n and t.lower[n - 1] in _NAMES_OF)):
            self._value(n)

    def _names(self, n: int, trust: Trust, weak: Callable[[int, int], bool] | None = None) -> None:
        """Take the names of a list that begins with word n; weak: what else must hold of the first."""
        t, runs, judge = self.t, self.runs, self.judge
        for _ in range(12):
            if n >= t.count:
                return
            start, titled = runs.behind_titles(runs.behind_roles(n))
            if not titled and runs.whole(start) == start == runs.lower(start):
                start = n
            if t.words[start] == "von" and not titled and start and t.kinds[start - 1] & (Is.ROLE | Is.ACT):
                start += 1  # "Sohn von X"
            trusted = Trust.SURE if titled else trust
            if start >= t.count:
                return
            end = runs.whole(start)
            if end == start and trusted > Trust.SOME:
                end = runs.lower(start)
                listed = n > 0 and (t.before(start) == ", " or (t.kinds[start - 1] & Is.BY and end == start + 1))
                if listed and not titled and not any(t.sure(k) for k in range(start, end)):
                    end = start  # "by kokum", "X, bringt ihn"
                if t.german and trusted == Trust.SURE and end > start and not any(t.sure(k) for k in range(start, end)):
                    end = end if runs.marked(end) else start  # "Die Frau lebt bei"
                if end > start + (trusted == Trust.LIKELY):
                    end = self.taken.take(start, end)
            elif end > start:
                doubtful = weak and not titled and not weak(start, end)
                if doubtful or not judge.accepts(start, end, trusted):
                    return
                self.taken.take(start, end, certain=True)
                if trusted > Trust.LIKELY and _NICKNAME.match(t.text, t.ends[end - 1]) and t.possible(end):
                    end = self.taken.take(end, end + 1)
            if end == start:
                return
            n = runs.behind_credentials(end)
            if n >= t.count or not _LIST.fullmatch(t.before(n).lstrip(".)")):
                return
            gap = t.before(n).strip(" \t.)")
            weak = judge.likely if gap == "," else judge.possible
            if t.lower[n] in ("and", "und", "or", "oder", "sowie", "cc", "then") and not gap.strip(","):
                n += 1
            elif not gap or ("\n" in t.before(n) and not (trust > Trust.LIKELY and self._listed(n))):
                return
            trust = min(trust, Trust.LIKELY)

    def _listed(self, n: int) -> bool:
        """Whether a list of names may go on with word n in a line of its own."""
        t = self.t
        return t.title(n) or (t.sure(n) and not t.kinds[n] & (Is.ROLE | Is.LABEL) and ":" not in t.gap(n))

    def _value(self, n: int) -> None:
        """Take the name that is the value of a label that ends with word n."""
        t, kind = self.t, self.t.kinds[n]
        start, titled = self.runs.behind_titles(n + 1)
        if (
            start >= t.count
            or "\n\n" in t.gap(n)
            or FILLED in t.before(start)
            or NAMED in t.before(start)
            or self.taken[n]
        ):
            return
        if not kind & (Is.ROLE | Is.LABEL | Is.ACT | Is.SUBJECT | Is.BY | Is.TITLE | Is.STRONG):
            self._field(start, kind, titled or self._role_before(n))
            return
        if not self._is_label(n) and not t.acted(n, 8):
            return
        begins = t.is_first(n) or "  " in t.before(n) or self.taken[n - 1] or t.kinds[n - 1] & Is.LABEL
        if kind & Is.TO and not begins and not t.acted(n, 8):
            return
        end = self.runs.whole(start)
        if "\n" in t.gap(n) and not titled:
            words = self.judge.full(start, end)
            if end == start or not (
                self.runs.strongly_marked(end) and len(words) > 1 and self.judge.likely(start, end)
            ):
                return
        ordinary = kind & Is.SUBJECT and not titled and end > start and not self.judge.possible(start, end)
        if ordinary and (end < start + 2 or not self.runs.strongly_marked(end)):
            return
        self._names(start, Trust.SURE if titled else Trust.LABEL)

    def _field(self, start: int, kind: int, role: bool) -> None:
        """Take the whole value of a label that tells nothing: if each of its words looks like a name."""
        t, end = self.t, self.runs.whole(start)
        words = self.judge.full(start, end)
        if role:
            if end == start or self.judge.possible(start, end):
                self._names(start, Trust.LABEL)
            return
        if end == start or t.german or not self.runs.strongly_marked(end) or kind & Is.CLINICAL:
            return
        if (
            len(words) + (end - start > len(words)) > 1
            and all(t.possible(k) and not t.kinds[k] & (Is.CLINICAL | Is.EPONYM) for k in words)
            and any(t.kinds[k] & NAME and not t.kinds[k] & Is.EITHER for k in words)
        ):
            self.taken.take(start, end)

    def _is_label(self, n: int) -> bool:
        """Whether up to six words that end with word n are a label: a line or sentence began with them."""
        t = self.t
        for k in range(n, max(-1, n - 7), -1):
            before = t.before(k)
            if t.is_first(k) or any(c in before for c in ",(\ufffc-/") or re.search(r"\s{2,}", before):
                return True
            if self.taken[k - 1] if k else False:
                return True
        return False

    def _role_before(self, n: int) -> bool:
        """Whether the label that ends with word n names a role: "Consultant in charge:"."""
        t = self.t
        for k in range(n, max(-1, n - 5), -1):
            if t.kinds[k] & Is.ROLE:
                return True
            if t.is_first(k):
                break
        return False

    def _title(self, n: int) -> None:
        t, low, gap = self.t, self.t.lower[n], self.t.gap(n)
        if t.kinds[n] & Is.STRONG:
            if not t.title(n) or (low == "dr" and self._street(n)) or not GAP.fullmatch(gap.rstrip("(\"'")):
                return
            start, titled = self.runs.behind_titles(n)
            if (
                titled
                and n
                and t.before(n) == ", "
                and t.shouted(n - 1)
                and t.possible(n - 1)
                and len(t.words[n - 1]) > 3
            ):
                self.taken.take(n - 1, n, certain=True)  # "KAPOOR, Mrs. Asha"
            known = t.capital(n) or low.startswith(("dr", "mr", "prof", "herr", "frau", "ms"))
            if titled and known and not (t.kinds[start] & Is.SERVICE and len(low) > 5):
                self._names(start, Trust.SURE)
            return
        short = len(low) < 3 and gap[:1] != "." and not t.german
        if t.capital(n) and gap in (" ", ". ", ".") and not (short or (t.in_capitals(n) and len(low) < 4)):
            weak = self.judge.possible if t.in_capitals(n) or t.german else None
            self._names(n + 1, Trust.LIKELY, weak)

    def _street(self, n: int) -> bool:
        """Whether "Dr" is a drive."""
        t = self.t
        return n > 1 and t.capital(n - 1) and t.before(n).isspace() and t.before(n - 1).strip().isdigit()

    def _role(self, n: int) -> None:
        """Take the name behind "her husband, ", "RN ", "nurse (", "the resident on call, "."""
        t, runs, judge, gap = self.t, self.runs, self.judge, self.t.gap(n)
        if gap not in (" ", ", ", " (", "  ", "'s (", "’s (") or (runs.stops(n + 1) and not t.initial(n + 1)):
            if gap == " " and not t.kinds[n] & NAME:
                self._inserted(n)
            return
        if t.credential(n) and (gap != " " or n in t.credentials):
            return
        start, titled = runs.behind_titles(n + 1)
        end = runs.whole(start)
        if end == start:
            self._inserted(n)
            return
        ends = runs.marked(end)
        if gap.strip() and not (ends or (runs.goes_on(end) and judge.plausible(start, end))):
            return
        if gap == ", " and all(t.kinds[k] & Is.EPONYM for k in range(start, end)):
            return
        if not titled and not (
            (t.lower[n].islower() and t.words[n].islower()) or t.is_first(n) or judge.plausible(start, end)
        ):
            return
        self._names(n + 1, Trust.LIKELY)

    def _inserted(self, n: int) -> None:
        """Take a name between commas up to three words behind a role: "the resident on call, X, ..."."""
        t = self.t
        for k in range(n + 1, min(n + 4, t.count - 1)):
            if t.gap(k) == ", ":
                end = self.runs.whole(k + 1)
                if end > k + 2 and t.gap(end - 1)[:1] == "," and self.judge.likely(k + 1, end):
                    self._names(k + 1, Trust.LIKELY)
            if t.gap(k) != " ":
                return

    def _subject(self, n: int) -> None:
        """Take the name behind "Pt", "Patientin", "Miss", "Baby"."""
        t, runs, judge, low, gap = self.t, self.runs, self.judge, self.t.lower[n], self.t.gap(n)
        if gap not in (" ", ". ", " (", ", ", ' "') or (low in ("patient", "patientin", "miss") and "." in gap):
            return
        if (low == "pt" and not (t.is_first(n) or t.words[n] == "Pt")) or (
            low == "baby" and t.lower[n + 1] in ("girl", "boy", "of", "twin")
        ):
            return
        start, titled = runs.behind_titles(n + 1)
        end = runs.whole(start)
        lower = runs.lower(start) if end == start and gap == " " else start
        if lower > start + 1 and runs.marked(lower):
            self.taken.take(start, lower)
            return
        if end == start or judge.vetoed(start, end) or (gap == ", " and not runs.marked(end)):
            return
        acts = end < t.count and t.before(end) == " " and bool(t.kinds[end] & (Is.PAST | Is.ACT | Is.PASSIVE))
        possible, several = judge.possible(start, end), len(judge.full(start, end)) > 1 or t.initial(start)
        if t.german and gap == ". " and runs.marked(end) and several:
            found = True
        elif t.in_capitals(start) or t.german:
            found = possible and (not judge.ordinary(start, end) or (acts and several)) and (acts or runs.marked(end))
        elif (
            low == "patient"
            and not possible
            and not t.initial(start)
            and not (acts and (several or t.kinds[start] & _NAMED))
        ):
            found = False
        else:
            found = acts or (several and runs.closed(end)) or (possible and (runs.marked(end) or titled))
        if found:
            self.taken.take(start, end, certain=True)

    def _signature(self, n: int) -> None:
        """Take a name behind a greeting if nothing else but credentials stands on its line."""
        t = self.t
        start, titled = self.runs.behind_titles(n)
        end = self.runs.whole(start) if start < t.count else start
        if end == start or self.judge.vetoed(start, end):
            return
        alone = _OWN_LINE.match(t.gap(end - 1).lstrip(",.")) or (end < t.count and t.credential(end))
        if alone and (titled or not t.in_capitals(start) or self.judge.possible(start, end)):
            self.taken.trust(start)
            self.taken.take(start, end, certain=True)
