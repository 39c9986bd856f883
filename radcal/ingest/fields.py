"""The fields of reports: what each means, which names its columns have, how its values look, and who needs it.

This is the one declaration of a field: recognition, presets, the form in the window and the command line read it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from radcal.ingest.column_values import (
    ADDENDUM,
    AGE,
    BIRTH,
    CODE,
    DAY,
    DAY_OF_REPORT,
    EXAM,
    FILE,
    ID_OF_EXAM,
    ID_OF_PATIENT,
    ID_OF_REPORT,
    MODALITY,
    MOMENT,
    NAME,
    NAMES,
    NUMBERS,
    PERSON,
    PLACE,
    REGION,
    SENTENCES,
    STATUS,
    TEXT,
    Looks,
)
from radcal.records import Modality
from radcal.text import EMPTY, Text

Need = Sequence[tuple[str, ...]]
"""Groups of fields; a file must have at least one of each group."""
Group = Literal["", "accession", "patient", "time", "text", "kind", "radiologist"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field, and the usual names of its columns, most specific first.

    meaning: what it holds, in words;  in_messages: the same where a message tells it, EMPTY if no other words are used
    looks: how its values look
    names: in English;  others: German, French and Spanish, which imply that a file writes the day before the month
    need: the group of fields of which a file must have one, '' for a field that no file must have
    of: files that it is for alone: lists of documents, or folders of text files; '' for all
    spared_by: fields beside which it adds nothing;  told_by: the field that stands in for it
    part: of a name (see column_names) that is enough where the values tell the rest, as in ORDER_STATUS
    aside: looked for in what is left; no other field loses a column to it
    identifying: de-identification alone reads it, in all of its columns, and nothing stores it
    left_over: the identifying field that a column holds whose own field uses another column
    """

    meaning: Text
    looks: Looks
    names: tuple[str, ...]
    others: tuple[str, ...] = ()
    need: Group = ""
    of: Literal["", "documents", "folders"] = ""
    spared_by: tuple[str, ...] = ()
    told_by: str = ""
    part: str = ""
    aside: bool = False
    identifying: bool = False
    left_over: str = ""
    in_messages: Text = EMPTY


def _names(text: str) -> tuple[str, ...]:
    """The names in a list separated by semicolons."""
    return tuple(text.split("; ")) if text else ()


def _field(meaning: Text, looks: Looks, names: str, others: str = "", **role: Any) -> Field:
    return Field(meaning, looks, _names(names), _names(others), **role)


