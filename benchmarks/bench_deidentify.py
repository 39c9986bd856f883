"""Recall of identifiers in texts, words altered, findings before and after, suspects and time.

    PYTHONPATH=. python benchmarks/bench_deidentify.py [TEXTS.txt ...] [--reports 600] [--look] [--model FILE]

TEXTS are texts in which somebody marked the identifiers, in the form of tools/marked_texts.py; without any, those of
planted.py are read, with the contexts of the set "apart".  Marked texts are read twice: with nothing known of their
people, and with the names of the head as columns would have them.  An identifier is found if each of its words is in an
edit; titles and words such as "the" and "am" within it do not count.  Altered words are those outside all identifiers
that an edit touches, titles aside; *clinical* ones those of them that are no label, role, weekday, month, credential,
time of day or other administrative word.  A missed identifier is *shown* if a suspect covers a word of it, so that a
person would see it.

--look prints what was missed and altered: for texts that need not stay unseen.  --model: another trained tagger.

Returns 0 if the targets hold: recall 0.95 without columns and 0.99 with, 0.995 of what was planted, fewer than 1
clinical word altered in 10,000.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.planted import Maker, contexts
from radcal.findings.rules.engine import rules_engine
from radcal.reports.deidentify import tagging
from radcal.reports.deidentify.deidentifier import Deidentifier
from radcal.reports.deidentify.features import frequency
from radcal.reports.deidentify.words import Is, what, word_set
from radcal.reports.identifiers import Deidentified, Known
from radcal.reports.sections import document
from radcal.system.progress import SILENT
from tools.marked_texts import Marked, read

RECALL = {"planted": 0.995, "without columns": 0.95, "with columns": 0.99}
ALTERED = 1.0
_WORD = re.compile(r"\w+")
_PASSED = word_set(
    "the of at on in and a dot am der die das den dem im und st nd rd th ext tel phone s mitte anfang ende early"
    " mid late"
)
"""Words within identifiers that tell nothing."""


def telling(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The words of a span that tell something."""
    words = [m.span() for m in _WORD.finditer(text, start, end)]
    kept = [(a, b) for a, b in words if text[a:b].lower() not in _PASSED and not what(text[a:b].lower()) & Is.STRONG]
    return kept or words


def covered(done: Deidentified, start: int, end: int) -> bool:
    """Whether every character of a word is in an edit."""
    return all(any(e.start <= at < e.end for e in done.edits) for at in range(start, end))


_ADMINISTRATIVE = (
    Is.LABEL | Is.ROLE | Is.TITLE | Is.STRONG | Is.CREDENTIAL | Is.MONTH | Is.ADMIN | Is.FUNCTION | Is.SERVICE | Is.ACT
)


def is_clinical(word: str) -> bool:
    """Whether a word may say something of a finding: a word of a list that is not administrative, or a figure."""
    lower = word.lower()
    kind = what(lower)
    if word.isdigit():
        return len(word) < _LONG
    known = kind & (Is.CLINICAL | Is.WORD | Is.RARE | Is.EPONYM | Is.PRODUCT | Is.SIGN) or frequency(lower, True)
    return bool(known) and len(word) > 1 and not kind & _ADMINISTRATIVE and lower not in _DAYS


_LONG = 4
"""Figures of a number that is no measurement."""
_DAYS = word_set(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun montag dienstag"
    " mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so hrs hr uhr phone tel ext"
)


