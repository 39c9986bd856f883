"""The sample department: reproducible, in keeping with its hidden truth, and with something to find."""

import math
import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from radcal.sample._cases import Drawer
from radcal.sample._text import Line, Statement, Writer, mistype
from radcal.sample._words import CT_TOPICS, DIFFERENTIALS, FRAMES, RADIOLOGISTS, READERS, TOPICS, WRITTEN, Radiologist
from radcal.sample._xray import other_version, otherwise, write_xray
from radcal.sample.department import SampleTruth, generate
from radcal.system.errors import Cancelled, DataError
from radcal.system.resources import resource
from radcal.words.confirmations import load_confirmations
from radcal.words.phrases import load_lexicon
from radcal.words.records import ABSENT, PRESENT

Rows = list[dict[str, str]]
Counts = dict[tuple[str, str, str], list[bool]]
HEDGES = FRAMES.keys() - {PRESENT}


def dice(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a sample holds no secret


@pytest.fixture(scope="module")
def department(tmp_path_factory: pytest.TempPathFactory) -> SampleTruth:
    return generate(tmp_path_factory.mktemp("department"), seed=0)


@pytest.fixture(scope="module")
def truth(department: SampleTruth, table: SimpleNamespace) -> Rows:
    return table.read(department.truth)


@pytest.fixture(scope="module")
def exams(department: SampleTruth, table: SimpleNamespace) -> dict[str, dict[str, str]]:
    """Accession to the row that counts: of several versions, the addendum, else the final one."""
    rank = {"Preliminary": 0, "Final": 1, "Addendum": 2}
    best: dict[str, dict[str, str]] = {}
    for row in (*table.read(department.xray), *table.read(department.ct)):
        known = best.get(row["Accession"])
        if known is None or rank[row["Status"]] > rank[known["Status"]]:
            best[row["Accession"]] = row
    return best


def test_the_shipped_sample_is_what_the_generator_writes(tmp_path: Path) -> None:
    written = generate(tmp_path, 260, radiologists=3)
    for path in (written.xray, written.ct):
        assert resource("sample", path.name).read_bytes() == path.read_bytes()
    assert sum(f.stat().st_size for f in resource("sample").iterdir()) < 400_000


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    one, again, other = (generate(tmp_path / name, 50, seed) for name, seed in (("a", 7), ("b", 7), ("c", 8)))
    for name in ("xray", "ct", "truth"):
        assert getattr(one, name).read_bytes() == getattr(again, name).read_bytes()
        assert getattr(one, name).read_bytes() != getattr(other, name).read_bytes()


def test_a_department_has_2662_pairs_by_12_radiologists(department: SampleTruth, truth: Rows) -> None:
    pairs = {(r["xray_accession"], r["ct_accession"], r["author"]) for r in truth}
    assert len(pairs) == department.pairs == 2662
    by_author = Counter(author for *_, author in pairs)
    assert len(by_author) == 12
    assert min(by_author.values()) >= 221


def test_true_pairs_are_one_patient_within_the_window_and_signed_by_their_author(
    truth: Rows, exams: dict[str, dict[str, str]]
) -> None:
    for r in truth:
        xray, ct = exams[r["xray_accession"]], exams[r["ct_accession"]]
        gap = datetime.fromisoformat(ct["Exam Time"]) - datetime.fromisoformat(xray["Exam Time"])
        assert timedelta(0) < gap <= timedelta(hours=12)
        assert xray["MRN"] == ct["MRN"] == r["patient_id"]
        assert xray["Signing Radiologist"] == r["author"] != ct["Signing Radiologist"]
        assert (xray["Modality"], ct["Modality"]) == ("CR", "CT")


def test_the_ct_of_a_true_pair_is_the_nearest_chest_ct(truth: Rows, exams: dict[str, dict[str, str]]) -> None:
    cts: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for accession, row in exams.items():
        if row["Modality"] == "CT" and "CHEST" in row["Exam Description"]:
            cts[row["MRN"]].append((datetime.fromisoformat(row["Exam Time"]), accession))
    for xray, ct in {(r["xray_accession"], r["ct_accession"]) for r in truth}:
        when = datetime.fromisoformat(exams[xray]["Exam Time"])
        after = sorted((t, a) for t, a in cts[exams[xray]["MRN"]] if t >= when)
        assert after[0][1] == ct


def test_every_true_statement_stands_in_its_report(truth: Rows, exams: dict[str, dict[str, str]]) -> None:
    for r in truth:
        assert r["sentence"] in exams[r["xray_accession"]]["Report Text"]
        assert r["ct_sentence"] in exams[r["ct_accession"]]["Report Text"]
        assert r["cue"] in r["sentence"]
        assert bool(r["phrase"]) == bool(r["sentence"])
        assert bool(r["ct_phrase"]) == bool(r["ct_sentence"])
        assert r["phrase"] or r["ct_phrase"]


def test_certainty_words_belong_to_their_phrase(truth: Rows) -> None:
    lexicon = load_lexicon()
    joining = {"versus": "possibly"}
    organs = {"normal": ABSENT, "clear": ABSENT}
    for r in truth:
        if not r["cue"]:
            assert r["phrase"] in (PRESENT, "")
            continue
        cue = r["cue"].lower()
        found = lexicon.find(cue)
        name = joining.get(cue) or organs.get(cue) or (found.name if found else "")
        assert name == r["phrase"], r["cue"]


def test_no_sentence_says_two_things_of_one_pathology(truth: Rows) -> None:
    keys = Counter((r["xray_accession"], r["pathology"]) for r in truth)
    assert set(keys.values()) == {1}


def test_every_kind_of_report_that_must_drop_out_is_there(department: SampleTruth) -> None:
    expected = {
        "CT after the window", "CT before the X-ray", "CT of another part of the body", "CT without an X-ray",
        "X-ray of another part of the body", "X-ray without a chest CT", "accession given twice with other text",
        "dictated by a trainee, signed by the author", "earlier X-ray before the same CT",
        "earlier version, replaced by its addendum", "preliminary only",
        "preliminary version, replaced by the final one", "row of unknown modality",
        "row with an unreadable date", "row without text", "row without time", "second CT within the window",
        "signed by nobody",
    }  # fmt: skip
    assert set(department.extras) == expected
    assert min(department.extras.values()) > 0


def test_bad_rows_are_as_many_as_promised(department: SampleTruth, table: SimpleNamespace) -> None:
    written = [*table.read(department.xray), *table.read(department.ct)]
    extras = department.extras
    assert sum(not r["Report Text"] for r in written) == extras["row without text"]
    assert sum(not r["Exam Time"] for r in written) == extras["row without time"]
    assert sum(r["Modality"] not in ("CR", "CT") for r in written) == extras["row of unknown modality"]
    assert sum(r["Signing Radiologist"] == "" for r in written) == (
        extras["preliminary only"] + extras["signed by nobody"]
    )
    finals = Counter(r["Accession"] for r in written if r["Status"] == "Final")
    assert sum(n > 1 for n in finals.values()) == extras["accession given twice with other text"]


@pytest.fixture(scope="module")
def counts(truth: Rows) -> Counts:
    """Author, pathology and phrase to whether each use was right."""
    found: Counts = defaultdict(list)
    for r in truth:
        found[r["author"], r["pathology"], r["phrase"]].append(r["state"] == PRESENT)
    return found


def test_hidden_habits_show_in_the_confirmed_rates(counts: Counts) -> None:
    """'Likely' for edema is confirmed far more rarely by one author than readers expect; others keep the meaning."""
    likely = counts["Quillfeather, Avery", "edema", "likely"]
    assert len(likely) >= 30
    assert 0.33 < sum(likely) / len(likely) < 0.61
    atelectasis = counts["Thistledown, Bellamy", "atelectasis", "may represent"]
    assert sum(atelectasis) / len(atelectasis) > 0.7
    calibrated = counts["Umberleaf, Lavinia", "edema", "likely"]
    assert 0.6 < sum(calibrated) / len(calibrated) < 0.92


def test_confirmed_rates_follow_their_design(counts: Counts) -> None:
    """Over all groups that no other pathology implies, the standardised deviations are those of binomial counts."""
    drawer = Drawer()
    authors = {a.name: a for a in RADIOLOGISTS}
    alone = {c.xray for c in load_confirmations() if c.xray not in WRITTEN.implied_by}
    squares = []
    for (author, topic, phrase), outcomes in counts.items():
        n = len(outcomes)
        if n >= 10 and phrase and topic in alone:
            rate = drawer.rate(authors[author], topic, phrase)
            squares.append((sum(outcomes) - n * rate) ** 2 / (n * rate * (1 - rate)))
    assert len(squares) > 200
    assert sum(squares) / len(squares) == pytest.approx(1, abs=5 * math.sqrt(2 / len(squares)))


def test_there_is_enough_to_advise_on(truth: Rows, counts: Counts) -> None:
    statements = Counter((r["author"], r["pathology"]) for r in truth if r["phrase"])
    for author in RADIOLOGISTS:
        assert sum(n >= 30 for (name, _), n in statements.items() if name == author.name) >= 8
        uses = [len(of) for (name, _, phrase), of in counts.items() if name == author.name and phrase in HEDGES]
        assert sum(n >= 10 for n in uses) >= 6


def test_the_ct_never_contradicts_what_is_there(truth: Rows) -> None:
    """A plain CT statement is the truth, also where the CT names a pathology that implies the one on the X-ray."""
    implied_by = {c.xray: (c.xray, *WRITTEN.implied_by.get(c.xray, ())) for c in load_confirmations()}
    by_pair: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for r in truth:
        by_pair[r["xray_accession"]][r["pathology"]] = r
    for said in by_pair.values():
        for topic, r in said.items():
            if r["ct_phrase"] in (PRESENT, ABSENT):
                assert r["ct_phrase"] == r["state"]
            named = [said[t]["ct_phrase"] for t in implied_by[topic] if t in said]
            if r["phrase"] and r["state"] == ABSENT:
                assert PRESENT not in named


@pytest.mark.parametrize("author", RADIOLOGISTS, ids=lambda a: a.name)
def test_every_author_states_what_the_case_says_and_no_more(author: Radiologist) -> None:
    drawer, rng = Drawer(), dice(5)
    for _ in range(60):
        said = drawer.say(author, rng)
        text, lines = write_xray(author, said, rng)
        stated = {(s.topic, s.phrase) for line in lines for s in line.said}
        assert stated == set(said.items())
        assert all(line.text in text for line in lines)


@pytest.mark.parametrize("phrase", [p for p in FRAMES if p != PRESENT])
@pytest.mark.parametrize("terse", [True, False])
def test_every_phrase_can_be_said_of_every_pathology(phrase: str, terse: bool) -> None:
    for words in (TOPICS, CT_TOPICS):
        writer = Writer(dice(1), terse, words)
        for topic in words:
            line = writer.positive(topic, phrase)
            assert [(s.topic, s.phrase) for s in line.said] == [(topic, phrase)]
            assert "{" not in line.text
            assert line.text.endswith(".")


def test_a_differential_states_two_pathologies_and_what_they_explain() -> None:
    for phrase in DIFFERENTIALS:
        line = Writer(dice(2)).differential("atelectasis", "infection", phrase, "opacity")
        assert [(s.topic, s.phrase) for s in line.said] == [
            ("opacity", PRESENT),
            ("atelectasis", phrase),
            ("infection", phrase),
        ]
        assert "opacity" in line.text.lower()


def test_a_slip_of_the_keys_spares_what_matters() -> None:
    line = Line("No pneumothorax on the right.", (Statement("pneumothorax", ABSENT, "No"),))
    slipped = mistype(line, dice(1))
    assert slipped.text != line.text
    assert sorted(slipped.text) == sorted(line.text)
    assert slipped.said == line.said
    assert "No pneumothorax" in slipped.text
    assert mistype(Line("No edema."), dice(1)).text == "No edema."


def test_another_version_differs_in_a_hedge_alone() -> None:
    assert otherwise({"edema": "likely", "mass": ABSENT}) == {"edema": "possibly", "mass": ABSENT}
    assert otherwise({"edema": "possibly"}) == {"edema": "likely"}
    assert otherwise({"edema": PRESENT}) == {"edema": PRESENT}


def test_another_version_keeps_every_word_outside_the_sentences_of_that_hedge() -> None:
    said = {"edema": "likely", "mass": ABSENT, "pleural effusion": PRESENT}
    for author in RADIOLOGISTS:
        text, lines = write_xray(author, said, dice(5))
        other = other_version(author, said, text, lines, dice(6))
        hedged = [line.text for line in lines if any(s.topic == "edema" for s in line.said)]
        pattern = re.escape(text)
        for sentence in hedged:
            pattern = pattern.replace(re.escape(sentence), "(.+)", 1)
        found = re.fullmatch(pattern, other)
        assert found is not None
        assert all(new != old for new, old in zip(found.groups(), hedged, strict=True))
        assert other_version(author, {"mass": ABSENT}, text, lines, dice(6)) == text


def test_how_many_wordings_are_tried_changes_nothing_that_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    said, author = {"edema": "likely"}, RADIOLOGISTS[0]
    text, lines = write_xray(author, said, dice(5))
    after = []
    for tried in (0, 9):
        monkeypatch.setattr("radcal.sample._xray._WORDINGS", tried)
        other_version(author, said, text, lines, rng := dice(6))
        after.append(rng.random())
    assert after[0] == after[1]


def test_readers_of_ct_are_others_than_authors_of_xrays() -> None:
    assert not {r.name for r in READERS} & {a.name for a in RADIOLOGISTS}


@pytest.mark.parametrize(("pairs", "radiologists"), [(0, 3), (10, 0), (10, 13)])
def test_impossible_departments_are_refused(tmp_path: Path, pairs: int, radiologists: int) -> None:
    with pytest.raises(DataError, match="at least one pair"):
        generate(tmp_path, pairs, radiologists=radiologists)


def test_progress_ends_at_its_total(tmp_path: Path, onlooker: Any) -> None:
    progress = onlooker()
    generate(tmp_path, 230, progress=progress)
    assert progress.done == progress.total == 230


def test_a_stopped_generator_leaves_no_files(tmp_path: Path, onlooker: Any) -> None:
    with pytest.raises(Cancelled):
        generate(tmp_path / "new", 230, progress=onlooker(parts=100))
    assert not (tmp_path / "new").exists()
