"""RadCal for programs: reports, pairs, findings, observations, reliability and advice as pandas DataFrames.

Needs no window, no workspace and no network.  ``import radcal`` has all names of this module, and
:mod:`radcal.plot` has the pictures.  Errors are those of the command line, in :mod:`radcal.system.errors`; what is left
out of a result is listed in it, and said in a :class:`LeftOut` warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import pandas as pd

from radcal.calibration.pooled import measure_pooled, pooled
from radcal.calibration.records import ALL_AUTHORS, Reliability
from radcal.calibration.reliability import measure, spread_of
from radcal.calibration.report import to_json
from radcal.calibration.tables import Observed, build_tables, observed
from radcal.calibration.verified import of_rows, with_verification
from radcal.system import policy
from radcal.system.components import versions
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT
from radcal.system.quoting import wordings
from radcal.system.settings import ALL_TOPICS, Settings
from radcal.system.text import Text, joined
from radcal.words import phrases as words
from radcal.words.bins import bin_phrases
from radcal.words.phrases import point, read_lexicon_csv
from radcal.words.records import ABSENT, PRESENT
from radcal.words.scales import scale_called
from radcal.words.surveys import from_answers, from_ranges, read_survey

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.advice.judged_records import JudgedGroup
    from radcal.advice.records import Advice
    from radcal.calibration.records import Pool, Spread, Tables
    from radcal.system.progress import Progress
    from radcal.words.records import Phrase, PhraseBins

    Array = NDArray[np.float64]

Table = pd.DataFrame | Mapping[str, Sequence[Any]] | str | Path
"""Observations: a DataFrame, its columns by name, or the path of a file."""


class LeftOut(UserWarning):
    """Some rows could not be used; the rest was."""


class Frame(pd.DataFrame):
    """A DataFrame that knows what its rows alone do not tell.

    versions: of X-ray reports with several, as :func:`pair` needs them;  read: ids of the reports that were read
    """

    _metadata = ("versions", "read")
    versions: pd.DataFrame | None = None
    read: frozenset[str] | None = None

    @property
    def _constructor(self) -> type[Frame]:
        return Frame


# --- what words mean


class Lexicon(words.Lexicon):
    """What certainty words mean: Beta distributions on [0, 1], weakest first.

    >>> lexicon = Lexicon.scale({"unlikely": (0, 0.2), "likely": (0.6, 0.9)})
    >>> lexicon.table()[["phrase", "mean"]].round(2).to_numpy().tolist()
    [['absent', 0.0], ['unlikely', 0.1], ['likely', 0.75], ['present', 1.0]]
    """

    @classmethod
    def shipped(cls, of: Literal["radiologists", "public"] = "radiologists") -> Self:
        """What radiologists, or everybody, took words to mean in the published surveys.

        >>> Lexicon.shipped().find("Probable").name
        'probably'
        """
        return cls(_shipped(words.PUBLIC if of == "public" else "phrases.csv").phrases, of)

    @classmethod
    def from_csv(cls, path: str | Path) -> Self:
        """A CSV file with the columns phrase, alpha and beta, as of :func:`radcal.words.phrases.read_lexicon_csv`.

        Raises:
            InputError: the file is broken; the message names file, line and reason.
        """
        read = read_lexicon_csv(Path(path))
        return cls(read.phrases, read.name)

    @classmethod
    def from_survey(cls, path: str | Path, asked: int = 0) -> Self:
        """A survey by ranges or by answers, as of :func:`radcal.words.surveys.read_survey`.

        Raises:
            InputError: the file is broken, or a phrase has no Beta distribution; the message names line or phrase.
        """
        read = read_survey(Path(path), asked)
        return cls(read.phrases, read.name)

    @classmethod
    def from_answers(cls, answers: pd.DataFrame | Mapping[str, Sequence[float]]) -> Self:
        """One answer a person and phrase, in percent: the Beta distribution of their mean and variance.

        Args:
            answers: a column for each phrase; missing cells are no answer.

        Raises:
            InputError: an answer is no number in 0 to 100, or a phrase has no Beta distribution.

        >>> Lexicon.from_answers({"likely": [60, 70, 80, 90]}).table()["mean"].round(2).tolist()
        [0.0, 0.75, 1.0]
        """
        made = []
        for name, column in pd.DataFrame(answers).items():
            given, missing = pd.to_numeric(column, errors="coerce"), column.isna()
            wrong = ~missing & ~given.between(0, 100)
            if wrong.any():
                raise InputError(
                    "Row {row}, column {column!r}: the answer is no number in 0 to 100. Mend or remove it.",
                    row=wrong.idxmax(),
                    column=name,
                )
            if not missing.all():
                made.append(from_answers(str(name).lower(), given[~missing].tolist(), asked=len(given)))
        return cls(_with_plain(made), "answers")

    @classmethod
    def scale(cls, scale: str | Mapping[str, tuple[float, float]]) -> Self:
        """A published scale by its name, such as "brigham", or one's own: {phrase: (lowest, highest)} in 0-1.

        Within its range a phrase may mean anything alike, so that it has the Beta distribution of the mean and variance
        of a uniform distribution there.

        Raises:
            InputError: there is no such scale, or a range is none within 0 to 1.
        """
        if isinstance(scale, str):
            known = scale_called(scale)
            ranges = {} if known is None else {w.words: (w.low, w.high) for w in known.words}
        else:
            ranges = dict(scale)
        made = []
        for name, (low, high) in ranges.items():
            if not 0 <= low <= high <= 1:
                raise InputError(
                    "Phrase {name!r}: low {low:g} and high {high:g} are no range within 0 to 1.",
                    name=name, low=low, high=high,
                )  # fmt: skip
            made.append(point(name, low) if low == high else from_ranges(name, [1], [(low, high)]))
        return cls(_with_plain(made), scale if isinstance(scale, str) else "scale")

    def table(self) -> pd.DataFrame:
        """The phrases: phrase, alpha, beta, mean, low, high (0-1), synonyms, source, answers, ..."""
        frame = pd.DataFrame([asdict(p) for p in self.phrases]).rename(columns={"name": "phrase"})
        frame.insert(3, "mean", [words.mean_of(p) for p in self.phrases])
        return frame


def _with_plain(made: Sequence[Phrase]) -> tuple[Phrase, ...]:
    named = {p.name for p in made}
    return (*made, *(words.plain(name) for name in (ABSENT, PRESENT) if name not in named))


@cache
def _shipped(table: str = "phrases.csv") -> words.Lexicon:
    return words.load_lexicon(table)


# --- settings


def _settings(given: Mapping[str, Any]) -> Settings:
    """Settings by their names (``radcal settings`` lists them); policy of the computer as for the command line."""
    known = [f.name for f in fields(Settings)]
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise InputError(
                "There is no setting {name!r}. {meant}",
                name=name,
                meant=Text("Did you mean {near}?", near=near[0]) if near else Text("`radcal settings` lists all."),
            )
    return policy.in_use().started(given)


# --- from reports to observations


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
        paths: tables (CSV, TSV, Excel), files of HL7, FHIR or DICOM messages, or folders.
        modality: of all reports, where the files do not say it of each.
        columns: RadCal's names of columns to those of the files, for columns that are not recognised.
        day_first: whether 03/04/2024 is 3 April; None to infer it.
        settings: trainee_rule, study.

    Returns:
        One row a report: report_id, modality, patient_id, exam_time, author, text and more.  ``attrs`` hold "rejected",
        the rows that cannot be used (file, row, reason, remedy), "left_out", what dropped out for which reason, and
        "notes".  Texts are as in the files, identifiers included.

    Raises:
        InputError: a file cannot be opened or is no table, or a required column is missing.
    """
    from radcal.reports import readers
    from radcal.reports.records import Modality
    from radcal.words.studies import study_of

    chosen = _settings(settings)
    given = [paths] if isinstance(paths, str | Path) else paths
    read = readers.read_reports(
        [Path(path) for path in given],
        trainee_rule=chosen.trainee_rule,
        modality=None if modality is None else Modality(modality),
        mapping=columns,
        day_first=day_first,
        study=study_of(chosen),
    )
    frame = Frame(read.reports)
    frame.versions = read.versions
    frame.attrs = {
        "rejected": _records(read.rejected),
        "left_out": _dropped(read.attrition),
        "notes": [str(note) for note in read.notes],
    }
    if len(read.rejected):
        first = read.rejected.iloc[0]
        _warn(
            Text("{n:,} row cannot be used.", many="{n:,} rows cannot be used.", n=len(read.rejected)),
            Text("The first is row {row} of {file}:", row=first["row"], file=first["file"]),
            first["reason"],
            first["remedy"],
        )
    return frame


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _dropped(attrition: pd.DataFrame | None) -> list[dict[str, Any]]:
    return [] if attrition is None else _records(attrition[attrition["dropped"] > 0])


