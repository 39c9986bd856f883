"""Quoting of input files in messages, notes and logs: only words that cannot come from a report.

Anything in a file may be a patient's name or a report sentence: columns may be shifted, headers missing, quotation
marks unclosed.  Headers are quoted only as far as they consist of known column words, cells only if many rows share the
term; everything else is identified by position or count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from radcal.system.text import Text

FEWEST = 3
"""Number of patients (or uses) from which on a term counts as the department's, not one report's."""
_MOST_COLUMNS = 40
_LONGEST_NAME, _MOST_WORDS = 40, 6
_LONGEST_PERSON = 60
_OF_COLUMNS = """
    accession acquisition addendum admission age alpha answer assigned attending author begin beta birth body by
    category certainty class clinic clinical code col column comment comments completed comparison conclusion confidence
    contrast created cue cpt current data date day death department desc description diagnosis dictated dictating
    discharge doc doctor document dose dt dttm duration encounter end engine english entered event exam examination
    examined expression facility field file final finalized finding findings first flag for found full gender group guid
    header high history hospital hour icd id identifier import impression indication indicator inpatient institution is
    key label language last laterality level line link list location low machine medical message method minute modality
    model month mrn name narrative nbr no note notes number object of on order ordered ordering organ original outcome
    outpatient page part path pathology patient pattern performed person phrase phrases physician pid plain position
    prediction priority procedure probability provider question radiologist reader reading reason reference referring
    region rel report reported reporter reports request requested requesting resident result review room row rule
    scanner scheduled score second section segment sentence sequence series service set sex share side signed signer
    signing site source start state station status string study sub subject summary synonym synonyms system table target
    technique technologist term test text the time timestamp title to topic total transcribed truth type uid unit update
    updated use user value verified version view visit ward week word words year zip
    abteilung akzession alter anforderung anforderungsnummer arzt auftrag auftragsnummer aufnahme befund befunder
    befundet befunddatum befundtext befundnummer bemerkung bericht berichtsdatum berichtstext beurteilung datei datum
    diktiert dokument einsender erstellt fall fallnummer fallnr frage fragestellung freigabe geburtsdatum gerät
    geschlecht indikation klinik kommentar leistung modalität nachname nr nummer patienten patientennummer radiologe
    radiologin stationsname studie uhrzeit unterschrift untersuchung untersuchungsart untersuchungsdatum
    untersuchungszeit vorname wortlaut zeit zeitpunkt zuweiser überweiser
    unread verbatim remedy
    âge auteur compte rendu de du examen fichier heure médecin motif nom numéro prénom radiologue résultat sexe texte
    autor centro conclusión edad estado estudio fecha hallazgos hora informe impresión médico motivo nombre número
    paciente servicio sexo texto
"""
"""Words in column names of radiology exports and question sets; none is a personal name."""
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_NO_TERM = re.compile(r"[.!?:;\n\r\t^@\"'|<>]|\d{6,}")
_ID = re.compile(r"[\w.:/#-]{1,40}")


@cache
def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


@cache
def _words() -> frozenset[str]:
    return frozenset(map(_plain, _OF_COLUMNS.split()))


def is_column_name(text: str, known: Collection[str] = ()) -> bool:
    """True if a cell consists of column words only.

    known: further column names, in any case
    """
    if len(text) > _LONGEST_NAME:
        return False
    plain = _plain(text)
    if plain.strip() in known or plain.strip() in map(_plain, known):
        return True
    parts = _PARTS.findall(_plain(_CAMEL.sub(" ", text)))
    return (
        len(parts) <= _MOST_WORDS
        and any(map(str.isalpha, parts))
        and all(len(part) <= 2 if part.isdecimal() else part in _words() for part in parts)
    )


NO_COLUMN_NAMES = Text("Its first row holds no column names.")
"""Replacement for an empty :func:`column_list`."""


def column_list(header: Sequence[str], known: Collection[str] = ()) -> str:
    """The columns of a header, as in 'author, (column 2), phrase'; '' if no name may be quoted."""
    names = [text.strip() for text in header]
    shown = [name if is_column_name(name, known) else f"(column {i})" for i, name in enumerate(names, 1)]
    if shown == [f"(column {i})" for i in range(1, len(names) + 1)]:
        return ""
    return ", ".join(shown[:_MOST_COLUMNS]) + (", ..." if len(shown) > _MOST_COLUMNS else "")


def is_term(text: str) -> bool:
    """True if a cell looks like a term: short, few words, no long number, no sentence punctuation."""
    return 0 < len(text) <= _LONGEST_NAME and len(text.split()) <= _MOST_WORDS and _NO_TERM.search(text) is None


def shared_terms(said: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Terms that occur with at least FEWEST different patients, with their counts, the most frequent first.

    Args:
        said: cell and patient of each row.
    """
    patients: defaultdict[str, set[str]] = defaultdict(set)
    counts = Counter[str]()
    for cell, patient in said:
        patients[cell].add(patient)
        counts[cell] += 1
    shown = {cell: n for cell, n in counts.items() if len(patients[cell]) >= FEWEST and is_term(cell)}
    return dict(sorted(shown.items(), key=lambda item: (-item[1], item[0])))


def is_wording(text: str) -> bool:
    """True if words look like a phrase: a term without digits and possible names.

    A capitalised word may be a name, except the first of several words.
    """
    words = text.split()
    capitals = [word[:1].isupper() for word in words[len(words) > 1 :]]
    return is_term(text) and not any(c.isdigit() for c in text) and not any(capitals)


def wordings(unknown: Mapping[str, int]) -> dict[str, int]:
    """The unknown words that may be quoted, with their counts, in the same order."""
    return {words: n for words, n in unknown.items() if n >= FEWEST and is_wording(words)}


def is_person(text: str) -> bool:
    """True if an author's name looks like a name: short, without digits or sentence punctuation."""
    return len(text) <= _LONGEST_PERSON and re.search(r"[\d!?:;\n\r\t]", text) is None


def is_id(text: str) -> bool:
    """True if a cell looks like a report number: no spaces, and a digit or hardly any letters."""
    return _ID.fullmatch(text) is not None and (len(text) <= 3 or any(c.isdigit() for c in text))


def quotable_id(text: str) -> str:
    """A report number if it looks like one, otherwise a placeholder."""
    return text if is_id(text) else "(no number)"
