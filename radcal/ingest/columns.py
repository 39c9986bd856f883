"""The columns of a file by field: guessed from the names that radiology systems use, or mapped by the user."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from radcal.errors import InputError
from radcal.ingest.delimited import best_header
from radcal.ingest.table import Cell, Table, cell_text
from radcal.quoting import NO_COLUMN_NAMES, column_list
from radcal.text import Text, either


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
        "exam number; study id; report number",
        "Akzessionsnummer; Zugangsnummer; Auftragsnummer; Anforderungsnummer; Untersuchungsnummer; Untersuchungs-ID; "
        "Auftrags-ID; Akz.-Nr.; Studiennummer; Befundnummer; numéro d'accession; numéro d'examen; n° d'examen; "
        "n° examen; numéro de demande; número de acceso; número de accesión; nº de acceso; número de estudio; "
        "id estudio; número de petición"),
    "patient_id": _field(Text("the patient"),
        "patient id; MRN; patient MRN; patient number; patient no; patient nr; patient num; medical record number; "
        "medical record no; pat id; patient identifier; patient key; patient; subject id; person id; hospital number; "
        "NHS number; UHID; PID",
        "Patienten-ID; Patient-ID; Patientennummer; Patienten-Nr; Pat-ID; Pat.-Nr.; PatientenID; Patientenkennung; "
        "identifiant patient; id patient; IPP; NIP; numéro patient; numéro de patient; id paciente; id del paciente; "
        "número de paciente; historia clínica; número de historia; número de historia clínica; NHC; paciente"),
    "exam": _field(Text("the exam"),
        "exam description; exam desc; exam name; procedure description; procedure desc; proc desc; study description; "
        "study desc; exam type; procedure name; procedure; order description; order name; exam; examination; "
        "study name; study; service description; study type",
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
        "modality; modality code; modality type; exam modality; study modality; modalities; mod",
        "Modalität; modalité; modalidad"),
    "exam_time": _field(Text("the examination time"),
        "exam time; exam datetime; exam date time; exam timestamp; exam dttm; exam dt tm; exam date and time; "
        "study time; study datetime; study date time; study timestamp; study dttm; examination time; "
        "examination datetime; examination date time; performed time; performed datetime; performed date time; "
        "procedure time; procedure datetime; procedure date time; exam start; exam start time; exam begin time; "
        "exam begin; start time; acquisition time; acquisition datetime; acquisition date time; exam end time; "
        "exam end; exam completed; exam completed time; exam completed datetime; exam completed date time; "
        "time of exam; time; datetime; date time; timestamp",
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
        "dictation; transcription",
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
        "fellow; registrar; report author; author",
        "diktiert von; diktiert durch; diktierender Arzt; diktierende Ärztin; Diktierender; Diktierer; Diktat durch; "
        "Erstbefunder; Assistenzarzt; Assistenzärztin; dicté par; rédigé par; interne; dictado por; residente"),
    "signer": _field(Text("who signed"),
        "signing radiologist; signed by; signing physician; signing provider; signer; signed; attending radiologist; "
        "attending; attending physician; finalizing radiologist; finalized by; finalised by; final radiologist; "
        "final by; finalizing physician; verified by; verifying radiologist; verifier; approved by; approver; "
        "authenticated by; staff radiologist; consultant radiologist; consultant; interpreting radiologist; "
        "interpreting physician; interpreting provider; interpreted by; reading radiologist; reading physician; "
        "reading provider; read by; reporting radiologist; reported by; principal result interpreter; "
        "primary interpreter; result interpreter; radiologist name; radiologist; reader",
        "signiert von; signiert durch; unterzeichnet von; unterschrieben von; freigegeben von; freigegeben durch; "
        "Freigabe durch; freigebender Arzt; freigebende Ärztin; Freigeber; vidiert von; vidiert durch; "
        "vidierender Arzt; vidierende Ärztin; signierender Arzt; signierende Ärztin; Zweitbefunder; Oberarzt; "
        "Oberärztin; befundender Arzt; befundende Ärztin; Befundarzt; Befunder; befundet von; befundet durch; "
        "Radiologe; Radiologin; signé par; validé par; radiologue; médecin radiologue; médecin; firmado por; "
        "validado por; informado por; radiólogo; médico radiólogo; médico"),
    "status": _field(Text("the report status"),
        "report status; status; result status; document status; report state",
        "Befundstatus; Berichtsstatus; Freigabestatus; statut; statut du compte rendu; estado; estado del informe"),
    "addendum": _field(Text("the addendum number"),
        "addendum number; addendum no; addendum nr; addendum; addendum sequence",
        "Nachtrag; Nachtragsnummer; numéro d'addendum; adenda"),
    "report_time": _field(Text("the report time"),
        "report time; report datetime; report date time; report date; finalized time; finalized date; "
        "finalized datetime; finalized date time; finalized; final time; final date; signed time; signed date; "
        "signed datetime; signed date time; verified time; verified date; result time; result date; result datetime; "
        "report finalized time; report signed time",
        "Befundzeit; Befundzeitpunkt; Befunddatum; Freigabezeit; Freigabezeitpunkt; Freigabedatum; Vidierdatum; "
        "Vidierzeitpunkt; date du compte rendu; fecha del informe"),
    "file": _field(Text("the text file"),
        "file; filename; file name; path; file path; text file; report file; document",
        "Datei; Dateiname; fichier; nom du fichier; archivo; fichero; nombre de archivo"),
}  # fmt: skip

LATE_TIMES = _names(
    "completed time; completed datetime; completed date time; completed; completed date; completion time; order time; "
    "order datetime; order date time; ordered; order date; scheduled time; scheduled datetime"
)
"""Used as the examination time if a file has no better one."""

Need = Sequence[tuple[str, ...]]
"""Groups of fields; a file must have at least one of each group."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a file.

    positions: field -> column, 0 for the first
    names: field -> name of the column in the file
    day_first: the names are in a language that writes the day before the month
    """

    positions: Mapping[str, int]
    names: Mapping[str, str]
    day_first: bool

    def __contains__(self, field: object) -> bool:
        return field in self.positions


def simplified(name: str) -> str:
    """A column name without case, accents, spaces and punctuation: 'N° d'examen' -> 'ndexamen'."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(r"[^a-z0-9]", "", plain)


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


