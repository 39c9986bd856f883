"""The sample can be read: the rules engine finds in its sentences what they were written to say."""

from random import Random

from radcal.findings.rules.engine import rules_engine
from radcal.reports.records import Document, Section, Sentence
from radcal.sample._cases import Drawer
from radcal.sample._words import RADIOLOGISTS, READERS
from radcal.sample._xray import write_xray
from radcal.sample.department import write_ct
from radcal.system.progress import SILENT


def test_the_rules_engine_reads_nearly_every_sentence_as_written() -> None:
    drawer, rng = Drawer(), Random(11)  # noqa: S311 - a sample holds no secret
    lines = []
    for author in RADIOLOGISTS:
        for i in range(15):
            case = drawer.draw(author, rng)
            lines += write_xray(author, case.said, rng)[1]
            lines += write_ct(READERS[i % len(READERS)], case.ct, rng)[1]
    documents = [
        Document(str(i), line.text, (Sentence(Section.IMPRESSION, 0, len(line.text), line.text),))
        for i, line in enumerate(lines)
    ]
    read = [{(f.pathology, f.phrase) for f in e.findings} for e in rules_engine().extract(documents, SILENT)]
    written = [{(s.topic, s.phrase) for s in line.said} for line in lines]
    right = sum(r == w for r, w in zip(read, written, strict=True))
    assert len(lines) > 2000
    assert right / len(lines) > 0.97
