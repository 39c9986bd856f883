"""The columns of a file by field: recognised by their names and values together, or mapped by the user.

A column's total for a field is the resemblance of its name to the field's known names (1 for a known name), and what
its values add or take away.  The assignment with the greatest sum of totals wins; totals below a threshold count
for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cache, lru_cache
from operator import itemgetter

from radcal.errors import InputError
from radcal.ingest.column_names import Resemblance, is_foreign, parts_of, simplified
from radcal.ingest.column_values import FEW, SAMPLE, Values
from radcal.ingest.delimited import best_header
from radcal.ingest.sheets import with_alike
from radcal.ingest.table import Cell, Table, cell_text
from radcal.quoting import NO_COLUMN_NAMES, column_list, is_column_name
from radcal.text import EMPTY, Text, either, joined


@dataclass(frozen=True, slots=True)
class Field:
    """A field and the usual names of its columns, most specific first.

    ``names`` are English, ``others`` German, French and Spanish; the latter imply that a file writes the day before
    the month.
    """

    meaning: str
    names: tuple[str, ...]
    others: tuple[str, ...] = ()


def _names(text: str) -> tuple[str, ...]:
    """The names in a list separated by semicolons."""
    return tuple(text.split("; ")) if text else ()


def _field(meaning: str, names: str, others: str = "") -> Field:
    return Field(meaning, _names(names), _names(others))


FIELDS: Mapping[str, Field] = {
    "report_id": _field(Text("the report id"),
        "report id; document id; doc id; note id; id; study id"),
    "accession": _field(Text("the accession number"),
        "accession number; accession; accession no; accession nr; accession id; accession num; acc number; acc no; "
        "acc nr; acc num; acc; order number; filler order number; placer order number; request number; exam id; "
        "exam number; study id; report number; "
        "OBR 3; OBR 18; filler order; ORC 3",
        "Akzessionsnummer; Zugangsnummer; Auftragsnummer; Anforderungsnummer; Untersuchungsnummer; Untersuchungs-ID; "
        "Auftrags-ID; Akz.-Nr.; Studiennummer; Befundnummer; numéro d'accession; numéro d'examen; n° d'examen; "
        "n° examen; numéro de demande; número de acceso; número de accesión; nº de acceso; número de estudio; "
        "id estudio; número de petición"),
    "patient_id": _field(Text("the patient"),
        "patient id; MRN; patient MRN; patient MRN id; pat MRN id; patient number; patient no; patient nr; "
        "medical record number; "
        "medical record no; pat id; patient identifier; patient key; patient; subject id; person id; hospital number; "
        "NHS number; UHID; PID; "
        "PID 3; patient identifier list",
        "Patienten-ID; Patient-ID; Patientennummer; Patienten-Nr; Pat-ID; Pat.-Nr.; PatientenID; Patientenkennung; "
        "identifiant patient; id patient; IPP; NIP; numéro patient; numéro de patient; id paciente; id del paciente; "
        "número de paciente; historia clínica; número de historia; número de historia clínica; NHC; paciente"),
    "exam": _field(Text("the exam"),
        "exam description; exam desc; exam name; procedure description; procedure desc; proc desc; study description; "
        "study desc; exam type; procedure name; procedure; order description; order name; exam; examination; "
        "study name; study; service description; study type; "
        "OBR 4; universal service identifier; order mnemonic; catalog",
        "Untersuchung; Untersuchungsart; Untersuchungsbezeichnung; Untersuchungsbeschreibung; Untersuchungsname; "
        "Untersuchungstyp; Studienbeschreibung; Leistung; Leistungstext; Leistungsbezeichnung; Prozedur; "
        "libellé examen; libellé de l'examen; type d'examen; examen; acte; libellé acte; intitulé; estudio; "
        "descripción del estudio; tipo de estudio; exploración; prueba; procedimiento"),
    "exam_code": _field(Text("the exam code"),
        "exam code; procedure code; proc code; study code; order code; service code; CPT code; CPT",
        "Untersuchungscode; Leistungscode; code examen; code acte; código de estudio; código"),
    "body_part": _field(Text("the body part"),
        "body part; body part examined; body region; region; anatomy; body area",
        "Körperregion; Körperteil; Organ; région; région anatomique; región; región anatómica"),
    "modality": _field(Text("the modality"),
        "modality; modality code; modality type; exam modality; study modality; modalities; mod; OBR 24; "
        "diagnostic service section",
        "Modalität; modalité; modalidad"),
    "exam_time": _field(Text("the examination time"),
        "exam time; exam datetime; exam date time; exam timestamp; exam dttm; exam dt tm; exam date and time; "
        "study time; study datetime; study date time; study timestamp; study dttm; examination time; "
        "examination datetime; examination date time; performed time; performed datetime; performed date time; "
        "procedure time; procedure datetime; procedure date time; exam start; exam start time; exam begin time; "
        "exam begin; start time; acquisition time; acquisition datetime; acquisition date time; exam end time; "
        "exam end; exam completed; exam completed time; exam completed datetime; exam completed date time; "
        "time of exam; time; datetime; date time; timestamp; "
        "OBR 7; observation date time; event end date time; chart time",
        "Untersuchungszeit; Untersuchungszeitpunkt; Untersuchungsdatum/-zeit; Untersuchungsdatum und Uhrzeit; "
        "Untersuchungsuhrzeit; Studienzeit; Studienzeitpunkt; Studienuhrzeit; Durchführungszeit; "
        "Durchführungszeitpunkt; Uhrzeit; Zeitpunkt; Untersuchungsbeginn; heure d'examen; heure examen; heure de "
        "l'examen; date et heure; date et heure de l'examen; date/heure; date heure examen; heure; hora del estudio; "
        "hora de estudio; hora estudio; fecha y hora; fecha/hora; fecha y hora del estudio; fecha hora estudio; hora"),
    "exam_date": _field(Text("the examination date"),
        "exam date; study date; date of exam; date of examination; examination date; performed date; procedure date; "
        "acquisition date; exam start date; service date; date of service; exam completed date; date",
        "Untersuchungsdatum; Studiendatum; Durchführungsdatum; Leistungsdatum; Datum; Datum der Untersuchung; "
        "date d'examen; date examen; date de l'examen; fecha del estudio; fecha de estudio; fecha estudio; "
        "fecha de examen; fecha"),
    "text": _field(Text("the report text"),
        "report text; report; report body; full report; full text; radiology report; report content; "
        "report narrative; narrative; text; result text; report full text; final report; note text; result; body; "
        "dictation; transcription; OBX 5; observation value; report blob",
        "Befundtext; Befund; Bericht; Berichtstext; Berichttext; Befundbericht; compte rendu; compte-rendu; texte du "
        "compte rendu; texte; CR; rapport; informe; texto del informe; texto informe; texto; informe radiológico"),
    "findings": _field(Text("the findings"),
        "findings; finding; findings text; report findings; findings section",
        "Befunde; Befundbeschreibung; constatations; résultats; hallazgos"),
    "impression": _field(Text("the impression"),
        "impression; impressions; impression text; report impression; conclusion; conclusions; opinion",
        "Beurteilung; Zusammenfassung; Fazit; synthèse; impresión; impresión diagnóstica; conclusión; conclusiones"),
    "dictator": _field(Text("who dictated"),
        "dictating radiologist; dictated by; dictating physician; dictating provider; dictating user; dictating; "
        "dictator; dictated; preliminary radiologist; preliminary by; resident; resident radiologist; trainee; "
        "fellow; registrar; report author; author; OBR 33; assistant result interpreter; "
        "performed by; performed personnel",
        "diktiert von; diktiert durch; diktierender Arzt; diktierende Ärztin; Diktierender; Diktierer; Diktat durch; "
        "Erstbefunder; Befunder; befundender Arzt; befundende Ärztin; Befundarzt; befundet von; "
        "Assistenzarzt; Assistenzärztin; dicté par; rédigé par; interne; dictado por; residente"),
    "signer": _field(Text("who signed"),
        "signing radiologist; signed by; signing physician; signing provider; signer; signed; attending radiologist; "
        "provider id; report personnel; attending; attending physician; finalizing radiologist; "
        "finalized by; finalised by; final radiologist; final by; finalizing physician; "
        "verified by; verifying radiologist; verifier; approved by; approver; "
        "authenticated by; staff radiologist; consultant radiologist; consultant; interpreting radiologist; "
        "interpreting physician; interpreting provider; interpreted by; reading radiologist; reading physician; "
        "reading provider; read by; reporting radiologist; reported by; principal result interpreter; "
        "primary interpreter; result interpreter; report physician; radiologist name; radiologist; reader; OBR 32",
        "signiert von; signiert durch; unterzeichnet von; unterschrieben von; freigegeben von; freigegeben durch; "
        "Freigabe durch; freigebender Arzt; freigebende Ärztin; Freigeber; vidiert von; vidiert durch; "
        "vidierender Arzt; vidierende Ärztin; signierender Arzt; signierende Ärztin; Zweitbefunder; Oberarzt; "
        "Oberärztin; befundender Arzt; befundende Ärztin; Befundarzt; Befunder; befundet von; befundet durch; "
        "Radiologe; Radiologin; signé par; validé par; radiologue; médecin radiologue; médecin; firmado por; "
        "validado por; informado por; radiólogo; médico radiólogo; médico"),
    "status": _field(Text("the report status"),
        "report status; status; result status; document status; report state; OBR 25; OBX 11",
        "Befundstatus; Berichtsstatus; Freigabestatus; statut; statut du compte rendu; estado; estado del informe"),
    "addendum": _field(Text("the addendum number"),
        "addendum number; addendum no; addendum nr; addendum; addendum sequence",
        "Nachtrag; Nachtragsnummer; numéro d'addendum; adenda"),
    "report_time": _field(Text("the report time"),
        "report time; report datetime; report date time; report date; finalized time; finalized date; "
        "finalized datetime; finalized date time; finalized; final time; final date; signed time; signed date; "
        "signed datetime; signed date time; verified time; verified date; result time; result date; result datetime; "
        "report finalized time; report signed time; OBR 22; approval date; approved date",
        "Befundzeit; Befundzeitpunkt; Befunddatum; Freigabezeit; Freigabezeitpunkt; Freigabedatum; Vidierdatum; "
        "Vidierzeitpunkt; date du compte rendu; fecha del informe"),
    "site": _field(Text("the place of the examination"),
        "site; performing site; exam site; performing location; exam location; performing department; exam department; "
        "location; patient location; department; ward; nursing unit; unit; facility; institution; organization; "
        "clinic; hospital; PV1 3; assigned patient location",
        "Standort; Station; Abteilung; Klinik; Ort der Untersuchung; site de l'examen; unité; établissement; sede; "
        "centro; unidad; ubicación; Avdelning"),
    "age": _field(Text("the patient\u2019s age"),
        "patient age; age at exam; age at examination; age at study; age; age years; age in years; "
        "patient age in years; exam age",
        "Alter; Patientenalter; Alter bei Untersuchung; Alter in Jahren; âge; âge du patient; edad; "
        "edad del paciente; Ålder"),
    "birth_date": _field(Text("the patient\u2019s date of birth"),
        "date of birth; birth date; patient birth date; patient date of birth; DOB; patient DOB; PID 7; birth dt tm; "
        "date time of birth",
        "Geburtsdatum; Geb.-Datum; Geburtstag; date de naissance; fecha de nacimiento; Födelsedatum; geboortedatum; "
        "data di nascita"),
    "patient_name": _field(Text("the patient\u2019s name, which is not kept"),
        "patient name; patient full name; full name; name; patient first name; first name; given name; middle name; "
        "patient last name; last name; family name; surname; maiden name; birth name; alias; former name; PID 5; "
        "PID 9; pat name; pt name; patient middle name",
        "Patientenname; Name des Patienten; Name, Vorname; Name; Vorname; Vorname des Patienten; Rufname; Nachname; "
        "Nachname des Patienten; Familienname; Zuname; Geburtsname; nom du patient; pr\u00e9nom; nom; "
        "nom de naissance; nombre del paciente; nombre; apellidos; apellido; Patientnamn"),
    "staff_names": _field(Text("further people of the report, who are not kept"),
        "staff names; referring physician; referring provider; referring doctor; referring clinician; referrer; "
        "ordering physician; ordering provider; ordering doctor; ordering clinician; requesting physician; "
        "requesting provider; requesting doctor; requested by; ordered by; authorizing provider; "
        "authorizing physician; attending physician of the admission; admitting physician; admitting provider; "
        "primary care provider; "
        "primary care physician; PCP; family physician; family doctor; general practitioner; GP; "
        "consulting physician; consulting provider; treating physician; performing technologist; performing physician; "
        "performing provider; technologist; technician; radiographer; sonographer; nurse; transcribed by; "
        "transcriptionist; entered by; notified physician; communicated to; next of kin; emergency contact; "
        "contact person; guarantor; mother's maiden name; OBR 16; OBR 28; OBR 34; OBR 35; ORC 12; PV1 7; PV1 8; PV1 9; "
        "PV1 17; NK1 2",
        "Zuweiser; zuweisender Arzt; zuweisende \u00c4rztin; Einsender; einsendender Arzt; \u00dcberweiser; "
        "\u00fcberweisender Arzt; \u00fcberweisende \u00c4rztin; Anforderer; anfordernder Arzt; anfordernde "
        "\u00c4rztin; Hausarzt; Haus\u00e4rztin; behandelnder Arzt; behandelnde \u00c4rztin; Stationsarzt; MTRA; MTR; "
        "MTA; Schreibkraft; geschrieben von; Angeh\u00f6rige; Angeh\u00f6riger; Bezugsperson; Kontaktperson; "
        "prescripteur; m\u00e9decin traitant; m\u00e9dico solicitante; Remittent"),
    "identifiers": _field(Text("further numbers and addresses of the patient, which are not kept"),
        "identifiers; SSN; social security number; social security no; national id; account number; account no; "
        "patient account number; encounter id; encounter number; encounter csn id; CSN; visit number; visit id; "
        "health card number; health insurance number; insurance number; policy number; member id; "
        "other patient ids; alternate patient id; former patient id; prior accession number; prior accession; phone; "
        "phone number; patient phone; telephone; home phone; work phone; mobile; mobile phone; cell phone; fax; "
        "fax number; email; e-mail; email address; patient email; address; patient address; home address; street; "
        "street address; zip; zip code; postcode; postal code; driver's license number; "
        "PID 2; PID 4; PID 11; PID 13; PID 14; PID 18; PID 19; PV1 19",
        "Fallnummer; Aufnahmenummer; Besuchsnummer; Versichertennummer; Versicherungsnummer; "
        "Krankenversichertennummer; KVNR; "
        "Sozialversicherungsnummer; Krankenkassennummer; Vornummer; Telefon; Telefonnummer; Handy; Handynummer; "
        "Mobilnummer; Faxnummer; E-Mail-Adresse; Adresse; Anschrift; Patientenadresse; Stra\u00dfe; PLZ; Postleitzahl; "
        "num\u00e9ro de s\u00e9curit\u00e9 sociale; t\u00e9l\u00e9phone; adresse; tel\u00e9fono; direcci\u00f3n; "
        "c\u00f3digo postal"),
    "file": _field(Text("the text file"),
        "file; filename; file name; path; file path; text file; report file; document",
        "Datei; Dateiname; fichier; nom du fichier; archivo; fichero; nombre de archivo"),
}  # fmt: skip

LATE_TIMES = _names(
    "completed time; completed datetime; completed date time; completed; completed date; completion time; order time; "
    "order datetime; order date time; ordered; order date; scheduled time; scheduled datetime"
)
"""Used as the examination time if a file has no better one."""

_NO_FIELDS = _names(
    "patient name; name; last name; first name; birth date; date of birth; age; patient age; sex; gender; race; "
    "referring physician; referring provider; ordering physician; ordering provider; ordering provider id; "
    "requesting physician; authorizing provider; attending physician of the admission; primary care provider; "
    "performing technologist; performing physician; performing provider; technologist; transcribed by; "
    "transcriptionist; transcribed date; "
    "reason for exam; reason for study; indication; clinical history; history; question; diagnosis; icd code; "
    "prior accession number; prior exam; previous report; comparison exam; prior exam date; "
    "order time; order date; order status; order priority; order type; priority; requested date; request time; "
    "scheduled time; scheduled date; appointment time; arrival time; admission date; discharge date; encounter id; "
    "visit number; account number; contact date; dictated date; dictated time; transcription date; print time; "
    "print timestamp; update date; created date; inserted time; department; location; ward; unit; "
    "performing department; site; facility; institution; room; machine; scanner; patient class; patient type; "
    "exam status; study status; exam category; category; report type; note type; laterality; contrast; dose; "
    "exam end time; study group order id; study instance uid; series number; image count; number of images; "
    "charge code; insurance; procedure category id; encounter csn id; turnaround time; line; count; language; "
    "dictating provider type; reading location; resident flag; critical result flag; "
    "Patientenname; Name; Nachname; Vorname; Geburtsdatum; Alter; Geschlecht; Zuweiser; Einsender; Anforderer; "
    "anfordernder Arzt; Fragestellung; Indikation; klinische Angaben; Anamnese; Voruntersuchung; Vorbefund; "
    "Anforderungsdatum; Auftragsdatum; Termin; Aufnahmedatum; Fallnummer; Diktatdatum; Diktatzeitpunkt; Schreibdatum; "
    "Abteilung; Station; Standort; Klinik; Raum; Gerät; MTRA; Untersuchungsstatus; Auftragsstatus; Priorität; "
    "Kostenträger; Dosis; Remittent; Remissdatum; Patientnamn; Frågeställning; Avdelning; Diktatdatum; Ålder; Kön; "
    "nom du patient; date de naissance; prescripteur; motif; service; nombre del paciente; fecha de nacimiento; motivo",
)
"""Columns of exports that no field, or one of _ASIDE, is for; they keep a name from being taken for the field that it
resembles less."""
_ASIDE = ("site", "age", "birth_date")
"""Fields that are looked for in what is left: no other field loses a column to them."""
IDENTIFYING = ("patient_name", "staff_names", "identifiers")
"""Fields that de-identification alone reads, and nothing stores: every column that no other field uses and whose name
speaks for one of them."""
_LEFT_OVER = {
    "signer": "staff_names",
    "dictator": "staff_names",
    "accession": "identifiers",
    "patient_id": "identifiers",
    "report_id": "identifiers",
}
"""What a column holds for de-identification whose field uses another column."""
_GIVEN = _names(
    "patient first name; first name; given name; middle name; Vorname; Vorname des Patienten; Rufname; "
    "pr\u00e9nom; nombre"
)
"""Columns of a name's first part, which are read before those of its last."""

