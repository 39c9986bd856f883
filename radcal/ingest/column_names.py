"""The parts of column names, and how much a name resembles known ones.

A name is split into words, abbreviations are written out, and what means the same in English, German, French, Spanish,
Swedish, Dutch and Italian becomes one part: "BEGIN_EXAM_DTTM" and "Untersuchungsbeginn" both consist of *begin* and
*exam*.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise, product

_ENGLISH = {
    "number": "number nbr num no nr numbers",
    "id": "id ids ident identifier key",
    "code": "code cd codes",
    "name": "name nm disp display desc descr description mnemonic title label",
    "date": "date dt day",
    "time": "time tm datetime dttm dtm timestamp ts dts instant dttime datetm",
    "patient": "patient pat pt person subject pnt",
    "mrn": "mrn mrnr medrec uhid",
    "exam": "exam exams examination exm procedure procedures proc prc study studies stdy catalog orderable svc scan"
    " scans",
    "accession": "accession acc accn acn accnum acession asn",
    "order": "order ordered ordering ord orders placer filler",
    "request": "request requested requesting req",
    "report": "report reports rpt note document result results rslt",
    "text": "text txt content contents narrative narr blob full value val verbatim",
    "dictate": "author authored dictated dictating dictator dictate dict dictation preliminary prelim primary",
    "sign": "signed signing signer sign sgn signature verified verifying verifier verify vrfy approved approving"
    " approver authenticated authenticator auth validated released",
    "final": "final finalized finalizing finalised finalising finalizer fin",
    "interpret": "interpreting interpreter interpreted read reading reader reporting reported rptg interp",
    "attending": "attending attn consultant staff principal supervising faculty prin",
    "resident": "resident trainee fellow registrar assistant assisting asst",
    "who": "by physician phys provider prov prv doctor dr md user usr prsnl personnel clinician practitioner",
    "radiologist": "radiologist radiologists",
    "status": "status state sts stat",
    "modality": "modality modalities mod mdlty",
    "findings": "findings finding",
    "impression": "impression impressions impr conclusion conclusions opinion",
    "addendum": "addendum addenda",
    "sequence": "sequence seq version ver revision rev",
    "file": "file filename path filepath",
    "begin": "begin began start started begun",
    "end": "end ended complete completed completion finish finished stop compl cmplt",
    "perform": "perform performed performing acquisition acquired perf service observation event obs",
    "body": "body",
    "region": "region area anatomy anatomic part",
    "schedule": "schedule scheduled sched appointment appt",
    "reason": "reason indication indications history hx clinical question",
    "refer": "ref referring referral referred referrer authorizing authorising authrzing admitting sender",
    "prior": "prior previous prev comparison old related",
    "birth": "birth dob born birthdate",
    "admit": "admission admit admitted discharge discharged arrival encounter enc visit csn contact",
    "transcribe": "transcribed transcriptionist transcribing transcriber transcription trans typist",
    "technologist": "technologist tech technician radiographer",
    "unit": "department dept dep location loc ward site facility unit institution hospital clinic org organization"
    " hosp",
    "type": "type class category cat kind subtype",
    "sex": "sex gender",
    "priority": "priority prio urgency",
}
_OTHERS = {
    "number": "nummer numero nro volgnummer",
    "id": "kennung identifiant identifikation",
    "code": "kod kode codigo",
    "name": "bezeichnung beschreibung libelle intitule descripcion benamning namn nombre nom typ art tipo omschrijving"
    " naam descrizione",
    "date": "datum fecha am data",
    "time": "zeit uhrzeit heure hora tid klockslag zeitpunkt tidpunkt horodatage zeitstempel tijd tijdstip ora orario",
    "patient": "patienten paciente pers person patientnummer paziente",
    "exam": "untersuchung untersuchungs examen undersokning undersoknings studie studien estudio prozedur leistung"
    " acte prueba exploracion massnahme prestation onderzoek onderzoeks verrichting verrichtingen esame esami"
    " prestazione",
    "accession": "akzession akz accessions acceso zugangs accessie accessione",
    "order": "auftrag auftrags bestallning",
    "request": "anforderung anforderungs anforderer anfordernd anfordernde anfordernder remiss peticion demande"
    " demandeur solicitante aanvraag richiesta",
    "report": "befund bericht berichts befundbericht utlatande svar informe rapport verslag verslagen referto",
    "text": "texte texto wortlaut inhalt tekst testo",
    "dictate": "diktiert diktierender diktierende diktierer diktat"
    " dikterat dikterad dicte dictado diktant gedicteerd dicteur dettato",
    "sign": "signiert signierender signierende unterschrieben unterschrift unterzeichnet freigegeben freigabe"
    " freigebender freigeber vidiert vidierender vidierende vidierung signerat signerad signerande signering signerings"
    " signierung signe valide firmado validado kontrasignerat validation validacion validazione autorisatie"
    " geautoriseerd autorisator gefiatteerd fiattering ondertekend ondertekenaar firma firmato firmatario"
    " convalidato",
    "interpret": "befunder granskad granskat granskare bedomare lu verslaglegger beoordelaar refertante refertatore"
    " refertato",
    "attending": "oberarzt oberarztin overlakare",
    "resident": "assistenzarzt assistenzarztin interne residente underlakare aios anios specializzando",
    "who": "von durch av par por arzt arztin lakare medecin medico benutzer nutzer door da arts",
    "radiologist": "radiologe radiologin radiologue radiologo radiolog rontgenlakare radioloog radiologi",
    "status": "statut estado stato",
    "modality": "modalitat modalite modalidad modalitet modaliteit modalita",
    "findings": "befunde hallazgos constatations fynd bevindingen reperti",
    "impression": "beurteilung zusammenfassung fazit synthese impresion bedomning sammanfattning conclusie conclusioni",
    "addendum": "nachtrag nachtrags adenda tillagg",
    "file": "datei dateiname fichier archivo fil",
    "begin": "beginn start debut inicio borjan starttid aanvang inizio",
    "end": "ende fin slut abgeschlossen",
    "perform": "durchfuhrung durchgefuhrt utford",
    "region": "korperregion korperteil organ kroppsdel",
    "schedule": "geplant termin bokad",
    "reason": "fragestellung indikation anamnese motif motivo fragestallning vraagstelling quesito",
    "refer": "einsender zuweiser zuweisender zuweisende uberweiser uberweisender uberweisende auftraggeber"
    " prescripteur remittent inremitterande aanvrager verwijzer richiedente"
    " inviante",
    "prior": "vor voruntersuchung vorbefund",
    "birth": "geburt geburts nacimiento naissance fodelse geboorte nascita",
    "admit": "aufnahme entlassung fall fallnummer inskrivning sejour",
    "transcribe": "geschrieben schreibkraft skriven",
    "technologist": "mtra mta mtr rontgensjukskoterska laborant tecnico",
    "unit": "abteilung klinik station standort avdelning servicio afdeling reparto",
    "sex": "geschlecht kon sexe sexo geslacht sesso",
    "priority": "prioritat prioritet prioriteit",
}
_TWO_MEANINGS = {
    "dt": ("date", "time"),
    "rad": ("rad", "radiologist"),
    "res": ("resident", "report"),
    "doc": ("report", "who"),
    "att": ("attending",),
    "body": ("body", "text"),
    "preliminary": ("dictate", "preliminary"),
    "value": ("text", "value"),
    "primary": ("dictate", "attending"),
    "person": ("patient", "who"),
    "examinator": ("interpret",),
}
"""Abbreviations of which the rest of the name, or the values, tell what they mean."""
_OF_WHERE = (
    "radiology rad radiologie rontgen img imaging image diagnostic ris pacs dicom hl fhir chest xray ray ct cr dx cxr"
    " tbl vw dim fact src"
)
"""Words that say whose export it is, and hardly what is in the column."""
_OF_GRAMMAR = "the of and for an de la le les du des del el der die das fur und en och at on first last"
_CONTEXT, _DROPPED = frozenset(_OF_WHERE.split()), frozenset(_OF_GRAMMAR.split())

_SEGMENT = re.compile(r"\b(pid|pv1|obr|obx|orc|msh|txa)[\s._-]*(\d{1,2})(?:[\s._-]\d{1,2})?\b", re.IGNORECASE)
"""A field of HL7, such as OBR-3 or PID.3.1."""
_CAMEL = re.compile(r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])")
_PARTS = re.compile(r"[a-z]+\d*|\d+")
_SHORTEST = 2
"""Letters of the shortest word in a compound."""
_CONTEXT_WEIGHT, _UNKNOWN_WEIGHT = 0.25, 0.7
"""Weights relative to a rare known part."""

_REMEMBERED = 4096
"""Names whose parts are remembered: cells of data are looked at too, in search of the header."""

Parts = frozenset[str]


def simplified(name: str) -> str:
    """A column name without case, accents, spaces and punctuation: 'N° d'examen' -> 'ndexamen'."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(r"[^a-z0-9]", "", plain)


