"""The radiologists' pages: what goes in is kept, every author's files are written or told of, others stay unnamed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader

from radcal.advice.author_results import AuthorResults
from radcal.calibration.groups import pool_readers
from radcal.calibration.records import Reliability
from radcal.department import Department
from radcal.feedback.batch import STOPPED, Written
from radcal.feedback.records import PageChoice, Sheet
from radcal.opening import open_workspace
from radcal.system import coarse
from radcal.system.errors import Cancelled, DataError, EngineError, InputError
from radcal.system.progress import Silent

Texts = dict[tuple[str, str], list[tuple[float, float]]]


def test_a_choice_is_kept_for_each_author(analysed: Department) -> None:
    first, second = analysed.authors()
    choice = PageChoice(without=("edema",), examples=False, note="Thank you.")
    assert analysed.pages.choice(first) == PageChoice()
    analysed.pages.keep_choice(first, choice)
    assert analysed.pages.choice(first) == choice
    assert analysed.pages.choice(second) == PageChoice()


def test_a_note_has_a_longest_length(analysed: Department) -> None:
    with pytest.raises(InputError, match=r"2,001 characters.*2,000"):
        analysed.pages.keep_choice("x", PageChoice(note="x" * 2001))


def test_kept_choices_are_what_is_printed_everywhere(
    analysed: Department, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    author = analysed.authors()[0]
    analysed.pages.keep_choice(author, PageChoice(note="Seen by QA."))
    assert "Seen by QA." in printed(analysed.pages.pdf(author))
    assert "Seen by QA." in printed(analysed.pages.write(author, tmp_path / "page.pdf").read_bytes())
    assert "Seen by QA." not in printed(analysed.pages.pdf(author, PageChoice()))


def test_files_of_all_are_written_and_told(
    analysed: Department, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    out = tmp_path / "new"
    written = analysed.handing_out.write_all(out, pages=True, personal_files=True)
    assert [w.author for w in written] == list(analysed.authors())
    assert {*out.iterdir()} == {p for w in written for p in w.files}
    assert len({w.passphrase for w in written}) == 2
    for w in written:
        assert w.failure == ""
        pdf, packet = w.files
        assert w.author in printed(pdf.read_bytes())
        with open_workspace(packet, w.passphrase) as personal:
            assert personal.authors() == (w.author,)


def test_pages_replace_and_personal_files_never_do(analysed: Department, tmp_path: Path) -> None:
    author = analysed.authors()[0]
    [first] = analysed.handing_out.write_all(tmp_path / "x", [author], personal_files=True)
    [again] = analysed.handing_out.write_all(tmp_path / "x", [author], personal_files=True)
    assert first.files[0] == again.files[0]
    assert first.files[1] != again.files[1]
    open_workspace(first.files[1], first.passphrase).close()


def test_pages_of_all_are_written_in_the_language_that_is_asked_for(
    analysed: Department, tmp_path: Path, printed: Callable[[bytes], str]
) -> None:
    author = analysed.authors()[0]
    [english] = analysed.handing_out.write_all(tmp_path / "en", [author])
    [german] = analysed.handing_out.write_all(tmp_path / "de", [author], sheet=Sheet(language="de"))
    assert german.files[0].name == english.files[0].name
    assert german.files[0].read_bytes() == analysed.pages.pdf(author, sheet=Sheet(language="de"))
    assert "So lesen Sie das" in printed(german.files[0].read_bytes())
    assert "How to read this" in printed(english.files[0].read_bytes())
    [nothing] = analysed.handing_out.write_all(tmp_path / "fr", [author], sheet=Sheet(language="fr"))
    assert "There is no language 'fr'" in nothing.failure


def test_one_failure_holds_up_nobody_else(
    analysed: Department, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from radcal.feedback import pdf

    first, second = analysed.authors()
    real = pdf.feedback_pdf

    def failing(data: Any, *rest: Any) -> bytes:
        if data.author == first:
            raise EngineError("The page could not be typeset.")
        return real(data, *rest)

    monkeypatch.setattr(pdf, "feedback_pdf", failing)
    written = analysed.handing_out.write_all(tmp_path, personal_files=False)
    assert written[0] == Written(first, failure="The page could not be typeset.")
    assert written[1].author == second
    assert written[1].files[0].exists()


def test_a_folder_that_cannot_be_made_is_told_of_each(analysed: Department, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for kind in ({"personal_files": False}, {"pages": False, "personal_files": True}):
        written = analysed.handing_out.write_all(tmp_path / "file" / "in", **kind)  # type: ignore[arg-type]
        assert all("cannot be written" in w.failure and w.passphrase == "" for w in written)


def test_a_stop_keeps_what_is_written_and_names_the_rest(analysed: Department, tmp_path: Path, onlooker: Any) -> None:
    written = analysed.handing_out.write_all(tmp_path / "x", progress=onlooker(parts=1))
    assert [bool(w.files) for w in written] == [True, False]
    assert "stopped" in written[1].failure


def test_a_stop_between_the_pages_and_the_personal_file_keeps_the_pages(analysed: Department, tmp_path: Path) -> None:
    folder = tmp_path / "out"

    class StopsOnceThereArePages(Silent):
        def raise_if_cancelled(self) -> None:
            if any(folder.glob("*.pdf")):
                raise Cancelled

    written = analysed.handing_out.write_all(folder, personal_files=True, progress=StopsOnceThereArePages())
    assert [(len(w.files), w.passphrase, w.failure) for w in written] == [(1, "", STOPPED), (0, "", STOPPED)]
    assert {*folder.iterdir()} == {*written[0].files}


def test_nothing_wanted_is_no_work(analysed: Department, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Choose pages"):
        analysed.handing_out.write_all(tmp_path, pages=False, personal_files=False)


def test_pages_as_pictures(analysed: Department) -> None:
    pages = analysed.pages
    pdf = pages.pdf(analysed.authors()[0], sheet=Sheet(pages="full"))
    of = pages.pdf_pages(pdf)
    assert len(of) == len(PdfReader(io.BytesIO(pdf)).pages)
    assert (round(of[0].width), round(of[0].height)) == (595, 842)
    assert "Your certainty words" in of[0].text
    [last, first] = pages.images(pdf, (len(of) - 1, 0), 100)
    assert (last.number, first.number) == (len(of) - 1, 0)
    assert first.width == pytest.approx(210 / 25.4 * 100, abs=1)
    pixels = np.frombuffer(first.data, np.uint8).reshape(first.height, first.stride)[:, : 4 * first.width]
    pixels = pixels.reshape(first.height, first.width, 4)
    assert (pixels[:5, :5, :3] == 255).all()  # paper
    assert (pixels[:, :, :3].max(axis=2) < 60).any()  # ink
    drawn = next(k for k, page in enumerate(of) if "certainty as readers take" in page.text)
    [picture] = pages.images(pdf, (drawn,), 100)
    pixels = np.frombuffer(picture.data, np.uint8).reshape(picture.height, picture.stride)[:, : 4 * picture.width]
    pixels = pixels.reshape(picture.height, picture.width, 4)
    orange = (pixels[:, :, 2] > 180) & (pixels[:, :, 0] < 60)  # vermilion: much red, little blue
    assert orange.any()


def test_huge_pictures_are_bounded_and_stopped(analysed: Department, onlooker: Any) -> None:
    from radcal.feedback.pages import MOST_PIXELS

    pdf = analysed.pages.pdf(analysed.authors()[0])
    [image] = analysed.pages.images(pdf, (0,), 4000)
    assert 0.9 * MOST_PIXELS < image.width * image.height < 1.01 * MOST_PIXELS
    with pytest.raises(Cancelled):
        analysed.pages.images(pdf, (0,), 20, onlooker(parts=0))


def test_what_is_no_pdf_is_told_as_such(analysed: Department) -> None:
    with pytest.raises(EngineError, match="could not be read back"):
        analysed.pages.pdf_pages(b"no pdf")


def crowd(analysed: Department, n: int) -> tuple[Texts, list[Reliability]]:
    """What ``n`` readers said who all wrote what the first author wrote, and that author's groups."""
    own = list(analysed.author_results.analysis(analysed.authors()[0]).reliabilities)
    return {(r.topic, p.phrase): [(p.n, p.positives)] * n for r in own for p in r.phrases}, own