def _warn(*texts: str) -> None:
    warnings.warn(joined(texts), LeftOut, stacklevel=3)


def pair(xray: pd.DataFrame, ct: pd.DataFrame | None = None, **settings: Any) -> pd.DataFrame:
    """Pair each chest X-ray with the chest CT that followed within ``window_hours``.

    Candidates are accepted in the order of 0 <= CT time - X-ray time, so that every report is in one pair at most.

    Args:
        xray, ct: reports as of :func:`read_reports`, or any frames with patient_id, exam_time and, of X-rays, author;
            report_id and text are needed to read findings.  Without ``ct``, ``xray`` has both, told by ``modality``.
        settings: window_hours, trainee_rule, signed_after_ct.

    Returns:
        xray_id, ct_id, patient_id, author, xray_time, ct_time and gap_hours; ``attrs["left_out"]`` says why other
        reports are in no pair.

    Raises:
        InputError: a column is missing, or a time cannot be read.
        DataError: a report_id occurs twice.

    >>> film = pd.DataFrame({"patient_id": ["P"], "exam_time": ["2024-05-01 08:00"], "author": ["A"]})
    >>> scan = pd.DataFrame({"patient_id": ["P"], "exam_time": ["2024-05-01 11:30"]})
    >>> pair(film, scan)[["author", "gap_hours"]].to_numpy().tolist()
    [['A', 3.5]]
    """
    from radcal.reports import pairing

    parts = [_reports(xray, None if ct is None else "xray"), *([] if ct is None else [_reports(ct, "ct")])]
    versions = [its for frame in (xray, ct) if (its := getattr(frame, "versions", None)) is not None]
    made = pairing.pair(
        pd.concat(parts, ignore_index=True),
        _settings(settings),
        versions=pd.concat(versions, ignore_index=True) if versions else None,
    )
    made.pairs.attrs["left_out"] = _dropped(made.attrition)
    return made.pairs


