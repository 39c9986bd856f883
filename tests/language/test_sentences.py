"""Sentences of other parts of RadCal in German: recognised, with the same numbers, names as they stand in reports."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radcal
from radcal.advise import wording
from radcal.errors import RadcalError
from radcal.language import language, translated
from radcal.records import Phrase, PhraseRate
from radcal.workflow.handing_out.feedback_input import TOLD, UNREAD

GERMAN = language("de")
_NAMES = ("absent", "present", "likely", "may represent", "cannot exclude", "consistent with")
_ENGLISH = re.compile(
    r"\b(?:the|of|for|were|matched|advice|needs|word|words|readers|confirmed|showed|about|supported)\b"
)
_FEW = settings(deadline=None, max_examples=60)

_names = st.sampled_from(_NAMES)
_topics = st.sampled_from(("edema", "pleural effusion", "enlarged heart"))
_shares = st.floats(0, 1)


def german(text: str) -> str:
    return translated(text, GERMAN)


@st.composite
def _rates(draw: st.DrawFn) -> PhraseRate:
    n = draw(st.integers(1, 3000))
    positives = draw(st.one_of(st.integers(0, n).map(float), st.floats(0, n)))
    low, high = sorted((draw(_shares), draw(_shares)))
    return PhraseRate(draw(_names), n, positives, positives / n, low, high, draw(_shares))


@st.composite
def _phrases(draw: st.DrawFn) -> Phrase:
    low, high = sorted((draw(_shares), draw(_shares)))
    return Phrase(draw(_names), 2.0, 2.0, low, high)


def _numbers(text: str) -> list[str]:
    """The numbers of a text in either way of writing them, in any order."""
    return sorted(re.sub(r"[.,]", "", number) for number in re.findall(r"\d[\d.,]*\d|\d", text))


def _check(text: str) -> None:
    told = german(text)
    assert told != text
    unquoted = re.sub(r"'[^']*'", "", told)
    assert _ENGLISH.search(unquoted) is None, told
    assert _numbers(told) == _numbers(text)
    assert set(re.findall(r"'([^']*)'", told.lower())) == set(re.findall(r"'([^']*)'", text.lower()))
    assert "{" not in told


@_FEW
@given(
    _rates(),
    _phrases(),
    st.lists(st.tuples(_phrases(), st.floats(0.05, 1)), min_size=1, max_size=2),
    _topics,
    st.booleans(),
)
def test_recommendations(
    rate: PhraseRate, source: Phrase, targets: list[tuple[Phrase, float]], topic: str, fits: bool
) -> None:
    _check(wording.recommendation(rate, source, targets, topic, fits))


@_FEW
@given(_rates(), _topics)
def test_words_that_matched(rate: PhraseRate, topic: str) -> None:
    _check(wording.matched(rate, topic))


@_FEW
@given(_topics, st.lists(_rates(), min_size=1, max_size=9), st.lists(_names, max_size=4))
def test_summaries(topic: str, recommended: list[PhraseRate], matching: list[str]) -> None:
    _check(wording.summary(topic, recommended, matching, ""))


@_FEW
@given(st.integers(0, 20_000), st.integers(1, 500), st.integers(1, 9), _shares, _shares)
def test_reasons_of_no_advice(n: int, needed: int, words: int, before: float, after: float) -> None:
    _check(wording.too_few_uses(n, needed))
    _check(wording.too_few_findings(n, needed))
    _check(wording.rarely_used(needed))
    _check(wording.all_matched(words))
    _check(wording.no_gain(before, after))
    _check(wording.no_better_word())


def test_a_recommendation_reads_as_it_should() -> None:
    text = (
        "When you wrote 'likely' for edema, CT confirmed it in 41 of 1,087 (47 %, 37-57 %). "
        "Readers take 'likely' as 75-90 %. 'May represent' would have matched."
    )
    assert german(text) == (
        "Zu edema schrieben Sie 'likely'; die CT best\u00e4tigte es in 41 von 1.087 (47 %, 37-57 %). "
        "Verstanden wird 'likely' als 75-90 %. 'May represent' h\u00e4tte gepasst."
    )


def test_what_the_pages_count_is_translated() -> None:
    assert [text for text in (*TOLD.values(), UNREAD) if german(text) == text] == []


def test_decimals_are_written_as_in_german_or_as_asked_for() -> None:
    text = wording.no_gain(0.123, 0.2)
    assert "0,123 ohne sie, 0,200 mit ihr" in german(text)
    assert "0.123 ohne sie" in translated(text, GERMAN, _plain)


def _plain(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def test_a_title_ends_no_sentence() -> None:
    assert german("Dr. A. Avery has no statement about edema that a CT decided on.") == (
        "Dr. A. Avery hat keine Aussage zu edema, \u00fcber die eine CT entschied."
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Something unheard of.",
        "Something unheard of. Try again.",
        "rate {n}",
        "Try again. {",
        "Lunge",
        "A. B. C. " * 40,
        "Try again. Try again. And again?",
    ],
)
def test_what_is_not_recognised_stays(text: str) -> None:
    assert german(text) == text


def test_nothing_changes_in_english() -> None:
    text = wording.all_matched(3)
    assert translated(text, language("en")) == text


def test_notes_of_an_import_keep_names_and_numbers() -> None:
    text = "Left out because they do not show the chest: XR ABDOMEN (1,007), CT HEAD (1) and 3 more."
    assert german(text) == (
        "Ausgelassen, weil sie nicht den Thorax zeigen: XR ABDOMEN (1,007), CT HEAD (1) und 3 weitere."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The phrase is empty.", "Die Formulierung ist leer."),
        ("The passphrase is empty.", "Die Passphrase ist leer."),
        ("march.csv is empty.", "march.csv ist leer."),
        (
            "Sheet 2 of march.xlsx is too large: it spans more than 32,000,000 cells, empty ones included. Delete the "
            "empty rows and columns between its cells, or export the reports as CSV.",
            "Blatt 2 von march.xlsx ist zu gro\u00df: Es umfasst mehr als 32.000.000 Zellen, die leeren "
            "mitgez\u00e4hlt. L\u00f6schen Sie die leeren Zeilen und Spalten zwischen seinen Zellen, oder exportieren "
            "Sie die Berichte als CSV.",
        ),
        ("'maybe' stands for 'likely' and for 'unlikely'.", "'maybe' steht f\u00fcr 'likely' und f\u00fcr 'unlikely'."),
        ("march.csv cannot be read: Permission denied.", "march.csv kann nicht gelesen werden: keine Berechtigung."),
        (
            "march.csv has no column for the patient or the exam (looked for: MRN, exam). Its columns are: A, B. "
            "Say which one it is with --map patient_id=COLUMN, or export the reports with it.",
            "march.csv hat keine Spalte f\u00fcr die Patientennummer oder die Untersuchung (gesucht: MRN, exam). "
            "Ihre Spalten sind: A, B. Ordnen Sie sie zu (an der Befehlszeile --map patient_id=SPALTE), oder "
            "exportieren Sie die Berichte mit ihr.",
        ),
        (
            "w.radcal is open in another RadCal (ann on ws1 since 2026-01-02 10:30, process 12). Close it there, or "
            "open it here for reading only.",
            "w.radcal ist in einem anderen RadCal ge\u00f6ffnet (ann an ws1 seit 2026-01-02 10:30, Prozess 12). "
            "Schlie\u00dfen Sie die Datei dort, oder \u00f6ffnen Sie sie hier nur zum Lesen.",
        ),
        (
            "w.radcal is damaged: part of it cannot be read. Open a backup of it, or read the report files into a new "
            "workspace; a check of the workspace tells which of its parts can still be read.",
            "w.radcal ist besch\u00e4digt: Ein Teil kann nicht gelesen werden. \u00d6ffnen Sie eine Sicherung, oder "
            "lesen Sie die Berichtsdateien in einen neuen Arbeitsbereich ein; eine Pr\u00fcfung des Arbeitsbereichs "
            "sagt, welche seiner Teile noch zu lesen sind.",
        ),
        (
            "w.radcal was written by a newer RadCal (2.0) and has schema 9; this is RadCal 0.1.0, which knows schemas "
            "up to 2. Install RadCal 2.0 or later to open it.",
            "w.radcal stammt von einem neueren RadCal (2.0) und hat Schema 9; dies ist RadCal 0.1.0, das Schemata bis "
            "2 kennt. Installieren Sie RadCal 2.0 oder neuer, um die Datei zu \u00f6ffnen.",
        ),
        (
            "phrases.csv, line 3: alpha is not a number. Write it as 0.25.",
            "phrases.csv, Zeile 3: alpha ist keine Zahl. Schreiben Sie sie als 0.25.",
        ),
        (
            "The Llama process could not load small.gguf: it ended. Check the file with its SHA-256, or choose another "
            "model.",
            "Der Llama-Prozess konnte small.gguf nicht laden: it ended. Pr\u00fcfen Sie die Datei anhand ihres "
            "SHA-256, oder w\u00e4hlen Sie ein anderes Modell.",
        ),
        (
            "/models/x.gguf is a web page or text, not a model: the download failed. Choose a Llama model in the GGUF "
            "format.",
            "/models/x.gguf ist eine Webseite oder Text, kein Modell: Das Herunterladen ist gescheitert. "
            "W\u00e4hlen Sie ein Llama-Modell im GGUF-Format.",
        ),
    ],
)
def test_messages_read_as_they_should(text: str, told: str) -> None:
    assert german(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "The copy of w.radcal could not be read back: pages are damaged. Check the disk it is on.",
        "The copy of w.radcal could not be read back: tables are not well formed. Check the disk it is on.",
        "The copy of w.radcal could not be read back: entries are missing. Check the disk it is on.",
        "There is no file /a/w.radcal. Check the name, or make a new workspace.",
        "There is no file /a/w.radcal. Check the name; `radcal restore` puts a backup in its place.",
        "There is no file /a/w.radcal. Check the name of the backup.",
    ],
)
def test_what_is_told_of_files_that_are_missing_or_cannot_be_read_back(text: str) -> None:
    told = german(text)
    assert "w.radcal" in told
    assert "Prüfen Sie" in told
    assert not re.search(r"\b(?:There|could|Check|are|the)\b", told)


_INTERNAL = frozenset(
    f"{module}.py"
    for module in (
        "advise/halves",
        "advise/transport",
        "calibrate/matching",
        "calibrate/reliability",
        "calibrate/verification",
        "gold/agreement",
        "gold/evaluation",
        "sample/department",
        "workspace/extractions",
        "workspace/frames",
        "workspace/reports",
        "workspace/results",
        "workspace/tables",
    )
)
"""Modules some of whose messages are of a caller's mistakes, which only a developer can see."""