def test_others_are_shown_together_from_five_on(analysed: Department) -> None:
    means = {p.phrase: p.mean for r in crowd(analysed, 0)[1] for p in r.phrases}
    for n in (0, 1, 4):
        assert pool_readers(crowd(analysed, n)[0], means, 0.95) == ()
    texts, own = crowd(analysed, 6)
    texts["edema", "never written"] = [(0.0, 0.0)] * 6
    others = {(o.topic, o.rate.phrase): o for o in pool_readers(texts, means, 0.95)}
    assert set(others) == {(r.topic, p.phrase) for r in own for p in r.phrases if p.n >= coarse.FEWEST}
    for (topic, phrase), o in others.items():
        p = next(p for r in own if r.topic == topic for p in r.phrases if p.phrase == phrase)
        assert (o.readers, o.rate.n) == (6, 6 * coarse.band(p.n).middle)
        assert o.rate.rate == coarse.rounded(p.rate, coarse.step(p.n))
        assert o.rate.low <= o.rate.rate <= o.rate.high
        assert o.rate.mean == p.mean


def test_others_are_printed_without_a_name(
    analysed: Department, monkeypatch: pytest.MonkeyPatch, printed: Callable[[bytes], str]
) -> None:
    me = analysed.authors()[0]
    told_by, own = crowd(analysed, 5)
    plain = printed(analysed.pages.pdf(me, PageChoice(comparison=True)))
    assert "Not enough data yet: a word is shown here that you used 5 times" in plain  # there is only one other
    others = pool_readers(told_by, {p.phrase: p.mean for r in own for p in r.phrases}, 0.95)
    monkeypatch.setattr(AuthorResults, "others", lambda *_: others)
    texts = printed(analysed.pages.pdf(me, PageChoice(comparison=True)))
    assert "The same words of all other readers together" in texts
    assert "says nothing about skill" in texts
    assert "Reader 0" not in texts
    assert "Not enough data yet: a word is shown here" not in texts
    assert "all other readers together" not in printed(analysed.pages.pdf(me, PageChoice()))