def _reports(frame: pd.DataFrame, modality: str | None) -> pd.DataFrame:
    """Reports with all columns that pairing asks for."""
    needed = [
        "patient_id",
        "exam_time",
        *(["modality"] if modality is None else ["author"] if modality == "xray" else []),
    ]
    for column in needed:
        if column not in frame:
            raise InputError(
                "The reports have no column {column!r}. Add it or rename the one that is meant.", column=column
            )
    time = pd.to_datetime(frame["exam_time"], errors="coerce")
    if (bad := time.isna()).any():
        raise InputError(
            "Row {row}, column 'exam_time': the time cannot be read. Write it as 2024-12-31 15:30.", row=bad.idxmax()
        )
    made = pd.DataFrame(frame).assign(exam_time=time.astype("datetime64[ns]"))
    if modality is not None and "modality" not in made:
        made["modality"] = modality
    if "report_id" not in made:
        made["report_id"] = [f"{kind}:{i}" for kind, i in zip(made["modality"], frame.index, strict=True)]
    for column in ("author", "author_rule", "status", "text", "accession", "exam", "file", "site", "study_uid"):
        if column not in made:
            made[column] = ""
    made["author"] = made["author"].fillna("").astype(str)
    return made.assign(**{name: made.get(name, value) for name, value in (("row", 0), ("age", -1))})


def read_findings(
    reports: pd.DataFrame, reader: str | Path = "rules", *, progress: Progress = SILENT, **settings: Any
) -> Frame:
    """What reports say of pathologies, and how certainly.

    Args:
        reports: report_id and text; a frame of X-ray and one of CT reports can be put together by ``pandas.concat``.
        reader: "rules"; "rules and model", with the model that ships with RadCal beside them; the path of a model in
            GGUF; or the address of a served one, "https://llm.example:8443/v1", to which the texts are then sent.
        progress: advances by reports.
        settings: of the reader, such as served_model, served_ca, llama_context, untested.

    Returns:
        One row a statement: report_id, pathology, phrase, verbatim, sentence, section, start, end and more.  ``phrase``
        is "absent", "present", a phrase of the lexicon, "other" for words in no list, or "unread".
        ``attrs["failures"]`` lists reports that could not be read, ``attrs["engine"]`` what read.

    Raises:
        InputError: a column is missing, there is no such model, or it failed its trial.
        EngineError: the reader itself failed.

    >>> said = read_findings(pd.DataFrame({"report_id": ["a"], "text": ["Probable pneumonia. No effusion."]}))
    >>> said[["pathology", "phrase"]].to_numpy().tolist()
    [['infection', 'probably'], ['pleural effusion', 'absent']]
    """
    from radcal.findings.engines import close_engine, extracted, in_words, make_engine, model_name
    from radcal.findings.readers.trial import tried
    from radcal.findings.records import Finding
    from radcal.reports.records import Modality
    from radcal.reports.sections import document

    for column in ("report_id", "text"):
        if column not in reports:
            raise InputError(
                "The reports have no column {column!r}. Add it or rename the one that is meant.", column=column
            )
    chosen = _settings(_of_reader(str(reader)) | settings)
    kinds = reports["modality"].tolist() if "modality" in reports else [""] * len(reports)
    texts = zip(reports["report_id"].tolist(), reports["text"].fillna("").tolist(), kinds, strict=True)
    documents = [document(str(i), text, Modality(kind) if kind in tuple(Modality) else None) for i, text, kind in texts]
    engine = make_engine(chosen.engine, chosen.model, chosen)
    found: list[Finding] = []
    failures: list[dict[str, str]] = []
    try:
        tried(engine, model_name(engine), progress, untested=chosen.untested == "allowed")
        progress.start(len(documents), Text("Extracting findings"))
        for extraction in extracted(engine, documents, progress):
            progress.raise_if_cancelled()
            found += extraction.findings
            if extraction.failure:
                failures.append({"report_id": extraction.report_id, "reason": str(extraction.failure)})
    finally:
        close_engine(engine)
    frame = Frame([asdict(f) for f in found], columns=[f.name for f in fields(Finding)])
    failed = {failure["report_id"] for failure in failures}
    frame.read = frozenset(d.report_id for d in documents) - failed
    frame.attrs = {"engine": in_words(engine.name, model_name(engine)), "failures": failures}
    if failures:
        told = Text("{n:,} report could not be read.", many="{n:,} reports could not be read.", n=len(failures))
        _warn(told, failures[0]["reason"], Text("attrs['failures'] lists all."))
    return frame