class Figures:
    """What one way of reading found."""

    def __init__(self) -> None:
        self.total: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self.shown = self.words = self.altered = self.clinical = self.suspects = self.again = 0
        self.seconds = 0.0
        self.of_texts: list[tuple[int, int, int, int]] = []
        """Identifiers, those found, words outside them and clinical ones altered, of each text."""
        self.lines: list[str] = []

    def add(self, row: Marked, deidentify: Deidentifier, known: Known) -> None:
        """Read a text and compare it with its marks."""
        text = row.text
        before = self._counts()
        begin = perf_counter()
        done = deidentify(text, known, row.name)
        self.seconds += perf_counter() - begin
        self.again += bool(deidentify(done.text, known, row.name).edits)
        self.suspects += len(done.suspects)
        suspected = [(done.back(s.start), done.back(s.end)) for s in done.suspects]
        for start, end, named in row.marks:
            kind = f"{'de' if row.german else 'en'} {named}"
            left = [w for w in telling(text, start, end) if not covered(done, *w)]
            if named == "age" and any(x.start < end and start < x.end for x in done.edits):
                left = []  # "over 89-year-old" keeps the rest of the word
            self.total[kind] += 1
            if not left:
                self.hits[kind] += 1
                continue
            seen = any(s < b and a < e for a, b in left for s, e in suspected)
            self.shown += seen
            at = left[0][0]
            context = text[max(0, at - 50) : at + 50]
            self.lines.append(
                f"missed {kind}{' (shown)' if seen else ''}: {text[start:end]!r} in {context!r} [{row.name}]"
            )
        for m in _WORD.finditer(text):
            if any(s < m.end() and m.start() < e for s, e, _ in row.marks):
                continue
            self.words += 1
            edit = next((e for e in done.edits if e.start < m.end() and m.start() < e.end), None)
            if edit is not None and not what(m.group().lower()) & Is.STRONG:
                self.altered += 1
                clinical = is_clinical(m.group())
                self.clinical += clinical
                around = text[max(0, m.start() - 40) : m.end() + 40]
                self.lines.append(
                    f"altered{' (clinical)' if clinical else ''}, {edit.kind}: {m.group()!r} in {around!r} [{row.name}]"
                )

        self.of_texts.append(tuple(now - then for now, then in zip(self._counts(), before, strict=True)))

    def _counts(self) -> tuple[int, int, int, int]:
        return self.total.total(), self.hits.total(), self.words, self.clinical

    def interval(self, part: int, whole: int) -> tuple[float, float]:
        """The middle 95 % of a share over 2,000 draws of the texts, which the identifiers of one go together in."""
        counts = np.array(self.of_texts)
        drawn = np.random.default_rng(1).integers(len(counts), size=(2_000, len(counts)))
        sums = counts[drawn].sum(axis=1)
        low, high = np.quantile(sums[:, part] / np.maximum(sums[:, whole], 1), (0.025, 0.975))
        return float(low), float(high)

    def told(self, name: str, texts: int) -> bool:
        """Print the figures; whether the targets hold."""
        total, hits = sum(self.total.values()), sum(self.hits.values())
        print(f"\n{name}: {texts} texts, {self.seconds / max(texts, 1) * 1e3:.1f} ms each")
        groups = {kind.split(" ", 1)[1] for kind in self.total}
        for group in sorted(groups):
            kinds = sorted(kind for kind in self.total if kind.split(" ", 1)[1] == group)
            own = ", ".join(f"{k.split(' ')[0]} {self.hits[k]}/{self.total[k]}" for k in kinds)
            n, found = sum(self.total[k] for k in kinds), sum(self.hits[k] for k in kinds)
            print(f"  {group:18} {found:5} of {n:5}  {found / n:.3f}  ({own})")
        recall, rate = hits / max(total, 1), self.clinical / max(self.words, 1) * 1e4
        low, high = self.interval(1, 0)
        print(f"  {'all':18} {hits:5} of {total:5}  {recall:.4f} ({low:.3f}-{high:.3f})")
        least, most = (share * 1e4 for share in self.interval(3, 2))
        print(
            f"  altered words {self.altered} of {self.words}, {self.altered / max(self.words, 1) * 1e4:.1f} in 10,000,"
            f" clinical {self.clinical}, {rate:.1f} ({least:.0f}-{most:.0f}); missed but shown as suspects "
            f"{self.shown} of {total - hits}; suspects {self.suspects / max(texts, 1):.2f} a text; a second pass edits "
            f"{self.again}"
        )
        return recall >= RECALL[name] and rate < ALTERED


def other_findings(rows: list[Marked], deidentify: Deidentifier) -> int:
    """How many texts have other findings once they are de-identified; names that read like one, as Koch, aside."""
    engine, different = rules_engine(), 0
    for row in rows:
        done = deidentify(row.text, Known(), row.name)
        before, after = (
            {(f.pathology, f.phrase, f.term_start, f.term_end) for f in extraction.findings}
            for extraction in engine.extract([document("before", row.text), document("after", done.text)], SILENT)
        )
        kept = [(*f, s, e) for *f, s, e in before if not any(mark.start <= s < mark.end for mark in row.marks)]
        different += {(p, f, done.forward(s), done.forward(e)) for p, f, s, e in kept} != after
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="*")
    parser.add_argument("--reports", type=int, default=600, help="that identifiers are planted into")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--look", action="store_true", help="print what was missed and altered")
    args = parser.parse_args()
    rows, ways = [row for path in args.texts for row in read(path)], ["without columns", "with columns"]
    if not rows:
        maker, ways = Maker(1, contexts(("apart",))), ["planted"]
        rows = [maker.report(f"{n % 50}") for n in range(args.reports)]
    if args.model:
        tagging.load(args.model)
    deidentify = Deidentifier(b"a secret of the benchmark")
    deidentify(rows[0].text, Known(), "")
    good = True
    for name in ways:
        figures = Figures()
        for row in rows:
            figures.add(row, deidentify, row.known if name == "with columns" else Known())
        if args.look:
            print("\n".join(figures.lines))
        good &= figures.told(name, len(rows))
    print(f"texts with other findings afterwards: {other_findings(rows, deidentify)} of {len(rows)}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