FIELDS: Mapping[str, Field] = {
    "report_id": _field(Text("the report id"), ID_OF_REPORT,
        "report id; document id; doc id; note id; id; study id",
        left_over="identifiers", of="documents"),
    "accession": _field(Text("the accession number"), ID_OF_EXAM,
        "accession number; accession; accession no; accession nr; accession id; accession num; acc number; acc no; "
        "acc nr; acc num; acc; order number; filler order number; placer order number; request number; exam id; "
        "exam number; study id; report number; "
        "OBR 3; OBR 18; filler order; ORC 3",
        "Akzessionsnummer; Zugangsnummer; Auftragsnummer; Anforderungsnummer; Untersuchungsnummer; Untersuchungs-ID; "
        "Auftrags-ID; Akz.-Nr.; Studiennummer; Befundnummer; numéro d'accession; numéro d'examen; n° d'examen; "
        "n° examen; numéro de demande; número de acceso; número de accesión; nº de acceso; número de estudio; "
        "id estudio; número de petición",
        need="accession", left_over="identifiers"),
    "patient_id": _field(Text("the patient"), ID_OF_PATIENT,
        "patient id; MRN; patient MRN; patient MRN id; pat MRN id; patient number; patient no; patient nr; "
        "medical record number; "
        "medical record no; pat id; patient identifier; patient key; patient; subject id; person id; hospital number; "
        "NHS number; UHID; PID; "
        "PID 3; patient identifier list",
        "Patienten-ID; Patient-ID; Patientennummer; Patienten-Nr; Pat-ID; Pat.-Nr.; PatientenID; Patientenkennung; "
        "identifiant patient; id patient; IPP; NIP; numéro patient; numéro de patient; id paciente; id del paciente; "
        "número de paciente; historia clínica; número de historia; número de historia clínica; NHC; paciente",
        need="patient", left_over="identifiers"),
    "modality": _field(Text("the modality"), MODALITY,
        "modality; modality code; modality type; exam modality; study modality; modalities; mod; OBR 24; "
        "diagnostic service section",
        "Modalität; modalité; modalidad",
        need="kind", told_by="exam"),
    "exam": _field(Text("the exam"), EXAM,
        "exam description; exam desc; exam name; procedure description; procedure desc; proc desc; study description; "
        "study desc; exam type; procedure name; procedure; order description; order name; exam; examination; "
        "study name; study; service description; study type; "
        "OBR 4; universal service identifier; order mnemonic; catalog",
        "Untersuchung; Untersuchungsart; Untersuchungsbezeichnung; Untersuchungsbeschreibung; Untersuchungsname; "
        "Untersuchungstyp; Studienbeschreibung; Leistung; Leistungstext; Leistungsbezeichnung; Prozedur; "
        "libellé examen; libellé de l'examen; type d'examen; examen; acte; libellé acte; intitulé; estudio; "
        "descripción del estudio; tipo de estudio; exploración; prueba; procedimiento",
        need="kind"),
    "exam_code": _field(Text("the exam code"), CODE,
        "exam code; procedure code; proc code; study code; order code; service code; CPT code; CPT",
        "Untersuchungscode; Leistungscode; code examen; code acte; código de estudio; código",
        need="kind"),
    "body_part": _field(Text("the body part"), REGION,
        "body part; body part examined; body region; region; anatomy; body area",
        "Körperregion; Körperteil; Organ; région; région anatomique; región; región anatómica",
        spared_by=("exam",)),
    "exam_time": _field(Text("the examination time"), MOMENT,
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
        "hora de estudio; hora estudio; fecha y hora; fecha/hora; fecha y hora del estudio; fecha hora estudio; hora",
        need="time"),
    "exam_date": _field(Text("the examination date"), DAY,
        "exam date; study date; date of exam; date of examination; examination date; performed date; procedure date; "
        "acquisition date; exam start date; service date; date of service; exam completed date; date",
        "Untersuchungsdatum; Studiendatum; Durchführungsdatum; Leistungsdatum; Datum; Datum der Untersuchung; "
        "date d'examen; date examen; date de l'examen; fecha del estudio; fecha de estudio; fecha estudio; "
        "fecha de examen; fecha",
        need="time", spared_by=("exam_time",)),
    "text": _field(Text("the report text"), TEXT,
        "report text; report; report body; full report; full text; radiology report; report content; "
        "report narrative; narrative; text; result text; report full text; final report; note text; result; body; "
        "dictation; transcription; OBX 5; observation value; report blob",
        "Befundtext; Befund; Bericht; Berichtstext; Berichttext; Befundbericht; compte rendu; compte-rendu; texte du "
        "compte rendu; texte; CR; rapport; informe; texto del informe; texto informe; texto; informe radiológico",
        need="text", spared_by=("findings", "impression")),
    "findings": _field(Text("the findings"), SENTENCES,
        "findings; finding; findings text; report findings; findings section",
        "Befunde; Befundbeschreibung; constatations; résultats; hallazgos",
        need="text", spared_by=("text",)),
    "impression": _field(Text("the impression"), SENTENCES,
        "impression; impressions; impression text; report impression; conclusion; conclusions; opinion",
        "Beurteilung; Zusammenfassung; Fazit; synthèse; impresión; impresión diagnóstica; conclusión; conclusiones",
        need="text", spared_by=("text",)),
    "signer": _field(Text("who signed"), PERSON,
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
        "validado por; informado por; radiólogo; médico radiólogo; médico",
        need="radiologist", left_over="staff_names"),
    "dictator": _field(Text("who dictated"), PERSON,
        "dictating radiologist; dictated by; dictating physician; dictating provider; dictating user; dictating; "
        "dictator; dictated; preliminary radiologist; preliminary by; resident; resident radiologist; trainee; "
        "fellow; registrar; report author; author; OBR 33; assistant result interpreter; "
        "performed by; performed personnel",
        "diktiert von; diktiert durch; diktierender Arzt; diktierende Ärztin; Diktierender; Diktierer; Diktat durch; "
        "Erstbefunder; Befunder; befundender Arzt; befundende Ärztin; Befundarzt; befundet von; "
        "Assistenzarzt; Assistenzärztin; dicté par; rédigé par; interne; dictado por; residente",
        need="radiologist", left_over="staff_names"),
    "status": _field(Text("the report status"), STATUS,
        "report status; status; result status; document status; report state; OBR 25; OBX 11",
        "Befundstatus; Berichtsstatus; Freigabestatus; statut; statut du compte rendu; estado; estado del informe",
        part="status"),
    "addendum": _field(Text("the addendum number"), ADDENDUM,
        "addendum number; addendum no; addendum nr; addendum; addendum sequence",
        "Nachtrag; Nachtragsnummer; numéro d'addendum; adenda"),
    "report_time": _field(Text("the report time"), DAY_OF_REPORT,
        "report time; report datetime; report date time; report date; finalized time; finalized date; "
        "finalized datetime; finalized date time; finalized; final time; final date; signed time; signed date; "
        "signed datetime; signed date time; verified time; verified date; result time; result date; result datetime; "
        "report finalized time; report signed time; OBR 22; approval date; approved date",
        "Befundzeit; Befundzeitpunkt; Befunddatum; Freigabezeit; Freigabezeitpunkt; Freigabedatum; Vidierdatum; "
        "Vidierzeitpunkt; date du compte rendu; fecha del informe"),
    "site": _field(Text("the place of the examination"), PLACE,
        "site; performing site; exam site; performing location; exam location; performing department; exam department; "
        "location; patient location; department; ward; nursing unit; unit; facility; institution; organization; "
        "clinic; hospital; PV1 3; assigned patient location",
        "Standort; Station; Abteilung; Klinik; Ort der Untersuchung; site de l'examen; unité; établissement; sede; "
        "centro; unidad; ubicación; Avdelning",
        aside=True),
    "age": _field(Text("the patient\u2019s age"), AGE,
        "patient age; age at exam; age at examination; age at study; age; age years; age in years; "
        "patient age in years; exam age",
        "Alter; Patientenalter; Alter bei Untersuchung; Alter in Jahren; âge; âge du patient; edad; "
        "edad del paciente; Ålder",
        aside=True, spared_by=("birth_date",)),
    "birth_date": _field(Text("the patient\u2019s date of birth"), BIRTH,
        "date of birth; birth date; patient birth date; patient date of birth; DOB; patient DOB; PID 7; birth dt tm; "
        "date time of birth",
        "Geburtsdatum; Geb.-Datum; Geburtstag; date de naissance; fecha de nacimiento; Födelsedatum; geboortedatum; "
        "data di nascita",
        aside=True, spared_by=("age",)),
    "patient_name": _field(Text("the patient\u2019s name, which is not kept"), NAME,
        "patient name; patient full name; full name; name full formatted; name; patient first name; first name; "
        "given name; middle name; "
        "patient last name; last name; family name; surname; maiden name; birth name; alias; former name; PID 5; "
        "PID 9; pat name; pt name; patient middle name",
        "Patientenname; Name des Patienten; Name, Vorname; Name; Vorname; Vorname des Patienten; Rufname; Nachname; "
        "Nachname des Patienten; Familienname; Zuname; Geburtsname; nom du patient; pr\u00e9nom; nom; "
        "nom de naissance; nombre del paciente; nombre; apellidos; apellido; Patientnamn",
        identifying=True, in_messages=Text("the patient\u2019s name")),
    "staff_names": _field(Text("further people of the report, who are not kept"), NAMES,
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
        "prescripteur; m\u00e9decin traitant; m\u00e9dico solicitante; Remittent",
        identifying=True, in_messages=Text("further people")),
    "identifiers": _field(Text("further numbers and addresses of the patient, which are not kept"), NUMBERS,
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
        "c\u00f3digo postal",
        identifying=True, in_messages=Text("further numbers and addresses")),
    "file": _field(Text("the text file"), FILE,
        "file; filename; file name; path; file path; text file; report file; document",
        "Datei; Dateiname; fichier; nom du fichier; archivo; fichero; nombre de archivo",
        need="text", of="folders"),
}  # fmt: skip


