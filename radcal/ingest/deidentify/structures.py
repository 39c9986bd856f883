"""Names that are taken for where they stand alone, whatever words they are made of.

Behind a sure cue ("Attending:", "Read by", "her husband,"), before an age at the beginning of a sentence and before
credentials, a run of words with capitals is a name, even if each of its words is one of English or German.
"""

from __future__ import annotations

import re

from radcal.ingest.deidentify.cues import COLON, Cues
from radcal.ingest.deidentify.phrases import MAY, STRONG_TITLES
from radcal.ingest.deidentify.words import KNOWN, NAME, Is, loose_credentials, word_set

_JOIN = re.compile(r"[ \t\xa0]['’\"“„]?|['’-]|[\"”“'’][ ]")
_AFTER_INITIAL = re.compile(r"\.?[ \xa0]?|\.-")
_ABBREVIATED = word_set("st jr sr wm chr ch jos th geo hj md mohd fr frhr")
_INNER = word_set(
    "van von vom de der den la las los lo le di da do dos das du del della dello dei degli al el ul ad as ash ar abu"
    " abd ben bin ibn bint bar ter ten te zu zur zum af av y e i san t 't op 't mac mc ni nic ó vander und"
)
_PREFIXED = re.compile(r"[a-zßà-ÿ]{1,4}['’-][^\W\d_a-zß-ÿ]")
_END = re.compile(
    r"['’]s(?!\w)|[ \t]*(?:$|\n|[,;:)(/|&\]\ufffc\d#@+]|\.(?:\s|$)|[-–—]{1,2}[ \t]|\t)|[ \t]{2,}", re.MULTILINE
)
_STRONG_END = re.compile(r"[ \t]*\.?[ \t]*(?:$|\n|[;|(\ufffc\d]|,|\t)|[ \t]{2,}|[ \t]+[-–—/][ \t]?", re.MULTILINE)
_HEADS = STRONG_TITLES - {"ms", "doctor", "dott"}
_PERSON_LABELS = word_set(
    "name names patient pt pat patientin attending resident fellow physician physicians radiologist radiologists"
    " provider technologist technician tech radiographer sonographer surgeon anaesthetist anesthetist anesthesiologist"
    " anaesthesiologist cardiologist oncologist neurologist urologist pathologist consultant registrar reader reviewer"
    " transcriptionist typist student chaperone witness interpreter kin contact mother father son daughter wife husband"
    " spouse partner carer caregiver guardian sister brother gp nurse rn doctor clinician practitioner referrer"
    " referring requester requestor ordering befunder zuweiser arzt ärztin hausarzt hausärztin radiologe radiologin"
    " untersucher untersucherin oberarzt oberärztin assistenzarzt assistenzärztin mtra mta mtr author dictator signer"
    " signatory signed gez gezeichnet cc attention attn re subject betreff betr by nok operator assistant"
    " proceduralist performer verifier approver supervisor trainee intern midwife matron dear untersuchender"
    " auftraggeber einweiser unterschrift freigabe vidierend vidiert diktiert schreibkraft rad md operateur"
    " befundet freigegeben veteran copy copies kopie verifier clerk"
    " validated verified approved mum dad circulator scrub operators assistants readers attendings residents"
    " visum list physiotherapist hygienist dentist"
)
_NAMED = word_set("patient pt pat his her full first last staff doctor physician maiden given family provider s child")
_NO_VALUE = word_set(
    "unknown none not no yes same see self the a an as is was n/a na nil various above below tba tbc pending inpatient"
    " outpatient emergency stable male female alive deceased supine prone erect upright sedated intubated"
    " ii iii iv many thank thanks please further regarding unbekannt keine kein siehe männlich weiblich dr mr"
    " mrs herr frau today yesterday routine urgent stat"
)
_SERVICES = word_set(
    "department team service services hospital clinic radiology surgery medicine unit center centre group associates"
    " imaging health office desk ward staff physician physicians oncology cardiology neurology urology pathology"
    " anyone everyone nursing trauma emergency protocol criteria classification score guidelines society college"
    " committee study trial"
    " abteilung klinik ambulanz station praxis chirurgie onkologie tumorboard konferenz board conference"
)
_ACTS_BY = word_set(
    "interpreted reported verified read signed approved authorised authorized finalised finalized dictated transcribed"
    " typed reviewed seen performed prepared requested ordered authenticated entered checked countersigned cosigned"
    " attested supervised referred reread overread edited electronically released validated confirmed recorded written"
    " examined scanned accompanied assisted placed inserted obtained cleared consented booked sent brought called"
    " befundet freigegeben gezeichnet diktiert geschrieben vidiert unterzeichnet unterschrieben überwiesen zugewiesen"
    " durchgeführt erstellt angefordert gegengelesen report study dictation opinion letter note"
)
_BEFORE_NAMES = word_set("by von durch")
_KIN = word_set(
    "husband wife son daughter mother father carer gp sister brother spouse partner caregiver guardian niece nephew"
    " grandson granddaughter grandmother grandfather uncle aunt friend neighbour neighbor fiancé fiancée stepmother"
    " stepfather mum mom dad girlfriend boyfriend midwife chaperone interpreter relative cousin"
    " ehemann ehefrau tochter sohn mutter vater bruder schwester hausarzt hausärztin lebensgefährtin"
    " lebensgefährte oma opa tante onkel"
)
_STAFF = word_set(
    "rn nurse matron cns np pa registrar resident fellow radiographer technologist sonographer sister clerk"
    " attending phn circulator scrub dad mum kinderarzt kinderärztin notarzt notärztin operator mtra mta mfa"
    " pfleger pflegerin sonographer physiotherapist paramedic medic navigator hca midwife"
    " dietitian pharmacist locum fellow intern physiotherapeut kardiologe anästhesist neurologe chirurg internist"
)
_SUBJECTS = word_set("pt patient patientin pat master miss baby")
_TELLS = word_set(
    "discussed communicated conveyed relayed called reported given telephoned phoned paged texted faxed emailed sent"
    " handed reviewed spoke spoken passed notified informed contacted advised alerted besprochen mitgeteilt"
    " referring thank thanks obtained call copy copied opinion message printed agree agrees agreed handed"
    " handover escalated gespräch telefonat rücksprache"
)
_DIRECT = word_set("paged informed notified contacted called phoned telephoned alerted bleeped messaged texted told")
_SIGNS = word_set(
    "authorised authorized signed reported verified approved finalised finalized interpreted authenticated"
)
_HEARD = word_set(
    "notified informed aware paged contacted phoned telephoned bleeped acknowledged acknowledges messaged alerted"
    " verbalized verbalised concurs verständigt informiert benachrichtigt agrees agree"
)
_GRADES = word_set("pgy oa oä fa fä aa aä chä spr sho rmo ccc-slp dnb dmrd")
_TO = word_set("with to mit an from referring of für for")
_OF = re.compile(
    r"(?:(?<![^\W_])(?:on behalf of|(?:under )?the (?:supervision|care|direction|guidance) of"
    r"|under (?:the )?(?:supervision|care) of"
    r"|(?i:baby (?:of|girl|boy)(?: of)?|(?:new-?born |infant )?(?:girl|boy|twin|son|daughter|child|infant|newborn) of)"
    r"|(?:known|dictating|signing|registered) as|identified as|(?i:named|née|nee|geborene)"
    r"|[Tt]hank(?:s| you)(?:,| for (?:referring|asking me to see|sending)| to)?"
    r"|[Cc]onsent(?:ed)?(?: was)?(?: obtained| given| taken)?(?: from| by)"
    r"|[Cc]ontact|[Aa]ttn\.?|ATTN\.?|(?:previously |last |report )?seen by"
    r"|I,|Ich,|Dear|DEAR|Hi|Hello|Hallo|Lieber?|Kolleg(?:e|in|en)"
    r"|[Gg]ez\.?|[Mm]aster|MASTER|[Dd]/[Ww]|geb\.|verh\.|verw\.|i\. ?[AV]\.)|/[eE]?[sS]/"
    r"|(?m:^)(?:Re|RE|Regarding|REGARDING|Betreff|Betr\.)[:,]?)[ ]+(?=[^\W\d_])"
)
_AGE = re.compile(
    r"(?<![\w.,/:-])(?:\d{1,3}|\ufffc{2,3}(?!\ufffc))(?:[- ]?(?:years?|yrs?|y|months?|weeks?|days?|mo"
    r"|wk)[- ]?(?:old|of age)"
    r"|[- ]?y/o|[- ]?y\.?o\.?(?!\w)|[ -]?j(?:ä|ae)hrig| ?Jahre| ?[MFmf](?!\w)| ?/ ?[MFmf](?!\w)"
    r"|(?=,? (?:was|is|has|presents|with|male|female|who|presented|had|seen)\b))"
    r"|(?<![^\W_])(?:male|female|man|woman|boy|girl|gentleman|lady|infant|neonate|DOB|D\.O\.B|MRN|NHS|geb\."
    r"|geboren|born)"
    r"(?![^\W_])|\* ?[\d\ufffc]"
)
_BEFORE_AGE = re.compile(
    r"(?:,? (?:is|was|ist) (?:an?|eine?) (?:\w+[ -]){0,2}|,? an? (?:\w+[ -]){0,2}|,? ?\(?(?:aged?:? )?)\Z"
)
_TO_RUN = re.compile(r"[.:,/]?[ \t]*\n?[ \t]*\(?")
_OWN_LINE = re.compile(r"[ \t]*(?:$|\n)")
_GREETING = re.compile(
    r"(?mi:^[ \t]*(?:(?:yours )?(?:sincerely|truly|faithfully)(?: yours)?|(?:(?:kind|best|warm|with kind"
    r"|many) )?regards"
    r"|best(?: wishes)?|respectfully(?: submitted)?|mit (?:freundlichen|kollegialen|besten) grü(?:ß|ss)en"
    r"|hochachtungsvoll|signed|gezeichnet|gez\.)[,.:]?[ \t]*\n[ \t\n]{0,6}|^[ \t]*(?:best|regards|thanks|cheers"
    r"|sincerely),[ \t]+)(?=[^\W\d_])"
)


