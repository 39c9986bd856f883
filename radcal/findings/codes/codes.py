"""What a finding is, and how certain it is, in the codes of SNOMED CT and DICOM.

Sources: SNOMED CT, attribute 408729009 |Finding context| and its values; DICOM PS3.16, code 111012 "Certainty of
Finding" (%), used by TID 4006 and TID 4104.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from radcal.findings.records import Finding
from radcal.system.resources import resource
from radcal.words.phrases import Lexicon
from radcal.words.records import OTHER, UNREAD


class Code(NamedTuple):
    """A code of a terminology, by the URI that FHIR gives it and the designator of DICOM."""

    value: str
    meaning: str
    system: str = "http://snomed.info/sct"
    scheme: str = "SCT"


FINDING_CONTEXT = Code("408729009", "Finding context")
CERTAINTY = Code("111012", "Certainty of Finding", "http://dicom.nema.org/resources/ontology/DCM", "DCM")


@dataclass(frozen=True, slots=True)
class CodedFinding:
    """A finding in codes.

    pathology: None where no code means the same
    context: present, absent or how probable; None of words that are in no list, and where words were not understood
    percent: what radiologists take the word to mean, in %: the mean of its distribution; None where it has none
    """

    finding: Finding
    pathology: Code | None
    context: Code | None
    percent: float | None


def coded(findings: Iterable[Finding], lexicon: Lexicon) -> Iterator[CodedFinding]:
    """The findings in codes, in their order.

    Words of the shipped list have the code of their row in ``resources/codes/certainty.tsv``; those that a department
    added, the code of the range that the mean of their distribution lies in.  Points at 0 and 1 are plain statements.
    """
    for finding in findings:
        if finding.phrase in (OTHER, UNREAD):
            phrase = None
        else:
            phrase = next((p for p in lexicon.phrases if p.name == finding.phrase), None)
        if phrase is None:
            yield CodedFinding(finding, _pathologies().get(finding.pathology), None, None)
            continue
        mean = phrase.alpha / (phrase.alpha + phrase.beta)
        context = _contexts()[0].get(phrase.name) or _by_mean(mean)
        yield CodedFinding(finding, _pathologies().get(finding.pathology), context, 100 * mean)


def _by_mean(mean: float) -> Code:
    words, ranges = _contexts()
    if mean in (0, 1):
        return words["present" if mean else "absent"]
    return next(code for below, code in ranges if mean < below)


@cache
def _contexts() -> tuple[dict[str, Code], tuple[tuple[float, Code], ...]]:
    """Codes by phrase, and by the end of a range of means in rising order."""
    rows = _rows("certainty.tsv")
    words = {row["phrase"]: Code(row["code"], row["meaning"]) for row in rows if row["phrase"]}
    ranges = tuple((float(row["below"]), Code(row["code"], row["meaning"])) for row in rows if row["below"])
    return words, ranges


@cache
def _pathologies() -> dict[str, Code]:
    return {row["pathology"]: Code(row["code"], row["meaning"]) for row in _rows("pathologies.tsv")}


def _rows(name: str) -> list[dict[str, str]]:
    lines = resource("codes", name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))