Need = Sequence[tuple[str, ...]]
"""Groups of fields; a file must have at least one of each group."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a file.

    positions: field -> column, 0 for the first
    names: field -> name of the column in the file
    day_first: the names are in a language that writes the day before the month
    undecided: field -> names of columns that are as likely as each other, none of which was taken
    rivals: field -> names of columns that are nearly as likely as the one taken, and are used for nothing
    identifying: field of IDENTIFYING -> all of its columns, in the order of the parts of a name; those that were
        mapped, and those of messages, are in ``positions`` as well
    """

    positions: Mapping[str, int]
    names: Mapping[str, str]
    day_first: bool
    undecided: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    rivals: Mapping[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    identifying: Mapping[str, tuple[int, ...]] = dataclass_field(default_factory=dict)

    def __contains__(self, field: object) -> bool:
        return field in self.positions


@cache
def _known() -> tuple[Mapping[str, Mapping[str, int]], frozenset[str]]:
    """The rank of each simplified name by field, and the names that are not English."""
    ranks = {field: _ranks(f.names + f.others) for field, f in FIELDS.items()}
    english = {simplified(n) for f in FIELDS.values() for n in f.names}
    others = {simplified(n) for f in FIELDS.values() for n in f.others}
    return ranks, frozenset(others - english)


def _ranks(names: Sequence[str]) -> Mapping[str, int]:
    """The rank of each simplified name; "Auftragsnummer" also covers "Auftragsnr."."""
    ranks: dict[str, int] = {}
    for rank, name in enumerate(names):
        key = simplified(name)
        ranks.setdefault(key, rank)
        if key.endswith("nummer"):
            ranks.setdefault(f"{key.removesuffix('nummer')}nr", rank)
    return ranks


_THRESHOLD = 0.72
"""Least total of a column that is taken for a field."""
_ALIKE = 0.03
"""Totals that differ by less are as likely as each other."""
_NEAR = 0.15
"""Totals that differ by less are told as rivals."""
_RANK = 0.002
"""What a known name loses by its place in the list of its field."""
_SURE = 0.98
"""What a name that has all parts of a known name, and no other, resembles it."""
_RIVAL = 0.6
"""Share of the lead of a rival, a field or none, that a resemblance loses."""
_CLOSE = 0.85
"""Least resemblance to a known name of a column that de-identification reads."""
_LONGEST_NAME, _MOST_WORDS = 60, 8
_NONE, _LATE = "none", "late"
_MOMENTS = ("exam_time", "exam_date")


@cache
def _resemblance() -> Resemblance:
    known = {name: (*f.names, *f.others) for name, f in FIELDS.items() if name not in {*_ASIDE, *IDENTIFYING}}
    return Resemblance({**known, _NONE: _NO_FIELDS, _LATE: LATE_TIMES})


@cache
def _resemblance_aside() -> Resemblance:
    aside = {name: (*FIELDS[name].names, *FIELDS[name].others) for name in _ASIDE}
    theirs = {simplified(n) for names in aside.values() for n in names}
    return Resemblance({**aside, _NONE: [n for n in _NO_FIELDS if simplified(n) not in theirs]})


@lru_cache(4096)
def _of_name(name: str) -> Mapping[str, tuple[float, int]]:
    """How much a name speaks for each field, 1 at most, and the place of the known name that it is or resembles."""
    key = simplified(name)
    ranks, _ = _known()
    exact = {of: (1.0, rank[key]) for of, rank in ranks.items() if key in rank and of not in IDENTIFYING}
    if exact or key in _no_field() or len(name) > _LONGEST_NAME or len(name.split()) > _MOST_WORDS:
        return exact
    near = _resemblance()(name)
    best = max((found for found, _ in near.values()), default=0.0)
    if near.get(_NONE, (0.0, 0))[0] == best:
        near = {**near, **_resemblance_aside()(name)}
        best = max((found for found, _ in near.values()), default=0.0)
    return {
        of: (min(_SURE, found) - _RIVAL * (best - found), place)
        for of, (found, place) in near.items()
        if of in FIELDS and found > best / 2
    }


@cache
def _resemblance_identifying() -> Resemblance:
    known = {name: (*f.names, *f.others) for name, f in FIELDS.items()}
    theirs = {simplified(n) for of in IDENTIFYING for n in known[of]}
    return Resemblance({**known, _NONE: [n for n in (*_NO_FIELDS, *LATE_TIMES) if simplified(n) not in theirs]})


@lru_cache(4096)
def _identifying(name: str) -> str:
    """The field of IDENTIFYING that a column holds by its name, '' for none."""
    key = simplified(name)
    for of in IDENTIFYING:
        if key in _known()[0][of]:
            return of
    own = next((of for of, (found, _) in _of_name(name).items() if found == 1.0), "")
    if own in _LEFT_OVER:
        return _LEFT_OVER[own]
    if own or not key or key in _no_field() or len(name) > _LONGEST_NAME or len(name.split()) > _MOST_WORDS:
        return ""
    near = {of: found for of, (found, _) in _resemblance_identifying()(name).items()}
    best = max(near, key=lambda of: near[of], default="")
    return best if best in IDENTIFYING and near[best] >= _CLOSE else ""


def _identifying_columns(
    names: Sequence[str], positions: Mapping[str, int], wanted: Sequence[str]
) -> dict[str, tuple[int, ...]]:
    """Every column of the fields IDENTIFYING: those mapped, and those that no field uses and whose name says so."""
    used, given = set(positions.values()), {simplified(name) for name in _GIVEN}
    found: dict[str, list[int]] = {of: [positions[of]] for of in IDENTIFYING if of in positions}
    for column, name in enumerate(names):
        if column not in used and (of := _identifying(name)) and of in wanted:
            found.setdefault(of, []).append(column)
    if "patient_name" in found:
        found["patient_name"].sort(key=lambda column: simplified(names[column]) not in given)
    return {of: tuple(columns) for of, columns in found.items()}


@cache
def _no_field() -> frozenset[str]:
    of_aside = frozenset[str]().union(*(_known()[0][name] for name in _ASIDE))
    return frozenset(simplified(name) for name in (*_NO_FIELDS, *LATE_TIMES)) - of_aside


def guess(
    header: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str], rows: Sequence[Sequence[Cell]] = ()
) -> Layout:
    """The columns of ``header`` that hold the ``wanted`` fields.

    Columns in ``mapping`` are assigned first; of the others those that the names, and the values of the first ``rows``
    below, speak for most.  Each column is used for one field only.
    """
    names = [cell_text(cell) for cell in header]
    positions = _mapped(names, mapping, wanted)
    totals = _totals(names, rows, wanted, positions)
    undecided: dict[str, tuple[str, ...]] = {}
    for of, column in _assigned(totals.begun(names)).items():
        alike = totals.alike(of, column, names)
        if alike:
            undecided[of] = (names[column], *alike)
        else:
            positions[of] = column
    if not {"exam_time", "exam_date"} & (positions.keys() | undecided.keys()) and "exam_time" in wanted:
        late = _ranks(LATE_TIMES)
        found = [(late[key], i) for i, n in enumerate(names) if (key := simplified(n)) in late]
        free = [(rank, i) for rank, i in found if i not in positions.values()]
        if free:
            positions["exam_time"] = min(free)[1]
    identifying = _identifying_columns(names, positions, wanted)
    ordered = {of: positions[of] for of in wanted if of in positions}
    _, foreign = _known()
    return Layout(
        positions=ordered,
        names={of: names[column] for of, column in ordered.items()},
        day_first=any(simplified(names[c]) in foreign or is_foreign(names[c]) for c in ordered.values()),
        undecided=undecided,
        rivals={of: rivals for of in ordered if (rivals := totals.rivals(of, ordered, names))},
        identifying=identifying,
    )