class Structures(Cues):
    """Takes names by the structure of what stands around them."""

    def _structured(self) -> None:
        t = self._t
        for n in range(t.count - 1):
            low = t.lower[n]
            if low in _PERSON_LABELS and (colon := COLON.match(t.gap(n))):
                if colon.end() >= len(t.gap(n).rstrip("(\"'*_. ")):
                    self._value(n)
                continue
            if (low in _BEFORE_NAMES and n and (t.lower[n - 1] in _ACTS_BY or self._act_near(n, 3))) or (
                low in _TO and n and self._told(n)
            ):
                self._run(n + 1)
            elif (low in _DIRECT or (low in _SIGNS and t.lower[n + 1] not in _BEFORE_NAMES)) and t.gap(n) == " ":
                self._run(n + 1, weak=True)
            elif (low in _STAFF or low in _KIN or low.endswith("-in-law")) and (low.islower() or t.is_first(n)):
                self._person(n)
            elif low == "name" and t.gap(n) in (" ", "  ", ", ") and self._capital(n):
                self._value(n)
            elif low in _SUBJECTS:
                self._subject(n)
            elif low in STRONG_TITLES and t.gap(n) in (" ", ". ", "."):
                self._title(n)
        for pattern, strong in ((_OF, False), (_GREETING, True)):
            for m in pattern.finditer(t.text):
                self._run(t.at(m.end()), alone=strong, weak=m.group()[:7].lower() == "contact")
        for m in _AGE.finditer(t.text):
            if before := _BEFORE_AGE.search(t.text, max(0, m.start() - 40), m.start()):
                word = m.group()[0]
                if (
                    word.isalpha()
                    and word.islower()
                    and m.group() not in ("born", "geboren", "geb.")
                    and " " not in before.group().strip()
                ):
                    continue
                self._aged(t.at(before.start()) - 1, before.start())
        for n in range(1, t.count):
            if t.kinds[n] & (Is.CREDENTIAL | Is.ROLE) or n in t.credentials or t.lower[n] in _GRADES:
                self._credentialed(n)
            elif t.lower[n] in _HEARD and n > 1:
                self._hears(n)

    # Where a run of words ends

    def _unit(self, n: int) -> int:
        """The word behind particles and the word with a capital that belongs to them; n if there is none."""
        t = self._t
        k = n
        while k + 1 < t.count and k < n + 4 and t.lower[k] in _INNER and t.words[k].islower():
            if not _JOIN.fullmatch(t.gap(k)):
                return n
            k += 1
        if k < t.count and (self._capital(k) or _PREFIXED.match(t.words[k])):
            return k + 1
        return n

    def _joins(self, n: int) -> bool:
        """Whether nothing that ends a name stands behind word n."""
        t = self._t
        gap = t.gap(n)
        if _JOIN.fullmatch(gap):
            return True
        return (len(t.words[n]) == 1 or t.lower[n] in _ABBREVIATED) and _AFTER_INITIAL.fullmatch(gap) is not None

    def _begins(self, n: int) -> bool:
        """Whether a sentence or a line begins with word n, and no name goes on behind an initial."""
        t = self._t
        if not t.is_first(n):
            return False
        return not (n and t.before(n).strip() == "." and (len(t.words[n - 1]) == 1 or t.lower[n - 1] in _ABBREVIATED))

    def _stops(self, n: int) -> bool:
        """Whether word n is none of a name that goes on: a credential, a role, in capitals also a verb."""
        t = self._t
        kind = t.kinds[n]
        if n in t.credentials:
            return True
        if t.lower[n] in _INNER and t.words[n].islower() and self._unit(n) > n + 1:
            return False
        if self._credential(n) and (t.lower[n] not in loose_credentials() or not self._shouted(n - 1)):
            return not kind & NAME or self._shouted(n)
        if t.lower[n] in _INNER and n + 1 < t.count and _JOIN.fullmatch(t.gap(n)) and self._capital(n + 1):
            return t.in_capitals(n) and t.lower[n] in ("und", "as", "do", "i", "te", "la") and not t.kinds[n + 1] & NAME
        if t.in_capitals(n):
            return bool(kind & (Is.FUNCTION | Is.PAST | Is.ACT | Is.ROLE | Is.LABEL | Is.CLINICAL)) and not (
                len(t.words[n]) == 1 or (kind & NAME and not kind & (Is.FUNCTION | Is.PAST | Is.ACT))
            )
        return bool(kind & (Is.ROLE | Is.TITLE | Is.ACT | Is.LABEL)) and not kind & NAME

    def _whole(self, n: int) -> int:
        """The word behind the run of capitals, initials and particles that begins with word n; n if none does."""
        t = self._t
        at = self._unit(n)
        if at == n or at > t.count or n in t.credentials or t.lower[n] in _HEADS:
            return n
        units, comma = 1, 0
        while at < t.count and units < 7 and at < n + 12:
            if not self._joins(at - 1):
                if comma or t.gap(at - 1) not in (", ", ","):
                    break
                end = self._given(at)
                if end == at:
                    break
                return end
            behind = self._unit(at)
            if behind == at or self._stops(at):
                break
            at, units = behind, units + 1
        return at

    def _given(self, n: int) -> int:
        """Where given names behind "Last, " end; n if something else stands there."""
        t = self._t
        at = n
        while at < t.count and at < n + 4 and (at == n or self._joins(at - 1)):
            behind = self._unit(at)
            if behind == at or self._stops(at) or t.lower[at] in STRONG_TITLES:
                break
            at = behind
        if at == n or not (
            self._end(at) or (t.gap(at - 1)[:1] == " " and t.kinds[at : at + 1] and self._closed(at - 1))
        ):
            return n
        kinds = [t.kinds[k] for k in range(n, at) if len(t.words[k]) > 1]
        if kinds and all(k & (Is.CLINICAL | Is.ROLE | Is.PRODUCT) and not k & NAME for k in kinds):
            return n
        return n if t.lower[n] in _NO_VALUE else at

    def _end(self, end: int) -> bool:
        """Whether a mark, a figure or the end of the line stands behind a run."""
        return end >= self._t.count or _END.match(self._t.gap(end - 1)) is not None

    def _vetoed(self, n: int, end: int) -> bool:
        """Whether a run is none that names people: a service, a sign, a drug, a grammatical word."""
        t = self._t
        if t.lower[n] in _NO_VALUE or t.lower[end - 1] in _SERVICES:
            return True
        words = [k for k in range(n, end) if len(t.words[k]) > 1 and t.words[k] not in _INNER]
        if not words:
            return end - n < 2 or t.words[n] == "I"
        kinds = [t.kinds[k] for k in words]
        first = kinds[0]
        if len(t.words[n]) == 1 and t.gap(n)[:1] == "." and not t.in_capitals(n) and not self._german:
            return False
        if first & Is.FUNCTION and not first & (NAME | Is.EITHER | Is.PARTICLE):
            return True
        if any(k & Is.EPONYM for k in kinds) and self._sign_follows(words[-1]):
            return True
        if t.kinds[words[-1]] & Is.SIGN and not t.kinds[words[-1]] & NAME and len(words) > 1 and first & Is.EPONYM:
            return True
        other = Is.CLINICAL | Is.ROLE | Is.PRODUCT | Is.LABEL | Is.ACT | Is.TITLE
        return all(k & other and not k & NAME for k in kinds)

    def _got(self, n: int, end: int) -> int:
        """Take a run, and its words wherever else they stand; where the name ends."""
        end = self._take(n, end)
        for k in range(n, end):
            if len(self._t.words[k]) > 2 and self._t.lower[k] not in _INNER:
                self._certain.add(self._t.lower[k])
        return end

    # Cues

    def _run(self, n: int, alone: bool = False, weak: bool = False) -> None:
        """Take the names of a list behind a cue.

        alone: if nothing else stands on its line; weak: if one of its words may be a name
        """
        t = self._t
        if n and not alone and not _TO_RUN.fullmatch(t.before(n)):
            return
        for _ in range(6):
            n, titled = self._behind_titles(self._behind_roles(n)) if n < t.count else (n, False)
            if n >= t.count:
                return
            end = self._whole(n)
            if end == n or (self._vetoed(n, end) and not (titled and self._end(end))):
                return
            if weak and not titled and not self._any_name(n, end):
                return
            words = sum(len(t.words[k]) > 1 for k in range(n, end))
            if t.in_capitals(n):
                if not self._end(end) and not titled and (words < 2 or not self._any_name(n, end)):
                    return
                if not (titled or alone or self._is_named(n, end)):
                    return
            elif alone:
                if not _OWN_LINE.match(t.gap(end - 1)) and not (end < t.count and self._credential(end)):
                    return
            elif not (titled or self._end(end) or self._closed(end - 1) or self._goes_on(end)) or (
                self._german and not titled and not self._any_name(n, end) and self._all_known(n, end)
            ):
                return
            end = self._got(n, end)
            if end == n:
                return
            n = self._behind_credentials(end)
            if n >= t.count:
                return
            if t.gap(n - 1).strip(" )") in ("&", "/", ";") or (t.gap(n - 1) == ", " and not t.in_capitals(n)):
                weak = True
                continue
            if t.lower[n] not in ("and", "und", "or", "sowie") or t.gap(n - 1).strip(" ,)"):
                return
            n += 1

    def _any_name(self, n: int, end: int) -> bool:
        """Whether one word of a run may be a name."""
        t = self._t
        return any(
            len(t.words[k]) > 1 and (t.kinds[k] & NAME or not t.kinds[k] & (KNOWN | Is.EPONYM)) for k in range(n, end)
        )

    def _is_named(self, n: int, end: int) -> bool:
        """Whether a run in capitals has a word that is a name alone or no word at all, and none of reports."""
        t = self._t
        words = [t.kinds[k] for k in range(n, end) if len(t.words[k]) > 1]
        other = Is.CLINICAL | Is.PRODUCT | Is.SIGN | Is.ACT | Is.PAST | Is.EPONYM
        if any(k & other and not k & NAME for k in words):
            return False
        return any((k & NAME and not k & (Is.EITHER | Is.CLINICAL)) or not k & (KNOWN | Is.EPONYM) for k in words)

    def _all_known(self, n: int, end: int) -> bool:
        return all(self._t.kinds[k] & KNOWN for k in range(n, end) if len(self._t.words[k]) > 1)

    def _goes_on(self, end: int) -> bool:
        """Whether a word that no noun phrase goes on with stands behind a run."""
        t = self._t
        if end >= t.count:
            return True
        low, kind = t.lower[end], t.kinds[end]
        return t.words[end].islower() and (
            bool(kind & (Is.FUNCTION | Is.PAST | Is.ACT | Is.ROLE)) or low.endswith(("ly", "ing")) or not kind & KNOWN
        )

    def _value(self, n: int) -> None:
        """Take the name that is the value of a label that ends with word n."""
        t = self._t
        low = t.lower[n]
        if (
            low == "name"
            and "  " not in t.before(n)
            and not (t.is_first(n) or t.lower[n - 1] in _NAMED or t.kinds[n - 1] & Is.ROLE)
        ):
            return
        if not self._is_label(n) or (
            low in ("re", "by", "contact") and n and not (t.is_first(n) or low == "by" or self._is_label(n))
        ):
            return
        start, titled = self._behind_titles(n + 1)
        if start >= t.count or "\n\n" in t.gap(n) or "\ufffc" in t.before(start):
            return
        end = self._whole(start)
        if end == start:
            return
        given = t.lower[start] in MAY and end > start + 1 and _STRONG_END.match(t.gap(end - 1)) is not None
        if self._vetoed(start, end) and not titled and not low.startswith("name") and not given:
            return
        if t.lower[start] in _NO_VALUE:
            return
        words = [k for k in range(start, end) if len(t.words[k]) > 1]
        known = all(t.kinds[k] & KNOWN and not t.kinds[k] & NAME for k in words)
        strong = _STRONG_END.match(t.gap(end - 1)) is not None or end >= t.count or self._credential(end)
        if (
            known
            and low in ("patient", "pt", "pat", "patientin", "contact", "re", "subject")
            and (len(words) == 1 or not strong or t.in_capitals(start))
        ):
            return
        if known and (self._german or t.in_capitals(start)) and not strong:
            return
        if not (strong or titled or self._end(end) or self._closed(end - 1) or self._goes_on(end)):
            return
        if "\n" in t.gap(n) and not (strong and len(words) > 1 and not known):
            return
        end = self._got(start, end)
        if end > start:
            self._run_on(end)

    def _run_on(self, end: int) -> None:
        """Take what follows a taken name in a list: "A; B", "A / B", "A and B"."""
        t = self._t
        for _ in range(8):
            n = self._behind_credentials(end)
            if n >= t.count or not re.fullmatch(r"\)?[ \t]*(?:[;/&]|,? and|,? und)[ \t]*", t.gap(n - 1)):
                return
            n, _ = self._behind_titles(n)
            end = self._whole(n) if n < t.count else n
            if end == n or self._vetoed(n, end) or not (self._end(end) or self._closed(end - 1)):
                return
            end = self._got(n, end)
            if end == n:
                return

    def _told(self, n: int) -> bool:
        """Whether somebody was told something just before word n."""
        t = self._t
        for k in range(n - 1, max(-1, n - 7), -1):
            if "." in t.gap(k) or "\n\n" in t.gap(k):
                return False
            if t.lower[k] in _TELLS:
                return t.lower[n] not in ("of", "for", "an") or k == n - 1
        return False

    def _person(self, n: int) -> None:
        """Take the name behind "her husband, ", "RN ", "nurse ("."""
        t = self._t
        gap = t.gap(n)
        if gap not in (" ", ", ", " (") or (self._stops(n + 1) and not self._initial(n + 1)):
            return
        if t.lower[n] in ("np", "pa", "rn", "cns") and gap != " ":
            return
        start, _ = self._behind_titles(n + 1)
        end = self._whole(start)
        if end == start or self._vetoed(start, end):
            return
        if t.in_capitals(start) and not (self._any_name(start, end) and self._follows(end)):
            return
        if (
            not t.in_capitals(start)
            and self._shouted(start)
            and t.kinds[start] & (Is.CLINICAL | Is.CREDENTIAL | Is.ROLE)
        ):
            return
        if self._german and self._all_known(start, end) and not self._any_name(start, end):
            return
        if gap == ", " and all(t.kinds[k] & Is.EPONYM for k in range(start, end)):
            return
        if gap.strip() and not (_END.match(t.gap(end - 1)) or self._follows(end)):
            return
        if self._follows(end) or self._end(end) or self._closed(end - 1):
            self._got(start, end)

    def _follows(self, end: int) -> bool:
        """Whether somebody does something, or is called by a mark, behind a run."""
        t = self._t
        if end >= t.count:
            return True
        return self._end(end) or bool(t.kinds[end] & (Is.FUNCTION | Is.PAST | Is.ACT)) or self._goes_on(end)

    def _subject(self, n: int) -> None:
        """Take the name behind "Pt", "Patientin", "Miss", "Baby"."""
        t = self._t
        low, gap = t.lower[n], t.gap(n)
        if gap not in (" ", ". ", " (", ", ", ' "') or (low in ("patient", "patientin", "miss") and "." in gap):
            return
        if low == "pt" and not (t.is_first(n) or t.words[n] == "Pt"):
            return
        start = n + 1
        if low == "baby" and t.lower[start] in ("girl", "boy", "of", "twin"):
            return
        end = self._whole(start)
        if end == start or self._vetoed(start, end) or (gap == ", " and not _END.match(t.gap(end - 1))):
            return
        capitals = t.in_capitals(start)
        several = sum(len(t.words[k]) > 1 for k in range(start, end)) > 1
        acts = end < t.count and bool(t.kinds[end] & (Is.PAST | Is.ACT)) and t.gap(end - 1) == " "
        is_ = (
            end < t.count
            and t.gap(end - 1) == " "
            and t.lower[end]
            in (
                "is",
                "was",
                "has",
                "had",
                "will",
                "denies",
                "wurde",
                "ist",
                "hat",
                "klagt",
                "reports",
                "who",
                "presents",
                "complains",
                "states",
                "tolerated",
                "underwent",
                "fell",
                "does",
                "did",
                "wird",
                "stellt",
                "berichtet",
                "gibt",
            )
        )
        if capitals or self._german:
            if (self._any_name(start, end) and not self._all_known(start, end) and (acts or is_ or self._end(end))) or (
                is_ and self._any_name(start, end) and several
            ):
                self._got(start, end)
        elif (acts or is_ or (several and (self._end(end) or self._closed(end - 1) or self._goes_on(end)))) or (
            self._any_name(start, end) and (self._end(end) or low in ("master", "miss"))
        ):
            if (
                low == "patient"
                and not (acts or is_)
                and self._all_known(start, end)
                and not self._any_name(start, end)
            ):
                return
            self._got(start, end)

    def _title(self, n: int) -> None:
        t = self._t
        if t.lower[n] == "ms" and t.words[n] != "Ms":
            return
        if self._modality(n):
            return
        if not self._capital(n) or self._street(n):
            return
        start, titled = self._behind_titles(n)
        if not titled or start >= t.count:
            return
        end = self._whole(start)
        if end == start or t.lower[start] in ("the", "a", "in"):
            return
        if t.lower[n] in ("professor", "doctor", "doctors", "professors") and self._vetoed(start, end):
            return
        if t.in_capitals(start):
            if all(t.kinds[k] & (Is.FUNCTION | Is.ROLE | Is.ACT | Is.PAST) for k in range(start, end)) or not (
                self._follows(end) or self._closed(end - 1)
            ):
                return
        elif self._shouted(start) and t.words[start] in ("CT", "MR", "MRI", "US"):
            return
        if self._german and not self._end(end) and self._all_known(start, end) and end - start > 1:
            return
        self._got(start, end)

    def _aged(self, n: int, stop: int) -> None:
        """Take the run that ends with word n if a line or a sentence begins with it."""
        t = self._t
        if n < 0 or t.text[t.ends[n] : stop].strip(".'s’ "):
            return
        start, commas = n, 0
        while True:
            if self._begins(start):
                break
            if start == 0 or start < n - 8:
                return
            before = t.before(start)
            if not self._joins(start - 1):
                if commas or before not in (", ", ","):
                    return
                commas = 1
            start -= 1
        begin = start
        while start < n and (
            t.lower[start] in STRONG_TITLES
            or t.lower[start] in ("pt", "patient", "re", "patientin", "pat", "miss", "master")
        ):
            start += 1
        k = start
        while k <= n:
            behind = self._unit(k)
            if behind == k or (self._credential(k) and not self._initial(k) and not t.kinds[k] & NAME and k < n):
                return
            k = behind
        kinds = [t.kinds[k] for k in range(start, n + 1) if len(t.words[k]) > 1]
        if not kinds or self._vetoed(start, n + 1):
            return
        capitals = t.in_capitals(start)
        other = Is.CLINICAL | Is.ROLE | Is.LABEL | Is.ACT | Is.PRODUCT | Is.FUNCTION | Is.SIGN
        if any(k & other and not k & NAME for k in kinds) and (
            capitals or self._german or len(kinds) == 1 or (kinds[0] & other and not kinds[0] & NAME)
        ):
            return
        if len(kinds) == 1 and begin == start and kinds[0] & Is.WORD and not kinds[0] & NAME:
            return
        self._got(start, n + 1)

    def _hears(self, n: int) -> None:
        """Take the run at the beginning of a sentence that is told something: "X notified", "X was paged"."""
        t = self._t
        end = n
        while (
            end
            and t.lower[end - 1] in ("was", "were", "is", "has", "been", "wurde", "ist", "then")
            and t.gap(end - 1) == " "
        ):
            end -= 1
        if not end or t.gap(end - 1) != " ":
            return
        start = end - 1
        while start and start > end - 7 and not self._begins(start) and self._joins(start - 1):
            start -= 1
        if not t.is_first(start):
            return
        k, words = start, 0
        while k < end:
            behind = self._unit(k)
            if behind == k or self._stops(k) or t.lower[k] in STRONG_TITLES or k in t.credentials:
                return
            k, words = behind, words + 1
        other = Is.CLINICAL | Is.ROLE | Is.LABEL | Is.ACT | Is.PRODUCT | Is.FUNCTION
        if self._vetoed(start, end) or not self._any_name(start, end):
            return
        if any(t.kinds[k] & other and not t.kinds[k] & NAME for k in range(start, end) if len(t.words[k]) > 1):
            return
        if (words < 2 or self._german or t.in_capitals(start)) and self._all_known(start, end):
            return
        self._got(start, end)

    def _credentialed(self, n: int) -> None:
        """Take the run before credentials: "X, MD", "X, PGY-3", "X, Consultant Radiologist"."""
        t = self._t
        before = t.before(n)
        low = t.lower[n]
        if self._is_name[n - 1] and self._is_name[max(0, n - 2)]:
            return
        role = bool(t.kinds[n] & Is.ROLE) and not t.kinds[n] & Is.CREDENTIAL
        strict = n in t.credentials or low == "pgy" or (self._credential(n) and low not in loose_credentials())
        if role:
            if not (before in (", ", " (") or re.fullmatch(r"[ \t]*\n[ \t]*", before)) or not (
                self._capital(n) or before in (" (", ", ")
            ):
                return
            if before == " (" and ")" not in t.gap(n) and not self._capital(n):
                return
            if ":" in t.gap(n)[:2] or (t.in_capitals(n) and "\n" in before):
                return
        elif low in _GRADES and low != "pgy" and t.words[n][0].isupper():
            if before not in (", ", " (", ", ("):
                return
        elif not (strict or self._credential(n)) or not re.fullmatch(
            r",[ \t]*|[ \t]+\(?|[ \t]*\n[ \t]*" if strict else r",[ \t]*|[ \t]+\(?", before
        ):
            return
        loose = not strict and "," not in before and "(" not in before
        if (role or loose or "\n" in before) and _after_sentence(t.text, t.ends[n], role):
            return
        start, commas = n, 0
        while start > 0 and start > n - 9:
            k = start - 1
            if start < n and not self._joins(k):
                if commas or t.gap(k) not in (", ", ",") or self._vetoed(k, k + 1):
                    break
                commas = 1
            if not (
                self._capital(k)
                or (t.lower[k] in _INNER and t.lower[k] not in ("i", "e", "und") and start < n)
                or _PREFIXED.match(t.words[k])
            ):
                break
            if self._stops(k) or t.lower[k] in STRONG_TITLES:
                break
            start = k
            if self._begins(k):
                break
        while (
            start < n
            and (t.lower[start] in _INNER and t.lower[start] in ("by", "von", "an", "la", "i"))
            and not t.words[start][0].isupper()
            and start
            and t.lower[start - 1] in _ACTS_BY
        ):
            start += 1
        while start < n and self._unit(start) == start:
            start += 1
        if start == n or self._vetoed(start, n):
            return
        words = [k for k in range(start, n) if len(t.words[k]) > 1 and t.lower[k] not in _INNER]
        if not words:
            return
        known = all(t.kinds[k] & KNOWN and not t.kinds[k] & NAME for k in words)
        begun = t.is_first(start) or (start > 0 and (t.lower[start - 1] in _BEFORE_NAMES or t.lower[start - 1] in _TO))
        begun = (
            begun
            or (start > 0 and t.lower[start - 1] in ("and", "und", "per", "cc"))
            or t.before(start).strip()[-1:] in (":", ";", "(", "/")
        )
        if known and not (begun and (strict or len(words) > 1) and not t.in_capitals(start)):
            return
        other = Is.CLINICAL | Is.ROLE | Is.LABEL | Is.PRODUCT | Is.FUNCTION
        if any(t.kinds[k] & other and not t.kinds[k] & NAME for k in words) and (
            not strict or t.in_capitals(start) or (t.kinds[words[0]] & other and not t.kinds[words[0]] & NAME)
        ):
            return
        if loose and (len(words) < 2 or not begun):
            return
        if role and len(words) < 2 and "\n" in before:
            return
        if self._german and role and not self._any_name(start, n):
            return
        self._got(start, n)


def _after_sentence(text: str, end: int, role: bool) -> bool:
    """Whether something other than the end of a line or more of a title stands behind a credential or a role."""
    rest = text[end : end + 60].split("\n", 1)[0].strip(" \t.,;)(")
    return bool(rest) and not all(
        word[:1].isupper() or word in ("für", "of", "in", "and", "und", "at", "on", "for") or not word[:1].isalpha()
        for word in rest.split()
    )
