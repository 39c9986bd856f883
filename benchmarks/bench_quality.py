"""How well every engine reads every annotated set of reports at hand.

    python benchmarks/bench_quality.py [--engines rules llama cascade] [--model MODEL.gguf ...] [--sets NAME ...]

Prints Markdown tables of F1 with 95 % intervals from drawing the reports anew: by set, then, over all sets, by
modality, layout, pathology and phrase.  --write puts them into docs/performance.md between its marks.  The made-up
sets in benchmarks/reports were written and annotated by people who had not seen the engines; performance.md says which
were read before anything was mended.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path

from annotated import PATHOLOGIES, AnnotatedSet, Statement, coded, sets_at_hand

from radcal.findings.engines import close_engine, make_engine
from radcal.reports.records import Document, Modality
from radcal.review.evaluation import SYNONYMS, evaluate
from radcal.review.records import GoldScore
from radcal.system.progress import SILENT
from radcal.words.records import ABSENT, PRESENT, UNREAD

DOCS = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
MARKS = "<!-- quality: begin -->", "<!-- quality: end -->"
GRAINS = ("assertion", "graded phrase", "hedged mention", "hedged graded")
HEAD = ("present, absent or hedged", "exact phrase", "hedged at all", "exact phrase of hedges")
LONG, SHORT = 150, 60
"""Words of a long and of a short report."""
FEW_WORDS = 6.0
"""Words of a sentence in telegraphic style, on average at most."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an engine found in a set; ``unread`` findings are no statements."""

    engine: str
    annotated: AnnotatedSet
    found: tuple[Statement, ...]
    unread: int
    failed: int


def read(engine: str, model: str, annotated: AnnotatedSet) -> Reading:
    extractor = make_engine(engine, model)
    found, unread, failed = [], 0, 0
    try:
        for extraction in extractor.extract(annotated.documents, SILENT):
            failed += bool(extraction.failure)
            of_list = [f for f in extraction.findings if f.pathology in PATHOLOGIES]
            unread += sum(f.phrase == UNREAD for f in of_list)
            found += [Statement(f.report_id, f.pathology, f.phrase) for f in of_list if f.phrase != UNREAD]
    finally:
        close_engine(extractor)
    return Reading(Path(model).stem or engine, annotated, tuple(found), unread, failed)


def layout(document: Document) -> str:
    """The style of a report as it can be told without reading it."""
    words = len(document.text.split())
    if document.text.isupper():
        return "capitals throughout"
    if len(document.sentences) > 1 and sum(len(s.text.split()) for s in document.sentences) <= FEW_WORDS * len(
        document.sentences
    ):
        return "telegraphic"
    if not re.search(r"^\s*[A-Za-z /]{3,30}:", document.text, re.MULTILINE):
        return "without headings"
    return "long" if words >= LONG else "short" if words <= SHORT else "of middle length"


def score(readings: Sequence[Reading], of: Callable[[Document], bool]) -> tuple[GoldScore, int] | None:
    """The score over the reports chosen, and the number of statements; None without any."""
    ids = {d.report_id for r in readings for d in r.annotated.documents if of(d)}
    gold = [s for r in readings for s in r.annotated.statements if s.report_id in ids]
    if not gold:
        return None
    return evaluate(gold, [s for r in readings for s in r.found], ids), len(gold)


def row(first: Sequence[str], readings: Sequence[Reading], of: Callable[[Document], bool]) -> Iterator[str]:
    if (result := score(readings, of)) is not None:
        scored, n = result
        grains = [scored.grain(name) for name in GRAINS]
        values = [f"{g.f1:.3f} ({g.f1_low:.3f}-{g.f1_high:.3f})" if g.gold else "" for g in grains]
        yield "| " + " | ".join([*first, f"{scored.reports:,}", f"{n:,}", *values]) + " |"