@dataclass(frozen=True)
class _Totals:
    """total: of each field and column that reaches the threshold;  sure: those with a known name"""

    total: Mapping[tuple[str, int], float]
    sure: frozenset[tuple[str, int]]
    values: Mapping[int, Values]

    def alike(self, of: str, column: int, names: Sequence[str]) -> tuple[str, ...]:
        """The columns that are as likely as the one taken for a field, and hold something else."""
        if (of, column) in self.sure:
            return ()
        least = self.total[of, column] - _ALIKE
        return tuple(
            names[i]
            for (f, i), total in self.total.items()
            if f == of and i != column and total >= least and self.values[i] != self.values[column]
            and _of_name(names[i]).get(of, (0.0, -1))[1] == _of_name(names[column]).get(of, (0.0, -1))[1]
            and all(total >= other for (_, k), other in self.total.items() if k == i)
        )  # fmt: skip

    def begun(self, names: Sequence[str]) -> Mapping[tuple[str, int], float]:
        """The totals without those of the end of an examination where another column tells as well when it began."""
        begins, ends = (
            {key for key in self.total if key[0] in _MOMENTS and part in _said(names[key[1]])}
            for part in ("begin", "end")
        )
        late = {
            (of, end)
            for of, end in ends - begins
            if any(
                f == of and self.values[begin].fits("exam_time") > self.values[end].fits("exam_time") - 0.1
                for f, begin in begins
            )
        }
        return {key: found for key, found in self.total.items() if key not in late}

    def rivals(self, of: str, taken: Mapping[str, int], names: Sequence[str]) -> tuple[str, ...]:
        """The columns used for nothing that are nearly as likely as that taken for a field, and hold other values."""
        column = taken[of]
        if (of, column) not in self.total or (of, column) in self.sure:
            return ()
        return tuple(
            names[i]
            for (f, i), total in self.total.items()
            if f == of and i not in taken.values() and total > self.total[of, column] - _NEAR
            and self.values[i].cells and self.values[i] != self.values[column]
        )  # fmt: skip