REPORT_FIELDS = tuple(name for name, field in FIELDS.items() if not field.of)
"""Fields of a table of reports."""
IDENTIFYING = tuple(name for name, field in FIELDS.items() if field.identifying)
"""Fields of which every column counts that no other field uses and whose name speaks for one of them."""
ASIDE = tuple(name for name, field in FIELDS.items() if field.aside)


def reports_need(modality: Modality | None, *, has_files: bool) -> Need:
    """The fields that a file of reports needs; a manifest needs a column of text files instead of texts."""
    left_out = {"", "radiologist", *(("kind",) if modality is not None else ())}
    return tuple(
        tuple(name for name in _group(need) if need != "text" or (FIELDS[name].of == "folders") == has_files)
        for need in get_args(Group)
        if need not in left_out
    )


def _group(need: Group) -> tuple[str, ...]:
    return tuple(name for name, field in FIELDS.items() if field.need == need)


XRAY_NEEDS = (_group("radiologist"),)
"""The fields that a file with X-ray reports needs besides."""


LATE_TIMES = _names(
    "completed time; completed datetime; completed date time; completed; completed date; completion time; order time; "
    "order datetime; order date time; ordered; order date; scheduled time; scheduled datetime"
)
"""Used as the examination time if a file has no better one."""

NO_FIELDS = _names(
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
"""Columns of exports that no field, or one of those aside, is for; they keep a name from being taken for the field that
it resembles less."""
GIVEN = _names(
    "patient first name; first name; given name; middle name; Vorname; Vorname des Patienten; Rufname; "
    "pr\u00e9nom; nombre"
)