# A column whose name ends in a known name is taken for it, but not these: "reason for exam", "referring physician".
_NEVER = re.compile(r"^(?:reason|prior|previous|comparison|referring|ordering|requesting|indication|patientname)")
_SHORTEST_ENDING = 9
_NO_ENDINGS = frozenset({"timestamp", "zeitpunkt"})
"""Names that mean nothing at the end of another: "report timestamp" is not the time of the examination."""


def guess(header: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str]) -> Layout:
    """The columns of ``header`` that hold the ``wanted`` fields.

    Columns in ``mapping`` are assigned first; of the others the most specific name wins, and each column is used for
    one field only.
    """
    names = [cell_text(cell) for cell in header]
    keys = [simplified(name) for name in names]
    ranks, foreign = _known()
    positions: dict[str, int] = {}
    for field, column in mapping.items():
        if field in wanted and (found := _position(names, keys, column)) is not None:
            positions[field] = found
    taken = set(positions.values())

    def settle(found: list[tuple[int, int, int, str]]) -> None:
        for _, _, column, field in sorted(found):
            if field not in positions and column not in taken:
                positions[field] = column
                taken.add(column)

    settle(
        [
            (rank, wanted.index(field), column, field)
            for column, key in enumerate(keys)
            for field in wanted
            if (rank := ranks[field].get(key)) is not None
        ]
    )
    settle(
        [
            (-len(name), wanted.index(field), column, field)
            for column, key in enumerate(keys)
            if column not in taken and len(key) > _SHORTEST_ENDING and not _NEVER.match(key)
            for field in wanted
            for name in ranks[field]
            if len(name) >= _SHORTEST_ENDING and name not in _NO_ENDINGS and key.endswith(name)
        ]
    )
    if "exam_time" in wanted and "exam_time" not in positions and "exam_date" not in positions:
        late = _ranks(LATE_TIMES)
        settle([(late[key], 0, column, "exam_time") for column, key in enumerate(keys) if key in late])
    ordered = {field: positions[field] for field in wanted if field in positions}
    return Layout(
        positions=ordered,
        names={field: names[column] for field, column in ordered.items()},
        day_first=any(keys[column] in foreign for column in ordered.values()),
    )


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


def locate(
    tables: Sequence[Table], need: Need, wanted: Sequence[str], mapping: Mapping[str, str], file: str
) -> tuple[Table, int, Layout]:
    """The first usable table (sheet) of a file, the number of its header row, and the columns of its fields.

    Raises:
        InputError: no table has a column for every group of ``need`` in one of its first rows.
    """
    headers: list[tuple[int, Sequence[Cell]]] = []
    for table in tables:
        if table.rows:
            row, known = best_header(table.rows, lambda cells: recognised(cells, mapping, wanted))
            layout = guess(table.rows[row], mapping, wanted)
            if not _missing(layout, need):
                return table, row, layout
            headers.append((known, table.rows[row]))
    if not headers:
        raise InputError("{file} is empty. Export the reports again.", file=file)
    header = max(headers, key=itemgetter(0))[1]
    group = _missing(guess(header, mapping, wanted), need)[0]
    raise InputError(
        "{file} has no column for {group} (looked for: {examples}). {columns_there} Say which "
        "one it is with --map {group2}=COLUMN, or export the reports with it.",
        file=file,
        group=either([FIELDS[f].meaning for f in group]),
        examples=_examples(group),
        columns_there=_columns_there(header),
        group2=group[0],
    )


def recognised(cells: Sequence[Cell], mapping: Mapping[str, str], wanted: Sequence[str]) -> int:
    """The number of wanted fields that a row would name as a header."""
    if len(cells) > 500 or any(len(c) > 200 for c in cells if isinstance(c, str)):
        return 0
    return len(guess(cells, mapping, wanted).positions)


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