def _said(name: str) -> frozenset[str]:
    return frozenset[str]().union(*parts_of(name))


def _mapped(names: Sequence[str], mapping: Mapping[str, str], wanted: Sequence[str]) -> dict[str, int]:
    keys = [simplified(name) for name in names]
    found = {of: _position(names, keys, column) for of, column in mapping.items() if of in wanted}
    return {of: column for of, column in found.items() if column is not None}


def _totals(
    names: Sequence[str], rows: Sequence[Sequence[Cell]], wanted: Sequence[str], mapped: Mapping[str, int]
) -> _Totals:
    """The totals of the fields and columns that are not mapped."""
    total: dict[tuple[str, int], float] = {}
    sure: set[tuple[str, int]] = set()
    values: dict[int, Values] = {}
    for column, name in enumerate(names):
        if column in mapped.values():
            continue
        for field, (found, rank) in _of_name(name).items():
            of = field
            if of not in wanted or of in mapped:
                continue
            its = values.setdefault(column, _values_of(rows, column))
            known = found == 1.0
            of_all = found - _RANK * rank + its.evidence(of)
            if (
                of == "exam_date"
                and "exam_time" in wanted
                and "exam_time" not in mapped
                and its.fits("exam_time") > 0.95
            ):
                of = "exam_time"  # dates with a time of day
            if known:
                # A known name stands for its field, whatever its values, unless another column does so better.
                sure.add((of, column))
                of_all = max(of_all, _THRESHOLD + 0.2 - _RANK * rank)
            if of_all >= _THRESHOLD:
                total[of, column] = max(of_all, total.get((of, column), 0.0))
    return _Totals(total, frozenset(sure), values)


