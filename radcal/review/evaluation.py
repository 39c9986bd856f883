"""Agreement of an engine's findings with reports annotated by radiologists.

Statements are compared as sets of triples (report, pathology, phrase), so that saying the same thing twice
counts once.  Five grains, from coarse to fine:

    mention          (report, pathology)
    assertion        (report, pathology, present / absent / hedged)
    graded phrase    (report, pathology, phrase)
    hedged mention   (report, pathology), hedged statements alone
    hedged graded    (report, pathology, phrase), hedged statements alone
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from itertools import zip_longest
from math import isnan

import numpy as np
import orjson

from radcal.review.records import GRAINS, HEDGED, Confusion, Disagreement, GoldScore, PathologyScore, Score, Statement
from radcal.system.errors import DataError
from radcal.system.intervals import tails, wilson
from radcal.words.records import ABSENT, PRESENT, UNREAD

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
"""In place of a phrase: readers are unsure or disagree; this pathology of this report does not count."""
_NOT_STATED = ""
CONFIDENCE = 0.95
"""Coverage of all intervals."""


def evaluate(
    gold: Iterable[Statement],
    findings: Iterable[Statement],
    report_ids: Collection[str] | None = None,
    *,
    pathologies: Collection[str] | None = None,
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
        pathologies: that were annotated; None for any.  Findings of others are left out: nobody looked for them.
        bootstrap: resamples of reports for the intervals of F1; 0 for none (NaN).
        seed: of the resampling.

    Raises:
        DataError: there is no report to compare.
    """
    truth = _triples(gold)
    reports = sorted({t[0] for t in truth} if report_ids is None else set(report_ids))
    if not reports:
        raise DataError("There is no annotated report to compare with.")
    annotated = set(reports)
    unsure = {t[:2] for t in truth if t[2] == UNSURE}
    truth = {t for t in truth if t[0] in annotated and t[1] and t[:2] not in unsure}
    # What an engine marks as not understood is no statement of it.
    said = {t for t in _triples(findings) if t[0] in annotated and t[2] != UNREAD and t[:2] not in unsure}
    if pathologies is not None:
        asked = set(map(_canonical, pathologies))
        said = {t for t in said if t[1] in asked}
    random = np.random.default_rng(seed)
    share = np.full(len(reports), 1 / len(reports))
    weights = random.multinomial(len(reports), share, size=bootstrap)
    grains = tuple(_grain(g, truth, said, reports, weights) for g in GRAINS)
    confusion, disagreements = _differences(truth, said)
    return GoldScore(len(reports), CONFIDENCE, seed, grains, _by_pathology(truth, said), confusion, disagreements)


def to_json(score: GoldScore) -> str:
    """The whole comparison, NaN as null."""
    plain = asdict(score)
    plain["grains"] = [{"grain": grain.pop("name"), **grain} for grain in plain["grains"]]
    return orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY).decode()


def render(score: GoldScore, most: int = 20) -> str:
    """The comparison as plain text: grains, pathologies, confused phrases, and the first ``most`` disagreements."""
    percent = f"{100 * score.confidence:g} %"
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
        grains_table(score),
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


def grains_table(score: GoldScore) -> str:
    """The comparison at all grains, as plain text."""
    rows = [
        (
            g.name,
            f"{g.gold}",
            f"{g.found}",
            _interval(g.precision, g.precision_low, g.precision_high),
            _interval(g.recall, g.recall_low, g.recall_high),
            _interval(g.f1, g.f1_low, g.f1_high),
            _number(g.macro_f1),
        )
        for g in score.grains
    ]
    return _table(("grain", "gold", "found", "precision", "recall", "F1", "macro F1"), rows)


# --- counting ---

_Triple = tuple[str, str, str]


def _triples(statements: Iterable[Statement]) -> set[_Triple]:
    return {(s.report_id, _canonical(s.pathology), _canonical(s.phrase)) for s in statements}


def _canonical(name: str) -> str:
    plain = name.strip().lower()
    return SYNONYMS.get(plain, plain)


def assertion(phrase: str) -> str:
    """Whether a phrase says present, absent or something in between."""
    return phrase if phrase in (PRESENT, ABSENT) else HEDGED


def _at(grain: str, triples: set[_Triple]) -> set[_Triple]:
    """The triples reduced to a grain."""
    if grain.startswith(HEDGED):
        triples = {t for t in triples if assertion(t[2]) == HEDGED}
    if grain in ("mention", "hedged mention"):
        return {(r, p, "") for r, p, _ in triples}
    if grain == "assertion":
        return {(r, p, assertion(w)) for r, p, w in triples}
    return triples


def _grain(
    grain: str,
    truth: set[_Triple],
    said: set[_Triple],
    reports: list[str],
    weights: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> Score:
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
        resampled = np.divide(2 * n_hits, total, out=np.full(len(weights), np.nan), where=total > 0)
        if not np.isnan(resampled).all():
            low, high = (float(x) for x in np.nanquantile(resampled, tails(CONFIDENCE)))
    names = sorted({t[1] for t in gold})
    macro = [_f1(*(sum(t[1] == name for t in triples) for triples in (gold, found, hits))) for name in names]
    precision, recall = (_share(len(hits), len(triples)) for triples in (found, gold))
    f1 = _f1(len(gold), len(found), len(hits))
    macro_f1 = sum(macro) / len(macro) if macro else float("nan")
    return Score(grain, len(gold), len(found), len(hits), *precision, *recall, f1, low, high, macro_f1)


def _share(part: int, whole: int) -> tuple[float, float, float]:
    """The share with its Wilson interval."""
    return _ratio(part, whole), *wilson(_ratio(part, whole), whole, CONFIDENCE)


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


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:.3f}"


def _interval(value: float, low: float, high: float) -> str:
    return _number(value) if isnan(low) else f"{value:.3f} ({low:.3f}-{high:.3f})"


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines)
