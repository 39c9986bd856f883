"""How well an engine's findings agree with reports that radiologists annotated.

Statements are compared as sets of triples (report, pathology, phrase), so that saying the same thing twice
counts once.  Five grains, from coarse to fine:

    mention          (report, pathology)
    assertion        (report, pathology, present / absent / hedged)
    graded phrase    (report, pathology, phrase)
    hedged mention   (report, pathology), hedged statements alone
    hedged graded    (report, pathology, phrase), hedged statements alone
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from math import isnan
from pathlib import Path
from typing import Protocol

import numpy as np

from radcal import inputs
from radcal.cells import freed
from radcal.errors import DataError, InputError
from radcal.gold.proportions import wilson
from radcal.records import ABSENT, PRESENT
from radcal.separated import Dialect, Unread, lines_of, records_of
from radcal.text import Text

GRAINS = ("mention", "assertion", "graded phrase", "hedged mention", "hedged graded")
SYNONYMS: Mapping[str, str] = {
    "may": "may represent",
    "possible": "possibly",
    "suspicious": "suspicious for",
    "pneumonia": "infection",
    "pulmonary edema": "edema",
    "effusion": "pleural effusion",
}
"""Other names of phrases and pathologies, taken for the same in both sets."""

UNSURE = "unsure"
"""In place of a phrase: readers cannot tell, or differ; nothing is said of this pathology in this report."""
NO_CUE = "-"
"""In place of a cue: there is none.  A cue that is a hyphen is guarded, as every text that begins with one."""
_GOLD_COLUMNS = ("report_id", "sentence_number", "pathology", "phrase", "cue")
_FOUND_COLUMNS = ("report_id", "pathology", "phrase")
_HEDGED = "hedged"
_NOT_STATED = ""


class Statement(Protocol):
    """Anything that says what a report states about a pathology: a Finding, a GoldRow, a FoundRow."""

    @property
    def report_id(self) -> str: ...
    @property
    def pathology(self) -> str: ...
    @property
    def phrase(self) -> str: ...


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One annotated statement; ``cue`` holds the words that carry the certainty, '' for none.

    Without a pathology it says no more than that the report was annotated, also where it states nothing.
    ``line`` is that of its file, 0 for none; it does not count in comparisons.
    """

    report_id: str
    sentence_number: int = 0
    pathology: str = ""
    phrase: str = ""
    cue: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One statement of an engine, as read from its file of findings."""

    report_id: str
    pathology: str
    phrase: str


@dataclass(frozen=True, slots=True)
class GrainScore:
    """Agreement at one grain.

    precision, recall: hits / found and hits / gold, with Wilson intervals; f1: their harmonic mean, with a
    percentile interval from a bootstrap over reports; macro_f1: mean of f1 over the pathologies of the gold set.
    All in 0-1, NaN where there is nothing to divide by.
    """

    grain: str
    gold: int
    found: int
    hits: int
    precision: float
    precision_low: float
    precision_high: float
    recall: float
    recall_low: float
    recall_high: float
    f1: float
    f1_low: float
    f1_high: float
    macro_f1: float


@dataclass(frozen=True, slots=True)
class PathologyScore:
    """Agreement on one pathology: counts and F1 of the assertion and the graded phrase (NaN without gold)."""

    pathology: str
    gold: int
    found: int
    assertion_f1: float
    graded_f1: float


@dataclass(frozen=True, slots=True)
class Confusion:
    """Where both mention a pathology: how often gold's phrase met the engine's; '' for none left to meet."""

    gold: str
    found: str
    n: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One statement on which gold and engine differ; '' on the side that says nothing (more)."""

    report_id: str
    pathology: str
    gold: str
    found: str


@dataclass(frozen=True, slots=True)
class GoldScore:
    """The whole comparison."""

    reports: int
    confidence: float
    seed: int
    grains: tuple[GrainScore, ...]
    pathologies: tuple[PathologyScore, ...]
    confusion: tuple[Confusion, ...]
    disagreements: tuple[Disagreement, ...]

    def grain(self, name: str) -> GrainScore:
        """The score at one of GRAINS.

        Raises:
            DataError: no such grain.
        """
        for g in self.grains:
            if g.grain == name:
                return g
        raise DataError("There is no grain {name!r}. Known: {grains}.", name=name, grains=", ".join(GRAINS))

    def to_json(self) -> str:
        """Everything, NaN as null."""
        return json.dumps(_finite(asdict(self)), indent=2, allow_nan=False)