def _values_of(rows: Sequence[Sequence[Cell]], column: int) -> Values:
    return Values([row[column] for row in rows[: 2 * SAMPLE] if column < len(row)])


def _assigned(total: Mapping[tuple[str, int], float]) -> dict[str, int]:
    """One column for each field, and one field for each column, with the greatest sum of totals."""
    if not total:
        return {}
    best = _best_of_each(total)
    if best is not None:
        return best
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    fields, columns = sorted({of for of, _ in total}), sorted({column for _, column in total})
    gain = np.zeros((len(fields), len(columns)))
    for (of, column), found in total.items():
        gain[fields.index(of), columns.index(column)] = found - _THRESHOLD + 0.3
    chosen = zip(*linear_sum_assignment(gain, maximize=True), strict=True)
    return {fields[f]: columns[c] for f, c in chosen if gain[f, c] > 0}


def _best_of_each(total: Mapping[tuple[str, int], float]) -> dict[str, int] | None:
    """The best column of each field, where that is another one for each: no other choice has as great a sum.

    None where two columns are as good, or two fields want the same: that asks for a library that is slow to load.
    """
    best = {of: column for (of, column), _ in sorted(total.items(), key=itemgetter(1))}
    alike = any(column != best[of] and found == total[of, best[of]] for (of, column), found in total.items())
    return None if alike or len(set(best.values())) < len(best) else dict(sorted(best.items()))


