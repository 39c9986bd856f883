"""Judging a model: reports put together, figures by set, the card and the checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from radcal.findings.model.gguf_file import sha256_of
from radcal.findings.records import Extraction, Finding
from radcal.reports.records import Document, Modality, Section
from radcal.review.records import GRAINS as SCORED
from radcal.review.records import GoldRow
from radcal.system.progress import Progress
from tools.mini.card import GRAINS, Judged, verdict, write_card, write_checksums
from tools.mini.evaluate import judge, main, read_documents

MODEL = Path(__file__).resolve().parents[3] / "models" / "radcal-mini-q8_0.gguf"


class Parrot:
    """An engine that calls every sentence with "effusion" an effusion, or fails."""

    name, version, settings_hash = "parrot", "1", "0"

    def __init__(self, failure: str = "") -> None:
        self._failure = failure

    def extract(self, documents: Iterable[Document], progress: Progress) -> Iterator[Extraction]:
        for d in documents:
            found = tuple(
                Finding(d.report_id, "pleural effusion", "present", "", s.text, s.section, s.start, s.end, 0, 8)
                for s in d.sentences
                if "effusion" in s.text
            )
            yield Extraction(d.report_id, found, self._failure)


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    rows = [
        {
            "id": "a",
            "modality": "CT",
            "sentences": ["Pleura: there is a small", "effusion on the left.", "No mass.", "Lungs: clear", "Heart:"],
            "sections": ["F", "F", "F", "F", "I"],
        },
        {"id": "b", "modality": "XR", "sentences": ["Clear lungs."], "sections": ["I"]},
    ]
    path = tmp_path / "reports.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def figures(value: float) -> Judged:
    return Judged("all", 2, dict.fromkeys(GRAINS, (value, value - 0.1, value + 0.1)))


def test_sentences_that_a_line_break_cut_are_put_together(reports: Path) -> None:
    first, second = read_documents(reports)
    assert [s.text for s in first.sentences] == [
        "Pleura: there is a small effusion on the left.",
        "No mass.",
        "Lungs: clear",
        "Heart:",
    ]
    assert all(first.text[s.start : s.end] == s.text for s in first.sentences)
    assert (first.modality, second.modality) == (Modality.CT, Modality.XRAY)
    assert second.sentences[0].section is Section.IMPRESSION


def test_figures_are_of_each_set_alone(reports: Path) -> None:
    gold = [GoldRow("a", 0, "pleural effusion", "present"), GoldRow("b", 0, "opacity", "absent")]
    both, one, other = judge(Parrot(), read_documents(reports), gold, {"all": ["a", "b"], "one": ["a"], "other": ["b"]})
    assert both.figures["assertion"][0] == pytest.approx(2 / 3)
    assert one.figures["assertion"][0] == 1.0
    assert other.figures["assertion"][0] == 0.0
    assert (one.title, one.reports, both.reports) == ("one", 1, 2)


def test_a_failed_report_is_no_figure(reports: Path) -> None:
    with pytest.raises(ValueError, match="worn out"):
        judge(Parrot("worn out"), read_documents(reports), [GoldRow("a", 0, "mass", "absent")], {"all": ["a"]})


def test_the_card_names_every_grain_that_is_scored() -> None:
    assert tuple(GRAINS) == SCORED


def test_the_card_tells_file_recipe_and_figures(tmp_path: Path) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(b"weights")
    recipe = {"seed": 7, "steps": 11, "workers": 3, "torch": "9.9", "batch_tokens": 27_000, "precision": "float32"}
    card = write_card(model, recipe, [figures(0.9)], [figures(0.8)], 512.3).read_text(encoding="utf-8")
    assert card.startswith("# m\n")
    assert hashlib.sha256(b"weights").hexdigest() in card
    assert "--seed 7 --steps 11 --workers 3" in card
    assert "| all (2) | with the phrase | 0.90 (0.80-1.00) | 0.80 |" in card
    assert "about 30,000 sentences" in card
    assert "512 different sentences" in card
    assert "{" not in card.replace(json.dumps(recipe, indent=2, sort_keys=True), "")


def test_the_command_judges_a_model_and_writes_its_card(
    tmp_path: Path, reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / MODEL.name
    model.write_bytes(MODEL.read_bytes())
    gold = tmp_path / "gold.tsv"
    gold.write_text("a\t0\tpleural effusion\tpresent\t-\na\t2\tmass\tabsent\tNo\n", encoding="utf-8")
    assert main([str(model), str(reports), str(gold), "--card", "--threads", "1"]) == 0
    assert "CT             assertion" in capsys.readouterr().out
    assert sha256_of(model) in model.with_suffix(".md").read_text(encoding="utf-8")
    assert sha256_of(model) in (tmp_path / "SHA256SUMS").read_text(encoding="utf-8")


def test_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "b.gguf").write_bytes(b"2")
    (tmp_path / "a.gguf").write_bytes(b"1")
    (tmp_path / "a.md").write_bytes(b"no model")
    lines = write_checksums(tmp_path).read_text(encoding="utf-8").splitlines()
    assert lines == [f"{sha256_of(tmp_path / n)}  {n}" for n in ("a.gguf", "b.gguf")]


def test_the_verdict_is_honest() -> None:
    assert "as good as" in verdict(figures(0.9), figures(0.9))
    assert "weaker" in verdict(figures(0.8), figures(0.9))
