"""Initials of those who dictated and typed, and other names that are no words: "JS/mt", "DOE^JOHN", "dr. obi"."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.spans import FILLED, NAMED
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, is_medical, is_noun, what, word_set

_OTHER = (
    Is.CLINICAL | Is.EPONYM | Is.PRODUCT | Is.SIGN | Is.ROLE | Is.LABEL | Is.TITLE | Is.HEAD | Is.ADMIN | Is.FUNCTION
)

_PAIR = re.compile(
    r"(?m)^[ \t]*(?:(?:DD|DT|D|T|TT|RPT|TR|Dict|Trans|Typed|Tech"
    r"|Init(?:ials)?)[:.][ \t]*)?(?P<a>(?=[^\W\d_a-zß-ÿ])[^\W\d_]{2,4}|[a-z]{2,3})[ ]?[/:\\;][ ]?(?P<b>[A-Za-z]{2,4})"
    r"(?=[ \t]*(?:$|[\d\ufffc]|[-–,][ \t]?[\d\ufffc]))"
)
_TYPED = re.compile(
    r"(?<![^\W_])(?P<l>(?i:transcribed|typed|dictated|scanned|transcriptionist|typist|initials?|transcription|visum"
    r"|transcribing|erstellt|kontrolle|diktiert|geschrieben|schreibkraft|kürzel)"
    r"(?:[ ](?i:by|von))?[ ]?:?|(?:TR|T|TT|D|DICT|Dict|TRANS|Trans|TRANSC|RPT|Tech|TECH|Rad|RAD)[.:])[ ]{0,3}"
    r"(?P<a>[^\W\d_]{2,4})(?:[ ]?[/:][ ]?(?P<b>[^\W\d_]{2,4}))?(?=[ \t]*(?:$|\n|[\d\ufffc,;)/]|\.(?:\s|$)|(?:on"
    r"|at|DT|DD|TD|TT|JOB|Job)\b|[-–]|[ ][ ]))"
)
_LAST = re.compile(
    r"\n[ \t]*[(/:-]?[ ]?(?P<a>[A-Z]{2,4}|[a-z]{2,3}(?=[)/:])"
    r"|(?<=/)[a-z]{2,4})\)?(?:[/:](?P<b>[A-Za-z]{2,4}))?[ \t.]*\s*\Z"
)
_SIGNED = re.compile(r"(?<![\w/:.-])(?P<a>[A-Z]{2,4})[/:](?P<b>[a-z]{2,3})(?![\w/:-])|\s/(?P<c>[a-z]{3})(?=\n|\s*\Z)")
_DATED = re.compile(
    r"(?:\ufffc(?:,? \d{1,2}:?\d\d(?: ?(?:Uhr|h|hrs))?)?,? ?[(]?|(?i:ref|typed|dict|trans)[.:]?"
    r" )(?P<a>[A-Z]{2,4}|(?<=\()[a-z]{2,3})(?:[/:](?P<b>[a-z]{2,3}))?(?=\)|[.,;](?:\s|$)|\s*$|[ ]?\n)"
)
"""Initials behind a date, or behind a reference: "4 May, KW/tsm", "ADDENDUM 4 May (kw)"."""
_LATE = re.compile(
    r"(?:\ufffc|\d{4}),? {1,2}(?P<a>[a-z]{3})(?=[ \t]*(?:$|;))|[^\W\d_a-z][^\W\d_]{2,20}/(?P<b>[a-z]{2,3})(?=[ \t.]*$)"
    r"|[a-z)][.!?] (?P<c>[A-Z]{2,3})\s*\Z",
    re.MULTILINE,
)
"""Initials that are the last on a line: behind a date, a time or a name, or alone behind the last sentence."""
_THANKS = re.compile(r"(?i:thanks|thank you|danke|grüße|gruß|regards|seen)[.!,][ ]+(?P<a>[a-z]{2,3}|[A-Z]{2,3})[ .]*\Z")
_BESIDE = re.compile(
    r"(?:^|\n|(?<=[^\W\d_][^\W\d_][.])|(?<=[;:|(,–-])|\ufffc)[ \t]*(?:(?P<s>[^\W\d_a-zß-ÿ][^\W\d_]{2,}"
    r"(?:[-'’ ][^\W\d_a-zß-ÿ][^\W\d_]{2,}){0,2})(?:,? (?P<i>[^\W\d_a-zß-ÿ](?:\.|(?![^\W_]))"
    r"(?:[ -]?[^\W\d_a-zß-ÿ](?:\.|(?![^\W_])))?)| (?P<k>[^\W\d_a-zß-ÿ]{2}))"
    r"(?=[ ]?(?:[,;(\n|\ufffc]|\.(?:\s(?![^\W\d_a-z][\w'’-]+[ \t]*(?:$|[\n,;(:]))|$)|(?<=\.)\s*$|$)| (?:[–-] "
    r"|\d\d? ?[yjmf]|weight|age|aged|dob|born|geb|has|was|is)\b)"
    r"|(?P<j>(?:[^\W\d_a-zß-ÿ]\.? ){1,2})(?P<t>[^\W\d_a-zß-ÿ][^\W\d_]{2,}(?:-[^\W\d_a-zß-ÿ][^\W\d_]{2,}){0,2})"
    r"(?=[ ]?(?:[,;(\n|/\ufffc]|\.(?:\s|$)|$)))"
)
"""A surname and initials that are all of a sentence, a line or an item: "Fennimore C.", "D FENNIMORE-ADDO."."""
_NO_ABBREVIATION = word_set("L R A P I V X")
_WROTE = re.compile(
    r"(?<![^\W_])(?i:dict(?:ated)?|trans(?:cribed)?|typed|geschr|gescr|geschrieben|init(?:ials?|s)?|ausgefüllt"
    r"|erfasst|eingegeben|getippt|abgetippt"
    r"|editor|edited by|proof(?:ed|read)(?: by)?|wet read|prelim(?:inary)?|(?:wet |prelim |over)?read by|checked"
    r" by|verified by|entered by|written by|sec"
    r"|sekr|schreibdienst|vis|visum|kürzel|sign|gez|erstbefund|zweitbefund|befundet|supervision)[.:]? {1,2}"
    r"(?P<a>[A-Z]{2,4}|[a-z]{2,3})(?:[/:](?P<b>[a-z]{2,3}|[A-Z]{2,3}))?(?=\s*$|[.,;)]|[ ]?/|[ ](?:for|at|on|um"
    r"|am|trans|typed|job|\d{4})\b)",
    re.MULTILINE,
)
_DOTTED = re.compile(
    r"(?<![\w.])(?P<all>(?P<i>[A-Z]\.[ ]?[A-Z]\.(?:["
    r" ]?[A-Z]\.)?)(?:[/:](?P<b>[a-z]\.?[a-z]\.?))?)(?=\s*(?:[,;)/\n]|$|\ufffc|\d|at\b|on\b|and\b|und\b"
    r"|um\b|was\b|is\b))"
)
_PLACED = re.compile(
    r"(?:\b(?i:by|von|durch|with|mit|to|an|signed|gez|initials?|reviewed|checked|and|und|mr|mrs|ms|pt|pat"
    r"|patient|read|typed)[.:]?|[-–(/,;:]|^)[ ]?$",
    re.MULTILINE,
)
"""What stands before initials with full stops: who did something, or nothing."""
_END = re.compile(r"(?<=[.\s])(?P<a>[A-Z]{2,3}|[a-z]{2})/(?P<b>[A-Z]{2,3}|[a-z]{2,3})[.)]?\s*\Z")
_PATIENT = re.compile(r"(?<![^\W_])(?:Pat|Pt|Patient(?:in)?)\.? (?P<i>[A-Z])\.(?=[ ,] ?[a-z(])")
_SLASHED = re.compile(r"(?<![^\W_])(?P<all>[^\W\d_][\w'’-]{2,30}/[^\W\d_][\w'’-]{1,30})(?=/[MFWDmfwd]/)")
_CARETS = re.compile(r"(?<![^\W_])[^\W\d_][\w'’-]{1,30}\^[^\W\d_][\w'’-]{0,30}(?:\^{1,3}[^\W\d_][\w'’-]{0,30}){0,4}")
_LOWER = re.compile(
    r"(?<![^\W_])(?:(?:dr|mr|mrs|prof|herr|frau"
    r"|gez)\.? (?P<all>(?:[a-z]\.? ?){0,2}(?P<n>[^\W\d_A-Z]{3,25})))(?![^\W_])"
)
_LOWER_INITIAL = re.compile(
    r"(?<![^\W_])(?:(?<=by )|(?<=von )|(?<=with )|(?m:^))(?P<all>[a-z]\. ?(?P<n>[^\W\d_A-Z]{3,25}))(?=[.,;\n]"
    r"|,? (?:md|mbbs|do|rn)\b|\s*\Z)"
)
_NO_TYPIST = word_set("by the and for with from to of no yes but per frau herr")
_PERHAPS = word_set("dr mr mrs ms prof md do rn np pa on at in as")
"""Titles and words that are initials in capitals behind "by" or a colon, where nothing goes on behind them."""
_VALUE = re.compile(r"(?:\b(?:by|von)|:)[ ]*$", re.IGNORECASE)
_GOES_ON = re.compile(rf"\.[ ]+(?:[^\W\d_]|{NAMED})")
_NO_INITIALS = word_set(
    "ap pa lat cc mlo ct mr us xr rl lr iv po od os ou ed er or na pt rt lt in vs no and of mm cm ml hu im se"
    " hrs uhr km est gmt utc cst bst pst edt cet"
)


_TAIL = re.compile(
    r"(?:(?:^|\n)[ \t]*|(?<=[^\W\d_][^\W\d_][.!?:)])[ \t]+|(?<=\ufffc[.!?:)])[ \t]+|(?:(?<=\ufffc),|"
    r"(?<=\ufffc\.),)[ \t]+)(?P<t>(?:(?![.!?:][ \t])[^\n]){1,48}?)[ \t.]*\s*\Z"
)
"""What stands behind the last sentence of a text, or in its last line."""
_OF_TAIL = word_set(
    "ta thanks thx cheers regards danke gruß our your ref for by and per on at am um von und typed dict dictated trans"
    " transcribed voice recognition vr job ref sec read"
    " signed d t dd dt td tr rpt h hrs uhr pm eh auto speech software edited ed final visum vis geschrieben gez"
    " diktiert schreibbüro schreibdienst sekretariat dr prof"
)
_SIGNED_IN = re.compile(
    r"(?:(?<=[.!?:;)] )|(?<=\n))(?P<a>[A-Z]{2,3}|[a-z]{2,3}(?=[ ,]{1,2}[\ufffc\d./-]+[ .]*(?:\n|\Z)))"
    r"(?=[ ,]{1,2}(?:\ufffc{3,12}(?!\ufffc)|[1-9]\d?[/-][1-9]\d?(?:[/-]\d{2,4})?(?![\w./-])))"
)
"""Initials before a date behind a sentence: "Recheck at noon. BT 4/8 15:40"."""
_BEHIND = re.compile(
    r"(?:(?<![^\W_])[^\W\d_a-z][^\W\d_]{2,}|\.[A-Z]|\ufffb)\.? ?/ ?(?P<a>[a-z]{2,3})(?=[ .,]*(?:\n|\Z"
    r"|[\ufffc\d]))|i\. ?A\. "
    r"(?P<d>[a-z]{2,3}|[A-Z]{2,3})(?=[ .]*(?:\n|\Z))|(?:by|von)[ :]{1,2}(?P<b>[a-z]{2,3})(?=\d{1,2}(?![\w]))|\n"
    r"(?P<c>[^\W\d_a-z]{1,2}(?:Mc|Mac)[A-Z])(?![^\W_])"
)
"""Initials behind a name, with a figure, and with a prefix: "Dr Okoro / hb", "by lw4", "JMcA"."""
_MADE_AT = re.compile(
    r"(?:\ufffc|\d{1,2}:?\d{2})(?: ?(?:h|hrs|Uhr))? (?:by|von|durch) (?P<a>[A-Z]{2,4}|[a-z]{2,3})(?=[;.,)\n]|\s*\Z)"
)
"""Initials behind the time at which somebody dictated or typed: "03/09/2010 10:11 by LMS"."""
_POINTS = re.compile(
    r"(?<![\w.])(?:[^\W\d_a-zß-ÿ]\.[ -]?(?:(?:v|d|de|van|von|der|le|la|mc|t)\.[ ]?){0,2}-?){1,3}[^\W\d_a-zß-ÿ]\."
    r"(?:-?[^\W\d_a-zß-ÿ]\.)?(?=[ \t]*(?:$|[\n,;)(/]))"
)
"""Initials with full stops, of double names and with particles: "A.P.-T.", "P.v.d.W."."""
_ROLE = re.compile(
    r"(?:(?<![^\W_])(?i:reader|reviewer|radiologist|resident|registrar|observer|author|signature|supervisor|fellow"
    r"|agree[ds]?|overread|checked|arzt|befunder|leser|untersucher|schreibkraft|schreibbüro|schreibdienst|sekretariat"
    r"|typist|transcriptionist|secretary|visum|kürzel)[.:,]?(?: by| von)?[ ]{1,2})(?P<a>[A-Z]{2,3}|[a-z]{2}"
    r"|(?<=schreibdienst )[A-Z][a-z]|(?<=Schreibdienst )[A-Z][a-z]|(?<=Schreibbüro )[A-Z][a-z]"
    r"|(?<=Schreibkraft )[A-Z][a-z]"
    r"|[A-Z][a-zäöü][A-Z][a-zäöü])(?=[ ]?(?:$|[\n,;)./]))",
    re.MULTILINE,
)
_TYPIST = re.compile(r"(?:transcriptionist|typist|schreib\w+|visum|kürzel)", re.IGNORECASE)


_CAMEL = re.compile(r"[^\W\d_a-zß-ÿ][a-zß-ÿ]{1,2}[^\W\d_a-zß-ÿ][a-zß-ÿ]?")


def _signs(t: Reading, word: str, alone: bool) -> bool:
    """Whether two to four letters at the end of a text are initials; alone: nothing else stands there."""
    low = word.lower()
    form = word.isupper() or word.islower() or _CAMEL.fullmatch(word) is not None
    if (low in _NO_INITIALS and not (alone and word.islower())) or low in _OF_TAIL or not form:
        return False
    kind = what(low)
    if kind & Is.FUNCTION or (kind & Is.CLINICAL and word.isupper()):
        return False
    word_of = Is.WORD if word.islower() and not kind & Is.ADMIN else 0
    return alone or not kind & (Is.CLINICAL | Is.CREDENTIAL | word_of)


def _take_tail(t: Reading, taken: Taken) -> None:
    """Take the initials that a text ends with, with nothing else behind its last sentence."""
    m = _TAIL.search(t.text, max(0, len(t.text.rstrip()) - 60))
    if m is None or m.start("t") < 20:
        return
    words = list(range(t.at(m.start("t")), t.at(m.end("t"))))
    other = [k for k in words if t.lower[k] not in _OF_TAIL]
    other = [k for k in other if not t.gap(k)[:1].isdigit()]
    if not 1 <= len(other) <= 3 or any(not 1 < len(t.words[k]) < 5 for k in other):
        return
    rest = re.sub(r"[^\W\d_]+", "", m["t"])
    if not re.fullmatch(r"[\s\ufffc\d:./,;()|#-]*", rest) or re.search(r"\d ?(?:[cm]m|ml|%)", m["t"]):
        return
    alone = len(other) == 1 and not re.search(r"\d", rest)
    pair = len(other) > 1 and re.fullmatch("[/:]", t.before(other[-1])) is not None
    alone = alone and "\n" in t.before(other[0])
    signs = [(pair and t.lower[k] not in _NO_INITIALS) or _signs(t, t.words[k], alone) for k in other]
    for k in other if all(signs) else ():
        taken.take(k, k + 1)
        taken.trust(k)


def _is_no_typist(word: str, label: str, text: str, end: int) -> bool:
    if word.lower() in _PERHAPS:
        return not (word.isupper() and _VALUE.search(label) and not _GOES_ON.match(text, end))
    return word.lower() in _NO_TYPIST


def _other(t: Reading, k: int) -> bool:
    """Whether a word beside an initial is one of medicine, a German noun, a month, or names a sign."""
    noun = t.german and is_noun(t.lower[k]) and not t.kinds[k] & NAME
    return noun or is_medical(t.lower[k]) or t.modality(k) or t.credential(k) or t.month(k) or t.sign_follows(k)


def take_initials(t: Reading, taken: Taken) -> None:
    """Take initials and names that are known by their form."""
    _take_tail(t, taken)
    _take_signed(t, taken)
    _take_by_form(t, taken)


def _take_signed(t: Reading, taken: Taken) -> None:
    """Take initials with points, behind names, roles and sentences, and surnames with them as an item."""
    for m in _BEHIND.finditer(t.text):
        n = t.at(m.start(m.lastgroup or "a"))
        named = n == 0 or t.possible(n - 1) or len(t.words[n - 1]) == 1
        if m["c"] or not (t.lower[n] in _NO_INITIALS or (t.kinds[n] & Is.CLINICAL and not named)):
            taken.take(n, n + 1)
            taken.trust(n)
    for m in _POINTS.finditer(t.text):
        n, end = t.at(m.start()), t.at(m.end())
        if ("-" in m.group() or any(map(str.islower, m.group()))) and n not in t.credentials:
            taken.take(n, end)
    for m in _BESIDE.finditer(t.text):
        group = "s" if m["s"] else "t"
        n, end = t.at(m.start(group)), t.at(m.end(group))
        first, last = t.at(m.start("j")) if m["j"] else n, end if m["j"] else t.at(m.end())
        kinds = t.kinds[n:end]
        if t.german and (" " in m[group] or not (any(k & NAME for k in kinds) or t.shouted(n) or "," in m.group())):
            continue
        if any(t.credential(k) or k in t.credentials or t.kinds[k] & Is.ADMIN for k in range(first, last)):
            continue
        named = all(
            (t.possible(k) or (t.kinds[k] & Is.RARE and not t.kinds[k] & Is.WORD)) and not t.kinds[k] & _OTHER
            for k in range(n, end)
        )
        sure = any(t.sure(k) or t.unknown(k) for k in range(n, end)) or (m["s"] is not None and t.shouted(n))
        vague = group == "s" and (m["i"] or "").strip(".") in _NO_ABBREVIATION and not all(k & NAME for k in kinds)
        if named and sure and not vague and not any(_other(t, k) for k in range(n, end)):
            taken.take(first, last)
    for pattern in (_SIGNED_IN, _ROLE, _MADE_AT):
        for m in pattern.finditer(t.text):
            kind = what(m["a"].lower())
            word = Is.WORD if m["a"].islower() else 0
            filled = re.compile(r"[ ,]*").match(t.text, m.end())
            at = filled.end() if filled else m.end()
            if pattern is _SIGNED_IN and t.text[at : at + 1] == FILLED and not taken.dated(at):
                continue  # a label of a number
            if pattern is _ROLE and _TYPIST.match(m.group()):
                kind = 0  # nothing else stands behind it
            if (
                not kind & (Is.CLINICAL | Is.FUNCTION | Is.CREDENTIAL | Is.ADMIN | word)
                and m["a"].lower() not in _NO_INITIALS
            ):
                n = t.at(m.start("a"))
                taken.take(n, n + 1)
                taken.trust(n)


def _take_by_form(t: Reading, taken: Taken) -> None:
    """Take initials of those who dictated and typed, and names in forms that no words have."""
    for m in _TYPED.finditer(t.text):
        for group in ("a", "b"):
            word = m[group]
            if word is None or (not (m["b"] and word.isupper()) and _is_no_typist(word, m["l"], t.text, m.end())):
                continue
            n = t.at(m.start(group))
            if n < t.count and (word.isupper() or m["b"] or (m["l"] != "scanned" and not t.kinds[n] & KNOWN)):
                taken.take(n, n + 1)
    if (last := _LAST.search(t.text, max(0, len(t.text.rstrip()) - 60))) and last.start() > 0:
        n = t.at(last.start("a"))
        if last["b"] or not t.kinds[n] & (KNOWN | Is.LABEL | Is.CREDENTIAL):
            taken.take(n, n + 1)
            if last["b"] and n + 1 < t.count:
                taken.take(n + 1, n + 2)
    for m in _PAIR.finditer(t.text, len(t.text) // 2):
        signed = m["a"].isupper() and m["b"].islower() and m["a"] not in ("AP", "PA", "CC", "CT", "MR", "XR", "US")
        if (signed or m["a"].lower() not in _NO_INITIALS) and m["b"].lower() not in _NO_INITIALS:
            for group in ("a", "b"):
                n = t.at(m.start(group))
                taken.take(n, n + 1)
    found = [*_SIGNED.finditer(t.text), *_END.finditer(t.text, max(0, len(t.text) - 40))]
    for m in found:
        if not any(word and (word.lower() in _NO_INITIALS or what(word.lower()) & Is.CLINICAL) for word in m.groups()):
            for group, word in m.groupdict().items():
                if word:
                    n = t.at(m.start(group))
                    taken.take(n, n + 1)
    for pattern in (_DATED, _THANKS, _WROTE, _LATE):
        for m in pattern.finditer(t.text):
            for group, word in m.groupdict().items():
                n = t.at(m.start(group)) if word else t.count
                known = Is.CLINICAL | Is.FUNCTION | Is.ROLE | (Is.WORD if pattern is _LATE else 0)
                if pattern is _WROTE and word and word.isupper() and n < t.count and not t.in_capitals(n):
                    known &= ~Is.FUNCTION  # "read by NOW"
                other = n < t.count and bool(t.kinds[n] & known or (word or "").lower() in _NO_INITIALS)
                other = other and (pattern is _LATE or not m.groupdict().get("b"))
                if n < t.count and word == t.words[n] and not other:
                    beside = n and pattern is _LATE and group == "b" and t.possible(n - 1) and t.capital(n - 1)
                    taken.take(n - 1 if beside else n, n + 1)
    for m in _DOTTED.finditer(t.text):
        joined = what(m["i"].replace(".", "").replace(" ", "").lower())
        if not joined & (Is.CLINICAL | Is.CREDENTIAL | Is.FUNCTION) and _PLACED.search(
            t.text, max(0, m.start() - 14), m.start()
        ):
            n, end = t.at(m.start()), t.at(m.end())
            if n not in t.credentials:
                taken.take(n, end)
    for m in _PATIENT.finditer(t.text):
        taken.take(t.at(m.start("i")), t.at(m.start("i")) + 1)
    for m in _SLASHED.finditer(t.text):
        taken.take(t.at(m.start("all")), t.at(m.end("all")))
    for m in _CARETS.finditer(t.text):
        taken.take(t.at(m.start()), t.at(m.end()))
    for m in (*_LOWER.finditer(t.text), *_LOWER_INITIAL.finditer(t.text)):
        n = t.at(m.start("n"))
        if n < t.count and (
            not t.kinds[n] & (KNOWN | Is.EPONYM | Is.PARTICLE)
            or (t.kinds[n] & NAME and not t.kinds[n] & (Is.CLINICAL | Is.FUNCTION))
        ):
            taken.take(t.at(m.start("all")), n + 1)