def read_gold(path: Path) -> tuple[GoldRow, ...]:
    """Annotated statements from a tab-separated file.

    Columns: report_id, sentence_number, pathology, phrase (or UNSURE) and, optionally, cue, NO_CUE for none; a header
    row is recognised.  Cells may be guarded (:mod:`radcal.cells`).
    A report that was annotated and states nothing has a row of its report_id alone; older files have none.

    Raises:
        InputError: the file cannot be read, or a row is broken; names file, line and reason.
    """
    rows: list[GoldRow] = []
    known = False
    for line, cells in _cells(path, "\t"):
        if line == 1 and tuple(c.strip().lower() for c in cells[:4]) == _GOLD_COLUMNS[:4]:
            known = True
            continue
        if not any(c.strip() for c in cells[1:]):
            rows.append(GoldRow(freed(cells[0]).strip(), line=line))
            continue
        if not 4 <= len(cells) <= len(_GOLD_COLUMNS):
            raise _broken(path, line, f"{len(cells)} cells where {', '.join(_GOLD_COLUMNS)} belong")
        report, number, pathology, phrase = (freed(c).strip() for c in cells[:4])
        if not (report and pathology and phrase):
            raise _broken(path, line, Text("the report, the pathology or the phrase is empty"))
        if not number.isdecimal():
            raise _broken(path, line, "the sentence number is no whole number")
        cue = cells[4].strip() if len(cells) > 4 else ""
        cue = "" if cue == NO_CUE else freed(cue)
        rows.append(GoldRow(report, int(number), pathology, phrase, cue, line))
    # Whatever has neither header nor statement, a file separated by commas for one, is no list of reports.
    if not (rows and (known or any(row.pathology for row in rows))):
        raise InputError("{name} holds no annotated statement.", name=path.name)
    return tuple(rows)


def read_findings(path: Path) -> tuple[FoundRow, ...]:
    """Statements of an engine from a comma-separated file whose header names report_id, pathology and phrase.

    Raises:
        InputError: the file cannot be read, a column is missing, or a row is broken; names file, line and reason.
    """
    rows: list[FoundRow] = []
    places: list[int] = []
    header: list[str] = []
    for line, cells in _cells(path, ","):
        if not places:
            header = [c.strip().lower() for c in cells]
            if missing := [c for c in _FOUND_COLUMNS if c not in header]:
                raise _broken(path, line, f"the header lacks {', '.join(missing)}")
            places = [header.index(c) for c in _FOUND_COLUMNS]
            continue
        if len(cells) != len(header):
            raise _broken(path, line, f"{len(cells)} cells, but the header has {len(header)}")
        row = FoundRow(*(freed(cells[p]).strip() for p in places))
        if not (row.report_id and row.pathology and row.phrase):
            raise _broken(path, line, Text("the report, the pathology or the phrase is empty"))
        rows.append(row)
    if not places:
        raise InputError(
            "{name} is empty. A file of findings has the columns {found_columns}.",
            name=path.name,
            found_columns=", ".join(_FOUND_COLUMNS),
        )
    return tuple(rows)


