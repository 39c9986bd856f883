"""Frames for the generator: ``python -m tools.mini.frames``.

Rewrites ``frames.txt`` from ``tests/findings/sentences.tsv``, sentences in our own words whose statements were read by
hand.  The rules engine finds the words behind each statement; where it reads a sentence otherwise than the hand did, or
where words cannot be told apart, the sentence is left out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from radcal.findings.by_model.protocol import HEDGED, Phrases

from radcal.findings.records import Finding
from radcal.findings.rules.engine import rules_engine
from radcal.findings.rules.vocabulary import read_vocabulary
from radcal.reports.records import Document, Modality, Section, Sentence
from radcal.system.progress import SILENT
from radcal.system.resources import resource
from radcal.words.phrases import load_lexicon
from radcal.words.records import ABSENT, PRESENT
from tools.mini.grammar import CODES
from tools.mini.words import FRAMES, escaped

_SENTENCES = Path(__file__).parents[2] / "tests" / "findings" / "sentences.tsv"
_CODE = {name: code for code, name in CODES.items()}
_MOST_CUES = 7
_VERB = re.compile(r"(?:\W+(?:is|are|appears?|remains?|grossly|both))*\W*$")


def frames(rows: list[tuple[str, str]]) -> Iterator[str]:
    """The sentences in the grammar's notation, without those that it cannot express.

    Args:
        rows: sentences and what they state, as in sentences.tsv.
    """
    phrases = Phrases(read_vocabulary(resource("lexicon")), load_lexicon())
    documents = [
        Document(str(i), text, (Sentence(Section.FINDINGS, 0, len(text), text),), Modality.XRAY)
        for i, (text, _) in enumerate(rows)
    ]
    for (text, stated), read in zip(rows, rules_engine().extract(documents, SILENT), strict=True):
        if {f"{f.pathology}={f.phrase}" for f in read.findings} != {s for s in stated.split("; ") if s}:
            continue
        frame = _frame(text.rstrip(". "), read.findings, phrases)
        if frame:
            yield frame


def _frame(text: str, findings: tuple[Finding, ...], phrases: Phrases) -> str | None:
    terms: dict[tuple[int, int], list[Finding]] = {}
    cues: dict[tuple[int, int], str] = {}
    for f in findings:
        terms.setdefault(_apart(text, f), []).append(f)
        if f.phrase == PRESENT:
            continue
        state = ABSENT if f.phrase == ABSENT else HEDGED
        cue = (f.cue_start, f.cue_end)
        if cue[0] < 0 or cues.setdefault(cue, state) != state or phrases.of(state, text[slice(*cue)]) != f.phrase:
            return None
    spans = sorted([*terms, *cues])
    if any(a[1] > b[0] for a, b in itertools.pairwise(spans)) or len(cues) > _MOST_CUES:
        return None
    marks = {cue: number for number, cue in enumerate(cues, 1)}
    out, at = "", 0
    for start, end in spans:
        out, words, at = out + escaped(text[at:start]), escaped(text[start:end]), end
        said = terms.get((start, end))
        if said is None:
            out += f"[{marks[start, end]}{'-' if cues[start, end] == ABSENT else '?'}{words}]"
            continue
        governing = {"" if f.phrase == PRESENT else f"^{marks[f.cue_start, f.cue_end]}" for f in said}
        if len(governing) > 1:
            return None
        mark = governing.pop()
        out += f"<{'+'.join(dict.fromkeys(_CODE[f.pathology] for f in said))}{mark}|{words}>"
    return out + escaped(text[at:])


def _apart(text: str, finding: Finding) -> tuple[int, int]:
    """The span of the term without the cue that it begins or ends with: "heart" of "heart is normal"."""
    start, end = finding.term_start, finding.term_end
    if start < finding.cue_start and finding.cue_end == end:
        end = start + len(_VERB.sub("", text[start : finding.cue_start]))
    elif start == finding.cue_start and finding.cue_end < end:
        start = finding.cue_end + 1
    return start, end


def main() -> int:
    """Write the frames."""
    lines = [n.split("\t") for n in _SENTENCES.read_text("utf-8").splitlines() if n.strip() and n[0] != "#"]
    found = list(dict.fromkeys(frames([(text, stated) for text, stated in lines])))
    FRAMES.write_text("\n".join(found) + "\n", "utf-8")
    print(f"{len(found)} of {len(lines)} sentences")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