@cache
def _meanings() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for table in (_ENGLISH, _OTHERS):
        for part, words in table.items():
            for word in words.split():
                if part not in found.get(word, ()):
                    found[word] = (*found.get(word, ()), part)
    return found | _TWO_MEANINGS


@cache
def _foreign() -> frozenset[str]:
    english = {word for words in _ENGLISH.values() for word in words.split()}
    return frozenset({word for words in _OTHERS.values() for word in words.split()} - english)


@lru_cache(_REMEMBERED)
def _words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case and without accents; compounds are split where all of their parts are known."""
    name = _SEGMENT.sub(lambda m: f" {m[1]}{int(m[2])} ", name.replace("#", " number ").replace("°", "o "))
    plain = unicodedata.normalize("NFKD", _CAMEL.sub(" ", name)).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    words: list[str] = []
    for word in _PARTS.findall(plain):
        if word.isdecimal():
            continue
        if not _SEGMENT.fullmatch(word):
            word = word.rstrip("0123456789")
        words += _split(word) or (word,)
    return tuple(words)


@lru_cache(_REMEMBERED)
def _split(word: str) -> tuple[str, ...]:
    """The fewest known words that make up a word, with an s or n between them; () if there are none."""
    known = _meanings()
    if word in known or word in _CONTEXT or word in _DROPPED:
        return (word,)
    best: dict[int, tuple[str, ...]] = {0: ()}
    for end in range(_SHORTEST, len(word) + 1):
        for start in range(max(0, end - 20), end - _SHORTEST + 1):
            piece = word[start:end]
            if start not in best or (piece not in known and piece not in _CONTEXT):
                continue
            # Two letters are an abbreviation at the end of a name, such as "nr", and chance within it.
            if len(piece) == _SHORTEST and end < len(word):
                continue
            found = (*best[start], piece)
            if end not in best or len(found) < len(best[end]):
                best[end] = found
        if end in best and end < len(word) - _SHORTEST and word[end] in "sn" and len(best[end][-1]) > _SHORTEST + 1:
            best.setdefault(end + 1, best[end])
    return best.get(len(word), ())


@lru_cache(_REMEMBERED)
def parts_of(name: str) -> tuple[Parts, ...]:
    """What a name says, as sets of parts: one for each way to understand its abbreviations."""
    known = _meanings()
    choices = [known.get(word, (word,))[:3] for word in _words(name) if len(word) > 1 and word not in _DROPPED]
    ways = []
    for way in list(product(*choices))[:32]:
        parts = list(way)
        for i, (a, b) in enumerate(pairwise(list(parts))):
            if {a, b} == {"date", "time"}:
                parts[i] = "time"
        if "radiologist" in parts:
            parts.append("who")
        ways.append(frozenset(parts))
    return tuple(dict.fromkeys(ways))


def is_foreign(name: str) -> bool:
    """Whether a word of the name is of another language than English."""
    return any(word in _foreign() for word in _words(name))


class Resemblance:
    """How much names resemble known ones, in 0-1: the cosine of their parts, each weighted by how rare it is.

    known: the known names of each class
    """

    def __init__(self, known: Mapping[str, Sequence[str]]) -> None:
        ways = {of: dict.fromkeys(p for n in names for p in parts_of(n) if p) for of, names in known.items()}
        entries = [(of, place, parts) for of, of_class in ways.items() for place, parts in enumerate(of_class)]
        counts = Counter(part for _, _, parts in entries for part in parts)
        self._weights = {part: math.log(1 + len(entries) / n) for part, n in counts.items()}
        self._rare = math.log(1 + len(entries))
        self._with: dict[str, list[tuple[str, int, Parts, float]]] = {}
        for of, place, parts in entries:
            for part in parts:
                self._with.setdefault(part, []).append((of, place, parts, self._norm(parts)))

    def __call__(self, name: str) -> dict[str, tuple[float, int]]:
        """The resemblance to the nearest known name of each class, and its place; no class without a common part."""
        best: dict[str, tuple[float, int]] = {}
        for parts in parts_of(name):
            norm = self._norm(parts)
            for of, place, known, its_norm in {entry for part in parts for entry in self._with.get(part, ())}:
                found = round(sum(self._weight(p) ** 2 for p in parts & known) / (norm * its_norm), 9)
                best[of] = max(best.get(of, (0.0, 0)), (min(found, 1.0), -place))
        return {of: (found, -place) for of, (found, place) in best.items()}

    def _norm(self, parts: Iterable[str]) -> float:
        return math.sqrt(sum(self._weight(part) ** 2 for part in parts))

    def _weight(self, part: str) -> float:
        if part in _CONTEXT:
            return _CONTEXT_WEIGHT * self._rare
        return self._weights.get(part, _UNKNOWN_WEIGHT * self._rare)