def table(head: Sequence[str], rows: Iterator[str]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield from _together(rows) if "engine" in head else rows
    yield ""


def _together(rows: Iterator[str]) -> Iterator[str]:
    """Rows of one name, where engines with the same figures share a row."""
    for _, group in groupby(rows, lambda line: line.split(" | ")[0]):
        engines: dict[tuple[str, str], list[str]] = {}
        for line in group:
            name, engine, figures = line.split(" | ", 2)
            engines.setdefault((name, figures), []).append(engine)
        for (name, figures), those in engines.items():
            yield f"{name} | {', '.join(those)} | {figures}"


def by_word(readings: Sequence[Reading], key: Callable[[Statement], str]) -> Iterator[tuple[str, int, float, float]]:
    """Pathology or phrase, statements, precision and recall of the exact statements."""

    def plain(s: Statement) -> tuple[str, str, str]:
        return s.report_id, SYNONYMS.get(s.pathology, s.pathology), SYNONYMS.get(s.phrase, s.phrase)

    gold = {plain(s) for r in readings for s in r.annotated.statements}
    found = {plain(s) for r in readings for s in r.found}
    for name in sorted({key(Statement(*t)) for t in gold}):
        wrote = {t for t in gold if key(Statement(*t)) == name}
        said = {t for t in found if key(Statement(*t)) == name}
        right = len(wrote & said)
        yield name, len(wrote), right / max(1, len(said)), right / len(wrote)


def tables(readings: Sequence[Reading]) -> Iterator[str]:
    engines = list(dict.fromkeys(r.engine for r in readings))
    of = {e: [r for r in readings if r.engine == e] for e in engines}
    head = ("reports", "statements", *HEAD)
    yield from table(
        ("set", "engine", *head),
        chain.from_iterable(row((r.annotated.name, r.engine), [r], lambda _: True) for r in readings),
    )
    yield from table(
        ("modality", "engine", *head),
        chain.from_iterable(
            row((m.value, e), of[e], lambda d, m=m: d.modality is m)  # type: ignore[misc]
            for m in Modality
            for e in engines
        ),
    )
    layouts = sorted({layout(d) for r in readings for d in r.annotated.documents})
    yield from table(
        ("layout", "engine", *head),
        chain.from_iterable(
            row((name, e), of[e], lambda d, name=name: layout(d) == name)  # type: ignore[misc]
            for name in layouts
            for e in engines
        ),
    )
    for what, key in (("pathology", lambda s: s.pathology), ("phrase", lambda s: s.phrase)):
        yield from table(
            (what, "statements", *(f"{e}: precision, recall" for e in engines)),
            iter(_side_by_side([list(by_word(of[e], key)) for e in engines])),
        )
    for r in readings:
        if not r.unread and not r.failed:
            continue
        n = len(r.annotated.statements)
        plain = sum(s.phrase in (PRESENT, ABSENT) for s in r.annotated.statements)
        yield (
            f"- {r.annotated.name}, {r.engine}: {r.unread} findings marked as unread ({r.unread / n:.1%} of {n} "
            f"statements, {n - plain} of them hedged); {r.failed} reports failed"
        )


def _side_by_side(lists: Sequence[Sequence[tuple[str, int, float, float]]]) -> Iterator[str]:
    most = max(lists, key=len)
    by_name = [{name: f"{p:.2f}, {r:.2f}" for name, _, p, r in rows} for rows in lists]
    for name, n, _, _ in most:
        yield f"| {name} | {n} | {' | '.join(rows.get(name, '') for rows in by_name)} |"


def against_codes(engine: str, model: str) -> str:
    """A line on the reports coded by indexers, who mostly leave out what is hedged."""
    documents, present = coded()
    extractor, names = make_engine(engine, model), {name for _, name in present}
    try:
        found = {
            (f.report_id, f.pathology)
            for extraction in extractor.extract(documents, SILENT)
            for f in extraction.findings
            if f.phrase == PRESENT and f.pathology in names
        }
    finally:
        close_engine(extractor)
    right = len(found & present)
    return (
        f"- {len(documents):,} real X-ray reports coded by indexers, {Path(model).stem or engine}: of {len(found):,} "
        f"findings read as present {right / len(found):.3f} are coded, of {len(present):,} coded "
        f"{right / len(present):.3f} read as present; F1 {2 * right / (len(found) + len(present)):.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", nargs="*", default=["rules", "llama", "cascade"])
    parser.add_argument("--model", nargs="*", default=[], help="further model files for the Llama engine")
    parser.add_argument("--sets", nargs="*", help="only these sets")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    args = parser.parse_args()
    sets = [s for s in sets_at_hand() if not args.sets or s.name in args.sets]
    engines = [(e, "") for e in args.engines] + [("llama", m) for m in args.model]
    readings = [read(engine, model, s) for s in sets for engine, model in engines]
    # An engine that refuses a language has no figures on it.
    text = "\n".join(tables([r for r in readings if r.failed < len(r.annotated.documents)]))
    if not args.sets and coded()[0]:
        text += "".join(f"\n{against_codes(engine, model)}" for engine, model in engines)
    print(text)
    if args.write:
        docs = DOCS.read_text(encoding="utf-8")
        before, rest = docs.split(MARKS[0])
        DOCS.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