def _position(names: Sequence[str], keys: Sequence[str], column: str) -> int | None:
    if column.strip() in names:
        return names.index(column.strip())
    key = simplified(column)
    return keys.index(key) if key and key in keys else None


def check_mapping(mapping: Mapping[str, str], wanted: Sequence[str]) -> None:
    """Check the fields of a mapping.

    Raises:
        InputError: a field is unknown; the message lists those that exist.
    """
    for field in mapping:
        if field not in wanted:
            raise InputError(
                "There is no {field!r} to map a column to. Columns can be mapped to: {wanted}.",
                field=field,
                wanted=", ".join(wanted),
            )


_OTHER_COLUMNS = Text(
    "{file}: sheet {sheet} holds reports under other column names and was not read. Save it as a file of its own, and "
    "import that too."
)


def locate(
    tables: Sequence[Table], need: Need, wanted: Sequence[str], mapping: Mapping[str, str], file: str
) -> tuple[Table, int, Layout]:
    """The first usable table (sheet) of a file, the number of its header row, and the columns of its fields.

    Further sheets with the same column names belong to it; a note tells of those with reports under others.

    Raises:
        InputError: no table has a column for every group of ``need`` in one of its first rows.
    """
    found: list[tuple[int, Table, int, Layout]] = []
    for place, table in enumerate(tables, 1):
        if table.rows:
            row, known = _header_of(table, mapping, wanted)
            layout = layout_of(table, row, mapping, wanted)
            if not _missing(layout, need):
                further = [(t, _header_of(t, mapping, wanted)[0]) for t in tables[place:] if t.rows]
                table, others = with_alike(table, row, further)
                lost = [t for t, at in others if not _missing(layout_of(t, at, mapping, wanted), need)]
                notes = [Text(_OTHER_COLUMNS, file=file, sheet=t.sheet) for t in lost]
                return (replace(table, notes=[*table.notes, *notes]) if notes else table), row, layout
            found.append((known, table, row, layout))
    if not found:
        raise InputError("{file} is empty. Export the reports again.", file=file)
    _, table, row, layout = max(found, key=itemgetter(0))
    header = table.rows[row]
    if wrong := misfits(table, row, layout, wanted, mapping):
        raise InputError("{wrong} Map another column.", wrong=joined(wrong))
    group = _missing(layout, need)[0]
    for of in group:
        if of in layout.undecided:
            raise InputError(
                "{file} has more than one column that may be {meaning}: {columns}. Say which one it is with --map "
                "{group2}=COLUMN.",
                file=file,
                meaning=FIELDS[of].meaning,
                columns=shown_columns(header, layout.undecided[of]),
                group2=of,
            )
    names = [cell_text(cell) for cell in header]
    for of in mapping:
        column = layout.positions.get(of)
        if column is not None and any(_speaks(names[column], f) >= _THRESHOLD for f in group):
            raise InputError(
                "{file}: column {column} was taken for {field}, and no other holds {group}. Map another column to "
                "{of}.",
                file=file,
                column=_shown(names, column),
                field=FIELDS[of].meaning,
                group=either([FIELDS[f].meaning for f in group]),
                of=of,
            )
    raise InputError(
        "{file} has no column for {group} (looked for: {examples}). {columns_there} Say which "
        "one it is with --map {group2}=COLUMN, or export the reports with it.",
        file=file,
        group=either([FIELDS[f].meaning for f in group]),
        examples=_examples(group),
        columns_there=_columns_there(header),
        group2=group[0],
    )


