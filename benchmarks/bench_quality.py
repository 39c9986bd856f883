"""How well every reader reads every annotated set of reports at hand.

    python benchmarks/bench_quality.py [--readers rules second bundled] [--model MODEL.gguf ...] [--sets NAME ...]
        [FILE ...]

Readers: the rules alone; the rules with the bundled model as second reader, the default; the bundled model alone; and
of each model file the rules with it, and it alone.  Prints Markdown tables: F1 with 95 % intervals from drawing the
reports anew, how many of the findings that enter the statistics are wrong, and how many are left unread.  --write puts
them into docs/performance.md between its marks.  FILEs are further sets in the form of benchmarks/reports, whose
authors had not seen RadCal; performance.md says which were read before anything was mended.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotated import PATHOLOGIES, AnnotatedSet, Statement, coded, labelled, read_made_up, sets_at_hand

from radcal.findings.engines import close_engine, make_engine
from radcal.findings.records import Finding
from radcal.reports.records import Document
from radcal.review.evaluation import SYNONYMS, assertion, evaluate
from radcal.system.progress import SILENT
from radcal.system.settings import Settings
from radcal.words.records import ABSENT, PRESENT, UNREAD

DOCS = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
MARKS = "<!-- quality: begin -->", "<!-- quality: end -->"
GRAINS = ("assertion", "graded phrase", "hedged graded")
HEAD = ("set", "reader", "reports", "statements", "present, absent or hedged", "exact phrase", "exact phrase of hedges",
        "counted and wrong", "left unread")  # fmt: skip
DENYING = {ABSENT, UNREAD, "unlikely", "very unlikely"}
"""Phrases that do not claim a finding to be there."""
READ_OTHERWISE = {"opacity", "fibrosis", "lymphadenopathy"}
"""Labels of the published CT reports that follow other rules than ours."""


@dataclass(frozen=True, slots=True)
class Reader:
    """An engine with its settings, by its name in the tables."""

    name: str
    settings: Settings

    def findings(self, documents: Iterable[Document]) -> tuple[list[Finding], int]:
        """What it reads of the pathologies asked for, and the number of reports that it does not read."""
        extractor = make_engine(self.settings.engine, self.settings.model, self.settings)
        found, failed = [], 0
        try:
            for extraction in extractor.extract(documents, SILENT):
                failed += bool(extraction.failure)
                found += extraction.findings
        finally:
            close_engine(extractor)
        return found, failed


def readers(names: Sequence[str], models: Sequence[Path]) -> Iterator[Reader]:
    """The readers asked for."""
    own = {
        "rules": Reader("rules alone", Settings(second="none")),
        "second": Reader("rules and bundled model", Settings()),
        "bundled": Reader("bundled model alone", Settings(engine="llama")),
    }
    yield from (own[name] for name in names)
    for model in models:
        yield Reader(f"rules and {model.stem}", Settings(second=str(model)))
        yield Reader(f"{model.stem} alone", Settings(engine="llama", model=str(model)))


def row(reader: Reader, annotated: AnnotatedSet) -> str:
    """The line of the table for a reader and a set; '' for a reader that does not read its language."""
    found, failed = reader.findings(annotated.documents)
    if failed == len(annotated.documents):
        return ""
    found = [f for f in found if f.pathology in PATHOLOGIES]
    said = [Statement(f.report_id, f.pathology, f.phrase) for f in found]
    scored = evaluate(annotated.statements, said, {d.report_id for d in annotated.documents})
    grains = [scored.grain(name) for name in GRAINS]
    values = [f"{g.f1:.3f} ({g.f1_low:.3f}-{g.f1_high:.3f})" if g.gold else "" for g in grains]
    true = {(s.report_id, s.pathology, assertion(SYNONYMS.get(s.phrase, s.phrase))) for s in annotated.statements}
    counted = {(f.report_id, f.pathology, assertion(f.phrase)) for f in found if f.phrase != UNREAD}
    unread = sum(f.phrase == UNREAD for f in found)
    wrong = f"{len(counted - true)} of {len(counted)} ({len(counted - true) / max(1, len(counted)):.1%})"
    left = f"{unread} of {len(found)} ({unread / max(1, len(found)):.1%})"
    n = f"{len(annotated.documents)}", f"{len(annotated.statements)}"
    return f"| {' | '.join([annotated.name, reader.name, *n, *values, wrong, left])} |"


def against_labels(reader: Reader) -> str:
    """A line on the published CT reports with labels: F1 by label, their mean, and lymphadenopathy."""
    documents, labels = labelled()
    found, _ = reader.findings(documents)
    claimed = {(f.report_id, f.pathology) for f in found if f.phrase not in DENYING}
    scores = {}
    for pathology, there in labels.items():
        said = {report for report, name in claimed if name == pathology}
        scores[pathology] = (
            2 * len(said & there) / max(1, len(said) + len(there)),
            len(said & there) / max(1, len(said)),
        )
    nine = [f1 for name, (f1, _) in scores.items() if name not in READ_OTHERWISE]
    each = ", ".join(f"{name} {f1:.3f}" for name, (f1, _) in scores.items())
    return (
        f"- {len(documents):,} published CT reports with labels, {reader.name}: mean F1 {sum(nine) / len(nine):.3f} of "
        f"the nine labels that are coded as we read them; precision of lymphadenopathy "
        f"{scores['lymphadenopathy'][1]:.3f} ({each})"
    )


def against_codes(reader: Reader) -> str:
    """A line on the reports coded by indexers, who mostly leave out what is hedged."""
    documents, present = coded()
    names = {name for _, name in present}
    found, _ = reader.findings(documents)
    read = {(f.report_id, f.pathology) for f in found if f.phrase == PRESENT and f.pathology in names}
    right = len(read & present)
    return (
        f"- {len(documents):,} real X-ray reports coded by indexers, {reader.name}: of {len(read):,} findings read as "
        f"present {right / len(read):.3f} are coded, of {len(present):,} coded {right / len(present):.3f} are read as "
        f"present; F1 {2 * right / (len(read) + len(present)):.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--readers", nargs="*", default=["rules", "second", "bundled"])
    parser.add_argument("--model", nargs="*", default=[], type=Path, help="further model files")
    parser.add_argument("--sets", nargs="*", help="only these sets")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    args = parser.parse_args()
    sets = [s for s in sets_at_hand() if not args.sets or s.name in args.sets]
    sets += map(read_made_up, args.files)
    asked = list(readers(args.readers, args.model))
    lines = [f"| {' | '.join(HEAD)} |", "|" + "---|" * len(HEAD)]
    lines += filter(None, (row(reader, annotated) for annotated in sets for reader in asked))
    lines.append("")
    for at_hand, line in ((labelled, against_labels), (coded, against_codes)):
        if not args.sets and at_hand()[0]:
            lines += map(line, asked)
    text = "\n".join(lines)
    print(text)
    if args.write:
        docs = DOCS.read_text(encoding="utf-8")
        before, rest = docs.split(MARKS[0])
        DOCS.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