def evaluate(
    gold: Iterable[Statement],
    findings: Iterable[Statement],
    report_ids: Collection[str] | None = None,
    *,
    synonyms: Mapping[str, str] = SYNONYMS,
    confidence: float = 0.95,
    bootstrap: int = 1000,
    seed: int = 0,
) -> GoldScore:
    """Compare an engine's findings with annotated statements.

    Args:
        gold: annotated statements; what is UNSURE counts neither for nor against the engine.  A row without a
            pathology names a report that was annotated, so that whatever is found in it counts.
        findings: the engine's.
        report_ids: the reports that were annotated, those without any statement included; None for the
            reports that ``gold`` names.  Findings of other reports are left out.
        synonyms: other names of phrases and pathologies to their canonical names, in lower case.
        confidence: coverage of all intervals, in 0-1.
        bootstrap: resamples of reports for the intervals of F1; 0 for none (NaN).
        seed: of the resampling.

    Raises:
        DataError: there is no report to compare.
    """
    truth = _triples(gold, synonyms)
    reports = sorted({t[0] for t in truth} if report_ids is None else set(report_ids))
    if not reports:
        raise DataError("There is no annotated report to compare with.")
    kept = set(reports)
    unsure = {t[:2] for t in truth if t[2] == UNSURE}
    truth = {t for t in truth if t[0] in kept and t[1] and t[:2] not in unsure}
    said = {t for t in _triples(findings, synonyms) if t[0] in kept and t[:2] not in unsure}
    random = np.random.default_rng(seed)
    share = np.full(len(reports), 1 / len(reports))
    weights = random.multinomial(len(reports), share, size=bootstrap)
    grains = tuple(_grain(g, truth, said, reports, weights, confidence) for g in GRAINS)
    confusion, disagreements = _differences(truth, said)
    return GoldScore(len(reports), confidence, seed, grains, _by_pathology(truth, said), confusion, disagreements)


def render(score: GoldScore, most: int = 20) -> str:
    """The comparison as plain text: grains, pathologies, confused phrases, and the first ``most`` disagreements."""
    percent = f"{100 * score.confidence:g} %"
    grains = [
        (
            g.grain,
            f"{g.gold}",
            f"{g.found}",
            _interval(g.precision, g.precision_low, g.precision_high),
            _interval(g.recall, g.recall_low, g.recall_high),
            _interval(g.f1, g.f1_low, g.f1_high),
            _number(g.macro_f1),
        )
        for g in score.grains
    ]
    pathologies = [
        (p.pathology, f"{p.gold}", f"{p.found}", _number(p.assertion_f1), _number(p.graded_f1))
        for p in score.pathologies
    ]
    confused = [(c.gold or "(no more)", c.found or "(no more)", f"{c.n}") for c in score.confusion if c.gold != c.found]
    differing = [
        (d.report_id, d.pathology, d.gold or "(nothing)", d.found or "(nothing)") for d in score.disagreements[:most]
    ]
    parts = [
        f"{score.reports:,} annotated {'report' if score.reports == 1 else 'reports'}; intervals {percent}",
        _table(("grain", "gold", "found", "precision", "recall", "F1", "macro F1"), grains),
        _table(("pathology", "gold", "found", "assertion F1", "graded F1"), pathologies),
    ]
    if confused:
        parts.append(_table(("gold phrase", "engine phrase", "n"), confused))
    if differing:
        left = len(score.disagreements) - len(differing)
        parts.append(
            _table(("report", "pathology", "gold", "engine"), differing) + (f"\n... and {left} more" if left else "")
        )
    return "\n\n".join(parts)


# --- reading ---


def _cells(path: Path, separator: str) -> Iterable[tuple[int, list[str]]]:
    try:
        text = inputs.read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise InputError("{name} is not UTF-8 text. Save it again as UTF-8.", name=path.name) from e
    # A tab-separated file holds the words of reports as they stand, quotation marks included.
    for line, cells in records_of(lines_of(text), Dialect(separator, quoting=separator != "\t")):
        if isinstance(cells, Unread):
            raise _broken(path, cells.opened, cells.trouble.value)
        if any(c.strip() for c in cells):
            yield line, cells


def _broken(path: Path, line: int, reason: str) -> InputError:
    return InputError(
        "{name}, line {line}: {reason}. Mend or remove the line.", name=path.name, line=line, reason=reason
    )


# --- counting ---

_Triple = tuple[str, str, str]


def _triples(statements: Iterable[Statement], synonyms: Mapping[str, str]) -> set[_Triple]:
    def name(text: str) -> str:
        plain = text.strip().lower()
        return synonyms.get(plain, plain)

    return {(s.report_id, name(s.pathology), name(s.phrase)) for s in statements}


