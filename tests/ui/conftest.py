"""A department of invented reports, prepared by the real pipeline once, and windows that are closed in the test."""

from __future__ import annotations

import csv
import functools
import gc
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache, partial
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import os
import time
from collections.abc import Sequence
from datetime import UTC

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from radcal import scoring
from radcal.errors import InputError
from radcal.exports import Exports
from radcal.extract import rules
from radcal.extract.rules import RulesEngine
from radcal.lexicon.bins import bin_phrases
from radcal.progress import SILENT, Progress
from radcal.records import (
    ALL_DAYS,
    OTHER,
    PRESENT,
    USUAL_SHEET,
    Advice,
    Analysis,
    AuthorPairs,
    Backup,
    Checked,
    Contents,
    Contest,
    Curve,
    Days,
    Document,
    Extraction,
    ExtractionSummary,
    Import,
    Judgement,
    Pairing,
    Phrase,
    PhraseRate,
    Provenance,
    Recommendation,
    Reliability,
    Restored,
    Sheet,
    Substitution,
    Verification,
    VerifiedRate,
    Withheld,
    WordShare,
)
from radcal.settings import Settings
from radcal.workflow import Department, Preview, make_engine, open_department
from radcal.workflow.imports.importing import PastImport, ReportFile, as_files
from radcal.workflow.keeping.copies import Copied
from radcal.workflow.results.comparison import Comparison
from radcal.workflow.runs.comparison import Change, Difference, RunComparison
from radcal.workflow.runs.engines import EngineFit
from radcal.workflow.runs.records import EngineStatus, ReportFailure, RunChoice, RunSummary
from radcal.workspace import database
from radcal.workspace.errors import WorkspaceInUse, WrongPassphrase
from ui.operations import _shown, radcal_workflow
from ui.session import Session
from ui.shell import Shell
from ui.tasks import Tasks
from ui.theme import Theme
from ui.widgets.messages import MessageBar
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"
PATIENCE = 300_000
"""Milliseconds after which what a test waits for is not coming any more."""
QUICK = Settings(bootstrap=50, advice_fits=5)
"""Few draws, so that results are there soon."""

# --- the reports -----------------------------------------------------------------------------------

SAID = {
    "Avery": {
        "edema": {"likely": (87, 41), "may represent": (60, 29), "present": (40, 33), "unlikely": (25, 2)},
        "infection": {
            "likely": (30, 22),
            "consistent with": (18, 16),
            "possibly": (41, 15),
            "may represent": (33, 17),
            "absent": (120, 6),
            "present": (22, 20),
        },
        "fracture": {"possibly": (9, 3), "present": (5, 5)},
    },
    "Brooks": {"edema": {"likely": (50, 41), "possibly": (44, 17), "present": (61, 58)}},
}
"""How often each radiologist used each phrase in an X-ray report, and how often the CT report confirmed it."""
WORDED = {
    "likely": "Mild interstitial prominence, likely {}, slightly more than before.",
    "may represent": "Findings may represent {}.",
    "present": "There is {}.",
    "unlikely": "Unlikely {}.",
    "consistent with": "Findings consistent with {}.",
    "possibly": "Possible {}.",
    "absent": "No {}.",
}
TERMS = {"edema": "edema", "infection": "pneumonia", "fracture": "rib fracture"}
COLUMNS = ("Accession", "MRN", "Exam Description", "Modality", "Exam Time", "Report Text", "Signing Radiologist")
STRANGE = {
    "presumbly": ("Presumbly atelectasis at the left base.", 12),
    "odds are": ("Odds are this is atelectasis.", 3),
}
"""Words of no list, the sentence that each stands in, and how often."""
NEITHER = "Heart size is normal."
ILLEGIBLE = "Illegible."
"""A report that the engine fails on while the department is prepared."""


def _reports(author: str) -> Iterator[tuple[str, str]]:
    """The X-ray and CT reports of each of a radiologist's pairs: one sentence on each topic."""
    topics = [
        [
            (WORDED[phrase].format(term), f"Smooth septal thickening, {term} is present." if i < y else f"No {term}.")
            for phrase, (n, y) in said.items()
            for i in range(n)
        ]
        for topic, said in SAID[author].items()
        for term in [TERMS[topic]]
    ]
    for statements in zip_longest(*topics, fillvalue=("", "")):
        xray, ct = (" ".join(filter(None, parts)) for parts in zip(*statements, strict=True))
        yield xray, ct


def _pairs() -> Iterator[tuple[str, str, str]]:
    """Author, X-ray and CT report of every pair.

    Beside the statements of SAID: 12 edemas of which Avery's X-ray reports say nothing, 4 that the CT reports say
    nothing of, and a pair that the engine fails on.
    """
    for i, (xray, ct) in enumerate(_reports("Avery")):
        yield "Avery", xray, f"{ct} There is edema." if 220 <= i < 232 else ct
    strange = [words for words, (sentence, n) in STRANGE.items() for _ in range(n)]
    for (xray, ct), words in zip_longest(_reports("Brooks"), strange, fillvalue=""):
        yield "Brooks", f"{xray} {STRANGE[words][0]}" if words else xray, ct
    yield from [("Avery", WORDED["likely"].format("edema"), NEITHER)] * 4
    yield "Avery", ILLEGIBLE, ILLEGIBLE