_COMPOSED = (
    "12: 12 12. The file",
    "12 12 Choose a Llama",
    "llama.cpp could not 12",
    "The Llama process could not 12",
    "12 is damaged",
    "The passphrase fits, but",
    "12 was written by a newer RadCal12",
    "Give either FINDINGS.csv",
    "No row of 12 can be used. The first of 12",
    "12 The attrition is in 12",
    "12 was imported before and is read in another way now.",
    "The copy of 12 could not be read back: 12.",
    "There is no file 12. 12",
)
"""Put together of parts that are sentences themselves, and tested above; and one of the command line alone."""


def _kinds() -> set[str]:
    """The names of all errors that RadCal raises on purpose."""
    for module in pkgutil.walk_packages([str(_ROOT)], "radcal."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found, todo = {"RadcalError"}, [RadcalError]
    while todo:
        for kind in todo.pop().__subclasses__():
            found.add(kind.__name__)
            todo.append(kind)
    return found - {"Cancelled"}


_ROOT = Path(radcal.__file__).parent


def _example(value: ast.expr) -> str:
    """What a message says, with 12 in each placeholder; '' where it is not written out in place."""
    if isinstance(value, ast.Constant):
        return str(value.value)
    if not isinstance(value, ast.JoinedStr):
        return ""
    told = []
    for part in value.values:
        if isinstance(part, ast.Constant):
            told.append(str(part.value))
        elif isinstance(part, ast.FormattedValue) and ast.unparse(part.value).startswith("where("):
            told.append("12, line 12: ")
        else:
            told.append("'12'" if isinstance(part, ast.FormattedValue) and part.conversion == ord("r") else "12")
    return "".join(told)


def _messages() -> Iterator[tuple[str, str]]:
    kinds = _kinds()
    for path in sorted(_ROOT.rglob("*.py")):
        name = path.relative_to(_ROOT).as_posix()
        if name.startswith("cli/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds and node.args:
                yield name, _example(node.args[0])


def test_every_message_that_can_reach_the_window_is_translated() -> None:
    told = [(name, text) for name, text in _messages() if text and not text.startswith(_COMPOSED)]
    assert len(told) > 250
    english = [(name, text) for name, text in told if german(text) == text]
    assert [message for message in english if message[0] not in _INTERNAL] == [], "add these to resources/languages"
    assert len(english) < 35
