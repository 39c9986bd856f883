"""From files of reports to observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from radcal.library.given import (
    Assumed,
    insist,
    naming_arguments,
    one_of,
    paths_of,
    settings_of,
    unusable,
    warn,
    words_of,
)
from radcal.reports import times
from radcal.reports.records import Modality
from radcal.system.columns import as_text
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT
from radcal.system.quoting import quotable_id
from radcal.system.text import Text
from radcal.words.phrases import Lexicon


class Frame(pd.DataFrame):
    """A DataFrame with what its rows do not tell.

    versions: the rows of X-ray reports with several, for :func:`pair`
    read: ids of the reports that were read, with findings or without
    """

    _metadata = ("versions", "read")
    versions: pd.DataFrame | None = None
    read: frozenset[str] | None = None

    @property
    def _constructor(self) -> type[Frame]:
        return Frame


def read_reports(
    paths: str | Path | Iterable[str | Path],
    *,
    modality: Literal["xray", "ct"] | None = None,
    columns: Mapping[str, str] | None = None,
    day_first: bool | None = None,
    **settings: Any,
) -> Frame:
    """Read chest X-ray and chest CT reports from files of any format that RadCal imports.

    Args:
        paths: tables (CSV, TSV, Excel), HL7, FHIR or DICOM messages, or folders of them.
        modality: of all reports, where the files do not say that of each.  Such reports are of the chest where no exam
            is named; without it, those whose exam is not named may show anything, and are left out with a warning.
        columns: RadCal's names of columns to those of the files, where they are not recognised: {"author": "ReadBy"}.
        day_first: whether 03/04/2024 is 3 April; None to infer it.
        settings: trainee_rule, study.

    Returns:
        One row a report: report_id, modality, patient_id, exam_time, author, text, ...; texts as in the files, with the
        identifiers in them.  ``attrs``: "rejected", rows that cannot be used (file, row, reason, remedy); "left_out",
        what dropped out (step, reason, dropped); "notes".

    Raises:
        InputError: a file cannot be opened or is no table, a required column is missing, or there is no such modality.
    """
    from radcal.reports import readers
    from radcal.reports.reasons import UNNAMED_EXAM
    from radcal.reports.rows import ASSUMED_ORDER
    from radcal.words.studies import study_of

    one_of("modality", modality, (None, *map(str, Modality)))
    insist("columns", columns, Mapping | None, Text("a mapping, such as {'author': 'ReadBy'}"))
    chosen = settings_of(settings)
    with naming_arguments():
        made = readers.read_reports(
            paths_of("paths", paths),
            trainee_rule=chosen.trainee_rule,
            modality=None if modality is None else Modality(modality),
            mapping={"signer" if name == "author" else name: of for name, of in (columns or {}).items()},
            day_first=day_first,
            study=study_of(chosen),
        )
    frame = Frame(made.reports)
    frame.versions = made.versions
    frame.attrs = {
        "rejected": _records(made.rejected),
        "left_out": _dropped(made.attrition),
        "notes": list(map(str, made.notes)),
    }
    lost, unnamed = Counter[Text](), Text(UNNAMED_EXAM.sentence)
    for row in frame.attrs["left_out"]:
        lost[row["reason"]] += row["dropped"] if frame.empty or row["reason"] == unnamed else 0
    told = [Text("No report could be used."), *made.notes] if frame.empty else []
    warn([*told, *unusable(made.rejected), *readers.told_of(+lost), *([_UNNAMED] if lost[unnamed] else ())])
    if assumed := [note for note in made.notes if getattr(note, "template", "") == ASSUMED_ORDER.template]:
        warn([*assumed, _STATED], Assumed)
    return frame


def pair(
    xray: pd.DataFrame, ct: pd.DataFrame | None = None, *, day_first: bool | None = None, **settings: Any
) -> pd.DataFrame:
    """Pair each chest X-ray with the chest CT that followed: 0 <= CT time - X-ray time <= window_hours, nearest first.

    Args:
        xray, ct: reports as of :func:`read_reports`, or frames with patient_id, exam_time, text and, of X-rays, author.
            Without ``ct``, ``xray`` has both, told by the column modality.  Patients are compared as text, whole
            numbers without a point; "007" is not 7.
        day_first: whether 03/04/2024 is 3 April; None to infer it from the dates of both frames, as of files, with an
            :class:`Assumed` warning where nothing tells.
        settings: window_hours, trainee_rule, signed_after_ct, study.

    Returns:
        One row a pair: xray_id, ct_id, patient_id, author, xray_time, ct_time, gap_hours, and both texts, that of the
        X-ray as it stood before the CT.  ``attrs["left_out"]`` says why other reports are in none; no pair, and
        reports without a patient, are warned of.

    Raises:
        InputError: a column is missing, or a time cannot be read, may be two days, or has a time zone.
        DataError: a report_id occurs twice.

    >>> film = pd.DataFrame({"patient_id": ["P"], "exam_time": ["2024-05-01 08:00"], "author": ["A"], "text": ["..."]})
    >>> scan = film.assign(exam_time="2024-05-01 11:30")
    >>> pair(film, scan)[["author", "gap_hours"]].values.tolist()
    [['A', 3.5]]
    """
    from radcal.reports import pairing
    from radcal.reports.attrition import REPORTS, Ledger
    from radcal.reports.stored_pairs import texts_that_count

    for name, given in (("xray", xray), ("ct", xray if ct is None else ct)):
        insist(name, given, pd.DataFrame, Text("a DataFrame, as of read_reports"))
    frames = {"": xray} if ct is None else {"xray": xray, "ct": ct}
    versions = [v for frame in frames.values() if (v := getattr(frame, "versions", None)) is not None]
    more = _VERSION if any("names_ct" in frame for frame in frames.values()) else {}
    every = pd.concat([_as_reports(frame, modality, more) for modality, frame in frames.items()], ignore_index=True)
    every["exam_time"] = _local(every["exam_time"], [row for of in frames.values() for row in of.index], day_first)
    missing, nobody = Ledger(), every["patient_id"] == ""
    for side, without in nobody.groupby(every["modality"]):
        missing.begin(str(side), REPORTS, len(without))
        missing.drop(str(side), Text("has a patient"), Text("no patient"), int(without.sum()))
    every = every[~nobody].reset_index(drop=True)
    rows = pd.concat(versions, ignore_index=True) if versions else None
    made = pairing.pair(every, settings_of(settings), versions=rows)
    texts = dict(zip(every["report_id"], every["text"], strict=True))
    if rows is not None:
        texts |= texts_that_count(made, lambda ids: rows[rows["report_id"].isin(ids)])
    pairs = made.pairs.assign(**{f"{side}_text": made.pairs[f"{side}_id"].map(texts) for side in ("xray", "ct")})
    pairs.attrs["left_out"] = [*_dropped(missing.frame()), *_dropped(made.attrition)]
    n = int(nobody.sum())
    warn([Text("{n:,} report has no patient.", many="{n:,} reports have no patient.", n=n)] if n else [])
    if pairs.empty:
        warn([Text("No X-ray is paired with a CT."), *_apart(every)])
    return pairs


def read_findings(reports: pd.DataFrame, reader: str | Path = "rules", **settings: Any) -> Frame:
    """What reports say of pathologies, and how certainly.

    Args:
        reports: pairs as of :func:`pair`, or a frame with report_id and text; one without a text could not be read.
        reader: "rules"; "rules and model", with the model that ships with RadCal beside them; the path of a model in
            GGUF; or the address of a served one, such as "https://llm.example:8443/v1", which the texts are sent to.
        settings: of the reader: served_model, served_ca, llama_context, untested, ...

    Returns:
        One row a statement: report_id, pathology, phrase, verbatim, sentence, section, start, end, ...; phrase is
        "absent", "present", a phrase of the lexicon, "other" for words in no list, or "unread".  ``attrs``: "engine";
        "failures", reports that could not be read (report_id, reason).

    Raises:
        InputError: a column is missing, there is no such model, or it failed its trial.
        DataError: a report_id has two texts.
        EngineError: the reader failed.

    >>> said = read_findings(pd.DataFrame({"report_id": ["a"], "text": ["Probable pneumonia. No effusion."]}))
    >>> said[["pathology", "phrase"]].values.tolist()
    [['infection', 'probably'], ['pleural effusion', 'absent']]
    """
    from radcal.findings.engines import close_engine, extracted, in_words, make_engine, model_name
    from radcal.findings.readers.trial import tried
    from radcal.findings.records import Finding
    from radcal.reports.sections import document

    insist("reports", reports, pd.DataFrame, Text("a DataFrame, as of pair or read_reports"))
    insist("reader", reader, str | Path, Text("'rules', 'rules and model', a model file or an address"))
    if "xray_text" in reports:
        sides = [
            reports[[f"{side}_id", f"{side}_text"]].set_axis(["report_id", "text"], axis=1) for side in ("xray", "ct")
        ]
        reports = pd.concat(sides)
    _require(reports, "report_id", "text")
    alone = reports[["report_id", "text"]].astype(object).fillna({"text": ""}).astype(str).drop_duplicates()
    if alone["report_id"].duplicated().any():
        raise DataError("The reports have a report_id twice; it must be unique.")
    texts = [*alone.itertuples(index=False, name=None)]
    documents = [document(i, text) for i, text in texts if text.strip()]
    chosen = settings_of(_of_reader(str(reader)) | settings)
    with naming_arguments():
        engine = make_engine(chosen.engine, chosen.model, chosen)
    try:
        tried(engine, model_name(engine), SILENT, untested=chosen.untested == "allowed")
        made = list(extracted(engine, documents, SILENT))
    finally:
        close_engine(engine)
    frame = Frame([asdict(f) for e in made for f in e.findings], columns=[f.name for f in fields(Finding)])
    failures = [{"report_id": i, "reason": "The report has no text."} for i, text in texts if not text.strip()]
    failures += [{"report_id": e.report_id, "reason": str(e.failure)} for e in made if e.failure]
    frame.read = frozenset(e.report_id for e in made if not e.failure)
    frame.attrs = {"engine": in_words(engine.name, model_name(engine)), "failures": failures}
    if n := len(failures):
        told = Text("{n:,} report could not be read.", many="{n:,} reports could not be read.", n=n)
        warn([told, failures[0]["reason"]])
    return frame


def observe(
    pairs: pd.DataFrame,
    findings: pd.DataFrame,
    lexicon: Lexicon | None = None,
    *,
    read: Iterable[str] | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """What the CT report said of each statement of the X-ray report (:func:`radcal.calibration.matching.match`).

    Args:
        pairs, findings: as of :func:`pair` and :func:`read_findings`.
        lexicon: None for the shipped one.
        read: ids of the reports that were read, where ``findings`` come from elsewhere: one without findings is silent.
        settings: silence_absent, silence_left_out, reference, ...

    Returns:
        One row a statement: author, topic (the pathology), phrase, reference_phrase, outcome (0-1), patient, ...
        ``attrs["counts"]``: what entered and what was left out, by author and topic, unread pairs among them.

    Raises:
        InputError: it is not known which reports were read, or of no pair were both.
    """
    from radcal.calibration.matched_pairs import UNREAD, match_decisive
    from radcal.findings.report_level import decide_table

    insist("pairs", pairs, pd.DataFrame, Text("a DataFrame, as of pair"))
    insist("findings", findings, pd.DataFrame, Text("a DataFrame, as of read_findings"))
    known = getattr(findings, "read", None) if read is None else frozenset(read)
    if known is None:
        raise InputError(
            "It is not known of which reports nothing was found, and which were not read. Give the findings as "
            "read_findings returned them, or name the reports that were read: read=reports['report_id']."
        )
    both = pairs["xray_id"].isin(known) & pairs["ct_id"].isin(known)
    if not both.any():
        raise InputError("Of none of {n:,} pairs were both reports read. Read the reports of the pairs.", n=len(pairs))
    phrases = words_of(lexicon).phrases
    # Empty cells of a file are missing ones where it was read again.
    blank = {name: "" for name in ("verbatim", "sentence", "section", "decided") if name in findings}
    stated = pd.DataFrame(findings).reset_index(drop=True).astype(dict.fromkeys(blank, object)).fillna(blank)
    decisive = decide_table(stated)
    observations, counts = match_decisive(pairs[both], decisive, settings_of(settings), phrases)
    patient = pd.Series(pd.factorize(pairs["patient_id"])[0], index=pairs["xray_id"])
    observations["patient"] = observations["xray_id"].map(patient)
    left = pairs[~both].groupby("author").size().rename("n").reset_index().assign(topic="", what=UNREAD)
    observations.attrs["counts"] = _records(pd.concat([counts, left]))
    if n := int((~both).sum()):
        warn([Text("{n:,} pair is left out, unread.", many="{n:,} pairs are left out, unread.", n=n)])
    return observations


def _of_reader(reader: str) -> dict[str, Any]:
    """The settings that choose a reader."""
    if reader in ("rules", "rules and model"):
        return {"second": "none" if reader == "rules" else "bundled", "workers": 1}
    if reader.startswith(("https://", "http://")):
        return {"engine": "served", "served_url": reader}
    return {"engine": "llama", "model": reader}


_STATED = Text("day_first=True or day_first=False states it.")
_UNNAMED = Text(
    "Name the column of the exam, columns={'exam': 'COLUMN'}. Where all are of the chest, read them with "
    "modality='xray', and again with modality='ct'."
)
_REPORT = dict.fromkeys(
    ("author", "author_rule", "status", "accession", "exam", "file", "row", "site", "age", "study_uid"), ""
)
_VERSION = {"signer": None, "addendum": 0, "report_time": pd.NaT, "corrected": False, "names_ct": -1, "parts": ""}
"""What reports have that say nothing else."""


def _as_reports(frame: pd.DataFrame, modality: str, more: Mapping[str, Any]) -> pd.DataFrame:
    """Reports with all columns that pairing asks for, and ``more``; ``modality`` is '' where they have it."""
    _require(frame, "patient_id", "exam_time", "text", *{"": ["modality"], "ct": []}.get(modality, ["author"]))
    made = pd.DataFrame(frame).assign(patient_id=as_text(frame["patient_id"]))
    made["patient_id"] = made["patient_id"].str.replace(r"^(\d+)\.0$", r"\1", regex=True)
    if "modality" not in made:
        made["modality"] = modality
    if "report_id" not in made:
        made["report_id"] = made["modality"] + ":" + made.index.astype(str)
    made = made.assign(**{column: value for column, value in {**_REPORT, **more}.items() if column not in made})
    made["author"] = made["author"].fillna("").astype(str)
    return made.assign(dictator=made["author"]) if more and "dictator" not in made else made


_ZONED = r"(?i)(?::\d\d(?:[.,]\d+)?|\d{12,14})\s*(?:z|utc|gmt|[+-]\d\d(?::?\d\d)?)\s*$"


def _local(cells: pd.Series[Any], rows: Sequence[Any], day_first: bool | None) -> pd.Series[Any]:
    """The times of all reports, whose dates have one order of day and month; ``rows`` are their labels in messages."""
    ambiguous = pd.Series(data=False, index=cells.index)
    if not pd.api.types.is_datetime64_dtype(cells):
        text = as_text(cells)
        if text.str.contains(_ZONED).any():
            raise InputError(
                "The times have a time zone. Give local times without one: frame['exam_time'].dt.tz_localize(None)."
            )
        read, state, order = times.read_times(text, day_first=day_first)
        cells, ambiguous = pd.Series(read), pd.Series(state == times.AMBIGUOUS)
        warn([order.note, _STATED] if order.note else [], Assumed)
    if ambiguous.any():
        raise InputError(
            "Row {row}, column 'exam_time': day and month cannot be told apart, because other dates have the day first "
            "and the month first. Set day_first=True or day_first=False.",
            row=rows[int(ambiguous.argmax())],
        )
    if (bad := cells.isna()).any():
        raise InputError(
            "Row {row}, column 'exam_time': the time cannot be read. Write it as 2024-12-31 15:30.",
            row=rows[int(bad.argmax())],
        )
    return cells.astype("datetime64[ns]")


def _apart(reports: pd.DataFrame) -> list[Text]:
    """Ids of both sides, where they have no patient in common."""
    ids = [reports.loc[reports["modality"] == side, "patient_id"] for side in Modality]
    if any(side.empty for side in ids) or ids[0].isin(ids[1]).any():
        return []
    xray, ct = (quotable_id(side.iloc[0]) for side in ids)
    return [Text("They have no patient in common: ids are such as {xray} and {ct}.", xray=xray, ct=ct)]


def _require(frame: pd.DataFrame, *columns: str) -> None:
    for column in columns:
        if column not in frame:
            raise InputError(
                "The reports have no column {column!r}. Add it or rename the one that is meant.", column=column
            )


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _dropped(attrition: pd.DataFrame | None) -> list[dict[str, Any]]:
    return [] if attrition is None else _records(attrition[attrition["dropped"] > 0])