def _assertion(phrase: str) -> str:
    return phrase if phrase in (PRESENT, ABSENT) else _HEDGED


def _at(grain: str, triples: set[_Triple]) -> set[_Triple]:
    """The triples as they are told apart at a grain."""
    if grain.startswith(_HEDGED):
        triples = {t for t in triples if _assertion(t[2]) == _HEDGED}
    if grain in ("mention", "hedged mention"):
        return {(r, p, "") for r, p, _ in triples}
    if grain == "assertion":
        return {(r, p, _assertion(w)) for r, p, w in triples}
    return triples


def _grain(
    grain: str,
    truth: set[_Triple],
    said: set[_Triple],
    reports: list[str],
    weights: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    confidence: float,
) -> GrainScore:
    gold, found = _at(grain, truth), _at(grain, said)
    hits = gold & found
    low = high = float("nan")
    if len(weights):
        place = {r: i for i, r in enumerate(reports)}
        counts = np.zeros((len(reports), 3))
        for column, triples in enumerate((gold, found, hits)):
            for t in triples:
                counts[place[t[0]], column] += 1
        n_gold, n_found, n_hits = (weights @ counts).T
        total = n_gold + n_found
        f1 = np.divide(2 * n_hits, total, out=np.full(len(weights), np.nan), where=total > 0)
        if not np.isnan(f1).all():
            low, high = (float(x) for x in np.nanquantile(f1, [(1 - confidence) / 2, (1 + confidence) / 2]))
    names = sorted({t[1] for t in gold})
    macro = [_f1(*(sum(t[1] == name for t in triples) for triples in (gold, found, hits))) for name in names]
    precision_low, precision_high = wilson(_ratio(len(hits), len(found)), len(found), confidence)
    recall_low, recall_high = wilson(_ratio(len(hits), len(gold)), len(gold), confidence)
    return GrainScore(
        grain,
        len(gold),
        len(found),
        len(hits),
        _ratio(len(hits), len(found)),
        precision_low,
        precision_high,
        _ratio(len(hits), len(gold)),
        recall_low,
        recall_high,
        _f1(len(gold), len(found), len(hits)),
        low,
        high,
        sum(macro) / len(macro) if macro else float("nan"),
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _f1(gold: int, found: int, hits: int) -> float:
    """2 hits / (gold + found), the harmonic mean of precision and recall."""
    return _ratio(2 * hits, gold + found)


def _by_pathology(truth: set[_Triple], said: set[_Triple]) -> tuple[PathologyScore, ...]:
    rows = []
    for name in sorted({t[1] for t in truth | said}):
        gold, found = ({t for t in triples if t[1] == name} for triples in (truth, said))
        scores = []
        for grain in ("assertion", "graded phrase"):
            g, f = _at(grain, gold), _at(grain, found)
            scores.append(_f1(len(g), len(f), len(g & f)) if g else float("nan"))
        rows.append(PathologyScore(name, len(gold), len(found), *scores))
    return tuple(rows)


def _differences(truth: set[_Triple], said: set[_Triple]) -> tuple[tuple[Confusion, ...], tuple[Disagreement, ...]]:
    phrases: dict[tuple[str, str], tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for side, triples in enumerate((truth, said)):
        for report, pathology, phrase in triples:
            phrases[report, pathology][side].add(phrase)
    met: Counter[tuple[str, str]] = Counter()
    disagreements = []
    for (report, pathology), (gold, found) in sorted(phrases.items()):
        left = list(zip_longest(sorted(gold - found), sorted(found - gold), fillvalue=_NOT_STATED))
        disagreements += [Disagreement(report, pathology, g, f) for g, f in left]
        if gold and found:
            met.update((p, p) for p in gold & found)
            met.update(left)
    confusion = [Confusion(g, f, n) for (g, f), n in sorted(met.items(), key=lambda item: (-item[1], item[0]))]
    return tuple(confusion), tuple(disagreements)


# --- showing ---


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and isnan(value) else value


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:.3f}"


def _interval(value: float, low: float, high: float) -> str:
    return _number(value) if isnan(low) else f"{value:.3f} ({low:.3f}-{high:.3f})"


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines)