def _header_of(table: Table, mapping: Mapping[str, str], wanted: Sequence[str]) -> tuple[int, int]:
    """The number of the row of column names, and how many fields these name."""
    if table.headed:
        return 0, len(table.rows[0])
    return best_header(table.rows, lambda cells: recognised(cells, mapping, wanted))


def recognised(cells: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str]) -> int:
    """The number of wanted fields that a row would name as a header."""
    if len(cells) > 500 or any(len(c) > 200 for c in cells if isinstance(c, str)):
        return 0
    names = [cell_text(cell) for cell in cells]
    named = {of for name in names for of, (found, _) in _of_name(name).items() if of in wanted and found >= _THRESHOLD}
    return min(len(named | _mapped(names, mapping, wanted).keys()), len(names))


def layout_of(table: Table, header: int, mapping: Mapping[str, str], wanted: Sequence[str]) -> Layout:
    """The columns of a table by the names in row ``header`` and the values below."""
    if table.headed:
        positions = {name: i for i, cell in enumerate(table.rows[0]) if (name := cell_text(cell)) in wanted}
        identifying = {of: (positions[of],) for of in IDENTIFYING if of in positions}
        return Layout(positions, {name: name for name in positions}, day_first=False, identifying=identifying)
    width = len(table.rows[header])
    below = [row for row in table.rows[header + 1 : header + 1 + 3 * SAMPLE] if table.trimmed or len(row) == width]
    return guess(table.rows[header], mapping, wanted, below)


def doubts(table: Table, header: int, layout: Layout, wanted: Sequence[str]) -> list[Text]:
    """A note on each column that was taken for a field though none of its values looks like what that holds.

    The note names the column that would fit better, by name and values, and what the values look like.  A field for
    which other columns are as likely, or nearly, has a note, too.
    """
    if table.headed:
        return []
    names = [cell_text(cell) for cell in table.rows[header]]
    undecided = [
        Text(
            "{file}: each of the columns {columns} may be {field}; none of them was used. Say which one it is.",
            file=table.file,
            columns=shown_columns(names, alike),
            field=FIELDS[of].meaning,
        )
        for of, alike in layout.undecided.items()
    ]
    rivals = [
        Text(
            "{file}: column {column} was taken for {field}. Others that may hold it: {columns}.",
            file=table.file,
            column=_shown(names, layout.positions[of]),
            field=FIELDS[of].meaning,
            columns=shown_columns(names, found),
        )
        for of, found in layout.rivals.items()
    ]
    return [*undecided, *rivals, *misfits(table, header, layout, wanted, layout.positions)]


def misfits(table: Table, header: int, layout: Layout, wanted: Sequence[str], fields: Iterable[str]) -> list[Text]:
    """The notes of :func:`doubts` on the columns taken for ``fields`` whose values do not fit."""
    if table.headed:
        return []
    names = [cell_text(cell) for cell in table.rows[header]]
    below = [row for row in table.rows[header + 1 : header + 1 + 3 * SAMPLE] if len(row) >= len(names)]
    columns = _Columns(names, below, [_values_of(below, column) for column in range(len(names))], layout)
    return [note for of in fields if of in layout and (note := columns.misfit(table.file, of, wanted))]