def _of_reader(reader: str) -> dict[str, Any]:
    """The settings that choose a reader."""
    if reader in ("rules", "rules and model"):
        return {"engine": "rules", "second": "none" if reader == "rules" else "bundled", "workers": 1}
    if reader.startswith(("https://", "http://")):
        return {"engine": "served", "served_url": reader}
    return {"engine": "llama", "model": reader}


def observe(
    pairs: pd.DataFrame,
    findings: pd.DataFrame | Sequence[pd.DataFrame],
    lexicon: words.Lexicon | None = None,
    *,
    read: Iterable[str] | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """What the CT report said of each statement of the X-ray report: a row of the statistics each.

    Args:
        pairs: as of :func:`pair`.
        findings: of X-ray and CT reports, as of :func:`read_findings`; one frame or several.
        lexicon: None for the shipped one.
        read: ids of the reports that were read, where ``findings`` do not know them, as after ``pandas.concat`` or from
            a file: a report that was read and has no finding is silent, which is not the same as unread.
        settings: which CT statements confirm which, and what a silent CT means.

    Returns:
        author, topic (the pathology), phrase, reference_phrase, outcome (0-1) and the sentences.  ``attrs["counts"]``
        has, by author and topic, what entered and what was left out; pairs of which a report was not read are among
        them.

    Raises:
        InputError: it is not known which reports were read, or no pair was.
    """
    from radcal.calibration.matched_pairs import UNREAD, match_decisive
    from radcal.findings.report_level import decide_table

    frames = [findings] if isinstance(findings, pd.DataFrame) else list(findings)
    known = set() if read is None else set(read)
    for frame in frames if read is None else ():
        if (its := getattr(frame, "read", None)) is None:
            raise InputError(
                "It is not known which reports were read, and of which nothing was found. Give the findings as "
                "read_findings returned them, or name the reports: read=reports['report_id']."
            )
        known |= its
    every = pd.concat([pd.DataFrame(frame) for frame in frames], ignore_index=True)
    both = pairs["xray_id"].isin(known) & pairs["ct_id"].isin(known)
    if not both.any():
        raise InputError(
            "Of none of the {n:,} pairs were both reports read. Read the reports of the pairs.", n=len(pairs)
        )
    phrases = (lexicon or _shipped()).phrases
    observations, counts = match_decisive(pairs[both], decide_table(every), _settings(settings), phrases)
    left = pairs[~both].groupby("author").size()
    counts = pd.concat(
        [counts, pd.DataFrame({"author": left.index, "topic": "", "what": UNREAD, "n": left.to_numpy()})]
    )
    observations.attrs["counts"] = _records(counts)
    if len(left):
        _warn(
            Text(
                "{n:,} pair is left out: a report of it was not read.",
                many="{n:,} pairs are left out: a report of each was not read.",
                n=int((~both).sum()),
            )
        )
    return observations


# --- reliability


@dataclass(frozen=True, eq=False)
class Measured:
    """Reliability of every author on every topic.

    reliabilities: the records behind the tables;  spread: what was learned of the department
    observed: the observations used, those that could not be, and all phrases;  unknown: words in no list, with counts
    """

    reliabilities: tuple[Reliability, ...]
    spread: Spread
    observed: Observed
    unknown: Mapping[str, int]
    lexicon: words.Lexicon
    settings: Settings

    @property
    def rejected(self) -> pd.DataFrame:
        """Rows that could not be used: file, row, reason and remedy."""
        return self.observed.rejected

    @cached_property
    def _json(self) -> dict[str, Any]:
        about = _made_with(self.lexicon, self.settings, self.unknown, self.observed)
        made = to_json(self.reliabilities, about | {"department": _department(self.spread)})
        days = _days(self.observed.rows)
        for group in made["groups"] if days else ():
            group |= days.get((group["author"], group["topic"]), dict.fromkeys(("first", "last")))
        return made

    def to_json(self) -> dict[str, Any]:
        """Plain values, as `radcal reliability` writes them; see :func:`radcal.calibration.report.to_json`."""
        return self._json

    def groups(self) -> pd.DataFrame:
        """One row a group: author, topic, n, word_error, ece, brier, ... with intervals, as in R.json."""
        return pd.DataFrame(
            [{k: v for k, v in g.items() if not isinstance(v, dict | list)} for g in self._json["groups"]]
        )

    def phrases(self) -> pd.DataFrame:
        """One row a group and phrase: author, topic, phrase, n, positives, rate, low, high, mean, verdict, ..."""
        rows = [{"author": r.author, "topic": r.topic, **p._asdict()} for r in self.reliabilities for p in r.phrases]
        return pd.DataFrame(rows)

    def curve(self, author: str | None = None, topic: str | None = None) -> pd.DataFrame:
        """The reliability diagram of a group: low, high, rate, density, stated, ... by bin; NaN where a bin is empty.

        Args:
            author, topic: of the group; may be left out where there is one alone.

        Raises:
            InputError: there is no such group, or several.
            DataError: it has too few statements for a curve.
        """
        found = [r for r in self.reliabilities if author in (None, r.author) and topic in (None, r.topic)]
        if len(found) != 1:
            raise InputError(
                "{n:,} groups go by that name. Name one of these by author and topic: {some}.",
                n=len(found),
                some=joined([f"{r.author!r}, {r.topic!r}" for r in (found or self.reliabilities)[:5]], "; "),
            )
        if found[0].curve is None:
            raise DataError("{reason}", reason=found[0].reason)
        return pd.DataFrame(vars(found[0].curve))

    def bundle(self, path: str | Path) -> Path:
        """Write all of it as CSV files in a ZIP archive, with a dictionary of their columns, for R and other programs.

        The tables are observations (forecast and outcome, a row a statement), groups, phrases, curves and the published
        plan.  Of patients they have running numbers alone.

        Raises:
            InputError: the file cannot be written.
            EngineError: a plan did not converge.
        """
        from radcal.advice.bundle import bundle
        from radcal.system.exports import Exports

        made = bundle(self.to_json(), self.observed.rows, self.observed.words, self.settings)
        return Exports().write(Path(path), made)


def reliability(
    observations: Table,
    lexicon: words.Lexicon | None = None,
    *,
    pool: Pool | None = None,
    progress: Progress = SILENT,
    **settings: Any,
) -> Measured:
    """How often what was said was confirmed, word by word and on the whole, of every author on every topic.

    Args:
        observations: author, topic, phrase, and outcome (0-1, true or false, right or wrong) or reference_phrase; as a
            frame, or the path of a file.  ``phrase`` (or certainty, confidence, probability) may hold words, numbers in
            0-1, percentages, and Betas: "Beta(8, 2)" or (8, 2).  Numbers without a sign are percentages where most of
            the same author's, three at least, are above 1.
        lexicon: what words mean; None for the shipped one.
        pool: "author" or "topic", to put topics of an author or authors on a topic together as well.
        progress: advances by groups.
        settings: bootstrap, n_bins, method, seed, min_group_n, ... by their names.

    Raises:
        InputError: a column is missing, or none of the rows can be used.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 4, 6, 7, 11, 19; :mod:`radcal.calibration`.

    >>> said = pd.DataFrame({"author": "A", "topic": "T", "phrase": [0.7] * 100, "outcome": [1] * 70 + [0] * 30})
    >>> made = reliability(said, bootstrap=0)
    >>> made.groups()[["author", "topic", "n", "word_error"]].round(3).to_numpy().tolist()
    [['A', 'T', 100.0, 0.0]]
    """
    made = measured(observations, lexicon or _shipped(), _settings(settings), pool, progress)
    _warn_of(made.observed, made.unknown)
    return made


def measured(
    observations: Table, lexicon: words.Lexicon, settings: Settings, pool: Pool | None, progress: Progress
) -> Measured:
    """:func:`reliability` without a word on what was left out."""
    seen = _observed(observations, lexicon, progress)
    phrases = seen.words.phrases
    tables = build_tables(seen.rows, phrases, settings.reference)
    spread = spread_of(tables, phrases, settings, progress)
    verified = of_rows(seen.rows, phrases, settings)
    results = with_verification(measure(tables, phrases, settings, progress, spread=spread), verified, settings)
    if pool is not None:
        together = measure_pooled(tables, phrases, settings, pool, progress, spread)
        results += with_verification(together, verified, settings)
    return Measured(results, spread, seen, tables.unknown, lexicon, settings)


def _observed(
    observations: Table, lexicon: words.Lexicon, progress: Progress = SILENT, need: Sequence[str] = ("author", "topic")
) -> Observed:
    source = Path(observations) if isinstance(observations, str | Path) else pd.DataFrame(observations)
    return observed(source, lexicon, progress, need)


def _warn_of(seen: Observed, unknown: Mapping[str, int]) -> None:
    """Say what was left out, and what was assumed."""
    told: list[str] = []
    if len(seen.rejected):
        first = seen.rejected.iloc[0]
        told += [
            Text("{n:,} row cannot be used.", many="{n:,} rows cannot be used.", n=len(seen.rejected)),
            Text("The first is row {row}.", row=first["row"]),
            first["reason"],
            first["remedy"],
        ]
    if unknown:
        n = sum(unknown.values())
        shown = ", ".join(f"{word!r} ({times})" for word, times in list(wordings(unknown).items())[:5])
        told += [
            Text(
                "{n:,} statement is left out: its words are in no list.",
                many="{n:,} statements are left out: their words are in no list.",
                n=n,
            ),
            Text("Among them: {shown}.", shown=shown) if shown else "",
            Text("Add them to the lexicon, or rename them to its phrases."),
        ]
    if seen.percent:
        told.append(Text("Numbers of {authors} were read as percentages.", authors=", ".join(seen.percent)))
    if any(told):
        warnings.warn(joined(told), LeftOut, stacklevel=3)


def _days(frame: pd.DataFrame) -> dict[tuple[str, str], dict[str, str]]:
    """The first and the last day of each group's observations, of those put together too; nothing without times."""
    if "time" not in frame:
        return {}
    every = frame[["author", "topic", "time"]].astype({"author": str, "topic": str})
    known = pd.concat([every, every.assign(topic=ALL_TOPICS), every.assign(author=ALL_AUTHORS)]).dropna()
    ends = known.groupby(["author", "topic"])["time"].agg(["min", "max"])
    return {
        (str(author), str(topic)): {"first": f"{first:%Y-%m-%d}", "last": f"{last:%Y-%m-%d}"}
        for (author, topic), first, last in zip(ends.index, ends["min"], ends["max"], strict=True)
    }


def _department(spread: Spread) -> dict[str, Any]:
    """What was learned of the department, in a result file."""
    return {f.name: getattr(spread, f.name) for f in fields(spread) if f.name != "levels"}


def _made_with(
    lexicon: words.Lexicon, settings: Settings, unknown: Mapping[str, int], seen: Observed
) -> dict[str, Any]:
    """The provenance in a result file."""
    return {
        "settings": settings.to_dict(),
        "lexicon": {"name": lexicon.name, "version": lexicon.version},
        "versions": versions(),
        "unknown_phrases": dict(unknown),
        "rejected": seen.rejected.to_dict("records"),
        **({"percentages": list(seen.percent)} if seen.percent else {}),
    }


# --- advice


@dataclass(frozen=True, eq=False)
class Advised:
    """Which phrase would have been closer, for every author on every topic.

    advices: the records behind the table;  judged: what is said of each word
    """

    advices: tuple[Advice, ...]
    judged: Mapping[tuple[str, str], JudgedGroup]
    spread: Spread
    observed: Observed
    unknown: Mapping[str, int]
    lexicon: words.Lexicon
    settings: Settings

    def to_json(self) -> dict[str, Any]:
        """Plain values, as `radcal advise` writes them; see :func:`radcal.advice.report.to_json`."""
        from radcal.advice.report import to_json

        about = _made_with(self.lexicon, self.settings, self.unknown, self.observed)
        return to_json(self.advices, about | {"department": _department(self.spread)}, self.judged)

    def table(self) -> pd.DataFrame:
        """One row a group and phrase: author, topic, phrase, n, verdict, probability, advised, sure, over, why.

        advised: the closer phrase, None without one;  sure: the probability that it is;  over: the topic whose
        statements tell so;  why: the reason for none
        """
        rows = [{"author": g["author"], "topic": g["topic"], **w} for g in self.to_json()["groups"] for w in g["words"]]
        return pd.DataFrame(rows).rename(columns={"closer": "advised"})


def advise(
    observations: Table,
    lexicon: words.Lexicon | None = None,
    *,
    target_use: Mapping[str, float] | None = None,
    pool: Pool | None = None,
    baselines: bool = False,
    progress: Progress = SILENT,
    **settings: Any,
) -> Advised:
    """Which phrase to say instead, by the ordered plan, judged on halves of the data that it was not fitted to.

    Args:
        observations, lexicon, pool, progress, settings: as of :func:`reliability`.
        target_use: {phrase: share}, for the exact transport to that use of words instead.
        baselines: whether the result has numbers and the published method beside the words.

    Raises:
        InputError: a column is missing, or none of the rows can be used.
        EngineError: a transport plan could not be found.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), section 4; :mod:`radcal.advice`.

    >>> said = pd.DataFrame({"author": "A", "topic": "T", "phrase": ["possible"] * 90, "outcome": [1, 1, 0] * 30})
    >>> advise(said).table()[["phrase", "verdict", "advised"]].to_numpy().tolist()
    [['possibly', 'matches', 'suggestive of']]
    """
    made = advised(
        observations, lexicon or _shipped(), _settings(settings), target_use, pool, progress, baselines=baselines
    )
    _warn_of(made.observed, made.unknown)
    return made


def advised(
    observations: Table,
    lexicon: words.Lexicon,
    settings: Settings,
    target_use: Mapping[str, float] | None,
    pool: Pool | None,
    progress: Progress,
    *,
    baselines: bool,
) -> Advised:
    """:func:`advise` without a word on what was left out."""
    from radcal.advice.advice import advise as advised_on
    from radcal.advice.judging import judge_all

    seen = _observed(observations, lexicon, progress)
    phrases = seen.words.phrases
    tables = build_tables(seen.rows, phrases, settings.reference)
    # Advice quotes rates and their intervals, which need no resampling.
    plain = settings.changed(bootstrap=0)
    spread = spread_of(tables, phrases, plain, progress)
    rates = [(tables, measure(tables, phrases, plain, progress, spread=spread))]
    if pool is not None:
        rates.append((pooled(tables, pool), measure_pooled(tables, phrases, plain, pool, progress, spread)))
    verified = of_rows(seen.rows, phrases, settings)
    rates = [(table, with_verification(its, verified, settings)) for table, its in rates]
    made: tuple[Advice, ...] = ()
    for table, its in rates:
        # What was made first is of the single groups, which those put together must not contradict.
        parts = tuple(zip(rates[0][1], made, strict=True)) if made else ()
        made += advised_on(
            table, its, phrases, settings, progress, target_use, spread, baselines=baselines, parts=parts
        )
    judged = judge_all([r for _, its in rates for r in its], made, {}, phrases, settings.min_phrase_n)
    return Advised(made, judged, spread, seen, tables.unknown, lexicon, settings)


# --- the published measures, of all rows together


def _counted(
    observations: Table, lexicon: words.Lexicon | None, settings: Mapping[str, Any]
) -> tuple[Array, Array, PhraseBins, Settings]:
    """(K,) uses and confirmed uses of each phrase over all rows, and the phrases binned."""
    chosen = _settings(settings)
    seen = _observed(observations, lexicon or _shipped(), need=())
    tables = build_tables(seen.rows, seen.words.phrases, chosen.reference)
    _warn_of(seen, tables.unknown)
    counts = tables.counts.sum(axis=0)
    return (
        counts.sum(axis=1),
        counts @ tables.positive,
        bin_phrases(seen.words.phrases, chosen.n_bins, chosen.method),
        chosen,
    )


def ece(
    observations: Table,
    lexicon: words.Lexicon | None = None,
    method: Literal["exact", "midpoint"] = "exact",
    **settings: Any,
) -> float:
    """Expected calibration error of all rows together, in 0-1: sum_m p_m |r_m - g_m| over equal bins.

    Of one author or topic, choose the rows, or ``groupby`` and ``apply``.

    Args:
        observations: phrase, and outcome or reference_phrase, as of :func:`reliability`; author and topic are only
            needed to tell whose numbers are percentages.
        lexicon: None for the shipped one.
        method: how Betas are put into bins: exactly, or by the midpoint rule as in the paper.
        settings: n_bins (100).

    Raises:
        InputError: as of :func:`reliability`.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 6 and 7.

    >>> ece(pd.DataFrame({"phrase": [0.25, 0.25, 0.75, 0.75], "outcome": [0, 0, 1, 0]}))
    0.25
    """
    from radcal.calibration import scoring

    n, y, bins, _ = _counted(observations, lexicon, {**settings, "method": method})
    return float(scoring.ece(n, y, bins))


def ece_star(
    observations: Table,
    lexicon: words.Lexicon | None = None,
    method: Literal["exact", "midpoint"] = "exact",
    **settings: Any,
) -> float:
    """:func:`ece` without the first and last bin, where plain statements stand; NaN if nothing lies between.

    Args:
        observations, lexicon, method, settings: as of :func:`ece`.

    Raises:
        InputError: as of :func:`reliability`.

    >>> ece_star(pd.DataFrame({"phrase": ["absent", 0.75, 0.75], "outcome": [1, 1, 0]}))
    0.25
    """
    from radcal.calibration import scoring

    n, y, bins, _ = _counted(observations, lexicon, {**settings, "method": method})
    return float(scoring.ece_star(n, y, bins))


def brier(observations: Table, lexicon: words.Lexicon | None = None, **settings: Any) -> float:
    """Brier score of all rows together, in 0-1: the mean of E[(S - outcome)^2] over what each phrase may mean.

    Of numbers, it is scikit-learn's ``brier_score_loss``; a phrase of Beta(a, b) adds its variance.

    Args:
        observations, lexicon, settings: as of :func:`ece`.

    Raises:
        InputError: as of :func:`reliability`.

    >>> brier(pd.DataFrame({"phrase": [0.5, 1.0], "outcome": [0, 1]}))
    0.125
    """
    from radcal.calibration import scoring

    n, y, bins, _ = _counted(observations, lexicon, settings)
    return float(scoring.brier(n, y, bins))


def cost_matrix(observations: Table, lexicon: words.Lexicon | None = None, **settings: Any) -> pd.DataFrame:
    """Change of :func:`ece` per use when a phrase (row) is said as another (column), of all rows together.

        C[k, l] = (ECE(u_k -> u_l) - ECE) / a_k,    a_k = n_k / N

    Args:
        observations, lexicon, settings: as of :func:`ece`.

    Returns:
        phrases said by all phrases, -2 to 2; C[k, k] = 0.

    Raises:
        InputError: as of :func:`reliability`.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 12.

    >>> cost = cost_matrix(pd.DataFrame({"phrase": [0.25, 0.75, 0.75], "outcome": [0, 1, 1]}))
    >>> round(float(cost.loc["0.75", "present"]), 3)
    -0.25
    """
    from radcal.advice.cost import cost_matrix as costs

    n, y, bins, _ = _counted(observations, lexicon, settings)
    frame = _by_phrases(costs(n, y, bins), bins)
    return frame.loc[n > 0]


def _by_phrases(matrix: Array, bins: PhraseBins) -> pd.DataFrame:
    names = pd.Index(bins.phrases)
    return pd.DataFrame(matrix, index=names.rename("said"), columns=names.rename("advised"))


def transport_plan(
    observations: Table, lexicon: words.Lexicon | None = None, *, tau2: float = 1e-3, **settings: Any
) -> pd.DataFrame:
    """The published plan: which share of all statements is said with one phrase (row) and better with another (column).

        min_T <T, C> + 1e-3 KL(T | a b') + tau2 KL(T' 1 | b)    subject to  T 1 = a

    with C as of :func:`cost_matrix` and a = b the present use of phrases.  All rows are one author's: choose those of a
    group where there are several.

    Args:
        observations, lexicon, settings: as of :func:`ece`.
        tau2: price of departing from the present use, 0.001 to 10.

    Returns:
        phrases in use by phrases in use; adds to 1, rows to the present use.

    Raises:
        InputError: as of :func:`reliability`, or tau2 is out of range.
        EngineError: the transport did not converge.

    Source: "Calibrating Expressions of Certainty" (ICLR 2025), eq. 13.

    >>> said = pd.DataFrame({"phrase": [0.2] * 40 + [0.8] * 60, "outcome": [1] * 8 + [0] * 32 + [1] * 48 + [0] * 12})
    >>> transport_plan(said).round(2).to_numpy().tolist()
    [[0.4, 0.0], [0.0, 0.6]]
    """
    from radcal.advice.cost import cost_matrix as costs
    from radcal.advice.transport import semi_relaxed_plans

    n, y, bins, chosen = _counted(observations, lexicon, {**settings, "tau2": tau2})
    (plan,) = semi_relaxed_plans(costs(n, y, bins)[None], n[None], n[None], chosen.tau2)
    return _by_phrases(plan, bins).loc[n > 0, n > 0]


# --- the model of a department


class DepartmentModel:
    """The true rates of all readers, pathologies and words, learned together; used as an estimator of scikit-learn.

        y_gk ~ Binomial(n_gk, expit(h_gk)),    h_gk = a_g + (1 + b_g) logit m_k + u_k + d_gk

    with m_k what word k means, a_g and b_g what all words of group g (an author on a topic) share, u_k what all authors
    mean by the word, and d_gk the word's own; :mod:`radcal.calibration.model` has the priors.

    Args:
        lexicon: what words mean; None for the shipped one.
        settings: confidence, min_phrase_n, ct_accuracy, ... by their names.

    Attributes:
        spread_: what was learned: standard deviations of a, b and d, the private words, u by word
            (:class:`radcal.calibration.records.Spread`).

    Source: Cox, Biometrika 1958;45:562; Morris, JASA 1983;78:47-55.

    >>> said = pd.DataFrame({"author": "A", "topic": "T", "phrase": ["likely"] * 30, "outcome": [1] * 24 + [0] * 6})
    >>> DepartmentModel().fit(said).rates()[["phrase", "n", "rate"]].to_numpy().tolist()
    [['likely', 30.0, 0.8]]
    """

    def __init__(self, lexicon: words.Lexicon | None = None, **settings: Any) -> None:
        self.lexicon, self._settings = lexicon or _shipped(), _settings(settings)

    def fit(self, observations: Table) -> Self:
        """Learn how far the words of these authors stray.

        Raises:
            InputError: as of :func:`reliability`.
        """
        self._fitted = observations
        tables, phrases = self._tables(observations)
        self.spread_ = spread_of(tables, phrases, self._settings)
        return self

    def rates(self, observations: Table | None = None) -> pd.DataFrame:
        """The true rate of each phrase of each group: phrase, n, rate (as confirmed), expected, low, high, verdict, ...

        Args:
            observations: of any authors; None for those that the model was fitted on.

        Raises:
            DataError: the model was not fitted.
        """
        from radcal.calibration.reliability import rated

        tables, phrases = self._tables(self._known(observations))
        mean = np.array([words.mean_of(p) for p in phrases])
        found, _ = rated(tables, phrases, self._settings, mean, spread=self.spread_)
        rows = zip(tables.groups, found, strict=True)
        return pd.DataFrame(
            [{"author": author, "topic": topic, **p._asdict()} for (author, topic), of in rows for p in of]
        )

    def together(self, observations: Table | None = None) -> pd.DataFrame:
        """What the hedged words of each group come to together: n, stated, rate, expected, deviation, verdict.

        Args:
            observations: as of :meth:`rates`.

        Raises:
            DataError: the model was not fitted.
        """
        from radcal.calibration.reliability import rated

        tables, phrases = self._tables(self._known(observations))
        mean = np.array([words.mean_of(p) for p in phrases])
        _, found = rated(tables, phrases, self._settings, mean, spread=self.spread_)
        rows = zip(tables.groups, found, strict=True)
        return pd.DataFrame(
            [{"author": author, "topic": topic, **of._asdict()} for (author, topic), of in rows if of is not None]
        )

    def words(self) -> pd.DataFrame:
        """What all authors mean by each word beyond what the lexicon says: phrase, common (log odds), doubt (its sd).

        Raises:
            DataError: the model was not fitted.
        """
        self._known(None)
        rows = [(name, u, self.spread_.doubt.get(name)) for name, u in self.spread_.common.items()]
        return pd.DataFrame(rows, columns=["phrase", "common", "doubt"])

    def _known(self, observations: Table | None) -> Table:
        if not hasattr(self, "spread_"):
            raise DataError("The model was not fitted. Call fit(observations) first.")
        return self._fitted if observations is None else observations

    def _tables(self, observations: Table) -> tuple[Tables, tuple[Phrase, ...]]:
        seen = _observed(observations, self.lexicon)
        tables = build_tables(seen.rows, seen.words.phrases, self._settings.reference)
        _warn_of(seen, tables.unknown)
        return tables, seen.words.phrases
