"""Floors under the rules engine's agreement with annotated real reports, where these are at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radcal.findings.rules.engine import rules_engine
from radcal.reports.records import Document, Section, Sentence
from radcal.review.evaluation import evaluate
from radcal.review.files import read_gold
from radcal.review.records import GoldScore
from radcal.system.progress import SILENT

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "gold"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the annotated reports are not beside this checkout")


def _documents() -> list[Document]:
    documents = []
    for line in (DATA / "dev_reports.jsonl").read_text(encoding="utf-8").splitlines():
        report = json.loads(line)
        text = ""
        sentences = []
        for words, section in zip(report["sentences"], report["sections"], strict=True):
            where = Section.IMPRESSION if section == "I" else Section.FINDINGS
            sentences.append(Sentence(where, len(text), len(text) + len(words), words))
            text += words + "\n"
        documents.append(Document(report["id"], text, tuple(sentences)))
    return documents


def _score(prefix: str) -> GoldScore:
    documents = [d for d in _documents() if d.report_id.startswith(prefix)]
    rows = read_gold(DATA / "dev_gold.tsv")
    asked = {row.pathology for row in rows}  # the annotators were asked for these alone
    findings = [f for e in rules_engine().extract(documents, SILENT) for f in e.findings if f.pathology in asked]
    gold = [g for g in rows if g.report_id.startswith(prefix)]
    return evaluate(gold, findings, bootstrap=0)


@pytest.mark.parametrize("prefix", ["CXR", "CT"])
@pytest.mark.parametrize(
    ("grain", "floor"), [("mention", 0.99), ("assertion", 0.98), ("graded phrase", 0.98), ("hedged graded", 0.95)]
)
def test_floor(prefix: str, grain: str, floor: float) -> None:
    assert _score(prefix).grain(grain).f1 >= floor
