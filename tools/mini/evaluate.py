"""Evaluate a model file, reading alone, on annotated reports beside the rules engine, and write its card.

    python -m tools.mini.evaluate MODEL.gguf REPORTS.jsonl GOLD.tsv [--card]

REPORTS.jsonl has one report per line: id, modality ("XR" or "CT"), sentences, sections ("F" findings, "I" impression).
GOLD.tsv is the annotation as :func:`radcal.review.files.read_gold` reads it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from radcal.findings.model.gguf_file import read_gguf
from radcal.findings.model.local_pairs import LocalPairReader
from radcal.findings.model.options import LlamaOptions
from radcal.findings.readers.alone import ReadingAlone
from radcal.findings.records import Extractor, Finding
from radcal.findings.rules.engine import rules_engine
from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.review.evaluation import evaluate
from radcal.review.files import read_gold
from radcal.review.records import GoldRow
from radcal.system.progress import SILENT
from tools.mini.card import Judged, write_card, write_checksums

_SECTIONS = {"F": Section.FINDINGS, "I": Section.IMPRESSION}
_SPEED_COPIES = 3


def read_documents(path: Path) -> list[Document]:
    """Reports from JSON lines; sentences split by a line break are rejoined."""
    documents = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        whole: list[tuple[str, Section]] = []
        for text, section in zip(row["sentences"], (_SECTIONS[s] for s in row["sections"]), strict=True):
            if whole and whole[-1][1] is section and _goes_on(whole[-1][0], text):
                text = f"{whole.pop()[0]} {text}"
            whole.append((text, section))
        sentences: list[Sentence] = []
        start = 0
        for text, section in whole:
            sentences.append(Sentence(section, start, start + len(text), text))
            start += len(text) + 1
        modality = Modality.CT if row["modality"] == "CT" else Modality.XRAY
        documents.append(Document(row["id"], " ".join(t for t, _ in whole), tuple(sentences), modality))
    return documents


def _goes_on(first: str, second: str) -> bool:
    return bool(second) and first.rstrip()[-1:] not in (*".:;!?", "") and (second[0].islower() or len(first) > 80)


def judge(
    engine: Extractor, documents: Sequence[Document], gold: Sequence[GoldRow], sets: dict[str, Collection[str]]
) -> list[Judged]:
    """The engine's scores on each set of report ids.

    Raises:
        ValueError: the engine failed on a report.
    """
    asked = {row.pathology for row in gold}  # the annotators were asked for these alone
    found: list[Finding] = []
    for extraction in engine.extract(documents, SILENT):
        if extraction.failure:
            raise ValueError(f"the engine failed on a report: {extraction.failure}")
        found += (f for f in extraction.findings if f.pathology in asked)
    judged = []
    for title, ids in sets.items():
        score = evaluate(gold, found, ids)
        judged.append(Judged(title, len(ids), {g.name: (g.f1, g.f1_low, g.f1_high) for g in score.grains}))
    return judged


def speed(model: Path, documents: Sequence[Document]) -> float:
    """Sentences per second of processor time on one thread, each sentence read as if new.

    Unlike wall-clock time, processor time does not depend on the machine's load.
    """
    copies = [
        Document(
            f"{document.report_id}-{k}",
            document.text,
            tuple(Sentence(s.section, s.start, s.end, f"{s.text} {'~' * k}") for s in document.sentences),
        )
        for k in range(1, _SPEED_COPIES + 1)
        for document in documents
    ]
    began = sum(os.times()[:4])
    with LocalPairReader(model, LlamaOptions(threads=1)) as reader:
        list(ReadingAlone(reader).extract(copies, SILENT))
    return sum(len(d.sentences) for d in copies) / (sum(os.times()[:4]) - began)


def main(arguments: list[str] | None = None) -> int:
    """Evaluate, print the scores, and optionally write the card."""
    parser = argparse.ArgumentParser(prog="python -m tools.mini.evaluate", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("reports", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--card", action="store_true", help="write the card and SHA256SUMS beside the model")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args(arguments)
    documents, gold = read_documents(given.reports), read_gold(given.gold)
    ids = [d.report_id for d in documents]
    sets: dict[str, Collection[str]] = {
        "all": ids,
        "not looked at": ids[::2],
        "looked at": ids[1::2],
        "X-ray": [d.report_id for d in documents if d.modality is Modality.XRAY],
        "CT": [d.report_id for d in documents if d.modality is Modality.CT],
    }
    if given.card:
        write_checksums(given.model.parent)  # first: a model that differs from its listed checksum is refused
    with LocalPairReader(given.model, LlamaOptions(threads=given.threads)) as reader:
        ours = judge(ReadingAlone(reader), documents, gold, sets)
    theirs = judge(rules_engine(), documents, gold, sets)
    for mine, rules in zip(ours, theirs, strict=True):
        for grain, (value, low, high) in mine.figures.items():
            print(
                f"{mine.title:14} {grain:15} {value:.3f} ({low:.3f}-{high:.3f})   rules {rules.figures[grain][0]:.3f}"
            )
    pace = speed(given.model, documents)
    print(f"{pace:.0f} sentences a second of processor time")
    if given.card:
        recipe = json.loads(read_gguf(given.model).text("radcal.recipe"))
        write_card(given.model, recipe, ours, theirs, pace)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