def _rows(pairs: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, ...]]:
    """A report table: the pairs, 13 X-ray reports without a CT, and 12 rows without a time."""

    def row(kind: str, n: int, when: datetime, text: str, author: str) -> tuple[str, ...]:
        exam = {"X": ("XR CHEST", "CR"), "C": ("CT CHEST", "CT")}[kind]
        return f"{kind}{n:04}", f"P{n:04}", *exam, f"{when:%d.%m.%Y %H:%M}", text, author

    for n, (author, xray, ct, *at) in enumerate(pairs):
        month, day = (1 + n % 9, 3 + n % 26) if author == "Avery" else (3, 1 + n % 9)
        when = at[0] if at else datetime(2026, month, day, 8, 30)
        yield row("X", n, when, xray, author)
        yield row("C", n, when + timedelta(hours=2), ct, "Casey")
    for n in range(1000, 1013):
        yield row("X", n, datetime(2026, 5, 5, 8, 30), WORDED["likely"].format("edema"), "Avery")
    for n in range(2000, 2012):
        yield (*row("X", n, datetime(2026, 5, 5), "No edema.", "Avery")[:4], "", "No edema.", "Avery")


def _write(path: Path, rows: Iterable[Iterable[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    return path


# --- the prepared department -----------------------------------------------------------------------


EXTRACT = RulesEngine.extract


class Other:
    """Reads as the rules do, in the place of the Llama, but calls every fracture present and overlooks atelectasis."""

    name, version, settings_hash, model = "llama", "9", "other", Path("tiny.gguf")

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for read in make_engine().extract(documents, progress):
            findings = [f for f in read.findings if f.pathology != "atelectasis"]
            changed = (replace(f, phrase=PRESENT) if f.pathology == "fracture" else f for f in findings)
            yield replace(read, findings=tuple(changed))


def _either(name: str = "rules", *rest: Any) -> Any:
    return Other() if name == "llama" else make_engine(name, *rest)


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> type[Other]:
    """An engine that is soon through takes the place of the Llama."""
    monkeypatch.setattr("radcal.workflow.runs.runs.make_engine", _either)
    return Other


def _faulty(engine: RulesEngine, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
    """As the rules read, but what is illegible fails, and the words of STRANGE are in no list."""
    for document in documents:
        if document.text.strip() == ILLEGIBLE:
            yield Extraction(document.report_id, (), "The report took too long.")
            continue
        for read in EXTRACT(engine, [document], progress):
            findings = (
                next((replace(f, phrase=OTHER, verbatim=w) for w in STRANGE if w in f.sentence.lower()), f)
                for f in read.findings
            )
            yield replace(read, findings=tuple(findings))


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules read as they did in the prepared department, where some reports were too much for them."""
    monkeypatch.setattr(RulesEngine, "extract", _faulty)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The rules wait after their fifth report, until this is set or they are stopped."""
    event = threading.Event()

    def held(engine: RulesEngine, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for n, read in enumerate(EXTRACT(engine, documents, progress)):
            while n >= 5 and not event.wait(0.005):
                progress.raise_if_cancelled()
            yield read

    monkeypatch.setattr(RulesEngine, "extract", held)
    return event


@pytest.fixture(autouse=True, scope="session")
def _fast() -> Iterator[None]:
    """Keys are soon derived, and the rules are compiled once: these tests are not about that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "KDF_ITERATIONS", 1000)
        patch.setattr(rules, "rules_engine", lru_cache(rules.rules_engine))
        yield


def _import(path: Path, reports: Path, settings: Settings = QUICK, seed: int = 0) -> None:
    with open_department(path, PASSPHRASE, create=True, settings=settings, pseudonym_seed=seed) as department:
        department.import_files([reports])


@pytest.fixture(scope="session")
def prepare(_fast: None) -> Callable[..., Path]:
    """Makes a workspace with results: ``prepare(path, pairs, settings, seed)``; pairs of author, texts and time."""

    def made(path: Path, pairs: Iterable[tuple[Any, ...]], settings: Settings, seed: int) -> Path:
        _import(path, _write(path.with_suffix(".csv"), _rows(pairs)), settings, seed)
        with open_department(path, PASSPHRASE) as department:
            department.pair()
            department.extract()
            department.analyse()
        return path

    return made


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, _fast: None) -> SimpleNamespace:
    """Workspaces to copy: reports imported, read and analysed as well, and read by a second engine, too."""
    folder = tmp_path_factory.mktemp("prepared")
    march = _write(folder / "march.csv", _rows(_pairs()))
    _import(folder / "imported", march)
    shutil.copy(folder / "imported", folder / "analysed")
    with open_department(folder / "analysed", PASSPHRASE) as department, pytest.MonkeyPatch.context() as patch:
        department.pair()
        patch.setattr(RulesEngine, "extract", _faulty)
        department.extract()
        department.analyse()
        department.backups.back_up()  # so that none is due
        department.backups.check_if_due()
    shutil.copy(folder / "analysed", folder / "twice")
    with open_department(folder / "twice", PASSPHRASE) as department, pytest.MonkeyPatch.context() as patch:
        patch.setattr("radcal.workflow.runs.runs.make_engine", _either)
        department.runs.choose({"engine": "llama"})
        department.extract()
        department.runs.choose({"engine": "rules"})
    names = ("imported", "analysed", "twice")
    return SimpleNamespace(**{name: folder / name for name in names})


@pytest.fixture
def chest(tmp_path: Path, prepared: SimpleNamespace) -> Path:
    """A workspace with results, of this test alone."""
    return Path(shutil.copy(prepared.analysed, tmp_path / "chest.radcal"))


@pytest.fixture
def read_twice(tmp_path: Path, prepared: SimpleNamespace, llama: type[Other]) -> Path:
    """A workspace with results of the rules, whose reports the other engine has read as well."""
    return Path(shutil.copy(prepared.twice, tmp_path / "twice.radcal"))


@pytest.fixture
def march(tmp_path: Path) -> Path:
    """A small report table: 24 pairs, with all that is odd in the prepared department, and 12 rows without a time."""
    pairs = list(_pairs())
    rows = _rows([*pairs[:10], *pairs[264:277], pairs[-1]])
    return _write(tmp_path / "march.csv", rows)


PHRASES = (
    Phrase("absent", 0, 1, 0.0, 0.0),
    Phrase("unlikely", 2.0, 12.0, 0.05, 0.25),
    Phrase("may", 4.0, 4.6, 0.25, 0.75),
    Phrase("possible", 3.2, 5.0, 0.25, 0.50),
    Phrase("likely", 9.0, 2.8, 0.75, 0.90),
    Phrase("consistent with", 12.0, 1.6, 0.80, 0.98),
    Phrase("present", 1, 0, 1.0, 1.0),
)


def make_reliability(author: str, topic: str, said: dict[str, tuple[int, int]], *, min_n: int = 30) -> Reliability:
    """A group whose curve follows from the counts; intervals and luck band are drawn up by hand."""
    rates = []
    for p in PHRASES:
        n, y = said.get(p.name, (0, 0))
        if n:
            half = 0.9 * np.sqrt((y + 0.5) * (n - y + 0.5) / (n + 1) ** 3) * 2
            rate = y / n
            rates.append(
                PhraseRate(
                    p.name, n, y, rate, max(0.0, rate - half), min(1.0, rate + half), p.alpha / (p.alpha + p.beta)
                )
            )
    total = float(sum(r.n for r in rates))
    if total < min_n:
        return Reliability(author, topic, total, tuple(rates), reason="too few")
    bins = bin_phrases(PHRASES)
    n = np.array([said.get(p.name, (0, 0))[0] for p in PHRASES], dtype=float)
    y = np.array([said.get(p.name, (0, 0))[1] for p in PHRASES], dtype=float)
    weight = n @ bins.weight
    with np.errstate(invalid="ignore", divide="ignore"):
        rate_m = np.where(weight > 1e-9, (y @ bins.weight) / weight, np.nan)
        stated = np.where(weight > 1e-9, (n @ bins.moment) / weight, np.nan)
        mean_m = np.where(weight > 1e-9, ((n * bins.mean) @ bins.weight) / weight, np.nan)
    spread = 0.05 + 0.35 / np.sqrt(np.maximum(weight, 1.0))
    curve = Curve(
        low=bins.edges[:-1],
        high=bins.edges[1:],
        rate=rate_m,
        rate_low=np.clip(rate_m - spread / 2.5, 0, 1),
        rate_high=np.clip(rate_m + spread / 2.5, 0, 1),
        density=weight / total,
        stated=stated,
        luck_low=np.clip(mean_m - spread / 3, 0, 1),
        luck_high=np.clip(mean_m + spread / 3, 0, 1),
    )
    ece, star = float(scoring.ece(n, y, bins)), float(scoring.ece_star(n, y, bins))
    return Reliability(
        author,
        topic,
        total,
        tuple(rates),
        curve=curve,
        ece=ece,
        ece_low=ece - 0.04,
        ece_high=ece + 0.05,
        ece_star=star,
        ece_star_low=star - 0.04,
        ece_star_high=star + 0.05,
        brier=0.16,
        brier_low=0.14,
        brier_high=0.19,
        accuracy=0.78,
        accuracy_low=0.73,
        accuracy_high=0.83,
        luck_mean=0.05,
        luck_p95=0.08,
        p_value=0.001,
        luck_star_mean=0.06,
        luck_star_p95=0.09,
        p_value_star=0.002,
    )


def make_advice(r: Reliability) -> Advice:
    """Advice on 'likely', if it was said."""
    likely = next((p for p in r.phrases if p.phrase == "likely"), None)
    if r.curve is None or likely is None:
        return Advice(r.author, r.topic, r.n, "joint", (), (), (), reason=f"{r.n:.0f} findings; advice needs 30.")
    text = (
        f"When you wrote 'likely' for {r.topic}, CT confirmed it in {likely.positives:.0f} of {likely.n:.0f} (47 %,"
        " 37-57 %). Readers take 'likely' as 75-90 %. 'May' would have matched."
    )
    return Advice(
        r.author,
        r.topic,
        r.n,
        "joint",
        ("likely", "may"),
        (Substitution("likely", "may", 0.8, likely.n, 0.93),),
        (Withheld("unlikely", "25 uses, all within its meaning."),),
        recommendations=(Recommendation("likely", "may", 0.8, 0.93, likely, text),),
        matching=("may", "present"),
        summary="\u201clikely\u201d was stronger than CT supported.",
        train=Judgement(106, 0.14, 0.07, 0.17, 0.15),
        test=Judgement(106, 0.15, 0.1, 0.17, 0.16),
    )


_SAID: dict[tuple[str, str], dict[str, tuple[int, int]]] = {
    ("Avery", "edema"): {
        "likely": (87, 41),
        "may": (60, 29),
        "present": (40, 33),
        "unlikely": (25, 2),
    },
    ("Avery", "pneumonia"): {
        "likely": (30, 22),
        "consistent with": (18, 16),
        "possible": (41, 15),
        "may": (33, 17),
        "absent": (120, 6),
        "present": (22, 20),
    },
    ("Avery", "fracture"): {"possible": (9, 3), "present": (5, 5)},
    ("Brooks", "edema"): {"likely": (50, 41), "possible": (44, 17), "present": (61, 58)},
}


PREVIEW = Preview(
    columns=("Acc", "Who", "When", "Words", "Signer"),
    rows=(("1", "P1", "2026-03-04", "Likely edema.", "Ash"), ("2", "P2", "2026-03-05", "No edema.", "Birch")),
    fields=(
        ("accession", "the accession number"),
        ("patient_id", "the patient"),
        ("exam_time", "the examination time"),
        ("text", "the report text"),
        ("signer", "who signed"),
        ("status", "the report status"),
    ),
    mapping={"patient_id": "Who", "accession": "Acc", "exam_time": "When", "text": "Words", "signer": "Signer"},
    needed=(("accession",), ("patient_id",), ("exam_time",), ("text",)),
    needed_of_both=(),
    needed_of_xray=(("signer",),),
)


class FakeExploration:
    """Findings and small questions of one group, answered from memory; contests are remembered."""

    def __init__(self, department: FakeDepartment) -> None:
        self.department = department
        self.contests: dict[tuple[str, str], str] = {}

    def evidence(self, chosen: Any, phrases: Any = ()) -> pd.DataFrame:
        parts = [self.department.evidence(chosen.author, chosen.topic, p) for p in phrases]
        table = pd.concat(parts, ignore_index=True)
        notes = [self.contests.get((i, chosen.topic)) for i in table["xray_id"]]
        return table.assign(contest=pd.Series(notes, dtype=object), entered=True)

    def words_at(self, chosen: Any, certainty: float) -> tuple[WordShare, ...]:
        return (WordShare("likely", 87, 0.7), WordShare("may", 60, 0.3)) if certainty > 0.2 else ()

    def contested(self) -> tuple[Contest, ...]:
        return tuple(Contest(i, t, "Avery", "likely", note, "2026-10-01") for (i, t), note in self.contests.items())

    def contest(self, xray_id: str, topic: str, _author: str, _phrase: str, note: str = "") -> None:
        self.contests[xray_id, topic] = note

    def withdraw(self, xray_id: str, topic: str) -> None:
        self.contests.pop((xray_id, topic), None)

    def warm_up(self, _progress: Progress = SILENT) -> None:
        self.department.read_ahead += 1

    def reliability(self, chosen: Any, _progress: Progress = SILENT) -> Reliability:
        said = _SAID[chosen.author, chosen.topic]
        half = {phrase: (n // 2, y // 2) for phrase, (n, y) in said.items()}
        return make_reliability(chosen.author, chosen.topic, half)

    def reliabilities(self, chosen: Any, progress: Progress = SILENT) -> tuple[Reliability, ...]:
        return tuple(self.reliability(c, progress) for c in chosen)

    def verification(self, chosen: Any, _progress: Progress = SILENT) -> Verification:
        self.department._note("verification")
        rate = VerifiedRate(
            "likely", 100.0, 87.0, 41.0, 13.0, 0.79, 0.92, 0.37, 0.58,
            0.41, 0.54, 0.32, 0.64, 0.75, 0.9, "stronger", spans=False,
        )  # fmt: skip
        return Verification(chosen.author, chosen.topic, 240, 104, 136, (rate,))

    def read_unpaired(self, _progress: Progress = SILENT) -> int:
        self.department._note("read unpaired")
        return 136


class FakeRuns:
    """Two engines over 208 paired reports, answered from memory: the rules have read them, the Llama has not."""

    def __init__(self, department: FakeDepartment) -> None:
        self.department = department
        self.n_reports = 208
        self.read_by = {"rules": 206, "llama": 0}
        self.failed = {"rules": ["xray:17", "ct:18"], "llama": []}
        self.problem = ""
        self.shown: str | None = None
        self.calls: list[Any] = []
        self.breaks: Exception | None = None

    @property
    def engine(self) -> str:
        return self.department.settings.engine

    def status(self) -> EngineStatus:
        if self.department.fail is not None:
            raise self.department.fail
        read, failed = self.read_by[self.engine], len(self.failed[self.engine])
        left = self.n_reports - read - failed if self.n_reports else 0
        run = {"rules": 1, "llama": 2}[self.engine] if read + failed else None
        return EngineStatus(
            *(self.engine, "1.0", "tiny.gguf" if self.engine == "llama" else "", "", self.problem, run),
            *(self.n_reports, read, failed, left, 5 * read, 5 if read else 0, 2 if read else 0, None),
        )

    def choices(self) -> tuple[RunChoice, ...]:
        return tuple(RunChoice(r.run_id, r.engine, r.model, r.begun, r.shown) for r in self.all())

    def all(self) -> tuple[RunSummary, ...]:
        names = [e for e in ("llama", "rules") if self.read_by[e]]
        shown = self.shown or self.engine
        return tuple(
            RunSummary(
                run_id={"rules": 1, "llama": 2}[e],
                engine=e,
                version="1.0",
                settings_hash="abc",
                model="tiny.gguf" if e == "llama" else "",
                begun=datetime(2026, 11, 20, 9, tzinfo=UTC),
                last=datetime(2026, 11, 20, 10, tzinfo=UTC),
                n_reports=self.n_reports,
                n_read=self.read_by[e],
                n_failed=len(self.failed[e]),
                n_findings=5 * self.read_by[e],
                accuracy="F1 0.97 (0.95-0.98) on 45 reports" if e == "rules" else "",
                shown=e == shown,
                chosen=e == self.engine,
            )
            for e in names
        )

    def failures(self) -> tuple[ReportFailure, ...]:
        return tuple(ReportFailure(i, f"Report {i} took too long.") for i in self.failed[self.engine])

    def accuracies(self) -> dict[str, str]:
        return {"rules": "F1 0.97 (0.95-0.98) on 45 reports", "llama": ""}

    def fit(self, values: Any, progress: Progress = SILENT) -> EngineFit:
        self.calls.append(("fit", values["engine"], values["model"]))
        if values["engine"] == "rules":
            return EngineFit("rules")
        if values["model"].endswith("huge.gguf"):
            return EngineFit("llama", "huge.gguf", problem="The model needs about 40.0 GiB of main memory.")
        return EngineFit(
            *("llama", "tiny.gguf", "", "", 9 << 20, 18 << 20, 27 << 20, 54 << 20, 20 << 30),
            reasons=("This build of llama.cpp has no GPU support, so the CPU is used.", "Sentences at a time: 8."),
        )

    def choose(self, values: Any) -> Settings:
        self.department.settings = self.department.settings.changed(**values)
        return self.department.settings

    def retry(self, report_ids: Any = None) -> int:
        again = self.failed[self.engine] if report_ids is None else list(report_ids)
        self.calls.append(("retry", tuple(again)))
        self.failed[self.engine] = [i for i in self.failed[self.engine] if i not in again]
        return len(again)

    def read(self, progress: Progress = SILENT) -> ExtractionSummary:
        self.calls.append(("read", self.engine))
        if self.breaks is not None:
            raise self.breaks
        summary = self.department.extract(progress=progress)
        self.read_by[self.engine] = self.n_reports - len(self.failed[self.engine])
        self.shown = None
        return summary

    def pause(self) -> None:
        self.calls.append("pause")

    def resume(self) -> None:
        self.calls.append("resume")

    def compare(self, before: int, after: int, progress: Progress = SILENT) -> RunComparison:
        differences = (
            Difference(Change.CHANGED, "xray:3", "edema", "may", "likely", "May be edema."),
            Difference(Change.ADDED, "xray:4", "mass", "", "present", "A mass."),
        )
        return RunComparison(before, after, 200, 900, 1, 0, 1, differences)

    def use(self, run_id: int | None) -> None:
        self.calls.append(("use", run_id))
        self.shown = None if run_id is None else {1: "rules", 2: "llama"}[run_id]


class FakeImporting:
    """What was imported into a made-up department: one file, of which nothing is stored."""

    def known(self) -> frozenset[str]:
        return frozenset()

    def reports(self, _progress: Progress = SILENT) -> None:
        return None

    def n_pairs(self) -> int:
        return 104

    def judged(self, _ids: Any) -> int:
        return 0

    def history(self) -> tuple[PastImport, ...]:
        notes = ("Dates are read as day.month.year.",)
        return (PastImport(datetime(2026, 9, 30, 8, tzinfo=UTC), ("march.csv",), 240, 208, 0, 0, 12, notes),)


class FakeGold:
    """No gold set was drawn yet."""

    def current(self) -> None:
        return None

    def readers(self) -> tuple[str, ...]:
        return ()

    def missing(self) -> str:
        return ""


class FakeFindings:
    """The made-up findings one by one, and a workspace that keeps words: what the real comparison works on."""

    def __init__(self, department: FakeDepartment) -> None:
        self.settings, self.phrases = department.settings, department.phrases
        self.kept: dict[str, str] = {}

    def observations(self) -> pd.DataFrame:
        rows = [
            (author, topic, phrase, float(i < positives), pd.Timestamp(2026, 1 + i % 9, 1 + i % 28))
            for (author, topic), said in _SAID.items()
            for phrase, (n, positives) in said.items()
            for i in range(n)
        ]
        return pd.DataFrame(rows, columns=["author", "topic", "phrase", "outcome", "xray_time"])

    def pseudonyms(self) -> dict[str, str]:
        return {author: f"Reader {author[0]}" for author, _ in _SAID}

    def get_meta(self, key: str) -> str | None:
        return self.kept.get(key)

    def set_meta(self, key: str, value: str) -> None:
        self.kept[key] = value


class FakeBackups:
    """Backups and checks of a made-up department; ``fails`` and ``wrong`` are what goes wrong with them."""

    def __init__(self, department: FakeDepartment) -> None:
        self.department = department
        self.calls: list[Any] = []
        self.fails: Exception | None = None
        self.wrong: Checked | None = None

    def back_up(self, _progress: Progress = SILENT) -> Path:
        self.calls.append("back up")
        if self.fails is not None:
            raise self.fails
        return Path("backup.radcal")

    def back_up_if_due(self, progress: Progress = SILENT) -> Path:
        return self.back_up(progress)

    def check_if_due(self, progress: Progress = SILENT) -> Checked | None:
        self.calls.append("check")
        progress.raise_if_cancelled()
        return self.wrong

    def choose(self, *, on: bool, folder: Path | None) -> Copied:
        self.calls.append((on, folder))
        self.department.copies = replace(self.department.copies, on=on, chosen=folder, folder=folder or Path("beside"))
        return self.department.copies


class FakeDepartment:
    """What the window asks a department for, answered from memory."""

    importing = FakeImporting()
    settings = Settings()
    personal = ""

    def __init__(self, title: str = "Chest 2026 Q1", path: Path = Path("chest.radcal")) -> None:
        self.gold = FakeGold()
        self.exports = Exports()
        self.title, self.path = title, path
        self.closed = threading.Event()
        self.threads: set[str] = set()
        self.analysed = True
        self.copies = Copied(None, 0)
        self.read_only = self.stale = False
        self.mappings: list[Any] = []
        self.fail: Exception | None = None
        self.saved: list[tuple[str, Path, str]] = []
        self.hold: threading.Event | None = None
        self.steps: list[str] = []
        self.read_ahead = 0
        self.runs = FakeRuns(self)
        self.backups = FakeBackups(self)
        self.explore = FakeExploration(self)

    def _note(self, step: str) -> None:
        self.steps.append(step)
        self.threads.add(threading.current_thread().name)
        if self.fail is not None:
            raise self.fail

    @property
    def up_to_date(self) -> bool:
        return self.analysed and not self.stale

    def copied(self) -> Copied:
        return self.copies

    def import_files(
        self, reports: Any, xray: Any = (), ct: Any = (), mapping: Any = None, *, progress: Progress = SILENT
    ) -> Import:
        return self.import_reports(as_files(reports, xray, ct, mapping), progress)

    def import_reports(self, files: Sequence[ReportFile], progress: Progress = SILENT) -> Import:
        self._note("import")
        self.mappings += [((file.path,), file.mapping) for file in files]
        self.analysed = False
        return self.read()

    def read(self) -> Import:
        rejected = pd.DataFrame(
            {
                "file": ["march.csv"] * 12,
                "row": [3 * i + 7 for i in range(12)],
                "reason": ["The exam time is missing."] * 12,
                "remedy": ["Fill in the column of exam times, or choose another column."] * 12,
            }
        )
        return Import(pd.DataFrame(), rejected, 240, {}, notes=("Dates are read as day.month.year.",))

    def pair(self, _progress: Progress = SILENT) -> Pairing:
        if "pair" not in self.steps:
            self._note("pair")
        attrition = pd.DataFrame(
            {
                "step": ["was read", "is a chest X-ray or CT", "has a CT within 12 h"],
                "modality": ["both", "both", "xray"],
                "kept": [228, 220, 104],
                "dropped": [12, 8, 6],
                "reason": ["row could not be used", "another examination", "no CT within 12 h"],
            }
        )
        return Pairing(pd.DataFrame({"xray_id": [f"xray:{i}" for i in range(104)]}), attrition)

    def attrition(self) -> pd.DataFrame:
        return self.pair().attrition if "import" in self.steps else pd.DataFrame()

    def rejected(self) -> pd.DataFrame:
        return self.read().rejected if "import" in self.steps else pd.DataFrame()

    def extract(self, *, progress: Progress = SILENT) -> ExtractionSummary:
        self._note("extract")
        progress.start(208, "Extracting findings")
        for i in range(208):
            progress.raise_if_cancelled()
            if self.hold is not None and i == 100:
                while not self.hold.is_set():
                    progress.raise_if_cancelled()
                    time.sleep(0.005)
            progress.advance()
        return ExtractionSummary(208, 206, 2, 900, (("query", 4), ("hard to exclude", 1)))

    def analyse(self, *, progress: Progress = SILENT) -> Analysis:
        self._note("analyse")
        self.analysed = True
        groups = tuple(make_reliability(a, t, said) for (a, t), said in _SAID.items())
        made = Provenance(
            "rules",
            "1",
            "abc",
            "default 1",
            0,
            {},
            datetime(2026, 1, 3),
            datetime(2026, 9, 28),
            104,
            datetime(2026, 10, 1),
        )
        counts = (
            ("Avery", "edema", "not mentioned on X-ray, found on CT", 12),
            ("Brooks", "edema", "not mentioned on X-ray, found on CT", 1),
            ("Avery", "edema", "entered", 212),
        )
        pairs = (
            AuthorPairs("Avery", 80, 1, datetime(2026, 1, 3), datetime(2026, 9, 28)),
            AuthorPairs("Brooks", 24, 0, datetime(2026, 3, 1), datetime(2026, 3, 9)),
        )
        return Analysis(groups, tuple(make_advice(r) for r in groups), counts, made, pairs)

    def analysis(self) -> Analysis | None:
        self._note("analysis")
        return self.analyse() if self.analysed else None

    def evidence(self, author: str, topic: str, phrase: str | None = None) -> pd.DataFrame:
        self._note("evidence")
        n, positives = _SAID[author, topic][phrase or "likely"]
        sentence = f"Mild interstitial prominence, {phrase} {topic}, slightly more than before."
        start = sentence.index(phrase or "likely")
        return pd.DataFrame(
            {
                "author": author,
                "topic": topic,
                "phrase": phrase,
                "reference_phrase": ["present" if i < positives else "absent" for i in range(n)],
                "outcome": [1.0 if i < positives else 0.0 for i in range(n)],
                "xray_id": [f"xray:A{i:04}" for i in range(n)],
                "ct_id": [f"ct:B{i:04}" for i in range(n)],
                "verbatim": phrase,
                "xray_sentence": sentence,
                "xray_cue_start": start,
                "xray_cue_end": start + len(phrase or "likely"),
                "ct_sentence": [
                    f"Smooth septal thickening with small effusions on both sides, in keeping with {topic}."
                    if i < positives
                    else ("" if i % 5 == 0 else f"No {topic}.")
                    for i in range(n)
                ],
                "ct_pathology": topic,
                "xray_time": [pd.Timestamp(2026, 1 + i % 9, 1 + i % 28, 8, 30) for i in range(n)],
            }
        )

    def pseudonyms(self) -> dict[str, str]:
        return {"Avery": "Linden", "Brooks": "Rowan"}

    def phrases(self) -> tuple[Phrase, ...]:
        return PHRASES

    @functools.cached_property
    def compare(self) -> Comparison:
        findings = FakeFindings(self)
        return Comparison(findings, findings)  # type: ignore[arg-type]  # what it asks of the two

    def save_settings(self, settings: Settings) -> None:
        self._note("settings")
        self.settings = settings

    def write_feedback(
        self,
        author: str,
        out: Path,
        *,
        days: Days = ALL_DAYS,
        sheet: Sheet = USUAL_SHEET,
        progress: Progress = SILENT,
    ) -> Path:
        self._note("feedback")
        out.write_bytes(b"%PDF-1.7 made up")
        self.saved.append((author, out, sheet.paper))
        return out

    def close(self) -> None:
        self.threads.add(threading.current_thread().name)
        self.closed.set()


class FakeWorkflow:
    """The entry points of radcal.workflow over made-up departments."""

    def __init__(self) -> None:
        self.departments: list[FakeDepartment] = []
        self.prepare: Callable[[FakeDepartment], None] = lambda _department: None
        self.hold: threading.Event | None = None
        self.in_use = self.unreadable = False
        self.unrecognised = 0
        self.backups: list[Backup] = []
        self.looked_for: tuple[Path, tuple[Path, ...]] | None = None
        self.unrestorable: Exception | None = None

    def _make(self, title: str, path: Path) -> FakeDepartment:
        department = FakeDepartment(title, path)
        self.departments.append(department)
        self.prepare(department)
        return department

    def open_department(
        self, path: Path, passphrase: str, *, create: bool = False, read_only: bool = False
    ) -> FakeDepartment:
        if not create and passphrase != PASSPHRASE:
            raise WrongPassphrase(
                f"The passphrase does not open {path.name}. Check capitals and the keyboard, and try again."
            )
        if self.in_use and not read_only:
            raise WorkspaceInUse(path, None)
        department = self._make(path.stem, path)
        department.analysed = department.analysed and not create
        department.read_only = read_only
        return department

    def backups_of(self, path: Path, folders: Sequence[Path] = ()) -> list[Backup]:
        self.looked_for = (path, tuple(folders))
        return list(self.backups)

    def look_into(self, backup: Path, passphrase: str, _progress: Progress = SILENT) -> Contents:
        if passphrase != PASSPHRASE:
            raise WrongPassphrase(f"The passphrase does not fit {backup.name}.")
        return Contents(208, 152, datetime(2026, 11, 20, 8, tzinfo=UTC), "chest")

    def restore(self, backup: Path, path: Path, passphrase: str, progress: Progress = SILENT) -> Restored:
        held = self.look_into(backup, passphrase, progress)
        if self.unrestorable is not None:
            raise self.unrestorable
        return Restored(path.with_name("chest.before-restore.radcal"), held, replace(held, decisions=160))

    def preview_file(self, path: Path, *, progress: Progress = SILENT) -> Preview:
        if self.unreadable:
            raise InputError(f"{path.name} is damaged. Export it again.")
        return replace(PREVIEW, mapping=dict(list(PREVIEW.mapping.items())[self.unrecognised :]))

    def sample_department(self, progress: Progress = SILENT) -> FakeDepartment:
        if self.hold is not None:
            progress.start(10, "Extracting findings")
            while not self.hold.is_set():
                progress.raise_if_cancelled()
                time.sleep(0.005)
        return self._make("Sample department", Path("sample.radcal"))


# --- windows, shells, what they show ---------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What Qt itself remembers, of file dialogs for one, is neither read nor written where this user has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path) -> None:
    """What the window remembers between runs is remembered for the test alone."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    QLocale.setDefault(QLocale("en_US"))


class PatientBot(QtBot):
    """Waits for what must come until it is there, however slow or busy the machine is.

    A test says what happens, and in which order; how long it takes is for the benchmarks.
    """

    waitUntil = functools.partialmethod(QtBot.waitUntil, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name
    waitSignal = functools.partialmethod(QtBot.waitSignal, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name
    waitExposed = functools.partialmethod(QtBot.waitExposed, timeout=PATIENCE)  # noqa: N815 - pytest-qt's name


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


@pytest.fixture
def open_window(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Shows windows, with a workspace open if one is named; each is closed at the end of the test."""
    made: list[tuple[MainWindow, list[bool]]] = []
    theme = Theme(qapp)

    def show(path: Any = None) -> MainWindow:
        window = MainWindow((lambda: path) if isinstance(path, FakeWorkflow) else radcal_workflow, theme)
        gone: list[bool] = []
        window.destroyed.connect(lambda: gone.append(True))
        made.append((window, gone))
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        if isinstance(path, Path):
            window.entrance.open_workspace(path, PASSPHRASE)
            qtbot.waitUntil(lambda: window.session.current is not None)
        return window

    yield show
    for window, gone in made:
        if not gone:
            window.finish()
            qtbot.waitUntil(lambda gone=gone: bool(gone))
    theme.deleteLater()


@pytest.fixture
def make_shell(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., Shell]]:
    """Makes shells without a window, over a workspace if one is named; ended with their worker after the test."""
    made: list[Shell] = []
    Theme(qapp).deleteLater()
    gc.disable()  # as in the window: a widget that is collected in the worker takes the program down with it

    def make(path: Any = None, opened: Any = None, *, read_only: bool = False, passphrase: str = PASSPHRASE) -> Shell:
        tasks = Tasks()
        session = Session(tasks, radcal_workflow)
        shell = Shell(tasks, session, MessageBar())
        made.append(shell)
        if path is not None and not isinstance(path, Path):
            session.current = opened if opened is not None else _shown(path, path.analysis)
        elif path is not None:
            session.open_workspace(path, passphrase, lambda failure: pytest.fail(failure.text), read_only=read_only)
            qtbot.waitUntil(lambda: session.current is not None)
        return shell

    yield make
    for shell in made:
        over: list[bool] = []
        if isinstance(getattr(shell.session.current, "department", None), Department):
            shell.session.close(partial(over.append, True))
        else:
            shell.tasks.shut_down(None, partial(over.append, True))
        qtbot.waitUntil(lambda over=over: bool(over))
        shell.messages.deleteLater()
        shell.session.deleteLater()
        shell.tasks.deleteLater()
        shell.deleteLater()
    gc.collect()
    gc.enable()


@pytest.fixture
def shell(make_shell: Callable[..., Shell], chest: Path) -> Shell:
    """A shell over the prepared department."""
    return make_shell(chest)


@pytest.fixture
def department(shell: Shell) -> Department:
    """The prepared department, open in the shell."""
    assert shell.opened is not None
    return shell.opened.department


def _texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


@pytest.fixture(scope="session")
def texts() -> Callable[[QWidget], str]:
    """What stands on a widget: the texts of its labels that can be seen."""
    return _texts


@pytest.fixture(name="workflow")
def workflow_fixture() -> FakeWorkflow:
    return FakeWorkflow()
