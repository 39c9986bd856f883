"""Three pathologies that a department adds go all the way: import, reading, matching, analysis, pages, lists, PDF."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from radcal.chain import run_chain
from radcal.checking import check_settings
from radcal.department import Department
from radcal.findings.engines import ENGINES
from radcal.findings.own_words import notes_on_own_words, own_words_of, remark_text, what_it_adds
from radcal.reports.importing import as_files
from radcal.system.errors import InputError
from radcal.system.settings import Settings
from radcal.words.confirmations import load_confirmations

THREE = {
    "azygos fissure": "azygos lobe",
    "catheter malposition": "malpositioned catheter",
    "diaphragm elevation": "elevated hemidiaphragm",
}
PAIRS = 36


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    lines = ["pathology\twords\tunless\tnote\tunder", *(f"{name}\t{words}[s]" for name, words in THREE.items())]
    (folder / "pathologies_terms.tsv").write_text("\n".join(lines), encoding="utf-8")
    (folder / "confirmations.csv").write_text(
        "xray,confirmed_by,optional,silent_ct\n"
        "azygos fissure,,,absent\ndiaphragm elevation,atelectasis,opacity,left out\n",
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Pairs whose X-ray suspects one of the three; CT confirms every second, and is silent on every third."""
    rows = [
        "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Dictating Radiologist,Signing Radiologist,Status"
    ]
    for i in range(PAIRS):
        words = list(THREE.values())[i % 3]
        ct = ("There is {}.", "No {}.", "Heart size is normal.")[(i // 3) % 3].format(words)
        at = f"2026-01-{1 + i % 28:02d}"
        rows.append(f'X{i},M{i},CHEST PA,CR,{at} 08:00,"FINDINGS: There may be {words}.",Moor^Ada,Moor^Ada,FINAL')
        rows.append(f'C{i},M{i},CT CHEST,CT,{at} 10:00,"FINDINGS: {ct}",Lund^Bea,Lund^Bea,FINAL')
    path = tmp_path / "reports.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def measured(department: Department, own: Path, reports: Path) -> Department:
    department.save_settings(department.settings.changed(lexicon_dir=str(own)))
    run_chain(department, as_files([reports]))
    return department


def test_new_pathologies_reach_matching_analysis_and_pages(measured: Department) -> None:
    analysis = measured.analysis()
    assert analysis is not None
    n = {r.topic: sum(p.n for p in r.phrases) for r in analysis.reliabilities}
    # A third of the CT reports is silent: absent on the fissure, left out on what has no line or says so.
    assert n == {"azygos fissure": 12, "catheter malposition": 8, "diaphragm elevation": 8}
    observed = measured._workspace.observations()
    assert observed is not None
    silent = observed[(observed["topic"] == "azygos fissure") & (observed["ct_sentence"] == "")]
    assert len(silent) == 4
    assert set(silent["reference_phrase"]) == {"absent"}
    case = measured.cases.case(*observed.iloc[0][["xray_id", "ct_id"]])
    assert observed.iloc[0]["xray_sentence"] in case.xray.text
    (author,) = measured.authors()
    printed = "".join(page.extract_text() for page in PdfReader(BytesIO(measured.pages.pdf(author))).pages)
    for name in THREE:
        assert name in printed.lower()


def test_new_pathologies_are_offered_to_who_annotates(measured: Department) -> None:
    assert set(THREE) < set(measured.gold.pathologies())
    assert measured.gold.synonyms()["azygos fissure"] == ("azygos lobe", "azygos lobes")


def test_new_pathologies_are_read_in_a_draft(measured: Department) -> None:
    (author,) = measured.authors()
    checked = measured.draft_check.read("There may be an azygos lobe.", author)
    assert [w.topic for w in checked.words] == ["azygos fissure"]


def test_what_confirms_a_new_pathology_is_settable(own: Path) -> None:
    settings = Settings(lexicon_dir=str(own))
    by_name = {c.xray: c for c in load_confirmations(settings=settings)}
    assert by_name["diaphragm elevation"].ct == ("diaphragm elevation", "atelectasis")
    assert not by_name["catheter malposition"].silence_is_absent
    assert by_name["azygos fissure"].silence_is_absent
    changed = settings.changed(
        include_other_confirmations=("diaphragm elevation>opacity",), silence_absent=("catheter malposition",)
    )
    check_settings(changed, ())
    by_name = {c.xray: c for c in load_confirmations(settings=changed)}
    assert by_name["diaphragm elevation"].ct[-1] == "opacity"
    assert by_name["catheter malposition"].silence_is_absent
    with pytest.raises(InputError, match="has no pathology 'catheter malposition'"):
        check_settings(changed.changed(lexicon_dir="", include_other_confirmations=()), ())


def test_an_edited_folder_is_read_with_anew(measured: Department, own: Path) -> None:
    first = measured.runs.own()
    assert first is not None
    assert measured.runs.status().n_pending == 0
    terms = own / "pathologies_terms.tsv"
    terms.write_text(f"{terms.read_text('utf-8')}\nazygos fissure\tazygos fold", encoding="utf-8")
    status = measured.runs.status()
    assert (status.run_id, status.n_pending, status.problem) == (None, 2 * PAIRS, "")
    run_chain(measured)
    assert measured.runs.own() not in (None, first)


def test_a_folder_that_moved_is_told_with_its_remedy(measured: Department, own: Path) -> None:
    before = measured.analysis()
    own.rename(own.with_name("elsewhere"))
    status = measured.runs.status()
    assert "own vocabulary is not there" in status.problem
    assert "choose it where it is now" in status.problem
    assert measured.analysis() == before, "results stay"
    assert measured.runs.all()[0].n_read == 2 * PAIRS
    assert set(measured.runs.accuracies().values()) == {""}
    assert notes_on_own_words(measured.settings) == []
    (author,) = measured.authors()
    assert measured.draft_check.read("There may be an azygos lobe.", author).words == ()
    with pytest.raises(InputError, match="choose it where it is now"):
        run_chain(measured)
    measured.save_settings(measured.settings.changed(lexicon_dir=str(own.with_name("elsewhere"))))
    assert measured.runs.status().n_pending == 0, "what was read counts where the words are the same"


def test_a_folder_without_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder of words"):
        check_settings(Settings(lexicon_dir=str(tmp_path)), ())


def test_what_a_folder_adds_in_words(own: Path) -> None:
    settings = Settings(lexicon_dir=str(own))
    words = own_words_of(settings)
    assert words is not None
    assert what_it_adds(words) == "Adds 3 new pathologies, 3 lines of terms, 2 confirmations; no warnings."
    assert notes_on_own_words(settings) == []
    assert own_words_of(Settings()) is None
    assert notes_on_own_words(Settings()) == []
    with (own / "pathologies_terms.tsv").open("a", encoding="utf-8") as file:
        file.write("\nedema\tedema" * 12)
    words = own_words_of(settings)
    assert words is not None
    assert what_it_adds(words).endswith("; 12 warnings.")
    assert remark_text(words.remarks[0]).startswith("pathologies_terms.tsv, line 5: ")
    assert len(notes_on_own_words(settings)) == 11
    assert notes_on_own_words(settings)[-1].endswith("lists all 12 warnings.")
    (own / "pathologies_terms.tsv").unlink()
    (own / "confirmations.csv").write_text("xray,confirmed_by,silent_ct\nsnow,,absent\n", encoding="utf-8")
    words = own_words_of(settings)
    assert words is not None
    assert what_it_adds(words) == "Adds nothing; one warning."


def test_the_accuracy_of_the_shipped_words_is_not_that_of_others(
    opened: Callable[[str], Department], own: Path
) -> None:
    plain, other = opened("plain"), opened("other")
    other.save_settings(other.settings.changed(lexicon_dir=str(own)))
    assert other.runs.accuracies() == dict.fromkeys(ENGINES, "")
    assert other.runs.fit().accuracy == ""
    assert plain.runs.fit().problem == ""
