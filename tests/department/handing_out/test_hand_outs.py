"""Cards and macros of a real department: what goes in, who may have it, and what is told of it afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from radcal.advice.records import Advice
from radcal.cli.run import write_results
from radcal.department import Department, Results
from radcal.feedback.batch import NOTHING_ADVISED
from radcal.feedback.dictation_macros import _languages, dictated
from radcal.feedback.records import PageChoice, Sheet
from radcal.system.errors import DataError, InputError
from radcal.system.progress import SILENT
from radcal.system.selection import Days


@pytest.fixture
def author(analysed: Department) -> str:
    """Somebody to whom other words are advised."""
    return next(a for a in analysed.authors() if analysed.macros.of(a).macros)


def without_advice(department: Department, monkeypatch: pytest.MonkeyPatch) -> None:
    results = department.author_results.analysis

    def none_of(advice: Advice) -> Advice:
        return replace(advice, recommendations=())

    def silent(*args: object, **more: object) -> object:
        found = results(*args, **more)  # type: ignore[arg-type]
        return replace(found, advices=tuple(map(none_of, found.advices)))

    monkeypatch.setattr(department.author_results, "analysis", silent)


def test_macros_are_those_of_the_advice_in_force(analysed: Department, author: str, tmp_path: Path) -> None:
    found = analysed.author_results.analysis(author)
    advised = {(a.topic, r.target) for a in found.advices for r in a.recommendations}
    macros = analysed.macros.write(author, tmp_path / "m.txt")
    assert {(m.topic, m.phrase) for m in macros.macros} == advised
    assert macros.language == "en"
    lines = (tmp_path / "m.txt").read_text("utf-8").splitlines()
    assert lines == [m.text for m in macros.macros]
    replaced = {(a.topic, r.source) for a in found.advices for r in a.recommendations}
    used = {(r.topic, p.phrase) for r in found.reliabilities for p in r.phrases if p.n > 0}
    assert {(topic, phrase) for topic, kept in macros.kept for phrase in kept} == used - replaced


def test_less_sure_advice_makes_none(analysed: Department, author: str, tmp_path: Path) -> None:
    analysed.save_settings(analysed.settings.changed(sure=0.999))
    sure = {
        (a.topic, r.target)
        for a in analysed.author_results.analysis(author).advices
        for r in a.recommendations
        if r.sure >= 0.999
    }
    assert {(m.topic, m.phrase) for m in analysed.macros.of(author).macros} == sure


def test_who_has_no_advice_has_no_file(
    analysed: Department, author: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_advice(analysed, monkeypatch)
    before = len(analysed._workspace.audit())
    with pytest.raises(DataError, match="There are no macros to write"):
        analysed.macros.write(author, tmp_path / "m.txt")
    assert not [*tmp_path.glob("m.txt")]
    assert len(analysed._workspace.audit()) == before
    (written,) = analysed.handing_out.write_all(tmp_path / "x", [author], pages=False, macros=True)
    assert written.files == ()
    assert written.failure == NOTHING_ADVISED
    (written,) = analysed.handing_out.write_all(tmp_path / "x", [author], macros=True)
    assert len(written.files) == 1
    assert written.failure == ""


def test_hand_outs_are_in_the_audit_log(analysed: Department, author: str, tmp_path: Path) -> None:
    to = analysed.pseudonyms()[author]
    for name, write in (("a", partial(analysed.pages.write, card=True)), ("b", analysed.macros.write)):
        (tmp_path / name).mkdir()
        write(author, tmp_path / name / f"{author}.pdf")
    said = analysed._workspace.audit()["what"].tolist()
    assert f"handed out pocket card as PDF to {to}" in said
    assert f"handed out dictation macros to {to}" in said
    assert not [what for what in said if author.split(",")[0] in what]  # file names may have the name
    analysed.pages.write("", tmp_path / "card.pdf", card=True)
    assert "exported department's pocket card as PDF: card.pdf" in analysed._workspace.audit()["what"].tolist()


def test_a_personal_file_offers_its_radiologist_both(
    analysed: Department, personal: Results, author: str, tmp_path: Path
) -> None:
    assert personal.pages.pdf(author, card=True) == analysed.pages.pdf(author, card=True)
    assert personal.macros.of(author) == analysed.macros.of(author)
    personal.pages.write(author, tmp_path / "card.pdf", card=True)
    personal.macros.write(author, tmp_path / "m.txt")
    assert (tmp_path / "m.txt").read_text("utf-8")
    (other,) = [a for a in analysed.authors() if a != author]
    for make in (partial(personal.pages.pdf, card=True), personal.macros.of):
        with pytest.raises(InputError, match="no radiologist"):
            make(other)


def test_a_card_says_the_numbers_of_the_reliability_table(
    analysed: Department, author: str, printed: Callable[[bytes], str]
) -> None:
    (pooled,) = analysed.author_results.analysis(author).pooled
    said = printed(analysed.pages.pdf(author, card=True))
    shown = 0
    for p in pooled.phrases:
        if p.n >= analysed.settings.min_phrase_n and f"'{p.phrase}' = " in said:
            after = said.split(f"'{p.phrase}' = ", 1)[1]
            rate, rest = after.split(" (", 1)
            assert rate in (f"{100 * p.rate:.0f} %", "<1 %", ">99 %")
            assert rest.split(") ")[1].split(" ")[0] in (f"{p.n:.0f}", f"{p.n:.1f}")
            shown += 1
    assert shown >= 4


def test_a_card_leaves_out_what_the_pages_do(
    analysed: Department, author: str, printed: Callable[[bytes], str]
) -> None:
    topic = max(analysed.author_results.analysis(author).reliabilities, key=lambda r: r.n).topic
    analysed.pages.keep_choice(author, PageChoice(without=(topic,)))
    said = printed(analysed.pages.pdf(author, card=True))
    assert "All pathologies" not in said
    assert topic.capitalize() not in said


def test_macros_leave_out_what_the_pages_do(analysed: Department, author: str, tmp_path: Path) -> None:
    every = analysed.macros.of(author).macros
    topic = every[0].topic
    kept = analysed.macros.of(author, choice=PageChoice(without=(topic,)))
    assert kept.macros == tuple(m for m in every if m.topic != topic)
    assert topic not in dict(kept.kept)
    analysed.pages.keep_choice(author, PageChoice(recommendations=False))
    assert analysed.macros.of(author).macros == ()
    with pytest.raises(DataError, match="only what the pages leave out"):
        analysed.macros.write(author, tmp_path / "m.txt")


def test_cards_and_macros_of_some_days(analysed: Department, author: str, printed: Callable[[bytes], str]) -> None:
    exams = analysed.author_results.analysis(author).pairs[0]
    assert exams.first_exam is not None
    first = exams.first_exam.date()
    assert "since" in (said := printed(analysed.pages.pdf(author, card=True, days=Days(first, None)))) or "from" in said
    none = Days(first.replace(year=first.year - 3), first.replace(year=first.year - 2))
    assert "Not enough data" in printed(analysed.pages.pdf(author, card=True, days=none))
    assert analysed.macros.of(author, none).macros == ()


def test_the_department_s_macros_are_its_vocabulary_with_every_pathology(
    analysed: Department, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    with pytest.raises(DataError, match="no vocabulary of its own"):
        analysed.macros.of_department()
    analysed.save_settings(analysed.settings.changed(vocabulary="brigham"))
    macros = analysed.macros.write("", tmp_path / "m.txt")
    found = analysed.analysis()
    assert found is not None
    topics = {r.topic for r in found.reliabilities}
    hedges = {"very unlikely", "unlikely", "may represent", "likely", "most likely", "diagnostic of"}
    assert {(m.topic, m.phrase) for m in macros.macros} == {(t, h) for t in topics for h in hedges}
    assert "exported dictation macros: m.txt" in analysed._workspace.audit()["what"].tolist()
    analysed.save_settings(analysed.settings.changed(allowed_phrases=("likely", "present")))
    assert {m.phrase for m in analysed.macros.of_department().macros} == {"likely"}
    scaled = printed(analysed.pages.pdf(analysed.authors()[0], card=True))
    assert "Brigham" in scaled


GERMAN = "Der Befund ist am ehesten mit einer Pneumonie vereinbar."
SPOKEN = "The finding is most likely due to pneumonia."
FRENCH = "Il existe une opacit\u00e9 probablement en rapport avec une pneumonie."


@pytest.mark.parametrize(
    ("reports", "language"),
    [
        ([[SPOKEN] * 3, [GERMAN] * 4], "de"),  # not that of the first by name
        ([[GERMAN] * 3, [SPOKEN] * 4], "en"),
        ([[GERMAN] * 2, [SPOKEN] * 2], "en"),  # as many
        ([[FRENCH] * 3, [GERMAN] * 3], "en"),
        ([[FRENCH] * 4, [GERMAN] * 3], "en"),  # nothing is dictated in it
        ([[SPOKEN] * 3, [GERMAN, GERMAN, "12 mm.", "12 mm."]], "en"),  # nothing tells
        ([[SPOKEN] * 150, [GERMAN] * 140, [GERMAN] * 20], "de"),  # more than are looked at
        ([[SPOKEN, GERMAN] * 100 + [GERMAN] * 20], "de"),
        ([], "en"),
    ],
)
def test_the_department_s_macros_are_in_the_language_of_most_reports(
    analysed: Department, monkeypatch: pytest.MonkeyPatch, reports: list[list[str]], language: str
) -> None:
    frames = [
        pd.DataFrame({"xray_id": [f"{k}-{i}" for i in range(len(own))], "xray_sentence": own})
        for k, own in enumerate(reports)
    ]
    analysed.save_settings(analysed.settings.changed(allowed_phrases=("likely",)))
    monkeypatch.setattr(analysed.macros._stored, "radiologists_observations", lambda _columns: iter(frames))
    texts = {m.text for m in analysed.macros.of_department().macros}
    topics = {m.topic for m in analysed.macros.of_department().macros}
    assert texts == {dictated("likely", topic, language) for topic in topics}


def test_a_report_counts_once_however_much_was_read_in_it() -> None:
    own = pd.DataFrame({"xray_id": ["a"] * 5 + ["b", "c"], "xray_sentence": [SPOKEN] * 5 + [GERMAN] * 2})
    assert _languages(own) == {"en": 1, "de": 2}


def test_the_observations_of_all_radiologists_are_those_of_each(analysed: Department) -> None:
    stored = analysed.macros._stored
    columns = ("xray_id", "xray_sentence")
    by_author = list(stored.radiologists_observations(columns))
    own = [stored.observations_of(author)[list(columns)] for author in stored.authors()]
    assert [set(map(tuple, f[list(columns)].to_numpy())) for f in by_author] == [
        set(map(tuple, f.to_numpy())) for f in own
    ]


def test_the_command_tells_what_is_kept(
    analysed: Department,
    author: str,
    tmp_path: Path,
    command: Callable[..., Any],
    make: SimpleNamespace,
    monkeypatch: Any,
) -> None:
    monkeypatch.setenv("RADCAL_PASSPHRASE", make.passphrase)
    whose = ("--workspace", analysed.path, "--author", author)
    told = command("report", *whose, "--out", tmp_path / "m.txt")
    macros = analysed.macros.of(author)
    assert [(m["name"], m["text"]) for m in told["macros"]] == [(m.name, m.text) for m in macros.macros]
    for made, macro in zip(told["macros"], macros.macros, strict=True):
        assert made["instead_of"] == list(macro.instead_of)
        assert f"'{macro.phrase}' for {macro.topic}, in place of '{macro.instead_of[0]}'" in told["text"]
    assert told["kept"] == {topic: list(kept) for topic, kept in macros.kept}
    assert json.loads(json.dumps(told)) == told
    assert "Kept for" in told["text"]


@pytest.mark.slow
def test_a_run_writes_them_when_asked(analysed: Department, tmp_path: Path) -> None:
    summary = write_results(analysed, tmp_path / "out", hand_outs=True, sheet=Sheet(language="de"))
    names = {Path(name).name for name in summary["files"]}
    stems = {p.lower() for p in analysed.pseudonyms().values()}
    assert {f"card-{stem}.pdf" for stem in stems} | {"card.pdf"} <= names
    assert {n for n in names if n.startswith("macros-")} == {
        f"macros-{analysed.pseudonyms()[a].lower()}.txt" for a in analysed.authors() if analysed.macros.of(a).macros
    }
    write_results(analysed, tmp_path / "out", progress=SILENT)  # they are not left beside pages of another run
    assert not [*(tmp_path / "out").glob("card-*"), *(tmp_path / "out").glob("macros-*")]


def test_the_language_is_that_of_the_reports(
    analysed: Department, author: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    observations: Callable[..., object] = analysed._stored.observations_of

    def german(name: str) -> object:
        sentence = "Die Verschattung ist am ehesten mit einer Stauung der Lunge und einem Erguss vereinbar."
        return observations(name).assign(xray_sentence=sentence)  # type: ignore[attr-defined]

    monkeypatch.setattr(analysed._stored, "observations_of", german)
    assert analysed.macros.of(author).language == "de"