def test_without_an_analysis_there_are_no_others(filled: Department) -> None:
    assert filled.author_results.others("x") == ()
    with pytest.raises(DataError, match="no analysis"):
        filled.pages.pdf("x")


def test_the_words_that_were_written_add_up_to_the_phrase_and_examples_are_dated(
    analysed: Department, ask: Any
) -> None:
    suggested = 0
    for author in analysed.authors():
        data = analysed.pages.input(author)
        suggested += sum(len(a.recommendations) for a in data.advices)
        for r in data.reliabilities:
            for p in r.phrases:
                own = [w for w in data.wordings if (w.topic, w.phrase) == (r.topic, p.phrase)]
                assert sum(w.n for w in own) == p.n
                assert sum(w.positives for w in own) == pytest.approx(p.positives)
        for e in data.examples:
            found = analysed.groups.evidence(ask(author, e.topic), [e.phrase])
            row = found[found["xray_sentence"] == e.xray_sentence]
            assert e.outcome in set(row["outcome"])
            assert e.day is None
    assert suggested > 0
    analysed.save_settings(analysed.settings.changed(deidentify="off"))
    for author in analysed.authors():
        for e in analysed.pages.input(author).examples:
            found = analysed.groups.evidence(ask(author, e.topic), [e.phrase])
            assert e.day in set(found[found["xray_sentence"] == e.xray_sentence]["xray_time"].dt.date)