@dataclass(frozen=True)
class _Columns:
    """The columns of a table whose fields are doubted."""

    names: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    values: Sequence[Values]
    layout: Layout

    def misfit(self, file: str, of: str, wanted: Sequence[str]) -> Text:
        """What is wrong with the values of the column taken for a field, and which one may be meant; else empty."""
        column = self.layout.positions[of]
        if self.strange(of, wanted):
            note = Text(
                "{file}: column {column} was taken for {field}, but none of its values looks like it.",
                file=file,
                column=_shown(self.names, column),
                field=FIELDS[of].meaning,
            )
        elif of in _PEOPLE and self._numbers(column):
            note = Text(
                "{file}: column {column} was taken for {field}, but its values are numbers, another one for each "
                "report or patient.",
                file=file,
                column=_shown(self.names, column),
                field=FIELDS[of].meaning,
            )
        else:
            return EMPTY
        if others := self._likes(of, wanted):
            its, name = self.values[column], self.names[column]
            other = max(others, key=lambda f: (_speaks(name, f), its.evidence(f)))
            note = joined([note, Text("They look like {other}.", other=FIELDS[other].meaning)])
        named = self._better(of, column)
        if named is None and of in _TOLD_BY:
            named = self._better(_TOLD_BY[of], column)
        if named is not None:
            note = joined([note, Text("Did you mean column {named}?", named=_shown(self.names, named))])
        return note

    def strange(self, of: str, wanted: Sequence[str]) -> bool:
        """Whether the values do not look like the field; names of exams are of any kind, unless others fit better."""
        its = self.values[self.layout.positions[of]]
        return its.strange(of) or (of == "exam" and its.strange(of, 0.4) and bool(self._likes(of, wanted)))

    def _likes(self, of: str, wanted: Sequence[str]) -> list[str]:
        """Other fields of which the values of the column taken for a field look like one."""
        its = self.values[self.layout.positions[of]]
        return [f for f in wanted if f != of and f in _LIKE and its.fits(f) > _FITS]

    def _numbers(self, column: int) -> bool:
        """Whether a column of numbers has one for each report or patient, as those of orders, and not of people."""
        its = self.values[column]
        if its.fits("patient_id") < _FITS or its.fits("signer") > _FITS:
            return False
        keys = [c for f in ("accession", "patient_id") if (c := self.layout.positions.get(f, column)) != column]
        for key in keys:
            cells = {(cell_text(row[key]), cell_text(row[column])) for row in self.rows if cell_text(row[column])}
            if FEW <= len(cells) == len({k for k, _ in cells}) == len({v for _, v in cells}):
                return True
        return False

    def _better(self, of: str, doubted: int) -> int | None:
        """The column that would fit a field, by name and values, unless it is used for what its name says."""
        used = {column: f for f, column in self.layout.positions.items()}
        found = []
        for column, name in enumerate(self.names):
            speaks, use = _speaks(name, of), used.get(column, of)
            own = use != of and _speaks(name, use) >= speaks and not self.values[column].strange(use)
            least = 0.5 if speaks >= _THRESHOLD else _FITS if of in _LIKE and not _is_of_others(name, of) else 1.0
            if column != doubted and not own and self.values[column].fits(of) > least:
                found.append((speaks, self.values[column].evidence(of), -column))
        return -max(found)[2] if found else None


def _speaks(name: str, of: str) -> float:
    return _of_name(name).get(of, (0.0, 0))[0]


_LIKE = ("exam", "modality", "exam_time", "exam_date", "text", "status", "dictator", "signer")
"""Fields that values tell by themselves."""
_PEOPLE = ("dictator", "signer")
_TOLD_BY = {"modality": "exam"}
"""What stands in for a field that has no column."""
_FITS = 0.8
"""How well the values of a column fit what it may be."""


def _is_of_others(name: str, of: str) -> bool:
    """Whether a name says that a column holds something else, such as who referred a patient."""
    if simplified(name) in _no_field():
        return True
    near = {field: found for field, (found, _) in _resemblance()(name).items()}
    other = max((found for field, found in near.items() if field != of), default=0.0)
    return other > max(0.6, near.get(of, 0.0)) or bool(_said(name) & _ASKED)


_ASKED = frozenset({"refer", "order", "request"})
"""Parts of the names of columns that tell who wanted an examination."""


def _shown(names: Sequence[str], column: int) -> str:
    """A column as messages may show it: by its name if that holds column words only, else by its position."""
    name = names[column]
    return f"'{name}'" if is_column_name(name, _known_names()) else str(column + 1)


def shown_columns(header: Sequence[Cell], chosen: Sequence[str]) -> str:
    """Column names that may be quoted, and the positions of the others."""
    names = [cell_text(cell) for cell in header]
    return ", ".join(_shown(names, names.index(name)) for name in chosen)


def _missing(layout: Layout, need: Need) -> list[tuple[str, ...]]:
    return [group for group in need if not any(field in layout for field in group)]


def _examples(group: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(name for field in group for name in FIELDS[field].names[: 6 // len(group)]))


def _columns_there(header: Sequence[Cell]) -> str:
    """A sentence that lists the column names, with the position in place of a name that might be patient data."""
    names = [cell_text(cell) for cell in header]
    if shown := column_list(names, _known_names()):
        return Text("Its columns are: {shown}.", shown=shown)
    if any(len(name) > 60 or "\n" in name for name in names):
        return Text("Its first row looks like data and not like column names.")
    return NO_COLUMN_NAMES


@cache
def _known_names() -> frozenset[str]:
    return frozenset(name.casefold() for f in FIELDS.values() for name in (*f.names, *f.others))
